/*
 * ids.h - the ids of games and players, and their texts: 26 letters and digits.
 *
 * An id (db_id) is 48 bits of time, in milliseconds of 1970, and 80 bits that nobody can guess.
 * Games of the same weeks so stand on the same pages of the database's indexes: at millions of
 * games, a move writes less. Nothing else follows from the time in an id, and any 128 bits are an
 * id: those of old games, and those that are made of a client's key, are random throughout.
 *
 * Its text stands in addresses and answers; it has no capital letters and none of i, l, o and u, so
 * it survives being read aloud. The base 32 below serves other short binary texts too: tokens and
 * the cursors of lists.
 */
#ifndef PLYD_API_GAME_IDS_H
#define PLYD_API_GAME_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/db.h"

enum { IDS_TEXT = 27 }; /* with the NUL */

/* Draws a new id, of the time `at` in microseconds of 1970. */
db_id ids_new(int64_t at);

/* The id of the game that follows on a game. It is always the same, so there is only one. It has
 * the time of the first one. */
db_id ids_next(db_id id);

/* Gives an id that follows from something else the time of another one. */
void ids_set_time(db_id *id, const db_id *of);

/* Gives an id that follows from a client's key the time in that key. Only UUIDs of version 7 have
 * one; other keys leave the id as it is. */
void ids_set_key_time(db_id *id, const char *key);

/* Writes an id as a text. */
void ids_text(db_id id, char text[IDS_TEXT]);

/* Reads an id. False: no id has this text. */
bool ids_read(const char *text, db_id *id);

/* Writes `len` bytes in Crockford's base 32, in small letters: a character for each five bits, and
 * a NUL. ids_base32_read() takes exactly the text that ids_base32() writes for `len` bytes; false:
 * no bytes have this text. */
void ids_base32(const uint8_t *bytes, size_t len, char *text);
bool ids_base32_read(const char *text, uint8_t *bytes, size_t len);

#endif
