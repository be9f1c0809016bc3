/**
 * mail.js - where the links of mails lead. Nothing happens before the button is pressed, since programs that look after
 * mails open their links, too.
 */
import { plyd, at, reason, say, t } from "./page.js";

const DEEDS = {
  confirm: { ask: t("mail-confirm"), button: t("mail-confirm-yes"), done: t("mail-confirmed") },
  end: { ask: t("mail-end"), button: t("mail-end-yes"), done: t("mail-ended") },
};

const [name, code] = location.hash.slice(1).split("=");
const deed = Object.hasOwn(DEEDS, name) ? DEEDS[name] : null;

async function act() {
  at("do").disabled = true;
  try {
    await plyd.request("POST", `/v1/mail/${name}`, { body: { code } });
    at("do").hidden = true;
    say(at("word"), deed.done);
  } catch (error) {
    at("do").disabled = false;
    say(at("word"), error.code === "no-such-code" ? t("mail-link-old") : reason(error));
  }
}

say(at("word"), deed?.ask ?? t("mail-link-broken"));
if (deed) {
  at("do").textContent = deed.button;
  at("do").hidden = false;
  at("do").addEventListener("click", act);
}
