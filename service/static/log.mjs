// What happened, in words: events as the API shows them to this viewer, told by the game's own
// texts (`terms.events`). An event's text may have variants, `called:truthful=true` say.

import { screams } from "./cards.mjs";

/** Tell the versions on the line that is played now; the others were taken back. */
export function standing(records) {
  const line = new Set();
  for (let at = records.at(-1)?.version ?? 0; at > 0; ) {
    line.add(at);
    at = records[at - 1]?.parent ?? 0; // a rewind's parent is the version that it went back to
  }
  return line;
}

// What stands at the table whatever becomes of the game.
const LASTING = ["ruled", "motion_made", "motion_voted", "pause_voted", "paused", "resumed", "rewound", "seat_left", "handed_over",
  "judge_named", "invitation_made", "invitation_used", "joined", "created"];

/** Tell whether a record was taken back. */
export const isUndone = (record, line) => !line.has(record.version) && !LASTING.includes(record.event?.type);

/** Give the acts of a seat that stand, newest first, each with the version to go back to. */
export function ownActs(records, seat) {
  const line = standing(records);
  return records.filter((record) => record.actor === `seat:${seat}` && record.count > 0 && line.has(record.version) &&
    !LASTING.includes(record.event.type))
    .map((record) => ({ record, to: record.version - 1 })).reverse();
}

const isHidden = (value) => value !== null && typeof value === "object" && "digest" in value;

function hiddenCards(count, { say, texts }) {
  const kind = new Intl.PluralRules(texts.language).select(count);
  return say(`hiddenCards.${kind}`, { count });
}

function listOf(cards, { texts, say }) {
  return cards.length ? new Intl.ListFormat(texts.language).format(cards.map(texts.card)) : say("nothing");
}

const SEATS = ["seat", "claimant", "owner", "poacher"];

function rulingWords(ruling, { say, seatName }) {
  const { type, seat, points, to, milliseconds, bundled, pause } = ruling;
  const key = type === "halt" ? (pause ? "ruling.pause" : "ruling.resume") : `ruling.${type}`;
  return say(key, {
    seat: seat === undefined ? "" : seatName(seat), points, to,
    time: Math.round((milliseconds || 0) / 1000), bundled: bundled || say("somebody"),
  });
}

/** Say what a motion wants: of an undo, the act that it would take back. */
export function motionWords(motion, context) {
  const { say, seatName, records } = context;
  const undone = motion.type === "undo" && records?.[motion.to];
  return say(`motion.${motion.type}`, {
    seat: motion.seat === undefined ? "" : seatName(motion.seat), bundled: motion.bundled || say("somebody"),
    what: (undone && describe(undone, context)) || say("toVersion", { to: motion.to }),
  });
}

function field(name, event, context) {
  const { texts, say, seatName, words } = context;
  const value = event[name];
  if (name === "recipe") return texts.term("recipes", texts.fact(event.card)?.recipe?.id);
  if (name === "text") return words[event.text?.id] || "";
  if (name === "winners") return event.outcome.winners.length ? listNames(event.outcome.winners.map(seatName), texts) : say("nobody");
  if (name === "ruling") return rulingWords(event.ruling, context);
  if (name === "motion") return motionWords(event.motion, context);
  if (name === "sounds") return event.sounds.map((each) => `${seatName(each.seat)}: ${texts.term("sounds", each.sound)}`).join("; ");
  if (name === "shares") return event.shares.map((each) => `${seatName(each.seat)} ${screams(each.screams)}`).join(", ");
  if (name === "screams") return screams(value);
  if (name === "bundled") return value ? seatName(event.seat) : say("somebody");
  if (name === "declared") return value === "pair" ? say("pair") : texts.card(value);
  if (SEATS.includes(name)) return seatName(value);
  if (isHidden(value)) return value.value === undefined ? hiddenCards(event.lost_count ?? event.count, context) : listOf(value.value, context);
  if (Array.isArray(value)) return listOf(value, context);
  return typeof value === "string" ? texts.card(value) : String(value ?? "");
}

function listNames(names, texts) {
  return new Intl.ListFormat(texts.language).format(names);
}

/** Tell one event; empty where there is nothing to tell. `words` are the free texts by their id. */
export function describe(record, context) {
  const { event } = record;
  if (!event) return "";
  const variants = Object.entries(event).filter(([, value]) => ["boolean", "string"].includes(typeof value))
    .map(([name, value]) => `${event.type}:${name}=${value}`);
  const key = [...variants, event.type].find((each) => context.texts.term("events", each) !== each);
  if (!key) return "";
  return context.texts.term("events", key).replace(/\{(\w+)\}/g, (_, name) => field(name, event, context));
}
