/* test_thief.c - a player whose token was stolen: who acts as them, after whatever both have done.
 */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/live/auth.h"
#include "api/live/tokens.h"
#include "rules/mix.h"
#include "tests/http/provided.h"
#include "tests/http/race.h"
#include "tests/support/backoff.h"
#include "tests/support/long.h"
#include "tests/support/stream.h"

PROVIDED_SUITE(thief, house_open, 4.0 * HOUSE_PATIENCE_S);

/* ---- asking ---- */

static struct answer send_as(const char *token, const char *key, const char *method,
                             const char *path, const char *body)
{
    char headers[4096];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n%s%s%s%s", token,
             key == NULL ? "" : "Idempotency-Key: ", key == NULL ? "" : key,
             key == NULL ? "" : "\r\n", body == NULL ? "" : "Content-Type: application/json\r\n");
    return ask(&house, method, path, headers, body);
}

static struct answer join_with(const char *account, const char *token)
{
    char body[200];

    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", token);
    return send_as(account, NULL, "POST", "/v1/me/link", body);
}

static void assert_told(struct answer answer, int status, const char *code)
{
    if (code == NULL)
        assert_status(&answer, status);
    else
        assert_problem(&answer, status, code);
}

/* Another loop than the one that has ended something may honour it for five seconds. */
static bool has_several_loops(void)
{
    const char *loops = getenv("PLYD_LOOPS");

    return loops != NULL && atoi(loops) > 1;
}

static void assert_ended(const char *token, const char *code)
{
    struct answer answer = send_as(token, NULL, "GET", "/v1/me", NULL);

    for (int looks = 0; answer.status == 200 && has_several_loops(); looks++) {
        back_off(looks);
        answer = send_as(token, NULL, "GET", "/v1/me", NULL);
    }
    assert_problem(&answer, 401, code);
}

/* As if a week had passed since an account was joined to anybody, or a token was made. */
static void let_a_week_pass(void)
{
    house_sql(&house,
              "update players set account_at = account_at - interval '169 hours',"
              " tokens_about = regexp_replace(tokens_about, '\"at\":[0-9]+', '\"at\":1', 'g')"
              " where account is not null or tokens is not null");
}

/* ---- the story that was told ---- */

Test(thief, after_all_tokens_were_replaced_nobody_but_the_victim_acts)
{
    static const char open_seat[] = "{\"variant\":\"jungle\",\"visibility\":\"private\","
                                    "\"seats\":[{\"me\":true},{\"open\":true}]}";
    char *account = provider_token(&provider, "thief", "", 300), headers[4096], path[200];
    struct player victim = new_player(&house, "Ada");
    struct game game = new_game_of(&house, victim.token, open_seat);
    struct stream_message message;
    struct answer answer, ticket;
    struct http_reply head;
    struct stream stream;

    assert_told(join_with(account, victim.token), 200, NULL);
    ticket = send_as(account, NULL, "POST", "/v1/me/ticket", NULL);
    assert_status(&ticket, 201);
    snprintf(headers, sizeof(headers), "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n",
             account);
    stream_open(&stream, house.plyd.port, "/v1/me/events", headers, &head);
    cr_assert_eq(head.status, 200, "%s", head.body);
    http_free(&head);

    answer = send_as(victim.token, "0123456789abcdef", "POST", "/v1/me/token", "{\"seats\":true}");
    assert_status(&answer, 200);
    snprintf(victim.token, sizeof(victim.token), "%s", text_of(&answer, "token"));

    assert_ended(account, "account-left");
    assert_told(send_as(account, NULL, "DELETE", "/v1/me/token", NULL), 401, "account-left");
    assert_told(send_as(account, NULL, "DELETE", "/v1/me", NULL), 401, "account-left");
    while (stream_message(&stream, &message))
        ;
    stream_close(&stream);
    snprintf(path, sizeof(path), "/v1/me/events?ticket=%s", text_of(&ticket, "ticket"));
    stream_open(&stream, house.plyd.port, path, "Accept: text/event-stream\r\n", &head);
    cr_assert(head.status == 401 || !stream_message(&stream, &message));
    http_free(&head);
    stream_close(&stream);
    do { /* the seat's own ends in a moment, as an event of the game */
        answer = ask_at(&house, game.token, "GET", NULL, "/v1/games/%s", game.id);
    } while (answer.status != 404);
    assert_told(ask_at(&house, victim.token, "GET", NULL, "/v1/games/%s", game.id), 200, NULL);
    free(account);
}

/* ---- what is shown, and ended ---- */

static void list_tokens(const char *token, char told[64])
{
    struct answer answer = send_as(token, NULL, "GET", "/v1/me/tokens", NULL);
    const cJSON *item;

    assert_status(&answer, 200);
    *told = '\0';
    cJSON_ArrayForEach(item, member(&answer, "items"))
    {
        strcat(told, cJSON_GetObjectItem(item, "id")->valuestring);
        strcat(told, cJSON_IsTrue(cJSON_GetObjectItem(item, "yours")) ? "! " : " ");
    }
}

/* Another loop may not know yet whose an account is. */
static void assert_list(const char *token, const char *expected)
{
    char told[64];

    list_tokens(token, told);
    for (int looks = 0; strcmp(told, expected) != 0 && has_several_loops(); looks++) {
        back_off(looks);
        list_tokens(token, told);
    }
    cr_assert_str_eq(told, expected);
}

Test(thief, a_player_sees_what_acts_as_them_and_ends_it)
{
    char *account = provider_token(&provider, "7", "", 300);
    struct player ada = new_player(&house, "Ada");

    assert_list(ada.token, "token! ");
    assert_list(account, "account! ");
    assert_told(send_as(ada.token, NULL, "DELETE", "/v1/me/tokens/account", NULL), 204, NULL);
    assert_told(send_as(ada.token, NULL, "DELETE", "/v1/me/tokens/phone", NULL), 404,
                "no-such-token");
    assert_told(send_as(ada.token, NULL, "DELETE", "/v1/me/tokens/token", NULL), 409, "last-token");
    assert_told(send_as(account, NULL, "DELETE", "/v1/me/tokens/account", NULL), 409, "last-token");
    assert_told(join_with(account, ada.token), 200, NULL);
    assert_list(ada.token, "token! account ");
    assert_list(account, "token account! ");
    assert_told(send_as(ada.token, NULL, "DELETE", "/v1/me/tokens/account", NULL), 204, NULL);
    assert_list(ada.token, "token! ");
    assert_ended(account, "account-left");
    assert_told(join_with(account, ada.token), 200, NULL);
    assert_list(account, "token account! ");
    free(account);
}

static bool tells_account(struct answer answer)
{
    bool tells;

    assert_status(&answer, 200);
    tells = cJSON_HasObjectItem(answer.json, "account_since_at");
    return tells;
}

Test(thief, a_player_is_told_of_an_account_and_nobody_else_is)
{
    char *account = provider_token(&provider, "7", "", 300);
    struct player ada = new_player(&house, "Ada");

    cr_assert(tells_account(join_with(account, ada.token)));
    cr_assert(tells_account(send_as(ada.token, NULL, "GET", "/v1/me", NULL)));
    cr_assert_not(tells_account(ask_at(&house, NULL, "GET", NULL, "/v1/players/%s", ada.id)));
    cr_assert(tells_account(send_as(ada.token, NULL, "PATCH", "/v1/me", "{\"name\":\"Eve\"}")));
    cr_assert_not(
        tells_account(send_as(ada.token, "0123456789abcdef", "POST", "/v1/me/token", "{}")));
    free(account);
}

Test(thief, in_its_first_week_an_account_locks_nobody_out)
{
    char *account = provider_token(&provider, "7", "", 300);
    struct player ada = new_player(&house, "Ada");

    assert_told(join_with(account, ada.token), 200, NULL);
    assert_told(send_as(account, NULL, "DELETE", "/v1/me/token", NULL), 403, "account-young");
    assert_told(send_as(account, NULL, "DELETE", "/v1/me/tokens/token", NULL), 403,
                "account-young");
    assert_told(send_as(account, NULL, "DELETE", "/v1/me", NULL), 403, "account-young");
    assert_list(ada.token, "token! account ");
    let_a_week_pass();
    assert_told(send_as(account, NULL, "DELETE", "/v1/me/tokens/token", NULL), 204, NULL);
    assert_ended(ada.token, "token-unknown");
    assert_list(account, "account! ");
    free(account);
}

/* A DELETE by a token, at one of the daemons. */
struct ending {
    int port;
    const char *token, *path;
    int status;
};

static void *send_ending(void *context)
{
    struct ending *ending = context;
    struct http_reply reply;
    char headers[4096];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", ending->token);
    http_request(ending->port, &reply, "DELETE", ending->path, headers, NULL);
    ending->status = reply.status;
    http_free(&reply);
    return NULL;
}

Test(thief, of_a_token_and_an_account_that_end_each_other_one_stays)
{
    enum { ROUNDS = 30 };
    struct player player[ROUNDS];
    char *account[ROUNDS], subject[16];

    house_open_second(&house);
    for (int i = 0; i < ROUNDS; i++) {
        snprintf(subject, sizeof(subject), "one of %d", i);
        player[i] = new_player(&house, "Ada");
        account[i] = provider_token(&provider, subject, "", 300);
        assert_told(join_with(account[i], player[i].token), 200, NULL);
    }
    let_a_week_pass();
    for (int i = 0; i < ROUNDS; i++) {
        struct ending by_account = {house.plyd.port, account[i], "/v1/me/tokens/token", 0};
        struct ending by_token = {house.second.port, player[i].token, "/v1/me/tokens/account", 0};

        race_run(send_ending, (void *const[]){&by_account, &by_token}, 2);
        cr_assert((by_account.status == 204) != (by_token.status == 204), "%d %d",
                  by_account.status, by_token.status);
        free(account[i]);
    }
}

Test(thief, a_player_has_one_account)
{
    char *one = provider_token(&provider, "7", "", 300),
         *other = provider_token(&provider, "8", "", 300);
    struct player ada = new_player(&house, "Ada");

    assert_told(join_with(one, ada.token), 200, NULL);
    assert_told(join_with(other, ada.token), 409, "player-joined");
    assert_told(send_as(ada.token, NULL, "DELETE", "/v1/me/tokens/account", NULL), 204, NULL);
    assert_told(join_with(other, ada.token), 200, NULL);
    assert_ended(one, "account-left");
    free(one);
    free(other);
}

/* An old daemon has joined it, or a new one died before it had set the player's row. */
Test(thief, an_account_of_before_is_taken_for_the_players_once)
{
    char *account = provider_token(&provider, "7", "", 300);
    struct player ada = new_player(&house, "Ada");
    struct answer answer;
    int items;

    assert_told(join_with(account, ada.token), 200, NULL);
    house_sql(&house, "update players set account = null, account_at = null, account_under = null,"
                      " account_secret = null");
    do { /* the daemon remembers the player for five seconds */
        answer = send_as(account, NULL, "GET", "/v1/me/tokens", NULL);
        items = cJSON_GetArraySize(member(&answer, "items"));
    } while (items < 2);
    assert_list(account, "token account! ");
    assert_told(send_as(ada.token, NULL, "DELETE", "/v1/me/tokens/account", NULL), 204, NULL);
    assert_ended(account, "account-left");
    free(account);
}

Test(thief, what_is_kept_goes_along_with_the_token)
{
    char *account = provider_token(&provider, "7", "", 300);
    struct player ada = new_player(&house, "Ada");

    assert_told(join_with(account, ada.token), 200, NULL);
    assert_told(
        send_as(ada.token, "0123456789abcdef", "POST", "/v1/me/token", "{\"keep\":[\"phone\"]}"),
        400, "bad-parameter");
    assert_told(
        send_as(ada.token, "0123456789abcdef", "POST", "/v1/me/token", "{\"keep\":[\"account\"]}"),
        200, NULL);
    assert_list(account, "token account! ");
    free(account);
}

/* ---- webhooks ---- */

static const char receiver[] = "{\"url\":\"https://receiver.invalid/hook\"}";

static int webhooks_of(const char *token)
{
    struct answer answer = send_as(token, NULL, "GET", "/v1/webhooks", NULL);
    int count;

    assert_status(&answer, 200);
    count = cJSON_GetArraySize(member(&answer, "items"));
    return count;
}

/* How many are left of one that an account has made when the token was replaced. */
static int webhooks_after(const char *body)
{
    char *account = provider_token(&provider, "7", "", 300);
    struct player ada = new_player(&house, "Ada");
    struct answer answer;
    int count;

    assert_told(join_with(account, ada.token), 200, NULL);
    assert_told(send_as(account, NULL, "POST", "/v1/webhooks", receiver), 201, NULL);
    cr_assert_eq(webhooks_of(ada.token), 1);
    answer = send_as(ada.token, "0123456789abcdef", "POST", "/v1/me/token", body);
    assert_status(&answer, 200);
    count = webhooks_of(text_of(&answer, "token"));
    free(account);
    return count;
}

Test(thief, webhooks_end_with_the_token_whoever_has_made_them)
{
    cr_assert_eq(webhooks_after("{\"keep\":[\"account\"]}"), 0);
}

Test(thief, webhooks_that_are_kept_by_name_stay)
{
    cr_assert_eq(webhooks_after("{\"keep\":[\"account\",\"webhooks\"]}"), 1);
}

Test(thief, webhooks_end_with_a_token_that_the_account_ends)
{
    char *account = provider_token(&provider, "7", "", 300);
    struct player ada = new_player(&house, "Ada");

    assert_told(send_as(ada.token, NULL, "POST", "/v1/webhooks", receiver), 201, NULL);
    assert_told(join_with(account, ada.token), 200, NULL);
    let_a_week_pass();
    assert_told(send_as(account, NULL, "DELETE", "/v1/me/token", NULL), 204, NULL);
    cr_assert_eq(webhooks_of(account), 0);
    assert_told(send_as(account, NULL, "POST", "/v1/webhooks", receiver), 201, NULL);
    free(account);
}

/* A webhook that the player's own token has made stays. */
Test(thief, what_an_account_has_made_ends_with_it)
{
    char *account = provider_token(&provider, "7", "", 300);
    struct player ada = new_player(&house, "Ada");

    assert_told(join_with(account, ada.token), 200, NULL);
    assert_told(send_as(account, NULL, "POST", "/v1/webhooks", receiver), 201, NULL);
    assert_told(send_as(ada.token, NULL, "POST", "/v1/webhooks", receiver), 201, NULL);
    cr_assert_eq(webhooks_of(ada.token), 2);
    assert_told(send_as(ada.token, NULL, "DELETE", "/v1/me/tokens/account", NULL), 204, NULL);
    cr_assert_eq(webhooks_of(ada.token), 1);
    free(account);
}

/* It honours the old token for some seconds, and what is made by it would stay for ever. */
Test(thief, a_daemon_that_has_not_heard_of_another_token_makes_no_webhook_by_the_old_one)
{
    struct player ada = new_player(&house, "Ada");
    char headers[200], old[96];
    struct http_reply reply;

    snprintf(old, sizeof(old), "%s", ada.token);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n", old);
    house_open_second(&house);
    http_request(house.second.port, &reply, "GET", "/v1/me", headers, NULL);
    cr_assert_eq(reply.status, 200);
    http_free(&reply);
    replace_player_token(&house, &ada);
    http_request(house.second.port, &reply, "POST", "/v1/webhooks", headers, receiver);
    cr_assert_eq(reply.status, 401, "%s", reply.body);
    http_free(&reply);
    cr_assert_eq(webhooks_of(ada.token), 0);
}

/* `path` is its address. */
static void make_webhook(const char *token, char path[64])
{
    struct answer answer = ask_as(&house, token, "POST", "/v1/webhooks", receiver);

    assert_status(&answer, 201);
    snprintf(path, 64, "/v1/webhooks/%s", text_of(&answer, "id"));
}

/* What is kept with the new token is out of a thief's reach, too. */
Test(thief, a_daemon_that_has_not_heard_of_another_token_changes_no_webhook_by_the_old_one)
{
    static const char keep[] = "{\"keep\":[\"webhooks\"]}",
                      elsewhere[] = "{\"events\":[\"aborted\"]}";
    struct player ada = new_player(&house, "Ada");
    char headers[200], path[64], old[96];
    struct http_reply reply;
    struct answer answer;

    snprintf(old, sizeof(old), "%s", ada.token);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n", old);
    make_webhook(old, path);
    house_open_second(&house);
    http_request(house.second.port, &reply, "PATCH", path, headers, elsewhere);
    cr_assert_eq(reply.status, 200, "%s", reply.body);
    http_free(&reply);
    answer = send_as(old, "another-token-of-this-player", "POST", "/v1/me/token", keep);
    assert_status(&answer, 200);
    snprintf(ada.token, sizeof(ada.token), "%s", text_of(&answer, "token"));
    http_request(house.second.port, &reply, "PATCH", path, headers, "{\"enabled\":false}");
    cr_assert_eq(reply.status, 401, "%s", reply.body);
    http_free(&reply);
    answer = ask_as(&house, ada.token, "PATCH", path, "{\"enabled\":false}");
    assert_status(&answer, 200);
}

/* Who is told of nothing any more may not notice it for long. */
Test(thief, a_daemon_that_has_not_heard_of_another_token_deletes_no_webhook_by_the_old_one)
{
    struct player ada = new_player(&house, "Ada");
    char headers[200], path[64], old[96];
    struct http_reply reply;
    struct answer answer;

    snprintf(old, sizeof(old), "%s", ada.token);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", old);
    make_webhook(old, path);
    house_open_second(&house);
    http_request(house.second.port, &reply, "GET", path, headers, NULL);
    cr_assert_eq(reply.status, 200, "%s", reply.body);
    http_free(&reply);
    answer = send_as(old, "another-token-of-this-player", "POST", "/v1/me/token",
                     "{\"keep\":[\"webhooks\"]}");
    assert_status(&answer, 200);
    snprintf(ada.token, sizeof(ada.token), "%s", text_of(&answer, "token"));
    http_request(house.second.port, &reply, "DELETE", path, headers, NULL);
    cr_assert_eq(reply.status, 401, "%s", reply.body);
    http_free(&reply);
    cr_assert_eq(webhooks_of(ada.token), 1);
    answer = ask_as(&house, ada.token, "DELETE", path, NULL);
    assert_status(&answer, 204);
}

/* ---- random deeds, and a model that says who acts ---- */

enum { TOKENS_MAX = 32, ACCOUNTS = 2, NOBODY = -1, KEPT = 4 };

/* Something that acts: since which deed, and whether it is old enough to end all others. */
struct age {
    int since;
    bool old;
};

/* Account 0 is the victim's and account 1 the thief's. Both know all tokens: whatever a thief has
 * not stolen, they cannot try. */
struct plot {
    char player[32];
    struct {
        char text[96];
        bool acts;
        struct age age;
    } token[TOKENS_MAX];
    int tokens, own; /* tokens there were; the one that is not a named one, or NOBODY */
    char *account[ACCOUNTS];
    bool moved[ACCOUNTS]; /* it is not the player any more that it made */
    int joined;           /* the account that acts, or NOBODY */
    struct age joined_age;
    char code[32]; /* for another device; "": none was asked for */
    bool is_open;  /* that is good */
    int deeds;
    int epoch; /* of what was made by an account; it ends with the own token and the account */
    struct {
        int token, account, epoch;
        bool is_stream;
        struct stream stream;
        char ticket[200];
    } kept[KEPT];
    int nkept;
    uint64_t chance;
    char said[1500];
};

static unsigned draw(struct plot *plot, unsigned n)
{
    return (unsigned)(mix(plot->chance++) % n);
}

static void say(struct plot *plot, const char *what, int who)
{
    size_t len = strlen(plot->said);

    snprintf(plot->said + len, sizeof(plot->said) - len, "%s %d; ", what, who);
}

static void expect(struct plot *plot, struct answer answer, int status, const char *code)
{
    char value[64] = "";

    if (code != NULL)
        http_copy_member(answer.reply.body, "code", value, sizeof(value));
    cr_assert(answer.status == status && (code == NULL || strcmp(value, code) == 0),
              "%sexpected %d %s, got %s", plot->said, status, code, answer.reply.body);
}

/* ---- the model: what acts, and which may end which ---- */

static int acting(const struct plot *plot)
{
    int count = plot->joined != NOBODY;

    for (int i = 0; i < plot->tokens; i++)
        count += plot->token[i].acts;
    return count;
}

static bool may_end(struct age asker, struct age other)
{
    return asker.old || other.since >= asker.since;
}

/* The own token is the oldest, whenever it came. */
static void add_token(struct plot *plot, const char *text, struct age age)
{
    snprintf(plot->token[plot->tokens].text, sizeof(plot->token[0].text), "%s", text);
    plot->token[plot->tokens].acts = true;
    plot->token[plot->tokens++].age = age;
}

static struct age new_age(const struct plot *plot)
{
    return (struct age){.since = plot->deeds};
}

static void lose_token(struct plot *plot, int which)
{
    plot->token[which].acts = false;
    plot->is_open = false;
    if (which == plot->own) {
        plot->own = NOBODY;
        plot->epoch++;
    }
}

static void lose_account(struct plot *plot)
{
    plot->is_open = plot->is_open && plot->joined == NOBODY;
    plot->epoch += plot->joined != NOBODY;
    plot->joined = NOBODY;
}

static int draw_token(struct plot *plot)
{
    return (int)draw(plot, (unsigned)plot->tokens);
}

/* The id by which a token is called. */
static const char *id_of(const struct plot *plot, int which)
{
    static char id[TOKENS_ID_TEXT];
    uint8_t hash[DB_HASH_BYTES];

    if (which == plot->own)
        return "token";
    auth_hash_token(plot->token[which].text, hash);
    tokens_id(hash, id);
    return id;
}

/* ---- deeds ---- */

/* Which tokens and whether the account are kept, as bits and as a body. */
static unsigned draw_kept(struct plot *plot, bool *account, char body[1000])
{
    unsigned kept = 0;

    *account = draw(plot, 3) == 0;
    strcpy(body, "{\"seats\":true,\"keep\":[\"webhooks\"");
    for (int i = 0; i < plot->tokens; i++)
        if (plot->token[i].acts && draw(plot, 3) == 0) {
            kept |= 1U << i;
            strcat(strcat(strcat(body, ",\""), id_of(plot, i)), "\"");
        }
    strcat(body, *account ? ",\"account\"]}" : "]}");
    return kept;
}

/* Whether `with` may end all that is not kept; with `does`, it does. */
static bool end_unkept(struct plot *plot, int with, unsigned kept, bool account, bool does)
{
    bool may =
        account || plot->joined == NOBODY || may_end(plot->token[with].age, plot->joined_age);

    for (int i = 0; i < plot->tokens; i++) {
        if (i == with || !plot->token[i].acts || (kept >> i & 1) != 0)
            continue;
        may = may && may_end(plot->token[with].age, plot->token[i].age);
        if (does)
            lose_token(plot, i);
    }
    if (does && !account)
        lose_account(plot);
    return may;
}

static void replace(struct plot *plot)
{
    int with = draw_token(plot);
    bool account, is_own = with == plot->own;
    char key[32], value[96], body[1000];
    unsigned kept = draw_kept(plot, &account, body);
    struct age age = plot->token[with].age;
    struct answer answer;

    say(plot, body, with);
    snprintf(key, sizeof(key), "a key of the plot %d", plot->tokens);
    answer = send_as(plot->token[with].text, key, "POST", "/v1/me/token", body);
    if (!plot->token[with].acts) {
        expect(plot, answer, 401, "token-unknown");
    } else if (!end_unkept(plot, with, kept, account, false)) {
        expect(plot, answer, 403, "token-young");
    } else {
        cr_assert(http_copy_member(answer.reply.body, "token", value, sizeof(value)), "%s%s",
                  plot->said, answer.reply.body);
        end_unkept(plot, with, kept, account, true);
        lose_token(plot, with);
        plot->own = is_own ? plot->tokens : plot->own;
        add_token(plot, value, age);
        expect(plot, answer, 200, NULL);
    }
}

static void make(struct plot *plot)
{
    int with = draw_token(plot);
    struct answer answer =
        send_as(plot->token[with].text, NULL, "POST", "/v1/me/tokens", "{\"name\":\"phone\"}");

    say(plot, "make a token by", with);
    if (plot->token[with].acts) {
        add_token(plot, text_of(&answer, "token"), new_age(plot));
        expect(plot, answer, 201, NULL);
    } else {
        expect(plot, answer, 401, "token-unknown");
    }
}

/* A token ends a token, itself perhaps. */
static void end_one(struct plot *plot)
{
    int with = draw_token(plot), other = draw_token(plot);
    bool is_own = other == plot->own;
    char path[64];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/me/tokens/%s", id_of(plot, other));
    answer = send_as(plot->token[with].text, NULL, "DELETE", path, NULL);
    say(plot, "end token by", with);
    say(plot, "which is", other);
    if (!plot->token[with].acts)
        expect(plot, answer, 401, "token-unknown");
    else if (!plot->token[other].acts)
        expect(plot, answer, is_own ? 204 : 404, is_own ? NULL : "no-such-token");
    else if (acting(plot) == 1)
        expect(plot, answer, 409, "last-token");
    else if (!may_end(plot->token[with].age, plot->token[other].age))
        expect(plot, answer, 403, "token-young");
    else {
        expect(plot, answer, 204, NULL);
        lose_token(plot, other);
    }
}

static void open_for_device(struct plot *plot)
{
    int with = draw_token(plot);
    struct answer answer = send_as(plot->token[with].text, NULL, "POST", "/v1/me/handover", NULL);

    say(plot, "open by", with);
    if (plot->token[with].acts) {
        snprintf(plot->code, sizeof(plot->code), "%s", text_of(&answer, "code"));
        plot->is_open = true;
        expect(plot, answer, 201, NULL);
    } else {
        expect(plot, answer, 401, "token-unknown");
    }
}

static void take_code(struct plot *plot)
{
    struct answer answer;
    char body[100];

    if (plot->code[0] == '\0')
        open_for_device(plot);
    if (plot->code[0] == '\0')
        return;
    snprintf(body, sizeof(body), "{\"code\":\"%s\",\"name\":\"phone\"}", plot->code);
    answer = ask(&house, "POST", "/v1/handover", "Content-Type: application/json\r\n", body);
    say(plot, "take", 0);
    if (plot->is_open) {
        add_token(plot, text_of(&answer, "token"), new_age(plot));
        plot->is_open = false;
        expect(plot, answer, 201, NULL);
    } else {
        expect(plot, answer, 404, "no-such-handover");
    }
}

static void join(struct plot *plot)
{
    int with = draw_token(plot), account = (int)draw(plot, ACCOUNTS);
    struct answer answer = join_with(plot->account[account], plot->token[with].text);

    say(plot, account == 0 ? "join victim's by" : "join thief's by", with);
    if (!plot->token[with].acts) {
        expect(plot, answer, 400, "bad-parameter");
    } else if (plot->joined != NOBODY && plot->joined != account) {
        expect(plot, answer, 409, "player-joined");
    } else {
        expect(plot, answer, 200, NULL);
        if (plot->joined != account)
            plot->joined_age = new_age(plot);
        plot->epoch += plot->joined != account;
        plot->moved[account] = true;
        plot->joined = account;
    }
}

static void end_account(struct plot *plot)
{
    int with = draw_token(plot);
    struct answer answer =
        send_as(plot->token[with].text, NULL, "DELETE", "/v1/me/tokens/account", NULL);

    say(plot, "end account by token", with);
    if (!plot->token[with].acts) {
        expect(plot, answer, 401, "token-unknown");
    } else if (plot->joined != NOBODY && !may_end(plot->token[with].age, plot->joined_age)) {
        expect(plot, answer, 403, "token-young");
    } else {
        expect(plot, answer, 204, NULL);
        lose_account(plot);
    }
}

static void unjoin(struct plot *plot)
{
    int account = (int)draw(plot, ACCOUNTS);
    struct answer answer =
        send_as(plot->account[account], NULL, "DELETE", "/v1/me/tokens/account", NULL);

    say(plot, "unlink", account);
    if (plot->joined != account && plot->moved[account]) {
        expect(plot, answer, 401, "account-left");
    } else if (plot->joined != account || acting(plot) == 1) {
        expect(plot, answer, 409, "last-token");
    } else {
        expect(plot, answer, 204, NULL);
        lose_account(plot);
    }
}

static void end_token(struct plot *plot)
{
    int account = (int)draw(plot, ACCOUNTS), other = draw_token(plot);
    bool is_own = other == plot->own;
    char path[64];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/me/tokens/%s", id_of(plot, other));
    answer = send_as(plot->account[account], NULL, "DELETE", path, NULL);
    say(plot, "end token by account", account);
    say(plot, "which is", other);
    if (plot->joined != account && plot->moved[account])
        expect(plot, answer, 401, "account-left");
    else if (plot->joined != account || !plot->token[other].acts)
        expect(plot, answer, is_own ? 204 : 404, is_own ? NULL : "no-such-token");
    else if (!may_end(plot->joined_age, plot->token[other].age))
        expect(plot, answer, 403, "account-young");
    else {
        expect(plot, answer, 204, NULL);
        lose_token(plot, other);
    }
}

static void grow_old(struct plot *plot)
{
    say(plot, "a week passes", 0);
    let_a_week_pass();
    plot->joined_age.old = true;
    for (int i = 0; i < plot->tokens; i++)
        plot->token[i].age.old = true;
}

/* A stream or a ticket of somebody who acts now. */
static void keep(struct plot *plot)
{
    int with = draw_token(plot), i = plot->nkept;
    bool by_account = plot->joined != NOBODY && draw(plot, 2) == 0;
    const char *token = by_account ? plot->account[plot->joined] : plot->token[with].text;
    char headers[4096];
    struct http_reply head;
    struct answer answer;

    if (i == KEPT || (!by_account && !plot->token[with].acts))
        return;
    say(plot, by_account ? "keep by account" : "keep by token", i);
    plot->nkept++;
    plot->kept[i].token = by_account ? NOBODY : with;
    plot->kept[i].account = by_account ? plot->joined : NOBODY;
    plot->kept[i].epoch = plot->epoch;
    plot->kept[i].is_stream = draw(plot, 2) == 0;
    if (plot->kept[i].is_stream) {
        snprintf(headers, sizeof(headers),
                 "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n", token);
        stream_open(&plot->kept[i].stream, house.plyd.port, "/v1/me/events", headers, &head);
        cr_assert_eq(head.status, 200, "%s%s", plot->said, head.body);
        http_free(&head);
        return;
    }
    answer = send_as(token, NULL, "POST", "/v1/me/ticket", NULL);
    snprintf(plot->kept[i].ticket, sizeof(plot->kept[i].ticket), "%s", text_of(&answer, "ticket"));
}

static bool is_good(const struct plot *plot, int i)
{
    return plot->kept[i].account == NOBODY
               ? plot->token[plot->kept[i].token].acts
               : plot->kept[i].account == plot->joined && plot->kept[i].epoch == plot->epoch;
}

/* Of one that acts. */
static const char *any_token(const struct plot *plot)
{
    for (int i = 0; i < plot->tokens; i++)
        if (plot->token[i].acts)
            return plot->token[i].text;
    return plot->account[plot->joined];
}

/* A stream goes on: it tells of a game that whoever acts as the player makes now. */
static void assert_hears(const struct plot *plot, struct stream *stream)
{
    const char *token = any_token(plot);
    struct game game = new_game_of(
        &house, token, "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    struct stream_message message;

    do
        cr_assert(stream_message(stream, &message), "%sa stream has ended", plot->said);
    while (message.data == NULL || strstr(message.data, game.id) == NULL);
}

/* One that has to end says nothing before, but what has come and ended while it was good. */
static void assert_ends(const struct plot *plot, struct stream *stream)
{
    struct stream_message message;

    while (stream_message(stream, &message))
        cr_assert(message.data == NULL || strcmp(message.event, "tokens") == 0, "%s%s", plot->said,
                  message.data);
}

static void assert_kept(struct plot *plot, int i)
{
    char path[300];
    struct http_reply head;
    struct stream opened, *stream = &plot->kept[i].stream;
    int status = 200;

    if (!plot->kept[i].is_stream) {
        stream = &opened;
        snprintf(path, sizeof(path), "/v1/me/events?ticket=%s", plot->kept[i].ticket);
        stream_open(stream, house.plyd.port, path, "Accept: text/event-stream\r\n", &head);
        status = head.status;
        http_free(&head);
    }
    if (is_good(plot, i)) {
        cr_assert_eq(status, 200, "%sticket %d: %d", plot->said, i, status);
        assert_hears(plot, stream);
    } else if (status == 200) {
        assert_ends(plot, stream);
    }
    stream_close(stream);
}

static void assert_acts(struct plot *plot, const char *token, int status, bool as_player)
{
    struct answer answer = send_as(token, NULL, "GET", "/v1/me", NULL);

    cr_assert_eq(answer.status, status, "%s%.40s: %s", plot->said, token, answer.reply.body);
    if (status == 200)
        cr_assert_eq(strcmp(text_of(&answer, "id"), plot->player) == 0, as_player, "%s%.40s: %s",
                     plot->said, token, answer.reply.body);
}

static void assert_all(struct plot *plot)
{
    for (int i = 0; i < plot->tokens; i++)
        assert_acts(plot, plot->token[i].text, plot->token[i].acts ? 200 : 401, true);
    for (int i = 0; i < ACCOUNTS; i++)
        assert_acts(plot, plot->account[i], plot->joined == i || !plot->moved[i] ? 200 : 401,
                    plot->joined == i);
    for (int i = 0; i < plot->nkept; i++)
        assert_kept(plot, i);
}

static void tell(uint64_t seed, int deeds)
{
    static void (*const all[])(struct plot *) = {
        replace, join,    join,     end_account,     unjoin,    end_token, make, make,
        end_one, end_one, grow_old, open_for_device, take_code, keep,      keep};
    struct plot *plot = calloc(1, sizeof(*plot));
    struct player player = new_player(&house, "Ada");

    plot->joined = NOBODY;
    add_token(plot, player.token, (struct age){.since = INT_MIN, .old = true});
    plot->chance = seed << 20;
    strcpy(plot->player, player.id);
    snprintf(plot->said, sizeof(plot->said), "seed %llu: ", (unsigned long long)seed);
    for (int i = 0; i < ACCOUNTS; i++) {
        char subject[64];

        snprintf(subject, sizeof(subject), "%llu of %d", (unsigned long long)seed, i);
        plot->account[i] = provider_token(&provider, subject, "", 3000);
    }
    for (plot->deeds = 1; plot->deeds <= deeds; plot->deeds++)
        all[draw(plot, sizeof(all) / sizeof(all[0]))](plot);
    assert_all(plot);
    for (int i = 0; i < ACCOUNTS; i++)
        free(plot->account[i]);
    free(plot);
    answers_forget();
}

/* The model says who acts after each deed. Another loop may know for five seconds who did before
 * (test_old_tokens.c), so there is one. */
static void open_with_one_loop(void)
{
    setenv("PLYD_LOOPS", "1", 1);
    open_house();
}

TestSuite(plots, .init = open_with_one_loop, .fini = close_house,
          .timeout = 4.0 * HOUSE_PATIENCE_S);

Test(plots, random_plots_end_as_the_model_says)
{
    uint64_t plots = long_or_short(1000, 200);
    int deeds = (int)long_or_short(14, 5);

    for (uint64_t seed = 1; seed <= plots; seed++)
        tell(seed, deeds);
}
