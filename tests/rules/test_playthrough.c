/*
 * test_playthrough.c - golden games: everything that is shown of a game, move by move.
 *
 * A file of playthrough/ is a recipe (option NAME=VALUE, position TEXT, play MOVE ..., random PLIES
 * SEED), a line of dashes, and the transcript that the recipe must give. `make playthroughs`, which
 * sets PLAYTHROUGHS=write, writes the transcripts anew: read the difference then.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/draw/textboard.h"
#include "rules/rules.h"
#include "tests/support/files.h"

enum { PER_GAME = 2, GAMES_MAX = 64, PLIES_MAX = 1024, MOVES_MAX = 4096, BOARD_TEXT = 16384 };

static const char DASHES[] = "\n---\n";

struct playthrough {
    const struct rules_game *game;
    struct rules_state state;
    rules_move last;
    uint64_t keys[PLIES_MAX];
    size_t ply;
    FILE *out;
};

/* ---- the transcript ---- */

static void write_effect(const struct playthrough *p, const struct rules_effect *effect)
{
    static const char *const types[] = {"move", "capture", "drop", "promote", "place", "stack"};
    struct rules_board board = p->game->board(&p->state);
    char from[RULES_SQUARE_TEXT] = "", to[RULES_SQUARE_TEXT];

    rules_square_text(board, effect->to, to);
    if (effect->type == RULES_EFFECT_MOVE)
        rules_square_text(board, effect->from, from);
    fprintf(p->out, "    %s %s%s%s", types[effect->type], from, from[0] != '\0' ? " " : "", to);
    if (effect->man.seat != 0)
        fprintf(p->out, " %s %s", p->game->seat[effect->man.seat - 1].name,
                p->game->pieces[effect->man.kind].name);
    if (effect->count > 1 || effect->type == RULES_EFFECT_STACK)
        fprintf(p->out, " %u", effect->count);
    fputc('\n', p->out);
}

static void write_move(const struct playthrough *p, rules_move move)
{
    struct rules_effect effects[RULES_EFFECTS_MAX];
    size_t n = p->game->effects(&p->state, move, effects);
    char text[RULES_MOVE_TEXT], pretty[RULES_PRETTY_TEXT];

    p->game->move_text(&p->state, move, text);
    fprintf(p->out, "%zu. %s", p->ply + 1, text);
    if (p->game->pretty != NULL) {
        p->game->pretty(&p->state, p->last, move, pretty);
        fprintf(p->out, "  %s", pretty);
    }
    fputc('\n', p->out);
    for (size_t i = 0; i < n; i++)
        write_effect(p, &effects[i]);
}

static void write_position(const struct playthrough *p)
{
    char text[RULES_POSITION_TEXT];
    struct rules_refusal why;
    bool check = p->game->check != NULL && p->game->check(&p->state, &why);

    p->game->position_text(&p->state, text);
    fprintf(p->out, "%s\n    %zu legal%s\n", text, p->game->count(&p->state),
            check ? ", check" : "");
}

static struct rules_outcome outcome(const struct playthrough *p)
{
    struct rules_history history = {p->keys, p->ply};

    return p->game->outcome(&p->state, &history);
}

static void write_end(const struct playthrough *p)
{
    struct rules_outcome end = outcome(p);
    struct rules_look look;
    char board[BOARD_TEXT];

    if (end.status == RULES_ONGOING)
        fputs("goes on\n\n", p->out);
    else
        fprintf(p->out, "%s: %s\n\n",
                end.status == RULES_WON ? p->game->seat[end.winner - 1].name : "draw",
                rules_reason_text(end.reason));
    rules_look_init(&look);
    cr_assert_lt(rules_board_text(p->game, &p->state, &look, board, sizeof(board)), sizeof(board));
    fputs(board, p->out);
}

/* ---- the recipe ---- */

static void play(struct playthrough *p, rules_move move)
{
    struct rules_state next;

    cr_assert_lt(p->ply, PLIES_MAX);
    write_move(p, move);
    p->game->play(&p->state, move, &next);
    p->keys[p->ply++] = p->game->key(&p->state);
    rules_copy(&next, &p->state);
    p->last = move;
    write_position(p);
}

static void play_texts(struct playthrough *p, char *texts)
{
    for (char *text = strsep(&texts, " "); text != NULL; text = strsep(&texts, " ")) {
        struct rules_refusal why;
        rules_move move;

        cr_assert(p->game->read_move(&p->state, text, &move, &why), "%s: %s", text,
                  rules_code_text(why.code));
        play(p, move);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Lists the texts of the legal moves in byte order, whatever the order of legal(). */
static size_t list_moves(const struct playthrough *p, char texts[MOVES_MAX][RULES_MOVE_TEXT])
{
    static rules_move moves[MOVES_MAX];
    size_t n = p->game->legal(&p->state, moves, MOVES_MAX);

    cr_assert(n > 0 && n <= MOVES_MAX);
    for (size_t i = 0; i < n; i++)
        p->game->move_text(&p->state, moves[i], texts[i]);
    qsort(texts, n, RULES_MOVE_TEXT, by_text);
    return n;
}

static void play_at_random(struct playthrough *p, const char *numbers)
{
    static char texts[MOVES_MAX][RULES_MOVE_TEXT];
    char *rest;
    unsigned long plies = strtoul(numbers, &rest, 10);
    uint64_t seed = strtoul(rest, NULL, 10);

    for (; plies > 0 && outcome(p).status == RULES_ONGOING; plies--) {
        size_t n = list_moves(p, texts);

        play_texts(p, texts[rules_choose(&seed, n)]);
    }
}

/* Reads the lines of the recipe that say how the game begins. Returns the first line after them. */
static char *begin(struct playthrough *p, char **rest)
{
    struct rules_options options;
    struct rules_refusal why;
    const char *position = NULL;
    char *line = strsep(rest, "\n");

    rules_options_init(&options);
    for (; line != NULL && strncmp(line, "option ", 7) == 0; line = strsep(rest, "\n")) {
        char *value = line + 7, *name = strsep(&value, "=");

        cr_assert(rules_option_set(p->game, &options, name, value, &why), "%s", line);
    }
    if (line != NULL && strncmp(line, "position ", 9) == 0) {
        position = line + 9;
        line = strsep(rest, "\n");
    }
    cr_assert(rules_start(p->game, &options, position, &p->state, &why), "%s",
              rules_code_text(why.code));
    return line;
}

static void follow(struct playthrough *p, char *recipe)
{
    char *line = begin(p, &recipe);

    write_position(p);
    for (; line != NULL; line = strsep(&recipe, "\n"))
        if (strncmp(line, "play ", 5) == 0)
            play_texts(p, line + 5);
        else if (strncmp(line, "random ", 7) == 0)
            play_at_random(p, line + 7);
        else
            cr_assert_fail("what is '%s'?", line);
    write_end(p);
}

/* Writes the transcript of a recipe. The caller frees it. */
static char *transcribe(const struct rules_game *game, const char *recipe)
{
    static struct playthrough p;
    char *text, *copy = strdup(recipe);
    size_t size;

    p = (struct playthrough){.game = game, .out = open_memstream(&text, &size)};
    follow(&p, copy);
    fclose(p.out);
    free(copy);
    return text;
}

/* ---- the files ---- */

static void write_file(const char *path, const char *recipe, const char *transcript)
{
    FILE *file = fopen(path, "w");

    cr_assert_not_null(file, "%s", path);
    fprintf(file, "%s%s%s", recipe, DASHES, transcript);
    fclose(file);
}

static void compare_lines(const char *path, const char *golden, const char *played)
{
    size_t line = 1, start = 0, i = 0;

    for (; golden[i] != '\0' && golden[i] == played[i]; i++)
        if (golden[i] == '\n') {
            line++;
            start = i + 1;
        }
    cr_assert_eq(golden[i], played[i], "%s, line %zu behind the dashes, was\n%.*s\nand is\n%.*s",
                 path, line, (int)strcspn(golden + start, "\n"), golden + start,
                 (int)strcspn(played + start, "\n"), played + start);
}

struct file {
    size_t game;
    size_t number; /* from 1 */
};

ParameterizedTestParameters(playthrough, a_golden_game_is_played_as_ever)
{
    static struct file files[GAMES_MAX * PER_GAME];
    size_t n = 0;

    for (size_t game = 0; game < rules_games(); game++)
        for (size_t number = 1; number <= PER_GAME; number++)
            files[n++] = (struct file){game, number};
    return cr_make_param_array(struct file, files, n);
}

ParameterizedTest(struct file *param, playthrough, a_golden_game_is_played_as_ever)
{
    const struct rules_game *game = rules_game(param->game);
    char path[128], *recipe, *golden, *played;

    snprintf(path, sizeof(path), "tests/rules/playthrough/%s-%zu.txt", game->name, param->number);
    recipe = file_read("%s", path);
    golden = strstr(recipe, DASHES);
    cr_assert_not_null(golden, "%s has no line of dashes", path);
    *golden = '\0';
    golden += strlen(DASHES);
    played = transcribe(game, recipe);
    if (getenv("PLAYTHROUGHS") != NULL)
        write_file(path, recipe, played);
    else
        compare_lines(path, golden, played);
    free(played);
    free(recipe);
}
