/*
 * game.h - what a game supplies to the search: its judgement, and nothing that is already a rule.
 *
 * A game's file (engine/shogi.c) holds one constant `struct engine_game`. It may include the
 * internal headers of that game's folder in rules/ (rules/shogi/board.h), which no other code
 * outside that folder may: positions are judged hundreds of thousands of times a second, and
 * reading them square by square through rules_game.at() would take longer than everything else.
 *
 * All numbers are integers, so that the same search gives the same result on every machine.
 */
#ifndef PLYD_ENGINE_GAME_H
#define PLYD_ENGINE_GAME_H

#include "engine/engine.h"

/* What a move is to the search: bits. */
enum {
    ENGINE_NOISY = 1,   /* it may change the balance at once: quiescence looks at it */
    ENGINE_FORCING = 2, /* the opponent must answer it: it is neither reduced nor skipped */
    ENGINE_BAD = 4      /* it loses something by what follows on its square: it is searched last */
};

/* What a game thinks of a move: among moves of the same kind a higher value is searched first. */
struct engine_rate {
    int32_t value; /* -1,000,000 to 1,000,000 */
    int32_t gain;  /* noisy moves: what it takes, in hundredths of a man; bad moves: what it loses,
                    * as a negative number */
    uint32_t is;
};

/* The weights of a judgement that is a sum (tally.h), for the program that fits them. */
struct engine_weights {
    const int16_t *weight;
    size_t n;
    /* Adds to each of n counts how often its weight is added for the first seat, minus how often
     * for the second. Returns what the judgement adds besides, for the first seat. */
    int32_t (*count)(const struct rules_state *state, int16_t *counts);
    /* What the weights are, by where those of a kind begin. The rest is zero. */
    struct {
        size_t begin;
        const char *what;
    } groups[8];
};

struct engine_game {
    const char *name; /* of the rules_game */

    /* The worth of a position for the side to move, in hundredths of a man, within +-20,000. The
     * game is not over there by its rules. NULL: as in any game (general.h). */
    int32_t (*evaluate)(const struct rules_state *state);

    /* What evaluate() adds up; NULL: no such sum. */
    const struct engine_weights *weights;

    /* Rates the moves of a position. NULL: as in any game. */
    void (*rate)(const struct rules_state *state, const rules_move *moves, size_t n,
                 struct engine_rate *rates);

    /* Lists the legal moves that are worth a search, at least one, at most `cap`. NULL: all legal
     * moves. */
    size_t (*moves)(const struct rules_state *state, rules_move *moves, size_t cap);

    /* Whether any other move loses where all of `moves` lose. NULL: always. */
    bool (*suffice)(const struct rules_state *state);

    /* Lists moves that include all noisy and all forcing ones. NULL: as `moves`. */
    size_t (*noisy)(const struct rules_state *state, rules_move *moves, size_t cap);

    /* Whether a forcing move wins at once, as far as can be seen without playing it: false is no
     * verdict. NULL: always false. */
    bool (*wins)(const struct rules_state *state, rules_move move);

    /* A number below 4,096 that is equal for moves that are good in the same positions, as moves of
     * one kind of man to one square are: the search learns by it. NULL: it takes each move alone.
     */
    uint32_t (*likeness)(rules_move move);

    /* Makes moves equal that a person sees or overlooks together, as those with which one stack
     * takes another, whatever stays behind. NULL: each move is seen alone. */
    rules_move (*seen_as)(rules_move move);

    /* Whether the side to move must answer a threat, so that its position cannot be judged as it
     * stands. NULL: if it is in check. */
    bool (*urgent)(const struct rules_state *state);

    /* Makes the position in which the side to move has passed. False: here passing could be better
     * than any move, and proves nothing. NULL: always so. */
    bool (*pass)(const struct rules_state *state, struct rules_state *next);

    /* The plies after which a counter of the position may end the game as a draw, at least;
     * UINT32_MAX: no counter does. NULL: always so. */
    uint32_t (*draw_after)(const struct rules_state *state);

    /* Whether the whole game is so small that it can be seen through. NULL: never. */
    bool (*is_small)(const struct rules_state *state);

    uint16_t man; /* what an ordinary man is worth: levels misjudge in proportion to it */

    /* By how much each level misjudges, in hundredths of such a man, how many of 1,000 replies it
     * overlooks, and how many of 1,000 moves it plays without a look. */
    int32_t noise[ENGINE_LEVELS];
    uint32_t hidden[ENGINE_LEVELS];
    uint32_t careless[ENGINE_LEVELS];

    int32_t variety; /* of the upper levels in the opening, in hundredths of such a man */

    int32_t margin;     /* what a quiet move can gain, per ply of depth; 0: do not count on that */
    uint8_t late;       /* moves after which quiet ones are skipped, one ply before the horizon and
                         * in growing numbers farther from it; the search dares more in other ways,
                         * too, as suits a game with very many moves; 0: never */
    uint8_t reduce;     /* quiet moves searched to the full depth; later ones are reduced */
    uint8_t quiescence; /* plies of quiescence at most */
    uint8_t forcing;    /* the first plies of it that look at quiet forcing moves, too */
};

#endif
