/*
 * collections.h - collections of games.
 *
 * Named shelves for games. A game may be in several of them, or in none. Nobody else sees them, and
 * what is in them shows the games to nobody.
 */
#ifndef PLYD_API_ENDPOINTS_LIBRARY_COLLECTIONS_H
#define PLYD_API_ENDPOINTS_LIBRARY_COLLECTIONS_H

#include "db/db.h"
#include "db/library.h"

/* The one of this id among those that db_get_collections() has read; NULL: there is none. */
const struct db_collection *collections_among(const struct db_collections *collections, db_id id);

#endif
