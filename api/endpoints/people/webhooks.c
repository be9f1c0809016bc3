/*
 * webhooks.c - webhooks: making, changing and deleting them, their deliveries.
 *
 * Make, change, test and delete them, take another secret, look at what was delivered.
 *
 * Everything is for the player who asks. What is sent, and when, is the business of hooks/.
 */
#include <sodium.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/people/receivers.h"
#include "api/endpoints/people/wanted_events.h"
#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/hooks/http_client.h"
#include "api/hooks/webhook_message.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/idempotency.h"
#include "api/live/players.h"
#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "api/view/player.h"
#include "db/db.h"
#include "db/hooks.h"

/* What a request wants of a webhook. */
struct webhook_wish {
    const char *url; /* checked by http_client_url_fault(); NULL: it stays */
    bool has_events;
    int64_t events; /* bits of what is wanted (words_hook_wish()); 0: all */
    bool has_enabled, enabled;
};

#define OLD_SECRET_US (INT64_C(24) * 3600 * 1000 * 1000)

/* One request about a webhook. */
struct business {
    struct request *request;
    const struct webhook_wish *wish;
    db_id id;
    struct idempotency *idempotency;
    void (*go_on)(struct business *business); /* once the webhook is known */
    struct db_hook hook;                      /* its texts are the request's */
    uint8_t expected[DB_SECRET_BYTES];        /* its secret, as it was read */
    struct db_hook_write write;
    struct db_due due;
    bool tests, enables; /* it sets when a test was asked for, or whether the webhook is at rest */
    bool again;          /* it was not set, so something has changed */
    bool shows_secret;   /* then the answer may be told again, with few headers */
    unsigned status;
    const char *document;
};

static void read_hook(struct business *business);

static struct business *new_business(struct request *request, db_id id,
                                     void (*go_on)(struct business *business))
{
    struct business *business = arena_zero(&request->arena, sizeof(*business));

    business->request = request;
    business->id = id;
    business->go_on = go_on;
    business->status = 200;
    return business;
}

/* ---- answers ---- */

static const char *document_of(struct request *request, const struct db_hook *hook,
                               const char *secret)
{
    struct json json;

    if (request->form == FORM_TEXT)
        return view_webhook_text(&request->arena, hook, secret);
    json_init(&json, &request->arena);
    view_webhook(&json, hook, secret, db_now(db_of(request)));
    out_add(&json.out, "\n");
    return json.out.text;
}

/* With the secret, which is shown only here. */
static const char *secret_document(struct business *business)
{
    char secret[WEBHOOK_MESSAGE_SECRET_TEXT];

    business->shows_secret = true;
    webhook_message_secret_text(business->hook.secret, secret);
    return document_of(business->request, &business->hook, secret);
}

static void answer_webhook(struct business *business)
{
    struct request *request = business->request;

    if (!business->shows_secret)
        reply_private(request);
    if (business->status == 201)
        reply_header(request, "Location", view_webhook_url(&request->arena, business->hook.id));
    reply_made(request, business->status, business->document);
}

static void refuse_unknown_webhook(struct request *request)
{
    reply_problem(request, PROBLEM_NO_SUCH_WEBHOOK, NULL);
}

/* ---- keys ---- */

/* Answers that show a secret are stored under the player's id, where the one that showed the
 * player's token may be, too. So a key means another one here. */
static bool read_webhook_key(struct business *business)
{
    static const unsigned char label[] = "plyd webhook";
    struct idempotency *idempotency;

    if (!idempotency_read(business->request, true, &idempotency))
        return false;
    business->idempotency = idempotency;
    if (idempotency != NULL)
        crypto_generichash(idempotency->key, sizeof(idempotency->key), label, sizeof(label) - 1,
                           idempotency->key, sizeof(idempotency->key));
    return true;
}

/* The id of a webhook that is made with a key follows from the key and the player, so that the same
 * request makes no second one. */
static db_id made_id(const struct business *business)
{
    const db_id *player = &business->request->player->id;
    db_id id;

    if (business->idempotency == NULL)
        return ids_new(db_now(db_of(business->request)));
    crypto_generichash(id.byte, sizeof(id.byte), player->byte, sizeof(player->byte),
                       business->idempotency->key, sizeof(business->idempotency->key));
    ids_set_key_time(&id, business->idempotency->text);
    return id;
}

static const struct db_answer *seal(struct business *business)
{
    struct request *request = business->request;
    const char *location =
        business->status == 201 ? view_webhook_url(&request->arena, business->hook.id) : "";

    return idempotency_seal(request, business->idempotency, business->status, "", location,
                            business->document);
}

/* ---- writing ---- */

static void webhook_written(void *context, const struct db_reply *reply)
{
    struct business *business = context;
    struct request *request = business->request;

    if (reply->outcome == DB_CONFLICT) {
        business->again = true;
        read_hook(business);
    } else if (reply->outcome == DB_NOT_FOUND) {
        refuse_unknown_webhook(request);
    } else {
        if (business->write.due != NULL && due_of(request->loop) != NULL)
            due_soon(due_of(request->loop));
        answer_webhook(business);
    }
}

/* `looks`: there may be something to send now. What the request is not about may have changed since
 * it was read, and stays. */
static void set_webhook(struct business *business, bool looks)
{
    struct request *request = business->request;
    struct db_hook_write *write = &business->write;

    if (!business->tests)
        business->hook.test_at = DB_NEVER;
    if (!business->enables)
        business->hook.disabled = -1;

    write->player = request->player->id;
    write->hook = &business->hook;
    write->token = players_stored_token(request);
    write->made_by = request->player->token;
    write->expected = business->expected;
    if (looks) {
        business->due = (struct db_due){write->player, DUE_HOOKS, db_now(db_of(request))};
        write->due = &business->due;
    }
    db_set_hook(db_of(request), write,
                ASK_ALSO(done, request, ASK_CONFLICT | ASK_MISSING, webhook_written, business));
}

/* ---- reading ---- */

static bool is_webhook_of(const struct db_hook *hook, const db_id *id)
{
    return hook->kind == HOOK_WEB && memcmp(&hook->id, id, sizeof(*id)) == 0;
}

/* What was not set though it has the secret that was expected has a player with another token. */
static void know_hooks(void *context, const struct db_hooks *hooks)
{
    struct business *business = context;
    struct request *request = business->request;
    size_t i = 0;

    while (i < hooks->count && !is_webhook_of(&hooks->items[i], &business->id))
        i++;
    if (i == hooks->count) {
        refuse_unknown_webhook(request);
        return;
    }
    if (business->again &&
        memcmp(business->expected, hooks->items[i].secret, DB_SECRET_BYTES) == 0) {
        players_refuse_old(request);
        return;
    }
    business->hook = hooks->items[i];
    business->hook.url =
        arena_copy(&request->arena, hooks->items[i].url, strlen(hooks->items[i].url));
    memcpy(business->expected, business->hook.secret, DB_SECRET_BYTES);
    business->go_on(business);
}

static void read_hook(struct business *business)
{
    struct request *request = business->request;

    db_get_hooks(db_of(request), request->player->id, ASK(hooks, request, know_hooks, business));
}

static void begin_webhook(struct request *request, db_id id,
                          void (*go_on)(struct business *business))
{
    if (auth_require_player(request))
        read_hook(new_business(request, id, go_on));
}

/* ---- making one ---- */

/* A player who has fewer, and yet cannot have one more, has an old token. */
static void refuse_one_more(struct business *business, size_t count)
{
    struct request *request = business->request;

    if (count >= DB_HOOKS_MAX) {
        reply_problem(request, PROBLEM_TOO_MANY_WEBHOOKS, NULL);
        return;
    }
    players_refuse_old(request);
}

/* If the id is taken, the key was used before. */
static void look_for_taken(void *context, const struct db_hooks *hooks)
{
    struct business *business = context;

    size_t count = 0;

    for (size_t i = 0; i < hooks->count; i++) {
        if (is_webhook_of(&hooks->items[i], &business->hook.id)) {
            idempotency_repeat(business->idempotency, business->request->player->id);
            return;
        }
        count += hooks->items[i].kind == HOOK_WEB;
    }
    refuse_one_more(business, count);
}

static void created(void *context, const struct db_reply *reply)
{
    struct business *business = context;
    struct request *request = business->request;

    if (reply->outcome == DB_CONFLICT) {
        db_get_hooks(db_of(request), request->player->id,
                     ASK(hooks, request, look_for_taken, business));
        return;
    }
    request->made = true;
    players_forget(request->loop, request->player->id);
    if (due_of(request->loop) != NULL)
        due_soon(due_of(request->loop));
    answer_webhook(business);
}

/* Each webhook makes requests to others, so it is counted like making a game. */
static void webhooks_create(struct request *request, const struct webhook_wish *wish)
{
    struct business *business = new_business(request, (db_id){{0}}, NULL);
    struct db_hook *hook = &business->hook;
    int64_t now = db_now(db_of(request));

    if (!read_webhook_key(business) || !admission_may_make(request))
        return;
    *hook = (struct db_hook){.id = made_id(business),
                             .created_at = now,
                             .url = wish->url,
                             .events = wish->events,
                             .old_until = DB_NEVER,
                             .test_at = DB_NEVER,
                             .failing_since = DB_NEVER,
                             .retry_at = DB_NEVER};
    randombytes_buf(hook->secret, sizeof(hook->secret));
    business->status = 201;
    business->document = secret_document(business);
    business->due = (struct db_due){request->player->id, DUE_MARKS, now};
    business->write = (struct db_hook_write){.player = request->player->id,
                                             .hook = hook,
                                             .token = players_stored_token(request),
                                             .made_by = request->player->token,
                                             .answer = seal(business),
                                             .due = &business->due};
    db_create_hook(db_of(request), &business->write,
                   ASK_ALSO(done, request, ASK_CONFLICT, created, business));
}

/* ---- changing one ---- */

static void change_webhook(struct business *business)
{
    const struct webhook_wish *wish = business->wish;
    struct db_hook *hook = &business->hook;
    bool afresh = wish->url != NULL || (wish->has_enabled && wish->enabled);

    if (wish->url != NULL)
        hook->url = wish->url;
    if (wish->has_events)
        hook->events = wish->events;
    business->enables = wish->has_enabled;
    if (wish->has_enabled && wish->enabled)
        hook->disabled = HOOK_ENABLED;
    else if (wish->has_enabled && hook->disabled == HOOK_ENABLED)
        hook->disabled = HOOK_STOPPED;
    if (afresh) {
        hook->failures = 0;
        hook->failing_since = hook->retry_at = DB_NEVER;
    }
    business->write.afresh = afresh;
    business->document = document_of(business->request, hook, NULL);
    set_webhook(business, afresh);
}

static void webhooks_change(struct request *request, db_id id, const struct webhook_wish *wish)
{
    struct business *business = new_business(request, id, change_webhook);

    business->wish = wish;
    read_hook(business);
}

static void ask_test(struct business *business)
{
    business->tests = true;
    business->hook.test_at = db_now(db_of(business->request));
    business->status = 202;
    business->document = document_of(business->request, &business->hook, NULL);
    set_webhook(business, true);
}

static void webhooks_test(struct request *request, db_id id)
{
    begin_webhook(request, id, ask_test);
}

/* The answer is stored with what it tells. Whether it was given before has been looked up; of two
 * that come at once, one finds another secret, and looks again. */
static void rotate(struct business *business)
{
    struct db_hook *hook = &business->hook;

    memcpy(hook->old_secret, hook->secret, sizeof(hook->secret));
    hook->old_until = db_now(db_of(business->request)) + OLD_SECRET_US;
    randombytes_buf(hook->secret, sizeof(hook->secret));
    business->document = secret_document(business);
    business->write.answer = seal(business);
    set_webhook(business, false);
}

static void know_first_rotation(void *context, const struct db_reply *reply,
                                const struct db_answer *answer)
{
    struct business *business = context;

    if (reply->outcome == DB_NOT_FOUND)
        rotate(business);
    else
        idempotency_on_first(business->idempotency, reply, answer);
}

static void look_for_rotation(struct business *business)
{
    struct request *request = business->request;

    if (business->idempotency == NULL)
        rotate(business);
    else
        db_get_answer(db_of(request), request->player->id, business->idempotency->key,
                      ASK_ALSO(answer, request, ASK_MISSING, know_first_rotation, business));
}

static void webhooks_rotate(struct request *request, db_id id)
{
    struct business *business = new_business(request, id, look_for_rotation);

    if (auth_require_player(request) && read_webhook_key(business))
        read_hook(business);
}

/* ---- looking ---- */

static void show_webhook(struct business *business)
{
    business->document = document_of(business->request, &business->hook, NULL);
    answer_webhook(business);
}

static void webhooks_show(struct request *request, db_id id)
{
    begin_webhook(request, id, show_webhook);
}

static void show_webhook_list(void *context, const struct db_hooks *hooks)
{
    struct request *request = context;
    int64_t now = db_now(db_of(request));
    struct json json;
    struct out out;

    reply_private(request);
    json_init(&json, &request->arena);
    out_init(&out, &request->arena);
    reply_list_open(&json);
    for (size_t i = 0; i < hooks->count; i++) {
        if (hooks->items[i].kind != HOOK_WEB)
            continue;
        view_webhook(&json, &hooks->items[i], NULL, now);
        out_add(&out, view_webhook_text(&request->arena, &hooks->items[i], NULL));
    }
    if (request->form == FORM_TEXT)
        reply_text(request, 200, out.text);
    else
        reply_list_send(request, &json, NULL);
}

static void webhooks_list(struct request *request)
{
    if (auth_require_player(request))
        db_get_hooks(db_of(request), request->player->id,
                     ASK(hooks, request, show_webhook_list, request));
}

static void show_deliveries(void *context, const struct db_deliveries *deliveries)
{
    struct business *business = context;
    struct request *request = business->request;
    struct json json;
    struct out out;

    reply_private(request);
    json_init(&json, &request->arena);
    out_init(&out, &request->arena);
    reply_list_open(&json);
    for (size_t i = 0; i < deliveries->count; i++) {
        const struct db_delivery *delivery = &deliveries->items[i];
        const char *type = webhook_message_type(delivery->kind);

        view_delivery(&json, delivery, type);
        out_add(&out, view_delivery_line(&request->arena, delivery, type));
    }
    if (request->form == FORM_TEXT)
        reply_text(request, 200, out.text);
    else
        reply_list_send(request, &json, NULL);
}

static void read_deliveries(struct business *business)
{
    struct request *request = business->request;

    db_get_deliveries(db_of(request), request->player->id, business->id,
                      ASK(deliveries, request, show_deliveries, business));
}

static void webhooks_deliveries(struct request *request, db_id id)
{
    begin_webhook(request, id, read_deliveries);
}

/* ---- requests ---- */

/* ---- bodies ---- */

static void take_url(struct request *request, struct json_fields *fields, const char **url)
{
    char host[HTTP_CLIENT_HOST_TEXT];
    const char *fault;

    if (!json_take_string(fields, "url", HTTP_CLIENT_URL_MAX, url))
        return;
    fault = http_client_url_fault(*url, request->loop->config->webhooks_private == 1, host);
    if (fault != NULL)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "url", fault);
    *url = body_keep(fields, *url);
}

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
    wish->has_events = wanted_events_take(&fields, &wish->events);
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
        receivers_delete_mine(request, id, HOOK_WEB);
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
