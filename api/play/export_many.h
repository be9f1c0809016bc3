/*
 * export_many.h - all games of a player or of a collection as one answer, in a format of records.
 *
 * The answer is a stream (stream.h) in chunks, so that a client knows whether it has all of it. One
 * game after the other is read, written down by a worker and sent, and the next one is read when
 * the client has taken it: so an export holds one game, whatever the client does. Games that the
 * format does not serve are left out.
 *
 * The export of an account has the games in which the player holds a seat, then those of one
 * collection after the other; a game that is in several places comes once.
 */
#ifndef PLYD_API_PLAY_EXPORT_MANY_H
#define PLYD_API_PLAY_EXPORT_MANY_H

#include "api/http/request.h"
#include "api/record/record.h"
#include "db/db.h"

struct export_wish {
    bool of_collection; /* else of the account */
    db_id collection;
    const struct record_format *format;
    bool in_lines; /* each game is one line */
};
void export_many(struct request *request, const struct export_wish *wish);

#endif
