/* test_view_game.c - games as JSON and as texts: each member shows its part of the row. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/text/json.h"
#include "api/text/lang.h"
#include "api/text/legal_moves.h"
#include "api/view/board.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "rules/draw/page.h"
#include "tests/unit/played.h"
#include "tests/unit/seen.h"

TestSuite(view_game, .fini = played_free);

static struct game_view view_of(const struct played *played, unsigned seats)
{
    static const struct game_news news = {.read = 19, .unread = 2};

    return (struct game_view){.row = &played->row,
                              .game = played->game,
                              .state = &played->state,
                              .seats = seats,
                              .news = &news,
                              .now = INT64_C(1750000004000000)};
}

static struct seen *game_of(const struct game_view *view, const struct view_choice *choice)
{
    struct json json;

    json_init(&json, &played_arena);
    json_open(&json, '{');
    view_game(&json, view, choice);
    json_close(&json, '}');
    return seen_read(json.out.text);
}

/* ---- the members ---- */

/* A game of which no two members have the same value. */
static void set_up(struct played *game)
{
    played_start(game, "tictactoe", "");
    played_moves(game, "a3 b2 c1");
    game->row.version = 21;
    game->row.line = 4;
    game->row.tip = 8;
    game->row.rules_version = 15;
    game->row.undo = UNDO_CONSENT;
    game->row.visibility = VISIBILITY_UNLISTED;
    game->row.metadata = "{\"table\":\"5\"}";
    game->row.created_at = INT64_C(1750000001000000);
    game->row.last_at = INT64_C(1750000002000000);
    game->row.updated_at = INT64_C(1750000003000000);
    game->row.seat[0].name = "Ada";
    game->row.seat[0].has_player = true;
    memset(game->row.seat[0].player.byte, 0x17, sizeof(game->row.seat[0].player.byte));
    game->row.seat[1].state = SEAT_ENGINE;
    game->row.seat[1].engine = "random";
    game->row.clock = "{\"kind\":\"days\",\"initial\":172800000000,"
                      "\"first_move\":259200000000}";
    game->row.timing = "{\"since\":1750000002000000,\"1\":{\"left_us\":172800000000},"
                       "\"2\":{\"left_us\":86400000000}}";
    game->row.ended_at = INT64_C(1750000000000000);
    game->row.has_next = true;
    memset(game->row.next.byte, 0x28, sizeof(game->row.next.byte));
}

#define ID     "58n2maha58n2maha58n2maha58"
#define PLAYER "2wbhe5rq2wbhe5rq2wbhe5rq2w"
#define NEXT   "50m2ga1850m2ga1850m2ga1850"
#define LINK   "\"/v1/games/" ID

static const struct {
    const char *name, *value;
} members[] = {
    {"id", "\"" ID "\""},
    {"variant", "\"tictactoe\""},
    {"options", "{\"rows\":3,\"cols\":3,\"k\":3}"},
    {"rules_version", "15"},
    {"status", "\"active\""},
    {"version", "21"},
    {"ply", "3"},
    {"line", "4"},
    {"tip", "8"},
    {"to_move", "2"},
    {"position", "\"x2/1o1/2x o 3\""},
    {"last_move", "{\"ply\":3,\"seat\":1,\"move\":\"c1\",\"squares\":[\"c1\"],"
                  "\"at\":\"2025-06-15T15:06:42.000Z\"}"},
    {"check", "false"},
    {"outcome", "{\"winner\":2,\"reason\":\"resign\"}"},
    {"seats", "[{\"seat\":1,\"side\":\"x\",\"state\":\"taken\",\"name\":\"Ada\","
              "\"player\":\"" PLAYER "\"},"
              "{\"seat\":2,\"side\":\"o\",\"state\":\"engine\",\"engine\":\"random\"}]"},
    {"clock", "{\"kind\":\"days\",\"days\":2,\"first_move_s\":259200,\"vacation\":false,"
              "\"left_s\":{\"1\":172800,\"2\":86400},\"running\":null,"
              "\"deadline_at\":\"2025-06-18T15:06:42.000Z\",\"paused\":null,"
              "\"now\":\"2025-06-15T15:06:44.000Z\"}"},
    {"offers", "[]"},
    {"undo", "\"consent\""},
    {"visibility", "\"unlisted\""},
    {"metadata", "{\"table\":\"5\"}"},
    {"created_at", "\"2025-06-15T15:06:41.000Z\""},
    {"updated_at", "\"2025-06-15T15:06:43.000Z\""},
    {"next", "\"" NEXT "\""},
    {"ended_at", "\"2025-06-15T15:06:40.000Z\""},
    {"read", "19"},
    {"unread", "2"},
    {"links",
     "{\"self\":" LINK "\",\"moves\":" LINK "/moves\",\"legal_moves\":" LINK
     "/legal-moves\",\"events\":" LINK "/events\",\"board\":" LINK "/board.txt\",\"picture\":" LINK
     "/board.svg\",\"replay\":" LINK "/replay\",\"export\":" LINK "/export\"}"},
};
enum { MEMBERS = sizeof(members) / sizeof(members[0]), OUTCOME = 13 };

static void assert_member(const struct seen *seen, size_t i)
{
    cr_assert(seen_is(seen, members[i].value, "%s", members[i].name), "%s is not %s",
              members[i].name, members[i].value);
}

Test(view_game, every_member_of_a_game_has_its_own_value)
{
    struct played game;
    struct game_view view;
    struct seen *seen;

    set_up(&game);
    view = view_of(&game, 0);
    seen = game_of(&view, NULL);
    for (size_t i = 0; i < MEMBERS; i++)
        if (i != OUTCOME)
            assert_member(seen, i);
    cr_assert_eq(seen_count(seen, "%s", ""), MEMBERS - 1,
                 "only a game that is over has an outcome");
    seen_free(seen);
}

Test(view_game, a_game_that_is_over_has_an_outcome_and_nobody_is_to_move)
{
    struct played game;
    struct game_view view;
    struct seen *seen;

    set_up(&game);
    game.row.status = STATUS_FINISHED;
    game.row.winner = 2;
    game.row.reason = "resign";
    view = view_of(&game, 0);
    seen = game_of(&view, NULL);
    assert_member(seen, OUTCOME);
    cr_assert(seen_is_null(seen, "to_move"));
    cr_assert_str_eq(seen_text(seen, "status"), "finished");
    seen_free(seen);
    game.row.winner = 0;
    seen = game_of(&view, NULL);
    cr_assert(seen_is(seen, "{\"reason\":\"resign\"}", "outcome"));
    seen_free(seen);
    game.row.status = STATUS_ABORTED;
    game.row.reason = NULL;
    seen = game_of(&view, NULL);
    cr_assert(seen_is_null(seen, "to_move"));
    cr_assert_not(seen_has(seen, "outcome"));
    seen_free(seen);
    game.row.reason = "no_start";
    seen = game_of(&view, NULL);
    cr_assert(seen_is(seen, "{\"reason\":\"no_start\"}", "outcome"));
    seen_free(seen);
}

Test(view_game, a_game_without_a_clock_and_a_rematch_shows_neither)
{
    struct played game;
    struct game_view view;
    struct seen *seen;

    set_up(&game);
    game.row.clock = game.row.timing = game.row.metadata = NULL;
    game.row.has_next = false;
    view = view_of(&game, 0);
    seen = game_of(&view, NULL);
    cr_assert_not(seen_has(seen, "clock"));
    cr_assert_not(seen_has(seen, "next"));
    seen_free(seen);
}

Test(view_game, only_in_a_list_of_ones_own_a_game_says_what_is_new_and_when_it_ended)
{
    static const struct game_news uncounted = {.read = 19, .unread = -1};
    struct played game;
    struct game_view view;
    struct seen *seen;

    set_up(&game);
    view = view_of(&game, 0);
    view.news = NULL;
    seen = game_of(&view, NULL);
    cr_assert_not(seen_has(seen, "read") || seen_has(seen, "unread") || seen_has(seen, "ended_at"));
    seen_free(seen);
    game.row.ended_at = DB_NEVER;
    view.news = &uncounted;
    seen = game_of(&view, NULL);
    cr_assert(seen_has(seen, "read"));
    cr_assert_not(seen_has(seen, "unread") || seen_has(seen, "ended_at"));
    seen_free(seen);
}

Test(view_game, before_the_first_move_there_is_no_last_one)
{
    struct played game;
    struct game_view view;
    struct seen *seen;

    played_start(&game, "jungle", "");
    game.row.status = STATUS_OPEN;
    view = view_of(&game, 0);
    seen = game_of(&view, NULL);
    cr_assert(seen_is_null(seen, "last_move"));
    cr_assert_eq(seen_number(seen, "to_move"), 1, "though nobody has joined yet");
    seen_free(seen);
}

Test(view_game, check_is_told_of_games_that_know_it)
{
    static const struct {
        const char *variant, *position;
        bool check;
    } rows[] = {{"shogi", "4k4/9/9/9/9/9/9/9/R3K4 w - 1", false},
                {"shogi", "4k4/9/9/9/9/9/9/4K4/4R4 w - 1", false},
                {"shogi", "R3k4/9/9/9/9/9/9/4K4/9 w - 1", true},
                {"jungle", NULL, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct played game;

        played_from(&game, rows[i].variant, "", rows[i].position);
        cr_assert_eq(view_check(game.game, &game.state), rows[i].check, "row %zu", i);
    }
}

Test(view_game, a_client_that_asks_for_one_member_gets_it_and_the_id)
{
    struct played game;
    struct game_view view;

    set_up(&game);
    view = view_of(&game, SEATS_BOTH);
    for (size_t i = 0; i < MEMBERS; i++) {
        struct seen *seen = game_of(&view, &(struct view_choice){.fields = 1U << i});

        cr_assert_str_eq(view_members[i], members[i].name);
        cr_assert_str_eq(
            seen_list(seen, "%s", ""),
            i == 0 || i == OUTCOME ? "id" : arena_format(&played_arena, "id %s", members[i].name));
        assert_member(seen, 0);
        if (i != OUTCOME)
            assert_member(seen, i);
        seen_free(seen);
    }
    cr_assert_null(view_members[MEMBERS]);
}

/* ---- what the reader may do ---- */

static const char *add_word(const char *list, const char *word)
{
    return arena_format(&played_arena, "%s%s%s", list, *list == '\0' ? "" : " ", word);
}

static const char *may_of(const struct db_game *row, unsigned seats, bool hints)
{
    const char *list = "";
    const struct {
        const char *name;
        enum problem not ;
    } deeds[] = {{"move", may_not_move(row, seats)},
                 {"undo", may_not_undo(row, seats)},
                 {"redo", may_not_redo(row, seats)},
                 {"resign", may_not_resign(row, seats)},
                 {"abort", may_not_abort(row, seats)},
                 {"invite", may_not_invite(row, seats)},
                 {"rematch", may_not_rematch(row, seats)},
                 {"claim:timeout", may_not_claim_timeout(row, seats)},
                 {"claim:impasse", may_not_claim_impasse(row, seats)},
                 {"plan", may_not_plan(row, seats)}};
    static const char *const offers[] = {"offer:draw", "offer:undo", "offer:abort", "offer:time",
                                         "offer:pause"};

    for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
        if (deeds[i].not == PROBLEM_NONE)
            list = add_word(list, deeds[i].name);
    if (hints && may_not_hint(row, seats) == PROBLEM_NONE)
        list = add_word(list, "hint");
    for (int kind = 1; kind <= OFFER_KINDS; kind++)
        if (may_not_offer(row, seats, (enum offer_kind)kind) == PROBLEM_NONE)
            list = add_word(list, offers[kind - 1]);
    return may_not_write(row, seats) == PROBLEM_NONE ? add_word(list, "message") : list;
}

Test(view_game, a_player_is_told_their_seats_and_what_they_may_do)
{
    static const char *const seats_of[] = {NULL, NULL, "[1]", NULL, "[2]", NULL, "[1,2]"};
    struct played game;

    set_up(&game);
    for (int16_t status = STATUS_OPEN; status <= STATUS_ABORTED; status++)
        for (unsigned seats = 2; seats <= SEATS_BOTH; seats += 2) {
            struct game_view view = view_of(&game, seats);
            struct seen *seen;

            game.row.status = status;
            game.row.reason = "resign";
            view.hints = seats == 2;
            seen = game_of(&view, NULL);
            cr_assert(seen_is(seen, seats_of[seats], "you.seats"), "%u", seats);
            cr_assert_str_eq(seen_list(seen, "you.may"), may_of(&game.row, seats, view.hints));
            seen_free(seen);
        }
}

/* ---- what is added ---- */

Test(view_game, what_a_client_asks_for_in_addition_comes_and_nothing_else)
{
    static const char *const more[] = {
        "id",
        "id legal_moves",
        "id legal_tree",
        "id legal_moves legal_tree",
        "id board",
        "id legal_moves board",
        "id legal_tree board",
        "id legal_moves legal_tree board",
    };
    struct played game;
    struct game_view view;

    set_up(&game);
    view = view_of(&game, 0);
    for (uint32_t include = 0; include < 8; include++) {
        struct seen *seen = game_of(&view, &(struct view_choice){.fields = 1, .include = include});

        cr_assert_str_eq(seen_list(seen, "%s", ""), more[include]);
        if ((include & VIEW_LEGAL_MOVES) != 0)
            cr_assert_str_eq(seen_list(seen, "legal_moves.moves"), "a1 a2 b1 b3 c2 c3");
        if ((include & VIEW_LEGAL_TREE) != 0)
            cr_assert_str_eq(seen_list(seen, "legal_tree.tree"), "a1 a2 b1 b3 c2 c3");
        if ((include & VIEW_BOARD) != 0)
            cr_assert_str_eq(seen_text(seen, "board.rows.2.2.square"), "c1");
        seen_free(seen);
    }
    for (uint32_t i = 0; i < 3; i++) /* the bits stand for the names in their order */
        cr_assert_not_null(strstr(more[1U << i], view_extra_members[i]));
    cr_assert_null(view_extra_members[3]);
}

Test(view_game, far_too_many_moves_are_left_out_and_the_answer_says_so)
{
    static const char many[] = "W:WKa5:Bc8,g8,d7,h7,a6,e6,c5,g5,b4,f4,a3,e3,h3,d2,Kc1,Kg1";
    static const struct {
        uint32_t include;
        int16_t status;
        const char *names;
    } rows[] = {{VIEW_LEGAL_MOVES, STATUS_ACTIVE, "id legal_omitted"},
                {VIEW_LEGAL_TREE, STATUS_ACTIVE, "id legal_omitted"},
                {VIEW_LEGAL_TREE | VIEW_BOARD, STATUS_OPEN, "id legal_omitted board"},
                {VIEW_BOARD, STATUS_ACTIVE, "id board"},
                {VIEW_LEGAL_MOVES, STATUS_FINISHED, "id legal_moves"}};
    struct played game;
    struct game_view view;

    played_from(&game, "turkish-draughts", "", many);
    view = view_of(&game, 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct seen *seen;

        game.row.status = rows[i].status;
        seen = game_of(&view, &(struct view_choice){.fields = 1, .include = rows[i].include});
        cr_assert_str_eq(seen_list(seen, "%s", ""), rows[i].names, "row %zu", i);
        seen_free(seen);
    }
}

/* ---- legal moves ---- */

static struct seen *legal_of(const struct game_view *view, const char *from, bool tree)
{
    struct json json;

    json_init(&json, &played_arena);
    json_open(&json, '{');
    if (tree)
        view_legal_tree(&json, view);
    else
        view_legal_moves(&json, view, from);
    json_close(&json, '}');
    return seen_read(json.out.text);
}

/* The moves whose text begins with `from`, one after the other. */
static const char *moves_from(const struct played *game, const char *from)
{
    const char **texts, *list = "";
    size_t n = legal_moves_texts(&played_arena, game->game, &game->state, &texts);

    for (size_t i = 0; i < n; i++)
        if (strncmp(texts[i], from, strlen(from)) == 0)
            list = arena_format(&played_arena, "%s%s%s", list, *list == '\0' ? "" : " ", texts[i]);
    return list;
}

static size_t words_of(const char *list)
{
    size_t n = *list != '\0';

    for (; *list != '\0'; list++)
        n += *list == ' ';
    return n;
}

static void lists_moves(const char *variant, const char *options)
{
    static const char *const from[] = {"", "a", "7g", "nothing"};
    struct played *game = arena_alloc(&played_arena, sizeof(*game));
    struct game_view view;
    struct seen *seen;

    played_start(game, variant, options);
    played_random(game, 5, 6);
    view = view_of(game, 0);
    for (size_t i = 0; i < sizeof(from) / sizeof(from[0]); i++) {
        seen = legal_of(&view, i == 0 ? NULL : from[i], false);
        cr_assert_str_eq(seen_list(seen, "moves"), moves_from(game, from[i]));
        cr_assert_eq(seen_number(seen, "count"), (long long)words_of(moves_from(game, from[i])));
        seen_free(seen);
    }
    seen = legal_of(&view, NULL, true);
    cr_assert_eq(seen_number(seen, "count"), (long long)game->game->count(&game->state));
    seen_free(seen);
    game->row.status = STATUS_FINISHED;
    for (int tree = 0; tree < 2; tree++) {
        seen = legal_of(&view, NULL, tree == 1);
        cr_assert_eq(seen_number(seen, "count"), 0);
        cr_assert_eq(seen_count(seen, tree == 1 ? "tree" : "moves"), 0);
        seen_free(seen);
    }
}

Test(view_game, the_legal_moves_are_those_of_the_rules_and_none_when_it_is_over)
{
    played_each(lists_moves);
}

Test(view_game, a_move_is_at_the_end_of_its_clicks_in_the_tree)
{
    struct played game;
    struct game_view view;
    struct seen *seen;

    played_start(&game, "shogi", "");
    played_moves(&game, "7g7f 3c3d");
    view = view_of(&game, 0);
    seen = legal_of(&view, NULL, true);
    cr_assert_str_eq(seen_text(seen, "tree.7f.7e"), "7f7e");
    cr_assert(seen_is(seen, "{\"\":\"8h2b\",\"+\":\"8h2b+\"}", "tree.8h.2b"));
    seen_free(seen);
}

/* ---- texts ---- */

Test(view_game, a_game_is_told_with_its_id_its_players_and_its_board)
{
    static const struct {
        int16_t state[2];
        const char *name[2];
        const char *sitters;
    } rows[] = {
        {{SEAT_TAKEN, SEAT_TAKEN}, {NULL, NULL}, ""},
        {{SEAT_TAKEN, SEAT_TAKEN}, {"Ada", NULL}, "x: Ada, o: somebody\n"},
        {{SEAT_TAKEN, SEAT_TAKEN}, {NULL, "Bo"}, "x: somebody, o: Bo\n"},
        {{SEAT_OPEN, SEAT_TAKEN}, {NULL, NULL}, "x: an open seat, o: somebody\n"},
        {{SEAT_TAKEN, SEAT_ENGINE}, {NULL, NULL}, "x: somebody, o: the computer\n"},
        {{SEAT_TAKEN, SEAT_ENGINE}, {"Ada", "Deep"}, "x: Ada, o: Deep\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct played game;
        struct game_view view;
        const char *text;

        set_up(&game);
        for (int seat = 0; seat < DB_SEATS; seat++) {
            game.row.seat[seat].state = rows[i].state[seat];
            game.row.seat[seat].name = rows[i].name[seat];
        }
        view = view_of(&game, 0);
        text = arena_format(
            &played_arena,
            "%s, game " ID ", active, ply 3\n%sclock: x 2d 0h, o 1d 0h; o has until "
            "2025-06-18T15:06:42.000Z\n\n%s",
            game.game->title, rows[i].sitters, view_position_text(&played_arena, &view));
        cr_assert_str_eq(view_game_text(&played_arena, &view), text);
        cr_assert_str_eq(view_token_text(&played_arena, &view, "secret"),
                         arena_format(&played_arena, "id     " ID "\ntoken  secret\n\n%s", text));
    }
}

static const char *line_of(const struct played *game, int64_t now)
{
    struct game_view view = view_of(game, 0);

    return view_game_line(&played_arena, &view, now);
}

/* The cells before the first name, in a language. */
static unsigned name_column(const struct played *game, const char *lang)
{
    struct game_view view = view_of(game, 0);
    const char *line, *name;

    view.lang = lang_find(lang);
    line = view_game_line(&played_arena, &view, game->row.updated_at);
    name = strstr(line, "Ada");
    cr_assert_not_null(name);
    return page_width(arena_copy(&played_arena, line, (size_t)(name - line)));
}

Test(view_game, the_columns_of_a_list_are_as_wide_in_every_language)
{
    struct played game;

    set_up(&game);
    cr_expect_eq(name_column(&game, "tr"), name_column(&game, "en"));
    cr_expect_eq(name_column(&game, "ja"), name_column(&game, "en"));
    game.game = rules_find("jungle"); /* "kırmızı" is the longest side */
    game.row.variant = "jungle";
    game.row.to_move = 1;
    cr_expect_eq(name_column(&game, "tr"), name_column(&game, "en"));
}

Test(view_game, a_line_of_a_list_has_its_columns_and_then_the_names)
{
    struct played game;

    set_up(&game);
    cr_assert_str_eq(line_of(&game, game.row.updated_at), ID
                     " tictactoe           active      3 o            now  Ada - the computer\n");
    game.row.status = STATUS_FINISHED;
    game.row.seat[0].state = SEAT_OPEN;
    game.row.seat[1].state = SEAT_TAKEN;
    game.row.seat[1].engine = NULL;
    cr_assert_str_eq(line_of(&game, game.row.updated_at),
                     ID " tictactoe           finished    3 -            now  (open) - ?\n");
}

Test(view_game, the_last_activity_is_told_in_the_unit_that_fits)
{
    static const struct {
        int64_t seconds;
        const char *age;
    } rows[] = {{-5, " now "},         {59, " now "},          {60, " 1m ago "},
                {3599, " 59m ago "},   {3600, " 1h ago "},     {86400, " 24h ago "},
                {172799, " 47h ago "}, {172800, " 2d ago "},   {259199, " 2d ago "},
                {259200, " 3d ago "},  {8640000, " 100d ago "}};
    struct played game;

    set_up(&game);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *line = line_of(&game, game.row.updated_at + rows[i].seconds * 1000000);

        cr_assert_not_null(strstr(line, rows[i].age), "%s", line);
    }
}

Test(view_game, a_long_name_is_cut_behind_its_twelfth_character)
{
    static const struct {
        const char *name, *shown;
    } rows[] = {{"", " - "},
                {"abcdefghijkl", " abcdefghijkl - "},
                {"abcdefghijklm", " abcdefghijkl… - "},
                {"äöüäöüäöüäöü", " äöüäöüäöüäöü - "},
                {"äöüäöüäöüäöüä", " äöüäöüäöüäöü… - "},
                {"先手先手先手先手先手先手先", " 先手先手先手先手先手先手… - "}};
    struct played game;

    set_up(&game);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        game.row.seat[0].name = rows[i].name;
        cr_assert_not_null(strstr(line_of(&game, game.row.updated_at), rows[i].shown), "%s",
                           rows[i].name);
    }
}
