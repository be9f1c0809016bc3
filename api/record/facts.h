/*
 * facts.h - the header "plyd" of a record: what a format has no words for.
 *
 * Each format puts this where other programs pass over it: in a comment, or a header named "plyd".
 */
#ifndef PLYD_API_RECORD_FACTS_H
#define PLYD_API_RECORD_FACTS_H

#include "api/record/reader.h"
#include "api/record/record.h"

/* What must be written of a game of shogi beside the format's own words, or NULL. `said` is what
 * those words say of the end. */
const char *record_facts(struct arena *arena, const struct record *record,
                         const struct record_outcome *said);

/* The options alone. "" if all are the defaults. */
const char *record_options_text(struct arena *arena, const struct record *record);

/* Takes facts as record_facts() wrote them. False, with an error: they are not. */
bool record_take_facts(struct record_reading *reading, const char *facts);

/* Whether the game has an option that says its start, and it was given. */
bool record_names_start(const struct rules_game *game, const struct rules_options *options);

#endif
