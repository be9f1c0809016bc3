#include "tests/support/rival.h"

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
    fprintf(stderr, "rival: %s: %d %.300s\n", what, reply->status,
            reply->body == NULL ? "" : reply->body);
    exit(1);
}

/* Asks again while there is no room, or the quota is used up. */
static void ask(struct rival *rival, const char *method, const char *path, const char *more,
                const char *body, struct http_reply *reply)
{
    enum { PAUSE_US = 200000 };
    char headers[1024];

    snprintf(headers, sizeof(headers), "%s%s", rival->headers, more);
    for (;;) {
        http_send(rival->fd, method, path, headers, body, body == NULL ? 0 : strlen(body));
        http_receive(rival->fd, method, reply);
        if (reply->status != 0 && reply->status != 429 && reply->status != 503)
            return;
        if (reply->status == 0) {
            close(rival->fd);
            rival->fd = http_connect(rival->port);
        }
        http_free(reply);
        usleep(PAUSE_US);
    }
}

void rival_begin(struct rival *rival, int port, const char *variant, int level, const char *address)
{
    struct http_reply reply;
    char body[256], token[96];

    *rival = (struct rival){.port = port, .fd = http_connect(port)};
    snprintf(rival->headers, sizeof(rival->headers),
             "Content-Type: application/json\r\nX-Forwarded-For: %s\r\n", address);
    snprintf(body, sizeof(body),
             "{\"variant\":\"%s\",\"seats\":[{\"engine\":\"plyd\",\"level\":%d},{\"me\":true}]}",
             variant, level);
    ask(rival, "POST", "/v1/games", "", body, &reply);
    if (reply.status != 201 || !http_copy_member(reply.body, "id", rival->id, sizeof(rival->id)) ||
        !http_copy_member(reply.body, "token", token, sizeof(token)))
        fail("no game", &reply);
    http_free(&reply);
    snprintf(rival->headers + strlen(rival->headers),
             sizeof(rival->headers) - strlen(rival->headers), "Authorization: Bearer %s\r\n",
             token);
}

static int number_of(const char *body, const char *member)
{
    const char *at = strstr(body, member);

    return at == NULL ? -1 : atoi(at + strlen(member));
}

bool rival_await(struct rival *rival, double seconds)
{
    double end = seconds_now() + seconds;
    char path[64], more[64] = "";
    bool moved = false;

    snprintf(path, sizeof(path), "/v1/games/%s", rival->id);
    while (!moved && seconds_now() < end) {
        struct http_reply reply;

        ask(rival, "GET", path, more, NULL, &reply);
        moved = reply.status == 200 && number_of(reply.body, "\"ply\":") > 0;
        if (reply.status == 200)
            snprintf(more, sizeof(more), "Prefer: wait=5\r\nIf-None-Match: \"%d\"\r\n",
                     number_of(reply.body, "\"version\":"));
        http_free(&reply);
    }
    return moved;
}

static void post(struct rival *rival, const char *deed, const char *body)
{
    struct http_reply reply;
    char path[64];

    snprintf(path, sizeof(path), "/v1/games/%s/%s", rival->id, deed);
    ask(rival, "POST", path, "", body, &reply);
    if (reply.status != 200)
        fail(deed, &reply);
    http_free(&reply);
}

void rival_again(struct rival *rival)
{
    post(rival, "undo", "{\"to_ply\":0}");
}

void rival_end(struct rival *rival)
{
    post(rival, "resign", "{}");
    close(rival->fd);
}

pid_t rival_start(int port, const char *variant, int level, const char *address)
{
    enum { LONG_S = 3600 };
    struct rival rival;
    pid_t pid = fork();

    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    rival_begin(&rival, port, variant, level, address);
    while (rival_await(&rival, LONG_S))
        rival_again(&rival);
    exit(1);
}
