/* players.c - players: becoming one, looking at one, changing oneself. */
#include <string.h>

#include "api/game/ids.h"
#include "api/handle/handlers.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/play/input.h"
#include "api/play/profile.h"
#include "api/table/ask.h"
#include "api/table/auth.h"
#include "api/table/idempotency.h"
#include "api/table/players.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "api/view/player.h"
#include "db/db.h"

/* ---- becoming a player ---- */

struct enrolment {
    struct request *request;
    struct idempotency *idempotency;
    struct db_player player;
    struct db_create_player create;
    const char *document;
};

static void enrolled(void *context, const struct db_reply *reply)
{
    struct enrolment *enrolment = context;
    struct request *request = enrolment->request;

    /* As with games (create.c): the id follows from the key, which was used before. */
    if (reply->outcome == DB_CONFLICT) {
        idempotency_repeat(enrolment->idempotency, enrolment->player.id);
        return;
    }
    request->made = true;
    reply_header(request, "Location", view_player_url(&request->arena, enrolment->player.id));
    reply_made(request, 201, enrolment->document);
}

/* Makes the player, whose name is known. */
static void enrol(struct enrolment *enrolment)
{
    struct request *request = enrolment->request;
    struct arena *arena = &request->arena;
    struct db_player *player = &enrolment->player;
    char token[AUTH_PLAYER_TOKEN_TEXT];

    player->left_at = DB_NEVER;
    player->id = enrolment->idempotency == NULL
                     ? ids_new(db_now(db_of(request)))
                     : idempotency_made_id(enrolment->idempotency, "player");
    player->created_at = db_now(db_of(request));
    auth_new_player_token(player->id, token, player->token);
    enrolment->document = request->form == FORM_TEXT ? view_player_text(arena, player, token)
                                                     : view_player_json(arena, player, true, token);
    enrolment->create.player = player;
    enrolment->create.answer =
        idempotency_seal(request, enrolment->idempotency, 201, "",
                         view_player_url(arena, player->id), enrolment->document);
    db_create_player(db_of(request), &enrolment->create,
                     ASK_ALSO(done, request, enrolment->idempotency == NULL ? 0 : ASK_CONFLICT,
                              enrolled, enrolment));
}

void handle_create_player(struct request *request)
{
    struct enrolment *enrolment = arena_zero(&request->arena, sizeof(*enrolment));
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;

    enrolment->request = request;
    if (!input_no_query(request) || !idempotency_read(request, true, &enrolment->idempotency) ||
        !admission_may_make(request))
        return;
    body = body_read(request, NULL);
    if (body == NULL)
        return;
    json_fields(&fields, &request->arena, body, &error);
    if (!input_name(&fields, true, &enrolment->player.name))
        json_missing(&fields, "name", "A name is expected.");
    if (body_done(request, body, &fields))
        enrol(enrolment);
}

/* ---- looking ---- */

static void show_player(struct request *request, const struct db_player *player)
{
    struct arena *arena = &request->arena;

    reply_private(request);
    reply_made(request, 200,
               request->form == FORM_TEXT ? view_player_text(arena, player, NULL)
                                          : view_player_json(arena, player, false, NULL));
}

/* Players who have left are as if they had never been. */
static void show_found(void *context, const struct db_reply *reply, const struct db_player *player)
{
    struct request *request = context;

    if (reply->outcome == DB_NOT_FOUND || player->left_at != DB_NEVER)
        reply_problem(request, PROBLEM_NO_SUCH_PLAYER, NULL);
    else
        show_player(request, player);
}

void handle_player(struct request *request)
{
    db_id id;

    if (!input_no_query(request))
        return;
    if (ids_read(request->param[0], &id))
        db_get_player(db_of(request), id,
                      ASK_ALSO(player, request, ASK_MISSING, show_found, request));
    else
        reply_problem(request, PROBLEM_NO_SUCH_PLAYER, NULL);
}

/* ---- oneself ---- */

void handle_me(struct request *request)
{
    const struct player *player = request->player;

    if (input_no_query(request) && auth_require_player(request))
        profile_show(request,
                     &(struct db_player){
                         .id = player->id, .name = player->name, .created_at = player->created_at},
                     NULL);
}

void handle_rename(struct request *request)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;
    const char *name = NULL;

    if (!input_no_query(request) || !auth_require_player(request))
        return;
    body = body_read(request, NULL);
    if (body == NULL)
        return;
    json_fields(&fields, &request->arena, body, &error);
    if (!input_name(&fields, true, &name))
        json_missing(&fields, "name", "A name is expected.");
    if (body_done(request, body, &fields))
        profile_rename(request, name);
}

void handle_replace_my_token(struct request *request)
{
    if (input_no_query(request) && input_no_body(request))
        profile_replace_token(request);
}

void handle_leave(struct request *request)
{
    if (input_no_query(request))
        profile_leave(request);
}
