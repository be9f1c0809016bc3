// With the media types as its second argument, a client of openapi-fetch has answers of one type: what the texts for
// people are is left out. A union with `string` would not compile here, and a refusal has its code.
import createClient from "openapi-fetch";

import type { components, paths } from "./schema.js";

type Contract = components["schemas"];

const client = createClient<paths, "application/json" | "application/problem+json">({ baseUrl: "http://localhost:8080" });

/** After any change `answer.game` is the game, whatever was asked for. */
export async function changes(id: string): Promise<Contract["Game"][]> {
  const params = { path: { id } };
  const made = await client.POST("/v1/games", { body: { variant: "shogi" } });
  const put = await client.PUT("/v1/games/{id}/moves/{ply}", {
    params: { path: { id, ply: 1 } }, body: { move: "7g7f" },
  });
  const undone = await client.POST("/v1/games/{id}/undo", { params });
  const offered = await client.POST("/v1/games/{id}/offers", { params, body: { kind: "draw" } });
  return [made, put, undone, offered].flatMap(({ data }) => data?.game ?? []);
}

/** `type` tells what `data` is. */
export async function told(id: string): Promise<string[]> {
  const { data } = await client.GET("/v1/games/{id}/events", { params: { path: { id } } });
  return (data?.items ?? []).map((event) =>
    event.type === "message" ? event.data.text ?? ""
    : event.type === "move" ? `${event.move} ${event.data?.clock?.left_s["1"] ?? ""}`
    : event.type === "paused" ? event.data.until_at
    : event.type);
}

/** A refusal says why. */
export async function refused(id: string): Promise<Contract["ProblemCode"] | undefined> {
  const { error } = await client.POST("/v1/games/{id}/undo", { params: { path: { id } } });
  return error?.code;
}

/** What has a default need not be sent. */
export const small: [Contract["Join"], Contract["SeatsToo"], Contract["NewGame"]] = [{}, {}, { variant: "shogi" }];

/** `kind` tells what a clock needs. */
export const clock: Contract["NewClock"] = { kind: "fischer", initial: "10m", increment: 5 };

/** Each event of a page is one of a few, by its type. */
export function summed(page: Contract["EventPage"]): string[] {
  return page.items.map((event) => {
    switch (event.type) {
      case "move": return event.move + event.position;
      case "accepted": case "declined": case "withdrawn": return `${event.data.offer}: ${event.data.kind}`;
      case "rematch": return event.data.game;
      case "created": case "resigned": case "undo": return `${event.version}`;
      default: return event.at;
    }
  });
}

/** A member tells what was asked of a move. */
export function outcomes(played: Contract["Played"]): number {
  if ("moves" in played) return played.moves.length;
  if ("move" in played) return played.move.length;
  return played.game.ply;
}

/** With `fields` a list has only these, and the id. */
export function listed(page: Contract["GamePage"]): string[] {
  return page.items.map(({ id, status = "unknown", seats = [] }) => `${id} ${status} ${seats.length}`);
}
