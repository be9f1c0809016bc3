#include "tests/bench/worst_offers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/http.h"

static const char *const shuffle[] = {"2h3h", "8b7b", "3h2h", "7b8b"};

/* A game of two seats that have a token each: nobody can make an offer to themselves. */
struct table {
    int port, fd;
    char id[32], headers[2][160];
    size_t ply;
};

static int ask(struct table *table, size_t seat, const char *method, const char *path,
               const char *body, struct http_reply *reply)
{
    http_send(table->fd, method, path, table->headers[seat], body, body == NULL ? 0 : strlen(body));
    http_receive(table->fd, method, reply);
    if (reply->status == 0) {
        close(table->fd);
        table->fd = http_connect(table->port);
    }
    return reply->status;
}

static void take_seat(struct table *table, size_t seat, const char *path, const char *body)
{
    struct http_reply reply;
    char token[96];

    strcpy(table->headers[seat], "Content-Type: application/json\r\n");
    if (ask(table, seat, "POST", path, body, &reply) / 100 != 2 ||
        !http_copy_member(reply.body, "id", table->id, sizeof(table->id)) ||
        !http_copy_member(reply.body, "token", token, sizeof(token))) {
        fprintf(stderr, "worst: no seat: %s\n", reply.body == NULL ? "closed" : reply.body);
        exit(1);
    }
    snprintf(table->headers[seat], sizeof(table->headers[seat]),
             "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n", token);
    http_free(&reply);
}

static void sit_down(struct table *table, int port)
{
    char path[64];

    *table = (struct table){.port = port, .fd = http_connect(port)};
    take_seat(table, 0, "/v1/games",
              "{\"variant\":\"shogi\",\"options\":{\"repetition\":1000000},"
              "\"seats\":[{\"me\":true},{\"open\":true}]}");
    snprintf(path, sizeof(path), "/v1/games/%s/join", table->id);
    take_seat(table, 1, path, "{}");
}

static void withdraw(struct table *table, const char *offered)
{
    static const char member[] = "\"offer\":{\"id\":";
    const char *at = strstr(offered, member);
    struct http_reply reply;
    char path[96];

    snprintf(path, sizeof(path), "/v1/games/%s/offers/%d", table->id,
             at == NULL ? 0 : atoi(at + strlen(member)));
    ask(table, 0, "DELETE", path, NULL, &reply);
    http_free(&reply);
}

static void play(struct table *table)
{
    struct http_reply reply;
    char path[96], body[32];

    snprintf(path, sizeof(path), "/v1/games/%s/moves/%zu", table->id, table->ply + 1);
    snprintf(body, sizeof(body), "{\"move\":\"%s\"}", shuffle[table->ply % 4]);
    table->ply += ask(table, table->ply % 2, "PUT", path, body, &reply) / 100 == 2;
    http_free(&reply);
}

void worst_offers_storm(int port, atomic_int *done, atomic_int *refused)
{
    struct table table;
    char path[64];

    sit_down(&table, port);
    snprintf(path, sizeof(path), "/v1/games/%s/offers", table.id);
    for (;;) {
        struct http_reply reply;

        if (ask(&table, 0, "POST", path, "{\"kind\":\"draw\"}", &reply) / 100 == 2) {
            atomic_fetch_add(done, 1);
            withdraw(&table, reply.body);
        } else {
            atomic_fetch_add(refused, 1);
            play(&table);
        }
        http_free(&reply);
    }
}
