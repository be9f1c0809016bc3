/*
 * mismatch.h - the first thing of a stored game that differs from what replays, in a sentence.
 *
 * The checks of `plyd verify` share it. Each of them stops at what it has said.
 */
#ifndef PLYD_API_TOOL_MISMATCH_H
#define PLYD_API_TOOL_MISMATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/db.h"

struct mismatch {
    char *what; /* the sentence goes here */
    size_t size;
    int32_t version, line, ply; /* the place of what differs in the row, and not at an event */
};

/* Says what differs: at an event, or (NULL) in the row. NULL stands for nothing. Always false, so
 * that a check can return it. */
bool mismatch_say(struct mismatch *mismatch, const struct db_event *event, const char *subject,
                  const char *stored, const char *found);

/* Each compares two values, and says it if they differ. */
bool mismatch_text(struct mismatch *mismatch, const struct db_event *event, const char *subject,
                   const char *stored, const char *found);
bool mismatch_number(struct mismatch *mismatch, const struct db_event *event, const char *subject,
                     int64_t stored, int64_t found);

#endif
