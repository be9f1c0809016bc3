#include "api/live/players.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/live/accounts.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/token_use.h"
#include "api/live/tokens.h"
#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/text/must.h"

enum { SLOTS = 4096 }; /* a power of two */

/* Each player has one slot, which others share: whoever comes later takes it over. To lose it costs
 * a player one more look-up, so nothing better is needed. */
struct slot {
    bool used;
    db_id id;
    uint8_t token[DB_HASH_BYTES];
    size_t ntokens;
    uint8_t tokens[DB_TOKENS_MAX][DB_HASH_BYTES];
    int64_t created_at;
    bool hooks;
    bool unfound;
    char *about, *picture;   /* on the heap; NULL: none */
    struct db_joined joined; /* without its text */
    int64_t read_at;         /* on loop->now */
    uint32_t looked_up;      /* for whom, as bit_of() says: the use of others is not noted yet */
    char name[PLAYER_NAME_BYTES + 1];
};

struct players {
    struct slot slot[SLOTS];
};

static void players_open(struct loop *loop)
{
    loop->own[PART_players] = must_zero(sizeof(struct players));
}

static void players_close(struct loop *loop)
{
    struct players *players = players_of(loop);

    for (size_t i = 0; i < SLOTS; i++) {
        free(players->slot[i].about);
        free(players->slot[i].picture);
    }
    free(players);
}

static struct slot *slot_of_player(struct loop *loop, const db_id *id)
{
    uint32_t bits;

    memcpy(&bits, id->byte + 8, sizeof(bits)); /* ids begin with their time */
    return &players_of(loop)->slot[bits % SLOTS];
}

static bool is_of(const struct slot *slot, const db_id *id)
{
    return slot->used && memcmp(&slot->id, id, sizeof(*id)) == 0;
}

void players_forget(struct loop *loop, db_id id)
{
    struct slot *slot = slot_of_player(loop, &id);

    if (is_of(slot, &id))
        slot->used = false;
}

void players_refuse_old(struct request *request)
{
    players_forget(request->loop, request->player->id);
    request->player = NULL;
    auth_require_player(request);
}

static bool is_fresh(const struct request *request, const struct slot *slot, const db_id *id)
{
    return is_of(slot, id) && request->loop->now - slot->read_at < PLAYERS_FRESH_US;
}

static uint32_t bit_of(int which)
{
    return UINT32_C(1) << (which - TOKENS_ACCOUNT);
}

/* The new text may be the old one. */
static void keep_shown(char **kept, const char *text)
{
    char *copy = text == NULL ? NULL : must_copy(text);

    free(*kept);
    *kept = copy;
}

/* Looked up for one of those that act. The hashes are kept beside the name: another token that
 * names this player may be a wrong one, or a newer one. */
static void keep_known_player(struct request *request, const struct db_player *player, int which)
{
    struct slot *slot = slot_of_player(request->loop, &player->id);
    uint32_t others = is_fresh(request, slot, &player->id) ? slot->looked_up : 0;
    size_t len = strlen(player->name);

    if (len > PLAYER_NAME_BYTES)
        return;
    slot->used = true;
    slot->id = player->id;
    slot->created_at = player->created_at;
    slot->hooks = player->hooks;
    slot->unfound = player->unfound;
    keep_shown(&slot->about, player->about);
    keep_shown(&slot->picture, player->picture);
    slot->joined = player->joined;
    slot->joined.origin = NULL;
    slot->read_at = request->loop->now;
    slot->looked_up = others | bit_of(which);
    memcpy(slot->token, player->token, sizeof(slot->token));
    slot->ntokens = player->ntokens;
    memcpy(slot->tokens, player->tokens, player->ntokens * DB_HASH_BYTES);
    memcpy(slot->name, player->name, len + 1);
}

/* ---- who asks ---- */

_Static_assert((int)CALLER_ID_BYTES == (int)DB_HASH_BYTES, "a hash has room");

static void set_caller(struct request *request, enum caller_kind kind, const void *id, size_t len)
{
    request->caller = (struct caller){.kind = (uint8_t)kind};
    memcpy(request->caller.id, id, len);
}

/* What is shown as a seat's token is somebody's own in any case. */
static void call_by_token(struct request *request, const char *token)
{
    uint8_t hash[DB_HASH_BYTES];

    request->caller = (struct caller){.kind = CALLER_STRANGER};
    if (token == NULL || !auth_is_seats(token))
        return;
    auth_hash_token(token, hash);
    set_caller(request, CALLER_SEAT, hash, sizeof(hash));
}

/* Sets the player, as whom their token (`hash`) or their account asks. The request gets copies,
 * since what was read may be gone before the request is over. */
static void set_player(struct request *request, const struct db_player *player,
                       const uint8_t hash[DB_HASH_BYTES])
{
    struct player *copy = arena_alloc(&request->arena, sizeof(*copy));

    *copy = (struct player){.id = player->id,
                            .name = arena_copy(&request->arena, player->name, strlen(player->name)),
                            .created_at = player->created_at,
                            .hooks = player->hooks,
                            .unfound = player->unfound,
                            .about = tokens_copy_text(&request->arena, player->about),
                            .picture = tokens_copy_text(&request->arena, player->picture),
                            .joined = player->joined,
                            .acting = tokens_print(player)};
    copy->joined.origin = NULL;
    memcpy(copy->own, player->token, DB_HASH_BYTES);
    if (request->account == NULL) {
        set_caller(request, CALLER_PLAYER, &player->id, sizeof(player->id));
        memcpy(copy->token, hash, DB_HASH_BYTES);
    } else {
        set_caller(request, CALLER_ACCOUNT, player->joined.secret, sizeof(player->joined.secret));
        auth_account_token(player, copy->token);
    }
    request->player = copy;
}

const uint8_t *players_stored_token(const struct request *request)
{
    return request->account != NULL ? request->player->own : request->player->token;
}

static void player_of_slot(const struct slot *slot, struct db_player *player)
{
    *player = (struct db_player){.id = slot->id,
                                 .name = slot->name,
                                 .created_at = slot->created_at,
                                 .hooks = slot->hooks,
                                 .unfound = slot->unfound,
                                 .about = slot->about,
                                 .picture = slot->picture,
                                 .joined = slot->joined,
                                 .ntokens = slot->ntokens};
    memcpy(player->token, slot->token, DB_HASH_BYTES);
    memcpy(player->tokens, slot->tokens, slot->ntokens * DB_HASH_BYTES);
}

/* A request that waits for the database to say who asks. */
struct player_lookup {
    struct request *request;
    void (*go_on)(struct request *request, void *args);
    void *args;
    const char *token;
    uint8_t hash[DB_HASH_BYTES]; /* of the token */
    db_id gone;                  /* a player whom the account is no more */
    struct db_player player;
    struct db_player_change joining;
};

static struct player_lookup *new_lookup(struct request *request, const char *token,
                                        void (*go_on)(struct request *request, void *args),
                                        void *args)
{
    struct player_lookup *lookup = arena_zero(&request->arena, sizeof(*lookup));

    lookup->request = request;
    lookup->go_on = go_on;
    lookup->args = args;
    lookup->token = token;
    auth_hash_token(token, lookup->hash);
    return lookup;
}

/* ---- by plyd's own token ---- */

static void know_read_player(void *context, const struct db_reply *reply,
                             const struct db_player *player)
{
    const struct player_lookup *lookup = context;
    struct request *request = lookup->request;
    int which = TOKENS_NOBODY;

    if (reply->outcome == DB_OK && player->left_at == DB_NEVER)
        which = tokens_find(player, lookup->hash);
    if (which != TOKENS_NOBODY) {
        keep_known_player(request, player, which);
        set_player(request, player, lookup->hash);
        token_use_note(request->loop, player, which);
    }
    lookup->go_on(request, lookup->args);
}

/* A token that is not in memory may be a new one. */
static bool is_in_slot(const struct player_lookup *lookup, const db_id *id,
                       struct db_player *player)
{
    const struct slot *slot = slot_of_player(lookup->request->loop, id);
    int which;

    if (!is_fresh(lookup->request, slot, id))
        return false;
    player_of_slot(slot, player);
    which = tokens_find(player, lookup->hash);
    return which != TOKENS_NOBODY && (slot->looked_up & bit_of(which)) != 0;
}

static void find_by_token(struct player_lookup *lookup, db_id id)
{
    struct request *request = lookup->request;
    struct db_player player;

    if (is_in_slot(lookup, &id, &player)) {
        set_player(request, &player, lookup->hash);
        lookup->go_on(request, lookup->args);
        return;
    }
    db_get_player(db_of(request), id,
                  ASK_ALSO(player, request, ASK_MISSING, know_read_player, lookup));
}

/* ---- by an account ---- */

static void look_up(struct player_lookup *lookup);

static void on_made(void *context, const struct db_reply *reply)
{
    (void)reply; /* somebody else may have been faster */
    look_up(context);
}

/* They have no token of plyd's. */
static void make_player(struct player_lookup *lookup)
{
    struct request *request = lookup->request;
    const struct account *account = request->account;
    struct db_player *player = arena_zero(&request->arena, sizeof(*player));
    struct db_create_player create = {.player = player};

    player->id = account->player;
    player->name = account->name == NULL ? "Player" : account->name;
    player->created_at = db_now(db_of(request));
    player->left_at = DB_NEVER;
    tokens_none(player->id, player->token);
    db_create_player(db_of(request), &create,
                     ASK_ALSO(done, request, ASK_CONFLICT, on_made, lookup));
}

/* The account is looked up anew once for each player that it is no more. */
static void on_renewed(struct request *request, void *args)
{
    struct player_lookup *lookup = args;

    if (memcmp(&lookup->gone, &request->account->player, sizeof(db_id)) == 0)
        lookup->go_on(request, lookup->args);
    else
        look_up(lookup);
}

static bool is_account(const struct db_joined *joined, const struct request *request)
{
    return joined->is && memcmp(&joined->account, &request->account->id, sizeof(db_id)) == 0;
}

/* The player is one that the account has made, or was joined to before players knew of that. The
 * first account that comes is theirs. */
static void join_first(struct player_lookup *lookup, const struct db_player *player)
{
    struct request *request = lookup->request;
    struct db_joined *joined = &lookup->player.joined;

    lookup->joining = (struct db_player_change){.had = tokens_copy_player(&request->arena, player),
                                                .player = &lookup->player};
    lookup->player = *lookup->joining.had;
    *joined = (struct db_joined){.is = true,
                                 .has_account = true,
                                 .account = request->account->id,
                                 .at = db_now(db_of(request))};
    randombytes_buf(joined->secret, sizeof(joined->secret));
    db_set_player(db_of(request), &lookup->joining,
                  ASK_ALSO(done, request, ASK_CONFLICT, on_made, lookup));
}

static void know_accounts_player(void *context, const struct db_reply *reply,
                                 const struct db_player *player)
{
    struct player_lookup *lookup = context;
    struct request *request = lookup->request;

    if (reply->outcome == DB_NOT_FOUND) {
        make_player(lookup);
    } else if (player->left_at == DB_NEVER && is_account(&player->joined, request)) {
        keep_known_player(request, player, TOKENS_ACCOUNT);
        set_player(request, player, NULL);
        token_use_note(request->loop, player, TOKENS_ACCOUNT);
        accounts_remember(request, lookup->token);
        lookup->go_on(request, lookup->args);
    } else if (player->left_at == DB_NEVER && player->joined.at == DB_NEVER) {
        join_first(lookup, player);
    } else {
        lookup->gone = player->id;
        accounts_renew(request, lookup->token, on_renewed, lookup);
    }
}

static void look_up(struct player_lookup *lookup)
{
    struct request *request = lookup->request;

    db_get_player(db_of(request), request->account->player,
                  ASK_ALSO(player, request, ASK_MISSING, know_accounts_player, lookup));
}

static void know_account(struct request *request, void *args)
{
    struct player_lookup *lookup = args;
    const db_id *id = &request->account->player;
    const struct slot *slot = slot_of_player(request->loop, id);
    struct db_player player;

    set_caller(request, CALLER_ACCOUNT, &request->account->id, sizeof(request->account->id));
    if (!is_fresh(request, slot, id) || !is_account(&slot->joined, request) ||
        (slot->looked_up & bit_of(TOKENS_ACCOUNT)) == 0) {
        look_up(lookup);
        return;
    }
    player_of_slot(slot, &player);
    set_player(request, &player, NULL);
    accounts_remember(request, lookup->token);
    lookup->go_on(request, lookup->args);
}

/* ---- requests ---- */

void players_identify(struct request *request, void (*go_on)(struct request *request, void *args),
                      void *args)
{
    const char *token = request_token(request);
    db_id id;

    request->player = NULL;
    call_by_token(request, token);
    if (token != NULL && auth_player_of(token, &id))
        find_by_token(new_lookup(request, token, go_on, args), id);
    else if (token != NULL && accounts_take(request, token))
        accounts_identify(request, token, know_account, new_lookup(request, token, go_on, args));
    else
        go_on(request, args);
}

struct reading {
    void (*go_on)(struct request *request, void *args);
    void *args;
};

/* Seats are looked up by who asks, and not by a header. */
static void read_as_player(struct request *request, void *args)
{
    const struct reading *reading = args;
    struct auth_asker *asker;

    if (request->player != NULL) {
        asker = arena_zero(&request->arena, sizeof(*asker));
        *asker = (struct auth_asker){.has_token = true,
                                     .has_player = true,
                                     .player = request->player->id,
                                     .until = DB_NEVER};
        memcpy(asker->token, request->player->token, sizeof(asker->token));
        request->asker = asker;
    }
    reading->go_on(request, reading->args);
}

void players_identify_reader(struct request *request, const char *key,
                             void (*go_on)(struct request *request, void *args), void *args)
{
    struct reading *reading = arena_alloc(&request->arena, sizeof(*reading));
    db_id id;

    *reading = (struct reading){go_on, args};
    request->player = NULL;
    if (auth_reader_of(key, &id))
        find_by_token(new_lookup(request, key, read_as_player, reading), id);
    else
        go_on(request, args);
}

const struct part players_part = {.open = players_open, .close = players_close};

/* ---- once more ---- */

struct confirmation {
    struct request *request;
    void (*then)(struct request *request, void *args);
    void *args;
};

static void know_confirmed(void *context, const struct db_reply *reply,
                           const struct db_player *player)
{
    const struct confirmation *confirmation = context;
    struct request *request = confirmation->request;
    struct auth_asker asker;

    auth_asker(request, &asker);
    if (reply->outcome != DB_OK || !auth_asker_is(&asker, player, db_now(db_of(request)))) {
        players_forget(request->loop, asker.player);
        request->player = NULL;
    }
    if (auth_require_player(request))
        confirmation->then(request, confirmation->args);
}

void players_confirm(struct request *request, void (*then)(struct request *request, void *args),
                     void *args)
{
    struct confirmation *confirmation;

    if (!auth_require_player(request))
        return;
    confirmation = arena_alloc(&request->arena, sizeof(*confirmation));
    *confirmation = (struct confirmation){request, then, args};
    db_get_player(db_of(request), request->player->id,
                  ASK_ALSO(player, request, ASK_MISSING, know_confirmed, confirmation));
}
