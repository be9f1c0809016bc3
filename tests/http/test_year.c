/*
 * test_year.c - a year in a minute: two daemons on one database whose time the test lets pass, and
 * games with clocks of every kind at once. After each jump in time every clock that is shown is
 * compared with what is reckoned from the game's log (reckoning.h).
 *
 * PLYD_TEST_YEAR_SEED tells one story again.
 */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/game/ids.h"
#include "api/game/words.h"
#include "house.h"
#include "reckoning.h"
#include "tests/support/hours.h"

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
#define YEAR   (365 * DAY)

enum { JUMPS_MIN = 60, JUMPS_MAX = 90, PLAYERS = 2, DEEDS_MAX = 400, GAPS_MAX = 100, SIDE = 9 };

/* ---- the games ---- */

static const struct kind {
    const char *clock;
    struct reckon_terms terms;
    bool alone; /* one player holds both seats, and undoes as they like */
    bool quick; /* of minutes, not of days */
} kinds[] = {
    {"{\"kind\":\"days\",\"days\":7}",
     {.kind = RECKON_DAYS, .initial = 7 * DAY, .first_move = 3 * DAY, .vacation = true},
     false,
     false},
    {"{\"kind\":\"days\",\"days\":14,\"first_move\":\"10d\",\"vacation\":false}",
     {.kind = RECKON_DAYS, .initial = 14 * DAY, .first_move = 10 * DAY},
     true,
     false},
    {"{\"kind\":\"fischer\",\"initial\":\"10d\",\"increment\":\"36h\",\"max\":\"12d\"}",
     {.kind = RECKON_FISCHER,
      .initial = 10 * DAY,
      .increment = 36 * HOUR,
      .max = 12 * DAY,
      .first_move = 3 * DAY,
      .vacation = true},
     false,
     false},
    {"{\"kind\":\"fischer\",\"initial\":\"40d\",\"increment\":\"1h\",\"first_move\":\"20d\"}",
     {.kind = RECKON_FISCHER,
      .initial = 40 * DAY,
      .increment = HOUR,
      .max = 40 * DAY,
      .first_move = 20 * DAY},
     true,
     false},
    {"{\"kind\":\"byoyomi\",\"initial\":\"8d\",\"period\":\"3d\",\"periods\":3}",
     {.kind = RECKON_BYOYOMI,
      .initial = 8 * DAY,
      .period = 3 * DAY,
      .periods = 3,
      .first_move = 3 * DAY,
      .vacation = true},
     false,
     false},
    {"{\"kind\":\"byoyomi\",\"initial\":\"2m\",\"period\":\"30s\",\"periods\":4}",
     {.kind = RECKON_BYOYOMI,
      .initial = 2 * MINUTE,
      .period = 30 * SECOND,
      .periods = 4,
      .first_move = MINUTE},
     true,
     true},
    {"{\"kind\":\"fischer\",\"initial\":\"5m\",\"increment\":\"20s\"}",
     {.kind = RECKON_FISCHER,
      .initial = 5 * MINUTE,
      .increment = 20 * SECOND,
      .first_move = MINUTE},
     false,
     true},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

struct match {
    const struct kind *kind;
    char id[32], path[64], uuid[40];
    int player[RECKON_SEATS];
    bool lazy; /* nobody ever begins it */
    int version;
    struct reckon_deed deed[DEEDS_MAX];
    size_t deeds;
    char move[RECKON_PLIES][4];
    struct reckoned now; /* as it was looked at last */
    int64_t tip;
};

static struct house house;
static PGconn *sql;
static struct player players[PLAYERS];
static struct match matches[KINDS];
static struct reckon_gap gaps[GAPS_MAX];
static size_t ngaps;
static uint64_t seed, chance;
static int jump;
static int64_t passed;

/* What the story was made of. */
static struct {
    int games, looks, comparisons, moves, undos, redos, pauses, resumed, added, vacations, back,
        outages, kills, timeouts, aborted, too_late, credits, undone;
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

/* ---- the database, which is only looked at ---- */

static PGresult *query(const char *format, ...) __attribute__((format(printf, 1, 2)));
static PGresult *query(const char *format, ...)
{
    char text[1024];
    PGresult *result;
    va_list values;

    va_start(values, format);
    vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    result = PQexec(sql, text);
    cr_assert(PQresultStatus(result) == PGRES_TUPLES_OK ||
                  PQresultStatus(result) == PGRES_COMMAND_OK,
              "%s: %s", text, PQerrorMessage(sql));
    return result;
}

static int64_t number_at(const PGresult *result, int row, int column)
{
    return strtoll(PQgetvalue(result, row, column), NULL, 10);
}

static int64_t query_number(PGresult *result)
{
    int64_t number = PQntuples(result) == 0 ? 0 : number_at(result, 0, 0);

    PQclear(result);
    return number;
}

/* The daemons of the house are known by the name of their sessions, and are cut off by it
 * (hours.c). This session has another. */
static void open_sql(void)
{
    sql = PQconnectdb(house.database);
    PQclear(query("set application_name = 'year'"));
}

static void uuid_of(const char *id, char uuid[40])
{
    db_id bytes;
    size_t n = 0;

    cr_assert(ids_read(id, &bytes), "%s", id);
    for (size_t i = 0; i < sizeof(bytes.byte); i++)
        n += (size_t)sprintf(uuid + n, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
                             bytes.byte[i]);
}

static void read_gaps(void)
{
    PGresult *result = query("select (extract(epoch from from_at) * 1e6)::int8,"
                             " (extract(epoch from to_at) * 1e6)::int8 from outages"
                             " order by number");

    ngaps = (size_t)PQntuples(result);
    cr_assert_leq(ngaps, GAPS_MAX);
    for (size_t i = 0; i < ngaps; i++)
        gaps[i] = (struct reckon_gap){number_at(result, (int)i, 0), number_at(result, (int)i, 1)};
    PQclear(result);
}

/* ---- the log of a game ---- */

static int64_t member_us(const cJSON *data, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(data, name);

    return member == NULL ? 0 : (int64_t)member->valuedouble;
}

static enum reckon_deed_kind kind_of(const struct match *match, int kind, const cJSON *data)
{
    const cJSON *offer = cJSON_GetObjectItemCaseSensitive(data, "kind");

    switch (kind) {
    case EVENT_CREATED:
        return match->kind->alone ? RECKON_START : RECKON_OTHER;
    case EVENT_JOINED:
        return RECKON_START;
    case EVENT_MOVE:
        return RECKON_MOVE;
    case EVENT_UNDO:
    case EVENT_REDO:
        return RECKON_GO_TO;
    case EVENT_RESIGNED:
    case EVENT_ABORTED:
        return RECKON_END;
    case EVENT_ACCEPTED:
        return strcmp(offer->valuestring, "draw") == 0 ? RECKON_END : RECKON_OTHER;
    case EVENT_TIMEOUT:
        return RECKON_TIMEOUT;
    case EVENT_CREDITED:
        return RECKON_CREDIT;
    case EVENT_PAUSED:
        return RECKON_PAUSE;
    case EVENT_RESUMED:
        return RECKON_RESUME;
    case EVENT_TIME_ADDED:
        return RECKON_ADD;
    case EVENT_VACATION:
        return RECKON_VACATION;
    default:
        return RECKON_OTHER;
    }
}

/* A player who is on vacation loses no game on time. */
static void require_no_vacation(const struct match *match, const struct reckon_deed *deed)
{
    if (deed->kind == RECKON_TIMEOUT && match->kind->terms.vacation)
        cr_assert_eq(
            query_number(query("select count(*) from vacations, games"
                               " where id = '%s' and player_id = seat%d_player"
                               " and (extract(epoch from from_at) * 1e6)::int8 < %lld"
                               " and (extract(epoch from until_at) * 1e6)::int8 > %lld",
                               match->uuid, deed->seat, (long long)deed->at, (long long)deed->at)),
            0, "seed %llu, jump %d: %s is lost while its player is on vacation",
            (unsigned long long)seed, jump, match->id);
}

static void take_event(struct match *match, const PGresult *result, int row)
{
    struct reckon_deed *deed = &match->deed[match->deeds++];
    int kind = (int)number_at(result, row, 1);
    cJSON *data = cJSON_Parse(PQgetvalue(result, row, 5));

    cr_assert_lt(match->deeds, DEEDS_MAX);
    match->version = (int)number_at(result, row, 0);
    *deed = (struct reckon_deed){.kind = kind_of(match, kind, data),
                                 .seat = (int)number_at(result, row, 2),
                                 .ply = (int)number_at(result, row, 3),
                                 .at = number_at(result, row, 4),
                                 .from = member_us(data, "from_us"),
                                 .until = member_us(data, "until_us"),
                                 .span = member_us(data, kind == EVENT_CREDITED ? "us" : "add_us")};
    if (kind == EVENT_MOVE)
        snprintf(match->move[deed->ply], sizeof(match->move[0]), "%s", PQgetvalue(result, row, 6));
    if (kind == EVENT_MOVE)
        match->tip = deed->ply;
    require_no_vacation(match, deed);
    count.timeouts += kind == EVENT_TIMEOUT && strstr(PQgetvalue(result, row, 5), "no_st") == NULL;
    count.aborted += kind == EVENT_TIMEOUT && strstr(PQgetvalue(result, row, 5), "no_st") != NULL;
    count.moves += kind == EVENT_MOVE;
    count.undos += kind == EVENT_UNDO;
    count.redos += kind == EVENT_REDO;
    count.pauses += kind == EVENT_PAUSED;
    count.resumed += kind == EVENT_RESUMED;
    count.added += kind == EVENT_TIME_ADDED;
    count.credits += kind == EVENT_CREDITED;
    cJSON_Delete(data);
}

static void read_log(struct match *match, int version)
{
    PGresult *result =
        query("select version, kind, seat, ply, (extract(epoch from at) * 1e6)::int8, data, move"
              " from events where game_id = '%s' and version > %d and version <= %d"
              " order by version",
              match->uuid, match->version, version);

    for (int i = 0; i < PQntuples(result); i++)
        take_event(match, result, i);
    PQclear(result);
    cr_assert_eq(match->version, version);
}

static void reckon_match(struct match *match, int64_t now)
{
    read_gaps();
    reckon(&match->now, &match->kind->terms, match->deed, match->deeds, gaps, ngaps, now);
}

/* ---- comparing ---- */

static void tell_log(const struct match *match)
{
    static const char *const words[] = {"other",  "start", "move",   "go to", "end",     "timeout",
                                        "credit", "pause", "resume", "add",   "vacation"};

    for (size_t i = 0; i < match->deeds; i++) {
        const struct reckon_deed *deed = &match->deed[i];

        fprintf(stderr, "%3zu %-8s seat %d ply %2d at %lld from %lld until %lld span %lld\n", i + 1,
                words[deed->kind], deed->seat, deed->ply, (long long)deed->at,
                (long long)deed->from, (long long)deed->until, (long long)deed->span);
    }
    for (size_t i = 0; i < ngaps; i++)
        fprintf(stderr, "outage %lld to %lld\n", (long long)gaps[i].from, (long long)gaps[i].to);
}

static void same(const struct match *match, const char *what, int64_t is, int64_t expected,
                 int64_t tolerance)
{
    count.comparisons++;
    if (is >= expected - tolerance && is <= expected + tolerance)
        return;
    tell_log(match);
    cr_assert_fail("seed %llu, jump %d, game %s, %s: %s is %lld and not %lld",
                   (unsigned long long)seed, jump, match->id, match->kind->clock, what,
                   (long long)is, (long long)expected);
}

/* A time in an answer, in milliseconds. 0: there is none. */
static int64_t time_of(const cJSON *value)
{
    struct tm tm = {0};
    int ms = 0;

    if (value == NULL || !cJSON_IsString(value))
        return 0;
    cr_assert_eq(sscanf(value->valuestring, "%d-%d-%dT%d:%d:%d.%d", &tm.tm_year, &tm.tm_mon,
                        &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &ms),
                 7, "%s", value->valuestring);
    tm.tm_year -= 1900;
    tm.tm_mon--;
    return timegm(&tm) * INT64_C(1000) + ms;
}

static const cJSON *in(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static int64_t ms_of(const cJSON *seconds)
{
    cr_assert(cJSON_IsNumber(seconds));
    return llround(seconds->valuedouble * 1000);
}

static void compare_clock(const struct match *match, const cJSON *clock)
{
    const struct reckoned *now = &match->now;
    static const char *const names[] = {"", "1", "2"};
    const cJSON *running = in(clock, "running");

    same(match, "the running seat", cJSON_IsNumber(running) ? running->valueint : 0, now->running,
         0);
    same(match, "the deadline", time_of(in(clock, "deadline_at")), now->deadline / 1000, 0);
    same(match, "the end of the pause", time_of(in(in(clock, "paused"), "until")),
         now->paused_until / 1000, 0);
    for (int seat = 1; seat < RECKON_SEATS; seat++) {
        /* The answer tells only the milliseconds of its time. */
        bool thinks = now->goes_on && now->to_move == seat;

        same(match, "what is left", ms_of(in(in(clock, "left_s"), names[seat])),
             now->left[seat] / 1000, thinks ? 1 : 0);
        if (match->kind->terms.kind == RECKON_BYOYOMI)
            same(match, "the number of periods",
                 in(in(clock, "periods_left"), names[seat])->valueint, now->periods[seat], 0);
        same(match, "the end of the vacation", time_of(in(in(clock, "away"), names[seat])),
             now->away_until[seat] / 1000, 0);
    }
}

static void compare_end(const struct match *match, const struct answer *answer)
{
    const struct reckon_deed *last = &match->deed[match->deeds - 1];
    const char *status = text_of(answer, "status");

    same(match, "whether it goes on", strcmp(status, "active") == 0, match->now.goes_on, 0);
    if (last->kind != RECKON_TIMEOUT)
        return;
    same(match, "whether the timeout is a loss", strcmp(status, "finished") == 0,
         match->now.both_moved, 0);
    if (!match->now.both_moved)
        return;
    cr_assert_str_eq(text_of(answer, "outcome.reason"), "timeout");
    same(match, "the winner", number_of(answer, "outcome.winner"), 3 - last->seat, 0);
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

static struct answer ask_of(const struct match *match, int seat, const char *method,
                            const char *path, const char *body)
{
    const char *token = players[match->player[seat]].token;
    struct answer answer = ask_at(door(), token, method, body, "%s%s", match->path, path);

    cr_assert_lt(answer.status, 500, "seed %llu, jump %d: %s %s: %.500s", (unsigned long long)seed,
                 jump, method, path, answer.reply.body);
    return answer;
}

static bool tell(const struct match *match, int seat, const char *method, const char *path,
                 const char *body)
{
    struct answer answer = ask_of(match, seat, method, path, body);
    bool done = answer.status < 300;

    answer_free(&answer);
    return done;
}

static void judge(struct match *match, const struct answer *answer)
{
    const cJSON *clock = member(answer, "clock");

    assert_status(answer, 200);
    read_log(match, number_of(answer, "version"));
    reckon_match(match, time_of(in(clock, "now")) * 1000);
    if (match->now.wrong[0] != '\0')
        tell_log(match);
    cr_assert_str_empty(match->now.wrong, "seed %llu, jump %d, game %s, %s: %s",
                        (unsigned long long)seed, jump, match->id, match->kind->clock,
                        match->now.wrong);
    compare_end(match, answer);
    compare_clock(match, clock);
    count.looks++;
}

static void look(struct match *match)
{
    struct answer answer = ask_of(match, 1, "GET", "", NULL);

    judge(match, &answer);
    answer_free(&answer);
}

/* What each move says of the time that it took. */
static void compare_moves(struct match *match)
{
    struct answer answer = ask_of(match, 1, "GET", "/moves?limit=200", NULL);
    const cJSON *item;

    cJSON_ArrayForEach(item, member(&answer, "items"))
    {
        int ply = in(item, "ply")->valueint;

        same(match, "what a move took", ms_of(in(item, "spent_s")), match->now.spent[ply] / 1000,
             0);
        same(match, "what was left after it", ms_of(in(item, "left_s")),
             match->now.left_then[ply] / 1000, 0);
        if (match->kind->terms.kind == RECKON_BYOYOMI)
            same(match, "its periods", in(item, "periods_left")->valueint,
                 match->now.periods_then[ply], 0);
    }
    answer_free(&answer);
}

/* ---- time ---- */

static char waiting[64]; /* the path of a game that waits for somebody, whose time never runs */

static void wait_for(int64_t then)
{
    hours_seen(house.plyd.port, waiting, then);
    hours_seen(house.second.port, waiting, then);
}

static void pass(int64_t us, bool outage)
{
    hours_pass(house.database, us, outage);
    passed += us;
}

static void wake_up(void)
{
    wait_for(hours_now(house.database) - SECOND);
}

static void end_daemon(struct plyd *plyd)
{
    if (once_in(2))
        plyd_kill9(plyd);
    else
        cr_assert_eq(plyd_stop(plyd), 0);
}

/* Whether a daemon shows the deadline that a game has by all outages. */
static bool knows_outages(struct house *at, struct match *match)
{
    struct answer answer = ask_at(at, NULL, "GET", NULL, "%s", match->path);
    bool known;

    read_log(match, number_of(&answer, "version"));
    reckon_match(match, time_of(member(&answer, "clock.now")) * 1000);
    known = time_of(member(&answer, "clock.deadline_at")) == match->now.deadline / 1000;
    answer_free(&answer);
    return known;
}

/* A daemon shows an outage once its own heart has beaten. */
static void wait_for_outage(struct house *at)
{
    for (int i = 0, tries = 0; i < KINDS && tries < 2000; tries++)
        if (knows_outages(at, &matches[i]))
            i++;
        else
            nanosleep(&(struct timespec){0, 5000000}, NULL);
}

/* Nobody is up for a while. */
static void go_down(int64_t us)
{
    size_t before = ngaps;
    struct house second;

    end_daemon(&house.plyd);
    end_daemon(&house.second);
    pass(us, true);
    plyd_start(&house.plyd, house.database, NULL);
    plyd_start(&house.second, house.database, NULL);
    wake_up();
    while (ngaps == before)
        read_gaps();
    cr_assert_geq(gaps[ngaps - 1].to - gaps[ngaps - 1].from, us);
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
    for (int i = 0; i < KINDS; i++)
        if (kinds[i].quick && matches[i].now.goes_on && matches[i].now.paused_until == 0)
            return true;
    return false;
}

/* To shortly before a deadline, or shortly behind it. 0: there is none ahead. */
static int64_t draw_edge(void)
{
    const struct match *match = &matches[upto(KINDS - 1)];
    int64_t edge = match->now.deadline + (once_in(2) ? -10 : 1) * (SECOND + upto(5 * SECOND));
    int64_t ahead = edge - hours_now(house.database);

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

/* Waits until the games of the player have heard of it. One that was over before anybody was up to
 * tell them is not told. */
static void wait_for_vacation(void)
{
    if (!untold.waits ||
        (untold.until_ms != 0 && untold.until_ms <= hours_now(house.database) / 1000))
        return;
    for (int i = 0; i < KINDS; i++) {
        struct match *match = &matches[i];

        for (int seat = 1; seat < RECKON_SEATS; seat++)
            while (match->kind->terms.vacation && match->player[seat] == untold.player &&
                   match->now.goes_on && match->now.away_until[seat] / 1000 != untold.until_ms)
                look(match);
    }
    untold.waits = false;
}

static void let_time_pass(void)
{
    int64_t us = draw_jump();

    if (once_in(8)) {
        go_down(us < MINUTE ? us + MINUTE : us);
        wait_for_vacation();
        return;
    }
    wait_for_vacation();
    if (once_in(10))
        kill_one();
    pass(us, false);
    wake_up();
}

/* ---- what people do ---- */

static bool is_free(const struct match *match, const char *square)
{
    for (int ply = 1; ply <= match->now.ply; ply++)
        if (strcmp(match->move[ply], square) == 0)
            return false;
    return true;
}

static void make_move(struct match *match)
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
    answer_free(&answer);
    look(match);
}

static void new_match(struct match *match, const struct kind *kind)
{
    int first = (int)upto(PLAYERS - 1);
    struct game game;
    char body[512];

    snprintf(body, sizeof(body),
             "{\"variant\":\"tictactoe\",\"options\":{\"rows\":%d,\"cols\":%d,\"k\":%d},%s"
             "\"undo\":\"%s\",\"clock\":%s}",
             SIDE, SIDE, SIDE, kind->alone ? "" : "\"seats\":[{\"me\":true},{\"open\":true}],",
             kind->alone ? "free" : "consent", kind->clock);
    memset(match, 0, sizeof(*match));
    match->kind = kind;
    match->lazy = once_in(6);
    game = new_game_of(door(), players[first].token, body);
    match->player[1] = first;
    match->player[2] = kind->alone ? first : 1 - first;
    snprintf(match->id, sizeof(match->id), "%s", game.id);
    snprintf(match->path, sizeof(match->path), "/v1/games/%s", game.id);
    uuid_of(match->id, match->uuid);
    if (!kind->alone)
        cr_assert(tell(match, 2, "POST", "/join", NULL));
    count.games++;
    look(match);
    for (int i = 0; i < 2 && !match->lazy && !once_in(8); i++)
        make_move(match);
}

static void do_move(struct match *match)
{
    if (match->now.ply < 70)
        make_move(match);
    else
        tell(match, 1, "POST", "/resign", NULL);
}

/* Two moves or more, so that most games outlive most jumps. */
static void do_moves(struct match *match)
{
    for (int i = 0; i < 2 + upto(1) && match->now.goes_on; i++)
        do_move(match);
}

/* One side offers, and the other accepts; whoever plays both has agreed. */
static void agree(struct match *match, const char *offer)
{
    int seat = 1 + (int)upto(1);
    struct answer answer = ask_of(match, seat, "POST", "/offers", offer);
    char path[64];

    if (answer.status < 300 && !match->kind->alone) {
        snprintf(path, sizeof(path), "/offers/%d/accept", number_of(&answer, "offer.id"));
        cr_assert(tell(match, 3 - seat, "POST", path, NULL));
    }
    answer_free(&answer);
}

static void do_undo(struct match *match)
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

static void do_redo(struct match *match)
{
    if (match->now.ply == match->tip)
        do_undo(match);
    if (match->kind->alone && match->now.ply < match->tip)
        cr_assert(tell(match, 1, "POST", "/redo", NULL));
}

static void do_pause(struct match *match)
{
    char body[64];

    snprintf(body, sizeof(body), "{\"kind\":\"pause\",\"for\":%d}",
             (int)(60 + upto(once_in(3) ? 3600 : 6 * 86400)));
    if (match->now.paused_until == 0 || once_in(4))
        agree(match, body);
    else
        cr_assert(tell(match, 1, "DELETE", "/pause", NULL));
}

static void do_add(struct match *match)
{
    char body[64];

    snprintf(body, sizeof(body), "{\"kind\":\"time\",\"add\":%d}",
             (int)(1 + upto(match->kind->quick ? 200 : 2 * 86400)));
    agree(match, body);
}

static void do_nothing(struct match *match)
{
    (void)match;
}

/* Begins, extends or ends a vacation. */
static void change_vacation(int player, const char *method, const char *body)
{
    struct answer answer = ask_as(door(), players[player].token, method, "/v1/me/vacation", body);

    if (answer.status < 300) {
        untold.waits = true;
        untold.player = player;
        untold.until_ms = time_of(in(member(&answer, "vacation"), "until_at"));
        count.vacations += answer.status == 201;
        count.back += untold.until_ms == 0;
    }
    answer_free(&answer);
}

static void think_of_vacation(void)
{
    int player = (int)upto(PLAYERS - 1);
    struct answer answer = ask_as(door(), players[player].token, "GET", "/v1/me/vacation", NULL);
    bool away = cJSON_IsObject(member(&answer, "vacation"));
    char body[32];

    answer_free(&answer);
    snprintf(body, sizeof(body), "{\"for\":\"%dd\"}", (int)(2 + upto(8)));
    if (away && once_in(2))
        change_vacation(player, "DELETE", NULL);
    else if (once_in(5))
        change_vacation(player, "POST", body);
}

static void (*const deeds[])(struct match *match) = {
    do_moves, do_moves, do_moves, do_moves, do_moves, do_moves, do_move,    do_move,
    do_undo,  do_redo,  do_redo,  do_pause, do_pause, do_add,   do_nothing, do_nothing};
enum { DEEDS = sizeof(deeds) / sizeof(deeds[0]) };

static void act(struct match *match)
{
    if (match->lazy || !match->now.goes_on)
        return;
    deeds[upto(DEEDS - 1)](match);
    look(match);
}

/* ---- the end of time ---- */

/* Both daemons are asked at once. */
static void notice_twice(struct match *match)
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
            judge(match, &answer);
        answer_free(&answer);
    }
}

static int status_of(const struct match *match)
{
    return (int)query_number(query("select status from games where id = '%s'", match->uuid));
}

/* Nobody asks, and a daemon keeps its promise. */
static void wait_for_sweeper(struct match *match)
{
    int version = match->version;

    for (int i = 0; i < 4000 && status_of(match) == STATUS_ACTIVE; i++) {
        if (query_number(query("select version from games where id = '%s'", match->uuid)) > version)
            return; /* an outage was credited, or a vacation told */
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    cr_assert_neq(status_of(match), STATUS_ACTIVE, "seed %llu, jump %d: nobody ends %s",
                  (unsigned long long)seed, jump, match->id);
}

static void notice(struct match *match)
{
    int64_t now = hours_now(house.database);

    if (match->now.goes_on && match->now.deadline <= now - SECOND) {
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
static void renew(struct match *match)
{
    if (match->now.goes_on)
        return;
    compare_moves(match);
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
    setenv("PLYD_LOOPS", "1", 1); /* so that a daemon that was asked has seen the time */
    house_open_on(&house, hours_schema());
    house_open_second(&house);
    open_sql();
    game = new_game(&house, "{\"variant\":\"tictactoe\",\"seats\":[{\"me\":true},{\"open\":true}],"
                            "\"clock\":{\"kind\":\"days\",\"days\":1}}");
    snprintf(waiting, sizeof(waiting), "/v1/games/%s", game.id);
    for (int i = 0; i < PLAYERS; i++)
        players[i] = new_player(&house, names[i]);
    for (int i = 0; i < KINDS; i++)
        new_match(&matches[i], &kinds[i]);
}

static void end_year(void)
{
    for (int i = 0; i < KINDS; i++)
        compare_moves(&matches[i]);
    PQfinish(sql);
    cr_assert(plyd_verified(house.database), "seed %llu", (unsigned long long)seed);
    house_close(&house);
    printf("year: seed %llu: %.0f days in %d jumps, %d games, %d looks, %d comparisons; %d moves, "
           "%d undos, %d redos, %d pauses, %d of them ended, time added %d times, %d vacations, %d "
           "ended, %d outages, %d credits, %d kills; %d timeouts, %d undone, %d games called off, "
           "%d moves too late\n",
           (unsigned long long)seed, (double)passed / (double)DAY, jump, count.games, count.looks,
           count.comparisons, count.moves, count.undos, count.redos, count.pauses, count.resumed,
           count.added, count.vacations, count.back, count.outages, count.credits, count.kills,
           count.timeouts, count.undone, count.aborted, count.too_late);
}

/* Nothing of which a story is made may be missing by mistake. */
static void require_variety(void)
{
    const int made[] = {count.undos,     count.redos,  count.pauses,  count.resumed, count.added,
                        count.vacations, count.back,   count.outages, count.credits, count.kills,
                        count.timeouts,  count.undone, count.aborted, count.too_late};

    for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
        cr_expect_gt(made[i], 0, "number %zu", i);
}

static void tell_year(uint64_t number)
{
    begin_year(number);
    while (jump < JUMPS_MAX && (jump < JUMPS_MIN || passed < YEAR)) {
        jump++;
        think_of_vacation();
        for (int i = 0; i < KINDS; i++)
            act(&matches[i]);
        let_time_pass();
        for (int i = 0; i < KINDS; i++)
            notice(&matches[i]);
        for (int i = 0; i < KINDS; i++)
            renew(&matches[i]);
    }
    end_year();
}

Test(year, every_clock_shows_what_its_log_says_in_a_story_that_stays, .timeout = 600)
{
    tell_year(1);
    require_variety();
}

Test(year, every_clock_shows_what_its_log_says_in_a_new_story, .timeout = 600)
{
    const char *given = getenv("PLYD_TEST_YEAR_SEED");

    tell_year(given != NULL ? strtoull(given, NULL, 10) : (uint64_t)time(NULL));
}
