#include "subscriber.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <nettle/bignum.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32, SALT = 16, HEAD = SALT + 4 + 1 + SUBSCRIBER_POINT, TAG = 16 };

static void must(int result, const char *what)
{
    if (result < 0) {
        fprintf(stderr, "subscriber: %s: %s\n", what, gnutls_strerror(result));
        abort();
    }
}

static gnutls_datum_t datum(const void *bytes, size_t len)
{
    return (gnutls_datum_t){(unsigned char *)bytes, (unsigned)len};
}

/* ---- keys ---- */

void subscriber_make(struct subscriber *subscriber)
{
    gnutls_privkey_t key;
    gnutls_ecc_curve_t curve;
    gnutls_datum_t part[3];
    uint8_t *const place[] = {subscriber->point + 1, subscriber->point + 1 + NUMBER,
                              subscriber->secret};

    memset(subscriber, 0, sizeof(*subscriber));
    subscriber->point[0] = 4;
    randombytes_buf(subscriber->auth, sizeof(subscriber->auth));
    must(gnutls_privkey_init(&key), "init");
    must(gnutls_privkey_generate(key, GNUTLS_PK_ECDSA,
                                 GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0),
         "generate");
    must(gnutls_privkey_export_ecc_raw2(key, &curve, &part[0], &part[1], &part[2],
                                        GNUTLS_EXPORT_FLAG_NO_LZ),
         "export");
    for (int i = 0; i < 3; i++) {
        memcpy(place[i] + NUMBER - part[i].size, part[i].data, part[i].size);
        gnutls_free(part[i].data);
    }
    gnutls_privkey_deinit(key);
}

char *subscriber_json(const struct subscriber *subscriber, const char *endpoint, const char *more)
{
    char point[96], auth[32], *text = malloc(strlen(endpoint) + strlen(more) + 256);

    sodium_bin2base64(point, sizeof(point), subscriber->point, sizeof(subscriber->point),
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_bin2base64(auth, sizeof(auth), subscriber->auth, sizeof(subscriber->auth),
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sprintf(text,
            "{\"endpoint\":\"%s\",\"expirationTime\":null,\"keys\":{\"p256dh\":\"%s\",\"auth\":"
            "\"%s\"}%s}",
            endpoint, point, auth, more);
    return text;
}

/* ---- messages ---- */

/* The first number of the product of its key and a point. */
static bool share(const struct subscriber *subscriber, const uint8_t *point, uint8_t shared[NUMBER])
{
    struct ecc_scalar scalar;
    struct ecc_point at;
    mpz_t number, x, y;
    bool found;

    nettle_mpz_init_set_str_256_u(number, NUMBER, subscriber->secret);
    nettle_mpz_init_set_str_256_u(x, NUMBER, point + 1);
    nettle_mpz_init_set_str_256_u(y, NUMBER, point + 1 + NUMBER);
    ecc_scalar_init(&scalar, nettle_get_secp_256r1());
    ecc_point_init(&at, nettle_get_secp_256r1());
    found = point[0] == 4 && ecc_scalar_set(&scalar, number) == 1 && ecc_point_set(&at, x, y) == 1;
    if (found) {
        ecc_point_mul(&at, &scalar, &at);
        ecc_point_get(&at, x, y);
        nettle_mpz_get_str_256(NUMBER, shared, x);
    }
    ecc_point_clear(&at);
    ecc_scalar_clear(&scalar);
    mpz_clears(number, x, y, NULL);
    return found;
}

static void derive(gnutls_datum_t salt, gnutls_datum_t material, gnutls_datum_t info, uint8_t *out,
                   size_t len)
{
    uint8_t key[32];
    gnutls_datum_t extracted = datum(key, sizeof(key));

    must(gnutls_hkdf_extract(GNUTLS_MAC_SHA256, &material, &salt, key), "extract");
    must(gnutls_hkdf_expand(GNUTLS_MAC_SHA256, &extracted, &info, out, len), "expand");
}

/* The text without what ends it: zeros behind a 2. */
static char *unpad(char *text, size_t len)
{
    while (len > 0 && text[len - 1] == 0)
        len--;
    if (len == 0 || text[len - 1] != 2) {
        free(text);
        return NULL;
    }
    text[len - 1] = '\0';
    return text;
}

static char *open_record(gnutls_datum_t salt, gnutls_datum_t material, const uint8_t *sealed,
                         size_t len)
{
    static const char key_info[] = "Content-Encoding: aes128gcm",
                      nonce_info[] = "Content-Encoding: nonce";
    uint8_t key[16], nonce[12];
    gnutls_datum_t by = datum(key, sizeof(key));
    gnutls_aead_cipher_hd_t cipher;
    char *text = malloc(len);
    size_t size = len;
    int opened;

    derive(salt, material, datum(key_info, sizeof(key_info)), key, sizeof(key));
    derive(salt, material, datum(nonce_info, sizeof(nonce_info)), nonce, sizeof(nonce));
    must(gnutls_aead_cipher_init(&cipher, GNUTLS_CIPHER_AES_128_GCM, &by), "cipher");
    opened = gnutls_aead_cipher_decrypt(cipher, nonce, sizeof(nonce), NULL, 0, TAG, sealed, len,
                                        text, &size);
    gnutls_aead_cipher_deinit(cipher);
    if (opened >= 0)
        return unpad(text, size);
    free(text);
    return NULL;
}

char *subscriber_read(const struct subscriber *subscriber, const void *message, size_t len)
{
    static const char label[] = "WebPush: info";
    const uint8_t *bytes = message, *point = bytes + SALT + 5;
    uint8_t shared[NUMBER], material[32], info[sizeof(label) + 2 * (size_t)SUBSCRIBER_POINT];

    if (len <= HEAD + TAG || len > 4096 || bytes[SALT + 4] != SUBSCRIBER_POINT ||
        !share(subscriber, point, shared))
        return NULL;
    memcpy(info, label, sizeof(label));
    memcpy(info + sizeof(label), subscriber->point, SUBSCRIBER_POINT);
    memcpy(info + sizeof(label) + SUBSCRIBER_POINT, point, SUBSCRIBER_POINT);
    derive(datum(subscriber->auth, sizeof(subscriber->auth)), datum(shared, sizeof(shared)),
           datum(info, sizeof(info)), material, sizeof(material));
    return open_record(datum(bytes, SALT), datum(material, sizeof(material)), bytes + HEAD,
                       len - HEAD);
}

/* ---- signatures ---- */

bool subscriber_is_signed(const uint8_t point[SUBSCRIBER_POINT], const char *text, size_t len,
                          const uint8_t signature[64])
{
    gnutls_datum_t x = datum(point + 1, NUMBER), y = datum(point + 1 + NUMBER, NUMBER),
                   r = datum(signature, NUMBER), s = datum(signature + NUMBER, NUMBER),
                   bytes = datum(text, len), both;
    gnutls_pubkey_t key;
    int judged;

    must(gnutls_pubkey_init(&key), "init");
    must(gnutls_pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_SECP256R1, &x, &y), "import");
    must(gnutls_encode_rs_value(&both, &r, &s), "encode");
    judged = gnutls_pubkey_verify_data2(key, GNUTLS_SIGN_ECDSA_SHA256, 0, &bytes, &both);
    gnutls_free(both.data);
    gnutls_pubkey_deinit(key);
    return judged >= 0;
}
