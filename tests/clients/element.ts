// The types of the board element, as a page uses them.
import { Plyd, type GameState } from "./plyd.js";
import { PlydBoard } from "./board.js";

export async function show(server: string, id: string): Promise<PlydBoard> {
  const plyd = new Plyd({ server }), board: PlydBoard = document.createElement("plyd-board");
  board.plyd = plyd;
  board.game = plyd.game(id, { include: "board,legal_tree" });
  board.confirm = true;
  board.addEventListener("plyd-move", (event) => { if (event.detail.clicks.length > 9) event.preventDefault(); });
  board.addEventListener("plyd-end", ({ detail }) => console.log(detail.outcome?.reason, detail.state.ply));
  board.addEventListener("plyd-refused", ({ detail }) => console.log(detail.code));
  board.addEventListener("click", () => board.flip());
  await board.hint();
  const state: GameState | null = board.state;
  PlydBoard.words.de = { yours: `${state?.ply}` };
  return board;
}
