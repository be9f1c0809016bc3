/*
 * walk.h - random games of every game under every option, for the suites that look at positions.
 *
 * A setting is a choice of options: none, each option at each of its interesting values, and random
 * values of all. A walk is one random game under a setting. The same seed makes the same walk. The
 * memory of a walk is never freed: the process is one test.
 */
#ifndef PLYD_CONTRACT_WALK_H
#define PLYD_CONTRACT_WALK_H

#include "rules/rules.h"

enum {
    WALK_MOVES_MAX = 1 << 16,
    WALK_PLIES_MAX = 4096,
    WALK_SETTING_TEXT = 256,
    WALK_WHERE_TEXT = RULES_POSITION_TEXT + 2 * WALK_SETTING_TEXT
};

struct walk {
    const struct rules_game *game;
    struct rules_options options;    /* resolved */
    char setting[WALK_SETTING_TEXT]; /* the options that were given, for messages */
    struct rules_state state;
    struct rules_outcome outcome; /* with the whole past */
    rules_move *moves;            /* the legal moves here */
    size_t nmoves;
    rules_move last; /* the move that led here, or no move */
    rules_move next; /* the move that will be played from here */
    uint64_t *keys;  /* of the positions before this one */
    size_t ply;
    uint64_t seed;
};

/* Walks `plies` plies or to the end of the game, under every setting of a game, and calls `look` at
 * every position, also at the last one, which has no next move. `homing`: every other move leads
 * back to an earlier position if one does, so that positions recur. */
void walk_all(const struct rules_game *game, size_t plies, bool homing,
              void (*look)(struct walk *walk));

/* Another seed makes other walks. */
extern uint64_t walk_seed;

/* If it is not NULL, it gets the place of each position before that is looked at: WALK_WHERE_TEXT
 * bytes, from which another process can read it. */
extern char *walk_place;

/* The number of settings of a game. walk_options() gives the options of one before they are
 * resolved, and describes them; their texts are static. */
size_t walk_settings(const struct rules_game *game);
void walk_options(const struct rules_game *game, size_t setting, struct rules_options *options,
                  char text[WALK_SETTING_TEXT]);

/* The past of the walk, as outcome() takes it. */
struct rules_history walk_history(const struct walk *walk);

/* Picks up to `most` of the legal moves, evenly spread: for (i = 0; walk_pick(walk, most, i,
 * &move); i++) */
bool walk_pick(const struct walk *walk, size_t most, size_t i, rules_move *move);

/* Where the walk is, for messages: game, setting and position. Static, overwritten. */
const char *walk_where(const struct walk *walk);

#endif
