/** challenge.js - a challenge on the page of its game: its terms, and the answer of the player who is challenged. */
import { at, el } from "../page.js";
import { challengedSeat, t, yours } from "../page/words.js";
import { answerButtons } from "../people/answer.js";
import { sideTerms, termsOf, timeLeft } from "../people/terms.js";
import { attempt, patient } from "./actions.js";
import { game } from "./here.js";

/** Whether the visitor is challenged, and has not answered. */
const isAsked = (state) => state.status === "open" && yours(state).length === 0 && Boolean(challengedSeat(state));

const accept = (button) => attempt(() => game.join({}, patient), button);
const decline = (text, button) =>
  attempt(() => game.request("POST", "/decline", { body: { text }, include: game.include, ...patient }), button);

/** Shows what was asked for, while it waits. It is drawn once: an answer may be half written. */
export function showChallenge(state, variant) {
  const asked = challengedSeat(state), waits = state.status === "open" && Boolean(asked);
  at("challenge").hidden = !waits;
  if (!waits || at("challenge").firstChild) return;
  const own = isAsked(state) ? asked : state.seats[2 - asked.seat];
  at("challenge").append(
    el("p", {}, sideTerms(own)),
    el("ul", { class: "terms" }, [...termsOf(state, variant), timeLeft(asked)].map((text) => el("li", {}, text))),
    ...(isAsked(state) ? answerButtons(accept, decline) : []));
}

/** What the player has said who has declined; "" of any other game. */
export async function wordOf(state) {
  if (state.outcome?.reason !== "declined" || yours(state).length === 0) return "";
  const [event] = await game.events({ type: "aborted" });
  return event?.data?.text ? t("their-word", { text: String(event.data.text) }) : "";
}
