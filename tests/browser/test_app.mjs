/**
 * test_app.mjs - the pages as an application: installed, without a network, after an update.
 */
import assert from "node:assert/strict";
import { after } from "node:test";
import { browsers, openHouse, until } from "./harness.mjs";
import { clickSquare, CUT, drawn, idOf, isShown, moves, press, reaches, readCode, shows, start, violations } from "./person.mjs";

const house = await openHouse();
after(() => house.close());

/** No request reaches the daemon from now on. */
function leaveTheNetwork() {
  house.front.fault = () => "refuse";
  house.front.cut();
}

/** The names of all caches, and what the worker's has kept. */
const caches = (tab) => tab.evaluate(async () => {
  const names = await globalThis.caches.keys(), name = names.find((one) => one.startsWith("plyd-files-"));
  const kept = name ? await (await globalThis.caches.open(name)).keys() : [];
  return { names, kept: kept.map(({ url }) => new URL(url).pathname) };
});

/** The page has a worker, and that one has what the page had loaded before. */
const installed = (tab, ...paths) => until(async () => {
  const isThere = await tab.evaluate(() => navigator.serviceWorker.controller?.state === "activated").catch(() => false);
  const { kept } = isThere ? await caches(tab) : {};
  return isThere && paths.every((path) => kept.some((one) => one.endsWith(path)));
}, "the worker is there");

/** A tab of Chromium asks it what it thinks of the page. */
const ask = async (tab, method) => (await tab.createCDPSession()).send(method);

browsers("Chromium finds nothing that keeps the pages from being installed", house, async ({ kind, open }) => {
  if (kind !== "chromium") return;
  const tab = await open("/");
  await installed(tab);
  assert.deepEqual((await ask(tab, "Page.getInstallabilityErrors")).installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"), []);
  const { errors, url, manifest } = await ask(tab, "Page.getAppManifest");
  assert.deepEqual(errors, []);
  assert.equal(url, `${house.front.url}/manifest.webmanifest`);
  assert.equal(manifest?.startUrl ?? `${house.front.url}/`, `${house.front.url}/`);
});

browsers("the worker comes after all that the page needs", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle" });
  for (const [person, path, last] of [[1, "/", "/v1/games?"], [2, `/play/${game.id}`, `/v1/games/${game.id}?`]]) {
    let free;
    const freed = new Promise((done) => { free = done; }), asked = () => house.front.requests.some(({ url }) => /\/(app|sw)\.js$/.test(url));
    house.front.requests.length = 0;
    house.front.fault = ({ url }) => url.startsWith(last) ? freed : null;
    const tab = await open(path, { person });
    await until(() => house.front.requests.some(({ url }) => url.startsWith(last)));
    await tab.evaluate(async () => { // it has nothing to do meanwhile
      for (let i = 0; i < 5; i++) await new Promise((idle) => { requestIdleCallback(idle); });
      await fetch("/healthz");
    });
    assert.equal(asked(), false);
    free();
    await installed(tab);
    assert.equal(asked(), true);
    await tab.close();
  }
});

browsers("without a network the application starts, and shows the game that was seen last", house, async ({ open }) => {
  const tab = await open("/");
  await start(tab, "Jungle", "Both sides");
  await clickSquare(tab, "g3");
  await clickSquare(tab, "g4");
  await reaches(tab, 1);
  const id = idOf(tab);
  await installed(tab, "/v1/variants/jungle", "/men.svg");
  await until(() => tab.evaluate(async (id) => (await (await (await caches.open("plyd-seen")).match(`/seen/${id}`))?.json())?.state.ply === 1, id));
  leaveTheNetwork();
  const again = await open("/");
  await shows(again, "#mine-old", "No connection");
  await press(again, "#mine-list a", "Jungle");
  await until(() => again.url().includes(id), "the page of the game comes");
  await drawn(again);
  await shows(again, "#network", "No connection");
  await until(async () => (await moves(again)).join() === "g3-g4" || (await moves(again)).length === 1, "its moves are listed");
  assert.ok(await again.evaluate(() => document.querySelector("plyd-board").shadowRoot.querySelector(".man svg") !== null), "its men have pictures");
  // What is played meanwhile waits, and is there when the network is.
  await clickSquare(again, "a7");
  await clickSquare(again, "a6");
  await shows(again, "#standing", "No connection");
  house.front.fault = () => null;
  await again.evaluate(() => dispatchEvent(new Event("online")));
  await reaches(again, 2);
  assert.equal((await house.call("GET", `/v1/games/${id}`)).ply, 2);
}, { expected: CUT });

browsers("what a page has loaded is kept by a worker that another page has brought meanwhile", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle" });
  const tab = await open("about:blank");
  await tab.evaluateOnNewDocument(() => { globalThis.requestIdleCallback = (run) => { globalThis.idle = run; }; });
  await tab.goto(`${house.front.url}/play/${game.id}`);
  await until(() => tab.evaluate(() => globalThis.idle && performance.getEntriesByType("resource").some(({ name }) => name.includes("/men.svg"))));
  await open("/");
  await until(() => tab.evaluate(() => navigator.serviceWorker.controller !== null), "the other page's worker takes over");
  await tab.evaluate(() => globalThis.idle());
  await installed(tab, "/v1/variants/jungle", "/men.svg");
});

browsers("a page that was under way when another page has brought the worker is taken over, and what it has loaded is kept", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle" }), path = `/play/${game.id}`;
  const tab = await open("about:blank");
  let free;
  const freed = new Promise((done) => { free = done; });
  house.front.fault = ({ url }) => url === path ? freed : null;
  const loaded = tab.goto(house.front.url + path);
  await until(() => house.front.requests.some(({ url }) => url === path));
  await installed(await open("/"));
  free();
  await loaded;
  await installed(tab, "/v1/variants/jungle", "/men.svg");
});

browsers("rules that were read are read without a network", house, async ({ open }) => {
  const tab = await open("/");
  await installed(tab);
  await tab.goto(`${house.front.url}/v1/variants/jungle/rules`);
  await until(async () => (await caches(tab)).kept.includes("/v1/variants/jungle/rules"));
  leaveTheNetwork();
  await tab.goto("about:blank");
  await tab.goto(`${house.front.url}/v1/variants/jungle/rules`);
  await shows(tab, "h1", "Jungle");
  assert.equal(await tab.evaluate(() => getComputedStyle(document.body).marginTop), "0px", "with its style");
}, { expected: CUT });

browsers("what is no page, file or part of the catalogue is never kept by the worker", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle", visibility: "private" });
  const tab = await open(`/play/${game.id}#key=${game.token}`);
  await drawn(tab);
  await installed(tab, "/v1/variants/jungle");
  await tab.reload();
  await drawn(tab);
  await tab.evaluate((id) => Promise.all([`/v1/games/${id}`, `/v1/games/${id}/board.svg`, "/v1/me", "/healthz"].map((path) => fetch(path))), game.id);
  const { kept } = await caches(tab);
  assert.deepEqual(kept.filter((path) => !/^\/assets\/|^\/v1\/variants(\/jungle(\/men\.svg)?)?$|^\/$|^\/play\/$/.test(path)), []);
}, { expected: /404|401/ });

browsers("the worker keeps a bounded number of answers", house, async ({ open }) => {
  const tab = await open("/");
  await installed(tab);
  await tab.evaluate(async () => {
    for (let i = 0; i < 100; i++) await fetch(`/v1/variants/jungle/board.svg?position=${i}`).catch(() => {});
    for (let size = 20; size < 120; size++) await fetch(`/v1/variants/jungle/board.svg?coords=false&lang=en&view=${1 + size % 2}&x=${size}`);
  }).catch(() => {});
  const { kept } = await caches(tab);
  assert.ok(kept.filter((path) => path.endsWith(".svg")).length <= 81, `${kept.length}`);
  assert.ok(kept.includes("/") && kept.includes("/play/"));
}, { expected: /4\d\d/ });

browsers("a daemon with other files reaches an installed application within one visit", house, async ({ t, open }) => {
  t.after(() => { house.front.build = null; });
  const tab = await open("/");
  await installed(tab);
  await tab.goto(`${house.front.url}/v1/variants/jungle/rules`);
  await until(async () => (await caches(tab)).kept.includes("/v1/variants/jungle/rules"));
  house.front.build = "0123456789abcdef0123456789abcdef";
  await tab.goto(`${house.front.url}/`); // the visit
  await until(async () => (await caches(tab).catch(() => null))?.names.includes(`plyd-files-${house.front.build}`), "the new worker is there");
  await until(async () => (await caches(tab)).names.filter((name) => name.startsWith("plyd-files-")).length === 1, "the files of the old one are gone");
  leaveTheNetwork();
  await tab.goto(`${house.front.url}/`);
  await shows(tab, "h1", "Play a board game");
  assert.ok(await tab.$eval("script", (node) => node.src).then((src) => src.includes(house.front.build)));
  await tab.goto(`${house.front.url}/v1/variants/jungle/rules`);
  await shows(tab, "h1", "Jungle"); // what was kept before is kept on
  assert.equal(await tab.evaluate(() => getComputedStyle(document.body).marginTop), "0px", "with the new style");
}, { expected: CUT });


browsers("whoever forgets this device leaves nothing on it, not in other tabs either", house, async ({ open }) => {
  const seen = async () => {
    const game = await house.call("POST", "/v1/games", { variant: "jungle", visibility: "private" });
    const tab = await open(`/play/${game.id}#key=${game.token}`);
    await drawn(tab);
    await until(() => tab.evaluate(async (id) => await (await caches.open("plyd-seen")).match(`/seen/${id}`) !== undefined, game.id));
    return tab;
  };
  const tab = await seen(), lobby = await seen();
  await installed(tab, "/v1/variants/jungle");
  await lobby.goto(`${house.front.url}/`);
  await press(lobby, "#device button", "Forget me here");
  await press(lobby, "#device button", "Really forget");
  await until(() => isShown(lobby, ".games"));
  await until(() => lobby.evaluate(() => !document.body.innerText.includes("Your games")).catch(() => false));
  await shows(tab, "#trouble", "There is no such game");
  assert.equal(await isShown(tab, "plyd-board"), false);
  for (const one of [tab, lobby]) {
    const kept = await one.evaluate(async () => [
      ...Object.keys(localStorage).filter((key) => key !== "plyd-forgotten"), ...Object.keys(sessionStorage).filter((key) => key !== "plyd-forgotten"),
      ...(await caches.keys()).filter((name) => !/^plyd-(files-|seen)/.test(name)), ...await (await caches.open("plyd-seen")).keys()]);
    assert.deepEqual(kept, []);
  }
  leaveTheNetwork();
  await tab.reload();
  await shows(tab, "#standing", "No connection");
  assert.equal(await isShown(tab, "plyd-board"), false);
}, { expected: /404|Failed to load|net::ERR/ });

// ---- notices --------------------------------------------------------------------------------------

/**
 * The worker of a tab, and what it has shown. Chromium without windows shows neither notices nor badges, and lets none be
 * pressed, so there are others in their places.
 */
async function workerOf(tab) {
  await installed(tab);
  const target = await until(() => tab.browserContext().targets().find((one) => one.type() === "service_worker"));
  const worker = await target.worker();
  await worker.evaluate(() => {
    globalThis.shown = [];
    ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, renotify, data }) => { shown.push({ title, body, tag, renotify, data }); };
    ServiceWorkerRegistration.prototype.getNotifications = async () => shown.filter(({ title }) => title);
    Object.defineProperty(navigator, "setAppBadge", { value: async (count) => { shown.push({ count }); } });
    clients.openWindow = async (url) => { shown.push({ opened: url }); };
    WindowClient.prototype.focus = async function () { shown.push({ focused: this.url }); };
  });
  return { worker, shown: (count) => until(() => worker.evaluate((count) => shown.length >= count && shown, count), `${count} are shown`) };
}

/** Brings the browser a message of its push service. */
async function push(tab, message) {
  const cdp = await tab.createCDPSession(), registrations = [];
  cdp.on("ServiceWorker.workerRegistrationUpdated", (event) => registrations.push(...event.registrations));
  await cdp.send("ServiceWorker.enable");
  const { registrationId } = await until(() => registrations.find(({ scopeURL }) => scopeURL === `${house.front.url}/`));
  await cdp.send("ServiceWorker.deliverPushMessage", { origin: house.front.url, registrationId, data: JSON.stringify(message) });
  await cdp.detach();
}

const GAME = "06h2d902aehza3tpxq53fy968m";
const notice = (more) => ({ title: "Your move", body: "Mia played 7g7f.", game: GAME, url: `/play/${GAME}`, tag: GAME, waiting: 2, ...more });

browsers("a message shows a notice that replaces the one of the same game, and how many games wait", house, async ({ kind, open }) => {
  if (kind !== "chromium") return;
  const tab = await open("/"), { shown } = await workerOf(tab);
  await push(tab, notice());
  assert.deepEqual(await shown(2), [
    { title: "Your move", body: "Mia played 7g7f.", tag: GAME, renotify: true, data: { url: `${house.front.url}/play/${GAME}` } }, { count: 2 }]);
  await tab.goto(`${house.front.url}/v1/variants/jungle/rules`); // so that the start page is not on the screen
  await push(tab, notice({ tag: undefined, waiting: undefined, url: "https://elsewhere.example/" }));
  assert.deepEqual((await shown(4)).slice(2), [{ title: "Your move", body: "Mia played 7g7f.", data: { url: `${house.front.url}/` } }, { count: 2 }]);
});

browsers("there is no notice of a game that is on the screen, and one of a game that is hidden", house, async ({ kind, open }) => {
  if (kind !== "chromium") return;
  const game = await house.call("POST", "/v1/games", { variant: "jungle" }), url = `/play/${game.id}`;
  const tab = await open(url), { worker, shown } = await workerOf(tab);
  await push(tab, notice({ url, waiting: 1 }));
  assert.deepEqual(await shown(1), [{ count: 1 }]);
  await worker.evaluate(() => { Object.defineProperty(WindowClient.prototype, "visibilityState", { value: "hidden" }); });
  await push(tab, notice({ url, waiting: undefined }));
  assert.equal((await shown(2))[1].title, "Your move");
});

/** Stands in for the push service, which a browser without windows has none of, and for the permission to show notices. */
async function withPush(tab) {
  await tab.evaluateOnNewDocument(() => {
    let there = JSON.parse(localStorage.getItem("test:push"));
    const keep = (value) => { localStorage.setItem("test:push", JSON.stringify(there = value)); };
    const made = () => there && { ...there, toJSON: () => there, unsubscribe: async () => { keep(null); } };
    PushManager.prototype.getSubscription = async () => made();
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
      if (!/^[\w-]{87}$/.test(applicationServerKey) || !userVisibleOnly) throw new TypeError("no key");
      keep(there ?? { endpoint: `https://127.0.0.1:9/push/${Math.random()}`, expirationTime: null,
                      keys: { p256dh: applicationServerKey, auth: "BTBZMqHH6r4Tts7J_aSIgg" } });
      return made();
    };
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = async () => "granted";
  });
}

const tokenOf = (tab) => tab.evaluate(() => JSON.parse(Object.entries(localStorage).find(([key]) => /^plyd:.*:me$/.test(key))?.[1] ?? "null")?.token);

const subscriptionsOf = async (tab) => (await house.call("GET", "/v1/me/subscriptions", undefined, await tokenOf(tab))).items;

browsers("notices are switched on with a name, set, kept over a visit, and switched off", house, async ({ kind, open }) => {
  if (kind !== "chromium") return;
  const tab = await open("about:blank");
  await withPush(tab);
  await tab.goto(`${house.front.url}/`);
  const press1 = () => press(tab, "#device .notices label", "Tell me on this device");
  await press1();
  await shows(tab, "#device .notices", "Say your name first");
  await tab.type("#name", "Ada");
  await press1();
  await until(async () => await tokenOf(tab) && (await subscriptionsOf(tab)).length === 1, "the daemon knows of it");
  assert.deepEqual((await subscriptionsOf(tab)).map(({ events, quiet, lang }) => ({ events, quiet, lang })), [{ events: [], quiet: undefined, lang: "en" }]);
  await until(() => tab.$("#device .wishes select"), "there is more to choose");
  await tab.select("#device .wishes select", "turn");
  await until(async () => (await subscriptionsOf(tab))[0].events.join() === "move,deadline");
  await press(tab, "#device .wishes label", "Quiet at night");
  await until(async () => (await subscriptionsOf(tab))[0].quiet?.from === "22:00");
  await tab.select("#device .wishes select", "day");
  await until(async () => (await subscriptionsOf(tab))[0].digest?.at === "08:00");
  const [{ id }] = await subscriptionsOf(tab);
  const before = house.front.requests.length;
  await tab.reload();
  await until(() => house.front.requests.slice(before).some(({ method, url }) => method === "POST" && url === "/v1/me/subscriptions"), "it is sent again");
  await until(() => tab.$("#device .wishes select"));
  assert.deepEqual((await subscriptionsOf(tab)).map((one) => one.id), [id]);
  await press1();
  await until(async () => (await subscriptionsOf(tab)).length === 0, "the daemon knows it no more");
  assert.equal(await tab.evaluate(() => localStorage.getItem("test:push")), "null");
  assert.equal(await tab.evaluate(() => caches.has("plyd-me")), false);
});

browsers("what is pressed while a wish is stored is chosen, too", house, async ({ kind, open }) => {
  if (kind !== "chromium") return;
  const tab = await open("about:blank");
  await withPush(tab);
  await tab.goto(`${house.front.url}/`);
  await tab.type("#name", "Ada");
  await press(tab, "#device .notices label", "Tell me on this device");
  await until(() => tab.$("#device .wishes select"), "they are on");
  await until(() => tab.$("#device .devices"), "all that stands beside them is there");
  const releases = [], isWish = ({ method, url }) => method === "POST" && url === "/v1/me/subscriptions";
  house.front.fault = (request) => isWish(request) ? new Promise((done) => { releases.push(done); }) : null;
  const checks = () => tab.$eval("#device .wishes [type=checkbox]", (box) => box.checked);
  const isStored = () => tab.$eval("#device .notices [type=checkbox]", (box) => !box.disabled);
  await tab.select("#device .wishes select", "turn");
  await until(() => releases.length === 1);
  const { x, y } = await tab.$eval("#device .wishes [type=checkbox]", (box) => {
    box.scrollIntoView({ block: "center" });
    const { x, y, width, height } = box.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  releases[0]();
  await until(isStored);
  await tab.mouse.up();
  await until(() => releases.length === 2, "what was pressed is told");
  assert.equal(await checks(), true);
  await tab.select("#device .wishes select", "");
  releases[1]();
  await until(() => releases.length === 3, "one wish is told after the other");
  assert.equal(await checks(), true);
  releases[2]();
  await until(isStored);
  assert.deepEqual((await subscriptionsOf(tab)).map(({ events, quiet }) => [events, quiet.from, quiet.to]), [[[], "22:00", "07:00"]]);
  assert.equal(await tab.evaluate(() => document.activeElement.type), "checkbox");
});

browsers("notices that are switched off while they are renewed stay off", house, async ({ kind, open }) => {
  if (kind !== "chromium") return;
  const tab = await open("about:blank");
  await withPush(tab);
  await tab.goto(`${house.front.url}/`);
  await tab.type("#name", "Ada");
  const press1 = () => press(tab, "#device .notices label", "Tell me on this device");
  await press1();
  await until(() => tab.$("#device .wishes select"), "they are on");
  let release, held = null;
  house.front.fault = (request) => request.method === "POST" && request.url === "/v1/me/subscriptions" && held === null
    ? (held = request, new Promise((done) => { release = done; })) : null;
  await tab.reload();
  await until(() => held !== null, "they are renewed");
  await press1();
  await until(async () => (await subscriptionsOf(tab)).length === 0, "they are off");
  release();
  const ends = () => house.front.requests.filter(({ method, url, open: waits }) => method === "DELETE" && url.startsWith("/v1/me/subscriptions/") && !waits);
  await until(() => !held.open && ends().length === 2, "what was renewed is ended");
  assert.deepEqual(await subscriptionsOf(tab), []);
  assert.deepEqual(await tab.evaluate(async () => [localStorage.getItem("test:push"), await caches.has("plyd-me")]), ["null", false]);
});

browsers("games that were played without a player are the player's once notices are switched on", house, async ({ kind, open }) => {
  if (kind !== "chromium") return;
  const { id, token } = await house.call("POST", "/v1/games", { variant: "tictactoe", seats: [{ me: true, name: "Guest" }, { open: true }] });
  const tab = await open("about:blank");
  await withPush(tab);
  await tab.goto(`${house.front.url}/`);
  await tab.evaluate((id, kept) => localStorage.setItem(`plyd:${location.origin}:game:${id}`, kept), id, JSON.stringify({ token, at: 1 }));
  await tab.type("#name", "Ada");
  await press(tab, "#device .notices label", "Tell me on this device");
  await until(async () => await tokenOf(tab) && (await subscriptionsOf(tab)).length === 1);
  const { items } = await house.call("GET", "/v1/me/games", undefined, await tokenOf(tab));
  assert.deepEqual(items.map(({ id, seats }) => [id, seats[0].name]), [[id, "Ada"]]);
});

browsers("a subscription that the push service has ended is made anew while no page is open", house, async ({ kind, open }) => {
  if (kind !== "chromium") return;
  const tab = await open("about:blank");
  await withPush(tab);
  await tab.goto(`${house.front.url}/`);
  await tab.type("#name", "Ada");
  await press(tab, "#device .notices label", "Tell me on this device");
  await until(async () => await tokenOf(tab) && (await subscriptionsOf(tab)).length === 1);
  const { worker } = await workerOf(tab);
  const { key } = await house.call("GET", "/v1/push");
  await worker.evaluate((key) => renew({ newSubscription: { toJSON: () =>
    ({ endpoint: "https://127.0.0.1:9/push/new", expirationTime: null, keys: { p256dh: key, auth: "BTBZMqHH6r4Tts7J_aSIgg" } }) } }), key);
  assert.equal((await subscriptionsOf(tab)).length, 2); // the push service itself says of the other one that it is gone
});

browsers("whoever joins may ask to be told, and is the player of that seat", house, async ({ kind, open }) => {
  if (kind !== "chromium") return;
  const game = await house.call("POST", "/v1/games", { variant: "tictactoe", seats: [{ me: true, name: "Mia" }, { open: true }] });
  const tab = await open("about:blank");
  await withPush(tab);
  await tab.goto(`${house.front.url}/play/${game.id}`);
  await tab.waitForSelector("#join .notices input");
  await tab.type("#join-name", "Ada");
  await press(tab, "#join .notices label", "Tell me on this device");
  await until(async () => await tokenOf(tab) && (await subscriptionsOf(tab)).length === 1);
  await press(tab, "#join button", "Join");
  await shows(tab, "#standing", "Mia to move");
  const { items } = await house.call("GET", "/v1/me/games", undefined, await tokenOf(tab));
  assert.deepEqual(items.map(({ id }) => id), [game.id]);
});

browsers("a press on a notice brings the window of its game to the front, or opens one", house, async ({ kind, open }) => {
  if (kind !== "chromium") return;
  const game = await house.call("POST", "/v1/games", { variant: "jungle" });
  const tab = await open(`/play/${game.id}`), { worker, shown } = await workerOf(tab);
  const pressed = (url) => worker.evaluate((url) => follow({ data: { url }, close: () => shown.push("closed") }), url);
  await pressed(tab.url());
  await pressed(`${house.front.url}/play/${GAME}`);
  await pressed("https://elsewhere.example/");
  assert.deepEqual(await shown(6), ["closed", { focused: tab.url() }, "closed", { opened: `${house.front.url}/play/${GAME}` },
                                    "closed", { opened: `${house.front.url}/` }]);
});

// ---- from one device to another -------------------------------------------------------------------

/** A player at the start page, and the link and the code for another device. */
async function handedOver(open, name) {
  const tab = await open("/");
  await until(() => isShown(tab, "#device"), "the part about this device is there");
  await tab.type("#name", name);
  await press(tab, "#device button", "Use another device");
  const link = await until(() => tab.$eval("#device .copyable input", (field) => field.value).catch(() => null));
  return { tab, link, code: await tab.$eval("#device .code", (node) => node.textContent) };
}

browsers("a link that is shown as a QR code takes a player to another device, and its code is sent in no address", house, async ({ open }) => {
  const { tab, link, code } = await handedOver(open, "Ada");
  assert.equal(await readCode(tab, "#device svg"), link);
  assert.equal(new URL(link).origin, house.front.url);
  const token = await tokenOf(tab);
  const game = await house.call("POST", "/v1/games", { variant: "jungle", visibility: "private" }, token);
  house.front.requests.length = 0;
  const other = await open(link, { person: 2 });
  await shows(other, "#handover h2", "Use Ada on this device?");
  assert.equal(other.url(), `${house.front.url}/`);
  await press(other, "#handover button", "Play as Ada");
  await shows(other, "#device", "On this device you are Ada");
  await shows(other, "#mine-list", "both sides");
  assert.notEqual(await tokenOf(other), token, "it has a token of its own");
  await press(other, "#mine-list a", "Jungle");
  await until(() => other.url().includes(game.id));
  await drawn(other);
  await shows(other, "#near", "(you)");
  for (const { url, headers } of house.front.requests) assert.ok(!`${url} ${headers.referer}`.includes(code), url);
  const again = await open(link, { person: 3 });
  await press(again, "#handover button", "Play as Ada");
  await until(() => isShown(again, "#handover .trouble"), "a code is good once");
}, { expected: /4\d\d/ });

browsers("a code is typed at another device, which the first one lists and ends", house, async ({ open }) => {
  const { tab, code } = await handedOver(open, "Mia");
  const other = await open("/", { person: 2 });
  await other.evaluate(() => localStorage.setItem("plyd-page:here", "on")); // somebody else has played here
  await press(other, "#device summary", "Play here as on another device");
  await other.type("#device details input", code.toUpperCase().replaceAll("-", " "));
  await press(other, "#device details button", "Play");
  await shows(other, "#device", "On this device you are Mia");
  assert.equal(await other.evaluate(() => localStorage.getItem("plyd-page:here")), null, "what they had switched on is not hers");
  await tab.reload();
  await press(tab, "#device summary", "Your devices (2)");
  await press(tab, "#device .devices button", "End");
  await press(tab, "#device .devices button", "End ");
  await shows(tab, "#device", "Your devices (1)");
  await until(async () => { // other loops may honour it for some seconds
    await other.reload();
    await until(() => isShown(other, "#device"));
    return !(await other.$eval("#device", (node) => node.innerText)).includes("Mia");
  });
  assert.equal(await tokenOf(other), undefined);
}, { expected: /4\d\d/ });

browsers("what the start page says of devices breaks no rule of accessibility that a program can check, and fits on a phone", house, async ({ open }) => {
  const { tab, link } = await handedOver(open, "Ada");
  await until(() => tab.$("#device .devices"), "the devices are listed");
  await press(tab, "#device summary", "Your devices");
  const other = await open(link, { person: 2, viewport: { width: 360, height: 740 } });
  await until(() => isShown(other, "#handover form"));
  await until(() => isShown(other, "#device"));
  await press(other, "#device summary", "Play here");
  await tab.setViewport({ width: 360, height: 740 });
  for (const one of [tab, other]) {
    assert.ok(await one.evaluate(() => document.documentElement.scrollWidth) <= 360);
    assert.deepEqual(await violations(one), []);
  }
}, { expected: /Content.Security.Policy|eval/ });
