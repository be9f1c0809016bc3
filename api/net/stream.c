#include "api/net/stream.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/loop/config.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/loop/part.h"
#include "api/text/arena.h"
#include "api/text/map.h"
#include "api/text/must.h"
#include "api/text/out.h"

enum {
    LOOK_MAX = 128,       /* sockets that are attended to in one look */
    BEATS_MAX = 64,       /* heartbeats in one pass */
    ENDS_MAX = 128,       /* streams that are closed in one pass */
    TEXT_SHARE = 8 << 10, /* bytes of texts for each stream that there may be */
    SEND_BUFFER = 16 << 10,
    RECEIVE_BUFFER = 4 << 10, /* for bytes that nobody reads */
    LOST_MS = 60000           /* until a client is given up that acknowledges nothing */
};

struct stream_text {
    struct metrics *counts;
    size_t holders;
    size_t len;
    char bytes[];
};

/* FRESH: its request is to bring its connection, and points to it. QUIET: all was sent. BUSY: it
 * has a text that was not sent whole. ENDED: it is to be closed. */
enum state { FRESH, QUIET, BUSY, ENDED, STATES };

struct stream {
    struct streams *streams;
    TAILQ_ENTRY(stream) age; /* in the list of its state */
    enum state state;
    bool refused;             /* it was ended before it began */
    int fd;                   /* -1: none */
    int64_t since;            /* when it came to its state, or last sent something in it */
    struct stream_text *text; /* BUSY: what is being sent, and how much of it was */
    size_t sent;
    uint64_t client;
    const struct stream_form *form;
    struct stream_owner owner;
};

struct list {
    TAILQ_HEAD(, stream) streams; /* by `since` */
    size_t count;
};

/* How many streams a client has. */
struct crowd {
    uint64_t client;
    size_t count;
    struct map_link link;
};

struct streams {
    struct streams_settings settings;
    int epoll;
    struct list in[STATES];
    bool stopping;
    struct map crowds; /* by client */
};

const char *stream_end_name(enum stream_end end)
{
    static const char *const names[STREAM_ENDS] = {"closed", "slow", "stopped", "refused", "told"};

    return names[end];
}

_Static_assert((int)STREAM_ENDS <= (int)METRICS_STREAM_ENDS, "every end has its counter");

/* ---- opening and closing ---- */

struct streams *streams_open(const struct streams_settings *settings)
{
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct streams *streams;

    if (epoll < 0)
        return NULL;
    streams = must_zero(sizeof(*streams));
    streams->settings = *settings;
    streams->epoll = epoll;
    for (int state = 0; state < STATES; state++)
        TAILQ_INIT(&streams->in[state].streams);
    map_open(&streams->crowds, sizeof(uint64_t), settings->limit);
    return streams;
}

int streams_fd(const struct streams *streams)
{
    return streams->epoll;
}

size_t streams_count(const struct streams *streams)
{
    size_t count = 0;

    for (int state = 0; streams != NULL && state < STATES; state++)
        count += streams->in[state].count;
    return count;
}

/* ---- clients ---- */

static void count_client(struct streams *streams, uint64_t client)
{
    struct crowd *crowd = map_find(&streams->crowds, &client);

    if (client == 0)
        return;
    if (crowd == NULL) {
        crowd = must_zero(sizeof(*crowd));
        crowd->client = client;
        map_put(&streams->crowds, &crowd->link, &crowd->client, crowd);
    }
    crowd->count++;
}

static void forget_client(struct streams *streams, uint64_t client)
{
    struct crowd *crowd = map_find(&streams->crowds, &client);

    if (crowd == NULL || --crowd->count > 0)
        return;
    map_take(&streams->crowds, &crowd->link);
    free(crowd);
}

enum streams_room streams_room(const struct streams *streams, uint64_t client)
{
    size_t limit = streams->settings.limit, share = limit / 4 > 0 ? limit / 4 : 1;
    const struct crowd *crowd = client == 0 ? NULL : map_find(&streams->crowds, &client);

    if (streams->stopping || streams_count(streams) >= limit)
        return STREAMS_FULL;
    return crowd != NULL && crowd->count >= share ? STREAMS_FULL_OF_CLIENT : STREAMS_ROOM;
}

bool streams_refuse(struct request *request)
{
    enum streams_room room = streams_room(streams_of(request->loop), request->client);

    if (room == STREAMS_ROOM)
        return false;
    reply_header(request, "Retry-After", "10");
    if (room == STREAMS_FULL)
        reply_problem(request, PROBLEM_OVERLOADED, "Too many streams are open here.");
    else
        reply_problem(request, PROBLEM_TOO_MANY_STREAMS, NULL);
    return true;
}

/* ---- texts ---- */

struct stream_text *stream_text(struct streams *streams, const char *bytes, size_t len)
{
    struct stream_text *text = must_alloc(sizeof(*text) + len);

    *text = (struct stream_text){streams->settings.counts, 1, len};
    memcpy(text->bytes, bytes, len);
    metrics_add(&text->counts->stream_bytes, len);
    return text;
}

void stream_text_release(struct stream_text *text)
{
    if (--text->holders > 0)
        return;
    metrics_sub(&text->counts->stream_bytes, text->len);
    free(text);
}

size_t stream_text_len(const struct stream_text *text)
{
    return text->len;
}

/* ---- states ---- */

static struct stream *oldest(const struct list *list)
{
    return TAILQ_FIRST(&list->streams);
}

static void take_stream_out(struct stream *stream)
{
    struct list *list = &stream->streams->in[stream->state];

    TAILQ_REMOVE(&list->streams, stream, age);
    assert(list->count > 0);
    list->count--;
}

/* The time is always the newest, so each list is in its order, and its first is the oldest. */
static void put_in(struct stream *stream, enum state state)
{
    struct list *list = &stream->streams->in[state];

    stream->state = state;
    stream->since = *stream->streams->settings.now;
    TAILQ_INSERT_TAIL(&list->streams, stream, age);
    list->count++;
}

static void move_to(struct stream *stream, enum state state)
{
    take_stream_out(stream);
    put_in(stream, state);
}

static void let_stream_go(struct stream *stream)
{
    if (stream->text != NULL)
        stream_text_release(stream->text);
    stream->text = NULL;
}

/* It lets go of its text at once: the memory that slow clients hold counts (cut_slow()), and a
 * stream that has ended sends nothing more. */
static void end_now(struct stream *stream, enum stream_end why)
{
    if (stream->state == ENDED)
        return;
    let_stream_go(stream);
    move_to(stream, ENDED);
    log_event(LOG_DEBUG, "stream-end", "because", stream_end_name(why), NULL);
    metrics_add(&stream->streams->settings.counts->streams_ended[why], 1);
}

/* A stream that is FRESH has to stay, because its request points to it, and ends when the request
 * abandons it. Any other is only marked here, and is freed by end_some(): owners may call this
 * while they walk over their streams. */
void stream_finish(struct stream *stream, enum stream_end why)
{
    stream->refused = true;
    if (stream->state != FRESH)
        end_now(stream, why);
}

void stream_abandon(struct stream *stream)
{
    end_now(stream, STREAM_END_CLOSED);
}

/* ---- sending ---- */

/* How many of these bytes the socket took. If the connection is broken, the stream ends. */
static size_t push(struct stream *stream, const char *bytes, size_t len)
{
    ssize_t n = send(stream->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);

    if (n >= 0)
        return (size_t)n;
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        stream_finish(stream, STREAM_END_CLOSED);
    return 0;
}

static void keep_stream_text(struct stream *stream, struct stream_text *text, size_t sent)
{
    text->holders++;
    stream->text = text;
    stream->sent = sent;
    move_to(stream, BUSY);
}

bool stream_send(struct stream *stream, struct stream_text *text)
{
    size_t sent;

    if (stream->state != QUIET)
        return false;
    sent = push(stream, text->bytes, text->len);
    /* push() has found that the connection is broken. */
    if (stream->state == ENDED)
        return false;
    if (sent < text->len) {
        keep_stream_text(stream, text, sent);
        return false;
    }
    /* From QUIET to QUIET: its silence begins anew. */
    move_to(stream, QUIET);
    return true;
}

/* The stream becomes a holder if it needs the text for longer, so this one is always released. */
static bool send_bytes(struct stream *stream, const char *bytes, size_t len)
{
    struct stream_text *text = stream_text(stream->streams, bytes, len);
    bool ready = stream_send(stream, text);

    stream_text_release(text);
    return ready;
}

/* An empty text would be the last chunk, so a heartbeat must not be empty. */
static bool send_chunk(struct stream *stream, const char *bytes, size_t len)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out out;
    bool ready;

    out_init(&out, &arena);
    out_format(&out, "%zx\r\n", len);
    out_bytes(&out, bytes, len);
    out_add(&out, "\r\n");
    ready = send_bytes(stream, out.text, out.len);
    arena_free(&arena);
    return ready;
}

bool stream_say(struct stream *stream, const char *bytes, size_t len)
{
    return stream->form->chunked ? send_chunk(stream, bytes, len) : send_bytes(stream, bytes, len);
}

bool stream_say_last(struct stream *stream, const char *fields)
{
    struct arena arena = {NULL, NULL, NULL};
    const char *last = arena_format(&arena, "0\r\n%s\r\n", fields);
    bool ready = send_bytes(stream, last, strlen(last));

    arena_free(&arena);
    return ready;
}

/* The rest of its text, as far as the socket takes it. A client that takes a part of it has got
 * on. */
static void send_rest(struct stream *stream)
{
    size_t left = stream->text->len - stream->sent;
    size_t n = push(stream, stream->text->bytes + stream->sent, left);

    /* Nothing was taken: `since` stays, and cut_slow() goes by it. */
    if (stream->state == ENDED || n == 0)
        return;
    stream->sent += n;
    if (n < left) {
        move_to(stream, BUSY);
        return;
    }
    let_stream_go(stream);
    move_to(stream, QUIET);
    stream->owner.ready(stream->owner.args);
}

/* ---- a stream's life ---- */

struct stream *stream_new(struct streams *streams, uint64_t client, const struct stream_form *form,
                          struct stream_owner owner)
{
    struct stream *stream = must_zero(sizeof(*stream));

    stream->streams = streams;
    stream->fd = -1;
    stream->client = client;
    stream->form = form;
    stream->owner = owner;
    count_client(streams, client);
    put_in(stream, FRESH);
    metrics_add(&streams->settings.counts->streams, 1);
    metrics_add(&streams->settings.counts->streams_opened, 1);
    return stream;
}

/* What the kernel keeps for a client is bounded, too, and a client that has vanished without a word
 * is given up. A socket that is none of TCP, as in tests, has no such settings. */
static void set_up_socket(int fd)
{
    static const int one = 1, out = SEND_BUFFER, in = RECEIVE_BUFFER, lost = LOST_MS;

    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &out, sizeof(out));
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &in, sizeof(in));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &lost, sizeof(lost));
}

/* The socket is watched once and for all: edge-triggered, it tells of room only after it had none.
 * What the client sends is not watched for, as nobody reads it. The descriptor is a second one,
 * since the first is closed with the request's connection. */
static bool watch_stream(struct stream *stream, int fd)
{
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLOUT | EPOLLET, .data.ptr = stream};

    stream->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (stream->fd < 0)
        return false;
    set_up_socket(stream->fd);
    return epoll_ctl(stream->streams->epoll, EPOLL_CTL_ADD, stream->fd, &event) == 0;
}

/* A stream that was refused, or whose daemon stops, stays FRESH, and its request abandons it. The
 * head is a text like any other: if the socket does not take all of it, the owner hears when it
 * has. */
bool stream_begin(struct stream *stream, int fd, const char *head, size_t len)
{
    if (stream->refused || stream->streams->stopping || !watch_stream(stream, fd))
        return false;
    move_to(stream, QUIET);
    if (send_bytes(stream, head, len))
        stream->owner.ready(stream->owner.args);
    return true;
}

/* Nothing points to the stream any more but its owner, which is told last. */
/* The epoll lets go of the socket before it is closed: a registration lives as long as the socket,
 * and another descriptor may still hold that. What happens to it then would be told of a stream
 * whose memory is gone. */
static void free_stream(struct stream *stream)
{
    struct streams *streams = stream->streams;

    take_stream_out(stream);
    if (stream->fd >= 0) {
        epoll_ctl(streams->epoll, EPOLL_CTL_DEL, stream->fd, NULL);
        close(stream->fd);
    }
    forget_client(streams, stream->client);
    metrics_sub(&streams->settings.counts->streams, 1);
    stream->owner.over(stream->owner.args);
    free(stream);
}

/* ---- many ---- */

static void attend(struct stream *stream, uint32_t events)
{
    if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0)
        stream_finish(stream, STREAM_END_CLOSED);
    else if (stream->state == BUSY)
        send_rest(stream);
}

void streams_look(struct streams *streams)
{
    struct epoll_event events[LOOK_MAX];
    int n = epoll_wait(streams->epoll, events, LOOK_MAX, 0);

    for (int i = 0; i < n; i++)
        attend(events[i].data.ptr, events[i].events);
}

/* Whether the oldest of a list has been there for so long. */
static bool is_due(const struct list *list, int64_t us, int64_t now)
{
    return list->count > 0 && oldest(list)->since + us <= now;
}

static void send_beats(struct streams *streams)
{
    const struct streams_settings *settings = &streams->settings;
    struct list *quiet = &streams->in[QUIET];

    /* A heartbeat that is sent makes its stream the newest, and one that is not takes it off this
     * list. So the oldest is always the next. */
    for (int i = 0; i < BEATS_MAX && is_due(quiet, settings->beat_us, *settings->now); i++) {
        struct stream *stream = oldest(quiet);

        stream_say(stream, stream->form->beat, strlen(stream->form->beat));
    }
}

/* A client is cut that has taken nothing for too long. And if the texts that slow clients hold need
 * more memory than there is for them, the client goes first that has not got on for longest. */
static void cut_slow(struct streams *streams)
{
    const struct streams_settings *settings = &streams->settings;
    struct list *busy = &streams->in[BUSY];

    while (is_due(busy, settings->patience_us, *settings->now) ||
           (busy->count > 0 && settings->counts->stream_bytes > settings->limit * TEXT_SHARE))
        stream_finish(oldest(busy), STREAM_END_SLOW);
}

/* A client that has not room for a few bytes more misses the farewell. */
static void say_bye(struct stream *stream)
{
    if (stream->state == QUIET)
        push(stream, stream->form->bye, strlen(stream->form->bye));
    stream_finish(stream, STREAM_END_STOPPED);
}

static void stop_some(struct streams *streams)
{
    /* Those that are FRESH do not begin any more (stream_begin()), and end with their requests. */
    for (int state = QUIET; state < ENDED; state++)
        for (int i = 0; i < ENDS_MAX && streams->in[state].count > 0; i++)
            say_bye(oldest(&streams->in[state]));
}

static void end_some(struct streams *streams)
{
    for (int i = 0; i < ENDS_MAX && streams->in[ENDED].count > 0; i++)
        free_stream(oldest(&streams->in[ENDED]));
}

/* A client that has taken something in streams_look() is not cut as slow, since that comes before.
 * Streams are freed only here, because the events of streams_look() point to them, and owners may
 * have ended any of them in between. */
void streams_run(struct streams *streams)
{
    if (streams_count(streams) == 0)
        return;
    if (streams->stopping)
        stop_some(streams);
    send_beats(streams);
    cut_slow(streams);
    end_some(streams);
}

/* Rounded up: a loop that wakes too early would only have to sleep again. */
static int due_ms(const struct list *list, int64_t us, int64_t now)
{
    int64_t left;

    if (list->count == 0)
        return -1;
    left = oldest(list)->since + us - now;
    return left <= 0 ? 0 : (int)((left + 999) / 1000);
}

int streams_timeout_ms(const struct streams *streams)
{
    const struct streams_settings *settings = &streams->settings;
    int beat = due_ms(&streams->in[QUIET], settings->beat_us, *settings->now);
    int cut = due_ms(&streams->in[BUSY], settings->patience_us, *settings->now);

    if (streams->in[ENDED].count > 0 || (streams->stopping && streams_count(streams) > 0))
        return 0;
    return beat < 0 || (cut >= 0 && cut < beat) ? cut : beat;
}

void streams_stop(struct streams *streams)
{
    streams->stopping = true;
}

/* The requests have ended before, so none points to a FRESH one any more. */
void streams_close(struct streams *streams)
{
    for (int state = FRESH; state < STATES; state++)
        while (streams->in[state].count > 0) {
            let_stream_go(oldest(&streams->in[state]));
            free_stream(oldest(&streams->in[state]));
        }
    close(streams->epoll);
    map_close(&streams->crowds);
    free(streams);
}

/* ---- a part of a loop ---- */

static void open_streams(struct loop *loop)
{
    const struct streams_settings settings = {.limit = (size_t)loop->config->streams,
                                              .beat_us = STREAMS_BEAT_US,
                                              .patience_us = STREAMS_PATIENCE_US,
                                              .now = &loop->now,
                                              .counts = &loop->metrics};

    loop->own[PART_streams] = streams_open(&settings);
}

static int fd_of_streams(const struct loop *loop)
{
    return streams_fd(streams_of(loop));
}

static void wake_streams(struct loop *loop)
{
    streams_look(streams_of(loop));
}

static void run_streams(struct loop *loop)
{
    streams_run(streams_of(loop));
}

static int timeout_of_streams(const struct loop *loop)
{
    return streams_timeout_ms(streams_of(loop));
}

static void drain_streams(struct loop *loop)
{
    streams_stop(streams_of(loop));
}

static void close_streams(struct loop *loop)
{
    streams_close(streams_of(loop));
}

const struct part streams_part = {.open = open_streams,
                                  .fd = fd_of_streams,
                                  .wake = wake_streams,
                                  .run = run_streams,
                                  .timeout_ms = timeout_of_streams,
                                  .drain = drain_streams,
                                  .close = close_streams};
