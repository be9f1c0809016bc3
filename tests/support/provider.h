/*
 * provider.h - an identity provider for tests: it publishes keys on 127.0.0.1, and signs tokens.
 *
 * Its issuer is PROVIDER_ISSUER, and its tokens are for PROVIDER_AUDIENCE. It runs in threads of
 * the calling process. The environment tells daemons of it that are started afterwards.
 */
#ifndef PLYD_TESTS_SUPPORT_PROVIDER_H
#define PLYD_TESTS_SUPPORT_PROVIDER_H

#include "receiver.h"
#include "signer.h"

#define PROVIDER_ISSUER   "https://id.example/realms/games"
#define PROVIDER_AUDIENCE "plyd"

struct provider {
    struct receiver receiver;
    struct signer signer; /* by which provider_token() signs */
    char *answer;         /* as it is published */
};

/* Starts one with a key of this kind, and puts it into the environment. */
void provider_start(struct provider *provider, enum signer_kind kind);
void provider_stop(struct provider *provider);

/* Publishes the key sets of these signers from now on. */
void provider_publish(struct provider *provider, const struct signer *const *signers, size_t count);

/* Answers nothing but 500 from now on. */
void provider_fail(struct provider *provider);

/* A token for this `sub`, good for some seconds, with further claims before its own, such as
 * "\"name\":\"Ada\",". The caller frees it. */
char *provider_token(const struct provider *provider, const char *subject, const char *claims,
                     int seconds);

/* The claims of such a token. */
char *provider_claims(const char *subject, const char *claims, int seconds);

#endif
