/* players.c - players: becoming one, looking at one, looking at oneself. */
#include <string.h>

#include "api/game/ids.h"
#include "api/handle/handlers.h"
#include "api/http/accept.h"
#include "api/http/admission.h"
#include "api/http/body.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/loop/loop.h"
#include "api/play/input.h"
#include "api/table/auth.h"
#include "api/table/idempotency.h"
#include "api/table/players.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_read.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "db/db.h"

static const char *player_url(struct arena *arena, db_id id)
{
    char text[IDS_TEXT];

    ids_text(id, text);
    return arena_format(arena, "/v1/players/%s", text);
}

/* ---- what is shown ---- */

static void view_player(struct json *json, const struct player *player, const char *token)
{
    char id[IDS_TEXT];

    ids_text(player->id, id);
    json_member(json, "id", id);
    json_member(json, "name", player->name);
    if (token != NULL)
        json_member(json, "token", token);
    json_member_time(json, "created_at", player->created_at);
}

static void view_links(struct json *json, const struct player *player, bool own)
{
    char id[IDS_TEXT];

    ids_text(player->id, id);
    json_key(json, "links");
    json_open(json, '{');
    json_member(json, "self", player_url(json->out.arena, player->id));
    if (own)
        json_member(json, "me", "/v1/me");
    json_member(json, "games",
                own ? "/v1/me/games" : arena_format(json->out.arena, "/v1/games?player=%s", id));
    json_close(json, '}');
}

static const char *player_text(struct arena *arena, const struct player *player, const char *token)
{
    char id[IDS_TEXT];
    struct out out;

    ids_text(player->id, id);
    out_init(&out, arena);
    out_format(&out, "id     %s\nname   %s\n", id, player->name);
    if (token != NULL)
        out_format(&out, "token  %s\n", token);
    out_format(&out, "since  %s\n", json_time_text(arena, player->created_at));
    return out.text;
}

/* Composes a player, as the player sees it (`own`) or as others do. A token is shown only in the
 * answer that gives it. */
static const char *player_document(struct request *request, const struct player *player, bool own,
                                   const char *token)
{
    struct json json;

    if (request->form == FORM_TEXT)
        return player_text(&request->arena, player, token);
    json_init(&json, &request->arena);
    json_open(&json, '{');
    view_player(&json, player, token);
    view_links(&json, player, own);
    json_finish(&json);
    return json.out.text;
}

/* ---- becoming a player ---- */

struct enrolment {
    struct request *request;
    struct idempotency *idempotency;
    struct db_player player;
    struct db_create_player create;
    const char *document;
};

static void on_enrolled(void *context, const struct db_reply *reply)
{
    struct enrolment *enrolment = context;
    struct request *request = enrolment->request;

    /* As with games (create.c): the id follows from the key, which was used before. */
    if (reply->outcome == DB_CONFLICT && enrolment->idempotency != NULL) {
        idempotency_repeat(enrolment->idempotency, enrolment->player.id);
        return;
    }
    if (reply->outcome != DB_OK) {
        reply_problem_outcome(request, reply);
        return;
    }
    request->made = true;
    request->stored += reply->stored;
    reply_header(request, "Location", player_url(&request->arena, enrolment->player.id));
    reply_made(request, 201, enrolment->document);
}

/* Makes the player, whose name is known. */
static void enrol(struct enrolment *enrolment)
{
    struct request *request = enrolment->request;
    struct db_player *player = &enrolment->player;
    char token[AUTH_PLAYER_TOKEN_TEXT];

    player->id = enrolment->idempotency == NULL
                     ? ids_new()
                     : idempotency_made_id(enrolment->idempotency, "player");
    player->created_at = db_now(request->loop->db);
    auth_new_player_token(player->id, token, player->token);
    enrolment->document = player_document(
        request, &(struct player){player->id, player->name, player->created_at}, true, token);
    enrolment->create.player = player;
    enrolment->create.answer =
        idempotency_seal(request, enrolment->idempotency, 201, "",
                         player_url(&request->arena, player->id), enrolment->document);
    db_create_player(request->loop->db, &enrolment->create, on_enrolled, enrolment);
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

static void show_player(struct request *request, const struct player *player, bool own)
{
    reply_header(request, "Cache-Control", "no-cache");
    reply_header(request, "Vary", "Accept, Authorization, Origin");
    reply_made(request, 200, player_document(request, player, own, NULL));
}

static void on_player(void *context, const struct db_reply *reply)
{
    struct request *request = context;

    if (reply->outcome == DB_OK)
        show_player(
            request,
            &(struct player){reply->player->id, reply->player->name, reply->player->created_at},
            false);
    else if (reply->outcome == DB_NOT_FOUND)
        reply_problem(request, PROBLEM_NO_SUCH_PLAYER, NULL);
    else
        reply_problem_outcome(request, reply);
}

void handle_player(struct request *request)
{
    db_id id;

    if (!input_no_query(request))
        return;
    if (ids_read(request->param[0], &id))
        db_get_player(request->loop->db, id, on_player, request);
    else
        reply_problem(request, PROBLEM_NO_SUCH_PLAYER, NULL);
}

void handle_me(struct request *request)
{
    if (input_no_query(request) && auth_require_player(request))
        show_player(request, request->player, true);
}
