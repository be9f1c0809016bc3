/*
 * ask.h - asking the database for a request, and working on with what it tells.
 *
 * ASK() is the callback and its context, the last two arguments of the functions of db.h and its
 * like:
 *
 *     db_get_collections(db, player, ASK(collections, request, show_list, business));
 *
 * Once they are there, it calls show_list(business, collections). Its first argument is a type of
 * replies (replies.def), or `done` for a write, which has nothing to tell: then(context). If the
 * database fails, the request is answered with that (ask_failed()), and nobody is called.
 *
 * Whatever is done with the reply is work for the request: its time is charged (metering.h), and so
 * is what a write has stored. Each function that asks for a request therefore asks in this way, and
 * `make lint-layering` looks that none in endpoints/ forgets it.
 *
 * For steps of ops there are forms of their own, in op.h.
 */
#ifndef PLYD_API_LIVE_ASK_H
#define PLYD_API_LIVE_ASK_H

#include "api/http/request.h"
#include "db/db.h"

/* Outcomes beside DB_OK that somebody wants to be told of, as bits. */
enum {
    ASK_CONFLICT = 1 << DB_CONFLICT,
    ASK_MISSING = 1 << DB_NOT_FOUND,
    ASK_UNKNOWN = 1 << DB_UNKNOWN,
    ASK_ALL = ASK_CONFLICT | ASK_MISSING | ASK_UNKNOWN | 1 << DB_REFUSED | 1 << DB_UNAVAILABLE
};

#define ASK(type, request, then, context) \
    ask_on_##type, ask_new(request, 0, (union ask_then){.type = (then)}, context)

/* The same for those who know what to do with these outcomes, too: then(context, reply, what), as
 * db.h has it. */
#define ASK_ALSO(type, request, takes, then, context) \
    ask_on_##type,                                    \
        ask_new(request, (takes) | 1U << DB_OK, (union ask_then){.also_##type = (then)}, context)

/* Answers a request whose database call failed: 404, 503, or 500 if PostgreSQL refused it. */
void ask_failed(struct request *request, const struct db_reply *reply);

/* ---- what these two are made of ---- */

union ask_then {
    void (*done)(void *context);
    db_done_callback *also_done;
#define DB_REPLY(name, type)                       \
    void (*name)(void *context, const type *what); \
    db_##name##_callback *also_##name;
#include "db/replies.def"
};

struct ask *ask_new(struct request *request, unsigned takes, union ask_then then, void *context);

db_done_callback ask_on_done;
#define DB_REPLY(name, type) db_##name##_callback ask_on_##name;
#include "db/replies.def"

/* What is called after all that, outside of the request's account: its time is not the request's.
 */
struct ask *ask_before(struct ask *ask, void (*over)(void *context), void *context);

#endif
