/** answer.js - the buttons of who is challenged: they accept, or decline with a word. */
import { el } from "../page.js";
import { t } from "../page/words.js";

/**
 * @param {(button: HTMLButtonElement) => unknown} accept
 * @param {(text: string, button: HTMLButtonElement) => unknown} decline
 */
export function answerButtons(accept, decline) {
  const word = el("input", { maxlength: 200, autocomplete: "off" }), sure = el("button", { class: "sure" }, t("decline"));
  const form = el("form", { class: "word", hidden: true, onsubmit: (event) => {
    event.preventDefault();
    decline(word.value.trim(), sure);
  } }, el("label", {}, t("a-word"), " ", word), sure);
  const accepting = el("button", { type: "button", class: "primary", onclick: () => accept(accepting) }, t("accept"));
  const declining = el("button", { type: "button", "aria-expanded": "false", onclick: () => {
    form.hidden = !form.hidden;
    declining.setAttribute("aria-expanded", String(!form.hidden));
    if (!form.hidden) word.focus();
  } }, t("decline"));
  return [el("div", { class: "actions" }, accepting, declining), form];
}
