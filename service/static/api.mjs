// The client that the pages use. It does what any client can: the same API, the same contract.
//
//   const client = new Client();
//   await client.player("Ada");                      becomes a player, unless it is one already
//   const game = await client.get("/v1/games/…");
//   await client.post("/v1/games/…/actions", {…});   safe to repeat: it carries a key of its own
//   const stop = client.stream(game, { event, presence, reset, end, online });
//
// The token stays in this origin's local storage and in the Authorization header; it never stands
// in an address.

const TOKEN = "potluck.player";
const LANGUAGE = "potluck.language";
export const LANGUAGES = ["en", "ru", "de", "fr"];

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export function randomHex(bytes = 16) {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, "0")).join("");
}

/** What the service refused, as problem details (RFC 9457); or `network`, where it gave no answer. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || body.code);
    this.status = status;
    this.code = body.code;
    this.rule = body.rule ?? null;
    this.body = body;
  }
}

export function storedLanguage() {
  const wanted = [localStorage.getItem(LANGUAGE), ...(navigator.languages || [])];
  const found = wanted.map((tag) => (tag || "").slice(0, 2)).find((tag) => LANGUAGES.includes(tag));
  return found || "en";
}

export class Client {
  constructor(language = storedLanguage()) {
    this.language = language;
    this.identity = JSON.parse(localStorage.getItem(TOKEN) || "null");
  }

  setLanguage(language) {
    this.language = language;
    localStorage.setItem(LANGUAGE, language);
  }

  /** Become a player, or be the one that this browser has been before. */
  async player(name) {
    if (this.identity) {
      try {
        await this.get("/v1/players/me");
        return this.identity;
      } catch (error) {
        if (error.status !== 401) throw error;
        this.forget(); // another store: nobody there knows this token
      }
    }
    this.identity = await this.post("/v1/players", { name });
    localStorage.setItem(TOKEN, JSON.stringify(this.identity));
    return this.identity;
  }

  forget() {
    this.identity = null;
    localStorage.removeItem(TOKEN);
  }

  headers(more = {}) {
    /** @type {Record<string, string>} */
    const headers = { "Accept-Language": this.language, ...more };
    if (this.identity) headers.Authorization = `Bearer ${this.identity.token}`;
    return headers;
  }

  /**
   * @template {string} P
   * @param {P} path
   * @returns {Promise<import("./client.js").Answer<P, "get">>}
   */
  get(path) {
    return this.request("GET", path);
  }

  /**
   * @template {string} P
   * @param {P} path
   * @param {import("./client.js").Body<P, "post">} [body]
   * @returns {Promise<import("./client.js").Answer<P, "post">>}
   */
  post(path, body) {
    return this.request("POST", path, body);
  }

  /**
   * @template {string} P
   * @param {P} path
   * @returns {Promise<import("./client.js").Answer<P, "delete">>}
   */
  delete(path) {
    return this.request("DELETE", path);
  }

  /** Ask; where no answer comes, ask again with the same key, so that it happens once. */
  async request(method, path, body) {
    const headers = this.headers();
    if (method !== "GET" && path !== "/v1/players") headers["Idempotency-Key"] = randomHex();
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const payload = body === undefined ? undefined : JSON.stringify(body);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.once(path, { method, headers, body: payload, cache: "no-store" });
      } catch (error) {
        const passing = error.status === 0 || error.status === 503;
        if (!passing || attempt >= 4) throw error;
        await pause(300 * 2 ** attempt);
      }
    }
  }

  async once(path, options) {
    let response;
    try {
      response = await fetch(path, options);
    } catch (error) {
      throw new Problem(0, { code: "network", detail: String(error) });
    }
    if (response.status === 204) return null;
    let answer;
    try {
      answer = await response.json();
    } catch (error) {
      throw new Problem(0, { code: "network", detail: String(error) });
    }
    if (!response.ok) throw new Problem(response.status, answer);
    return answer;
  }

  /**
   * Follow a game's events as they come, again and again until it ends or `stop` is called.
   * `event(record)`, `presence(seats)`, `reset()`: forget all events, they come anew, `end(reason)`,
   * `online(boolean)`, `refused(problem)`. Begins after the cursor `after`, if there is one.
   */
  stream(game, on, after = "") {
    const aborter = new AbortController();
    follow(this, game, on, { cursor: after, retry: 2000, ended: false }, aborter.signal);
    return () => aborter.abort();
  }
}

async function follow(client, game, on, state, signal) {
  while (!state.ended && !signal.aborted) {
    try {
      await readOnce(client, game, on, state, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status !== 429 && error.status < 500) {
        on.refused?.(error);
        return;
      }
    }
    if (state.ended || signal.aborted) return;
    on.online?.(false);
    await pause(state.retry);
  }
}

async function readOnce(client, game, on, state, signal) {
  const headers = client.headers({ Accept: "text/event-stream" });
  if (state.cursor) headers["Last-Event-ID"] = state.cursor;
  const address = `/v1/games/${game}/events`;
  const response = await fetch(address, { headers, signal, cache: "no-store" });
  if (response.status === 204) {
    state.ended = true;
    on.end?.("sealed");
    return;
  }
  if (!response.ok) throw new Problem(response.status, await response.json());
  on.online?.(true);
  for await (const message of messages(response.body)) {
    if (message.retry !== undefined) state.retry = message.retry;
    if (message.id !== undefined) state.cursor = message.id;
    if (message.data === undefined) continue;
    tell(on, state, message);
  }
}

function tell(on, state, message) {
  const data = JSON.parse(message.data || "null");
  if (message.event === "presence") on.presence?.(data.seats);
  else if (message.event === "reset") on.reset?.();
  else if (message.event === "end") {
    state.ended = true;
    on.end?.(data.reason);
  } else if (message.event === undefined) on.event?.(data);
}

/** Cut a body into the messages of an event stream. */
export async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const pieces = (rest + value).split("\n\n");
    rest = pieces.pop();
    for (const piece of pieces) yield message(piece);
  }
}

function message(piece) {
  const found = {};
  for (const line of piece.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (name === "retry") found.retry = Number(value);
    else if (name === "data") found.data = found.data === undefined ? value : `${found.data}\n${value}`;
    else found[name] = value;
  }
  return found;
}

/** Read how a game calls its cards, actions, rules and the rest, in the client's language. */
export async function loadTexts(client, ruleset) {
  const [detail, cards] = await Promise.all([
    client.get(`/v1/rulesets/${ruleset}`),
    client.get(`/v1/rulesets/${ruleset}/cards`),
  ]);
  const labels = (list) => Object.fromEntries(list.map(({ id, label }) => [id, label]));
  const terms = Object.fromEntries(
    Object.entries(detail.terms).map(([section, list]) => [section, labels(list)]),
  );
  const actions = labels(detail.actions);
  const decisions = labels(detail.decisions);
  const rules = Object.fromEntries(detail.rules.map((rule) => [rule.id, rule.text]));
  const facts = Object.fromEntries(cards.cards.map((card) => [card.id, card]));
  return {
    ruleset,
    language: client.language,
    detail,
    facts,
    card: (id) => cards.names[id] || id,
    fact: (id) => facts[id] || null,
    term: (section, id) => terms[section]?.[id] || id,
    action: (id) => actions[id] || id,
    decision: (id) => decisions[id] || id,
    rule: (id) => rules[id] || "",
  };
}
