// What the pages do for players who know each other: one finds the other, challenges them, and is answered.
import assert from "node:assert/strict";
import { after } from "node:test";

import { browsers, openHouse, scripts, until } from "./harness.mjs";
import { choose, drawn, idOf, isShown, press, shows, textOf, violations } from "./person.mjs";

const house = await openHouse();
after(() => house.close());

const newPlayer = (name) => house.call("POST", "/v1/players", { name });

/** A page of a player on a device of theirs: `person` is which one. */
async function openAs(open, player, path, { person, viewport, lang, early } = {}) {
  const tab = await open("about:blank", { person, viewport, early });
  if (lang) await tab.setExtraHTTPHeaders({ "Accept-Language": lang });
  await tab.goto(`${house.front.url}/docs/board`); // it is of this origin, and asks for nothing as a player
  await tab.evaluate(async ({ id, token }) => new (await import("/plyd.js")).Plyd().become({ id, token }), player);
  await tab.goto(house.front.url + path, { waitUntil: early ? "domcontentloaded" : "load" });
  return tab;
}

const challenge = (by, of, more = {}) =>
  house.call("POST", "/v1/games", { variant: "jungle", seats: [{ me: true }, { player: of.id, expires: "3d" }], ...more }, by.token);

/** In the start page, to the player of this name, who is challenged to a game. */
async function lookFor(tab, game, name) {
  await choose(tab, game, "A player");
  await until(() => isShown(tab, "#player-name"), "one may look for a player");
  await tab.type("#player-name", name);
}

const isListening = (player) => until(() => house.front.requests.some(({ url, headers, open }) =>
  url === "/v1/me/events" && open && headers.authorization === `Bearer ${player.token}`), "the page hears of news");

browsers("a player is found by the beginning of their name, and reads the challenge without a reload", house, async ({ kind, open }) => {
  const name = `Mia of ${kind}`, ada = await newPlayer("Ada"), mia = await newPlayer(name);
  const his = await openAs(open, mia, "/", { person: 2 }), hers = await openAs(open, ada, "/", { person: 1 });
  await isListening(mia);
  assert.equal(await isShown(his, "#asked"), false);
  await lookFor(hers, "Jungle", name.toLowerCase());
  await press(hers, "#players label", name);
  await press(hers, "#new button", "Start the game");
  await until(() => hers.url().includes("/play/"), "the page of the game comes");
  await shows(hers, "#standing", `Waiting for ${name}`);
  await shows(hers, "#far", name);
  await shows(his, "#asked-list", "Ada challenges you");
  await shows(his, "#asked-list", "Jungle");
  await shows(his, "#asked-list", "You would play Blue");
  await shows(his, "#asked-list", "no clock");
  assert.match(await textOf(his, "#asked-list time"), /^6 days .* left$/);
  assert.equal(await textOf(his, "#asked-told"), "Ada challenges you");
  assert.equal(await his.$("#mine-list a"), null, "it stands in one list");
  await press(his, "#asked-list button", "Accept");
  await until(() => his.url().includes("/play/"), "the page of the game comes");
  await shows(his, "#near", "(you)");
  await shows(his, "#standing", "Ada to move");
  await shows(hers, "#standing", "Your turn");
});

browsers("who is challenged reads the terms on the page of the game, and declines with a word", house, async ({ open }) => {
  const ada = await newPlayer("Ada"), mia = await newPlayer("Mia");
  const game = await challenge(ada, mia, { variant: "tictactoe", options: { rows: 15, cols: 15, k: 5 }, clock: { kind: "days", days: 3 }, moves: ["h8"] });
  const hers = await openAs(open, ada, `/play/${game.id}`, { person: 1 }), his = await openAs(open, mia, `/play/${game.id}`, { person: 2 });
  await drawn(his);
  await shows(his, "#standing", "Ada challenges you");
  for (const text of ["You would play O", "3 days a move", "Rows: 15", "begins after 1 move", "2 days"]) await shows(his, "#challenge", text);
  await shows(his, "#near", "Mia");
  await shows(his, "#near", "(you)");
  assert.equal(await isShown(his, "#join"), false);
  await shows(hers, "#standing", "Waiting for Mia");
  assert.equal(await isShown(hers, "#challenge button"), false, "nobody accepts their own challenge");
  assert.equal(await isShown(hers, "#chat"), false, "nothing can be written there");
  await press(his, "#challenge button", "Decline");
  await his.type("#challenge input", "Not this week.");
  await his.keyboard.press("Enter");
  await shows(his, "#standing", "You have declined");
  await shows(hers, "#standing", "Mia has declined");
  await shows(hers, "#meaning", "“Not this week.”");
  await hers.reload();
  await shows(hers, "#standing", "Mia has declined");
  await shows(hers, "#meaning", "“Not this week.”");
  await hers.goto(`${house.front.url}/`);
  await shows(hers, "#mine-list", "Mia has declined");
});

browsers("who is challenged accepts on the page of the game, and plays there", house, async ({ open }) => {
  const ada = await newPlayer("Ada"), mia = await newPlayer("Mia");
  const game = await challenge(ada, mia, { seats: [{ player: mia.id }, { me: true }] });
  const his = await openAs(open, mia, `/play/${game.id}`, { person: 2 });
  await shows(his, "#challenge", "You would play Red, and begin.");
  await press(his, "#challenge button", "Accept");
  await shows(his, "#standing", "Your turn");
  assert.equal(await isShown(his, "#challenge"), false);
  await house.call("POST", `/v1/games/${game.id}/moves`, { move: "g3g4" }, mia.token);
  await shows(his, "#standing", "Ada to move");
});

browsers("a challenge is withdrawn on the page of its game, and on the start page", house, async ({ open }) => {
  const ada = await newPlayer("Ada"), mia = await newPlayer("Mia"), first = await challenge(ada, mia);
  const hers = await openAs(open, ada, `/play/${first.id}`, { person: 1 }), his = await openAs(open, mia, `/play/${first.id}`, { person: 2 });
  await shows(his, "#standing", "Ada challenges you");
  await press(hers, "#actions button", "Withdraw");
  await press(hers, "#actions button", "Really withdraw");
  await shows(hers, "#standing", "You have withdrawn the challenge");
  await shows(his, "#standing", "Ada has withdrawn the challenge");
  const second = await challenge(ada, mia);
  await hers.goto(`${house.front.url}/`);
  await shows(hers, "#asked-list", "Waiting for Mia");
  await press(hers, "#asked-list button", "Withdraw");
  await until(async () => !await isShown(hers, "#asked"), "the challenge goes");
  assert.equal((await house.call("GET", `/v1/games/${second.id}`, undefined, ada.token)).status, "aborted");
});

// ---- rematches ------------------------------------------------------------------------------------

/** A game of two players that the second one has lost. */
async function lostGame(first, second) {
  const game = await house.call("POST", "/v1/games", { variant: "tictactoe", seats: [{ me: true }, { open: true }] }, first.token);
  for (const deed of ["join", "resign"]) await house.call("POST", `/v1/games/${game.id}/${deed}`, {}, second.token);
  return game;
}

browsers("a rematch waits until the other player accepts it, who reads of it on the page of the old game", house, async ({ open }) => {
  const ada = await newPlayer("Ada"), mia = await newPlayer("Mia"), game = await lostGame(ada, mia);
  const hers = await openAs(open, ada, `/play/${game.id}`, { person: 1 }), his = await openAs(open, mia, `/play/${game.id}`, { person: 2 });
  await isListening(ada);
  await press(his, "#actions button", "Rematch");
  await until(() => idOf(his) !== game.id, "who asks is taken to the page of the next game");
  await shows(his, "#standing", "Waiting for Ada");
  await shows(hers, "#rematch", "Mia wants a rematch");
  await press(hers, "#rematch a", "To the rematch");
  await until(() => idOf(hers) === idOf(his), "the page of the next game comes");
  await press(hers, "#challenge button", "Accept");
  await shows(his, "#standing", "Your turn");
  await hers.goto(`${house.front.url}/play/${game.id}`);
  await shows(hers, "#actions", "To the rematch");
  assert.equal(await textOf(hers, "#rematch"), "");
});

browsers("who has asked another player for a rematch reads so on the page of the old game, and who is asked begins it there", house,
  async ({ open }) => {
    const ada = await newPlayer("Ada"), mia = await newPlayer("Mia"), game = await lostGame(ada, mia);
    const { id } = await house.call("POST", `/v1/games/${game.id}/rematch`, {}, ada.token);
    const hers = await openAs(open, ada, `/play/${game.id}`, { person: 1 }), his = await openAs(open, mia, `/play/${game.id}`, { person: 2 });
    await shows(hers, "#rematch", "You have asked for a rematch");
    await shows(his, "#rematch", "Ada wants a rematch");
    await press(his, "#actions button", "Rematch");
    await until(() => idOf(his) === id, "the page of the next game comes");
    await shows(his, "#standing", "Your turn");
    await shows(hers, "#actions", "To the rematch");
  });

browsers("who is no player yet gives their name, and challenges with keys alone", house, async ({ kind, open }) => {
  const zoe = await newPlayer(`Zoe of ${kind}`), tab = await open("/");
  await tab.focus(".game .more[value=jungle]");
  await tab.keyboard.press("Enter");
  const tabTo = async (selector) => {
    for (let i = 0; i < 60; i++) {
      if (await tab.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
      await tab.keyboard.press("Tab");
    }
    assert.fail(`Tab does not reach ${selector}`);
  };
  await tabTo("[name=opponent]");
  await tab.keyboard.press("ArrowRight");
  assert.equal(await tab.$eval("[name=opponent]:checked", (node) => node.value), "player");
  await until(() => isShown(tab, "#asker"), "the name is asked for");
  await tabTo("#player-name");
  await tab.keyboard.type(`zoe of ${kind}`);
  await shows(tab, "#players-told", "Say your name first.");
  assert.equal(await tab.evaluate(async () => new (await import("/plyd.js")).Plyd().token), null);
  await tab.keyboard.down("Shift");
  await tab.keyboard.press("Tab");
  await tab.keyboard.up("Shift");
  await tab.keyboard.type("Yan");
  await tab.keyboard.press("Tab");
  await shows(tab, "#players-told", "1 player");
  await tabTo("[name=player]");
  await tab.keyboard.press(" ");
  await tabTo("#start");
  await tab.keyboard.press("Enter");
  await until(() => tab.url().includes("/play/"), "the page of the game comes");
  const { items: [game] } = await house.call("GET", "/v1/me/challenges", undefined, zoe.token);
  assert.deepEqual([game.id, game.seats[0].name], [idOf(tab), "Yan"]);
});

browsers("that nobody is found is said, and that nobody was chosen", house, async ({ open }) => {
  const tab = await openAs(open, await newPlayer("Olga"), "/");
  await lookFor(tab, "Jungle", "olg");
  await shows(tab, "#players-told", "Nobody is found whose name begins so.");
  await press(tab, "#new button", "Start the game");
  await shows(tab, "#new-trouble", "Choose whom you challenge.");
  assert.equal(await tab.evaluate(() => document.activeElement.id), "player-name");
});

browsers("a name that is written before its script is there is looked for once it is", house, async ({ open }) => {
  await newPlayer("Quentin");
  let come;
  const late = new Promise((done) => { come = done; });
  house.front.fault = ({ url }) => url.includes("/people.js") ? late : null;
  const tab = await openAs(open, await newPlayer("Olga"), "/", { early: true });
  await scripts(tab); // all but that one
  await lookFor(tab, "Jungle", "quen");
  come();
  await shows(tab, "#players", "Quentin");
});

browsers("the daemon is asked for a name once it is written, and the last one is shown", house, async ({ open }) => {
  await newPlayer("Pia");
  await newPlayer("Piotr");
  const tab = await openAs(open, await newPlayer("Olga"), "/"), before = house.front.requests.length;
  await lookFor(tab, "Jungle", "piot");
  await until(() => tab.$("#players label"), "somebody is found");
  assert.match(await textOf(tab, "#players"), /^Piotr/);
  const asked = house.front.requests.slice(before).map(({ url }) => url).filter((url) => url.startsWith("/v1/players?"));
  assert.ok(asked.length <= 4 && asked.at(-1) === "/v1/players?name=piot", asked.join());
});

browsers("news of other games leave the word alone that one is writing", house, async ({ open }) => {
  const ada = await newPlayer("Ada"), mia = await newPlayer("Mia"), game = await challenge(ada, mia);
  const tab = await openAs(open, mia, "/");
  await isListening(mia);
  await press(tab, "#asked-list button", "Decline");
  await tab.type("#asked-list input", "Not th");
  await challenge(ada, mia, { variant: "shogi" });
  await until(async () => (await tab.$$("#asked-list li")).length === 2, "the other challenge is there");
  await tab.keyboard.type("is week.");
  await tab.keyboard.press("Enter");
  await until(async () => (await tab.$$("#asked-list li")).length === 1, "one is answered");
  const { items } = await house.call("GET", `/v1/games/${game.id}/events?type=aborted`, undefined, ada.token);
  assert.equal(items[0].data.text, "Not this week.");
});

browsers("one's games are shown as they become, in all tabs that are open", house, async ({ open }) => {
  const ada = await newPlayer("Ada"), mia = await newPlayer("Mia"), game = await challenge(ada, mia);
  const first = await openAs(open, mia, "/"), second = await open("/");
  await isListening(mia);
  await shows(first, "#asked-list", "Ada challenges you");
  await shows(second, "#asked-list", "Ada challenges you");
  await house.call("POST", `/v1/games/${game.id}/join`, {}, mia.token);
  await house.call("POST", `/v1/games/${game.id}/moves`, { move: "g3g4" }, ada.token);
  for (const tab of [first, second]) {
    await tab.bringToFront();
    await shows(tab, "#mine-list", "Your turn");
    await until(async () => !await isShown(tab, "#asked"), "no challenge waits");
  }
});

// ---- how it looks -----------------------------------------------------------------------------------

const SIZES = [{ width: 390, height: 844 }, { width: 1280, height: 800 }];
const LANGS = { en: "Ada challenges you", ja: "Ada から挑戦されています", tr: "Ada size meydan okuyor" };

const assertFits = async (tab, what) => {
  const [wide, window] = await tab.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= window, `${what}: ${wide} of ${window}`);
};

for (const [lang, told] of Object.entries(LANGS))
  browsers(`a challenge breaks no rule of accessibility and fits the window, in ${lang}`, house, async ({ open }) => {
    const ada = await newPlayer("Ada"), mia = await newPlayer("Mia"), game = await challenge(ada, mia, { clock: { kind: "byoyomi", initial: "10m", period: "30s", periods: 3 } });
    for (const viewport of lang === "en" ? SIZES : SIZES.slice(0, 1)) {
      const tab = await openAs(open, mia, "/", { viewport, lang }), where = `${lang}, ${viewport.width}`;
      await shows(tab, "#asked-list", told);
      await tab.click("#asked-list button:not(.primary)");
      await assertFits(tab, where);
      assert.deepEqual(await violations(tab, { include: ["#asked"] }), [], where);
      await tab.click(".game .more[value=jungle]");
      await tab.evaluate(() => document.querySelector("[name=opponent][value=player]").click());
      await tab.type("#player-name", "Ad");
      await until(() => tab.$("#players label"), "somebody is found");
      await assertFits(tab, where);
      assert.deepEqual(await violations(tab, { include: ["#new-game"] }), [], where);
      await tab.goto(`${house.front.url}/play/${game.id}`);
      await shows(tab, "#standing", told);
      await tab.click("#challenge button:not(.primary)");
      await assertFits(tab, where);
      assert.deepEqual(await violations(tab, { include: ["#play"] }), [], where);
      await tab.close();
    }
  }, { expected: /Content.Security.Policy|eval/ });

browsers("the start page does not jump when challenges come that it had at the last visit", house, async ({ t, open }) => {
  const ada = await newPlayer("Ada"), mia = await newPlayer("Mia");
  await challenge(ada, mia);
  await challenge(mia, ada);
  for (const viewport of SIZES) {
    const first = await openAs(open, mia, "/", { viewport });
    await until(async () => (await first.$$("#asked-list a")).length === 2, "the challenges are there");
    await first.close();
    const tab = await open("about:blank", { viewport });
    await tab.evaluateOnNewDocument(() => {
      globalThis.shifts = 0;
      if (PerformanceObserver.supportedEntryTypes.includes("layout-shift"))
        new PerformanceObserver((list) => { for (const { value } of list.getEntries()) globalThis.shifts += value; })
          .observe({ type: "layout-shift", buffered: true });
    });
    let free;
    const freed = new Promise((done) => { free = done; });
    house.front.fault = ({ url }) => url.startsWith("/v1/me/challenges") ? freed : null; // they come last
    await tab.goto(`${house.front.url}/`);
    await until(() => tab.evaluate(() => document.querySelectorAll("#asked-list .blank").length === 2 && document.querySelector("#public-none").textContent !== "Loading …"));
    const place = () => tab.$eval("#name", (node) => Math.round(node.getBoundingClientRect().top)), before = await place();
    free();
    await until(async () => (await tab.$$("#asked-list a")).length === 2, "the challenges are there");
    const shifts = await tab.evaluate(() => globalThis.shifts);
    t.diagnostic(`${viewport.width} pixels: layout shifts of ${shifts.toFixed(3)}`);
    assert.ok(shifts < 0.02, `layout shifts of ${shifts}`);
    assert.equal(await place(), before);
    await tab.close();
  }
});

browsers("what is new stands beside a game, until it was seen on one device", house, async ({ open }) => {
  const ada = await newPlayer("Ada"), mia = await newPlayer("Mia"), game = await challenge(ada, mia);
  await house.call("POST", `/v1/games/${game.id}/join`, {}, mia.token);
  await house.call("POST", `/v1/games/${game.id}/moves`, { move: "a3a4" }, ada.token);
  await house.call("POST", `/v1/games/${game.id}/messages`, { text: "Your turn." }, ada.token);
  const { items: [{ unread, version }] } = await house.call("GET", "/v1/me/games", undefined, mia.token);
  const telephone = await openAs(open, mia, "/", { person: 1 });
  await shows(telephone, "#mine-list .new", `${unread} new`);
  const computer = await openAs(open, mia, `/play/${game.id}`, { person: 2 });
  await drawn(computer);
  const mine = async () => (await house.call("GET", "/v1/me/games", undefined, mia.token)).items[0];
  await until(async () => (await mine()).read === version, "the page has said that it was read");
  await telephone.reload();
  await shows(telephone, "#mine-list", "Ada");
  assert.equal(await telephone.$("#mine-list .new"), null);
  await house.call("POST", `/v1/games/${game.id}/messages`, { text: "Well?" }, ada.token);
  await until(async () => (await mine()).read === version + 1, "what comes while it is seen is read, too");
});

// ---- a story --------------------------------------------------------------------------------------

/** What stands beside a game in the start page: how many events are new. */
function isNew(tab, game, count) {
  const row = `#mine-list li:has([href="/play/${game.id}"])`;
  return count > 0 ? shows(tab, `${row} .new`, `${count} new`)
    : until(async () => await isShown(tab, row) && await tab.$(`${row} .new`) === null, "nothing is new");
}

const unread = async ({ token }, game) => (await house.call("GET", "/v1/me/games", undefined, token)).items.find(({ id }) => id === game).unread;

browsers("two who never exchanged a link find each other, agree in the end, play on two devices each, and one blocks the other", house, async ({ kind, open }) => {
  const name = `Nuri of ${kind}`, ada = await newPlayer("Ada"), nuri = await newPlayer(name), sent = "Not this week.";
  const [hers, herPhone, his, hisPhone] = await Promise.all([[ada, 1], [ada, 2], [nuri, 3], [nuri, 4]].map(([player, person]) =>
    openAs(open, player, "/", { person })));
  const ask = async () => {
    await hers.goto(`${house.front.url}/`);
    await lookFor(hers, "Jungle", name);
    await press(hers, "#players label", name);
    await press(hers, "#new button", "Start the game");
    await shows(hers, "#standing", `Waiting for ${name}`);
  };
  await ask();
  await shows(hisPhone, "#asked-list", "Ada challenges you");
  await press(hisPhone, "#asked-list button", "Decline");
  await hisPhone.type("#asked-list input", sent);
  await hisPhone.keyboard.press("Enter");
  await shows(hers, "#meaning", `“${sent}”`);
  await until(async () => !await isShown(his, "#asked"), "his other device asks no more");

  await ask();
  const id = idOf(hers), game = { id, move: (player, move) => house.call("POST", `/v1/games/${id}/moves`, { move }, player.token) };
  await press(his, "#asked-list button", "Accept");
  await shows(his, "#standing", "Ada to move");
  await shows(hers, "#standing", "Your turn");
  await game.move(ada, "a3a4");
  await shows(his, "#standing", "Your turn");
  await until(async () => await unread(nuri, game.id) === 0, "he has read it");
  await hisPhone.goto(`${house.front.url}/`);
  await isNew(hisPhone, game, 0);
  await until(async () => await unread(ada, game.id) === 0, "she has read that he is there");
  await hers.goto(`${house.front.url}/`);
  await game.move(nuri, "a7a6");
  await herPhone.goto(`${house.front.url}/`);
  await isNew(herPhone, game, 1);
  await isNew(hers, game, 1);
  await hers.goto(`${house.front.url}/play/${game.id}`);
  await until(async () => await unread(ada, game.id) === 0, "she has read it");
  await herPhone.reload();
  await isNew(herPhone, game, 0);

  await house.call("PUT", `/v1/me/blocks/${ada.id}`, {}, nuri.token);
  await hisPhone.goto(`${house.front.url}/play/${game.id}`);
  await drawn(hisPhone);
  await press(hers, "#chat summary", "Messages");
  await hers.type("#chat input", "Are you there?");
  await hers.keyboard.press("Enter");
  await shows(hers, "#chat", "Are you there?");
  await ask();
  await his.goto(`${house.front.url}/`);
  await isNew(his, game, 0);
  assert.equal(await isShown(his, "#asked"), false, "he is told of no challenge");
  await game.move(ada, "a4a5");
  await shows(hisPhone, "#standing", "Your turn");
  assert.doesNotMatch(await hisPhone.$eval("#chat", (node) => node.textContent), /Are you there/);
});

browsers("players see that both have the game before them, once both have switched that on, until one looks away", house, async ({ open, hide, show }) => {
  const ada = await newPlayer("Ada"), mia = await newPlayer("Mia");
  const { id } = await challenge(ada, mia);
  await house.call("POST", `/v1/games/${id}/join`, {}, mia.token);
  const hers = await openAs(open, ada, `/play/${id}`, { person: 1 }), his = await openAs(open, mia, `/play/${id}`, { person: 2 });
  const told = (player) => house.front.requests.filter(({ method, url, headers, open: waits }) =>
    method === "PUT" && url.startsWith(`/v1/games/${id}/here`) && headers.authorization === `Bearer ${player.token}` && !waits).length;
  for (const tab of [hers, his]) await drawn(tab);
  await press(hers, "#here-field", "In all games");
  await until(() => told(ada) === 1, "she has told that she is here");
  assert.equal(await isShown(hers, ".present"), false);
  assert.equal(await isShown(his, ".present"), false);
  assert.equal(told(mia), 0);
  await press(his, "#here-field", "In all games");
  await shows(his, "#far .present", "here now");
  assert.equal(await isShown(hers, ".present"), false); // she asks only every 25 seconds
  await hide(hers);
  await show(hers);
  await shows(hers, "#far .present", "here now");
  assert.equal((await hers.$$(".present")).length, 1);
  await hide(his);
  await until(async () => await his.$(".present") === null, "what is not looked at says nothing");
  await until(() => house.front.requests.some(({ method, url, open: waits }) => method === "DELETE" && url.endsWith("/here") && !waits));
  await hide(hers);
  await show(hers);
  await until(async () => await hers.$(".present") === null, "he is not here any more");
  await press(hers, "#curl", "The same with curl");
  assert.equal(await hers.evaluate(() => [...document.querySelectorAll("#commands textarea")].some(({ value }) => value.includes("/here"))), false);
  await hers.reload();
  await drawn(hers);
  assert.equal(await hers.$eval("#here", (box) => box.checked), true);
});

browsers("what says that a player is here is given up when they switch that off, and other tabs follow", house, async ({ open }) => {
  const ada = await newPlayer("Ada"), mia = await newPlayer("Mia");
  const { id } = await challenge(ada, mia);
  await house.call("POST", `/v1/games/${id}/join`, {}, mia.token);
  const tab = await openAs(open, ada, `/play/${id}`), other = await openAs(open, ada, `/play/${id}`);
  for (const one of [other, tab]) await drawn(one);
  await tab.bringToFront();
  const said = (method) => house.front.requests.filter((request) => request.method === method && /[/]here(\?|$)/.test(request.url));
  house.front.fault = (request) => said("PUT").includes(request) ? 503 : null; // so it is said again and again
  await tab.evaluate(() => document.getElementById("here").addEventListener("change", () => { globalThis.switchedAt = Date.now(); }));
  await press(tab, "#here-field", "In all games");
  await until(() => said("PUT").length > 0, "it is said that she is here");
  await until(() => other.$eval("#here", (box) => box.checked), "the other tab follows");
  await press(tab, "#here-field", "In all games");
  await until(() => said("DELETE").some((request) => !request.open), "it is taken back");
  const switchedAt = await tab.evaluate(() => globalThis.switchedAt), since = said("PUT").filter(({ at }) => at > switchedAt);
  assert.ok(since.length <= 1, `${since.length} that were sent after that`); // one may have been under way
  await until(() => other.$eval("#here", (box) => !box.checked), "the other tab follows");
}, { expected: /Failed to load|NetworkError|ERR_/ });

browsers("nobody is asked to be shown to a computer, or to themselves", house, async ({ open }) => {
  const ada = await newPlayer("Ada");
  for (const seats of [[{ me: true }, { engine: "random" }], [{ me: true }, { me: true }], [{ me: true }, { open: true }]]) {
    const { id } = await house.call("POST", "/v1/games", { variant: "tictactoe", seats }, ada.token);
    const tab = await openAs(open, ada, `/play/${id}`);
    await drawn(tab);
    assert.equal(await isShown(tab, "#ask-field"), true);
    assert.equal(await isShown(tab, "#here-field"), false);
    await tab.close();
  }
});
