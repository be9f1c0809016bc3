// The package of `make npm`, installed in an empty project: it plays there in Node 18, in this Node, and without what React Native
// has not. Its element is in test_board.mjs, and its types in tests/clients/.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

import { TEST_MS, openHouse, tools } from "./harness.mjs";

const house = await openHouse();
const project = mkdtempSync(join(tmpdir(), "plyd-project-"));
after(() => {
  rmSync(project, { recursive: true });
  return house.close();
});

const [packed] = readdirSync("build/npm").filter((name) => name.endsWith(".tgz"));
writeFileSync(join(project, "package.json"), '{"private": true, "type": "module"}');
execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", resolve("build/npm", packed)], { cwd: project, stdio: "pipe" });

const nodes = { "Node 18": join(tools, "node_modules/node/bin/node"), "this Node": process.execPath };

/** Two devices play a game to its end. Each hears of the other's moves as news. */
const game = (module) => `
import { Plyd } from "${module}";
const server = "http://127.0.0.1:${house.front.port}";
const ada = new Plyd({ server }), bob = new Plyd({ server });
const mine = await ada.create({ variant: "tictactoe", seats: [{ me: true }, { open: true }] });
const theirs = bob.game(mine.id);
await theirs.join({ name: "Bob" });
const stop = [mine.watch(), theirs.watch()];
for (const [i, move] of ["b2", "a1", "a2", "c2", "b1", "b3", "c1", "a3", "c3"].entries()) {
  const [player, other] = i % 2 === 0 ? [mine, theirs] : [theirs, mine];
  await player.until(({ ply }) => ply === i);
  await player.move({ move });
  await other.until(({ ply }) => ply === i + 1);
}
console.log(theirs.state.status, theirs.state.ply);
stop.forEach((end) => end());
`;

/** Takes away what React Native has not, and puts in place what its README says to install. An answer comes whole, so a stream's never comes. */
const native = `
import { webcrypto } from "node:crypto";
import { request } from "node:http";
const { Event, EventTarget } = globalThis, crypto = globalThis.crypto ?? webcrypto;
for (const name of ["Event", "EventTarget", "CustomEvent", "BroadcastChannel", "ReadableStream", "TextDecoder", "URLSearchParams", "crypto", "navigator"])
  Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
globalThis.fetch = (url, { body, method, headers, signal }) => new Promise((done, fail) => {
  const asked = request(url, { method, headers, signal }, (answer) => {
    let text = "";
    answer.setEncoding("utf8").on("data", (part) => { text += part; }).on("error", fail).on("end", () => done({
      ok: answer.statusCode < 300, status: answer.statusCode, headers: { get: (name) => answer.headers[name.toLowerCase()] ?? null },
      text: async () => text, json: async () => JSON.parse(text),
    }));
  });
  asked.on("error", fail).end(body);
});
Object.assign(globalThis, { Event, EventTarget, crypto: { getRandomValues: (bytes) => crypto.getRandomValues(bytes) } });
`;

function plays(name, node, files) {
  test(name, { timeout: TEST_MS }, async () => {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
    const child = spawn(node, [Object.keys(files).at(-1)], { cwd: project, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => { said += part; });
    const status = await new Promise((done) => child.on("exit", done));
    assert.equal(`${status} ${said}`, "0 finished 9\n");
  });
}

for (const [name, node] of Object.entries(nodes)) {
  plays(`${name}: the package plays a game in an empty project`, node, { "game.mjs": game("plyd") });
  plays(`${name}: the package plays where React Native's parts are missing`, node, {
    "native.mjs": native, "native_game.mjs": `import "./native.mjs";${game("plyd/native")}`,
  });
}

test("the package holds what its list says, and nothing of the rest of plyd", () => {
  const files = readdirSync(join(project, "node_modules/plyd")).sort();
  assert.deepEqual(files, ["LICENSE", "README.md", "board.d.ts", "board.js", "native.js", "package.json", "plyd.d.ts", "plyd.js"]);
  assert.equal(JSON.parse(readFileSync(join(project, "node_modules/plyd/package.json"))).version,
               /^ {2}version: (.*)$/m.exec(readFileSync("openapi.yaml", "utf8"))[1]);
});

test("what React Native loads has nothing that its bundler does not know", () => {
  const code = readFileSync(join(project, "node_modules/plyd/native.js"), "utf8");
  assert.doesNotMatch(code, /import\.meta/);
  assert.doesNotMatch(code, /^\S.*\bawait\b.*import\(/m);
});

test("what the types of the board name is there", () => {
  const types = readFileSync(join(project, "node_modules/plyd/board.d.ts"), "utf8");
  const code = readFileSync(join(project, "node_modules/plyd/board.js"), "utf8");
  const members = [...types.matchAll(/^ {2}(?:static |get |set )?"?([\w-]+)"?[(:]/gm)].map(([, name]) => name);
  assert.ok(members.length > 30);
  for (const name of members) assert.match(code, new RegExp(`\\b${name}\\b`), name);
});
