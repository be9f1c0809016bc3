#include "api/play/profile.h"

#include <string.h>

#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/table/ask.h"
#include "api/table/auth.h"
#include "api/table/due.h"
#include "api/table/feeds.h"
#include "api/table/idempotency.h"
#include "api/table/players.h"
#include "api/table/reply_outcome.h"
#include "api/text/problem.h"
#include "api/view/player.h"

struct change {
    struct request *request;
    void (*alter)(struct change *change); /* sets what changes of `player` */
    void (*answer)(struct change *change);
    struct db_player player;
    uint8_t old_token[DB_HASH_BYTES];
    struct db_due due;
    const char *name;                   /* the new one */
    char token[AUTH_PLAYER_TOKEN_TEXT]; /* the new one; "": it stays */
    uint8_t random[AUTH_RANDOM_BYTES];
};

void profile_show(struct request *request, const struct db_player *player, const char *token)
{
    struct arena *arena = &request->arena;

    reply_private(request);
    reply_made(request, 200,
               request->form == FORM_TEXT ? view_player_text(arena, player, token)
                                          : view_player_json(arena, player, true, token));
}

/* The player whose token it was has another one now, or has left. */
static void refuse_unknown(struct change *change)
{
    change->request->player = NULL;
    auth_require_player(change->request);
}

/* ---- reading and writing ---- */

static void read_player(struct change *change);

/* Somebody else was faster; the player is looked at anew. That ends, since a token changes but
 * once. */
static void written(void *context, const struct db_reply *reply)
{
    struct change *change = context;
    struct loop *loop = change->request->loop;

    players_forget(loop, change->player.id);
    feeds_check(feeds_of(loop), change->player.id);
    if (reply->outcome == DB_OK) {
        change->request->made = change->name != NULL;
        if (due_of(loop) != NULL)
            due_soon(due_of(loop));
        change->answer(change);
    } else if (reply->outcome == DB_CONFLICT) {
        read_player(change);
    } else {
        reply_outcome(change->request, reply);
    }
}

static void write_player(struct change *change)
{
    struct db *db = db_of(change->request);
    struct db_player *player = &change->player;

    memcpy(change->old_token, player->token, DB_HASH_BYTES);
    change->due = (struct db_due){player->id, DUE_PLAYER, db_now(db)};
    change->alter(change);
    db_set_player(db, player, change->old_token, change->token[0] == '\0' ? &change->due : NULL,
                  ASK_ALSO(done, change->request, ASK_ALL, written, change));
}

static void know_player(void *context, const struct db_reply *reply, const struct db_player *found)
{
    struct change *change = context;
    struct request *request = change->request;
    struct db_player *player = &change->player;

    if (reply->outcome == DB_NOT_FOUND || found->left_at != DB_NEVER) {
        refuse_unknown(change);
        return;
    }
    *player = *found;
    player->name = arena_copy(&request->arena, found->name, strlen(found->name));
    if (change->token[0] != '\0' && auth_token_fits(change->token, player->token)) {
        reply_replayed(request);
        change->answer(change);
    } else if (auth_token_fits(request_token(request), player->token)) {
        write_player(change);
    } else {
        refuse_unknown(change);
    }
}

static void read_player(struct change *change)
{
    db_get_player(db_of(change->request), change->player.id,
                  ASK_ALSO(player, change->request, ASK_MISSING, know_player, change));
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
void profile_rename(struct request *request, const char *name)
{
    struct change *change = new_change(request, set_name, answer_player);

    if (!auth_require_player(request) || !admission_may_make(request))
        return;
    change->player.id = request->player->id;
    change->name = name;
    read_player(change);
}

/* ---- a token ---- */

static void set_token(struct change *change)
{
    auth_player_token_of(change->player.id, change->random, change->token, change->player.token);
}

/* A request that is repeated comes with a token that is not known any more. So the player is found
 * by the token's text, and asking is allowed only then. */
void profile_replace_token(struct request *request)
{
    struct change *change = new_change(request, set_token, answer_player);
    const char *token = request_token(request);
    struct idempotency *key;
    uint8_t hash[DB_HASH_BYTES];

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
    read_player(change);
}

/* ---- leaving ---- */

static void set_left(struct change *change)
{
    struct db_player *player = &change->player;

    player->name = "";
    player->left_at = change->due.at;
    memset(player->token, 0, DB_HASH_BYTES);
}

static void answer_left(struct change *change)
{
    reply_empty(change->request, 204);
}

void profile_leave(struct request *request)
{
    struct change *change = new_change(request, set_left, answer_left);

    if (!auth_require_player(request))
        return;
    change->player.id = request->player->id;
    read_player(change);
}
