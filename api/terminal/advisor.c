#include "api/terminal/advisor.h"

#include <stdlib.h>

enum {
    TABLE_BYTES = 16 << 20,
    WORSE_OFF = 100 /* hundredths of a man: the lead at which a draw offer is accepted */
};

static struct engine *engine_of(struct adviser *adviser)
{
    size_t bytes = engine_bytes(TABLE_BYTES);

    if (adviser->engine != NULL)
        return adviser->engine;
    bytes = (bytes + ENGINE_ALIGN - 1) / ENGINE_ALIGN * ENGINE_ALIGN;
    adviser->memory = aligned_alloc(ENGINE_ALIGN, bytes);
    if (adviser->memory == NULL)
        abort();
    adviser->engine = engine_open(adviser->memory, bytes);
    return adviser->engine;
}

void advisor_close(struct adviser *adviser)
{
    free(adviser->memory);
    *adviser = (struct adviser){NULL, NULL};
}

enum engine_answer advisor_choose(struct adviser *adviser, const struct match *match,
                                  unsigned level, const atomic_bool *stop,
                                  struct engine_choice *choice)
{
    struct engine_task task = {match->game, match_state(match), match_history(match), stop};
    uint64_t seed = (uint64_t)match->seed + match->len;

    return engine_choose(engine_of(adviser), &task, level, seed, choice);
}

bool advisor_agrees(struct adviser *adviser, const struct match *match, unsigned level,
                    const atomic_bool *stop)
{
    struct engine_choice choice;

    return advisor_choose(adviser, match, level, stop, &choice) == ENGINE_MOVES &&
           choice.line.score >= WORSE_OFF;
}
