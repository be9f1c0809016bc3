/*
 * rows.h - reading the rows of results, by the columns that their statements (sql/) give them.
 *
 * Everything that is read points into the result, and is valid as long as that is.
 */
#ifndef PLYD_DB_ROWS_H
#define PLYD_DB_ROWS_H

#include "db.h"

struct pg_result; /* libpq's PGresult */

/* Reads :game_columns (sql/lib/names.psql), which begin at `column`. */
void rows_game(const struct pg_result *result, int row, int column, struct db_game *game);

/* A time; DB_NEVER if it is null. */
int64_t rows_moment(const struct pg_result *result, int row, int column);

/* Reads :event_columns, which begin at column 1. */
void rows_event(const struct pg_result *result, int row, struct db_event *event);

/* The rows of a batch, member by member: the first column says for which member a row is and
 * counts them from 1. The rows of a member follow each other:
 *
 *     struct rows rows = {.end = 0};
 *     while (rows_next(result, &rows))
 *         ... the rows from rows.first up to rows.end are for rows.member
 */
struct rows {
    size_t member; /* counted from 0 */
    int first, end;
};
bool rows_next(const struct pg_result *result, struct rows *rows);

/* How many of them hold something. A member may have one row that is null but for its number, which
 * says that its game exists. */
size_t rows_filled(const struct pg_result *result, const struct rows *rows);

#endif
