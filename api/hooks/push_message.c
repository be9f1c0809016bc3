#include "api/hooks/push_message.h"

#include <sodium.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/hooks/push_key.h"
#include "api/text/json.h"

/* A service need not keep a notice for longer than it has a point. A token must not be good for
 * more than a day. */
static const char digest_topic[] = "digest"; /* no game has that id */

enum { TTL_MAX_S = 28 * 24 * 3600, TOKEN_S = 12 * 3600, SECOND_US = 1000 * 1000 };

/* ---- who asks ---- */

static const char *base64url(struct arena *arena, const void *bytes, size_t len)
{
    size_t size = sodium_base64_encoded_len(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);

    return sodium_bin2base64(arena_alloc(arena, size), size, bytes, len,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* The origin of an endpoint, as browsers write it: "https://push.example". */
static const char *origin_of_url(struct arena *arena, const char *url)
{
    char host[HTTP_CLIENT_HOST_TEXT], *port;
    bool tls = url[4] == 's' || url[4] == 'S';

    http_client_url_fault(url, true, host);
    port = strrchr(host, ':');
    if (port != NULL && strcmp(port, tls ? ":443" : ":80") == 0)
        *port = '\0';
    return arena_format(arena, "%s://%s", tls ? "https" : "http", host);
}

static const char *claims(struct arena *arena, const char *contact, const char *url, int64_t now)
{
    struct json json;

    json_init(&json, arena);
    json_open(&json, '{');
    json_member(&json, "aud", origin_of_url(arena, url));
    json_member_int(&json, "exp", now / SECOND_US + TOKEN_S);
    json_member(&json, "sub", contact);
    json_close(&json, '}');
    return json.out.text;
}

const char *push_message_authorization(struct arena *arena, const struct push_sender *sender,
                                       const char *url, int64_t now)
{
    static const char header[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
    const char *body = claims(arena, sender->contact, url, now), *text;
    uint8_t signature[WEB_PUSH_SIGNATURE];

    text = arena_format(arena, "%s.%s", base64url(arena, header, strlen(header)),
                        base64url(arena, body, strlen(body)));
    web_push_sign(sender->key, text, strlen(text), signature);
    return arena_format(arena, "Authorization: vapid t=%s.%s, k=%s", text,
                        base64url(arena, signature, sizeof(signature)),
                        push_key_text(arena, sender->key));
}

/* ---- the request ---- */

/* What the worker of the pages shows. `game` is empty of a digest. */
static const char *notice_json(struct arena *arena, const char *game, const struct notice *notice,
                               int waiting)
{
    struct json json;

    json_init(&json, arena);
    json_open(&json, '{');
    json_member(&json, "title", notice->title);
    json_member(&json, "body", notice->words);
    if (*game != '\0')
        json_member(&json, "game", game);
    json_member(&json, "url", notice->path);
    json_member(&json, "tag", *game != '\0' ? game : digest_topic);
    json_member_int(&json, "waiting", waiting);
    json_close(&json, '}');
    return json.out.text;
}

static long long ttl_s(const struct notice *notice, int64_t now)
{
    int64_t left = notice->until == DB_NEVER ? TTL_MAX_S : (notice->until - now) / SECOND_US;

    return left < 0 ? 0 : left > TTL_MAX_S ? TTL_MAX_S : left;
}

static void encrypt(struct arena *arena, const struct db_hook *receiver, const char *text,
                    struct transfer *transfer)
{
    struct web_push_receiver to;
    struct web_push_key once;
    uint8_t salt[WEB_PUSH_SALT], *body = arena_alloc(arena, strlen(text) + WEB_PUSH_OVERHEAD);

    memcpy(to.p256dh, receiver->p256dh, sizeof(to.p256dh));
    memcpy(to.auth, receiver->auth, sizeof(to.auth));
    randombytes_buf(salt, sizeof(salt));
    web_push_key_make(&once);
    transfer->body = (const char *)body;
    transfer->body_len = web_push_encrypt(&to, &once, salt, text, strlen(text), body);
    sodium_memzero(&once, sizeof(once));
}

void push_message(struct arena *arena, const struct push_sender *sender,
                  const struct db_hook *receiver, const char *url, const db_id *game,
                  const struct notice *notice, int64_t now, struct transfer *transfer)
{
    char id[IDS_TEXT] = "";

    if (game != NULL)
        ids_text(*game, id);
    encrypt(arena, receiver, notice_json(arena, id, notice, receiver->waiting), transfer);
    transfer->header[0] = "Content-Type: application/octet-stream";
    transfer->header[1] = "Content-Encoding: aes128gcm";
    transfer->header[2] = arena_format(arena, "TTL: %lld", ttl_s(notice, now));
    transfer->header[3] = notice->urgent ? "Urgency: high" : "Urgency: normal";
    transfer->header[4] = arena_format(arena, "Topic: %s", game != NULL ? id : digest_topic);
    transfer->header[5] = push_message_authorization(arena, sender, url, now);
}

_Static_assert((int)HTTP_CLIENT_HEADERS == 6, "all have a place");
_Static_assert((int)IDS_TEXT - 1 <= 32, "a topic has at most 32 letters");
