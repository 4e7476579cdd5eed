// The replay viewer: the table as it stood at each version, as far as whoever looks may see it.

import { html, render, useEffect, useState } from "./vendor/htm-preact.mjs";
import { Client, loadTexts } from "./api.mjs";
import { Table, seatNames } from "./tables.mjs";
import { words } from "./words.mjs";

const AHEAD = 8; // versions read before they are asked for
const PAUSES = [2000, 1000, 400]; // milliseconds from one version to the next

const game = location.pathname.split("/")[2];
const path = `/v1/games/${game}`;
const client = new Client();
const say = words(client.language);
const views = new Map();

/** Give the promise of the view at a version; a failed one is asked for again the next time. */
function viewAt(version) {
  if (!views.has(version)) {
    const view = client.get(`${path}?version=${version}`);
    view.catch(() => views.delete(version));
    views.set(version, view);
  }
  return views.get(version);
}

/** Read every event's version and type, page by page. */
async function readSteps() {
  const steps = [];
  for (let after = ""; ; ) {
    const page = await client.get(`${path}/events?limit=500${after && `&after=${after}`}`);
    for (const { version, event } of page.events) steps.push({ version, type: event?.type ?? "" });
    if (page.events.length < 500) return steps;
    after = page.next;
  }
}

const linked = () => Number(new URLSearchParams(location.search).get("version")) || null;

function Page() {
  const [latest, setLatest] = useState(null);
  const [texts, setTexts] = useState(null);
  const [steps, setSteps] = useState([]);
  const [version, setVersion] = useState(linked());
  const [view, setView] = useState(null);
  const [pause, setPause] = useState(null);
  const [failed, setFailed] = useState(null);
  const last = latest?.version ?? 1;
  const go = (wanted) => setVersion(Math.min(Math.max(1, wanted), last));

  useEffect(() => {
    document.documentElement.lang = client.language;
    client.get(path).then((found) => {
      setLatest(found);
      setVersion((wanted) => Math.min(wanted ?? 1, found.version));
      return Promise.all([loadTexts(client, found.ruleset).then(setTexts), readSteps().then(setSteps)]);
    }).catch(setFailed);
  }, []);
  useEffect(() => {
    if (!latest) return undefined;
    let current = true;
    history.replaceState(null, "", `${location.pathname}?version=${version}`);
    viewAt(version).then((found) => current && setView(found), (error) => current && setFailed(error));
    for (let next = version + 1; next <= Math.min(last, version + AHEAD); next += 1) viewAt(next).catch(() => {});
    return () => { current = false; };
  }, [latest, version]);
  useEffect(() => {
    if (pause === null || version >= last) return undefined;
    const timer = setTimeout(() => go(version + 1), pause);
    return () => clearTimeout(timer);
  }, [pause, version, last]);
  useEffect(() => {
    const moves = { ArrowLeft: () => version - 1, ArrowRight: () => version + 1, Home: () => 1, End: () => last };
    const press = (event) => {
      if (!moves[event.key] || event.target.matches("input, select")) return;
      event.preventDefault();
      go(moves[event.key]());
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [version, last]);

  if (failed && !view) return html`<main class="page"><h1>Potluck</h1><p role="alert">${say("noAccess")}</p></main>`;
  if (!view || !texts) return html`<main class="page"><h1>Potluck</h1><p role="status">…</p></main>`;
  const step = steps.find((each) => each.version === version);
  const button = (key, to) => html`<button class="act" disabled=${to < 1 || to > last} onClick=${() => go(to)}>${say(key)}</button>`;
  const choosePause = (event) => setPause(event.target.value ? Number(event.target.value) : null);
  return html`<main class="page"><header class="bar"><a href="/">Potluck</a><h1 class="grow">${texts.detail.name}: ${say("replay")}</h1></header>
    <section class="panel" aria-label=${say("replay")}>
      <input class="track" type="range" min="1" max=${last} value=${version} aria-label=${say("version")}
        onInput=${(event) => go(Number(event.target.value))} />
      <div class="bar">${button("previous", version - 1)}${button("next", version + 1)}
        <label>${say("speed")} <select onChange=${choosePause}><option value="">–</option>
          ${PAUSES.map((each) => html`<option key=${each} value=${each}>${each / 1000} ${say("seconds")}</option>`)}</select></label>
        <span id="version" data-version=${view.version} aria-live="polite">${say("version")} ${view.version} / ${last}${step && html` · <code>${step.type}</code>`}</span></div></section>
    ${failed && html`<p role="alert">${say("failed")}: ${failed.message}</p>`}
    <${Table} ruleset=${view.ruleset} view=${view} texts=${texts} say=${say} seatName=${seatNames(view, say)} /></main>`;
}

render(html`<${Page} />`, document.getElementById("page"));
