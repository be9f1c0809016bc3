/** app.js - what makes an application of the pages, once they have all they need: their worker, and what it has shown. */

// The one address that the pages' Content-Security-Policy lets a script be loaded from by its text.
const policy = globalThis.trustedTypes?.createPolicy("plyd-worker", { createScriptURL: () => "/sw.js" });
const { serviceWorker } = navigator;

let watch = null; // of what is loaded

/** A worker takes over a page that was under way when it came, and keeps what the page has loaded past it, or loads just now. */
function handOver(worker) {
  watch?.disconnect();
  watch = new PerformanceObserver((list) => {
    const loaded = /** @type {PerformanceResourceTiming[]} */ (list.getEntries());
    const past = loaded.filter(({ workerStart }) => workerStart === 0);
    if (past.length > 0) worker.postMessage({ loaded: past.map(({ name }) => name) });
  });
  watch.observe({ type: "resource", buffered: true });
}

async function begin() {
  // Where it fails there may be a worker none the less, which another page has brought.
  serviceWorker.register(policy?.createScriptURL("") ?? "/sw.js", { updateViaCache: "none" }).catch(() => {});
  handOver((await serviceWorker.ready).active);
  serviceWorker.addEventListener("controllerchange", () => handOver(serviceWorker.controller));
}

/** Whoever looks has seen how many games wait, and needs no notice of this one. */
async function clear() {
  if (document.visibilityState !== "visible") return;
  navigator.clearAppBadge?.();
  const shown = await (await serviceWorker.ready).getNotifications();
  for (const notice of shown) if (notice.data?.url === location.origin + location.pathname) notice.close();
}

document.addEventListener("visibilitychange", () => clear().catch(() => {}));
begin().then(clear).catch(() => {}); // a browser that keeps nothing, or has no room: the pages need none of it

export {}; // a module, though it gives nothing
