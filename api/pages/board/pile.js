/** pile.js - below the board of a game with stacks, all men of one stack, in full. */
import { el, keyOf } from "./dom.js";

/**
 * @typedef {import("../plyd.js").Man} Man
 * @typedef {import("./surface.js").Surface} Surface
 */

export class Pile {
  element = el("div", { class: "pile", part: "pile", "aria-hidden": "true", hidden: "" });
  #surface;
  #shown = "";
  #symbols = null; // by which it was drawn

  /** @param {Surface} surface */
  constructor(surface) { this.#surface = surface; }

  /**
   * @param {string} label  of the square
   * @param {Man[]} men     from the bottom to the top
   * @param {(men: Man[]) => string} inWords
   */
  show(label, men, inWords) {
    const { symbols } = this.#surface, key = `${label}:${keyOf(men)}`;
    if (this.#shown === key && this.#symbols === symbols) return;
    this.#shown = key;
    this.#symbols = symbols;
    this.element.replaceChildren(el("b", {}, label), this.#surface.rowOf(men), el("span", {}, inWords(men)));
  }

  clear() {
    if (this.#shown === "") return;
    this.#shown = "";
    this.element.replaceChildren();
  }
}
