// Every sample of FRONTENDS.md and docs/module.md as it stands: only the address of the daemon is another one.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { PLAIN_HOST, TEST_MS, browsers, long, openHouse, tools, until } from "./harness.mjs";

const guide = ["FRONTENDS.md", "docs/module.md"].map((page) => readFileSync(page, "utf8")).join("\n");
const folder = mkdtempSync(join(tmpdir(), "plyd-samples-"));
const house = await openHouse();
after(() => {
  rmSync(folder, { recursive: true });
  return house.close();
});

copyFileSync("build/embed/open/plyd.js", join(folder, "plyd.mjs"));

/** The samples of a language in a section, one after the other. */
function samples(title, language) {
  const [, section] = guide.split(`## ${title}\n`);
  const text = section.split("\n## ")[0];
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm"))].map(([, code]) => code);
}

const hosts = ["127.0.0.1", PLAIN_HOST];
const at = (code, host = "127.0.0.1") => code.replaceAll("http://localhost:8080", `http://${host}:${house.front.port}`);
const nodes = { "Node 18": join(tools, "node_modules/node/bin/node"), "this Node": process.execPath };

/** Runs a program with each Node, and gives back what it prints. */
function inNode(name, code, check) {
  for (const [node, path] of Object.entries(nodes)) {
    test(`${node}: ${name}`, { timeout: TEST_MS }, async () => {
      const file = join(folder, "play.mjs");
      writeFileSync(file, at(code));
      const child = spawn(path, [file], { stdio: ["ignore", "pipe", "pipe"] });
      let out = "", err = "";
      child.stdout.on("data", (part) => { out += part; });
      child.stderr.on("data", (part) => { err += part; });
      const status = await new Promise((done) => child.on("exit", done));
      assert.equal(`${status} ${err}`, "0 ");
      check(out);
    });
  }
}

/** Runs it in a page of each browser, at each host, and gives back what it logs. */
function inPages(name, code, check) {
  const inPage = code.replace(/from "\.\/plyd\.mjs"/, 'from "http://localhost:8080/plyd.js"');
  for (const host of hosts) {
    browsers(`${name}, at http://${host}`, house, async ({ open }) => {
      house.page("/sample.html", `<!doctype html><title>sample</title><link rel=icon href=data:,><script type=module>
        window.log = [];
        console.log = (...texts) => log.push(texts.join(" "));
      </script><script type=module>${at(inPage, host)}
        window.over = true;
      </script>`);
      const tab = await open("/sample.html", { host });
      await until(() => tab.evaluate(() => window.over));
      check(await tab.evaluate(() => log.join("\n")));
    }, { expected: /Failed to load resource/ });
  }
}

function everywhere(...how) {
  inNode(...how);
  inPages(...how);
}

const [page] = samples("A page that plays", "html");

for (const host of hosts) {
  browsers(`the page plays a game to its end, over a reload, at http://${host}`, house, async ({ open }) => {
    house.page("/jungle.html", at(page, host).replace("<title>", "<link rel=icon href=data:,><title>"));
    const tab = await open("/jungle.html", { host });
    const click = () => tab.evaluate(() => {
      const buttons = [...document.querySelectorAll("button")];
      buttons[Math.floor(Math.random() * buttons.length)]?.click();
      return said.textContent;
    });
    for (let plies = 2; plies <= 6; plies += 2) {
      await until(() => tab.evaluate(() => document.querySelector("button") !== null));
      await click();
      await until(async () => (await tab.evaluate(() => said.textContent)) === `${plies} moves`);
    }
    await tab.reload();
    await until(() => tab.evaluate(() => said.textContent === "6 moves" && board.naturalWidth > 0), "the reload goes on");
    const id = await tab.evaluate(() => location.hash.slice(1));
    const token = await tab.evaluate((id) => JSON.parse(localStorage.getItem(`plyd:http://${location.host}:game:${id}`)).token, id);
    await house.call("POST", `/v1/games/${id}/resign`, {}, token);
    await until(() => tab.evaluate(() => said.textContent === "It is over: resign"));
  });
}

browsers("the page plays as a file", house, async ({ open }) => {
  writeFileSync(join(folder, "jungle.html"), at(page).replace("<title>", "<link rel=icon href=data:,><title>"));
  const tab = await open(`file://${folder}/jungle.html`);
  await until(() => tab.evaluate(() => document.querySelector("button") !== null));
  await tab.evaluate(() => document.querySelector("button").click());
  await until(() => tab.evaluate(() => said.textContent === "2 moves"));
});

everywhere("the program of the module's section plays, refuses, offers, resigns", samples("The module", "js").join("\n"), (out) => {
  assert.match(out, /^version 3 joined +\nversion 4 +☗７六歩\nversion 5 move ☖３四歩\nwrong-shape 2g2c is not/);
  assert.match(out, /\n(2 ☗７六歩,☖３四歩|\[ 2 \] \[ '☗７六歩', '☖３四歩' \])\n?$/, "the sides are swapped");
});

everywhere("clicks play games, and ask where they lead nowhere", `
import { Plyd } from "./plyd.mjs";
${samples("Entering moves by clicks", "js").join("\n")}
const plyd = new Plyd({ server: "http://localhost:8080" });
for (const name of ["stackchess", "turkish-draughts", "shogi"]) {
  const game = await plyd.create({ variant: name }, { include: "legal_tree" }), variant = await plyd.variant(name);
  let next = null;
  const say = (text) => console.log(text), choose = () => {}, highlight = (keys) => { next = keys; };
  const click = clicker(game, variant, { highlight, choose, say });
  await click("zz");
  while (game.state.ply < ${long ? 40 : 8} && game.state.status === "active") {
    const keys = next ?? Object.keys(game.state.legal_tree.tree);
    next = null;
    await click(keys[Math.floor(Math.random() * keys.length)]);
  }
  console.log(name, game.state.ply);
}
`, (out) => assert.match(out, /^.+\.\nstackchess \d+\n.+\.\nturkish-draughts \d+\n.+\.\nshogi \d+\n?$/));

everywhere("a plan answers the opponent's move in the same moment", `
import { Plyd } from "./plyd.mjs";
${samples("Conditional moves", "js").join("\n")}
const plyd = new Plyd({ server: "http://localhost:8080" });
const game = await plyd.create({ variant: "shogi", seats: [{ me: true }, { open: true }] });
const friend = new Plyd({ server: plyd.server }).game(game.id);
await friend.join();
await game.load();
await game.move({ move: "7g7f" });
await answerTo(game);
await friend.load();
const { answers } = await friend.move({ move: "3c3d" });
console.log(answers.map(({ move, source }) => [move, source]).join());
`, (out) => assert.match(out, /^8h2b\+,plan\n?$/));

// A player's token that is replaced stands for the JWT: the streams that it has opened end as well.
everywhere("a token that is renewed is shown by each request, and by the stream that follows the one that has ended", `
import { Plyd } from "./plyd.mjs";
const server = "http://localhost:8080", shown = [];
const ask = async (path, body, token) => (await fetch(server + path, {
  method: "POST", body: JSON.stringify(body),
  headers: { "Content-Type": "application/json", "Idempotency-Key": "renewal" + Math.random() + Math.random(), ...(token && { Authorization: "Bearer " + token }) },
})).json();
let { token } = await ask("/v1/players", { name: "Ada" });
const jwt = async () => { shown.push(token); return token; };
${samples("A JWT that is renewed", "js").join("\n")}
const { id } = await ask("/v1/games",
  { variant: "tictactoe", visibility: "private", seats: [{ me: true }, { open: true }] }, token);
const game = plyd.game(id), live = new Promise((done) =>
  game.addEventListener("connection", ({ detail }) => { if (detail === "live") done(); }));
const stop = game.watch();
await live;
const old = token;
token = (await ask("/v1/me/token", {}, old)).token;
while (!shown.includes(token)) await new Promise((done) => setTimeout(done, 20)); // the stream connects anew by itself
await new Plyd({ server, token: null }).game(id, { token: null }).join({ name: "Mia" });
const { you } = await game.until(({ status }) => status === "active");
await game.move({ move: "b2" });
console.log(you.seats.join(), game.state.ply, shown.lastIndexOf(old) < shown.indexOf(token));
stop();
`, (out) => assert.match(out, /^1 1 true\n?$/));

for (const fault of ["cut", "refuse", 503]) {
  test(`the module in Node plays a move once if its first attempt ends with: ${fault}`, async () => {
    let faults = 0;
    house.front.fault = ({ method }) => method === "PUT" && faults++ === 0 ? fault : null;
    const { Plyd } = await import(join(folder, "plyd.mjs"));
    const game = await new Plyd({ server: house.front.url }).create({ variant: "tictactoe" });
    const played = await game.move({ move: "b2" });
    assert.deepEqual([played.ply, faults, (await game.events({ type: "move" })).length], [1, 2, 1]);
  });
}

const [whole] = samples("A client in a hundred lines", "js");

everywhere("the client in a hundred lines plays a game of two, which no fault and no refusal ends", whole, (out) =>
  assert.match(out, /^Ada and Mia: active\nout-of-board: .*\ndraw: accept, decline; 3\n(.* .* .*\n){3}1 wins by line after 7 plies\n?$/));

house.page("/login.html", "<!doctype html><title>Please log in</title>");

everywhere("a request of the client in a hundred lines ends with an empty answer, and with one that is no JSON", `
${whole.split("\nclass Game ")[0]}
const { data: { token } } = await request("POST", "/v1/players", { body: { name: "Ada" }, key: newKey() });
console.log(JSON.stringify(await request("GET", "/v1/me/next", { token })));
await request("GET", "/login.html").catch(({ problem }) => console.log(problem.status));
`, (out) => assert.match(out, /^{"data":null}\n200\n?$/));

test("the client in a hundred lines has no more", () => assert.ok(whole.split("\n").length <= 100));

const [listen] = samples("News", "js");

browsers("EventSource hears every event once and in order over kill -9, alone and with tickets", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle" });
  house.page("/source.html", `<!doctype html><title>source</title><link rel=icon href=data:,><script type=module>
    const id = "${game.id}", token = "${game.token}", alone = [], ticket = [];
    ${at(whole.split("\nclass Game ")[0])}
    ${listen}
    const source = new EventSource(server + "/v1/games/${game.id}/events?after=0");
    source.addEventListener("move", (message) => alone.push(JSON.parse(message.data).version));
    listen(id, (event) => ticket.push(event.version), token);
    Object.assign(window, { heard: { alone, ticket } });
  </script>`);
  const tab = await open("/source.html");
  const play = (move) => house.call("POST", `/v1/games/${game.id}/moves`, { move }, game.token);
  const heard = (list) => until(async () => {
    const { alone, ticket } = await tab.evaluate(() => window.heard ?? { alone: [], ticket: [] });
    return `${alone}` === `${list}` && `${ticket}` === `${list}`;
  }, `both have heard ${list}`);
  await play("g3g4");
  await heard([2]);
  await house.daemon.kill();
  await house.daemon.start();
  await play("a7a6");
  await play("g4g3");
  await heard([2, 3, 4]);
}, { expected: /EventSource|Failed to load resource|can.t establish a connection|ERR_|interrupted/ });
