/* admin_player.c - the commands of `plyd admin` that change a player. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/live/auth.h"
#include "api/live/tokens.h"
#include "api/text/json.h"
#include "api/text/must.h"
#include "api/tool/commands.h"
#include "db/migrate.h"

enum { FAILED = 1, DEADLINE_MS = 10000, TRIES = 5 };

/* A change of one player: read, and written if nobody has changed them meanwhile. */
struct errand {
    struct db *db;
    struct db_player player;
    struct arena arena; /* of its texts */
    bool done;          /* the database has answered */
    enum db_outcome outcome;
    struct db_error error;
    int conflicts;
    const char *name;                   /* the new one; NULL: it stays */
    char token[AUTH_PLAYER_TOKEN_TEXT]; /* the new one, unless there is a new name */
};

static void wait_for(struct errand *errand)
{
    while (!errand->done) {
        struct pollfd poller = {.fd = db_fd(errand->db), .events = POLLIN};

        db_run(errand->db);
        if (!errand->done)
            poll(&poller, 1, db_timeout_ms(errand->db));
    }
    errand->done = false;
}

static void on_changed(void *context, const struct db_reply *reply)
{
    struct errand *errand = context;

    errand->done = true;
    errand->outcome = reply->outcome;
    errand->error = reply->error;
}

static void on_errand_player(void *context, const struct db_reply *reply,
                             const struct db_player *player)
{
    struct errand *errand = context;

    on_changed(errand, reply);
    if (reply->outcome != DB_OK)
        return;
    errand->player = *tokens_copy_player(&errand->arena, player);
}

/* What acts as a player beside a new token of theirs. */
static void end_all_else(struct db_player *player, int64_t now)
{
    player->joined = (struct db_joined){.at = now};
    player->ntokens = 0;
    player->tokens_about = NULL;
    player->has_handover = false;
}

static void change_for_errand(struct errand *errand)
{
    struct db_player *player = &errand->player;
    const struct db_player had = *player;
    struct db_due due = {player->id, DUE_PLAYER, db_now(errand->db)};
    struct db_player_change change = {.had = &had, .player = player};

    if (errand->name != NULL) {
        player->name = errand->name;
        change.due = &due;
    } else {
        auth_new_player_token(player->id, errand->token, player->token);
        end_all_else(player, due.at);
        change.ends_hooks = true;
    }
    db_set_player(errand->db, &change, on_changed, errand);
    wait_for(errand);
}

/* Reads the player and writes the change. DB_CONFLICT: the player was faster. */
static void try_once(struct errand *errand, db_id id)
{
    db_get_player(errand->db, id, on_errand_player, errand);
    wait_for(errand);
    if (errand->outcome != DB_OK)
        return;
    if (errand->player.left_at == DB_NEVER)
        change_for_errand(errand);
    else
        errand->outcome = DB_NOT_FOUND;
}

static int tell_failure(const struct errand *errand)
{
    switch (errand->outcome) {
    case DB_NOT_FOUND:
        fprintf(stderr, "plyd: there is no such player\n");
        break;
    case DB_CONFLICT:
        fprintf(stderr, "plyd: the player is changing, too: try again\n");
        break;
    case DB_UNKNOWN:
        fprintf(stderr, "plyd: it is not known whether that was done: try again\n");
        break;
    default:
        fprintf(stderr, "plyd: the database does not answer: %s\n", errand->error.text);
    }
    return FAILED;
}

/* Runs an errand. Returns 0, or the exit code after it has said what is wrong. */
static int run_errand(struct errand *errand, const char *url, db_id id)
{
    const struct db_settings settings = {
        .url = url, .connections = 1, .queue_max = 8, .batch_max = 1, .deadline_ms = DEADLINE_MS};
    struct db_migration_report report;

    if (!db_schema_serves(db_migrate_check(url, NULL, &report))) {
        fprintf(stderr, "plyd: the database cannot be used: run 'plyd migrate --check'\n");
        return FAILED;
    }
    errand->db = db_open(&settings);
    if (errand->db == NULL) {
        fprintf(stderr, "plyd: memory or descriptors are out\n");
        return FAILED;
    }
    do {
        try_once(errand, id);
    } while (errand->outcome == DB_CONFLICT && ++errand->conflicts < TRIES);
    db_close(errand->db);
    arena_free(&errand->arena);
    return errand->outcome == DB_OK ? 0 : tell_failure(errand);
}

/* Prints the player's id and what is new. */
static void print(db_id player, const char *what, const char *text, bool as_json)
{
    struct arena arena = {.chunks = NULL};
    char id[IDS_TEXT];
    struct json json;

    ids_text(player, id);
    if (!as_json) {
        printf("%-6s %s\n%-6s %s\n", "id", id, what, text);
        return;
    }
    json_init(&json, &arena);
    json_open(&json, '{');
    json_member(&json, "id", id);
    json_member(&json, what, text);
    json_finish(&json);
    fputs(json.out.text, stdout);
    arena_free(&arena);
}

int admin_token(const char *url, db_id player, bool json)
{
    struct errand errand = {.name = NULL};
    int code = run_errand(&errand, url, player);

    if (code == 0)
        print(player, "token", errand.token, json);
    return code;
}

int admin_rename(const char *url, db_id player, const char *name, bool json)
{
    struct errand errand = {.name = name};
    int code = run_errand(&errand, url, player);

    if (code == 0)
        print(player, "name", name, json);
    return code;
}
