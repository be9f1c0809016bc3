#include "api/handle/metrics_text.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "api/game/words.h"
#include "api/handle/metrics_process.h"
#include "api/http/request.h"
#include "api/http/route.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/quota.h"
#include "api/loop/version.h"
#include "api/loop/workers.h"
#include "api/net/net.h"
#include "api/net/stream.h"
#include "api/table/tables.h"
#include "api/table/waits.h"
#include "rules/rules.h"

_Static_assert((int)RULES_CODES <= (int)METRICS_CODES, "every refusal has its counter");
_Static_assert((int)QUOTA_THINGS == (int)METRICS_THINGS && (int)QUOTA_OWNERS == (int)METRICS_OWNERS,
               "every quota has its counter");
_Static_assert((int)HOOK_FAILURES <= (int)METRICS_HOOK_RESULTS, "every failure has its counter");

void metrics_text_collect(struct loop *loop)
{
    metrics_publish(&loop->metrics, loop->db, tables_count(tables_of(loop)),
                    net_connections(loop->net), workers_waiting(workers_of(loop)));
}

/* ---- adding up ---- */

static uint64_t value(const _Atomic uint64_t *number)
{
    return atomic_load_explicit(number, memory_order_relaxed);
}

/* Adds `n` numbers of one loop, from `from` on, to the same ones of all. Other loops may be
 * counting right now: each number is read whole, but not all at one moment. */
static void add(struct metrics *all, const struct metrics *one, const _Atomic uint64_t *from,
                size_t n)
{
    size_t offset = (size_t)((const char *)from - (const char *)one);
    _Atomic uint64_t *to = (_Atomic uint64_t *)(void *)((char *)all + offset);

    for (size_t i = 0; i < n; i++)
        metrics_add(&to[i], value(&from[i]));
}

static void add_routes(struct metrics *all, const struct metrics *one, size_t first, size_t n)
{
    add(all, one, one->requests[first], n * METRICS_STATUSES);
    add(all, one, one->latency[first], n * METRICS_BUCKETS);
    add(all, one, &one->latency_us[first], n);
    add(all, one, one->held[first], n * METRICS_BUCKETS);
    add(all, one, &one->held_us[first], n);
    add(all, one, &one->offloaded_us[first], n);
    for (size_t i = first; i < first + n; i++)
        if (value(&one->held_most_us[i]) > value(&all->held_most_us[i]))
            all->held_most_us[i] = value(&one->held_most_us[i]);
}

/* Adds up the numbers of all loops, of each loop in the order of memory, which is the fastest one.
 * Of the places for routes only those that are in use are looked at. */
static const struct metrics *add_up(struct arena *arena)
{
    struct metrics *all = arena_zero(arena, sizeof(*all));
    const struct loop *loop;
    size_t routes = 0;

    while (loop_at(0)->routes[routes].handle != NULL)
        routes++;
    for (size_t i = 0; (loop = loop_at(i)) != NULL; i++) {
        const struct metrics *one = &loop->metrics;
        size_t rest = sizeof(*one) - offsetof(struct metrics, quota_exceeded);

        add_routes(all, one, 0, routes);
        add_routes(all, one, METRICS_NO_ROUTE, 1);
        add(all, one, one->moves, METRICS_GAMES);
        add(all, one, one->refusals[0], rules_games() * METRICS_CODES);
        add(all, one, one->quota_exceeded[0], rest / sizeof(one->quota_exceeded[0][0]));
    }
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

/* ---- requests ---- */

struct scrape {
    struct out *out;
    const struct metrics *all;
    const char **seconds; /* the ends of the buckets of latency */
};

/* Calls `show` for the counters of each route, with its labels. The last counters are those of
 * requests that were answered before their route was known. */
static void each_route(const struct scrape *scrape,
                       void (*show)(const struct scrape *scrape, size_t number, const char *labels))
{
    const struct route *routes = loop_at(0)->routes;

    for (size_t i = 0; routes[i].handle != NULL; i++)
        show(scrape, i,
             arena_format(scrape->out->arena, "method=\"%s\",route=\"%s\"",
                          request_method_name(routes[i].method), routes[i].pattern));
    show(scrape, METRICS_NO_ROUTE, "method=\"\",route=\"none\"");
}

static void write_statuses(const struct scrape *scrape, size_t route, const char *labels)
{
    const unsigned *status;

    for (size_t i = 0; (status = metrics_status(i)) != NULL; i++) {
        uint64_t count = value(&scrape->all->requests[route][i]);

        if (count == 0)
            continue;
        texts(scrape->out, "plyd_requests_total{", labels, ",status=\"", NULL);
        out_number(scrape->out, *status);
        out_add(scrape->out, "\"}");
        end_line(scrape->out, count);
    }
}

static void write_requests(const struct scrape *scrape)
{
    head(scrape->out, "plyd_requests_total", "counter",
         "Requests by route and status; status 0 counts those without a counter of their own.");
    each_route(scrape, write_statuses);
}

/* Writes a histogram of times of a route, unless there was none. */
static void write_times(const struct scrape *scrape, const char *name, const char *labels,
                        const _Atomic uint64_t *times, const _Atomic uint64_t *total_us)
{
    uint64_t buckets[METRICS_BUCKETS], count = 0;

    for (unsigned b = 0; b < METRICS_BUCKETS; b++)
        count += buckets[b] = value(&times[b]);
    if (count > 0)
        histogram(scrape->out, name, labels, buckets, METRICS_BUCKETS, scrape->seconds,
                  (double)value(total_us) / 1e6);
}

static void write_buckets(const struct scrape *scrape, size_t route, const char *labels)
{
    write_times(scrape, "plyd_request_seconds", labels, scrape->all->latency[route],
                &scrape->all->latency_us[route]);
}

static void write_latency(const struct scrape *scrape)
{
    head(scrape->out, "plyd_request_seconds", "histogram",
         "Time from the complete request, or from the end of its wait, to the answer.");
    each_route(scrape, write_buckets);
}

static void write_held(const struct scrape *scrape, size_t route, const char *labels)
{
    write_times(scrape, "plyd_loop_held_seconds", labels, scrape->all->held[route],
                &scrape->all->held_us[route]);
}

static void write_seconds(const struct scrape *scrape, const char *name, const char *labels,
                          const _Atomic uint64_t *us)
{
    if (value(us) > 0)
        out_format(scrape->out, "%s{%s} %.6f\n", name, labels, (double)value(us) / 1e6);
}

static void write_held_most(const struct scrape *scrape, size_t route, const char *labels)
{
    write_seconds(scrape, "plyd_loop_held_most_seconds", labels, &scrape->all->held_most_us[route]);
}

static void write_offloaded(const struct scrape *scrape, size_t route, const char *labels)
{
    write_seconds(scrape, "plyd_worker_seconds_total", labels, &scrape->all->offloaded_us[route]);
}

/* What holds a loop up holds up all of its clients. */
static void write_work(const struct scrape *scrape)
{
    struct out *out = scrape->out;

    head(out, "plyd_loop_held_seconds", "histogram",
         "How long a request held its event loop at one go, by route.");
    each_route(scrape, write_held);
    head(out, "plyd_loop_held_most_seconds", "gauge",
         "The longest of these times since the daemon started.");
    each_route(scrape, write_held_most);
    head(out, "plyd_worker_seconds_total", "counter",
         "CPU time of workers, by the route that needed it.");
    each_route(scrape, write_offloaded);
    alone(out, "plyd_workers_waiting", "gauge", "Requests that wait for a worker.",
          value(&scrape->all->workers_waiting));
}

static void write_thoughts(const struct scrape *scrape)
{
    struct out *out = scrape->out;

    alone(out, "plyd_searches_waiting", "gauge", "Searches of the engine that wait for a thinker.",
          value(&scrape->all->thoughts_waiting));
    alone(out, "plyd_searches_running", "gauge", "Searches of the engine that are under way.",
          value(&scrape->all->thoughts_running));
    alone(out, "plyd_searches_total", "counter", "Searches of the engine that have ended.",
          value(&scrape->all->thoughts));
    alone(out, "plyd_searches_cancelled_total", "counter",
          "Those of them that ended early, since nobody waited for them any more.",
          value(&scrape->all->thoughts_cancelled));
    alone(out, "plyd_search_nodes_total", "counter", "Positions that searches have visited.",
          value(&scrape->all->thought_nodes));
    head(out, "plyd_search_seconds_total", "counter", "CPU time of searches.");
    out_format(out, "plyd_search_seconds_total %.6f\n",
               (double)value(&scrape->all->thought_us) / 1e6);
}

static void write_quotas(const struct scrape *scrape)
{
    static const char name[] = "plyd_quota_exceeded_total";

    head(scrape->out, name, "counter", "Requests refused with 429, by quota.");
    for (int thing = 0; thing < QUOTA_THINGS; thing++)
        for (int owner = 0; owner < QUOTA_OWNERS; owner++)
            labelled(scrape->out, name, "kind",
                     quota_name((enum quota_thing)thing, (enum quota_owner)owner),
                     value(&scrape->all->quota_exceeded[thing][owner]));
}

/* ---- games ---- */

static void write_refusals(const struct scrape *scrape, size_t g)
{
    for (int code = 0; code < RULES_CODES; code++) {
        uint64_t count = value(&scrape->all->refusals[g][code]);

        if (count == 0)
            continue;
        texts(scrape->out, "plyd_refusals_total{variant=\"", rules_game(g)->name, "\",code=\"",
              rules_code_text((enum rules_code)code), "\"}", NULL);
        end_line(scrape->out, count);
    }
}

static void write_games(const struct scrape *scrape)
{
    head(scrape->out, "plyd_moves_total", "counter", "Moves played, by variant.");
    for (size_t g = 0; g < rules_games(); g++)
        labelled(scrape->out, "plyd_moves_total", "variant", rules_game(g)->name,
                 value(&scrape->all->moves[g]));
    head(scrape->out, "plyd_refusals_total", "counter",
         "Moves that the rules refused, by variant and code.");
    for (size_t g = 0; g < rules_games(); g++)
        write_refusals(scrape, g);
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

static void write_waits(const struct scrape *scrape)
{
    static const char name[] = "plyd_waits_ended_early_total";

    alone(scrape->out, "plyd_waits", "gauge", "Requests that wait for news.",
          value(&scrape->all->waits));
    head(scrape->out, name, "counter",
         "Waits that ended without news before their time was over: the client closed the "
         "connection, or another request came and this one had waited longest in all, at its game "
         "or of its address.");
    for (int end = 0; end < WAIT_ENDS; end++)
        labelled(scrape->out, name, "because", waits_end_name((enum wait_end)end),
                 value(&scrape->all->waits_ended[end]));
}

static void write_streams(const struct scrape *scrape)
{
    static const char ended[] = "plyd_streams_ended_total", lag[] = "plyd_stream_lag_seconds";
    static const char *const origins[METRICS_ORIGINS] = {"written=\"here\"",
                                                         "written=\"elsewhere\""};
    struct out *out = scrape->out;

    alone(out, "plyd_streams", "gauge", "Streams that are open.", value(&scrape->all->streams));
    alone(out, "plyd_player_streams", "gauge", "Those of them that tell of all games of a player.",
          value(&scrape->all->feeds));
    alone(out, "plyd_streams_opened_total", "counter", "Streams that were opened.",
          value(&scrape->all->streams_opened));
    alone(out, "plyd_stream_bytes", "gauge", "Bytes of the texts that are being sent on streams.",
          value(&scrape->all->stream_bytes));
    head(out, ended, "counter",
         "Streams that ended: the client closed the connection, did not read for too long, may "
         "hear no "
         "more (its token was replaced, its quota is used up), everything was told, or the daemon "
         "stops.");
    for (int end = 0; end < STREAM_ENDS; end++)
        labelled(out, ended, "because", stream_end_name((enum stream_end)end),
                 value(&scrape->all->streams_ended[end]));
    alone(out, "plyd_stream_events_total", "counter", "Events that were sent on streams.",
          value(&scrape->all->stream_events));
    head(
        out, lag, "histogram",
        "Time from an event, written by the stream's own loop or elsewhere, until it was sent on a "
        "stream that had all events before it.");
    for (int i = 0; i < METRICS_ORIGINS; i++)
        write_times(scrape, lag, origins[i], scrape->all->stream_lag[i],
                    &scrape->all->stream_lag_us[i]);
}

static void write_webhooks(const struct scrape *scrape)
{
    static const char attempts[] = "plyd_webhook_attempts_total",
                      lag[] = "plyd_webhook_lag_seconds";
    struct out *out = scrape->out;

    head(out, attempts, "counter",
         "Requests to receivers of webhooks: those that were delivered, and those that failed.");
    for (int i = 0; i < HOOK_FAILURES; i++)
        labelled(out, attempts, "result", i == HOOK_DELIVERED ? "delivered" : words_hook_failure(i),
                 value(&scrape->all->webhook_attempts[i]));
    alone(out, "plyd_webhooks_at_work", "gauge", "Requests to receivers that are under way.",
          value(&scrape->all->webhooks_at_work));
    alone(out, "plyd_webhooks_waiting", "gauge", "Requests to receivers that have no turn yet.",
          value(&scrape->all->webhooks_waiting));
    head(out, "plyd_webhooks_oldest_seconds", "gauge",
         "How long the oldest event waits among those that are being sent; retries are left out.");
    out_format(out, "plyd_webhooks_oldest_seconds %.3f\n",
               (double)value(&scrape->all->webhooks_oldest_us) / 1e6);
    head(out, lag, "histogram", "Time from an event until a receiver had it.");
    write_times(scrape, lag, "to=\"receivers\"", scrape->all->webhook_lag,
                &scrape->all->webhook_lag_us);
}

static void write_jobs(const struct scrape *scrape)
{
    static const char ended[] = "plyd_jobs_ended_total", items[] = "plyd_job_items_total";
    struct out *out = scrape->out;

    alone(out, "plyd_jobs", "gauge", "Jobs that are being worked on.", value(&scrape->all->jobs));
    head(out, ended, "counter", "Jobs that are over, by how they ended.");
    for (size_t i = 0; i < METRICS_JOB_ENDS; i++)
        labelled(out, ended, "state", words_task_state(TASK_DONE + (int)i),
                 value(&scrape->all->jobs_ended[i]));
    head(out, items, "counter",
         "Things that jobs have worked on: those that came out well, and those that failed.");
    labelled(out, items, "result", "done", value(&scrape->all->job_items[0]));
    labelled(out, items, "result", "failed", value(&scrape->all->job_items[1]));
}

static void write_due(const struct scrape *scrape)
{
    static const char kept[] = "plyd_due_total";
    uint64_t count = value(&scrape->all->due);
    int64_t since = (int64_t)value(&scrape->all->due_since_us);
    struct out *out = scrape->out;

    alone(
        out, "plyd_due", "gauge",
        "Work that is due, such as ends of clocks, and that this daemon has taken up and not done.",
        count);
    head(out, "plyd_due_oldest_seconds", "gauge", "For how long the oldest of it is due.");
    out_format(out, "plyd_due_oldest_seconds %.3f\n",
               count == 0 ? 0.0 : (double)(loop_clock_us() - since) / 1e6);
    head(out, kept, "counter",
         "Work that was due: what was done, and attempts that failed, which are repeated.");
    labelled(out, kept, "result", "done", value(&scrape->all->due_kept[0]));
    labelled(out, kept, "result", "failed", value(&scrape->all->due_kept[1]));
}

void metrics_text_write(struct out *out)
{
    const struct metrics *all = add_up(out->arena);
    struct scrape scrape = {out, all, bounds(out->arena, METRICS_BUCKETS, 0.0001)};

    write_requests(&scrape);
    write_latency(&scrape);
    write_work(&scrape);
    write_thoughts(&scrape);
    write_quotas(&scrape);
    write_games(&scrape);
    write_waits(&scrape);
    write_streams(&scrape);
    write_webhooks(&scrape);
    write_jobs(&scrape);
    write_due(&scrape);
    alone(
        out, "plyd_log_lines_dropped_total", "counter",
        "Lines of the log that were not written, since the reader of standard error was too slow.",
        log_dropped());
    alone(out, "plyd_games_in_memory", "gauge", "Games that are kept in memory.",
          value(&all->games));
    alone(out, "plyd_http_connections", "gauge", "Open connections of clients.",
          value(&all->connections));
    write_db(out, all);
    alone(out, "plyd_uptime_seconds", "gauge", "Seconds since the daemon started.",
          loop_uptime_s());
    head(out, "plyd_build_info", "gauge", "The running program; always 1.");
    out_add(out, "plyd_build_info{version=\"" PLYD_VERSION "\",compiler=\"" __VERSION__ "\"} 1\n");
    metrics_process_write(out);
}
