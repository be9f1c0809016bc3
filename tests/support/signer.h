/*
 * signer.h - keys by which tests sign tokens, as an identity provider does, and as it should not.
 *
 * Texts that are returned belong to the caller.
 */
#ifndef PLYD_TESTS_SUPPORT_SIGNER_H
#define PLYD_TESTS_SUPPORT_SIGNER_H

#include <stddef.h>
#include <stdint.h>

enum signer_kind { SIGNER_RS256, SIGNER_ES256, SIGNER_EDDSA, SIGNER_KINDS };

struct signer {
    enum signer_kind kind;
    const char *id; /* its kid; NULL: it has none */
    void *key;      /* GnuTLS's */
};

/* Makes a key. `bits` is for RSA; 0: 2048. */
void signer_make(struct signer *signer, enum signer_kind kind, const char *id, unsigned bits);
void signer_free(struct signer *signer);

/* The name of its algorithm. */
const char *signer_algorithm(const struct signer *signer);

/* Its public key as a JWK, with further members before its own, such as "\"use\":\"enc\",". */
char *signer_jwk(const struct signer *signer, const char *members);

/* The key set of some signers. */
char *signer_set(const struct signer *const *signers, size_t count);

/* A token with the header that the key should have, and with any header. */
char *signer_token(const struct signer *signer, const char *claims);
char *signer_sign(const struct signer *signer, const char *header, const char *claims);

/* A token with any third part. */
char *signer_forge(const char *header, const char *claims, const void *signature, size_t len);

/* The same, whose third part is HMAC-SHA256 by a secret (HS256). */
char *signer_hmac(const char *header, const char *claims, const char *secret);

/* The public key as PEM, which careless verifiers take for a secret. */
char *signer_pem(const struct signer *signer);

#endif
