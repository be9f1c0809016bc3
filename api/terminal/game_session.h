/*
 * game_session.h - a session of `plyd play`: who plays, and where it is kept.
 *
 * A sitting has a match, says who plays, and keeps the game in a file after each change, or has it
 * from a daemon. Both faces of `plyd play`, the line mode and the screen, show it and hand on what
 * was typed:
 *
 *     for (;;) {
 *         while (game_session_waits(&sitting))
 *             game_session_other_moves(&sitting, &said);
 *         next = run_command_line(&sitting, line, &said);
 *     }
 */
#ifndef PLYD_API_TERMINAL_GAME_SESSION_H
#define PLYD_API_TERMINAL_GAME_SESSION_H

#include <stdatomic.h>

#include "api/terminal/advisor.h"
#include "api/terminal/match.h"
#include "api/terminal/remote.h"
#include "api/terminal/show.h"
#include "api/text/out.h"

enum { SITTING_PERSON = 0, SITTING_AWAY = ENGINE_LEVELS + 1 };

struct game_session {
    struct match match;
    unsigned level[RULES_SEATS]; /* SITTING_PERSON here, SITTING_AWAY, or the engine's level */
    struct show_style style;
    const char *file;    /* where the game is kept, or NULL */
    const char *again;   /* the flags that name this file to `plyd play` */
    atomic_bool *stop;   /* ends what takes long, and is taken back then; or NULL */
    struct remote *away; /* the daemon that has the game, or NULL */

    /* The following are for game_session.c and run_command.c, but for `shown`. */
    size_t shown;     /* the ply that is looked at */
    unsigned offered; /* the seat that has offered a draw, or 0 */
    bool stopped;     /* the engine waits for `go` */
    const char *rest; /* what stands behind the word of the order */
    struct adviser adviser;
    char notice[1024]; /* for game_session_tell() */
};

/* Begins a sitting at the match of its file, which it owns from now on, and closes the match before
 * it. `level` says who plays. All other members are the caller's to set before the first sitting.
 */
void game_session_begin(struct game_session *sitting, struct match *match,
                        const unsigned level[RULES_SEATS]);

/* The same with another match than that of the file: the game there is put aside. False: the file
 * cannot keep this match, *said has why, and nothing was touched. The match is closed then. */
bool game_session_replace(struct game_session *sitting, struct match *match,
                          const unsigned level[RULES_SEATS], struct out *said);
void game_session_close(struct game_session *sitting);

/* Appends what is to be told once: that the game cannot be kept, or where the one before it is. */
void game_session_tell(struct game_session *sitting, struct out *said);

/* Whether the file of the sitting can keep a match. False: *said has why not. */
bool game_session_can_keep(const struct game_session *sitting, const struct match *match,
                           struct out *said);

/* Sits down to the game of a daemon. False: *said has why not. */
bool game_session_visit(struct game_session *sitting, struct remote *away, struct out *said);

/* Who plays by what a record says of its players: SITTING_PERSON for all but our engine. */
void game_session_levels(const struct match *match, unsigned level[RULES_SEATS]);

/* Whether it is the turn of somebody else, who is waited for: the engine, or somebody at a daemon.
 */
bool game_session_waits(const struct game_session *sitting);

/* Waits for that move and says what was played. At a daemon that may take several calls. */
void game_session_other_moves(struct game_session *sitting, struct out *said);

/* The name of a seat; the level of the side to move. */
const char *game_session_seat(const struct game_session *sitting, unsigned seat);
unsigned game_session_level(const struct game_session *sitting);

/* The match was changed: it is kept, and its present position is what is shown. */
void game_session_changed(struct game_session *sitting);

/* From now on the engine plays at this level. */
void game_session_set_level(struct game_session *sitting, unsigned level);

/* Lets the engine play for the side to move, and says what it played. */
void game_session_engine_plays(struct game_session *sitting, unsigned level, struct out *said);

/* Takes over what the daemon says of the game, and tells what is new in it. False: *said has why
 * not.
 */
bool game_session_reread(struct game_session *sitting, struct out *said);

/* Takes back that something is to be stopped. */
void game_session_let_go(struct game_session *sitting);

/* Whose turn it is, as the prompt says: a seat's name, or that it is over. */
const char *game_session_turn(const struct game_session *sitting);

/* The look of the board that is shown: its ply, style and marks. */
void game_session_look(const struct game_session *sitting, struct rules_look *look);

/* Loads the game in a file, whatever its format, and sits down to it; another one that is kept is
 * put aside. False: *said has why not. */
bool game_session_load(struct game_session *sitting, const char *path, struct out *said);

/* ---- run_command.c --------------------------------------------------------------------------- */

/* What the words of commands.def, and moves, do to a sitting. */

/* What a face does next, after it has shown what was said. */
enum run_command_next {
    OBEY_SAID,  /* nothing else has changed */
    OBEY_TELLS, /* nor now, and what was said are paragraphs, which may be folded anew */
    OBEY_SHOWS, /* the board is another one, or is asked for */
    OBEY_MENU,  /* another game is wanted */
    OBEY_QUIT
};

/* Does what a line says. The line is cut up. */
enum run_command_next run_command_line(struct game_session *sitting, char *line, struct out *said);

#endif
