/** chat.js - what players write to each other in a game. */
import { at, el } from "../page.js";
import { challengedSeat, lang, nameOf, yours } from "../page/words.js";
import { attempt, patient } from "./actions.js";
import { game } from "./here.js";

let said = 0;       // the version of the last message that is shown
let earlier = null; // a promise that those from before are shown, which news wait for; null: nobody has asked for them

const talks = (state) => state.you !== undefined && yours(state).length === 1 && state.seats.every(({ engine }) => !engine) && !challengedSeat(state);

/** @param {any} event */
function showMessage({ version, seat, data, at: when }) {
  if (version <= said || data.text === undefined) return; // it may be withheld from this player
  said = version;
  at("messages").append(el("li", { title: new Date(when).toLocaleString(lang) },
    el("strong", {}, `${nameOf(game.state, seat)}: `), data.text));
  at("messages").scrollTop = at("messages").scrollHeight;
  at("unread").textContent = at("chat").open || yours(game.state).includes(seat) ? "" : "●";
}

async function showEarlier() {
  try {
    for (const event of await game.events({ type: "message" })) showMessage(event);
  } catch (error) {
    earlier = null; // with the next state it is tried again
    throw error;
  }
}

/** What was written before; news of later messages come by themselves. */
export async function showMessages(state) {
  at("chat").hidden = !talks(state);
  if (talks(state)) await (earlier ??= showEarlier());
}

/** What comes before one has asked for the earlier ones is among them. */
export const hearMessage = (event) => earlier?.then(() => showMessage(event), () => {});

async function write(event) {
  event.preventDefault();
  const text = at("message").value.trim();
  if (!text) return;
  await attempt(async () => {
    await game.say(text, undefined, patient);
    at("message").value = "";
  });
}


at("write").addEventListener("submit", write);
at("chat").addEventListener("toggle", () => { at("unread").textContent = ""; });
