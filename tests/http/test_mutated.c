/*
 * test_mutated.c - requests that are broken at random: over keys of repeats, identity and bodies.
 *
 * They are whole requests of an attacker, who knows what a victim's requests look like, and their
 * keys, but none of their tokens. Whatever is broken in them, each is answered or its connection
 * ends, nothing of the victim's is told or changed, and the daemon goes on.
 */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "raw.h"
#include "rules/mix.h"
#include "tests/http/provided.h"
#include "tests/support/long.h"

enum { REQUEST_MAX = 16384, SECRETS = 2 };

static void open_without_quotas(struct house *house)
{
    setenv("PLYD_QUOTA_ADDRESS", "0", 1);
    setenv("PLYD_QUOTA_TOKEN", "0", 1);
    setenv("PLYD_QUOTA_ADDRESS_GAMES", "0", 1);
    setenv("PLYD_QUOTA_TOKEN_GAMES", "0", 1);
    house_open(house);
}

PROVIDED_SUITE(mutated, open_without_quotas, HOUSE_PATIENCE_S);

#define KEY  "01890a5d-ac96-774b-bcce-b302099a8057"
#define NOTE "hush-hush-hush"

struct scene {
    struct game game; /* of the victim; private */
    struct game own;  /* of the attacker */
    struct player attacker;
    char *jwt;
    const char *secret[SECRETS];
};

static void set_scene(struct scene *scene)
{
    struct player victim = new_player(&house, "Vera");
    struct answer answer;
    char headers[300];

    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
             "Idempotency-Key: " KEY "\r\n",
             victim.token);
    answer = ask(&house, "POST", "/v1/games", headers,
                 "{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    assert_status(&answer, 201);
    snprintf(scene->game.id, sizeof(scene->game.id), "%s", text_of(&answer, "game.id"));
    snprintf(scene->game.token, sizeof(scene->game.token), "%s", text_of(&answer, "token"));
    answer = ask_at(&house, scene->game.token, "PUT", "{\"text\":\"" NOTE "\"}",
                    "/v1/games/%s/notes/0", scene->game.id);
    assert_status(&answer, 200);
    scene->attacker = new_player(&house, "Tom");
    scene->own = new_game_of(&house, scene->attacker.token, "{\"variant\":\"tictactoe\"}");
    scene->jwt = provider_token(&provider, "42", "", 3600);
    scene->secret[0] = scene->game.token;
    scene->secret[1] = NOTE;
}

/* ---- requests ---- */

/* `%g`: the victim's game, `%o`: the attacker's, `%t`: their token, `%j`: a JWT, `%s`: of a seat. A
 * body follows the blank line, and its length is added. */
static const char *const seeds[] = {
    "POST /v1/games HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %t\r\nIdempotency-Key: " KEY
    "\r\nContent-Type: application/json\r\n\r\n{\"variant\":\"jungle\",\"visibility\":\"private\"}",
    "POST /v1/games HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %j\r\nIdempotency-Key: " KEY
    "\r\nContent-Type: application/json\r\n\r\n{\"variant\":\"jungle\",\"metadata\":{\"a\":\"b\"}}",
    "POST /v1/games HTTP/1.1\r\nHost: x\r\nIdempotency-Key: " KEY
    "\r\nContent-Type: application/json\r\n\r\n{\"variant\":\"jungle\",\"visibility\":\"private\"}",
    "PUT /v1/games/%o/moves/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
    "Content-Type: text/plain\r\n\r\na1",
    "PUT /v1/games/%g/moves/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %t\r\n"
    "Content-Type: application/json\r\n\r\n{\"move\":\"a3a4\"}",
    "PUT /v1/games/%g/notes/0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nIdempotency-Key: "
    "k\r\nContent-Type: application/json\r\n\r\n{\"text\":\"mine\"}",
    "GET /v1/games/%g/notes HTTP/1.1\r\nHost: x\r\nAuthorization: Basic %t\r\n\r\n",
    "GET /v1/games/%g HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %j\r\n"
    "If-None-Match: \"1\", W/\"2\"\r\nPrefer: wait=0\r\nAccept: text/plain;q=0.5, */*\r\n\r\n",
    "POST /v1/me/link HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %j\r\n"
    "Content-Type: application/json\r\n\r\n{\"token\":\"%t\"}",
    "GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %j\r\n\r\n",
    "POST /v1/games/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %t\r\n"
    "Transfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n"
    "5;a=b\r\n[Gam\xff\r\n4\r\n\"]\n1\r\n0\r\nX: y\r\n\r\n",
    "POST /v1/games/import HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    "V2.2\nN+a\nN-b\nPI\n+\n+7776FU,T3\n-3334FU\n%TORYO\n",
    "POST /v1/me/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %t\r\nExpect: "
    "100-continue\r\n"
    "Idempotency-Key: " KEY "\r\nContent-Type: text/plain\r\n\r\nV2\nPI\n+\n+7776FU\n",
    "POST /v1/variants/jungle/check HTTP/1.1\r\nHost: x\r\nIdempotency-Key: " KEY
    "\r\nContent-Type: application/json\r\n\r\n{\"moves\":[\"a3a4\",\"a7a6\"]}",
    "PUT /v1/games/%o/notes/0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
    "%s\r\nIdempotency-Key: " KEY
    "\r\nContent-Type: application/json\r\nOrigin: https://x\r\n\r\n{\"text\":\"\\ud83d\\ude00\"}",
    "POST /v1/games/%g/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer account %t\r\n"
    "Idempotency-Key: " KEY "\r\nContent-Type: application/json\r\n\r\n{\"text\":\"hello\"}",
};

enum { SEEDS = sizeof(seeds) / sizeof(seeds[0]) };

struct bytes {
    size_t len;
    char at[REQUEST_MAX];
};

/* Puts bytes at a place, as far as there is room. */
static void insert(struct bytes *bytes, size_t place, const char *more, size_t len)
{
    if (bytes->len + len > sizeof(bytes->at))
        return;
    memmove(bytes->at + place + len, bytes->at + place, bytes->len - place);
    memcpy(bytes->at + place, more, len);
    bytes->len += len;
}

static void add_text(struct bytes *bytes, const char *text)
{
    insert(bytes, bytes->len, text, strlen(text));
}

static const char *value_of(const struct scene *scene, char name)
{
    switch (name) {
    case 'g':
        return scene->game.id;
    case 'o':
        return scene->own.id;
    case 't':
        return scene->attacker.token;
    case 'j':
        return scene->jwt;
    case 's':
        return scene->own.token;
    default:
        return NULL;
    }
}

static void write_seed(const struct scene *scene, const char *seed, struct bytes *bytes)
{
    char *body;

    bytes->len = 0;
    for (const char *at = seed; *at != '\0'; at++) {
        const char *value = *at == '%' ? value_of(scene, at[1]) : NULL;

        if (value == NULL) {
            insert(bytes, bytes->len, at, 1);
            continue;
        }
        add_text(bytes, value);
        at++;
    }
    body = memmem(bytes->at, bytes->len, "\r\n\r\n", 4);
    if (body != NULL && strstr(seed, "chunked") == NULL) {
        char line[40];
        size_t head = (size_t)(body - bytes->at) + 4;
        int len = snprintf(line, sizeof(line), "\r\nContent-Length: %zu", bytes->len - head);

        insert(bytes, head - 4, line, (size_t)len);
    }
}

/* ---- breaking them ---- */

static const char *const pieces[] = {
    "\r\n",
    "\n",
    "\r",
    "\0",
    ":",
    " ",
    "\t",
    ",",
    ";",
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "0",
    "-1",
    "18446744073709551616",
    "4294967296",
    "null",
    "true",
    "Bearer ",
    "Basic ",
    "account ",
    "%00",
    "%2f",
    "/../",
    "?",
    "#",
    "=",
    "\xff\xfe",
    "\xef\xbb\xbf",
    "chunked",
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Idempotency-Key: " KEY "\r\n",
    "Connection: close\r\n",
    "Expect: 100-continue\r\n",
    "\"token\":",
    "plyd_seat_",
    "plyd_player_",
    "\\u0000",
};

/* A place in the bytes. */
static size_t place_in(const struct bytes *bytes, uint64_t *dice)
{
    return mix(*dice += MIX_STEP) % (bytes->len + 1);
}

static void cut(struct bytes *bytes, size_t from, size_t len)
{
    if (len > bytes->len - from)
        len = bytes->len - from;
    memmove(bytes->at + from, bytes->at + from + len, bytes->len - from - len);
    bytes->len -= len;
}

static void break_once(const struct scene *scene, struct bytes *bytes, uint64_t *dice)
{
    uint64_t roll = mix(*dice += MIX_STEP);
    size_t place = place_in(bytes, dice), length = 1 + (roll >> 32) % 24;
    const char *piece = pieces[(roll >> 16) % (sizeof(pieces) / sizeof(pieces[0]))];
    static struct bytes other;
    char copy[24];

    switch (roll % 6) {
    case 0:
        if (place < bytes->len)
            bytes->at[place] = (char)(bytes->at[place] ^ (1 << (roll >> 8) % 8));
        return;
    case 1:
        insert(bytes, place, piece, *piece == '\0' ? 1 : strlen(piece));
        return;
    case 2:
        cut(bytes, place, length);
        return;
    case 3:
        if (place + length <= bytes->len) {
            memcpy(copy, bytes->at + place, length);
            insert(bytes, place_in(bytes, dice), copy, length);
        }
        return;
    case 4:
        cut(bytes, place, bytes->len);
        return;
    default:
        write_seed(scene, seeds[(roll >> 24) % SEEDS], &other);
        cut(bytes, place, bytes->len);
        place = place_in(&other, dice);
        insert(bytes, bytes->len, other.at + place, other.len - place);
        return;
    }
}

/* ---- what comes of it ---- */

static void assert_harmless(const struct scene *scene, const struct bytes *sent, const char *heard)
{
    char statuses[RAW_STATUSES];

    raw_statuses(heard, statuses);
    cr_assert_null(strstr(statuses, "500"), "%s to\n%.*s", heard, (int)sent->len, sent->at);
    for (int i = 0; i < SECRETS; i++)
        cr_assert_null(strstr(heard, scene->secret[i]), "%s to\n%.*s", heard, (int)sent->len,
                       sent->at);
}

static void send_broken(const struct scene *scene, uint64_t *dice)
{
    static struct bytes bytes;
    uint64_t roll = mix(*dice += MIX_STEP);
    char *heard;
    int fd;

    write_seed(scene, seeds[roll % SEEDS], &bytes);
    for (uint64_t breaks = 1 + (roll >> 32) % 4; breaks > 0; breaks--)
        break_once(scene, &bytes, dice);
    fd = raw_say(house.plyd.port, bytes.at, bytes.len);
    shutdown(fd, SHUT_WR);
    heard = raw_hear(fd);
    assert_harmless(scene, &bytes, heard);
    free(heard);
}

static void assert_untouched(const struct scene *scene)
{
    struct answer answer =
        ask_at(&house, scene->game.token, "GET", NULL, "/v1/games/%s", scene->game.id);

    cr_assert_eq(number_of(&answer, "ply"), 0);
    answer = ask_at(&house, scene->game.token, "GET", NULL, "/v1/games/%s/notes", scene->game.id);
    cr_assert_not_null(strstr(answer.reply.body, NOTE), "%s", answer.reply.body);
    cr_assert_null(strstr(answer.reply.body, "mine"), "%s", answer.reply.body);
}

/* As they are, they are requests that are answered: else nothing would be broken in them. */
Test(mutated, each_request_is_whole_before_it_is_broken)
{
    static struct bytes bytes;
    struct scene scene;

    set_scene(&scene);
    for (size_t i = 0; i < SEEDS; i++) {
        char *heard, statuses[RAW_STATUSES];
        int fd;

        write_seed(&scene, seeds[i], &bytes);
        fd = raw_say(house.plyd.port, bytes.at, bytes.len);
        shutdown(fd, SHUT_WR);
        heard = raw_hear(fd);
        raw_statuses(heard, statuses);
        cr_expect_str_not_empty(statuses, "%s", seeds[i]);
        cr_expect(strstr(statuses, "400") == NULL, "%s: %s", seeds[i], heard);
        assert_harmless(&scene, &bytes, heard);
        free(heard);
    }
    assert_untouched(&scene);
    free(scene.jwt);
}

Test(mutated, no_broken_request_tells_or_changes_what_is_another_players)
{
    unsigned times = long_or_short(100000, 3000);
    struct scene scene;
    uint64_t dice = 59;

    set_scene(&scene);
    while (times-- > 0)
        send_broken(&scene, &dice);
    assert_untouched(&scene);
    free(scene.jwt);
}
