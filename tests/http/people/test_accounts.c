/* test_accounts.c - players by tokens of an identity provider. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/identity/jwt.h"
#include "api/identity/keys.h"
#include "api/live/accounts.h"
#include "rules/mix.h"
#include "tests/http/provided.h"
#include "tests/support/files.h"
#include "tests/support/hours.h"
#include "tests/support/stream.h"

static void open_while_hours_pass(struct house *house)
{
    house_open_on(house, hours_borrow_running());
    house_open_second(house);
}

PROVIDED_SUITE(accounts, open_while_hours_pass, HOUSE_PATIENCE_S);

/* ---- asking ---- */

static struct answer ask_freeing(char *token, const char *method, const char *path,
                                 const char *body)
{
    struct answer answer = ask_as(&house, token, method, path, body);

    free(token);
    return answer;
}

static char *token_of(const char *subject)
{
    return provider_token(&provider, subject, "", 300);
}

/* The id of the player of an account, as one daemon tells it. */
static void learn_id(int port, const char *token, char id[32])
{
    struct http_reply reply;
    char headers[4096];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", token);
    http_request(port, &reply, "GET", "/v1/me", headers, NULL);
    cr_assert_eq(reply.status, 200, "%s", reply.body);
    cr_assert(http_copy_member(reply.body, "id", id, 32));
    http_free(&reply);
}

static void assert_players(const char *count)
{
    PGconn *pg = PQconnectdb(house.database);
    PGresult *result = PQexec(pg, "select count(*) from players");

    cr_assert_eq(PQresultStatus(result), PGRES_TUPLES_OK, "%s", PQerrorMessage(pg));
    cr_assert_str_eq(PQgetvalue(result, 0, 0), count);
    PQclear(result);
    PQfinish(pg);
}

/* ---- who it is ---- */

Test(accounts, an_account_is_a_player_with_a_name_of_its_claims_from_its_first_request_on)
{
    char *token =
        provider_token(&provider, "42", "\"name\":\"Ada Lovelace\",\"locale\":\"tr-TR\",", 300);
    struct answer answer = ask_as(&house, token, "GET", "/v1/me", NULL);

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "name"), "Ada Lovelace");
    answer = ask_as(&house, token, "GET", "/v1/games/0000000000000000000000000x", NULL);
    cr_assert_str_neq(text_of(&answer, "title"), "There is no such game", "it is Turkish");
    free(token);
}

Test(accounts, it_is_the_same_player_at_every_daemon_and_with_every_token)
{
    char *first = token_of("42"), *second = provider_token(&provider, "42", "\"x\":1,", 200),
         *other = token_of("43");
    char here[32], there[32], stranger[32];

    learn_id(house.plyd.port, first, here);
    learn_id(house.second.port, second, there);
    cr_assert_str_eq(here, there);
    learn_id(house.second.port, other, stranger);
    cr_assert_str_neq(here, stranger);
    assert_players("2");
    free(first);
    free(second);
    free(other);
}

struct racer {
    pthread_t thread;
    int port;
    const char *token;
    char id[32];
};

static void *race(void *args)
{
    struct racer *racer = args;

    learn_id(racer->port, racer->token, racer->id);
    return NULL;
}

Test(accounts, of_ten_first_requests_at_once_one_makes_the_player)
{
    enum { RACERS = 10 };
    struct racer racers[RACERS];
    char *token = token_of("42");

    for (int i = 0; i < RACERS; i++) {
        racers[i] =
            (struct racer){.port = i % 2 ? house.plyd.port : house.second.port, .token = token};
        cr_assert_eq(pthread_create(&racers[i].thread, NULL, race, &racers[i]), 0);
    }
    for (int i = 0; i < RACERS; i++) {
        pthread_join(racers[i].thread, NULL);
        cr_assert_str_eq(racers[i].id, racers[0].id);
    }
    assert_players("1");
    free(token);
}

Test(accounts, it_plays_as_any_player_does)
{
    char *ada = token_of("ada"), *mia = token_of("mia");
    struct game game = {.id = ""};
    struct answer answer =
        ask_as(&house, ada, "POST", "/v1/games",
               "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}],"
               "\"visibility\":\"private\"}");

    assert_status(&answer, 201);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&answer, "id"));
    answer = ask_at(&house, mia, "GET", NULL, "/v1/games/%s", game.id);
    assert_problem(&answer, 404, "no-such-game");
    answer = ask_at(&house, ada, "POST", "{\"seat\":2}", "/v1/games/%s/invitations", game.id);
    assert_status(&answer, 201);
    char *invitation;
    cr_assert_geq(asprintf(&invitation, "{\"invitation\":\"%s\"}", text_of(&answer, "code")), 0);
    answer = ask_at(&house, mia, "POST", invitation, "/v1/games/%s/join", game.id);
    assert_status(&answer, 200);
    answer = ask_at(&house, ada, "PUT", "b2", "/v1/games/%s/moves/1", game.id);
    assert_status(&answer, 201);
    answer = ask_at(&house, ada, "POST", "a1", "/v1/games/%s/moves", game.id);
    assert_problem(&answer, 409, "not-your-turn");
    answer = ask_at(&house, mia, "POST", "a1", "/v1/games/%s/moves", game.id);
    assert_status(&answer, 201);
    free(invitation);
    free(ada);
    free(mia);
}

Test(accounts, a_request_is_repeated_with_a_fresh_token)
{
    static const char body[] = "{\"variant\":\"tictactoe\"}";
    char id[2][32];

    for (int i = 0; i < 2; i++) {
        char *token = provider_token(&provider, "42", "", 300 + i), *headers;
        struct answer answer;

        cr_assert_geq(asprintf(&headers,
                               "Authorization: Bearer %s\r\nIdempotency-Key: one\r\n"
                               "Content-Type: application/json\r\n",
                               token),
                      0);
        answer = ask(&house, "POST", "/v1/games", headers, body);
        assert_status(&answer, 201);
        snprintf(id[i], sizeof(id[i]), "%s", text_of(&answer, "id"));
        free(headers);
        free(token);
    }
    cr_assert_str_eq(id[0], id[1]);
}

/* ---- what does not get in ---- */

static void assert_refused(char *token, const char *code)
{
    struct answer answer = ask_freeing(token, "GET", "/v1/games", NULL);
    char value[256];

    assert_problem(&answer, 401, code);
    cr_assert_not_null(http_header(&answer.reply, "WWW-Authenticate", value));
    cr_assert_not_null(strstr(value, "error=\"invalid_token\""), "%s", value);
}

Test(accounts, each_bad_token_is_refused_with_what_is_wrong_with_it)
{
    char *claims = provider_claims("42", "", 300), *pem = signer_pem(&provider.signer);
    struct signer rsa;

    signer_make(&rsa, SIGNER_RS256, "first", 0);
    assert_refused(provider_token(&provider, "42", "", -61), "jwt-expired");
    assert_refused(provider_token(&provider, "42", "\"nbf\":4000000000,", 300),
                   "jwt-not-yet-valid");
    assert_refused(signer_token(&provider.signer,
                                "{\"iss\":\"" PROVIDER_ISSUER "\",\"aud\":\"other\",\"sub\":\"42\","
                                "\"exp\":4000000000}"),
                   "jwt-audience");
    assert_refused(signer_token(&provider.signer,
                                "{\"iss\":\"https://id.example\",\"aud\":\"plyd\",\"sub\":\"42\","
                                "\"exp\":4000000000}"),
                   "jwt-issuer");
    assert_refused(signer_forge("{\"alg\":\"none\"}", claims, "x", 1), "jwt-algorithm");
    assert_refused(signer_hmac("{\"alg\":\"HS256\",\"kid\":\"first\"}", claims, pem),
                   "jwt-algorithm");
    assert_refused(signer_hmac("{\"alg\":\"ES256\",\"kid\":\"first\"}", claims, pem),
                   "jwt-signature");
    assert_refused(signer_token(&rsa, claims), "jwt-algorithm");
    assert_refused(strdup("a.b"), "jwt-malformed");
    assert_players("0");
    signer_free(&rsa);
    free(claims);
    free(pem);
}

Test(accounts, thousands_of_mutated_tokens_make_nobody)
{
    char *good = token_of("42"), headers[4096];
    int fd = http_connect(house.plyd.port);
    uint64_t dice = 38;

    for (int i = 0; i < 4000; i++) {
        char *token = strdup(good);
        struct http_reply reply;

        dice += MIX_STEP;
        if (i % 4 == 0)
            token[1 + mix(dice) % (strlen(token) - 1)] = '\0';
        else
            token[mix(dice) % strlen(token)] = "Az0-_.~"[mix(dice + 1) % 7];
        if (strcmp(token, good) != 0) {
            snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", token);
            http_send(fd, "GET", "/v1/me", headers, NULL, 0);
            http_receive(fd, "GET", &reply);
            cr_assert_eq(reply.status, 401, "%d %s", reply.status, token);
            http_free(&reply);
        }
        free(token);
    }
    close(fd);
    assert_players("0");
    free(good);
}

Test(accounts, who_shows_nothing_is_told_of_jwts_where_they_are_known)
{
    struct answer answer = ask(&house, "GET", "/v1/me", NULL, NULL);

    assert_problem(&answer, 401, "token-missing");
    cr_assert_not_null(strstr(text_of(&answer, "detail"), "a JWT of the identity provider"));
}

/* ---- plyd's own token, and leaving ---- */

Test(accounts, an_account_gets_no_token_of_plyds)
{
    struct answer answer = ask_freeing(token_of("42"), "POST", "/v1/me/token", "{}");

    assert_problem(&answer, 403, "account-token");
}

Test(accounts, an_account_whose_player_has_left_gets_no_other_one_by_itself)
{
    char *token = token_of("42");
    struct answer answer = ask_as(&house, token, "DELETE", "/v1/me", NULL);

    assert_status(&answer, 204);
    answer = ask_as(&house, token, "GET", "/v1/me", NULL);
    assert_problem(&answer, 401, "account-left");
    answer = ask_freeing(token, "GET", "/v1/games", NULL);
    assert_problem(&answer, 401, "account-left");
    assert_players("1");
}

static struct answer join(const char *token, const struct player *player)
{
    char body[200];

    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", player->token);
    return ask_as(&house, token, "POST", "/v1/me/link", body);
}

static void assert_joins(const char *token, const struct player *player)
{
    struct answer answer = join(token, player);

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "id"), player->id);
}

Test(accounts, a_player_of_before_is_joined_and_their_token_goes_on_to_work)
{
    char *token = token_of("42"), id[32], fresh[32];
    struct player ada = new_player(&house, "Ada");
    struct answer answer;

    learn_id(house.plyd.port, token, fresh);
    learn_id(house.second.port, token, fresh);
    assert_joins(token, &ada);
    assert_joins(token, &ada);
    learn_id(house.plyd.port, token, id);
    cr_assert_str_eq(id, ada.id);
    learn_id(house.plyd.port, ada.token, id);
    cr_assert_str_eq(id, ada.id);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/players/%s", fresh);
    assert_problem(&answer, 404, "no-such-player");
    do /* the other daemon may remember the player for five seconds */
        learn_id(house.second.port, token, id);
    while (strcmp(id, ada.id) != 0);
    free(token);
}

Test(accounts, a_token_of_plyds_is_ended_by_the_account)
{
    char *token = token_of("42");
    struct player ada = new_player(&house, "Ada");
    struct answer answer;

    assert_joins(token, &ada);
    house_sql(&house, "update players set account_at = account_at - interval '8 days'");
    answer = ask_as(&house, token, "DELETE", "/v1/me/token", NULL);
    assert_status(&answer, 204);
    answer = ask_as(&house, ada.token, "GET", "/v1/me", NULL);
    assert_problem(&answer, 401, "token-unknown");
    answer = ask_freeing(token, "GET", "/v1/me", NULL);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "id"), ada.id);
}

Test(accounts, two_players_with_games_do_not_become_one)
{
    char *token = token_of("42");
    struct player ada = new_player(&house, "Ada");
    struct answer answer;

    new_game_of(&house, token,
                "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    answer = join(token, &ada);
    assert_problem(&answer, 409, "account-taken");
    free(token);
}

Test(accounts, an_account_that_was_joined_is_not_joined_to_another_player)
{
    char *token = token_of("42");
    struct player ada = new_player(&house, "Ada"), eve = new_player(&house, "Eve");
    struct answer answer;

    assert_joins(token, &ada);
    answer = join(token, &eve);
    assert_problem(&answer, 409, "account-taken");
    free(token);
}

/* The other daemon may still take the account for the player that it was. */
Test(accounts, a_player_to_whom_an_account_could_not_be_joined_is_free_for_another_one)
{
    char *token = token_of("42"), *other = token_of("43"), fresh[32];
    struct player ada = new_player(&house, "Ada"), eve = new_player(&house, "Eve");
    char headers[4096], body[200];
    struct http_reply reply;

    learn_id(house.plyd.port, token, fresh);
    learn_id(house.second.port, token, fresh);
    assert_joins(token, &ada);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n", token);
    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", eve.token);
    http_request(house.second.port, &reply, "POST", "/v1/me/link", headers, body);
    cr_assert_eq(reply.status, 409, "%s", reply.body);
    http_free(&reply);
    assert_joins(other, &eve);
    free(token);
    free(other);
}

Test(accounts, who_acts_as_nobody_any_more_is_not_told_again_whom_they_were_joined_to)
{
    char *token = token_of("42"), headers[4096], body[200];
    struct player ada = new_player(&house, "Ada");
    struct answer answer = ask_as(&house, token, "DELETE", "/v1/me", NULL);

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
             "Idempotency-Key: the key of a link\r\n",
             token);
    snprintf(body, sizeof(body), "{\"token\":\"%s\"}", ada.token);
    answer = ask(&house, "POST", "/v1/me/link", headers, body);
    assert_status(&answer, 200);
    replace_player_token(&house, &ada);
    answer = ask(&house, "POST", "/v1/me/link", headers, body);
    assert_problem(&answer, 401, "account-left");
    free(token);
}

Test(accounts, an_account_whose_player_has_left_is_joined_to_another_one)
{
    char *token = token_of("42"), id[32];
    struct player ada = new_player(&house, "Ada");

    ask_as(&house, token, "DELETE", "/v1/me", NULL);
    assert_joins(token, &ada);
    learn_id(house.plyd.port, token, id);
    cr_assert_str_eq(id, ada.id);
    free(token);
}

Test(accounts, who_has_not_the_token_of_a_player_does_not_become_them)
{
    char *token = token_of("42");
    struct player ada = new_player(&house, "Ada"), thief = ada;
    struct answer answer;

    thief.token[strlen(thief.token) - 1] ^= 1;
    answer = join(token, &thief);
    assert_problem(&answer, 400, "bad-parameter");
    answer = join(ada.token, &ada);
    assert_problem(&answer, 403, "account-needed");
    free(token);
}

/* The daemon has found it good, and remembers that. */
Test(accounts, a_token_that_has_expired_is_good_no_more)
{
    static const int64_t later = INT64_C(1000000) * (300 + JWT_LEEWAY_S);
    char *token = token_of("42"), path[64];
    struct game game = new_game_of(
        &house, token, "{\"variant\":\"jungle\",\"clock\":{\"kind\":\"days\",\"days\":3}}");

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    hours_pass(house.database, later, false);
    hours_seen(house.database, house.plyd.port, path);
    assert_refused(token, "jwt-expired");
}

/* The same `sub` of another provider is somebody else. */
Test(accounts, an_account_is_one_of_its_issuer)
{
    char *token = token_of("42"), *claims, here[32], there[32];

    learn_id(house.second.port, token, here);
    free(token);
    plyd_close(&house.plyd);
    plyd_start(&house.plyd, house.database, "--jwt-issuer", "https://id.example/realms/other",
               NULL);
    cr_assert_geq(asprintf(&claims,
                           "{\"iss\":\"https://id.example/realms/other\",\"aud\":\"%s\","
                           "\"sub\":\"42\",\"exp\":%lld}",
                           PROVIDER_AUDIENCE, (long long)time(NULL) + 300),
                  0);
    token = signer_token(&provider.signer, claims);
    learn_id(house.plyd.port, token, there);
    cr_assert_str_neq(here, there);
    free(claims);
    free(token);
}

/* ---- streams ---- */

static void open_stream(struct stream *stream, const char *path, const char *token)
{
    struct http_reply head;
    char headers[4096];

    snprintf(headers, sizeof(headers), "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n",
             token);
    stream_open(stream, house.plyd.port, path, headers, &head);
    cr_assert_eq(head.status, 200, "%s", head.body);
    http_free(&head);
}

/* Whatever it still tells. */
static void assert_ends(struct stream *stream)
{
    free(stream_rest(stream));
    stream_close(stream);
}

Test(accounts, a_stream_ends_when_its_token_has_expired)
{
    char *token = provider_token(&provider, "42", "", -57);
    struct stream stream;

    open_stream(&stream, "/v1/me/events", token);
    assert_ends(&stream);
    free(token);
}

static char *aged_token(long age_s)
{
    char claims[64];

    snprintf(claims, sizeof(claims), "\"iat\":%ld,", (long)time(NULL) - age_s);
    return provider_token(&provider, "42", claims, 3600);
}

Test(accounts, a_token_grows_old_and_so_does_its_stream)
{
    struct stream stream;
    char *token;

    plyd_close(&house.plyd);
    plyd_start(&house.plyd, house.database, "--jwt-age-s", "100", NULL);
    assert_refused(aged_token(161), "jwt-expired");
    token = aged_token(157);
    open_stream(&stream, "/v1/me/events", token);
    assert_ends(&stream);
    assert_refused(token, "jwt-expired");
}

/* ---- keys ---- */

static void publish(const struct signer *one, const struct signer *other)
{
    const struct signer *both[] = {one, other};

    provider_publish(&provider, both, other == NULL ? 1 : 2);
}

/* Has the daemon read the keys again, as an operator does, and waits until it has. */
static void reload(struct plyd *plyd, const char *keys)
{
    kill(plyd->pid, SIGHUP);
    plyd_await(plyd, keys);
}

static int status_of(char *token)
{
    struct answer answer = ask_freeing(token, "GET", "/v1/me", NULL);

    return answer.status;
}

struct load {
    pthread_t thread;
    const struct signer *signer;
    atomic_bool stop;
    atomic_int asked, failed;
};

/* Asks by a new token each time, so that each is judged. */
static void *ask_on(void *args)
{
    struct load *load = args;

    for (int i = 0; !load->stop; i++) {
        char *claims = provider_claims("42", "", 300 + i), *token, headers[4096];
        struct http_reply reply;

        token = signer_token(load->signer, claims);
        snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", token);
        http_request(house.plyd.port, &reply, "GET", "/v1/me", headers, NULL);
        load->asked++;
        load->failed += reply.status != 200;
        http_free(&reply);
        free(token);
        free(claims);
    }
    return NULL;
}

Test(accounts, keys_are_rotated_under_load_and_no_request_fails)
{
    struct load load = {.signer = &provider.signer};
    struct signer next[3];

    cr_assert_eq(pthread_create(&load.thread, NULL, ask_on, &load), 0);
    for (int i = 0; i < 3; i++) {
        static const char *const ids[] = {"a", "b", "c"};
        char *claims = provider_claims("42", "", 300);

        signer_make(&next[i], (enum signer_kind)i, ids[i], 0);
        publish(&provider.signer, &next[i]);
        if (i == 0) /* the first unknown key has the keys read, and the request waits for that */
            cr_assert_eq(status_of(signer_token(&next[i], claims)), 200);
        else
            reload(&house.plyd, "\"keys\":\"2\"");
        while (status_of(signer_token(&next[i], claims)) != 200 || load.asked < 50 * (i + 1))
            ;
        free(claims);
    }
    load.stop = true;
    pthread_join(load.thread, NULL);
    cr_assert_eq(load.failed, 0, "%d of %d", load.failed, load.asked);
    for (int i = 0; i < 3; i++)
        signer_free(&next[i]);
}

/* ---- keys that are not known ---- */

/* A token by a key that nobody published. */
static char *stray_token(const char *subject)
{
    struct signer nobody;
    char *claims = provider_claims(subject, "", 300), *token;

    signer_make(&nobody, SIGNER_EDDSA, "nobody", 0);
    token = signer_token(&nobody, claims);
    signer_free(&nobody);
    free(claims);
    return token;
}

Test(accounts, for_unknown_keys_the_provider_is_asked_ten_times_a_minute_at_most)
{
    size_t before = receiver_count(&provider.receiver);
    time_t began = time(NULL);

    for (int i = 0; i < 3; i++) {
        char *token = stray_token("42");

        for (int again = 0; again < 100; again++)
            assert_refused(strdup(token), "jwt-key-unknown");
        free(token);
    }
    cr_assert_leq(receiver_count(&provider.receiver) - before,
                  2 + (size_t)(time(NULL) - began) / KEYS_MISS_S);
}

Test(accounts, a_key_that_is_published_gets_in_though_a_stranger_had_keys_looked_for)
{
    char *claims = provider_claims("42", "", 300);
    struct signer fresh;

    assert_refused(stray_token("41"), "jwt-key-unknown");
    signer_make(&fresh, SIGNER_EDDSA, "fresh", 0);
    publish(&provider.signer, &fresh);
    cr_assert_eq(status_of(signer_token(&fresh, claims)), 200);
    signer_free(&fresh);
    free(claims);
}

/* Asks who a token is, as a client of this address. */
static int begin_to_ask(char *token, int address)
{
    int fd = http_connect(house.plyd.port);
    char headers[4096];

    snprintf(headers, sizeof(headers), "X-Forwarded-For: 10.0.%d.1\r\nAuthorization: Bearer %s\r\n",
             address, token);
    free(token);
    http_send(fd, "GET", "/v1/me", headers, NULL, 0);
    return fd;
}

static struct answer end_asking(int fd)
{
    struct http_reply reply;

    http_receive(fd, "GET", &reply);
    close(fd);
    return answer_of(&house, "GET", "/v1/me", reply);
}

/* One loop: what waits is counted for each. */
static void start_behind_proxy(void)
{
    plyd_close(&house.plyd);
    plyd_start(&house.plyd, house.database, "--trusted-proxies", "1", "--loops", "1", NULL);
    cr_assert_eq(status_of(token_of("42")), 200);
}

Test(accounts, all_who_wait_for_a_key_go_on_when_it_is_there)
{
    enum { MANY = 40 };
    struct signer fresh;
    int fd[MANY];

    start_behind_proxy();
    assert_refused(stray_token("41"), "jwt-key-unknown");
    signer_make(&fresh, SIGNER_EDDSA, "fresh", 0);
    publish(&provider.signer, &fresh);
    for (int i = 0; i < MANY; i++) {
        char *claims = provider_claims("42", "", 300 + i);

        fd[i] = begin_to_ask(signer_token(&fresh, claims), i);
        free(claims);
    }
    for (int i = 0; i < MANY; i++) {
        struct answer answer = end_asking(fd[i]);

        assert_status(&answer, 200);
    }
    signer_free(&fresh);
}

/* A reading has begun, and does not end for ten seconds. */
static void begin_slow_reading(void)
{
    receiver_falls_silent(&provider.receiver);
    kill(house.plyd.pid, SIGHUP);
    while (receiver_under_way(&provider.receiver) == 0)
        ;
}

static int has_answer(int fd)
{
    struct pollfd ready = {fd, POLLIN, 0};

    return poll(&ready, 1, 0);
}

static void assert_comes_again(int fd)
{
    struct answer answer = end_asking(fd);
    char value[256];

    assert_problem(&answer, 503, "keys-unavailable");
    cr_assert_not_null(http_header(&answer.reply, "Retry-After", value));
}

Test(accounts, of_a_stranger_with_many_tokens_a_few_wait_and_none_is_told_that_there_is_no_key)
{
    enum { MANY = 20 };
    int fd[MANY];

    start_behind_proxy();
    begin_slow_reading();
    for (int i = 0; i < MANY; i++)
        fd[i] = begin_to_ask(stray_token("41"), 1);
    for (int i = ACCOUNTS_WAITING_EACH; i < MANY; i++)
        assert_comes_again(fd[i]);
    for (int i = 0; i < ACCOUNTS_WAITING_EACH; i++)
        cr_assert_not(has_answer(fd[i]), "%d", i);
    cr_assert_eq(status_of(token_of("43")), 200, "known keys need not wait");
    cr_assert_gt(receiver_under_way(&provider.receiver), 0, "all that was during the reading");
    for (int i = 0; i < ACCOUNTS_WAITING_EACH; i++)
        assert_comes_again(fd[i]);
}

Test(accounts, who_was_told_to_come_again_is_told_at_once_that_there_is_no_key)
{
    char *token = stray_token("41");
    struct signer other;
    struct answer answer;

    start_behind_proxy();
    provider_fail(&provider);
    reload(&house.plyd, "jwt-keys-not-read");
    answer = ask_as(&house, token, "GET", "/v1/me", NULL);
    assert_problem(&answer, 503, "keys-unavailable");
    signer_make(&other, SIGNER_ES256, "other", 0);
    publish(&provider.signer, &other);
    reload(&house.plyd, "\"keys\":\"2\"");
    begin_slow_reading();
    assert_refused(token, "jwt-key-unknown");
    cr_assert_gt(receiver_under_way(&provider.receiver), 0, "and so it did not wait");
    signer_free(&other);
}

/* ---- keys that are withdrawn ---- */

Test(accounts, a_key_that_was_withdrawn_signs_no_more_and_tokens_by_it_end)
{
    char *token = token_of("42");
    struct signer other;

    cr_assert_eq(status_of(strdup(token)), 200);
    signer_make(&other, SIGNER_ES256, "other", 0);
    publish(&other, NULL);
    kill(house.plyd.pid, SIGHUP);
    while (status_of(strdup(token)) == 200)
        ;
    assert_refused(token, "jwt-key-unknown");
    signer_free(&other);
}

Test(accounts, the_last_key_is_withdrawn_like_any_other)
{
    char *token = token_of("42");

    cr_assert_eq(status_of(strdup(token)), 200);
    provider_publish(&provider, NULL, 0);
    reload(&house.plyd, "\"keys\":\"0\"");
    assert_refused(token, "jwt-key-unknown");
    assert_refused(token_of("43"), "jwt-key-unknown");
}

Test(accounts, what_is_no_set_of_keys_withdraws_none)
{
    static const char page[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

    cr_assert_eq(status_of(token_of("42")), 200);
    receiver_answers(&provider.receiver, page, sizeof(page) - 1, false);
    reload(&house.plyd, "jwt-keys-not-read");
    cr_assert_eq(status_of(token_of("43")), 200);
}

static int begin_to_wait(const char *path, const char *token)
{
    int fd = http_connect(house.plyd.port);
    char headers[4096];

    snprintf(headers, sizeof(headers),
             "Prefer: wait=60\r\nIf-None-Match: \"1\"\r\nAuthorization: Bearer %s\r\n", token);
    http_send(fd, "GET", path, headers, NULL, 0);
    return fd;
}

Test(accounts, what_a_withdrawn_key_has_opened_ends_and_the_rest_goes_on)
{
    char *claims = provider_claims("43", "", 300), *old = token_of("42"), *good;
    struct stream ended, other_stream, game_stream;
    struct stream_message message;
    struct http_reply reply;
    struct answer answer;
    struct signer other;
    char path[64], events[80];
    int waiting;

    signer_make(&other, SIGNER_EDDSA, "other", 0);
    good = signer_token(&other, claims);
    publish(&provider.signer, &other);
    cr_assert_eq(status_of(strdup(good)), 200);
    answer = ask_as(&house, old, "POST", "/v1/games",
                    "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}],"
                    "\"visibility\":\"private\"}");
    assert_status(&answer, 201);
    snprintf(path, sizeof(path), "/v1/games/%s", text_of(&answer, "id"));
    snprintf(events, sizeof(events), "%s/events", path);
    open_stream(&ended, "/v1/me/events", old);
    open_stream(&game_stream, events, old);
    open_stream(&other_stream, "/v1/me/events", good);
    waiting = begin_to_wait(path, old);
    publish(&other, NULL);
    reload(&house.plyd, "\"keys\":\"1\"");
    assert_ends(&ended);
    assert_ends(&game_stream);
    http_receive(waiting, "GET", &reply);
    cr_assert_eq(reply.status, 401, "%d %s", reply.status, reply.body);
    http_free(&reply);
    close(waiting);
    new_game_of(&house, good, "{\"variant\":\"jungle\",\"seats\":[{\"me\":true},{\"open\":true}]}");
    cr_assert(stream_message(&other_stream, &message), "the other one goes on");
    stream_close(&other_stream);
    signer_free(&other);
    free(claims);
    free(old);
    free(good);
}

/* ---- keys that cannot be read ---- */

Test(accounts, while_the_provider_is_away_the_known_keys_go_on)
{
    cr_assert_eq(status_of(token_of("42")), 200);
    provider_fail(&provider);
    reload(&house.plyd, "jwt-keys-not-read");
    cr_assert_eq(status_of(token_of("42")), 200);
    cr_assert_eq(status_of(token_of("43")), 200);
    cr_assert_eq(status_of(stray_token("43")), 503, "whether there is such a key nobody knows");
}

Test(accounts, without_any_keys_the_daemon_serves_and_says_when_to_ask_again)
{
    struct answer answer;
    char value[256];

    plyd_close(&house.plyd);
    provider_fail(&provider);
    plyd_start(&house.plyd, house.database, NULL);
    answer = ask_freeing(token_of("42"), "GET", "/v1/me", NULL);
    assert_problem(&answer, 503, "keys-unavailable");
    cr_assert_not_null(http_header(&answer.reply, "Retry-After", value));
    new_player(&house, "Ada");
    publish(&provider.signer, NULL);
    while (status_of(token_of("42")) != 200)
        ;
}

Test(accounts, metrics_tell_of_the_keys)
{
    struct answer answer;

    cr_assert_eq(status_of(token_of("42")), 200);
    answer = ask(&house, "GET", "/metrics", NULL, NULL);
    cr_assert_not_null(strstr(answer.reply.body, "\nplyd_jwt_keys 1\n"));
    cr_assert_not_null(strstr(answer.reply.body, "\nplyd_jwts_judged_total 1\n"));
}

/* ---- a file of keys ---- */

static char *output_of(const char *format, const char *file)
{
    char command[300], *text = calloc(1, 4096);
    FILE *pipe;

    snprintf(command, sizeof(command), format, file);
    pipe = popen(command, "r");
    cr_assert_not_null(pipe);
    text[fread(text, 1, 4095, pipe)] = '\0';
    cr_assert_eq(pclose(pipe), 0, "%s", command);
    text[strcspn(text, "\n")] = '\0';
    return text;
}

Test(accounts, the_example_of_an_application_makes_tokens_that_get_in)
{
    char path[] = "/tmp/plyd-keys-XXXXXX", key[64], *text;
    int fd = mkstemp(path);
    struct answer answer;

    if (system("node --version >/dev/null 2>&1") != 0)
        cr_skip_test("there is no node");
    close(fd);
    snprintf(key, sizeof(key), "%s.pem", path);
    free(output_of("node examples/tokens.mjs key > %s", key));
    text = output_of("node examples/tokens.mjs jwks %s", key);
    file_write(path, text);
    free(text);
    plyd_close(&house.plyd);
    plyd_start(&house.plyd, house.database, "--jwks", path, NULL);
    answer = ask_freeing(output_of("node examples/tokens.mjs token %s " PROVIDER_ISSUER
                                   " plyd 42 'Ada Lovelace'",
                                   key),
                         "GET", "/v1/me", NULL);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "name"), "Ada Lovelace");
    unlink(path);
    unlink(key);
}

static void assert_does_not_start(const char *flag, const char *value, const char *why)
{
    struct plyd plyd;

    plyd_run(&plyd, "serve", house.database, flag, value, NULL);
    cr_assert_neq(plyd_wait(&plyd), 0);
    cr_assert(plyd_logged(&plyd, why), "%s %s", flag, value);
    plyd_forget(&plyd);
}

Test(accounts, settings_that_cannot_work_end_the_start)
{
    char path[] = "/tmp/plyd-keys-XXXXXX";

    close(mkstemp(path));
    file_write(path, "{\"keys\":[]}");
    assert_does_not_start("--jwks", path, "has no key of use");
    unlink(path);
    assert_does_not_start("--jwks", "/dev/null", "has no key of use");
    assert_does_not_start("--jwks", "ftp://id.example/jwks", "no URL of https or http");
    unsetenv("PLYD_JWT_AUDIENCE");
    assert_does_not_start("--jwt-issuer", PROVIDER_ISSUER, "together or not at all");
    setenv("PLYD_JWT_AUDIENCE", PROVIDER_AUDIENCE, 1);
}
