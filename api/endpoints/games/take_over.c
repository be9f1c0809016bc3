/*
 * take_over.c - a player takes over the seats of which they have the token.
 *
 * Whoever has played as nobody, by the token of a seat alone, shows that token, and holds the seat
 * as a player from then on: the game is one of theirs, on all of their devices, and they are told
 * of it. The token stays good, as that of a seat does that a player has joined; seat_token.c
 * replaces it.
 *
 * A seat that is a player's already is taken from nobody, whoever has its token. Everybody sees
 * whose it has become, by an event.
 */
#include <string.h>

#include "api/duty/heartbeat.h"
#include "api/endpoints/games/retries.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/words.h"
#include "api/http/body.h"
#include "api/http/request.h"
#include "api/live/auth.h"
#include "api/live/op.h"
#include "api/live/players.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "db/db.h"

enum { TOKEN_MAX = 256 }; /* bytes */

struct taking_over {
    struct guard guard;
    const char *token; /* of a seat */
};

/* Both seats are looked at whichever fits, as auth_asker_seats() does. */
static unsigned seats_of_token(const char *token, const struct db_game *row)
{
    unsigned seats = 0;

    for (int seat = 1; seat <= DB_SEATS; seat++) {
        const struct db_seat *held = &row->seat[seat - 1];
        bool fits = auth_token_fits(token, held->token);

        seats |= fits && held->has_token ? seat_bit(seat) : 0;
    }
    return seats;
}

static bool has_other_player(const struct db_game *row, unsigned seats)
{
    for (int seat = 1; seat <= DB_SEATS; seat++)
        if ((seats & seat_bit(seat)) != 0 && row->seat[seat - 1].has_player)
            return true;
    return false;
}

/* A game that is over keeps the names that it was played under. In an event, programs that do not
 * know its member `player` read that of the name. */
static void give_seat(struct draft *draft, int seat, const struct player *player)
{
    struct db_seat *held = &draft->row.seat[seat - 1];

    held->has_player = true;
    held->player = player->id;
    if (draft_goes_on(draft))
        held->name = player->name;
    draft->row.hooks |= (int16_t)(player->hooks ? seat_bit(seat) : 0);
    draft_data(draft, draft_event(draft, EVENT_SEAT, seat), "\"name\":true,\"player\":true");
}

static enum step take_over(struct op *op, unsigned seats)
{
    struct draft *draft = use_case_draft(op);
    int64_t updated_at = draft->row.updated_at;

    for (int seat = 1; seat <= DB_SEATS; seat++)
        if ((seats & seat_bit(seat)) != 0)
            give_seat(draft, seat, op->request->player);
    if (!draft_goes_on(draft))
        draft->row.updated_at = updated_at; /* it stays where it is in lists by activity */
    draft->joins = true;
    draft->seats |= seats;
    return use_case_write_game(op, draft);
}

static enum step refuse_token(struct op *op)
{
    if (use_case_hides(op))
        return use_case_refuse(op, PROBLEM_NO_SUCH_GAME, NULL);
    return use_case_refuse(op, PROBLEM_NOT_YOUR_SEAT,
                           "That token is of no seat of this game, or was replaced.");
}

static enum step step_take_over(struct op *op)
{
    const struct taking_over *args = op->args;
    const struct db_game *row = &op->live->row;
    unsigned shown = seats_of_token(args->token, row), seats;
    enum step step;

    if (shown == 0)
        return refuse_token(op);
    if (op_tells_first(op))
        return STEP_OVER;
    if (!guard_holds(&args->guard, row))
        return use_case_refuse_version(op);
    seats = shown & ~auth_seats(op->request, row);
    if (seats == 0)
        return use_case_answer_game(op);
    if (has_other_player(row, seats))
        return use_case_refuse(op, PROBLEM_SEAT_TAKEN,
                               "Another player holds that seat. Its token takes it from nobody.");
    step = row->clock == NULL ? STEP_GO : heartbeat_need(op, op->now - HEARTBEAT_OUTAGE_US);
    return step == STEP_GO ? take_over(op, seats) : step;
}

static void take_token(struct json_fields *fields, void *context)
{
    static const char wish[] = "The token of your seat is expected: {\"token\":\"plyd_seat_...\"}.";
    struct taking_over *args = context;

    if (!json_take_string(fields, "token", TOKEN_MAX, &args->token))
        json_missing(fields, "token", wish);
    else if (!auth_is_seats(args->token))
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "token", wish);
    else
        args->token = body_keep(fields, args->token);
}

void handle_take_over(struct request *request)
{
    struct taking_over *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (auth_require_player(request) && input_id(request, &id) &&
        guard_read_args(request, &args->guard, "token", take_token, args))
        use_case_submit(request, id, step_take_over, retries_game, args);
}
