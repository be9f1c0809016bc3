/*
 * lang.h - the words of the program in the languages of its users.
 *
 * A language is one file of data, lang_NAME.def, and a line in lang.c. A text that a language does
 * not have is shown in English, so a NULL language is English too. lang_en.def has the words that
 * stand in no other table, and so the keys of all LANG_WORDs. The keys of the other kinds are those
 * of the tables whose texts they translate. Constant data; any thread may read it.
 */
#ifndef PLYD_API_TEXT_LANG_H
#define PLYD_API_TEXT_LANG_H

#include <stdarg.h>
#include <stddef.h>

#include "api/text/arena.h"

enum lang_kind {
    LANG_WORD,   /* by its key in lang_en.def */
    LANG_GAME,   /* the title of a game, by its name */
    LANG_PIECE,  /* of a game, by both names: "shogi.pawn" */
    LANG_SIDE,   /* by its name; "-odds" is added in a game at odds: "gote-odds" */
    LANG_STATUS, /* of a game: "active" */
    LANG_REASON, /* how a game ended: "checkmate" */
    LANG_TITLE,  /* of a problem, by its code */
    LANG_DETAIL, /* of a refusal of the rules, by its code: a template as in rules/codes.def */
    LANG_LAW,    /* a numbered rule, by its id */
    LANG_OPTION, /* what an option decides, by game and option: "shogi.rules" */
    LANG_MOVES,  /* how moves are written, by the game */
    LANG_ORDER   /* what a word does that is typed in a terminal, by that word */
};

struct lang_text {
    enum lang_kind kind;
    const char *key, *text;
};

struct lang;

/* A language by its tag: "en", "ja", "tr". A region does not matter: "ja-JP" is Japanese. NULL if
 * there is none. */
const struct lang *lang_find(const char *tag);

/* Its tag. */
const char *lang_tag(const struct lang *lang);

/* "en, ja or tr is expected." */
extern const char lang_expected[];

/* All texts of a language. */
const struct lang_text *lang_texts(const struct lang *lang, size_t *n);

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
