/**
 * words.js - the words of all pages, in the language of the page that has loaded this: texts, numbers, times, and
 * sentences about games. Nothing here asks for anything, or knows a page or a game.
 */

export const lang = globalThis.document?.documentElement.lang || "en";

const { texts, board } = await import(`../texts.${lang}.js`);

/** The words of the board in this language; none in English, which it has itself. */
export const boardWords = board;

/** A text with its places filled. */
export const t = (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (_, place) => values[place] ?? "");

/** A text that the language may have, such as that of a word of the API; undefined: it has not. */
export const known = (key) => texts[key];

const plural = new Intl.PluralRules(lang);

/** A count of something: "1 mistake", "2 mistakes". */
export const many = (key, count) => t(`${key}-${plural.select(count)}`, { count });

/** What was given in English, as a sentence begins. */
export const capital = (text) => text.charAt(0).toLocaleUpperCase(lang) + text.slice(1);

/** An address of the API that answers in a language. */
export const spoken = (address) => lang === "en" ? address : `${address}${address.includes("?") ? "&" : "?"}lang=${lang}`;

// ---- time ----

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const ago = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });

/** How long ago a time is. */
export function since(at) {
  const seconds = Math.min(0, (Date.parse(at) - Date.now()) / 1000);
  const [unit, length] = UNITS.find(([, size]) => -seconds >= size) ?? UNITS.at(-1);
  return -seconds < 60 ? t("just-now") : ago.format(Math.round(seconds / length), unit);
}

/**
 * A span of time in words: two units at most, as short as clocks have them or a little longer.
 * @param {"short" | "narrow" | "long"} unitDisplay
 */
export function span(seconds, unitDisplay = "short") {
  const inUnit = (count, unit) => new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay }).format(count);
  const at = UNITS.findIndex(([, size]) => seconds >= size);
  if (at < 0) return inUnit(0, "second");
  return UNITS.slice(at, at + 2).map(([unit, size], i) => {
    const count = Math.floor(seconds / size) % (i === 0 ? Infinity : UNITS[at][1] / size);
    return count || i === 0 ? inUnit(count, unit) : "";
  }).join(" ").trim();
}

const tenths = new Intl.NumberFormat(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A span of time as a clock shows it: "14:59", "1:04:59", "9.4" in the last ten seconds, "2d 4h" from a day on. */
export function clockFace(seconds) {
  if (seconds >= 86400) return span(seconds, "narrow");
  if (seconds < 10) return tenths.format(Math.floor(10 * seconds) / 10);
  const two = (number) => String(Math.floor(number) % 60).padStart(2, "0");
  const hours = Math.floor(seconds / 3600), minutes = hours > 0 ? two(seconds / 60) : Math.floor(seconds / 60);
  return `${hours > 0 ? `${hours}:` : ""}${minutes}:${two(seconds)}`;
}

// ---- sentences about games ----

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

/** The seat that is kept for a player, or was until the game was called off; undefined: it is no challenge. */
export const challengedSeat = (state) => state.seats.find(({ state: taken }) => taken === "challenged");

/** What has become of a challenge. Nobody sees one but the two whom it is about: who plays no seat of it is challenged. */
function challengeStanding(state, asked) {
  const isMine = yours(state).length > 0, by = { name: nameOf(state, 3 - asked.seat) }, of = { name: nameOf(state, asked.seat) };
  if (state.status === "open") return isMine ? t("waiting-for", of) : t("challenges-you", by);
  if (state.outcome?.reason === "declined") return isMine ? t("has-declined", of) : t("you-declined");
  if (state.outcome?.reason === "expired") return t("challenge-expired");
  return isMine ? t("you-withdrew") : t("has-withdrawn", by);
}

/** Who won, and how. `won` says who. */
function victory(state, won) {
  const { winner, reason } = state.outcome, loser = 3 - winner;
  if (reason === "resign") return t("by-resignation", { won });
  if (reason !== "timeout") return t("by-reason", { won, reason: reasonName(reason) });
  return yours(state).join() === String(loser) ? t("by-your-time", { won }) : t("by-time", { won, name: nameOf(state, loser) });
}

/** How a game ended, or whose turn it is. */
export function standing(state) {
  const mine = yours(state), { outcome } = state, asked = challengedSeat(state);
  if (asked) return challengeStanding(state, asked);
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
