/*
 * plans.h - conditional moves: what a seat plays if its opponent plays this or that.
 *
 * A plan is a tree. It is rooted at a ply of a line, after a move of its owner (or at the start),
 * where the opponent is to move:
 *
 *     [{"if": "3c3d", "then": "8h2b+", "next": [...]}, {"if": "*", "then": "resign"}]
 *
 * "if" is a move of the opponent, "*" any other. "then" is the owner's answer: a move, "resign", or
 * {"move": "...", "offer": "draw"}. "next" are the branches behind the answer. Moves are stored as
 * the rules write them, so that equal ones have equal texts.
 *
 * A plan is never changed by what is played. Which branch the game is on follows from the moves
 * since its root; a move off the tree ends it.
 *
 * Pure.
 */
#ifndef PLYD_API_GAME_PLANS_H
#define PLYD_API_GAME_PLANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/text/arena.h"
#include "api/text/json_read.h"
#include "rules/rules.h"

enum {
    PLAN_BRANCHES_MAX = 512, /* of a tree, in all */
    PLAN_DEPTH_MAX = 64,     /* answers one after the other */
    PLAN_MOVE_BYTES = 128
};

struct plan_branch {
    const char *when;      /* canonical; "*": any move that no sibling names */
    const char *then;      /* canonical; "resign" */
    bool offers_draw;      /* with the answer */
    size_t next, siblings; /* indices of its first branch, and of the next sibling; 0: none */
};

/* Branch 1 is the first one of the root; 0 is none. */
struct plan {
    struct plan_branch *branch;
    size_t count; /* branch[0] is not used */
};

/* Reads the member "tree" of a request, and lets the rules read every move of it from a position
 * on. False: something is malformed, or not legal there; the error is set, with the pointer of the
 * first branch that is wrong. `why` (may be NULL) is the rules' refusal. */
bool plans_take(struct json_fields *fields, const struct rules_game *game,
                const struct rules_state *state, struct plan *plan);

/* As it is stored and shown, and back. */
const char *plans_text(struct arena *arena, const struct plan *plan);
bool plans_load(struct arena *arena, const char *text, struct plan *plan);

/* The branch that fits the moves since the root: the opponent's and the owner's in turns, the
 * opponent's last. 0: the game has left the tree. Moves are canonical texts. */
size_t plans_follow(const struct plan *plan, const char *const *moves, size_t count);

#endif
