#include "api/table/players.h"

#include <stdlib.h>
#include <string.h>

#include "api/http/account.h"
#include "api/http/reply_problem.h"
#include "api/loop/loop.h"
#include "api/table/auth.h"

enum { SLOTS = 4096 }; /* a power of two */

/* Each player has one slot, which others share: whoever comes later takes it over. To lose it costs
 * a player one more look-up, so nothing better is needed. */
struct slot {
    bool used;
    db_id id;
    uint8_t token[DB_HASH_BYTES];
    int64_t created_at;
    char name[PLAYER_NAME_BYTES + 1];
};

struct players {
    struct slot slot[SLOTS];
};

struct players *players_open(void)
{
    return calloc(1, sizeof(struct players));
}

void players_close(struct players *players)
{
    free(players);
}

static struct slot *slot_of(struct request *request, const db_id *id)
{
    uint32_t bits;

    memcpy(&bits, id->byte, sizeof(bits)); /* ids are random */
    return &request->loop->players->slot[bits % SLOTS];
}

/* The hash is kept beside the name: another token that names this player may be a wrong one. */
static void keep(struct request *request, const struct db_player *player)
{
    struct slot *slot = slot_of(request, &player->id);
    size_t len = strlen(player->name);

    if (len > PLAYER_NAME_BYTES)
        return;
    slot->used = true;
    slot->id = player->id;
    slot->created_at = player->created_at;
    memcpy(slot->token, player->token, sizeof(slot->token));
    memcpy(slot->name, player->name, len + 1);
}

/* Sets the player if the token is theirs. The request gets a copy, since the slot may be another's
 * before the request is over. */
static void set_player(struct request *request, const struct db_player *known)
{
    struct player *player;

    if (!auth_token_fits(request_token(request), known->token))
        return;
    player = arena_alloc(&request->arena, sizeof(*player));
    *player =
        (struct player){known->id, arena_copy(&request->arena, known->name, strlen(known->name)),
                        known->created_at};
    request->player = player;
}

/* A request that waits for the database to say who asks. */
struct question {
    struct request *request;
    void (*go_on)(struct request *request);
};

static void on_player(void *context, const struct db_reply *reply)
{
    const struct question *question = context;
    struct request *request = question->request;
    struct loop *loop = request->loop; /* the request may go to a worker */

    if (reply->outcome != DB_OK && reply->outcome != DB_NOT_FOUND) {
        reply_problem_outcome(request, reply);
        return;
    }
    account_begin(loop);
    if (reply->outcome == DB_OK) {
        keep(request, reply->player);
        set_player(request, reply->player);
    }
    question->go_on(request);
    account_end(loop, request);
}

void players_identify(struct request *request, void (*go_on)(struct request *request))
{
    const char *token = request_token(request);
    struct question *question;
    const struct slot *slot;
    db_id id;

    if (token == NULL || !auth_player_of(token, &id)) {
        go_on(request);
        return;
    }
    slot = slot_of(request, &id);
    if (slot->used && memcmp(&slot->id, &id, sizeof(id)) == 0) {
        struct db_player known = {.id = slot->id,
                                  .name = slot->name,
                                  .created_at = slot->created_at,
                                  .left_at = DB_NEVER};

        memcpy(known.token, slot->token, sizeof(known.token));
        set_player(request, &known);
        go_on(request);
        return;
    }
    question = arena_alloc(&request->arena, sizeof(*question));
    *question = (struct question){request, go_on};
    db_get_player(request->loop->db, id, on_player, question);
}
