// Folding Stir Fry Eighteen: what each event makes of the table. No rule is asked here.
// It must agree with domain/stir_fry_eighteen/evolve.py and view.py; tests/pages/test_fold.py compares.

import { answered, ask, cardsOf, changed, known, unknown, wholeDeck, withCards, without } from "./fold_cards.mjs";

export function start(seats, options, texts) {
  const players = Array.from({ length: seats }, () => ({ hand: [], score: 0, owed: 0, left: false }));
  return {
    players, deck: wholeDeck(Object.values(texts.facts)), turn: fresh(options.first_player ?? 0, 0), faceDown: [], faceUp: [],
    claim: null, dryTurns: 0, lastTurns: null, decision: null, outcome: null,
  };
}

const fresh = (seat, number) => ({ seat, number, pair: false, protein: false, cooked: false, caught: false });

function take(game, seat, cards) {
  const hand = withCards(game.players[seat].hand, cards);
  return { ...game, players: changed(game.players, seat, { hand }), deck: game.deck.slice(cards.length) };
}

function drop(game, seat, cards, changes = {}) {
  const hand = without(game.players[seat].hand, cards);
  return { ...game, players: changed(game.players, seat, { hand, ...changes }) };
}

export const evolve = {
  card_replaced(game, event) {
    const card = event.card?.value ?? event.card;
    if (typeof card !== "string" || !known(game.deck)) return { ...game, deck: unknown(game.deck.length) };
    return { ...game, deck: withCards(without(game.deck, [card]), ["tofu"]) };
  },
  shuffled(game, event) {
    const count = game.deck.length + game.faceDown.length + game.faceUp.length;
    return { ...game, deck: cardsOf(event.order, count), faceDown: [], faceUp: [] };
  },
  reshuffled: (game, event) => ({ ...game, deck: cardsOf(event.order, game.deck.length) }),
  dealt: (game, event) => take(game, event.seat, cardsOf(event.cards, event.count)),
  first_player_drawn: (game, event) => ({ ...game, turn: fresh(event.seat, 0) }),
  turn_began(game, event, version) {
    const last = game.turn;
    const drew = take(game, event.seat, cardsOf(event.cards, event.count));
    return {
      ...drew,
      players: changed(drew.players, event.seat, { owed: 0 }),
      turn: fresh(event.seat, last.number + 1),
      dryTurns: last.cooked || last.number === 0 ? 0 : game.dryTurns + 1,
      lastTurns: game.lastTurns === null ? null : game.lastTurns - 1,
      decision: ask("turn", version, event.awaits),
    };
  },
  claimed(game, event, version) {
    const laid = cardsOf(event.laid, event.count);
    const pair = event.declared === "pair";
    const { turn } = game;
    return {
      ...drop(game, event.seat, laid),
      turn: { ...turn, pair: turn.pair || pair, protein: turn.protein || !pair },
      claim: { seat: event.seat, declared: event.declared, laid, passed: [] },
      decision: ask("taste_test", version, event.awaits, "at_once"),
    };
  },
  passed: (game, event) => ({
    ...game,
    claim: { ...game.claim, passed: [...game.claim.passed, event.seat] },
    decision: answered(game.decision, event.seat),
  }),
  called(game, event, version) {
    const { score, owed } = game.players[event.seat];
    const lost = cardsOf(event.lost, event.lost_count);
    return {
      ...drop(game, event.seat, lost, { score: score - event.penalty, owed: owed + event.owed }),
      faceUp: withCards(game.faceUp, event.laid),
      faceDown: withCards(game.faceDown, lost),
      turn: { ...game.turn, caught: game.turn.caught || !event.truthful },
      claim: null,
      decision: ask("turn", version, event.awaits),
    };
  },
  drawn(game, event, version) {
    const settled = event.reason === "claim" && game.claim;
    return {
      ...take(game, event.seat, cardsOf(event.cards, event.count)),
      faceDown: settled ? withCards(game.faceDown, game.claim.laid) : game.faceDown,
      claim: null,
      decision: ask("turn", version, event.awaits),
    };
  },
  cooked(game, event) {
    const score = Math.max(0, game.players[event.seat].score + event.points);
    return {
      ...drop(game, event.seat, event.dish, { score }),
      faceUp: withCards(game.faceUp, event.dish),
      turn: { ...game.turn, cooked: true },
      lastTurns: event.closing ? game.players.length : game.lastTurns,
      decision: null,
    };
  },
  turn_ended: (game) => ({ ...game, decision: null }),
  reduction_asked: (game, event, version) => ({ ...game, decision: ask("reduction", version, event.awaits) }),
  reduced(game, event) {
    const cards = cardsOf(event.cards, event.count);
    return { ...drop(game, event.seat, cards), faceDown: withCards(game.faceDown, cards), decision: null };
  },
  seat_left: (game, event) => ({ ...game, players: changed(game.players, event.seat, { left: true, owed: 0 }) }),
};

export const adjust = (game, seat, points) =>
  ({ ...game, players: changed(game.players, seat, { score: Math.max(0, game.players[seat].score + points) }) });

export const scores = (game) => game.players.map((player) => player.score);

export function board(game, sees, all) {
  const { turn, claim } = game;
  const shown = (seat, cards) => (sees(seat) && known(cards) ? cards : null);
  return {
    ruleset: "stir-fry-eighteen",
    turn: { seat: turn.seat, number: turn.number, pair: turn.pair, protein: turn.protein, caught: turn.caught },
    players: game.players.map(({ hand, score, owed, left }, seat) =>
      ({ seat, score, hand_count: hand.length, hand: shown(seat, hand), owed, left })),
    deck_count: game.deck.length,
    deck: all && known(game.deck) ? game.deck : null,
    face_down_count: game.faceDown.length + (claim ? claim.laid.length : 0),
    face_up: game.faceUp,
    claim: claim && {
      seat: claim.seat, declared: claim.declared, count: claim.laid.length,
      laid: shown(claim.seat, claim.laid), passed: claim.passed,
    },
    dry_turns: game.dryTurns,
    last_turns: game.lastTurns,
  };
}
