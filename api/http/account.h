/*
 * account.h - what is counted and logged of each request. The loop's thread alone calls it.
 */
#ifndef PLYD_API_HTTP_ACCOUNT_H
#define PLYD_API_HTTP_ACCOUNT_H

struct request;

/* Counts a request whose answer is about to be sent in its loop's metrics, and logs it: as a
 * warning if the answer is 500 or above, else for debugging. */
void account_request(const struct request *request);

#endif
