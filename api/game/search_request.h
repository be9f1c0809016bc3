/*
 * search_request.h - a position that the engine is asked about, with its past, apart from
 * everything else, so that a thread of its own can work on it.
 */
#ifndef PLYD_API_GAME_SEARCH_REQUEST_H
#define PLYD_API_GAME_SEARCH_REQUEST_H

#include "api/text/arena.h"
#include "engine/engine.h"

enum {
    SEARCH_PAST_MAX = 512,      /* positions before it that are told to the engine */
    SEARCH_NODES_MIN = 1000,    /* for each line, whatever is asked for: else there might be none */
    SEARCH_NODES_MAX = 1000000, /* of one search: a few seconds */
    SEARCH_NODES = 20000        /* unless another number is asked for */
};

struct search_request {
    const struct rules_game *game;
    const struct rules_state *state;
    const uint64_t *keys; /* of the positions before it, the last SEARCH_PAST_MAX */
    size_t nkeys;
    rules_move last; /* the move that led here; none if it is not known */
    int32_t ply;
    size_t lines;   /* that are wanted */
    uint64_t nodes; /* that may be visited for all of them */
};

/* What the engine said. */
struct opinion {
    enum engine_answer answer;
    struct engine_analysis analysis;
};

/* A question about a position; the keys are those of the positions before it. They and the state
 * are copied to the arena. The rest is left to the caller. */
struct search_request *search_request_new(struct arena *arena, const struct rules_game *game,
                                          const struct rules_state *state, const uint64_t *keys,
                                          size_t nkeys);

/* A copy of everything in another arena. */
struct search_request *search_request_copy(struct arena *arena,
                                           const struct search_request *question);

/* Has the engine search. *cancel ends that early; `listener` may be NULL. */
void search_request_ask(const struct search_request *question, struct engine *engine,
                        const atomic_bool *cancel, const struct engine_listener *listener,
                        struct opinion *opinion);

#endif
