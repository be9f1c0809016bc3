/*
 * operations.h - what the operations export to the table of kinds.c.
 *
 * An operation is a file with three parts: the functions of db.h that make its requests, one that
 * binds the parameters of a batch, and one that decodes the result. What bind and decode must do
 * stands in kinds.h. The order of parameters and columns is that of sql.def.
 */
#ifndef PLYD_DB_OPERATIONS_H
#define PLYD_DB_OPERATIONS_H

#include "batch.h"
#include "wire.h"

/* writes.c: appending to a game, joining one, making one */
void writes_bind_append(struct wire_params *params, const struct batch *batch);
void writes_bind_join(struct wire_params *params, const struct batch *batch);
void writes_bind_create(struct wire_params *params, const struct batch *batch);
void writes_decode(struct db *db, const struct pg_result *result, struct batch *batch);

/* due.c: promises to look at a game or player again */

/* Writes a row of the parameters of DB_SQL_PROMISED(), which begin at number `first`. */
void due_put(struct wire_params *params, int first, const struct db_due *due);

/* games.c: the present state of games, or only their versions */
void games_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void games_decode_versions(struct db *db, const struct pg_result *result, struct batch *batch);

/* events.c: events, moves of a line, keys of their positions */
void events_bind(struct wire_params *params, const struct batch *batch);
void events_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void events_decode_keys(struct db *db, const struct pg_result *result, struct batch *batch);
void events_bind_lines(struct wire_params *params, const struct batch *batch);
void events_decode_line_ends(struct db *db, const struct pg_result *result, struct batch *batch);

/* answers.c: stored answers, and forgetting them */
void answers_bind(struct wire_params *params, const struct batch *batch);
void answers_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void answers_bind_forget(struct wire_params *params, const struct batch *batch);
void answers_decode_forget(struct db *db, const struct pg_result *result, struct batch *batch);

/* Writes a row of the parameters of DB_SQL_ANSWERED(), which begin at number `first`: an answer
 * that a write stores under the id of a game or player. */
void answers_put(struct wire_params *params, int first, const db_id *id,
                 const struct db_answer *answer);

/* Writes the two parameters of an event that are the mark of an answer: nulls, if there is none
 * (NULL) or it is stored whole. */
void answers_put_mark(struct wire_params *params, const struct db_answer *answer);

/* players.c: making and reading players */
void players_bind(struct wire_params *params, const struct batch *batch);
void players_decode(struct db *db, const struct pg_result *result, struct batch *batch);

/* lists.c: pages of lists of games */
void lists_bind_public(struct wire_params *params, const struct batch *batch);
void lists_bind_player(struct wire_params *params, const struct batch *batch);
void lists_decode(struct db *db, const struct pg_result *result, struct batch *batch);

#endif
