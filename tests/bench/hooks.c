/*
 * hooks.c - how late webhooks are told of a move, and what they cost.
 *
 *     bench-hooks [--quick]
 *
 * One player is watched: theirs is a webhook of its own, and a game in which a move is played now
 * and then. Beside that there are ten thousand players with a webhook and a game each, who do
 * nothing at first, then play a few hundred moves a second among them, and then one move each as
 * fast as the daemon takes them. At last the receivers of some of them take messages and say
 * nothing. Late is the time from the request of a move until the receiver has its message as a
 * whole. The receivers are on the same machine, at some hundred addresses, as the daemon sends no
 * receiver more than two messages at once.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/die.h"
#include "tests/support/http.h"
#include "tests/support/now.h"
#include "tests/support/numbers.h"
#include "tests/support/pg.h"
#include "tests/support/pgbench.h"
#include "tests/support/plyd.h"
#include "tests/support/ratios.h"
#include "tests/support/usage.h"

enum {
    PLAYERS = 10000,
    QUICK_PLAYERS = 1000,
    ASKED = 10000, /* webhooks that one player wants */
    QUICK_ASKED = 1000,
    SILENT = 200,
    HOSTS = SILENT + 300, /* silent receivers have some of their own, and so has the watched one */
    HOSTS_OF_NET = 250,
    WATCHED_MOVES = 200,
    PLIES = 3000, /* of a game, at most */
    CLIENTS_MAX = 64,
    BUSY_US = 20000, /* of each client, between two moves */
    PATIENCE_S = 200,
    FDS = 16000,
    REQUEST = 8192,
    TEXT = 96
};

struct member {
    char player[TEXT], id[32], token[TEXT];
    _Atomic int ply;
    double *asked; /* by version; NULL until the first move */
    _Atomic int told;
    atomic_bool silent; /* its receiver */
};

/* A connection to a receiver. */
struct caller {
    char text[REQUEST];
    size_t len;
};

/* Lateness of messages of the watched player, or of all others. */
struct late {
    pthread_mutex_t lock;
    double *seconds;
    size_t count, room;
};

static struct bench {
    char *url;
    struct plyd plyd;
    pid_t postgres;
    int players, asked, port;
    struct member *member; /* the last one is watched */
    int epoll;
    struct caller *caller[FDS];
    struct late watched, others;
    _Atomic uint64_t told;
    double base; /* memory of the daemon without webhooks */
} bench = {.players = PLAYERS,
           .asked = ASKED,
           .watched.lock = PTHREAD_MUTEX_INITIALIZER,
           .others.lock = PTHREAD_MUTEX_INITIALIZER};

static struct member *watched_one(void)
{
    return &bench.member[bench.players];
}

/* ---- lateness ---- */

static void note(struct late *late, double seconds)
{
    pthread_mutex_lock(&late->lock);
    if (late->count == late->room) {
        late->room = 2 * late->room + 1024;
        late->seconds = realloc(late->seconds, late->room * sizeof(double));
        if (late->seconds == NULL)
            die("no memory");
    }
    late->seconds[late->count++] = seconds;
    pthread_mutex_unlock(&late->lock);
}

static void forget(struct late *late)
{
    pthread_mutex_lock(&late->lock);
    late->count = 0;
    pthread_mutex_unlock(&late->lock);
}

/* "p50 3.1 ms p99 9.2 ms" */
static void write_late(struct late *late, char text[TEXT])
{
    pthread_mutex_lock(&late->lock);
    if (late->count == 0)
        die("nothing was told");
    numbers_sort(late->seconds, late->count);
    snprintf(text, TEXT, "p50 %.0f ms p99 %.0f ms", late->seconds[late->count / 2] * 1e3,
             late->seconds[late->count * 99 / 100] * 1e3);
    pthread_mutex_unlock(&late->lock);
}

/* ---- receivers ---- */

/* 127.0.1.1 and those that follow. */
static uint32_t host_address(int host)
{
    return (127U << 24) + ((uint32_t)(1 + host / HOSTS_OF_NET) << 8) +
           (uint32_t)(1 + host % HOSTS_OF_NET);
}

static int host_of(int number)
{
    if (number < SILENT)
        return number;
    return number == bench.players ? HOSTS - 1 : SILENT + number % (HOSTS - SILENT - 1);
}

static void listen_at(int host)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((in_port_t)bench.port),
                                  .sin_addr.s_addr = htonl(host_address(host))};
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

    if (bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 1024) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        die("listen");
    bench.port = ntohs(address.sin_port);
    epoll_ctl(bench.epoll, EPOLL_CTL_ADD, fd, &event);
}

/* Takes a message: the path is the number of the member. False: it is not to be answered. */
static bool take_message(const char *request, const char *body)
{
    const char *at = strstr(body, "\"version\":");
    int number = -1, version = at == NULL ? 0 : atoi(at + strlen("\"version\":"));
    struct member *member;

    if (sscanf(request, "POST /%d", &number) != 1 || number < 0 || number > bench.players ||
        version < 1 || version > PLIES)
        die("a message that nobody expects: %s", request);
    member = &bench.member[number];
    if (member->silent)
        return false;
    bench.told++;
    member->told = version;
    if (version > 1)
        note(member == watched_one() ? &bench.watched : &bench.others,
             seconds_now() - member->asked[version]);
    return true;
}

static void answer(int fd, struct caller *caller)
{
    static const char ok[] = "HTTP/1.1 204 No Content\r\n\r\n";
    const char *end = strstr(caller->text, "\r\n\r\n"), *length;

    if (end == NULL)
        return;
    length = strcasestr(caller->text, "\r\nContent-Length:");
    if (length == NULL || (size_t)(caller->text + caller->len - end - 4) <
                              strtoul(length + strlen("\r\nContent-Length:"), NULL, 10))
        return;
    caller->len = 0;
    if (take_message(caller->text, end + 4) &&
        send(fd, ok, sizeof(ok) - 1, MSG_NOSIGNAL) != (ssize_t)sizeof(ok) - 1)
        die("a message cannot be answered");
}

static void welcome(int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

    if (fd < 0 || fd >= FDS)
        die("accept");
    bench.caller[fd] = calloc(1, sizeof(struct caller));
    epoll_ctl(bench.epoll, EPOLL_CTL_ADD, fd, &event);
}

static void receive(int fd)
{
    struct caller *caller = bench.caller[fd];
    ssize_t n = recv(fd, caller->text + caller->len, REQUEST - 1 - caller->len, 0);

    if (n <= 0) {
        bench.caller[fd] = NULL;
        free(caller);
        close(fd);
        return;
    }
    caller->len += (size_t)n;
    caller->text[caller->len] = '\0';
    answer(fd, caller);
}

static void *receive_all(void *cls)
{
    struct epoll_event events[256];

    (void)cls;
    for (;;) {
        int n = epoll_wait(bench.epoll, events, 256, -1);

        for (int i = 0; i < n; i++)
            if (bench.caller[events[i].data.fd] == NULL)
                welcome(events[i].data.fd);
            else
                receive(events[i].data.fd);
    }
    return NULL;
}

static void open_receivers(void)
{
    pthread_t thread;

    bench.epoll = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < HOSTS; i++)
        listen_at(i);
    pthread_create(&thread, NULL, receive_all, NULL);
    pthread_detach(thread);
}

/* ---- clients ---- */

static void post(int fd, const char *player, const char *path, const char *body,
                 struct http_reply *reply)
{
    char headers[200] = "Content-Type: application/json\r\n";

    if (player != NULL)
        snprintf(headers + strlen(headers), sizeof(headers) - strlen(headers),
                 "Authorization: Bearer %s\r\n", player);
    http_send(fd, "POST", path, headers, body, strlen(body));
    http_receive(fd, "POST", reply);
}

static void make(int fd, const char *player, const char *path, const char *body, const char *name,
                 char *value, size_t size)
{
    struct http_reply reply;

    post(fd, player, path, body, &reply);
    if (reply.status != 201 || !http_copy_member(reply.body, name, value, size))
        die("%s: %s", path, reply.body == NULL ? "no answer" : reply.body);
    http_free(&reply);
}

static void write_hook(int number, char body[TEXT])
{
    uint32_t address = host_address(host_of(number));

    snprintf(body, TEXT, "{\"url\":\"http://127.0.%u.%u:%d/%d\"}", address >> 8 & 255,
             address & 255, bench.port, number);
}

static void make_member(int fd, int number)
{
    struct member *member = &bench.member[number];
    struct http_reply reply;
    char body[TEXT], hook[TEXT];

    make(fd, NULL, "/v1/players", "{\"name\":\"Ada\"}", "token", member->player,
         sizeof(member->player));
    write_hook(number, body);
    make(fd, member->player, "/v1/webhooks", body, "id", hook, sizeof(hook));
    post(fd, member->player, "/v1/games",
         "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000}}", &reply);
    if (!http_copy_member(reply.body, "id", member->id, sizeof(member->id)) ||
        !http_copy_member(reply.body, "token", member->token, sizeof(member->token)))
        die("no game: %s", reply.body);
    http_free(&reply);
    member->asked = calloc(PLIES + 2, sizeof(double));
}

static void play(int fd, struct member *member)
{
    static const char *const moves[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    int ply = ++member->ply;
    struct http_reply reply;
    char path[TEXT], headers[200];

    if (ply >= PLIES)
        die("a game is too long: %s", member->id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             member->token);
    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", member->id, ply);
    member->asked[ply + 1] = seconds_now();
    http_send(fd, "PUT", path, headers, moves[(ply - 1) % 4], 4);
    http_receive(fd, "PUT", &reply);
    if (reply.status != 201)
        die("a move was not played: %s", reply.body == NULL ? "closed" : reply.body);
    http_free(&reply);
}

/* ---- crowds of clients ---- */

struct crowd {
    void (*deed)(int fd, int number);
    int from, to;
    atomic_bool stop;
    int clients;
    bool for_ever; /* until `stop` */
    pthread_t thread[CLIENTS_MAX];
    _Atomic int next;
};

static void *act(void *cls)
{
    struct crowd *crowd = cls;
    int fd = http_connect(bench.plyd.port);

    while (!crowd->stop) {
        int number = crowd->from + crowd->next++;

        if (crowd->for_ever)
            number = crowd->from + (number - crowd->from) * 7919 % (crowd->to - crowd->from);
        else if (number >= crowd->to)
            break;
        crowd->deed(fd, number);
        if (crowd->for_ever)
            usleep(BUSY_US);
    }
    close(fd);
    return NULL;
}

static void begin(struct crowd *crowd)
{
    for (int i = 0; i < crowd->clients; i++)
        pthread_create(&crowd->thread[i], NULL, act, crowd);
}

static void join(struct crowd *crowd)
{
    for (int i = 0; i < crowd->clients; i++)
        pthread_join(crowd->thread[i], NULL);
}

static void play_of(int fd, int number)
{
    play(fd, &bench.member[number]);
}

/* Every event of every member was told, but for those of silent receivers. */
static bool all_told(void)
{
    for (int i = 0; i <= bench.players; i++) {
        const struct member *member = &bench.member[i];

        if (member->asked != NULL && !member->silent && member->told <= member->ply)
            return false;
    }
    return true;
}

static void await_all(void)
{
    double begin_at = seconds_now();

    while (!all_told()) {
        if (seconds_now() - begin_at > PATIENCE_S)
            die("messages do not come");
        usleep(10000);
    }
}

/* Moves of the watched player, one after the other was told or not. */
static void play_watched(int moves, useconds_t pause_us)
{
    int fd = http_connect(bench.plyd.port);

    for (int i = 0; i < moves; i++) {
        play(fd, watched_one());
        usleep(pause_us + (useconds_t)(i * 7919 % 10000));
    }
    close(fd);
}

/* ---- what is measured ---- */

static void row(const char *what, const char *ours, const char *beside)
{
    ratios_row(what, ours, beside, 0);
}

static void row_late(const char *what, struct late *late)
{
    char text[TEXT];

    write_late(late, text);
    row(what, text, "");
}

static void measure_bound(void)
{
    int fd = http_connect(bench.plyd.port), made = 0, refused = 0;
    char player[TEXT], body[TEXT], code[TEXT] = "", text[TEXT];
    double begin_at, took;

    make(fd, NULL, "/v1/players", "{\"name\":\"Bo\"}", "token", player, sizeof(player));
    write_hook(0, body);
    begin_at = seconds_now();
    for (int i = 0; i < bench.asked; i++) {
        struct http_reply reply;

        post(fd, player, "/v1/webhooks", body, &reply);
        made += reply.status == 201;
        refused += reply.status == 409 && http_copy_member(reply.body, "code", code, sizeof(code));
        http_free(&reply);
    }
    took = seconds_now() - begin_at;
    close(fd);
    snprintf(text, sizeof(text), "%d made, %d 409", made, refused);
    snprintf(body, sizeof(body), "%s, %.2f ms each", code, took * 1e3 / bench.asked);
    row("webhooks that one player wants", text, body);
}

static void measure_alone(void)
{
    int fd = http_connect(bench.plyd.port);

    make_member(fd, bench.players);
    close(fd);
    play_watched(WATCHED_MOVES, 20000);
    await_all();
    row_late("late, alone", &bench.watched);
    forget(&bench.watched);
}

static void row_memory(const char *what)
{
    char text[TEXT], each[TEXT];
    double bytes = usage_memory(bench.plyd.pid) - bench.base;

    snprintf(text, sizeof(text), "%.2f KiB a webhook", bytes / bench.players / 1024);
    snprintf(each, sizeof(each), "%.0f MiB before", bench.base / (1 << 20));
    row(what, text, each);
}

/* Games learn once more of webhooks that are new (api/hooks/README.md), half a minute later. */
static void await_marks(void)
{
    double begin_at = seconds_now();

    while (pgbench_number(bench.url, "select count(*) from due"
                                     " where at < now() + interval '1 hour'") > 0) {
        if (seconds_now() - begin_at > PATIENCE_S)
            die("the games do not learn of their webhooks");
        usleep(100000);
    }
}

static void measure_making(void)
{
    struct crowd crowd = {.deed = make_member, .from = 0, .to = bench.players, .clients = 16};
    double begin_at = seconds_now();
    char text[TEXT], told[TEXT];

    bench.base = usage_memory(bench.plyd.pid);
    begin(&crowd);
    join(&crowd);
    snprintf(text, sizeof(text), "%.1f s", seconds_now() - begin_at);
    await_all();
    snprintf(told, sizeof(told), "all told of it after %.1f s", seconds_now() - begin_at);
    row("players with a webhook and a game are made in", text, told);
    await_marks();
    snprintf(text, sizeof(text), "%.1f s", seconds_now() - begin_at);
    row("  all work that follows is done after", text, "");
    row_memory("memory, all idle");
}

static void measure_idle(void)
{
    play_watched(WATCHED_MOVES, 20000);
    await_all();
    row_late("late, beside idle webhooks", &bench.watched);
    forget(&bench.watched);
}

/* Processor time for each message, of the daemon and of PostgreSQL. */
struct cost {
    uint64_t told;
    double plyd, postgres;
};

static struct cost cost_now(void)
{
    return (struct cost){bench.told, usage_cpu(bench.plyd.pid), usage_cpu(bench.postgres)};
}

static void row_cost(const char *what, struct cost from)
{
    struct cost now = cost_now();
    double told = (double)(now.told - from.told);
    char plyd[TEXT], postgres[TEXT];

    snprintf(plyd, sizeof(plyd), "%.2f ms", (now.plyd - from.plyd) * 1e3 / told);
    snprintf(postgres, sizeof(postgres), "%.2f ms PostgreSQL",
             (now.postgres - from.postgres) * 1e3 / told);
    row(what, plyd, postgres);
}

static void measure_busy(void)
{
    struct crowd crowd = {
        .deed = play_of, .from = 0, .to = bench.players, .clients = 4, .for_ever = true};
    struct cost cost = cost_now();
    double begin_at = seconds_now();
    uint64_t told = bench.told;
    char text[TEXT];

    begin(&crowd);
    play_watched(WATCHED_MOVES, 40000);
    crowd.stop = true;
    join(&crowd);
    await_all();
    snprintf(text, sizeof(text), "%.0f/s",
             (double)(bench.told - told) / (seconds_now() - begin_at));
    row_late("late, beside busy webhooks", &bench.watched);
    row_late("  the busy ones", &bench.others);
    row("  messages of all", text, "");
    row_cost("  CPU of a move and its message", cost);
    forget(&bench.watched);
    forget(&bench.others);
}

static void measure_burst(void)
{
    struct crowd crowd = {.deed = play_of, .from = 0, .to = bench.players, .clients = CLIENTS_MAX};
    struct cost cost = cost_now();
    double begin_at = seconds_now();
    char moved[TEXT], told[TEXT];

    begin(&crowd);
    play_watched(WATCHED_MOVES, 20000);
    join(&crowd);
    snprintf(moved, sizeof(moved), "moves %.1f s", seconds_now() - begin_at);
    await_all();
    snprintf(told, sizeof(told), "all told after %.1f s", seconds_now() - begin_at);
    row("a move of everybody at once", moved, told);
    row_late("  late", &bench.others);
    row_late("  late, the watched player", &bench.watched);
    row_cost("  CPU of a move and its message", cost);
    row_memory("  memory");
    forget(&bench.watched);
    forget(&bench.others);
}

static void measure_silent(void)
{
    struct crowd silent = {.deed = play_of, .from = 0, .to = SILENT, .clients = 16},
                 busy = {.deed = play_of,
                         .from = SILENT,
                         .to = bench.players,
                         .clients = 4,
                         .for_ever = true};

    for (int i = 0; i < SILENT; i++)
        bench.member[i].silent = true;
    begin(&silent);
    join(&silent);
    begin(&busy);
    play_watched(WATCHED_MOVES, 60000);
    busy.stop = true;
    join(&busy);
    await_all();
    row_late("late, beside 200 silent and busy ones", &bench.watched);
    row_late("  the busy ones", &bench.others);
    row_memory("  memory");
}

/* ---- all of it ---- */

static void allow_descriptors(void)
{
    struct rlimit limit = {.rlim_cur = 0};

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--quick") == 0) {
        bench.players = QUICK_PLAYERS;
        bench.asked = QUICK_ASKED;
    }
    allow_descriptors();
    bench.member = calloc((size_t)bench.players + 1, sizeof(*bench.member));
    bench.url = pg_test_database();
    plyd_migrate(bench.url);
    bench.postgres = pgbench_server(bench.url);
    open_receivers();
    plyd_start(&bench.plyd, bench.url, "--loops", "1", "--webhooks-private", "1", "--quota-token",
               "0", "--quota-address", "0", "--quota-token-games", "0", "--quota-address-games",
               "0", NULL);
    ratios_head();
    measure_bound();
    measure_alone();
    measure_making();
    measure_idle();
    measure_busy();
    measure_burst();
    measure_silent();
    plyd_stop(&bench.plyd);
    pg_test_drop(bench.url);
    return 0;
}
