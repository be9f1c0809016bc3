#include "api/game/search_request.h"

#include <string.h>

struct search_request *search_request_new(struct arena *arena, const struct rules_game *game,
                                          const struct rules_state *state, const uint64_t *keys,
                                          size_t nkeys)
{
    struct search_request *question = arena_zero(arena, sizeof(*question));
    struct rules_state *own_state = arena_alloc(arena, sizeof(*own_state));
    size_t n = nkeys < SEARCH_PAST_MAX ? nkeys : SEARCH_PAST_MAX;
    uint64_t *own_keys = arena_alloc(arena, (n + 1) * sizeof(*own_keys));

    rules_copy(state, own_state);
    memcpy(own_keys, keys + nkeys - n, n * sizeof(*own_keys));
    question->game = game;
    question->state = own_state;
    question->keys = own_keys;
    question->nkeys = n;
    return question;
}

struct search_request *search_request_copy(struct arena *arena,
                                           const struct search_request *question)
{
    struct search_request *copy =
        search_request_new(arena, question->game, question->state, question->keys, question->nkeys);

    copy->last = question->last;
    copy->ply = question->ply;
    copy->lines = question->lines;
    copy->nodes = question->nodes;
    return copy;
}

void search_request_ask(const struct search_request *question, struct engine *engine,
                        const atomic_bool *cancel, const struct engine_listener *listener,
                        struct opinion *opinion)
{
    struct engine_task task = {
        question->game, question->state, {question->keys, question->nkeys}, cancel, 0};
    uint64_t least = SEARCH_NODES_MIN * question->lines;

    opinion->answer =
        engine_analyse(engine, &task, question->nodes > least ? question->nodes : least,
                       question->lines, listener, &opinion->analysis);
}
