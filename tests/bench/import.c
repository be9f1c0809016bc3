/*
 * import.c - a ZIP archive of 10,000 games of shogi in KIF is imported as a job, beside four
 * players who move: how long it takes, what memory the daemon holds meanwhile, and how long moves
 * take alone and beside it.
 *
 *     bench-import [GAMES]
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/record/record.h"
#include "api/text/arena.h"
#include "tests/support/archive.h"
#include "tests/support/die.h"
#include "tests/support/http.h"
#include "tests/support/now.h"
#include "tests/support/numbers.h"
#include "tests/support/pg.h"
#include "tests/support/plyd.h"
#include "tests/support/usage.h"

enum {
    GAMES = 10000,
    PLIES = 100,
    PLAYERS = 4,
    MOVES_MAX = 1 << 20,
    PAUSE_US = 5000,
    MIB = 1 << 20
};

#define ALONE_US 5000000

static const char *const shuffle[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
static const char *const quotas[] = {"--quota-address", "0", "--quota-token", "0"};

/* ---- the archive ---- */

static unsigned next_random(void)
{
    static unsigned state = 1;

    state = state * 1103515245 + 12345;
    return state >> 8;
}

/* A game of chance, as KIF. */
static const char *random_game(struct arena *arena)
{
    const struct rules_game *game = rules_find("shogi");
    struct record_move *moves = arena_alloc(arena, PLIES * sizeof(*moves));
    struct rules_state state, next;
    struct rules_options options;
    struct rules_refusal refusal;
    struct record record;
    struct record_error error;
    struct out out;
    static rules_move legal[4096];
    char start[RULES_POSITION_TEXT];

    rules_options_init(&options);
    if (!rules_start(game, &options, NULL, &state, &refusal))
        die("shogi does not begin");
    game->position_text(&state, start);
    record_init(&record, game);
    record.options = options;
    record.start = start;
    record.moves = moves;
    record.name[0] = "Ada";
    record.name[1] = "Bo";
    for (; record.nmoves < PLIES; record.nmoves++) {
        size_t count = game->legal(&state, legal, 4096);
        char *text = arena_alloc(arena, RULES_MOVE_TEXT);
        rules_move move;

        if (count == 0)
            break;
        move = legal[next_random() % count];
        game->move_text(&state, move, text);
        moves[record.nmoves] = (struct record_move){.text = text, .spent_us = -1};
        game->play(&state, move, &next);
        state = next;
    }
    out_init(&out, arena);
    if (!record_write(record_find_format("kif"), &record, NULL, &out, &error))
        die("%s", error.detail);
    return out.text;
}

static struct archive_file make_archive(int games)
{
    struct archive_file archive = {0};
    char name[32];

    for (int i = 0; i < games; i++) {
        struct arena arena = {NULL, NULL, NULL};

        snprintf(name, sizeof(name), "games/%05d.kif", i);
        archive_add_text(&archive, name, random_game(&arena), ARCHIVE_DEFLATED);
        arena_free(&arena);
    }
    archive_end(&archive);
    return archive;
}

/* ---- the players ---- */

struct players {
    int port;
    atomic_bool over;
    atomic_int moves, wrong;
    double ms[MOVES_MAX];
};

static void take(const char *body, const char *name, char *value, size_t size)
{
    if (body == NULL || !http_copy_member(body, name, value, size))
        die("%s", body == NULL ? "no answer" : body);
}

static void *play(void *context)
{
    static const char body[] = "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000}}";
    struct players *all = context;
    int fd = http_connect(all->port), ply = 0;
    char id[32], token[64], path[96], headers[160];
    struct http_reply reply;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    http_send(fd, "POST", "/v1/games", "Content-Type: application/json\r\n", body, strlen(body));
    http_receive(fd, "POST", &reply);
    take(reply.body, "id", id, sizeof(id));
    take(reply.body, "token", token, sizeof(token));
    http_free(&reply);
    snprintf(headers, sizeof(headers), "Content-Type: text/plain\r\nAuthorization: Bearer %s\r\n",
             token);
    while (!atomic_load(&all->over)) {
        double begun = seconds_now();
        int n;

        snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", id, ply + 1);
        http_send(fd, "PUT", path, headers, shuffle[ply % 4], 4);
        http_receive(fd, "PUT", &reply);
        n = atomic_fetch_add(&all->moves, 1);
        all->ms[n % MOVES_MAX] = (seconds_now() - begun) * 1e3;
        ply += reply.status == 201;
        atomic_fetch_add(&all->wrong, reply.status != 201);
        http_free(&reply);
        usleep(PAUSE_US);
    }
    close(fd);
    return NULL;
}

static void start_players(struct players *all, int port, pthread_t thread[PLAYERS])
{
    memset(all, 0, sizeof(*all));
    all->port = port;
    for (int i = 0; i < PLAYERS; i++)
        pthread_create(&thread[i], NULL, play, all);
}

static void end_players(const char *when, struct players *all, pthread_t thread[PLAYERS])
{
    size_t n;

    atomic_store(&all->over, true);
    for (int i = 0; i < PLAYERS; i++)
        pthread_join(thread[i], NULL);
    n = (size_t)all->moves;
    numbers_sort(all->ms, n);
    printf("%-12s %6zu moves, %d failed, p50 %.2f ms, p99 %.2f ms, worst %.0f ms\n", when, n,
           all->wrong, all->ms[n / 2], all->ms[n * 99 / 100], all->ms[n - 1]);
    fflush(stdout);
}

/* ---- the bench ---- */

/* Returns when the job is over, with the peak of the daemon's memory. */
static double await(const struct plyd *plyd, const char *headers, const char *op)
{
    double peak = 0;
    char path[64], state[32] = "";
    struct http_reply reply;

    snprintf(path, sizeof(path), "/v1/jobs/%s", op);
    while (strcmp(state, "done") != 0) {
        for (int i = 0; i < 40; i++) {
            double now = usage_memory(plyd->pid);

            peak = now > peak ? now : peak;
            usleep(5000);
        }
        http_request(plyd->port, &reply, "GET", path, headers, NULL);
        take(reply.body, "state", state, sizeof(state));
        if (strcmp(state, "failed") == 0)
            die("%s", reply.body);
        http_free(&reply);
    }
    http_request(plyd->port, &reply, "GET", path, headers, NULL);
    printf("%.*s\n", (int)(strstr(reply.body, "\"params\"") - reply.body), reply.body);
    http_free(&reply);
    return peak;
}

int main(int argc, char **argv)
{
    int games = argc > 1 ? atoi(argv[1]) : GAMES;
    struct archive_file archive = make_archive(games);
    struct players *all = malloc(sizeof(*all));
    char *database = pg_test_database(), token[96], headers[160], op[32];
    struct http_reply reply;
    struct plyd plyd;
    pthread_t thread[PLAYERS];
    double before, peak, begun;
    int fd;

    plyd_migrate(database);
    plyd_start(&plyd, database, quotas[0], quotas[1], quotas[2], quotas[3], NULL);
    http_request(plyd.port, &reply, "POST", "/v1/players", "Content-Type: application/json\r\n",
                 "{\"name\":\"Ada\"}");
    take(reply.body, "token", token, sizeof(token));
    http_free(&reply);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", token);
    start_players(all, plyd.port, thread);
    usleep(ALONE_US);
    end_players("alone", all, thread);
    before = usage_memory(plyd.pid);
    start_players(all, plyd.port, thread);
    begun = seconds_now();
    fd = http_connect(plyd.port);
    http_send(fd, "POST", "/v1/me/imports", headers, archive.bytes, archive.len);
    http_receive(fd, "POST", &reply);
    take(reply.body, "id", op, sizeof(op));
    printf("%d games, %.1f MiB: accepted after %.2f s\n", games, (double)archive.len / MIB,
           seconds_now() - begun);
    http_free(&reply);
    close(fd);
    peak = await(&plyd, headers, op);
    printf("done after %.1f s; memory %.0f MiB before, %.0f MiB at its peak\n",
           seconds_now() - begun, before / MIB, peak / MIB);
    end_players("beside it", all, thread);
    plyd_close(&plyd);
    pg_test_drop(database);
    return 0;
}
