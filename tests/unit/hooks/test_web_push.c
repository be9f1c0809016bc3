/* test_web_push.c - the cryptography of Web Push: the published examples, what is no key, and what
 * others verify. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/hooks/web_push.h"
#include "tests/support/subscriber.h"

static size_t bytes_of(const char *text, uint8_t *bytes, size_t size)
{
    size_t len;

    cr_assert_eq(sodium_base642bin(bytes, size, text, strlen(text), NULL, &len, NULL,
                                   sodium_base64_VARIANT_URLSAFE_NO_PADDING),
                 0, "%s", text);
    return len;
}

static void assert_bytes(const uint8_t *bytes, size_t len, const char *expected)
{
    char text[1024];

    sodium_bin2base64(text, sizeof(text), bytes, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    cr_assert_str_eq(text, expected);
}

/* ---- RFC 8188, section 3.1 ---- */

Test(web_push, the_coding_is_that_of_rfc_8188)
{
    static const char text[] = "I am the walrus";
    uint8_t key[16], salt[WEB_PUSH_SALT], out[256];

    bytes_of("yqdlZ-tYemfogSmv7Ws5PQ", key, sizeof(key));
    bytes_of("I1BsxtFttlv3u_Oo94xnmw", salt, sizeof(salt));
    assert_bytes(out, web_push_seal(key, sizeof(key), salt, NULL, 0, text, strlen(text), out),
                 "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg");
}

/* ---- RFC 8291, section 5 ---- */

static const char published_public[] = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc"
                                       "InmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
static const char published_receiver[] = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvT"
                                         "BHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

static struct web_push_key published_key(void)
{
    uint8_t secret[WEB_PUSH_PRIVATE];
    struct web_push_key key;

    bytes_of("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", secret, sizeof(secret));
    cr_assert(web_push_key_of(&key, secret));
    return key;
}

Test(web_push, a_private_key_has_its_public_one)
{
    struct web_push_key key = published_key();

    assert_bytes(key.public, sizeof(key.public), published_public);
}

Test(web_push, a_message_is_encrypted_as_in_rfc_8291)
{
    static const char text[] = "When I grow up, I want to be a watermelon";
    struct web_push_key once = published_key();
    struct web_push_receiver receiver;
    uint8_t salt[WEB_PUSH_SALT], out[256];

    bytes_of(published_receiver, receiver.p256dh, sizeof(receiver.p256dh));
    bytes_of("BTBZMqHH6r4Tts7J_aSIgg", receiver.auth, sizeof(receiver.auth));
    bytes_of("DGv6ra1nlYgDCS1FRnbzlw", salt, sizeof(salt));
    assert_bytes(out, web_push_encrypt(&receiver, &once, salt, text, strlen(text), out),
                 "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vC"
                 "YLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXL"
                 "WyouBWLVWGNWQexSgSxsj_Qulcy4a-fN");
}

Test(web_push, the_longest_text_fills_a_record)
{
    struct web_push_receiver receiver = {.auth = {1}};
    struct web_push_key once, other;
    uint8_t salt[WEB_PUSH_SALT] = {2}, out[WEB_PUSH_RECORD];
    static const uint8_t text[WEB_PUSH_TEXT_MAX];

    web_push_key_make(&once);
    web_push_key_make(&other);
    memcpy(receiver.p256dh, other.public, sizeof(receiver.p256dh));
    cr_assert_eq(web_push_encrypt(&receiver, &once, salt, text, sizeof(text), out),
                 WEB_PUSH_RECORD);
}

/* The published browser, as the tests' own reader: it reads the published message. */
Test(web_push, the_reader_of_these_tests_reads_the_message_of_rfc_8291)
{
    struct subscriber browser;
    uint8_t message[256];
    size_t len = bytes_of("DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg"
                          "Dll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVB"
                          "St2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
                          message, sizeof(message));
    char *text;

    bytes_of(published_receiver, browser.point, sizeof(browser.point));
    bytes_of("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", browser.secret, sizeof(browser.secret));
    bytes_of("BTBZMqHH6r4Tts7J_aSIgg", browser.auth, sizeof(browser.auth));
    text = subscriber_read(&browser, message, len);
    cr_assert_str_eq(text, "When I grow up, I want to be a watermelon");
    free(text);
    message[len - 1] ^= 1;
    cr_assert_null(subscriber_read(&browser, message, len));
}

Test(web_push, what_it_encrypts_one_browser_reads_and_no_other)
{
    struct subscriber browser, other;
    struct web_push_receiver receiver;
    struct web_push_key once;
    uint8_t salt[WEB_PUSH_SALT] = {7}, out[256];
    char *text;
    size_t len;

    subscriber_make(&browser);
    subscriber_make(&other);
    memcpy(receiver.p256dh, browser.point, sizeof(receiver.p256dh));
    memcpy(receiver.auth, browser.auth, sizeof(receiver.auth));
    cr_assert(web_push_is_public(browser.point, sizeof(browser.point)));
    web_push_key_make(&once);
    len = web_push_encrypt(&receiver, &once, salt, "a text", strlen("a text"), out);
    text = subscriber_read(&browser, out, len);
    cr_assert_str_eq(text, "a text");
    free(text);
    cr_assert_null(subscriber_read(&other, out, len));
}

/* ---- what is no key ---- */

Test(web_push, only_a_point_of_the_curve_is_a_public_key)
{
    uint8_t key[WEB_PUSH_PUBLIC + 1] = {0};

    bytes_of(published_receiver, key, sizeof(key));
    cr_assert(web_push_is_public(key, WEB_PUSH_PUBLIC));
    cr_assert_not(web_push_is_public(key, WEB_PUSH_PUBLIC - 1));
    cr_assert_not(web_push_is_public(key, WEB_PUSH_PUBLIC + 1));
    key[WEB_PUSH_PUBLIC - 1] ^= 1;
    cr_assert_not(web_push_is_public(key, WEB_PUSH_PUBLIC), "not on the curve");
    key[WEB_PUSH_PUBLIC - 1] ^= 1;
    key[0] = 2;
    cr_assert_not(web_push_is_public(key, WEB_PUSH_PUBLIC), "compressed");
    memset(key, 0, sizeof(key));
    key[0] = 4;
    cr_assert_not(web_push_is_public(key, WEB_PUSH_PUBLIC), "zero");
    memset(key + 1, 0xff, sizeof(key) - 1);
    cr_assert_not(web_push_is_public(key, WEB_PUSH_PUBLIC), "beyond the field");
}

Test(web_push, a_private_key_is_a_number_of_the_group)
{
    struct web_push_key key;
    uint8_t secret[WEB_PUSH_PRIVATE] = {0};

    cr_assert_not(web_push_key_of(&key, secret), "zero");
    secret[sizeof(secret) - 1] = 1;
    cr_assert(web_push_key_of(&key, secret));
    memset(secret, 0xff, sizeof(secret));
    cr_assert_not(web_push_key_of(&key, secret), "beyond the order");
}

/* ---- signatures ---- */

/* RFC 8292, section 2.4: the reader of these tests takes what the standard shows. */
Test(web_push, the_signature_of_rfc_8292_is_one)
{
    static const char text[] = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZX"
                               "hhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4"
                               "YW1wbGUuY29tIn0";
    uint8_t public[WEB_PUSH_PUBLIC], signature[WEB_PUSH_SIGNATURE];

    bytes_of("BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClB"
             "Ps",
             public, sizeof(public));
    bytes_of(
        "i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA",
        signature, sizeof(signature));
    cr_assert(subscriber_is_signed(public, text, strlen(text), signature));
    signature[63] ^= 1;
    cr_assert_not(subscriber_is_signed(public, text, strlen(text), signature));
}

Test(web_push, what_it_signs_others_verify)
{
    struct web_push_key key;
    uint8_t signature[WEB_PUSH_SIGNATURE];

    for (int i = 0; i < 32; i++) { /* numbers with leading zeros come now and then */
        web_push_key_make(&key);
        web_push_sign(&key, "a text", strlen("a text"), signature);
        cr_assert(subscriber_is_signed(key.public, "a text", strlen("a text"), signature));
        cr_assert_not(
            subscriber_is_signed(key.public, "another text", strlen("another text"), signature));
    }
}
