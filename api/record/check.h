/*
 * check.h - whether what a record tells can be true. The rules have judged its moves already.
 */
#ifndef PLYD_API_RECORD_CHECK_H
#define PLYD_API_RECORD_CHECK_H

#include "api/record/record.h"

/* The longest that may have been thought in a game: thirty years, which every format can say. */
#define RECORD_THOUGHT_MAX (INT64_C(30) * 366 * 86400 * 1000000)

/* Whether its times exist and its end has the winner that it needs. False and *error otherwise. */
bool record_is_plausible(const struct record *record, struct record_error *error);

#endif
