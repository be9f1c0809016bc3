/*
 * promise.h - how a promise is written: what the files of this folder have in common.
 *
 * A promise looks at a game through PROMISE(), which ends it where a condition does not hold.
 */
#ifndef PLYD_CONTRACT_PROMISE_H
#define PLYD_CONTRACT_PROMISE_H

#include "contract/contract.h"
#include "contract/walk.h"

enum { CONTRACT_PLIES = 120 /* of a random game, where a promise does not ask for more */ };

/* PROMISE(condition, format, ...): the format says in which position, and of what. */
#define PROMISE(condition, ...)                      \
    do {                                             \
        if (!(condition))                            \
            contract_break(#condition, __VA_ARGS__); \
    } while (0)

/* Ends the promise that is tried. Outside of contract_keeps() it ends the process. */
_Noreturn void contract_break(const char *condition, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

extern const struct contract_promise contract_catalogue[], contract_moves[], contract_positions[],
    contract_show[], contract_draw[];

/* Write the text of a move or a position, and look that nothing behind it was written. */
void contract_move_text(const struct walk *walk, const struct rules_state *state, rules_move move,
                        char text[RULES_MOVE_TEXT]);
void contract_position_text(const struct walk *walk, const struct rules_state *state,
                            char text[RULES_POSITION_TEXT]);

bool contract_same_state(const struct rules_state *a, const struct rules_state *b);

/* Writes the texts of all legal moves, in order. */
void contract_sorted_texts(const struct walk *walk, const struct rules_state *state,
                           char texts[WALK_MOVES_MAX][RULES_MOVE_TEXT]);

/* Writes a text with one to three random slips in it, into a buffer of `cap` bytes. */
void contract_misspell(uint64_t *seed, const char *text, char *out, size_t cap);

/* Looks that a refusal is one of the game: its code, its law, its option, its witnesses and
 * examples. `state` is the position in which a move was refused, or NULL. */
void contract_check_refusal(const struct walk *walk, const struct rules_state *state,
                            const struct rules_refusal *why, const char *text);

#endif
