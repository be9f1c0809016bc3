/*
 * subscriptions.c - subscriptions to Web Push: browsers and phones that are told of their player's
 * games.
 *
 * Its id follows from the player and the address, so the same subscription again is the same row.
 * What is sent, and when, is the business of hooks/.
 */
#include <sodium.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "api/duty/due.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/people/receivers.h"
#include "api/endpoints/people/wishes.h"
#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/hooks/http_client.h"
#include "api/hooks/push_key.h"
#include "api/hooks/web_push.h"
#include "api/http/body.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/view/player.h"
#include "db/hooks.h"

enum { KEY_TEXT_MAX = 128 };

_Static_assert((int)DB_P256DH_BYTES == (int)WEB_PUSH_PUBLIC &&
                   (int)DB_AUTH_BYTES == (int)WEB_PUSH_AUTH,
               "keys are stored as they are");

/* ---- the key of plyd ---- */

static void answer_push_key(struct request *request, const struct web_push_key *key)
{
    struct json json;

    if (key == NULL) {
        reply_problem(request, PROBLEM_INTERNAL, NULL);
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_member(&json, "key", push_key_text(&request->arena, key));
    json_close(&json, '}');
    reply_json(request, 200, &json);
}

static void know_push_key(void *context, const struct db_push_key *stored)
{
    struct request *request = context;

    answer_push_key(request, push_key_learn(request->loop, stored));
}

void handle_push_key(struct request *request)
{
    const struct web_push_key *key = push_key_known(request->loop);
    struct db_push_key made;

    if (!input_no_query(request))
        return;
    if (key != NULL) {
        answer_push_key(request, key);
        return;
    }
    made = push_key_make();
    db_get_push_key(db_of(request), &made, ASK(push_key, request, know_push_key, request));
}

/* ---- answers ---- */

struct subscribing {
    struct request *request;
    struct db_hook hook;
    struct db_hook_write write;
    struct db_due looks, marks;
    bool is_new;
};

static void show_one(struct json *json, const struct db_hook *hook)
{
    char host[HTTP_CLIENT_HOST_TEXT];

    http_client_url_fault(hook->url, true, host);
    view_subscription(json, hook, host);
}

static void answer_subscription(struct subscribing *subscribing)
{
    struct request *request = subscribing->request;
    struct json json;

    reply_private(request);
    json_init(&json, &request->arena);
    show_one(&json, &subscribing->hook);
    reply_json(request, 201, &json);
}

/* ---- bodies ---- */

/* Takes bytes that stand as base64url. False: they are absent, or were refused. */
static bool take_key(struct json_fields *fields, const char *name, uint8_t *bytes, size_t size)
{
    const char *text;
    size_t len = 0;

    if (!json_take_string(fields, name, KEY_TEXT_MAX, &text))
        return false;
    if (sodium_base642bin(bytes, size, text, strlen(text), NULL, &len, NULL,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
        len == size)
        return true;
    json_refuse(
        fields, PROBLEM_BAD_PARAMETER, name,
        arena_format(fields->arena, "Base64url of %zu bytes is expected, without padding.", size));
    return false;
}

static void take_keys(struct json_fields *fields, struct db_hook *hook)
{
    static const char expected[] = "The keys of the subscription are expected, as toJSON() of a "
                                   "browser's PushSubscription gives them.";
    struct json_fields keys;

    if (!json_take_object(fields, "keys", &keys)) {
        json_missing(fields, "keys", expected);
        return;
    }
    if (!take_key(&keys, "p256dh", hook->p256dh, sizeof(hook->p256dh)))
        json_missing(&keys, "p256dh", expected);
    else if (!web_push_is_public(hook->p256dh, sizeof(hook->p256dh)))
        json_refuse(&keys, PROBLEM_BAD_PARAMETER, "p256dh",
                    "An uncompressed point of the curve P-256 is expected.");
    if (!take_key(&keys, "auth", hook->auth, sizeof(hook->auth)))
        json_missing(&keys, "auth", expected);
    json_ok(&keys);
}

static void take_endpoint(struct request *request, struct json_fields *fields, struct db_hook *hook)
{
    bool any_address = request->loop->config->webhooks_private == 1;
    char host[HTTP_CLIENT_HOST_TEXT];
    const char *url, *fault;

    if (!json_take_string(fields, "endpoint", HTTP_CLIENT_URL_MAX, &url)) {
        json_missing(fields, "endpoint", "The URL of a push service is expected.");
        return;
    }
    fault = http_client_url_fault(url, any_address, host);
    if (fault == NULL && !any_address && strncasecmp(url, "https:", strlen("https:")) != 0)
        fault = "A URL of https is expected.";
    if (fault != NULL)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "endpoint", fault);
    hook->url = body_keep(fields, url);
}

/* `expirationTime` is a browser's word of when the service forgets the subscription. The service
 * says so itself then, so it is not kept. */
static bool read_subscription(struct request *request, struct db_hook *hook)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *body = body_read(request, NULL);
    struct json_fields fields;
    double expires;

    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    take_endpoint(request, &fields, hook);
    take_keys(&fields, hook);
    json_take_number(&fields, "expirationTime", &expires);
    wishes_take(&fields, hook, db_now(db_of(request)));
    return body_done(request, body, &fields);
}

/* ---- making and setting ---- */

static db_id subscription_id(const db_id *player, const char *url)
{
    db_id id;

    crypto_generichash(id.byte, sizeof(id.byte), (const unsigned char *)url, strlen(url),
                       player->byte, sizeof(player->byte));
    return id;
}

static const struct db_hook *find_subscription(const struct db_hooks *hooks, const db_id *id,
                                               size_t *others)
{
    const struct db_hook *found = NULL;

    *others = 0;
    for (size_t i = 0; i < hooks->count; i++) {
        const struct db_hook *hook = &hooks->items[i];

        if (hook->kind != HOOK_PUSH)
            continue;
        if (memcmp(&hook->id, id, sizeof(*id)) == 0)
            found = hook;
        else
            ++*others;
    }
    return found;
}

/* It ends with the token that has sent it last, so another token is something new. */
static bool is_as_wished(const struct db_hook *hook, const struct db_hook *wish,
                         const struct request *request)
{
    return memcmp(hook->p256dh, wish->p256dh, sizeof(hook->p256dh)) == 0 &&
           memcmp(hook->auth, wish->auth, sizeof(hook->auth)) == 0 && wishes_are(hook, wish) &&
           hook->failures == 0 &&
           memcmp(hook->made_by, request->player->token, sizeof(hook->made_by)) == 0;
}

/* There was room, and the player was here: another request was faster, or the token is an old one.
 */
static void look_again(void *context, const struct db_hooks *hooks)
{
    struct subscribing *subscribing = context;
    size_t others;

    if (find_subscription(hooks, &subscribing->hook.id, &others) == NULL &&
        others >= DB_SUBSCRIPTIONS_MAX)
        reply_problem(subscribing->request, PROBLEM_TOO_MANY_SUBSCRIPTIONS, NULL);
    else
        players_refuse_old(subscribing->request);
}

static void subscribed(void *context, const struct db_reply *reply)
{
    struct subscribing *subscribing = context;
    struct request *request = subscribing->request;

    if (reply->outcome == DB_CONFLICT) {
        db_get_hooks(db_of(request), request->player->id,
                     ASK(hooks, request, look_again, subscribing));
        return;
    }
    request->made = subscribing->is_new;
    if (subscribing->is_new)
        players_forget(request->loop, request->player->id);
    if (due_of(request->loop) != NULL)
        due_soon(due_of(request->loop));
    answer_subscription(subscribing);
}

/* The games of a new one must learn of it. What waits for one that was set, and when it is told a
 * digest, is looked at anew. */
static void write_subscription(struct subscribing *subscribing)
{
    struct request *request = subscribing->request;
    struct db *db = db_of(request);

    subscribing->looks = (struct db_due){request->player->id, DUE_HOOKS, db_now(db)};
    subscribing->marks = (struct db_due){request->player->id, DUE_MARKS, db_now(db)};
    subscribing->write =
        (struct db_hook_write){.player = request->player->id,
                               .hook = &subscribing->hook,
                               .token = players_stored_token(request),
                               .made_by = request->player->token,
                               .due = &subscribing->looks,
                               .also = subscribing->is_new ? &subscribing->marks : NULL};
    db_subscribe(db, &subscribing->write,
                 ASK_ALSO(done, request, ASK_CONFLICT, subscribed, subscribing));
}

/* Pages send what they have whenever they begin: what is there already costs nothing more. A new
 * one makes requests to others, so it is counted like making a game. */
static void know_subscriptions(void *context, const struct db_hooks *hooks)
{
    struct subscribing *subscribing = context;
    struct request *request = subscribing->request;
    struct db_hook *hook = &subscribing->hook;
    size_t others;
    const struct db_hook *found = find_subscription(hooks, &hook->id, &others);

    subscribing->is_new = found == NULL;
    if (found != NULL)
        hook->created_at = found->created_at;
    if (found != NULL && is_as_wished(found, hook, request))
        answer_subscription(subscribing);
    else if (found == NULL && others >= DB_SUBSCRIPTIONS_MAX)
        reply_problem(request, PROBLEM_TOO_MANY_SUBSCRIPTIONS, NULL);
    else if (found != NULL || admission_may_make(request))
        write_subscription(subscribing);
}

void handle_subscribe(struct request *request)
{
    struct subscribing *subscribing;

    if (!input_no_query(request) || !auth_require_player(request))
        return;
    subscribing = arena_zero(&request->arena, sizeof(*subscribing));
    subscribing->request = request;
    subscribing->hook = (struct db_hook){.kind = HOOK_PUSH,
                                         .created_at = db_now(db_of(request)),
                                         .old_until = DB_NEVER,
                                         .failing_since = DB_NEVER,
                                         .retry_at = DB_NEVER,
                                         .test_at = DB_NEVER};
    if (!read_subscription(request, &subscribing->hook))
        return;
    subscribing->hook.id = subscription_id(&request->player->id, subscribing->hook.url);
    db_get_hooks(db_of(request), request->player->id,
                 ASK(hooks, request, know_subscriptions, subscribing));
}

/* ---- looking, and deleting ---- */

static void show_subscriptions(void *context, const struct db_hooks *hooks)
{
    struct request *request = context;
    struct json json;

    reply_private(request);
    json_init(&json, &request->arena);
    reply_list_open(&json);
    for (size_t i = 0; i < hooks->count; i++)
        if (hooks->items[i].kind == HOOK_PUSH)
            show_one(&json, &hooks->items[i]);
    reply_list_send(request, &json, NULL);
}

void handle_subscriptions(struct request *request)
{
    if (input_no_query(request) && auth_require_player(request))
        db_get_hooks(db_of(request), request->player->id,
                     ASK(hooks, request, show_subscriptions, request));
}

void handle_unsubscribe(struct request *request)
{
    db_id id;

    if (!input_no_query(request) || !auth_require_player(request))
        return;
    if (ids_read(request->param[0], &id))
        receivers_delete_mine(request, id, HOOK_PUSH);
    else
        reply_problem(request, PROBLEM_NO_SUCH_SUBSCRIPTION, NULL);
}
