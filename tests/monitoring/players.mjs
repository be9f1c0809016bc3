/**
 * players.mjs DAEMON... - people who play, follow, err, import and analyse at the daemons of these addresses, until
 * the program is killed. Each has an address of their own, which a proxy would add.
 *
 * Nobody hurries: some fifty requests a second in all, more while more people are there.
 */
import { createServer } from "node:http";

const daemons = process.argv.slice(2);
const PLAYERS = 10; // half of them come and go
const TIDE_S = 60; // how long it takes them
const begun = Date.now();

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const any = (list) => list[Math.floor(Math.random() * list.length)];

/** Somebody at an address of their own, with a token once they have one. What goes wrong is tried again by others. */
function person(address, token = undefined) {
  const ask = async (method, path, { body, type = "application/json", headers = {}, ...more } = {}) => {
    const sent = { "X-Forwarded-For": address, Accept: "application/json", ...headers };
    if (body !== undefined) sent["Content-Type"] = type;
    if (ask.token) sent.Authorization = `Bearer ${ask.token}`;
    const text = body !== undefined && type === "application/json" ? JSON.stringify(body) : body;
    return fetch(any(daemons) + path, { method, body: text, headers: sent, ...more });
  };
  ask.token = token;
  return ask;
}

const told = async (response) => {
  if (!response.ok) throw new Error(`${response.status} ${response.url}`);
  return response.json();
};

/** Does it again and again, at once or after a failure a little later. */
async function forever(work) {
  for (;;) await work().catch(() => pause(500));
}

const isThere = (i) => i % 2 === 0 || Math.sin((Date.now() - begun) * 2 * Math.PI / 1000 / TIDE_S) > 0.2 * (i % 5) - 0.4;

// ---- people who play -------------------------------------------------------------------------------

/** Follows a game, first as a stream and then by waiting for what comes next, until it is over. */
async function follow(ask, id, until) {
  ask("GET", `/v1/games/${id}/events`, { headers: { Accept: "text/event-stream" }, signal: until })
    .then(async (stream) => { for await (const part of stream.body) part.length; }).catch(() => {});
  let tag = "";
  while (!until.aborted) {
    const response = await ask("GET", `/v1/games/${id}`,
      { headers: { Prefer: "wait=10", "If-None-Match": tag }, signal: until });
    tag = response.headers.get("etag") ?? tag;
    await response.text();
  }
}

/** Plays at both seats, or against the engine, with a wrong move now and then, while a friend follows. */
async function playGame(ask, friend, games, create, moves) {
  const { id } = await told(await ask("POST", "/v1/games", { body: create }));
  const over = new AbortController(), path = `/v1/games/${id}`;
  follow(friend, id, over.signal).catch(() => {});
  let before = [];
  try {
    for (let ply = 0; ply < moves; ply++) {
      const { moves: legal } = await told(await ask("GET", `${path}/legal-moves`));
      if (!legal || legal.length === 0) break;
      await pause(100 + Math.random() * 500);
      const slip = Math.random() < 0.1, move = any(slip ? [...before, "a1a1", "?"] : legal);
      const answer = await ask("POST", `${path}/moves`,
        { body: move.move ?? move, type: "text/plain", headers: { Prefer: "wait=10" } });
      await answer.text();
      before = legal;
    }
    await told(await ask("GET", `${path}/replay`));
    games.push(id);
  } finally {
    over.abort();
  }
}

async function register(ask, name) {
  ask.token = (await told(await ask("POST", "/v1/players", { body: { name } }))).token;
}

async function playForever(i, hook, games) {
  const variant = ["shogi", "jungle", "stackchess", "turkish-draughts", "tictactoe"][i % 5];
  const ask = person(`203.0.113.${i + 1}`), friend = person(`203.0.113.${i + 101}`);
  await register(ask, `Player ${i + 1}`);
  await told(await ask("POST", "/v1/webhooks", { body: { url: hook } }));
  return forever(async () => {
    while (!isThere(i)) await pause(200);
    const engine = i % 3 === 0, seats = engine ? [{ me: true }, { engine: "plyd", level: 1 + i % 2 }] : undefined;
    await playGame(ask, friend, games, { variant, visibility: "public", ...(seats && { seats }) }, engine ? 12 : 30);
  });
}

// ---- people who want other things ------------------------------------------------------------------

/** Imports a file of games as a job, now and then. One of them breaks the rules. */
async function importForever() {
  const ask = person("192.0.2.1");
  const games = (n) => `${"startpos moves 7g7f 3c3d 2g2f 8c8d\n".repeat(n)}startpos moves 7g7e\n`;
  await register(ask, "Librarian");
  return forever(async () => {
    const file = { body: games(25), type: "text/plain" };
    await told(await ask("POST", "/v1/me/imports", file));
    await pause(20_000);
  });
}

/** Looks at games, and asks the engine. */
async function watchForever(games) {
  const ask = person("192.0.2.2");
  return forever(async () => {
    for (const path of ["/v1/games", "/v1/variants/shogi/board.svg", "/v1/variants", "/v1/games/nothing"])
      await (await ask("GET", path)).text();
    if (games.length > 0) {
      await (await ask("GET", `/v1/games/${any(games)}/export?format=json`)).text();
      const headers = { Accept: "application/x-ndjson" }, signal = AbortSignal.timeout(3_000);
      await (await ask("POST", "/v1/variants/jungle/analyse", { body: {}, headers, signal })).text();
    }
    await pause(500);
  });
}

/** A program that asks far more often than it may, at times. */
async function hurryForever() {
  const ask = person("198.51.100.9");
  return forever(async () => {
    await (await ask("GET", "/v1/variants/jungle")).text();
    await pause((Date.now() - begun) / 1000 % TIDE_S > TIDE_S / 2 ? 20 : 400);
  });
}

/** Takes what webhooks bring, but for a few. */
function receive() {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => setTimeout(() => response.writeHead(Math.random() < 0.03 ? 500 : 204).end(), 20));
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}/`)));
}

const hook = await receive(), games = [];
for (let i = 0; i < PLAYERS; i++) forever(() => playForever(i, hook, games));
forever(importForever);
forever(() => watchForever(games));
forever(hurryForever);
