// Prints moves a second of boardgame.io, in one line for each line that it reads: how many seconds
// to measure. What it runs are whole games whose moves were chosen before.

import { createInterface } from "node:readline";
import internal from "boardgame.io/dist/cjs/internal.js";
import { CARDS, StirFry } from "./stir-fry.js";

const GAMES = 40;

/** A generator of numbers in [0, 1) that repeats by its seed (xorshift). */
function chance(seed) {
  let state = seed || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function some(cards, count, random) {
  const rest = [...cards];
  return Array.from({ length: count }, () => rest.splice(Math.floor(random() * rest.length), 1)[0]);
}

/** One random legal move of whoever is asked: player, name, arguments. */
function choose({ G, ctx }, random) {
  const [player, stage] = Object.entries(ctx.activePlayers)[0];
  const { hand } = G.players[player];
  if (stage === "taste") return [player, random() < 0.5 ? "call" : "pass", []];
  if (stage === "reduce") return [player, "reduce", [some(hand, hand.length - 3, random)]];
  const moves = [["endTurn", []]];
  const mayClaim = !G.turn.caught;
  if (mayClaim && !G.turn.pair && hand.length > 1) moves.push(["discardPair", [some(hand, 2, random)]]);
  if (mayClaim && !G.turn.protein && hand.length > 0) {
    const proteins = Object.keys(CARDS).filter((name) => CARDS[name].draws);
    moves.push(["discardProtein", [some(proteins, 1, random)[0], some(hand, 1, random)]]);
  }
  const different = [...new Set(hand)].filter((card) => card !== "noodles");
  if (hand.includes("noodles") && different.length > 1) {
    const count = 2 + Math.floor(random() * Math.min(3, different.length - 1));
    moves.push(["cook", [["noodles", ...some(different, count, random)]]]);
  }
  return [player, ...moves[Math.floor(random() * moves.length)]];
}

const moveOf = ([playerID, type, args]) => ({ type: "MAKE_MOVE", payload: { type, args, playerID } });

function prepare(seed) {
  const game = { ...StirFry, seed: `game ${seed}` };
  const reducer = internal.CreateGameReducer({ game });
  const start = internal.InitializeGame({ game, numPlayers: 2 });
  const random = chance(seed + 1);
  const moves = [];
  let state = start;
  while (!state.ctx.gameover) {
    const move = moveOf(choose(state, random));
    const next = reducer(state, move);
    if (next._stateID === state._stateID) throw new Error(`refused: ${JSON.stringify(move)}`);
    state = { ...next, deltalog: undefined };
    moves.push(move);
  }
  return { reducer, start, moves, end: JSON.stringify(state.G) };
}

function replay({ reducer, start, moves, end }) {
  let state = start;
  for (const move of moves) state = reducer(state, move);
  if (JSON.stringify(state.G) !== end) throw new Error("another game was played");
  return moves.length;
}

const games = Array.from({ length: GAMES }, (_, seed) => prepare(seed));
for await (const line of createInterface({ input: process.stdin })) {
  const seconds = Number(line);
  const began = performance.now();
  let moves = 0;
  while (performance.now() - began < seconds * 1000) for (const game of games) moves += replay(game);
  console.log(moves / ((performance.now() - began) / 1000));
}
