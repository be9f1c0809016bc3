/* game.c - looking at a game. */
#include <string.h>

#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/prefer.h"
#include "api/http/reply.h"
#include "api/http/request.h"
#include "api/live/live_game.h"
#include "api/live/op.h"
#include "api/stream/channels.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/must.h"
#include "api/text/problem.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"

/* ---- one game ---- */

/* Whether the members of a game look the same to everybody and at any time. A clock does not, and
 * of an offer each side sees what it may do. */
static bool looks_the_same(const struct db_game *row)
{
    return row->clock == NULL && row->offers == NULL;
}

/* Writes the members of a game. Their text is kept at the live game until the game changes, since
 * most clients ask again before that. So it is written for nobody in particular; what depends on
 * who asks comes behind it. */
static void show_kept(struct json *json, struct live_game *live, const struct game_view *asked)
{
    struct game_view view = *asked;
    struct json game;

    view.seats = 0;
    if (live->shown == NULL) {
        json_init(&game, json->out.arena);
        view_game(&game, &view, NULL);
        live->shown = must_copy(game.out.text);
    }
    json_raw(json, live->shown);
}

static void answer_game(struct op *op)
{
    struct request *request = op->request;
    struct game_view view = use_case_view(op);
    struct json json;

    json_init(&json, &request->arena);
    json_open(&json, '{');
    if (looks_the_same(view.row)) {
        show_kept(&json, op->live, &view);
        view_you(&json, &view);
        view_extras(&json, &view, request->choice);
    } else {
        view_game(&json, &view, request->choice);
    }
    json_finish(&json);
    reply_json_long(request, &json);
}

/* Whoever holds a seat is shown what they may do. */
static const char *mark_of_game(struct request *request, unsigned seats)
{
    const char *mark = look_mark_long(request);

    if (seats == 0)
        return mark;
    return arena_format(&request->arena, "you%s%s%s%s", (seats & seat_bit(1)) != 0 ? "1" : "",
                        (seats & seat_bit(2)) != 0 ? "2" : "", mark == NULL ? "" : "-",
                        mark == NULL ? "" : mark);
}

/* A client that has the game as it is waits for news, if it wants to, and is told 304 when there
 * were none in time. */
static enum step step_game(struct op *op)
{
    struct request *request = op->request;
    struct game_view view = use_case_view(op);
    const char *mark = mark_of_game(request, view.seats);
    enum step step = look_may(op);

    if (step == STEP_GO && look_is_known(op, mark))
        step = channels_wait(op);
    if (step != STEP_GO)
        return step;
    if (look_unchanged(op, mark))
        return STEP_OVER;
    look_label(op, mark);
    if (request->form == FORM_TEXT)
        reply_text(request, 200, view_game_text(&request->arena, &view));
    else
        answer_game(op);
    return STEP_OVER;
}

void handle_game(struct request *request)
{
    struct op *op;
    db_id id;

    if (!input_only_choice(request) || !input_id(request, &id))
        return;
    op = op_new(request, step_game, NULL);
    op->wait_s = prefer_wait_s(request_header_list(request, "Prefer"));
    op_submit(op, id);
}

/* ---- seats ---- */
