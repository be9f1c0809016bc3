/**
 * plyd.js - a client for games on plyd, for browsers and for Node 18 and later. The types are in plyd.d.ts.
 *
 * A request is repeated under one Idempotency-Key until it is answered. Moves go through an outbox in the
 * storage, so neither the network nor a reload loses them. The news of a game come by one connection for
 * all tabs of a browser.
 */

const DEADLINE_MS = 60_000;     // for all attempts of a request
const ATTEMPT_MS = 20_000;
const PAUSE_MS = 500;           // before the second attempt; it doubles
const PAUSE_MAX_MS = 8_000;
const SILENCE_MS = 40_000;      // a stream has a sign of life every 15 seconds
const FIRST_LINE_MS = 8_000;    // what a stream begins with comes at once, or something holds it back
const NO_STREAM_MS = 300_000;   // for so long it is polled, then
const WAIT_S = 25;              // how long a poll waits for news
const SHORT_MS = 3_000;         // between two looks where there is no connection to spare
const HIDDEN_MS = 30_000;       // between two looks of a tab that nobody sees
const LEASE_MS = 8_000;
const STREAMS = 4;              // of the six connections to a host that a browser grants

const page = globalThis.document;
const crypto = globalThis.crypto ?? (await import(["node", "crypto"].join(":"))).webcrypto; // Node 18

/** A random text. (`crypto.randomUUID` is missing on http:// addresses.) */
const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)),
                                (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A key of a request: a UUID of version 7. A game that is made with it has its time in its id. */
function newKey() {
  const time = Date.now().toString(16).padStart(12, "0"), rest = random();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-a${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
}

const jittered = (ms) => ms * (1 + Math.random()) / 2;

/** What is shared by all tabs that play these seats. */
const nameOf = (id, token) => `${id}:${(token ?? "").slice(-8)}`;

function query(parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value != null);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
}

const SILENT = { status: 0, code: "no-answer", detail: "The server does not answer." };

/** Why a request was refused, or (`status` 0) that there was no answer. */
export class PlydError extends Error {
  constructor(problem) {
    super(problem.detail);
    this.name = "PlydError";
    this.problem = problem;
    for (const key of ["status", "code", "detail", "rule", "game"]) this[key] = problem[key];
    this.squares = problem.rule?.squares ?? [];
  }
}

class News extends Event { // CustomEvent is missing in Node 18
  constructor(type, detail) {
    super(type);
    this.detail = detail;
  }
}

// ---- time ---------------------------------------------------------------------------------------

const visible = () => page?.visibilityState !== "hidden";

const wakers = new Set();
const wake = () => { for (const waker of [...wakers]) waker(); };
globalThis.addEventListener?.("online", wake);
page?.addEventListener("visibilitychange", () => visible() && wake());

/** Waits. It ends early if the network is back or the page is seen again, unless it is `asleep`. */
const pause = (ms, signal, asleep = false) => new Promise((done) => {
  const end = () => {
    clearTimeout(timer);
    wakers.delete(end);
    signal?.removeEventListener("abort", end);
    done();
  };
  const timer = setTimeout(end, signal?.aborted ? 0 : ms);
  if (!asleep) wakers.add(end);
  signal?.addEventListener("abort", end);
});

/** A controller that ends with a signal, too, and must be ended. (`AbortSignal.any` is missing in Node 18.) */
function follow(signal) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { signal: controller.signal });
  return controller;
}

// ---- storage and locks ----------------------------------------------------------------------------

class Memory {
  #items = new Map();
  get length() { return this.#items.size; }
  key(index) { return [...this.#items.keys()][index] ?? null; }
  getItem(key) { return this.#items.get(key) ?? null; }
  setItem(key, value) { this.#items.set(key, value); }
  removeItem(key) { this.#items.delete(key); }
}

/** A storage of the page; memory where there is none, or it is forbidden. */
function storageOf(name) {
  try {
    if (page && globalThis[name].length >= 0) return globalThis[name];
  } catch { /* forbidden */ }
  return new Memory();
}

/** JSON in a storage, under names with a prefix. */
class Store {
  constructor(storage, prefix) {
    this.storage = storage;
    this.prefix = prefix;
  }

  get(name) {
    try { return JSON.parse(this.storage.getItem(this.prefix + name)); } catch { return null; }
  }

  remove(name) { this.storage.removeItem(this.prefix + name); }

  set(name, value) {
    try { this.storage.setItem(this.prefix + name, JSON.stringify(value)); } catch { /* it is full */ }
  }

  /** The names that begin with a text, and their values. */
  list(start) {
    const keys = Array.from({ length: this.storage.length }, (_, i) => this.storage.key(i));
    return keys.filter((key) => key.startsWith(this.prefix + start))
      .map((key) => key.slice(this.prefix.length)).map((name) => [name, this.get(name)])
      .filter(([, value]) => value);
  }

  /**
   * Waits until this tab is the only one of the browser that holds a name, or (without `wait`) gives up.
   * @returns {Promise<null | (() => void)>} what gives it back
   */
  hold(name, signal, wait) {
    const locks = globalThis.navigator?.locks; // only on https:// and localhost
    if (!locks) return this.#lease(`lease:${name}`, signal, wait);
    return new Promise((got) => {
      locks.request(this.prefix + name, wait ? { signal } : { ifAvailable: true },
                    (lock) => new Promise((free) => got(lock && free)))
        .catch(() => got(signal.aborted ? null : () => {})); // an origin that has no locks shares nothing
    });
  }

  // The same by an item in the storage that has to be renewed.
  async #lease(name, signal, wait) {
    const me = random();
    const mine = () => this.get(name)?.me === me;
    const renew = () => this.set(name, { me, until: Date.now() + LEASE_MS });
    while (!signal.aborted) {
      if (!(this.get(name)?.until > Date.now())) {
        renew();
        await pause(50 + 50 * Math.random(), signal, true); // another tab may write at the same moment
        if (mine()) {
          const timer = setInterval(() => mine() && renew(), LEASE_MS / 4);
          return () => {
            clearInterval(timer);
            if (mine()) this.remove(name);
          };
        }
      }
      if (!wait) break;
      await pause(jittered(LEASE_MS / 4), signal, true);
    }
    return null;
  }
}

// ---- requests -------------------------------------------------------------------------------------

/** Whether a request has to be repeated: without an answer, nobody knows whether it was done. */
const again = (status) => [0, 408, 425, 429, 500, 502, 503, 504].includes(status) || status > 505;

async function problemOf(answer) {
  const { status } = answer, text = await answer.text();
  const plain = { status, code: `http-${status}`, detail: `The server answered ${status}.` };
  try { return { ...plain, ...JSON.parse(text) }; } catch { return plain; }
}

/** A server, and who you are there. */
export class Plyd {
  #fetch;
  #store;
  #tab; // the tokens of this tab: another one may play the other seat
  #games = new Map();
  #catalogue = new Map();

  constructor({ server = new URL(import.meta.url).origin, token, fetch, storage, lang, deadline = DEADLINE_MS } = {}) {
    if (!/^https?:/.test(server)) throw new TypeError("Say where the daemon is: new Plyd({ server: \"http://...\" })");
    this.server = server.replace(/\/$/, "");
    this.deadline = deadline;
    this.lang = lang && !/^en\b/.test(lang) ? lang : null; // of what people read in answers; null: English
    this.#fetch = fetch ?? ((...request) => globalThis.fetch(...request));
    this.#store = new Store(storage ?? storageOf("localStorage"), `plyd:${this.server}:`);
    this.#tab = new Store(storage ? new Memory() : storageOf("sessionStorage"), this.#store.prefix);
    this.token = token ?? this.#store.get("me")?.token ?? null;
    this.keys = {
      list: () => this.#store.list("game:").map(([name, value]) => ({ id: name.slice(5), ...value }))
        .sort((a, b) => b.at - a.at),
      remember: (id, token, more) => {
        for (const store of [this.#store, this.#tab]) store.set(`game:${id}`, { ...more, token, at: Date.now() });
      },
      forget: (id) => { for (const store of [this.#store, this.#tab]) store.remove(`game:${id}`); },
    };
    for (const [name, { token }] of this.#store.list("out:")) this.game(name.split(":")[1], { token });
    wakers.add(() => this.#games.forEach((game) => game.deliver()));
    globalThis.addEventListener?.("storage", ({ key }) => { // another tab has moved
      for (const game of this.#games.values())
        if (key?.startsWith(`${this.#store.prefix}out:${game.name}:`)) game.tellPending();
    });
  }

  /** One request, repeated until it is answered: the JSON of a 2xx. Anything else is a PlydError. */
  async request(method, path, { body, token = this.token, key = newKey(), include, signal, headers, trouble,
                                deadline = this.deadline, timeout = ATTEMPT_MS, ...more } = {}) {
    const end = Date.now() + deadline;
    const asked = query({ include: include || null, lang: include == null ? null : this.lang }); // what has the one has the other
    const url = `${this.server}${path}${path.includes("?") ? asked.replace("?", "&") : asked}`;
    const request = {
      cache: "no-store", // else Chromium lets every GET of an address wait for the one that waits for news
      ...more, method,
      headers: {
        Accept: "application/json", ...(token && { Authorization: `Bearer ${token}` }),
        ...(method !== "GET" && { "Idempotency-Key": key }),
        ...(body && { "Content-Type": "application/json" }), ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    for (let wait = PAUSE_MS; ; wait = Math.min(2 * wait, PAUSE_MAX_MS)) {
      const { data, problem, after } = await this.#attempt(url, request, signal, Math.min(timeout, end - Date.now()));
      if (!problem) return data;
      const rest = after ? 1000 * after * (1 + Math.random() / 4) : jittered(wait);
      if (!again(problem.status) || Date.now() + rest >= end) throw new PlydError(problem);
      trouble?.(problem);
      await pause(rest, signal, after > 0);
    }
  }

  async #attempt(url, request, signal, timeout) {
    const controller = follow(signal);
    const timer = setTimeout(() => controller.abort(), timeout);
    try {
      const answer = await this.#fetch(url, { ...request, signal: controller.signal });
      if (!answer.ok) return { problem: await problemOf(answer), after: Number(answer.headers.get("Retry-After")) };
      return { data: answer.status === 204 ? null : await answer.json() };
    } catch {
      if (signal?.aborted) throw signal.reason;
      return { problem: SILENT };
    } finally {
      clearTimeout(timer);
      controller.abort();
    }
  }

  /** A stream of lines. */
  stream(path, token, signal) {
    const headers = { Accept: "application/x-ndjson", ...(token && { Authorization: `Bearer ${token}` }) };
    return this.#fetch(this.server + path, { cache: "no-store", headers, signal });
  }

  #constant(path) {
    if (!this.#catalogue.has(path)) {
      const answer = this.request("GET", path, { token: null, cache: "default", include: "" });
      answer.catch(() => this.#catalogue.delete(path));
      this.#catalogue.set(path, answer);
    }
    return this.#catalogue.get(path);
  }

  async variants() { return (await this.#constant("/v1/variants")).items; }
  async engines() { return (await this.#constant("/v1/variants")).engines; }
  variant(name) { return this.#constant(`/v1/variants/${encodeURIComponent(name)}`); }

  /** The handle of a game, one for each id and token. There is no request yet. */
  game(id, { token = (this.#tab.get(`game:${id}`) ?? this.#store.get(`game:${id}`))?.token ?? null, include = "" } = {}) {
    const game = this.#games.get(nameOf(id, token ?? this.token))
      ?? this.register(new Game(this, this.#store, id, token));
    game.wants(include);
    return game;
  }

  register(game) {
    this.#games.set(game.name, game);
    game.deliver(); // what was not answered when the page was left
    return game;
  }

  async create(body, { include = "", ...options } = {}) {
    return this.adopt(await this.request("POST", "/v1/games", { body, include, ...options }), { include });
  }

  /** The handle of a game that an answer has brought (create, import, fork). Its token is kept. */
  adopt(state, { include = "", token = state.token } = {}) {
    if (token) this.keys.remember(state.id, token, { variant: state.variant });
    const game = this.game(state.id, { token, include });
    game.take(state, include);
    return game;
  }

  /** The key of a seat plays the rematch, too: wherever it is kept for a game, it is kept for the next one. */
  carry(id, token, next) {
    for (const store of [this.#store, this.#tab]) {
      const kept = store.get(`game:${id}`);
      if (kept?.token === token && !store.get(`game:${next}`)) store.set(`game:${next}`, { ...kept, at: Date.now() });
    }
  }

  /** Who you are; null without a player's token. */
  async me(options) { return this.token ? this.request("GET", "/v1/me", options) : null; }

  /** Makes a player. The token is kept, and the games that you create from now on belong to the player. */
  async player({ name }, options) {
    const made = await this.request("POST", "/v1/players", { body: { name }, token: null, ...options });
    this.become(made);
    return made;
  }

  /** Acts as a player from now on, here and in pages that are opened later; null: as nobody. */
  become(player) {
    this.token = player?.token ?? null;
    if (player) this.#store.set("me", { id: player.id, token: player.token });
    else this.#store.remove("me");
  }

  /** Gives the player the games of which this browser has nothing but keys. A seat that is somebody's is not asked for again. */
  async takeOver(options) {
    const player = this.#store.get("me")?.id;
    for (const { id, ...kept } of player ? this.keys.list() : []) {
      if (kept.player === player) continue;
      await this.request("PUT", `/v1/me/games/${id}`, { body: { token: kept.token }, ...options })
        .catch((error) => { if (again(error.status)) throw error; });
      this.#store.set(`game:${id}`, { ...kept, player });
    }
  }

  myGames(parameters, options) { return this.request("GET", `/v1/me/games${query(parameters)}`, options); }
  publicGames(parameters, options) { return this.request("GET", `/v1/games${query(parameters)}`, options); }
}

// ---- a game ---------------------------------------------------------------------------------------

/** A game: its last known state, what you do in it, and its news. Made by `plyd.game()`. */
export class Game extends EventTarget {
  #plyd;
  #store;
  #seatToken;
  #include = new Set();
  #complete = true;   // whether the state has all that is included
  #newest = 0;        // the greatest version that is known to exist
  #heard = 0;         // the version of the last event that was told
  #mine = new Map();  // the moves that were made here, by key
  #sending = null;
  #loading = null;
  #watchers = 0;
  #watching = null;
  #hears = "closed";  // how news come
  #lost = false;      // whether the last attempt to send a move brought no answer
  #unread = false;    // whether the last attempt to load a newer state brought none

  constructor(plyd, store, id, token) {
    super();
    this.#plyd = plyd;
    this.#store = store;
    this.#seatToken = token;
    this.id = id;
    this.state = null;
  }

  // That news are heard of is not enough: a state that cannot be loaded, or a move that cannot be sent, is no connection.
  get connection() { return (this.#lost || this.#unread) && this.#hears !== "closed" ? "offline" : this.#hears; }

  /** Whether something has happened that the state does not have yet. */
  get isBehind() { return Math.max(this.#newest, this.#heard) > (this.state?.version ?? 0); }

  get token() { return this.#seatToken ?? this.#plyd.token; }
  get name() { return nameOf(this.id, this.token); }
  get you() { return this.state?.you ?? null; }
  get include() { return [...this.#include].join(); }

  #tell(type, detail) { this.dispatchEvent(new News(type, detail)); }

  wants(include) {
    for (const part of include.split(",")) {
      if (!part || this.#include.has(part)) continue;
      this.#include.add(part);
      this.#complete = false;
    }
  }

  /** A request about this game; `path` follows /v1/games/ID. A state in the answer is taken over. */
  async request(method, path = "", options = {}) {
    try {
      const data = await this.#plyd.request(method, `/v1/games/${this.id}${path}`, { token: this.token, ...options });
      if (data?.token && data.id === this.id) this.#sit(data);
      this.take(data?.game ?? data, options.include, null, [data, ...(data?.answers ?? [])]);
      return data;
    } catch (error) {
      if (error.game) this.#exists(error.game.version);
      throw error;
    }
  }

  /** Takes a state over that has what `include` says, unless it is older than what is known. */
  take(state, include = "", event = null, moves = []) {
    if (state?.id !== this.id || !(state.version >= this.#newest)) return;
    const complete = [...this.#include].every((part) => include.includes(part));
    if (!complete) return void this.#exists(state.version);
    if (state.version === this.state?.version && this.#complete) return;
    const { token, tokens, answers, imported, seat, game: _, ...game } = state; // those are about the request
    this.#newest = state.version;
    this.#complete = true;
    this.state = game;
    this.#connect({ unread: false });
    if (game.next && this.#seatToken) this.#plyd.carry(this.id, this.#seatToken, game.next);
    const played = moves.filter((move) => move?.effects).map(({ game: _, ...move }) => move); // the state is told apart
    this.#tell("state", { state: game, event, moves: played });
  }

  async load(options) {
    await this.request("GET", "", { include: this.include, ...options });
    return this.state;
  }

  // Loads the game until it is as new as a version. An event alone would not bring the board.
  #exists(version, event, given) {
    const options = { ...given, trouble: () => this.#connect({ unread: true }) };
    this.#newest = Math.max(this.#newest, version);
    this.#loading ??= (async () => {
      while (this.#newest > (this.state?.version ?? 0) || !this.#complete) {
        const old = this.state, { include } = this;
        const [state, moves] = await Promise.all([
          this.#plyd.request("GET", `/v1/games/${this.id}`, { token: this.token, include, ...options }),
          event?.type === "move" && old ? this.moves({ after: old.ply, line: event.line, ...options }).catch(() => []) : [],
        ]);
        this.take(state, include, event, state.version - old?.version === moves.length ? moves : []);
      }
    })().catch(() => {}).finally(() => { this.#loading = null; });
    return this.#loading;
  }

  // -- moves --

  /** The moves that are not answered yet, in the order in which they were made. */
  get pending() {
    const entries = new Map([...this.#mine.values()].map(({ entry }) => [entry.key, entry]));
    for (const [, entry] of this.#store.list(`out:${this.name}:`)) entries.set(entry.key, entry);
    return [...entries.values()].sort((a, b) => a.ply - b.ply || a.at - b.at);
  }

  tellPending() { this.#tell("pending", this.pending); }

  /** Plays a move: `{ move }` or `{ clicks }`. It is kept at once, and sent until it is answered. */
  move(body) {
    const moved = this.#move(body);
    moved.catch(() => {}); // a "refused" event tells of it, too
    return moved;
  }

  async #move(body) {
    if (this.state === null) await this.load();
    const before = this.pending.length, key = newKey();
    const entry = { ply: this.state.ply + before + 1, key, at: Date.now(), token: this.token, ...body };
    if (before === 0) entry.line = this.state.line; // a move that waits may open another line
    this.#store.set(`out:${this.name}:${key}`, entry);
    const answered = new Promise((resolve, reject) => this.#mine.set(key, { entry, resolve, reject }));
    this.tellPending();
    this.deliver();
    return answered;
  }

  /** Sends what is in the outbox, one after the other. */
  deliver() {
    this.#sending ??= this.#deliverAll().finally(() => {
      this.#sending = null;
      if (this.pending.length > 0) this.deliver();
    });
  }

  async #deliverAll() {
    for (let entry; (entry = this.pending[0]) !== undefined;) {
      const { ply, key, at, token, ...body } = entry;
      try {
        const { include } = this;
        const played = await this.#plyd.request("PUT", `/v1/games/${this.id}/moves/${ply}`, {
          body, token, key, include, deadline: Infinity, keepalive: true,
          trouble: ({ status }) => this.#connect({ lost: status !== 429 }), // that one is an answer
        });
        this.#found();
        this.#settle(entry, "resolve", played);
        this.take(played.game ?? played, include, null, [played, ...(played.answers ?? [])]);
        this.tellPending();
      } catch (error) {
        this.#found();
        // The moves behind a refused one were meant for a game that went another way.
        for (const gone of this.pending) this.#settle(gone, "reject", error);
        this.tellPending();
        this.#tell("refused", error);
        await this.load().catch(() => {});
      }
    }
  }

  /** The server has answered a move. Where news are waited for, there is no need to wait on. */
  #found() {
    this.#connect({ lost: false });
    if (this.#hears === "offline") wake();
  }

  #settle({ key }, how, answer) {
    this.#store.remove(`out:${this.name}:${key}`);
    this.#mine.get(key)?.[how](answer);
    this.#mine.delete(key);
  }

  /** Why a move would be refused; null if it would be played. */
  async ask(body, options) {
    if (this.state === null) await this.load(options);
    const ply = this.state.ply + this.pending.length + 1;
    try {
      const { problem } = await this.#plyd.request("PUT", `/v1/games/${this.id}/moves/${ply}?explain=true`,
                                                   { body, token: this.token, include: "", ...options });
      return problem ? new PlydError(problem) : null;
    } catch (error) {
      if (error instanceof PlydError && !again(error.status)) return error;
      throw error;
    }
  }

  // -- what else one does --

  // Nothing overtakes a move.
  async #do(method, path, body, { deadline = this.#plyd.deadline, signal, ...options } = {}) {
    if (this.#sending) {
      const late = follow(signal);
      let waits = true;
      const end = pause(deadline, late.signal, true).then(() => { waits = false; });
      while (this.#sending && waits) await Promise.race([this.#sending, end]);
      late.abort();
      if (signal?.aborted) throw signal.reason;
      if (this.#sending) throw new PlydError(SILENT);
    }
    return this.request(method, path, { include: this.include, body, deadline, signal, ...options });
  }

  /** `resign`, `undo`, `redo`, `abort`, `resume` (ends a pause), or `rematch`, which brings the next Game. */
  async act(action, body, options) {
    if (action === "resume") return this.#do("DELETE", "/pause", body, options);
    const answer = await this.#do("POST", `/${action}`, body, options);
    return action !== "rematch" ? answer
      : this.#plyd.adopt(answer, { token: this.#seatToken ?? undefined, include: this.include });
  }

  offer(body, options) { return this.#do("POST", "/offers", body, options); }
  accept(id, options) { return this.#do("POST", `/offers/${id}/accept`, undefined, options); }
  decline(id, options) { return this.#do("POST", `/offers/${id}/decline`, undefined, options); }
  withdraw(id, options) { return this.#do("DELETE", `/offers/${id}`, undefined, options); }
  claim(kind, options) { return this.#do("POST", "/claims", { kind }, options); }
  say(text, ply, options) { return this.#do("POST", "/messages", { text, ply }, options); }
  invite(body, options) { return this.#do("POST", "/invitations", body, options); }

  /** Takes an open seat. The token is kept, and this handle plays the seat from now on. */
  join(body, options) {
    return this.request("POST", "/join", { body, token: this.#plyd.token, include: this.include, ...options });
  }

  #sit({ token, variant }) {
    this.#seatToken = token;
    this.#plyd.keys.remember(this.id, token, { variant });
    this.#plyd.register(this);
    this.#restart();
  }

  // -- history --

  position(ply, { line, include, ...options } = {}) {
    return this.request("GET", `/positions/${ply}${query({ line })}`, { include, ...options });
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
    else if (!this.#complete) this.#exists(0);
    let watches = true;
    return () => {
      if (watches && --this.#watchers === 0) this.#restart();
      watches = false;
    };
  }

  /** Watches until a state is as it shall be, and gives it back. */
  async until(holds, { signal } = {}) {
    if (this.state === null) await this.load({ signal });
    const stop = this.watch(), over = new AbortController();
    try {
      await new Promise((done, fail) => {
        const look = () => holds(this.state) && done();
        this.addEventListener("state", look, { signal: over.signal });
        signal?.addEventListener("abort", () => fail(signal.reason), { signal: over.signal });
        signal?.throwIfAborted();
        look();
      });
      return this.state;
    } finally {
      over.abort();
      stop();
    }
  }

  #restart() {
    this.#watching?.abort();
    if (this.#watchers > 0) {
      this.#watching = new AbortController();
      this.#follow(this.#watching.signal);
    } else this.#connect({ hears: "closed" });
  }

  #connect({ hears = this.#hears, lost = this.#lost, unread = this.#unread }) {
    const before = this.connection;
    this.#hears = hears;
    this.#lost = lost;
    this.#unread = unread;
    if (this.connection !== before) this.#tell("connection", this.connection);
  }

  async #follow(signal) {
    const options = { signal, deadline: Infinity, trouble: () => this.#connect({ hears: "offline" }) };
    const feed = new Feed({
      plyd: this.#plyd, store: this.#store, game: this, signal, after: () => this.#heard,
      hear: ({ connection, events }) => {
        if (connection) this.#connect({ hears: connection });
        if (events?.length > 0) this.#news(events, options).catch(() => {});
      },
    });
    try {
      if (this.state === null || !this.#complete) await this.load(options);
      this.#heard ||= this.state.version;
      await feed.run();
    } catch {
      if (!signal.aborted) this.#connect({ hears: "closed" }); // 401, 404: the game is not to be seen
    } finally { feed.close(); }
  }

  // Tells what is new. What comes from another tab may have a gap.
  async #news(events, options) {
    if (this.#heard === 0) return; // the first state is on its way
    if (events[0].version > this.#heard + 1) events = await this.events({ after: this.#heard, ...options });
    const fresh = events.filter((event) => event.version > this.#heard);
    for (const event of fresh) {
      this.#heard = event.version;
      this.#tell("event", event);
    }
    if (this.#heard > this.state.version) await this.#exists(this.#heard, fresh.at(-1), options);
  }
}

// ---- news -----------------------------------------------------------------------------------------

/**
 * The log of a game, from a version on: by a stream, by polls where streams do not flow, or by another
 * tab that has one of these. `hear` gets `{ connection, events }`; events may come twice.
 */
class Feed {
  #leads = false;  // whether this tab tells the others
  #connection;
  #pollUntil = 0;
  #short = PAUSE_MS; // the pause before the next stream; it doubles with each one that did not last
  #channel = null;

  constructor({ plyd, store, game, signal, after, hear }) {
    Object.assign(this, { plyd, store, game, signal, after, hear });
    this.path = `/v1/games/${game.id}/events`;
    if (!page || !globalThis.BroadcastChannel) return;
    this.#channel = new BroadcastChannel(store.prefix + game.name);
    this.#channel.onmessage = ({ data }) => {
      if (!data.hello) hear(data);
      else if (this.#leads) this.#say({ connection: this.#connection });
    };
  }

  close() { this.#channel?.close(); }

  #say(message) {
    this.#connection = message.connection ?? this.#connection;
    this.hear(message);
    if (this.#leads) this.#channel?.postMessage(message);
  }

  async run() {
    while (!this.signal.aborted) {
      if (visible()) await this.#visibly();
      else {
        // A hidden tab keeps no connection: those that are seen need it.
        this.#say({ connection: "polling" });
        await pause(jittered(HIDDEN_MS), this.signal);
        await this.#look();
      }
    }
  }

  async #visibly() {
    const seen = follow(this.signal), { signal } = seen;
    const hide = () => visible() || seen.abort();
    page?.addEventListener("visibilitychange", hide);
    let free = null;
    try {
      free = page ? await this.#lead(signal) : () => {};
      this.#leads = free !== null;
      while (!signal.aborted) await this.#connect(signal);
    } finally {
      this.#leads = false;
      page?.removeEventListener("visibilitychange", hide);
      seen.abort();
      free?.();
    }
  }

  // One tab has the connection. The others hear it, and wait until they may have it.
  async #lead(signal) {
    const free = await this.store.hold(`feed:${this.game.name}`, signal, false);
    if (free || signal.aborted) return free;
    this.#channel?.postMessage({ hello: true });
    await this.#look();
    return this.store.hold(`feed:${this.game.name}`, signal, true);
  }

  async #connect(signal) {
    if (Date.now() < this.#pollUntil) return this.#poll(signal);
    const free = await this.#slot(signal);
    if (signal.aborted) return free?.();
    if (!free) {
      await this.#look();
      this.#say({ connection: "polling" });
      return pause(jittered(SHORT_MS), signal);
    }
    const began = Date.now();
    const result = await this.#stream(signal).finally(free);
    const lasted = Date.now() - began > FIRST_LINE_MS;
    if (signal.aborted) return;
    if (result !== "flowed") {
      let troubled = false;
      await this.#look({ trouble: () => { troubled = true; } });
      // If this is answered, something on the way holds streams back.
      if (!troubled && (result === "stuck" || this.#short === PAUSE_MAX_MS)) this.#pollUntil = Date.now() + NO_STREAM_MS;
    }
    this.#short = lasted ? PAUSE_MS : Math.min(2 * this.#short, PAUSE_MAX_MS);
    return pause(jittered(this.#short), signal);
  }

  async #slot(signal) {
    if (!page) return () => {};
    for (let i = 0; i < STREAMS && !signal.aborted; i++) {
      const free = await this.store.hold(`stream:${i}`, signal, false);
      if (free) return free;
    }
    return null;
  }

  // Reads a stream to its end: it "flowed", was "stuck" without a line, or the connection "failed".
  // It begins with the last event that is known, so a line comes at once.
  async #stream(signal) {
    const dead = follow(signal), cut = () => dead.abort();
    const silent = () => {
      this.#say({ connection: "offline" }); // and nothing says so sooner: the next attempt may hang as long
      cut();
    };
    let result = "failed";
    let timer = setTimeout(() => {
      result = "stuck";
      cut();
    }, FIRST_LINE_MS);
    wakers.add(cut); // another network: the connection may be dead, and silent about it
    try {
      const answer = await this.plyd.stream(`${this.path}?after=${this.after() - 1}`, this.game.token, dead.signal);
      if (!answer.ok && !again(answer.status)) throw new PlydError(await problemOf(answer));
      const decoder = new TextDecoder(), reader = answer.body.getReader();
      for (let rest = "", part; answer.ok && !(part = await reader.read()).done;) {
        const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
        rest = lines.pop(); // not whole yet
        clearTimeout(timer);
        timer = setTimeout(silent, SILENCE_MS);
        result = "flowed";
        this.#say({ connection: "live", events: lines.filter(Boolean).map((line) => JSON.parse(line)) });
      }
      if (result !== "flowed") result = "stuck";
    } catch (error) {
      if (error instanceof PlydError) throw error;
    } finally {
      clearTimeout(timer);
      wakers.delete(cut);
      cut();
    }
    return result;
  }

  async #poll(signal) {
    const began = Date.now();
    this.#say({ connection: "polling" });
    const items = await this.#look({ signal, headers: { Prefer: `wait=${WAIT_S}` }, timeout: SILENCE_MS });
    if (items.length === 0 && Date.now() - began < SHORT_MS) await pause(jittered(SHORT_MS), signal);
  }

  async #look({ trouble, signal = this.signal, ...options } = {}) {
    const { items } = await this.plyd.request("GET", `${this.path}?after=${this.after()}&limit=200`, {
      token: this.game.token, signal, deadline: Infinity, ...options,
      trouble: () => {
        trouble?.();
        this.#say({ connection: "offline" });
      },
    });
    this.#say({ events: items, ...(this.#connection === "offline" && { connection: "polling" }) });
    return items;
  }
}
