/* engine.c - the engine as its callers see it: workspaces, choosing a move, and analysis. */
#include "engine/engine.h"

#include <stddef.h>
#include <string.h>

#include "engine/games.h"
#include "engine/general.h"
#include "engine/search.h"
#include "rules/module.h"

/* Of the games that are part of plyd. Others bring along what is known of them. */
static const struct engine_game *const games[] = {
#define RULES_GAME(name, folder) &engine_##folder,
#include "rules/games.def"
#undef RULES_GAME
};

static const struct engine_game *knowledge_of(const struct rules_game *game)
{
    const struct rules_module *module;

    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++)
        if (strcmp(games[i]->name, game->name) == 0)
            return games[i];
    module = rules_module_of(game);
    return module != NULL && module->engine != NULL ? module->engine : &engine_general;
}

bool engine_knows(const struct rules_game *game)
{
    return knowledge_of(game) != &engine_general;
}

#define FUNCTION(name)                                 \
    {                                                  \
#name "()", offsetof(struct engine_game, name) \
    }

const struct engine_function engine_functions[] = {
    FUNCTION(evaluate),   FUNCTION(rate),     FUNCTION(moves),   FUNCTION(suffice), FUNCTION(noisy),
    FUNCTION(wins),       FUNCTION(likeness), FUNCTION(seen_as), FUNCTION(urgent),  FUNCTION(pass),
    FUNCTION(draw_after), FUNCTION(is_small), {NULL, 0}};

struct engine_level engine_level(const struct rules_game *game, unsigned level)
{
    struct engine_level found = level_shared(level);

    found.noise = knowledge_of(game)->noise[level - 1];
    found.hidden = knowledge_of(game)->hidden[level - 1];
    found.careless = knowledge_of(game)->careless[level - 1];
    found.variety = level < ENGINE_VARIED ? 0 : knowledge_of(game)->variety;
    return found;
}

size_t engine_bytes(size_t table_bytes)
{
    size_t least = TABLE_PLACES * sizeof(struct table_note);

    return sizeof(struct engine) + ENGINE_ALIGN + (table_bytes > least ? table_bytes : least);
}

struct engine *engine_open(void *memory, size_t bytes)
{
    struct engine *e = memory;
    size_t head = (sizeof(*e) + ENGINE_ALIGN - 1) / ENGINE_ALIGN * ENGINE_ALIGN;

    table_open(&e->table, (char *)memory + head, bytes - head);
    return e;
}

/* The last positions of the past, as many as a search looks at. */
static void take_past(struct engine *e, const struct rules_history *history)
{
    e->nkeys = history->len < PAST_MAX ? history->len : PAST_MAX;
    e->npast = e->nkeys;
    e->since = 0;
    if (e->nkeys > 0)
        memcpy(e->keys, history->keys + history->len - e->nkeys, e->nkeys * sizeof(e->keys[0]));
}

static void take_task(struct engine *e, const struct engine_task *task,
                      const struct engine_level *level, uint64_t seed)
{
    e->game = task->game;
    e->knows = knowledge_of(task->game);
    e->level = *level;
    if (e->level.quiescence > e->knows->quiescence)
        e->level.quiescence = e->knows->quiescence;
    e->seed = seed;
    e->leeway = 0;
    e->cancel = task->cancel;
    e->shuns_past = e->every_move = false;
    e->listener = NULL;
    e->nodes = 0;
    e->cancelled = false;
    e->nbarred = 0;
    memset(e->history, 0, sizeof(e->history));
    memset(e->sequel, 0, sizeof(e->sequel));
    for (size_t ply = 0; ply <= PLIES_MAX; ply++)
        memset(e->frame[ply].killer, 0, sizeof(e->frame[ply].killer));
    table_forget(&e->table);
    take_past(e, &task->history);
    rules_copy(task->state, &e->frame[0].state);
    e->frame[0].key = task->game->key(task->state);
    e->frame[0].urgency = NOT_ASKED;
    e->frame[0].passed = false;
}

/* Whether there is nothing to search: the game is over, or a declaration wins it. */
static bool is_answered(const struct engine_task *task, enum engine_answer *answer)
{
    struct rules_outcome outcome = task->game->outcome(task->state, &task->history);
    struct rules_refusal why;

    if (outcome.status != RULES_ONGOING) {
        *answer = ENGINE_OVER;
        return true;
    }
    *answer = ENGINE_DECLARES;
    return task->game->declare != NULL && task->game->declare(task->state, &outcome, &why);
}

/* A search that had no time for a single move takes any. */
static void take_any(const struct engine *e, struct engine_line *line)
{
    line->len = 1;
    line->move[0] = e->frame[0].move[0];
}

/* A win is no proof to a player who overlooks answers, unless none can come. */
static void believe(struct engine_line *line)
{
    if (line->mate <= 1)
        return;
    line->score = ENGINE_BELIEF;
    line->mate = 0;
}

/* Plays a move without a look, if the level does that here. */
static bool play_carelessly(struct engine *e, struct engine_line *line)
{
    struct frame *f = &e->frame[0];
    size_t n, which;

    if (e->level.careless == 0)
        return false;
    n = e->game->legal(&f->state, f->move, MOVES_MAX);
    if (!level_is_careless(e, n < MOVES_MAX ? n : MOVES_MAX, &which))
        return false;
    line->len = 1;
    line->move[0] = f->move[which];
    return true;
}

/* Searches for the next best line. */
static bool find_line(struct engine *e, uint64_t nodes, struct engine_line *line)
{
    search_deepen(e, nodes, line);
    return line->len > 0;
}

enum engine_answer engine_choose_as(struct engine *e, const struct engine_task *task,
                                    const struct engine_level *level, uint64_t seed,
                                    struct engine_choice *choice)
{
    enum engine_answer answer;

    memset(choice, 0, sizeof(*choice));
    if (is_answered(task, &answer))
        return answer;
    take_task(e, task, level, seed);
    e->shuns_past = true;
    e->every_move = level->hidden >= 1000; /* what answers a threat is not seen either */
    if (task->ply < ENGINE_OPENING)
        e->leeway = level->variety * e->knows->man / 100;
    if (!play_carelessly(e, &choice->line) && !find_line(e, level->nodes, &choice->line) &&
        !e->cancelled)
        take_any(e, &choice->line);
    choice->line.score = search_add(choice->line.score, -level_liking(e, choice->line.move[0]));
    if (level->hidden > 0)
        believe(&choice->line);
    choice->move = choice->line.move[0];
    choice->nodes = e->nodes;
    return e->cancelled ? ENGINE_CANCELLED : ENGINE_MOVES;
}

static bool is_small(const struct engine_task *task)
{
    const struct engine_game *knows = knowledge_of(task->game);

    return knows->is_small != NULL && knows->is_small(task->state);
}

/* Whether only one move can be played. */
static bool is_forced(const struct engine_task *task)
{
    rules_move only[1];

    return !rules_is_heavy(task->game, task->state) && task->game->legal(task->state, only, 1) == 1;
}

/* A move that must be played is not searched for. What it is worth is asked of a short search. */
enum engine_answer engine_choose(struct engine *e, const struct engine_task *task, unsigned level,
                                 uint64_t seed, struct engine_choice *choice)
{
    struct engine_level as = engine_level(task->game, level);

    if (level >= ENGINE_SURE && is_small(task)) {
        as.noise = 0;
        as.hidden = 0;
    }
    if (is_forced(task) && as.nodes > ENGINE_FORCED_NODES)
        as.nodes = ENGINE_FORCED_NODES;
    return engine_choose_as(e, task, &as, seed, choice);
}

static uint64_t nodes_left(const struct engine *e, uint64_t nodes)
{
    return e->nodes < nodes ? nodes - e->nodes : 0;
}

/* Searches for one of `lines` lines that are still wanted, with an equal share of the nodes that
 * are left. If these were too few for a single move, it takes all that are left; if each move that
 * is worth a look has its line, it goes on with the others. */
static bool find_another(struct engine *e, uint64_t nodes, size_t lines, struct engine_line *line)
{
    uint64_t share = nodes_left(e, nodes) / lines;

    if (find_line(e, share, line))
        return true;
    if (e->stopped)
        return find_line(e, nodes_left(e, nodes), line);
    e->every_move = true;
    return find_line(e, share, line);
}

/* A later line may turn out better than an earlier one, which was searched less deep. */
static void sort_lines(struct engine_analysis *analysis)
{
    for (size_t i = 1; i < analysis->n; i++) {
        struct engine_line line = analysis->line[i];
        size_t at = i;

        for (; at > 0 && analysis->line[at - 1].score < line.score; at--)
            analysis->line[at] = analysis->line[at - 1];
        analysis->line[at] = line;
    }
}

enum engine_answer engine_analyse(struct engine *e, const struct engine_task *task, uint64_t nodes,
                                  size_t lines, const struct engine_listener *listener,
                                  struct engine_analysis *analysis)
{
    struct engine_level best = engine_level(task->game, ENGINE_LEVELS);
    enum engine_answer answer;

    memset(analysis, 0, sizeof(*analysis));
    if (is_answered(task, &answer))
        return answer;
    take_task(e, task, &best, 0);
    e->listener = listener;
    e->analysis = analysis;
    if (lines > ENGINE_LINES_MAX)
        lines = ENGINE_LINES_MAX;
    while (analysis->n < lines && !e->cancelled &&
           find_another(e, nodes, lines - analysis->n, &analysis->line[analysis->n])) {
        e->barred[e->nbarred++] = analysis->line[analysis->n].move[0];
        analysis->n++;
    }
    if (analysis->n == 0 && !e->cancelled)
        take_any(e, &analysis->line[analysis->n++]);
    sort_lines(analysis);
    analysis->nodes = e->nodes;
    return e->cancelled ? ENGINE_CANCELLED : ENGINE_MOVES;
}
