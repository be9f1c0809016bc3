#include "api/endpoints/games/ticket.h"

#include <sodium.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/look.h"
#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/op.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/text/json.h"
#include "db/due.h"

static const char prefix[] = "plyd_ticket_";

enum { LIFE_US = 60 * 1000 * 1000, RANDOM_BYTES = 16, TEXT_MAX = 176 };

/* What a ticket says, in base 32 behind its prefix. */
struct ticket {
    int64_t until;
    struct auth_asker asker;
    uint8_t random[RANDOM_BYTES];
};

_Static_assert(sizeof(prefix) + (sizeof(struct ticket) * 8 + 4) / 5 <= TEXT_MAX, "it has room");

/* The due work that makes a ticket valid for a game, or for all games of a player. */
static struct db_due due_of_ticket(const struct ticket *ticket, db_id of)
{
    struct db_due due = {.kind = DUE_TICKET, .at = ticket->until};

    crypto_generichash(due.id.byte, sizeof(due.id.byte), (const uint8_t *)ticket, sizeof(*ticket),
                       of.byte, sizeof(of.byte));
    return due;
}

/* ---- making ---- */

struct making {
    struct request *request;
    struct ticket ticket;
    struct db_due due;
};

static void answer_ticket(void *context)
{
    const struct making *making = context;
    const struct ticket *ticket = &making->ticket;
    struct request *request = making->request;
    char text[TEXT_MAX];
    struct json json;

    memcpy(text, prefix, sizeof(prefix));
    ids_base32((const uint8_t *)ticket, sizeof(*ticket), text + sizeof(prefix) - 1);
    reply_header(request, "Cache-Control", "no-store");
    if (request->form == FORM_TEXT) {
        reply_text(request, 201, arena_format(&request->arena, "%s\n", text));
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_member(&json, "ticket", text);
    json_member_time(&json, "expires_at", ticket->until);
    json_finish(&json);
    reply_json(request, 201, &json);
}

static void prepare_ticket(struct making *making, db_id of, int64_t now)
{
    struct ticket *ticket = &making->ticket;

    ticket->until = now + LIFE_US;
    auth_asker(making->request, &ticket->asker);
    randombytes_buf(ticket->random, sizeof(ticket->random));
    making->due = due_of_ticket(ticket, of);
}

static enum step step_make_ticket(struct op *op)
{
    struct making *making = op->args;
    struct request *request = op->request;
    enum step step = look_may(op);

    if (step != STEP_GO)
        return step;
    if (auth_require_seats(request, &op->live->row) == 0)
        return STEP_OVER;
    prepare_ticket(making, op->live->row.id, op->now);
    db_promise(db_of(request), &making->due, ASK_STEP(done, op, answer_ticket, making));
    return STEP_LATER;
}

void ticket_make(struct request *request, db_id game)
{
    struct making *making = arena_zero(&request->arena, sizeof(*making));

    making->request = request;
    op_submit(op_new(request, step_make_ticket, making), game);
}

void ticket_make_player(struct request *request)
{
    struct making *making = arena_zero(&request->arena, sizeof(*making));

    making->request = request;
    prepare_ticket(making, request->player->id, db_now(db_of(request)));
    db_promise(db_of(request), &making->due, ASK(done, request, answer_ticket, making));
}

/* ---- using ---- */

struct using
{
    struct ticket ticket;
    struct db_due due;
    struct request *request;
    bool is_of_game; /* and not of all games of a player */
    void (*go_on)(struct request * request, void *args);
    void *args;
};

static void refuse_ticket(struct request *request)
{
    reply_problem(request, PROBLEM_TOKEN_UNKNOWN,
                  "The ticket was used, or its minute is over, or it is not for this stream. Ask "
                  "for another one.");
}

/* Who made it may have another token by now. */
static void know_ticket_player(void *context, const struct db_reply *reply,
                               const struct db_player *player)
{
    struct using *using = context;

    if (reply->outcome == DB_NOT_FOUND ||
        !auth_asker_is(&using->ticket.asker, player, db_now(db_of(using->request))))
        refuse_ticket(using->request);
    else
        using->go_on(using->request, using->args);
}

static void taken(void *context, const struct db_reply *reply)
{
    struct using *using = context;
    struct request *request = using->request;

    if (reply->outcome == DB_NOT_FOUND || using->ticket.until <= db_now(db_of(request))) {
        refuse_ticket(request);
        return;
    }
    request->asker = &using->ticket.asker;
    if (request->asker->has_player && using->is_of_game)
        db_get_player(db_of(request), request->asker->player,
                      ASK_ALSO(player, request, ASK_MISSING, know_ticket_player, using));
    else
        using->go_on(request, using->args);
}

/* A ticket for the games of the player who made it, or (`game`) for one game. */
static void use_ticket(struct request *request, const db_id *game, const char *ticket,
                       void (*go_on)(struct request *request, void *args), void *args)
{
    struct using *using = arena_zero(&request->arena, sizeof(*using));

    if (strncmp(ticket, prefix, sizeof(prefix) - 1) != 0 ||
        !ids_base32_read(ticket + sizeof(prefix) - 1, (uint8_t *)&using->ticket,
                         sizeof(using->ticket))) {
        refuse_ticket(request);
        return;
    }
    using->request = request;
    using->is_of_game = game != NULL;
    using->go_on = go_on;
    using->args = args;
    using->due = due_of_ticket(&using->ticket, game != NULL ? *game : using->ticket.asker.player);
    db_take_due(db_of(request), &using->due, ASK_ALSO(done, request, ASK_MISSING, taken, using));
}

void ticket_use(struct request *request, db_id game, const char *ticket,
                void (*go_on)(struct request *request, void *args), void *args)
{
    use_ticket(request, &game, ticket, go_on, args);
}

void ticket_use_player(struct request *request, const char *ticket,
                       void (*go_on)(struct request *request, void *args), void *args)
{
    use_ticket(request, NULL, ticket, go_on, args);
}

void ticket_keep(struct request *request, const struct db_due *due)
{
    due_settle(request, due, DB_NEVER);
}
