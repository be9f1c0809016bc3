/* scan.c - reading every stored game with all of its events. */
#include "scan.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "wire.h"

#define DB_SQL(name, text)
#include "sql.def"
#undef DB_SQL

enum { PAGE = 200 }; /* games that are in memory at a time, with all of their events */

/* A page of games between two ids, and all of their events: two queries a page. A page is a stretch
 * of the primary key, so the last one costs no more than the first. */
static const char games_sql[] = "select " DB_SQL_GAME_COLUMNS " from games"
                                " where id >= $1::uuid and id <= $2::uuid"
                                " and ($3::text is null or variant = $3)"
                                " order by id limit $4::int8";
static const char events_sql[] = "select 0, " DB_SQL_EVENT_COLUMNS ", e.game_id from events e"
                                 " where e.game_id = any($1::uuid[])"
                                 " order by e.game_id, e.version";

struct db_scan {
    struct pg_conn *pg;
    const char *variant;
    db_id from, to; /* what is left of the share */
    bool exhausted; /* nothing is left to be fetched */
    int64_t left;   /* games that may still be handed out; below 0: no limit */
    struct pg_result *games, *events;
    int next_game, next_event;
    struct db_game game;
    struct db_event *list;
    size_t list_size;
};

static void tell(struct db_error *error, const char *text)
{
    memset(error, 0, sizeof(*error));
    snprintf(error->text, sizeof(error->text), "%s", text);
}

/* The first id of share `part`, or the last one of all. */
static db_id bound(unsigned part, unsigned parts)
{
    uint64_t first = ((uint64_t)part << 32) / parts;
    db_id id = {{0}};

    if (part == parts)
        memset(&id, 0xff, sizeof(id));
    else
        for (int i = 0; i < 4; i++)
            id.byte[i] = (uint8_t)(first >> (24 - 8 * i));
    return id;
}

/* Ids as big numbers: one more or one less. */
static void step_id(db_id *id, int step)
{
    for (int i = sizeof(id->byte) - 1; i >= 0; i--) {
        id->byte[i] = (uint8_t)(id->byte[i] + step);
        if (id->byte[i] != (step > 0 ? 0 : 0xff))
            return;
    }
}

static bool command(struct db_scan *scan, const char *sql, struct db_error *error)
{
    struct pg_result *result = PQexec(scan->pg, sql);
    bool ok = PQresultStatus(result) == PGRES_COMMAND_OK;

    if (!ok)
        tell(error, PQerrorMessage(scan->pg));
    PQclear(result);
    return ok;
}

struct db_scan *db_scan_open(const char *url, const char *variant, unsigned part, unsigned parts,
                             int64_t limit, struct db_error *error)
{
    struct db_scan *scan = calloc(1, sizeof(*scan));

    if (scan == NULL) {
        tell(error, "memory is out");
        return NULL;
    }
    scan->pg = PQconnectdb(url);
    scan->variant = variant;
    scan->from = bound(part, parts);
    scan->to = bound(part + 1, parts);
    if (part + 1 < parts)
        step_id(&scan->to, -1);
    scan->left = limit > 0 ? limit : -1;
    if (PQstatus(scan->pg) != CONNECTION_OK) {
        tell(error, PQerrorMessage(scan->pg));
    } else if (command(scan, "set timezone = 'UTC'", error) &&
               command(scan, "begin isolation level repeatable read read only", error)) {
        return scan;
    }
    db_scan_close(scan);
    return NULL;
}

/* The rows of a query, or NULL and *error. */
static struct pg_result *query(struct db_scan *scan, const char *sql, int n,
                               const char *const *values, const int *lengths, const int *formats,
                               struct db_error *error)
{
    struct pg_result *result = PQexecParams(scan->pg, sql, n, NULL, values, lengths, formats, 1);

    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        return result;
    tell(error, PQerrorMessage(scan->pg));
    PQclear(result);
    return NULL;
}

static bool fetch_games(struct db_scan *scan, struct db_error *error)
{
    char page[24];
    const char *values[] = {(const char *)scan->from.byte, (const char *)scan->to.byte,
                            scan->variant, page};
    const int lengths[] = {sizeof(scan->from), sizeof(scan->to), 0, 0};
    const int formats[] = {1, 1, 0, 0};

    snprintf(page, sizeof(page), "%d",
             scan->left >= 0 && scan->left < PAGE ? (int)scan->left : PAGE);
    PQclear(scan->games);
    scan->next_game = 0;
    scan->games = query(scan, games_sql, 4, values, lengths, formats, error);
    return scan->games != NULL;
}

static bool fetch_events(struct db_scan *scan, struct db_error *error)
{
    struct wire_params params = {.count = 0};

    wire_begin(&params, "u");
    for (int i = 0; i < PQntuples(scan->games); i++) {
        db_id id;

        memcpy(&id, PQgetvalue(scan->games, i, 0), sizeof(id));
        wire_row(&params, 0);
        wire_put_uuid(&params, &id);
    }
    wire_end(&params);
    PQclear(scan->events);
    scan->next_event = 0;
    scan->events = NULL;
    if (params.exhausted)
        tell(error, "memory is out");
    else
        scan->events =
            query(scan, events_sql, 1, params.values, params.lengths, params.formats, error);
    wire_free(&params);
    return scan->events != NULL;
}

/* The next page begins behind the last game of this one. */
static bool fetch_page(struct db_scan *scan, struct db_error *error)
{
    int n;

    if (!fetch_games(scan, error))
        return false;
    n = PQntuples(scan->games);
    scan->exhausted = n < PAGE;
    if (n == 0)
        return true;
    memcpy(&scan->from, PQgetvalue(scan->games, n - 1, 0), sizeof(scan->from));
    if (memcmp(&scan->from, &scan->to, sizeof(scan->to)) == 0)
        scan->exhausted = true;
    step_id(&scan->from, 1);
    return fetch_events(scan, error);
}

/* The events of the present game, which follow each other. Without memory for one game's events a
 * verification has no answer, so the program ends. */
static size_t take_events(struct db_scan *scan)
{
    int id_column = PQnfields(scan->events) - 1;
    size_t count = 0;

    while (scan->next_event < PQntuples(scan->events) &&
           memcmp(PQgetvalue(scan->events, scan->next_event, id_column), scan->game.id.byte,
                  sizeof(scan->game.id)) == 0) {
        if (count == scan->list_size) {
            scan->list_size = 2 * scan->list_size + 64;
            scan->list = realloc(scan->list, scan->list_size * sizeof(*scan->list));
            if (scan->list == NULL)
                abort();
        }
        rows_event(scan->events, scan->next_event++, &scan->list[count++]);
    }
    return count;
}

enum db_scan_result db_scan_next(struct db_scan *scan, struct db_scan_game *next,
                                 struct db_error *error)
{
    if (scan->left == 0)
        return DB_SCAN_END;
    if (scan->games == NULL || scan->next_game == PQntuples(scan->games)) {
        if (scan->exhausted)
            return DB_SCAN_END;
        if (!fetch_page(scan, error))
            return DB_SCAN_FAILED;
        if (PQntuples(scan->games) == 0)
            return DB_SCAN_END;
    }
    rows_game(scan->games, scan->next_game++, 0, &scan->game);
    next->count = take_events(scan);
    next->game = &scan->game;
    next->events = scan->list;
    if (scan->left > 0)
        scan->left--;
    return DB_SCAN_GAME;
}

void db_scan_close(struct db_scan *scan)
{
    PQclear(scan->games);
    PQclear(scan->events);
    PQfinish(scan->pg);
    free(scan->list);
    free(scan);
}
