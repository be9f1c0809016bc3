#include "api/stream/channels.h"

#include <stdlib.h>
#include <string.h>

#include "api/game/row.h"
#include "api/game/words.h"
#include "api/live/cache.h"
#include "api/live/players.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/text/arena.h"
#include "api/text/must.h"

enum { AT_ONCE = 256 }; /* games that are looked up at one time */

/* ---- channels ---- */

struct channel *channels_find(const struct channels *channels, db_id id)
{
    return map_find(&channels->by_id, &id);
}

/* `row` may be a live game's. Its callers have just had that version confirmed or written, so news
 * is whatever comes after it, and the seats count as checked at it. */
struct channel *channels_need(struct channels *channels, const struct db_game *row)
{
    struct channel *channel = channels_find(channels, row->id);

    if (channel != NULL)
        return channel;
    channel = must_zero(sizeof(*channel));
    channel->channels = channels;
    channel->id = row->id;
    channel->version = channel->checked = row->version;
    channel->public = row_is_public(row);
    long_poll_place(&channel->waiting);
    map_put(&channels->by_id, &channel->link, &channel->id, channel);
    return channel;
}

/* Four things point to a channel: its followers, its cohorts (one may outlive its followers while
 * the database reads for it), requests that wait, and a look-up that was not answered yet. Every
 * function that takes one of these away ends with this call, and must not touch the channel after
 * it. */
static void channels_forget_if_unused(struct channel *channel)
{
    if (channel->count > 0 || !LIST_EMPTY(&channel->cohorts) || channel->waiting.count > 0 ||
        channel->looking)
        return;
    map_take(&channel->channels->by_id, &channel->link);
    free(channel);
}

/* ---- cohorts ---- */

struct cohort *channels_take_first(struct cohort_line *line)
{
    struct cohort *cohort = STAILQ_FIRST(line);

    if (cohort != NULL)
        STAILQ_REMOVE_HEAD(line, behind);
    return cohort;
}

struct cohort *channels_cohort(struct channel *channel, int32_t told)
{
    struct cohort *cohort;

    LIST_FOREACH(cohort, &channel->cohorts, beside)
    if (cohort->told == told)
        break;
    return cohort;
}

/* In any state but RESTING a line or a callback of the database points to the cohort. Then the
 * function that takes it from there finds it empty and drops it. The channel may be gone after
 * this, too. */
void channels_drop_if_empty(struct cohort *cohort)
{
    struct channel *channel = cohort->channel;

    if (!TAILQ_EMPTY(&cohort->ready) || cohort->state != RESTING)
        return;
    LIST_REMOVE(cohort, beside);
    free(cohort);
    channels_forget_if_unused(channel);
}

/* A cohort at rest has been told everything that is known, and this keeps it so. In any other state
 * it has its turn anyway, and joins the line again if it still lacks something.
 *
 * News goes to the head of the line: followers that are up to date are told before those that read
 * the past, of whom there may be many pages. */
static void wake(struct cohort *cohort, bool news)
{
    struct channels *channels = cohort->channel->channels;

    if (cohort->state != RESTING || cohort->told >= cohort->channel->version)
        return;
    cohort->state = TO_READ;
    if (news)
        STAILQ_INSERT_HEAD(&channels->to_read, cohort, behind);
    else
        STAILQ_INSERT_TAIL(&channels->to_read, cohort, behind);
}

/* ---- followers ---- */

void channels_join(struct follower *follower)
{
    struct channel *channel = follower->channel;
    struct cohort *cohort = channels_cohort(channel, follower->told);

    /* Once up to date, a follower never again counts as one that reads the past, though it may fall
     * behind: what it lacks then was news when it came, and is not charged (game_stream.c). */
    follower->live |= follower->told >= channel->version;
    if (cohort == NULL) {
        cohort = must_zero(sizeof(*cohort));
        cohort->channel = channel;
        cohort->told = follower->told;
        TAILQ_INIT(&cohort->ready);
        LIST_INSERT_HEAD(&channel->cohorts, cohort, beside);
    }
    follower->cohort = cohort;
    TAILQ_INSERT_TAIL(&cohort->ready, follower, ready);
    wake(cohort, false);
}

void channels_leave(struct cohort *cohort, struct follower *follower)
{
    TAILQ_REMOVE(&cohort->ready, follower, ready);
    follower->cohort = NULL;
}

void channels_add(struct channel *channel, struct follower *follower)
{
    follower->channel = channel;
    presence_in(&follower->presence, &follower->asker, channel->id);
    LIST_INSERT_HEAD(&channel->followers, follower, beside);
    if (channel->count++ == 0)
        watch_in(&channel->channels->followed, &channel->followed, channel);
}

void channels_remove(struct follower *follower)
{
    struct channel *channel = follower->channel;
    struct cohort *cohort = follower->cohort;

    if (cohort != NULL) {
        channels_leave(cohort, follower);
        channels_drop_if_empty(cohort);
    }
    presence_out(&follower->presence);
    LIST_REMOVE(follower, beside);
    if (--channel->count == 0)
        watch_out(&channel->channels->followed, &channel->followed);
    channels_forget_if_unused(channel);
}

/* ---- waiting ---- */

/* A request that waits, in its arena. */
struct waiter {
    struct op *op;
    struct channel *channel; /* until its wait has ended */
    db_id game;
    struct wait *wait;          /* the same */
    struct token_holder holder; /* unless it is public */
    struct presence presence;
};

/* Called as soon as the wait has left the channel's list, which is before the request goes on. In
 * between the channel may be freed, so on_wait_back() needs the game's id. */
static void on_wait_ended(void *args)
{
    struct waiter *waiter = args;
    struct channel *channel = waiter->channel;

    token_holders_out(&waiter->holder);
    presence_out(&waiter->presence);
    if (channel->waiting.count > 0)
        return;
    watch_out(&channel->channels->waited, &channel->waited);
    channels_forget_if_unused(channel);
}

/* Who asks is known anew: the token may have been replaced meanwhile. */
static void begin_anew(struct request *request, void *args)
{
    const struct waiter *waiter = args;

    (void)request;
    op_submit(waiter->op, waiter->game);
}

/* The op begins anew as if it had just come. It does not answer from what the wait was woken
 * with, since the game may have moved on again while the request stood in line to be woken. */
static void on_wait_back(struct request *request, void *args)
{
    players_identify(request, begin_anew, args);
}

static void on_channel_lost(void *args)
{
    const struct waiter *waiter = args;

    long_poll_wake_one(waiter->wait);
}

/* What a public game tells, it tells anybody. */
static void watch_asker(struct waiter *waiter)
{
    struct request *request = waiter->op->request;
    struct auth_asker asker;

    auth_asker(request, &asker);
    presence_in(&waiter->presence, &asker, waiter->game);
    if (!waiter->channel->public)
        token_holders_in(token_holders_of(request->loop), &waiter->holder, &asker, on_channel_lost,
                         waiter);
}

static enum step wait_by(struct op *op,
                         struct wait *(*begin)(struct request *, int, struct long_poll_owner))
{
    struct channels *channels = channels_of(op->request->loop);
    struct waiter *waiter;
    struct channel *channel;

    if (op->wait_s == 0)
        return STEP_GO;
    /* From here to `begin` the channel may be one that nothing keeps. Nothing in between may call
     * channels_forget_if_unused() for it. */
    channel = channels_need(channels, &op->live->row);
    if (channel->waiting.count == 0)
        watch_in(&channels->waited, &channel->waited, channel);
    waiter = arena_alloc(&op->request->arena, sizeof(*waiter));
    *waiter = (struct waiter){.op = op, .channel = channel, .game = channel->id};
    waiter->wait =
        begin(op->request, op->wait_s,
              (struct long_poll_owner){&channel->waiting, on_wait_ended, on_wait_back, waiter});
    if (waiter->wait == NULL) {
        /* It may not wait. The channel may have been made for it alone. */
        on_wait_ended(waiter);
        return STEP_GO;
    }
    op->wait_s = 0; /* once */
    watch_asker(waiter);
    return STEP_OVER;
}

enum step channels_wait(struct op *op)
{
    return wait_by(op, long_poll_begin);
}

enum step channels_hold(struct op *op)
{
    return wait_by(op, long_poll_hold);
}

/* ---- what is new ---- */

/* The cohorts come first, because long_poll_wake() may take the last thing that keeps the channel.
 * A version that is not above the known one is an answer that a newer one has overtaken. */
void channels_know(struct channel *channel, int32_t version)
{
    struct cohort *cohort;

    if (version <= channel->version)
        return;
    channel->version = version;
    LIST_FOREACH(cohort, &channel->cohorts, beside)
    wake(cohort, true);
    long_poll_wake(long_polls_of(channel->channels->loop), &channel->waiting);
}

/* The copy in memory is marked as outdated before anybody is woken. A woken op then reads the row
 * at once, and does not first ask for the version that is known here already.
 *
 * `looking` stays set until the end: it keeps the channel, which channels_know() might free
 * otherwise. */
static void on_version(void *context, const struct db_reply *reply, const struct db_version *game)
{
    struct channel *channel = context;

    if (reply->outcome == DB_OK) {
        cache_outdate(cache_of(channel->channels->loop), channel->id, game->version);
        channels_know(channel, game->version);
    }
    channel->looking = false;
    channels_forget_if_unused(channel);
}

static void look_at_channels(void *of)
{
    struct channel *channel = of;

    /* A game that is followed and waited for is in two watches, and a slow database may answer
     * later than the next look comes. A second question would tell nothing more. */
    if (channel->looking)
        return;
    channel->looking = true;
    db_get_version(channel->channels->loop->db, channel->id, on_version, channel);
}

/* A game that is followed, too, is looked up for its followers, and that look serves the waits as
 * well. But with thousands of followed games their round takes longer than that of the waits. Then
 * the waits have a look of their own. */
static void look_for_waits(void *of)
{
    const struct channel *channel = of;
    const struct channels *channels = channel->channels;

    if (channel->count == 0 ||
        watch_round_us(&channels->followed) > watch_round_us(&channels->waited))
        look_at_channels(of);
}

static void channels_run(struct loop *loop)
{
    struct channels *channels = channels_of(loop);

    watch_run(&channels->followed);
    watch_run(&channels->waited);
}

static int channels_timeout_ms(const struct loop *loop)
{
    const struct channels *channels = channels_of(loop);

    return parts_sooner(loop_ms_until(loop, watch_next(&channels->followed)),
                        loop_ms_until(loop, watch_next(&channels->waited)));
}

/* ---- all of them ---- */

static void channels_open(struct loop *loop)
{
    static const struct watch_pace followed = {.at_once = AT_ONCE,
                                               .few = 64,
                                               .few_us = 50 * 1000,
                                               .many_us = 250 * 1000,
                                               .least_us = 25 * 1000};
    static const struct watch_pace waited = {.at_once = AT_ONCE, .many_us = 250 * 1000};
    size_t limit = (size_t)(loop->config->streams + loop->config->waits);
    struct channels *channels = must_zero(sizeof(*channels));

    channels->loop = loop;
    watch_init(&channels->followed, loop, &followed, look_at_channels);
    watch_init(&channels->waited, loop, &waited, look_for_waits);
    STAILQ_INIT(&channels->to_read);
    STAILQ_INIT(&channels->to_tell);
    map_open(&channels->by_id, sizeof(db_id), limit);
    loop->own[PART_channels] = channels;
}

/* The streams and the database have ended, so these cohorts have no followers. Cohorts that were
 * READING are here as well: the end of the database answered them, and they were put back. */
static void drop_all(struct cohort_line *line)
{
    struct cohort *cohort;

    while ((cohort = channels_take_first(line)) != NULL) {
        event_page_free(cohort->page);
        cohort->page = NULL;
        cohort->state = RESTING;
        channels_drop_if_empty(cohort);
    }
}

static void channels_close(struct loop *loop)
{
    struct channels *channels = channels_of(loop);

    drop_all(&channels->to_read);
    drop_all(&channels->to_tell);
    map_close(&channels->by_id);
    free(channels);
}

const struct part channels_part = {.open = channels_open,
                                   .run = channels_run,
                                   .timeout_ms = channels_timeout_ms,
                                   .close = channels_close};
