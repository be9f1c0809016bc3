/*
 * handover.c - handing a player over to another device, by a code that one types or scans.
 *
 * A device that acts as the player asks for a code. The other one shows the code and gets a token
 * of its own, once, within HANDOVER_US. The code has 60 random bits: nobody guesses one in that
 * time, and whoever tries pays for each wrong one as for a new game.
 *
 * The player is found by a row under the hash of the code (struct db_handover); the code is good
 * only while the player's own row names that hash. So one of a player is open, whoever asks for
 * another one ends it, and so does the end of anything that acts as them (change.h). The row is
 * deleted when its time is over.
 */
#include <ctype.h>
#include <sodium.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/people/change.h"
#include "api/endpoints/people/my_tokens.h"
#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/body.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/idempotency.h"
#include "api/live/players.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"

#define HANDOVER_US (INT64_C(5) * 60 * 1000 * 1000)

enum {
    CODE_CHARS = 12, /* of ids_base32(): five bits each */
    CODE_TEXT = CODE_CHARS + 1,
    GROUP_CHARS = 4 /* of those that are shown together */
};

/* The id of a code: nobody finds the code by it. */
static db_id id_of_code(const char code[CODE_TEXT])
{
    static const unsigned char label[] = "plyd handover";
    db_id id;

    crypto_generichash(id.byte, sizeof(id.byte), (const unsigned char *)code, CODE_CHARS, label,
                       sizeof(label) - 1);
    return id;
}

/* ---- opening ---- */

struct opening {
    struct change change; /* first */
    char code[CODE_TEXT];
    struct db_handover handover;
};

static void draw_code(char code[CODE_TEXT])
{
    uint8_t random[8]; /* more than it takes */
    char text[14];

    randombytes_buf(random, sizeof(random));
    ids_base32(random, sizeof(random), text);
    memcpy(code, text, CODE_CHARS);
    code[CODE_CHARS] = '\0';
}

static bool open_it(struct change *change)
{
    struct opening *opening = (struct opening *)change;

    if (change_asker(change) == TOKENS_NOBODY)
        return false;
    change->player.has_handover = true;
    change->player.handover = opening->handover.id;
    return true;
}

static const char *grouped(struct arena *arena, const char code[CODE_TEXT])
{
    return arena_format(arena, "%.*s-%.*s-%s", GROUP_CHARS, code, GROUP_CHARS, code + GROUP_CHARS,
                        code + 2 * GROUP_CHARS);
}

static void answer_opened(struct change *change)
{
    const struct opening *opening = (const struct opening *)change;
    struct request *request = change->request;
    const char *code = grouped(&request->arena, opening->code);
    struct json json;

    reply_header(request, "Cache-Control", "no-store");
    if (request->form == FORM_TEXT) {
        reply_text(request, 201, arena_format(&request->arena, "%s\n", code));
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_member(&json, "code", code);
    json_member(&json, "link", arena_format(&request->arena, "/#handover=%s", code));
    json_member_time(&json, "expires_at", opening->handover.until);
    json_finish(&json);
    reply_json(request, 201, &json);
}

/* First the row, by which the code is found, and then the player, who makes it good. */
static void on_noted_code(void *context)
{
    struct opening *opening = context;

    change_player(&opening->change, opening->handover.player);
}

void handle_open_handover(struct request *request)
{
    struct opening *opening = arena_zero(&request->arena, sizeof(*opening));
    struct db_handover *handover = &opening->handover;

    opening->change =
        (struct change){.request = request, .alter = open_it, .answer = answer_opened};
    if (!input_no_query(request) || !input_no_body(request) || !auth_require_player(request))
        return;
    if (request->account != NULL) {
        reply_problem(request, PROBLEM_ACCOUNT_TOKEN, NULL);
        return;
    }
    draw_code(opening->code);
    *handover = (struct db_handover){.id = id_of_code(opening->code),
                                     .player = request->player->id,
                                     .until = db_now(db_of(request)) + HANDOVER_US};
    db_create_handover(db_of(request), handover, DUE_HANDOVER,
                       ASK(done, request, on_noted_code, opening));
}

/* ---- taking ---- */

struct taking {
    struct change change; /* first */
    char code[CODE_TEXT];
    struct new_token token;
    struct idempotency *key;
    struct db_handover handover;
};

/* As people type it: with blanks and dashes or without, in capitals, with letters that look like
 * digits (Crockford). False: it is no code. */
static bool read_code(const char *text, char code[CODE_TEXT])
{
    size_t len = 0;

    for (; *text != '\0'; text++) {
        char letter = (char)tolower((unsigned char)*text);

        if (letter == ' ' || letter == '-')
            continue;
        if (len == CODE_CHARS)
            return false;
        code[len++] = (char)(letter == 'o' ? '0' : letter == 'i' || letter == 'l' ? '1' : letter);
    }
    code[len] = '\0';
    return len == CODE_CHARS && strspn(code, "0123456789abcdefghjkmnpqrstvwxyz") == len;
}

/* A try that was wrong is charged (admission_may_make()). */
static void refuse_code(struct request *request)
{
    request->made = true;
    reply_problem(request, PROBLEM_NO_SUCH_HANDOVER, NULL);
}

static bool take_it(struct change *change)
{
    struct taking *taking = (struct taking *)change;
    const struct db_player *had = change->had;
    bool is_open = had->has_handover &&
                   memcmp(&had->handover, &taking->handover.id, sizeof(db_id)) == 0 &&
                   taking->handover.until > change->now;

    /* The same request again finds the token that it has made, which no other one makes. */
    if (!is_open && tokens_find(had, taking->token.hash) == TOKENS_NOBODY) {
        refuse_code(change->request);
        return false;
    }
    if (!my_tokens_add(change, &taking->token))
        return false;
    change->player.has_handover = false;
    return true;
}

static void answer_taken(struct change *change)
{
    my_tokens_answer(change, &((const struct taking *)change)->token);
}

static void know_handover(void *context, const struct db_reply *reply,
                          const struct db_handover *handover)
{
    struct taking *taking = context;
    struct request *request = taking->change.request;

    if (reply->outcome == DB_NOT_FOUND) {
        refuse_code(request);
        return;
    }
    taking->handover = *handover;
    my_tokens_new(&taking->token, handover->player, taking->key);
    change_player(&taking->change, handover->player);
}

static bool read_taking(struct request *request, struct taking *taking)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *body = body_read(request, NULL);
    struct json_fields fields;
    const char *code;

    if (body == NULL)
        return false;
    json_fields(&fields, &request->arena, body, &error);
    if (!json_take_string(&fields, "code", REQUEST_BODY_MAX, &code))
        json_missing(&fields, "code", "The code is expected that the other device shows.");
    else if (!read_code(code, taking->code))
        json_refuse(&fields, PROBLEM_BAD_PARAMETER, "code",
                    "A code is expected, of twelve letters and digits.");
    if (!input_name(&fields, true, &taking->token.name))
        json_missing(&fields, "name", "A name is expected, such as \"this phone\".");
    return body_done(request, body, &fields);
}

/* Who is somebody already may take it, too: they then have a token of another player. */
void handle_take_handover(struct request *request)
{
    struct taking *taking = arena_zero(&request->arena, sizeof(*taking));

    taking->change = (struct change){.request = request, .alter = take_it, .answer = answer_taken};
    if (input_no_query(request) && idempotency_read_long(request, &taking->key) &&
        admission_may_make(request) && read_taking(request, taking))
        db_get_handover(db_of(request), id_of_code(taking->code),
                        ASK_ALSO(handover, request, ASK_MISSING, know_handover, taking));
}

/* ---- the end of its time ---- */

struct forgetting {
    struct request *request;
    struct db_due due;
};

static void on_forgotten_code(void *context, const struct db_reply *reply)
{
    const struct forgetting *forgetting = context;

    (void)reply; /* it may be gone already */
    due_settle(forgetting->request, &forgetting->due, DB_NEVER);
}

void handover_keep(struct request *request, const struct db_due *due)
{
    struct forgetting *forgetting = arena_zero(&request->arena, sizeof(*forgetting));

    *forgetting = (struct forgetting){request, *due};
    db_delete_handover(db_of(request), due->id,
                       ASK_ALSO(done, request, ASK_MISSING, on_forgotten_code, forgetting));
}
