/** device.js - the part of the start page about this device: notices, who plays here, other devices. */
import { at, el, forgetDevice, plyd, reason, say } from "./page.js";
import { noticeSwitch, renew, switchOff } from "./notices.js";

const trouble = el("p", { class: "trouble", role: "alert", hidden: true });
const name = () => document.querySelector("#new [name=name]").value.trim();

/** A button that asks again before it does what cannot be taken back. */
function sureButton(label, question, run) {
  let isAsked = false;
  const press = async () => {
    if (!isAsked) {
      isAsked = true;
      button.textContent = question;
      button.classList.add("sure");
      return;
    }
    try {
      await run();
    } catch (error) {
      say(trouble, reason(error));
    }
  };
  const button = el("button", { type: "button", onclick: press }, label);
  return button;
}

async function forget() {
  await switchOff().catch(() => {});
  await forgetDevice();
}

/** Who plays here. A player whose token has ended is forgotten. */
async function who() {
  if (!plyd.token) return "";
  try {
    return el("p", {}, "You are ", el("strong", {}, (await plyd.me()).name), " on this device.");
  } catch (error) {
    if (error.status === 401) plyd.become(null);
    return "";
  }
}

const notices = noticeSwitch({ nameOf: name, changed: draw });

async function draw() {
  const parts = [await who(), notices, trouble];
  if (plyd.token || plyd.keys.list().length > 0)
    parts.push(sureButton("Forget me here", "Really forget your games and keys on this device?", forget));
  at("device-parts").replaceChildren(...parts.filter(Boolean));
  (at("mine").hidden ? at("new") : at("mine")).after(at("device"));
  at("device").hidden = at("device-parts").textContent === "";
}

await renew().catch(() => {}); // there is another visit
await draw();
