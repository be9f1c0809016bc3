/** time.js - waiting: pauses that end early if there is a reason to go on, and signals that end. */

/** The page's document; undefined in Node. */
export const page = globalThis.document;

/** Each of these is called when the network is back, or the page is seen again. */
export const wakers = new Set();

/** Half of a time to all of it, so that many do not come at once. */
export const jittered = (ms) => ms * (1 + Math.random()) / 2;

export const visible = () => page?.visibilityState !== "hidden";

export const wake = () => { for (const waker of [...wakers]) waker(); };
globalThis.addEventListener?.("online", wake);
page?.addEventListener("visibilitychange", () => visible() && wake());

/** Waits. It ends early if the network is back or the page is seen again, unless it is `asleep`. */
export const pause = (ms, signal, asleep = false) => new Promise((done) => {
  const end = () => {
    clearTimeout(timer);
    wakers.delete(end);
    signal?.removeEventListener("abort", end);
    done();
  };
  const timer = setTimeout(end, signal?.aborted ? 0 : ms);
  if (!asleep) wakers.add(end);
  signal?.addEventListener("abort", end);
});

/** A controller that ends with a signal, too, and must be ended. (`AbortSignal.any` is missing in Node 18.) */
export function follow(signal) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { signal: controller.signal });
  return controller;
}
