/*
 * search.h - the workspace of a search, and what the files of this folder do for each other.
 *
 * engine.c asks for a search, and search.c searches. They walk along paths (path.c), order moves
 * (order.c) and keep notes (notes.c) in a table of positions (table.c). level.c says how a level
 * misjudges and overlooks, and each game's file judges (game.h).
 */
#ifndef PLYD_ENGINE_SEARCH_H
#define PLYD_ENGINE_SEARCH_H

#include "engine/engine.h"
#include "engine/game.h"
#include "engine/table.h"

enum {
    PLIES_MAX = 96,  /* of one line, quiescence included */
    PAST_MAX = 1024, /* positions of the past that a search looks at */
    MOVES_MAX = RULES_MOVES_ORDINARY,
    HISTORY_SIZE = 4096,
    SEQUEL_SIZE = 1 << 17,
    WIN_IN_SIGHT = ENGINE_BELIEF, /* scores beyond it count the plies to the end */
    SCORE_NONE = ENGINE_WIN + 1
};

/* A position on the path from the root, and its moves. */
struct frame {
    struct rules_state state;
    uint64_t key;
    rules_move killer[2]; /* quiet moves that refuted something at this ply */
    rules_move played;    /* on the way to the next frame */
    bool passed;          /* nothing was played on the way here */
    int32_t value;        /* how the position is judged as it stands; SCORE_NONE: it is urgent */
    enum { NOT_ASKED, CALM, URGENT } urgency;
    bool selected; /* there are other moves, which were not listed */
    size_t n;
    rules_move move[MOVES_MAX];
    struct engine_rate rate[MOVES_MAX];
};

struct engine {
    /* the task */
    const struct rules_game *game;
    const struct engine_game *knows;
    struct engine_level level;
    uint64_t seed;
    int32_t leeway; /* the chosen move may be worse than the best by so much; 0: it is the best */
    const atomic_bool *cancel;
    bool shuns_past; /* a position of the game, to which a line comes back, counts as a draw */
    bool every_move; /* at the root, also those that the game thinks not worth a look */
    const struct engine_listener *listener; /* NULL: nobody listens */
    struct engine_analysis *analysis;       /* that is being made, for the listener */

    /* how far it is */
    uint64_t nodes, budget;
    uint64_t reserve; /* nodes beyond the budget, for when that ends while no good move is known */
    bool in_reserve;  /* they are used up by the usual search */
    unsigned depth;   /* of the present iteration */
    uint16_t first;   /* the mark of the root move that is searched first; 0: none */
    size_t tried;     /* root moves of this iteration that were searched, and */
    int32_t best;     /* the best of their scores */
    int32_t refuting; /* so low a score refutes a root move */
    bool refuted;     /* all that were tried were */
    bool stopped;     /* the nodes are used up, or it was cancelled */
    bool cancelled;
    size_t nbarred; /* root moves that belong to better lines, or were refuted */
    rules_move barred[ENGINE_LINES_MAX + MOVES_MAX];

    /* the keys of the positions before the present one: the first `npast` are those before the
     * root, and those before `since` cannot recur */
    size_t nkeys, npast, since;
    uint64_t keys[PAST_MAX + PLIES_MAX + 1];

    /* How often quiet moves refuted something, as a whole and after the last two moves: by the
     * likeness of moves. */
    int16_t history[RULES_SEATS][HISTORY_SIZE];
    int16_t sequel[2][SEQUEL_SIZE];
    size_t pv_len[PLIES_MAX + 1];
    rules_move pv[PLIES_MAX + 1][ENGINE_LINE_MOVES]; /* the best line from each ply on */
    struct table table;
    struct frame frame[PLIES_MAX + 1];
};

/* Searches the position in frame[0] to ever greater depths, until the nodes are used up or more
 * depth can change nothing. Writes the best line whose first move is not barred; its len is 0 only
 * if there is no such move or the search was stopped at once.
 *
 * A score that counts plies to the end is proved: every move of the side that loses was tried, but
 * for those that cannot matter by the rules. What is only believed keeps within WIN_IN_SIGHT. So
 * nothing that skips moves may do so where those that were tried are lost (search.c), and a list of
 * selected moves proves no loss (order_proves_loss()). */
void search_deepen(struct engine *engine, uint64_t nodes, struct engine_line *line);

/* A score with something added; a win or loss in sight stays what it is. */
int32_t search_add(int32_t score, int32_t more);

/* A level as all games share it: without errors. */
struct engine_level level_shared(unsigned level);

/* Whether a level plays without a look in frame[0]; then *which is the place of the move among `n`
 * legal ones. */
bool level_is_careless(const struct engine *engine, size_t n, size_t *which);

/* What a level adds to its judgement of a position: the same wherever it meets the position. */
int32_t level_noise(const struct engine *engine, uint64_t key);

/* What a level adds to the score of a root move, so that one of the nearly best is chosen by the
 * seed: 0 to e->leeway. */
int32_t level_liking(const struct engine *engine, rules_move move);

/* Whether a level overlooks a move at a ply. */
bool level_overlooks(const struct engine *engine, unsigned ply, rules_move move);

#endif
