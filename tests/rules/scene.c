/* scene.c - a game in a test. */
#include "scene.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRATCH = 1 << 14, OPTIONS_TEXT = 256 };

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

void scene_play(struct scene *scene, const char *moves)
{
    char text[OPTIONS_TEXT], *rest = text;

    cr_assert_lt(strlen(moves), sizeof(text));
    strcpy(text, moves);
    for (char *move = strtok_r(rest, " ", &rest); move != NULL; move = strtok_r(rest, " ", &rest)) {
        cr_assert_lt(scene->plies, SCENE_PLIES_MAX);
        scene->keys[scene->plies++] = scene->game->key(&scene->state);
        cr_assert(rules_play(scene->game, &scene->state, move, NULL, &scene->why),
                  "%s is refused: %s, in %s", move, rules_code_text(scene->why.code),
                  scene_position(scene));
    }
}

bool scene_allows(struct scene *scene, const char *move)
{
    static rules_move scratch[SCRATCH];
    size_t n = scene->game->legal(&scene->state, scratch, SCRATCH);
    bool listed = false, read;
    rules_move found;

    for (size_t i = 0; i < n; i++) {
        char text[RULES_MOVE_TEXT];

        scene->game->move_text(&scene->state, scratch[i], text);
        listed = listed || strcmp(text, move) == 0;
    }
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

void scene_reads(struct scene *scene, const char *text, const char *canonical)
{
    char read[RULES_MOVE_TEXT];
    rules_move move;

    cr_assert(scene->game->read_move(&scene->state, text, &move, &scene->why), "%s is %s, in %s",
              text, rules_code_text(scene->why.code), scene_position(scene));
    scene->game->move_text(&scene->state, move, read);
    cr_expect_str_eq(read, canonical, "%s", text);
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
