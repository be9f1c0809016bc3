/* oracle.c - compares a game with its reference (oracle.h). */
#include "oracle.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- saying what is wrong ---- */

/* Prints how to come to the present position again. */
static void show_line(const struct oracle *oracle)
{
    fprintf(stderr, "\n%s\noptions: ", oracle->game->name);
    for (size_t i = 0; i < oracle->resolved.len; i++)
        fprintf(stderr, "%s=%s ", oracle->option[i].name, oracle->option[i].value);
    if (oracle->len == 0)
        return;
    fprintf(stderr, "\nstart: %s\nmoves:", oracle->position[0]);
    for (size_t i = 0; i + 1 < oracle->len; i++)
        fprintf(stderr, " %s", oracle->move[i]);
    fprintf(stderr, "\nposition: %s\n", oracle->position[oracle->len - 1]);
}

__attribute__((format(printf, 2, 3))) static void disagree(const struct oracle *oracle,
                                                           const char *format, ...)
{
    va_list arguments;

    show_line(oracle);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    cr_assert_fail("%s and its reference disagree, see above", oracle->game->name);
}

static void *need(void *memory)
{
    cr_assert_not_null(memory, "no memory left");
    return memory;
}

/* ---- positions met and their keys ---- */

static void remember(struct oracle *oracle, const char *position, uint64_t key)
{
    char identity[REFERENCE_TEXT];

    if (oracle->nmet == oracle->met_cap) {
        oracle->met_cap = oracle->met_cap == 0 ? 256 : 2 * oracle->met_cap;
        oracle->met = need(realloc(oracle->met, oracle->met_cap * sizeof(*oracle->met)));
    }
    oracle->reference->identity(position, identity);
    oracle->met[oracle->nmet++] = (struct oracle_met){need(strdup(identity)), key};
}

static int by_identity(const void *a, const void *b)
{
    const struct oracle_met *one = a, *other = b;

    return strcmp(one->identity, other->identity);
}

static int by_key(const void *a, const void *b)
{
    const struct oracle_met *one = a, *other = b;

    return (one->key > other->key) - (one->key < other->key);
}

/* Asserts that two positions have the same key if and only if they are the same. */
static void compare_keys(struct oracle *oracle)
{
    struct oracle_met *met = oracle->met;

    qsort(met, oracle->nmet, sizeof(*met), by_identity);
    for (size_t i = 1; i < oracle->nmet; i++)
        if (by_identity(&met[i - 1], &met[i]) == 0 && by_key(&met[i - 1], &met[i]) != 0)
            disagree(oracle, "two keys for one position: %s", met[i].identity);
    qsort(met, oracle->nmet, sizeof(*met), by_key);
    for (size_t i = 1; i < oracle->nmet; i++)
        if (by_key(&met[i - 1], &met[i]) == 0 && by_identity(&met[i - 1], &met[i]) != 0)
            disagree(oracle, "one key for two positions: %s\nand %s", met[i - 1].identity,
                     met[i].identity);
}

/* ---- beginning and ending ---- */

static void set_options(struct oracle *oracle, const char *options)
{
    char text[RULES_POSITION_TEXT];
    struct rules_refusal why;

    rules_options_init(&oracle->options);
    snprintf(text, sizeof(text), "%s", options);
    for (char *name = strtok(text, " "); name != NULL; name = strtok(NULL, " ")) {
        char *value = strchr(name, '=');

        *value++ = '\0';
        if (!rules_option_set(oracle->game, &oracle->options, name, value, &why))
            disagree(oracle, "the option %s=%s is refused", name, value);
    }
}

/* Gives the options that the game has resolved to the reference, as texts. */
static void share_options(struct oracle *oracle)
{
    for (size_t i = 0; i < oracle->game->noptions; i++) {
        rules_option_text(oracle->game, &oracle->options, i, oracle->value[i]);
        oracle->option[i].name = oracle->game->options[i].name;
        oracle->option[i].value = oracle->value[i];
    }
    oracle->resolved = (struct reference_options){oracle->option, oracle->game->noptions};
}

/* Adds the present position to the line, with its text. */
static void add_position(struct oracle *oracle)
{
    char text[RULES_POSITION_TEXT];

    cr_assert_lt(oracle->len, ORACLE_LINE_MAX);
    oracle->game->position_text(&oracle->state, text);
    oracle->position[oracle->len] = need(strdup(text));
    oracle->key[oracle->len] = oracle->game->key(&oracle->state);
    remember(oracle, text, oracle->key[oracle->len]);
    oracle->len++;
}

/* Compares the position at the start: the one that was given, or the usual one. */
static void compare_start(struct oracle *oracle, const char *options, const char *position)
{
    char expected[REFERENCE_TEXT];

    if (position != NULL)
        snprintf(expected, sizeof(expected), "%s", position);
    else if (strstr(options, "start=") == NULL)
        oracle->reference->start(&oracle->resolved, expected);
    else
        return; /* a handicap: the reference takes it as it is */
    if (strcmp(oracle->position[0], expected) != 0)
        disagree(oracle, "the start should be %s", expected);
}

void oracle_open(struct oracle *oracle, const struct reference_game *reference, const char *options,
                 const char *position)
{
    struct rules_refusal why;

    memset(oracle, 0, sizeof(*oracle));
    oracle->reference = reference;
    oracle->game = rules_find(reference->name);
    cr_assert_not_null(oracle->game, "there is no game called %s", reference->name);
    set_options(oracle, options);
    if (!rules_start(oracle->game, &oracle->options, position, &oracle->state, &why))
        disagree(oracle, "options %s: start %s is refused: %s %s", options,
                 position == NULL ? "" : position, rules_code_text(why.code),
                 why.law == NULL ? "" : why.law->text);
    share_options(oracle);
    add_position(oracle);
    compare_start(oracle, options, position);
}

static void forget_moves(struct oracle *oracle)
{
    reference_free(&oracle->moves);
    free(oracle->same);
    oracle->same = NULL;
}

void oracle_close(struct oracle *oracle)
{
    compare_keys(oracle);
    forget_moves(oracle);
    for (size_t i = 0; i < oracle->nmet; i++)
        free(oracle->met[i].identity);
    free(oracle->met);
    for (size_t i = 0; i < oracle->len; i++)
        free(oracle->position[i]);
}

/* ---- legal moves ---- */

struct spelled {
    char text[RULES_MOVE_TEXT];
    rules_move move;
};

static int by_text(const void *a, const void *b)
{
    const struct spelled *one = a, *other = b;

    return strcmp(one->text, other->text);
}

/* Lists the legal moves of a state in the byte order of their texts. The caller frees them. */
static struct spelled *spelled_moves(const struct oracle *oracle, const struct rules_state *state,
                                     size_t *n)
{
    size_t cap = oracle->game->legal(state, NULL, 0);
    rules_move *moves = need(calloc(cap + 1, sizeof(*moves)));
    struct spelled *spelled = need(calloc(cap + 1, sizeof(*spelled)));

    *n = oracle->game->legal(state, moves, cap);
    if (*n != cap)
        disagree(oracle, "legal() finds %zu moves, then %zu", cap, *n);
    if (*n != oracle->game->count(state))
        disagree(oracle, "legal() finds %zu moves, count() %zu", *n, oracle->game->count(state));
    for (size_t i = 0; i < *n; i++) {
        spelled[i].move = moves[i];
        oracle->game->move_text(state, moves[i], spelled[i].text);
    }
    qsort(spelled, *n, sizeof(*spelled), by_text);
    free(moves);
    return spelled;
}

/* Compares two sorted lists and says which moves only one of them has. */
static void compare_lists(const struct oracle *oracle, const struct spelled *game, size_t n)
{
    const struct reference_moves *reference = &oracle->moves;
    size_t i = 0, k = 0;
    bool differ = false;

    while (i < n || k < reference->len) {
        int order = i == n                ? 1
                    : k == reference->len ? -1
                                          : strcmp(game[i].text, reference->move[k].text);

        if (order != 0)
            fprintf(stderr, "%s %s\n", order < 0 ? "illegal:" : "missing:",
                    order < 0 ? game[i].text : reference->move[k].text);
        differ |= order != 0;
        i += order <= 0;
        k += order >= 0;
    }
    if (differ)
        disagree(oracle, "%zu moves instead of %zu", n, reference->len);
}

static void compare_moves(struct oracle *oracle)
{
    size_t n;
    struct spelled *game = spelled_moves(oracle, &oracle->state, &n);

    forget_moves(oracle);
    oracle->moves = oracle->reference->moves(&oracle->resolved, oracle->position[oracle->len - 1]);
    compare_lists(oracle, game, n);
    oracle->same = need(calloc(n + 1, sizeof(*oracle->same)));
    for (size_t i = 0; i < n; i++)
        oracle->same[i] = game[i].move;
    free(game);
}

/* Compares the positions that the moves lead to, and reads their texts back. */
static void compare_results(struct oracle *oracle)
{
    for (size_t i = 0; i < oracle->moves.len; i++) {
        const struct reference_move *move = &oracle->moves.move[i];
        char after[RULES_POSITION_TEXT];
        struct rules_state next;
        struct rules_refusal why;
        rules_move read;

        oracle->game->play(&oracle->state, oracle->same[i], &next);
        oracle->game->position_text(&next, after);
        remember(oracle, after, oracle->game->key(&next));
        if (strcmp(after, move->after) != 0)
            disagree(oracle, "%s leads to\n%s instead of\n%s", move->text, after, move->after);
        if (oracle->game->to_move(&next) == oracle->game->to_move(&oracle->state))
            disagree(oracle, "%s leaves the turn where it was", move->text);
        if (!oracle->game->read_move(&oracle->state, move->text, &read, &why))
            disagree(oracle, "%s is refused: %s", move->text, rules_code_text(why.code));
        if (!rules_same_move(read, oracle->same[i]))
            disagree(oracle, "%s is read as another move", move->text);
    }
}

/* ---- paths ---- */

enum { PATH_TEXT = RULES_PATH_MAX * (RULES_SQUARE_TEXT + 1) };

static int by_path(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void spell_path(const struct oracle *oracle, rules_move move, char text[PATH_TEXT])
{
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];
    size_t n = oracle->game->path(&oracle->state, move, click);

    text[0] = '\0';
    if (n == 0 || n > RULES_PATH_MAX)
        disagree(oracle, "a path of %zu clicks", n);
    for (size_t i = 0; i < n; i++) {
        strcat(text, click[i]);
        strcat(text, " ");
    }
}

/* Asserts that no two moves are made by the same clicks. */
static void compare_paths(const struct oracle *oracle)
{
    char(*path)[PATH_TEXT] = need(calloc(oracle->moves.len + 1, sizeof(*path)));

    for (size_t i = 0; i < oracle->moves.len; i++)
        spell_path(oracle, oracle->same[i], path[i]);
    qsort(path, oracle->moves.len, sizeof(*path), by_path);
    for (size_t i = 1; i < oracle->moves.len; i++)
        if (strcmp(path[i - 1], path[i]) == 0)
            disagree(oracle, "two moves have the path %s", path[i]);
    free(path);
}

/* ---- everything else ---- */

static bool same_outcome(struct rules_outcome game, struct reference_outcome reference)
{
    if (reference.reason == NULL)
        return game.status == RULES_ONGOING;
    if (game.status != (reference.winner == 0 ? RULES_DRAWN : RULES_WON))
        return false;
    return (reference.winner == 0 || game.winner == reference.winner) &&
           strcmp(rules_reason_text(game.reason), reference.reason) == 0;
}

static void expect_outcome(const struct oracle *oracle, const char *what,
                           struct rules_outcome outcome)
{
    static const char *const status[] = {"ongoing", "won", "drawn"};

    if (!same_outcome(outcome, oracle->outcome))
        disagree(oracle, "%s: %s by %d, %s, instead of %s, winner %d", what, status[outcome.status],
                 outcome.winner, rules_reason_text(outcome.reason),
                 oracle->outcome.reason == NULL ? "ongoing" : oracle->outcome.reason,
                 oracle->outcome.winner);
}

/* Compares the outcome, with the whole past and with no more of it than span() asks for. */
static void compare_outcome(struct oracle *oracle)
{
    const struct reference_line line = {(const char *const *)oracle->position, oracle->len};
    size_t past = oracle->len - 1, span = oracle->game->span(&oracle->state);
    struct rules_history whole = {oracle->key, past}, enough = whole;

    if (span < past)
        enough = (struct rules_history){oracle->key + past - span, span};
    oracle->outcome = oracle->reference->outcome(&oracle->resolved, &line);
    expect_outcome(oracle, "outcome()", oracle->game->outcome(&oracle->state, &whole));
    expect_outcome(oracle, "outcome() with a past of span()",
                   oracle->game->outcome(&oracle->state, &enough));
}

/* Compares the side to move. Its mark is the second field of the text, or its first byte. */
static void compare_turn(const struct oracle *oracle)
{
    const char *text = oracle->position[oracle->len - 1], *blank = strchr(text, ' ');
    unsigned seat = oracle->game->to_move(&oracle->state);

    if (seat < 1 || seat > RULES_SEATS)
        disagree(oracle, "to_move() says %u", seat);
    if (oracle->game->seat[seat - 1].mark[0] != (blank == NULL ? text[0] : blank[1]))
        disagree(oracle, "to_move() says %u", seat);
}

static void compare_check(const struct oracle *oracle)
{
    const char *position = oracle->position[oracle->len - 1];
    struct rules_refusal why;

    if ((oracle->game->check == NULL) != (oracle->reference->check == NULL))
        disagree(oracle, "only one of the two knows check");
    if (oracle->reference->check != NULL) {
        bool check = oracle->reference->check(&oracle->resolved, position);

        if (oracle->game->check(&oracle->state, &why) != check)
            disagree(oracle, "check() is wrong: it is %d", check);
        if ((oracle->key[oracle->len - 1] & 1) != check)
            disagree(oracle, "bit 0 of key() is wrong: it is %d", check);
    }
}

static void compare_declaration(const struct oracle *oracle)
{
    const char *position = oracle->position[oracle->len - 1];
    struct rules_outcome outcome;
    struct rules_refusal why;
    bool wins;

    if ((oracle->game->declare == NULL) != (oracle->reference->declare == NULL))
        disagree(oracle, "only one of the two knows declarations");
    if (oracle->reference->declare == NULL || oracle->outcome.reason != NULL)
        return; /* nobody declares in a game that is over */
    wins = oracle->reference->declare(&oracle->resolved, position);
    if (oracle->game->declare(&oracle->state, &outcome, &why) != wins)
        disagree(oracle, "declare() is wrong: it is %d", wins);
    if (wins &&
        (outcome.status != RULES_WON || outcome.winner != oracle->game->to_move(&oracle->state)))
        disagree(oracle, "declare() succeeds, and its outcome is another");
}

/* Asserts that the text of the position is read as the same position with the same moves. */
static void compare_reading(const struct oracle *oracle)
{
    const char *position = oracle->position[oracle->len - 1];
    char text[RULES_POSITION_TEXT];
    struct rules_state again;
    struct rules_refusal why;
    struct spelled *moves;
    size_t n;

    if (!rules_load(oracle->game, &oracle->options, position, &again, &why))
        disagree(oracle, "its own position is refused: %s %s", rules_code_text(why.code),
                 why.law == NULL ? "" : why.law->text);
    oracle->game->position_text(&again, text);
    if (strcmp(text, position) != 0)
        disagree(oracle, "it reads its own position as %s", text);
    if (oracle->game->key(&again) != oracle->key[oracle->len - 1])
        disagree(oracle, "read again, the position has another key");
    moves = spelled_moves(oracle, &again, &n);
    compare_lists(oracle, moves, n);
    free(moves);
}

void oracle_compare(struct oracle *oracle)
{
    compare_turn(oracle);
    compare_moves(oracle);
    compare_results(oracle);
    compare_paths(oracle);
    compare_reading(oracle);
    compare_outcome(oracle);
    compare_check(oracle);
    compare_declaration(oracle);
}

void oracle_play(struct oracle *oracle, size_t i)
{
    struct rules_state before = oracle->state;

    strcpy(oracle->move[oracle->len - 1], oracle->moves.move[i].text);
    oracle->game->play(&before, oracle->same[i], &oracle->state);
    add_position(oracle);
}
