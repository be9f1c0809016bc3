/*
 * engine.h - a player for every game of rules/: it chooses moves at eight levels, and analyses.
 *
 * The engine searches one position on one thread, in a workspace that the caller owns:
 *
 *     size_t bytes = engine_bytes(32 << 20);
 *     struct engine *engine = engine_open(aligned_alloc(ENGINE_ALIGN, bytes), bytes);
 *     struct engine_task task = {game, &state, {keys, n}, &cancelled, ply};
 *     struct engine_choice choice;
 *
 *     if (engine_choose(engine, &task, level, seed, &choice) == ENGINE_MOVES)
 *         game->play(&state, choice.move, &next);
 *
 * A workspace serves one search at a time and remembers nothing from one search to the next. The
 * same task, level, seed and size of workspace give the same answer on every machine: a search is
 * bounded by the nodes that it visits, never by a clock. A node is a move played on the way, or a
 * pass. There is no allocation, no I/O and no global here. A search needs a megabyte of stack.
 */
#ifndef PLYD_ENGINE_ENGINE_H
#define PLYD_ENGINE_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules/rules.h"

enum {
    ENGINE_VERSION = 14,        /* raised when the same task can be answered differently */
    ENGINE_LEVELS = 8,          /* levels are 1 to 8 */
    ENGINE_OPENING = 8,         /* plies of a game in which levels vary their moves, */
    ENGINE_VARIED = 4,          /* from this one on: those below vary enough by their errors */
    ENGINE_SURE = 4,            /* from this level on small games are played without errors */
    ENGINE_FORCED_NODES = 1000, /* for the worth of a move that is the only one */
    ENGINE_ALIGN = 64,          /* the alignment of a workspace */
    ENGINE_LINE_MOVES = 32,     /* moves of a line */
    ENGINE_LINES_MAX = 8,       /* lines of an analysis */
    ENGINE_WIN = 30000,   /* the score of a game that is won now; a ply later it is one less */
    ENGINE_BELIEF = 29000 /* scores within +-this are only believed; beyond it the end is proved */
};

/* How a level plays. What levels share in all games stands in level.c, and how much they err in
 * each game's file. */
struct engine_level {
    uint64_t nodes;      /* it visits so many */
    int32_t noise;       /* it misjudges positions by up to so many hundredths of a man */
    uint32_t hidden;     /* it overlooks so many of 1,000 replies of its opponent */
    uint32_t careless;   /* it plays so many of 1,000 moves without a look: any legal one */
    uint32_t quiescence; /* it follows exchanges for so many plies beyond its depth */
    int32_t variety;     /* in the opening it plays any move that is worse than the best by so many
                          * hundredths of a man at most, as far as it sees */
};

/* The level 1 to ENGINE_LEVELS of a game, and its nodes, which are the same
 * in every game. */
struct engine_level engine_level(const struct rules_game *game, unsigned level);
uint64_t engine_nodes(unsigned level);

/* Whether it knows more of a game than its rules. If not, it counts men and moves (general.h). */
bool engine_knows(const struct rules_game *game);

/* The functions of what a game supplies (game.h), by where their pointers stand in it, for whoever
 * tells where the program was. Ends with a name NULL. */
struct engine_function {
    const char *name;
    size_t at;
};
extern const struct engine_function engine_functions[];

/* A workspace. engine_bytes() says how large it is with a table of positions of about
 * `table_bytes`; engine_open() makes one of memory that is so large and aligned to ENGINE_ALIGN.
 * The caller frees the memory; the workspace begins where it does. */
struct engine;
size_t engine_bytes(size_t table_bytes);
struct engine *engine_open(void *memory, size_t bytes);

/* What is searched: a position with its past, as rules_game.outcome() wants it. Any thread may set
 * *cancel at any time; NULL: nobody will. */
struct engine_task {
    const struct rules_game *game;
    const struct rules_state *state;
    struct rules_history history;
    const atomic_bool *cancel;
    uint32_t ply; /* moves of the game so far, for its opening; an analysis does not look at it */
};

enum engine_answer {
    ENGINE_MOVES,
    ENGINE_DECLARES, /* the side to move wins by a declaration (rules_game.declare) */
    ENGINE_OVER,     /* the game is over: nothing can be played */
    ENGINE_CANCELLED
};

/* The plies to the end that a score counts, negative to a loss; 0: it counts none, or it is over.
 */
static inline int32_t engine_mate(int32_t score)
{
    return score > ENGINE_BELIEF    ? ENGINE_WIN - score
           : score < -ENGINE_BELIEF ? -(ENGINE_WIN + score)
                                    : 0;
}

/* A line and its worth for the side to move in the task's position. */
struct engine_line {
    int32_t score; /* in hundredths of a man */
    int32_t mate;  /* proved: plies to the win at most, negative to the loss; 0: no such proof */
    unsigned depth;
    size_t len;
    rules_move move[ENGINE_LINE_MOVES];
};

struct engine_choice {
    rules_move move;
    uint64_t nodes;
    struct engine_line line; /* what the engine expects, by its own lights at that level */
};

/* Chooses a move as an opponent of a level. The seed decides what is misjudged and overlooked, and
 * which of nearly equal moves is played in the opening; behind that level 8 is the same with every
 * seed. The only legal move is played after a look of ENGINE_FORCED_NODES. */
enum engine_answer engine_choose(struct engine *engine, const struct engine_task *task,
                                 unsigned level, uint64_t seed, struct engine_choice *choice);

/* The same with a level of the caller's own. */
enum engine_answer engine_choose_as(struct engine *engine, const struct engine_task *task,
                                    const struct engine_level *level, uint64_t seed,
                                    struct engine_choice *choice);

struct engine_analysis {
    uint64_t nodes;
    size_t n; /* lines found, the best first */
    struct engine_line line[ENGINE_LINES_MAX];
};

/* Is told what was found so far, each time that a line was searched a ply deeper. */
struct engine_listener {
    void (*found)(void *context, const struct engine_analysis *analysis);
    void *context;
};

/* Finds the best `lines` lines with full strength, within so many nodes. If it is cancelled,
 * *analysis has what was found until then. `listener` may be NULL. */
enum engine_answer engine_analyse(struct engine *engine, const struct engine_task *task,
                                  uint64_t nodes, size_t lines,
                                  const struct engine_listener *listener,
                                  struct engine_analysis *analysis);

#endif
