/* records.h - records for tests: made at random, read from texts and files, written. */
#ifndef PLYD_TESTS_UNIT_RECORDS_H
#define PLYD_TESTS_UNIT_RECORDS_H

#include "api/record/record.h"

/* Everything that is made in a test is in this arena; records_free() frees it. */
extern struct arena records_arena;
void records_free(void);

/* A file of tests/records/. */
const char *records_file(const char *name, size_t *len);

/* Reads a text, which must be a record, in a format (NULL: it is recognised). */
struct record records_read(const char *text, const char *format);

/* Reads a text, which must not be a record, and returns what is wrong with it. */
struct record_error records_error(const char *text, const char *format);

/* Writes a record in a format, which must succeed. */
const char *records_write(const struct record *record, const char *format);

/* A record that was written as our own JSON and read back, so that the rules have judged it. */
struct record records_read_back(const struct record *record);

/* The moves of a record, parted by blanks. */
const char *records_moves(const struct record *record);

/* All lines of a record with their comments and seconds, each variation in brackets where it
 * begins. */
const char *records_tree(const struct record *record);

/* The value of a header, or NULL. */
const char *records_header(const struct record *record, const char *key);

/* A game played at random, with options, names, headers, comments, times and an end at random. */
struct record records_random(const struct rules_game *game, uint64_t seed, size_t plies);

/* Adds variations, and variations of these, with comments, times and ends, and ends from which
 * another line goes on, to a game of which nothing is told but moves. */
void records_vary(struct record *record, uint64_t seed, size_t lines);

/* A game of the given options ("" or "rules=casual start=bishop") and moves. */
struct record records_game(const char *variant, const char *options, const char *moves);

#endif
