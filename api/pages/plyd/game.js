/** game.js - a game: what is known of it, its moves that are on their way, and its news. */
import { Feed } from "./feed.js";
import { tabsOf, newKey, query } from "./keys.js";
import { again, PlydError, SILENT } from "./problem.js";
import { follow, pause, wake } from "./time.js";

class News extends Event { // CustomEvent is missing in Node 18
  constructor(type, detail) {
    super(type);
    this.detail = detail;
  }
}

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
  #cause = null;      // the last event that made it load
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
  get name() { return tabsOf(this.id, this.token); }
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
    if (this.#kept && this.premove === null) this.#store.remove(`pre:${this.name}`); // it was for another turn
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
  #exists(version, event = null, given = {}) {
    const options = { ...given, trouble: () => this.#connect({ unread: true }) };
    this.#newest = Math.max(this.#newest, version);
    this.#cause = event ?? this.#cause;
    this.#loading ??= (async () => {
      while (this.#newest > (this.state?.version ?? 0) || !this.#complete) {
        const { include } = this, cause = this.#cause, told = cause?.type === "move" ? this.#movesSince(cause, options) : [];
        const state = await this.#plyd.request("GET", `/v1/games/${this.id}`, { token: this.token, include, ...options });
        let moves = await told;
        if (moves.length > 0 && moves.at(-1).ply < state.ply) moves = await this.#movesSince(cause, options); // one came between the two
        this.take(state, include, cause, this.#leading(state, moves));
      }
    })().catch(() => {}).finally(() => { this.#loading = this.#cause = null; });
    return this.#loading;
  }

  async #movesSince({ line }, options) {
    return this.state ? this.moves({ after: this.state.ply, line, ...options }).catch(() => []) : [];
  }

  // Those of the moves that lead to a state from what is known by now: an answer may have brought some. None if something else happened, too.
  #leading({ version, ply: last }, moves) {
    const { state } = this, more = moves.filter(({ ply }) => ply > state.ply && ply <= last);
    return version - state?.version === more.length ? more : [];
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

  // -- a move that is made ahead --

  get #kept() { return this.#store.get(`pre:${this.name}`); }

  /**
   * The clicks of the move that is to be played as soon as it is your turn; null: none. It belongs to one ply of one line,
   * and a move that is on its way there has taken its place.
   */
  get premove() {
    const kept = this.#kept, { state } = this, next = this.#myNext;
    if (!kept || next === null || kept.line !== state.line || kept.ply !== next) return null;
    return this.pending.some(({ ply }) => ply === next) ? null : kept.clicks;
  }

  /** The ply of your next move, if you play one seat of a game that goes on. */
  get #myNext() {
    const { status, ply, to_move: turn, you } = this.state ?? {};
    return status === "active" && you?.seats.length === 1 ? ply + (you.seats[0] === turn ? 1 : 2) : null;
  }

  /** Keeps a move for your next turn, over reloads and for all tabs; null gives it up. Whoever shows the game plays it. */
  setPremove(clicks) {
    const { state } = this, name = `pre:${this.name}`, ply = this.#myNext;
    if (clicks && ply !== null) this.#store.set(name, { ply, line: state.line, clicks });
    else this.#store.remove(name);
    this.tellPremove();
  }

  tellPremove() { this.#tell("premove", this.premove); }

  // -- what else one does --

  // Nothing overtakes a move.
  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {import("../plyd.js").Options} options
   */
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

  /**
   * @param {number} ply
   * @param {{line?: number, include?: string, [more: string]: unknown}} options
   */
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

  /**
   * All moves of a line.
   * @param {{line?: number, after?: number, [more: string]: unknown}} [options]
   */
  moves({ line, after, ...options } = {}) {
    return this.#pages(`/moves${query({ line, after, limit: 200 })}`, options);
  }

  /**
   * All events behind a version.
   * @param {{after?: number, type?: string, [more: string]: unknown}} [options]
   */
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

  /**
   * Watches until a state is as it shall be, and gives it back.
   * @param {(state: import("../plyd.js").GameState) => boolean} holds
   * @param {{signal?: AbortSignal}} [options]
   */
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
