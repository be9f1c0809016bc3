/** store.js - what a browser keeps for all tabs, and locks of names that all tabs have. */
import { random } from "./keys.js";
import { jittered, page, pause } from "./time.js";

const LEASE_MS = 8_000;

/** A storage that ends with the page. */
export class Memory {
  #items = new Map();
  get length() { return this.#items.size; }
  key(index) { return [...this.#items.keys()][index] ?? null; }
  getItem(key) { return this.#items.get(key) ?? null; }
  setItem(key, value) { this.#items.set(key, value); }
  removeItem(key) { this.#items.delete(key); }
}

/** A storage of the page; memory where there is none, or it is forbidden. */
export function storageOf(name) {
  try {
    if (page && globalThis[name].length >= 0) return globalThis[name];
  } catch { /* forbidden */ }
  return new Memory();
}

/** JSON in a storage, under names with a prefix. */
export class Store {
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
                    (lock) => new Promise((free) => got(lock && (() => free(undefined)))))
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
