#include "tests/bench/worst_stalls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/http.h"
#include "tests/support/now.h"

enum { MIB = 1 << 20, OTHER = 150 << 10, FEW = 64 };

/* Who stalls, and another one: an address that stalls may hold up itself. */
#define ATTACKER "X-Forwarded-For: 203.0.113.7\r\n"
#define OTHERS   "X-Forwarded-For: 203.0.113.8\r\n"

static int stalled[WORST_STALLS_MAX], count_stalled;

/* A record of so many bytes, most of which are a comment. */
static const char *record_of(size_t bytes)
{
    static const char begin[] = "{\"format\":\"plyd-record\",\"format_version\":1,"
                                "\"variant\":\"tictactoe\",\"moves\":[{\"move\":\"b2\"}],"
                                "\"comment\":\"";
    static char text[MIB + 1];

    snprintf(text, bytes + 1, "%s%0*d\"}", begin, (int)(bytes - strlen(begin)) - 2, 0);
    return text;
}

/* As far as the kernel takes it. */
static void send_some(int fd, const char *bytes, size_t len)
{
    for (ssize_t n = 1; len > 0 && n > 0; bytes += n > 0 ? n : 0, len -= n > 0 ? (size_t)n : 0)
        n = send(fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static int connect_one(int port)
{
    return stalled[count_stalled++] = http_connect(port);
}

int worst_stalls_bodies(int port, int count)
{
    const char *record = record_of(MIB);
    char head[200];
    int len = snprintf(head, sizeof(head),
                       "POST /v1/games/import HTTP/1.1\r\nHost: x\r\n" ATTACKER
                       "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n",
                       MIB);

    while (count_stalled < count) {
        int fd = connect_one(port);

        send_some(fd, head, (size_t)len);
        send_some(fd, record, MIB - 1);
    }
    return count_stalled;
}

int worst_stalls_connections(int port, int count)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if ((rlim_t)count + FEW > limit.rlim_cur)
        count = (int)limit.rlim_cur - FEW;
    while (count_stalled < count)
        send_some(connect_one(port), "G", 1);
    return count_stalled;
}

void worst_stalls_end(void)
{
    while (count_stalled > 0)
        close(stalled[--count_stalled]);
}

static double ask_on_new_connection(int port, const char *method, const char *path,
                                    const char *body, size_t len, int status)
{
    double begun = seconds_now();
    int fd = http_connect(port);
    struct http_reply reply;

    http_send(fd, method, path, OTHERS "Content-Type: application/json\r\n", body, len);
    http_receive(fd, method, &reply);
    close(fd);
    if (reply.status != status) {
        fprintf(stderr, "worst: %s: %d\n", path, reply.status);
        exit(1);
    }
    http_free(&reply);
    return seconds_now() - begun;
}

double worst_stalls_import(int port)
{
    return ask_on_new_connection(port, "POST", "/v1/games/import", record_of(OTHER), OTHER, 201);
}

double worst_stalls_visit(int port)
{
    return ask_on_new_connection(port, "GET", "/healthz", "", 0, 200);
}
