#include "api/terminal/advisor.h"

#include <stdlib.h>

#include "api/game/opponent.h"

enum {
    TABLE_BYTES = 16 << 20,
    WORSE_OFF = 100 /* hundredths of a man: the lead at which a draw offer is accepted */
};

static struct engine *engine_of(struct advisor *advisor)
{
    size_t bytes = engine_bytes(TABLE_BYTES);

    if (advisor->engine != NULL)
        return advisor->engine;
    bytes = (bytes + ENGINE_ALIGN - 1) / ENGINE_ALIGN * ENGINE_ALIGN;
    advisor->memory = aligned_alloc(ENGINE_ALIGN, bytes);
    if (advisor->memory == NULL)
        abort();
    advisor->engine = engine_open(advisor->memory, bytes);
    return advisor->engine;
}

void advisor_close(struct advisor *advisor)
{
    free(advisor->memory);
    *advisor = (struct advisor){NULL, NULL};
}

/* With the same seed the computer plays the moves that it plays on a daemon. */
static uint64_t seed_here(const struct match *match)
{
    struct db_game row = {.seed = match->seed, .ply = (int32_t)match->len};

    return opponent_seed(&row);
}

static struct rules_history past_of(const struct match *match)
{
    struct rules_history past = match_history(match);
    size_t n = opponent_past(match->game, match_state(match), past.len);

    return n == past.len ? past : (struct rules_history){past.keys + past.len - n, n};
}

static enum engine_answer choose_randomly(const struct match *match, struct engine_choice *choice)
{
    struct arena arena = {NULL, NULL, NULL};

    *choice = (struct engine_choice){
        .move = opponent_random_move(&arena, match->game, match_state(match), seed_here(match))};
    arena_free(&arena);
    return ENGINE_MOVES;
}

static struct engine_task task_of(const struct match *match, const atomic_bool *stop)
{
    return (struct engine_task){match->game, match_state(match), past_of(match), stop,
                                (uint32_t)match->len};
}

enum engine_answer advisor_choose(struct advisor *advisor, const struct match *match,
                                  unsigned level, const atomic_bool *stop,
                                  struct engine_choice *choice)
{
    struct engine_task task = task_of(match, stop);

    if (!match_goes_on(match))
        return ENGINE_OVER;
    if (level == ADVISOR_RANDOM)
        return choose_randomly(match, choice);
    return engine_choose(engine_of(advisor), &task, level, seed_here(match), choice);
}

enum engine_answer advisor_hint(struct advisor *advisor, const struct match *match,
                                const atomic_bool *stop, struct engine_choice *choice)
{
    struct engine_task task = task_of(match, stop);
    struct engine_level level = engine_level(match->game, ADVISOR_HINT_LEVEL);

    level.noise = 0;
    level.variety = 0;
    level.hidden = 0;
    return match_goes_on(match) ? engine_choose_as(engine_of(advisor), &task, &level, 0, choice)
                                : ENGINE_OVER;
}

bool advisor_agrees(struct advisor *advisor, const struct match *match, unsigned level,
                    const atomic_bool *stop)
{
    struct engine_choice choice;

    return level != ADVISOR_RANDOM &&
           advisor_choose(advisor, match, level, stop, &choice) == ENGINE_MOVES &&
           choice.line.score >= WORSE_OFF;
}
