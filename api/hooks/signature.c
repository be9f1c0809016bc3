#include "api/hooks/signature.h"
#include "db/hooks.h"

#include <sodium.h>
#include <string.h>

static const char secret_prefix[] = "whsec_", version[] = "v1,";

_Static_assert(sizeof(secret_prefix) + 4 * ((DB_SECRET_BYTES + 2) / 3) <= SIGNATURE_SECRET_TEXT,
               "a secret has room");
_Static_assert(sizeof(version) + 4 * ((crypto_auth_hmacsha256_BYTES + 2) / 3) <= SIGNATURE_TEXT,
               "a signature has room");

static void write_base64(char *text, size_t size, const char *prefix, const uint8_t *bytes,
                         size_t len)
{
    size_t at = strlen(prefix);

    memcpy(text, prefix, at + 1);
    sodium_bin2base64(text + at, size - at, bytes, len, sodium_base64_VARIANT_ORIGINAL);
}

void signature_secret_text(const uint8_t secret[DB_SECRET_BYTES], char text[SIGNATURE_SECRET_TEXT])
{
    write_base64(text, SIGNATURE_SECRET_TEXT, secret_prefix, secret, DB_SECRET_BYTES);
}

void signature_make(const uint8_t secret[DB_SECRET_BYTES], const char *id, const char *timestamp,
                    const char *body, char text[SIGNATURE_TEXT])
{
    const char *const parts[] = {id, ".", timestamp, ".", body};
    crypto_auth_hmacsha256_state state;
    uint8_t mac[crypto_auth_hmacsha256_BYTES];

    crypto_auth_hmacsha256_init(&state, secret, DB_SECRET_BYTES);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        crypto_auth_hmacsha256_update(&state, (const uint8_t *)parts[i], strlen(parts[i]));
    crypto_auth_hmacsha256_final(&state, mac);
    write_base64(text, SIGNATURE_TEXT, version, mac, sizeof(mac));
}
