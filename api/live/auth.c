#include "api/live/auth.h"

#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "api/game/ids.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/identity/jwt.h"
#include "api/identity/keys.h"
#include "api/live/accounts.h"
#include "api/live/players.h"
#include "api/live/tokens.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"

static const char seat_prefix[] = "plyd_seat_";
static const char player_prefix[] = "plyd_player_";
static const char reader_prefix[] = "plyd_reader_";

_Static_assert(sizeof(reader_prefix) == sizeof(player_prefix), "their texts are as long");

enum { SCHEME_MAX = 16 }; /* bytes of one that is named in a refusal */

/* ---- tokens ---- */

void auth_hash_token(const char *token, uint8_t hash[DB_HASH_BYTES])
{
    crypto_generichash(hash, DB_HASH_BYTES, (const unsigned char *)token, strlen(token), NULL, 0);
}

void auth_account_token(const struct db_player *player, uint8_t hash[DB_HASH_BYTES])
{
    crypto_generichash(hash, DB_HASH_BYTES, player->token, DB_HASH_BYTES, player->joined.secret,
                       DB_HASH_BYTES);
}

static void write(const char *prefix, const uint8_t random[AUTH_RANDOM_BYTES], char *text,
                  uint8_t hash[DB_HASH_BYTES])
{
    ids_base32(random, AUTH_RANDOM_BYTES, stpcpy(text, prefix));
    auth_hash_token(text, hash);
}

void auth_token_of(const uint8_t random[AUTH_RANDOM_BYTES], char token[AUTH_TOKEN_TEXT],
                   uint8_t hash[DB_HASH_BYTES])
{
    write(seat_prefix, random, token, hash);
}

/* The token of somebody: `prefix`, their id, and what nobody guesses. */
static void write_of(const char *prefix, db_id player, const uint8_t random[AUTH_RANDOM_BYTES],
                     char *text, uint8_t hash[DB_HASH_BYTES])
{
    char whole[sizeof(player_prefix) + IDS_TEXT];

    ids_text(player, stpcpy(whole, prefix));
    write(whole, random, text, hash);
}

void auth_player_token_of(db_id player, const uint8_t random[AUTH_RANDOM_BYTES],
                          char token[AUTH_PLAYER_TOKEN_TEXT], uint8_t hash[DB_HASH_BYTES])
{
    write_of(player_prefix, player, random, token, hash);
}

void auth_reader_token_of(db_id player, const uint8_t random[AUTH_RANDOM_BYTES],
                          char token[AUTH_PLAYER_TOKEN_TEXT], uint8_t hash[DB_HASH_BYTES])
{
    write_of(reader_prefix, player, random, token, hash);
}

void auth_new_token(char token[AUTH_TOKEN_TEXT], uint8_t hash[DB_HASH_BYTES])
{
    uint8_t random[AUTH_RANDOM_BYTES];

    randombytes_buf(random, sizeof(random));
    auth_token_of(random, token, hash);
}

void auth_new_player_token(db_id player, char token[AUTH_PLAYER_TOKEN_TEXT],
                           uint8_t hash[DB_HASH_BYTES])
{
    uint8_t random[AUTH_RANDOM_BYTES];

    randombytes_buf(random, sizeof(random));
    auth_player_token_of(player, random, token, hash);
}

void auth_new_invitation(char code[AUTH_INVITATION_TEXT], uint8_t hash[DB_HASH_BYTES])
{
    uint8_t random[AUTH_RANDOM_BYTES];

    randombytes_buf(random, sizeof(random));
    write("plyd_invitation_", random, code, hash);
}

bool auth_is_seats(const char *token)
{
    size_t prefix = sizeof(seat_prefix) - 1;
    uint8_t random[AUTH_RANDOM_BYTES];

    return strncmp(token, seat_prefix, prefix) == 0 &&
           ids_base32_read(token + prefix, random, sizeof(random));
}

/* Whether it has the prefix of a player's tokens, or of what reads for a player. */
static bool is_of_player(const char *token)
{
    size_t len = sizeof(player_prefix) - 1;

    return strncmp(token, player_prefix, len) == 0 || strncmp(token, reader_prefix, len) == 0;
}

/* What follows the id is not looked at: whether the token is right, its hash decides. */
static bool read_of(const char *prefix, const char *token, db_id *player)
{
    char id[IDS_TEXT] = "";

    if (strncmp(token, prefix, strlen(prefix)) != 0)
        return false;
    strncpy(id, token + strlen(prefix), sizeof(id) - 1);
    return ids_read(id, player);
}

bool auth_player_of(const char *token, db_id *player)
{
    return read_of(player_prefix, token, player);
}

bool auth_reader_of(const char *token, db_id *player)
{
    return read_of(reader_prefix, token, player);
}

/* In constant time: an ordinary comparison ends at the first byte that differs, and so its time
 * tells how many agree. */
bool auth_token_fits(const char *token, const uint8_t hash[DB_HASH_BYTES])
{
    uint8_t its[DB_HASH_BYTES];

    auth_hash_token(token, its);
    return sodium_memcmp(its, hash, DB_HASH_BYTES) == 0;
}

int auth_which_token(const char *token, const struct db_player *player)
{
    uint8_t its[DB_HASH_BYTES];

    auth_hash_token(token, its);
    return tokens_find(player, its);
}

/* ---- who may act ---- */

void auth_asker(struct request *request, struct auth_asker *asker)
{
    const char *token = request->asker == NULL ? request_token(request) : NULL;

    if (request->asker != NULL) {
        *asker = *request->asker;
        return;
    }
    memset(asker, 0, sizeof(*asker));
    asker->until = request->account == NULL ? DB_NEVER : request->account->until;
    asker->key = request->account == NULL ? 0 : request->account->key;
    asker->has_token = token != NULL;
    asker->has_player = request->player != NULL;
    if (request->player != NULL)
        asker->player = request->player->id;
    if (request->player != NULL && request->account != NULL)
        memcpy(asker->token, request->player->token, sizeof(asker->token));
    else if (token != NULL)
        auth_hash_token(token, asker->token);
}

bool auth_asker_is(const struct auth_asker *asker, const struct db_player *player, int64_t now)
{
    uint8_t account[DB_HASH_BYTES];
    bool same = tokens_find(player, asker->token) != TOKENS_NOBODY;

    auth_account_token(player, account);
    same |= player->joined.is && sodium_memcmp(account, asker->token, DB_HASH_BYTES) == 0;
    return player->left_at == DB_NEVER && asker->until > now &&
           (asker->key == 0 || keys_have(asker->key)) && same;
}

static bool is_players_seat(const struct auth_asker *asker, const struct db_seat *seat)
{
    return asker->has_player && seat->has_player && seat->state != SEAT_CHALLENGED &&
           memcmp(&asker->player, &seat->player, sizeof(db_id)) == 0;
}

/* Both seats are looked at whichever fits, so that the time does not tell which one it was. */
unsigned auth_asker_seats(const struct auth_asker *asker, const struct db_game *game)
{
    unsigned seats = 0;

    if (!asker->has_token)
        return 0;
    for (unsigned i = 0; i < DB_SEATS; i++) {
        const struct db_seat *seat = &game->seat[i];
        bool same = sodium_memcmp(asker->token, seat->token, DB_HASH_BYTES) == 0;

        same = (same && seat->has_token) || is_players_seat(asker, seat);
        seats |= (unsigned)same << (i + 1);
    }
    return seats;
}

static bool is_challenged(const struct auth_asker *asker, const struct db_game *game)
{
    return asker->has_player && row_challenges(game, asker->player);
}

bool auth_is_challenged(struct request *request, const struct db_game *game)
{
    struct auth_asker asker;

    auth_asker(request, &asker);
    return is_challenged(&asker, game);
}

bool auth_asker_sees(const struct auth_asker *asker, const struct db_game *game)
{
    return !row_hides(game) || auth_asker_seats(asker, game) != 0 || is_challenged(asker, game);
}

bool auth_sees(struct request *request, const struct db_game *game)
{
    struct auth_asker asker;

    auth_asker(request, &asker);
    return auth_asker_sees(&asker, game);
}

unsigned auth_seats(struct request *request, const struct db_game *game)
{
    struct auth_asker asker;

    auth_asker(request, &asker);
    return auth_asker_seats(&asker, game);
}

/* A page that has no token yet sends "Bearer " and nothing behind it. */
static bool is_empty(const char *header)
{
    size_t len = strcspn(header, " ");

    return header[len + strspn(header + len, " ")] == '\0' &&
           (len == 0 || (len == 6 && strncasecmp(header, "Bearer", 6) == 0));
}

static bool is_known_scheme(const char *scheme, size_t len)
{
    return (len == 6 && strncasecmp(scheme, "Bearer", len) == 0) ||
           (len == 5 && strncasecmp(scheme, "Basic", len) == 0);
}

/* Why a header has no token. What stands alone may be the token itself, and is not shown; nor are
 * bytes that no scheme has, and that a text may not have either. */
static const char *fault_of(struct arena *arena, const char *header)
{
    size_t len = strspn(header, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-");

    if (len == 0 || len > SCHEME_MAX || header[len] != ' ' || is_known_scheme(header, len))
        return "The Authorization header has no token: send Bearer TOKEN, or curl -u TOKEN: .";
    return arena_format(arena,
                        "The scheme %.*s of the Authorization header is not known here: send "
                        "Bearer TOKEN, or curl -u TOKEN: .",
                        (int)len, header);
}

/* Refuses a request without a token. `wish`: what is needed, if it meant to show none. */
static void refuse_none(struct request *request, const char *wish)
{
    const char *header = request_header(request, "Authorization");

    reply_problem(request, PROBLEM_TOKEN_MISSING,
                  header == NULL || is_empty(header) ? wish : fault_of(&request->arena, header));
}

/* Refuses a token that is nobody's. That of an account is somebody's, who has left. */
static void refuse_token(struct request *request, const char *detail)
{
    const char *token = request_token(request);

    if (request->account != NULL)
        reply_problem(request, PROBLEM_ACCOUNT_LEFT, NULL);
    else if (request->loop->config->jwks == NULL && token != NULL && jwt_is_one(token))
        reply_problem(request, PROBLEM_TOKEN_UNKNOWN,
                      "The token may be a JWT, and this daemon knows no identity provider "
                      "(--jwt-issuer).");
    else
        reply_problem(request, PROBLEM_TOKEN_UNKNOWN, detail);
}

unsigned auth_require_seats(struct request *request, const struct db_game *game)
{
    unsigned seats = auth_seats(request, game);

    if (seats != 0)
        return seats;
    if (request_token(request) == NULL)
        refuse_none(request, NULL);
    else if (request->player == NULL)
        refuse_token(request, NULL);
    else
        reply_problem(request, PROBLEM_NOT_YOUR_SEAT, NULL);
    return 0;
}

/* What a token is, that is none of a player's. */
static const char *kind_of_token(const char *token)
{
    db_id player;

    if (auth_is_seats(token))
        return "That is the token of a seat. ";
    return auth_reader_of(token, &player) ? "That token only reads a calendar and a feed. " : "";
}

bool auth_require_player(struct request *request)
{
    const char *wish = request->loop->config->jwks == NULL
                           ? "A player's token is needed here: POST /v1/players gives one."
                           : "A player's token is needed here: a JWT of the identity provider, or "
                             "one that POST /v1/players gives.";

    if (request->player != NULL)
        return true;
    if (request_token(request) == NULL)
        refuse_none(request, wish);
    else
        refuse_token(request, arena_format(&request->arena, "%s%s",
                                           kind_of_token(request_token(request)), wish));
    return false;
}

bool auth_require_account(struct request *request)
{
    if (request->account != NULL)
        return true;
    if (request_token(request) == NULL)
        refuse_none(request, "Send a JWT of the identity provider: Authorization: Bearer JWT.");
    else
        reply_problem(request, PROBLEM_ACCOUNT_NEEDED, NULL);
    return false;
}

bool auth_spectator(struct request *request)
{
    const char *header = request_header(request, "Authorization");

    if (request->player != NULL || request->asker != NULL || header == NULL || is_empty(header))
        return true;
    refuse_token(request, request_token(request) == NULL
                              ? fault_of(&request->arena, header)
                              : "The token belongs to no seat of this game and to no player. "
                                "Without an Authorization header you are a spectator.");
    return false;
}

bool auth_nobody_or_player(struct request *request)
{
    const char *token = request_token(request);

    if (token == NULL || request->player != NULL ||
        (!is_of_player(token) && request->account == NULL))
        return true;
    refuse_token(request, "No player has that token.");
    return false;
}
