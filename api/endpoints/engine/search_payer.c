#include "api/endpoints/engine/search_payer.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "api/game/draft.h"
#include "api/game/opponent.h"
#include "api/game/words.h"
#include "api/loop/thinkers.h"
#include "engine/engine.h"

enum { NOTED = 4096 };

/* A lossy table: each hash has one slot, which the last writer takes. Two threads may write at
 * once, so that the client of the one stands beside the game of the other: then a search is done
 * for the wrong one of two, and that is all. */
static struct {
    _Atomic uint64_t game, client;
} noted[NOTED];

static uint64_t number_of_payer(db_id id)
{
    uint64_t number;

    memcpy(&number, id.byte + sizeof(id.byte) - sizeof(number), sizeof(number));
    return number;
}

static const struct db_seat *seat_of(const struct db_game *row, bool thinks)
{
    return &row->seat[opponent_thinks(&row->seat[0]) == thinks ? 0 : 1];
}

/* A search of this position is under way already. */
static bool is_old(const struct db_game *before, const struct db_game *row)
{
    return before != NULL && opponent_is_due(before) && before->line == row->line &&
           before->ply == row->ply;
}

static bool is_promised(const struct draft *draft)
{
    for (size_t i = 0; i < draft->ndues; i++)
        if (draft->dues[i].kind == DUE_OPPONENT)
            return true;
    return false;
}

void search_payer_nodes(struct request *request, uint64_t nodes)
{
    request->caused_us = (int64_t)nodes * THINKERS_NODE_US;
}

void search_payer_note(struct request *request, const struct db_game *before,
                       const struct draft *draft)
{
    const struct db_game *row = &draft->row;
    uint64_t game = number_of_payer(row->id);
    unsigned level;

    request->caused_us = 0;
    if (!is_promised(draft) || is_old(before, row))
        return;
    level = opponent_level(seat_of(row, true)->engine);
    search_payer_nodes(request, engine_nodes(level));
    atomic_store_explicit(&noted[game % NOTED].client, request->client, memory_order_relaxed);
    atomic_store_explicit(&noted[game % NOTED].game, game, memory_order_relaxed);
}

static uint64_t client_of_person(const struct db_seat *seat)
{
    uint64_t client;

    memcpy(&client, seat->has_player ? seat->player.byte + 8 : seat->token, sizeof(client));
    return client | 1;
}

uint64_t search_payer_client(const struct db_game *row)
{
    uint64_t game = number_of_payer(row->id), client = 0;

    if (atomic_load_explicit(&noted[game % NOTED].game, memory_order_relaxed) == game)
        client = atomic_load_explicit(&noted[game % NOTED].client, memory_order_relaxed);
    return client != 0 ? client : client_of_person(seat_of(row, false));
}
