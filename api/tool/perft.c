/* perft.c - the subcommand `plyd perft`: counts sequences of legal moves. */
#include "api/tool/commands.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/text/arena.h"
#include "api/text/json_read.h"
#include "api/text/move_text.h"
#include "api/text/options.h"
#include "api/text/problem.h"
#include "rules/rules.h"

enum {
    EXIT_OK = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    DEPTH_MAX = 64,
    SCRATCH_MOVES = 1 << 20 /* legal moves of all positions on the way down, together */
};

struct perft {
    const struct rules_game *game;
    unsigned depth;
    const char *position;
    const char *options; /* JSON, or NULL */
    bool divide;
    struct rules_state state;
    rules_move *scratch;
};

static void print_usage(FILE *out)
{
    fputs("usage: plyd perft VARIANT DEPTH [--position P] [--options JSON] [--divide]\n"
          "Counts the sequences of DEPTH legal moves. Needs no database.\n"
          "  --position P    from this position instead of the start\n"
          "  --options JSON  the variant's options, such as '{\"rules\":\"casual\"}'\n"
          "  --divide        one line per first move, in byte order, then the sum\n"
          "variants:",
          out);
    for (size_t i = 0; i < rules_games(); i++)
        fprintf(out, " %s", rules_game(i)->name);
    fputc('\n', out);
}

static int bad_usage(const char *what, const char *value)
{
    fprintf(stderr, "plyd perft: %s: %s\n", what, value);
    fputs("plyd perft --help shows how it is used\n", stderr);
    return EXIT_USAGE;
}

static int refused(const struct rules_refusal *why)
{
    fprintf(stderr, "plyd perft: %s: %s", rules_code_text(why->code), rules_code_title(why->code));
    if (why->option != NULL)
        fprintf(stderr, " (%s)", why->option);
    if (why->at != RULES_NOT_GIVEN)
        fprintf(stderr, " (at byte %" PRId32 ")", why->at);
    if (why->law != NULL)
        fprintf(stderr, ". %s", why->law->text);
    fputc('\n', stderr);
    return EXIT_FAILED;
}

/* ---- the command line ---- */

static bool read_depth(const char *text, unsigned *depth)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    *depth = (unsigned)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && value <= DEPTH_MAX;
}

static int read_flags(struct perft *perft, int argc, char **argv, bool *help)
{
    static const struct option flags[] = {
        {"position", required_argument, NULL, 'p'},
        {"options", required_argument, NULL, 'o'},
        {"divide", no_argument, NULL, 'd'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int flag;

    optind = 0; /* the program may have read flags of its own before */
    for (flag = getopt_long(argc, argv, "", flags, NULL); flag != -1;
         flag = getopt_long(argc, argv, "", flags, NULL)) {
        if (flag == 'p') {
            perft->position = optarg;
        } else if (flag == 'o') {
            perft->options = optarg;
        } else if (flag == 'd') {
            perft->divide = true;
        } else if (flag == 'h') {
            *help = true;
        } else {
            return EXIT_USAGE;
        }
    }
    return EXIT_OK;
}

static int read_arguments(struct perft *perft, int argc, char **argv)
{
    if (argc - optind != 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    perft->game = rules_find(argv[optind]);
    if (perft->game == NULL)
        return bad_usage("no such variant (that of a file needs --game FILE.so)", argv[optind]);
    if (!read_depth(argv[optind + 1], &perft->depth))
        return bad_usage("the depth is not a number from 0 to 64", argv[optind + 1]);
    return EXIT_OK;
}

/* ---- the start position ---- */

static int set_perft_options(const struct perft *perft, struct arena *arena,
                             struct rules_options *options)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};

    rules_options_init(options);
    if (perft->options == NULL ||
        options_from_json(perft->game, arena, perft->options, options, &error))
        return EXIT_OK;
    if (error.code == PROBLEM_MALFORMED_JSON)
        return bad_usage("the options are not a JSON object", perft->options);
    fprintf(stderr, "plyd perft: %s: %s %s\n", problem_kind(error.code)->code, error.pointer,
            error.detail);
    return EXIT_FAILED;
}

static int start_perft(struct perft *perft)
{
    struct arena arena = {NULL, NULL, NULL};
    struct rules_options options;
    struct rules_refusal why;
    int code = set_perft_options(perft, &arena, &options);

    if (code == EXIT_OK &&
        !rules_start(perft->game, &options, perft->position, &perft->state, &why))
        code = refused(&why);
    arena_free(&arena);
    return code;
}

/* ---- counting ---- */

struct line {
    char move[RULES_MOVE_TEXT];
    uint64_t nodes;
};

static int by_move(const void *a, const void *b)
{
    return strcmp(((const struct line *)a)->move, ((const struct line *)b)->move);
}

static uint64_t count_below(const struct perft *perft, rules_move move, size_t used)
{
    struct rules_state next;

    perft->game->play(&perft->state, move, &next);
    return rules_perft(perft->game, &next, perft->depth - 1, perft->scratch + used,
                       SCRATCH_MOVES - used);
}

/* Prints each first move with the nodes below it, sorted, so that the output of two programs can be
 * compared line by line. UINT64_MAX: there was not enough memory. */
static uint64_t divide(const struct perft *perft)
{
    size_t n = perft->game->legal(&perft->state, perft->scratch, SCRATCH_MOVES);
    struct line *lines = calloc(n + 1, sizeof(*lines));
    uint64_t nodes = 0;

    if (lines == NULL || n > SCRATCH_MOVES)
        nodes = UINT64_MAX;
    for (size_t i = 0; i < n && nodes != UINT64_MAX; i++) {
        perft->game->move_text(&perft->state, perft->scratch[i], lines[i].move);
        lines[i].nodes = count_below(perft, perft->scratch[i], n);
        nodes = lines[i].nodes == UINT64_MAX ? UINT64_MAX : nodes + lines[i].nodes;
    }
    if (nodes != UINT64_MAX) {
        qsort(lines, n, sizeof(*lines), by_move);
        for (size_t i = 0; i < n; i++)
            printf("%s %" PRIu64 "\n", lines[i].move, lines[i].nodes);
    }
    free(lines);
    return nodes;
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int count_perft(const struct perft *perft)
{
    double begun = now(), taken;
    uint64_t nodes =
        perft->divide && perft->depth > 0
            ? divide(perft)
            : rules_perft(perft->game, &perft->state, perft->depth, perft->scratch, SCRATCH_MOVES);

    if (nodes == UINT64_MAX) {
        fputs("plyd perft: more legal moves than there is memory for\n", stderr);
        return EXIT_FAILED;
    }
    taken = now() - begun;
    printf("%" PRIu64 "\n", nodes);
    fprintf(stderr, "%.3f s, %.0f nodes/s\n", taken, (double)nodes / (taken + 1e-9));
    return EXIT_OK;
}

static int run_perft(struct perft *perft, int argc, char **argv)
{
    bool help = false;
    int code = read_flags(perft, argc, argv, &help);

    if (code == EXIT_OK && help) {
        print_usage(stdout);
        return EXIT_OK;
    }
    if (code == EXIT_OK)
        code = read_arguments(perft, argc, argv);
    if (code == EXIT_OK)
        code = start_perft(perft);
    return code == EXIT_OK ? count_perft(perft) : code;
}

int perft_main(int argc, char **argv)
{
    struct perft perft = {.scratch = malloc(SCRATCH_MOVES * sizeof(rules_move))};
    int code = EXIT_FAILED;

    if (perft.scratch != NULL)
        code = run_perft(&perft, argc, argv);
    else
        fputs("plyd perft: out of memory\n", stderr);
    free(perft.scratch);
    return code;
}
