/*
 * remote.h - a game on a daemon, seen by its client.
 *
 * Its address, a token, and what the daemon says of it. The daemon decides everything; the match
 * here is a copy for showing.
 */
#ifndef PLYD_API_TERMINAL_REMOTE_H
#define PLYD_API_TERMINAL_REMOTE_H

#include <stdatomic.h>

#include "api/terminal/match.h"
#include "api/terminal/read_command.h"
#include "api/text/out.h"

enum {
    REMOTE_URL_BYTES = 256,
    REMOTE_ID_BYTES = 40,
    REMOTE_TOKEN_BYTES = 128,
    REMOTE_WORD_BYTES = 24
};

struct remote_offer {
    int64_t id;    /* 0: there is none */
    unsigned seat; /* that made it */
    char kind[REMOTE_WORD_BYTES];
};

/* Begin with remote_open(). */
struct remote {
    struct fetch *fetch;
    const struct show_style *style;                      /* how things are said */
    char base[REMOTE_URL_BYTES];                         /* "http://localhost:8080" */
    char id[REMOTE_ID_BYTES], token[REMOTE_TOKEN_BYTES]; /* "": not known, or none */
    char version[REMOTE_WORD_BYTES];                     /* that was read last */
    bool mine[RULES_SEATS];                              /* the seats that the token plays */
    bool asks;                 /* an offer that was made here is not answered yet */
    struct remote_offer offer; /* the other side's, the latest */
};

/* Setting *stop ends a request to the daemon. */
void remote_open(struct remote *remote, const char *base, const atomic_bool *stop,
                 const struct show_style *style);
void remote_close(struct remote *remote);

/* The functions below return false if the daemon refuses or cannot be asked; *said has why. */

/* Makes a game on the daemon, and takes its id and token. `seats` are JSON: {"me":true}. */
bool remote_create(struct remote *remote, const struct rules_game *game,
                   const struct rules_options *options, const char *position,
                   const char *const seats[RULES_SEATS], struct out *said);

/* Takes an open seat of the game, and its token. */
bool remote_join(struct remote *remote, struct out *said);

/* Fetches the game: which seats are mine, which offer is open, and the match with all of its moves,
 * which replaces *match (closed before if it has a game). */
bool remote_read(struct remote *remote, struct match *match, struct out *said);

enum remote_news {
    REMOTE_NOTHING_YET, /* within this second, and nothing was typed */
    REMOTE_INPUT,       /* nothing yet, and something was typed */
    REMOTE_NEWS,        /* the game has changed since it was read */
    REMOTE_STOPPED,
    REMOTE_UNREACHABLE
};

/* Waits a second at most for the game to change, or for something that can be read from `input`, a
 * file descriptor or -1. The daemon is asked but once for many calls: it answers when it has news.
 */
enum remote_news remote_wait(struct remote *remote, int input, struct out *said);

/* Sends a command or a move to the daemon for the game of `match`. Only for the commands of
 * remote_can_do(), which change the daemon's game. */
bool remote_do(struct remote *remote, const struct match *match, const struct command *command,
               struct out *said);
bool remote_can_do(enum command_kind kind);

#endif
