#include "load.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "die.h"
#include "http.h"
#include "rules/rules.h"
#include "usage.h"

enum {
    BUFFER = 64 << 10,
    MOVES_MAX = 1024,
    PRELUDE_STEP = 200, /* so that the answer fits */
    REQUEST = PRELUDE_STEP * 8 + 1024
};

struct client {
    struct load *load;
    int fd;
    uint64_t seed;
    char game[32], token[64];
    bool playing; /* has a game */
    unsigned prelude_left;
    struct rules_state state;
    struct rules_options options;
    int32_t ply;
    uint64_t keys; /* that were used so far */
    char move[RULES_MOVE_TEXT], position[RULES_POSITION_TEXT];
    bool counted; /* the request under way is one that is measured */
    int64_t sent_at;
    char request[REQUEST]; /* as it was sent */
    int request_len;
    char in[BUFFER];
    size_t have;
};

struct load {
    const struct load_plan *plan;
    const struct rules_game *game;
    struct load_result *result;
    struct client *clients;
    unsigned ready; /* clients whose game is as long as it is to be */
    bool begun, measuring;
    int epoll;
    int64_t measure_from, end;
    double cpu[LOAD_WATCHED];
    uint32_t *latencies;
    size_t nlatencies, size;
};

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* ---- requests ---- */

static void send_request(struct client *client)
{
    client->sent_at = now_us();
    if (send(client->fd, client->request, (size_t)client->request_len, MSG_NOSIGNAL) !=
        client->request_len)
        die("send: %m");
}

static void post(struct client *client, const char *method, const char *path, const char *type,
                 const char *body)
{
    char key[80] = "";

    if (client->load->plan->keyed && client->playing)
        snprintf(key, sizeof(key), "Idempotency-Key: 0f8fad5b-d9cb-469f-a165-%012llx\r\n",
                 (unsigned long long)client->keys++);
    client->request_len = snprintf(client->request, REQUEST,
                                   "%s %s HTTP/1.1\r\nHost: load\r\n%s%s%s%sContent-Type: %s\r\n"
                                   "Content-Length: %zu\r\n\r\n%s",
                                   method, path, client->playing ? "Authorization: Bearer " : "",
                                   client->playing ? client->token : "",
                                   client->playing ? "\r\n" : "", key, type, strlen(body), body);
    send_request(client);
}

static void get(struct client *client, const char *path)
{
    client->request_len =
        snprintf(client->request, REQUEST, "GET %s HTTP/1.1\r\nHost: load\r\n\r\n", path);
    send_request(client);
}

static void create(struct client *client)
{
    char body[256];

    if (client->load->plan->kind == LOAD_SHUFFLE)
        snprintf(body, sizeof(body),
                 "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000}}");
    else
        snprintf(body, sizeof(body), "{\"variant\":\"%s\"}", client->load->game->name);
    client->playing = false;
    client->counted = false;
    client->ply = 0;
    client->prelude_left = client->load->plan->prelude;
    post(client, "POST", "/v1/games", "application/json", body);
}

/* Plays a move in memory: the daemon must answer with what it leads to. */
static void foresee(struct client *client, rules_move move)
{
    const struct rules_game *game = client->load->game;
    struct rules_state next;

    game->move_text(&client->state, move, client->move);
    game->play(&client->state, move, &next);
    rules_copy(&next, &client->state);
    game->position_text(&client->state, client->position);
    client->ply++;
}

static void send_move(struct client *client)
{
    char path[128];

    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", client->game, client->ply);
    client->counted = true;
    post(client, "PUT", path, "text/plain", client->move);
}

static void move_randomly(struct client *client)
{
    const struct rules_game *game = client->load->game;
    rules_move moves[MOVES_MAX];
    size_t n = 0;

    if (rules_outcome_now(game, &client->state).status == RULES_ONGOING)
        n = game->legal(&client->state, moves, MOVES_MAX);
    if (n == 0) {
        create(client);
        return;
    }
    foresee(client, moves[rules_choose(&client->seed, n)]);
    send_move(client);
}

static const char *shuffle_move(int32_t ply)
{
    static const char *const moves[] = {"2h3h", "8b7b", "3h2h", "7b8b"};

    return moves[ply % 4];
}

static void shuffle(struct client *client)
{
    struct rules_refusal why;
    rules_move move;

    if (!client->load->game->read_move(&client->state, shuffle_move(client->ply), &move, &why))
        die("shuffle: %m");
    foresee(client, move);
    send_move(client);
}

/* Sends many moves in one request, until the game is as long as it is to be. */
static void send_prelude(struct client *client)
{
    char body[PRELUDE_STEP * 8 + 64] = "{\"moves\":[", path[128];
    unsigned n = client->prelude_left < PRELUDE_STEP ? client->prelude_left : PRELUDE_STEP;
    size_t len = strlen(body);

    for (unsigned i = 0; i < n; i++) {
        struct rules_refusal why;
        rules_move move;

        len += (size_t)snprintf(body + len, sizeof(body) - len, "%s\"%s\"", i == 0 ? "" : ",",
                                shuffle_move(client->ply));
        client->load->game->read_move(&client->state, shuffle_move(client->ply), &move, &why);
        foresee(client, move);
    }
    snprintf(body + len, sizeof(body) - len, "]}");
    snprintf(path, sizeof(path), "/v1/games/%s/moves", client->game);
    client->prelude_left -= n;
    client->counted = false;
    post(client, "POST", path, "application/json", body);
}

static void read_game(struct client *client)
{
    char path[128];

    snprintf(path, sizeof(path), "/v1/games/%s", client->game);
    client->counted = true;
    get(client, path);
}

static void measured_request(struct client *client)
{
    switch (client->load->plan->kind) {
    case LOAD_PATH:
        client->counted = true;
        get(client, client->load->plan->path);
        return;
    case LOAD_READS:
        read_game(client);
        return;
    case LOAD_MOVES:
        move_randomly(client);
        return;
    case LOAD_SHUFFLE:
        shuffle(client);
        return;
    }
}

static void begin(struct load *load)
{
    const struct load_plan *plan = load->plan;

    load->begun = true;
    load->measure_from = now_us() + (int64_t)(plan->warm_up * 1e6);
    load->end = load->measure_from + (int64_t)(plan->seconds * 1e6);
    for (unsigned i = 0; i < plan->connections; i++)
        measured_request(&load->clients[i]);
}

static void next_request(struct client *client)
{
    struct load *load = client->load;

    if (client->prelude_left > 0)
        send_prelude(client);
    else if (load->begun)
        measured_request(client);
    else if (++load->ready == load->plan->connections)
        begin(load);
}

/* ---- answers ---- */

static bool sit_down(struct client *client, int status, const char *body)
{
    const struct rules_game *game = client->load->game;
    struct rules_refusal why;

    rules_options_init(&client->options);
    if (client->load->plan->kind == LOAD_SHUFFLE)
        rules_option_set(game, &client->options, "repetition", "1000000", &why);
    client->playing = status == 201 &&
                      http_copy_member(body, "id", client->game, sizeof(client->game)) &&
                      http_copy_member(body, "token", client->token, sizeof(client->token)) &&
                      rules_start(game, &client->options, NULL, &client->state, &why);
    if (client->playing)
        game->position_text(&client->state, client->position);
    return client->playing;
}

static bool shows_position(const struct client *client, const char *body)
{
    char wanted[RULES_POSITION_TEXT + 16];

    snprintf(wanted, sizeof(wanted), "\"position\":\"%s\"", client->position);
    return strstr(body, wanted) != NULL;
}

static bool is_right(struct client *client, int status, const char *body)
{
    enum load_kind kind = client->load->plan->kind;

    if (kind == LOAD_PATH)
        return status == 200 && strstr(body, client->load->plan->expect) != NULL;
    if (!client->playing)
        return sit_down(client, status, body);
    return status == (kind == LOAD_READS ? 200 : 201) && shows_position(client, body);
}

static void keep_latency(struct load *load, int64_t us)
{
    if (load->nlatencies == load->size) {
        load->size = load->size == 0 ? 1 << 16 : 2 * load->size;
        load->latencies = realloc(load->latencies, load->size * sizeof(*load->latencies));
        if (load->latencies == NULL)
            die("memory: %m");
    }
    load->latencies[load->nlatencies++] = (uint32_t)us;
}

static void take_answer(struct client *client, int status, const char *body)
{
    struct load *load = client->load;
    int64_t now = now_us();
    bool measured = client->counted && load->measuring && now < load->end;

    if (!load->begun && status == 503 && strstr(body, "\"overloaded\"") != NULL) {
        send_request(client); /* nothing was done */
        return;
    }
    if (!is_right(client, status, body)) {
        if (load->result->wrong++ < 3)
            fprintf(stderr, "load: wrong answer %d: %.300s\n", status, body);
        if (!load->begun)
            die("nothing can be measured: %m");
        client->playing = false;
        create(client);
        return;
    }
    if (measured) {
        load->result->done++;
        keep_latency(load, now - client->sent_at);
    }
    if (!load->begun || now < load->end)
        next_request(client);
}

/* Takes a whole answer out of the buffer. False: it is not whole yet. */
static bool parse(struct client *client)
{
    char *end, *length;
    size_t body, total;
    int status = 0;

    client->in[client->have] = '\0';
    end = strstr(client->in, "\r\n\r\n");
    if (end == NULL)
        return false;
    length = strcasestr(client->in, "Content-Length: ");
    if (length == NULL || sscanf(client->in, "HTTP/1.1 %d", &status) != 1)
        die("answer: %m");
    body = strtoul(length + 16, NULL, 10);
    total = (size_t)(end - client->in) + 4 + body;
    if (client->have < total)
        return false;
    client->have = 0; /* one request at a time: nothing follows */
    take_answer(client, status, end + 4);
    return true;
}

static void on_readable(struct client *client)
{
    ssize_t n = recv(client->fd, client->in + client->have, BUFFER - 1 - client->have, 0);

    if (n <= 0)
        die("connection: %m");
    client->have += (size_t)n;
    parse(client);
}

/* ---- a run ---- */

static int compare_latencies(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;

    return *left < *right ? -1 : *left > *right;
}

static double thread_cpu(void)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void open_clients(struct load *load)
{
    const struct load_plan *plan = load->plan;

    load->clients = calloc(plan->connections, sizeof(*load->clients));
    if (load->clients == NULL)
        die("memory: %m");
    for (unsigned i = 0; i < plan->connections; i++) {
        struct client *client = &load->clients[i];
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};

        client->load = load;
        client->seed = plan->seed + 7919 * i;
        client->fd = http_connect(plan->port);
        if (epoll_ctl(load->epoll, EPOLL_CTL_ADD, client->fd, &event) != 0)
            die("epoll: %m");
        if (plan->kind == LOAD_PATH)
            next_request(client);
        else
            create(client);
    }
}

static void close_clients(struct load *load)
{
    for (unsigned i = 0; i < load->plan->connections; i++)
        close(load->clients[i].fd);
    free(load->clients);
}

static void take_turns(struct load *load)
{
    struct epoll_event events[256];
    int n = epoll_wait(load->epoll, events, 256, 50);

    for (int i = 0; i < n; i++)
        on_readable(events[i].data.ptr);
}

/* What the watched processes have used so far. */
static void look_at_cost(const struct load *load, double cpu[LOAD_WATCHED])
{
    for (int i = 0; i < LOAD_WATCHED; i++)
        cpu[i] = load->plan->watched[i] == 0 ? 0 : usage_cpu(load->plan->watched[i]);
}

static void start_measuring(struct load *load)
{
    int64_t begun;

    look_at_cost(load, load->cpu);
    begun = now_us();
    load->end += begun - load->measure_from; /* looking takes its time */
    load->measure_from = begun;
    load->measuring = true;
}

/* The latency below which so many percent of the sorted ones are. */
static double latency_at(const struct load *load, size_t percent)
{
    size_t at = load->nlatencies * percent / 100;

    return load->latencies[at];
}

static void finish(struct load *load)
{
    struct load_result *result = load->result;
    double cpu[LOAD_WATCHED], sum = 0, done = (double)result->done;

    look_at_cost(load, cpu);
    result->seconds = (double)(now_us() - load->measure_from) / 1e6;
    result->per_second = done / result->seconds;
    if (result->done == 0)
        return;
    for (int i = 0; i < LOAD_WATCHED; i++)
        result->cpu_us[i] = (cpu[i] - load->cpu[i]) * 1e6 / done;
    for (size_t i = 0; i < load->nlatencies; i++)
        sum += load->latencies[i];
    qsort(load->latencies, load->nlatencies, sizeof(*load->latencies), compare_latencies);
    result->mean_us = sum / done;
    result->p50_us = latency_at(load, 50);
    result->p99_us = latency_at(load, 99);
}

void load_run(const struct load_plan *plan, struct load_result *result)
{
    struct load load = {.plan = plan, .result = result, .epoll = epoll_create1(EPOLL_CLOEXEC)};
    double cpu = thread_cpu();

    memset(result, 0, sizeof(*result));
    load.game = rules_find(plan->variant == NULL ? "shogi" : plan->variant);
    open_clients(&load);
    while (!load.begun || now_us() < load.end) {
        take_turns(&load);
        if (load.begun && !load.measuring && now_us() >= load.measure_from)
            start_measuring(&load);
    }
    finish(&load);
    result->client_cpu = thread_cpu() - cpu;
    close_clients(&load);
    free(load.latencies);
    close(load.epoll);
}
