// Where a replay comes from: a game of the service, or a recording that somebody has as a file.
// Both give the same things, so that the page need not know which one it shows.
//
//   { ruleset, last, sealed, game, file, perspectives, judging,
//     view(version, perspective), events(perspective), claims(perspective), names(), recording() }
//
// A perspective is null for one's own sight, "spectator", or "seat:<n>".

import { Client } from "./api.mjs";
import { foldAll, seenEvent, sight, viewOf } from "./fold.mjs";
import { claimsOf, storyOf } from "./viewer_story.mjs";
import { verify } from "./verify.mjs";

const PAGE = 500;
export const NO_NAMES = { people: {}, words: {} };

/** A game of the service. Raises Problem where there is none that the caller may know of. */
export async function online(client, game) {
  const path = `/v1/games/${game}`;
  const { reader, now, judging } = await readerOf(client, path);
  const ask = (address, perspective) =>
    reader.get(perspective === null ? address : `${address}${address.includes("?") ? "&" : "?"}perspective=${perspective}`);
  return {
    ruleset: now.ruleset, last: now.version, sealed: now.status === "sealed", game, file: null,
    perspectives: perspectivesOf(now), judging, now,
    view: remembered((version, perspective) => ask(`${path}?version=${version}`, perspective)),
    events: remembered((perspective) => allEvents(ask, path, now.version, perspective)),
    claims: remembered((perspective) => ask(`${path}/claims`, perspective)),
    names: remembered(async () => namesOf(await Promise.all([reader.get(`${path}/players`), reader.get(`${path}/texts`)]))),
    recording: async () => (await fetch(`${path}/recording`, { headers: reader.headers(), cache: "no-store" })).blob(),
  };
}

/**
 * Find out how to read a game. What a judge reads of a game that is not sealed is put on record, so
 * a judge reads it here as anybody would, where that can be.
 */
async function readerOf(client, path) {
  const stranger = new Client(client.language);
  stranger.identity = null;
  if (!client.identity) return { reader: stranger, now: await stranger.get(path), judging: false };
  const open = await stranger.get(path).catch(() => null);
  const judging = open !== null && open.status !== "sealed" && open.judges.includes(client.identity.id);
  if (judging || open?.status === "sealed") return { reader: stranger, now: open, judging };
  try {
    return { reader: client, now: await client.get(path), judging: false };
  } catch (error) {
    if (error.status !== 401 || open === null) throw error;
    return { reader: stranger, now: open, judging: false }; // nobody knows this token here
  }
}

const namesOf = ([{ players }, { texts }]) => ({
  people: Object.fromEntries(players.map(({ id, name }) => [id, name])),
  words: Object.fromEntries(texts.map(({ id, words }) => [id, words])),
});

function perspectivesOf({ status, seats, you }) {
  const every = seats.map(({ seat }) => `seat:${seat}`);
  if (status === "sealed") return [null, "spectator", ...every];
  return you.seat === null ? [null] : [null, "spectator"];
}

/** Keep the promises that a function gives, by what it was asked; a failed one is asked anew. */
function remembered(make) {
  const held = new Map();
  const found = (...asked) => {
    const key = asked.join("|");
    if (!held.has(key)) {
      const promise = make(...asked);
      promise.catch(() => held.delete(key));
      held.set(key, promise);
    }
    return held.get(key);
  };
  found.has = (...asked) => held.has(asked.join("|"));
  return found;
}

/** Read the events up to a version, page by page. */
async function allEvents(ask, path, last, perspective) {
  const records = [];
  for (let after = ""; records.length < last;) {
    const page = await ask(`${path}/events?limit=${PAGE}${after && `&after=${after}`}`, perspective);
    records.push(...page.events);
    if (!page.more) break;
    after = page.next;
  }
  return records.slice(0, last);
}

/**
 * A recording, given as bytes. It is checked first: { verdict, source }, without a source where
 * it is not sound; `why` says why a sound one cannot be replayed.
 */
export async function offline(data, name, textsOf) {
  const verdict = await verify(data);
  if (verdict.fault !== null) return { verdict, source: null };
  const [first, ...lines] = new TextDecoder().decode(data).trimEnd().split("\n").map((line) => JSON.parse(line));
  try {
    return { verdict, source: fileSource(first.ruleset, lines.slice(0, -1), name, await textsOf(first.ruleset)) };
  } catch (error) {
    return { verdict, source: null, why: String(error.message ?? error) };
  }
}

function fileSource(ruleset, records, name, texts) {
  const fold = foldAll(records, ruleset, texts);
  const story = storyOf(records);
  const shown = (perspective) =>
    records.map((record) => ({ ...record, event: seenEvent(fold, record, perspective) }));
  const every = fold.states.at(-1).seats.map(({ seat }) => `seat:${seat}`);
  const seats = every.filter((_, seat) => sight(fold, null).sees(seat));
  const claims = (perspective) => ({ claims: claimsOf(shown(perspective), story.counts), tallies: null });
  return {
    ruleset, last: records.length, sealed: fold.sealed, game: records[0].event.game, file: name,
    perspectives: [null, "spectator", ...(fold.sealed ? every : seats)], judging: false,
    view: remembered(async (version, perspective) => viewOf(fold, version, perspective)),
    events: remembered(async (perspective) => shown(perspective)),
    claims: remembered(async (perspective) => claims(perspective)),
    names: async () => NO_NAMES, // names and free texts stand beside the log: a recording has their ids
    recording: null,
  };
}
