// What /plyd.js does in a browser.
import assert from "node:assert/strict";
import { after } from "node:test";

import { PLAIN_HOST, browsers, openHouse, until } from "./harness.mjs";

const house = await openHouse();
after(() => house.close());

house.page("/empty.html", `<!doctype html><title>plyd</title><link rel=icon href=data:,><script type=module>
  import { Plyd, PlydError } from "/plyd.js";
  Object.assign(window, { Plyd, PlydError, plyd: new Plyd() });
</script>`);

const ready = (tab) => until(() => tab.evaluate(() => "plyd" in window));

for (const host of ["127.0.0.1", PLAIN_HOST]) {
  browsers(`a game is created and played at http://${host}`, house, async ({ open }) => {
    const tab = await open("/empty.html", { host });
    await ready(tab);
    const seen = await tab.evaluate(async () => {
      const game = await plyd.create({ variant: "tictactoe" });
      await game.move({ move: "b2" });
      return { secure: isSecureContext, ply: game.state.ply };
    });
    assert.deepEqual(seen, { secure: host !== PLAIN_HOST, ply: 1 });
  });
}
