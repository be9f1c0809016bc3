/**
 * play.js - the page of one game: the board, its moves and lines, offers and clocks, and what one takes along.
 *
 * The page is drawn anew from each state of the game; only the list of moves grows. Nothing here knows a game.
 */
import "./board.js";
import { at, capital, copyable, el, keep, kept, nameOf, plyd, PlydError, reason, requests, say, settled, standing,
         takeRecords, yours } from "./page.js";
import { forget, note, recall } from "./seen.js";

const id = location.pathname.split("/")[2];
const INCLUDE = "board,legal_tree";

// ---- what stands behind the # ----

/** An invitation, or the key of a seat. It is taken out of the address, so that nobody reads it there. */
function takeFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("key")) {
    plyd.keys.remember(id, given.get("key"));
    history.replaceState(null, "", location.pathname);
  }
  return given.get("invitation");
}

const invitation = takeFragment();
const game = plyd.game(id, { include: INCLUDE });
const board = el("plyd-board");
let variant = null;
let bottom = null;                     // the seat that the user has turned to the bottom; null: their own
let look = null;                       // { ply, line } of the position that is looked at; null: the present one
let moves = { line: 0, items: [] };    // those of the present line, up to its tip

// ---- doing ----

/** Runs what a button does, and says why it cannot be done. */
async function attempt(run, button) {
  say(at("trouble"), "");
  if (button) button.disabled = true;
  try {
    await run();
  } catch (error) {
    say(at("trouble"), reason(error));
  } finally {
    if (button) button.disabled = false;
  }
}

/** A button; one that cannot be taken back asks again. */
function action(label, run, { sure, primary } = {}) {
  let asked = false;
  const button = el("button", { type: "button", class: primary ? "primary" : null, onclick: press }, label);
  function press() {
    if (!sure || asked) return attempt(run, button);
    asked = true;
    button.textContent = `${sure}?`;
    button.classList.add("sure");
    setTimeout(() => {
      asked = false;
      button.textContent = label;
      button.classList.remove("sure");
    }, 4000);
  }
  return button;
}

async function rematch() {
  location.href = `/play/${(await game.act("rematch")).id}`;
}

/** The buttons for what `you.may` lists, in this order. */
const ACTIONS = {
  rematch: ["Rematch", rematch, { primary: true }],
  hint: ["Hint", () => board.hint()],
  undo: ["Take back", () => game.act("undo")],
  redo: ["Play again", () => game.act("redo")],
  "offer:draw": ["Offer a draw", () => game.offer({ kind: "draw" })],
  "offer:undo": ["Ask to take back", () => game.offer({ kind: "undo" })],
  "offer:time": ["Offer a day more", () => game.offer({ kind: "time", add: "24h" })],
  "offer:pause": ["Offer a pause of a week", () => game.offer({ kind: "pause", for: "7d" })],
  "offer:abort": ["Offer to call it off", () => game.offer({ kind: "abort" })],
  resume: ["End the pause", () => game.act("resume")],
  "claim:repetition": ["Claim a repetition", () => game.claim("repetition")],
  "claim:impasse": ["Declare an impasse", () => game.claim("impasse")],
  abort: ["Call off", () => game.act("abort"), { sure: "Really call it off" }],
  resign: ["Resign", () => game.act("resign"), { sure: "Really resign" }],
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

/** Fills a place with buttons, unless it has the same ones: a button that is being pressed stays. */
function fillActions(place, names) {
  if (place.dataset.names === names.join()) return;
  place.dataset.names = names.join();
  place.replaceChildren(...names.map((name) => action(...ACTIONS[name])));
}

function showActions(state) {
  const may = state.you?.may ?? [];
  const names = Object.keys(ACTIONS).filter((name) => may.includes(name) && !needless(state, name));
  const rare = names.filter((name) => RARE.test(name));
  fillActions(at("actions"), names.filter((name) => !RARE.test(name)));
  fillActions(at("rare-actions"), rare);
  at("rare").hidden = rare.length === 0;
}

// ---- the rematch ----

let asker = null; // the seat that wants the rematch; 0: nobody, or it has begun; null: not asked yet

/** The seat that has asked for a rematch which nobody has answered yet, by a move. */
async function askerOf({ next }) {
  const [[event], { status, ply }] = await Promise.all([
    game.events({ type: "rematch" }), plyd.request("GET", `/v1/games/${next}`, { token: game.token })]);
  return status === "active" && ply < 2 ? event.seat : 0;
}

/** Who wants a rematch. Nobody has to be told of one with the computer, or with oneself. */
function wish(state) {
  const mine = yours(state), { name, side } = state.seats[asker - 1];
  if (mine.length === 2 || state.seats.some(({ engine }) => engine)) return "";
  if (mine.includes(asker)) return "You have asked for a rematch.";
  return `${name ?? (mine.length > 0 ? "Your opponent" : capital(side))} wants a rematch.`;
}

/** Where to go from a game that is over. The key of one's seat is there already: `plyd.js` has kept it. */
function showLinks(state) {
  const over = ["finished", "aborted"].includes(state.status), asked = asker > 0 ? wish(state) : "";
  const link = (href, text, kind = "button") => el("a", { class: kind, href }, text);
  const rematch = (kind) => link(`/play/${state.next}`, "To the rematch", kind);
  for (const old of at("actions").querySelectorAll("a")) old.remove();
  at("actions").append(...(state.next && !asked ? [rematch()] : []), ...(over ? [link("/", "Another game")] : []));
  if ((at("rematch").dataset.says ?? "") === asked) return; // it stays, and so does a focus
  at("rematch").dataset.says = asked;
  at("rematch").replaceChildren(...(asked ? [el("div", { class: "card offer" }, el("p", {}, asked), rematch("button primary"))] : []));
}

async function showRematch(state) {
  if (state.next) asker ??= await askerOf(state).catch(() => 0); // a private one is none of a watcher's business
  if (state === game.state) showLinks(state);
}

// ---- offers ----

const WHAT = {
  draw: () => "a draw",
  undo: ({ to_ply: ply }) => `to go back to move ${ply}`,
  abort: () => "to call the game off",
  time: ({ add_s: seconds }) => `${span(seconds)} more for both`,
  pause: ({ for_s: seconds }) => `a pause of ${span(seconds)}`,
};

function offerCard(state, offer) {
  const mine = offer.may?.includes("withdraw");
  const who = mine ? "You offer" : `${nameOf(state, offer.seat)} offers`;
  const buttons = { accept: "Accept", decline: "Decline", withdraw: "Withdraw" };
  return el("div", { class: "card offer" },
    el("p", {}, `${who} ${(WHAT[offer.kind] ?? (() => offer.kind))(offer)}.`),
    (offer.may ?? []).map((name) => action(buttons[name], () => game[name](offer.id), { primary: name === "accept" })));
}

// ---- clocks ----

let skew = 0; // how far the server's clock is ahead of this machine's

/** A span of time in words: two units at most. */
function span(seconds) {
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const at = parts.findIndex(([size]) => seconds >= size);
  if (at < 0) return "0 s";
  return parts.slice(at, at + 2).map(([size], i) => {
    const count = Math.floor(seconds / size) % (i === 0 ? Infinity : parts[at][0] / size);
    return count || i === 0 ? `${count} ${parts[at + i][1]}` : "";
  }).join(" ").trim();
}

function clockText(state, seat) {
  const { clock } = state;
  if (!clock || state.status !== "active") return "";
  const periods = clock.periods_left?.[seat] ? ` + ${clock.periods_left[seat]} × ${span(clock.period_s)}` : "";
  const runs = clock.running === seat && clock.deadline_at;
  const now = fate() === "sent" && yours(state).includes(seat) ? sent.at : Date.now();
  const left = runs ? Math.max(0, (Date.parse(clock.deadline_at) - now - skew) / 1000) : clock.left_s[seat];
  return `${runs ? "◷ " : ""}${span(left)}${runs ? "" : periods}${clock.paused ? " (paused)" : ""}`;
}

function showClocks() {
  const { state } = game;
  for (const node of document.querySelectorAll(".clock")) {
    const text = state ? clockText(state, Number(node.dataset.seat)) : "";
    if (node.textContent !== text) node.textContent = text;
  }
}

// ---- players and standing ----

function playerBar(state, seat) {
  const told = variant.seats[seat - 1];
  const side = capital(told.name), name = nameOf(state, seat);
  const taken = state.seats[seat - 1].state !== "open";
  const dot = el("span", { class: "dot", "aria-hidden": "true" });
  dot.style.background = told.color;
  return [dot,
    el("span", { class: "name" }, taken ? name : "Nobody yet"), " ",
    el("span", { class: "soft" }, name === side ? "" : side, yours(state).includes(seat) ? " (you)" : ""),
    el("span", { class: "clock", "data-seat": seat })];
}

const nearSeat = (state) => bottom ?? yours(state)[0] ?? 1;

function showPlayers(state) {
  const near = nearSeat(state);
  for (const [place, seat] of [["near", near], ["far", 3 - near]]) {
    at(place).replaceChildren(...playerBar(state, seat));
    at(place).classList.toggle("turn", state.status === "active" && state.to_move === seat);
  }
  board.setAttribute("seat", near);
  showClocks();
}

// ---- how it stands ----

const LATE_MS = 5000; // a move that was not answered by then is on its way no more

let sent = null;      // when this page saw that a move is to be sent: { at, since }, the second for spans of time
let unheard = false;  // whether the first question, what game this is, was not answered

const away = () => unheard || game.connection === "offline";

/**
 * What has become of a move that was made: "sent" (it will be there at once), "late" (nobody answers), "kept" (there is
 * no connection); "" without one. The server takes its time off until it has the move. So a clock stands while a move
 * is sent, as it did when the man was let go, and runs on when that is not true any more.
 */
function fate() {
  if (sent === null || game.pending.length === 0) return "";
  if (away()) return "kept";
  return performance.now() - sent.since < LATE_MS ? "sent" : "late";
}

function noteMoves() {
  const waits = game.pending.length > 0;
  if (!waits) sent = null;
  else if (sent === null) {
    sent = { at: Date.now(), since: performance.now() };
    setTimeout(showStanding, LATE_MS);
  }
  showStanding();
}

/** Whether something may have happened that is not known here. One's own turn stays until one has moved. */
const isUnsure = (state) => away() && (state.status === "open" || state.status === "active" && !yours(state).includes(state.to_move));

/** How the game stands now, as far as that is known here. */
function headline(state) {
  const count = game.pending.length, what = fate();
  if (what === "kept") return `No connection, ${count > 1 ? `${count} moves` : "the move"} will be sent`;
  if (what) return "Sending …";
  if (!state) return away() ? "No connection" : at("stands").textContent;
  if (isUnsure(state)) return "No connection";
  return state.status === "open" && !state.you && !mayJoin(state) ? "Waiting for an invited player" : standing(state);
}

function networkNote(state) {
  const what = fate(), runs = state?.clock?.deadline_at && yours(state).includes(state.clock.running);
  const time = runs ? " Your time runs on until it is there." : "";
  if (what === "kept") return `Your move is kept on this device, also if you close the page.${time}`;
  if (what === "late") return `The server has not answered yet.${time}`;
  if (!away()) return "";
  return state && isUnsure(state) ? `Last known: ${standing(state)}. Trying again …` : "No connection. Trying again …";
}

const HINT = "Click or drag on the board: it shows what can be played.";

function showStanding() {
  const { state } = game, text = headline(state), title = variant?.title ?? "A game";
  const end = variant?.ends.find(({ reason }) => reason === state?.outcome?.reason);
  const hint = text === "Your turn" && state.ply < 2 ? HINT : end?.meaning;
  at("title").textContent = title;
  at("stands").textContent = look ? placeOf(look) : text;
  at("past").hidden = look === null;
  at("standing").classList.toggle("urgent", !look && text === "Your turn");
  at("standing").classList.toggle("over", ["finished", "aborted"].includes(state?.status));
  say(at("meaning"), look ? `Now: ${text}` : hint);
  say(at("network"), networkNote(state));
  document.title = `${text} · ${title}`;
  showClocks();
}

/** Tells the style how wide the board is for its height. A hand is about as high as a row. */
function fitBoard({ board: { width, height, hands } = {} }) {
  if (width) at("stage").parentElement.style.setProperty("--ratio", width / (height + (hands ? 2.2 : 0)));
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
  at("invite-link").replaceChildren(copyable(link, "Invitation"));
  if (navigator.share)
    at("invite-link").append(action("Send …", () => navigator.share({ title: document.title, url: link }).catch(() => {})));
  at("invite-code").ontoggle = () => showCode(link);
  at("invite-code").open = matchMedia("(min-width: 56rem)").matches;
}

async function showCode(link) {
  if (!at("invite-code").open) return;
  const { qrPicture } = await import("./qr.js");
  at("invite-qr").replaceChildren(qrPicture(link, "The invitation as a QR code"));
}

async function makeLink() {
  const { url } = await game.invite({ expires: "30d" });
  keep(`invitation:${id}`, url);
  showInvite(game.state);
}

const openSeat = (state) => state.seats.find(({ state: taken }) => taken === "open");

function mayJoin(state) {
  const open = openSeat(state);
  return state.status === "open" && !state.you && Boolean(open && (invitation || !open.invitation_expires_at));
}

function showJoin(state) {
  const open = openSeat(state), may = mayJoin(state);
  at("join").hidden = !may;
  if (!may) return;
  at("join-text").textContent = `You would play ${capital(open.side)}${open.seat === 1 ? ", and begin" : ""}.`;
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
    await game.join({ ...(invitation && { invitation }), ...(name && { name }) });
    keep("name", name);
    history.replaceState(null, "", location.pathname);
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
  if (moves.line > 0 && moves.line !== state.line) lines.set(moves.line, moves.items); // a line that was left ends there
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
            before + toldMove(move), move.source === "plan" ? el("span", { class: "soft", title: "played by a plan" }, " ⚙") : "");
}

function showMoves(state) {
  const list = at("moves"), { items, line } = moves;
  const course = `${notation}:${line}:`, key = course + items.length;
  if (list.dataset.key !== key) {
    const stays = list.dataset.key?.startsWith(course) ? list.childElementCount : 0;
    for (const node of [...list.children].slice(stays)) node.remove();
    list.append(...items.slice(stays).map((move) => el("li", { value: move.ply, class: `seat${move.seat}` }, moveButton(move, line))));
    list.dataset.key = key;
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
  if (ply === 0) return `Before move 1 of ${last}`;
  return `Move ${ply} of ${last}${ply > game.state.ply || !isPresent({ ply, line }) ? " (taken back)" : ""}`;
}

/** Shows another position; null: the present one. */
function goTo(there) {
  const { state } = game;
  look = there && there.line === state.line && there.ply === state.ply ? null : there;
  showLook(state);
  at("told").textContent = look ? placeOf(look) : headline(state);
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
  showStanding();
  showReplay(state);
  showMoves(state);
  markTree();
}

function showReplay(state) {
  const ply = look?.ply ?? state.ply, last = look ? lineLength(look.line) : Math.max(state.tip, state.ply);
  const slider = at("slider");
  slider.max = last;
  slider.value = ply;
  slider.setAttribute("aria-valuetext", ply === 0 ? "Start" : `Move ${ply} of ${last}`);
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

/** The choice between the two notations, in games that have two. */
function showNotations() {
  const { files, ranks, written } = variant.board;
  at("notation-field").hidden = !written;
  if (!written || at("notation").firstChild) return;
  const square = (labels) => labels.files[0] + labels.ranks[0];
  at("notation").append(el("option", { value: "typed" }, `as typed (${square({ files, ranks })})`),
                        el("option", { value: "written" }, `as written (${square(written)})`));
  at("notation").value = notation;
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
    el("span", { class: "soft" }, line === 1 ? "" : `from move ${own[0]?.ply ?? ""}: `),
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

// ---- messages ----

let said = 0;       // the version of the last message that is shown
let earlier = null; // a promise that those from before are shown, which news wait for; null: nobody has asked for them

const talks = (state) => state.you !== undefined && yours(state).length === 1 && state.seats.every(({ engine }) => !engine);

function showMessage({ version, seat, data, at: when }) {
  if (version <= said) return;
  said = version;
  at("messages").append(el("li", { title: new Date(when).toLocaleString() },
    el("strong", {}, `${nameOf(game.state, seat)}: `), data.text));
  at("messages").scrollTop = at("messages").scrollHeight;
  at("unread").textContent = at("chat").open || yours(game.state).includes(seat) ? "" : "●";
}

async function showEarlier() {
  try {
    for (const event of await game.events({ type: "message" })) showMessage(event);
  } catch (error) {
    earlier = null; // with the next state it is tried again
    throw error;
  }
}

/** What was written before; news of later messages come by themselves. */
async function showMessages(state) {
  at("chat").hidden = !talks(state);
  if (talks(state)) await (earlier ??= showEarlier());
}

/** What comes before one has asked for the earlier ones is among them. */
const hearMessage = (event) => earlier?.then(() => showMessage(event), () => {});

async function write(event) {
  event.preventDefault();
  const text = at("message").value.trim();
  if (!text) return;
  await attempt(async () => {
    await game.say(text);
    at("message").value = "";
  });
}

// ---- to take along ----

const EXTENSION = { text: "txt" };

/** A record as a file. A private game needs the key, which a link cannot carry. */
async function download(event) {
  event.preventDefault();
  const link = event.currentTarget;
  await attempt(async () => {
    const answer = await fetch(link.href, { headers: game.token ? { Authorization: `Bearer ${game.token}` } : {} });
    if (!answer.ok) throw new PlydError(await answer.json());
    const file = el("a", { href: URL.createObjectURL(await answer.blob()), download: link.download });
    file.click();
    setTimeout(() => URL.revokeObjectURL(file.href), 60000);
  });
}

function showFiles() {
  const formats = ["json", "text", ...variant.exports.filter((name) => name !== "json" && name !== "text")];
  at("files").replaceChildren(...formats.map((name) => {
    const href = `/v1/games/${id}/export?format=${name}`;
    const file = `${variant.name}-${id.slice(0, 6)}.${EXTENSION[name] ?? name.replace(/\W.*/, "")}`;
    const drag = (event) =>
      event.dataTransfer.setData("DownloadURL", `application/octet-stream:${file}:${new URL(href, location).href}`);
    return el("li", {}, el("a", { href, download: file, onclick: download, ondragstart: drag }, name.toUpperCase()));
  }));
}

function showShare() {
  const here = `${location.origin}/play/${id}`;
  at("watch-link").replaceChildren(copyable(here, "Link to watch"));
  at("embed-code").replaceChildren(copyable(
    `<script type="module" src="${location.origin}/board.js"></script>\n<plyd-board game="${id}"></plyd-board>`,
    "Code of a board", 4));
  at("frame-code").replaceChildren(copyable(
    `<iframe src="${location.origin}/embed/${id}" width="480" height="560"></iframe>`, "Code of a frame", 2));
}

function showKey(state) {
  const own = state.you && game.token;
  at("key").hidden = !own;
  if (own && !at("key-link").firstChild)
    at("key-link").replaceChildren(copyable(`${location.origin}/play/${id}#key=${game.token}`, "Link with your key"));
}

function showAbout(state) {
  at("about").replaceChildren(
    el("a", { href: `/v1/variants/${variant.name}/rules` }, `The rules of ${variant.title}`), " · ",
    { free: "moves may be taken back", consent: "taking back needs both players", never: "nothing is taken back" }[state.undo],
    " · ", { public: "everybody may watch", unlisted: "whoever has the link may watch", private: "only its players see it" }[state.visibility]);
}

// ---- the same with curl ----

const quoted = (text) => /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The last few requests, the newest first. The key is not shown: it stands under "Your key". */
function showCommand({ detail: { method, path, body, token } }) {
  const words = ["curl"];
  if (token) words.push("-u $TOKEN:");
  if (method !== "POST" || !body) words.push(`-X ${method}`);
  if (body) words.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`);
  const text = [...words, location.origin + path].join(" ");
  if (at("commands").firstChild?.firstChild?.value === text) return; // the same again, after a lost answer
  at("commands").prepend(copyable(text, "Command", 3));
  while (at("commands").childElementCount > 5) at("commands").lastChild.remove();
  at("curl-none").textContent = token ? "The newest comes first. TOKEN is your key, see above." : "The newest comes first.";
}

// ---- all together ----

async function show({ state = game.state, moves: fresh } = {}) {
  variant ??= await plyd.variant(state.variant);
  if (state !== game.state) return;
  if (state.clock) skew = Date.parse(state.clock.now) - Date.now();
  showStanding();
  showPlayers(state);
  showActions(state);
  showLinks(state);
  at("offers").replaceChildren(...state.offers.map((offer) => offerCard(state, offer)));
  showInvite(state);
  showJoin(state);
  showKey(state);
  showAbout(state);
  fitBoard(state);
  if (!at("files").firstChild) showFiles();
  showReplay(state);
  showNotations();
  await loadMoves(state, fresh);
  if (state !== game.state) return;
  stayThere(state);
  note(id, { state, moves });
  await Promise.all([showLines(state), showMessages(state), showRematch(state)]);
}

function broken(error) {
  if (error.status === 0 && game.state) return; // what is known is shown, and that there is no connection
  if (error.status === 404 || error.status === 401) {
    forget(id);
    board.remove();
  }
  say(at("trouble"), error.status === 404
    ? "There is no such game, or it is private and this device has no key to it."
    : reason(error));
  at("stands").textContent = "";
}

function listen() {
  game.addEventListener("state", ({ detail }) => show(detail).catch(broken));
  game.addEventListener("pending", noteMoves);
  game.addEventListener("connection", showStanding);
  game.addEventListener("refused", ({ detail }) => { if (detail.status === 409) say(at("trouble"), reason(detail)); });
  game.addEventListener("state", () => say(at("trouble"), ""));
  game.addEventListener("event", ({ detail }) => { if (detail.type === "message") hearMessage(detail); });
  requests.addEventListener("request", showCommand);
  at("slider").addEventListener("input", () => goTo({ ply: Number(at("slider").value), line: look?.line ?? game.state.line }));
  at("first").addEventListener("click", () => step(-Infinity));
  at("prev").addEventListener("click", () => step(-1));
  at("next").addEventListener("click", () => step(1));
  at("last").addEventListener("click", () => goTo(null));
  at("now").addEventListener("click", comeBack);
  at("flip").addEventListener("click", () => {
    bottom = 3 - nearSeat(game.state);
    showPlayers(game.state);
  });
  at("notation").addEventListener("change", changeNotation);
  at("join").addEventListener("submit", join);
  at("write").addEventListener("submit", write);
  at("invite-button").addEventListener("click", () => attempt(makeLink, at("invite-button")));
  at("lines").addEventListener("toggle", () => game.state && showLines(game.state));
  at("chat").addEventListener("toggle", () => { at("unread").textContent = ""; });
}

let isAsked = false; // whether it was looked up what is kept of the game

/** Nobody has answered: the game is shown as it was last known here, if it was. */
async function showKept() {
  unheard = true;
  showStanding();
  if (isAsked || game.state) return;
  isAsked = true;
  const known = await recall(id);
  if (!known || game.state) return;
  moves = known.moves;
  game.take(known.state, INCLUDE);
  showBoard();
}

function showBoard() {
  if (board.isConnected) return;
  board.game = game;
  board.setAttribute("notation", notation);
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
  showStanding();
  showBoard();
  game.watch();
}

at("join-name").value = kept("name") ?? "";
listen();
showShare();
takeRecords(at("record-file"), at("record-trouble"));
setInterval(showClocks, 1000);
begin().catch(broken).finally(settled);
