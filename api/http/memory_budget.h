/*
 * memory_budget.h - a counter of memory that large requests share, and the order in which they get
 * it.
 *
 * A request says how many bytes it needs, waits until the budget has them, and gives them back when
 * it is over. Clients take turns: of each the first request that waits is let in, then of each the
 * second one, so nobody waits behind all of a client that has many. In its turn a large request is
 * not passed by smaller ones behind it.
 *
 * Where requests grow (budget_wait() of one that is inside), a client holds at most as much as is
 * left, so that some is left for who comes next; and one request may go beyond the limit when the
 * budget is used up, so that one of them always gets to its end.
 *
 * Nothing here knows the time; a budget belongs to one loop.
 */
#ifndef PLYD_API_HTTP_MEMORY_BUDGET_H
#define PLYD_API_HTTP_MEMORY_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct request;

/* A request's place in a budget. All zero is one that is in none. */
struct budget_place {
    struct memory_budget *budget; /* NULL: in none */
    struct budget_place *earlier, *later;
    struct request *request;
    struct budget_client *client;
    size_t bytes;  /* that it holds */
    size_t wanted; /* that it is to hold once it is let in */
    uint64_t turn;
    int64_t since; /* when it began to wait; once it is inside, for who let it in */
    bool inside;
};

struct budget_list {
    struct budget_place *first, *last;
};

/* A client with places in a budget. */
struct budget_client {
    struct budget_client *next;
    uint64_t number;
    size_t places, held;
    uint64_t turn; /* of the last of its places that waited */
};

enum { BUDGET_ROWS = 64 };

/* All zero but for the limit is a budget of which nobody holds anything. */
struct memory_budget {
    size_t limit;                /* bytes. A request that needs more is let in when it is alone */
    bool grows;                  /* its requests grow */
    size_t held;                 /* by those inside, but for the one beyond the limit */
    struct budget_place *beyond; /* that one; NULL: none */
    struct budget_list waiting, inside;     /* by turn; as they came in */
    uint64_t turn;                          /* of the last that was let in */
    struct budget_client *row[BUDGET_ROWS]; /* by number */
};

/* Takes a place among those that wait, for `bytes` in all. One that is inside keeps what it holds
 * meanwhile. The place and its request stay the caller's. `client`: whose request it is. */
void budget_wait(struct memory_budget *budget, struct budget_place *place, struct request *request,
                 uint64_t client, size_t bytes, int64_t now);

/* Whether one of those that wait may come in. */
bool budget_is_open(const struct memory_budget *budget);

/* Lets it in and returns it; NULL if nobody may come in. */
struct budget_place *budget_let_in(struct memory_budget *budget, int64_t now);

/* Changes how much a request inside holds. */
void budget_hold(struct budget_place *place, size_t bytes);

/* Gives the place up, whether it is inside, waits or is in no budget. */
void budget_leave(struct budget_place *place);

#endif
