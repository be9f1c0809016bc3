/**
 * board.js - <plyd-board>: a game of plyd on any page. docs/board.md describes its attributes, events
 * and parts.
 *
 * Nothing here knows a game. The squares and men come from the `board` of a state, what may be clicked
 * from its `legal_tree`, motion from the effects of moves, names from the catalogue, and the pictures
 * from men.svg. A click is the name of a square, or the `click` of a man in a hand.
 */
import { Choices, fillBar } from "./board/buttons.js";
import { el, keyOf, set } from "./board/dom.js";
import { Keys } from "./board/keys.js";
import { fillHands, markHands, markSquares } from "./board/marks.js";
import { clicksTo, Picker } from "./board/picker.js";
import { symbolsOf } from "./board/pictures.js";
import { Pile } from "./board/pile.js";
import { Pointer } from "./board/pointer.js";
import { chime } from "./board/sounds.js";
import { Speech } from "./board/speech.js";
import { sheet } from "./board/style.js";
import { Surface } from "./board/surface.js";
import { words } from "./board/words.js";
import { Plyd, PlydError } from "./plyd.js";

/**
 * @typedef {import("./plyd.js").GameState} GameState
 * @typedef {import("./plyd.js").Move} Move
 * @typedef {import("./plyd.js").Variant} Variant
 */

const HERE = new URL(import.meta.url).origin;
const INCLUDE = "board,legal_tree";

const clients = new Map();

/** One client for all boards of a server, so that they share what it has loaded, and its streams. */
function clientOf(server) {
  if (!clients.has(server)) clients.set(server, new Plyd({ server }));
  return clients.get(server);
}

const SOURCE = ["game", "server", "token", "variant", "position"];
const TEXTS = [...SOURCE.slice(1), "seat", "ply", "line", "theme", "men", "coords", "notation", "controls", "hands"];
const FLAGS = ["confirm", "premove", "sound", "vibrate"];
const RICH = ["game", "state", "catalogue", "plyd"];

/**
 * The properties that are attributes, which are defined below.
 * @typedef {Record<"server" | "token" | "variant" | "position" | "seat" | "ply" | "line" | "theme" | "men" | "coords" | "notation" |
 *   "controls" | "hands", string | null> & Record<"confirm" | "premove" | "sound" | "vibrate", boolean>} Attributes
 */
const Attributed = /** @type {new () => HTMLElement & Attributes} */ (/** @type {unknown} */ (HTMLElement));

export class PlydBoard extends Attributed {
  static observedAttributes = [...SOURCE, "seat", "ply", "line", "theme", "men", "notation", "controls", "hands", "lang"];
  static words = words;

  #surface = new Surface();
  #picker = new Picker();
  #choices = new Choices(this.#surface);
  #speech = new Speech(this, this.#surface, () => ({ state: this.#state, catalogue: this.#catalogue, notation: this.notation }));
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
  #ahead = null;       // the clicks of a move that is to be made ahead, if one is asked about it
  #sending = false;
  #connection = null;
  #failure = null;
  #spoken = "";
  #turned = false;
  #round = 0;          // counts the sources, so that answers for an earlier one are dropped
  #due = new Set();
  #leave = () => {};

  #status = el("div", { class: "status", part: "status" });
  #pile = new Pile(this.#surface);
  #bar = el("div", { class: "bar", part: "bar", role: "group", hidden: "" });
  #live = el("div", { class: "live", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  #help = el("div", { class: "live", id: "help" });
  #probe = el("div", { class: "probe" });
  #frame = el("div", { class: "frame", part: "frame", hidden: "" });
  #fallback = el("slot");
  #pointer;
  #keys;

  constructor() {
    super();
    const { far, near, field, defs } = this.#surface;
    this.#frame.append(far, field, near, this.#status, this.#pile.element, this.#bar, this.#help, this.#probe);
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    root.append(this.#fallback, this.#frame, this.#live, defs);
    this.#pointer = new Pointer(this.#frame, this.#surface, this.#pointed);
    this.#keys = new Keys(this.#frame, this.#surface, this.#typed);
    this.#probe.addEventListener("transitionend", () => this.#soon("theme")); // whatever has changed it
    this.#frame.addEventListener("focusin", ({ target }) => this.#focused(target));
  }

  connectedCallback() {
    for (const name of [...RICH, ...TEXTS, ...FLAGS]) { // set before this class was defined
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    const blur = () => this.#pointer.release(true);
    addEventListener("blur", blur);
    this.#leave = () => removeEventListener("blur", blur);
    this.#soon("source");
  }

  disconnectedCallback() {
    this.#pointer.release(true);
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
   * @type {GameState & {moves?: Move[]} | null}
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
    on("premove", () => this.#shown && this.#show());
    on("refused", (error) => this.#refused(error));
    on("connection", (connection) => {
      const lost = connection === "offline", was = this.#connection === "offline";
      this.#connection = connection;
      if (lost !== was) this.#speak(lost ? this.#speech.say("offline") : this.#statusText());
      this.#write();
      this.#emit("plyd-connection", connection);
    });
    this.#stop = () => controller.abort();
    if (game.state?.board) await this.#take(game.state, []);
    else {
      const trouble = () => this.#shown || this.#fail(new Error(this.#speech.say("offline")));
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
    this.#playAhead();
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
    else this.ply = String(Math.max(0, ply));
    this.#emit("plyd-look", { ply: this.ply === null ? null : Number(this.ply), line: this.line });
  }

  // -- drawing --

  get #view() { return this.#behind ?? this.#state; }

  #draw(effects) {
    const view = this.#view, surface = this.#surface;
    if (!view?.board || !this.#catalogue) return;
    const flipped = (this.#bottom() === 2) !== this.#turned, turning = surface.flipped !== flipped;
    const hexagons = this.#catalogue.board?.tiling === "hexagons";
    const anew = surface.lay(view.board, hexagons, flipped, this.#speech.isWritten ? this.#catalogue.board.written : null);
    this.#frame.style.setProperty("--w", surface.width);
    this.#frame.style.setProperty("--h", surface.height);
    this.#frame.classList.toggle("opposite", this.#catalogue.board?.coordinates === "digit-letter");
    this.#frame.classList.toggle("facing", !!this.#catalogue.facing);
    this.#frame.classList.toggle("beside", this.hands === "beside" && !!view.board.hands);
    if (turning || anew || !this.#shown) surface.pave();
    this.#frame.hidden = surface.field.hidden = false;
    this.#fallback.hidden = true;
    this.#failure = null;
    fillHands(surface, this.#speech, view.board);
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

  /** Marks, labels, choices: everything that follows from what is picked. */
  #show() {
    this.#mark();
    this.#offer();
    this.#write();
  }

  #mark() {
    const { path, tree, isSingle } = this.#picker, surface = this.#surface, { grid, cells } = surface, { marks } = this.#view.board;
    const hint = this.#behind ? [] : this.#hint?.clicks ?? [], premove = this.#behind ? [] : this.#ahead ?? this.#premove ?? [];
    const marked = {
      marks, hint, premove, aims: this.#aims, spot: this.#spot() ?? null, picked: path[0] ?? null,
      refused: new Set(this.#refusal?.squares), must: new Set(this.#refusal?.must),
      pending: this.#sending ? surface.ghost?.square ?? null : null,
      canPick: this.#sending ? null : (click) => this.#canHold(click) || (isSingle && click in tree),
    };
    markSquares(surface, this.#speech, marked);
    markHands(surface, marked);
    if (!grid.querySelector("[tabindex='0']")) this.#keys.rove(grid.querySelector("[data-square]"));
    set(grid, "aria-label", this.#speech.say("board", { title: this.#catalogue.title }));
    this.#help.textContent = this.#speech.say("help");
    const squares = (clicks) => clicks.filter((click) => cells.has(click));
    surface.trace([path.length > 0 ? squares(path) : marks?.last ?? []], squares(hint), squares(premove));
  }

  // -- words --

  #statusText() {
    const state = this.#state, behind = this.#behind;
    if (this.#failure) return this.#failure;
    if (this.#refusal) return this.#refusalText();
    if (!state?.board || !this.#catalogue) return "";
    if (this.#connection === "offline") return this.#speech.say("offline");
    if (behind) return this.#speech.say(behind.ply > 0 ? "behind" : "start", { ply: behind.ply, tip: state.ply });
    if (state.outcome) return this.#speech.ending(state.outcome);
    if (state.status === "aborted" || state.status === "open") return this.#speech.say(state.status);
    if (this.#sending) return this.#speech.say("sending");
    if (this.#hint) return this.#hint.text();
    if (this.#premove) return this.#aheadText(this.#premove);
    if (!state.to_move) return "";
    const who = this.#isAlone(state.to_move) ? this.#speech.say("yours")
      : this.#speech.say(state.seats?.[state.to_move - 1]?.level ? "thinking" : "turn", { side: this.#speech.who(state.to_move) });
    return state.check ? this.#speech.say("checked", { who }) : who;
  }

  /** Whether one plays this seat, and no other. */
  #isAlone(seat) { return this.#state.you?.seats.join() === String(seat); }

  /** All men of the stack that one looks at: that is under the pointer, or was picked, pressed or focused. */
  #writePile() {
    const { cells } = this.#surface;
    const isStack = (square) => cells.get(square)?.square.men?.length > 1;
    const square = [this.#over, this.#picker.path[0], this.#pressed].find(isStack);
    this.#pile.element.hidden = !this.#catalogue?.features?.includes("stacks");
    if (square) this.#pile.show(this.#speech.place(square), cells.get(square).square.men, (men) => this.#speech.namesOf(men));
    else this.#pile.clear();
  }
  #over = null;    // the square under the pointer
  #pressed = null; // the square that was pressed or has the focus

  /** What is said beside how the game stands: why something cannot be done, or a hint. */
  get #note() {
    if (this.#failure || this.#refusal) return { text: this.#failure ?? this.#refusalText(), isRefused: true };
    return { text: this.#hint?.text() ?? (this.#premove ? this.#aheadText(this.#premove) : ""), isRefused: false };
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
    const said = moves.map((move) => this.#speech.played(move));
    if (state.outcome) said.push(this.#statusText());
    else {
      if (state.check) said.push(this.#speech.say("in_check"));
      if (this.#isAlone(state.to_move)) said.push(`${this.#speech.say("yours")}.`);
    }
    this.#speak(said.join(" "));
    if (!state.outcome) this.chime(state.check ? "check" : moves.some(({ effects }) => effects?.some(({ type }) => type === "capture")) ? "take" : "move");
  }

  /** Plays a sound, if the board has `sound`: "move", "take", "check", "end" or "low" (of time). */
  chime(kind) { if (this.sound) chime(kind); }

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

  /** Whether something can be picked up there: what the tree goes on from, and every man of one's own. */
  #canHold(click) {
    const node = this.#picker.tree[click];
    if (node !== undefined) return typeof node === "object";
    const man = this.#surface.manAt(click);
    return !!man && !this.#picker.isSingle && this.#isMine(man.seat);
  }

  #shortcuts() { return this.#picker.shortcuts((key) => this.#surface.has(key)); }

  /** What can be clicked now that something is picked: the next click, or the last one where that is enough. */
  get #aims() {
    const { path, next } = this.#picker;
    return new Set(path.length > 0 ? [...next, ...this.#shortcuts().keys()] : []);
  }

  /** Where the man that is picked stands now. */
  #spot() { return this.#picker.path.findLast((click) => this.#surface.has(click)); }

  #stillHeld() {
    const { path } = this.#picker, man = this.#surface.manAt(path[0]);
    if (path.length === 0 || !man || keyOf([man]) !== this.#heldKey) return false;
    return path.length === 1 || this.#picker.at(path) !== undefined;
  }
  #heldKey = "";

  // -- picking --

  /** What a click, a tap, Enter or the end of a drag does. */
  #tap(click) {
    if (this.#takeBack()) return;
    const { picker } = this.#clear(), { node, path } = picker;
    this.#hint = null;
    if (typeof node === "object" && click in node) return this.#advance(click);
    if (path.length > 0 && click === this.#spot()) return node?.[""] === undefined ? this.#cancel() : this.#advance("");
    const way = this.#shortcuts().get(click);
    if (way) return this.#advance(...way);
    if (click in picker.tree || this.#canHold(click)) return this.#pick(click);
    if (path.length > 0 || picker.isSingle || picker.wasSingle && this.#mayMakeAhead) return void this.#why([...path, click]);
    if (this.#behind) this.#refuse({ message: this.#speech.say("past") });
    if (this.#waits(this.#surface.manAt(click))) this.#refuse({ message: this.#speech.say("turn", { side: this.#speech.who(this.#state.to_move) }) });
    return this.#emit("plyd-select", { square: click, clicks: [], next: [] });
  }

  #clear() {
    if (this.#refusal) {
      this.#refusal = null;
      this.#show();
    }
    return { picker: this.#picker };
  }

  #pick(...clicks) {
    this.#drop();
    this.#surface.dropGhost();
    return this.#advance(...clicks);
  }

  #advance(...clicks) {
    const picker = this.#picker;
    if (picker.path.length === 0) this.#heldKey = keyOf([this.#surface.manAt(clicks[0])].filter(Boolean));
    picker.path.push(...clicks);
    picker.force((key) => this.#surface.has(key));
    this.#walk();
    if (typeof picker.node === "string" && !this.confirm) return this.#finish(picker.node);
    this.#show();
    if (this.#isChoosing) this.#choices.focus();
    else this.#speakPick();
    if (picker.node === undefined) this.#whyStuck(clicks[0]);
    return this.#emit("plyd-select", { square: this.#spot(), clicks: [...picker.path], next: picker.next });
  }

  #speakPick() {
    const { path } = this.#picker, man = this.#surface.manAt(path[0]);
    const men = this.#surface.cells.get(path[0])?.square.men ?? [man];
    const place = this.#speech.place(this.#spot()), what = man ? `${this.#speech.namesOf(men)} ${place}` : place;
    const count = [...this.#aims].filter((key) => this.#surface.has(key)).length;
    this.#speak(this.#speech.say(count > 0 ? "picked" : this.#mayMakeAhead ? "ahead_pick" : "stuck", { what, count }));
  }

  /** The man goes where it was clicked to, before the move is whole. */
  #walk() {
    const { path } = this.#picker, spot = this.#spot(), man = this.#surface.manAt(path[0]);
    if (path.length < 2 || spot === path[0] || !man || !this.#surface.cells.has(spot)) return;
    this.#surface.moving = true;
    if (!this.#surface.ghost) this.#surface.lift(path[0], man);
    this.#surface.send(spot);
  }

  #finish(move, clicks = [...this.#picker.path]) {
    const detail = { move, clicks };
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
    if (this.#pointer.drags) this.#pointer.release();
  }

  #cancel(quiet = false) {
    if (this.#picker.path.length === 0 && !this.#ahead && !this.#pointer.isDown) return;
    this.#ahead = null;
    this.#surface.moving = true;
    this.#surface.dropGhost(true);
    this.#drop();
    this.#show();
    if (quiet) return;
    this.#speak(this.#speech.say("cancelled"));
    this.#emit("plyd-select", { square: null, clicks: [], next: [] });
  }

  /** Whether a move is on its way. News of it may come before its answer, so the end of it may be all that is new. */
  #pending() {
    const sending = this.#game.pending.length > 0;
    if (sending === this.#sending) return;
    this.#sending = sending;
    this.#draw([]);
    this.#playAhead();
  }

  // -- moves that are made ahead --

  /** The clicks of the move that waits for one's turn; null: none, or nothing is drawn yet that could tell of it. */
  get #premove() { return this.premove && this.#shown ? this.#game?.premove ?? null : null; }

  /** Whether one waits for one's turn at the one seat that one plays. */
  get #mayMakeAhead() {
    const { you, to_move } = this.#state;
    return this.premove && !!this.#game && this.#isLive && !this.#sending && you?.seats.length === 1 && !you.seats.includes(to_move);
  }

  #makeAhead(clicks) {
    if (this.confirm) this.#ahead = clicks;
    else this.#keepAhead(clicks);
    this.#show();
    if (this.#ahead) this.#choices.focus();
  }

  #keepAhead(clicks) {
    this.#ahead = null;
    this.#game.setPremove(clicks);
    this.#speak(this.#aheadText(clicks));
  }

  #aheadText(clicks) { return this.#speech.say("ahead", { what: this.#speech.toPlay(clicks) }); }

  /** Gives up what was made ahead: whether there was something. */
  #takeBack() {
    if (!this.#premove && !this.#ahead) return false;
    if (this.#premove) this.#game.setPremove(null);
    this.#cancel(true);
    this.#show();
    this.#speak(this.#speech.say("cancelled"));
    return true;
  }

  #finishAhead(move, way) {
    if (!this.#behind) {
      this.#picker.path = [...way];
      this.#walk();
    }
    this.#finish(move, way);
  }

  /**
   * Plays what was made ahead when its turn has come. It is in the outbox before it is forgotten, so nothing that ends this page loses
   * it; and it has one ply, so what another tab sends is the same move.
   */
  #playAhead() {
    const clicks = this.#premove, state = this.#state;
    if (!clicks || this.#sending || !state.legal_tree || !state.you.seats.includes(state.to_move)) return;
    const tree = new Picker(), isSquare = (key) => this.#surface.cells.has(key);
    tree.tree = state.legal_tree.tree;
    const way = tree.wayBy(clicks, isSquare), move = way && tree.at(way);
    if (typeof move === "string") this.#finishAhead(move, way);
    this.#game.setPremove(null);
    if (typeof move === "string") return;
    if (way && !this.#behind) this.#pick(...way); // one chooses how it goes on
    else this.#refuse({ message: this.#speech.say("ahead_gone", { what: this.#speech.toPlay(clicks) }) });
  }

  // -- refusals --

  /** Has the server say why a click leads nowhere. */
  async #why(clicks) {
    this.#cancel(true);
    if (this.#mayMakeAhead) this.#makeAhead(clicks);
    else if (!this.#mayMove()) {
      if (this.#isLive && !this.#sending) this.#refuse({ message: this.#speech.say("wait") });
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

  #refusalText() { return (this.#speech.isWritten && this.#refusal.written) || this.#refusal.text; }

  // -- hints --

  get #mayHint() { return !!this.#shown && this.#mayMove() && !!this.#game && !!this.#state.you?.may.includes("hint"); }

  /** Asks the engine for a move, shows it on the board and says it. Does nothing where that is not allowed. */
  async hint() {
    const state = this.#state;
    if (!this.#mayHint) return;
    this.#cancel(true);
    this.#setHint({ clicks: [], text: () => this.#speech.say("seeking") });
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
    if (answer === "declare") return { clicks: [], text: () => this.#speech.say("hinted", { what: this.#speech.say("claim") }) };
    if (answer !== "move") return { clicks: [], text: () => this.#speech.say("no_hint") };
    const clicks = clicksTo(move, this.#state.legal_tree?.tree ?? {}) ?? [];
    return { clicks, text: () => this.#speech.say("hinted", { what: this.#speech.toPlay(clicks) || move }) };
  }

  // -- choices --

  /** Whether nothing but a choice leads on. */
  get #isChoosing() {
    const { next, path, node } = this.#picker;
    return typeof node === "string" || this.#ahead !== null ||
      (path.length > 0 && next.length > 0 && !next.some((key) => this.#surface.has(key)));
  }

  /** What leads on and is no square; or whether to play the move. */
  get #offers() {
    const { next, node } = this.#picker, play = this.#speech.say("confirm"), ahead = this.#ahead;
    const sure = (run) => [{ label: play, run }, { label: this.#speech.say("cancel"), run: () => this.#cancel() }];
    if (ahead) return sure(() => this.#keepAhead(ahead));
    if (typeof node === "string") return sure(() => this.#finish(node));
    const keys = next.filter((key) => !this.#surface.has(key));
    const counted = keys.some(isNumber);
    return this.#ranked(keys).map((key) => {
      const men = counted ? this.#goers(key) : [];
      return { label: this.#labels[key] ?? (key || play), run: () => this.#advance(key), men, told: men.length > 0 ? this.#speech.namesOf(men) : "" };
    });
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
    const offers = this.#offers;
    if (offers.length === 0 && this.#choices.hasFocus) this.focus();
    this.#choices.show(offers, this.#surface.cells.get(this.#ahead?.at(-1) ?? this.#spot()));
    set(this.#surface.choices, "aria-label", this.#speech.say("choose"));
  }

  // -- pointers and keys --

  #pointed = {
    press: (click) => {
      if (!this.#view) return null;
      this.#pressed = click;
      const tookBack = this.#takeBack(), { picker } = this.#clear(), spot = this.#spot();
      const holds = !this.#aims.has(click) && (this.#canHold(click) || (click === spot && picker.path.length > 0));
      const isPicked = holds && click !== spot;
      this.#hint = null;
      if (isPicked) this.#pick(click);
      this.#writePile();
      return { holds, fresh: isPicked || tookBack };
    },
    tap: (click) => this.#tap(click),
    click: (click) => {
      this.#tap(click);
      this.#keys.aim(this.#picker.next);
    },
    drop: (square) => {
      const { path } = this.#picker;
      if (square !== null && this.#aims.has(square)) return this.#tap(square);
      if (square === null || square === this.#spot() || path.length === 0) return this.#cancel();
      return void this.#why([...path, square]);
    },
    lift: () => {
      const [click] = this.#picker.path;
      if (!this.#surface.ghost) this.#surface.lift(click, this.#surface.manAt(click));
    },
    cancel: () => this.#cancel(),
    isAim: (square) => this.#aims.has(square),
    isPast: () => this.#behind !== null,
    point: (square) => {
      this.#over = square;
      this.#writePile();
    },
  };

  #typed = {
    tap: (square) => this.#tap(square),
    escape: () => {
      if (this.#takeBack()) return true;
      if (this.#picker.path.length === 0 && !this.#refusal) return false;
      this.#clear();
      this.#cancel();
      return true;
    },
    picks: () => {
      const { path, tree } = this.#picker;
      return path.length > 0 ? this.#aims : new Set(Object.keys(tree));
    },
    repeat: () => this.#repeat(),
  };

  #focused({ dataset: { square = null } }) {
    if (square !== null) this.#keys.rove(this.#surface.cells.get(square).cell);
    this.#pressed = square;
    this.#writePile();
  }

  // -- the bar --

  #drawBar() {
    const bar = this.#bar, wanted = this.controls === "bar" && !!this.#state;
    bar.hidden = !wanted;
    if (!wanted) return;
    const present = this.#state.ply ?? 0, ply = this.#behind?.ply ?? present;
    const button = (name, sign, run, isOn, isShown = true) => ({ sign, label: this.#speech.say(name), run, isOn, isShown });
    const mayAsk = !!this.#state.you?.may.includes("hint") && !this.#state.outcome;
    fillBar(bar, [
      button("first", "«", () => this.#go(0), ply > 0),
      button("prev", "‹", () => this.#go(ply - 1), ply > 0),
      button("next", "›", () => this.#go(ply + 1), ply < present),
      button("latest", "»", () => this.#go(present), ply < present),
      button("flip", "⇅", () => this.flip(), true),
      button("ask", "?", () => this.hint(), this.#mayHint, mayAsk),
    ]);
  }

  #emit(type, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(type, { detail, cancelable, bubbles: true, composed: true }));
  }
}

const isNumber = (key) => /^\d+$/.test(key);
const countOf = (key) => (isNumber(key) ? Number(key) : 1);

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

