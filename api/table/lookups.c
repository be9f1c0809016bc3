#include "api/table/lookups.h"

#include "api/loop/loop.h"
#include "api/table/peers.h"

enum {
    AT_ONCE = 256, /* games that are looked up at one time */
    FEW = 64,
    FEW_US = 50 * 1000,   /* from look to look, at each of a few games; */
    MANY_US = 250 * 1000, /* of more games; */
    LEAST_US = 25 * 1000  /* and of any */
};

static void on_version(void *context, const struct db_reply *reply,
                       const struct db_version *version)
{
    struct channel *channel = context;

    channel->looking = false;
    if (reply->outcome == DB_OK)
        channels_know(channel, version->version);
    channels_forget_if_unused(channel);
}

static int64_t interval(size_t count, bool alone)
{
    int64_t us = alone ? PEERS_SELDOM_US : count <= FEW ? FEW_US : MANY_US;

    if (count > AT_ONCE)
        us = us * AT_ONCE / (int64_t)count;
    return us < LEAST_US ? LEAST_US : us;
}

void lookups_begin(struct lookups *lookups)
{
    lookups->last = lookups->loop->now;
}

int64_t lookups_next(const struct lookups *lookups)
{
    size_t count = lookups->channels->count;

    if (count == 0)
        return INT64_MAX;
    return lookups->last + interval(count, peers_alone(peers_of(lookups->loop)));
}

void lookups_run(struct lookups *lookups)
{
    struct channels *channels = lookups->channels;
    size_t n = channels->count < AT_ONCE ? channels->count : AT_ONCE;

    if (lookups_next(lookups) > lookups->loop->now)
        return;
    lookups->last = lookups->loop->now;
    for (; n > 0; n--) {
        struct channel *channel = channels->ring;

        channels->ring = channel->next;
        if (channel->looking)
            continue;
        channel->looking = true;
        db_get_version(lookups->loop->db, channel->id, on_version, channel);
    }
}
