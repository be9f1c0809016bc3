/*
 * visit.h - opens a game on a daemon for `plyd play`, and keeps its token.
 */
#ifndef PLYD_API_TERMINAL_VISIT_H
#define PLYD_API_TERMINAL_VISIT_H

#include "api/terminal/game_session.h"
#include "api/terminal/menu.h"
#include "api/terminal/remote.h"

/* The flags of the command line for a daemon. */
struct visit {
    const char *base;       /* the daemon's address; NULL: no daemon */
    const char *game;       /* the id of a game to go on with, to join or to watch, or NULL */
    const char *token_file; /* where the token is; NULL: a file for each game (autosave_place()) */
    int64_t seed;           /* of the engine; negative: the daemon draws one */
    bool open;              /* the other seat of a new game is open for somebody */
    struct remote remote;   /* private to visit.c */
};

/* Opens the game that is named, or creates the one that was chosen, and begins to play it. Appends
 * the command that opens it again. False: *said has why not. */
bool visit_named(struct visit *visit, struct game_session *session, struct out *said);
bool visit_new(struct visit *visit, struct game_session *session, const struct menu_choice *choice,
               struct out *said);
void visit_close(struct visit *visit);

#endif
