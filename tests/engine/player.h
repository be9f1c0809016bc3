/*
 * player.h - an engine at a position, for tests: start a game, let it choose, play on.
 *
 * Every function asserts that the game accepts what it is given.
 */
#ifndef PLYD_TESTS_ENGINE_PLAYER_H
#define PLYD_TESTS_ENGINE_PLAYER_H

#include "engine/engine.h"

enum { PLAYER_PLIES_MAX = 1000 };

struct player {
    struct engine *engine;
    const struct rules_game *game;
    struct rules_state state;
    uint64_t keys[PLAYER_PLIES_MAX];
    size_t ply;
};

/* An engine whose table of positions takes so many bytes. The memory is never freed: the process is
 * one test. */
struct engine *player_engine(size_t table_bytes);

/* A player at a position, or at the start of the game if that is NULL. `options` are "rows=15 k=5",
 * or "". Static, overwritten. */
struct player *player_at(const char *game, const char *options, const char *position);

/* The same at a game by a name of which the engine knows nothing. */
struct player *stranger_at(const char *game, const char *options, const char *position);

/* The task to move from here. */
struct engine_task player_task(const struct player *player);

/* What the engine would play with full strength and so many nodes. */
struct engine_choice player_think(struct player *player, uint64_t nodes);

/* Plays a move. */
void player_play(struct player *player, rules_move move);
void player_play_text(struct player *player, const char *text);

/* How the game stands. */
struct rules_outcome player_outcome(const struct player *player);

/* The text of a legal move here. Static, overwritten. */
const char *player_text(const struct player *player, rules_move move);

/* Whether a move is legal here. */
bool player_may(const struct player *player, rules_move move);

/* One of the legal moves, drawn with *seed. */
rules_move player_random(const struct player *player, uint64_t *seed);

#endif
