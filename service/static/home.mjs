// The front page's form: choose a game, and play it against bundled players or with friends.

import { html, render, useEffect, useState } from "./vendor/htm-preact.mjs";
import { Client, randomHex } from "./api.mjs";
import { Drawing } from "./drawings.mjs";
import { NameField, introduce, storedName } from "./lobby.mjs";
import { PLAY_WORDS } from "./play_words.mjs";
import { words } from "./words.mjs";

const SIGNS = { "stir-fry-eighteen": "noodles", "just-desserts": "cake", memesio: "memesio" };

const client = new Client();
const say = words(client.language, PLAY_WORDS);

async function open(ruleset, seats, options) {
  const { game } = await client.post("/v1/games", { ruleset, seats, options });
  await client.post(`/v1/games/${game.id}/seats`, { type: "join", nonce: randomHex() });
  return game.id;
}

async function start(name, ruleset, seats, options) {
  await introduce(client, name);
  const { bundled_players: players } = await client.get(`/v1/rulesets/${ruleset}`);
  const game = await open(ruleset, seats, options);
  const bundled = players.includes("planning") ? "planning" : players[0];
  for (let seat = 1; seat < seats; seat += 1) await client.post(`/v1/games/${game}/seats`, { type: "bundled", bundled });
  await client.post(`/v1/games/${game}/start`);
  location.assign(`/play/${game}`);
}

async function invite(name, ruleset, seats, options) {
  await introduce(client, name);
  location.assign(`/play/${await open(ruleset, seats, options)}`);
}

/** Say what values an option has, from its JSON Schema: of null and a kind, the kind. */
function kindOf(schema, definitions) {
  const plain = schema.anyOf ? schema.anyOf.find((each) => each.type !== "null") : schema;
  return plain.$ref ? definitions[plain.$ref.split("/").at(-1)] : plain;
}

function Option({ id, label, schema, definitions, value, set }) {
  const kind = kindOf(schema, definitions);
  if (id === "first_player") return null;
  if (kind.type === "boolean") {
    return html`<label><input type="checkbox" data-option=${id} checked=${value ?? false} onChange=${(event) => set(event.target.checked)} /> ${label}</label>`;
  }
  if (kind.type === "integer") {
    return html`<label>${label} <input type="number" data-option=${id} min=${kind.minimum} max=${kind.maximum} value=${value ?? schema.default ?? ""}
      onInput=${(event) => set(event.target.value === "" ? undefined : Number(event.target.value))} /></label>`;
  }
  if (!kind.enum) return null;
  return html`<label>${label} <select data-option=${id} value=${value ?? schema.default} onChange=${(event) => set(event.target.value)}>
    ${kind.enum.map((each) => html`<option key=${each} value=${each}>${say(`option.${each}`)}</option>`)}</select></label>`;
}

function Options({ ruleset, options, setOptions }) {
  const [detail, setDetail] = useState(null);
  useEffect(() => { client.get(`/v1/rulesets/${ruleset}`).then(setDetail, () => {}); }, [ruleset]);
  if (detail?.id !== ruleset) return null;
  const { properties, $defs: definitions = {} } = detail.options_schema;
  const shown = detail.options.filter(({ id }) => id !== "first_player" && properties[id]);
  if (shown.length === 0) return null;
  return html`<details class="options"><summary>${say("options")}</summary><p class="bar">${shown.map(({ id, label }) => html`<${Option} key=${id}
    ...${{ id, label, definitions, schema: properties[id], value: options[id] }}
    set=${(value) => setOptions({ ...options, [id]: value })} />`)}</p></details>`;
}

function Start() {
  const [rulesets, setRulesets] = useState([]);
  const [chosen, choose] = useState("stir-fry-eighteen");
  const [opponents, setOpponents] = useState(1);
  const [options, setOptions] = useState({});
  const [name, setName] = useState(storedName());
  const [failed, setFailed] = useState(null);
  useEffect(() => { client.get("/v1/rulesets").then((found) => setRulesets(found.rulesets), setFailed); }, []);
  const pick = (id) => { choose(id); setOptions({}); };
  const go = (what) => () => { setFailed(null); what(name, chosen, opponents + 1, options).catch(setFailed); };
  const summary = rulesets.find(({ id }) => id === chosen)?.summary;
  return html`<h2>${say("play")}</h2>
    <p class="games">${rulesets.map((each) => html`<button key=${each.id} data-ruleset=${each.id} aria-pressed=${each.id === chosen ? "true" : "false"}
      onClick=${() => pick(each.id)}><${Drawing} name=${SIGNS[each.id]} size=${44} /> ${each.name}</button> `)}</p>
    ${summary && html`<p>${summary}</p>`}
    <p class="bar">${client.identity ? html`<span>${say("playingAs", { name: client.identity.name })}</span>` : html`<${NameField} name=${name} setName=${setName} say=${say} />`}
      ${" "}<label>${say("opponents")} <select id="opponents" value=${opponents} onChange=${(event) => setOpponents(Number(event.target.value))}>
      ${[1, 2, 3, 4].map((count) => html`<option key=${count} value=${count}>${count}</option>`)}</select></label></p>
    <${Options} ruleset=${chosen} options=${options} setOptions=${setOptions} />
    <p class="bar"><button id="start-game" onClick=${go(start)}>${say("startGame")}</button> <button id="open-table" onClick=${go(invite)}>${say("playFriends")}</button></p>
    ${failed && html`<p role="alert">${say("failed")}: ${failed.message}</p>`}`;
}

render(html`<${Start} />`, document.getElementById("start"));
