/*
 * times.h - points in time as records and requests write them.
 */
#ifndef PLYD_API_RECORD_TIMES_H
#define PLYD_API_RECORD_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "api/record/record.h"
#include "api/text/arena.h"

enum { RECORD_SECOND_US = 1000000 };

/* "2020/01/02 03:04:05" with this separator, and without the time of day at midnight. */
const char *record_time_text(struct arena *arena, int64_t us, char separator);

/* "2020-01-02T03:04:05.000006Z", which loses nothing. */
const char *record_time_exact(struct arena *arena, int64_t us);

/* Reads both forms, and those of other programs: dates with the separators / - . and with a day of
 * the week in brackets. False: this is not a time. */
bool record_read_time(const char *text, int64_t *us);

/* Reads a time of a request, strictly: RFC 3339, such as 2020-01-02T03:04:05.000006Z and
 * 2020-01-02T12:04+09:00, without leap seconds. Seconds, the offset and the whole time of day may
 * be left out; without an offset it is UTC. */
bool record_read_date_time(const char *text, int64_t *us);

/* ---- time_limit.c ---------------------------------------------------------------------------- */

/* The time that a game gives its players, in the words of the formats. */

/* The value of the header "time_limit":
 *
 *     KIF, KI2, JKF   10分+30秒×3    1時間+10秒加算    1手3日
 *     CSA 2.2         00:10+30                        00:00+259200
 *     CSA 3.0         600+30+0       3600+0+10        0+259200+0
 *     PDN                            3600+10          1/259200
 *     others          10m + 3 x 30s  1h + 10s a move  3d a move
 *
 * NULL: the record does not know it, or the format has no words for it. */
const char *record_time_limit(struct arena *arena, const struct record_format *format,
                              const struct record *record);

/* Whether a value has the form of $TIME of CSA 3.0, three numbers. Other values are written as
 * $TIME_LIMIT. */
bool record_is_csa_time(const char *value);

#endif
