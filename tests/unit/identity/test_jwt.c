/* test_jwt.c - which tokens of an identity provider are good. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/identity/jwt.h"
#include "rules/mix.h"
#include "tests/support/signer.h"

enum { NOW = 1800000000 };

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

static enum problem judge(const char *token, struct jwt *jwt)
{
    static const struct jwt_demand demand = {ISSUER, "plyd", NOW};
    struct jwt nobody;
    const char *detail;

    return jwt_judge(&arena, keys, &demand, token, jwt == NULL ? &nobody : jwt, &detail);
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
        {"{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"typ\":\"application/jwt\"}", "jwt-malformed"},
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
        {"{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"crit\":[\"b64\"],\"b64\":false}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"typ\":\"logout+jwt\"}", "jwt-malformed"},
        {"{\"alg\":\"EdDSA\",\"kid\":7}", "jwt-malformed"},
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

/* How many keys of a set with one are of use. */
static size_t use_of(const struct signer *signer, const char *members)
{
    char *jwk = signer_jwk(signer, members), *text;
    struct key_set *set;
    size_t count;

    cr_assert_geq(asprintf(&text, "{\"keys\":[%s]}", jwk), 0);
    set = set_of(text);
    count = set == NULL ? 0 : key_set_count(set);
    key_set_free(set);
    free(text);
    free(jwk);
    return count;
}

Test(jwt, a_set_is_one_only_with_a_key_of_use)
{
    cr_assert_str_neq(fault_of(""), "");
    cr_assert_str_neq(fault_of("{}"), "");
    cr_assert_str_neq(fault_of("{\"keys\":[]}"), "");
    cr_assert_str_neq(fault_of("{\"keys\":[7]}"), "");
    cr_assert_str_neq(fault_of("{\"keys\":[{\"kty\":\"oct\",\"k\":\"c2VjcmV0\"}]}"), "");
    cr_assert_str_neq(fault_of("{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}"), "");
    cr_assert_str_neq(fault_of("{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AA\"}]}"),
                      "");
    cr_assert_eq(key_set_count(keys), SIGNER_KINDS);
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
    cr_assert_eq(use_of(rsa, "\"key_ops\":[\"encrypt\"],"), 0);
    cr_assert_eq(use_of(rsa, "\"key_ops\":[\"sign\",\"verify\"],"), 1);
    cr_assert_eq(use_of(rsa, "\"key_ops\":[],"), 0);
    signer_make(&short_one, SIGNER_RS256, "short", 1024);
    cr_assert_eq(use_of(&short_one, ""), 0, "1024 bits are too few");
    signer_free(&short_one);
}

/* One of 1024 bits could be filled up to 2048. */
Test(jwt, a_key_of_rsa_begins_with_no_zero)
{
    char set[512], modulus[343];

    memset(modulus, 'B', 341);
    strcpy(modulus + 341, "w");
    snprintf(set, sizeof(set), "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"AQAB\"}]}",
             modulus);
    cr_assert_str_eq(fault_of(set), "");
    modulus[0] = 'A';
    snprintf(set, sizeof(set), "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"%s\",\"e\":\"AQAB\"}]}",
             modulus);
    cr_assert_str_neq(fault_of(set), "");
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
