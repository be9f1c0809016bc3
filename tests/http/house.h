/*
 * house.h - what an HTTP test lives in: a database of its own and a daemon that serves it.
 *
 * Every answer that a test gets is held against openapi.yaml on the way: a test fails where the
 * contract is not kept, whatever it was about.
 */
#ifndef PLYD_TESTS_HTTP_HOUSE_H
#define PLYD_TESTS_HTTP_HOUSE_H

#include <cjson/cJSON.h>

#include "tests/support/http.h"
#include "tests/support/plyd.h"

struct house {
    char *database;
    struct plyd plyd;
    struct plyd second; /* its port is 0 where there is none */
    cJSON *contract;
};

void house_open(struct house *house);

/* Starts a second daemon on the same database. */
void house_open_second(struct house *house);

/* Stops the daemons, which must end well. */
void house_close(struct house *house);

struct answer {
    int status;
    struct http_reply reply;
    cJSON *json; /* the body, if it is JSON */
};

/* Sends a request and takes the answer, which answer_free() frees. `headers` as in http.h; `body`
 * is sent with the content type that is among them. */
struct answer ask(struct house *house, const char *method, const char *path, const char *headers,
                  const char *body);

/* What ask() makes of an answer that came some other way. */
struct answer answer_of(const struct house *house, const char *method, const char *path,
                        struct http_reply reply);

/* The same as ask() with a token, and a body that is JSON, or (not beginning with '{') a bare text.
 */
struct answer ask_as(struct house *house, const char *token, const char *method, const char *path,
                     const char *body);

/* The same, formatted path. */
struct answer ask_at(struct house *house, const char *token, const char *method, const char *body,
                     const char *path, ...) __attribute__((format(printf, 5, 6)));

void answer_free(struct answer *answer);

/* A game and its token. */
struct game {
    char id[32];
    char token[64];
};

/* Creates a game from a JSON body and asserts that it was created. */
struct game new_game(struct house *house, const char *body);

/* A player and his token. */
struct player {
    char id[32];
    char token[96];
};

/* Makes a player of that name and asserts that it was made. */
struct player new_player(struct house *house, const char *name);

/* A game that a player creates. */
struct game new_game_of(struct house *house, const char *token, const char *body);

/* Plays moves, separated by blanks, and asserts that each was played. */
void play(struct house *house, const struct game *game, const char *moves);

/* Members of an answer by their path, "game.position" or "items.0.move": a missing one fails. */
const cJSON *member(const struct answer *answer, const char *path);
const char *text_of(const struct answer *answer, const char *path);
int number_of(const struct answer *answer, const char *path);
int has(const struct answer *answer, const char *path);

/* Asserts status and code of a problem. */
void assert_problem(const struct answer *answer, int status, const char *code);
void assert_status(const struct answer *answer, int status);

/* The operation of the contract that a request belongs to ("getGame"), or NULL. */
const char *operation_of(const struct house *house, const char *method, const char *path);

#endif
