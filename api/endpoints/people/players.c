/*
 * players.c - players: becoming one, looking at one, changing oneself, leaving.
 *
 * Take another name, replace their token, leave.
 *
 * The player is read from the database first, since the copy in memory may be old (players.h), and
 * the write is done only if their token is still the one of the request, and their account is if it
 * asks: of both, ended at once, one stays. Their games learn of it by a promise that is stored with
 * it (player_games.c).
 *
 * A new token follows from the Idempotency-Key and the old token, as that of a seat does
 * (games/seat_token.c). A player who asks by an account (accounts.h) needs none of plyd's, and so
 * gets none: a token that lives for minutes must not be worth one that lives for good. The one that
 * they may have ends.
 */
#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/people/my_tokens.h"
#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
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
#include "api/stream/bearers.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "api/view/player.h"
#include "db/db.h"

struct change {
    struct request *request;
    void (*alter)(struct change *change); /* sets what changes of `player` */
    void (*answer)(struct change *change);
    struct db_player player;
    uint8_t old_token[DB_HASH_BYTES];
    struct db_due due;
    const char *name; /* the new one */
    bool ends_seats;  /* with the token those of their seats end */
    bool ends;        /* the token that they have, or all of them */
    unsigned keeps;   /* what would end with the token: DB_KEEP_ACCOUNT, DB_KEEP_HOOKS */
    char token[AUTH_PLAYER_TOKEN_TEXT]; /* the new one; "": it stays */
    uint8_t random[AUTH_RANDOM_BYTES];
};

/* Answers with a player, as they see themselves; `token` NULL: without one. */
static void profile_show(struct request *request, const struct db_player *player, const char *token)
{
    struct arena *arena = &request->arena;

    reply_private(request);
    reply_made(request, 200,
               request->form == FORM_TEXT ? view_player_text(arena, player, token)
                                          : view_player_json(arena, player, true, token));
}

/* Whether a request is that of a player, who was read just now. */
static bool speaks_for(struct request *request, const struct db_player *player)
{
    struct auth_asker asker;

    auth_asker(request, &asker);
    return auth_asker_is(&asker, player, db_now(db_of(request)));
}

/* A thief of a player's token can join an account of their own to that player. It must not lock the
 * player out before they have had the time to see and to end it. */
static bool is_young(struct request *request, const struct db_player *player)
{
    uint8_t none[DB_HASH_BYTES];

    auth_no_token(player->id, none);
    return request->account != NULL && memcmp(player->token, none, DB_HASH_BYTES) != 0 &&
           db_now(db_of(request)) - player->joined.at < MY_TOKENS_YOUNG_US;
}

/* The player whose token it was has another one now, or has left. */
static void refuse_unknown_player(struct change *change)
{
    change->request->player = NULL;
    auth_require_player(change->request);
}

/* ---- reading and writing ---- */

static void read_own_player(struct change *change);

/* Somebody else was faster; the player is looked at anew. That ends, since a token changes but
 * once. */
static void player_written(void *context, const struct db_reply *reply)
{
    struct change *change = context;
    struct loop *loop = change->request->loop;

    players_forget(loop, change->player.id);
    bearers_check(bearers_of(loop), change->player.id);
    if (reply->outcome == DB_OK) {
        change->request->made = change->name != NULL;
        if (due_of(loop) != NULL)
            due_soon(due_of(loop));
        change->answer(change);
    } else if (reply->outcome == DB_CONFLICT) {
        read_own_player(change);
    } else {
        ask_failed(change->request, reply);
    }
}

static void write_own_player(struct change *change)
{
    struct db *db = db_of(change->request);
    struct db_player *player = &change->player;

    memcpy(change->old_token, player->token, DB_HASH_BYTES);
    change->due =
        (struct db_due){player->id, change->ends_seats ? DUE_SEATS : DUE_PLAYER, db_now(db)};
    change->alter(change);
    db_set_player(db, player, change->old_token,
                  change->keeps | (change->request->account != NULL ? DB_BY_ACCOUNT : 0),
                  change->token[0] == '\0' || change->ends_seats ? &change->due : NULL,
                  ASK_ALSO(done, change->request, ASK_ALL, player_written, change));
}

static void know_named_player(void *context, const struct db_reply *reply,
                              const struct db_player *found)
{
    struct change *change = context;
    struct request *request = change->request;
    struct db_player *player = &change->player;

    if (reply->outcome == DB_NOT_FOUND || found->left_at != DB_NEVER) {
        refuse_unknown_player(change);
        return;
    }
    *player = *found;
    player->name = arena_copy(&request->arena, found->name, strlen(found->name));
    if (change->token[0] != '\0' && auth_token_fits(change->token, player->token)) {
        reply_replayed(request);
        change->answer(change);
    } else if (!speaks_for(request, player)) {
        refuse_unknown_player(change);
    } else if (change->ends && is_young(request, player)) {
        reply_problem(request, PROBLEM_ACCOUNT_YOUNG, NULL);
    } else {
        write_own_player(change);
    }
}

static void read_own_player(struct change *change)
{
    db_get_player(db_of(change->request), change->player.id,
                  ASK_ALSO(player, change->request, ASK_MISSING, know_named_player, change));
}

static struct change *new_change(struct request *request, void (*alter)(struct change *change),
                                 void (*answer)(struct change *change))
{
    struct change *change = arena_zero(&request->arena, sizeof(*change));

    change->request = request;
    change->alter = alter;
    change->answer = answer;
    return change;
}

/* ---- a name ---- */

static void set_name(struct change *change)
{
    change->player.name = change->name;
}

static void answer_player(struct change *change)
{
    profile_show(change->request, &change->player, change->token[0] == '\0' ? NULL : change->token);
}

/* All games of the player will have an event of it, so it is counted like making one. */
static void profile_rename(struct request *request, const char *name)
{
    struct change *change = new_change(request, set_name, answer_player);

    if (!auth_require_player(request) || !admission_may_make(request))
        return;
    change->player.id = request->player->id;
    change->name = name;
    read_own_player(change);
}

/* ---- a token ---- */

static void set_token(struct change *change)
{
    if ((change->keeps & DB_KEEP_ACCOUNT) == 0)
        change->player.joined.is = false;
    auth_player_token_of(change->player.id, change->random, change->token, change->player.token);
}

static void set_no_token(struct change *change)
{
    auth_no_token(change->player.id, change->player.token);
}

/* A request that is repeated comes with a token that is not known any more. So the player is found
 * by the token's text, and asking is allowed only then. */
static void profile_replace_token(struct request *request, bool ends_seats, unsigned keeps)
{
    struct change *change = new_change(request, set_token, answer_player);
    const char *token = request_token(request);
    struct idempotency *key;
    uint8_t hash[DB_HASH_BYTES];

    change->ends_seats = ends_seats;
    change->keeps = keeps;
    if (request->account != NULL) {
        reply_problem(request, PROBLEM_ACCOUNT_TOKEN, NULL);
        return;
    }
    if (!idempotency_read_long(request, &key))
        return;
    if (token == NULL || !auth_player_of(token, &change->player.id)) {
        auth_require_player(request);
        return;
    }
    if (key == NULL) {
        reply_problem_at(request, PROBLEM_IDEMPOTENCY_KEY_MISSING, "Idempotency-Key", NULL);
        return;
    }
    idempotency_derive(key, change->random, sizeof(change->random));
    auth_player_token_of(change->player.id, change->random, change->token, hash);
    read_own_player(change);
}

/* ---- leaving ---- */

static void set_left(struct change *change)
{
    struct db_player *player = &change->player;

    player->name = "";
    player->left_at = change->due.at;
    memset(player->token, 0, DB_HASH_BYTES);
}

static void answer_nothing(struct change *change)
{
    reply_empty(change->request, 204);
}

static void profile_leave(struct request *request)
{
    struct change *change = new_change(request, set_left, answer_nothing);

    if (!auth_require_player(request))
        return;
    change->ends = true;
    change->player.id = request->player->id;
    read_own_player(change);
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

/* ---- oneself ---- */

void handle_me(struct request *request)
{
    const struct player *player = request->player;

    if (input_no_query(request) && auth_require_player(request))
        profile_show(request,
                     &(struct db_player){.id = player->id,
                                         .name = player->name,
                                         .created_at = player->created_at,
                                         .joined = player->joined},
                     NULL);
}

void handle_rename(struct request *request)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;
    const char *name = NULL;

    if (!input_no_query(request) || !auth_require_player(request))
        return;
    body = body_read(request, NULL);
    if (body == NULL)
        return;
    json_fields(&fields, &request->arena, body, &error);
    if (!input_name(&fields, true, &name))
        json_missing(&fields, "name", "A name is expected.");
    if (body_done(request, body, &fields))
        profile_rename(request, name);
}

static unsigned kept_bit(const char *name)
{
    if (strcmp(name, MY_TOKENS_ACCOUNT) == 0)
        return DB_KEEP_ACCOUNT;
    return strcmp(name, "webhooks") == 0 ? DB_KEEP_HOOKS : 0;
}

/* What is kept by its name, of those that would end with the token. */
static unsigned take_kept(struct json_fields *fields)
{
    const struct json_value *list;
    const char *name;
    size_t count;
    unsigned keeps = 0, bit;

    if (!json_take_array(fields, "keep", 2, &list, &count))
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (!json_element_string(fields, list, "keep", i, 32, &name))
            return 0;
        bit = kept_bit(name);
        if (bit == 0)
            json_refuse(fields, PROBLEM_BAD_PARAMETER, "keep",
                        "A list of what is kept is expected, of \"account\" and \"webhooks\".");
        keeps |= bit;
    }
    return keeps;
}

void handle_replace_my_token(struct request *request)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;
    bool ends_seats = false;
    unsigned keeps;

    if (!input_no_query(request))
        return;
    body = body_read(request, NULL);
    if (body == NULL)
        return;
    json_fields(&fields, &request->arena, body, &error);
    json_take_bool(&fields, "seats", &ends_seats);
    keeps = take_kept(&fields);
    if (body_done(request, body, &fields))
        profile_replace_token(request, ends_seats, keeps);
}

void handle_end_my_token(struct request *request)
{
    struct change *change = new_change(request, set_no_token, answer_nothing);

    if (!input_no_query(request) || !auth_require_account(request) || !auth_require_player(request))
        return;
    change->ends = true;
    change->keeps = DB_KEEP_ACCOUNT;
    change->player.id = request->player->id;
    read_own_player(change);
}

void handle_leave(struct request *request)
{
    if (input_no_query(request))
        profile_leave(request);
}
