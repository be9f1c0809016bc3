#include "metrics.h"

#include "db/db.h"
#include "quota.h"
#include "route.h"
#include "rules/rules.h"
#include "server.h"

void metrics_add(_Atomic uint64_t *counter, uint64_t n)
{
    /* One writer: no need for a locked instruction. */
    uint64_t value = atomic_load_explicit(counter, memory_order_relaxed);

    atomic_store_explicit(counter, value + n, memory_order_relaxed);
}

static size_t bucket_of(uint64_t us)
{
    size_t bucket = 0;

    while (bucket < METRICS_BUCKETS - 1 && us > (uint64_t)100 << bucket)
        bucket++;
    return bucket;
}

void metrics_request(struct metrics *metrics, size_t route, unsigned status, uint64_t us)
{
    metrics_add(&metrics->requests[route][status / 100 % 6], 1);
    metrics_add(&metrics->latency[route][bucket_of(us)], 1);
    metrics_add(&metrics->latency_us[route], us);
}

/* The sum over all loops of the counter that stands where `counter` stands in the first one's. */
static uint64_t sum(struct server *const *servers, size_t n, const _Atomic uint64_t *counter)
{
    size_t offset = (size_t)((const char *)counter - (const char *)server_metrics(servers[0]));
    uint64_t total = 0;

    for (size_t i = 0; i < n; i++) {
        const char *base = (const char *)server_metrics(servers[i]);

        total += atomic_load_explicit((const _Atomic uint64_t *)(const void *)(base + offset),
                                      memory_order_relaxed);
    }
    return total;
}

static void line(struct json *out, const char *labelled, uint64_t value)
{
    json_plain(out, labelled);
    json_plain(out, arena_format(out->arena, " %llu\n", (unsigned long long)value));
}

static void head(struct json *out, const char *name, const char *type, const char *help)
{
    json_plain(out,
               arena_format(out->arena, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type));
}

static const char *method_name(enum method method)
{
    return method == METHOD_GET ? "GET" : method == METHOD_PUT ? "PUT" : "POST";
}

static void write_requests(struct server *const *servers, size_t n, struct json *out)
{
    const struct metrics *m = server_metrics(servers[0]);
    const struct route *route;

    head(out, "plyd_requests_total", "counter", "Requests by route and first digit of the status.");
    for (size_t r = 0; (route = route_at(r)) != NULL; r++)
        for (unsigned status = 1; status < 6; status++) {
            uint64_t value = sum(servers, n, &m->requests[r][status]);

            if (value > 0)
                line(out,
                     arena_format(out->arena,
                                  "plyd_requests_total{method=\"%s\",route=\"%s\",status=\"%uxx\"}",
                                  method_name(route->method), route->pattern, status),
                     value);
        }
}

static void write_latency(struct server *const *servers, size_t n, struct json *out)
{
    const struct metrics *m = server_metrics(servers[0]);
    const struct route *route;

    head(out, "plyd_request_seconds", "histogram", "From the complete request to its answer.");
    for (size_t r = 0; (route = route_at(r)) != NULL; r++) {
        uint64_t below = 0;

        for (unsigned b = 0; b < METRICS_BUCKETS; b++)
            below += sum(servers, n, &m->latency[r][b]);
        if (below == 0)
            continue;
        below = 0;
        for (unsigned b = 0; b < METRICS_BUCKETS; b++) {
            const char *le = b == METRICS_BUCKETS - 1
                                 ? "+Inf"
                                 : arena_format(out->arena, "%g", 0.0001 * (double)(1U << b));

            below += sum(servers, n, &m->latency[r][b]);
            line(out,
                 arena_format(out->arena,
                              "plyd_request_seconds_bucket{method=\"%s\",route=\"%s\",le=\"%s\"}",
                              method_name(route->method), route->pattern, le),
                 below);
        }
        line(out,
             arena_format(out->arena, "plyd_request_seconds_count{method=\"%s\",route=\"%s\"}",
                          method_name(route->method), route->pattern),
             below);
        json_plain(out, arena_format(out->arena,
                                     "plyd_request_seconds_sum{method=\"%s\",route=\"%s\"} %.6f\n",
                                     method_name(route->method), route->pattern,
                                     (double)sum(servers, n, &m->latency_us[r]) / 1e6));
    }
}

static void write_games(struct server *const *servers, size_t n, struct json *out)
{
    const struct metrics *m = server_metrics(servers[0]);

    head(out, "plyd_moves_total", "counter", "Moves played, by variant.");
    for (size_t g = 0; g < rules_games(); g++)
        line(out, arena_format(out->arena, "plyd_moves_total{variant=\"%s\"}", rules_game(g)->name),
             sum(servers, n, &m->moves[g]));
    head(out, "plyd_refusals_total", "counter",
         "Moves that the rules refused, by variant and code.");
    for (size_t g = 0; g < rules_games(); g++)
        for (int code = 0; code < RULES_CODES; code++) {
            uint64_t value = sum(servers, n, &m->refusals[g][code]);

            if (value > 0)
                line(out,
                     arena_format(out->arena, "plyd_refusals_total{variant=\"%s\",code=\"%s\"}",
                                  rules_game(g)->name, rules_code_text((enum rules_code)code)),
                     value);
        }
}

static void write_quotas(struct server *const *servers, size_t n, struct json *out)
{
    const struct metrics *m = server_metrics(servers[0]);

    head(out, "plyd_quota_exceeded_total", "counter", "Requests refused with 429, by quota.");
    for (int kind = 0; kind < QUOTA_KINDS; kind++)
        line(out,
             arena_format(out->arena, "plyd_quota_exceeded_total{kind=\"%s\"}",
                          quota_name((enum quota_kind)kind)),
             sum(servers, n, &m->quota_exceeded[kind]));
}

/* The database's counters belong to this loop alone: other threads' must not be looked into. */
static void write_db(const struct server *server, struct json *out)
{
    struct db_stats stats;

    db_stats(server_db(server), &stats);
    head(out, "plyd_db_statements_total", "counter", "Statements of the loop that answers this.");
    for (size_t i = 0; db_stat_name(i) != NULL; i++)
        line(out,
             arena_format(out->arena, "plyd_db_statements_total{kind=\"%s\"}", db_stat_name(i)),
             stats.statements[i]);
    head(out, "plyd_db_members_total", "counter", "Requests that those statements carried.");
    for (size_t i = 0; db_stat_name(i) != NULL; i++)
        line(out, arena_format(out->arena, "plyd_db_members_total{kind=\"%s\"}", db_stat_name(i)),
             stats.members[i]);
    head(out, "plyd_db_queue", "gauge", "Requests that wait for a connection.");
    line(out, "plyd_db_queue", stats.queued);
    head(out, "plyd_db_connected", "gauge", "Connections that are up.");
    line(out, "plyd_db_connected", stats.connected);
    head(out, "plyd_db_reconnects_total", "counter", "Connections that were made anew.");
    line(out, "plyd_db_reconnects_total", stats.reconnects);
}

void metrics_write(const struct server *here, struct json *out)
{
    struct server *const *servers;
    size_t n = server_all(&servers);

    write_requests(servers, n, out);
    write_latency(servers, n, out);
    write_games(servers, n, out);
    write_quotas(servers, n, out);
    head(out, "plyd_waits", "gauge", "Requests that wait for news of a game.");
    line(out, "plyd_waits", sum(servers, n, &server_metrics(servers[0])->waits));
    write_db(here, out);
}
