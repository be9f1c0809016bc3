// What /plyd.js does in a browser: while the network fails, the daemon is killed, and in many tabs.
import assert from "node:assert/strict";
import { after } from "node:test";

import { PLAIN_HOST, browsers, openHouse, until } from "./harness.mjs";

const house = await openHouse();
after(() => house.close());

const NETWORK = /Failed to load resource|ERR_|NetworkError/; // browsers log the requests that fail

house.page("/empty.html", `<!doctype html><title>plyd</title><link rel=icon href=data:,><script type=module>
  import { Plyd, PlydError } from "/plyd.js";
  const plyd = new Plyd(), heard = { event: [], connection: [], refused: [], state: [], pending: [] };
  function follow(game) {
    for (const type of Object.keys(heard))
      game.addEventListener(type, ({ detail }) => heard[type].push(detail.code ?? detail.version ?? detail.state?.version ?? detail));
    return game.watch();
  }
  Object.assign(window, { Plyd, PlydError, plyd, heard, follow });
</script>`);
house.page("/frames.html", `<!doctype html><title>frames</title><link rel=icon href=data:,>${"<iframe src=/empty.html></iframe>".repeat(7)}`);

/** A page with the module, and what the tests do with it. */
async function openPage(open, options) {
  const tab = await open("/empty.html", options);
  await until(() => tab.evaluate(() => "plyd" in window));
  return tab;
}

/** The same, where a wait of each of these numbers of milliseconds lasts another one, and no other long wait ever ends. */
async function openTimed(open, waits = {}) {
  const tab = await open("about:blank");
  await tab.evaluateOnNewDocument((waits) => {
    const later = globalThis.setTimeout;
    globalThis.setTimeout = (run, ms, ...more) => later(run, waits[ms] ?? (ms > 1000 ? 2 ** 30 : ms), ...more);
  }, waits);
  await tab.goto(`${house.front.url}/empty.html`);
  await until(() => tab.evaluate(() => "plyd" in window));
  return tab;
}

/** Seven pages with the module side by side, so that all of them are seen. */
async function openFrames(tab, host = "127.0.0.1") {
  await tab.goto(`http://${host}:${house.front.port}/frames.html`);
  const frames = await until(() => tab.frames().length === 8 && tab.frames().slice(1));
  for (const frame of frames) await until(() => frame.evaluate(() => "plyd" in window).catch(() => false));
  return frames;
}

const newGame = (tab, body = { variant: "tictactoe" }) => tab.evaluate(async (body) => {
  window.game = await plyd.create(body, { include: "board,legal_tree" });
  return { id: game.id, token: game.token };
}, body);

const watch = async (tab, { id, token }) => {
  await tab.evaluate((id, token) => {
    window.game = plyd.game(id, { token, include: "board" });
    window.stop = follow(game);
  }, id, token);
  await until(() => tab.evaluate(() => game.connection === "live"), "the stream is live");
};

const moveElsewhere = ({ id, token }, move) => house.call("POST", `/v1/games/${id}/moves`, { move }, token);
const logOf = async ({ id, token }) => (await house.call("GET", `/v1/games/${id}/events`, null, token)).items;
const movesOf = async (game) => (await logOf(game)).filter(({ type }) => type === "move").map(({ move }) => move);
const streams = (id) => house.front.requests.filter((request) =>
  request.open && request.headers.accept === "application/x-ndjson" && request.url.includes(id)).length;
const isPolled = ({ id }) =>
  house.front.requests.some(({ open, headers, url }) => open && headers.prefer && url.includes(id));
const isMove = ({ method, url }) => method === "PUT" && url.includes("/moves/");
const isApi = ({ url }) => url.startsWith("/v1/");

/** A fault that happens to the first request that fits. */
function once(fits, fault) {
  let done = false;
  house.front.fault = (request) => {
    if (done || !fits(request)) return null;
    done = true;
    return fault;
  };
}

for (const host of ["127.0.0.1", PLAIN_HOST]) {
  browsers(`a game is created and played at http://${host}`, house, async ({ open }) => {
    const tab = await openPage(open, { host });
    await newGame(tab);
    const seen = await tab.evaluate(async () => {
      await game.move({ move: "b2" });
      await game.move({ clicks: ["a1"] });
      return { secure: isSecureContext, ply: game.state.ply, pending: game.pending.length };
    });
    assert.deepEqual(seen, { secure: host !== PLAIN_HOST, ply: 2, pending: 0 });
  });
}

// -- requests that fail --

for (const fault of ["refuse", "cut", "half", 502]) {
  browsers(`a move is played once if its first attempt ends with: ${fault}`, house, async ({ open }) => {
    const tab = await openPage(open);
    const game = await newGame(tab);
    once(isMove, fault);
    const ply = await tab.evaluate(async () => (await game.move({ move: "b2" })).ply);
    assert.equal(ply, 1);
    assert.deepEqual(await movesOf(game), ["b2"]);
    const keys = house.front.requests.filter((request) => isMove(request) && request.url.includes(game.id))
      .map(({ headers }) => headers["idempotency-key"]);
    assert.equal(keys.length, 2);
    assert.equal(new Set(keys).size, 1, "both attempts have the same key");
  }, { expected: NETWORK });
}

browsers("a game is created once although the first answer is lost", house, async ({ open }) => {
  const tab = await openPage(open);
  await tab.evaluate(() => plyd.player({ name: "Ada" }));
  once(({ method, url }) => method === "POST" && url.startsWith("/v1/games"), "cut");
  const { id } = await newGame(tab);
  const mine = await tab.evaluate(async () => (await plyd.myGames()).items.map(({ id }) => id));
  assert.deepEqual(mine, [id]);
}, { expected: NETWORK });

browsers("a player takes over the games that are played by keys alone, and asks for each once", house, async ({ open }) => {
  const tab = await openPage(open);
  const { id } = await newGame(tab), other = await newGame(tab);
  const eve = await house.call("POST", "/v1/players", { name: "Eve" });
  await house.call("PUT", `/v1/me/games/${other.id}`, { token: other.token }, eve.token); // a seat that is somebody's
  const asked = () => house.front.requests.filter(({ method, url }) => method === "PUT" && url.startsWith("/v1/me/games/")).length;
  const before = asked();
  await tab.evaluate(() => plyd.takeOver());
  assert.equal(asked(), before, "nobody plays here yet");
  await tab.evaluate(() => plyd.player({ name: "Ada" }));
  once(({ method, url }) => method === "PUT" && url.startsWith("/v1/me/games/"), "cut");
  await tab.evaluate(() => plyd.takeOver());
  const mine = await tab.evaluate(async () => (await plyd.myGames()).items.map(({ id }) => id));
  assert.deepEqual(mine, [id]);
  const after = asked();
  await tab.evaluate(() => plyd.takeOver());
  assert.equal(asked(), after);
}, { expected: NETWORK });

browsers("a request gives up at its deadline and says what was missing", house, async ({ open }) => {
  const tab = await openPage(open);
  house.front.fault = (request) => isApi(request) ? "refuse" : null;
  const error = await tab.evaluate(() => plyd.request("GET", "/v1/variants", { deadline: 1200 })
    .then(() => null, ({ name, status, code, detail }) => ({ name, status, code, detail })));
  assert.deepEqual(error, { name: "PlydError", status: 0, code: "no-answer", detail: "The server does not answer." });
}, { expected: NETWORK });

browsers("a request that is aborted rejects with the reason of its signal", house, async ({ open }) => {
  const tab = await openPage(open);
  house.front.fault = (request) => isApi(request) ? 503 : null;
  const reason = await tab.evaluate(() => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 100);
    return plyd.request("GET", "/v1/variants", { signal: stop.signal }).catch((error) => error.message);
  });
  assert.equal(reason, "enough");
}, { expected: NETWORK });

browsers("what may have been done is repeated under one key, and nothing else is", house, async ({ open }) => {
  const tab = await openPage(open);
  const seen = await tab.evaluate(async () => Promise.all([400, 401, 404, 408, 409, 422, 425, 429, 500, 501, 502, 503, 504, 505, 507]
    .map(async (status) => {
      const keys = [];
      const fetch = async (url, { headers }) => {
        keys.push(headers["Idempotency-Key"]);
        return keys.length === 1 ? new Response("no", { status }) : Response.json({});
      };
      await new Plyd({ server: "http://x", fetch, deadline: Infinity }).request("POST", "/").catch(() => {});
      return `${status} ${keys.length} ${new Set(keys).size}`;
    })));
  assert.deepEqual(seen, ["400 1 1", "401 1 1", "404 1 1", "408 2 1", "409 1 1", "422 1 1", "425 2 1", "429 2 1", "500 2 1",
                          "501 1 1", "502 2 1", "503 2 1", "504 2 1", "505 1 1", "507 2 1"]);
});

browsers("a server that says when to ask again is asked no sooner", house, async ({ open }) => {
  const tab = await openPage(open);
  const waited = await tab.evaluate(async () => {
    const times = [];
    const fetch = async () => {
      times.push(performance.now());
      return times.length > 1 ? Response.json({}) : new Response("no", { status: 503, headers: { "Retry-After": "1" } });
    };
    await new Plyd({ server: "http://x", fetch, deadline: Infinity }).request("GET", "/");
    return times[1] - times[0];
  });
  assert.ok(waited >= 990, `${waited} ms`);
});

browsers("what the catalogue could not tell is asked for again", house, async ({ open }) => {
  const tab = await openPage(open);
  house.front.fault = (request) => isApi(request) ? 501 : null;
  assert.equal(await tab.evaluate(() => plyd.variants().catch(({ status }) => status)), 501);
  house.front.fault = () => null;
  assert.ok((await tab.evaluate(() => plyd.variants())).length > 0);
}, { expected: NETWORK });

browsers("a state that comes late does not take the place of a newer one", house, async ({ open }) => {
  const tab = await openPage(open);
  await newGame(tab);
  const plies = await tab.evaluate(async () => {
    const old = await game.request("GET", "", { include: game.include });
    await game.move({ move: "b2" });
    game.take(old, game.include);
    return [old.ply, game.state.ply];
  });
  assert.deepEqual(plies, [0, 1]);
});

browsers("a refusal is told with its rule and squares, and asked for before", house, async ({ open }) => {
  const tab = await openPage(open);
  await newGame(tab, { variant: "shogi" });
  const seen = await tab.evaluate(async () => {
    const why = await game.ask({ clicks: ["7g", "7d"] });
    const refused = await game.move({ clicks: ["7g", "7d"] }).catch((error) => error);
    return { why: why.code, refused: refused.code, squares: refused.squares.length, ply: refused.game.ply,
             free: await game.ask({ move: "7g7f" }), typed: refused instanceof PlydError, now: game.state.ply };
  });
  assert.deepEqual(seen, { why: "wrong-shape", refused: "wrong-shape", squares: 2, ply: 0, free: null, typed: true, now: 0 });
}, { expected: NETWORK });

/** Holds the first request that fits until the function that it returns is called. Others have the fault that is given, if it is. */
function holdOne(fits, others = () => null) {
  let release, held = null;
  const freed = new Promise((done) => { release = done; });
  house.front.fault = (request) => held === null && fits(request) ? (held = freed) : others(request);
  return { release, isHeld: () => held !== null };
}

const stateOf = ({ id }) => ({ method, url }) => method === "GET" && url.startsWith(`/v1/games/${id}?`);
const listOf = ({ id }) => ({ method, url }) => method === "GET" && url.startsWith(`/v1/games/${id}/moves?`);

/** Begins to note the moves with which states come. */
const noteMoves = (tab) => tab.evaluate(() => {
  window.told = [];
  game.addEventListener("state", ({ detail }) => told.push(...detail.moves.map(({ move }) => move)));
});
const tells = (tab, moves) => until(() => tab.evaluate((wanted) => game.state.ply === wanted.length && `${told}` === `${wanted}`, moves),
                                    `states come with ${moves}`);

browsers("a move is told once and the next one with its state, though the answer to the first comes while it is looked up", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  await watch(tab, game);
  await noteMoves(tab);
  let cuts = 0;
  const state = holdOne(stateOf(game), (request) => isMove(request) && cuts++ === 0 ? "cut" : null);
  await tab.evaluate(() => { window.answer = game.move({ move: "b2" }); });
  await until(state.isHeld, "the state is asked for");
  await tab.evaluate(() => answer);
  await moveElsewhere(game, "a1");
  state.release();
  await tells(tab, ["b2", "a1"]);
}, { expected: NETWORK });

browsers("moves that come while an older state is looked up are told, too", house, async ({ open }) => {
  for (const fits of [stateOf, listOf]) {
    const tab = await openPage(open);
    const game = await newGame(tab);
    await watch(tab, game);
    await noteMoves(tab);
    const request = holdOne(fits(game));
    await moveElsewhere(game, "b2");
    await until(request.isHeld, "it is asked for");
    await moveElsewhere(game, "a1");
    request.release();
    await tells(tab, ["b2", "a1"]);
  }
});

// -- the outbox --

browsers("a move that is made offline is kept over a reload and played once when the network is back", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  await tab.setOfflineMode(true);
  const pending = await tab.evaluate(() => {
    game.move({ clicks: ["b2"] });
    return game.pending.map(({ ply, clicks }) => ({ ply, clicks }));
  });
  assert.deepEqual(pending, [{ ply: 1, clicks: ["b2"] }]);
  house.front.fault = (request) => isApi(request) ? "refuse" : null;
  await tab.setOfflineMode(false);
  await tab.reload();
  await until(() => tab.evaluate((id) => window.plyd?.game(id).pending.length === 1, game.id), "it is pending after the reload");
  assert.deepEqual(await movesOf(game), []);
  house.front.fault = () => null;
  await until(() => tab.evaluate((id) => plyd.game(id).pending.length === 0, game.id), "it was answered");
  assert.deepEqual(await movesOf(game), ["b2"]);
}, { expected: NETWORK });

browsers("moves are sent at once when the browser is online again", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  await tab.setOfflineMode(true);
  await tab.evaluate(() => { for (const move of ["b2", "a1", "c3"]) game.move({ move }); });
  await until(() => tab.evaluate(() => game.pending.length === 3));
  await tab.setOfflineMode(false);
  await until(async () => (await movesOf(game)).length === 3);
  assert.deepEqual(await movesOf(game), ["b2", "a1", "c3"], "in the order in which they were made");
}, { expected: NETWORK });

browsers("what waits behind a refused move is not played, and both are told", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  house.front.fault = (request) => isApi(request) ? "refuse" : null;
  await tab.evaluate(() => {
    window.answers = Promise.allSettled(["b2", "a1"].map((move) => game.move({ move })));
    follow(game);
  });
  await until(() => tab.evaluate(() => game.pending.length === 2));
  await moveElsewhere(game, "c3");
  house.front.fault = () => null;
  const codes = await tab.evaluate(async () => (await answers).map(({ reason }) => reason.code));
  assert.deepEqual(codes, ["ply-taken", "ply-taken"]);
  const seen = await until(() => tab.evaluate(() => game.state.ply === 1 && { refused: heard.refused, pending: game.pending }));
  assert.deepEqual(seen, { refused: ["ply-taken"], pending: [] });
  assert.deepEqual(await movesOf(game), ["c3"]);
}, { expected: NETWORK });

browsers("moves that wait behind one that opens a new line are played on that line", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  await tab.evaluate(async () => {
    for (const move of ["b2", "a1"]) await game.move({ move });
    for (let i = 0; i < 2; i++) await game.act("undo");
    await Promise.all(["a2", "b3", "c1"].map((move) => game.move({ move })));
  });
  assert.deepEqual(await movesOf(game), ["b2", "a1", "a2", "b3", "c1"]);
}, { expected: NETWORK });

browsers("a move is not played on a line that the player has not seen", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  await tab.evaluate(async () => { for (const move of ["b2", "a1"]) await game.move({ move }); });
  house.front.fault = (request) => isApi(request) ? "refuse" : null;
  await tab.evaluate(() => { window.answer = game.move({ move: "c3" }).catch(({ code }) => code); });
  await house.call("POST", `/v1/games/${game.id}/undo`, { to_ply: 0 }, game.token);
  for (const move of ["a2", "b3"]) await moveElsewhere(game, move);
  house.front.fault = () => null;
  assert.equal(await tab.evaluate(() => answer), "stale-ply");
}, { expected: NETWORK });

browsers("a tab sends what another tab could not, and both see it", house, async ({ open }) => {
  const first = await openPage(open);
  const game = await newGame(first);
  const second = await openPage(open);
  await second.evaluate((id) => { window.game = plyd.game(id); follow(game); }, game.id);
  await first.setOfflineMode(true);
  await first.evaluate(() => { game.move({ move: "b2" }); });
  await until(() => second.evaluate(() => game.pending.length === 1), "the other tab knows of it");
  await first.close();
  await second.evaluate(() => dispatchEvent(new Event("online")));
  await until(() => second.evaluate(() => game.pending.length === 0));
  assert.deepEqual(await movesOf(game), ["b2"]);
}, { expected: NETWORK });

browsers("a game is played where nothing can be stored", house, async ({ open }) => {
  const tab = await openPage(open);
  await tab.evaluate(() => {
    const full = { length: 0, key: () => null, getItem: () => null, removeItem() {}, setItem() { throw new Error("full"); } };
    window.plyd = new Plyd({ storage: full });
  });
  const game = await newGame(tab);
  await tab.evaluate(() => game.move({ move: "b2" }));
  assert.deepEqual(await movesOf(game), ["b2"]);
});

browsers("a reload knows the token of a game", house, async ({ open }) => {
  const tab = await openPage(open);
  const { id } = await newGame(tab);
  await tab.reload();
  await until(() => tab.evaluate(() => "plyd" in window));
  const seen = await tab.evaluate(async (id) => {
    const game = plyd.game(id);
    await game.load();
    return { seats: game.you.seats, listed: plyd.keys.list().map(({ id, variant }) => [id, variant]) };
  }, id);
  assert.deepEqual(seen, { seats: [1, 2], listed: [[id, "tictactoe"]] });
});

browsers("two tabs of a browser play the two seats of a game, also after a reload", house, async ({ open }) => {
  const [ada, mia] = [await openPage(open), await openPage(open)];
  const { id } = await newGame(ada, { variant: "tictactoe", seats: [{ me: true }, { open: true }] });
  await mia.evaluate(async (id) => { // the device knows a token of this game, but this tab is somebody else's
    await plyd.request("POST", `/v1/games/${id}/join`, { token: null }).then(({ token }) => plyd.keys.remember(id, token));
  }, id);
  for (const tab of [ada, mia]) {
    await tab.reload();
    await until(() => tab.evaluate(() => "plyd" in window));
  }
  const seats = (tab) => tab.evaluate(async (id) => (await plyd.game(id).load()).you.seats, id);
  assert.deepEqual([await seats(ada), await seats(mia)], [[1], [2]]);
});

browsers("who hears of a rematch has their seat in it, and a token that this device does not keep stays unkept", house,
  async ({ open }) => {
    const mia = await openPage(open);
    const game = await house.call("POST", "/v1/games", { variant: "tictactoe", seats: [{ me: true }, { open: true }] });
    await mia.evaluate(async (id) => {
      await (window.game = plyd.game(id)).join({ name: "Mia" });
      follow(game);
    }, game.id);
    await house.call("POST", `/v1/games/${game.id}/resign`, {}, game.token);
    const { id } = await house.call("POST", `/v1/games/${game.id}/rematch`, {}, game.token);
    await until(() => mia.evaluate(() => game.state.next !== undefined), "the rematch is told");
    await mia.reload();
    await until(() => mia.evaluate(() => "plyd" in window));
    assert.deepEqual(await mia.evaluate(async (id) => (await plyd.game(id).load()).you.seats, id), [1]);
    const given = await openPage(open, { person: 2 });
    await given.evaluate(({ id, token }) => plyd.game(id, { token }).load(), game);
    assert.deepEqual(await given.evaluate(() => plyd.keys.list()), []);
  });

browsers("the key of a player's seat plays a rematch that was accepted on another device", house, async ({ open }) => {
  const tab = await openPage(open), ada = await house.call("POST", "/v1/players", { name: "Ada" });
  const game = await house.call("POST", "/v1/games", { variant: "tictactoe", seats: [{ me: true }, { open: true }] }, ada.token);
  const mia = await tab.evaluate(async (id) => {
    const { token } = await plyd.player({ name: "Mia" });
    await (window.game = plyd.game(id)).join({});
    follow(game);
    return token;
  }, game.id);
  await house.call("POST", `/v1/games/${game.id}/resign`, {}, ada.token);
  const { id, status } = await house.call("POST", `/v1/games/${game.id}/rematch`, {}, ada.token);
  assert.equal(status, "open");
  await house.call("POST", `/v1/games/${id}/join`, {}, mia);
  await until(() => tab.evaluate(() => game.state.next !== undefined), "the rematch is told");
  const seats = await tab.evaluate(async (next) => {
    const { token } = plyd.keys.list().find(({ id }) => id === next);
    return (await plyd.request("GET", `/v1/games/${next}`, { token })).you.seats;
  }, id);
  assert.deepEqual(seats, [1]);
});

browsers("who asks another player for a rematch gets a game that waits for them", house, async ({ open }) => {
  const tab = await openPage(open), ada = await house.call("POST", "/v1/players", { name: "Ada" });
  const game = await house.call("POST", "/v1/games", { variant: "tictactoe", seats: [{ me: true }, { open: true }] }, ada.token);
  const next = await tab.evaluate(async (id) => {
    await plyd.player({ name: "Mia" });
    const game = plyd.game(id);
    await game.join({});
    await game.act("resign");
    return (await game.act("rematch")).state;
  }, game.id);
  assert.deepEqual([next.status, next.you.seats], ["open", [1]]);
});

browsers("the key of a seat in a rematch is kept, also where another one of the old game is known", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await house.call("POST", "/v1/games", { variant: "tictactoe", seats: [{ me: true }, { open: true }] });
  const { token } = await house.call("POST", `/v1/games/${game.id}/join`, {});
  await house.call("POST", `/v1/games/${game.id}/resign`, {}, game.token);
  const { id } = await house.call("POST", `/v1/games/${game.id}/rematch`, {}, game.token);
  const kept = await tab.evaluate(async ({ id: old, token }, next, other) => {
    plyd.keys.remember(next, other);
    plyd.keys.remember(old, token);
    await plyd.game(old).load();
    return plyd.keys.list().find(({ id }) => id === next).token;
  }, game, id, token);
  assert.equal(kept, token);
});

browsers("nothing overtakes a move: what comes later waits for it, and gives up at its deadline", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  house.front.fault = (request) => isMove(request) ? "refuse" : null;
  const code = await tab.evaluate(() => {
    game.move({ move: "b2" });
    return game.act("resign", {}, { deadline: 500 }).catch(({ code }) => code);
  });
  assert.equal(code, "no-answer");
  const resigned = tab.evaluate(() => game.act("resign", { seat: 2 }).then(({ status }) => status));
  house.front.fault = () => null;
  assert.equal(await resigned, "finished");
  assert.deepEqual((await logOf(game)).map(({ type }) => type), ["created", "move", "resigned"]);
}, { expected: NETWORK });

browsers("another token of a seat is the one that is used and kept", house, async ({ open }) => {
  const tab = await openPage(open);
  const old = await newGame(tab);
  const seen = await tab.evaluate(async () => {
    const { token } = await game.request("POST", "/token");
    await game.move({ move: "b2" });
    return { used: game.token === token, kept: plyd.keys.list()[0].token === token, same: plyd.game(game.id) === game };
  });
  assert.deepEqual(seen, { used: true, kept: true, same: true });
  assert.equal((await house.call("POST", `/v1/games/${old.id}/resign`, {}, old.token)).status, 401);
});

browsers("what is broken in the storage does no harm", house, async ({ open }) => {
  const tab = await openPage(open);
  await tab.evaluate(() => {
    for (const name of ["game:x", "out:x:y:z", "me"]) localStorage.setItem(`plyd:${location.origin}:${name}`, "{");
  });
  await tab.reload();
  await until(() => tab.evaluate(() => "plyd" in window));
  assert.deepEqual(await tab.evaluate(() => [plyd.keys.list(), plyd.token]), [[], null]);
});

// -- news --

browsers("a state gets what somebody else on the page includes later", house, async ({ open }) => {
  const tab = await openPage(open);
  const { id } = await newGame(tab);
  const seen = await tab.evaluate(async (id) => {
    const other = new Plyd(), plain = other.game(id);
    const before = Object.keys(await plain.until(({ ply }) => ply === 0));
    const stop = plain.watch(), same = other.game(id, { include: "board" });
    const told = new Promise((done) => plain.addEventListener("state", done, { once: true }));
    same.watch();
    await told;
    await plain.move({ move: "b2" });
    return { before: before.includes("board"), same: same === plain, after: plain.state.board.marks.last, ply: plain.state.ply };
  }, id);
  assert.deepEqual(seen, { before: false, same: true, after: ["b2"], ply: 1 });
});

browsers("the other player's moves come with their effects", house, async ({ open }) => {
  const [ada, mia] = [await openPage(open), await openPage(open, { person: 2 })];
  const game = await newGame(ada, { variant: "tictactoe", seats: [{ me: true }, { open: true }] });
  await watch(ada, game);
  await mia.evaluate(async (id) => {
    window.game = plyd.game(id);
    await game.load();
    follow(game);
    await game.join({ name: "Mia" });
  }, game.id);
  await ada.evaluate(() => {
    window.drawn = [];
    game.addEventListener("state", ({ detail: { state, event, moves } }) =>
      drawn.push([state.ply, event?.type ?? null, moves.map(({ effects }) => effects[0].square)]));
  });
  await until(() => ada.evaluate(() => game.state.status === "active"));
  await ada.evaluate(() => game.move({ move: "b2" }));
  await until(() => mia.evaluate(() => game.state.ply === 1));
  await mia.evaluate(() => game.move({ clicks: ["a1"] }));
  await until(() => ada.evaluate(() => game.state.ply === 2));
  assert.deepEqual(await ada.evaluate(() => drawn.slice(-2)), [[1, null, ["b2"]], [2, "move", ["a1"]]]);
  assert.deepEqual(await mia.evaluate(() => game.you.seats), [2]);
});

browsers("a stream goes on after kill -9 of the daemon, and every event comes once and in order", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  await watch(tab, game);
  await moveElsewhere(game, "b2");
  await until(() => tab.evaluate(() => game.state.ply === 1));
  await house.daemon.kill();
  await until(() => tab.evaluate(() => game.connection === "offline"));
  await tab.evaluate(() => { window.answer = game.move({ move: "a1" }); });
  await house.daemon.start();
  await tab.evaluate(() => answer);
  await moveElsewhere(game, "c3");
  await until(() => tab.evaluate(() => heard.event.length === 3));
  assert.deepEqual(await tab.evaluate(() => heard.event), [2, 3, 4]);
  await until(() => tab.evaluate(() => game.connection === "live"));
}, { expected: NETWORK });

browsers("a stream that is cut goes on where it was", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  await watch(tab, game);
  house.front.fault = (request) => isApi(request) ? "refuse" : null;
  house.front.cut();
  await moveElsewhere(game, "b2");
  await moveElsewhere(game, "a1");
  house.front.fault = () => null;
  await until(() => tab.evaluate(() => heard.event.length === 2));
  assert.deepEqual(await tab.evaluate(() => heard.event), [2, 3]);
  await until(() => tab.evaluate(() => game.state.ply === 2));
}, { expected: NETWORK });

browsers("a stream that is silent for 40 seconds is no connection, without waiting for another attempt", house, async ({ open }) => {
  const tab = await openTimed(open, { 40_000: 200 });
  const game = await newGame(tab), never = new Promise(() => {});
  let streamed = false;
  house.front.fault = ({ headers }) => {
    if (headers.accept !== "application/x-ndjson") return null;
    const fault = streamed ? never : "mute";
    streamed = true;
    return fault;
  };
  await tab.evaluate(() => { follow(game); });
  await until(() => tab.evaluate(() => heard.connection.length === 2));
  assert.deepEqual(await tab.evaluate(() => heard.connection), ["live", "offline"]);
});

browsers("a move without an answer is no connection, and its answer is one", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  await watch(tab, game);
  once(isMove, "refuse");
  await tab.evaluate(() => game.move({ move: "b2" }));
  assert.deepEqual(await tab.evaluate(() => heard.connection), ["live", "offline", "live"]);
}, { expected: NETWORK });

browsers("too many moves are answered: that is no lost connection", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  await watch(tab, game);
  once(isMove, 429);
  await tab.evaluate(() => game.move({ move: "b2" }));
  assert.deepEqual(await tab.evaluate(() => heard.connection), ["live"]);
}, { expected: NETWORK });

browsers("where a proxy holds streams back, news come by polls, as soon as by a stream", house, async ({ open }) => {
  const tab = await openTimed(open, { 8000: 200 });
  const game = await newGame(tab);
  house.front.fault = ({ headers }) => headers.accept === "application/x-ndjson" ? "hold" : null;
  await tab.evaluate(() => follow(game));
  await until(() => tab.evaluate(() => game.connection === "polling"));
  await until(() => isPolled(game));
  await moveElsewhere(game, "b2");
  await until(() => tab.evaluate(() => game.state.ply === 1), "the poll alone tells of it: no wait of this page ends");
  assert.deepEqual(await tab.evaluate(() => heard.event), [2]);
});

browsers("where every stream is cut at once, a few attempts are made and then news come by polls", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  house.front.fault = ({ headers }) => headers.accept === "application/x-ndjson" ? "refuse" : null;
  await tab.evaluate(({ id, token }) => {
    window.attempts = 0;
    const counting = new Plyd({ fetch: (url, request) => {
      if (request.headers.Accept === "application/x-ndjson") attempts++;
      return fetch(url, request);
    } });
    follow(window.game = counting.game(id, { token }));
  }, game);
  await until(() => tab.evaluate(() => game.connection === "polling"));
  await moveElsewhere(game, "b2");
  await until(() => tab.evaluate(() => game.state.ply === 1));
  assert.equal(await tab.evaluate(() => attempts), 5); // after pauses that double up to their bound
}, { expected: NETWORK });

browsers("a poll holds up no other tab", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  house.front.fault = ({ headers }) => headers.accept === "application/x-ndjson" ? 503 : null;
  await tab.evaluate(() => follow(game));
  await until(() => isPolled(game));
  const first = await tab.evaluate(async ({ id }) => {
    const look = (limit) => plyd.request("GET", `/v1/games/${id}/events?after=1&limit=${limit}`);
    const others = async () => { for (let limit = 1; limit <= 20; limit++) await look(limit); };
    const address = look(200).then(() => "the address of the poll itself");
    return Promise.race([address, others().then(() => "twenty others, one after the other")]);
  }, game);
  assert.equal(first, "the address of the poll itself");
}, { expected: NETWORK });

browsers("a game that may not be seen is closed", house, async ({ open }) => {
  const tab = await openPage(open);
  const { id } = await house.call("POST", "/v1/games", { variant: "tictactoe", visibility: "private" });
  await tab.evaluate((id) => follow(window.game = plyd.game(id)), id);
  await until(() => house.front.requests.some(({ url, open }) => !open && url.includes(id)));
  assert.equal(await tab.evaluate(() => game.connection), "closed");
  assert.equal(await tab.evaluate(() => game.load().catch(({ code }) => code)), "no-such-game");
}, { expected: NETWORK });

browsers("the last one who stops ends the connection", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  await tab.evaluate(() => { window.stops = [follow(game), game.watch(), plyd.game(game.id).watch()]; });
  await until(() => tab.evaluate(() => game.connection === "live"));
  assert.equal(streams(game.id), 1);
  await tab.evaluate(() => { stops[0](); stops[0](); stops[1](); });
  assert.equal(await tab.evaluate(() => game.connection), "live");
  await tab.evaluate(() => stops[2]());
  await until(() => streams(game.id) === 0);
  assert.equal(await tab.evaluate(() => game.connection), "closed");
});

// -- tabs --

for (const host of ["127.0.0.1", PLAIN_HOST]) {
  browsers(`seven pages of a game share one connection, and another takes it over, at http://${host}`, house, async ({ open }) => {
    const tab = await openPage(open, { host });
    const game = await newGame(tab);
    const frames = await openFrames(tab, host);
    for (const frame of frames) await watch(frame, game);
    assert.equal(streams(game.id), 1);
    await moveElsewhere(game, "b2");
    for (const frame of frames) await until(() => frame.evaluate(() => game.state.ply === 1), "all of them hear of a move");
    assert.equal(streams(game.id), 1);
    await tab.evaluate(() => document.querySelector("iframe").remove());
    await moveElsewhere(game, "a1");
    for (const frame of frames.slice(1)) {
      await until(() => frame.evaluate(() => game.state.ply === 2), "nothing is missed when the first one is gone");
      assert.deepEqual(await frame.evaluate(() => heard.event), [2, 3]);
    }
    await until(() => streams(game.id) === 1);
  }, { expected: NETWORK });
}

// The first page tells of event 2 before the second one listens. What that one asks for itself is held back
// until it has heard of event 3 from the first page.
browsers("news of another page across a gap are told behind what is missing", house, async ({ open }) => {
  const tab = await openPage(open);
  const game = await newGame(tab);
  const [first, second] = await openFrames(tab);
  await watch(first, game);
  await second.evaluate(async ({ id, token }) => {
    const late = new Promise((done) => { window.release = done; });
    let looks = 0;
    const slow = new Plyd({ fetch: async (url, request) => {
      const answer = await fetch(url, request);
      if (url.includes("/events?") && looks++ === 0) await late;
      return answer;
    } });
    window.game = slow.game(id, { token });
    await game.load();
  }, game);
  await moveElsewhere(game, "b2");
  await until(() => first.evaluate(() => game.state.ply === 1));
  await second.evaluate(() => { follow(game); });
  await moveElsewhere(game, "a1");
  await until(() => second.evaluate(() => heard.event.includes(3)), "the second page hears it from the first");
  assert.deepEqual(await second.evaluate(() => heard.event), [2, 3]);
  await second.evaluate(() => release());
  await moveElsewhere(game, "c3");
  await until(() => second.evaluate(() => heard.event.includes(4)));
  assert.deepEqual(await second.evaluate(() => heard.event), [2, 3, 4]);
});

browsers("seven games on seven pages leave connections for other requests", house, async ({ open }) => {
  const tab = await openPage(open);
  const games = [];
  for (let i = 0; i < 7; i++) games.push(await newGame(tab));
  const frames = await openFrames(tab);
  for (const [i, frame] of frames.entries())
    await frame.evaluate((id) => { window.game = plyd.game(id); follow(game); }, games[i].id);
  for (const frame of frames) await until(() => frame.evaluate(() => ["live", "polling"].includes(game.connection)));
  await Promise.all(frames.map((frame) => frame.evaluate(() => game.move({ move: "b2" }))));
  for (const game of games) await moveElsewhere(game, "a1");
  for (const frame of frames) await until(() => frame.evaluate(() => game.state.ply === 2));
});

browsers("a hidden tab keeps no connection, and is up to date at once when it is seen", house, async ({ open, hide, show }) => {
  const tab = await openTimed(open); // so it does not look now and then while it is hidden
  const game = await newGame(tab);
  await watch(tab, game);
  assert.equal(streams(game.id), 1);
  await hide(tab);
  await until(() => streams(game.id) === 0, "the connection is given back");
  assert.equal(await tab.evaluate(() => game.connection), "polling");
  await moveElsewhere(game, "b2");
  assert.equal(await tab.evaluate(() => game.state.ply), 0);
  await show(tab);
  await until(() => tab.evaluate(() => game.state.ply === 1));
  await until(() => streams(game.id) === 1);
});

browsers("a tab that is seen takes over from one that is hidden", house, async ({ open }) => {
  const first = await openPage(open);
  const game = await newGame(first);
  await watch(first, game);
  const second = await openPage(open);
  await watch(second, game);
  await until(() => streams(game.id) === 1);
  await moveElsewhere(game, "b2");
  await until(() => second.evaluate(() => game.state.ply === 1));
  await until(() => first.evaluate(() => game.state.ply === 1), "the hidden one hears it from the other");
});
