// What the judge page lists: requests that wait, rulings made, looks taken; and how one becomes a judge.

import { html, useState } from "./vendor/htm-preact.mjs";
import { NameField, storedName } from "./lobby.mjs";

const FEW = 8; // looks that are shown before somebody asks for all

/** Write a time of day, with the day unless it is today. */
export function clock(language, time) {
  const today = new Date(time).toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const day = today ? {} : { day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(language, { ...day, hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" }).format(time);
}

/**
 * Call a person by name, and by the id that others need, or where it is `short` by its beginning.
 * @param {{ id: string, me: string | null, people: Record<string, string>, say: import("./client.js").Say, short?: boolean }} props
 */
export function Person({ id, me, people, say, short }) {
  const code = html`<code class="person" title=${id}>${short ? `${id.slice(0, 6)}…` : id}</code>`;
  const name = people[id];
  return html`${name && html`<span title=${id}>${name}</span>`}${!(name && short) && html` ${code}`}${id === me && html` <span class="tag">${say("me")}</span>`}`;
}

/**
 * Who a ruling or a motion gives a seat to.
 * @param {Extract<import("./client.js").Motion | import("./client.js").Ruling, { type: "hand_over" | "replace_seat" }>} fact
 */
export const holderOf = (fact) => fact.bundled ?? fact.player;

/** @param {import("./client.js").AnyMotion} motion */
function wish(motion, say, seatName, people) {
  const who = motion.bundled ?? people[motion.player ?? motion.judge] ?? motion.player ?? motion.judge;
  const values = { to: motion.to, seat: motion.seat === undefined ? "" : seatName(motion.seat), who };
  return say(`wish_${motion.type}`, values);
}

/**
 * Give the ruling that would grant a motion, or null where a vote is all that a judge can say.
 * @param {import("./client.js").Motion} motion
 */
export function granting(motion) {
  if (motion.type === "undo") return { type: "rewind", to: motion.to };
  if (motion.type === "hand_over") return { type: "replace_seat", seat: motion.seat, holder: holderOf(motion), person: !motion.bundled };
  return null;
}

/** @param {import("./client.js").Told & { reasons: Map<number, string>, language: string, vote: (id: number, agree: boolean) => void, grant: (motion: import("./client.js").Motion) => void }} props */
export function Requests({ view, reasons, say, language, people, seatName, vote, grant }) {
  return html`<section class="panel requests" aria-labelledby="requests">
    <h2 id="requests">${say("requests")} ${view.motions.length > 0 && html`<span class="badge">${view.motions.length}</span>`}</h2>
    <p class="sr" role="status">${view.motions.length > 0 && say("waitingCount", { count: view.motions.length })}</p>
    ${view.motions.length === 0 && html`<p class="faint">${say("noRequests")}</p>`}
    ${view.motions.map(({ id, seat, motion, agreed, until }) => html`<article class="request" key=${id} data-motion=${id}>
      <p><strong>${say("asks", { seat: seatName(seat) })}</strong> ${wish(motion, say, seatName, people)}</p>
      ${reasons.get(id) && html`<blockquote>${reasons.get(id)}</blockquote>`}
      <p class="faint">${agreed.length > 0 && `${say("agreedBy")} ${agreed.map(seatName).join(", ")} · `}${say("until", { time: clock(language, until) })}</p>
      <p class="bar">
        ${granting(motion) && html`<button class="act main" onClick=${() => grant(motion)}>${say("grant")}</button>`}
        ${motion.type === "seal_now" && html`<button class="act main" onClick=${() => vote(id, true)}>${say("agree")}</button>`}
        <button class="act" onClick=${() => vote(id, false)}>${say("decline")}</button></p></article>`)}
  </section>`;
}

/** @param {import("./client.js").AnyRuling} ruling */
function did(ruling, say, seatName, people) {
  const points = ruling.points > 0 ? `+${ruling.points}` : ruling.points;
  const values = { to: ruling.to, points, minutes: Math.round((ruling.milliseconds ?? 0) / 6000) / 10, who: ruling.bundled ?? people[ruling.player] ?? ruling.player,
    seat: ruling.seat === undefined ? "" : seatName(ruling.seat) };
  if (ruling.type === "halt") return say(ruling.pause ? "did_pause" : "did_resume");
  return say(`did_${ruling.type}`, values);
}

/** @param {Omit<import("./client.js").Told, "view" | "texts"> & { rulings: import("./client.js").Made[], words: Map<string, string>, game: string, me: string | null, language: string }} props */
export function Rulings({ rulings, words, game, me, people, say, language, seatName }) {
  return html`<section class="panel" aria-labelledby="rulings"><h2 id="rulings">${say("rulings")}</h2>
    ${rulings.length === 0 && html`<p class="faint">${say("noRulings")}</p>`}
    <ol class="rulings">${[...rulings].reverse().map((made) => html`<li key=${made.version} data-ruling=${made.ruling.type}>
      <p><${Person} id=${made.judge} me=${me} people=${people} say=${say} short=${true} /> ${did(made.ruling, say, seatName, people)}</p>
      <blockquote>${words.get(made.text) ?? say("erased")}</blockquote>
      <p class="faint">${clock(language, made.time)} · <a href=${`/viewer/${game}?version=${made.version}`}>${say("see", { version: made.version })}</a></p></li>`)}</ol>
  </section>`;
}

/**
 * Put looks one after the other of one judge together, newest first.
 * @param {import("./client.js").Look[]} looks
 */
function gathered(looks) {
  const rows = [];
  for (const look of looks) {
    const last = rows.at(-1);
    if (last?.judge === look.judge && last.what === look.what) {
      Object.assign(last, { count: last.count + 1, time: look.time, version: look.version });
    } else rows.push({ ...look, count: 1, first: look.version });
  }
  return rows.reverse();
}

/** @param {{ looks: import("./client.js").Look[], me: string | null, people: Record<string, string>, say: import("./client.js").Say, language: string }} props */
export function Looks({ looks, me, people, say, language }) {
  const [all, setAll] = useState(false);
  const rows = gathered(looks);
  const shown = all ? rows : rows.slice(0, FEW);
  const versions = ({ first, version }) => (first === version ? version : `${first}–${version}`);
  return html`<section class="panel" aria-labelledby="looks"><h2 id="looks">${say("looks")}</h2>
    <p class="faint">${looks.length === 0 ? say("noLooks") : say("looksNote")}</p>
    ${looks.length > 0 && html`<table class="looks"><thead><tr>${["when", "who", "what", "versions"].map((key) => html`<th scope="col" key=${key}>${say(key)}</th>`)}</tr></thead>
      <tbody>${shown.map((row, index) => html`<tr key=${rows.length - index}><td>${clock(language, row.time)}</td>
        <td><${Person} id=${row.judge} me=${me} people=${people} say=${say} short=${true} /></td>
        <td>${say(`looks_${row.what}`)}${row.count > 1 && ` · ${say("times", { count: row.count })}`}</td><td>${versions(row)}</td></tr>`)}</tbody></table>`}
    ${rows.length > shown.length && html`<button class="act" onClick=${() => setAll(true)}>${say("all")} (${rows.length})</button>`}
  </section>`;
}

function Ask({ title, label, button, send }) {
  const [judge, setJudge] = useState("");
  const submit = (event) => { event.preventDefault(); send(judge.trim()); };
  return html`<form class="bar" onSubmit=${submit}><h3>${title}</h3>
    <label>${label} <input name="judge" required maxlength="40" autocomplete="off" spellcheck=${false} value=${judge} onInput=${(event) => setJudge(event.target.value)} /></label>
    <button class="act">${button}</button></form>`;
}

/**
 * For whoever does not judge here: how one comes to, and what those can do who may name somebody.
 * @param {{ view: import("./client.js").GameView, me: string | null, say: import("./client.js").Say, become: (name: string) => void, name: (id: string) => void, call: (id: string) => void }} props
 */
export function Naming({ view, me, say, become, name, call }) {
  const [own, setOwn] = useState(storedName());
  const seat = view.seats.find((each) => me && each.player === me);
  const copy = () => navigator.clipboard?.writeText(me);
  return html`<section class="panel naming" aria-labelledby="naming"><h2 id="naming">${say("notJudge")}</h2>
    <p>${say("howNamed")}</p>
    ${!seat && (me
      ? html`<p class="bar">${say("yourId")} <code id="player-id" class="person">${me}</code> <button class="act" onClick=${copy}>${say("copy")}</button></p>`
      : html`<p class="bar"><${NameField} name=${own} setName=${setOwn} say=${say} /><button class="act" id="become" onClick=${() => become(own)}>${say("becomePlayer")}</button></p>`)}
    ${view.status === "open" && view.host === me && html`<${Ask} title=${say("nameTitle")} label=${say("personId")} button=${say("nameJudge")} send=${name} />`}
    ${view.status === "running" && seat && html`<${Ask} title=${say("callTitle")} label=${say("personId")} button=${say("callJudge")} send=${call} />`}
  </section>`;
}
