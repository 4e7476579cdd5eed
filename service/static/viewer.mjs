// The replay viewer: a game step by step, as far as whoever looks may see it, from the service or
// from a recording that is dropped on the page.

import { html, render, useEffect, useMemo, useState } from "./vendor/htm-preact.mjs";
import { Client, LANGUAGES, loadTexts } from "./api.mjs";
import { describe } from "./log.mjs";
import { PLAY_WORDS } from "./play_words.mjs";
import { Table, seatNames } from "./tables.mjs";
import { Branches, CopyLink, Icon, Jumps, Perspective } from "./viewer_controls.mjs";
import { RecordingPanel, Verdict } from "./viewer_file.mjs";
import { useClaims, useEvents, useKeys, useNames, useView } from "./viewer_hooks.mjs";
import { Claims, Curve, Happened, Timeline } from "./viewer_parts.mjs";
import { online } from "./viewer_sources.mjs";
import { jump } from "./viewer_story.mjs";
import { VIEWER } from "./viewer_words.mjs";
import { words } from "./words.mjs";

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

/** The table as seen from a seat lies before that seat; seen by all, no hand is one's own. */
function asSeen(view, source, perspective) {
  const seat = perspective?.startsWith("seat:") ? Number(perspective.slice(5)) : null;
  const own = perspective === null && !source.sealed && !source.file;
  return own ? view : { ...view, you: { ...view.you, seat } };
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
  const view = useView(source, version, perspective, told, setFailed);
  const claims = useClaims(source, perspective);
  const names = useNames(source);

  const go = (wanted) => setVersion(within(wanted, last));
  const stop = (act) => (...given) => { setPlaying(false); act(...given); };
  const move = (to) => setVersion((held) => within(to(held) ?? held, last));
  const step = (way) => move((held) => (story ? (way > 0 ? story.next(held) : story.previous(held)) : held + way));
  const leap = (kind, way) => move((held) => story && jump(story, held, kind, way));
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
    }).catch(setFailed);
  }, []);
  const settled = game === null || failed !== null || told !== null;
  useEffect(() => { if (settled) readAhead().catch(() => {}); }, [settled]);
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
