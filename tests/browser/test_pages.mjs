// What the pages of plyd do for a stranger in a browser: from the lobby to the end of a game, with what is on
// the screen alone.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

import { browsers, long, openHouse, until } from "./harness.mjs";
import { CUT, choose, clickSquare, drawn, idOf, isShown, moves, press, reaches, readCode, shows, start, textOf, violations } from "./person.mjs";

const house = await openHouse();
after(() => house.close());

const files = mkdtempSync(join(tmpdir(), "plyd-pages-"));
after(() => rmSync(files, { recursive: true }));

// ---- a stranger -----------------------------------------------------------------------------------

browsers("a stranger is shown a hint on the page of a game, and plays it", house, async ({ open }) => {
  const tab = await open("/");
  await start(tab, "Tic-tac-toe", "The computer");
  await shows(tab, "#standing", "Your turn");
  await press(tab, "#actions button", "Hint");
  const square = await until(() => tab.evaluate(() => document.querySelector("plyd-board").shadowRoot
    .querySelector("[data-square][part~=hint]")?.dataset.square), "a square is marked");
  await clickSquare(tab, square);
  await until(async () => (await moves(tab)).length > 0, "the move is listed");
});

browsers("a game that cannot be started yet says so, and starts when there is an answer", house, async ({ open }) => {
  const tab = await open("/");
  house.front.fault = ({ method, url }) => method === "POST" && url.startsWith("/v1/games") ? "refuse" : null;
  await press(tab, ".game .start", "Jungle");
  await shows(tab, "#trouble", "No answer yet. Trying again …");
  house.front.fault = () => null;
  await until(() => tab.url().includes("/play/"), "the page of the game comes");
}, { expected: CUT });

browsers("one tap starts a game against the computer as strong as one has chosen, two begin one with a friend", house, async ({ open }) => {
  for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 800 }]) {
    const tab = await open("/", { viewport }), isInView = (selector) => tab.$eval(selector, (node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    for (const game of ["shogi", "tictactoe", "stackchess", "jungle", "turkish-draughts"])
      assert.ok(await isInView(`.game .start[value="${game}"]`), `${game} can be started at ${viewport.width}`);
    await tab.click(".game .more[value=jungle]");
    await until(() => tab.$("#options select"), "the options are there");
    assert.ok(await isInView("#start"), `a game with a friend can be started at ${viewport.width}`);
    await press(tab, "#rules summary", "Rules");
    assert.ok(await isInView("#start"), "also below open options");
    await tab.close();
  }
  const tab = await open("/");
  await tab.select("#strength", JSON.stringify({ engine: "plyd", level: 5 }));
  await tab.click(".game .start[value=jungle]");
  await until(() => tab.url().includes("/play/"), "the page of the game comes");
  const { seats } = await house.call("GET", `/v1/games/${idOf(tab)}`);
  assert.equal(seats[1].level, 5);
  const again = await open("/");
  assert.equal(JSON.parse(await again.$eval("#strength", (node) => node.value)).level, 5, "it is kept");
});

browsers("a clock may be of any kind and length", house, async ({ open }) => {
  const made = async (kind, values, wanted) => {
    const tab = await open("/");
    await choose(tab, "Jungle", "A friend");
    await tab.select("[name=clock]", "own");
    await tab.select("[name=kind]", kind);
    for (const [name, value] of Object.entries(values)) await tab.$eval(`[name=${name}]`, (node, value) => { node.value = value; }, value);
    await press(tab, "#new button", "Start the game");
    await until(() => tab.url().includes("/play/"), "the page of the game comes");
    const { clock } = await house.call("GET", `/v1/games/${idOf(tab)}`);
    for (const [name, value] of Object.entries({ kind, ...wanted })) assert.equal(clock[name], value, `${kind}: ${name}`);
    await tab.close();
  };
  await made("fischer", { minutes: "1.5", seconds: "3" }, { initial_s: 90, increment_s: 3 });
  await made("byoyomi", { minutes: "0", seconds: "45" }, { initial_s: 0, period_s: 45 });
  await made("days", { days: "5" }, { days: 5 });
});

browsers("of one's games those come first where one is to move, of these the one whose time ends first", house, async ({ open }) => {
  const { id, token } = await house.call("POST", "/v1/players", { name: "Ada" });
  const make = (variant, days, mine = true) => house.call("POST", "/v1/games",
    { variant, seats: mine ? [{ me: true }, { engine: "random" }] : [{ me: true }, { open: true }], ...(days && { clock: { kind: "days", days, first_move: `${days}d` } }) }, token);
  await make("jungle", 3);
  await make("shogi", 1);
  await make("tictactoe", 0);
  await make("stackchess", 2);
  await make("turkish-draughts", 0, false);
  const tab = await open("/");
  await tab.evaluate(async (player) => new (await import("/plyd.js")).Plyd().become(player), { id, token });
  await tab.reload();
  const rows = () => tab.$$eval("#mine-list strong", (nodes) => nodes.map((node) => node.textContent));
  await until(async () => (await rows()).length > 0, "the games are there");
  assert.deepEqual(await rows(), ["Shogi", "Stackchess", "Jungle (Dou Shou Qi)", "Tic-tac-toe"]);
  assert.match(await textOf(tab, "#mine-list li:first-child time"), /left$/);
  await press(tab, "#mine-all", "Show all");
  await until(async () => (await rows()).at(-1) === "Turkish draughts" && (await rows()).length === 5, "all are shown");
});

browsers("all games that one asked for stay shown when an answer from before comes late", house, async ({ open }) => {
  const { id, token } = await house.call("POST", "/v1/players", { name: "Ada" });
  const make = () => house.call("POST", "/v1/games", { variant: "tictactoe", seats: [{ me: true }, { engine: "random" }] }, token);
  for (let i = 0; i < 5; i++) await make();
  const tab = await open("/");
  await tab.evaluate(async (player) => new (await import("/plyd.js")).Plyd().become(player), { id, token });
  await tab.reload();
  const rows = () => tab.$$eval("#mine-list li", (nodes) => nodes.length);
  const isList = ({ url }) => url.startsWith("/v1/me/games?");
  let release, held = null;
  await until(() => house.front.requests.some(({ url, open: waits }) => url.startsWith("/v1/me/events") && waits), "the news are listened to");
  house.front.fault = (request) => held === null && isList(request) ? (held = request, new Promise((done) => { release = done; })) : null;
  await make();
  await until(() => held !== null, "the news are looked at");
  await press(tab, "#mine-all", "Show all");
  await until(async () => await rows() === 6, "all are shown");
  release();
  await until(() => !held.open, "the late answer is there");
  await tab.evaluate(() => new Promise((done) => setTimeout(done))); // and was looked at
  assert.equal(await rows(), 6);
});

browsers("a stranger starts a game against the computer, and plays it to the end", house, async ({ open }) => {
  const tab = await open("/");
  await start(tab, "Tic-tac-toe", "The computer");
  await shows(tab, "#standing", "Your turn");
  for (const square of ["b2", "a1", "c3", "a3", "c1", "a2", "c2", "b1", "b3"]) {
    await until(async () => /Your turn|won|lost|Draw/.test(await textOf(tab, "#standing")), "the computer has answered");
    if ((await textOf(tab, "#standing")) !== "Your turn") break;
    const free = await tab.evaluate((name) => !document.querySelector("plyd-board").shadowRoot
      .querySelector(`[data-square="${name}"]`).part.contains("occupied"), square);
    if (!free) continue;
    const before = (await moves(tab)).length;
    await clickSquare(tab, square);
    await until(async () => (await moves(tab)).length > before, "the move is listed");
  }
  await until(async () => /won|lost|Draw/.test(await textOf(tab, "#standing")), "the game ends");
  const first = idOf(tab);
  await press(tab, "button", "Rematch");
  await until(() => tab.url().includes("/play/") && idOf(tab) !== first, "the page of the next game comes");
  await drawn(tab);
  await shows(tab, "#standing", "Your turn");
});

browsers("an invitation is a link that a second browser opens, and its code is sent to no server", house,
  async ({ open }) => {
    const ada = await open("/");
    await start(ada, "Jungle", "A friend");
    await shows(ada, "#standing", "Waiting for an opponent");
    const link = await until(() => ada.$eval("#invite-link input", (field) => field.value).catch(() => null));
    assert.match(link, /\/play\/[0-9a-z]{26}#invitation=plyd_invitation_/);
    const mia = await open(link.replace(/^https?:\/\/[^/]+/, ""), { person: 2 });
    await shows(mia, "#join-text", "Blue");
    await mia.type("#join-name", "Mia");
    await press(mia, "button", "Join");
    await shows(mia, "#standing", "Red to move");
    await shows(ada, "#far", "Mia");
    await shows(ada, "#standing", "Your turn");
    assert.ok(!mia.url().includes("#"), "the code is taken out of the address");
    await clickSquare(ada, "g3");
    await clickSquare(ada, "g4");
    await reaches(mia, 1);
    await shows(mia, "#standing", "Your turn");
    for (const { url } of house.front.requests) assert.ok(!url.includes("invitation="), url);
    await press(mia, "button", "Offer a draw");
    await shows(ada, "#offers", "Mia offers a draw");
    await press(ada, "#offers button", "Accept");
    await shows(mia, "#standing", "Draw");
  });

browsers("the QR code of an invitation is its link", house, async ({ open }) => {
  const tab = await open("/", { viewport: { width: 1280, height: 850 } });
  await start(tab, "Tic-tac-toe", "A friend");
  const link = await until(() => tab.$eval("#invite-link input", (field) => field.value).catch(() => null));
  assert.equal(await readCode(tab, "#invite-qr svg"), link);
});

browsers("a move that is made without a network is kept, told so, and played once when it is back", house,
  async ({ open }) => {
    const tab = await open("/");
    await start(tab, "Jungle", "Both sides");
    house.front.fault = () => "refuse";
    house.front.cut();
    await clickSquare(tab, "g3");
    await clickSquare(tab, "g4");
    await shows(tab, "#standing", "No connection, the move will be sent");
    house.front.fault = () => null;
    await reaches(tab, 1);
    await until(async () => !await isShown(tab, "#network"), "the note about the network goes");
    assert.equal((await house.call("GET", `/v1/games/${idOf(tab)}`)).ply, 1);
  }, { expected: CUT });

browsers("a daemon that is killed while one plays is noticed, and the move is played once when it is back", house,
  async ({ open }) => {
    const tab = await open("/");
    await start(tab, "Jungle", "Both sides");
    await house.daemon.kill();
    await clickSquare(tab, "g3");
    await clickSquare(tab, "g4");
    await shows(tab, "#standing", "No connection, the move will be sent");
    await house.daemon.start();
    await reaches(tab, 1);
    assert.equal((await house.call("GET", `/v1/games/${idOf(tab)}`)).ply, 1);
  }, { expected: CUT });

/** Presses Tab until something with this selector has the focus. */
async function tabTo(tab, selector) {
  for (let i = 0; i < 60; i++) {
    if (await tab.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
    await tab.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${selector}`);
}

browsers("a game is begun and a move is made with keys alone", house, async ({ open }) => {
  const tab = await open("/");
  await tabTo(tab, ".game .more[value=tictactoe]");
  await tab.keyboard.press("Enter");
  await tabTo(tab, "[name=opponent]");
  for (let i = 0; i < 3; i++) await tab.keyboard.press("ArrowRight");
  assert.equal(await tab.$eval("[name=opponent]:checked", (node) => node.value), "computer");
  await tabTo(tab, "#start");
  await tab.keyboard.press("Enter");
  await until(() => tab.url().includes("/play/"), "the page of the game comes");
  await drawn(tab);
  await shows(tab, "#standing", "Your turn");
  await tabTo(tab, "plyd-board");
  await tab.keyboard.press("Enter");
  await until(async () => (await moves(tab)).length >= 2, "the computer has answered");
});

browsers("a reload and a second tab show the same game, and both may play", house, async ({ open }) => {
  const tab = await open("/");
  await start(tab, "Jungle", "Both sides");
  await tab.reload();
  await drawn(tab);
  await clickSquare(tab, "g3");
  await clickSquare(tab, "g4");
  await reaches(tab, 1);
  const other = await open(new URL(tab.url()).pathname);
  await drawn(other);
  await reaches(other, 1);
  await clickSquare(other, "a7");
  await clickSquare(other, "a6");
  await reaches(tab, 2);
});

browsers("the lobby lists the games of this device, and those that anybody may join", house, async ({ open }) => {
  const tab = await open("/");
  await choose(tab, "Stackchess", "Anybody");
  await press(tab, "#new button", "Start the game");
  await until(() => tab.url().includes("/play/"));
  const id = idOf(tab), lobby = await open("/");
  await until(() => lobby.$(`#mine-list a[href="/play/${id}"]`));
  const mia = await open("/", { person: 2 });
  const row = await until(() => mia.$(`#public-list a[href="/play/${id}"]`));
  await row.click();
  await until(() => isShown(mia, "#join"), "one may join");
  await press(mia, "button", "Join");
  await shows(mia, "#near", "(you)");
});

browsers("the lobby forgets the key of a game that is gone, and of no other that is not told just now", house,
  async ({ open }) => {
    const tab = await open("/");
    await start(tab, "Tic-tac-toe", "Both sides");
    const id = idOf(tab), gone = "0".repeat(26);
    const keys = (page) => page.evaluate(async () => (await import("/plyd.js")).Plyd && Object.keys(localStorage)
      .filter((name) => name.includes(":game:")).map((name) => name.slice(-26)));
    await tab.evaluate((gone) => {
      const name = Object.keys(localStorage).find((key) => key.includes(":game:"));
      localStorage.setItem(name.slice(0, -26) + gone, localStorage.getItem(name));
    }, gone);
    house.front.fault = ({ url }) => url.includes(id) ? 501 : null;
    const lobby = await open("/");
    await until(async () => !(await keys(lobby)).includes(gone), "the key of a game that is gone is forgotten");
    house.front.fault = () => null;
    await lobby.reload();
    await until(() => lobby.$(`#mine-list a[href="/play/${id}"]`), "the other one is still there");
  }, { expected: CUT });

browsers("how a game stands is said from where one sits", house, async ({ open }) => {
  const tab = await open("/");
  const said = await tab.evaluate(async () => {
    const { standing } = await import(document.querySelector("script[src*=lobby]").src.replace("lobby", "page"));
    const ada = { name: "Ada", side: "red" }, nobody = { state: "open", side: "blue" }, named = { name: "Mia", side: "blue" };
    const game = (status, seats, more) => standing({ status, seats: [ada, named], to_move: 1, ...(seats && { you: { seats } }), ...more });
    const won = (winner, reason) => ({ outcome: { winner, reason } });
    return [
      game("aborted", [1]), game("open", [1], { seats: [ada, nobody] }), game("open", null, { seats: [ada, nobody] }),
      game("active", [1]), game("active", [2]), game("active", [1, 2]), game("active", null),
      game("active", [2], { seats: [{ engine: "plyd", level: 3, side: "red" }, named] }),
      game("finished", [1], won(1, "timeout")), game("finished", [1], won(2, "resign")), game("finished", [1, 2], won(2, "king_captured")),
      game("finished", null, won(1, "timeout")), game("finished", [1], won(undefined, "no_progress")),
    ];
  });
  assert.deepEqual(said, [
    "Called off", "Waiting for an opponent", "Open: you may join",
    "Your turn", "Ada to move", "Ada to move", "Ada to move", "The computer thinks",
    "You won: Mia ran out of time", "You lost by resignation", "Mia won (king captured)", "Ada won: Mia ran out of time", "Draw (no progress)",
  ]);
});

browsers("how long ago something was is said in the largest unit", house, async ({ open }) => {
  const tab = await open("/");
  const said = await tab.evaluate(async () => {
    const { since } = await import(document.querySelector("script[src*=lobby]").src.replace("lobby", "page"));
    const now = Date.now;
    Date.now = () => 0; // it stands still
    const texts = [-5, 0, 59, 60, 3500, 3600, 80000, 86400, 3 * 86400].map((seconds) => since(new Date(-1000 * seconds).toISOString()));
    Date.now = now;
    return texts;
  });
  assert.deepEqual(said, ["just now", "just now", "just now", "1 minute ago", "58 minutes ago", "1 hour ago", "22 hours ago",
                          "yesterday", "3 days ago"]);
});

browsers("what cannot be taken back is asked for again", house, async ({ open }) => {
  const tab = await open("/");
  await start(tab, "Tic-tac-toe", "Both sides");
  const { status } = await house.call("GET", `/v1/games/${idOf(tab)}`);
  await press(tab, "#actions button", "Resign");
  await shows(tab, "#actions", "Really resign?");
  assert.equal((await house.call("GET", `/v1/games/${idOf(tab)}`)).status, status);
  /* It asks for some seconds; if the press came later, it asks anew. */
  await until(async () => {
    await press(tab, "#actions button", "Re");
    return (await house.call("GET", `/v1/games/${idOf(tab)}`)).status === "finished";
  });
});

browsers("moves are looked back at, taken back, and what was taken back stays as a line", house, async ({ open }) => {
  const tab = await open("/");
  await start(tab, "Jungle", "Both sides");
  for (const [from, to] of [["g3", "g4"], ["a7", "a6"]]) {
    await clickSquare(tab, from);
    await clickSquare(tab, to);
    await reaches(tab, from === "g3" ? 1 : 2);
  }
  await tab.click("#prev");
  await until(() => tab.$eval("#slider", (node) => node.value === "1"));
  assert.equal(await tab.$eval("plyd-board", (node) => node.getAttribute("ply")), "1");
  await tab.click("#last");
  await press(tab, "button", "Take back");
  await until(() => tab.$eval("#moves li:nth-child(2)", (node) => node.classList.contains("undone")));
  await clickSquare(tab, "a7");
  await clickSquare(tab, "b7");
  await until(async () => (await moves(tab))[1]?.includes("a7b7"), "another move is played");
  await press(tab, "summary", "Lines");
  await shows(tab, "#tree", "2. a7a6");
  await shows(tab, "#tree", "2. a7b7");
});

browsers("the board, the list of moves and refusals are in one notation, which one chooses", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "shogi", moves: ["7g7f"] });
  const tab = await open(`/play/${game.id}#key=${game.token}`);
  await drawn(tab);
  const ranks = () => tab.evaluate(() => document.querySelector("plyd-board").shadowRoot.querySelector("[part~=ranks]").textContent);
  const refusal = () => tab.evaluate(() => document.querySelector("plyd-board").shadowRoot.querySelector("[part~=refused][part~=status]")?.textContent ?? "");
  await until(async () => (await moves(tab)).join() === "7g7f");
  assert.equal(await ranks(), "abcdefghi");
  await clickSquare(tab, "3c");
  await clickSquare(tab, "3e");
  await until(async () => /^3c3e is not/.test(await refusal()));
  await tab.select("#notation", "written");
  await until(async () => (await moves(tab)).join() === "☗７六歩" && await ranks() === "一二三四五六七八九" && /^３三３五 is not/.test(await refusal()));
  await tab.reload();
  await drawn(tab);
  await until(async () => (await moves(tab)).join() === "☗７六歩" && await ranks() === "一二三四五六七八九", "it is kept");
  const other = await house.call("POST", "/v1/games", { variant: "jungle" });
  await tab.goto(`${house.front.url}/play/${other.id}`);
  await drawn(tab);
  assert.equal(await isShown(tab, "#notation"), false, "a game of one notation has no choice");
});

browsers("the men that were taken lie beside who has taken them", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "turkish-draughts", moves: ["c3-c4", "b6-b5", "c4-c5"] });
  const tab = await open(`/play/${game.id}#key=${game.token}`);
  await drawn(tab);
  await house.call("POST", `/v1/games/${game.id}/moves`, { move: "c6xc4" }, game.token);
  await until(() => tab.$("#far .taken"), "a man was taken");
  assert.equal(await tab.$eval("#far .taken", (node) => node.getAttribute("aria-label")), "Taken: man");
  assert.ok(await tab.$eval("#far .taken img", (node) => new Promise((done) => {
    if (node.complete) done(node.naturalWidth > 0);
    node.addEventListener("load", () => done(true));
  })), "it has a picture");
  assert.equal(await tab.$("#near .taken"), null);
  await tab.reload();
  await until(() => tab.$("#far .taken"), "it is there after a reload");
});

browsers("who wishes it is asked before a move is played, in every game from then on", house, async ({ open }) => {
  const tab = await open("/");
  await start(tab, "Jungle", "Both sides");
  await tab.click("#ask");
  await tab.reload();
  await drawn(tab);
  assert.equal(await tab.$eval("#ask", (node) => node.checked), true);
  await clickSquare(tab, "g3");
  await clickSquare(tab, "g4");
  const play = await until(() => tab.evaluateHandle(() => document.querySelector("plyd-board").shadowRoot.querySelector("[part~=choice]"))
    .then((handle) => handle.asElement()), "it asks");
  assert.equal((await house.call("GET", `/v1/games/${idOf(tab)}`)).ply, 0);
  await play.click();
  await reaches(tab, 1);
});

browsers("shogi's men are shown as one reads them, which is kept for this game", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "shogi" });
  const tab = await open(`/play/${game.id}`);
  await drawn(tab);
  const pawn = (page) => page.evaluate(() => document.querySelector("plyd-board").shadowRoot.querySelector("#man-1-pawn")?.innerHTML);
  const kanji = await until(() => pawn(tab), "the men have pictures");
  await until(() => isShown(tab, "#men"), "the sets can be chosen");
  await tab.select("#men", "letters");
  await until(async () => ![kanji, undefined].includes(await pawn(tab)), "the men are others");
  const letters = await pawn(tab);
  await tab.reload();
  await drawn(tab);
  await until(async () => await pawn(tab) === letters, "it is kept");
  await until(() => isShown(tab, "#men"), "the sets can be chosen");
  await tab.select("#men", "");
  await until(async () => await pawn(tab) === kanji, "the usual ones come back");
  const other = await open(`/play/${(await house.call("POST", "/v1/games", { variant: "jungle" })).id}`);
  await drawn(other);
  await until(() => isShown(other, "#about"), "the page is whole");
  assert.equal(await isShown(other, "#men"), false, "a game of one set has no choice");
});

browsers("a record is taken out, and makes a game when it is brought in", house, async ({ open }) => {
  const name = join(files, "game.kif");
  writeFileSync(name, readFileSync("tests/records/game.kif"));
  const tab = await open("/");
  await (await tab.$("#record")).uploadFile(name);
  await until(() => tab.url().includes("/play/"), "the game of the record opens");
  await drawn(tab);
  await until(async () => (await moves(tab)).length > 2);
  await press(tab, "summary", "Record");
  const link = await tab.$eval("#files li:last-child a", (node) => node.href);
  assert.ok((await (await fetch(link)).text()).length > 100);
});

browsers("the record of a private game is taken out with its key", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle", visibility: "private" });
  const tab = await open(`/play/${game.id}#key=${game.token}`);
  await drawn(tab);
  await press(tab, "summary", "Record");
  await press(tab, "#files a", "JSON");
  const asked = await until(() => house.front.requests.find(({ url }) => url.includes(`${game.id}/export`)));
  assert.equal(asked.headers.authorization, `Bearer ${game.token}`);
});

browsers("a record that cannot be read says why, at its place", house, async ({ open }) => {
  const name = join(files, "nonsense.txt");
  writeFileSync(name, "This is no record.");
  const tab = await open("/");
  await (await tab.$("#record")).uploadFile(name);
  await shows(tab, "#record-trouble", "nonsense.txt cannot be read");
}, { expected: /4\d\d/ });

browsers("the format of a record that looks like none is chosen in a menu", house, async ({ open }) => {
  const name = join(files, "moves.txt");
  writeFileSync(name, "a3-a4 a6-a5\n");
  for (const path of ["/", `/play/${(await house.call("POST", "/v1/games", { variant: "jungle" })).id}`]) {
    const tab = await open(path), trouble = "#record-trouble";
    if (path !== "/") await press(tab, "summary", "Record");
    await (await tab.$(path === "/" ? "#record" : "#record-file")).uploadFile(name);
    await shows(tab, trouble, "moves.txt cannot be read: its format cannot be told from it. Choose it in the menu.");
    assert.doesNotMatch(await textOf(tab, trouble), /\?/);
    const before = tab.url();
    await until(() => tab.$(`${trouble} + p option[value=pdn]`), "the formats are offered");
    await tab.select(`${trouble} + p select`, "pdn");
    await until(() => tab.url().includes("/play/") && tab.url() !== before, "the game of the record opens");
    await until(async () => (await moves(tab)).length === 2);
    await tab.close();
  }
}, { expected: /4\d\d/ });

browsers("of a file with several games one is chosen by its number", house, async ({ open }) => {
  const name = join(files, "two.usi");
  writeFileSync(name, "position startpos moves 7g7f\nposition startpos moves 2g2f 8c8d\n");
  const tab = await open("/");
  await (await tab.$("#record")).uploadFile(name);
  await shows(tab, "#record-trouble", "two.usi cannot be read: it has several games. Say which one.");
  await until(() => tab.$("#record-trouble + p input"), "the number is asked for");
  await tab.type("#record-trouble + p input", "2");
  await tab.keyboard.press("Tab");
  await until(() => tab.url().includes("/play/"), "the game of the record opens");
  await until(async () => (await moves(tab)).join() === "2g2f,8c8d");
}, { expected: /4\d\d/ });

browsers("an option that is refused is named and focused", house, async ({ open }) => {
  const tab = await open("/");
  await choose(tab, "Tic-tac-toe", "Both sides");
  await press(tab, "summary", "Rules and options");
  await until(() => tab.$("#options input[type=number]"));
  const field = await tab.$eval("#options input[type=number]", (node) => node.id);
  await tab.$eval(`#${field}`, (node) => { node.removeAttribute("min"); node.removeAttribute("max"); node.value = "-7"; });
  await press(tab, "#new button", "Start the game");
  await until(() => isShown(tab, "#new-trouble"), "the page says what is wrong");
  assert.equal(await tab.evaluate(() => document.activeElement.id), field);
}, { expected: /4\d\d/ });

browsers("what was just done is shown as a command, without the key", house, async ({ open }) => {
  const tab = await open("/");
  await start(tab, "Jungle", "Both sides");
  await press(tab, "summary", "The same with curl");
  await clickSquare(tab, "g3");
  await clickSquare(tab, "g4");
  const text = await until(() => tab.$eval("#commands textarea", (node) => node.value).catch(() => null));
  assert.match(text, /^curl -u \$TOKEN: -X PUT .* http:\/\/[^ ]+\/v1\/games\/[0-9a-z]{26}\/moves\/1$/);
  assert.ok(!text.includes("plyd_seat_"));
});

browsers("a key in a link takes a seat along to another device", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle", visibility: "private" });
  const tab = await open(`/play/${game.id}#key=${game.token}`, { person: 2 });
  await drawn(tab);
  await shows(tab, "#near", "(you)");
  assert.ok(!tab.url().includes("#"));
});

browsers("a game that is private or missing says so", house, async ({ open }) => {
  const tab = await open("/play/00000000000000000000000000");
  await shows(tab, "#trouble", "There is no such game");
}, { expected: /404/ });

browsers("the code to embed a board shows it in a page of another site", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle" });
  const tab = await open(`/play/${game.id}`);
  const code = await until(() => tab.$eval("#embed-code textarea", (node) => node.value), "there is code");
  house.page("/own.html", `<!doctype html><html lang=en><title>x</title><link rel=icon href=data:,>${
    code.replaceAll(house.front.url, house.daemon.url)}`);
  await drawn(await open("/own.html"));
});

browsers("a page of another site shows a board in a frame", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "jungle" });
  house.page("/frame.html", `<!doctype html><html lang=en><title>x</title><link rel=icon href=data:,>
    <iframe src="${house.daemon.url}/embed/${game.id}" width=400 height=500></iframe>`);
  const tab = await open("/frame.html");
  await until(async () => {
    const frame = tab.frames().find((one) => one.url().includes("/embed/"));
    return frame?.evaluate(() => document.querySelector("plyd-board")?.shadowRoot?.querySelector("[data-square]") != null);
  }, "the board in the frame is drawn");
});

// ---- all pages ------------------------------------------------------------------------------------

const guides = ["frontends", "module", "board", "people"].map((name) => `/docs/${name}`);

browsers("no page breaks a rule of accessibility that a program can check", house, async ({ open, kind }) => {
  const game = await house.call("POST", "/v1/games", { variant: "shogi", seats: [{ me: true, name: "Ada" }, { open: true }] });
  const pages = ["/", `/play/${game.id}#key=${game.token}`, `/embed/${game.id}`, "/problems/nifu", "/v1/variants/shogi/rules", "/mail#end=no"];
  if (long) pages.push(`/play/${game.id}`, ...guides, "/problems");
  const phone = { width: 390, height: 844 }, sideways = { width: 844, height: 390 };
  const small = [["/docs", phone], [pages[1], phone], [pages[1], sideways]];
  for (const [path, viewport] of [...pages.map((path) => [path]), ...small]) {
    const tab = await open(path, { viewport });
    if (/play|embed/.test(path)) await drawn(tab);
    if (path.startsWith("/play")) await until(() => isShown(tab, "#about"));
    if (path === "/docs") await until(() => isShown(tab, "#components"));
    const rules = path === "/docs" ? { runOnly: ["scrollable-region-focusable"] } : {}; // it is long, and all rules take minutes there
    assert.deepEqual(await violations(tab, rules), [], path);
    if (kind === "chromium" && path === "/") {
      await choose(tab, "Shogi", "A friend");
      await press(tab, "summary", "Rules and options");
      assert.deepEqual(await violations(tab, rules), [], "the terms of a game");
    }
    await tab.close();
  }
}, { expected: /Content.Security.Policy|eval/ });

browsers("no script makes markup of a text, in any page", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "stackchess" });
  for (const path of ["/", `/play/${game.id}#key=${game.token}`, `/embed/${game.id}`, "/docs", "/mail#end=no"]) {
    const { headers } = await fetch(house.daemon.url + path.split("#")[0], { headers: { Accept: "text/html" } });
    assert.match(headers.get("Content-Security-Policy"), /require-trusted-types-for 'script'; (.*; )?trusted-types (plyd-worker|'none')/, path);
    const tab = await open(path); // what the policy stops is an error on the console
    if (/play|embed/.test(path))
      await until(() => tab.evaluate(() => document.querySelector("plyd-board")?.shadowRoot.querySelector(".man svg") != null), "men have pictures");
    await tab.close();
  }
});

browsers("no id stands twice in any page", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "shogi" });
  for (const path of ["/", `/play/${game.id}#key=${game.token}`, `/embed/${game.id}`, "/docs", ...guides, "/problems",
                      "/problems/nifu", "/v1/variants/shogi/rules", "/v1/variants/turkish-draughts/rules"]) {
    const tab = await open(path);
    if (/play|embed/.test(path)) await drawn(tab);
    if (path === "/docs") await until(() => isShown(tab, "#components"));
    const twice = await tab.evaluate(() => {
      const roots = [document, ...[...document.querySelectorAll("plyd-board")].map((board) => board.shadowRoot)];
      return roots.flatMap((root) => [...root.querySelectorAll("[id]")].map(({ id }) => id).filter((id, i, all) => all.indexOf(id) !== i));
    });
    assert.deepEqual(twice, [], path);
    await tab.close();
  }
});

/** Notes how far what can be seen has moved. Firefox does not tell of shifts, so there the heads are looked at. */
const watchShifts = () => {
  globalThis.shifts = 0;
  globalThis.tops = new Map();
  if (PerformanceObserver.supportedEntryTypes.includes("layout-shift"))
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) globalThis.shifts += value; })
      .observe({ type: "layout-shift", buffered: true });
  const look = () => {
    for (const node of document.querySelectorAll("h1, h2, .links, .search")) {
      const { top, height } = node.getBoundingClientRect(), place = Math.round(top + scrollY);
      if (height === 0 || top > innerHeight) continue;
      if (!globalThis.tops.has(node)) globalThis.tops.set(node, new Set());
      globalThis.tops.get(node).add(place);
    }
    requestAnimationFrame(look);
  };
  look();
};

browsers("the reference does not jump while it loads", house, async ({ t, open }) => {
  for (const viewport of [{ width: 1280, height: 850 }, { width: 360, height: 740 }]) {
    house.front.fault = ({ url }) => (url === "/openapi.json" ? "hold" : null);
    const tab = await open("about:blank", { viewport });
    await tab.evaluateOnNewDocument(watchShifts);
    await tab.goto(`${house.front.url}/docs`);
    await until(() => tab.evaluate(() => document.querySelector("#codes tr") !== null && document.querySelector("#components details") !== null), "it has loaded");
    await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const [shifts, moved] = await tab.evaluate(() =>
      [globalThis.shifts, [...globalThis.tops].filter(([, places]) => places.size > 1).map(([node]) => node.textContent)]);
    t.diagnostic(`${viewport.width} pixels: layout shifts of ${shifts.toFixed(3)}`);
    assert.ok(shifts < 0.05, `layout shifts of ${shifts}`);
    assert.deepEqual(moved, []);
    await tab.close();
  }
});

browsers("the start page does not jump when one's games come", house, async ({ t, open, kind }) => {
  const { id, token } = await house.call("POST", "/v1/players", { name: "Ada" });
  for (const variant of ["jungle", "shogi", "tictactoe"])
    await house.call("POST", "/v1/games", { variant, seats: [{ me: true }, { engine: "random" }], clock: { kind: "days", days: 2 } }, token);
  const first = await open("/");
  await first.evaluate(async (player) => new (await import("/plyd.js")).Plyd().become(player), { id, token });
  await first.reload();
  await until(() => first.$("#mine-list a"), "the games are there");
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
    const tab = await open("about:blank", { viewport });
    await tab.evaluateOnNewDocument(watchShifts);
    let free;
    const freed = new Promise((done) => { free = done; });
    house.front.fault = ({ url }) => url.startsWith("/v1/me/games") ? freed : null; // they come last
    await tab.goto(`${house.front.url}/`);
    await until(() => tab.evaluate(() => document.querySelectorAll("#mine-list .blank").length === 3 && document.querySelector("#public-none").textContent !== "Loading …"));
    free();
    await until(() => tab.$("#device-parts > *"), "the page is whole");
    await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const [shifts, moved] = await tab.evaluate(() =>
      [globalThis.shifts, [...globalThis.tops].filter(([, places]) => places.size > 1).map(([node]) => node.textContent)]);
    t.diagnostic(`${kind}, ${viewport.width} pixels: layout shifts of ${shifts.toFixed(3)}`);
    assert.ok(shifts < 0.02, `layout shifts of ${shifts}`);
    assert.deepEqual(moved.filter((text) => /Your games|Play/.test(text)), []);
    await tab.close();
  }
});

browsers("no page is wider than a phone of 360 pixels", house, async ({ open }) => {
  const game = await house.call("POST", "/v1/games", { variant: "shogi" });
  for (const path of ["/", `/play/${game.id}#key=${game.token}`, "/docs", ...guides, "/problems", "/nowhere",
                      "/v1/variants/jungle/rules"]) {
    const tab = await open(path, { viewport: { width: 360, height: 740 } });
    if (path.startsWith("/play")) await drawn(tab);
    const width = await tab.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${path} is ${width} wide`);
    await tab.close();
  }
}, { expected: /404/ });

/** What a page cost until it had all it needs: its bytes with all headers, the requests that were sent for it, and how long it took. */
const cost = (tab) => tab.evaluate(() => {
  const isNeeded = ({ name }) => !/\/(app|device|notices|people|qr)\.js$/.test(name);
  const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource").filter(isNeeded)];
  return { bytes: all.reduce((sum, { transferSize }) => sum + transferSize, 0),
           requests: all.filter(({ transferSize }) => transferSize > 0).length,
           loaded: Math.round(all[0].domContentLoadedEventEnd - all[0].requestStart) };
});

/** When the first square is there, from the request of the page on. */
const watchBoard = () => {
  const look = () => {
    const board = document.querySelector("plyd-board")?.shadowRoot?.querySelector("[data-square]");
    if (!board) return requestAnimationFrame(look);
    globalThis.boardAfter = Math.round(performance.now() - performance.getEntriesByType("navigation")[0].requestStart);
  };
  look();
};

for (const [name, path] of [["the lobby", () => "/"], ["the page of a game", ({ id }) => `/play/${id}`]])
  browsers(`${name} is small, and asks for little the second time`, house, async ({ t, open, kind }) => {
    const address = path(await house.call("POST", "/v1/games", { variant: "shogi" }));
    for (const [time, lang, most, calls] of [["first", "en", 80_000, 11], ["second", "en", 15_000, 3], ["first", "ja", 80_000, 11]]) {
      const tab = await open("about:blank", { person: lang });
      await tab.setExtraHTTPHeaders({ "Accept-Language": lang });
      await tab.evaluateOnNewDocument(watchBoard);
      await tab.goto(house.front.url + address);
      if (address !== "/") await until(() => tab.evaluate(() => globalThis.boardAfter), "a board is drawn");
      await until(async () => (await tab.evaluate(() => document.readyState)) === "complete");
      const { bytes, requests, loaded } = await cost(tab);
      const board = await tab.evaluate(() => globalThis.boardAfter);
      t.diagnostic(`${kind}, ${name}, ${lang}, ${time} visit: ${bytes} bytes in ${requests} requests, loaded after ${loaded} ms` +
        (board ? `, first board after ${board} ms` : ""));
      if (kind === "chromium") assert.ok(bytes < most && requests <= calls, `${bytes} bytes in ${requests} requests`);
      await tab.close();
    }
  });
