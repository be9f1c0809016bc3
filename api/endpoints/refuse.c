#include "api/endpoints/refuse.h"

#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/view/game.h"

void refuse_open(struct request *request, struct json *json, const struct game_view *view,
                 enum problem problem, const char *detail)
{
    const struct db_game *row = view->row;

    reply_problem_open(request, json, problem, detail);
    json_key(json, "game");
    json_open(json, '{');
    json_member_int(json, "version", row->version);
    json_member_int(json, "ply", row->ply);
    json_member_int(json, "line", row->line);
    json_key(json, "to_move");
    view_to_move(json, row);
    json_member(json, "status", words_status(row->status));
    json_member(json, "position", row->position);
    if (row->status == STATUS_FINISHED) {
        json_key(json, "outcome");
        view_outcome(json, row);
    }
    view_you(json, view);
    json_close(json, '}');
    reply_header(request, "ETag", reply_etag(&request->arena, row->version));
}

void refuse_game(struct request *request, const struct game_view *view, enum problem problem,
                 const char *detail)
{
    struct json json;

    refuse_open(request, &json, view, problem, detail);
    reply_problem_send(request, &json, problem);
}
