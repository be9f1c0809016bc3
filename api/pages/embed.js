/** embed.js - a board in a frame of another page. It only watches: a click there must not play a move. */
import { PlydBoard } from "./board.js";
import { boardWords, lang, t } from "./page/words.js";
import { Plyd } from "./plyd.js";

const nothing = { length: 0, key: () => null, getItem: () => null, setItem() {}, removeItem() {} };
const id = location.pathname.split("/")[2];
const game = new Plyd({ storage: nothing, lang }).game(id, { include: "board,legal_tree" });
const frame = document.getElementById("frame"), board = /** @type {PlydBoard} */ (document.createElement("plyd-board"));

// The whole board is seen, whatever the frame's shape. A hand is about as high as a row.
game.addEventListener("state", ({ detail: { state } }) => {
  if (!state.board) return;
  const { width, height, hands } = state.board;
  frame.style.setProperty("--ratio", String(width / (height + (hands ? 2.2 : 0))));
});

PlydBoard.words[lang] ??= boardWords;
board.setAttribute("controls", "bar");
const link = Object.assign(document.createElement("a"),
                           { href: `/play/${id}`, target: "_blank", rel: "noopener", textContent: t("open-the-game") });
frame.append(board, link);
board.game = game;
