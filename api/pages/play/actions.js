/** actions.js - what is done by buttons, and what is said while there is no answer, or why it cannot be done. */
import { at, el, reason, say } from "../page.js";
import { t } from "../page/words.js";
import { board, game } from "./here.js";

/** Of every deed: that it waits for an answer is said, and it is done when there is one. */
export const patient = { trouble: () => say(at("trouble"), t("no-answer")) };

/** Runs what a button does, and says why it cannot be done. */
export async function attempt(run, button) {
  say(at("trouble"), "");
  if (button) button.disabled = true;
  try {
    await run();
    say(at("trouble"), "");
  } catch (error) {
    say(at("trouble"), reason(error));
  } finally {
    if (button) button.disabled = false;
  }
}

/**
 * A button; one that cannot be taken back asks again.
 * @param {{label: string, sure?: string, isPrimary?: boolean}} look
 * @param {() => Promise<unknown>} run
 */
export function action({ label, sure, isPrimary }, run) {
  let asked = false;
  const button = el("button", { type: "button", class: isPrimary ? "primary" : null, onclick: press }, label);
  function press() {
    if (!sure || asked) return attempt(run, button);
    asked = true;
    button.textContent = sure;
    button.classList.add("sure");
    setTimeout(() => {
      asked = false;
      button.textContent = label;
      button.classList.remove("sure");
    }, 4000);
  }
  return button;
}

async function rematch() {
  location.href = `/play/${(await game.act("rematch", undefined, patient)).id}`;
}

/** What the buttons of a face do, by name. */
const DEEDS = {
  rematch,
  hint: () => board.hint(),
  "offer:draw": () => game.offer({ kind: "draw" }, patient),
  "offer:undo": () => game.offer({ kind: "undo" }, patient),
  "offer:time": () => game.offer({ kind: "time", add: "24h" }, patient),
  "offer:pause": () => game.offer({ kind: "pause", for: "7d" }, patient),
  "offer:abort": () => game.offer({ kind: "abort" }, patient),
  "claim:repetition": () => game.claim("repetition", patient),
  "claim:impasse": () => game.claim("impasse", patient),
};
const deedOf = (name) => DEEDS[name] ?? (() => game.act(name, undefined, patient));

/** Fills a place with buttons, unless it has the same ones: a button that is being pressed stays. */
export function fillActions(place, buttons) {
  const labels = buttons.map(({ label }) => label).join();
  if (place.dataset.labels === labels) return;
  place.dataset.labels = labels;
  for (const old of place.querySelectorAll("button")) old.remove();
  place.prepend(...buttons.map((button) => action(button, deedOf(button.name))));
}

export function showActions({ actions, rare }) {
  fillActions(at("actions"), actions);
  fillActions(at("rare-actions"), rare);
  at("rare").hidden = rare.length === 0;
}
