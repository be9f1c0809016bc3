/**
 * notices.js - the switch "Tell me on this device": whether this browser is told of the player's games while no page is
 * open (Web Push). What comes is shown by the worker.
 */
import { el, keep, kept, lang, plyd, reason, say, t } from "./page.js";

const SETTINGS = "notices"; // { id, events, quiet, digest } while the switch is on
const WORKER = "plyd-me";   // a cache with what the worker needs to subscribe anew while no page is open
const TURN = ["move", "deadline"], NIGHT = { from: "22:00", to: "07:00" }, MORNING = { at: "08:00" };

const settings = () => JSON.parse(kept(SETTINGS));

const can = () => Boolean(navigator.serviceWorker && globalThis.PushManager && globalThis.Notification);

/** Why this browser cannot tell anybody; "" if there is nothing that one could do about it. */
function obstacle() {
  if (can()) return Notification.permission === "denied" ? t("notices-blocked") : "";
  if ("standalone" in navigator && navigator.standalone === false) // iPhones and iPads, in their browser
    return t("add-to-home");
  return isSecureContext ? t("cannot-tell") : "";
}

/** By how much the clocks here are ahead of UTC: "+02:00". */
function offset(minutes = -new Date().getTimezoneOffset()) {
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) => String(part).padStart(2, "0"));
  return `${minutes < 0 ? "-" : "+"}${hours}:${rest}`;
}

/** The subscription of this browser; another key of the daemon needs another one. */
async function subscribe(manager) {
  const { key } = await plyd.request("GET", "/v1/push", { token: null });
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
    await (await manager.getSubscription())?.unsubscribe();
    return manager.subscribe(options);
  }
}

/** Tells the daemon of the subscription. Done again it changes nothing but what is new, such as the time zone. */
async function send({ events = null, quiet = null, digest = null }) {
  const wasOn = settings() !== null, { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await subscribe(pushManager);
  const here = (hours) => ({ ...hours, offset: offset() });
  const wishes = { ...(events && { events }), ...(quiet && { quiet: here(quiet) }), ...(digest && { digest: here(digest) }), lang };
  const { id } = await plyd.request("POST", "/v1/me/subscriptions", { body: { ...subscription.toJSON(), ...wishes } });
  if (wasOn && settings() === null) return switchOff(id); // meanwhile, perhaps in another tab
  keep(SETTINGS, JSON.stringify({ id, events, quiet, digest }));
  await (await caches.open(WORKER)).put("/me", Response.json({ token: plyd.token, wishes }));
}

async function switchOn(name) {
  if (!plyd.token && !name) throw new Error(t("say-your-name"));
  if (await Notification.requestPermission() !== "granted") throw new Error(t("notices-blocked"));
  if (!plyd.token) await plyd.player({ name });
  await plyd.takeOver();
  await send({});
}

/** Ends the notices, here and at the daemon; the first is enough where the second cannot be reached. */
export async function switchOff(id = settings()?.id) {
  keep(SETTINGS, null);
  await globalThis.caches?.delete(WORKER);
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
  if (id && plyd.token) await plyd.request("DELETE", `/v1/me/subscriptions/${id}`, { deadline: 5000 }).catch(() => {});
}

/** What a page does when it opens: push services and time zones change. */
export async function renew() {
  if (!can() || !settings() || !plyd.token) return;
  if (Notification.permission !== "granted") return switchOff();
  await plyd.takeOver();
  await send(settings());
}

// ---- the switch ----

/** What to be told of, and when not. Its parts stay: what one presses while an answer comes is still there. */
function wishes(change) {
  const which = el("select", {}, el("option", { value: "" }, t("of-everything")), el("option", { value: "turn" }, t("only-my-turn")),
                   el("option", { value: "day" }, t("once-a-day")));
  const isQuiet = el("input", { type: "checkbox" }), words = el("span");
  const [from, to] = ["from", "to"].map((end) => el("input", { type: "time", "aria-label": t(`quiet-${end}-label`) }));
  const at = el("input", { type: "time", "aria-label": t("once-a-day-at") });
  const hours = el("span", {}, from, ` ${t("to")} `, to), morning = el("span", {}, `${t("at")} `, at);
  const night = el("span", {}, el("label", { class: "check" }, isQuiet, " ", words), hours);
  const take = () => change({ events: which.value === "turn" ? TURN : null, digest: which.value === "day" && at.value ? { at: at.value } : null,
                              quiet: isQuiet.checked && from.value && to.value ? { from: from.value, to: to.value } : null });
  const element = el("div", { class: "wishes", onchange: take }, el("label", {}, t("tell-me"), " ", which), morning, night);
  function show({ events, quiet, digest }) {
    which.value = digest ? "day" : events ? "turn" : "";
    isQuiet.checked = Boolean(quiet);
    words.textContent = t(quiet ? "quiet-from" : "quiet-at-night");
    ({ from: from.value, to: to.value } = quiet ?? NIGHT);
    ({ at: at.value } = digest ?? MORNING);
    morning.hidden = !digest;
    night.hidden = Boolean(digest);
    hours.hidden = !quiet;
  }
  return { element, show };
}

/**
 * The switch, or why there is none; empty where nothing could be done about that. `nameOf` gives the name of who has no
 * player yet: to switch it on makes one. `changed` is called when it was pressed.
 */
export function noticeSwitch({ nameOf, changed = () => {} }) {
  const place = el("div", { class: "notices" }), trouble = el("p", { class: "trouble", role: "alert", hidden: true });
  const why = obstacle();
  if (!can() || why) {
    if (why) place.append(el("p", { class: "soft" }, why));
    return place;
  }
  const box = el("input", { type: "checkbox", onchange: () => attempt(() => box.checked ? switchOn(nameOf()) : switchOff()) });
  const wanted = wishes((settings) => attempt(() => send(settings))), all = el("p", { class: "soft" }, t("in-all-games"));
  let last = Promise.resolve();
  /** One after the other; what was chosen meanwhile is not undone by the answer to what was chosen before. */
  async function attempt(run) {
    box.disabled = true;
    const mine = last = last.then(() => tried(run));
    await mine;
    if (mine !== last) return;
    draw();
    changed();
  }
  async function tried(run) {
    say(trouble, "");
    await run().catch((error) => say(trouble, reason(error)));
  }
  function draw() {
    const now = settings(), shown = now ? wanted.element : all;
    box.checked = now !== null;
    box.disabled = false;
    if (now) wanted.show(now);
    if (place.lastChild !== shown) place.lastChild.replaceWith(shown);
  }
  place.append(el("label", { class: "check" }, box, " ", t("tell-me-here")), trouble, all);
  draw();
  return place;
}
