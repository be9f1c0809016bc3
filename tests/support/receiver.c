#include "receiver.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backoff.h"
#include "die.h"

enum { REQUEST_MAX = 16 << 10, BYTE_US = 20000 };

struct visitor {
    struct receiver *receiver;
    int fd;
};

/* ---- requests ---- */

static void copy_header(const char *request, const char *name, char *value, size_t size)
{
    const char *at = strcasestr(request, name);
    size_t len;

    *value = '\0';
    if (at == NULL)
        return;
    at += strlen(name);
    at += strspn(at, " ");
    len = strcspn(at, "\r\n");
    snprintf(value, size, "%.*s", (int)len, at);
}

/* Reads a request with its body. False: it did not come as a whole. */
static bool read_request(int fd, char request[REQUEST_MAX], const char **body, size_t *body_len)
{
    size_t len = 0;
    char length[16];

    for (;;) {
        ssize_t got = recv(fd, request + len, REQUEST_MAX - 1 - len, 0);
        const char *end;

        if (got <= 0)
            return false;
        len += (size_t)got;
        request[len] = '\0';
        end = strstr(request, "\r\n\r\n");
        if (end == NULL)
            continue;
        copy_header(request, "\r\nContent-Length:", length, sizeof(length));
        *body = end + 4;
        *body_len = strtoul(length, NULL, 10);
        if ((size_t)(request + len - *body) >= *body_len)
            return true;
    }
}

static struct receiver_message *new_message(struct receiver *receiver)
{
    struct receiver_message *message = calloc(1, sizeof(*message));

    if (receiver->count == receiver->room) {
        receiver->room = 2 * receiver->room + 64;
        receiver->message = realloc(receiver->message, receiver->room * sizeof(*receiver->message));
    }
    if (receiver->message == NULL || message == NULL)
        die("memory: %m");
    return message;
}

static bool has_come(const struct receiver *receiver, const char *id)
{
    for (size_t i = 0; i < receiver->count; i++)
        if (strcmp(receiver->message[i]->id, id) == 0)
            return true;
    return false;
}

static void keep(struct receiver *receiver, const char *request, const char *body, size_t len)
{
    struct receiver_message *message = new_message(receiver);

    sscanf(request, "POST %63s", message->path);
    copy_header(request, "\r\nwebhook-id:", message->id, sizeof(message->id));
    copy_header(request, "\r\nwebhook-timestamp:", message->timestamp, sizeof(message->timestamp));
    copy_header(request, "\r\nwebhook-signature:", message->signature, sizeof(message->signature));
    copy_header(request, "\r\nUser-Agent:", message->agent, sizeof(message->agent));
    copy_header(request, "\r\nContent-Type:", message->type, sizeof(message->type));
    copy_header(request, "\r\nContent-Encoding:", message->encoding, sizeof(message->encoding));
    copy_header(request, "\r\nTTL:", message->ttl, sizeof(message->ttl));
    copy_header(request, "\r\nUrgency:", message->urgency, sizeof(message->urgency));
    copy_header(request, "\r\nTopic:", message->topic, sizeof(message->topic));
    copy_header(request, "\r\nAuthorization:", message->authorization,
                sizeof(message->authorization));
    message->body = calloc(1, len + 1);
    memcpy(message->body, body, len);
    message->len = len;
    message->again = has_come(receiver, message->id);
    receiver->message[receiver->count++] = message;
}

/* ---- answers ---- */

static void answer(struct receiver *receiver, int fd, const char *bytes, size_t len, bool by_byte)
{
    (void)receiver;
    for (size_t sent = 0; sent < len;) {
        ssize_t put = send(fd, bytes + sent, by_byte ? 1 : len - sent, MSG_NOSIGNAL);

        if (put <= 0)
            return;
        sent += (size_t)put;
        if (by_byte)
            usleep(BYTE_US);
    }
}

static void await_close(int fd)
{
    char bytes[256];

    while (recv(fd, bytes, sizeof(bytes), 0) > 0) {
    }
}

static void *serve(void *cls)
{
    struct visitor visitor = *(struct visitor *)cls;
    struct receiver *receiver = visitor.receiver;
    char *request = malloc(REQUEST_MAX);
    const char *body, *bytes = NULL;
    bool by_byte = false, silent = false;
    size_t len = 0, body_len = 0;

    free(cls);
    if (read_request(visitor.fd, request, &body, &body_len)) {
        pthread_mutex_lock(&receiver->lock);
        keep(receiver, request, body, body_len);
        bytes = receiver->answer;
        len = receiver->answer_len;
        by_byte = receiver->by_byte;
        silent = receiver->silent;
        if (++receiver->under_way > receiver->most_under_way)
            receiver->most_under_way = receiver->under_way;
        pthread_mutex_unlock(&receiver->lock);
        if (silent)
            await_close(visitor.fd);
        else
            answer(receiver, visitor.fd, bytes, len, by_byte);
        pthread_mutex_lock(&receiver->lock);
        receiver->under_way--;
        pthread_mutex_unlock(&receiver->lock);
    }
    free(request);
    shutdown(visitor.fd, SHUT_WR);
    close(visitor.fd);
    pthread_mutex_lock(&receiver->lock);
    receiver->connections--;
    pthread_mutex_unlock(&receiver->lock);
    return NULL;
}

/* ---- the listener ---- */

static bool is_ending(struct receiver *receiver)
{
    bool ending;

    pthread_mutex_lock(&receiver->lock);
    ending = receiver->ending;
    pthread_mutex_unlock(&receiver->lock);
    return ending;
}

static void *listen_on(void *cls)
{
    struct receiver *receiver = cls;
    struct pollfd ready = {receiver->listener, POLLIN, 0};

    while (!is_ending(receiver)) {
        struct visitor *visitor;
        pthread_t thread;
        int fd;

        if (poll(&ready, 1, 50) <= 0)
            continue;
        fd = accept4(receiver->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            continue;
        visitor = malloc(sizeof(*visitor));
        *visitor = (struct visitor){receiver, fd};
        pthread_mutex_lock(&receiver->lock);
        receiver->connections++;
        pthread_mutex_unlock(&receiver->lock);
        if (pthread_create(&thread, NULL, serve, visitor) != 0)
            die("pthread_create: %m");
        pthread_detach(thread);
    }
    return NULL;
}

void receiver_start(struct receiver *receiver)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);

    memset(receiver, 0, sizeof(*receiver));
    pthread_mutex_init(&receiver->lock, NULL);
    receiver_answers(receiver, RECEIVER_OK, sizeof(RECEIVER_OK) - 1, false);
    receiver->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(receiver->listener, (struct sockaddr *)&address, size) != 0 ||
        listen(receiver->listener, 128) != 0 ||
        getsockname(receiver->listener, (struct sockaddr *)&address, &size) != 0)
        die("listen: %m");
    receiver->port = ntohs(address.sin_port);
    if (pthread_create(&receiver->thread, NULL, listen_on, receiver) != 0)
        die("pthread_create: %m");
}

/* The threads of its connections end when those do. */
void receiver_stop(struct receiver *receiver)
{
    bool busy = true;

    pthread_mutex_lock(&receiver->lock);
    receiver->ending = true;
    pthread_mutex_unlock(&receiver->lock);
    pthread_join(receiver->thread, NULL);
    close(receiver->listener);
    for (int looks = 0; busy; looks++) {
        pthread_mutex_lock(&receiver->lock);
        busy = receiver->connections > 0;
        pthread_mutex_unlock(&receiver->lock);
        if (busy)
            back_off(looks);
    }
    for (size_t i = 0; i < receiver->count; i++) {
        free(receiver->message[i]->body);
        free(receiver->message[i]);
    }
    free(receiver->message);
}

/* ---- for tests ---- */

void receiver_answers(struct receiver *receiver, const char *bytes, size_t len, bool by_byte)
{
    pthread_mutex_lock(&receiver->lock);
    receiver->answer = bytes;
    receiver->answer_len = len;
    receiver->by_byte = by_byte;
    receiver->silent = false;
    pthread_mutex_unlock(&receiver->lock);
}

void receiver_falls_silent(struct receiver *receiver)
{
    pthread_mutex_lock(&receiver->lock);
    receiver->silent = true;
    pthread_mutex_unlock(&receiver->lock);
}

size_t receiver_count(struct receiver *receiver)
{
    size_t count;

    pthread_mutex_lock(&receiver->lock);
    count = receiver->count;
    pthread_mutex_unlock(&receiver->lock);
    return count;
}

size_t receiver_most_at_once(struct receiver *receiver)
{
    size_t most;

    pthread_mutex_lock(&receiver->lock);
    most = receiver->most_under_way;
    pthread_mutex_unlock(&receiver->lock);
    return most;
}

size_t receiver_under_way(struct receiver *receiver)
{
    size_t count;

    pthread_mutex_lock(&receiver->lock);
    count = receiver->under_way;
    pthread_mutex_unlock(&receiver->lock);
    return count;
}

void receiver_await(struct receiver *receiver, size_t count)
{
    for (int looks = 0; receiver_count(receiver) < count; looks++)
        back_off(looks);
}

const struct receiver_message *receiver_message(struct receiver *receiver, size_t i)
{
    const struct receiver_message *message;

    pthread_mutex_lock(&receiver->lock);
    message = receiver->message[i];
    pthread_mutex_unlock(&receiver->lock);
    return message;
}

/* The data of some events name other games, too. */
static bool is_about(const char *body, const char *about)
{
    const char *data = strstr(body, "\"data\":{");

    return data != NULL && strncmp(data, about, strlen(about)) == 0;
}

void receiver_versions(struct receiver *receiver, const char *game, char *text, size_t size)
{
    size_t count = receiver_count(receiver), len = 0;
    char about[64];

    *text = '\0';
    snprintf(about, sizeof(about), "\"data\":{\"game\":\"%s\"", game);
    for (size_t i = 0; i < count; i++) {
        const struct receiver_message *message = receiver_message(receiver, i);
        const char *version = strstr(message->body, "\"version\":");

        if (version == NULL || !is_about(message->body, about) || message->again)
            continue;
        len += (size_t)snprintf(text + len, len < size ? size - len : 0, "%s%ld",
                                len > 0 ? " " : "", strtol(version + 10, NULL, 10));
    }
}
