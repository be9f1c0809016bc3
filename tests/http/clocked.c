/* clocked.c - games with clocks, and what their logs say (clocked.h). */
#include "clocked.h"

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

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

enum { GAPS_MAX = 100 };

const struct clocked_kind clocked_kinds[CLOCKED_KINDS] = {
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

struct clocked_count clocked_count;
char clocked_place[64];

static PGconn *sql;
static struct reckon_gap gaps[GAPS_MAX];
static int64_t reckoned_at;
static size_t ngaps;

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

void clocked_open(const char *database)
{
    sql = PQconnectdb(database);
    PQclear(query("set application_name = 'clocked'"));
}

void clocked_close(void)
{
    PQfinish(sql);
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

static enum reckon_deed_kind kind_of(const struct clocked *game, int kind, const cJSON *data)
{
    const cJSON *offer = cJSON_GetObjectItemCaseSensitive(data, "kind");

    switch (kind) {
    case EVENT_CREATED:
        return game->kind->alone ? RECKON_START : RECKON_OTHER;
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
    case EVENT_DEADLINE:
        return RECKON_WARNING;
    default:
        return RECKON_OTHER;
    }
}

/* A player who is on vacation loses no game on time. */
static void require_no_vacation(const struct clocked *game, const struct reckon_deed *deed)
{
    if (deed->kind == RECKON_TIMEOUT && game->kind->terms.vacation)
        cr_assert_eq(
            query_number(query("select count(*) from vacations where player_id ="
                               " (select seat%d_player from games where id = '%s')"
                               " and (extract(epoch from from_at) * 1e6)::int8 < %lld"
                               " and (extract(epoch from until_at) * 1e6)::int8 > %lld",
                               deed->seat, game->uuid, (long long)deed->at, (long long)deed->at)),
            0, "%s: %s is lost while its player is on vacation", clocked_place, game->id);
}

static void take_event(struct clocked *game, const PGresult *result, int row)
{
    struct reckon_deed *deed = &game->deed[game->deeds++];
    int kind = (int)number_at(result, row, 1);
    cJSON *data = cJSON_Parse(PQgetvalue(result, row, 5));

    cr_assert_lt(game->deeds, CLOCKED_DEEDS);
    game->version = (int)number_at(result, row, 0);
    *deed = (struct reckon_deed){.kind = kind_of(game, kind, data),
                                 .seat = (int)number_at(result, row, 2),
                                 .ply = (int)number_at(result, row, 3),
                                 .at = number_at(result, row, 4),
                                 .from = member_us(data, "from_us"),
                                 .until = member_us(data, kind == EVENT_CREDITED   ? "to_us"
                                                          : kind == EVENT_DEADLINE ? "deadline_us"
                                                                                   : "until_us"),
                                 .span = member_us(data, kind == EVENT_CREDITED ? "us" : "add_us")};
    if (kind == EVENT_MOVE)
        snprintf(game->move[deed->ply], sizeof(game->move[0]), "%s", PQgetvalue(result, row, 6));
    if (kind == EVENT_MOVE)
        game->tip = deed->ply;
    require_no_vacation(game, deed);
    clocked_count.timeouts +=
        kind == EVENT_TIMEOUT && strstr(PQgetvalue(result, row, 5), "no_st") == NULL;
    clocked_count.aborted +=
        kind == EVENT_TIMEOUT && strstr(PQgetvalue(result, row, 5), "no_st") != NULL;
    clocked_count.moves += kind == EVENT_MOVE;
    clocked_count.undos += kind == EVENT_UNDO;
    clocked_count.redos += kind == EVENT_REDO;
    clocked_count.pauses += kind == EVENT_PAUSED;
    clocked_count.resumed += kind == EVENT_RESUMED;
    clocked_count.added += kind == EVENT_TIME_ADDED;
    clocked_count.credits += kind == EVENT_CREDITED;
    clocked_count.warnings += kind == EVENT_DEADLINE;
    cJSON_Delete(data);
}

static void read_log(struct clocked *game, int version)
{
    PGresult *result =
        query("select version, kind, seat, ply, (extract(epoch from at) * 1e6)::int8, data, move"
              " from events where game_id = '%s' and version > %d and version <= %d"
              " order by version",
              game->uuid, game->version, version);

    for (int i = 0; i < PQntuples(result); i++)
        take_event(game, result, i);
    PQclear(result);
    cr_assert_eq(game->version, version);
}

static void reckon_game(struct clocked *game, int64_t now)
{
    reckoned_at = now;
    read_gaps();
    reckon(&game->now, &game->kind->terms, game->deed, game->deeds, gaps, ngaps, now);
}

/* ---- comparing ---- */

static void tell_log(const struct clocked *game)
{
    static const char *const words[] = {"other",  "start",   "move",     "go to",
                                        "end",    "timeout", "credit",   "pause",
                                        "resume", "add",     "vacation", "warning"};

    for (size_t i = 0; i < game->deeds; i++) {
        const struct reckon_deed *deed = &game->deed[i];

        fprintf(stderr, "%3zu %-8s seat %d ply %2d at %lld from %lld until %lld span %lld\n", i + 1,
                words[deed->kind], deed->seat, deed->ply, (long long)deed->at,
                (long long)deed->from, (long long)deed->until, (long long)deed->span);
    }
    for (size_t i = 0; i < ngaps; i++)
        fprintf(stderr, "outage %lld to %lld\n", (long long)gaps[i].from, (long long)gaps[i].to);
    fprintf(stderr, "reckoned at %lld\n", (long long)reckoned_at);
}

static void same(const struct clocked *game, const char *what, int64_t is, int64_t expected,
                 int64_t tolerance)
{
    clocked_count.comparisons++;
    if (is >= expected - tolerance && is <= expected + tolerance)
        return;
    tell_log(game);
    cr_assert_fail("%s, game %s, %s: %s is %lld and not %lld", clocked_place, game->id,
                   game->kind->clock, what, (long long)is, (long long)expected);
}

/* A time in an answer, in milliseconds. 0: there is none. */
int64_t clocked_ms(const cJSON *time)
{
    struct tm tm = {0};
    int ms = 0;

    if (!cJSON_IsString(time))
        return 0;
    cr_assert_eq(sscanf(time->valuestring, "%d-%d-%dT%d:%d:%d.%d", &tm.tm_year, &tm.tm_mon,
                        &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &ms),
                 7, "%s", time->valuestring);
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

/* The answer tells only the milliseconds of its time. What has ended in the same one, such as a
 * vacation that was just told to be over, has ended. */
static int64_t now_of(const cJSON *clock)
{
    return clocked_ms(in(clock, "now")) * 1000 + 999;
}

static void compare_clock(const struct clocked *game, const cJSON *clock)
{
    const struct reckoned *now = &game->now;
    static const char *const names[] = {"", "1", "2"};
    const cJSON *running = in(clock, "running");

    same(game, "the running seat", cJSON_IsNumber(running) ? running->valueint : 0, now->running,
         0);
    same(game, "the deadline", clocked_ms(in(clock, "deadline_at")), now->deadline / 1000, 0);
    same(game, "the end of the pause", clocked_ms(in(in(clock, "paused"), "until")),
         now->paused_until / 1000, 0);
    for (int seat = 1; seat < RECKON_SEATS; seat++) {
        bool thinks = now->goes_on && now->to_move == seat;

        same(game, "what is left", ms_of(in(in(clock, "left_s"), names[seat])),
             now->left[seat] / 1000, thinks ? 1 : 0);
        if (game->kind->terms.kind == RECKON_BYOYOMI)
            same(game, "the number of periods",
                 in(in(clock, "periods_left"), names[seat])->valueint, now->periods[seat], 0);
        same(game, "the end of the vacation", clocked_ms(in(in(clock, "away"), names[seat])),
             now->remote_until[seat] / 1000, 0);
    }
}

static void compare_end(const struct clocked *game, const struct answer *answer)
{
    const struct reckon_deed *last = &game->deed[game->deeds - 1];
    const char *status = text_of(answer, "status");

    same(game, "whether it goes on", strcmp(status, "active") == 0, game->now.goes_on, 0);
    if (last->kind != RECKON_TIMEOUT)
        return;
    same(game, "whether the timeout is a loss", strcmp(status, "finished") == 0,
         game->now.both_moved, 0);
    if (!game->now.both_moved)
        return;
    cr_assert_str_eq(text_of(answer, "outcome.reason"), "timeout");
    same(game, "the winner", number_of(answer, "outcome.winner"), 3 - last->seat, 0);
}

void clocked_judge(struct clocked *game, const struct answer *answer)
{
    const cJSON *clock = member(answer, "clock");

    assert_status(answer, 200);
    read_log(game, number_of(answer, "version"));
    reckon_game(game, now_of(clock));
    if (game->now.wrong[0] != '\0')
        tell_log(game);
    cr_assert_str_empty(game->now.wrong, "%s, game %s, %s: %s", clocked_place, game->id,
                        game->kind->clock, game->now.wrong);
    compare_end(game, answer);
    compare_clock(game, clock);
    clocked_count.looks++;
}

void clocked_judge_moves(const struct clocked *game, const struct answer *answer)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, member(answer, "items"))
    {
        int ply = in(item, "ply")->valueint;

        same(game, "what a move took", ms_of(in(item, "spent_s")), game->now.spent[ply] / 1000, 0);
        same(game, "what was left after it", ms_of(in(item, "left_s")),
             game->now.left_then[ply] / 1000, 0);
        if (game->kind->terms.kind == RECKON_BYOYOMI)
            same(game, "its periods", in(item, "periods_left")->valueint,
                 game->now.periods_then[ply], 0);
    }
}

/* ---- the rest ---- */

bool clocked_fits(struct clocked *game, const struct answer *answer)
{
    read_log(game, number_of(answer, "version"));
    reckon_game(game, now_of(member(answer, "clock")));
    return clocked_ms(member(answer, "clock.deadline_at")) == game->now.deadline / 1000;
}

size_t clocked_outages(int64_t *last)
{
    read_gaps();
    if (ngaps > 0)
        *last = gaps[ngaps - 1].to - gaps[ngaps - 1].from;
    return ngaps;
}

int clocked_version(const struct clocked *game)
{
    return (int)query_number(query("select version from games where id = '%s'", game->uuid));
}

void clocked_begin(struct clocked *game, const struct clocked_kind *kind, const char *id,
                   int player)
{
    memset(game, 0, sizeof(*game));
    game->kind = kind;
    game->player[1] = player;
    game->player[2] = kind->alone ? player : 1 - player;
    snprintf(game->id, sizeof(game->id), "%s", id);
    snprintf(game->path, sizeof(game->path), "/v1/games/%s", id);
    uuid_of(id, game->uuid);
}
