/* annotations.c - comments, times and marks of a record that is read. */
#include "api/record/reader.h"

#include <string.h>

/* Where a comment at this place of the record belongs: to the end of the line, the last move, or
 * the start. */
static const char **commented(struct record_reading *reading)
{
    struct record *record = reading->record;

    if (reading->ending.word != NULL)
        return &reading->ending.comment;
    return record->nmoves == 0 ? &record->comment : &record->moves[record->nmoves - 1].comment;
}

void record_add_comment(struct record_reading *reading, const char *comment)
{
    const char **to = commented(reading);

    if (reading->refused && reading->nbranches == 0) { /* it is about the move that was refused */
        reading->says_foul |= strstr(comment, "反則") != NULL;
        to = &reading->ending.comment;
    }
    if (*to == NULL || *to != reading->comment.text) {
        const char *begun = *to;

        out_init(&reading->comment, reading->arena);
        if (begun != NULL)
            out_add(&reading->comment, begun);
    }
    if (*to != NULL)
        out_add(&reading->comment, "\n");
    out_add(&reading->comment, comment);
    *to = reading->comment.text;
}

/* Whether the last move belongs to the parent line, because the variation that is being read has no
 * moves yet. */
static bool shares_last_move(const struct record_reading *reading)
{
    const struct record_branch *branch = record_innermost(reading);

    return branch != NULL && record_is_bare(branch);
}

void record_set_spent(struct record_reading *reading, int64_t us)
{
    struct record *record = reading->record;

    if (reading->nbranches > 0 && record_is_cut(reading))
        return;
    if (record_is_cut(reading) && reading->ending.spent_us >= 0)
        return; /* the time of the foul */
    if (reading->ending.word != NULL || record_is_cut(reading) || record->nmoves == 0)
        reading->ending.spent_us = us;
    else if (!shares_last_move(reading))
        record->moves[record->nmoves - 1].spent_us = us;
}

/* The last move, if a mark or value at this place can belong to it; else NULL. */
static struct record_move *own_move(struct record_reading *reading)
{
    struct record *record = reading->record;

    return record->nmoves == 0 || record_is_cut(reading) || shares_last_move(reading)
               ? NULL
               : &record->moves[record->nmoves - 1];
}

void record_add_mark(struct record_reading *reading, const char *mark)
{
    struct record_move *move = own_move(reading);

    if (move != NULL)
        move->marks = move->marks == NULL
                          ? arena_format(reading->arena, "%s", mark)
                          : arena_format(reading->arena, "%s %s", move->marks, mark);
}

void record_set_value(struct record_reading *reading, int32_t value)
{
    struct record_move *move = own_move(reading);

    if (move == NULL)
        return;
    move->has_value = true;
    move->value = value;
}
