// Folding a game's events in the browser, as far as whoever looks was shown them: what a replay
// from a file is made of. Events say what happened, so that no rule is asked (docs/design.md).
//
//   const fold = foldAll(records, ruleset, texts);
//   viewOf(fold, version, "seat:1")       shaped as GET /v1/games/{game}?version=, without its clocks

import * as desserts from "./fold_desserts.mjs";
import * as memesio from "./fold_memesio.mjs";
import * as stirFry from "./fold_stir_fry.mjs";

const GAMES = { "stir-fry-eighteen": stirFry, "just-desserts": desserts, memesio };

const free = (seat) => ({ seat, player: null, bundled: null, left: false });

const seated = (state, seat, changes) => ({
  ...state, seats: state.seats.map((each) => (each.seat === seat ? { ...each, ...changes } : each)),
});

// What happens at every table; domain/kernel/fold.py has the same.
const TABLE = {
  joined: (state, { seat, player }) => seated(state, seat, { player }),
  bundled_seated: (state, { seat, bundled }) => seated(state, seat, { bundled }),
  seat_freed: (state, { seat }) => seated(state, seat, free(seat)),
  seat_left: (state, { seat }) => seated(state, seat, { left: true }),
  handed_over: (state, { seat, player, bundled }) =>
    seated(state, seat, { player: player ?? null, bundled: bundled ?? null, left: false }),
  sealed: (state) => ({ ...state, sealed: true }),
};

/** Apply an event to the game; `states` are those of all versions before. */
function play(rules, state, { version, event }, states, texts) {
  const { game } = state;
  if (event.type === "started") return rules.start(state.seats.length, states[1].options, texts);
  if (event.type === "rewound") return states[event.to].game;
  if (game === null) return null;
  if (event.type === "ended") return { ...game, decision: null, outcome: event.outcome };
  if (event.type === "expired") return { ...game, decision: null, outcome: { reason: "expired", winners: [], scores: [] } };
  if (event.type === "adjusted") return rules.adjust(game, event.seat, event.points);
  const apply = rules.evolve[event.type === "forfeited" ? "seat_left" : event.type];
  return apply ? apply(game, event, version) : game;
}

/** Give the states of all versions; the place of each is its version. Throws where it cannot. */
export function foldAll(records, ruleset, texts) {
  const rules = GAMES[ruleset];
  const { seats, options } = records[0].event;
  let state = { seats: Array.from({ length: seats }, (_, seat) => free(seat)), options, sealed: false, game: null };
  const states = [null, state];
  for (const record of records.slice(1)) {
    const game = play(rules, state, record, states, texts);
    const table = TABLE[record.event.type]?.(state, record.event) ?? state;
    state = game === table.game ? table : { ...table, game };
    states.push(state);
  }
  return { rules, ruleset, states, records, sealed: state.sealed, seen: seatsSeen(records) };
}

/** The seats whose private side the events show: of those, some hidden part has its value. */
function seatsSeen(records) {
  const shown = (event) => Object.values(event).some((value) => value?.digest && "value" in value);
  return new Set(records.filter(({ event }) => event.seat !== undefined && shown(event)).map(({ event }) => event.seat));
}

/** Say whether a perspective has a seat's private side: one's own (null), "spectator", "seat:<n>". */
export function sight(fold, perspective) {
  const all = fold.sealed && perspective === null;
  const sees = (seat) => all || (fold.seen.has(seat) && (perspective === null || perspective === `seat:${seat}`));
  return { all, sees };
}

const status = ({ game, sealed }) => (sealed ? "sealed" : game === null ? "open" : game.outcome ? "ended" : "running");

export function viewOf(fold, version, perspective = null) {
  const state = fold.states[version];
  const { game } = state;
  const { all, sees } = sight(fold, perspective);
  return {
    ruleset: fold.ruleset,
    version,
    status: status(state),
    seats: state.seats,
    you: { seat: null, host: false, judge: false },
    decision: game?.decision && decisionOf(game.decision),
    board: game && fold.rules.board(game, sees, all),
    outcome: game?.outcome ?? null,
  };
}

function decisionOf({ kind, opened, order, awaited }) {
  const asked = order === "at_once" ? awaited : awaited.slice(0, 1);
  return { id: opened, kind, order, awaited, asked };
}

/** Give the scores at a version, in whole units; null before the start. They are public. */
export function scoresAt(fold, version) {
  const { game } = fold.states[version];
  return game && fold.rules.scores(game);
}

/** Show an event as a perspective has it: hidden parts of other seats without their values. */
export function seenEvent(fold, { event }, perspective) {
  if (perspective === null) return event;
  const { sees } = sight(fold, perspective);
  const shown = {};
  for (const [name, value] of Object.entries(event)) {
    const hidden = value?.digest && "value" in value;
    shown[name] = hidden && !(PRIVATE.includes(name) && sees(event.seat)) ? { digest: value.digest } : value;
  }
  return shown;
}

// The hidden parts that belong to the seat of their event; the others were nobody's.
const PRIVATE = ["cards", "desserts", "laid", "lost"];
