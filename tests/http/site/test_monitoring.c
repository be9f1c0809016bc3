/* test_monitoring.c - the alerts and the dashboard of contrib/ name only what /metrics has. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"
#include "tests/support/files.h"
#include "tests/support/stream.h"

enum { NAME = 64, LINE = 512 };

static const char alerts[] = "contrib/prometheus/alerts.yml";
static const char dashboard[] = "contrib/grafana/plyd.json";
static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";

static struct house house;
static char *metrics;

/* Metrics have a series only when something was counted: a move, a refusal, news of a stream. */
static void count_something(void)
{
    struct game game = new_game(&house, "{\"variant\":\"tictactoe\",\"visibility\":\"public\"}");
    struct stream_message message;
    struct http_reply head;
    struct answer answer;
    struct stream stream;
    char path[LINE];

    snprintf(path, sizeof(path), "/v1/games/%s/events", game.id);
    stream_open(&stream, house.plyd.port, path, "Accept: text/event-stream\r\n", &head);
    http_free(&head);
    play(&house, &game, "a1");
    cr_assert(stream_message(&stream, &message));
    stream_close(&stream);
    answer = ask_at(&house, game.token, "POST", "a1", "/v1/games/%s/moves", game.id);
    assert_problem(&answer, 422, "occupied");
}

static void open_house(void)
{
    struct answer answer;

    house_open(&house);
    count_something();
    answer = ask(&house, "GET", "/metrics", NULL, NULL);
    metrics = strdup(answer.reply.body);
}

static void close_house(void)
{
    free(metrics);
    house_close(&house);
}

TestSuite(monitoring, .init = open_house, .fini = close_house);

/* ---- what there is ---- */

static int has_text(const char *format, const char *one, const char *two)
{
    char text[LINE];

    snprintf(text, sizeof(text), format, one, two);
    return strstr(metrics, text) != NULL;
}

/* A histogram NAME has the series NAME_bucket, NAME_sum and NAME_count. */
static int has_metric(const char *name)
{
    static const char *const ends[] = {"_bucket", "_sum", "_count"};

    if (has_text("# TYPE %s %s", name, ""))
        return 1;
    for (size_t i = 0; i < 3; i++) {
        size_t len = strlen(name), end = strlen(ends[i]);
        char base[NAME];

        if (len <= end || strcmp(name + len - end, ends[i]) != 0)
            continue;
        snprintf(base, sizeof(base), "%.*s", (int)(len - end), name);
        return has_text("# TYPE %s %s\n", base, "histogram");
    }
    return 0;
}

/* Whether a line of this metric has this text among its labels. */
static int has_label(const char *name, const char *label)
{
    char begin[LINE];

    snprintf(begin, sizeof(begin), "\n%s{", name);
    for (const char *at = strstr(metrics, begin); at != NULL; at = strstr(at + 1, begin)) {
        const char *found = strstr(at, label);

        if (found != NULL && found < strchr(at + 1, '\n'))
            return 1;
    }
    return 0;
}

/* ---- what is named ---- */

static char *read_file(const char *path)
{
    char *text = file_read("%s", path);
    size_t out = 0;

    /* Strings of JSON have their quotes escaped. */
    for (const char *in = text; *in != '\0'; in++)
        if (*in != '\\')
            text[out++] = *in;
    text[out] = '\0';
    return text;
}

static const char *copy_name(const char *at, char name[NAME])
{
    size_t len = strspn(at, letters);

    cr_assert_lt(len, NAME);
    memcpy(name, at, len);
    name[len] = '\0';
    return at + len;
}

/* Prometheus itself adds this label. */
static int is_added(const char *label)
{
    return strcmp(label, "instance") == 0;
}

/* Looks at what stands in the braces behind a metric: label="value", label=~"expression". */
static void look_at_labels(const char *file, const char *name, const char *at)
{
    while (*at != '}' && *at != '\0') {
        char label[NAME], wanted[LINE];
        const char *end = copy_name(at, label), *quote = strchr(end, '"');

        cr_assert_not_null(quote, "%s: %s", file, name);
        snprintf(wanted, sizeof(wanted), "%s=\"", label);
        if (end + 1 == quote) /* an equality */
            snprintf(wanted, sizeof(wanted), "%s=%.*s", label, (int)strcspn(quote + 1, "\"") + 2,
                     quote);
        cr_assert(is_added(label) || has_label(name, wanted), "%s: no series of %s has %s", file,
                  name, wanted);
        at = strchr(quote + 1, '"') + 1;
        at += *at == ',';
    }
}

/* Looks at the metrics whose names begin so. */
static int look_at_metrics(const char *file, const char *text, const char *begin)
{
    int found = 0;

    for (const char *at = strstr(text, begin); at != NULL; at = strstr(at + 1, begin)) {
        char name[NAME];
        const char *end = copy_name(at, name);

        cr_assert(has_metric(name), "%s: /metrics has no %s", file, name);
        if (*end == '{')
            look_at_labels(file, name, end + 1);
        found++;
    }
    return found;
}

static int look_at_groups(const char *file, const char *text)
{
    int found = 0;

    for (const char *at = strstr(text, "by ("); at != NULL; at = strstr(at + 1, "by (")) {
        const char *end = at + 3; /* of a label, or the bracket */

        do {
            char name[NAME];

            end = copy_name(end + 1 + strspn(end + 1, " "), name);
            cr_assert(is_added(name) || has_text("%s%s=\"", "{", name) ||
                          has_text("%s%s=\"", ",", name),
                      "%s: no metric has the label %s", file, name);
            found++;
        } while (*end == ',');
    }
    return found;
}

static void look_at(const char *file, int at_least)
{
    char *text = read_file(file);

    cr_assert_geq(look_at_metrics(file, text, "plyd_"), at_least);
    look_at_metrics(file, text, "process_");
    cr_assert_geq(look_at_groups(file, text), 2);
    free(text);
}

Test(monitoring, every_metric_and_label_of_the_alerts_is_there)
{
    look_at(alerts, 12);
}

Test(monitoring, every_metric_and_label_of_the_dashboard_is_there)
{
    look_at(dashboard, 20);
}

Test(monitoring, the_dashboard_is_json)
{
    char *text = file_read("%s", dashboard);
    cJSON *json = cJSON_Parse(text);

    cr_assert_gt(cJSON_GetArraySize(cJSON_GetObjectItem(json, "panels")), 10);
    cJSON_Delete(json);
    free(text);
}

/* promtool is in Debian's package prometheus. */
Test(monitoring, prometheus_can_read_the_alerts)
{
    char command[256];

    if (system("type promtool >/dev/null 2>&1") != 0)
        cr_skip("there is no promtool");
    snprintf(command, sizeof(command), "promtool check rules %s >/dev/null", alerts);
    cr_assert_eq(system(command), 0);
}

/* Above the end of the last bucket that has one, histogram_quantile() tells that end. */
Test(monitoring, no_alert_compares_with_more_than_a_histogram_can_tell)
{
    static const double most = 6.5536; /* test_metrics.c */
    char *text = read_file(alerts);
    int found = 0;

    for (const char *at = strstr(text, "histogram_quantile("); at != NULL;
         at = strstr(at + 1, "histogram_quantile("), found++) {
        size_t len = strcspn(at, "\n");
        const char *than = memrchr(at, '>', len);

        cr_assert_not_null(than, "%.*s", (int)len, at);
        cr_assert_lt(strtod(than + 1, NULL), most, "%.*s", (int)len, at);
    }
    cr_assert_geq(found, 2);
    free(text);
}
