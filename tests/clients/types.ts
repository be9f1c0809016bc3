// The types of plyd.js are those of the contract: what the server says can be read by them, and what they
// allow can be sent.
import type { Clicks, GameEvent, GameState, Move, NewGame, NewMove, NewOffer, Page, PlayedMove, Player, Position,
              Problem, Variant } from "./plyd.js";
import type { components } from "./schema.js";

type Contract = components["schemas"];
type Holds<Told, Read> = Told extends Read ? true : never;

export const told: [
  Holds<Contract["Game"], GameState>,
  Holds<Contract["Move"], Move>,
  Holds<Contract["PlayedMove"], PlayedMove>,
  Holds<Contract["Position"], Position>,
  Holds<Contract["Event"], GameEvent>,
  Holds<Contract["Problem"], Problem>,
  Holds<Contract["Variant"], Variant>,
  Holds<Contract["Player"], Player>,
  Holds<Contract["Clicks"], Clicks>,
  Holds<Contract["EventPage"], Page<GameEvent>>,
] = [true, true, true, true, true, true, true, true, true, true];

type Known = NewGame & { variant: Contract["NewGame"]["variant"] };

export const sent: [
  Holds<Known["options"], Contract["NewGame"]["options"]>,
  Holds<NewMove, Contract["NewMove"]>,
  Holds<NewOffer, Contract["NewOffer"]>,
] = [true, true, true];
