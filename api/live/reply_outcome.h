/* reply_outcome.h - refusals of requests whose database call failed. */
#ifndef PLYD_API_LIVE_REPLY_OUTCOME_H
#define PLYD_API_LIVE_REPLY_OUTCOME_H

struct db_reply;
struct request;

/* Answers a request whose database call failed: 404, 503, or 500 if PostgreSQL refused it. */
void reply_outcome(struct request *request, const struct db_reply *reply);

#endif
