/*
 * truth.c - whether what the engine says of a position holds, over positions of games that it
 * played against itself with moves at random between them.
 *
 *     bench-truth [--positions N] [--seed N] [--game NAME]
 *
 * Each position is analysed with few nodes, in turn with 250, 1,000 and 4,000. A win or loss that
 * it is said to be is played out: against the moves that the engine names for the winner, every
 * legal move of the loser is tried, and the rules must say within the plies that were told that the
 * game is lost. "Not kept" are those where a move of the loser escapes, though 64 times as many
 * nodes were asked for an answer; "open" those that would take too many.
 *
 * Each move of the games is judged as POST /v1/games/ID/analyse does it. "Better than best" are the
 * verdicts whose score after the move is above that before it, "by more" those where it is so by
 * more than the engine's score changed in the last ply of its depth.
 *
 * All of it is seeded: the same engine gives the same table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/endpoints/engine/review.h"
#include "api/loop/thinkers.h"
#include "api/text/arena.h"
#include "engine/engine.h"
#include "tests/support/die.h"
#include "tests/support/now.h"

enum {
    TABLE_BYTES = 16 << 20,
    PLIES_MAX = 200, /* then the next game begins */
    KEYS_MAX = PLIES_MAX + 128,
    MOVES_MAX = 1 << 16,
    PLAY_NODES = 300,
    JUDGE_NODES = 2000,
    NAME_NODES = 1000,    /* for the winner's move; then up to 64 times as many */
    PROOF_NODES = 4000000 /* for a proof; then it is open */
};

static const uint64_t few_nodes[] = {250, 1000, 4000};

static const struct variant {
    const char *game, *name;
    const char *options[3][2];
} variants[] = {
    {"shogi", "shogi", {{NULL}}},
    {"turkish-draughts", "turkish-draughts", {{NULL}}},
    {"jungle", "jungle", {{NULL}}},
    {"stackchess", "stackchess", {{NULL}}},
    {"tictactoe", "tictactoe 15,15,5", {{"rows", "15"}, {"cols", "15"}, {"k", "5"}}},
};

enum { VARIANTS = sizeof(variants) / sizeof(variants[0]) };

static struct {
    size_t positions;
    uint64_t seed;
    const char *game;
} wanted = {.positions = 10000, .seed = 1};

static struct count {
    size_t positions, told, proved, open, disproved;
    size_t verdicts, above, by_more;
} count;

static struct engine *engine;
static rules_move scratch[MOVES_MAX];

/* ---- games ---- */

/* A position with its past. */
struct spot {
    const struct rules_game *game;
    struct rules_state state;
    uint64_t keys[KEYS_MAX];
    size_t ply;
};

struct match {
    struct spot start, now;
    char text[PLIES_MAX][RULES_MOVE_TEXT];
};

static void start_game(const struct variant *variant, struct match *match)
{
    const struct rules_game *game = rules_find(variant->game);
    struct rules_options options;
    struct rules_refusal why;

    rules_options_init(&options);
    for (size_t i = 0; i < 3 && variant->options[i][0] != NULL; i++)
        if (!rules_option_set(game, &options, variant->options[i][0], variant->options[i][1], &why))
            die("refused: %s", variant->name);
    match->start.game = game;
    match->start.ply = 0;
    if (!rules_start(game, &options, NULL, &match->start.state, &why))
        die("refused: %s", variant->name);
    match->now = match->start;
}

static struct rules_history past_of(const struct spot *spot)
{
    return (struct rules_history){spot->keys, spot->ply};
}

static struct rules_outcome outcome_of(const struct spot *spot)
{
    struct rules_history past = past_of(spot);

    return spot->game->outcome(&spot->state, &past);
}

static struct engine_task task_of(const struct spot *spot)
{
    return (struct engine_task){spot->game, &spot->state, past_of(spot), NULL, 0};
}

static void play(struct spot *spot, rules_move move)
{
    struct rules_state next;

    spot->keys[spot->ply++] = spot->game->key(&spot->state);
    spot->game->play(&spot->state, move, &next);
    rules_copy(&next, &spot->state);
}

/* Half of the first ten moves are drawn by chance, and later every sixth. */
static rules_move next_move(const struct spot *spot, uint64_t *seed)
{
    struct engine_level level = engine_level(spot->game, ENGINE_LEVELS);
    struct engine_task task = task_of(spot);
    struct engine_choice choice;

    level.nodes = PLAY_NODES;
    if (rules_choose(seed, spot->ply < 10 ? 2 : 6) == 0 ||
        engine_choose_as(engine, &task, &level, 0, &choice) != ENGINE_MOVES)
        return scratch[rules_choose(seed, spot->game->legal(&spot->state, scratch, MOVES_MAX))];
    return choice.move;
}

/* ---- wins and losses are played out ---- */

/* What the engine tells, and its move. The nodes are taken from *left. */
static int32_t mate_of(const struct spot *spot, uint64_t nodes, rules_move *move, uint64_t *left)
{
    struct engine_task task = task_of(spot);
    struct engine_analysis found;

    if (engine_analyse(engine, &task, nodes, 1, NULL, &found) != ENGINE_MOVES)
        return 0;
    *left -= found.nodes < *left ? found.nodes : *left;
    *move = found.line[0].move[0];
    return found.line[0].mate;
}

enum proof { DISPROVED, PROVED, OPEN };

static enum proof prove_loss(const struct spot *spot, int32_t plies, uint64_t *left);

/* Whether the side to move wins within so many plies: by the move that the engine names. */
static enum proof prove_win(const struct spot *spot, int32_t plies, uint64_t *left)
{
    struct rules_outcome outcome = outcome_of(spot);
    struct spot next = *spot;
    int32_t mate = 0;
    rules_move move;

    if (outcome.status != RULES_ONGOING)
        return outcome.winner == spot->game->to_move(&spot->state) ? PROVED : DISPROVED;
    for (uint64_t nodes = NAME_NODES; nodes <= 64 * NAME_NODES && (mate <= 0 || mate > plies);
         nodes *= 8) {
        if (*left < nodes)
            return OPEN;
        mate = mate_of(spot, nodes, &move, left);
    }
    if (mate <= 0 || mate > plies)
        return DISPROVED;
    play(&next, move);
    return prove_loss(&next, plies - 1, left);
}

static bool may_declare(const struct spot *spot)
{
    struct rules_outcome outcome;
    struct rules_refusal why;

    return spot->game->declare != NULL && spot->game->declare(&spot->state, &outcome, &why);
}

/* Whether the side to move loses within so many plies, whatever it plays. */
static enum proof prove_loss(const struct spot *spot, int32_t plies, uint64_t *left)
{
    struct rules_outcome outcome = outcome_of(spot);
    enum proof proof = PROVED;
    rules_move *moves;
    size_t n;

    if (outcome.status == RULES_WON)
        return outcome.winner != spot->game->to_move(&spot->state) ? PROVED : DISPROVED;
    if (outcome.status != RULES_ONGOING || plies <= 0 || may_declare(spot))
        return DISPROVED;
    n = spot->game->legal(&spot->state, scratch, MOVES_MAX);
    moves = malloc(n * sizeof(*moves));
    memcpy(moves, scratch, n * sizeof(*moves));
    for (size_t i = 0; i < n && proof == PROVED; i++) {
        struct spot next = *spot;

        play(&next, moves[i]);
        proof = prove_win(&next, plies - 1, left);
    }
    free(moves);
    return proof;
}

static void report(const struct spot *spot, uint64_t nodes, int32_t mate)
{
    char text[RULES_POSITION_TEXT];

    spot->game->position_text(&spot->state, text);
    printf("  not kept: %s, %s, %lu nodes, mate %d\n", spot->game->name, text, (unsigned long)nodes,
           mate);
}

static void look_at_mate(const struct spot *spot)
{
    uint64_t nodes = few_nodes[count.positions % (sizeof(few_nodes) / sizeof(few_nodes[0]))];
    uint64_t left = PROOF_NODES;
    struct spot next = *spot;
    rules_move move;
    int32_t mate = mate_of(spot, nodes, &move, &left);
    enum proof proof;

    if (mate == 0)
        return;
    if (mate > 0)
        play(&next, move);
    proof = prove_loss(&next, mate > 0 ? mate - 1 : -mate, &left);
    count.told++;
    count.proved += proof == PROVED;
    count.open += proof == OPEN;
    count.disproved += proof == DISPROVED;
    if (proof == DISPROVED)
        report(spot, nodes, mate);
}

/* ---- verdicts ---- */

/* The last two depths of a search. */
struct depths {
    int32_t score[2];
};

static void hear(void *context, const struct engine_analysis *analysis)
{
    struct depths *depths = context;

    depths->score[0] = depths->score[1];
    depths->score[1] = analysis->line[0].score;
}

/* By how much the score of the position before a move changed in its last ply of depth. */
static int32_t last_change(const struct match *match, size_t plies)
{
    struct spot spot = match->start;
    struct depths depths = {{0}};
    struct engine_listener listener = {hear, &depths};
    struct engine_analysis found;
    struct engine_task task;

    while (spot.ply < plies) {
        struct rules_refusal why;
        rules_move move;

        if (!spot.game->read_move(&spot.state, match->text[spot.ply], &move, &why))
            die("refused: %s", match->text[spot.ply]);
        play(&spot, move);
    }
    task = task_of(&spot);
    engine_analyse(engine, &task, JUDGE_NODES, 1, &listener, &found);
    return abs(depths.score[1] - depths.score[0]);
}

static void count_verdict(const struct match *match, const struct judged *judged)
{
    count.verdicts++;
    if (judged->after <= judged->before)
        return;
    count.above++;
    count.by_more += judged->after - judged->before > last_change(match, (size_t)judged->ply - 1);
}

static void judge_game(const struct match *match)
{
    const char *moves[PLIES_MAX];
    struct review_line line = {.game = match->start.game,
                               .start = &match->start.state,
                               .moves = moves,
                               .nmoves = match->now.ply,
                               .nodes = JUDGE_NODES};
    struct thought thought = {.engine = engine};
    struct arena arena = {NULL, NULL, NULL};
    struct review *review;

    for (size_t i = 0; i < line.nmoves; i++)
        moves[i] = match->text[i];
    review = review_new(&arena, &line);
    while (!review_is_over(review)) {
        struct judged judged;

        if (!review_next(review, &thought, &arena, &judged))
            die("cannot judge: %s", line.game->name);
        if (judged.move != NULL)
            count_verdict(match, &judged);
    }
    arena_free(&arena);
}

/* ---- the table ---- */

static void look_at_games(const struct variant *variant, size_t positions)
{
    static struct match match;
    uint64_t seed = wanted.seed;
    double begun = seconds_of(CLOCK_PROCESS_CPUTIME_ID);

    memset(&count, 0, sizeof(count));
    while (count.positions < positions) {
        struct spot *now_at = &match.now;

        start_game(variant, &match);
        while (count.positions < positions && now_at->ply < PLIES_MAX &&
               outcome_of(now_at).status == RULES_ONGOING) {
            rules_move move;

            look_at_mate(now_at);
            count.positions++;
            move = next_move(now_at, &seed);
            now_at->game->move_text(&now_at->state, move, match.text[now_at->ply]);
            play(now_at, move);
        }
        judge_game(&match);
    }
    printf("%-18s %9zu %6zu %6zu %5zu %9zu %9zu %6zu %8zu %6.0f\n", variant->name, count.positions,
           count.told, count.proved, count.open, count.disproved, count.verdicts, count.above,
           count.by_more, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begun);
}

static void read_argument(const char *name, const char *value)
{
    if (strcmp(name, "--positions") == 0)
        wanted.positions = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seed") == 0)
        wanted.seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--game") == 0)
        wanted.game = value;
    else
        die("unknown argument: %s", name);
}

int main(int argc, char **argv)
{
    size_t bytes = (engine_bytes(TABLE_BYTES) + ENGINE_ALIGN - 1) / ENGINE_ALIGN * ENGINE_ALIGN;

    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc)
            die("unknown argument, or one without its value: %s", argv[i]);
        read_argument(argv[i], argv[i + 1]);
    }
    engine = engine_open(aligned_alloc(ENGINE_ALIGN, bytes), bytes);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("%-18s %9s %6s %6s %5s %9s %9s %6s %8s %6s\n", "game", "positions", "ends", "proved",
           "open", "not kept", "verdicts", "above", "by more", "s");
    for (size_t i = 0; i < VARIANTS; i++)
        if (wanted.game == NULL || strcmp(wanted.game, variants[i].game) == 0)
            look_at_games(&variants[i], wanted.positions / VARIANTS);
    return 0;
}
