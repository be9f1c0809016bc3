/*
 * room.h - a counter of memory that large requests share, and the order in which they get it.
 *
 * A request says how many bytes it will need, waits until the room has them, and gives them back
 * when it is over. Requests are let in as they came: a large one is not passed by smaller ones
 * behind it. Nothing here allocates or knows the time; a room belongs to one loop.
 */
#ifndef PLYD_API_HTTP_ROOM_H
#define PLYD_API_HTTP_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct request;

/* A request's place in a room. All zero is one that is in none. */
struct room_place {
    struct room *room; /* NULL: in none */
    struct room_place *earlier, *later;
    struct request *request;
    size_t bytes;
    int64_t since; /* when it began to wait; once it is inside, when its client's turn began */
    bool inside;
};

struct room_list {
    struct room_place *first, *last;
};

/* All zero but for the limit is an empty room. */
struct room {
    size_t limit; /* bytes. A request that needs more is let in when it is alone */
    size_t held;  /* by those inside */
    struct room_list waiting, inside; /* each in the order in which they came there */
};

/* Takes a place at the end of those that wait. The place and its request stay the caller's. */
void room_wait(struct room *room, struct room_place *place, struct request *request, size_t bytes,
               int64_t now);

/* Whether the first of those that wait may come in. */
bool room_is_open(const struct room *room);

/* Lets it in and returns it; NULL if nobody may come in. */
struct room_place *room_let_in(struct room *room, int64_t now);

/* Changes how much a request inside holds. */
void room_hold(struct room_place *place, size_t bytes);

/* Gives the place up, whether it is inside, waits or is in no room. */
void room_leave(struct room_place *place);

#endif
