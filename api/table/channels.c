#include "api/table/channels.h"

#include <stdlib.h>
#include <string.h>

#include "api/game/words.h"
#include "api/text/must.h"

bool channels_open(struct channels *channels, struct news *news, size_t limit)
{
    *channels = (struct channels){.news = news, .nbuckets = 1};
    while (channels->nbuckets < limit)
        channels->nbuckets *= 2;
    channels->bucket = calloc(channels->nbuckets, sizeof(struct channel *));
    return channels->bucket != NULL;
}

/* ---- channels ---- */

/* The place that points to the channel of a game, or would. The second half of an id is random. */
static struct channel **slot(const struct channels *channels, db_id id)
{
    struct channel **at;
    size_t hash;

    memcpy(&hash, id.byte + 8, sizeof(hash));
    at = &channels->bucket[hash & (channels->nbuckets - 1)];
    while (*at != NULL && memcmp((*at)->id.byte, id.byte, sizeof(id.byte)) != 0)
        at = &(*at)->chain;
    return at;
}

struct channel *channels_find(const struct channels *channels, db_id id)
{
    return channels->count == 0 ? NULL : *slot(channels, id);
}

/* The last channel of the ring is the one that was looked up last. */
static void put_in_ring(struct channels *channels, struct channel *channel)
{
    struct channel *next = channels->ring;

    if (next == NULL) {
        channel->next = channel->last = channels->ring = channel;
    } else {
        channel->next = next;
        channel->last = next->last;
        next->last->next = channel;
        next->last = channel;
    }
    channels->count++;
}

static void take_from_ring(struct channels *channels, struct channel *channel)
{
    channel->last->next = channel->next;
    channel->next->last = channel->last;
    if (channels->ring == channel)
        channels->ring = channel->next == channel ? NULL : channel->next;
    channels->count--;
}

struct channel *channels_of(struct channels *channels, const struct db_game *row)
{
    struct channel **at = slot(channels, row->id);

    if (*at == NULL) {
        *at = must_zero(sizeof(**at));
        **at = (struct channel){.channels = channels,
                                .id = row->id,
                                .version = row->version,
                                .checked = row->version,
                                .hidden = row->visibility == VISIBILITY_PRIVATE};
        put_in_ring(channels, *at);
    }
    return *at;
}

void channels_forget_if_unused(struct channel *channel)
{
    if (channel->count > 0 || channel->cohorts != NULL || channel->looking)
        return;
    take_from_ring(channel->channels, channel);
    *slot(channel->channels, channel->id) = channel->chain;
    free(channel);
}

/* ---- cohorts ---- */

void channels_line_up(struct cohort_line *line, struct cohort *cohort)
{
    cohort->behind = NULL;
    *(line->first == NULL ? &line->first : &line->last->behind) = cohort;
    line->last = cohort;
}

void channels_line_up_first(struct cohort_line *line, struct cohort *cohort)
{
    cohort->behind = line->first;
    if (line->first == NULL)
        line->last = cohort;
    line->first = cohort;
}

struct cohort *channels_take_first(struct cohort_line *line)
{
    struct cohort *cohort = line->first;

    if (cohort != NULL)
        line->first = cohort->behind;
    return cohort;
}

struct cohort *channels_cohort(struct channel *channel, int32_t told)
{
    struct cohort *cohort = channel->cohorts;

    while (cohort != NULL && cohort->told != told)
        cohort = cohort->next;
    return cohort;
}

void channels_drop_if_empty(struct cohort *cohort)
{
    struct channel *channel = cohort->channel;
    struct cohort **at = &channel->cohorts;

    if (cohort->oldest != NULL || cohort->state != RESTING)
        return;
    while (*at != cohort)
        at = &(*at)->next;
    *at = cohort->next;
    free(cohort);
    channels_forget_if_unused(channel);
}

/* Nobody is left who could be told. */
static void drop_all(struct cohort_line *line)
{
    while (line->first != NULL) {
        struct cohort *cohort = channels_take_first(line);

        news_page_free(cohort->page);
        cohort->page = NULL;
        cohort->state = RESTING;
        channels_drop_if_empty(cohort);
    }
}

void channels_close(struct channels *channels)
{
    drop_all(&channels->to_read);
    drop_all(&channels->to_tell);
    free(channels->bucket);
}

/* Those who are up to date are told of news before those who read the past. */
static void wake(struct cohort *cohort, bool news)
{
    struct channels *channels = cohort->channel->channels;

    if (cohort->state != RESTING || cohort->told >= cohort->channel->version)
        return;
    cohort->state = TO_READ;
    if (news)
        channels_line_up_first(&channels->to_read, cohort);
    else
        channels_line_up(&channels->to_read, cohort);
}

void channels_know(struct channel *channel, int32_t version)
{
    if (version <= channel->version)
        return;
    channel->version = version;
    for (struct cohort *cohort = channel->cohorts; cohort != NULL; cohort = cohort->next)
        wake(cohort, true);
}

/* ---- followers ---- */

void channels_join(struct follower *follower)
{
    struct channel *channel = follower->channel;
    struct cohort *cohort = channels_cohort(channel, follower->told);

    follower->live |= follower->told >= channel->version;
    if (cohort == NULL) {
        cohort = must_zero(sizeof(*cohort));
        cohort->channel = channel;
        cohort->told = follower->told;
        cohort->next = channel->cohorts;
        channel->cohorts = cohort;
    }
    follower->cohort = cohort;
    follower->newer = NULL;
    follower->older = cohort->newest;
    *(cohort->newest != NULL ? &cohort->newest->newer : &cohort->oldest) = follower;
    cohort->newest = follower;
    wake(cohort, false);
}

void channels_leave(struct cohort *cohort, struct follower *follower)
{
    *(follower->older != NULL ? &follower->older->newer : &cohort->oldest) = follower->newer;
    *(follower->newer != NULL ? &follower->newer->older : &cohort->newest) = follower->older;
    follower->cohort = NULL;
}

void channels_add(struct channel *channel, struct follower *follower)
{
    follower->channel = channel;
    follower->after = channel->followers;
    if (channel->followers != NULL)
        channel->followers->before = follower;
    channel->followers = follower;
    channel->count++;
}

void channels_remove(struct follower *follower)
{
    struct channel *channel = follower->channel;
    struct cohort *cohort = follower->cohort;

    if (cohort != NULL) {
        channels_leave(cohort, follower);
        channels_drop_if_empty(cohort);
    }
    *(follower->before != NULL ? &follower->before->after : &channel->followers) = follower->after;
    if (follower->after != NULL)
        follower->after->before = follower->before;
    channel->count--;
    channels_forget_if_unused(channel);
}
