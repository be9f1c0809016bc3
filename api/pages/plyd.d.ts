/** plyd.d.ts - the types of plyd.js, a client for games on plyd. The daemon explains its JSON at /docs. */

export type SeatNumber = 1 | 2;

/** What is sent is repeated until it is answered, at most for `deadline` milliseconds. */
export interface Options {
  /** Ends the request; it is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds for all attempts; by default that of the Plyd. */
  deadline?: number;
  /** The Idempotency-Key of all attempts; by default a random one. */
  key?: string;
  /** Is called when an attempt brought no answer, and the request will be repeated. */
  trouble?: (problem: Problem) => void;
}

export interface RequestOptions extends Options {
  body?: unknown;
  /** By default that of the game or the player; null: none. */
  token?: string | null;
  include?: string;
  headers?: Record<string, string>;
  /** It is sent to the end, though the page is left meanwhile. */
  keepalive?: boolean;
}

// ---- what the server says -------------------------------------------------------------------------

export interface Problem {
  type?: string;
  title?: string;
  /** 0: the server does not answer. */
  status: number;
  /** Stable, for programs; `no-answer` with status 0. */
  code: string;
  /** A sentence for people. */
  detail: string;
  /** The same with squares and moves as people write them, where they are typed otherwise. */
  text?: string;
  pointer?: string;
  rule?: Rule;
  game?: GameSummary;
  /** Of 409: the moves that were played since. */
  moves?: BareMove[];
  [more: string]: unknown;
}

export interface Rule {
  id?: string;
  number?: string;
  text?: string;
  squares?: Witness[];
  examples?: string[];
  [more: string]: unknown;
}

export interface Witness {
  role: string;
  square: string;
  piece?: string;
  seat?: SeatNumber;
}

export interface Outcome {
  winner?: SeatNumber;
  reason: string;
}

export type Status = "open" | "active" | "finished" | "aborted";

/** What you play, and what the state allows you to do. */
export interface You {
  seats: SeatNumber[];
  may: string[];
}

export interface GameSummary {
  version: number;
  ply: number;
  line: number;
  to_move: SeatNumber | null;
  status: Status;
  position: string;
  outcome?: Outcome;
  you?: You;
}

export interface Seat {
  seat: SeatNumber;
  side: string;
  state: "open" | "taken" | "engine" | "challenged";
  name?: string;
  engine?: string;
  level?: number;
  player?: string;
  invitation_expires_at?: string;
}

export interface Clock {
  kind: "days" | "fischer" | "byoyomi";
  first_move_s: number;
  left_s: Record<SeatNumber, number>;
  periods_left?: Record<SeatNumber, number>;
  running: SeatNumber | null;
  deadline_at: string | null;
  paused: { until: string } | null;
  away?: Partial<Record<SeatNumber, string>>;
  now: string;
  [more: string]: unknown;
}

export interface Offer {
  id: number;
  kind: "draw" | "undo" | "abort" | "time" | "pause";
  seat: SeatNumber;
  to_ply?: number;
  add_s?: number;
  for_s?: number;
  at: string;
  may?: ("accept" | "decline" | "withdraw")[];
}

/** The possible clicks: what follows on each, or the text of a finished move. */
export interface Clicks {
  [click: string]: string | Clicks;
}

export interface Man {
  seat: SeatNumber;
  piece: string;
  name: string;
  symbol: string;
}

export interface Square {
  square: string;
  /** The board is no rectangle: this square is not there. */
  missing?: boolean;
  /** From the bottom to the top. */
  men?: Man[];
  zones?: string[];
}

export interface InHand extends Man {
  count: number;
  click?: string;
}

/** The board as seat 1 sees it. */
export interface Board {
  width: number;
  height: number;
  files: string[];
  ranks: string[];
  rows: Square[][];
  hands?: Record<SeatNumber, InHand[]>;
  marks: { last: string[]; check: string[]; [more: string]: string[] };
}

export interface GameState extends GameSummary {
  id: string;
  variant: string;
  options: Record<string, string | number | boolean>;
  rules_version: number;
  /** The last ply of the line; above `ply` if there is something to redo. */
  tip: number;
  last_move: { ply: number; seat: SeatNumber; move: string; squares: string[]; at: string } | null;
  check: boolean;
  /** Two, that of seat 1 first. */
  seats: Seat[];
  clock?: Clock;
  offers: Offer[];
  undo: "free" | "consent" | "never";
  visibility: "public" | "unlisted" | "private";
  metadata?: Record<string, string>;
  created_at: string;
  updated_at: string;
  /** The id of the rematch. The token that is kept for a seat of this game is then kept for that, too. */
  next?: string;
  /** These three only in `myGames()`: when its end was stored, up to which version you have read it, and how many events are new. */
  ended_at?: string;
  read?: number;
  unread?: number;
  links: Record<string, string>;
  legal_moves?: { count: number; moves: string[] };
  legal_tree?: { count: number; tree: Clicks };
  legal_omitted?: true;
  board?: Board;
}

export interface Effect {
  type: "move" | "capture" | "drop" | "promote" | "place" | "stack";
  from?: string;
  to?: string;
  square?: string;
  piece?: string;
  seat?: SeatNumber;
  count?: number;
}

export interface BareMove {
  ply: number;
  line: number;
  seat: SeatNumber;
  move: string;
  text?: string;
  at: string;
}

export interface Move extends BareMove {
  text: string;
  /** What the move did, in order. */
  effects: Effect[];
  source?: "plan";
  spent_s?: number;
  left_s?: number;
  periods_left?: number;
}

export interface PlayedMove extends Move {
  /** What the computer, or a plan of the other side, has played in return. */
  answers?: Move[];
  game: GameState;
}

/**
 * What every change of a game is answered with: `game` is the game after it. Its own members stand beside that only
 * for pages written before there was `game`.
 */
export interface Changed extends GameState {
  answers?: Move[];
  game: GameState;
}

export interface Position {
  ply: number;
  line: number;
  position: string;
  to_move: SeatNumber | null;
  check: boolean;
  move: string | null;
  text: string | null;
  effects: Effect[];
  at: string;
  links: { prev?: string; next?: string; board: string; picture: string };
  legal_moves?: { count: number; moves: string[] };
  legal_tree?: { count: number; tree: Clicks };
  legal_omitted?: true;
  board?: Board;
}

/** An event of the log. Its `type` is `move`, `undo`, `joined`, `resigned` and so on. */
export interface GameEvent {
  version: number;
  type: string;
  seat?: SeatNumber;
  line: number;
  ply: number;
  move?: string;
  position?: string;
  data?: Record<string, unknown>;
  at: string;
}

export interface Page<Item> {
  items: Item[];
  /** Games whose rules are not loaded there. */
  not_loaded?: { id: string; variant: string; status: Status; updated_at: string; code: "game-not-loaded" }[];
  /** The address of the next page. */
  next: string | null;
}

export interface VariantInList {
  name: string;
  title: string;
  doc: string;
  /** `title` is the name as people read it, here and below. */
  seats: { seat: SeatNumber; name: string; title: string; mark: string; color: string }[];
  /** The names of the engines that play it. */
  engines: string[];
  /** Whether plyd knows more of the game than its rules. */
  engine_knows: boolean;
  links: Record<string, string>;
}

/** A computer opponent. `level` is the usual one of its levels. */
export interface Engine {
  name: "plyd" | "random";
  title: string;
  doc: string;
  level?: number;
  levels: { level: number; nodes: number; doc: string }[];
}

export interface Variant extends VariantInList {
  rules_version: number;
  board: {
    width: number; height: number; coordinates: string; tiling: "squares" | "hexagons"; files: string[]; ranks: string[]; squares: string[];
    /** The labels by which people write squares, if these are others. */
    written?: { files: string[]; ranks: string[] };
  };
  zones: { name: string; title: string; seat: SeatNumber | null; squares: string[] }[];
  pieces: {
    name: string;
    title: string;
    letter: Record<SeatNumber, string>;
    symbol: Record<SeatNumber, string>;
    ascii: Record<SeatNumber, string>;
    doc: string;
    promotes_to: string | null;
    demotes_to: string | null;
  }[];
  hands: boolean;
  hand_order: string[];
  /** Whether the men of the opposite side are drawn upside down. */
  facing: boolean;
  position: { pattern: string; doc: string; examples: string[]; start?: string };
  move: { pattern: string; doc: string; examples: string[]; choices?: Record<string, string> };
  /** A JSON Schema. */
  options: Record<string, unknown>;
  /** What people call the values of the options that have names. */
  option_values: Record<string, Record<string, string>>;
  /** Sets of men beside the usual one. */
  sets: { name: string; title: string }[];
  defaults: Record<string, string | number | boolean>;
  ends: { reason: string; title: string; meaning: string }[];
  laws: { id: string; number: string; text: string }[];
  exports: string[];
  features: string[];
  [more: string]: unknown;
}

export interface Player {
  id: string;
  name: string;
  created_at: string;
  about?: string;
  picture?: string;
  colours: { dark: string; light: string };
  findable?: boolean;
  account_since_at?: string;
  links: Record<string, string>;
}

// ---- what you send --------------------------------------------------------------------------------

export interface NewGame {
  variant: string;
  options?: Record<string, string | number | boolean>;
  position?: string;
  moves?: string[];
  /** Two, that of seat 1 first. */
  seats?: NewSeat[];
  undo?: "free" | "consent" | "never";
  visibility?: "public" | "unlisted" | "private";
  metadata?: Record<string, string>;
  clock?: Record<string, string | number | boolean>;
}

/** Yours (`me`), one that somebody may take (`open`), a `player`'s who is challenged, or the computer's (`engine: "plyd", level: 3`). */
export interface NewSeat {
  me?: boolean;
  open?: boolean;
  player?: string;
  /** Of a challenge: for how long it waits, as "3d". */
  expires?: string | number;
  engine?: "plyd" | "random";
  level?: number;
  /** The computer's: with the same one it answers the same moves in the same way. */
  seed?: number;
  name?: string;
}

export type NewMove = ({ move: string } | { clicks: string[] }) & { offer?: "draw" };

export interface NewOffer {
  kind: Offer["kind"];
  to_ply?: number;
  add?: string | number;
  for?: string | number;
}

// ---- the client -----------------------------------------------------------------------------------

/** Why a request was refused, or (`status` 0) that there was no answer. */
export class PlydError extends Error {
  constructor(problem: Problem);
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** The rule that a move breaks. */
  readonly rule?: Rule;
  /** The squares that show it. */
  readonly squares: Witness[];
  /** Where the game stands. */
  readonly game?: GameSummary;
  readonly problem: Problem;
}

/**
 * The games of this device, with the tokens of your seats; the newest first. A tab keeps the token that was
 * remembered in it, so two tabs may play the two seats of a game.
 */
export interface Keys {
  list(): { id: string; token: string; at: number; variant?: string; [more: string]: unknown }[];
  remember(id: string, token: string, more?: Record<string, unknown>): void;
  forget(id: string): void;
}

/** What the module needs of a Storage. */
export interface Texts {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface PlydOptions {
  /** Where the daemon is. By default the origin from which this module was loaded. */
  server?: string;
  /** A player's token. By default the one that `player()` has kept. */
  token?: string;
  fetch?: typeof globalThis.fetch;
  /** Where tokens and moves without an answer are kept. By default localStorage, or the memory. */
  storage?: Texts;
  /** The language of the catalogue and of what the rules refuse: "ja", "tr". By default English. */
  lang?: string;
  /** Milliseconds for all attempts of a request: 60,000. A move has no deadline. */
  deadline?: number;
}

/** A server, and who you are there. */
export class Plyd {
  constructor(options?: PlydOptions);
  readonly server: string;
  /** The player's token. */
  token: string | null;
  lang: string | null;
  deadline: number;
  readonly keys: Keys;

  /** The catalogue. It is asked for once. */
  variants(): Promise<VariantInList[]>;
  /** The computer opponents, with their levels. */
  engines(): Promise<Engine[]>;
  variant(name: string): Promise<Variant>;

  /** Makes a game and keeps its token. */
  create(body: NewGame, options?: Options & { include?: string }): Promise<Game>;
  /**
   * The handle of a game, one for each id and token. There is no request yet. Without `token` it is the one
   * that this device knows. `include` has what the state shall have: `"board,legal_tree"`.
   */
  game(id: string, options?: { token?: string; include?: string }): Game;
  /** The handle of a game that an answer of `request` has brought (import, fork). Its token is kept. */
  adopt(state: GameState & { token?: string }, options?: { include?: string }): Game;

  /** Who you are; null without a player's token. */
  me(options?: Options): Promise<Player | null>;
  /** Makes a player. The token is kept, and the games that you create from now on belong to the player. */
  player(body: { name: string }, options?: Options): Promise<Player & { token: string }>;
  /** Acts as a player from now on, whose token is kept; null forgets them. */
  become(player: { id: string; token: string } | null): void;
  /** Gives the player the games of which this browser has nothing but keys. Done again it asks for new ones alone. */
  takeOver(options?: Options): Promise<void>;
  myGames(query?: Record<string, string | number>, options?: Options): Promise<Page<GameState> & { waiting: number }>;
  publicGames(query?: Record<string, string | number>, options?: Options): Promise<Page<GameState>>;

  /** Any other request: the JSON of a 2xx. Anything else is a PlydError. */
  request<Answer = any>(method: string, path: string, options?: RequestOptions): Promise<Answer>;
}

/** A move that is sent but not answered. */
export interface PendingMove {
  ply: number;
  move?: string;
  clicks?: string[];
  offer?: "draw";
  key: string;
  /** When it was made, in milliseconds since 1970. */
  at: number;
}

/**
 * `live`: news come at once. `polling`: they come soon. `offline`: the server does not answer a question or a
 * move, or a stream was silent for 40 seconds. `closed`: the game is not watched, or may not be seen.
 */
export type Connection = "live" | "polling" | "offline" | "closed";

export interface News<Detail> extends Event {
  readonly detail: Detail;
}

export interface GameEventMap {
  /**
   * There is a newer state. `event` is the last event that has led to it, null after a request of your own.
   * `moves` are those played since the state before, with their effects, if they are known.
   */
  state: News<{ state: GameState; event: GameEvent | null; moves: Move[] }>;
  /** An event of the log, each once and in order while the game is watched. The state follows. */
  event: News<GameEvent>;
  pending: News<PendingMove[]>;
  /** A move was made ahead, or is not to be played any more; here or in another tab. */
  premove: News<string[] | null>;
  connection: News<Connection>;
  /** A move was refused. It and those behind it are not pending any more. */
  refused: News<PlydError>;
}

/** A game: its last known state, what you do in it, and its news. */
export class Game extends EventTarget {
  private constructor();
  readonly id: string;
  /** The token of your seats, else that of the player. */
  readonly token: string | null;
  /** What the state shall have, such as `board,legal_tree`. */
  readonly include: string;
  /** The last known state; null before the first one. */
  readonly state: GameState | null;
  readonly you: You | null;
  /** The moves without an answer, in order; also those of another tab, or from before a reload. */
  readonly pending: PendingMove[];
  readonly connection: Connection;
  /** Whether something has happened that `state` does not have yet. */
  readonly isBehind: boolean;

  load(options?: Options): Promise<GameState>;

  /**
   * Plays a move at the ply that is next now. It is kept in the storage at once, and sent until it is
   * answered, however long that takes. A refusal rejects with a PlydError.
   */
  move(body: NewMove): Promise<PlayedMove>;
  /** Why a move would be refused; null if it would be played. */
  ask(body: NewMove, options?: Options): Promise<PlydError | null>;

  /**
   * The clicks of the move that is to be played as soon as it is your turn; null: none. It belongs to one ply of one line:
   * when the game goes elsewhere, it is gone.
   */
  readonly premove: string[] | null;
  /**
   * Keeps such a move, over reloads and for all tabs; null gives it up. Nothing is sent: a `<plyd-board premove>` plays it,
   * or your page does when a `state` has your turn and `premove`.
   */
  setPremove(clicks: string[] | null): void;

  /** Goes on with the next game. Between two players it is `open` until the other one accepts it. */
  act(action: "rematch", body?: undefined, options?: Options): Promise<Game>;
  /** `resume` ends a pause. An undo that the other player has to agree to brings an offer. */
  act(action: "undo" | "redo", body?: { to_ply?: number }, options?: Options):
    Promise<Changed | { offer: Offer; game: GameState }>;
  act(action: "resign" | "abort" | "resume", body?: { seat?: SeatNumber }, options?: Options): Promise<Changed>;
  /** Declines a challenge to you, perhaps with a word. It is accepted by `join()`; `decline()` is about offers. */
  act(action: "decline", body?: { text?: string }, options?: Options): Promise<Changed>;
  offer(body: NewOffer, options?: Options): Promise<{ offer: Offer; game: GameState }>;
  accept(offer: number, options?: Options): Promise<Changed>;
  decline(offer: number, options?: Options): Promise<Changed>;
  withdraw(offer: number, options?: Options): Promise<Changed>;
  claim(kind: "timeout" | "impasse" | "repetition", options?: Options): Promise<Changed>;
  /** Writes to the other player. */
  say(text: string, ply?: number, options?: Options): Promise<{ message: { version: number; text: string }; game: GameState }>;
  invite(body?: { seat?: SeatNumber | string; expires?: string | number }, options?: Options):
    Promise<{ code: string; url: string; seat: SeatNumber; expires_at: string; game: GameState }>;
  /** Takes an open seat. The token is kept, and this handle plays the seat from now on. */
  join(body?: { name?: string; seat?: SeatNumber | string; invitation?: string }, options?: Options):
    Promise<Changed & { token: string; seat: SeatNumber }>;

  position(ply: number, options?: Options & { line?: number; include?: string }): Promise<Position>;
  /** All moves of a line. */
  moves(options?: Options & { line?: number; after?: number }): Promise<Move[]>;
  /** All events behind a version. */
  events(options?: Options & { after?: number; type?: string }): Promise<GameEvent[]>;

  /** Follows the game until the function that it returns is called. All tabs share one connection. */
  watch(): () => void;
  /** Watches until a state is as it shall be, and gives it back. */
  until(holds: (state: GameState) => boolean, options?: { signal?: AbortSignal }): Promise<GameState>;

  /** Any other request about this game: `path` follows /v1/games/ID. A state in the answer is taken over. */
  request<Answer = any>(method: string, path?: string, options?: RequestOptions): Promise<Answer>;

  addEventListener<Type extends keyof GameEventMap>(
    type: Type, listener: (event: GameEventMap[Type]) => void, options?: ListenerOptions): void;
  addEventListener(type: string, listener: Listener, options?: ListenerOptions): void;
  removeEventListener<Type extends keyof GameEventMap>(
    type: Type, listener: (event: GameEventMap[Type]) => void, options?: ListenerOptions): void;
  removeEventListener(type: string, listener: Listener, options?: ListenerOptions): void;
}

type Listener = Parameters<EventTarget["addEventListener"]>[1];
type ListenerOptions = Parameters<EventTarget["addEventListener"]>[2];
