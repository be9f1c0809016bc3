/*
 * fuzz_jwt.c - any bytes as a token of an identity provider, as what a good one says, and as a set
 * of keys.
 *
 * Input: a byte that says nothing, and a text. The text as it stands is a token, and gets in only
 * if it was signed; it is the claims, and the header, of a token that is signed by a key made of a
 * fixed seed; and it is a set of keys.
 */
#include <sodium.h>

#include "api/game/name.h"
#include "api/identity/jwt.h"
#include "fuzz.h"

static unsigned char secret[crypto_sign_SECRETKEYBYTES];
static struct key_set *keys;

static const struct jwt_demand demand = {
    .issuer = "https://id.example", .audience = "plyd", .now_s = 1800000000};

static char *base64url(struct arena *arena, const void *bytes, size_t len)
{
    size_t size = sodium_base64_encoded_len(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);

    return sodium_bin2base64(arena_alloc(arena, size), size, bytes, len,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

static void make_key(struct arena *arena)
{
    static const unsigned char seed[crypto_sign_SEEDBYTES] = "seed";
    unsigned char public_key[crypto_sign_PUBLICKEYBYTES];
    const char *text, *fault;

    must(sodium_init() >= 0);
    crypto_sign_seed_keypair(public_key, secret, seed);
    text = arena_format(arena, "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"}]}",
                        base64url(arena, public_key, sizeof(public_key)));
    keys = key_set_read(text, strlen(text), &fault);
    must(keys != NULL);
}

static const char *sign(struct arena *arena, const char *header, const char *claims)
{
    const char *text = arena_format(arena, "%s.%s", base64url(arena, header, strlen(header)),
                                    base64url(arena, claims, strlen(claims)));
    unsigned char signature[crypto_sign_BYTES];

    crypto_sign_detached(signature, NULL, (const unsigned char *)text, strlen(text), secret);
    return arena_format(arena, "%s.%s", text, base64url(arena, signature, sizeof(signature)));
}

static void judge(struct arena *arena, const char *token, bool may_be_good)
{
    const char *detail;
    struct jwt jwt;

    if (jwt_judge(arena, keys, &demand, token, &jwt, &detail) != PROBLEM_NONE)
        return;
    must(may_be_good);
    must(*jwt.subject != '\0' && jwt.until_s > demand.now_s);
    must(name_refusal(arena, jwt.name) == NULL);
}

static void read_set(const char *text)
{
    const char *fault = NULL;
    struct key_set *set = key_set_read(text, strlen(text), &fault);

    must((set == NULL) == (fault != NULL));
    key_set_free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {NULL, NULL, NULL};
    char *text;

    if (size == 0)
        return 0;
    if (keys == NULL)
        make_key(&arena);
    text = fuzz_text(data, size);
    judge(&arena, text, false);
    judge(&arena, sign(&arena, "{\"alg\":\"EdDSA\"}", text), true);
    judge(
        &arena,
        sign(&arena, text,
             "{\"iss\":\"https://id.example\",\"aud\":\"plyd\",\"sub\":\"42\",\"exp\":1800000300}"),
        true);
    read_set(text);
    arena_free(&arena);
    free(text);
    return 0;
}
