/*
 * account.h - what is counted and logged of each request. The loop's thread alone calls it.
 */
#ifndef PLYD_API_HTTP_ACCOUNT_H
#define PLYD_API_HTTP_ACCOUNT_H

struct loop;
struct request;

/* Counts a request whose answer is about to be sent in its loop's metrics, and logs it: as a
 * warning if the answer is 500 or above, else for debugging. */
void account_request(const struct request *request);

/* Stand around everything that a loop does for a request at one go: how long that took is counted
 * for the route, and added to the cost of the request. Where one pair stands within another, the
 * outer one counts. */
void account_begin(struct loop *loop);
void account_end(struct loop *loop, struct request *request);

#endif
