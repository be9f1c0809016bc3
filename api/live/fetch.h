/*
 * fetch.h - what steps of ops ask the database for, beside the game's row (op.h): moves, keys,
 * the ends of lines, plans, vacations.
 *
 * Each is part of a step. STEP_GO: it is there. STEP_LATER: it was asked for, and the step is
 * called again when it has come. If the database fails, the request is answered and the step is not
 * called again. What was fetched lies in the op and its request's arena; keys lie at the live game.
 *
 * A step is called again from its start after each of them, so each is remembered by what was asked
 * for: op->needs. All of them are forgotten when a write finds that the game has moved on.
 */
#ifndef PLYD_API_LIVE_FETCH_H
#define PLYD_API_LIVE_FETCH_H

#include "api/live/game_log.h"
#include "api/live/op.h"

enum need_kind {
    NEED_MOVES, /* the moves from ply to ply of a line */
    NEED_PLAYED,
    NEED_DURABLE_MOVES,
    NEED_KEYS_AHEAD, /* the keys from ply to ply of a line */
    NEED_LINE_END,   /* of a line */
    NEED_VACATION,   /* of the player of a seat */
    NEED_PLAN,       /* of a seat, at a number of row.plans */
    NEED_LOG         /* the events behind a version */
};

enum { NEED_KEY = 3 };

struct need {
    enum need_kind kind;
    int32_t key[NEED_KEY]; /* what was asked for */
    bool there;
    union {
        struct line_moves moves;
        struct line_keys keys;
        int32_t ply;
        struct db_span vacation; /* to 0: there is none */
        struct db_plan plan;     /* tree NULL: there is none */
        struct game_log log;
    };
    struct arena *arena; /* in which it lies */
    struct need *next;
};

/* What an op has of this kind and key, all zero if it is new. */
struct need *fetch_need(struct op *op, enum need_kind kind, int32_t a, int32_t b, int32_t c);

/* The moves of `line` from ply `from` to ply `to` are in op->moves. */
enum step fetch_moves(struct op *op, int32_t line, int32_t from, int32_t to);

/* The same without their positions and data. */
enum step fetch_played(struct op *op, int32_t line, int32_t from, int32_t to);

/* The same for a request that will be told that its move was made: the moves are durable. */
enum step fetch_durable_moves(struct op *op, int32_t line, int32_t from, int32_t to);

/* The live game's keys reach back to ply `from`, or further. */
enum step fetch_keys(struct op *op, int32_t from);

/* The keys of the plies behind the present one, up to `to`, are in op->ahead: of moves that were
 * undone. */
enum step fetch_keys_ahead(struct op *op, int32_t to);

/* The vacation that the player of a seat is on, or else the last one that is known, is in
 * *vacation; NULL: there is none. */
enum step fetch_vacation(struct op *op, int seat, const struct db_span **vacation);

/* The last ply of a line that is not the present one is in *end. */
enum step fetch_line_end(struct op *op, int32_t line, int32_t *end);

/* The plan that is stored of a seat is in *plan; NULL: there is none. Whether it still holds says
 * row.plans (plans.h). */
enum step fetch_plan(struct op *op, int seat, const struct db_plan **plan);

#endif
