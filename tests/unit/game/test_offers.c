/* test_offers.c - what is open between the sides: how it is kept, ended and shown. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/offers.h"
#include "api/game/words.h"

static struct arena arena;

static void forget(void)
{
    arena_free(&arena);
}

TestSuite(offers, .fini = forget);

/* One of every kind by either seat: those of seat 1 have the ids 1 to 5, those of seat 2 the ids
 * 11 to 15. */
static struct offers all_kinds(void)
{
    struct offers offers = {.count = 0};

    for (int seat = 1; seat <= DB_SEATS; seat++)
        for (int kind = 1; kind <= OFFER_KINDS; kind++) {
            struct offer offer = {.id = 10 * (seat - 1) + kind,
                                  .kind = (enum offer_kind)kind,
                                  .seat = seat,
                                  .at = 1700000000123456 + kind};

            if (kind == OFFER_UNDO)
                offer.to_ply = 15;
            if (kind == OFFER_TIME || kind == OFFER_PAUSE)
                offer.span_us = 86400000000;
            offers_add(&offers, &offer);
        }
    return offers;
}

static void expect_same(const struct offers *a, const struct offers *b)
{
    cr_assert_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        cr_expect_eq(a->offer[i].id, b->offer[i].id);
        cr_expect_eq(a->offer[i].kind, b->offer[i].kind);
        cr_expect_eq(a->offer[i].seat, b->offer[i].seat);
        cr_expect_eq(a->offer[i].at, b->offer[i].at);
        cr_expect_eq(a->offer[i].to_ply, b->offer[i].to_ply);
        cr_expect_eq(a->offer[i].span_us, b->offer[i].span_us);
    }
}

/* The ids, each with a blank behind it. */
static const char *ids(const struct offers *offers)
{
    const char *text = "";

    for (size_t i = 0; i < offers->count; i++)
        text = arena_format(&arena, "%s%d ", text, offers->offer[i].id);
    return text;
}

/* ---- texts ---- */

Test(offers, every_kind_has_a_word_that_names_it)
{
    static const char *const expected[] = {"draw", "undo", "abort", "time", "pause"};

    for (int kind = 1; kind <= OFFER_KINDS; kind++) {
        cr_expect_str_eq(offers_word((enum offer_kind)kind), expected[kind - 1]);
        cr_expect_eq(offers_kind(expected[kind - 1]), kind);
    }
    cr_expect_eq(offers_kind(""), 0);
    cr_expect_eq(offers_kind("draws"), 0);
}

Test(offers, what_is_stored_is_read_as_the_same)
{
    struct offers before = all_kinds(), after;
    struct db_game row = {.offers = offers_text(&arena, &before)};

    cr_assert(offers_load(&arena, &row, &after), "%s", row.offers);
    expect_same(&after, &before);
}

Test(offers, no_offers_are_stored_as_nothing)
{
    struct offers offers = {.count = 7};
    struct db_game row = {.offers = NULL};

    cr_assert(offers_load(&arena, &row, &offers));
    cr_expect_eq(offers.count, 0);
    cr_expect_null(offers_text(&arena, &offers));
}

Test(offers, a_text_that_holds_anything_else_is_not_read)
{
#define DRAW "{\"id\":5,\"kind\":\"draw\",\"seat\":1,\"at\":7}"
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"offers\":{}}",
        "{\"offers\":[5]}",
        "{\"offers\":[" DRAW "],\"more\":1}",
        "{\"offers\":[" DRAW "," DRAW "]}",
        "{\"offers\":[" DRAW ",{\"id\":6,\"kind\":\"draw\",\"seat\":1,\"at\":7}]}",
        "{\"offers\":[" DRAW ",{\"id\":4,\"kind\":\"abort\",\"seat\":1,\"at\":7}]}",
        "{\"offers\":[" DRAW ",{\"id\":5,\"kind\":\"abort\",\"seat\":1,\"at\":7}]}",
        "{\"offers\":[{\"id\":0,\"kind\":\"draw\",\"seat\":1,\"at\":7}]}",
        "{\"offers\":[{\"id\":5,\"kind\":\"love\",\"seat\":1,\"at\":7}]}",
        "{\"offers\":[{\"id\":5,\"kind\":\"draw\",\"seat\":0,\"at\":7}]}",
        "{\"offers\":[{\"id\":5,\"kind\":\"draw\",\"seat\":3,\"at\":7}]}",
        "{\"offers\":[{\"id\":5,\"kind\":\"draw\",\"seat\":1}]}",
        "{\"offers\":[{\"id\":5,\"kind\":\"draw\",\"seat\":1,\"at\":7,\"to_ply\":1}]}",
        "{\"offers\":[{\"id\":5,\"kind\":\"undo\",\"seat\":1,\"at\":7}]}",
        "{\"offers\":[{\"id\":5,\"kind\":\"undo\",\"seat\":1,\"at\":7,\"to_ply\":-1}]}",
        "{\"offers\":[{\"id\":5,\"kind\":\"time\",\"seat\":1,\"at\":7}]}",
        "{\"offers\":[{\"id\":5,\"kind\":\"pause\",\"seat\":1,\"at\":7,\"span_us\":0}]}",
    };
#undef DRAW

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct db_game row = {.offers = texts[i]};
        struct offers offers;

        cr_expect(!offers_load(&arena, &row, &offers), "%s", texts[i]);
    }
}

/* ---- lives ---- */

Test(offers, an_offer_is_found_by_its_id_and_by_its_kind_and_seat)
{
    struct offers offers = all_kinds();

    cr_expect_eq(offers_find(&offers, 13)->kind, OFFER_ABORT);
    cr_expect_null(offers_find(&offers, 6));
    cr_expect_eq(offers_of(&offers, OFFER_TIME, 2)->id, 14);
    offers_remove(&offers, 14);
    cr_expect_null(offers_of(&offers, OFFER_TIME, 2));
    cr_expect_eq(offers_of(&offers, OFFER_TIME, 1)->id, 4);
}

Test(offers, one_is_removed_and_the_others_keep_their_order)
{
    struct offers offers = all_kinds();

    offers_remove(&offers, 3);
    cr_expect_str_eq(ids(&offers), "1 2 4 5 11 12 13 14 15 ");
    offers_remove(&offers, 3);
    offers_remove(&offers, 15);
    offers_remove(&offers, 1);
    cr_expect_str_eq(ids(&offers), "2 4 5 11 12 13 14 ");
}

static const char *ended(void (*end)(struct offers *offers, struct json *json),
                         struct offers *offers)
{
    struct json json;

    json_init(&json, &arena);
    end(offers, &json);
    return json.out.text;
}

static void move_of_1(struct offers *offers, struct json *json)
{
    offers_end_by_move(offers, 1, json);
}

static void move_of_2(struct offers *offers, struct json *json)
{
    offers_end_by_move(offers, 2, json);
}

Test(offers, a_move_ends_what_the_other_side_asked_for_in_this_turn)
{
    struct offers offers = all_kinds();

    cr_expect_str_eq(ended(move_of_1, &offers), "\"voids\":[2,11,12,13]");
    cr_expect_str_eq(ids(&offers), "1 3 4 5 14 15 ");
    cr_expect_str_eq(ended(move_of_1, &offers), "");
    cr_expect_str_eq(ended(move_of_2, &offers), "\"voids\":[1,3]");
    cr_expect_str_eq(ids(&offers), "4 5 14 15 ");
}

Test(offers, an_undo_or_redo_ends_only_offers_to_undo)
{
    struct offers offers = all_kinds();

    cr_expect_str_eq(ended(offers_end_by_jump, &offers), "\"voids\":[2,12]");
    cr_expect_str_eq(ids(&offers), "1 3 4 5 11 13 14 15 ");
    cr_expect_str_eq(ended(offers_end_by_jump, &offers), "");
}

Test(offers, the_end_of_the_game_ends_all_of_them)
{
    struct offers offers = all_kinds();

    cr_expect_str_eq(ended(offers_end_all, &offers), "\"voids\":[1,2,3,4,5,11,12,13,14,15]");
    cr_expect_eq(offers.count, 0);
    cr_expect_str_eq(ended(offers_end_all, &offers), "");
}

/* ---- what is shown ---- */

Test(offers, each_reader_sees_what_they_may_do_with_an_offer)
{
    struct offer offer = {.id = 18, .kind = OFFER_DRAW, .seat = 1, .at = 1700000000123456};
    static const char *const may[] = {"", ",\"may\":[\"withdraw\"]",
                                      ",\"may\":[\"accept\",\"decline\"]",
                                      ",\"may\":[\"accept\",\"decline\",\"withdraw\"]"};

    for (unsigned seats = 0; seats <= SEATS_BOTH; seats += 2) {
        struct json json;

        json_init(&json, &arena);
        offers_view_one(&json, &offer, seats);
        cr_expect_str_eq(json.out.text, arena_format(&arena,
                                                     "{\"id\":18,\"kind\":\"draw\",\"seat\":1,"
                                                     "\"at\":\"2023-11-14T22:13:20.123Z\"%s}",
                                                     may[seats / 2]));
    }
}

Test(offers, what_an_offer_asks_for_is_shown_in_plies_and_seconds)
{
    struct offers offers = all_kinds();
    struct json json;

    offers.count = OFFER_KINDS;
    offers_remove(&offers, 1);
    offers_remove(&offers, 3);
    json_init(&json, &arena);
    offers_view(&json, &offers, 0);
    cr_expect_str_eq(json.out.text, "["
                                    "{\"id\":2,\"kind\":\"undo\",\"seat\":1,\"to_ply\":15,"
                                    "\"at\":\"2023-11-14T22:13:20.123Z\"},"
                                    "{\"id\":4,\"kind\":\"time\",\"seat\":1,\"add_s\":86400,"
                                    "\"at\":\"2023-11-14T22:13:20.123Z\"},"
                                    "{\"id\":5,\"kind\":\"pause\",\"seat\":1,\"for_s\":86400,"
                                    "\"at\":\"2023-11-14T22:13:20.123Z\"}]");
}
