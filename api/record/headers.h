/*
 * headers.h - the headers that several formats have, each under a name of its own there.
 */
#ifndef PLYD_API_RECORD_HEADERS_H
#define PLYD_API_RECORD_HEADERS_H

#include "api/record/record.h"
#include "api/text/json.h"

/* KIF's names are those of KI2 and JKF too. */
enum record_column { RECORD_COLUMN_KIF, RECORD_COLUMN_CSA, RECORD_COLUMN_PDN };

/* "棋戦" for the key "event", and back. What has no other name keeps the one that it has. */
const char *record_header_name(enum record_column column, const char *key);
const char *record_header_key(enum record_column column, const char *name);

enum record_slot record_slot_of(const char *word);

/* What has this slot stands behind the headers that were read so far, or before the header of that
 * number. Where it comes twice, the first one counts. */
void record_spot(struct record *record, enum record_slot slot);
void record_spot_at(struct record *record, enum record_slot slot, size_t before);

/* Writes the members "headers" and "spots", if there are any. */
void record_write_header_list(struct json *json, const struct record *record);
void record_write_spots(struct json *json, const struct record *record);

#endif
