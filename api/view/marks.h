/*
 * marks.h - the squares that are marked on a board: in texts, in pictures, and in its JSON.
 */
#ifndef PLYD_API_VIEW_MARKS_H
#define PLYD_API_VIEW_MARKS_H

#include "api/text/arena.h"
#include "api/view/view.h"

struct rules_look;

/* Marks what a list such as "last,check,legal" or "legal:7g" asks for. False: a word of the list is
 * not known, or there are more than 64. */
bool view_mark_squares(struct arena *arena, struct rules_look *look, const struct game_view *view,
                       const char *marks);

/* Marks what is marked where nothing else is asked for: all of the following. As such a list, it is
 * in view_usual_marks. */
void view_mark_usual(struct rules_look *look, const struct game_view *view);
extern const char view_usual_marks[];

/* Marks the squares of the last move and remembers their order; the king that is in check; the
 * lines that have won; and the squares on which the last move took men and went on, as far as it
 * was looked up. */
void view_mark_last(struct rules_look *look, const struct game_view *view);
void view_mark_check(struct rules_look *look, const struct game_view *view);
void view_mark_win(struct rules_look *look, const struct game_view *view);
void view_mark_taken(struct rules_look *look, const struct game_view *view);

/* Finds the next square that a move's text names from *at on, and moves *at behind it. False: there
 * is none left. */
bool view_next_square(struct rules_board board, const char **at, unsigned *square);

#endif
