#include "api/stream/presence.h"

#include <pthread.h>
#include <string.h>

/* Those of all loops, by the last bytes of both ids, which are random. The lists are short: there
 * are as many places as streams and waits by default. */
enum { PLACES = 1 << 14 };

static struct {
    pthread_mutex_t lock;
    LIST_HEAD(, presence) list[PLACES];
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t place_of(const db_id *player, const db_id *game)
{
    uint16_t one, other;

    memcpy(&one, player->byte + sizeof(player->byte) - sizeof(one), sizeof(one));
    memcpy(&other, game->byte + sizeof(game->byte) - sizeof(other), sizeof(other));
    return (size_t)(one ^ other) % PLACES;
}

void presence_in(struct presence *presence, const struct auth_asker *asker, db_id game)
{
    if (!asker->has_player)
        return;
    *presence = (struct presence){.is_there = true, .player = asker->player, .game = game};
    pthread_mutex_lock(&all.lock);
    LIST_INSERT_HEAD(&all.list[place_of(&presence->player, &game)], presence, beside);
    pthread_mutex_unlock(&all.lock);
}

void presence_out(struct presence *presence)
{
    if (!presence->is_there)
        return;
    presence->is_there = false;
    pthread_mutex_lock(&all.lock);
    LIST_REMOVE(presence, beside);
    pthread_mutex_unlock(&all.lock);
}

bool presence_is(db_id player, db_id game)
{
    const struct presence *at;

    pthread_mutex_lock(&all.lock);
    LIST_FOREACH(at, &all.list[place_of(&player, &game)], beside)
    if (memcmp(&at->player, &player, sizeof(player)) == 0 &&
        memcmp(&at->game, &game, sizeof(game)) == 0)
        break;
    pthread_mutex_unlock(&all.lock);
    return at != NULL;
}
