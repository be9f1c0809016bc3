#include "api/endpoints/people/my_etag.h"

#include "api/game/ids.h"
#include "api/http/accept.h"
#include "api/http/prefer.h"
#include "api/http/reply.h"
#include "api/http/route.h"
#include "api/live/ask.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/stream/player_stream.h"
#include "api/text/arena.h"
#include "api/text/lang.h"

struct state_lookup {
    struct request *request;
    void (*go_on)(struct request *request, const struct my_state *state, void *args);
    void *args;
    struct my_state state;
};

static void handle_my_etag(struct request *request, void *args)
{
    (void)args;
    request->route->handle(request);
}

/* The token may have been replaced meanwhile. */
static void begin_anew(struct request *request)
{
    players_identify(request, handle_my_etag, NULL);
}

bool my_etag_wait(struct request *request, const struct my_state *state)
{
    int wait_s = prefer_wait_s(request_header_list(request, "Prefer"));

    return wait_s > 0 && player_stream_wait(request, wait_s, state->versions, begin_anew);
}

static void tell_same(struct request *request, const struct my_state *state)
{
    reply_header(request, "ETag", state->etag);
    reply_private(request);
    reply_empty(request, 304);
}

/* An outage changes no game, but moves deadlines; and that a player has read something changes what
 * is new to them. Both sums only grow. The state is older than what the answer shows. If something
 * happens in between, the client is told so once more. */
static void know_state(void *context, const struct db_player_state *found)
{
    struct state_lookup *lookup = context;
    struct request *request = lookup->request;
    struct my_state *state = &lookup->state;
    char player[IDS_TEXT];

    ids_text(request->player->id, player);
    state->versions = found->versions;
    state->waiting = found->waiting;
    state->etag =
        arena_format(&request->arena, "\"%zu-%lld-%zu-%s-%s-%s\"", found->games,
                     (long long)(found->versions + found->read), request->loop->outages_count,
                     request->form == 0 ? "only" : accept_form_name(request->form),
                     lang_tag(request->lang), player);
    if (!request_has(request, state->etag))
        lookup->go_on(request, state, lookup->args);
    else if (!my_etag_wait(request, state))
        tell_same(request, state);
}

void my_state(struct request *request,
              void (*go_on)(struct request *request, const struct my_state *state, void *args),
              void *args)
{
    struct state_lookup *lookup = arena_alloc(&request->arena, sizeof(*lookup));

    *lookup = (struct state_lookup){.request = request, .go_on = go_on, .args = args};
    db_get_player_state(db_of(request), request->player->id,
                        ASK(player_state, request, know_state, lookup));
}
