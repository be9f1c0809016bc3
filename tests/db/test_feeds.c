/* test_feeds.c - the events of all games of a player, and up to when all can be seen. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bed.h"

static struct bed bed;

static void make(void)
{
    bed_make(&bed);
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(feeds, .init = make, .fini = end);

static const db_id ada = {{0xad, 0xa}}, mia = {{0x31, 0xa}};

/* A game of which Ada has the first seat, and Mia the second one, or Ada both. */
static struct db_game game_of(db_id second)
{
    struct db_game game = new_game();

    game.seat[0] = (struct db_seat){.has_player = true, .player = ada};
    game.seat[1] = (struct db_seat){.has_player = true, .player = second};
    create(bed.db, &game);
    return game;
}

static struct call page(db_id player, struct db_feed_point after, int32_t limit)
{
    struct call call = {.calls = 0};

    db_get_player_events(bed.db, player, &after, limit, on_feed, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call;
}

static int64_t horizon(void)
{
    struct call call = {.calls = 0};

    db_get_horizon(bed.db, on_horizon, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call.horizon;
}

static struct call state(db_id player)
{
    struct call call = {.calls = 0};

    db_get_player_state(bed.db, player, on_player_state, &call);
    run_until_done(bed.db, &call);
    cr_assert_eq(call.outcome, DB_OK, "%s", call.error.text);
    return call;
}

static bool same(db_id a, db_id b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/* Makes everything that is stored an hour older. */
static void grow_old(void)
{
    sql(bed.url, "update events set written_at ="
                 " (written_at at time zone 'UTC' - interval '1 hour') at time zone 'UTC'");
}

static struct db_feed_point since_ago(int64_t seconds)
{
    return (struct db_feed_point){.since = db_now(bed.db) - seconds * 1000000};
}

/* ---- events ---- */

Test(feeds, all_events_of_a_players_games_come_by_game_and_version)
{
    struct db_game a = game_of(mia), b = game_of(mia);
    struct call call;

    play(bed.db, &a, "x");
    play(bed.db, &b, "y");
    play(bed.db, &a, "z");
    call = page(mia, (struct db_feed_point){0}, 10);
    cr_assert_eq(call.count, 5);
    for (size_t i = 1; i < call.count; i++)
        cr_assert(same(call.games[i - 1], call.games[i])
                      ? call.events[i].version == call.events[i - 1].version + 1
                      : memcmp(&call.games[i - 1], &call.games[i], sizeof(db_id)) < 0);
}

Test(feeds, games_of_others_are_not_told)
{
    struct db_game game = game_of(ada);

    cr_assert_eq(page(mia, (struct db_feed_point){0}, 10).count, 0);
    cr_assert_eq(page(game.id, (struct db_feed_point){0}, 10).count, 0);
}

Test(feeds, somebody_who_plays_against_themselves_is_told_once)
{
    game_of(ada);
    cr_assert_eq(page(ada, (struct db_feed_point){0}, 10).count, 1);
    cr_assert_eq(state(ada).count, 1);
}

Test(feeds, pages_follow_each_other_without_gap_or_repeat)
{
    struct db_feed_point at = {0};
    struct db_game game;
    size_t count = 0;

    for (int i = 0; i < 3; i++) {
        game = game_of(mia);
        play(bed.db, &game, "x");
        play(bed.db, &game, "y");
    }
    for (struct call call = page(ada, at, 2); call.count > 0; call = page(ada, at, 2)) {
        for (size_t i = 0; i < call.count; i++) {
            bool next = same(call.games[i], at.game) && call.events[i].version == at.version + 1;

            cr_assert(next || call.events[i].version == 1);
            at.game = call.games[i];
            at.version = call.events[i].version;
        }
        count += call.count;
    }
    cr_assert_eq(count, 9);
}

Test(feeds, a_page_has_events_of_few_games_and_says_that_there_are_more)
{
    struct db_feed_point at = {0};
    struct call call;
    size_t count = 0;

    for (int i = 0; i < 2 * DB_FEED_GAMES + 1; i++)
        game_of(mia);
    do {
        call = page(ada, at, 60);
        count += call.count;
        at.game = call.games[call.count - 1];
        at.version = 1;
    } while (call.more);
    cr_assert_eq(count, 2 * DB_FEED_GAMES + 1);
}

Test(feeds, with_a_time_only_what_was_written_since_then_is_told)
{
    struct db_game quiet = game_of(mia), busy = game_of(mia);
    struct call call;

    play(bed.db, &quiet, "v");
    play(bed.db, &busy, "w");
    grow_old();
    play(bed.db, &busy, "x");
    play(bed.db, &busy, "y");
    call = page(ada, since_ago(60), 10);
    cr_assert_eq(call.count, 2);
    cr_assert_eq(call.events[0].version, 3);
    cr_assert_eq(call.events[1].version, 4);
    cr_assert(same(call.games[0], busy.id) && same(call.games[1], busy.id));
    cr_assert_eq(page(ada, since_ago(7200), 10).count, 6);
}

Test(feeds, an_event_that_happened_long_before_it_was_written_is_new)
{
    struct db_game game = game_of(mia);
    struct turn turn;
    struct call call = {.calls = 0};

    grow_old();
    turn_make(&turn, &game, "x");
    turn.event.at = 1000000;
    db_append(bed.db, &turn.append, on_done, &call);
    run_until_done(bed.db, &call);
    call = page(ada, since_ago(60), 10);
    cr_assert_eq(call.count, 1);
    cr_assert_eq(call.events[0].version, 2);
}

Test(feeds, an_event_from_before_times_were_kept_is_old)
{
    game_of(mia);
    sql(bed.url, "update events set written_at = null");
    cr_assert_eq(page(ada, since_ago(3600), 10).count, 0);
    cr_assert_eq(page(ada, (struct db_feed_point){0}, 10).count, 1);
}

/* ---- every page of many games ---- */

enum { MANY = 30, STORY_EVENTS = 320 };

struct teller {
    db_id id;
    int32_t from, to; /* its versions that are to be told; none if it has no news */
};

/* All that a player is to be told, in order, and since when. */
struct story {
    int64_t since;
    struct db_feed_point event[STORY_EVENTS];
    size_t count;
};

static int by_id(const void *a, const void *b)
{
    return memcmp(&((const struct teller *)a)->id, &((const struct teller *)b)->id, sizeof(db_id));
}

/* Most games have so few events that a page ends with its games, some have more than a page. */
static void play_on(struct teller *teller, struct db_game *game, int i)
{
    for (int n = i % 10 == 4 ? 70 : i % 3; n > 0; n--)
        play(bed.db, game, "x");
    teller->to = game->version;
}

static void tell(struct story *story, struct teller tellers[MANY])
{
    qsort(tellers, MANY, sizeof(*tellers), by_id);
    for (int i = 0; i < MANY; i++)
        for (int32_t version = tellers[i].from; version <= tellers[i].to; version++)
            story->event[story->count++] =
                (struct db_feed_point){story->since, tellers[i].id, version};
}

/* The games are new. */
static void tell_all(struct story *story)
{
    struct teller tellers[MANY];

    for (int i = 0; i < MANY; i++) {
        struct db_game game = game_of(mia);

        tellers[i] = (struct teller){.id = game.id, .from = 1};
        play_on(&tellers[i], &game, i);
    }
    tell(story, tellers);
}

/* The games are old, and in half of them something has happened since. */
static void tell_news(struct story *story)
{
    static struct db_game games[MANY];
    struct teller tellers[MANY] = {{.from = 1}};

    for (int i = 0; i < MANY; i++)
        games[i] = game_of(mia);
    grow_old();
    for (int i = 0; i < MANY; i++) {
        tellers[i] = (struct teller){.id = games[i].id, .from = 2};
        if (i % 2 == 0)
            play_on(&tellers[i], &games[i], i);
    }
    story->since = since_ago(60).since;
    tell(story, tellers);
}

/* A page must go on where the story does, and may be the last one only at its end. Returns where
 * that is. */
static size_t assert_goes_on(const struct story *story, size_t at, const struct call *page)
{
    for (size_t i = 0; i < page->count; i++, at++)
        cr_assert(at < story->count && same(page->games[i], story->event[at].game) &&
                      page->events[i].version == story->event[at].version,
                  "event %zu is missing, or told twice", at);
    cr_assert(page->more ? page->count > 0 : at == story->count,
              "there are %zu of %zu events when the last page is over", at, story->count);
    return at;
}

/* From the beginning, and behind each event. */
static void assert_whole(const struct story *story)
{
    static const int32_t limits[] = {1, 2, DB_FEED_GAMES, DB_FEED_GAMES + 1, CALL_ITEMS};

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        struct db_feed_point start = {.since = story->since};
        struct call call = page(ada, start, limits[i]);
        size_t at = assert_goes_on(story, 0, &call);

        while (call.more) {
            call = page(ada, story->event[at - 1], limits[i]);
            at = assert_goes_on(story, at, &call);
        }
    }
    for (size_t at = 0; at < story->count; at++) {
        struct call call = page(ada, story->event[at], CALL_ITEMS);

        assert_goes_on(story, at + 1, &call);
    }
}

Test(feeds, pages_lead_through_many_games_from_wherever_they_go_on)
{
    struct story story = {.count = 0};

    tell_all(&story);
    assert_whole(&story);
}

Test(feeds, pages_lead_through_the_news_of_many_games_from_wherever_they_go_on)
{
    struct story story = {.count = 0};

    tell_news(&story);
    assert_whole(&story);
}

Test(feeds, what_was_written_at_the_very_time_is_told)
{
    struct db_feed_point point = {.since = INT64_C(1700000000000001)};

    game_of(mia);
    sql(bed.url, "update events set written_at = '2023-11-14 22:13:20.000001+00'");
    cr_assert_eq(page(ada, point, 10).count, 1);
    point.since++;
    cr_assert_eq(page(ada, point, 10).count, 0);
}

/* ---- whether anything happened ---- */

Test(feeds, a_players_state_changes_with_each_event_and_game)
{
    struct db_game game = game_of(mia);

    cr_assert_eq(state(mia).versions, 1);
    play(bed.db, &game, "x");
    cr_assert_eq(state(mia).versions, 2);
    game_of(mia);
    cr_assert_eq(state(mia).versions, 3);
    cr_assert_eq(state(mia).count, 2);
}

Test(feeds, somebody_without_games_has_a_state)
{
    cr_assert_eq(state(mia).versions, 0);
}

/* ---- up to when all can be seen ---- */

static PGconn *begin_writing(void)
{
    PGconn *pg = PQconnectdb(bed.url);

    PQclear(PQexec(pg, "begin"));
    PQclear(PQexec(pg, "insert into outages values (99, now(), now())"));
    cr_assert_eq(PQtransactionStatus(pg), PQTRANS_INTRANS);
    return pg;
}

Test(feeds, what_is_not_committed_yet_lies_behind_the_horizon)
{
    PGconn *pg = begin_writing();
    PGresult *result = PQexec(pg, "select (extract(epoch from now()) * 1000000)::int8::text");
    int64_t began = atoll(PQgetvalue(result, 0, 0)), at;

    PQclear(result);
    while (db_now(bed.db) < began + 1500000) {
    }
    cr_assert_lt(horizon(), began);
    PQclear(PQexec(pg, "commit"));
    at = horizon();
    cr_assert_gt(at, began);
    cr_assert_lt(at, db_now(bed.db));
    PQfinish(pg);
}

Test(feeds, readers_do_not_hold_the_horizon)
{
    PGconn *pg = PQconnectdb(bed.url);
    int64_t at;

    PQclear(PQexec(pg, "begin isolation level repeatable read"));
    PQclear(PQexec(pg, "select count(*) from events"));
    at = horizon();
    while (horizon() == at)
        continue; /* another connection of the daemon may just be made ready */
    PQfinish(pg);
}
