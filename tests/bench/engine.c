/*
 * engine.c - how well the engine plays, in games at fixed nodes: its levels against each other,
 * also in games of which it knows nothing but the rules, and against chance, those for beginners
 * against a taker, the whole engine against a plain search of the material, and in shogi against
 * fairy-stockfish at equal nodes. Then its speed beside that of perft, and what it takes to find
 * wins by force.
 *
 *     bench-engine [--games N] [--nodes N] [--level N] [--seed N] [--seconds N] [--sprt LOW,HIGH]
 *                  [--game NAME] [--only levels|strangers|chance|taker|plain|shogi|speed|tactics]
 *     bench-engine --help
 *
 * --seconds ends a match after so much CPU time. --sprt ends it as soon as the games tell two
 * scores in percent apart: after the sequential probability ratio test, which takes one for the
 * other in 5 % of all matches. Such a row says which of the two it was, or that it is open.
 *
 * Every game is played twice from the same start, once with each seat. The starts are made of
 * random moves and thrown away if the engine thinks that a side is ahead. All of it is seeded, so
 * the same engine gives the same table, but for fairy-stockfish. A row says how many games were
 * won, drawn and lost, and the score with the half-width of its 95 % interval.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/engine.h"
#include "tests/bench/plain.h"
#include "tests/engine/tactics.h"
#include "tests/support/die.h"
#include "tests/support/now.h"

enum {
    TABLE_BYTES = 16 << 20,
    PLIES_MAX = 400, /* then it is a draw */
    MOVES_MAX = RULES_MOVES_ORDINARY,
    PLAIN_DEPTH = 6,
    START_NODES = 3000,
    LINE_TEXT = 1 << 16
};

/* ---- what is played ---- */

static const struct variant {
    const char *game, *name;
    const char *options[3]; /* NAME=VALUE */
    int32_t even;           /* a start is even if the engine sees no more than that */
    bool sharp;             /* even with as many nodes as the stronger player has for a move */
    unsigned plain_depth;
    bool strange; /* by a name of which the engine knows nothing */
} variants[] = {
    {"shogi", "shogi", {NULL}, 150, false, 3, false},
    {"turkish-draughts", "turkish-draughts", {NULL}, 100, false, PLAIN_DEPTH, false},
    {"jungle", "jungle", {NULL}, 150, false, PLAIN_DEPTH, false},
    {"stackchess", "stackchess", {NULL}, 150, false, PLAIN_DEPTH, false},
    {"tictactoe", "tictactoe 15,15,5", {"rows=15", "cols=15", "k=5"}, 30, true, PLAIN_DEPTH, false},
};

enum { VARIANTS = sizeof(variants) / sizeof(variants[0]) };

static const struct variant small_board = {"tictactoe", "tictactoe 3,3,3", {NULL}, 0, false, 0,
                                           false};

struct match {
    const struct variant *variant;
    const struct rules_game *game;
    struct rules_state start, state;
    uint64_t keys[PLIES_MAX];
    char text[PLIES_MAX][RULES_MOVE_TEXT];
    size_t ply;
    uint64_t seed;
};

static void die_of(const char *name, const char *value)
{
    fprintf(stderr, "bench engine: %s cannot be %s (--help lists what there is)\n", name, value);
    exit(1);
}

static const struct rules_game *game_of(const struct variant *variant)
{
    static struct rules_game stranger;

    if (!variant->strange)
        return rules_find(variant->game);
    stranger = *rules_find(variant->game);
    stranger.name = "stranger";
    return &stranger;
}

static void start_game(const struct variant *variant, struct match *match)
{
    struct rules_options options;
    struct rules_refusal why;

    match->variant = variant;
    match->game = game_of(variant);
    rules_options_init(&options);
    for (size_t i = 0; i < 3 && variant->options[i] != NULL; i++) {
        char text[64], *value = text, *name;

        snprintf(text, sizeof(text), "%s", variant->options[i]);
        name = strsep(&value, "=");
        if (!rules_option_set(match->game, &options, name, value, &why))
            die("refused: %s", variant->options[i]);
    }
    if (!rules_start(match->game, &options, NULL, &match->start, &why))
        die("refused: %s", variant->name);
}

/* ---- players ---- */

/* A player chooses a move of match->state; false: it resigns. */
struct player {
    const char *name;
    bool (*choose)(struct player *player, struct match *match, rules_move *move);
    struct engine_level level; /* of the engine */
    struct engine *engine;
    double seconds;
    uint64_t nodes;
};

static struct engine *open_engine(void)
{
    size_t bytes = (engine_bytes(TABLE_BYTES) + ENGINE_ALIGN - 1) / ENGINE_ALIGN * ENGINE_ALIGN;
    void *memory = aligned_alloc(ENGINE_ALIGN, bytes);

    if (memory == NULL)
        die("no memory: workspace");
    return engine_open(memory, bytes);
}

static bool choose_by_engine(struct player *player, struct match *match, rules_move *move)
{
    struct engine_task task = {
        match->game, &match->state, {match->keys, match->ply}, NULL, (uint32_t)match->ply};
    struct engine_choice choice;
    double begun = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    enum engine_answer answer =
        engine_choose_as(player->engine, &task, &player->level, match->seed, &choice);

    player->seconds += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begun;
    player->nodes += choice.nodes;
    *move = choice.move;
    return answer == ENGINE_MOVES;
}

static struct player engine_player(const char *name, struct engine_level level)
{
    return (struct player){
        .name = name, .choose = choose_by_engine, .level = level, .engine = open_engine()};
}

static bool choose_at_random(struct player *player, struct match *match, rules_move *move)
{
    static rules_move moves[MOVES_MAX];
    size_t n = match->game->legal(&match->state, moves, MOVES_MAX);

    (void)player;
    *move = moves[rules_choose(&match->seed, n < MOVES_MAX ? n : MOVES_MAX)];
    return true;
}

static bool choose_plainly(struct player *player, struct match *match, rules_move *move)
{
    double begun = seconds_of(CLOCK_PROCESS_CPUTIME_ID);

    *move = plain_choose(match->game, &match->state, match->variant->plain_depth, &match->seed,
                         &player->nodes);
    player->seconds += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begun;
    return true;
}

/* The moves with which the side to move completes a line. */
static int32_t lines_to_complete(const struct rules_game *game, const struct rules_state *state)
{
    static rules_move moves[MOVES_MAX];
    size_t n = game->legal(state, moves, MOVES_MAX);
    int32_t lines = 0;

    for (size_t i = 0; i < n; i++) {
        struct rules_state next;

        game->play(state, moves[i], &next);
        lines += rules_outcome_now(game, &next).status == RULES_WON;
    }
    return lines;
}

/* What a move takes. Where there are no men to take: a line that it completes, or else those of the
 * other side that it stops. */
static int32_t taken_by(const struct match *match, rules_move move)
{
    enum { LINE = 1000 };
    struct rules_state next;

    if (strcmp(match->game->name, "tictactoe") != 0)
        return plain_takes(match->game, &match->state, move);
    match->game->play(&match->state, move, &next);
    if (rules_outcome_now(match->game, &next).status == RULES_WON)
        return LINE + 1;
    return LINE - lines_to_complete(match->game, &next);
}

/* The taker takes what is worth most, and looks no further; where it can take nothing it plays
 * anything. In five in a row it puts its stone where its runs gain most at once. */
static bool choose_by_taking(struct player *player, struct match *match, rules_move *move)
{
    static rules_move moves[MOVES_MAX];
    size_t n = match->game->legal(&match->state, moves, MOVES_MAX);
    int32_t best = -1;

    if (match->variant->sharp)
        *move = plain_choose(match->game, &match->state, 1, &match->seed, &player->nodes);
    for (size_t i = 0; i < n && !match->variant->sharp; i++) {
        size_t other = i + rules_choose(&match->seed, n - i);
        rules_move next = moves[other];
        int32_t taken = taken_by(match, next);

        moves[other] = moves[i];
        if (taken > best) {
            best = taken;
            *move = next;
        }
    }
    return true;
}

/* ---- fairy-stockfish, over USI ---- */

static struct {
    pid_t pid;
    FILE *to, *from;
} fish;

static void open_fish(void)
{
    static const char path[] = "/usr/games/fairy-stockfish";
    int to[2], from[2];

    if (pipe(to) != 0 || pipe(from) != 0)
        die("no pipe: %s", path);
    fish.pid = fork();
    if (fish.pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        execl(path, path, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    fish.to = fdopen(to[1], "w");
    fish.from = fdopen(from[0], "r");
    if (fish.pid < 0 || fish.to == NULL || fish.from == NULL)
        die("cannot start: %s", path);
    fprintf(fish.to, "usi\nsetoption name Threads value 1\nsetoption name USI_Hash value 16\n"
                     "setoption name UCI_Variant value shogi\n");
}

/* Reads lines up to one that begins with `prefix`, and returns what follows that. */
static char *await_fish(const char *prefix)
{
    static char line[LINE_TEXT];

    while (fgets(line, sizeof(line), fish.from) != NULL)
        if (strncmp(line, prefix, strlen(prefix)) == 0)
            return line + strlen(prefix);
    die("fairy-stockfish: has ended");
    return NULL;
}

static bool choose_by_fish(struct player *player, struct match *match, rules_move *move)
{
    char position[RULES_POSITION_TEXT], *answer;
    struct rules_refusal why;

    if (match->ply < 2) {
        fprintf(fish.to, "usinewgame\nisready\n");
        fflush(fish.to);
        await_fish("readyok");
    }
    match->game->position_text(&match->start, position);
    fprintf(fish.to, "position sfen %s moves", position);
    for (size_t i = 0; i < match->ply; i++)
        fprintf(fish.to, " %s", match->text[i]);
    fprintf(fish.to, "\ngo nodes %lu\n", (unsigned long)player->level.nodes);
    fflush(fish.to);
    answer = await_fish("bestmove ");
    answer[strcspn(answer, " \n")] = '\0';
    return match->game->read_move(&match->state, answer, move, &why);
}

/* ---- games ---- */

/* Makes the next start: 4 to 8 random moves. In m,n,k games the stones lie anywhere on the board:
 * those that begin close together mostly win by force for one seat, whichever level has it. */
static bool random_start(struct match *match, uint64_t *seed)
{
    size_t plies = 4 + rules_choose(seed, 5);

    start_game(match->variant, match);
    for (size_t i = 0; i < plies; i++) {
        static rules_move moves[MOVES_MAX];
        struct rules_state next;
        size_t n = match->game->legal(&match->start, moves, MOVES_MAX);

        match->game->play(&match->start, moves[rules_choose(seed, n)], &next);
        rules_copy(&next, &match->start);
        if (rules_outcome_now(match->game, &match->start).status != RULES_ONGOING)
            return false;
    }
    return true;
}

/* The judge is the engine with all that it knows, also where the players know nothing. */
static bool looks_even(const struct match *match, uint64_t nodes)
{
    static struct engine *judge;
    struct engine_analysis found;
    struct engine_task task = {rules_find(match->variant->game), &match->start, {NULL, 0}, NULL, 0};

    if (judge == NULL)
        judge = open_engine();
    engine_analyse(judge, &task, nodes, 1, NULL, &found);
    return abs(found.line[0].score) <= match->variant->even;
}

/* On a large m,n,k board most starts are won by force for one seat. If both players see how, then
 * two games from such a start tell nothing about them; so what the stronger one sees has to be
 * even, too. */
static void make_start(struct match *match, uint64_t nodes, uint64_t *seed)
{
    do {
        while (!random_start(match, seed))
            continue;
    } while (!looks_even(match, START_NODES) ||
             (match->variant->sharp && nodes > START_NODES && !looks_even(match, nodes)));
}

/* Plays one game from the start. Returns twice the points of seat 1. */
static unsigned play(struct match *match, struct player *const seat[RULES_SEATS])
{
    rules_copy(&match->start, &match->state);
    for (match->ply = 0; match->ply < PLIES_MAX; match->ply++) {
        struct rules_history past = {match->keys, match->ply};
        struct rules_outcome outcome = match->game->outcome(&match->state, &past);
        unsigned mover = match->game->to_move(&match->state);
        struct rules_state next;
        rules_move move;

        if (outcome.status != RULES_ONGOING)
            return outcome.status == RULES_DRAWN ? 1 : outcome.winner == 1 ? 2 : 0;
        if (!seat[mover - 1]->choose(seat[mover - 1], match, &move)) {
            struct rules_refusal why;
            bool declared =
                match->game->declare != NULL && match->game->declare(&match->state, &outcome, &why);

            return (mover == 1) == declared ? 2 : 0;
        }
        match->game->move_text(&match->state, move, match->text[match->ply]);
        match->keys[match->ply] = match->game->key(&match->state);
        match->game->play(&match->state, move, &next);
        rules_copy(&next, &match->state);
    }
    return 1;
}

static struct {
    unsigned games, level; /* level: that against the one beneath; 0: each */
    uint64_t nodes, seed;
    double seconds;   /* of CPU time for a match; 0: as many as it takes */
    double low, high; /* the scores that are told apart; both 0: all games are played */
    const char *only, *game;
} wanted = {.games = 20, .nodes = 10000, .seed = 1};

/* How a match stands, for its first player. */
struct score {
    double n, mean, variance; /* of one game */
};

static struct score score_of(const unsigned count[3])
{
    double won = count[2], lost = count[0], drawn = count[1];
    double n = won + drawn + lost, mean = (won + drawn / 2) / n;
    double variance =
        (won * (1 - mean) * (1 - mean) + drawn * (0.5 - mean) * (0.5 - mean) + lost * mean * mean) /
        n;

    return (struct score){n, mean, variance};
}

/* The logarithm of how much better the higher score explains the games than the lower one. The
 * variance is the one that a score between the two would have with so many draws: that of a few
 * games that ended alike would make them look certain. */
static double likelihood(const unsigned count[3])
{
    struct score s = score_of(count);
    double middle = (wanted.low + wanted.high) / 2;
    double variance = middle * (1 - middle) - count[1] / (4 * s.n);

    return (wanted.high - wanted.low) * (s.mean - middle) * s.n / fmax(variance, 0.05);
}

static const double DECIDED = 2.944; /* ln 19 */

static bool is_decided(const unsigned count[3])
{
    return wanted.high > wanted.low && count[0] + count[1] + count[2] > 0 &&
           fabs(likelihood(count)) >= DECIDED;
}

static void print_row(const struct match *match, const struct player *a, const struct player *b,
                      const unsigned count[3])
{
    struct score s = score_of(count);

    printf("%-18s %-10s %-16s %5u %5u %5u   %5.1f +-%4.1f", match->variant->name, a->name, b->name,
           count[2], count[1], count[0], 100 * s.mean, 196 * sqrt(s.variance / s.n));
    if (a->seconds > 0)
        printf("   %7.0f", (double)a->nodes / a->seconds / 1e3);
    if (wanted.high > wanted.low && !is_decided(count))
        printf("   open");
    else if (wanted.high > wanted.low)
        printf("   %.0f, not %.0f", 100 * (likelihood(count) > 0 ? wanted.high : wanted.low),
               100 * (likelihood(count) > 0 ? wanted.low : wanted.high));
    printf("\n");
}

static bool has_time(double begun)
{
    return wanted.seconds == 0 || seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begun < wanted.seconds;
}

/* Plays `games` games of two players, and prints how they ended for the first. */
static void play_match(const struct variant *variant, struct player *a, struct player *b,
                       unsigned games)
{
    static struct match match;
    unsigned count[3] = {0};
    uint64_t seed = wanted.seed;
    double begun = seconds_of(CLOCK_PROCESS_CPUTIME_ID);

    match.variant = variant;
    for (unsigned i = 0; i < games && has_time(begun) && !is_decided(count); i += 2) {
        match.seed = seed;
        make_start(&match, a->level.nodes, &seed);
        count[play(&match, (struct player *const[]){a, b})]++;
        count[2 - play(&match, (struct player *const[]){b, a})]++;
    }
    print_row(&match, a, b, count);
}

/* The same from the usual start. Each player has the first seat in turn, or the first one always.
 */
static void play_whole(const struct variant *variant, struct player *a, struct player *b,
                       unsigned games, bool in_turn)
{
    static struct match match;
    unsigned count[3] = {0};
    double begun = seconds_of(CLOCK_PROCESS_CPUTIME_ID);

    match.seed = wanted.seed;
    start_game(variant, &match);
    for (unsigned i = 0; i < games && has_time(begun); i++)
        if (in_turn && i % 2 == 1)
            count[2 - play(&match, (struct player *const[]){b, a})]++;
        else
            count[play(&match, (struct player *const[]){a, b})]++;
    print_row(&match, a, b, count);
}

/* ---- the tables ---- */

static bool is_wanted(const char *table, const struct variant *variant)
{
    return (wanted.only == NULL || strcmp(wanted.only, table) == 0) &&
           (wanted.game == NULL || strcmp(wanted.game, variant->game) == 0);
}

static void bench_levels(const struct variant *variant)
{
    for (unsigned level = 2; level <= ENGINE_LEVELS; level++) {
        char name[2][16];
        struct player above, below;

        if (wanted.level != 0 && wanted.level != level)
            continue;
        snprintf(name[0], sizeof(name[0]), "level %u", level);
        snprintf(name[1], sizeof(name[1]), "level %u", level - 1);
        above = engine_player(name[0], engine_level(game_of(variant), level));
        below = engine_player(name[1], engine_level(game_of(variant), level - 1));
        play_match(variant, &above, &below, wanted.games);
        free(above.engine);
        free(below.engine);
    }
}

static void bench_strangers(const struct variant *variant)
{
    struct variant strange = *variant;

    strange.strange = true;
    bench_levels(&strange);
}

static struct player whole_engine(const struct variant *variant)
{
    struct engine_level level = engine_level(rules_find(variant->game), ENGINE_LEVELS);

    level.nodes = wanted.nodes;
    level.variety = 0;
    return engine_player("engine", level);
}

static void bench_chance(const struct variant *variant)
{
    struct player three = engine_player("level 3", engine_level(rules_find(variant->game), 3));
    struct player chance = {.name = "chance", .choose = choose_at_random};

    play_match(variant, &three, &chance, wanted.games);
    free(three.engine);
}

/* Levels for beginners, against one who takes whatever stands open. */
static void bench_taker(const struct variant *variant)
{
    struct player taker = {.name = "taker", .choose = choose_by_taking};

    for (unsigned level = 1; level <= 2; level++) {
        char name[16];
        struct player player;

        if (wanted.level != 0 && wanted.level != level)
            continue;
        snprintf(name, sizeof(name), "level %u", level);
        player = engine_player(name, engine_level(rules_find(variant->game), level));
        play_whole(variant, &player, &taker, wanted.games, true);
        free(player.engine);
    }
    if (variant->sharp)
        bench_taker(&small_board);
}

/* In m,n,k games the first player should win; so the engine also begins games from the empty board.
 */
static void bench_plain(const struct variant *variant)
{
    struct player engine = whole_engine(variant);
    struct player plain = {.choose = choose_plainly};
    char name[32];

    snprintf(name, sizeof(name), "plain, depth %u", variant->plain_depth);
    plain.name = name;
    play_match(variant, &engine, &plain, wanted.games);
    if (strcmp(variant->game, "tictactoe") == 0) {
        engine.name = "first";
        play_whole(variant, &engine, &plain, wanted.games, false);
    }
    free(engine.engine);
}

static void bench_fish(const struct variant *variant)
{
    struct player engine = whole_engine(variant);
    struct player other = {
        .name = "fairy-stockfish", .choose = choose_by_fish, .level.nodes = wanted.nodes};

    if (access("/usr/games/fairy-stockfish", X_OK) == 0) {
        open_fish();
        play_match(variant, &engine, &other, wanted.games);
        fprintf(fish.to, "quit\n");
        fclose(fish.to);
        fclose(fish.from);
    }
    free(engine.engine);
}

/* Nodes a second from the start, beside the positions that perft makes. */
static void bench_speed(const struct variant *variant)
{
    static rules_move scratch[1 << 16];
    static struct match match;
    struct player engine = whole_engine(variant);
    rules_move move;
    double begun, took = 0, speed, perft = 0;
    uint64_t nodes = 0;

    start_game(variant, &match);
    rules_copy(&match.start, &match.state);
    engine.level.nodes = 200000;
    engine.choose(&engine, &match, &move);
    speed = (double)engine.nodes / engine.seconds;
    for (unsigned depth = 1; took < 0.02; depth++) {
        begun = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        nodes = rules_perft(match.game, &match.start, depth, scratch, 1 << 16);
        took = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begun;
        perft = (double)nodes / (took + 1e-9);
    }
    printf("%-18s %10.0f nodes/s, perft %12.0f: %.2f %%\n", variant->name, speed, perft,
           100 * speed / perft);
    free(engine.engine);
}

/* ---- tactics ---- */

/* What is to be found: a win in so many plies, or a move. */
struct find {
    const char *position, *move;
    unsigned plies;
};

static bool has_found(const struct engine_task *task, const struct engine_choice *choice,
                      const struct find *find)
{
    char text[RULES_MOVE_TEXT];

    task->game->move_text(task->state, choice->move, text);
    return find->move != NULL ? strcmp(text, find->move) == 0
                              : choice->line.mate > 0 && choice->line.mate <= (int)find->plies;
}

/* The nodes with which the engine finds it: the first of 250, 500, 1,000 ... that suffices. */
static uint64_t nodes_to_find(struct player *player, const char *game, struct find find)
{
    enum { LEAST = 250, MOST = 1 << 20 };
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    struct engine_task task = {rules_find(game), &state, {NULL, 0}, NULL, 0};
    struct engine_choice choice;

    rules_options_init(&options);
    options.position = find.position;
    if (!rules_start(task.game, &options, NULL, &state, &why))
        die("refused: %s", find.position);
    player->level.nodes = LEAST;
    while (engine_choose_as(player->engine, &task, &player->level, 0, &choice) == ENGINE_MOVES &&
           !has_found(&task, &choice, &find) && player->level.nodes < MOST)
        player->level.nodes *= 2;
    return player->level.nodes;
}

static void print_tactics(const struct variant *variant, const struct tactics_win *wins, size_t n)
{
    struct player player = whole_engine(variant);
    const char *game = variant->game;

    for (unsigned plies = 1; plies <= 9; plies += 2) {
        uint64_t most = 0, sum = 0;
        unsigned count = 0;

        for (size_t i = 0; i < n; i++)
            if (wins[i].plies == plies) {
                uint64_t nodes =
                    nodes_to_find(&player, game, (struct find){wins[i].position, NULL, plies});

                most = nodes > most ? nodes : most;
                sum += nodes;
                count++;
            }
        if (count > 0)
            printf("%-18s wins in %u: %2u, nodes to find one: %7lu on average, %7lu at most\n",
                   game, plies, count, (unsigned long)(sum / count), (unsigned long)most);
    }
    free(player.engine);
}

static void print_combinations(const struct variant *variant)
{
    struct player player = whole_engine(variant);
    const char *game = variant->game;

    for (size_t i = 0; i < sizeof(tactics_combinations) / sizeof(tactics_combinations[0]); i++) {
        struct find find = {tactics_combinations[i].position, tactics_combinations[i].move, 0};

        printf("%-18s combination %s, nodes to find it: %lu\n", game, find.move,
               (unsigned long)nodes_to_find(&player, game, find));
    }
    free(player.engine);
}

static void bench_tactics(const struct variant *variant)
{
    if (strcmp(variant->game, "turkish-draughts") == 0)
        print_combinations(variant);
    if (strcmp(variant->game, "shogi") == 0)
        print_tactics(variant, tactics_mates, sizeof(tactics_mates) / sizeof(tactics_mates[0]));
    if (strcmp(variant->game, "tictactoe") == 0)
        print_tactics(variant, tactics_threats,
                      sizeof(tactics_threats) / sizeof(tactics_threats[0]));
}

static void read_sprt(const char *text)
{
    if (sscanf(text, "%lf,%lf", &wanted.low, &wanted.high) != 2 || wanted.low >= wanted.high)
        die_of("--sprt", text);
    wanted.low /= 100;
    wanted.high /= 100;
}

static const char usage[] =
    "usage: bench-engine [OPTION VALUE]...\n"
    "  --only TABLE      levels, chance, taker, plain, shogi, speed or tactics; all by default;\n"
    "                    strangers: levels in games of which the engine knows only the rules\n"
    "  --game NAME       shogi, turkish-draughts, jungle, stackchess or tictactoe; all by default\n"
    "  --games N         games of a match: 20\n"
    "  --nodes N         nodes of a move, where no level says it: 10000\n"
    "  --level N         only this level against the one beneath, or against the taker\n"
    "  --seed N          of the starts and of the levels' errors: 1\n"
    "  --seconds N       CPU time after which a match ends; 0, the default: never\n"
    "  --sprt LOW,HIGH   end a match as soon as the games tell these scores in percent apart\n";

static uint64_t read_number(const char *name, const char *text, uint64_t least, uint64_t most)
{
    char *end;
    uint64_t number = strtoull(text, &end, 10);

    if (*text < '0' || *text > '9' || *end != '\0' || number < least || number > most)
        die_of(name, text);
    return number;
}

static const char *read_one_of(const char *name, const char *text, const char *const *names,
                               size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(text, names[i]) == 0)
            return text;
    die_of(name, text);
    return NULL;
}

static const char *read_game(const char *name, const char *text)
{
    const char *games[VARIANTS];

    for (size_t i = 0; i < VARIANTS; i++)
        games[i] = variants[i].game;
    return read_one_of(name, text, games, VARIANTS);
}

static void read_argument(const char *name, const char *value)
{
    static const char *const tables[] = {"levels", "chance",  "plain", "shogi",
                                         "speed",  "tactics", "taker", "strangers"};

    if (strcmp(name, "--games") == 0)
        wanted.games = (unsigned)read_number(name, value, 1, 1000000);
    else if (strcmp(name, "--nodes") == 0)
        wanted.nodes = read_number(name, value, 1, UINT64_MAX);
    else if (strcmp(name, "--level") == 0)
        wanted.level = (unsigned)read_number(name, value, 1, ENGINE_LEVELS);
    else if (strcmp(name, "--seed") == 0)
        wanted.seed = read_number(name, value, 0, UINT64_MAX);
    else if (strcmp(name, "--sprt") == 0)
        read_sprt(value);
    else if (strcmp(name, "--seconds") == 0)
        wanted.seconds = (double)read_number(name, value, 0, 1000000);
    else if (strcmp(name, "--only") == 0)
        wanted.only = read_one_of(name, value, tables, sizeof(tables) / sizeof(tables[0]));
    else if (strcmp(name, "--game") == 0)
        wanted.game = read_game(name, value);
    else
        die("unknown argument (--help lists what there is): %s", name);
}

static void read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (i + 1 == argc)
            die("unknown argument, or one without its value (--help lists what there is): %s",
                argv[i]);
        read_argument(argv[i], argv[i + 1]);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(const struct variant *variant);
    } tables[] = {{"speed", bench_speed},   {"tactics", bench_tactics},    {"chance", bench_chance},
                  {"taker", bench_taker},   {"plain", bench_plain},        {"shogi", bench_fish},
                  {"levels", bench_levels}, {"strangers", bench_strangers}};

    read_arguments(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("%-18s %-10s %-16s %5s %5s %5s   %13s   %7s\n", "game", "player", "against", "won",
           "drawn", "lost", "score, %", "kn/s");
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        for (size_t j = 0; j < VARIANTS; j++)
            if (is_wanted(tables[i].name, &variants[j]) &&
                (tables[i].run != bench_fish || j == 0) &&
                (tables[i].run != bench_strangers || wanted.only != NULL))
                tables[i].run(&variants[j]);
    return 0;
}
