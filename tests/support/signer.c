#include "signer.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    gnutls_pk_algorithm_t type;
    gnutls_sign_algorithm_t by;
    unsigned bits;
} kinds[] = {
    [SIGNER_RS256] = {"RS256", GNUTLS_PK_RSA, GNUTLS_SIGN_RSA_SHA256, 2048},
    [SIGNER_ES256] = {"ES256", GNUTLS_PK_ECDSA, GNUTLS_SIGN_ECDSA_SHA256,
                      GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1)},
    [SIGNER_EDDSA] = {"EdDSA", GNUTLS_PK_EDDSA_ED25519, GNUTLS_SIGN_EDDSA_ED25519,
                      GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_ED25519)},
};

static void must(int result, const char *what)
{
    if (result >= 0)
        return;
    fprintf(stderr, "signer: %s: %s\n", what, gnutls_strerror(result));
    exit(1);
}

static char *text_of(const char *format, const char *a, const char *b, const char *c)
{
    char *text;

    if (asprintf(&text, format, a, b, c) < 0)
        exit(1);
    return text;
}

static char *base64url(const void *bytes, size_t len)
{
    size_t size = sodium_base64_encoded_len(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    char *text = malloc(size);

    if (text == NULL)
        exit(1);
    return sodium_bin2base64(text, size, bytes, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* ---- keys ---- */

void signer_make(struct signer *signer, enum signer_kind kind, const char *id, unsigned bits)
{
    gnutls_privkey_t key;

    must(gnutls_privkey_init(&key), "init");
    must(gnutls_privkey_generate(key, kinds[kind].type, bits == 0 ? kinds[kind].bits : bits, 0),
         "generate");
    *signer = (struct signer){kind, id, key};
}

void signer_free(struct signer *signer)
{
    gnutls_privkey_deinit(signer->key);
}

const char *signer_algorithm(const struct signer *signer)
{
    return kinds[signer->kind].name;
}

/* The bytes without the zeros that GnuTLS puts before a number whose first bit is set. */
static char *number_text(gnutls_datum_t *number, size_t size)
{
    uint8_t bytes[1024] = {0};
    size_t skip = 0, len;

    while (skip + 1 < number->size && number->data[skip] == 0)
        skip++;
    len = number->size - skip;
    size = size == 0 ? len : size;
    memcpy(bytes + size - len, number->data + skip, len);
    gnutls_free(number->data);
    return base64url(bytes, size);
}

static char *rsa_members(const struct signer *signer)
{
    gnutls_datum_t m, e;
    char *n_text, *e_text, *text;

    must(gnutls_privkey_export_rsa_raw(signer->key, &m, &e, NULL, NULL, NULL, NULL, NULL, NULL),
         "export");
    n_text = number_text(&m, 0);
    e_text = number_text(&e, 0);
    text = text_of("\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"%s\"%s", n_text, e_text, "");
    free(n_text);
    free(e_text);
    return text;
}

static char *curve_members(const struct signer *signer)
{
    bool is_ec = signer->kind == SIGNER_ES256;
    gnutls_datum_t x = {NULL, 0}, y = {NULL, 0};
    gnutls_ecc_curve_t curve;
    char *x_text, *y_text, *text;

    must(gnutls_privkey_export_ecc_raw(signer->key, &curve, &x, &y, NULL), "export");
    x_text = is_ec ? number_text(&x, 32) : base64url(x.data, x.size);
    y_text = is_ec ? number_text(&y, 32) : NULL;
    text = is_ec ? text_of("\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"%s", x_text,
                           y_text, "")
                 : text_of("\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"%s%s", x_text, "", "");
    if (!is_ec)
        gnutls_free(x.data);
    free(x_text);
    free(y_text);
    return text;
}

char *signer_jwk(const struct signer *signer, const char *members)
{
    char *own = signer->kind == SIGNER_RS256 ? rsa_members(signer) : curve_members(signer);
    char *id = signer->id == NULL ? text_of("%s%s%s", "", "", "")
                                  : text_of("\"kid\":\"%s\",%s%s", signer->id, "", "");
    char *text = text_of("{%s%s%s}", members, id, own);

    free(own);
    free(id);
    return text;
}

char *signer_set(const struct signer *const *signers, size_t count)
{
    char *text = text_of("{\"keys\":[%s%s%s", "", "", "");

    for (size_t i = 0; i < count; i++) {
        char *jwk = signer_jwk(signers[i], "\"use\":\"sig\",");
        char *longer = text_of("%s%s%s", text, i == 0 ? "" : ",", jwk);

        free(jwk);
        free(text);
        text = longer;
    }
    text = realloc(text, strlen(text) + 3);
    if (text == NULL)
        exit(1);
    return strcat(text, "]}");
}

char *signer_pem(const struct signer *signer)
{
    gnutls_pubkey_t public_key;
    gnutls_datum_t pem;
    char *text;

    must(gnutls_pubkey_init(&public_key), "init");
    must(gnutls_pubkey_import_privkey(public_key, signer->key, 0, 0), "import");
    must(gnutls_pubkey_export2(public_key, GNUTLS_X509_FMT_PEM, &pem), "export");
    text = text_of("%s%s%s", (const char *)pem.data, "", "");
    gnutls_free(pem.data);
    gnutls_pubkey_deinit(public_key);
    return text;
}

/* ---- tokens ---- */

static char *unsigned_token(const char *header, const char *claims)
{
    char *first = base64url(header, strlen(header)), *second = base64url(claims, strlen(claims));
    char *text = text_of("%s.%s%s", first, second, "");

    free(first);
    free(second);
    return text;
}

/* Takes the first two parts. */
static char *close_token(char *text, const void *signature, size_t len)
{
    char *third = base64url(signature, len), *token = text_of("%s.%s%s", text, third, "");

    free(text);
    free(third);
    return token;
}

char *signer_forge(const char *header, const char *claims, const void *signature, size_t len)
{
    return close_token(unsigned_token(header, claims), signature, len);
}

char *signer_hmac(const char *header, const char *claims, const char *secret)
{
    char *text = unsigned_token(header, claims);
    uint8_t mac[32];

    must(gnutls_hmac_fast(GNUTLS_MAC_SHA256, secret, strlen(secret), text, strlen(text), mac),
         "hmac");
    return close_token(text, mac, sizeof(mac));
}

/* The two numbers of a signature side by side. */
static void flatten(gnutls_datum_t *der, uint8_t flat[64])
{
    gnutls_datum_t number[2];

    must(gnutls_decode_rs_value(der, &number[0], &number[1]), "decode");
    memset(flat, 0, 64);
    for (size_t i = 0; i < 2; i++) {
        size_t skip = number[i].size > 32 ? number[i].size - 32 : 0;

        memcpy(flat + 32 * i + 32 - (number[i].size - skip), number[i].data + skip,
               number[i].size - skip);
        gnutls_free(number[i].data);
    }
}

char *signer_sign(const struct signer *signer, const char *header, const char *claims)
{
    char *text = unsigned_token(header, claims), *token;
    gnutls_datum_t bytes = {(unsigned char *)text, (unsigned)strlen(text)}, signature;
    uint8_t flat[64];

    must(gnutls_privkey_sign_data2(signer->key, kinds[signer->kind].by, 0, &bytes, &signature),
         "sign");
    if (signer->kind == SIGNER_ES256) {
        flatten(&signature, flat);
        token = close_token(text, flat, sizeof(flat));
    } else {
        token = close_token(text, signature.data, signature.size);
    }
    gnutls_free(signature.data);
    return token;
}

char *signer_token(const struct signer *signer, const char *claims)
{
    char *header = signer->id == NULL ? text_of("{\"alg\":\"%s\",\"typ\":\"JWT\"%s%s}",
                                                signer_algorithm(signer), "", "")
                                      : text_of("{\"alg\":\"%s\",\"kid\":\"%s\"%s}",
                                                signer_algorithm(signer), signer->id, "");
    char *token = signer_sign(signer, header, claims);

    free(header);
    return token;
}
