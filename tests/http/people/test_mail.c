/* test_mail.c - mails to players: who has confirmed an address, what is sent there and when, what
 * ends it, and what a mail server says. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/http/house.h"
#include "tests/support/awaited.h"
#include "tests/support/hours.h"
#include "tests/support/postbox.h"
#include "tests/support/stream.h"

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

enum { CODE_TEXT = 100 };

static struct house house;
static struct postbox postbox;
static struct player ada, bo;
static struct game clocked; /* of nobody: it tells the time */

static void open_with(const char *host)
{
    char url[64];

    snprintf(url, sizeof(url), "smtp://%s:%d", host, postbox.port);
    setenv("PLYD_SMTP", url, 1);
    setenv("PLYD_MAIL_FROM", "games@plyd.example", 1);
    setenv("PLYD_PUBLIC_URL", "https://play.example", 1);
    setenv("PLYD_LOG_LEVEL", "debug", 1);
    house_open_on(&house, hours_borrow_running());
    ada = new_player(&house, "Ada");
    bo = new_player(&house, "Bo");
    clocked =
        new_game(&house, "{\"variant\":\"tictactoe\",\"clock\":{\"kind\":\"days\",\"days\":365}}");
}

static void open_house(void)
{
    postbox_start(&postbox);
    open_with("127.0.0.1");
}

static void close_house(void)
{
    house_close(&house);
    postbox_stop(&postbox);
}

TestSuite(mail, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* ---- addresses ---- */

/* `more` are further members: ",\"lang\":\"ja\"". */
static struct answer put_mail(const struct player *player, const char *address, const char *more)
{
    char body[256];

    snprintf(body, sizeof(body), "{\"address\":\"%s\"%s}", address, more);
    return ask_as(&house, player->token, "PUT", "/v1/me/mail", body);
}

static void put_ok(const struct player *player, const char *address, const char *more)
{
    struct answer answer = put_mail(player, address, more);

    assert_status(&answer, 200);
}

static struct answer mail_of(const struct player *player)
{
    return ask_as(&house, player->token, "GET", "/v1/me/mail", NULL);
}

static bool is_confirmed(const struct player *player)
{
    struct answer answer = mail_of(player);

    assert_status(&answer, 200);
    return cJSON_IsTrue(member(&answer, "confirmed"));
}

/* The code of a link in a mail: "confirm" or "end". */
static void code_in(const struct postbox_mail *mail, const char *what, char code[CODE_TEXT])
{
    char begins[64];
    const char *at;

    snprintf(begins, sizeof(begins), "https://play.example/mail#%s=", what);
    at = strstr(mail->text, begins);
    cr_assert_not_null(at, "%s", mail->text);
    at += strlen(begins);
    snprintf(code, CODE_TEXT, "%.*s", (int)strcspn(at, "\n"), at);
}

static struct answer use_code(const char *what, const char *code)
{
    char body[160], path[64];

    snprintf(body, sizeof(body), "{\"code\":\"%s\"}", code);
    snprintf(path, sizeof(path), "/v1/mail/%s", what);
    return ask(&house, "POST", path, "Content-Type: application/json\r\n", body);
}

static void use_ok(const struct postbox_mail *mail, const char *what)
{
    char code[CODE_TEXT];
    struct answer answer;

    code_in(mail, what, code);
    answer = use_code(what, code);
    assert_status(&answer, 204);
}

static void assert_no_such_code(const char *what, const char *code)
{
    struct answer answer = use_code(what, code);

    assert_problem(&answer, 404, "no-such-code");
}

/* Ada's address is confirmed from now on, by mail `count`. */
static void confirm_ada_by(size_t count, const char *more)
{
    put_ok(&ada, "ada@example.org", more);
    use_ok(postbox_await(&postbox, count), "confirm");
}

static void confirm_ada(const char *more)
{
    confirm_ada_by(1, more);
}

/* ---- games ---- */

static struct game pair_game(const char *more)
{
    char body[256];
    struct game game;
    struct answer answer;

    snprintf(body, sizeof(body),
             "{\"variant\":\"tictactoe\",\"seats\":[{\"open\":true},{\"me\":true}]%s}", more);
    game = new_game_of(&house, ada.token, body);
    answer = ask_at(&house, bo.token, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    return game;
}

static void does(const struct player *player, const struct game *game, const char *what,
                 const char *body)
{
    struct answer answer =
        ask_at(&house, player->token, "POST", body, "/v1/games/%s/%s", game->id, what);

    cr_assert_eq(answer.status / 100, 2, "%s", answer.reply.body);
}

/* ---- waiting ---- */

static void pass(int64_t us)
{
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s", clocked.id);
    hours_pass(house.database, us, false);
    hours_seen(house.database, house.plyd.port, path);
}

/* A game in which it is Ada's turn, which nothing has told her yet. */
static struct game waiting_game(void)
{
    struct game game = pair_game("");

    does(&bo, &game, "moves", "a1");
    await_put_off(house.database);
    return game;
}

/* ---- what is asked ---- */

Test(mail, an_address_is_asked_whether_it_is_theirs_who_named_it)
{
    const struct postbox_mail *mail;
    struct answer answer;

    put_ok(&ada, "ada@example.org", "");
    mail = postbox_await(&postbox, 1);
    cr_assert_str_eq(mail->greeting, "EHLO plyd.example");
    cr_assert_str_eq(mail->login, "");
    cr_assert_eq(strncmp(mail->from, "MAIL FROM:<games@plyd.example>", 30), 0, "%s", mail->from);
    cr_assert_eq(strncmp(mail->to, "RCPT TO:<ada@example.org>", 25), 0, "%s", mail->to);
    cr_assert(postbox_has_header(mail, "From: plyd <games@plyd.example>"));
    cr_assert(postbox_has_header(mail, "To: <ada@example.org>"));
    cr_assert(postbox_has_header(mail, "Auto-Submitted: auto-generated"));
    cr_assert_str_eq(mail->subject, "Is this your address?");
    cr_assert_null(strstr(mail->bytes, "Ada "), "a stranger writes to them: %s", mail->bytes);
    cr_assert_not(is_confirmed(&ada));
    use_ok(mail, "confirm");
    cr_assert(is_confirmed(&ada));
    use_ok(mail, "confirm"); /* the answer may have been lost */
    answer = mail_of(&ada);
    cr_assert_str_eq(text_of(&answer, "address"), "ada@example.org");
    cr_assert_str_eq(text_of(&answer, "lang"), "en");
}

Test(mail, nothing_else_is_sent_before_it_is_confirmed)
{
    struct game game;

    put_ok(&ada, "ada@example.org", "");
    postbox_await(&postbox, 1);
    game = pair_game("");
    does(&bo, &game, "moves", "a1");
    await_put_off(house.database);
    pass(10 * MINUTE);
    await_put_off(house.database);
    cr_assert_eq(postbox_count(&postbox), 1);
    use_ok(postbox_await(&postbox, 1), "confirm");
    postbox_await(&postbox, 2);
}

Test(mail, it_is_asked_in_the_language_of_the_player)
{
    const struct postbox_mail *mail;

    put_ok(&ada, "ada@example.org", ",\"lang\":\"ja\"");
    mail = postbox_await(&postbox, 1);
    cr_assert_str_eq(mail->subject, "このメールアドレスの確認");
    cr_assert_not_null(strstr(mail->text, "24時間以内に確認してください"), "%s", mail->text);
}

Test(mail, an_address_that_nobody_confirms_is_forgotten_after_a_day)
{
    const struct postbox_mail *mail;
    struct answer answer;
    char code[CODE_TEXT];

    put_ok(&ada, "ada@example.org", "");
    mail = postbox_await(&postbox, 1);
    code_in(mail, "confirm", code);
    pass(DAY + MINUTE);
    await_query(house.database, "select not exists (select from webhooks)");
    assert_no_such_code("confirm", code);
    answer = mail_of(&ada);
    assert_problem(&answer, 404, "no-such-mail");
    await_query(house.database, "select count(*) = 1 from due where kind = 14"); /* the code's */
}

Test(mail, no_other_code_is_good)
{
    char code[CODE_TEXT], changed[CODE_TEXT];

    put_ok(&ada, "ada@example.org", "");
    code_in(postbox_await(&postbox, 1), "end", code);
    assert_no_such_code("confirm", code);
    assert_no_such_code("confirm", "");
    assert_no_such_code("confirm", "0123456789");
    code_in(postbox_await(&postbox, 1), "confirm", code);
    assert_no_such_code("end", code);
    for (size_t i = 0; i < strlen(code); i++) {
        strcpy(changed, code);
        changed[i] = code[i] == '0' ? '1' : '0';
        assert_no_such_code("confirm", changed);
    }
    cr_assert_not(is_confirmed(&ada));
}

Test(mail, another_address_is_asked_anew_and_older_codes_end)
{
    char code[CODE_TEXT];

    confirm_ada("");
    code_in(postbox_await(&postbox, 1), "confirm", code);
    put_ok(&ada, "countess@example.org", "");
    cr_assert_not(is_confirmed(&ada));
    cr_assert_eq(strncmp(postbox_await(&postbox, 2)->to, "RCPT TO:<countess@example.org>", 30), 0);
    assert_no_such_code("confirm", code);
    use_ok(postbox_await(&postbox, 2), "confirm");
    cr_assert(is_confirmed(&ada));
}

Test(mail, the_same_address_with_other_wishes_stays_confirmed)
{
    struct answer answer;

    confirm_ada("");
    put_ok(
        &ada, "ada@example.org",
        ",\"events\":[\"move\"],\"lang\":\"tr\",\"quiet\":{\"from\":\"22:00\",\"to\":\"07:00\"}");
    answer = mail_of(&ada);
    cr_assert(cJSON_IsTrue(member(&answer, "confirmed")));
    cr_assert_str_eq(text_of(&answer, "lang"), "tr");
    cr_assert_str_eq(text_of(&answer, "events.0"), "move");
    cr_assert_str_eq(text_of(&answer, "quiet.from"), "22:00");
    cr_assert_eq(postbox_count(&postbox), 1);
}

/* ---- what is told ---- */

Test(mail, a_move_is_told_when_it_is_five_minutes_old)
{
    const struct postbox_mail *mail;
    struct game game;
    char url[128];

    confirm_ada("");
    game = waiting_game();
    pass(4 * MINUTE);
    await_put_off(house.database);
    cr_assert_eq(postbox_count(&postbox), 1);
    pass(2 * MINUTE);
    mail = postbox_await(&postbox, 2);
    snprintf(url, sizeof(url), "\n\nhttps://play.example/play/%s\n", game.id);
    cr_assert_str_eq(mail->subject, "Tic-tac-toe against Bo");
    cr_assert_eq(strncmp(mail->text, "Bo has joined the game.\nIt is your move.", 40), 0, "%s",
                 mail->text);
    cr_assert_not_null(strstr(mail->text, url), "%s", mail->text);
    await_told(house.database);
    cr_assert_eq(postbox_count(&postbox), 2);
}

Test(mail, a_mail_leads_to_the_application_that_has_pages_of_its_own)
{
    const struct postbox_mail *mail;
    struct game game;
    char url[128];

    house_close(&house);
    setenv("PLYD_LINKS", "https://app.example/g/{game}", 1);
    open_with("127.0.0.1");
    confirm_ada("");
    game = waiting_game();
    pass(6 * MINUTE);
    mail = postbox_await(&postbox, 2);
    snprintf(url, sizeof(url), "\n\nhttps://app.example/g/%s\n", game.id);
    cr_assert_not_null(strstr(mail->text, url), "%s", mail->text);
    cr_assert_not_null(strstr(mail->text, "https://play.example/mail#end="), "%s", mail->text);
}

Test(mail, who_has_answered_by_then_is_told_nothing)
{
    struct game game;

    confirm_ada(",\"events\":[\"move\"]");
    game = waiting_game();
    does(&ada, &game, "moves", "b2");
    pass(2 * HOUR);
    await_told(house.database);
    cr_assert_eq(postbox_count(&postbox), 1);
}

Test(mail, in_a_quick_game_only_the_last_move_is_told)
{
    struct game game;

    confirm_ada(",\"events\":[\"move\"]");
    game = waiting_game();
    pass(3 * MINUTE);
    does(&ada, &game, "moves", "b2");
    does(&bo, &game, "moves", "a2");
    pass(3 * MINUTE);
    await_put_off(house.database);
    cr_assert_eq(postbox_count(&postbox), 1);
    pass(3 * MINUTE);
    postbox_await(&postbox, 2);
}

/* An opponent who writes on and on does not hold it up for ever. */
Test(mail, nothing_is_held_up_for_more_than_an_hour)
{
    struct game game;

    confirm_ada("");
    game = waiting_game();
    for (int i = 0; i < 16; i++) {
        does(&bo, &game, "messages", "{\"text\":\"Well?\"}");
        pass(4 * MINUTE);
    }
    postbox_await(&postbox, 2);
}

Test(mail, talk_alone_is_a_mail_an_hour)
{
    struct game game = pair_game("");

    confirm_ada(",\"events\":[\"message\"]");
    does(&bo, &game, "messages", "{\"text\":\"Well?\"}");
    await_put_off(house.database);
    pass(50 * MINUTE);
    await_put_off(house.database);
    cr_assert_eq(postbox_count(&postbox), 1);
    does(&bo, &game, "messages", "{\"text\":\"Really?\"}");
    pass(11 * MINUTE);
    cr_assert_not_null(strstr(postbox_await(&postbox, 2)->text, "Bo: Really?"));
}

Test(mail, a_move_is_told_however_much_its_player_says_after_it)
{
    struct game game;

    confirm_ada(",\"events\":[\"move\"]");
    game = waiting_game();
    for (int i = 0; i < 20; i++)
        does(&bo, &game, "messages", "{\"text\":\"Well?\"}");
    pass(6 * MINUTE);
    cr_assert_not_null(strstr(postbox_await(&postbox, 2)->text, "It is your move."));
}

Test(mail, who_has_the_game_open_is_told_once_it_is_closed_or_half_an_hour_later)
{
    struct game game;
    struct stream stream;
    struct http_reply head;
    char path[64], headers[256];

    confirm_ada("");
    game = waiting_game();
    snprintf(path, sizeof(path), "/v1/games/%s/events", game.id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nAccept: text/event-stream\r\n",
             ada.token);
    stream_open(&stream, house.plyd.port, path, headers, &head);
    cr_assert_eq(head.status, 200);
    http_free(&head);
    pass(10 * MINUTE);
    await_put_off(house.database);
    cr_assert_eq(postbox_count(&postbox), 1);
    pass(21 * MINUTE);
    postbox_await(&postbox, 2);
    stream_close(&stream);
}

Test(mail, quiet_hours_hold_it_back)
{
    PGconn *pg = PQconnectdb(house.database);
    PGresult *hours = PQexec(pg, "select to_char(clock_timestamp() at time zone 'utc', 'HH24:MI'),"
                                 " to_char((clock_timestamp() + interval '3 hours')"
                                 " at time zone 'utc', 'HH24:MI')");
    char more[128];

    snprintf(more, sizeof(more), ",\"quiet\":{\"from\":\"%s\",\"to\":\"%s\"}",
             PQgetvalue(hours, 0, 0), PQgetvalue(hours, 0, 1));
    PQclear(hours);
    PQfinish(pg);
    confirm_ada(more);
    waiting_game();
    pass(2 * HOUR);
    await_put_off(house.database);
    cr_assert_eq(postbox_count(&postbox), 1);
    pass(HOUR + MINUTE);
    postbox_await(&postbox, 2);
}

Test(mail, a_digest_is_one_mail_a_day_that_says_how_many_games_wait)
{
    const struct postbox_mail *mail;
    char more[64];
    int minute = (int)((hours_database_now(house.database) + 2 * HOUR) / MINUTE % (24 * 60));
    struct game game, other;

    snprintf(more, sizeof(more), ",\"digest\":{\"at\":\"%02d:%02d\"}", minute / 60, minute % 60);
    confirm_ada(more);
    game = pair_game("");
    other = pair_game("");
    does(&bo, &game, "moves", "a1");
    does(&bo, &other, "moves", "a1");
    await_told(house.database);
    pass(HOUR);
    await_told(house.database);
    cr_assert_eq(postbox_count(&postbox), 1);
    pass(HOUR);
    mail = postbox_await(&postbox, 2);
    cr_assert_str_eq(mail->subject, "Your games");
    cr_assert_not_null(strstr(mail->text, "2 games wait for you.\n\nhttps://play.example/\n"), "%s",
                       mail->text);
    cr_assert_not_null(strstr(mail->text, "mail#end="), "%s", mail->text);
}

Test(mail, a_name_writes_no_header)
{
    struct player eve = new_player(&house, "Bcc: eve@example.org, \\\"=?UTF-8?B?Qg==?=\\\"");
    const struct postbox_mail *mail;
    struct game game;
    struct answer answer;

    confirm_ada(",\"lang\":\"ja\"");
    game = new_game_of(&house, ada.token,
                       "{\"variant\":\"shogi\",\"seats\":[{\"open\":true},{\"me\":true}]}");
    answer = ask_at(&house, eve.token, "POST", "{}", "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    await_put_off(house.database);
    pass(6 * MINUTE);
    mail = postbox_await(&postbox, 2);
    cr_assert_not_null(strstr(mail->subject, "Bcc: eve@example.org, \"=?UTF-8?B?Qg==?=\""), "%s",
                       mail->subject);
    cr_assert_not_null(strstr(mail->subject, "将棋"), "%s", mail->subject);
    cr_assert_gt(strstr(mail->bytes, "\nBcc"), strstr(mail->bytes, "\r\n\r\n"), "%s", mail->bytes);
}

Test(mail, what_is_due_survives_a_crash)
{
    confirm_ada("");
    waiting_game();
    plyd_kill9(&house.plyd);
    plyd_start(&house.plyd, house.database, NULL);
    pass(6 * MINUTE);
    postbox_await(&postbox, 2);
}

/* ---- what ends it ---- */

static void assert_ended(const struct player *player)
{
    struct answer answer = mail_of(player);

    assert_problem(&answer, 404, "no-such-mail");
}

/* The path of the header that mail programs know. */
static void one_click_path(const struct postbox_mail *mail, char path[256])
{
    static const char begins[] = "\r\nList-Unsubscribe: <https://play.example";
    const char *at = strstr(mail->bytes, begins);

    cr_assert_not_null(at, "%s", mail->bytes);
    at += strlen(begins);
    snprintf(path, 256, "%.*s", (int)strcspn(at, ">"), at);
}

Test(mail, one_click_in_a_mail_program_ends_it)
{
    struct answer answer;
    char path[256];

    confirm_ada("");
    waiting_game();
    one_click_path(postbox_await(&postbox, 1), path);
    cr_assert(postbox_has_header(postbox_await(&postbox, 1),
                                 "List-Unsubscribe-Post: List-Unsubscribe=One-Click"));
    for (int i = 0; i < 2; i++) { /* the answer may have been lost */
        answer = ask(&house, "POST", path, "Content-Type: application/x-www-form-urlencoded\r\n",
                     "List-Unsubscribe=One-Click");
        assert_status(&answer, 204);
    }
    assert_ended(&ada);
    pass(HOUR);
    await_told(house.database);
    cr_assert_eq(postbox_count(&postbox), 1);
}

static void put_refused(const struct player *player, const char *address)
{
    struct answer answer = put_mail(player, address, "");

    assert_problem(&answer, 409, "too-many-mails");
}

/* Who asks, and names another address before the mail is read, could ask again and again. */
Test(mail, the_code_of_an_address_that_was_named_before_ends_that_one)
{
    const struct postbox_mail *mail;

    put_ok(&ada, "eve@example.org", "");
    mail = postbox_await(&postbox, 1);
    confirm_ada_by(2, "");
    use_ok(mail, "end");
    put_refused(&bo, "eve@example.org");
    put_refused(&ada, "eve@example.org");
    cr_assert(is_confirmed(&ada));
    use_ok(mail, "end"); /* the answer may have been lost */
}

Test(mail, so_does_that_of_one_that_its_player_has_deleted)
{
    struct answer answer;

    put_ok(&ada, "eve@example.org", "");
    postbox_await(&postbox, 1);
    answer = ask_as(&house, ada.token, "DELETE", "/v1/me/mail", NULL);
    assert_status(&answer, 204);
    use_ok(postbox_await(&postbox, 1), "end");
    put_refused(&ada, "eve@example.org");
}

/* Whoever reads a mail has a code, and may know which part of it is an address. */
Test(mail, a_code_that_was_changed_ends_nothing_also_when_its_address_is_gone)
{
    char code[CODE_TEXT], changed[CODE_TEXT];
    struct answer answer;

    put_ok(&ada, "eve@example.org", "");
    code_in(postbox_await(&postbox, 1), "end", code);
    answer = ask_as(&house, ada.token, "DELETE", "/v1/me/mail", NULL);
    assert_status(&answer, 204);
    for (size_t i = 0; i < strlen(code); i++) {
        strcpy(changed, code);
        changed[i] = code[i] == '0' ? '1' : '0';
        assert_no_such_code("end", changed);
    }
    put_ok(&bo, "eve@example.org", "");
}

Test(mail, a_code_is_good_for_30_days_where_the_address_is_gone)
{
    char code[CODE_TEXT];

    put_ok(&ada, "eve@example.org", "");
    code_in(postbox_await(&postbox, 1), "end", code);
    pass(31 * DAY);
    await_query(house.database, "select not exists (select from webhooks)");
    await_query(house.database, "select not exists (select from due where kind = 14)");
    assert_no_such_code("end", code);
}

Test(mail, whoever_opens_its_link_has_ended_nothing)
{
    struct answer answer;
    char path[256];

    confirm_ada("");
    one_click_path(postbox_await(&postbox, 1), path);
    answer = ask(&house, "GET", path, NULL, NULL);
    assert_problem(&answer, 405, "method-not-allowed");
    cr_assert(is_confirmed(&ada));
}

Test(mail, once_ended_by_its_owner_nobody_asks_for_30_days)
{
    struct answer answer;

    confirm_ada("");
    use_ok(postbox_await(&postbox, 1), "end");
    answer = put_mail(&bo, "A.da+games@Example.org", "");
    assert_problem(&answer, 409, "too-many-mails");
    pass(29 * DAY);
    await_query(house.database, "select count(*) = 2 from due where kind = 14");
    answer = put_mail(&ada, "ada@example.org", "");
    assert_problem(&answer, 409, "too-many-mails");
    pass(2 * DAY);
    await_query(house.database, "select not exists (select from due where kind = 14)");
    put_ok(&ada, "ada@example.org", "");
}

Test(mail, of_two_players_with_one_address_each_ends_their_own)
{
    put_ok(&ada, "ada@example.org", "");
    use_ok(postbox_await(&postbox, 1), "confirm");
    put_ok(&bo, "ada@example.org", "");
    use_ok(postbox_await(&postbox, 2), "confirm");
    use_ok(postbox_await(&postbox, 2), "end");
    assert_ended(&bo);
    cr_assert(is_confirmed(&ada));
}

Test(mail, a_player_ends_it_without_a_rest)
{
    struct answer answer;

    confirm_ada("");
    for (int i = 0; i < 2; i++) {
        answer = ask_as(&house, ada.token, "DELETE", "/v1/me/mail", NULL);
        assert_status(&answer, 204);
    }
    assert_ended(&ada);
    put_ok(&ada, "ada@example.org", "");
    postbox_await(&postbox, 2);
}

/* Else a thief's would stay with whoever chooses quiet hours, and an owner's end with the thief's
 * token. */
Test(mail, an_address_ends_with_the_token_that_has_named_it_whoever_sets_its_wishes)
{
    struct answer made = ask_as(&house, ada.token, "POST", "/v1/me/tokens", "{\"name\":\"phone\"}");
    struct player phone = {.token = ""};
    char path[96];

    assert_status(&made, 201);
    snprintf(phone.token, sizeof(phone.token), "%s", text_of(&made, "token"));
    snprintf(path, sizeof(path), "/v1/me/tokens/%s", text_of(&made, "id"));
    put_ok(&phone, "ada@example.org", "");
    use_ok(postbox_await(&postbox, 1), "confirm");
    put_ok(&ada, "ada@example.org", ",\"lang\":\"tr\"");
    made = ask_as(&house, ada.token, "DELETE", path, NULL);
    assert_status(&made, 204);
    assert_ended(&ada);
}

Test(mail, who_leaves_takes_their_address_along)
{
    struct answer answer;

    confirm_ada("");
    answer = ask_as(&house, ada.token, "DELETE", "/v1/me", NULL);
    assert_status(&answer, 204);
    await_query(house.database, "select not exists (select from webhooks)");
    plyd_await_log(&house.plyd);
    cr_assert_not(plyd_logged(&house.plyd, "example.org"));
}

/* ---- nobody floods a stranger ---- */

Test(mail, an_address_is_asked_three_times_a_day_whoever_wants_it)
{
    static const char *const same[] = {"eve@example.org", "Eve@Example.org", "eve+x@example.org",
                                       "e.v.e@example.org", "e.ve+x.y+z@EXAMPLE.org"};
    struct answer answer;

    for (int i = 0; i < 3; i++) {
        struct player player = new_player(&house, "Bo");

        put_ok(&player, same[i], "");
    }
    for (int i = 0; i < 5; i++) {
        struct player player = new_player(&house, "Bo");

        answer = put_mail(&player, same[i], "");
        assert_problem(&answer, 409, "too-many-mails");
    }
    put_ok(&bo, "eve@examp.le.org", "");
    answer = put_mail(&ada, "eve@example.org", "");
    assert_problem(&answer, 409, "too-many-mails");
    assert_ended(&ada);
    postbox_await(&postbox, 4);
    pass(DAY + MINUTE);
    await_query(house.database, "select count(*) = 4 from due where kind = 14"); /* of the codes */
    put_ok(&ada, "eve@example.org", "");
    postbox_await(&postbox, 5);
}

Test(mail, a_player_asks_five_times_a_day)
{
    struct answer answer;
    char address[32];

    for (int i = 0; i < 5; i++) {
        snprintf(address, sizeof(address), "ada%d@example.org", i);
        put_ok(&ada, address, "");
    }
    answer = put_mail(&ada, "ada5@example.org", "");
    assert_problem(&answer, 409, "too-many-mails");
}

Test(mail, what_was_not_sent_yet_is_not_asked_for_twice)
{
    postbox_says(&postbox, "MAIL", "451 later");
    for (int i = 0; i < 7; i++)
        put_ok(&ada, "ada@example.org", "");
    await_query(house.database, "select count(*) = 3 from due where kind = 14");
    postbox_says(&postbox, "", NULL);
    pass(DAY / 2);
    postbox_await(&postbox, 1);
}

/* ---- what the server says ---- */

/* Has what waits for Ada sent to a server that says so, and waits until she is put back for it. */
static void send_in_vain(const char *command, const char *reply)
{
    confirm_ada("");
    waiting_game();
    postbox_says(&postbox, command, reply);
    pass(6 * MINUTE);
    await_query(house.database,
                "select count(*) = 1 from webhooks where failures = 1 and retry_at is not null");
}

static void assert_sent_later(void)
{
    size_t before = postbox_count(&postbox);

    postbox_says(&postbox, "", NULL);
    pass(MINUTE);
    postbox_await(&postbox, before + 1);
    await_query(house.database, "select failures = 0 from webhooks");
}

Test(mail, an_address_that_the_server_does_not_know_is_forgotten)
{
    confirm_ada("");
    waiting_game();
    postbox_says(&postbox, "RCPT", "550 5.1.1 no such mailbox");
    pass(6 * MINUTE);
    await_query(house.database, "select not exists (select from webhooks)");
    assert_ended(&ada);
}

Test(mail, so_is_one_that_was_never_confirmed)
{
    postbox_says(&postbox, "RCPT", "550-5.1.10 nobody\r\n550 is there");
    put_ok(&ada, "ada@example.org", "");
    await_query(house.database, "select not exists (select from webhooks)");
}

/* The player has changed their mind while the server was thinking. */
Test(mail, what_is_said_late_of_one_address_ends_not_the_next)
{
    static const char to_ada[] = "RCPT TO:<ada@example.org>";

    postbox_says(&postbox, to_ada, "");
    put_ok(&ada, "ada@example.org", "");
    postbox_await_silence(&postbox);
    put_ok(&ada, "countess@example.org", "");
    postbox_says(&postbox, to_ada, "550 5.1.1 no such mailbox");
    use_ok(postbox_await(&postbox, 1), "confirm");
    cr_assert(is_confirmed(&ada));
}

Test(mail, what_is_said_late_of_one_address_puts_off_not_the_next)
{
    static const char to_ada[] = "RCPT TO:<ada@example.org>";

    confirm_ada("");
    waiting_game();
    postbox_says(&postbox, to_ada, "");
    house_sql(&house,
              "update webhooks set failures = 7"); /* with one more it is put off by hours */
    pass(6 * MINUTE);
    postbox_await_silence(&postbox);
    put_ok(&ada, "countess@example.org", "");
    postbox_says(&postbox, to_ada, "450 4.2.1 later");
    use_ok(postbox_await(&postbox, 2), "confirm");
}

Test(mail, a_recipient_that_is_busy_is_tried_again)
{
    send_in_vain("RCPT", "452 4.2.2 the mailbox is full");
    assert_sent_later();
}

Test(mail, a_server_that_lets_plyd_send_to_nobody_ends_no_address)
{
    send_in_vain("RCPT", "554 5.7.1 relay access denied");
    assert_sent_later();
}

Test(mail, a_server_that_does_not_say_whom_it_refuses_ends_no_address)
{
    send_in_vain("RCPT", "550 relay not permitted");
    assert_sent_later();
}

/* As Postfix says it unless it is told otherwise. */
Test(mail, a_server_that_takes_no_sender_when_it_hears_of_the_recipient_ends_no_address)
{
    send_in_vain("RCPT", "550 5.1.8 sender address rejected: domain not found");
    assert_sent_later();
}

Test(mail, a_server_that_takes_no_sender_ends_no_address)
{
    send_in_vain("MAIL", "550 5.1.0 sender rejected");
    assert_sent_later();
}

Test(mail, a_mail_that_is_refused_at_its_end_is_tried_again)
{
    send_in_vain(".", "554 5.6.0 that looks like spam");
    assert_sent_later();
}

Test(mail, a_server_that_is_not_there_is_asked_again_for_a_confirmation)
{
    struct answer answer;

    postbox_says(&postbox, "", "421 closed");
    put_ok(&ada, "ada@example.org", "");
    await_query(house.database,
                "select count(*) = 1 from webhooks where failures > 0 and test_at is not null");
    answer = mail_of(&ada);
    cr_assert_geq(number_of(&answer, "failures"), 1);
    postbox_says(&postbox, "", NULL);
    pass(DAY / 2);
    use_ok(postbox_await(&postbox, 1), "confirm");
}

/* ---- a server that is down ---- */

enum { MANY = 8 };

/* Players whose addresses wait to be asked: nobody could tell them. */
static void ask_many(void)
{
    char address[32];

    for (int i = 0; i < MANY; i++) {
        struct player player = new_player(&house, "Bo");

        snprintf(address, sizeof(address), "bo%d@example.org", i);
        put_ok(&player, address, "");
    }
}

Test(mail, a_server_that_is_down_is_tried_by_one_mail_and_gets_all_of_them_once_it_is_back)
{
    postbox_says(&postbox, "", "421 closed");
    put_ok(&ada, "ada@example.org", "");
    plyd_await(&house.plyd, "mail-server-fails");
    ask_many();
    await_query(house.database, "select not exists (select from due where kind = 6"
                                " and at <= clock_timestamp())");
    cr_assert_lt(postbox_sessions(&postbox), MANY);
    postbox_says(&postbox, "", NULL);
    postbox_await(&postbox, MANY + 1);
    plyd_await(&house.plyd, "mail-server-works");
    await_query(house.database, "select bool_and(test_at is null and failures = 0) from webhooks");
    cr_assert_eq(postbox_count(&postbox), MANY + 1);
    cr_assert_not(plyd_logged(&house.plyd, "example.org"));
}

/* libcurl keeps connections: so the first thing that it says on one may be who sends. */
Test(mail, a_server_that_goes_away_between_two_mails_puts_off_no_address_by_hours)
{
    confirm_ada("");
    waiting_game();
    house_sql(&house, "update webhooks set failures = 7");
    postbox_says(&postbox, "MAIL", POSTBOX_HANGS_UP);
    pass(6 * MINUTE);
    plyd_await(&house.plyd, "mail-server-fails");
    postbox_says(&postbox, "", NULL);
    postbox_await(&postbox, 2);
}

Test(mail, a_recipient_that_is_busy_holds_up_no_other_mail)
{
    send_in_vain("RCPT TO:<ada@", "451 4.7.1 later");
    put_ok(&bo, "bo@example.org", "");
    postbox_await(&postbox, 2);
    plyd_await_log(&house.plyd);
    cr_assert_not(plyd_logged(&house.plyd, "mail-server"));
}

Test(mail, the_log_says_why_a_server_fails)
{
    house_close(&house);
    open_with("mail.localhost");
    postbox_says(&postbox, "EHLO", "250-postbox\r\n250 STARTTLS");
    put_ok(&ada, "ada@example.org", "");
    plyd_await(&house.plyd, "\"failure\":\"tls\",\"why\":\"STARTTLS denied, code 221\"");
}

Test(mail, a_server_that_falls_silent_is_given_up)
{
    send_in_vain("DATA", "");
    assert_sent_later();
}

/* Filters take their time, and the mail comes nevertheless. */
Test(mail, a_server_that_has_all_of_a_mail_and_falls_silent_gets_it_once)
{
    postbox_says(&postbox, ".", "");
    put_ok(&ada, "ada@example.org", "");
    await_query(house.database, "select attempts = 1 from webhooks");
    await_query(house.database, "select failures = 0 and test_at is null from webhooks");
    postbox_says(&postbox, "", NULL);
    pass(HOUR);
    await_query(house.database, "select not exists (select from due where kind = 6"
                                " and at <= clock_timestamp())");
    cr_assert_eq(postbox_count(&postbox), 1);
    use_ok(postbox_await(&postbox, 1), "confirm");
}

Test(mail, plyd_logs_in_with_the_password_of_a_file)
{
    char path[] = "/tmp/plyd-password-XXXXXX";
    int fd = mkstemp(path);

    cr_assert_eq(write(fd, "secret\n", 7), 7);
    close(fd);
    house_close(&house);
    setenv("PLYD_SMTP_USER", "plyd", 1);
    setenv("PLYD_SMTP_PASSWORD_FILE", path, 1);
    open_with("127.0.0.1");
    unlink(path);
    put_ok(&ada, "ada@example.org", "");
    /* "\0plyd\0secret" */
    cr_assert_str_eq(postbox_await(&postbox, 1)->login, "AUTH PLAIN AHBseWQAc2VjcmV0");
}

Test(mail, no_mail_goes_over_a_network_without_tls_unless_the_operator_says_so)
{
    house_close(&house);
    open_with("mail.localhost");
    put_ok(&ada, "ada@example.org", "");
    await_query(house.database, "select count(*) = 1 from deliveries where failure = 5");
    cr_assert_eq(postbox_count(&postbox), 0);
    house_close(&house);
    setenv("PLYD_SMTP_PLAIN", "1", 1);
    open_with("mail.localhost");
    put_ok(&ada, "ada@example.org", "");
    postbox_await(&postbox, 1);
}

Test(mail, without_a_server_there_is_none)
{
    struct answer answer;

    house_close(&house);
    unsetenv("PLYD_SMTP");
    house_open_on(&house, hours_borrow_running());
    ada = new_player(&house, "Ada");
    answer = put_mail(&ada, "ada@example.org", "");
    assert_problem(&answer, 501, "no-mail");
    answer = mail_of(&ada);
    assert_problem(&answer, 501, "no-mail");
    answer = ask_as(&house, ada.token, "DELETE", "/v1/me/mail", NULL);
    assert_status(&answer, 204);
}
