/*
 * replay_offers.h - the offers of a stored game, repeated by nothing but its log (replay.c).
 */
#ifndef PLYD_API_TOOL_REPLAY_OFFERS_H
#define PLYD_API_TOOL_REPLAY_OFFERS_H

#include <stdbool.h>
#include <stddef.h>

#include "api/text/arena.h"
#include "db/db.h"

enum { REPLAY_OFFERS_MAX = 10 }; /* five kinds of either side */

struct replay_offer {
    int32_t id;
    int seat;
    const char *kind;
    const char *text; /* as the row has it */
};

/* Those that are open. All zero: there are none. */
struct replay_offers {
    struct replay_offer open[REPLAY_OFFERS_MAX];
    size_t count;
};

/* What an acceptance, by its data, makes of the game. */
enum replay_deal { REPLAY_DRAWN, REPLAY_CALLED_OFF, REPLAY_GOES_ON };
enum replay_deal replay_offers_deal(struct arena *arena, const struct db_event *event);

/* Repeats what an event does to offers. `ends`: it ends the game. NULL, or what is wrong with it.
 */
const char *replay_offers_event(struct replay_offers *offers, struct arena *arena,
                                const struct db_event *event, bool ends);

/* What the row must have of those that are open. NULL: nothing. */
const char *replay_offers_text(struct arena *arena, const struct replay_offers *offers);

#endif
