/*
 * ids.h - ids of games and players as texts: 26 letters and digits.
 */
#ifndef PLYD_API_GAME_IDS_H
#define PLYD_API_GAME_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/db.h"

enum { IDS_TEXT = 27 }; /* with the NUL */

/* A new random id. */
db_id ids_new(void);

void ids_text(db_id id, char text[IDS_TEXT]);

/* False: no id has this text. */
bool ids_read(const char *text, db_id *id);

/* Bytes in Crockford's base 32, in small letters, and back. Equal bytes have one text: spare bits
 * are zero. `len` counts bytes; the text has a character for each five bits, and a NUL. */
void ids_base32(const uint8_t *bytes, size_t len, char *text);
bool ids_base32_read(const char *text, uint8_t *bytes, size_t len);

#endif
