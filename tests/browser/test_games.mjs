// Games on <plyd-board>. Where PLYD_TEST_LONG is 1: the end of every game by every input, and whole games; else the
// end of shogi by every input and of the other games by one each, and the first moves of games.
import "./modules.mjs";
import assert from "node:assert/strict";

import { boardOf, board, byClicks, create, drawn, heard, house, inputs, page, reaches, spoken, stateOf, status, tag } from "./board.mjs";
import { browsers, long, until } from "./harness.mjs";
import { CUT } from "./person.mjs";

/** The clicks of a move in the tree, or of any one of the legal moves. */
const clicksOf = (tab, move, pick) => board(tab, (b, wanted, random) => {
  const find = (node, path) => {
    if (typeof node === "string") return !wanted || node === wanted ? path : null;
    const keys = Object.keys(node), from = Math.floor(random * keys.length);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[(from + i) % keys.length], found = find(node[key], [...path, key]);
      if (found) return found;
    }
    return null;
  };
  const path = find(b.state.legal_tree.tree, []);
  // a choice that has no other beside it is made by itself
  const at = (clicks) => clicks.reduce((node, click) => node[click], b.state.legal_tree.tree);
  const onBoard = (key) => b.shadowRoot.querySelector(`[data-square="${CSS.escape(key)}"], [data-click="${CSS.escape(key)}"]`);
  return path.filter((click, i) => i === 0 || onBoard(click) || Object.keys(at(path.slice(0, i))).length > 1);
}, move ?? null, pick);

const endings = {
  tictactoe: { moves: ["a1", "b1", "a2", "b2", "a3"] },
  shogi: { position: "k8/9/9/1P7/9/9/p8/9/4K4 b G 1", moves: ["8d8c+", "9g9h", "G*8b"] },
  jungle: { position: "6l/7/3L3/7/7/7/7/7/7 r 0 1", moves: ["d7d8", "g9g8", "d8d9"] },
  "turkish-draughts": { position: "W:WKd4:Ba3,a5,d6,c7", moves: ["d4xd7xa7xa4xa2"] },
  hex: { options: { size: 3 }, moves: ["b3", "a1", "b2", "c1", "b1"] },
  honeycomb: { moves: ["c3", "a1", "c4", "b1", "c5"] },
  mill: { position: "ww./.../.../b....w/b../.../..b w 0 0 0", moves: ["g4g7xa4"] },
  reversi: { position: "bw6/8/8/8/8/8/8/bw6 b", moves: ["c1", "pass", "c8"] },
  stackchess: { position: "5p/6/6/6/(TR)5/5(TT) w - 0 1", moves: ["2a2a3", "f6f5", "2f1f5"] },
};

const shortly = { tictactoe: ["clicks"], shogi: Object.keys(inputs), jungle: ["drags"], "turkish-draughts": ["keys"], stackchess: ["touch"], hex: ["clicks", "keys"], honeycomb: ["touch"], reversi: ["clicks"], mill: ["clicks", "keys"] };

for (const [how, play] of Object.entries(inputs))
  for (const [variant, { position, options, moves }] of Object.entries(endings)) {
    if (!long && !shortly[variant].includes(how)) continue;
    browsers(`${variant} is played to its end by ${how}`, house, async ({ open }) => {
      const { tab, game } = await boardOf(open, { variant, position, options }, { viewport: { width: 480, height: 800, hasTouch: how === "touch" } });
      for (const [i, move] of moves.entries()) {
        await play(tab, await clicksOf(tab, move, 0));
        await reaches(tab, i + 1);
      }
      const { outcome, last_move } = await stateOf(game.id);
      assert.equal(outcome.winner, 1);
      assert.equal(last_move.move, moves.at(-1));
      await until(async () => await heard(tab, "plyd-end") === 1);
      assert.match(await status(tab), /won: /);
    });
  }

browsers("a board with holes has no squares there", house, async ({ open }) => {
  const { tab } = await boardOf(open, { variant: "mill" });
  const squares = await board(tab, (b) => [...b.shadowRoot.querySelectorAll("[data-square]")].map((node) => node.dataset.square));
  assert.equal(squares.length, 24);
  assert.ok(!squares.includes("d4") && !squares.includes("b7"));
  const [left, right] = await board(tab, (b) => ["c4", "e4"].map((name) => b.shadowRoot.querySelector(`[data-square="${name}"]`).getBoundingClientRect().x));
  const next = await board(tab, (b) => b.shadowRoot.querySelector('[data-square="b4"]').getBoundingClientRect().x);
  assert.ok(Math.abs((right - left) - 2 * (left - next)) < 1, "the hole keeps its place");
});

/** Numbers between 0 and 1 that are the same in every run. */
const dice = (seed) => () => (seed = (seed * 48271) % 2147483647) / 2147483647;

const wholes = {
  tictactoe: { rows: 4, cols: 5, k: 4 }, shogi: { max_plies: 40 }, jungle: { draw_rounds: 8 },
  "turkish-draughts": { no_progress: 3 }, stackchess: { size: 4, no_progress: 6 },
  hex: { size: 4 }, reversi: {}, honeycomb: {}, mill: {},
};

const PLIES = long ? Infinity : 8;

for (const [variant, options] of Object.entries(wholes))
  browsers(`${variant} is played from the start by clicks`, house, async ({ open }) => {
    const { tab, game } = await boardOf(open, { variant, options }), random = dice(7);
    for (let ply = 1; ply <= PLIES && await board(tab, (b) => b.state.outcome === undefined); ply++) {
      await byClicks(tab, await clicksOf(tab, null, random()));
      await reaches(tab, ply);
    }
    const state = await stateOf(game.id);
    assert.ok(state.status === "finished" || state.ply === PLIES);
    assert.deepEqual(await board(tab, (b) => b.state.outcome), state.outcome);
  });

browsers("two people play against each other, each from their own side", house, async ({ open }) => {
  const ada = await create({ variant: "jungle", seats: [{ me: true, name: "Ada" }, { open: true }] });
  const mia = await house.call("POST", `/v1/games/${ada.id}/join`, { name: "Mia" });
  const first = await open(page(tag(ada))), second = await open(page(tag({ id: ada.id, token: mia.token })), { person: 2 });
  const corner = (tab) => board(tab, (b) => b.shadowRoot.querySelector("[data-square]").dataset.square);
  await Promise.all([drawn(first), drawn(second)]);
  assert.equal(await corner(first), "a9");
  assert.equal(await corner(second), "g1");
  for (const [i, move] of ["a3a4", "g7g6", "a4a5", "g6g5"].entries()) {
    await byClicks(i % 2 ? second : first, [move.slice(0, 2), move.slice(2)]);
    await Promise.all([reaches(first, i + 1), reaches(second, i + 1)]);
  }
  assert.match(await status(first), /Your turn/);
  assert.match(await status(second), /Ada \(red\) to move/);
  assert.match(await spoken(first), /^Move 4, blue: elephant g6 to g5\. Your turn\.$/);
});

browsers("one's games whose rules are not loaded are named on the start page behind the others", house, async ({ open }) => {
  const ada = await house.call("POST", "/v1/players", { name: "Ada" }), games = process.env.PLYD_GAMES;
  const make = (variant, token) => house.call("POST", "/v1/games", { variant, seats: [{ me: true }, { engine: "random" }] }, token);
  await make("jungle", ada.token);
  await make("hex", ada.token);
  const bare = await make("reversi"); // of which the device has nothing but a key
  const restart = async () => {
    await house.daemon.kill();
    await house.daemon.start();
  };
  delete process.env.PLYD_GAMES;
  try {
    await restart();
    const tab = await open("/");
    await tab.evaluate(async (player, { id, token }) => {
      const plyd = new (await import("/plyd.js")).Plyd();
      plyd.keys.remember(id, token, { variant: "reversi" });
      plyd.become(player);
    }, { id: ada.id, token: ada.token }, bare);
    await tab.reload();
    const rows = () => tab.$$eval("#mine-list li", (nodes) => nodes.map((node) => [node.querySelector("strong")?.textContent, Boolean(node.querySelector("a"))]));
    await until(async () => (await rows()).length === 3 && (await rows())[0][0], "the games are there");
    assert.deepEqual(await rows(), [["Jungle (Dou Shou Qi)", true], ["hex", false], ["reversi", false]]);
    assert.match(await tab.$eval("#mine-list li:last-child", (node) => node.textContent), /its rules are not loaded here/);
    assert.equal(await tab.$eval("#mine-old", (node) => node.hidden), true);
    await tab.close(); // it would notice the next restart
  } finally {
    process.env.PLYD_GAMES = games;
    await restart();
  }
}, { expected: CUT });
