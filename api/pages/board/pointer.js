/** pointer.js - presses, drags and taps on a board, by mouse, finger or pen. */
import { rootOf } from "./dom.js";

/** @typedef {import("./surface.js").Surface} Surface */

const DRAG_PX = 4;  // a press that moves less is a tap
const TAP_MS = 700; // a click so soon after a tap belongs to it

/**
 * What is done on a board. A click is the name of a square, or the `click` of a man in a hand.
 * @typedef {object} Deeds
 * @property {(click: string) => {holds: boolean, fresh: boolean} | null} press
 *   begins a press: whether a man is held by it, and whether it has done something, so that a tap does no
 *   more; null: nothing can be pressed
 * @property {(click: string) => void} tap     ends a press where it began
 * @property {(click: string) => void} click   a press that had no pointer: a key, or a screen reader
 * @property {(square: string | null) => void} drop  ends a drag; null: beside the board
 * @property {() => void} lift                 raises the man that is held
 * @property {() => void} cancel
 * @property {(square: string | null) => boolean} isAim  whether what is picked may go there
 * @property {() => boolean} isPast            whether the board shows the past
 * @property {(square: string | null) => void} point   a pointer that needs no press is over a square
 */

/** What is under an element that pointers meet. */
function clickOf(target) {
  const { square, click } = target?.closest?.("[data-square], [data-click]")?.dataset ?? {};
  return square ?? click ?? null;
}

export class Pointer {
  #frame;
  #surface;
  #deeds;
  #press = null;
  #handled = -Infinity; // when a press was handled: the click behind it is not another one
  #tapped = false;      // whether a finger was handled that is not off the screen yet
  #hovered = null;

  /**
   * @param {HTMLElement} frame
   * @param {Surface} surface
   * @param {Deeds} deeds
   */
  constructor(frame, surface, deeds) {
    this.#frame = frame;
    this.#surface = surface;
    this.#deeds = deeds;
    const hear = (type, handle, options) => frame.addEventListener(type, handle, options);
    hear("pointerdown", (event) => this.#down(event));
    hear("pointermove", (event) => this.#move(event));
    hear("pointerup", (event) => this.#up(event));
    for (const type of ["pointercancel", "lostpointercapture"])
      hear(type, (event) => { if (event.pointerId === this.#press?.id) this.release(true); });
    hear("contextmenu", (event) => {
      if (this.#press?.touch && this.#press.holds) event.preventDefault();
      else this.release(true);
    });
    hear("click", ({ target, timeStamp }) => {
      const click = clickOf(target);
      if (click !== null && timeStamp - this.#handled >= TAP_MS) deeds.click(click);
    });
    hear("touchend", (event) => { // or else a second tap zooms
      if (event.cancelable && this.#tapped) event.preventDefault();
      this.#tapped = false;
    }, { passive: false });
    hear("dragstart", (event) => event.preventDefault());
    hear("pointerover", ({ pointerType, target }) => // a finger is not over anything
      deeds.point(pointerType === "touch" ? null : target.dataset.square ?? null));
    hear("pointerleave", () => deeds.point(null));
  }

  get isDown() { return this.#press !== null; }
  get drags() { return !!this.#press?.drags; }

  #down(event) {
    if (this.#press) {
      if (event.pointerId !== this.#press.id) this.release(true); // a second finger
      return;
    }
    const click = clickOf(event.target), pressed = event.button === 0 && click !== null ? this.#deeds.press(click) : null;
    if (!pressed) return;
    const { pointerId: id, clientX: x, clientY: y, pointerType } = event;
    this.#press = { id, click, x, y, ...pressed, touch: pointerType === "touch" };
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
    this.#deeds.lift();
    press.drags = true;
    const { ghost } = this.#surface.ghost;
    for (const motion of ghost.getAnimations()) motion.cancel();
    ghost.classList.add("held");
    this.#frame.classList.add("dragging");
    this.#frame.classList.toggle("touch", press.touch);
  }

  #hover(square) {
    const cell = this.#deeds.isAim(square) ? this.#surface.cells.get(square)?.cell : null;
    if (cell === this.#hovered) return;
    this.#hovered?.part.remove("over");
    cell?.part.add("over");
    this.#hovered = cell;
  }

  #up(event) {
    const press = this.#press;
    if (press?.id !== event.pointerId) return;
    const square = this.#surface.squareAt(event.clientX, event.clientY);
    const stayed = this.#clickAt(event) === press.click;
    this.release();
    this.#handled = event.timeStamp;
    this.#tapped = press.touch;
    if (press.drags) return void this.#deeds.drop(square);
    if (press.fresh || !stayed && !this.#deeds.isPast()) return; // what cannot be dragged in the past is told like a tap
    this.#deeds.tap(press.click);
  }

  /** What is under a pointer that is captured. */
  #clickAt({ clientX, clientY }) { return clickOf(rootOf(this.#frame).elementFromPoint(clientX, clientY)); }

  /** Ends a press, also one that drags; with `back`, the man returns. */
  release(back = false) {
    const press = this.#press;
    if (!press) return;
    this.#press = null;
    this.#frame.classList.remove("dragging", "touch");
    this.#surface.ghost?.ghost.classList.remove("held");
    this.#hover(null);
    try { this.#frame.releasePointerCapture(press.id); } catch { /* it is gone */ }
    if (back && press.drags) this.#deeds.cancel();
  }
}
