/*
 * test_year.c - a year in a minute: two daemons on one database whose time the test lets pass, and
 * games with clocks of every kind at once. After each jump in time every clock that is shown is
 * compared with what is reckoned from the game's log (reckoning.h).
 *
 * PLYD_TEST_YEAR_SEED tells one story again.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/game/words.h"
#include "clocked.h"
#include "house.h"
#include "tests/support/backoff.h"
#include "tests/support/hours.h"
#include "tests/support/long.h"
#include "tests/support/pg.h"

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
#define YEAR   (365 * DAY)

enum { PLAYERS = 2, SIDE = 9 };

static struct house house;
static struct player players[PLAYERS];
static struct clocked matches[CLOCKED_KINDS];
static uint64_t seed, chance;
static int jump;
static int64_t passed;

/* What the story was made of, beside what the logs tell. */
static struct {
    int games, vacations, back, late, outages, kills, too_late, undone;
} count;

/* splitmix64 */
static uint64_t draw(void)
{
    uint64_t z = chance += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static int64_t upto(int64_t most)
{
    return (int64_t)(draw() % ((uint64_t)most + 1));
}

static bool once_in(int n)
{
    return upto(n - 1) == 0;
}

/* ---- asking ---- */

/* The house with either daemon in front. */
static struct house *door(void)
{
    static struct house doors[2];
    int i = (int)upto(1);

    doors[i] = house;
    if (i == 1)
        doors[i].plyd = house.second;
    return &doors[i];
}

static struct answer ask_of(const struct clocked *match, int seat, const char *method,
                            const char *path, const char *body)
{
    const char *token = players[match->player[seat]].token;
    struct answer answer = ask_at(door(), token, method, body, "%s%s", match->path, path);

    cr_assert_lt(answer.status, 500, "%s: %s %s: %.500s", clocked_place, method, path,
                 answer.reply.body);
    return answer;
}

static bool tell(const struct clocked *match, int seat, const char *method, const char *path,
                 const char *body)
{
    struct answer answer = ask_of(match, seat, method, path, body);

    return answer.status < 300;
}

static void look(struct clocked *match)
{
    struct answer answer = ask_of(match, 1, "GET", "", NULL);

    assert_status(&answer, 200);
    clocked_judge(match, &answer);
}

static void look_at_moves(struct clocked *match)
{
    struct answer answer = ask_of(match, 1, "GET", "/moves?limit=200", NULL);

    clocked_judge_moves(match, &answer);
}

/* ---- time ---- */

static char waiting[64]; /* the path of a game that waits for somebody, whose time never runs */

static void pass(int64_t us, bool outage)
{
    hours_pass(house.database, us, outage);
    passed += us;
}

static void wake_up(void)
{
    hours_seen(house.database, house.plyd.port, waiting);
    hours_seen(house.database, house.second.port, waiting);
}

static void end_daemon(struct plyd *plyd)
{
    if (once_in(2))
        plyd_kill9(plyd);
    else
        cr_assert_eq(plyd_stop(plyd), 0);
}

/* Whether a daemon shows the deadline that a game has by all outages. */
static bool knows_outages(struct house *at, struct clocked *match)
{
    struct answer answer = ask_at(at, NULL, "GET", NULL, "%s", match->path);

    return clocked_fits(match, &answer);
}

/* A daemon shows an outage once its own heart has beaten. */
static void wait_for_outage(struct house *at)
{
    for (int i = 0, looks = 0; i < CLOCKED_KINDS; looks++)
        if (knows_outages(at, &matches[i]))
            i++;
        else
            back_off(looks);
}

static void restart(int64_t us, bool outage)
{
    end_daemon(&house.plyd);
    end_daemon(&house.second);
    pass(us, outage);
    plyd_start(&house.plyd, house.database, NULL);
    plyd_start(&house.second, house.database, NULL);
    wake_up();
}

/* Nobody is up for a while. */
static void go_down(int64_t us)
{
    int64_t last = 0;
    size_t before = clocked_outages(&last);
    struct house second;

    restart(us, true);
    for (int looks = 0; clocked_outages(&last) == before; looks++)
        back_off(looks);
    cr_assert_geq(last, us);
    second = house;
    second.plyd = house.second;
    wait_for_outage(&house);
    wait_for_outage(&second);
    count.outages++;
}

static void kill_one(void)
{
    struct plyd *plyd = once_in(2) ? &house.plyd : &house.second;

    plyd_kill9(plyd);
    plyd_start(plyd, house.database, NULL);
    count.kills++;
}

static bool quick_game_goes_on(void)
{
    for (int i = 0; i < CLOCKED_KINDS; i++)
        if (matches[i].kind->quick && matches[i].now.goes_on && matches[i].now.paused_until == 0)
            return true;
    return false;
}

/* To shortly before a deadline, or shortly behind it. 0: there is none ahead. */
static int64_t draw_edge(void)
{
    const struct clocked *match = &matches[upto(CLOCKED_KINDS - 1)];
    int64_t edge = match->now.deadline + (once_in(2) ? -10 : 1) * (SECOND + upto(5 * SECOND));
    int64_t ahead = edge - hours_database_now(house.database);

    return match->now.goes_on && ahead > 0 && ahead < 30 * DAY ? ahead : 0;
}

static int64_t draw_jump(void)
{
    int64_t edge = once_in(4) ? draw_edge() : 0;

    if (edge > 0)
        return edge;
    if (quick_game_goes_on() && !once_in(4))
        return SECOND + upto(100 * SECOND);
    return once_in(4) ? upto(DAY) : DAY + upto(9 * DAY);
}

/* A vacation of which games may not have heard yet. */
static struct {
    bool waits;
    int player;
    int64_t until_ms; /* 0: it has ended */
} untold;

static bool has_heard(const struct clocked *match, int seat)
{
    return !match->kind->terms.vacation || match->player[seat] != untold.player ||
           !match->now.goes_on || match->now.remote_until[seat] / 1000 == untold.until_ms;
}

/* A daemon that was killed may have leased what is waited for, so time must pass. */
static void wait_for_lease(int looks)
{
    enum { EVERY = 16 };

    back_off(looks % EVERY);
    if (looks % EVERY != EVERY - 1)
        return;
    pass(MINUTE, false);
    wake_up();
}

/* Waits until the games of the player have heard of it. One that was over before anybody was up to
 * tell them is not told. */
static void wait_for_vacation(void)
{
    bool over =
        untold.until_ms != 0 && untold.until_ms <= hours_database_now(house.database) / 1000;

    for (int i = 0; untold.waits && !over && i < CLOCKED_KINDS; i++)
        for (int seat = 1; seat < RECKON_SEATS; seat++)
            for (int looks = 0; !has_heard(&matches[i], seat); looks++) {
                wait_for_lease(looks);
                look(&matches[i]);
            }
    untold.waits = false;
}

/* A vacation of which no game has heard yet keeps their time from running out all the same: as if a
 * third daemon had been up that told nobody. */
static void let_time_pass(void)
{
    int64_t us = draw_jump();

    if (untold.waits && once_in(3)) {
        restart(us, false);
        count.late++;
    } else if (once_in(8)) {
        go_down(us < MINUTE ? us + MINUTE : us);
    } else {
        wait_for_vacation();
        if (once_in(10))
            kill_one();
        pass(us, false);
        wake_up();
    }
}

/* ---- what people do ---- */

static bool is_free(const struct clocked *match, const char *square)
{
    for (int ply = 1; ply <= match->now.ply; ply++)
        if (strcmp(match->move[ply], square) == 0)
            return false;
    return true;
}

static void make_move(struct clocked *match)
{
    char square[4];
    struct answer answer;

    do
        snprintf(square, sizeof(square), "%c%d", (char)('a' + upto(SIDE - 1)),
                 (int)(1 + upto(SIDE - 1)));
    while (!is_free(match, square));
    answer = ask_of(match, match->now.to_move, "POST", "/moves", square);
    if (answer.status == 409 && strcmp(text_of(&answer, "code"), "game-over") == 0)
        count.too_late++;
    else
        assert_status(&answer, 201);
    look(match);
}

static void new_match(struct clocked *match, const struct clocked_kind *kind)
{
    int first = (int)upto(PLAYERS - 1);
    struct game game;
    char body[512];

    snprintf(body, sizeof(body),
             "{\"variant\":\"tictactoe\",\"options\":{\"rows\":%d,\"cols\":%d,\"k\":%d},%s"
             "\"undo\":\"%s\",\"clock\":%s}",
             SIDE, SIDE, SIDE, kind->alone ? "" : "\"seats\":[{\"me\":true},{\"open\":true}],",
             kind->alone ? "free" : "consent", kind->clock);
    game = new_game_of(door(), players[first].token, body);
    clocked_begin(match, kind, game.id, first);
    match->lazy = once_in(6);
    if (!kind->alone)
        cr_assert(tell(match, 2, "POST", "/join", NULL));
    count.games++;
    look(match);
    for (int i = 0; i < 2 && !match->lazy && !once_in(8); i++)
        make_move(match);
}

static void do_move(struct clocked *match)
{
    if (match->now.ply < 70)
        make_move(match);
    else
        tell(match, 1, "POST", "/resign", NULL);
}

/* Two moves or more, so that most games outlive most jumps. */
static void do_moves(struct clocked *match)
{
    for (int i = 0; i < 2 + upto(1) && match->now.goes_on; i++)
        do_move(match);
}

/* One side offers, and the other accepts; whoever plays both has agreed. */
static void agree(struct clocked *match, const char *offer)
{
    int seat = 1 + (int)upto(1);
    struct answer answer = ask_of(match, seat, "POST", "/offers", offer);
    char path[64];

    if (answer.status < 300 && !match->kind->alone) {
        snprintf(path, sizeof(path), "/offers/%d/accept", number_of(&answer, "offer.id"));
        cr_assert(tell(match, 3 - seat, "POST", path, NULL));
    }
}

static void do_undo(struct clocked *match)
{
    char body[64];

    if (match->now.ply == 0)
        return;
    snprintf(body, sizeof(body), "{\"kind\":\"undo\",\"to_ply\":%d}",
             (int)upto(match->now.ply - 1));
    if (match->kind->alone && once_in(2))
        tell(match, 1, "POST", "/undo", NULL);
    else
        agree(match, body);
    look(match);
}

static void do_redo(struct clocked *match)
{
    if (match->now.ply == match->tip)
        do_undo(match);
    if (match->kind->alone && match->now.ply < match->tip)
        cr_assert(tell(match, 1, "POST", "/redo", NULL));
}

static void do_pause(struct clocked *match)
{
    char body[64];

    snprintf(body, sizeof(body), "{\"kind\":\"pause\",\"for\":%d}",
             (int)(60 + upto(once_in(3) ? 3600 : 6 * 86400)));
    if (match->now.paused_until == 0 || once_in(4))
        agree(match, body);
    else
        cr_assert(tell(match, 1, "DELETE", "/pause", NULL));
}

static void do_add(struct clocked *match)
{
    char body[64];

    snprintf(body, sizeof(body), "{\"kind\":\"time\",\"add\":%d}",
             (int)(1 + upto(match->kind->quick ? 200 : 2 * 86400)));
    agree(match, body);
}

static void do_nothing(struct clocked *match)
{
    (void)match;
}

/* Begins, extends or ends a vacation. */
static void change_vacation(int player, const char *method, const char *body)
{
    struct answer answer = ask_as(door(), players[player].token, method, "/v1/me/vacation", body);

    if (answer.status < 300) {
        bool away = cJSON_IsObject(member(&answer, "vacation"));

        untold.waits = true;
        untold.player = player;
        untold.until_ms = away ? clocked_ms(member(&answer, "vacation.until_at")) : 0;
        count.vacations += answer.status == 201;
        count.back += untold.until_ms == 0;
    }
}

static void think_of_vacation(void)
{
    int player = (int)upto(PLAYERS - 1);
    struct answer answer = ask_as(door(), players[player].token, "GET", "/v1/me/vacation", NULL);
    bool away = cJSON_IsObject(member(&answer, "vacation"));
    char body[32];

    snprintf(body, sizeof(body), "{\"for\":\"%dd\"}", (int)(2 + upto(8)));
    if (away && once_in(2))
        change_vacation(player, "DELETE", NULL);
    else if (once_in(5))
        change_vacation(player, "POST", body);
}

static void (*const deeds[])(struct clocked *match) = {
    do_moves, do_moves, do_moves, do_moves, do_moves, do_moves, do_move,    do_move,
    do_undo,  do_redo,  do_redo,  do_pause, do_pause, do_add,   do_nothing, do_nothing};
enum { DEEDS = sizeof(deeds) / sizeof(deeds[0]) };

static void act(struct clocked *match)
{
    if (match->lazy || !match->now.goes_on)
        return;
    deeds[upto(DEEDS - 1)](match);
    look(match);
}

/* ---- the end of time ---- */

/* Both daemons are asked at once. */
static void notice_twice(struct clocked *match)
{
    int fds[2] = {http_connect(house.plyd.port), http_connect(house.second.port)};
    char token[160];

    snprintf(token, sizeof(token), "Authorization: Bearer %s\r\n", players[match->player[1]].token);
    for (int i = 0; i < 2; i++)
        http_send(fds[i], "GET", match->path, token, NULL, 0);
    for (int i = 0; i < 2; i++) {
        struct http_reply reply;
        struct answer answer;

        http_receive(fds[i], "GET", &reply);
        answer = answer_of(&house, "GET", match->path, reply);
        if (number_of(&answer, "version") >= match->version)
            clocked_judge(match, &answer);
    }
}

/* Nobody asks, and a daemon keeps its promise; or an outage is credited, or a vacation told. */
static void wait_for_sweeper(struct clocked *match)
{
    int version = match->version;

    for (int looks = 0; clocked_version(match) == version; looks++)
        wait_for_lease(looks);
}

static void notice(struct clocked *match)
{
    int64_t now = hours_database_now(house.database);

    if (match->now.goes_on && match->now.deadline <= now) {
        int way = (int)upto(9);

        if (way < 3)
            make_move(match);
        else if (way < 5)
            notice_twice(match);
        else if (way < 6)
            wait_for_sweeper(match);
    }
    look(match);
}

/* Where undo is free a game may go on after its end. */
static void renew(struct clocked *match)
{
    if (match->now.goes_on)
        return;
    look_at_moves(match);
    if (match->now.both_moved && match->kind->alone && once_in(2) &&
        tell(match, 1, "POST", "/undo", NULL)) {
        count.undone++;
        look(match);
    } else if (!match->kind->quick || once_in(4)) {
        new_match(match, match->kind);
    }
}

/* ---- a year ---- */

static void begin_year(uint64_t number)
{
    static const char *const names[] = {"Ada", "Ben"};
    struct game game;

    seed = chance = number;
    house_open_on(&house, hours_borrow());
    house_open_second(&house);
    clocked_open(house.database);
    game = new_game(&house, "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}],"
                            "\"clock\":{\"kind\":\"days\",\"days\":1}}");
    snprintf(waiting, sizeof(waiting), "/v1/games/%s", game.id);
    for (int i = 0; i < PLAYERS; i++)
        players[i] = new_player(&house, names[i]);
    for (int i = 0; i < CLOCKED_KINDS; i++)
        new_match(&matches[i], &clocked_kinds[i]);
}

static void end_year(void)
{
    for (int i = 0; i < CLOCKED_KINDS; i++)
        look_at_moves(&matches[i]);
    clocked_close();
    cr_assert(plyd_verified(house.database), "seed %llu", (unsigned long long)seed);
    house_close(&house);
    printf("year: seed %llu: %.0f days in %d jumps, %d games, %d looks, %d comparisons; %d moves, "
           "%d undos, %d redos, %d pauses, %d of them ended, time added %d times, %d vacations, %d "
           "of them told late, %d ended, %d outages, %d credits, %d kills; %d warnings, %d "
           "timeouts, %d undone, %d games called off, %d moves too late\n",
           (unsigned long long)seed, (double)passed / (double)DAY, jump, count.games,
           clocked_count.looks, clocked_count.comparisons, clocked_count.moves, clocked_count.undos,
           clocked_count.redos, clocked_count.pauses, clocked_count.resumed, clocked_count.added,
           count.vacations, count.late, count.back, count.outages, clocked_count.credits,
           count.kills, clocked_count.warnings, clocked_count.timeouts, count.undone,
           clocked_count.aborted, count.too_late);
}

/* Nothing of which a story is made may be missing by mistake. On Citus more time passes while
 * daemons are waited for, so that each run tells another story. */
static void require_variety(void)
{
    const int made[] = {clocked_count.undos,
                        clocked_count.redos,
                        clocked_count.pauses,
                        clocked_count.resumed,
                        clocked_count.added,
                        count.vacations,
                        count.back,
                        count.outages,
                        clocked_count.credits,
                        count.kills,
                        clocked_count.timeouts,
                        count.undone,
                        clocked_count.aborted,
                        count.too_late};

    for (size_t i = 0; !pg_on_citus() && i < sizeof(made) / sizeof(made[0]); i++)
        cr_expect_gt(made[i], 0, "number %zu", i);
}

/* A year and at least two thirds of these jumps in time, but no more of them. */
static void tell_year(uint64_t number, int jumps)
{
    begin_year(number);
    while (jump < jumps && (jump < jumps * 2 / 3 || passed < YEAR)) {
        snprintf(clocked_place, sizeof(clocked_place), "seed %llu, jump %d",
                 (unsigned long long)seed, ++jump);
        for (int i = 0; i < CLOCKED_KINDS; i++)
            act(&matches[i]);
        think_of_vacation();
        let_time_pass();
        for (int i = 0; i < CLOCKED_KINDS; i++)
            notice(&matches[i]);
        wait_for_vacation();
        for (int i = 0; i < CLOCKED_KINDS; i++)
            renew(&matches[i]);
    }
    end_year();
}

Test(year, every_clock_shows_what_its_log_says_in_a_story_that_stays)
{
    tell_year(1, (int)long_or_short(90, 50));
    require_variety();
}

Test(year, every_clock_shows_what_its_log_says_in_a_new_story)
{
    const char *given = getenv("PLYD_TEST_YEAR_SEED");

    tell_year(given != NULL ? strtoull(given, NULL, 10) : (uint64_t)time(NULL),
              (int)long_or_short(90, 20));
}
