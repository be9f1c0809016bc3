/** surface.js - what is drawn of a board: the squares, and the men above them. */
import { el, keyOf, set, still } from "./dom.js";
import { Shape } from "./shape.js";

/**
 * @typedef {import("../plyd.js").Board} Board
 * @typedef {import("../plyd.js").Effect} Effect
 * @typedef {import("../plyd.js").Man} Man
 */

const STEP_MS = 200; // a man's way from one square to the next
const MOST_MS = 600; // all of what is shown of the moves up to a state
const FADE_MS = 120;
const BELOW = 3;     // men seen beside the one on top

/**
 * The squares, which stay for as long as the board has its size, and the men above them, which move.
 * `piles` has the element of the men on each square that has any.
 */
export class Surface {
  piles = new Map();
  cells = new Map();
  /** @type {{ghost: any, click: string, home: string, square?: string} | null} */
  ghost = null;
  /** @type {Shape} null before the first board */
  shape = null;
  symbols = new Map();
  width = 0;
  height = 0;
  flipped = false;     // whether seat 2 is at the bottom
  facing = false;      // whether men of the far side are drawn upside down
  /** @type {Record<number, string> | null} of men without pictures */
  colours = null;
  chequered = false;
  moving = false;      // whether men are seen to move
  #step = STEP_MS;     // how long a step takes now

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
   * Makes the squares anew if the board has another shape, and names them as they are seen. Returns whether it has.
   * @param {Board} board
   * @param {boolean} hexagons
   * @param {boolean} flipped whether seat 2 is at the bottom
   * @param {{files: string[], ranks: string[]} | null} written the labels by which squares are named for people
   */
  lay(board, hexagons, flipped, written) {
    const shape = new Shape(board, flipped, hexagons), anew = this.shape?.key !== shape.key;
    Object.assign(this, { shape, width: shape.width, height: shape.height, flipped });
    if (anew) this.#make(shape, board);
    this.cells = new Map();
    const [files, ranks] = [(written ?? board).files, (written ?? board).ranks].map((list) => (flipped ? list.toReversed() : list));
    shape.rows.forEach((line, row) => line.forEach((square, column) => {
      if (square.missing) return;
      const cell = this.grid.children[row].children[column], label = written ? files[column] + ranks[row] : square.square;
      set(cell, "data-square", square.square);
      this.cells.set(square.square, { cell, ...shape.place(row, column), row, column, square, label });
    }));
    for (const [list, labels] of [[this.files, files], [this.ranks, ranks]])
      if (list.dataset.labels !== labels.join()) {
        list.dataset.labels = labels.join();
        list.replaceChildren(...labels.map((label) => el("span", {}, label)));
      }
    if (hexagons) this.#setLabels(shape, board.ranks);
    return anew;
  }

  /** The squares, which have no names yet. */
  #make(shape, { width, height }) {
    const times = (length, make) => Array.from({ length }, make);
    const square = (row, column) => {
      const cell = el("div", { class: shape.has(row, column) ? "square" : "square missing", role: "gridcell", tabindex: "-1" });
      const { x, y } = shape.boxOf(row, column);
      if (shape.hexagons) Object.assign(cell.style, { left: `${x * 100}%`, top: `${y * 100}%` });
      return cell;
    };
    this.grid.replaceChildren(...times(height, (_, row) => el("div", { class: "row", role: "row" }, ...times(width, (_, column) => square(row, column)))));
    this.men.replaceChildren();
    this.piles.clear();
    this.ghost = null;
    this.field.classList.toggle("hexagons", shape.hexagons);
    this.field.classList.toggle("holes", !shape.whole && !shape.hexagons);
    for (const svg of [this.ground, this.over]) set(svg, "viewBox", `0 0 ${shape.width} ${shape.height}`);
  }

  /** Puts the labels of hexagons where columns and rows end. */
  #setLabels(shape, ranks) {
    const step = /^\d/.test(ranks[0]) ? 1 : -1, places = shape.labels(step);
    const put = (label, place, right, down) => {
      label.hidden = !place;
      if (!place) return;
      label.style.left = `calc(${place.x / shape.width * 100}% + var(--gutter) * ${right})`;
      label.style.top = `calc(${place.y / shape.height * 100}% + var(--gutter) * ${down})`;
    };
    places.files.forEach((place, i) => put(this.files.children[i], place, step / 4, step * 0.43));
    places.ranks.forEach((place, i) => put(this.ranks.children[i], place, -step / 2, 0));
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
      const size = this.shape.hexagons ? 1 / 0.86 : 1, off = (1 - size) / 2; // a hexagon does not fill its picture
      return zone ? [el("use", { href: `#zone-${zone}`, x: x + off, y: y + off, width: size, height: size })] : [];
    }));
  }

  /** The zone that can be seen on a square. */
  zoneOf(square) { return square.zones?.find((zone) => this.symbols.has(`zone-${zone}`)); }

  /** Whether it is one of the other squares of a chequered board. */
  isOther({ row, column }) {
    const { hexagons, columns, rows } = this.shape;
    return this.chequered && !hexagons && (row + column + (this.flipped ? columns : rows.length)) % 2 === 1;
  }

  placeOf(square) {
    const { x, y } = this.cells.get(square);
    return `translate(${x * 100}%, ${y * 100}%)`;
  }

  squareAt(clientX, clientY) {
    const box = this.grid.getBoundingClientRect();
    return this.shape.squareAt((clientX - box.left) / box.width * this.width, (clientY - box.top) / box.height * this.height);
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

  /** Whether there is something to click on. */
  has(click) { return this.cells.has(click) || this.keptOf(click) !== undefined; }

  /**
   * The uppermost man of a square, or one in a hand.
   * @returns {Man | undefined}
   */
  manAt(click) {
    const place = this.cells.get(click);
    return place ? place.square.men?.at(-1) : this.keptOf(click)?.man;
  }

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
  glide(element, places, delay = 0) {
    element.style.transform = places.at(-1);
    const ways = places.filter((place, i) => place !== places[i - 1]);
    if (ways.length < 2 || still() || !this.moving) return null;
    element.style.zIndex = 2;
    const motion = element.animate(ways.map((transform) => ({ transform, easing: "ease-in-out" })),
                                   { duration: this.#step * (ways.length - 1), delay, fill: "backwards" });
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
    this.#step = Math.min(STEP_MS, MOST_MS / effects.filter(({ type }) => isStep(type)).length);
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

  /** @param {Effect} effect */
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
    this.#take(to, time + this.#step);
    this.piles.set(to, pile);
    let way = ways.get(pile);
    if (!way) ways.set(pile, way = { places: [pile.style.transform], delay: time, home: from });
    if (ghost?.click !== way.home) {
      way.places.push(this.placeOf(to));
      return time + this.#step;
    }
    const here = ghost.ghost.style.transform; // it was carried, so it comes from there
    way.places = [here, this.placeOf(to)];
    return ghost.square ? time : time + this.#step; // once it was sent, it is there
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
    return time + this.#step;
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

  /** Draws ways of more than one step; a hint and a move that was made ahead as arrows. */
  trace(ways, hint, ahead) {
    const middle = (square) => {
      const { x, y } = this.cells.get(square);
      return [x + 0.5, y + 0.5];
    };
    const line = (name, points) => el("polyline", { class: name, points: points.map((point) => point.join()).join(" ") });
    this.over.replaceChildren(...ways.filter((way) => way.length > 2).map((way) => line("way", way.map(middle))),
                              ...(hint.length > 1 ? [line("arrow", arrow(hint.map(middle)))] : []),
                              ...(ahead.length > 1 && ahead[0] !== ahead[1] ? [line("arrow ahead", arrow(ahead.map(middle)))] : []));
  }
}

/** Whether a man goes somewhere by an effect of this type. */
const isStep = (type) => type === "move" || type === "drop";

/** The points of an arrow along a way. */
function arrow(way) {
  const [[x0, y0], [x, y]] = way.slice(-2), far = Math.hypot(x - x0, y - y0);
  const [dx, dy] = [(x - x0) / far * 0.3, (y - y0) / far * 0.3];
  return [...way, [x - dx - dy, y - dy + dx], [x, y], [x - dx + dy, y - dy - dx]];
}
