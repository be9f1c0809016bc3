/*
 * results.c - how a player has done, by the game, against anybody or a certain player.
 *
 * What is counted is what whoever asks could count themself: games that lists show them. So a
 * private game changes the numbers for its two players alone.
 */
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/game/ids.h"
#include "api/http/accept.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "db/db.h"

struct tally {
    struct request *request;
    struct db_results_of wanted;
};

static int64_t games_of(const struct db_result *result)
{
    return (int64_t)result->won + result->drawn + result->lost;
}

static void view_result(struct json *json, const struct db_result *result)
{
    json_open(json, '{');
    json_member(json, "variant", result->variant);
    json_member_int(json, "games", games_of(result));
    json_member_int(json, "won", result->won);
    json_member_int(json, "drawn", result->drawn);
    json_member_int(json, "lost", result->lost);
    json_close(json, '}');
}

static void show_results(void *context, const struct db_results *results)
{
    const struct tally *tally = context;
    struct request *request = tally->request;
    int64_t games = 0;
    struct json json;
    struct out out;

    reply_private(request);
    json_init(&json, &request->arena);
    out_init(&out, &request->arena);
    reply_list_open(&json);
    for (size_t i = 0; i < results->count; i++) {
        const struct db_result *result = &results->items[i];

        games += games_of(result);
        view_result(&json, result);
        out_format(&out, "%-18s %6d won %6d drawn %6d lost\n", result->variant, (int)result->won,
                   (int)result->drawn, (int)result->lost);
    }
    json_close(&json, ']');
    json_member_bool(&json, "more", games > DB_RESULTS_MAX);
    if (request->form == FORM_TEXT)
        reply_text(request, 200, out.text);
    else
        reply_list_end(request, &json, NULL);
}

static void count_who_is_there(void *context, const struct db_reply *reply,
                               const struct db_player *player)
{
    struct tally *tally = context;
    struct request *request = tally->request;

    if (reply->outcome == DB_NOT_FOUND || player->left_at != DB_NEVER)
        reply_problem(request, PROBLEM_NO_SUCH_PLAYER, NULL);
    else
        db_get_results(db_of(request), &tally->wanted, ASK(results, request, show_results, tally));
}

/* Reads ?against=. Whether there is such a player is not asked: of nobody there are no games.
 * False: it is no id of another player, and was answered. */
static bool read_against(struct tally *tally)
{
    struct db_results_of *wanted = &tally->wanted;
    const char *text = query_text(tally->request, "against");

    wanted->has_against = text != NULL;
    if (text == NULL || (ids_read(text, &wanted->against) &&
                         memcmp(&wanted->against, &wanted->player, sizeof(db_id)) != 0))
        return true;
    reply_problem_at(tally->request, PROBLEM_BAD_PARAMETER, "?against",
                     "The id of another player is expected.");
    return false;
}

void handle_results(struct request *request)
{
    static const char *const known[] = {"against", NULL};
    struct tally *tally = arena_zero(&request->arena, sizeof(*tally));

    tally->request = request;
    if (!auth_nobody_or_player(request) || !query_ok(request, known))
        return;
    if (!ids_read(request->param[0], &tally->wanted.player)) {
        reply_problem(request, PROBLEM_NO_SUCH_PLAYER, NULL);
        return;
    }
    if (!read_against(tally))
        return;
    tally->wanted.has_asker = request->player != NULL;
    if (tally->wanted.has_asker)
        tally->wanted.asker = request->player->id;
    db_get_player(db_of(request), tally->wanted.player,
                  ASK_ALSO(player, request, ASK_MISSING, count_who_is_there, tally));
}
