/** keys.js - the keys of a board: over its squares, and through its hands, choices and buttons. */
import { rootOf } from "./dom.js";

/** @typedef {import("./surface.js").Surface} Surface */

/**
 * @typedef {object} Deeds
 * @property {(square: string) => void} tap
 * @property {() => boolean} escape     gives up what is picked; false: there was nothing
 * @property {() => Set<string>} picks  what can be chosen now
 * @property {() => void} repeat        says the last announcement again
 */

export class Keys {
  #surface;
  #deeds;

  /**
   * @param {HTMLElement} frame
   * @param {Surface} surface
   * @param {Deeds} deeds
   */
  constructor(frame, surface, deeds) {
    this.#surface = surface;
    this.#deeds = deeds;
    frame.addEventListener("keydown", (event) => this.#key(event));
  }

  /** The one square that Tab leads to. */
  rove(cell) {
    for (const old of this.#surface.grid.querySelectorAll("[tabindex='0']")) old.tabIndex = -1;
    cell.tabIndex = 0;
  }

  /** After a man of a hand was picked by keys, the next Tab leads to where it may go. */
  aim(next) {
    const { cells, grid } = this.#surface, first = next.find((key) => cells.has(key));
    if (first && !grid.contains(rootOf(grid).activeElement)) this.rove(cells.get(first).cell);
  }

  #focusAt([row, column]) { this.#surface.grid.children[row].children[column].focus(); }

  #key(event) {
    if (event.key === "Escape" && this.#deeds.escape()) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.ctrlKey && !["Home", "End"].includes(event.key) || event.altKey || event.metaKey) return;
    const cell = event.target.closest(".square");
    const list = event.target.closest(".hand, .choices, .bar");
    if (cell) this.#gridKey(event, cell.dataset.square);
    else if (list) this.#listKey(event, [...list.querySelectorAll("button")]);
  }

  #gridKey(event, square) {
    const { shape, cells } = this.#surface, place = cells.get(square);
    const go = (right, down) => this.#focusAt(shape.step(place, right, down));
    const acts = {
      ArrowLeft: () => go(-1, 0),
      ArrowRight: () => go(1, 0),
      ArrowUp: () => go(0, -1),
      ArrowDown: () => go(0, 1),
      Home: () => this.#focusAt(shape.end(event.ctrlKey ? 0 : place.row, false)),
      End: () => this.#focusAt(shape.end(event.ctrlKey ? shape.rows.length - 1 : place.row, true)),
      Enter: () => this.#deeds.tap(square),
      " ": () => this.#deeds.tap(square),
      m: () => this.#roam(square, event.shiftKey ? -1 : 1),
      l: () => this.#deeds.repeat(),
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
    const { cells } = this.#surface, keys = this.#deeds.picks();
    const squares = [...cells.keys()], from = squares.indexOf(square);
    for (let i = 1; i <= squares.length; i++) {
      const name = squares[(from + i * step + squares.length * i) % squares.length];
      if (keys.has(name)) return cells.get(name).cell.focus();
    }
    return undefined;
  }
}
