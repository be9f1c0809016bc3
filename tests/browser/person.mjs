/**
 * person.mjs - what a person does on the pages of plyd, with what is on the screen alone.
 */
import { readFileSync } from "node:fs";
import { isShown, require, until } from "./harness.mjs";

export { isShown };

/** What a browser logs while there is no network. */
export const CUT = /Failed to load resource|NetworkError|net::ERR|CORS|Load failed/;

export const textOf = (tab, selector) => tab.$eval(selector, (node) => node.innerText.trim());
export const shows = (tab, selector, text) =>
  until(async () => (await textOf(tab, selector).catch(() => "")).includes(text), `${selector} shows "${text}"`);

/** Clicks what has this text. The page may be drawn anew meanwhile, or another one come. */
export function press(tab, selector, text) {
  return until(async () => {
    try {
      const handle = await tab.evaluateHandle((where, what) =>
        [...document.querySelectorAll(where)].find((node) => node.innerText.trim().startsWith(what) && node.checkVisibility({ visibilityProperty: true })),
      selector, text);
      await handle.asElement().evaluate((node) => node.scrollIntoView({ block: "center" }));
      await handle.asElement().click();
      return true;
    } catch {
      return false;
    }
  }, `"${text}" can be clicked`);
}

/** The page of a game shows its board, and what is beside it, which cannot be clicked before. */
export const drawn = (tab) => until(() => tab.evaluate(() => document.querySelector(".waits") === null &&
  document.querySelector("plyd-board")?.shadowRoot?.querySelector("[data-square]") != null), "a board is drawn");

export async function clickSquare(tab, square) {
  const { x, y } = await tab.evaluate((name) => {
    const cell = document.querySelector("plyd-board").shadowRoot.querySelector(`[data-square="${name}"]`);
    cell.scrollIntoView({ block: "center" });
    const { x, y, width, height } = cell.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }, square);
  await tab.mouse.click(x, y);
}

export const moves = (tab) => tab.$$eval("#moves li", (nodes) => nodes.map((node) => node.innerText.trim())).catch(() => []);
export const reaches = (tab, count) => until(async () => (await moves(tab)).length === count, `${count} moves are listed`);
export const idOf = (tab) => new URL(tab.url()).pathname.split("/")[2];

/** In the lobby, to what one may choose of a game. */
export async function choose(tab, game, opponent) {
  await press(tab, ".game .more", game);
  await press(tab, "#new .choice label", opponent);
}

/** From the lobby to the page of a new game: against the computer by one tap, unless one chooses a side. */
export async function start(tab, game, opponent, { side } = {}) {
  if (opponent === "The computer" && !side) await press(tab, ".game .start", game);
  else {
    await choose(tab, game, opponent);
    if (side) await press(tab, "#sides label", side);
    await press(tab, "#new button", "Start the game");
  }
  await until(() => tab.url().includes("/play/"), "the page of the game comes");
  await drawn(tab);
}

/** What a QR code says that is drawn as an SVG. */
export async function readCode(tab, selector) {
  const [size, path] = await until(() => tab.$eval(selector, (svg) =>
    [svg.viewBox.baseVal.width, svg.querySelector("path").getAttribute("d")]).catch(() => null), "a code is drawn");
  const scale = 4, pixels = new Uint8ClampedArray(4 * (size * scale) ** 2).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)/g))
    for (let dy = 0; dy < scale; dy++)
      for (let dx = 0; dx < scale; dx++)
        pixels.fill(0, 4 * ((y * scale + dy) * size * scale + x * scale + dx),
                    4 * ((y * scale + dy) * size * scale + x * scale + dx) + 3);
  return require("jsqr")(pixels, size * scale, size * scale)?.data;
}

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds against the rules of accessibility in a page. */
export async function violations(tab, rules = {}) {
  await tab.evaluate((source) => { new Function(source)(); }, axe).catch(() => tab.evaluate(axe));
  const found = await tab.evaluate((given) => globalThis.axe.run(given), rules);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
