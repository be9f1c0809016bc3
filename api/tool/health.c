#include "api/tool/health.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/words.h"
#include "db/inspect.h"
#include "db/migrate.h"
#include "rules/rules.h"

enum {
    SERVER_MIN = 13,
    AGE_MAX = 1000000000,       /* transactions: half of what PostgreSQL can tell apart */
    CHECKPOINTS_MIN = 10,       /* fewer of them tell nothing */
    CHECKPOINT_S = 900,         /* between two checkpoints, at least */
    CONNECTIONS_PERCENT = 80,   /* of their limit */
    ARCHIVE_LATE_S = 3600,      /* of the last archived file */
    TRANSACTION_S = 60,         /* that one may be open */
    STATEMENT_MS = 50,          /* mean time of a statement */
    UPDATES_MIN = 1000,         /* fewer of them tell nothing */
    HOT_PERCENT = 80,           /* of the updates of `games` */
    DEAD_MIN = 10000,           /* dead rows that matter */
    DEAD_PERCENT = 20,          /* of the live ones */
    VACUUM_AFTER_MAX = 1000000, /* dead rows that autovacuum may wait for */
    SHARED_BUFFERS_MIN = 32768, /* pages of 8 kB: 256 MB */
    PROMISE_LATE_S = 60
};

#define SLOT_BYTES_MAX  (INT64_C(1) << 30)
#define BLOAT_BYTES_MIN (INT64_C(64) << 20)

static const char *const levels[] = {"ok", "note", "advice", "warning"};

const char *health_word(enum health_level level)
{
    return levels[level];
}

static void find_fault(struct health *health, enum health_level level, const char *about,
                       const char *says, const char *advice)
{
    struct health_finding *finding = arena_zero(health->arena, sizeof(*finding));

    *finding = (struct health_finding){level, about, says, advice, NULL};
    *health->end = finding;
    health->end = &finding->next;
    if (level > health->worst)
        health->worst = level;
}

/* A copy of a field, which lives no longer than its row. */
static const char *keep_health_text(struct health *health, const char *field)
{
    return arena_copy(health->arena, field, strlen(field));
}

static int64_t number(const char *field)
{
    return field == NULL ? 0 : strtoll(field, NULL, 10);
}

static bool is(const char *field, const char *text)
{
    return field != NULL && strcmp(field, text) == 0;
}

static bool is_true(const char *field)
{
    return is(field, "t");
}

/* ---- the server ---- */

static void judge_server(void *context, const char *const *fields)
{
    struct health *health = context;
    int64_t used = number(fields[2]), limit = number(fields[3]), age = number(fields[4]);

    find_fault(health, number(fields[0]) < SERVER_MIN ? HEALTH_WARNING : HEALTH_OK, "server",
               arena_format(health->arena, "PostgreSQL %s, %" PRId64 " MB", fields[0],
                            number(fields[1]) >> 20),
               number(fields[0]) < SERVER_MIN ? "use PostgreSQL 13 or newer" : NULL);
    if (used * 100 > limit * CONNECTIONS_PERCENT)
        find_fault(health, HEALTH_WARNING, "connections",
                   arena_format(health->arena, "%" PRId64 " of %" PRId64 " connections are in use",
                                used, limit),
                   "raise max_connections, or lower --db-connections or --loops of the daemons");
    if (age > AGE_MAX)
        find_fault(
            health, HEALTH_WARNING, "transaction ids",
            arena_format(health->arena, "the oldest is %" PRId64 " transactions old", age),
            "find out what keeps autovacuum from freezing rows: old transactions, replication "
            "slots, prepared transactions; then run VACUUM FREEZE");
}

static void judge_setting(void *context, const char *const *fields)
{
    static const struct {
        const char *name, *bad;
        enum health_level level;
        const char *says, *advice;
    } settings[] = {
        {"autovacuum", "off", HEALTH_WARNING, "off: dead rows are never given back",
         "set it to on"},
        {"track_counts", "off", HEALTH_WARNING, "off: autovacuum does not know what to do",
         "set it to on"},
        {"fsync", "off", HEALTH_WARNING, "off: a crash of the machine destroys games",
         "set it to on"},
        {"full_page_writes", "off", HEALTH_WARNING,
         "off: a crash of the machine can destroy pages, unless the file system writes them whole",
         "set it to on"},
        {"data_checksums", "off", HEALTH_ADVICE,
         "off: a page that a disk has damaged goes unnoticed",
         "stop the server and run pg_checksums --enable"},
        {"wal_compression", "off", HEALTH_ADVICE,
         "off: with millions of games a move writes twice as much WAL as it would with lz4",
         "set it to lz4 (to on before PostgreSQL 15)"},
    };
    struct health *health = context;

    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
        if (is(fields[0], settings[i].name) && is(fields[1], settings[i].bad))
            find_fault(health, settings[i].level, settings[i].name, settings[i].says,
                       settings[i].advice);
    if (is(fields[0], "checkpoint_timeout") && number(fields[1]) < CHECKPOINT_S)
        find_fault(health, HEALTH_ADVICE, "checkpoint_timeout",
                   arena_format(health->arena,
                                "%" PRId64
                                " s: after each checkpoint every page is written to the WAL "
                                "whole at its first change",
                                number(fields[1])),
                   "set it to 15min or more");
    if (is(fields[0], "shared_buffers") && number(fields[1]) < SHARED_BUFFERS_MIN)
        find_fault(health, HEALTH_ADVICE, "shared_buffers",
                   arena_format(health->arena, "%" PRId64 " MB", number(fields[1]) >> 7),
                   "set it to a quarter of the machine's memory");
}

static void judge_checkpoints(void *context, const char *const *fields)
{
    struct health *health = context;
    int64_t timed = number(fields[0]), requested = number(fields[1]);

    if (timed + requested >= CHECKPOINTS_MIN && requested > timed)
        find_fault(health, HEALTH_ADVICE, "max_wal_size",
                   arena_format(health->arena,
                                "%s: %" PRId64 " of %" PRId64
                                " checkpoints came early because of it",
                                fields[2], requested, timed + requested),
                   "raise max_wal_size");
}

static void judge_archive(void *context, const char *const *fields)
{
    static const char advice[] = "see archive_command and the server's log";
    struct health *health = context;
    int64_t late = number(fields[3]);

    if (is(fields[0], "off"))
        find_fault(
            health, HEALTH_ADVICE, "archive",
            "WAL is not archived: after a loss of the disk there is nothing newer than the last "
            "dump",
            "see docs/backup.md");
    else if (is_true(fields[2]))
        find_fault(health, HEALTH_WARNING, "archive", "the last attempt to archive WAL has failed",
                   advice);
    else if (fields[3] != NULL && late > ARCHIVE_LATE_S)
        find_fault(health, HEALTH_ADVICE, "archive",
                   arena_format(health->arena, "the last WAL was archived %" PRId64 " s ago", late),
                   "set archive_timeout, so that little is lost with the disk of a quiet server");
}

static void judge_standbys(void *context, const char *const *fields)
{
    struct health *health = context;
    int64_t all = number(fields[0]), synchronous = number(fields[1]);

    if (is_true(fields[2]) && synchronous == 0)
        find_fault(health, HEALTH_WARNING, "standbys",
                   "commits wait for a synchronous standby, and there is none",
                   "bring the standby back, or empty synchronous_standby_names");
    else if (all == 0)
        find_fault(health, HEALTH_NOTE, "standbys", "there is none", NULL);
    else if (synchronous == 0)
        find_fault(health, HEALTH_ADVICE, "standbys",
                   "none is synchronous: a failover can lose the last moves that were acknowledged",
                   "set synchronous_standby_names");
}

static void judge_slot(void *context, const char *const *fields)
{
    struct health *health = context;

    if (number(fields[1]) > SLOT_BYTES_MAX)
        find_fault(health, HEALTH_WARNING, "replication slots",
                   arena_format(health->arena, "nobody reads %s, which keeps %" PRId64 " MB of WAL",
                                fields[0], number(fields[1]) >> 20),
                   "bring its reader back, or drop it, before the disk is full");
}

static void judge_transaction(void *context, const char *const *fields)
{
    struct health *health = context;

    if (number(fields[0]) > TRANSACTION_S)
        find_fault(
            health, HEALTH_WARNING, "transactions",
            arena_format(health->arena,
                         "process %s has had one open for %" PRId64
                         " s (%s): VACUUM keeps what it could see, and streams of players repeat "
                         "what was written since",
                         fields[1], number(fields[0]),
                         fields[2] == NULL ? "of another role" : fields[2]),
            "end it, or set idle_in_transaction_session_timeout");
}

static void judge_statement(void *context, const char *const *fields)
{
    struct health *health = context;
    bool slow = strtod(fields[2], NULL) > STATEMENT_MS;

    find_fault(health, slow ? HEALTH_ADVICE : HEALTH_NOTE, "statements",
               arena_format(health->arena, "%s ms on average, %s ms in all, %s calls: %s",
                            fields[2], fields[3], fields[1], fields[0]),
               slow ? "look at its plan: EXPLAIN (ANALYZE, BUFFERS)" : NULL);
}

/* ---- the tables ---- */

static void judge_bloat(struct health *health, const char *const *fields)
{
    int64_t rows = number(fields[1]), dead = number(fields[2]);
    int64_t bytes = number(fields[5]), expected = number(fields[6]);

    if (dead > DEAD_MIN && dead * 100 > rows * DEAD_PERCENT)
        find_fault(
            health, HEALTH_ADVICE, keep_health_text(health, fields[0]),
            arena_format(health->arena, "%" PRId64 " rows and %" PRId64 " dead ones", rows, dead),
            "run VACUUM, and let autovacuum come sooner");
    if (rows > 0 && bytes > BLOAT_BYTES_MIN && bytes > 2 * expected)
        find_fault(health, HEALTH_ADVICE, keep_health_text(health, fields[0]),
                   arena_format(health->arena,
                                "%" PRId64 " MB, where its rows need about %" PRId64 " MB",
                                bytes >> 20, expected >> 20),
                   "run ANALYZE; if it says so still, rewrite the table with pg_repack");
}

static void judge_vacuum(struct health *health, const char *const *fields)
{
    int64_t after = number(fields[7]);

    if (fields[7] == NULL)
        find_fault(
            health, HEALTH_WARNING, keep_health_text(health, fields[0]),
            "autovacuum is off for this table",
            arena_format(health->arena, "alter table %s reset (autovacuum_enabled)", fields[0]));
    else if (after > VACUUM_AFTER_MAX)
        find_fault(health, HEALTH_ADVICE, keep_health_text(health, fields[0]),
                   arena_format(health->arena, "autovacuum waits for %" PRId64 " dead rows", after),
                   arena_format(health->arena,
                                "alter table %s set (autovacuum_vacuum_scale_factor = 0.01)",
                                fields[0]));
}

static void judge_table(void *context, const char *const *fields)
{
    struct health *health = context;
    int64_t updates = number(fields[3]), hot = number(fields[4]);

    judge_bloat(health, fields);
    judge_vacuum(health, fields);
    if (is(fields[0], "games") && updates > UPDATES_MIN && hot * 100 < updates * HOT_PERCENT)
        find_fault(health, HEALTH_ADVICE, "games",
                   arena_format(health->arena,
                                "%" PRId64
                                " %% of the updates stayed on their page; the others cost "
                                "every index an entry",
                                hot * 100 / updates),
                   "let autovacuum come sooner, and drop indexes that are not plyd's");
}

static void judge_index(void *context, const char *const *fields)
{
    struct health *health = context;
    const char *name = fields[0];

    if (fields[1] == NULL)
        find_fault(health, HEALTH_WARNING, "indexes",
                   arena_format(health->arena, "%s is missing", name),
                   "make it as migrations/ does, with `concurrently`");
    else if (is_true(fields[2]))
        find_fault(health, HEALTH_WARNING, "indexes",
                   arena_format(health->arena, "%s was not built to its end", name),
                   arena_format(health->arena, "reindex index concurrently %s", name));
    else
        find_fault(
            health, HEALTH_ADVICE, "indexes",
            arena_format(health->arena,
                         "%s on %s is not plyd's: it was used %s times and takes %" PRId64 " kB",
                         name, fields[1], fields[3], number(fields[4]) >> 10),
            arena_format(health->arena, "unless you need it, drop index concurrently %s", name));
}

/* ---- what plyd does ---- */

static void judge_due(void *context, const char *const *fields)
{
    struct health *health = context;
    int64_t late = number(fields[2]);

    if (late > PROMISE_LATE_S)
        find_fault(health, HEALTH_WARNING, "due work",
                   arena_format(health->arena,
                                "%s promises of kind %s wait, the oldest for %" PRId64 " s",
                                fields[1], words_due((int)number(fields[0])), late),
                   "look at the logs of the daemons; webhooks that fail are not among these");
}

static void judge_daemons(void *context, const char *const *fields)
{
    struct health *health = context;

    if (number(fields[0]) == 0)
        find_fault(health, HEALTH_WARNING, "daemons",
                   fields[1] == NULL ? "none has ever been up"
                                     : arena_format(health->arena,
                                                    "none is up; the last was %s s ago", fields[1]),
                   "start one: without it no clock runs out and no webhook is sent");
    else
        find_fault(health, HEALTH_OK, "daemons", arena_format(health->arena, "%s up", fields[0]),
                   NULL);
}

static void judge_games(void *context, const char *const *fields)
{
    struct health *health = context;
    const struct rules_game *game = rules_find(fields[0]);
    int64_t version = number(fields[1]);

    if (game == NULL)
        find_fault(health, HEALTH_WARNING, "rules",
                   arena_format(health->arena, "%s games of %s, which is not loaded here",
                                fields[2], fields[0]),
                   "serve them with the module that made them (--game), or a newer program");
    else if (version > game->version)
        find_fault(health, HEALTH_WARNING, "rules",
                   arena_format(health->arena,
                                "%s running games of %s have version %" PRId64
                                " of the rules; this program has %d",
                                fields[2], fields[0], version, game->version),
                   "use the newer program");
    else if (version < game->version)
        find_fault(health, HEALTH_ADVICE, "rules",
                   arena_format(health->arena,
                                "%s running games of %s began under version %" PRId64
                                " of the rules; this program has %d",
                                fields[2], fields[0], version, game->version),
                   arena_format(health->arena, "run plyd verify --variant %s", fields[0]));
}

/* ---- all questions ---- */

/* What a question needs: plyd's tables as this program knows them, or also nothing beside them,
 * since it judges what migrations make. */
enum needs { ANY_SCHEMA, READABLE, OWN_SCHEMA };

static const struct search_request {
    const char *about;
    void (*judge)(void *context, const char *const *fields);
    enum db_question question;
    enum needs needs;
} questions[] = {
    {"server", judge_server, DB_ASK_SERVER, ANY_SCHEMA},
    {"settings", judge_setting, DB_ASK_SETTINGS, ANY_SCHEMA},
    {"checkpoints", judge_checkpoints, DB_ASK_CHECKPOINTS, ANY_SCHEMA},
    {"archive", judge_archive, DB_ASK_ARCHIVE, ANY_SCHEMA},
    {"standbys", judge_standbys, DB_ASK_STANDBYS, ANY_SCHEMA},
    {"replication slots", judge_slot, DB_ASK_SLOTS, ANY_SCHEMA},
    {"transactions", judge_transaction, DB_ASK_TRANSACTIONS, ANY_SCHEMA},
    {"statements", judge_statement, DB_ASK_STATEMENTS, ANY_SCHEMA},
    {"tables", judge_table, DB_ASK_TABLES, READABLE},
    {"indexes", judge_index, DB_ASK_INDEXES, OWN_SCHEMA},
    {"due work", judge_due, DB_ASK_DUE, READABLE},
    {"daemons", judge_daemons, DB_ASK_DAEMONS, READABLE},
    {"rules", judge_games, DB_ASK_GAMES, READABLE},
};

_Static_assert(sizeof(questions) / sizeof(questions[0]) == DB_QUESTIONS, "each is asked");

static void ask_for_health(struct health *health, struct db_inspection *inspection,
                           const struct search_request *question)
{
    struct health_finding **before = health->end;
    struct db_error error = {"", ""};

    if (!db_inspect(inspection, question->question, question->judge, health, &error))
        find_fault(health, HEALTH_NOTE, question->about,
                   question->question == DB_ASK_STATEMENTS
                       ? "pg_stat_statements is not there, so slow ones are not known"
                       : arena_format(health->arena, "not known: %s", error.text),
                   NULL);
    else if (health->end == before)
        find_fault(health, HEALTH_OK, question->about, "nothing to say", NULL);
}

/* Returns what is there for questions. */
static enum needs judge_schema(struct health *health, enum db_schema schema,
                               const struct db_migration_report *report)
{
    if (schema == DB_SCHEMA_CURRENT)
        find_fault(health, HEALTH_OK, "schema",
                   arena_format(health->arena, "at migration %d", report->found), NULL);
    else if (schema == DB_SCHEMA_COMPATIBLE)
        find_fault(health, HEALTH_NOTE, "schema",
                   arena_format(health->arena,
                                "at migration %d; this program has %d, and may run there",
                                report->found, report->wanted),
                   NULL);
    else if (schema == DB_SCHEMA_OLDER || schema == DB_SCHEMA_NEWER)
        find_fault(health, HEALTH_WARNING, "schema",
                   arena_format(health->arena, "at migration %d, and this program needs %d",
                                report->found, report->wanted),
                   schema == DB_SCHEMA_OLDER ? "run plyd migrate" : "use a newer plyd");
    else
        find_fault(health, HEALTH_WARNING, "schema",
                   schema == DB_SCHEMA_ENCODING
                       ? arena_format(health->arena, "the encoding is %s", report->error.text)
                       : keep_health_text(health, report->error.text),
                   schema == DB_SCHEMA_ENCODING ? "make a database whose encoding is UTF8"
                                                : "use the program that made the database");
    return schema == DB_SCHEMA_CURRENT ? OWN_SCHEMA
           : db_schema_serves(schema)  ? READABLE
                                       : ANY_SCHEMA;
}

bool health_look(struct health *health, struct arena *arena, const char *url,
                 struct db_error *error)
{
    struct db_inspection *inspection = db_inspect_open(url, error);
    struct db_migration_report report;
    enum needs there;

    if (inspection == NULL)
        return false;
    *health = (struct health){.arena = arena};
    health->end = &health->first;
    there = judge_schema(health, db_migrate_check(url, NULL, &report), &report);
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
        if (questions[i].needs <= there)
            ask_for_health(health, inspection, &questions[i]);
    db_inspect_close(inspection);
    return true;
}
