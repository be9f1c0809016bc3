/* collections.c - collections of games. */
#include <sodium.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/library/collections.h"
#include "api/endpoints/look.h"
#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/http/body.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/idempotency.h"
#include "api/live/op.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "db/db.h"
#include "db/library.h"

/* One request about a collection. */
struct business {
    struct request *request;
    struct db_collection collection;
    unsigned status;
    db_id game;
    struct db_collected collected;
    struct db_due due; /* what adding a game promises */
};

static struct business *new_business(struct request *request, db_id id)
{
    struct business *business = arena_zero(&request->arena, sizeof(*business));

    business->request = request;
    business->collection.id = id;
    return business;
}

/* ---- answers ---- */

static const char *url_of(struct arena *arena, db_id id)
{
    char text[IDS_TEXT];

    ids_text(id, text);
    return arena_format(arena, "/v1/me/collections/%s", text);
}

static void view(struct json *json, const struct db_collection *collection)
{
    const char *self = url_of(json->out.arena, collection->id);
    char id[IDS_TEXT];

    ids_text(collection->id, id);
    json_open(json, '{');
    json_member(json, "id", id);
    json_member(json, "name", collection->name);
    json_member_int(json, "games", collection->games);
    json_member_time(json, "created_at", collection->created_at);
    json_key(json, "links");
    json_open(json, '{');
    json_member(json, "self", self);
    json_member(json, "games", arena_format(json->out.arena, "%s/games", self));
    json_close(json, '}');
    json_close(json, '}');
}

static void answer_collection(struct business *business)
{
    struct request *request = business->request;
    struct json json;

    reply_private(request);
    if (business->status == 201)
        reply_header(request, "Location", url_of(&request->arena, business->collection.id));
    json_init(&json, &request->arena);
    view(&json, &business->collection);
    out_add(&json.out, "\n");
    reply_json(request, business->status, &json);
}

static void show_collection_list(void *context, const struct db_collections *collections)
{
    struct request *request = context;
    struct json json;

    reply_private(request);
    json_init(&json, &request->arena);
    reply_list_open(&json);
    for (size_t i = 0; i < collections->count; i++)
        view(&json, &collections->items[i]);
    reply_list_send(request, &json, NULL);
}

/* Answers with the collections of the player who asks, or with one. */
static void collections_list(struct request *request)
{
    if (auth_require_player(request))
        db_get_collections(db_of(request), request->player->id,
                           ASK(collections, request, show_collection_list, request));
}

/* ---- making and changing ---- */

enum { TAKEN = ASK_CONFLICT | ASK_MISSING }; /* what collection_written() knows */

static void collection_written(void *context, const struct db_reply *reply)
{
    struct business *business = context;
    struct request *request = business->request;

    if (reply->outcome == DB_CONFLICT)
        reply_problem(request, PROBLEM_TOO_MANY_COLLECTIONS, NULL);
    else if (reply->outcome == DB_NOT_FOUND)
        reply_problem(request, PROBLEM_NO_SUCH_COLLECTION, NULL);
    else if (business->status == 204)
        reply_empty(request, 204);
    else
        answer_collection(business);
}

/* The id of one that is made with a key follows from the key and the player: the same request makes
 * no second one. */
static db_id made_id(const struct request *request, const char *key)
{
    db_id id;

    if (key == NULL)
        return ids_new(db_now(db_of(request)));
    crypto_generichash(id.byte, sizeof(id.byte), (const unsigned char *)key, strlen(key),
                       request->player->id.byte, sizeof(db_id));
    ids_set_key_time(&id, key);
    return id;
}

/* Makes a collection, renames one, deletes one, and answers. */
static void collections_create(struct request *request, const char *name)
{
    struct business *business;
    const char *key;

    if (!idempotency_text(request, &key))
        return;
    business = new_business(request, made_id(request, key));
    business->collection.name = name;
    business->collection.created_at = db_now(db_of(request));
    business->status = 201;
    db_set_collection(db_of(request), request->player->id, &business->collection,
                      ASK_ALSO(done, request, TAKEN, collection_written, business));
}

const struct db_collection *collections_among(const struct db_collections *collections, db_id id)
{
    for (size_t i = 0; i < collections->count; i++)
        if (memcmp(&collections->items[i].id, &id, sizeof(id)) == 0)
            return &collections->items[i];
    return NULL;
}

static void change_collection(void *context, const struct db_collections *collections)
{
    struct business *business = context;
    struct request *request = business->request;
    const char *name = business->collection.name;
    const struct db_collection *known = collections_among(collections, business->collection.id);

    if (known == NULL) {
        reply_problem(request, PROBLEM_NO_SUCH_COLLECTION, NULL);
        return;
    }
    business->collection = *known;
    if (name == NULL) {
        answer_collection(business);
        return;
    }
    business->collection.name = name;
    db_set_collection(db_of(request), request->player->id, &business->collection,
                      ASK_ALSO(done, request, TAKEN, collection_written, business));
}

/* `name` NULL: it keeps its name, and is shown. */
static void find_collection(struct request *request, db_id id, const char *name)
{
    struct business *business = new_business(request, id);

    business->collection.name = name;
    business->status = 200;
    db_get_collections(db_of(request), request->player->id,
                       ASK(collections, request, change_collection, business));
}

static void collections_show(struct request *request, db_id id)
{
    find_collection(request, id, NULL);
}

static void collections_rename(struct request *request, db_id id, const char *name)
{
    find_collection(request, id, name);
}

/* What is not there may have been removed by this very request, whose first answer was lost. */
static void removed(void *context, const struct db_reply *reply)
{
    (void)reply;
    reply_empty(context, 204);
}

static void collections_delete(struct request *request, db_id id)
{
    db_delete_collection(db_of(request), request->player->id, id,
                         ASK_ALSO(done, request, ASK_MISSING, removed, request));
}

/* ---- games ---- */

static void added(void *context, const struct db_reply *reply)
{
    struct op *op = context;
    struct business *business = op->args;
    struct loop *loop = op->request->loop;

    if (reply->outcome == DB_OK)
        due_stored(loop, &business->due, 1, db_now(loop->db));
    collection_written(business, reply);
}

/* Whoever may not see a game cannot find out by this whether it exists. */
static enum step step_add(struct op *op)
{
    struct business *business = op->args;
    enum step step = look_may(op);

    if (step != STEP_GO)
        return step;
    db_collect(db_of(op->request), &business->collected, ASK_STEP_ALSO(done, op, TAKEN, added, op));
    return STEP_LATER;
}

/* Adds a game that the player may see, or takes one out, and answers with 204. */
static void collections_add(struct request *request, db_id id, db_id game)
{
    struct business *business = new_business(request, id);

    business->status = 204;
    business->game = game;
    business->collected =
        (struct db_collected){request->player->id, id, &business->game, 1, db_now(db_of(request))};
    business->due = (struct db_due){game, DUE_POSITIONS, business->collected.at};
    op_submit(op_new(request, step_add, business), game);
}

static void collections_remove(struct request *request, db_id id, db_id game)
{
    db_uncollect(db_of(request), request->player->id, id, game,
                 ASK_ALSO(done, request, ASK_MISSING, removed, request));
}

/* ---- requests ---- */

/* Places of the address. Other texts name no collection, and no game. */
static bool read_ids(struct request *request, db_id *id, db_id *game)
{
    if (!input_no_query(request) || !auth_require_player(request))
        return false;
    if (!ids_read(request->param[0], id))
        reply_problem(request, PROBLEM_NO_SUCH_COLLECTION, NULL);
    else if (game != NULL && !ids_read(request->param[1], game))
        reply_problem(request, PROBLEM_NO_SUCH_GAME, NULL);
    else
        return true;
    return false;
}

static bool read_name(struct request *request, const char **name)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *body = body_read(request, "name");
    struct json_fields fields;

    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    *name = NULL;
    if (input_name(&fields, true, name))
        *name = body_keep(&fields, *name);
    else
        json_missing(&fields, "name", "A name of 1 to 64 characters is expected.");
    return body_done(request, body, &fields);
}

void handle_collections(struct request *request)
{
    if (input_no_query(request))
        collections_list(request);
}

void handle_collection(struct request *request)
{
    db_id id;

    if (read_ids(request, &id, NULL))
        collections_show(request, id);
}

void handle_create_collection(struct request *request)
{
    const char *name;

    if (input_no_query(request) && auth_require_player(request) && read_name(request, &name))
        collections_create(request, name);
}

void handle_rename_collection(struct request *request)
{
    const char *name;
    db_id id;

    if (read_ids(request, &id, NULL) && read_name(request, &name))
        collections_rename(request, id, name);
}

void handle_delete_collection(struct request *request)
{
    db_id id;

    if (read_ids(request, &id, NULL))
        collections_delete(request, id);
}

void handle_collect(struct request *request)
{
    db_id id, game;

    if (read_ids(request, &id, &game) && input_no_body(request))
        collections_add(request, id, game);
}

void handle_uncollect(struct request *request)
{
    db_id id, game;

    if (read_ids(request, &id, &game))
        collections_remove(request, id, game);
}

/* ---- exports ---- */
