/*
 * collections.h - the use cases of a player's collections: named shelves for games. A game may be
 * in several of them, or in none. Nobody else sees them, and what is in them shows the games to
 * nobody.
 */
#ifndef PLYD_API_PLAY_COLLECTIONS_H
#define PLYD_API_PLAY_COLLECTIONS_H

#include "api/http/request.h"
#include "db/db.h"
#include "db/library.h"

/* Answers with the collections of the player who asks, or with one. */
void collections_list(struct request *request);
void collections_show(struct request *request, db_id id);

/* Makes a collection, renames one, deletes one, and answers. */
void collections_create(struct request *request, const char *name);
void collections_rename(struct request *request, db_id id, const char *name);
void collections_delete(struct request *request, db_id id);

/* Adds a game that the player may see, or takes one out, and answers with 204. */
void collections_add(struct request *request, db_id id, db_id game);
void collections_remove(struct request *request, db_id id, db_id game);

/* The one of this id among those that db_get_collections() has read; NULL: there is none. */
const struct db_collection *collections_among(const struct db_collections *collections, db_id id);

#endif
