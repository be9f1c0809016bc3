#include "players.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "rules/rules.h"

enum { ANSWER_MAX = 64 << 10, PATIENCE_S = 60 };

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
}

/* ---- one request, once ---- */

static int try_connect(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((in_port_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {10, 0};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Reads a whole answer. Returns its status; 0: the connection broke. */
static int read_answer(int fd, char *answer)
{
    size_t have = 0;
    int status = 0;

    for (;;) {
        ssize_t n = recv(fd, answer + have, ANSWER_MAX - 1 - have, 0);
        char *end, *length;

        if (n <= 0)
            return 0;
        have += (size_t)n;
        answer[have] = '\0';
        end = strstr(answer, "\r\n\r\n");
        length = strstr(answer, "Content-Length: ");
        if (end != NULL && length != NULL &&
            have >= (size_t)(end + 4 - answer) + strtoul(length + 16, NULL, 10))
            return sscanf(answer, "HTTP/1.1 %d", &status) == 1 ? status : 0;
    }
}

static int send_once(int port, const char *request, char *answer)
{
    int fd = try_connect(port), status = 0;

    if (fd < 0)
        return 0;
    if (send(fd, request, strlen(request), MSG_NOSIGNAL) == (ssize_t)strlen(request))
        status = read_answer(fd, answer);
    close(fd);
    return status;
}

/* Sends the very same request again and again, until the answer is not 503. */
static int insist(struct player *player, const char *request, char *answer)
{
    struct players *all = player->all;

    for (int tries = 0;; tries++) {
        int status = send_once(all->port, request, answer);

        if (tries > 0)
            all->repeated++;
        if (status == 503)
            all->refused++;
        else if (status != 0)
            return status;
        if (all->stop && tries > 200)
            return 0;
        pause_ms(20);
    }
}

/* ---- playing ---- */

static void copy_member(const char *answer, const char *key, char *value, size_t size)
{
    const char *at = strstr(answer, key);

    cr_assert_not_null(at, "no %s in %.500s", key, answer);
    at += strlen(key);
    snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
}

static bool new_game(struct player *player, char *answer)
{
    static const char body[] = "{\"variant\":\"jungle\"}";
    struct player_game *game = &player->games[player->ngames];
    char request[512];
    int status;

    snprintf(request, sizeof(request),
             "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
             "Idempotency-Key: game %3d of player %2d\r\nContent-Length: %zu\r\n\r\n%s",
             player->ngames, player->number, strlen(body), body);
    status = insist(player, request, answer);
    if (status == 0)
        return false;
    cr_assert_eq(status, 201, "a game is not created: %.500s", answer);
    copy_member(answer, "\"id\":\"", game->id, sizeof(game->id));
    copy_member(answer, "\"token\":\"", game->token, sizeof(game->token));
    player->ngames++;
    return true;
}

/* Odd players repeat by PUT, even ones by key. */
static void write_request(const struct player *player, const struct player_game *game, int ply,
                          char *request, size_t size)
{
    const char *move = game->move[ply];

    if (player->number % 2 == 1)
        snprintf(request, size,
                 "PUT /v1/games/%s/moves/%d HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
                 "Content-Type: text/plain\r\nContent-Length: %zu\r\n\r\n%s",
                 game->id, ply, game->token, strlen(move), move);
    else
        snprintf(request, size,
                 "POST /v1/games/%s/moves HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
                 "Idempotency-Key: %s-%d\r\nContent-Type: text/plain\r\n"
                 "Content-Length: %zu\r\n\r\n%s",
                 game->id, game->token, game->id, ply, strlen(move), move);
}

static bool play_ply(struct player *player, struct player_game *game, rules_move move,
                     struct rules_state *state, char *answer)
{
    const struct rules_game *rules = rules_find("jungle");
    struct rules_state next;
    char request[512], position[RULES_POSITION_TEXT], wanted[RULES_POSITION_TEXT + 32];
    int ply = game->plies + 1, status;

    rules->move_text(state, move, game->move[ply]);
    rules->play(state, move, &next);
    rules_copy(&next, state);
    game->plies = ply;
    write_request(player, game, ply, request, sizeof(request));
    status = insist(player, request, answer);
    if (status == 0)
        return false;
    cr_assert(status == 201 || status == 200, "ply %d of %s: %.800s", ply, game->id, answer);
    if (status == 200 || strstr(answer, "Idempotent-Replayed: true") != NULL)
        player->all->replayed++;
    rules->position_text(state, position);
    snprintf(wanted, sizeof(wanted), "\"position\":\"%s\"", position);
    cr_assert_not_null(strstr(answer, wanted), "ply %d of %s: not %s in %.1500s", ply, game->id,
                       wanted, answer);
    game->acknowledged = ply;
    player->all->acknowledged++;
    return true;
}

static void play_game(struct player *player, struct player_game *game, char *answer)
{
    const struct rules_game *rules = rules_find("jungle");
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(rules_start(rules, &options, NULL, &state, &why));
    while (!player->all->stop && game->plies < PLAYER_PLIES_MAX) {
        rules_move moves[256];
        size_t n = rules->legal(&state, moves, 256);

        if (rules_outcome_now(rules, &state).status != RULES_ONGOING || n == 0 ||
            !play_ply(player, game, moves[rules_choose(&player->seed, n)], &state, answer))
            return;
    }
}

static void *run(void *cls)
{
    struct player *player = cls;
    char *answer = malloc(ANSWER_MAX);

    while (!player->all->stop && player->ngames < PLAYER_GAMES_MAX && new_game(player, answer))
        play_game(player, &player->games[player->ngames - 1], answer);
    free(answer);
    return NULL;
}

void players_start(struct players *players, int count, int port)
{
    pthread_t *threads = calloc((size_t)count, sizeof(*threads));

    memset(players, 0, sizeof(*players));
    players->port = port;
    players->count = count;
    players->player = calloc((size_t)count, sizeof(*players->player));
    players->threads = threads;
    for (int i = 0; i < count; i++) {
        players->player[i].all = players;
        players->player[i].number = i;
        players->player[i].seed = (uint64_t)i;
        cr_assert_eq(pthread_create(&threads[i], NULL, run, &players->player[i]), 0);
    }
}

void players_progress(struct players *players, uint64_t moves)
{
    uint64_t goal = players->acknowledged + moves;
    time_t begin = time(NULL);

    while (players->acknowledged < goal) {
        cr_assert_leq(time(NULL) - begin, PATIENCE_S, "nothing moves any more");
        pause_ms(5);
    }
}

void players_stop(struct players *players)
{
    pthread_t *threads = players->threads;

    players->stop = true;
    for (int i = 0; i < players->count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

/* ---- judging ---- */

static int present_ply(const char *answer)
{
    const char *at = strstr(answer, "\"tip\":");

    return at == NULL ? -1 : atoi(at + 6);
}

/* Asserts that the history, read page by page, is what was sent, as far as the game goes. */
static void judge_game(struct players *players, const struct player_game *game, char *answer)
{
    char request[256];
    int there, seen = 0;

    snprintf(request, sizeof(request), "GET /v1/games/%s HTTP/1.1\r\nHost: x\r\n\r\n", game->id);
    cr_assert_eq(send_once(players->port, request, answer), 200, "%.300s", answer);
    there = present_ply(answer);
    cr_assert(there >= game->acknowledged && there <= game->plies,
              "%s: %d plies are there, %d were acknowledged and %d sent", game->id, there,
              game->acknowledged, game->plies);
    while (seen < there) {
        const char *at = answer;

        snprintf(request, sizeof(request),
                 "GET /v1/games/%s/moves?after=%d&limit=100 HTTP/1.1\r\nHost: x\r\n\r\n", game->id,
                 seen);
        cr_assert_eq(send_once(players->port, request, answer), 200, "%.300s", answer);
        while ((at = strstr(at, "\"ply\":")) != NULL) {
            char move[32];

            cr_assert_eq(atoi(at + 6), seen + 1, "%s: ply %d is missing or doubled", game->id,
                         seen + 1);
            copy_member(at, "\"move\":\"", move, sizeof(move));
            seen++;
            cr_assert_str_eq(move, game->move[seen], "%s, ply %d", game->id, seen);
            at++;
        }
    }
}

void players_judge(struct players *players)
{
    char *answer = malloc(ANSWER_MAX);

    for (int i = 0; i < players->count; i++)
        for (int g = 0; g < players->player[i].ngames; g++)
            judge_game(players, &players->player[i].games[g], answer);
    free(answer);
    free(players->player);
}
