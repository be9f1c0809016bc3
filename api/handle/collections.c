/* collections.c - the collections of a player. */
#include "api/play/collections.h"
#include "api/play/export_many.h"
#include <string.h>

#include "api/game/ids.h"
#include "api/handle/handlers.h"
#include "api/http/body.h"
#include "api/http/query.h"
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

/* ---- exports ---- */

/* NDJSON is our own JSON, a game a line. False: it was answered. */
static bool read_format(struct request *request, struct export_wish *wish)
{
    const char *name = query_text(request, "format");

    wish->in_lines = name == NULL || strcmp(name, "ndjson") == 0;
    wish->format = record_find_format(wish->in_lines ? "json" : name);
    if (wish->format != NULL && (wish->in_lines || strcmp(name, "json") != 0))
        return true;
    reply_problem_at(request, PROBLEM_NO_SUCH_FORMAT, "?format",
                     "ndjson, or a format of the games such as kif, csa or pdn, is expected.");
    return false;
}

void handle_export_collection(struct request *request)
{
    static const char *const known[] = {"format", NULL};
    struct export_wish wish = {.of_collection = true};

    if (!auth_require_player(request) || !query_ok(request, known) || !read_format(request, &wish))
        return;
    if (ids_read(request->param[0], &wish.collection))
        export_many(request, &wish);
    else
        reply_problem(request, PROBLEM_NO_SUCH_COLLECTION, NULL);
}

void handle_export_mine(struct request *request)
{
    static const char *const known[] = {"format", NULL};
    struct export_wish wish = {.of_collection = false};

    if (auth_require_player(request) && query_ok(request, known) && read_format(request, &wish))
        export_many(request, &wish);
}
