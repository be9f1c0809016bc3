/* level.c - how far each level looks, and the ways in which the weaker ones err; how much they do
 * in a game, its own file says (jungle.c). */
#include "engine/search.h"
#include "rules/mix.h"

static const struct {
    uint64_t nodes;
    uint32_t quiescence;
} levels[ENGINE_LEVELS] = {
    {50, 0},       /* for a child: plays many moves without a look */
    {300, 2},      /* takes what stands open, where it looks */
    {1200, 4},     /* beats chance; short exchanges */
    {5000, 8},     /* overlooks an answer now and then */
    {20000, 64},   /* follows every exchange to its end */
    {80000, 64},   /* sees further still, and errs less */
    {320000, 64},  /* sees far, and errs only now and then */
    {1200000, 64}, /* all that it can: some seconds of one core */
};

struct engine_level level_shared(unsigned level)
{
    return (struct engine_level){.nodes = levels[level - 1].nodes,
                                 .quiescence = levels[level - 1].quiescence};
}

uint64_t engine_nodes(unsigned level)
{
    return levels[level - 1].nodes;
}

bool level_is_careless(const struct engine *e, size_t n, size_t *which)
{
    uint64_t hash = mix(mix(e->seed) ^ e->frame[0].key);

    *which = (hash >> 32) % n;
    return (hash & 0xffffffff) % 1000 < e->level.careless;
}

/* Two draws together are more often small than large. */
int32_t level_noise(const struct engine *e, uint64_t key)
{
    uint64_t hash, width = (uint64_t)e->level.noise * e->knows->man / 100;

    if (width == 0)
        return 0;
    hash = mix(e->seed ^ key);
    return (int32_t)((hash & 0xffff) * width >> 16) -
           (int32_t)((hash >> 16 & 0xffff) * width >> 16);
}

int32_t level_liking(const struct engine *e, rules_move move)
{
    uint64_t hash = mix(mix(e->seed ^ move.w[0]) ^ ~move.w[1]);

    return (int32_t)((hash & 0xffff) * ((uint64_t)e->leeway + 1) >> 16);
}

/* The square that a move ends on, or where it takes something. */
static bool takes_on(const struct engine *e, const struct frame *f, rules_move move,
                     uint16_t *square)
{
    struct rules_effect effect[RULES_EFFECTS_MAX];
    size_t n = e->game->effects(&f->state, move, effect);

    for (size_t i = 0; i < n; i++)
        if (effect[i].type == RULES_EFFECT_CAPTURE) {
            *square = effect[i].to;
            return true;
        }
    return false;
}

/* Whether a move takes back where the last one took. Even a beginner sees that. */
static bool takes_back(const struct engine *e, unsigned ply, rules_move move)
{
    const struct frame *f = &e->frame[ply];
    uint16_t taken, taken_back;

    return !f->passed && takes_on(e, f - 1, f[-1].played, &taken) &&
           takes_on(e, f, move, &taken_back) && taken == taken_back;
}

/* Only replies of the opponent are overlooked, at plies 1 and 3. */
bool level_overlooks(const struct engine *e, unsigned ply, rules_move move)
{
    rules_move seen;
    uint64_t hash;

    if (e->level.hidden == 0 || (ply != 1 && ply != 3))
        return false;
    seen = e->knows->seen_as != NULL ? e->knows->seen_as(move) : move;
    hash = mix(mix(e->seed ^ seen.w[0]) ^ seen.w[1] ^ ply);
    return hash % 1000 < e->level.hidden && !takes_back(e, ply, move);
}
