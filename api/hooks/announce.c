/* announce.c - notes the news of a game for the webhooks of its players. */
#include <string.h>

#include "api/duty/due.h"
#include "api/game/words.h"
#include "api/hooks/hooks.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/cache.h"
#include "api/loop/loop.h"
#include "db/hooks.h"

struct announcing {
    struct request *request;
    struct db_due due;
    struct db_announcement news; /* the player is set for each */
    db_id player[DB_SEATS];      /* each once */
    int16_t seats[DB_SEATS];     /* theirs, as bits */
    size_t count, next;
    int16_t clears; /* the seats whose players have no webhooks */
};

static void go_on_with_announcement(struct announcing *announcing);

/* Before the news are noted and after it: a delivery may end or begin in between. */
static void hear(const struct announcing *announcing)
{
    player_deliveries_hear(hooks_of(announcing->request->loop),
                           &announcing->player[announcing->next]);
}

static void announced(void *context, const struct db_reply *reply)
{
    struct announcing *announcing = context;

    if (reply->outcome == DB_NOT_FOUND)
        announcing->clears |= announcing->seats[announcing->next];
    else
        hear(announcing);
    announcing->next++;
    go_on_with_announcement(announcing);
}

static void settle_announcement(void *context)
{
    struct announcing *announcing = context;

    due_settle(announcing->request, &announcing->due, DB_NEVER);
}

/* A time of its own for each announcement: by it due work is known to be other work (db.h). */
static int64_t new_time(struct hooks *hooks)
{
    int64_t now = db_now(hooks->loop->db);

    hooks->announced_at = now > hooks->announced_at ? now : hooks->announced_at + 1;
    return hooks->announced_at;
}

static void go_on_with_announcement(struct announcing *announcing)
{
    struct loop *loop = announcing->request->loop;

    if (announcing->next < announcing->count) {
        announcing->news.player = announcing->player[announcing->next];
        announcing->news.at = new_time(hooks_of(loop));
        hear(announcing);
        db_announce(loop->db, &announcing->news,
                    ASK_ALSO(done, announcing->request, ASK_MISSING, announced, announcing));
        return;
    }
    due_soon(due_of(loop));
    if (announcing->clears != 0)
        db_mark_game(loop->db, announcing->due.id, 0, announcing->clears, NULL,
                     ASK(done, announcing->request, settle_announcement, announcing));
    else
        settle_announcement(announcing);
}

static void add_player(struct announcing *announcing, const db_id *player, int16_t seat)
{
    for (size_t i = 0; i < announcing->count; i++)
        if (memcmp(&announcing->player[i], player, sizeof(*player)) == 0) {
            announcing->seats[i] |= seat;
            return;
        }
    announcing->player[announcing->count] = *player;
    announcing->seats[announcing->count++] = seat;
}

static void know_game(void *context, const struct db_game *game)
{
    struct announcing *announcing = context;

    cache_note_hooks(cache_of(announcing->request->loop), game->id, game->hooks);
    announcing->news.version = game->version;
    for (int seat = 1; seat <= DB_SEATS; seat++) {
        const struct db_seat *held = &game->seat[seat - 1];
        int16_t bit = (int16_t)seat_bit(seat);

        if ((game->hooks & bit) == 0)
            continue;
        if (held->has_player)
            add_player(announcing, &held->player, bit);
        else
            announcing->clears |= bit;
    }
    go_on_with_announcement(announcing);
}

void hooks_keep_news(struct request *request, const struct db_due *due)
{
    struct announcing *announcing = arena_zero(&request->arena, sizeof(*announcing));

    announcing->request = request;
    announcing->due = *due;
    announcing->news.game = due->id;
    announcing->news.since = due->at;
    db_get_game(db_of(request), due->id, ASK(game, request, know_game, announcing));
}
