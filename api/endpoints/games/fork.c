/*
 * fork.c - a new game that begins with the moves of another.
 *
 * The moves of one of its lines up to a ply.
 *
 * Whoever may see a game may fork it. The new game has terms, tokens and a life of its own; its
 * first event says where it comes from.
 */
#include <string.h>

#include "api/endpoints/games/create.h"
#include "api/endpoints/games/create_body.h"
#include "api/endpoints/games/creation.h"
#include "api/endpoints/games/setup.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/rights.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/body.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/fetch.h"
#include "api/live/idempotency.h"
#include "api/live/live_game.h"
#include "api/live/op.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "db/db.h"

struct fork {
    struct creation *creation;
    db_id source;
    int32_t ply, line; /* MAY_ANY: the present ones */
    bool looked;       /* for the answer that is stored for its key */
};

static bool read_fork(struct fork *fork)
{
    struct request *request = fork->creation->request;
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body = body_read(request, "ply");
    int64_t number;

    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    if (json_take_int(&fields, "ply", 0, INT32_MAX, &number))
        fork->ply = (int32_t)number;
    if (json_take_int(&fields, "line", 1, INT32_MAX, &number))
        fork->line = (int32_t)number;
    create_body_take_options(fork->creation, &fields);
    create_body_take(fork->creation, &fields);
    return body_done(request, body, &fields);
}

/* Gives the options that the request asks for, beside those of the old game. */
static bool grant_wishes(struct creation *creation)
{
    struct arena *arena = &creation->request->arena;
    enum problem problem;
    const char *detail;

    for (size_t i = 0; i < creation->wishes; i++) {
        const struct options_wish *wish = &creation->wish[i];

        if (!options_grant(arena, creation->game, wish, &creation->options, &problem, &detail)) {
            reply_problem_at(creation->request, problem,
                             arena_format(arena, "/options/%s", wish->name), detail);
            return false;
        }
    }
    return true;
}

/* Fills in what the new game has of the old one. The fork of a private game is private, too, unless
 * the request says otherwise. A game that more people may find than the old one does not tell the
 * old one's id. */
static void inherit(const struct fork *fork, const struct op *op, int32_t line, int32_t ply)
{
    struct creation *creation = fork->creation;
    struct arena *arena = &creation->request->arena;
    const struct live_game *live = op->live;
    int16_t *visibility = &creation->draft.row.visibility;
    int16_t of_old = row_hides(&live->row) ? VISIBILITY_PRIVATE : live->row.visibility;

    setup_inherit(creation, live->game, live->row.options, live->row.start);
    creation->moves = arena_alloc(arena, ((size_t)ply + 1) * sizeof(*creation->moves));
    for (size_t i = 0; i < op->moves.count && op->moves.moves[i].ply <= ply; i++)
        creation->moves[creation->nmoves++] = op->moves.moves[i].move;
    if (of_old == VISIBILITY_PRIVATE && !creation->visibility_given)
        *visibility = VISIBILITY_PRIVATE;
    if (*visibility >= of_old)
        creation->origin = arena_format(arena, "{\"game\":\"%s\",\"line\":%d,\"ply\":%d}",
                                        creation->request->param[0], line, ply);
}

/* The ply that the new game is to begin from. */
static int32_t move_input_ply(const struct fork *fork, const struct db_game *row, int32_t end)
{
    if (fork->ply != MAY_ANY)
        return fork->ply;
    return fork->line == MAY_ANY ? row->ply : end;
}

static void know_first(void *context, const struct db_reply *reply, const struct db_answer *answer)
{
    struct fork *fork = context;

    fork->looked = true;
    if (reply->outcome != DB_NOT_FOUND)
        idempotency_on_first(fork->creation->idempotency, reply, answer);
}

/* With a key, the answer that may be stored under it is looked for first. If this is a repetition,
 * the old game may have changed since, and forking it again could be refused, or lead elsewhere.
 * The new game's id follows from the key, so it is known where to look. */
static enum step look_for_first(struct op *op)
{
    struct fork *fork = op->args;
    const struct creation *creation = fork->creation;

    if (fork->looked || creation->idempotency == NULL)
        return STEP_GO;
    db_get_answer(db_of(op->request), creation->draft.row.id, creation->idempotency->key,
                  ASK_STEP_ALSO(answer, op, ASK_MISSING, know_first, fork));
    return STEP_LATER;
}

static enum step step_fork(struct op *op)
{
    const struct fork *fork = op->args;
    const struct db_game *row = &op->live->row;
    int32_t line = fork->line == MAY_ANY ? row->line : fork->line;
    int32_t end, ply;
    enum step step = look_may(op);

    if (step == STEP_GO)
        step = look_for_first(op);
    if (step == STEP_GO && line > row->lines)
        step = look_no_such_ply(op);
    if (step == STEP_GO)
        step = look_line_end(op, line, &end);
    if (step != STEP_GO)
        return step;
    ply = move_input_ply(fork, row, end);
    if (ply > end)
        return look_no_such_ply(op);
    if (!create_long_ok(fork->creation, (size_t)ply))
        return STEP_OVER;
    step = fetch_played(op, line, 1, ply);
    if (step != STEP_GO)
        return step;
    inherit(fork, op, line, ply);
    if (grant_wishes(fork->creation))
        create_make(fork->creation);
    return STEP_OVER;
}

/* Reads the body, makes and stores the new game, and answers. */
static void fork_game(struct request *request, db_id source)
{
    struct fork *fork = arena_zero(&request->arena, sizeof(*fork));

    *fork = (struct fork){create_begin(request), source, MAY_ANY, MAY_ANY, false};
    if (fork->creation != NULL && read_fork(fork) && admission_may_make(request))
        op_submit(op_new(request, step_fork, fork), source);
}

/* ---- requests ---- */

void handle_fork(struct request *request)
{
    db_id id;

    if (input_only_choice(request) && input_id(request, &id))
        fork_game(request, id);
}
