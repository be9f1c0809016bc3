// What the page of a game says of it: who wants a rematch, whether a move is there, and whether one looks back.
import assert from "node:assert/strict";
import { after } from "node:test";

import { browsers, openHouse, until } from "./harness.mjs";
import { CUT, clickSquare, drawn, idOf, isShown, moves, press, reaches, shows, textOf } from "./person.mjs";

const house = await openHouse();
after(() => house.close());

/** A game of two people, with what each of them needs to know of it. */
async function twoPeople({ names = ["Ada", "Mia"], ...more } = {}) {
  const [first, second] = names.map((name) => name && { name });
  const game = await house.call("POST", "/v1/games",
    { variant: "tictactoe", seats: [{ me: true, ...first }, { open: true }], ...more });
  const joined = await house.call("POST", `/v1/games/${game.id}/join`, { ...second });
  return { id: game.id, tokens: [game.token, joined.token] };
}

const act = ({ id, tokens }, seat, deed, body = {}) =>
  house.call("POST", `/v1/games/${id}/${deed}`, body, tokens[seat - 1]);

/** Opens the game as the person of a seat does, by the link with their key. */
async function sit(open, { id, tokens }, seat, options) {
  const tab = await open(`/play/${id}#key=${tokens[seat - 1]}`, { person: seat, ...options });
  await drawn(tab);
  return tab;
}

// ---- moves made ahead -----------------------------------------------------------------------------

for (const [lang, told] of [["en", "When it is your turn: elephant a4 to a5"], ["ja", "あなたの番になったら指します"], ["tr", "Sıra size gelince"]])
  browsers(`a move that is made ahead is told in ${lang}, taken back by one tap, and played when it is one's turn`, house, async ({ open }) => {
    const game = await twoPeople({ variant: "jungle" });
    await act(game, 1, "moves", { move: "a3a4" });
    const tab = await open("about:blank", { person: 1 });
    await tab.setExtraHTTPHeaders({ "Accept-Language": lang });
    await tab.goto(`${house.front.url}/play/${game.id}#key=${game.tokens[0]}`);
    await drawn(tab);
    for (const square of ["a4", "a5"]) await clickSquare(tab, square);
    await shows(tab, "#meaning", told);
    await clickSquare(tab, "d5");
    await until(async () => !(await textOf(tab, "#meaning")).includes(told), "it is taken back");
    for (const square of ["a4", "a5"]) await clickSquare(tab, square);
    await shows(tab, "#meaning", told);
    await act(game, 2, "moves", { move: "g7g6" });
    await reaches(tab, 3);
    await until(async () => !(await textOf(tab, "#meaning")).includes(told), "it is played");
  });

// ---- rematches ------------------------------------------------------------------------------------

browsers("the other one is asked by name for a rematch, and the link takes them to their seat", house, async ({ open }) => {
  const game = await twoPeople({ visibility: "private" });
  await act(game, 2, "resign");
  const [ada, mia] = [await sit(open, game, 1), await sit(open, game, 2)];
  await press(mia, "#actions button", "Rematch");
  await until(() => idOf(mia) !== game.id, "who asks is taken to the page of the next game");
  await shows(mia, "#near", "(you)");
  await shows(ada, "#rematch", "Mia wants a rematch");
  await press(ada, "#rematch a", "To the rematch");
  await until(() => idOf(ada) !== game.id, "the page of the next game comes");
  assert.equal(idOf(ada), idOf(mia));
  await shows(ada, "#near", "Ada");
  await shows(ada, "#near", "(you)");
  await shows(mia, "#standing", "Your turn");
  for (const { url, headers } of house.front.requests)
    for (const token of game.tokens) assert.ok(!`${url} ${headers.referer}`.includes(token), url);
});

browsers("a rematch is asked for, too, when the page is opened later, until it has begun", house, async ({ open }) => {
  const game = await twoPeople();
  await act(game, 1, "resign");
  const { id } = await act(game, 1, "rematch");
  const mia = await sit(open, game, 2);
  await shows(mia, "#rematch", "Ada wants a rematch");
  assert.doesNotMatch(await textOf(mia, "#actions"), /rematch/i, "there is one way to the rematch");
  for (const [token, move] of [[game.tokens[1], "b2"], [game.tokens[0], "a1"]])
    await house.call("POST", `/v1/games/${id}/moves`, { move }, token);
  await mia.reload();
  await shows(mia, "#actions", "To the rematch");
  assert.equal(await textOf(mia, "#rematch"), "");
  await press(mia, "#actions a", "To the rematch");
  await shows(mia, "#near", "(you)");
});

browsers("the one who has asked for a rematch, one without a name and one who watches are told what is so", house,
  async ({ open }) => {
    const game = await twoPeople({ names: [] });
    await act(game, 1, "resign");
    await act(game, 1, "rematch");
    await shows(await sit(open, game, 1), "#rematch", "You have asked for a rematch");
    await shows(await sit(open, game, 2), "#rematch", "Your opponent wants a rematch");
    await shows(await open(`/play/${game.id}`, { person: 3 }), "#rematch", "X wants a rematch");
  });

// ---- a move that is not there yet -----------------------------------------------------------------

const isMove = ({ method, url }) => method === "PUT" && url.includes("/moves/");

/** Holds moves back on their way to the daemon, until the function that it returns is called. */
function holdMoves() {
  let free;
  const freed = new Promise((done) => { free = done; });
  house.front.fault = (request) => isMove(request) ? freed : null;
  return () => {
    house.front.fault = () => null;
    free();
  };
}

/**
 * A game with a clock that both have begun to play, and of which a seat sees a page whose time is set by the test. There
 * an answer is late when the test says so.
 */
async function withClock(open, seat) {
  const game = await twoPeople({ clock: { kind: "fischer", initial: "10m", increment: "0s" } });
  for (const [i, move] of ["b2", "a1"].entries())
    await house.call("POST", `/v1/games/${game.id}/moves`, { move }, game.tokens[i]);
  const tab = await open("about:blank", { person: seat });
  await tab.evaluateOnNewDocument(() => {
    const now = Date.now, every = globalThis.setInterval, later = globalThis.setTimeout, ticks = [], late = [];
    let ahead = 0, passed = 0;
    Date.now = () => now() + ahead;
    globalThis.setInterval = (tick, ...more) => {
      ticks.push(tick);
      return every(tick, ...more);
    };
    performance.now = () => passed;
    globalThis.setTimeout = (run, ms, ...more) => ms === 5000 ? late.push(run) : later(run, ms, ...more);
    globalThis.answerIsLate = () => {
      passed += 5000;
      for (const run of late) run();
    };
    globalThis.minutePasses = () => {
      ahead += 60_000;
      for (const tick of ticks) tick();
    };
  });
  await tab.goto(`${house.front.url}/play/${game.id}#key=${game.tokens[seat - 1]}`);
  await drawn(tab);
  await shows(tab, "#near .clock", ":");
  return { tab, game };
}

/** What the own clock shows, in seconds, before and after a minute. */
async function minuteOf(tab) {
  const read = async () => {
    const [minutes, seconds] = (await textOf(tab, "#near .clock")).split(":");
    return 60 * Number(minutes) + Number(seconds);
  };
  const before = await read();
  await tab.evaluate(() => minutePasses());
  return before - await read();
}

browsers("a move that is on its way is said to be sent, and the clock stands meanwhile", house, async ({ open }) => {
  const { tab, game } = await withClock(open, 1);
  await shows(tab, "#standing", "Your turn");
  assert.ok(await minuteOf(tab) >= 60, "it runs while one thinks");
  const free = holdMoves();
  await clickSquare(tab, "c3");
  await shows(tab, "#standing", "Sending …");
  assert.equal(await minuteOf(tab), 0, "it stands while the move is on its way");
  await tab.evaluate(() => answerIsLate());
  await shows(tab, "#network", "The server has not answered yet. Your time runs on until it is there.");
  assert.equal(await textOf(tab, "#standing"), "Sending …");
  assert.ok(await minuteOf(tab) >= 60, "it runs again, as at the server");
  free();
  await shows(tab, "#standing", "Mia to move");
  assert.equal((await house.call("GET", `/v1/games/${game.id}`)).ply, 3);
});

browsers("a move that is made without a connection is said to wait, and the time runs on", house, async ({ open }) => {
  const { tab, game } = await withClock(open, 1);
  house.front.fault = ({ url }) => url.startsWith("/v1/") ? "refuse" : null;
  house.front.cut();
  await clickSquare(tab, "c3");
  await shows(tab, "#standing", "No connection, the move will be sent");
  await shows(tab, "#network", "kept on this device, also if you close the page. Your time runs on until it is there.");
  assert.ok(await minuteOf(tab) >= 60);
  await tab.reload();
  await shows(tab, "#standing", "No connection, the move will be sent");
  house.front.fault = () => null;
  await shows(tab, "#standing", "Mia to move");
  await until(async () => !await isShown(tab, "#network"), "the note about the network goes");
  assert.equal((await house.call("GET", `/v1/games/${game.id}`)).ply, 3);
}, { expected: CUT });

browsers("a move that waited and is refused is waited for no more", house, async ({ open }) => {
  const game = await twoPeople(), tab = await sit(open, game, 1);
  await shows(tab, "#standing", "Your turn");
  house.front.fault = (request) => isMove(request) ? "refuse" : null;
  await clickSquare(tab, "c3");
  await shows(tab, "#standing", "No connection, the move will be sent");
  await act(game, 2, "resign");
  house.front.fault = () => null;
  await shows(tab, "#standing", "You won by resignation");
}, { expected: new RegExp(`${CUT.source}|409`) });

browsers("one who waits for the other without a connection is not told whose turn it is as if that were known", house,
  async ({ open }) => {
    const game = await twoPeople(), tab = await sit(open, game, 2);
    await shows(tab, "#standing", "Ada to move");
    house.front.fault = ({ url }) => url.startsWith("/v1/") ? "refuse" : null;
    house.front.cut();
    await shows(tab, "#standing", "No connection");
    await shows(tab, "#network", "Last known: Ada to move");
    await house.call("POST", `/v1/games/${game.id}/moves`, { move: "b2" }, game.tokens[0]);
    house.front.fault = () => null;
    await shows(tab, "#standing", "Your turn");
    await until(async () => !await isShown(tab, "#network"), "the note about the network goes");
  }, { expected: CUT });

browsers("a state that cannot be loaded is not told as if it were the newest, though news flow", house, async ({ open }) => {
  const { tab, game } = await withClock(open, 2);
  await shows(tab, "#standing", "Ada to move");
  const isState = ({ method, url }) => method === "GET" && new URL(url, house.front.url).pathname === `/v1/games/${game.id}`;
  house.front.fault = (request) => isState(request) ? 503 : null;
  await house.call("POST", `/v1/games/${game.id}/moves`, { move: "c3" }, game.tokens[0]);
  await shows(tab, "#standing", "No connection");
  await shows(tab, "#network", "Last known: Ada to move");
  const said = await tab.evaluate(() => {
    globalThis.headings = new Set();
    new MutationObserver(() => headings.add(document.querySelector("#stands").textContent))
      .observe(document.querySelector("#standing"), { childList: true, subtree: true, characterData: true });
    return document.querySelector("#far .clock").textContent;
  });
  for (const text of ["Are you there?", "Hello?"]) // each is news, as a heartbeat is
    await house.call("POST", `/v1/games/${game.id}/messages`, { text }, game.tokens[0]);
  await until(async () => (await messages(tab)).length === 2, "the messages are there");
  await tab.evaluate(() => minutePasses());
  assert.deepEqual(await tab.evaluate(() => [...headings]).then((all) => all.filter((text) => text !== "No connection")), []);
  assert.equal(await textOf(tab, "#far .clock"), said, "the clock of the other one does not run as if that were known");
  house.front.fault = () => null;
  await shows(tab, "#standing", "Your turn");
}, { expected: CUT });

browsers("while the computer thinks, the heading says so", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games",
    { variant: "shogi", seats: [{ me: true }, { engine: "plyd", level: 8 }] });
  const tab = await open(`/play/${game.id}#key=${game.token}`);
  await drawn(tab);
  await clickSquare(tab, "7g");
  await clickSquare(tab, "7f");
  await shows(tab, "#standing", "The computer thinks");
});

// ---- what people are told --------------------------------------------------------------------------

browsers("one who plays both sides is told whose turn it is, and no move that they did not make", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "shogi" });
  const tab = await open(`/play/${game.id}#key=${game.token}`);
  await drawn(tab);
  await clickSquare(tab, "7c");
  await shows(tab, "#meaning", "Sente to move");
  await clickSquare(tab, "7g");
  await clickSquare(tab, "7f");
  await reaches(tab, 1);
  await clickSquare(tab, "7c");
  await clickSquare(tab, "7d");
  await reaches(tab, 2);
});

browsers("a hint, and that one is looked for, is read on the page", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle" });
  const tab = await open(`/play/${game.id}#key=${game.token}`);
  await drawn(tab);
  let free;
  house.front.fault = ({ url }) => url.endsWith("/hint") ? new Promise((done) => { free = done; }) : null;
  await press(tab, "#actions button", "Hint");
  await until(() => free, "the hint is asked for");
  await shows(tab, "#meaning", "Looking for a move");
  free();
  await shows(tab, "#meaning", "Hint: ");
});

browsers("one whose offer is declined is told so", house, async ({ open }) => {
  const game = await twoPeople(), [ada, mia] = [await sit(open, game, 1), await sit(open, game, 2)];
  await press(ada, "#actions button", "Offer a draw");
  await press(mia, "#offers button", "Decline");
  await shows(ada, "#meaning", "Mia has declined the offer of a draw.");
  assert.equal(await textOf(mia, "#meaning"), "");
});

browsers("a refusal goes when the game is over", house, async ({ open }) => {
  const game = await twoPeople({ variant: "jungle" }), tab = await sit(open, game, 1);
  await clickSquare(tab, "a3");
  await clickSquare(tab, "a5");
  await shows(tab, "#meaning", "a3a5");
  await act(game, 2, "resign");
  await shows(tab, "#standing", "You won by resignation");
  assert.doesNotMatch(await textOf(tab, "#meaning"), /a3a5/);
});

browsers("an invitation that somebody else has used says so, and leaves the address", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "tictactoe", seats: [{ me: true, name: "Ada" }, { open: true }] });
  const { url } = await house.call("POST", `/v1/games/${game.id}/invitations`, {}, game.token);
  const path = new URL(url).pathname + new URL(url).hash;
  const [mia, late] = [await open(path, { person: 2 }), await open(path, { person: 3 })];
  await drawn(late);
  await press(mia, "#join-button", "Join");
  await shows(mia, "#near", "(you)");
  await shows(late, "#meaning", "This invitation was used already. You may watch the game.");
  for (const tab of [mia, late]) assert.ok(!tab.url().includes("#"), tab.url());
  assert.equal(await textOf(mia, "#meaning"), "");
});

browsers("a deed that is not answered says so, and is done when there is an answer", house, async ({ open }) => {
  const game = await twoPeople(), tab = await sit(open, game, 1);
  house.front.fault = ({ url }) => url.includes("/offers") ? "refuse" : null;
  await press(tab, "#actions button", "Offer a draw");
  await shows(tab, "#trouble", "No answer yet. Trying again …");
  house.front.fault = () => null;
  await shows(tab, "#offers", "You offer a draw.");
  await until(async () => !await isShown(tab, "#trouble"), "it is not said any more");
}, { expected: CUT });

// ---- messages -------------------------------------------------------------------------------------

const messages = (tab) => tab.$$eval("#messages li", (nodes) => nodes.map((node) => node.textContent));

/** A game of which not everybody reads the messages. Ada has written one, and the other seat is open. */
async function letterbox() {
  const game = await house.call("POST", "/v1/games",
    { variant: "tictactoe", visibility: "unlisted", seats: [{ me: true, name: "Ada" }, { open: true }] });
  const write = (text) => house.call("POST", `/v1/games/${game.id}/messages`, { text }, game.token);
  await write("Good evening.");
  return { id: game.id, tokens: [game.token], write };
}

browsers("one who watches sees no messages, and one who joins all of them", house, async ({ open }) => {
  const game = await letterbox(), mia = await open(`/play/${game.id}`);
  await drawn(mia);
  await until(() => isShown(mia, "#join"), "one may join");
  await game.write("Is anybody there?");
  assert.equal(await isShown(mia, "#chat"), false);
  assert.deepEqual(await messages(mia), []);
  await press(mia, "#join-button", "Join");
  await press(mia, "#chat summary", "Messages");
  await shows(mia, "#messages", "there?");
  await game.write("There you are.");
  await shows(mia, "#messages", "are.");
  assert.deepEqual(await messages(mia), ["Ada: Good evening.", "Ada: Is anybody there?", "Ada: There you are."]);
});

browsers("a message that comes while the earlier ones are asked for follows them", house, async ({ open }) => {
  const game = await letterbox(), { requests } = house.front;
  const isState = ({ method, url }) => method === "GET" && new URL(url, house.front.url).pathname === `/v1/games/${game.id}`;
  let free;
  const freed = new Promise((done) => { free = done; });
  house.front.fault = ({ url }) => url.includes("type=message") ? freed : null;
  const ada = await sit(open, game, 1);
  await press(ada, "#chat summary", "Messages");
  await until(() => requests.some(({ url, open: waits }) => url.includes(`${game.id}/events`) && !url.includes("type=") && waits),
    "news are waited for");
  const asked = requests.filter(isState).length;
  await game.write("Is anybody there?");
  await until(() => requests.filter(isState).length > asked, "the page has heard of it");
  assert.deepEqual(await messages(ada), []);
  house.front.fault = () => null;
  free();
  await shows(ada, "#messages", "there?");
  assert.deepEqual(await messages(ada), ["Ada: Good evening.", "Ada: Is anybody there?"]);
});

// ---- looking back ---------------------------------------------------------------------------------

/** Six moves, the last by seat 2, and the page of seat 1, which is to move. */
async function sixMoves(open, options) {
  const game = await twoPeople({ variant: "jungle" });
  for (const [i, move] of ["a3a4", "g7g6", "a4a5", "g6g5", "c3d3", "e7d7"].entries())
    await house.call("POST", `/v1/games/${game.id}/moves`, { move }, game.tokens[i % 2]);
  const tab = await sit(open, game, 1, options);
  await reaches(tab, 6);
  return { tab, game };
}

const onSquare = (tab, square) => tab.evaluate((name) => document.querySelector("plyd-board").shadowRoot
  .querySelector(`[data-square="${name}"]`).getAttribute("aria-label"), square);
browsers("one who looks back reads so in the heading, comes back by it, and is told why nothing can be played", house,
  async ({ open }) => {
    const { tab } = await sixMoves(open);
    await press(tab, "#moves button", "a3a4");
    await press(tab, "#next", "→");
    await shows(tab, "#standing", "Move 2 of 6, back to now");
    assert.equal(await textOf(tab, "#meaning"), "Now: Your turn");
    assert.equal(await textOf(tab, "#told"), "Move 2 of 6");
    await until(async () => (await onSquare(tab, "a4")).includes("elephant"), "the board looks back");
    await clickSquare(tab, "a4");
    await shows(tab, "#meaning", "You are looking back");
    await tab.mouse.down();
    await shows(tab, "#meaning", "Now: Your turn");
    await tab.mouse.move(0, 0);
    const { x, y } = await tab.$eval("plyd-board", (node) => node.getBoundingClientRect().toJSON());
    await tab.mouse.move(x + 100, y + 100);
    await tab.mouse.up();
    await shows(tab, "#meaning", "You are looking back");
    await press(tab, "#now", "back to now");
    await shows(tab, "#standing", "Your turn");
    assert.equal(await isShown(tab, "#now"), false);
    assert.equal(await tab.evaluate(() => document.activeElement.localName), "plyd-board");
    await until(async () => await textOf(tab, "#meaning") === "", "the reason goes");
    await clickSquare(tab, "a5");
    await clickSquare(tab, "a6");
    await reaches(tab, 7);
  });

browsers("one who looks back stays there when the other one moves, and the count goes on", house, async ({ open }) => {
  const { tab, game } = await sixMoves(open);
  for (let i = 0; i < 5; i++) await tab.click("#prev");
  await shows(tab, "#standing", "Move 1 of 6, back to now");
  await until(async () => (await onSquare(tab, "a4")).includes("elephant"), "the board looks back");
  await house.call("POST", `/v1/games/${game.id}/moves`, { move: "d3d4" }, game.tokens[0]);
  await shows(tab, "#standing", "Move 1 of 7, back to now");
  await shows(tab, "#meaning", "Now: Mia to move");
  assert.match(await onSquare(tab, "a4"), /elephant/);
  assert.match(await onSquare(tab, "g6"), /empty/);
});

browsers("one who looks back at what is taken back meanwhile is told so", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle", moves: ["a3a4", "g7g6", "a4a5"] });
  const tab = await open(`/play/${game.id}#key=${game.token}`);
  const play = (path, body = {}) => house.call("POST", `/v1/games/${game.id}/${path}`, body, game.token);
  await drawn(tab);
  await reaches(tab, 3);
  await tab.click("#prev");
  await shows(tab, "#standing", "Move 2 of 3, back to now");
  await play("undo", { to_ply: 1 });
  await shows(tab, "#standing", "Move 2 of 3 (taken back), back to now");
  await play("moves", { move: "a7a6" });
  await until(async () => (await moves(tab)).length === 2, "the other move is listed");
  await shows(tab, "#standing", "Move 2 of 3 (taken back), back to now");
  await tab.click("#prev");
  await tab.click("#prev");
  await shows(tab, "#standing", "Before move 1 of 3, back to now");
  await press(tab, "#moves button", "a3a4");
  await shows(tab, "#standing", "Move 1 of 2, back to now");
});

async function assertFits(tab) {
  const width = await tab.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 320, `the page is ${width} wide`);
}

browsers("no heading is wider than a screen of 320 pixels", house, async ({ open }) => {
  const { tab, game } = await sixMoves(open, { viewport: { width: 320, height: 640 } });
  await assertFits(tab);
  await tab.click("#prev");
  await shows(tab, "#standing", "back to now");
  await assertFits(tab);
  await tab.click("#last");
  house.front.fault = (request) => isMove(request) ? "refuse" : null;
  await clickSquare(tab, "a5");
  await clickSquare(tab, "a6");
  await shows(tab, "#standing", "No connection, the move will be sent");
  await assertFits(tab);
  house.front.fault = () => null;
  await reaches(tab, 7);
  await act(game, 2, "resign");
  await act(game, 2, "rematch");
  await shows(tab, "#rematch", "Mia wants a rematch");
  await assertFits(tab);
}, { expected: CUT });

// ---- the window -----------------------------------------------------------------------------------

/** Notes how far what can be seen has moved by itself. */
const watchShifts = () => {
  globalThis.shifts = 0;
  if (PerformanceObserver.supportedEntryTypes.includes("layout-shift"))
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) globalThis.shifts += value; })
      .observe({ type: "layout-shift", buffered: true });
};

/** A shogi game with clocks, and men in both hands. */
async function longGame() {
  const game = await twoPeople({ variant: "shogi", clock: { kind: "fischer", initial: "15m", increment: "0s" } });
  const line = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "8c8d", "5e2b+", "8d8e"];
  for (const [i, move] of line.entries()) await house.call("POST", `/v1/games/${game.id}/moves`, { move }, game.tokens[i % 2]);
  return game;
}

/** What there is to see of a page at once: names of places that are not wholly in the window, and the share of the board. */
const seen = (tab) => tab.evaluate(() => {
  const root = document.querySelector("plyd-board").shadowRoot, field = root.querySelector(".board").getBoundingClientRect();
  const last = document.querySelector("#moves [aria-current]").getBoundingClientRect();
  const list = document.querySelector("#moves").getBoundingClientRect();
  const places = { board: field, far: document.querySelector("#far").getBoundingClientRect(),
                   near: document.querySelector("#near").getBoundingClientRect(), last, standing: document.querySelector("#standing").getBoundingClientRect() };
  for (const [i, hand] of [...root.querySelectorAll(".hand")].entries()) places[`hand${i}`] = hand.getBoundingClientRect();
  const isOut = ({ left, top, right, bottom }) => left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  const out = Object.entries(places).filter(([, box]) => isOut(box)).map(([name]) => name);
  if (last.top < list.top - 1 || last.bottom > Math.min(list.bottom, places.near.top > list.top ? places.near.top : innerHeight) + 1) out.push("last in its list");
  return { out, share: field.width * field.height / innerWidth / innerHeight, width: field.width / document.documentElement.clientWidth,
           scrolls: document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth };
});

browsers("the board is as large as the window allows, and all that a player looks at is seen at once", house, async ({ t, open }) => {
  const game = await longGame();
  for (const [width, height, share] of [[1280, 800, 0.4], [1920, 1080, 0.4], [1024, 768, 0.4], [844, 390, 0.35], [667, 375, 0.35]]) {
    const tab = await open("about:blank", { viewport: { width, height } });
    await tab.evaluateOnNewDocument(watchShifts);
    await tab.goto(`${house.front.url}/play/${game.id}#key=${game.tokens[0]}`);
    await drawn(tab);
    await reaches(tab, 8);
    await until(() => isShown(tab, "#about"), "all is shown");
    const found = await seen(tab), shifts = await tab.evaluate(() => globalThis.shifts);
    t.diagnostic(`${width}x${height}: the board has ${(100 * found.share).toFixed(1)} % of the window, layout shifts of ${shifts.toFixed(3)}`);
    assert.deepEqual([found.out, found.scrolls], [[], false], `${width}x${height}`);
    assert.ok(found.share >= share, `${width}x${height}: ${found.share}`);
    assert.ok(shifts < 0.02, `${width}x${height}: ${shifts}`);
    await tab.close();
  }
});

browsers("on a phone the board goes from edge to edge, with clocks and hands, and does not jump", house, async ({ open }) => {
  const game = await longGame(), tab = await open("about:blank", { viewport: { width: 390, height: 844 } });
  await tab.evaluateOnNewDocument(watchShifts);
  let free;
  const freed = new Promise((done) => { free = done; });
  house.front.fault = ({ url }) => url.includes("/men.svg") ? freed : null; // the board comes last
  await tab.goto(`${house.front.url}/play/${game.id}#key=${game.tokens[0]}`);
  await reaches(tab, 8);
  free();
  await drawn(tab);
  await until(() => isShown(tab, "#about"), "all is shown");
  const { out, width } = await seen(tab), shifts = await tab.evaluate(() => globalThis.shifts);
  assert.deepEqual(out.filter((name) => !name.startsWith("last")), []);
  assert.ok(width > 0.95, `${width}`);
  assert.ok(shifts < 0.02, `layout shifts of ${shifts}`);
});

browsers("three hundred moves on a board of 676 squares keep less than 3 MB more", house, async ({ kind, open }) => {
  if (kind !== "chromium") return; // it alone tells
  const game = await twoPeople({ options: { rows: 26, cols: 26, k: 26 } }), tab = await sit(open, game, 1);
  const cdp = await tab.createCDPSession();
  const kept = async () => {
    await cdp.send("HeapProfiler.collectGarbage");
    return (await cdp.send("Runtime.getHeapUsage")).usedSize;
  };
  const before = await kept();
  for (let i = 0; i < 300; i++)
    await act(game, 1 + i % 2, "moves", { move: `${String.fromCharCode(97 + i % 26)}${1 + Math.floor(i / 26)}` });
  await reaches(tab, 300);
  await until(async () => await kept() - before < 3e6, "less than 3 MB more are kept");
});

browsers("the catalogue's entry of a game is loaded once", house, async ({ open }) => {
  const game = await twoPeople();
  const before = house.front.requests.length, tab = await sit(open, game, 1);
  await shows(tab, "#standing", "Your turn");
  const asked = house.front.requests.slice(before).filter(({ url }) => url === "/v1/variants/tictactoe");
  assert.equal(asked.length, 1);
});

// ---- from anywhere --------------------------------------------------------------------------------

browsers("arrow keys, the wheel over the board and a swipe go through the moves", house, async ({ kind, open }) => {
  const { tab } = await sixMoves(open, { viewport: { width: 1000, height: 700 } });
  await tab.keyboard.press("ArrowLeft");
  await shows(tab, "#standing", "Move 5 of 6");
  await clickSquare(tab, "d5");
  await tab.keyboard.press("ArrowLeft");
  await shows(tab, "#standing", "Move 4 of 6");
  await tab.keyboard.press("Home");
  await shows(tab, "#standing", "Before move 1 of 6");
  await tab.keyboard.press("End");
  await shows(tab, "#standing", "Your turn");
  const { x, y } = await tab.$eval("plyd-board", (node) => node.getBoundingClientRect().toJSON());
  await tab.mouse.move(x + 100, y + 100);
  if (kind === "chromium") {
    await tab.mouse.wheel({ deltaY: -100 });
    await shows(tab, "#standing", "Move 5 of 6");
    await tab.mouse.wheel({ deltaY: 100 });
    await shows(tab, "#standing", "Your turn");
  }
  await tab.evaluate(() => { // a finger from left to right over the list of moves; not every browser makes touches
    const touch = (type, clientX, touches) => Object.assign(new Event(type, { bubbles: true }),
      { touches, changedTouches: [{ clientX, clientY: 300 }] });
    const target = document.querySelector("#moves");
    target.dispatchEvent(touch("touchstart", 700, [{ clientX: 700, clientY: 300 }]));
    target.dispatchEvent(touch("touchend", 800, []));
  });
  await shows(tab, "#standing", "Move 5 of 6");
});

browsers("the arrows of one who plays by keys move over the board, and those of one who writes move in the text", house, async ({ open }) => {
  const { tab } = await sixMoves(open);
  await tab.evaluate(() => document.querySelector("plyd-board").focus());
  await tab.keyboard.press("Tab");
  await tab.keyboard.down("Shift");
  await tab.keyboard.press("Tab");
  await tab.keyboard.up("Shift");
  await tab.keyboard.press("ArrowRight");
  assert.equal(await textOf(tab, "#stands"), "Your turn");
  await press(tab, "#chat summary", "Messages");
  await tab.type("#message", "Hello");
  await tab.keyboard.press("ArrowLeft");
  assert.equal(await textOf(tab, "#stands"), "Your turn");
});

browsers("sounds are switched on and off by one button, and it is kept", house, async ({ open }) => {
  const game = await twoPeople(), tab = await open("about:blank", { person: 1 });
  await tab.evaluateOnNewDocument(() => {
    globalThis.tones = 0;
    const begin = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      globalThis.tones++;
      return begin.apply(this, when);
    };
  });
  const go = async () => {
    await tab.goto(`${house.front.url}/play/${game.id}#key=${game.tokens[0]}`);
    await drawn(tab);
  };
  const isOn = () => tab.$eval("#sound", (node) => node.getAttribute("aria-pressed"));
  await go();
  assert.equal(await isOn(), "false");
  await clickSquare(tab, "b2");
  await reaches(tab, 1);
  assert.equal(await tab.evaluate(() => globalThis.tones), 0);
  await tab.click("#sound");
  await house.call("POST", `/v1/games/${game.id}/moves`, { move: "a1" }, game.tokens[1]);
  await reaches(tab, 2);
  assert.ok(await tab.evaluate(() => globalThis.tones) >= 2, "that of the switch, and that of the move");
  await tab.reload();
  await drawn(tab);
  assert.equal(await isOn(), "true");
  await tab.click("#sound");
  assert.equal(await isOn(), "false");
});

// ---- the end --------------------------------------------------------------------------------------

browsers("the end that comes is shown upon the board, with what one may do then", house, async ({ open }) => {
  const { tab, game } = await sixMoves(open);
  assert.equal(await isShown(tab, "#end"), false);
  await act(game, 2, "resign");
  await shows(tab, "#stage #end-result", "You won by resignation");
  assert.match(await textOf(tab, "#stage #end-actions"), /Rematch/);
  for (const [place, path] of [["picture", "board"], ["film", "replay"]])
    assert.match(await (await fetch(await tab.$eval(`#${place}`, (node) => node.href))).text(), /<svg/, path);
  await press(tab, "#review-button", "Look at it");
  await shows(tab, "#review", "Ada: ");
  assert.ok((await tab.$$("#moves li[data-verdict]")).length === 6);
  await tab.click("#end-close");
  assert.equal(await isShown(tab, "#stage #end"), false);
  assert.equal(await isShown(tab, ".panel #review-button"), true);
  await tab.reload();
  await drawn(tab);
  await until(() => isShown(tab, ".panel #end"), "a game that is over already hides no board");
  assert.equal(await isShown(tab, "#stage #end"), false);
});
