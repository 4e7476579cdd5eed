// The front page's form: choose a game, and play it against bundled players.

import { html, render, useEffect, useState } from "./vendor/htm-preact.mjs";
import { Client, randomHex } from "./api.mjs";
import { words } from "./words.mjs";

const client = new Client();
const say = words(client.language);

async function start(ruleset, opponents) {
  await client.player("Guest");
  const { bundled_players: players } = await client.get(`/v1/rulesets/${ruleset}`);
  const { game } = await client.post("/v1/games", { ruleset, seats: opponents + 1 });
  const path = `/v1/games/${game.id}`;
  await client.post(`${path}/seats`, { type: "join", nonce: randomHex() });
  const bundled = players.includes("planning") ? "planning" : players[0];
  for (let seat = 0; seat < opponents; seat += 1) await client.post(`${path}/seats`, { type: "bundled", bundled });
  await client.post(`${path}/start`);
  location.assign(`/play/${game.id}`);
}

function Start() {
  const [rulesets, setRulesets] = useState([]);
  const [chosen, choose] = useState("stir-fry-eighteen");
  const [opponents, setOpponents] = useState(1);
  const [failed, setFailed] = useState(null);
  useEffect(() => { client.get("/v1/rulesets").then((found) => setRulesets(found.rulesets), setFailed); }, []);
  return html`<h2>${say("play")}</h2>
    <p>${rulesets.map(({ id, name }) => html`<button key=${id} data-ruleset=${id} aria-pressed=${id === chosen ? "true" : "false"} onClick=${() => choose(id)}>${name}</button> `)}</p>
    <p><label>${say("opponents")} <select value=${opponents} onChange=${(event) => setOpponents(Number(event.target.value))}>
      ${[1, 2, 3, 4].map((count) => html`<option key=${count} value=${count}>${count}</option>`)}</select></label>
      ${" "}<button id="start-game" onClick=${() => start(chosen, opponents).catch(setFailed)}>${say("startGame")}</button></p>
    ${failed && html`<p role="alert">${say("failed")}: ${failed.message}</p>`}`;
}

render(html`<${Start} />`, document.getElementById("start"));
