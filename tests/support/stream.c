#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void *must(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

/* Reads what there is. 0: the stream has ended. */
static int read_more(struct stream *stream)
{
    ssize_t n;

    if (stream->taken > 0) {
        stream->len -= stream->taken;
        memmove(stream->text, stream->text + stream->taken, stream->len);
        stream->taken = 0;
        stream->text[stream->len] = '\0';
    }
    if (stream->size - stream->len < 4096) {
        stream->size = 2 * stream->size + 16384;
        stream->text = must(realloc(stream->text, stream->size));
    }
    n = recv(stream->fd, stream->text + stream->len, stream->size - stream->len - 1, 0);
    if (n <= 0)
        return 0;
    stream->len += (size_t)n;
    stream->text[stream->len] = '\0';
    return 1;
}

/* Takes what stands before `end`, which becomes a text, and reads until that has come. NULL: the
 * stream has ended. */
static char *take_until(struct stream *stream, const char *end)
{
    size_t seen = 0;

    for (;;) {
        char *at = stream->text + stream->taken, *found;

        found = stream->len <= stream->taken + seen ? NULL : strstr(at + seen, end);
        if (found != NULL) {
            *found = '\0';
            stream->taken = (size_t)(found - stream->text) + strlen(end);
            return at;
        }
        seen = stream->len - stream->taken;
        seen -= seen < strlen(end) ? seen : strlen(end);
        if (!read_more(stream))
            return NULL;
    }
}

void stream_open(struct stream *stream, int port, const char *path, const char *headers,
                 struct http_reply *head)
{
    stream_open_on(stream, http_connect(port), path, headers, head);
}

void stream_open_on(struct stream *stream, int fd, const char *path, const char *headers,
                    struct http_reply *head)
{
    char *text;

    memset(stream, 0, sizeof(*stream));
    memset(head, 0, sizeof(*head));
    stream->fd = fd;
    stream->text = must(calloc(1, 1));
    http_send(stream->fd, "GET", path, headers, NULL, 0);
    text = take_until(stream, "\r\n\r\n");
    if (text == NULL)
        return;
    head->status = atoi(text + strlen("HTTP/1.1 "));
    head->headers = must(malloc(strlen(text) + 3));
    sprintf(head->headers, "%s\r\n", text);
    head->body = must(strdup(""));
}

/* The value of a field of a message, which is made a text. NULL: it has no such field. */
static char *field(char *text, const char *name)
{
    char *at = text;

    while (at != NULL && strncmp(at, name, strlen(name)) != 0)
        at = strchr(at, '\n') == NULL ? NULL : strchr(at, '\n') + 1;
    return at == NULL ? NULL : at + strlen(name);
}

static void cut_line(char *text)
{
    if (text != NULL)
        text[strcspn(text, "\n")] = '\0';
}

int stream_message(struct stream *stream, struct stream_message *message)
{
    for (;;) {
        char *text = take_until(stream, "\n\n"), *id, *event, *data;

        if (text == NULL)
            return 0;
        id = field(text, "id: ");
        event = field(text, "event: ");
        data = field(text, "data: ");
        if (data == NULL) {
            stream->beats += *text == ':';
            continue;
        }
        cut_line(id);
        cut_line(event);
        cut_line(data);
        *message = (struct stream_message){id == NULL ? 0 : atoi(id), id, event, data};
        return 1;
    }
}

int stream_line(struct stream *stream, const char **line)
{
    do {
        *line = take_until(stream, "\n");
        stream->beats += *line != NULL && **line == '\0';
    } while (*line != NULL && **line == '\0');
    return *line != NULL;
}

char *stream_rest(struct stream *stream)
{
    while (read_more(stream)) {
    }
    return must(strdup(stream->text + stream->taken));
}

void stream_close(struct stream *stream)
{
    close(stream->fd);
    free(stream->text);
}
