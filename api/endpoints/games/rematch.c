/*
 * rematch.c - the use case of playing again: a game that was finished is followed by one with the
 * sides swapped.
 *
 * The next game has the same players, tokens, names and engines, the same options, start, clock
 * and terms. A seat whose player has left is open in it. There is one next game, whoever asks for
 * it and how often: its id follows from that of the old one. It is made first, then the old game
 * points to it. If the daemon dies in between, whoever asks again finds it there.
 *
 * The old game keeps its next one for good, also if its end is taken back.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/common.h"
#include "api/endpoints/games/create.h"
#include "api/endpoints/games/seats.h"
#include "api/endpoints/games/setup.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/game/draft.h"
#include "api/game/ids.h"
#include "api/game/rights.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/prefer.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/auth.h"
#include "api/live/live_game.h"
#include "api/live/op.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/stream/channels.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/must.h"
#include "api/text/problem.h"
#include "api/view/game.h"
#include "api/view/game_text.h"
#include "api/view/view.h"
#include "db/db.h"

struct rematch {
    const struct guard *guard;
    bool counted; /* among the games that the asker has made */
    bool made;    /* the next game is stored */
    struct creation *next;
    unsigned status; /* of the answer */
};

/* ---- the answer ---- */

/* The token of a seat plays the next game too. A player's token need not be told. */
static const char *own_token(struct request *request, const struct game_view *view)
{
    const char *token = request_token(request);

    return view->seats == 0 || auth_is_players(token) ? NULL : token;
}

/* A step at the next game. */
static enum step step_show(struct job *job)
{
    const struct rematch *rematch = job->args;
    struct request *request = job->request;
    struct game_view view = play_view(job);
    char id[IDS_TEXT];
    enum step step = job_need_confirmed(job);

    if (step != STEP_GO)
        return step;
    if (play_hides(job->table, view.seats))
        return play_refuse(job, PROBLEM_NO_SUCH_GAME, NULL);
    ids_text(view.row->id, id);
    reply_header(request, "ETag", reply_etag(&request->arena, view.row->version));
    reply_header(request, "Location", arena_format(&request->arena, "/v1/games/%s", id));
    reply_made(request, rematch->status,
               play_token_document(request, &view, own_token(request, &view), 0));
    return STEP_OVER;
}

static enum step show(struct job *job, unsigned status)
{
    struct rematch *rematch = job->args;

    rematch->status = status;
    job_submit(job_new(job->request, step_show, rematch), job->table->row.next);
    return STEP_OVER;
}

/* ---- the next game ---- */

/* The same sitter, as texts of the request. Nobody plays a seat without a token and a player. */
static struct db_seat copy_seat(struct arena *arena, const struct db_seat *old)
{
    struct db_seat seat = *old;

    seat.has_invitation = false;
    if (seat.state == SEAT_TAKEN && !seat.has_token && !seat.has_player)
        seat = (struct db_seat){.state = SEAT_OPEN};
    if (seat.name != NULL)
        seat.name = arena_copy(arena, seat.name, strlen(seat.name));
    if (seat.engine != NULL)
        seat.engine = arena_copy(arena, seat.engine, strlen(seat.engine));
    return seat;
}

static const struct clock_terms *copy_terms(struct arena *arena, const struct clock *clock)
{
    struct clock_terms *terms = arena_alloc(arena, sizeof(*terms));

    if (clock == NULL)
        return NULL;
    *terms = clock->terms;
    return terms;
}

static struct creation *next_creation(struct job *job)
{
    struct request *request = job->request;
    struct arena *arena = &request->arena;
    struct creation *creation = arena_zero(arena, sizeof(*creation));
    const struct db_game *old = &job->table->row;
    struct db_game *row = &creation->course.row;
    char id[IDS_TEXT];

    creation->request = request;
    course_new(&creation->course, arena, NULL, job->now);
    setup_inherit(creation, job->table->game, old->options, old->start);
    creation->clock = copy_terms(arena, job->table->clock);
    ids_text(old->id, id);
    creation->origin = arena_format(arena, "{\"rematch_of\":\"%s\"}", id);
    row->id = ids_next(old->id);
    randombytes_buf(&row->seed, sizeof(row->seed));
    row->undo = old->undo;
    row->visibility = old->visibility;
    for (int i = 0; i < DB_SEATS; i++)
        row->seat[i] = copy_seat(arena, &old->seat[DB_SEATS - 1 - i]);
    return creation;
}

/* It may be there already: the other side asks at the same moment, or somebody did before, and the
 * daemon died. */
static void made(void *context, const struct db_reply *reply)
{
    struct job *job = context;
    struct rematch *rematch = job->args;

    job->request->made = reply->outcome == DB_OK;
    if (job->request->made)
        due_promised(job->request->loop, rematch->next->create.dues, rematch->next->create.ndues,
                     job->now);
    rematch->made = true;
}

static enum step make(struct job *job)
{
    struct rematch *rematch = job->args;

    if (!rematch->counted && !admission_may_make(job->request))
        return STEP_OVER;
    rematch->counted = true;
    rematch->next = next_creation(job);
    if (!create_quietly(rematch->next))
        return STEP_OVER;
    db_create(db_of(job->request), &rematch->next->create,
              ASK_STEP_ALSO(done, job, ASK_CONFLICT, made, job));
    return STEP_LATER;
}

/* ---- the old game ---- */

static void on_linked(struct job *job)
{
    show(job, 201);
}

static enum step link_next(struct job *job, unsigned seats)
{
    struct course *course = play_course(job);
    int seat = (seats & seat_bit(1)) != 0 ? 1 : 2;
    char id[IDS_TEXT];

    course->row.has_next = true;
    course->row.next = ids_next(course->row.id);
    ids_text(course->row.next, id);
    course_data(course, course_event(course, EVENT_REMATCH, seat),
                arena_format(course->arena, "\"game\":\"%s\"", id));
    return play_write_then(job, course, on_linked);
}

static enum step step_rematch(struct job *job)
{
    const struct rematch *rematch = job->args;
    const struct db_game *row = &job->table->row;
    enum problem why;
    unsigned seats;
    enum step step = play_may_act(job, rematch->guard, &seats);

    if (step != STEP_GO)
        return step;
    if (row->has_next)
        return show(job, 200);
    why = may_not_rematch(row, seats);
    if (why != PROBLEM_NONE)
        return play_refuse(job, why, NULL);
    return rematch->made ? link_next(job, seats) : make(job);
}

/* The request has done it before. */
static enum step again_rematch(struct job *job)
{
    reply_replayed(job->request);
    return show(job, 201);
}

/* Makes or finds the next game, and answers with it. `guard` must live as long as the request. */
static void rematch_begin(struct request *request, db_id id, const struct guard *guard)
{
    struct rematch *rematch = arena_zero(&request->arena, sizeof(*rematch));

    rematch->guard = guard;
    play_submit(request, id, step_rematch, again_rematch, rematch);
}

/* ---- requests ---- */

void handle_rematch(struct request *request)
{
    guard_bare(request, rematch_begin);
}
