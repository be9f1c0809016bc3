/*
 * raw.h - connections on which a test says any bytes and hears everything up to the end.
 */
#ifndef PLYD_TESTS_HTTP_RAW_H
#define PLYD_TESTS_HTTP_RAW_H

#include <stddef.h>

/* Connects and sends the bytes, as far as the daemon takes them. */
int raw_say(int port, const char *bytes, size_t len);

/* Everything that comes until the daemon closes the connection, which is closed here, too. The
 * caller frees it. */
char *raw_hear(int fd);

enum { RAW_STATUSES = 256 };

/* Writes the statuses of the answers in a text: "100 201 400". */
void raw_statuses(const char *text, char statuses[RAW_STATUSES]);

#endif
