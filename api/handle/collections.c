/* collections.c - the collections of a player. */
#include "api/play/collections.h"
#include "api/game/ids.h"
#include "api/handle/handlers.h"
#include "api/http/body.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/play/input.h"
#include "api/table/auth.h"

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
