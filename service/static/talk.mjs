// What a table agrees on beside the game: motions and votes, undo, rulings, pauses, leaving.

import { html, useState } from "./vendor/htm-preact.mjs";
import { describe, isUndone, motionWords, ownActs, standing } from "./log.mjs";

/** Motions that are open: whoever is asked votes. */
export function Motions({ client, path, view, words, run }) {
  const own = view.you.seat;
  const { say, seatName } = words;
  return view.motions.map((motion) => {
    const asked = own !== null && own !== motion.seat && !motion.agreed.includes(own);
    const vote = (agree) => run(() => client.post(`${path}/motions/${motion.id}/votes`, { agree }));
    return html`<section class="panel prompt motion" key=${motion.id} role="alert">
      <p>${seatName(motion.seat)} ${say("wants")}: ${motionWords(motion.motion, words)}</p>
      ${asked && html`<p class="bar"><button class="act main" data-vote="agree" onClick=${() => vote(true)}>${say("agree")}</button>
        <button class="act" data-vote="decline" onClick=${() => vote(false)}>${say("decline")}</button></p>`}</section>`;
  });
}

/** The last ruling that came while this page was open. */
export function Ruling({ record, words, close }) {
  if (!record) return null;
  const { say, words: texts } = words;
  return html`<section class="panel ruling" role="alert"><h2>${say("ruled")}</h2><p>${describe(record, words)}</p>
    ${texts[record.event.text?.id] && html`<p class="reason">“${texts[record.event.text.id]}”</p>`}
    <button class="act small" onClick=${close}>${say("close")}</button></section>`;
}

/** Everything that happened, newest first; own acts can be asked back. */
export function Log({ records, words, view, undo }) {
  const { say } = words;
  const own = view.you.seat;
  const acts = own === null || view.status === "sealed" ? [] : ownActs(records, own);
  const line = standing(records);
  const back = new Map(acts.map(({ record, to }) => [record.version, to]));
  const lines = records.map((record) => ({ record, text: describe(record, words) })).filter(({ text }) => text).slice(-80).reverse();
  return html`<details class="panel log" open><summary><h2>${say("log")}</h2></summary>
    <ol reversed tabindex="0" aria-label=${say("log")}>${lines.map(({ record, text }) => html`<li key=${record.version} data-version=${record.version} class=${isUndone(record, line) ? "undone" : ""}>${text}
      ${back.has(record.version) && view.board && html` <button class="act small" data-undo=${back.get(record.version)} aria-label=${`${say("undo")}: ${text}`}
        onClick=${() => undo(back.get(record.version))}>↶ ${say("undo")}</button>`}</li>`)}</ol></details>`;
}

/** Pausing, handing over the seat of who is away, sealing, leaving. */
export function TableMenu({ client, path, view, present, words, run }) {
  const [sure, setSure] = useState(false);
  const own = view.you.seat;
  const { say, seatName } = words;
  if (own === null || view.seats[own].left || view.status === "sealed") return null;
  const running = view.status === "running";
  const move = (motion) => () => run(() => client.post(`${path}/motions`, { motion }));
  const away = view.seats.filter((seat) => seat.player && !seat.left && seat.seat !== own && present && !present.includes(seat.seat));
  const leave = () => run(() => client.delete(`${path}/seats/${own}`));
  return html`<details class="panel menu"><summary>${say("more")}</summary><p class="bar">
    ${running && html`<button class="act" id="pause" onClick=${() => run(() => client.post(`${path}/pause`, { pause: !view.paused }))}>${say(view.paused ? "resume" : "pause")}</button>`}
    ${running && away.map((seat) => html`<button class="act" key=${seat.seat} onClick=${move({ type: "hand_over", seat: seat.seat, bundled: words.texts.detail.bundled_players[0] })}>
      ${say("handOver", { seat: seatName(seat.seat) })}</button>`)}
    ${view.status === "ended" && html`<button class="act" id="seal" onClick=${move({ type: "seal_now" })}>${say("sealNow")}</button>`}
    ${view.status !== "ended" && (sure
      ? html`<span>${say("sureLeave")}</span><button class="act" id="leave-sure" onClick=${leave}>${say("leave")}</button><button class="act" onClick=${() => setSure(false)}>${say("stay")}</button>`
      : html`<button class="act" id="leave" onClick=${() => setSure(true)}>${say("leave")}</button>`)}</p></details>`;
}
