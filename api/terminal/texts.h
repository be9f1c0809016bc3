/*
 * texts.h - the sentences of `plyd play`, in one place so that they can be read, and one day
 * translated, together. The words that people type stand in orders.def.
 */
#ifndef PLYD_API_TERMINAL_TEXTS_H
#define PLYD_API_TERMINAL_TEXTS_H

/* ---- menus ---- */
#define SAY_WHICH_GAME   "Which game?\n"
#define SAY_KEPT         "  r  go on with the game that was kept (%s, ply %zu)\n"
#define SAY_FILE         "  l  load a game from a file\n"
#define SAY_EXIT         "  0  exit\n"
#define SAY_WRONG_CHOICE "That is not one of the choices.\n"
#define SAY_WHICH_FILE   "Which file? (Enter: back)\n"
#define SAY_OPTIONS      "Options as NAME=VALUE, with blanks between them (Enter: as usual)\n"
#define SAY_WHO                          \
    "Who plays?\n"                       \
    "  1  you (%s) against the engine\n" \
    "  2  you (%s) against the engine\n" \
    "  3  two people at this keyboard\n" \
    "  4  the engine against itself\n"   \
    "  0  back\n"
#define SAY_LEVEL "Which level, 1 to %d? (Enter: %d)\n"

/* ---- the game ---- */
#define SAY_PLAYS           "%s plays %s.\n"
#define SAY_DECLARES        "%s declares a win.\n"
#define SAY_THINKS          "%s thinks ...\n"
#define SAY_STOPPED         "Nobody is waited for now. `go` goes on, `undo` takes a move back.\n"
#define SAY_OVER            "The game is over. `undo`, `back`, `save FILE`, `menu` and `quit` still work.\n"
#define SAY_NOT_YOURS       "It is the other side's turn. `go` waits for it.\n"
#define SAY_NOT_HERE        "You look at ply %zu of %zu. `last` shows the present position.\n"
#define SAY_STEP            "ply %zu of %zu: %s\n"
#define SAY_START           "ply 0 of %zu: the start\n"
#define SAY_FIRST_STEP      "This is the first step.\n"
#define SAY_NO_MORE_STEPS   "There are no more steps.\n"
#define SAY_NO_SUCH_PLY     "Plies are counted from 0 to %zu.\n"
#define SAY_NOTHING_TO_UNDO "There is nothing to take back.\n"
#define SAY_NOTHING_TO_REDO "There is nothing to play again.\n"
#define SAY_HINT            "The engine would play %s (score %+.2f, depth %u).\n"
#define SAY_HINT_MATE       "The engine would play %s (%s in %d plies).\n"
#define SAY_WINS            "wins"
#define SAY_LOSES           "loses"
#define SAY_NO_HINT         "The hint was stopped.\n"
#define SAY_HINT_DECLARE    "The engine would declare a win: `declare`.\n"
#define SAY_BAD_LEVEL       "Levels are 1 to %d.\n"
#define SAY_NEW_LEVEL       "The engine plays at level %u now.\n"
#define SAY_OFFERS_DRAW     "%s offers a draw: `draw` accepts it, a move declines it.\n"
#define SAY_DECLINES        "The engine plays on.\n"
#define SAY_NO_SQUARE       "This board has no square %s.\n"
#define SAY_BAD_STYLE       "Styles are ascii, unicode, figures and color.\n"
#define SAY_NO_MOVES_YET    "No move was played yet.\n"
#define SAY_NO_LEGAL_MOVE   "There is no legal move.\n"
#define SAY_WORDS           "Type a move as it is written in the game, or one of these words:\n"
#define SAY_MOVES           "Moves: %s\n"
#define SAY_NO_OFFER        "Nothing is offered.\n"

/* ---- a game on a daemon ---- */
#define SAY_UNREACHABLE "%s: %s\n"
#define SAY_STATUS      "The daemon answers with status %d.\n"
#define SAY_NO_GAME     "that is not a plyd daemon"
#define SAY_WENT_BACK   "The game is at ply %zu again.\n"
#define SAY_OFFERS      "%s offers: %s. `accept` or `decline` answers.\n"
#define SAY_NOT_AWAY    "That is not possible with a game on a daemon.\n"
#define SAY_AWAY        "Game %s. `plyd play --daemon %s --game %s` goes on with it.\n"
#define SAY_ASKS        "The other side is asked.\n"
#define SAY_WATCHES     "You watch: no seat is yours.\n"

/* ---- the screen ---- */
#define SAY_TITLE         "%s    %s: %s, %s: %s    ply %zu of %zu\n"
#define SAY_YOU           "here"
#define SAY_ELSEWHERE     "elsewhere"
#define SAY_ENGINE        "plyd, level %u"
#define SAY_KEYS          "arrows and Enter: a move   Tab: choices   PgUp PgDn: steps   help   quit\n"
#define SAY_CHOICES       "choose:"
#define SAY_NOTHING_MOVES "No move begins there.\n"
#define SAY_MORE          "-- Enter: more, Esc: back --"

/* ---- files ---- */
#define SAY_SAVED         "Saved in %s.\n"
#define SAY_NO_FILE       "Which file? `load FILE`\n"
#define SAY_FORMATS       "This game can be saved with these endings:\n"
#define SAY_NO_FORMAT     "No format of this game has that ending.\n"
#define SAY_CANNOT_WRITE  "%s cannot be written: %s\n"
#define SAY_CANNOT_READ   "%s cannot be read: %s\n"
#define SAY_BAD_FILE      "%s is not a record of a game: %s\n"
#define SAY_BAD_LINE      "Reading stopped at line %zu, character %zu.\n"
#define SAY_ANOTHER_PLAYS "Another `plyd play` keeps its game now.\n"
#define SAY_NOT_KEPT      "This game is not kept while it is played. `save FILE` writes it.\n"
#define SAY_KEPT_IN       "The game is kept: `plyd play %s` goes on with it.\n"

#endif
