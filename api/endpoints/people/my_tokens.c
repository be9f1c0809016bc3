#include "api/endpoints/people/my_tokens.h"

#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/stream/bearers.h"
#include "api/text/json.h"
#include "api/text/out.h"

static bool has_token(const struct db_player *player)
{
    uint8_t none[DB_HASH_BYTES];

    auth_no_token(player->id, none);
    return memcmp(player->token, none, sizeof(none)) != 0;
}

/* ---- the list ---- */

static int64_t token_at(const struct db_player *player)
{
    return player->token_at == DB_NEVER ? player->created_at : player->token_at;
}

static void view_item(struct json *json, const char *name, int64_t at, bool yours)
{
    json_open(json, '{');
    json_member(json, "id", name);
    json_member(json, "kind", name);
    json_member_time(json, "since_at", at);
    json_member_bool(json, "yours", yours);
}

/* The account says from when on it may end the token, while there is one. */
static void view_account(struct json *json, const struct db_player *player, bool yours)
{
    const struct db_joined *joined = &player->joined;

    view_item(json, MY_TOKENS_ACCOUNT, joined->at, yours);
    if (joined->origin != NULL)
        json_member(json, "from", joined->origin);
    if (has_token(player))
        json_member_time(json, "may_end_token_at", joined->at + MY_TOKENS_YOUNG_US);
    json_close(json, '}');
}

static void show_json(struct request *request, const struct db_player *player)
{
    struct json json;

    json_init(&json, &request->arena);
    reply_list_open(&json);
    if (has_token(player)) {
        view_item(&json, MY_TOKENS_TOKEN, token_at(player), request->account == NULL);
        json_close(&json, '}');
    }
    if (player->joined.is)
        view_account(&json, player, request->account != NULL);
    reply_list_send(request, &json, NULL);
}

static void show_text(struct request *request, const struct db_player *player)
{
    const struct db_joined *joined = &player->joined;
    struct out out;

    out_init(&out, &request->arena);
    if (has_token(player))
        out_format(&out, "token    since %s\n", json_time_text(out.arena, token_at(player)));
    if (joined->is)
        out_format(&out, "account  since %s%s%s\n", json_time_text(out.arena, joined->at),
                   joined->origin == NULL ? "" : ", joined from ",
                   joined->origin == NULL ? "" : joined->origin);
    reply_text(request, 200, out.text);
}

static void show_my_tokens(void *context, const struct db_player *player)
{
    struct request *request = context;

    reply_private(request);
    if (request->form == FORM_TEXT)
        show_text(request, player);
    else
        show_json(request, player);
}

void handle_my_tokens(struct request *request)
{
    if (input_no_query(request) && auth_require_player(request))
        db_get_player(db_of(request), request->player->id,
                      ASK(player, request, show_my_tokens, request));
}

/* ---- ending the account ---- */

struct ending_it {
    struct request *request;
    struct db_player player;
    struct db_joined none;
};

static void read_token_holder(struct ending_it *ending);

/* The player has changed meanwhile: they are looked at anew. */
static void ended(void *context, const struct db_reply *reply)
{
    struct ending_it *ending = context;
    struct request *request = ending->request;

    players_forget(request->loop, ending->player.id);
    bearers_check(bearers_of(request->loop), ending->player.id);
    if (reply->outcome == DB_OK)
        reply_empty(request, 204);
    else
        read_token_holder(ending);
}

/* Its time stays, so that no account is taken for the first one (players.c). */
static void know_token_holder(void *context, const struct db_player *player)
{
    struct ending_it *ending = context;
    struct request *request = ending->request;
    struct auth_asker asker;

    auth_asker(request, &asker);
    ending->player = *player;
    ending->none = (struct db_joined){.at = db_now(db_of(request))};
    if (!auth_asker_is(&asker, player, ending->none.at)) {
        request->player = NULL;
        auth_require_player(request);
    } else if (!player->joined.is) {
        reply_empty(request, 204);
    } else if (!has_token(player)) {
        reply_problem(request, PROBLEM_LAST_TOKEN, NULL);
    } else {
        db_set_joined(db_of(request), &ending->player, &ending->none,
                      ASK_ALSO(done, request, ASK_CONFLICT, ended, ending));
    }
}

static void read_token_holder(struct ending_it *ending)
{
    struct request *request = ending->request;

    db_get_player(db_of(request), request->player->id,
                  ASK(player, request, know_token_holder, ending));
}

static void end_account(struct request *request)
{
    struct ending_it *ending = arena_zero(&request->arena, sizeof(*ending));

    ending->request = request;
    if (input_no_query(request) && auth_require_player(request))
        read_token_holder(ending);
}

void handle_end_token(struct request *request)
{
    if (strcmp(request->param[0], MY_TOKENS_ACCOUNT) == 0)
        end_account(request);
    else if (strcmp(request->param[0], MY_TOKENS_TOKEN) == 0)
        handle_end_my_token(request);
    else if (auth_require_player(request))
        reply_problem(request, PROBLEM_NO_SUCH_TOKEN, NULL);
}
