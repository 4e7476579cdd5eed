// The page on which a game is played: the table, and what the API lists as legal.

import { html, render, useEffect, useRef, useState } from "./vendor/htm-preact.mjs";
import { Client, LANGUAGES, Problem, loadTexts, randomHex } from "./api.mjs";
import { Forms } from "./forms.mjs";
import { Table, seatNames } from "./tables.mjs";
import { words } from "./words.mjs";

const game = location.pathname.split("/")[2];
const path = `/v1/games/${game}`;
const client = new Client();

/** Use an invitation that the link's fragment holds; the fragment is taken out of the address. */
async function arrive() {
  const secret = location.hash.slice(1);
  if (!/^[0-9a-f]{32}$/.test(secret)) return;
  history.replaceState(null, "", location.pathname);
  await client.player("Guest");
  await client.post("/v1/invitations/uses", { game, secret });
}

async function look() {
  const view = await client.get(path);
  const actions = client.identity ? await client.get(`${path}/actions`) : null;
  return { view, actions };
}

function Countdown({ until, say }) {
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  return html`<span class="countdown">${say("timeLeft")}: ${left} ${say("seconds")}</span>`;
}

function Motions({ view, say, seatName, run }) {
  const own = view.you.seat;
  return view.motions.map((motion) => html`<section class="panel prompt" key=${motion.id}>
    <p>${seatName(motion.seat)} ${say("wants")} ${say(motion.motion.type === "undo" ? "undoWord" : "otherMotion")}.</p>
    ${own !== null && own !== motion.seat && !motion.agreed.includes(own) && [true, false].map((agree) => html`<button
      class="act" key=${agree} onClick=${() => run(() => client.post(`${path}/motions/${motion.id}/votes`, { agree }))}>
      ${say(agree ? "agree" : "decline")}</button>`)}</section>`);
}

function Lobby({ view, texts, say, run }) {
  const free = view.seats.some((seat) => !seat.player && !seat.bundled);
  const join = async () => {
    await client.player("Guest");
    await client.post(`${path}/seats`, { type: "join", nonce: randomHex() });
  };
  const invite = async () => {
    const { link } = await client.post(`${path}/invitations`);
    await navigator.clipboard?.writeText(location.origin + link);
    prompt(say("copied"), location.origin + link);
  };
  const seat = (bundled) => client.post(`${path}/seats`, { type: "bundled", bundled });
  return html`<section class="panel bar"><h2>${say("open")}</h2>
    ${free && view.you.seat === null && html`<button class="act main" onClick=${() => run(join)}>${say("join")}</button>`}
    ${view.you.host && html`<button class="act" onClick=${() => run(invite)}>${say("invite")}</button>`}
    ${view.you.host && free && texts.detail.bundled_players.map((name) => html`<button class="act" key=${name}
      onClick=${() => run(() => seat(name))}>${say("addBundled")}: ${name}</button>`)}
    ${view.you.host && !free && html`<button class="act main" onClick=${() => run(() => client.post(`${path}/start`))}>${say("start")}</button>`}
  </section>`;
}

function Status({ view, texts, say, seatName }) {
  const { decision, outcome, you } = view;
  if (outcome) {
    const won = outcome.winners.includes(you.seat);
    return html`<section class="panel" id="over"><h2>${say(won ? "won" : "over")}</h2>
      <p>${say("winners")}: ${outcome.winners.map(seatName).join(", ")}</p><p>${texts.rule(outcome.reason)}</p>
      <p class="bar"><a class="act" href="/">${say("again")}</a><a class="act" href=${`/viewer/${game}`}>${say("replay")}</a></p></section>`;
  }
  if (!decision) return null;
  const place = decision.asked.indexOf(you.seat);
  const deadline = decision.deadlines[Math.max(place, 0)];
  return html`<p>${place >= 0 ? html`<strong>${texts.decision(decision.kind)}</strong>` : `${say("waiting")} ${decision.asked.map(seatName).join(", ")}`}
    ${" "}${deadline && html`<${Countdown} until=${deadline} say=${say} />`}</p>`;
}

function Page() {
  const [state, setState] = useState(null);
  const [texts, setTexts] = useState(null);
  const [problem, setProblem] = useState(null);
  const [online, setOnline] = useState(true);
  const [selected, setSelected] = useState([]);
  const [language, setLanguage] = useState(client.language);
  const [cheers, setCheers] = useState([]);
  const before = useRef(null);
  const say = words(language);

  const load = () => look().then(setState, setProblem);
  const run = async (act) => {
    setProblem(null);
    try {
      await act();
      setSelected([]);
    } catch (error) {
      setProblem(error instanceof Problem ? error : new Problem(0, { code: "network", detail: String(error) }));
    }
    await load();
  };
  useEffect(() => {
    let timer, stop;
    const soon = () => { clearTimeout(timer); timer = setTimeout(load, 50); };
    const event = (record) => {
      if (record.event?.type === "cheered") setCheers(record.event.sounds);
      soon();
    };
    arrive().then(load, (error) => { setProblem(error); return load(); }).then(() => {
      stop = client.stream(game, { event, online: setOnline, reset: soon, end: soon });
    });
    return () => stop?.();
  }, []);
  const ruleset = state?.view.ruleset;
  useEffect(() => {
    document.documentElement.lang = language;
    if (ruleset) loadTexts(client, ruleset).then(setTexts, setProblem);
  }, [ruleset, language]);

  if (!state || !texts) return html`<main class="page"><h1>Potluck</h1><p role="status">${problem ? say("noAccess") : "…"}</p></main>`;
  const { view, actions } = state;
  const seatName = seatNames(view, say);
  const pick = (_, index) => setSelected(selected.includes(index) ? selected.filter((each) => each !== index) : [...selected, index]);
  const own = view.you.seat;
  const cards = own !== null && view.board ? view.board.players[own].hand || [] : [];
  const play = (action) => run(() => {
    before.current = view.version;
    return client.post(`${path}/actions`, { ruleset, decision: view.decision.id, action });
  });
  const undo = () => run(() => client.post(`${path}/motions`, { motion: { type: "undo", to: before.current } }));
  const change = (event) => { client.setLanguage(event.target.value); setLanguage(event.target.value); };
  return html`<main class="page"><header class="bar"><a href="/">Potluck</a><h1 class="grow">${texts.detail.name}</h1>
      <span class=${online ? "status" : "status off"} role="status">${say(online ? "connected" : "reconnecting")}</span>
      ${before.current && view.status === "running" && html`<button class="act" onClick=${undo}>${say("undo")}</button>`}
      <label>${say("language")} <select value=${language} onChange=${change}>${LANGUAGES.map((tag) => html`<option key=${tag} value=${tag}>${tag}</option>`)}</select></label></header>
    ${problem && html`<section class="panel problem" role="alert"><strong>${say("notAllowed")}</strong>
      <p>${problem.message}</p>${problem.rule && html`<p>${problem.rule}: ${texts.rule(problem.rule)}</p>`}</section>`}
    ${view.status === "open" && html`<${Lobby} ...${{ view, texts, say, run }} />`}
    <${Motions} ...${{ view, say, seatName, run }} />
    <${Table} ...${{ ruleset, view, texts, say, seatName, hand: { pick, selected } }} />
    ${cheers.length > 0 && html`<p aria-live="polite">${cheers.map((cheer, index) => html`<span class="cheer" key=${index}>${seatName(cheer.seat)}: ${texts.term("sounds", cheer.sound)}</span> `)}</p>`}
    <section class="panel actions" aria-label=${say("legalHint")}><${Status} ...${{ view, texts, say, seatName }} />
      <${Forms} key=${view.version} legal=${actions?.legal || []} chosen=${selected.map((index) => cards[index])} ...${{ texts, say, seatName, play }} /></section></main>`;
}

render(html`<${Page} />`, document.getElementById("page"));
