/*
 * handout.h - connections that leave libmicrohttpd while their requests wait for long, and come
 * back to it (parking.h says why); and those that belong to a stream (stream.h) and stay outside.
 */
#ifndef PLYD_API_NET_HANDOUT_H
#define PLYD_API_NET_HANDOUT_H

#include "api/net/connection.h"

/* ---- of struct request_source ---- */

bool handout_park(struct request *request);
void handout_unpark(struct request *request);

/* ---- for http.c ---- */

/* Takes the connection of a request that is to be parked out of libmicrohttpd, which must close its
 * own afterwards. False: there is no descriptor left. */
bool handout_take(struct request *request, const char *method, const char *version);

/* Gives libmicrohttpd the connections of all requests that are not parked any more. Not to be
 * called from inside libmicrohttpd. */
void handout_return_all(struct net *net);

/* A connection has begun that is such a one (net->taken_back): has libmicrohttpd read its request
 * again. */
void handout_replay(struct net *net, struct client *client, struct MHD_Connection *connection);

/* Gives the connection of a request that is answered by a stream to that, for good. libmicrohttpd
 * must close its own afterwards, also if there is no descriptor left. */
void handout_stream(struct request *request);

/* Sends the head that a stream would begin with. libmicrohttpd must close the connection. */
void handout_head(struct request *request);

#endif
