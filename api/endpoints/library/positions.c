#include "api/endpoints/library/positions.h"

#include <sodium.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/game/ids.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/net/offload.h"
#include "api/text/json.h"
#include "api/text/json_read.h"
#include "api/text/options.h"
#include "db/library.h"

#define SECOND INT64_C(1000000)

/* ---- keys and scopes ---- */

/* The rules promise that their keys tell positions of one game apart; here those of all games lie
 * together. */
static int64_t key_of(const struct rules_game *game, const struct rules_orbit *orbit)
{
    int64_t mixed;

    crypto_generichash((unsigned char *)&mixed, sizeof(mixed), (const unsigned char *)&orbit->key,
                       sizeof(orbit->key), (const unsigned char *)game->name, strlen(game->name));
    return mixed == 0 ? 1 : mixed;
}

int64_t positions_key(const struct rules_game *game, const struct rules_options *options,
                      const struct rules_state *state)
{
    struct rules_orbit orbit;

    rules_orbit(game, options, state, &orbit);
    return key_of(game, &orbit);
}

static db_id public_scope(int64_t key)
{
    static const unsigned char label[] = "plyd public positions";
    db_id scope;

    crypto_generichash(scope.byte, sizeof(scope.byte), (const unsigned char *)&key, sizeof(key),
                       label, sizeof(label) - 1);
    return scope;
}

/* ---- noting the positions of a game ---- */

struct noting {
    struct request *request;
    struct db_due promise;
    int32_t line, plies;
    int16_t winner;
    bool is_public, failed;
    bool unreadable; /* only a newer program can read it */
    int64_t at;
    const struct rules_game *game;
    struct rules_options options;
    const char **position, **move; /* by ply; where a move is NULL, none was played */
    db_id player[DB_COLLECTORS_MAX];
    size_t players, next;
    struct db_reached reached[POSITIONS_PLIES + 1];
    size_t count;
    size_t open; /* writes under way */
};

static void settle_noted_position(struct noting *noting)
{
    int64_t now = db_now(db_of(noting->request)), next = DB_NEVER;

    if (noting->failed)
        next = now + 10 * SECOND;
    if (noting->unreadable)
        next = now + 600 * SECOND;
    due_settle(noting->request, &noting->promise, next);
}

static void note_next(struct noting *noting);

static void noted(void *context, const struct db_reply *reply)
{
    struct noting *noting = context;

    noting->failed |= reply->outcome != DB_OK;
    if (--noting->open == 0)
        note_next(noting);
}

/* First the public scopes, one for each position, then that of one player after the other. */
static void note_next(struct noting *noting)
{
    struct db *db = db_of(noting->request);

    if (noting->failed || (!noting->is_public && noting->next == noting->players)) {
        settle_noted_position(noting);
    } else if (noting->is_public) {
        noting->is_public = false;
        noting->open = noting->count;
        for (size_t i = 0; i < noting->count; i++)
            db_note_reached(db, public_scope(noting->reached[i].key), &noting->reached[i], 1,
                            ASK_ALSO(done, noting->request, ASK_ALL, noted, noting));
    } else {
        noting->open = 1;
        db_note_reached(db, noting->player[noting->next++], noting->reached, noting->count,
                        ASK_ALSO(done, noting->request, ASK_ALL, noted, noting));
    }
}

/* A position that comes twice, or turned, counts once, where it came first. */
static void add_noted_position(struct noting *noting, int32_t ply, const struct rules_state *state)
{
    struct arena *arena = &noting->request->arena;
    struct db_reached *reached = &noting->reached[noting->count];
    struct rules_orbit orbit;
    char *next = arena_zero(arena, RULES_MOVE_TEXT);

    rules_orbit(noting->game, &noting->options, state, &orbit);
    *reached = (struct db_reached){
        key_of(noting->game, &orbit), noting->promise.id, ply, next, noting->winner, noting->at};
    for (size_t i = 0; i < noting->count; i++)
        if (noting->reached[i].key == reached->key)
            return;
    if (noting->move[ply] != NULL)
        rules_orbit_move(noting->game, state, &orbit, noting->move[ply], next);
    noting->count++;
}

/* To read and turn the positions takes long enough for a worker. */
static void read_positions(struct request *request, void *args)
{
    struct noting *noting = args;
    struct rules_state *state = arena_alloc(&request->arena, sizeof(*state));
    struct rules_refusal why;

    for (int32_t ply = 0; ply <= noting->plies && !noting->failed; ply++) {
        noting->failed =
            !rules_load(noting->game, &noting->options, noting->position[ply], state, &why);
        if (!noting->failed)
            add_noted_position(noting, ply, state);
    }
}

static void on_read(struct request *request, void *args)
{
    struct noting *noting = args;

    if (request->reply.status == 0) /* else the workers had no room; the promise comes back */
        note_next(noting);
}

static void know_moves(void *context, const struct db_reply *reply, const struct db_events *events)
{
    struct noting *noting = context;
    struct arena *arena = &noting->request->arena;

    noting->failed = reply->outcome != DB_OK || events->count < (size_t)noting->plies;
    for (int32_t ply = 0; !noting->failed && ply < noting->plies; ply++) {
        const struct db_event *event = &events->items[ply];

        noting->move[ply] = arena_copy(arena, event->move, strlen(event->move));
        noting->position[ply + 1] = arena_copy(arena, event->position, strlen(event->position));
    }
    if (noting->failed)
        settle_noted_position(noting);
    else
        offload(noting->request, read_positions, on_read, noting);
}

static void know_collectors(void *context, const struct db_reply *reply,
                            const struct db_collectors *players)
{
    struct noting *noting = context;

    noting->failed = reply->outcome != DB_OK;
    for (size_t i = 0; !noting->failed && i < players->count && i < DB_COLLECTORS_MAX; i++)
        noting->player[noting->players++] = players->items[i];
    if (noting->failed || (noting->players == 0 && !noting->is_public))
        settle_noted_position(noting);
    else
        db_get_moves(db_of(noting->request), noting->promise.id, noting->line, 1, noting->plies,
                     ASK_ALSO(events, noting->request, ASK_ALL, know_moves, noting));
}

static int32_t fewer(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Its options and its start. The move of the last position that is noted is none, although others
 * may have followed. */
static bool read_noted_position_game(struct noting *noting, const struct db_game *row)
{
    struct arena *arena = &noting->request->arena;
    struct json_error error = {PROBLEM_NONE, NULL, NULL};

    if (!row_is_known(row))
        return false;
    noting->game = rules_find(row->variant);
    noting->position = arena_zero(arena, (POSITIONS_PLIES + 1) * sizeof(*noting->position));
    noting->move = arena_zero(arena, (POSITIONS_PLIES + 1) * sizeof(*noting->move));
    noting->position[0] = arena_copy(arena, row->start, strlen(row->start));
    return options_from_json(noting->game, arena, row->options, &noting->options, &error);
}

static void know_game(void *context, const struct db_reply *reply, const struct db_game *row)
{
    struct noting *noting = context;

    noting->failed = reply->outcome != DB_OK && reply->outcome != DB_NOT_FOUND;
    noting->unreadable = reply->outcome == DB_OK && !read_noted_position_game(noting, row);
    if (reply->outcome != DB_OK || noting->unreadable || row->status != STATUS_FINISHED) {
        settle_noted_position(noting);
        return;
    }
    noting->line = row->line;
    noting->plies = fewer(row->ply, POSITIONS_PLIES);
    noting->winner = row->winner;
    noting->is_public = row_is_public(row);
    noting->at = row->updated_at;
    db_get_collectors(db_of(noting->request), noting->promise.id,
                      ASK_ALSO(collectors, noting->request, ASK_ALL, know_collectors, noting));
}

void positions_keep(struct request *request, const struct db_due *due)
{
    struct noting *noting = arena_zero(&request->arena, sizeof(*noting));

    noting->request = request;
    noting->promise = *due;
    db_get_game(db_of(request), due->id,
                ASK_ALSO(game, noting->request, ASK_ALL, know_game, noting));
}

/* ---- exploring ---- */

struct exploring {
    struct request *request;
    const struct positions_wish *wish;
    struct rules_orbit orbit;
    int64_t key;
    db_id scope;
    struct json json;
    int64_t games;
};

static void view_counts(struct json *json, int64_t wins1, int64_t wins2, int64_t draws)
{
    json_member_int(json, "games", wins1 + wins2 + draws);
    json_key(json, "wins");
    json_open(json, '{');
    json_member_int(json, "1", wins1);
    json_member_int(json, "2", wins2);
    json_close(json, '}');
    json_member_int(json, "draws", draws);
}

/* A move as it is played in the position that was asked for. */
static void view_move_back(struct exploring *exploring, const char *move)
{
    char text[RULES_MOVE_TEXT];

    rules_orbit_back(exploring->wish->game, exploring->wish->state, &exploring->orbit, move, text);
    json_member(&exploring->json, "move", text);
}

static void view_moves(struct exploring *exploring, const struct db_reached_moves *moves)
{
    struct json *json = &exploring->json;
    int64_t wins1 = 0, wins2 = 0, draws = 0;

    json_key(json, "moves");
    json_open(json, '[');
    for (size_t i = 0; i < moves->count; i++) {
        const struct db_reached_by *by = &moves->items[i];

        wins1 += by->wins[0];
        wins2 += by->wins[1];
        draws += by->draws;
        if (*by->next == '\0')
            continue;
        json_open(json, '{');
        view_move_back(exploring, by->next);
        view_counts(json, by->wins[0], by->wins[1], by->draws);
        json_close(json, '}');
    }
    json_close(json, ']');
    view_counts(json, wins1, wins2, draws);
}

static void show_games(void *context, const struct db_reached_games *games)
{
    struct exploring *exploring = context;
    struct request *request = exploring->request;
    struct json *json = &exploring->json;

    json_key(json, "items");
    json_open(json, '[');
    for (size_t i = 0; i < games->count; i++) {
        const struct db_reached *reached = &games->items[i];
        char id[IDS_TEXT];

        ids_text(reached->game, id);
        json_open(json, '{');
        json_member(json, "game", id);
        json_member_int(json, "ply", reached->ply);
        if (*reached->next != '\0')
            view_move_back(exploring, reached->next);
        if (reached->winner != 0)
            json_member_int(json, "winner", reached->winner);
        json_member_time(json, "at", reached->at);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_finish(json);
    reply_private(request);
    reply_json(request, 200, json);
}

static void show_moves(void *context, const struct db_reached_moves *moves)
{
    struct exploring *exploring = context;
    struct request *request = exploring->request;

    view_moves(exploring, moves);
    db_get_reached(db_of(request), exploring->scope, exploring->key, exploring->wish->mine,
                   POSITIONS_GAMES, ASK(reached_games, request, show_games, exploring));
}

void positions_explore(struct request *request, const struct positions_wish *wish)
{
    struct exploring *exploring = arena_zero(&request->arena, sizeof(*exploring));
    char position[RULES_POSITION_TEXT];
    struct json *json = &exploring->json;

    if (wish->mine && !auth_require_player(request))
        return;
    exploring->request = request;
    exploring->wish = wish;
    rules_orbit(wish->game, wish->options, wish->state, &exploring->orbit);
    exploring->key = key_of(wish->game, &exploring->orbit);
    exploring->scope = wish->mine ? request->player->id : public_scope(exploring->key);
    wish->game->position_text(wish->state, position);
    json_init(json, &request->arena);
    json_open(json, '{');
    json_member(json, "variant", wish->game->name);
    json_member(json, "position", position);
    json_member(json, "of", wish->mine ? "mine" : "public");
    db_count_reached(db_of(request), exploring->scope, exploring->key, wish->mine,
                     ASK(reached_moves, request, show_moves, exploring));
}
