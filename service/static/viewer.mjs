// The replay viewer: a game step by step, as far as whoever looks may see it, from the service or
// from a recording that is dropped on the page.

import { html, render, useEffect, useMemo, useRef, useState } from "./vendor/htm-preact.mjs";
import { Client, LANGUAGES, loadTexts } from "./api.mjs";
import { foldAll } from "./fold.mjs";
import { describe } from "./log.mjs";
import { PLAY_WORDS } from "./play_words.mjs";
import { Table, seatNames } from "./tables.mjs";
import { RecordingPanel, Verdict } from "./viewer_file.mjs";
import { Claims, Curve, Happened, Timeline } from "./viewer_parts.mjs";
import { NO_NAMES, online } from "./viewer_sources.mjs";
import { KINDS, jump, storyOf } from "./viewer_story.mjs";
import { VIEWER } from "./viewer_words.mjs";
import { words } from "./words.mjs";

const AHEAD = 8; // versions read before they are asked for
const PATIENCE = 40; // milliseconds at a version, while the slider runs, before it is read
const PACES = [2000, 1000, 400, 120]; // milliseconds from one version to the next

// What happened is told with words that the play page has too.
const WORDS = Object.fromEntries(LANGUAGES.map((tag) => [tag, { ...PLAY_WORDS[tag], ...VIEWER[tag] }]));

const game = location.pathname.split("/")[2] || null;
const client = new Client();
const textsHeld = new Map();

/** Give a game's texts; read once for each language. */
function textsOf(ruleset) {
  const key = `${client.language} ${ruleset}`;
  if (!textsHeld.has(key)) {
    const texts = loadTexts(client, ruleset);
    texts.catch(() => textsHeld.delete(key));
    textsHeld.set(key, texts);
  }
  return textsHeld.get(key);
}

/** Read the texts of all games, so that a recording of any can be shown when the network is gone. */
async function readAhead() {
  const { rulesets } = await client.get("/v1/rulesets");
  await Promise.all(rulesets.map(({ id }) => textsOf(id)));
}

/** What the address says: a version, and the perspective that it calls a seat. */
function linked() {
  const query = new URLSearchParams(location.search);
  const seat = query.get("seat");
  const perspective = seat === "spectator" ? seat : /^[0-4]$/.test(seat ?? "") ? `seat:${seat}` : null;
  return { version: Number(query.get("version")) || null, perspective };
}

function addressOf(version, perspective) {
  const seat = perspective === null ? "" : `&seat=${perspective.replace("seat:", "")}`;
  return `${location.pathname}?version=${version}${seat}`;
}

const within = (version, last) => Math.min(Math.max(1, Math.round(version) || 1), last);

/** A game's events from a perspective, and all that is read off them; null until they are there. */
function useEvents(source, perspective, texts, fail) {
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

/** The view at a version; while another is being read, the last one stays. */
function useView(source, version, perspective, story, fail) {
  const [view, setView] = useState(null);
  const before = useRef(version);
  useEffect(() => {
    if (!source) return undefined;
    let current = true;
    const nearby = Math.abs(version - before.current) <= 1 || source.view.has(version, perspective);
    before.current = version;
    const read = () => {
      source.view(version, perspective).then((found) => current && setView({ source, perspective, found }), (error) => current && fail(error));
      let next = version;
      for (let count = 0; count < AHEAD && next; count += 1) {
        next = story ? story.next(next) : next < source.last ? next + 1 : null;
        if (next) source.view(next, perspective).catch(() => {});
      }
      const back = story ? story.previous(version) : version - 1;
      if (back) source.view(back, perspective).catch(() => {});
    };
    const timer = setTimeout(read, nearby ? 0 : PATIENCE);
    return () => { current = false; clearTimeout(timer); };
  }, [source, version, perspective, story]);
  return view?.source === source ? view.found : null;
}

function useClaims(source, perspective) {
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
function useNames(source) {
  const [names, setNames] = useState(NO_NAMES);
  useEffect(() => { source?.names().then(setNames, () => setNames(NO_NAMES)); }, [source]);
  return names;
}

/** Arrows step, with Shift, Ctrl or both they jump; Home, End, and Space to play. */
function useKeys({ step, leap, go, last, toggle }) {
  useEffect(() => {
    const press = (event) => {
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
  });
}

/** The table as seen from a seat lies before that seat; seen by all, no hand is one's own. */
function asSeen(view, source, perspective) {
  const seat = perspective?.startsWith("seat:") ? Number(perspective.slice(5)) : null;
  const own = perspective === null && !source.sealed && !source.file;
  return own ? view : { ...view, you: { ...view.you, seat } };
}

function Perspective({ source, perspective, choose, say, seatName }) {
  const own = source.file ? "asFile" : source.now.you.judge ? "asJudge" : source.now.you.seat === null ? "spectator" : "asYou";
  const name = (each) => (each === null ? say(source.sealed ? "all" : own) : each === "spectator" ? say("spectator") : seatName(Number(each.slice(5))));
  return html`<label>${say("seenBy")} <select id="perspective" value=${perspective ?? ""} onChange=${(event) => choose(event.target.value || null)}>
    ${source.perspectives.map((each) => html`<option key=${each} value=${each ?? ""}>${name(each)}</option>`)}</select></label>`;
}

function Jumps({ story, version, leap, say, ruleset }) {
  return KINDS.filter((kind) => story.marks.some((mark) => mark.kind === kind)).map((kind) => {
    const special = `jump_${kind}_${ruleset}`;
    const what = say(special) === special ? say(`jump_${kind}`) : say(special);
    const button = (way, key, sign) => html`<button class="act" data-jump=${`${kind}${way}`} aria-label=${say(key, { what })}
      disabled=${jump(story, version, kind, way) === null} onClick=${() => leap(kind, way)}>${sign}</button>`;
    return html`<span class="jump" key=${kind} role="group" aria-label=${what}>${button(-1, "backTo", "‹")}<span class=${`jump-name ${kind}-name`}>${what}</span>${button(1, "onTo", "›")}</span>`;
  });
}

function Branches({ story, version, go, say }) {
  const here = story.branchOf(version);
  const parted = story.branches.filter((branch) => branch.fork === version);
  return html`${here && html`<p class="branch in" role="status"><span>↳ ${say("inBranch", here)}</span>
      <button class="act" id="to-fork" onClick=${() => go(here.fork)}>${say("toFork")}</button>
      <button class="act main" id="leave" onClick=${() => go(story.leave(here))}>${say("leave")}</button></p>`}
    ${parted.map((branch) => html`<p class="branch" key=${branch.from}><span>⑂ ${say("branchAt", branch)}</span>
      <button class="act" data-enter=${branch.from} onClick=${() => go(branch.from)}>${say("enter")}</button></p>`)}`;
}

const ICONS = {
  first: "M3 2h3v12H3zM14 2v12L6 8z", back: "M12 2v12L4 8z", on: "M4 2v12l8-6z", last: "M10 2h3v12h-3zM2 2v12l8-6z",
  play: "M4 2v12l9-6z", stop: "M3 2h4v12H3zM9 2h4v12H9z",
};

const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;

function CopyLink({ say }) {
  const [state, setState] = useState(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setState("copied");
    } catch {
      setState("shown"); // no clipboard without https: the link is shown to be copied by hand
    }
    setTimeout(() => setState((held) => (held === "copied" ? null : held)), 2500);
  };
  return html`<button class="act" id="copy-link" onClick=${copy}>${say("copyLink")}</button>
    ${state === "copied" && html`<span role="status">${say("linkCopied")}</span>`}
    ${state === "shown" && html`<input class="link-text" readonly aria-label=${say("linkHere")} value=${location.href} onFocus=${(event) => event.target.select()} />`}`;
}

function Page() {
  const start = useMemo(linked, []);
  const [language, setLanguage] = useState(client.language);
  const [hosted, setHosted] = useState(null);
  const [file, setFile] = useState(null);
  const [texts, setTexts] = useState(null);
  const [version, setVersion] = useState(start.version ?? 1);
  const [perspective, setPerspective] = useState(start.perspective);
  const [pace, setPace] = useState(1000);
  const [playing, setPlaying] = useState(false);
  const [failed, setFailed] = useState(null);
  const say = useMemo(() => words(language, WORDS), [language]);
  const source = file?.source ?? hosted;
  const last = source?.last ?? 1;
  const told = useEvents(source, perspective, texts, setFailed);
  const story = told?.story ?? null;
  const view = useView(source, version, perspective, story, setFailed);
  const claims = useClaims(source, perspective);
  const names = useNames(source);

  const go = (wanted) => setVersion(within(wanted, last));
  const stop = (act) => (...given) => { setPlaying(false); act(...given); };
  const step = (way) => go((story ? (way > 0 ? story.next(version) : story.previous(version)) : version + way) ?? version);
  const leap = (kind, way) => go((story && jump(story, version, kind, way)) ?? version);
  const toggle = () => {
    if (!playing && version === last) go(1);
    setPlaying(!playing);
  };

  useEffect(() => {
    if (game === null) return;
    online(client, game).then((found) => {
      setPerspective((wanted) => (found.perspectives.includes(wanted) ? wanted : null));
      setVersion((wanted) => within(start.version === null ? 1 : wanted, found.last));
      setHosted(found);
    }).catch(setFailed).finally(() => readAhead().catch(() => {}));
  }, []);
  useEffect(() => { if (game === null) readAhead().catch(() => {}); }, []);
  useEffect(() => {
    document.documentElement.lang = language;
    if (source) textsOf(source.ruleset).then(setTexts, setFailed);
  }, [source, language]);
  useEffect(() => {
    if (hosted && !file) history.replaceState(null, "", addressOf(version, perspective));
  }, [hosted, file, version, perspective]);
  useEffect(() => {
    if (!playing || !story || view?.version !== version) return undefined;
    const next = story.next(version);
    if (next === null) { setPlaying(false); return undefined; }
    const timer = setTimeout(() => go(next), pace);
    return () => clearTimeout(timer);
  }, [playing, pace, story, version, view]);
  useKeys({ step: stop(step), leap: stop(leap), go: stop(go), last, toggle });

  const open = (next) => {
    setPlaying(false);
    setFailed(null);
    setPerspective(null);
    setVersion(within(next ? 1 : version, (next?.source ?? hosted).last));
    scrollTo(0, 0);
    setFile(next);
  };
  const save = async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await source.recording());
    link.download = `${source.game}.ndjson`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const change = (event) => { client.setLanguage(event.target.value); setLanguage(event.target.value); };
  const ready = source && view && texts?.ruleset === source.ruleset;
  const name = texts && source ? `${texts.detail.name}: ${say("title")}` : say("title");
  const header = html`<header class="bar"><a href="/">Potluck</a><h1 class="grow">${name}</h1>
    <label>${say("language")} <select id="language" value=${language} onChange=${change}>${LANGUAGES.map((tag) => html`<option key=${tag} value=${tag}>${tag}</option>`)}</select></label></header>`;
  const recording = html`<${RecordingPanel} say=${say} textsOf=${textsOf} opened=${open} save=${source?.recording && (() => save().catch(setFailed))} />`;
  if (!ready) {
    return html`<main class="page">${header}
      ${game === null && !source ? html`<p>${say("emptyPage")}</p>` : html`<p role=${failed ? "alert" : "status"}>${failed ? say("noAccess") : "…"}</p>`}${recording}</main>`;
  }

  const seatName = seatNames(view, say, names.people);
  const shared = { say, texts, seatName };
  const telling = (record) => describe(record, { ...shared, words: names.words }) || record.event.type;
  const seen = asSeen(view, source, perspective);
  const looked = perspective?.startsWith("seat:");
  const sayTable = (key, values) => (looked && key === "you" ? say("fromHere") : looked && key === "hand" ? say("itsHand", { seat: seatName(seen.you.seat) }) : say(key, values));
  const branch = story?.branchOf(view.version);
  const place = [say("versionOf", { version: view.version, last }), view.board && say("turnNumber", { number: view.board.turn.number }), branch && say("undoneLine")].filter(Boolean).join(" · ");
  const now = told ? telling(told.records[view.version - 1]) : "…";
  const button = (id, key, icon, to, disabled) => html`<button class="act" id=${id} aria-label=${say(key)} title=${say(key)} disabled=${disabled} onClick=${stop(to)}><${Icon} name=${icon} /></button>`;
  return html`<main class="page viewer">${header}
    ${file && html`<section class="panel file"><div class="bar"><h2 class="grow">${say("offline", { name: source.file })}</h2>
      ${hosted && html`<button class="act" id="back-online" onClick=${() => open(null)}>${say("backOnline")}</button>`}</div>
      <${Verdict} verdict=${file.verdict} say=${say} /></section>`}
    <section class="panel control" aria-label=${say("timeline")}>
      <p class="place" id="version" data-version=${view.version}>${place}</p>
      <p class="now" id="now" aria-live=${playing ? "off" : "polite"}>${now}</p>
      <div class="rails">${story && html`<${Timeline} story=${story} version=${version} go=${stop(go)} />`}
        <input class="slider" id="slider" type="range" min="1" max=${last} value=${version} aria-label=${say("timeline")} aria-valuetext=${place} onInput=${(event) => stop(go)(Number(event.target.value))} /></div>
      <div class="bar buttons">
        ${button("first", "first", "first", () => go(1), version === 1)}${button("previous", "previous", "back", () => step(-1), version === 1)}
        <button class="act main" id="play" aria-pressed=${playing ? "true" : "false"} onClick=${toggle}><${Icon} name=${playing ? "stop" : "play"} /> ${say(playing ? "stopIt" : "playIt")}</button>
        ${button("next", "next", "on", () => step(1), story ? story.next(version) === null : version === last)}${button("last", "last", "last", () => go(last), version === last)}
        <label>${say("pace")} <select id="pace" value=${pace} onChange=${(event) => setPace(Number(event.target.value))}>${PACES.map((each) => html`<option key=${each} value=${each}>${say(`pace${each}`)}</option>`)}</select></label>
        ${story && html`<${Jumps} story=${story} version=${version} leap=${stop(leap)} say=${say} ruleset=${source.ruleset} />`}</div>
      <div class="bar buttons">${source.perspectives.length > 1 && html`<${Perspective} source=${source} perspective=${perspective} choose=${setPerspective} say=${say} seatName=${seatName} />`}
        ${!source.sealed && !file && html`<span class="faint">${say("onlyOwn")}</span>`}
        ${!file && html`<${CopyLink} say=${say} />`}
        <details class="keys"><summary>${say("keys")}</summary><p>${say("keysHelp")}</p></details></div>
      ${source.judging && html`<p class="branch"><span>${say("judgeNote")}</span><a class="act" href=${`/judge/${game}`}>${say("judgePage")}</a></p>`}
      ${story && html`<${Branches} story=${story} version=${view.version} go=${stop(go)} say=${say} />`}</section>
    ${failed && html`<p role="alert">${say("failed")}: ${failed.message}</p>`}
    <div class="stage"><div class="board"><h2 class="sr">${say("table")}</h2>${view.board ? html`<${Table} ruleset=${view.ruleset} view=${seen} texts=${texts} say=${sayTable} seatName=${seatName} names=${names.words} />` : html`<p class="panel faint">${say("boardLater")}</p>`}
        ${told?.fold && html`<${Curve} fold=${told.fold} story=${story} version=${view.version} say=${say} seatName=${seatName} go=${stop(go)} />`}</div>
      <aside class="side" aria-label=${say("happened")}>${told && html`<${Happened} records=${told.records} story=${story} version=${view.version} telling=${telling} say=${say} go=${stop(go)} />`}
        ${claims && html`<${Claims} found=${claims} story=${story} version=${view.version} ...${shared} go=${stop(go)} />`}</aside></div>
    ${recording}</main>`;
}

render(html`<${Page} />`, document.getElementById("page"));
