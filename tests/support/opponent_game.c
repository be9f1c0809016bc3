#include "tests/support/opponent_game.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tests/support/http.h"
#include "tests/support/now.h"

static void fail(const char *what, const struct http_reply *reply)
{
    fprintf(stderr, "game: %s: %d %.300s\n", what, reply->status,
            reply->body == NULL ? "" : reply->body);
    exit(1);
}

/* Asks again while there is no room, or the quota is used up. */
static void ask(struct opponent_game *game, const char *method, const char *path, const char *more,
                const char *body, struct http_reply *reply)
{
    enum { PAUSE_US = 200000 };
    char headers[1024];

    snprintf(headers, sizeof(headers), "%s%s", game->headers, more);
    for (;;) {
        http_send(game->fd, method, path, headers, body, body == NULL ? 0 : strlen(body));
        http_receive(game->fd, method, reply);
        if (reply->status != 0 && reply->status != 429 && reply->status != 503)
            return;
        if (reply->status == 0) {
            close(game->fd);
            game->fd = http_connect(game->port);
        }
        http_free(reply);
        usleep(PAUSE_US);
    }
}

void opponent_game_begin(struct opponent_game *game, int port, const char *variant, int level,
                         const char *address)
{
    struct http_reply reply;
    char body[256], token[96];

    *game = (struct opponent_game){.port = port, .fd = http_connect(port)};
    snprintf(game->headers, sizeof(game->headers),
             "Content-Type: application/json\r\nX-Forwarded-For: %s\r\n", address);
    snprintf(body, sizeof(body),
             "{\"variant\":\"%s\",\"seats\":[{\"engine\":\"plyd\",\"level\":%d},{\"me\":true}]}",
             variant, level);
    ask(game, "POST", "/v1/games", "", body, &reply);
    if (reply.status != 201 || !http_copy_member(reply.body, "id", game->id, sizeof(game->id)) ||
        !http_copy_member(reply.body, "token", token, sizeof(token)))
        fail("no game", &reply);
    http_free(&reply);
    snprintf(game->headers + strlen(game->headers), sizeof(game->headers) - strlen(game->headers),
             "Authorization: Bearer %s\r\n", token);
}

static int number_of(const char *body, const char *member)
{
    const char *at = strstr(body, member);

    return at == NULL ? -1 : atoi(at + strlen(member));
}

bool opponent_game_await(struct opponent_game *game, double seconds)
{
    double end = seconds_now() + seconds;
    char path[64], more[64] = "";
    bool moved = false;

    snprintf(path, sizeof(path), "/v1/games/%s", game->id);
    while (!moved && seconds_now() < end) {
        struct http_reply reply;

        ask(game, "GET", path, more, NULL, &reply);
        moved = reply.status == 200 && number_of(reply.body, "\"ply\":") > 0;
        if (reply.status == 200)
            snprintf(more, sizeof(more), "Prefer: wait=5\r\nIf-None-Match: \"%d\"\r\n",
                     number_of(reply.body, "\"version\":"));
        http_free(&reply);
    }
    return moved;
}

static void post(struct opponent_game *game, const char *deed, const char *body)
{
    struct http_reply reply;
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s/%s", game->id, deed);
    ask(game, "POST", path, "", body, &reply);
    if (reply.status != 200)
        fail(deed, &reply);
    http_free(&reply);
}

void opponent_game_again(struct opponent_game *game)
{
    post(game, "undo", "{\"to_ply\":0}");
}

void opponent_game_end(struct opponent_game *game)
{
    post(game, "resign", "{}");
    close(game->fd);
}

pid_t opponent_game_start(int port, const char *variant, int level, const char *address)
{
    enum { LONG_S = 3600 };
    struct opponent_game game;
    pid_t pid = fork();

    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    opponent_game_begin(&game, port, variant, level, address);
    while (opponent_game_await(&game, LONG_S))
        opponent_game_again(&game);
    exit(1);
}
