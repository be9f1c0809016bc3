// What /board.js, <plyd-board>, does in a browser, and what users of other boards have missed. Whole games are in
// test_games.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import {
  board, boardOf, byClicks, byDrags, byKeys, create, drag, drawn, focused, heard, house, middle, page, partsOf, plyOf,
  reaches, spoken, stateOf, status, tag, withPart,
} from "./board.mjs";
import { browsers, long, require, until } from "./harness.mjs";

// ---- choices and refusals -------------------------------------------------------------------------

const promotion = { variant: "shogi", position: "k8/9/9/1P7/9/9/p8/9/4K4 b G 1" };

browsers("a choice is offered at the square and given up with Escape", house, async ({ open }) => {
  const { tab } = await boardOf(open, promotion);
  await byClicks(tab, ["8d", "8c"]);
  const labels = await board(tab, (b) => [...b.shadowRoot.querySelectorAll("[part~=choice]")].map((button) => button.textContent));
  assert.deepEqual(labels, ["promote", "do not promote"]);
  assert.match((await focused(tab)).part, /choice/);
  await tab.keyboard.press("Escape");
  assert.deepEqual(await withPart(tab, "selected"), []);
  assert.ok((await focused(tab)).square);
  assert.equal(await plyOf(tab), 0);
});

browsers("fast taps on men beside each other do not lose a choice", house, async ({ open }) => {
  const { tab } = await boardOf(open, promotion, { viewport: { width: 400, height: 800, hasTouch: true } });
  const from = await middle(tab, "8d"), to = await middle(tab, "8c");
  await tab.touchscreen.tap(from.x, from.y);
  await tab.touchscreen.tap(to.x, to.y);
  assert.equal(await board(tab, (b) => b.shadowRoot.querySelectorAll("[part~=choice]").length), 2);
  assert.equal(await tab.evaluate(() => visualViewport.scale), 1);
});

browsers("a refused move is told with its reason and its squares", house, async ({ open }) => {
  const { tab, game } = await boardOf(open, { variant: "shogi" });
  await byClicks(tab, ["7g", "7e"]);
  await until(async () => await heard(tab, "plyd-refused") === 1);
  assert.match(await status(tab), /A pawn moves one square straight ahead/);
  assert.match(await spoken(tab), /A pawn moves one square straight ahead/);
  assert.deepEqual(await withPart(tab, "refused"), ["7e", "7g"]);
  assert.equal((await stateOf(game.id)).ply, 0);
  await byClicks(tab, ["7g", "7f"]);
  await reaches(tab, 1);
  assert.deepEqual(await withPart(tab, "refused"), []);
});

browsers("a man that cannot move may be picked up, and the server says why it stays", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "shogi" });
  await drag(tab, await middle(tab, "8h"), await middle(tab, "6f"));
  await until(async () => /bishop|way|blocked|stands/i.test(await status(tab)));
  assert.equal(await board(tab, (b) => b.shadowRoot.querySelectorAll(".held").length), 0);
});

const capture = { variant: "turkish-draughts", position: "W:Wd4,a3,h2:Bd5,d7,a7,e7" };

browsers("a man that may not move because another must take says so, and the other one is marked", house, async ({ open }) => {
  const { tab } = await boardOf(open, capture);
  for (const play of [byClicks, byKeys]) {
    await play(tab, ["a3"]);
    await until(async () => /capture is possible: d4xd6xd8\. Capturing is compulsory/.test(await status(tab)));
    assert.match(await spoken(tab), /Capturing is compulsory/);
    assert.deepEqual(await withPart(tab, "must"), ["d4"]);
    assert.deepEqual(await withPart(tab, "selected"), ["a3"]);
    assert.match(await board(tab, (b) => b.shadowRoot.querySelector("[data-square=d4]").getAttribute("aria-label")), /must take/);
    await tab.keyboard.press("Escape");
    assert.deepEqual(await withPart(tab, "must"), []);
  }
});

browsers("the last square of a capture of several men is enough where it names one move", house, async ({ open }) => {
  for (const play of [byClicks, byDrags, byKeys]) {
    const { tab } = await boardOf(open, capture);
    await byClicks(tab, ["d4"]);
    assert.deepEqual(await withPart(tab, "target"), ["d6", "d8"]);
    await tab.keyboard.press("Escape");
    await play(tab, ["d4", "d8"]);
    await reaches(tab, 1);
    assert.equal(await board(tab, (b) => b.state.last_move.move), "d4xd6xd8");
    await tab.close();
  }
});

browsers("the last square of two captures is not enough", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "turkish-draughts", position: "W:WKg2:Bf6,g3,h3,d4,d2,f7" });
  await byClicks(tab, ["g2"]);
  assert.deepEqual(await withPart(tab, "target"), ["g6", "g7"]);
  await byClicks(tab, ["g7", "d1"]);
  await reaches(tab, 1);
  assert.equal(await board(tab, (b) => b.state.last_move.move), "g2xg7xd7xd3xd1");
});

browsers("a man of a hand is dropped by click, by drag and by key", house, async ({ open }) => {
  for (const play of [byClicks, byDrags, byKeys]) {
    const { tab } = await boardOf(open, promotion);
    await play(tab, ["G*", "5e"]);
    await reaches(tab, 1);
    assert.equal(await board(tab, (b) => b.state.last_move.move), "G*5e");
  }
});

browsers("`confirm` asks before a move is sent", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "tictactoe" }, { more: "confirm" });
  const press = (name) => board(tab, (b, text) =>
    [...b.shadowRoot.querySelectorAll("[part~=choice]")].find((button) => button.textContent === text).click(), name);
  await byClicks(tab, ["b2"]);
  await press("Cancel");
  assert.equal(await heard(tab, "plyd-move"), 0);
  await byClicks(tab, ["b2"]);
  await press("Play");
  await reaches(tab, 1);
});

// ---- stacks -----------------------------------------------------------------------------------------

const stacks = { variant: "stackchess", position: "5p/6/1(ptd)4/6/(TPPR)5/5(TT) w - 0 1" };
const pile = (tab) => board(tab, (b) => {
  const line = b.shadowRoot.querySelector("[part~=pile]");
  return [line.innerText.replace(/\s+/g, " ").trim(), [...line.querySelectorAll("use")].map((use) => use.getAttribute("href"))];
});
const places = (tab) => board(tab, (b) => [".board", ".status", ".frame"].map((name) => JSON.stringify(b.shadowRoot.querySelector(name).getBoundingClientRect())));

browsers("the men of a stack are seen on its square and told to a screen reader", house, async ({ open }) => {
  const { tab } = await boardOf(open, stacks);
  const cell = (square) => board(tab, (b, name) => b.shadowRoot.querySelector(`[data-square=${name}]`).getAttribute("aria-label"), square);
  assert.equal(await cell("a2"), "a2, king on 2 pawns on rook, white");
  assert.equal(await cell("b4"), "b4, queen on rook on pawn, black");
  assert.equal(await cell("f6"), "f6, pawn, black");
  await until(() => board(tab, (b) => b.shadowRoot.querySelector(".man[part~=queen] svg") !== null));
  assert.deepEqual(await board(tab, (b) => [...b.shadowRoot.querySelectorAll(".man[part~=queen] use")].map((use) => use.getAttribute("href"))
    .filter((id) => id.startsWith("#man")).sort()), ["#man-2-pawn", "#man-2-queen", "#man-2-rook"]);
  await byClicks(tab, ["a2"]);
  assert.match(await spoken(tab), /^king on 2 pawns on rook a2: /);
});

browsers("all men of a stack are shown when it is pointed at, focused or picked, and nothing moves", house, async ({ open }) => {
  const { tab } = await boardOf(open, stacks);
  await until(() => board(tab, (b) => b.shadowRoot.querySelector(".man[part~=queen] svg") !== null));
  const before = await places(tab), black = ["b4 queen on rook on pawn", ["#man-2-queen", "#man-2-rook", "#man-2-pawn"]];
  const { x, y } = await middle(tab, "b4");
  await tab.mouse.move(x, y);
  assert.deepEqual(await pile(tab), black);
  await byClicks(tab, ["a2"]);
  assert.equal((await pile(tab))[0], "a2 king on 2 pawns on rook");
  await tab.mouse.move(x, y);
  assert.deepEqual(await pile(tab), black);
  assert.deepEqual(await places(tab), before);
  await tab.mouse.move(1, 1);
  await tab.keyboard.press("Escape");
  await byKeys(tab, ["f6"]); // leads over no stack
  assert.deepEqual(await pile(tab), ["", []]);
  await tab.keyboard.press("Escape");
  for (const key of [..."ArrowLeft ".repeat(4).trim().split(" "), "ArrowDown", "ArrowDown"]) await tab.keyboard.press(key);
  assert.deepEqual(await pile(tab), black);
});

browsers("a finger on a stack shows its men, also on one of the other side", house, async ({ open }) => {
  const { tab } = await boardOf(open, { ...stacks, seats: [{ me: true }, { engine: "random" }] }, { viewport: { width: 320, height: 640, hasTouch: true }, more: "style='width: 300px'" });
  for (const [square, men] of [["b4", "b4 queen on rook on pawn"], ["a2", "a2 king on 2 pawns on rook"]]) {
    const { x, y } = await middle(tab, square);
    await tab.touchscreen.tap(x, y);
    assert.equal((await pile(tab))[0], men);
  }
  assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= 320));
});

browsers("the choice of how many men move shows them", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "stackchess", position: "5p/6/6/6/(TR)5/5(TT) w - 0 1" });
  await until(() => board(tab, (b) => b.shadowRoot.querySelector(".man svg") !== null));
  await byClicks(tab, ["a2", "a3"]);
  assert.deepEqual(await board(tab, (b) => [...b.shadowRoot.querySelectorAll("[part~=choice]")].map((button) =>
    [button.getAttribute("aria-label"), [...button.querySelectorAll("use")].map((use) => use.getAttribute("href"))])),
  [["move one piece: king", ["#man-1-king"]], ["move two pieces: king on rook", ["#man-1-king", "#man-1-rook"]]]);
});

// ---- presses that go wrong ------------------------------------------------------------------------

const men = (tab) => board(tab, (b) => [...b.shadowRoot.querySelectorAll(".man")].filter((man) => getComputedStyle(man).visibility === "visible").length);

browsers("a man that is let go outside of the window goes back, and the board stays alive", house, async ({ kind, open }) => {
  const { tab } = await boardOf(open, { variant: "jungle" });
  await drag(tab, await middle(tab, "a3"), { x: kind === "chromium" ? -30 : 790, y: 400 }); // Firefox's driver stays inside
  await until(async () => await men(tab) === 16);
  assert.deepEqual(await withPart(tab, "selected"), []);
  await byDrags(tab, ["a3", "a4"]);
  await reaches(tab, 1);
});

browsers("a drag back to where it began deselects", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "jungle" });
  const { x, y } = await middle(tab, "a3");
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.mouse.move(x + 40, y - 40);
  await tab.mouse.move(x, y);
  await tab.mouse.up();
  assert.deepEqual(await withPart(tab, "selected"), []);
});

for (const [what, cancel] of Object.entries({
  "a second finger": (b) => b.shadowRoot.querySelector("[data-square]").dispatchEvent(new PointerEvent("pointerdown", { pointerId: 77, bubbles: true, composed: true })),
  "the end of the pointer": (b) => b.shadowRoot.querySelector(".frame").dispatchEvent(new PointerEvent("pointercancel", { pointerId: b.dragging, bubbles: true })),
  "another window": () => dispatchEvent(new Event("blur")),
  "the menu": (b) => b.shadowRoot.querySelector("[data-square]").dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, composed: true })),
}))
  browsers(`${what} ends a drag, and the next one works`, house, async ({ open }) => {
    const { tab } = await boardOf(open, { variant: "jungle" });
    await board(tab, (b) => b.addEventListener("pointerdown", (event) => { b.dragging = event.pointerId; }));
    const { x, y } = await middle(tab, "a3");
    await tab.mouse.move(x, y);
    await tab.mouse.down();
    await tab.mouse.move(x + 30, y - 60);
    assert.equal(await board(tab, (b) => b.shadowRoot.querySelectorAll(".held").length), 1);
    await board(tab, cancel);
    await tab.mouse.up();
    await until(async () => await men(tab) === 16);
    assert.equal(await plyOf(tab), 0);
    await byDrags(tab, ["a3", "a4"]);
    await reaches(tab, 1);
  });

browsers("a man that is held stays in the hand when the opponent moves", house, async ({ open }) => {
  const ada = await create({ variant: "jungle", seats: [{ me: true }, { open: true }] });
  const mia = await house.call("POST", `/v1/games/${ada.id}/join`, {});
  await house.call("POST", `/v1/games/${ada.id}/moves`, { move: "a3a4" }, ada.token);
  const tab = await open(page(tag(ada)));
  await drawn(tab);
  const { x, y } = await middle(tab, "a4"), to = await middle(tab, "a5");
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.mouse.move(x, y - 30);
  await house.call("POST", `/v1/games/${ada.id}/moves`, { move: "g7g6" }, mia.token);
  await reaches(tab, 2);
  await tab.mouse.move(to.x, to.y);
  await tab.mouse.up();
  await reaches(tab, 3);
  assert.equal(await board(tab, (b) => b.state.last_move.move), "a4a5");
});

browsers("a press is not lost when news come before its end", house, async ({ open }) => {
  const { tab, game } = await boardOf(open, { variant: "tictactoe" });
  const { x, y } = await middle(tab, "b2");
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await house.call("POST", `/v1/games/${game.id}/messages`, { text: "Hello" }, game.token);
  await until(() => board(tab, (b) => b.state.version === 2));
  await tab.mouse.up();
  await reaches(tab, 1);
});

browsers("a click finds its square after the page has moved the board", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "tictactoe" });
  await middle(tab, "b2");
  await tab.evaluate(() => document.querySelector("main").prepend(Object.assign(document.createElement("div"), { textContent: "News", style: "height: 100px" })));
  const box = await board(tab, (b) => b.shadowRoot.querySelector("[data-square=c3]").getBoundingClientRect().toJSON());
  await tab.mouse.click(box.right - 2, box.top + 2);
  await reaches(tab, 1);
  assert.equal(await board(tab, (b) => b.state.last_move.move), "c3");
});

browsers("only men that may move keep a finger from scrolling", house, async ({ open }) => {
  const touch = (tab, square) => board(tab, (b, name) => getComputedStyle(b.shadowRoot.querySelector(`[data-square=${name}]`)).touchAction, square);
  const { tab, game } = await boardOf(open, { variant: "jungle" });
  assert.deepEqual([await touch(tab, "a3"), await touch(tab, "b4"), await touch(tab, "a7")], ["pinch-zoom", "manipulation", "manipulation"]);
  const spectator = await open(page(tag({ id: game.id })));
  await drawn(spectator);
  assert.deepEqual([await touch(spectator, "a3"), await withPart(spectator, "movable")], ["manipulation", []]);
});

// ---- sizes, sides, motion -------------------------------------------------------------------------

browsers("a board is square in a flex row, a dialog, at 160 pixels, and once it is shown", house, async ({ open }) => {
  const game = await create({ variant: "stackchess" });
  const tab = await open(page(`<style>.w160 plyd-board { width: 160px } .flex { display: flex } .flex plyd-board, dialog plyd-board { width: auto }</style>
    <div class=w160>${tag(game)}</div><div class=flex>${tag(game)}</div><dialog>${tag(game)}</dialog><div hidden>${tag(game)}</div>`), { viewport: { width: 900, height: 900 } });
  const sizes = () => tab.evaluate(() => [...document.querySelectorAll("plyd-board")].map((b) => {
    const { width, height } = b.shadowRoot.querySelector("[part~=board]").getBoundingClientRect();
    return [Math.round(width), Math.round(height)];
  }));
  await drawn(tab);
  await tab.evaluate(() => { document.querySelector("dialog").showModal(); document.querySelector("[hidden]").hidden = false; });
  await until(async () => (await sizes()).every(([width, height]) => width > 130 && Math.abs(width - height) <= 1), "all boards are square");
});

browsers("the board turns at once, and focus and the selection stay", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "jungle" });
  await byKeys(tab, ["a3"]);
  await board(tab, (b) => { b.seat = 2; });
  await until(() => board(tab, (b) => b.shadowRoot.querySelector("[data-square]").dataset.square === "g1"));
  assert.deepEqual(await withPart(tab, "selected"), ["a3"]);
  assert.ok((await focused(tab)).square);
  assert.equal(await board(tab, (b) => b.shadowRoot.querySelector(".men").getAnimations({ subtree: true }).length), 0);
});

browsers("men move by the effects of moves, and not where less motion is wanted", house, async ({ kind, open }) => {
  const moving = (tab) => board(tab, (b) => b.shadowRoot.querySelector(".men").getAnimations({ subtree: true }).length);
  for (const reduced of kind === "chromium" ? [false, true] : [false]) {
    const { tab, game } = await boardOf(open, { variant: "jungle" });
    if (reduced) await tab.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
    await board(tab, (b) => {
      b.seen = 0;
      new MutationObserver(() => { b.seen = Math.max(b.seen, b.shadowRoot.querySelector(".men").getAnimations({ subtree: true }).length); })
        .observe(b.shadowRoot, { subtree: true, attributes: true });
    });
    await house.call("POST", `/v1/games/${game.id}/moves`, { move: "a3a4" }, game.token);
    await reaches(tab, 1);
    await until(async () => await moving(tab) === 0);
    assert.equal(await board(tab, (b) => b.seen > 0), !reduced);
  }
});

/** A board whose page keeps the game: it is shown at its start, and what leads it through many moves at once. */
async function manyMoves(open) {
  const game = await create({ variant: "jungle", moves: ["a3a4", "g7g6", "a4a3", "g6g7", "a3a4", "g7g6", "a4a3", "g6g7"] });
  const shown = (ply) => house.call("GET", `/v1/games/${game.id}/positions/${ply}?include=board,legal_tree`);
  const { items: moves } = await house.call("GET", `/v1/games/${game.id}/moves`);
  const tab = await open(page("<plyd-board></plyd-board>"));
  await until(() => tab.evaluate(() => customElements.get("plyd-board") !== undefined));
  await board(tab, (b, state) => { b.state = { variant: "jungle", ...state }; }, await shown(0));
  await drawn(tab);
  await board(tab, (b, state) => { b.state = { variant: "jungle", ...state }; }, { ...await shown(8), moves });
  await until(() => board(tab, (b) => {
    const all = b.shadowRoot.querySelector(".men").getAnimations({ subtree: true });
    for (const motion of all) motion.pause();
    b.ends = Math.max(b.ends ?? 0, ...all.map(({ effect }) => effect.getComputedTiming().endTime));
    return all.length > 0;
  }), "men move");
  return tab;
}

browsers("many moves at once are shown in short", house, async ({ open }) => {
  const tab = await manyMoves(open);
  assert.ok(await board(tab, (b) => b.ends) <= 600);
});

browsers("a man can be played while others still move", house, async ({ open }) => {
  const tab = await manyMoves(open);
  await byClicks(tab, ["a3", "a4"]);
  assert.equal(await heard(tab, "plyd-move"), 1);
});

browsers("an answer that changes nothing touches no square", house, async ({ open }) => {
  const { tab, game } = await boardOf(open, { variant: "jungle" });
  await board(tab, (b) => {
    b.changes = 0;
    new MutationObserver((list) => { b.changes += list.length; }).observe(b.shadowRoot.querySelector("[role=grid]"), { subtree: true, attributes: true, childList: true });
  });
  await house.call("POST", `/v1/games/${game.id}/messages`, { text: "Hello" }, game.token);
  await until(() => board(tab, (b) => b.state.version === 2));
  assert.equal(await board(tab, (b) => b.changes), 0);
});

browsers("a move on a board of 676 squares touches no other square, and what is kept of it has no state", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "tictactoe", options: { rows: 26, cols: 26, k: 5 } });
  await board(tab, (b) => {
    globalThis.touched = new Set();
    new MutationObserver((all) => { for (const { target } of all) globalThis.touched.add(target.dataset.square); })
      .observe(b.shadowRoot.querySelector("[role=grid]"), { attributes: true, subtree: true, attributeFilter: ["part", "aria-label"] });
    b.game.addEventListener("state", ({ detail }) => { globalThis.told = detail.moves; });
  });
  await board(tab, (b) => b.game.move({ move: "c3" }));
  await reaches(tab, 1);
  assert.deepEqual(await tab.evaluate(() => [...globalThis.touched]), ["c3"]);
  assert.deepEqual(await tab.evaluate(() => globalThis.told.map(({ move, game }) => [move, game === undefined])), [["c3", true]]);
});

browsers("hands lie beside the board if that is wanted, and move nothing when they fill", house, async ({ open }) => {
  const { tab, game } = await boardOf(open, { variant: "shogi" }, { more: "hands=beside" });
  const boxes = () => board(tab, (b) => [".board", ".hand:first-child"].map((place) => b.shadowRoot.querySelector(place).getBoundingClientRect().toJSON()));
  const [field, hand] = await boxes();
  assert.ok(hand.left > field.right && hand.top < field.top + field.height / 2, "beside it, at the top");
  for (const move of ["7g7f", "3c3d", "8h2b+", "3a2b"]) await house.call("POST", `/v1/games/${game.id}/moves`, { move }, game.token);
  await reaches(tab, 4);
  assert.deepEqual((await boxes())[0], field);
});

browsers("the board turns dark with its page", house, async ({ kind, open }) => {
  const { tab } = await boardOf(open, { variant: "jungle" });
  const ground = () => board(tab, (b) => getComputedStyle(b.shadowRoot.querySelector("[data-square=a5]")).backgroundColor);
  const light = await ground();
  await tab.evaluate(() => { document.documentElement.style.colorScheme = "dark"; });
  const dark = await until(async () => { const now = await ground(); return now !== light && now; });
  await board(tab, (b) => { b.theme = "light"; });
  await until(async () => await ground() === light);
  if (kind !== "chromium") return;
  await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await board(tab, (b) => { b.theme = null; });
  await until(async () => await ground() === dark);
});

browsers("a finger scrolls the page from an empty square, and not from a man that may move", house, async ({ kind, open }) => {
  if (kind !== "chromium") return; // Firefox's driver cannot scroll by touch
  const { tab } = await boardOf(open, { variant: "jungle" }, { viewport: { width: 440, height: 500, hasTouch: true }, more: "seat=2 style='margin-bottom: 900px'" });
  const session = await tab.createCDPSession();
  const rests = () => tab.evaluate(async () => { // a page that was flung glides on, even after scrollTo()
    scrollTo(0, 0);
    for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
    return scrollY === 0;
  });
  const swipe = async (square) => {
    await until(rests);
    const { x, y } = await middle(tab, square);
    const touch = (type, up) => session.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y: y - up }] });
    await touch("touchStart", 0);
    for (let up = 10; up <= 120; up += 10) await touch("touchMove", up);
    await touch("touchEnd");
    return tab.evaluate(() => scrollY > 50);
  };
  assert.equal(await swipe("b4"), true);
  assert.equal(await swipe("c3"), false);
});

// ---- speech and keys ------------------------------------------------------------------------------

browsers("every move is spoken with its number, and focus stays", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "jungle" });
  await byKeys(tab, ["a3", "a4"]);
  await reaches(tab, 1);
  assert.match(await spoken(tab), /^Move 1, red: elephant a3 to a4\./);
  assert.equal((await focused(tab)).square, "a4");
  await byKeys(tab, ["a7"]);
  assert.match(await spoken(tab), /^rat a7: \d to choose from$/);
  assert.match(await board(tab, (b) => b.shadowRoot.querySelector("[data-square=a7]").getAttribute("aria-label")), /^a7, rat, blue, selected$/);
  await tab.keyboard.press("m");
  const aim = (await focused(tab)).square;
  assert.match(await partsOf(tab, aim), /target/);
  await tab.keyboard.press("Enter");
  await reaches(tab, 2);
  assert.match(await spoken(tab), /^Move 2, blue: rat a7 to /);
  assert.equal((await focused(tab)).square, aim);
});

browsers("squares and refusals are told in the notation that was chosen", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "shogi", moves: ["7g7f", "3c3d"] }, { more: "notation=written" });
  const labels = (part) => board(tab, (b, name) => [...b.shadowRoot.querySelector(`[part~=${name}]`).children].map(({ textContent }) => textContent).join(""), part);
  const cell = () => board(tab, (b) => b.shadowRoot.querySelector("[data-square='7f']").getAttribute("aria-label"));
  assert.deepEqual([await labels("files"), await labels("ranks")], ["９８７６５４３２１", "一二三四五六七八九"]);
  assert.match(await cell(), /^７六, pawn, sente/);
  await byClicks(tab, ["2g", "2e"]);
  await until(async () => await status(tab) === "２七２五 is not how this piece moves. A pawn moves one square straight ahead.");
  await board(tab, (b) => { b.notation = null; });
  await until(async () => await status(tab) === "2g2e is not how this piece moves. A pawn moves one square straight ahead.");
  assert.deepEqual([await labels("files"), await labels("ranks")], ["987654321", "abcdefghi"]);
  assert.match(await cell(), /^7f, pawn, sente/);
  await board(tab, (b) => { b.notation = "written"; b.seat = 2; });
  await until(async () => await labels("ranks") === "九八七六五四三二一");
  await byKeys(tab, ["2g", "2f"]);
  await reaches(tab, 3);
  assert.match(await spoken(tab), /^Move 3, sente: pawn ２七 to ２六\./);
});

browsers("axe finds nothing wrong with a board, in light and in dark", house, async ({ kind, open }) => {
  const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  const variants = ["tictactoe", "shogi", "jungle", "turkish-draughts", "stackchess"], themes = ["light", "dark"];
  for (const [i, variant] of variants.entries())
    for (const theme of long ? themes : [themes[i % 2]]) {
      const { tab } = await boardOf(open, { ...(variant === "shogi" ? promotion : { variant }) },
                                    { more: `controls=bar theme=${theme}` });
      await tab.evaluate((dark) => { document.documentElement.style.colorScheme = dark ? "dark" : "light"; }, theme === "dark");
      if (variant === "shogi") await byClicks(tab, ["8d", "8c"]);
      await tab.evaluate(axe);
      const violations = await tab.evaluate(async () => (await globalThis.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`));
      assert.deepEqual(violations, [], `${kind}, ${variant}, ${theme}`);
      await tab.close();
    }
});

// ---- a part of HTML -------------------------------------------------------------------------------

browsers("it runs under a strict policy", house, async ({ open }) => {
  const game = await create({ variant: "shogi" });
  const tab = await open(page(tag(game, "controls=bar"), `<!doctype html><html lang=en><title>plyd</title>
    <meta http-equiv=Content-Security-Policy content="default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:">
    <link rel=icon href=data:,><script type=module src=/board.js></script>`));
  await drawn(tab);
  await until(() => board(tab, (b) => b.shadowRoot.querySelectorAll(".man svg").length === 40));
  await byClicks(tab, ["7g", "7f"]);
  await reaches(tab, 1);
});

browsers("its men are drawn in a page that lets no text become markup", house, async ({ open }) => {
  const game = await create({ variant: "shogi" });
  const tab = await open(page(tag(game), `<!doctype html><html lang=en><title>plyd</title>
    <meta http-equiv=Content-Security-Policy content="require-trusted-types-for 'script'; trusted-types 'none'">
    <link rel=icon href=data:,><script type=module src=/board.js></script>`));
  await drawn(tab);
  await until(() => board(tab, (b) => b.shadowRoot.querySelectorAll(".man svg").length === 40), "all men have pictures");
});

browsers("no id stands twice where two boards stand in a page", house, async ({ open }) => {
  const game = await create({ variant: "shogi" });
  const tab = await open(page(tag(game) + tag(game, "controls=bar")));
  await until(() => tab.evaluate(() => [...document.querySelectorAll("plyd-board")].every((b) => b.shadowRoot.querySelector("symbol"))));
  assert.deepEqual(await tab.evaluate(() => [document, ...[...document.querySelectorAll("plyd-board")].map((b) => b.shadowRoot)]
    .flatMap((root) => [...root.querySelectorAll("[id]")].map(({ id }) => id).filter((id, i, all) => all.indexOf(id) !== i))), []);
});

browsers("a page hears of a move before it is sent, and may prevent it", house, async ({ open }) => {
  const { tab, game } = await boardOf(open, { variant: "tictactoe" });
  await tab.evaluate(() => document.body.addEventListener("plyd-move", (event) => event.preventDefault(), { once: true }));
  await byClicks(tab, ["b2"]);
  assert.deepEqual(await tab.evaluate(() => heard.filter(({ type }) => type === "plyd-move").map(({ detail }) => detail)), [{ move: "b2", clicks: ["b2"] }]);
  await byClicks(tab, ["a1"]);
  await reaches(tab, 1);
  assert.equal((await stateOf(game.id)).last_move.move, "a1");
  await until(async () => await heard(tab, "plyd-moved") === 1);
});

browsers("properties that were set before the element was defined are kept", house, async ({ open }) => {
  const game = await create({ variant: "tictactoe" });
  const tab = await open(page(`<script>const b = document.createElement("plyd-board"); Object.assign(b, { game: "${game.id}", token: "${game.token}", seat: 2 });
    document.currentScript.after(b);</script>`));
  await drawn(tab);
  assert.equal(await board(tab, (b) => b.shadowRoot.querySelector("[data-square]").dataset.square), "c1");
  assert.deepEqual(await board(tab, (b) => [b.getAttribute("game"), b.getAttribute("role"), b.getAttribute("tabindex")]), [game.id, null, null]);
});

browsers("three boards, two of one game, share a stream, and survive being moved", house, async ({ open }) => {
  const one = await create({ variant: "tictactoe" }), two = await create({ variant: "jungle" });
  const tab = await open(page(tag(one) + tag(one) + tag(two)));
  const streams = () => house.front.requests.filter(({ url, open: isOpen }) => isOpen && /events\?after/.test(url) && (url.includes(one.id) || url.includes(two.id))).length;
  await until(() => tab.evaluate(() => [...document.querySelectorAll("plyd-board")].every((b) => b.shadowRoot.querySelector("[data-square]"))));
  await until(() => streams() === 2);
  await tab.evaluate(() => { const [first] = document.querySelectorAll("plyd-board"); document.querySelector("main").append(first); });
  await byClicks(tab, ["b2"]);
  await until(() => tab.evaluate(() => [...document.querySelectorAll("plyd-board")].filter((b) => b.state.last_move?.move === "b2").length === 2));
  await until(() => streams() === 2);
  await tab.evaluate(() => document.querySelectorAll("plyd-board").forEach((b) => b.remove()));
  await until(() => streams() === 0);
});

browsers("what stands in the element is shown until there is a board", house, async ({ open }) => {
  house.front.fault = ({ url }) => (url.startsWith("/v1/games/") ? 404 : null);
  const game = await create({ variant: "tictactoe" });
  const tab = await open(page(`<plyd-board game="${game.id}"><a href="/play/${game.id}">The game</a></plyd-board>`));
  await until(async () => /answered 404/.test(await status(tab)));
  assert.ok(await tab.evaluate(() => document.querySelector("plyd-board a").checkVisibility()));
  house.front.fault = () => null;
  await board(tab, (b, id) => { b.game = null; b.game = id; }, game.id);
  await drawn(tab);
  assert.ok(!await tab.evaluate(() => document.querySelector("plyd-board a").getClientRects().length));
}, { expected: /404/ });

browsers("without scripts the link in the element is there", house, async ({ kind, open }) => {
  if (kind !== "chromium") return; // Firefox's driver cannot do without
  const tab = await open("about:blank");
  await tab.setJavaScriptEnabled(false);
  await tab.goto(house.front.url + page(`<plyd-board game="x"><a href="/play/x">The game</a></plyd-board>`));
  assert.ok((await (await tab.$("plyd-board a")).boundingBox()).width > 0);
});

browsers("a page styles squares, men and colours", house, async ({ open }) => {
  const game = await create({ variant: "stackchess" });
  const tab = await open(page(`<style>plyd-board { --plyd-square: rgb(1, 2, 3) } plyd-board::part(pawn) { opacity: .5 } plyd-board::part(status) { display: none }</style>${tag(game)}`));
  await drawn(tab);
  assert.deepEqual(await board(tab, (b) => [
    getComputedStyle(b.shadowRoot.querySelector("[data-square=b1]")).backgroundColor,
    getComputedStyle(b.shadowRoot.querySelector("[part~=pawn]")).opacity,
    getComputedStyle(b.shadowRoot.querySelector("[part~=status]")).display]), ["rgb(1, 2, 3)", "0.5", "none"]);
});

browsers("docs/board.md names every attribute, property, event and word", house, async ({ open }) => {
  const text = readFileSync("docs/board.md", "utf8"), source = readFileSync("build/embed/open/board.js", "utf8");
  const tab = await open(page("<plyd-board></plyd-board>"));
  await until(() => tab.evaluate(() => customElements.get("plyd-board") !== undefined));
  const names = await tab.evaluate(() => Object.entries(Object.getOwnPropertyDescriptors(customElements.get("plyd-board").prototype))
    .filter(([name, { get }]) => get && !name.startsWith("_")).map(([name]) => name));
  for (const name of [...names, ...await tab.evaluate(() => customElements.get("plyd-board").observedAttributes)])
    assert.ok(text.includes(`\`${name}\``), name);
  for (const [, name] of source.matchAll(/#emit\("([a-z-]+)"/g)) assert.ok(text.includes(`| \`${name}\``), name);
  for (const [, name] of source.matchAll(/var\((--plyd-[a-z-]+)/g)) assert.ok(text.includes(`\`${name}\``), name);
});

// ---- looking back, positions, games that nobody knows ---------------------------------------------

browsers("one looks back by `ply` and by the bar, and comes back to the present", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "jungle", moves: ["a3a4", "g7g6", "a4a5"] }, { more: "controls=bar" });
  const man = (square) => board(tab, (b, name) => b.shadowRoot.querySelector(`[data-square=${name}]`).getAttribute("aria-label"), square);
  const press = (name) => board(tab, (b, label) => b.shadowRoot.querySelector(`[aria-label="${label}"]`).click(), name);
  await press("Move before");
  await until(async () => /elephant, red/.test(await man("a4")));
  assert.match(await status(tab), /After move 2 of 3/);
  assert.deepEqual(await withPart(tab, "movable"), []);
  await board(tab, (b) => { b.ply = 0; });
  await until(async () => /elephant, red/.test(await man("a3")));
  await press("Latest move");
  await until(async () => /elephant, red/.test(await man("a5")));
  assert.match(await status(tab), /to move/);
});

// ---- hints ------------------------------------------------------------------------------------------

const askHint = (tab) => board(tab, (b) => b.shadowRoot.querySelector("[aria-label='Show a hint']").click());
const hasHintButton = (tab) => board(tab, (b) =>
  b.shadowRoot.querySelector("[aria-label='Show a hint']")?.checkVisibility() ?? false);
const against = { engine: "plyd", level: 1 };

browsers("a hint is marked on the board, drawn as an arrow and told, until something is picked", house, async ({ open }) => {
  const { tab, game } = await boardOf(open, { variant: "shogi", seats: [{ me: true }, against] }, { more: "controls=bar" });
  await askHint(tab);
  await until(async () => (await withPart(tab, "hint")).length > 0, "squares are marked");
  const { move } = await house.call("GET", `/v1/games/${game.id}/hint`, undefined, game.token);
  const [from, to] = [move.slice(0, 2), move.slice(2, 4)];
  assert.deepEqual(await withPart(tab, "hint"), [from, to].sort());
  assert.match(await status(tab), new RegExp(`^Hint: .+ ${from} to ${to}`));
  assert.equal(await spoken(tab), await status(tab));
  assert.equal(await board(tab, (b) => b.shadowRoot.querySelectorAll(".arrow").length), 1);
  assert.match(await board(tab, (b, name) => b.shadowRoot.querySelector(`[data-square="${name}"]`).ariaLabel, to), /hint/);
  await byClicks(tab, [from]);
  assert.deepEqual(await withPart(tab, "hint"), []);
  await byClicks(tab, [to]);
  await reaches(tab, 2);
});

browsers("a hint to drop a man from the hand marks it there", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "shogi", position: "4k4/9/4G4/9/9/9/9/9/4K4 b G 1" }, { more: "controls=bar" });
  await askHint(tab);
  await until(async () => (await withPart(tab, "hint")).length > 0, "a square is marked");
  assert.deepEqual(await withPart(tab, "hint"), ["5b"]);
  assert.equal(await board(tab, (b) => b.shadowRoot.querySelectorAll(".kept[part~=hint]").length), 1);
  assert.match(await status(tab), /^Hint: gold dropped on 5b/);
});

browsers("a hint in a game of single clicks names the square", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "tictactoe", position: "xx1/oo1/3 x 3" }, { more: "controls=bar" });
  await askHint(tab);
  await until(async () => (await status(tab)) === "Hint: c3");
  assert.deepEqual(await withPart(tab, "hint"), ["c3"]);
});

browsers("there is no hint against a person", house, async ({ open }) => {
  const two = await boardOf(open, { variant: "jungle", seats: [{ me: true }, { open: true }] }, { more: "controls=bar" });
  assert.equal(await hasHintButton(two.tab), false);
  await board(two.tab, (b) => b.hint());
  assert.deepEqual(await withPart(two.tab, "hint"), []);
  const one = await boardOf(open, { variant: "jungle", seats: [{ me: true }, against] }, { more: "controls=bar" });
  assert.equal(await hasHintButton(one.tab), true);
});

browsers("there is no hint once the game is over", house, async ({ open }) => {
  const { tab, game } = await boardOf(open, { variant: "jungle", seats: [{ me: true }, against] }, { more: "controls=bar" });
  assert.equal(await hasHintButton(tab), true);
  await house.call("POST", `/v1/games/${game.id}/resign`, {}, game.token);
  await until(() => board(tab, (b) => b.state.status === "finished"));
  assert.equal(await hasHintButton(tab), false);
});

browsers("a position of no game is shown and cannot be played on", house, async ({ open }) => {
  const tab = await open(page(`<plyd-board variant="shogi" position="4k4/9/4P4/9/9/9/9/9/4K4 b G 1"></plyd-board>`));
  await drawn(tab);
  assert.equal(await board(tab, (b) => b.shadowRoot.querySelectorAll(".man").length), 3);
  assert.deepEqual(await withPart(tab, "movable"), []);
});

const sixth = {
  catalogue: {
    name: "leapers", title: "Leapers", seats: [{ seat: 1, name: "sun", color: "yellow" }, { seat: 2, name: "moon", color: "navy" }],
    board: { width: 4, height: 2, coordinates: "letter-digit" }, pieces: [{ name: "toad", letter: { 1: "T", 2: "t" } }], hands: true, facing: false,
    move: { choices: { "!": "with a croak", "": "quietly" } }, ends: [{ reason: "tired", meaning: "Nobody wants to leap." }],
  },
  state: {
    variant: "leapers", ply: 0, line: 1, to_move: 1, status: "active",
    board: {
      width: 4, height: 2, files: ["p", "q", "r", "s"], ranks: ["2", "1"], marks: { last: [], check: [], warm: ["s2"] },
      rows: ["2", "1"].map((rank) => ["p", "q", "r", "s"].map((file) => ({ square: file + rank,
        ...(rank === "1" && { zones: ["pond"] }), ...(file + rank === "p1" && { men: [{ seat: 1, piece: "T", name: "toad", symbol: "☺" }] }) }))),
      hands: { 1: [{ seat: 1, piece: "T", name: "toad", symbol: "☺", count: 2, click: "T/" }], 2: [] },
    },
    legal_tree: { count: 3, tree: { p1: { r2: { "": "leap", "!": "leap!" } }, "T/": { s1: "T/s1" } } },
  },
};

browsers("a game that nobody has heard of is played from data alone", house, async ({ open }) => {
  house.page("/v1/variants/leapers/men.svg", `<svg xmlns="http://www.w3.org/2000/svg"><symbol id="man-1-toad" viewBox="-50 -50 100 100"><circle r="40" fill="#0a0"/></symbol>
    <symbol id="zone-pond" viewBox="-50 -50 100 100"><path d="M-50-50h100v100h-100z" fill="#09f"/></symbol></svg>`);
  const tab = await open(page("<plyd-board></plyd-board>"));
  await until(() => tab.evaluate(() => customElements.get("plyd-board") !== undefined));
  await board(tab, (b, { catalogue, state }) => Object.assign(b, { catalogue, state }), sixth);
  await drawn(tab);
  assert.match(await partsOf(tab, "s2"), /warm/);
  await byClicks(tab, ["p1", "r2", "!"]);
  await board(tab, (b, state) => {
    const next = structuredClone(state), rows = next.board.rows;
    rows[0][2].men = rows[1][0].men;
    delete rows[1][0].men;
    b.state = { ...next, ply: 1, moves: [{ ply: 1, seat: 1, move: "leap!", effects: [{ type: "move", from: "p1", to: "r2", piece: "T", seat: 1 }] }] };
  }, sixth.state);
  await until(() => board(tab, (b) => b.shadowRoot.querySelector("[data-square=r2]").getAttribute("aria-label") === "r2, toad, sun"));
  await byDrags(tab, ["T/", "s1"]);
  assert.deepEqual(await tab.evaluate(() => heard.filter(({ type }) => type === "plyd-move").map(({ detail }) => detail)),
                   [{ move: "leap!", clicks: ["p1", "r2", "!"] }, { move: "T/s1", clicks: ["T/", "s1"] }]);
  assert.equal(await heard(tab, "plyd-state"), 0);
});

browsers("the answer of the computer is shown and spoken with one's own move", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "jungle", seats: [{ me: true }, { engine: "random" }] });
  await byClicks(tab, ["a3", "a4"]);
  await reaches(tab, 2);
  assert.match(await spoken(tab), /^Move 1, red: elephant a3 to a4\. Move 2, blue: .*\. Your turn\.$/);
});

browsers("a move that somebody else was faster with goes back, and the reason is told", house, async ({ open }) => {
  const { tab, game } = await boardOf(open, { variant: "jungle" });
  house.front.fault = ({ method, url }) => {
    if (method === "PUT" && !url.includes("explain")) return "refuse";
    return null;
  };
  await byClicks(tab, ["a3", "a4"]);
  await house.call("POST", `/v1/games/${game.id}/moves`, { move: "g3g4" }, game.token);
  house.front.fault = () => null;
  await until(async () => await heard(tab, "plyd-refused") === 1);
  await reaches(tab, 1);
  await until(() => board(tab, (b) => /elephant/.test(b.shadowRoot.querySelector("[data-square=a3]").getAttribute("aria-label"))));
  await until(async () => await men(tab) === 16, "no man is on its way");
}, { expected: /Failed to load|NetworkError|ERR_|409/ });

browsers("a move that is taken back goes back on the board", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "jungle" });
  await byClicks(tab, ["a3", "a4"]);
  await reaches(tab, 1);
  await board(tab, (b) => b.game.act("undo").then(() => {}));
  await until(() => board(tab, (b) => /elephant/.test(b.shadowRoot.querySelector("[data-square=a3]").getAttribute("aria-label"))));
  assert.match(await spoken(tab), /Red to move/);
  await byClicks(tab, ["a3", "a2"]);
  await reaches(tab, 1);
});

browsers("the board to try out moves in docs/board.md works as it is printed", house, async ({ open }) => {
  const sample = /This is a board to try out.*?```js\n(.*?)```/s.exec(readFileSync("docs/board.md", "utf8"))[1];
  const tab = await open(page(`<plyd-board></plyd-board><script type=module>${sample.replace("https://games.example", "")}</script>`));
  await drawn(tab);
  await byClicks(tab, ["a3", "a4"]);
  await until(() => board(tab, (b) => b.state.ply === 1));
  await byDrags(tab, ["a7", "a6"]);
  await until(() => board(tab, (b) => b.state.ply === 2));
  await until(async () => await men(tab) === 16);
});

// ---- a network that fails -------------------------------------------------------------------------

browsers("a move without a network is kept over a reload and played once", house, async ({ open }) => {
  const { tab, game } = await boardOf(open, { variant: "jungle" });
  house.front.fault = ({ method }) => (method === "PUT" ? "refuse" : null);
  await byClicks(tab, ["a3", "a4"]);
  await until(async () => /Sending|connection/.test(await status(tab)));
  await tab.reload();
  await drawn(tab);
  await until(async () => /Sending|connection/.test(await status(tab)));
  house.front.fault = () => null;
  await reaches(tab, 1);
  assert.deepEqual((await house.call("GET", `/v1/games/${game.id}/moves`)).items.map(({ move }) => move), ["a3a4"]);
}, { expected: /Failed to load|NetworkError|ERR_/ });

browsers("a move whose answer is lost is played once, and the board can go on", house, async ({ open }) => {
  const { tab, game } = await boardOf(open, { variant: "jungle" });
  await until(() => board(tab, (b) => b.game.connection === "live")); // so news of the move comes before the answer
  let puts = 0;
  house.front.fault = ({ method }) => (method === "PUT" && ++puts < 4 ? "cut" : null);
  await byClicks(tab, ["a3", "a4"]);
  await reaches(tab, 1);
  await byClicks(tab, ["a7", "a6"]);
  await reaches(tab, 2);
  assert.deepEqual((await house.call("GET", `/v1/games/${game.id}/moves`)).items.map(({ move }) => move), ["a3a4", "a7a6"]);
}, { expected: /Failed to load|NetworkError|ERR_/ });

browsers("the daemon is killed in the middle of a game, and the game goes on", house, async ({ open }) => {
  const { tab, game } = await boardOf(open, { variant: "jungle" });
  await byClicks(tab, ["a3", "a4"]);
  await reaches(tab, 1);
  await house.daemon.kill();
  await byClicks(tab, ["a7", "a6"]);
  await house.daemon.start();
  await reaches(tab, 2);
  await byClicks(tab, ["a4", "a5"]);
  await reaches(tab, 3);
  assert.equal((await stateOf(game.id)).ply, 3);
}, { expected: /Failed to load|NetworkError|ERR_/ });

// ---- pictures of pixels ---------------------------------------------------------------------------

/** How far the two pictures of a position are from each other: on average, of 255, and the part of the pixels that differ by a third. */
const apart = (tab, address) => tab.evaluate(async (path) => {
  const pixelsOf = async (file) => {
    const image = new Image();
    image.src = path.replace("board.", `board.${file}`);
    await image.decode();
    const context = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.naturalWidth, image.naturalHeight);
  };
  const [svg, png] = [await pixelsOf("svg"), await pixelsOf("png")];
  const differences = svg.data.map((colour, i) => Math.abs(colour - png.data[i]));
  return {
    sizes: [svg.width, svg.height, png.width, png.height],
    mean: differences.reduce((sum, n) => sum + n, 0) / differences.length,
    far: differences.filter((n) => n > 85).length / differences.length,
  };
}, address);

const positions = [
  "shogi/board.?moves=7g7f,3c3d,8h2b%2B&marks=last,check,legal", "shogi/board.?position=k8/9/9/1P7/9/9/p8/9/4K4_b_G2p_1&view=2",
  "jungle/board.?moves=g3g4&marks=last,legal", "stackchess/board.?position=r5/6/6/6/1(PFT)4/R5_w_-_0_3&stacks=all",
  "turkish-draughts/board.?position=W:WKa1,h1:Ba3,b4,Kh8&moves=a1xa4xd4", "tictactoe/board.?moves=b2,a1,a3,c1,c3,b3,a2",
  "tictactoe/board.?position=xxx/oo1/3_o_3",
];

house.page("/pixels.html", "<!doctype html><title>pixels</title><link rel=icon href=data:,>");

browsers("a picture of pixels is what a browser draws of the picture", house, async ({ open }) => {
  const tab = await open("/pixels.html");
  for (const position of positions) for (const theme of ["light", "dark", "print"]) {
    const { sizes: [width, height, ...png], mean, far } = await apart(tab, `/v1/variants/${position}&size=600&theme=${theme}`);
    assert.deepEqual(png, [width, height], position);
    assert.ok(mean < 3 && far < 0.002, `${position} in ${theme}: ${mean} apart on average, ${far} far apart`);
  }
});
