/** speech.js - what a board calls things: names of squares and men, and sentences about moves and the end. */
import { words } from "./words.js";

/**
 * @typedef {import("../plyd.js").GameState} GameState
 * @typedef {import("../plyd.js").Man} Man
 * @typedef {import("../plyd.js").Move} Move
 * @typedef {import("../plyd.js").Square} Square
 * @typedef {import("../plyd.js").Variant} Variant
 * @typedef {import("./surface.js").Surface} Surface
 */

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export class Speech {
  #element;
  #surface;
  #now;

  /**
   * @param {HTMLElement} element whose language is spoken
   * @param {Surface} surface
   * @param {() => {state: GameState | null, catalogue: Variant | null, notation: string | null}} now what it is about
   */
  constructor(element, surface, now) {
    this.#element = element;
    this.#surface = surface;
    this.#now = now;
  }

  get lang() { return /** @type {HTMLElement | null} */ (this.#element.closest("[lang]"))?.lang ?? ""; }

  /** A text in the language of the element, with its places filled. */
  say(key, values = {}) {
    const own = words[this.lang.split("-")[0]];
    return fill(own?.[key] ?? words.en[key], values);
  }

  // -- names --

  side(seat) {
    const { title, name } = this.#now().catalogue.seats?.[seat - 1] ?? {};
    return title ?? name ?? String(seat);
  }

  nameOf({ name }) {
    return this.#now().catalogue.pieces?.find((piece) => piece.name === name)?.title ?? name.replaceAll("-", " ");
  }

  who(seat) {
    const name = this.#now().state.seats?.[seat - 1]?.name;
    return capital(name ? `${name} (${this.side(seat)})` : this.side(seat));
  }

  /** Whether squares are named as people write them, in games that are typed otherwise. */
  get isWritten() {
    const { notation, catalogue } = this.#now();
    return notation === "written" && !!catalogue?.board?.written;
  }

  /** A square as it is named for people. */
  place(square) { return this.#surface.cells.get(square)?.label ?? square; }

  /**
   * Men one upon the other in words: "rook on 2 pawns".
   * @param {Man[]} men
   */
  namesOf(men) {
    const runs = [];
    for (const name of men.map((man) => this.nameOf(man)))
      if (runs.at(-1)?.name === name) runs.at(-1).count++;
      else runs.push({ name, count: 1 });
    return runs.map(({ name, count }) => (count > 1 ? this.say("many", { name, count }) : name))
      .reduce((below, name) => this.say("upon", { name, below }));
  }

  /**
   * What is on a square.
   * @param {Square} square
   */
  content({ men, zones }) {
    const zone = zones?.find((name) => this.#surface.symbols.has(`zone-${name}`));
    const top = men?.at(-1), count = men?.length - 1;
    const values = top && { name: this.nameOf(top), men: this.namesOf(men), side: this.side(top.seat), count };
    const what = this.say(!top ? "empty" : count > 0 ? "pile" : "man", values);
    const title = this.#now().catalogue.zones?.find(({ name }) => name === zone)?.title ?? zone;
    return zone ? `${what}, ${title}` : what;
  }

  // -- sentences --

  /** @param {NonNullable<GameState["outcome"]>} outcome */
  ending({ winner, reason }) {
    const meaning = this.#now().catalogue.ends?.find((end) => end.reason === reason)?.meaning;
    const result = winner ? this.say("won", { side: this.who(winner) }) : this.say("draw");
    return this.say("over", { result, reason: meaning ?? capital(reason.replaceAll("_", " ")) });
  }

  /**
   * A move that was played, from its effects.
   * @param {Move} move
   */
  played(move) { return this.say("number", { ply: move.ply, side: this.side(move.seat), what: this.#sentence(move) }); }

  #sentence({ effects = [], text, move }) {
    const said = [], taken = [];
    let at = null;
    for (const { type, from, to, square = to, piece, seat, count } of effects) {
      const kind = this.#now().catalogue.pieces?.find(({ letter }) => letter[seat] === piece)?.name ?? piece;
      const places = { from: this.place(from), to: this.place(to), square: this.place(square) };
      const values = { name: kind && this.nameOf({ name: kind }), ...places, count };
      if (type === "capture") taken.push(this.say("takes", values));
      else if (type === "move") {
        said.push(this.say(at === from ? "on" : "move", values), ...taken.splice(0));
        at = to;
      } else if (type !== "stack" || count > 1) said.push(this.say(type, values));
    }
    return [...said, ...taken].join(", ") || (this.isWritten && text) || move;
  }

  /** A move that could be played, from its clicks. */
  toPlay(clicks) {
    const surface = this.#surface, labels = this.#now().catalogue.move?.choices ?? {};
    const squares = clicks.filter((click) => surface.cells.has(click)).map((click) => this.place(click));
    const man = surface.manAt(clicks[0]);
    const choices = clicks.filter((click) => click && !surface.has(click)).map((click) => labels[click] ?? click);
    const from = squares[0], to = squares.at(-1), name = man && this.nameOf(man);
    const what = !man ? squares.join(", ")
      : this.say(surface.cells.has(clicks[0]) ? "move" : "drop", { name, from, to, square: to });
    return [what, ...choices].filter(Boolean).join(", ");
  }
}
