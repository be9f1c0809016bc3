/*
 * scene.h - a game in a test: a position, what may be played there, and what is refused and why.
 *
 * Options are written "name=value name=value". If something that a test takes for granted is not so
 * (if the start is refused, or a move that leads to the point), the test fails. Texts that are
 * returned are static: the next call overwrites them.
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

/* The text of the position, and the outcome as "ongoing", "1:den" or "draw:full". */
const char *scene_position(const struct scene *scene);
const char *scene_outcome(const struct scene *scene);

/* What a table of tests asks in each of its rows: the legal moves that begin so, in byte order; the
 * position or the outcome after moves; the move that a text means. A position or a move that is
 * refused is answered with the refusal: its code, the number and id of the law, the option, the
 * place in the text, the numbers, the witnesses, the examples, as far as they are given:
 * "must-capture T12 must-capture 0 of 1: capturer d4w, captured d5b; d4xd6". */
typedef const char *scene_question(struct scene *scene, const char *asked);

const char *scene_moves(struct scene *scene, const char *prefix);
const char *scene_after(struct scene *scene, const char *moves);
const char *scene_end(struct scene *scene, const char *moves);
const char *scene_read(struct scene *scene, const char *text);

struct scene_row {
    const char *name; /* what is so, in words, behind the number of the rule */
    const char *options, *position, *asked, *answer;
};

/* Expects the answer of every row; each is tried, and those that fail are named. */
void scene_table(const struct rules_game *game, scene_question *question,
                 const struct scene_row *rows, size_t n);

#define SCENE_TABLE(game, question, rows) \
    scene_table(game, question, rows, sizeof(rows) / sizeof((rows)[0]))

/* Expects the counts at depth 1, 2 ...; the list ends with 0. */
void scene_perft(const struct rules_game *game, const char *options, const char *position,
                 const uint64_t *nodes);

#endif
