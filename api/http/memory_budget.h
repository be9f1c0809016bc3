/*
 * memory_budget.h - a counter of memory that large requests share, and the order in which they get
 * it.
 *
 * A request says how many bytes it will need, waits until the budget has them, and gives them back
 * when it is over. Requests are let in as they came: a large one is not passed by smaller ones
 * behind it. Nothing here allocates or knows the time; a budget belongs to one loop.
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
    size_t bytes;
    int64_t since; /* when it began to wait; once it is inside, when its client's time began */
    bool inside;
};

struct budget_list {
    struct budget_place *first, *last;
};

/* All zero but for the limit is a budget of which nobody holds anything. */
struct memory_budget {
    size_t limit; /* bytes. A request that needs more is let in when it is alone */
    size_t held;  /* by those inside */
    struct budget_list waiting, inside; /* each in the order in which they came there */
};

/* Takes a place at the end of those that wait. The place and its request stay the caller's. */
void budget_wait(struct memory_budget *budget, struct budget_place *place, struct request *request,
                 size_t bytes, int64_t now);

/* Whether the first of those that wait may come in. */
bool budget_is_open(const struct memory_budget *budget);

/* Lets it in and returns it; NULL if nobody may come in. */
struct budget_place *budget_let_in(struct memory_budget *budget, int64_t now);

/* Changes how much a request inside holds. */
void budget_hold(struct budget_place *place, size_t bytes);

/* Gives the place up, whether it is inside, waits or is in no budget. */
void budget_leave(struct budget_place *place);

#endif
