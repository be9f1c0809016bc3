/**
 * mail.js - where the links of mails lead. Nothing happens before the button is pressed, since programs that look after
 * mails open their links, too.
 */
import { plyd, at, say } from "./page.js";

const DEEDS = {
  confirm: { ask: "Is this your address, and do you want to be told of your games there?",
             button: "Yes, send me mails", done: "The address is confirmed." },
  end: { ask: "Do you want no more mails from here?",
         button: "No more mails", done: "No more mails are sent to you." },
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
    say(at("word"), error.code === "no-such-code"
      ? "This link is not good any more. The newest mail has one that is." : error.message);
  }
}

say(at("word"), deed?.ask ?? "The link that leads here is not whole. Open it from the mail.");
if (deed) {
  at("do").textContent = deed.button;
  at("do").hidden = false;
  at("do").addEventListener("click", act);
}
