/* test_lists.c - lists of games: public ones, a player's, one's own. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(lists, house_open, HOUSE_PATIENCE_S);

static struct game public_game(const char *variant)
{
    char body[128];

    snprintf(body, sizeof(body), "{\"variant\":\"%s\",\"visibility\":\"public\"}", variant);
    return new_game(&house, body);
}

static const char open_public[] =
    "{\"variant\":\"jungle\",\"visibility\":\"public\",\"seats\":[{\"me\":true},{\"open\":true}]}";
static const char open_private[] =
    "{\"variant\":\"jungle\",\"visibility\":\"private\",\"seats\":[{\"me\":true},{\"open\":true}]}";

static struct answer list(const char *token, const char *path)
{
    struct answer answer = ask_as(&house, token, "GET", path, NULL);

    assert_status(&answer, 200);
    return answer;
}

/* Asserts which games a page shows, in order, up to NULL. */
static void assert_items(const struct answer *answer, const struct game *const *games)
{
    int count = cJSON_GetArraySize(member(answer, "items")), i;
    char path[32];

    for (i = 0; games[i] != NULL; i++) {
        snprintf(path, sizeof(path), "items.%d.id", i);
        cr_assert_str_eq(text_of(answer, path), games[i]->id);
    }
    cr_assert_eq(count, i, "%d games, not %d: %.2000s", count, i, answer->reply.body);
}

static void assert_list(const char *token, const char *path, const struct game *const *games)
{
    struct answer answer = list(token, path);

    assert_items(&answer, games);
}

/* ---- public games ---- */

/* `lang` is known by its beginning: what follows shall not stand in the header as it is. */
Test(lists, the_next_page_is_the_only_address_that_is_named_whatever_the_language)
{
    static const char *const langs[] = {
        "en-%3E;rel=%22prev%22,%3Chttps://evil.example/%3E;rel=%22next%22,%3C", "en-%26a=b"};

    for (int i = 0; i < 2; i++)
        new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"public\"}");
    for (int i = 0; i < 2; i++) {
        struct answer page =
            ask_at(&house, NULL, "GET", NULL, "/v1/games?limit=1&lang=%s", langs[i]);
        char link[1000];

        assert_status(&page, 200);
        cr_assert_not_null(http_header(&page.reply, "Link", link), "%s", page.reply.body);
        cr_assert_eq(strchr(link, '<'), strrchr(link, '<'), "%s", link);
        cr_assert_eq(strchr(link, '>'), strrchr(link, '>'), "%s", link);
        cr_assert_null(strstr(link, "a=b"), "%s", link);
    }
}

Test(lists, public_games_come_by_their_last_activity)
{
    struct game first = public_game("jungle"), second = public_game("shogi");

    assert_list(NULL, "/v1/games", (const struct game *const[]){&second, &first, NULL});
    play(&house, &first, "g3g4");
    assert_list(NULL, "/v1/games", (const struct game *const[]){&first, &second, NULL});
}

Test(lists, a_game_is_shown_in_a_list_as_it_is_shown_alone)
{
    struct game game = public_game("jungle");
    struct answer page, alone;

    play(&house, &game, "g3g4 a7a6");
    page = list(NULL, "/v1/games");
    alone = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);
    cr_assert(cJSON_Compare(member(&page, "items.0"), alone.json, true));
}

Test(lists, games_that_are_not_public_are_in_no_list_for_others)
{
    struct player ada = new_player(&house, "Ada");
    struct game public = new_game_of(&house, ada.token, open_public);
    char path[128];

    new_game_of(&house, ada.token, open_private);
    new_game_of(&house, ada.token, "{\"variant\":\"jungle\",\"visibility\":\"unlisted\"}");
    snprintf(path, sizeof(path), "/v1/games?player=%s", ada.id);
    assert_list(NULL, path, (const struct game *const[]){&public, NULL});
    assert_list(ada.token, path, (const struct game *const[]){&public, NULL});
    assert_list(ada.token, "/v1/games", (const struct game *const[]){&public, NULL});
}

Test(lists, filters_take_lists_of_words)
{
    struct game jungle = public_game("jungle"), shogi = public_game("shogi");
    struct game open = new_game(&house, open_public);
    struct answer answer;

    assert_list(NULL, "/v1/games?variant=shogi", (const struct game *const[]){&shogi, NULL});
    assert_list(NULL, "/v1/games?variant=shogi,jungle&status=active",
                (const struct game *const[]){&shogi, &jungle, NULL});
    assert_list(NULL, "/v1/games?status=open", (const struct game *const[]){&open, NULL});
    assert_list(NULL, "/v1/games?open_seat=true", (const struct game *const[]){&open, NULL});
    assert_list(NULL, "/v1/games?open_seat=true&status=active", (const struct game *const[]){NULL});
    answer = ask_at(&house, shogi.token, "POST", "{}", "/v1/games/%s/abort", shogi.id);
    assert_status(&answer, 200);
    assert_list(NULL, "/v1/games?status=finished,aborted",
                (const struct game *const[]){&shogi, NULL});
}

Test(lists, a_game_leaves_the_open_ones_when_its_seat_is_taken)
{
    struct game open = new_game(&house, open_public);
    struct answer answer = ask_at(&house, NULL, "POST", "", "/v1/games/%s/join", open.id);

    assert_status(&answer, 200);
    assert_list(NULL, "/v1/games?open_seat=true", (const struct game *const[]){NULL});
    assert_list(NULL, "/v1/games?status=active", (const struct game *const[]){&open, NULL});
}

Test(lists, a_parameter_that_makes_no_sense_is_refused)
{
    static const char *const bad[][3] = {{"variant=chess", "bad-parameter", "?variant"},
                                         {"variant=shogi,chess", "bad-parameter", "?variant"},
                                         {"status=won", "bad-parameter", "?status"},
                                         {"open_seat=maybe", "bad-parameter", "?open_seat"},
                                         {"player=Ada", "bad-parameter", "?player"},
                                         {"limit=0", "bad-parameter", "?limit"},
                                         {"limit=many", "bad-parameter", "?limit"},
                                         {"fields=colour", "bad-parameter", "?fields"},
                                         {"cursor=", "bad-cursor", "?cursor"},
                                         {"cursor=first", "bad-cursor", "?cursor"}};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games?%s", bad[i][0]);

        assert_problem(&answer, 400, bad[i][1]);
        cr_assert_str_eq(text_of(&answer, "pointer"), bad[i][2]);
    }
    struct answer answer = ask_as(&house, NULL, "GET", "/v1/games?colour=red", NULL);
    assert_problem(&answer, 422, "unknown-field");
}

/* ---- pages ---- */

/* Follows a list to its end and asserts that it shows the games in order. */
static void assert_pages(const char *token, const char *first, const struct game *const *games)
{
    char *path = strdup(first), link[256], expected[300];

    while (path != NULL) {
        struct answer page = list(token, path);
        const cJSON *next = member(&page, "next");
        int count = cJSON_GetArraySize(member(&page, "items"));

        cr_assert_str_eq(text_of(&page, "items.0.id"), (*games)->id);
        for (; count > 0; count--)
            cr_assert_not_null(*games++);
        free(path);
        path = cJSON_IsNull(next) ? NULL : strdup(next->valuestring);
        if (path != NULL) {
            snprintf(expected, sizeof(expected), "<%s>; rel=\"next\"", path);
            cr_assert_str_eq(http_header(&page.reply, "Link", link), expected);
        }
    }
    cr_assert_null(*games);
}

Test(lists, pages_lead_from_one_to_the_next_and_keep_what_was_asked_for)
{
    enum { GAMES = 7 };
    struct game games[GAMES];
    const struct game *order[GAMES + 1] = {NULL};

    for (int i = 0; i < GAMES; i++) {
        games[i] = public_game(i % 2 ? "jungle" : "tictactoe");
        order[GAMES - 1 - i] = &games[i];
        public_game("shogi");
    }
    assert_pages(NULL, "/v1/games?variant=jungle,tictactoe&limit=3&status=active&fields=status",
                 order);
    assert_pages(NULL, "/v1/games?limit=2&variant=tictactoe,jungle", order);
}

Test(lists, a_cursor_goes_with_another_filter)
{
    struct game first = public_game("jungle"), second = public_game("shogi");
    struct answer page;
    char path[256];

    public_game("tictactoe");
    page = list(NULL, "/v1/games?limit=1");
    snprintf(path, sizeof(path), "%s&variant=jungle", text_of(&page, "next"));
    assert_list(NULL, path, (const struct game *const[]){&first, NULL});
    snprintf(path, sizeof(path), "%s&variant=shogi", text_of(&page, "next"));
    assert_list(NULL, path, (const struct game *const[]){&second, NULL});
}

Test(lists, a_limit_above_200_is_200)
{
    struct answer answer;

    public_game("jungle");
    answer = list(NULL, "/v1/games?limit=100000");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    cr_assert(cJSON_IsNull(member(&answer, "next")));
}

Test(lists, fields_make_items_small)
{
    struct answer answer;

    public_game("jungle");
    answer = list(NULL, "/v1/games?fields=variant,ply");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items.0")), 3, "%s", answer.reply.body);
    cr_assert_str_eq(text_of(&answer, "items.0.variant"), "jungle");
}

Test(lists, a_list_as_a_text_has_a_line_for_each_game)
{
    struct player ada = new_player(&house, "Ada of the long name");
    struct game game = new_game_of(&house, ada.token, open_public);
    struct answer answer = ask(&house, "GET", "/v1/games", "Accept: text/plain\r\n", NULL);
    char line[200];

    snprintf(line, sizeof(line),
             "%s jungle              open        0 red          now  "
             "Ada of the l\xe2\x80\xa6 - (open)\n",
             game.id);
    assert_status(&answer, 200);
    cr_assert_str_eq(answer.reply.body, line);
}

/* ---- one's own games ---- */

Test(lists, my_games_begin_with_those_that_wait_for_me_the_longest)
{
    struct player ada = new_player(&house, "Ada");
    struct game over = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    struct game waits = new_game_of(&house, ada.token, "{\"variant\":\"shogi\"}");
    struct game later = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    struct game open = new_game_of(&house, ada.token, open_private);
    struct game theirs = new_game_of(&house, ada.token, open_public);
    struct answer answer = ask_at(&house, NULL, "POST", "", "/v1/games/%s/join", theirs.id);

    assert_status(&answer, 200);
    play(&house, &theirs, "g3g4");
    answer = ask_at(&house, over.token, "POST", "{}", "/v1/games/%s/resign", over.id);
    assert_status(&answer, 200);
    assert_list(ada.token, "/v1/me/games",
                (const struct game *const[]){&waits, &later, &theirs, &open, &over, NULL});
    assert_pages(ada.token, "/v1/me/games?limit=2",
                 (const struct game *const[]){&waits, &later, &theirs, &open, &over, NULL});
    assert_list(ada.token, "/v1/me/games?turn=me",
                (const struct game *const[]){&waits, &later, NULL});
    assert_list(ada.token, "/v1/me/games?status=open,finished",
                (const struct game *const[]){&open, &over, NULL});
    assert_list(ada.token, "/v1/me/games?variant=shogi",
                (const struct game *const[]){&waits, NULL});
}

static struct game clocked_game(const struct player *player, const char *days)
{
    char body[128];

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"clock\":{\"kind\":\"days\",\"days\":%s,"
             "\"first_move\":\"%sd\"}}",
             days, days);
    return new_game_of(&house, player->token, body);
}

Test(lists, a_request_that_uses_what_is_deprecated_is_told_so_and_until_when_it_works)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer = list(ada.token, "/v1/me/games?sort=deadline");
    char value[256];

    cr_assert_str_eq(http_header(&answer.reply, "Deprecation", value), "@1795824000");
    cr_assert_str_eq(http_header(&answer.reply, "Sunset", value), "Tue, 01 Jun 2027 00:00:00 GMT");
    answer = list(ada.token, "/v1/me/games");
    cr_assert_null(http_header(&answer.reply, "Deprecation", value));
    cr_assert_null(http_header(&answer.reply, "Sunset", value));
}

Test(lists, among_my_turns_the_soonest_deadline_comes_first)
{
    struct player ada = new_player(&house, "Ada");
    struct game none = new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}"),
                late = clocked_game(&ada, "9"), soon = clocked_game(&ada, "2"),
                middle = clocked_game(&ada, "5");
    const struct game *const order[] = {&soon, &middle, &late, &none, NULL};

    assert_list(ada.token, "/v1/me/games?turn=me&sort=deadline", order);
    assert_list(ada.token, "/v1/me/games?turn=me", order);
    assert_pages(ada.token, "/v1/me/games?turn=me&sort=deadline&limit=1", order);
}

Test(lists, games_in_my_list_show_their_clocks)
{
    struct player ada = new_player(&house, "Ada");
    struct answer answer;

    clocked_game(&ada, "2");
    answer = list(ada.token, "/v1/me/games");
    cr_assert_eq(number_of(&answer, "items.0.clock.left_s.2"), 2 * 86400);
    cr_assert(has(&answer, "items.0.clock.deadline_at"));
}

Test(lists, next_is_the_most_urgent_game_of_mine)
{
    struct player ada = new_player(&house, "Ada");
    struct game soon;
    struct answer answer = ask_as(&house, ada.token, "GET", "/v1/me/next", NULL);

    assert_status(&answer, 204);
    clocked_game(&ada, "5");
    soon = clocked_game(&ada, "2");
    answer = ask_as(&house, ada.token, "GET", "/v1/me/next?include=legal_moves", NULL);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "id"), soon.id);
    cr_assert_eq(number_of(&answer, "legal_moves.count"), 24);
    cr_assert_eq(number_of(&answer, "you.seats.1"), 2);
    answer = ask_as(&house, ada.token, "GET", "/v1/me/next?variant=shogi", NULL);
    assert_status(&answer, 204);
    answer = ask_as(&house, NULL, "GET", "/v1/me/next", NULL);
    assert_problem(&answer, 401, "token-missing");
}

Test(lists, my_games_are_mine_alone)
{
    struct player ada = new_player(&house, "Ada"), eve = new_player(&house, "Eve");

    new_game_of(&house, ada.token, open_private);
    assert_list(eve.token, "/v1/me/games", (const struct game *const[]){NULL});
}

Test(lists, a_cursor_of_my_turns_is_refused_in_the_public_list)
{
    struct player ada = new_player(&house, "Ada");
    struct answer page, answer;
    char path[256];

    new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    new_game_of(&house, ada.token, "{\"variant\":\"jungle\"}");
    page = list(ada.token, "/v1/me/games?limit=1");
    snprintf(path, sizeof(path), "/v1/games%s", strchr(text_of(&page, "next"), '?'));
    answer = ask_as(&house, NULL, "GET", path, NULL);
    assert_problem(&answer, 400, "bad-cursor");
}

/* How many lists the daemon has asked of the database so far. */
static int asked_lists(void)
{
    static const char line[] = "plyd_db_batch_members_sum{kind=\"public_games\"} ";
    struct answer answer = ask(&house, "GET", "/metrics", NULL, NULL);
    const char *at = strstr(answer.reply.body, line);
    int count;

    cr_assert_not_null(at);
    count = atoi(at + strlen(line));
    return count;
}

Test(lists, that_are_refused_are_not_asked_of_the_database)
{
    static const char *const refused[] = {"variant=chess", "status=lost",  "limit=0",
                                          "cursor=hello",  "player=hello", "fields=hello"};
    struct answer answer = list(NULL, "/v1/games");
    int before;

    before = asked_lists();
    cr_assert_eq(before, 1);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        char path[64];

        snprintf(path, sizeof(path), "/v1/games?%s", refused[i]);
        answer = ask(&house, "GET", path, NULL, NULL);
        cr_assert_eq(answer.status / 100, 4, "%s", refused[i]);
    }
    cr_assert_eq(asked_lists(), before);
}
