// A table as its viewer sees it, for each of the games. It shows; what can be done is not its part.
//
//   Table({ ruleset, view, texts, say, seatName, names, hand })
//
// `view` is what GET /v1/games/{game} gives; `seatName(seat)` names a seat; `names` are the words of
// inventions by text id. `hand` makes the viewer's own cards buttons: { pick(card, index), selected }.

import { html } from "./vendor/htm-preact.mjs";
import { Back, Backs, Card, screams } from "./cards.mjs";

function Zone({ title, children, kind }) {
  return html`<section class=${`zone ${kind || ""}`}><h3>${title}</h3><div class="cards">${children}</div></section>`;
}

const several = (cards, texts, more = {}) =>
  cards.map((card, index) => html`<${Card} key=${`${card}-${index}`} card=${card} texts=${texts} ...${more} />`);

/**
 * One seat: who it is, how it stands, what of its cards the viewer may see.
 * @param {import("./client.js").Shown & { seat: number, score: string, children?: any, present?: number[] }} props
 */
function Seat({ view, seat, seatName, say, score, children, texts, present }) {
  const player = view.board.players[seat];
  const asked = view.decision?.asked.includes(seat);
  const turn = view.board.turn.seat === seat;
  const own = view.you?.seat === seat;
  const winner = view.outcome?.winners.includes(seat);
  const classes = ["seat", asked && "asked", own && "own", player.left && "gone"].filter(Boolean).join(" ");
  return html`<section class=${classes} aria-label=${seatName(seat)}>
    <header><h3>${seatName(seat)}</h3>
      ${own && html`<span class="tag">${say("you")}</span>`}
      ${turn && html`<span class="tag turn">${say("turn")}</span>`}
      ${player.left && html`<span class="tag">${say("left")}</span>`}
      ${present && view.seats[seat].player && !player.left && !present.includes(seat) && html`<span class="tag away">${say("away")}</span>`}
      ${winner && html`<span class="tag winner">★ ${say("winners")}</span>`}
      <span class="score">${score}</span></header>
    ${!own && (player.hand
      ? html`<div class="cards">${several(player.hand, texts, { small: true })}</div>`
      : html`<${Backs} count=${player.hand_count} label=${say("hidden")} />`)}
    ${children}</section>`;
}

/** @param {import("./client.js").Shown & { hand?: any }} props */
function Hand({ view, texts, say, hand }) {
  const own = view.you?.seat;
  const cards = own === null || own === undefined ? null : view.board.players[own].hand;
  if (!cards) return null;
  return html`<${Zone} title=${say("hand")} kind="hand">
    ${cards.length === 0 && html`<p class="faint">${say("empty")}</p>`}
    ${cards.map((card, index) => html`<${Card} key=${`${card}-${index}`} card=${card} texts=${texts}
      pick=${hand && (() => hand.pick(card, index))} selected=${hand?.selected.includes(index)} />`)}<//>`;
}

/** @param {import("./client.js").Shown<"stir-fry-eighteen">} props */
function StirFryMiddle({ view, texts, say, seatName }) {
  const { claim, deck_count, deck, face_up, face_down_count } = view.board;
  const declared = claim && (claim.declared === "pair" ? say("pair") : texts.card(claim.declared));
  return html`<div class="middle">
    <${Zone} title=${say("deck")}>${deck ? several(deck, texts, { small: true }) : html`<${Backs} count=${deck_count} label=${say("hidden")} />`}<//>
    ${claim && html`<${Zone} title=${`${say("claim")}: ${declared} (${seatName(claim.seat)})`} kind="claim">
      ${claim.laid ? several(claim.laid, texts, { small: true }) : Array.from({ length: claim.count }, (_, index) => html`<${Back} key=${index} label=${say("hidden")} />`)}<//>`}
    ${face_up.length > 0 && html`<${Zone} title=${say("faceUp")}>${several(face_up, texts, { small: true })}<//>`}
    <${Zone} title=${say("faceDown")}><${Backs} count=${face_down_count} label=${say("hidden")} /><//>
  </div>`;
}

/** @param {import("./client.js").Shown<"stir-fry-eighteen">} props */
function StirFrySeats(props) {
  const { view, say } = props;
  return view.board.players.map((player) => html`<${Seat} key=${player.seat} ...${props} seat=${player.seat} score=${`${player.score} ${say("score")}`} />`);
}

/** @param {import("./client.js").Shown<"just-desserts">} props */
function DessertsMiddle({ view, texts, say, seatName }) {
  const { centre, doorway, guest_deck_count, dessert_deck_count, dessert_discards, offer } = view.board;
  return html`<div class="middle">
    <${Zone} title=${say("centre")}>${centre.length ? several(centre, texts) : html`<p class="faint">${say("empty")}</p>`}<//>
    ${doorway && html`<${Zone} title=${say("doorway")} kind="doorway"><${Card} card=${doorway} texts=${texts} /><//>`}
    ${offer && html`<${Zone} title=${`${say("offer")}: ${seatName(offer.seat)} → ${texts.card(offer.guest)}`} kind="claim">${several(offer.desserts, texts, { small: true })}<//>`}
    <${Zone} title=${`${say("deck")}: ${say("desserts")}`}><${Backs} count=${dessert_deck_count} label=${say("hidden")} /><//>
    <${Zone} title=${`${say("deck")}: ${say("guests")}`}><${Backs} count=${guest_deck_count} label=${say("hidden")} /><//>
    <${Zone} title=${say("discards")}>${dessert_discards.length ? html`<${Card} card=${dessert_discards[0]} texts=${texts} small=${true} /><span class="count">${dessert_discards.length}</span>` : html`<p class="faint">${say("empty")}</p>`}<//>
  </div>`;
}

/** @param {import("./client.js").Shown<"just-desserts">} props */
function DessertsSeats(props) {
  const { view, say, texts } = props;
  return view.board.players.map((player) => html`<${Seat} key=${player.seat} ...${props} seat=${player.seat} score=${`${player.points} ${say("score")}`}>
    <div class="cards won">${several(player.guests, texts, { small: true })}</div><//>`);
}

function Dessert({ dessert, texts, names, say }) {
  const name = dessert.recipe ? texts.term("recipes", dessert.recipe) : names?.[dessert.text?.id] || say("invention");
  return html`<li class="dessert-stack"><span class="number">${dessert.number}</span> <strong>${name}</strong>
    ${dessert.marked && html` <span class="tag">${say("packetMark")}</span>`}
    ${dessert.parts.length > 0 && html`<ul>${dessert.parts.map((part, index) => (typeof part === "string"
      ? html`<li key=${index}>${texts.card(part)}</li>`
      : html`<${Dessert} key=${index} dessert=${part} texts=${texts} names=${names} say=${say} />`))}</ul>`}</li>`;
}

/** @param {import("./client.js").Shown<"memesio">} props */
function MemesioMiddle({ view, texts, say }) {
  const { pantry, deck_count, spoiled } = view.board;
  return html`<div class="middle">
    <${Zone} title=${say("pantry")} kind="pantry">${pantry.map((stack) => html`<div class="stack" key=${stack.ingredient}>
      <${Card} card=${stack.cards[0]} texts=${texts} small=${true} />${stack.cards.length > 1 && html`<span class="depth">× ${stack.cards.length}</span>`}</div>`)}<//>
    <${Zone} title=${say("deck")}><${Backs} count=${deck_count} label=${say("hidden")} /><//>
    ${spoiled.length > 0 && html`<${Zone} title=${say("spoiled")}>${several(spoiled, texts, { small: true })}<//>`}
  </div>`;
}

/** @param {import("./client.js").Shown<"memesio">} props */
function MemesioSeats(props) {
  const { view, say, texts, names } = props;
  return view.board.players.map((player) => html`<${Seat} key=${player.seat} ...${props} seat=${player.seat}
      score=${`${screams(player.score)} ${say("screams")}`}>
    <progress class="track" max="40" value=${player.track.half_cell} aria-label=${`${say("lap")} ${player.track.lap}`}></progress>
    ${player.desserts.length > 0 && html`<ul class="desserts">${player.desserts.map((dessert) => html`<${Dessert}
      key=${dessert.number} dessert=${dessert} texts=${texts} names=${names} say=${say} />`)}</ul>`}<//>`);
}

/** A game that nobody has drawn a table for yet: its board's piles, under the names of their fields. */
function PlainMiddle({ view, texts, say }) {
  const title = (field) => field.replace(/_count$/, "").replaceAll("_", " ");
  const piles = Object.entries(view.board).map(([field, value]) => {
    if (field.endsWith("_count")) return html`<${Zone} key=${field} title=${title(field)}><${Backs} count=${value} label=${say("hidden")} /><//>`;
    const open = Array.isArray(value) && value.length > 0 && value.every((card) => texts.fact(card));
    return open && html`<${Zone} key=${field} title=${title(field)}>${several(value, texts, { small: true })}<//>`;
  });
  return html`<div class="middle">${piles}</div>`;
}

function PlainSeats(props) {
  const { view, say } = props;
  return view.board.players.map((player) => html`<${Seat} key=${player.seat} ...${props} seat=${player.seat} score=${`${player.score ?? player.points} ${say("score")}`} />`);
}

const PLAIN = [PlainSeats, PlainMiddle];
const PARTS = {
  "stir-fry-eighteen": [StirFrySeats, StirFryMiddle],
  "just-desserts": [DessertsSeats, DessertsMiddle],
  memesio: [MemesioSeats, MemesioMiddle],
};

export function Table(props) {
  if (!props.view.board) return null;
  const [Seats, Middle] = PARTS[props.ruleset] || PLAIN;
  return html`<div class=${`table ${props.ruleset}`}>
    <div class="seats" tabindex="0"><${Seats} ...${props} /></div>
    <${Middle} ...${props} />
    ${props.hand !== null && html`<${Hand} ...${props} />`}</div>`;
}

/** The viewer's own hand alone; with `hand: null` the table leaves it out. */
Table.Hand = Hand;

const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** How a seat is called: by its number and who holds it; by names where `people` gives them by id. */
export function seatNames(view, say, people = null) {
  const named = view.seats.map((held) => (held.bundled ? capital(held.bundled) : people?.[held.player] || ""));
  return (seat) => {
    const { bundled } = view.seats[seat];
    if (!people || !named[seat]) {
      const who = bundled || (view.you?.seat === seat ? say("you") : "");
      return who ? `${say("seat")} ${seat + 1} · ${who}` : `${say("seat")} ${seat + 1}`;
    }
    return named.filter((other) => other === named[seat]).length > 1 ? `${named[seat]} (${seat + 1})` : named[seat];
  };
}
