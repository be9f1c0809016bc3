/*
 * player_games.c - brings a change of a player into their games, as due work.
 *
 * A player's change is stored with a promise (due.h), and this keeps it. It goes through the games
 * of the player, a page at a time, compares each with the player and writes what differs, as
 * events:
 *   - another name: where the game goes on. A game that is over keeps the name that it was played
 *     under;
 *   - they have left: a game that goes on is resigned, or called off if a side has not moved yet.
 *     Then name, player and token are taken off the seat, in all games;
 *   - the tokens of their seats end: in all games that were made before that was asked for. The
 *     player's own token plays them;
 *   - a vacation, or its end: where the game's clock heeds vacations.
 * A seat that is only kept for them has nothing of theirs.
 * What is done already is not done again. So a pass that was cut short, or that two daemons make at
 * once, does no harm.
 */
#include <string.h>

#include "api/duty/due.h"
#include "api/duty/heartbeat.h"
#include "api/endpoints/use_case.h"
#include "api/game/clock.h"
#include "api/game/draft.h"
#include "api/game/rights.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/text/problem.h"
#include "db/due.h"
#include "rules/rules.h"

enum { PAGE = 200 }; /* games */

#define LATER_US (60 * CLOCK_SECOND)

/* All of it is the memory of the promise's request. That of each game is its own (due_request()),
 * so a player with many games takes no more. */
struct pass {
    struct request *request;
    struct db_due promise; /* with the time that it is for by now */
    int64_t asked_at;      /* when the pass was, at the latest */
    struct db_player player;
    struct db_span vacation; /* the last one; to 0: there was none lately */
    struct db_player_list list;
    struct db_cursor after;
    db_id game[PAGE]; /* of a page, those that differ */
    size_t count, next;
    bool more;   /* there are further pages */
    bool wrote;  /* a game has changed, and so may the order of the list */
    bool failed; /* at a game */
};

/* ---- what differs ---- */

static bool has_left(const struct pass *pass)
{
    return pass->player.left_at != DB_NEVER;
}

/* The vacation that a seat's clock must learn, if its present one is not that. */
static bool lacks_vacation(const struct pass *pass, const struct db_game *row, int seat,
                           struct arena *arena, int64_t now)
{
    int64_t until = pass->vacation.to > now ? pass->vacation.to : now;
    struct clock clock;
    int64_t away;

    if (row->status != STATUS_ACTIVE || row->clock == NULL || !clock_load(arena, row, &clock) ||
        !clock.terms.vacation)
        return false;
    away = clock.state.remote_until[seat - 1];
    return (away > now || until > now) && away != until;
}

static bool seat_differs(const struct pass *pass, const struct db_game *row, int seat,
                         struct arena *arena, int64_t now)
{
    const struct db_seat *held = &row->seat[seat - 1];

    if (!held->has_player || held->state == SEAT_CHALLENGED ||
        memcmp(&held->player, &pass->player.id, sizeof(db_id)) != 0)
        return false;
    if (has_left(pass))
        return true;
    if (pass->promise.kind == DUE_VACATION)
        return lacks_vacation(pass, row, seat, arena, now);
    if (pass->promise.kind == DUE_SEATS)
        return held->has_token && row->created_at <= pass->asked_at;
    return status_goes_on(row->status) &&
           (held->name == NULL || strcmp(held->name, pass->player.name) != 0);
}

/* The seats of a game that differ from their player, as bits. */
static unsigned differing_seats(const struct pass *pass, const struct db_game *row,
                                struct arena *arena, int64_t now)
{
    unsigned seats = 0;

    for (int seat = 1; seat <= DB_SEATS; seat++)
        if (seat_differs(pass, row, seat, arena, now))
            seats |= seat_bit(seat);
    return seats;
}

/* ---- at a game ---- */

/* A player who held both sides gives up as the one to move. */
static void give_up(struct draft *draft, unsigned seats)
{
    const struct db_game *row = &draft->row;
    int seat = seats == SEATS_BOTH ? row->to_move : seats == seat_bit(1) ? 1 : 2;

    if (row->status == STATUS_OPEN || may_not_abort(row, seats) == PROBLEM_NONE)
        draft_stop(draft, STATUS_ABORTED, 0, NULL, EVENT_ABORTED, seat);
    else
        draft_stop(draft, STATUS_FINISHED, (int)rules_other((unsigned)seat), "resign",
                   EVENT_RESIGNED, seat);
}

static void take_off(struct draft *draft, int seat)
{
    struct db_seat *held = &draft->row.seat[seat - 1];

    held->name = NULL;
    held->has_player = held->has_token = false;
    draft_data(draft, draft_event(draft, EVENT_SEAT, seat), "\"left\":true");
}

/* In lists by activity, a game that was over stays where it is. */
static void leave_seats(struct draft *draft, unsigned seats)
{
    int64_t updated_at = draft->row.updated_at;
    bool was_over = !draft_goes_on(draft);

    if (!was_over)
        give_up(draft, seats);
    for (int seat = 1; seat <= DB_SEATS; seat++)
        if ((seats & seat_bit(seat)) != 0)
            take_off(draft, seat);
    if (was_over)
        draft->row.updated_at = updated_at;
}

/* The log has no names: they could not be taken off again. */
static void rename_seat(const struct pass *pass, struct draft *draft, int seat)
{
    draft->row.seat[seat - 1].name =
        arena_copy(draft->arena, pass->player.name, strlen(pass->player.name));
    draft_data(draft, draft_event(draft, EVENT_SEAT, seat), "\"name\":true");
}

static void end_token(struct draft *draft, int seat)
{
    draft->row.seat[seat - 1].has_token = false;
    draft_data(draft, draft_event(draft, EVENT_SEAT, seat), "\"token\":true");
}

static void tell_vacation(const struct pass *pass, struct draft *draft, int seat)
{
    struct db_span vacation = pass->vacation;

    if (vacation.to <= draft->now) /* they are back early */
        vacation = (struct db_span){draft->now, draft->now};
    draft_leave(draft, seat, &vacation);
}

static enum step write_left_game(struct op *op, unsigned seats)
{
    struct pass *pass = op->args;
    struct draft *draft = use_case_draft(op);
    int64_t updated_at = draft->row.updated_at;
    bool was_over = !draft_goes_on(draft);

    pass->wrote = true;
    draft->joins = true;
    if (has_left(pass))
        leave_seats(draft, seats);
    for (int seat = 1; seat <= DB_SEATS && !has_left(pass); seat++) {
        if ((seats & seat_bit(seat)) == 0)
            continue;
        if (pass->promise.kind == DUE_VACATION)
            tell_vacation(pass, draft, seat);
        else if (pass->promise.kind == DUE_SEATS)
            end_token(draft, seat);
        else
            rename_seat(pass, draft, seat);
    }
    if (was_over && pass->promise.kind == DUE_SEATS)
        draft->row.updated_at = updated_at; /* it stays where it is in lists by activity */
    return use_case_write_first(op, draft);
}

/* Once the game is as the player is, the request is over. */
static enum step step_game(struct op *op)
{
    unsigned seats = differing_seats(op->args, &op->live->row, &op->request->arena, op->now);
    enum step step;

    if (seats == 0)
        step = op_need_confirmed(op);
    else if (op->live->row.clock != NULL)
        step = heartbeat_need(op, op->now - HEARTBEAT_OUTAGE_US);
    else
        step = STEP_GO;
    if (step != STEP_GO)
        return step;
    if (seats != 0)
        return write_left_game(op, seats);
    reply_empty(op->request, 204);
    return STEP_OVER;
}

/* ---- through the games ---- */

static void go_on_leaving(struct pass *pass);
static void read_left_games(void *pass);

static void on_game(void *context, struct request *request)
{
    struct pass *pass = context;

    pass->failed |= request->reply.status >= 300;
    go_on_leaving(pass);
}

static void begin_game(struct pass *pass, db_id game)
{
    op_submit(op_new(due_request(pass->request, on_game, pass), step_game, pass), game);
}

/* A pass may take longer than the lease of its promise. So the promise is moved ahead with each
 * page, lest others begin the same. */
static void move_promise(struct pass *pass)
{
    struct db *db = db_of(pass->request);
    int64_t claimed_at = pass->promise.at;

    pass->promise.at = db_now(db) + LATER_US;
    db_settle_due(db, &pass->promise, claimed_at, ASK(done, pass->request, read_left_games, pass));
}

/* What was missed is found by another pass: games in which something happened meanwhile have moved
 * to the front of the list. And a game that a player joined at another loop, which did not know yet
 * that they have left, is found a little later. */
static void end_pass(struct pass *pass)
{
    int64_t now = db_now(db_of(pass->request)), retries_at = DB_NEVER;

    if (pass->wrote && !pass->failed) {
        pass->wrote = false;
        pass->list.list.after = NULL;
        move_promise(pass);
        return;
    }
    if (has_left(pass) && now < pass->player.left_at + 2 * PLAYERS_FRESH_US)
        retries_at = pass->player.left_at + 2 * PLAYERS_FRESH_US;
    if (pass->failed)
        retries_at = now + LATER_US;
    due_settle(pass->request, &pass->promise, retries_at);
}

static void go_on_leaving(struct pass *pass)
{
    if (pass->request->loop->draining)
        reply_problem(pass->request, PROBLEM_OVERLOADED, NULL); /* another daemon will go on */
    else if (pass->next < pass->count)
        begin_game(pass, pass->game[pass->next++]);
    else if (pass->more)
        move_promise(pass);
    else
        end_pass(pass);
}

static bool is_left_game_readable(const struct db_game *row, struct arena *arena)
{
    struct clock clock;

    return row_is_known(row) && (row->clock == NULL || clock_load(arena, row, &clock));
}

/* A game that only a newer program can read is left to it, and so is what it must learn: the pass
 * has failed there, and is made again later. */
static void know_left_games(void *context, const struct db_games *page)
{
    struct pass *pass = context;
    struct arena arena = {NULL, NULL, NULL}; /* of this call: there may be many pages */
    int64_t now = db_now(db_of(pass->request));

    pass->count = pass->next = 0;
    for (size_t i = 0; i < page->count && i < PAGE; i++)
        if (!is_left_game_readable(&page->items[i], &arena))
            pass->failed = true;
        else if (differing_seats(pass, &page->items[i], &arena, now) != 0)
            pass->game[pass->count++] = page->items[i].id;
    arena_free(&arena);
    pass->more = page->next != NULL;
    if (pass->more) {
        pass->after = *page->next;
        pass->list.list.after = &pass->after;
    }
    go_on_leaving(pass);
}

static void read_left_games(void *context)
{
    struct pass *pass = context;

    db_player_games(db_of(pass->request), &pass->list,
                    ASK(games, pass->request, know_left_games, pass));
}

/* ---- the player ---- */

static void know_leavers_vacations(void *context, const struct db_spans *spans)
{
    struct pass *pass = context;

    if (spans->count > 0)
        pass->vacation = spans->items[spans->count - 1];
    read_left_games(pass);
}

static void know_leaver(void *context, const struct db_reply *reply, const struct db_player *player)
{
    static const int16_t going_on[] = {STATUS_OPEN, STATUS_ACTIVE};
    struct pass *pass = context;
    struct request *request = pass->request;

    if (reply->outcome == DB_NOT_FOUND) {
        due_settle(request, &pass->promise, DB_NEVER);
        return;
    }
    pass->player = *player;
    pass->player.name = arena_copy(&request->arena, pass->player.name, strlen(pass->player.name));
    pass->list = (struct db_player_list){.list = {.limit = PAGE}, .player = player->id};
    if (!has_left(pass) && pass->promise.kind != DUE_SEATS) {
        pass->list.list.statuses = going_on;
        pass->list.list.nstatuses = 2;
    }
    /* A vacation takes 30 days at most. One that is older was over as planned. */
    if (pass->promise.kind == DUE_VACATION && !has_left(pass))
        db_get_vacations(db_of(request), pass->player.id, db_now(db_of(request)) - 31 * CLOCK_DAY,
                         ASK(spans, request, know_leavers_vacations, pass));
    else
        read_left_games(pass);
}

void player_games_keep(struct request *request, const struct db_due *due)
{
    struct pass *pass = arena_zero(&request->arena, sizeof(*pass));

    pass->request = request;
    pass->promise = *due;
    pass->asked_at = due->at;
    db_get_player(db_of(request), due->id,
                  ASK_ALSO(player, request, ASK_MISSING, know_leaver, pass));
}
