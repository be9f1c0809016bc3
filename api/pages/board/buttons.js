/** buttons.js - the buttons of a board: what is asked at a square, and the bar below. */
import { el, keyOf, rootOf, set } from "./dom.js";

/**
 * @typedef {import("../plyd.js").Man} Man
 * @typedef {import("./surface.js").Surface} Surface
 */

/**
 * What may be chosen at a square.
 * @typedef {object} Offer
 * @property {string} label
 * @property {() => void} run
 * @property {Man[]} [men]    those that go along
 * @property {string} [told]  these in words
 */

/** Buttons at a square. They stay for as long as the same is offered, and so does a focus. */
export class Choices {
  #surface;
  #offers = [];
  #text = "";

  /** @param {Surface} surface */
  constructor(surface) { this.#surface = surface; }

  get #place() { return this.#surface.choices; }

  focus() { this.#place.querySelector("button").focus(); }
  get hasFocus() { return this.#place.contains(rootOf(this.#place).activeElement); }

  /**
   * @param {Offer[]} offers
   * @param {{x: number, y: number} | undefined} at  a move that begins with a choice, such as a pass, has no square: it is
   *   offered in the middle
   */
  show(offers, at) {
    const { width, height } = this.#surface, place = this.#place;
    const text = offers.map(({ label, men = [] }) => label + keyOf(men)).join("|");
    this.#offers = offers;
    place.hidden = offers.length === 0;
    if (offers.length > 0 && this.#text !== text) place.replaceChildren(...offers.map((offer, i) => this.#button(offer, i)));
    this.#text = text;
    this.#lay(at ?? { x: width / 2 - 0.5, y: height / 2 - 0.5 });
  }

  /** @param {Offer} offer */
  #button({ label, men = [], told }, i) {
    const row = men.length > 0 ? [this.#surface.rowOf(men)] : [];
    const button = el("button", { class: "button", part: "button choice", type: "button", "aria-label": told ? `${label}: ${told}` : null },
                      ...row, el("span", { class: "label" }, label));
    button.addEventListener("click", () => this.#offers[i]?.run());
    return button;
  }

  #lay({ x, y }) {
    const { width, height } = this.#surface, across = (x + 0.5) / width * 100, below = y < height / 2;
    Object.assign(this.#place.style, {
      insetInlineStart: `${across}%`, transform: `translateX(${-across}%)`,
      insetBlockStart: below ? `${(y + 1.08) / height * 100}%` : "auto",
      insetBlockEnd: below ? "auto" : `${(height - y + 0.08) / height * 100}%`,
    });
  }
}

/**
 * Brings the buttons of the bar up to date.
 * @param {HTMLElement} bar
 * @param {{sign: string, label: string, isOn: boolean, isShown?: boolean, run: () => void}[]} buttons
 */
export function fillBar(bar, buttons) {
  const button = ({ sign }) => el("button", { class: "button", part: "button", type: "button" }, sign);
  if (bar.childElementCount === 0) bar.append(...buttons.map(button));
  buttons.forEach(({ label, isOn, isShown = true, run }, i) => {
    const node = /** @type {HTMLElement} */ (bar.children[i]);
    node.hidden = !isShown;
    set(node, "aria-label", label);
    set(node, "aria-disabled", isOn ? null : "true");
    node.onclick = () => isOn && run();
  });
}
