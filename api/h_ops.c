/* h_ops.c - the daemon itself: what it is, whether it is well, what it counts. */
#include "db/db.h"
#include "handlers.h"
#include "metrics.h"
#include "reply.h"
#include "server.h"

static const char how_to[] =
    "plyd keeps board games: shogi, tictactoe, stackchess, jungle, turkish-draughts.\n"
    "\n"
    "  curl -d variant=shogi HOST/v1/games             a new game; keep its id and its token\n"
    "  curl -H 'Accept: text/plain' HOST/v1/games/ID   the board\n"
    "  curl HOST/v1/games/ID/legal-moves               what may be played\n"
    "  curl -u TOKEN: -d 7g7f HOST/v1/games/ID/moves   a move\n"
    "  curl -u TOKEN: -X PUT -d 3c3d HOST/v1/games/ID/moves/2\n"
    "                                                  the same, safe to repeat\n"
    "  curl -u TOKEN: -d '' HOST/v1/games/ID/undo      take it back (redo, resign, abort)\n"
    "  curl HOST/v1/games/ID/moves                     the history\n"
    "  curl HOST/v1/games/ID/positions/0               any position: links lead forth and back\n"
    "\n"
    "GET /healthz, /readyz, /metrics: the daemon. GET /problems/CODE explains a refusal.\n";

void handle_root(struct request *request)
{
    reply_text(request, 200, how_to);
}

void handle_healthz(struct request *request)
{
    struct json json;

    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_member(&json, "status", "ok");
    json_finish(&json);
    reply_json(request, 200, &json);
}

void handle_readyz(struct request *request)
{
    struct json json;

    if (server_draining(request->server)) {
        reply_problem(request, "overloaded", "The daemon is stopping.");
    } else if (!db_ready(server_db(request->server))) {
        reply_problem(request, "database-down", "The database is not connected, or not migrated.");
    } else {
        json_init(&json, &request->arena);
        json_open(&json, '{');
        json_member(&json, "status", "ready");
        json_finish(&json);
        reply_json(request, 200, &json);
    }
}

void handle_metrics(struct request *request)
{
    struct json out;

    json_init(&out, &request->arena);
    metrics_write(request->server, &out);
    reply_body(request, 200, "text/plain; version=0.0.4; charset=utf-8", out.text, out.len);
}

void handle_problem(struct request *request)
{
    struct problem_kind kind;
    struct json json;

    if (!problem_find(request->param[0], &kind)) {
        reply_problem(request, "no-such-route", "No problem has that code.");
        return;
    }
    json_init(&json, &request->arena);
    json_open(&json, '{');
    json_member(&json, "code", kind.code);
    json_member_int(&json, "status", kind.status);
    json_member(&json, "title", kind.title);
    json_member(&json, "meaning", kind.meaning);
    json_finish(&json);
    reply_json(request, 200, &json);
}
