/*
 * sitting.h - people and the engine at a board: what the words that are typed do.
 *
 * A sitting has a match, says who plays, and keeps the game in a file after each change, or has it
 * from a daemon. Both faces
 * of `plyd play`, the line mode and the screen, hand it what was typed and show what it answers.
 *
 *     for (;;) {
 *         while (sitting_waits(&sitting)) sitting_other_moves(&sitting, &said);
 *         next = sitting_order(&sitting, line, &said);
 *     }
 */
#ifndef PLYD_API_TERMINAL_SITTING_H
#define PLYD_API_TERMINAL_SITTING_H

#include <stdatomic.h>

#include "api/terminal/adviser.h"
#include "api/terminal/away.h"
#include "api/terminal/match.h"
#include "api/terminal/show.h"
#include "api/text/out.h"

enum { SITTING_PERSON = 0, SITTING_AWAY = ENGINE_LEVELS + 1 };

struct sitting {
    struct match match;
    unsigned level[RULES_SEATS]; /* SITTING_PERSON here, SITTING_AWAY, or the engine's level */
    struct show_style style;
    const char *file;  /* where the game is kept, or NULL */
    const char *again; /* the flags with which `plyd play` goes on with it */
    atomic_bool *stop; /* ends what takes long, and is taken back by the next order; or NULL */
    struct away *away; /* the daemon that has the game, or NULL */

    /* The following are private to sitting.c, but for `shown`. */
    size_t shown;     /* the ply that is looked at */
    unsigned offered; /* the seat that has offered a draw, or 0 */
    bool stopped;     /* the engine waits for `go` */
    const char *rest; /* what stands behind the word of the order */
    struct adviser adviser;
    char complaint[256]; /* why the game could not be kept; told once */
};

/* What the face does next, after it has shown what was said. */
enum sitting_next {
    SITTING_SAID,  /* nothing else has changed */
    SITTING_SHOWS, /* the board is another one, or is asked for */
    SITTING_MENU,  /* another game is wanted */
    SITTING_QUIT
};

/* Begins a sitting at a match, which it owns from now on, and closes the match before it. `level`
 * says who plays. All other members are the caller's to set before the first sitting. */
void sitting_begin(struct sitting *sitting, const struct match *match,
                   const unsigned level[RULES_SEATS]);
void sitting_close(struct sitting *sitting);

/* Sits down to the game of a daemon. False: *said has why not. */
bool sitting_visit(struct sitting *sitting, struct away *away, struct out *said);

/* Who plays by what a record says of its players: SITTING_PERSON for all but our engine. */
void sitting_levels(const struct match *match, unsigned level[RULES_SEATS]);

/* Whether it is the turn of somebody else, who is waited for: the engine, or somebody at a daemon.
 */
bool sitting_waits(const struct sitting *sitting);

/* Waits for that move and says what was played. At a daemon that may take several calls. */
void sitting_other_moves(struct sitting *sitting, struct out *said);

/* Does what a line says. The line is cut up. */
enum sitting_next sitting_order(struct sitting *sitting, char *line, struct out *said);

/* Whose turn it is, as the prompt says: a seat's name, or "over". */
const char *sitting_turn(const struct sitting *sitting);

/* The look of the board that is shown: its ply, style and marks. */
void sitting_look(const struct sitting *sitting, struct rules_look *look);

/* Loads the game in a file, whatever its format, and sits down to it. False: *said has why not. */
bool sitting_load(struct sitting *sitting, const char *path, struct out *said);

#endif
