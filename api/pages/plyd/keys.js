/** keys.js - texts that nobody else makes, and those that name things. */

const crypto = globalThis.crypto ?? (await import(["node", "crypto"].join(":"))).webcrypto; // Node 18

/** A random text. (`crypto.randomUUID` is missing on http:// addresses.) */
export const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)),
                                (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A key of a request: a UUID of version 7. A game that is made with it has its time in its id. */
export function newKey() {
  const time = Date.now().toString(16).padStart(12, "0"), rest = random();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-a${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
}

/** What is shared by all tabs that play these seats. */
export const tabsOf = (id, token) => `${id}:${(token ?? "").slice(-8)}`;

/** The query of an address, of those parameters that are given. */
export function query(parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value != null);
  return given.length > 0 ? `?${given.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")}` : "";
}
