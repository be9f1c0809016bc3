#include "api/http/room.h"

static void append(struct room_list *list, struct room_place *place)
{
    place->later = NULL;
    place->earlier = list->last;
    *(list->last != NULL ? &list->last->later : &list->first) = place;
    list->last = place;
}

static void take_out(struct room_list *list, struct room_place *place)
{
    *(place->earlier != NULL ? &place->earlier->later : &list->first) = place->later;
    *(place->later != NULL ? &place->later->earlier : &list->last) = place->earlier;
}

void room_wait(struct room *room, struct room_place *place, struct request *request, size_t bytes,
               int64_t now)
{
    *place = (struct room_place){.room = room, .request = request, .bytes = bytes, .since = now};
    append(&room->waiting, place);
}

bool room_is_open(const struct room *room)
{
    const struct room_place *first = room->waiting.first;

    return first != NULL && (room->held == 0 || room->held + first->bytes <= room->limit);
}

struct room_place *room_let_in(struct room *room, int64_t now)
{
    struct room_place *place = room->waiting.first;

    if (!room_is_open(room))
        return NULL;
    take_out(&room->waiting, place);
    place->inside = true;
    place->since = now;
    append(&room->inside, place);
    room->held += place->bytes;
    return place;
}

void room_hold(struct room_place *place, size_t bytes)
{
    place->room->held += bytes - place->bytes;
    place->bytes = bytes;
}

void room_leave(struct room_place *place)
{
    struct room *room = place->room;

    if (room == NULL)
        return;
    if (place->inside)
        room->held -= place->bytes;
    take_out(place->inside ? &room->inside : &room->waiting, place);
    place->room = NULL;
}
