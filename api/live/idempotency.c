#include "api/live/idempotency.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/loop/loop.h"
#include "api/text/json_text.h"
#include "api/view/game.h"

/* One hash of several texts, each with its length: "ab", "c" and "a", "bc" are not the same. */
static void hash_texts(uint8_t *hash, size_t size, const char *const *texts, const size_t *lens,
                       size_t n)
{
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, size);
    for (size_t i = 0; i < n; i++) {
        uint64_t len = lens[i];

        crypto_generichash_update(&state, (const unsigned char *)&len, sizeof(len));
        crypto_generichash_update(&state, (const unsigned char *)texts[i], lens[i]);
    }
    crypto_generichash_final(&state, hash, size);
}

/* What follows from a key. Strangers have nothing of their own, and all others are told apart by
 * their kind, which is no part of a text. */
static void hash_key(uint8_t *hash, size_t size, const char *label, const char *key,
                     const struct caller *caller)
{
    const char *texts[] = {label, key, (const char *)caller};
    size_t lens[] = {strlen(label), strlen(key), sizeof(*caller)};

    hash_texts(hash, size, texts, lens, caller->kind == CALLER_STRANGER ? 2 : 3);
}

/* The draft of the standard has the key in quotes, and most clients send it without. Both are the
 * same key. */
static const char *unquote(struct request *request, const char *text)
{
    size_t len = strlen(text);

    if (len < 2 || text[0] != '"' || text[len - 1] != '"')
        return text;
    return arena_copy(&request->arena, text + 1, len - 2);
}

/* Bytes that begin a character. */
static size_t characters(const char *text)
{
    size_t count = 0;

    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

bool idempotency_text(struct request *request, const char **key)
{
    const char *header = request_header(request, "Idempotency-Key");

    *key = NULL;
    if (header == NULL)
        return true;
    header = unquote(request, header);
    if (*header != '\0' && strlen(header) <= IDEMPOTENCY_KEY_MAX &&
        json_is_utf8(header, strlen(header))) {
        *key = header;
        return true;
    }
    reply_problem_at(request, PROBLEM_BAD_PARAMETER, "Idempotency-Key",
                     "A key of 1 to 255 bytes of UTF-8 is expected.");
    return false;
}

/* The fingerprint tells this request from any other one of its caller with the same key. Headers
 * are left out, because a repetition may well come with others. */
static bool read_idempotency_key(struct request *request, bool must_be_long,
                                 struct idempotency **found)
{
    struct idempotency *idempotency;
    const char *header;

    *found = NULL;
    if (!idempotency_text(request, &header))
        return false;
    if (header == NULL)
        return true;
    if (must_be_long && characters(header) < IDEMPOTENCY_LONG) {
        reply_problem_at(request, PROBLEM_IDEMPOTENCY_KEY_TOO_SHORT, "Idempotency-Key", NULL);
        return false;
    }
    idempotency = arena_zero(&request->arena, sizeof(*idempotency));
    idempotency->request = request;
    idempotency->text = header;
    hash_key(idempotency->key, sizeof(idempotency->key), "plyd idempotency key", header,
             &request->caller);
    const char *texts[] = {request->url, "", request->body == NULL ? "" : request->body};
    size_t lens[] = {strlen(request->url), 0, request->body_len};
    hash_texts(idempotency->fingerprint, sizeof(idempotency->fingerprint), texts, lens, 3);
    *found = idempotency;
    return true;
}

/* Two strangers who choose the same key and send the same body send the same request. */
bool idempotency_read(struct request *request, bool shows_secret, struct idempotency **found)
{
    return read_idempotency_key(request, shows_secret && request->caller.kind == CALLER_STRANGER,
                                found);
}

bool idempotency_read_long(struct request *request, struct idempotency **found)
{
    return read_idempotency_key(request, true, found);
}

/* The token itself, since it may not be its caller's any more. An account has a new one now and
 * then, and a stranger none. */
void idempotency_derive(const struct idempotency *idempotency, uint8_t *bytes, size_t size)
{
    struct request *request = idempotency->request;
    bool by_account = request->caller.kind == CALLER_ACCOUNT;
    const char *token = request_token(request), *own = token == NULL ? "" : token;
    const char *shown = by_account ? (const char *)&request->caller : own;
    const char *texts[] = {by_account ? "plyd token of an account's key" : "plyd token of key",
                           idempotency->text, shown, request->url, request->body};
    size_t lens[] = {strlen(texts[0]), strlen(texts[1]),
                     by_account ? sizeof(request->caller) : strlen(shown), strlen(texts[3]),
                     request->body_len};

    hash_texts(bytes, size, texts, lens, request->body_len == 0 ? 4 : 5);
}

/* Not a random id, which a repetition could not know; nor today's time, which a repetition would
 * not have, but that of the key. The labels in these hashes keep apart what is made of one key: an
 * id is public, and must not help to find the stored hash or the seal. */
db_id idempotency_made_id(const struct idempotency *idempotency, const char *what)
{
    char name[32];
    db_id id;

    snprintf(name, sizeof(name), "plyd %s of key", what);
    hash_key(id.byte, sizeof(id.byte), name, idempotency->text, &idempotency->request->caller);
    ids_set_key_time(&id, idempotency->text);
    return id;
}

db_id idempotency_own_id(const struct idempotency *idempotency)
{
    db_id id;

    hash_key(id.byte, sizeof(id.byte), "plyd answers", "", &idempotency->request->caller);
    return id;
}

/* ---- sealing ---- */

/* The text of the key is not stored anywhere, so neither is this. */
static void seal_key(const struct idempotency *idempotency,
                     unsigned char key[crypto_secretbox_KEYBYTES])
{
    hash_key(key, crypto_secretbox_KEYBYTES, "plyd answer seal", idempotency->text,
             &idempotency->request->caller);
}

const struct db_answer *idempotency_seal(struct request *request, struct idempotency *idempotency,
                                         unsigned status, const char *etag, const char *location,
                                         const char *body)
{
    unsigned char key[crypto_secretbox_KEYBYTES];
    unsigned char *sealed;
    const char *plain;
    size_t len;

    if (idempotency == NULL)
        return NULL;
    /* With the status this is all that the answer has of its own; Request-Id and the like will be
     * the repetition's. Headers hold no newline, so the three can be told apart again. */
    plain = arena_format(&request->arena, "%s\n%s\n%s", etag, location, body);
    len = strlen(plain);
    sealed =
        arena_alloc(&request->arena, crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + len);
    seal_key(idempotency, key);
    randombytes_buf(sealed, crypto_secretbox_NONCEBYTES);
    crypto_secretbox_easy(sealed + crypto_secretbox_NONCEBYTES, (const unsigned char *)plain, len,
                          sealed, key);
    memcpy(idempotency->answer.key, idempotency->key, DB_HASH_BYTES);
    memcpy(idempotency->answer.fingerprint, idempotency->fingerprint, DB_HASH_BYTES);
    idempotency->answer.status = (int16_t)status;
    idempotency->answer.sealed = sealed;
    idempotency->answer.sealed_len = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + len;
    idempotency->answer.at = db_now(db_of(request));
    request->kept = idempotency->answer.sealed_len;
    return &idempotency->answer;
}

const struct db_answer *idempotency_mark(struct idempotency *idempotency)
{
    if (idempotency == NULL)
        return NULL;
    idempotency->answer = (struct db_answer){.sealed = NULL};
    memcpy(idempotency->answer.key, idempotency->key, DB_HASH_BYTES);
    memcpy(idempotency->answer.fingerprint, idempotency->fingerprint, DB_HASH_BYTES);
    return &idempotency->answer;
}

/* The text that was sealed; NULL if what is stored was damaged or tampered with. */
static char *unseal(struct request *request, const struct idempotency *idempotency,
                    const struct db_answer *answer)
{
    const unsigned char *sealed = answer->sealed;
    size_t head = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES;
    unsigned char key[crypto_secretbox_KEYBYTES];
    char *plain;

    if (answer->sealed_len < head)
        return NULL;
    plain = arena_alloc(&request->arena, answer->sealed_len - head + 1);
    seal_key(idempotency, key);
    if (crypto_secretbox_open_easy((unsigned char *)plain, sealed + crypto_secretbox_NONCEBYTES,
                                   answer->sealed_len - crypto_secretbox_NONCEBYTES, sealed,
                                   key) != 0)
        return NULL;
    plain[answer->sealed_len - head] = '\0';
    return plain;
}

bool idempotency_is_same(const struct idempotency *idempotency, const struct db_answer *answer)
{
    size_t bytes = answer->sealed == NULL ? DB_MARK_BYTES : DB_HASH_BYTES;

    return sodium_memcmp(answer->fingerprint, idempotency->fingerprint, bytes) == 0;
}

void idempotency_replay(struct request *request, const struct idempotency *idempotency,
                        const struct db_answer *answer)
{
    char *etag = unseal(request, idempotency, answer), *location, *body;

    if (etag == NULL) {
        reply_problem(request, PROBLEM_INTERNAL, NULL);
        return;
    }
    location = strchr(etag, '\n');
    *location++ = '\0';
    body = strchr(location, '\n');
    *body++ = '\0';
    request->kept = 0; /* nothing more than what is kept already */
    reply_replayed(request);
    if (*etag != '\0')
        reply_header(request, "ETag", etag);
    if (*location != '\0')
        reply_header(request, "Location", location);
    if (*body == '\0')
        reply_empty(request, (unsigned)answer->status);
    else
        reply_made(request, (unsigned)answer->status, view_with_game(&request->arena, body));
}

/* ---- looking up ---- */

void idempotency_on_first(void *context, const struct db_reply *reply,
                          const struct db_answer *answer)
{
    struct idempotency *idempotency = context;
    struct request *request = idempotency->request;

    if (reply->outcome == DB_NOT_FOUND)
        reply_problem(request, PROBLEM_IDEMPOTENCY_KEY_REUSED,
                      "The key was used before, and the answer to that request is no longer kept.");
    else if (!idempotency_is_same(idempotency, answer))
        reply_problem(request, PROBLEM_IDEMPOTENCY_KEY_REUSED, NULL);
    else
        idempotency_replay(request, idempotency, answer);
}

void idempotency_repeat(struct idempotency *idempotency, db_id id)
{
    struct request *request = idempotency->request;

    db_get_answer(db_of(request), id, idempotency->key,
                  ASK_ALSO(answer, request, ASK_MISSING, idempotency_on_first, idempotency));
}
