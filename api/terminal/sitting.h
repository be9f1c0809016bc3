/*
 * sitting.h - people and the engine at a board: what the words that are typed do.
 *
 * A sitting has a match, says who plays, and keeps the game in a file after each change. Both faces
 * of `plyd play`, the line mode and the screen, hand it what was typed and show what it answers.
 *
 *     for (;;) {
 *         while (sitting_engine_moves(&sitting, &said)) show(said);
 *         next = sitting_order(&sitting, line, &said);
 *     }
 */
#ifndef PLYD_API_TERMINAL_SITTING_H
#define PLYD_API_TERMINAL_SITTING_H

#include <stdatomic.h>

#include "api/terminal/adviser.h"
#include "api/terminal/match.h"
#include "api/terminal/show.h"
#include "api/text/out.h"

enum { SITTING_PERSON = 0 };

struct sitting {
    struct match match;
    unsigned level[RULES_SEATS]; /* SITTING_PERSON, or the engine's level */
    struct show_style style;
    const char *file;        /* where the game is kept, or NULL */
    const char *again;       /* the flags with which `plyd play` goes on with it */
    const atomic_bool *stop; /* ends what the engine does; NULL: nothing does */

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

/* Who plays by what a record says of its players: SITTING_PERSON for all but our engine. */
void sitting_levels(const struct match *match, unsigned level[RULES_SEATS]);

/* Whether it is the engine's turn, and it may move. */
bool sitting_engine_waits(const struct sitting *sitting);

/* Lets the engine move and says what it played. */
void sitting_engine_moves(struct sitting *sitting, struct out *said);

/* Does what a line says. The line is cut up. */
enum sitting_next sitting_order(struct sitting *sitting, char *line, struct out *said);

/* Whose turn it is, as the prompt says: a seat's name, or "over". */
const char *sitting_turn(const struct sitting *sitting);

/* The look of the board that is shown: its ply, style and marks. */
void sitting_look(const struct sitting *sitting, struct rules_look *look);

/* Loads the game in a file, whatever its format, and sits down to it. False: *said has why not. */
bool sitting_load(struct sitting *sitting, const char *path, struct out *said);

#endif
