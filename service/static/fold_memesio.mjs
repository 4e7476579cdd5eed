// Folding Memesio's Café: what each event makes of the table. No rule is asked here.
// It must agree with domain/memesio/evolve.py, state.py and view.py; tests/pages/test_fold.py compares.

import { ask, cardsOf, changed, known, wholeDeck, withCards, without } from "./fold_cards.mjs";

const HALF_SCREAMS = 2;
const TRACK = 20 * HALF_SCREAMS; // half-cells of a lap (ME-12)

export function start(seats, options, texts) {
  const players = Array.from({ length: seats }, () => ({ hand: [], score: 0, desserts: [], left: false }));
  return {
    players, deck: wholeDeck(Object.values(texts.facts)), turn: { seat: options.first_player ?? 0, number: 0 }, pantry: {},
    spoiled: [], decision: null, outcome: null, facts: texts.facts, ingredients: texts.detail.terms.ingredients.map(({ id }) => id),
  };
}

const recipeOf = (game, card) => game.facts[card].recipe?.id ?? null;
const dessertOf = (number, recipe, card, parts = [], marked = false, text = null) =>
  ({ number, recipe, card, parts, marked, text });

/** A dessert's cards: recipe card first, then its parts in order, depth first (ME-8). */
export const inside = (dessert) => [
  ...(dessert.card === null ? [] : [dessert.card]),
  ...dessert.parts.flatMap((part) => (typeof part === "string" ? [part] : inside(part))),
];

/** The desserts nested in one, each with the place of its first card. */
function nested(dessert) {
  const found = [];
  let place = dessert.card === null ? 0 : 1;
  for (const part of dessert.parts) {
    if (typeof part === "string") { place += 1; continue; }
    found.push([place, part], ...nested(part).map(([deeper, other]) => [place + deeper, other]));
    place += inside(part).length;
  }
  return found;
}

function stacked(game, cards, put) {
  const pantry = { ...game.pantry };
  for (const card of cards) {
    const name = game.facts[card].ingredient;
    const stack = put(pantry[name] ?? [], card);
    if (stack.length) pantry[name] = stack;
    else delete pantry[name];
  }
  return { ...game, pantry };
}

const onTop = (game, cards) => stacked(game, cards, (stack, card) => [card, ...stack]);
const beneath = (game, cards) => stacked(game, cards, (stack, card) => [...stack, card]);
const offTop = (game, cards) => stacked(game, cards, (stack, card) => {
  if (stack[0] !== card) throw new Error(`${card} is not on top`);
  return stack.slice(1);
});

const player = (game, seat, changes) => ({ ...game, players: changed(game.players, seat, changes) });

function scored(game, seat, screams) {
  return player(game, seat, { score: game.players[seat].score + screams });
}

function drop(game, seat, cards) {
  return player(game, seat, { hand: without(game.players[seat].hand, cards) });
}

function draw(game, event) {
  const cards = cardsOf(event.cards, event.count);
  const hand = withCards(game.players[event.seat].hand, cards);
  return { ...player(game, event.seat, { hand }), deck: game.deck.slice(cards.length) };
}

const from = (sources, kind) => sources.filter((source) => source.from === kind).map((source) => source.card);

/** Take the desserts that sources name off the table; give what lies under the new one as well. */
function gather(game, sources) {
  const parts = [];
  let players = game.players;
  for (const source of sources) {
    if (source.from === "table") {
      parts.push(...players.flatMap((each) => each.desserts.filter(({ number }) => number === source.dessert)));
      players = players.map((each) => ({ ...each, desserts: each.desserts.filter(({ number }) => number !== source.dessert) }));
    } else if (source.from !== "packet") parts.push(source.card);
  }
  return [{ ...game, players }, parts];
}

function serve(game, seat, dessert) {
  return player(game, seat, { desserts: [...game.players[seat].desserts, dessert] });
}

function clear(game, seat, number) {
  const { desserts } = game.players[seat];
  const others = desserts.filter((dessert) => dessert.number !== number);
  return [player(game, seat, { desserts: others }), desserts.find((dessert) => dessert.number === number)];
}

const asked = (game, version, event) => ({ ...game, decision: ask("turn", version, event.awaits) });

export const evolve = {
  shuffled: (game, event) => ({ ...game, deck: cardsOf(event.order, game.deck.length) }),
  dealt: draw,
  pantry_opened: (game, event) => ({ ...onTop(game, event.cards), deck: game.deck.slice(event.cards.length) }),
  first_player_drawn: (game, event) => ({ ...game, turn: { seat: event.seat, number: 0 } }),
  turn_began: (game, event, version) => asked(
    { ...draw(game, event), turn: { seat: event.seat, number: game.turn.number + 1 } }, version, event,
  ),
  cooked(game, event) {
    const { seat, sources } = event;
    let [after, parts] = gather(game, sources);
    const packets = from(sources, "packet");
    after = drop(after, seat, [event.card, ...from(sources, "hand"), ...packets]);
    after = serve(after, seat, dessertOf(event.dessert, recipeOf(game, event.card), event.card, parts, event.marked));
    after = scored(after, seat, event.screams);
    for (const share of event.shares) after = scored(after, share.seat, share.screams);
    after = beneath(offTop(after, from(sources, "pantry")), packets);
    return { ...after, decision: null };
  },
  stocked(game, event) {
    const after = scored(drop(game, event.seat, [event.card]), event.seat, event.screams);
    return { ...onTop(after, [event.card]), decision: null };
  },
  memesio_asked(game, event, version) {
    const hand = withCards(without(game.players[event.seat].hand, [event.card]), [event.takes]);
    const after = beneath(offTop(player(game, event.seat, { hand }), [event.takes]), [event.card]);
    return asked(after, version, event);
  },
  nyamonas_asked(game, event, version) {
    let [after, old] = clear(drop(game, event.seat, [event.card]), event.seat, event.dessert);
    after = serve(after, event.seat, dessertOf(event.made, recipeOf(game, event.takes), event.takes));
    after = beneath(onTop(offTop(after, [event.takes]), inside(old)), [event.card]);
    return asked(after, version, event);
  },
  maiti_asked(game, event, version) {
    const { seat, keeps } = event;
    let [after, broken] = clear(drop(game, seat, [event.card]), seat, event.dessert);
    let rest = inside(broken);
    if (keeps.as === "nested") {
      const [place, kept] = nested(broken).find(([, other]) => other.number === keeps.dessert);
      rest.splice(place, inside(kept).length);
      after = serve(after, seat, kept);
    } else {
      const [kept] = rest.splice(keeps.place, 1);
      after = keeps.as === "hand"
        ? player(after, seat, { hand: withCards(after.players[seat].hand, [kept]) })
        : serve(after, seat, dessertOf(event.made, recipeOf(game, kept), kept));
    }
    return asked(beneath(onTop(after, rest), [event.card]), version, event);
  },
  invented(game, event) {
    const [, parts] = gather(game, event.sources);
    let after = drop(game, event.seat, [event.card, ...from(event.sources, "hand")]);
    after = serve(after, event.seat, dessertOf(event.dessert, null, null, parts, false, event.text));
    return { ...beneath(offTop(after, from(event.sources, "pantry")), [event.card]), decision: null };
  },
  coin_tossed(game, event, version) {
    const after = asked(scored(game, event.seat, event.screams), version, event);
    if (event.heads) return after;
    const [rest, spoiled] = clear(after, event.seat, event.dessert);
    return { ...rest, spoiled: withCards(game.spoiled, inside(spoiled)) };
  },
  cheered: (game) => game,
  seat_left: (game, event) => player(game, event.seat, { left: true }),
};

export function adjust(game, seat, points) {
  return player(game, seat, { score: Math.max(0, game.players[seat].score + points * HALF_SCREAMS) });
}

export const scores = (game) => game.players.map((each) => each.score / HALF_SCREAMS);

export function board(game, sees, all) {
  const winners = game.outcome?.winners ?? [];
  return {
    ruleset: "memesio",
    turn: game.turn,
    players: game.players.map(({ hand, score, desserts, left }, seat) => ({
      seat, score, track: { lap: Math.floor(score / TRACK) + 1, half_cell: score % TRACK }, hand_count: hand.length,
      hand: sees(seat) && known(hand) ? hand : null, desserts, left, hat: winners.includes(seat),
    })),
    pantry: game.ingredients.filter((name) => game.pantry[name])
      .map((ingredient) => ({ ingredient, cards: game.pantry[ingredient] })),
    deck_count: game.deck.length,
    deck: all && known(game.deck) ? game.deck : null,
    spoiled: game.spoiled,
  };
}
