#include "api/endpoints/site/metrics_text.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "api/game/words.h"
#include "api/http/request.h"
#include "api/http/route.h"
#include "api/live/cache.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/quota.h"
#include "api/loop/workers.h"
#include "api/net/net.h"
#include "api/net/stream.h"
#include "api/stream/long_poll.h"
#include "embed/version.h"
#include "rules/module.h"

_Static_assert((int)RULES_CODES <= (int)METRICS_CODES, "every refusal has its counter");
_Static_assert((int)RULES_GAMES_MAX <= (int)METRICS_GAMES, "every game has its counter");
_Static_assert((int)QUOTA_THINGS == (int)METRICS_THINGS && (int)QUOTA_OWNERS == (int)METRICS_OWNERS,
               "every quota has its counter");
_Static_assert((int)NET_CUTS == (int)METRICS_CUTS, "every reason has its counter");
_Static_assert((int)HOOK_FAILURES <= (int)METRICS_HOOK_RESULTS, "every failure has its counter");

void metrics_text_collect(struct loop *loop)
{
    metrics_publish(&loop->metrics, loop->db, cache_count(cache_of(loop)),
                    net_connections(loop->net), workers_waiting(workers_of(loop)));
}

/* ---- adding up ---- */

static uint64_t value(const _Atomic uint64_t *number)
{
    return atomic_load_explicit(number, memory_order_relaxed);
}

/* Adds up the numbers of all loops. Those may be counting right now: each number is read whole, but
 * not all at one moment. */
static const struct metrics *add_up(struct arena *arena)
{
    struct metrics *all = arena_zero(arena, sizeof(*all));
    _Atomic uint64_t *to = (_Atomic uint64_t *)(void *)all;
    const struct loop *loop;

    for (size_t i = 0; (loop = loop_at(i)) != NULL; i++) {
        const _Atomic uint64_t *from = (const _Atomic uint64_t *)(const void *)&loop->metrics;

        for (size_t n = 0; n < sizeof(*all) / sizeof(*to); n++)
            if (value(&from[n]) != 0) /* few are not */
                metrics_add(&to[n], value(&from[n]));
    }
    metrics_set(&all->log_lines_dropped, log_dropped());
    return all;
}

/* ---- the format ---- */

/* Adds texts up to NULL. A scrape has thousands, and printf() would take most of its time. */
__attribute__((sentinel)) static void texts(struct out *out, ...)
{
    const char *text;
    va_list more;

    va_start(more, out);
    while ((text = va_arg(more, const char *)) != NULL)
        out_add(out, text);
    va_end(more);
}

/* Ends the line of a series. */
static void end_line(struct out *out, uint64_t number)
{
    out_add(out, " ");
    out_number(out, number);
    out_add(out, "\n");
}

static void head(struct out *out, const char *name, const char *type, const char *help)
{
    texts(out, "# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n", NULL);
}

/* Writes a line of a metric with one label. */
static void labelled(struct out *out, const char *name, const char *label, const char *text,
                     uint64_t number)
{
    texts(out, name, "{", label, "=\"", text, "\"}", NULL);
    end_line(out, number);
}

/* Writes a metric of one series without labels. */
static void alone(struct out *out, const char *name, const char *type, const char *help,
                  uint64_t number)
{
    head(out, name, type, help);
    out_add(out, name);
    end_line(out, number);
}

/* The ends of n buckets as texts: bucket i ends at 2^i units, and the last one nowhere. */
static const char **bounds(struct arena *arena, size_t n, double unit)
{
    const char **list = arena_alloc(arena, n * sizeof(*list));

    for (size_t i = 0; i < n; i++)
        list[i] =
            i == n - 1 ? "+Inf" : arena_format(arena, "%g", unit * (double)(UINT64_C(1) << i));
    return list;
}

/* Writes buckets, sum and count of a histogram. The format wants each bucket to include those below
 * it. */
static void histogram(struct out *out, const char *name, const char *labels,
                      const uint64_t *buckets, size_t n, const char **ends, double total)
{
    uint64_t below = 0;

    for (size_t i = 0; i < n; i++) {
        below += buckets[i];
        texts(out, name, "_bucket{", labels, ",le=\"", ends[i], "\"}", NULL);
        end_line(out, below);
    }
    out_format(out, "%s_sum{%s} %.15g\n", name, labels, total);
    texts(out, name, "_count{", labels, "}", NULL);
    end_line(out, below);
}

/* ---- the forms of metrics.def ---- */

struct scrape {
    struct out *out;
    const char **seconds; /* the ends of the buckets of times */
};

static void show_number(const struct scrape *scrape, const char *name,
                        const _Atomic uint64_t *number)
{
    out_add(scrape->out, name);
    end_line(scrape->out, value(number));
}

static void show_seconds(const struct scrape *scrape, const char *name, const _Atomic uint64_t *us)
{
    out_format(scrape->out, "%s %.6f\n", name, (double)value(us) / 1e6);
}

static void show_age(const struct scrape *scrape, const char *name, const _Atomic uint64_t *us)
{
    out_format(scrape->out, "%s %.3f\n", name, (double)value(us) / 1e6);
}

static void show_age_since(const struct scrape *scrape, const char *name,
                           const _Atomic uint64_t *us)
{
    uint64_t since = value(us);

    out_format(scrape->out, "%s %.3f\n", name,
               since == 0 ? 0.0 : (double)(loop_clock_us() - (int64_t)since) / 1e6);
}

static void show_by_quota(const struct scrape *scrape, const char *name,
                          const _Atomic uint64_t *counts)
{
    for (int thing = 0; thing < QUOTA_THINGS; thing++)
        for (int owner = 0; owner < QUOTA_OWNERS; owner++)
            labelled(scrape->out, name, "kind",
                     quota_name((enum quota_thing)thing, (enum quota_owner)owner),
                     value(&counts[thing * METRICS_OWNERS + owner]));
}

static void show_by_game(const struct scrape *scrape, const char *name,
                         const _Atomic uint64_t *counts)
{
    for (size_t g = 0; g < rules_games(); g++)
        labelled(scrape->out, name, "variant", rules_game(g)->name, value(&counts[g]));
}

static void show_by_game_and_code(const struct scrape *scrape, const char *name,
                                  const _Atomic uint64_t *counts)
{
    for (size_t g = 0; g < rules_games(); g++, counts += METRICS_CODES)
        for (int code = 0; code < RULES_CODES; code++)
            if (value(&counts[code]) > 0) {
                texts(scrape->out, name, "{variant=\"", rules_game(g)->name, "\",code=\"",
                      rules_code_text((enum rules_code)code), "\"}", NULL);
                end_line(scrape->out, value(&counts[code]));
            }
}

static void show_by_wait_end(const struct scrape *scrape, const char *name,
                             const _Atomic uint64_t *counts)
{
    for (int end = 0; end < WAIT_ENDS; end++)
        labelled(scrape->out, name, "because", long_poll_end_name((enum wait_end)end),
                 value(&counts[end]));
}

static void show_by_cut(const struct scrape *scrape, const char *name,
                        const _Atomic uint64_t *counts)
{
    for (int why = 0; why < NET_CUTS; why++)
        labelled(scrape->out, name, "because", net_cut_name((enum net_cut)why),
                 value(&counts[why]));
}

static void show_by_stream_end(const struct scrape *scrape, const char *name,
                               const _Atomic uint64_t *counts)
{
    for (int end = 0; end < STREAM_ENDS; end++)
        labelled(scrape->out, name, "because", stream_end_name((enum stream_end)end),
                 value(&counts[end]));
}

static void show_by_failure(const struct scrape *scrape, const char *name,
                            const _Atomic uint64_t *counts)
{
    for (int i = 0; i < HOOK_FAILURES; i++)
        labelled(scrape->out, name, "result",
                 i == HOOK_DELIVERED ? "delivered" : words_hook_failure(i), value(&counts[i]));
}

static void show_by_task_state(const struct scrape *scrape, const char *name,
                               const _Atomic uint64_t *counts)
{
    for (int i = 0; i < METRICS_JOB_ENDS; i++)
        labelled(scrape->out, name, "state", words_task_state(TASK_DONE + i), value(&counts[i]));
}

static void show_by_result(const struct scrape *scrape, const char *name,
                           const _Atomic uint64_t *counts)
{
    labelled(scrape->out, name, "result", "done", value(&counts[0]));
    labelled(scrape->out, name, "result", "failed", value(&counts[1]));
}

/* ---- with labels, and where there was something ---- */

static void write_statuses(const struct scrape *scrape, const char *name, const char *labels,
                           const _Atomic uint64_t *counts)
{
    const unsigned *status;

    for (size_t i = 0; (status = metrics_status(i)) != NULL; i++) {
        if (value(&counts[i]) == 0)
            continue;
        texts(scrape->out, name, "{", labels, ",status=\"", NULL);
        out_number(scrape->out, *status);
        out_add(scrape->out, "\"}");
        end_line(scrape->out, value(&counts[i]));
    }
}

static void write_times(const struct scrape *scrape, const char *name, const char *labels,
                        const _Atomic uint64_t *times)
{
    uint64_t buckets[METRICS_BUCKETS], count = 0;

    for (unsigned b = 0; b < METRICS_BUCKETS; b++)
        count += buckets[b] = value(&times[b]);
    if (count > 0)
        histogram(scrape->out, name, labels, buckets, METRICS_BUCKETS, scrape->seconds,
                  (double)value(&times[METRICS_BUCKETS]) / 1e6);
}

static void write_seconds(const struct scrape *scrape, const char *name, const char *labels,
                          const _Atomic uint64_t *us)
{
    if (value(us) > 0)
        out_format(scrape->out, "%s{%s} %.6f\n", name, labels, (double)value(us) / 1e6);
}

/* Has the numbers of each route written, `each` of them, with its labels. The last ones are those
 * of requests that were answered before their route was known. */
static void each_route(const struct scrape *scrape, const char *name,
                       const _Atomic uint64_t *numbers, size_t each,
                       void (*write)(const struct scrape *scrape, const char *name,
                                     const char *labels, const _Atomic uint64_t *numbers))
{
    const struct route *routes = loop_at(0)->routes;

    for (size_t i = 0; routes[i].handle != NULL; i++)
        write(scrape, name,
              arena_format(scrape->out->arena, "method=\"%s\",route=\"%s\"",
                           request_method_name(routes[i].method), routes[i].pattern),
              &numbers[i * each]);
    write(scrape, name, "method=\"\",route=\"none\"", &numbers[METRICS_NO_ROUTE * each]);
}

static void show_by_route_and_status(const struct scrape *scrape, const char *name,
                                     const _Atomic uint64_t *counts)
{
    each_route(scrape, name, counts, METRICS_STATUSES, write_statuses);
}

static void show_times_by_route(const struct scrape *scrape, const char *name,
                                const _Atomic uint64_t *times)
{
    each_route(scrape, name, times, METRICS_TIMES, write_times);
}

static void show_seconds_by_route(const struct scrape *scrape, const char *name,
                                  const _Atomic uint64_t *us)
{
    each_route(scrape, name, us, 1, write_seconds);
}

static void show_times_by_origin(const struct scrape *scrape, const char *name,
                                 const _Atomic uint64_t *times)
{
    write_times(scrape, name, "written=\"here\"", times);
    write_times(scrape, name, "written=\"elsewhere\"", times + METRICS_TIMES);
}

static void show_times_to_receivers(const struct scrape *scrape, const char *name,
                                    const _Atomic uint64_t *times)
{
    write_times(scrape, name, "to=\"receivers\"", times);
}

/* ---- what loops count ---- */

static const struct metric {
    const char *name, *type, *help;
    size_t offset; /* of its numbers */
    void (*show)(const struct scrape *scrape, const char *name, const _Atomic uint64_t *numbers);
} counted[] = {
#define METRIC(field, shape, form, type, name, help) \
    {name, type, help, offsetof(struct metrics, field), show_##form},
#include "api/loop/metrics.def"
#undef METRIC
};

static void write_counted(struct out *out, const struct metrics *all)
{
    const struct scrape scrape = {out, bounds(out->arena, METRICS_BUCKETS, 0.0001)};

    for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
        const struct metric *metric = &counted[i];

        head(out, metric->name, metric->type, metric->help);
        metric->show(&scrape, metric->name,
                     (const _Atomic uint64_t *)(const void *)((const char *)all + metric->offset));
    }
}

/* ---- the database ---- */

static void write_batches(struct out *out, const struct db_stats *stats)
{
    const char **ends = bounds(out->arena, DB_BATCH_SIZES, 1);

    head(out, "plyd_db_batch_members", "histogram",
         "Requests that shared one statement, by kind of statement.");
    for (size_t kind = 0; db_stat_name(kind) != NULL; kind++)
        histogram(out, "plyd_db_batch_members",
                  arena_format(out->arena, "kind=\"%s\"", db_stat_name(kind)), stats->batches[kind],
                  DB_BATCH_SIZES, ends, (double)stats->members[kind]);
}

static void write_db(struct out *out, const struct metrics *all)
{
    static const char *const outcomes[] = {"done",    "conflict",    "not_found",
                                           "refused", "unavailable", "unknown"};
    struct db_stats stats;
    uint64_t numbers[METRICS_DB_NUMBERS];

    /* struct db_stats is a list of such numbers, so it is added up without naming them. */
    for (size_t i = 0; i < METRICS_DB_NUMBERS; i++)
        numbers[i] = value(&all->db[i]);
    memcpy(&stats, numbers, sizeof(stats));
    write_batches(out, &stats);
    head(out, "plyd_db_requests_total", "counter", "Requests to PostgreSQL, by their outcome.");
    for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++)
        labelled(out, "plyd_db_requests_total", "outcome", outcomes[i], stats.outcomes[i]);
    alone(out, "plyd_db_queue", "gauge", "Requests that wait for a connection to PostgreSQL.",
          stats.queued);
    head(out, "plyd_db_connections", "gauge",
         "Connections to PostgreSQL: up, up and at work, or down.");
    labelled(out, "plyd_db_connections", "state", "connected", stats.connected);
    labelled(out, "plyd_db_connections", "state", "busy", stats.busy);
    labelled(out, "plyd_db_connections", "state", "down", stats.down);
    alone(out, "plyd_db_reconnects_total", "counter",
          "Connections to PostgreSQL that were made anew.", stats.reconnects);
}

void metrics_text_write(struct out *out)
{
    const struct metrics *all = add_up(out->arena);

    write_counted(out, all);
    write_db(out, all);
    alone(out, "plyd_uptime_seconds", "gauge", "Seconds since the daemon started.",
          loop_uptime_s());
    head(out, "plyd_build_info", "gauge", "The running program; always 1.");
    out_add(out, "plyd_build_info{version=\"" PLYD_VERSION "\",compiler=\"" __VERSION__ "\"} 1\n");
    metrics_process_write(out);
}
