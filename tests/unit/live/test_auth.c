/* test_auth.c - ids and tokens, and their texts. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <string.h>

#include "api/game/ids.h"
#include "api/live/auth.h"

TestSuite(auth);

Test(auth, an_id_has_one_text_of_26_letters_and_digits)
{
    for (int i = 0; i < 1000; i++) {
        db_id id = ids_new(0), back;
        char text[IDS_TEXT];

        ids_text(id, text);
        cr_assert_eq(strlen(text), 26);
        cr_assert_eq(strspn(text, "0123456789abcdefghjkmnpqrstvwxyz"), 26);
        cr_assert(ids_read(text, &back));
        cr_assert_arr_eq(id.byte, back.byte, sizeof(id.byte));
    }
}

Test(auth, texts_that_are_not_ids_are_not_read)
{
    static const char *const bad[] = {"",
                                      "0",
                                      "0000000000000000000000000i",
                                      "0000000000000000000000000A",
                                      "00000000000000000000000001",
                                      "000000000000000000000000000"};
    db_id id;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert_not(ids_read(bad[i], &id), "%s", bad[i]);
}

Test(auth, tokens_differ_and_their_hashes_are_theirs)
{
    char a[AUTH_TOKEN_TEXT], b[AUTH_TOKEN_TEXT];
    uint8_t hash_a[DB_HASH_BYTES], hash_b[DB_HASH_BYTES], again[DB_HASH_BYTES];

    auth_new_token(a, hash_a);
    auth_new_token(b, hash_b);
    cr_assert_eq(strncmp(a, "plyd_seat_", 10), 0);
    cr_assert_eq(strlen(a), 42);
    cr_assert_str_neq(a, b);
    cr_assert_arr_neq(hash_a, hash_b, DB_HASH_BYTES);
    auth_hash_token(a, again);
    cr_assert_arr_eq(hash_a, again, DB_HASH_BYTES);
}

Test(auth, a_players_token_says_whose_it_is_and_fits_its_hash_alone)
{
    db_id player = ids_new(0), named;
    char a[AUTH_PLAYER_TOKEN_TEXT], b[AUTH_PLAYER_TOKEN_TEXT];
    uint8_t hash[DB_HASH_BYTES], other[DB_HASH_BYTES];

    auth_new_player_token(player, a, hash);
    auth_new_player_token(player, b, other);
    cr_assert_eq(strlen(a), 70);
    cr_assert(auth_player_of(a, &named));
    cr_assert_arr_eq(named.byte, player.byte, sizeof(player.byte));
    cr_assert(auth_token_fits(a, hash));
    cr_assert_not(auth_token_fits(b, hash));
    cr_assert_not(auth_player_of("plyd_player_", &named));
    cr_assert_not(auth_player_of("plyd_seat_00000000000000000000000000", &named));
}

Test(auth, bytes_of_any_length_have_one_text)
{
    uint8_t bytes[25], back[25];
    char text[41];

    for (size_t len = 1; len <= sizeof(bytes); len++) {
        randombytes_buf(bytes, len);
        ids_base32(bytes, len, text);
        cr_assert(ids_base32_read(text, back, len));
        cr_assert_arr_eq(back, bytes, len);
        cr_assert_not(ids_base32_read(text, back, len + 1));
    }
}

Test(auth, who_asked_is_the_player_while_they_are_here_have_that_token_and_are_let_in)
{
    static const struct {
        int64_t left_at, until;
        uint64_t key; /* the provider has none */
        uint8_t token;
        bool is;
    } rows[] = {{DB_NEVER, DB_NEVER, 0, 7, true},  {DB_NEVER, 101, 0, 7, true},
                {DB_NEVER, 100, 0, 7, false},      {DB_NEVER, DB_NEVER, 0, 8, false},
                {DB_NEVER, DB_NEVER, 1, 7, false}, {99, DB_NEVER, 0, 7, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct auth_asker asker = {.until = rows[i].until, .key = rows[i].key};
        struct db_player player = {.left_at = rows[i].left_at};

        memset(asker.token, 7, sizeof(asker.token));
        memset(player.token, rows[i].token, sizeof(player.token));
        cr_expect_eq(auth_asker_is(&asker, &player, 100), rows[i].is, "row %zu", i);
    }
}
