// Moves that are made ahead, `<plyd-board premove>`: kept until one's turn, played once, taken back by one tap.
import assert from "node:assert/strict";

import { board, boardOf, byClicks, byDrags, byKeys, create, drawn, focused, heard, house, page, plyOf, reaches, spoken, stateOf, status, tag, withPart } from "./board.mjs";
import { browsers, until } from "./harness.mjs";

const CUT = { expected: /Failed to load|NetworkError|ERR_/ };

/** A game of two people, of whom the first one has moved: `mine` plays the first seat. */
async function begun(body, { moves = [] } = {}) {
  const game = await create({ ...body, seats: [{ me: true }, { open: true }] });
  const { token } = await house.call("POST", `/v1/games/${game.id}/join`, {});
  const play = (move, who) => house.call("POST", `/v1/games/${game.id}/moves`, { move }, who);
  const state = await house.call("GET", `/v1/games/${game.id}`, undefined, game.token);
  for (const [i, move] of moves.entries()) await play(move, i % 2 === 0 ? game.token : token);
  return { game: { ...state, token: game.token }, answer: (move) => play(move, token) };
}

const played = async ({ id }, token) => (await house.call("GET", `/v1/games/${id}/moves`, undefined, token)).items.map(({ move }) => move);
const sentFor = ({ id }) => house.front.requests.filter(({ method, url }) => method === "PUT" && url.includes(id) && !url.includes("explain")).length;
const isKept = (tab) => until(() => board(tab, (b) => b.game.premove !== null), "the move is kept");
const isGone = (tab) => until(() => board(tab, (b) => b.game.premove === null), "no move is kept");

async function opened(open, body, options) {
  const two = await begun(body, options);
  const { tab } = await boardOf(open, two.game, { more: `premove ${options?.more ?? ""}` });
  return { ...two, tab };
}

const jungle = { variant: "jungle" }, begins = { moves: ["a3a4"] };

browsers("a move that is made ahead is played when its turn comes, by click, drag and key", house, async ({ open }) => {
  for (const play of [byClicks, byDrags, byKeys]) {
    const { game, answer, tab } = await opened(open, jungle, begins);
    await play(tab, ["a4", "a5"]);
    await isKept(tab);
    assert.deepEqual(await withPart(tab, "premove"), ["a4", "a5"]);
    assert.match(await status(tab), /When it is your turn: elephant a4 to a5/);
    assert.equal((await stateOf(game.id)).ply, 1);
    await answer("g7g6");
    await reaches(tab, 3);
    assert.deepEqual(await played(game, game.token), ["a3a4", "g7g6", "a4a5"]);
    assert.deepEqual(await withPart(tab, "premove"), []);
    await tab.close();
  }
});

browsers("a tap takes back what was made ahead, and so does Escape", house, async ({ open }) => {
  const { game, answer, tab } = await opened(open, jungle, begins);
  await byClicks(tab, ["a4", "a5"]);
  await isKept(tab);
  for (const square of ["d5", "a4", "g3"]) { // nothing, the man itself, another one
    await byClicks(tab, [square]);
    await isGone(tab);
    assert.deepEqual(await withPart(tab, "premove"), []);
    await tab.keyboard.press("Escape"); // the man that was tapped is picked
    await byClicks(tab, ["a4", "a5"]);
    await isKept(tab);
  }
  await tab.keyboard.press("Escape");
  await isGone(tab);
  await answer("g7g6");
  await reaches(tab, 2);
  assert.deepEqual(await played(game, game.token), ["a3a4", "g7g6"]);
});

browsers("a man that was to move ahead can be picked at once for another move", house, async ({ open }) => {
  const { answer, game, tab } = await opened(open, jungle, begins);
  await byClicks(tab, ["a4", "a5"]);
  await isKept(tab);
  await byDrags(tab, ["a4", "a3"]);
  await until(async () => (await withPart(tab, "premove")).join() === "a3,a4");
  await answer("g7g6");
  await reaches(tab, 3);
  assert.deepEqual(await played(game, game.token), ["a3a4", "g7g6", "a4a3"]);
});

browsers("what was made ahead and cannot be played is dropped with a word", house, async ({ open }) => {
  const { game, answer, tab } = await opened(open, jungle, begins);
  await byClicks(tab, ["a4", "a7"]);
  await isKept(tab);
  await answer("g7g6");
  await reaches(tab, 2);
  await until(async () => /cannot be played: elephant a4 to a7/.test(await status(tab)));
  assert.match(await spoken(tab), /cannot be played: elephant a4 to a7/);
  assert.equal(await board(tab, (b) => b.game.premove), null);
  await byClicks(tab, ["a4", "a5"]);
  await reaches(tab, 3);
  assert.equal((await stateOf(game.id)).ply, 3);
});

browsers("what was made ahead is kept over a reload, and played when the page is opened later", house, async ({ open }) => {
  const { game, answer, tab } = await opened(open, jungle, begins);
  await byClicks(tab, ["a4", "a5"]);
  await isKept(tab);
  await tab.reload();
  await drawn(tab);
  await until(async () => (await withPart(tab, "premove")).join() === "a4,a5");
  const url = tab.url();
  await tab.goto("about:blank");
  await answer("g7g6");
  await tab.goto(url);
  await drawn(tab);
  await reaches(tab, 3);
  assert.deepEqual(await played(game, game.token), ["a3a4", "g7g6", "a4a5"]);
});

browsers("what was made ahead is played although the pictures come long after the game", house, async ({ open }) => {
  const { game, answer, tab } = await opened(open, jungle, begins);
  await byClicks(tab, ["a4", "a5"]);
  await isKept(tab);
  const url = tab.url();
  let release;
  const held = new Promise((done) => { release = done; });
  house.front.fault = ({ url }) => url.startsWith("/v1/variants/") ? held : null;
  await tab.setCacheEnabled(false);
  await tab.goto(url);
  await until(() => heard(tab, "plyd-connection"), "it is told that the board hears of news");
  await answer("g7g6");
  await until(() => board(tab, (b) => b.game.state?.ply === 2));
  assert.equal(await board(tab, (b) => b.shadowRoot.querySelector("[data-square]")), null);
  release();
  await reaches(tab, 3);
  assert.deepEqual(await played(game, game.token), ["a3a4", "g7g6", "a4a5"]);
});

browsers("two tabs play what was made ahead once, and both show it and what becomes of it", house, async ({ open }) => {
  const { game, answer, tab } = await opened(open, jungle, begins);
  const other = await open(page(tag(game, "premove")));
  await drawn(other);
  await byClicks(other, ["a4", "a5"]);
  await isKept(tab);
  await until(async () => (await withPart(tab, "premove")).join() === "a4,a5");
  await answer("g7g6");
  await Promise.all([reaches(tab, 3), reaches(other, 3)]);
  await answer("g6g5");
  await Promise.all([reaches(tab, 4), reaches(other, 4)]);
  assert.deepEqual(await played(game, game.token), ["a3a4", "g7g6", "a4a5", "g6g5"]);
  for (const one of [tab, other]) assert.equal(await board(one, (b) => b.game.premove), null);
});

browsers("a move that was made ahead and whose answer is lost is played once", house, async ({ open }) => {
  const { game, answer, tab } = await opened(open, jungle, begins);
  let puts = 0;
  house.front.fault = ({ method }) => (method === "PUT" && ++puts < 3 ? "cut" : null);
  await byClicks(tab, ["a4", "a5"]);
  await isKept(tab);
  await answer("g7g6");
  await reaches(tab, 3);
  assert.deepEqual(await played(game, game.token), ["a3a4", "g7g6", "a4a5"]);
}, CUT);

browsers("what was made ahead is sent with one request", house, async ({ open }) => {
  const { game, answer, tab } = await opened(open, jungle, begins);
  await byClicks(tab, ["a4", "a5"]);
  await isKept(tab);
  assert.equal(sentFor(game), 0);
  await answer("g7g6");
  await reaches(tab, 3);
  assert.equal(sentFor(game), 1);
});

browsers("one who looks back has what was made ahead played none the less", house, async ({ open }) => {
  const { game, answer, tab } = await opened(open, jungle, begins);
  await byClicks(tab, ["a4", "a5"]);
  await isKept(tab);
  await board(tab, (b) => { b.ply = 0; });
  await until(async () => /Start/.test(await status(tab)));
  await answer("g7g6");
  await reaches(tab, 3);
  assert.match(await status(tab), /Start/);
  assert.deepEqual(await played(game, game.token), ["a3a4", "g7g6", "a4a5"]);
});

browsers("`confirm` asks when a move is made ahead, and not when it is played", house, async ({ open }) => {
  const { game, answer, tab } = await opened(open, jungle, { ...begins, more: "confirm" });
  const choose = (text) => board(tab, (b, wanted) =>
    [...b.shadowRoot.querySelectorAll("[part~=choice]")].find((button) => button.textContent === wanted).click(), text);
  await byClicks(tab, ["a4", "a5"]);
  assert.match((await focused(tab)).part, /choice/);
  await choose("Cancel");
  assert.equal(await board(tab, (b) => b.game.premove), null);
  assert.deepEqual(await withPart(tab, "premove"), []);
  await byClicks(tab, ["a4", "a5"]);
  await choose("Play");
  await isKept(tab);
  await answer("g7g6");
  await reaches(tab, 3);
  assert.deepEqual(await played(game, game.token), ["a3a4", "g7g6", "a4a5"]);
});

browsers("where a move that was made ahead can go on in two ways, one is asked when it is one's turn", house, async ({ open }) => {
  const { answer, game, tab } = await opened(open, { variant: "shogi", position: "4k4/9/9/1P7/9/9/p8/9/4K4 b G 1" }, { moves: ["G*5e"] });
  await byClicks(tab, ["8d", "8c"]);
  await isKept(tab);
  await answer("5a4a");
  await until(() => board(tab, (b) => b.shadowRoot.querySelectorAll("[part~=choice]").length === 2));
  await byClicks(tab, ["+"]);
  await reaches(tab, 3);
  assert.deepEqual(await played(game, game.token), ["G*5e", "5a4a", "8d8c+"]);
});

browsers("a stone is put ahead by one click", house, async ({ open }) => {
  const { answer, game, tab } = await opened(open, { variant: "tictactoe" });
  await byClicks(tab, ["b2"]);
  await reaches(tab, 1);
  await byClicks(tab, ["a1"]);
  await isKept(tab);
  await byClicks(tab, ["a1"]);
  await isGone(tab);
  await byClicks(tab, ["a1"]);
  await isKept(tab);
  await answer("c3");
  await reaches(tab, 3);
  assert.deepEqual(await played(game, game.token), ["b2", "c3", "a1"]);
});

browsers("what was made ahead is forgotten when the game goes elsewhere, seen or unseen", house, async ({ open }) => {
  const { game, answer, tab } = await opened(open, { ...jungle, undo: "free" }, begins), url = tab.url();
  const goElsewhere = async () => {
    await house.call("POST", `/v1/games/${game.id}/undo`, {}, game.token);
    await house.call("POST", `/v1/games/${game.id}/moves`, { move: "a3a4" }, game.token);
  };
  await byClicks(tab, ["a4", "a5"]);
  await isKept(tab);
  await goElsewhere();
  await isGone(tab);
  await byClicks(tab, ["a4", "a5"]);
  await isKept(tab);
  await tab.goto("about:blank");
  await goElsewhere();
  await answer("g7g6");
  await tab.goto(url);
  await drawn(tab);
  await reaches(tab, 2);
  assert.deepEqual(await withPart(tab, "premove"), []);
  assert.equal((await stateOf(game.id)).ply, 2);
});

browsers("what was made ahead for a turn at which one has played elsewhere is not played at the next one", house, async ({ open }) => {
  const { game, answer, tab } = await opened(open, jungle, begins), url = tab.url();
  await byClicks(tab, ["a4", "a5"]);
  await isKept(tab);
  await tab.goto("about:blank");
  await answer("g7g6");
  await house.call("POST", `/v1/games/${game.id}/moves`, { move: "a4a3" }, game.token);
  await answer("g6g7");
  await house.call("POST", `/v1/games/${game.id}/moves`, { move: "a3a4" }, game.token);
  await answer("g7g6");
  await tab.goto(url);
  await drawn(tab);
  await reaches(tab, 6);
  assert.deepEqual(await withPart(tab, "premove"), []);
  assert.equal((await stateOf(game.id)).ply, 6);
});

browsers("without `premove` nothing is made ahead", house, async ({ open }) => {
  const { game } = await begun(jungle, begins);
  const { tab } = await boardOf(open, game);
  await byClicks(tab, ["a4", "a5"]);
  await until(async () => /It is not your turn/.test(await status(tab)));
  assert.equal(await board(tab, (b) => b.game.premove), null);
});
