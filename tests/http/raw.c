#include "raw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/http.h"

enum { ALL_MAX = 1 << 20 };

int raw_say(int port, const char *bytes, size_t len)
{
    int fd = http_connect(port);

    for (size_t at = 0; at < len;) {
        ssize_t n = send(fd, bytes + at, len - at, MSG_NOSIGNAL);

        if (n <= 0)
            break; /* a cut is allowed */
        at += (size_t)n;
    }
    return fd;
}

char *raw_hear(int fd)
{
    size_t len = 0;
    char *text = calloc(1, ALL_MAX);

    if (text == NULL)
        abort();
    for (ssize_t n; (n = recv(fd, text + len, ALL_MAX - 1 - len, 0)) > 0;)
        len += (size_t)n;
    close(fd);
    return text;
}

/* The length of the answer at the beginning of a text; 0: there is none. Writes its status. */
static size_t answer_length(const char *text, char status[4])
{
    const char *end = strstr(text, "\r\n\r\n"), *length = strstr(text, "Content-Length: ");
    size_t body = 0;

    if (strncmp(text, "HTTP/1.1 ", 9) != 0 || end == NULL)
        return 0;
    snprintf(status, 4, "%.3s", text + 9);
    if (length != NULL && length < end)
        body = strtoul(length + 16, NULL, 10);
    return (size_t)(end + 4 - text) + body;
}

void raw_statuses(const char *text, char statuses[RAW_STATUSES])
{
    char status[4];

    *statuses = '\0';
    for (size_t len; (len = answer_length(text, status)) > 0 && strlen(statuses) < 200;) {
        if (*statuses != '\0')
            strcat(statuses, " ");
        strcat(statuses, status);
        text += len < strlen(text) ? len : strlen(text);
    }
}
