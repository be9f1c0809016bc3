/* check_game.c - `plyd check-game`: whether a game keeps what rules.h promises (commands.h). */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "api/tool/commands.h"
#include "api/tool/games.h"
#include "contract/contract.h"
#include "contract/walk.h"

enum {
    KEPT = 0, /* exit codes */
    BROKEN = 1,
    USED_WRONGLY = 2,
    PATIENCE_S = 60,
    SECONDS_MAX = 86400,
    PERFT_NODES = 200000, /* counting goes on to this number of sequences */
    TIMED_PLIES = 120
};

static const char usage[] =
    "usage: plyd check-game FILE.so|NAME [--seconds N] [--patience N]\n"
    "Tries what rules.h promises of a game, on random games under every option, and names the\n"
    "position in which it is broken. Needs no database.\n"
    "  --seconds N     goes on with other games for N seconds\n"
    "  --patience N    seconds after which a promise is taken for one that never ends; 60\n";

struct check {
    const struct rules_game *game;
    unsigned seconds, patience;
};

/* ---- a process of its own for each question ---- */

/* What it found, in memory that is shared with it. */
struct finding {
    bool done, hung;
    char place[WALK_WHERE_TEXT]; /* the last position that was looked at */
    char how[CONTRACT_TEXT];
    const char *slowest; /* the function, and how long it took there */
    double took_us;
};

static struct finding *finding;

/* Asks in a process of its own. False: that did not come to its end, as finding->how says. */
static bool ask_apart(const struct check *check, void (*ask)(const void *about), const void *about)
{
    int status;
    pid_t child;

    memset(finding, 0, sizeof(*finding));
    fflush(NULL);
    child = fork();
    if (child == 0) {
        alarm(check->patience);
        walk_place = finding->place;
        ask(about);
        finding->done = true;
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    if (finding->done)
        return true;
    finding->hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    if (finding->hung)
        snprintf(finding->how, sizeof(finding->how), "%s: it does not come to an end within %u s",
                 finding->place, check->patience);
    else
        snprintf(finding->how, sizeof(finding->how), "%s: it crashes: %s", finding->place,
                 WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it ends the process");
    return false;
}

/* ---- promises ---- */

struct question {
    const struct rules_game *game;
    const struct contract_promise *promise;
};

static void try_promise(const void *about)
{
    const struct question *question = about;

    contract_keeps(question->game, question->promise, finding->how);
}

static bool check_promise(const struct check *check, const struct contract_promise *promise)
{
    struct question question = {check->game, promise};

    if (ask_apart(check, try_promise, &question) && finding->how[0] == '\0')
        return true;
    printf("broken: %s\n        %s\n", promise->name, finding->how);
    return false;
}

/* Tries all promises, and returns how many are broken. Where one does not come to an end, others
 * hardly would. */
static size_t check_promises(const struct check *check, size_t *promises)
{
    size_t broken = 0;

    *promises = 0;
    finding->hung = false;
    for (size_t list = 0; contract_promises[list] != NULL; list++)
        for (size_t i = 0; contract_promises[list][i].name != NULL && !finding->hung; i++) {
            broken += !check_promise(check, &contract_promises[list][i]);
            ++*promises;
        }
    return broken;
}

/* The same with other games, until something is broken or the time is over. */
static size_t check_on(const struct check *check)
{
    time_t end = time(NULL) + check->seconds;
    size_t broken = 0, promises;

    for (walk_seed = 1; broken == 0 && time(NULL) < end; walk_seed++)
        broken = check_promises(check, &promises);
    return broken;
}

/* ---- counting, and how long calls take ---- */

static void count_sequences(const void *about)
{
    static rules_move scratch[1 << 18];
    const struct rules_game *game = about;
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    uint64_t nodes = 1;

    rules_options_init(&options);
    rules_start(game, &options, NULL, &state, &why);
    for (unsigned depth = 1; depth <= 8 && nodes > 0 && nodes < PERFT_NODES / 20; depth++) {
        nodes = rules_perft(game, &state, depth, scratch, sizeof(scratch) / sizeof(scratch[0]));
        printf("perft %u: %" PRIu64 "\n", depth, nodes);
    }
    fflush(stdout);
}

/* By the clock of this thread, which does not go on while others have the processor. */
static double us_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* The end of a call that began at *since, which becomes now. */
static void note_call(const char *function, double *since)
{
    double took = us_now() - *since;

    if (took > finding->took_us) {
        finding->took_us = took;
        finding->slowest = function;
        memcpy(finding->how, finding->place, sizeof(finding->place));
    }
    *since = us_now();
}

static void time_calls(struct walk *walk)
{
    struct rules_history history = walk_history(walk);
    char text[RULES_POSITION_TEXT];
    struct rules_state next;
    struct rules_refusal why;
    rules_move move;
    double since = us_now();

    walk->game->count(&walk->state);
    note_call("count()", &since);
    walk->game->legal(&walk->state, walk->moves, WALK_MOVES_MAX);
    note_call("legal()", &since);
    walk->game->outcome(&walk->state, &history);
    note_call("outcome()", &since);
    walk->game->key(&walk->state);
    note_call("key()", &since);
    walk->game->position_text(&walk->state, text);
    note_call("position_text()", &since);
    rules_load(walk->game, &walk->options, text, &next, &why);
    note_call("start()", &since);
    if (!walk_pick(walk, 1, 0, &move))
        return;
    since = us_now();
    walk->game->play(&walk->state, move, &next);
    note_call("play()", &since);
    walk->game->move_text(&walk->state, move, text);
    note_call("move_text()", &since);
    walk->game->read_move(&walk->state, text, &move, &why);
    note_call("read_move()", &since);
}

static void time_game(const void *about)
{
    walk_all(about, TIMED_PLIES, false, time_calls);
}

/* ---- the command ---- */

static int check_game(const struct check *check)
{
    const char *name = check->game->name;
    size_t promises, broken = check_promises(check, &promises);

    if (broken == 0)
        broken = check_on(check);
    if (broken > 0) {
        printf("%s breaks %zu of the %zu promises that were tried\n", name, broken, promises);
        return BROKEN;
    }
    ask_apart(check, count_sequences, check->game);
    ask_apart(check, time_game, check->game);
    printf("the slowest call: %s, %.0f us, %s\n", finding->slowest, finding->took_us, finding->how);
    printf("%s keeps all %zu promises\n", name, promises);
    return KEPT;
}

static bool read_seconds(const char *text, unsigned least, unsigned *seconds)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    *seconds = (unsigned)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && value >= least &&
           value <= SECONDS_MAX;
}

/* The game of a file, which is the last one of the list then, or of a name. */
static const struct rules_game *find_game(const char *text)
{
    const struct rules_game *game = rules_find(text);

    if (game != NULL || strchr(text, '.') == NULL)
        return game;
    return games_load(text) ? rules_game(rules_games() - 1) : NULL;
}

/* Reads a flag and its value. False: there is none of this name, or its value is none. */
static bool read_check_flag(struct check *check, const char *flag, const char *value)
{
    if (value == NULL)
        return false;
    if (strcmp(flag, "--seconds") == 0)
        return read_seconds(value, 0, &check->seconds);
    return strcmp(flag, "--patience") == 0 && read_seconds(value, 1, &check->patience);
}

static bool read_check(struct check *check, int argc, char **argv)
{
    const char *game = NULL;

    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-' && game == NULL)
            game = argv[i];
        else if (read_check_flag(check, argv[i], argv[i + 1]))
            i++;
        else
            return false;
    }
    if (game == NULL)
        return false;
    check->game = find_game(game);
    return true;
}

int check_game_main(int argc, char **argv)
{
    struct check check = {.patience = PATIENCE_S};

    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return KEPT;
    }
    if (!read_check(&check, argc, argv)) {
        fputs(usage, stderr);
        return USED_WRONGLY;
    }
    if (check.game == NULL) {
        fprintf(stderr, "plyd check-game: no game to try\n");
        return USED_WRONGLY;
    }
    finding =
        mmap(NULL, sizeof(*finding), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (finding == MAP_FAILED)
        abort();
    return check_game(&check);
}
