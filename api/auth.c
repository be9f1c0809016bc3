#include "auth.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "reply.h"

static const char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
static const char seat_prefix[] = "plyd_seat_";

enum { TOKEN_BYTES = 20 };

/* Five bits a character, the first one the highest; the last is filled with zeros. */
static void base32(const uint8_t *bytes, size_t len, char *text)
{
    unsigned bits = 0, have = 0;

    for (size_t i = 0; i < len; i++) {
        bits = bits << 8 | bytes[i];
        for (have += 8; have >= 5; have -= 5)
            *text++ = alphabet[bits >> (have - 5) & 31];
        bits &= 0xff;
    }
    if (have > 0)
        *text++ = alphabet[bits << (5 - have) & 31];
    *text = '\0';
}

void auth_hash_token(const char *token, uint8_t hash[DB_HASH_BYTES])
{
    crypto_generichash(hash, DB_HASH_BYTES, (const unsigned char *)token, strlen(token), NULL, 0);
}

void auth_new_token(char token[AUTH_TOKEN_TEXT], uint8_t hash[DB_HASH_BYTES])
{
    uint8_t random[TOKEN_BYTES];

    randombytes_buf(random, sizeof(random));
    memcpy(token, seat_prefix, sizeof(seat_prefix));
    base32(random, sizeof(random), token + sizeof(seat_prefix) - 1);
    auth_hash_token(token, hash);
}

unsigned auth_seats(struct request *request, const struct db_game *game)
{
    const char *token = request_token(request);
    uint8_t hash[DB_HASH_BYTES];
    unsigned seats = 0;

    if (token == NULL)
        return 0;
    auth_hash_token(token, hash);
    for (unsigned i = 0; i < DB_SEATS; i++) {
        const struct db_seat *seat = &game->seat[i];
        bool same = sodium_memcmp(hash, seat->token, DB_HASH_BYTES) == 0;

        seats |= (unsigned)(same && seat->has_token) << (i + 1);
    }
    return seats;
}

unsigned auth_require_seats(struct request *request, const struct db_game *game)
{
    unsigned seats = auth_seats(request, game);

    if (seats == 0)
        reply_problem(request, request_token(request) == NULL ? "token-missing" : "token-unknown",
                      NULL);
    return seats;
}

/* ---- ids ---- */

db_id auth_new_id(void)
{
    db_id id;

    randombytes_buf(id.byte, sizeof(id.byte));
    return id;
}

void auth_id_text(db_id id, char text[AUTH_ID_TEXT])
{
    base32(id.byte, sizeof(id.byte), text);
}

bool auth_id_read(const char *text, db_id *id)
{
    unsigned bits = 0, have = 0;
    size_t len = 0;

    if (strlen(text) != AUTH_ID_TEXT - 1)
        return false;
    for (; *text != '\0'; text++) {
        const char *digit = strchr(alphabet, *text);

        if (digit == NULL)
            return false;
        bits = (bits << 5 | (unsigned)(digit - alphabet)) & 0xfff;
        have += 5;
        if (have >= 8) {
            have -= 8;
            id->byte[len++] = (uint8_t)(bits >> have);
        }
    }
    return (bits & ((1U << have) - 1)) == 0; /* one id has one text */
}
