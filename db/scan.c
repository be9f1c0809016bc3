/* scan.c - reading every stored game with all of its events. */
#include "scan.h"

#include <libpq-fe.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reach.h"
#include "rows.h"
#include "wire.h"

enum {
    SLICE = 200, /* games that are in memory at a time, with all of their events */
    TRIES = 10   /* a standby may end a transaction that is in its way */
};

enum { SCAN_EVENTS, SCAN_GAMES, SCAN_SAMPLE, SCAN_SLICE };
static const char *const statements[] = {
#define DB_SCAN(name, sql) [SCAN_##name] = sql,
#include "embed/db/scan.def"
#undef DB_SCAN
};

struct db_scan {
    struct db_scan_settings settings;
    pthread_mutex_t mutex;          /* guards all that follows */
    db_id last;                     /* the last game that a reader has taken */
    bool begun, exhausted;          /* a game was taken; none is left */
    struct pg_result *sample;       /* the ids that were drawn */
    int next;                       /* of them */
    struct db_scan_reader *readers; /* a list */
};

struct db_scan_reader {
    struct db_scan *scan;
    struct db_scan_reader *sibling;
    bool busy, early; /* it has a slice; it is the first one of all */
    db_id behind;     /* what came before its slice */
    struct pg_conn *pg;
    db_id id[SLICE]; /* its slice */
    int nids;
    struct pg_result *games, *events;
    int next_game, next_event;
    struct db_game game;
    struct db_event *list;
    size_t list_size;
};

static void tell_scan_error(struct db_error *error, const char *text)
{
    memset(error, 0, sizeof(*error));
    snprintf(error->text, sizeof(error->text), "%s", text);
}

/* ---- the scan ---- */

struct db_scan *db_scan_open(const struct db_scan_settings *settings)
{
    struct db_scan *scan = calloc(1, sizeof(*scan));

    if (scan == NULL)
        return NULL;
    scan->settings = *settings;
    if (settings->after != NULL)
        scan->last = *settings->after;
    pthread_mutex_init(&scan->mutex, NULL);
    return scan;
}

void db_scan_close(struct db_scan *scan)
{
    PQclear(scan->sample);
    pthread_mutex_destroy(&scan->mutex);
    free(scan);
}

bool db_scan_reached(struct db_scan *scan, db_id *id)
{
    bool begun;

    pthread_mutex_lock(&scan->mutex);
    begun = scan->begun;
    *id = scan->last;
    for (const struct db_scan_reader *reader = scan->readers; reader != NULL;
         reader = reader->sibling)
        if (reader->busy && memcmp(reader->behind.byte, id->byte, sizeof(id->byte)) < 0) {
            *id = reader->behind;
            begun = !reader->early;
        }
    pthread_mutex_unlock(&scan->mutex);
    return begun;
}

/* ---- statements ---- */

static bool command(struct db_scan_reader *reader, const char *sql, struct db_error *error)
{
    struct pg_result *result = PQexec(reader->pg, sql);
    bool ok = PQresultStatus(result) == PGRES_COMMAND_OK;

    if (!ok)
        tell_scan_error(error, PQerrorMessage(reader->pg));
    PQclear(result);
    return ok;
}

enum answer { ROWS, REFUSED, DISTURBED };

/* What a statement answers. DISTURBED: the same may go well next time. */
static enum answer answer_of(const struct db_scan_reader *reader, const struct pg_result *result,
                             struct db_error *error)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        return ROWS;
    tell_scan_error(error, PQerrorMessage(reader->pg));
    return state != NULL && strncmp(state, "40", 2) == 0 ? DISTURBED : REFUSED;
}

/* Asks for ids behind the last game: a slice of them, or the sample. */
static struct pg_result *ask_for_ids(struct db_scan_reader *reader, struct db_error *error)
{
    const struct db_scan *scan = reader->scan;
    bool sample = scan->settings.sample > 0;
    char count[24];
    const char *values[] = {(const char *)scan->last.byte, scan->settings.variant, count};
    const int lengths[] = {sizeof(scan->last), 0, 0}, formats[] = {1, 0, 0};

    snprintf(count, sizeof(count), "%lld", (long long)scan->settings.sample);
    for (int try = 0;; try++) {
        struct pg_result *result =
            PQexecParams(reader->pg, sample ? statements[SCAN_SAMPLE] : statements[SCAN_SLICE],
                         sample ? 3 : 2, NULL, values, lengths, formats, 1);
        enum answer answer = answer_of(reader, result, error);

        if (answer == ROWS)
            return result;
        PQclear(result);
        if (answer == REFUSED || try == TRIES)
            return NULL;
    }
}

static enum answer ask_by_ids(struct db_scan_reader *reader, const char *sql,
                              const struct wire_params *params, struct pg_result **result,
                              struct db_error *error)
{
    PQclear(*result);
    *result =
        PQexecParams(reader->pg, sql, 1, NULL, params->values, params->lengths, params->formats, 1);
    return answer_of(reader, *result, error);
}

/* ---- slices ---- */

static void take_ids(struct db_scan_reader *reader, const struct pg_result *result, int from)
{
    struct db_scan *scan = reader->scan;
    int n = PQntuples(result) - from;

    reader->nids = n < SLICE ? n : SLICE;
    for (int i = 0; i < reader->nids; i++)
        memcpy(&reader->id[i], PQgetvalue(result, from + i, 0), sizeof(db_id));
    reader->busy = reader->nids > 0;
    reader->behind = scan->last;
    reader->early = !scan->begun && scan->settings.after == NULL;
    if (!reader->busy)
        return;
    scan->last = reader->id[reader->nids - 1];
    scan->begun = true;
}

/* Takes the next slice of the scan; it is empty at the end. The scan is locked. */
static bool take_slice(struct db_scan_reader *reader, struct db_error *error)
{
    struct db_scan *scan = reader->scan;
    struct pg_result *result;

    reader->nids = 0;
    reader->busy = false;
    if (scan->exhausted)
        return true;
    if (scan->sample != NULL) {
        take_ids(reader, scan->sample, scan->next);
    } else {
        result = ask_for_ids(reader, error);
        if (result == NULL)
            return false;
        take_ids(reader, result, 0);
        if (scan->settings.sample > 0)
            scan->sample = result;
        else
            PQclear(result);
    }
    scan->next += reader->nids;
    scan->exhausted = reader->nids < SLICE;
    return true;
}

/* Reads the games of the slice and their events as they are at one moment. */
static enum answer read_at_once(struct db_scan_reader *reader, const struct wire_params *params,
                                struct db_error *error)
{
    enum answer answer;

    if (!command(reader, "begin isolation level repeatable read read only", error))
        return REFUSED;
    answer = ask_by_ids(reader, statements[SCAN_GAMES], params, &reader->games, error);
    if (answer == ROWS)
        answer = ask_by_ids(reader, statements[SCAN_EVENTS], params, &reader->events, error);
    return command(reader, answer == ROWS ? "commit" : "rollback", error) ? answer : REFUSED;
}

static bool read_slice(struct db_scan_reader *reader, struct db_error *error)
{
    struct wire_params params = {.count = 0};
    enum answer answer = REFUSED;

    wire_begin(&params, "u");
    for (int i = 0; i < reader->nids; i++) {
        wire_row(&params, 0);
        wire_put_uuid(&params, &reader->id[i]);
    }
    wire_end(&params);
    if (params.exhausted)
        tell_scan_error(error, "memory is out");
    else
        answer = read_at_once(reader, &params, error);
    for (int try = 0; answer == DISTURBED && try < TRIES; try++)
        answer = read_at_once(reader, &params, error);
    wire_free(&params);
    reader->next_game = reader->next_event = 0;
    return answer == ROWS;
}

/* Goes on to the next slice. */
static enum db_scan_result go_on_with_scan(struct db_scan_reader *reader, struct db_error *error)
{
    bool taken;

    pthread_mutex_lock(&reader->scan->mutex);
    taken = take_slice(reader, error);
    pthread_mutex_unlock(&reader->scan->mutex);
    if (taken && reader->nids == 0)
        return DB_SCAN_END;
    return taken && read_slice(reader, error) ? DB_SCAN_GAME : DB_SCAN_FAILED;
}

/* ---- readers ---- */

struct db_scan_reader *db_scan_reader_open(struct db_scan *scan, struct db_error *error)
{
    struct db_scan_reader *reader = calloc(1, sizeof(*reader));

    if (reader == NULL) {
        tell_scan_error(error, "memory is out");
        return NULL;
    }
    reader->scan = scan;
    reader->pg = reach_any(scan->settings.url, error);
    pthread_mutex_lock(&scan->mutex);
    reader->sibling = scan->readers;
    scan->readers = reader;
    pthread_mutex_unlock(&scan->mutex);
    if (reader->pg != NULL && command(reader, "set timezone = 'UTC'", error))
        return reader;
    db_scan_reader_close(reader);
    return NULL;
}

void db_scan_reader_close(struct db_scan_reader *reader)
{
    struct db_scan_reader **at = &reader->scan->readers;

    pthread_mutex_lock(&reader->scan->mutex);
    while (*at != reader)
        at = &(*at)->sibling;
    *at = reader->sibling;
    pthread_mutex_unlock(&reader->scan->mutex);
    PQclear(reader->games);
    PQclear(reader->events);
    PQfinish(reader->pg);
    free(reader->list);
    free(reader);
}

/* The events of the present game, which follow each other. Without memory for one game's events a
 * verification has no answer, so the program ends. */
static size_t take_events(struct db_scan_reader *reader)
{
    int id_column = PQnfields(reader->events) - 1;
    size_t count = 0;

    while (reader->next_event < PQntuples(reader->events) &&
           memcmp(PQgetvalue(reader->events, reader->next_event, id_column), reader->game.id.byte,
                  sizeof(reader->game.id)) == 0) {
        if (count == reader->list_size) {
            reader->list_size = 2 * reader->list_size + 64;
            reader->list = realloc(reader->list, reader->list_size * sizeof(*reader->list));
            if (reader->list == NULL)
                abort();
        }
        rows_event(reader->events, reader->next_event++, &reader->list[count++]);
    }
    return count;
}

enum db_scan_result db_scan_next(struct db_scan_reader *reader, struct db_scan_game *next,
                                 struct db_error *error)
{
    while (reader->games == NULL || reader->next_game == PQntuples(reader->games)) {
        enum db_scan_result result = go_on_with_scan(reader, error);

        if (result != DB_SCAN_GAME)
            return result;
    }
    rows_game(reader->games, reader->next_game++, 0, &reader->game);
    next->count = take_events(reader);
    next->game = &reader->game;
    next->events = reader->list;
    return DB_SCAN_GAME;
}
