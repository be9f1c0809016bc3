/* test_blocks.c - nothing of a player reaches whoever has blocked them, and they learn nothing. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/http/mask.h"
#include "tests/support/stream.h"

static struct house house;
static struct player ada, mia;

static void open_house(void)
{
    house_share(&house);
    ada = new_player(&house, "Ada");
    mia = new_player(&house, "Mia");
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(blocks, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

static struct answer set_block(const struct player *by, const char *method, const char *of)
{
    return ask_at(&house, by->token, method, NULL, "/v1/me/blocks/%s", of);
}

static void block(const struct player *by, const struct player *of)
{
    struct answer answer = set_block(by, "PUT", of->id);

    assert_status(&answer, 204);
}

static void unblock(const struct player *by, const struct player *of)
{
    struct answer answer = set_block(by, "DELETE", of->id);

    assert_status(&answer, 204);
}

/* ---- the list ---- */

static int listed(const struct player *by, const char *query)
{
    struct answer answer = ask_at(&house, by->token, "GET", NULL, "/v1/me/blocks%s", query);

    assert_status(&answer, 200);
    return cJSON_GetArraySize(member(&answer, "items"));
}

Test(blocks, they_are_listed_by_whoever_has_blocked_them_alone)
{
    struct answer answer;

    block(&mia, &ada);
    block(&mia, &ada);
    answer = ask_as(&house, mia.token, "GET", "/v1/me/blocks", NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    cr_assert_str_eq(text_of(&answer, "items.0.player"), ada.id);
    cr_assert_str_eq(text_of(&answer, "items.0.name"), "Ada");
    cr_assert_eq(listed(&ada, ""), 0);
    unblock(&mia, &ada);
    unblock(&mia, &ada);
    cr_assert_eq(listed(&mia, ""), 0);
}

Test(blocks, the_list_comes_page_by_page)
{
    struct player eve = new_player(&house, "Eve");
    struct answer first, second;

    block(&mia, &ada);
    block(&mia, &eve);
    first = ask_as(&house, mia.token, "GET", "/v1/me/blocks?limit=1", NULL);
    second = ask_as(&house, mia.token, "GET", text_of(&first, "next"), NULL);
    cr_assert_str_neq(text_of(&first, "items.0.player"), text_of(&second, "items.0.player"));
    second = ask_as(&house, mia.token, "GET", text_of(&second, "next"), NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&second, "items")), 0);
    cr_assert(cJSON_IsNull(member(&second, "next")));
}

Test(blocks, whoever_has_left_has_no_name_in_the_list_and_is_let_go_as_any)
{
    struct answer answer;

    block(&mia, &ada);
    ask_as(&house, ada.token, "DELETE", "/v1/me", NULL);
    answer = ask_as(&house, mia.token, "GET", "/v1/me/blocks", NULL);
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 1);
    cr_assert_not(has(&answer, "items.0.name"));
    unblock(&mia, &ada);
    cr_assert_eq(listed(&mia, ""), 0);
}

Test(blocks, nobody_blocks_themselves_or_somebody_who_is_not_there)
{
    struct answer refused = set_block(&mia, "PUT", mia.id);

    assert_problem(&refused, 422, "own-block");
    refused = set_block(&mia, "PUT", "00000000000000000000000000");
    assert_problem(&refused, 404, "no-such-player");
    ask_as(&house, ada.token, "DELETE", "/v1/me", NULL);
    refused = set_block(&mia, "PUT", ada.id);
    assert_problem(&refused, 404, "no-such-player");
}

/* The bound is the database's (DB_BLOCKS_MAX), so the players are made there. */
Test(blocks, one_more_than_five_hundred_is_refused_and_one_of_them_is_not)
{
    struct player many = new_player(&house, "Mia who blocks many");
    struct answer refused;

    house_sql(&house, "insert into blocks (player_id, blocked, at)"
                      " select p.id, md5(n::text)::uuid, now()"
                      " from players p, generate_series(1, 499) n"
                      " where p.name = 'Mia who blocks many'");
    block(&many, &mia);
    refused = set_block(&many, "PUT", ada.id);
    assert_problem(&refused, 409, "too-many-blocks");
    block(&many, &mia);
    unblock(&many, &mia);
    block(&many, &ada);
}

/* ---- what they see of it ---- */

Test(blocks, who_is_blocked_finds_the_other_one_by_their_name_as_ever)
{
    struct answer before = ask_at(&house, ada.token, "GET", NULL, "/v1/players/%s", mia.id), after;

    block(&mia, &ada);
    after = ask_at(&house, ada.token, "GET", NULL, "/v1/players/%s", mia.id);
    cr_assert_str_eq(before.reply.body, after.reply.body);
}

/* ---- challenges ---- */

static struct game challenge(const struct player *by, const struct player *of)
{
    char body[200];
    struct answer made;
    struct game game;

    snprintf(body, sizeof(body),
             "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"player\":\"%s\"}]}", of->id);
    made = ask_as(&house, by->token, "POST", "/v1/games", body);
    assert_status(&made, 201);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&made, "id"));
    snprintf(game.token, sizeof(game.token), "%s", text_of(&made, "token"));
    return game;
}

/* Whether a list of a player, or their events, name the game. */
static bool names(const struct player *player, const char *address, const struct game *game)
{
    struct answer answer = ask_as(&house, player->token, "GET", address, NULL);

    assert_status(&answer, 200);
    return strstr(answer.reply.body, game->id) != NULL;
}

/* The feed and the calendar have no challenges, whoever makes them. */
static void assert_told(const struct player *player, const struct game *game, bool told)
{
    static const char *const places[] = {"/v1/me/challenges", "/v1/me/games",
                                         "/v1/me/events?after=0&limit=200", "/v1/me/games.atom",
                                         "/v1/me/deadlines.ics"};

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if (!told || i < 3)
            cr_assert_eq(names(player, places[i], game), told, "%s", places[i]);
}

Test(blocks, of_a_challenge_by_who_is_blocked_the_player_is_told_nowhere)
{
    struct game before = challenge(&ada, &mia), after;

    block(&mia, &ada);
    after = challenge(&ada, &mia);
    assert_told(&mia, &before, true);
    assert_told(&mia, &after, false);
    unblock(&mia, &ada);
    assert_told(&mia, &after, false);
    after = challenge(&ada, &mia);
    assert_told(&mia, &after, true);
}

Test(blocks, to_who_is_blocked_a_challenge_is_as_any_that_nobody_answers)
{
    static const char *const places[] = {"/v1/games/%s", "/v1/games/%s/events"};
    struct player eve = new_player(&house, "Mia");
    struct game unheard, heard;

    block(&mia, &ada);
    unheard = challenge(&ada, &mia);
    heard = challenge(&ada, &eve);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        struct answer one = ask_at(&house, ada.token, "GET", NULL, places[i], unheard.id);
        struct answer other = ask_at(&house, ada.token, "GET", NULL, places[i], heard.id);

        mask_text(one.reply.body);
        mask_text(other.reply.body);
        cr_assert_str_eq(one.reply.body, other.reply.body);
    }
    assert_told(&ada, &unheard, true);
}

Test(blocks, whoever_blocks_may_challenge_and_may_join_what_they_were_not_told_of)
{
    struct game mine, theirs;
    struct answer answer;

    block(&mia, &ada);
    mine = challenge(&mia, &ada);
    assert_told(&ada, &mine, true);
    theirs = challenge(&ada, &mia);
    answer = ask_at(&house, mia.token, "POST", "{}", "/v1/games/%s/join", theirs.id);
    assert_status(&answer, 200);
    cr_assert(names(&mia, "/v1/me/games", &theirs));
}

Test(blocks, that_such_a_challenge_is_withdrawn_is_told_nowhere_either)
{
    struct game made;
    struct answer answer;

    block(&mia, &ada);
    made = challenge(&ada, &mia);
    answer = ask_at(&house, ada.token, "POST", "{}", "/v1/games/%s/abort", made.id);
    assert_status(&answer, 200);
    assert_told(&mia, &made, false);
}

/* ---- messages ---- */

/* A game of Ada's that Mia has joined. */
static struct game game_of_both(const char *visibility)
{
    char body[200];
    struct game game;
    struct answer answer;

    snprintf(
        body, sizeof(body),
        "{\"variant\":\"jungle\",\"visibility\":\"%s\",\"seats\":[{\"me\":true},{\"open\":true}]}",
        visibility);
    game = new_game_of(&house, ada.token, body);
    answer = ask_at(&house, mia.token, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    return game;
}

static struct answer say(const struct player *player, const struct game *game, const char *text)
{
    char body[100];

    snprintf(body, sizeof(body), "{\"text\":\"%s\"}", text);
    return ask_at(&house, player->token, "POST", body, "/v1/games/%s/messages", game->id);
}

static void assert_said(const struct player *player, const struct game *game, const char *text)
{
    struct answer answer = say(player, game, text);

    assert_status(&answer, 201);
}

/* Whether a player, or anybody, reads a text: in each place where messages stand, as JSON and as
 * text, or in none. */
static bool reads(const char *token, const struct game *game, const char *text)
{
    static const char *const places[] = {"/v1/games/%s/events?limit=200",
                                         "/v1/games/%s/events?type=message",
                                         "/v1/games/%s/export?format=json"};
    int found = 0, looks = 0;

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++, looks++) {
        struct answer answer = ask_at(&house, token, "GET", NULL, places[i], game->id);

        assert_status(&answer, 200);
        cr_assert_null(strstr(answer.reply.body, "unheard"), "%s", answer.reply.body);
        found += strstr(answer.reply.body, text) != NULL;
    }
    cr_assert(found == 0 || found == looks, "%s: in %d of %d", text, found, looks);
    return found > 0;
}

/* The same of a player's own events. */
static bool hears(const struct player *player, const char *text)
{
    struct answer answer =
        ask_as(&house, player->token, "GET", "/v1/me/events?after=0&limit=200", NULL);

    assert_status(&answer, 200);
    cr_assert_null(strstr(answer.reply.body, "unheard"), "%s", answer.reply.body);
    return strstr(answer.reply.body, text) != NULL;
}

Test(blocks, what_is_written_by_who_is_blocked_is_read_by_its_writer_alone)
{
    static const char *const visibilities[] = {"unlisted", "private"};

    for (size_t i = 0; i < sizeof(visibilities) / sizeof(visibilities[0]); i++) {
        struct game game = game_of_both(visibilities[i]);

        assert_said(&ada, &game, "a word before");
        block(&mia, &ada);
        assert_said(&ada, &game, "an angry word");
        assert_said(&mia, &game, "good bye");
        unblock(&mia, &ada);
        assert_said(&ada, &game, "a word after");
        cr_assert(reads(ada.token, &game, "an angry word"));
        cr_assert_not(reads(mia.token, &game, "an angry word"));
        cr_assert(reads(mia.token, &game, "a word before"));
        cr_assert(reads(mia.token, &game, "a word after"));
        cr_assert(reads(ada.token, &game, "good bye"));
    }
    cr_assert(hears(&ada, "an angry word"));
    cr_assert_not(hears(&mia, "an angry word"));
    cr_assert(hears(&mia, "a word after"));
}

/* Whether a player reads a text among the events of a game. */
static bool reads_in_events(const struct player *player, const struct game *game, const char *text)
{
    struct answer answer =
        ask_at(&house, player->token, "GET", NULL, "/v1/games/%s/events", game->id);

    assert_status(&answer, 200);
    cr_assert_null(strstr(answer.reply.body, "unheard"), "%s", answer.reply.body);
    cr_assert_not_null(strstr(answer.reply.body, "declined"));
    return strstr(answer.reply.body, text) != NULL;
}

Test(blocks, the_word_with_which_who_is_blocked_declines_is_read_by_its_writer_alone)
{
    struct game heard = challenge(&mia, &ada), unheard = challenge(&mia, &ada);
    const char *body = "{\"text\":\"an angry word\"}";
    struct answer one, other;

    one = ask_at(&house, ada.token, "POST", body, "/v1/games/%s/decline", heard.id);
    block(&mia, &ada);
    other = ask_at(&house, ada.token, "POST", body, "/v1/games/%s/decline", unheard.id);
    cr_assert(reads_in_events(&mia, &heard, "an angry word"));
    cr_assert_not(reads_in_events(&mia, &unheard, "an angry word"));
    cr_assert(reads_in_events(&ada, &unheard, "an angry word"));
    assert_status(&other, 200);
    mask_text(one.reply.body);
    mask_text(other.reply.body);
    cr_assert_str_eq(one.reply.body, other.reply.body);
}

static double unread(const struct player *player)
{
    struct answer answer = ask_as(&house, player->token, "GET", "/v1/me/games", NULL);

    assert_status(&answer, 200);
    return number_of(&answer, "items.0.unread");
}

Test(blocks, what_its_writer_alone_reads_is_not_counted_as_unread)
{
    struct game game = game_of_both("unlisted");
    double before = unread(&mia);

    block(&mia, &ada);
    assert_said(&ada, &game, "an angry word");
    cr_assert_eq(unread(&mia), before);
    unblock(&mia, &ada);
    assert_said(&ada, &game, "a word after");
    cr_assert_eq(unread(&mia), before + 1);
}

Test(blocks, to_who_is_blocked_a_message_is_as_any_other)
{
    struct game heard = game_of_both("unlisted"), unheard = game_of_both("unlisted");
    struct answer one = say(&ada, &heard, "a word"), other;

    block(&mia, &ada);
    other = say(&ada, &unheard, "a word");
    assert_status(&other, 201);
    mask_text(one.reply.body);
    mask_text(other.reply.body);
    cr_assert_str_eq(one.reply.body, other.reply.body);
    one = ask_at(&house, ada.token, "GET", NULL, "/v1/games/%s/events", heard.id);
    other = ask_at(&house, ada.token, "GET", NULL, "/v1/games/%s/events", unheard.id);
    mask_text(one.reply.body);
    mask_text(other.reply.body);
    cr_assert_str_eq(one.reply.body, other.reply.body);
}

Test(blocks, in_a_public_game_everybody_reads_what_is_written_and_whoever_blocks_is_not_told_of_it)
{
    struct game game = game_of_both("public");

    block(&mia, &ada);
    assert_said(&ada, &game, "an open word");
    cr_assert(reads(mia.token, &game, "an open word"));
    cr_assert(reads(NULL, &game, "an open word"));
    cr_assert_not(hears(&mia, "an open word"));
}

/* The text of the message that a stream tells next is this one; NULL: it has none. */
static void assert_next(struct stream *stream, const char *text)
{
    struct stream_message message;

    cr_assert(stream_message(stream, &message), "the stream has ended");
    cr_assert_str_eq(message.event, "message");
    cr_assert_null(strstr(message.data, "unheard"), "%s", message.data);
    cr_assert_eq(strstr(message.data, "\"text\"") != NULL, text != NULL, "%s", message.data);
    cr_assert(text == NULL || strstr(message.data, text) != NULL, "%s", message.data);
}

static struct stream follow(const struct player *player, const char *path)
{
    char headers[200];
    struct http_reply head;
    struct stream stream;

    snprintf(headers, sizeof(headers), "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n",
             player->token);
    stream_open(&stream, house.plyd.port, path, headers, &head);
    return stream;
}

Test(blocks, streams_withhold_such_a_message_from_whoever_blocks_and_tell_the_next_one)
{
    struct game game = game_of_both("unlisted");
    char path[100];
    struct stream hers, his, own;

    snprintf(path, sizeof(path), "/v1/games/%s/events", game.id);
    hers = follow(&ada, path);
    his = follow(&mia, path);
    own = follow(&mia, "/v1/me/events");
    block(&mia, &ada);
    assert_said(&ada, &game, "an angry word");
    assert_next(&hers, "an angry word");
    assert_next(&his, NULL);
    assert_next(&own, NULL);
    unblock(&mia, &ada);
    assert_said(&ada, &game, "a word after");
    assert_next(&hers, "a word after");
    assert_next(&his, "a word after");
    assert_next(&own, "a word after");
    stream_close(&hers);
    stream_close(&his);
    stream_close(&own);
}
