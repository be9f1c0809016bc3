/**
 * words.js - sentences about games, for all pages. Pure: nothing here asks for anything, or knows a page or a game.
 */

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** How the player of a seat is called: by name, or by the side. */
export function nameOf(state, seat) {
  const { name, engine, level, state: taken, side } = state.seats[seat - 1];
  if (taken === "open") return "an opponent";
  return name ?? (level ? `${engine}, level ${level}` : engine ? "Computer" : capital(side));
}

/** The seats that you play. */
export const yours = (state) => state.you?.seats ?? [];

/** Whether a game has ended. */
export const isOver = ({ status }) => status === "finished" || status === "aborted";

/** How a game was won, behind "You won" and the like. */
function wayOf(state, mine) {
  const { winner, reason } = state.outcome, loser = 3 - winner;
  if (reason === "resign") return " by resignation";
  if (reason === "timeout") return `: ${mine[0] === loser && mine.length === 1 ? "you" : nameOf(state, loser)} ran out of time`;
  return ` (${reason.replaceAll("_", " ")})`;
}

/** How a game ended, or whose turn it is. */
export function standing(state) {
  const mine = yours(state), { outcome } = state;
  if (state.status === "aborted") return "Called off";
  if (state.status === "open") return mine.length > 0 ? "Waiting for an opponent" : "Open: you may join";
  if (state.status === "finished") {
    if (!outcome.winner) return `Draw (${outcome.reason.replaceAll("_", " ")})`;
    if (mine.length === 1) return (mine[0] === outcome.winner ? "You won" : "You lost") + wayOf(state, mine);
    return `${nameOf(state, outcome.winner)} won${wayOf(state, mine)}`;
  }
  if (mine.length === 1 && mine[0] === state.to_move) return "Your turn";
  return state.seats[state.to_move - 1].level ? "The computer thinks" : `${nameOf(state, state.to_move)} to move`;
}

/** A span of time in words: two units at most. */
export function span(seconds) {
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const at = parts.findIndex(([size]) => seconds >= size);
  if (at < 0) return "0 s";
  return parts.slice(at, at + 2).map(([size], i) => {
    const count = Math.floor(seconds / size) % (i === 0 ? Infinity : parts[at][0] / size);
    return count || i === 0 ? `${count} ${parts[at + i][1]}` : "";
  }).join(" ").trim();
}

/** A span of time as a clock shows it: "14:59", "1:04:59", "9.4" in the last ten seconds, "2 d 4 h" from a day on. */
export function clockFace(seconds) {
  if (seconds >= 86400) return span(seconds);
  if (seconds < 10) return (Math.floor(10 * seconds) / 10).toFixed(1);
  const two = (number) => String(Math.floor(number) % 60).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = hours > 0 ? two(seconds / 60) : Math.floor(seconds / 60);
  return `${hours > 0 ? `${hours}:` : ""}${minutes}:${two(seconds)}`;
}
