/*
 * annotations.h - what a record says of the last move that was read: comments, the time that it
 * took, marks, and how a program judged the position behind it.
 */
#ifndef PLYD_API_RECORD_ANNOTATIONS_H
#define PLYD_API_RECORD_ANNOTATIONS_H

#include "api/record/reader.h"

/* A comment of the last move, or of the start. */
void record_add_comment(struct record_reading *reading, const char *comment);

/* The time that was thought for the last move, or before the end. */
void record_set_spent(struct record_reading *reading, int64_t us);

/* A mark of the last move, and how a program judged the position behind it. */
void record_add_mark(struct record_reading *reading, const char *mark);
void record_set_value(struct record_reading *reading, int32_t value);

#endif
