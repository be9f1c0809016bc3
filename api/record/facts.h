/*
 * facts.h - the header "plyd" of a record: facts that a format has no words for.
 *
 * Each format puts the facts where other programs ignore them: in a comment, or in a header named
 * "plyd".
 */
#ifndef PLYD_API_RECORD_FACTS_H
#define PLYD_API_RECORD_FACTS_H

#include "api/record/reader.h"
#include "api/record/record.h"

/* The facts of a game of shogi that the format itself cannot express, or NULL if there are none.
 * `said` is the outcome that the format's own words express. */
const char *record_facts(struct arena *arena, const struct record *record,
                         const struct record_outcome *said);

/* The options as facts write them. "" if all have their defaults. */
const char *record_options_text(struct arena *arena, const struct record *record);

/* Reads facts as record_facts() writes them. False, with an error: the text is not in that form. */
bool record_take_facts(struct record_reading *reading, const char *facts);

/* Whether the game has an option that names its start, and the options set it. */
bool record_names_start(const struct rules_game *game, const struct rules_options *options);

#endif
