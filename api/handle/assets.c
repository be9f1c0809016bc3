/* assets.c - the modules that pages load: the client and the board, and their types. */

#include <stddef.h>
#include <string.h>

#include "api/handle/handlers.h"
#include "api/http/reply.h"
#include "api/http/route.h"
#include "api/play/input.h"

static const char plyd_js[] =
#include "embed/api/pages/plyd.js.inc"
    ;

static const char plyd_d_ts[] =
#include "embed/api/pages/plyd.d.ts.inc"
    ;

static const char board_js[] =
#include "embed/api/pages/board.js.inc"
    ;

static const char javascript[] = "text/javascript; charset=utf-8";

static const struct asset {
    const char *path, *type, *text;
    size_t len;
} assets[] = {
    {"/plyd.js", javascript, plyd_js, sizeof(plyd_js) - 1},
    {"/plyd.d.ts", "text/plain; charset=utf-8", plyd_d_ts, sizeof(plyd_d_ts) - 1},
    {"/board.js", javascript, board_js, sizeof(board_js) - 1},
};

/* Each asset has a route of its own, whose pattern is its path. */
static const struct asset *asset_of(const struct request *request)
{
    const struct asset *asset = assets;

    while (strcmp(asset->path, request->route->pattern) != 0)
        asset++;
    return asset;
}

void handle_asset(struct request *request)
{
    const struct asset *asset = asset_of(request);

    if (!input_no_query(request))
        return;
    reply_header(request, "X-Content-Type-Options", "nosniff");
    reply_document(request, "no-cache", asset->type, asset->text, asset->len);
}
