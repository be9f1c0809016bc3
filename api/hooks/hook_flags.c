/* hook_flags.c - flags the games of a player who makes a webhook. */
#include <string.h>

#include "api/duty/due.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/hooks/hooks.h"
#include "api/hooks/notice.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/players.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "db/hooks.h"

enum { PAGE = 64 }; /* games: each takes some memory of the due work's request */

struct pass {
    struct request *request;
    struct db_due due;
    int64_t since;      /* when the last webhook was made */
    int64_t retries_at; /* a later look, or DB_NEVER */
    struct db_player_list list;
    struct db_cursor after;
    struct db_due news[PAGE];
    size_t open; /* marks that are being written */
    bool over;   /* it goes through the games that are over */
    bool more, wrote, failed;
    bool announces; /* games that wait for the player, which a new receiver is to count */
};

static void know_flagged_page(void *context, const struct db_games *page);

static void read_flagged_page(struct pass *pass)
{
    db_player_games(db_of(pass->request), &pass->list,
                    ASK(games, pass->request, know_flagged_page, pass));
}

/* First come the games that go on, then those that are over. */
static void begin_pass(struct pass *pass, bool over)
{
    static const int16_t statuses[] = {STATUS_OPEN, STATUS_ACTIVE, STATUS_FINISHED, STATUS_ABORTED};

    pass->over = over;
    pass->wrote = false;
    pass->list = (struct db_player_list){
        .list = {.statuses = statuses + 2 * over, .nstatuses = 2, .limit = PAGE},
        .player = pass->due.id};
    read_flagged_page(pass);
}

/* Games in which something happened meanwhile have moved to the front of the list. So there is
 * another pass, until one finds nothing. */
static void end_page(struct pass *pass)
{
    if (pass->failed) {
        due_settle(pass->request, &pass->due, db_now(db_of(pass->request)));
    } else if (pass->more) {
        pass->list.list.after = &pass->after;
        read_flagged_page(pass);
    } else if (pass->wrote) {
        pass->announces = false;
        begin_pass(pass, false);
    } else if (!pass->over) {
        begin_pass(pass, true);
    } else {
        due_settle(pass->request, &pass->due, pass->retries_at);
    }
}

static void on_marked(void *context, const struct db_reply *reply)
{
    struct pass *pass = context;

    pass->failed |= reply->outcome != DB_OK;
    if (--pass->open == 0)
        end_page(pass);
}

static void mark(struct pass *pass, const struct db_game *game)
{
    struct db *db = db_of(pass->request);
    unsigned seats = row_seats_of(game, pass->due.id), lacking = seats & ~(unsigned)game->hooks;
    struct db_due *news = &pass->news[pass->open];

    if (lacking == 0 && !(pass->announces && notice_waits(game, seats)))
        return;
    *news = (struct db_due){game->id, DUE_NEWS, db_now(db)};
    pass->open++;
    pass->wrote |= lacking != 0;
    db_mark_game(db, game->id, (int16_t)lacking, 0, news, on_marked, pass);
}

static void know_flagged_page(void *context, const struct db_games *page)
{
    struct pass *pass = context;

    pass->more = page->next != NULL;
    if (pass->more)
        pass->after = *page->next;
    for (size_t i = 0; i < page->count && i < PAGE; i++) {
        if (pass->over && page->items[i].updated_at < pass->since)
            pass->more = false; /* so are all that follow: it was over before */
        else
            mark(pass, &page->items[i]);
    }
    if (pass->open == 0)
        end_page(pass);
}

/* Somebody may sit down by a loop that remembers the player from before they had a webhook, and a
 * game may just be unmarked by one that found none. Both end in time, so a second look after that
 * finds what the first one has missed. */
static void know_hooks(void *context, const struct db_hooks *hooks)
{
    struct pass *pass = context;
    const struct loop *loop = pass->request->loop;
    int64_t settled;

    if (hooks->count == 0) {
        due_settle(pass->request, &pass->due, DB_NEVER);
        return;
    }
    pass->since = hooks->items[hooks->count - 1].created_at;
    settled = pass->since + 2 * PLAYERS_FRESH_US + 4 * INT64_C(1000) * loop->config->db_deadline_ms;
    pass->retries_at = db_now(loop->db) < settled ? settled : DB_NEVER;
    pass->announces = pass->retries_at == DB_NEVER;
    begin_pass(pass, false);
}

void hooks_keep_marks(struct request *request, const struct db_due *due)
{
    struct pass *pass = arena_zero(&request->arena, sizeof(*pass));

    pass->request = request;
    pass->due = *due;
    db_get_hooks(db_of(request), due->id, ASK(hooks, request, know_hooks, pass));
}
