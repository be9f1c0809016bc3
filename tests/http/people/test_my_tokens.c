/* test_my_tokens.c - several tokens of a player, and handing a player over to another device. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/provided.h"
#include "tests/http/race.h"
#include "tests/support/backoff.h"
#include "tests/support/stream.h"

PROVIDED_SUITE(my_tokens, house_open, HOUSE_PATIENCE_S);

static const char long_key[] = "0123456789abcdef";

/* ---- asking ---- */

static struct answer send_by(const char *token, const char *key, const char *method,
                             const char *path, const char *body)
{
    char headers[4096] = "";
    size_t len = 0;

    if (token != NULL)
        len += (size_t)snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", token);
    if (key != NULL)
        len +=
            (size_t)snprintf(headers + len, sizeof(headers) - len, "Idempotency-Key: %s\r\n", key);
    if (body != NULL)
        snprintf(headers + len, sizeof(headers) - len, "Content-Type: application/json\r\n");
    return ask(&house, method, path, headers, body);
}

static void assert_code(struct answer answer, int status, const char *code)
{
    if (code == NULL)
        assert_status(&answer, status);
    else
        assert_problem(&answer, status, code);
}

/* A token that was made, as the answer tells it. */
struct made {
    char id[32], token[96];
};

static struct made made_of(struct answer answer)
{
    struct made made;

    assert_status(&answer, 201);
    snprintf(made.id, sizeof(made.id), "%s", text_of(&answer, "id"));
    snprintf(made.token, sizeof(made.token), "%s", text_of(&answer, "token"));
    return made;
}

static struct made make(const char *by, const char *name)
{
    char body[100];

    snprintf(body, sizeof(body), "{\"name\":\"%s\"}", name);
    return made_of(send_by(by, NULL, "POST", "/v1/me/tokens", body));
}

static struct answer end_it(const char *by, const char *id)
{
    char path[64];

    snprintf(path, sizeof(path), "/v1/me/tokens/%s", id);
    return send_by(by, NULL, "DELETE", path, NULL);
}

/* Another loop may honour what has ended for some seconds. */
static void assert_acts(const char *token, bool acts)
{
    struct answer answer = send_by(token, NULL, "GET", "/v1/me", NULL);

    for (int looks = 0; !acts && answer.status == 200; looks++) {
        back_off(looks);
        answer = send_by(token, NULL, "GET", "/v1/me", NULL);
    }
    assert_code(answer, acts ? 200 : 401, acts ? NULL : "token-unknown");
}

/* Ids or names of the list, "!" behind the one that asks. */
static void assert_names(const char *by, const char *expected)
{
    struct answer answer = send_by(by, NULL, "GET", "/v1/me/tokens", NULL);
    char told[400] = "";
    const cJSON *item;

    assert_status(&answer, 200);
    cJSON_ArrayForEach(item, member(&answer, "items"))
    {
        const cJSON *name = cJSON_GetObjectItem(item, "name");

        strcat(told, (name != NULL ? name : cJSON_GetObjectItem(item, "id"))->valuestring);
        strcat(told, cJSON_IsTrue(cJSON_GetObjectItem(item, "yours")) ? "! " : " ");
    }
    cr_assert_str_eq(told, expected);
}

static void replace_keeping(char token[96], const char *key, const char *keep, int status,
                            const char *code)
{
    char body[200];
    struct answer answer;

    snprintf(body, sizeof(body), "{\"keep\":[%s]}", keep);
    answer = send_by(token, key, "POST", "/v1/me/token", body);
    if (status == 200)
        snprintf(token, 96, "%s", text_of(&answer, "token"));
    assert_code(answer, status, code);
}

/* As if all tokens and accounts had been there a week longer. */
static void let_a_week_pass(void)
{
    house_sql(&house,
              "update players set account_at = account_at - interval '169 hours',"
              " tokens_about = regexp_replace(tokens_about, '\"at\":[0-9]+', '\"at\":1', 'g')");
}

/* ---- several tokens ---- */

Test(my_tokens, a_player_has_several_and_each_plays)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    struct made phone = make(ada.token, "this phone"), desk = make(phone.token, "the desk");

    assert_code(ask_at(&house, desk.token, "POST", "a1", "/v1/games/%s/moves", game.id), 201, NULL);
    assert_names(ada.token, "token! this phone the desk ");
    assert_names(phone.token, "token this phone! the desk ");
}

Test(my_tokens, one_that_is_ended_acts_no_more_and_the_others_do)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone"), desk = make(ada.token, "desk");

    assert_acts(phone.token, true);
    assert_code(end_it(ada.token, phone.id), 204, NULL);
    assert_acts(phone.token, false);
    assert_acts(desk.token, true);
    assert_names(ada.token, "token! desk ");
    assert_code(end_it(ada.token, phone.id), 404, "no-such-token");
}

Test(my_tokens, one_may_be_called_something_else)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");
    char path[64];

    snprintf(path, sizeof(path), "/v1/me/tokens/%s", phone.id);
    assert_code(send_by(phone.token, NULL, "PATCH", path, "{\"name\":\"old phone\"}"), 200, NULL);
    assert_names(phone.token, "token old phone! ");
}

Test(my_tokens, seventeen_are_too_many)
{
    struct player ada = new_player(&house, "Ada");
    struct made last;

    for (int i = 0; i < 16; i++)
        last = make(ada.token, "one of many");
    assert_code(send_by(ada.token, NULL, "POST", "/v1/me/tokens", "{\"name\":\"x\"}"), 409,
                "too-many-tokens");
    assert_code(end_it(ada.token, last.id), 204, NULL);
    make(ada.token, "x");
}

Test(my_tokens, what_is_young_ends_nothing_older_and_may_end_itself_and_what_is_younger)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone"), thief = make(phone.token, "thief"),
                more = make(thief.token, "more");

    assert_code(end_it(thief.token, "token"), 403, "token-young");
    assert_code(end_it(thief.token, phone.id), 403, "token-young");
    assert_code(send_by(thief.token, NULL, "DELETE", "/v1/me", NULL), 403, "token-young");
    replace_keeping(thief.token, long_key, "", 403, "token-young");
    assert_code(end_it(thief.token, more.id), 204, NULL);
    assert_code(end_it(thief.token, thief.id), 204, NULL);
    assert_acts(thief.token, false);
    assert_names(ada.token, "token! phone ");
}

Test(my_tokens, after_a_week_any_may_end_the_others)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");

    let_a_week_pass();
    assert_code(end_it(phone.token, "token"), 204, NULL);
    assert_acts(ada.token, false);
    assert_names(phone.token, "phone! ");
    assert_code(end_it(phone.token, phone.id), 409, "last-token");
    assert_code(end_it(phone.token, "token"), 204, NULL);
    assert_acts(phone.token, true);
}

Test(my_tokens, an_account_and_a_token_that_came_later_end_each_other_by_their_age)
{
    char *account = provider_token(&provider, "7", "", 300), body[200];
    struct player ada = new_player(&house, "Ada");
    struct made phone;

    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", ada.token);
    assert_code(send_by(account, NULL, "POST", "/v1/me/link", body), 200, NULL);
    phone = make(ada.token, "phone");
    assert_code(end_it(phone.token, "account"), 403, "token-young");
    assert_code(end_it(account, "token"), 403, "account-young");
    assert_names(account, "token phone account! ");
    assert_code(end_it(account, phone.id), 204, NULL);
    assert_code(send_by(account, NULL, "POST", "/v1/me/tokens", body), 403, "account-token");
    free(account);
}

Test(my_tokens, a_player_is_joined_to_an_account_by_any_of_them)
{
    char *account = provider_token(&provider, "7", "", 300), body[200];
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");

    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", phone.token);
    assert_code(send_by(account, NULL, "POST", "/v1/me/link", body), 200, NULL);
    assert_names(ada.token, "token! phone account ");
    free(account);
}

Test(my_tokens, replacing_one_ends_all_others_but_those_that_are_kept)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone"), desk = make(ada.token, "desk");
    char keep[40];

    snprintf(keep, sizeof(keep), "\"%s\"", desk.id);
    replace_keeping(ada.token, long_key, keep, 200, NULL);
    assert_names(ada.token, "token! desk ");
    assert_acts(phone.token, false);
    assert_acts(desk.token, true);
    replace_keeping(ada.token, long_key, "", 200, NULL);
    assert_acts(desk.token, false);
}

Test(my_tokens, a_named_one_that_is_replaced_keeps_its_name_and_may_keep_the_first_one)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");
    char old[96];

    replace_keeping(phone.token, long_key, "\"token\"", 200, NULL);
    assert_names(phone.token, "token phone! ");
    assert_acts(ada.token, true);
    let_a_week_pass();
    strcpy(old, phone.token);
    replace_keeping(phone.token, "another key of mine", "", 200, NULL);
    assert_names(phone.token, "phone! ");
    assert_acts(ada.token, false);
    assert_acts(old, false);
    replace_keeping(old, "another key of mine", "", 200, NULL);
    cr_assert_str_eq(old, phone.token, "the same request gives the same token");
}

Test(my_tokens, the_same_request_makes_one_and_an_ended_token_hears_nothing)
{
    static const char body[] = "{\"name\":\"phone\"}";
    struct player ada = new_player(&house, "Ada");
    struct made desk = make(ada.token, "desk"),
                phone = made_of(send_by(desk.token, long_key, "POST", "/v1/me/tokens", body)),
                again = made_of(send_by(desk.token, long_key, "POST", "/v1/me/tokens", body));

    cr_assert_str_eq(phone.token, again.token);
    assert_names(ada.token, "token! desk phone ");
    assert_code(end_it(ada.token, desk.id), 204, NULL);
    assert_code(send_by(desk.token, long_key, "POST", "/v1/me/tokens", body), 401, "token-unknown");
    assert_code(end_it(ada.token, phone.id), 204, NULL);
    assert_code(send_by(ada.token, "short", "POST", "/v1/me/tokens", body), 422,
                "idempotency-key-too-short");
}

/* Else a thief who knows the key would have it back. */
Test(my_tokens, the_same_request_does_not_bring_back_one_that_has_ended)
{
    static const char body[] = "{\"name\":\"phone\"}";
    struct player ada = new_player(&house, "Ada");
    struct made phone = made_of(send_by(ada.token, long_key, "POST", "/v1/me/tokens", body));

    assert_code(end_it(ada.token, phone.id), 204, NULL);
    made_of(send_by(ada.token, long_key, "POST", "/v1/me/tokens", body));
    assert_acts(phone.token, false);
    assert_names(ada.token, "token! ");
}

Test(my_tokens, the_stream_of_one_ends_with_it_and_those_of_others_go_on)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone"), desk = make(ada.token, "desk");
    const char *tokens[2] = {phone.token, desk.token};
    struct stream stream[2];
    struct stream_message message;
    struct game game;

    for (int i = 0; i < 2; i++) {
        struct http_reply head;
        char headers[200];

        snprintf(headers, sizeof(headers),
                 "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n", tokens[i]);
        stream_open(&stream[i], house.plyd.port, "/v1/me/events", headers, &head);
        cr_assert_eq(head.status, 200);
        http_free(&head);
    }
    assert_code(end_it(ada.token, phone.id), 204, NULL);
    while (stream_message(&stream[0], &message))
        ;
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    do
        cr_assert(stream_message(&stream[1], &message));
    while (message.data == NULL || strstr(message.data, game.id) == NULL);
    stream_close(&stream[0]);
    stream_close(&stream[1]);
}

Test(my_tokens, one_that_has_ended_is_soon_good_at_no_other_daemon)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");
    struct http_reply reply;
    char headers[200];
    int status = 0;

    house_open_second(&house);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", phone.token);
    http_request(house.second.port, &reply, "GET", "/v1/me", headers, NULL);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    assert_code(end_it(ada.token, phone.id), 204, NULL);
    for (int looks = 0; status != 401; looks++) {
        http_request(house.second.port, &reply, "GET", "/v1/me", headers, NULL);
        status = reply.status;
        http_free(&reply);
        back_off(looks);
    }
}

/* A daemon that has not heard of it honours it for some seconds; what is made then would stay. */
Test(my_tokens, one_that_has_ended_makes_no_webhook_at_another_daemon)
{
    static const char receiver[] = "{\"url\":\"https://receiver.invalid/hook\"}";
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");
    struct http_reply reply;
    char headers[200];

    house_open_second(&house);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n", phone.token);
    http_request(house.second.port, &reply, "POST", "/v1/webhooks", headers, receiver);
    cr_assert_eq(reply.status, 201, "%s", reply.body);
    http_free(&reply);
    assert_code(end_it(ada.token, phone.id), 204, NULL);
    http_request(house.second.port, &reply, "POST", "/v1/webhooks", headers, receiver);
    cr_assert_eq(reply.status, 401, "%s", reply.body);
    http_free(&reply);
}

/* A DELETE by a token, at one of the daemons. */
struct deletion {
    int port;
    const struct made *by, *of;
    int status;
};

static void *send_deletion(void *context)
{
    struct deletion *deletion = context;
    struct http_reply reply;
    char headers[200], path[64];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", deletion->by->token);
    snprintf(path, sizeof(path), "/v1/me/tokens/%s", deletion->of->id);
    http_request(deletion->port, &reply, "DELETE", path, headers, NULL);
    deletion->status = reply.status;
    http_free(&reply);
    return NULL;
}

Test(my_tokens, of_two_that_end_each_other_or_themselves_one_stays)
{
    enum { ROUNDS = 20 };
    struct made made[ROUNDS][2];

    house_open_second(&house);
    for (int i = 0; i < ROUNDS; i++) {
        struct player ada = new_player(&house, "Ada");

        made[i][0] = make(ada.token, "one");
        made[i][1] = make(ada.token, "two");
        let_a_week_pass();
        assert_code(end_it(made[i][0].token, "token"), 204, NULL);
    }
    let_a_week_pass();
    for (int i = 0; i < ROUNDS; i++) {
        int own = i % 2;
        struct deletion one = {house.plyd.port, &made[i][0], &made[i][own ? 0 : 1], 0};
        struct deletion two = {house.second.port, &made[i][1], &made[i][own ? 1 : 0], 0};

        race_run(send_deletion, (void *const[]){&one, &two}, 2);
        cr_assert((one.status == 204) != (two.status == 204), "%d %d", one.status, two.status);
    }
}

/* ---- handing over ---- */

static void open_handover(const char *by, char code[32])
{
    struct answer answer = send_by(by, NULL, "POST", "/v1/me/handover", NULL);

    assert_status(&answer, 201);
    snprintf(code, 32, "%s", text_of(&answer, "code"));
    cr_assert_str_eq(strchr(text_of(&answer, "link"), '=') + 1, code);
}

static struct answer take(const char *code, const char *key)
{
    char body[200];

    snprintf(body, sizeof(body), "{\"code\":\"%s\",\"name\":\"new phone\"}", code);
    return send_by(NULL, key, "POST", "/v1/handover", body);
}

Test(my_tokens, a_code_gives_another_device_a_token_of_its_own_once)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone;
    char code[32];

    open_handover(ada.token, code);
    phone = made_of(take(code, NULL));
    assert_names(phone.token, "token new phone! ");
    assert_code(take(code, NULL), 404, "no-such-handover");
    assert_code(end_it(phone.token, "token"), 403, "token-young");
}

Test(my_tokens, a_code_may_be_typed_as_people_do)
{
    struct player ada = new_player(&house, "Ada");
    char code[32], typed[64];
    size_t len = 0;

    open_handover(ada.token, code);
    for (const char *at = code; *at != '\0'; at++)
        if (*at != '-') {
            typed[len++] = (char)(*at == '0'   ? 'O'
                                  : *at == '1' ? 'l'
                                  : *at >= 'a' ? *at - 32
                                               : *at);
            typed[len++] = ' ';
        }
    typed[len] = '\0';
    made_of(take(typed, NULL));
}

Test(my_tokens, the_same_request_takes_a_code_again_and_no_other_one_does)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone, again;
    char code[32];

    open_handover(ada.token, code);
    phone = made_of(take(code, long_key));
    again = made_of(take(code, long_key));
    cr_assert_str_eq(phone.token, again.token);
    assert_code(take(code, "another key of 16"), 404, "no-such-handover");
    assert_code(take(code, "short"), 422, "idempotency-key-too-short");
    assert_code(end_it(ada.token, phone.id), 204, NULL);
    assert_code(take(code, long_key), 404, "no-such-handover");
}

Test(my_tokens, only_the_last_code_is_good)
{
    struct player ada = new_player(&house, "Ada");
    char first[32], second[32];

    open_handover(ada.token, first);
    open_handover(ada.token, second);
    assert_code(take(first, NULL), 404, "no-such-handover");
    made_of(take(second, NULL));
}

Test(my_tokens, a_code_that_is_too_old_is_void)
{
    struct player ada = new_player(&house, "Ada");
    char code[32];

    open_handover(ada.token, code);
    house_sql(&house, "update handovers set until = now() - interval '1 s'");
    assert_code(take(code, NULL), 404, "no-such-handover");
}

Test(my_tokens, a_code_ends_with_whatever_acts_as_the_player)
{
    struct player ada = new_player(&house, "Ada");
    struct made thief = make(ada.token, "thief");
    char code[32];

    open_handover(thief.token, code);
    assert_code(end_it(ada.token, thief.id), 204, NULL);
    assert_code(take(code, NULL), 404, "no-such-handover");
    thief = make(ada.token, "thief");
    open_handover(thief.token, code);
    replace_keeping(ada.token, long_key, "", 200, NULL);
    assert_code(take(code, NULL), 404, "no-such-handover");
}

Test(my_tokens, a_code_is_good_at_any_daemon_for_one)
{
    struct player ada = new_player(&house, "Ada");
    char code[32], body[200];
    struct http_reply reply;

    house_open_second(&house);
    open_handover(ada.token, code);
    snprintf(body, sizeof(body), "{\"code\":\"%s\",\"name\":\"new phone\"}", code);
    http_request(house.second.port, &reply, "POST", "/v1/handover",
                 "Content-Type: application/json\r\n", body);
    cr_assert_eq(reply.status, 201, "%s", reply.body);
    http_free(&reply);
    assert_code(take(code, NULL), 404, "no-such-handover");
}

Test(my_tokens, a_code_of_a_player_who_has_all_tokens_is_refused)
{
    struct player ada = new_player(&house, "Ada");
    char code[32];

    for (int i = 0; i < 16; i++)
        make(ada.token, "one of many");
    open_handover(ada.token, code);
    assert_code(take(code, NULL), 409, "too-many-tokens");
}

static int handovers_stored(void)
{
    PGconn *pg = PQconnectdb(house.database);
    PGresult *result = PQexec(pg, "select count(*) from handovers");
    int count = atoi(PQgetvalue(result, 0, 0));

    PQclear(result);
    PQfinish(pg);
    return count;
}

/* Its row goes once its time is over, whether it was used or not. */
Test(my_tokens, a_code_is_forgotten_when_its_time_is_over)
{
    struct player ada = new_player(&house, "Ada");
    char code[32];

    open_handover(ada.token, code);
    cr_assert_eq(handovers_stored(), 1);
    house_sql(&house, "update due set at = now(), leased_until = now() where kind = 13");
    for (int looks = 0; handovers_stored() != 0; looks++)
        back_off(looks);
    assert_code(take(code, NULL), 404, "no-such-handover");
}

/* ---- when they were used ---- */

/* The item of a list, as the one that asks. */
static bool tells_use(const char *by, int item)
{
    struct answer answer = send_by(by, NULL, "GET", "/v1/me/tokens", NULL);
    const cJSON *used =
        cJSON_GetObjectItem(cJSON_GetArrayItem(member(&answer, "items"), item), "used_at");
    bool tells = used != NULL;

    cr_assert(!tells || strcmp(used->valuestring + 10, "T00:00:00.000Z") == 0);
    return tells;
}

/* It is stored when the daemon looks them up, and no request waits for that. */
Test(my_tokens, the_day_on_which_one_was_used_is_told_where_there_are_several)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");

    for (int looks = 0; !tells_use(phone.token, 1); looks++)
        back_off(looks);
}

/* One who was looked up for it just now must not hide another one that is used rarely. */
Test(my_tokens, one_use_is_told_while_another_one_asks_all_the_time)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");

    cr_assert_not(tells_use(ada.token, 1));
    assert_code(send_by(phone.token, NULL, "GET", "/v1/me", NULL), 200, NULL);
    for (int looks = 0; !tells_use(ada.token, 1); looks++)
        back_off(looks);
}

Test(my_tokens, nothing_is_written_when_the_only_one_is_used)
{
    struct player ada = new_player(&house, "Ada");

    cr_assert_not(tells_use(ada.token, 0));
    house_sql(&house, "do $$ begin if exists (select from players where tokens_about is not null)"
                      " then raise 'something was written'; end if; end $$");
}

/* ---- telling ---- */

static void follow(struct stream *stream, int port, const char *token, const char *form)
{
    struct http_reply head;
    char headers[200];

    snprintf(headers, sizeof(headers), "Accept: %s\r\nAuthorization: Bearer %s\r\n", form, token);
    stream_open(stream, port, "/v1/me/events", headers, &head);
    cr_assert_eq(head.status, 200, "%s", head.body);
    http_free(&head);
}

/* The next message is that something acts or acts no more, and has a cursor. */
static void assert_told_of_tokens(struct stream *stream)
{
    struct stream_message message;

    cr_assert(stream_message(stream, &message));
    cr_assert_str_eq(message.event, "tokens", "%s", message.data);
    cr_assert_not_null(strstr(message.data, "\"kind\":\"tokens\""), "%s", message.data);
    cr_assert_not_null(strstr(message.data, message.cursor), "%s", message.data);
}

Test(my_tokens, a_stream_tells_of_a_token_that_comes_and_of_one_that_ends)
{
    struct player ada = new_player(&house, "Ada");
    struct stream stream;
    struct made phone;
    char code[32];

    follow(&stream, house.plyd.port, ada.token, "text/event-stream");
    phone = make(ada.token, "phone");
    assert_told_of_tokens(&stream);
    assert_code(end_it(phone.token, phone.id), 204, NULL);
    assert_told_of_tokens(&stream);
    open_handover(ada.token, code);
    made_of(take(code, NULL));
    assert_told_of_tokens(&stream);
    stream_close(&stream);
}

Test(my_tokens, a_stream_at_another_daemon_tells_of_an_account)
{
    char *account = provider_token(&provider, "7", "", 300), body[200];
    struct player ada = new_player(&house, "Ada");
    struct stream stream;

    house_open_second(&house);
    follow(&stream, house.second.port, ada.token, "text/event-stream");
    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", ada.token);
    assert_code(send_by(account, NULL, "POST", "/v1/me/link", body), 200, NULL);
    assert_told_of_tokens(&stream);
    assert_code(end_it(ada.token, "account"), 204, NULL);
    assert_told_of_tokens(&stream);
    stream_close(&stream);
    free(account);
}

Test(my_tokens, a_line_of_json_tells_of_them_too_and_its_cursor_goes_on_behind_it)
{
    struct player ada = new_player(&house, "Ada");
    struct game game;
    struct stream stream;
    const char *line, *at;
    char path[200], cursor[100];

    follow(&stream, house.plyd.port, ada.token, "application/x-ndjson");
    make(ada.token, "phone");
    do
        cr_assert(stream_line(&stream, &line));
    while (strstr(line, "\"kind\":\"tokens\"") == NULL);
    at = strstr(line, "\"cursor\":\"") + strlen("\"cursor\":\"");
    snprintf(cursor, sizeof(cursor), "%.*s", (int)strcspn(at, "\""), at);
    stream_close(&stream);
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    snprintf(path, sizeof(path), "/v1/me/events?after=%s", cursor);
    struct answer answer = send_by(ada.token, NULL, "GET", path, NULL);
    assert_status(&answer, 200);
    cr_assert_not_null(strstr(answer.reply.body, game.id), "%s", answer.reply.body);
}

/* Neither of what was there when it began, nor of another name or of a use. */
Test(my_tokens, a_stream_tells_of_nothing_else)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");
    struct stream_message message;
    struct answer ticket;
    struct stream stream[2];
    struct http_reply head;
    struct game game;
    char path[300];

    follow(&stream[0], house.plyd.port, ada.token, "text/event-stream");
    ticket = send_by(phone.token, NULL, "POST", "/v1/me/ticket", NULL);
    snprintf(path, sizeof(path), "/v1/me/events?ticket=%s", text_of(&ticket, "ticket"));
    stream_open(&stream[1], house.plyd.port, path, "Accept: text/event-stream\r\n", &head);
    cr_assert_eq(head.status, 200);
    http_free(&head);
    snprintf(path, sizeof(path), "/v1/me/tokens/%s", phone.id);
    assert_code(send_by(ada.token, NULL, "PATCH", path, "{\"name\":\"desk\"}"), 200, NULL);
    for (int looks = 0; !tells_use(phone.token, 1); looks++)
        back_off(looks);
    game = new_game_of(&house, ada.token, "{\"variant\":\"tictactoe\"}");
    for (int i = 0; i < 2; i++) {
        cr_assert(stream_message(&stream[i], &message));
        cr_assert_not_null(strstr(message.data, game.id), "%s", message.data);
        stream_close(&stream[i]);
    }
}

/* ---- what hears of the player's games ---- */

static void subscribe(const char *by, const char *endpoint)
{
    char body[400];

    snprintf(body, sizeof(body),
             "{\"endpoint\":\"%s\",\"keys\":{\"p256dh\":\"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-"
             "JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\","
             "\"auth\":\"BTBZMqHH6r4Tts7J_aSIgg\"}}",
             endpoint);
    assert_code(send_by(by, NULL, "POST", "/v1/me/subscriptions", body), 201, NULL);
}

static void make_webhook(const char *by, const char *url)
{
    char body[100];

    snprintf(body, sizeof(body), "{\"url\":\"%s\"}", url);
    assert_code(send_by(by, NULL, "POST", "/v1/webhooks", body), 201, NULL);
}

static int count_at(const char *by, const char *path)
{
    struct answer answer = send_by(by, NULL, "GET", path, NULL);

    assert_status(&answer, 200);
    return cJSON_GetArraySize(member(&answer, "items"));
}

Test(my_tokens, what_a_lost_device_has_made_to_hear_of_games_ends_with_its_token)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");

    make_webhook(ada.token, "https://one.invalid/");
    subscribe(ada.token, "https://push.invalid/desk");
    make_webhook(phone.token, "https://two.invalid/");
    subscribe(phone.token, "https://push.invalid/phone");
    cr_assert_eq(count_at(ada.token, "/v1/webhooks"), 2);
    cr_assert_eq(count_at(ada.token, "/v1/me/subscriptions"), 2);
    assert_code(end_it(ada.token, phone.id), 204, NULL);
    cr_assert_eq(count_at(ada.token, "/v1/webhooks"), 1);
    cr_assert_eq(count_at(ada.token, "/v1/me/subscriptions"), 1);
}

/* A browser sends what it has whenever a page begins, and may act by another token by then. */
Test(my_tokens, a_subscription_ends_with_the_token_that_has_sent_it_last)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone"), again = make(ada.token, "the same phone");

    subscribe(phone.token, "https://push.invalid/phone");
    subscribe(again.token, "https://push.invalid/phone");
    assert_code(end_it(ada.token, phone.id), 204, NULL);
    cr_assert_eq(count_at(ada.token, "/v1/me/subscriptions"), 1);
    assert_code(end_it(ada.token, again.id), 204, NULL);
    cr_assert_eq(count_at(ada.token, "/v1/me/subscriptions"), 0);
}

/* A write would take the mark away. */
Test(my_tokens, a_subscription_that_is_sent_again_by_the_same_token_is_not_written)
{
    struct player ada;

    house_move_out(&house);
    ada = new_player(&house, "Ada");
    subscribe(ada.token, "https://push.invalid/phone");
    house_sql(&house, "update webhooks set failing_since = now()");
    subscribe(ada.token, "https://push.invalid/phone");
    house_sql(&house,
              "do $$ begin assert (select failing_since from webhooks) is not null; end $$");
}

/* What was kept with a new token is of that one. */
Test(my_tokens, what_a_device_has_made_ends_with_the_token_that_it_has_in_place_of_the_old_one)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");
    char id[64];
    struct answer answer;

    make_webhook(phone.token, "https://one.invalid/");
    make_webhook(ada.token, "https://two.invalid/");
    house_sql(&house, "update players set tokens_about ="
                      " regexp_replace(tokens_about, '\"at\":[0-9]+', '\"at\":1', 'g')"
                      " where tokens is not null");
    answer = send_by(phone.token, "another-token-of-this-phone", "POST", "/v1/me/token",
                     "{\"keep\":[\"token\",\"webhooks\"]}");
    assert_status(&answer, 200);
    cr_assert_eq(count_at(ada.token, "/v1/webhooks"), 2);
    answer = send_by(ada.token, NULL, "GET", "/v1/me/tokens", NULL);
    snprintf(id, sizeof(id), "%s", text_of(&answer, "items.1.id"));
    assert_code(end_it(ada.token, id), 204, NULL);
    cr_assert_eq(count_at(ada.token, "/v1/webhooks"), 1);
}

/* Whoever knows it writes in the name of plyd to whom it is for. */
Test(my_tokens, a_webhook_whose_secret_a_lost_device_knows_ends_with_its_token)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");
    struct answer hooks;
    char path[80];

    make_webhook(ada.token, "https://one.invalid/");
    hooks = send_by(ada.token, NULL, "GET", "/v1/webhooks", NULL);
    snprintf(path, sizeof(path), "/v1/webhooks/%s/rotate", text_of(&hooks, "items.0.id"));
    assert_code(send_by(phone.token, NULL, "POST", path, NULL), 200, NULL);
    assert_code(end_it(ada.token, phone.id), 204, NULL);
    cr_assert_eq(count_at(ada.token, "/v1/webhooks"), 0);
}

Test(my_tokens, a_webhook_that_a_lost_device_has_sent_elsewhere_ends_with_its_token)
{
    struct player ada = new_player(&house, "Ada");
    struct made phone = make(ada.token, "phone");
    struct answer hooks;
    char path[64];

    make_webhook(ada.token, "https://one.invalid/");
    make_webhook(ada.token, "https://two.invalid/");
    hooks = send_by(ada.token, NULL, "GET", "/v1/webhooks", NULL);
    snprintf(path, sizeof(path), "/v1/webhooks/%s", text_of(&hooks, "items.0.id"));
    assert_code(send_by(phone.token, NULL, "PATCH", path, "{\"url\":\"https://eve.invalid/\"}"),
                200, NULL);
    snprintf(path, sizeof(path), "/v1/webhooks/%s", text_of(&hooks, "items.1.id"));
    assert_code(send_by(phone.token, NULL, "PATCH", path, "{\"events\":[\"move\"]}"), 200, NULL);
    assert_code(end_it(ada.token, phone.id), 204, NULL);
    cr_assert_eq(count_at(ada.token, "/v1/webhooks"), 1);
}
