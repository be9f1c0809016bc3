/*
 * exchange.h - one batch on its way: sent, answered, judged, handed out.
 *
 * exchange_send() makes an idle connection busy. While it is, the loop calls exchange_event() and
 * exchange_tick() for it; they end with the connection idle again or lost, and with every member
 * answered or back in its queue.
 *
 * A large write with many events goes in pieces, so that it never has the server, or the disk, for
 * long. They are the statements of one transaction: the first events, some at a time, then the
 * write's own statement with the events that are left, then the commit. So nobody sees a part of
 * it, and only the commit can leave a doubt whether it was done. After each piece, and after each
 * large write, the lane rests for some times as long as that took: moves come first, whatever
 * daemon they are sent to. It does not rest when that would cost requests their deadlines.
 */
#ifndef PLYD_DB_EXCHANGE_H
#define PLYD_DB_EXCHANGE_H

#include "connection.h"

/* Takes a batch from a lane, in which something waits, and sends it on an idle connection. */
void exchange_send(struct connection *connection, unsigned lane);

/* Something can be read or written. Hands out the replies when the answer is complete. */
void exchange_event(struct connection *connection);

/* The time is `now`: ends the members whose deadline has passed, and loses the connection when none
 * is left. */
void exchange_tick(struct connection *connection, int64_t now);

/* Ends every member: the loop is closing. The connection must be closed next. */
void exchange_abandon(struct connection *connection);

#endif
