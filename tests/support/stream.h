/*
 * stream.h - a client of streams for tests: Server-Sent Events, or JSON one object a line.
 */
#ifndef PLYD_TESTS_SUPPORT_STREAM_H
#define PLYD_TESTS_SUPPORT_STREAM_H

#include <stddef.h>

#include "http.h"

struct stream {
    int fd;
    char *text; /* what has come and was not taken yet */
    size_t len, size;
    size_t taken;
    int beats; /* comments or empty lines so far */
};

/* A message. The texts stay until the next one is taken. */
struct stream_message {
    int id;             /* 0: none, or it is no number */
    const char *cursor; /* the same as a text */
    const char *event;
    const char *data;
};

/* Asks for a stream and takes the head of the answer, without a body. http_free() frees that. */
void stream_open(struct stream *stream, int port, const char *path, const char *headers,
                 struct http_reply *head);

/* The same on a connection that is there. The status of the head is 0 if it broke. */
void stream_open_on(struct stream *stream, int fd, const char *path, const char *headers,
                    struct http_reply *head);

/* Takes the next message, or the next line as its data. Waits for it. 0: the stream has ended, and
 * what was left is no whole message; or recv() has failed, as errno tells: if it was only a
 * timeout, the stream may be asked again. */
int stream_message(struct stream *stream, struct stream_message *message);
int stream_line(struct stream *stream, const char **line);

/* Everything up to the end of the stream. The caller frees it. */
char *stream_rest(struct stream *stream);

void stream_close(struct stream *stream);

#endif
