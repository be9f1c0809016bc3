#include "api/stream/bearers.h"

#include <stdlib.h>
#include <string.h>

#include "api/live/players.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/text/must.h"

enum { AT_ONCE = 256 }; /* players that are looked up at one time */

struct bearers {
    struct loop *loop;
    struct map by_player;
    struct watch watch; /* one bearer of each player: a client may have thousands */
};

/* ---- coming and going ---- */

void bearers_watch(struct bearers *bearers, struct bearer *bearer, const struct auth_asker *asker,
                   void (*lost)(void *args),
                   void (*seen)(void *args, const struct db_player *player), void *args)
{
    if (!asker->has_player)
        return;
    bearer->bearers = bearers;
    bearer->asker = *asker;
    bearer->lost = lost;
    bearer->seen = seen;
    bearer->args = args;
    bearer->is_watched = map_find(&bearers->by_player, &bearer->asker.player) == NULL;
    if (bearer->is_watched)
        watch_in(&bearers->watch, &bearer->watched, bearer);
    map_put(&bearers->by_player, &bearer->link, &bearer->asker.player, bearer);
}

void bearers_in(struct bearers *bearers, struct bearer *bearer, const struct auth_asker *asker,
                void (*lost)(void *args), void *args)
{
    bearers_watch(bearers, bearer, asker, lost, NULL, args);
}

/* Another bearer of the player has its turn instead, or whoever comes and goes all the time would
 * never be looked up. */
static void pass_on(struct bearers *bearers, struct bearer *bearer)
{
    struct bearer *heir = map_find(&bearers->by_player, &bearer->asker.player);

    if (heir == NULL) {
        watch_out(&bearers->watch, &bearer->watched);
        return;
    }
    watch_instead(&bearers->watch, &bearer->watched, &heir->watched, heir);
    heir->is_watched = true;
}

void bearers_out(struct bearer *bearer)
{
    struct bearers *bearers = bearer->bearers;

    if (bearers == NULL)
        return;
    map_take(&bearers->by_player, &bearer->link);
    if (bearer->is_watched)
        pass_on(bearers, bearer);
    bearer->bearers = NULL;
}

/* ---- looking ---- */

/* A question about a player. It belongs to no bearer, since any of them may go meanwhile. */
struct question {
    struct bearers *bearers;
    db_id player;
};

static bool is_still(const struct bearer *bearer, const struct db_player *player)
{
    return player != NULL &&
           auth_asker_is(&bearer->asker, player, db_now(bearer->bearers->loop->db));
}

/* `player` NULL: there is none. One that is told takes no other with it, so the next one is taken
 * before. A wait that is told has its token looked at again, and this loop must not remember the
 * old one then. */
static void compare_bearers(struct bearers *bearers, const db_id *id,
                            const struct db_player *player)
{
    struct bearer *bearer = map_find(&bearers->by_player, id), *next;

    for (; bearer != NULL; bearer = next) {
        next = map_next(&bearers->by_player, &bearer->link);
        if (is_still(bearer, player)) {
            if (bearer->seen != NULL)
                bearer->seen(bearer->args, player);
            continue;
        }
        players_forget(bearers->loop, *id);
        bearers_out(bearer);
        bearer->lost(bearer->args);
    }
}

static void on_bearer_player(void *context, const struct db_reply *reply,
                             const struct db_player *player)
{
    struct question *question = context;

    if (reply->outcome == DB_OK || reply->outcome == DB_NOT_FOUND)
        compare_bearers(question->bearers, &question->player,
                        reply->outcome == DB_OK ? player : NULL);
    free(question);
}

void bearers_check(struct bearers *bearers, db_id player)
{
    struct question *question;

    if (map_find(&bearers->by_player, &player) == NULL)
        return;
    question = must_zero(sizeof(*question));
    *question = (struct question){bearers, player};
    db_get_player(bearers->loop->db, player, on_bearer_player, question);
}

static void look_at_bearers(void *of)
{
    const struct bearer *bearer = of;

    bearers_check(bearer->bearers, bearer->asker.player);
}

static void bearers_run(struct loop *loop)
{
    watch_run(&bearers_of(loop)->watch);
}

static int bearers_timeout_ms(const struct loop *loop)
{
    return loop_ms_until(loop, watch_next(&bearers_of(loop)->watch));
}

/* ---- opening and closing ---- */

static void bearers_open(struct loop *loop)
{
    static const struct watch_pace pace = {
        .at_once = AT_ONCE, .many_us = BEARERS_LOOK_US, .steady = true};
    struct bearers *bearers = must_zero(sizeof(*bearers));

    bearers->loop = loop;
    watch_init(&bearers->watch, loop, &pace, look_at_bearers);
    map_open(&bearers->by_player, sizeof(db_id),
             (size_t)(loop->config->streams + loop->config->waits));
    loop->own[PART_bearers] = bearers;
}

static void bearers_close(struct loop *loop)
{
    struct bearers *bearers = bearers_of(loop);

    map_close(&bearers->by_player);
    free(bearers);
}

const struct part bearers_part = {.open = bearers_open,
                                  .run = bearers_run,
                                  .timeout_ms = bearers_timeout_ms,
                                  .close = bearers_close};
