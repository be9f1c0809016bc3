/*
 * house.h - what an HTTP test lives in: a database, and one or two daemons that serve it.
 *
 * Most tests share a house: two daemons with the default settings on one database, which the test
 * program opens before its first test and closes after its last. A test that counts what is in a
 * database or a daemon, that stops a daemon, or that wants other settings, has a house of its own.
 * Each test talks from an address of its own (http.h), so it has a client's whole quota.
 *
 * Every answer that a test gets is compared with openapi.yaml on the way. A test fails if the
 * contract is not kept, whatever the test is about.
 */
#ifndef PLYD_TESTS_HTTP_HOUSE_H
#define PLYD_TESTS_HTTP_HOUSE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "tests/support/http.h"
#include "tests/support/plyd.h"

enum { HOUSE_PATIENCE_S = 1800 }; /* for a test of any kind on any machine: it bounds a hang */

struct house {
    char *database;
    struct plyd plyd;
    struct plyd second;    /* its port is 0 if there is none */
    const cJSON *contract; /* openapi.yaml */
    bool shared;
};

/* Makes a test suite whose tests live in the variable `house`. `open` is house_share or house_open,
 * and `seconds` bounds each test. */
#define HOUSE_SUITE(suite, open, seconds) \
    static struct house house;            \
    static void open_house(void)          \
    {                                     \
        open(&house);                     \
    }                                     \
    static void close_house(void)         \
    {                                     \
        house_close(&house);              \
    }                                     \
    TestSuite(suite, .init = open_house, .fini = close_house, .timeout = (double)(seconds))

/* Enters the house that all share. */
void house_share(struct house *house);

/* Leaves it for a house of one's own, in which nothing has happened yet. */
void house_move_out(struct house *house);

/* A house of a test's own, with one daemon. */
void house_open(struct house *house);

/* The same with a database that is there: its connection string is the house's from now on. */
void house_open_on(struct house *house, char *database);

/* The daemons that start from now on have a mail server, at which nobody answers. */
void house_set_mail(void);

/* Starts a second daemon on the same database. The house that all share has one already. */
void house_open_second(struct house *house);

/* Runs a command of SQL on the house's database. */
void house_sql(const struct house *house, const char *command);

/* The one value that a query of the house's database gives. To be freed. */
char *house_value(const struct house *house, const char *query);

/* Stops the daemons of a house of one's own, which must end well. */
void house_close(struct house *house);

/* The same. Every game of the database must replay, as those of the shared house must in the end.
 */
void house_close_verified(struct house *house);

struct answer {
    int status;
    struct http_reply reply;
    cJSON *json; /* the body, if it is JSON */
};

/* Sends a request and takes the answer, which lives as long as the test: its process ends with it.
 * `headers` are as in http.h; the content type of the body is among them. */
struct answer ask(struct house *house, const char *method, const char *path, const char *headers,
                  const char *body);

/* Lets something else that was read live as long. */
void answer_keep(const struct answer *answer);

/* Makes of an answer that came some other way what ask() makes of its own. */
struct answer answer_of(const struct house *house, const char *method, const char *path,
                        struct http_reply reply);

/* As ask(), with a token and a body that is JSON, or a bare text if it does not begin with '{'. */
struct answer ask_as(struct house *house, const char *token, const char *method, const char *path,
                     const char *body);

/* As ask_as(), with a formatted path. */
struct answer ask_at(struct house *house, const char *token, const char *method, const char *body,
                     const char *path, ...) __attribute__((format(printf, 5, 6)));

/* Frees all answers so far, for tests that ask many thousand times. */
void answers_forget(void);

/* A game and its token. */
struct game {
    char id[32];
    char token[64];
};

/* Creates a game from a JSON body and asserts that it was created. */
struct game new_game(struct house *house, const char *body);

/* A player and their token. */
struct player {
    char id[32];
    char token[96];
};

/* Makes a player and asserts that it was made. */
struct player new_player(struct house *house, const char *name);

/* Gives a player another token, and ends the old one. */
void replace_player_token(struct house *house, struct player *player);

/* As new_game(), with a player's token. */
struct game new_game_of(struct house *house, const char *token, const char *body);

/* Waits until a job of a player is over. */
void job_await(struct house *house, const char *token, const char *op);

/* Plays moves, separated by blanks, and asserts that each was played. */
void play(struct house *house, const struct game *game, const char *moves);

/* Members of an answer by their path, such as "game.position" or "items.0.move". A missing one
 * fails the test, but for has(). */
const cJSON *member(const struct answer *answer, const char *path);
const char *text_of(const struct answer *answer, const char *path);
int number_of(const struct answer *answer, const char *path);
int has(const struct answer *answer, const char *path);

/* Asserts the status and the code of a problem, or a status alone. */
void assert_problem(const struct answer *answer, int status, const char *code);
void assert_status(const struct answer *answer, int status);

/* The operation of the contract that a request belongs to ("getGame"), or NULL. */
const char *operation_of(const struct house *house, const char *method, const char *path);

#endif
