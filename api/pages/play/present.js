/**
 * present.js - whether both players have the game before them. It is off until one switches it on, on this device. Then
 * the other player sees that one is here, and one sees that they are, if they have it on, too.
 */
import { at, keep, kept } from "../page.js";
import { yours } from "../page/words.js";
import { game } from "./here.js";

const AGAIN_MS = 25_000; // what was told counts for a minute

let here = [];       // the seats whose players are here
let isTold = false;  // whether the server was told that one is here
let timer = null;
let changed = () => {};

/** Whether it is known that the player of a seat has the game before them. */
export const isHere = (seat) => here.includes(seat);

/** Whether somebody else plays, who could be told. */
const isOffered = (state) => yours(state).length === 1 && state.seats.every((seat) => seat.state === "taken" && !seat.engine);

const isWanted = () => Boolean(game.state) && isOffered(game.state) && kept("here") === "on" && document.visibilityState === "visible";

function know(seats) {
  if (seats.join() === here.join()) return;
  here = seats;
  changed();
}

/** Tells how it is now. If two requests overtake each other, a minute ends what is wrong. */
async function tell() {
  clearTimeout(timer);
  const wanted = isWanted(), method = wanted ? "PUT" : "DELETE";
  if (!wanted) know([]);
  if (!wanted && !isTold) return;
  isTold = wanted;
  const answer = await game.request(method, "/here", { deadline: 5000, keepalive: !wanted }).catch(() => null);
  if (!isWanted()) return;
  know(answer?.here ?? []);
  clearTimeout(timer);
  timer = setTimeout(tell, AGAIN_MS);
}

/** The page shows this state. `drawn` is called when it is known anew who is here. */
export function showPresence(state, drawn) {
  changed = drawn;
  at("here-field").hidden = !isOffered(state);
  if (isWanted() !== isTold) tell();
}

at("here").checked = kept("here") === "on";
at("here").addEventListener("change", () => {
  keep("here", at("here").checked ? "on" : null);
  tell();
});
document.addEventListener("visibilitychange", tell);
