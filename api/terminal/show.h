/*
 * show.h - a match as texts for a terminal: its board, its moves, how it stands.
 */
#ifndef PLYD_API_TERMINAL_SHOW_H
#define PLYD_API_TERMINAL_SHOW_H

#include "api/terminal/match.h"
#include "api/text/lang.h"
#include "api/text/out.h"
#include "rules/draw/textboard.h"

/* How a person wants to see things. */
struct show_style {
    enum rules_style style;
    unsigned view;           /* the seat below the board */
    const struct lang *lang; /* NULL: English, but boards as their game has them */
};

/* The language of all sentences. It is English where only ASCII may be shown. */
const struct lang *show_lang(const struct show_style *style);

/* Appends the line `key` of lang_*.def (LANG_WORD). Then follow pairs of a placeholder and its
 * text, ended by NULL, as for lang_fill(). */
void show_say(struct out *out, const struct show_style *style, const char *key, ...)
    __attribute__((sentinel));

/* A number as a text for a placeholder. The name of a file without its folder. A text as one would
 * paste it into a shell: quoted if necessary. */
const char *show_number(struct arena *arena, size_t n);
const char *show_name(const char *path);
const char *show_quoted(struct arena *arena, const char *text);

/* The name of a game, and of a seat of a match, in the style's language. */
const char *show_title(const struct rules_game *game, const struct show_style *style);
const char *show_side(const struct match *match, unsigned seat, const struct show_style *style);

/* Appends why a game cannot start with these options, at this position or the usual one (NULL). */
void show_bad_start(struct out *out, const struct rules_game *game,
                    const struct rules_options *options, const char *position,
                    const struct rules_refusal *why, const struct show_style *style);

/* Whether men of a game stand on each other. */
bool show_has_stacks(const struct rules_game *game);

/* Whether only ASCII may be shown. */
bool show_plain(const struct show_style *style);

/* Begins the look of the board at a ply: its style, and the marks of the last move, of check and of
 * lines that have won. */
void show_look(const struct match *match, size_t ply, const struct show_style *style,
               struct rules_look *look);

/* The board at a ply in that look, in the words of the style's language. All texts are in the
 * arena. */
const char *show_board(struct arena *arena, const struct match *match, size_t ply,
                       const struct show_style *style, struct rules_look *look);

/* A move that was played at a ply, 1 or more, or could be played at the present position. */
const char *show_played(struct arena *arena, const struct match *match, size_t ply,
                        const struct show_style *style);
const char *show_move(struct arena *arena, const struct match *match, rules_move move,
                      const struct show_style *style);

/* What stands on a square at a ply, from top to bottom, as a sentence. */
const char *show_men(struct arena *arena, const struct match *match, size_t ply, unsigned square,
                     const struct show_style *style);

/* The moves up to the present position, two to a line. */
const char *show_moves(struct arena *arena, const struct match *match,
                       const struct show_style *style);

/* The legal moves of the present position, as canonical texts. `from` is their first click: a
 * square, or a piece in hand; "": all. */
const char *show_legal(struct arena *arena, const struct match *match, const char *from,
                       const struct show_style *style);

#endif
