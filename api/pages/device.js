/**
 * device.js - the part of the start page about this device: notices, who plays here, and how they play on another device, too.
 */
import { at, copyable, el, forgetDevice, keep, plyd, reason, say, since, t } from "./page.js";
import { known } from "./page/words.js";
import { noticeSwitch, renew, switchOff } from "./notices.js";

const trouble = el("p", { class: "trouble", role: "alert", hidden: true });
const typedName = () => at("name").value.trim();

/** Runs what a button does, and says at its place why it cannot be done. */
async function attempt(run, place = trouble) {
  say(place, "");
  try {
    await run();
  } catch (error) {
    say(place, reason(error));
  }
}

const button = (label, run, place) => el("button", { type: "button", onclick: () => attempt(run, place) }, label);

/** A button that asks again before it does what cannot be taken back. */
function sureButton(label, question, run) {
  let isAsked = false;
  const asking = button(label, async () => {
    if (isAsked) return run();
    isAsked = true;
    asking.textContent = question;
    asking.classList.add("sure");
  });
  return asking;
}

// ---- who plays here ----

/** The player of this device; null: nobody. One whose token has ended is forgotten. */
async function player() {
  try {
    return await plyd.me();
  } catch (error) {
    if (error.status !== 401) return null;
    await switchOff();
    plyd.become(null);
    return null;
  }
}

/** Nobody else has the token of a device that was handed a player over, so it ends with the device. */
async function endOwnToken() {
  const { items } = await plyd.request("GET", "/v1/me/tokens", { deadline: 5000 });
  const own = items.find(({ yours }) => yours);
  if (own && own.kind === "token" && own.id !== "token") await plyd.request("DELETE", `/v1/me/tokens/${own.id}`, { deadline: 5000 });
}

async function forget() {
  await switchOff().catch(() => {});
  if (plyd.token) await endOwnToken().catch(() => {});
  await forgetDevice();
}

// ---- from this device to another one ----

/** Shows the other device who plays here: by a code that is good once. */
async function handOver(place) {
  if (!plyd.token && !typedName()) throw new Error(t("say-your-name-too"));
  if (!plyd.token) await plyd.player({ name: typedName() });
  await plyd.takeOver();
  const [{ code, link }, { qrPicture }, { name }] =
    await Promise.all([plyd.request("POST", "/v1/me/handover"), import("./qr.js"), plyd.me()]);
  const { pathname, hash } = new URL(link, location.origin);
  const url = `${location.origin}${pathname}${hash}&as=${encodeURIComponent(name)}`;
  place.replaceChildren(el("div", { class: "card handover" },
    el("div", {}, el("p", {}, t("scan-this", { name })),
       el("p", {}, t("or-type-code"), el("strong", { class: "code" }, code)),
       copyable(url, t("link-for-device"))),
    qrPicture(url, t("device-qr"))));
  await draw(); // one who had no player has one now
}

/** What this device is called in the list of devices, unless one says something else. */
function deviceName() {
  const known = /iPhone|iPad|Android|Windows|Macintosh|CrOS|Linux/.exec(navigator.userAgent)?.[0];
  return { Macintosh: "Mac", CrOS: "Chromebook" }[known] ?? known ?? t("this-device-name");
}

async function become(code, name) {
  const { token } = await plyd.request("POST", "/v1/handover", { token: null, body: { code, name } });
  await switchOff().catch(() => {}); // what is switched on was so for the one who played here before
  keep("here", null);
  const { id, name: player } = await plyd.request("GET", "/v1/me", { token });
  plyd.become({ id, token });
  keep("name", player);
  location.reload();
}

/** Asks whether a code that has come by a link is wanted. `as` is what the link says whose it is. */
export async function askToBecome(code, as) {
  const now = (await player())?.name, who = as || t("other-player");
  const name = el("input", { maxlength: 64, value: deviceName(), required: true }), place = el("p", { class: "trouble", role: "alert", hidden: true });
  const card = el("form", { class: "card", onsubmit: (event) => {
    event.preventDefault();
    attempt(() => become(code, name.value.trim()), place);
  } },
    el("h2", {}, t("use-here", { name: who })),
    el("p", {}, now ? t("until-now", { text: t("games-here-too"), name: now }) : t("games-here-too")),
    el("label", {}, t("device-name"), " ", name), place,
    el("div", { class: "actions" }, el("button", { class: "primary" }, t("play-as", { name: who })), button(t("no"), () => at("handover").replaceChildren())));
  at("handover").replaceChildren(card);
  card.querySelector("button").focus();
}

function typeCode() {
  const code = el("input", { autocomplete: "off", autocapitalize: "none", spellcheck: "false", required: true });
  const take = (event) => {
    event.preventDefault();
    attempt(() => become(code.value.trim(), deviceName()));
  };
  return el("details", {}, el("summary", {}, t("play-as-elsewhere")),
            el("form", { onsubmit: take }, el("label", {}, t("code-shown"), " ", code), " ", el("button", {}, t("play"))));
}

// ---- the devices of a player ----

const titleOf = ({ kind, name }) => name ?? known(`kind:${kind}`) ?? kind;

function deviceRow(token) {
  const { used_at: used, since_at: from, yours } = token, title = titleOf(token);
  return el("li", {}, el("strong", {}, title), yours ? ` ${t("this-one")}` : "",
            el("span", { class: "soft" }, used ? t("used", { when: since(used) }) : from ? t("since", { when: since(from) }) : ""),
            yours ? "" : sureButton(t("end"), t("end-it", { name: title }), async () => {
              await plyd.request("DELETE", `/v1/me/tokens/${token.id}`);
              await draw();
            }));
}

async function devices() {
  const { items } = await plyd.request("GET", "/v1/me/tokens");
  return el("details", {}, el("summary", {}, t("devices", { count: items.length })),
            el("ul", { class: "devices" }, items.map((token) => deviceRow(token))));
}

// ---- all together ----

const notices = noticeSwitch({ nameOf: typedName, changed: draw });
const [you, actions, handedOver, others] = [el("div"), el("div", { class: "actions" }), el("div"), el("div")];

async function draw() {
  const me = await player(), hasKeys = plyd.keys.list().length > 0;
  you.replaceChildren(...me ? [el("p", {}, t("you-are", me))] : []);
  actions.replaceChildren(button(t("use-another"), () => handOver(handedOver)),
                          me || hasKeys ? sureButton(t("forget-me"), t("really-forget"), forget) : "");
  others.replaceChildren(...[me ? await devices().catch(() => null) : typeCode()].filter(Boolean));
  at("device").hidden = false;
}

at("device-parts").replaceChildren(you, notices, trouble, actions, handedOver, others);
draw();
renew().catch(() => {}); // there is another visit
