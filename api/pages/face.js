/**
 * face.js - what the page of a game says and offers, as one function of all that is known. Pure: the page gathers the
 * facts and shows the face; it makes no sentence of its own about how the game stands.
 */
import { clockFace, isOver, nameOf, span, standing, yours } from "./words.js";

/**
 * @typedef {object} Facts
 * @property {import("./plyd.js").GameState | null} state    the game as it was last heard of; null: not heard of yet
 * @property {import("./plyd.js").Variant | null} variant    its entry of the catalogue
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

const START = "Click or drag on the board: it shows what can be played.";

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
  if (state.status === "open" && !state.you && !mayJoin) return "Waiting for an invited player";
  return standing(state) + (state.check && state.status === "active" ? ", in check" : "");
}

function headingOf(facts) {
  const { state, sent, isAway } = facts, fate = fateOf(facts);
  if (fate === "kept") return `No connection, ${sent.count > 1 ? `${sent.count} moves` : "the move"} will be sent`;
  if (fate) return "Sending …";
  if (isUnsure(facts)) return isAway ? "No connection" : "Asking for news …";
  return state ? standingOf(facts) : "Loading …";
}

function networkOf(facts) {
  const { state, isAway } = facts, fate = fateOf(facts);
  const runs = state?.clock?.deadline_at && yours(state).includes(state.clock.running);
  const time = runs ? " Your time runs on until it is there." : "";
  if (fate === "kept") return `Your move is kept on this device, also if you close the page.${time}`;
  if (fate === "late") return `The server has not answered yet.${time}`;
  if (state && isUnsure(facts)) return `Last known: ${standingOf(facts)}. Trying again …`;
  return isAway ? "No connection. Trying again …" : "";
}

/** Whether one is to move, with nothing that speaks against it. */
const isUrgent = (facts) =>
  Boolean(facts.state && isMine(facts.state)) && yours(facts.state).length === 1 && !facts.sent && !isUnsure(facts);

/** The line below the heading: what was said last, or what may help. */
function noteOf(facts, heading) {
  const { state, variant, place, verdict, said, news } = facts;
  if (said && !(said.isRefused && state && isOver(state))) return said;
  const plain = (text) => ({ isRefused: false, text: text ?? "" });
  if (place) return plain(verdict ?? `Now: ${heading}`);
  if (news) return plain(news);
  if (state?.outcome) return plain(variant?.ends.find(({ reason }) => reason === state.outcome.reason)?.meaning);
  return plain(isUrgent(facts) && state.ply < 2 ? START : "");
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
  return {
    text: [left > 0 || !more ? clockFace(left) : "", more].filter(Boolean).join(" + ") + (clock.paused && state.status === "active" ? " (paused)" : ""),
    isRunning: runs && at === now, isLow: !more && left <= lowOf(clock, periods), left,
  };
}

// ---- buttons ----

/** The buttons for what `you.may` lists, in this order. */
const ACTIONS = {
  rematch: ["Rematch", { primary: true }],
  hint: ["Hint"],
  undo: ["Take back"],
  redo: ["Play again"],
  "offer:draw": ["Offer a draw"],
  "offer:undo": ["Ask to take back"],
  "offer:time": ["Offer a day more"],
  "offer:pause": ["Offer a pause of a week"],
  "offer:abort": ["Offer to call it off"],
  resume: ["End the pause"],
  "claim:repetition": ["Claim a repetition"],
  "claim:impasse": ["Declare an impasse"],
  abort: ["Call off", { sure: "Really call it off?" }],
  resign: ["Resign", { sure: "Really resign?" }],
};

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

function buttonsOf(state) {
  const may = state.you?.may ?? [];
  const all = Object.entries(ACTIONS).filter(([name]) => may.includes(name) && !needless(state, name))
    .map(([name, [label, more]]) => ({ name, label: label + (goesOn(state, name) ? ", and play on" : ""), ...more }));
  return { actions: all.filter(({ name }) => !RARE.test(name)), rare: all.filter(({ name }) => RARE.test(name)) };
}

// ---- offers ----

/** What is offered, in words. */
const WHAT = {
  draw: () => "a draw",
  undo: ({ to_ply: ply }) => `to go back to move ${ply}`,
  abort: () => "to call the game off",
  time: ({ add_s: seconds }) => `${span(seconds)} more for both`,
  pause: ({ for_s: seconds }) => `a pause of ${span(seconds)}`,
};

/** An offer in a sentence. */
export function offerText(state, offer) {
  const who = offer.may?.includes("withdraw") ? "You offer" : `${nameOf(state, offer.seat)} offers`;
  const back = offer.kind === "undo" && isOver(state) ? ", and to play on" : "";
  return `${who} ${(WHAT[offer.kind] ?? (() => offer.kind))(offer)}${back}.`;
}

const OFFER = { draw: "a draw", undo: "to take back", abort: "to call the game off", time: "more time", pause: "a pause" };

/** What has happened that the next state does not tell: an offer that is gone. "" of any other event. */
export function newsOf(state, { type, seat, data }) {
  if (!["declined", "withdrawn"].includes(type) || yours(state).includes(seat)) return "";
  const offer = `the offer ${OFFER[data.kind]?.startsWith("to") ? "" : "of "}${OFFER[data.kind] ?? data.kind}`;
  return `${nameOf(state, seat)} has ${type} ${offer}.`;
}

// ---- what the computer thinks ----

/** By verdict: what is said of such a move, and how several are called. */
const VERDICTS = { inaccuracy: ["Not the best move", "slips"], mistake: ["A mistake", "mistakes"], blunder: ["A blunder", "blunders"] };

/** What the computer thinks of a move, in words; null of a good one. `isWritten`: as people write moves. */
export function verdictText({ verdict, best, best_text: text }, isWritten) {
  if (!VERDICTS[verdict]) return null;
  return `${VERDICTS[verdict][0]}.${best ? ` Better is ${isWritten && text || best}.` : ""}`;
}

/** What each side did not well, in words. */
export const reviewText = (state, summary) => summary.map(({ seat, ...counts }) => {
  const told = Object.entries(VERDICTS).filter(([verdict]) => counts[verdict] > 0)
    .map(([verdict, [, many]]) => `${counts[verdict]} ${counts[verdict] === 1 ? many.slice(0, -1) : many}`);
  return `${nameOf(state, seat)}: ${told.join(", ") || "no mistake"}.`;
}).join(" ");

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
