/*
 * stream.h - answers that do not end: the bytes of streams.
 *
 * Bytes that go out to clients as they become known.
 *
 * A request that is answered by a stream gives its connection to it and is over. libmicrohttpd
 * does not know that connection any more (parts.h), and does not get it back: nothing is read
 * from it, and it ends with the stream.
 *
 * A stream takes one text at a time. What the socket does not take at once is kept, and the stream
 * is ready for the next text when all of it is gone. So a client that reads slowly holds one text,
 * which it may share with a thousand others, and nobody waits for it. It is cut if it takes too
 * long. A stream that has sent nothing for a while sends a heartbeat, which keeps proxies from
 * closing the connection and finds out whether the client is still there.
 *
 * A stream is written to by its owner. Owners are called from streams_look(), streams_run(),
 * stream_begin() and streams_close(), and never from a function that they call themselves. All of
 * this belongs to one loop and its thread.
 */
#ifndef PLYD_API_NET_STREAM_H
#define PLYD_API_NET_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct metrics;
struct request;
struct stream;
struct streams;

/* ---- those of a loop ---- */

struct streams_settings {
    size_t limit;           /* streams in all; a quarter of them may be of one client */
    int64_t beat_us;        /* of silence, before a heartbeat */
    int64_t patience_us;    /* with a client that does not take its text */
    const int64_t *now;     /* the loop's time */
    struct metrics *counts; /* of the loop */
};

/* The usual times. */
#define STREAMS_BEAT_US     (INT64_C(15) * 1000 * 1000)
#define STREAMS_PATIENCE_US (INT64_C(10) * 1000 * 1000)

/* NULL if descriptors are out. */
struct streams *streams_open(const struct streams_settings *settings);

/* Ends the streams that are left, and frees everything. */
void streams_close(struct streams *streams);

/* A descriptor that is readable when streams_look() has something to do. It stays the same. */
int streams_fd(const struct streams *streams);

/* Sends what sockets have room for, and notices clients that have closed their side. Called before
 * the pass. */
void streams_look(struct streams *streams);

/* Called in each pass of the loop. Sends heartbeats, cuts the slow ones, and frees those that have
 * ended. */
void streams_run(struct streams *streams);

/* Milliseconds until streams_run() has something to do even if the descriptor is not readable; -1:
 * any time. */
int streams_timeout_ms(const struct streams *streams);

/* The daemon stops: all streams end, some in each pass, and none begins any more. */
void streams_stop(struct streams *streams);

/* How many there are, those included whose connection has not come yet or that have just ended.
 * NULL has none. */
size_t streams_count(const struct streams *streams);

/* Whether there is room for one more stream of this client (0: of nobody who is counted). */
enum streams_room { STREAMS_ROOM, STREAMS_FULL, STREAMS_FULL_OF_CLIENT };
enum streams_room streams_room(const struct streams *streams, uint64_t client);

/* Whether there is no room for one more of the request's client. Then the request was answered. */
bool streams_refuse(struct request *request);

/* ---- texts ---- */

/* Bytes for any number of streams. A text lives until its maker and all streams that send it have
 * released it, and does not need its streams for that. */
struct stream_text;

/* Makes a copy of these bytes. */
struct stream_text *stream_text(struct streams *streams, const char *bytes, size_t len);
void stream_text_release(struct stream_text *text);

size_t stream_text_len(const struct stream_text *text);

/* ---- one stream ---- */

/* What a stream sends by itself: when there is nothing to say, and at the end of the daemon. Or it
 * is an answer in chunks of HTTP, which a client knows to be whole by the last one, that is empty.
 */
struct stream_form {
    const char *beat, *bye;
    bool chunked;
};

struct stream_owner {
    void (*ready)(void *args); /* everything was sent: the stream takes the next text */
    void (*over)(void *args);  /* it has ended, and is not there any more after this */
    void *args;
};

/* Why a stream ended: its client has closed the connection, its client was too slow, the daemon
 * stops, its owner tells this client nothing more, or everything was told. */
enum stream_end {
    STREAM_END_CLOSED,
    STREAM_END_SLOW,
    STREAM_END_STOPPED,
    STREAM_END_REFUSED,
    STREAM_END_TOLD,
    STREAM_ENDS
};

/* Its name in metrics. */
const char *stream_end_name(enum stream_end end);

/* A new stream, which counts from now on. It is not ready before it has its connection: a request
 * brings that (reply_stream()). */
struct stream *stream_new(struct streams *streams, uint64_t client, const struct stream_form *form,
                          struct stream_owner owner);

/* For exchange.c: the stream goes to the connection of this socket, beginning with these bytes. It
 * has a descriptor of its own: the caller closes `fd`. False if there is none left, or the stream
 * was ended before: then it has to be abandoned. */
bool stream_begin(struct stream *stream, int fd, const char *head, size_t len);

/* Sends a text, of which it becomes a holder if not all of it is gone. Only for a stream that is
 * ready. True: it is ready for the next one. False: it will be, or it has ended. */
bool stream_send(struct stream *stream, struct stream_text *text);

/* The same with a text that no other stream sends, as a chunk if that is its form. */
bool stream_say(struct stream *stream, const char *bytes, size_t len);

/* The last chunk, by which a client knows that it has all, and the fields that HTTP has behind it:
 * "Name: value\r\n", or "". */
bool stream_say_last(struct stream *stream, const char *fields);

/* For exchange.c: a stream that has not begun never will. */
void stream_abandon(struct stream *stream);

/* Ends a stream in the next streams_run(), or before it begins. */
void stream_finish(struct stream *stream, enum stream_end why);

#endif
