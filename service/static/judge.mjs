// The judge's page: requests, rulings with a preview, the log of looks, and the hands if one asks.
//
// It has two clients. One has no token and sees what spectators see; the page follows the game with
// it. The other is the judge's: with it each reading of the table is a look, which the service puts
// on record, and so is the answer to a ruling or a vote; it reads only when the judge says so. A
// private table shows a stranger nothing, so there every reading is the judge's, and waits for that
// word too.

import { html, render, useEffect, useRef, useState } from "./vendor/htm-preact.mjs";
import { Client, LANGUAGES, Problem, loadTexts } from "./api.mjs";
import { Looks, Naming, Person, Requests, Rulings, granting } from "./judge_lists.mjs";
import { Ruling } from "./judge_ruling.mjs";
import { JUDGE } from "./judge_words.mjs";
import { introduce } from "./lobby.mjs";
import { PLAY_WORDS } from "./play_words.mjs";
import { Table, seatNames } from "./tables.mjs";
import { words } from "./words.mjs";

// The page tells events and motions as the play page does, so it has that page's words too.
const WORDS = Object.fromEntries(LANGUAGES.map((tag) => [tag, { ...PLAY_WORDS[tag], ...JUDGE[tag] }]));

const game = location.pathname.split("/")[2];
const path = /** @type {const} */ (`/v1/games/${game}`);
const client = new Client();
const spectator = new Client();
spectator.identity = null;

/**
 * Read what is on record about the game; none of it counts as a look.
 * @param {Client} reader
 * @returns {Promise<import("./client.js").OnRecord>}
 */
async function readRecord(reader) {
  const [{ rulings }, { looks }, { texts }, { players }] = await Promise.all([
    reader.get(`${path}/rulings`), reader.get(`${path}/looks`), reader.get(`${path}/texts`), reader.get(`${path}/players`),
  ]);
  return {
    rulings, looks, words: new Map(texts.map((text) => [text.id, text.words])),
    people: Object.fromEntries(players.map(({ id, name }) => [id, name])),
  };
}

/**
 * Give the reasons of motions by the motion's id, which is the version of its event.
 * @param {import("./client.js").Entry[]} records
 * @param {Map<string, string>} kept
 */
function reasonsOf(records, kept) {
  const reasons = new Map();
  for (const { version, event } of records) {
    if (event.type === "motion_made" && event.text) reasons.set(version, kept.get(event.text.id));
  }
  return reasons;
}

/** Follow a game: its view, its events, what is on record. Gives null while it may not be read. */
function useGame(reader, setProblem) {
  const [followed, setFollowed] = useState(/** @type {import("./client.js").Followed} */ ({ view: null, records: [], record: null, online: true }));
  useEffect(() => {
    if (!reader) return undefined;
    const change = (more) => setFollowed((old) => ({ ...old, ...more }));
    /** @type {import("./client.js").Entry[]} */
    let records = [];
    let timer, asked = 0;
    const load = async () => {
      const turn = ++asked;
      const [view, record] = await Promise.all([reader.get(path), readRecord(reader)]);
      if (turn === asked) change({ view, record, records });
    };
    const soon = () => { clearTimeout(timer); timer = setTimeout(() => load().catch(setProblem), 60); };
    const event = (record) => { records = [...records, record]; soon(); };
    const stop = reader.stream(game, { event, reset: () => { records = []; }, online: (online) => change({ online }), end: soon, refused: setProblem });
    return () => { clearTimeout(timer); stop(); };
  }, [reader]);
  const refresh = async () => {
    const record = await readRecord(reader);
    setFollowed((old) => ({ ...old, record }));
  };
  return { ...followed, refresh };
}

/** Ask before the first look; afterwards say what is shown, and of when. */
function LookPanel({ seen, version, hidden, follow, setFollow, look, close, say }) {
  const again = seen && seen.version !== version;
  return html`<section class="panel look" aria-labelledby="look"><h2 id="look">${say(seen ? "handsShown" : "lookTitle")}</h2>
    <p>${seen ? say("seenAt", { version: seen.version }) : say("nothingHidden")} ${say("lookWarning")}${hidden && ` ${say("lookPrivate")}`}</p>
    ${again && html`<p role="status"><strong>${say("movedOn", { version })}</strong></p>`}
    <p class="bar">${(!seen || again) && html`<button class="act main" id="look-now" onClick=${look}>${say(seen ? "lookAgain" : "look")}</button>`}
      ${seen && !hidden && html`<button class="act" id="put-away" onClick=${close}>${say("stopLooking")}</button>
        <label class="check"><input type="checkbox" id="keep-looking" checked=${follow} onChange=${(event) => setFollow(event.target.checked)} /> ${say("keepLooking")}</label>`}</p></section>`;
}

/** @param {import("./client.js").Told & { online: boolean, active: boolean, me: string | null, language: string, change: (event: Event) => void }} props */
function Heading({ view, texts, online, active, me, people, say, language, change }) {
  return html`<header class="panel heading"><p class="bar"><a href="/">Potluck</a>
      <span class=${online ? "status grow" : "status off grow"} role="status">${say(online ? "connected" : "reconnecting")}</span>
      <label>${say("language")} <select value=${language} onChange=${change}>${LANGUAGES.map((tag) => html`<option key=${tag} value=${tag}>${tag}</option>`)}</select></label></p>
    <h1>${say("judging")}: ${texts.detail.name}</h1>
    <p class="bar facts"><span class="tag" data-status=${view.status}>${say(view.paused ? "pausedNow" : `status_${view.status}`)}</span>
      <span>${say("version")} <span id="version">${view.version}</span></span>
      <span>${say("judges")}: ${view.judges.length === 0 ? say("noJudge") : view.judges.map((id) => html`<${Person} key=${id} ...${{ id, me, people, say }} /> `)}</span>
      <a href=${`/viewer/${game}`}>${say("replay")}</a>${active && html`<a class="jump" href="#ruling">${say("ruleTitle")}</a>`}</p>
    ${view.status === "sealed" && html`<p>${say("sealedFor")}</p>`}
    ${view.status === "ended" && view.seals && html`<p>${say("endsIn", { time: new Date(view.seals).toLocaleString(language) })}</p>`}</header>`;
}

function Page() {
  const [reader, setReader] = useState(null);
  const [hidden, setHidden] = useState(false);
  const [seen, setSeen] = useState(/** @type {import("./client.js").GameView | null} */ (null));
  const [follow, setFollow] = useState(false);
  const [texts, setTexts] = useState(/** @type {import("./client.js").Texts | null} */ (null));
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const [done, setDone] = useState("");
  const [wanted, setWanted] = useState(null);
  const [me, setMe] = useState(client.identity?.id ?? null);
  const [language, setLanguage] = useState(client.language);
  const complaint = useRef(null);
  const say = words(language, WORDS);
  const { view, records, record, online, refresh } = useGame(reader, setProblem);

  useEffect(() => {
    // A private game is told from a missing one by what may be read of it without a look.
    spectator.get(path).then(() => setReader(spectator), (error) => {
      if (error.code !== "game-not-found" || !client.identity) return setProblem(error);
      return client.get(`${path}/looks`).then(() => setHidden(true), setProblem);
    });
  }, []);
  useEffect(() => {
    document.documentElement.lang = language;
    if (view) loadTexts(client, view.ruleset).then(setTexts, setProblem);
  }, [view?.ruleset, language]);
  useEffect(() => {
    if (view && texts) document.title = `${view.motions.length ? `(${view.motions.length}) ` : ""}${say("judging")}: ${texts.detail.name}`;
  }, [view, texts, language]);
  useEffect(() => { if (problem) complaint.current?.focus(); }, [problem]);
  const judging = view?.judges.includes(me);
  useEffect(() => { if (follow && judging && seen && seen.version !== view.version) look(); }, [view?.version, follow]);

  /** Do something; what the API refuses is shown. Gives what was done, or null. */
  const run = async (act) => {
    setProblem(null);
    setDone("");
    try {
      return await act();
    } catch (error) {
      setProblem(error instanceof Problem ? error : new Problem(0, { code: "network", detail: String(error) }));
      return null;
    }
  };
  const look = () => run(async () => { setSeen(await client.get(path)); await refresh(); });
  const vote = async (id, agree) => {
    const voted = await run(() => client.post(`${path}/motions/${id}/votes`, { agree }));
    if (voted && seen) setSeen(voted.game);
  };
  const preview = (ruling, reason) => run(() => client.post(`${path}/rulings/preview`, { ruling, reason }));
  const rule = async (ruling, reason) => {
    const made = await run(() => client.post(`${path}/rulings`, { ruling, reason }));
    if (made) setDone(say("made", { version: made.events[0].version }));
    if (made && seen) setSeen(made.game);
    return made !== null;
  };
  const become = (called) => run(async () => setMe((await introduce(client, called)).id));
  const name = (judge) => run(() => client.post(`${path}/judges`, { judge }));
  const call = async (judge) => {
    if (await run(() => client.post(`${path}/motions`, { motion: { type: "call_judge", judge } }))) setDone(say("callMade"));
  };
  const change = (event) => {
    client.setLanguage(event.target.value);
    spectator.language = event.target.value;
    setLanguage(event.target.value);
  };

  const refused = problem && html`<section class="panel problem" role="alert" tabindex="-1" ref=${complaint}><strong>${say(problem.status === 409 ? "notAllowed" : "failed")}</strong>
    <p>${problem.message}</p>${problem.rule && html`<p>${problem.rule}: ${texts?.rule(problem.rule)}</p>`}</section>`;
  if (hidden && !reader) {
    return html`<main class="page"><p><a href="/">Potluck</a></p><h1>${say("judging")}</h1>
      <${LookPanel} hidden=${true} look=${() => setReader(client)} say=${say} /></main>`;
  }
  if (!view || !texts || !record) {
    const nothing = problem?.code === "game-not-found";
    return html`<main class="page"><p><a href="/">Potluck</a></p><h1>${say("judging")}</h1>${nothing ? html`<p role="alert">${say("noAccess")}</p>` : refused || html`<p role="status">${say("loading")}</p>`}</main>`;
  }
  const active = judging && view.status !== "sealed";
  const shown = (!hidden && seen) || view;
  const { people } = record;
  const seatName = seatNames(shown, say, people);
  const common = { view, texts, say, language, people, seatName };
  const told = { texts, say, seatName, people, words: Object.fromEntries(record.words) };
  return html`<main class="page judge"><${Heading} ...${common} ...${{ online, active, me, change }} />
    ${refused}<p class="done" role="status">${done}</p>
    ${!judging && html`<${Naming} ...${{ view, me, say, become, name, call }} />`}
    <div class="parts">
      ${active && html`<${Requests} ...${common} reasons=${reasonsOf(records, record.words)} vote=${vote} grant=${(motion) => setWanted(granting(motion))} />`}
      <div class="part watched">
        ${active && html`<${LookPanel} ...${{ seen: hidden ? view : seen, version: view.version, hidden, follow, setFollow, look, close: () => setSeen(null), say }} />`}
        ${shown.board ? html`<${Table} ruleset=${shown.ruleset} view=${shown} texts=${texts} say=${say} seatName=${seatName}
          names=${told.words} />` : html`<p class="panel faint">${say("notYet")}</p>`}</div>
      ${active && html`<${Ruling} ...${{ view, records, told, wanted, preview, rule }} />`}
      <div class="part recorded"><${Rulings} rulings=${record.rulings} words=${record.words} ...${{ game, me, people, say, language, seatName }} />
        <${Looks} looks=${record.looks} ...${{ me, people, say, language }} /></div></div></main>`;
}

render(html`<${Page} />`, document.getElementById("page"));
