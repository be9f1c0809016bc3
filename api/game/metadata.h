/*
 * metadata.h - what an application keeps with a game: a few texts by their names.
 *
 * A tournament, the number of a table: plyd stores and shows them and finds a player's games by one
 * of them, and does not know what they mean. They are set when the game is made and stay.
 *
 * They are stored as a JSON object without blanks, in which a name and its text stand as they stand
 * in a search for them: "table":"5". Names are of letters, digits and _.-, and quotes in texts are
 * escaped, so that such a piece is found at no other place. Pure functions.
 */
#ifndef PLYD_API_GAME_METADATA_H
#define PLYD_API_GAME_METADATA_H

#include "api/text/json_fields.h"

enum {
    METADATA_BYTES_MAX = 1024, /* as it is stored */
    METADATA_NAME_MAX = 64
};

/* Takes the member `metadata`, in the form in which it is stored. NULL: it is absent or empty, or
 * does not fit, and the error is set. */
const char *metadata_take(struct json_fields *fields);

/* What of a stored object says that `name` is `text`. NULL: nothing may have that name. */
const char *metadata_member(struct arena *arena, const char *name, size_t len, const char *text);

#endif
