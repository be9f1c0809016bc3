#include "http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEAD_MAX = 64 << 10 };

/* Tests share a daemon, and each is a process of its own. */
static struct sockaddr_in own_address(void)
{
    uint32_t pid = (uint32_t)getpid();

    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_addr.s_addr =
                                    htonl((127U << 24) + (1U << 22) + (pid & 0x3fffff))};
}

int http_connect(int port)
{
    struct sockaddr_in mine = own_address();
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((in_port_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    /* The port is chosen by connect(): many connections may have the same. */
    if (fd < 0 ||
        setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &(int){1}, sizeof(int)) != 0 ||
        bind(fd, (struct sockaddr *)&mine, sizeof(mine)) != 0 ||
        connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        fprintf(stderr, "http: cannot connect to port %d: %s\n", port, strerror(errno));
        exit(1);
    }
    /* Else a body waits until the system on the other side acknowledges the head: 40 ms. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    return fd;
}

static void send_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);

        if (n <= 0)
            return; /* the answer tells, or its absence */
        bytes += n;
        len -= (size_t)n;
    }
}

void http_send(int fd, const char *method, const char *path, const char *headers, const char *body,
               size_t len)
{
    char length[64] = "";
    size_t size = strlen(method) + strlen(path) + (headers == NULL ? 0 : strlen(headers)) + 128;
    char *head = malloc(size);

    if (head == NULL)
        abort();
    if (body != NULL)
        snprintf(length, sizeof(length), "Content-Length: %zu\r\n", len);
    snprintf(head, size, "%s %s HTTP/1.1\r\nHost: test\r\n%s%s\r\n", method, path,
             headers == NULL ? "" : headers, length);
    send_all(fd, head, strlen(head));
    if (body != NULL)
        send_all(fd, body, len);
    free(head);
}

/* Reads up to the blank line. It looks at what has come before it takes it, so that nothing of a
 * next answer is taken. */
static char *receive_head(int fd)
{
    char *head = calloc(1, HEAD_MAX);
    size_t len = 0;

    if (head == NULL)
        abort();
    while (len < HEAD_MAX - 1) {
        ssize_t seen = recv(fd, head + len, HEAD_MAX - 1 - len, MSG_PEEK);
        size_t from = len < 3 ? 0 : len - 3;
        char *end =
            seen <= 0 ? NULL : memmem(head + from, len + (size_t)seen - from, "\r\n\r\n", 4);

        if (seen <= 0) {
            free(head);
            return NULL;
        }
        seen = recv(fd, head + len, end == NULL ? (size_t)seen : (size_t)(end + 4 - head) - len, 0);
        len += (size_t)seen;
        if (end != NULL)
            break;
    }
    head[len] = '\0';
    return head;
}

/* A line without its end. False: the connection broke. */
static bool receive_line(int fd, char *line, size_t size)
{
    size_t len = 0;

    while (len < size - 1 && recv(fd, line + len, 1, 0) == 1)
        if (line[len++] == '\n') {
            line[len - (len > 1 && line[len - 2] == '\r' ? 2 : 1)] = '\0';
            return true;
        }
    return false;
}

/* The fields behind the last chunk, which are kept behind the headers. */
static void receive_trailer(int fd, struct http_reply *reply)
{
    char line[256];

    while (reply->status != 0) {
        size_t len = strlen(reply->headers);

        if (!receive_line(fd, line, sizeof(line)))
            reply->status = 0;
        else if (line[0] == '\0')
            return;
        reply->headers = realloc(reply->headers, len + sizeof(line) + 3);
        if (reply->headers == NULL)
            abort();
        snprintf(reply->headers + len, sizeof(line) + 3, "%s\r\n", line);
    }
}

/* A body in chunks. One that ends without the last of them is no answer. */
static void receive_chunks(int fd, struct http_reply *reply)
{
    char line[64];
    size_t more = 0, at;

    do {
        if (!receive_line(fd, line, sizeof(line))) {
            reply->status = 0;
            return;
        }
        more = strtoul(line, NULL, 16);
        reply->body = realloc(reply->body, reply->len + more + 1);
        if (reply->body == NULL)
            abort();
        for (at = 0; at < more;) {
            ssize_t n = recv(fd, reply->body + reply->len + at, more - at, 0);

            if (n <= 0) {
                reply->status = 0;
                return;
            }
            at += (size_t)n;
        }
        reply->len += more;
        reply->body[reply->len] = '\0';
        if (more > 0 && !receive_line(fd, line, sizeof(line))) {
            reply->status = 0;
            return;
        }
    } while (more > 0);
    receive_trailer(fd, reply);
}

void http_receive(int fd, const char *method, struct http_reply *reply)
{
    char length[256];
    size_t at = 0;

    memset(reply, 0, sizeof(*reply));
    do {
        free(reply->headers);
        reply->headers = receive_head(fd);
        if (reply->headers == NULL || sscanf(reply->headers, "HTTP/1.1 %d", &reply->status) != 1)
            reply->status = 0;
    } while (reply->status == 100);
    reply->len = reply->status != 0 && strcmp(method, "HEAD") != 0 &&
                         http_header(reply, "Content-Length", length) != NULL
                     ? strtoul(length, NULL, 10)
                     : 0;
    reply->body = calloc(1, reply->len + 1);
    if (reply->body == NULL)
        abort();
    if (strcmp(method, "HEAD") != 0 && http_header(reply, "Transfer-Encoding", length) != NULL)
        receive_chunks(fd, reply);
    while (at < reply->len && http_header(reply, "Transfer-Encoding", length) == NULL) {
        ssize_t n = recv(fd, reply->body + at, reply->len - at, 0);

        if (n <= 0) {
            reply->status = 0;
            return;
        }
        at += (size_t)n;
    }
}

void http_request(int port, struct http_reply *reply, const char *method, const char *path,
                  const char *headers, const char *body)
{
    int fd = http_connect(port);

    http_send(fd, method, path, headers, body, body == NULL ? 0 : strlen(body));
    http_receive(fd, method, reply);
    close(fd);
}

const char *http_header(const struct http_reply *reply, const char *name, char value[256])
{
    const char *line = reply->headers == NULL ? NULL : strstr(reply->headers, "\r\n");
    size_t len = strlen(name);

    for (; line != NULL && line[2] != '\0'; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, len) != 0 || line[2 + len] != ':')
            continue;
        line += 2 + len + 1;
        line += strspn(line, " ");
        snprintf(value, 256, "%.*s", (int)strcspn(line, "\r"), line);
        return value;
    }
    return NULL;
}

bool http_copy_member(const char *body, const char *name, char *value, size_t size)
{
    char member[64];
    const char *at;

    snprintf(member, sizeof(member), "\"%s\":\"", name);
    at = strstr(body, member);
    if (at == NULL)
        return false;
    at += strlen(member);
    snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
    return true;
}

void http_free(struct http_reply *reply)
{
    free(reply->headers);
    free(reply->body);
    memset(reply, 0, sizeof(*reply));
}
