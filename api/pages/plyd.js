/**
 * plyd.js - a client for games on plyd, for browsers and for Node 18 and later. The types are in plyd.d.ts.
 *
 * A request is repeated under one Idempotency-Key until it is answered. Moves go through an outbox in the
 * storage, so neither the network nor a reload loses them. The news of a game come by one connection for
 * all tabs of a browser.
 */

import { Game } from "./plyd/game.js";
import { tabsOf, newKey, query } from "./plyd/keys.js";
import { again, PlydError, problemOf, SILENT } from "./plyd/problem.js";
import { Memory, storageOf, Store } from "./plyd/store.js";
import { follow, jittered, pause, wakers } from "./plyd/time.js";

export { Game, PlydError };

const DEADLINE_MS = 60_000; // for all attempts of a request
const ATTEMPT_MS = 20_000;
const PAUSE_MS = 500;       // before the second attempt; it doubles
const PAUSE_MAX_MS = 8_000;

/** A server, and who you are there. */
export class Plyd {
  #fetch;
  #store;
  #tab; // the tokens of this tab: another one may play the other seat
  #games = new Map();
  #catalogue = new Map();

  /** @param {import("./plyd.js").PlydOptions} [options] */
  constructor({ server = new URL(import.meta.url).origin, token, fetch, storage, lang, deadline = DEADLINE_MS } = {}) {
    if (!/^https?:/.test(server)) throw new TypeError("Say where the daemon is: new Plyd({ server: \"http://...\" })");
    this.server = server.replace(/\/$/, "");
    this.deadline = deadline;
    this.lang = lang && !/^en\b/.test(lang) ? lang : null; // of what people read in answers; null: English
    this.#fetch = fetch ?? ((address, request) => globalThis.fetch(address, request));
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
    globalThis.addEventListener?.("storage", ({ key }) => { // another tab has moved, or will
      for (const game of this.#games.values())
        if (key?.startsWith(`${this.#store.prefix}out:${game.name}:`)) game.tellPending();
        else if (key === `${this.#store.prefix}pre:${game.name}`) game.tellPremove();
    });
  }

  /**
   * One request, repeated until it is answered: the JSON of a 2xx. Anything else is a PlydError.
   * @param {string} method
   * @param {string} path
   * @param {import("./plyd.js").RequestOptions & {timeout?: number, [more: string]: unknown}} [options]
   * @returns {Promise<any>}
   */
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
    const game = this.#games.get(tabsOf(id, token ?? this.token))
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
