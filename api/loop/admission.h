/*
 * admission.h - whether a request is served, and what it is charged for.
 *
 * One request is taken from the quotas of the address and the token before it costs anything. What
 * it has cost beyond that (metering_cost()) is charged when its answer is sent. Whoever makes a
 * game or a player also takes that from quotas of its own.
 *
 * The quotas belong to a loop, as loop->quota, and only its thread asks them. Requests from the
 * machine itself are not counted, nor are those of /healthz, /readyz and /metrics.
 */
#ifndef PLYD_API_LOOP_ADMISSION_H
#define PLYD_API_LOOP_ADMISSION_H

#include <stdbool.h>
#include <stddef.h>

#include "api/loop/quota.h"
#include "db/db.h"

struct config;
struct loop;
struct quota;
struct request;

enum { ADMISSION_GAMES_WINDOW_S = 3600 };

/* Makes the quotas of one of `loops` loops: its share of what the settings allow. quota_close()
 * frees them. */
struct quota *admission_open(const struct config *config, size_t loops);

/* The client's address, by the word of the proxies that are trusted, else by the connection. False:
 * the request comes from the machine itself, from its operator or from a proxy that nobody
 * declared. The two cannot be told apart, and to count all clients of such a proxy as one would be
 * worse than not to count them. */
bool admission_client(struct request *request, struct quota_address *address);

/* Counts a request. False: a quota is used up, and the request was answered with 429. */
bool admission_ok(struct request *request);

/* Counts a game or a player that the request is to make. False: the same. If it then is not made
 * (request->made), it is given back by admission_settle(). */
bool admission_may_make(struct request *request);

/* After that: what the request makes counts as so many games, not as one. */
void admission_worth(struct request *request, int64_t games);

/* What a stream costs that reads the past, after the end of its request: as much as pages of the
 * list, so one request for each METERING_OUT_BYTES. admission_pay() is told of bytes that are about
 * to be sent. False: there is nothing left. */
struct admission_toll {
    bool is_counted;
    struct quota_account account;
    size_t unpaid;   /* bytes that were not charged yet */
    uint32_t wait_s; /* once there is nothing left: until there is something */
};
void admission_toll(const struct request *request, struct admission_toll *toll);
bool admission_pay(struct loop *loop, struct admission_toll *toll, size_t bytes);

/* The same for what is done for a player while nobody asks, as a job. For that each player has as
 * much as an address has for its requests, and of this loop alone. */
void admission_toll_of_owner(const struct loop *loop, db_id owner, struct admission_toll *toll);

/* Charges a request for what it has cost, and sets the headers that tell the client what is left.
 * It is called when the answer is about to be sent, and at the end of a request whose answer never
 * was; once is enough, and a second call does nothing. */
void admission_settle(struct request *request);

#endif
