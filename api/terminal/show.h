/*
 * show.h - a match as texts for a terminal: its board, its moves, how it stands.
 */
#ifndef PLYD_API_TERMINAL_SHOW_H
#define PLYD_API_TERMINAL_SHOW_H

#include "api/terminal/match.h"
#include "rules/draw/textboard.h"

/* How a person wants to see things. */
struct show_style {
    enum rules_style style;
    unsigned view; /* the seat below the board */
};

/* Whether only ASCII may be shown. */
bool show_plain(const struct show_style *style);

/* Begins the look of the board at a ply: its style, and the marks of the last move, of check and of
 * lines that have won. */
void show_look(const struct match *match, size_t ply, const struct show_style *style,
               struct rules_look *look);

/* The board at a ply in that look. All texts are in the arena. */
const char *show_board(struct arena *arena, const struct match *match, size_t ply,
                       struct rules_look *look);

/* A move that was played at a ply, 1 or more, or could be played at the present position. */
const char *show_played(struct arena *arena, const struct match *match, size_t ply,
                        const struct show_style *style);
const char *show_move(struct arena *arena, const struct match *match, rules_move move,
                      const struct show_style *style);

/* The moves up to the present position, two to a line. */
const char *show_moves(struct arena *arena, const struct match *match,
                       const struct show_style *style);

/* The legal moves of the present position, as canonical texts. `from` is their first click: a
 * square, or a piece in hand; "": all. */
const char *show_legal(struct arena *arena, const struct match *match, const char *from);

/* How the match ended: "x wins (line)". NULL: it goes on. */
const char *show_ending(struct arena *arena, const struct match *match);

#endif
