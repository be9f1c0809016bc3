/*
 * mail.c - the address to which a player's mails go: named by the player, confirmed and ended by
 * whoever reads the mails.
 *
 * A player has one, which is a receiver like a webhook; its id follows from the player. What is
 * sent, and when, is the business of hooks/.
 */
#include <sodium.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/people/mail_asks.h"
#include "api/endpoints/people/receivers.h"
#include "api/endpoints/people/wishes.h"
#include "api/game/words.h"
#include "api/hooks/mail.h"
#include "api/hooks/mail_code.h"
#include "api/hooks/mail_message.h"
#include "api/hooks/mail_server.h"
#include "api/http/body.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/view/player.h"
#include "db/hooks.h"

static db_id mail_id(const db_id *player)
{
    static const unsigned char label[] = "plyd mail";
    db_id id;

    crypto_generichash(id.byte, sizeof(id.byte), player->byte, sizeof(player->byte), label,
                       sizeof(label) - 1);
    return id;
}

static const struct db_hook *find_mail(const struct db_hooks *hooks)
{
    for (size_t i = 0; i < hooks->count; i++)
        if (hooks->items[i].kind == HOOK_MAIL)
            return &hooks->items[i];
    return NULL;
}

static const char *address_of(const struct db_hook *hook)
{
    return hook->url + strlen(MAIL_SCHEME);
}

static void show_mail(struct request *request, const struct db_hook *hook)
{
    struct json json;

    reply_private(request);
    json_init(&json, &request->arena);
    view_mail(&json, hook, address_of(hook));
    reply_json(request, 200, &json);
}

/* ---- naming one ---- */

struct naming {
    struct request *request;
    struct db_hook hook;
    struct db_hook_write write;
    struct db_due looks, marks;
    bool is_new;
};

/* The address is the player's alone to read: so it is not repeated where it is refused. */
static bool read_mail(struct request *request, struct db_hook *hook)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *body = body_read(request, NULL);
    struct json_fields fields;
    const char *address = NULL, *fault;

    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    if (json_take_string(&fields, "address", MAIL_ADDRESS_MAX, &address)) {
        fault = mail_address_fault(address);
        if (fault != NULL)
            json_refuse(&fields, PROBLEM_BAD_PARAMETER, "address", fault);
        hook->url = arena_format(&request->arena, MAIL_SCHEME "%s", address);
    } else {
        json_missing(&fields, "address", "An address such as ada@example.org is expected.");
    }
    wishes_take(&fields, hook, db_now(db_of(request)));
    return body_done(request, body, &fields);
}

/* Nothing else refuses it: a player has one, which is made or set. */
static void named(void *context, const struct db_reply *reply)
{
    struct naming *naming = context;
    struct request *request = naming->request;

    if (reply->outcome == DB_CONFLICT) {
        players_refuse_old(request);
        return;
    }
    request->made = naming->hook.test_at != DB_NEVER;
    if (naming->is_new)
        players_forget(request->loop, request->player->id);
    if (due_of(request->loop) != NULL)
        due_soon(due_of(request->loop));
    show_mail(request, &naming->hook);
}

/* The games of a new one must learn of it. */
static void write_mail(struct naming *naming)
{
    struct request *request = naming->request;
    struct db *db = db_of(request);
    int64_t now = db_now(db);

    naming->looks = (struct db_due){request->player->id, DUE_HOOKS, now};
    naming->marks = (struct db_due){request->player->id, DUE_MARKS, now};
    naming->write = (struct db_hook_write){.player = request->player->id,
                                           .hook = &naming->hook,
                                           .token = players_stored_token(request),
                                           .made_by = request->player->token,
                                           .due = &naming->looks,
                                           .also = naming->is_new ? &naming->marks : NULL};
    db_subscribe(db, &naming->write, ASK_ALSO(done, request, ASK_CONFLICT, named, naming));
}

static void ask_to_confirm(void *context)
{
    struct naming *naming = context;

    naming->hook.created_at = naming->hook.test_at = db_now(db_of(naming->request));
    write_mail(naming);
}

static void take_mail_place(struct naming *naming)
{
    struct request *request = naming->request;
    const struct db_hook *hook = &naming->hook;
    db_id address = mail_address_id(&request->arena, address_of(hook));
    struct mail_code ends =
        mail_code_make(request->player->id, address, hook->secret, MAIL_ENDS, DB_NEVER);

    mail_asks_take(request, &ends, ask_to_confirm, naming);
}

/* Each mail to somebody who may not have asked for it is counted like making a game, and bounded.
 * One that is about to be sent is enough. */
static void know_mail(void *context, const struct db_hooks *hooks)
{
    struct naming *naming = context;
    struct request *request = naming->request;
    struct db_hook *hook = &naming->hook;
    const struct db_hook *found = find_mail(hooks);
    bool is_same = found != NULL && strcmp(found->url, hook->url) == 0;

    naming->is_new = found == NULL;
    if (is_same) {
        hook->created_at = found->created_at;
        hook->confirmed_at = found->confirmed_at;
        memcpy(hook->secret, found->secret, sizeof(hook->secret)); /* it stays */
    }
    if (!is_same || (found->confirmed_at == DB_NEVER && found->test_at == DB_NEVER)) {
        if (admission_may_make(request))
            take_mail_place(naming);
    } else if (wishes_are(found, hook) && found->failures == 0) {
        show_mail(request, hook);
    } else {
        write_mail(naming);
    }
}

void handle_put_mail(struct request *request)
{
    struct naming *naming;

    if (!input_no_query(request) || !auth_require_player(request))
        return;
    if (mail_server() == NULL) {
        reply_problem(request, PROBLEM_NO_MAIL, NULL);
        return;
    }
    naming = arena_zero(&request->arena, sizeof(*naming));
    naming->request = request;
    naming->hook = (struct db_hook){.kind = HOOK_MAIL,
                                    .id = mail_id(&request->player->id),
                                    .old_until = DB_NEVER,
                                    .failing_since = DB_NEVER,
                                    .retry_at = DB_NEVER,
                                    .test_at = DB_NEVER,
                                    .confirmed_at = DB_NEVER};
    randombytes_buf(naming->hook.secret, sizeof(naming->hook.secret));
    if (read_mail(request, &naming->hook))
        db_get_hooks(db_of(request), request->player->id, ASK(hooks, request, know_mail, naming));
}

/* ---- looking, and deleting ---- */

static void know_shown_mail(void *context, const struct db_hooks *hooks)
{
    struct request *request = context;
    const struct db_hook *found = find_mail(hooks);

    if (found != NULL)
        show_mail(request, found);
    else
        reply_problem(request, mail_server() == NULL ? PROBLEM_NO_MAIL : PROBLEM_NO_SUCH_MAIL,
                      NULL);
}

void handle_mail(struct request *request)
{
    if (input_no_query(request) && auth_require_player(request))
        db_get_hooks(db_of(request), request->player->id,
                     ASK(hooks, request, know_shown_mail, request));
}

void handle_delete_mail(struct request *request)
{
    if (input_no_query(request) && auth_require_player(request))
        receivers_delete_mine(request, mail_id(&request->player->id), HOOK_MAIL);
}

/* ---- codes ---- */

struct using_code {
    struct request *request;
    struct mail_code code;
    struct db_hook hook;
    struct db_confirmation confirmation;
    struct db_due due;
};

static void refuse_code(struct request *request)
{
    reply_problem(request, PROBLEM_NO_SUCH_CODE, NULL);
}

static const char *code_of_body(struct request *request)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *body = body_read(request, NULL);
    struct json_fields fields;
    const char *text = NULL;

    if (body == NULL)
        return NULL;
    json_fields(&fields, &request->arena, body, &error);
    if (!json_take_string(&fields, "code", 2 * MAIL_CODE_TEXT, &text))
        json_missing(&fields, "code", "The code of a mail is expected.");
    text = body_keep(&fields, text);
    return body_done(request, body, &fields) ? text : NULL;
}

/* `text` NULL: the request was answered. */
static void use_code(struct request *request, const char *text,
                     void (*then)(void *context, const struct db_hooks *hooks))
{
    struct using_code *using = arena_zero(&request->arena, sizeof(*using));

    using->request = request;
    if (text == NULL)
        return;
    if (mail_code_read(text, &using->code))
        db_get_hooks(db_of(request), using->code.player, ASK(hooks, request, then, using));
    else
        refuse_code(request);
}

/* The address that a code is about, which is kept. False: it is another one, or the code is not
 * good for that. */
static bool know_code(struct using_code *using, const struct db_hook *found,
                      enum mail_purpose purpose)
{
    struct request *request = using->request;

    if (found == NULL ||
        !mail_code_fits(&using->code, found->secret, purpose, db_now(db_of(request))))
        return false;
    using->hook = *found;
    using->hook.url = arena_copy(&request->arena, found->url, strlen(found->url));
    return true;
}

static void confirmed(void *context, const struct db_reply *reply)
{
    const struct using_code *using = context;
    struct request *request = using->request;

    if (reply->outcome == DB_NOT_FOUND) {
        refuse_code(request);
        return;
    }
    if (due_of(request->loop) != NULL)
        due_soon(due_of(request->loop));
    reply_empty(request, 204);
}

static void know_confirming(void *context, const struct db_hooks *hooks)
{
    struct using_code *using = context;
    struct request *request = using->request;
    int64_t now = db_now(db_of(request));

    if (!know_code(using, find_mail(hooks), MAIL_CONFIRMS)) {
        refuse_code(request);
        return;
    }
    using->due = (struct db_due){using->code.player, DUE_HOOKS, now};
    using->confirmation = (struct db_confirmation){.player = using->code.player,
                                                   .hook = using->hook.id,
                                                   .secret = using->hook.secret,
                                                   .at = now,
                                                   .due = &using->due};
    db_confirm_hook(db_of(request), &using->confirmation,
                    ASK_ALSO(done, request, ASK_MISSING, confirmed, using));
}

void handle_confirm_mail(struct request *request)
{
    if (input_no_query(request))
        use_code(request, code_of_body(request), know_confirming);
}

static void used_address_rests(void *context)
{
    const struct using_code *using = context;

    receivers_delete(using->request, &(struct db_hook_end){.player = using->code.player,
                                                           .hook = using->hook.id,
                                                           .kind = HOOK_MAIL,
                                                           .url = using->hook.url});
}

static void other_address_rests(void *context)
{
    const struct using_code *using = context;

    reply_empty(using->request, 204);
}

static void know_other_address(void *context)
{
    struct using_code *using = context;

    mail_asks_rest(using->request, using->code.address, other_address_rests, using);
}

/* It may be a code of an address that the player has named before. */
static void know_ending(void *context, const struct db_hooks *hooks)
{
    struct using_code *using = context;
    const struct db_hook *found = find_mail(hooks);

    if (know_code(using, found, MAIL_ENDS))
        mail_asks_rest(using->request, using->code.address, used_address_rests, using);
    else
        mail_asks_know(using->request, &using->code, know_other_address, using);
}

/* What a mail program sends beside the code says no more than that (RFC 8058), in whatever form. */
void handle_end_mail(struct request *request)
{
    static const char *const known[] = {"code", NULL};
    const char *text;

    if (!query_ok(request, known))
        return;
    text = query_text(request, "code");
    use_code(request, text != NULL ? text : code_of_body(request), know_ending);
}
