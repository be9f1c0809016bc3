/* test_metrics.c - what is counted, in a text that Prometheus can read. */
#include <criterion/criterion.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/http/house.h"
#include "tests/support/backoff.h"

HOUSE_SUITE(metrics, house_open, HOUSE_PATIENCE_S);

static char *metrics_text(void)
{
    struct answer answer = ask(&house, "GET", "/metrics", NULL, NULL);
    char *text = strdup(answer.reply.body), type[256];

    assert_status(&answer, 200);
    cr_assert_str_eq(http_header(&answer.reply, "Content-Type", type),
                     "text/plain; version=0.0.4; charset=utf-8");
    return text;
}

/* The value of a series; NAN if it is not there. */
static double value_of(const char *text, const char *series)
{
    size_t len = strlen(series);

    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1)
        if (strncmp(line, series, len) == 0 && line[len] == ' ')
            return strtod(line + len, NULL);
    return NAN;
}

static double now(const char *series)
{
    char *text = metrics_text();
    double value = value_of(text, series);

    free(text);
    return value;
}

/* ---- what is counted ---- */

Test(metrics, requests_are_counted_by_route_and_status)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");

    for (int i = 0; i < 3; i++)
        ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);
    for (int i = 0; i < 2; i++)
        ask(&house, "GET", "/nowhere", NULL, NULL);
    cr_assert_float_eq(
        now("plyd_requests_total{method=\"GET\",route=\"/v1/games/{id}\",status=\"200\"}"), 3, 0);
    cr_assert_float_eq(now("plyd_requests_total{method=\"\",route=\"none\",status=\"404\"}"), 2, 0);
    cr_assert_float_eq(now("plyd_request_seconds_count{method=\"GET\",route=\"/v1/games/{id}\"}"),
                       3, 0);
}

Test(metrics, moves_and_refusals_are_counted_by_variant_and_code)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer refused;

    play(&house, &game, "a3a4");
    refused = ask_at(&house, game.token, "POST", "g7a1", "/v1/games/%s/moves", game.id);
    assert_status(&refused, 422);
    cr_assert_float_eq(now("plyd_moves_total{variant=\"jungle\"}"), 1, 0);
    cr_assert_float_eq(now("plyd_moves_total{variant=\"shogi\"}"), 0, 0);
    cr_assert_float_eq(now("plyd_refusals_total{variant=\"jungle\",code=\"wrong-shape\"}"), 1, 0);
}

Test(metrics, statements_are_counted_with_the_requests_that_share_them)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char *text;

    play(&house, &game, "a3a4");
    text = metrics_text();
    cr_assert_float_eq(value_of(text, "plyd_db_batch_members_bucket{kind=\"move_alone\",le=\"1\"}"),
                       1, 0);
    cr_assert_float_eq(value_of(text, "plyd_db_batch_members_sum{kind=\"move_alone\"}"), 1, 0);
    cr_assert_float_eq(value_of(text, "plyd_db_batch_members_count{kind=\"create\"}"), 1, 0);
    cr_assert_geq(value_of(text, "plyd_db_requests_total{outcome=\"done\"}"), 2);
    free(text);
}

Test(metrics, the_state_of_the_daemon_is_shown)
{
    char *text = NULL;

    new_game(&house, "{\"variant\":\"jungle\"}");
    do {
        free(text);
        text = metrics_text();
    } while (value_of(text, "plyd_db_queue") > 0); /* what the daemon asks for by itself */
    cr_assert_geq(value_of(text, "plyd_db_connections{state=\"connected\"}"), 1);
    cr_assert_float_eq(value_of(text, "plyd_waits"), 0, 0);
    cr_assert_geq(value_of(text, "plyd_uptime_seconds"), 0);
    cr_assert_not_null(strstr(text, "\nplyd_build_info{version=\""));
    free(text);
}

Test(metrics, the_process_is_shown_under_the_usual_names)
{
    double started = now("process_start_time_seconds"), open = now("process_open_fds");
    double cpu = now("process_cpu_seconds_total"), resident = now("process_resident_memory_bytes");
    int fds[8];

    cr_assert_leq(fabs(started - (double)time(NULL)), 3600);
    cr_assert_float_eq(now("process_start_time_seconds"), started, 0);
    cr_assert_gt(resident, 1 << 20);
    cr_assert_lt(resident, now("process_virtual_memory_bytes"));
    cr_assert_geq(cpu, 0);
    cr_assert_gt(now("process_max_fds"), open);
    for (int i = 0; i < 8; i++)
        fds[i] = http_connect(house.plyd.port);
    for (int i = 0; i < 2000 && now("plyd_http_connections") < 8; i++)
        continue;
    cr_assert_geq(now("process_open_fds"), 8);
    for (int i = 0; i < 8; i++)
        close(fds[i]);
}

Test(metrics, buckets_reach_beyond_what_alerts_ask_for)
{
    static const char series[] = "plyd_request_seconds_bucket{method=\"GET\",route=\"/v1/games\",";
    char *text, *at;

    ask(&house, "GET", "/v1/games", NULL, NULL);
    text = metrics_text();
    at = strstr(text, series);
    cr_assert_not_null(at);
    for (; strncmp(strstr(at, "le=\"") + 4, "+Inf", 4) != 0; at = strstr(at + 1, series))
        continue;
    at[-1] = '\0'; /* the line before is the last bucket that ends somewhere */
    cr_assert_not_null(strstr(strrchr(text, '\n'), "le=\"6.5536\""), "%s", strrchr(text, '\n'));
    free(text);
}

Test(metrics, work_that_is_due_is_counted_when_it_is_done)
{
    struct answer answer =
        ask(&house, "POST", "/v1/games", "Content-Type: application/json\r\n",
            "{\"variant\":\"jungle\",\"clock\":{\"kind\":\"fischer\",\"initial\":\"60s\","
            "\"increment\":\"0s\",\"first_move\":\"1s\"}}");

    assert_status(&answer, 201);
    for (int looks = 0; now("plyd_due_total{result=\"done\"}") < 1; looks++)
        back_off(looks);
    cr_assert_float_eq(now("plyd_due_total{result=\"failed\"}"), 0, 0);
    cr_assert_float_eq(now("plyd_log_lines_dropped_total"), 0, 0);
}

Test(metrics, where_nothing_is_due_it_is_due_for_no_time)
{
    char *text = metrics_text();

    cr_assert_float_eq(value_of(text, "plyd_due"), 0, 0);
    cr_assert_float_eq(value_of(text, "plyd_due_oldest_seconds"), 0, 0);
    free(text);
}

/* Another loop may be asked than the one that counted: it sees the numbers when that one has come
 * to rest. */
static void wait_for_at_least(const char *series, double least)
{
    for (int i = 0; i < 2000; i++)
        if (now(series) >= least)
            return;
    cr_assert_fail("%s never reaches %g", series, least);
}

Test(metrics, the_loops_of_a_daemon_are_added_up)
{
    int fds[16];

    plyd_close(&house.plyd);
    plyd_start(&house.plyd, house.database, "--loops", "2", "--db-connections", "3", NULL);
    for (int i = 0; i < 16; i++)
        fds[i] = http_connect(house.plyd.port);
    wait_for_at_least("plyd_db_connections{state=\"connected\"}", 6);
    wait_for_at_least("plyd_http_connections", 16);
    (void)fds;
}

/* ---- whether it can be read ---- */

struct lint {
    char family[128], type[32];
    char *seen[4096];
    size_t nseen;
    /* Of the histogram series that is being read. */
    double below, infinite;
    char stem[512];
};

static void once(struct lint *lint, const char *what)
{
    for (size_t i = 0; i < lint->nseen; i++)
        cr_assert_str_neq(lint->seen[i], what, "twice: %s", what);
    cr_assert_lt(lint->nseen, sizeof(lint->seen) / sizeof(lint->seen[0]));
    lint->seen[lint->nseen++] = strdup(what);
}

static bool matches(const char *pattern, const char *text)
{
    regex_t regex;
    bool ok;

    cr_assert_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    ok = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return ok;
}

static void read_comment(struct lint *lint, const char *line)
{
    char name[128], key[160], rest[32];

    if (sscanf(line, "# HELP %127s", name) == 1) {
        snprintf(lint->family, sizeof(lint->family), "%s", name);
        lint->type[0] = '\0';
        snprintf(key, sizeof(key), "HELP %s", name);
        once(lint, key);
        return;
    }
    cr_assert_eq(sscanf(line, "# TYPE %127s %31s", name, rest), 2, "%s", line);
    cr_assert_str_eq(name, lint->family, "TYPE follows the HELP of its family");
    cr_assert(matches("^(counter|gauge|histogram)$", rest), "%s", line);
    snprintf(lint->type, sizeof(lint->type), "%s", rest);
    snprintf(key, sizeof(key), "TYPE %s", name);
    once(lint, key);
}

/* The series without the ending of its name and without its label `le`: all lines of a histogram
 * have this in common. */
static void stem_of(const char *series, char stem[512])
{
    const char *le = strstr(series, ",le=\""), *labels = strchr(series, '{');

    snprintf(stem, 512, "%.*s", le == NULL ? (int)strlen(labels) - 1 : (int)(le - labels), labels);
}

static void read_bucket(struct lint *lint, const char *series, double value)
{
    char stem[512];

    stem_of(series, stem);
    if (strcmp(stem, lint->stem) != 0)
        lint->below = 0;
    strcpy(lint->stem, stem);
    cr_assert_geq(value, lint->below, "not cumulative: %s", series);
    lint->below = value;
    lint->infinite = strstr(series, "le=\"+Inf\"") != NULL ? value : NAN;
}

static void read_histogram(struct lint *lint, const char *series, double value)
{
    const char *end = series + strlen(lint->family);
    char stem[512];

    if (strncmp(end, "_bucket{", 8) == 0) {
        read_bucket(lint, series, value);
        return;
    }
    cr_assert(strncmp(end, "_sum{", 5) == 0 || strncmp(end, "_count{", 7) == 0, "%s", series);
    stem_of(series, stem);
    cr_assert_str_eq(stem, lint->stem, "%s does not follow its buckets", series);
    if (end[1] == 'c')
        cr_assert_float_eq(value, lint->infinite, 0, "%s is not its bucket +Inf", series);
}

static void read_sample(struct lint *lint, char *line)
{
    char *blank = strrchr(line, ' '), *end;
    size_t family = strlen(lint->family);
    double value;

    cr_assert(matches("^[a-z_]+([{]([a-z_]+=\"[^\"\\]*\"(,|[}]))+)? [0-9.e+-]+$", line), "%s",
              line);
    value = strtod(blank + 1, &end);
    cr_assert_eq(*end, '\0', "%s", line);
    *blank = '\0';
    once(lint, line);
    cr_assert_eq(strncmp(line, lint->family, family), 0, "%s is not of %s", line, lint->family);
    if (strcmp(lint->type, "histogram") == 0) {
        read_histogram(lint, line, value);
        return;
    }
    cr_assert(line[family] == '\0' || line[family] == '{', "%s is not of %s", line, lint->family);
    cr_assert_eq(strcmp(lint->type, "counter") == 0,
                 strcmp(lint->family + family - 6, "_total") == 0, "%s %s", lint->type, line);
}

Test(metrics, the_text_is_as_prometheus_wants_it)
{
    static struct lint lint;
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    char *text, *save = NULL;

    play(&house, &game, "7g7f");
    ask_at(&house, game.token, "POST", "7g7f", "/v1/games/%s/moves", game.id);
    text = metrics_text();
    cr_assert_eq(text[strlen(text) - 1], '\n');
    cr_assert_null(strstr(text, "\n\n"));
    for (char *line = strtok_r(text, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save))
        if (*line == '#')
            read_comment(&lint, line);
        else
            read_sample(&lint, line);
    cr_assert_gt(lint.nseen, 100);
    free(text);
}

/* ---- a listener of their own ---- */

static int status_of(int port, const char *method, const char *path)
{
    struct http_reply reply;
    int status;

    http_request(port, &reply, method, path, NULL, NULL);
    status = reply.status;
    http_free(&reply);
    return status;
}

Test(metrics, a_listener_of_their_own_has_nothing_else_and_nobody_else_has_them)
{
    static const char series[] =
        "plyd_requests_total{method=\"GET\",route=\"/v1/variants\",status=\"200\"} 1\n";
    struct http_reply reply;
    int port;

    plyd_start(&house.second, house.database, "--metrics-listen", "127.0.0.1:0", NULL);
    port = plyd_logged_port(&house.second, "\"listening-for-metrics\"");
    cr_assert_eq(status_of(house.second.port, "GET", "/metrics"), 404);
    cr_assert_eq(status_of(house.second.port, "OPTIONS", "/metrics"), 404);
    cr_assert_eq(status_of(house.second.port, "GET", "/healthz"), 200);
    cr_assert_eq(status_of(house.second.port, "GET", "/v1/variants"), 200);
    cr_assert_eq(status_of(port, "GET", "/healthz"), 200);
    cr_assert_eq(status_of(port, "HEAD", "/metrics"), 200);
    cr_assert_eq(status_of(port, "POST", "/metrics"), 405);
    cr_assert_eq(status_of(port, "GET", "/readyz"), 404);
    cr_assert_eq(status_of(port, "GET", "/v1/variants"), 404);
    cr_assert_eq(status_of(port, "POST", "/v1/games"), 404);
    http_request(port, &reply, "GET", "/metrics", NULL, NULL);
    cr_assert_eq(reply.status, 200);
    cr_assert_not_null(strstr(reply.body, series), "%s", reply.body);
    http_free(&reply);
}

/* The value of a series at another port. */
static double value_at(int port, const char *series)
{
    struct http_reply reply;
    double value;

    http_request(port, &reply, "GET", "/metrics", NULL, NULL);
    value = value_of(reply.body, series);
    http_free(&reply);
    return value;
}

/* It is no loop, and cannot look at what the loops have not told. */
Test(metrics, a_listener_of_their_own_has_what_each_loop_says_of_itself)
{
    int port;

    plyd_start(&house.second, house.database, "--metrics-listen", "127.0.0.1:0", "--loops", "2",
               "--db-connections", "3", NULL);
    port = plyd_logged_port(&house.second, "\"listening-for-metrics\"");
    while (value_at(port, "plyd_db_connections{state=\"connected\"}") < 6) {
    }
}

Test(metrics, an_address_that_is_taken_is_told_and_nothing_is_served)
{
    char address[32];
    struct plyd plyd;

    snprintf(address, sizeof(address), "127.0.0.1:%d", house.plyd.port);
    plyd_run(&plyd, "serve", house.database, "--metrics-listen", address, NULL);
    cr_assert_eq(plyd_wait(&plyd), 1);
    cr_assert(plyd_logged(&plyd, "\"cannot-listen\""), "see %s", plyd.log);
    plyd_forget(&plyd);
}
