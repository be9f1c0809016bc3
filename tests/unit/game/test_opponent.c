/* test_opponent.c - the computer opponents: their names, what is stored of them, when they are due.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/opponent.h"
#include "api/game/words.h"
#include "engine/engine.h"

static struct arena arena;

static void forget(void)
{
    arena_free(&arena);
}

TestSuite(opponent, .fini = forget);

static const char *view_of(const char *stored)
{
    struct json json;

    json_init(&json, &arena);
    json_open(&json, '{');
    opponent_view(&json, stored);
    json_close(&json, '}');
    return json.out.text;
}

Test(opponent, each_level_is_stored_shown_and_read_as_itself)
{
    for (unsigned level = 1; level <= ENGINE_LEVELS; level++) {
        const char *stored = opponent_stored("plyd", level);

        cr_assert_str_eq(stored, arena_format(&arena, "plyd:%u", level));
        cr_assert_eq(opponent_level(stored), level);
        cr_assert_str_eq(opponent_name(stored), "plyd");
        cr_assert_str_eq(opponent_title(&arena, NULL, stored),
                         arena_format(&arena, "plyd, level %u", level));
        cr_assert_str_eq(view_of(stored),
                         arena_format(&arena, "{\"engine\":\"plyd\",\"level\":%u}", level));
    }
}

Test(opponent, without_a_level_it_is_the_usual_one)
{
    cr_assert_str_eq(opponent_stored("plyd", 0), "plyd:3");
}

Test(opponent, chance_has_no_level_and_does_not_think)
{
    const char *stored = opponent_stored("random", 0);

    cr_assert_str_eq(stored, "random");
    cr_assert_eq(opponent_level(stored), 0);
    cr_assert_str_eq(view_of(stored), "{\"engine\":\"random\"}");
    cr_assert_str_eq(opponent_title(&arena, NULL, stored), "the computer");
    cr_assert_not(opponent_thinks(&(struct db_seat){.state = SEAT_ENGINE, .engine = stored}));
}

Test(opponent, what_does_not_exist_is_not_stored)
{
    cr_assert_null(opponent_stored("random", 1));
    cr_assert_null(opponent_stored("plyd", ENGINE_LEVELS + 1));
    cr_assert_null(opponent_stored("plyd:3", 0));
    cr_assert_null(opponent_stored("", 0));
}

/* A game of a person in seat 1 against an engine in seat 2. */
static struct db_game game_against(const char *engine, int to_move)
{
    return (struct db_game){
        .status = STATUS_ACTIVE,
        .to_move = (int16_t)to_move,
        .seat = {{.state = SEAT_TAKEN}, {.state = SEAT_ENGINE, .engine = engine}}};
}

Test(opponent, it_is_due_where_it_thinks_and_the_game_goes_on_with_it_to_move)
{
    struct db_game row = game_against("plyd:1", 2);

    cr_assert(opponent_is_due(&row));
    row.status = STATUS_OPEN;
    cr_assert_not(opponent_is_due(&row));
    row.status = STATUS_FINISHED;
    cr_assert_not(opponent_is_due(&row));
    row = game_against("plyd:1", 1);
    cr_assert_not(opponent_is_due(&row));
    row = game_against("random", 2);
    cr_assert_not(opponent_is_due(&row));
}

Test(opponent, it_is_asked_by_an_offer_of_a_draw_from_the_other_side_alone)
{
    struct offers offers = {.count = 0};
    struct db_game row = game_against("plyd:1", 1);

    offers_add(&offers, &(struct offer){.id = 1, .kind = OFFER_PAUSE, .seat = 1, .span_us = 1});
    offers_add(&offers, &(struct offer){.id = 2, .kind = OFFER_DRAW, .seat = 2});
    cr_assert_null(opponent_asked(&row, &offers));
    offers_add(&offers, &(struct offer){.id = 3, .kind = OFFER_DRAW, .seat = 1});
    cr_assert_eq(opponent_asked(&row, &offers)->id, 3);
    row.status = STATUS_FINISHED;
    cr_assert_null(opponent_asked(&row, &offers));
}

Test(opponent, its_choice_depends_on_the_seed_and_the_ply_alone)
{
    struct db_game row = game_against("plyd:1", 2), other = row;

    row.seed = other.seed = 7;
    row.ply = other.ply = 3;
    other.line = 2;
    other.version = 9;
    cr_assert_eq(opponent_seed(&row), opponent_seed(&other));
    other.ply = 5;
    cr_assert_neq(opponent_seed(&row), opponent_seed(&other));
    other.ply = 3;
    other.seed = 8;
    cr_assert_neq(opponent_seed(&row), opponent_seed(&other));
}
