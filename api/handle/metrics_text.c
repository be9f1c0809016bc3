#include "api/handle/metrics_text.h"

#include <string.h>

#include "api/http/http.h"
#include "api/http/request.h"
#include "api/http/route.h"
#include "api/loop/quota.h"
#include "api/loop/version.h"
#include "api/loop/workers.h"
#include "api/table/tables.h"
#include "rules/rules.h"

_Static_assert((int)RULES_CODES <= (int)METRICS_CODES, "every refusal has its counter");
_Static_assert((int)QUOTA_THINGS == (int)METRICS_THINGS && (int)QUOTA_OWNERS == (int)METRICS_OWNERS,
               "every quota has its counter");

void metrics_text_collect(struct loop *loop)
{
    metrics_publish(&loop->metrics, loop->db, tables_count(loop->tables),
                    http_connections(loop->http), workers_waiting(loop->workers));
}

static const struct metrics *first(void)
{
    return &loop_at(0)->metrics;
}

/* A number of a loop, by its place in struct metrics. */
static uint64_t number_at(const struct metrics *metrics, size_t offset)
{
    const char *at = (const char *)metrics + offset;

    return atomic_load_explicit((const _Atomic uint64_t *)(const void *)at, memory_order_relaxed);
}

static size_t place_of(const _Atomic uint64_t *at)
{
    return (size_t)((const char *)at - (const char *)first());
}

/* The sum over all loops of one number, which the caller names by where it is in the first loop's.
 * Other loops may be counting right now: each number is read whole, but not all at one moment. */
static uint64_t sum(const _Atomic uint64_t *at)
{
    const struct loop *loop;
    uint64_t total = 0;

    for (size_t i = 0; (loop = loop_at(i)) != NULL; i++)
        total += number_at(&loop->metrics, place_of(at));
    return total;
}

/* The greatest over all loops. */
static uint64_t most(const _Atomic uint64_t *at)
{
    const struct loop *loop;
    uint64_t greatest = 0;

    for (size_t i = 0; (loop = loop_at(i)) != NULL; i++) {
        uint64_t value = number_at(&loop->metrics, place_of(at));

        greatest = value > greatest ? value : greatest;
    }
    return greatest;
}

static void line(struct out *out, const char *series, uint64_t value)
{
    out_add(out, series);
    out_format(out, " %llu\n", (unsigned long long)value);
}

static void head(struct out *out, const char *name, const char *type, const char *help)
{
    out_format(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Writes a metric of one series without labels. */
static void alone(struct out *out, const char *name, const char *type, const char *help,
                  uint64_t value)
{
    head(out, name, type, help);
    line(out, name, value);
}

/* Writes buckets, sum and count of a histogram whose bucket i ends at 2^i units, and the last one
 * nowhere. The format wants each bucket to include those below it. */
static void histogram(struct out *out, const char *name, const char *labels,
                      const uint64_t *buckets, size_t n, double unit, double total)
{
    uint64_t below = 0;

    for (size_t i = 0; i < n; i++) {
        const char *bound =
            i == n - 1 ? "+Inf" : arena_format(out->arena, "%g", unit * (double)(UINT64_C(1) << i));

        below += buckets[i];
        line(out, arena_format(out->arena, "%s_bucket{%s,le=\"%s\"}", name, labels, bound), below);
    }
    out_format(out, "%s_sum{%s} %.15g\n", name, labels, total);
    line(out, arena_format(out->arena, "%s_count{%s}", name, labels), below);
}

/* ---- requests ---- */

/* Calls `show` for the counters of each route, with its labels. The last counters are those of
 * requests that were answered before their route was known. */
static void each_route(struct out *out,
                       void (*show)(struct out *out, size_t number, const char *labels))
{
    const struct route *routes = loop_at(0)->routes;

    for (size_t i = 0; routes[i].handle != NULL; i++)
        show(out, i,
             arena_format(out->arena, "method=\"%s\",route=\"%s\"",
                          request_method_name(routes[i].method), routes[i].pattern));
    show(out, METRICS_NO_ROUTE, "method=\"\",route=\"none\"");
}

static void write_statuses(struct out *out, size_t route, const char *labels)
{
    const unsigned *status;

    for (size_t i = 0; (status = metrics_status(i)) != NULL; i++) {
        uint64_t value = sum(&first()->requests[route][i]);

        if (value > 0)
            line(out,
                 arena_format(out->arena, "plyd_requests_total{%s,status=\"%u\"}", labels, *status),
                 value);
    }
}

static void write_requests(struct out *out)
{
    head(out, "plyd_requests_total", "counter",
         "Requests by route and status; status 0 counts those without a counter of their own.");
    each_route(out, write_statuses);
}

/* Writes a histogram of times of a route, unless there was none. */
static void write_times(struct out *out, const char *name, const char *labels,
                        const _Atomic uint64_t *times, const _Atomic uint64_t *total_us)
{
    uint64_t buckets[METRICS_BUCKETS], count = 0;

    for (unsigned b = 0; b < METRICS_BUCKETS; b++)
        count += buckets[b] = sum(&times[b]);
    if (count > 0)
        histogram(out, name, labels, buckets, METRICS_BUCKETS, 0.0001, (double)sum(total_us) / 1e6);
}

static void write_buckets(struct out *out, size_t route, const char *labels)
{
    write_times(out, "plyd_request_seconds", labels, first()->latency[route],
                &first()->latency_us[route]);
}

static void write_latency(struct out *out)
{
    head(out, "plyd_request_seconds", "histogram",
         "Time from the complete request, or from the end of its wait for news, to the answer.");
    each_route(out, write_buckets);
}

static void write_held(struct out *out, size_t route, const char *labels)
{
    write_times(out, "plyd_loop_held_seconds", labels, first()->held[route],
                &first()->held_us[route]);
}

static void write_held_most(struct out *out, size_t route, const char *labels)
{
    uint64_t us = most(&first()->held_most_us[route]);

    if (us > 0)
        out_format(out, "plyd_loop_held_most_seconds{%s} %.6f\n", labels, (double)us / 1e6);
}

static void write_offloaded(struct out *out, size_t route, const char *labels)
{
    uint64_t us = sum(&first()->offloaded_us[route]);

    if (us > 0)
        out_format(out, "plyd_worker_seconds_total{%s} %.6f\n", labels, (double)us / 1e6);
}

/* What holds a loop up holds up all of its clients. */
static void write_work(struct out *out)
{
    head(out, "plyd_loop_held_seconds", "histogram",
         "How long a request held its event loop at one go, by route.");
    each_route(out, write_held);
    head(out, "plyd_loop_held_most_seconds", "gauge",
         "The longest of these times since the daemon started.");
    each_route(out, write_held_most);
    head(out, "plyd_worker_seconds_total", "counter",
         "CPU time of workers, by the route that needed it.");
    each_route(out, write_offloaded);
    alone(out, "plyd_workers_waiting", "gauge", "Requests that wait for a worker.",
          sum(&first()->workers_waiting));
}

static void write_quotas(struct out *out)
{
    head(out, "plyd_quota_exceeded_total", "counter", "Requests refused with 429, by quota.");
    for (int thing = 0; thing < QUOTA_THINGS; thing++)
        for (int owner = 0; owner < QUOTA_OWNERS; owner++)
            line(out,
                 arena_format(out->arena, "plyd_quota_exceeded_total{kind=\"%s\"}",
                              quota_name((enum quota_thing)thing, (enum quota_owner)owner)),
                 sum(&first()->quota_exceeded[thing][owner]));
}

/* ---- games ---- */

static void write_games(struct out *out)
{
    head(out, "plyd_moves_total", "counter", "Moves played, by variant.");
    for (size_t g = 0; g < rules_games(); g++)
        line(out, arena_format(out->arena, "plyd_moves_total{variant=\"%s\"}", rules_game(g)->name),
             sum(&first()->moves[g]));
    head(out, "plyd_refusals_total", "counter",
         "Moves that the rules refused, by variant and code.");
    for (size_t g = 0; g < rules_games(); g++)
        for (int code = 0; code < RULES_CODES; code++) {
            uint64_t value = sum(&first()->refusals[g][code]);

            if (value > 0)
                line(out,
                     arena_format(out->arena, "plyd_refusals_total{variant=\"%s\",code=\"%s\"}",
                                  rules_game(g)->name, rules_code_text((enum rules_code)code)),
                     value);
        }
}

/* ---- the database ---- */

static void write_batches(struct out *out, const struct db_stats *stats)
{
    head(out, "plyd_db_batch_members", "histogram",
         "Requests that shared one statement, by kind of statement.");
    for (size_t kind = 0; db_stat_name(kind) != NULL; kind++)
        histogram(out, "plyd_db_batch_members",
                  arena_format(out->arena, "kind=\"%s\"", db_stat_name(kind)), stats->batches[kind],
                  DB_BATCH_SIZES, 1, (double)stats->members[kind]);
}

static void write_db(struct out *out)
{
    static const char *const outcomes[] = {"done",    "conflict",    "not_found",
                                           "refused", "unavailable", "unknown"};
    struct db_stats stats;
    uint64_t numbers[METRICS_DB_NUMBERS];

    /* struct db_stats is a list of such numbers, so it is added up without naming them. */
    for (size_t i = 0; i < METRICS_DB_NUMBERS; i++)
        numbers[i] = sum(&first()->db[i]);
    memcpy(&stats, numbers, sizeof(stats));
    write_batches(out, &stats);
    head(out, "plyd_db_requests_total", "counter", "Requests to PostgreSQL, by their outcome.");
    for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++)
        line(out, arena_format(out->arena, "plyd_db_requests_total{outcome=\"%s\"}", outcomes[i]),
             stats.outcomes[i]);
    alone(out, "plyd_db_queue", "gauge", "Requests that wait for a connection to PostgreSQL.",
          stats.queued);
    head(out, "plyd_db_connections", "gauge",
         "Connections to PostgreSQL: up, up and at work, or down.");
    line(out, "plyd_db_connections{state=\"connected\"}", stats.connected);
    line(out, "plyd_db_connections{state=\"busy\"}", stats.busy);
    line(out, "plyd_db_connections{state=\"down\"}", stats.down);
    alone(out, "plyd_db_reconnects_total", "counter",
          "Connections to PostgreSQL that were made anew.", stats.reconnects);
}

void metrics_text_write(struct out *out)
{
    write_requests(out);
    write_latency(out);
    write_work(out);
    write_quotas(out);
    write_games(out);
    alone(out, "plyd_waits", "gauge", "Requests that wait for news of a game.",
          sum(&first()->waits));
    alone(out, "plyd_games_in_memory", "gauge", "Games that are kept in memory.",
          sum(&first()->games));
    alone(out, "plyd_http_connections", "gauge", "Open connections of clients.",
          sum(&first()->connections));
    write_db(out);
    alone(out, "plyd_uptime_seconds", "gauge", "Seconds since the daemon started.",
          loop_uptime_s());
    head(out, "plyd_build_info", "gauge", "The running program; always 1.");
    line(out, "plyd_build_info{version=\"" PLYD_VERSION "\",compiler=\"" __VERSION__ "\"}", 1);
}
