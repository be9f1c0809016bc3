/*
 * perft.c - how many moves a second the rules make on one thread, and for shogi how that compares
 * with fairy-stockfish on the same positions in the same run. Seconds are those of the processor,
 * so that other work on the machine matters less.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rules/rules.h"
#include "tests/support/die.h"

enum { SCRATCH_MOVES = 1 << 20, LINE_TEXT = 1024 };

/* Each count is repeated for so long, and the best one taken. */
static const double BEST_OF_SECONDS = 0.5;

static const struct count {
    const char *game, *name, *position;
    const char *options[3]; /* NAME=VALUE */
    unsigned depth;
} counts[] = {
    {"shogi", "start", NULL, {NULL}, 5},
    {"shogi",
     "middle game",
     "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
     {NULL},
     3},
    {"shogi", "593 moves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", {NULL}, 3},
    {"shogi", "casual", NULL, {"rules=casual"}, 5},
    {"tictactoe", "3,3,3", NULL, {NULL}, 9},
    {"tictactoe", "4,4,4", NULL, {"rows=4", "cols=4", "k=4"}, 7},
    {"tictactoe", "19,19,5", NULL, {"rows=19", "cols=19", "k=5"}, 3},
    {"stackchess", "6x6", NULL, {NULL}, 5},
    {"stackchess", "8x8, knights", NULL, {"size=8", "knights=true"}, 5},
    {"jungle", "start", NULL, {NULL}, 6},
    {"turkish-draughts", "start", NULL, {NULL}, 8},
};

/* Seconds of processor time that a process has used. */
static double used_by(pid_t pid)
{
    clockid_t clock;
    struct timespec time;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- the rules ---- */

static void start(const struct count *count, struct rules_state *state)
{
    const struct rules_game *game = rules_find(count->game);
    struct rules_options options;
    struct rules_refusal why;

    rules_options_init(&options);
    for (size_t i = 0; i < 3 && count->options[i] != NULL; i++) {
        char text[64], *value = text, *name;

        snprintf(text, sizeof(text), "%s", count->options[i]);
        name = strsep(&value, "=");
        if (!rules_option_set(game, &options, name, value, &why))
            die("refused: %s", count->options[i]);
    }
    if (!rules_start(game, &options, count->position, state, &why))
        die("refused: %s", count->name);
}

/* Nodes per second, at best. */
static double measure(const struct count *count, rules_move *scratch, uint64_t *nodes)
{
    const struct rules_game *game = rules_find(count->game);
    struct rules_state state;
    double best = 0, end = used_by(0) + BEST_OF_SECONDS;

    start(count, &state);
    do {
        double begun = used_by(0), speed;

        *nodes = rules_perft(game, &state, count->depth, scratch, SCRATCH_MOVES);
        speed = (double)*nodes / (used_by(0) - begun + 1e-9);
        if (speed > best)
            best = speed;
    } while (used_by(0) < end);
    return best;
}

/* ---- fairy-stockfish, over UCI ---- */

struct engine {
    pid_t pid;
    FILE *to, *from;
};

static const char *engine_path(void)
{
    const char *path = getenv("FAIRY_STOCKFISH");

    return path != NULL ? path : "/usr/games/fairy-stockfish";
}

static void run_engine(const int to[2], const int from[2])
{
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    close(to[1]);
    close(from[0]);
    execl(engine_path(), engine_path(), (char *)NULL);
    _exit(127);
}

/* Reads lines up to one that begins with `prefix`, and returns what follows that. NULL: the engine
 * has ended. Static, overwritten. */
static const char *await(struct engine *engine, const char *prefix)
{
    static char line[LINE_TEXT];

    while (fgets(line, sizeof(line), engine->from) != NULL)
        if (strncmp(line, prefix, strlen(prefix)) == 0)
            return line + strlen(prefix);
    return NULL;
}

static bool engine_open(struct engine *engine)
{
    int to[2], from[2];

    if (access(engine_path(), X_OK) != 0 || pipe(to) != 0 || pipe(from) != 0)
        return false;
    signal(SIGPIPE, SIG_IGN);
    engine->pid = fork();
    if (engine->pid == 0)
        run_engine(to, from);
    close(to[0]);
    close(from[1]);
    engine->to = fdopen(to[1], "w");
    engine->from = fdopen(from[0], "r");
    if (engine->pid < 0 || engine->to == NULL || engine->from == NULL)
        die("cannot be started: %s", engine_path());
    fputs("uci\nsetoption name UCI_Variant value shogi\n", engine->to);
    return true;
}

/* Nodes per second, of one count. */
static double engine_measure(struct engine *engine, const struct count *count, uint64_t *nodes)
{
    const char *answer;
    double begun;

    if (count->position != NULL)
        fprintf(engine->to, "position sfen %s\nisready\n", count->position);
    else
        fputs("position startpos\nisready\n", engine->to);
    fflush(engine->to);
    await(engine, "readyok");
    begun = used_by(engine->pid);
    fprintf(engine->to, "go perft %u\n", count->depth);
    fflush(engine->to);
    answer = await(engine, "Nodes searched: ");
    if (answer == NULL)
        die("gave no count: %s", engine_path());
    *nodes = strtoull(answer, NULL, 10);
    return (double)*nodes / (used_by(engine->pid) - begun + 1e-9);
}

static void engine_close(struct engine *engine)
{
    fputs("quit\n", engine->to);
    fclose(engine->to);
    fclose(engine->from);
    waitpid(engine->pid, NULL, 0);
}

/* ---- the table ---- */

static bool is_standard_shogi(const struct count *count)
{
    return strcmp(count->game, "shogi") == 0 && count->options[0] == NULL;
}

static void print_row(const struct count *count, struct engine *engine, rules_move *scratch)
{
    uint64_t nodes, engine_nodes;
    double speed = measure(count, scratch, &nodes), engine_speed;

    printf("%-17s %-13s %5u %12llu %9.1f", count->game, count->name, count->depth,
           (unsigned long long)nodes, speed / 1e6);
    if (engine != NULL && is_standard_shogi(count)) {
        engine_speed = engine_measure(engine, count, &engine_nodes);
        printf(" %9.1f %8.1f", engine_speed / 1e6, speed / engine_speed);
        if (engine_nodes != nodes)
            printf("  (it counts %llu)", (unsigned long long)engine_nodes);
    }
    putchar('\n');
    fflush(stdout);
}

int main(void)
{
    rules_move *scratch = malloc(SCRATCH_MOVES * sizeof(*scratch));
    struct engine engine;
    bool compared = engine_open(&engine);

    if (scratch == NULL)
        die("out of memory: scratch");
    if (!compared)
        printf("no comparison: %s is not installed (Debian package fairy-stockfish)\n",
               engine_path());
    printf("%-17s %-13s %5s %12s %9s %9s %8s\n", "perft", "position", "depth", "nodes", "Mnps",
           compared ? "fairy-sf" : "", compared ? "ratio" : "");
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        print_row(&counts[i], compared ? &engine : NULL, scratch);
    if (compared)
        engine_close(&engine);
    free(scratch);
    return 0;
}
