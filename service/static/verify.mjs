/**
 * A second verifier of Potluck recordings, written from docs/formats.md alone: no line of it is
 * shared with the service, and it needs nothing but WebCrypto.
 *
 *     node service/static/verify.mjs FILE [FILE ...]        exit status 0, 3 or 1
 *     node service/static/verify.mjs --json FILE [FILE ...] one JSON object per file
 *
 * In a browser (WebCrypto wants https or localhost):
 *
 *     import { verify, inWords } from "/static/verify.mjs";
 *     inWords(await verify(await (await fetch(url)).arrayBuffer()));
 *
 * It knows no rules of any game. What it therefore leaves unchecked it counts and names in its
 * verdict: outcomes of chance that are no shuffles, the commands, and the final state.
 */

const utf8 = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const CHAIN = "potluck/chain/1\n";
const PART = "potluck/part/1\n";
const SALT = "potluck/salt/1\n";
const KEY = "potluck/key/1\n";
const DRAW = "potluck/draw/1\n";

const HEX_32 = /^[0-9a-f]{64}$/;
const HEX_16 = /^[0-9a-f]{32}$/;
const ACTOR = /^(service|seat:(0|[1-9][0-9]*)|player:.+|judge:.+)$/;

/* Bytes. */

const bytesOf = (piece) => (typeof piece === "string" ? utf8.encode(piece) : piece);

function joined(pieces) {
  const parts = pieces.map(bytesOf);
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const unhex = (text) =>
  Uint8Array.from({ length: text.length / 2 }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));

export async function sha256(...pieces) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(pieces)));
}

/** Give a function that takes HMAC-SHA256 under a key. */
export async function hmacUnder(key) {
  const how = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, how, false, ["sign"]);
  return async (...pieces) =>
    new Uint8Array(await crypto.subtle.sign("HMAC", imported, joined(pieces)));
}

/* Canonical JSON. */

/** Write a value as canonical JSON. Throws on a number that is no integer. */
export function canonical(value) {
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new Error("a number that is no plain integer");
    return String(value);
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.keys(value)
    .sort(bytewise)
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}

/** Compare two strings as their bytes in UTF-8 compare. */
function bytewise(one, other) {
  const [a, b] = [utf8.encode(one), utf8.encode(other)];
  const both = Math.min(a.length, b.length);
  for (let at = 0; at < both; at += 1) {
    if (a[at] !== b[at]) return a[at] - b[at];
  }
  return a.length - b.length;
}

/* Hidden parts, the chain and chance. */

export const partDigest = async (salt, value) => hex(await sha256(PART, salt, canonical(value)));

/** Give the salt of a hidden part, hex; `underSeed` is hmacUnder(seed). */
export async function partSalt(underSeed, version, field) {
  return hex((await underSeed(SALT, `${version}:${field}`)).slice(0, 16));
}

export const chainStart = (game) => sha256(CHAIN, game);

export const chainNext = (previous, open) => sha256(previous, canonical(open));

/** Give the key of a game's chance. */
export const chanceKey = (underSeed, game, nonces) => underSeed(KEY, canonical([game, nonces]));

/** Give the endless stream of 64-bit words of a draw; `underKey` is hmacUnder(key). */
export async function* words(underKey, number) {
  for (let block = 0n; ; block += 1n) {
    const counter = new DataView(new ArrayBuffer(16));
    counter.setBigUint64(0, BigInt(number));
    counter.setBigUint64(8, block);
    const view = new DataView((await underKey(DRAW, new Uint8Array(counter.buffer))).buffer);
    for (let at = 0; at < 32; at += 8) yield view.getBigUint64(at);
  }
}

/** Take a number from 0 to bound - 1 from a stream of words. */
export async function below(stream, bound) {
  const wide = BigInt(bound);
  const limit = 2n ** 64n - (2n ** 64n % wide);
  for (;;) {
    const { value: word } = await stream.next();
    if (word < limit) return Number(word % wide);
  }
}

/** Shuffle cards by a draw, the top card first. */
export async function shuffled(underKey, number, cards) {
  const stream = words(underKey, number);
  const order = [...cards].sort(bytewise);
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = await below(stream, last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/* Verifying. */

class Fault extends Error {
  constructor(version, why) {
    super(why);
    this.version = version;
  }
}

/**
 * Check a recording, given as bytes. Whatever they hold, the answer is a verdict:
 *
 *     exit      0 sealed and sound, 3 sound but not sealed, 1 a fault
 *     fault     what is wrong, or null; version: the first version at fault (0: the header)
 *     game, events, sealed
 *     shuffles  how many shuffles were made again
 *     others    how many other outcomes of chance each type of event has; none was made again
 */
export async function verify(data) {
  const verdict = {
    exit: 1, fault: null, version: null, game: null, events: 0, sealed: false, shuffles: 0, others: {},
  };
  try {
    await check(new Uint8Array(data), verdict);
    verdict.exit = verdict.sealed ? 0 : 3;
  } catch (error) {
    verdict.fault = error instanceof Error ? error.message : String(error);
    verdict.version = error instanceof Fault ? error.version : verdict.events;
  }
  return verdict;
}

/** Say a verdict in words. */
export function inWords(verdict) {
  if (verdict.fault !== null) return `fault at version ${verdict.version}: ${verdict.fault}`;
  const what = `game ${verdict.game}, ${verdict.events} events`;
  if (!verdict.sealed) {
    return `sound, not sealed: ${what}; the chain and all parts shown were checked, what is hidden`
      + " and chance can be checked once the game is sealed";
  }
  const left = Object.entries(verdict.others);
  const count = left.reduce((sum, [, number]) => sum + number, 0);
  const which = left.map(([type, number]) => `${number} ${type}`).join(", ");
  const others = count === 0
    ? "there was no other outcome of chance"
    : `${count} other outcomes of chance (${which}) were not, as what they choose from stands in the rules`;
  return `sealed and sound: ${what}; chain, commitment and every salt checked, ${verdict.shuffles}`
    + ` shuffles made again; ${others}; the moves and the final state were not checked against the`
    + " rules: potluck verify does that";
}

async function check(data, verdict) {
  const lines = linesOf(data);
  if (lines.length === 0) throw new Fault(0, "there is nothing in it");
  const header = headerOf(lines[0]);
  verdict.game = header.game;
  const records = [];
  let chain = await chainStart(header.game);
  const course = { time: 0, left: 0, actor: null, draws: 0, sealed: false };
  for (let version = 1; version < lines.length - 1; version += 1) {
    verdict.events = version;
    const record = recordOf(lines[version], version);
    checkPlace(record, version, course);
    if (version === 1) checkHeader(header, record.event);
    chain = await chainNext(chain, await openForm(record));
    if (record.chain !== hex(chain)) throw new Fault(version, "the chain breaks");
    records.push(record);
  }
  const count = records.length;
  verdict.events = count;
  if (lines.length < 2) throw new Fault(1, "the events end before the recording does");
  if (course.left > 0) throw new Fault(count + 1, "the events of a command are missing");
  const footer = footerOf(lines[count + 1], count + 1);
  if (footer.events !== count) throw new Fault(count + 1, "the events end before the recording does");
  if (count === 0) throw new Fault(1, "there is no event");
  if (footer.chain !== records[count - 1].chain) throw new Fault(count, "the footer ends on another chain");
  if (header.sealed !== course.sealed) throw new Fault(count, "the header is wrong about the seal");
  if (header.sealed !== (footer.state !== null)) {
    throw new Fault(count, "the footer tells a final state if and only if the game is sealed");
  }
  if (header.sealed) await checkSealed(header, records, verdict);
  verdict.sealed = header.sealed;
}

/** Cut a text at its line feeds; the last one may be missing. */
function linesOf(data) {
  const lines = [];
  let start = 0;
  while (start < data.length) {
    const found = data.indexOf(10, start);
    const end = found < 0 ? data.length : found;
    lines.push(data.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

/** Read a line, which must be written in the one form that there is. */
function read(line, version, what, members) {
  let value;
  try {
    const text = strict.decode(line);
    value = JSON.parse(text);
    canonical(value); // refuses what is no integer
    if (JSON.stringify(value) !== text) throw new Error("not in the form of a recording");
  } catch (error) {
    throw new Fault(version, `${what} cannot be read: ${error.message}`);
  }
  if (!isObject(value) || Object.keys(value).join() !== members) {
    throw new Fault(version, `${what} does not have the members of one`);
  }
  return value;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isInteger = (value) => typeof value === "number";
const isText = (value) => typeof value === "string";
const matches = (form, value) => isText(value) && form.test(value);

function need(version, holds, why) {
  if (!holds) throw new Fault(version, why);
}

function headerOf(line) {
  const header = read(line, 0, "the header", "potluck,format,game,ruleset,ruleset_version,sealed");
  need(0, header.potluck === "recording" && header.format === 1, "it is no recording of format 1");
  need(0, isText(header.game) && isText(header.ruleset), "the header names no game and ruleset");
  need(0, isInteger(header.ruleset_version), "the header names no version of its ruleset");
  need(0, typeof header.sealed === "boolean", "the header does not say whether it is sealed");
  return header;
}

function recordOf(line, version) {
  const record = read(
    line, version, "the event", "version,parent,time,actor,schema,count,event,chain",
  );
  for (const name of ["version", "parent", "time", "schema", "count"]) {
    need(version, isInteger(record[name]), `its ${name} is no number`);
  }
  need(version, matches(ACTOR, record.actor), "its actor is none");
  need(version, record.schema > 0, "its schema counts from 1");
  need(version, matches(HEX_32, record.chain), "its chain is no digest");
  need(version, isObject(record.event), "its event is no object");
  need(version, Object.keys(record.event)[0] === "type", "its event does not begin with a type");
  need(version, isText(record.event.type), "its event has no type");
  return record;
}

function footerOf(line, version) {
  const footer = read(line, version, "the footer", "events,chain,state");
  need(version, isInteger(footer.events), "the footer does not count the events");
  need(version, matches(HEX_32, footer.chain), "the footer's chain is no digest");
  const state = footer.state === null || matches(HEX_32, footer.state);
  need(version, state, "the footer's state is no digest");
  return footer;
}

/** Check an event's place: version, parent, time, count, draw; and that the seal is the end. */
function checkPlace(record, version, course) {
  const { event } = record;
  need(version, record.version === version, `version ${record.version} stands in its place`);
  need(version, !course.sealed, "something follows the seal");
  let parent = version - 1;
  if (event.type === "rewound") {
    parent = event.to;
    const there = isInteger(parent) && parent > 0 && parent < version;
    need(version, there, "it goes back to a version that is not there");
  }
  need(version, record.parent === parent, `it goes on from version ${record.parent}`);
  need(version, record.time >= course.time, "it happened before the one before");
  need(
    version,
    record.count >= 0 && (record.count === 0) === (course.left > 0),
    "it does not fit the count of its command's events",
  );
  if (record.count === 0) {
    const same = record.actor === course.actor && record.time === course.time;
    need(version, same, "it has not the actor and the time of its command");
  }
  if (event.chance !== undefined && event.chance !== null) {
    need(version, event.chance === course.draws, `it should use draw ${course.draws} of chance`);
    course.draws += 1;
  }
  course.left = (course.left || record.count) - 1;
  course.time = record.time;
  course.actor = record.actor;
  course.sealed = event.type === "sealed";
}

function checkHeader(header, created) {
  const same = created.type === "created" && created.game === header.game
    && created.ruleset === header.ruleset && created.ruleset_version === header.ruleset_version;
  need(1, same, "the header tells of another game");
  need(1, isPart(created.seed), "there is no commitment to the seed");
}

function isPart(value) {
  if (!isObject(value)) return false;
  const members = Object.keys(value).sort().join();
  return members === "digest" || members === "digest,salt,value";
}

const partsOf = (record) => Object.entries(record.event).filter(([, value]) => isPart(value));

/** Give what the chain is taken over; on the way each part shown is checked. */
async function openForm(record) {
  const { chain: _, ...open } = record;
  const event = { ...record.event };
  for (const [name, part] of partsOf(record)) {
    need(record.version, matches(HEX_32, part.digest), `${name} has no digest`);
    if ("value" in part) {
      const order = Object.keys(part).join() === "digest,salt,value";
      need(record.version, order, `${name} is not written in the form of a recording`);
      const fits = matches(HEX_16, part.salt)
        && (await partDigest(unhex(part.salt), part.value)) === part.digest;
      need(record.version, fits, `what is shown of ${name} does not match its digest`);
    }
    event[name] = { digest: part.digest };
  }
  return { ...open, event };
}

/** Check what a seal allows: the commitment, every salt, every shuffle. */
async function checkSealed(header, records, verdict) {
  const count = records.length;
  const seed = records[count - 1].event.seed;
  need(count, matches(HEX_32, seed), "the seal gives no seed");
  const committed = records[0].event.seed;
  need(1, committed.value === seed, "the seed is not the one that was committed to");
  const underSeed = await hmacUnder(unhex(seed));
  const nonces = [];
  let underKey = null;
  for (const record of records) {
    await checkSalts(record, underSeed);
    takeNonces(record, nonces);
    if (record.event.type === "started") {
      underKey = await hmacUnder(await chanceKey(underSeed, header.game, nonces));
    }
    await checkChance(record, underKey, verdict);
  }
}

async function checkSalts(record, underSeed) {
  for (const [name, part] of partsOf(record)) {
    need(record.version, "value" in part, `${name} is not shown though the game is sealed`);
    const salt = await partSalt(underSeed, record.version, name);
    need(record.version, part.salt === salt, `the salt of ${name} does not come from the seed`);
  }
}

function takeNonces({ version, event }, nonces) {
  if (event.type === "created") {
    const few = isInteger(event.seats) && event.seats > 0 && event.seats < 100;
    need(version, few, "it makes no table of so many seats");
    for (let seat = 0; seat < event.seats; seat += 1) nonces.push(null);
  } else if (["joined", "bundled_seated", "seat_freed"].includes(event.type)) {
    const there = isInteger(event.seat) && event.seat >= 0 && event.seat < nonces.length;
    need(version, there, "there is no such seat");
    const nonce = event.type === "joined" ? event.nonce : null;
    need(version, nonce === null || isText(nonce), "its nonce is none");
    nonces[event.seat] = nonce;
  }
}

async function checkChance({ version, event }, underKey, verdict) {
  if (event.chance === undefined || event.chance === null) return;
  need(version, underKey !== null, "it uses chance before the start");
  const orders = Object.entries(event).filter(
    ([name, value]) => (name === "order" || name.endsWith("_order")) && isPart(value),
  );
  if (orders.length === 0) {
    verdict.others[event.type] = (verdict.others[event.type] ?? 0) + 1;
    return;
  }
  for (const [name, { value: cards }] of orders) {
    need(version, Array.isArray(cards) && cards.every(isText), `${name} is no list of cards`);
    const again = await shuffled(underKey, event.chance, cards);
    need(version, again.join("\n") === cards.join("\n"), `${name} is not what draw ${event.chance} makes`);
    verdict.shuffles += 1;
  }
}

/* The command line. */

async function main(given) {
  const asJson = given[0] === "--json";
  const files = asJson ? given.slice(1) : given;
  if (files.length === 0) {
    console.error("usage: node verify.mjs [--json] FILE [FILE ...]");
    return 2;
  }
  const { readFile } = await import("node:fs/promises");
  let worst = 0;
  for (const file of files) {
    let data;
    try {
      data = await readFile(file);
    } catch (error) {
      console.error(`${file}: ${error.message}`);
      return 2;
    }
    const verdict = await verify(data);
    const told = files.length > 1 ? `${file}: ${inWords(verdict)}` : inWords(verdict);
    console.log(asJson ? JSON.stringify(verdict) : told);
    worst = verdict.exit === 1 || worst === 1 ? 1 : Math.max(worst, verdict.exit);
  }
  return worst;
}

const node = typeof process !== "undefined" && process.versions?.node !== undefined;
if (node && process.argv[1]) {
  const { pathToFileURL } = await import("node:url");
  const { realpathSync } = await import("node:fs");
  let own = false;
  try {
    own = pathToFileURL(realpathSync(process.argv[1])).href === import.meta.url;
  } catch {
    own = false; // run in another way, as with --eval: then it is a library
  }
  if (own) process.exitCode = await main(process.argv.slice(2));
}
