/** board.d.ts - the types of <plyd-board>, a board to play on. Loading the module defines the element. */

import type { Connection, Game, GameState, PlayedMove, Plyd, PlydError, SeatNumber, Variant } from "./plyd.js";

/** What a page may set as `state`: a game of its own, or one of the daemon's. */
export type BoardState = Partial<GameState> & Pick<GameState, "variant" | "ply">;

export class PlydBoard extends HTMLElement {
  /** The texts of the element, by language. What is missing is English. */
  static words: Record<string, Record<string, string>>;

  // ---- attributes, too ----

  /** Takes a Game or an id. */
  get game(): Game | null;
  set game(game: Game | string | null);
  /** Where the daemon is. There is no default in a package. */
  server: string | null;
  token: string | null;
  variant: string | null;
  position: string | null;
  seat: string | number | null;
  ply: string | number | null;
  line: string | number | null;
  theme: string | null;
  men: string | null;
  coords: string | null;
  notation: string | null;
  controls: string | null;
  hands: string | null;
  confirm: boolean;
  sound: boolean;
  vibrate: boolean;

  // ---- properties only ----

  get state(): GameState | null;
  set state(state: BoardState | null);
  catalogue: Variant | null;
  get plyd(): Plyd;
  set plyd(plyd: Plyd | null);

  /** Shows what the engine would play, where `you.may` has `hint`. */
  hint(): Promise<void>;
  flip(): void;
  /** Plays a sound, if the board has `sound`. */
  chime(kind: "move" | "take" | "check" | "end" | "low"): void;
  /** Gives up what is picked. */
  cancel(): void;

  addEventListener<Type extends keyof PlydBoardEvents>(
    type: Type, heard: (event: PlydBoardEvents[Type]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, heard: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

export interface PlydBoardEvents {
  /** Before a move is sent; `preventDefault()` stops it. */
  "plyd-move": CustomEvent<{ move: string; clicks: string[] }>;
  "plyd-moved": CustomEvent<PlayedMove>;
  "plyd-refused": CustomEvent<PlydError>;
  "plyd-state": CustomEvent<GameState>;
  "plyd-end": CustomEvent<{ outcome: GameState["outcome"]; status: GameState["status"]; state: GameState }>;
  "plyd-connection": CustomEvent<Connection>;
  "plyd-select": CustomEvent<{ square: string | null; clicks: string[]; next: string[] }>;
  "plyd-hint": CustomEvent<unknown>;
  "plyd-note": CustomEvent<{ text: string; isRefused: boolean }>;
  "plyd-look": CustomEvent<{ ply: number | null; line: number }>;
}

declare global {
  interface HTMLElementTagNameMap { "plyd-board": PlydBoard }
}
