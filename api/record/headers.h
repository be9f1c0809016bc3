/*
 * headers.h - the names of common headers in each format.
 */
#ifndef PLYD_API_RECORD_HEADERS_H
#define PLYD_API_RECORD_HEADERS_H

#include "api/record/record.h"
#include "api/text/json.h"

/* KI2 and JKF use KIF's names. */
enum record_column { RECORD_COLUMN_KIF, RECORD_COLUMN_CSA, RECORD_COLUMN_PDN };

/* The name of a header in a format, such as "棋戦" for the key "event"; and the key for a name. A
 * header without an entry in the table keeps its name. */
const char *record_header_name(enum record_column column, const char *key);
const char *record_header_key(enum record_column column, const char *name);

/* The slot of a word of our JSON, such as "first"; RECORD_SLOTS if no slot has that word. */
enum record_slot record_slot_of(const char *word);

/* Notes where the item of a slot stood, before the header of that number, and its text if it is not
 * NULL. If an item comes twice, its first place counts, and its last text. */
void record_spot_at(struct record *record, enum record_slot slot, size_t before, const char *text);

/* The text of a spot, or NULL. */
const char *record_spot_text(const struct record *record, enum record_slot slot);

/* Write the members "headers" and "spots", if the record has any. */
void record_write_header_list(struct json *json, const struct record *record);
void record_write_spots(struct json *json, const struct record *record);

#endif
