// What the page of a game says of it: who wants a rematch, whether a move is there, and whether one looks back.
import assert from "node:assert/strict";
import { after } from "node:test";

import { browsers, openHouse, until } from "./harness.mjs";
import { drawn, idOf, press, shows, textOf } from "./person.mjs";

const house = await openHouse();
after(() => house.close());

/** A game of two people, with what each of them needs to know of it. */
async function twoPeople({ names = ["Ada", "Mia"], ...more } = {}) {
  const [first, second] = names.map((name) => name && { name });
  const game = await house.call("POST", "/v1/games",
    { variant: "tictactoe", seats: [{ me: true, ...first }, { open: true }], ...more });
  const joined = await house.call("POST", `/v1/games/${game.id}/join`, { ...second });
  return { id: game.id, tokens: [game.token, joined.token] };
}

const act = ({ id, tokens }, seat, deed, body = {}) =>
  house.call("POST", `/v1/games/${id}/${deed}`, body, tokens[seat - 1]);

/** Opens the game as the person of a seat does, by the link with their key. */
async function sit(open, { id, tokens }, seat, options) {
  const tab = await open(`/play/${id}#key=${tokens[seat - 1]}`, { person: seat, ...options });
  await drawn(tab);
  return tab;
}

// ---- rematches ------------------------------------------------------------------------------------

browsers("the other one is asked by name for a rematch, and the link takes them to their seat", house, async ({ open }) => {
  const game = await twoPeople({ visibility: "private" });
  await act(game, 2, "resign");
  const [ada, mia] = [await sit(open, game, 1), await sit(open, game, 2)];
  await press(mia, "#actions button", "Rematch");
  await shows(mia, "#near", "(you)");
  await shows(ada, "#rematch", "Mia wants a rematch");
  await press(ada, "#rematch a", "To the rematch");
  await until(() => idOf(ada) !== game.id, "the page of the next game comes");
  assert.equal(idOf(ada), idOf(mia));
  await shows(ada, "#near", "Ada");
  await shows(ada, "#near", "(you)");
  await shows(mia, "#standing", "Your turn");
  for (const { url, headers } of house.front.requests)
    for (const token of game.tokens) assert.ok(!`${url} ${headers.referer}`.includes(token), url);
});

browsers("a rematch is asked for, too, when the page is opened later, until it has begun", house, async ({ open }) => {
  const game = await twoPeople();
  await act(game, 1, "resign");
  const { id } = await act(game, 1, "rematch");
  const mia = await sit(open, game, 2);
  await shows(mia, "#rematch", "Ada wants a rematch");
  assert.doesNotMatch(await textOf(mia, "#actions"), /rematch/i, "there is one way to the rematch");
  for (const [token, move] of [[game.tokens[1], "b2"], [game.tokens[0], "a1"]])
    await house.call("POST", `/v1/games/${id}/moves`, { move }, token);
  await mia.reload();
  await shows(mia, "#actions", "To the rematch");
  assert.equal(await textOf(mia, "#rematch"), "");
  await press(mia, "#actions a", "To the rematch");
  await shows(mia, "#near", "(you)");
});

browsers("the one who has asked for a rematch, one without a name and one who watches are told what is so", house,
  async ({ open }) => {
    const game = await twoPeople({ names: [] });
    await act(game, 1, "resign");
    await act(game, 1, "rematch");
    await shows(await sit(open, game, 1), "#rematch", "You have asked for a rematch");
    await shows(await sit(open, game, 2), "#rematch", "Your opponent wants a rematch");
    await shows(await open(`/play/${game.id}`, { person: 3 }), "#rematch", "X wants a rematch");
  });
