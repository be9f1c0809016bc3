/** lang.js - the texts of the pages, numbers and times, in the language of the page that has loaded this. */

export const lang = globalThis.document?.documentElement.lang || "en";

const { texts, board } = await import(`./texts.${lang}.js`);

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

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const ago = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });

/** How long ago a time is. */
export function since(at) {
  const seconds = Math.min(0, (Date.parse(at) - Date.now()) / 1000);
  const [unit, length] = UNITS.find(([, size]) => -seconds >= size) ?? UNITS.at(-1);
  return -seconds < 60 ? t("just-now") : ago.format(Math.round(seconds / length), unit);
}

/** A span of time in words: two units at most, as short as clocks have them or a little longer. */
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
