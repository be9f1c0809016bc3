/* test_callers.c - whoever asks is told what is theirs, and nobody makes themselves another. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "api/game/ids.h"
#include "tests/http/provided.h"

PROVIDED_SUITE(callers, house_open, HOUSE_PATIENCE_S);

static const char long_key[] = "01890a5d-ac96-774b-bcce-b302099a8057";

/* Sends a request with these headers; `auth` is the value of Authorization, or NULL. */
static struct answer send_as(const char *auth, const char *key, const char *method,
                             const char *path, const char *body)
{
    char headers[4096];

    snprintf(
        headers, sizeof(headers), "%s%s%sContent-Type: application/json\r\n%s%s%s",
        auth == NULL ? "" : "Authorization: ", auth == NULL ? "" : auth, auth == NULL ? "" : "\r\n",
        key == NULL ? "" : "Idempotency-Key: ", key == NULL ? "" : key, key == NULL ? "" : "\r\n");
    return ask(&house, method, path, headers, body);
}

static bool is_replayed(const struct answer *answer)
{
    char value[256];

    return http_header(&answer->reply, "Idempotent-Replayed", value) != NULL;
}

static char *bearer(const char *token)
{
    char *text = NULL;

    cr_assert_geq(asprintf(&text, "Bearer %s", token), 0);
    return text;
}

/* ---- no answer of another's, by any header ---- */

struct path {
    char text[80];
};

/* Somebody with something to lose: what they send, and what only they may read of the answer. */
struct deed {
    const char *key, *method, *body, *secret;
    struct path path;
};

enum { DEEDS_MAX = 12, FORMS_MAX = 200 };

struct victim {
    char *auth;
    struct deed deed[DEEDS_MAX];
    size_t deeds;
    char *secret[DEEDS_MAX];
};

/* What a thief writes into Authorization. */
struct forms {
    char *form[FORMS_MAX];
    size_t count;
};

static void free_forms(struct forms *forms)
{
    while (forms->count > 0)
        free(forms->form[--forms->count]);
}

static void add_basic(struct forms *forms, const char *text, bool as_password)
{
    char plain[2048], encoded[4096];

    snprintf(plain, sizeof(plain), "%s%s%s", as_password ? ":" : "", text, as_password ? "" : ":");
    sodium_bin2base64(encoded, sizeof(encoded), (const unsigned char *)plain, strlen(plain),
                      sodium_base64_VARIANT_ORIGINAL);
    cr_assert_geq(asprintf(&forms->form[forms->count++], "Basic %s", encoded), 0);
}

static void add_forms(struct forms *forms, const char *text)
{
    cr_assert_leq(forms->count + 5, FORMS_MAX);
    cr_assert_geq(asprintf(&forms->form[forms->count++], "Bearer %s", text), 0);
    cr_assert_geq(asprintf(&forms->form[forms->count++], "bEARER    %s", text), 0);
    cr_assert_geq(asprintf(&forms->form[forms->count++], "%s", text), 0);
    add_basic(forms, text, false);
    add_basic(forms, text, true);
}

static void add_names(struct forms *forms, const char *id)
{
    static const char *const names[] = {
        "%s",           "account %s", "account\t%s",
        "player %s",    "seat %s",    "stranger %s",
        "ACCOUNT %s",   "3%s",        "plyd_player_%s",
        "plyd_seat_%s", "2:%s",       "plyd_player_%s0000000000000000000000000000000"};
    char text[200];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof(text), names[i], id);
#pragma GCC diagnostic pop
        add_forms(forms, text);
    }
}

/* As the database has it; a thief can work it out if it follows from public texts. */
static void account_id(char text[IDS_TEXT])
{
    PGconn *pg = PQconnectdb(house.database);
    PGresult *result = PQexec(pg, "select replace(id::text, '-', '') from accounts limit 1");
    const char *hex = PQgetvalue(result, 0, 0);
    db_id id;

    for (size_t i = 0; i < sizeof(id.byte); i++) {
        unsigned byte;

        cr_assert_eq(sscanf(hex + 2 * i, "%2x", &byte), 1);
        id.byte[i] = (uint8_t)byte;
    }
    ids_text(id, text);
    PQclear(result);
    PQfinish(pg);
}

static void add_deed(struct victim *victim, const char *key, const char *method, const char *path,
                     const char *body, const char *secret)
{
    struct deed *deed = &victim->deed[victim->deeds++];

    *deed = (struct deed){.key = key, .method = method, .body = body, .secret = secret};
    snprintf(deed->path.text, sizeof(deed->path.text), "%s", path);
}

static void do_deeds(struct victim *victim)
{
    for (size_t i = 0; i < victim->deeds; i++) {
        const struct deed *deed = &victim->deed[i];
        struct answer first = send_as(victim->auth, deed->key, deed->method, deed->path.text,
                                      deed->body),
                      again = send_as(victim->auth, deed->key, deed->method, deed->path.text,
                                      deed->body);

        cr_assert_lt(first.status, 300, "%s %s %s", deed->method, deed->path.text,
                     first.reply.body);
        cr_assert(is_replayed(&again), "%s %s %s", deed->method, deed->path.text, again.reply.body);
        victim->secret[i] = strdup(text_of(&first, deed->secret));
        cr_assert_str_eq(text_of(&again, deed->secret), victim->secret[i]);
    }
}

static void assert_nothing_told(const struct victim *victim, const char *form)
{
    for (size_t i = 0; i < victim->deeds; i++) {
        const struct deed *deed = &victim->deed[i];
        struct answer answer = send_as(form, deed->key, deed->method, deed->path.text, deed->body);

        cr_assert(answer.status >= 400 || strstr(deed->path.text, "/v1/games/0") == NULL,
                  "%s: %s %s", form, deed->method, deed->path.text);
        cr_assert(answer.status >= 400 || strstr(answer.reply.body, victim->secret[i]) == NULL,
                  "%s: %s %s: %s", form, deed->method, deed->path.text, answer.reply.body);
    }
}

static struct path path_of(const char *id, const char *what)
{
    struct path path;

    snprintf(path.text, sizeof(path.text), "/v1/games/%s/%s", id, what);
    return path;
}

static const char private_game[] = "{\"variant\":\"tictactoe\",\"visibility\":\"private\","
                                   "\"seats\":[{\"open\":true},{\"me\":true}]}";

/* A victim with all deeds that show or keep something, in a private game of theirs. */
static struct victim victim_of(char *auth, bool is_player)
{
    struct victim victim = {.auth = auth};
    struct answer answer =
        send_as(is_player ? auth : NULL, NULL, "POST", "/v1/games", private_game);
    char id[32];

    snprintf(id, sizeof(id), "%s", text_of(&answer, "id"));
    if (!is_player)
        victim.auth = bearer(text_of(&answer, "token"));
    add_deed(&victim, "game-7", "POST", "/v1/games", private_game, "token");
    add_deed(&victim, "note-7", "PUT", path_of(id, "notes/0").text, "{\"text\":\"mine\"}", "text");
    add_deed(&victim, "ticket-7", "POST", path_of(id, "ticket").text, "{}", "ticket");
    add_deed(&victim, "invite-7", "POST", path_of(id, "invitations").text, "{}", "code");
    add_deed(&victim, "fork-7", "POST", path_of(id, "fork").text, "{}", "token");
    add_deed(&victim, "import-7", "POST", "/v1/games/import",
             "{\"record\":\"startpos moves 7g7f\"}", "token");
    if (is_player) {
        add_deed(&victim, "ticket-8", "POST", "/v1/me/ticket", "{}", "ticket");
        add_deed(&victim, "hook-7", "POST", "/v1/webhooks",
                 "{\"url\":\"https://receiver.invalid/plyd\"}", "secret");
    }
    do_deeds(&victim);
    return victim;
}

static void free_victim(struct victim *victim)
{
    for (size_t i = 0; i < victim->deeds; i++)
        free(victim->secret[i]);
    free(victim->auth);
}

Test(callers, no_answer_of_anothers_is_told_whatever_authorization_says)
{
    char *jwt = provider_token(&provider, "42", "", 300),
         *other_jwt = provider_token(&provider, "43", "", 300), account[IDS_TEXT];
    struct player ada = new_player(&house, "Ada"), eve = new_player(&house, "Eve");
    struct game game = new_game(&house, private_game);
    struct victim victims[] = {victim_of(bearer(jwt), true), victim_of(bearer(ada.token), true),
                               victim_of(NULL, false)};
    struct forms forms = {.count = 0};

    account_id(account);
    add_names(&forms, account);
    add_names(&forms, ada.id);
    add_forms(&forms, "x");
    add_forms(&forms, "");
    add_forms(&forms, eve.token);
    add_forms(&forms, game.token);
    add_forms(&forms, other_jwt);
    jwt[strlen(jwt) - 4] ^= 1;
    add_forms(&forms, jwt);
    for (size_t i = 0; i < sizeof(victims) / sizeof(victims[0]); i++) {
        assert_nothing_told(&victims[i], NULL);
        for (size_t j = 0; j < forms.count; j++)
            assert_nothing_told(&victims[i], forms.form[j]);
        for (size_t j = 0; j < sizeof(victims) / sizeof(victims[0]); j++)
            if (i != j)
                assert_nothing_told(&victims[i], victims[j].auth);
    }
    for (size_t i = 0; i < sizeof(victims) / sizeof(victims[0]); i++)
        free_victim(&victims[i]);
    free_forms(&forms);
    free(jwt);
    free(other_jwt);
}

/* ---- keys are one's own ---- */

Test(callers, two_players_use_the_same_short_key)
{
    struct player players[] = {new_player(&house, "Ada"), new_player(&house, "Mia")};
    char id[2][32];

    for (int i = 0; i < 2; i++) {
        char *auth = bearer(players[i].token);
        struct answer answer = send_as(auth, "game-7", "POST", "/v1/games", private_game);

        assert_status(&answer, 201);
        snprintf(id[i], sizeof(id[i]), "%s", text_of(&answer, "id"));
        free(auth);
    }
    cr_assert_str_neq(id[0], id[1]);
}

/* A page that has lost its token might send one of these. */
Test(callers, a_token_of_nobody_makes_no_short_key_good)
{
    static const char *const forms[] = {NULL,         "Bearer x",           "Bearer account x",
                                        "Basic eDo=", "Bearer plyd_seat_x", "Bearer plyd_seat_0"};

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        struct answer answer = send_as(forms[i], "game-7", "POST", "/v1/games", private_game);

        assert_problem(&answer, 422, "idempotency-key-too-short");
    }
}

Test(callers, a_stranger_cannot_take_the_key_of_somebody_first)
{
    struct player ada = new_player(&house, "Ada");
    char *auth = bearer(ada.token);
    struct answer squatted = send_as("Bearer x", long_key, "POST", "/v1/games", private_game),
                  own = send_as(auth, long_key, "POST", "/v1/games", private_game);

    assert_status(&squatted, 201);
    assert_status(&own, 201);
    cr_assert_not(is_replayed(&own));
    cr_assert_str_neq(text_of(&squatted, "id"), text_of(&own, "id"));
    free(auth);
}

/* ---- told again to those who may ---- */

/* Each is done, then the token ends, and the same request comes again. */
Test(callers, with_a_token_that_has_ended_nothing_is_told_again)
{
    static const struct {
        const char *method, *what, *body;
    } deeds[] = {{"PUT", "notes/0", "{\"text\":\"mine\"}"},
                 {"POST", "ticket", "{}"},
                 {"POST", "invitations", "{}"},
                 {"POST", "fork", "{}"},
                 {"POST", "messages", "{\"text\":\"mine\"}"},
                 {"POST", "abort", "{}"}};
    enum { DEEDS = sizeof(deeds) / sizeof(deeds[0]) };
    struct game game = new_game(&house, private_game);
    char *auth = bearer(game.token);
    struct answer answer;

    for (int ended = 0; ended < 2; ended++) {
        for (size_t i = 0; i < DEEDS; i++) {
            char key[32];

            snprintf(key, sizeof(key), "key-%zu", i);
            answer = send_as(auth, key, deeds[i].method, path_of(game.id, deeds[i].what).text,
                             deeds[i].body);
            if (ended)
                assert_problem(&answer, 404, "no-such-game");
            cr_assert(ended || answer.status < 300, "%s", answer.reply.body);
        }
        answer = send_as(auth, long_key, "POST", path_of(game.id, "token").text, "{}");
        assert_status(&answer, 200);
    }
    free(auth);
}

/* ---- the same key makes one thing ---- */

enum { AT_ONCE = 20 };

struct sender {
    pthread_t thread;
    const char *auth, *path;
    struct http_reply reply;
};

static void *send_once(void *args)
{
    struct sender *sender = args;
    char headers[400];

    snprintf(headers, sizeof(headers),
             "Authorization: %s\r\nContent-Type: application/json\r\nIdempotency-Key: %s\r\n",
             sender->auth, sender->path);
    http_request(house.plyd.port, &sender->reply, "POST", sender->path, headers, "{}");
    return NULL;
}

static void assert_one_thing(const char *auth, const char *path)
{
    struct sender senders[AT_ONCE];

    for (int i = 0; i < AT_ONCE; i++) {
        senders[i] = (struct sender){.auth = auth, .path = path};
        cr_assert_eq(pthread_create(&senders[i].thread, NULL, send_once, &senders[i]), 0);
    }
    for (int i = 0; i < AT_ONCE; i++)
        pthread_join(senders[i].thread, NULL);
    for (int i = 0; i < AT_ONCE; i++) {
        cr_assert_eq(senders[i].reply.status, 201, "%s", senders[i].reply.body);
        cr_assert_str_eq(senders[i].reply.body, senders[0].reply.body);
    }
    for (int i = 0; i < AT_ONCE; i++)
        http_free(&senders[i].reply);
}

Test(callers, twenty_requests_for_a_ticket_with_one_key_get_one_ticket)
{
    struct player ada = new_player(&house, "Ada");
    struct game game = new_game_of(&house, ada.token, private_game);
    char *auth = bearer(ada.token);

    assert_one_thing(auth, "/v1/me/ticket");
    assert_one_thing(auth, path_of(game.id, "ticket").text);
    free(auth);
}
