#include "api/identity/key_set.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/text/arena.h"
#include "api/text/json_fields.h"
#include "api/text/must.h"

enum { COORDINATE = 32, RSA_BYTES_MIN = 256, EXPONENT_BYTES_MAX = 4 };

struct key {
    enum key_algorithm algorithm;
    gnutls_pubkey_t its;
    size_t signature_len; /* of every signature by it */
    char *id;             /* NULL: it has none */
    uint64_t print;
};

struct key_set {
    size_t count;
    struct key key[KEY_SET_KEYS_MAX];
};

static const struct {
    const char *name, *type, *curve;
} kinds[KEY_ALGORITHMS] = {[KEY_RS256] = {"RS256", "RSA", NULL},
                           [KEY_ES256] = {"ES256", "EC", "P-256"},
                           [KEY_EDDSA] = {"EdDSA", "OKP", "Ed25519"}};

/* EdDSA over Ed25519 has a name of its own since RFC 9864. */
enum key_algorithm key_algorithm(const char *name)
{
    int i = 0;

    while (i < KEY_ALGORITHMS && strcmp(name, kinds[i].name) != 0)
        i++;
    return strcmp(name, "Ed25519") == 0 ? KEY_EDDSA : (enum key_algorithm)i;
}

/* ---- reading one ---- */

/* Takes a member that is base64url of `min` to `max` bytes. */
static bool take_bytes(struct json_fields *jwk, const char *key, size_t min, size_t max,
                       gnutls_datum_t *bytes)
{
    const char *text;
    size_t len;

    if (!json_take_string(jwk, key, 4 * max, &text))
        return false;
    bytes->data = arena_alloc(jwk->arena, strlen(text) + 1);
    if (sodium_base642bin(bytes->data, strlen(text), text, strlen(text), NULL, &len, NULL,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0)
        return false;
    bytes->size = (unsigned)len;
    return len >= min && len <= max;
}

static bool is_odd(const gnutls_datum_t *number)
{
    return number->data[number->size - 1] % 2 == 1;
}

/* A number begins with no zero (RFC 7518), and has 2048 bits at least. */
static bool is_modulus(const gnutls_datum_t *number)
{
    return is_odd(number) && number->data[0] >= (number->size == RSA_BYTES_MIN ? 0x80 : 1);
}

/* By e = 1 everything is its own signature, by an even e one number has several, and a huge one
 * only takes long. */
static bool is_exponent(const gnutls_datum_t *number)
{
    return is_odd(number) && number->data[0] >= (number->size == 1 ? 3 : 1);
}

static bool import_rsa(struct json_fields *jwk, struct key *key)
{
    gnutls_datum_t modulus, exponent;

    if (!take_bytes(jwk, "n", RSA_BYTES_MIN, KEY_SET_SIGNATURE_MAX, &modulus) ||
        !take_bytes(jwk, "e", 1, EXPONENT_BYTES_MAX, &exponent) || !is_modulus(&modulus) ||
        !is_exponent(&exponent))
        return false;
    key->signature_len = modulus.size;
    return gnutls_pubkey_import_rsa_raw(key->its, &modulus, &exponent) == 0;
}

static bool import_p256(struct json_fields *jwk, struct key *key)
{
    gnutls_datum_t x, y;

    key->signature_len = 2 * COORDINATE;
    return take_bytes(jwk, "x", COORDINATE, COORDINATE, &x) &&
           take_bytes(jwk, "y", COORDINATE, COORDINATE, &y) &&
           gnutls_pubkey_import_ecc_raw(key->its, GNUTLS_ECC_CURVE_SECP256R1, &x, &y) == 0 &&
           gnutls_pubkey_verify_params(key->its) == 0; /* it lies on the curve */
}

/* By a point of small order, signatures can be made by whoever knows it. */
static bool import_ed25519(struct json_fields *jwk, struct key *key)
{
    gnutls_datum_t x;

    key->signature_len = 64;
    return take_bytes(jwk, "x", COORDINATE, COORDINATE, &x) &&
           crypto_core_ed25519_is_valid_point(x.data) &&
           gnutls_pubkey_import_ecc_raw(key->its, GNUTLS_ECC_CURVE_ED25519, &x, NULL) == 0;
}

static bool import(struct json_fields *jwk, struct key *key)
{
    switch (key->algorithm) {
    case KEY_RS256:
        return import_rsa(jwk, key);
    case KEY_ES256:
        return import_p256(jwk, key);
    case KEY_EDDSA:
        return import_ed25519(jwk, key);
    case KEY_ALGORITHMS:
        break;
    }
    return false;
}

/* Whether a key is for signatures, as far as it says. */
static bool may_sign(struct json_fields *jwk)
{
    const char *use = "";

    return !json_has(jwk, "use") ||
           (json_take_string(jwk, "use", 16, &use) && strcmp(use, "sig") == 0);
}

static bool may_be(struct json_fields *jwk, enum key_algorithm algorithm)
{
    const char *name = "";

    return !json_has(jwk, "alg") ||
           (json_take_string(jwk, "alg", 16, &name) && key_algorithm(name) == algorithm);
}

/* The operations of a key, if it names any, must have this one. */
static bool may_verify(struct json_fields *jwk)
{
    const struct json_value *list;
    const char *operation;
    size_t count;

    if (!json_has(jwk, "key_ops"))
        return true;
    if (!json_take_array(jwk, "key_ops", 16, &list, &count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (json_element_string(jwk, list, "key_ops", i, 64, &operation) &&
            strcmp(operation, "verify") == 0)
            return true;
    return false;
}

/* For which algorithm a key is; KEY_ALGORITHMS: for none of ours. */
static enum key_algorithm algorithm_of(struct json_fields *jwk)
{
    const char *type = "", *curve = "";
    int i = 0;

    if (!json_take_string(jwk, "kty", 16, &type) || !may_sign(jwk) || !may_verify(jwk))
        return KEY_ALGORITHMS;
    if (json_has(jwk, "crv") && !json_take_string(jwk, "crv", 16, &curve))
        return KEY_ALGORITHMS;
    while (i < KEY_ALGORITHMS && (strcmp(type, kinds[i].type) != 0 ||
                                  (kinds[i].curve != NULL && strcmp(curve, kinds[i].curve) != 0)))
        i++;
    return may_be(jwk, (enum key_algorithm)i) ? (enum key_algorithm)i : KEY_ALGORITHMS;
}

/* The same for the same key under the same id, in every set. */
static uint64_t print_of(const struct key *key)
{
    unsigned char its[64], hash[crypto_generichash_BYTES];
    crypto_generichash_state state;
    size_t len = sizeof(its);
    uint64_t print;

    gnutls_pubkey_get_key_id(key->its, GNUTLS_KEYID_USE_SHA256, its, &len);
    crypto_generichash_init(&state, NULL, 0, sizeof(hash));
    crypto_generichash_update(&state, its, len);
    if (key->id != NULL)
        crypto_generichash_update(&state, (const unsigned char *)key->id, strlen(key->id));
    crypto_generichash_final(&state, hash, sizeof(hash));
    memcpy(&print, hash, sizeof(print));
    return print;
}

/* Adds a key, if it is of use. */
static void add_key(struct key_set *set, struct json_fields *jwk)
{
    struct key *key = &set->key[set->count];
    const char *id = NULL;

    *key = (struct key){.algorithm = algorithm_of(jwk)};
    if (key->algorithm == KEY_ALGORITHMS ||
        (json_has(jwk, "kid") && !json_take_string(jwk, "kid", KEY_SET_ID_MAX, &id)) ||
        gnutls_pubkey_init(&key->its) != 0)
        return;
    if (!import(jwk, key)) {
        gnutls_pubkey_deinit(key->its);
        return;
    }
    key->id = id == NULL ? NULL : must_copy(id);
    key->print = print_of(key);
    set->count++;
}

/* ---- reading all ---- */

/* What is wrong with one key is no fault of the others, so each has an error of its own. */
static const char *add_all(struct key_set *set, struct arena *arena, const struct json_value *body)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    const struct json_value *list;
    struct json_fields fields;
    size_t count;

    json_fields(&fields, arena, body, &error);
    if (!json_take_array(&fields, "keys", KEY_SET_KEYS_MAX, &list, &count))
        return "A JWK Set is expected, {\"keys\": [...]} with at most 64 keys.";
    for (size_t i = 0; i < count; i++) {
        struct json_error its = {PROBLEM_NONE, NULL, NULL};
        struct json_fields jwk;

        if (!json_element_object(&fields, list, "keys", i, &jwk))
            return "A key of the set is no object.";
        jwk.error = &its;
        add_key(set, &jwk);
    }
    return NULL;
}

struct key_set *key_set_read(const char *text, size_t len, const char **fault)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct arena arena = {NULL, NULL, NULL};
    struct json_value *body = NULL;
    struct key_set *set;

    if (len > KEY_SET_BYTES_MAX) {
        *fault = "A JWK Set has 256 KiB at most.";
        return NULL;
    }
    set = must_zero(sizeof(*set));
    body = json_read(&arena, text, len, &error);
    *fault = body == NULL ? "A JWK Set is expected, and this is no JSON object."
                          : add_all(set, &arena, body);
    json_free(body);
    arena_free(&arena);
    if (*fault == NULL)
        return set;
    key_set_free(set);
    return NULL;
}

void key_set_free(struct key_set *set)
{
    if (set == NULL)
        return;
    for (size_t i = 0; i < set->count; i++) {
        gnutls_pubkey_deinit(set->key[i].its);
        free(set->key[i].id);
    }
    free(set);
}

size_t key_set_count(const struct key_set *set)
{
    return set->count;
}

bool key_set_has(const struct key_set *set, uint64_t print)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->key[i].print == print)
            return true;
    return false;
}

uint64_t key_print(const struct key *key)
{
    return key->print;
}

/* ---- finding one ---- */

static bool has_id(const struct key *key, const char *id)
{
    return key->id != NULL && strcmp(key->id, id) == 0;
}

static const struct key *only_one(const struct key_set *set, enum key_algorithm algorithm)
{
    const struct key *found = NULL;

    for (size_t i = 0; i < set->count; i++) {
        if (set->key[i].algorithm != algorithm)
            continue;
        if (found != NULL)
            return NULL;
        found = &set->key[i];
    }
    return found;
}

const struct key *key_set_find(const struct key_set *set, const char *id,
                               enum key_algorithm algorithm, bool *misfit)
{
    *misfit = false;
    if (id == NULL)
        return only_one(set, algorithm);
    for (size_t i = 0; i < set->count; i++) {
        if (!has_id(&set->key[i], id))
            continue;
        if (set->key[i].algorithm == algorithm)
            return &set->key[i];
        *misfit = true;
    }
    return NULL;
}

/* ---- judging ---- */

static bool verify(const struct key *key, gnutls_sign_algorithm_t algorithm,
                   const gnutls_datum_t *bytes, const gnutls_datum_t *signature)
{
    return gnutls_pubkey_verify_data2(key->its, algorithm, 0, bytes, signature) >= 0;
}

/* A token has the two numbers of the signature side by side, and GnuTLS wants them in DER. */
static bool verify_p256(const struct key *key, const gnutls_datum_t *bytes,
                        const gnutls_datum_t *signature)
{
    const gnutls_datum_t r = {signature->data, COORDINATE},
                         s = {signature->data + COORDINATE, COORDINATE};
    gnutls_datum_t der;
    bool good;

    if (gnutls_encode_rs_value(&der, &r, &s) != 0)
        return false;
    good = verify(key, GNUTLS_SIGN_ECDSA_SHA256, bytes, &der);
    gnutls_free(der.data);
    return good;
}

bool key_has_signed(const struct key *key, const void *bytes, size_t len, const uint8_t *signature,
                    size_t signature_len)
{
    uint8_t copy[KEY_SET_SIGNATURE_MAX]; /* GnuTLS takes no constants */
    const gnutls_datum_t sig = {copy, (unsigned)signature_len};
    gnutls_datum_t text = {NULL, (unsigned)len};

    if (signature_len != key->signature_len)
        return false;
    memcpy(copy, signature, signature_len);
    memcpy(&text.data, &bytes, sizeof(bytes)); /* which it does not change */
    switch (key->algorithm) {
    case KEY_RS256:
        return verify(key, GNUTLS_SIGN_RSA_SHA256, &text, &sig);
    case KEY_ES256:
        return verify_p256(key, &text, &sig);
    case KEY_EDDSA:
        return verify(key, GNUTLS_SIGN_EDDSA_ED25519, &text, &sig);
    case KEY_ALGORITHMS:
        break;
    }
    return false;
}
