#include "api/hooks/web_push.h"

#include <nettle/bignum.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>
#include <nettle/ecdsa.h>
#include <nettle/gcm.h>
#include <nettle/hkdf.h>
#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <sodium.h>
#include <string.h>

enum { NUMBER = 32, POINT_MARK = 4, LAST_RECORD = 2 };

_Static_assert((int)WEB_PUSH_PUBLIC == 1 + 2 * (int)NUMBER, "a point is two numbers");
_Static_assert((int)WEB_PUSH_HEAD == (int)WEB_PUSH_SALT + 4 + 1, "salt, size, length of the id");

/* ---- numbers and points ---- */

static void take_random(void *context, size_t len, uint8_t *bytes)
{
    (void)context;
    randombytes_buf(bytes, len);
}

static void write_number(uint8_t *bytes, const mpz_t number)
{
    nettle_mpz_get_str_256(NUMBER, bytes, number);
}

static bool read_point(struct ecc_point *point, const uint8_t *bytes)
{
    mpz_t x, y;
    bool found;

    nettle_mpz_init_set_str_256_u(x, NUMBER, bytes + 1);
    nettle_mpz_init_set_str_256_u(y, NUMBER, bytes + 1 + NUMBER);
    found = bytes[0] == POINT_MARK && ecc_point_set(point, x, y) == 1;
    mpz_clear(x);
    mpz_clear(y);
    return found;
}

static void write_point(uint8_t *bytes, const struct ecc_point *point)
{
    mpz_t x, y;

    mpz_init(x);
    mpz_init(y);
    ecc_point_get(point, x, y);
    bytes[0] = POINT_MARK;
    write_number(bytes + 1, x);
    write_number(bytes + 1 + NUMBER, y);
    mpz_clear(x);
    mpz_clear(y);
}

static bool read_scalar(struct ecc_scalar *scalar, const uint8_t *bytes)
{
    mpz_t number;
    bool fits;

    nettle_mpz_init_set_str_256_u(number, NUMBER, bytes);
    ecc_scalar_init(scalar, nettle_get_secp_256r1());
    fits = ecc_scalar_set(scalar, number) == 1;
    mpz_clear(number);
    return fits;
}

/* ---- keys ---- */

bool web_push_is_public(const uint8_t *bytes, size_t len)
{
    struct ecc_point point;
    bool found;

    if (len != WEB_PUSH_PUBLIC)
        return false;
    ecc_point_init(&point, nettle_get_secp_256r1());
    found = read_point(&point, bytes);
    ecc_point_clear(&point);
    return found;
}

bool web_push_key_of(struct web_push_key *key, const uint8_t secret[WEB_PUSH_PRIVATE])
{
    struct ecc_scalar scalar;
    struct ecc_point point;
    bool fits = read_scalar(&scalar, secret);

    if (fits) {
        ecc_point_init(&point, nettle_get_secp_256r1());
        ecc_point_mul_g(&point, &scalar);
        write_point(key->public, &point);
        ecc_point_clear(&point);
        memcpy(key->secret, secret, sizeof(key->secret));
    }
    ecc_scalar_clear(&scalar);
    return fits;
}

/* Of all numbers of 256 bits, one in four billions is none of the curve's. */
void web_push_key_make(struct web_push_key *key)
{
    uint8_t secret[WEB_PUSH_PRIVATE];

    do
        randombytes_buf(secret, sizeof(secret));
    while (!web_push_key_of(key, secret));
    sodium_memzero(secret, sizeof(secret));
}

/* What the owner of either private key can know, and nobody else (ECDH). */
static void share_secret(const struct web_push_key *own, const uint8_t *public, uint8_t *shared)
{
    struct ecc_scalar scalar;
    struct ecc_point point;
    uint8_t both[WEB_PUSH_PUBLIC];

    ecc_point_init(&point, nettle_get_secp_256r1());
    if (read_scalar(&scalar, own->secret) && read_point(&point, public))
        ecc_point_mul(&point, &scalar, &point);
    write_point(both, &point);
    memcpy(shared, both + 1, NUMBER);
    sodium_memzero(both, sizeof(both));
    ecc_point_clear(&point);
    ecc_scalar_clear(&scalar);
}

/* ---- encryption ---- */

/* HKDF whose result is no longer than one hash. */
static void derive(const uint8_t *salt, size_t salt_len, const uint8_t *material,
                   size_t material_len, const void *info, size_t info_len, uint8_t *out, size_t len)
{
    struct hmac_sha256_ctx hmac;
    uint8_t key[SHA256_DIGEST_SIZE];

    hmac_sha256_set_key(&hmac, salt_len, salt);
    hkdf_extract(&hmac, (nettle_hash_update_func *)hmac_sha256_update,
                 (nettle_hash_digest_func *)hmac_sha256_digest, sizeof(key), material_len, material,
                 key);
    hmac_sha256_set_key(&hmac, sizeof(key), key);
    hkdf_expand(&hmac, (nettle_hash_update_func *)hmac_sha256_update,
                (nettle_hash_digest_func *)hmac_sha256_digest, sizeof(key), info_len, info, len,
                out);
    sodium_memzero(key, sizeof(key));
}

size_t web_push_seal(const uint8_t *material, size_t material_len,
                     const uint8_t salt[WEB_PUSH_SALT], const uint8_t *id, uint8_t id_len,
                     const void *text, size_t len, uint8_t *out)
{
    static const char key_info[] = "Content-Encoding: aes128gcm",
                      nonce_info[] = "Content-Encoding: nonce";
    static const uint8_t record[4] = {0, 0, WEB_PUSH_RECORD >> 8, WEB_PUSH_RECORD & 0xff};
    uint8_t key[AES128_KEY_SIZE], nonce[GCM_IV_SIZE], *at = out;
    struct gcm_aes128_ctx gcm;

    memcpy(at, salt, WEB_PUSH_SALT);
    memcpy(at + WEB_PUSH_SALT, record, sizeof(record));
    at[WEB_PUSH_HEAD - 1] = id_len;
    if (id_len > 0)
        memcpy(at + WEB_PUSH_HEAD, id, id_len);
    at += WEB_PUSH_HEAD + id_len;
    memcpy(at, text, len);
    at[len] = LAST_RECORD;

    derive(salt, WEB_PUSH_SALT, material, material_len, key_info, sizeof(key_info), key,
           sizeof(key));
    derive(salt, WEB_PUSH_SALT, material, material_len, nonce_info, sizeof(nonce_info), nonce,
           sizeof(nonce));
    gcm_aes128_set_key(&gcm, key);
    gcm_aes128_set_iv(&gcm, sizeof(nonce), nonce);
    gcm_aes128_encrypt(&gcm, len + 1, at, at);
    gcm_aes128_digest(&gcm, GCM_DIGEST_SIZE, at + len + 1);
    sodium_memzero(key, sizeof(key));
    sodium_memzero(&gcm, sizeof(gcm));
    return (size_t)(at - out) + len + 1 + GCM_DIGEST_SIZE;
}

size_t web_push_encrypt(const struct web_push_receiver *receiver, const struct web_push_key *once,
                        const uint8_t salt[WEB_PUSH_SALT], const void *text, size_t len,
                        uint8_t *out)
{
    static const char label[] = "WebPush: info";
    uint8_t info[sizeof(label) + 2 * (size_t)WEB_PUSH_PUBLIC], shared[NUMBER],
        material[SHA256_DIGEST_SIZE];
    size_t sealed;

    memcpy(info, label, sizeof(label));
    memcpy(info + sizeof(label), receiver->p256dh, WEB_PUSH_PUBLIC);
    memcpy(info + sizeof(label) + WEB_PUSH_PUBLIC, once->public, WEB_PUSH_PUBLIC);
    share_secret(once, receiver->p256dh, shared);
    derive(receiver->auth, WEB_PUSH_AUTH, shared, sizeof(shared), info, sizeof(info), material,
           sizeof(material));
    sealed = web_push_seal(material, sizeof(material), salt, once->public, WEB_PUSH_PUBLIC, text,
                           len, out);
    sodium_memzero(shared, sizeof(shared));
    sodium_memzero(material, sizeof(material));
    return sealed;
}

/* ---- signatures ---- */

void web_push_sign(const struct web_push_key *key, const void *bytes, size_t len,
                   uint8_t signature[WEB_PUSH_SIGNATURE])
{
    uint8_t hash[SHA256_DIGEST_SIZE];
    struct dsa_signature made;
    struct ecc_scalar scalar;

    crypto_hash_sha256(hash, bytes, len);
    dsa_signature_init(&made);
    if (read_scalar(&scalar, key->secret))
        ecdsa_sign(&scalar, NULL, take_random, sizeof(hash), hash, &made);
    write_number(signature, made.r);
    write_number(signature + NUMBER, made.s);
    dsa_signature_clear(&made);
    ecc_scalar_clear(&scalar);
}
