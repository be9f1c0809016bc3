/* create.c - making a game. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/engine/search_payer.h"
#include "api/endpoints/games/challenge.h"
#include "api/endpoints/games/create.h"
#include "api/endpoints/games/create_body.h"
#include "api/endpoints/games/creation.h"
#include "api/endpoints/games/setup.h"
#include "api/endpoints/guard.h"
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/endpoints/look.h"
#include "api/endpoints/use_case.h"
#include "api/game/ids.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/accept.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/idempotency.h"
#include "api/live/op.h"
#include "api/live/other_writers.h"
#include "api/live/players.h"
#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/net/offload.h"
#include "api/stream/player_stream.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/problem.h"
#include "api/view/game.h"
#include "api/view/view.h"
#include "db/db.h"

/* Sets the game up. False: the start is refused, or the game is over there; that was answered. */
static bool set_up_creation(struct creation *creation)
{
    struct db_game *row = &creation->draft.row;
    struct setup_fault fault;

    if (!setup_start(creation, &fault)) {
        setup_refuse(creation, &fault);
        return false;
    }
    if (rules_outcome_now(creation->game, &creation->draft.state).status != RULES_ONGOING) {
        reply_problem_at(creation->request, PROBLEM_POSITION_ALREADY_OVER,
                         setup_start_pointer(creation), NULL);
        return false;
    }
    row->created_at = row->updated_at = row->last_at = creation->draft.now;
    if (row_has_open_seat(row))
        row->status = STATUS_OPEN;
    return true;
}

/* Whether somebody else's player has webhooks is not known; it is found out with the first event.
 */
static void mark_hooks(struct creation *creation)
{
    const struct player *asker = creation->request->player;
    struct db_game *row = &creation->draft.row;

    for (int seat = 1; seat <= DB_SEATS; seat++) {
        const struct db_seat *held = &row->seat[seat - 1];
        bool own = asker != NULL && memcmp(&held->player, &asker->id, sizeof(asker->id)) == 0;

        if (held->has_player && (!own || asker->hooks))
            row->hooks |= (int16_t)seat_bit(seat);
    }
}

/* The first event carries the position and the key of ply 0, which no move has made. */
static void first_event(struct creation *creation)
{
    struct draft *draft = &creation->draft;
    struct db_event *event = draft_event(draft, EVENT_CREATED, 0);

    event->position = draft->row.position;
    event->data = creation->origin;
    event->key = (int64_t)draft->keys[0];
}

static const char *game_url(struct arena *arena, db_id id)
{
    char text[IDS_TEXT];

    ids_text(id, text);
    return arena_format(arena, "/v1/games/%s", text);
}

/* Composes the answer before the game is stored: it is stored with it, under the key. */
static void compose_answer(struct creation *creation, const char *token)
{
    struct game_view view =
        use_case_draft_view(creation->request, &creation->draft, creation->mine);
    struct json json_text, *json = &json_text;

    if (creation->request->form == FORM_TEXT) {
        creation->answer = view_token_text(creation->draft.arena, &view, token);
        return;
    }
    json_init(json, creation->draft.arena);
    json_open(json, '{');
    view_kept_game(json, &view, creation->request->choice);
    json_member(json, "token", token);
    json_key(json, "tokens");
    json_open(json, '{');
    for (unsigned i = 0; i < DB_SEATS; i++)
        if ((creation->mine & seat_bit((int)i + 1)) != 0)
            json_member(json, i == 0 ? "1" : "2", token);
    json_close(json, '}');
    if (creation->imported != NULL) {
        json_key(json, "imported");
        json_raw(json, creation->imported);
    }
    json_finish(json);
    creation->answer = json->out.text;
}

/* ---- storing it ---- */

enum { TAKEN = ASK_CONFLICT | ASK_UNKNOWN }; /* what becomes of a creation, beside success */

/* Takes note of a new game. False: it was not made, and that was answered. */
static bool was_created(struct creation *creation, const struct db_reply *reply)
{
    struct request *request = creation->request;
    struct loop *loop = request->loop;

    if (reply->outcome == DB_UNKNOWN)
        other_writers_doubt(other_writers_of(loop));
    if (reply->outcome != DB_OK) {
        ask_failed(request, reply);
        return false;
    }
    request->made = true;
    metrics_add(&loop->metrics.moves[use_case_game_number(creation->game)],
                (uint64_t)creation->draft.row.ply);
    player_stream_heard(player_streams_of(loop), &creation->draft.row);
    other_writers_wrote(other_writers_of(loop));
    due_stored(loop, creation->create.dues, creation->create.ndues, creation->draft.now);
    return true;
}

struct storing {
    struct creation *creation;
    void (*then)(void *context, bool made);
    void *context;
};

static void stored_quietly(void *context, const struct db_reply *reply)
{
    struct storing *storing = context;
    bool made = reply->outcome != DB_CONFLICT;

    if (!made || was_created(storing->creation, reply))
        storing->then(storing->context, made);
}

/* It may be there already: then an earlier attempt has made it. */
static void created_quietly(void *context, bool made)
{
    (void)made;
    reply_empty(context, 201);
}

static void created(void *context, const struct db_reply *reply)
{
    struct creation *creation = context;
    struct request *request = creation->request;
    struct arena *arena = &request->arena;

    /* An id that is taken follows from a key, which was used before: the request is a repetition,
     * or comes from somebody who chose the same key. The stored answer tells them apart. */
    if (reply->outcome == DB_CONFLICT && creation->idempotency != NULL) {
        idempotency_repeat(creation->idempotency, creation->draft.row.id);
        return;
    }
    if (!was_created(creation, reply))
        return;
    reply_header(request, "Location", game_url(arena, creation->draft.row.id));
    reply_header(request, "ETag", reply_etag(arena, creation->draft.row.version));
    reply_made(request, 201, view_with_game(arena, creation->answer));
}

/* One new token plays all seats of the creator. Only its hash is kept. */
static void give_token(struct creation *creation, char token[AUTH_TOKEN_TEXT])
{
    uint8_t hash[DB_HASH_BYTES];

    auth_new_token(token, hash);
    for (unsigned i = 0; i < DB_SEATS; i++)
        if ((creation->mine & seat_bit((int)i + 1)) != 0) {
            creation->draft.row.seat[i].has_token = true;
            memcpy(creation->draft.row.seat[i].token, hash, DB_HASH_BYTES);
        }
}

/* Room is left for the first event, and for one of a computer opponent. */
static size_t plies_max(const struct request *request)
{
    size_t anonymous = (size_t)request->loop->config->anonymous_plies;

    if (request->player != NULL || anonymous == 0 || anonymous > DB_EVENTS_MAX - 2)
        return DB_EVENTS_MAX - 2;
    return anonymous;
}

bool create_is_too_long(const struct creation *creation, size_t plies, const char **detail)
{
    if (creation->plies_max == DB_EVENTS_MAX - 2)
        *detail = NULL;
    else
        *detail = arena_format(creation->draft.arena,
                               "Without a player's token, a game may begin with %zu plies at most. "
                               "POST /v1/players gives a token.",
                               creation->plies_max);
    return plies > creation->plies_max;
}

bool create_long_ok(const struct creation *creation, size_t plies)
{
    const char *detail;

    if (!create_is_too_long(creation, plies, &detail))
        return true;
    reply_problem(creation->request, PROBLEM_GAME_TOO_LONG, detail);
    return false;
}

struct creation *create_begin(struct request *request)
{
    struct creation *creation = arena_zero(&request->arena, sizeof(*creation));

    creation->request = request;
    if (!auth_nobody_or_player(request) || !idempotency_read(request, true, &creation->idempotency))
        return NULL;
    creation->plies_max = plies_max(request);
    draft_new(&creation->draft, &request->arena, NULL, db_now(db_of(request)));
    randombytes_buf(&creation->draft.row.seed, sizeof(creation->draft.row.seed));
    /* The key's answer is stored under the game's id, so the id must be known before the database
     * is asked for the answer, and be the same for every request with this key. */
    creation->draft.row.id = creation->idempotency == NULL
                                 ? ids_new(db_now(db_of(request)))
                                 : idempotency_made_id(creation->idempotency, "game");
    return creation;
}

/* What was played before the game was made took nobody's time. */
static void set_clock(struct creation *creation)
{
    struct draft *draft = &creation->draft;

    if (creation->clock == NULL)
        return;
    draft->clock = arena_alloc(draft->arena, sizeof(*draft->clock));
    draft->row.clock = clock_terms_text(draft->arena, creation->clock);
    clock_init(draft->clock, creation->clock);
    clock_know(draft->clock, &draft->row);
    if (draft->row.status == STATUS_ACTIVE)
        clock_start(draft->clock, draft->now);
}

void create_complete_quietly(struct creation *creation)
{
    struct draft *draft = &creation->draft;

    set_clock(creation);
    if (creation->challenged_seat != 0)
        challenge_begin(creation);
    mark_hooks(creation);
    draft_store(draft);
    search_payer_note(creation->request, NULL, draft);
    creation->create = (struct db_create){.game = &draft->row,
                                          .events = draft->events,
                                          .count = draft->nevents,
                                          .dues = draft->dues,
                                          .ndues = draft->ndues};
}

void create_complete(struct creation *creation)
{
    char token[AUTH_TOKEN_TEXT];

    create_complete_quietly(creation);
    give_token(creation, token);
    compose_answer(creation, token);
}

void create_store(struct request *request, void *args)
{
    struct creation *creation = args;
    struct draft *draft = &creation->draft;

    if (request->reply.status != 0)
        return;
    creation->create.answer = idempotency_seal(
        request, creation->idempotency, 201, reply_etag(draft->arena, draft->row.version),
        game_url(draft->arena, draft->row.id), creation->answer);
    db_create(db_of(request), &creation->create, ASK_ALSO(done, request, TAKEN, created, creation));
}

void create_store_then(struct creation *creation, void (*then)(void *context, bool made),
                       void *context)
{
    struct request *request = creation->request;
    struct storing *storing = arena_alloc(&request->arena, sizeof(*storing));

    *storing = (struct storing){creation, then, context};
    db_create(db_of(request), &creation->create,
              ASK_ALSO(done, request, TAKEN, stored_quietly, storing));
}

void create_store_quietly(struct request *request, void *args)
{
    if (request->reply.status == 0)
        create_store_then(args, created_quietly, request);
}

/* Plays the moves of a game that is set up, and completes it, or answers what is refused. */
static void play_out(struct request *request, void *args)
{
    struct creation *creation = args;
    struct setup_fault fault;
    int32_t from;

    (void)request;
    if (!setup_play(creation, &fault)) {
        setup_refuse(creation, &fault);
        return;
    }
    if (creation->challenged_seat != 0 && creation->draft.row.status != STATUS_OPEN) {
        reply_problem_at(creation->request, PROBLEM_POSITION_ALREADY_OVER, "/moves",
                         "Nobody is challenged to a game that is over.");
        return;
    }
    draft_answer(&creation->draft, &from); /* the whole past is here: no keys are missing */
    create_complete(creation);
}

/* Most games begin without a past, and are made at once. A list of the moves of a heavy position
 * takes long. */
void create_make(struct creation *creation)
{
    struct request *request = creation->request;

    creation->draft.game = creation->game;
    if (!set_up_creation(creation))
        return;
    first_event(creation);
    if (creation->nmoves > 0 || rules_is_heavy(creation->game, &creation->draft.state)) {
        offload(request, play_out, create_store, creation);
        return;
    }
    play_out(request, creation);
    create_store(request, creation);
}

bool create_quietly(struct creation *creation)
{
    struct draft *draft = &creation->draft;
    int32_t from;

    draft->game = creation->game;
    if (!set_up_creation(creation))
        return false;
    first_event(creation);
    draft_answer(draft, &from);
    create_complete_quietly(creation);
    return true;
}

static void make_challenge(void *context)
{
    create_make(context);
}

/* Reads the body, makes and stores the game, and answers. */
static void create_game(struct request *request)
{
    struct creation *creation = create_begin(request);

    if (creation != NULL && create_body_read(creation) &&
        create_long_ok(creation, creation->nmoves) && admission_may_make(request)) {
        if (creation->challenged_seat != 0)
            challenge_ask(creation, make_challenge, creation);
        else
            create_make(creation);
    }
}

/* ---- requests ---- */

void handle_create(struct request *request)
{
    if (input_only_choice(request))
        create_game(request);
}
