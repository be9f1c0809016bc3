/** feed.js - the news of a game, by the connection that suits: a stream, polls, or that of another tab. */
import { again, PlydError, problemOf } from "./problem.js";
import { follow, jittered, page, pause, visible, wakers } from "./time.js";

const PAUSE_MS = 500;         // before the second stream; it doubles
const PAUSE_MAX_MS = 8_000;
const SILENCE_MS = 40_000;    // a stream has a sign of life every 15 seconds
const FIRST_LINE_MS = 8_000;  // what a stream begins with comes at once, or something holds it back
const NO_STREAM_MS = 300_000; // for so long it is polled, then
const WAIT_S = 25;            // how long a poll waits for news
const SHORT_MS = 3_000;       // between two looks where there is no connection to spare
const HIDDEN_MS = 30_000;     // between two looks of a tab that nobody sees
const STREAMS = 4;            // of the six connections to a host that a browser grants

/**
 * The log of a game, from a version on: by a stream, by polls where streams do not flow, or by another
 * tab that has one of these. `hear` gets `{ connection, events }`; events may come twice.
 */
export class Feed {
  #leads = false;  // whether this tab tells the others
  #connection;
  #pollUntil = 0;
  #short = PAUSE_MS; // the pause before the next stream; it doubles with each one that did not last
  #channel = null;

  /**
   * @param {object} of
   * @param {import("../plyd.js").Plyd & {stream: (path: string, token: string | null, signal: AbortSignal) => Promise<Response>}} of.plyd
   * @param {import("./store.js").Store} of.store
   * @param {{id: string, name: string, token: string | null}} of.game
   * @param {AbortSignal} of.signal    ends it
   * @param {() => number} of.after    the version of the last event that is known
   * @param {(message: {connection?: string, events?: import("../plyd.js").GameEvent[]}) => void} of.hear
   */
  constructor({ plyd, store, game, signal, after, hear }) {
    this.plyd = plyd;
    this.store = store;
    this.game = game;
    this.signal = signal;
    this.after = after;
    this.hear = hear;
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
      const reader = answer.body?.getReader(), decoder = reader && new TextDecoder(); // React Native has no streams
      for (let rest = "", part; answer.ok && reader && !(part = await reader.read()).done;) {
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

  /** @param {import("../plyd.js").RequestOptions & {timeout?: number}} options */
  async #look({ trouble, signal = this.signal, ...options } = {}) {
    const { items } = await this.plyd.request("GET", `${this.path}?after=${this.after()}&limit=200`, {
      token: this.game.token, signal, deadline: Infinity, ...options,
      trouble: (problem) => {
        trouble?.(problem);
        this.#say({ connection: "offline" });
      },
    });
    this.#say({ events: items, ...(this.#connection === "offline" && { connection: "polling" }) });
    return items;
  }
}
