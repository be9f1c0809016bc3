/** people.js - the part of the start page about other players: challenges, the player whom one looks for, and news. */
import { at, el, inOrder, plyd, reason, say, since, standing, t, tellDaemon, yours } from "./page.js";
import { challengedSeat, many } from "./page/words.js";
import { answerButtons } from "./people/answer.js";
import { withNames } from "./people/names.js";
import { sideTerms, termsOf, timeLeft } from "./people/terms.js";

export { listen } from "./people/news.js";
export { withNames };

// ---- challenges ----

const ROOM = 9; // rows for which room is kept at the next visit

/** Runs what a button of a challenge does, and says why it cannot be done. */
async function attempt(run, button) {
  say(at("asked-trouble"), "");
  button.disabled = true;
  try {
    await run({ trouble: () => say(at("asked-trouble"), t("no-answer")) });
  } catch (error) {
    say(at("asked-trouble"), reason(error));
    button.disabled = false;
  }
}

const goTo = (id) => { location.href = `/play/${id}`; };

const accept = ({ id }, button) => attempt(async (patient) => {
  await plyd.game(id).join({}, patient);
  goTo(id);
}, button);

/** Ends a challenge; one's own, or one that waits for oneself. */
const end = ({ id }, deed, body, button) => attempt(async (patient) => {
  const { version } = await plyd.request("POST", `/v1/games/${id}/${deed}`, { body, ...patient });
  await plyd.request("PUT", "/v1/me/read", { body: { games: { [id]: version } } }).catch(() => {}); // whoever ends it has seen it
  await showChallenges();
}, button);

function buttonsOf(state) {
  if (yours(state).length === 0)
    return answerButtons((button) => accept(state, button), (text, button) => end(state, "decline", { text }, button));
  const button = el("button", { type: "button", onclick: () => end(state, "abort", undefined, button) }, t("withdraw"));
  return [el("div", { class: "actions" }, button)];
}

function row(state, variant) {
  const asked = challengedSeat(state), own = yours(state).length > 0 ? state.seats[2 - asked.seat] : asked;
  const terms = [variant?.title ?? state.variant, ...termsOf(state, variant)].join(t("comma"));
  return el("li", { "data-key": `${state.id}:${state.version}`, class: own === asked ? "urgent" : null },
    el("a", { href: `/play/${state.id}` }, el("strong", {}, standing(state)), " ", el("span", { class: "who" }, terms), " ",
       el("span", { class: "state" }, sideTerms(own)), " ", el("time", { class: "soft", datetime: asked.invitation_expires_at }, timeLeft(asked))),
    buttonsOf(state));
}

const isMine = (state) => yours(state).length > 0;

async function rowsOf(states) {
  const variants = await Promise.all(states.map(({ variant }) => plyd.variant(variant).catch(() => null)));
  await Promise.all(states.map(withNames));
  const old = new Map([...at("asked-list").children].map((node) => [node.dataset.key, node]));
  return states.map((state, i) => old.get(`${state.id}:${state.version}`) ?? row(state, variants[i])); // one that is being answered stays
}

const askChallenges = inOrder();

/** The challenges that wait: those for this player first. */
export async function showChallenges() {
  const isNew = askChallenges(), { items } = await plyd.request("GET", "/v1/me/challenges?limit=100");
  const rows = await rowsOf(items.sort((a, b) => Number(isMine(a)) - Number(isMine(b))));
  if (!isNew()) return;
  const list = at("asked-list"), news = rows.filter((node) => !node.isConnected && node.className === "urgent");
  for (const node of [...list.children]) if (!rows.includes(node)) node.remove();
  rows.forEach((node, i) => list.children[i] !== node && list.insertBefore(node, list.children[i] ?? null));
  at("asked").hidden = rows.length === 0;
  at("asked-told").textContent = news.map((node) => node.querySelector("strong").textContent).join(" ");
  tellDaemon("asked", Math.min(ROOM, rows.length) || "");
}

// ---- looking for a player ----

const PAUSE_MS = 250, LETTERS = 2; // after the last key, and as many as the daemon wants to have

let asking = null; // an AbortController of the search that is under way

/** Whose challenge it is: whoever is no player yet becomes one of the name that they give. */
async function asPlayer() {
  const name = at("asker").value.trim();
  if (!plyd.token && !name) throw new Error(t("say-your-name"));
  if (!plyd.token) await plyd.player({ name });
  at("asker-field").hidden = true;
  return plyd.me();
}

function choice({ id, name, created_at: from }) {
  return el("label", {}, el("input", { type: "radio", name: "player", value: id }),
            el("span", {}, name, " ", el("small", {}, t("since", { when: since(from) }))));
}

async function find(name, signal) {
  const { id: mine } = await asPlayer();
  const { items } = await plyd.request("GET", `/v1/players?name=${encodeURIComponent(name)}`, { signal });
  return items.filter(({ id }) => id !== mine);
}

async function search() {
  asking?.abort();
  const name = at("player-name").value.trim(), { signal } = asking = new AbortController();
  at("players").replaceChildren();
  say(at("players-told"), "");
  if ([...name].length < LETTERS) return;
  await new Promise((done) => setTimeout(done, PAUSE_MS));
  if (signal.aborted) return;
  try {
    const found = await find(name, signal);
    if (signal.aborted) return;
    at("players").replaceChildren(...found.map(choice));
    say(at("players-told"), found.length > 0 ? many("players-found", found.length) : t("nobody-found"));
  } catch (error) {
    if (!signal.aborted) say(at("players-told"), reason(error));
  }
}

/** Makes the fields for a player's name look for them, and for what stands in them already. */
export function beginSearch() {
  at("asker").value ||= at("name").value;
  at("asker-field").hidden = Boolean(plyd.token);
  at("asker").addEventListener("change", search); // not with every key: it makes a player of that name
  at("player-name").addEventListener("input", search);
  search();
}
