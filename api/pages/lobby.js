/** lobby.js - the start page: a new game, the games of this device, public games, records. */
import { allOf, at, capital, el, forget, inOrder, keep, kept, nameOf, plyd, PlydError, reason, recallAll, say, settled, since, span, standing,
         t, takeRecords, tellDaemon, yours }
  from "./page.js";
import { challengedSeat, many, spoken } from "./page/words.js";

const form = at("new"), { elements } = form;
const titles = new Map(); // of the games, by name
for (const card of allOf(".game"))
  titles.set(card.dataset.variant, card.querySelector(".title").textContent);

// ---- a new game ----

let variant = null; // what the catalogue tells of the chosen game
let chosen = null;  // its name

/** Shows what one may choose of a game: it is one with a friend unless one says something else. */
async function choose(name) {
  chosen = name;
  variant = null;
  at("new-title").textContent = titles.get(name);
  at("rulebook").href = spoken(`/v1/variants/${name}/rules`);
  at("rulebook").textContent = t("rules-of", { game: titles.get(name) });
  at("rules").open = false;
  at("options").replaceChildren();
  say(at("new-trouble"), "");
  at("new-game").showModal();
  try {
    const told = await plyd.variant(name);
    if (name !== chosen) return; // another one was chosen meanwhile
    variant = told;
    showSides();
    at("options").replaceChildren(...Object.entries(variant.options.properties).map(optionField));
  } catch (error) {
    say(at("new-trouble"), reason(error));
  }
}

function showSides() {
  const [first, second] = variant.seats;
  for (const [seat, text] of [[1, t("side-first", { side: capital(first.title) })], [2, t("side-second", { side: capital(second.title) })]])
    form.querySelector(`[name=seat][value="${seat}"] + span`).textContent = text;
}

/** The field of an option, from its schema. Its value is sent only if it was changed. */
function optionField([name, schema]) {
  const id = `option-${name}`, shape = { id, name, "aria-describedby": `${id}-about`, "data-default": schema.default };
  const parts = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])];
  const choices = parts.flatMap((part) => part.enum ?? []), isOpen = parts.some((part) => part.pattern);
  const numbers = parts.flatMap((part) => [part.minimum, part.const]).filter(Number.isInteger);
  const title = schema.title ?? name;
  let field;
  if (schema.type === "boolean") {
    field = el("select", shape, ["true", "false"].map((value) => el("option", { value }, t(value === "true" ? "yes" : "no"))));
  } else if (choices.length > 0 && !isOpen) {
    field = el("select", shape, choices.map((value) => el("option", { value }, capital(variant.option_values[name][value]))));
  } else if (schema.type === "integer") {
    field = el("input", { ...shape, type: "number", min: numbers.length ? Math.min(...numbers) : null,
                          max: schema.maximum, placeholder: schema.default });
  } else {
    field = el("input", { ...shape, list: `${id}-list`, placeholder: schema.default, autocomplete: "off" });
  }
  if (field.tagName === "SELECT") field.value = String(schema.default);
  return el("label", { for: id }, title, field, el("small", { id: `${id}-about` }, schema.description),
            choices.length > 0 && isOpen
              ? el("datalist", { id: `${id}-list` }, choices.map((value) => el("option", { value }))) : "");
}

/** The options that differ from their defaults. */
function options() {
  const changed = {};
  for (const field of at("options").querySelectorAll("input, select")) {
    const { type } = variant.options.properties[field.name];
    if (field.value === "" || field.value === field.dataset.default) continue;
    changed[field.name] = type === "integer" ? Number(field.value) : type === "boolean" ? field.value === "true" : field.value;
  }
  return changed;
}

/** Whom one plays as: a name that one may have given, which this device keeps. */
function me() {
  const name = at("name").value.trim();
  keep("name", name);
  return { me: true, ...(name && { name }) };
}

function computer() {
  keep("strength", at("strength").value);
  return JSON.parse(at("strength").value);
}

/** A clock that one has put together. */
function ownClock() {
  const { kind, minutes, seconds, days } = elements, initial = Math.round(60 * minutes.value), more = Number(seconds.value);
  if (kind.value === "days") return { kind: "days", days: Number(days.value) };
  return kind.value === "fischer" ? { kind: "fischer", initial, increment: more } : { kind: "byoyomi", initial, period: more, periods: 1 };
}

const clockOf = (value) => value === "own" ? ownClock() : value ? JSON.parse(value) : null;

/** The seat of the opponent whom one has chosen. */
function opponentSeat(opponent) {
  if (opponent === "computer") return computer();
  if (opponent === "self") return { me: true };
  if (opponent !== "player") return { open: true };
  const chosen = form.querySelector("[name=player]:checked");
  if (chosen) return { player: chosen.value };
  at("player-name").focus();
  throw new Error(t("choose-player"));
}

function terms() {
  const opponent = elements.opponent.value;
  const seat = Number(elements.seat.value) || 1 + Math.floor(2 * Math.random());
  const other = opponentSeat(opponent);
  const changed = variant ? options() : {}, clock = opponent === "self" ? null : clockOf(elements.clock.value);
  return {
    variant: chosen,
    ...(Object.keys(changed).length > 0 && { options: changed }),
    seats: seat === 1 ? [me(), other] : [other, me()],
    ...(clock && { clock }),
    ...(opponent === "anybody" && { visibility: "public" }),
  };
}

/** Only the code of an invitation takes the seat, so a link that was passed on by mistake does no harm. */
async function invite(game, seats) {
  const seat = seats.findIndex(({ open }) => open) + 1;
  const { url } = await game.invite({ seat, expires: "30d" });
  keep(`invitation:${game.id}`, url);
}

/** Makes a game of these terms, and goes to its page. */
async function make(body, button, trouble, isInvited = false) {
  say(trouble, "");
  button.disabled = true;
  try {
    const game = await plyd.create(body, { trouble: () => say(trouble, t("no-answer")) });
    if (isInvited) await invite(game, body.seats);
    location.href = `/play/${game.id}`;
  } catch (error) {
    button.disabled = false;
    throw error;
  }
}

/** One tap: a game against the computer, which plays second. */
async function playNow(button) {
  try {
    await make({ variant: button.value, seats: [me(), computer()] }, button, at("trouble"));
  } catch (error) {
    say(at("trouble"), reason(error));
  }
}

async function start(event) {
  event.preventDefault();
  for (const field of at("options").querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  try {
    await make(terms(), at("start"), at("new-trouble"), elements.opponent.value === "friend");
  } catch (error) {
    refused(error);
  }
}

/** Says what is wrong, at its place if that is one of the options. */
function refused(error) {
  const place = error instanceof PlydError && /^\/options\/(\w+)/.exec(error.problem.pointer ?? "")?.[1];
  const field = place && at(`option-${place}`);
  say(at("new-trouble"), reason(error));
  if (!field) return;
  at("rules").open = true;
  field.setAttribute("aria-invalid", "true");
  field.focus();
}

/** What is about other players. It is loaded when it is needed. */
const people = () => import("./people.js");

let isSearched = false; // whether the fields for a player's name look for them

/** Shows what goes with what is chosen. */
function changed() {
  const isAlone = elements.opponent.value === "self", isOwn = elements.clock.value === "own", isPlayer = elements.opponent.value === "player";
  at("search").hidden = !isPlayer;
  if (isPlayer && !isSearched) people().then(({ beginSearch }) => beginSearch(), () => { isSearched = false; });
  isSearched ||= isPlayer;
  at("clocks").hidden = at("sides").hidden = isAlone;
  at("own").hidden = at("own").disabled = !isOwn || isAlone;
  for (const label of at("own").querySelectorAll("[data-for]")) {
    label.hidden = !label.dataset.for.includes(elements.kind.value);
    label.querySelector("input").disabled = label.hidden;
  }
}

// ---- lists ----

const isMyTurn = (state) => state.status === "active" && yours(state).length === 1 && yours(state)[0] === state.to_move;

/** How long one has left to move; else when something happened last. */
function when(state) {
  const { deadline_at: end } = state.clock ?? {};
  if (isMyTurn(state) && end) return el("time", { class: "soft", datetime: end }, t("left", { span: span(Math.max(0, (Date.parse(end) - Date.now()) / 1000)) }));
  return el("time", { class: "soft", datetime: state.updated_at }, since(state.updated_at));
}

function row(state) {
  const mine = yours(state).length === 1 ? yours(state)[0] : 0;
  const against = mine ? t("against", { name: nameOf(state, 3 - mine) })
                       : yours(state).length === 2 ? t("both-sides") : `${nameOf(state, 1)} – ${nameOf(state, 2)}`;
  return el("li", {}, el("a", { href: `/play/${state.id}`, class: isMyTurn(state) ? "urgent" : null },
    el("strong", {}, titles.get(state.variant) ?? state.variant, state.unread > 0 ? el("span", { class: "new" }, many("news", state.unread)) : ""), " ",
    el("span", { class: "who" }, state.status === "open" ? "" : against), " ",
    el("span", { class: "state" }, standing(state)), " ", when(state)));
}

/** One whose rules are not loaded here: its page could show nothing. */
const rowNotLoaded = ({ variant, updated_at: at }) => el("li", {}, el("span", { class: "away soft" },
  el("strong", {}, variant), " ", el("span", { class: "state" }, t("not-loaded-here")), " ", at ? el("time", { datetime: at }, since(at)) : ""));

const FEW = 4, ASKED = 6, MOST = 20; // rows at first, games that are asked for one by one, games of a list
const urgency = (state) => isMyTurn(state) ? 0 : ["active", "open"].includes(state.status) ? 1 : 2;
const deadline = (state) => isMyTurn(state) && state.clock?.deadline_at || "9"; // behind all times

/** Those where one is to move come first, of these the one whose time ends first; then what has changed last. */
const byUrgency = (a, b) =>
  urgency(a) - urgency(b) || deadline(a).localeCompare(deadline(b)) || b.updated_at.localeCompare(a.updated_at);

const NOT_LOADED = "game-not-loaded";

/** A game of which this device has a key; null: the key is good for nothing any more. */
async function gameOf({ id, token, variant = "" }, trouble) {
  const stop = new AbortController(); // it is not asked for again until another daemon has the rules
  const lost = (problem) => problem.code === NOT_LOADED ? stop.abort(problem) : trouble(problem);
  try {
    return await plyd.request("GET", `/v1/games/${id}`, { token, trouble: lost, signal: stop.signal });
  } catch (error) {
    if (error.status === 0) throw error;
    if (error.code === NOT_LOADED) return { id, variant, code: NOT_LOADED };
    if (error.status === 404 || error.status === 401) {
      plyd.keys.forget(id);
      forget(id);
    }
    return null;
  }
}

/** Of a challenge that came to nothing it is said who was challenged. */
async function named(states) {
  if (!states.some(challengedSeat)) return states;
  const { withNames } = await people();
  return Promise.all(states.map(withNames));
}

/** The player's games, and those of which this device has a key. Of these each is a request, so there are few at first. */
async function myGames(isAll, trouble) {
  const mine = plyd.token ? await plyd.myGames({ limit: isAll ? 200 : MOST }, { trouble }) : { items: [], next: null, not_loaded: [] };
  const keys = plyd.keys.list().filter(({ id }) => [...mine.items, ...mine.not_loaded ?? []].every((state) => state.id !== id));
  const asked = isAll ? keys : keys.slice(0, ASKED);
  const others = (await Promise.all(asked.map((key) => gameOf(key, trouble)))).filter(Boolean);
  const loaded = others.filter(({ code }) => code !== NOT_LOADED);
  const away = [...mine.not_loaded ?? [], ...others.filter((state) => !loaded.includes(state))];
  const states = [...mine.items, ...loaded].filter((state) => state.status !== "open" || !challengedSeat(state)); // which stand apart
  return { states: await named(states), away, isAll: !mine.next && asked.length === keys.length };
}

function drawMine({ states, away = [], isAll }, isOld, isOpen = false) {
  const all = [...states.sort(byUrgency), ...away], shown = all.slice(0, isOpen ? all.length : FEW);
  const focused = document.activeElement?.closest("#mine-list a")?.getAttribute("href");
  at("mine-list").replaceChildren(...shown.map((state) => (away.includes(state) ? rowNotLoaded : row)(state)));
  if (focused) at("mine-list").querySelector(`[href="${focused}"]`)?.focus({ preventScroll: true });
  at("mine").hidden = all.length === 0;
  tellDaemon("mine", Math.min(FEW, all.length) || "");
  at("mine-all").hidden = isAll && shown.length === all.length;
  say(at("mine-old"), isOld && t("games-as-seen"));
}

const askMine = inOrder();

/** While nobody answers, one's games are shown as they were last seen here. */
async function showMine(isAll = false) {
  const isNew = askMine();
  let isAsked = false, isAnswered = false;
  const lost = async ({ status }) => {
    if (status !== 0 || isAsked) return;
    isAsked = true;
    const states = (await recallAll()).map(({ state }) => state).filter((state) => yours(state).length > 0);
    if (!isAnswered && isNew()) drawMine({ states, isAll: true }, true, true);
  };
  const games = await myGames(isAll, lost);
  isAnswered = true;
  if (isNew()) drawMine(games, false, isAll);
}

async function showPublic() {
  try {
    const trouble = () => say(at("public-none"), t("no-answer"));
    const { items } = await plyd.publicGames({ status: "open,active", limit: MOST }, { trouble });
    at("public-list").replaceChildren(...items.map(row));
    say(at("public-none"), items.length === 0 ? t("nobody-plays") : "");
  } catch (error) {
    say(at("public-none"), reason(error));
  }
}

/** The code of another device. It is taken out of the address, so that nobody reads it there. */
async function takeFragment() {
  const given = new URLSearchParams(location.hash.slice(1)), code = given.get("handover");
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  const { askToBecome } = await import("./device.js");
  await askToBecome(code, given.get("as"));
}

let isAllShown = false;

/** The challenges that wait. They are a player's, so without one, or without an answer, no room is kept for them. */
async function showAsked() {
  try {
    if (plyd.token) return await (await people()).showChallenges();
    tellDaemon("asked", "");
  } catch { /* those stay that are shown */ }
  at("asked").hidden = !at("asked-list").querySelector("a");
}

/** What is about the player, or the keys of this device. */
async function showOwn() {
  await Promise.allSettled([showMine(isAllShown), showAsked()]);
}

const showLists = () => Promise.allSettled([showOwn(), showPublic()]);

const NEWS_MS = 100; // news that come together are looked at once

/** From now on the player's games are shown as they become. */
async function listenForNews() {
  const { listen } = await people();
  let due = 0;
  await listen(() => {
    clearTimeout(due);
    due = setTimeout(showOwn, NEWS_MS);
  });
}

at("name").value = kept("name") ?? "";
if ([...at("strength").options].some(({ value }) => value === kept("strength"))) at("strength").value = kept("strength");
for (const button of allOf(".game .start")) button.addEventListener("click", () => playNow(button));
for (const button of allOf(".game .more")) button.addEventListener("click", () => choose(button.value));
form.addEventListener("change", changed);
form.addEventListener("submit", start);
at("new-close").addEventListener("click", () => at("new-game").close());
at("mine-all").addEventListener("click", () => {
  isAllShown = true;
  showLists();
});
addEventListener("pageshow", ({ persisted }) => { // it is brought back with what was pressed
  for (const button of allOf("#start, .game .start")) button.disabled = false;
  if (persisted) showLists();
});
addEventListener("online", () => showLists());
addEventListener("hashchange", takeFragment);
takeFragment();
changed(); // browsers restore what was chosen before a reload
takeRecords(at("record"), at("record-trouble"));
showLists().then(() => {
  settled();
  import("./device.js").catch(() => {});
  if (plyd.token) listenForNews().catch(() => {}); // without it the lists are those of this visit
});
