/** steps.js - arrow keys, wheel and swipes lead through the moves, from anywhere on the page. */
import { at } from "../page.js";
import { board, game } from "./here.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
/** What needs the keys for itself. */
export const TAKES_KEYS = "input, select, textarea, [contenteditable]";
const WHEEL_PX = 60, SWIPE_PX = 40;

let byPointer = true; // whether the last thing that was done was a press: the arrows of one who uses keys move the focus
let picked = false;   // whether a man is picked, whose way the arrows choose then

function stepByKey(event) {
  if (["Tab", "Enter", " "].includes(event.key)) byPointer = false;
  const by = STEPS[event.key], [target] = event.composedPath();
  if (!by || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || !game.state) return;
  if (target.matches?.(TAKES_KEYS) || target.closest?.("[data-square], .hand, .choices") && (!byPointer || picked)) return;
  event.preventDefault();
  event.stopPropagation();
  step(by);
}

let wheeled = 0;

/** Where the page itself does not scroll, the wheel over the board goes through the moves. */
function stepByWheel(event) {
  if (event.ctrlKey || document.documentElement.scrollHeight > innerHeight || !game.state) return;
  event.preventDefault();
  if (wheeled * event.deltaY < 0) wheeled = 0;
  wheeled += event.deltaMode === 0 ? event.deltaY : WHEEL_PX * Math.sign(event.deltaY);
  if (Math.abs(wheeled) < WHEEL_PX) return;
  step(Math.sign(wheeled));
  wheeled = 0;
}

let swipe = null; // where a finger went down

function beginSwipe(event) {
  const [{ clientX: x, clientY: y }, other] = event.touches;
  const holds = event.composedPath().some((node) => node.matches?.(`${TAKES_KEYS}, [part~=movable]`));
  swipe = other || holds ? null : { x, y };
}

function endSwipe({ changedTouches: [{ clientX, clientY }], touches }) {
  if (!swipe || touches.length > 0 || !game.state) return;
  const across = clientX - swipe.x, down = clientY - swipe.y;
  if (Math.abs(across) >= SWIPE_PX && Math.abs(across) > 2 * Math.abs(down)) step(-Math.sign(across));
}


/** Goes on by so many moves. @type {(by: number) => void} */
let step = () => {};

/** @param {(by: number) => void} go */
export function listenForSteps(go) {
  step = go;
  addEventListener("keydown", stepByKey, true);
  addEventListener("pointerdown", () => { byPointer = true; }, true);
  board.addEventListener("plyd-select", ({ detail: { clicks } }) => { picked = clicks.length > 0; });
  board.addEventListener("plyd-move", () => { picked = false; });
  at("stage").addEventListener("wheel", stepByWheel, { passive: false });
  at("play").addEventListener("touchstart", beginSwipe, { passive: true });
  at("play").addEventListener("touchend", endSwipe, { passive: true });
}
