/** rematch.js - the next game, on the page of one that is over: who wants it, and the way there. */
import { at, capital, el, inOrder, plyd, t, yours } from "./page.js";
import { challengedSeat, isOver, sideName } from "./page/words.js";

/** @typedef {import("./plyd.js").GameState} GameState */

let game = null;
const NOBODY = { asker: 0, next: "" };

/** @type {{asker: number, next: string} | null} */
let wanted = null; // the seat that wants a rematch which has not begun, and its game; null: that is not known yet

/** Of two players one challenges the other to it, and the game learns of its next one when that is accepted. */
const isOfTwo = ({ seats: [one, other] }) => Boolean(one.player && other.player) && one.player !== other.player;

/** Who has begun the next game, as long as nobody has answered it by a move. */
async function beginnerOf(state) {
  if (isOfTwo(state)) return NOBODY;
  const [[event], { status, ply }] = await Promise.all([
    game.events({ type: "rematch" }), plyd.request("GET", `/v1/games/${state.next}`, { token: game.token })]);
  return status === "active" && ply < 2 ? { asker: event.seat, next: state.next } : NOBODY;
}

/** Whether a challenge is the rematch, as far as it shows: the same two play the same game with the sides swapped. */
const isFollowing = (state, next) => next.variant === state.variant &&
  next.seats.every(({ player }, i) => player !== undefined && player === state.seats[1 - i].player);

/** Who has challenged the other one to it. */
async function challengerOf(state) {
  const { items } = await plyd.request("GET", "/v1/me/challenges?limit=100");
  const next = items.find((challenge) => isFollowing(state, challenge));
  return next ? { asker: challengedSeat(next).seat, next: next.id } : NOBODY; // whose seat here the other one has there
}

const mayBeAsked = (state) => state.status === "finished" && !state.next && plyd.token && yours(state).length === 1 && isOfTwo(state);

/** Who wants a rematch. Nobody has to be told of one with the computer, or with oneself. */
function wish(state, { asker }) {
  const mine = yours(state), { name, side } = state.seats[asker - 1];
  if (mine.length === 2 || state.seats.some(({ engine }) => engine)) return "";
  if (mine.includes(asker)) return t("you-asked-rematch");
  return t("wants-rematch", { name: name ?? (mine.length > 0 ? t("your-opponent") : capital(sideName(side))) });
}

/** Where to go from a game that is over. The key of one's seat is there already: `plyd.js` has kept it. */
function showLinks(state) {
  const asked = wanted?.asker ? wish(state, wanted) : "";
  const link = (href, text, kind = "button") => el("a", { class: kind, href }, text);
  const rematch = (id, kind) => link(`/play/${id}`, t("to-the-rematch"), kind);
  for (const old of at("actions").querySelectorAll("a")) old.remove();
  at("actions").append(...(state.next && !asked ? [rematch(state.next)] : []), ...(isOver(state) ? [link("/", t("another-game"))] : []));
  const says = asked && `${asked} ${wanted.next}`;
  if ((at("rematch").dataset.says ?? "") === says) return; // it stays, and so does a focus
  at("rematch").dataset.says = says;
  at("rematch").replaceChildren(...(asked ? [el("div", { class: "card offer" }, el("p", {}, asked), rematch(wanted.next, "button primary"))] : []));
}

async function look(state) {
  if (state.next) return beginnerOf(state).catch(() => NOBODY); // a private one is none of a watcher's business
  return mayBeAsked(state) ? challengerOf(state).catch(() => wanted) : NOBODY;
}

const ask = inOrder();
let begun = false;   // the next game was looked at, which is done once
let listens = false; // to the player's news: the game itself is not told of a challenge

async function listen() {
  listens = true;
  const { listen: hear } = await import("./people.js");
  await hear(() => game.state && mayBeAsked(game.state) && showRematch(game, game.state));
}

/**
 * @param {import("./plyd.js").Game} shown
 * @param {GameState} state
 */
export async function showRematch(shown, state) {
  game = shown;
  showLinks(state);
  const isNew = ask(), found = begun ? wanted : await look(state);
  if (!isNew()) return;
  wanted = found;
  begun ||= Boolean(state.next);
  if (!listens && mayBeAsked(state)) listen().catch(() => { listens = false; });
  if (state === game.state) showLinks(state);
}
