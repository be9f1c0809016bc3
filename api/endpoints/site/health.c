/* health.c - /healthz, /readyz, /metrics. */
#include "api/endpoints/handlers.h"
#include "api/endpoints/site/metrics_text.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/loop/loop.h"
#include "api/text/json.h"
#include "api/text/out.h"
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

/* A balancer sends no requests to a daemon that is not ready. So it says that it will stop before
 * it does (--leave-s). While it drains, it can only be asked over connections that are open
 * already. */
void handle_readyz(struct request *request)
{
    struct json json;

    if (request->loop->leaving || request->loop->draining) {
        reply_problem(request, PROBLEM_OVERLOADED, "The daemon is stopping.");
    } else if (!db_ready(db_of(request))) {
        reply_problem(request, PROBLEM_DATABASE_DOWN,
                      "The database is not connected, or not migrated.");
    } else {
        json_init(&json, &request->arena);
        json_open(&json, '{');
        json_member(&json, "status", "ready");
        json_key(&json, "schema");
        json_open(&json, '{');
        json_member_int(&json, "program", db_schema_of_program());
        json_member_int(&json, "database", db_schema_of_database(db_of(request)));
        json_close(&json, '}');
        json_finish(&json);
        reply_json(request, 200, &json);
    }
}

void handle_metrics(struct request *request)
{
    struct out out;

    if (!request->loop->monitors)
        metrics_text_collect(request->loop);
    out_init(&out, &request->arena);
    metrics_text_write(&out);
    reply_body(request, 200, "text/plain; version=0.0.4; charset=utf-8", out.text, out.len);
}
