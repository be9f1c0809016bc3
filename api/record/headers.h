/*
 * headers.h - the headers that several formats have, each under a name of its own there.
 */
#ifndef PLYD_API_RECORD_HEADERS_H
#define PLYD_API_RECORD_HEADERS_H

/* KIF's names are those of KI2 and JKF too. */
enum record_column { RECORD_COLUMN_KIF, RECORD_COLUMN_CSA, RECORD_COLUMN_PDN };

/* "棋戦" for the key "event", and back. What has no other name keeps the one that it has. */
const char *record_header_name(enum record_column column, const char *key);
const char *record_header_key(enum record_column column, const char *name);

#endif
