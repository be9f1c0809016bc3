/*
 * game_text.h - games as texts for a terminal. All texts are in the arena.
 */
#ifndef PLYD_API_VIEW_GAME_TEXT_H
#define PLYD_API_VIEW_GAME_TEXT_H

#include "api/text/arena.h"
#include "api/view/view.h"

/* A game: what it is, who plays, the board, how it ended. */
const char *view_game_text(struct arena *arena, const struct game_view *view);

/* The same below its id and a token that was just given. */
const char *view_token_text(struct arena *arena, const struct game_view *view, const char *token);

/* A game as one line of a list. Its last activity is counted back from `now`. */
const char *view_game_line(struct arena *arena, const struct game_view *view, int64_t now);

#endif
