#include "api/hooks/webhook_message.h"

#include <sodium.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/text/json.h"
#include "api/view/view.h"
#include "db/hooks.h"

/* ---- signatures ---- */

static const char secret_prefix[] = "whsec_", signature_prefix[] = "v1,";

_Static_assert(sizeof(secret_prefix) + 4 * ((DB_SECRET_BYTES + 2) / 3) <=
                   WEBHOOK_MESSAGE_SECRET_TEXT,
               "a secret has room");
_Static_assert(sizeof(signature_prefix) + 4 * ((crypto_auth_hmacsha256_BYTES + 2) / 3) <=
                   WEBHOOK_MESSAGE_SIGNATURE_TEXT,
               "a signature has room");

static void write_base64(char *text, size_t size, const char *prefix, const uint8_t *bytes,
                         size_t len)
{
    size_t at = strlen(prefix);

    memcpy(text, prefix, at + 1);
    sodium_bin2base64(text + at, size - at, bytes, len, sodium_base64_VARIANT_ORIGINAL);
}

void webhook_message_secret_text(const uint8_t secret[DB_SECRET_BYTES],
                                 char text[WEBHOOK_MESSAGE_SECRET_TEXT])
{
    write_base64(text, WEBHOOK_MESSAGE_SECRET_TEXT, secret_prefix, secret, DB_SECRET_BYTES);
}

void webhook_message_sign(const uint8_t secret[DB_SECRET_BYTES], const char *id,
                          const char *timestamp, const char *body,
                          char text[WEBHOOK_MESSAGE_SIGNATURE_TEXT])
{
    const char *const parts[] = {id, ".", timestamp, ".", body};
    crypto_auth_hmacsha256_state state;
    uint8_t mac[crypto_auth_hmacsha256_BYTES];

    crypto_auth_hmacsha256_init(&state, secret, DB_SECRET_BYTES);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        crypto_auth_hmacsha256_update(&state, (const uint8_t *)parts[i], strlen(parts[i]));
    crypto_auth_hmacsha256_final(&state, mac);
    write_base64(text, WEBHOOK_MESSAGE_SIGNATURE_TEXT, signature_prefix, mac, sizeof(mac));
}

/* A kind of event may be one that only a newer program knows, which has stored the wish, too. */
enum { WISHES = 63 };

static const char prefix[] = "msg_";

_Static_assert((int)WEBHOOK_MESSAGE_ID_TEXT == (int)sizeof(prefix) - 1 + (int)IDS_TEXT,
               "an id has room");

void webhook_message_id(const db_id *hook, const db_id *game, int32_t version,
                        char text[WEBHOOK_MESSAGE_ID_TEXT])
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

const char *webhook_message_event(struct arena *arena, db_id game, const char *metadata,
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

const char *webhook_message_test(struct arena *arena, db_id hook, int64_t at)
{
    return compose_hook_message(arena, webhook_message_type(WEBHOOK_MESSAGE_TEST), at, "webhook",
                                hook, "{}");
}

const char *webhook_message_type(int kind)
{
    return kind == WEBHOOK_MESSAGE_TEST ? "test" : words_event(kind);
}

bool webhook_message_is_wanted(int64_t events, int kind)
{
    return events == 0 || (kind < WISHES && (events >> kind & 1) != 0);
}
