/*
 * blocks.c - players whom a player has blocked.
 *
 * Nothing tells the player of their challenges from then on, and they learn nothing of it: what
 * they send is taken as ever (games/challenge.c). So there is no address at which one could ask
 * whether one is blocked.
 */
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/game/ids.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "db/db.h"

/* ---- blocking ---- */

struct blocking {
    struct request *request;
    db_id player;
};

static void answer_blocked(void *context, const struct db_reply *reply)
{
    struct request *request = context;

    if (reply->outcome == DB_CONFLICT)
        reply_problem(request, PROBLEM_TOO_MANY_BLOCKS, NULL);
    else
        reply_empty(request, 204);
}

static void block_who_is_there(void *context, const struct db_reply *reply,
                               const struct db_player *player)
{
    const struct blocking *blocking = context;
    struct request *request = blocking->request;

    if (reply->outcome == DB_NOT_FOUND || player->left_at != DB_NEVER)
        reply_problem(request, PROBLEM_NO_SUCH_PLAYER, NULL);
    else
        db_set_block(db_of(request), request->player->id, blocking->player, db_now(db_of(request)),
                     ASK_ALSO(done, request, ASK_CONFLICT, answer_blocked, request));
}

/* The player of the address. False: it names none, or there is more than that, and it was answered.
 */
static bool read_blocked(struct request *request, db_id *player)
{
    if (!input_no_query(request) || !input_no_body(request) || !auth_require_player(request))
        return false;
    if (ids_read(request->param[0], player))
        return true;
    reply_problem(request, PROBLEM_NO_SUCH_PLAYER, NULL);
    return false;
}

void handle_block(struct request *request)
{
    struct blocking *blocking = arena_zero(&request->arena, sizeof(*blocking));

    blocking->request = request;
    if (!read_blocked(request, &blocking->player))
        return;
    if (memcmp(&blocking->player, &request->player->id, sizeof(db_id)) == 0)
        reply_problem(request, PROBLEM_OWN_BLOCK, NULL);
    else
        db_get_player(db_of(request), blocking->player,
                      ASK_ALSO(player, request, ASK_MISSING, block_who_is_there, blocking));
}

void handle_unblock(struct request *request)
{
    db_id player;

    if (read_blocked(request, &player))
        db_delete_block(db_of(request), request->player->id, player,
                        ASK_ALSO(done, request, ASK_MISSING, answer_blocked, request));
}

/* ---- looking ---- */

struct listing {
    struct request *request;
    db_id after;
    int64_t limit;
};

static const char *next_blocks(const struct listing *listing, const struct db_blocks *blocks)
{
    char after[IDS_TEXT];

    if (blocks->count < (size_t)listing->limit)
        return NULL;
    ids_text(blocks->items[blocks->count - 1].player, after);
    return arena_format(&listing->request->arena, "/v1/me/blocks?after=%s&limit=%lld", after,
                        (long long)listing->limit);
}

static void view_block(struct json *json, const struct db_block *block)
{
    char id[IDS_TEXT];

    ids_text(block->player, id);
    json_open(json, '{');
    json_member(json, "player", id);
    if (block->name != NULL)
        json_member(json, "name", block->name);
    json_member_time(json, "blocked_at", block->at);
    json_close(json, '}');
}

static void show_blocks(void *context, const struct db_blocks *blocks)
{
    const struct listing *listing = context;
    struct request *request = listing->request;
    const char *next = next_blocks(listing, blocks);
    struct json json;
    struct out out;

    reply_private(request);
    reply_next(request, next);
    json_init(&json, &request->arena);
    out_init(&out, &request->arena);
    reply_list_open(&json);
    for (size_t i = 0; i < blocks->count; i++) {
        const struct db_block *block = &blocks->items[i];
        char id[IDS_TEXT];

        ids_text(block->player, id);
        out_format(&out, "%s  %s\n", id, block->name == NULL ? "" : block->name);
        view_block(&json, block);
    }
    if (request->form == FORM_TEXT)
        reply_text(request, 200, out.text);
    else
        reply_list_send(request, &json, next);
}

void handle_blocks(struct request *request)
{
    static const char *const known[] = {"after", "limit", NULL};
    struct listing *listing = arena_zero(&request->arena, sizeof(*listing));
    const char *after;

    listing->request = request;
    if (!auth_require_player(request) || !query_ok(request, known) ||
        !query_limit(request, &listing->limit))
        return;
    after = query_text(request, "after");
    if (after != NULL && !ids_read(after, &listing->after))
        reply_problem_at(request, PROBLEM_BAD_CURSOR, "?after", NULL);
    else
        db_get_blocks(db_of(request), request->player->id, listing->after, (int32_t)listing->limit,
                      ASK(blocks, request, show_blocks, listing));
}
