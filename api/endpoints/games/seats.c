/* seats.c - taking a seat, resigning, aborting. */
#include <string.h>

#include "api/endpoints/games/challenge.h"
#include "api/endpoints/games/retries.h"
#include "api/endpoints/games/seats.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/draft.h"
#include "api/game/rights.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/auth.h"
#include "api/live/op.h"
#include "api/live/players.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"
#include "rules/rules.h"

int seats_named(const struct rules_game *game, const char *text)
{
    if (text == NULL)
        return 0;
    for (int i = 0; i < DB_SEATS; i++)
        if (strcmp(text, game->seat[i].name) == 0 || strcmp(text, i == 0 ? "1" : "2") == 0)
            return i + 1;
    return -1;
}

enum step seats_refuse_name(struct op *op)
{
    const struct rules_game *game = op->live->game;

    reply_problem_at(op->request, PROBLEM_BAD_PARAMETER, "/seat",
                     arena_format(&op->request->arena, "1, 2, %s or %s is expected.",
                                  game->seat[0].name, game->seat[1].name));
    return STEP_OVER;
}

/* ---- join ---- */

/* Whether a seat may be taken by somebody who joins like this. With a code, it must be the seat's;
 * and that of a challenge is its player's. */
static bool is_theirs(const struct op *op, const struct db_seat *seat, const char *invitation)
{
    bool reserved = row_is_reserved(seat, op->now);

    if (seat->state == SEAT_CHALLENGED)
        return reserved && invitation == NULL && auth_is_challenged(op->request, &op->live->row);
    if (seat->state != SEAT_OPEN)
        return false;
    return invitation == NULL ? !reserved
                              : reserved && auth_token_fits(invitation, seat->invitation);
}

/* The seat that is wanted (0: the first one), if it may be taken. 0: it may not. */
static int free_seat(const struct op *op, const char *invitation, int wanted)
{
    for (int i = 0; i < DB_SEATS; i++)
        if (is_theirs(op, &op->live->row.seat[i], invitation) && (wanted == 0 || wanted == i + 1))
            return i + 1;
    return 0;
}

/* Why nobody may take the seat that is wanted in this way. A seat of a game that is not open may be
 * open, too: the game is over, perhaps from a record that ended. */
static enum problem why_not(const struct op *op, int wanted)
{
    const struct seat_args *args = op->args;
    const struct db_game *row = &op->live->row;
    bool open = false;

    for (int i = 0; i < DB_SEATS; i++)
        open |= row->seat[i].state == SEAT_OPEN && (wanted == 0 || wanted == i + 1);
    if (row->status == STATUS_ABORTED || (open && row->status != STATUS_OPEN))
        return PROBLEM_RULE_GAME_OVER;
    if (args->invitation != NULL || auth_is_challenged(op->request, row))
        return PROBLEM_INVITATION_VOID;
    return open ? PROBLEM_SEAT_RESERVED : PROBLEM_SEAT_TAKEN;
}

void seats_sit(struct draft *draft, int seat, const struct sitter *sitter)
{
    struct db_game *row = &draft->row;
    struct db_seat *taken = &row->seat[seat - 1];

    *taken = (struct db_seat){.state = SEAT_TAKEN,
                              .name = sitter->name,
                              .has_player = sitter->has_player,
                              .player = sitter->player,
                              .has_token = sitter->token != NULL};
    if (sitter->token != NULL)
        memcpy(taken->token, sitter->token, sizeof(taken->token));
    row->hooks |= (int16_t)(sitter->has_hooks ? seat_bit(seat) : 0);
    draft->joins = true;
    draft->seats |= seat_bit(seat);
    draft_event(draft, EVENT_JOINED, seat);
    if (row_has_open_seat(row))
        return;
    row->status = STATUS_ACTIVE;
    if (draft->clock != NULL)
        clock_start(draft->clock, draft->now);
}

/* The token by which the player of a rematch plays the game before it: it plays this one, too, as
 * that of the other seat does. NULL: there is none. */
static const uint8_t *token_from_before(const struct op *op, const struct origin *origin, int seat)
{
    const struct db_seat *before = &origin->seat[DB_SEATS - seat];

    return op->live->row.seat[seat - 1].state == SEAT_CHALLENGED && origin->knows_seats &&
                   before->has_token && before->has_player &&
                   memcmp(&before->player, &op->request->player->id, sizeof(db_id)) == 0
               ? before->token
               : NULL;
}

/* Whoever asks: a player, if one does. The same player may hold both seats. The name of the request
 * counts before the player's own. */
static struct sitter who_joins(const struct op *op)
{
    const struct seat_args *args = op->args;
    const struct player *player = op->request->player;

    if (player == NULL)
        return (struct sitter){.name = args->name};
    return (struct sitter){.name = args->name != NULL ? args->name : player->name,
                           .has_player = true,
                           .player = player->id,
                           .has_hooks = player->hooks};
}

static enum step join(struct op *op, int seat)
{
    const struct origin *origin = &((const struct seat_args *)op->args)->origin;
    struct draft *draft = use_case_draft(op);
    struct sitter sitter = who_joins(op);
    char token[AUTH_TOKEN_TEXT] = "";
    uint8_t hash[DB_HASH_BYTES];
    struct game_view view;

    sitter.token = token_from_before(op, origin, seat);
    if (sitter.token == NULL) {
        auth_new_token(token, hash);
        sitter.token = hash;
    }
    draft->follows = origin->is_rematch;
    /* No computer can be to move now: whoever made the game plays the other seat. */
    seats_sit(draft, seat, &sitter);
    view = use_case_draft_view(op->request, draft, draft->seats);
    return use_case_write(op, draft, 200, use_case_token_document(op->request, &view, token, seat));
}

static enum step accept_challenge(struct op *op, int seat)
{
    struct seat_args *args = op->args;
    enum step step = origin_know_seats(op, &args->origin, op->live->row.id);

    return step == STEP_GO ? join(op, seat) : step;
}

/* Whoever comes a second time, from another device or after a lost answer, has the seat already.
 * Its token is not told again. */
static enum step welcome_back(struct op *op, int seat)
{
    struct request *request = op->request;
    struct game_view view = use_case_view(op);
    enum step step = op_need_confirmed(op);
    struct json json;

    if (step != STEP_GO)
        return step;
    if (request->form == FORM_TEXT)
        return use_case_answer_game(op);
    json_init(&json, &request->arena);
    json_open(&json, '{');
    view_game(&json, &view, request->choice);
    json_member(&json, "token", "");
    json_member_int(&json, "seat", seat);
    use_case_add_game(&json, op, &view);
    json_finish(&json);
    reply_header(request, "ETag", reply_etag(&request->arena, view.row->version));
    reply_json(request, 200, &json);
    return STEP_OVER;
}

/* Joins somebody who plays `seats` already by the invitation of a seat; 0: it is none's, or no seat
 * is open. */
static enum step join_again(struct op *op, unsigned seats, int named, int seat)
{
    const struct seat_args *args = op->args;

    if (seat != 0)
        return args->hot_seat ? join(op, seat) : use_case_refuse(op, PROBLEM_OWN_INVITATION, NULL);
    seat = named != 0 ? named : use_case_seat(&op->live->row, seats);
    if ((seats & seat_bit(seat)) == 0)
        return use_case_refuse(op, why_not(op, named), NULL);
    return welcome_back(op, seat);
}

/* Whether a player who plays a seat asks for one when none is open. (By the token of a seat anybody
 * may ask for another one.) */
static bool is_there_already(const struct op *op, int named)
{
    return op->request->player != NULL && why_not(op, named) == PROBLEM_SEAT_TAKEN;
}

static enum step step_join(struct op *op)
{
    const struct seat_args *args = op->args;
    const struct db_game *row = &op->live->row;
    bool open = row->status == STATUS_OPEN;
    int named = seats_named(op->live->game, args->seat);
    int seat = open ? free_seat(op, args->invitation, named) : 0;
    unsigned seats = auth_seats(op->request, row);

    if (op_tells_first(op))
        return STEP_OVER;
    /* Whoever knows the id of a private game was invited, as long as there is a seat to take.
     * Afterwards the game is hidden from strangers again, and so is why they may not join. */
    if (seat == 0 && !(open && free_seat(op, NULL, 0) != 0) && use_case_hides(op))
        return use_case_refuse(op, PROBLEM_NO_SUCH_GAME, NULL);
    if (named < 0)
        return seats_refuse_name(op);
    if (!guard_holds(&args->guard, row))
        return use_case_refuse_version(op);
    if (seats != 0 && (args->invitation != NULL || (seat == 0 && is_there_already(op, named))))
        return join_again(op, seats, named, seat);
    if (seat == 0)
        return use_case_refuse(op, why_not(op, named), challenge_end(row));
    return row->seat[seat - 1].state == SEAT_CHALLENGED ? accept_challenge(op, seat)
                                                        : join(op, seat);
}

/* Each does what `args` ask for in a game, and answers. `args` must live as long as the request. */
static void seats_join(struct request *request, db_id id, struct seat_args *args)
{
    if (auth_nobody_or_player(request))
        use_case_submit(request, id, step_join, NULL, args);
}

/* ---- resign and abort ---- */

/* Whether the asker may end the game for a seat, which *seat is then. `may_not` tells what the
 * state of the game has against it. */
static enum step may_leave(struct op *op,
                           enum problem (*may_not)(const struct db_game *row, unsigned seats),
                           int *seat)
{
    const struct seat_args *args = op->args;
    const struct db_game *row = &op->live->row;
    int named = seats_named(op->live->game, args->seat);
    enum problem why;
    unsigned seats;
    enum step step = use_case_may_act(op, &args->guard, &seats);

    if (step != STEP_GO)
        return step;
    if (named < 0)
        return seats_refuse_name(op);
    *seat = named != 0 ? named : use_case_seat(row, seats);
    if ((seats & seat_bit(*seat)) == 0)
        return use_case_refuse(op, PROBLEM_NOT_YOUR_SEAT, NULL);
    why = may_not(row, seats);
    if (why == PROBLEM_NONE)
        return STEP_GO;
    return use_case_refuse(
        op, why,
        row->status == STATUS_OPEN ? "Nobody has joined yet; abort the game instead." : NULL);
}

static enum step step_resign(struct op *op)
{
    int seat;
    enum step step = may_leave(op, may_not_resign, &seat);

    if (step != STEP_GO)
        return step;
    return use_case_end(op, use_case_draft(op), STATUS_FINISHED, (int)rules_other((unsigned)seat),
                        "resign", EVENT_RESIGNED, seat);
}

void seats_resign(struct request *request, db_id id, struct seat_args *args)
{
    use_case_submit(request, id, step_resign, retries_game, args);
}

static enum step step_abort(struct op *op)
{
    int seat;
    enum step step = may_leave(op, may_not_abort, &seat);

    if (step != STEP_GO)
        return step;
    return use_case_end(op, use_case_draft(op), STATUS_ABORTED, 0, NULL, EVENT_ABORTED, seat);
}

static void seats_abort(struct request *request, db_id id, struct seat_args *args)
{
    use_case_submit(request, id, step_abort, retries_game, args);
}

/* ---- requests ---- */

/* A seat is a number or a name, so it may come as either in JSON; in a form all values are texts.
 */
static void take_wanted_seat(struct json_fields *fields, void *context)
{
    struct seat_args *args = context;
    const char *seat = NULL;

    if (json_take_scalar(fields, "seat", &seat))
        args->seat = body_keep(fields, seat);
}

static void take_seat_to_join(struct json_fields *fields, void *context)
{
    struct seat_args *args = context;

    take_wanted_seat(fields, args);
    if (json_has(fields, "player"))
        json_refuse(
            fields, PROBLEM_UNKNOWN_FIELD, "player",
            "Nobody is put on a seat by others. A player joins with their own token, in the "
            "header Authorization; without one, {\"name\":\"Mia\"} says who joins.");
    input_name(fields, false, &args->name);
    if (json_take_string(fields, "invitation", 64, &args->invitation))
        args->invitation = body_keep(fields, args->invitation);
    json_take_bool(fields, "hot_seat", &args->hot_seat);
}

static void handle_seat(struct request *request, void (*take)(struct json_fields *, void *),
                        void (*play)(struct request *, db_id, struct seat_args *))
{
    struct seat_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) && guard_read_args(request, &args->guard, NULL, take, args))
        play(request, id, args);
}

void handle_join(struct request *request)
{
    handle_seat(request, take_seat_to_join, seats_join);
}

void handle_resign(struct request *request)
{
    handle_seat(request, take_wanted_seat, seats_resign);
}

void handle_abort(struct request *request)
{
    handle_seat(request, take_wanted_seat, seats_abort);
}
