#include "api/endpoints/people/receivers.h"

#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/live/ask.h"
#include "api/live/players.h"
#include "api/loop/loop.h"

static void deleted(void *context, const struct db_reply *reply)
{
    struct request *request = context;

    if (reply->outcome == DB_CONFLICT)
        players_refuse_old(request);
    else
        reply_empty(request, 204);
}

/* A look that finds no receivers ends the promise. */
void receivers_delete(struct request *request, const struct db_hook_end *end)
{
    struct db *db = db_of(request);
    struct db_hook_end promised = *end;

    promised.due = (struct db_due){end->player, DUE_HOOKS, db_now(db)};
    db_delete_hook(db, &promised,
                   ASK_ALSO(done, request, ASK_CONFLICT | ASK_MISSING, deleted, request));
}

void receivers_delete_mine(struct request *request, db_id id, int16_t kind)
{
    receivers_delete(request, &(struct db_hook_end){.player = request->player->id,
                                                    .hook = id,
                                                    .kind = kind,
                                                    .token = players_stored_token(request)});
}
