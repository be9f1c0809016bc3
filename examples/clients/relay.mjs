// relay.mjs - tells phones of what happens in their users' games: a receiver of plyd's webhooks that speaks to APNs and FCM.
//
//   node relay.mjs settings.json
//
// For Node 18 and later, without any package. An application makes a webhook for each user when they sign in, with their JWT:
// POST /v1/webhooks {"url": "https://relay.example/hooks/USER", "events": ["move", "ended", "message"]}, and keeps its secret.
// settings.json: {"port": 8090, "plyd": "https://games.example",
//   "users": {"USER": {"player": "ID", "secret": "whsec_...", "jwt": "...", "devices": [{"kind": "apns", "token": "..."}, {"kind": "fcm", "token": "..."}]}},
//   "apns": {"url": "https://api.push.apple.com", "team": "...", "keyId": "...", "key": "PEM of the .p8", "topic": "com.example.app"},
//   "fcm": {"url": "https://fcm.googleapis.com", "tokenUrl": "https://oauth2.googleapis.com/token", "project": "...", "email": "...", "key": "PEM"}}
// What an application has in its database stands in that file here.
import { createHmac, createPrivateKey, sign, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:http2";
import { pathToFileURL } from "node:url";

const base64url = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = () => Math.floor(Date.now() / 1000);

/** A JWT by ES256 (APNs) or RS256 (Google). */
function makeJwt(header, claims, pem) {
  const text = `${base64url(header)}.${base64url(claims)}`;
  const key = header.alg === "ES256" ? { key: createPrivateKey(pem), dsaEncoding: "ieee-p1363" } : createPrivateKey(pem);
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}

/** Whether a webhook is plyd's, and of now (https://www.standardwebhooks.com). */
export function isGenuine(headers, body, secret) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures = "" } = headers;
  const right = Buffer.from("v1," + createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(`${id}.${time}.${body}`).digest("base64"));
  return Math.abs(now() - time) < 300 && signatures.split(" ").map((text) => Buffer.from(text))
    .some((text) => text.length === right.length && timingSafeEqual(text, right));
}

/** What makes something once in so many seconds. */
function kept(seconds, make) {
  let value, until = 0;
  return async () => {
    if (now() >= until) [value, until] = [await make(), now() + seconds];
    return value;
  };
}

// ---- the two services: "sent", "gone" (the device is to be forgotten), or an error: it is tried again ----

/** Apple's: one connection of HTTP/2, and a token of ours that is good for an hour. */
function openApns({ url, team, keyId, key, topic }) {
  const token = kept(40 * 60, () => makeJwt({ alg: "ES256", kid: keyId }, { iss: team, iat: now() }, key));
  let session = null;
  return async (device, notice) => {
    if (!session || session.closed || session.destroyed) {
      session = connect(url);
      session.on("error", () => {}); // the request below fails, too
    }
    const authorization = `bearer ${await token()}`;
    const [status, text] = await new Promise((done, fail) => {
      const request = session.request({
        ":method": "POST", ":path": `/3/device/${device}`, authorization, "apns-topic": topic, "apns-push-type": "alert",
        "apns-collapse-id": notice.game, "apns-expiration": String(now() + 86400),
      });
      let answer, body = "";
      request.setEncoding("utf8").setTimeout(10_000, () => request.close());
      request.on("response", (headers) => { answer = headers[":status"]; });
      request.on("data", (part) => { body += part; }).on("end", () => done([answer, body])).on("error", fail);
      request.end(JSON.stringify({
        aps: { alert: { title: notice.title, body: notice.body }, sound: "default", "thread-id": notice.game }, game: notice.game,
      }));
    });
    if (status === 200) return "sent";
    if (status === 410 || /BadDeviceToken|DeviceTokenNotForTopic/.test(text)) return "gone";
    throw new Error(`APNs: ${status} ${text}`);
  };
}

/** Google's: a token that is asked for with a signed claim, and is good for an hour. */
function openFcm({ url, tokenUrl, project, email, key }) {
  const token = kept(50 * 60, async () => {
    const claims = { iss: email, scope: "https://www.googleapis.com/auth/firebase.messaging", aud: tokenUrl, iat: now(), exp: now() + 3600 };
    const answer = await fetch(tokenUrl, { method: "POST", signal: AbortSignal.timeout(10_000), body: new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: makeJwt({ alg: "RS256", typ: "JWT" }, claims, key),
    }) });
    if (!answer.ok) throw new Error(`FCM: no token: ${answer.status}`);
    return (await answer.json()).access_token;
  });
  return async (device, notice) => {
    const answer = await fetch(`${url}/v1/projects/${project}/messages:send`, {
      method: "POST", signal: AbortSignal.timeout(10_000),
      headers: { Authorization: `Bearer ${await token()}`, "Content-Type": "application/json" },
      body: JSON.stringify({ message: {
        token: device, notification: { title: notice.title, body: notice.body }, data: { game: notice.game },
        android: { collapse_key: notice.game, ttl: "86400s" },
      } }),
    });
    if (answer.ok) return "sent";
    const text = await answer.text();
    if (answer.status === 404 || /UNREGISTERED/.test(text)) return "gone";
    throw new Error(`FCM: ${answer.status} ${text}`);
  };
}

// ---- from an event to a notice ----

/** What a user is told of an event, which does not say how the game stands; null: nothing. */
function noticeOf({ type, data }, game, player) {
  const mine = game.seats.filter((seat) => seat.player === player).map(({ seat }) => seat);
  const title = `Your game of ${game.variant}`;
  if (mine.includes(data.seat) && type !== "timeout") return null; // their own deed
  if (type === "message") return { title, body: data.data?.text ?? "A message", game: game.id };
  if (game.status === "finished") {
    const winner = game.outcome?.winner;
    return { title, body: winner ? mine.includes(winner) ? "You have won." : "You have lost." : "It is a draw.", game: game.id };
  }
  return game.status === "active" && mine.includes(game.to_move) ? { title, body: "It is your move.", game: game.id } : null;
}

export function startRelay({ port = 0, plyd, users, apns, fcm }) {
  const send = { apns: apns && openApns(apns), fcm: fcm && openFcm(fcm) };
  const seen = new Set(); // ids of what was told; an application keeps them for three days

  async function relay(user, id, message) {
    if (message.type === "test" || seen.has(id)) return;
    const answer = await fetch(`${plyd}/v1/games/${message.data.game}`, {
      headers: { Authorization: `Bearer ${user.jwt}` }, signal: AbortSignal.timeout(5_000),
    });
    if (!answer.ok) throw new Error(`plyd: ${answer.status}`);
    const notice = noticeOf(message, await answer.json(), user.player);
    const results = await Promise.allSettled(notice ? user.devices.map(({ kind, token }) => send[kind](token, notice)) : []);
    user.devices = user.devices.filter((_, i) => results[i]?.value !== "gone");
    for (const { reason } of results) if (reason) console.error(reason.message);
    // One that was told is not told again because another service was away.
    if (results.length > 0 && results.every(({ status }) => status === "rejected")) throw new Error("nobody was told");
    seen.add(id);
    if (seen.size > 100_000) seen.delete(seen.values().next().value);
  }

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) if ((body += part).length > 1 << 20) return response.writeHead(413).end();
    const user = users[/^\/hooks\/(\w[\w-]*)$/.exec(request.url)?.[1]];
    if (!user || !isGenuine(request.headers, body, user.secret)) return response.writeHead(user ? 403 : 410).end();
    try {
      await relay(user, request.headers["webhook-id"], JSON.parse(body));
      response.writeHead(204).end();
    } catch (error) {
      console.error(error.message);
      response.writeHead(503).end(); // plyd sends it again
    }
  });
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(server)));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const server = await startRelay(JSON.parse(readFileSync(process.argv[2], "utf8")));
  console.log(`receives at http://127.0.0.1:${server.address().port}/hooks/USER`);
}
