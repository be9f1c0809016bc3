#include "api/handle/my_state.h"

#include "api/game/ids.h"
#include "api/http/accept.h"
#include "api/http/account.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/loop/loop.h"
#include "api/table/players.h"
#include "api/text/arena.h"

struct question {
    struct request *request;
    void (*go_on)(struct request *request, void *args);
    void *args;
};

static void tell_same(struct request *request)
{
    reply_header(request, "Cache-Control", "no-cache");
    reply_header(request, "Vary", "Accept, Authorization, Origin");
    reply_empty(request, 304);
}

/* The state is older than what the answer shows. If something happens in between, the client is
 * told so once more. */
static void on_state(void *context, const struct db_reply *reply)
{
    const struct question *question = context;
    struct request *request = question->request;
    char player[IDS_TEXT];
    const char *etag;

    ids_text(request->player->id, player);
    etag = arena_format(&request->arena, "\"%zu-%lld-%s-%s\"", reply->count,
                        (long long)reply->versions, accept_form_name(request->form), player);
    account_begin(request->loop);
    if (reply->outcome != DB_OK) {
        reply_problem_outcome(request, reply);
    } else {
        reply_header(request, "ETag", etag);
        if (request_has(request, etag))
            tell_same(request);
        else
            question->go_on(request, question->args);
    }
    account_end(request->loop, request);
}

void my_state(struct request *request, void (*go_on)(struct request *request, void *args),
              void *args)
{
    struct question *question = arena_alloc(&request->arena, sizeof(*question));

    *question = (struct question){request, go_on, args};
    db_get_player_state(request->loop->db, request->player->id, on_state, question);
}
