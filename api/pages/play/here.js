/** here.js - the game of this page, and its board. */
import { PlydBoard } from "../board.js";
import { boardWords, lang } from "../page/words.js";
import { el, plyd } from "../page.js";

export const id = location.pathname.split("/")[2];
export const INCLUDE = "board,legal_tree";

/** An invitation, or the key of a seat. It is taken out of the address, so that nobody reads it there. */
function takeFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("key")) {
    plyd.keys.remember(id, given.get("key"));
    history.replaceState(null, "", location.pathname);
  }
  return given.get("invitation");
}

/** What may be used to join: it stood behind the # of the address. */
export const invitation = takeFragment();
export const game = plyd.game(id, { include: INCLUDE });

PlydBoard.words[lang] ??= boardWords;
export const board = el("plyd-board", { premove: true });
