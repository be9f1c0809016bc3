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

void budget_wait(struct memory_budget *budget, struct budget_place *place, struct request *request,
                 size_t bytes, int64_t now)
{
    *place =
        (struct budget_place){.budget = budget, .request = request, .bytes = bytes, .since = now};
    append(&budget->waiting, place);
}

bool budget_is_open(const struct memory_budget *budget)
{
    const struct budget_place *first = budget->waiting.first;

    return first != NULL && (budget->held == 0 || budget->held + first->bytes <= budget->limit);
}

struct budget_place *budget_let_in(struct memory_budget *budget, int64_t now)
{
    struct budget_place *place = budget->waiting.first;

    if (!budget_is_open(budget))
        return NULL;
    take_out(&budget->waiting, place);
    place->inside = true;
    place->since = now;
    append(&budget->inside, place);
    budget->held += place->bytes;
    return place;
}

void budget_hold(struct budget_place *place, size_t bytes)
{
    place->budget->held += bytes - place->bytes;
    place->bytes = bytes;
}

void budget_leave(struct budget_place *place)
{
    struct memory_budget *budget = place->budget;

    if (budget == NULL)
        return;
    if (place->inside)
        budget->held -= place->bytes;
    take_out(place->inside ? &budget->inside : &budget->waiting, place);
    place->budget = NULL;
}
