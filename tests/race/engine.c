/*
 * engine.c - two threads search every game at the same time, each in a workspace of its own, for
 * ThreadSanitizer (`make tsan-engine`). It ends with an error if they find different moves, or if a
 * search that the other thread cancels goes on.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "tests/support/die.h"

enum { THREADS = 2, TABLE_BYTES = 1 << 20, NODES = 3000, PLIES = 4, GAMES_MAX = 16 };

struct searcher {
    pthread_t thread;
    struct engine *engine;
    rules_move move[GAMES_MAX][PLIES];
};

static atomic_bool cancel;

static struct engine *open_engine(void)
{
    size_t bytes = (engine_bytes(TABLE_BYTES) + ENGINE_ALIGN - 1) / ENGINE_ALIGN * ENGINE_ALIGN;
    void *memory = aligned_alloc(ENGINE_ALIGN, bytes);

    if (memory == NULL)
        die("no memory");
    return engine_open(memory, bytes);
}

static void start(const struct rules_game *game, struct rules_state *state)
{
    struct rules_options options;
    struct rules_refusal why;

    rules_options_init(&options);
    if (!rules_start(game, &options, NULL, state, &why))
        die("%s", game->name);
}

/* Plays a few plies with a weak level and a strong one. */
static void *search(void *context)
{
    struct searcher *searcher = context;

    for (size_t which = 0; which < rules_games(); which++) {
        const struct rules_game *game = rules_game(which);
        struct rules_state *state = malloc(2 * sizeof(*state));
        struct engine_task task = {game, state, {NULL, 0}, NULL, 0};

        start(game, state);
        for (unsigned ply = 0; ply < PLIES; ply++) {
            struct engine_level level = engine_level(game, ply % 2 == 0 ? 2 : ENGINE_LEVELS);
            struct engine_choice choice;

            level.nodes = NODES;
            if (engine_choose_as(searcher->engine, &task, &level, 7, &choice) != ENGINE_MOVES)
                die("%s", game->name);
            searcher->move[which][ply] = choice.move;
            game->play(state, choice.move, &state[1]);
            rules_copy(&state[1], state);
        }
        free(state);
    }
    return NULL;
}

/* Searches without a bound, until it is cancelled. */
static void *search_on(void *context)
{
    struct searcher *searcher = context;
    const struct rules_game *game = rules_game(0);
    struct rules_state *state = malloc(sizeof(*state));
    struct engine_task task = {game, state, {NULL, 0}, &cancel, 0};
    struct engine_level level = engine_level(game, ENGINE_LEVELS);
    struct engine_choice choice;

    start(game, state);
    level.nodes = UINT64_MAX;
    if (engine_choose_as(searcher->engine, &task, &level, 0, &choice) != ENGINE_CANCELLED)
        die("a search has ended before it was cancelled");
    free(state);
    return NULL;
}

static void run_all(struct searcher *searchers, void *(*work)(void *context), bool stop)
{
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&searchers[i].thread, NULL, work, &searchers[i]) != 0)
            die("no thread");
    atomic_store(&cancel, stop);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(searchers[i].thread, NULL);
}

int main(void)
{
    static struct searcher searchers[THREADS];

    for (size_t i = 0; i < THREADS; i++)
        searchers[i].engine = open_engine();
    run_all(searchers, search, false);
    if (memcmp(searchers[0].move, searchers[1].move, sizeof(searchers[0].move)) != 0)
        die("the threads have chosen different moves");
    run_all(searchers, search_on, true);
    for (size_t i = 0; i < THREADS; i++)
        free(searchers[i].engine);
    printf("%d threads searched %zu games without a race\n", THREADS, rules_games());
    return 0;
}
