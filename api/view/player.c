#include "api/view/player.h"

#include "api/game/ids.h"
#include "api/text/json.h"
#include "api/text/out.h"

const char *view_player_url(struct arena *arena, db_id id)
{
    char text[IDS_TEXT];

    ids_text(id, text);
    return arena_format(arena, "/v1/players/%s", text);
}

static void view_player_links(struct json *json, const char *id, bool own)
{
    struct arena *arena = json->out.arena;

    json_key(json, "links");
    json_open(json, '{');
    json_member(json, "self", arena_format(arena, "/v1/players/%s", id));
    if (own) {
        json_member(json, "me", "/v1/me");
        json_member(json, "tokens", "/v1/me/tokens");
    }
    json_member(json, "games",
                own ? "/v1/me/games" : arena_format(arena, "/v1/games?player=%s", id));
    json_close(json, '}');
}

const char *view_player_json(struct arena *arena, const struct db_player *player, bool own,
                             const char *token)
{
    char id[IDS_TEXT];
    struct json json;

    ids_text(player->id, id);
    json_init(&json, arena);
    json_open(&json, '{');
    json_member(&json, "id", id);
    json_member(&json, "name", player->name);
    if (token != NULL)
        json_member(&json, "token", token);
    json_member_time(&json, "created_at", player->created_at);
    if (own && player->joined.is)
        json_member_time(&json, "account_since_at", player->joined.at);
    view_player_links(&json, id, own);
    json_finish(&json);
    return json.out.text;
}

const char *view_player_text(struct arena *arena, const struct db_player *player, const char *token)
{
    char id[IDS_TEXT];
    struct out out;

    ids_text(player->id, id);
    out_init(&out, arena);
    out_format(&out, "id     %s\nname   %s\n", id, player->name);
    if (token != NULL)
        out_format(&out, "token  %s\n", token);
    out_format(&out, "since  %s\n", json_time_text(arena, player->created_at));
    return out.text;
}
