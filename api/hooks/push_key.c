#include "api/hooks/push_key.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "api/loop/loop.h"
#include "api/loop/part.h"
#include "api/text/must.h"

struct push_key {
    bool known;
    struct web_push_key key;
};

static void push_key_open(struct loop *loop)
{
    loop->own[PART_push_key] = must_zero(sizeof(struct push_key));
}

static void push_key_close(struct loop *loop)
{
    struct push_key *own = push_key_of(loop);

    sodium_memzero(own, sizeof(*own));
    free(own);
}

const struct part push_key_part = {.open = push_key_open, .close = push_key_close};

const struct web_push_key *push_key_known(const struct loop *loop)
{
    const struct push_key *own = push_key_of(loop);

    return own->known ? &own->key : NULL;
}

struct db_push_key push_key_make(void)
{
    struct web_push_key key;
    struct db_push_key made;

    web_push_key_make(&key);
    memcpy(made.secret, key.secret, sizeof(made.secret));
    return made;
}

_Static_assert((int)DB_PUSH_KEY_BYTES == (int)WEB_PUSH_PRIVATE, "a key is stored as it is");

const struct web_push_key *push_key_learn(struct loop *loop, const struct db_push_key *stored)
{
    struct push_key *own = push_key_of(loop);

    own->known = web_push_key_of(&own->key, stored->secret);
    return push_key_known(loop);
}

const char *push_key_text(struct arena *arena, const struct web_push_key *key)
{
    size_t size =
        sodium_base64_encoded_len(sizeof(key->public), sodium_base64_VARIANT_URLSAFE_NO_PADDING);

    return sodium_bin2base64(arena_alloc(arena, size), size, key->public, sizeof(key->public),
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}
