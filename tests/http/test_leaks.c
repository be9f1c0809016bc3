/*
 * test_leaks.c - nothing leaks: every address is asked in every form, as nobody, as a stranger with
 * a token, as the opponent and as the owner, and no answer holds a secret that its asker must not
 * see. Nor does the daemon's log hold any.
 *
 * The addresses come from the table of routes. A route that takes a body, or that has a place of a
 * new kind, fails the test until writes[] or place() knows what to put there.
 */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/http/accept.h"
#include "api/record/record.h"
#include "api/routes.h"
#include "house.h"
#include "tests/support/now.h"
#include "tests/support/postbox.h"
#include "tests/support/receiver.h"

enum { SECRETS_MAX = 4096, TEXT_MAX = 200, PATH_BYTES = 400, NO_GAME = -1 };

static struct house house;
static struct postbox postbox;
static int fd;           /* a connection that stays open */
static FILE *transcript; /* of what is read, if somebody wants one */

static void open_house(void)
{
    char url[64];

    postbox_start(&postbox);
    snprintf(url, sizeof(url), "smtp://127.0.0.1:%d", postbox.port);
    setenv("PLYD_SMTP", url, 1);
    setenv("PLYD_MAIL_FROM", "plyd@plyd.example", 1);
    setenv("PLYD_PUBLIC_URL", "https://play.example", 1);
    setenv("PLYD_WEBHOOKS_PRIVATE", "1", 1);
    house_open(&house);
    plyd_close(&house.plyd);
    plyd_start(&house.plyd, house.database, "--quota-token", "0", "--quota-address", "0",
               "--quota-token-games", "0", "--quota-address-games", "0", NULL);
    fd = http_connect(house.plyd.port);
}

static void close_house(void)
{
    close(fd);
    house_close(&house);
    postbox_stop(&postbox);
}

TestSuite(leaks, .init = open_house, .fini = close_house, .timeout = HOUSE_PATIENCE_S);

/* ---- who asks ---- */

enum asker { NOBODY, STRANGER, OPPONENT, OWNER, ASKERS };

static const char *const names[] = {"nobody", "a stranger", "the opponent", "the owner"};

/* Ada owns the games. Bob is her opponent in some of them; in the others it is somebody who has no
 * more than the token of a seat. Eve is the stranger. */
static struct player ada, bob, eve;

enum { PRIVATE, UNLISTED, PUBLIC, INVITED, FINISHED, NEXT, FORK, MATCHES };

static struct match {
    const char *visibility;
    struct game game;  /* with the token of Ada's seat; "": none */
    char opponent[96]; /* the opponent's token; "": there is none yet */
    int ada;           /* her seat */
} matches[MATCHES];

/* The token that an asker uses at an address of a game, or of none. */
static const char *token_of(enum asker asker, int at)
{
    if (asker == OPPONENT && at != NO_GAME && matches[at].opponent[0] != '\0')
        return matches[at].opponent;
    return asker == NOBODY     ? NULL
           : asker == STRANGER ? eve.token
           : asker == OPPONENT ? bob.token
                               : ada.token;
}

/* The seat that an asker who uses this token has in a game, or 0. */
static int seat_in(enum asker asker, int at, int match)
{
    if (asker == OWNER)
        return matches[match].ada;
    if (asker == OPPONENT && strcmp(token_of(asker, at), matches[match].opponent) == 0)
        return 3 - matches[match].ada;
    return 0;
}

/* Whoever plays a game knows the one that follows it, though each has tokens of its own. */
static bool plays(enum asker asker, int at, int match)
{
    return seat_in(asker, at, match) != 0 ||
           ((match == FINISHED || match == NEXT) &&
            seat_in(asker, at, FINISHED) + seat_in(asker, at, NEXT) != 0);
}

/* ---- the secrets ---- */

enum kind {
    TOKEN,   /* nobody sees it, but for the answer that gives it */
    OF_SEAT, /* a plan or a note: its seat sees it */
    OF_GAME, /* its players see it, and everybody if the game is not private */
    MESSAGE  /* its players see it, and everybody if the game is public */
};

static struct secret {
    enum kind kind;
    int match, seat;
    char text[TEXT_MAX];
} secrets[SECRETS_MAX];
static size_t secrets_count;

static void keep_secret(enum kind kind, int match, int seat, const char *text)
{
    struct secret *secret = &secrets[secrets_count++];

    cr_assert(secrets_count < SECRETS_MAX && strlen(text) > 3, "%s", text);
    *secret = (struct secret){.kind = kind, .match = match, .seat = seat};
    snprintf(secret->text, sizeof(secret->text), "%s", text);
}

static bool may_see(enum asker asker, int at, const struct secret *secret)
{
    switch (secret->kind) {
    case TOKEN:
        return false;
    case OF_SEAT:
        return seat_in(asker, at, secret->match) == secret->seat;
    case OF_GAME:
        return strcmp(matches[secret->match].visibility, "private") != 0 ||
               plays(asker, at, secret->match);
    case MESSAGE:
        return strcmp(matches[secret->match].visibility, "public") == 0 ||
               plays(asker, at, secret->match);
    }
    return false;
}

/* ---- asking ---- */

/* `given` is the asker's own token where the answer may tell it, or NULL. */
static void search(enum asker asker, int at, const char *given, const char *what, const char *text)
{
    for (size_t i = 0; i < secrets_count; i++) {
        const struct secret *secret = &secrets[i];

        if (may_see(asker, at, secret) || (given != NULL && strcmp(given, secret->text) == 0))
            continue;
        cr_assert_null(strstr(text, secret->text), "%s: %s sees \"%s\" of game %d: %.3000s", what,
                       names[asker], secret->text, secret->match, text);
    }
}

/* Reads a stream up to the end of a message that holds this text. */
static void read_stream(struct http_reply *reply, const char *until)
{
    size_t size = 1 << 20;
    const char *last;

    reply->body = realloc(reply->body, size);
    cr_assert_not_null(reply->body);
    do {
        ssize_t n = recv(fd, reply->body + reply->len, size - 1 - reply->len, 0);

        cr_assert_gt(n, 0, "a stream without %s: %s", until, reply->body);
        reply->len += (size_t)n;
        reply->body[reply->len] = '\0';
        last = strstr(reply->body, until);
    } while (last == NULL || strchr(last, '\n') == NULL);
}

/* Sends a request and takes the answer. `until` is how far a stream is read; NULL: not at all. */
static struct http_reply send_request(const char *method, const char *path, const char *headers,
                                      const char *body, const char *until)
{
    struct http_reply reply;
    char value[256];

    http_send(fd, method, path, headers, body, body == NULL ? 0 : strlen(body));
    http_receive(fd, method, &reply);
    cr_assert(reply.status != 0 && reply.status != 429 && reply.status < 500, "%s %s: %d %s",
              method, path, reply.status, reply.body);
    if (until != NULL && reply.status == 200)
        read_stream(&reply, until);
    if (http_header(&reply, "Connection", value) != NULL && strcasecmp(value, "close") == 0) {
        close(fd);
        fd = http_connect(house.plyd.port);
    }
    return reply;
}

/* Whether an answer is a stream, which begins with what has been. */
static bool is_stream(const char *path, const char *more)
{
    return (strstr(more, "event-stream") != NULL || strstr(more, "ndjson") != NULL) &&
           (strstr(path, "/events?after=0") != NULL || strstr(path, "?snapshot=true") != NULL);
}

/* Of all games of the asker: the last event of a page of them, up to its version. NULL: there is
 * none. */
static const char *last_of_mine(const char *headers, char text[64])
{
    struct http_reply reply =
        send_request("GET", "/v1/me/events?after=0&limit=200", headers, NULL, NULL);
    const char *last = NULL;

    for (const char *at = reply.body; (at = strstr(at, "{\"game\":")) != NULL; at++)
        last = at;
    snprintf(text, 64, "%.*s", last == NULL ? 0 : 50, last == NULL ? "" : last);
    http_free(&reply);
    return last == NULL ? NULL : text;
}

/* The last version of a game, as its events tell it. "": the asker does not see the game. */
static const char *last_version(const char *path, const char *headers, char text[64])
{
    struct http_reply reply;
    char game[PATH_BYTES], etag[256];

    if (strncmp(path, "/v1/me/", strlen("/v1/me/")) == 0)
        return last_of_mine(headers, text);
    snprintf(game, sizeof(game), "%.*s", (int)(strstr(path, "/events") - path), path);
    reply = send_request("GET", game, headers, NULL, NULL);
    snprintf(text, 64, "\"version\":%d,",
             http_header(&reply, "ETag", etag) == NULL ? 0 : atoi(etag + 1));
    http_free(&reply);
    return text;
}

/* Asks, and looks for secrets in the status line, the headers and the body. `more` are further
 * headers; `gives`: the answer may tell a token. */
static struct http_reply ask_and_search(enum asker asker, int at, const char *method,
                                        const char *path, const char *more, const char *body,
                                        bool gives)
{
    const char *token = token_of(asker, at);
    const char *until = NULL;
    char headers[600], what[600], version[64];
    struct http_reply reply;

    snprintf(headers, sizeof(headers), "%s%s%s%s", token == NULL ? "" : "Authorization: Bearer ",
             token == NULL ? "" : token, token == NULL ? "" : "\r\n",
             body == NULL ? "" : "Content-Type: application/json\r\n");
    if (is_stream(path, more))
        until = last_version(path, headers, version);
    snprintf(headers + strlen(headers), sizeof(headers) - strlen(headers), "%s", more);
    reply = send_request(method, path, headers, body, until);
    snprintf(what, sizeof(what), "%s %s %s", method, path, more);
    if (transcript != NULL && strncmp(path, "/metrics", strlen("/metrics")) != 0)
        fprintf(transcript, "%s%s%s", what, reply.headers, reply.body);
    search(asker, at, NULL, what, reply.headers);
    search(asker, at, gives ? token : NULL, what, reply.body);
    return reply;
}

/* ---- the world ---- */

/* The key that Ada has for a request, which others know somehow. */
static const char *adas_key(const char *rest)
{
    static char header[128];

    snprintf(header, sizeof(header), "Idempotency-Key: the key that Ada has for %s\r\n", rest);
    return header;
}

static char *copy_member(char *to, size_t size, const struct answer *answer, const char *path)
{
    snprintf(to, size, "%s", text_of(answer, path));
    return to;
}

/* Sends a request with Ada's key, which must be answered like that. */
static struct answer done(int match, const char *token, int status, const char *method,
                          const char *body, const char *rest)
{
    char path[200], headers[400];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s%s", matches[match].game.id, rest);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\n%sContent-Type: application/json\r\n", token,
             strcmp(method, "POST") == 0 && token == ada.token ? adas_key(rest) : "");
    answer = ask(&house, method, path, headers, body);
    assert_status(&answer, status);
    return answer;
}

static void do_it(int match, const char *token, int status, const char *method, const char *body,
                  const char *rest)
{
    done(match, token, status, method, body, rest);
}

/* A game of Ada's with an open seat. */
static void make_match(int match, const char *visibility, const char *more)
{
    char body[400];

    snprintf(body, sizeof(body),
             "{\"variant\":\"shogi\",\"visibility\":\"%s\","
             "\"seats\":[{\"me\":true},{\"open\":true}]%s}",
             visibility, more);
    matches[match].visibility = visibility;
    matches[match].ada = 1;
    matches[match].game = new_game_of(&house, ada.token, body);
    keep_secret(OF_GAME, match, 0, matches[match].game.id);
    keep_secret(TOKEN, match, 0, matches[match].game.token);
}

/* Somebody takes the other seat: Bob, or a person who has no name but for this game. */
static void join_match(int match, const char *code)
{
    char body[200], name[32];
    struct answer answer;
    bool is_bob = match == PUBLIC;

    snprintf(name, sizeof(name), "Guest-of-game-%d", match);
    snprintf(body, sizeof(body),
             is_bob ? "{\"invitation\":\"%s\"}" : "{\"invitation\":\"%s\",\"name\":\"%s\"}", code,
             name);
    answer = ask_at(&house, is_bob ? bob.token : NULL, "POST", body, "/v1/games/%s/join",
                    matches[match].game.id);
    assert_status(&answer, 200);
    keep_secret(
        TOKEN, match, 0,
        copy_member(matches[match].opponent, sizeof(matches[match].opponent), &answer, "token"));
    if (is_bob)
        snprintf(matches[match].opponent, sizeof(matches[match].opponent), "%s", bob.token);
    else
        keep_secret(OF_GAME, match, 0, name);
}

static void invite(int match, char code[64])
{
    struct answer answer = done(match, ada.token, 201, "POST", "{}", "/invitations");

    keep_secret(TOKEN, match, 0, copy_member(code, 64, &answer, "code"));
}

/* What a seat writes at the start, for itself and for the other. */
static void write_texts(int match, int seat, const char *token)
{
    char body[200], text[64];

    snprintf(text, sizeof(text), "Note-%d-%d-to-oneself", match, seat);
    snprintf(body, sizeof(body), "{\"text\":\"%s\"}", text);
    do_it(match, token, 200, "PUT", body, "/notes/0");
    keep_secret(OF_SEAT, match, seat, text);
    snprintf(text, sizeof(text), "Message-%d-%d-to-the-other", match, seat);
    snprintf(body, sizeof(body), "{\"text\":\"%s\"}", text);
    do_it(match, token, 201, "POST", body, "/messages");
    keep_secret(MESSAGE, match, 0, text);
}

/* A plan with a drop that nobody else thinks of, as it is written and as records write it. */
static void set_plan(int match, int seat, const char *token, const char *body, const char *drop,
                     const char *kanji)
{
    do_it(match, token, 200, "PUT", body, "/plan");
    keep_secret(OF_SEAT, match, seat, drop);
    keep_secret(OF_SEAT, match, seat, kanji);
}

static void play_match(int match, const char *moves)
{
    char copy[100], *save = NULL, body[64];
    struct answer answer;
    int n = 0;

    snprintf(copy, sizeof(copy), "%s", moves);
    for (char *move = strtok_r(copy, " ", &save); move != NULL; move = strtok_r(NULL, " ", &save)) {
        snprintf(body, sizeof(body), "{\"move\":\"%s\"}", move);
        do_it(match, n++ % 2 == 0 ? matches[match].game.token : matches[match].opponent, 201,
              "POST", body, "/moves");
    }
    answer = done(match, ada.token, 200, "GET", NULL, "");
    if (match != PUBLIC)
        keep_secret(OF_GAME, match, 0, text_of(&answer, "position"));
}

/* Notes, messages and offers of both sides. */
static void fill_match(int match)
{
    write_texts(match, 1, ada.token);
    write_texts(match, 2, matches[match].opponent);
    do_it(match, ada.token, 201, "POST", "{\"kind\":\"draw\"}", "/offers");
    do_it(match, matches[match].opponent, 201, "POST", "{\"kind\":\"pause\",\"for\":\"7d\"}",
          "/offers");
}

static void make_matches(void)
{
    static const char clock[] = ",\"clock\":{\"kind\":\"days\",\"days\":3}";
    char code[64];

    make_match(PRIVATE, "private", clock);
    make_match(UNLISTED, "unlisted", clock);
    make_match(PUBLIC, "public", clock);
    make_match(INVITED, "private", "");
    make_match(FINISHED, "private", "");
    for (int match = PRIVATE; match <= FINISHED; match++) {
        invite(match, code);
        if (match != INVITED)
            join_match(match, code);
    }
}

/* No secret move is a good one: the hint of another game could name it by chance. */
static void play_matches(void)
{
    play_match(PRIVATE, "7g7f 1c1d 9g9f 3c3d 1g1f");
    play_match(UNLISTED, "7g7f 3c3d 6i7h 9c9d");
    play_match(PUBLIC, "7g7f");
    play_match(FINISHED, "5g5f 5c5d 9i9h 1a1b");
    for (int match = PRIVATE; match <= PUBLIC; match++)
        fill_match(match);
    set_plan(PRIVATE, 1, ada.token,
             "{\"after_ply\":5,\"tree\":[{\"if\":\"9c9d\",\"then\":\"8h2b+\",\"next\":["
             "{\"if\":\"3a2b\",\"then\":\"B*9e\"}]},{\"if\":\"*\",\"then\":\"resign\"}]}",
             "B*9e", "９五角");
    set_plan(UNLISTED, 2, matches[UNLISTED].opponent,
             "{\"after_ply\":4,\"tree\":[{\"if\":\"8h2b+\",\"then\":\"3a2b\",\"next\":["
             "{\"if\":\"9g9f\",\"then\":\"B*1e\"}]}]}",
             "B*1e", "１五角");
    set_plan(PUBLIC, 1, ada.token,
             "{\"after_ply\":1,\"tree\":[{\"if\":\"3c3d\",\"then\":\"8h2b+\",\"next\":["
             "{\"if\":\"3a2b\",\"then\":\"B*9d\"}]}]}",
             "B*9d", "９四角");
}

/* The game that follows a finished one, and a copy of a private one. */
static void make_more(void)
{
    struct answer answer;

    write_texts(FINISHED, 1, ada.token);
    do_it(FINISHED, matches[FINISHED].opponent, 200, "POST", "{}", "/resign");
    answer = done(FINISHED, ada.token, 201, "POST", "{}", "/rematch");
    matches[NEXT] = matches[FINISHED];
    matches[NEXT].ada = 2;
    copy_member(matches[NEXT].game.id, sizeof(matches[NEXT].game.id), &answer, "id");
    keep_secret(OF_GAME, NEXT, 0, matches[NEXT].game.id);
    write_texts(NEXT, 2, ada.token);
    write_texts(NEXT, 1, matches[NEXT].opponent);
    answer = done(PRIVATE, ada.token, 201, "POST", "{\"ply\":1}", "/fork");
    matches[FORK] = (struct match){.visibility = "private", .ada = 1};
    copy_member(matches[FORK].game.id, sizeof(matches[FORK].game.id), &answer, "id");
    keep_secret(TOKEN, FORK, 0, text_of(&answer, "token"));
    keep_secret(OF_GAME, FORK, 0, matches[FORK].game.id);
    write_texts(FORK, 1, ada.token);
}

/* One that leads nowhere, and is there to be asked for by others; and one of each player, who is
 * told of what is written. */
static char adas_hook[32] = "00000000000000000000000000";
static char adas_collection[32] = "00000000000000000000000000";
static char adas_job[32] = "00000000000000000000000000";
static struct receiver told[ASKERS];

static void make_hook(const struct player *player, const char *url, char id[32])
{
    char body[128];
    struct answer answer;

    snprintf(body, sizeof(body), "{\"url\":\"%s\"}", url);
    answer = ask_as(&house, player->token, "POST", "/v1/webhooks", body);
    assert_status(&answer, 201);
    keep_secret(TOKEN, PRIVATE, 0, text_of(&answer, "secret"));
    snprintf(id, 32, "%s", text_of(&answer, "id"));
}

static void make_hooks(void)
{
    const struct player *const players[] = {[STRANGER] = &eve, [OPPONENT] = &bob, [OWNER] = &ada};

    make_hook(&ada, "http://receiver.invalid/", adas_hook);
    for (int asker = STRANGER; asker < ASKERS; asker++) {
        char url[64], id[32];

        receiver_start(&told[asker]);
        snprintf(url, sizeof(url), "http://127.0.0.1:%d/", told[asker].port);
        make_hook(players[asker], url, id);
    }
}

static void search_messages(void)
{
    for (int asker = STRANGER; asker < ASKERS; asker++) {
        receiver_await(&told[asker], 1);
        for (size_t i = 0; i < receiver_count(&told[asker]); i++)
            search((enum asker)asker, NO_GAME, NULL, "a webhook",
                   receiver_message(&told[asker], i)->body);
    }
}

static void make_job(void)
{
    struct answer answer =
        ask_as(&house, ada.token, "POST", "/v1/me/imports", "startpos moves 7g7e");

    assert_status(&answer, 202);
    snprintf(adas_job, sizeof(adas_job), "%s", text_of(&answer, "id"));
    job_await(&house, ada.token, adas_job);
}

/* Only she sees it, wherever she asks. */
static void make_address(void)
{
    struct answer answer = ask_as(&house, ada.token, "PUT", "/v1/me/mail",
                                  "{\"address\":\"countess@lovelace.example\"}");

    assert_status(&answer, 200);
    keep_secret(OF_SEAT, PRIVATE, 1, "countess@lovelace");
    postbox_await(&postbox, 1);
}

static void make_collection(void)
{
    struct answer answer =
        ask_as(&house, ada.token, "POST", "/v1/me/collections", "{\"name\":\"Shelf\"}");

    assert_status(&answer, 201);
    snprintf(adas_collection, sizeof(adas_collection), "%s", text_of(&answer, "id"));
    answer = ask_at(&house, ada.token, "PUT", NULL, "/v1/me/collections/%s/games/%s",
                    adas_collection, matches[PRIVATE].game.id);
    assert_status(&answer, 204);
}

static void build_world(void)
{
    ada = new_player(&house, "Ada");
    bob = new_player(&house, "Bob");
    eve = new_player(&house, "Eve");
    keep_secret(TOKEN, PRIVATE, 0, ada.token);
    keep_secret(TOKEN, PRIVATE, 0, bob.token);
    keep_secret(TOKEN, PRIVATE, 0, eve.token);
    make_matches();
    play_matches();
    make_more();
    make_job();
    make_collection();
    make_address();
}

/* ---- addresses ---- */

/* What fills a place of a pattern. */
static const char *place(const char *name, int at, const char *extension)
{
    static const char *const fixed[][2] = {{"ply", "1"},
                                           {"seat", "2"},
                                           {"variant", "shogi"},
                                           {"code", "no-such-game"},
                                           {"offer", "9"},
                                           {"build", "latest"},
                                           {"file", "play.js"},
                                           {"token", "account"},
                                           {"subscription", "00000000000000000000000000"}};

    if (strcmp(name, "id") == 0)
        return matches[at].game.id;
    if (strcmp(name, "player") == 0)
        return ada.id;
    if (strcmp(name, "webhook") == 0)
        return adas_hook;
    if (strcmp(name, "collection") == 0)
        return adas_collection;
    if (strcmp(name, "job") == 0)
        return adas_job;
    if (strcmp(name, "extension") == 0)
        return extension;
    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
        if (strcmp(name, fixed[i][0]) == 0)
            return fixed[i][1];
    cr_assert_fail("tell place() what stands at {%s}", name);
    return NULL;
}

static void fill(char path[PATH_BYTES], const char *pattern, int at, const char *extension,
                 const char *query)
{
    size_t len = 0;

    while (*pattern != '\0' && len < PATH_BYTES / 2) {
        char name[32];
        int n = 0;

        if (sscanf(pattern, "{%31[a-z]}%n", name, &n) != 1) {
            path[len++] = *pattern++;
            continue;
        }
        len += (size_t)sprintf(path + len, "%s", place(name, at, extension));
        pattern += n;
    }
    snprintf(path + len, PATH_BYTES - len, "%s", query);
}

static const char *method_name(const struct route *route)
{
    return route->method == METHOD_GET      ? "GET"
           : route->method == METHOD_PUT    ? "PUT"
           : route->method == METHOD_PATCH  ? "PATCH"
           : route->method == METHOD_DELETE ? "DELETE"
                                            : "POST";
}

static bool is_of_game(const struct route *route)
{
    return strstr(route->pattern, "{id}") != NULL;
}

/* ---- reading ---- */

/* Further queries of some addresses; all are asked without one, and with one that is wrong. */
static const char *const queries[][2] = {
    {"/v1/games", "?player=%s"},
    {"/v1/players", "?name=ad"},
    {"/v1/players/{player}/results", "?against=%s"},
    {"/v1/games", "?limit=200&fields=id,seats,position,next,offers"},
    {"/v1/games", "?variant=shogi&status=open,active,finished,aborted&limit=1"},
    {"/v1/games", "?open_seat=true"},
    {"/v1/games/{id}", "?include=legal_moves,legal_tree,board"},
    {"/v1/games/{id}/legal-moves", "?format=tree"},
    {"/v1/games/{id}/legal-moves", "?ply=0"},
    {"/v1/games/{id}/moves", "?line=1&after=0&limit=1"},
    {"/v1/games/{id}/moves", "?line=9"},
    {"/v1/games/{id}/positions/{ply}", "?include=legal_moves,board"},
    {"/v1/games/{id}/events", "?after=1&limit=200"},
    {"/v1/games/{id}/events", "?type=message,offered,invited,seat,rematch"},
    {"/v1/games/{id}/events", "?after=0"},
    {"/v1/games/{id}/events", "?snapshot=true"},
    {"/v1/games/{id}/events", "?ticket=plyd_ticket_0000"},
    {"/v1/games/{id}/board.svg", "?marks=last,check,legal"},
    {"/v1/games/{id}/board.png", ""},
    {"/v1/games/{id}/notes", "?after=0&limit=200"},
    {"/v1/me/games", "?turn=me&sort=deadline"},
    {"/v1/me/games", "?limit=1"},
    {"/v1/me/games", "?status=finished&ended_after=2020-01-01T00:00:00Z"},
    {"/v1/me/next", "?include=legal_moves,board"},
    {"/v1/me/events", "?after=0&limit=200"},
    {"/v1/me/events", "?after=0"},
    {"/v1/me/events", "?ticket=plyd_ticket_0000"},
};

/* Reads an address in each of its forms. */
static void read_forms(const struct route *route, enum asker asker, int at, const char *path)
{
    char types[200] = "*/*", *save = NULL, more[300];
    struct arena arena = {0};

    if (route->forms != 0) {
        snprintf(types, sizeof(types), "%s, unknown/type", accept_types(&arena, route->forms));
        arena_free(&arena);
    }
    for (char *type = strtok_r(types, ", ", &save); type != NULL;
         type = strtok_r(NULL, ", ", &save)) {
        struct http_reply reply;

        snprintf(more, sizeof(more), "Accept: %s\r\n", type);
        reply = ask_and_search(asker, at, "GET", path, more, NULL, false);
        http_free(&reply);
    }
}

/* Reads a route of a game, or of none, in all formats, forms and with all queries. */
static void read_route(const struct route *route, enum asker asker, int at)
{
    const struct record_format *format;
    char path[PATH_BYTES], query[100];
    bool is_file = strstr(route->pattern, "{extension}") != NULL;
    bool is_export = strstr(route->pattern, "/export") != NULL;

    for (size_t i = 0; (format = record_format(i)) != NULL && (is_file || is_export); i++) {
        snprintf(query, sizeof(query), "?format=%s", format->name);
        fill(path, route->pattern, at, format->extension, is_export ? query : "");
        read_forms(route, asker, at, path);
    }
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        if (strcmp(queries[i][0], route->pattern) != 0)
            continue;
        snprintf(query, sizeof(query), queries[i][1], ada.id);
        fill(path, route->pattern, at, NULL, query);
        read_forms(route, asker, at, path);
    }
    fill(path, route->pattern, at, "exe", "?nonsense=1");
    read_forms(route, asker, at, path);
    fill(path, route->pattern, at, "txt", "");
    read_forms(route, asker, at, path);
}

static void read_all(enum asker asker)
{
    const struct route *route;

    for (size_t i = 0; (route = &routes_all[i])->handle != NULL; i++) {
        if (route->method != METHOD_GET)
            continue;
        for (int at = is_of_game(route) ? 0 : NO_GAME; at < (is_of_game(route) ? MATCHES : 0); at++)
            read_route(route, asker, at);
    }
}

/* ---- writing ---- */

/* What is sent to each address that takes more than GET. Those that end a token come last. */
static const struct write {
    const char *pattern, *body;
    enum method method;
    bool gives; /* a token or a code */
} writes[] = {
    {"/v1/variants/{variant}/check", "{\"moves\":[\"7g7f\"]}", METHOD_POST, false},
    {"/v1/variants/{variant}/check", "{\"moves\":[\"1a1a\"]}", METHOD_POST, false},
    {"/v1/variants/{variant}/analyse", "{\"nodes\":1000}", METHOD_POST, false},
    {"/v1/games", "{\"variant\":\"jungle\"}", METHOD_POST, true},
    {"/v1/games", "{\"variant\":\"chess\"}", METHOD_POST, true},
    {"/v1/games/analyse?nodes=1000", "position startpos moves 2g2f", METHOD_POST, false},
    {"/v1/games/import", "{\"record\":\"position startpos moves 2g2f\"}", METHOD_POST, true},
    {"/v1/games/{id}/messages", "{\"text\":\"Hello!\"}", METHOD_POST, false},
    {"/v1/games/{id}/messages", "{\"text\":\"\"}", METHOD_POST, false},
    {"/v1/games/{id}/notes/{ply}", "{\"text\":\"Mine, and not yours.\"}", METHOD_PUT, false},
    {"/v1/games/{id}/notes/{ply}", NULL, METHOD_DELETE, false},
    {"/v1/games/{id}/here", NULL, METHOD_PUT, false},
    {"/v1/games/{id}/here", NULL, METHOD_DELETE, false},
    {"/v1/games/{id}/moves?dry_run=true", "{\"move\":\"9c9d\"}", METHOD_POST, false},
    {"/v1/games/{id}/moves?dry_run=true", "{\"move\":\"8h2b+\"}", METHOD_POST, false},
    {"/v1/games/{id}/moves?dry_run=true", "{\"move\":\"3c3d\"}", METHOD_POST, false},
    {"/v1/games/{id}/analyse", "{\"nodes\":1000}", METHOD_POST, false},
    {"/v1/games/{id}/plan", "{\"after_ply\":1,\"tree\":[{\"if\":\"*\",\"then\":\"resign\"}]}",
     METHOD_PUT, false},
    {"/v1/games/{id}/plan", "{\"after_ply\":0,\"tree\":[]}", METHOD_PUT, false},
    {"/v1/games/{id}/plan", NULL, METHOD_DELETE, false},
    {"/v1/games/{id}/offers", "{\"kind\":\"undo\",\"to_ply\":0}", METHOD_POST, false},
    {"/v1/games/{id}/offers/{offer}/accept", "{}", METHOD_POST, false},
    {"/v1/games/{id}/offers/{offer}/decline", "{}", METHOD_POST, false},
    {"/v1/games/{id}/offers/{offer}", NULL, METHOD_DELETE, false},
    {"/v1/games/{id}/pause", NULL, METHOD_DELETE, false},
    {"/v1/games/{id}/claims", "{\"kind\":\"timeout\"}", METHOD_POST, false},
    {"/v1/games/{id}/claims", "{\"kind\":\"impasse\"}", METHOD_POST, false},
    {"/v1/games/{id}/invitations", "{\"seat\":2}", METHOD_POST, true},
    {"/v1/games/{id}/invitations/{seat}", NULL, METHOD_DELETE, false},
    {"/v1/games/{id}/moves", "{\"move\":\"1a1a\"}", METHOD_POST, false},
    {"/v1/games/{id}/moves", "{\"move\":\"9c9d\",\"ply\":6}", METHOD_POST, false},
    {"/v1/games/{id}/moves", "{\"move\":\"3c3d\",\"ply\":2}", METHOD_POST, false},
    {"/v1/games/{id}/moves/{ply}", "{\"move\":\"1a1a\"}", METHOD_PUT, false},
    {"/v1/games/{id}/ticket", "", METHOD_POST, true},
    {"/v1/games/{id}/undo", "{}", METHOD_POST, false},
    {"/v1/games/{id}/redo", "{}", METHOD_POST, false},
    {"/v1/games/{id}/fork", "{\"ply\":0}", METHOD_POST, true},
    {"/v1/games/{id}/decline", "{\"text\":\"No.\"}", METHOD_POST, false},
    {"/v1/games/{id}/abort", "{}", METHOD_POST, false},
    {"/v1/games/{id}/resign", "{}", METHOD_POST, false},
    {"/v1/games/{id}/rematch", "{}", METHOD_POST, true},
    {"/v1/games/{id}/join", "{\"invitation\":\"plyd_invitation_0000000000000000\"}", METHOD_POST,
     true},
    {"/v1/games/{id}/join", "{}", METHOD_POST, true},
    {"/v1/players", "{\"name\":\"Zoe\"}", METHOD_POST, true},
    {"/v1/me", "{\"name\":\"Another name\"}", METHOD_PATCH, false},
    {"/v1/me", "{\"about\":\"A line.\",\"picture\":\"https://example.org/a.png\"}", METHOD_PATCH,
     false},
    {"/v1/me/ticket", "", METHOD_POST, true},
    {"/v1/me/games/{id}", "{\"token\":\"plyd_seat_00000000000000000000000000000000\"}", METHOD_PUT,
     false},
    {"/v1/me/read", "{\"games\":{\"00000000000000000000000000\":1}}", METHOD_PUT, false},
    {"/v1/me/blocks/{player}", NULL, METHOD_PUT, false},
    {"/v1/me/blocks/{player}", NULL, METHOD_DELETE, false},
    {"/v1/me/vacation", "{\"for\":\"1d\"}", METHOD_POST, false},
    {"/v1/me/vacation", NULL, METHOD_DELETE, false},
    {"/v1/me/subscriptions",
     "{\"endpoint\":\"http://receiver.invalid/"
     "\",\"keys\":{\"p256dh\":\"BCVxsr7N_eNgVRqvHtD0zTZsEc6-"
     "VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\",\"auth\":"
     "\"BTBZMqHH6r4Tts7J_aSIgg\"}}",
     METHOD_POST, false},
    {"/v1/me/subscriptions/{subscription}", NULL, METHOD_DELETE, false},
    {"/v1/me/mail", "{\"address\":\"somebody@example.org\"}", METHOD_PUT, false},
    {"/v1/me/mail", NULL, METHOD_DELETE, false},
    {"/v1/mail/confirm", "{\"code\":\"0000\"}", METHOD_POST, false},
    {"/v1/mail/end", "{\"code\":\"0000\"}", METHOD_POST, false},
    {"/v1/me/collections", "{\"name\":\"Shelf\"}", METHOD_POST, false},
    {"/v1/me/collections/{collection}", "{\"name\":\"Mine\"}", METHOD_PATCH, false},
    {"/v1/me/collections/{collection}/games/{id}", NULL, METHOD_PUT, false},
    {"/v1/me/collections/{collection}/games/{id}", NULL, METHOD_DELETE, false},
    {"/v1/me/collections/{collection}", NULL, METHOD_DELETE, false},
    {"/v1/me/imports", "startpos moves 7g7e", METHOD_POST, false},
    {"/v1/jobs/{job}", NULL, METHOD_DELETE, false},
    {"/v1/webhooks", "{\"url\":\"http://receiver.invalid/\"}", METHOD_POST, true},
    {"/v1/webhooks/{webhook}", "{\"events\":[\"message\"]}", METHOD_PATCH, false},
    {"/v1/webhooks/{webhook}/test", NULL, METHOD_POST, false},
    {"/v1/webhooks/{webhook}/rotate", NULL, METHOD_POST, true},
    {"/v1/webhooks/{webhook}", NULL, METHOD_DELETE, false},
    {"/v1/games/{id}/token", "{}", METHOD_POST, true},
    {"/v1/me/link", "{\"token\":\"plyd_player_0000000000000000\"}", METHOD_POST, false},
    {"/v1/me/tokens", "{\"name\":\"phone\"}", METHOD_POST, true},
    {"/v1/me/tokens/{token}", "{\"name\":\"desk\"}", METHOD_PATCH, false},
    {"/v1/me/tokens/{token}", NULL, METHOD_DELETE, false},
    {"/v1/me/handover", "", METHOD_POST, true},
    {"/v1/handover", "{\"code\":\"0000-0000-0000\",\"name\":\"phone\"}", METHOD_POST, true},
    {"/v1/me/token", NULL, METHOD_DELETE, false},
    {"/v1/me/token", "{}", METHOD_POST, true},
    {"/v1/me", NULL, METHOD_DELETE, false},
};

enum { WRITES = sizeof(writes) / sizeof(writes[0]) };

/* Whether a write is one to this route, whatever its query. */
static bool is_write_to(const struct write *write, const struct route *route)
{
    size_t len = strlen(route->pattern);

    return write->method == route->method && strncmp(write->pattern, route->pattern, len) == 0 &&
           (write->pattern[len] == '\0' || write->pattern[len] == '?');
}

/* Whoever replaced the token that they ask with goes on with the new one. */
static void take_new_token(enum asker asker, int at, const struct write *write, const char *token)
{
    char was[96];

    snprintf(was, sizeof(was), "%s", token_of(asker, at));
    if (strcmp(write->pattern, "/v1/me/token") == 0) {
        struct player *player = asker == OWNER ? &ada : asker == OPPONENT ? &bob : &eve;

        snprintf(player->token, sizeof(player->token), "%.95s", token);
    }
    for (int match = 0; match < MATCHES; match++)
        if (strcmp(matches[match].opponent, was) == 0 && (at == NO_GAME || at == match) &&
            strncmp(was, token, strlen("plyd_seat")) == 0)
            snprintf(matches[match].opponent, sizeof(matches[match].opponent), "%.95s", token);
}

#define TOKEN_CHARACTERS "_abcdefghijklmnopqrstuvwxyz0123456789+/ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Keeps the tokens and codes that an answer gives. Only some answers may give any. */
static void learn(enum asker asker, int at, const struct write *write, const char *body)
{
    static const char *const prefixes[] = {"plyd_seat_", "plyd_player_", "plyd_invitation_",
                                           "plyd_ticket_", "whsec_"};

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        const char *found = strstr(body, prefixes[i]);
        char token[TEXT_MAX];
        size_t len = found == NULL ? 0 : strspn(found, TOKEN_CHARACTERS);

        if (found == NULL || len < 30)
            continue;
        cr_assert(write->gives, "%s gives a token to %s: %s", write->pattern, names[asker], body);
        snprintf(token, sizeof(token), "%.*s", (int)len, found);
        keep_secret(TOKEN, PRIVATE, 0, token);
        if (strstr(write->pattern, "/token") != NULL)
            take_new_token(asker, at, write, token);
    }
}

static void write_as(const struct write *write, enum asker asker, int at, const char *more)
{
    static const char *const methods[] = {[METHOD_POST] = "POST",
                                          [METHOD_PUT] = "PUT",
                                          [METHOD_PATCH] = "PATCH",
                                          [METHOD_DELETE] = "DELETE"};
    char path[PATH_BYTES];
    struct http_reply reply;

    fill(path, write->pattern, at, NULL, "");
    reply =
        ask_and_search(asker, at, methods[write->method], path, more, write->body, write->gives);
    learn(asker, at, write, reply.body);
    http_free(&reply);
}

/* With a condition that does not hold, with the key of somebody else, and in earnest. */
static void write_forms(const struct write *write, enum asker asker, int at)
{
    static int number;
    char more[200];

    write_as(write, asker, at, "If-Match: \"1000\"\r\nIdempotency-Key: never used by anybody\r\n");
    if (asker != OWNER && at != NO_GAME)
        write_as(write, asker, at, adas_key(write->pattern + strlen("/v1/games/{id}")));
    for (int text = 0; text < 2; text++) {
        snprintf(more, sizeof(more), "%sIdempotency-Key: one of many keys, and new: %d\r\n",
                 text ? "Accept: text/plain\r\n" : "", number++);
        write_as(write, asker, at, more);
    }
}

static void write_all(enum asker asker)
{
    for (size_t i = 0; i < WRITES; i++) {
        bool of_game = strstr(writes[i].pattern, "{id}") != NULL;

        if (writes[i].method == METHOD_DELETE && strcmp(writes[i].pattern, "/v1/me") == 0 &&
            asker != OWNER)
            continue; /* they are still needed */
        for (int at = of_game ? 0 : NO_GAME; at < (of_game ? MATCHES : 0); at++)
            write_forms(&writes[i], asker, at);
    }
}

/* A warning about a game names it: operators must find it. A slow machine makes some. */
static bool is_about_game(const char *line)
{
    return strstr(line, "\"event\":\"game-took-long\"") != NULL;
}

static void search_log(void)
{
    FILE *file;
    char line[4096];

    plyd_await_log(&house.plyd);
    file = fopen(house.plyd.log, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof(line), file) != NULL)
        for (size_t i = 0; i < secrets_count && !is_about_game(line); i++)
            cr_assert_null(strstr(line, secrets[i].text), "the log: %s", line);
    fclose(file);
}

/* ---- what others can tell ---- */

/* What no two answers share, and the character up to which it goes on. */
static const struct passing {
    const char *begin, *end;
} passing[] = {{"\nDate: ", "\r"},           {"\nretry: ", "\n"},         {"\nRequest-Id: ", "\r"},
               {"\nContent-Length: ", "\r"}, {"\"request_id\":\"", "\""}, {"\"now\":\"", "\""},
               {"\"left_s\":{", "}"},        {"\"cursor\":\"", "\""},     {"\nid: 0", "\n"}};

/* Takes from a text what stands between such a beginning and its end. */
static void leave_out(char *text)
{
    char *to = text;

    for (const char *at = text; *at != '\0'; *to++ = *at++)
        for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++)
            if (strncmp(at, passing[i].begin, strlen(passing[i].begin)) == 0)
                at += strlen(passing[i].begin) +
                      strcspn(at + strlen(passing[i].begin), passing[i].end);
    *to = '\0';
}

/* The line of a game in a list says how long ago it was written, in eight cells: here, "now" for
 * some minutes. */
static void make_young(char *text)
{
    static const char minutes[] = "m ago  ";
    static const char now[] = {' ', ' ', ' ', ' ', ' ', 'n', 'o', 'w'};

    for (char *at = text; (at = strstr(at, minutes)) != NULL; at++)
        if (at - text >= 3)
            memcpy(at - 3, now, sizeof(now));
}

/* Everything that an asker can read, one after the other. */
static char *read_whole(enum asker asker)
{
    char *text = NULL;
    size_t size;

    transcript = open_memstream(&text, &size);
    read_all(asker);
    fclose(transcript);
    transcript = NULL;
    leave_out(text);
    make_young(text);
    return text;
}

/* Compares everything that an asker can read with what it was. */
static void assert_unchanged(enum asker asker, const char *before)
{
    char *now = read_whole(asker);
    size_t at = 0;

    while (before[at] != '\0' && before[at] == now[at])
        at++;
    cr_assert(before[at] == now[at], "%s sees a difference:\n%.600s\n---- now ----\n%.600s",
              names[asker], before + (at < 300 ? 0 : at - 300), now + (at < 300 ? 0 : at - 300));
    free(now);
}

/* What one of them does with their plans and notes. */
static const struct deed {
    enum asker who;
    int match;
    const char *method, *rest, *body;
} deeds[] = {
    {OWNER, PRIVATE, "PUT", "/plan",
     "{\"after_ply\":5,\"tree\":[{\"if\":\"9c9d\",\"then\":\"8h2b+\"}]}"},
    {OWNER, NEXT, "PUT", "/plan",
     "{\"after_ply\":0,\"tree\":[{\"if\":\"7g7f\",\"then\":\"3c3d\"}]}"},
    {OWNER, PUBLIC, "DELETE", "/plan", NULL},
    {OWNER, PUBLIC, "PUT", "/notes/1", "{\"text\":\"A new note\"}"},
    {OWNER, PRIVATE, "PUT", "/notes/0", "{\"text\":\"Another note\"}"},
    {OWNER, FORK, "DELETE", "/notes/0", NULL},
    {OPPONENT, UNLISTED, "PUT", "/plan",
     "{\"after_ply\":4,\"tree\":[{\"if\":\"*\",\"then\":\"resign\"}]}"},
    {OPPONENT, FINISHED, "PUT", "/notes/0", "{\"text\":\"A first note\"}"},
    {OPPONENT, PUBLIC, "PUT", "/notes/0", "{\"text\":\"Another note\"}"},
    {OPPONENT, UNLISTED, "DELETE", "/notes/0", NULL},
};

static void do_deeds(enum asker who)
{
    for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
        const struct deed *deed = &deeds[i];
        bool is_set = strcmp(deed->method, "PUT") == 0;

        if (deed->who == who)
            do_it(deed->match, token_of(who, deed->match), is_set ? 200 : 204, deed->method,
                  deed->body, deed->rest);
    }
}

/* Not by a version, an order of a list, a time or a single byte. */
static void assert_only_they_see(enum asker who)
{
    char *before[ASKERS];

    build_world();
    for (enum asker asker = NOBODY; asker < ASKERS; asker++)
        before[asker] = asker == who ? NULL : read_whole(asker);
    do_deeds(who);
    for (enum asker asker = NOBODY; asker < ASKERS; asker++) {
        if (asker != who)
            assert_unchanged(asker, before[asker]);
        free(before[asker]);
    }
}

Test(leaks, nobody_else_notices_the_plans_and_notes_of_the_owner)
{
    assert_only_they_see(OWNER);
}

Test(leaks, nobody_else_notices_the_plans_and_notes_of_the_opponent)
{
    assert_only_they_see(OPPONENT);
}

Test(leaks, a_plan_or_a_note_wakes_nobody_who_waits)
{
    char path[64], headers[300], type[256];
    struct http_reply reply;
    struct answer game;
    double from;

    build_world();
    game = ask_at(&house, bob.token, "GET", NULL, "/v1/games/%s", matches[PUBLIC].game.id);
    snprintf(path, sizeof(path), "/v1/games/%s", matches[PUBLIC].game.id);
    snprintf(headers, sizeof(headers),
             "Authorization: Bearer %s\r\nPrefer: wait=1\r\nIf-None-Match: %s\r\n", bob.token,
             http_header(&game.reply, "ETag", type));
    from = seconds_now();
    http_send(fd, "GET", path, headers, NULL, 0);
    do_deeds(OWNER);
    http_receive(fd, "GET", &reply);
    cr_assert_eq(reply.status, 304);
    cr_assert_geq(seconds_now() - from, 0.99);
    http_free(&reply);
}

/* ---- keys ---- */

/* A key is its asker's own: others make something of their own with it. */
Test(leaks, the_key_of_somebody_else_gives_nobody_their_answer)
{
    static const char body[] = "{\"variant\":\"jungle\",\"visibility\":\"private\"}";
    static const char *const paths[] = {"/v1/games", "/v1/players"};
    static const char *const bodies[] = {body, "{\"name\":\"Ida\"}"};
    struct http_reply reply;
    struct answer made;

    build_world();
    for (int i = 0; i < 2; i++) {
        char headers[300];

        snprintf(headers, sizeof(headers),
                 "Authorization: Bearer %s\r\nContent-Type: application/json\r\n%s", ada.token,
                 adas_key(paths[i]));
        made = ask(&house, "POST", paths[i], headers, bodies[i]);
        assert_status(&made, 201);
        keep_secret(TOKEN, PRIVATE, 0, text_of(&made, "token"));
        keep_secret(TOKEN, PRIVATE, 0, text_of(&made, "id"));
        for (enum asker asker = NOBODY; asker < OWNER; asker++) {
            reply = ask_and_search(asker, NO_GAME, "POST", paths[i], adas_key(paths[i]), bodies[i],
                                   false);
            cr_assert_neq(reply.status, 0);
            http_free(&reply);
        }
    }
}

/* ---- the walks ---- */

Test(leaks, nobody_reads_a_secret_of_others)
{
    build_world();
    for (enum asker asker = NOBODY; asker < ASKERS; asker++)
        read_all(asker);
    search_log();
}

Test(leaks, nobody_gets_a_secret_of_others_by_writing)
{
    build_world();
    make_hooks();
    for (enum asker asker = NOBODY; asker < ASKERS; asker++)
        write_all(asker);
    for (enum asker asker = NOBODY; asker < OWNER; asker++)
        read_all(asker);
    search_messages();
    search_log();
}

Test(leaks, every_route_that_writes_is_tried)
{
    const struct route *route;

    for (size_t i = 0; (route = &routes_all[i])->handle != NULL; i++) {
        bool found = route->method == METHOD_GET;

        for (size_t k = 0; k < WRITES; k++)
            found |= is_write_to(&writes[k], route);
        cr_assert(found, "tell writes[] what to send to %s %s", method_name(route), route->pattern);
    }
}
