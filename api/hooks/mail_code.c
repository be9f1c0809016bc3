#include "api/hooks/mail_code.h"

#include <sodium.h>
#include <string.h>

#include "api/game/ids.h"

_Static_assert(sizeof(struct mail_code) == 2 * sizeof(db_id) + sizeof(int64_t) + MAIL_CODE_BYTES,
               "there are no gaps in it");
_Static_assert((sizeof(struct mail_code) * 8 + 4) / 5 + 1 == MAIL_CODE_TEXT, "it has room");

static void hash_of(const struct mail_code *code, const uint8_t secret[DB_SECRET_BYTES],
                    enum mail_purpose purpose, uint8_t hash[MAIL_CODE_BYTES])
{
    struct {
        int64_t purpose;
        db_id player, address;
        int64_t until;
    } text = {(int64_t)purpose, code->player, code->address, code->until};

    crypto_generichash(hash, MAIL_CODE_BYTES, (const uint8_t *)&text, sizeof(text), secret,
                       DB_SECRET_BYTES);
}

struct mail_code mail_code_make(db_id player, db_id address, const uint8_t secret[DB_SECRET_BYTES],
                                enum mail_purpose purpose, int64_t until)
{
    struct mail_code code = {.player = player, .address = address, .until = until};

    hash_of(&code, secret, purpose, code.hash);
    return code;
}

void mail_code_text(const struct mail_code *code, char text[MAIL_CODE_TEXT])
{
    ids_base32((const uint8_t *)code, sizeof(*code), text);
}

bool mail_code_read(const char *text, struct mail_code *code)
{
    return ids_base32_read(text, (uint8_t *)code, sizeof(*code));
}

bool mail_code_fits(const struct mail_code *code, const uint8_t secret[DB_SECRET_BYTES],
                    enum mail_purpose purpose, int64_t now)
{
    uint8_t hash[MAIL_CODE_BYTES];

    hash_of(code, secret, purpose, hash);
    return sodium_memcmp(hash, code->hash, sizeof(hash)) == 0 &&
           (code->until == DB_NEVER || code->until > now);
}
