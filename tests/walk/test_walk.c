/*
 * test_walk.c - random walks, held against the simplest model of a game.
 *
 * Read story.h first, then model.h: they say what has to come. chance.h says what is done, hold.h
 * how the two are compared. `make walk SEED=1 STEPS=20000` takes a long walk and tells what it met.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "chance.h"
#include "hold.h"
#include "tests/support/long.h"
#include "tests/support/now.h"

enum { VERSIONS_MAX = 250 };

static struct walk walk;

/* ---- the house ---- */

static void make_players(void)
{
    static const char *const names[WALK_PLAYERS] = {"Paula", "Quentin"};

    for (int i = 0; i < WALK_PLAYERS; i++) {
        struct player player = new_player(&walk.house, names[i]);

        strcpy(walk.player[i].token, player.token);
        strcpy(walk.player[i].player, player.id);
        strcpy(walk.player[i].player_name, names[i]);
    }
}

static void open_walk(void)
{
    house_open(&walk.house);
    plyd_start(&walk.house.second, walk.house.database, "--cached-games", "16", NULL);
    for (int daemon = 0; daemon < WALK_DAEMONS; daemon++)
        hold_connect(&walk, daemon);
    make_players();
}

/* Forgets the answers that were kept in a game (NULL: all). The one that the game was made with may
 * still be asked for. */
static void forget_answers(const struct story *story)
{
    struct model_kept **at = &walk.kept;

    while (*at != NULL) {
        struct model_kept *kept = *at;

        if (story != NULL && (kept->made || strcmp(kept->game, story->id) != 0)) {
            at = &kept->next;
            continue;
        }
        *at = kept->next;
        free(kept->sent);
        free(kept->body);
        free(kept);
    }
}

static void close_walk(void)
{
    for (size_t i = 0; i < WALK_GAMES; i++)
        if (walk.game[i].story != NULL)
            story_free(walk.game[i].story);
    forget_answers(NULL);
    if (walk.log != NULL) {
        fclose(walk.log);
        fprintf(stderr, "walk: seed %llu ended at step %ld, see %s\n",
                (unsigned long long)walk.first_seed, walk.step, walk.log_name);
    }
    for (int i = 0; i < WALK_DAEMONS; i++)
        close(walk.fd[i]);
    house_close(&walk.house);
}

TestSuite(walk, .init = open_walk, .fini = close_walk);

/* ---- walking ---- */

/* A place for one more game, or WALK_GAMES. */
static size_t free_slot(void)
{
    size_t i = 0;

    while (i < WALK_GAMES && walk.game[i].story != NULL)
        i++;
    return i;
}

static const struct story_client *its_sitter(const struct walk_game *game)
{
    return &game->sitter[game->story->seat[0].sitter == STORY_PERSON ? 0 : 1];
}

static void leave_game(struct walk_game *game)
{
    struct story_now now;
    char end[64];

    story_look(game->story, &now);
    snprintf(end, sizeof(end), "%s left, %s", game->story->rules->name,
             now.status == STORY_FINISHED  ? now.reason
             : now.status == STORY_ABORTED ? "aborted"
                                           : "unfinished");
    hold_count(end);
    hold_game(&walk, game, its_sitter(game), true);
    forget_answers(game->story);
    story_free(game->story);
    memset(game, 0, sizeof(*game));
}

/* A game is left when it has become long, or after a while when it is over; and any one where there
 * is no place for a new one. */
static void leave_games(void)
{
    struct walk_game *game = &walk.game[chance_of(&walk, WALK_GAMES)];
    struct story_now now;

    if (game->story == NULL)
        return;
    story_look(game->story, &now);
    if (free_slot() == WALK_GAMES || game->story->version > VERSIONS_MAX ||
        (!story_goes_on(&now) && chance_percent(&walk, now.status == STORY_ABORTED ? 40 : 12)))
        leave_game(game);
}

/* All places but one have a game. */
static void make_games(void)
{
    size_t slot, games = 0;

    for (size_t i = 0; i < WALK_GAMES; i++)
        games += walk.game[i].story != NULL;
    for (; games < WALK_GAMES - 1; games += walk.game[slot].story != NULL) {
        struct walk_step step;

        slot = free_slot();
        chance_game(&walk, &step);
        hold_step(&walk, &step, slot);
        if (walk.game[slot].story != NULL)
            hold_game(&walk, &walk.game[slot], its_sitter(&walk.game[slot]), true);
        walk.past[walk.npast++ % WALK_STEPS_KEPT] = step;
    }
}

static const struct walk_game *game_of(const struct walk_step *step)
{
    for (size_t i = 0; step->request.story != NULL && i < WALK_GAMES; i++)
        if (walk.game[i].story == step->request.story)
            return &walk.game[i];
    return NULL;
}

static void take_step(void)
{
    struct walk_step step;
    const struct walk_game *game;
    size_t slot;

    leave_games();
    make_games();
    slot = free_slot();
    chance_step(&walk, &step);
    hold_step(&walk, &step, slot);
    game = game_of(&step);
    if (game != NULL)
        hold_game(&walk, game, its_sitter(game), step.kill != WALK_LIVES || walk.step % 10 == 0);
    if (walk.game[slot].story != NULL)
        hold_game(&walk, &walk.game[slot], its_sitter(&walk.game[slot]), true);
    walk.past[walk.npast++ % WALK_STEPS_KEPT] = step;
    answers_forget();
}

static void take_walk(uint64_t seed, long steps)
{
    double begin = seconds_now();

    walk.seed = walk.first_seed = seed;
    snprintf(walk.log_name, sizeof(walk.log_name), "build/walk-%llu-%d.log",
             (unsigned long long)seed, (int)getpid());
    walk.log = fopen(walk.log_name, "w");
    cr_assert_not_null(walk.log);
    make_games();
    for (walk.step = 1; walk.step <= steps; walk.step++)
        take_step();
    for (size_t i = 0; i < WALK_GAMES; i++)
        if (walk.game[i].story != NULL)
            hold_game(&walk, &walk.game[i], its_sitter(&walk.game[i]), true);
    cr_assert(plyd_verified(walk.house.database), "seed %llu: plyd verify",
              (unsigned long long)seed);
    fprintf(stderr, "walk: seed %llu, %ld steps, %ld requests, %.1f s\n", (unsigned long long)seed,
            steps, walk.requests, seconds_now() - begin);
    fclose(walk.log);
    walk.log = NULL;
    unlink(walk.log_name);
}

static long usual_steps(void)
{
    return (long)long_or_short(6000, 800);
}

static const char *wish(const char *name)
{
    const char *value = getenv(name);

    return value == NULL || *value == '\0' ? NULL : value;
}

Test(walk, every_answer_is_what_the_simplest_model_of_a_game_says)
{
    const char *seed = wish("PLYD_TEST_WALK_SEED"), *steps = wish("PLYD_TEST_WALK_STEPS");

    take_walk(seed == NULL ? 1 : strtoull(seed, NULL, 10),
              steps == NULL ? usual_steps() : atol(steps));
    if (steps != NULL)
        hold_print_counts(stderr);
}

Test(walk, so_it_is_where_nobody_has_walked_before)
{
    uint32_t seed;

    if (wish("PLYD_TEST_WALK_STEPS") != NULL)
        return;
    cr_assert_eq(getrandom(&seed, sizeof(seed), 0), (ssize_t)sizeof(seed));
    take_walk(seed, usual_steps());
}
