/*
 * link.c - joining a player to an account of an identity provider.
 *
 * The request is by a token of the account, and its body has the token of a player who was made
 * before. From then on the account is that player, whose own token goes on to work. The player that
 * the account was until now leaves, and must have nothing to lose: neither a game nor a token of
 * plyd's. Two players never become one, since the log of a game says who has moved.
 *
 * Whoever has stolen a token could join an account of theirs. So what is joined hangs on the token:
 * it ends when that is replaced (struct db_joined), a player has one at most, and my_tokens.c shows
 * it and ends it.
 *
 * Joined first, in the player's row; then the old player leaves, and then the account is set, which
 * is what loops rely on (accounts.h). If the daemon dies in between, the account is not that player
 * yet, and the same request completes it; what is refused in between is not joined any more. A game
 * that the old player enters in that moment stays theirs, who has left.
 */
#include <sodium.h>
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/accounts.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/stream/bearers.h"
#include "api/text/json_fields.h"
#include "api/view/player.h"

/* The network of the client's address, "203.0.113.0/24" or "2001:db8:7::/48", in the request's
 * arena. NULL: it is not known. */
static const char *origin_of(struct request *request)
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

struct linking {
    struct request *request;
    const char *token;       /* of the player who is joined */
    struct db_player player; /* who is joined */
    struct db_player own;    /* of the account until now */
    bool leaves;             /* that one */
    uint8_t own_token[DB_HASH_BYTES];
    struct db_joined joined, none;
    struct db_account account;
    struct db_due due;
    struct db_player_list games;
};

static bool is_joined(const struct linking *linking, db_id player)
{
    return memcmp(&player, &linking->player.id, sizeof(db_id)) == 0;
}

/* Whether the request's account acts as a player. */
static bool acts_as(const struct linking *linking, const struct db_player *player)
{
    const struct db_joined *joined = &player->joined;

    return joined->is &&
           memcmp(&joined->account, &linking->request->account->id, sizeof(db_id)) == 0;
}

static void answer_link(const struct linking *linking)
{
    struct request *request = linking->request;
    struct arena *arena = &request->arena;

    reply_private(request);
    reply_made(request, 200,
               request->form == FORM_TEXT ? view_player_text(arena, &linking->player, NULL)
                                          : view_player_json(arena, &linking->player, true, NULL));
}

/* ---- an account that is somebody ---- */

/* A player who has another token or account by now is not joined to this one any more. */
static void on_parted(void *context, const struct db_reply *reply)
{
    const struct linking *linking = context;
    struct loop *loop = linking->request->loop;

    (void)reply;
    players_forget(loop, linking->player.id);
    bearers_check(bearers_of(loop), linking->player.id);
    reply_problem(linking->request, PROBLEM_ACCOUNT_TAKEN, NULL);
}

/* The player may be joined already, by this request or by one that was broken off. Nobody else
 * could join them then. */
static void refuse_taken(struct linking *linking)
{
    struct request *request = linking->request;

    if (!acts_as(linking, &linking->player)) {
        reply_problem(request, PROBLEM_ACCOUNT_TAKEN, NULL);
        return;
    }
    linking->none = (struct db_joined){.at = db_now(db_of(request))};
    db_set_joined(db_of(request), &linking->player, &linking->none,
                  ASK_ALSO(done, request, ASK_CONFLICT, on_parted, linking));
}

/* ---- the account ---- */

/* Somebody else has set it meanwhile. */
static void know_account(void *context, const struct db_account *account)
{
    struct linking *linking = context;

    if (is_joined(linking, account->player))
        answer_link(linking);
    else
        refuse_taken(linking);
}

static void on_set(void *context, const struct db_reply *reply)
{
    struct linking *linking = context;
    struct request *request = linking->request;

    if (reply->outcome == DB_OK)
        answer_link(linking);
    else
        db_get_account(db_of(request), linking->account.id,
                       ASK(account, request, know_account, linking));
}

static void set_account(struct linking *linking)
{
    struct request *request = linking->request;

    linking->account = (struct db_account){request->account->id, linking->player.id};
    db_set_account(db_of(request), &linking->account, request->account->player,
                   ASK_ALSO(done, request, ASK_CONFLICT, on_set, linking));
}

/* ---- the player that it was ---- */

static void read_own(struct linking *linking);

static void on_left(void *context, const struct db_reply *reply)
{
    struct linking *linking = context;
    struct loop *loop = linking->request->loop;

    players_forget(loop, linking->own.id);
    bearers_check(bearers_of(loop), linking->own.id);
    if (reply->outcome == DB_OK)
        set_account(linking);
    else
        read_own(linking);
}

static void leave_own_player(struct linking *linking)
{
    struct request *request = linking->request;
    struct db *db = db_of(request);
    struct db_player *own = &linking->own;

    memcpy(linking->own_token, own->token, DB_HASH_BYTES);
    memset(own->token, 0, DB_HASH_BYTES);
    own->name = "";
    own->left_at = db_now(db);
    linking->due = (struct db_due){own->id, DUE_PLAYER, own->left_at};
    db_set_player(db, own, linking->own_token, 0, &linking->due,
                  ASK_ALSO(done, request, ASK_CONFLICT, on_left, linking));
}

/* ---- joining ---- */

static void begin_link(struct linking *linking);

static void complete_link(struct linking *linking)
{
    struct loop *loop = linking->request->loop;

    players_forget(loop, linking->player.id);
    bearers_check(bearers_of(loop), linking->player.id);
    if (linking->leaves)
        leave_own_player(linking);
    else if (is_joined(linking, linking->request->account->player))
        answer_link(linking);
    else
        set_account(linking);
}

/* The player has changed meanwhile: they are looked at anew. */
static void on_joined(void *context, const struct db_reply *reply)
{
    struct linking *linking = context;

    if (reply->outcome != DB_OK) {
        begin_link(linking);
        return;
    }
    linking->player.joined = linking->joined;
    linking->player.joined.is = true;
    complete_link(linking);
}

static void join(struct linking *linking)
{
    struct request *request = linking->request;
    struct db_joined *joined = &linking->joined;

    if (acts_as(linking, &linking->player)) {
        complete_link(linking);
        return;
    }
    *joined = (struct db_joined){.has_account = true,
                                 .account = request->account->id,
                                 .at = db_now(db_of(request)),
                                 .origin = origin_of(request)};
    randombytes_buf(joined->secret, sizeof(joined->secret));
    db_set_joined(db_of(request), &linking->player, joined,
                  ASK_ALSO(done, request, ASK_CONFLICT, on_joined, linking));
}

static void know_games(void *context, const struct db_games *games)
{
    struct linking *linking = context;

    linking->leaves = true;
    if (games->count > 0)
        refuse_taken(linking);
    else
        join(linking);
}

/* One that has ended the account is not its own any more. */
static void know_own(void *context, const struct db_player *own)
{
    struct linking *linking = context;
    struct request *request = linking->request;
    uint8_t none[DB_HASH_BYTES];

    linking->own = *own;
    linking->leaves = false;
    auth_no_token(own->id, none);
    if (own->left_at != DB_NEVER || !acts_as(linking, own)) {
        join(linking);
    } else if (memcmp(own->token, none, DB_HASH_BYTES) != 0) {
        refuse_taken(linking);
    } else {
        linking->games = (struct db_player_list){.list = {.limit = 1}, .player = own->id};
        db_player_games(db_of(request), &linking->games, ASK(games, request, know_games, linking));
    }
}

static void read_own(struct linking *linking)
{
    struct request *request = linking->request;

    db_get_player(db_of(request), request->account->player,
                  ASK(player, request, know_own, linking));
}

/* ---- the player who is joined ---- */

static void know_link_player(void *context, const struct db_reply *reply,
                             const struct db_player *player)
{
    struct linking *linking = context;
    struct request *request = linking->request;

    if (reply->outcome == DB_NOT_FOUND || player->left_at != DB_NEVER ||
        !auth_token_fits(linking->token, player->token)) {
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "/token", "No player has that token.");
        return;
    }
    linking->player = *player;
    linking->player.name = arena_copy(&request->arena, player->name, strlen(player->name));
    if (player->joined.is && !acts_as(linking, player))
        reply_problem(request, PROBLEM_PLAYER_JOINED, NULL);
    else if (is_joined(linking, request->account->player))
        join(linking);
    else
        read_own(linking);
}

static void begin_link(struct linking *linking)
{
    struct request *request = linking->request;
    db_id player;

    if (auth_player_of(linking->token, &player))
        db_get_player(db_of(request), player,
                      ASK_ALSO(player, request, ASK_MISSING, know_link_player, linking));
    else
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "/token",
                         "A player's token is expected, as POST /v1/players gave it.");
}

/* An account whose player has left may ask, too. */
void handle_link(struct request *request)
{
    struct linking *linking = arena_zero(&request->arena, sizeof(*linking));
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;

    linking->request = request;
    if (!input_no_query(request) || !auth_require_account(request))
        return;
    body = body_read(request, NULL);
    if (body == NULL)
        return;
    json_fields(&fields, &request->arena, body, &error);
    if (json_take_string(&fields, "token", AUTH_PLAYER_TOKEN_TEXT, &linking->token))
        linking->token = arena_copy(&request->arena, linking->token, strlen(linking->token));
    else
        json_missing(&fields, "token", "The token of a player is expected.");
    if (body_done(request, body, &fields))
        begin_link(linking);
}
