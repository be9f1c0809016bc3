/**
 * play.js - the page of one game: the board, its moves and lines, offers and clocks, and what one takes along.
 *
 * The page is drawn anew from each state of the game; only the list of moves grows. Nothing here knows a game.
 */
import { Shape } from "./board/shape.js";
import { allOf, at, capital, copyable, el, forget, keep, kept, nameOf, note, plyd, PlydError, reason, recall, say, settled, t, takeRecords, yours }
  from "./page.js";
import { challengedSeat, isOver, sideName, spoken } from "./page/words.js";
import { withNames } from "./people/names.js";
import { action, attempt, fillActions, patient, showActions } from "./play/actions.js";
import { download, showFiles, showKey, showShare } from "./play/along.js";
import { showChallenge, wordOf } from "./play/challenge.js";
import { hearMessage, showMessages } from "./play/chat.js";
import { faceOf, isUnsure, lostMen, newsOf, offerText, reviewText, verdictText } from "./play/face.js";
import { board, game, id, INCLUDE, invitation } from "./play/here.js";
import { readSoon } from "./play/read.js";
import { listenForSteps, TAKES_KEYS } from "./play/steps.js";

/**
 * @typedef {import("./plyd.js").GameState} GameState
 * @typedef {import("./plyd.js").Move} Move
 * @typedef {import("./plyd.js").Variant} Variant
 */

/** @type {Variant | null} */
let variant = null;
let bottom = null;                     // the seat that the user has turned to the bottom; null: their own
/** @type {{ply: number, line: number} | null} */
let look = null;                       // the position that is looked at; null: the present one
/** @type {{line: number, items: Move[]}} */
let moves = { line: 0, items: [] };    // those of the present line, up to its tip

// ---- offers ----

function offerCard(state, offer) {
  return el("div", { class: "card offer" }, el("p", {}, offerText(state, offer)),
    (offer.may ?? []).map((name) => action({ label: t(name), isPrimary: name === "accept" }, () => game[name](offer.id, patient))));
}

// ---- players and standing ----

function playerBar(state, seat) {
  const told = variant.seats[seat - 1];
  const side = capital(told.title), name = nameOf(state, seat);
  const { state: taken } = state.seats[seat - 1], isYours = yours(state).includes(seat) || taken === "challenged" && yours(state).length === 0;
  const dot = el("span", { class: "dot", "aria-hidden": "true" });
  dot.style.background = told.color;
  return [dot,
    el("span", { class: "name" }, taken === "open" ? t("nobody-yet") : name), " ",
    el("span", { class: "soft" }, name === side ? "" : side, isYours ? ` ${t("you")}` : ""),
    !isYours && present?.isHere(seat) ? el("span", { class: "present" }, t("is-here")) : "",
    takenMen(state, seat),
    el("span", { class: "clock", "data-seat": seat })];
}

let present = null; // who has the game before them: loaded where two people may play

async function showPresence(state) {
  if (yours(state).length !== 1 || state.seats.some(({ engine }) => engine)) return;
  present = await import("./present.js").catch(() => present);
  present?.look(game, () => showPlayers(game.state));
}

let rematch = null; // the way to the next game: loaded once there may be one

async function showNext(state) {
  if (!rematch && !isOver(state) && !state.next) return;
  rematch ??= await import("./rematch.js").catch(() => null);
  if (state === game.state) await rematch?.showRematch(game, state);
}

let begun = null; // the board at the start, in games whose men may be lost for good

/** Asks how the game began, once the page has all it needs. */
async function askBegin() {
  if (variant.hands) return;
  begun = game.state.ply === 0 ? game.state.board : (await game.position(0, { include: "board" })).board;
  showPlayers(game.state);
}

const isDark = () => getComputedStyle(document.documentElement).colorScheme === "dark" ||
  !document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches;

/** The men that a seat has taken. */
function takenMen(state, seat) {
  const loser = 3 - seat, titles = new Map(variant.pieces.map(({ name, title }) => [name, title]));
  const lost = begun && state.board ? lostMen(begun, state.board, variant.pieces, loser) : [];
  if (lost.length === 0) return "";
  const men = `/v1/variants/${variant.name}/men.svg?theme=${isDark() ? "dark" : "light"}`;
  const names = lost.map(({ name, count }) => count > 1 ? `${count} × ${titles.get(name)}` : titles.get(name)).join(t("comma"));
  return el("span", { class: "taken", role: "img", "aria-label": t("has-taken", { men: names }), title: names }, lost.map(({ name, count }) =>
    [el("img", { src: `${men}#view-man-${loser}-${name}`, alt: "" }), count > 1 ? el("small", {}, count) : ""]).flat());
}

const nearSeat = (state) => bottom ?? yours(state)[0] ?? challengedSeat(state)?.seat ?? 1;

function showPlayers(state) {
  const near = nearSeat(state);
  for (const [place, seat] of [["near", near], ["far", 3 - near]]) {
    at(place).replaceChildren(...playerBar(state, seat));
    at(place).classList.toggle("turn", state.status === "active" && state.to_move === seat);
  }
  board.setAttribute("seat", near);
  showFace();
}

// ---- how it stands ----

const LATE_MS = 5000;   // a move that was not answered by then is on its way no more
const BEHIND_MS = 1000; // a state that was not loaded by then is missed

let skew = 0;         // how far the server's clock is ahead of this machine's
let sent = null;      // when this page saw that a move is to be sent: { at, since }, the second for spans of time
let heard = null;     // since when it is known that something has happened that the state does not have
let lostAt = null;    // since when it is not sure how the game stands
let unheard = false;  // whether the first question, what game this is, was not answered
let boardSays = null; // why something cannot be done there, or a hint
let news = null;      // what has happened that no state tells

function noteMoves() {
  const waits = game.pending.length > 0;
  if (!waits) sent = null;
  else if (sent === null) {
    sent = { at: Date.now(), since: performance.now() };
    setTimeout(showFace, LATE_MS);
  }
  showFace();
}

/** Something has happened. If its state does not come soon, the one that is shown is an old one. */
function noteEvent(event) {
  if (event.type === "message") hearMessage(event);
  news = event.type === "move" ? null : newsOf(game.state, event) || news;
  if (game.isBehind) heard ??= performance.now();
  setTimeout(showFace, BEHIND_MS);
}

const serverTime = (ms) => ms + skew;

/** All that is known now. */
function gather() {
  const { state } = game, count = game.pending.length;
  if (!game.isBehind) heard = null;
  const facts = {
    state, variant, news, said: boardSays,
    isAway: unheard || game.connection === "offline",
    isBehind: heard !== null && performance.now() - heard >= BEHIND_MS,
    sent: sent && count > 0 ? { count, isLate: performance.now() - sent.since >= LATE_MS, at: serverTime(sent.at) } : null,
    place: look && placeOf(look), verdict: verdictOfLook(), mayJoin: Boolean(state && mayJoin(state)), now: serverTime(Date.now()),
  };
  lostAt = isUnsure(facts) ? lostAt ?? facts.now : null;
  return { ...facts, lostAt };
}

function showFace() {
  const face = faceOf(gather()), title = variant?.title ?? t("a-game");
  at("title").textContent = title;
  at("stands").textContent = face.heading;
  at("past").hidden = !face.isPast;
  at("standing").classList.toggle("urgent", face.isUrgent);
  at("standing").classList.toggle("over", face.isOver);
  at("meaning").textContent = face.note.text;
  at("meaning").classList.toggle("trouble", face.note.isRefused);
  say(at("network"), face.network);
  document.title = `${face.title} · ${title}`;
  showActions(face);
  showEnd(face);
  showClocks(face);
}

let isWarned = false;

/** Sounds once when one's own time is low. */
function warn(isLow) {
  if (isLow && !isWarned) board.chime("low");
  isWarned = isLow;
}

let tenths = null; // the timer of a clock that shows them

function showClocks({ clocks } = faceOf(gather())) {
  for (const node of allOf(".clock")) {
    const clock = clocks[node.dataset.seat];
    if (node.textContent !== (clock?.text ?? "")) node.textContent = clock?.text ?? "";
    node.classList.toggle("runs", Boolean(clock?.isRunning));
    node.classList.toggle("low", Boolean(clock?.isLow));
  }
  warn(yours(game.state ?? {}).some((seat) => clocks[seat]?.isRunning && clocks[seat].isLow));
  const isShort = Object.values(clocks).some((clock) => clock?.isRunning && clock.left > 0 && clock.left < 11);
  clearTimeout(tenths);
  if (isShort) tenths = setTimeout(() => showClocks(), 100);
}

const isWide = matchMedia("(min-aspect-ratio: 5/4) and (min-width: 34rem)");

/** Tells the style how much room the board needs for its size. Hands lie beside it where the window is wide. */
function fitBoard() {
  const { hands } = game.state.board, { features } = variant;
  const { width, height } = new Shape(game.state.board, false, variant.board.tiling === "hexagons");
  const has = { "--w": width, "--h": height, "--beside": hands ? 0.68 : 0, "--edge": hands ? "calc(.4rem + 4px)" : "0px", "--hands": hands ? 2.1 : 0,
                "--below": features.includes("stacks") ? "2.4rem" : "0rem" };
  for (const [name, value] of Object.entries(has)) at("play").style.setProperty(name, value);
  board.setAttribute("hands", isWide.matches ? "beside" : "around");
}

// ---- the end ----

let wasPlayed = false; // whether the game went on while this page showed it: then its end is news

/** The end is shown upon the board to those who see it come, and in the panel to everybody. */
function showEnd({ isOver, isPast, actions, heading, note: { text } }) {
  const isNews = wasPlayed && isOver;
  if (game.state) wasPlayed = !isOver;
  at("end").hidden = !isOver;
  if (isNews && !isPast) {
    at("stage").append(at("end"));
    if (!document.activeElement.matches(TAKES_KEYS)) at("end-close").focus({ preventScroll: true });
  } else if (!isOver || isPast) layEnd();
  if (!isOver || isPast) return;
  at("end-result").textContent = heading;
  at("end-meaning").textContent = text;
  fillActions(at("end-actions"), actions.filter(({ name }) => name === "rematch"));
  for (const [place, path] of [["picture", "board"], ["film", "replay"]]) {
    at(place).href = `/v1/games/${id}/${path}.svg`;
    at(place).download = `${variant?.name ?? "game"}-${id.slice(0, 6)}-${place}.svg`;
  }
}

/** Puts what is offered after the end into the panel. */
function layEnd() {
  if (at("stage").contains(at("end"))) document.querySelector(".panel").prepend(at("end"));
}

async function share() {
  const url = `${location.origin}/play/${id}`;
  if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {});
  at("share").open = true;
  at("share").scrollIntoView({ block: "nearest" });
  return at("watch-link").querySelector("button").click();
}

const verdicts = new Map(); // by ply, of the present line

/** Has the computer look at every move of the game, and marks them as they come. */
async function review() {
  say(at("review"), t("review-runs"));
  const headers = { "Content-Type": "application/json", Accept: "application/x-ndjson", ...(game.token && { Authorization: `Bearer ${game.token}` }) };
  const answer = await fetch(`/v1/games/${id}/analyse`, { method: "POST", headers, body: "{}" });
  if (!answer.ok) throw new PlydError(await answer.json());
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = "", part; !(part = await reader.read()).done;) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    lines.filter(Boolean).map((line) => JSON.parse(line)).forEach(judge);
  }
}

function judge({ summary, ...verdict }) {
  if (summary) return say(at("review"), reviewText(game.state, summary));
  verdicts.set(verdict.ply, verdict);
  return markVerdicts();
}

function markVerdicts() {
  for (const node of at("moves").children) {
    const told = verdicts.get(node.value);
    if (told) node.dataset.verdict = told.verdict;
  }
}

function verdictOfLook() {
  const told = look && look.line === game.state.line ? verdicts.get(look.ply) : null;
  return told ? verdictText(told, isWritten()) : null;
}

// ---- invitations and joining ----

function showInvite(state) {
  const url = kept(`invitation:${id}`);
  const may = state.status === "open" && Boolean(state.you?.may.includes("invite"));
  at("invite").hidden = !may;
  if (state.status !== "open") keep(`invitation:${id}`, null);
  at("invite-button").hidden = url !== null;
  at("invite-code").hidden = url === null;
  if (may && url !== null && at("invite-link").dataset.url !== url) showLink(url);
}

function showLink(url) {
  const { pathname, hash } = new URL(url, location.origin);
  const link = location.origin + pathname + hash;
  at("invite-link").dataset.url = url;
  at("invite-link").replaceChildren(copyable(link, t("invitation")));
  if (navigator.share)
    at("invite-link").append(action({ label: t("send-to") }, () => navigator.share({ title: document.title, url: link }).catch(() => {})));
  at("invite-code").ontoggle = () => showCode(link);
  at("invite-code").open = matchMedia("(min-width: 56rem)").matches;
}

async function showCode(link) {
  if (!at("invite-code").open) return;
  const { qrPicture } = await import("./qr.js");
  at("invite-qr").replaceChildren(qrPicture(link, t("invitation-qr")));
}

async function makeLink() {
  const { url } = await game.invite({ expires: "30d" }, patient);
  keep(`invitation:${id}`, url);
  showInvite(game.state);
}

const openSeat = (state) => state.seats.find(({ state: taken }) => taken === "open");

/** Says of an invitation that somebody else has used why nobody can be joined, and takes it out of the address. */
function spend(state) {
  if (invitation === null || state.status === "open") return;
  history.replaceState(null, "", location.pathname);
  if (!state.you) news ??= t("invitation-used");
}

function mayJoin(state) {
  const open = openSeat(state);
  return state.status === "open" && !state.you && Boolean(open && (invitation || !open.invitation_expires_at));
}

function showJoin(state) {
  const open = openSeat(state), may = mayJoin(state);
  at("join").hidden = !may;
  if (!may) return;
  at("join-text").textContent = t(open.seat === 1 ? "would-begin" : "would-play", { side: capital(sideName(open.side)) });
  showNoticeSwitch();
}

let isOffered = false;

/** Whoever joins may ask to be told: of a seat that is taken later by one who has no player there are no notices. */
async function showNoticeSwitch() {
  if (isOffered) return;
  isOffered = true;
  const { noticeSwitch } = await import("./notices.js");
  at("join-button").before(noticeSwitch({ nameOf: () => at("join-name").value.trim() }));
}

async function join(event) {
  event.preventDefault();
  const name = at("join-name").value.trim();
  await attempt(async () => {
    await game.join({ ...(invitation && { invitation }), ...(name && { name }) }, patient);
    keep("name", name);
  }, at("join-button"));
}

// ---- moves ----

/** Brings the list of moves up to date: by those that came with the state, else by asking. */
async function loadMoves(state, fresh = []) {
  if (moves.line === state.line && moves.items.length >= state.tip) return;
  const known = moves.line === state.line ? moves.items : [];
  const follows = fresh.length > 0 && fresh.every((move, i) => move.ply === known.length + 1 + i && move.line === state.line);
  const more = follows ? fresh : await game.moves({ line: state.line, after: known.length });
  if (state !== game.state) return; // a newer state takes care of it
  if (moves.line > 0 && moves.line !== state.line) {
    lines.set(moves.line, moves.items); // a line that was left ends there
    verdicts.clear();
  }
  moves = { line: state.line, items: [...known, ...more] };
}

// One notation for the board, the list and refusals: as moves are typed, or as people write them.
let notation = kept("notation") ?? "typed";

const isWritten = () => notation === "written" && Boolean(variant.board.written);
const toldMove = (move) => isWritten() ? move.text : move.move;

function moveButton(move, line, before = "") {
  const { ply } = move;
  return el("button", { type: "button", "data-ply": ply, "data-line": move.line, title: isWritten() ? move.move : move.text,
                        onclick: () => goTo({ ply, line }) },
            before + toldMove(move), move.source === "plan" ? el("span", { class: "soft", title: t("by-a-plan") }, " ⚙") : "");
}

function showMoves(state) {
  const list = at("moves"), { items, line } = moves;
  const course = `${notation}:${line}:`, key = course + items.length;
  if (list.dataset.key !== key) {
    const stays = list.dataset.key?.startsWith(course) ? list.childElementCount : 0;
    for (const node of [...list.children].slice(stays)) node.remove();
    list.append(...items.slice(stays).map((move) => el("li", { value: move.ply, class: `seat${move.seat}` }, moveButton(move, line))));
    list.dataset.key = key;
    markVerdicts();
  }
  const shown = look?.ply ?? state.ply;
  for (const node of list.children) {
    const ply = node.value, button = node.firstChild;
    node.classList.toggle("undone", ply > state.ply);
    if (ply !== shown) button.removeAttribute("aria-current");
    else if (button.getAttribute("aria-current") === null) {
      button.setAttribute("aria-current", "true");
      list.scrollTop = node.offsetTop - list.clientHeight / 2;
    }
  }
}

/** In which line the move before a position was made: two positions with the same one are the same. */
const originOf = ({ ply, line }) => (line === moves.line ? moves.items : lines.get(line) ?? [])[ply - 1]?.line ?? (ply && line);

const isPresent = ({ ply, line }) => originOf({ ply, line }) === originOf({ ply, line: game.state.line });

/** What is looked at, in words. */
function placeOf({ ply, line }) {
  const last = lineLength(line);
  if (ply === 0) return t("before-first", { last });
  const place = t("move-of", { ply, last });
  return ply > game.state.ply || !isPresent({ ply, line }) ? t("taken-back", { place }) : place;
}

/** Shows another position; null: the present one. */
function goTo(there) {
  const { state } = game;
  look = there && there.line === state.line && there.ply === state.ply ? null : there;
  showLook(state);
  at("told").textContent = at("stands").textContent;
}

/** One who looks back stays there when the game goes on, be it by another line. */
function stayThere(state) {
  if (look && isPresent(look)) look.line = state.line;
  if (look?.line === state.line && look.ply === state.ply) look = null;
  showLook(state);
}

function comeBack() {
  goTo(null);
  board.focus({ preventScroll: true }); // the button that was pressed is gone
}

function showLook(state) {
  for (const [name, value] of [["ply", look?.ply], ["line", look?.line]])
    if (value == null) board.removeAttribute(name);
    else board.setAttribute(name, value);
  showFace();
  showReplay(state);
  showMoves(state);
  markTree();
}

function showReplay(state) {
  const ply = look?.ply ?? state.ply, last = look ? lineLength(look.line) : Math.max(state.tip, state.ply);
  const slider = at("slider");
  slider.max = last;
  slider.value = ply;
  slider.setAttribute("aria-valuetext", ply === 0 ? t("start") : t("move-of", { ply, last }));
  slider.disabled = last === 0;
  at("first").disabled = at("prev").disabled = ply === 0;
  at("next").disabled = ply >= last;
  at("last").disabled = look === null;
  at("stage").classList.toggle("past", look !== null);
}

const lineLength = (line) =>
  line === game.state.line ? Math.max(game.state.tip, game.state.ply) : lines.get(line)?.length ?? look?.ply ?? 0;

function step(by) {
  const { state } = game, from = look ?? { ply: state.ply, line: state.line };
  const ply = Math.max(0, Math.min(lineLength(from.line), from.ply + by));
  goTo({ ply, line: from.line });
}

// ---- sounds ----

function setSound(isOn) {
  board.toggleAttribute("sound", isOn);
  at("sound").setAttribute("aria-pressed", isOn);
}

/** Whether a move is sent only after another press. */
function setAsking() {
  at("ask").checked = kept("ask") === "on";
  board.toggleAttribute("confirm", at("ask").checked);
}

function switchAsking() {
  keep("ask", at("ask").checked ? "on" : null);
  setAsking();
}

function switchSound() {
  const isOn = !board.hasAttribute("sound");
  keep("sound", isOn ? "on" : null);
  setSound(isOn);
  board.chime("move");
}

/** The choice between the two notations, in games that have two. */
function showNotations() {
  const { files, ranks, written } = variant.board;
  at("notation-field").hidden = !written;
  if (!written || at("notation").firstChild) return;
  const square = (labels) => labels.files[0] + labels.ranks[0];
  at("notation").append(el("option", { value: "typed" }, t("as-typed", { square: square({ files, ranks }) })),
                        el("option", { value: "written" }, t("as-written", { square: square(written) })));
  at("notation").value = notation;
}

/** The choice between sets of men, in games that have several. It is kept for each game. */
function showSets() {
  const { sets, name } = variant;
  at("men-field").hidden = sets.length === 0;
  if (sets.length === 0 || at("men").firstChild) return;
  at("men").append(el("option", { value: "" }, t("usual-men")), ...sets.map(({ name, title }) => el("option", { value: name }, title)));
  at("men").value = kept(`men:${name}`) ?? "";
}

function changeSet() {
  const { value } = at("men");
  keep(`men:${variant.name}`, value || null);
  board.setAttribute("men", value);
}

function changeNotation() {
  notation = at("notation").value;
  keep("notation", notation);
  board.setAttribute("notation", notation);
  showMoves(game.state);
  showLines(game.state);
}

// ---- lines ----

const LINES_MOST = 50; // each one is a request

const lines = new Map(); // by number: all moves from the start of the game to the end of that line

/** The line that a line branches off from; undefined: it begins the game, or that one is not shown. */
function parentOf(line) {
  const before = lines.get(line).findLast((move) => move.line !== line);
  const parent = before?.line ?? 1;
  return parent !== line && lines.has(parent) ? parent : undefined;
}

/** A line's own moves, and below it the lines that branch off from it. */
function branch(line) {
  const own = lines.get(line).filter((move) => move.line === line);
  const children = [...lines.keys()].filter((other) => parentOf(other) === line);
  return el("li", { class: line === game.state.line ? "present" : null },
    el("span", { class: "soft" }, line === 1 ? "" : t("from-move", { ply: own[0]?.ply })),
    own.map((move) => [moveButton(move, line, `${move.ply}. `), " "]).flat(),
    children.length > 0 ? el("ul", {}, children.map(branch)) : "");
}

async function showLines(state) {
  at("lines").hidden = state.line === 1;
  if (!at("lines").open || state.line === 1) return;
  for (let line = Math.max(1, state.line - LINES_MOST); line < state.line; line++)
    if (!lines.has(line)) lines.set(line, await game.moves({ line }));
  lines.set(state.line, moves.items);
  const roots = [...lines.keys()].filter((line) => parentOf(line) === undefined);
  at("tree").replaceChildren(el("ul", {}, roots.map(branch)));
  markTree();
}

function markTree() {
  const shown = look ?? { ply: game.state.ply, line: game.state.line };
  const path = lines.get(shown.line) ?? [];
  for (const button of at("tree").querySelectorAll("button")) {
    const ply = Number(button.dataset.ply), line = Number(button.dataset.line);
    const here = ply === shown.ply && path.some((move) => move.ply === ply && move.line === line);
    if (here) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

// ---- all together ----

/** @param {{state?: GameState, moves?: Move[]}} [news] */
async function show({ state = game.state, moves: fresh } = {}) {
  [variant] = await Promise.all([plyd.variant(state.variant), withNames(state)]);
  if (state !== game.state) return;
  if (state.clock) skew = Date.parse(state.clock.now) - Date.now();
  spend(state);
  showPlayers(state);
  at("offers").replaceChildren(...state.offers.map((offer) => offerCard(state, offer)));
  showInvite(state);
  showJoin(state);
  showChallenge(state, variant);
  showKey(state);
  at("ask-field").hidden = !state.you || isOver(state);
  showPresence(state);
  showAbout(state);
  if (!at("files").firstChild) showFiles(variant);
  showReplay(state);
  showNotations();
  showSets();
  await loadMoves(state, fresh);
  if (state !== game.state) return;
  stayThere(state);
  reveal();
  note(id, { state, moves });
  readSoon();
  await Promise.all([showLines(state), showMessages(state), showNext(state), showWord(state)]);
}

/** What was said with a challenge that was declined stands in no state. */
async function showWord(state) {
  const word = await wordOf(state);
  if (!word) return;
  news = word;
  showFace();
}

let isDrawn = false; // whether the board was

/** Shows the page, once all parts have their size: what is shown earlier would jump. */
function reveal() {
  if (isDrawn && moves.line > 0) at("play").classList.remove("waits");
}

function missing() {
  const text = t("no-such-game");
  return invitation ? t("maybe-used", { text }) : text;
}

function broken(error) {
  at("play").classList.remove("waits");
  if (error.status === 0 && game.state) return; // what is known is shown, and that there is no connection
  if (error.status === 404 || error.status === 401) {
    forget(id);
    board.remove();
  }
  say(at("trouble"), error.status === 404 ? missing() : reason(error));
  at("stands").textContent = "";
}

function showAbout(state) {
  at("about").replaceChildren(
    el("a", { href: spoken(`/v1/variants/${variant.name}/rules`) }, t("rules-of", { game: variant.title })), " · ",
    t(`undo:${state.undo}`), " · ", t(`visibility:${state.visibility}`));
}

function listen() {
  listenForSteps(step);
  game.addEventListener("state", ({ detail }) => show(detail).catch(broken));
  game.addEventListener("pending", noteMoves);
  game.addEventListener("connection", showFace);
  game.addEventListener("state", () => say(at("trouble"), ""));
  game.addEventListener("event", ({ detail }) => noteEvent(detail));
  board.addEventListener("plyd-state", () => {
    isDrawn = true;
    reveal();
  });
  board.addEventListener("plyd-note", ({ detail: { text, isRefused } }) => {
    boardSays = text ? { text, isRefused } : null;
    showFace();
  });
  at("slider").addEventListener("input", () => goTo({ ply: Number(at("slider").value), line: look?.line ?? game.state.line }));
  at("first").addEventListener("click", () => step(-Infinity));
  at("prev").addEventListener("click", () => step(-1));
  at("next").addEventListener("click", () => step(1));
  at("last").addEventListener("click", () => goTo(null));
  at("now").addEventListener("click", comeBack);
  isWide.addEventListener("change", () => game.state && variant && fitBoard());
  at("flip").addEventListener("click", () => {
    bottom = 3 - nearSeat(game.state);
    showPlayers(game.state);
  });
  at("sound").addEventListener("click", switchSound);
  at("ask").addEventListener("change", switchAsking);
  at("end-close").addEventListener("click", layEnd);
  at("share-button").addEventListener("click", share);
  at("review-button").addEventListener("click", () => attempt(review, at("review-button")));
  for (const place of ["picture", "film"]) at(place).addEventListener("click", download);
  at("notation").addEventListener("change", changeNotation);
  at("men").addEventListener("change", changeSet);
  at("join").addEventListener("submit", join);
  at("invite-button").addEventListener("click", () => attempt(makeLink, at("invite-button")));
  at("lines").addEventListener("toggle", () => game.state && showLines(game.state));
}

let isAsked = false; // whether it was looked up what is kept of the game

/** Nobody has answered: the game is shown as it was last known here, if it was. */
async function showKept() {
  unheard = true;
  at("play").classList.remove("waits");
  showFace();
  if (isAsked || game.state) return;
  isAsked = true;
  const known = await recall(id);
  if (!known || game.state) return;
  moves = known.moves;
  /** @type {any} */ (game).take(known.state, INCLUDE); // which only our own pages do
  await showBoard();
}

async function showBoard() {
  variant ??= await plyd.variant(game.state.variant);
  if (board.isConnected) return;
  fitBoard();
  board.plyd = plyd;
  board.game = game;
  board.setAttribute("notation", notation);
  board.setAttribute("men", kept(`men:${variant.name}`) ?? "");
  at("stage").append(board);
}

/** The game comes first: with its state the board need not ask again. */
async function begin() {
  const known = plyd.keys.list().find((key) => key.id === id)?.variant;
  if (known) plyd.variant(known).catch(() => {}); // it is told again if it fails
  noteMoves(); // one may have been made before a reload
  let isAnswered = false;
  setTimeout(() => isAnswered || showKept(), LATE_MS);
  await game.load({ deadline: Infinity, trouble: showKept }).finally(() => { isAnswered = true; });
  unheard = false;
  showFace();
  await showBoard();
  game.watch();
}

at("join-name").value = kept("name") ?? "";
setSound(kept("sound") === "on");
setAsking();
listen();
showShare();
takeRecords(at("record-file"), at("record-trouble"));
setInterval(() => showClocks(), 1000);
begin().catch(broken).finally(() => {
  settled();
  if (game.state && variant) askBegin().catch(() => {}); // without it there are no men beside the names
});
