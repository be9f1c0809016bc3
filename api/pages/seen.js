/**
 * seen.js - the games that this device has shown, as they were last known, so that they open without a network.
 *
 * Private games are among them. So whoever forgets a key forgets the game here, too.
 */
const NAME = "plyd-seen", MOST = 40;

// Where nothing may be kept (a page of http://, a browser that is told so), nothing is.
const withCache = (use) => (async () => use(await caches.open(NAME)))().catch(() => null);
const addressOf = (id) => `/seen/${id}`;

/** Keeps what is known of a game; of too many games the ones seen first go. */
export const note = (id, known) => withCache(async (cache) => {
  await cache.put(addressOf(id), Response.json(known));
  const all = await cache.keys();
  for (const old of all.slice(0, Math.max(0, all.length - MOST))) await cache.delete(old);
});

/** What was kept of a game; null: nothing. */
export const recall = (id) => withCache(async (cache) => await (await cache.match(addressOf(id)))?.json() ?? null);

/** Everything that was kept. */
export const recallAll = async () => await withCache(async (cache) =>
  Promise.all((await cache.matchAll()).map((answer) => answer.json()))) ?? [];

export const forget = (id) => withCache((cache) => cache.delete(addressOf(id)));

export const forgetAll = async () => globalThis.caches?.delete(NAME);
