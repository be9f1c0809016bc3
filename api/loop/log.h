/*
 * log.h - structured logs: one line of JSON an event on standard error.
 *
 * Safe from any thread. Nothing secret is ever given to it: no token, no body, no query.
 */
#ifndef PLYD_API_LOOP_LOG_H
#define PLYD_API_LOOP_LOG_H

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };

/* Events below this level are dropped. Set once, before there are threads. */
void log_set_level(enum log_level level);
enum log_level log_level_of(const char *name);
int log_enabled(enum log_level level);

/* An event and its fields, as pairs of texts that end with NULL:
 * log_event(LOG_INFO, "listening", "address", "127.0.0.1:8080", NULL). A pair with a NULL value
 * ends the list, too. */
void log_event(enum log_level level, const char *event, ...) __attribute__((sentinel));

#endif
