/*
 * already_sent.h - events that a player's stream has sent, and that the next query returns again.
 *
 * A feed reads the events of a player's games in passes. Each begins a little before the end of the
 * one before it, since an event may become visible later than one that was written after it. Here
 * stands for each game up to which version the feed has told what the next pass finds again.
 */
#ifndef PLYD_API_STREAM_ALREADY_SENT_H
#define PLYD_API_STREAM_ALREADY_SENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/db.h"

enum { SENT_MAX = 1024 }; /* games: events of more are told again */

/* All zero is empty. The members are private to already_sent.c. */
struct sent_events {
    struct sent_game *games;
    size_t count, capacity;
};

void sent_free(struct sent_events *told);

/* Whether an event was noted, or a later one of its game. */
bool sent_has(const struct sent_events *told, const struct db_feed *event);

/* Notes that an event was told. */
void sent_note(struct sent_events *told, const struct db_feed *event);

/* Forgets the games whose last event was written before that moment. */
void sent_forget(struct sent_events *told, int64_t before);

#endif
