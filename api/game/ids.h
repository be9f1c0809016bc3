/*
 * ids.h - the ids of games and players, and their texts: 26 letters and digits.
 *
 * An id is 128 random bits (db_id). Its text stands in addresses and answers; it has no capital
 * letters and none of i, l, o and u, so it survives being read aloud. The base 32 below serves
 * other short binary texts too: tokens and the cursors of lists.
 */
#ifndef PLYD_API_GAME_IDS_H
#define PLYD_API_GAME_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/db.h"

enum { IDS_TEXT = 27 }; /* with the NUL */

/* Draws a new id. */
db_id ids_new(void);

/* The id of the game that follows on a game. It is always the same, so there is only one. */
db_id ids_next(db_id id);

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
