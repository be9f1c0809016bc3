/*
 * stackchess_scene.h - short ways to set up a position of Stackchess, to play in it and to look.
 *
 * Every function fails the running test where what it is asked for cannot be. Texts live until the
 * next call of the same function.
 */
#ifndef PLYD_TESTS_RULES_STACKCHESS_SCENE_H
#define PLYD_TESTS_RULES_STACKCHESS_SCENE_H

#include "rules/rules.h"

extern const struct rules_game rules_stackchess;

/* A position, NULL for the start, under options such as "size=8 knights=true", "" for none. */
struct rules_state scene(const char *options, const char *position);

/* Whether that is a start at all; else *why says what is wrong. */
bool scene_try(const char *options, const char *position, struct rules_state *state,
               struct rules_refusal *why);

/* The position after the moves, which are parted by blanks; its text and the text of any. */
struct rules_state scene_play(struct rules_state state, const char *moves);
const char *scene_text(const struct rules_state *state);
const char *scene_after(const char *position, const char *moves);

/* The legal moves that begin with `prefix` ("a1", "2a1"), in byte order, parted by blanks. */
const char *scene_moves(const struct rules_state *state, const char *prefix);

/* The same in a position under the default options. */
const char *scene_legal(const char *position, const char *prefix);

/* Why a move is refused in a position under the default options. */
struct rules_refusal scene_refusal(const char *position, const char *move);

#endif
