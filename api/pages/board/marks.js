/** marks.js - the labels and marks of squares and of men in hands: all that follows from what is shown and picked. */
import { arrange, el, keyOf, set } from "./dom.js";
import { words } from "./words.js";

/**
 * @typedef {import("../plyd.js").Board} Board
 * @typedef {import("./speech.js").Speech} Speech
 * @typedef {import("./surface.js").Surface} Surface
 */

/**
 * What is marked. A click is the name of a square, or the `click` of a man in a hand.
 * @typedef {object} Marked
 * @property {Board["marks"]} marks     those of the position
 * @property {string | null} picked     the click that was picked
 * @property {string | null} spot       where it stands now
 * @property {Set<string>} aims         where it may go
 * @property {Set<string>} refused      squares that prove why not
 * @property {Set<string>} must         what others must do first
 * @property {string[]} hint            the clicks of a hint
 * @property {string[]} premove         those of a move that was made ahead
 * @property {string | null} pending    where a man stands whose move is on its way
 * @property {((click: string) => boolean) | null} canPick  null: as it was; a short while changes nothing
 */

/**
 * Marks and labels each square on which something has changed: labels are dear on a board of 676 squares.
 * @param {Surface} surface
 * @param {Speech} speech
 * @param {Marked} marked
 */
export function markSquares(surface, speech, marked) {
  const { symbols } = surface, { lang } = speech, marks = Object.entries(marked.marks ?? {});
  for (const [name, place] of surface.cells) {
    const { cell, square } = place, parts = ["square"], { men } = square, spoken = [], isSpot = marked.spot === name;
    const say = (part, on = true, word = part) => {
      if (!on) return;
      parts.push(part);
      if (word in words.en) spoken.push(speech.say(word));
    };
    say("other", surface.isOther(place), "");
    for (const zone of square.zones ?? []) parts.push(`zone-${zone}`);
    say("occupied", !!men, "");
    for (const [mark, squares] of marks) say(mark, squares.includes?.(name));
    say("selected", isSpot || marked.picked === name);
    if (marked.canPick) cell.isMovable = marked.canPick(name);
    say("movable", cell.isMovable, "");
    say("target", marked.aims.has(name));
    say("refused", marked.refused.has(name));
    say("must", marked.must.has(name));
    say("hint", marked.hint.includes(name));
    say("premove", marked.premove.includes(name));
    say("pending", marked.pending === name, "");
    const key = [lang, name, place.label, isSpot, parts.join(" "), men ? keyOf(men) : ""].join(":");
    if (cell.key === key && cell.symbols === symbols) continue;
    Object.assign(cell, { key, symbols });
    cell.classList.toggle("zoned", surface.zoneOf(square) !== undefined);
    set(cell, "part", parts.join(" "));
    set(cell, "aria-selected", isSpot ? "true" : null);
    set(cell, "aria-label", [place.label, speech.content(square), ...spoken].filter(Boolean).join(", "));
  }
}

/**
 * @param {Surface} surface
 * @param {Marked} marked
 */
export function markHands(surface, { picked, hint, premove, canPick }) {
  for (const kept of surface.kept) {
    const { click } = kept.dataset, parts = ["hand-man", `seat-${kept.man.seat}`, kept.man.name];
    const isPicked = click !== undefined && picked === click;
    if (canPick) kept.isMovable = click !== undefined && canPick(click);
    if (kept.isMovable) parts.push("movable");
    if (isPicked) parts.push("selected");
    if (click && hint.includes(click)) parts.push("hint");
    if (click && premove.includes(click)) parts.push("premove");
    set(kept, "part", parts.join(" "));
    set(kept, "aria-pressed", isPicked ? "true" : "false");
  }
}

/**
 * The men in the hands: the hand of the side at the bottom is below the board.
 * @param {Surface} surface
 * @param {Speech} speech
 * @param {Board} board
 */
export function fillHands(surface, speech, board) {
  const { far, near, flipped } = surface;
  for (const [stand, seat] of [[far, flipped ? 1 : 2], [near, flipped ? 2 : 1]]) {
    const men = board.hands?.[seat] ?? [];
    stand.hidden = !board.hands;
    set(stand, "part", `hand seat-${seat}`);
    set(stand, "aria-label", speech.say("hand", { side: speech.side(seat) }));
    const old = new Map([...stand.children].map((kept) => [kept.dataset.piece + kept.dataset.seat, kept]));
    arrange(stand, men.map((man) => fillKept(surface, speech, old.get(man.piece + seat), man)));
  }
}

/** A man in a hand: the element that it has, or a new one. */
function fillKept(surface, speech, old, man) {
  const { symbols } = surface, kept = old ?? el("button", { class: "kept", type: "button" });
  if (kept.symbols !== symbols) {
    const count = el("span", { class: "count", part: "count", "aria-hidden": "true" });
    kept.replaceChildren(surface.picture([man]), count);
  }
  Object.assign(kept, { man, symbols });
  Object.assign(kept.dataset, { seat: man.seat, piece: man.piece });
  if (man.click) kept.dataset.click = man.click;
  else delete kept.dataset.click;
  kept.classList.toggle("turned", surface.turns(man.seat));
  kept.lastChild.textContent = man.count;
  kept.lastChild.hidden = man.count < 2;
  set(kept, "aria-label", speech.say("hand_man", { name: speech.nameOf(man), count: man.count }));
  return kept;
}
