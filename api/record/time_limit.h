/*
 * time_limit.h - the time that a game gives its players, in the words of the formats.
 */
#ifndef PLYD_API_RECORD_TIME_LIMIT_H
#define PLYD_API_RECORD_TIME_LIMIT_H

#include "api/record/record.h"

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

/* Whether this is the value of $TIME of CSA 3.0: three numbers. Other values stand under
 * $TIME_LIMIT. */
bool record_is_csa_time(const char *value);

#endif
