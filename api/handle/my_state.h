/*
 * my_state.h - whether anything has happened in the games of a player who asks.
 */
#ifndef PLYD_API_HANDLE_MY_STATE_H
#define PLYD_API_HANDLE_MY_STATE_H

#include "api/http/request.h"

/* Looks up in how many games the player holds a seat, and the sum of their versions. A client that
 * has seen that state is answered with 304. For any other `go_on` answers, and the answer tells the
 * state as its ETag. */
void my_state(struct request *request, void (*go_on)(struct request *request, void *args),
              void *args);

#endif
