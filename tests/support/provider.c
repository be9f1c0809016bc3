#include "provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void tell_environment(const struct provider *provider)
{
    char url[64];

    snprintf(url, sizeof(url), "http://127.0.0.1:%d/jwks", provider->receiver.port);
    setenv("PLYD_JWT_ISSUER", PROVIDER_ISSUER, 1);
    setenv("PLYD_JWT_AUDIENCE", PROVIDER_AUDIENCE, 1);
    setenv("PLYD_JWKS", url, 1);
}

void provider_start(struct provider *provider, enum signer_kind kind)
{
    const struct signer *signer = &provider->signer;

    memset(provider, 0, sizeof(*provider));
    receiver_start(&provider->receiver);
    signer_make(&provider->signer, kind, "first", 0);
    provider_publish(provider, &signer, 1);
    tell_environment(provider);
}

void provider_stop(struct provider *provider)
{
    receiver_stop(&provider->receiver);
    signer_free(&provider->signer);
    free(provider->answer);
}

/* An answer that was published before may be on its way, so it stays. */
void provider_publish(struct provider *provider, const struct signer *const *signers, size_t count)
{
    char *set = signer_set(signers, count);

    if (asprintf(&provider->answer, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%s", strlen(set),
                 set) < 0)
        exit(1);
    receiver_answers(&provider->receiver, provider->answer, strlen(provider->answer), false);
    free(set);
}

void provider_fail(struct provider *provider)
{
    static const char answer[] = "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n";

    receiver_answers(&provider->receiver, answer, sizeof(answer) - 1, false);
}

char *provider_claims(const char *subject, const char *claims, int seconds)
{
    char *text;

    if (asprintf(&text,
                 "{%s\"iss\":\"%s\",\"aud\":[\"account\",\"%s\"],\"sub\":\"%s\",\"exp\":%lld}",
                 claims, PROVIDER_ISSUER, PROVIDER_AUDIENCE, subject,
                 (long long)time(NULL) + seconds) < 0)
        exit(1);
    return text;
}

char *provider_token(const struct provider *provider, const char *subject, const char *claims,
                     int seconds)
{
    char *all = provider_claims(subject, claims, seconds);
    char *token = signer_token(&provider->signer, all);

    free(all);
    return token;
}
