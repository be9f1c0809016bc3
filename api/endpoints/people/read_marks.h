/*
 * read_marks.h - how far a player has read their games, on whichever device, and what is new to
 * them.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_READ_MARKS_H
#define PLYD_API_ENDPOINTS_PEOPLE_READ_MARKS_H

#include "api/http/request.h"
#include "api/view/view.h"
#include "db/db.h"

enum { READ_MARKS_LOOKS = 50 /* the last events of a game, among which new ones are counted */ };

/* Looks up what is new to the player who asks in games of theirs, and calls then(context, news),
 * with one for each game. They and `page` must stay until then. Where it cannot be counted just
 * now, as while a part of the database is away, it says so. */
void read_marks_count(struct request *request, const struct db_games *page,
                      void (*then)(void *context, const struct game_news *news), void *context);

/* The same without counting anything. */
const struct game_news *read_marks_of(struct request *request, const struct db_games *page);

#endif
