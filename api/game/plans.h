/*
 * plans.h - conditional moves: what a seat plays if its opponent plays this or that.
 *
 * A plan is a tree. It is rooted at a ply of a line, where the opponent is to move:
 *
 *     [{"if": "3c3d", "then": "8h2b+", "next": [...]}, {"if": "*", "then": "resign"}]
 *
 * "if" is a move of the opponent. "*" is any move that no branch beside it names; nobody can tell
 * what will be legal then, so the answer can only be "resign". "then" is the owner's answer: a
 * move, "resign", or {"move": "...", "offer": "draw"}. "next" are the branches behind the answer.
 *
 * A plan is never changed by what is played. Which branch the game is on follows from the moves
 * since its root. These are always the next plies of the game: an undo, a redo and a move that the
 * owner makes themselves end a plan, as does a move that has no branch. Then the seat's bit in
 * db_game.plans is cleared, in the same append. What is stored of a plan means something only while
 * its seat has the bit.
 *
 * Pure.
 */
#ifndef PLYD_API_GAME_PLANS_H
#define PLYD_API_GAME_PLANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/game/words.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "rules/rules.h"

enum {
    PLAN_BRANCHES_MAX = 512, /* of a tree, in all */
    PLAN_DEPTH_MAX = 64,     /* answers one after the other */
    PLAN_MOVE_BYTES = 128,
    PLAN_LEVELS = 2 * PLAN_DEPTH_MAX + 8 /* of a body that has a tree: room for one too deep */
};

struct plan_branch {
    const char *when;     /* "*": any move that no sibling names */
    const char *then;     /* "resign", or a move */
    bool offers_draw;     /* with the answer */
    size_t next, sibling; /* indices of its first branch, and of the next sibling; 0: none */
};

/* Branch 1 is the first one of the root; 0 is none. What is behind a branch has larger indices than
 * it, and smaller ones than its next sibling. */
struct plan {
    struct plan_branch *branch;
    size_t count; /* without branch[0], which is not used */
};

/* ---- reading and writing ---- */

/* Takes the member "tree" of a request, with the moves as they are written there. Whether all went
 * well tells json_ok(). The plan lies in the arena of the fields. */
void plans_take(struct json_fields *fields, struct plan *plan);

/* The tree as it is stored and shown, and back. */
const char *plans_text(struct arena *arena, const struct plan *plan);
bool plans_load(struct arena *arena, const char *text, struct plan *plan);

/* ---- judging ---- */

/* What is wrong with a tree. */
struct plan_fault {
    enum problem problem;
    const char *pointer; /* to the first move that is wrong, as a member of "/tree" */
    const char *detail;
    const char *move;                /* that the rules refuse; NULL: something else is wrong */
    const struct rules_state *state; /* and in which position */
    struct rules_refusal why;
};

/* Lets the rules read every move from a position on. True: *judged is the same tree, with the moves
 * as the rules write them, so that equal moves have equal texts. Ends that need the game's past
 * (repetition) are not seen: the branches behind one are never reached. */
bool plans_judge(struct arena *arena, const struct rules_game *game,
                 const struct rules_state *state, const struct plan *plan, struct plan *judged,
                 struct plan_fault *fault);

/* ---- following ---- */

/* The branch that fits the moves since the root, which are the opponent's and the owner's in turns.
 * 0: there are none, or they have left the tree. Behind a move of the opponent it is the branch
 * with the answer; behind an answer, the branch whose `next` is ahead. */
size_t plans_follow(const struct plan *plan, const char *const *moves, size_t count);

/* Whether the answer of a branch is to give up. */
bool plans_resigns(const struct plan_branch *branch);

/* The JSON pointer to a branch, from the document that has the tree: "/tree/0/next/1". */
const char *plans_pointer(struct arena *arena, const struct plan *plan, size_t branch);

/* ---- in the log ---- */

/* What the data of an event says that a plan has brought about, as a member (draft_data()). */
#define PLANS_SOURCE "\"source\":\"plan\""

/* Whether the data of an event (NULL: it has none) says so. */
bool plans_played(const char *data);

/* ---- db_game.plans ---- */

static inline bool plans_has(int32_t plans, int seat)
{
    return ((unsigned)plans & seat_bit(seat) >> 1) != 0;
}

/* After a plan of the seat ended, or all of them. */
static inline int32_t plans_without(int32_t plans, int seat)
{
    return (int32_t)((unsigned)plans & ~(seat_bit(seat) >> 1));
}
static inline int32_t plans_without_any(int32_t plans)
{
    return (int32_t)((unsigned)plans & ~((unsigned)SEATS_BOTH >> 1));
}

/* After the plan of the seat was set or deleted: the count is another one. */
static inline int32_t plans_changed(int32_t plans, int seat, bool has)
{
    unsigned next = ((unsigned)plans_without(plans, seat) + 4) & INT32_MAX;

    return (int32_t)(has ? next | seat_bit(seat) >> 1 : next);
}

#endif
