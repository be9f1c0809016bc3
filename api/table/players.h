/*
 * players.h - who asks: the player whose token a request shows, found before its handler runs.
 *
 * The token names its player, so that one look-up by key finds the hash that it must have. Players
 * never change, so what was read once is good for ever: each loop keeps some of them in memory. Ids
 * that no player has take no room there.
 */
#ifndef PLYD_API_TABLE_PLAYERS_H
#define PLYD_API_TABLE_PLAYERS_H

#include "api/http/request.h"
#include "db/db.h"

enum { PLAYER_NAME_BYTES = 64 };

struct player {
    db_id id;
    const char *name;
    int64_t created_at;
};

struct players;
struct loop;

struct players *players_open(void);
void players_close(struct players *players);

/* Sets request->player, or leaves it NULL where there is no token or one that no player has, and
 * then lets `go_on` handle the request: at once, or when the database has said who it is. Answers
 * the request itself if the database says nothing. */
void players_identify(struct request *request, void (*go_on)(struct request *request));

#endif
