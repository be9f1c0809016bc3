/*
 * link.c - joining a player to an account of an identity provider.
 *
 * The request is by a token of the account, and its body has the token of a player who was made
 * before. From then on the account is that player, whose own token goes on to work. The player that
 * the account was until now leaves, and must have nothing to lose: neither a game nor a token of
 * plyd's. Two players never become one, since the log of a game says who has moved.
 *
 * Whoever has stolen a token could join an account of theirs. So it ends when a token is replaced,
 * unless it is kept by name, a player has one at most, and my_tokens.c shows it and ends it.
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
#include "api/endpoints/people/my_tokens.h"
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
#include "api/live/tokens.h"
#include "api/loop/loop.h"
#include "api/stream/token_holders.h"
#include "api/text/json_fields.h"
#include "api/view/player.h"

struct linking {
    struct request *request;
    const char *token;              /* of the player who is joined */
    struct db_player player;        /* who is joined */
    struct db_player own;           /* of the account until now */
    bool leaves;                    /* that one */
    struct db_player before;        /* either of them, as they were read */
    struct db_player_change change; /* of that one */
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

/* What becomes of a player is written if they still are as they are now. */
static void begin_change(struct linking *linking, const struct db_player *player)
{
    linking->before = *player;
    linking->change = (struct db_player_change){.had = &linking->before, .player = player};
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
    token_holders_check(token_holders_of(loop), linking->player.id);
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
    begin_change(linking, &linking->player);
    linking->player.joined = (struct db_joined){.at = db_now(db_of(request))};
    db_set_player(db_of(request), &linking->change,
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
    token_holders_check(token_holders_of(loop), linking->own.id);
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

    begin_change(linking, own);
    memset(own->token, 0, DB_HASH_BYTES);
    own->joined.is = false;
    own->name = "";
    own->left_at = db_now(db);
    linking->due = (struct db_due){own->id, DUE_PLAYER, own->left_at};
    linking->change.due = &linking->due;
    db_set_player(db, &linking->change, ASK_ALSO(done, request, ASK_CONFLICT, on_left, linking));
}

/* ---- joining ---- */

static void begin_link(struct linking *linking);

static void complete_link(struct linking *linking)
{
    struct loop *loop = linking->request->loop;

    players_forget(loop, linking->player.id);
    token_holders_check(token_holders_of(loop), linking->player.id);
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
    complete_link(linking);
}

static void join(struct linking *linking)
{
    struct request *request = linking->request;
    struct db_joined *joined = &linking->player.joined;

    if (acts_as(linking, &linking->player)) {
        complete_link(linking);
        return;
    }
    begin_change(linking, &linking->player);
    *joined = (struct db_joined){.is = true,
                                 .has_account = true,
                                 .account = request->account->id,
                                 .at = db_now(db_of(request)),
                                 .origin = my_tokens_origin(request)};
    randombytes_buf(joined->secret, sizeof(joined->secret));
    db_set_player(db_of(request), &linking->change,
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

    linking->own = *tokens_copy_player(&request->arena, own);
    linking->leaves = false;
    if (own->left_at != DB_NEVER || !acts_as(linking, own)) {
        join(linking);
    } else if (tokens_count(own) > 1) {
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
        auth_which_token(linking->token, player) == TOKENS_NOBODY) {
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, "/token", "No player has that token.");
        return;
    }
    linking->player = *tokens_copy_player(&request->arena, player);
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
