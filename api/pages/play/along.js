/** along.js - what one takes along from a game: records, links, code for pages of others, a key, and commands. */
import { at, copyable, el, PlydError, requests } from "../page.js";
import { t } from "../page/words.js";
import { attempt } from "./actions.js";
import { game, id } from "./here.js";

const EXTENSION = { text: "txt" };

/** A record as a file. A private game needs the key, which a link cannot carry. */
export async function download(event) {
  event.preventDefault();
  const link = event.currentTarget;
  await attempt(async () => {
    const answer = await fetch(link.href, { headers: game.token ? { Authorization: `Bearer ${game.token}` } : {} });
    if (!answer.ok) throw new PlydError(await answer.json());
    const file = el("a", { href: URL.createObjectURL(await answer.blob()), download: link.download });
    file.click();
    setTimeout(() => URL.revokeObjectURL(file.href), 60000);
  });
}

export function showFiles(variant) {
  const formats = ["json", "text", ...variant.exports.filter((name) => name !== "json" && name !== "text")];
  at("files").replaceChildren(...formats.map((name) => {
    const href = `/v1/games/${id}/export?format=${name}`;
    const file = `${variant.name}-${id.slice(0, 6)}.${EXTENSION[name] ?? name.replace(/\W.*/, "")}`;
    const drag = (event) =>
      event.dataTransfer.setData("DownloadURL", `application/octet-stream:${file}:${new URL(href, location.href).href}`);
    return el("li", {}, el("a", { href, download: file, onclick: download, ondragstart: drag }, name.toUpperCase()));
  }));
}

export function showShare() {
  const here = `${location.origin}/play/${id}`;
  at("watch-link").replaceChildren(copyable(here, t("link-to-watch")));
  at("embed-code").replaceChildren(copyable(
    `<script type="module" src="${location.origin}/board.js"></script>\n<plyd-board game="${id}"></plyd-board>`,
    t("code-of-board"), 4));
  at("frame-code").replaceChildren(copyable(
    `<iframe src="${location.origin}/embed/${id}" width="480" height="560"></iframe>`, t("code-of-frame"), 2));
}

export function showKey(state) {
  const own = state.you && game.token;
  at("key").hidden = !own;
  if (own && !at("key-link").firstChild)
    at("key-link").replaceChildren(copyable(`${location.origin}/play/${id}#key=${game.token}`, t("link-with-key")));
}

// ---- the same with curl ----

const quoted = (text) => /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const UNASKED = /\/(here|read)$/; // what a page sends by itself

/** The last few requests, the newest first. The key is not shown: it stands under "Your key". */
/** @param {any} event */
function showCommand({ detail: { method, path, body, token } }) {
  if (UNASKED.test(path)) return;
  const words = ["curl"];
  if (token) words.push("-u $TOKEN:");
  if (method !== "POST" || !body) words.push(`-X ${method}`);
  if (body) words.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`);
  const text = [...words, location.origin + path].join(" ");
  if (at("commands").querySelector("textarea, input")?.value === text) return; // the same again, after a lost answer
  at("commands").prepend(copyable(text, t("command"), 3));
  while (at("commands").childElementCount > 5) at("commands").lastChild.remove();
  at("curl-none").textContent = t(token ? "token-is-key" : "newest-first");
}


requests.addEventListener("request", showCommand);
