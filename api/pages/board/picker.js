/** picker.js - what is picked, as a way through a tree of clicks, and what such a tree tells. */

/** @typedef {import("../plyd.js").Clicks} Clicks */

/** The way through a tree of clicks. It knows no squares: whoever asks says which keys can be clicked. */
export class Picker {
  /** @type {Clicks} */
  #tree = {};
  /** @type {string[]} */
  path = [];
  /** Whether the game takes single clicks: there is nothing to pick up. */
  isSingle = false;
  /** Whether it did so when it was last one's turn. */
  wasSingle = false;

  get tree() { return this.#tree; }
  set tree(tree) {
    const nodes = Object.values(tree);
    this.#tree = tree;
    this.isSingle = nodes.length > 0 && nodes.every((node) => typeof node === "string");
    if (nodes.length > 0) this.wasSingle = this.isSingle;
  }

  at(path) {
    return path.reduce((node, click) => (typeof node === "object" ? node[click] : undefined), this.#tree);
  }

  /**
   * The whole way that begins with these clicks, as one would go it by clicking; null: there is none. It may end where
   * something has to be chosen.
   * @param {string[]} clicks
   * @param {(key: string) => boolean} isClick
   * @returns {string[] | null}
   */
  wayBy(clicks, isClick) {
    const walker = new Picker();
    walker.tree = this.#tree;
    for (const click of clicks) {
      const { node } = walker, isNext = typeof node === "object" && click in node;
      const rest = isNext ? [click] : walker.shortcuts(isClick).get(click);
      if (!rest) return null;
      walker.path.push(...rest);
      walker.force(isClick);
    }
    return walker.path;
  }

  /** Goes on for as long as there is but one way, which is no click. */
  force(isClick) {
    for (let keys; (keys = this.next).length === 1 && !isClick(keys[0]);) this.path.push(keys[0]);
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

/** The clicks that lead to a move in a tree of them; null: none. */
export function clicksTo(move, node) {
  if (typeof node !== "object") return node === move ? [] : null;
  for (const [click, next] of Object.entries(node)) {
    const rest = clicksTo(move, next);
    if (rest) return [click, ...rest];
  }
  return null;
}
