#include "api/endpoints/people/change.h"

#include <string.h>

#include "api/duty/due.h"
#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/stream/token_holders.h"

/* The player whose token it was has another one now, or has left. */
static void refuse_asker(struct change *change)
{
    change->request->player = NULL;
    auth_require_player(change->request);
}

int change_asker(struct change *change)
{
    struct request *request = change->request;
    struct auth_asker asker;

    auth_asker(request, &asker);
    if (!auth_asker_is(&asker, change->had, change->now)) {
        refuse_asker(change);
        return TOKENS_NOBODY;
    }
    return request->account != NULL ? TOKENS_ACCOUNT : tokens_find(change->had, asker.token);
}

/* ---- ending ---- */

static bool refuse_young(struct change *change, int asker)
{
    reply_problem(change->request,
                  asker == TOKENS_ACCOUNT ? PROBLEM_ACCOUNT_YOUNG : PROBLEM_TOKEN_YOUNG, NULL);
    return false;
}

bool change_may_end(struct change *change, int asker, int which)
{
    return !tokens_too_young(change->had, &change->tokens, asker, which, change->now) ||
           refuse_young(change, asker);
}

bool change_may_end_all(struct change *change, int asker)
{
    return !tokens_too_young_for_all(change->had, &change->tokens, asker, change->now) ||
           refuse_young(change, asker);
}

void change_end_own(struct change *change)
{
    tokens_none(change->player.id, change->player.token);
    change->player.has_handover = false;
    change->tokens.own_used_day = 0;
}

/* Its time stays, so that no account is taken for the first one (live/players.c). */
void change_end_account(struct change *change)
{
    struct db_joined *joined = &change->player.joined;

    *joined =
        (struct db_joined){.at = joined->at == DB_NEVER || joined->is ? change->now : joined->at};
    change->player.has_handover = false;
    change->tokens.account_used_day = 0;
}

void change_end_token(struct change *change, int which)
{
    tokens_remove(&change->player, &change->tokens, which);
    change->player.has_handover = false;
}

/* ---- reading and writing ---- */

static void read_changed(struct change *change);

static void on_change_written(void *context, const struct db_reply *reply)
{
    struct change *change = context;
    struct loop *loop = change->request->loop;

    players_forget(loop, change->player.id);
    token_holders_check(token_holders_of(loop), change->player.id);
    if (reply->outcome == DB_OK) {
        if (due_of(loop) != NULL)
            due_soon(due_of(loop));
        change->answer(change);
    } else if (reply->outcome == DB_CONFLICT) {
        read_changed(change);
    } else {
        ask_failed(change->request, reply);
    }
}

static void write_changed(struct change *change)
{
    struct request *request = change->request;

    tokens_write(&request->arena, &change->tokens, &change->player);
    change->work = (struct db_due){change->player.id, change->due, change->now};
    change->write = (struct db_player_change){.had = change->had,
                                              .player = &change->player,
                                              .ends_hooks = change->ends_hooks,
                                              .ended = change->has_ended ? change->ended : NULL,
                                              .become = change->has_become ? change->become : NULL,
                                              .due = change->due == 0 ? NULL : &change->work};
    db_set_player(db_of(request), &change->write,
                  ASK_ALSO(done, request, ASK_ALL, on_change_written, change));
}

static void know_changed(void *context, const struct db_reply *reply,
                         const struct db_player *player)
{
    struct change *change = context;
    struct request *request = change->request;

    if (reply->outcome == DB_NOT_FOUND || player->left_at != DB_NEVER) {
        refuse_asker(change);
        return;
    }
    change->had = tokens_copy_player(&request->arena, player);
    change->player = *change->had;
    change->now = db_now(db_of(request));
    change->ends_hooks = change->has_ended = change->has_become = false;
    change->due = 0;
    tokens_read(&request->arena, change->had, &change->tokens);
    if (change->alter(change))
        write_changed(change);
}

static void read_changed(struct change *change)
{
    db_get_player(db_of(change->request), change->player.id,
                  ASK_ALSO(player, change->request, ASK_MISSING, know_changed, change));
}

void change_player(struct change *change, db_id player)
{
    change->player.id = player;
    read_changed(change);
}
