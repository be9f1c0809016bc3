/*
 * game_session.h - a session of `plyd play`: the match, its players, and the file or daemon that
 * has the game.
 *
 * A session saves its match to a file after each change, and not before the first one; or it gets
 * the match from a daemon. The two user interfaces of `plyd play`, the line mode and the screen,
 * show the session and pass on what was typed:
 *
 *     for (;;) {
 *         while (game_session_waits(&session))
 *             game_session_other_moves(&session, &said);
 *         next = run_command_line(&session, line, &said);
 *     }
 *
 * With a daemon they wait for news and for what is typed at once: game_session_listen().
 */
#ifndef PLYD_API_TERMINAL_GAME_SESSION_H
#define PLYD_API_TERMINAL_GAME_SESSION_H

#include <stdatomic.h>

#include "api/terminal/advisor.h"
#include "api/terminal/autosave.h"
#include "api/terminal/match.h"
#include "api/terminal/remote.h"
#include "api/terminal/show.h"
#include "api/text/out.h"

enum { PLAYER_HERE = 0, PLAYER_REMOTE = ENGINE_LEVELS + 1, PLAYER_RANDOM = ADVISOR_RANDOM };

/* What the next line answers. */
struct game_session_question {
    enum command_kind kind; /* the command that was asked about; COMMAND_NONE: none */
    size_t ply;             /* the game's length at that time */
};

struct game_session {
    struct match match;
    unsigned level[RULES_SEATS]; /* PLAYER_HERE here, PLAYER_REMOTE, or the engine's level */
    struct show_style style;
    const char *file;  /* where the game is saved, or NULL */
    const char *again; /* the flags that name this file to `plyd play` */
    bool usual;        /* it is the program's own file, which keeps one game after the other */
    struct autosave autosave;
    bool confirms;     /* a word that ends the game is asked about first, since a person types */
    atomic_bool *stop; /* setting it ends a search or a request, which clears it again; or NULL */
    struct remote *remote; /* the daemon that has the game, or NULL */

    /* The following members are private to game_session.c and run_command.c, except `shown`. */
    size_t shown;     /* the ply whose position is shown */
    unsigned offered; /* the seat that has offered a draw, or 0 */
    bool stopped;     /* the engine waits for `go` */
    bool replaces;    /* the file has another game, until this one is saved */
    bool goes_on;     /* the match was read from the file */
    const char *rest; /* the argument of the command that is run */
    struct game_session_question question;
    struct advisor advisor;
    char notice[1024]; /* for game_session_tell() */
};

/* Begins to play a match, which the session owns from now on, and closes the previous match. The
 * match was read from the session's file. `level` says who plays. The caller sets all other members
 * before the first call. */
void game_session_begin(struct game_session *session, struct match *match,
                        const unsigned level[RULES_SEATS]);

/* Like game_session_begin(), but with a match that is not the one in the file, which is kept as
 * NAME~ when this one is saved. False: the file cannot hold this match; *said has why, nothing has
 * changed, and the match is closed. */
bool game_session_replace(struct game_session *session, struct match *match,
                          const unsigned level[RULES_SEATS], struct out *said);
void game_session_close(struct game_session *session);

/* Adds a notice, which is told when the game is shown. */
void game_session_note(struct game_session *session, const struct out *said);

/* Appends the pending notices, once: that the game cannot be saved, or where the previous game is.
 */
void game_session_tell(struct game_session *session, struct out *said);

/* Whether the session's file can hold a match, which was read from it (`goes_on`) or was not.
 * False: *said has why not. */
bool game_session_can_keep(const struct game_session *session, const struct match *match,
                           bool goes_on, struct out *said);

/* Whether something of the match may be taken back: not if the session's file has no place for it.
 * False: *said has why not. So each version of a file has all that was played. */
bool game_session_can_undo(const struct game_session *session, struct out *said);

/* Whether the session's file has the present match, so that another session can go on with it. */
bool game_session_is_kept(const struct game_session *session);

/* Begins to play a game on a daemon. False: *said has why not. */
bool game_session_visit(struct game_session *session, struct remote *remote, struct out *said);

/* Sets `level` from the players that a record names: PLAYER_HERE for everyone but our engine. */
void game_session_levels(const struct match *match, unsigned level[RULES_SEATS]);

/* Whether the session waits for a move of the engine or of another player at a daemon. */
bool game_session_waits(const struct game_session *session);

/* Waits for that move and appends what was played. With a daemon it may take several calls. */
void game_session_other_moves(struct game_session *session, struct out *said);

/* Whether a daemon may have news of a game that goes on: a move, an offer, an end. Not after the
 * person has stopped waiting for it. */
bool game_session_listens(const struct game_session *session);

enum game_session_heard {
    HEARD_NOTHING,
    HEARD_INPUT, /* something was typed */
    HEARD_NEWS,  /* *said has them */
    HEARD_STOP   /* Ctrl-C, and nobody waited: *stop is still set */
};

/* Waits a second at most for news of the daemon, or for something that can be read from `input`, a
 * file descriptor or -1. */
enum game_session_heard game_session_listen(struct game_session *session, int input,
                                            struct out *said);

/* The name of a seat; and the level of the side to move. */
const char *game_session_seat(const struct game_session *session, unsigned seat);
unsigned game_session_level(const struct game_session *session);

/* To be called after each change of the match: saves it and shows the present position. */
void game_session_changed(struct game_session *session);

/* Changes the level of the engine. */
void game_session_set_level(struct game_session *session, unsigned level);

/* Lets the engine play for the side to move, and says what it played. */
void game_session_engine_plays(struct game_session *session, unsigned level, struct out *said);

/* Fetches the game from the daemon and appends what is new in it. False: *said has why not. */
bool game_session_reread(struct game_session *session, struct out *said);

/* Clears *stop after it has ended something. */
void game_session_clear_stop(struct game_session *session);

/* Whose turn it is, for the prompt: the name of a seat, or that the game is over. */
const char *game_session_turn(const struct game_session *session);

/* The look of the board that is shown: its ply, style and marks. */
void game_session_look(const struct game_session *session, struct rules_look *look);

/* Loads a game from a file of any format and begins to play it. False: *said has why not. */
bool game_session_load(struct game_session *session, const char *path, struct out *said);

/* ---- run_command.c --------------------------------------------------------------------------- */

/* Runs the commands of commands.def, and moves, in a session. */

/* What a user interface does next, after it has shown what was said. */
enum run_command_next {
    NEXT_SAID,  /* nothing else has changed */
    NEXT_SHOWS, /* the board has changed, or was asked for */
    NEXT_MENU,  /* another game is wanted */
    NEXT_QUIT
};

/* Runs a line. The line is modified. */
enum run_command_next run_command_line(struct game_session *session, char *line, struct out *said);

#endif
