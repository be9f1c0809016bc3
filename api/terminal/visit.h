/*
 * visit.h - how `plyd play` gets to a game on a daemon, and where it keeps the token.
 */
#ifndef PLYD_API_TERMINAL_VISIT_H
#define PLYD_API_TERMINAL_VISIT_H

#include "api/terminal/game_session.h"
#include "api/terminal/menu.h"
#include "api/terminal/remote.h"

/* What the command line says. */
struct visit {
    const char *base;       /* the daemon's address; NULL: no daemon */
    const char *game;       /* the id of a game to go on with, to join or to watch, or NULL */
    const char *token_file; /* where the token is; NULL: a file for each game (autosave_place()) */
    int64_t seed;           /* of the engine; negative: the daemon draws one */
    bool open;              /* the other seat of a new game is open for somebody */
    struct remote away;     /* private to visit.c */
};

/* Goes to the game that is named, or makes the one that was chosen, and sits down to it. Says how
 * to get there again. False: *said has why not. */
bool visit_named(struct visit *visit, struct game_session *sitting, struct out *said);
bool visit_new(struct visit *visit, struct game_session *sitting, const struct menu_choice *choice,
               struct out *said);
void visit_close(struct visit *visit);

#endif
