/* test_my_tokens.c - what acts as a player is ended: who hears of it. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/people/my_tokens.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/part.h"
#include "api/stream/token_holders.h"
#include "tests/unit/desk.h"
#include "tests/unit/requests.h"

/* ---- what this suite answers in place of the database (the linker puts it there) ---- */

static bool here; /* the suite runs */
static int looks; /* at the player */
static db_player_callback *look_done;
static db_done_callback *write_done;
static void *look_context, *write_context;

void __real_db_get_player(struct db *db, db_id id, db_player_callback *done, void *context);
void __wrap_db_get_player(struct db *db, db_id id, db_player_callback *done, void *context);

void __wrap_db_get_player(struct db *db, db_id id, db_player_callback *done, void *context)
{
    if (!here) {
        __real_db_get_player(db, id, done, context);
        return;
    }
    looks++;
    look_done = done;
    look_context = context;
}

void __real_db_set_player(struct db *db, const struct db_player_change *change,
                          db_done_callback *done, void *context);
void __wrap_db_set_player(struct db *db, const struct db_player_change *change,
                          db_done_callback *done, void *context);

void __wrap_db_set_player(struct db *db, const struct db_player_change *change,
                          db_done_callback *done, void *context)
{
    if (!here) {
        __real_db_set_player(db, change, done, context);
        return;
    }
    write_done = done;
    write_context = context;
}

static const struct db_reply good = {.outcome = DB_OK};

static void answer_look(const struct db_player *player)
{
    look_done(look_context, &good, player);
}

/* ---- a player with an account ---- */

static struct db_player ada = {.id = {{7}},
                               .name = "Ada",
                               .left_at = DB_NEVER,
                               .token_at = DB_NEVER,
                               .joined = {.is = true, .has_account = true, .secret = {1}}};
static char token[AUTH_PLAYER_TOKEN_TEXT];

static void open_all(void)
{
    desk_open();
    players_part.open(&desk_loop);
    here = true;
    auth_new_player_token(ada.id, token, ada.token);
}

static void close_all(void)
{
    here = false;
    desk_close();
    players_part.close(&desk_loop);
}

TestSuite(my_tokens, .init = open_all, .fini = close_all);

/* A request of hers, by her token. */
static struct request *request_of_ada(void)
{
    struct request *request = requests_new(&desk_loop);
    struct player *player = arena_zero(&request->arena, sizeof(*player));

    player->id = ada.id;
    player->name = ada.name;
    memcpy(player->token, ada.token, sizeof(player->token));
    requests_header(request, "Authorization", arena_format(&request->arena, "Bearer %s", token));
    request->player = player;
    return request;
}

static int lost; /* streams that were told that they end */

static void end_stream(void *args)
{
    (void)args;
    lost++;
}

static const struct auth_asker *asker_of_account(void)
{
    static struct auth_asker asker = {.has_token = true, .has_player = true, .until = DB_NEVER};

    asker.player = ada.id;
    auth_account_token(&ada, asker.token);
    return &asker;
}

/* A thief's stream, perhaps: she should not have to wait for the next look at all of them. */
Test(my_tokens, an_account_that_is_ended_has_its_streams_looked_at_at_once)
{
    struct request *request = request_of_ada();
    struct token_holder holder = {.holders = NULL};
    struct db_player ended = ada;

    token_holders_in(token_holders_of(&desk_loop), &holder, asker_of_account(), end_stream, NULL);
    request->param[0] = MY_TOKENS_ACCOUNT;
    handle_end_token(request);
    answer_look(&ada);
    cr_assert_eq(looks, 1);
    write_done(write_context, &good);
    cr_assert_eq(request->reply.status, 204);
    cr_assert_eq(looks, 2);
    ended.joined.is = false;
    answer_look(&ended);
    cr_assert_eq(lost, 1);
}
