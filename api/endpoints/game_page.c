#include "api/endpoints/game_page.h"

#include "api/game/game_link.h"
#include "api/game/ids.h"
#include "api/http/page.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"

const char *game_page_url(struct request *request, db_id game)
{
    const char *pattern = request->loop->config->links;
    char id[IDS_TEXT];

    if (pattern != NULL)
        return game_link(&request->arena, pattern, game);
    ids_text(game, id);
    return page_url(request, arena_format(&request->arena, "/play/%s", id));
}
