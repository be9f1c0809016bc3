/*
 * log.h - the log, as lines of JSON.
 *
 * One JSON object a line, on standard error.
 *
 * Any thread may log. Callers never pass anything secret: no token, no body, no query.
 *
 * From log_start() on, lines go through a queue of bounded size to a thread that writes them. So no
 * other thread waits for the reader of standard error, whether that is a pipe, a terminal or a
 * file. If the reader does not keep up, lines are dropped, and a line "log-lines-dropped" says how
 * many. Before log_start() and after log_stop(), each line is written at once.
 */
#ifndef PLYD_API_LOOP_LOG_H
#define PLYD_API_LOOP_LOG_H

#include <stdbool.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };

/* Drops events below this level from now on. Any thread may call it at any time. */
void log_set_level(enum log_level level);

/* The level of this name; LOG_INFO if there is none. */
enum log_level log_level_of(const char *name);

/* Whether events of this level are written: for callers whose fields are work to put together. */
int log_enabled(enum log_level level);

/* Starts the thread that writes, which inherits the signals that are blocked. False if it cannot be
 * started, which is logged. */
bool log_start(void);

/* How many lines were not written since the start: dropped, or refused by standard error. */
unsigned long log_dropped(void);

/* Ends that thread once all lines are written, or after a second. Lines that the reader did not
 * take by then are lost. Call it when no other thread logs. */
void log_stop(void);

/* Writes an event with its fields, which are pairs of texts and end with NULL:
 * log_event(LOG_INFO, "listening", "address", "127.0.0.1:8080", NULL). A name followed by NULL ends
 * the list too, so a field that may be absent stands last. A line that is too long loses its end,
 * but is still JSON. */
void log_event(enum log_level level, const char *event, ...) __attribute__((sentinel));

#endif
