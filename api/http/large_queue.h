/*
 * large_queue.h - large requests take turns, so that they hold no more memory than the setting
 * --request-memory says, however many come at once, and no client holds what others need.
 *
 * A body of more than 64 KiB asks for memory as it comes, and waits when there is none: what was
 * sent stays in the kernel's buffers. What counts is what has come, not what was announced. A
 * client that stands still, or sends less than a slow phone, gives its memory back when others wait
 * for it.
 *
 * A complete request whose body has more than LARGE_QUEUE_FREE bytes waits before it is handled,
 * for a body may unfold to many times its size. Those of up to 64 KiB have a budget of their own
 * there, and do not wait for the larger ones. Other requests never wait.
 *
 * Whose turn it is says memory_budget.h. net/ asks here and does what it is told: it suspends and
 * resumes connections.
 */
#ifndef PLYD_API_HTTP_LARGE_QUEUE_H
#define PLYD_API_HTTP_LARGE_QUEUE_H

#include "api/http/memory_budget.h"

enum { LARGE_QUEUE_FREE = 512 };

struct large_queue {
    struct memory_budget bodies;       /* bodies of more than 64 KiB */
    struct memory_budget small, large; /* what bodies were unfolded to */
};

/* All three budgets together have so many bytes. */
void large_queue_open(struct large_queue *queue, size_t bytes);

/* Whether `len` further bytes of the body may be taken now. If not, its request waits until
 * large_queue_next_body() returns it. */
bool large_queue_may_take(struct large_queue *queue, struct request *request, size_t len,
                          int64_t now);

/* Whether a complete request may be handled now. If not, it waits until large_queue_next() returns
 * it. */
bool large_queue_may_begin(struct large_queue *queue, struct request *request, int64_t now);

/* The request whose body is to be read on, or that is to be handled; NULL: nobody may go on. */
struct request *large_queue_next_body(struct large_queue *queue, int64_t now);
struct request *large_queue_next(struct large_queue *queue, int64_t now);

/* A request was worked on: takes note of what it holds. At a worker it is not looked at. */
void large_queue_hold(struct request *request);

/* Whether large_queue_next() would return a request. */
bool large_queue_ready(const struct large_queue *queue);

bool large_queue_anybody_waits(const struct large_queue *queue);

/* Takes out a request that has waited with its body, or to be handled, since before that time, and
 * returns it; NULL: there is none. */
struct request *large_queue_give_up_body(struct large_queue *queue, int64_t before);
struct request *large_queue_give_up(struct large_queue *queue, int64_t before);

/* A request is answered: from now on its client is to take the answer. */
void large_queue_answered(struct request *request, int64_t now);

/* A request for whose memory others wait, while its client is too slow to send its body or to take
 * its answer; NULL: there is none. */
struct request *large_queue_slow(const struct large_queue *queue, int64_t now);

/* Its client has sent what was not read yet. */
void large_queue_excuse(struct request *request, int64_t now);

/* The body is dropped: the request needs no memory for it any more. */
void large_queue_drop_body(struct request *request);

/* The request is over. */
void large_queue_end(struct request *request);

#endif
