/*
 * event_data.h - what the data of an event must tell, by its kind.
 *
 * Only the form is looked at. Whether it can be true is judged by those who replay a log: `plyd
 * verify` and the import. Members that are not named here may stand beside.
 *
 *     kind         seat   members
 *     aborted      any    reason: "declined" or "expired", of a challenge; unheard_by: an id, or
 *                         none (messages.h)
 *     offered      yes    kind; to_ply (undo), add_us (time), for_us (pause)
 *     accepted     yes    offer, kind; so declined, withdrawn
 *     timeout      yes    reason: "no_start", or none
 *     credited     yes    us, from_us, to_us
 *     paused       no     until_us
 *     resumed      any    begins: true, where the clock of an imported game begins; or none
 *     time-added   no     add_us
 *     vacation     yes    from_us, until_us
 *     invited      yes    until_us (null: it was withdrawn)
 *     seat         yes    one of name: true, token: true, left: true
 *     rematch      any    game: an id; none in a copy of the game
 *     message      yes    ply; text, or none where it was withheld; unheard_by: an id, or none
 *                         (messages.h)
 *     deadline     yes    deadline_us
 *     challenged   yes    player: an id, until_us
 *
 * Pure.
 */
#ifndef PLYD_API_GAME_EVENT_DATA_H
#define PLYD_API_GAME_EVENT_DATA_H

#include <stdbool.h>

#include "api/text/arena.h"
#include "db/db.h"

/* What the data tells. A member that it lacks, or that its kind does not have, is 0 or NULL. */
struct event_data_write {
    int offer_kind; /* enum offer_kind: the member "kind"; of a move: "offer" */
    int32_t offer;
    int32_t to_ply;
    int64_t span_us;           /* add_us, for_us, us */
    int64_t from_us, until_us; /* of a deadline: until_us */
    bool no_start, begins;
    const char *reason;  /* why a game was called off; static */
    const char *voids;   /* as JSON: "[18,20]" */
    const char *rematch; /* the id's text */
    bool is_unheard;     /* of what a player has written: by this one */
    db_id unheard_by;
};

/* Reads the data of an event of any kind. False: it does not have its form. Moves, undos and ends
 * have none: of them only the members above are read. */
bool event_data_read(struct arena *arena, const struct db_event *event,
                     struct event_data_write *data);

/* The members of an event's data that have one of these names (the last is NULL), as an object. */
const char *event_data_only(struct arena *arena, const char *data, const char *const *names);

#endif
