/*
 * view.h - a game as it is shown to somebody. Everything that goes out about a game is made in this
 * folder, so that nothing secret can slip out elsewhere.
 */
#ifndef PLYD_API_VIEW_VIEW_H
#define PLYD_API_VIEW_VIEW_H

#include <stdint.h>

#include "db/db.h"
#include "rules/rules.h"

/* A game at one of its positions. */
struct game_view {
    const struct db_game *row;
    const struct rules_game *game;
    const struct rules_state *state;
    unsigned seats; /* those that the reader plays, as bits (words.h); 0: none */
};

/* What a client wants to see of a game. ?include= adds to its members, so that one answer is all
 * that is needed to draw the game and to play on. ?fields= (in lists) leaves only these members and
 * the id, so that a page of many games is small. */
enum { VIEW_LEGAL_MOVES = 1, VIEW_LEGAL_TREE = 2, VIEW_BOARD = 4 };
struct view_choice {
    uint32_t fields; /* as bits of view_members[]; 0: all */
    uint32_t include;
};

/* More legal moves than this are not listed. */
enum { VIEW_LEGAL_MAX = 1 << 15 };

#endif
