/*
 * waits.c - what clients that only hold a connection cost the moves beside them: clients that wait
 * for news, and idle ones.
 *
 *     bench-waits [--quick]
 *
 * There is a daemon for each crowd. They are measured in turns, so that whatever else the machine
 * does affects all of them, and those that are not measured are stopped meanwhile. Of the turns the
 * median counts. Clients wait for news of a thousand games, whose versions the daemon looks up four
 * times a second, so that is in the figures, too.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/die.h"
#include "tests/support/http.h"
#include "tests/support/load.h"
#include "tests/support/now.h"
#include "tests/support/numbers.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"
#include "tests/support/ratios.h"
#include "tests/support/usage.h"

enum {
    CROWDS = 4,
    GAMES = 1000, /* at which the crowds wait, and at most four clients at each */
    TURNS_MAX = 9,
    WAIT_S = 60,
    RENEW_S = 40, /* a crowd that has waited longer is not measured before it waits anew */
    DESCRIPTORS = 16000,
    TEXT = 96
};

struct sample {
    double per_second, p99_us, cpu_us;
};

enum measurement { LONE, MANY, NEWS, MEASUREMENTS };

struct crowd {
    const char *name;
    int waiting, idle;
    struct plyd plyd;
    int *fd;
    double since; /* when it began to wait */
    struct sample sample[MEASUREMENTS][TURNS_MAX];
};

static struct bench {
    char *url;
    char game[GAMES][32];
    double seconds;
    int turns;
    struct crowd crowd[CROWDS];
} bench = {.seconds = 1.5,
           .turns = TURNS_MAX,
           .crowd = {{.name = "nobody"},
                     {.name = "1000 waits", .waiting = 1000},
                     {.name = "4000 waits", .waiting = 4000},
                     {.name = "10000 idle", .idle = 10000}}};

/* ---- games ---- */

/* Copies the text member of an answer. */
static void take(const struct http_reply *reply, const char *name, char *value, size_t size)
{
    const char *at = reply->body == NULL ? NULL : strstr(reply->body, name);

    if (at == NULL)
        die("%s: %s", name, reply->body == NULL ? "no answer" : reply->body);
    snprintf(value, size, "%.*s", (int)strcspn(at + strlen(name), "\""), at + strlen(name));
}

static int connect_quick(int port)
{
    int fd = http_connect(port);

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)); /* head and body are two */
    return fd;
}

static void create(int fd, char id[32], char token[64])
{
    static const char body[] = "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000}}";
    struct http_reply reply;

    http_send(fd, "POST", "/v1/games", "Content-Type: application/json\r\n", body, strlen(body));
    http_receive(fd, "POST", &reply);
    take(&reply, "\"id\":\"", id, 32);
    take(&reply, "\"token\":\"", token, 64);
    http_free(&reply);
}

static void create_games(void)
{
    int fd = connect_quick(bench.crowd[0].plyd.port);
    char token[64];

    for (int i = 0; i < GAMES; i++)
        create(fd, bench.game[i], token);
    close(fd);
}

static void send_wait(int fd, const char *id, int version)
{
    char path[64], headers[96];

    snprintf(path, sizeof(path), "/v1/games/%s", id);
    snprintf(headers, sizeof(headers), "If-None-Match: \"%d\"\r\nPrefer: wait=%d\r\n", version,
             WAIT_S);
    http_send(fd, "GET", path, headers, NULL, 0);
}

/* ---- crowds ---- */

static int long_polls_of(const struct crowd *crowd)
{
    static const char line[] = "\nplyd_waits ";
    struct http_reply reply;
    const char *at;
    int count;

    http_request(crowd->plyd.port, &reply, "GET", "/metrics", NULL, NULL);
    at = strstr(reply.body, line);
    count = at == NULL ? -1 : atoi(at + strlen(line));
    http_free(&reply);
    return count;
}

/* The clients of a crowd that waits ask anew once they were answered. */
static void renew(struct crowd *crowd)
{
    if (crowd->waiting == 0 || seconds_now() - crowd->since < RENEW_S)
        return;
    for (int i = 0; i < crowd->waiting; i++) {
        struct http_reply reply;

        if (crowd->since > 0) {
            http_receive(crowd->fd[i], "GET", &reply);
            if (reply.status != 304)
                die("a wait ended badly: %s", reply.headers == NULL ? "closed" : reply.headers);
            http_free(&reply);
        }
    }
    crowd->since = seconds_now();
    for (int i = 0; i < crowd->waiting; i++)
        send_wait(crowd->fd[i], bench.game[i % GAMES], 1);
    while (long_polls_of(crowd) < crowd->waiting)
        if (seconds_now() - crowd->since > 20)
            die("the crowd does not wait: %s", crowd->name);
}

static void gather(struct crowd *crowd)
{
    int count = crowd->waiting + crowd->idle;

    crowd->fd = calloc((size_t)count + 1, sizeof(*crowd->fd));
    if (crowd->fd == NULL)
        die("no memory: %s", crowd->name);
    for (int i = 0; i < count; i++) {
        struct http_reply reply;

        crowd->fd[i] = http_connect(crowd->plyd.port);
        if (i < crowd->waiting)
            continue;
        http_send(crowd->fd[i], "GET", "/healthz", NULL, NULL, 0);
        http_receive(crowd->fd[i], "GET", &reply);
        http_free(&reply);
    }
}

/* ---- measuring ---- */

static struct sample play(const struct crowd *crowd, unsigned connections)
{
    struct load_plan plan = {.port = crowd->plyd.port,
                             .kind = LOAD_MOVES,
                             .connections = connections,
                             .warm_up = bench.seconds / 4,
                             .seconds = bench.seconds,
                             .seed = 1,
                             .watched = {crowd->plyd.pid}};
    struct load_result result;

    load_run(&plan, &result);
    if (result.wrong > 0)
        die("some answers were wrong: %s", crowd->name);
    return (struct sample){result.per_second, result.p99_us, result.cpu_us[0]};
}

/* Returns when the requests that came before have run at the game. */
static void await_earlier(int fd, const char *id)
{
    struct http_reply reply;
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s", id);
    http_send(fd, "GET", path, NULL, NULL, 0);
    http_receive(fd, "GET", &reply);
    http_free(&reply);
}

/* One plays, and another waits for each of the moves and hears of it. */
static struct sample play_to_one_that_waits(const struct crowd *crowd)
{
    static const char *const moves[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    enum { MOVES = 100 };
    static double took[MOVES];
    int player = connect_quick(crowd->plyd.port), waiter = connect_quick(crowd->plyd.port);
    char id[32], token[64], path[96], headers[160];
    double cpu, begun = 0, spent = 0;

    create(player, id, token);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             token);
    cpu = usage_cpu(crowd->plyd.pid);
    for (int i = 0; i < MOVES; i++) {
        struct http_reply moved, heard;

        send_wait(waiter, id, i + 1);
        await_earlier(player, id);
        snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", id, i + 1);
        begun = seconds_now();
        http_send(player, "PUT", path, headers, moves[i % 4], 4);
        http_receive(player, "PUT", &moved);
        http_receive(waiter, "GET", &heard);
        took[i] = (seconds_now() - begun) * 1e6;
        spent += took[i] / 1e6;
        if (moved.status != 201 || heard.status != 200)
            die("no news: %s", crowd->name);
        http_free(&moved);
        http_free(&heard);
    }
    cpu = (usage_cpu(crowd->plyd.pid) - cpu) / MOVES * 1e6;
    close(player);
    close(waiter);
    numbers_sort(took, MOVES);
    return (struct sample){MOVES / spent, took[MOVES * 99 / 100], cpu};
}

static void measure(struct crowd *crowd, int turn)
{
    kill(crowd->plyd.pid, SIGCONT);
    renew(crowd);
    crowd->sample[LONE][turn] = play(crowd, 1);
    crowd->sample[MANY][turn] = play(crowd, 64);
    crowd->sample[NEWS][turn] = play_to_one_that_waits(crowd);
    kill(crowd->plyd.pid, SIGSTOP);
}

static double median(double *values)
{
    numbers_sort(values, (size_t)bench.turns);
    return values[bench.turns / 2];
}

static struct sample medians(const struct crowd *crowd, enum measurement which)
{
    double rate[TURNS_MAX], p99[TURNS_MAX], cpu[TURNS_MAX];

    for (int i = 0; i < bench.turns; i++) {
        rate[i] = crowd->sample[which][i].per_second;
        p99[i] = crowd->sample[which][i].p99_us;
        cpu[i] = crowd->sample[which][i].cpu_us;
    }
    return (struct sample){median(rate), median(p99), median(cpu)};
}

static void print(const struct crowd *crowd, enum measurement which, const char *name)
{
    struct sample ours = medians(crowd, which), alone = medians(&bench.crowd[0], which);
    char what[TEXT], beside[TEXT], without[TEXT];

    snprintf(what, sizeof(what), "%s beside %s", name, crowd->name);
    snprintf(beside, sizeof(beside), "%.0f/s p99 %.2f ms", ours.per_second, ours.p99_us / 1e3);
    snprintf(without, sizeof(without), "%.0f/s p99 %.2f ms alone", alone.per_second,
             alone.p99_us / 1e3);
    ratios_at_least(what, beside, without, ours.per_second / alone.per_second, 0.9);
    snprintf(beside, sizeof(beside), "%.1f us", ours.cpu_us);
    snprintf(without, sizeof(without), "%.1f us alone", alone.cpu_us);
    ratios_row("  the daemon's CPU each", beside, without, ours.cpu_us / alone.cpu_us);
}

/* ---- all of it ---- */

static void allow_descriptors(void)
{
    struct rlimit limit = {.rlim_cur = 0};

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < DESCRIPTORS)
        die("too few descriptors are allowed: see ulimit -Hn");
}

int main(int argc, char **argv)
{
    static const char *const names[MEASUREMENTS] = {"a lone player's moves", "64 players' moves",
                                                    "a move and its news"};

    if (argc > 1 && strcmp(argv[1], "--quick") == 0) {
        bench.seconds = 0.5;
        bench.turns = 3;
    }
    allow_descriptors();
    bench.url = pg_test_database();
    plyd_migrate(bench.url);
    for (int i = 0; i < CROWDS; i++) {
        plyd_start(&bench.crowd[i].plyd, bench.url, "--loops", "1", "--waits", "100000",
                   "--db-deadline-ms", "60000", "--idle-s", "3600", NULL);
        if (i == 0)
            create_games();
        gather(&bench.crowd[i]);
        kill(bench.crowd[i].plyd.pid, SIGSTOP);
    }
    for (int turn = 0; turn < bench.turns; turn++)
        for (int i = 0; i < CROWDS; i++)
            measure(&bench.crowd[i], turn);
    ratios_head();
    for (int which = 0; which < MEASUREMENTS; which++)
        for (int i = 1; i < CROWDS; i++)
            print(&bench.crowd[i], (enum measurement)which, names[which]);
    for (int i = 0; i < CROWDS; i++) {
        kill(bench.crowd[i].plyd.pid, SIGCONT);
        plyd_stop(&bench.crowd[i].plyd);
    }
    pg_test_drop(bench.url);
    return 0;
}
