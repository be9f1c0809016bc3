/**
 * words.js - sentences about games, for all pages. Pure: nothing here asks for anything, or knows a page or a game.
 */
import { capital, known, t } from "./lang.js";

/** How a side is called that the API calls `name`. */
export const sideName = (name) => known(`side:${name}`) ?? name;

/** How a game has ended, in a word or two. */
export const reasonName = (reason) => known(`reason:${reason}`) ?? reason.replaceAll("_", " ");

/** How the player of a seat is called: by name, or by the side. */
export function nameOf(state, seat) {
  const { name, engine, level, state: taken, side } = state.seats[seat - 1];
  if (taken === "open") return t("an-opponent");
  return name ?? (level ? t("engine-level", { engine, level }) : engine ? t("computer") : capital(sideName(side)));
}

/** The seats that you play. */
export const yours = (state) => state.you?.seats ?? [];

/** Whether a game has ended. */
export const isOver = ({ status }) => status === "finished" || status === "aborted";

/** Who won, and how. `won` says who. */
function victory(state, won) {
  const { winner, reason } = state.outcome, loser = 3 - winner;
  if (reason === "resign") return t("by-resignation", { won });
  if (reason !== "timeout") return t("by-reason", { won, reason: reasonName(reason) });
  return yours(state).join() === String(loser) ? t("by-your-time", { won }) : t("by-time", { won, name: nameOf(state, loser) });
}

/** How a game ended, or whose turn it is. */
export function standing(state) {
  const mine = yours(state), { outcome } = state;
  if (state.status === "aborted") return t("called-off");
  if (state.status === "open") return t(mine.length > 0 ? "waiting" : "may-join");
  if (state.status === "finished") {
    if (!outcome.winner) return t("draw", { reason: reasonName(outcome.reason) });
    if (mine.length === 1) return victory(state, t(mine[0] === outcome.winner ? "you-won" : "you-lost"));
    return victory(state, t("has-won", { name: nameOf(state, outcome.winner) }));
  }
  if (mine.length === 1 && mine[0] === state.to_move) return t("your-turn");
  return state.seats[state.to_move - 1].level ? t("computer-thinks") : t("to-move", { name: nameOf(state, state.to_move) });
}
