/*
 * pdn_tags.h - what the writer and the reader of PDN both know of its tags, [Name "value"].
 */
#ifndef PLYD_API_RECORD_PDN_TAGS_H
#define PLYD_API_RECORD_PDN_TAGS_H

#include <stdbool.h>

struct rules_game;

/* Whether a tag tells what has a place of its own in a record. All others are headers. */
bool record_pdn_is_own_tag(const char *name);

/* Whether the name of a tag may hold this character. */
bool record_pdn_is_tag_char(char c);

/* The start of a record that has no tag FEN. */
const char *record_pdn_usual_start(const struct rules_game *game);

#endif
