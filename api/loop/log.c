#include "api/loop/log.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const names[] = {"debug", "info", "warn", "error"};
static atomic_int threshold = LOG_INFO;

void log_set_level(enum log_level level)
{
    atomic_store_explicit(&threshold, level, memory_order_relaxed);
}

enum log_level log_level_of(const char *name)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], name) == 0)
            return (enum log_level)i;
    return LOG_INFO;
}

int log_enabled(enum log_level level)
{
    return (int)level >= atomic_load_explicit(&threshold, memory_order_relaxed);
}

/* ---- a line ---- */

/* A line is put together on the stack, so that logging allocates nothing. What does not fit is left
 * out. */
struct line {
    char text[1024];
    size_t len;
};

static bool has_line_room(const struct line *line, size_t bytes)
{
    return line->len + bytes <= sizeof(line->text) - 4; /* the closing quote, brace and newline */
}

static void put_char(struct line *line, char c)
{
    if (has_line_room(line, 1))
        line->text[line->len++] = c;
}

static void put_raw(struct line *line, const char *s)
{
    while (*s != '\0')
        put_char(line, *s++);
}

/* Control characters become blanks: nobody needs them in a log, and none can break a line in two.
 * The closing quote has its place reserved. */
static void put_string(struct line *line, const char *s)
{
    put_char(line, '"');
    for (; *s != '\0'; s++) {
        unsigned char c = (unsigned char)*s;

        if (c == '"' || c == '\\') {
            if (!has_line_room(line, 2))
                break;
            put_char(line, '\\');
        }
        put_char(line, c < 0x20 ? ' ' : *s);
    }
    line->text[line->len++] = '"';
}

/* What every line begins with: when it was, and how bad. */
static void put_head(struct line *line, enum log_level level)
{
    struct timespec now;
    struct tm utc;
    char time[40];

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(time, sizeof(time), "%Y-%m-%dT%H:%M:%S", &utc);
    line->len = (size_t)snprintf(line->text, sizeof(line->text),
                                 "{\"at\":\"%s.%03ldZ\",\"level\":\"%s\",\"event\":", time,
                                 now.tv_nsec / 1000000, names[level]);
}

static void put_line(struct line *line, enum log_level level, const char *event, va_list fields)
{
    put_head(line, level);
    put_string(line, event);
    for (;;) {
        const char *name = va_arg(fields, const char *);
        const char *value = name == NULL ? NULL : va_arg(fields, const char *);

        /* A field whose name has no room would end as half a field, which is no JSON. */
        if (value == NULL || line->len + strlen(name) + 8 > sizeof(line->text) - 4)
            break;
        put_char(line, ',');
        put_string(line, name);
        put_raw(line, ":");
        put_string(line, value);
    }
    line->text[line->len++] = '}';
    line->text[line->len++] = '\n';
}

/* ---- writing ---- */

/* Standard error may be shared with a process that has made it non-blocking. */
static bool may_go_on(void)
{
    struct pollfd fd = {STDERR_FILENO, POLLOUT, 0};

    return errno == EINTR || (errno == EAGAIN && poll(&fd, 1, -1) > 0);
}

static bool write_all_of_log(const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(STDERR_FILENO, bytes, len);

        if (n < 0 && !may_go_on())
            return false;
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    return true;
}

static unsigned long count_lines(const char *bytes, size_t len)
{
    unsigned long lines = 0;

    for (size_t i = 0; i < len; i++)
        lines += bytes[i] == '\n';
    return lines;
}

/* Writes whole lines, as many at a time as a pipe takes in one piece: other processes may write to
 * it, too. Returns how many lines could not be written. */
static unsigned long write_lines(const char *bytes, size_t len)
{
    unsigned long lost = 0;

    while (len > 0) {
        size_t most = len < PIPE_BUF ? len : PIPE_BUF;
        size_t n = (size_t)((const char *)memrchr(bytes, '\n', most) - bytes) + 1;

        if (!write_all_of_log(bytes, n))
            lost += count_lines(bytes, n);
        bytes += n;
        len -= n;
    }
    return lost;
}

/* ---- the queue ---- */

enum {
    QUEUE_BYTES = 256 << 10,
    STOP_S = 1 /* that the reader of standard error has for what is left */
};

_Static_assert(PIPE_BUF >= sizeof(struct line), "a pipe takes a line in one piece");

/* Threads fill one buffer while the writer empties the other. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed, ended;
    pthread_t writer;
    bool running;  /* there is a writer */
    bool stopping; /* it ends when the queue is empty */
    bool over;     /* it has ended */
    int filling;
    size_t len; /* bytes in buffer[filling] */
    unsigned long dropped;
    char buffer[2][QUEUE_BYTES];
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .changed = PTHREAD_COND_INITIALIZER,
           .ended = PTHREAD_COND_INITIALIZER};

static _Atomic unsigned long lost; /* of all lines, since the start */

unsigned long log_dropped(void)
{
    return lost;
}

static void enqueue(const struct line *line)
{
    pthread_mutex_lock(&queue.lock);
    if (queue.len + line->len <= QUEUE_BYTES) {
        memcpy(queue.buffer[queue.filling] + queue.len, line->text, line->len);
        queue.len += line->len;
    } else {
        queue.dropped++;
        lost++;
    }
    pthread_mutex_unlock(&queue.lock);
    pthread_cond_signal(&queue.changed);
}

/* Takes the buffer that was filled, once there is something in it. False: the writer shall end. */
static bool take_buffer(const char **bytes, size_t *len, unsigned long *dropped)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.len == 0 && !queue.stopping)
        pthread_cond_wait(&queue.changed, &queue.lock);
    *bytes = queue.buffer[queue.filling];
    *len = queue.len;
    *dropped += queue.dropped;
    queue.filling = !queue.filling;
    queue.len = 0;
    queue.dropped = 0;
    pthread_mutex_unlock(&queue.lock);
    return *len > 0;
}

static void put_event(struct line *line, enum log_level level, const char *event, ...)
{
    va_list fields;

    va_start(fields, event);
    put_line(line, level, event, fields);
    va_end(fields);
}

static bool tell_dropped(unsigned long dropped)
{
    struct line line;
    char count[24];

    snprintf(count, sizeof(count), "%lu", dropped);
    put_event(&line, LOG_WARN, "log-lines-dropped", "count", count, NULL);
    return write_all_of_log(line.text, line.len);
}

/* The writer. The lines that were dropped are told where they would have stood. If that fails, they
 * are told after the next lines. */
static void *run_writer(void *unused)
{
    unsigned long dropped = 0;
    const char *bytes;
    size_t len;

    while (take_buffer(&bytes, &len, &dropped)) {
        unsigned long refused = write_lines(bytes, len);

        dropped += refused;
        lost += refused;
        if (dropped > 0 && tell_dropped(dropped))
            dropped = 0;
    }
    pthread_mutex_lock(&queue.lock);
    queue.over = true;
    pthread_mutex_unlock(&queue.lock);
    pthread_cond_signal(&queue.ended);
    return unused;
}

bool log_start(void)
{
    queue.stopping = queue.over = false;
    errno = pthread_create(&queue.writer, NULL, run_writer, NULL);
    queue.running = errno == 0;
    if (!queue.running)
        log_event(LOG_ERROR, "cannot-start", "reason", strerror(errno), NULL);
    return queue.running;
}

void log_stop(void)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += STOP_S;
    pthread_mutex_lock(&queue.lock);
    queue.stopping = true;
    pthread_cond_signal(&queue.changed);
    while (!queue.over && pthread_cond_timedwait(&queue.ended, &queue.lock, &end) == 0)
        continue;
    queue.running = !queue.over;
    pthread_mutex_unlock(&queue.lock);
    if (queue.running)
        pthread_detach(queue.writer); /* it waits for the reader until the process ends */
    else
        pthread_join(queue.writer, NULL);
}

void log_event(enum log_level level, const char *event, ...)
{
    struct line line;
    va_list fields;

    if (!log_enabled(level))
        return;
    va_start(fields, event);
    put_line(&line, level, event, fields);
    va_end(fields);
    if (queue.running)
        enqueue(&line);
    else
        write_lines(line.text, line.len);
}
