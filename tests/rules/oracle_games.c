/* oracle_games.c - plays games against their references (oracle_games.h). */
#include "oracle_games.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/long.h"

enum { OPTIONS_TEXT = 256 };

/* ---- choosing moves ---- */

/* How moves are chosen. Uniform choice alone hardly ever repeats a position or gives check twice.
 */
enum manner { AT_RANDOM, TO_AND_FRO, WITH_CHECK, MANNERS };

/* Finds the first two squares that a move's text names. */
static bool squares_of(struct rules_board board, const char *text, unsigned square[2])
{
    size_t n = 0;

    while (*text != '\0' && n < 2) {
        size_t len = rules_square_read(board, text, &square[n]);

        n += len > 0;
        text += len > 0 ? len : 1;
    }
    return n == 2;
}

/* Whether a move takes back the one that its side played before. */
static bool takes_back(const struct oracle *oracle, const char *move)
{
    struct rules_board board = oracle->game->board(&oracle->state);
    unsigned now[2], before[2];

    return oracle->len > 2 && squares_of(board, move, now) &&
           squares_of(board, oracle->move[oracle->len - 3], before) && now[0] == before[1] &&
           now[1] == before[0];
}

static bool gives_check(const struct oracle *oracle, const char *after)
{
    return oracle->reference->check != NULL && oracle->reference->check(&oracle->resolved, after);
}

static bool is_known(const struct oracle *oracle, const char *after)
{
    char identity[REFERENCE_TEXT], earlier[REFERENCE_TEXT];

    oracle->reference->identity(after, identity);
    for (size_t i = 0; i < oracle->len; i++) {
        oracle->reference->identity(oracle->position[i], earlier);
        if (strcmp(earlier, identity) == 0)
            return true;
    }
    return false;
}

/* How well a move fits a manner. 0: not at all. */
static int fitness(const struct oracle *oracle, enum manner manner, size_t i)
{
    const struct reference_move *move = &oracle->moves.move[i];

    if (manner == TO_AND_FRO)
        return takes_back(oracle, move->text);
    if (manner == WITH_CHECK)
        return 2 * gives_check(oracle, move->after) + is_known(oracle, move->after);
    return 0;
}

/* Chooses a move: mostly one of those that fit the manner best, else any. */
static size_t choose_move(const struct oracle *oracle, enum manner manner, uint64_t *seed)
{
    size_t *fittest = malloc(oracle->moves.len * sizeof(*fittest)), n = 0, chosen;
    int best = 0;

    cr_assert_not_null(fittest);
    for (size_t i = 0; i < oracle->moves.len; i++) {
        int fits = fitness(oracle, manner, i);

        if (fits > best)
            n = 0;
        if (fits >= best)
            fittest[n++] = i;
        best = fits > best ? fits : best;
    }
    if (rules_choose(seed, 100) < 95)
        chosen = fittest[rules_choose(seed, n)];
    else
        chosen = rules_choose(seed, oracle->moves.len);
    free(fittest);
    return chosen;
}

/* ---- playing ---- */

struct tally {
    size_t positions, left; /* positions that were compared, and that are still to be */
    size_t composed;        /* games from composed positions, which take turns */
    size_t ends[RULES_REASONS];
};

static void note_end(struct tally *tally, const struct oracle *oracle)
{
    for (int reason = 0; reason < RULES_REASONS; reason++)
        if (oracle->outcome.reason != NULL &&
            strcmp(rules_reason_text((enum rules_reason)reason), oracle->outcome.reason) == 0)
            tally->ends[reason]++;
}

/* Plays one game to its end or for so many plies, and compares every position. */
static void play_game(const struct oracle_repertoire *repertoire, const char *options,
                      const char *position, size_t plies, uint64_t *seed, struct tally *tally)
{
    static struct oracle oracle;
    enum manner manner = (enum manner)rules_choose(seed, MANNERS);

    oracle_open(&oracle, repertoire->reference, options, position);
    for (size_t ply = 0; tally->left > 0; ply++) {
        oracle_compare(&oracle);
        tally->positions++;
        tally->left--;
        note_end(tally, &oracle);
        if (oracle.outcome.reason != NULL || ply == plies)
            break;
        oracle_play(&oracle, choose_move(&oracle, manner, seed));
    }
    oracle_close(&oracle);
}

__attribute__((format(printf, 2, 3))) static void add_option(char *options, const char *format, ...)
{
    size_t len = strlen(options);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(options + len, OPTIONS_TEXT - len, format, arguments);
    va_end(arguments);
}

/* Chooses about half of the options that a repertoire varies, each with one of its values. */
static void choose_options(const struct oracle_repertoire *repertoire, uint64_t *seed,
                           char *options)
{
    options[0] = '\0';
    add_option(options, "%s ", repertoire->options);
    for (const struct oracle_option *choice = repertoire->choices; choice->name != NULL; choice++) {
        size_t n = 0;

        while (n < ORACLE_VALUES_MAX && choice->values[n] != NULL)
            n++;
        if (rules_choose(seed, 2) == 0)
            add_option(options, "%s=%s ", choice->name, choice->values[rules_choose(seed, n)]);
    }
}

/* The length of a list that ends with NULL. */
static size_t count_texts(const char *const *texts)
{
    size_t n = 0;

    while (texts[n] != NULL)
        n++;
    return n;
}

static const char *choose_text(const char *const *texts, uint64_t *seed)
{
    return texts[rules_choose(seed, count_texts(texts))];
}

/* Chooses a named start, such as a handicap, for a game that has some. */
static void choose_named_start(const struct rules_game *game, uint64_t *seed, char *options)
{
    for (size_t i = 0; i < game->noptions; i++)
        if (game->options[i].kind == RULES_OPTION_START && rules_choose(seed, 2) == 0)
            add_option(options, "%s=%s ", game->options[i].name,
                       choose_text(game->options[i].choices, seed));
}

static void play_from_start(const struct oracle_repertoire *repertoire, uint64_t *seed,
                            struct tally *tally)
{
    char options[OPTIONS_TEXT];

    choose_options(repertoire, seed, options);
    choose_named_start(rules_find(repertoire->reference->name), seed, options);
    add_option(options, "%s", choose_text(repertoire->starts, seed));
    play_game(repertoire, options, NULL, repertoire->plies, seed, tally);
}

static void play_from_setup(const struct oracle_repertoire *repertoire, uint64_t *seed,
                            struct tally *tally)
{
    char options[OPTIONS_TEXT], position[REFERENCE_TEXT];

    choose_options(repertoire, seed, options);
    repertoire->setup(seed, options, position);
    play_game(repertoire, options, position, 8, seed, tally);
}

static void play_from_composed(const struct oracle_repertoire *repertoire, uint64_t *seed,
                               struct tally *tally)
{
    char options[OPTIONS_TEXT];
    size_t i = tally->composed++ % count_texts(repertoire->positions);

    choose_options(repertoire, seed, options);
    play_game(repertoire, options, repertoire->positions[i], 60, seed, tally);
}

static size_t number_from(const char *variable, size_t otherwise)
{
    const char *value = getenv(variable);

    return value == NULL ? otherwise : strtoul(value, NULL, 10);
}

static void show(const struct oracle_repertoire *repertoire, const struct tally *tally)
{
    const struct rules_game *game = rules_find(repertoire->reference->name);

    fprintf(stderr, "%s %s: %zu positions agree; ends:", game->name, repertoire->options,
            tally->positions);
    for (size_t i = 0; i < game->nreasons; i++)
        fprintf(stderr, " %s %zu", rules_reason_text(game->reasons[i]),
                tally->ends[game->reasons[i]]);
    fputc('\n', stderr);
}

/* How no game has ended yet, or NULL: an end that never came was not compared. */
static const char *missing_end(const struct oracle_repertoire *repertoire,
                               const struct tally *tally)
{
    const struct rules_game *game = rules_find(repertoire->reference->name);

    for (size_t i = 0; i < game->nreasons; i++) {
        const char *reason = rules_reason_text(game->reasons[i]);

        if (tally->ends[game->reasons[i]] == 0 && strstr(repertoire->never, reason) == NULL)
            return reason;
    }
    return NULL;
}

/* Whether enough is compared: in a short run that is so once games have ended in every way. */
static bool is_enough(const struct oracle_repertoire *repertoire, const struct tally *tally,
                      size_t positions)
{
    size_t least =
        positions == ORACLE_POSITIONS ? long_or_short(ORACLE_POSITIONS, 1000) : positions;

    return tally->left == 0 ||
           (tally->positions >= least && missing_end(repertoire, tally) == NULL);
}

void oracle_play_games(const struct oracle_repertoire *repertoire)
{
    uint64_t seed = number_from("PLYD_ORACLE_SEED", 1);
    size_t positions = number_from("PLYD_ORACLE_POSITIONS", ORACLE_POSITIONS);
    struct tally tally = {.left = positions};

    while (!is_enough(repertoire, &tally, positions)) {
        play_from_start(repertoire, &seed, &tally);
        for (int i = 0; i < 16; i++)
            play_from_setup(repertoire, &seed, &tally);
        for (int i = 0; i < 12; i++)
            play_from_composed(repertoire, &seed, &tally);
    }
    if (positions > ORACLE_POSITIONS)
        show(repertoire, &tally);
    if (positions >= ORACLE_POSITIONS)
        cr_expect_null(missing_end(repertoire, &tally), "no game of %s ended by %s",
                       repertoire->reference->name, missing_end(repertoire, &tally));
}
