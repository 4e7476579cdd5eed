// Before the start: coming in by an invitation, taking a seat, filling the table.

import { html, useState } from "./vendor/htm-preact.mjs";
import { randomHex } from "./api.mjs";

const NAME = "potluck.name";
const SECRET = /^[0-9a-f]{32}$/;

export const storedName = () => localStorage.getItem(NAME) || "";
export const invitation = () => (SECRET.test(location.hash.slice(1)) ? location.hash.slice(1) : null);

/** Become a player of that name, unless this browser is one already. */
export async function introduce(client, name) {
  const wanted = name.trim().replace(/\s+/g, " ").slice(0, 40);
  if (wanted) localStorage.setItem(NAME, wanted);
  return client.player(wanted || "Guest");
}

/** Use the invitation that the address holds in its fragment, which is then taken out of it. */
export async function useInvitation(client, game) {
  const secret = invitation();
  if (!secret) return;
  await client.post("/v1/invitations/uses", { game, secret });
  history.replaceState(null, "", location.pathname);
}

export function NameField({ name, setName, say }) {
  return html`<label>${say("name")} <input id="name" autocomplete="nickname" maxlength="40" value=${name} onInput=${(event) => setName(event.target.value)} /></label>`;
}

/** Who comes by a link and is no player yet: one question, one button. */
export function Welcome({ client, say, enter }) {
  const [name, setName] = useState(storedName());
  const submit = (event) => { event.preventDefault(); enter(name); };
  return html`<form class="panel welcome" onSubmit=${submit}><h2>${say("invited")}</h2>
    <p class="bar"><${NameField} name=${name} setName=${setName} say=${say} /><button class="act main" id="enter">${say("join")}</button></p></form>`;
}

export function Lobby({ client, path, view, texts, say, seatName, run }) {
  const [name, setName] = useState(storedName());
  const [link, setLink] = useState(null);
  const isFree = (seat) => !seat.player && !seat.bundled;
  const free = view.seats.some(isFree);
  const join = async () => {
    await introduce(client, name);
    await client.post(`${path}/seats`, { type: "join", nonce: randomHex() });
  };
  const invite = async () => {
    const made = await client.post(`${path}/invitations`);
    setLink(location.origin + made.link);
    await navigator.clipboard?.writeText(location.origin + made.link).catch(() => {});
  };
  const host = view.you.host;
  return html`<section class="panel lobby"><h2>${say("open")}</h2>
    <ol class="places">${view.seats.map((seat) => html`<li key=${seat.seat} class=${isFree(seat) ? "place free" : "place"}>
      <span>${isFree(seat) ? say("free") : seatName(seat.seat)}</span>
      ${host && !isFree(seat) && view.you.seat !== seat.seat && html`<button class="act small" aria-label=${`${say("freeSeat")}: ${seatName(seat.seat)}`}
        onClick=${() => run(() => client.delete(`${path}/seats/${seat.seat}`))}>✕</button>`}</li>`)}</ol>
    ${free && view.you.seat === null && html`<p class="bar">
      ${!client.identity && html`<${NameField} name=${name} setName=${setName} say=${say} />`}
      <button class="act main" id="join" onClick=${() => run(join)}>${say("join")}</button></p>`}
    ${host && free && html`<p class="bar"><button class="act main" id="invite" onClick=${() => run(invite)}>${say("invite")}</button>
      ${texts.detail.bundled_players.map((each) => html`<button class="act" key=${each} data-bundled=${each}
        onClick=${() => run(() => client.post(`${path}/seats`, { type: "bundled", bundled: each }))}>${say("addBundled")}: ${each}</button>`)}</p>`}
    ${link && html`<p class="invitation"><label class="grow">${say("copied")} <input id="link" readonly value=${link} onFocus=${(event) => event.target.select()} /></label></p>`}
    ${host && !free && html`<p><button class="act main" id="start" onClick=${() => run(() => client.post(`${path}/start`))}>${say("start")}</button></p>`}
    ${!host && html`<p class="faint">${say("waitStart")}</p>`}
    <p class="faint"><a href=${path.replace("/v1/games", "/judge")}>${say("judgeLink")}</a></p>
  </section>`;
}
