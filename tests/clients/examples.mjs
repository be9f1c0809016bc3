/**
 * examples.mjs PLYD CLIENTS BROWSER [COMMAND...] - runs the programs of examples/clients/, or COMMAND in the place of the one in Python, as a new user would: beside a daemon that knows the application's JWTs,
 * and stand-ins of APNs and FCM. CLIENTS and BROWSER are the folders where npm has installed packages for tests. The environment has the server of `scripts/postgres.sh with`.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createHttp2 } from "node:http2";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { Ratings, rate } from "../../examples/clients/glicko2.mjs";
import { startRelay } from "../../examples/clients/relay.mjs";

const HANG_MS = 600_000; // no test measures by it
const [program, clients, browser] = process.argv.slice(2, 5).map((path) => resolve(path)), another = process.argv.slice(5), database = process.env.PLYD_TEST_DATABASE_URL;
const folder = mkdtempSync(join(tmpdir(), "plyd-examples-")), key = join(folder, "key.pem"), keys = join(folder, "jwks.json");
const node = (...words) => execFileSync(process.execPath, ["examples/tokens.mjs", ...words], { encoding: "utf8" });
const ISSUER = "https://app.example", AUDIENCE = "plyd";
const jwtOf = (user, name) => node("token", key, ISSUER, AUDIENCE, user, name).trim();

writeFileSync(key, node("key"));
writeFileSync(keys, node("jwks", key));
execFileSync(program, ["migrate", "--database", database], { stdio: "pipe" });

const daemon = spawn(program, ["serve", "--database", database, "--listen", "127.0.0.1:0", "--webhooks-private", "1",
                               "--jwt-issuer", ISSUER, "--jwt-audience", AUDIENCE, "--jwks", keys], { stdio: ["ignore", "ignore", "pipe"] });
const server = await new Promise((done, fail) => {
  let log = "";
  daemon.stderr.setEncoding("utf8").on("data", (part) => {
    const address = /"listening","address":"([^"]*)"/.exec(log += part);
    if (address) done(`http://${address[1]}`);
  });
  daemon.on("exit", () => fail(new Error(log)));
});

async function ask(jwt, method, path, body) {
  const answer = await fetch(server + path, {
    method, body: body && JSON.stringify(body),
    headers: { Authorization: `Bearer ${jwt}`, ...(body && { "Content-Type": "application/json" }) },
  });
  const data = answer.status === 204 ? null : await answer.json();
  assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(data)}`);
  return data;
}

/** A server in front of the daemon that swallows the first answer of each address that is written to. */
async function openForgetful() {
  const written = new Set();
  let swallowed = 0;
  const front = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { host, connection, ...headers } = request.headers;
    const body = parts.length > 0 ? Buffer.concat(parts) : undefined;
    const answer = await fetch(server + request.url, { method: request.method, headers, body });
    if (request.method !== "GET" && !written.has(request.url)) {
      written.add(request.url);
      swallowed++;
      await answer.arrayBuffer();
      return request.socket.destroy();
    }
    response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !/^(connection|transfer-encoding|content-length)$/.test(name))));
    for await (const part of answer.body ?? []) response.write(part);
    response.end();
  });
  await new Promise((done) => front.listen(0, "127.0.0.1", done));
  return { front, url: `http://127.0.0.1:${front.address().port}`, swallowed: () => swallowed };
}

// ---- the first hour, in Python, or in what another command begins ----

async function firstHour(command) {
  const { front, url, swallowed } = await openForgetful();
  const child = spawn(command[0], [...command.slice(1), url, process.execPath, "examples/tokens.mjs", "token", key, ISSUER, AUDIENCE]);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => { said += part; });
  const status = await new Promise((done) => child.on("exit", done));
  front.closeAllConnections?.();
  front.close();
  assert.equal(status, 0, said);
  assert.match(said, /^signed in: Ada and Bob$/m);
  assert.match(said, /^refused: not-your-turn$/m);
  const [, moves, told] = /^over after (\d+) moves: .* told: (\d+)$/m.exec(said);
  assert.equal(told, moves, said); // each move was told to the other side, once
  assert.ok(swallowed() > Number(moves), `${swallowed()} answers were lost`);
}

// ---- notices and ratings ----

const pem = (pair) => pair.privateKey.export({ type: "pkcs8", format: "pem" });

/** What a JWT of the relay says, whose signature fits. */
function claimsOf(jwt, { publicKey }) {
  const [header, claims, signature] = jwt.split(".");
  const how = publicKey.asymmetricKeyType === "ec" ? { key: publicKey, dsaEncoding: "ieee-p1363" } : publicKey;
  assert.ok(verify("sha256", Buffer.from(`${header}.${claims}`), how, Buffer.from(signature, "base64url")));
  return JSON.parse(Buffer.from(claims, "base64url"));
}

async function standInForApns(pair, told) {
  const apns = createHttp2();
  apns.on("stream", (stream, headers) => {
    let body = "";
    assert.equal(claimsOf(headers.authorization.slice("bearer ".length), pair).iss, "TEAM");
    stream.on("data", (part) => { body += part; }).on("end", () => {
      const gone = headers[":path"] === "/3/device/old-phone";
      told.push(["apns", headers[":path"], headers["apns-topic"], JSON.parse(body || "{}").aps?.alert.body]);
      stream.respond({ ":status": gone ? 410 : 200 });
      stream.end(gone ? '{"reason":"Unregistered"}' : "");
    });
  });
  await new Promise((done) => apns.listen(0, "127.0.0.1", done));
  return apns;
}

async function standInForGoogle(pair, told) {
  const google = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    if (request.url === "/token") {
      assert.equal(claimsOf(new URLSearchParams(body).get("assertion"), pair).iss, "relay@app.example");
      return response.end('{"access_token":"an access token","expires_in":3600}');
    }
    assert.equal(request.headers.authorization, "Bearer an access token");
    const { token, notification } = JSON.parse(body).message;
    told.push(["fcm", request.url, token, notification.body]);
    return response.end("{}");
  });
  await new Promise((done) => google.listen(0, "127.0.0.1", done));
  return google;
}

async function until(holds) {
  for (let pause = 5; !await holds(); pause = Math.min(2 * pause, 500)) await new Promise((done) => setTimeout(done, pause));
}

async function noticesAndRatings() {
  const told = [], ec = generateKeyPairSync("ec", { namedCurve: "P-256" }), rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const apns = await standInForApns(ec, told), google = await standInForGoogle(rsa, told);
  const ada = jwtOf("user-3", "Ada"), bob = jwtOf("user-4", "Bob");
  const [adaId, bobId] = [(await ask(ada, "GET", "/v1/me")).id, (await ask(bob, "GET", "/v1/me")).id];
  const users = {
    "user-3": { player: adaId, jwt: ada, devices: [{ kind: "apns", token: "old-phone" }, { kind: "apns", token: "adas-phone" }] },
    "user-4": { player: bobId, jwt: bob, devices: [{ kind: "fcm", token: "bobs-phone" }] },
  };
  const googleUrl = `http://127.0.0.1:${google.address().port}`;
  const relay = await startRelay({
    plyd: server, users,
    apns: { url: `http://127.0.0.1:${apns.address().port}`, team: "TEAM", keyId: "KEY", key: pem(ec), topic: "com.example.app" },
    fcm: { url: googleUrl, tokenUrl: `${googleUrl}/token`, project: "app", email: "relay@app.example", key: pem(rsa) },
  });
  const hooks = `http://127.0.0.1:${relay.address().port}/hooks`;
  for (const [user, { jwt }] of Object.entries(users))
    users[user].secret = (await ask(jwt, "POST", "/v1/webhooks", { url: `${hooks}/${user}`, events: ["move", "ended", "message"] })).secret;

  const { id } = await ask(ada, "POST", "/v1/games", { variant: "tictactoe", seats: [{ me: true }, { open: true }] });
  await ask(bob, "POST", `/v1/games/${id}/join`, {});
  const line = ["b2", "a1", "c1", "a3", "a2", "c3", "b3"]; // nobody wins before the resignation
  for (const [i, move] of line.entries()) {
    await ask(i % 2 === 0 ? ada : bob, "PUT", `/v1/games/${id}/moves/${i + 1}`, { move });
    if (i === 0) await until(() => told.some(([kind, , token, body]) => kind === "fcm" && token === "bobs-phone" && body === "It is your move."));
    if (i === 1) await until(() => told.some(([, path, topic, body]) => path === "/3/device/adas-phone" && topic === "com.example.app" && body === "It is your move."));
  }
  await until(() => users["user-3"].devices.length === 1); // the phone that Apple does not know any more is forgotten
  await ask(bob, "POST", `/v1/games/${id}/resign`, {});
  await until(() => told.some(([, path, , body]) => path === "/3/device/adas-phone" && body === "You have won."));

  const forged = await fetch(`${hooks}/user-3`, { method: "POST", body: "{}", headers: {
    "webhook-id": "msg_1", "webhook-timestamp": String(Math.floor(Date.now() / 1000)), "webhook-signature": "v1,AAAA" } });
  assert.equal(forged.status, 403);
  assert.equal((await fetch(`${hooks}/nobody`, { method: "POST", body: "{}" })).status, 410);

  const ratings = new Ratings();
  assert.equal(ratings.finished(await ask(ada, "GET", `/v1/games/${id}`)), true);
  assert.equal(ratings.finished(await ask(bob, "GET", `/v1/games/${id}`)), false); // it has counted
  await ratings.catchUp(adaId, (path) => ask(ada, "GET", path));
  ratings.endPeriod();
  assert.ok(ratings.of(adaId).rating > 1500 && ratings.of(bobId).rating < 1500);
  assert.ok(Math.abs(ratings.of(adaId).rating - 1500 - (1500 - ratings.of(bobId).rating)) < 1e-9);
  const missed = new Ratings(), asked = []; // one that has heard of nothing reads the list
  const read = (path) => (asked.push(path), ask(bob, "GET", path));
  await missed.catchUp(bobId, read);
  await missed.catchUp(bobId, read);
  missed.endPeriod();
  assert.deepEqual(missed.of(adaId), ratings.of(adaId));
  const since = asked.map((path) => Date.parse(new URL(path, server).searchParams.get("ended_after")));
  assert.deepEqual([since[0], Date.now() - since[1] < 3_600_000], [0, true]); // only what is new is read again
  for (const one of [relay, google, apns]) one.close();
  relay.closeAllConnections();
}

// ---- the application in React ----

/** Vite's development server, as a new user starts it, and two browsers that share nothing. */
async function react() {
  const vite = spawn(process.execPath, [join(clients, "node_modules/vite/bin/vite.js"), "--host", "127.0.0.1", "--port", "0"], {
    cwd: join(clients, "examples/clients/react"), env: { ...process.env, KEY: key, VITE_PLYD: server, NO_COLOR: "1" },
  });
  let said = "";
  for (const stream of [vite.stdout, vite.stderr]) stream.setEncoding("utf8").on("data", (part) => { said += part; });
  await until(() => /Local: +(\S+)/.test(said) || vite.exitCode !== null);
  assert.equal(vite.exitCode, null, said);
  const { launch } = createRequire(resolve(browser, "package.json"))("puppeteer-core");
  const chromium = await launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell", headless: "shell", args: ["--no-sandbox"],
    timeout: HANG_MS, protocolTimeout: HANG_MS,
  });
  try {
    await playTogether(chromium, /Local: +(\S+)/.exec(said)[1]);
  } finally {
    await chromium.close();
    vite.kill();
  }
}

/** A button by its text. */
const press = async (tab, text) => (await tab.waitForSelector(`button ::-p-text(${text})`)).click();

async function enter(chromium, name, address) {
  const tab = await (await chromium.createBrowserContext()).newPage();
  tab.setDefaultTimeout(HANG_MS);
  tab.on("pageerror", (error) => { throw error; });
  await tab.goto(address);
  await tab.waitForSelector("input[name=name]");
  await tab.type("input[name=name]", name);
  await press(tab, "Sign in");
  return tab;
}

/** Whether the board of a tab shows a game after so many moves. */
const shows = (tab, status, ply) => tab.waitForFunction((wanted, moves) => {
  const state = document.querySelector("plyd-board")?.state;
  return state?.status === wanted && state.ply === moves;
}, {}, status, ply);

async function playTogether(chromium, address) {
  const ada = await enter(chromium, "Ada", address);
  await press(ada, "New game of tictactoe");
  await press(ada, "Invite a friend");
  const bob = await enter(chromium, "Bob", await (await ada.waitForSelector("section a")).evaluate((link) => link.href));
  await Promise.all([shows(ada, "active", 0), shows(bob, "active", 0)]);
  for (const [i, square] of ["b2", "a1", "c3"].entries()) {
    await (await (i % 2 === 0 ? ada : bob).waitForSelector(`plyd-board >>> [data-square="${square}"]`)).click();
    await Promise.all([shows(ada, "active", i + 1), shows(bob, "active", i + 1)]);
  }
  await press(bob, "Resign");
  await shows(ada, "finished", 3);
}

/** The example of the paper. */
function paper() {
  const other = (rating, deviation) => ({ rating, deviation, volatility: 0.06 });
  const { rating, deviation, volatility } = rate(other(1500, 200), [
    { other: other(1400, 30), score: 1 }, { other: other(1550, 100), score: 0 }, { other: other(1700, 300), score: 0 }]);
  assert.deepEqual([rating.toFixed(2), deviation.toFixed(2), volatility.toFixed(5)], ["1464.05", "151.52", "0.06000"]);
}

try {
  if (another.length > 0) {
    await firstHour(another);
  } else {
    paper();
    await firstHour(["python3", "examples/clients/first_hour.py"]);
    await noticesAndRatings();
    await react();
  }
} finally {
  daemon.removeAllListeners("exit");
  daemon.kill();
  rmSync(folder, { recursive: true });
}
process.exit(0);
