/**
 * face.js - what the page of a game says and offers, as one function of all that is known. Pure: the page gathers the
 * facts and shows the face; it makes no sentence of its own about how the game stands.
 */
import { challengedSeat, clockFace, isOver, many, nameOf, span, standing, t, yours } from "../page/words.js";

/**
 * @typedef {object} Facts
 * @property {import("../plyd.js").GameState | null} state    the game as it was last heard of; null: not heard of yet
 * @property {import("../plyd.js").Variant | null} variant    its entry of the catalogue
 * @property {boolean} isAway      nobody answers
 * @property {boolean} isBehind    something has happened that the state does not have, and it does not come
 * @property {{count: number, isLate: boolean, at: number} | null} sent  the moves that are not answered: since when
 * @property {string | null} place what is looked at instead of the present, in words
 * @property {string | null} verdict what the computer thinks of the move that is looked at
 * @property {boolean} mayJoin     whether the visitor may take the open seat
 * @property {{isRefused: boolean, text: string} | null} said  what the board says: why not, or a hint
 * @property {string | null} news  what has happened that no state tells
 * @property {number} now          the time, in milliseconds of the server's clock
 * @property {number | null} lostAt  since when it is not sure how the game stands
 */

/**
 * What has become of a move that was made: "sent" (it will be there at once), "late" (nobody answers), "kept" (there is
 * no connection); "" without one. The server takes its time off until it has the move. So a clock stands while a move
 * is sent, as it did when the man was let go, and runs on when that is not true any more.
 */
function fateOf({ sent, isAway }) {
  if (!sent) return "";
  if (isAway) return "kept";
  return sent.isLate ? "late" : "sent";
}

const isMine = (state) => state.status === "active" && yours(state).includes(state.to_move);

/**
 * Whether something may have happened, or has, that is not known here. One's own turn stays until one has moved,
 * unless it is known that it did not.
 */
export const isUnsure = ({ state, isAway, isBehind }) =>
  isBehind || isAway && (!state || state.status === "open" || state.status === "active" && !isMine(state));

function standingOf({ state, mayJoin }) {
  if (state.status === "open" && !state.you && !mayJoin && !challengedSeat(state)) return t("waiting-invited");
  const said = standing(state);
  return state.check && state.status === "active" ? t("in-check", { standing: said }) : said;
}

function headingOf(facts) {
  const { state, sent, isAway } = facts, fate = fateOf(facts);
  if (fate === "kept") return sent.count > 1 ? t("moves-wait", sent) : t("move-waits");
  if (fate) return t("sending");
  if (isUnsure(facts)) return t(isAway ? "no-connection" : "asking");
  return state ? standingOf(facts) : t("loading");
}

function networkOf(facts) {
  const { state, isAway } = facts, fate = fateOf(facts);
  const runs = state?.clock?.deadline_at && yours(state).includes(state.clock.running);
  const timed = (text) => runs ? t("time-runs-on", { text }) : text;
  if (fate === "kept") return timed(t("kept-here"));
  if (fate === "late") return timed(t("not-answered"));
  if (state && isUnsure(facts)) return t("last-known", { standing: standingOf(facts) });
  return isAway ? t("trying-again") : "";
}

/** Whether one is to move, with nothing that speaks against it. */
const isUrgent = (facts) =>
  Boolean(facts.state && isMine(facts.state)) && yours(facts.state).length === 1 && !facts.sent && !isUnsure(facts);

/** The line below the heading: what was said last, or what may help. */
function noteOf(facts, heading) {
  const { state, variant, place, verdict, said, news } = facts;
  if (said && !(said.isRefused && state && isOver(state))) return said;
  const plain = (text) => ({ isRefused: false, text: text ?? "" });
  if (place) return plain(verdict ?? t("now", { heading }));
  if (news) return plain(news);
  if (state?.outcome) return plain(variant?.ends.find(({ reason }) => reason === state.outcome.reason)?.meaning);
  return plain(isUrgent(facts) && state.ply < 2 ? t("start-hint") : "");
}

// ---- clocks ----

/** When time is low: in the last tenth of what one has, between ten seconds and an hour. */
const lowOf = (clock, periods) =>
  Math.min(3600, Math.max(10, (periods === 0 && clock.period_s || clock.initial_s || 86400 * clock.days) / 10));

function clockOf(facts, seat) {
  const { state, sent, now, lostAt } = facts, { clock } = state;
  if (!clock || state.status === "open") return null;
  const periods = clock.periods_left?.[seat];
  const runs = state.status === "active" && clock.running === seat && Boolean(clock.deadline_at);
  const isStill = fateOf(facts) === "sent" && yours(state).includes(seat);
  const at = isStill ? sent.at : isUnsure(facts) && lostAt !== null ? lostAt : now;
  const left = runs ? Math.max(0, (Date.parse(clock.deadline_at) - at) / 1000) : clock.left_s[seat];
  const more = periods && !runs ? `${periods} × ${clockFace(clock.period_s)}` : "";
  const shown = [left > 0 || !more ? clockFace(left) : "", more].filter(Boolean).join(" + ");
  return {
    text: clock.paused && state.status === "active" ? t("paused", { clock: shown }) : shown,
    isRunning: runs && at === now, isLow: !more && left <= lowOf(clock, periods), left,
  };
}

// ---- buttons ----

/** The buttons for what `you.may` lists, in this order. Their texts are those of these names. */
const ACTIONS = ["rematch", "hint", "undo", "redo", "offer:draw", "offer:undo", "offer:time", "offer:pause", "offer:abort", "resume",
                 "claim:repetition", "claim:impasse", "abort", "resign"];

/** Those that ask before they are done. */
const SURE = ["abort", "resign"];

/** Those that would do the same as another one, were done already, or would ask nobody. */
function needless(state, name) {
  const { may, seats } = state.you;
  if (name === "rematch") return Boolean(state.next);
  if (name === "hint") return !may.includes("move");
  if (state.offers.some(({ kind }) => name === `offer:${kind}`)) return true;
  const alone = seats.length === 2 || state.seats.some(({ engine, level }) => engine && !level);
  if (name === "offer:undo") return may.includes("undo");
  return alone && name.startsWith("offer:");
}

/** What is seldom done stands apart. */
const RARE = /^claim:|^offer:(?!draw|undo)/;

/** Who takes something back after the end goes on with the game. */
const goesOn = (state, name) => isOver(state) && /undo$/.test(name);

/** A challenge is called off by withdrawing it. */
const wordFor = (state, name) => name === "abort" && state.status === "open" && challengedSeat(state) ? "withdraw" : name;

function buttonOf(state, name) {
  const word = wordFor(state, name), label = t(word), sure = SURE.includes(name) ? t(`sure:${word}`) : undefined;
  return { name, label: goesOn(state, name) ? t("and-play-on", { label }) : label, sure, isPrimary: name === "rematch" };
}

function buttonsOf(state) {
  const may = state.you?.may ?? [];
  const all = ACTIONS.filter((name) => may.includes(name) && !needless(state, name)).map((name) => buttonOf(state, name));
  return { actions: all.filter(({ name }) => !RARE.test(name)), rare: all.filter(({ name }) => RARE.test(name)) };
}

// ---- offers ----

/** An offer in a sentence. */
export function offerText(state, offer) {
  const { kind, seat, to_ply: ply, add_s: added, for_s: paused } = offer;
  const who = offer.may?.includes("withdraw") ? "you-offer" : "offers";
  return t(`${who}:${kind}${kind === "undo" && isOver(state) ? "-on" : ""}`, { name: nameOf(state, seat), ply, span: span(added ?? paused ?? 0) });
}

/** What has happened that the next state does not tell: an offer that is gone. "" of any other event. */
export function newsOf(state, { type, seat, data }) {
  if (!["declined", "withdrawn"].includes(type) || yours(state).includes(seat)) return "";
  return t(type, { name: nameOf(state, seat), offer: t(`the-offer:${data.kind}`) });
}

// ---- what the computer thinks ----

const VERDICTS = ["inaccuracy", "mistake", "blunder"];

/** What the computer thinks of a move, in words; null of a good one. `isWritten`: as people write moves. */
export function verdictText({ verdict, best, best_text: text }, isWritten) {
  if (!VERDICTS.includes(verdict)) return null;
  const said = t(`verdict:${verdict}`);
  return best ? t("better", { verdict: said, move: isWritten && text || best }) : said;
}

/** What each side did not well, in words. */
export const reviewText = (state, summary) => summary.map(({ seat, ...counts }) => {
  const told = VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => many(verdict, counts[verdict]));
  return t("review-line", { name: nameOf(state, seat), counts: told.join(t("comma")) || t("no-mistake") });
}).join(" ");

// ---- men that were taken ----

function countMen(board, seat) {
  const count = new Map();
  for (const man of board.rows.flat().flatMap(({ men }) => men ?? []))
    if (man.seat === seat) count.set(man.name, (count.get(man.name) ?? 0) + 1);
  return count;
}

/**
 * The men that a side has lost since the start, by kind. One that has become another kind is not lost.
 * @returns {{name: string, count: number}[]}
 */
export function lostMen(start, board, pieces, seat) {
  const before = countMen(start, seat), now = countMen(board, seat);
  const lost = new Map(pieces.map(({ name }) => [name, (before.get(name) ?? 0) - (now.get(name) ?? 0)]));
  for (const { name } of pieces)
    for (; lost.get(name) < 0; lost.set(name, lost.get(name) + 1)) {
      const gone = pieces.filter((piece) => lost.get(piece.name) > 0);
      const was = gone.find(({ promotes_to: to }) => to === name) ?? gone[0];
      if (!was) break; // there are more men than at the start
      lost.set(was.name, lost.get(was.name) - 1);
    }
  return [...lost].filter(([, count]) => count > 0).map(([name, count]) => ({ name, count }));
}

// ---- all together ----

/** @param {Facts} facts */
export function faceOf(facts) {
  const { state, place } = facts, heading = headingOf(facts), over = Boolean(state && isOver(state));
  return {
    heading: place ?? heading,
    title: heading,
    isPast: place !== null,
    isUrgent: place === null && isUrgent(facts),
    isOver: over,
    note: noteOf(facts, heading),
    network: networkOf(facts),
    clocks: state ? { 1: clockOf(facts, 1), 2: clockOf(facts, 2) } : {},
    ...(state ? buttonsOf(state) : { actions: [], rare: [] }),
  };
}
