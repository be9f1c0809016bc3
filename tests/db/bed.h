/*
 * bed.h - what the tests of db/ need: a migrated database, a struct db that is ready, games, and
 * calls whose replies are kept.
 */
#ifndef PLYD_TESTS_DB_BED_H
#define PLYD_TESTS_DB_BED_H

#include <libpq-fe.h>

#include "db/db.h"
#include "db/hooks.h"
#include "db/library.h"
#include "db/tasks.h"

enum { CALL_ITEMS = 256, CALL_TEXT = 128 };

/* What a callback was told, copied. */
struct call {
    int calls;
    enum db_outcome outcome;
    struct db_error error;
    int32_t version, ply;
    bool has_game;
    struct db_game game; /* without its texts, but for copies of these */
    char position[CALL_TEXT], clock[CALL_TEXT], timing[CALL_TEXT], offers[CALL_TEXT];
    size_t count;
    struct db_event events[CALL_ITEMS]; /* without their texts, but for copies of the moves */
    char moves[CALL_ITEMS][CALL_TEXT];
    int64_t keys[CALL_ITEMS];
    struct db_answer answer;
    size_t forgotten, renewed;
    char sealed[CALL_TEXT];
    struct db_account account;
    struct db_player player; /* without its texts, but for a copy of the name */
    struct db_handover handover;
    char name[CALL_TEXT], about[CALL_TEXT], picture[CALL_TEXT];
    db_id ids[CALL_ITEMS]; /* of the games of a list, of which `game` is the first */
    struct db_unread_of unread[CALL_ITEMS];
    struct db_here here;
    struct db_result results[CALL_ITEMS]; /* without their variants */
    struct db_due due[CALL_ITEMS];
    struct db_span spans[CALL_ITEMS];
    int32_t outages;
    struct db_plan plan; /* without its tree, but for a copy */
    char tree[CALL_TEXT];
    struct db_block blocks[CALL_ITEMS]; /* their names are in `texts` */
    struct db_note notes[CALL_ITEMS];   /* without their texts, but for copies */
    char texts[CALL_ITEMS][CALL_TEXT];
    db_id games[CALL_ITEMS]; /* of the events of a feed */
    bool more;
    int64_t versions, horizon, read;
    size_t waiting;
    struct db_hook hooks[DB_RECEIVERS_MAX]; /* their urls are in `texts` */
    struct db_hook_news hook_news[CALL_ITEMS];
    struct db_delivery deliveries[CALL_ITEMS];
    struct db_push_key push_key;
    struct db_task tasks[CALL_ITEMS];      /* their marks are in `texts` */
    struct db_task_item items[CALL_ITEMS]; /* their data are in `texts` */
    struct db_task_part
        parts[DB_TASK_PARTS_MAX]; /* without their bytes, but for copies in `texts` */
    struct db_collection collections[CALL_ITEMS]; /* their names are in `texts` */
    struct db_reached reached[CALL_ITEMS];
    struct db_reached_by reached_by[CALL_ITEMS]; /* the moves are in `texts` */
    bool has_next;
    struct db_cursor next;
};

/* The callbacks: on_done(), on_game() and so on. The context is a struct call. */
db_done_callback on_done;
#define DB_REPLY(name, type) db_##name##_callback on_##name;
#include "db/replies.def"

struct bed {
    char *url;
    struct db *db;
};

/* Makes a database on the shared server, and a struct db on it. */
void bed_make(struct bed *bed);
void bed_remove(struct bed *bed);

/* Settings that suit a test; the caller may change them. */
struct db_settings bed_settings(const char *url);

/* Opens a struct db and runs it until it is ready. */
struct db *bed_open(const struct db_settings *settings);

/* Runs the loop until it is idle; fails the test after half a minute. */
void run_until_idle(struct db *db);
void run_until_ready(struct db *db);
void run_until_sent(struct db *db);              /* nothing waits in the queue */
void run_until_time(struct db *db, double time); /* of seconds_now() */

/* Runs the loop until this call was answered; it must be answered once. */
void run_until_done(struct db *db, const struct call *call);

/* For a test that has a struct bed `bed` and a struct call `done_call`: makes a request by one of
 * db.h's functions that end with a callback, which takes such a reply, and waits for it: it is
 * done_call then. */
#define CALL(expected, type, function, ...)                                    \
    do {                                                                       \
        done_call = (struct call){.calls = 0};                                 \
        function(bed.db, __VA_ARGS__, on_##type, &done_call);                  \
        run_until_done(bed.db, &done_call);                                    \
        cr_assert_eq(done_call.outcome, expected, "%s", done_call.error.text); \
    } while (0)

/* Runs SQL on a connection of its own. sql_value() returns the first value, which the caller frees.
 */
void sql(const char *url, const char *text);
char *sql_value(const char *url, const char *text);

/* Fails the test if the first value of a query is another one. */
void assert_sql(const char *url, const char *query, const char *value);

/* Returns when so many sessions wait for a lock. */
void wait_for_locks(const char *url, const char *waiting);

/* Fills a table with very many rows. The server knows nothing of the table before: it might know
 * what other tests had in it, and would plan for that. Nor does it look by itself, which it might
 * do before they are stored. */
void plan_fill(const char *url, const char *table, const char *text);

/* Prepares a statement, whose plan is then the one that all sessions share; the text of that plan,
 * with how it ran with these arguments; and how many pages that text says were read. */
void plan_prepare(PGconn *pg, enum db_kind kind);
const char *plan_of(PGconn *pg, enum db_kind kind, const char *arguments);
int plan_pages(const char *plan);

/* A new game at version 1 with its first event, not stored yet. */
db_id new_id(void);
struct db_game new_game(void);
void create(struct db *db, const struct db_game *game); /* and stores it */

/* A move that can be appended: `after` is `game` one ply later. */
struct turn {
    struct db_game after;
    struct db_event event;
    struct db_append append;
};
void turn_make(struct turn *turn, const struct db_game *game, const char *move);

/* Appends a move, which must succeed, and makes *game the game after it. */
void play(struct db *db, struct db_game *game, const char *move);

/* The same with an event of another kind that sets ply and line, as an undo does. */
void set_back(struct db *db, struct db_game *game, int32_t ply);

#endif
