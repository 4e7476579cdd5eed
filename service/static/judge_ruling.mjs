// How a judge rules: what, why, a preview of it, and only then the ruling itself.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.mjs";
import { screams } from "./cards.mjs";
import { Table, seatNames } from "./tables.mjs";
import { describe, standing } from "./log.mjs";

const NOTE = /** @type {import("./client.js").Ruling["type"]} */ ("note");
const BLANK = { type: NOTE, to: "", reshuffle: "", seat: 0, points: 0, minutes: 5, holder: "", person: false, personId: "", reason: "" };
const OUGHT = new Set(["shuffled", "reshuffled", "desserts_reshuffled", "guests_reshuffled", "desserts_shuffled", "guests_shuffled"]);

/**
 * List the kinds of ruling that a table as it stands can take; the API has the last word.
 * @param {import("./client.js").GameView} view
 * @returns {import("./client.js").Ruling["type"][]}
 */
function kinds(view) {
  if (view.status === "open") return ["note"];
  /** @type {import("./client.js").Ruling["type"][]} */
  const found = ["rewind", "adjust"];
  if (view.clock?.kind === "game") found.push("restore_clock");
  if (view.status === "running") found.push("forfeit", "halt", "replace_seat");
  return [...found, "note"];
}

/**
 * Turn what stands in the form into the ruling that the API takes.
 * @param {import("./client.js").GameView} view
 * @returns {import("./client.js").Ruling}
 */
function rulingOf(form, view) {
  const { type, seat } = form;
  switch (type) {
    case "rewind": return { type, to: Number(form.to), ...(form.reshuffle && { reshuffle: form.reshuffle === "anew" }) };
    case "adjust": return { type, seat, points: Number(form.points) };
    case "restore_clock": return { type, seat, milliseconds: Math.round(Number(form.minutes) * 60_000) };
    case "forfeit": return { type, seat };
    case "halt": return { type, pause: !view.paused };
    case "replace_seat": return { type, seat, ...(form.person ? { player: form.personId.trim() } : { bundled: form.holder }) };
    default: return { type };
  }
}

/**
 * List where commands ended since the start, newest first: the versions that a game can be taken
 * back to, each with what the command did, and whether that line has been undone.
 * @param {import("./client.js").Entry[]} records
 */
export function moments(records) {
  const line = standing(records);
  const started = records.findIndex(({ event }) => event.type === "started");
  if (started < 0) return [];
  const found = [];
  for (let first = started; first < records.length; first += Math.max(1, records[first].count)) {
    const to = first + Math.max(1, records[first].count);
    if (to < records.length) found.push({ to, did: records.slice(first, to), undone: !line.has(to) });
  }
  return found.reverse();
}

/** Tell a moment by what was done up to it: the first of the command's events that says something. */
function momentText({ to, did }, told) {
  const text = did.map((record) => describe(record, told)).find(Boolean) ?? "";
  return `${to} · ${text}`;
}

function Moments({ records, form, set, told }) {
  const { say } = told;
  const found = moments(records);
  const option = (moment) => html`<option key=${moment.to} value=${moment.to}>${momentText(moment, told)}</option>`;
  const known = found.some(({ to }) => to === Number(form.to));
  return html`<div class="field"><label for="moment">${say("moment")}</label>
      <select id="moment" value=${known ? form.to : ""} onChange=${(event) => set({ to: event.target.value })}><option value="">–</option>
        <optgroup label=${say("ofLine")}>${found.filter((each) => !each.undone).map(option)}</optgroup>
        ${found.some((each) => each.undone) && html`<optgroup label=${say("ofUndone")}>${found.filter((each) => each.undone).map(option)}</optgroup>`}</select></div>
    <div class="field"><label for="to">${say("to")}</label><input id="to" type="number" min="1" required value=${form.to} onInput=${(event) => set({ to: event.target.value })} /></div>
    <div class="field"><label for="reshuffle">${say("reshuffle")}</label><select id="reshuffle" value=${form.reshuffle} onChange=${(event) => set({ reshuffle: event.target.value })}>
      <option value="">${say("byRule")}</option><option value="anew">${say("anew")}</option><option value="keep">${say("keepOrder")}</option></select></div>`;
}

/** @param {{ form: typeof BLANK, set: (change: Partial<typeof BLANK>) => void, view: import("./client.js").GameView, records: import("./client.js").Entry[], told: import("./client.js").Told }} props */
function Fields({ form, set, view, records, told }) {
  const { texts, say, seatName } = told;
  const seated = ["adjust", "restore_clock", "forfeit", "replace_seat"].includes(form.type);
  const number = (name, key, more) => html`<div class="field"><label for=${name}>${say(key)}</label>
    <input id=${name} type="number" required ...${more} value=${form[name]} onInput=${(event) => set({ [name]: event.target.value })} /></div>`;
  const holder = form.person ? "" : form.holder;
  return html`${form.type === "rewind" && html`<${Moments} ...${{ records, form, set, told }} />`}
    ${seated && html`<div class="field"><label for="seat">${say("seat")}</label>
      <select id="seat" value=${form.seat} onChange=${(event) => set({ seat: Number(event.target.value) })}>
        ${view.seats.map(({ seat }) => html`<option key=${seat} value=${seat}>${seatName(seat)}</option>`)}</select></div>`}
    ${form.type === "adjust" && number("points", "points", { min: -1000, max: 1000, step: 1 })}
    ${form.type === "restore_clock" && number("minutes", "minutes", { min: 0, max: 20160, step: 0.5 })}
    ${form.type === "halt" && html`<p>→ ${say(view.paused ? "goOn" : "pause")}</p>`}
    ${form.type === "replace_seat" && html`<div class="field"><label for="holder">${say("holder")}</label>
      <select id="holder" value=${holder} onChange=${(event) => set({ holder: event.target.value, person: event.target.value === "" })}>
        ${texts.detail.bundled_players.map((name) => html`<option key=${name} value=${name}>${say("robot")}: ${name}</option>`)}<option value="">${say("person")}</option></select></div>
      ${form.person && html`<div class="field"><label for="person">${say("personId")}</label><input id="person" required maxlength="40" autocomplete="off" value=${form.personId}
        onInput=${(event) => set({ personId: event.target.value })} /></div>`}`}`;
}

/**
 * Say in a line each what a ruling would change at the table.
 * @param {import("./client.js").GameView} before
 * @param {import("./client.js").Result} shown
 */
function changes(before, shown, { texts, say, people }) {
  const { game: after, events } = shown;
  const names = [before, after].map((view) => seatNames(view, say, people));
  const holder = ({ bundled, player }) => bundled ?? people[player] ?? player;
  const score = (view, seat) => {
    const player = view.board?.players[seat];
    return player && (view.ruleset === "memesio" ? screams(player.score) : player.score ?? player.points);
  };
  const asked = (view, name) => (view.decision ? `${view.decision.asked.map(name).join(", ")}: ${texts.decision(view.decision.kind)}` : "–");
  const state = (view) => say(view.paused ? "pausedNow" : `status_${view.status}`);
  const rows = [["tableStatus", {}, state(before), state(after)], ["asked", {}, asked(before, names[0]), asked(after, names[1])]];
  after.seats.forEach((held, seat) => {
    const seatWord = { seat: names[0](seat) };
    const old = before.seats[seat];
    rows.push(["holds", seatWord, holder(old), holder(held)]);
    rows.push(["scoreOf", seatWord, score(before, seat), score(after, seat)]);
    rows.push(["cardsOf", seatWord, before.board?.players[seat].hand_count, after.board?.players[seat].hand_count]);
    rows.push(["timeOf", seatWord, minutes(old.time_left), minutes(held.time_left)]);
  });
  const told = rows.filter(([, , old, now]) => String(old) !== String(now))
    .map(([key, values, old, now]) => say("changed", { what: say(key, values), before: old ?? "–", after: now ?? "–" }));
  for (const { event } of events) if (event.type === "rewound") told.unshift(say("takenBack", { to: event.to }));
  after.seats.forEach((_, seat) => {
    if (after.board?.players[seat].left && !before.board?.players[seat].left) told.push(say("leaves", { seat: names[0](seat) }));
  });
  if (events.some(({ event }) => OUGHT.has(event.type))) told.push(say("shuffledAnew"));
  return told;
}

const minutes = (milliseconds) => (milliseconds === null || milliseconds === undefined ? null : `${Math.round(milliseconds / 6000) / 10} min`);

/** @param {{ before: import("./client.js").GameView, shown: import("./client.js").Result, told: import("./client.js").Told }} props */
function Preview({ before, shown, told }) {
  const { texts, say, people } = told;
  const lines = changes(before, shown, told);
  const name = seatNames(shown.game, say, people);
  const seatName = (seat) => say("seatThen", { seat: name(seat) });
  return html`<div class="preview" id="preview"><h3>${say("previewTitle")}</h3><p class="faint">${say("previewNote")}</p>
    ${lines.length === 0 ? html`<p>${say("noChange")}</p>` : html`<ul>${lines.map((line) => html`<li key=${line}>${line}</li>`)}</ul>`}
    ${shown.game.board && html`<details><summary>${say("tableThen")}</summary>
      <${Table} ruleset=${shown.game.ruleset} view=${shown.game} texts=${texts} say=${say} seatName=${seatName} /></details>`}</div>`;
}

/**
 * The form. `told` is what words are made with: texts, say, seatName, people, and free texts by id.
 * `wanted` fills it in: a ruling that would grant a request, and a new object each time.
 * `preview(ruling, reason)` and `rule(ruling, reason)` ask the API; the first gives what it shows
 * or null, the second whether it is done.
 */
export function Ruling({ view, records, told, wanted, preview, rule }) {
  const { texts, say } = told;
  const [form, setForm] = useState({ ...BLANK, holder: texts.detail.bundled_players[0] });
  const [shown, setShown] = useState(null);
  const place = useRef(null);
  const offered = kinds(view);
  const type = offered.includes(form.type) ? form.type : "note";
  const set = (change) => setForm((old) => ({ ...old, ...change }));
  useEffect(() => {
    if (!wanted) return;
    const { holder, person, ...rest } = wanted;
    set({ ...rest, ...(person ? { person, personId: holder } : holder && { person: false, holder }), reason: say("askedFor") });
    place.current?.scrollIntoView({ block: "nearest" });
    place.current?.querySelector("#reason").focus();
  }, [wanted]);

  const ruling = rulingOf({ ...form, type }, view);
  const key = JSON.stringify([ruling, view.version]);
  const previewed = shown?.key === key;
  const reason = form.reason.trim();
  const ask = async (event) => {
    event.preventDefault();
    const answer = await preview(ruling, reason || "–");
    setShown(answer && { key, answer });
  };
  const make = async () => {
    if (!(await rule(ruling, reason))) return;
    setShown(null);
    setForm((old) => ({ ...BLANK, type: old.type, holder: old.holder }));
  };
  return html`<section class="panel ruling" aria-labelledby="ruling" ref=${place}><h2 id="ruling">${say("ruleTitle")}</h2>
    ${view.status === "open" && html`<p class="faint">${say("beforeStart")}</p>`}
    <form onSubmit=${ask}><fieldset class="options"><legend class="sr">${say("kind")}</legend>${offered.map((each) => html`<label class="kind" key=${each}>
        <input type="radio" name="kind" value=${each} checked=${each === type} onChange=${() => set({ type: each })} /><span>${say(`rule_${each}`)}</span></label>`)}</fieldset>
      <div class="fields"><${Fields} form=${{ ...form, type }} ...${{ set, view, records, told }} />
        <div class="field wide"><label for="reason">${say("reason")}</label><input id="reason" maxlength="400" autocomplete="off" value=${form.reason} onInput=${(event) => set({ reason: event.target.value })} /></div></div>
      <p class="bar"><button class=${previewed ? "act" : "act main"} id="preview-ruling">${say("preview")}</button>
        <button class=${previewed ? "act main" : "act"} type="button" id="make-ruling" disabled=${!previewed || !reason} onClick=${make}>${say("make")}</button>
        <span class="faint" role="status">${!previewed ? say("previewFirst") : !reason ? say("needsReason") : say("makeLooks")}</span></p></form>
    ${previewed && html`<${Preview} before=${view} shown=${shown.answer} told=${told} />`}
  </section>`;
}
