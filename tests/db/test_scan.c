/* test_scan.c - reading all games in slices, with several readers. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bed.h"
#include "db/scan.h"
#include "tests/support/pgbench.h"

enum { GAMES = 1050, EVENTS = 3, READERS = 3 };

static struct bed bed;

static void make(void)
{
    bed_make(&bed);
    pgbench_fill(bed.url, GAMES);
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(scan, .init = make, .fini = end);

static struct db_scan *open_scan(int64_t sample, const db_id *after)
{
    struct db_scan *scan =
        db_scan_open(&(struct db_scan_settings){.url = bed.url, .sample = sample, .after = after});

    cr_assert_not_null(scan);
    return scan;
}

static struct db_scan_reader *open_reader(struct db_scan *scan)
{
    struct db_error error;
    struct db_scan_reader *reader = db_scan_reader_open(scan, &error);

    cr_assert_not_null(reader, "%s", error.text);
    return reader;
}

/* False: the end. */
static bool read_game(struct db_scan_reader *reader, db_id *id)
{
    struct db_error error = {"", ""};
    struct db_scan_game game;
    enum db_scan_result result = db_scan_next(reader, &game, &error);

    cr_assert_neq(result, DB_SCAN_FAILED, "%s", error.text);
    if (result == DB_SCAN_END)
        return false;
    cr_assert_eq(game.count, EVENTS);
    for (int i = 0; i < EVENTS; i++)
        cr_assert_eq(game.events[i].version, i + 1);
    *id = game.game->id;
    return true;
}

static int by_id(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(db_id));
}

static void assert_all_different(db_id *ids, size_t n)
{
    qsort(ids, n, sizeof(*ids), by_id);
    for (size_t i = 1; i < n; i++)
        cr_assert_neq(by_id(&ids[i - 1], &ids[i]), 0, "a game was read twice");
}

/* All games of a scan with one reader, in their order. */
static size_t read_all(struct db_scan *scan, db_id *ids)
{
    struct db_scan_reader *reader = open_reader(scan);
    size_t n = 0;

    while (n < GAMES && read_game(reader, &ids[n]))
        n++;
    db_scan_reader_close(reader);
    db_scan_close(scan);
    return n;
}

struct thread {
    pthread_t thread;
    struct db_scan *scan;
    db_id ids[GAMES + 1];
    size_t n;
};

static void *read_in_thread(void *cls)
{
    struct thread *thread = cls;
    struct db_scan_reader *reader = open_reader(thread->scan);

    while (thread->n <= GAMES && read_game(reader, &thread->ids[thread->n]))
        thread->n++;
    db_scan_reader_close(reader);
    return NULL;
}

Test(scan, gives_each_game_to_one_of_its_readers)
{
    static struct thread threads[READERS];
    static db_id ids[READERS * (GAMES + 1)];
    struct db_scan *scan = open_scan(0, NULL);
    size_t n = 0;

    for (int i = 0; i < READERS; i++) {
        threads[i].scan = scan;
        cr_assert_eq(pthread_create(&threads[i].thread, NULL, read_in_thread, &threads[i]), 0);
    }
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i].thread, NULL);
        memcpy(ids + n, threads[i].ids, threads[i].n * sizeof(*ids));
        n += threads[i].n;
    }
    cr_assert_eq(n, GAMES);
    assert_all_different(ids, n);
    db_scan_close(scan);
}

Test(scan, goes_on_behind_the_game_that_it_is_told)
{
    static db_id all[GAMES], rest[GAMES];

    cr_assert_eq(read_all(open_scan(0, NULL), all), GAMES);
    cr_assert_eq(read_all(open_scan(0, &all[499]), rest), GAMES - 500);
    cr_assert_arr_eq((uint8_t *)rest, (uint8_t *)(all + 500), (GAMES - 500) * sizeof(db_id));
}

Test(scan, of_a_sample_reads_so_many_games_and_the_same_ones_again)
{
    static db_id first[GAMES], again[GAMES], all[GAMES];

    cr_assert_eq(read_all(open_scan(450, NULL), first), 450);
    cr_assert_eq(read_all(open_scan(450, NULL), again), 450);
    cr_assert_arr_eq((uint8_t *)first, (uint8_t *)again, 450 * sizeof(db_id));
    assert_all_different(first, 450);
    cr_assert_eq(read_all(open_scan(0, NULL), all), GAMES);
    cr_assert_gt(memcmp(&first[449], &all[449], sizeof(db_id)), 0, "these are the first games");
    cr_assert_eq(read_all(open_scan(5 * GAMES, NULL), all), GAMES);
}

Test(scan, has_reached_no_more_than_what_every_reader_has_read)
{
    struct db_scan *scan = open_scan(0, NULL);
    struct db_scan_reader *slow = open_reader(scan), *fast = open_reader(scan);
    db_id of_slow, id, last = {{0}}, reached;

    cr_assert_not(db_scan_reached(scan, &reached));
    cr_assert(read_game(slow, &of_slow));
    for (int i = 0; i < 300; i++)
        cr_assert(read_game(fast, &id));
    cr_assert_not(db_scan_reached(scan, &reached), "the slow one has its first slice");
    for (int i = 1; i < 200; i++)
        cr_assert(read_game(slow, &last));
    cr_assert(read_game(slow, &of_slow));
    cr_assert(db_scan_reached(scan, &reached));
    cr_assert_lt(by_id(&last, &reached), 0);
    cr_assert_lt(by_id(&reached, &id), 0, "the fast one still reads its second slice");
    db_scan_reader_close(slow);
    db_scan_reader_close(fast);
    db_scan_close(scan);
}

Test(scan, keeps_no_transaction_while_its_games_are_looked_at)
{
    struct db_scan *scan = open_scan(0, NULL);
    struct db_scan_reader *reader = open_reader(scan);
    db_id id;

    for (int i = 0; i < 201; i++)
        cr_assert(read_game(reader, &id));
    cr_assert_eq(pgbench_number(bed.url,
                                "select count(*)::float8 from pg_stat_activity"
                                " where datname = current_database() and state like 'idle in%'"
                                " and pid <> pg_backend_pid()"),
                 0);
    db_scan_reader_close(reader);
    db_scan_close(scan);
}

Test(scan, says_why_the_games_cannot_be_read)
{
    struct db_scan *scan = open_scan(0, NULL);
    struct db_scan_reader *reader = open_reader(scan);
    PGconn *admin = PQconnectdb(bed.url);
    struct db_scan_game game;
    struct db_error error;

    PQclear(PQexec(admin, "alter table events rename to lost"));
    PQfinish(admin);
    cr_assert_eq(db_scan_next(reader, &game, &error), DB_SCAN_FAILED);
    cr_assert_not_null(strstr(error.text, "\"events\" does not exist"), "%s", error.text);
    db_scan_reader_close(reader);
    db_scan_close(scan);
}
