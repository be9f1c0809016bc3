/*
 * session.h - who sits at the board: people here, the engine, or somebody at a daemon.
 *
 * A sitting has a match, says who plays, and keeps the game in a file after each change, or has it
 * from a daemon. Both faces of `plyd play`, the line mode and the screen, show it and hand on what
 * was typed:
 *
 *     for (;;) {
 *         while (sitting_waits(&sitting))
 *             sitting_other_moves(&sitting, &said);
 *         next = obey_line(&sitting, line, &said);
 *     }
 */
#ifndef PLYD_API_TERMINAL_SESSION_H
#define PLYD_API_TERMINAL_SESSION_H

#include <stdatomic.h>

#include "api/terminal/advisor.h"
#include "api/terminal/match.h"
#include "api/terminal/remote.h"
#include "api/terminal/show.h"
#include "api/text/out.h"

enum { SITTING_PERSON = 0, SITTING_AWAY = ENGINE_LEVELS + 1 };

struct sitting {
    struct match match;
    unsigned level[RULES_SEATS]; /* SITTING_PERSON here, SITTING_AWAY, or the engine's level */
    struct show_style style;
    const char *file;  /* where the game is kept, or NULL */
    const char *again; /* the flags that name this file to `plyd play` */
    atomic_bool *stop; /* ends what takes long, and is taken back then; or NULL */
    struct away *away; /* the daemon that has the game, or NULL */

    /* The following are for session.c and run_command.c, but for `shown`. */
    size_t shown;     /* the ply that is looked at */
    unsigned offered; /* the seat that has offered a draw, or 0 */
    bool stopped;     /* the engine waits for `go` */
    const char *rest; /* what stands behind the word of the order */
    struct adviser adviser;
    char notice[1024]; /* for sitting_tell() */
};

/* Begins a sitting at the match of its file, which it owns from now on, and closes the match before
 * it. `level` says who plays. All other members are the caller's to set before the first sitting.
 */
void sitting_begin(struct sitting *sitting, struct match *match, const unsigned level[RULES_SEATS]);

/* The same with another match than that of the file: the game there is put aside. False: the file
 * cannot keep this match, *said has why, and nothing was touched. The match is closed then. */
bool sitting_replace(struct sitting *sitting, struct match *match,
                     const unsigned level[RULES_SEATS], struct out *said);
void sitting_close(struct sitting *sitting);

/* Appends what is to be told once: that the game cannot be kept, or where the one before it is. */
void sitting_tell(struct sitting *sitting, struct out *said);

/* Whether the file of the sitting can keep a match. False: *said has why not. */
bool sitting_can_keep(const struct sitting *sitting, const struct match *match, struct out *said);

/* Sits down to the game of a daemon. False: *said has why not. */
bool sitting_visit(struct sitting *sitting, struct away *away, struct out *said);

/* Who plays by what a record says of its players: SITTING_PERSON for all but our engine. */
void sitting_levels(const struct match *match, unsigned level[RULES_SEATS]);

/* Whether it is the turn of somebody else, who is waited for: the engine, or somebody at a daemon.
 */
bool sitting_waits(const struct sitting *sitting);

/* Waits for that move and says what was played. At a daemon that may take several calls. */
void sitting_other_moves(struct sitting *sitting, struct out *said);

/* The name of a seat; the level of the side to move. */
const char *sitting_seat(const struct sitting *sitting, unsigned seat);
unsigned sitting_level(const struct sitting *sitting);

/* The match was changed: it is kept, and its present position is what is shown. */
void sitting_changed(struct sitting *sitting);

/* From now on the engine plays at this level. */
void sitting_set_level(struct sitting *sitting, unsigned level);

/* Lets the engine play for the side to move, and says what it played. */
void sitting_engine_plays(struct sitting *sitting, unsigned level, struct out *said);

/* Takes over what the daemon says of the game, and tells what is new in it. False: *said has why
 * not.
 */
bool sitting_reread(struct sitting *sitting, struct out *said);

/* Takes back that something is to be stopped. */
void sitting_let_go(struct sitting *sitting);

/* Whose turn it is, as the prompt says: a seat's name, or that it is over. */
const char *sitting_turn(const struct sitting *sitting);

/* The look of the board that is shown: its ply, style and marks. */
void sitting_look(const struct sitting *sitting, struct rules_look *look);

/* Loads the game in a file, whatever its format, and sits down to it; another one that is kept is
 * put aside. False: *said has why not. */
bool sitting_load(struct sitting *sitting, const char *path, struct out *said);

#endif
