/**
 * board.js - <plyd-board>: a game of plyd on any page. docs/board.md describes its attributes, events
 * and parts.
 *
 * Nothing here knows a game. The squares and men come from the `board` of a state, what may be clicked
 * from its `legal_tree`, motion from the effects of moves, names from the catalogue, and the pictures
 * from men.svg. In this file a click is the name of a square, or the `click` of a man in a hand.
 */
import { Plyd, PlydError } from "./plyd.js";

/**
 * @typedef {import("./plyd.js").Board} Board
 * @typedef {import("./plyd.js").Clicks} Clicks
 * @typedef {import("./plyd.js").Effect} Effect
 * @typedef {import("./plyd.js").GameState} GameState
 * @typedef {import("./plyd.js").Man} Man
 * @typedef {import("./plyd.js").Move} Move
 * @typedef {import("./plyd.js").Variant} Variant
 */

const HERE = new URL(import.meta.url).origin;
const SVG = "http://www.w3.org/2000/svg";
const DRAG_PX = 4;              // a press that moves less is a tap
const STEP_MS = 200;            // a man's way from one square to the next
const FADE_MS = 120;
const TAP_MS = 700;             // a click so soon after a tap belongs to it
const BELOW = 3;                // men seen beside the one on top
const TONES = { move: [260], take: [190], check: [520, 390], end: [390, 330, 260], low: [880, 880] }; // in hertz
const INCLUDE = "board,legal_tree";

/** Texts by language, for `lang`. More languages can be added: PlydBoard.words.de = {...}. */
const words = {
  en: {
    // for screen readers: the parts of the board
    board: "{title}, board", hand: "In hand: {side}", hand_man: "{name}, {count}", choose: "Choose",
    help: "Arrow keys move over the board. Enter picks up and puts down, Escape cancels. " +
      "M goes to the next square that can be chosen, L repeats the last move.",
    // a square: what is on it, and its marks
    empty: "empty", man: "{name}, {side}", pile: "{men}, {side}", upon: "{name} on {below}", many: "{count} {name}s",
    selected: "selected", target: "can be chosen", last: "last move", check: "in check",
    win: "winning line", taken: "taken here", refused: "refused", must: "must take",
    // picking
    picked: "{what}: {count} to choose from", stuck: "{what} cannot move now", cancelled: "Cancelled",
    confirm: "Play", cancel: "Cancel", wait: "It is not your turn",
    past: "You are looking back: nothing can be played here",
    // moves, put together from their effects
    number: "Move {ply}, {side}: {what}.", move: "{name} {from} to {to}", on: "to {to}",
    takes: "takes {name} {square}", drop: "{name} dropped on {square}", place: "{name} on {square}",
    promote: "becomes {name}", stack: "{count} high", in_check: "Check.",
    // how the game stands
    yours: "Your turn", turn: "{side} to move", thinking: "{side} is thinking", checked: "{who}, in check", open: "Waiting for an opponent",
    won: "{side} won", draw: "Draw", over: "{result}: {reason}", aborted: "The game was called off",
    behind: "After move {ply} of {tip}", start: "Start, {tip} moves", sending: "Sending",
    offline: "No connection. Moves are kept and sent later.",
    // hints
    hint: "hint", seeking: "Looking for a move", hinted: "Hint: {what}", claim: "claim the win", no_hint: "There is no hint now",
    // the bar
    first: "First move", prev: "Move before", next: "Next move", latest: "Latest move", ask: "Show a hint", flip: "Turn the board",
  },
};

const css = `
:host {
  display: block; position: relative; box-sizing: border-box; container-type: inline-size;
  inline-size: 100%; min-inline-size: 10rem; contain-intrinsic-inline-size: 24rem;
  font: 400 1rem/1.35 system-ui, sans-serif; -webkit-tap-highlight-color: transparent;
}
:host([hidden]) { display: none; }
:host([theme=light]) { color-scheme: light; }
:host([theme=dark]) { color-scheme: dark; }
.frame, .frame * { box-sizing: border-box; }
.frame {
  --gutter: clamp(.8rem, 4.4cqi, 1.5rem);
  --cell: calc((100cqi - var(--gutter) - 2px) / var(--w));
  --kept: min(var(--cell), 4rem);
  --rim: max(2px, calc(var(--cell) * .06));
  --last-: var(--plyd-last, light-dark(#e8a70a80, #ffb300a6));
  --rim-: light-dark(var(--last-), #472700); /* on the dark boards light colours are not seen */
  --pick-: var(--plyd-selected, light-dark(#1d7f4e99, #35c07c88));
  --aim-: var(--plyd-target, light-dark(#14683fcc, #58dd9bcc));
  --bad-: var(--plyd-refused, light-dark(#c4221f, #ff6b61));
  --hint-: var(--plyd-hint, light-dark(#0b57d0cc, #8ab8ffcc));
  --check-: var(--plyd-check, light-dark(#dd1c14cc, #ff5147cc));
  --line-: var(--plyd-line, color-mix(in srgb, var(--ground) 55%, light-dark(#33220c, #8f959d)));
  --focus-: var(--plyd-focus, light-dark(#0b57d0, #8ab8ff));
  --paper-: var(--plyd-paper, light-dark(#fff, #24282e));
  --ink-: var(--plyd-ink, light-dark(#20242a, #e9ebee));
  --ground: var(--plyd-square, var(--square, light-dark(#f0d9b5, #7d7a75)));
  display: grid; grid-template-columns: minmax(0, 1fr); gap: .4rem; direction: ltr;
  user-select: none; -webkit-user-select: none;
}
[hidden] { display: none !important; }
.field { display: grid; grid-template: auto 1fr auto / auto 1fr auto; }
.board {
  position: relative; grid-area: 2 / 2; aspect-ratio: var(--w) / var(--h);
  border: 1px solid var(--line-); background: var(--ground);
}
.files, .ranks {
  display: flex; opacity: .8; text-align: center;
  font-size: clamp(.55rem, calc(var(--cell) * .3), .8rem); line-height: 1;
}
.files { grid-area: 3 / 2; block-size: var(--gutter); align-items: center; }
.ranks { grid-area: 2 / 1; inline-size: var(--gutter); flex-direction: column; }
.files > *, .ranks > * { flex: 1; }
.ranks > * { display: grid; place-items: center; }
.opposite .files { grid-area: 1 / 2; }
.opposite .ranks { grid-area: 2 / 3; }
:host([coords=none]) .frame { --gutter: 0px; }
:host([coords=none]) :is(.files, .ranks) { display: none; }
.grid, .row { display: grid; }
.grid { position: absolute; inset: 0; grid-template-rows: repeat(var(--h), minmax(0, 1fr)); }
.row { grid-template-columns: repeat(var(--w), minmax(0, 1fr)); }
.square {
  position: relative; background: var(--ground); border: 0 solid var(--line-); border-width: 0 1px 1px 0;
  touch-action: manipulation; outline: none;
}
.square:last-child { border-inline-end-width: 0; }
.row:last-child .square { border-block-end-width: 0; }
[part~=other] { background: var(--plyd-square-other, var(--other, var(--ground))); }
.square.zoned { background: none; }
[part~=movable], [part~=target] { cursor: pointer; }
[part~=movable] { touch-action: pinch-zoom; }
.square::before, .square::after { content: ""; position: absolute; inset: 0; pointer-events: none; }
[part~=last]::before {
  background: var(--last-); box-shadow: inset 0 0 0 max(1.5px, calc(var(--cell) * .04)) var(--rim-);
}
[part~=win]::before {
  background: color-mix(in srgb, var(--aim-) 38%, transparent); box-shadow: inset 0 0 0 var(--rim) var(--aim-);
}
[part~=selected]::before { background: var(--pick-); box-shadow: inset 0 0 0 var(--rim) var(--aim-); }
[part~=check]::before {
  background: radial-gradient(var(--check-) 35%, transparent 100%); box-shadow: inset 0 0 0 var(--rim) var(--check-);
}
[part~=target]::after { inset: 36%; border-radius: 50%; background: var(--aim-); }
[part~=target][part~=occupied]::after {
  inset: 0; border-radius: 0; --corner: var(--aim-) 0 16%, transparent 16.5%;
  background: linear-gradient(45deg, var(--corner)), linear-gradient(135deg, var(--corner)),
    linear-gradient(225deg, var(--corner)), linear-gradient(315deg, var(--corner));
}
[part~=target][part~=over]::after {
  inset: 0; border-radius: 0; background: none; border: max(3px, calc(var(--cell) * .07)) solid var(--aim-);
}
.touch [part~=over] { z-index: 1; }
.touch [part~=target][part~=over]::after { inset: -45%; border-radius: 50%; }
[part~=hint]::before { box-shadow: inset 0 0 0 var(--rim) var(--hint-); }
.kept[part~=hint] { outline: var(--rim) solid var(--hint-); }
[part~=pending]::before { border: 2px dotted var(--aim-); }
[part~=must]::before { box-shadow: inset 0 0 0 var(--rim) var(--hint-); }
[part~=refused]::after { inset: 0; border: var(--rim) dashed var(--bad-); border-radius: 0; background: none; }
[part~=taken]::after {
  --bar-: transparent 44%, var(--bad-) 44% 56%, transparent 56%;
  inset: 34%; opacity: .75; background: linear-gradient(45deg, var(--bar-)), linear-gradient(-45deg, var(--bar-));
}
.square:focus-visible {
  z-index: 1; box-shadow: inset 0 0 0 3px var(--focus-), inset 0 0 0 5px light-dark(#fff, #000);
}
.over, .ground, .men { position: absolute; inset: 0; pointer-events: none; }
.ground, .over { inline-size: 100%; block-size: 100%; overflow: hidden; }
.way { fill: none; stroke: var(--plyd-path, light-dark(#7a3e00b0, #ffd27ab0)); stroke-width: .09;
  stroke-linejoin: round; stroke-linecap: round; }
.arrow { fill: none; stroke: var(--hint-); stroke-width: .12; stroke-linejoin: round; stroke-linecap: round; }
.man { position: absolute; inset-block-start: 0; inset-inline-start: 0;
  inline-size: calc(100% / var(--w)); block-size: calc(100% / var(--h)); pointer-events: none; }
.man > svg, .kept > svg { display: block; inline-size: 100%; block-size: 100%; overflow: visible; }
.turned > svg { rotate: 180deg; }
.gone { visibility: hidden; }
.held { z-index: 3; filter: drop-shadow(0 .15em .25em #0007); }
.touch .held > * { scale: 1.8; translate: 0 -40%; }
.frame.dragging, .dragging * { cursor: grabbing !important; }
.sent { animation: wait 1s .4s infinite alternate; }
@keyframes wait { to { opacity: .45; } }
.count {
  position: absolute; inset-block-start: 0; inset-inline-end: 0; min-inline-size: 1.4em; padding: 0 .25em;
  border-radius: .5em; color: var(--ink-); background: var(--paper-); box-shadow: 0 0 0 1px var(--line-);
  font: 600 min(1rem, calc(var(--cell) * .24))/1.2 system-ui, sans-serif; text-align: center;
}
.hand {
  display: flex; flex-wrap: wrap; gap: 2px; padding: 2px; min-block-size: calc(var(--kept) + 4px);
  margin-inline-start: var(--gutter); border-radius: .3rem;
  background: color-mix(in srgb, var(--ground) 60%, transparent);
}
.opposite .hand { margin-inline: 0 var(--gutter); }
.hand:first-child { flex-direction: row-reverse; }
.hand:empty { min-block-size: .4rem; }
/* Beside the board, a hand is a column of men that are .57 of a square high, so that seven of them have room in half of it. */
.frame.beside {
  --cell: calc((100cqi - var(--gutter) - 2px - 4px - .4rem) / (var(--w) + .57 * 1.18));
  --kept: calc(var(--cell) * .57);
  grid-template: 1fr auto / minmax(0, 1fr) auto; column-gap: .4rem;
}
.beside .field { grid-area: 1 / 1 / 3 / 2; }
.beside .hand {
  flex-flow: column nowrap; align-self: end; box-sizing: border-box; margin: 0;
  inline-size: calc(var(--kept) * 1.18 + 4px); min-inline-size: 28px;
}
.beside .hand:first-child { flex-direction: column-reverse; align-self: start; }
.beside :is(.status, .pile, .bar) { grid-column: 1 / -1; }
.kept {
  position: relative; inline-size: calc(var(--kept) * 1.18); block-size: var(--kept);
  min-inline-size: 24px; min-block-size: 24px; padding: 0 calc(var(--kept) * .18) 0 0;
  border: 0; border-radius: .25rem; background: none; color: inherit; font: inherit;
}
.kept[part~=movable] { touch-action: pinch-zoom; cursor: grab; }
.kept[part~=selected] { background: var(--pick-); }
.kept:focus-visible, .button:focus-visible { outline: 3px solid var(--focus-); outline-offset: 1px; }
.kept .count { inset-block: auto 0; font-size: max(.55rem, min(.9rem, calc(var(--kept) * .3))); }
.choices {
  position: absolute; z-index: 4; display: flex; flex-wrap: wrap; gap: .3rem; padding: .35rem;
  inline-size: max-content; max-inline-size: 100%; border-radius: .6rem;
  background: var(--paper-); box-shadow: 0 .2rem 1rem #0006, 0 0 0 1px #0003;
}
.button {
  min-block-size: 2.4rem; min-inline-size: 2.4rem; padding: .3rem .8rem;
  border: 1px solid color-mix(in srgb, var(--ink-) 45%, transparent); border-radius: .4rem;
  background: var(--paper-); color: var(--ink-); font: inherit; cursor: pointer;
}
.button:hover { background: color-mix(in srgb, var(--ink-) 10%, var(--paper-)); }
.button::first-letter, .button .label::first-letter { text-transform: uppercase; }
.button .row-of-men { margin-inline: -.3em .4em; }
.label { display: inline-block; }
.status {
  min-block-size: 2.7em; margin-inline-start: var(--gutter); font-size: .9rem;
  user-select: text; -webkit-user-select: text;
}
.status[part~=refused] { color: var(--bad-); }
.pile {
  display: flex; align-items: center; gap: .5em; block-size: 2em; margin-inline-start: var(--gutter);
  font-size: .9rem; white-space: nowrap;
}
.pile > :last-child { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; }
.row-of-men { display: inline-flex; min-inline-size: 0; vertical-align: middle; border-radius: .3em; background: var(--ground); }
.row-of-men > * { position: relative; flex: 0 1 1.75em; min-inline-size: 0; block-size: 1.75em; }
.row-of-men > svg { inline-size: 1.75em; }
.row-of-men .token { inset: auto; border-radius: .4em; font-size: 1em; }
.bar { display: flex; gap: .3rem; margin-inline-start: var(--gutter); }
.opposite :is(.status, .pile, .bar) { margin-inline: 0 var(--gutter); }
.bar .button { flex: 1; min-inline-size: 0; padding: 0; font-size: 1.3rem; line-height: 1; }
.button[aria-disabled] { opacity: .45; cursor: default; }
.choices .button { flex: 1 0 auto; }
.choices .button:first-child { font-weight: 600; border-color: currentColor; }
.live {
  position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.probe { position: absolute; visibility: hidden; color: light-dark(#000, #fff); transition: color 1ms; }
.defs { position: absolute; inline-size: 0; block-size: 0; }
.token {
  position: absolute; inset: 9%; display: grid; place-items: center; border-radius: 50%;
  border: max(1px, calc(var(--cell) * .04)) solid #222; background: #fff; color: #222;
  font-size: calc(var(--cell) * .42); line-height: 1; font-style: normal; font-weight: 600;
}
.token.long { font-size: calc(var(--cell) * .28); }
.facing .token { border-radius: 50% 50% 12% 12%; }
.turned > .token { rotate: 180deg; }
@container (max-width: 17rem) {
  .frame { --gutter: 0px; }
  .files, .ranks { display: none; }
  .status { font-size: .8rem; }
}
@media (forced-colors: active) {
  .board, .kept { forced-color-adjust: none; }
  .frame {
    --last-: color-mix(in srgb, Highlight 45%, transparent); --pick-: color-mix(in srgb, Highlight 60%, transparent);
    --aim-: Highlight; --focus-: Highlight; --line-: #777;
  }
}
@media print {
  .frame { --ground: #fff; --other: #ddd !important; --line-: #000; --last-: #0003; }
  .square, .board { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .men, .ground, .kept { filter: grayscale(1); }
  .bar, .choices, .pile { display: none; }
}
@media (prefers-reduced-motion: reduce) { .sent { animation: none; opacity: .6; } }
`;

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

// ---- small things -----------------------------------------------------------------------------------

/** An element with attributes and children. */
function el(tag, attributes = {}, ...children) {
  const element = tag === "svg" || tag === "use" || tag === "polyline"
    ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value != null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const still = () => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
const keyOf = (men) => men.map((man) => `${man.seat}${man.name}`).join();

/** Sets an attribute only if it changes, so that an update that changes nothing costs nothing. */
function set(element, name, value) {
  if (value == null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** Puts children in order. What is there already is not touched, so that it keeps its focus. */
function arrange(parent, children) {
  for (const old of [...parent.children]) if (!children.includes(old)) old.remove();
  children.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null);
  });
}

// ---- pictures ---------------------------------------------------------------------------------------

const pictures = new Map();

/**
 * The symbols of a game's men and squares, by id; null without an answer. `set` is one of the catalogue's, or none.
 * @returns {Promise<Map<string, SVGSymbolElement> | null>}
 */
function symbolsOf(server, variant, theme, set) {
  const url = `${server}/v1/variants/${encodeURIComponent(variant)}/men.svg?theme=${theme}${set ? `&men=${set}` : ""}`;
  if (!pictures.has(url)) {
    pictures.set(url, loadSymbols(url).catch(() => {
      pictures.delete(url);
      return null;
    }));
  }
  return pictures.get(url);
}

/** Read as a document by the browser, since a page may forbid that texts become markup (Trusted Types). */
function loadSymbols(url) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.responseType = "document";
    request.overrideMimeType("image/svg+xml");
    request.onerror = failed;
    request.onload = () => {
      const picture = request.status === 200 ? request.response : null;
      done(new Map([...picture?.querySelectorAll("symbol") ?? []].map((symbol) => [symbol.id, symbol])));
    };
    request.send();
  });
}

// ---- what is picked ---------------------------------------------------------------------------------

/** The way through a tree of clicks. It knows no squares: whoever asks says which keys can be clicked. */
class Picker {
  /** @type {Clicks} */
  #tree = {};
  /** @type {string[]} */
  path = [];
  /** Whether the game takes single clicks: there is nothing to pick up. */
  isSingle = false;

  get tree() { return this.#tree; }
  set tree(tree) {
    const nodes = Object.values(tree);
    this.#tree = tree;
    this.isSingle = nodes.length > 0 && nodes.every((node) => typeof node === "string");
  }

  at(path) {
    return path.reduce((node, click) => (typeof node === "object" ? node[click] : undefined), this.#tree);
  }

  /** What the path has led to: more clicks, the text of a move, or nothing. */
  get node() { return this.at(this.path); }

  /** What can be clicked next. */
  get next() { return typeof this.node === "object" ? Object.keys(this.node) : []; }

  /**
   * The rest of each way on from here, by the click that it ends with, if no other way ends there: that click is
   * enough. Keys for which `isClick` is false end no way.
   * @returns {Map<string, string[]>}
   */
  shortcuts(isClick) {
    const ways = new Map(), twice = new Set();
    const walk = (node, way) => {
      if (typeof node === "object") return Object.entries(node).forEach(([key, next]) => walk(next, [...way, key]));
      const end = way.findLast(isClick);
      if (ways.has(end)) twice.add(end);
      return ways.set(end, way);
    };
    if (typeof this.node === "object" && this.path.length > 0) walk(this.node, []);
    for (const click of [undefined, ...twice, ...this.next]) ways.delete(click);
    return ways;
  }
}

// ---- what is drawn ----------------------------------------------------------------------------------

/**
 * The squares, which stay for as long as the board has its size, and the men above them, which move.
 * `piles` has the element of the men on each square that has any.
 */
class Surface {
  piles = new Map();
  cells = new Map();
  ghost = null;
  symbols = new Map();

  constructor() {
    this.far = el("div", { class: "hand", role: "group" });
    this.near = el("div", { class: "hand", role: "group" });
    this.files = el("div", { class: "files", part: "coords files", "aria-hidden": "true" });
    this.ranks = el("div", { class: "ranks", part: "coords ranks", "aria-hidden": "true" });
    this.ground = el("svg", { class: "ground", part: "ground", "aria-hidden": "true" });
    this.grid = el("div", { class: "grid", role: "grid", "aria-describedby": "help" });
    this.over = el("svg", { class: "over", part: "way", "aria-hidden": "true" });
    this.men = el("div", { class: "men", "aria-hidden": "true" });
    this.choices = el("div", { class: "choices", part: "choices", role: "group", hidden: "" });
    this.board = el("div", { class: "board", part: "board" },
                    this.ground, this.grid, this.over, this.men, this.choices);
    this.field = el("div", { class: "field" }, this.files, this.ranks, this.board);
    this.defs = el("svg", { class: "defs", "aria-hidden": "true" });
  }

  /**
   * Makes the squares anew if the board has another size, and names them as they are seen.
   * @param {Board} board
   * @param {boolean} flipped whether seat 2 is at the bottom
   * @param {{files: string[], ranks: string[]} | null} written the labels by which squares are named for people
   */
  lay(board, flipped, written) {
    const { width, height } = board;
    if (this.width !== width || this.height !== height) {
      const times = (length, make) => Array.from({ length }, make);
      const square = () => el("div", { class: "square", role: "gridcell", tabindex: "-1" });
      this.grid.replaceChildren(...times(height, () => el("div", { class: "row", role: "row" }, ...times(width, square))));
      this.men.replaceChildren();
      this.piles.clear();
      this.ghost = null;
      for (const svg of [this.ground, this.over]) set(svg, "viewBox", `0 0 ${width} ${height}`);
    }
    Object.assign(this, { width, height, flipped });
    this.rows = flipped ? board.rows.toReversed().map((row) => row.toReversed()) : board.rows;
    this.cells = new Map();
    const [files, ranks] = [(written ?? board).files, (written ?? board).ranks].map((list) => (flipped ? list.toReversed() : list));
    this.rows.forEach((row, y) => row.forEach((square, x) => {
      const cell = this.grid.children[y].children[x];
      set(cell, "data-square", square.square);
      this.cells.set(square.square, { cell, x, y, square, label: written ? files[x] + ranks[y] : square.square });
    }));
    for (const [list, labels] of [[this.files, files], [this.ranks, ranks]])
      if (list.dataset.labels !== labels.join()) {
        list.dataset.labels = labels.join();
        list.replaceChildren(...labels.map((label) => el("span", {}, label)));
      }
  }

  /** Takes other pictures: all that was drawn of the old ones is drawn anew. */
  wear(symbols, style) {
    const colour = (id) => symbols.get(id)?.querySelector("[fill]")?.getAttribute("fill") ?? "";
    style.setProperty("--square", colour("square"));
    style.setProperty("--other", colour("square-other"));
    this.symbols = symbols;
    this.chequered = symbols.has("square-other");
    this.defs.replaceChildren(...[...symbols.values()].map((symbol) => document.importNode(symbol, true)));
    for (const pile of this.men.children) this.draw(pile, pile.men);
  }

  /** Draws what zones have upon their squares. */
  pave() {
    this.ground.replaceChildren(...[...this.cells.values()].flatMap(({ x, y, square }) => {
      const zone = this.zoneOf(square);
      return zone ? [el("use", { href: `#zone-${zone}`, x, y, width: 1, height: 1 })] : [];
    }));
  }

  /** The zone that can be seen on a square. */
  zoneOf(square) { return square.zones?.find((zone) => this.symbols.has(`zone-${zone}`)); }

  /** Whether it is one of the other squares of a chequered board. */
  isOther({ x, y }) { return this.chequered && (x + y + (this.flipped ? this.width : this.height)) % 2 === 1; }

  placeOf(square) {
    const { x, y } = this.cells.get(square);
    return `translate(${x * 100}%, ${y * 100}%)`;
  }

  squareAt(clientX, clientY) {
    const box = this.grid.getBoundingClientRect();
    const x = Math.floor((clientX - box.left) / box.width * this.width);
    const y = Math.floor((clientY - box.top) / box.height * this.height);
    return this.rows[y]?.[x]?.square ?? null;
  }

  // -- men --

  /**
   * A picture of men one upon the other; text where there is no picture.
   * @param {Man[]} men from the bottom to the top
   */
  picture(men) {
    const top = men.at(-1);
    if (!this.symbols.has(`man-${top.seat}-${top.name}`)) return this.token(top);
    const use = (id, transform) => el("use", { href: `#${id}`, x: -50, y: -50, width: 100, height: 100, transform });
    const below = men.slice(0, -1).slice(-BELOW), layers = this.symbols.has(`layer-${top.seat}`) ? below : [];
    return el("svg", { viewBox: "-50 -50 100 100" },
      ...layers.map((man, i) => use(`layer-${man.seat}`, `translate(-14 ${44 - 6 * i}) scale(.86)`)),
      ...below.map((man, i) => use(`man-${man.seat}-${man.name}`, `translate(33 ${30 - 24 * i}) scale(.4)`)).reverse(),
      use(`man-${top.seat}-${top.name}`, below.length > 0 ? `translate(-14 ${16 - 6 * layers.length}) scale(.74)` : null));
  }

  /** Small pictures of men, the uppermost first. */
  rowOf(men) {
    const row = el("span", { class: "row-of-men", "aria-hidden": "true" });
    row.append(...men.toReversed().map((man) => this.picture([man])));
    return row;
  }

  token({ seat, symbol }) {
    const token = el("i", { class: symbol.length > 1 ? "token long" : "token", part: `token seat-${seat}` }, symbol);
    const colour = this.colours?.[seat];
    if (!colour) return token;
    token.style.backgroundColor = colour;
    token.style.color = token.style.borderColor = colour === "white" ? "#222" : "#fff";
    return token;
  }

  draw(pile, men) {
    const top = men.at(-1);
    pile.men = men;
    pile.classList.add("man");
    pile.classList.toggle("turned", this.turns(top.seat));
    pile.setAttribute("part", `man seat-${top.seat} ${top.name}`);
    const count = men.length > 1 ? [el("span", { class: "count", part: "count" }, men.length)] : [];
    pile.replaceChildren(this.picture(men), ...count);
  }

  turns(seat) { return !!this.facing && (seat === 2) !== this.flipped; }

  pile(men, square) {
    const pile = el("div");
    this.draw(pile, men);
    this.men.append(pile);
    pile.style.transform = this.placeOf(square);
    return pile;
  }

  // -- a man on its way that is not played yet --

  /** Takes the uppermost man from a square, or one from a hand. */
  lift(click, man) {
    this.dropGhost();
    const pile = this.piles.get(click), kept = this.keptOf(click);
    const ghost = el("div");
    this.draw(ghost, [man]);
    this.men.append(ghost);
    ghost.style.transform = kept ? this.offsetOf(kept) : this.placeOf(click);
    this.ghost = { ghost, click, home: ghost.style.transform };
    if (pile) {
      if (pile.men.length === 1) pile.classList.add("gone");
      else this.thin(pile, pile.men.slice(0, -1));
    }
    return ghost;
  }

  thin(pile, men) {
    const all = pile.men;
    this.draw(pile, men);
    pile.men = all;
  }

  get kept() { return [...this.near.children, ...this.far.children]; }

  keptOf(click) { return this.kept.find(({ dataset }) => dataset.click === click); }

  /** A point of the window as a place, measured in squares from the corner of the board. */
  #placeAt(clientX, clientY, shift = 0) {
    const { left, top, width, height } = this.grid.getBoundingClientRect();
    const x = (clientX - left) / width * this.width + shift, y = (clientY - top) / height * this.height + shift;
    return `translate(${x * 100}%, ${y * 100}%)`;
  }

  /** Where something beside the board lies. */
  offsetOf(element) {
    const { left, top } = element.getBoundingClientRect();
    return this.#placeAt(left, top);
  }

  /** The ghost under a pointer. */
  carry(clientX, clientY) { this.ghost.ghost.style.transform = this.#placeAt(clientX, clientY, -0.5); }

  send(square) {
    if (!this.ghost) return;
    const { ghost } = this.ghost;
    ghost.classList.remove("held");
    this.glide(ghost, [ghost.style.transform, this.placeOf(square)]);
    this.ghost.square = square;
  }

  /** Puts the ghost back, in motion if it is to be seen. */
  dropGhost(back = false) {
    if (!this.ghost) return;
    const { ghost, click, home } = this.ghost;
    const pile = this.piles.get(click);
    this.ghost = null;
    ghost.classList.remove("held", "sent");
    const rest = () => {
      ghost.remove();
      if (!pile?.isConnected || this.ghost?.click === click) return;
      pile.classList.remove("gone");
      this.draw(pile, pile.men);
    };
    const motion = back ? this.glide(ghost, [ghost.style.transform, home]) : null;
    if (motion) motion.onfinish = rest;
    else rest();
  }

  // -- motion --

  /** Moves an element over places; its last place is its own from now on. */
  glide(element, places, delay = 0, step = STEP_MS) {
    element.style.transform = places.at(-1);
    const ways = places.filter((place, i) => place !== places[i - 1]);
    if (ways.length < 2 || still() || !this.moving) return null;
    element.style.zIndex = 2;
    const motion = element.animate(ways.map((transform) => ({ transform, easing: "ease-in-out" })),
                                   { duration: step * (ways.length - 1), delay, fill: "backwards" });
    motion.finished.catch(() => {}).then(() => { element.style.zIndex = ""; });
    return motion;
  }

  settle() {
    for (const motion of this.men.getAnimations({ subtree: true }))
      if (!(motion instanceof CSSAnimation)) motion.finish();
    for (const pile of [...this.men.children]) {
      if (pile.dying) pile.remove();
      else if (pile.later) { this.draw(pile, pile.later); pile.later = null; }
    }
  }

  /**
   * Brings the men to where they are now. The effects of the moves since then say how they came there;
   * without effects they are there at once. A man that is held stays so if `held`.
   * @param {Effect[]} effects
   */
  update(effects, animated, held) {
    this.settle();
    this.moving = animated;
    const wanted = new Map();
    for (const [name, { square }] of this.cells) if (square.men) wanted.set(name, square.men);
    const sent = !held && (effects.length > 0 || this.#isThere(wanted)) ? this.ghost : null;
    if (sent) this.ghost = null;
    else if (!held) this.dropGhost(true);
    else if (this.ghost?.square) this.ghost.ghost.style.transform = this.placeOf(this.ghost.square);
    const ways = new Map(), taken = [];
    let time = 0;
    for (const effect of effects) {
      const at = effect.square ?? effect.to;
      if (effect.type === "capture") taken.push(at);
      if (effect.type === "move") {
        time = this.#go(effect, ways, time, sent);
        for (const square of taken.splice(0)) if (square !== at) this.#take(square, time);
      }
      if (["drop", "place"].includes(effect.type)) time = this.#arrive(effect, wanted, ways, time, sent);
    }
    for (const square of taken) this.#take(square, time);
    for (const [pile, { places, delay }] of ways) this.#start(pile, places, delay);
    sent?.ghost.remove();
    this.#reconcile(wanted);
  }

  /** Whether the men are now as the ghost has foretold. */
  #isThere(wanted) {
    const man = wanted.get(this.ghost?.square)?.at(-1);
    return man !== undefined && keyOf([man]) === keyOf(this.ghost.ghost.men);
  }

  #start(pile, places, delay) {
    const motion = this.glide(pile, places, delay);
    pile.moving = motion !== null;
    if (motion) motion.onfinish = () => {
      if (pile.later) this.draw(pile, pile.later);
      pile.later = null;
    };
  }

  #go({ from, to, count = 1 }, ways, time, ghost) {
    let pile = this.piles.get(from);
    if (!pile) return time;
    const all = pile.men;
    if (count < all.length) { // some stay
      const rest = all.slice(0, -count);
      this.draw(pile, rest);
      pile = this.pile(all.slice(-count), from);
    } else {
      this.piles.delete(from);
      pile.classList.remove("gone");
    }
    this.#take(to, time + STEP_MS);
    this.piles.set(to, pile);
    let way = ways.get(pile);
    if (!way) ways.set(pile, way = { places: [pile.style.transform], delay: time, home: from });
    if (ghost?.click !== way.home) {
      way.places.push(this.placeOf(to));
      return time + STEP_MS;
    }
    const here = ghost.ghost.style.transform; // it was carried, so it comes from there
    way.places = [here, this.placeOf(to)];
    return ghost.square ? time : time + STEP_MS; // once it was sent, it is there
  }

  #take(square, time) {
    const pile = this.piles.get(square);
    if (!pile) return;
    this.piles.delete(square);
    if (still() || !this.moving || time === 0) return void pile.remove();
    pile.dying = true;
    const timing = { duration: FADE_MS, delay: Math.max(0, time - FADE_MS), fill: "both" };
    pile.animate([{ opacity: 1 }, { opacity: 0 }], timing).onfinish = () => pile.remove();
  }

  #arrive(effect, wanted, ways, time, ghost) {
    const at = effect.square ?? effect.to, men = wanted.get(at);
    if (!men) return time;
    this.#take(at, time);
    const pile = this.pile(men, at);
    this.piles.set(at, pile);
    if (effect.type === "place") {
      const timing = { duration: FADE_MS, delay: time, fill: "backwards" };
      if (!still() && this.moving) pile.animate([{ opacity: 0, scale: 1.3 }, { opacity: 1, scale: 1 }], timing);
      return time;
    }
    const isIt = ({ dataset: { seat, piece } }) => seat === String(effect.seat) && piece === effect.piece;
    const kept = this.kept.find(isIt), here = this.placeOf(at);
    const from = ghost ? ghost.ghost.style.transform : kept && this.offsetOf(kept);
    if (!from || from === here) return time;
    ways.set(pile, { places: [from, here], delay: time });
    return time + STEP_MS;
  }

  #reconcile(wanted) {
    for (const [square, pile] of this.piles) {
      const men = wanted.get(square), held = this.ghost?.click === square;
      if (!men) {
        pile.remove();
        this.piles.delete(square);
        continue;
      }
      if (!pile.moving) pile.style.transform = this.placeOf(square);
      const turned = pile.classList.contains("turned");
      const same = keyOf(men) === keyOf(pile.men) && turned === this.turns(men.at(-1).seat);
      if (pile.moving && !same) pile.later = men;
      else if (!same || (pile.classList.contains("gone") && !held)) this.draw(pile, men);
      if (!held) pile.classList.remove("gone");
      pile.moving = false;
    }
    for (const [square, men] of wanted)
      if (!this.piles.has(square)) this.piles.set(square, this.pile(men, square));
  }

  // -- lines over the board --

  /** Draws ways of more than one step, and a hint as an arrow. */
  trace(ways, hint) {
    const middle = (square) => {
      const { x, y } = this.cells.get(square);
      return [x + 0.5, y + 0.5];
    };
    const line = (name, points) => el("polyline", { class: name, points: points.map((point) => point.join()).join(" ") });
    this.over.replaceChildren(...ways.filter((way) => way.length > 2).map((way) => line("way", way.map(middle))),
                              ...(hint.length > 1 ? [line("arrow", arrow(hint.map(middle)))] : []));
  }
}

// ---- the element ------------------------------------------------------------------------------------

const clients = new Map();

/** One client for all boards of a server, so that they share what it has loaded, and its streams. */
function clientOf(server) {
  if (!clients.has(server)) clients.set(server, new Plyd({ server }));
  return clients.get(server);
}

const SOURCE = ["game", "server", "token", "variant", "position"];
const TEXTS = [...SOURCE.slice(1), "seat", "ply", "line", "theme", "men", "coords", "notation", "controls", "hands"];
const FLAGS = ["confirm", "sound", "vibrate"];
const RICH = ["game", "state", "catalogue", "plyd"];

export class PlydBoard extends HTMLElement {
  static observedAttributes = [...SOURCE, "seat", "ply", "line", "theme", "men", "notation", "controls", "hands", "lang"];
  static words = words;

  #surface = new Surface();
  #picker = new Picker();
  #plyd = null;
  #game = null;
  #given = null;       // a state that the page has set
  #state = null;       // the game as it is
  #behind = null;      // the position that is shown instead, if one looks back
  #catalogue = null;
  #isGiven = false;    // whether the page has set the catalogue
  #theme = null;
  #shown = null;       // what was drawn last: { ply, line, effects }
  #refusal = null;
  #hint = null;        // { clicks, text() } of the move that is shown; null: none was asked for
  #sending = false;
  #connection = null;
  #failure = null;
  #press = null;
  #handled = -Infinity; // when a press was handled: the click behind it is not another one
  #tapped = false;     // whether a finger was handled that is not off the screen yet
  #spoken = "";
  #turned = false;
  #round = 0;          // counts the sources, so that answers for an earlier one are dropped
  #due = new Set();
  #leave = () => {};
  #tone = null;

  #status = el("div", { class: "status", part: "status" });
  #pile = el("div", { class: "pile", part: "pile", "aria-hidden": "true", hidden: "" }); // the men of a stack, in full
  #bar = el("div", { class: "bar", part: "bar", role: "group", hidden: "" });
  #live = el("div", { class: "live", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  #help = el("div", { class: "live", id: "help" });
  #probe = el("div", { class: "probe" });
  #frame = el("div", { class: "frame", part: "frame", hidden: "" });
  #fallback = el("slot");

  constructor() {
    super();
    const { far, near, field, defs } = this.#surface;
    this.#frame.append(far, field, near, this.#status, this.#pile, this.#bar, this.#help, this.#probe);
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    root.append(this.#fallback, this.#frame, this.#live, defs);
    this.#listen();
  }

  connectedCallback() {
    for (const name of [...RICH, ...TEXTS, ...FLAGS]) { // set before this class was defined
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    const blur = () => this.#release(true);
    addEventListener("blur", blur);
    this.#leave = () => removeEventListener("blur", blur);
    this.#soon("source");
  }

  disconnectedCallback() {
    this.#release(true);
    this.#leave();
    this.#unwatch();
  }

  attributeChangedCallback(name, before, after) {
    if (before === after || !this.isConnected) return;
    if (name === "game" || (SOURCE.includes(name) && this.hasAttribute("game"))) this.#game = null;
    this.#soon(SOURCE.includes(name) ? "source" : ["ply", "line"].includes(name) ? "ply" : name);
  }

  /** Several changes in one go are one change. */
  #soon(what) {
    this.#due.add(what);
    if (this.#due.size > 1) return;
    queueMicrotask(() => {
      const due = this.#due;
      this.#due = new Set();
      if (!this.isConnected) return;
      if (due.has("source")) return void this.#open();
      if (due.has("theme") || due.has("men")) this.#paint();
      if (due.has("ply")) this.#look();
      this.#draw([]);
    });
  }

  // -- properties --

  /**
   * The client's Game; null without one. A Game or the id of one can be set.
   * @type {import("./plyd.js").Game | null}
   */
  get game() { return this.#game; }
  set game(game) {
    const id = typeof game === "string" ? game : null;
    set(this, "game", id);
    if (id !== null) return;
    this.#unwatch();
    this.#game = game;
    this.#soon("source");
  }

  /**
   * The state that is shown. A page that keeps the game itself sets it, and nothing is requested.
   * @type {GameState | null}
   */
  get state() { return this.#state; }
  set state(state) {
    this.#given = state;
    if (state && this.#state === null) this.#soon("source");
    else if (state) this.#take(state, state.moves ?? [], true).catch((error) => this.#fail(error));
  }

  /**
   * The entry of the catalogue; loaded unless the page has set one.
   * @type {Variant | null}
   */
  get catalogue() { return this.#catalogue; }
  set catalogue(catalogue) {
    this.#catalogue = catalogue;
    this.#isGiven = catalogue !== null;
    this.#theme = null;
    this.#soon("source");
  }

  get plyd() { return this.#plyd ?? clientOf(this.server ?? HERE); }
  set plyd(plyd) {
    this.#plyd = plyd;
    this.#soon("source");
  }

  /** Turns the board, as the button of the bar does. */
  flip() {
    this.#turned = !this.#turned;
    this.#draw([]);
  }

  /** Gives up what is picked. */
  cancel() { this.#cancel(); }

  focus(options) { this.#surface.grid.querySelector("[tabindex='0']")?.focus(options); }

  // -- where the state comes from --

  #unwatch() {
    this.#round++;
    this.#stop?.();
    this.#stop = null;
  }
  #stop = null;

  async #open() {
    this.#unwatch();
    const round = this.#round;
    this.#cancel(true);
    this.#surface.dropGhost();
    this.#state = this.#shown = this.#behind = this.#refusal = this.#hint = this.#failure = null;
    try {
      if (this.#given) await this.#take(this.#given, [], true);
      else if (this.#game || this.getAttribute("game")) await this.#follow();
      else if (this.variant) await this.#stand();
    } catch (error) {
      if (round === this.#round) this.#fail(error);
    }
  }

  async #follow() {
    const id = this.getAttribute("game"), round = this.#round;
    this.#game ??= this.plyd.game(id, { token: this.token ?? undefined, include: INCLUDE });
    const game = this.#game;
    game.wants?.(INCLUDE);
    const controller = new AbortController();
    const { signal } = controller;
    const on = (type, hear) => game.addEventListener(type, ({ detail }) => hear(detail), { signal });
    on("state", ({ state, moves }) => this.#take(state, moves ?? []).catch((error) => this.#fail(error)));
    on("pending", () => this.#pending());
    on("refused", (error) => this.#refused(error));
    on("connection", (connection) => {
      const lost = connection === "offline", was = this.#connection === "offline";
      this.#connection = connection;
      if (lost !== was) this.#speak(lost ? this.#say("offline") : this.#statusText());
      this.#write();
      this.#emit("plyd-connection", connection);
    });
    this.#stop = () => controller.abort();
    if (game.state?.board) await this.#take(game.state, []);
    else {
      const trouble = () => this.#shown || this.#fail(new Error(this.#say("offline")));
      await game.load({ signal, deadline: Infinity, trouble });
    }
    if (round !== this.#round) return;
    const leave = game.watch();
    this.#stop = () => {
      controller.abort();
      leave();
    };
  }

  /** A board of no game: a position of a variant. */
  async #stand() {
    const { variant, position } = this, round = this.#round;
    const path = `/v1/variants/${encodeURIComponent(variant)}/check?include=board`;
    const judged = await this.plyd.request("POST", path, { body: position ? { position } : {} });
    if (round !== this.#round) return;
    if (!judged.board) throw new PlydError(judged.problem);
    await this.#take({ ...judged, variant, legal_tree: null, status: null }, [], true);
  }

  #fail(error) {
    this.#failure = error.message;
    this.#frame.hidden = false;
    this.#surface.field.hidden = this.#surface.far.hidden = this.#surface.near.hidden = !this.#shown;
    this.#write();
  }

  // -- what is new --

  /**
   * A state, and the moves that led to it if they are known. Nothing is told of one that the page has set.
   * @param {GameState} state
   * @param {Move[]} moves
   */
  async #take(state, moves, silent = false) {
    const round = this.#round, old = this.#state;
    this.#state = state;
    if (!await this.#prepare(state.variant) || round !== this.#round || this.#state !== state) return;
    this.#sending = this.#game?.pending.length > 0;
    if (old?.version !== state.version) this.#hint = null;
    if (old && (old.ply !== state.ply || old.status !== state.status)) this.#refusal = null;
    if (!this.hasAttribute("ply")) this.#draw(this.#effectsTo(state, moves));
    else if (this.#behind && old?.line === state.line) this.#draw([]);
    else await this.#look();
    if (old && state.ply === old.ply + moves.length) this.#tellMoves(moves, state);
    else if (old && (state.ply !== old.ply || state.line !== old.line)) this.#speak(this.#statusText());
    const { outcome, status } = state, isEnd = outcome && old && !old.outcome;
    if (isEnd) this.chime("end");
    if (silent) return;
    this.#emit("plyd-state", state);
    if (isEnd) this.#emit("plyd-end", { outcome, status, state });
  }

  /** Loads what the variant needs to be drawn. */
  async #prepare(variant) {
    const round = this.#round;
    if (!this.#isGiven && this.#catalogue?.name !== variant) {
      if (!this.men) symbolsOf(this.plyd.server, variant, this.#scheme); // needed next
      const catalogue = await this.plyd.variant(variant);
      if (round !== this.#round) return false;
      this.#catalogue = catalogue;
      this.#theme = null;
    }
    await this.#paint();
    return true;
  }

  get #scheme() { return getComputedStyle(this.#probe).color === "rgb(255, 255, 255)" ? "dark" : "light"; }

  /** The set of men that is wanted, if the game has it. */
  get #set() { return this.#catalogue.sets?.some(({ name }) => name === this.men) ? this.men : null; }

  /** Takes the pictures of the theme that is to be seen, and of the set of men. */
  #paint() {
    if (!this.#catalogue) return this.#painted;
    const theme = `${this.#scheme} ${this.#set ?? ""}`;
    if (theme === this.#theme) return this.#painted;
    this.#theme = theme;
    this.#painted = this.#wear(theme, this.#catalogue);
    return this.#painted;
  }
  #painted = null;

  async #wear(theme, catalogue) {
    const symbols = await symbolsOf(this.plyd.server, catalogue.name, ...theme.split(" ")), surface = this.#surface;
    if (theme !== this.#theme || catalogue !== this.#catalogue) return;
    if (symbols === null) this.#theme = null; // the next state asks again
    surface.facing = catalogue.facing;
    surface.colours = { 1: catalogue.seats[0].color, 2: catalogue.seats[1].color };
    surface.wear(symbols ?? new Map(), this.#frame.style);
    if (!this.#shown) return;
    surface.pave();
    this.#draw([]);
  }

  /** What has happened on the way to a state from what is drawn. */
  #effectsTo(state, moves) {
    const shown = this.#shown;
    if (!shown) return [];
    if (state.ply === shown.ply + moves.length) return moves.flatMap((move) => move.effects ?? []);
    if (state.ply === shown.ply + 1) return state.effects ?? [];
    if (state.ply === shown.ply - 1) return backwards(shown.effects);
    return [];
  }

  // -- looking back --

  async #look() {
    const round = this.#round, game = this.#game;
    if (!this.#state) return; // it will come, and look
    this.#refusal = null;
    if (!this.hasAttribute("ply") || !game) {
      this.#behind = null;
      return void this.#draw(this.#effectsTo(this.#state, []));
    }
    const asked = this.#asked = `${this.ply}:${this.line}`;
    try {
      const position = await game.position(this.ply, { line: this.line ?? undefined, include: "board" });
      if (round !== this.#round || asked !== this.#asked || !this.hasAttribute("ply")) return;
      this.#behind = position;
      this.#cancel(true);
      if (await this.#prepare(this.#state.variant)) this.#draw(this.#effectsTo(position, []));
    } catch (error) {
      if (round === this.#round && asked === this.#asked) this.#refuse(error);
    }
  }
  #asked = "";

  #go(ply) {
    if (ply >= this.#state.ply) this.ply = null;
    else this.ply = Math.max(0, ply);
    this.#emit("plyd-look", { ply: this.ply === null ? null : Number(this.ply), line: this.line });
  }

  // -- drawing --

  get #view() { return this.#behind ?? this.#state; }

  #draw(effects) {
    const view = this.#view, surface = this.#surface;
    if (!view?.board || !this.#catalogue) return;
    const flipped = (this.#bottom() === 2) !== this.#turned, turning = surface.flipped !== flipped;
    const size = surface.width !== view.board.width || surface.height !== view.board.height;
    surface.lay(view.board, flipped, this.#isWritten ? this.#catalogue.board.written : null);
    this.#frame.style.setProperty("--w", view.board.width);
    this.#frame.style.setProperty("--h", view.board.height);
    this.#frame.classList.toggle("opposite", this.#catalogue.board?.coordinates === "digit-letter");
    this.#frame.classList.toggle("facing", !!this.#catalogue.facing);
    this.#frame.classList.toggle("beside", this.hands === "beside" && !!view.board.hands);
    if (turning || size || !this.#shown) surface.pave();
    this.#frame.hidden = surface.field.hidden = false;
    this.#fallback.hidden = true;
    this.#failure = null;
    this.#stands(view.board, flipped);
    this.#picker.tree = this.#mayMove() ? view.legal_tree?.tree ?? {} : {};
    const held = this.#stillHeld() || (this.#sending && this.#shown?.ply === view.ply);
    surface.update(effects, !turning && this.#shown !== null, held);
    if (!held) this.#drop();
    this.#shown = { ply: view.ply, line: view.line, effects: view.effects ?? effects };
    surface.ghost?.ghost.classList.toggle("sent", this.#sending);
    this.#show();
  }

  #bottom() {
    if (this.seat === "1" || this.seat === "2") return Number(this.seat);
    const mine = this.#state?.you?.seats ?? [];
    return mine.length === 1 ? mine[0] : 1;
  }

  /** The hands: the one of the side at the bottom is below the board. */
  #stands(board, flipped) {
    const { far, near } = this.#surface;
    for (const [stand, seat] of [[far, flipped ? 1 : 2], [near, flipped ? 2 : 1]]) {
      const side = this.#side(seat), men = board.hands?.[seat] ?? [];
      stand.hidden = !board.hands;
      set(stand, "part", `hand seat-${seat}`);
      set(stand, "aria-label", this.#say("hand", { side }));
      const old = new Map([...stand.children].map((kept) => [kept.dataset.piece + kept.dataset.seat, kept]));
      arrange(stand, men.map((man) => this.#kept(old.get(man.piece + seat), man)));
    }
  }

  #kept(kept, man) {
    const { symbols } = this.#surface;
    kept ??= el("button", { class: "kept", type: "button" });
    if (kept.symbols !== symbols) {
      const count = el("span", { class: "count", part: "count", "aria-hidden": "true" });
      kept.replaceChildren(this.#surface.picture([man]), count);
    }
    Object.assign(kept, { man, symbols });
    Object.assign(kept.dataset, { seat: man.seat, piece: man.piece });
    if (man.click) kept.dataset.click = man.click;
    else delete kept.dataset.click;
    kept.classList.toggle("turned", this.#surface.turns(man.seat));
    kept.lastChild.textContent = man.count;
    kept.lastChild.hidden = man.count < 2;
    set(kept, "aria-label", this.#say("hand_man", { name: this.#nameOf(man), count: man.count }));
    return kept;
  }

  /** Marks, labels, choices: everything that follows from what is picked. */
  #show() {
    this.#mark();
    this.#offer();
    this.#write();
  }

  #mark() {
    const { path, tree, isSingle } = this.#picker, { cells, grid } = this.#surface;
    const marks = { ...this.#view.board.marks };
    const refused = new Set(this.#refusal?.squares), must = new Set(this.#refusal?.must);
    const aims = this.#aims, spot = this.#spot();
    const hint = this.#behind ? [] : this.#hint?.clicks ?? [];
    const { symbols } = this.#surface, lang = this.closest("[lang]")?.lang;
    for (const [name, place] of cells) {
      const { cell, square } = place, parts = ["square"], men = square.men, spoken = [];
      const say = (part, on = true, word = part) => {
        if (!on) return;
        parts.push(part);
        if (word in words.en) spoken.push(this.#say(word));
      };
      say("other", this.#surface.isOther(place), "");
      for (const zone of square.zones ?? []) parts.push(`zone-${zone}`);
      say("occupied", !!men, "");
      for (const [mark, squares] of Object.entries(marks)) say(mark, squares.includes?.(name));
      say("selected", path.length > 0 && (path[0] === name || spot === name));
      if (!this.#sending) cell.isMovable = this.#canHold(name) || (isSingle && name in tree); // a short while changes nothing
      say("movable", cell.isMovable, "");
      say("target", aims.has(name));
      say("refused", refused.has(name));
      say("must", must.has(name));
      say("hint", hint.includes(name));
      say("pending", this.#sending && this.#surface.ghost?.square === name, "");
      const key = [lang, name, place.label, spot === name, parts.join(" "), men ? keyOf(men) : ""].join(":");
      if (cell.key === key && cell.symbols === symbols) continue; // labels are dear on a board of 676 squares
      Object.assign(cell, { key, symbols });
      cell.classList.toggle("zoned", this.#surface.zoneOf(square) !== undefined);
      set(cell, "part", parts.join(" "));
      set(cell, "aria-selected", spot === name ? "true" : null);
      set(cell, "aria-label", [place.label, this.#content(square), ...spoken].filter(Boolean).join(", "));
    }
    for (const kept of this.#surface.kept) {
      const { click } = kept.dataset, parts = ["hand-man", `seat-${kept.man.seat}`, kept.man.name];
      if (click && this.#canHold(click)) parts.push("movable");
      if (path[0] === click && click) parts.push("selected");
      if (click && hint.includes(click)) parts.push("hint");
      set(kept, "part", parts.join(" "));
      set(kept, "aria-pressed", path[0] === click && click ? "true" : "false");
    }
    if (!grid.querySelector("[tabindex='0']")) this.#rove(grid.querySelector(".square"));
    set(grid, "aria-label", this.#say("board", { title: this.#catalogue.title }));
    this.#help.textContent = this.#say("help");
    this.#surface.trace([path.length > 0 ? path.filter((click) => cells.has(click)) : marks.last ?? []],
                        hint.filter((click) => cells.has(click)));
  }

  #content({ men, zones }) {
    const zone = zones?.find((name) => this.#surface.symbols.has(`zone-${name}`));
    const top = men?.at(-1), count = men?.length - 1;
    const values = top && { name: this.#nameOf(top), men: this.#namesOf(men), side: this.#side(top.seat), count };
    const what = this.#say(!top ? "empty" : count > 0 ? "pile" : "man", values);
    const title = this.#catalogue.zones?.find(({ name }) => name === zone)?.title ?? zone;
    return zone ? `${what}, ${title}` : what;
  }

  // -- words --

  #say(key, values = {}) {
    const own = PlydBoard.words[this.closest("[lang]")?.lang.split("-")[0]];
    return fill(own?.[key] ?? words.en[key], values);
  }

  #side(seat) {
    const { title, name } = this.#catalogue.seats?.[seat - 1] ?? {};
    return title ?? name ?? String(seat);
  }

  #nameOf({ name }) {
    return this.#catalogue.pieces?.find((piece) => piece.name === name)?.title ?? name.replaceAll("-", " ");
  }

  /** Whether squares are named as people write them, in games that are typed otherwise. */
  get #isWritten() { return this.notation === "written" && !!this.#catalogue?.board?.written; }

  /** A square as it is named for people. */
  #place(square) { return this.#surface.cells.get(square)?.label ?? square; }

  /** Men one upon the other in words: "rook on 2 pawns". */
  #namesOf(men) {
    const runs = [];
    for (const name of men.map((man) => this.#nameOf(man)))
      if (runs.at(-1)?.name === name) runs.at(-1).count++;
      else runs.push({ name, count: 1 });
    return runs.map(({ name, count }) => (count > 1 ? this.#say("many", { name, count }) : name))
      .reduce((below, name) => this.#say("upon", { name, below }));
  }

  #who(seat) {
    const name = this.#state.seats?.[seat - 1]?.name;
    return capital(name ? `${name} (${this.#side(seat)})` : this.#side(seat));
  }

  #statusText() {
    const state = this.#state, behind = this.#behind;
    if (this.#failure) return this.#failure;
    if (this.#refusal) return this.#refusalText();
    if (!state?.board || !this.#catalogue) return "";
    if (this.#connection === "offline") return this.#say("offline");
    if (behind) return this.#say(behind.ply > 0 ? "behind" : "start", { ply: behind.ply, tip: state.ply });
    if (state.outcome) return this.#ending(state.outcome);
    if (state.status === "aborted" || state.status === "open") return this.#say(state.status);
    if (this.#sending) return this.#say("sending");
    if (this.#hint) return this.#hint.text();
    if (!state.to_move) return "";
    const who = this.#isAlone(state.to_move) ? this.#say("yours")
      : this.#say(state.seats?.[state.to_move - 1]?.level ? "thinking" : "turn", { side: this.#who(state.to_move) });
    return state.check ? this.#say("checked", { who }) : who;
  }

  /** Whether one plays this seat, and no other. */
  #isAlone(seat) { return this.#state.you?.seats.join() === String(seat); }

  #ending({ winner, reason }) {
    const meaning = this.#catalogue.ends?.find((end) => end.reason === reason)?.meaning;
    const result = winner ? this.#say("won", { side: this.#who(winner) }) : this.#say("draw");
    return this.#say("over", { result, reason: meaning ?? capital(reason.replaceAll("_", " ")) });
  }

  /** All men of the stack that one looks at: that is under the pointer, or was picked, pressed or focused. */
  #writePile() {
    const { cells } = this.#surface;
    const isStack = (square) => cells.get(square)?.square.men?.length > 1;
    const square = [this.#over, this.#picker.path[0], this.#pressed].find(isStack);
    const men = square ? cells.get(square).square.men : [], key = square ? `${this.#place(square)}:${keyOf(men)}` : "";
    this.#pile.hidden = !this.#catalogue?.features?.includes("stacks");
    if (this.#pile.key === key && this.#pile.symbols === this.#surface.symbols) return;
    Object.assign(this.#pile, { key, symbols: this.#surface.symbols });
    this.#pile.replaceChildren(...(square ? [el("b", {}, this.#place(square)), this.#surface.rowOf(men), el("span", {}, this.#namesOf(men))] : []));
  }
  #over = null;    // the square under the pointer
  #pressed = null; // the square that was pressed or has the focus

  /** What is said beside how the game stands: why something cannot be done, or a hint. */
  get #note() {
    if (this.#failure || this.#refusal) return { text: this.#failure ?? this.#refusalText(), isRefused: true };
    return { text: this.#hint?.text() ?? "", isRefused: false };
  }
  #noted = "";

  #write() {
    const text = this.#statusText(), note = this.#note;
    if (note.text !== this.#noted) this.#emit("plyd-note", note);
    this.#noted = note.text;
    if (this.#status.textContent !== text) this.#status.textContent = text;
    set(this.#status, "part", `status${this.#refusal || this.#failure ? " refused" : ""}`);
    this.#writePile();
    this.#drawBar();
  }

  #speak(text) {
    if (!text) return;
    this.#spoken = text;
    this.#live.textContent = text;
  }

  /** Says the same again: a live region is silent about a text that stays. */
  #repeat() {
    this.#live.textContent = "";
    setTimeout(() => { this.#live.textContent = this.#spoken; }, 60);
  }

  #tellMoves(moves, state) {
    if (moves.length === 0) return;
    const said = moves.map((move) =>
      this.#say("number", { ply: move.ply, side: this.#side(move.seat), what: this.#sentence(move) }));
    if (state.outcome) said.push(this.#statusText());
    else {
      if (state.check) said.push(this.#say("in_check"));
      if (this.#isAlone(state.to_move)) said.push(`${this.#say("yours")}.`);
    }
    this.#speak(said.join(" "));
    if (!state.outcome) this.chime(state.check ? "check" : moves.some(({ effects }) => effects?.some(({ type }) => type === "capture")) ? "take" : "move");
  }

  /** A move in words, from its effects. */
  #sentence({ effects = [], text, move }) {
    const said = [], taken = [];
    let at = null;
    for (const { type, from, to, square = to, piece, seat, count } of effects) {
      const kind = this.#catalogue.pieces?.find(({ letter }) => letter[seat] === piece)?.name ?? piece;
      const places = { from: this.#place(from), to: this.#place(to), square: this.#place(square) };
      const values = { name: kind && this.#nameOf({ name: kind }), ...places, count };
      if (type === "capture") taken.push(this.#say("takes", values));
      else if (type === "move") {
        said.push(this.#say(at === from ? "on" : "move", values), ...taken.splice(0));
        at = to;
      } else if (type !== "stack" || count > 1) said.push(this.#say(type, values));
    }
    return [...said, ...taken].join(", ") || (this.#isWritten && text) || move;
  }

  /** Plays a sound, if the board has `sound`: "move", "take", "check", "end" or "low" (of time). */
  chime(kind) {
    if (!this.sound) return;
    this.#tone ??= new AudioContext();
    TONES[kind].forEach((pitch, i) => this.#beep(pitch, this.#tone.currentTime + 0.14 * i));
  }

  #beep(pitch, at) {
    const note = this.#tone.createOscillator(), gain = this.#tone.createGain();
    note.frequency.value = pitch;
    gain.gain.setValueAtTime(0.12, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.12);
    note.connect(gain).connect(this.#tone.destination);
    note.start(at);
    note.stop(at + 0.13);
  }

  // -- who may do what --

  /** Whether the position that is shown is there to be played on. */
  get #isLive() {
    const state = this.#state;
    return !this.#behind && !!state?.legal_tree && !state.outcome && (state.status ?? "active") === "active";
  }

  #mayMove() {
    const { you, to_move } = this.#state;
    if (!this.#isLive || this.#sending) return false;
    if (this.#game && !you?.may.includes("move")) return false;
    return !you || you.seats.includes(to_move);
  }

  #isMine(seat) {
    const { you } = this.#state;
    if (!you || you.seats.length === 2) return this.#isTurnOf(seat) && (you || !this.#game);
    return this.#isLive && you.seats.includes(seat);
  }

  #isTurnOf(seat) { return this.#isLive && seat === this.#state.to_move; }

  /** Whether one plays both sides, and this man is of the one that waits. */
  #waits(man) { return !!man && this.#isLive && this.#state.you?.seats.length === 2 && !this.#isTurnOf(man.seat); }

  #manAt(click) {
    const place = this.#surface.cells.get(click);
    return place ? place.square.men?.at(-1) : this.#surface.keptOf(click)?.man;
  }

  /** Whether something can be picked up there: what the tree goes on from, and every man of one's own. */
  #canHold(click) {
    const node = this.#picker.tree[click];
    if (node !== undefined) return typeof node === "object";
    const man = this.#manAt(click);
    return !!man && !this.#picker.isSingle && this.#isMine(man.seat);
  }

  #canClick(key) { return this.#surface.cells.has(key) || this.#surface.keptOf(key) !== undefined; }

  #shortcuts() { return this.#picker.shortcuts((key) => this.#canClick(key)); }

  /** What can be clicked now that something is picked: the next click, or the last one where that is enough. */
  get #aims() {
    const { path, next } = this.#picker;
    return new Set(path.length > 0 ? [...next, ...this.#shortcuts().keys()] : []);
  }

  /** Where the man that is picked stands now. */
  #spot() { return this.#picker.path.findLast((click) => this.#canClick(click)); }

  #stillHeld() {
    const { path } = this.#picker, man = this.#manAt(path[0]);
    if (path.length === 0 || !man || keyOf([man]) !== this.#heldKey) return false;
    return path.length === 1 || this.#picker.at(path) !== undefined;
  }
  #heldKey = "";

  // -- picking --

  /** What a click, a tap, Enter or the end of a drag does. */
  #tap(click) {
    const { picker } = this.#clear(), { node, path } = picker;
    this.#hint = null;
    if (typeof node === "object" && click in node) return this.#advance(click);
    if (path.length > 0 && click === this.#spot()) return node?.[""] === undefined ? this.#cancel() : this.#advance("");
    const way = this.#shortcuts().get(click);
    if (way) return this.#advance(...way);
    if (click in picker.tree || this.#canHold(click)) return this.#pick(click);
    if (path.length > 0 || picker.isSingle) return void this.#why([...path, click]);
    if (this.#behind) this.#refuse({ message: this.#say("past") });
    if (this.#waits(this.#manAt(click))) this.#refuse({ message: this.#say("turn", { side: this.#who(this.#state.to_move) }) });
    return this.#emit("plyd-select", { square: click, clicks: [], next: [] });
  }

  #clear() {
    if (this.#refusal) {
      this.#refusal = null;
      this.#show();
    }
    return { picker: this.#picker };
  }

  #pick(click) {
    this.#drop();
    this.#surface.dropGhost();
    return this.#advance(click);
  }

  #advance(...clicks) {
    const picker = this.#picker;
    if (picker.path.length === 0) this.#heldKey = keyOf([this.#manAt(clicks[0])].filter(Boolean));
    picker.path.push(...clicks);
    const forced = () => {
      const keys = picker.next;
      return keys.length === 1 && !this.#canClick(keys[0]) ? keys[0] : undefined;
    };
    for (let key; (key = forced()) !== undefined;) picker.path.push(key);
    this.#walk();
    if (typeof picker.node === "string" && !this.confirm) return this.#finish(picker.node);
    this.#show();
    if (this.#isChoosing) this.#surface.choices.querySelector("button").focus();
    else this.#speakPick();
    if (picker.node === undefined) this.#whyStuck(clicks[0]);
    return this.#emit("plyd-select", { square: this.#spot(), clicks: [...picker.path], next: picker.next });
  }

  #speakPick() {
    const { path } = this.#picker, man = this.#manAt(path[0]);
    const men = this.#surface.cells.get(path[0])?.square.men ?? [man];
    const place = this.#place(this.#spot()), what = man ? `${this.#namesOf(men)} ${place}` : place;
    const count = [...this.#aims].filter((key) => this.#canClick(key)).length;
    this.#speak(count > 0 ? this.#say("picked", { what, count }) : this.#say("stuck", { what }));
  }

  /** The man goes where it was clicked to, before the move is whole. */
  #walk() {
    const { path } = this.#picker, spot = this.#spot(), man = this.#manAt(path[0]);
    if (path.length < 2 || spot === path[0] || !man || !this.#surface.cells.has(spot)) return;
    this.#surface.moving = true;
    if (!this.#surface.ghost) this.#surface.lift(path[0], man);
    this.#surface.send(spot);
  }

  #finish(move) {
    const detail = { move, clicks: [...this.#picker.path] };
    if (!this.#emit("plyd-move", detail, true)) return void this.#cancel();
    this.#drop();
    if (this.vibrate) navigator.vibrate?.(15);
    if (this.#game === null) return void this.#show(); // the page will set a state
    this.#sending = true;
    this.#game.move({ move })
      .then((played) => this.#emit("plyd-moved", played), () => {}); // refusals are an event
    return this.#draw([]);
  }

  /** Forgets the path; the man on its way stays there. */
  #drop() {
    this.#picker.path = [];
    if (this.#press?.drags) this.#release();
  }

  #cancel(quiet = false) {
    if (this.#picker.path.length === 0 && !this.#press) return;
    this.#surface.moving = true;
    this.#surface.dropGhost(true);
    this.#drop();
    this.#show();
    if (quiet) return;
    this.#speak(this.#say("cancelled"));
    this.#emit("plyd-select", { square: null, clicks: [], next: [] });
  }

  /** Whether a move is on its way. News of it may come before its answer, so the end of it may be all that is new. */
  #pending() {
    const sending = this.#game.pending.length > 0;
    if (sending === this.#sending) return;
    this.#sending = sending;
    this.#draw([]);
  }

  // -- refusals --

  /** Has the server say why a click leads nowhere. */
  async #why(clicks) {
    this.#cancel(true);
    if (!this.#mayMove()) {
      if (this.#isLive && !this.#sending) this.#refuse({ message: this.#say("wait") });
    } else if (this.#game) {
      const state = this.#state;
      const error = await this.#game.ask({ clicks }).catch(() => null);
      if (error && state === this.#state && this.#picker.path.length === 0) this.#refused(error);
    }
  }

  /** Has the server say why a man that was picked has no move. It stays picked. */
  async #whyStuck(click) {
    const state = this.#state;
    if (!this.#game || !this.#mayMove()) return;
    const error = await this.#game.ask({ clicks: [click] }).catch(() => null);
    if (!error || state !== this.#state || this.#picker.path.join() !== click) return;
    this.#refuse(error);
    this.#emit("plyd-refused", error);
  }

  #refused(error) {
    this.#sending = this.#game?.pending.length > 0;
    this.#surface.moving = true;
    this.#surface.dropGhost(true);
    this.#picker.tree = this.#mayMove() ? this.#state.legal_tree?.tree ?? {} : {};
    this.#refuse(error);
    this.#emit("plyd-refused", error);
  }

  #refuse(error) {
    const squares = error.squares ?? [], takes = ({ role }) => role === "capturer";
    this.#refusal = {
      text: error.detail ?? error.message,
      written: error.problem?.text,
      squares: squares.filter((witness) => !takes(witness)).map(({ square }) => square),
      must: squares.some(takes) ? Object.keys(this.#picker.tree) : [], // what is legal then is to take
    };
    this.#speak(this.#refusalText());
    if (this.#shown) this.#show();
    else this.#fail(error);
  }

  #refusalText() { return (this.#isWritten && this.#refusal.written) || this.#refusal.text; }

  // -- hints --

  get #mayHint() { return this.#mayMove() && !!this.#game && !!this.#state.you?.may.includes("hint"); }

  /** Asks the engine for a move, shows it on the board and says it. Does nothing where that is not allowed. */
  async hint() {
    const state = this.#state;
    if (!this.#mayHint) return;
    this.#cancel(true);
    this.#setHint({ clicks: [], text: () => this.#say("seeking") });
    try {
      const answer = await this.#game.request("GET", "/hint");
      if (state.version !== this.#state?.version || !this.#hint) return; // it is of no use any more
      this.#setHint(this.#hintOf(answer));
      this.#emit("plyd-hint", answer);
    } catch (error) {
      if (!this.#hint) return;
      this.#hint = null;
      this.#refuse(error);
    }
  }

  #setHint(hint) {
    this.#hint = hint;
    this.#refusal = null;
    this.#speak(hint.text());
    this.#show();
  }

  #hintOf({ answer, move }) {
    if (answer === "declare") return { clicks: [], text: () => this.#say("hinted", { what: this.#say("claim") }) };
    if (answer !== "move") return { clicks: [], text: () => this.#say("no_hint") };
    const clicks = clicksTo(move, this.#state.legal_tree?.tree ?? {}) ?? [];
    return { clicks, text: () => this.#say("hinted", { what: this.#inWords(clicks) || move }) };
  }

  /** A move in words, from its clicks. */
  #inWords(clicks) {
    const squares = clicks.filter((click) => this.#surface.cells.has(click)).map((click) => this.#place(click));
    const man = this.#manAt(clicks[0]);
    const choices = clicks.filter((click) => click && !this.#canClick(click)).map((click) => this.#labels[click] ?? click);
    const from = squares[0], to = squares.at(-1), name = man && this.#nameOf(man);
    const what = !man ? squares.join(", ")
      : this.#say(this.#surface.cells.has(clicks[0]) ? "move" : "drop", { name, from, to, square: to });
    return [what, ...choices].filter(Boolean).join(", ");
  }

  // -- choices --

  /** Whether nothing but a choice leads on. */
  get #isChoosing() {
    const { next, path, node } = this.#picker;
    return typeof node === "string" ||
      (path.length > 0 && next.length > 0 && !next.some((key) => this.#canClick(key)));
  }

  /** What leads on and is no square; or whether to play the move. */
  get #offers() {
    const { next, node } = this.#picker, play = this.#say("confirm");
    if (typeof node === "string") return [[play, () => this.#finish(node)], [this.#say("cancel"), () => this.#cancel()]];
    const keys = next.filter((key) => !this.#canClick(key));
    const counted = keys.some(isNumber);
    return this.#ranked(keys).map((key) =>
      [this.#labels[key] ?? (key || play), () => this.#advance(key), counted ? this.#goers(key) : []]);
  }

  /** The men that go along if this number of them is chosen. */
  #goers(key) { return this.#surface.cells.get(this.#picker.path[0])?.square.men?.slice(-countOf(key)) ?? []; }

  get #labels() { return this.#catalogue.move?.choices ?? {}; }

  /** In the order of the catalogue. Among numbers, the empty choice is the one. */
  #ranked(keys) {
    const order = Object.keys(this.#labels);
    if (!keys.some(isNumber)) return keys.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    return keys.sort((a, b) => countOf(a) - countOf(b));
  }

  #offer() {
    const { choices, cells, width, height } = this.#surface, place = cells.get(this.#spot());
    const offers = this.#offers, text = offers.map(([label, , men = []]) => label + keyOf(men)).join("|");
    const button = ([label, , men = []], i) => {
      const row = men.length > 0 ? [this.#surface.rowOf(men)] : [], told = men.length > 0 ? `${label}: ${this.#namesOf(men)}` : null;
      const made = el("button", { class: "button", part: "button choice", type: "button", "aria-label": told }, ...row, el("span", { class: "label" }, label));
      made.addEventListener("click", () => this.#offers[i]?.[1]());
      return made;
    };
    if (offers.length === 0 && choices.contains(this.shadowRoot.activeElement)) this.focus();
    choices.hidden = offers.length === 0;
    if (offers.length > 0 && choices.dataset.text !== text) choices.replaceChildren(...offers.map(button));
    choices.dataset.text = text;
    set(choices, "aria-label", this.#say("choose"));
    // a move that begins with a choice, such as a pass, has no square: it is offered in the middle
    const at = place ?? { x: width / 2 - 0.5, y: height / 2 - 0.5 };
    const across = (at.x + 0.5) / width * 100, below = at.y < height / 2;
    Object.assign(choices.style, {
      insetInlineStart: `${across}%`, transform: `translateX(${-across}%)`,
      insetBlockStart: below ? `${(at.y + 1.08) / height * 100}%` : "auto",
      insetBlockEnd: below ? "auto" : `${(height - at.y + 0.08) / height * 100}%`,
    });
  }

  // -- pointers --

  #listen() {
    const frame = this.#frame;
    const hear = (type, handle, options) =>
      frame.addEventListener(type, (event) => handle.call(this, event), options);
    hear("pointerdown", this.#down);
    hear("pointermove", this.#move);
    hear("pointerup", this.#up);
    for (const type of ["pointercancel", "lostpointercapture"])
      hear(type, (event) => { if (event.pointerId === this.#press?.id) this.#release(true); });
    hear("contextmenu", (event) => {
      if (this.#press?.touch && this.#press.holds) event.preventDefault();
      else this.#release(true);
    });
    hear("click", this.#clicked);
    hear("keydown", this.#key);
    hear("touchend", (event) => { // or else a second tap zooms
      if (event.cancelable && this.#tapped) event.preventDefault();
      this.#tapped = false;
    }, { passive: false });
    this.#probe.addEventListener("transitionend", () => this.#soon("theme")); // whatever has changed it
    hear("dragstart", (event) => event.preventDefault());
    hear("focusin", ({ target }) => {
      if (target.dataset.square) this.#rove(target);
      this.#pressed = target.dataset.square ?? null;
      this.#writePile();
    });
    const point = ({ pointerType, target }) => { // a finger is not over anything
      this.#over = pointerType === "touch" ? null : target?.dataset.square ?? null;
      this.#writePile();
    };
    hear("pointerover", point);
    hear("pointerleave", () => point({}));
  }

  #clickOf(event) {
    const target = event.target.closest?.("[data-square], [data-click]");
    return target?.dataset.square ?? target?.dataset.click ?? null;
  }

  #down(event) {
    if (this.#press) {
      if (event.pointerId !== this.#press.id) this.#release(true); // a second finger
      return;
    }
    const click = this.#clickOf(event);
    if (event.button !== 0 || click === null || !this.#view) return;
    this.#pressed = click;
    const { picker } = this.#clear(), spot = this.#spot();
    const isTarget = this.#aims.has(click);
    const holds = !isTarget && (this.#canHold(click) || (click === spot && picker.path.length > 0));
    const fresh = holds && click !== spot; // picked by this press
    this.#hint = null;
    if (fresh) this.#pick(click);
    const { pointerId: id, clientX: x, clientY: y, pointerType } = event;
    this.#press = { id, click, x, y, holds, fresh, touch: pointerType === "touch" };
    this.#writePile();
    try { this.#frame.setPointerCapture(id); } catch { /* it is up already */ }
  }

  #move(event) {
    const press = this.#press;
    if (press?.id !== event.pointerId || !press.holds) return;
    if (!press.drags) {
      const box = this.#surface.grid.getBoundingClientRect();
      const far = Math.max(DRAG_PX, Math.min(box.width / this.#surface.width / 10, 12));
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < far) return;
      this.#startDrag(press);
    }
    this.#surface.carry(event.clientX, event.clientY);
    this.#hover(this.#surface.squareAt(event.clientX, event.clientY));
  }

  #startDrag(press) {
    const man = this.#manAt(this.#picker.path[0]);
    if (!this.#surface.ghost) this.#surface.lift(this.#picker.path[0], man);
    press.drags = true;
    const { ghost } = this.#surface.ghost;
    for (const motion of ghost.getAnimations()) motion.cancel();
    ghost.classList.add("held");
    this.#frame.classList.add("dragging");
    this.#frame.classList.toggle("touch", press.touch);
  }

  #hover(square) {
    const cell = this.#aims.has(square) ? this.#surface.cells.get(square)?.cell : null;
    if (cell === this.#hovered) return;
    this.#hovered?.part.remove("over");
    cell?.part.add("over");
    this.#hovered = cell;
  }
  #hovered = null;

  #up(event) {
    const press = this.#press;
    if (press?.id !== event.pointerId) return;
    const square = this.#surface.squareAt(event.clientX, event.clientY);
    const stayed = this.#clickAt(event) === press.click;
    this.#release();
    this.#handled = event.timeStamp;
    this.#tapped = press.touch;
    if (press.drags) return void this.#dropAt(square);
    if (press.fresh || !stayed && !this.#behind) return; // what cannot be dragged in the past is told like a tap
    this.#tap(press.click);
  }

  /** What is under a pointer that is captured. */
  #clickAt({ clientX, clientY }) {
    const under = this.shadowRoot.elementFromPoint(clientX, clientY)?.closest("[data-square], [data-click]");
    return under?.dataset.square ?? under?.dataset.click ?? null;
  }

  #dropAt(square) {
    const { path } = this.#picker;
    if (square !== null && this.#aims.has(square)) return this.#tap(square);
    if (square === null || square === this.#spot() || path.length === 0) return this.#cancel();
    return void this.#why([...path, square]);
  }

  /** Ends a press, also one that drags; with `back`, the man returns. */
  #release(back = false) {
    const press = this.#press;
    if (!press) return;
    this.#press = null;
    this.#frame.classList.remove("dragging", "touch");
    this.#surface.ghost?.ghost.classList.remove("held");
    this.#hover(null);
    try { this.#frame.releasePointerCapture(press.id); } catch { /* it is gone */ }
    if (back && press.drags) this.#cancel();
  }

  /** A click without a press before it: from the keyboard, or from a screen reader. */
  #clicked(event) {
    const click = this.#clickOf(event);
    if (click === null || event.timeStamp - this.#handled < TAP_MS) return;
    this.#tap(click);
    this.#aimFocus();
  }

  // -- keys --

  #rove(cell) {
    for (const old of this.#surface.grid.querySelectorAll("[tabindex='0']")) old.tabIndex = -1;
    cell.tabIndex = 0;
  }

  #focusAt(x, y) {
    const { grid, width, height } = this.#surface;
    const inside = (n, size) => Math.max(0, Math.min(size - 1, n));
    grid.children[inside(y, height)].children[inside(x, width)].focus();
  }

  #key(event) {
    if (event.key === "Escape" && (this.#picker.path.length > 0 || this.#refusal)) {
      event.preventDefault();
      event.stopPropagation();
      this.#clear();
      this.#cancel();
      return;
    }
    if (event.ctrlKey && !["Home", "End"].includes(event.key) || event.altKey || event.metaKey) return;
    const cell = event.target.closest(".square");
    const list = event.target.closest(".hand, .choices, .bar");
    if (cell) this.#gridKey(event, cell.dataset.square);
    else if (list) this.#listKey(event, [...list.querySelectorAll("button")]);
  }

  #gridKey(event, square) {
    const { x, y } = this.#surface.cells.get(square), { width, height } = this.#surface;
    const acts = {
      ArrowLeft: () => this.#focusAt(x - 1, y),
      ArrowRight: () => this.#focusAt(x + 1, y),
      ArrowUp: () => this.#focusAt(x, y - 1),
      ArrowDown: () => this.#focusAt(x, y + 1),
      Home: () => this.#focusAt(0, event.ctrlKey ? 0 : y),
      End: () => this.#focusAt(width - 1, event.ctrlKey ? height - 1 : y),
      Enter: () => this.#tap(square),
      " ": () => this.#tap(square),
      m: () => this.#roam(square, event.shiftKey ? -1 : 1),
      l: () => this.#repeat(),
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!Object.hasOwn(acts, key)) return;
    event.preventDefault();
    event.stopPropagation();
    acts[key]();
  }

  #listKey(event, buttons) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    buttons[(buttons.indexOf(event.target) + step + buttons.length) % buttons.length].focus();
  }

  /** To the next square that can be chosen. */
  #roam(square, step) {
    const { cells } = this.#surface, { path, tree } = this.#picker;
    const keys = path.length > 0 ? this.#aims : new Set(Object.keys(tree));
    const squares = [...cells.keys()], from = squares.indexOf(square);
    for (let i = 1; i <= squares.length; i++) {
      const name = squares[(from + i * step + squares.length * i) % squares.length];
      if (keys.has(name)) return cells.get(name).cell.focus();
    }
    return undefined;
  }

  /** After a man of a hand was picked by keys, the next Tab leads to where it may go. */
  #aimFocus() {
    const { cells, grid } = this.#surface, first = this.#picker.next.find((key) => cells.has(key));
    if (first && !grid.contains(this.shadowRoot.activeElement)) this.#rove(cells.get(first).cell);
  }

  // -- the bar --

  #drawBar() {
    const bar = this.#bar, wanted = this.controls === "bar" && !!this.#state;
    bar.hidden = !wanted;
    if (!wanted) return;
    const present = this.#state.ply ?? 0, ply = this.#behind?.ply ?? present;
    const buttons = [
      ["first", "«", () => this.#go(0), ply > 0],
      ["prev", "‹", () => this.#go(ply - 1), ply > 0],
      ["next", "›", () => this.#go(ply + 1), ply < present],
      ["latest", "»", () => this.#go(present), ply < present],
      ["flip", "⇅", () => this.flip(), true],
      ["ask", "?", () => this.hint(), this.#mayHint],
    ];
    const button = ([, sign]) => el("button", { class: "button", part: "button", type: "button" }, sign);
    if (bar.childElementCount === 0) bar.append(...buttons.map(button));
    bar.lastChild.hidden = !this.#state.you?.may.includes("hint") || !!this.#state.outcome;
    buttons.forEach(([key, , act, on], i) => {
      set(bar.children[i], "aria-label", this.#say(key));
      set(bar.children[i], "aria-disabled", on ? null : "true");
      bar.children[i].onclick = () => on && act();
    });
  }

  #emit(type, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(type, { detail, cancelable, bubbles: true, composed: true }));
  }
}

const isNumber = (key) => /^\d+$/.test(key);
const countOf = (key) => (isNumber(key) ? Number(key) : 1);

/** The points of an arrow along a way. */
function arrow(way) {
  const [[x0, y0], [x, y]] = way.slice(-2), far = Math.hypot(x - x0, y - y0);
  const [dx, dy] = [(x - x0) / far * 0.3, (y - y0) / far * 0.3];
  return [...way, [x - dx - dy, y - dy + dx], [x, y], [x - dx + dy, y - dy - dx]];
}

/** The clicks that lead to a move in a tree of them; null: none. */
function clicksTo(move, node) {
  if (typeof node !== "object") return node === move ? [] : null;
  for (const [click, next] of Object.entries(node)) {
    const rest = clicksTo(move, next);
    if (rest) return [click, ...rest];
  }
  return null;
}

/** The moves of effects, undone: what was taken or dropped is there again, or gone, at once. */
function backwards(effects = []) {
  return effects.filter(({ type }) => type === "move").reverse()
    .map((effect) => ({ ...effect, from: effect.to, to: effect.from }));
}

for (const name of TEXTS) {
  Object.defineProperty(PlydBoard.prototype, name, {
    configurable: true, enumerable: true,
    get() { return this.getAttribute(name); },
    set(value) { set(this, name, value); },
  });
}
for (const name of FLAGS) {
  Object.defineProperty(PlydBoard.prototype, name, {
    configurable: true, enumerable: true,
    get() { return this.hasAttribute(name); },
    set(value) { this.toggleAttribute(name, !!value); },
  });
}

if (!customElements.get("plyd-board")) customElements.define("plyd-board", PlydBoard);
