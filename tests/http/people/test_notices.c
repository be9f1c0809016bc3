/* test_notices.c - what browsers and phones are told of games, when they are not, and what becomes
 * of what their push service answers. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/support/awaited.h"
#include "tests/support/hours.h"
#include "tests/support/receiver.h"
#include "tests/support/stream.h"
#include "tests/support/subscriber.h"

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)

#define SAYS(status, headers) "HTTP/1.1 " status "\r\n" headers "Content-Length: 0\r\n\r\n"

static struct house house;
static struct receiver service;
static struct subscriber phone;
static struct player ada, bo;

static void open_house(void)
{
    setenv("PLYD_WEBHOOKS_PRIVATE", "1", 1);
    house_open_on(&house, hours_borrow_running());
    receiver_start(&service);
    subscriber_make(&phone);
    ada = new_player(&house, "Ada");
    bo = new_player(&house, "Bo");
}

static void close_house(void)
{
    house_close(&house);
    receiver_stop(&service);
}

TestSuite(notices, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* ---- subscriptions ---- */

/* Ada's phone is told from now on. `more` are further members. */
static void subscribe_at(const struct receiver *at, const char *more)
{
    char endpoint[64], *body;
    struct answer answer;

    snprintf(endpoint, sizeof(endpoint), "http://127.0.0.1:%d/send/1", at->port);
    body = subscriber_json(&phone, endpoint, more);
    answer = ask_as(&house, ada.token, "POST", "/v1/me/subscriptions", body);
    assert_status(&answer, 201);
    free(body);
}

static void subscribe(const char *more)
{
    subscribe_at(&service, more);
}

static struct answer subscriptions(void)
{
    struct answer answer = ask_as(&house, ada.token, "GET", "/v1/me/subscriptions", NULL);

    assert_status(&answer, 200);
    return answer;
}

static void service_says(const char *answer)
{
    receiver_answers(&service, answer, strlen(answer), false);
}

/* ---- games ---- */

static void does(const struct player *player, const struct game *game, const char *what,
                 const char *body)
{
    struct answer answer =
        ask_at(&house, player->token, "POST", body, "/v1/games/%s/%s", game->id, what);

    cr_assert_eq(answer.status / 100, 2, "%s", answer.reply.body);
}

/* ---- notices ---- */

/* What notice i says. */
static struct answer notice(size_t i)
{
    const struct receiver_message *message;
    struct answer read = {.status = 200};

    receiver_await(&service, i + 1);
    message = receiver_message(&service, i);
    read.reply.body = subscriber_read(&phone, message->body, message->len);
    cr_assert_not_null(read.reply.body, "it cannot be read");
    read.json = cJSON_Parse(read.reply.body);
    answer_keep(&read);
    return read;
}

static void assert_body(size_t i, const char *body)
{
    struct answer read = notice(i);

    cr_assert_str_eq(text_of(&read, "body"), body);
}

/* Waits until all games know that Ada is to be told of them. */
static void await_marked(void)
{
    await_query(house.database, "select not exists (select from games where hooks = 0)"
                                " and not exists (select from due where kind = 5)"
                                " and not exists (select from webhook_games where known > sent)");
}

/* A game of Ada's, the second seat, which her phone is told of from now on. */
static struct game told_game(const char *terms, const char *more)
{
    char body[256];
    struct game game;

    snprintf(body, sizeof(body),
             "{\"variant\":\"tictactoe\",\"seats\":[{\"open\":true},{\"me\":true}]%s}", terms);
    game = new_game_of(&house, ada.token, body);
    subscribe(more);
    await_marked();
    return game;
}

/* The same, in which Bo has the first seat. */
static struct game pair_game(const char *terms, const char *more)
{
    struct game game = told_game(terms, ",\"events\":[\"aborted\"]");

    does(&bo, &game, "join", "{}");
    await_told(house.database);
    subscribe(more);
    return game;
}

Test(notices, a_move_is_told_to_the_browser_alone)
{
    struct game game = pair_game("", "");
    struct answer read;
    const struct receiver_message *message;
    char url[64];

    does(&bo, &game, "moves", "a1");
    read = notice(0);
    snprintf(url, sizeof(url), "/play/%s", game.id);
    cr_assert_str_eq(text_of(&read, "title"), "Tic-tac-toe against Bo");
    cr_assert_str_eq(text_of(&read, "body"), "It is your move.");
    cr_assert_str_eq(text_of(&read, "game"), game.id);
    cr_assert_str_eq(text_of(&read, "url"), url);
    cr_assert_str_eq(text_of(&read, "tag"), game.id);
    cr_assert_null(strstr(read.reply.body, "plyd_"), "%s", read.reply.body);
    message = receiver_message(&service, 0);
    cr_assert_str_eq(message->path, "/send/1");
    cr_assert_str_eq(message->type, "application/octet-stream");
    cr_assert_str_eq(message->encoding, "aes128gcm");
    cr_assert_str_eq(message->ttl, "2419200");
    cr_assert_str_eq(message->urgency, "normal");
    cr_assert_str_eq(message->topic, game.id);
}

/* Ada began without a player, and is told from the moment in which the seat is hers. */
Test(notices, a_game_that_was_played_by_its_token_alone_is_told_once_it_is_the_players)
{
    struct game game =
        new_game(&house, "{\"variant\":\"tictactoe\",\"seats\":[{\"open\":true},{\"me\":true}]}");
    char body[128];
    struct answer answer;

    subscribe(",\"events\":[\"move\"]");
    does(&bo, &game, "join", "{}");
    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", game.token);
    answer = ask_at(&house, ada.token, "PUT", body, "/v1/me/games/%s", game.id);
    assert_status(&answer, 200);
    does(&bo, &game, "moves", "a1");
    assert_body(0, "It is your move.");
}

static size_t base64url(const char *text, size_t len, uint8_t *bytes, size_t size)
{
    size_t count = 0;

    cr_assert_eq(sodium_base642bin(bytes, size, text, len, NULL, &count, NULL,
                                   sodium_base64_VARIANT_URLSAFE_NO_PADDING),
                 0);
    return count;
}

/* "vapid t=HEADER.CLAIMS.SIGNATURE, k=KEY": the key is plyd's, and has signed. Returns the claims.
 */
static void verified_claims(const char *text, const char *key, char *claims, size_t size)
{
    const char *end = strchr(text, ','), *dot = memrchr(text, '.', (size_t)(end - text)), *at;
    uint8_t point[SUBSCRIBER_POINT], signature[64];
    size_t len;

    cr_assert_eq(strncmp(text, "vapid t=", 8), 0, "%s", text);
    cr_assert_eq(strncmp(end, ", k=", 4), 0, "%s", text);
    cr_assert_str_eq(end + 4, key);
    text += 8;
    cr_assert_eq(base64url(key, strlen(key), point, sizeof(point)), sizeof(point));
    cr_assert_eq(base64url(dot + 1, (size_t)(end - dot - 1), signature, sizeof(signature)), 64);
    cr_assert(subscriber_is_signed(point, text, (size_t)(dot - text), signature));
    at = strchr(text, '.') + 1;
    len = base64url(at, (size_t)(dot - at), (uint8_t *)claims, size - 1);
    claims[len] = '\0';
}

Test(notices, each_says_by_a_signature_who_sends_it)
{
    struct game game = pair_game("", "");
    struct answer key = ask(&house, "GET", "/v1/push", NULL, NULL);
    char claims[512], aud[64];
    int64_t expires, now = hours_database_now(house.database) / SECOND;

    does(&bo, &game, "moves", "a1");
    notice(0);
    verified_claims(receiver_message(&service, 0)->authorization, text_of(&key, "key"), claims,
                    sizeof(claims));
    snprintf(aud, sizeof(aud), "{\"aud\":\"http://127.0.0.1:%d\",\"exp\":", service.port);
    cr_assert_eq(strncmp(claims, aud, strlen(aud)), 0, "%s", claims);
    expires = strtoll(claims + strlen(aud), NULL, 10);
    cr_assert_gt(expires, now + 3600);
    cr_assert_leq(expires, now + 24 * 3600);
    cr_assert_not_null(strstr(claims, ",\"sub\":\"mailto:plyd@example.org\"}"), "%s", claims);
}

Test(notices, ones_own_deeds_are_not_told)
{
    struct game game = pair_game("", "");

    does(&bo, &game, "moves", "a1");
    notice(0);
    does(&ada, &game, "moves", "b2");
    does(&ada, &game, "messages", "{\"text\":\"hello\"}");
    does(&ada, &game, "offers", "{\"kind\":\"draw\"}");
    does(&ada, &game, "resign", "{}");
    await_told(house.database);
    cr_assert_eq(receiver_count(&service), 1);
}

/* The service is away while it all happens. */
Test(notices, of_many_events_one_notice_comes_that_tells_how_the_game_stands)
{
    struct game game = told_game("", "");

    service_says(SAYS("503 Service Unavailable", "Retry-After: 3600\r\n"));
    does(&bo, &game, "join", "{}");
    receiver_await(&service, 1);
    does(&bo, &game, "moves", "a1");
    does(&ada, &game, "moves", "b2");
    does(&bo, &game, "moves", "a2");
    does(&bo, &game, "messages", "{\"text\":\"one\"}");
    does(&bo, &game, "messages", "{\"text\":\"two\"}");
    does(&bo, &game, "offers", "{\"kind\":\"draw\"}");
    await_put_off(house.database);
    service_says(RECEIVER_OK);
    hours_pass(house.database, HOUR + MINUTE, false);
    await_told(house.database);
    cr_assert_eq(receiver_count(&service), 2);
    assert_body(1, "Bo: offers a draw\nIt is your move.\nBo: two");
}

/* Another game of the two, which waits for Bo. */
static struct game another_game(void)
{
    struct game game = new_game_of(
        &house, ada.token, "{\"variant\":\"tictactoe\",\"seats\":[{\"open\":true},{\"me\":true}]}");

    does(&bo, &game, "join", "{}");
    return game;
}

static int waiting_in(size_t i)
{
    struct answer read = notice(i);

    return number_of(&read, "waiting");
}

Test(notices, each_tells_in_how_many_games_it_is_their_move)
{
    struct game one = pair_game("", ",\"events\":[\"move\",\"message\"]"), other = another_game();

    await_told(house.database);
    does(&bo, &one, "moves", "a1");
    cr_assert_eq(waiting_in(0), 1);
    does(&bo, &other, "moves", "a1");
    cr_assert_eq(waiting_in(1), 2);
    does(&ada, &one, "moves", "b2");
    await_told(house.database);
    does(&bo, &other, "messages", "{\"text\":\"hello\"}");
    cr_assert_eq(waiting_in(2), 1);
}

/* Of which the new subscription has heard nothing. */
Test(notices, games_that_have_waited_before_are_counted)
{
    struct game one = pair_game("", ",\"events\":[\"move\"]"), other = another_game();
    char endpoint[64], *body;
    struct answer answer;
    size_t at = 1;

    await_told(house.database);
    does(&bo, &one, "moves", "a1");
    notice(0);
    snprintf(endpoint, sizeof(endpoint), "http://127.0.0.1:%d/send/2", service.port);
    body = subscriber_json(&phone, endpoint, "");
    answer = ask_as(&house, ada.token, "POST", "/v1/me/subscriptions", body);
    assert_status(&answer, 201);
    free(body);
    await_query(house.database,
                "select exists (select from due where kind = 7 and at > clock_timestamp())");
    hours_pass(house.database, 10 * MINUTE, false); /* the second look is due by then */
    await_query(house.database, "select count(*) = 2 from webhook_games where waits");
    does(&bo, &other, "moves", "a1");
    do
        notice(at);
    while (strcmp(receiver_message(&service, at++)->path, "/send/2") != 0);
    cr_assert_eq(waiting_in(at - 1), 2);
}

/* ---- digests ---- */

/* The member "digest" of an hour that is so far away by the time of the database, in UTC. */
static const char *digest_in(int64_t us)
{
    static char more[64];
    int minute = (int)((hours_database_now(house.database) + us) / MINUTE % (24 * 60));

    snprintf(more, sizeof(more), ",\"digest\":{\"at\":\"%02d:%02d\"}", minute / 60, minute % 60);
    return more;
}

/* Waits until that of a day is over, as time was let pass. */
static void await_next_digest(void)
{
    await_query(house.database, "select digest_at > clock_timestamp() from webhooks");
}

Test(notices, a_digest_tells_once_a_day_how_many_games_wait_and_nothing_else_is_told)
{
    struct game one = pair_game("", digest_in(2 * HOUR)), other = another_game();
    struct answer read;

    house_open_second(&house);
    does(&bo, &one, "moves", "a1");
    does(&bo, &other, "moves", "a1");
    does(&bo, &other, "messages", "{\"text\":\"hello\"}");
    await_told(house.database);
    cr_assert_eq(receiver_count(&service), 0);
    hours_pass(house.database, 2 * HOUR, false);
    read = notice(0);
    cr_assert_str_eq(text_of(&read, "title"), "Your games");
    cr_assert_str_eq(text_of(&read, "body"), "2 games wait for you.");
    cr_assert_str_eq(text_of(&read, "url"), "/");
    cr_assert_str_eq(text_of(&read, "tag"), "digest");
    cr_assert_not(has(&read, "game"));
    cr_assert_eq(number_of(&read, "waiting"), 2);
    cr_assert_str_eq(receiver_message(&service, 0)->topic, "digest");
    cr_assert_leq(atoi(receiver_message(&service, 0)->ttl), 24 * 3600);
    await_next_digest();
    does(&ada, &one, "moves", "b2");
    await_told(house.database);
    hours_pass(house.database, 23 * HOUR, false);
    await_told(house.database);
    cr_assert_eq(receiver_count(&service), 1);
    hours_pass(house.database, HOUR, false);
    assert_body(1, "1 game waits for you.");
}

Test(notices, on_a_day_on_which_no_game_waits_there_is_no_digest)
{
    struct game game = pair_game("", digest_in(2 * HOUR));

    hours_pass(house.database, 2 * HOUR, false);
    await_next_digest();
    does(&bo, &game, "moves", "a1");
    await_told(house.database);
    cr_assert_eq(receiver_count(&service), 0);
}

Test(notices, a_digest_that_nobody_takes_is_sent_again_and_tells_what_waits_by_then)
{
    struct game game = pair_game("", digest_in(2 * HOUR)), other = another_game();

    service_says(SAYS("503 Service Unavailable", "Retry-After: 3600\r\n"));
    does(&bo, &game, "moves", "a1");
    await_told(house.database);
    hours_pass(house.database, 2 * HOUR, false);
    await_query(house.database, "select failures = 1 from webhooks");
    does(&bo, &other, "moves", "a1");
    await_told(house.database);
    service_says(RECEIVER_OK);
    hours_pass(house.database, HOUR + MINUTE, false);
    await_next_digest();
    cr_assert_eq(receiver_count(&service), 2);
    assert_body(1, "2 games wait for you.");
}

Test(notices, a_digest_comes_in_the_players_language)
{
    static const char *const says[][2] = {{"ja", "あなたの番の対局が1局あります。"},
                                          {"tr", "1 oyun sizi bekliyor."}};
    struct game game = pair_game("", digest_in(HOUR));
    char more[128];

    does(&bo, &game, "moves", "a1");
    await_told(house.database);
    for (size_t i = 0; i < sizeof(says) / sizeof(says[0]); i++) {
        snprintf(more, sizeof(more), ",\"lang\":\"%s\"%s", says[i][0], digest_in(HOUR));
        subscribe(more);
        hours_pass(house.database, HOUR, false);
        assert_body(i, says[i][1]);
        await_next_digest();
    }
}

Test(notices, whoever_wants_digests_no_more_is_told_of_each_game_again)
{
    struct game game = pair_game("", digest_in(2 * HOUR));
    struct answer answer = subscriptions();

    cr_assert_str_eq(text_of(&answer, "items.0.digest.offset"), "+00:00");
    subscribe("");
    answer = subscriptions();
    cr_assert_not(has(&answer, "items.0.digest"));
    does(&bo, &game, "moves", "a1");
    assert_body(0, "It is your move.");
    await_query(house.database, "select digest_at is null from webhooks");
}

/* Pages send what they have whenever they begin. */
Test(notices, a_subscription_as_it_is_writes_nothing)
{
    const char *more = digest_in(HOUR);

    for (int i = 0; i < 2; i++) {
        subscribe(i == 0 ? more : "");
        house_sql(&house, "create table seen as select xmin::text as by from webhooks");
        subscribe(i == 0 ? more : "");
        await_query(house.database,
                    "select (select by from seen) = (select xmin::text from webhooks)");
        house_sql(&house, "drop table seen");
    }
}

/* ---- what is left out ---- */

Test(notices, what_has_lost_its_point_is_not_told)
{
    struct game game =
        pair_game("", ",\"events\":[\"move\"],\"quiet\":{\"from\":\"00:00\",\"to\":\"23:59\"}");

    does(&bo, &game, "moves", "a1");
    does(&ada, &game, "moves", "b2");
    await_put_off(house.database);
    subscribe(",\"events\":[\"move\"]");
    await_told(house.database);
    cr_assert_eq(receiver_count(&service), 0);
}

Test(notices, only_what_is_wanted_is_told)
{
    struct game game = pair_game("", ",\"events\":[\"message\"]");

    does(&bo, &game, "moves", "a1");
    await_told(house.database);
    does(&bo, &game, "messages", "{\"text\":\"hello\"}");
    assert_body(0, "Bo: hello");
}

Test(notices, an_end_is_told_and_that_they_have_won)
{
    struct game game = pair_game("", ",\"events\":[\"ended\"]");

    does(&bo, &game, "moves", "a1");
    does(&bo, &game, "resign", "{}");
    assert_body(0, "You have won (resign).");
}

Test(notices, an_end_by_the_last_move_is_told_and_that_they_have_lost)
{
    struct game game = pair_game("", ",\"events\":[\"ended\"]");

    does(&bo, &game, "moves", "a1");
    does(&ada, &game, "moves", "b2");
    does(&bo, &game, "moves", "a2");
    does(&ada, &game, "moves", "b1");
    does(&bo, &game, "moves", "a3");
    assert_body(0, "You have lost (line).");
}

Test(notices, a_rematch_leads_to_the_next_game)
{
    struct game game = told_game("", ",\"events\":[\"rematch\"]");
    struct player guest = {.token = ""};
    struct answer read =
        ask_at(&house, NULL, "POST", "{\"name\":\"Guest\"}", "/v1/games/%s/join", game.id);

    snprintf(guest.token, sizeof(guest.token), "%s", text_of(&read, "token"));
    does(&guest, &game, "moves", "a1");
    does(&guest, &game, "resign", "{}");
    does(&guest, &game, "rematch", "{}");
    read = notice(0);
    cr_assert_str_eq(text_of(&read, "body"), "Guest has begun another game.");
    cr_assert_str_eq(text_of(&read, "game"), game.id);
    cr_assert_null(strstr(text_of(&read, "url"), game.id));
}

Test(notices, a_rematch_of_two_players_is_told_as_a_challenge_and_once_it_is_accepted_no_more)
{
    struct game game = pair_game("", ""), next = {.token = ""};
    struct answer asked;

    does(&bo, &game, "moves", "a1");
    await_told(house.database);
    does(&bo, &game, "resign", "{}");
    assert_body(1, "You have won (resign).");
    asked = ask_at(&house, bo.token, "POST", "{}", "/v1/games/%s/rematch", game.id);
    assert_status(&asked, 201);
    snprintf(next.id, sizeof(next.id), "%s", text_of(&asked, "id"));
    assert_body(2, "Bo challenges you.");
    does(&ada, &next, "join", "{}");
    await_told(house.database);
    does(&bo, &next, "messages", "{\"text\":\"Hello!\"}");
    assert_body(3, "Bo: Hello!");
}

Test(notices, a_challenge_is_told_and_that_it_was_withdrawn)
{
    struct game game;
    char body[128];

    subscribe("");
    snprintf(body, sizeof(body),
             "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"player\":\"%s\"}]}", ada.id);
    game = new_game_of(&house, bo.token, body);
    assert_body(0, "Bo challenges you.");
    does(&bo, &game, "abort", "{}");
    assert_body(1, "The challenge was withdrawn.");
}

Test(notices, they_are_in_the_language_of_whoever_reads_them)
{
    struct game game = told_game("", ",\"lang\":\"ja\",\"events\":[\"joined\"]");

    does(&bo, &game, "join", "{}");
    assert_body(0, "Boさんが参加しました。");
    subscribe(",\"lang\":\"tr-TR\"");
    does(&bo, &game, "moves", "a1");
    assert_body(1, "Sıra sizde.");
}

Test(notices, time_that_runs_low_is_urgent_and_told_until_it_is_over)
{
    struct game game;
    char path[64];

    house_close(&house);
    house_open_on(&house, hours_borrow());
    ada = new_player(&house, "Ada");
    bo = new_player(&house, "Bo");
    game = told_game(",\"clock\":{\"kind\":\"days\",\"days\":1}", ",\"events\":[\"deadline\"]");
    does(&bo, &game, "join", "{}");
    does(&bo, &game, "moves", "a1");
    does(&ada, &game, "moves", "b2");
    does(&bo, &game, "moves", "a2");
    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    hours_pass(house.database, 19 * HOUR, false);
    hours_seen(house.database, house.plyd.port, path);
    await_nothing_due(house.database);
    while (receiver_count(&service) == 0) { /* its work is due a little later */
        hours_pass(house.database, SECOND, false);
        await_nothing_due(house.database);
    }
    assert_body(0, "It is your move, and your time is nearly over.");
    cr_assert_str_eq(receiver_message(&service, 0)->urgency, "high");
    cr_assert_leq(atoi(receiver_message(&service, 0)->ttl), 5 * 3600);
    cr_assert_gt(atoi(receiver_message(&service, 0)->ttl), 4 * 3600);
}

/* ---- what a service answers ---- */

static void assert_subscription_ends(const char *answer)
{
    struct game game = pair_game("", "");

    service_says(answer);
    does(&bo, &game, "moves", "a1");
    await_query(house.database, "select count(*) = 0 from webhooks");
    cr_assert_eq(receiver_count(&service), 1);
}

Test(notices, one_that_the_service_does_not_know_is_deleted)
{
    assert_subscription_ends(SAYS("404 Not Found", ""));
}

Test(notices, one_that_is_gone_is_deleted)
{
    assert_subscription_ends(SAYS("410 Gone", ""));
}

Test(notices, one_whose_service_takes_nothing_for_three_days_is_deleted)
{
    struct game game = pair_game("", "");

    service_says(SAYS("500 Internal Server Error", ""));
    house_sql(&house, "update webhooks set failures = 9");
    does(&bo, &game, "moves", "a1");
    await_query(house.database, "select count(*) = 0 from webhooks");
}

Test(notices, one_that_is_too_long_for_its_service_is_dropped_and_the_next_one_comes)
{
    struct game game = pair_game("", "");

    service_says(SAYS("413 Content Too Large", ""));
    does(&bo, &game, "messages", "{\"text\":\"hello\"}");
    await_told(house.database);
    cr_assert_eq(receiver_count(&service), 1);
    service_says(SAYS("201 Created", ""));
    does(&bo, &game, "moves", "a1");
    assert_body(1, "It is your move.");
}

Test(notices, a_service_that_wants_to_be_left_alone_is)
{
    struct game game = pair_game("", "");
    struct answer answer;

    service_says(SAYS("429 Too Many Requests", "Retry-After: 7200\r\n"));
    does(&bo, &game, "moves", "a1");
    await_query(house.database, "select failures = 1 and retry_at between"
                                " clock_timestamp() + interval '100 minutes' and"
                                " clock_timestamp() + interval '121 minutes' from webhooks");
    answer = subscriptions();
    cr_assert_eq(number_of(&answer, "items.0.failures"), 1);
    cr_assert_str_eq(text_of(&answer, "items.0.failure"), "status");
    cr_assert_eq(number_of(&answer, "items.0.status"), 429);
    cr_assert(has(&answer, "items.0.failing_since_at"));
    cr_assert(has(&answer, "items.0.retry_at"));
    service_says(RECEIVER_OK);
    hours_pass(house.database, 2 * HOUR + MINUTE, false);
    await_told(house.database);
    cr_assert_eq(receiver_count(&service), 2);
    answer = subscriptions();
    cr_assert_not(has(&answer, "items.0.failure"), "%s", answer.reply.body);
}

/* Seconds and dates, some of which are more than a number of microseconds can be. */
Test(notices, nobody_is_left_alone_for_longer_than_a_day)
{
    static const char *const answers[] = {
        SAYS("503 Service Unavailable", "Retry-After: 99999999\r\n"),
        SAYS("503 Service Unavailable", "Retry-After: 9223372036855\r\n"),
        SAYS("429 Too Many Requests", "Retry-After: 9223372036854775807\r\n"),
        SAYS("429 Too Many Requests", "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n")};
    struct game game = pair_game("", "");

    does(&bo, &game, "moves", "a1");
    await_told(house.database);
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        service_says(answers[i]);
        house_sql(&house, "update webhooks set failures = 0, retry_at = null");
        does(&bo, &game, "messages", "{\"text\":\"hello\"}");
        await_query(house.database, "select failures = 1 and retry_at between"
                                    " clock_timestamp() + interval '22 hours'"
                                    " and clock_timestamp() + interval '25 hours' from webhooks");
    }
}

Test(notices, a_service_that_is_dead_holds_up_no_other)
{
    struct game game = pair_game("", "");
    struct receiver dead;

    receiver_start(&dead);
    receiver_stop(&dead);
    subscribe_at(&dead, "");
    does(&bo, &game, "moves", "a1");
    assert_body(0, "It is your move.");
    await_query(house.database,
                "select count(*) = 1 from webhooks where failures > 0 and retry_at is not null");
    cr_assert_eq(receiver_count(&service), 1);
}

/* ---- when nothing is told ---- */

static void format_hour(char text[8], int64_t time)
{
    snprintf(text, 8, "%02d:%02d", (int)(time / HOUR % 24), (int)(time / MINUTE % 60));
}

/* Quiet hours that began an hour ago and end in two, by a clock that is ahead of UTC. */
static void be_quiet(void)
{
    char from[8], to[8], more[128];
    int64_t there = hours_database_now(house.database) + 5 * HOUR + 30 * MINUTE;

    format_hour(from, there - HOUR);
    format_hour(to, there + 2 * HOUR);
    snprintf(more, sizeof(more), ",\"quiet\":{\"from\":\"%s\",\"to\":\"%s\",\"offset\":\"+05:30\"}",
             from, to);
    subscribe(more);
}

Test(notices, quiet_hours_hold_back_one_for_each_game_until_they_end)
{
    struct game games[2];

    for (int i = 0; i < 2; i++)
        games[i] = pair_game("", ",\"events\":[\"aborted\"]");
    be_quiet();
    for (int i = 0; i < 2; i++) {
        does(&bo, &games[i], "moves", "a1");
        does(&bo, &games[i], "messages", "{\"text\":\"hello\"}");
    }
    await_put_off(house.database);
    hours_pass(house.database, HOUR, false);
    await_put_off(house.database);
    cr_assert_eq(receiver_count(&service), 0);
    hours_pass(house.database, HOUR + MINUTE, false);
    await_told(house.database);
    cr_assert_eq(receiver_count(&service), 2);
    for (size_t i = 0; i < 2; i++)
        assert_body(i, "It is your move.\nBo: hello");
}

/* A stream of Ada's of a game. */
static void open_stream(struct stream *stream, const struct game *game)
{
    char path[64], headers[200];
    struct http_reply head;

    snprintf(path, sizeof(path), "/v1/games/%s/events", game->id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nAccept: text/event-stream\r\n",
             ada.token);
    stream_open(stream, house.plyd.port, path, headers, &head);
    cr_assert_eq(head.status, 200);
    http_free(&head);
}

Test(notices, while_they_look_at_the_game_it_waits_and_what_they_answer_is_not_told)
{
    struct game game = pair_game("", "");
    struct stream stream;

    open_stream(&stream, &game);
    does(&bo, &game, "moves", "a1");
    await_put_off(house.database);
    does(&ada, &game, "moves", "b2");
    await_told(house.database);
    cr_assert_eq(receiver_count(&service), 0);
    stream_close(&stream);
}

Test(notices, once_they_have_closed_the_game_they_are_told)
{
    struct game game = pair_game("", "");
    struct stream stream;

    open_stream(&stream, &game);
    does(&bo, &game, "moves", "a1");
    await_put_off(house.database);
    stream_close(&stream);
    while (receiver_count(&service) == 0) {
        hours_pass(house.database, 20 * SECOND, false);
        await_nothing_due(house.database);
    }
    assert_body(0, "It is your move.");
}

Test(notices, a_page_that_nobody_looks_at_holds_it_back_for_two_minutes)
{
    struct game game = pair_game("", "");
    struct stream stream;

    open_stream(&stream, &game);
    does(&bo, &game, "moves", "a1");
    await_put_off(house.database);
    hours_pass(house.database, 2 * MINUTE, false);
    assert_body(0, "It is your move.");
    stream_close(&stream);
}

Test(notices, another_game_that_is_open_holds_nothing_back)
{
    struct game open = pair_game("", ""), game = pair_game("", "");
    struct stream stream;

    open_stream(&stream, &open);
    does(&bo, &game, "moves", "a1");
    assert_body(0, "It is your move.");
    stream_close(&stream);
}
