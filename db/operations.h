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
void writes_bind_move(struct wire_params *params, const struct batch *batch);
void writes_bind_append(struct wire_params *params, const struct batch *batch);
void writes_bind_join(struct wire_params *params, const struct batch *batch);
void writes_bind_create(struct wire_params *params, const struct batch *batch);
void writes_bind_piece(struct wire_params *params, const struct batch *batch);
size_t writes_piece(const struct batch *batch);
void writes_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void writes_decode_moves(struct db *db, const struct pg_result *result, struct batch *batch);

/* due.c: promises to look at a game or player again */
void due_bind_claim(struct wire_params *params, const struct batch *batch);
void due_decode_claim(struct db *db, const struct pg_result *result, struct batch *batch);
void due_bind_settle(struct wire_params *params, const struct batch *batch);
void due_bind(struct wire_params *params, const struct batch *batch);

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
void answers_decode_durable(struct db *db, const struct pg_result *result, struct batch *batch);
void answers_bind_forget(struct wire_params *params, const struct batch *batch);
void answers_decode_forget(struct db *db, const struct pg_result *result, struct batch *batch);

/* Writes a row of the parameters of DB_SQL_ANSWERED(), which begin at number `first`: an answer
 * that a write stores under the id of a game or player. */
void answers_put(struct wire_params *params, int first, const db_id *id,
                 const struct db_answer *answer);

/* Writes the two parameters of an event that are the mark of an answer: nulls, if there is none
 * (NULL) or it is stored whole. */
void answers_put_mark(struct wire_params *params, const struct db_answer *answer);

/* players.c: making, changing and reading players, and their vacations */
void players_bind(struct wire_params *params, const struct batch *batch);
void players_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void players_bind_change(struct wire_params *params, const struct batch *batch);
void players_bind_vacation(struct wire_params *params, const struct batch *batch);

/* pulse.c: the heartbeat */
void pulse_bind(struct wire_params *params, const struct batch *batch);
void pulse_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void pulse_bind_daemons(struct wire_params *params, const struct batch *batch);
void pulse_decode_daemons(struct db *db, const struct pg_result *result, struct batch *batch);

/* spans.c: reading outages and vacations */
void spans_bind_outages(struct wire_params *params, const struct batch *batch);
void spans_bind_vacations(struct wire_params *params, const struct batch *batch);
void spans_decode(struct db *db, const struct pg_result *result, struct batch *batch);

/* plans.c: what a seat plays if its opponent plays this or that */
void plans_bind_set(struct wire_params *params, const struct batch *batch);
void plans_bind(struct wire_params *params, const struct batch *batch);
void plans_decode(struct db *db, const struct pg_result *result, struct batch *batch);

/* notes.c: what a seat wrote for itself */
void notes_bind_set(struct wire_params *params, const struct batch *batch);
void notes_bind(struct wire_params *params, const struct batch *batch);
void notes_decode(struct db *db, const struct pg_result *result, struct batch *batch);

/* feeds.c: the events of all games of a player */
void feeds_bind(struct wire_params *params, const struct batch *batch);
void feeds_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void feeds_decode_states(struct db *db, const struct pg_result *result, struct batch *batch);
void feeds_bind_horizon(struct wire_params *params, const struct batch *batch);
void feeds_decode_horizon(struct db *db, const struct pg_result *result, struct batch *batch);
/* hooks.c: webhooks, where they stand, and what became of their deliveries */
void hooks_bind_mark(struct wire_params *params, const struct batch *batch);
void hooks_bind_before(struct wire_params *params, const struct batch *batch);
void hooks_decode_before(struct db *db, const struct pg_result *result, struct batch *batch);
void hooks_bind_create(struct wire_params *params, const struct batch *batch);
void hooks_bind_set(struct wire_params *params, const struct batch *batch);
void hooks_bind_delete(struct wire_params *params, const struct batch *batch);
void hooks_bind_one(struct wire_params *params, const struct batch *batch);
void hooks_bind(struct wire_params *params, const struct batch *batch);
void hooks_bind_announce(struct wire_params *params, const struct batch *batch);
void hooks_bind_delivered(struct wire_params *params, const struct batch *batch);
void hooks_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void hooks_decode_news(struct db *db, const struct pg_result *result, struct batch *batch);
void hooks_decode_deliveries(struct db *db, const struct pg_result *result, struct batch *batch);

/* tasks.c: long work, the file that it works on, and what came of it */
void tasks_bind_create(struct wire_params *params, const struct batch *batch);
void tasks_bind_part(struct wire_params *params, const struct batch *batch);
void tasks_bind_set(struct wire_params *params, const struct batch *batch);
void tasks_bind_delete(struct wire_params *params, const struct batch *batch);
void tasks_bind(struct wire_params *params, const struct batch *batch);
void tasks_bind_items(struct wire_params *params, const struct batch *batch);
void tasks_bind_parts(struct wire_params *params, const struct batch *batch);
void tasks_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void tasks_decode_items(struct db *db, const struct pg_result *result, struct batch *batch);
void tasks_decode_parts(struct db *db, const struct pg_result *result, struct batch *batch);

/* library.c: collections of games, and which games reached a position */
void library_bind_set(struct wire_params *params, const struct batch *batch);
void library_bind_delete(struct wire_params *params, const struct batch *batch);
void library_bind_collect(struct wire_params *params, const struct batch *batch);
void library_bind_uncollect(struct wire_params *params, const struct batch *batch);
void library_bind_search(struct wire_params *params, const struct batch *batch);
void library_bind_note(struct wire_params *params, const struct batch *batch);
void library_bind_position(struct wire_params *params, const struct batch *batch);
void library_bind_reached(struct wire_params *params, const struct batch *batch);
void library_decode(struct db *db, const struct pg_result *result, struct batch *batch);
void library_decode_search(struct db *db, const struct pg_result *result, struct batch *batch);
void library_decode_collectors(struct db *db, const struct pg_result *result, struct batch *batch);
void library_decode_counts(struct db *db, const struct pg_result *result, struct batch *batch);
void library_decode_reached(struct db *db, const struct pg_result *result, struct batch *batch);

/* lists.c: pages of lists of games */
void lists_bind_public(struct wire_params *params, const struct batch *batch);
void lists_bind_player(struct wire_params *params, const struct batch *batch);
void lists_decode(struct db *db, const struct pg_result *result, struct batch *batch);

#endif
