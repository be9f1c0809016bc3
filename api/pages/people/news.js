/** news.js - the news of a player's games, for a page that shows many of them: that something has happened is all it asks. */
import { plyd } from "../page.js";
import { follow, jittered, page, pause, visible, wakers } from "../plyd/time.js";

const NAME = "plyd-mine";  // of the lock and of the channel that tabs share
const SILENCE_MS = 40_000; // a stream has a sign of life every 15 seconds
const PAUSE_MS = 3_000;    // before the next stream

/** Reads a stream until it ends. What came before it is news, too. */
async function readStream(signal, tell) {
  const headers = { Accept: "application/x-ndjson", Authorization: `Bearer ${plyd.token}` };
  const dead = follow(signal), cut = () => dead.abort();
  let timer = setTimeout(cut, SILENCE_MS);
  wakers.add(cut); // another network: the connection may be dead, and silent about it
  try {
    const answer = await fetch("/v1/me/events", { cache: "no-store", headers, signal: dead.signal });
    if (!answer.ok) return answer.status;
    tell();
    const reader = answer.body.getReader(), decoder = new TextDecoder();
    for (let part; !(part = await reader.read()).done;) {
      clearTimeout(timer);
      timer = setTimeout(cut, SILENCE_MS);
      if (decoder.decode(part.value).trim()) tell();
    }
    return answer.status;
  } catch {
    return 0;
  } finally {
    clearTimeout(timer);
    wakers.delete(cut);
    cut();
  }
}

async function readStreams(signal, tell) {
  while (!signal.aborted && await readStream(signal, tell) !== 401) await pause(jittered(PAUSE_MS), signal);
}

/** Listens while the page is seen. Of all tabs one has a stream, as a browser grants few connections, and tells the others. */
async function whileSeen(hear) {
  const channel = globalThis.BroadcastChannel && new BroadcastChannel(NAME), seen = new AbortController(), { signal } = seen;
  const hide = () => visible() || seen.abort();
  const tell = () => {
    hear();
    channel?.postMessage("");
  };
  if (channel) channel.onmessage = hear;
  page.addEventListener("visibilitychange", hide);
  try {
    if (navigator.locks) await navigator.locks.request(NAME, { signal }, () => readStreams(signal, tell));
    else await readStreams(signal, tell);
  } catch { /* it was hidden before it had the lock */ }
  page.removeEventListener("visibilitychange", hide);
  channel?.close();
  return signal.aborted;
}

/** Calls `hear` whenever something may have happened in the player's games, until the player's token ends. */
export async function listen(hear) {
  while (await whileSeen(hear)) {
    while (!visible()) await new Promise((done) => page.addEventListener("visibilitychange", done, { once: true }));
    hear(); // another tab may have the stream, and have told meanwhile
  }
}
