/** read.js - how far the player has read the game, for their other devices. */
import { plyd } from "../page.js";
import { yours } from "../page/words.js";
import { game, id } from "./here.js";

const GLANCE_MS = 1000; // what is seen for a shorter time is not read

let marked = 0;   // the version that was told last
let timer = null;

const isNew = () => plyd.token && document.visibilityState === "visible" && yours(game.state).length > 0 && game.state.version > marked;

function mark() {
  timer = null;
  if (!isNew()) return;
  const { version } = game.state;
  marked = version;
  plyd.request("PUT", "/v1/me/read", { body: { games: { [id]: version } } }).catch(() => { marked = Math.min(marked, version - 1); });
}

/** The page shows the game's state. */
export function readSoon() {
  if (isNew()) timer ??= setTimeout(mark, GLANCE_MS);
}

document.addEventListener("visibilitychange", () => game.state && readSoon());
