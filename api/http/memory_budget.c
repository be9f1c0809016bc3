#include "api/http/memory_budget.h"

static void append(struct budget_list *list, struct budget_place *place)
{
    place->later = NULL;
    place->earlier = list->last;
    *(list->last != NULL ? &list->last->later : &list->first) = place;
    list->last = place;
}

static void take_out(struct budget_list *list, struct budget_place *place)
{
    *(place->earlier != NULL ? &place->earlier->later : &list->first) = place->later;
    *(place->later != NULL ? &place->later->earlier : &list->last) = place->earlier;
}

void budget_wait(struct memory_budget *room, struct budget_place *place, struct request *request,
                 size_t bytes, int64_t now)
{
    *place = (struct budget_place){.room = room, .request = request, .bytes = bytes, .since = now};
    append(&room->waiting, place);
}

bool budget_is_open(const struct memory_budget *room)
{
    const struct budget_place *first = room->waiting.first;

    return first != NULL && (room->held == 0 || room->held + first->bytes <= room->limit);
}

struct budget_place *budget_let_in(struct memory_budget *room, int64_t now)
{
    struct budget_place *place = room->waiting.first;

    if (!budget_is_open(room))
        return NULL;
    take_out(&room->waiting, place);
    place->inside = true;
    place->since = now;
    append(&room->inside, place);
    room->held += place->bytes;
    return place;
}

void budget_hold(struct budget_place *place, size_t bytes)
{
    place->room->held += bytes - place->bytes;
    place->bytes = bytes;
}

void budget_leave(struct budget_place *place)
{
    struct memory_budget *room = place->room;

    if (room == NULL)
        return;
    if (place->inside)
        room->held -= place->bytes;
    take_out(place->inside ? &room->inside : &room->waiting, place);
    place->room = NULL;
}
