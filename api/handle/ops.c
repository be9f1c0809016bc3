/* h_ops.c - the daemon itself: whether it is well, what it counts. */
#include "api/handle/handlers.h"
#include "api/http/reply.h"
#include "api/loop/metrics.h"
#include "api/server.h"
#include "db/db.h"

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
    struct out out;

    server_publish(request->server);
    out_init(&out, &request->arena);
    metrics_write(&out);
    reply_body(request, 200, "text/plain; version=0.0.4; charset=utf-8", out.text, out.len);
}
