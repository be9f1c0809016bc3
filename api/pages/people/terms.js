/** terms.js - what is played in a game, in words. Pure. */
import { many, sideName, capital, span, t } from "../page/words.js";

function clockTerms(clock) {
  if (!clock) return t("no-clock");
  const { kind, days, initial_s: first, increment_s: added, period_s: period, periods } = clock;
  if (kind === "days") return t("clock:days", { span: span(86400 * days) });
  return t(`clock:${kind}`, { span: span(first), more: span(added ?? period), count: periods });
}

const valueName = (names, value) => typeof value === "boolean" ? t(value ? "yes" : "no") : names?.[value] ?? value;

/** The options that are not the usual ones of the game. `variant`: its entry of the catalogue; null: it is not known. */
function optionTerms({ options }, variant) {
  const properties = variant?.options.properties ?? {};
  return Object.keys(properties).filter((name) => options[name] !== variant.defaults[name])
    .map((name) => `${properties[name].title ?? name}: ${valueName(variant.option_values[name], options[name])}`);
}

export const termsOf = (state, variant) =>
  [clockTerms(state.clock), ...optionTerms(state, variant), ...(state.ply > 0 ? [many("begins-after", state.ply)] : [])];

/** What whoever takes a seat would play. */
export const sideTerms = ({ seat, side }) => t(seat === 1 ? "would-begin" : "would-play", { side: capital(sideName(side)) });

/** For how long a challenge waits yet. */
export function timeLeft({ invitation_expires_at: end }) {
  return t("left", { span: span(Math.max(0, (Date.parse(end) - Date.now()) / 1000)) });
}
