#include "bed.h"

#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "tests/support/ready.h"

enum { PATIENCE_S = 120 }; /* it bounds a hang, on a busy machine, too */

/* ---- calls ---- */

static void copy_text(char copy[CALL_TEXT], const char *text)
{
    snprintf(copy, CALL_TEXT, "%s", text != NULL ? text : "");
}

static void copy_items(struct call *call, const struct db_reply *reply)
{
    cr_assert_leq(reply->count, CALL_ITEMS);
    call->count = reply->count;
    for (size_t i = 0; reply->keys != NULL && i < reply->count; i++)
        call->keys[i] = reply->keys[i];
    for (size_t i = 0; reply->events != NULL && i < reply->count; i++) {
        call->events[i] = reply->events[i];
        if (reply->events[i].move != NULL)
            snprintf(call->moves[i], CALL_TEXT, "%s", reply->events[i].move);
    }
    for (size_t i = 0; reply->games != NULL && i < reply->count; i++)
        call->ids[i] = reply->games[i].id;
    for (size_t i = 0; reply->feed != NULL && i < reply->count; i++) {
        call->games[i] = reply->feed[i].game;
        call->events[i] = reply->feed[i].event;
    }
    for (size_t i = 0; reply->due != NULL && i < reply->count; i++)
        call->due[i] = reply->due[i];
    for (size_t i = 0; reply->spans != NULL && i < reply->count; i++)
        call->spans[i] = reply->spans[i];
    for (size_t i = 0; reply->notes != NULL && i < reply->count; i++) {
        call->notes[i] = reply->notes[i];
        copy_text(call->texts[i], reply->notes[i].text);
    }
    for (size_t i = 0; reply->hooks != NULL && i < reply->count; i++) {
        call->hooks[i] = reply->hooks[i];
        copy_text(call->texts[i], reply->hooks[i].url);
    }
    for (size_t i = 0; reply->hook_news != NULL && i < reply->count; i++)
        call->hook_news[i] = reply->hook_news[i];
    for (size_t i = 0; reply->deliveries != NULL && i < reply->count; i++)
        call->deliveries[i] = reply->deliveries[i];
    for (size_t i = 0; reply->collections != NULL && i < reply->count; i++) {
        call->collections[i] = reply->collections[i];
        copy_text(call->texts[i], reply->collections[i].name);
    }
    for (size_t i = 0; reply->players != NULL && i < reply->count; i++)
        call->ids[i] = reply->players[i];
    for (size_t i = 0; reply->reached != NULL && i < reply->count; i++)
        call->reached[i] = reply->reached[i];
    for (size_t i = 0; reply->reached_by != NULL && i < reply->count; i++) {
        call->reached_by[i] = reply->reached_by[i];
        copy_text(call->texts[i], reply->reached_by[i].next);
    }
    for (size_t i = 0; reply->tasks != NULL && i < reply->count; i++) {
        call->tasks[i] = reply->tasks[i];
        copy_text(call->texts[i], reply->tasks[i].mark);
    }
    for (size_t i = 0; reply->items != NULL && i < reply->count; i++) {
        call->items[i] = reply->items[i];
        copy_text(call->texts[i], reply->items[i].data);
    }
    for (size_t i = 0; reply->parts != NULL && i < reply->count; i++) {
        call->parts[i] = reply->parts[i];
        memcpy(call->texts[i], reply->parts[i].bytes,
               reply->parts[i].len < CALL_TEXT ? reply->parts[i].len : CALL_TEXT);
    }
}

void on_reply(void *context, const struct db_reply *reply)
{
    struct call *call = context;

    call->calls++;
    call->outcome = reply->outcome;
    call->error = reply->error;
    call->version = reply->version;
    call->ply = reply->ply;
    call->forgotten = reply->forgotten;
    copy_items(call, reply);
    if (reply->game != NULL) {
        call->has_game = true;
        call->game = *reply->game;
        copy_text(call->position, reply->game->position);
        copy_text(call->clock, reply->game->clock);
        copy_text(call->timing, reply->game->timing);
        copy_text(call->offers, reply->game->offers);
    }
    if (reply->answer != NULL) {
        cr_assert_lt(reply->answer->sealed_len, CALL_TEXT);
        call->answer = *reply->answer;
        if (reply->answer->sealed != NULL)
            memcpy(call->sealed, reply->answer->sealed, reply->answer->sealed_len);
    }
    if (reply->player != NULL) {
        call->player = *reply->player;
        copy_text(call->name, reply->player->name);
    }
    call->outages = reply->outages;
    call->more = reply->more;
    call->versions = reply->versions;
    call->horizon = reply->horizon;
    if (reply->plan != NULL) {
        call->plan = *reply->plan;
        copy_text(call->tree, reply->plan->tree);
    }
    call->has_next = reply->next != NULL;
    if (reply->next != NULL)
        call->next = *reply->next;
}

/* ---- running ---- */

static void deadline(const time_t *since)
{
    cr_assert(time(NULL) - *since < PATIENCE_S, "the loop runs for two minutes already");
}

static void run_and_wait(struct db *db)
{
    struct pollfd ready = {.fd = db_fd(db), .events = POLLIN};
    int timeout = db_timeout_ms(db);
    poll(&ready, 1, timeout < 0 || timeout > 1000 ? 1000 : timeout);
    db_run(db);
}

void run_until_idle(struct db *db)
{
    time_t since = time(NULL);
    for (db_run(db); !db_idle(db); run_and_wait(db))
        deadline(&since);
}

void run_until_ready(struct db *db)
{
    time_t since = time(NULL);
    for (db_run(db); !db_ready(db); run_and_wait(db))
        deadline(&since);
}

void run_until_sent(struct db *db)
{
    time_t since = time(NULL);
    struct db_stats stats;
    for (db_run(db), db_stats(db, &stats); stats.queued; run_and_wait(db), db_stats(db, &stats))
        deadline(&since);
}

void run_until_done(struct db *db, const struct call *call)
{
    time_t since = time(NULL);
    for (db_run(db); !call->calls; run_and_wait(db))
        deadline(&since);
    cr_assert_eq(call->calls, 1, "called back %d times", call->calls);
}

/* ---- databases ---- */

struct db_settings bed_settings(const char *url)
{
    return (struct db_settings){
        .url = url, .connections = 2, .queue_max = 1000, .batch_max = 128, .deadline_ms = 10000};
}

struct db *bed_open(const struct db_settings *settings)
{
    struct db *db = db_open(settings);
    cr_assert_not_null(db);
    run_until_ready(db);
    return db;
}

void bed_make(struct bed *bed)
{
    bed->url = ready_borrow();
    struct db_settings settings = bed_settings(bed->url);
    bed->db = bed_open(&settings);
}

void bed_remove(struct bed *bed)
{
    db_close(bed->db);
    ready_return(bed->url);
}

char *sql_value(const char *url, const char *text)
{
    PGconn *pg = PQconnectdb(url);
    PGresult *result = PQexec(pg, text);
    ExecStatusType status = PQresultStatus(result);
    char *value;

    cr_assert(status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK, "%s", PQerrorMessage(pg));
    value = strdup(PQntuples(result) ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    PQfinish(pg);
    return value;
}

void sql(const char *url, const char *text)
{
    free(sql_value(url, text));
}

void assert_sql(const char *url, const char *query, const char *value)
{
    char *found = sql_value(url, query);
    cr_assert_str_eq(found, value, "%s is %s, not %s", query, found, value);
    free(found);
}

void wait_for_locks(const char *url, const char *waiting)
{
    static const char query[] = "select count(*) from pg_stat_activity"
                                " where wait_event_type = 'Lock'"
                                " and datname = current_database()";
    time_t since = time(NULL);
    char *found = NULL;

    do {
        deadline(&since);
        free(found);
        found = sql_value(url, query);
    } while (strcmp(found, waiting) != 0);
    free(found);
}

/* ---- games ---- */

static const char start[] = "start";

db_id new_id(void)
{
    db_id id;
    cr_assert_eq(getrandom(&id, sizeof(id), 0), sizeof(id));
    return id;
}

struct db_game new_game(void)
{
    struct db_game game = {.id = new_id(),
                           .version = 1,
                           .line = 1,
                           .lines = 1,
                           .status = 1,
                           .to_move = 1,
                           .position = start,
                           .deadline_at = DB_NEVER,
                           .variant = "shogi",
                           .rules_version = 1,
                           .options = "{}",
                           .start = start,
                           .seed = 42};
    return game;
}

void create(struct db *db, const struct db_game *game)
{
    struct call call = {.calls = 0};
    struct db_event first = {.version = 1, .line = 1, .position = start, .key = 1000};
    struct db_create request = {.game = game, .events = &first, .count = 1};

    db_create(db, &request, on_reply, &call);
    run_until_done(db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
}

void turn_make(struct turn *turn, const struct db_game *game, const char *move)
{
    struct db_game *after = &turn->after;

    *after = *game;
    after->version++;
    after->ply++;
    after->tip = after->ply;
    after->last_move = move;
    after->position = "after a move";
    after->last_seat = 1;
    after->last_at = after->updated_at;
    turn->event = (struct db_event){.version = after->version,
                                    .kind = DB_EVENT_MOVE,
                                    .seat = 1,
                                    .line = after->line,
                                    .ply = after->ply,
                                    .at = after->updated_at,
                                    .move = move,
                                    .position = after->position,
                                    .key = 1000 * after->line + after->ply};
    turn->append = (struct db_append){.after = after,
                                      .expected = game->version,
                                      .expected_plans = game->plans,
                                      .events = &turn->event,
                                      .count = 1};
}

static void append_turn(struct db *db, const struct turn *turn)
{
    struct call call = {.calls = 0};

    db_append(db, &turn->append, on_reply, &call);
    run_until_done(db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
}

void play(struct db *db, struct db_game *game, const char *move)
{
    struct turn turn;

    turn_make(&turn, game, move);
    append_turn(db, &turn);
    *game = turn.after;
}

void set_back(struct db *db, struct db_game *game, int32_t ply)
{
    struct turn turn;

    turn_make(&turn, game, NULL);
    turn.after.ply = ply;
    turn.after.tip = ply;
    turn.after.lines++;
    turn.after.line = turn.after.lines;
    turn.event.kind = 7;
    turn.event.ply = ply;
    turn.event.line = turn.after.line;
    append_turn(db, &turn);
    *game = turn.after;
}
