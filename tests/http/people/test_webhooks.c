/* test_webhooks.c - webhooks: what receivers are told, by whom they are kept, and how they fail. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/hooks/webhook_message.h"
#include "db/hooks.h"
#include "tests/http/house.h"
#include "tests/support/awaited.h"
#include "tests/support/backoff.h"
#include "tests/support/hours.h"
#include "tests/support/now.h"
#include "tests/support/numbers.h"
#include "tests/support/pg.h"
#include "tests/support/receiver.h"

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)

static struct house house;
static struct receiver receiver;
static struct player ada, bo;

static void open_house(void)
{
    setenv("PLYD_WEBHOOKS_PRIVATE", "1", 1);
    setenv("http_proxy", "http://127.0.0.1:1", 1); /* it would ask for any address */
    setenv("PLYD_DB_CONNECTIONS", "4", 1);         /* one is held up, and others go on */
    house_open_on(&house, hours_borrow_running());
    receiver_start(&receiver);
    ada = new_player(&house, "Ada");
    bo = new_player(&house, "Bo");
}

static void close_house(void)
{
    house_close(&house);
    receiver_stop(&receiver);
}

TestSuite(webhooks, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* ---- webhooks ---- */

struct hook {
    char id[32], secret[64];
    const char *token;
};

static struct hook hook_of(const struct answer *answer, const char *token)
{
    struct hook hook = {.token = token};

    snprintf(hook.id, sizeof(hook.id), "%s", text_of(answer, "id"));
    snprintf(hook.secret, sizeof(hook.secret), "%s", text_of(answer, "secret"));
    return hook;
}

/* `more` are further members: ",\"events\":[\"move\"]". */
static struct hook new_hook(const struct player *player, const struct receiver *to,
                            const char *more)
{
    char body[256];
    struct answer answer;
    struct hook hook;

    snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%d/hook\"%s}", to->port, more);
    answer = ask_as(&house, player->token, "POST", "/v1/webhooks", body);
    assert_status(&answer, 201);
    hook = hook_of(&answer, player->token);
    return hook;
}

static struct answer ask_hook(const struct hook *hook, const char *method, const char *rest,
                              const char *body)
{
    return ask_at(&house, hook->token, method, body, "/v1/webhooks/%s%s", hook->id, rest);
}

static void change(const struct hook *hook, const char *body)
{
    struct answer answer = ask_hook(hook, "PATCH", "", body);

    assert_status(&answer, 200);
}

/* Waits until the webhook's attempts are as many, and returns them. */
static struct answer attempts(const struct hook *hook, int count)
{
    for (int looks = 0;; looks++) {
        struct answer answer = ask_hook(hook, "GET", "/deliveries", NULL);

        assert_status(&answer, 200);
        if (cJSON_GetArraySize(member(&answer, "items")) >= count)
            return answer;
        back_off(looks);
    }
}

/* Asserts that attempt `count`, the newest one, has failed in this way. */
static void assert_failure(const struct hook *hook, int count, const char *failure, int status)
{
    struct answer answer = attempts(hook, count);

    cr_assert_str_eq(text_of(&answer, "items.0.failure"), failure, "%s", answer.reply.body);
    cr_assert_eq(has(&answer, "items.0.status"), status != 0);
    if (status != 0)
        cr_assert_eq(number_of(&answer, "items.0.status"), status);
}

static void assert_delivered(const struct hook *hook, int count)
{
    struct answer answer = attempts(hook, count);

    cr_assert(cJSON_IsTrue(member(&answer, "items.0.delivered")), "%s", answer.reply.body);
}

static void send_test(const struct hook *hook)
{
    struct answer answer = ask_hook(hook, "POST", "/test", NULL);

    assert_status(&answer, 202);
}

/* ---- games ---- */

/* A game of tic-tac-toe between two players, both of whom sit. */
static struct game pair_game(const struct player *first, const struct player *second,
                             const char *more)
{
    char body[256];
    struct game game;
    struct answer answer;

    snprintf(body, sizeof(body),
             "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}]%s}", more);
    game = new_game_of(&house, first->token, body);
    answer = ask_at(&house, second->token, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    return game;
}

static void move_of(const struct player *player, const struct game *game, const char *move)
{
    struct answer answer =
        ask_at(&house, player->token, "POST", move, "/v1/games/%s/moves", game->id);

    assert_status(&answer, 201);
}

/* Whether everything was told, so that nothing will come any more. */
static bool is_all_told(void)
{
    PGconn *pg = PQconnectdb(house.database);
    PGresult *result =
        PQexec(pg, "select from due where kind in (5, 7) union all"
                   " select from webhook_games where known > sent"); /* `kind` as in dues.def */
    bool all = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 0;

    PQclear(result);
    PQfinish(pg);
    return all;
}

enum { PATIENT_LOOKS = 7 }; /* after which it asks the database, too */

/* Waits until messages about these versions of a game have come, in this order and no others. */
static void await_versions(const struct game *game, const char *versions)
{
    char text[512] = "none";
    bool over = false;

    for (int looks = 0; strcmp(text, versions) != 0; looks++) {
        cr_assert_not(over, "%s, not %s, and no more is to come", text, versions);
        back_off(looks);
        over = looks > PATIENT_LOOKS && is_all_told();
        receiver_versions(&receiver, game->id, text, sizeof(text));
        cr_assert_leq(strlen(text), strlen(versions), "%s, not %s", text, versions);
    }
}

/* ---- what is told ---- */

static void assert_signed(const struct receiver_message *message, const char *secret)
{
    uint8_t bytes[DB_SECRET_BYTES];
    char signature[WEBHOOK_MESSAGE_SIGNATURE_TEXT];
    size_t len;

    cr_assert_eq(sodium_base642bin(bytes, sizeof(bytes), secret + strlen("whsec_"),
                                   strlen(secret) - strlen("whsec_"), NULL, &len, NULL,
                                   sodium_base64_VARIANT_ORIGINAL),
                 0);
    webhook_message_sign(bytes, message->id, message->timestamp, message->body, signature);
    cr_assert(strstr(message->signature, signature), "%s is not in %s", signature,
              message->signature);
}

Test(webhooks, a_receiver_is_told_of_a_move_and_can_check_who_says_so)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct game game = pair_game(&ada, &bo, "");
    const struct receiver_message *message;

    move_of(&ada, &game, "a1");
    await_versions(&game, "1 2 3");
    message = receiver_message(&receiver, 2);
    cr_assert_str_eq(message->path, "/hook");
    cr_assert_str_eq(message->type, "application/json");
    cr_assert_eq(strncmp(message->agent, "plyd/", 5), 0);
    cr_assert(strstr(message->body, "{\"type\":\"move\",\"timestamp\":"), "%s", message->body);
    cr_assert(strstr(message->body, "\"move\":\"a1\""), "%s", message->body);
    for (size_t i = 0; i < 3; i++)
        assert_signed(receiver_message(&receiver, i), hook.secret);
    assert_delivered(&hook, 3);
}

Test(webhooks, both_players_of_a_game_may_have_receivers)
{
    struct receiver other;
    struct game game;

    receiver_start(&other);
    new_hook(&ada, &receiver, "");
    new_hook(&bo, &other, "");
    game = pair_game(&ada, &bo, "");
    move_of(&ada, &game, "a1");
    await_versions(&game, "1 2 3");
    receiver_await(&other, 3);
    house_close(&house);
    receiver_stop(&other);
    house_open_on(&house, hours_borrow_running());
}

Test(webhooks, a_player_with_both_seats_is_told_once)
{
    struct game game;

    new_hook(&ada, &receiver, "");
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    play(&house, &game, "a1 b2 c3");
    await_versions(&game, "1 2 3 4");
    cr_assert_eq(receiver_count(&receiver), 4);
}

Test(webhooks, of_a_game_that_goes_on_what_happens_from_now_on_is_told)
{
    struct game game = pair_game(&ada, &bo, "");

    move_of(&ada, &game, "a1");
    new_hook(&ada, &receiver, "");
    move_of(&bo, &game, "b2");
    move_of(&ada, &game, "c3");
    await_versions(&game, "4 5");
}

/* At once, not by the look at all games of a player that comes later (below). */
Test(webhooks, a_game_of_which_a_player_takes_over_a_seat_is_told)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    char path[64], body[128];
    struct answer answer;

    new_hook(&ada, &receiver, "");
    snprintf(path, sizeof(path), "/v1/me/games/%s", game.id);
    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", game.token);
    answer = ask_as(&house, ada.token, "PUT", path, body);
    assert_status(&answer, 200);
    move_of(&ada, &game, "a1");
    await_versions(&game, "2 3 4");
}

Test(webhooks, a_game_that_begins_with_moves_is_told_by_its_first_event)
{
    struct game game;

    new_hook(&ada, &receiver, "");
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\",\"moves\":[\"a1\",\"b2\"]}");
    play(&house, &game, "c3");
    await_versions(&game, "1 4");
}

Test(webhooks, only_wanted_events_are_told)
{
    struct game game;

    new_hook(&ada, &receiver, ",\"events\":[\"resigned\",\"offered\"],\"games\":\"mine\"");
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    play(&house, &game, "a1 b2");
    struct answer answer = ask_at(&house, ada.token, "POST", "{}", "/v1/games/%s/resign", game.id);
    assert_status(&answer, 200);
    await_versions(&game, "4");
    cr_assert_eq(receiver_count(&receiver), 1);
}

/* The player whose time is nearly over is told, and so is the other one. */
Test(webhooks, a_deadline_that_is_near_is_told_to_those_who_want_just_that)
{
    struct receiver other;
    struct game game;
    char path[64];

    receiver_start(&other);
    new_hook(&ada, &receiver, ",\"events\":[\"deadline\"]");
    new_hook(&bo, &other, ",\"events\":[\"deadline\"]");
    game = pair_game(&ada, &bo, ",\"clock\":{\"kind\":\"days\",\"days\":1}");
    move_of(&ada, &game, "a1");
    move_of(&bo, &game, "b2");
    hours_pass(house.database, 19 * HOUR, false);
    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    hours_seen(house.database, house.plyd.port, path);
    await_versions(&game, "5");
    receiver_await(&other, 1);
    cr_assert_eq(receiver_count(&receiver), 1);
    cr_assert_not_null(
        strstr(receiver_message(&receiver, 0)->body, "{\"type\":\"deadline\",\"timestamp\":"));
    cr_assert_not_null(strstr(receiver_message(&receiver, 0)->body,
                              "\"seat\":1,\"line\":1,\"ply\":2,\"data\":{\"deadline_at\":"));
    house_close(&house);
    receiver_stop(&other);
    house_open_on(&house, hours_borrow_running());
}

/* What a player does at a game: "resign", "offers" with a body. */
static void do_at(const struct player *player, const struct game *game, const char *what,
                  const char *body, int status)
{
    struct answer answer =
        ask_at(&house, player->token, "POST", body, "/v1/games/%s/%s", game->id, what);

    assert_status(&answer, status);
}

/* Seconds until Ada's receiver has what Bo says. */
static double told_after(const struct game *game)
{
    size_t before = receiver_count(&receiver);
    double begin_at = seconds_now();

    do_at(&bo, game, "messages", "{\"text\":\"Well?\"}", 201);
    receiver_await(&receiver, before + 1);
    return seconds_now() - begin_at;
}

/* A receiver is told in order: a message would come before the move. */
Test(webhooks, a_message_by_who_is_blocked_is_told_to_its_writer_and_not_to_whoever_blocks)
{
    struct game game = pair_game(&ada, &bo, "");
    struct answer blocked = ask_at(&house, ada.token, "PUT", NULL, "/v1/me/blocks/%s", bo.id);
    const char *body;

    assert_status(&blocked, 204);
    new_hook(&ada, &receiver, ",\"events\":[\"message\",\"move\"]");
    do_at(&bo, &game, "messages", "{\"text\":\"Well?\"}", 201);
    move_of(&ada, &game, "a1");
    receiver_await(&receiver, 1);
    body = receiver_message(&receiver, 0)->body;
    cr_assert_not_null(strstr(body, "\"move\":\"a1\""), "%s", body);
    new_hook(&bo, &receiver, ",\"events\":[\"message\"]");
    do_at(&bo, &game, "messages", "{\"text\":\"Your turn is over.\"}", 201);
    receiver_await(&receiver, 2);
    body = receiver_message(&receiver, 1)->body;
    cr_assert_not_null(strstr(body, "Your turn is over."), "%s", body);
    cr_assert_null(strstr(body, "unheard"), "%s", body);
}

/* A loop that has the game in memory learns that there are webhooks by now, and does not leave its
 * news to the look of every second. */
Test(webhooks, a_game_from_before_a_webhook_is_told_as_soon_as_one_from_after_it)
{
    enum { ROUNDS = 9 };
    struct game early = pair_game(&ada, &bo, ""), late;
    double early_s[ROUNDS], late_s[ROUNDS];

    new_hook(&ada, &receiver, "");
    late = pair_game(&ada, &bo, "");
    await_versions(&late, "1 2");
    await_query(house.database, "select bool_and(hooks <> 0) from games");
    await_told(house.database);
    for (int i = 0; i < ROUNDS; i++) {
        early_s[i] = told_after(&early);
        late_s[i] = told_after(&late);
    }
    numbers_sort(early_s, ROUNDS);
    numbers_sort(late_s, ROUNDS);
    cr_assert_lt(early_s[ROUNDS / 2], 5 * late_s[ROUNDS / 2]);
}

/* Offers something and has it accepted; `version` is that of the offer. */
static void agree(const struct game *game, const char *offer, int version)
{
    char accept[32];

    snprintf(accept, sizeof(accept), "offers/%d/accept", version);
    do_at(&ada, game, "offers", offer, 201);
    do_at(&bo, game, accept, "{}", 200);
}

Test(webhooks, the_end_of_a_game_is_told_whatever_ends_it)
{
    struct game by_line, by_draw, by_resigning, called_off;

    new_hook(&ada, &receiver, ",\"events\":[\"ended\"]");
    by_line = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    play(&house, &by_line, "a1 a2 b1 b2 c1");
    do_at(&ada, &by_line, "messages", "{\"text\":\"Well played!\"}", 201);
    await_versions(&by_line, "6");
    cr_assert_not_null(strstr(receiver_message(&receiver, 0)->body, "{\"type\":\"move\""));
    do_at(&ada, &by_line, "undo", "{}", 200);
    do_at(&ada, &by_line, "redo", "{}", 200);
    await_versions(&by_line, "6 9");
    by_draw = pair_game(&ada, &bo, "");
    move_of(&ada, &by_draw, "a1");
    agree(&by_draw, "{\"kind\":\"undo\"}", 4);
    move_of(&ada, &by_draw, "b2");
    agree(&by_draw, "{\"kind\":\"draw\"}", 8);
    await_versions(&by_draw, "9");
    by_resigning = pair_game(&bo, &ada, "");
    do_at(&bo, &by_resigning, "resign", "{}", 200);
    await_versions(&by_resigning, "3");
    called_off = pair_game(&bo, &ada, "");
    do_at(&bo, &called_off, "abort", "{}", 200);
    await_versions(&called_off, "3");
    cr_assert_eq(receiver_count(&receiver), 5);
}

Test(webhooks, an_end_that_is_wanted_twice_is_told_once)
{
    struct game game;

    new_hook(&ada, &receiver, ",\"events\":[\"move\",\"ended\"]");
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    play(&house, &game, "a1 a2 b1 b2 c1");
    await_versions(&game, "2 3 4 5 6");
    do_at(&ada, &game, "rematch", "{}", 201);
    cr_assert_eq(receiver_count(&receiver), 5);
}

/* Runs a command in a session of its own transaction. */
static void run_sql(PGconn *pg, const char *command)
{
    PGresult *result = PQexec(pg, command);

    cr_assert_str_eq(PQresultErrorMessage(result), "", "%s", command);
    PQclear(result);
}

/* The daemon has read the game's row, and waits for its events. Then another daemon ends the game,
 * as a game before it has ended. */
Test(webhooks, an_end_that_is_written_while_the_game_is_looked_at_is_told)
{
    struct game before, game;
    struct hook hook;
    PGconn *pg;

    PG_PLAIN_ONLY("it looks at the locks of one server, and a statement has two games");
    pg = PQconnectdb(house.database);
    before = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    play(&house, &before, "a1 a2 b1 b2 c1");
    hook = new_hook(&ada, &receiver, ",\"events\":[\"ended\"]");
    change(&hook, "{\"enabled\":false}");
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    play(&house, &game, "a1 a2 b1 b2");
    run_sql(pg, "begin");
    run_sql(pg, "lock table events in access exclusive mode");
    change(&hook, "{\"enabled\":true}");
    await_query_by(pg, "select count(*) > 0 from pg_locks"
                       " where relation = 'events'::regclass and not granted");
    run_sql(pg,
            "insert into events (game_id, version, kind, seat, line, ply, key, at, move, position)"
            " select g.id, e.version, e.kind, e.seat, e.line, e.ply, e.key, now(), e.move,"
            " e.position from events e join games b on b.id = e.game_id and b.status = 3,"
            " games g where g.status = 2 and e.version = 6");
    run_sql(pg, "update games g set version = b.version, ply = b.ply, tip = b.tip,"
                " status = b.status, to_move = b.to_move, winner = b.winner,"
                " last_seat = b.last_seat, last_at = now(), updated_at = now(),"
                " reason = b.reason, position = b.position, last_move = b.last_move"
                " from games b where b.status = 3 and g.status = 2");
    run_sql(pg, "insert into due (id, kind, at, leased_until) select id, 5, now(), now() from games"
                " order by created_at desc limit 1"
                " on conflict (id, kind) do update set at = excluded.at");
    run_sql(pg, "commit");
    PQfinish(pg);
    await_versions(&game, "6");
}

/* ---- games that learn late of a webhook ---- */

/* The second look comes four deadlines of the database after the first, which are a minute each
 * here (house.c). A game of the player that stands at version 5, and has lost the mark that the
 * first look has set. A loop that remembers the player from before there was a webhook leaves one
 * so. */
static struct game unmarked_game(void)
{
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    PGconn *pg = PQconnectdb(house.database);

    play(&house, &game, "a1 a2 b1 b2");
    new_hook(&ada, &receiver, "");
    await_query_by(pg, "select (select at from due where kind = 7) > clock_timestamp()"
                       " and (select sent from webhook_games) = 5");
    PQfinish(pg);
    house_sql(&house, "update games set hooks = 0");
    return game;
}

Test(webhooks, a_game_that_lost_its_mark_is_told_of_after_a_second_look)
{
    struct game game = unmarked_game();

    play(&house, &game, "c3");
    hours_pass(house.database, 5 * MINUTE, false);
    await_versions(&game, "6");
}

Test(webhooks, a_game_that_lost_its_mark_and_ended_is_told_of_after_a_second_look)
{
    struct game game = unmarked_game();

    play(&house, &game, "c1");
    hours_pass(house.database, 5 * MINUTE, false);
    await_versions(&game, "6");
}

static void let_a_minute_pass(void)
{
    struct game clocked =
        new_game(&house, "{\"variant\":\"jungle\",\"clock\":{\"kind\":\"days\",\"days\":9}}");
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s", clocked.id);
    hours_pass(house.database, MINUTE, false);
    hours_seen(house.database, house.plyd.port, path);
}

/* A look has read all games but the first one, and waits for one that is locked. Meanwhile the
 * first one moves to the front of the list, where the look has been. */
Test(webhooks, a_game_that_moves_past_the_first_look_is_found_by_it_all_the_same)
{
    enum { PAGE = 64 };
    struct game first;
    PGconn *pg;

    PG_PLAIN_ONLY("it looks at the locks of one server");
    first = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    let_a_minute_pass();
    for (int i = 0; i < PAGE; i++)
        new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    pg = PQconnectdb(house.database);
    run_sql(pg, "begin");
    run_sql(pg, "select from games order by updated_at desc limit 1 for update");
    new_hook(&ada, &receiver, "");
    await_query(house.database, "select count(*) > 0 from pg_stat_activity where wait_event_type ="
                                " 'Lock' and datname = current_database()");
    play(&house, &first, "a1");
    run_sql(pg, "commit");
    PQfinish(pg);
    await_versions(&first, "2");
}

Test(webhooks, what_it_wants_is_shown)
{
    struct hook hook = new_hook(&ada, &receiver, ",\"events\":[\"ended\",\"offered\"]");
    struct answer answer = ask_hook(&hook, "GET", "", NULL);

    cr_assert_str_eq(text_of(&answer, "events.0"), "ended");
    cr_assert_str_eq(text_of(&answer, "events.1"), "offered");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "events")), 2);
    answer = ask_as(&house, ada.token, "POST", "/v1/webhooks",
                    "{\"url\":\"https://example.com/\",\"events\":[\"endet\"]}");
    assert_problem(&answer, 400, "bad-parameter");
    cr_assert_not_null(strstr(text_of(&answer, "detail"), "ended"));
}

Test(webhooks, games_of_others_are_not_told)
{
    struct player carl = new_player(&house, "Carl");
    struct game theirs, ours;

    new_hook(&ada, &receiver, "");
    theirs = pair_game(&bo, &carl, ",\"visibility\":\"private\"");
    move_of(&bo, &theirs, "a1");
    ours = pair_game(&ada, &bo, "");
    await_versions(&ours, "1 2");
    cr_assert_eq(receiver_count(&receiver), 2);
}

Test(webhooks, a_rematch_is_told_to_both_sides_once_it_is_accepted)
{
    struct game game = pair_game(&ada, &bo, ""), next;
    struct answer answer;

    new_hook(&ada, &receiver, "");
    answer = ask_at(&house, bo.token, "POST", "{}", "/v1/games/%s/resign", game.id);
    assert_status(&answer, 200);
    answer = ask_at(&house, bo.token, "POST", "{}", "/v1/games/%s/rematch", game.id);
    assert_status(&answer, 201);
    snprintf(next.id, sizeof(next.id), "%s", text_of(&answer, "id"));
    await_versions(&next, "1"); /* with the challenge */
    await_versions(&game, "3");
    do_at(&ada, &next, "join", "{}", 200);
    await_versions(&next, "1 3");
    await_versions(&game, "3 4");
}

Test(webhooks, many_events_come_once_and_in_order_for_each_game)
{
    enum { GAMES = 3 };
    static const char moves[] = "g3g4 a7a6 g4g3 a6a7 g3g4 a7a6 g4g3 a6a7 g3g4 a7a6 g4g3 a6a7 "
                                "g3g4 a7a6 g4g3 a6a7 g3g4 a7a6 g4g3 a6a7";
    struct game game[GAMES];

    new_hook(&ada, &receiver, "");
    for (int i = 0; i < GAMES; i++)
        game[i] = new_game_of(&house, ada.token,
                              "{\"variant\":\"jungle\",\"options\":{\"repetition\":0}}");
    for (int i = 0; i < GAMES; i++)
        play(&house, &game[i], moves);
    for (int i = 0; i < GAMES; i++)
        await_versions(&game[i], "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21");
    cr_assert_leq(receiver_most_at_once(&receiver), 2);
}

Test(webhooks, two_daemons_tell_each_event_in_order)
{
    struct game game;
    int port = house.plyd.port;

    house_open_second(&house);
    new_hook(&ada, &receiver, "");
    game =
        new_game_of(&house, ada.token, "{\"variant\":\"jungle\",\"options\":{\"repetition\":0}}");
    for (int i = 0; i < 8; i++) {
        static const char *const moves[] = {"g3g4", "a7a6", "g4g3", "a6a7"};

        house.plyd.port = i % 2 == 0 ? house.second.port : port;
        play(&house, &game, moves[i % 4]);
    }
    house.plyd.port = port;
    await_versions(&game, "1 2 3 4 5 6 7 8 9");
}

/* ---- keeping them ---- */

Test(webhooks, a_webhook_is_listed_without_its_secret)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct answer answer = ask_as(&house, ada.token, "GET", "/v1/webhooks", NULL);

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "items.0.id"), hook.id);
    cr_assert_null(strstr(answer.reply.body, "whsec_"));
    answer = ask_hook(&hook, "GET", "", NULL);
    assert_status(&answer, 200);
    cr_assert_null(strstr(answer.reply.body, "whsec_"));
}

Test(webhooks, somebody_elses_webhook_is_as_if_it_were_not_there)
{
    static const char *const requests[][2] = {
        {"GET", ""}, {"PATCH", ""}, {"POST", "/test"}, {"POST", "/rotate"}, {"GET", "/deliveries"}};
    struct hook hook = new_hook(&ada, &receiver, "");
    struct answer deleted;

    hook.token = bo.token;
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        struct answer answer =
            ask_hook(&hook, requests[i][0], requests[i][1], i == 1 ? "{\"enabled\":false}" : NULL);

        assert_problem(&answer, 404, "no-such-webhook");
    }
    deleted = ask_hook(&hook, "DELETE", "", NULL);
    assert_status(&deleted, 204);
    hook.token = ada.token;
    deleted = ask_hook(&hook, "GET", "", NULL);
    assert_status(&deleted, 200);
}

Test(webhooks, one_that_is_gone_may_be_deleted_again)
{
    struct hook hook = new_hook(&ada, &receiver, "");

    for (int i = 0; i < 2; i++) {
        struct answer answer = ask_hook(&hook, "DELETE", "", NULL);

        assert_status(&answer, 204);
    }
}

Test(webhooks, without_a_player_there_are_none)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\"}");
    struct answer answer =
        ask_as(&house, NULL, "POST", "/v1/webhooks", "{\"url\":\"https://example.com\"}");

    assert_problem(&answer, 401, "token-missing");
    answer = ask_as(&house, game.token, "GET", "/v1/webhooks", NULL);
    assert_status(&answer, 401);
}

Test(webhooks, a_player_can_have_five)
{
    struct answer answer;

    for (int i = 0; i < 5; i++)
        new_hook(&ada, &receiver, "");
    answer =
        ask_as(&house, ada.token, "POST", "/v1/webhooks", "{\"url\":\"https://receiver.invalid\"}");
    assert_problem(&answer, 409, "too-many-webhooks");
}

static struct answer ask_keyed(const char *token, const char *path, const char *key,
                               const char *body)
{
    char headers[512];

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nIdempotency-Key: %s\r\n"
             "Content-Type: application/json\r\n",
             token, key);
    return ask(&house, "POST", path, headers, body);
}

Test(webhooks, the_same_request_makes_one_and_tells_its_secret_again)
{
    static const char body[] = "{\"url\":\"https://receiver.invalid/\"}";
    struct answer first = ask_keyed(ada.token, "/v1/webhooks", "key 1", body);
    struct answer second = ask_keyed(ada.token, "/v1/webhooks", "key 1", body);
    struct answer other = ask_keyed(bo.token, "/v1/webhooks", "key 1", body);
    struct answer changed =
        ask_keyed(ada.token, "/v1/webhooks", "key 1", "{\"url\":\"https://another.invalid/\"}");
    struct answer list = ask_as(&house, ada.token, "GET", "/v1/webhooks", NULL);
    char value[256];

    assert_status(&first, 201);
    assert_status(&second, 201);
    cr_assert_str_eq(first.reply.body, second.reply.body);
    cr_assert_not_null(http_header(&second.reply, "Idempotent-Replayed", value));
    assert_status(&other, 201);
    cr_assert_str_neq(text_of(&first, "id"), text_of(&other, "id"));
    cr_assert_str_neq(text_of(&first, "secret"), text_of(&other, "secret"));
    assert_problem(&changed, 422, "idempotency-key-reused");
    cr_assert_eq(cJSON_GetArraySize(member(&list, "items")), 1);
}

Test(webhooks, the_key_that_made_the_player_makes_a_webhook_too)
{
    struct answer answer = ask(&house, "POST", "/v1/players",
                               "Idempotency-Key: one key for everything\r\n"
                               "Content-Type: application/json\r\n",
                               "{\"name\":\"Carl\"}");
    char token[96];

    assert_status(&answer, 201);
    snprintf(token, sizeof(token), "%s", text_of(&answer, "token"));
    answer = ask_keyed(token, "/v1/webhooks", "one key for everything",
                       "{\"url\":\"https://receiver.invalid/\"}");
    assert_status(&answer, 201);
}

Test(webhooks, another_secret_signs_beside_the_old_one_for_a_day)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct answer answer = ask_hook(&hook, "POST", "/rotate", NULL);
    struct hook newer = hook_of(&answer, ada.token);

    assert_status(&answer, 200);
    cr_assert_str_neq(hook.secret, newer.secret);
    send_test(&hook);
    receiver_await(&receiver, 1);
    assert_signed(receiver_message(&receiver, 0), hook.secret);
    assert_signed(receiver_message(&receiver, 0), newer.secret);
    hours_pass(house.database, 24 * HOUR + SECOND, false);
    assert_delivered(&hook, 1);
    send_test(&hook);
    receiver_await(&receiver, 2);
    assert_signed(receiver_message(&receiver, 1), newer.secret);
    cr_assert_null(strchr(receiver_message(&receiver, 1)->signature, ' '));
}

Test(webhooks, the_same_rotation_tells_the_same_secret)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    char path[96];
    struct answer first, second;

    snprintf(path, sizeof(path), "/v1/webhooks/%s/rotate", hook.id);
    first = ask_keyed(ada.token, path, "key 2", "");
    second = ask_keyed(ada.token, path, "key 2", "");
    assert_status(&first, 200);
    assert_status(&second, 200);
    cr_assert_str_eq(text_of(&first, "secret"), text_of(&second, "secret"));
}

Test(webhooks, one_that_was_stopped_goes_on_where_it_was)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    await_versions(&game, "1");
    change(&hook, "{\"enabled\":false}");
    play(&house, &game, "a1 b2");
    answer = ask_hook(&hook, "GET", "", NULL);
    cr_assert_str_eq(text_of(&answer, "disabled"), "stopped");
    send_test(&hook);
    receiver_await(&receiver, 2);
    cr_assert(strstr(receiver_message(&receiver, 1)->body, "{\"type\":\"test\""));
    change(&hook, "{\"enabled\":true}");
    await_versions(&game, "1 2 3");
}

Test(webhooks, one_that_was_deleted_is_told_nothing_more)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct receiver other;
    struct game game;
    struct answer answer;

    receiver_start(&other);
    new_hook(&ada, &other, "");
    answer = ask_hook(&hook, "DELETE", "", NULL);
    assert_status(&answer, 204);
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    play(&house, &game, "a1");
    receiver_await(&other, 2);
    cr_assert_eq(receiver_count(&receiver), 0);
    house_close(&house);
    receiver_stop(&other);
    house_open_on(&house, hours_borrow_running());
}

Test(webhooks, a_player_who_leaves_has_none_any_more)
{
    struct game game = pair_game(&ada, &bo, "");
    struct hook theirs;
    struct answer answer;

    new_hook(&ada, &receiver, "");
    theirs = new_hook(&bo, &receiver, "");
    answer = ask_as(&house, ada.token, "DELETE", "/v1/me", NULL);
    assert_status(&answer, 204);
    /* The game ends, and its other player is told. */
    attempts(&theirs, 2);
    cr_assert_eq(receiver_count(&receiver), 2);
    (void)game;
}

/* ---- receivers that fail ---- */

static void answers(const char *text, bool by_byte)
{
    receiver_answers(&receiver, text, strlen(text), by_byte);
}

/* Its player has changed the URL while the old one was thinking. */
Test(webhooks, what_an_old_url_answers_late_does_not_end_the_new_one)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct receiver other;
    char body[96];

    receiver_start(&other);
    new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    receiver_await(&receiver, 1); /* so it is a quick one, which may be told of two at once */
    await_told(house.database);
    answers(
        "HTTP/1.1 410 Gone\r\nReason: this answer takes so long that its player has the time to "
        "change their mind, and to name another address, for it comes by the byte, and each of "
        "them comes after a while\r\nContent-Length: 0\r\n\r\n",
        true);
    new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    receiver_await(&receiver, 2);
    snprintf(body, sizeof(body), "{\"url\":\"http://127.0.0.1:%d/hook\"}", other.port);
    change(&hook, body);
    new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    receiver_await(&other, 2);
    cr_assert_eq(receiver_count(&receiver), 2);
    receiver_stop(&other);
}

Test(webhooks, what_was_not_taken_is_sent_again_with_the_same_id)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct answer answer;
    struct game game;

    answers("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", false);
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    play(&house, &game, "a1");
    assert_failure(&hook, 1, "status", 500);
    answer = ask_hook(&hook, "GET", "", NULL);
    cr_assert_eq(number_of(&answer, "failures"), 1);
    cr_assert(has(&answer, "retry_at") && has(&answer, "failing_since_at"));
    answers(RECEIVER_OK, false);
    receiver_await(&receiver, 3); /* 5 s later */
    cr_assert_str_eq(receiver_message(&receiver, 0)->id, receiver_message(&receiver, 1)->id);
    await_versions(&game, "1 2");
    answer = ask_hook(&hook, "GET", "", NULL);
    cr_assert_eq(number_of(&answer, "failures"), 0);
}

/* The second of two messages is refused after the first one, which was refused before, was taken.
 */
Test(webhooks, failures_are_counted_anew_after_a_success)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct answer answer;
    struct game game;

    answers("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", false);
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    play(&house, &game, "a1");
    assert_failure(&hook, 1, "status", 500);
    answers("HTTP/1.1 200 OK\r\nReason: so that there is time to say something else to the message "
            "that follows, which comes in the same visit\r\nContent-Length: 0\r\n\r\n",
            true);
    receiver_await(&receiver, 2); /* 5 s later */
    answers("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", false);
    assert_failure(&hook, 3, "status", 500);
    answer = ask_hook(&hook, "GET", "", NULL);
    cr_assert_eq(number_of(&answer, "failures"), 1, "%s", answer.reply.body);
}

Test(webhooks, a_test_that_fails_changes_nothing_about_what_is_to_be_sent)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct answer before, after;

    answers("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", false);
    new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    assert_failure(&hook, 1, "status", 500);
    hours_pass(house.database, 6 * SECOND, false);
    assert_failure(&hook, 2, "status", 500);
    before = ask_hook(&hook, "GET", "", NULL);
    cr_assert_eq(number_of(&before, "failures"), 2);
    answers("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", false);
    send_test(&hook);
    assert_failure(&hook, 3, "status", 410);
    after = ask_hook(&hook, "GET", "", NULL);
    cr_assert_eq(number_of(&after, "failures"), 2);
    cr_assert_str_eq(text_of(&after, "retry_at"), text_of(&before, "retry_at"));
    cr_assert_not(has(&after, "disabled"), "%s", after.reply.body);
}

/* Both begin in the same look, and each takes some seconds. */
Test(webhooks, two_attempts_that_fail_side_by_side_count_as_one)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct game one = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}"),
                two = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    PGconn *pg = PQconnectdb(house.database);
    struct answer answer;

    await_versions(&one, "1");
    await_versions(&two, "1");
    change(&hook, "{\"enabled\":false}");
    play(&house, &one, "a1");
    play(&house, &two, "a1");
    await_query_by(pg, "select count(*) = 2 from webhook_games where sent = 1 and known = 2");
    PQfinish(pg);
    house_sql(&house, "update webhooks set took_ms = 0"); /* or one would have to wait */
    answers(
        "HTTP/1.1 500 No\r\nReason: whoever says so by the byte leaves the time for another one "
        "to come\r\nContent-Length: 0\r\n\r\n",
        true);
    change(&hook, "{\"enabled\":true}");
    answer = attempts(&hook, 4);
    cr_assert_eq(receiver_most_at_once(&receiver), 2);
    answer = ask_hook(&hook, "GET", "", NULL);
    cr_assert_eq(number_of(&answer, "failures"), 1, "%s", answer.reply.body);
    answers(RECEIVER_OK, false);
    await_versions(&one, "1 2"); /* 5 s later */
    await_versions(&two, "1 2");
}

Test(webhooks, a_receiver_that_fails_for_days_comes_to_rest_and_loses_nothing)
{
    static const int64_t waits[] = {5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR,
                                    10 * HOUR,  14 * HOUR,  20 * HOUR,   24 * HOUR};
    struct hook hook = new_hook(&ada, &receiver, "");
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    struct answer answer;

    await_versions(&game, "1");
    answers("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", false);
    play(&house, &game, "a1");
    for (int i = 0; i < 9; i++) {
        assert_failure(&hook, i + 2, "status", 503);
        hours_pass(house.database, waits[i] * 11 / 10, false);
    }
    assert_failure(&hook, 11, "status", 503);
    answer = ask_hook(&hook, "GET", "", NULL);
    cr_assert_str_eq(text_of(&answer, "disabled"), "failing", "%s", answer.reply.body);
    answers(RECEIVER_OK, false);
    play(&house, &game, "b2");
    change(&hook, "{\"enabled\":true}");
    await_versions(&game, "1 2 3");
}

Test(webhooks, a_receiver_that_wants_no_more_is_left_alone)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct game game;
    struct answer answer;

    answers("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", false);
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    assert_failure(&hook, 1, "status", 410);
    answer = ask_hook(&hook, "GET", "", NULL);
    cr_assert_str_eq(text_of(&answer, "disabled"), "gone");
    answers(RECEIVER_OK, false);
    play(&house, &game, "a1");
    change(&hook, "{\"enabled\":true}");
    await_versions(&game, "1 2");
}

Test(webhooks, one_that_is_at_rest_keeps_the_reason_when_its_owner_stops_it)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct answer answer;

    answers("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n", false);
    new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    assert_failure(&hook, 1, "status", 410);
    change(&hook, "{\"enabled\":false}");
    answer = ask_hook(&hook, "GET", "", NULL);
    cr_assert_str_eq(text_of(&answer, "disabled"), "gone");
}

Test(webhooks, one_that_begins_afresh_is_shown_at_once_without_its_failures)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct answer answer;

    answers("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", false);
    new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    assert_failure(&hook, 1, "status", 500);
    answer = ask_hook(&hook, "PATCH", "", "{\"enabled\":true}");
    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "failures"), 0);
    cr_assert_not(has(&answer, "failing_since_at"), "%s", answer.reply.body);
    cr_assert_not(has(&answer, "retry_at"), "%s", answer.reply.body);
}

Test(webhooks, a_redirect_is_a_failure_and_is_not_followed)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    struct receiver target;
    char answer[256];

    receiver_start(&target);
    snprintf(answer, sizeof(answer),
             "HTTP/1.1 307 There\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n",
             target.port);
    answers(answer, false);
    send_test(&hook);
    assert_failure(&hook, 1, "status", 307);
    cr_assert_eq(receiver_count(&target), 0);
    receiver_stop(&target);
}

Test(webhooks, nobody_there_is_a_failure)
{
    struct hook hook = new_hook(&ada, &receiver, "");

    receiver_stop(&receiver);
    send_test(&hook);
    assert_failure(&hook, 1, "connection", 0);
    receiver_start(&receiver);
}

Test(webhooks, the_status_stands_whatever_the_body_pretends)
{
    static const char *const lies[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nmuch longer",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\nno",
        "HTTP/1.1 204 No Content\r\n\r\n",
    };
    struct hook hook = new_hook(&ada, &receiver, "");

    for (int i = 0; i < 4; i++) {
        answers(lies[i], false);
        send_test(&hook);
        assert_delivered(&hook, i + 1);
    }
}

Test(webhooks, what_is_no_answer_is_a_failure)
{
    static const char *const lies[] = {
        "",
        "hello",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nNo-End: true",
        "HTTP/1.1 100 Continue\r\n\r\n",
    };
    struct hook hook = new_hook(&ada, &receiver, "");

    for (int i = 0; i < 5; i++) {
        answers(lies[i], false);
        send_test(&hook);
        assert_failure(&hook, i + 1, "answer", 0);
    }
}

Test(webhooks, an_answer_by_the_byte_is_an_answer)
{
    struct hook hook = new_hook(&ada, &receiver, "");

    answers(RECEIVER_OK, true);
    send_test(&hook);
    assert_delivered(&hook, 1);
}

Test(webhooks, a_receiver_that_is_silent_fails_in_time_and_holds_up_nobody_else)
{
    struct receiver silent;
    struct hook hook;
    struct game game;

    receiver_start(&silent);
    receiver_falls_silent(&silent);
    hook = new_hook(&ada, &silent, "");
    new_hook(&bo, &receiver, "");
    game = pair_game(&ada, &bo, "");
    receiver_await(&silent, 1);
    move_of(&ada, &game, "a1");
    move_of(&bo, &game, "b2");
    await_versions(&game, "1 2 3 4");
    cr_assert_eq(receiver_count(&silent), 1);
    assert_failure(&hook, 1, "timeout", 0);
    house_close(&house);
    receiver_stop(&silent);
    house_open_on(&house, hours_borrow_running());
}

/* More at once than may be under way to receivers that were quick the last time, or than there are
 * visits. Each has a name of its own, all of which lead here. */
Test(webhooks, receivers_that_fall_silent_hold_up_no_others)
{
    enum { SILENT = 150, AT_ONCE_BEFORE = 32 };
    static struct player players[SILENT];
    struct receiver silent;
    struct game game;

    receiver_start(&silent);
    receiver_falls_silent(&silent);
    for (int i = 0; i < SILENT; i++) {
        char body[128];
        struct answer answer;

        players[i] = new_player(&house, "Cy");
        snprintf(body, sizeof(body), "{\"url\":\"http://s%d.localhost:%d/\"}", i, silent.port);
        answer = ask_as(&house, players[i].token, "POST", "/v1/webhooks", body);
        assert_status(&answer, 201);
    }
    new_hook(&bo, &receiver, "");
    house_sql(&house, "update webhooks set took_ms = 0");
    for (int i = 0; i < SILENT; i++)
        new_game_of(&house, players[i].token, "{\"variant\":\"tictactoe\"}");
    game = new_game_of(&house, bo.token, "{\"variant\":\"tictactoe\"}");
    receiver_await(&silent, SILENT);
    await_versions(&game, "1");
    cr_assert_gt(receiver_most_at_once(&silent), AT_ONCE_BEFORE);
    house_close(&house);
    receiver_stop(&silent);
    house_open_on(&house, hours_borrow_running());
}

/* ---- when is sent ---- */

/* What three new games begin with waits for a webhook that is switched off. */
static struct hook waiting_hook(PGconn *pg)
{
    struct hook hook = new_hook(&ada, &receiver, "");

    change(&hook, "{\"enabled\":false}");
    for (int i = 0; i < 3; i++)
        new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    await_query_by(pg, "select count(*) = 3 from webhook_games where sent < known");
    answers("HTTP/1.1 200 OK\r\nReason: this takes longer than a second, so that what is sent "
            "of two games would be under way at once\r\nContent-Length: 0\r\n\r\n",
            true);
    return hook;
}

Test(webhooks, a_receiver_that_is_new_or_slow_is_told_of_one_game_at_a_time)
{
    PGconn *pg = PQconnectdb(house.database);
    struct hook hook = waiting_hook(pg);

    PQfinish(pg);
    change(&hook, "{\"enabled\":true}");
    receiver_await(&receiver, 3);
    cr_assert_eq(receiver_most_at_once(&receiver), 1);
}

Test(webhooks, a_receiver_that_has_failed_is_told_of_one_game_at_a_time_though_it_was_quick)
{
    PGconn *pg = PQconnectdb(house.database);

    waiting_hook(pg);
    await_query_by(pg, "select at > now() + interval '1000 years' and leased_until = at from due"
                       " where kind = 6");
    PQfinish(pg);
    house_sql(&house, "update webhooks set disabled = 0, took_ms = 0, failures = 1;"
                      "update due set at = now(), leased_until = now() where kind = 6");
    receiver_await(&receiver, 3);
    cr_assert_eq(receiver_most_at_once(&receiver), 1);
}

Test(webhooks, one_that_was_stopped_while_it_failed_is_not_looked_at_again_and_again)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    PGconn *pg = PQconnectdb(house.database);

    answers("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", false);
    new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    assert_failure(&hook, 1, "status", 500);
    change(&hook, "{\"enabled\":false}");
    await_query_by(pg, "select at > now() + interval '1000 years' from due where kind = 6");
    PQfinish(pg);
}

Test(webhooks, of_a_player_who_has_none_any_more_nothing_is_due)
{
    struct hook hook = new_hook(&ada, &receiver, "");
    PGconn *pg = PQconnectdb(house.database);
    struct answer answer;

    send_test(&hook);
    receiver_await(&receiver, 1);
    answer = ask_hook(&hook, "DELETE", "", NULL);
    assert_status(&answer, 204);
    await_query_by(pg, "select count(*) = 0 from due where kind = 6");
    PQfinish(pg);
}

/* What waits for the one that may be tried in an hour is younger. */
Test(webhooks, of_two_that_fail_the_one_that_may_be_tried_first_is)
{
    struct hook one = new_hook(&ada, &receiver, ""), other = new_hook(&ada, &receiver, "");
    PGconn *pg = PQconnectdb(house.database);

    answers("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", false);
    new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    assert_failure(&one, 1, "status", 500);
    assert_failure(&other, 1, "status", 500);
    house_sql(&house, "update webhooks set retry_at = now() + interval '1 minute';"
                      "update webhooks set retry_at = now() + interval '1 hour' where id ="
                      " (select id from webhooks order by created_at desc, id desc limit 1);"
                      "update webhook_games set since = since + interval '1 second' where webhook ="
                      " (select id from webhooks order by created_at desc, id desc limit 1);"
                      "update due set at = now(), leased_until = now() where kind = 6");
    await_query_by(pg, "select at = (select min(retry_at) from webhooks) from due where kind = 6");
    PQfinish(pg);
}

/* Whether an event is shown to have waited for some time. */
static bool is_shown_to_wait(void)
{
    struct answer answer = ask(&house, "GET", "/metrics", NULL, NULL);
    const char *at = strstr(answer.reply.body, "\nplyd_webhooks_oldest_seconds ");

    return at != NULL && strtod(strchr(at, ' '), NULL) > 0;
}

/* It is looked at once a second. On a machine where that takes too long there is another event. */
Test(webhooks, how_long_the_oldest_event_waits_is_shown_while_it_does)
{
    new_hook(&ada, &receiver, "");
    answers("HTTP/1.1 200 OK\r\nReason: this answer takes so long that whoever looks how long an "
            "event has waited while it is under way sees some of the time, for it comes by the "
            "byte, and each of them comes after a while\r\nContent-Length: 0\r\n\r\n",
            true);
    for (int looks = 0; !is_shown_to_wait(); looks++) {
        if (receiver_under_way(&receiver) == 0)
            new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
        back_off(looks);
    }
    answers(RECEIVER_OK, false);
    for (int looks = 0; is_shown_to_wait(); looks++)
        back_off(looks);
}

/* ---- addresses ---- */

static void close_private(void)
{
    house_close(&house);
    receiver_stop(&receiver);
}

static void open_public(void)
{
    house_open(&house);
    receiver_start(&receiver);
    ada = new_player(&house, "Ada");
}

TestSuite(webhook_addresses, .init = open_public, .fini = close_private,
          .timeout = HOUSE_PATIENCE_S);

Test(webhook_addresses, one_that_is_not_public_is_refused)
{
    struct answer answer =
        ask_as(&house, ada.token, "POST", "/v1/webhooks", "{\"url\":\"http://127.0.0.1/\"}");

    assert_problem(&answer, 400, "bad-parameter");
}

Test(webhook_addresses, a_name_that_leads_to_one_is_refused_where_the_connection_is_made)
{
    char sql[128];
    struct answer answer =
        ask_as(&house, ada.token, "POST", "/v1/webhooks", "{\"url\":\"http://name.example/\"}");
    struct hook hook = hook_of(&answer, ada.token);

    assert_status(&answer, 201);
    snprintf(sql, sizeof(sql), "update webhooks set url = 'http://localhost:%d/'", receiver.port);
    house_sql(&house, sql); /* as if name.example led there by now */
    send_test(&hook);
    assert_failure(&hook, 1, "address", 0);
    cr_assert_eq(receiver_count(&receiver), 0);
}

Test(webhook_addresses, a_name_without_an_address_is_a_failure)
{
    struct answer answer =
        ask_as(&house, ada.token, "POST", "/v1/webhooks", "{\"url\":\"http://name.invalid/\"}");
    struct hook hook = hook_of(&answer, ada.token);

    assert_status(&answer, 201);
    send_test(&hook);
    answer = attempts(&hook, 1);
    cr_assert(strcmp(text_of(&answer, "items.0.failure"), "name") == 0 ||
                  strcmp(text_of(&answer, "items.0.failure"), "timeout") == 0,
              "%s", answer.reply.body);
}
