// scripts/join.awk: one file of several modules does what they do by themselves.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";

const folder = mkdtempSync(join(tmpdir(), "plyd-join-"));
after(() => rmSync(folder, { recursive: true }));

let count = 0;

/** Writes modules into a folder of their own, and joins one of them with what it imports. */
function joined(modules, { entry = "main.js", apart = "", whole = "" } = {}) {
  const root = join(folder, String(count++));
  for (const [name, text] of Object.entries(modules)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const settings = Object.entries({ root, entry, apart, whole }).flatMap(([name, value]) => ["-v", `${name}=${value}`]);
  const { stdout: text, stderr: trouble, status } = spawnSync("awk", [...settings, "-f", "scripts/join.awk"], { encoding: "utf8" });
  return { text, trouble, status, root };
}

/** Loads modules as one file, and beside it those that are files of their own. */
async function loaded(modules, options) {
  const { text, trouble, status, root } = joined(modules, options);
  assert.equal(status, 0, trouble);
  mkdirSync(join(root, "served"));
  const { apart, beside = [] } = options ?? {};
  if (apart) writeFileSync(join(root, "served", apart), joined(modules, { entry: apart, whole: 1 }).text);
  for (const name of beside) writeFileSync(join(root, "served", name), joined(modules, { entry: name, apart }).text);
  writeFileSync(join(root, "served/package.json"), '{"type": "module"}');
  const file = join(root, "served", options?.entry ?? "main.js");
  writeFileSync(file, text);
  return import(file);
}

test("names of different modules do not meet", async () => {
  const { said } = await loaded({
    "main.js": 'import { other } from "./parts/other.js";\n\nconst name = "main";\n\nexport const said = [name, other()];\n',
    "parts/other.js": 'const name = "other";\n\nexport function other() { return name; }\n',
  });
  assert.deepEqual(said, ["main", "other"]);
});

test("modules run in the order in which they would by themselves, each once", async () => {
  const log = (name) => `log.push("${name}");\n`;
  const { log: said } = await loaded({
    "main.js": `import { log } from "./log.js";\nimport { a } from "./a.js";\nimport { b } from "./b.js";\n${log("main")}export { log };\n`,
    "log.js": "export const log = [];\n",
    "a.js": `import { b } from "./b.js";\nimport { log } from "./log.js";\n${log("a")}export const a = b;\n`,
    "b.js": `import { log } from "./log.js";\n${log("b")}export const b = 1;\n`,
  });
  assert.deepEqual(said, ["b", "a", "main"]);
});

test("a module that waits for something is waited for", async () => {
  const { twice } = await loaded({
    "main.js": 'import { slow } from "./slow.js";\n\nexport const twice = 2 * slow;\n',
    "slow.js": "export const slow = await Promise.resolve(21);\n",
  });
  assert.equal(twice, 42);
});

test("what stands apart is there once for all who import it, with all that it imports", async () => {
  const main = await loaded({
    "main.js": 'import { shared } from "./shared.js";\nimport { deep } from "./parts/deep.js";\n\nexport const mine = { shared, deep };\n' +
      'export const late = await import("./late.js");\n',
    "late.js": 'import { deep } from "./parts/deep.js";\n\nexport { deep };\n',
    "shared.js": 'import { deep } from "./parts/deep.js";\n\nexport const shared = { deep };\n',
    "parts/deep.js": "export const deep = {};\n",
  }, { apart: "shared.js", beside: ["late.js"] });
  assert.equal(main.mine.shared.deep, main.mine.deep);
  assert.equal(main.late.deep, main.mine.deep);
});

test("a module that is imported when it is needed is a file beside this one, wherever the module stands that needs it", () => {
  const { text } = joined({ "main.js": 'import { late } from "./parts/late.js";\nlate();\n',
                            "parts/late.js": 'export const late = () => import("../qr.js");\n', "qr.js": "" });
  assert.match(text, /import\("\.\/qr\.js"\)/);
});

test("what names a module again is passed on", async () => {
  const { one, two } = await loaded({
    "main.js": 'import { one } from "./numbers.js";\n\nexport { one };\nexport { two } from "./numbers.js";\n',
    "numbers.js": "export const one = 1;\nexport const two = 2;\n",
  });
  assert.deepEqual([one, two], [1, 2]);
});

for (const [what, modules, trouble] of [
  ["modules that import each other", { "main.js": 'import { a } from "./a.js";\nexport const main = 1;\n', "a.js": 'import { main } from "./main.js";\nexport const a = main;\n' },
   "a.js: modules import each other: main.js"],
  ["a name that a module does not export", { "main.js": 'import { nothing } from "./a.js";\n', "a.js": "export const a = 1;\n" }, "main.js: a.js exports no nothing"],
  ["a module that is not there", { "main.js": 'import { a } from "./a.js";\n' }, "a.js: cannot be read"],
  ["an export that may change", { "main.js": "export let count = 0;\n" }, "main.js: not understood: export let count = 0;"],
  ["another name for what is imported", { "main.js": 'import { a as b } from "./a.js";\n', "a.js": "export const a = 1;\n" }, "main.js: another name is not understood"],
])
  test(`${what} cannot be joined`, () => {
    const told = joined(modules);
    assert.equal(told.status, 1);
    assert.ok(told.trouble.includes(trouble), told.trouble);
  });
