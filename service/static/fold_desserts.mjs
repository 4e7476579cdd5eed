// Folding Just Desserts: what each event makes of the table. No rule is asked here, but for what
// guests are worth (JD-11). It must agree with domain/just_desserts/evolve.py and view.py;
// tests/pages/test_fold.py compares.

import { answered, ask, cardsOf, changed, known, wholeDeck, withCards, without } from "./fold_cards.mjs";

export function start(seats, options, texts) {
  const boxes = ["base", "just_coffee", "better_with_bacon"].filter((box) => box === "base" || options[box]);
  const cards = Object.values(texts.facts).filter((card) => boxes.includes(card.set));
  const players = Array.from({ length: seats }, () => ({ hand: [], guests: [], left: false }));
  const kind = (type) => wholeDeck(cards.filter((card) => card.type === type));
  return {
    players, desserts: kind("dessert"), guests: kind("guest"),
    turn: fresh(options.first_player ?? 0, 0), dessertDiscards: [], guestDiscards: [], centre: [], offer: null,
    returning: [], idleTurns: 0, dryTurns: 0, decision: null, outcome: null, suits: suitsOf(texts),
  };
}

const suitsOf = (texts) =>
  Object.fromEntries(Object.values(texts.facts).filter((card) => card.suit).map((card) => [card.id, card.suit]));

const fresh = (seat, number) => ({ seat, number, served: 0, tried: false, poached: false, buffet: false });

const apart = (guests, guest) => guests.filter((other) => other !== guest);

function take(game, seat, cards) {
  const hand = withCards(game.players[seat].hand, cards);
  return { ...game, players: changed(game.players, seat, { hand }), desserts: game.desserts.slice(cards.length) };
}

function discard(game, seat, cards) {
  const hand = without(game.players[seat].hand, cards);
  return {
    ...game,
    players: changed(game.players, seat, { hand }),
    dessertDiscards: withCards(game.dessertDiscards, cards),
  };
}

function gain(game, seat, guest) {
  return changed(game.players, seat, { guests: [...game.players[seat].guests, guest] });
}

function lose(game, seat, guest) {
  return changed(game.players, seat, { guests: apart(game.players[seat].guests, guest) });
}

const over = (game) => ({ ...game, decision: null });
const draw = (game, event) => take(game, event.seat, cardsOf(event.desserts, event.count));

export const evolve = {
  desserts_shuffled(game, event) {
    const count = game.desserts.length + game.dessertDiscards.length;
    return { ...game, desserts: cardsOf(event.dessert_order, count), dessertDiscards: [] };
  },
  guests_shuffled(game, event) {
    const doorway = event.doorway === null ? [] : [event.doorway];
    const count = game.guests.length + game.guestDiscards.length - doorway.length;
    return { ...game, guests: cardsOf(event.guest_order, count), guestDiscards: doorway };
  },
  desserts_reshuffled: (game, event) => ({ ...game, desserts: cardsOf(event.dessert_order, game.desserts.length) }),
  guests_reshuffled: (game, event) => ({ ...game, guests: cardsOf(event.guest_order, game.guests.length) }),
  dealt: draw,
  guest_revealed: (game, event) => ({ ...game, guests: game.guests.slice(1), centre: [...game.centre, event.guest] }),
  first_player_drawn: (game, event) => ({ ...game, turn: fresh(event.seat, 0) }),
  turn_began: (game, event, version) => ({
    ...draw(game, event),
    turn: fresh(event.seat, game.turn.number + 1),
    returning: [],
    idleTurns: event.idle_turns,
    dryTurns: event.dry_turns,
    decision: ask("turn", version, event.awaits),
  }),
  drawn: draw,
  served(game, event, version) {
    const after = discard(game, event.seat, event.desserts);
    return {
      ...after,
      players: gain(after, event.seat, event.guest),
      centre: apart(game.centre, event.guest),
      guestDiscards: apart(game.guestDiscards, event.guest),
      turn: { ...game.turn, served: game.turn.served + 1 },
      decision: ask("turn", version, event.awaits),
    };
  },
  turn_ended: over,
  kitchen_entered: over,
  tray_dumped: (game, event) => over(discard(game, event.seat, event.desserts)),
  poach_offered(game, event, version) {
    const { seat, owner, guest, desserts, favourite } = event;
    return {
      ...game,
      turn: { ...game.turn, tried: true },
      offer: { seat, owner, guest, desserts, favourite },
      decision: ask("blocking", version, event.awaits),
    };
  },
  guest_let_go: over,
  guest_poached(game, event, version) {
    const paid = discard(game, event.seat, event.desserts);
    const parted = { ...paid, players: lose(paid, event.owner, event.guest) };
    return {
      ...parted,
      players: gain(parted, event.seat, event.guest),
      turn: { ...game.turn, served: game.turn.served + 1, poached: true },
      offer: null,
      decision: ask("turn", version, event.awaits),
    };
  },
  poach_blocked: (game, event, version) => ({
    ...discard(game, event.seat, event.desserts), offer: null, decision: ask("turn", version, event.awaits),
  }),
  offer_withdrawn: (game) => ({ ...game, offer: null, decision: null }),
  buffet_opened: (game, event, version) => ({
    ...discard(game, event.seat, event.desserts),
    turn: { ...game.turn, buffet: true },
    returning: event.returning,
    decision: ask("returning", version, event.awaits, "in_turn"),
  }),
  guest_returned: (game, event, version) => ({
    ...game,
    players: lose(game, event.seat, event.guest),
    centre: [...game.centre, event.guest],
    returning: game.returning.filter((seat) => seat !== event.seat),
    decision: ask("returning", version, event.awaits, "in_turn"),
  }),
  service_asked: (game, event, version) => ({ ...game, decision: ask("turn", version, event.awaits) }),
  clearing_asked: (game, event, version) => ({ ...game, decision: ask("clearing", version, event.awaits) }),
  guest_discarded: (game, event, version) => ({
    ...game,
    centre: apart(game.centre, event.guest),
    guestDiscards: [event.guest, ...game.guestDiscards],
    decision: ask("clearing", version, event.awaits),
  }),
  hand_discarded: (game, event) => discard(game, event.seat, event.desserts),
  seat_left: (game, event) => ({
    ...game,
    players: changed(game.players, event.seat, { left: true }),
    decision: answered(game.decision, event.seat),
  }),
};

export const adjust = (game) => game; // there are no scores to adjust

/** A point each, and one more for each pair of a suit (JD-11). */
function points(guests, suits) {
  const counts = {};
  for (const guest of guests) counts[suits[guest]] = (counts[suits[guest]] ?? 0) + 1;
  return Object.values(counts).reduce((sum, count) => sum + count + Math.floor(count / 2), 0);
}

export const scores = (game) => game.players.map((player) => points(player.guests, game.suits));

export function board(game, sees, all) {
  return {
    ruleset: "just-desserts",
    turn: game.turn,
    players: game.players.map(({ hand, guests, left }, seat) => ({
      seat, points: points(guests, game.suits), guests, hand_count: hand.length,
      hand: sees(seat) && known(hand) ? hand : null, left,
    })),
    centre: game.centre,
    doorway: game.guestDiscards[0] ?? null,
    guest_discards: game.guestDiscards,
    guest_deck_count: game.guests.length,
    guest_deck: all && known(game.guests) ? game.guests : null,
    dessert_discards: game.dessertDiscards,
    dessert_deck_count: game.desserts.length,
    dessert_deck: all && known(game.desserts) ? game.desserts : null,
    offer: game.offer,
    returning: game.returning,
    idle_turns: game.idleTurns,
    dry_turns: game.dryTurns,
  };
}
