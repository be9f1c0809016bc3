/* webhooks.c - the webhooks of a player. */
#include "api/play/webhooks.h"

#include <string.h>

#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/handle/handlers.h"
#include "api/hooks/transfers.h"
#include "api/http/body.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/play/input.h"
#include "api/table/auth.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "db/db.h"

/* ---- bodies ---- */

static void take_url(struct request *request, struct json_fields *fields, const char **url)
{
    char host[TRANSFERS_HOST_TEXT];
    const char *fault;

    if (!json_take_string(fields, "url", TRANSFERS_URL_MAX, url))
        return;
    fault = transfers_url_fault(*url, request->loop->config->webhooks_private == 1, host);
    if (fault != NULL)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "url", fault);
    *url = body_keep(fields, *url);
}

static void take_events(struct json_fields *fields, struct webhook_wish *wish)
{
    const struct json_value *list;
    const char *word;
    size_t count;
    int wanted;

    if (!json_take_array(fields, "events", EVENT_KINDS, &list, &count))
        return;
    wish->has_events = true;
    for (size_t i = 0; i < count; i++) {
        if (!json_element_string(fields, list, "events", i, 32, &word))
            return;
        wanted = words_hook_wish(word);
        if (wanted < 0)
            json_refuse(fields, PROBLEM_BAD_PARAMETER, "events",
                        arena_format(fields->arena, "No type of event has that name.%s",
                                     words_nearest_wish(fields->arena, word)));
        else
            wish->events |= INT64_C(1) << wanted;
    }
}

_Static_assert((int)EVENT_KINDS <= 63, "every kind of event has its bit");

static void take_games(struct json_fields *fields)
{
    const char *games;

    if (json_take_string(fields, "games", 32, &games) && strcmp(games, "mine") != 0)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "games",
                    "A webhook is told of the games of its player: \"mine\".");
}

/* False: the request was answered. */
static bool read_wish(struct request *request, bool makes, struct webhook_wish *wish)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *body = body_read(request, NULL);
    struct json_fields fields;

    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    take_url(request, &fields, &wish->url);
    take_events(&fields, wish);
    take_games(&fields);
    if (!makes)
        wish->has_enabled = json_take_bool(&fields, "enabled", &wish->enabled);
    if (makes && wish->url == NULL)
        json_missing(&fields, "url", "A URL of https or http is expected.");
    return body_done(request, body, &fields);
}

/* ---- requests ---- */

/* The place of the address. What is no id is no webhook. */
static bool read_id(struct request *request, db_id *id)
{
    if (!input_no_query(request) || !auth_require_player(request))
        return false;
    if (ids_read(request->param[0], id))
        return true;
    reply_problem(request, PROBLEM_NO_SUCH_WEBHOOK, NULL);
    return false;
}

void handle_create_webhook(struct request *request)
{
    struct webhook_wish *wish = arena_zero(&request->arena, sizeof(*wish));

    if (input_no_query(request) && auth_require_player(request) && read_wish(request, true, wish))
        webhooks_create(request, wish);
}

void handle_webhooks(struct request *request)
{
    if (input_no_query(request))
        webhooks_list(request);
}

void handle_change_webhook(struct request *request)
{
    struct webhook_wish *wish = arena_zero(&request->arena, sizeof(*wish));
    db_id id;

    if (read_id(request, &id) && read_wish(request, false, wish))
        webhooks_change(request, id, wish);
}

void handle_webhook(struct request *request)
{
    db_id id;

    if (read_id(request, &id))
        webhooks_show(request, id);
}

void handle_delete_webhook(struct request *request)
{
    db_id id;

    if (read_id(request, &id))
        webhooks_delete(request, id);
}

void handle_test_webhook(struct request *request)
{
    db_id id;

    if (read_id(request, &id) && input_no_body(request))
        webhooks_test(request, id);
}

void handle_rotate_webhook(struct request *request)
{
    db_id id;

    if (read_id(request, &id) && input_no_body(request))
        webhooks_rotate(request, id);
}

void handle_deliveries(struct request *request)
{
    db_id id;

    if (read_id(request, &id))
        webhooks_deliveries(request, id);
}
