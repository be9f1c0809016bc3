/** names.js - how players are called whom a game does not name yet. */
import { plyd } from "../page.js";
import { challengedSeat } from "../page/words.js";

const names = new Map(); // promises, by the player's id

function nameOfPlayer(id) {
  if (!names.has(id))
    names.set(id, plyd.request("GET", `/v1/players/${id}`, { token: null, deadline: 5000 }).then(({ name }) => name, () => {
      names.delete(id);
      return undefined;
    }));
  return names.get(id);
}

/** Gives a challenge the name of the player who is challenged. The game itself has it once they have joined. */
export async function withNames(state) {
  const asked = challengedSeat(state);
  if (asked) asked.name ??= await nameOfPlayer(asked.player);
  return state;
}
