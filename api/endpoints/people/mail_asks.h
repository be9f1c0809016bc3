/*
 * mail_asks.h - how often mails may be asked for that want an address confirmed: nobody floods a
 * stranger's address through plyd.
 *
 * Each such mail takes a place of its player and one of its address for a day. A place is a promise
 * to look at it when it is over (struct db_due), under a hash of whose it is and its number. So
 * there are no more, whichever daemon is asked, and in the end nothing is left of them. Whoever
 * reads such a mail and wants none takes the address itself for 30 days. For as long the code by
 * which they do that is noted in the same way: it is good also when the player has named another
 * address meanwhile, or none, since they could name this one again.
 */
#ifndef PLYD_API_ENDPOINTS_PEOPLE_MAIL_ASKS_H
#define PLYD_API_ENDPOINTS_PEOPLE_MAIL_ASKS_H

#include "api/hooks/mail_code.h"
#include "api/http/request.h"

enum { MAIL_ASKS_OF_PLAYER = 5, MAIL_ASKS_OF_ADDRESS = 3 }; /* a day */

/* Takes the places of a mail that the request's player asks for, to the address of the code that
 * ends it, or refuses it. */
void mail_asks_take(struct request *request, const struct mail_code *ends,
                    void (*then)(void *context), void *context);

/* Notes that nobody may ask for mails to an address (mail_address_id()) for a while. */
void mail_asks_rest(struct request *request, db_id address, void (*then)(void *context),
                    void *context);

/* Finds out whether a code has ended such a mail, or could have: then(). Else the request is
 * refused. */
void mail_asks_know(struct request *request, const struct mail_code *ends,
                    void (*then)(void *context), void *context);

#endif
