/*
 * lang.h - the words of the program in the languages of its users.
 *
 * A language is two files of data, lang_NAME.def and pages_NAME.def, and a line in lang.c. Each
 * game brings along its own words (rules/module.h). A text that a language does not have is shown
 * in English, so a NULL language is English too. The files of English have the words that stand in
 * no other table, and so the keys of all LANG_WORDs and LANG_SCRIPTs. The keys of the other kinds
 * are those of the tables whose texts they translate. Constant data; any thread may read it.
 */
#ifndef PLYD_API_TEXT_LANG_H
#define PLYD_API_TEXT_LANG_H

#include <stdarg.h>
#include <stddef.h>

#include "api/text/arena.h"
#include "rules/words.h"

struct lang;

/* A language by its tag: "en", "ja", "tr". A region does not matter: "ja-JP" is Japanese. NULL if
 * there is none. */
const struct lang *lang_find(const char *tag);

/* Its tag; of NULL "en". */
const char *lang_tag(const struct lang *lang);

/* "en, ja or tr is expected." */
extern const char lang_expected[];

/* The texts of a language in parts: first those of the program, then those of each game. `n`
 * becomes the number of texts in a part. */
size_t lang_parts(void);
const struct lang_text *lang_texts(const struct lang *lang, size_t part, size_t *n);

/* A text in a language; `english` if the language does not have it. */
const char *lang_say(const struct lang *lang, enum lang_kind kind, const char *key,
                     const char *english);

/* A LANG_WORD. */
const char *lang_word(const struct lang *lang, const char *key);

/* A LANG_WORD with its places filled. Pairs of texts follow, a place's name and what stands there,
 * and then NULL: lang_fill(arena, lang, "to-move", "side", "sente", NULL). */
const char *lang_fill(struct arena *arena, const struct lang *lang, const char *key, ...)
    __attribute__((sentinel));
const char *lang_fill_list(struct arena *arena, const struct lang *lang, const char *key,
                           va_list pairs);

#endif
