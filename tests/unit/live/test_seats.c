/* test_seats.c - who may act: the seats that a request plays, by its token. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "rules/rules.h"
#include "tests/unit/requests.h"

TestSuite(seats, .fini = requests_free);

/* One without an identity provider. */
static const struct config config;
static struct loop loop = {.config = &config};

enum { SEAT_1 = 2, SEAT_2 = 4 };

static struct request *request_with(const char *token)
{
    struct request *request = requests_new(&loop);

    if (token != NULL)
        requests_header(request, "Authorization",
                        arena_format(&request->arena, "Bearer %s", token));
    return request;
}

static void give_token(struct db_seat *seat, const char *token)
{
    seat->has_token = true;
    auth_hash_token(token, seat->token);
}

static void give_player(struct db_seat *seat, db_id player)
{
    seat->has_player = true;
    seat->player = player;
}

/* ---- one by one ---- */

Test(seats, a_seats_token_plays_that_seat)
{
    struct db_game row = {.version = 1};

    give_token(&row.seat[0], "plyd_seat_a");
    give_token(&row.seat[1], "plyd_seat_b");
    cr_assert_eq(auth_seats(request_with("plyd_seat_a"), &row), SEAT_1);
    cr_assert_eq(auth_seats(request_with("plyd_seat_b"), &row), SEAT_2);
    cr_assert_eq(auth_seats(request_with("plyd_seat_c"), &row), 0);
    cr_assert_eq(auth_seats(request_with("plyd_seat_"), &row), 0);
    cr_assert_eq(auth_seats(request_with(""), &row), 0);
    cr_assert_eq(auth_seats(request_with(NULL), &row), 0);
    row.seat[1].token[DB_HASH_BYTES - 1] ^= 1;
    cr_assert_eq(auth_seats(request_with("plyd_seat_b"), &row), 0);
}

Test(seats, one_token_may_play_both_seats)
{
    struct db_game row = {.version = 1};

    give_token(&row.seat[0], "plyd_seat_a");
    give_token(&row.seat[1], "plyd_seat_a");
    cr_assert_eq(auth_seats(request_with("plyd_seat_a"), &row), SEAT_1 | SEAT_2);
}

Test(seats, the_hash_of_a_seat_without_a_token_means_nothing)
{
    struct db_game row = {.version = 1};

    give_token(&row.seat[0], "plyd_seat_a");
    row.seat[0].has_token = false;
    cr_assert_eq(auth_seats(request_with("plyd_seat_a"), &row), 0);
    auth_hash_token("", row.seat[1].token);
    cr_assert_eq(auth_seats(request_with(""), &row), 0);
}

Test(seats, a_player_plays_the_seats_that_are_theirs)
{
    struct player ada = {.id = ids_new(0), .name = "Ada"}, bob = {.id = ids_new(0), .name = "Bob"};
    struct request *request = request_with("plyd_player_x"), *other = request_with("plyd_player_y");
    struct db_game row = {.version = 1};

    request->player = &ada;
    other->player = &bob;
    give_player(&row.seat[1], ada.id);
    cr_assert_eq(auth_seats(request, &row), SEAT_2);
    cr_assert_eq(auth_seats(other, &row), 0);
    cr_assert_eq(auth_seats(request_with("plyd_player_x"), &row), 0, "the player was not found");
    row.seat[1].has_player = false;
    cr_assert_eq(auth_seats(request, &row), 0);
}

/* ---- any game ---- */

enum { TOKENS = 3, PLAYERS = 2 };

static const char *const tokens[TOKENS] = {"plyd_seat_a", "plyd_seat_b", "plyd_player_c"};

Test(seats, a_request_plays_what_its_token_or_its_player_holds)
{
    struct player players[PLAYERS] = {{.id = ids_new(0)}, {.id = ids_new(0)}};
    uint64_t seed = 11;

    for (int i = 0; i < 2000; i++) {
        struct request *request = request_with(NULL);
        size_t shown = rules_choose(&seed, TOKENS + 1), who = rules_choose(&seed, PLAYERS + 1);
        struct db_game row = {.version = 1};
        unsigned plays = 0;

        for (unsigned seat = 1; seat <= DB_SEATS; seat++) {
            size_t token = rules_choose(&seed, TOKENS), player = rules_choose(&seed, PLAYERS);

            give_token(&row.seat[seat - 1], tokens[token]);
            give_player(&row.seat[seat - 1], players[player].id);
            row.seat[seat - 1].has_token = rules_choose(&seed, 2) == 0;
            row.seat[seat - 1].has_player = rules_choose(&seed, 2) == 0;
            if ((row.seat[seat - 1].has_token && token == shown) ||
                (row.seat[seat - 1].has_player && player == who && shown < TOKENS))
                plays |= 1U << seat;
        }
        if (shown < TOKENS)
            requests_header(request, "Authorization",
                            arena_format(&request->arena, "Bearer %s", tokens[shown]));
        request->player = who < PLAYERS ? &players[who] : NULL;
        cr_assert_eq(auth_seats(request, &row), plays);
        cr_assert_eq(requests_answers(request), 0);
        requests_free();
    }
}

/* ---- refusals ---- */

Test(seats, somebody_without_a_seat_is_told_what_is_missing)
{
    struct player ada = {.id = ids_new(0), .name = "Ada"};
    struct request *nobody = request_with(NULL), *wrong = request_with("plyd_seat_b");
    struct request *player = request_with("plyd_player_x"), *fine = request_with("plyd_seat_a");
    struct db_game row = {.version = 1};

    give_token(&row.seat[0], "plyd_seat_a");
    player->player = &ada;
    cr_assert_eq(auth_require_seats(nobody, &row), 0);
    requests_assert_problem(nobody, PROBLEM_TOKEN_MISSING, NULL);
    cr_assert_eq(auth_require_seats(wrong, &row), 0);
    requests_assert_problem(wrong, PROBLEM_TOKEN_UNKNOWN, NULL);
    cr_assert_eq(auth_require_seats(player, &row), 0);
    requests_assert_problem(player, PROBLEM_NOT_YOUR_SEAT, NULL);
    cr_assert_eq(auth_require_seats(fine, &row), SEAT_1);
    cr_assert_eq(requests_answers(fine), 0);
}

Test(seats, where_a_player_is_needed_anybody_else_is_refused)
{
    struct player ada = {.id = ids_new(0), .name = "Ada"};
    struct request *nobody = request_with(NULL), *seat = request_with("plyd_seat_a");
    struct request *player = request_with("plyd_player_x");

    player->player = &ada;
    cr_assert_not(auth_require_player(nobody));
    requests_assert_problem(nobody, PROBLEM_TOKEN_MISSING, NULL);
    cr_assert_not(auth_require_player(seat));
    requests_assert_problem(seat, PROBLEM_TOKEN_UNKNOWN, NULL);
    cr_assert(auth_require_player(player));
    cr_assert_eq(requests_answers(player), 0);
}

Test(seats, a_players_token_that_no_player_has_is_refused_where_others_are_nobody)
{
    struct player ada = {.id = ids_new(0), .name = "Ada"};
    struct request *known = request_with("plyd_player_x"), *unknown = request_with("plyd_player_y");
    struct request *nobody = request_with(NULL), *seat = request_with("plyd_seat_a");

    known->player = &ada;
    cr_assert(auth_nobody_or_player(known));
    cr_assert(auth_nobody_or_player(nobody));
    cr_assert(auth_nobody_or_player(seat));
    cr_assert_eq(requests_answers(known) + requests_answers(nobody) + requests_answers(seat), 0);
    cr_assert_not(auth_nobody_or_player(unknown));
    requests_assert_problem(unknown, PROBLEM_TOKEN_UNKNOWN, NULL);
}

/* A page that has no token yet sends "Bearer " and nothing behind it. */
Test(seats, who_shows_a_token_that_is_nobodys_is_no_spectator)
{
    static const struct {
        const char *header;
        bool is_spectator;
    } rows[] = {
        {NULL, true},      {"", true},         {" ", true},       {"Bearer", true},
        {"bearer ", true}, {"Bearer  ", true}, {"Basic ", false}, {"Bearer x", false},
        {"x", false},      {"Bearerx", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = requests_new(&loop);

        if (rows[i].header != NULL)
            requests_header(request, "Authorization", rows[i].header);
        cr_expect_eq(auth_spectator(request), rows[i].is_spectator, "%s", rows[i].header);
        cr_expect_eq(requests_answers(request), rows[i].is_spectator ? 0 : 1, "%s", rows[i].header);
    }
}
