#include "bed.h"

#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "db/kinds.h"
#include "tests/support/now.h"
#include "tests/support/ready.h"

enum { PATIENCE_S = 120 }; /* it bounds a hang, on a busy machine, too */

/* ---- calls ---- */

static void copy_text(char copy[CALL_TEXT], const char *text)
{
    snprintf(copy, CALL_TEXT, "%s", text != NULL ? text : "");
}

static struct call *answered(void *context, const struct db_reply *reply)
{
    struct call *call = context;

    call->calls++;
    call->outcome = reply->outcome;
    call->error = reply->error;
    return call;
}

static size_t counted(size_t count)
{
    cr_assert_leq(count, CALL_ITEMS);
    return count;
}

void on_done(void *context, const struct db_reply *reply)
{
    answered(context, reply);
}

void on_game(void *context, const struct db_reply *reply, const struct db_game *game)
{
    struct call *call = answered(context, reply);

    call->has_game = reply->outcome == DB_OK;
    call->version = game->version;
    call->game = *game;
    copy_text(call->position, game->position);
    copy_text(call->clock, game->clock);
    copy_text(call->timing, game->timing);
    copy_text(call->offers, game->offers);
}

void on_version(void *context, const struct db_reply *reply, const struct db_version *version)
{
    struct call *call = answered(context, reply);

    call->version = version->version;
}

void on_events(void *context, const struct db_reply *reply, const struct db_events *events)
{
    struct call *call = answered(context, reply);

    call->count = counted(events->count);
    for (size_t i = 0; i < call->count; i++) {
        call->events[i] = events->items[i];
        copy_text(call->moves[i], events->items[i].move);
    }
}

void on_keys(void *context, const struct db_reply *reply, const struct db_keys *keys)
{
    struct call *call = answered(context, reply);

    call->count = counted(keys->count);
    for (size_t i = 0; i < call->count; i++)
        call->keys[i] = keys->items[i];
}

void on_line_end(void *context, const struct db_reply *reply, const struct db_line_end *end)
{
    struct call *call = answered(context, reply);

    call->ply = end->ply;
}

void on_answer(void *context, const struct db_reply *reply, const struct db_answer *answer)
{
    struct call *call = answered(context, reply);

    cr_assert_lt(answer->sealed_len, CALL_TEXT);
    call->answer = *answer;
    if (answer->sealed != NULL)
        memcpy(call->sealed, answer->sealed, answer->sealed_len);
}

void on_forgotten(void *context, const struct db_reply *reply, const struct db_forgotten *forgotten)
{
    struct call *call = answered(context, reply);

    call->forgotten = forgotten->answers;
}

void on_renewed(void *context, const struct db_reply *reply, const struct db_renewed *renewed)
{
    struct call *call = answered(context, reply);

    call->renewed = renewed->games;
}

void on_player(void *context, const struct db_reply *reply, const struct db_player *player)
{
    struct call *call = answered(context, reply);

    call->player = *player;
    copy_text(call->name, player->name);
    copy_text(call->about, player->about);
    copy_text(call->picture, player->picture);
}

void on_handover(void *context, const struct db_reply *reply, const struct db_handover *handover)
{
    answered(context, reply)->handover = *handover;
}

void on_account(void *context, const struct db_reply *reply, const struct db_account *account)
{
    answered(context, reply)->account = *account;
}

void on_spans(void *context, const struct db_reply *reply, const struct db_spans *spans)
{
    struct call *call = answered(context, reply);

    call->count = counted(spans->count);
    for (size_t i = 0; i < call->count; i++)
        call->spans[i] = spans->items[i];
}

void on_plan(void *context, const struct db_reply *reply, const struct db_plan *plan)
{
    struct call *call = answered(context, reply);

    call->plan = *plan;
    copy_text(call->tree, plan->tree);
}

void on_blocks(void *context, const struct db_reply *reply, const struct db_blocks *blocks)
{
    struct call *call = answered(context, reply);

    call->count = counted(blocks->count);
    for (size_t i = 0; i < call->count; i++) {
        call->blocks[i] = blocks->items[i];
        copy_text(call->texts[i], blocks->items[i].name);
    }
}

void on_unread(void *context, const struct db_reply *reply, const struct db_unread *unread)
{
    struct call *call = answered(context, reply);

    call->count = counted(unread->count);
    memcpy(call->unread, unread->items, call->count * sizeof(*unread->items));
}

void on_here(void *context, const struct db_reply *reply, const struct db_here *here)
{
    struct call *call = answered(context, reply);

    if (here != NULL)
        call->here = *here;
}

void on_results(void *context, const struct db_reply *reply, const struct db_results *results)
{
    struct call *call = answered(context, reply);

    call->count = counted(results->count);
    memcpy(call->results, results->items, call->count * sizeof(*results->items));
}

void on_notes(void *context, const struct db_reply *reply, const struct db_notes *notes)
{
    struct call *call = answered(context, reply);

    call->count = counted(notes->count);
    for (size_t i = 0; i < call->count; i++) {
        call->notes[i] = notes->items[i];
        copy_text(call->texts[i], notes->items[i].text);
    }
}

void on_games(void *context, const struct db_reply *reply, const struct db_games *page)
{
    struct call *call = answered(context, reply);

    call->count = counted(page->count);
    for (size_t i = 0; i < call->count; i++)
        call->ids[i] = page->items[i].id;
    if (page->count > 0)
        call->game = page->items[0];
    call->has_next = page->next != NULL;
    if (page->next != NULL)
        call->next = *page->next;
}

void on_feed(void *context, const struct db_reply *reply, const struct db_feed_page *page)
{
    struct call *call = answered(context, reply);

    call->more = page->more;
    call->count = counted(page->count);
    for (size_t i = 0; i < call->count; i++) {
        call->games[i] = page->items[i].game;
        call->events[i] = page->items[i].event;
    }
}

void on_player_state(void *context, const struct db_reply *reply,
                     const struct db_player_state *state)
{
    struct call *call = answered(context, reply);

    call->count = state->games;
    call->versions = state->versions;
    call->waiting = state->waiting;
    call->read = state->read;
}

void on_push_key(void *context, const struct db_reply *reply, const struct db_push_key *key)
{
    struct call *call = answered(context, reply);

    call->push_key = *key;
}

void on_horizon(void *context, const struct db_reply *reply, const struct db_horizon *horizon)
{
    struct call *call = answered(context, reply);

    call->horizon = horizon->at;
}

void on_claimed(void *context, const struct db_reply *reply, const struct db_claimed *due)
{
    struct call *call = answered(context, reply);

    call->count = counted(due->count);
    for (size_t i = 0; i < call->count; i++)
        call->due[i] = due->items[i];
}

void on_beat(void *context, const struct db_reply *reply, const struct db_beat *beat)
{
    struct call *call = answered(context, reply);

    call->outages = beat->outages;
}

void on_daemons(void *context, const struct db_reply *reply, const struct db_daemons *daemons)
{
    struct call *call = answered(context, reply);

    call->count = daemons->count;
}

void on_hooks(void *context, const struct db_reply *reply, const struct db_hooks *hooks)
{
    struct call *call = answered(context, reply);

    call->count = counted(hooks->count);
    for (size_t i = 0; i < call->count; i++) {
        call->hooks[i] = hooks->items[i];
        copy_text(call->texts[i], hooks->items[i].url);
    }
}

void on_news(void *context, const struct db_reply *reply, const struct db_news *news)
{
    struct call *call = answered(context, reply);

    call->count = counted(news->count);
    for (size_t i = 0; i < call->count; i++)
        call->hook_news[i] = news->items[i];
}

void on_deliveries(void *context, const struct db_reply *reply,
                   const struct db_deliveries *deliveries)
{
    struct call *call = answered(context, reply);

    call->count = counted(deliveries->count);
    for (size_t i = 0; i < call->count; i++)
        call->deliveries[i] = deliveries->items[i];
}

void on_tasks(void *context, const struct db_reply *reply, const struct db_tasks *tasks)
{
    struct call *call = answered(context, reply);

    call->count = counted(tasks->count);
    for (size_t i = 0; i < call->count; i++) {
        call->tasks[i] = tasks->items[i];
        copy_text(call->texts[i], tasks->items[i].mark);
    }
}

void on_task_items(void *context, const struct db_reply *reply, const struct db_task_items *items)
{
    struct call *call = answered(context, reply);

    call->count = counted(items->count);
    for (size_t i = 0; i < call->count; i++) {
        call->items[i] = items->items[i];
        copy_text(call->texts[i], items->items[i].data);
    }
}

void on_task_parts(void *context, const struct db_reply *reply, const struct db_task_parts *parts)
{
    struct call *call = answered(context, reply);

    call->count = counted(parts->count);
    for (size_t i = 0; i < call->count; i++) {
        const struct db_task_part *part = &parts->items[i];

        call->parts[i] = *part;
        memcpy(call->texts[i], part->bytes, part->len < CALL_TEXT ? part->len : CALL_TEXT);
    }
}

void on_collections(void *context, const struct db_reply *reply,
                    const struct db_collections *collections)
{
    struct call *call = answered(context, reply);

    call->count = counted(collections->count);
    for (size_t i = 0; i < call->count; i++) {
        call->collections[i] = collections->items[i];
        copy_text(call->texts[i], collections->items[i].name);
    }
}

void on_collectors(void *context, const struct db_reply *reply, const struct db_collectors *players)
{
    struct call *call = answered(context, reply);

    call->count = counted(players->count);
    for (size_t i = 0; i < call->count; i++)
        call->ids[i] = players->items[i];
}

void on_reached_games(void *context, const struct db_reply *reply,
                      const struct db_reached_games *games)
{
    struct call *call = answered(context, reply);

    call->count = counted(games->count);
    for (size_t i = 0; i < call->count; i++)
        call->reached[i] = games->items[i];
}

void on_reached_moves(void *context, const struct db_reply *reply,
                      const struct db_reached_moves *moves)
{
    struct call *call = answered(context, reply);

    call->count = counted(moves->count);
    for (size_t i = 0; i < call->count; i++) {
        call->reached_by[i] = moves->items[i];
        copy_text(call->texts[i], moves->items[i].next);
    }
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

void run_until_time(struct db *db, double time)
{
    while (seconds_now() < time)
        run_and_wait(db);
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

    db_create(db, &request, on_done, &call);
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

    db_append(db, &turn->append, on_done, &call);
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

/* ---- plans ---- */

void plan_fill(const char *url, const char *table, const char *text)
{
    char anew[256];

    snprintf(anew, sizeof(anew),
             "alter table %s set (autovacuum_enabled = false); truncate %s;"
             " delete from pg_statistic where starelid = '%s'::regclass",
             table, table, table);
    sql(url, anew);
    sql(url, text);
}

void plan_prepare(PGconn *pg, enum db_kind kind)
{
    PQclear(PQexec(pg, "set plan_cache_mode = force_generic_plan"));
    PQclear(PQprepare(pg, kinds_table[kind].name, kinds_table[kind].sql, 0, NULL));
}

const char *plan_of(PGconn *pg, enum db_kind kind, const char *arguments)
{
    static char plan[1 << 16];
    char execute[1024];

    snprintf(execute, sizeof(execute), "explain (analyze, timing off, buffers) execute %s(%s)",
             kinds_table[kind].name, arguments);
    PGresult *result = PQexec(pg, execute);
    cr_assert_eq(PQresultStatus(result), PGRES_TUPLES_OK, "%s", PQerrorMessage(pg));
    plan[0] = '\0';
    for (int row = 0; row < PQntuples(result); row++) {
        strncat(plan, PQgetvalue(result, row, 0), sizeof(plan) - strlen(plan) - 1);
        strncat(plan, "\n", sizeof(plan) - strlen(plan) - 1);
    }
    PQclear(result);
    return plan;
}

int plan_pages(const char *plan)
{
    int hit = 0, read = 0;
    const char *buffers = strstr(plan, "Buffers: shared");

    cr_assert_not_null(buffers);
    if (sscanf(buffers, "Buffers: shared hit=%d read=%d", &hit, &read) == 0)
        sscanf(buffers, "Buffers: shared read=%d", &read);
    return hit + read;
}
