/*
 * streams.c - what streams cost the moves beside them, and how soon they tell of a move.
 *
 *     bench-streams [--quick]
 *
 * There is a daemon for each crowd. They are measured in turns, so that whatever else the machine
 * does affects all of them, and those that are not measured are stopped meanwhile. Of the turns the
 * median counts. The crowd of readers follows one game in which ten moves a second are played while
 * it is measured, so each of these moves is sent a thousand times; the clients that read them are
 * on the same machine. The idle crowd follows a thousand games, whose versions the daemon looks up.
 * The crowd of players follows all games of each, which nobody plays: the daemon looks up their
 * sums.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
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
#include "tests/support/plyd.h"
#include "tests/support/ratios.h"
#include "tests/support/usage.h"

enum {
    CROWDS = 4,
    GAMES_EACH = 20, /* of a player */
    GAMES = 1000,    /* that the idle crowd follows */
    TURNS_MAX = 9,
    MOVES = 100, /* whose news are measured, in each turn */
    PAUSE_US = 100000,
    SETTLE_US = 500000, /* after a crowd was stopped, all of its heartbeats are due */
    DESCRIPTORS = 16000,
    TEXT = 96,
    TOKEN = 96
};

struct game {
    char id[32], token[64];
    int ply;
};

struct sample {
    double per_second, p99_us, cpu_us;
};

/* Of the times from the answer to a move until its news came. */
struct lag {
    double p50_us, p99_us;
};

enum measurement { LONE, MANY, MEASUREMENTS };
/* Where somebody follows: a game or all of their games, at the daemon that has it played or
 * another. */
enum delivery { HERE, ELSEWHERE, ALL_HERE, ALL_ELSEWHERE, PLACES };

struct crowd {
    const char *name;
    int streams;
    bool one_game; /* they all follow crowd->game, in which moves are played */
    bool players;  /* each follows all games of a player */
    struct plyd plyd;
    struct game game;
    int *fd;
    double bytes; /* of memory, that each stream takes */
    struct sample sample[MEASUREMENTS][TURNS_MAX];
    struct lag lag[PLACES][TURNS_MAX];
    double rest[TURNS_MAX]; /* processor time of the daemon a second, while nobody else plays */
};

static struct bench {
    char *url;
    struct game game[GAMES];
    struct plyd other; /* on the same database */
    double seconds;
    int turns;
    struct crowd crowd[CROWDS];
} bench = {.seconds = 1.5,
           .turns = TURNS_MAX,
           .crowd = {{.name = "nobody"},
                     {.name = "1000 readers", .streams = 1000, .one_game = true},
                     {.name = "10000 idle", .streams = 10000},
                     {.name = "1000 players of 20 games", .streams = 1000, .players = true}}};

/* ---- games ---- */

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

/* With a player's token, or NULL. */
static struct game create(int fd, const char *player)
{
    static const char body[] = "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000}}";
    struct http_reply reply;
    struct game game = {.ply = 0};
    char headers[200];

    snprintf(headers, sizeof(headers), "Content-Type: application/json\r\n%s%s%s",
             player == NULL ? "" : "Authorization: Bearer ", player == NULL ? "" : player,
             player == NULL ? "" : "\r\n");
    http_send(fd, "POST", "/v1/games", headers, body, strlen(body));
    http_receive(fd, "POST", &reply);
    take(&reply, "\"id\":\"", game.id, sizeof(game.id));
    take(&reply, "\"token\":\"", game.token, sizeof(game.token));
    http_free(&reply);
    return game;
}

static void enrol(int fd, char token[TOKEN])
{
    static const char body[] = "{\"name\":\"Ada\"}";
    struct http_reply reply;

    http_send(fd, "POST", "/v1/players", "Content-Type: application/json\r\n", body, strlen(body));
    http_receive(fd, "POST", &reply);
    take(&reply, "\"token\":\"", token, TOKEN);
    http_free(&reply);
}

static void send_move(int fd, struct game *game)
{
    static const char *const moves[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    char path[96], headers[160];

    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             game->token);
    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", game->id, game->ply + 1);
    http_send(fd, "PUT", path, headers, moves[game->ply % 4], 4);
    game->ply++;
}

static void receive_move(int fd)
{
    struct http_reply reply;

    http_receive(fd, "PUT", &reply);
    if (reply.status != 201)
        die("a move was not played: %s", reply.body == NULL ? "closed" : reply.body);
    http_free(&reply);
}

/* ---- crowds ---- */

static void follow(int fd, const char *id)
{
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s/events", id);
    http_send(fd, "GET", path, "Accept: text/event-stream\r\n", NULL, 0);
}

static void follow_all(int fd, const char *player)
{
    char headers[200];

    snprintf(headers, sizeof(headers), "Accept: text/event-stream\r\nAuthorization: Bearer %s\r\n",
             player);
    http_send(fd, "GET", "/v1/me/events", headers, NULL, 0);
}

/* Takes what has come on a stream, up to the end of a message at least. */
static void hear(int fd)
{
    char text[16384];
    size_t len = 0;

    while (len < 2 || memcmp(text + len - 2, "\n\n", 2) != 0) {
        ssize_t n = recv(fd, text, sizeof(text), 0);

        if (n <= 0)
            die("a stream has ended");
        len = (size_t)n;
    }
}

/* Each of the crowd is a player with games, which were made at the other daemon. */
static char (*make_players(const struct crowd *crowd))[TOKEN]
{
    char(*players)[TOKEN] = calloc((size_t)crowd->streams, sizeof(*players));
    int fd = connect_quick(bench.other.port);

    if (players == NULL)
        die("no memory: %s", crowd->name);
    for (int i = 0; i < crowd->streams; i++) {
        enrol(fd, players[i]);
        for (int k = 0; k < GAMES_EACH; k++)
            create(fd, players[i]);
    }
    close(fd);
    return players;
}

static void gather(struct crowd *crowd)
{
    char(*players)[TOKEN] = crowd->players ? make_players(crowd) : NULL;
    int fd = connect_quick(crowd->plyd.port);
    double before;

    crowd->game = create(fd, NULL);
    close(fd);
    crowd->fd = calloc((size_t)crowd->streams + 1, sizeof(*crowd->fd));
    if (crowd->fd == NULL)
        die("no memory: %s", crowd->name);
    before = usage_memory(crowd->plyd.pid);
    for (int i = 0; i < crowd->streams; i++) {
        crowd->fd[i] = http_connect(crowd->plyd.port);
        if (crowd->players)
            follow_all(crowd->fd[i], players[i]);
        else
            follow(crowd->fd[i], crowd->one_game ? crowd->game.id : bench.game[i % GAMES].id);
        hear(crowd->fd[i]);
    }
    free(players);
    if (crowd->streams > 0)
        crowd->bytes = (usage_memory(crowd->plyd.pid) - before) / crowd->streams;
}

/* ---- what happens beside the measurement ---- */

struct beside {
    struct crowd *crowd;
    _Atomic bool stop;
    pthread_t reader, player;
};

/* Reads all streams of the crowd. */
static void *read_all(void *cls)
{
    struct beside *beside = cls;
    struct epoll_event events[256];
    int epoll = epoll_create1(0);
    char text[16384];

    for (int i = 0; i < beside->crowd->streams; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = beside->crowd->fd[i]};

        epoll_ctl(epoll, EPOLL_CTL_ADD, beside->crowd->fd[i], &event);
    }
    while (!beside->stop) {
        int n = epoll_wait(epoll, events, 256, 50);

        for (int i = 0; i < n; i++)
            if (recv(events[i].data.fd, text, sizeof(text), MSG_DONTWAIT) == 0)
                die("a stream was cut: %s", beside->crowd->name);
    }
    close(epoll);
    return NULL;
}

static void *play_along(void *cls)
{
    struct beside *beside = cls;
    int fd = connect_quick(beside->crowd->plyd.port);

    while (!beside->stop && beside->crowd->one_game) {
        send_move(fd, &beside->crowd->game);
        receive_move(fd);
        usleep(PAUSE_US);
    }
    close(fd);
    return NULL;
}

static void begin(struct beside *beside, struct crowd *crowd)
{
    beside->crowd = crowd;
    beside->stop = false;
    pthread_create(&beside->reader, NULL, read_all, beside);
    pthread_create(&beside->player, NULL, play_along, beside);
}

static void end(struct beside *beside)
{
    beside->stop = true;
    pthread_join(beside->reader, NULL);
    pthread_join(beside->player, NULL);
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

/* One plays, and another follows, here or at the other daemon. Both hear of each move: how much
 * later is the second? The pauses between the moves keep them from being in step with the looks. */
static struct lag play_to_one(const struct crowd *crowd, int port, bool all)
{
    static double took[MOVES];
    int player = connect_quick(crowd->plyd.port), reader = connect_quick(port);
    char token[TOKEN];
    struct game game;

    enrol(player, token);
    game = create(player, token);
    if (all)
        follow_all(reader, token);
    else
        follow(reader, game.id);
    hear(reader);
    for (int i = 0; i < MOVES; i++) {
        struct pollfd fds[] = {{player, POLLIN, 0}, {reader, POLLIN, 0}};
        double at[2] = {0, 0};

        send_move(player, &game);
        while (at[0] == 0 || at[1] == 0) {
            poll(fds, 2, 10000);
            for (int k = 0; k < 2; k++)
                if (fds[k].revents != 0) {
                    at[k] = seconds_now();
                    fds[k].fd = -1;
                }
        }
        receive_move(player);
        hear(reader);
        took[i] = (at[1] - at[0]) * 1e6;
        usleep((useconds_t)(i * 7919 % (port == bench.other.port ? 60000 : 2000)));
    }
    close(player);
    close(reader);
    numbers_sort(took, MOVES);
    return (struct lag){took[MOVES / 2], took[MOVES * 99 / 100]};
}

static void measure(struct crowd *crowd, int turn)
{
    struct beside beside;
    double cpu;

    kill(crowd->plyd.pid, SIGCONT);
    begin(&beside, crowd);
    usleep(SETTLE_US);
    cpu = usage_cpu(crowd->plyd.pid);
    usleep(SETTLE_US);
    crowd->rest[turn] = (usage_cpu(crowd->plyd.pid) - cpu) * 1e6 / SETTLE_US;
    crowd->sample[LONE][turn] = play(crowd, 1);
    crowd->sample[MANY][turn] = play(crowd, 64);
    crowd->lag[HERE][turn] = play_to_one(crowd, crowd->plyd.port, false);
    crowd->lag[ELSEWHERE][turn] = play_to_one(crowd, bench.other.port, false);
    crowd->lag[ALL_HERE][turn] = play_to_one(crowd, crowd->plyd.port, true);
    crowd->lag[ALL_ELSEWHERE][turn] = play_to_one(crowd, bench.other.port, true);
    end(&beside);
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

static struct lag lag_of(const struct crowd *crowd, enum delivery place)
{
    double p50[TURNS_MAX], p99[TURNS_MAX];

    for (int i = 0; i < bench.turns; i++) {
        p50[i] = crowd->lag[place][i].p50_us;
        p99[i] = crowd->lag[place][i].p99_us;
    }
    return (struct lag){median(p50), median(p99)};
}

static void print_lag(const struct crowd *crowd, enum delivery place)
{
    struct lag lag = lag_of(crowd, place), alone = lag_of(&bench.crowd[0], place);
    char what[TEXT], beside[TEXT], without[TEXT];

    snprintf(what, sizeof(what), "from answer to news%s, %s, beside %s",
             place >= ALL_HERE ? " of all games" : "",
             place == HERE || place == ALL_HERE ? "same daemon" : "another", crowd->name);
    snprintf(beside, sizeof(beside), "p50 %.2f ms p99 %.2f ms", lag.p50_us / 1e3, lag.p99_us / 1e3);
    snprintf(without, sizeof(without), "p50 %.2f ms p99 %.2f ms", alone.p50_us / 1e3,
             alone.p99_us / 1e3);
    ratios_row(what, beside, without, 0);
}

static void print_rest(struct crowd *crowd)
{
    char what[TEXT], beside[TEXT], without[TEXT];
    double ours = median(crowd->rest), alone = median(bench.crowd[0].rest);

    snprintf(what, sizeof(what), "the daemon's CPU at rest, %s", crowd->name);
    snprintf(beside, sizeof(beside), "%.1f ms/s", ours * 1e3);
    snprintf(without, sizeof(without), "%.1f ms/s alone", alone * 1e3);
    ratios_row(what, beside, without, 0);
}

static void print_memory(const struct crowd *crowd)
{
    char what[TEXT], bytes[TEXT];

    snprintf(what, sizeof(what), "memory of a stream, %s", crowd->name);
    snprintf(bytes, sizeof(bytes), "%.2f KiB", crowd->bytes / 1024);
    ratios_at_most(what, bytes, "8 KiB", crowd->bytes / 8192, 1);
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

static void create_games(int port)
{
    int fd = connect_quick(port);

    for (int i = 0; i < GAMES; i++)
        bench.game[i] = create(fd, NULL);
    close(fd);
}

static void print_all(void)
{
    static const char *const names[MEASUREMENTS] = {"a lone player's moves", "64 players' moves"};

    ratios_head();
    for (int which = 0; which < MEASUREMENTS; which++)
        for (int i = 1; i < CROWDS; i++)
            print(&bench.crowd[i], (enum measurement)which, names[which]);
    for (int place = 0; place < PLACES; place++)
        for (int i = 0; i < CROWDS; i++)
            print_lag(&bench.crowd[i], (enum delivery)place);
    for (int i = 1; i < CROWDS; i++)
        print_rest(&bench.crowd[i]);
    for (int i = 1; i < CROWDS; i++)
        print_memory(&bench.crowd[i]);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--quick") == 0) {
        bench.seconds = 0.5;
        bench.turns = 3;
    }
    allow_descriptors();
    bench.url = pg_test_database();
    plyd_migrate(bench.url);
    plyd_start(&bench.other, bench.url, "--loops", "1", NULL);
    create_games(bench.other.port);
    for (int i = 0; i < CROWDS; i++) {
        plyd_start(&bench.crowd[i].plyd, bench.url, "--loops", "1", "--streams", "100000",
                   "--db-deadline-ms", "60000", "--idle-s", "3600", NULL);
        gather(&bench.crowd[i]);
        kill(bench.crowd[i].plyd.pid, SIGSTOP);
    }
    for (int turn = 0; turn < bench.turns; turn++)
        for (int i = 0; i < CROWDS; i++)
            measure(&bench.crowd[i], turn);
    print_all();
    for (int i = 0; i < CROWDS; i++) {
        kill(bench.crowd[i].plyd.pid, SIGCONT);
        plyd_stop(&bench.crowd[i].plyd);
    }
    plyd_stop(&bench.other);
    pg_test_drop(bench.url);
    return 0;
}
