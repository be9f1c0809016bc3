#include "api/live/players.h"

#include <stdlib.h>
#include <string.h>

#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/loop/loop.h"

enum { SLOTS = 4096 }; /* a power of two */

/* Each player has one slot, which others share: whoever comes later takes it over. To lose it costs
 * a player one more look-up, so nothing better is needed. */
struct slot {
    bool used;
    db_id id;
    uint8_t token[DB_HASH_BYTES];
    int64_t created_at;
    bool hooks;
    int64_t read_at; /* on loop->now */
    char name[PLAYER_NAME_BYTES + 1];
};

struct players {
    struct slot slot[SLOTS];
};

bool players_open(struct loop *loop)
{
    loop->own[PART_players] = calloc(1, sizeof(struct players));
    return players_of(loop) != NULL;
}

void players_close(struct loop *loop)
{
    struct players *players = players_of(loop);
    free(players);
}

static struct slot *slot_of(struct loop *loop, const db_id *id)
{
    uint32_t bits;

    memcpy(&bits, id->byte + 8, sizeof(bits)); /* ids begin with their time */
    return &players_of(loop)->slot[bits % SLOTS];
}

static bool is_of(const struct slot *slot, const db_id *id)
{
    return slot->used && memcmp(&slot->id, id, sizeof(*id)) == 0;
}

void players_forget(struct loop *loop, db_id id)
{
    struct slot *slot = slot_of(loop, &id);

    if (is_of(slot, &id))
        slot->used = false;
}

/* The hash is kept beside the name: another token that names this player may be a wrong one, or a
 * newer one. */
static void keep(struct request *request, const struct db_player *player)
{
    struct slot *slot = slot_of(request->loop, &player->id);
    size_t len = strlen(player->name);

    if (len > PLAYER_NAME_BYTES)
        return;
    slot->used = true;
    slot->id = player->id;
    slot->created_at = player->created_at;
    slot->hooks = player->hooks;
    slot->read_at = request->loop->now;
    memcpy(slot->token, player->token, sizeof(slot->token));
    memcpy(slot->name, player->name, len + 1);
}

/* Sets the player. The request gets a copy, since the slot may be another's before the request is
 * over. */
static void set_player(struct request *request, struct player player)
{
    struct player *copy = arena_alloc(&request->arena, sizeof(*copy));

    *copy = player;
    copy->name = arena_copy(&request->arena, player.name, strlen(player.name));
    request->player = copy;
}

/* A request that waits for the database to say who asks. */
struct search_request {
    struct request *request;
    void (*go_on)(struct request *request, void *args);
    void *args;
};

static void know_player(void *context, const struct db_reply *reply, const struct db_player *player)
{
    const struct search_request *question = context;
    struct request *request = question->request;

    if (reply->outcome == DB_OK && player->left_at == DB_NEVER) {
        keep(request, player);
        if (auth_token_fits(request_token(request), player->token))
            set_player(request, (struct player){player->id, player->name, player->created_at,
                                                player->hooks});
    }
    question->go_on(request, question->args);
}

void players_identify(struct request *request, void (*go_on)(struct request *request, void *args),
                      void *args)
{
    const char *token = request_token(request);
    struct search_request *question;
    const struct slot *slot;
    db_id id;

    request->player = NULL;
    if (token == NULL || !auth_player_of(token, &id)) {
        go_on(request, args);
        return;
    }
    slot = slot_of(request->loop, &id);
    if (is_of(slot, &id) && request->loop->now - slot->read_at < PLAYERS_FRESH_US &&
        auth_token_fits(token, slot->token)) {
        set_player(request, (struct player){slot->id, slot->name, slot->created_at, slot->hooks});
        go_on(request, args);
        return;
    }
    question = arena_alloc(&request->arena, sizeof(*question));
    *question = (struct search_request){request, go_on, args};
    db_get_player(db_of(request), id,
                  ASK_ALSO(player, request, ASK_MISSING, know_player, question));
}
