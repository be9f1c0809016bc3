/* test_jwt.c - which tokens of an identity provider are good. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/identity/jwt.h"
#include "rules/mix.h"
#include "tests/support/signer.h"

enum { NOW = 1800000000, AGE = 3600 };

#define ISSUER "https://id.example/realm"
#define CLAIMS "\"iss\":\"" ISSUER "\",\"aud\":\"plyd\",\"sub\":\"42\""
#define GOOD   "{" CLAIMS ",\"exp\":1800000300}"

static struct signer signers[SIGNER_KINDS];
static struct key_set *keys;
static struct arena arena;

static struct key_set *set_of(const char *text)
{
    const char *fault;

    return key_set_read(text, strlen(text), &fault);
}

static void open_keys(void)
{
    static const char *const ids[] = {"rsa", "p256", "ed"};
    const struct signer *all[SIGNER_KINDS];
    char *text;

    for (int i = 0; i < SIGNER_KINDS; i++) {
        signer_make(&signers[i], (enum signer_kind)i, ids[i], 0);
        all[i] = &signers[i];
    }
    text = signer_set(all, SIGNER_KINDS);
    keys = set_of(text);
    cr_assert_not_null(keys);
    free(text);
}

static void close_keys(void)
{
    for (int i = 0; i < SIGNER_KINDS; i++)
        signer_free(&signers[i]);
    key_set_free(keys);
    arena_free(&arena);
}

TestSuite(jwt, .init = open_keys, .fini = close_keys);

static struct jwt_demand demand = {
    .issuer = ISSUER, .audience = "plyd", .age_s = AGE, .now_s = NOW};

static enum problem judge(const char *token, struct jwt *jwt)
{
    struct jwt nobody;
    const char *detail;

    return jwt_judge(&arena, keys, &demand, token, jwt == NULL ? &nobody : jwt, &detail);
}

/* The sentence with which claims are refused. */
static const char *detail_of_claims(const char *claims)
{
    char *token = signer_token(&signers[SIGNER_EDDSA], claims);
    const char *detail;
    struct jwt jwt;

    cr_assert_neq(jwt_judge(&arena, keys, &demand, token, &jwt, &detail), PROBLEM_NONE);
    free(token);
    return detail;
}

/* What becomes of a token, which is freed. */
static const char *code_of(char *token)
{
    enum problem problem = judge(token, NULL);

    free(token);
    return problem == PROBLEM_NONE ? "good" : problem_kind(problem)->code;
}

static const char *code_of_claims(const char *claims)
{
    return code_of(signer_token(&signers[SIGNER_EDDSA], claims));
}

static const char *code_of_header(const char *header)
{
    return code_of(signer_sign(&signers[SIGNER_EDDSA], header, GOOD));
}

Test(jwt, a_token_by_each_kind_of_key_is_good)
{
    for (int i = 0; i < SIGNER_KINDS; i++)
        for (int again = 0; again < 20; again++)
            cr_assert_str_eq(code_of(signer_token(&signers[i], GOOD)), "good", "%s",
                             signer_algorithm(&signers[i]));
}

Test(jwt, what_it_says_is_told)
{
    char *token = signer_token(&signers[SIGNER_ES256],
                               "{" CLAIMS ",\"exp\":1800000300.75,\"nbf\":1799999999,\"name\":"
                               "\"  Ada\",\"locale\":\"tr-TR\"}");
    struct jwt jwt;

    cr_assert_eq(judge(token, &jwt), PROBLEM_NONE);
    cr_assert_str_eq(jwt.subject, "42");
    cr_assert_str_eq(jwt.name, "Ada");
    cr_assert_str_eq(jwt.locale, "tr-TR");
    cr_assert_eq(jwt.until_s, 1800000300 + JWT_LEEWAY_S);
    cr_assert(key_set_has(keys, jwt.key));
    free(token);
}

Test(jwt, it_says_which_key_has_signed_it_in_every_set_that_has_the_key)
{
    const struct signer *one = &signers[SIGNER_RS256];
    char *token = signer_token(one, GOOD), *text = signer_set(&one, 1);
    struct key_set *same = set_of(text), *other;
    struct signer renamed = *one;
    struct jwt jwt;

    cr_assert_eq(judge(token, &jwt), PROBLEM_NONE);
    cr_assert(key_set_has(same, jwt.key));
    free(text);
    renamed.id = "other";
    one = &renamed;
    text = signer_set(&one, 1);
    other = set_of(text);
    cr_assert_not(key_set_has(other, jwt.key), "a kid is part of it");
    key_set_free(same);
    key_set_free(other);
    free(text);
    free(token);
}

Test(jwt, times_may_be_off_by_the_leeway)
{
    cr_assert_str_eq(code_of_claims("{" CLAIMS ",\"exp\":1799999941}"), "good");
    cr_assert_str_eq(code_of_claims("{" CLAIMS ",\"exp\":1799999940}"), "jwt-expired");
    cr_assert_str_eq(code_of_claims("{" CLAIMS ",\"exp\":1800000300,\"nbf\":1800000060}"), "good");
    cr_assert_str_eq(code_of_claims("{" CLAIMS ",\"exp\":1800000300,\"nbf\":1800000061}"),
                     "jwt-not-yet-valid");
}

Test(jwt, a_token_is_good_for_a_time_from_its_iat_on)
{
    static const struct {
        const char *times, *code;
        int64_t until_s;
    } rows[] = {
        {"\"iat\":1799996400,\"exp\":1800000000", "good", NOW + JWT_LEEWAY_S},
        {"\"iat\":1799996400,\"exp\":1900000000", "good", NOW + JWT_LEEWAY_S},
        {"\"iat\":1799996341,\"exp\":1900000000", "good", NOW + 1},
        {"\"iat\":1799996340,\"exp\":1900000000", "jwt-expired", 0},
        {"\"iat\":1800000060,\"exp\":1800000300", "good", NOW + 300 + JWT_LEEWAY_S},
        {"\"iat\":1800000061,\"exp\":1800000300", "jwt-not-yet-valid", 0},
        {"\"exp\":1800003600", "good", NOW + AGE + JWT_LEEWAY_S},
        {"\"exp\":1800003601", "jwt-malformed", 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *claims, *token;
        struct jwt jwt;

        cr_assert_geq(asprintf(&claims, "{" CLAIMS ",%s}", rows[i].times), 0);
        token = signer_token(&signers[SIGNER_EDDSA], claims);
        if (judge(token, &jwt) == PROBLEM_NONE)
            cr_expect_eq(jwt.until_s, rows[i].until_s, "%s: %lld", claims, (long long)jwt.until_s);
        cr_expect_str_eq(code_of(token), rows[i].code, "%s", claims);
        free(claims);
    }
}

Test(jwt, without_a_greatest_age_the_exp_alone_counts)
{
    demand.age_s = 0;
    cr_assert_str_eq(code_of_claims("{" CLAIMS ",\"exp\":1900000000}"), "good");
    cr_assert_str_eq(code_of_claims("{" CLAIMS ",\"iat\":1,\"exp\":1900000000}"), "good");
}

Test(jwt, a_refusal_shows_the_value_that_came_and_the_one_that_is_expected)
{
    char endless[2000] = "{\"iss\":\"";

    cr_expect_str_eq(detail_of_claims("{\"iss\":\"https://id.example\",\"aud\":\"plyd\"}"),
                     "The token has the iss \"https://id.example\"; " ISSUER " is expected.");
    cr_expect_str_eq(detail_of_claims("{\"iss\":7}"),
                     "The token has the iss 7; " ISSUER " is expected.");
    cr_expect_str_eq(detail_of_claims("{}"), "The token has no iss; " ISSUER " is expected.");
    cr_expect_str_eq(detail_of_claims("{\"iss\":\"" ISSUER "\",\"aud\":[\"a\",\"b\\u202ec\"]}"),
                     "The token has the aud [\"a\",\"b?c\"]; plyd is expected.");
    memset(endless + strlen(endless), 'x', 1000);
    strcat(endless, "\"}");
    cr_expect_leq(strlen(detail_of_claims(endless)), 300);
}

Test(jwt, claims_that_do_not_fit_are_refused_by_name)
{
    static const struct {
        const char *claims, *code;
    } rows[] = {
        {"{\"iss\":\"" ISSUER "/\",\"aud\":\"plyd\",\"sub\":\"42\",\"exp\":1800000300}",
         "jwt-issuer"},
        {"{\"aud\":\"plyd\",\"sub\":\"42\",\"exp\":1800000300}", "jwt-issuer"},
        {"{\"iss\":[\"" ISSUER "\"],\"aud\":\"plyd\",\"sub\":\"42\",\"exp\":1800000300}",
         "jwt-issuer"},
        {"{\"iss\":\"" ISSUER "\",\"aud\":\"other\",\"sub\":\"42\",\"exp\":1800000300}",
         "jwt-audience"},
        {"{\"iss\":\"" ISSUER "\",\"sub\":\"42\",\"exp\":1800000300}", "jwt-audience"},
        {"{\"iss\":\"" ISSUER "\",\"aud\":[],\"sub\":\"42\",\"exp\":1800000300}", "jwt-audience"},
        {"{\"iss\":\"" ISSUER "\",\"aud\":[\"x\",\"plydd\"],\"sub\":\"42\",\"exp\":1800000300}",
         "jwt-audience"},
        {"{\"iss\":\"" ISSUER "\",\"aud\":[\"x\",\"plyd\"],\"sub\":\"42\",\"exp\":1800000300}",
         "good"},
        {"{\"iss\":\"" ISSUER "\",\"aud\":\"plyd\",\"exp\":1800000300}", "jwt-malformed"},
        {"{\"iss\":\"" ISSUER "\",\"aud\":\"plyd\",\"sub\":\"\",\"exp\":1800000300}",
         "jwt-malformed"},
        {"{\"iss\":\"" ISSUER "\",\"aud\":\"plyd\",\"sub\":42,\"exp\":1800000300}",
         "jwt-malformed"},
        {"{" CLAIMS "}", "jwt-malformed"},
        {"{" CLAIMS ",\"exp\":\"1800000300\"}", "jwt-malformed"},
        {"{" CLAIMS ",\"exp\":-1}", "jwt-malformed"},
        {"{" CLAIMS ",\"exp\":1e300}", "jwt-malformed"},
        {"{" CLAIMS ",\"exp\":1800000300,\"nbf\":\"now\"}", "jwt-malformed"},
        {"{" CLAIMS ",\"exp\":1800000300,\"nbf\":null}", "jwt-malformed"},
        {"{" CLAIMS ",\"exp\":1800000300,\"iat\":\"now\"}", "jwt-malformed"},
        {"{" CLAIMS ",\"exp\":1800000300,\"iat\":null}", "jwt-malformed"},
        {"\xef\xbb\xbf{" CLAIMS ",\"exp\":1800000300}", "jwt-malformed"},
        {"{" CLAIMS ",\"exp\":1800000300,\"exp\":1900000300}", "jwt-malformed"},
        {"{" CLAIMS ",\"sub\":\"43\",\"exp\":1800000300}", "jwt-malformed"},
        {"{" CLAIMS ",\"exp\":1800000300} ", "good"},
        {"{" CLAIMS ",\"exp\":1800000300}x", "jwt-malformed"},
        {"[]", "jwt-malformed"},
        {"", "jwt-malformed"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_str_eq(code_of_claims(rows[i].claims), rows[i].code, "%s: %s", rows[i].claims,
                         rows[i].code);
}

Test(jwt, headers_that_do_not_fit_are_refused_by_name)
{
    static const struct {
        const char *header, *code;
    } rows[] = {
        {"{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"typ\":\"at+jwt\"}", "good"},
        {"{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"typ\":\"AT+JWT\"}", "good"},
        {"{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"typ\":\"jwt\"}", "good"},
        {"{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"typ\":\"application/at+jwt\"}", "good"},
        {"{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"jwk\":{\"kty\":\"OKP\"}}", "good"},
        {"{\"alg\":\"none\",\"kid\":\"ed\"}", "jwt-algorithm"},
        {"{\"alg\":\"None\",\"kid\":\"ed\"}", "jwt-algorithm"},
        {"{\"alg\":\"HS256\",\"kid\":\"ed\"}", "jwt-algorithm"},
        {"{\"alg\":\"eddsa\",\"kid\":\"ed\"}", "jwt-algorithm"},
        {"{\"alg\":\"PS256\",\"kid\":\"rsa\"}", "jwt-algorithm"},
        {"{\"alg\":[\"EdDSA\"],\"kid\":\"ed\"}", "jwt-algorithm"},
        {"{\"kid\":\"ed\"}", "jwt-algorithm"},
        {"{\"alg\":\"ES256\",\"kid\":\"rsa\"}", "jwt-algorithm"},
        {"{\"alg\":\"RS256\",\"kid\":\"p256\"}", "jwt-algorithm"},
        {"{\"alg\":\"RS256\",\"kid\":\"rsa\"}", "jwt-signature"},
        {"{\"alg\":\"EdDSA\",\"kid\":\"other\"}", "jwt-key-unknown"},
        {"{\"alg\":\"EdDSA\"}", "good"},
        {"{\"alg\":\"Ed25519\",\"kid\":\"ed\"}", "good"},
        {"{\"alg\":\"Ed448\",\"kid\":\"ed\"}", "jwt-algorithm"},
        {"{\"alg\":\"EdDSA\",\"typ\":\"jwt\"}", "good"},
        {"{\"alg\":\"EdDSA\",\"typ\":\"application/JWT\"}", "good"},
        {"{\"alg\":\"EdDSA\",\"typ\":\"application/at+jwt\"}", "good"},
        {"{\"alg\":\"EdDSA\",\"typ\":\"text/jwt\"}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"typ\":null}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"kid\":null}", "jwt-malformed"},
        {"{\"alg\":null,\"kid\":\"ed\"}", "jwt-algorithm"},
        {"{\"alg\":\"EdDSA\",\"crit\":null}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"crit\":[]}", "jwt-malformed"},
        {"\xef\xbb\xbf{\"alg\":\"EdDSA\"}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"crit\":[\"b64\"],\"b64\":false}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"typ\":\"logout+jwt\"}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"kid\":7}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"kid\":[\"ed\"]}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"kid\":{}}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"kid\":\"\"}", "jwt-key-unknown"},
        {"{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"kid\":\"ed\"}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"alg\":\"none\"}", "jwt-malformed"},
        {"\"EdDSA\"", "jwt-malformed"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_str_eq(code_of_header(rows[i].header), rows[i].code, "%s: %s", rows[i].header,
                         rows[i].code);
}

Test(jwt, a_token_without_a_signature_is_refused)
{
    cr_assert_str_eq(code_of(signer_forge("{\"alg\":\"none\"}", GOOD, "", 0)), "jwt-malformed");
    cr_assert_str_eq(code_of(signer_forge("{\"alg\":\"EdDSA\",\"kid\":\"ed\"}", GOOD, "x", 1)),
                     "jwt-signature");
}

Test(jwt, the_public_key_is_no_secret_for_hs256)
{
    char *pem = signer_pem(&signers[SIGNER_RS256]);
    char *jwk = signer_jwk(&signers[SIGNER_RS256], "");

    cr_assert_str_eq(code_of(signer_hmac("{\"alg\":\"HS256\",\"kid\":\"rsa\"}", GOOD, pem)),
                     "jwt-algorithm");
    cr_assert_str_eq(code_of(signer_hmac("{\"alg\":\"RS256\",\"kid\":\"rsa\"}", GOOD, pem)),
                     "jwt-signature");
    cr_assert_str_eq(code_of(signer_hmac("{\"alg\":\"RS256\",\"kid\":\"rsa\"}", GOOD, jwk)),
                     "jwt-signature");
    free(pem);
    free(jwk);
}

Test(jwt, a_key_of_somebody_else_under_the_same_kid_signs_nothing)
{
    for (int i = 0; i < SIGNER_KINDS; i++) {
        struct signer thief;

        signer_make(&thief, (enum signer_kind)i, signers[i].id, 0);
        cr_assert_str_eq(code_of(signer_token(&thief, GOOD)), "jwt-signature");
        signer_free(&thief);
    }
}

Test(jwt, texts_that_are_no_tokens_are_refused)
{
    static const char *const bad[] = {".",       "..",       "...",         "a.b",
                                      "a.b.c.d", "a..c",     ".b.c",        "a.b.",
                                      "!.!.!",   "e30.e30.", "e30.e30.e30", "e30=.e30=.e30="};
    char *endless = calloc(1, JWT_BYTES_MAX + 2);

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect_neq(judge(bad[i], NULL), PROBLEM_NONE, "%s", bad[i]);
    memset(endless, 'a', JWT_BYTES_MAX + 1);
    endless[4] = endless[9] = '.';
    cr_assert_eq(judge(endless, NULL), PROBLEM_JWT_MALFORMED);
    free(endless);
}

static size_t below(uint64_t *dice, size_t bound)
{
    *dice += MIX_STEP;
    return mix(*dice) % bound;
}

Test(jwt, no_byte_stands_for_a_letter)
{
    char *token = signer_token(&signers[SIGNER_EDDSA], GOOD), *last = token + strlen(token) - 10;
    char kept = *last;

    for (int byte = 1; byte < 256; byte++) {
        *last = (char)byte;
        cr_expect(*last == kept || judge(token, NULL) != PROBLEM_NONE, "%d for %c", byte, kept);
    }
    free(token);
}

/* A letter that stands in a token, or anything else. */
static char letter(uint64_t *dice)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ";
    size_t i = below(dice, sizeof(letters) + 9);

    return i < sizeof(letters) - 1 ? letters[i] : (char)(128 + below(dice, 128));
}

/* Changes, takes out, puts in, doubles or cuts. `text` has room for as much again. */
static void mutate(uint64_t *dice, char *text)
{
    size_t len = strlen(text), at = below(dice, len);

    switch (below(dice, 5)) {
    case 0:
        text[at] = letter(dice);
        break;
    case 1:
        memmove(text + at, text + at + 1, len - at);
        break;
    case 2:
        memmove(text + at + 1, text + at, len - at + 1);
        text[at] = letter(dice);
        break;
    case 3:
        text[at] = '\0';
        break;
    default:
        memmove(text + len, text + at, len - at + 1);
        text[2 * len - at] = '\0';
        break;
    }
}

Test(jwt, of_a_hundred_thousand_mutated_tokens_none_gets_in)
{
    uint64_t dice = 38;
    char *good[SIGNER_KINDS];
    size_t tried = 0;

    for (int i = 0; i < SIGNER_KINDS; i++)
        good[i] = signer_token(&signers[i], GOOD);
    for (int i = 0; i < 100000; i++) {
        const char *from = good[i % SIGNER_KINDS];
        char *text = malloc(16 * strlen(from) + 16);

        strcpy(text, from);
        for (size_t n = 1 + below(&dice, 3); n > 0 && *text != '\0'; n--)
            mutate(&dice, text);
        if (strcmp(text, from) != 0) {
            tried++;
            cr_assert_neq(judge(text, NULL), PROBLEM_NONE, "%s", text);
        }
        free(text);
        arena_reset(&arena);
    }
    cr_assert_gt(tried, 95000);
    for (int i = 0; i < SIGNER_KINDS; i++)
        free(good[i]);
}

/* ---- names ---- */

static const char *name_of(const char *claims)
{
    char *text, *token;
    struct jwt jwt;

    cr_assert_geq(asprintf(&text, "{" CLAIMS ",\"exp\":1800000300,%s}", claims), 0);
    token = signer_token(&signers[SIGNER_EDDSA], text);
    cr_assert_eq(judge(token, &jwt), PROBLEM_NONE, "%s", claims);
    free(token);
    free(text);
    return jwt.name;
}

Test(jwt, nobody_is_refused_because_of_their_name)
{
    static const struct {
        const char *claims, *name;
    } rows[] = {
        {"\"name\":\"Ada Lovelace\",\"nickname\":\"ada\"", "Ada Lovelace"},
        {"\"name\":\" \",\"preferred_username\":\"ada\"", "ada"},
        {"\"name\":null,\"nickname\":\"ada\"", "ada"},
        {"\"nickname\":\"ada\",\"preferred_username\":\"lovelace\"", "lovelace"},
        {"\"name\":{\"given\":\"Ada\"},\"nickname\":\"ada\"", "ada"},
        {"\"x\":1", "Player"},
        {"\"name\":\"a\\u0007b\\u202ec\"", "a?b?c"},
        {"\"name\":\"\\u202e\\u202e\"", "Player"},
        {"\"name\":\"0123456789012345678901234567890123456789012345678901234567890123456789\"",
         "0123456789012345678901234567890123456789012345678901234567890123"},
        {"\"name\":\"\xe5\xb0\x86\xe6\xa3\x8b\"", "\xe5\xb0\x86\xe6\xa3\x8b"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_str_eq(name_of(rows[i].claims), rows[i].name, "%s", rows[i].claims);
}

/* ---- sets of keys ---- */

static const char *fault_of(const char *text)
{
    const char *fault = NULL;
    struct key_set *set = key_set_read(text, strlen(text), &fault);

    cr_assert(set != NULL || fault != NULL);
    key_set_free(set);
    return set != NULL ? "" : fault;
}

/* How many keys of a set with one are of use. The key is freed. */
static size_t use_of_key(char *jwk)
{
    char *text;
    struct key_set *set;
    size_t count;

    cr_assert_geq(asprintf(&text, "{\"keys\":[%s]}", jwk), 0);
    set = set_of(text);
    cr_assert_not_null(set, "%s", text);
    count = key_set_count(set);
    key_set_free(set);
    free(text);
    free(jwk);
    return count;
}

static size_t use_of(const struct signer *signer, const char *members)
{
    return use_of_key(signer_jwk(signer, members));
}

Test(jwt, a_set_is_one_with_whatever_keys)
{
    cr_assert_str_neq(fault_of(""), "");
    cr_assert_str_neq(fault_of("{}"), "");
    cr_assert_str_neq(fault_of("{\"keys\":{}}"), "");
    cr_assert_str_neq(fault_of("{\"keys\":[7]}"), "");
    cr_assert_str_eq(fault_of("{\"keys\":[]}"), "");
    cr_assert_eq(key_set_count(keys), SIGNER_KINDS);
    cr_assert_eq(use_of_key(strdup("{\"kty\":\"oct\",\"k\":\"c2VjcmV0\"}")), 0);
    cr_assert_eq(use_of_key(strdup("{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}")), 0);
    cr_assert_eq(use_of_key(strdup("{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AA\"}")), 0);
}

Test(jwt, by_a_set_without_keys_no_token_is_good)
{
    key_set_free(keys);
    keys = set_of("{\"keys\":[]}");
    for (int i = 0; i < SIGNER_KINDS; i++)
        cr_assert_str_eq(code_of(signer_token(&signers[i], GOOD)), "jwt-key-unknown");
}

/* ---- keys by which everybody can sign ---- */

static char *base64url(const uint8_t *bytes, size_t len)
{
    size_t size = sodium_base64_encoded_len(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);

    return sodium_bin2base64(malloc(size), size, bytes, len,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* An RSA key whose modulus has so many bytes, of which only the first and last matter here. */
static size_t use_of_rsa(size_t bytes, uint8_t first, uint8_t last, const char *exponent)
{
    uint8_t modulus[1025];
    char *n, *jwk;

    memset(modulus, 0x5a, sizeof(modulus));
    modulus[0] = first;
    modulus[bytes - 1] = last;
    n = base64url(modulus, bytes);
    cr_assert_geq(asprintf(&jwk, "{\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"%s\"}", n, exponent), 0);
    free(n);
    return use_of_key(jwk);
}

Test(jwt, an_rsa_key_has_an_odd_exponent_of_three_at_least_and_four_bytes_at_most)
{
    static const struct {
        const char *exponent;
        size_t use;
    } rows[] = {
        {"AQAB", 1}, {"Aw", 1},   {"EQ", 1},     {"_____w", 1}, {"AQ", 0},
        {"AA", 0},   {"Ag", 0},   {"BA", 0},     {"", 0},       {"AQAAAAE", 0},
        {"AAM", 0},  {"AQAA", 0}, {"AAAAAQ", 0}, {"!!", 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(use_of_rsa(256, 0x80, 1, rows[i].exponent), rows[i].use, "%s",
                     rows[i].exponent);
}

Test(jwt, an_rsa_key_has_2048_to_8192_bits_and_is_odd)
{
    cr_expect_eq(use_of_rsa(256, 0x80, 1, "AQAB"), 1);
    cr_expect_eq(use_of_rsa(257, 0x01, 1, "AQAB"), 1, "2049 bits");
    cr_expect_eq(use_of_rsa(1024, 0xff, 1, "AQAB"), 1);
    cr_expect_eq(use_of_rsa(256, 0x7f, 1, "AQAB"), 0, "2047 bits");
    cr_expect_eq(use_of_rsa(256, 0x00, 1, "AQAB"), 0, "filled up");
    cr_expect_eq(use_of_rsa(255, 0xff, 1, "AQAB"), 0);
    cr_expect_eq(use_of_rsa(257, 0x00, 1, "AQAB"), 0, "a zero in front");
    cr_expect_eq(use_of_rsa(1025, 0x01, 1, "AQAB"), 0);
    cr_expect_eq(use_of_rsa(256, 0x80, 2, "AQAB"), 0, "even");
}

static size_t use_of_point(const char *hex)
{
    uint8_t point[32];
    char *x, *jwk;

    cr_assert_eq(sodium_hex2bin(point, sizeof(point), hex, strlen(hex), NULL, NULL, NULL), 0);
    x = base64url(point, sizeof(point));
    cr_assert_geq(asprintf(&jwk, "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"}", x), 0);
    free(x);
    return use_of_key(jwk);
}

Test(jwt, a_point_of_small_order_is_no_key)
{
    static const char *const small[] = {
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    };

    for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++)
        cr_expect_eq(use_of_point(small[i]), 0, "%s", small[i]);
    cr_assert_eq(use_of_point("5866666666666666666666666666666666666666666666666666666666666666"),
                 1, "the base point");
}

Test(jwt, what_is_no_point_of_p256_signs_nothing)
{
    cr_assert_eq(use_of_key(strdup("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":"
                                   "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE\",\"y\":"
                                   "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE\"}")),
                 0);
}

Test(jwt, a_key_for_something_else_is_passed_over)
{
    const struct signer *rsa = &signers[SIGNER_RS256];
    struct signer short_one;

    cr_assert_eq(use_of(rsa, ""), 1);
    cr_assert_eq(use_of(rsa, "\"use\":\"sig\",\"alg\":\"RS256\",\"key_ops\":[\"verify\"],"), 1);
    cr_assert_eq(use_of(rsa, "\"use\":\"enc\","), 0);
    cr_assert_eq(use_of(rsa, "\"alg\":\"RSA-OAEP\","), 0);
    cr_assert_eq(use_of(rsa, "\"alg\":\"PS256\","), 0);
    cr_assert_eq(use_of(rsa, "\"alg\":\"EdDSA\","), 0);
    cr_assert_eq(use_of(&signers[SIGNER_EDDSA], "\"alg\":\"EdDSA\","), 1);
    cr_assert_eq(use_of(&signers[SIGNER_EDDSA], "\"alg\":\"Ed25519\","), 1);
    cr_assert_eq(use_of(&signers[SIGNER_EDDSA], "\"alg\":\"X\","), 0);
    cr_assert_eq(use_of(rsa, "\"key_ops\":[\"encrypt\"],"), 0);
    cr_assert_eq(use_of(rsa, "\"key_ops\":[\"sign\",\"verify\"],"), 1);
    cr_assert_eq(use_of(rsa, "\"key_ops\":[],"), 0);
    signer_make(&short_one, SIGNER_RS256, "short", 1024);
    cr_assert_eq(use_of(&short_one, ""), 0, "1024 bits are too few");
    signer_free(&short_one);
}

Test(jwt, a_token_without_a_kid_is_by_the_only_key_that_fits)
{
    struct signer other;
    const struct signer *two[] = {&signers[SIGNER_ES256], &other};
    char *text, *token = signer_sign(&signers[SIGNER_ES256], "{\"alg\":\"ES256\"}", GOOD);

    signer_make(&other, SIGNER_ES256, "other", 0);
    cr_assert_eq(judge(token, NULL), PROBLEM_NONE);
    key_set_free(keys);
    text = signer_set(two, 2);
    keys = set_of(text);
    cr_assert_eq(judge(token, NULL), PROBLEM_JWT_KEY_UNKNOWN);
    free(text);
    free(token);
    signer_free(&other);
}

/* Whether a key of use has a kid of this JSON, and then signs tokens that name none. */
static size_t use_of_kid(const char *kid)
{
    struct signer nameless = signers[SIGNER_EDDSA];
    char *members;
    size_t use;

    nameless.id = NULL;
    cr_assert_geq(asprintf(&members, "\"kid\":%s,", kid), 0);
    use = use_of(&nameless, members);
    free(members);
    return use;
}

/* It would be taken for the only key that fits a token without a kid. */
Test(jwt, a_key_whose_kid_is_no_text_is_passed_over)
{
    cr_expect_eq(use_of_kid("\"ed\""), 1);
    cr_expect_eq(use_of_kid("null"), 1, "as if it had none");
    cr_expect_eq(use_of_kid("7"), 0);
    cr_expect_eq(use_of_kid("[\"ed\"]"), 0);
    cr_expect_eq(use_of_kid("{}"), 0);
}

/* A kid of so many bytes, as JSON. The caller frees it. */
static char *long_kid(int bytes)
{
    char *kid;

    cr_assert_geq(asprintf(&kid, "\"%0*d\"", bytes, 7), 0);
    return kid;
}

Test(jwt, a_kid_has_255_bytes_at_most_in_keys_and_in_tokens)
{
    for (int bytes = KEY_SET_ID_MAX; bytes <= KEY_SET_ID_MAX + 1; bytes++) {
        char *kid = long_kid(bytes), *header;
        bool good = bytes == KEY_SET_ID_MAX;

        cr_assert_geq(asprintf(&header, "{\"alg\":\"EdDSA\",\"kid\":%s}", kid), 0);
        cr_expect_eq(use_of_kid(kid), good);
        cr_expect_str_eq(code_of_header(header), good ? "jwt-key-unknown" : "jwt-malformed");
        free(header);
        free(kid);
    }
}

Test(jwt, a_key_without_a_kid_is_none_that_a_token_names)
{
    struct signer nameless = signers[SIGNER_EDDSA];
    const struct signer *one = &nameless;
    char *text;

    nameless.id = NULL;
    key_set_free(keys);
    text = signer_set(&one, 1);
    keys = set_of(text);
    cr_expect_str_eq(code_of_header("{\"alg\":\"EdDSA\",\"kid\":\"ed\"}"), "jwt-key-unknown");
    cr_expect_str_eq(code_of_header("{\"alg\":\"EdDSA\"}"), "good");
    free(text);
}

/* Providers may give two keys of different kinds the same kid. */
Test(jwt, of_several_keys_with_the_same_kid_the_one_that_fits_is_taken)
{
    struct signer same[] = {signers[SIGNER_RS256], signers[SIGNER_EDDSA], signers[SIGNER_ES256]};
    const struct signer *all[] = {&same[0], &same[1], &same[2]};
    char *text;

    key_set_free(keys);
    same[0].id = same[1].id = same[2].id = "same";
    text = signer_set(all, 3);
    keys = set_of(text);
    for (size_t i = 0; i < 3; i++)
        cr_expect_str_eq(code_of(signer_token(&same[i], GOOD)), "good", "%s",
                         signer_algorithm(&same[i]));
    free(text);
}
