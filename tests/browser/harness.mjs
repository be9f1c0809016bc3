/**
 * harness.mjs - a daemon, a server in front of it, and browsers, for the tests of what pages load.
 *
 *     import { after, before } from "node:test";
 *     import { browsers, openHouse, until } from "./harness.mjs";
 *
 *     const house = await openHouse();
 *     house.page("/board.html", `<script type=module src=/board.js></script>...`);
 *     browsers("a board shows the game", house, async ({ open }) => {
 *       const tab = await open("/board.html");       // a page of puppeteer; fails the test on a console error
 *       await until(() => tab.evaluate(() => document.querySelector("plyd-board").state !== null));
 *     });
 *     after(() => house.close());
 *
 * `make check-browser` runs every test_*.mjs beside this file, each with a database of its own. The
 * packages are in build/browser. PLYD_TEST_BROWSERS=chromium,firefox names the browsers, which must be there.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, request as forward } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { test } from "node:test";

export const tools = resolve(process.env.PLYD_BROWSER_TOOLS ?? "build/browser");
export const require = createRequire(join(tools, "package.json"));
const puppeteer = require("puppeteer-core");
const program = resolve(process.env.PLYD_PROGRAM ?? "build/release/plyd");

/** Whether what takes long is wanted, too. */
export const long = process.env.PLYD_TEST_LONG === "1";

/** How late each file and each answer may come, at random, and how long a press may last: what slow machines do to a page. */
const lateMs = Number(process.env.PLYD_TEST_LATE_MS ?? 0), late = () => Math.random() * lateMs;

/** Only what hangs takes so long, on any machine; and a test that hangs at several places, or in a browser. */
export const HANG_MS = 240_000, TEST_MS = 4 * HANG_MS;

/** Asks again and again, ever less often, until the answer is true, and gives it back. */
export async function until(holds, what = holds.toString()) {
  const end = Date.now() + HANG_MS;
  for (let pause = 10; ; pause = Math.min(1.5 * pause, 100)) {
    const answer = await holds();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`it never came true: ${what}`);
    await new Promise((done) => setTimeout(done, pause));
  }
}

// ---- the daemon and what is in front of it --------------------------------------------------------

class Daemon {
  #child = null;
  #address = "127.0.0.1:0";

  constructor(database) { this.database = database; }

  /** Starts it, again at the same address. It waits long for PostgreSQL: a page logs each 503 that it gets. */
  async start() {
    const args = ["serve", "--database", this.database, "--listen", this.#address, "--db-deadline-ms", "60000", "--webhooks-private", "1"];
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    await new Promise((listening, failed) => {
      let log = "";
      child.stderr.on("data", (part) => {
        log += part;
        const found = /"listening","address":"([^"]+)"/.exec(log);
        if (found) listening(this.#address = found[1]);
      });
      child.on("exit", () => failed(new Error(log)));
    });
    await until(async () => (await fetch(`${this.url}/readyz`)).ok, "the daemon is ready");
  }

  get url() { return `http://${this.#address}`; }

  /** Ends it at once, as `kill -9` does, or with another signal. */
  async kill(signal = "SIGKILL") {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.on("exit", done));
    child.kill(signal);
    await ended;
  }
}

/**
 * Serves the pages of a test, and passes everything else to the daemon. `fault(request)` may return
 * "refuse" (the connection is cut before the daemon sees the request), "cut" (after it was done, before
 * it is answered), "half" (in the middle of the answer), "mute" (no byte follows the first ones), "hold" (as a proxy
 * that gathers the whole answer first), a status that is answered in the daemon's place, or a promise: the request waits
 * for it. With a `build` the daemon looks as if it had other files, whose hash that is.
 */
class Front {
  pages = new Map();
  requests = [];
  fault = () => null;
  build = null;
  #server = createServer((request, answer) => this.#serve(request, answer));

  constructor(daemon) { this.daemon = daemon; }

  async open() {
    await new Promise((done) => this.#server.listen(0, "127.0.0.1", done));
    this.port = this.#server.address().port;
    this.url = `http://127.0.0.1:${this.port}`;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Cuts every connection that is open. */
  cut() { this.#server.closeAllConnections(); }

  #serve(request, answer) {
    const text = this.pages.get(new URL(request.url, this.url).pathname);
    if (text !== undefined) {
      answer.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
      return answer.end(text);
    }
    const noted = { method: request.method, url: request.url, headers: request.headers, at: Date.now(), open: true };
    this.requests.push(noted);
    answer.on("close", () => { noted.open = false; });
    const fault = this.fault(noted);
    if (fault === "refuse") return request.socket.destroy();
    if (fault instanceof Promise) return fault.then(() => this.#pass(request, answer, null));
    if (typeof fault === "number") return answer.writeHead(fault, { "Access-Control-Allow-Origin": "*" }).end("no");
    if (lateMs === 0) return this.#pass(request, answer, fault);
    setTimeout(() => this.#pass(request, answer, fault), late());
  }

  #pass(request, answer, fault) {
    if (this.build) return this.#disguise(request, answer);
    const onward = forward(this.daemon.url + request.url, { method: request.method, headers: request.headers },
      (reply) => {
        if (fault === "cut") return reply.resume().on("end", () => answer.socket.destroy());
        if (fault === "hold") return gather(reply, answer);
        answer.writeHead(reply.statusCode, reply.headers);
        answer.flushHeaders();
        let parts = 0;
        reply.on("data", (part) => {
          if (fault === "mute" && parts++ > 0) return null;
          if (fault !== "half") return answer.write(part);
          answer.write(part.subarray(0, part.length / 2), () => answer.socket?.destroy());
        });
        reply.on("end", () => fault === "mute" || answer.end());
        reply.on("error", () => answer.socket?.destroy());
      });
    onward.on("error", () => request.socket.destroy());
    answer.on("close", () => onward.destroy());
    request.pipe(onward);
  }

  /** Passes a request for a page or a file on, as if the daemon had other files. */
  async #disguise({ method, url, headers: { "if-none-match": _, "accept-encoding": __, ...headers } }, answer) {
    const own = (await (await fetch(`${this.daemon.url}/sw.js`)).text()).split('"')[1];
    forward(this.daemon.url + url.replace(this.build, own), { method, headers }, async (reply) => {
      const { "content-length": _, ...kept } = reply.headers, parts = await reply.toArray();
      answer.writeHead(reply.statusCode, kept).end(Buffer.concat(parts).toString("latin1").replaceAll(own, this.build), "latin1");
    }).end();
  }
}

function gather(reply, answer) {
  const parts = [];
  reply.on("data", (part) => parts.push(part));
  reply.on("end", () => answer.writeHead(reply.statusCode, reply.headers).end(Buffer.concat(parts)));
}

function run(command, ...args) {
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("exit", (code) => code === 0 ? done() : failed(new Error(`${command} ${args.join(" ")}: ${code}`)));
  });
}

/** A database of this file's own, which it is named after: its connection string. */
async function makeDatabase() {
  const server = process.env.PLYD_TEST_DATABASE_URL, name = basename(process.argv[1], ".mjs");
  await run("psql", "-Xq", "-d", server, "-c", `create database ${name}`);
  const database = server.replace("/plyd?", `/${name}?`);
  await run(program, "migrate", "--database", database);
  return database;
}

/** A daemon on a database of its own (the server is that of `scripts/postgres.sh with`), and a server in front of it. */
export async function openHouse() {
  const daemon = new Daemon(await makeDatabase());
  await daemon.start();
  const front = new Front(daemon);
  await front.open();
  return {
    daemon, front,
    page: (path, html) => { front.pages.set(path, html); },
    /** One request to the daemon itself: its JSON. */
    async call(method, path, body, token) {
      const answer = await fetch(daemon.url + path, {
        method, body: body && JSON.stringify(body),
        headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
      });
      return answer.status === 204 ? null : answer.json();
    },
    async close() {
      await Promise.all(running.map(async (browser) => (await browser).close()));
      await daemon.kill();
      front.close();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

// ---- browsers -------------------------------------------------------------------------------------

/** Not localhost, so neither `crypto.randomUUID` nor locks are there: the front under the name of a machine. */
export const PLAIN_HOST = "plyd.test";

const kinds = {
  chromium: {
    path: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    headless: "shell",
    options: {
      browser: "chrome",
      args: ["--no-sandbox", "--disable-gpu", `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`],
    },
  },
  firefox: {
    path: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    options: {
      browser: "firefox", protocol: "webDriverBiDi",
      extraPrefsFirefox: { "network.dns.localDomains": PLAIN_HOST },
    },
  },
};
const wanted = (process.env.PLYD_TEST_BROWSERS ?? "chromium").split(",");
for (const kind of wanted) {
  const path = kinds[kind]?.path;
  if (!path) throw new Error(`PLYD_TEST_BROWSERS: there are ${Object.keys(kinds).join(" and ")}, not "${kind}"`);
  if (!existsSync(path)) throw new Error(`PLYD_TEST_BROWSERS asks for ${kind}, but there is no ${path}`);
}
const running = [], folders = [];
const started = {};

/** A browser of a kind, started once. Firefox shows one tab at a time, so there each person has one of their own. */
function browserOf(kind, person) {
  const name = kind === "firefox" ? kind + person : kind;
  started[name] ??= launch(kind);
  return started[name];
}

function launch(kind) {
  const folder = mkdtempSync(join(tmpdir(), `plyd-${kind}-`));
  folders.push(folder);
  const browser = puppeteer.launch({
    ...kinds[kind].options, executablePath: kinds[kind].path, headless: kinds[kind].headless ?? true, userDataDir: folder,
    timeout: HANG_MS, protocolTimeout: HANG_MS,
  });
  running.push(browser);
  return browser;
}

/** Chromium without windows shows every tab, so there a page is told that it is hidden. */
const tell = (tab, hidden) => tab.evaluate((hidden) => {
  if (hidden) Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  else delete document.visibilityState;
  document.dispatchEvent(new Event("visibilitychange"));
}, hidden);

/** Whether people see it, and can click it: what a page hides until it is whole keeps its place. */
export const isShown = (tab, selector) =>
  tab.$eval(selector, (node) => node.checkVisibility({ visibilityProperty: true })).catch(() => false);

/** Waits until the scripts of a page have run: `load` does not wait for what they wait for, and a click before is lost. */
export const scripts = (tab) => tab.evaluate(() =>
  Promise.allSettled([...document.querySelectorAll("script[type=module][src]")].map(({ src }) => import(src)))).catch(() => {});

/**
 * A test in each browser that is asked for. `open(path, options)` gives a page (a tab) of puppeteer in a
 * context of this test, which shares its storage with the other tabs of the test. `options`: `host`,
 * `viewport`, `person`: 2 has a storage and a window of their own, and `early`: its scripts may not have run yet.
 * `hide(tab)` and `show(tab)` do what a click on another tab does, and on this one.
 * What a page logs as an error fails the test, unless `expected` (a pattern) allows it.
 */
export function browsers(name, house, run, { expected = /$^/, ...options } = {}) {
  for (const kind of wanted) {
    test(`${kind}: ${name}`, { timeout: TEST_MS, ...options }, async (t) => {
      house.front.requests.length = 0; // those of the tests before are no answer to this one
      const contexts = {}, errors = [];
      const contextOf = async (person) => {
        contexts[person] ??= await (await browserOf(kind, person)).createBrowserContext();
        return contexts[person];
      };
      const open = async (url, { host = "127.0.0.1", person = 1, viewport, early } = {}) => {
        const tab = await (await contextOf(person)).newPage();
        tab.setDefaultTimeout(HANG_MS);
        if (viewport) await tab.setViewport(viewport);
        tab.on("console", (message) => message.type() === "error" && errors.push(message.text()));
        tab.on("pageerror", (error) => errors.push(String(error)));
        await tab.goto(url.startsWith("/") ? `http://${host}:${house.front.port}${url}` : url, { waitUntil: early ? "domcontentloaded" : "load" });
        if (early) return tab;
        await scripts(tab);
        const press = tab.mouse.click.bind(tab.mouse);
        tab.mouse.click = (x, y, given) => press(x, y, lateMs > 0 ? { delay: late() / 4, ...given } : given);
        for (const way of ["goto", "reload"]) {
          const plain = tab[way].bind(tab);
          tab[way] = (...given) => plain(...given).then(async (answer) => (await scripts(tab), answer));
        }
        for (const deed of ["click", "type"]) {
          const plain = tab[deed].bind(tab);
          tab[deed] = (selector, ...given) => until(() => isShown(tab, selector), `${selector} is shown`).then(() => plain(selector, ...given));
        }
        return tab;
      };
      const hide = async (tab) => {
        if (kind === "chromium") await tell(tab, true);
        else await tab.browserContext().newPage(); // in a window of the same person
        await until(() => tab.evaluate(() => document.visibilityState === "hidden"));
      };
      const show = (tab) => kind === "chromium" ? tell(tab, false) : tab.bringToFront();
      try {
        await run({ t, kind, open, hide, show, errors });
      } catch (error) {
        for (const text of errors) t.diagnostic(`on the console: ${text}`);
        throw error;
      } finally {
        house.front.fault = () => null;
        await Promise.all(Object.values(contexts).map((context) => context.close().catch(() => {})));
      }
      const unexpected = errors.filter((text) => !expected.test(text));
      if (unexpected.length > 0) throw new Error(`on the console: ${unexpected.join("\n")}`);
    });
  }
}
