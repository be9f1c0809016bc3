// The pages in the languages that they speak: each text in all of them and nowhere else, the right one first, and kept.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, test } from "node:test";

import { browsers, openHouse, until } from "./harness.mjs";
import { choose, clickSquare, drawn, press, reaches, shows, start, textOf, violations } from "./person.mjs";

const house = await openHouse();
after(() => house.close());

const LANGS = ["en", "ja", "tr"], PAGES = "api/pages/";
const textsOf = Object.fromEntries(await Promise.all(LANGS.map(async (lang) => [lang, await import(`../../build/embed/pages/texts.${lang}.js`)])));
const scripts = readdirSync(PAGES, { recursive: true }).filter((name) => /\.js$/.test(name) && !/^(docs|qr|sw)\.js$|^(board|plyd)\b/.test(name));
const sourceOf = (name) => readFileSync(PAGES + name, "utf8");

// ---- the texts ------------------------------------------------------------------------------------

test("whatever a script says is a text of each language, and each text is said by one", () => {
  const all = scripts.map(sourceOf).join("\n"), { texts } = textsOf.en;
  for (const [, key] of all.matchAll(/\b(?:t|many)\("([^"]+)"/g))
    assert.ok(key in texts || `${key}-other` in texts, `"${key}" is said, and there is no such text`);
  for (const key of Object.keys(texts)) {
    const stem = key.replace(/:.*/, ":").replace(/-(one|other|on|label)$/, "");
    assert.ok(all.includes(`"${key}"`) || all.includes(`\`${stem}`) || all.includes(`"${stem}"`) || all.includes(`-\${`), `"${key}" is said nowhere`);
  }
});

test("no script has a sentence of its own", () => {
  for (const name of scripts) {
    const code = sourceOf(name).replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/(^|[\s;,{}()])\/\/ .*$/gm, "");
    for (const [, text] of code.matchAll(/["`]([A-Z][a-z]+ [a-z][^"`]*)["`]/g)) assert.fail(`${name}: "${text}" is in no language`);
  }
});

test("the words of the board are in each language", async () => {
  const words = [...sourceOf("board/words.js").match(/const words = \{\n {2}en: \{([^]*?)\n {2}\},\n/)[1].matchAll(/(?:^|, |\n\s+)(\w+): "/g)].map(([, key]) => key);
  assert.ok(words.length > 50);
  for (const lang of ["ja", "tr"]) assert.deepEqual(Object.keys(textsOf[lang].board).sort(), words.toSorted(), lang);
});

test("what the program writes into a page is a word of its language", () => {
  const def = ["lang_en", "pages_en"].map((name) => readFileSync(`api/text/${name}.def`, "utf8")).join("\n"), parts = [...readFileSync("api/endpoints/site/lobby.c", "utf8").matchAll(/\{"([a-z-]+)", [a-z_]+\}/g)].map(([, key]) => key);
  for (const name of readdirSync(PAGES).filter((one) => one.endsWith(".html")))
    for (const [, key] of sourceOf(name).matchAll(/\{\{([^}]+)\}\}/g))
      assert.ok(parts.includes(key) || def.includes(`WORD("${key}",`), `${name} has {{${key}}}`);
});

// ---- which language ---------------------------------------------------------------------------------

const pageIn = async (headers, path = "/") => {
  const answer = await fetch(house.daemon.url + path, { headers: { Accept: "text/html", ...headers } });
  return { vary: answer.headers.get("Vary"), lang: /<html lang="(\w+)"/.exec(await answer.text())?.[1] };
};

test("a page is in the language of its query, of the reader's choice, or of their browser, in this order", async () => {
  for (const [headers, path, lang] of [
    [{}, "/", "en"], [{ "Accept-Language": "de" }, "/", "en"], [{ "Accept-Language": "ja-JP,en;q=0.5" }, "/", "ja"],
    [{ "Accept-Language": "en;q=0.2, tr;q=0.4, ja;q=0.3" }, "/", "tr"], [{ "Accept-Language": "*" }, "/", "en"],
    [{ "Accept-Language": "ja;q=0, tr;q=0" }, "/", "en"], [{ "Accept-Language": "jam" }, "/", "en"],
    [{ "Accept-Language": "ja", Cookie: "other=1; plyd-lang=tr" }, "/", "tr"], [{ "Accept-Language": "ja", Cookie: "plyd-lang=de" }, "/", "ja"],
    [{ Cookie: "plyd-lang=tr" }, "/?lang=ja", "ja"], [{ "Accept-Language": "tr" }, `/play/${"0".repeat(26)}`, "tr"],
    [{ "Accept-Language": "ja" }, `/embed/${"0".repeat(26)}`, "ja"], [{ "Accept-Language": "ja" }, "/mail", "ja"],
    [{ "Accept-Language": "ja" }, "/docs/frontends", "en"],
  ]) {
    const page = await pageIn(headers, path);
    assert.equal(page.lang, lang, `${path} ${JSON.stringify(headers)}`);
    assert.match(page.vary, /Accept-Language, Cookie/);
  }
});

/** The English that is left in what can be read: texts of scripts as a whole, wherever they stand. */
const english = (tab) => tab.evaluate((texts) => {
  const boards = [...document.querySelectorAll("plyd-board")].map((board) => board.shadowRoot);
  const spoken = [document, ...boards].flatMap((root) => [...root.querySelectorAll("[aria-label], [title], [placeholder]")])
    .flatMap((node) => ["aria-label", "title", "placeholder"].map((name) => node.getAttribute(name))).filter(Boolean);
  const read = [document.body.innerText, ...boards.map((root) => root.textContent), ...spoken].join("\n").split("\n").map((line) => line.trim());
  return texts.filter((text) => read.includes(text));
}, Object.values(textsOf.en.texts).filter((text) => text.length > 5 && !text.includes("{")));

for (const [lang, first, turn] of [["ja", "ボードゲームで遊ぶ", "あなたの番です"], ["tr", "Bir masa oyunu oynayın", "Sıra sizde"]])
  browsers(`a game is begun and played in ${lang}, which breaks no rule of accessibility`, house, async ({ open }) => {
    const tab = await open("/");
    await tab.select("#lang", lang);
    await shows(tab, "h1", first);
    await until(() => tab.$("#device-parts > *"), "the page is whole");
    assert.deepEqual(await violations(tab), []);
    assert.deepEqual(await english(tab), []);
    await tab.click(".game .more[value=shogi]");
    await until(() => tab.$("#options select"), "the options are there");
    assert.deepEqual(await english(tab), []);
    assert.deepEqual(await violations(tab), []);
    await tab.click("#new-close");
    await tab.click(".game .start[value=shogi]");
    await until(() => tab.url().includes("/play/"), "the page of the game comes");
    await drawn(tab);
    await shows(tab, "#standing", turn);
    await clickSquare(tab, "3c"); // a man of the other side
    await clickSquare(tab, "7g");
    await clickSquare(tab, "7f");
    await reaches(tab, 2);
    assert.deepEqual(await english(tab), []);
    assert.deepEqual(await violations(tab), []);
    const told = await tab.evaluate(() => document.querySelector("plyd-board").shadowRoot.querySelector("[data-square='7f']").getAttribute("aria-label"));
    assert.match(told, lang === "ja" ? /先手の歩/ : /piyon, sente/);
  }, { expected: /Content.Security.Policy|eval/ });

browsers("why a move cannot be played is said in the language of the page", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle" });
  const tab = await open(`/play/${game.id}?lang=tr#key=${game.token}`);
  await drawn(tab);
  await clickSquare(tab, "g3");
  await clickSquare(tab, "g6");
  await shows(tab, "#meaning", "g3g6 bu taşın oynayışı değil.");
});

browsers("a language that was chosen is kept, and so is light or dark", house, async ({ open }) => {
  const tab = await open("/");
  await tab.select("#lang", "ja");
  await until(async () => (await textOf(tab, "h1").catch(() => "")) === "ボードゲームで遊ぶ", "the page is in Japanese");
  const light = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await tab.select("#theme", "dark");
  await until(() => tab.evaluate(() => document.documentElement.dataset.theme === "dark").catch(() => false), "the page is dark");
  assert.notEqual(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor), light);
  await until(() => tab.$eval(".game img", (node) => /theme=dark/.test(node.currentSrc)), "the boards are dark");
  const game = await house.call("POST", "/v1/games", { variant: "jungle" });
  const other = await open(`/play/${game.id}`);
  await drawn(other);
  assert.deepEqual(await other.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme]), ["ja", "dark"]);
  await until(() => house.front.requests.some(({ url }) => /jungle\/men\.svg\?theme=dark/.test(url)), "the board is dark");
  await other.select("#theme", "");
  await until(() => other.evaluate(() => document.documentElement.dataset.theme === undefined && document.readyState === "complete").catch(() => false), "it is as the machine is");
});

browsers("a language that is chosen before the scripts are there is what the page comes in", house, async ({ open }) => {
  let come;
  const late = new Promise((done) => { come = done; });
  house.front.fault = ({ url }) => url.includes("texts.en") ? late : null;
  const tab = await open("/", { early: true });
  await tab.select("#lang", "ja");
  come();
  await shows(tab, "h1", "ボードゲームで遊ぶ");
});
