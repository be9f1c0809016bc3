#include "api/stream/token_holders.h"

#include <stdlib.h>
#include <string.h>

#include "api/live/players.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/text/must.h"

enum { AT_ONCE = 256 }; /* players that are looked up at one time */

struct token_holders {
    struct loop *loop;
    struct map by_player;
    struct watch watch; /* one holder of each player: a client may have thousands */
};

/* ---- coming and going ---- */

void token_holders_watch(struct token_holders *holders, struct token_holder *holder,
                         const struct auth_asker *asker, void (*lost)(void *args),
                         void (*seen)(void *args, const struct db_player *player), void *args)
{
    if (!asker->has_player)
        return;
    holder->holders = holders;
    holder->asker = *asker;
    holder->lost = lost;
    holder->seen = seen;
    holder->args = args;
    holder->is_watched = map_find(&holders->by_player, &holder->asker.player) == NULL;
    if (holder->is_watched)
        watch_in(&holders->watch, &holder->watched, holder);
    map_put(&holders->by_player, &holder->link, &holder->asker.player, holder);
}

void token_holders_in(struct token_holders *holders, struct token_holder *holder,
                      const struct auth_asker *asker, void (*lost)(void *args), void *args)
{
    token_holders_watch(holders, holder, asker, lost, NULL, args);
}

/* Another holder of the player has its turn instead, or whoever comes and goes all the time would
 * never be looked up. */
static void pass_on(struct token_holders *holders, struct token_holder *holder)
{
    struct token_holder *heir = map_find(&holders->by_player, &holder->asker.player);

    if (heir == NULL) {
        watch_out(&holders->watch, &holder->watched);
        return;
    }
    watch_instead(&holders->watch, &holder->watched, &heir->watched, heir);
    heir->is_watched = true;
}

void token_holders_out(struct token_holder *holder)
{
    struct token_holders *holders = holder->holders;

    if (holders == NULL)
        return;
    map_take(&holders->by_player, &holder->link);
    if (holder->is_watched)
        pass_on(holders, holder);
    holder->holders = NULL;
}

/* ---- looking ---- */

/* A question about a player. It belongs to no holder, since any of them may go meanwhile. */
struct question {
    struct token_holders *holders;
    db_id player;
};

static bool is_still(const struct token_holder *holder, const struct db_player *player)
{
    return player != NULL &&
           auth_asker_is(&holder->asker, player, db_now(holder->holders->loop->db));
}

/* `player` NULL: there is none. One that is told takes no other with it, so the next one is taken
 * before. A wait that is told has its token looked at again, and this loop must not remember the
 * old one then. */
static void compare_holders(struct token_holders *holders, const db_id *id,
                            const struct db_player *player)
{
    struct token_holder *holder = map_find(&holders->by_player, id), *next;

    for (; holder != NULL; holder = next) {
        next = map_next(&holders->by_player, &holder->link);
        if (is_still(holder, player)) {
            if (holder->seen != NULL)
                holder->seen(holder->args, player);
            continue;
        }
        players_forget(holders->loop, *id);
        token_holders_out(holder);
        holder->lost(holder->args);
    }
}

static void on_bearer_player(void *context, const struct db_reply *reply,
                             const struct db_player *player)
{
    struct question *question = context;

    if (reply->outcome == DB_OK || reply->outcome == DB_NOT_FOUND)
        compare_holders(question->holders, &question->player,
                        reply->outcome == DB_OK ? player : NULL);
    free(question);
}

void token_holders_check(struct token_holders *holders, db_id player)
{
    struct question *question;

    if (map_find(&holders->by_player, &player) == NULL)
        return;
    question = must_zero(sizeof(*question));
    *question = (struct question){holders, player};
    db_get_player(holders->loop->db, player, on_bearer_player, question);
}

static void look_at_holders(void *of)
{
    const struct token_holder *holder = of;

    token_holders_check(holder->holders, holder->asker.player);
}

static void token_holders_run(struct loop *loop)
{
    watch_run(&token_holders_of(loop)->watch);
}

static int token_holders_timeout_ms(const struct loop *loop)
{
    return loop_ms_until(loop, watch_next(&token_holders_of(loop)->watch));
}

/* ---- opening and closing ---- */

static void token_holders_open(struct loop *loop)
{
    static const struct watch_pace pace = {
        .at_once = AT_ONCE, .many_us = TOKEN_HOLDERS_LOOK_US, .steady = true};
    struct token_holders *holders = must_zero(sizeof(*holders));

    holders->loop = loop;
    watch_init(&holders->watch, loop, &pace, look_at_holders);
    map_open(&holders->by_player, sizeof(db_id),
             (size_t)(loop->config->streams + loop->config->waits));
    loop->own[PART_token_holders] = holders;
}

static void token_holders_close(struct loop *loop)
{
    struct token_holders *holders = token_holders_of(loop);

    map_close(&holders->by_player);
    free(holders);
}

const struct part token_holders_part = {.open = token_holders_open,
                                        .run = token_holders_run,
                                        .timeout_ms = token_holders_timeout_ms,
                                        .close = token_holders_close};
