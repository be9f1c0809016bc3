#include "api/play/create.h"

#include <sodium.h>
#include <string.h>

#include "api/http/reply.h"
#include "api/loop/metrics.h"
#include "api/play/common.h"
#include "api/play/creation.h"
#include "api/play/input.h"
#include "api/server.h"
#include "api/table/auth.h"
#include "api/table/tables.h"
#include "api/view/view.h"

static bool set_up(struct creation *creation)
{
    struct db_game *row = &creation->course.row;
    struct creation_fault fault;

    if (!creation_start(creation, &fault)) {
        creation_refuse(creation, &fault);
        return false;
    }
    if (rules_outcome_now(creation->game, &creation->course.state).status != RULES_ONGOING) {
        reply_problem_at(creation->request, "position-already-over",
                         creation_start_pointer(creation), NULL);
        return false;
    }
    row->created_at = row->updated_at = row->last_at = creation->course.now;
    for (int i = 0; i < DB_SEATS; i++)
        if (row->seat[i].state == SEAT_OPEN)
            row->status = STATUS_OPEN;
    return true;
}

static void first_event(struct creation *creation)
{
    struct course *course = &creation->course;
    struct db_event *event = course_event(course, EVENT_CREATED, 0);

    event->position = course->row.position;
    event->data = creation->origin;
    event->key = (int64_t)course->keys[0];
}

static const char *game_url(struct arena *arena, db_id id)
{
    char text[AUTH_ID_TEXT];

    auth_id_text(id, text);
    return arena_format(arena, "/v1/games/%s", text);
}

static void compose_answer(struct creation *creation, const char *token)
{
    struct game_view view = course_view(&creation->course);
    struct json json_text, *json = &json_text;

    view.seats = creation->mine;
    if (creation->request->form == FORM_TEXT) {
        creation->answer = view_token_text(creation->course.arena, &view, token);
        return;
    }
    json_init(json, creation->course.arena);
    json_open(json, '{');
    view_game(json, &view, creation->request->choice);
    json_member(json, "token", token);
    json_key(json, "tokens");
    json_open(json, '{');
    for (unsigned i = 0; i < DB_SEATS; i++)
        if (creation->mine & 2U << i)
            json_member(json, i == 0 ? "1" : "2", token);
    json_close(json, '}');
    if (creation->imported != NULL) {
        json_key(json, "imported");
        json_raw(json, creation->imported);
    }
    json_finish(json);
    creation->answer = json->out.text;
}

/* ---- storing it ---- */

static void on_created(void *context, const struct db_reply *reply)
{
    struct creation *creation = context;
    struct request *request = creation->request;
    struct arena *arena = &request->arena;

    /* Only a key can lead to a game that is there already: the request is a repetition. */
    if (reply->outcome == DB_CONFLICT && creation->idempotency != NULL) {
        answers_repeat(creation->idempotency, creation->course.row.id);
        return;
    }
    if (reply->outcome != DB_OK) {
        reply_outcome(request, reply);
        return;
    }
    metrics_add(&server_metrics(request->server)->moves[game_number(creation->game)],
                (uint64_t)creation->course.row.ply);
    reply_header(request, "Location", game_url(arena, creation->course.row.id));
    reply_header(request, "ETag", etag_text(arena, creation->course.row.version));
    reply_made(request, 201, creation->answer);
}

static void store(struct creation *creation)
{
    struct course *course = &creation->course;
    struct request *request = creation->request;

    creation->create = (struct db_create){
        .game = &course->row,
        .events = course->events,
        .count = course->nevents,
        .answer = answers_seal(request, creation->idempotency, 201,
                               etag_text(course->arena, course->row.version),
                               game_url(course->arena, course->row.id), creation->answer)};
    db_create(server_db(request->server), &creation->create, on_created, creation);
}

static void give_token(struct creation *creation, char token[AUTH_TOKEN_TEXT])
{
    uint8_t hash[DB_HASH_BYTES];

    auth_new_token(token, hash);
    for (unsigned i = 0; i < DB_SEATS; i++)
        if (creation->mine & 2U << i) {
            creation->course.row.seat[i].has_token = true;
            memcpy(creation->course.row.seat[i].token, hash, DB_HASH_BYTES);
        }
}

struct creation *creation_new(struct request *request)
{
    struct creation *creation = arena_zero(&request->arena, sizeof(*creation));

    creation->request = request;
    if (!auth_nobody_or_player(request) || !answers_key(request, &creation->idempotency))
        return NULL;
    course_new(&creation->course, &request->arena, NULL, db_now(server_db(request->server)));
    randombytes_buf(&creation->course.row.seed, sizeof(creation->course.row.seed));
    creation->course.row.id = creation->idempotency == NULL
                                  ? auth_new_id()
                                  : answers_made_id(creation->idempotency, "game");
    return creation;
}

void creation_finish(struct creation *creation)
{
    char token[AUTH_TOKEN_TEXT];

    give_token(creation, token);
    compose_answer(creation, token);
    store(creation);
}

void creation_make(struct creation *creation)
{
    struct creation_fault fault;
    int32_t from;

    creation->course.game = creation->game;
    if (!set_up(creation))
        return;
    first_event(creation);
    if (!creation_play(creation, &fault)) {
        creation_refuse(creation, &fault);
        return;
    }
    /* The whole past is here: nothing is missing. */
    course_answer(&creation->course, NULL, &from);
    creation_finish(creation);
}

void create_game(struct request *request)
{
    struct creation *creation = creation_new(request);

    if (creation != NULL && creation_read(creation))
        creation_make(creation);
}
