/** words.js - what the board says, in English; and in other languages that pages add. */

/** Texts by language, for `lang`. More languages can be added: PlydBoard.words.de = {...}. */
export const words = {
  en: {
    // for screen readers: the parts of the board
    board: "{title}, board", hand: "In hand: {side}", hand_man: "{name}, {count}", choose: "Choose",
    help: "Arrow keys move over the board. Enter picks up and puts down, Escape cancels. " +
      "M goes to the next square that can be chosen, L repeats the last move.",
    // a square: what is on it, and its marks
    empty: "empty", man: "{name}, {side}", pile: "{men}, {side}", upon: "{name} on {below}", many: "{count} {name}s",
    selected: "selected", target: "can be chosen", last: "last move", check: "in check",
    win: "winning line", taken: "taken here", refused: "refused", must: "must take",
    // picking
    picked: "{what}: {count} to choose from", stuck: "{what} cannot move now", cancelled: "Cancelled",
    confirm: "Play", cancel: "Cancel", wait: "It is not your turn",
    past: "You are looking back: nothing can be played here",
    // moves, put together from their effects
    number: "Move {ply}, {side}: {what}.", move: "{name} {from} to {to}", on: "to {to}",
    takes: "takes {name} {square}", drop: "{name} dropped on {square}", place: "{name} on {square}",
    promote: "becomes {name}", stack: "{count} high", in_check: "Check.",
    // how the game stands
    yours: "Your turn", turn: "{side} to move", thinking: "{side} is thinking", checked: "{who}, in check", open: "Waiting for an opponent",
    won: "{side} won", draw: "Draw", over: "{result}: {reason}", aborted: "The game was called off",
    behind: "After move {ply} of {tip}", start: "Start, {tip} moves", sending: "Sending",
    offline: "No connection. Moves are kept and sent later.",
    // moves that are made ahead
    ahead: "When it is your turn: {what}. Tap the board to take it back.", ahead_pick: "{what}: where to, when it is your turn?",
    ahead_gone: "What you made ahead cannot be played: {what}", premove: "made ahead",
    // hints
    hint: "hint", seeking: "Looking for a move", hinted: "Hint: {what}", claim: "claim the win", no_hint: "There is no hint now",
    // the bar
    first: "First move", prev: "Move before", next: "Next move", latest: "Latest move", ask: "Show a hint", flip: "Turn the board",
  },
};
