#include "api/endpoints/people/mail_asks.h"

#include <sodium.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "db/due.h"

#define DAY_US  INT64_C(86400000000)
#define REST_US (30 * DAY_US)

enum { REST_PLACE = -1, CODE_PLACE = -2 }; /* of an address that gets no more of them, of a code */

struct asking {
    struct request *request;
    db_id player, address;
    struct mail_code ends;
    int place;
    struct db_due due;
    void (*then)(void *context);
    void *context;
};

/* ---- places ---- */

static struct db_due place_of(const db_id *whose, int number, int64_t until)
{
    struct db_due due = {.kind = DUE_MAIL, .at = until};
    unsigned char n = (unsigned char)number;

    crypto_generichash(due.id.byte, sizeof(due.id.byte), &n, sizeof(n), whose->byte,
                       sizeof(whose->byte));
    return due;
}

/* All of the code counts: with another address in it it is another one. */
static struct db_due place_of_code(const struct mail_code *code, int64_t until)
{
    db_id id;

    crypto_generichash(id.byte, sizeof(id.byte), (const unsigned char *)code, sizeof(*code), NULL,
                       0);
    return place_of(&id, CODE_PLACE, until);
}

static struct asking *new_asking(struct request *request, db_id address,
                                 void (*then)(void *context), void *context)
{
    struct asking *asking = arena_zero(&request->arena, sizeof(*asking));

    asking->request = request;
    asking->address = address;
    asking->then = then;
    asking->context = context;
    return asking;
}

/* ---- asking ---- */

static void refuse_mail(const struct asking *asking)
{
    reply_problem(asking->request, PROBLEM_TOO_MANY_MAILS, NULL);
}

static void take_place(struct asking *asking, const db_id *whose, db_done_callback *done)
{
    struct request *request = asking->request;
    struct db *db = db_of(request);

    asking->due = place_of(whose, asking->place, db_now(db) + DAY_US);
    db_promise(db, &asking->due, ASK_ALSO(done, request, ASK_CONFLICT, done, asking));
}

/* It may be there: one may ask again for what was not confirmed. */
static void code_noted(void *context, const struct db_reply *reply)
{
    const struct asking *asking = context;

    (void)reply;
    asking->then(asking->context);
}

static void note_code(struct asking *asking)
{
    struct request *request = asking->request;
    struct db *db = db_of(request);

    asking->due = place_of_code(&asking->ends, db_now(db) + REST_US);
    db_promise(db, &asking->due, ASK_ALSO(done, request, ASK_CONFLICT, code_noted, asking));
}

static void address_place_taken(void *context, const struct db_reply *reply)
{
    struct asking *asking = context;

    if (reply->outcome == DB_OK)
        note_code(asking);
    else if (++asking->place < MAIL_ASKS_OF_ADDRESS)
        take_place(asking, &asking->address, address_place_taken);
    else
        refuse_mail(asking);
}

static void know_rest(void *context, const struct db_reply *reply)
{
    struct asking *asking = context;

    if (reply->outcome == DB_OK) {
        refuse_mail(asking);
        return;
    }
    asking->place = 0;
    take_place(asking, &asking->address, address_place_taken);
}

/* That of the player is taken first: so they cannot find out by many tries who else has asked. */
static void player_place_taken(void *context, const struct db_reply *reply)
{
    struct asking *asking = context;
    struct request *request = asking->request;

    if (reply->outcome == DB_OK) {
        asking->due = place_of(&asking->address, REST_PLACE, DB_NEVER);
        db_look_due(db_of(request), &asking->due,
                    ASK_ALSO(done, request, ASK_MISSING, know_rest, asking));
    } else if (++asking->place < MAIL_ASKS_OF_PLAYER) {
        take_place(asking, &asking->player, player_place_taken);
    } else {
        refuse_mail(asking);
    }
}

void mail_asks_take(struct request *request, const struct mail_code *ends,
                    void (*then)(void *context), void *context)
{
    struct asking *asking = new_asking(request, ends->address, then, context);

    asking->player = request->player->id;
    asking->ends = *ends;
    take_place(asking, &asking->player, player_place_taken);
}

/* ---- resting ---- */

/* It may rest already. */
static void rests(void *context, const struct db_reply *reply)
{
    const struct asking *asking = context;

    (void)reply;
    asking->then(asking->context);
}

void mail_asks_rest(struct request *request, db_id address, void (*then)(void *context),
                    void *context)
{
    struct asking *asking = new_asking(request, address, then, context);
    struct db *db = db_of(request);

    asking->due = place_of(&asking->address, REST_PLACE, db_now(db) + REST_US);
    db_promise(db, &asking->due, ASK_ALSO(done, request, ASK_CONFLICT, rests, asking));
}

/* ---- codes ---- */

static void know_code_noted(void *context, const struct db_reply *reply)
{
    const struct asking *asking = context;

    if (reply->outcome == DB_OK)
        asking->then(asking->context);
    else
        reply_problem(asking->request, PROBLEM_NO_SUCH_CODE, NULL);
}

void mail_asks_know(struct request *request, const struct mail_code *ends,
                    void (*then)(void *context), void *context)
{
    struct asking *asking = new_asking(request, ends->address, then, context);

    asking->due = place_of_code(ends, DB_NEVER);
    db_look_due(db_of(request), &asking->due,
                ASK_ALSO(done, request, ASK_MISSING, know_code_noted, asking));
}

void mail_asks_keep(struct request *request, const struct db_due *due)
{
    due_settle(request, due, DB_NEVER);
}
