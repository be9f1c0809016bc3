/**
 * plyd.js - a client for games on plyd, for browsers and for Node 18 and later. Types: plyd.d.ts.
 *
 * A request has one Idempotency-Key for all of its attempts, and is repeated until it is answered. Moves
 * go through an outbox in the storage, so neither the network nor a reload loses them. News of a game
 * come by one connection for all tabs of a browser.
 */

const ATTEMPT_MS = 20_000;      // for an answer that does not wait for news
const WAIT_S = 25;              // what a long poll asks for
const SILENCE_MS = 40_000;      // a stream has a sign of life every 15 seconds
const FIRST_LINE_MS = 8_000;    // a stream that flows tells something at once
const PAUSE_MS = 500;           // before the second attempt; it doubles
const PAUSE_MAX_MS = 16_000;
const DEADLINE_MS = 60_000;     // over all attempts
const NO_STREAM_MS = 300_000;   // how long it is polled where streams do not flow
const HIDDEN_MS = 30_000;       // between two looks of a tab that nobody sees
const SHORT_MS = 3_000;         // between two looks of a tab without a connection of its own
const STREAMS = 4;              // of the six connections that a browser grants to a host
const LEASE_MS = 8_000;

const page = globalThis.document;
const secure = globalThis.navigator?.locks;
const crypto = globalThis.crypto ?? (await import(["node", "crypto"].join(":"))).webcrypto; // Node 18

/** A random text. `crypto.randomUUID` is missing on http:// addresses. */
const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)),
                                (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @returns {never} */
const fail = (error) => { throw error; };

const visible = () => page?.visibilityState !== "hidden";

/** What a request was refused with. `status` is 0 if there was no answer. */
export class PlydError extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title);
    this.name = "PlydError";
    this.problem = problem;
    for (const key of ["status", "code", "detail", "rule", "game"]) this[key] = problem[key];
    this.squares = problem.rule?.squares ?? [];
  }
}

class News extends Event {
  constructor(type, detail) {
    super(type);
    this.detail = detail;
  }
}

// ---- time ---------------------------------------------------------------------------------------

const wakers = new Set();
const wake = () => { for (const waker of [...wakers]) waker(); };
globalThis.addEventListener?.("online", wake);
globalThis.addEventListener?.("pageshow", wake);
page?.addEventListener("visibilitychange", () => visible() && wake());

/** Waits; not longer than until the network or the eyes of the user come back. */
const pause = (ms, signal, asleep = false) => new Promise((done) => {
  const end = () => {
    clearTimeout(timer);
    wakers.delete(end);
    signal?.removeEventListener("abort", end);
    done();
  };
  const timer = setTimeout(end, ms);
  if (!asleep) wakers.add(end);
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
});

/** A controller that follows a signal. (`AbortSignal.any` is missing in Node 18.) */
function follow(signal) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  controller.free = () => signal?.removeEventListener("abort", abort);
  return controller;
}

const jittered = (ms) => ms * (1 + Math.random()) / 2;

// ---- storage and locks ----------------------------------------------------------------------------

class Memory {
  #items = new Map();
  get length() { return this.#items.size; }
  key(index) { return [...this.#items.keys()][index] ?? null; }
  getItem(key) { return this.#items.get(key) ?? null; }
  setItem(key, value) { this.#items.set(key, value); }
  removeItem(key) { this.#items.delete(key); }
}

/** JSON under names with a prefix. What the storage refuses (full, forbidden) is kept in memory. */
class Store {
  #storage;
  #spare = new Memory();
  constructor(storage, prefix) {
    this.#storage = storage;
    this.prefix = prefix;
  }
  get(name) {
    const text = this.#spare.getItem(this.prefix + name) ?? this.#storage.getItem(this.prefix + name);
    try { return JSON.parse(text); } catch { return null; }
  }
  set(name, value) {
    const text = JSON.stringify(value);
    this.#spare.removeItem(this.prefix + name);
    try { this.#storage.setItem(this.prefix + name, text); }
    catch { this.#spare.setItem(this.prefix + name, text); }
  }
  remove(name) {
    this.#spare.removeItem(this.prefix + name);
    this.#storage.removeItem(this.prefix + name);
  }
  /** The names that begin with a text. */
  names(start) {
    const found = new Set();
    for (const storage of [this.#storage, this.#spare])
      for (let i = 0; i < storage.length; i++)
        if (storage.key(i).startsWith(this.prefix + start)) found.add(storage.key(i).slice(this.prefix.length));
    return [...found];
  }
}

function ownStorage() {
  try {
    const probe = "plyd:probe";
    localStorage.setItem(probe, "");
    localStorage.removeItem(probe);
    return localStorage;
  } catch { return new Memory(); }
}

/**
 * Holds a name among all tabs of this browser, and waits for it, or (without `wait`) gives up.
 * @returns {Promise<null | (() => void)>} what gives it back
 */
const hold = (store, name, signal, wait) => secure
  ? new Promise((got) => {
    secure.request(store.prefix + name, wait ? { signal } : { ifAvailable: true },
                   (lock) => new Promise((free) => got(lock && free))).catch(() => got(null));
  })
  : lease(store, `lease:${name}`, signal, wait);

/** The same where there are no locks: a line in the storage that must be renewed. */
async function lease(store, name, signal, wait) {
  const me = random();
  const mine = () => store.get(name)?.me === me;
  const renew = () => store.set(name, { me, until: Date.now() + LEASE_MS });
  while (!signal.aborted) {
    if (!(store.get(name)?.until > Date.now())) {
      renew();
      await pause(50 + 50 * Math.random(), signal, true); // another tab may write at the same moment
      if (mine()) {
        const timer = setInterval(() => mine() ? renew() : clearInterval(timer), LEASE_MS / 4);
        return () => {
          clearInterval(timer);
          if (mine()) store.remove(name);
        };
      }
    }
    if (!wait) return null;
    await pause(jittered(LEASE_MS / 4), signal, true);
  }
  return null;
}

// ---- requests -------------------------------------------------------------------------------------

const again = (status) => [0, 408, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 505);

const query = (parameters) => {
  const text = new URLSearchParams(Object.entries(parameters ?? {}).filter(([, value]) => value != null)).toString();
  return text && `?${text}`;
};

async function problemOf(answer) {
  const text = await answer.text();
  const plain = { status: answer.status, code: `http-${answer.status}`, detail: `The server answered ${answer.status}.` };
  try { return { ...plain, ...JSON.parse(text) }; } catch { return plain; }
}

/** A server, and who you are there. */
export class Plyd {
  #fetch;
  #store;
  #games = new Map();
  #catalogue = new Map();

  constructor({ server, token, fetch, storage, deadline = DEADLINE_MS } = {}) {
    const url = new URL(server ?? import.meta.url);
    if (!url.protocol.startsWith("http")) throw new TypeError("Say where the daemon is: new Plyd({ server: ... })");
    this.server = server ? url.href.replace(/\/$/, "") : url.origin;
    this.deadline = deadline;
    this.#fetch = fetch ?? ((...request) => globalThis.fetch(...request));
    this.#store = new Store(storage ?? (page ? ownStorage() : new Memory()), `plyd:${this.server}:`);
    this.token = token ?? this.#store.get("me")?.token ?? null;
    this.keys = {
      list: () => this.#store.names("game:").map((name) => ({ id: name.slice(5), ...this.#store.get(name) }))
        .sort((a, b) => b.at - a.at),
      remember: (id, token, more) => this.#store.set(`game:${id}`, { ...more, token, at: Date.now() }),
      forget: (id) => this.#store.remove(`game:${id}`),
    };
    for (const name of this.#store.names("out:")) { // what was not answered when the page was left
      const [, id] = name.split(":");
      this.game(id, { token: this.#store.get(name)?.token });
    }
    globalThis.addEventListener?.("storage", ({ key }) => {
      for (const game of this.#games.values())
        if (key?.startsWith(`${this.#store.prefix}out:${game.name}:`)) game.outboxChanged();
    });
    wakers.add(() => this.#games.forEach((game) => game.deliver()));
  }

  /**
   * One request, repeated until it is answered: the JSON of a 2xx, else a PlydError.
   * @returns {Promise<any>}
   */
  async request(method, path, options) {
    return (await this.send(method, path, options)).data;
  }

  /** @returns {Promise<{status: number, headers: Headers, data: any}>} */
  async send(method, path, { body, token = this.token, key, include, signal, headers, deadline = this.deadline,
                             timeout = ATTEMPT_MS, cache = "no-store", trouble } = {}) {
    const end = Date.now() + deadline;
    const request = {
      method, cache,
      headers: {
        Accept: "application/json", ...headers, ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(method !== "GET" && { "Idempotency-Key": key ?? random() }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    for (let wait = PAUSE_MS; ; wait = Math.min(2 * wait, PAUSE_MAX_MS)) {
      const answer = await this.#attempt(path + (include ? `${path.includes("?") ? "&" : "?"}include=${include}` : ""),
                                         request, signal, Math.min(timeout, end - Date.now()));
      if (!again(answer.status)) return answer.problem ? fail(new PlydError(answer.problem)) : answer;
      trouble?.(answer.problem);
      const after = 1000 * answer.headers?.get("Retry-After");
      const rest = after ? after * (1 + Math.random() / 4) : jittered(wait);
      if (Date.now() + rest >= end) throw new PlydError(answer.problem);
      await pause(rest, signal, after > 0);
    }
  }

  async #attempt(path, request, signal, timeout) {
    const controller = follow(signal);
    const timer = setTimeout(() => controller.abort(), timeout);
    try {
      signal?.throwIfAborted();
      const answer = await this.#fetch(this.server + path, { ...request, signal: controller.signal });
      const { status, headers } = answer;
      if (!answer.ok && status !== 304) return { status, headers, problem: await problemOf(answer) };
      const text = await answer.text();
      return { status, headers, data: text ? JSON.parse(text) : null };
    } catch {
      if (signal?.aborted) throw signal.reason;
      return { status: 0, problem: { status: 0, code: "no-answer", detail: "The server does not answer." } };
    } finally {
      clearTimeout(timer);
      controller.free();
    }
  }

  /** An answer that is not JSON: a stream. */
  open(path, token, signal) {
    return this.#fetch(this.server + path, {
      cache: "no-store", signal,
      headers: { Accept: "application/x-ndjson", ...(token && { Authorization: `Bearer ${token}` }) },
    });
  }

  #cached(path) {
    if (!this.#catalogue.has(path)) {
      const answer = this.request("GET", path, { token: null, cache: "default" });
      answer.catch(() => this.#catalogue.delete(path));
      this.#catalogue.set(path, answer);
    }
    return this.#catalogue.get(path);
  }

  async variants() { return (await this.#cached("/v1/variants")).items; }

  variant(name) { return this.#cached(`/v1/variants/${encodeURIComponent(name)}`); }

  /** The handle of a game; the same one for the same id and token. No request is made. */
  game(id, { token, include = "" } = {}) {
    const seat = token ?? this.#store.get(`game:${id}`)?.token ?? null;
    let game = new Game(this, this.#store, id, seat);
    game = this.#games.get(game.name) ?? this.register(game);
    game.wants(include);
    return game;
  }

  register(game) {
    this.#games.set(game.name, game);
    game.deliver();
    return game;
  }

  /** Makes a game. The rest of `options` is as of a request. */
  async create(body, { include = "", ...options } = {}) {
    return this.adopt(await this.request("POST", "/v1/games", { body, include, ...options }), { include });
  }

  /** The handle of a game that an answer has brought; its token is kept. */
  adopt(state, { include = "", token } = {}) {
    const seat = state.token ?? token;
    if (seat) this.keys.remember(state.id, seat, { variant: state.variant });
    const game = this.game(state.id, { token: seat, include });
    game.take(state);
    return game;
  }

  /** Who you are; null without a player's token. */
  async me(options) { return this.token ? this.request("GET", "/v1/me", options) : null; }

  /** Makes a player and keeps the token: from now on, your games belong to that player. */
  async player({ name }, options) {
    const made = await this.request("POST", "/v1/players", { body: { name }, token: null, ...options });
    this.token = made.token;
    this.#store.set("me", { token: made.token, id: made.id });
    return made;
  }

  /** A page of the player's games. */
  myGames(parameters, options) { return this.request("GET", `/v1/me/games${query(parameters)}`, options); }

  publicGames(parameters, options) { return this.request("GET", `/v1/games${query(parameters)}`, options); }
}

// ---- a game ---------------------------------------------------------------------------------------

/** A game: its last known state, what you do in it, and news. Made by `plyd.game()`. */
export class Game extends EventTarget {
  #plyd;
  #store;
  #include = new Set();
  #complete = true;    // whether the state has everything that is included
  #newest = 0;         // the greatest version that is known to exist
  #heard = 0;          // the version of the last event that was told
  #mine = new Map();   // the moves that were made here, by key
  #sending = null;
  #loading = null;
  #watchers = 0;
  #feed = null;
  #pollUntil = 0;

  constructor(plyd, store, id, token) {
    super();
    this.#plyd = plyd;
    this.#store = store;
    this.id = id;
    this.seat_token = token;
    this.state = null;
    this.connection = "closed";
  }

  get token() { return this.seat_token ?? this.#plyd.token; }
  get you() { return this.state?.you ?? null; }
  get name() { return `${this.id}:${(this.token ?? "").slice(-8)}`; }
  get include() { return [...this.#include].join(); }

  #tell(type, detail) { this.dispatchEvent(new News(type, detail)); }

  wants(include) {
    for (const part of include.split(",")) {
      if (!part || this.#include.has(part)) continue;
      this.#include.add(part);
      this.#complete = false;
    }
  }

  /** A request about this game: `path` is what follows /v1/games/ID. A state in the answer is taken over. */
  async request(method, path = "", options = {}) {
    const { data } = await this.#plyd.send(method, `/v1/games/${this.id}${path}`, { token: this.token, ...options });
    this.take(data?.game ?? data, null, [data, ...(data?.answers ?? [])]);
    return data;
  }

  /** Takes a state over, unless it is older than the known one. */
  take(state, event = null, moves = []) {
    if (state?.id !== this.id || !(state.version >= this.#newest)) return;
    this.#newest = state.version;
    const complete = [...this.#include].every((part) => part in state || state.legal_omitted);
    if (!complete) return void this.#refresh(event);
    if (state.version === this.state?.version && this.#complete) return;
    const { token, tokens, answers, imported, seat, ...game } = state;
    this.state = game;
    this.#complete = true;
    this.#tell("state", { state: game, event, moves: moves.filter((move) => move?.effects) });
  }

  /** Loads the state from the server. */
  async load(options) {
    await this.request("GET", "", { include: this.include, ...options });
    return this.state;
  }

  // Loads the game until it is as new as the news. An event alone would not bring the board.
  #refresh(event, options) {
    return this.#loading ??= (async () => {
      while (this.#newest > (this.state?.version ?? 0) || !this.#complete) {
        const old = this.state;
        const [state, moves] = await Promise.all([
          this.#plyd.request("GET", `/v1/games/${this.id}`, { token: this.token, include: this.include, ...options }),
          event?.type === "move" && old ? this.moves({ after: old.ply, line: event.line }).catch(() => []) : [],
        ]);
        this.take(state, event, state.version - old?.version === moves.length ? moves : []);
      }
    })().catch(() => {}).finally(() => { this.#loading = null; });
  }

  // -- moves --

  get #out() { return `out:${this.name}:`; }

  /** The moves that are not answered yet, in the order in which they were made. */
  get pending() {
    const moves = new Map([...this.#mine].map(([key, { entry }]) => [key, entry]));
    for (const name of this.#store.names(this.#out)) {
      const entry = this.#store.get(name);
      if (entry) moves.set(entry.key, entry);
    }
    return [...moves.values()].sort((a, b) => a.ply - b.ply || a.at - b.at);
  }

  outboxChanged() { this.#tell("pending", this.pending); }

  /**
   * Plays a move: `{ move }` or `{ clicks }`. It is kept at once, and sent until it is answered.
   * @returns {Promise<any>} the move as it was played; a refusal is a PlydError
   */
  async move(body) {
    if (this.state === null) await this.load();
    const before = this.pending.length, key = random();
    const entry = { ply: this.state.ply + before + 1, key, at: Date.now(), token: this.token, ...body };
    if (before === 0) entry.line = this.state.line; // the moves before a later one may open another line
    this.#store.set(this.#out + key, entry);
    const answered = new Promise((resolve, reject) => this.#mine.set(key, { entry, resolve, reject }));
    this.outboxChanged();
    this.deliver();
    return answered;
  }

  /** Sends what is in the outbox, one after the other. */
  deliver() {
    this.#sending ??= this.#deliverAll().finally(() => {
      this.#sending = null;
      if (this.pending.length > 0) this.deliver();
    });
    return this.#sending;
  }

  async #deliverAll() {
    for (let entry; (entry = this.pending[0]) !== undefined;) {
      const { ply, key, at, token, ...body } = entry;
      try {
        const played = await this.#plyd.request("PUT", `/v1/games/${this.id}/moves/${ply}`, {
          body, token, key, include: this.include, deadline: Infinity,
        });
        this.#settle(entry, (mine) => mine.resolve(played));
        this.take(played.game ?? played, null, [played, ...(played.answers ?? [])]);
        this.outboxChanged();
      } catch (error) {
        // The moves behind a refused one were meant for a game that went another way.
        for (const gone of this.pending) this.#settle(gone, (mine) => mine.reject(error));
        this.outboxChanged();
        this.#tell("refused", error);
        await this.load().catch(() => {});
      }
    }
  }

  #settle({ key }, settle) {
    this.#store.remove(this.#out + key);
    const mine = this.#mine.get(key);
    this.#mine.delete(key);
    if (mine) settle(mine);
  }

  /** Why a move would be refused; null if it would be played. */
  async ask(body, options) {
    const ply = (this.state ?? await this.load(options)).ply + this.pending.length + 1;
    try {
      await this.#plyd.request("PUT", `/v1/games/${this.id}/moves/${ply}?dry_run=true`,
                               { body, token: this.token, ...options });
      return null;
    } catch (error) {
      if (error instanceof PlydError && !again(error.status)) return error;
      throw error;
    }
  }

  // -- what else one does --

  async #do(method, path, body, options) {
    await this.#sending; // nothing overtakes a move
    return this.request(method, path, { include: this.include, ...(body && { body }), ...options });
  }

  /** `resign`, `undo`, `redo`, `abort`, `resume` (ends a pause), or `rematch`, which brings the next Game. */
  async act(action, body, options) {
    if (action === "resume") return this.#do("DELETE", "/pause", null, options);
    const answer = await this.#do("POST", `/${action}`, body, options);
    return action === "rematch"
      ? this.#plyd.adopt(answer, { token: this.seat_token, include: this.include }) : answer;
  }

  offer(body, options) { return this.#do("POST", "/offers", body, options); }
  accept(id, options) { return this.#do("POST", `/offers/${id}/accept`, null, options); }
  decline(id, options) { return this.#do("POST", `/offers/${id}/decline`, null, options); }
  withdraw(id, options) { return this.#do("DELETE", `/offers/${id}`, null, options); }
  claim(kind, options) { return this.#do("POST", "/claims", { kind }, options); }
  say(text, ply, options) { return this.#do("POST", "/messages", { text, ply }, options); }
  invite(body, options) { return this.#do("POST", "/invitations", body, options); }

  /** Takes an open seat. Its token is kept, and this handle plays it from now on. */
  async join(body = {}, options) {
    const joined = await this.#plyd.request("POST", `/v1/games/${this.id}/join`,
                                            { body, include: this.include, ...options });
    this.seat_token = joined.token;
    this.#plyd.register(this);
    this.#plyd.keys.remember(this.id, joined.token, { variant: joined.variant });
    this.take(joined);
    this.#restart();
    return joined;
  }

  // -- history --

  position(ply, { line, include, ...options } = {}) {
    return this.request("GET", `/positions/${ply}${query({ line, include })}`, options);
  }

  async #pages(path, options) {
    const items = [];
    for (let next = `/v1/games/${this.id}${path}`; next;) {
      const answer = await this.#plyd.request("GET", next, { token: this.token, ...options });
      items.push(...answer.items);
      next = answer.next;
    }
    return items;
  }

  /** All moves of a line. */
  moves({ line, after, ...options } = {}) {
    return this.#pages(`/moves${query({ line, after, limit: 200 })}`, options);
  }

  /** All events behind a version. */
  events({ after = 0, type, ...options } = {}) {
    return this.#pages(`/events${query({ after, type, limit: 200 })}`, options);
  }

  // -- news --

  /** Follows the game until the function that it returns is called. */
  watch() {
    if (this.#watchers++ === 0) this.#restart();
    else if (!this.#complete) this.#refresh(null);
    let stopped = false;
    return () => {
      if (stopped) return;
      stopped = true;
      if (--this.#watchers === 0) this.#restart();
    };
  }

  #restart() {
    this.#feed?.abort();
    this.#feed = null;
    if (this.#watchers === 0) return this.#connect("closed");
    this.#feed = new AbortController();
    this.#run(this.#feed.signal);
  }

  #connect(state) {
    if (this.connection === state) return;
    this.connection = state;
    this.#tell("connection", state);
  }

  // Tells what is new. What another tab has relayed may have a gap.
  async #news(events, options) {
    if (events[0]?.version > this.#heard + 1) events = await this.events({ after: this.#heard, ...options });
    const fresh = events.filter((event) => event.version > this.#heard);
    for (const event of fresh) {
      this.#heard = event.version;
      this.#tell("event", event);
    }
    this.#newest = Math.max(this.#newest, this.#heard);
    if (this.#newest > this.state.version) await this.#refresh(fresh.at(-1), options);
  }

  async #run(signal) {
    const channel = page && globalThis.BroadcastChannel ? new BroadcastChannel(this.#store.prefix + this.name) : null;
    const tell = (message) => {
      if (message.connection) this.#connect(message.connection);
      if (message.events?.length) this.#news(message.events, feed.options).catch(() => {});
    };
    // What a request of the feed needs: it is repeated for as long as the game is watched.
    const feed = {
      tell, leads: false,
      say: (message) => {
        tell(message);
        if (feed.leads) channel?.postMessage(message);
      },
      options: { signal, deadline: Infinity, trouble: () => feed.say({ connection: "offline" }) },
    };
    if (channel) {
      channel.onmessage = ({ data }) => {
        if (!data.hello) tell(data);
        else if (feed.leads) channel.postMessage({ connection: this.connection });
      };
    }
    try {
      if (this.state === null || !this.#complete) await this.load(feed.options);
      this.#heard ||= this.state.version;
      channel?.postMessage({ hello: true });
      while (!signal.aborted) {
        await this.#look(feed);
        if (visible()) await this.#visibly(feed, signal);
        else await pause(jittered(HIDDEN_MS), signal);
      }
    } catch {
      if (!signal.aborted) this.#connect("closed"); // 401, 404: the game is not ours to see
    } finally {
      channel?.close();
    }
  }

  // Follows the game while somebody sees this tab: by a connection of its own, or by that of another tab.
  async #visibly(feed, signal) {
    const seen = follow(signal);
    const hide = () => visible() || seen.abort();
    page?.addEventListener("visibilitychange", hide);
    const free = page && await hold(this.#store, `feed:${this.name}`, seen.signal, true);
    try {
      feed.leads = true;
      while (!seen.signal.aborted) await this.#lead(feed, seen.signal);
    } finally {
      feed.leads = false;
      page?.removeEventListener("visibilitychange", hide);
      seen.free();
      free?.();
    }
  }

  async #lead(feed, signal) {
    if (Date.now() < this.#pollUntil) return this.#poll(feed, signal);
    const slot = await this.#slot(signal);
    if (slot === null) { // this browser has no connection to spare
      await this.#look(feed);
      feed.say({ connection: "polling" });
      return pause(jittered(SHORT_MS), signal);
    }
    const stream = await this.#stream(feed, signal).finally(slot);
    if (signal.aborted) return;
    if (stream === "flowed") return pause(jittered(2 * PAUSE_MS), signal);
    let troubled = stream === "failed";
    const { trouble } = feed.options;
    if (troubled) trouble();
    await this.#look({ ...feed, options: { ...feed.options, trouble: () => { troubled = true; trouble(); } } });
    if (!troubled) this.#pollUntil = Date.now() + NO_STREAM_MS; // something on the way holds streams back
  }

  async #slot(signal) {
    if (!page) return () => {};
    for (let i = 0; i < STREAMS; i++) {
      const free = await hold(this.#store, `stream:${i}`, signal, false);
      if (free) return free;
    }
    return null;
  }

  // Reads a stream to its end: "flowed" if it told something, "stuck" if not, "failed" without an answer.
  // It begins with the last event that is known, so something comes at once.
  async #stream(feed, signal) {
    const dead = follow(signal);
    let timer, result = "failed";
    const alive = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(() => dead.abort(), ms);
    };
    try {
      alive(FIRST_LINE_MS);
      const answer = await this.#plyd.open(`/v1/games/${this.id}/events?after=${this.#heard - 1}`, this.token, dead.signal);
      if (!answer.ok && !again(answer.status)) throw new PlydError(await problemOf(answer));
      result = "stuck";
      const decoder = new TextDecoder(), reader = answer.body.getReader();
      for (let rest = "", part; answer.ok && !(part = await reader.read()).done;) {
        const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
        rest = lines.pop();
        result = "flowed";
        alive(SILENCE_MS);
        feed.say({ connection: "live", events: lines.filter(Boolean).map((line) => JSON.parse(line)) });
      }
    } catch (error) {
      if (error instanceof PlydError) throw error;
      if (dead.signal.aborted && result === "failed") result = "stuck";
    } finally {
      clearTimeout(timer);
      dead.abort();
      dead.free();
    }
    return result;
  }

  // A look at the log that waits for news.
  async #poll(feed, signal) {
    const began = Date.now();
    feed.say({ connection: "polling" });
    const items = await this.#look({ ...feed, options: {
      ...feed.options, signal, headers: { Prefer: `wait=${WAIT_S}` }, timeout: SILENCE_MS } });
    if (items.length === 0 && Date.now() - began < PAUSE_MS * 4) await pause(4 * PAUSE_MS, signal);
  }

  async #look(feed) {
    const { items } = await this.#plyd.request("GET", `/v1/games/${this.id}/events?after=${this.#heard}&limit=200`,
                                               { token: this.token, ...feed.options });
    if (items.length > 0) feed.say({ events: items });
    return items;
  }
}
