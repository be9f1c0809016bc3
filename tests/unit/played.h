/*
 * played.h - games for tests, played by the rules alone: no draft, no live game. They are what the
 * rest is held against, and the rows that it is shown.
 */
#ifndef PLYD_TESTS_UNIT_PLAYED_H
#define PLYD_TESTS_UNIT_PLAYED_H

#include "api/text/arena.h"
#include "db/db.h"
#include "rules/rules.h"

enum { PLAYED_PLIES_MAX = 512 };

struct played {
    const struct rules_game *game;
    struct rules_options options; /* resolved */
    struct db_game row;           /* two people's public game, as it would be stored */
    struct rules_state state;
    struct rules_state recent[4]; /* the last positions, by ply modulo 4 */
    const char *moves[PLAYED_PLIES_MAX];
    uint64_t keys[PLAYED_PLIES_MAX + 1]; /* of every position from the start to the present one */
};

/* Everything that is made in a test; given back by played_free(). */
extern struct arena played_arena;
void played_free(void);

/* The start of a game under options such as "repetition=2 start=bishop". */
void played_start(struct played *played, const char *variant, const char *options);

/* The same from a position, which may have counted moves already; NULL: the usual one. */
void played_from(struct played *played, const char *variant, const char *options,
                 const char *position);

/* The position in which a random game stands after some plies; NULL: it was over by then. */
const char *played_position(const char *variant, const char *options);

/* Plays moves that are legal, parted by blanks. */
void played_moves(struct played *played, const char *moves);

/* A legal move; every other time, if one does, one that leads back to an earlier position. NULL:
 * the game is over. */
const char *played_choose(const struct played *played, uint64_t *seed);

/* Plays up to `plies` such moves. */
void played_random(struct played *played, uint64_t seed, int plies);

/* Calls `look` with games of every variant, some of them with options by which they end sooner. */
void played_each(void (*look)(const char *variant, const char *options));

#endif
