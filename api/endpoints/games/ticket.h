/*
 * ticket.h - tickets: what stands for a token in the address of a stream.
 *
 * They stand for a token on one stream of a game, or of all games of a player, since EventSource of
 * browsers cannot send a token.
 *
 * A ticket says whose it is, and until when: it needs no row that tells that. What makes it valid
 * is due work, to look at it when it is over (struct db_due), stored under its hash. To use it is
 * to delete that, so it is used once, whichever daemon is asked; and nobody can make one
 * up. A ticket that was not used is deleted when its time is over.
 */
#ifndef PLYD_API_ENDPOINTS_GAMES_TICKET_H
#define PLYD_API_ENDPOINTS_GAMES_TICKET_H

#include "api/http/request.h"
#include "db/db.h"

/* Answers somebody who plays a seat of the game with a ticket for it. */
void ticket_make(struct request *request, db_id game);

/* Answers a player with a ticket for the stream of all their games. */
void ticket_make_player(struct request *request);

/* Uses the ticket of a request: from then on, the request is that of whoever made the ticket, and
 * `go_on` handles it, with `args`. If the ticket is not good for this game, or the token for which
 * it stands is not the player's any more, the request is answered. */
void ticket_use(struct request *request, db_id game, const char *ticket,
                void (*go_on)(struct request *request, void *args), void *args);

/* The same with a ticket of a player. Whether the token is still the player's is not looked up. */
void ticket_use_player(struct request *request, const char *ticket,
                       void (*go_on)(struct request *request, void *args), void *args);

#endif
