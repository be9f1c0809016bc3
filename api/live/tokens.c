#include "api/live/tokens.h"

#include <sodium.h>
#include <string.h>

#include "api/text/json.h"
#include "api/text/json_fields.h"

/* Numbers of JSON are exact up to here. */
static const int64_t number_max = INT64_C(1) << 53;

/* ---- what is known ---- */

static void read_known(struct json_fields *fields, struct tokens_item *item)
{
    const char *text;

    json_take_int(fields, "at", 0, number_max, &item->at);
    json_take_int(fields, "used", 0, number_max, &item->used_day);
    json_take_bool(fields, "reads", &item->reads);
    if (json_take_string(fields, "name", SIZE_MAX, &text))
        item->name = arena_copy(fields->arena, text, strlen(text));
    if (json_take_string(fields, "from", SIZE_MAX, &text))
        item->origin = arena_copy(fields->arena, text, strlen(text));
}

static void read_all(struct json_fields *fields, const struct db_player *player,
                     struct tokens *tokens)
{
    const struct json_value *list;
    struct json_fields inner;
    size_t count;

    json_take_int(fields, "own_used", 0, number_max, &tokens->own_used_day);
    json_take_int(fields, "account_used", 0, number_max, &tokens->account_used_day);
    if (!json_take_array(fields, "tokens", DB_TOKENS_MAX, &list, &count))
        return;
    for (size_t i = 0; i < count && i < player->ntokens; i++)
        if (json_element_object(fields, list, "tokens", i, &inner))
            read_known(&inner, &tokens->item[i]);
}

void tokens_read(struct arena *arena, const struct db_player *player, struct tokens *tokens)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *about;

    memset(tokens, 0, sizeof(*tokens));
    for (size_t i = 0; i < player->ntokens; i++)
        tokens->item[i].name = "";
    if (player->tokens_about == NULL)
        return;
    about = json_read(arena, player->tokens_about, strlen(player->tokens_about), &error);
    if (about == NULL)
        return;
    json_fields(&fields, arena, about, &error);
    read_all(&fields, player, tokens);
    json_free(about);
}

void tokens_write(struct arena *arena, const struct tokens *tokens, struct db_player *player)
{
    struct json json;

    player->tokens_about = NULL;
    if (tokens_count(player) < 2 && player->ntokens == 0)
        return;
    json_init(&json, arena);
    json_open(&json, '{');
    json_member_int(&json, "own_used", tokens->own_used_day);
    json_member_int(&json, "account_used", tokens->account_used_day);
    json_key(&json, "tokens");
    json_open(&json, '[');
    for (size_t i = 0; i < player->ntokens; i++) {
        const struct tokens_item *item = &tokens->item[i];

        json_open(&json, '{');
        json_member(&json, "name", item->name);
        json_member_int(&json, "at", item->at);
        json_member_int(&json, "used", item->used_day);
        if (item->origin != NULL)
            json_member(&json, "from", item->origin);
        if (item->reads)
            json_member_bool(&json, "reads", true);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    player->tokens_about = json.out.text;
}

void tokens_add(struct db_player *player, struct tokens *tokens, const uint8_t hash[DB_HASH_BYTES],
                const struct tokens_item *item)
{
    memcpy(player->tokens[player->ntokens], hash, DB_HASH_BYTES);
    tokens->item[player->ntokens++] = *item;
}

void tokens_remove(struct db_player *player, struct tokens *tokens, int which)
{
    size_t at = (size_t)which, behind = --player->ntokens - at;

    memmove(player->tokens[at], player->tokens[at + 1], behind * DB_HASH_BYTES);
    memmove(&tokens->item[at], &tokens->item[at + 1], behind * sizeof(tokens->item[0]));
}

/* ---- which one ---- */

/* All are looked at, whichever fits. */
int tokens_find(const struct db_player *player, const uint8_t hash[DB_HASH_BYTES])
{
    int found = sodium_memcmp(player->token, hash, DB_HASH_BYTES) == 0 ? TOKENS_OWN : TOKENS_NOBODY;

    for (size_t i = 0; i < player->ntokens; i++)
        if (sodium_memcmp(player->tokens[i], hash, DB_HASH_BYTES) == 0)
            found = (int)i;
    return found;
}

/* A part of the hash tells nothing of the token. */
void tokens_id(const uint8_t hash[DB_HASH_BYTES], char id[TOKENS_ID_TEXT])
{
    db_id part;

    memcpy(part.byte, hash, sizeof(part.byte));
    ids_text(part, id);
}

int tokens_find_id(const struct db_player *player, const char *id)
{
    char its[TOKENS_ID_TEXT];

    for (size_t i = 0; i < player->ntokens; i++) {
        tokens_id(player->tokens[i], its);
        if (strcmp(its, id) == 0)
            return (int)i;
    }
    return TOKENS_NOBODY;
}

/* With a key, which hashes of tokens have not. */
void tokens_none(db_id player, uint8_t hash[DB_HASH_BYTES])
{
    static const unsigned char label[] = "plyd no token";

    crypto_generichash(hash, DB_HASH_BYTES, player.byte, sizeof(player.byte), label,
                       sizeof(label) - 1);
}

bool tokens_have_own(const struct db_player *player)
{
    uint8_t none[DB_HASH_BYTES];

    tokens_none(player->id, none);
    return memcmp(player->token, none, sizeof(none)) != 0;
}

size_t tokens_count(const struct db_player *player)
{
    return player->ntokens + tokens_have_own(player) + player->joined.is;
}

size_t tokens_acting(const struct db_player *player, const struct tokens *tokens)
{
    size_t count = tokens_count(player);

    for (size_t i = 0; i < player->ntokens; i++)
        count -= tokens->item[i].reads;
    return count;
}

uint64_t tokens_print(const struct db_player *player)
{
    const struct db_joined *joined = &player->joined;
    crypto_generichash_state state;
    uint64_t print;

    crypto_generichash_init(&state, NULL, 0, sizeof(print));
    crypto_generichash_update(&state, player->token, DB_HASH_BYTES);
    if (joined->is)
        crypto_generichash_update(&state, joined->secret, sizeof(joined->secret));
    crypto_generichash_update(&state, player->tokens[0], player->ntokens * DB_HASH_BYTES);
    crypto_generichash_final(&state, (uint8_t *)&print, sizeof(print));
    return print;
}

/* ---- who may end which ---- */

int64_t tokens_since(const struct db_player *player, const struct tokens *tokens, int which)
{
    if (which == TOKENS_OWN)
        return INT64_MIN;
    return which == TOKENS_ACCOUNT ? player->joined.at : tokens->item[which].at;
}

bool tokens_too_young(const struct db_player *player, const struct tokens *tokens, int which,
                      int other, int64_t now)
{
    int64_t since = tokens_since(player, tokens, which);

    return which != TOKENS_OWN && now - since < TOKENS_YOUNG_US &&
           tokens_since(player, tokens, other) < since;
}

bool tokens_too_young_for_all(const struct db_player *player, const struct tokens *tokens,
                              int which, int64_t now)
{
    bool young =
        (tokens_have_own(player) && tokens_too_young(player, tokens, which, TOKENS_OWN, now)) ||
        (player->joined.is && tokens_too_young(player, tokens, which, TOKENS_ACCOUNT, now));

    for (size_t i = 0; i < player->ntokens; i++)
        young |= tokens_too_young(player, tokens, which, (int)i, now);
    return young;
}

const char *tokens_copy_text(struct arena *arena, const char *text)
{
    return text == NULL ? NULL : arena_copy(arena, text, strlen(text));
}

struct db_player *tokens_copy_player(struct arena *arena, const struct db_player *player)
{
    struct db_player *copy = arena_alloc(arena, sizeof(*copy));

    *copy = *player;
    copy->name = tokens_copy_text(arena, player->name);
    copy->joined.origin = tokens_copy_text(arena, player->joined.origin);
    copy->tokens_about = tokens_copy_text(arena, player->tokens_about);
    copy->about = tokens_copy_text(arena, player->about);
    copy->picture = tokens_copy_text(arena, player->picture);
    return copy;
}
