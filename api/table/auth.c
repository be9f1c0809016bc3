#include "api/table/auth.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/http/reply.h"
#include "api/table/players.h"

static const char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
static const char seat_prefix[] = "plyd_seat_";
static const char player_prefix[] = "plyd_player_";

enum { TOKEN_BYTES = 20 };

/* Five bits a character, the first one the highest; the last is filled with zeros. */
void auth_base32(const uint8_t *bytes, size_t len, char *text)
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

bool auth_base32_read(const char *text, uint8_t *bytes, size_t len)
{
    unsigned bits = 0, have = 0;
    size_t filled = 0;

    if (strlen(text) != (8 * len + 4) / 5)
        return false;
    for (; *text != '\0'; text++) {
        const char *digit = strchr(alphabet, *text);

        if (digit == NULL)
            return false;
        bits = (bits << 5 | (unsigned)(digit - alphabet)) & 0xfff;
        have += 5;
        if (have >= 8) {
            have -= 8;
            bytes[filled++] = (uint8_t)(bits >> have);
        }
    }
    return (bits & ((1U << have) - 1)) == 0; /* the same bytes have one text */
}

/* ---- tokens ---- */

void auth_hash_token(const char *token, uint8_t hash[DB_HASH_BYTES])
{
    crypto_generichash(hash, DB_HASH_BYTES, (const unsigned char *)token, strlen(token), NULL, 0);
}

void auth_new_token(char token[AUTH_TOKEN_TEXT], uint8_t hash[DB_HASH_BYTES])
{
    uint8_t random[TOKEN_BYTES];

    randombytes_buf(random, sizeof(random));
    memcpy(token, seat_prefix, sizeof(seat_prefix));
    auth_base32(random, sizeof(random), token + sizeof(seat_prefix) - 1);
    auth_hash_token(token, hash);
}

void auth_new_player_token(db_id player, char token[AUTH_PLAYER_TOKEN_TEXT],
                           uint8_t hash[DB_HASH_BYTES])
{
    uint8_t random[TOKEN_BYTES];
    char *at = token + sizeof(player_prefix) - 1;

    randombytes_buf(random, sizeof(random));
    memcpy(token, player_prefix, sizeof(player_prefix));
    auth_id_text(player, at);
    auth_base32(random, sizeof(random), at + AUTH_ID_TEXT - 1);
    auth_hash_token(token, hash);
}

bool auth_is_players(const char *token)
{
    return strncmp(token, player_prefix, sizeof(player_prefix) - 1) == 0;
}

bool auth_player_of(const char *token, db_id *player)
{
    char id[AUTH_ID_TEXT] = "";

    if (!auth_is_players(token))
        return false;
    strncpy(id, token + sizeof(player_prefix) - 1, sizeof(id) - 1);
    return auth_id_read(id, player);
}

bool auth_token_fits(const char *token, const uint8_t hash[DB_HASH_BYTES])
{
    uint8_t its[DB_HASH_BYTES];

    auth_hash_token(token, its);
    return sodium_memcmp(its, hash, DB_HASH_BYTES) == 0;
}

/* ---- who may act ---- */

static bool is_players_seat(const struct request *request, const struct db_seat *seat)
{
    return request->player != NULL && seat->has_player &&
           memcmp(&request->player->id, &seat->player, sizeof(db_id)) == 0;
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

        same = (same && seat->has_token) || is_players_seat(request, seat);
        seats |= (unsigned)same << (i + 1);
    }
    return seats;
}

unsigned auth_require_seats(struct request *request, const struct db_game *game)
{
    unsigned seats = auth_seats(request, game);

    if (seats == 0)
        reply_problem(request,
                      request_token(request) == NULL ? "token-missing"
                      : request->player == NULL      ? "token-unknown"
                                                     : "not-your-seat",
                      NULL);
    return seats;
}

bool auth_require_player(struct request *request)
{
    if (request->player != NULL)
        return true;
    reply_problem(request, request_token(request) == NULL ? "token-missing" : "token-unknown",
                  "A player's token is needed here: POST /v1/players gives one.");
    return false;
}

bool auth_nobody_or_player(struct request *request)
{
    const char *token = request_token(request);

    if (token == NULL || !auth_is_players(token) || request->player != NULL)
        return true;
    reply_problem(request, "token-unknown", "No player has that token.");
    return false;
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
    auth_base32(id.byte, sizeof(id.byte), text);
}

bool auth_id_read(const char *text, db_id *id)
{
    return auth_base32_read(text, id->byte, sizeof(id->byte));
}
