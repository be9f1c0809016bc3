/*
 * players.c - players: becoming one, looking at one, finding one, changing oneself, leaving.
 *
 * Take another name, replace their token, leave (change.h). Their games learn of it by a promise
 * that is stored with it (player_games.c).
 *
 * A new token follows from the Idempotency-Key and the old token, as that of a seat does
 * (games/seat_token.c). It takes the place of the one that asks, with its name and its age. A
 * player who asks by an account (accounts.h) needs none of plyd's, and so gets none: a token that
 * lives for minutes must not be worth one that lives for good.
 */
#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/people/change.h"
#include "api/endpoints/people/my_tokens.h"
#include "api/game/ids.h"
#include "api/game/name.h"
#include "api/game/profile.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/accounts.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/idempotency.h"
#include "api/live/players.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/stream/token_holders.h"
#include "api/text/arena.h"
#include "api/text/chars.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "api/view/player.h"
#include "db/db.h"

/* Answers with a player, as they see themselves; `token` NULL: without one. */
static void profile_show(struct request *request, const struct db_player *player, const char *token)
{
    struct arena *arena = &request->arena;

    reply_private(request);
    reply_made(request, 200,
               request->form == FORM_TEXT ? view_player_text(arena, player, token)
                                          : view_player_json(arena, player, true, token));
}

/* ---- a name, and what else one shows of oneself ---- */

struct renaming {
    struct change change; /* first */
    const char *name;     /* NULL: the same */
    bool has_findable, findable;
    const char *about, *picture; /* "": none from now on; NULL: the same */
};

/* "" is none, and stored as that. */
static void set_text(const char **text, const char *wanted)
{
    if (wanted != NULL)
        *text = *wanted == '\0' ? NULL : wanted;
}

static bool set_name(struct change *change)
{
    const struct renaming *renaming = (struct renaming *)change;

    if (change_asker(change) == TOKENS_NOBODY)
        return false;
    if (renaming->has_findable)
        change->player.unfound = !renaming->findable;
    set_text(&change->player.about, renaming->about);
    set_text(&change->player.picture, renaming->picture);
    if (renaming->name == NULL)
        return true;
    change->player.name = renaming->name;
    change->due = DUE_PLAYER;
    return true;
}

static void answer_renamed(struct change *change)
{
    change->request->made = ((struct renaming *)change)->name != NULL;
    profile_show(change->request, &change->player, NULL);
}

/* All games of the player will have an event of another name, so that is counted like making one.
 */
static void profile_change(struct renaming *renaming)
{
    struct request *request = renaming->change.request;

    if (renaming->name == NULL || admission_may_make(request))
        change_player(&renaming->change, request->player->id);
}

/* ---- a token ---- */

enum { KEPT_MAX = DB_TOKENS_MAX + 3 };

/* What is kept of that which would end with the token. */
struct kept {
    bool own, account, hooks;
    size_t count;
    const char *ids[KEPT_MAX]; /* of named tokens */
};

struct replacing {
    struct change change; /* first */
    struct kept keeps;
    bool ends_seats; /* with the token those of their seats end */
    char token[AUTH_PLAYER_TOKEN_TEXT];
    uint8_t hash[DB_HASH_BYTES]; /* of the new one */
};

static bool is_kept(const struct kept *keeps, const uint8_t hash[DB_HASH_BYTES])
{
    char id[TOKENS_ID_TEXT];

    tokens_id(hash, id);
    for (size_t i = 0; i < keeps->count; i++)
        if (strcmp(keeps->ids[i], id) == 0)
            return true;
    return false;
}

/* Whether all that is kept by an id is there: whoever keeps what has another id by now would end
 * it. False: the request was answered. */
static bool knows_kept(const struct change *change, const struct kept *keeps)
{
    for (size_t i = 0; i < keeps->count; i++)
        if (tokens_find_id(change->had, keeps->ids[i]) == TOKENS_NOBODY) {
            reply_problem_at(change->request, PROBLEM_BAD_PARAMETER, "/keep",
                             arena_format(&change->request->arena,
                                          "No token has the id %s: GET /v1/me/tokens lists them.",
                                          keeps->ids[i]));
            return false;
        }
    return true;
}

/* Ends whatever is not kept and is not the one that asks. False: that one is too young, and the
 * request was answered. */
static bool end_others(struct replacing *replacing, int asker)
{
    struct change *change = &replacing->change;
    const struct kept *keeps = &replacing->keeps;
    const struct db_player *had = change->had;

    if (had->joined.is && !keeps->account && !change_may_end(change, asker, TOKENS_ACCOUNT))
        return false;
    if (asker != TOKENS_OWN && tokens_have_own(had) && !keeps->own &&
        !change_may_end(change, asker, TOKENS_OWN))
        return false;
    for (int i = 0; i < (int)had->ntokens; i++)
        if (i != asker && !is_kept(keeps, had->tokens[i]) && !change_may_end(change, asker, i))
            return false;
    for (int i = (int)had->ntokens - 1; i >= 0; i--)
        if (i != asker && !is_kept(keeps, had->tokens[i]))
            change_end_token(change, i);
    if (asker != TOKENS_OWN && !keeps->own)
        change_end_own(change);
    if (!keeps->account)
        change_end_account(change);
    return true;
}

/* The new one stands where the old one did, and what that has made to hear of games is its own. */
static void put_token(struct replacing *replacing, int asker)
{
    struct change *change = &replacing->change;
    struct db_player *player = &change->player;
    int place = asker == TOKENS_OWN ? TOKENS_OWN : tokens_find(player, change->had->tokens[asker]);

    uint8_t *hash = place == TOKENS_OWN ? player->token : player->tokens[place];

    memcpy(change->ended, hash, DB_HASH_BYTES);
    memcpy(change->become, replacing->hash, DB_HASH_BYTES);
    memcpy(hash, replacing->hash, DB_HASH_BYTES);
    change->has_ended = change->has_become = true;
    player->has_handover = false;
}

/* A request that is repeated comes with a token that is not known any more, and the new one is
 * there. */
static bool set_token(struct change *change)
{
    struct replacing *replacing = (struct replacing *)change;
    int asker;

    if (tokens_find(change->had, replacing->hash) != TOKENS_NOBODY) {
        reply_replayed(change->request);
        change->answer(change);
        return false;
    }
    asker = change_asker(change);
    if (asker == TOKENS_NOBODY || !knows_kept(change, &replacing->keeps) ||
        !end_others(replacing, asker))
        return false;
    put_token(replacing, asker);
    change->ends_hooks = !replacing->keeps.hooks;
    change->due = replacing->ends_seats ? DUE_SEATS : 0;
    return true;
}

static void answer_replaced(struct change *change)
{
    profile_show(change->request, &change->player, ((const struct replacing *)change)->token);
}

/* The player is found by the token's text, since that may have been replaced by this very request.
 */
static void profile_replace_token(struct replacing *replacing)
{
    struct request *request = replacing->change.request;
    const char *token = request_token(request);
    uint8_t random[AUTH_RANDOM_BYTES];
    struct idempotency *key;
    db_id player;

    if (request->account != NULL) {
        reply_problem(request, PROBLEM_ACCOUNT_TOKEN, NULL);
        return;
    }
    if (!idempotency_read_long(request, &key))
        return;
    if (token == NULL || !auth_player_of(token, &player)) {
        auth_require_player(request);
        return;
    }
    if (key == NULL) {
        reply_problem_at(request, PROBLEM_IDEMPOTENCY_KEY_MISSING, "Idempotency-Key", NULL);
        return;
    }
    idempotency_derive(key, random, sizeof(random));
    auth_player_token_of(player, random, replacing->token, replacing->hash);
    change_player(&replacing->change, player);
}

/* ---- leaving ---- */

static bool set_left(struct change *change)
{
    struct db_player *player = &change->player;
    int asker = change_asker(change);

    if (asker == TOKENS_NOBODY || !change_may_end_all(change, asker))
        return false;
    player->name = "";
    player->about = player->picture = NULL;
    player->left_at = change->now;
    change_end_account(change);
    memset(player->token, 0, DB_HASH_BYTES);
    player->ntokens = 0;
    player->has_handover = false;
    change->due = DUE_PLAYER;
    return true;
}

static void answer_left(struct change *change)
{
    reply_empty(change->request, 204);
}

static void profile_leave(struct request *request)
{
    struct change *change = arena_zero(&request->arena, sizeof(*change));

    if (!auth_require_player(request))
        return;
    *change = (struct change){.request = request, .alter = set_left, .answer = answer_left};
    change_player(change, request->player->id);
}

/* ---- becoming a player ---- */

struct enrolment {
    struct request *request;
    struct idempotency *idempotency;
    struct db_player player;
    struct db_create_player create;
    const char *document;
};

static void enrolled(void *context, const struct db_reply *reply)
{
    struct enrolment *enrolment = context;
    struct request *request = enrolment->request;

    /* As with games (create.c): the id follows from the key, which was used before. */
    if (reply->outcome == DB_CONFLICT) {
        idempotency_repeat(enrolment->idempotency, enrolment->player.id);
        return;
    }
    request->made = true;
    reply_header(request, "Location", view_player_url(&request->arena, enrolment->player.id));
    reply_made(request, 201, enrolment->document);
}

/* Makes the player, whose name is known. */
static void enrol(struct enrolment *enrolment)
{
    struct request *request = enrolment->request;
    struct arena *arena = &request->arena;
    struct db_player *player = &enrolment->player;
    char token[AUTH_PLAYER_TOKEN_TEXT];

    player->left_at = DB_NEVER;
    player->id = enrolment->idempotency == NULL
                     ? ids_new(db_now(db_of(request)))
                     : idempotency_made_id(enrolment->idempotency, "player");
    player->created_at = db_now(db_of(request));
    auth_new_player_token(player->id, token, player->token);
    enrolment->document = request->form == FORM_TEXT ? view_player_text(arena, player, token)
                                                     : view_player_json(arena, player, true, token);
    enrolment->create.player = player;
    enrolment->create.answer =
        idempotency_seal(request, enrolment->idempotency, 201, "",
                         view_player_url(arena, player->id), enrolment->document);
    db_create_player(db_of(request), &enrolment->create,
                     ASK_ALSO(done, request, enrolment->idempotency == NULL ? 0 : ASK_CONFLICT,
                              enrolled, enrolment));
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

static void show_player(struct request *request, const struct db_player *player)
{
    struct arena *arena = &request->arena;

    reply_private(request);
    reply_made(request, 200,
               request->form == FORM_TEXT ? view_player_text(arena, player, NULL)
                                          : view_player_json(arena, player, false, NULL));
}

/* Players who have left are as if they had never been. */
static void show_found(void *context, const struct db_reply *reply, const struct db_player *player)
{
    struct request *request = context;

    if (reply->outcome == DB_NOT_FOUND || player->left_at != DB_NEVER)
        reply_problem(request, PROBLEM_NO_SUCH_PLAYER, NULL);
    else
        show_player(request, player);
}

void handle_player(struct request *request)
{
    db_id id;

    if (!input_no_query(request))
        return;
    if (ids_read(request->param[0], &id))
        db_get_player(db_of(request), id,
                      ASK_ALSO(player, request, ASK_MISSING, show_found, request));
    else
        reply_problem(request, PROBLEM_NO_SUCH_PLAYER, NULL);
}

/* ---- finding ---- */

enum { FIND_LEAST = 2 /* characters */, FIND_MOST = 64, FOUND_MAX = 20 };

static void show_all_found(void *context, const struct db_found *found)
{
    struct request *request = context;
    struct arena *arena = &request->arena;
    struct json json;
    struct out out;

    reply_private(request);
    json_init(&json, arena);
    out_init(&out, arena);
    reply_list_open(&json);
    for (size_t i = 0; i < found->count; i++) {
        const struct db_player player = {.id = found->items[i].id,
                                         .name = found->items[i].name,
                                         .created_at = found->items[i].created_at,
                                         .about = found->items[i].about,
                                         .picture = found->items[i].picture};
        char id[IDS_TEXT];

        ids_text(player.id, id);
        out_format(&out, "%s  %s\n", id, player.name);
        json_raw(&json, view_player_json(arena, &player, false, NULL));
    }
    if (request->form == FORM_TEXT)
        reply_text(request, 200, out.text);
    else
        reply_list_send(request, &json, NULL);
}

void handle_find_players(struct request *request)
{
    static const char *const known[] = {"name", NULL};
    const char *name;
    size_t count;

    if (!auth_require_player(request) || !query_ok(request, known))
        return;
    name = query_text(request, "name");
    count = name == NULL ? 0 : chars_count(name);
    if (count < FIND_LEAST || count > FIND_MOST || name_unfit(name) != 0)
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "?name",
                         "The beginning of a name is expected, from 2 to 64 characters.");
    else
        db_find_players(db_of(request), name, FOUND_MAX,
                        ASK(found, request, show_all_found, request));
}

/* ---- oneself ---- */

void handle_me(struct request *request)
{
    const struct player *player = request->player;

    if (input_no_query(request) && auth_require_player(request))
        profile_show(request,
                     &(struct db_player){.id = player->id,
                                         .name = player->name,
                                         .created_at = player->created_at,
                                         .unfound = player->unfound,
                                         .about = player->about,
                                         .picture = player->picture,
                                         .joined = player->joined},
                     NULL);
}

/* Takes the line about oneself, and the address of a picture. */
static void take_profile(struct json_fields *fields, struct renaming *renaming)
{
    const char *text, *fault;

    if (json_take_string(fields, "about", REQUEST_BODY_MAX, &text)) {
        renaming->about = name_trim(fields->arena, text);
        fault = profile_about_fault(fields->arena, renaming->about);
        if (fault != NULL)
            json_refuse(fields, PROBLEM_BAD_PARAMETER, "about", fault);
    }
    if (json_take_string(fields, "picture", REQUEST_BODY_MAX, &text)) {
        renaming->picture = name_trim(fields->arena, text);
        fault = profile_picture_fault(renaming->picture);
        if (fault != NULL)
            json_refuse(fields, PROBLEM_BAD_PARAMETER, "picture", fault);
    }
}

void handle_change_me(struct request *request)
{
    struct renaming *renaming = arena_zero(&request->arena, sizeof(*renaming));
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;

    renaming->change =
        (struct change){.request = request, .alter = set_name, .answer = answer_renamed};
    if (!input_no_query(request) || !auth_require_player(request))
        return;
    body = body_read(request, NULL);
    if (body == NULL)
        return;
    json_fields(&fields, &request->arena, body, &error);
    renaming->has_findable = json_take_bool(&fields, "findable", &renaming->findable);
    take_profile(&fields, renaming);
    if (!input_name(&fields, true, &renaming->name) && !renaming->has_findable &&
        renaming->about == NULL && renaming->picture == NULL)
        json_missing(&fields, "name",
                     "Something to change is expected: name, findable, about or picture. \"\" "
                     "takes one of the last two off.");
    if (body_done(request, body, &fields))
        profile_change(renaming);
}

/* What is kept by its name, of those that would end with the token. */
static void keep_named(struct kept *keeps, const char *name)
{
    if (strcmp(name, MY_TOKENS_ACCOUNT) == 0)
        keeps->account = true;
    else if (strcmp(name, MY_TOKENS_TOKEN) == 0)
        keeps->own = true;
    else if (strcmp(name, "webhooks") == 0)
        keeps->hooks = true;
    else
        keeps->ids[keeps->count++] = name;
}

static void take_kept(struct json_fields *fields, struct kept *keeps)
{
    const char *const *names;
    size_t count;

    if (!json_take_words(fields, "keep", KEPT_MAX, &names, &count))
        return;
    for (size_t i = 0; i < count; i++) {
        if (!my_tokens_is_id(names[i]) && strcmp(names[i], "webhooks") != 0)
            json_refuse(fields, PROBLEM_BAD_PARAMETER, "keep",
                        "A list of what is kept is expected: ids of GET /v1/me/tokens, and "
                        "\"webhooks\".");
        keep_named(keeps, names[i]);
    }
}

void handle_replace_my_token(struct request *request)
{
    struct replacing *replacing = arena_zero(&request->arena, sizeof(*replacing));
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;

    replacing->change =
        (struct change){.request = request, .alter = set_token, .answer = answer_replaced};
    if (!input_no_query(request))
        return;
    body = body_read(request, NULL);
    if (body == NULL)
        return;
    json_fields(&fields, &request->arena, body, &error);
    json_take_bool(&fields, "seats", &replacing->ends_seats);
    take_kept(&fields, &replacing->keeps);
    if (body_done(request, body, &fields))
        profile_replace_token(replacing);
}

void handle_leave(struct request *request)
{
    if (input_no_query(request))
        profile_leave(request);
}
