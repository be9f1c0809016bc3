// What the page of a game says and offers, row by row: how it stands, what is known of the network, what waits.
import assert from "node:assert/strict";
import { test } from "node:test";

import { faceOf, lostMen, newsOf, offerText, reviewText, verdictText } from "../../build/embed/pages/play/face.js"; // the texts are there, too
import { clockFace, standing } from "../../build/embed/pages/page/words.js";

const NOW = Date.parse("2026-11-29T12:00:00Z");
const after = (seconds) => new Date(NOW + 1000 * seconds).toISOString();
const ada = { name: "Ada", side: "red", state: "taken" }, mia = { name: "Mia", side: "blue", state: "taken" };
const nobody = { state: "open", side: "blue" };
const VARIANT = { ends: [{ reason: "goal", meaning: "A man has reached the den." }] };

/** A game that goes on, seen by seat 1, which is to move. */
const game = (more = {}) => ({ status: "active", ply: 4, to_move: 1, seats: [ada, mia], offers: [], you: { seats: [1], may: ["move"] }, ...more });
const theirs = (more) => game({ to_move: 2, you: { seats: [1], may: [] }, ...more });
const ended = (winner, reason, more) => game({ status: "finished", outcome: { winner, reason }, you: { seats: [1], may: [] }, ...more });
const facts = (more) => ({ state: game(), variant: VARIANT, isAway: false, isBehind: false, sent: null, place: null, mayJoin: false, verdict: null,
                           said: null, news: null, now: NOW, lostAt: null, ...more });
const sent = { count: 1, isLate: false, at: NOW - 2000 };
const refused = { isRefused: true, text: "g3g5 is no move of a rat." };

/** Each row: what is known, and of the face what must be so. */
const table = (name, rows) => test(name, () => {
  for (const [known, wanted] of rows) {
    const face = faceOf(facts(known)), shown = {};
    for (const key of Object.keys(wanted)) shown[key] = key === "note" ? face.note.text : face[key];
    assert.deepEqual(shown, wanted, JSON.stringify(known));
  }
});

table("the heading says how the game stands, as far as that is known", [
  [{ state: null }, { heading: "Loading …", network: "", isUrgent: false }],
  [{ state: null, isAway: true }, { heading: "No connection", network: "No connection. Trying again …" }],
  [{}, { heading: "Your turn", isUrgent: true, network: "" }],
  [{ state: game({ check: true }) }, { heading: "Your turn, in check", isUrgent: true }],
  [{ state: theirs({ check: true }) }, { heading: "Mia to move, in check", isUrgent: false }],
  [{ state: theirs() }, { heading: "Mia to move", isUrgent: false }],
  [{ state: theirs(), isAway: true }, { heading: "No connection", network: "Last known: Mia to move. Trying again …" }],
  [{ state: theirs(), isBehind: true }, { heading: "Asking for news …", network: "Last known: Mia to move. Trying again …" }],
  [{ state: theirs(), isBehind: true, isAway: true }, { heading: "No connection" }],
  [{ isAway: true }, { heading: "Your turn", network: "No connection. Trying again …", isUrgent: true }],
  [{ isBehind: true, isAway: true }, { heading: "No connection", isUrgent: false }],
  [{ state: game({ status: "open", seats: [ada, nobody] }) }, { heading: "Waiting for an opponent" }],
  [{ state: game({ status: "open", seats: [ada, nobody] }), isAway: true }, { heading: "No connection" }],
  [{ state: game({ status: "open", seats: [ada, nobody], you: undefined }) }, { heading: "Waiting for an invited player" }],
  [{ state: game({ status: "open", seats: [ada, nobody], you: undefined }), mayJoin: true }, { heading: "Open: you may join" }],
  [{ state: ended(1, "goal"), isAway: true }, { heading: "You won (goal)", isOver: true }],
  [{ state: ended(2, "resign", { check: true }) }, { heading: "You lost by resignation" }],
]);

const asked = { state: "challenged", name: "Mia", side: "blue", seat: 2 };
const challenge = (more) => game({ status: "open", seats: [{ ...ada, seat: 1 }, asked], ...more });
const off = (reason, more) => challenge({ status: "aborted", outcome: reason && { reason }, ...more });

table("of a challenge both read what has become of it", [
  [{ state: challenge() }, { heading: "Waiting for Mia" }],
  [{ state: challenge(), isAway: true }, { heading: "No connection", network: "Last known: Waiting for Mia. Trying again …" }],
  [{ state: challenge({ you: undefined }) }, { heading: "Ada challenges you" }],
  [{ state: off("declined") }, { heading: "Mia has declined", isOver: true }],
  [{ state: off("declined"), news: "“Not this week.”" }, { heading: "Mia has declined", note: "“Not this week.”" }],
  [{ state: off("declined", { you: undefined }) }, { heading: "You have declined" }],
  [{ state: off("expired") }, { heading: "The challenge has run out" }],
  [{ state: off(undefined) }, { heading: "You have withdrawn the challenge" }],
  [{ state: off(undefined, { you: undefined }) }, { heading: "Ada has withdrawn the challenge" }],
  [{ state: challenge({ seats: [{ ...ada, seat: 1 }, { ...asked, name: undefined }] }) }, { heading: "Waiting for Blue" }],
]);

table("a move that was made is said to be sent, to wait, or to be late", [
  [{ sent }, { heading: "Sending …", network: "", isUrgent: false }],
  [{ sent: { ...sent, isLate: true } }, { heading: "Sending …", network: "The server has not answered yet." }],
  [{ sent, isAway: true }, { heading: "No connection, the move will be sent", network: "Your move is kept on this device, also if you close the page." }],
  [{ sent: { ...sent, count: 2 }, isAway: true }, { heading: "No connection, 2 moves will be sent" }],
]);

table("one who looks back reads where, and below it how it stands now", [
  [{ place: "Move 2 of 4" }, { heading: "Move 2 of 4", title: "Your turn", note: "Now: Your turn", isPast: true, isUrgent: false }],
  [{ place: "Move 2 of 4", verdict: "A mistake." }, { heading: "Move 2 of 4", note: "A mistake." }],
  [{ place: "Move 2 of 4", said: refused }, { heading: "Move 2 of 4", note: refused.text }],
]);

table("the line below the heading says what was said last, until the game is over", [
  [{}, { note: "" }],
  [{ state: game({ ply: 0 }) }, { note: "Click or drag on the board: it shows what can be played." }],
  [{ state: game({ ply: 0 }), sent }, { note: "" }],
  [{ state: game({ ply: 0, you: { seats: [1, 2], may: ["move"] } }) }, { note: "" }],
  [{ said: refused, news: "Mia has declined." }, { note: refused.text }],
  [{ news: "Mia has declined." }, { note: "Mia has declined." }],
  [{ state: ended(1, "goal"), said: refused }, { note: "A man has reached the den." }],
  [{ state: ended(1, "goal"), said: { isRefused: false, text: "A hint" } }, { note: "A hint" }],
  [{ state: ended(1, "goal"), variant: null }, { note: "" }],
]);

test("the end says who has lost by what", () => {
  const words = (seats, winner, reason, more) => standing(ended(winner, reason, { you: seats && { seats, may: [] }, ...more }));
  assert.equal(words([1], 1, "timeout"), "You won: Mia ran out of time");
  assert.equal(words([1], 2, "timeout"), "You lost: you ran out of time");
  assert.equal(words(null, 2, "timeout"), "Mia won: Ada ran out of time");
  assert.equal(words([1, 2], 2, "timeout", { seats: [{ side: "red" }, { side: "blue" }] }), "Blue won: Red ran out of time");
  assert.equal(words([1], null, "no_progress"), "Draw (no progress)");
});

// ---- clocks ----

test("a clock shows minutes and seconds, tenths at the end, and days", () => {
  assert.deepEqual([899.9, 600, 61, 10, 9.96, 0.04, 0, 3600, 3899, 86399, 86400, 187200].map(clockFace),
                   ["14:59", "10:00", "1:01", "0:10", "9.9", "0.0", "0.0", "1:00:00", "1:04:59", "23:59:59", "1d", "2d 4h"]);
});

const clock = (more) => ({ kind: "fischer", initial_s: 600, left_s: { 1: 500, 2: 400 }, running: 1, deadline_at: after(300), paused: null, ...more });

/** Each row: what is known, and the two clocks, with ">" before one that runs and "!" behind one that is low. */
const clocks = (name, rows) => test(name, () => {
  for (const [known, ...wanted] of rows) {
    const face = faceOf(facts(known));
    assert.deepEqual([1, 2].map((seat) => {
      const it = face.clocks[seat];
      return it && `${it.isRunning ? ">" : ""}${it.text}${it.isLow ? "!" : ""}`;
    }), wanted, JSON.stringify(known));
  }
});

clocks("the clock of the side to move runs, unless nobody knows whether it does", [
  [{}, null, null],
  [{ state: game({ clock: clock() }) }, ">5:00", "6:40"],
  [{ state: game({ clock: clock() }), sent }, "5:02", "6:40"],
  [{ state: game({ clock: clock() }), sent: { ...sent, isLate: true } }, ">5:00", "6:40"],
  [{ state: game({ clock: clock() }), sent, isAway: true }, ">5:00", "6:40"],
  [{ state: theirs({ clock: clock({ running: 2 }) }) }, "8:20", ">5:00"],
  [{ state: theirs({ clock: clock({ running: 2 }) }), isBehind: true, lostAt: NOW - 60_000 }, "8:20", "6:00"],
  [{ state: theirs({ clock: clock({ running: 2 }) }), isAway: true, lostAt: NOW - 60_000 }, "8:20", "6:00"],
  [{ state: game({ clock: clock({ deadline_at: after(60) }) }) }, ">1:00!", "6:40"],
  [{ state: game({ clock: clock({ deadline_at: after(61) }) }) }, ">1:01", "6:40"],
  [{ state: game({ clock: clock({ deadline_at: after(-3) }) }) }, ">0.0!", "6:40"],
  [{ state: game({ clock: clock({ running: null, deadline_at: null, paused: { until: after(99) } }) }) }, "8:20 (paused)", "6:40 (paused)"],
]);

clocks("the last clocks stay when a game is over", [
  [{ state: ended(2, "timeout", { clock: clock({ running: null, deadline_at: null, left_s: { 1: 0, 2: 400 } }) }) }, "0.0!", "6:40"],
]);

clocks("time by the day and in periods is low when little of that is left", [
  [{ state: game({ clock: clock({ kind: "days", days: 3, initial_s: undefined, deadline_at: after(3601), left_s: { 1: 259200, 2: 259200 } }) }) }, ">1:00:01", "3d"],
  [{ state: game({ clock: clock({ kind: "days", days: 3, initial_s: undefined, deadline_at: after(3600), left_s: { 1: 259200, 2: 259200 } }) }) }, ">1:00:00!", "3d"],
  [{ state: game({ clock: clock({ kind: "byoyomi", period_s: 30, periods_left: { 1: 0, 2: 3 }, deadline_at: after(11), left_s: { 1: 11, 2: 0 } }) }) }, ">0:11", "3 × 0:30"],
  [{ state: game({ clock: clock({ kind: "byoyomi", period_s: 30, periods_left: { 1: 0, 2: 3 }, deadline_at: after(9.5), left_s: { 1: 9, 2: 60 } }) }) }, ">9.5!", "1:00 + 3 × 0:30"],
]);

// ---- buttons and offers ----

const labels = (state, which = "actions") => faceOf(facts({ state }))[which].map(({ label }) => label);
const may = (...names) => ({ seats: [1], may: names });

test("the buttons are those that may be pressed and do something", () => {
  assert.deepEqual(labels(game({ you: may("resign", "undo", "redo", "plan", "move") })), ["Take back", "Play again", "Resign"]);
  assert.deepEqual(labels(game({ you: may("hint") })), [], "one who is not to move needs no hint");
  assert.deepEqual(labels(game({ you: may("hint", "move") })), ["Hint"]);
  assert.deepEqual(labels(ended(1, "goal", { you: may("rematch"), next: "other" })), []);
  assert.deepEqual(labels(game({ you: may("offer:draw", "offer:undo") })), ["Offer a draw", "Ask to take back"]);
  assert.deepEqual(labels(game({ you: may("offer:draw"), offers: [{ kind: "draw" }] })), []);
  assert.deepEqual(labels(game({ you: { seats: [1, 2], may: ["offer:draw"] } })), [], "nobody offers themselves a draw");
  assert.deepEqual(labels(game({ you: may("offer:time", "claim:repetition") }), "rare"), ["Offer a day more", "Claim a repetition"]);
  assert.deepEqual(labels(game({ you: undefined })), []);
});

test("a challenge is withdrawn, and a game called off", () => {
  assert.deepEqual(labels(challenge({ you: may("abort") })), ["Withdraw"]);
  assert.deepEqual(labels(game({ status: "open", seats: [ada, nobody], you: may("abort") })), ["Call off"]);
});

test("what brings a game back that is over says so", () => {
  assert.deepEqual(labels(ended(2, "timeout", { you: may("rematch", "offer:undo") })), ["Rematch", "Ask to take back, and play on"]);
  assert.deepEqual(labels(ended(2, "goal", { you: may("undo") })), ["Take back, and play on"]);
  const offer = { kind: "undo", seat: 2, to_ply: 3, may: ["accept"] };
  assert.equal(offerText(ended(1, "timeout"), offer), "Mia offers to go back to move 3, and to play on.");
  assert.equal(offerText(game(), offer), "Mia offers to go back to move 3.");
  assert.equal(offerText(game(), { ...offer, seat: 1, may: ["withdraw"] }), "You offer to go back to move 3.");
});

test("an offer that is gone is told to the one who did not do it", () => {
  const told = (type, seat, kind) => newsOf(game(), { type, seat, data: { kind } });
  assert.equal(told("declined", 2, "draw"), "Mia has declined the offer of a draw.");
  assert.equal(told("withdrawn", 2, "undo"), "Mia has withdrawn the offer to take back.");
  assert.equal(told("declined", 1, "draw"), "");
  assert.equal(told("accepted", 2, "draw"), "");
});

test("what the computer thinks of moves is told in words", () => {
  assert.equal(verdictText({ verdict: "good", best: "7g7f" }), null);
  assert.equal(verdictText({ verdict: "blunder", best: "7g7f", best_text: "☗７六歩" }, false), "A blunder. Better is 7g7f.");
  assert.equal(verdictText({ verdict: "mistake", best: "7g7f", best_text: "☗７六歩" }, true), "A mistake. Better is ☗７六歩.");
  assert.equal(verdictText({ verdict: "inaccuracy" }, true), "Not the best move.");
  const summary = [{ seat: 1, good: 3, inaccuracy: 1, mistake: 0, blunder: 2 }, { seat: 2, good: 6, inaccuracy: 0, mistake: 0, blunder: 0 }];
  assert.equal(reviewText(game(), summary), "Ada: 1 slip, 2 blunders. Mia: no mistake.");
});

test("the men that a side has lost are told by kind; what has become another kind is not lost", () => {
  const pieces = [{ name: "pawn", promotes_to: "queen" }, { name: "rook", promotes_to: null }, { name: "queen", promotes_to: null }];
  const board = (mine, theirs = []) => ({ rows: [[{ men: mine.map((name) => ({ seat: 1, name })) }, {}, { men: theirs.map((name) => ({ seat: 2, name })) }]] });
  const start = board(["pawn", "pawn", "pawn", "rook", "queen"], ["pawn"]);
  const lost = (now, seat = 1) => lostMen(start, now, pieces, seat).map(({ name, count }) => `${count} ${name}`).join();
  assert.equal(lost(start), "");
  assert.equal(lost(board(["pawn", "rook", "queen"])), "2 pawn");
  assert.equal(lost(board(["pawn", "pawn", "queen", "queen"])), "1 rook");
  assert.equal(lost(board(["queen", "queen", "queen"])), "1 pawn,1 rook");
  assert.equal(lost(board([]), 2), "1 pawn");
  assert.equal(lost(board(["pawn", "pawn", "pawn", "pawn", "rook", "queen"])), "");
  const draughts = [{ name: "man", promotes_to: null }, { name: "king", promotes_to: null }];
  assert.deepEqual(lostMen(board(["man", "man", "man"]), board(["man", "king"]), draughts, 1), [{ name: "man", count: 1 }]);
});
