/** embed.js - a board in a frame of another page. It only watches: a click there must not play a move. */
import { Plyd } from "./plyd.js";
import "./board.js";

const nothing = { length: 0, key: () => null, getItem: () => null, setItem() {}, removeItem() {} };
const board = document.createElement("plyd-board");
board.setAttribute("controls", "bar");
document.getElementById("frame").append(board);
board.game = new Plyd({ storage: nothing }).game(location.pathname.split("/")[2], { include: "board,legal_tree" });
