/*
 * hooks.c - how late webhooks or subscriptions to Web Push are told of a move, and what they cost.
 *
 *     bench-hooks [--quick] [--push]
 *
 * One player is watched: theirs is a webhook of its own, and a game in which a move is played now
 * and then. Beside that there are ten thousand players with a webhook and a game each, who do
 * nothing at first, then play a few hundred moves a second among them, and then one move each as
 * fast as the daemon takes them. At last the receivers of some of them take messages and say
 * nothing. Late is the time from the request of a move until the receiver has its message as a
 * whole. The receivers are on the same machine, at some hundred addresses, as the daemon sends no
 * receiver more than two messages at once.
 *
 * With --push there are subscriptions in place of webhooks, at three push services that answer as
 * late as those on the internet do. Each player has an opponent, and is told of the opponent's
 * moves; the next one comes when the one before was told. And there is a second daemon with as many
 * games that are played alike, whose players have no subscriptions: beside both, moves are measured
 * in turns.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/die.h"
#include "tests/support/http.h"
#include "tests/support/load.h"
#include "tests/support/now.h"
#include "tests/support/numbers.h"
#include "tests/support/pg.h"
#include "tests/support/pgbench.h"
#include "tests/support/plyd.h"
#include "tests/support/ratios.h"
#include "tests/support/subscriber.h"
#include "tests/support/usage.h"

enum {
    PLAYERS = 10000,
    QUICK_PLAYERS = 1000,
    ASKED = 10000, /* webhooks that one player wants */
    QUICK_ASKED = 1000,
    SILENT = 200,
    HOSTS = SILENT + 300, /* silent receivers have some of their own, and so has the watched one */
    HOSTS_OF_NET = 250,
    SERVICES = 3,        /* push services */
    SERVICE_US = 30000,  /* until one answers */
    SETTLE_US = 1500000, /* until a daemon that was stopped sends again */
    TURNS = 5,           /* in which moves beside them are measured */
    WATCHED_MOVES = 200,
    BURST_MOVES = 20, /* of one who waits for the notice of each */
    PLIES = 3000,     /* of a game, at most */
    CLIENTS_MAX = 64,
    BUSY_US = 20000, /* of each client, between two moves */
    PATIENCE_S = 600,
    FDS = 16000,
    REQUEST = 8192,
    TEXT = 96
};

/* A player with a game, whose moves are those of `token`: both sides', or the opponent's. */
struct member {
    char player[TEXT], id[32], token[TEXT];
    _Atomic int ply;
    double *asked;      /* by ply; NULL until the game is there */
    _Atomic int told;   /* of which ply; -1: of nothing */
    atomic_bool silent; /* its receiver */
};

/* A connection to a receiver. */
struct caller {
    char text[REQUEST];
    size_t len;
    double answer_at;
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
    bool push;
    double seconds; /* of a turn */
    int players, asked, port;
    struct member *member; /* the last one is watched */
    int epoll;
    struct caller *caller[FDS];
    int late_answer[FDS]; /* descriptors to which push services have not answered yet: a ring */
    size_t first_late, late_answers;
    struct late watched, others;
    _Atomic uint64_t told;
    double base; /* memory of the daemon without webhooks */
    struct subscriber phone;
    struct without {
        char *url;
        struct plyd plyd;
        struct member *member; /* as many as there are watched */
    } without;                 /* subscriptions */
} bench = {.seconds = 5,
           .players = PLAYERS,
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
    if (bench.push)
        return number % SERVICES;
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

/* The newest ply of which a member is to be told: opponents begin. */
static int news_of(const struct member *member)
{
    return bench.push && member->ply % 2 == 0 ? member->ply - 1 : member->ply;
}

/* Which ply a message tells of. A notice tells of the one that there is. */
static int ply_of(const struct member *member, const char *body)
{
    const char *at = bench.push ? NULL : strstr(body, "\"version\":");

    if (bench.push)
        return news_of(member);
    return at == NULL ? -1 : atoi(at + strlen("\"version\":")) - 1;
}

/* Takes a message: the path is the number of the member. False: it is not to be answered. */
static bool take_message(const char *request, const char *body)
{
    int number = -1, ply;
    struct member *member;

    if (sscanf(request, "POST /%d", &number) != 1 || number < 0 || number > bench.players)
        die("a message that nobody expects: %s", request);
    member = &bench.member[number];
    ply = ply_of(member, body);
    if (ply < bench.push || ply >= PLIES)
        die("a message of ply %d that nobody expects: %s", ply, request);
    if (member->silent)
        return false;
    bench.told++;
    if (ply > 0)
        note(member == watched_one() ? &bench.watched : &bench.others,
             seconds_now() - member->asked[ply]);
    member->told = ply;
    return true;
}

static void send_answer(int fd)
{
    static const char ok[] = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";

    if (send(fd, ok, sizeof(ok) - 1, MSG_NOSIGNAL) != (ssize_t)sizeof(ok) - 1)
        die("a message cannot be answered");
}

static void answer(int fd, struct caller *caller)
{
    const char *end = strstr(caller->text, "\r\n\r\n"), *length;

    if (end == NULL)
        return;
    length = strcasestr(caller->text, "\r\nContent-Length:");
    if (length == NULL || (size_t)(caller->text + caller->len - end - 4) <
                              strtoul(length + strlen("\r\nContent-Length:"), NULL, 10))
        return;
    caller->len = 0;
    if (!take_message(caller->text, end + 4))
        return;
    if (bench.push) {
        caller->answer_at = seconds_now() + SERVICE_US / 1e6;
        bench.late_answer[(bench.first_late + bench.late_answers++) % FDS] = fd;
    } else {
        send_answer(fd);
    }
}

/* Milliseconds until the next one; -1: there is none. */
static int send_late_answers(void)
{
    for (; bench.late_answers > 0; bench.late_answers--) {
        int fd = bench.late_answer[bench.first_late];
        double left = bench.caller[fd] == NULL ? 0 : bench.caller[fd]->answer_at - seconds_now();

        if (left > 0)
            return (int)(left * 1e3) + 1;
        if (bench.caller[fd] != NULL)
            send_answer(fd);
        bench.first_late = (bench.first_late + 1) % FDS;
    }
    return -1;
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
        int n = epoll_wait(bench.epoll, events, 256, send_late_answers());

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
    if (reply.status / 100 != 2 || !http_copy_member(reply.body, name, value, size))
        die("%s: %s", path, reply.body == NULL ? "no answer" : reply.body);
    http_free(&reply);
}

static void write_url(int number, char url[TEXT])
{
    uint32_t address = host_address(host_of(number));

    snprintf(url, TEXT, "http://127.0.%u.%u:%d/%d", address >> 8 & 255, address & 255, bench.port,
             number);
}

static void name_receiver(int fd, int number)
{
    const char *player = bench.member[number].player;
    char url[TEXT], body[2 * TEXT], id[TEXT];
    char *subscription;

    write_url(number, url);
    if (bench.push) {
        subscription = subscriber_json(&bench.phone, url, ",\"events\":[\"move\"]");
        make(fd, player, "/v1/me/subscriptions", subscription, "id", id, sizeof(id));
        free(subscription);
    } else {
        snprintf(body, sizeof(body), "{\"url\":\"%s\"}", url);
        make(fd, player, "/v1/webhooks", body, "id", id, sizeof(id));
    }
}

static void make_player(int fd, struct member *member)
{
    make(fd, NULL, "/v1/players", "{\"name\":\"Ada\"}", "token", member->player,
         sizeof(member->player));
}

static void make_game(int fd, struct member *member)
{
    struct http_reply reply;
    char path[TEXT];

    post(fd, member->player, "/v1/games",
         bench.push ? "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000},\"seats\":"
                      "[{\"open\":true},{\"me\":true}]}"
                    : "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000}}",
         &reply);
    if (!http_copy_member(reply.body, "id", member->id, sizeof(member->id)) ||
        !http_copy_member(reply.body, "token", member->token, sizeof(member->token)))
        die("no game: %s", reply.body);
    http_free(&reply);
    snprintf(path, sizeof(path), "/v1/games/%s/join", member->id);
    if (bench.push)
        make(fd, NULL, path, "{}", "token", member->token, sizeof(member->token));
    member->told = bench.push ? news_of(member) : -1;
    member->asked = calloc(PLIES, sizeof(double));
}

/* A webhook is told of the game, too. */
static void make_member(int fd, struct member *member)
{
    make_player(fd, member);
    if (!bench.push)
        name_receiver(fd, (int)(member - bench.member));
    make_game(fd, member);
}

static void subscribe(int fd, struct member *member)
{
    name_receiver(fd, (int)(member - bench.member));
}

static void play_one(int fd, struct member *member, const char *token)
{
    static const char *const moves[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    int ply = ++member->ply;
    struct http_reply reply;
    char path[TEXT], headers[200];

    if (ply >= PLIES)
        die("a game is too long: %s", member->id);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             token);
    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", member->id, ply);
    member->asked[ply] = seconds_now();
    http_send(fd, "PUT", path, headers, moves[(ply - 1) % 4], 4);
    http_receive(fd, "PUT", &reply);
    if (reply.status != 201)
        die("a move was not played: %s", reply.body == NULL ? "closed" : reply.body);
    http_free(&reply);
}

static bool is_told(const struct member *member)
{
    return member->silent || member->told >= news_of(member);
}

/* The player's own move, of which they are not told, if it is theirs. */
static void reply_to_move(int fd, struct member *member)
{
    if (bench.push && member->ply % 2 == 1 && is_told(member))
        play_one(fd, member, member->player);
}

/* A move of which the member is told; with notices not before they were told of the last one. */
static void play(int fd, struct member *member)
{
    reply_to_move(fd, member);
    if (!bench.push || member->ply % 2 == 0)
        play_one(fd, member, member->token);
}

/* ---- crowds of clients ---- */

struct crowd {
    void (*deed)(int fd, struct member *member);
    const struct plyd *plyd; /* NULL: the one that is measured */
    struct member *member;   /* NULL: its own */
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
    int fd = http_connect(crowd->plyd == NULL ? bench.plyd.port : crowd->plyd->port);
    struct member *member = crowd->member == NULL ? bench.member : crowd->member;

    while (!crowd->stop) {
        int number = crowd->from + crowd->next++;

        if (crowd->for_ever)
            number = crowd->from + (number - crowd->from) * 7919 % (crowd->to - crowd->from);
        else if (number >= crowd->to)
            break;
        crowd->deed(fd, &member[number]);
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

static void run(struct crowd *crowd)
{
    begin(crowd);
    join(crowd);
}

/* Every event of every member was told, but for those of silent receivers. */
static bool all_told(void)
{
    for (int i = 0; i <= bench.players; i++) {
        const struct member *member = &bench.member[i];

        if (member->asked != NULL && !is_told(member))
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

/* Moves of the watched player, one after the other was told or not; with notices each after that.
 */
static void play_watched(int moves, useconds_t pause_us)
{
    int fd = http_connect(bench.plyd.port);

    for (int i = 0; i < moves; i++) {
        play(fd, watched_one());
        do
            usleep(pause_us + (useconds_t)(i * 7919 % 10000));
        while (bench.push && !is_told(watched_one()));
        reply_to_move(fd, watched_one());
    }
    close(fd);
}

static void start(struct plyd *plyd, const char *url)
{
    plyd_start(plyd, url, "--loops", "1", "--webhooks-private", "1", "--quota-token", "0",
               "--quota-address", "0", "--quota-token-games", "0", "--quota-address-games", "0",
               NULL);
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
    char player[TEXT], url[TEXT], body[2 * TEXT], code[TEXT] = "", text[TEXT];
    double begin_at, took;

    make(fd, NULL, "/v1/players", "{\"name\":\"Bo\"}", "token", player, sizeof(player));
    write_url(0, url);
    snprintf(body, sizeof(body), "{\"url\":\"%s\"}", url);
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

static void measure_alone(void)
{
    int fd = http_connect(bench.plyd.port);

    make_member(fd, watched_one());
    if (bench.push)
        subscribe(fd, watched_one());
    close(fd);
    await_marks();
    play_watched(WATCHED_MOVES, 20000);
    await_all();
    row_late("late, alone", &bench.watched);
    forget(&bench.watched);
}

static void row_memory(const char *what)
{
    char text[TEXT], each[TEXT];
    double bytes = usage_memory(bench.plyd.pid) - bench.base;

    snprintf(text, sizeof(text), "%.2f KiB each", bytes / bench.players / 1024);
    snprintf(each, sizeof(each), "%.0f MiB before", bench.base / (1 << 20));
    row(what, text, each);
}

static void measure_making(void)
{
    struct crowd crowd = {.deed = make_member, .from = 0, .to = bench.players, .clients = 16};
    double begin_at = seconds_now();
    char text[TEXT], told[TEXT];

    bench.base = usage_memory(bench.plyd.pid);
    run(&crowd);
    snprintf(text, sizeof(text), "%.1f s", seconds_now() - begin_at);
    await_all();
    snprintf(told, sizeof(told), "all told of it after %.1f s", seconds_now() - begin_at);
    row("players with a webhook and a game are made in", text, told);
    await_marks();
    snprintf(text, sizeof(text), "%.1f s", seconds_now() - begin_at);
    row("  all work that follows is done after", text, "");
    row_memory("memory, all idle");
}

/* The games are there before, so what grows is what subscriptions take. */
static void measure_subscribing(void)
{
    struct crowd games = {.deed = make_member, .from = 0, .to = bench.players, .clients = 16},
                 subscriptions = {.deed = subscribe, .from = 0, .to = bench.players, .clients = 16};
    double begin_at;
    char text[TEXT], done[TEXT];

    run(&games);
    bench.base = usage_memory(bench.plyd.pid);
    begin_at = seconds_now();
    run(&subscriptions);
    snprintf(text, sizeof(text), "%.1f s", seconds_now() - begin_at);
    await_marks();
    snprintf(done, sizeof(done), "all work done after %.1f s", seconds_now() - begin_at);
    row("subscriptions are made in", text, done);
    row_memory("memory, all idle");
}

static void measure_idle(void)
{
    play_watched(WATCHED_MOVES, 20000);
    await_all();
    row_late("late, beside idle ones", &bench.watched);
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
        .deed = play, .from = 0, .to = bench.players, .clients = 4, .for_ever = true};
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
    row_late("late, beside busy ones", &bench.watched);
    row_late("  the busy ones", &bench.others);
    row("  messages of all", text, "");
    row_cost("  CPU of a message and its moves", cost);
    forget(&bench.watched);
    forget(&bench.others);
}

static void measure_burst(void)
{
    struct crowd crowd = {.deed = play, .from = 0, .to = bench.players, .clients = CLIENTS_MAX},
                 replies = {.deed = reply_to_move, .from = 0, .to = bench.players, .clients = 16};
    struct cost cost;
    double begin_at;
    char moved[TEXT], told[TEXT];

    run(&replies);
    cost = cost_now();
    begin_at = seconds_now();
    begin(&crowd);
    play_watched(bench.push ? BURST_MOVES : WATCHED_MOVES, 20000);
    join(&crowd);
    snprintf(moved, sizeof(moved), "moves %.1f s", seconds_now() - begin_at);
    await_all();
    snprintf(told, sizeof(told), "all told after %.1f s", seconds_now() - begin_at);
    row("a move of everybody at once", moved, told);
    row_late("  late", &bench.others);
    row_late("  late, the watched player", &bench.watched);
    row_cost("  CPU of a message and its moves", cost);
    row_memory("  memory");
    forget(&bench.watched);
    forget(&bench.others);
}

static void measure_silent(void)
{
    struct crowd silent = {.deed = play, .from = 0, .to = SILENT, .clients = 16},
                 busy = {.deed = play,
                         .from = SILENT,
                         .to = bench.players,
                         .clients = 4,
                         .for_ever = true};

    if (bench.push)
        for (int i = 0; i < bench.players; i += SERVICES)
            bench.member[i].silent = true;
    else
        for (int i = 0; i < SILENT; i++)
            bench.member[i].silent = true;
    run(&silent);
    begin(&busy);
    play_watched(WATCHED_MOVES, 60000);
    busy.stop = true;
    join(&busy);
    await_all();
    row_late(bench.push ? "late, while one service is silent"
                        : "late, beside 200 silent and busy ones",
             &bench.watched);
    row_late("  the busy ones", &bench.others);
    row_memory("  memory");
}

/* ---- moves beside subscriptions ---- */

struct sample {
    double per_second, plyd_us, postgres_us;
};

/* Moves of 64 players at a daemon; beside them those of a crowd, if there is one. */
static struct sample play_many(const struct plyd *plyd, struct crowd *crowd)
{
    struct load_plan plan = {.port = plyd->port,
                             .kind = LOAD_MOVES,
                             .connections = 64,
                             .warm_up = bench.seconds / 4,
                             .seconds = bench.seconds,
                             .seed = 1,
                             .watched = {plyd->pid, bench.postgres}};
    struct load_result result;

    if (crowd != NULL)
        begin(crowd);
    load_run(&plan, &result);
    if (crowd != NULL) {
        crowd->stop = true;
        join(crowd);
    }
    if (result.wrong > 0)
        die("some answers were wrong");
    return (struct sample){result.per_second, result.cpu_us[0], result.cpu_us[1]};
}

static double median_of(const struct sample *samples, size_t offset)
{
    double values[TURNS];

    for (int i = 0; i < TURNS; i++)
        memcpy(&values[i], (const char *)&samples[i] + offset, sizeof(double));
    numbers_sort(values, TURNS);
    return values[TURNS / 2];
}

#define MEDIAN(samples, member) median_of(samples, offsetof(struct sample, member))

static void row_cpu(const char *what, double with, double without)
{
    char ours[TEXT], beside[TEXT];

    snprintf(ours, sizeof(ours), "%.0f us", with);
    snprintf(beside, sizeof(beside), "%.0f us without", without);
    ratios_row(what, ours, beside, with / without);
}

static void row_beside(const char *what, const struct sample *with, const struct sample *without)
{
    double ours = MEDIAN(with, per_second), theirs = MEDIAN(without, per_second);
    char text[TEXT], beside[TEXT];

    snprintf(text, sizeof(text), "%.0f/s", ours);
    snprintf(beside, sizeof(beside), "%.0f/s without", theirs);
    ratios_at_least(what, text, beside, ours / theirs, 0.9);
    row_cpu("  the daemon's CPU a move", MEDIAN(with, plyd_us), MEDIAN(without, plyd_us));
    row_cpu("  PostgreSQL's", MEDIAN(with, postgres_us), MEDIAN(without, postgres_us));
}

/* With subscriptions, or without. The crowd plays one move after the other has been told. */
static struct sample play_turn(bool with, bool told)
{
    const struct plyd *ours = with ? &bench.plyd : &bench.without.plyd,
                      *other = with ? &bench.without.plyd : &bench.plyd;
    struct crowd crowd = {.deed = play,
                          .plyd = ours,
                          .member = with ? bench.member : bench.without.member,
                          .from = 0,
                          .to = bench.players,
                          .clients = 4,
                          .for_ever = true};
    struct sample sample;

    kill(other->pid, SIGSTOP);
    usleep(SETTLE_US);
    sample = play_many(ours, told ? &crowd : NULL);
    if (with)
        await_all();
    kill(other->pid, SIGCONT);
    return sample;
}

static void open_without(void)
{
    struct crowd crowd = {.deed = make_member,
                          .plyd = &bench.without.plyd,
                          .from = 0,
                          .to = bench.players,
                          .clients = 16};

    bench.without.url = pg_test_database();
    plyd_migrate(bench.without.url);
    start(&bench.without.plyd, bench.without.url);
    bench.without.member = calloc((size_t)bench.players, sizeof(struct member));
    crowd.member = bench.without.member;
    run(&crowd);
    for (int i = 0; i < bench.players; i++)
        bench.without.member[i].silent = true;
}

static void measure_beside(void)
{
    struct sample sample[2][2][TURNS]; /* subscriptions, told */
    uint64_t told = 0;
    double begin_at, took = 0;
    char text[TEXT];

    open_without();
    for (int turn = 0; turn < TURNS; turn++)
        for (int kind = 0; kind < 4; kind++) {
            uint64_t before = bench.told;

            begin_at = seconds_now();
            sample[kind / 2][kind % 2][turn] = play_turn(kind / 2 == 1, kind % 2 == 1);
            told += bench.told - before;
            took += kind == 3 ? seconds_now() - begin_at - SETTLE_US / 1e6 : 0;
        }
    row_beside("64 players' moves beside idle ones", sample[1][0], sample[0][0]);
    row_beside("64 players' moves beside busy ones", sample[1][1], sample[0][1]);
    snprintf(text, sizeof(text), "%.0f/s", (double)told / took);
    row("  notices", text, "");
    plyd_stop(&bench.without.plyd);
    pg_test_drop(bench.without.url);
    forget(&bench.others);
}

/* ---- all of it ---- */

static void allow_descriptors(void)
{
    struct rlimit limit = {.rlim_cur = 0};

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void measure_all(void)
{
    setlinebuf(stdout);
    ratios_head();
    if (!bench.push)
        measure_bound();
    measure_alone();
    if (bench.push)
        measure_subscribing();
    else
        measure_making();
    measure_idle();
    measure_busy();
    measure_burst();
    if (bench.push)
        measure_beside();
    measure_silent();
}

static void read_argument(const char *argument)
{
    if (strcmp(argument, "--quick") == 0) {
        bench.players = QUICK_PLAYERS;
        bench.asked = QUICK_ASKED;
        bench.seconds = 1;
    } else if (strcmp(argument, "--push") == 0) {
        bench.push = true;
        subscriber_make(&bench.phone);
    } else {
        die("bench-hooks does not know %s", argument);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        read_argument(argv[i]);
    allow_descriptors();
    bench.member = calloc((size_t)bench.players + 1, sizeof(*bench.member));
    bench.url = pg_test_database();
    plyd_migrate(bench.url);
    bench.postgres = pgbench_server(bench.url);
    open_receivers();
    start(&bench.plyd, bench.url);
    measure_all();
    plyd_stop(&bench.plyd);
    pg_test_drop(bench.url);
    return 0;
}
