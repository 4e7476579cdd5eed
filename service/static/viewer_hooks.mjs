// What the viewer keeps while it shows a game: its events, the view at a version, claims, and keys.

import { useEffect, useMemo, useRef, useState } from "./vendor/htm-preact.mjs";
import { foldAll, viewOf } from "./fold.mjs";
import { NO_NAMES } from "./viewer_sources.mjs";
import { storyOf } from "./viewer_story.mjs";

const AHEAD = 8; // versions read before they are asked for
const PATIENCE = 40; // milliseconds at a version, while the slider runs, before it is read

/** A game's events from a perspective, and all that is read off them; null until they are there. */
export function useEvents(source, perspective, texts, fail) {
  const [read, setRead] = useState(null);
  useEffect(() => {
    let current = true;
    setRead((held) => (held?.source === source ? held : null));
    source?.events(perspective).then((records) => current && setRead({ source, records }), fail);
    return () => { current = false; };
  }, [source, perspective]);
  return useMemo(() => {
    if (!read || !texts || texts.ruleset !== source?.ruleset || read.source !== source) return null;
    return { records: read.records, story: storyOf(read.records), fold: foldOr(read.records, source.ruleset, texts) };
  }, [read, texts, source]);
}

/** What cannot be folded here has no score curve; all else goes without. */
function foldOr(records, ruleset, texts) {
  try {
    return foldAll(records, ruleset, texts);
  } catch {
    return null;
  }
}

/** Read ahead along the line that is followed, and one step back. */
function readOn(source, version, perspective, story) {
  let next = version;
  for (let count = 0; count < AHEAD && next; count += 1) {
    next = story ? story.next(next) : next < source.last ? next + 1 : null;
    if (next) source.view(next, perspective).catch(() => {});
  }
  const back = story ? story.previous(version) : version - 1;
  if (back) source.view(back, perspective).catch(() => {});
}

/**
 * The view at a version. Of a sealed game all events are here, so what they make of the table stands
 * there at once, until the service's own view of it has come, which is the same. Of another game the
 * last view stays while the next one is being read, and those to come are read ahead.
 */
export function useView(source, version, perspective, told, fail) {
  const [view, setView] = useState(null);
  const before = useRef(version);
  const fold = source?.sealed ? told?.fold : null;
  useEffect(() => {
    if (!source) return undefined;
    let current = true;
    const nearby = !fold && Math.abs(version - before.current) <= 1;
    before.current = version;
    const read = () => {
      source.view(version, perspective).then((found) => current && setView({ source, perspective, found }), (error) => current && fail(error));
      if (!source.sealed) readOn(source, version, perspective, told?.story);
    };
    const timer = setTimeout(read, nearby || source.view.has(version, perspective) ? 0 : PATIENCE);
    return () => { current = false; clearTimeout(timer); };
  }, [source, version, perspective, told]);
  const held = view?.source === source ? view : null;
  const stands = held?.found.version === version && held.perspective === perspective;
  return useMemo(() => (stands || !fold ? held?.found ?? null : viewOf(fold, version, perspective)), [held, stands, fold, version, perspective]);
}

export function useClaims(source, perspective) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    let current = true;
    if (source?.ruleset !== "stir-fry-eighteen") setFound(null);
    else source.claims(perspective).then((claims) => current && setFound(claims), () => {});
    return () => { current = false; };
  }, [source, perspective]);
  return found;
}

/** Who sits there, and the free texts of a game: reasons of rulings, names of inventions. */
export function useNames(source) {
  const [names, setNames] = useState(NO_NAMES);
  useEffect(() => { source?.names().then(setNames, () => setNames(NO_NAMES)); }, [source]);
  return names;
}

/** Arrows step, with Shift, Ctrl or both they jump; Home, End, and Space to play. */
export function useKeys(acts) {
  const present = useRef(acts);
  present.current = acts; // a key may come before the page has caught up with the last one
  useEffect(() => {
    const press = (event) => {
      const { step, leap, go, last, toggle } = present.current;
      if (event.altKey || event.metaKey || event.target.matches("select, textarea, input:not([type=range])")) return;
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const kind = event.ctrlKey ? (event.shiftKey ? "ruling" : "claim") : event.shiftKey ? "turn" : null;
      if (way && kind) leap(kind, way);
      else if (way) step(way);
      else if (event.key === "Home") go(1);
      else if (event.key === "End") go(last);
      else if (event.key === " " && !event.target.matches("button, a, summary, label")) toggle();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
