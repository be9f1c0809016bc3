/*
 * offer_replay.h - the offers in a log that is taken over from elsewhere, event by event.
 *
 * Those that are open at the end of the log are open in the copy, so the log must tell of offers
 * only what could happen. Pure.
 */
#ifndef PLYD_API_GAME_OFFER_REPLAY_H
#define PLYD_API_GAME_OFFER_REPLAY_H

#include "api/game/draft.h"
#include "api/game/event_data.h"

/* What the next event must be, as both sides have agreed on it; kind 0: anything. */
struct retell {
    int due_kind;
    struct offer due;
    int64_t due_at;
};

/* Takes an event over into draft->offers. The draft is behind it already: it went on before it
 * or not, and had these offers open. False: this cannot have happened. */
bool offer_replay_event(struct retell *retell, struct draft *draft, const struct offers *before,
                        const struct db_event *event, const struct event_data_write *data,
                        bool went_on);

#endif
