// Stir Fry Eighteen for two, as a user of boardgame.io would write it: the library's own turn order,
// stages and random plugin, its moves as reducers of a draft. The rules are those of the room in
// domain/stir_fry_eighteen with its usual options; ids (SF-…) are those of its rules page.

export const CARDS = {
  noodles: { copies: 5, lines: [[1]] },
  mushrooms: { copies: 3, lines: [[2], [3, "chicken"]] },
  soy_sauce: { copies: 3, lines: [[1], [2, "green_onion"], [3, "ginger"]] },
  ginger: { copies: 2, lines: [[2], [4, "pork"]] },
  green_onion: { copies: 2, lines: [[3], [5, "shrimp"]] },
  shrimp: { copies: 1, lines: [[6], [9, "ginger"], [11, "ginger", "soy_sauce"]], draws: 4 },
  pork: { copies: 1, lines: [[5], [8, "mushrooms"]], draws: 3 },
  chicken: { copies: 1, lines: [[3], [5, "green_onion"], [7, "green_onion", "ginger"]], draws: 2 },
};
const DECK = Object.entries(CARDS).flatMap(([name, card]) => Array(card.copies).fill(name));
const TARGET = 50;
const STALL_TURNS = 40;

const points = (dish) =>
  dish
    .map((card) => CARDS[card].lines.filter(([, ...with_]) => with_.every((each) => dish.includes(each))))
    .reduce((sum, lines) => sum + Math.max(...lines.map(([value]) => value)), 0);

/** Take cards out of a hand; false if one of them is not there. */
function take(hand, cards) {
  for (const card of cards) {
    const place = hand.indexOf(card);
    if (place < 0) return false;
    hand.splice(place, 1);
  }
  return true;
}

function draw(G, player, count) {
  G.players[player].hand.push(...G.deck.splice(0, count));
  G.players[player].hand.sort();
}

/** SF-6: the window is open to the other one, unless nothing could be lost (SF-9). */
function claim(G, ctx, events, player, declared, cards) {
  const other = String(1 - Number(player));
  G.claim = { declared, cards };
  G.faceDown.push(...cards);
  const accuser = G.players[other];
  if (accuser.hand.length === 0 && accuser.score < 5) return stands(G, events, player);
  events.setActivePlayers({ value: { [other]: "taste" } });
}

function stands(G, events, player) {
  const { declared } = G.claim;
  G.claim = null;
  draw(G, player, declared === "pair" ? 3 : CARDS[declared].draws);
  events.setActivePlayers({ value: { [player]: "kitchen" } });
}

/** SF-12 */
function finish(G, ctx, events) {
  if (G.players[ctx.currentPlayer].hand.length > 3) {
    events.setActivePlayers({ value: { [ctx.currentPlayer]: "reduce" } });
    return;
  }
  close(G, events);
}

function close(G, events) {
  G.dry = G.turn.cooked ? 0 : G.dry + 1;
  if (G.dry >= STALL_TURNS) {
    const best = Math.max(...G.players.map(({ score }) => score));
    events.endGame({ winners: [0, 1].filter((seat) => G.players[seat].score === best) });
    return;
  }
  events.endTurn();
}

const INVALID = "INVALID_MOVE";

function discardPair({ G, ctx, events, playerID }, cards) {
  if (G.turn.pair || G.turn.caught || cards.length !== 2) return INVALID;
  if (!take(G.players[playerID].hand, cards)) return INVALID;
  G.turn.pair = true;
  claim(G, ctx, events, playerID, "pair", cards);
}

function discardProtein({ G, ctx, events, playerID }, declared, cards) {
  if (G.turn.protein || G.turn.caught || cards.length !== 1 || !CARDS[declared]?.draws) return INVALID;
  if (!take(G.players[playerID].hand, cards)) return INVALID;
  G.turn.protein = true;
  claim(G, ctx, events, playerID, declared, cards);
}

function cook({ G, ctx, events, playerID }, dish) {
  const fits = dish.length >= 3 && dish.length <= 5 && new Set(dish).size === dish.length;
  if (!fits || !dish.includes("noodles")) return INVALID;
  const player = G.players[playerID];
  if (!take(player.hand, dish)) return INVALID;
  G.faceUp.push(...dish);
  player.score += points(dish);
  G.turn.cooked = true;
  if (player.score >= TARGET) events.endGame({ winners: [Number(playerID)] });
  else finish(G, ctx, events);
}

function endTurn({ G, ctx, events }) {
  finish(G, ctx, events);
}

function pass({ G, ctx, events }) {
  stands(G, events, ctx.currentPlayer);
}

function call({ G, ctx, events, playerID }) {
  const { declared, cards } = G.claim;
  const truthful = declared === "pair" ? cards[0] === cards[1] : cards[0] === declared;
  const accuser = G.players[playerID];
  if (truthful) {
    if (accuser.hand.length === 0) accuser.score -= 5;
    G.faceDown.push(...accuser.hand.splice(0));
    stands(G, events, ctx.currentPlayer);
    return;
  }
  G.claim = null;
  G.turn.caught = true;
  draw(G, playerID, 1);
  events.setActivePlayers({ value: { [ctx.currentPlayer]: "kitchen" } });
}

function reduce({ G, events, playerID }, cards) {
  const { hand } = G.players[playerID];
  if (cards.length !== hand.length - 3 || !take(hand, cards)) return INVALID;
  G.faceDown.push(...cards);
  close(G, events);
}

export const StirFry = {
  name: "stir-fry-eighteen",
  setup: ({ ctx, random }) => {
    const deck = random.Shuffle(DECK);
    const players = Array.from({ length: ctx.numPlayers }, () => ({ hand: deck.splice(0, 3).sort(), score: 0 }));
    return { deck, players, faceDown: [], faceUp: [], claim: null, dry: 0, first: random.Die(2) - 1, turn: {} };
  },
  turn: {
    order: {
      first: ({ G }) => G.first,
      next: ({ ctx }) => (ctx.playOrderPos + 1) % ctx.numPlayers,
    },
    activePlayers: { currentPlayer: "kitchen" },
    onBegin: ({ G, ctx }) => {
      G.turn = { pair: false, protein: false, caught: false, cooked: false };
      draw(G, ctx.currentPlayer, 1);
    },
    onEnd: ({ G, random }) => {
      G.deck = random.Shuffle([...G.deck, ...G.faceDown.splice(0), ...G.faceUp.splice(0)]);
    },
    stages: {
      kitchen: { moves: { discardPair, discardProtein, cook, endTurn } },
      taste: { moves: { call, pass } },
      reduce: { moves: { reduce } },
    },
  },
};
