/* challenge.c - challenges: a game with a seat kept for a player. */
#include "api/endpoints/games/challenge.h"

#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/games/hearing.h"
#include "api/endpoints/games/retries.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/use_case.h"
#include "api/game/clock.h"
#include "api/game/ids.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/idempotency.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/problem.h"

enum { DECLINED_TEXT_MAX = 200 /* characters */ };

/* ---- challenging ---- */

struct asking {
    struct creation *creation;
    void (*then)(void *context);
    void *context;
    struct db_player_list list;
};

static bool is_same(const db_id *one, const db_id *other)
{
    return memcmp(one, other, sizeof(*one)) == 0;
}

static const char *pointer(const struct creation *creation)
{
    return arena_format(&creation->request->arena, "/seats/%d/player",
                        creation->challenged_seat - 1);
}

static void list_challenges(struct asking *asking, db_id player,
                            void (*then)(void *context, const struct db_games *page))
{
    struct request *request = asking->creation->request;

    asking->list = (struct db_player_list){.list = {.limit = CHALLENGES_OF + CHALLENGES_HEARD},
                                           .player = player,
                                           .challenges_only = true};
    db_player_games(db_of(request), &asking->list, ASK(games, request, then, asking));
}

static void know_block(void *context, const struct db_blocks *blocks)
{
    struct asking *asking = context;

    if (blocks->count > 0)
        asking->creation->challenge_tells = false;
    asking->then(asking->context);
}

/* Whoever is blocked is answered after the same questions as anybody. */
static void know_those_to_them(void *context, const struct db_games *page)
{
    struct asking *asking = context;
    struct creation *creation = asking->creation;
    struct request *request = creation->request;
    size_t heard = 0;

    for (size_t i = 0; i < page->count; i++)
        heard += row_challenges(&page->items[i], creation->challenged);
    creation->challenge_tells = heard < CHALLENGES_HEARD;
    db_get_block(db_of(request), creation->challenged, creation->challenger,
                 ASK(blocks, request, know_block, asking));
}

static void know_own(void *context, const struct db_games *page)
{
    struct asking *asking = context;
    struct creation *creation = asking->creation;
    size_t open = 0, to_one = 0;

    for (size_t i = 0; i < page->count; i++) {
        open += !row_challenges(&page->items[i], creation->challenger);
        to_one += row_challenges(&page->items[i], creation->challenged);
    }
    if (open >= CHALLENGES_OF || to_one >= CHALLENGES_TO_ONE)
        reply_problem(creation->request, PROBLEM_TOO_MANY_CHALLENGES, NULL);
    else
        list_challenges(asking, creation->challenged, know_those_to_them);
}

static void know_challenged(void *context, const struct db_reply *reply,
                            const struct db_player *player)
{
    struct asking *asking = context;
    struct creation *creation = asking->creation;

    if (reply->outcome == DB_NOT_FOUND || player->left_at != DB_NEVER)
        reply_problem_at(creation->request, PROBLEM_NO_SUCH_PLAYER, pointer(creation), NULL);
    else
        list_challenges(asking, creation->challenger, know_own);
}

static void ask_for_player(struct asking *asking)
{
    const struct creation *creation = asking->creation;
    struct request *request = creation->request;

    db_get_player(db_of(request), creation->challenged,
                  ASK_ALSO(player, request, ASK_MISSING, know_challenged, asking));
}

static struct asking *new_asking(struct creation *creation, void (*then)(void *context),
                                 void *context)
{
    struct asking *asking = arena_zero(&creation->request->arena, sizeof(*asking));

    *asking = (struct asking){.creation = creation, .then = then, .context = context};
    return asking;
}

void challenge_weigh(struct creation *creation, void (*then)(void *context), void *context)
{
    ask_for_player(new_asking(creation, then, context));
}

/* What was done already is told again, whatever has become of the other player and of the bounds.
 */
static void know_first(void *context, const struct db_reply *reply, const struct db_answer *answer)
{
    struct asking *asking = context;

    if (reply->outcome == DB_OK)
        idempotency_on_first(asking->creation->idempotency, reply, answer);
    else
        ask_for_player(asking);
}

void challenge_ask(struct creation *creation, void (*then)(void *context), void *context)
{
    struct request *request = creation->request;
    const struct idempotency *idempotency = creation->idempotency;

    if (!auth_require_player(request))
        return;
    if (is_same(&creation->challenged, &request->player->id)) {
        reply_problem_at(request, PROBLEM_BAD_PARAMETER, pointer(creation),
                         "That is you. To play both sides leave the seats out.");
        return;
    }
    creation->challenger = request->player->id;
    if (idempotency == NULL)
        challenge_weigh(creation, then, context);
    else
        db_get_answer(db_of(request), creation->draft.row.id, idempotency->key,
                      ASK_ALSO(answer, request, ASK_MISSING, know_first,
                               new_asking(creation, then, context)));
}

void challenge_begin(struct creation *creation)
{
    struct draft *draft = &creation->draft;
    int64_t until = draft->now + creation->challenge_us;
    char player[IDS_TEXT];

    row_challenge(&draft->row.seat[creation->challenged_seat - 1], creation->challenged, until,
                  creation->challenge_tells);
    ids_text(creation->challenged, player);
    draft_data(
        draft,
        draft_event(draft, EVENT_CHALLENGED, (int)rules_other((unsigned)creation->challenged_seat)),
        arena_format(draft->arena, "\"player\":\"%s\",\"until_us\":%lld", player,
                     (long long)until));
    draft->expires_at = until;
}

/* ---- ending it ---- */

/* Calls the game off. The seat stays kept, so that strangers never learn of the game. */
static void end_challenge(struct draft *draft, const char *reason, const char *text,
                          const struct hearing *hearing, int seat)
{
    struct db_event *event = draft_stop(draft, STATUS_ABORTED, 0, reason, EVENT_ABORTED, seat);
    struct json json;

    json_init(&json, draft->arena);
    json_member(&json, "reason", reason);
    if (text != NULL) {
        json_member(&json, "text", text);
        hearing_note(hearing, &json);
    }
    draft_data(draft, event, json.out.text);
}

const char *challenge_end(const struct db_game *row)
{
    return row_challenge_seat(row) != 0 && row->status == STATUS_ABORTED
               ? "The challenge was declined or withdrawn, or has run out."
               : NULL;
}

struct decline_args {
    struct guard guard;
    const char *text; /* NULL: none */
    struct hearing hearing;
};

static enum step refuse_decline(struct op *op)
{
    unsigned seats;
    enum step step = use_case_may_act(op, &guard_none, &seats);

    return step == STEP_GO ? use_case_refuse(op, PROBLEM_NOT_CHALLENGED, NULL) : step;
}

/* The challenger, who sits in the other seat. */
static enum step know_who_hears(struct op *op, struct hearing *hearing)
{
    const struct db_game *row = &op->live->row;
    const struct db_seat *other =
        &row->seat[(int)rules_other((unsigned)row_challenge_seat(row)) - 1];

    return other->has_player ? hearing_know(op, hearing, op->request->player->id, other->player)
                             : STEP_GO;
}

static enum step step_decline(struct op *op)
{
    struct decline_args *args = op->args;
    const struct db_game *row = &op->live->row;
    struct draft *draft;
    enum step step;

    if (!auth_is_challenged(op->request, row))
        return refuse_decline(op);
    if (!guard_holds(&args->guard, row))
        return use_case_refuse_version(op);
    if (row->status != STATUS_OPEN)
        return use_case_refuse(op, PROBLEM_RULE_GAME_OVER, challenge_end(row));
    step = know_who_hears(op, &args->hearing);
    if (step != STEP_GO)
        return step;
    draft = use_case_draft(op);
    end_challenge(draft, "declined", args->text, &args->hearing, row_challenge_seat(row));
    return use_case_write_game(op, draft);
}

static void take_decline(struct json_fields *fields, void *context)
{
    struct decline_args *args = context;

    if (input_text(fields, DECLINED_TEXT_MAX, &args->text) && *args->text == '\0')
        args->text = NULL;
}

void handle_decline_challenge(struct request *request)
{
    struct decline_args *args = arena_zero(&request->arena, sizeof(*args));
    db_id id;

    if (input_id(request, &id) &&
        guard_read_args(request, &args->guard, "text", take_decline, args))
        use_case_submit(request, id, step_decline, retries_game, args);
}

/* ---- due work ---- */

/* A copy that is stale might end a challenge that was accepted, but the write's guard would not. */
static enum step step_expire(struct op *op)
{
    const struct db_due *due = op->args;
    const struct db_game *row = &op->live->row;
    int seat = row_challenge_seat(row);
    enum step step;

    if (row->status == STATUS_OPEN && seat != 0 && row->seat[seat - 1].invited_until <= op->now) {
        struct draft *draft = use_case_draft(op);

        end_challenge(draft, "expired", NULL, NULL, 0);
        return use_case_write_first(op, draft);
    }
    step = op_need_confirmed(op);
    if (step != STEP_GO)
        return step;
    due_settle(op->request, due,
               row->status == STATUS_OPEN && seat != 0 ? row->seat[seat - 1].invited_until
                                                       : DB_NEVER);
    return STEP_OVER;
}

void challenge_keep(struct request *request, const struct db_due *due)
{
    struct db_due *args = arena_alloc(&request->arena, sizeof(*args));

    *args = *due;
    op_submit(op_new(request, step_expire, args), due->id);
}
