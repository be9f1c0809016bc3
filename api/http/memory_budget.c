#include "api/http/memory_budget.h"

#include <stdlib.h>

#include "api/text/must.h"

enum { LOOKED_AT = 64 }; /* of those that wait, if clients may hold no more */

/* ---- clients ---- */

static struct budget_client **find_client(struct memory_budget *budget, uint64_t number)
{
    struct budget_client **at = &budget->row[number % BUDGET_ROWS];

    while (*at != NULL && (*at)->number != number)
        at = &(*at)->next;
    return at;
}

static struct budget_client *take_client(struct memory_budget *budget, uint64_t number)
{
    struct budget_client **at = find_client(budget, number);

    if (*at == NULL) {
        *at = must_zero(sizeof(**at));
        (*at)->number = number;
    }
    (*at)->places++;
    return *at;
}

static void drop_client(struct memory_budget *budget, struct budget_client *client)
{
    struct budget_client **at = find_client(budget, client->number);

    if (--client->places > 0)
        return;
    *at = client->next;
    free(client);
}

/* ---- lists ---- */

static void insert_behind(struct budget_list *list, struct budget_place *before,
                          struct budget_place *place)
{
    place->earlier = before;
    place->later = before == NULL ? list->first : before->later;
    *(before != NULL ? &before->later : &list->first) = place;
    *(place->later != NULL ? &place->later->earlier : &list->last) = place;
}

static void take_budget_out(struct budget_list *list, struct budget_place *place)
{
    *(place->earlier != NULL ? &place->earlier->later : &list->first) = place->later;
    *(place->later != NULL ? &place->later->earlier : &list->last) = place->earlier;
}

/* A client that comes anew has its turn in the present round, in which each client has one: so near
 * the first place. All others come near the last. */
static void insert_by_turn(struct budget_list *list, struct budget_place *place)
{
    struct budget_place *before = NULL;

    if (list->last == NULL || list->last->turn <= place->turn)
        before = list->last;
    else
        for (struct budget_place *at = list->first; at->turn <= place->turn; at = at->later)
            before = at;
    insert_behind(list, before, place);
}

/* ---- waiting ---- */

void budget_wait(struct memory_budget *budget, struct budget_place *place, struct request *request,
                 uint64_t client, size_t bytes, int64_t now)
{
    if (place->inside)
        take_budget_out(&budget->inside, place);
    else
        *place = (struct budget_place){
            .budget = budget, .request = request, .client = take_client(budget, client)};
    place->inside = false;
    place->wanted = bytes;
    place->since = now;
    place->turn = (place->client->turn > budget->turn ? place->client->turn : budget->turn) + 1;
    place->client->turn = place->turn;
    insert_by_turn(&budget->waiting, place);
}

static size_t left_of(const struct memory_budget *budget)
{
    return budget->held < budget->limit ? budget->limit - budget->held : 0;
}

static bool budget_fits(const struct memory_budget *budget, const struct budget_place *place)
{
    return budget->held == 0 || place->wanted - place->bytes <= left_of(budget);
}

static bool client_may(const struct memory_budget *budget, const struct budget_place *place)
{
    return !budget->grows || budget->held == 0 ||
           place->client->held + place->wanted - place->bytes <= left_of(budget);
}

/* The first whose client may hold so much more: one that may not keeps nobody else out. NULL: there
 * is none. */
static struct budget_place *first_of_budget(const struct memory_budget *budget)
{
    struct budget_place *place = budget->waiting.first;

    for (int i = 0; place != NULL && i < LOOKED_AT; i++, place = place->later)
        if (client_may(budget, place))
            return place;
    return NULL;
}

static struct budget_place *next_of(const struct memory_budget *budget)
{
    struct budget_place *beyond = budget->beyond, *first = first_of_budget(budget);

    if (beyond != NULL && !beyond->inside)
        return beyond;
    if (first != NULL && budget_fits(budget, first))
        return first;
    if (!budget->grows || beyond != NULL)
        return NULL;
    return first != NULL ? first : budget->waiting.first;
}

bool budget_is_open(const struct memory_budget *budget)
{
    return next_of(budget) != NULL;
}

/* ---- inside ---- */

static void set_held(struct budget_place *place, size_t bytes)
{
    if (place != place->budget->beyond) {
        place->budget->held += bytes - place->bytes;
        place->client->held += bytes - place->bytes;
    }
    place->bytes = bytes;
}

/* What it holds is not counted from now on. */
static void go_beyond(struct memory_budget *budget, struct budget_place *place)
{
    size_t bytes = place->bytes;

    if (place == budget->beyond)
        return;
    set_held(place, 0);
    budget->beyond = place;
    place->bytes = bytes;
}

struct budget_place *budget_let_in(struct memory_budget *budget, int64_t now)
{
    struct budget_place *place = next_of(budget);

    if (place == NULL)
        return NULL;
    if (!budget_fits(budget, place) || !client_may(budget, place))
        go_beyond(budget, place);
    take_budget_out(&budget->waiting, place);
    insert_behind(&budget->inside, budget->inside.last, place);
    place->inside = true;
    place->since = now;
    if (place->turn > budget->turn)
        budget->turn = place->turn;
    set_held(place, place->wanted);
    return place;
}

void budget_hold(struct budget_place *place, size_t bytes)
{
    set_held(place, bytes);
}

void budget_leave(struct budget_place *place)
{
    struct memory_budget *budget = place->budget;

    if (budget == NULL)
        return;
    set_held(place, 0);
    if (budget->beyond == place)
        budget->beyond = NULL;
    take_budget_out(place->inside ? &budget->inside : &budget->waiting, place);
    drop_client(budget, place->client);
    place->budget = NULL;
}
