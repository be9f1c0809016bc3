/** app.js - what makes an application of the pages, once they have all they need: their worker. */

// The one address that the pages' Content-Security-Policy lets a script be loaded from by its text.
const policy = globalThis.trustedTypes?.createPolicy("plyd-worker", { createScriptURL: () => "/sw.js" });
const { serviceWorker } = navigator;

async function begin() {
  const isNew = serviceWorker.controller === null;
  await serviceWorker.register(policy?.createScriptURL("") ?? "/sw.js", { updateViaCache: "none" });
  const { active } = await serviceWorker.ready;
  if (isNew) active.postMessage({ loaded: performance.getEntriesByType("resource").map(({ name }) => name) });
}

begin().catch(() => {}); // a browser that keeps nothing, or has no room: the pages need none of it
