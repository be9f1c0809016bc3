/*
 * messages.h - the use case of writing to the other player.
 *
 * A message is an event with a text and the ply that it is about. Whoever sees the game sees it. Of
 * the last MESSAGES_WINDOW events a seat can have written MESSAGES_MAX, so that nobody fills a log
 * with them.
 */
#ifndef PLYD_API_PLAY_MESSAGES_H
#define PLYD_API_PLAY_MESSAGES_H

#include "api/http/request.h"
#include "api/play/guard.h"
#include "db/db.h"

enum { MESSAGES_TEXT_MAX = 1000 /* characters */, MESSAGES_MAX = 200, MESSAGES_WINDOW = 1000 };

struct message_args {
    struct guard guard;
    const char *text;
    int32_t ply; /* MAY_ANY: the present one */

    /* Private to messages.c: how many the seat has written, at this version of the game. */
    int32_t counted;
    size_t count;
};

/* Writes a message, and answers. `args` must live as long as the request. */
void messages_post(struct request *request, db_id id, struct message_args *args);

#endif
