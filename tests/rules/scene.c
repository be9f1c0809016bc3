/* scene.c - a game in a test. */
#include "scene.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/reference/reference.h"

enum { SCRATCH = 1 << 14, OPTIONS_TEXT = 256, JOINED_TEXT = 1 << 13 };

/* ---- starting ---- */

static bool give_options(struct scene *scene, const char *options)
{
    static char text[OPTIONS_TEXT]; /* static, since a position that an option names must last */
    char *rest = text;

    cr_assert_lt(strlen(options), sizeof(text));
    strcpy(text, options);
    for (char *name = strtok_r(rest, " =", &rest); name != NULL; name = strtok_r(rest, " =", &rest))
        if (!rules_option_set(scene->game, &scene->options, name, strtok_r(NULL, " ", &rest),
                              &scene->why))
            return false;
    return true;
}

bool scene_starts(struct scene *scene, const struct rules_game *game, const char *options,
                  const char *position)
{
    scene->game = game;
    scene->plies = 0;
    rules_options_init(&scene->options);
    return give_options(scene, options) &&
           rules_start(game, &scene->options, position, &scene->state, &scene->why);
}

void scene_open(struct scene *scene, const struct rules_game *game, const char *options,
                const char *position)
{
    if (!scene_starts(scene, game, options, position))
        cr_assert_fail("%s with options '%s' does not start from %s: %s", game->name, options,
                       position == NULL ? "the usual start" : position,
                       rules_code_text(scene->why.code));
}

/* ---- moves ---- */

/* Plays moves, parted by blanks, up to the first that is refused, and returns that one, or NULL. */
static const char *play_until_refused(struct scene *scene, const char *moves)
{
    static char text[OPTIONS_TEXT];
    char *rest = text;

    cr_assert_lt(strlen(moves), sizeof(text));
    strcpy(text, moves);
    for (char *move = strtok_r(rest, " ", &rest); move != NULL; move = strtok_r(rest, " ", &rest)) {
        cr_assert_lt(scene->plies, SCENE_PLIES_MAX);
        scene->keys[scene->plies++] = scene->game->key(&scene->state);
        if (!rules_play(scene->game, &scene->state, move, NULL, &scene->why))
            return move;
    }
    return NULL;
}

void scene_play(struct scene *scene, const char *moves)
{
    const char *refused = play_until_refused(scene, moves);

    if (refused != NULL)
        cr_assert_fail("%s is refused: %s, in %s", refused, rules_code_text(scene->why.code),
                       scene_position(scene));
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(a, b);
}

const char *scene_moves(struct scene *scene, const char *prefix)
{
    static rules_move list[SCRATCH];
    static char text[SCRATCH][RULES_MOVE_TEXT], joined[JOINED_TEXT];
    size_t n = scene->game->legal(&scene->state, list, SCRATCH), len = 0, end = 0;

    cr_assert_leq(n, SCRATCH);
    cr_expect_eq(scene->game->count(&scene->state), n, "%s", scene_position(scene));
    for (size_t i = 0; i < n; i++) {
        scene->game->move_text(&scene->state, list[i], text[len]);
        len += strncmp(text[len], prefix, strlen(prefix)) == 0;
    }
    qsort(text, len, sizeof(text[0]), by_bytes);
    joined[0] = '\0';
    for (size_t i = 0; i < len && end < JOINED_TEXT; i++)
        end += (size_t)snprintf(joined + end, JOINED_TEXT - end, "%s%s", i > 0 ? " " : "", text[i]);
    return joined;
}

static bool is_listed(const struct scene *scene, const char *move)
{
    static rules_move scratch[SCRATCH];
    size_t n = scene->game->legal(&scene->state, scratch, SCRATCH);
    char text[RULES_MOVE_TEXT];

    for (size_t i = 0; i < n; i++) {
        scene->game->move_text(&scene->state, scratch[i], text);
        if (strcmp(text, move) == 0)
            return true;
    }
    return false;
}

bool scene_allows(struct scene *scene, const char *move)
{
    bool listed = is_listed(scene, move), read;
    rules_move found;

    read = scene->game->read_move(&scene->state, move, &found, &scene->why);
    cr_assert_eq(read, listed, "%s is %s but %s, in %s", move, listed ? "listed" : "not listed",
                 read ? "read" : rules_code_text(scene->why.code), scene_position(scene));
    return read;
}

void scene_refuses(struct scene *scene, const char *move, enum rules_code code, const char *law)
{
    const struct rules_law *named;

    cr_assert_not(scene_allows(scene, move), "%s is allowed in %s", move, scene_position(scene));
    named = scene->why.law;
    cr_expect_eq(scene->why.code, code, "%s: %s instead of %s", move,
                 rules_code_text(scene->why.code), rules_code_text(code));
    cr_expect_str_eq(named == NULL ? "none" : named->id, law == NULL ? "none" : law);
}

void scene_witness(const struct scene *scene, size_t i, enum rules_role role, const char *square)
{
    char text[RULES_SQUARE_TEXT];

    cr_assert_lt(i, scene->why.witnesses);
    rules_square_text(scene->game->board(&scene->state), scene->why.witness[i].square, text);
    cr_expect_str_eq(text, square);
    cr_expect_str_eq(rules_role_text(scene->why.witness[i].role), rules_role_text(role));
}

/* ---- what is to be seen ---- */

const char *scene_position(const struct scene *scene)
{
    static char text[RULES_POSITION_TEXT];

    scene->game->position_text(&scene->state, text);
    return text;
}

const char *scene_outcome(const struct scene *scene)
{
    static char text[64];
    const struct rules_history history = {scene->keys, scene->plies};
    struct rules_outcome outcome = scene->game->outcome(&scene->state, &history);
    const char *reason = rules_reason_text(outcome.reason);

    if (outcome.status == RULES_WON)
        snprintf(text, sizeof(text), "%u:%s", outcome.winner, reason);
    else
        snprintf(text, sizeof(text), "%s%s", outcome.status == RULES_DRAWN ? "draw:" : "ongoing",
                 outcome.status == RULES_DRAWN ? reason : "");
    return text;
}

/* ---- tables ---- */

static void add_witnesses(const struct scene *scene, char *text)
{
    for (uint32_t i = 0; i < scene->why.witnesses; i++) {
        const struct rules_witness *witness = &scene->why.witness[i];
        const char *piece = "";
        char square[RULES_SQUARE_TEXT];

        rules_square_text(scene->game->board(&scene->state), witness->square, square);
        if (witness->man.seat != 0)
            piece = scene->game->pieces[witness->man.kind].ascii[witness->man.seat - 1];
        reference_print(text, "%s %s %s%s", i > 0 ? "," : ":", rules_role_text(witness->role),
                        square, piece);
    }
}

/* The last refusal, as scene.h describes it. */
static const char *refusal(const struct scene *scene)
{
    static char text[REFERENCE_TEXT];
    const struct rules_refusal *why = &scene->why;
    char move[RULES_MOVE_TEXT];

    strcpy(text, rules_code_text(why->code));
    if (why->law != NULL)
        reference_print(text, " %s %s", why->law->number, strchr(why->law->id, '.') + 1);
    if (why->option != NULL)
        reference_print(text, " option %s", why->option);
    if (why->at != RULES_NOT_GIVEN)
        reference_print(text, " at %d", why->at);
    if (why->required != RULES_NOT_GIVEN)
        reference_print(text, " %d of %d", why->yours, why->required);
    add_witnesses(scene, text);
    for (uint32_t i = 0; i < why->examples; i++) {
        scene->game->move_text(&scene->state, why->example[i], move);
        reference_print(text, "%s %s", i > 0 ? "" : ";", move);
    }
    return text;
}

const char *scene_after(struct scene *scene, const char *moves)
{
    return play_until_refused(scene, moves) == NULL ? scene_position(scene) : refusal(scene);
}

const char *scene_end(struct scene *scene, const char *moves)
{
    return play_until_refused(scene, moves) == NULL ? scene_outcome(scene) : refusal(scene);
}

const char *scene_read(struct scene *scene, const char *text)
{
    static char read[RULES_MOVE_TEXT];
    rules_move move;

    if (!scene->game->read_move(&scene->state, text, &move, &scene->why)) {
        cr_expect_not(is_listed(scene, text), "%s is listed, and refused: %s", text,
                      rules_code_text(scene->why.code));
        return refusal(scene);
    }
    scene->game->move_text(&scene->state, move, read);
    return read;
}

void scene_reads(struct scene *scene, const char *text, const char *canonical)
{
    const char *read = scene_read(scene, text);

    cr_expect_str_eq(read, canonical, "%s in %s is %s", text, scene_position(scene), read);
}

void scene_table(const struct rules_game *game, scene_question *question,
                 const struct scene_row *rows, size_t n)
{
    static struct scene scene;

    for (const struct scene_row *row = rows; row < rows + n; row++) {
        bool starts = scene_starts(&scene, game, row->options, row->position);
        const char *answer = starts ? question(&scene, row->asked) : refusal(&scene);

        cr_expect_str_eq(answer, row->answer, "%s: '%s' in %s %s gives\n%s\ninstead of\n%s",
                         row->name, row->asked, row->position == NULL ? "the start" : row->position,
                         row->options, answer, row->answer);
    }
}

void scene_perft(const struct rules_game *game, const char *options, const char *position,
                 const uint64_t *nodes)
{
    static rules_move scratch[SCRATCH];
    static struct scene scene;

    scene_open(&scene, game, options, position);
    for (unsigned depth = 1; nodes[depth - 1] > 0; depth++) {
        uint64_t found = rules_perft(game, &scene.state, depth, scratch, SCRATCH);

        cr_expect_eq(found, nodes[depth - 1], "%s '%s' depth %u: %llu instead of %llu", game->name,
                     options, depth, (unsigned long long)found,
                     (unsigned long long)nodes[depth - 1]);
    }
}
