/*
 * operations.h - what the operations export to the table of kinds.c, and to each other.
 *
 * An operation is a file with three parts: the functions of db.h that make its requests, those that
 * bind the parameters of a batch, and those that decode the result. The files of db/sql/ name
 * these; what they must do stands in kinds.h. The order of parameters and columns is that of the
 * statement.
 *
 *     writes.c   appending to a game, joining one, making one
 *     due.c      promises to look at a game or player again
 *     games.c    the present state of games, or only their versions
 *     events.c   events, moves of a line, keys of their positions
 *     answers.c  stored answers, and forgetting them
 *     players.c  making, changing and reading players, their vacations and their accounts
 *     blocks.c   whom players have blocked
 *     handovers.c  which players codes are for
 *     heartbeat.c  the heartbeat; outages and vacations
 *     reads.c    how far players have read their games, and what is new to them there
 *     results.c  how players have done in their games
 *     plans.c    what a seat plays if its opponent plays this or that
 *     notes.c    what a seat wrote for itself
 *     feeds.c    the events of all games of a player
 *     hooks.c    webhooks, where they stand, and what became of their deliveries
 *     tasks.c    long work, the file that it works on, and what came of it
 *     library.c  collections of games, and which games reached a position
 *     lists.c    pages of lists of games
 */
#ifndef PLYD_DB_OPERATIONS_H
#define PLYD_DB_OPERATIONS_H

#include "batch.h"
#include "wire.h"

#define DB_SQL_BIND(bind) void bind(struct wire_params *params, const struct batch *batch);
#define DB_SQL_DECODE(decode) \
    void decode(struct db *db, const struct pg_result *result, struct batch *batch);
#define DB_SQL_PIECE(piece) size_t piece(const struct batch *batch);
#include "embed/db/functions.def"
#undef DB_SQL_BIND
#undef DB_SQL_DECODE
#undef DB_SQL_PIECE

/* Writes a row of the parameters `dues` of db/sql/lib/promised.sql, which begin at number `first`.
 */
void due_put(struct wire_params *params, int first, const struct db_due *due);

/* Writes a row of the parameters `answers` of db/sql/lib/answered.sql, which begin at number
 * `first`: an answer that a write stores under the id of a game or player. */
void answers_put(struct wire_params *params, int first, const db_id *id,
                 const struct db_answer *answer);

/* Writes the two parameters of an event that are the mark of an answer: nulls, if there is none
 * (NULL) or it is stored whole. */
void answers_put_mark(struct wire_params *params, const struct db_answer *answer);

#endif
