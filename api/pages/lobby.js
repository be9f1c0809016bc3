/** lobby.js - the start page: a new game, the games of this device, public games, records. */
import { at, capital, el, keep, kept, nameOf, plyd, PlydError, reason, say, settled, since, standing, takeRecords, yours }
  from "./page.js";
import { forget, recallAll } from "./seen.js";

const form = at("new"), { elements } = form;
const titles = new Map(); // of the games, by name
for (const card of form.querySelectorAll(".game"))
  titles.set(card.querySelector("input").value, card.querySelector(".title").textContent);

// ---- a new game ----

let variant = null; // what the catalogue tells of the chosen game

async function choose() {
  const name = elements.variant.value;
  at("rulebook").href = `/v1/variants/${name}/rules`;
  at("rulebook").textContent = `The rules of ${titles.get(name)}`;
  try {
    const told = await plyd.variant(name);
    if (name !== elements.variant.value) return; // another one was chosen meanwhile
    variant = told;
    showSides();
    at("options").replaceChildren(...Object.entries(variant.options.properties).map(optionField));
  } catch (error) {
    say(at("trouble"), reason(error));
  }
}

function showSides() {
  const [first, second] = variant.seats;
  for (const [seat, text] of [[1, `${capital(first.name)}, first`], [2, `${capital(second.name)}, second`]])
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
    field = el("select", shape, ["true", "false"].map((value) => el("option", { value }, value === "true" ? "Yes" : "No")));
  } else if (choices.length > 0 && !isOpen) {
    field = el("select", shape, choices.map((value) => el("option", { value }, words(value))));
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

const words = (value) => capital(String(value).replaceAll(/[-_]/g, " "));

/** How strong the computer is to be: the levels of an engine, or an engine that has none. */
async function showStrengths() {
  const field = elements.strength;
  try {
    for (const { name, title, doc, level: usual, levels } of await plyd.engines()) {
      for (const { level, doc: says } of levels)
        field.append(el("option", { value: JSON.stringify({ engine: name, level }), selected: level === usual || null },
                        `Level ${level}. ${says}`));
      if (levels.length === 0) field.append(el("option", { value: JSON.stringify({ engine: name }) }, `${capital(title)}. ${doc}`));
    }
  } catch (error) {
    say(at("trouble"), reason(error));
  }
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

function terms() {
  const opponent = elements.opponent.value, name = elements.name.value.trim();
  const seat = Number(elements.seat.value) || 1 + Math.floor(2 * Math.random());
  const me = { me: true, ...(name && { name }) };
  const other = { friend: { open: true }, computer: JSON.parse(elements.strength.value || "null") ?? { engine: "random" }, self: { me: true } }[opponent];
  const changed = options(), clock = opponent === "self" ? "" : elements.clock.value;
  return {
    variant: elements.variant.value,
    ...(Object.keys(changed).length > 0 && { options: changed }),
    seats: seat === 1 ? [me, other] : [other, me],
    ...(clock && { clock: JSON.parse(clock) }),
    ...(opponent === "friend" && elements.public.checked && { visibility: "public" }),
  };
}

/** Only the code of an invitation takes the seat, so a link that was passed on by mistake does no harm. */
async function invite(game, seats) {
  const seat = seats.findIndex(({ open }) => open) + 1;
  const { url } = await game.invite({ seat, expires: "30d" });
  keep(`invitation:${game.id}`, url);
}

async function start(event) {
  event.preventDefault();
  say(at("trouble"), "");
  at("start").disabled = true;
  for (const field of at("options").querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  try {
    const body = terms();
    keep("name", elements.name.value.trim());
    const game = await plyd.create(body, { trouble: () => say(at("trouble"), "No answer yet. Trying again …") });
    if (elements.opponent.value === "friend" && !body.visibility) await invite(game, body.seats);
    location.href = `/play/${game.id}`;
  } catch (error) {
    refused(error);
    at("start").disabled = false;
  }
}

/** Says what is wrong, at its place if that is one of the options. */
function refused(error) {
  const place = error instanceof PlydError && /^\/options\/(\w+)/.exec(error.problem.pointer ?? "")?.[1];
  const field = place && at(`option-${place}`);
  say(at("trouble"), reason(error));
  if (!field) return;
  at("rules").open = true;
  field.setAttribute("aria-invalid", "true");
  field.focus();
}

function changed({ target }) {
  if (target.name === "variant") choose();
  const opponent = elements.opponent.value;
  at("strengths").hidden = opponent !== "computer";
  at("clocks").hidden = opponent === "self";
  at("sides").hidden = opponent === "self";
  at("public").hidden = opponent !== "friend";
}

// ---- lists ----

function row(state) {
  const mine = yours(state).length === 1 ? yours(state)[0] : 0;
  const against = mine ? `against ${nameOf(state, 3 - mine)}`
                       : yours(state).length === 2 ? "both sides" : `${nameOf(state, 1)} – ${nameOf(state, 2)}`;
  return el("li", {}, el("a", { href: `/play/${state.id}`, class: standing(state) === "Your turn" ? "urgent" : null },
    el("strong", {}, titles.get(state.variant) ?? state.variant), " ",
    el("span", {}, state.status === "open" ? "" : against), " ",
    el("span", { class: "state" }, standing(state)), " ",
    el("time", { class: "soft", datetime: state.updated_at }, since(state.updated_at))));
}

const FEW = 6, MOST = 20;
const urgency = (state) => standing(state) === "Your turn" ? 0 : ["active", "open"].includes(state.status) ? 1 : 2;

/** A game of which this device has a key; null: the key is good for nothing any more. */
async function gameOf({ id, token }, trouble) {
  try {
    return await plyd.request("GET", `/v1/games/${id}`, { token, trouble });
  } catch (error) {
    if (error.status === 0) throw error;
    if (error.status === 404 || error.status === 401) {
      plyd.keys.forget(id);
      forget(id);
    }
    return null;
  }
}

/** The player's games, and those of which this device has a key. Of these each is a request, so there are few at first. */
async function myGames(isAll, trouble) {
  const mine = plyd.token ? await plyd.myGames({ limit: isAll ? 200 : MOST }, { trouble }) : { items: [], next: null };
  const keys = plyd.keys.list().filter(({ id }) => mine.items.every((state) => state.id !== id));
  const asked = isAll ? keys : keys.slice(0, FEW);
  const others = await Promise.all(asked.map((key) => gameOf(key, trouble)));
  return { states: [...mine.items, ...others.filter(Boolean)], isAll: !mine.next && asked.length === keys.length };
}

function drawMine({ states, isAll }, isOld) {
  states.sort((a, b) => urgency(a) - urgency(b) || b.updated_at.localeCompare(a.updated_at));
  at("mine-list").replaceChildren(...states.map(row));
  at("mine").hidden = states.length === 0;
  at("mine-all").hidden = isAll;
  say(at("mine-old"), isOld && "No connection. Your games are shown as this device last saw them.");
}

/** While nobody answers, one's games are shown as they were last seen here. */
async function showMine(isAll = false) {
  let isAsked = false, isAnswered = false;
  const lost = async ({ status }) => {
    if (status !== 0 || isAsked) return;
    isAsked = true;
    const states = (await recallAll()).map(({ state }) => state).filter((state) => yours(state).length > 0);
    if (!isAnswered) drawMine({ states, isAll: true }, true);
  };
  const games = await myGames(isAll, lost);
  isAnswered = true;
  drawMine(games, false);
}

async function showPublic() {
  try {
    const trouble = ({ detail }) => say(at("public-none"), detail);
    const { items } = await plyd.publicGames({ status: "open,active", limit: MOST }, { trouble });
    at("public-list").replaceChildren(...items.map(row));
    say(at("public-none"), items.length === 0 ? "Nobody plays in public just now. Start one!" : "");
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

const showLists = (isAll) => Promise.allSettled([showMine(isAll), showPublic()]);

elements.name.value = kept("name") ?? "";
form.addEventListener("change", changed);
form.addEventListener("submit", start);
at("mine-all").addEventListener("click", () => showLists(true));
addEventListener("pageshow", () => {
  at("start").disabled = false;
  showLists().then(() => {
    settled();
    import("./device.js").catch(() => {});
  });
});
addEventListener("online", () => showLists());
addEventListener("hashchange", takeFragment);
takeFragment();
showStrengths();
changed({ target: elements.variant[0] }); // browsers restore what was chosen before a reload
takeRecords(at("record"), at("record-trouble"));
