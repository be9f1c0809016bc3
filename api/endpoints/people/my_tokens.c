#include "api/endpoints/people/my_tokens.h"

#include <sodium.h>
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/game/ids.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/page.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/live/idempotency.h"
#include "api/live/players.h"
#include "api/live/token_use.h"
#include "api/live/tokens.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/out.h"

/* ---- the list ---- */

/* One of them, as it is shown. */
struct shown {
    char id[TOKENS_ID_TEXT];
    const char *kind, *name, *origin;
    int64_t since, used_day;
    bool yours, is_youngest; /* that acts */
};

struct listing {
    struct request *request;
    const struct db_player *player;
    struct tokens tokens;
    int asker;
};

static void describe_own(const struct listing *listing, struct shown *shown)
{
    const struct db_player *player = listing->player;

    strcpy(shown->id, MY_TOKENS_TOKEN);
    shown->since = player->token_at == DB_NEVER ? player->created_at : player->token_at;
    shown->used_day = listing->tokens.own_used_day;
}

static void describe_account(const struct listing *listing, struct shown *shown)
{
    const struct db_joined *joined = &listing->player->joined;

    strcpy(shown->id, MY_TOKENS_ACCOUNT);
    shown->kind = MY_TOKENS_ACCOUNT;
    shown->since = joined->at;
    shown->origin = joined->origin;
    shown->used_day = listing->tokens.account_used_day;
}

static void describe_named(const struct listing *listing, int which, struct shown *shown)
{
    const struct tokens_item *item = &listing->tokens.item[which];

    tokens_id(listing->player->tokens[which], shown->id);
    shown->kind = item->reads ? MY_TOKENS_READER : MY_TOKENS_TOKEN;
    shown->name = item->name;
    shown->since = item->at;
    shown->origin = item->origin;
    shown->used_day = item->used_day;
}

static struct shown describe(const struct listing *listing, int which)
{
    const struct db_player *player = listing->player;
    struct shown shown = {.kind = MY_TOKENS_TOKEN, .yours = which == listing->asker};

    if (which == TOKENS_OWN)
        describe_own(listing, &shown);
    else if (which == TOKENS_ACCOUNT)
        describe_account(listing, &shown);
    else
        describe_named(listing, which, &shown);
    shown.is_youngest = strcmp(shown.kind, MY_TOKENS_READER) != 0 &&
                        tokens_too_young_for_all(player, &listing->tokens, which,
                                                 tokens_since(player, &listing->tokens, which));
    return shown;
}

/* The times of use are days. When it may end what is older is said while there is something. */
static void view_shown(struct json *json, const struct shown *shown)
{
    json_member(json, "id", shown->id);
    json_member(json, "kind", shown->kind);
    if (shown->name != NULL)
        json_member(json, "name", shown->name);
    json_member_time(json, "since_at", shown->since);
    if (shown->used_day > 0)
        json_member_time(json, "used_at", shown->used_day * TOKEN_USE_DAY_US);
    if (shown->origin != NULL)
        json_member(json, "from", shown->origin);
    if (shown->is_youngest)
        json_member_time(json, "may_end_token_at", shown->since + TOKENS_YOUNG_US);
    json_member_bool(json, "yours", shown->yours);
}

/* Calls `show` for each, the own token first and the account last. */
static void each_shown(const struct listing *listing,
                       void (*show)(void *context, const struct shown *shown), void *context)
{
    struct shown shown;

    if (tokens_have_own(listing->player)) {
        shown = describe(listing, TOKENS_OWN);
        show(context, &shown);
    }
    for (int i = 0; i < (int)listing->player->ntokens; i++) {
        shown = describe(listing, i);
        show(context, &shown);
    }
    if (listing->player->joined.is) {
        shown = describe(listing, TOKENS_ACCOUNT);
        show(context, &shown);
    }
}

static void show_item(void *context, const struct shown *shown)
{
    struct json *json = context;

    json_open(json, '{');
    view_shown(json, shown);
    json_close(json, '}');
}

static void show_line(void *context, const struct shown *shown)
{
    struct out *out = context;

    out_format(out, "%-26s  since %s", shown->id, json_time_text(out->arena, shown->since));
    if (shown->used_day > 0)
        out_format(out, ", used on %.10s",
                   json_time_text(out->arena, shown->used_day * TOKEN_USE_DAY_US));
    if (shown->origin != NULL)
        out_format(out, ", from %s", shown->origin);
    if (shown->name != NULL)
        out_format(out, "  %s", shown->name);
    out_add(out, "\n");
}

static void show_my_tokens(void *context, const struct db_player *player)
{
    struct listing *listing = context;
    struct request *request = listing->request;
    struct json json;
    struct out out;

    listing->player = player;
    listing->asker =
        request->account != NULL ? TOKENS_ACCOUNT : tokens_find(player, request->player->token);
    tokens_read(&request->arena, player, &listing->tokens);
    reply_private(request);
    if (request->form == FORM_TEXT) {
        out_init(&out, &request->arena);
        each_shown(listing, show_line, &out);
        reply_text(request, 200, out.text);
    } else {
        json_init(&json, &request->arena);
        reply_list_open(&json);
        each_shown(listing, show_item, &json);
        reply_list_send(request, &json, NULL);
    }
}

void handle_my_tokens(struct request *request)
{
    struct listing *listing = arena_zero(&request->arena, sizeof(*listing));

    listing->request = request;
    if (input_no_query(request) && auth_require_player(request))
        db_get_player(db_of(request), request->player->id,
                      ASK(player, request, show_my_tokens, listing));
}

/* ---- making one ---- */

const char *my_tokens_origin(struct request *request)
{
    struct quota_address address;
    const uint8_t *byte = address.bytes;

    if (!admission_client(request, &address))
        return NULL;
    if (address.len == 4)
        return arena_format(&request->arena, "%u.%u.%u.0/24", byte[0], byte[1], byte[2]);
    return arena_format(&request->arena, "%x:%x:%x::/48", byte[0] << 8 | byte[1],
                        byte[2] << 8 | byte[3], byte[4] << 8 | byte[5]);
}

void my_tokens_new(struct new_token *token, db_id player, const struct idempotency *key)
{
    uint8_t random[AUTH_RANDOM_BYTES];

    if (key != NULL)
        idempotency_derive(key, random, sizeof(random));
    else
        randombytes_buf(random, sizeof(random));
    if (token->reads)
        auth_reader_token_of(player, random, token->text, token->hash);
    else
        auth_player_token_of(player, random, token->text, token->hash);
}

bool my_tokens_add(struct change *change, const struct new_token *token)
{
    const struct tokens_item item = {.name = token->name,
                                     .origin = my_tokens_origin(change->request),
                                     .at = change->now,
                                     .reads = token->reads};

    if (tokens_find(change->had, token->hash) != TOKENS_NOBODY) {
        reply_replayed(change->request);
        change->answer(change);
        return false;
    }
    if (change->had->ntokens == DB_TOKENS_MAX) {
        reply_problem(change->request, PROBLEM_TOO_MANY_TOKENS, NULL);
        return false;
    }
    tokens_add(&change->player, &change->tokens, token->hash, &item);
    return true;
}

/* Where other programs find what they read with it. */
static void view_readers_links(struct json *json, struct request *request, const char *token)
{
    static const char *const paths[][2] = {{"deadlines", "/v1/me/deadlines.ics"},
                                           {"news", "/v1/me/games.atom"}};

    json_key(json, "links");
    json_open(json, '{');
    for (size_t i = 0; i < 2; i++)
        json_member(
            json, paths[i][0],
            page_url(request, arena_format(&request->arena, "%s?key=%s", paths[i][1], token)));
    json_close(json, '}');
}

void my_tokens_answer(struct change *change, const struct new_token *token)
{
    struct request *request = change->request;
    struct listing listing = {.request = request,
                              .player = &change->player,
                              .tokens = change->tokens,
                              .asker = TOKENS_NOBODY};
    struct shown shown = describe(&listing, tokens_find(&change->player, token->hash));
    struct json json;

    reply_header(request, "Cache-Control", "no-store");
    if (request->form == FORM_TEXT) {
        reply_text(request, 201, arena_format(&request->arena, "%s\n", token->text));
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    view_shown(&json, &shown);
    json_member(&json, "token", token->text);
    if (token->reads)
        view_readers_links(&json, request, token->text);
    json_finish(&json);
    reply_json(request, 201, &json);
}

struct making {
    struct change change; /* first */
    struct new_token token;
};

static bool add_made(struct change *change)
{
    return change_asker(change) != TOKENS_NOBODY &&
           my_tokens_add(change, &((struct making *)change)->token);
}

static void answer_made(struct change *change)
{
    my_tokens_answer(change, &((const struct making *)change)->token);
}

/* The key protects the new token from whoever has the old one, and so must be long. */
static void make_token(struct making *making)
{
    struct request *request = making->change.request;
    struct idempotency *key;

    if (!idempotency_read_long(request, &key))
        return;
    my_tokens_new(&making->token, request->player->id, key);
    change_player(&making->change, request->player->id);
}

/* Reads what it is to be. */
static void take_kind(struct json_fields *fields, bool *reads)
{
    const char *kind;

    if (!json_take_string(fields, "kind", REQUEST_BODY_MAX, &kind))
        return;
    *reads = strcmp(kind, MY_TOKENS_READER) == 0;
    if (!*reads && strcmp(kind, MY_TOKENS_TOKEN) != 0)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "kind", "One of token, reader is expected.");
}

/* Reads {"name": ...}, and {"kind": ...} unless `reads` is NULL. False: the request was answered.
 */
static bool read_token_name(struct request *request, const char **name, bool *reads)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *body = body_read(request, NULL);
    struct json_fields fields;

    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    if (!input_name(&fields, true, name))
        json_missing(&fields, "name", "A name is expected, such as \"this phone\".");
    if (reads != NULL)
        take_kind(&fields, reads);
    return body_done(request, body, &fields);
}

void handle_make_my_token(struct request *request)
{
    struct making *making = arena_zero(&request->arena, sizeof(*making));

    making->change = (struct change){.request = request, .alter = add_made, .answer = answer_made};
    if (!input_no_query(request) || !auth_require_player(request))
        return;
    if (request->account != NULL)
        reply_problem(request, PROBLEM_ACCOUNT_TOKEN, NULL);
    else if (read_token_name(request, &making->token.name, &making->token.reads))
        make_token(making);
}

/* ---- calling it something else, ending it ---- */

struct picking {
    struct change change; /* first */
    const char *id, *name;
    int asker, which;
};

bool my_tokens_is_id(const char *id)
{
    db_id part;

    return strcmp(id, MY_TOKENS_TOKEN) == 0 || strcmp(id, MY_TOKENS_ACCOUNT) == 0 ||
           ids_read(id, &part);
}

/* What the address names; TOKENS_NOBODY: nothing that acts. */
static int pick(const struct picking *picking)
{
    const struct db_player *had = picking->change.had;

    if (strcmp(picking->id, MY_TOKENS_TOKEN) == 0)
        return tokens_have_own(had) ? TOKENS_OWN : TOKENS_NOBODY;
    if (strcmp(picking->id, MY_TOKENS_ACCOUNT) == 0)
        return had->joined.is ? TOKENS_ACCOUNT : TOKENS_NOBODY;
    return tokens_find_id(had, picking->id);
}

static void answer_nothing(struct change *change)
{
    reply_empty(change->request, 204);
}

/* Of what there is one, it is the same if there is none any more. */
static bool refuse_absent(struct picking *picking)
{
    struct request *request = picking->change.request;

    if (strcmp(picking->id, MY_TOKENS_TOKEN) == 0 || strcmp(picking->id, MY_TOKENS_ACCOUNT) == 0)
        answer_nothing(&picking->change);
    else
        reply_problem(request, PROBLEM_NO_SUCH_TOKEN, NULL);
    return false;
}

/* What it has made to hear of the player's games ends with it. */
static void end_picked(struct change *change, int which)
{
    change->ends_hooks = which == TOKENS_OWN;
    change->has_ended = which != TOKENS_OWN;
    if (which == TOKENS_OWN) {
        change_end_own(change);
    } else if (which == TOKENS_ACCOUNT) {
        auth_account_token(change->had, change->ended);
        change_end_account(change);
    } else {
        memcpy(change->ended, change->had->tokens[which], sizeof(change->ended));
        change_end_token(change, which);
    }
}

static bool acts(const struct change *change, int which)
{
    return which < 0 || !change->tokens.item[which].reads;
}

static bool end_it(struct change *change)
{
    struct picking *picking = (struct picking *)change;
    int asker = change_asker(change), which = pick(picking);

    if (asker == TOKENS_NOBODY)
        return false;
    if (which == TOKENS_NOBODY)
        return refuse_absent(picking);
    if (tokens_acting(change->had, &change->tokens) == 1 && acts(change, which)) {
        reply_problem(change->request, PROBLEM_LAST_TOKEN, NULL);
        return false;
    }
    if (!change_may_end(change, asker, which))
        return false;
    end_picked(change, which);
    return true;
}

static void end_named(struct request *request, const char *id)
{
    struct picking *picking = arena_zero(&request->arena, sizeof(*picking));

    picking->id = id;
    picking->change =
        (struct change){.request = request, .alter = end_it, .answer = answer_nothing};
    if (input_no_query(request) && auth_require_player(request))
        change_player(&picking->change, request->player->id);
}

void handle_end_token(struct request *request)
{
    end_named(request, request->param[0]);
}

void handle_end_my_token(struct request *request)
{
    end_named(request, MY_TOKENS_TOKEN);
}

static bool call_it(struct change *change)
{
    struct picking *picking = (struct picking *)change;

    picking->asker = change_asker(change);
    if (picking->asker == TOKENS_NOBODY)
        return false;
    picking->which = tokens_find_id(change->had, picking->id);
    if (picking->which == TOKENS_NOBODY) {
        reply_problem(change->request, PROBLEM_NO_SUCH_TOKEN, NULL);
        return false;
    }
    change->tokens.item[picking->which].name = picking->name;
    return true;
}

static void answer_called(struct change *change)
{
    const struct picking *picking = (const struct picking *)change;
    struct request *request = change->request;
    struct listing listing = {.request = request,
                              .player = &change->player,
                              .tokens = change->tokens,
                              .asker = picking->asker};
    struct shown shown;
    struct json json;

    shown = describe(&listing, picking->which);
    reply_private(request);
    if (request->form == FORM_TEXT) {
        struct out out;

        out_init(&out, &request->arena);
        show_line(&out, &shown);
        reply_text(request, 200, out.text);
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    view_shown(&json, &shown);
    json_finish(&json);
    reply_json(request, 200, &json);
}

void handle_name_token(struct request *request)
{
    struct picking *picking = arena_zero(&request->arena, sizeof(*picking));

    picking->id = request->param[0];
    picking->change =
        (struct change){.request = request, .alter = call_it, .answer = answer_called};
    if (input_no_query(request) && auth_require_player(request) &&
        read_token_name(request, &picking->name, NULL))
        change_player(&picking->change, request->player->id);
}
