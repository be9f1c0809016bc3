#include "stubborn.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/backoff.h"

void stubborn_pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

int stubborn_connect(int port)
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
        ssize_t n = recv(fd, answer + have, STUBBORN_ANSWER_MAX - 1 - have, 0);
        char *end, *length;

        if (n < 0 && errno == EINTR) /* a fault has begun a process, and it has ended */
            continue;
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

int stubborn_once(int port, const char *request, char *answer)
{
    int fd = stubborn_connect(port), status = 0;

    if (fd < 0)
        return 0;
    if (send(fd, request, strlen(request), MSG_NOSIGNAL) == (ssize_t)strlen(request))
        status = read_answer(fd, answer);
    close(fd);
    return status;
}

static int next_port(struct stubborn *stubborn)
{
    bool turn = stubborn->attempts++ % 2 == 1;

    return turn && stubborn->other != 0 ? stubborn->other : stubborn->port;
}

static int send_until_answered(struct stubborn *stubborn, const char *request, char *answer)
{
    for (int tries = 0;; tries++) {
        int status = stubborn_once(next_port(stubborn), request, answer);

        if (tries > 0)
            stubborn->repeated++;
        if (status == 503)
            stubborn->refused++;
        else if (status == 0)
            stubborn->unanswered++;
        else {
            stubborn_pause_ms(stubborn->pause_ms);
            return status;
        }
        if (stubborn->stop && tries > 200)
            return 0;
        stubborn_pause_ms(20);
    }
}

/* ---- holding back ---- */

static bool is_keyed(const char *request)
{
    return strstr(request, "\r\nAuthorization: ") != NULL &&
           strstr(request, "\r\nIdempotency-Key: ") != NULL;
}

void stubborn_hold(struct stubborn *stubborn)
{
    stubborn->held = true;
    for (int looks = 0; stubborn->keyed > 0; looks++)
        back_off(looks);
}

void stubborn_go_on(struct stubborn *stubborn)
{
    stubborn->held = false;
}

/* Counted before it looks, so that stubborn_hold() either sees it or is seen. */
static void begin(struct stubborn *stubborn)
{
    for (int looks = 0;; looks++) {
        stubborn->keyed++;
        if (!stubborn->held)
            return;
        stubborn->keyed--;
        back_off(looks);
    }
}

int stubborn_send(struct stubborn *stubborn, const char *request, char *answer)
{
    bool keyed = is_keyed(request);
    int status;

    if (keyed)
        begin(stubborn);
    status = send_until_answered(stubborn, request, answer);
    if (keyed)
        stubborn->keyed--;
    return status;
}

void stubborn_member(const char *answer, const char *key, char *value, size_t size)
{
    const char *at = strstr(answer, key);

    cr_assert_not_null(at, "no %s in %.500s", key, answer);
    at += strlen(key);
    snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
}
