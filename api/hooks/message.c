#include "api/hooks/message.h"

#include <sodium.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/text/json.h"
#include "api/view/view.h"

/* A kind of event may be one that only a newer program knows, which has stored the wish, too. */
enum { WISHES = 63 };

static const char prefix[] = "msg_";

_Static_assert((int)MESSAGE_ID_TEXT == (int)sizeof(prefix) - 1 + (int)IDS_TEXT, "an id has room");

void message_id(const db_id *hook, const db_id *game, int32_t version, char text[MESSAGE_ID_TEXT])
{
    crypto_generichash_state state;
    db_id id;

    crypto_generichash_init(&state, hook->byte, sizeof(hook->byte), sizeof(id.byte));
    if (game != NULL)
        crypto_generichash_update(&state, game->byte, sizeof(game->byte));
    crypto_generichash_update(&state, (const uint8_t *)&version, sizeof(version));
    crypto_generichash_final(&state, id.byte, sizeof(id.byte));
    memcpy(text, prefix, sizeof(prefix));
    ids_text(id, text + sizeof(prefix) - 1);
}

/* The data is an object that is complete; another member goes before its own. */
static const char *compose_hook_message(struct arena *arena, const char *type, int64_t at,
                                        const char *name, db_id id, const char *data)
{
    char text[IDS_TEXT];
    struct json json;

    ids_text(id, text);
    json_init(&json, arena);
    json_open(&json, '{');
    json_member(&json, "type", type);
    json_member_time(&json, "timestamp", at);
    json_key(&json, "data");
    json_raw(&json, arena_format(arena, "{\"%s\":\"%s\"%s%s", name, text, data[1] == '}' ? "" : ",",
                                 data + 1));
    json_close(&json, '}');
    return json.out.text;
}

const char *message_event(struct arena *arena, db_id game, const char *metadata,
                          const struct db_event *event)
{
    const char *data;
    struct json json;

    json_init(&json, arena);
    view_event(&json, event);
    data = json.out.text;
    if (metadata != NULL)
        data = arena_format(arena, "{\"metadata\":%s,%s", metadata, data + 1);
    return compose_hook_message(arena, words_event(event->kind), event->at, "game", game, data);
}

const char *message_test(struct arena *arena, db_id hook, int64_t at)
{
    return compose_hook_message(arena, message_type(MESSAGE_TEST), at, "webhook", hook, "{}");
}

const char *message_type(int kind)
{
    return kind == MESSAGE_TEST ? "test" : words_event(kind);
}

bool message_is_wanted(int64_t events, int kind)
{
    return events == 0 || (kind < WISHES && (events >> kind & 1) != 0);
}
