// The page on which a game is played: the table, and what the API lists as legal.

import { html, render, useEffect, useRef, useState } from "./vendor/htm-preact.mjs";
import { Client, LANGUAGES, Problem, loadTexts } from "./api.mjs";
import { playSounds, soundsOn, turnSounds } from "./cheers.mjs";
import { Forms, NotNow } from "./forms.mjs";
import { Lobby, Welcome, introduce, invitation, useInvitation } from "./lobby.mjs";
import { describe } from "./log.mjs";
import { PLAY_WORDS } from "./play_words.mjs";
import { Table, seatNames } from "./tables.mjs";
import { Log, Motions, Ruling, TableMenu } from "./talk.mjs";
import { words } from "./words.mjs";

const game = location.pathname.split("/")[2];
const path = /** @type {const} */ (`/v1/games/${game}`);
const client = new Client();
const LEARNT = "potluck.learnt";

async function look() {
  const [view, actions] = await Promise.all([client.get(path), client.identity ? client.get(`${path}/actions`) : null]);
  return { view, actions };
}

/** Read who is who, and the words that events refer to. */
async function readWords() {
  const [people, texts] = await Promise.all([client.get(`${path}/players`), client.get(`${path}/texts`)]);
  return {
    people: Object.fromEntries(people.players.map(({ id, name }) => [id, name])),
    words: Object.fromEntries(texts.texts.map((text) => [text.id, text.words])),
  };
}

function Countdown({ until, say }) {
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  return html`<span class=${left <= 10 ? "countdown soon" : "countdown"} role="timer">${say("timeLeft")}: ${left} ${say("seconds")}</span>`;
}

/** What another's act asks of the viewer: a claim to doubt, a guest to keep. */
function Question({ view, texts, say, seatName }) {
  const { claim, offer } = view.board;
  if (view.decision.kind === "taste_test" && claim) {
    const declared = claim.declared === "pair" ? say("pair") : texts.card(claim.declared);
    return html`<p class="question">${say("believe", { seat: seatName(claim.seat), declared, count: claim.count })}</p>`;
  }
  if (view.decision.kind === "blocking" && offer) {
    const key = offer.favourite ? "keepFavourite" : "keepGuest";
    return html`<p class="question">${say(key, { seat: seatName(offer.seat), guest: texts.card(offer.guest), desserts: offer.desserts.map(texts.card).join(", ") })}</p>`;
  }
  return null;
}

/** Find the table that another has opened as a rematch of this one. */
async function findRematch(view) {
  const { games } = await client.get("/v1/players/me/games?limit=5");
  const later = games.filter((each) => each.status === "open" && each.ruleset === view.ruleset && each.created >= view.time);
  for (const each of later) {
    if ((await client.get(`/v1/games/${each.id}`)).rematch_of === game) return each.id;
  }
  return null;
}

/** @param {import("./client.js").Shown & { rematch: () => void }} props */
function Over({ view, texts, say, seatName, rematch }) {
  const { outcome, you } = view;
  const [next, setNext] = useState(null);
  useEffect(() => {
    if (you.seat === null || next) return undefined;
    const timer = setInterval(() => findRematch(view).then(setNext, () => {}), 3000);
    return () => clearInterval(timer);
  }, [you.seat, next]);
  const won = outcome.winners.includes(you.seat);
  return html`<section class=${won ? "panel over won" : "panel over"} id="over"><h2 tabindex="-1">${say(won ? "won" : "over")}</h2>
    <p><strong>${say("winners")}: ${outcome.winners.length ? outcome.winners.map(seatName).join(", ") : say("nobody")}</strong></p>
    <p class="faint">${texts.rule(outcome.reason)}</p>
    ${next && html`<p role="status">${say("rematchOpen")}: <a class="act" id="to-rematch" href=${`/play/${next}`}>${say("goThere")}</a></p>`}
    <p class="bar">${you.seat !== null && !next && html`<button class="act main" id="rematch" onClick=${rematch}>${say("rematch")}</button>`}
      <a class="act" href=${`/viewer/${game}`}>${say("replay")}</a><a class="act" href="/">${say("home")}</a></p></section>`;
}

/**
 * Whose turn it is, in one line that is read out when it changes.
 * @param {import("./client.js").Shown} props
 */
function turnLine({ view, texts, say, seatName }) {
  const { decision, you } = view;
  if (view.paused) return say("paused");
  if (!decision) return "";
  return decision.asked.includes(you.seat) ? texts.decision(decision.kind) : `${say("waiting")} ${decision.asked.map(seatName).join(", ")}`;
}

/** @param {import("./client.js").Shown} props */
function Status({ view, texts, say, seatName }) {
  const { decision, you } = view;
  const place = decision ? decision.asked.indexOf(you.seat) : -1;
  const deadline = decision?.deadlines[Math.max(place, 0)];
  return html`<div class=${place >= 0 ? "asking" : "asking not-you"}><p class="turn-line" role="status" tabindex="-1">${turnLine({ view, texts, say, seatName })}</p>
    ${deadline && !view.paused && html`<${Countdown} until=${deadline} say=${say} />`}
    ${place >= 0 && html`<${Question} ...${{ view, texts, say, seatName }} />`}</div>`;
}

function Refused({ problem, texts, say, close }) {
  return html`<section class="panel problem" role="alert" data-code=${problem.code}><strong>${say("notAllowed")}</strong>
    <p>${problem.message}</p>${problem.rule && html`<p class="rule"><strong>${problem.rule}</strong> ${texts.rule(problem.rule)}</p>`}
    <button class="act small" onClick=${close}>${say("close")}</button></section>`;
}

function Head({ texts, say, online, language, change, sound, setSound, memesio }) {
  const toggle = () => { turnSounds(!sound); setSound(!sound); };
  return html`<header class="bar top"><a class="home" href="/">Potluck</a><h1 class="grow">${texts.detail.name}</h1>
    <span class=${online ? "status" : "status off"} id="online" data-online=${online ? "true" : "false"} role="status">${say(online ? "connected" : "reconnecting")}</span>
    ${memesio && html`<button class="act small" id="sounds" aria-pressed=${sound ? "true" : "false"} onClick=${toggle}>${say("sound")}: ${say(sound ? "on" : "off")}</button>`}
    <label><span class="sr">${say("language")}</span><select id="language" value=${language} onChange=${change}>${LANGUAGES.map((tag) => html`<option key=${tag} value=${tag}>${tag}</option>`)}</select></label></header>`;
}

/** Follow the game: its events so far, what it is now, who is there, and whether the service is. */
function useGame(entered) {
  const [state, setState] = useState(null);
  const [problem, setProblem] = useState(null);
  const [records, setRecords] = useState([]);
  const [extra, setExtra] = useState({ people: {}, words: {} });
  const [present, setPresent] = useState(null);
  const [online, setOnline] = useState(true);
  const log = useRef([]);
  const seenTo = useRef(null);
  const load = async () => {
    try {
      const found = await look();
      seenTo.current ??= found.view.version;
      setState(found);
      setRecords([...log.current]);
    } catch (error) {
      setProblem(error);
    }
  };
  useEffect(() => {
    if (!entered) return undefined;
    let timer, stop, rereads = true;
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (rereads) readWords().then(setExtra, () => {});
        rereads = false;
        load();
      }, 50);
    };
    const event = (record) => {
      log.current.push(record);
      const { type, text } = record.event || {};
      rereads ||= Boolean(text) || ["joined", "handed_over", "judge_named", "invitation_used"].includes(type);
      if (type === "cheered" && seenTo.current !== null && record.version > seenTo.current) playSounds(record.event.sounds.map((each) => each.sound));
      soon();
    };
    const reset = () => { log.current = []; soon(); };
    const back = (now) => { setOnline(now); if (now) soon(); };
    load().then(() => {
      stop = client.stream(game, { event, online: back, presence: setPresent, reset, end: soon });
    });
    return () => { clearTimeout(timer); stop?.(); };
  }, [entered]);
  return { state, records, extra, present, online, problem, setProblem, load, seenTo };
}

function Page() {
  const [entered, enter] = useState(!invitation());
  const { state, records, extra, present, online, problem, setProblem, load, seenTo } = useGame(entered);
  const [texts, setTexts] = useState(null);
  const [selected, setSelected] = useState([]);
  const [language, setLanguage] = useState(client.language);
  const [sound, setSound] = useState(soundsOn());
  const [readRuling, setReadRuling] = useState(0);
  const [learnt, setLearnt] = useState(localStorage.getItem(LEARNT) === "yes");
  const [busy, setBusy] = useState(false);
  const say = words(language, PLAY_WORDS);

  const run = async (act) => {
    setProblem(null);
    setBusy(true);
    try {
      await act();
      setSelected([]);
    } catch (error) {
      setProblem(error instanceof Problem ? error : new Problem(0, { code: "network", detail: String(error) }));
    }
    await load();
    setBusy(false);
  };
  const arrive = async (name) => {
    try {
      await introduce(client, name);
      await useInvitation(client, game);
      enter(true);
    } catch (error) {
      setProblem(error);
    }
  };
  const view = state?.view;
  const own = view?.you.seat ?? null;
  const cards = own !== null && view.board ? view.board.players[own].hand || [] : [];
  const held = cards.join(" ");
  useEffect(() => { if (invitation() && client.identity) arrive(""); }, []);
  useEffect(() => setSelected([]), [held]);
  useEffect(() => {
    document.documentElement.lang = language;
    if (view?.ruleset) loadTexts(client, view.ruleset).then(setTexts, setProblem);
  }, [view?.ruleset, language]);
  const pick = (_, index) => setSelected((now) => (now.includes(index) ? now.filter((each) => each !== index) : [...now, index]));
  useEffect(() => {
    const press = (event) => {
      const index = "123456789".indexOf(event.key);
      if (event.ctrlKey || event.metaKey || event.altKey || index < 0 || index >= cards.length || event.target.matches("input, select")) return;
      pick(null, index);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [held]);
  useEffect(() => {
    // What was pressed is gone: whoever goes by keys continues at what is asked now.
    if (document.activeElement === document.body) /** @type {HTMLElement | null} */ (document.querySelector(".dock .turn-line, #over h2"))?.focus({ preventScroll: true });
  }, [view?.decision?.id, view?.outcome]);

  if (!entered && !client.identity) {
    return html`<main class="page"><header class="bar top"><a class="home" href="/">Potluck</a><h1>${say("play")}</h1></header>
      ${problem && html`<p role="alert">${say("failed")}: ${problem.message}</p>`}<${Welcome} client=${client} say=${say} enter=${arrive} /></main>`;
  }
  if (!view || !texts) return html`<main class="page"><h1>Potluck</h1><p role="status">${problem ? say("noAccess") : "…"}</p></main>`;

  const { people, words: free } = extra;
  const seatName = seatNames(view, say, people);
  const context = { texts, say, seatName, records, words: free };
  const table = { view, texts, say, seatName, names: free };
  const chosen = selected.map((index) => cards[index]).filter(Boolean);
  const select = (wanted) => {
    const places = [];
    for (const card of wanted) places.push(cards.findIndex((each, index) => each === card && !places.includes(index)));
    setSelected(places);
  };
  const learn = () => { localStorage.setItem(LEARNT, "yes"); setLearnt(true); };
  const play = (action) => run(async () => {
    await client.post(`${path}/actions`, { ruleset: view.ruleset, decision: view.decision.id, action });
    learn();
  });
  const undo = (to) => run(() => client.post(`${path}/motions`, { motion: { type: "undo", to } }));
  const rematch = () => run(async () => location.assign(`/play/${(await client.post(`${path}/rematch`)).game.id}`));
  const change = (event) => { client.setLanguage(event.target.value); setLanguage(event.target.value); };
  const legal = state.actions?.legal || [];
  const asked = Boolean(view.decision?.asked.includes(own));
  const fresh = records.filter((record) => record.version > (seenTo.current ?? 0));
  const ruling = fresh.filter(({ event, version }) => event?.type === "ruled" && version > readRuling).at(-1);
  const cheers = fresh.slice(-12).filter(({ event }) => event?.type === "cheered").at(-1);
  return html`<main class="page play" data-version=${view.version} data-status=${view.status} data-asked=${asked && !busy ? "true" : "false"} data-decision=${view.decision?.kind || ""} data-language=${texts.language}>
    <a class="skip" href="#dock">${say("skip")}</a>
    <${Head} ...${{ texts, say, online, language, change, sound, setSound, memesio: view.ruleset === "memesio" }} />
    <${Ruling} record=${ruling} words=${context} close=${() => setReadRuling(ruling.version)} />
    <${Motions} ...${{ client, path, view, words: context, run }} />
    ${view.status === "open" && html`<${Lobby} ...${{ client, path, view, texts, say, seatName, run }} />`}
    ${view.outcome && html`<${Over} ...${{ view, texts, say, seatName, rematch }} />`}
    <div class="columns"><div class="stage">${view.board && html`<h2 class="sr">${say("table")}</h2>`}
      <${Table} ruleset=${view.ruleset} ...${table} present=${present} hand=${null} />
      ${cheers && html`<p class="cheers" aria-live="polite" key=${cheers.version}>${cheers.event.sounds.map((cheer, index) => html`<span class="cheer" key=${index}>${seatName(cheer.seat)}: ${texts.term("sounds", cheer.sound)}</span> `)}</p>`}
      ${problem && html`<${Refused} problem=${problem} texts=${texts} say=${say} close=${() => setProblem(null)} />`}
      ${view.board && own !== null && html`<section class="dock actions" id="dock" aria-label=${say("legalHint")}>
        ${!view.outcome && html`<${Status} ...${table} />`}
        <${Table.Hand} ...${table} hand=${{ pick, selected }} />
        ${legal.length > 0 && html`<${Forms} key=${view.decision.id} ...${{ legal, chosen, select, play, table }} />`}
        ${asked && !learnt && html`<p class="hint first">${say("firstHint")} <button class="act small" onClick=${learn}>${say("gotIt")}</button></p>`}
        ${asked && html`<${NotNow} legal=${legal} table=${table} />`}</section>`}
      ${view.board && own === null && !view.outcome && html`<section class="dock actions" id="dock"><p class="faint">${say("watching")}</p><${Status} ...${table} /></section>`}
    </div><aside class="side">
      ${records.length > 0 && html`<${Log} ...${{ records, words: context, view, undo }} />`}
      <${TableMenu} ...${{ client, path, view, present, words: context, run }} /></aside></div></main>`;
}

render(html`<${Page} />`, document.getElementById("page"));
