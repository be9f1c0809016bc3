/*
 * scene.h - a game in a test: a position, what may be played there, and what is refused and why.
 *
 * Options are written "name=value name=value". If something that a test takes for granted is not so
 * (if the start is refused, or a move that leads to the point), the test fails.
 */
#ifndef PLYD_TESTS_RULES_SCENE_H
#define PLYD_TESTS_RULES_SCENE_H

#include "rules/rules.h"

enum { SCENE_PLIES_MAX = 1024 };

struct scene {
    const struct rules_game *game;
    struct rules_options options;
    struct rules_state state;
    uint64_t keys[SCENE_PLIES_MAX]; /* of the positions before this one */
    size_t plies;
    struct rules_refusal why; /* of the last refusal */
};

/* Begins a game; `position` may be NULL. scene_starts() says whether that is possible. */
void scene_open(struct scene *scene, const struct rules_game *game, const char *options,
                const char *position);
bool scene_starts(struct scene *scene, const struct rules_game *game, const char *options,
                  const char *position);

/* Plays moves, parted by blanks. */
void scene_play(struct scene *scene, const char *moves);

/* Whether a move may be played. Reading it and the list of legal moves must agree. */
bool scene_allows(struct scene *scene, const char *move);

/* Expects that a move is refused with this code and the law with this id (NULL: none). */
void scene_refuses(struct scene *scene, const char *move, enum rules_code code, const char *law);

/* Expects that a text is read as the legal move whose own text is `canonical`. */
void scene_reads(struct scene *scene, const char *text, const char *canonical);

/* Expects that the square with this name is the i-th witness of the last refusal, in this role. */
void scene_witness(const struct scene *scene, size_t i, enum rules_role role, const char *square);

/* The text of the position, and the outcome as "ongoing", "1:den" or "draw:full". Static. */
const char *scene_position(const struct scene *scene);
const char *scene_outcome(const struct scene *scene);

/* Expects the counts at depth 1, 2 ...; the list ends with 0. */
void scene_perft(const struct rules_game *game, const char *options, const char *position,
                 const uint64_t *nodes);

#endif
