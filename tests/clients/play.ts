// Two players at two machines, through a client that was generated from openapi.yaml: one whole game
// of every variant, move by move with PUT, and its history read back at the end.
//
//     node play.js http://127.0.0.1:8080

import createClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./schema.js";

type Game = components["schemas"]["Game"];
type Problem = components["schemas"]["Problem"];

const PLIES_MAX = 3000;
const SEED = 20260501;

class Failure extends Error {}

// What a request brought; a problem ends the program with its own words.
function expect<T>(
  what: string,
  result: { data?: T; error?: Problem | string; response: Response },
): T {
  if (result.data !== undefined) return result.data;
  const error = result.error;
  const why = typeof error === "object" ? `${error.code}: ${error.detail}` : error;
  throw new Failure(`${what}: ${result.response.status} ${why ?? "without a problem"}`);
}

function assert(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Failure(what);
}

// The same choices each time: numbers from a linear congruence, its high bits.
function chooser(seed: number): (count: number) => number {
  let state = BigInt(seed);
  return (count) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(count));
  };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function start(client: Client<paths>, variant: components["schemas"]["NewGame"]["variant"]) {
  const created = expect("create", await client.POST("/v1/games", {
    body: { variant, seats: [{ me: true, name: "Ada" }, { open: true }] },
  }));
  assert(typeof created === "object", "a created game is a document");
  const joined = expect("join", await client.POST("/v1/games/{id}/join", {
    params: { path: { id: created.id } },
    body: { name: "Mia" },
  }));
  assert(typeof joined === "object" && joined.seat === 2, "the open seat is the second one");
  assert(created.status === "open" && joined.status === "active", "it begins when all have come");
  return { id: created.id, tokens: { 1: created.token, 2: joined.token } };
}

async function chooseMove(client: Client<paths>, id: string, choose: (count: number) => number) {
  const legal = expect("legal moves", await client.GET("/v1/games/{id}/legal-moves", {
    params: { path: { id }, query: { format: "list" } },
  }));
  assert(typeof legal === "object" && legal.moves !== undefined, "a list was asked for");
  assert(legal.to_move !== null, "somebody is to move");
  const move = legal.moves[choose(legal.moves.length)];
  assert(move !== undefined, "a game that goes on has moves");
  return { seat: legal.to_move, ply: legal.ply + 1, move };
}

// Plays a move, and now and then says it again, as after an answer that was lost.
async function play(client: Client<paths>, id: string, ply: number, move: string, token: string):
    Promise<Game> {
  const request = () => client.PUT("/v1/games/{id}/moves/{ply}", {
    params: { path: { id, ply } },
    headers: bearer(token),
    body: { move },
  });
  const first = await request();
  const played = expect(`ply ${ply}, ${move}`, first);
  assert(first.response.status === 201, `ply ${ply} is played`);
  assert(typeof played === "object" && "game" in played, "a played move brings its game");
  if (ply % 10 === 0) {
    const again = await request();
    expect(`ply ${ply}, ${move} again`, again);
    assert(again.response.status === 200, `ply ${ply} is there already`);
  }
  return played.game;
}

async function countHistory(client: Client<paths>, id: string) {
  let after = 0, count = 0;
  for (;;) {
    const page = expect("history", await client.GET("/v1/games/{id}/moves", {
      params: { path: { id }, query: { after, limit: 100 } },
    }));
    assert(typeof page === "object", "a page is a document");
    count += page.items.length;
    after = page.items.at(-1)?.ply ?? after;
    if (page.next === null) return count;
  }
}

// A list goes out as include=a&include=b, and the code of a problem is one of the codes that there are.
async function lookClosely(client: Client<paths>, id: string) {
  const game = expect("include", await client.GET("/v1/games/{id}", {
    params: { path: { id }, query: { include: ["legal_moves", "board"] } },
  }));
  assert(typeof game === "object" && game.legal_moves !== undefined && game.board !== undefined,
    "both are included");
  const { error } = await client.POST("/v1/games/{id}/moves", {
    params: { path: { id } },
    body: { move: "a1" },
  });
  assert(typeof error === "object", "a problem is a document");
  const code: components["schemas"]["ProblemCode"] = error.code;
  assert(code === "token-missing", "nobody moves without a token");
}

async function playOne(client: Client<paths>, variant: components["schemas"]["NewGame"]["variant"]) {
  const choose = chooser(SEED);
  const { id, tokens } = await start(client, variant);
  let ply = 0, game: Game | undefined;
  await lookClosely(client, id);
  while (ply < PLIES_MAX && game?.status !== "finished") {
    const next = await chooseMove(client, id, choose);
    game = await play(client, id, next.ply, next.move, tokens[next.seat]);
    ply = next.ply;
    assert(game.ply === ply, "the game is where the move led");
  }
  assert(await countHistory(client, id) === ply, "the history has every move");
  const outcome = game?.outcome;
  const end = outcome === undefined ? "goes on"
    : outcome.winner === undefined ? `draw by ${outcome.reason}`
    : `${outcome.winner} wins by ${outcome.reason}`;
  console.log(`  ${variant.padEnd(18)}${String(ply).padStart(3)} plies, ${end}`);
}

const base = process.argv[2] ?? "http://127.0.0.1:8080";
const client = createClient<paths>({ baseUrl: base });
for (const variant of ["shogi", "tictactoe", "stackchess", "jungle", "turkish-draughts"] as const)
  await playOne(client, variant);
