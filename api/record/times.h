/*
 * times.h - points in time as records write them, all in UTC.
 */
#ifndef PLYD_API_RECORD_TIMES_H
#define PLYD_API_RECORD_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "api/text/arena.h"

enum { RECORD_SECOND_US = 1000000 };

/* "2020/01/02 03:04:05" with this separator, and without the time of day at midnight. */
const char *record_time_text(struct arena *arena, int64_t us, char separator);

/* "2020-01-02T03:04:05.000006Z", which loses nothing. */
const char *record_time_exact(struct arena *arena, int64_t us);

/* Reads both, and what other programs write: the parts of a date parted by any of / - . and a day
 * of the week in brackets. False: this is not a time. */
bool record_read_time(const char *text, int64_t *us);

#endif
