/*
 * check_offers.h - the offers of a stored game, gone through event by event (commands.h).
 *
 * Nothing may be answered that is not open, and nothing twice. An event ends the offers that it
 * makes void, and names just these. What both sides agreed on follows the acceptance at once.
 */
#ifndef PLYD_API_TOOL_CHECK_OFFERS_H
#define PLYD_API_TOOL_CHECK_OFFERS_H

#include "api/game/event_data.h"
#include "api/text/arena.h"
#include "api/tool/mismatch.h"
#include "db/db.h"

struct open_offer {
    int32_t id;
    int kind, seat; /* enum offer_kind; who made it */
    int64_t at;
    int32_t to_ply;
    int64_t span_us;
};

enum { CHECK_OFFERS_MAX = 10 }; /* one of each kind and seat */

struct check_offers {
    struct arena *arena;
    struct mismatch *mismatch;
    struct open_offer open[CHECK_OFFERS_MAX]; /* in the order in which they were made */
    size_t count;

    /* What the next event must be; kind 0: anything. */
    struct open_offer due; /* which offer it is about */
    int due_kind;
    int64_t due_at; /* when it became due */
};

/* Whether the game was not over before an event, and is not over after it. */
struct check_offers_going {
    bool went_on, goes_on;
};

/* Goes through an event. */
bool check_offers_event(struct check_offers *offers, const struct db_event *event,
                        const struct event_data_write *data, struct check_offers_going turn);

/* Compares what is open after the last event with the row. */
bool check_offers_row(struct check_offers *offers, const struct db_game *row);

#endif
