/**
 * present.js - whether both players have the game before them. It is off until one switches it on, on this device. Then
 * the other player sees that one is here, and one sees that they are, if they have it on, too.
 */
import { at, keep, kept } from "./page.js";
import { yours } from "./page/words.js";

const AGAIN_MS = 25_000; // what was told counts for a minute

let game = null;
let here = [];         // the seats whose players are here
let isTold = false;    // whether the server was told that one is here
let isRefused = false; // it is not one's seat any more
let asking = null;     // the request that is under way, to be given up
let timer = null;
let changed = () => {};

/** Whether it is known that the player of a seat has the game before them. */
export const isHere = (seat) => here.includes(seat);

/** Whether somebody else plays, who could be told. */
const isOffered = (state) => yours(state).length === 1 && state.seats.every((seat) => seat.state === "taken" && !seat.engine);

const isOn = () => kept("here") === "on";

const isWanted = () => Boolean(game) && isOn() && !isRefused && isOffered(game.state) && document.visibilityState === "visible";

function know(seats) {
  if (seats.join() === here.join()) return;
  here = seats;
  changed();
}

async function say(method, options) {
  try {
    return (await game.request(method, "/here", { deadline: 5000, ...options }))?.here ?? [];
  } catch (error) {
    isRefused = [401, 403, 404].includes(error.status);
    return [];
  }
}

/** Tells how it is now, by one request after the other: what is said last is what is so. */
async function tell() {
  clearTimeout(timer);
  if (!isWanted()) {
    know([]);
    if (isTold) asking?.abort();
  }
  if (asking) return; // once that is answered, it is looked again
  for (let again = isWanted() || isTold; again; again = isWanted() !== isTold) {
    isTold = isWanted();
    asking = new AbortController();
    const seats = await (isTold ? say("PUT", { signal: asking.signal }) : say("DELETE", { keepalive: true }));
    know(isWanted() ? seats : []);
  }
  asking = null;
  if (isWanted()) timer = setTimeout(tell, AGAIN_MS);
}

/** The page shows the state of this game. `drawn` is called when it is known anew who is here. */
export function look(shown, drawn) {
  game = shown;
  changed = drawn;
  at("here-field").hidden = !isOffered(game.state);
  if (isWanted() !== isTold) tell();
}

/** Another tab may have switched it. */
function follow() {
  if (at("here").checked === isOn()) return;
  at("here").checked = isOn();
  tell();
}

at("here").checked = isOn();
at("here").addEventListener("change", () => {
  keep("here", at("here").checked ? "on" : null);
  tell();
});
addEventListener("storage", follow);
document.addEventListener("visibilitychange", tell);
