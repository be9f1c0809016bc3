/**
 * sw.js - the worker of the pages: what was seen opens without a network, and notices are shown.
 *
 * It keeps what is the same for everybody: pages, the files of one build, the catalogue and its pictures. Games are
 * somebody's, so the pages keep those (seen.js) and forget them together with their keys. Anything else goes past it, be it a move
 * or a stream.
 *
 * The daemon writes BUILD before this text. So one with other files brings another worker, which browsers find when a page
 * is opened; it gets all it needs, and takes over at once.
 */
/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);

const CACHE = `plyd-files-${BUILD}`, GAME = "/play/";
const MOST = 80;          // so many answers are kept beside the files of the build
const PATIENCE_MS = 3000; // after which a page that is kept is better than none

const OURS = `/assets/${BUILD}/`, PAGE = /^\/(docs|problems)\b|^\/v1\/variants\/[^/]+\/rules$/;
const CATALOGUE = /^\/v1\/variants(\/[^/]+(\/(board|men)\.svg)?)?$/;

/** Under which address an answer is kept; null: it is none of the worker's business. */
function keyOf({ method, mode, url }) {
  const { origin, pathname, search } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return null;
  if (mode !== "navigate") return pathname.startsWith("/assets/") || CATALOGUE.test(pathname) ? pathname + search : null;
  if (pathname === "/") return "/";
  return pathname.startsWith(GAME) ? GAME : PAGE.test(pathname) ? pathname : null;
}

// ---- what is kept ----

const isFixed = (key) => key === "/" || key === GAME || key.startsWith(OURS);

/** Keeps an answer. If there are too many, the oldest go. */
async function keep(key, answer) {
  const cache = await caches.open(CACHE);
  await cache.put(key, answer);
  const others = (await cache.keys()).filter(({ url }) => !isFixed(new URL(url).pathname));
  for (const old of others.slice(0, Math.max(0, others.length - MOST))) await cache.delete(old);
}

const kept = (key) => caches.open(CACHE).then((cache) => cache.match(key));

/** A page of this build, with all files that it names; they come from the browser's own cache as a rule. */
async function keepPage(key, address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  const files = (await answer.clone().text()).match(/\/assets\/[^"]+/g) ?? [];
  if (!answer.ok || !files.every((file) => file.startsWith(OURS))) throw new Error("The daemon is not that of this worker.");
  const cache = await caches.open(CACHE);
  await cache.addAll(files);
  await cache.put(key, answer);
}

/** The pages in the language, and light or dark, as their reader wants them now. */
const keepPages = () => Promise.all([keepPage("/", "/"), keepPage(GAME, `${GAME}${"0".repeat(26)}`)]); // the page is the same for all games

/** What a page has loaded past the worker. */
async function keepLoaded(addresses) {
  await Promise.allSettled(addresses.map(async (url) => {
    const key = keyOf({ method: "GET", mode: "", url });
    if (key === null || await kept(key)) return;
    const answer = await fetch(url, { headers: { Accept: /\.svg\b/.test(url) ? "image/svg+xml" : "application/json" } });
    if (answer.ok) await keep(key, answer);
  }));
}

/** What another build has kept and this one has not. Of its files none is needed: this build has its own. */
async function inherit() {
  for (const name of await caches.keys()) {
    if (!name.startsWith("plyd-files-") || name === CACHE) continue;
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith("/assets/") && !await kept(pathname + search))
        await keep(pathname + search, await cache.match(request));
    }
    await caches.delete(name);
  }
}

worker.addEventListener("install", (event) => event.waitUntil((async () => {
  await keepPages();
  const files = await caches.open(CACHE);
  await files.addAll(["app.js", "device.js", "notices.js", "people.js", "present.js", "qr.js", "rematch.js"].map((name) => OURS + name)); // which pages load when they need them
  await worker.skipWaiting();
})()));

worker.addEventListener("activate", (event) => event.waitUntil(inherit().then(() => worker.clients.claim())));

const told = ({ wished, loaded }) => wished ? keepPages() : worker.clients.claim().then(() => keepLoaded(loaded));

worker.addEventListener("message", (event) => event.waitUntil(told(event.data)));

// ---- answers ----

/** A file never changes. The one of another build is better than none, as at the daemon. */
async function file(request, key) {
  const mine = await kept(key);
  if (mine) return mine;
  try {
    const answer = await fetch(request);
    if (key.startsWith(OURS) && answer.ok) await keep(key, answer.clone());
    return answer;
  } catch (error) {
    return await kept(OURS + key.split("/").at(-1)) ?? Promise.reject(error);
  }
}

/** The answer of the daemon, or if there is none what it has answered before. */
async function fresh(event, key) {
  const asked = fetch(event.request);
  const stored = asked.then((answer) => answer.ok && !isFixed(key) ? keep(key, answer.clone()) : null);
  event.waitUntil(stored.catch(() => {}));
  const mine = await kept(key);
  if (!mine) return asked;
  const late = new Promise((done) => setTimeout(done, PATIENCE_MS));
  const answer = await Promise.race([asked, late]).catch(() => null);
  return answer && answer.status < 500 ? answer : mine;
}

worker.addEventListener("fetch", (event) => {
  const key = keyOf(event.request);
  if (key !== null) event.respondWith(key.startsWith("/assets/") ? file(event.request, key) : fresh(event, key));
});

// ---- notices ----

const windows = () => worker.clients.matchAll({ type: "window", includeUncontrolled: true });
const isAt = (url) => ({ url: here }) => new URL(here).pathname === url.pathname;

/** What a notice leads to: a page of ours, whatever it says. */
function pageOf(text) {
  const url = new URL(text ?? "/", location.origin);
  return url.origin === location.origin ? url : new URL("/", location.origin);
}

const isSeen = async (page) => (await windows()).some((one) => isAt(page)(one) && one.visibilityState === "visible");

/**
 * Shows a notice, unless its game is on the screen. It takes the place of the one before with the same tag. The icon of the
 * application has the number of games that wait, as far as it is known.
 */
async function tell({ title, body, url, tag, waiting }) {
  const page = pageOf(url);
  if (!await isSeen(page))
    await worker.registration.showNotification(title, {
      body, ...(tag && { tag, renotify: true }), data: { url: page.href },
      icon: `${OURS}icon-192.png`, badge: `${OURS}icon-badge.png`,
    });
  await navigator.setAppBadge?.(waiting ?? (await worker.registration.getNotifications()).length);
}

worker.addEventListener("push", (event) => event.waitUntil(tell(event.data.json())));

/** The window that shows the game comes to the front, or one is opened. */
async function follow(notification) {
  const page = pageOf(notification.data?.url), there = (await windows()).find(isAt(page));
  notification.close();
  await (there ? there.focus() : worker.clients.openWindow(page.href));
}

worker.addEventListener("notificationclick", (event) => event.waitUntil(follow(event.notification)));

/** The push service has ended the subscription: another one takes its place. If that fails, the next page tries it again. */
/** @param {any} event */
async function renew({ oldSubscription, newSubscription }) {
  const { token, wishes } = await (await caches.match("/me", { cacheName: "plyd-me" })).json();
  const subscription = newSubscription ?? await worker.registration.pushManager.subscribe(oldSubscription.options);
  await fetch("/v1/me/subscriptions", {
    method: "POST", body: JSON.stringify({ ...subscription.toJSON(), ...wishes }),
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
  });
}

worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
