/**
 * board.mjs - a page with a board, what can be read from it, and the four ways to play on it.
 */
import { after } from "node:test";

import { openHouse, until } from "./harness.mjs";

export const house = await openHouse();
after(() => house.close());

// ---- pages and games ------------------------------------------------------------------------------

const head = `<!doctype html><html lang=en><title>plyd</title><link rel=icon href=data:,>
<meta name=viewport content="width=device-width"><meta name=color-scheme content="light dark">
<style>html { background: Canvas; color: CanvasText } body { margin: 8px; font: 16px sans-serif } plyd-board { width: 420px }</style>
<script type=module src=/board.js></script>
<script>
  const heard = [];
  for (const type of ["plyd-move", "plyd-moved", "plyd-refused", "plyd-state", "plyd-end", "plyd-connection", "plyd-select"])
    addEventListener(type, ({ detail }) => heard.push({ type, detail }));
</script>`;

let pages = 0;

/** A page with this in its body: its path. */
export function page(body, before = head) {
  const path = `/board-${++pages}.html`;
  house.page(path, `${before}<main><h1>Board</h1>${body}</main></html>`);
  return path;
}

export const create = (body) => house.call("POST", "/v1/games", body);
export const stateOf = (id) => house.call("GET", `/v1/games/${id}`);
export const tag = ({ id, token }, more = "") => `<plyd-board game="${id}" ${token ? `token="${token}"` : ""} ${more}></plyd-board>`;

/** A page with the board of a new game, when it has been drawn. */
export async function boardOf(open, body, { more = "", viewport } = {}) {
  const game = typeof body.id === "string" ? body : await create(body);
  const tab = await open(page(tag(game, more)), { viewport });
  await drawn(tab);
  return { tab, game };
}

export const drawn = (tab) => until(() => tab.evaluate(() =>
  document.querySelector("plyd-board")?.shadowRoot?.querySelector("[data-square]") != null), "a board is drawn");

export const board = (tab, read, ...args) => tab.evaluate(`(${read})(document.querySelector("plyd-board"), ...${JSON.stringify(args)})`);
export const plyOf = (tab) => board(tab, (b) => (b.game?.pending.length ? -1 : b.state.ply));
export const reaches = (tab, ply) => until(async () => await plyOf(tab) >= ply, `ply ${ply} is reached`);
export const status = (tab) => board(tab, (b) => b.shadowRoot.querySelector("[part~=status]").textContent);
export const spoken = (tab) => board(tab, (b) => b.shadowRoot.querySelector("[role=status]").textContent);
export const partsOf = (tab, square) => board(tab, (b, name) => b.shadowRoot.querySelector(`[data-square="${name}"]`).part.value, square);
export const withPart = (tab, part) => board(tab, (b, name) =>
  [...b.shadowRoot.querySelectorAll(`[data-square][part~=${name}]`)].map((cell) => cell.dataset.square).sort(), part);
export const heard = (tab, type) => tab.evaluate((name) => heard.filter((event) => event.type === name).length, type);

/** Where the middle of a square, of a man in a hand or of a choice is. */
export const middle = (tab, click) => board(tab, (b, name) => {
  const quoted = CSS.escape(name), root = b.shadowRoot;
  const element = root.querySelector(`[data-square="${quoted}"], [data-click="${quoted}"]`);
  element.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}, click);

const isOnBoard = (tab, click) => board(tab, (b, name) =>
  b.shadowRoot.querySelector(`[data-square="${CSS.escape(name)}"], [data-click="${CSS.escape(name)}"]`) !== null, click);

/** The button of a choice, by its place in the list. */
async function choose(tab, key, press) {
  const place = await until(() => board(tab, (b, wanted) => {
    const labels = b.catalogue.move.choices, buttons = [...b.shadowRoot.querySelectorAll("[part~=choice]")];
    const found = buttons.find((button) => button.textContent === labels[wanted] && button.checkVisibility());
    if (!found) return null;
    const { x, y, width, height } = found.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2, index: buttons.indexOf(found) };
  }, key), `the choice "${key}" is offered`);
  await press(place);
}

// ---- the four ways to play ------------------------------------------------------------------------

export async function byClicks(tab, clicks) {
  for (const click of clicks)
    if (await isOnBoard(tab, click)) {
      const { x, y } = await middle(tab, click);
      await tab.mouse.click(x, y);
    } else await choose(tab, click, ({ x, y }) => tab.mouse.click(x, y));
}

export async function byDrags(tab, clicks) {
  const squares = [];
  for (const click of clicks) if (await isOnBoard(tab, click)) squares.push(click);
  if (squares.length === 1) return byClicks(tab, clicks);
  for (let i = 1; i < squares.length; i++) await drag(tab, await middle(tab, squares[i - 1]), await middle(tab, squares[i]));
  for (const click of clicks) if (!squares.includes(click)) await choose(tab, click, ({ x, y }) => tab.mouse.click(x, y));
}

export async function drag(tab, from, to) {
  await tab.mouse.move(from.x, from.y);
  await tab.mouse.down();
  await tab.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
  await tab.mouse.move(to.x, to.y);
  await tab.mouse.up();
}

async function byTouch(tab, clicks) {
  for (const click of clicks)
    if (await isOnBoard(tab, click)) {
      const { x, y } = await middle(tab, click);
      await tab.touchscreen.tap(x, y);
    } else await choose(tab, click, ({ x, y }) => tab.touchscreen.tap(x, y));
}

export const focused = (tab) => board(tab, (b) => {
  const { dataset, part } = b.shadowRoot.activeElement ?? { dataset: {} };
  return { square: dataset.square, click: dataset.click, part: part?.value ?? "" };
});

const isFocused = (tab, which) => board(tab, (b, selector) => b.shadowRoot.activeElement?.matches(selector) ?? false, which);

/** Whether the way there is back from what has the focus. */
const isBefore = (tab, which) => board(tab, (b, selector) => (b.shadowRoot.activeElement
  ?.compareDocumentPosition(b.shadowRoot.querySelector(selector)) & Node.DOCUMENT_POSITION_PRECEDING) > 0, which);

/** The arrow that leads nearer to a square: first to its row, as up and down may change the column; null at the square. */
const arrowTo = (tab, square) => board(tab, (b, to) => {
  const cells = [...b.shadowRoot.querySelectorAll("[role=row]")].map((row) => [...row.children].map((cell) => cell.dataset.square));
  const find = (name) => { const y = cells.findIndex((row) => row.includes(name)); return [cells[y].indexOf(name), y]; };
  const [x, y] = find(b.shadowRoot.activeElement.dataset.square), [toX, toY] = find(to);
  if (y !== toY) return toY > y ? "ArrowDown" : "ArrowUp";
  return x === toX ? null : toX > x ? "ArrowRight" : "ArrowLeft";
}, square);

export async function byKeys(tab, clicks) {
  for (const click of clicks) {
    if (!await isOnBoard(tab, click)) {
      await choose(tab, click, async ({ index }) => {
        for (let i = 0; i < index; i++) await tab.keyboard.press("ArrowRight");
      });
      await tab.keyboard.press("Enter");
      continue;
    }
    const isSquare = await board(tab, (b, name) => b.shadowRoot.querySelector(`[data-square="${name}"]`) !== null, click);
    while (!await isFocused(tab, isSquare ? "[data-square]" : `[data-click="${click}"]`)) {
      const back = await isBefore(tab, isSquare ? "[data-square]" : `[data-click="${click}"]`);
      if (back) await tab.keyboard.down("Shift");
      await tab.keyboard.press("Tab");
      if (back) await tab.keyboard.up("Shift");
    }
    for (let key; isSquare && (key = await arrowTo(tab, click)) !== null;) await tab.keyboard.press(key);
    await tab.keyboard.press("Enter");
  }
}

export const inputs = { clicks: byClicks, drags: byDrags, keys: byKeys, touch: byTouch };
