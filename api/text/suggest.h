/*
 * suggest.h - "did you mean": help for somebody who has misspelt a name.
 */
#ifndef PLYD_API_TEXT_SUGGEST_H
#define PLYD_API_TEXT_SUGGEST_H

#include <stddef.h>

#include "api/text/arena.h"

/* Of n known names the one that was most likely meant by `word`: one that differs in case or in two
 * letters at most, whose part behind a dot is the word (options.rows for rows), or that others call
 * so (variant for game). NULL: none is near. */
const char *suggest_name(const char *word, const char *const *known, size_t n);

/* Sentences to be added to the one that says that a name is not known, each behind a blank: which
 * name was meant, and which are known; or where tokens stand. "" if nothing helps. */
const char *suggest_text(struct arena *arena, const char *word, const char *const *known, size_t n);

#endif
