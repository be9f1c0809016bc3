/**
 * page.js - what the pages of plyd share: the client, elements, and what a device keeps. Nothing here knows a game.
 */
import { lang, t } from "./page/words.js";
import { Plyd, PlydError } from "./plyd.js";

export { PlydError };
export { capital, lang, nameOf, since, span, standing, t, yours } from "./page/words.js";

// ---- what this device has forgotten ----

/** When this device forgot all keys. A tab that keeps older ones, or is brought back with them, forgets them, too. */
const FORGOT = "plyd-forgotten";

function obey() {
  try {
    const then = localStorage.getItem(FORGOT);
    if (then === null || sessionStorage.getItem(FORGOT) === then) return false;
    sessionStorage.clear();
    sessionStorage.setItem(FORGOT, then);
    return true;
  } catch {
    return false; // a browser that keeps nothing
  }
}

obey();
addEventListener("storage", ({ key }) => key === FORGOT && obey() && location.reload());
addEventListener("pageshow", ({ persisted }) => persisted && obey() && location.reload());

/** Forgets everything that this device keeps for the pages: keys, games, moves that were not sent. */
export async function forgetDevice() {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (/^plyd[:-]/.test(key)) storage.removeItem(key);
  localStorage.setItem(FORGOT, String(Date.now()));
  for (const list of ["mine", "asked"]) tellDaemon(list, "");
  await forgetAll();
  location.assign("/");
}

/** The last requests that changed something, or asked: what "the same with curl" shows. */
export const requests = new EventTarget();

function noted(address, options = {}) {
  const { method = "GET", body, headers } = options;
  const url = new URL(address);
  if (method !== "GET")
    requests.dispatchEvent(new CustomEvent("request",
      { detail: { method, path: url.pathname, body, token: Boolean(headers?.Authorization) } }));
  return fetch(address, options);
}

export const plyd = new Plyd({ fetch: noted, lang });

// ---- elements ----

/** @returns {any} the element with this id: the page knows of what kind it is */
export const at = (id) => document.getElementById(id);

/** @returns {NodeListOf<any>} the elements that fit a selector */
export const allOf = (selector) => document.querySelectorAll(selector);

/**
 * An element with attributes (`on...` are listeners, true and false set and leave out) and children.
 * Texts become text nodes, never markup.
 * @returns {any} what its tag says
 */
export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  node.append(...children.flat().filter((child) => child != null && child !== ""));
  return node;
}

/** Shows a sentence, or hides the place for it. */
export function say(node, text) {
  node.textContent = text ?? "";
  node.hidden = !text;
}

/** A text to take along, with a button that copies it. */
export function copyable(text, label, rows = 1) {
  const field = rows > 1 ? el("textarea", { readonly: true, rows, "aria-label": label })
                         : el("input", { readonly: true, "aria-label": label });
  field.value = text;
  const button = el("button", { type: "button", "aria-label": t("copy-what", { what: label }), onclick: copy }, t("copy"));
  async function copy() {
    field.select();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      document.execCommand("copy"); // navigator.clipboard is missing on http:// addresses
    }
    button.textContent = t("copied");
    setTimeout(() => { button.textContent = t("copy"); }, 1500);
  }
  return el("div", { class: "copyable" }, field, button);
}

/**
 * What an error says to people. In other languages than English that is the detail of what the rules refuse, and else the
 * title, since such a detail is English.
 */
export function reason(error) {
  if (!(error instanceof PlydError)) return String(error.message ?? error);
  if (error.status === 0) return t("not-answered");
  return lang === "en" || error.rule ? error.detail : error.problem.title;
}

// ---- what this device keeps for the pages ----

const KEPT = "plyd-page:";

export function kept(key) {
  try { return localStorage.getItem(KEPT + key); } catch { return null; }
}

/** Keeps a text; null forgets it. */
export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(KEPT + key);
    else localStorage.setItem(KEPT + key, value);
  } catch { /* a browser that keeps nothing */ }
}

// ---- the games that this device has shown ----

// They are kept as they were last known, so that they open without a network. Private games are among them. So whoever
// forgets a key forgets the game here, too.
const SEEN = "plyd-seen", SEEN_MOST = 40;

// Where nothing may be kept (a page of http://, a browser that is told so), nothing is.
const withCache = (use) => (async () => use(await caches.open(SEEN)))().catch(() => null);
const addressOf = (id) => `/seen/${id}`;

/** Keeps what is known of a game; of too many games the ones seen first go. */
export const note = (id, known) => withCache(async (cache) => {
  await cache.put(addressOf(id), Response.json(known));
  const all = await cache.keys();
  for (const old of all.slice(0, Math.max(0, all.length - SEEN_MOST))) await cache.delete(old);
});

/** What was kept of a game; null: nothing. */
export const recall = (id) => withCache(async (cache) => await (await cache.match(addressOf(id)))?.json() ?? null);

/** Everything that was kept. */
export const recallAll = async () => await withCache(async (cache) =>
  Promise.all((await cache.matchAll()).map((answer) => answer.json()))) ?? [];

export const forget = (id) => withCache((cache) => cache.delete(addressOf(id)));

const forgetAll = async () => globalThis.caches?.delete(SEEN);

// ---- answers ----

/** For a question that is asked again and again: to be called when it is asked, gives what says whether the answer is none of before. */
export function inOrder() {
  let asked = 0, shown = 0;
  return () => {
    const turn = ++asked;
    return () => turn >= shown && Boolean(shown = turn);
  };
}

// ---- the reader's switches ----

/** Keeps a text where the daemon sees it when it makes a page; "" forgets it. */
export function tellDaemon(name, value) {
  document.cookie = `plyd-${name}=${value}; path=/; samesite=lax; max-age=${value ? 31536000 : 0}`;
}

/** Keeps a choice, and shows this page by it. */
function wish({ target: { id, value } }) {
  tellDaemon(id, value);
  navigator.serviceWorker?.controller?.postMessage({ wished: true });
  location.replace(location.pathname); // as it is now, ?lang= is spent
}

for (const id of ["lang", "theme"]) {
  const choice = at(id);
  choice?.addEventListener("change", wish);
  if (choice && !choice.selectedOptions[0]?.defaultSelected) wish({ target: choice }); // it was made before this was there
}

// ---- the application ----

/** To be called when a page has what it needs: what makes an application of the pages can wait for that. */
export function settled() {
  if (!navigator.serviceWorker) return; // a page of http://
  const idle = globalThis.requestIdleCallback ?? setTimeout;
  idle(() => import("./app.js").catch(() => {}));
}

// ---- records ----

/** Makes a game of a record, and goes to its page. `how` says what cannot be seen from the file. */
async function importRecord(file, how) {
  const made = await plyd.request("POST", `/v1/games/import?${new URLSearchParams(how)}`, { body: { record: await textOf(file) } });
  location.href = `/play/${plyd.adopt(made).id}`;
}

/** A record's text: UTF-8, or the Shift_JIS of old KIF files. */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}

/** All formats of records, each with the games that it is for. */
async function formats() {
  const games = await Promise.all((await plyd.variants()).map(({ name }) => plyd.variant(name))), found = new Map();
  for (const { exports, title } of games)
    for (const format of new Set(["json", "text", ...exports])) found.set(format, [...found.get(format) ?? [], title]);
  return [...found].map(([format, titles]) =>
    el("option", { value: format }, titles.length < games.length ? `${format}: ${titles.join(", ")}` : format));
}

/** What a person is asked about a file that cannot be read without it, by the code of the refusal. */
const QUESTIONS = {
  "unknown-format": ["which-format", async () =>
    el("label", {}, t("record-format"), " ", el("select", { name: "format" }, el("option", { value: "" }, t("choose")), await formats()))],
  "many-games": ["which-game", async () =>
    el("label", {}, t("game-number"), " ", el("input", { name: "game", type: "number", min: 1 }))],
};

/** Takes files that are dropped anywhere on the page, or chosen. */
export function takeRecords(input, trouble) {
  const question = el("p", { hidden: true });
  trouble.after(question);
  const take = async (file, how = {}) => {
    if (!file) return;
    say(trouble, "");
    question.hidden = true;
    try {
      await importRecord(file, how);
    } catch (error) {
      trouble.closest("details")?.setAttribute("open", ""); // a file may be dropped while it is closed
      const [why, ask] = QUESTIONS[error.problem?.code] ?? [];
      say(trouble, t("cannot-be-read", { file: file.name ?? t("the-text"), why: why ? t(why) : reason(error) }));
      if (!ask) return;
      const label = await ask();
      label.addEventListener("change", ({ target: { name, value } }) => value && take(file, { ...how, [name]: value }));
      question.replaceChildren(label);
      question.hidden = false;
    }
  };
  let depth = 0;
  const files = (event) => event.dataTransfer?.types.includes("Files");
  const show = () => {
    if (depth > 0) document.body.dataset.drop = t("drop-here");
    else delete document.body.dataset.drop;
  };
  input.addEventListener("change", () => take(input.files[0]));
  addEventListener("dragenter", (event) => {
    if (files(event)) { depth++; show(); }
  });
  addEventListener("dragleave", (event) => {
    if (files(event)) { depth--; show(); }
  });
  addEventListener("dragover", (event) => files(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth = 0;
    show();
    take(event.dataTransfer.files[0]);
  });
}
