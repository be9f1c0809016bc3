/* games.c - games as a whole: making one, looking at it, its seats. */
#include <stdlib.h>
#include <string.h>

#include "api/game/words.h"
#include "api/handle/handlers.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/prefer.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/play/common.h"
#include "api/play/create.h"
#include "api/play/fork.h"
#include "api/play/guard.h"
#include "api/play/input.h"
#include "api/play/reading.h"
#include "api/play/rematch.h"
#include "api/play/seats.h"
#include "api/play/token.h"
#include "api/table/channels.h"
#include "api/table/jobs.h"
#include "api/table/table.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/must.h"
#include "api/text/problem.h"
#include "api/view/game.h"
#include "api/view/game_text.h"
#include "api/view/view.h"
#include "db/db.h"

void handle_create(struct request *request)
{
    if (input_only_choice(request))
        create_game(request);
}

void handle_fork(struct request *request)
{
    db_id id;

    if (input_only_choice(request) && input_id(request, &id))
        fork_game(request, id);
}

/* ---- one game ---- */

/* Whether the members of a game look the same to everybody and at any time. A clock does not, and
 * of an offer each side sees what it may do. */
static bool looks_the_same(const struct db_game *row)
{
    return row->clock == NULL && row->offers == NULL;
}

/* Writes the members of a game. Their text is kept at the table until the game changes, since most
 * clients ask again before that. So it is written for nobody in particular; what depends on who
 * asks comes behind it. */
static void show_kept(struct json *json, struct table *table, const struct game_view *asked)
{
    struct game_view view = *asked;
    struct json game;

    view.seats = 0;
    if (table->shown == NULL) {
        json_init(&game, json->out.arena);
        view_game(&game, &view, NULL);
        table->shown = must_copy(game.out.text);
    }
    json_raw(json, table->shown);
}

static void answer_game(struct job *job)
{
    struct request *request = job->request;
    struct game_view view = play_view(job);
    struct json json;

    json_init(&json, &request->arena);
    json_open(&json, '{');
    if (looks_the_same(view.row)) {
        show_kept(&json, job->table, &view);
        view_you(&json, &view);
        view_extras(&json, &view, request->choice);
    } else {
        view_game(&json, &view, request->choice);
    }
    json_finish(&json);
    reply_json_long(request, &json);
}

/* Whoever holds a seat is shown what they may do. */
static const char *mark_of(struct request *request, unsigned seats)
{
    const char *mark = reading_mark_long(request);

    if (seats == 0)
        return mark;
    return arena_format(&request->arena, "you%s%s%s%s", (seats & seat_bit(1)) != 0 ? "1" : "",
                        (seats & seat_bit(2)) != 0 ? "2" : "", mark == NULL ? "" : "-",
                        mark == NULL ? "" : mark);
}

/* A client that has the game as it is waits for news, if it wants to, and is told 304 when there
 * were none in time. */
static enum step step_game(struct job *job)
{
    struct request *request = job->request;
    struct game_view view = play_view(job);
    const char *mark = mark_of(request, view.seats);
    enum step step = reading_may(job);

    if (step == STEP_GO && reading_is_known(job, mark))
        step = channels_wait(job);
    if (step != STEP_GO)
        return step;
    if (reading_unchanged(job, mark))
        return STEP_OVER;
    reading_label(job, mark);
    if (request->form == FORM_TEXT)
        reply_text(request, 200, view_game_text(&request->arena, &view));
    else
        answer_game(job);
    return STEP_OVER;
}

void handle_game(struct request *request)
{
    struct job *job;
    db_id id;

    if (!input_only_choice(request) || !input_id(request, &id))
        return;
    job = job_new(request, step_game, NULL);
    job->wait_s = prefer_wait_s(request_header_list(request, "Prefer"));
    job_submit(job, id);
}

/* ---- seats ---- */

/* A seat is a number or a name, so it may come as either in JSON; in a form all values are texts.
 */
static void take_seat(struct json_fields *fields, void *context)
{
    struct seat_args *args = context;
    const char *seat = NULL;

    if (json_take_scalar(fields, "seat", &seat))
        args->seat = body_keep(fields, seat);
}

static void take_seat_to_join(struct json_fields *fields, void *context)
{
    struct seat_args *args = context;

    take_seat(fields, args);
    input_name(fields, false, &args->name);
    if (json_take_string(fields, "invitation", 64, &args->invitation))
        args->invitation = body_keep(fields, args->invitation);
}

static void handle_seat(struct request *request, void (*take)(struct json_fields *, void *),
                        void (*play)(struct request *, db_id, struct seat_args *))
{
    struct seat_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, NULL, take, args))
        play(request, id, args);
}

void handle_join(struct request *request)
{
    handle_seat(request, take_seat_to_join, seats_join);
}

void handle_resign(struct request *request)
{
    handle_seat(request, take_seat, seats_resign);
}

void handle_abort(struct request *request)
{
    handle_seat(request, take_seat, seats_abort);
}

void handle_rematch(struct request *request)
{
    guard_bare(request, rematch_begin);
}

void handle_replace_token(struct request *request)
{
    guard_bare(request, token_replace);
}
