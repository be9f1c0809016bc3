/*
 * view.h - a game as somebody sees it.
 *
 * This folder turns games, boards, moves and the catalogue of variants into JSON, texts and
 * pictures. It knows nothing of requests. Games, boards and moves
 * are written here; handlers and use cases put them together into answers. So there is one place
 * where a token's hash could slip out. Whether somebody may see the game at all has been asked
 * before (reading.h).
 */
#ifndef PLYD_API_VIEW_VIEW_H
#define PLYD_API_VIEW_VIEW_H

#include <stdint.h>

#include "api/game/clock.h"
#include "api/game/offers.h"
#include "db/db.h"
#include "rules/rules.h"

struct lang;

/* A game at one of its positions. */
struct game_view {
    const struct db_game *row;
    const struct rules_game *game;
    const struct rules_state *state;
    const struct rules_state *before; /* the last move was played in; NULL: not looked up */
    const struct clock *clock;        /* NULL: it has none, or was not looked up */
    const struct offers *offers;      /* those that are open; NULL: not looked up */
    rules_move last, earlier;         /* with `before`: that move, and the one before it */
    unsigned seats;                   /* those that the reader plays, as bits (words.h); 0: none */
    bool hints;                       /* there is an engine to be asked */
    int64_t now;                      /* the database's time, by which a clock is shown */
    struct clock_gaps gaps;           /* the outages that are known */
    const struct rules_refusal *unplayable; /* why the state may only be looked at; NULL: it may be
                                             * played */
    const struct lang *lang; /* of texts; NULL: English, and boards as their game has them */
};

/* What a client wants to see of a game. ?include= adds to its members, so that one answer is enough
 * to draw the game and to play on. ?fields=, in lists, leaves only these members and the id, so
 * that a page of many games stays small. */
enum { VIEW_LEGAL_MOVES = 1, VIEW_LEGAL_TREE = 2, VIEW_BOARD = 4 };
struct view_choice {
    uint32_t fields;  /* a bit for each of view_members[]; 0: all */
    uint32_t include; /* bits of VIEW_... */
};

#endif
