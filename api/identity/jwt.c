#include "api/identity/jwt.h"

#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "api/game/name.h"
#include "api/text/chars.h"
#include "api/text/json_fields.h"

enum {
    PARTS = 3,
    TIME_MAX_S = 1 << 30, /* from 1970: any time, times sixteen */
    SHOWN_CHARS = 160     /* of what a token says, in a refusal */
};

struct part {
    const char *text;
    size_t len;
};

/* A token that is being judged. */
struct judgement {
    struct arena *arena;
    struct part part[PARTS];
    size_t signed_len; /* of the first two parts and their dot */
    enum problem problem;
    const char *detail;
};

static bool refuse_jwt(struct judgement *it, enum problem problem, const char *detail)
{
    it->problem = problem;
    it->detail = detail;
    return false;
}

/* ---- the form ---- */

bool jwt_is_one(const char *token)
{
    return strchr(token, '.') != NULL;
}

/* libsodium takes some bytes beyond ASCII for letters, so that one token would have several texts.
 */
static bool has_only_letters(const char *token)
{
    return token[strspn(
               token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")] == '\0';
}

static bool split(struct judgement *it, const char *token)
{
    size_t len = strnlen(token, JWT_BYTES_MAX + 1), at = 0;

    if (len > JWT_BYTES_MAX)
        return refuse_jwt(it, PROBLEM_JWT_MALFORMED, "The token is longer than 8 KiB.");
    if (!has_only_letters(token))
        return refuse_jwt(it, PROBLEM_JWT_MALFORMED, "A part of the token is not base64url.");
    for (size_t i = 0; i < PARTS; i++) {
        it->part[i] = (struct part){token + at, strcspn(token + at, ".")};
        at += it->part[i].len + 1;
        if (i == 1)
            it->signed_len = at - 1;
        if (it->part[i].len == 0 || (at > len) != (i == PARTS - 1))
            return refuse_jwt(it, PROBLEM_JWT_MALFORMED,
                              "A JWT has three parts with dots between them, none of them empty.");
    }
    return true;
}

/* The bytes of a part, with a NUL behind them. NULL: it is not base64url without padding. */
static char *decode(struct judgement *it, const struct part *part, size_t *len)
{
    char *bytes = arena_alloc(it->arena, part->len + 1);

    if (sodium_base642bin((unsigned char *)bytes, part->len, part->text, part->len, NULL, len, NULL,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0) {
        refuse_jwt(it, PROBLEM_JWT_MALFORMED, "A part of the token is not base64url.");
        return NULL;
    }
    bytes[*len] = '\0';
    return bytes;
}

/* JSON between programs begins with no byte order mark (RFC 8259), and cJSON would pass it over. */
static bool begins_with_mark(const char *bytes)
{
    return strncmp(bytes, "\xef\xbb\xbf", 3) == 0;
}

/* A part as an object. NULL: it was refused. */
static struct json_value *read_object(struct judgement *it, const struct part *part,
                                      struct json_value *(*read)(struct arena *, const char *,
                                                                 size_t, struct json_error *))
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *object;
    size_t len;
    char *bytes = decode(it, part, &len);

    if (bytes == NULL)
        return NULL;
    object = begins_with_mark(bytes) ? NULL : read(it->arena, bytes, len, &error);
    if (object == NULL)
        refuse_jwt(it, PROBLEM_JWT_MALFORMED,
                   "A part of the token is no JSON object, or a member stands in it twice.");
    return object;
}

/* ---- the header and the signature ---- */

/* A media type, of which "application/" may be left out (RFC 7515, 4.1.9). */
static bool is_type(const char *type)
{
    static const char prefix[] = "application/";

    if (strncasecmp(type, prefix, sizeof(prefix) - 1) == 0)
        type += sizeof(prefix) - 1;
    return strcasecmp(type, "JWT") == 0 || strcasecmp(type, "at+jwt") == 0;
}

/* Copies a text, since it ends with the object that it stands in. */
static const char *copy(struct judgement *it, const char *text)
{
    return text == NULL ? NULL : arena_copy(it->arena, text, strlen(text));
}

static bool judge_header(struct judgement *it, const struct json_value *object,
                         enum key_algorithm *algorithm, const char **id)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    const char *name = "", *type = "JWT";
    struct json_fields header;

    json_fields(&header, it->arena, object, &error);
    json_take_string(&header, "alg", 16, &name);
    json_take_string(&header, "typ", 64, &type);
    json_take_string(&header, "kid", KEY_SET_ID_MAX, id);
    *id = copy(it, *id);
    *algorithm = key_algorithm(name);
    if (*algorithm == KEY_ALGORITHMS)
        return refuse_jwt(it, PROBLEM_JWT_ALGORITHM, NULL);
    if (json_has(&header, "crit") || json_has_null(&header, "crit"))
        return refuse_jwt(it, PROBLEM_JWT_MALFORMED,
                          "The token has a crit, and none is known here.");
    if (error.code != PROBLEM_NONE || !is_type(type) || json_has_null(&header, "typ") ||
        json_has_null(&header, "kid"))
        return refuse_jwt(it, PROBLEM_JWT_MALFORMED,
                          "typ must be JWT or at+jwt, and kid a text of 255 bytes at most.");
    return true;
}

/* The key that the header names, if it fits. NULL: it was refused. */
static const struct key *find_key(struct judgement *it, const struct key_set *keys)
{
    struct json_value *object = read_object(it, &it->part[0], json_read);
    const struct key *key = NULL;
    enum key_algorithm algorithm;
    const char *id = NULL;
    bool misfit;

    if (object != NULL && judge_header(it, object, &algorithm, &id)) {
        key = key_set_find(keys, id, algorithm, &misfit);
        if (key == NULL && misfit)
            refuse_jwt(it, PROBLEM_JWT_ALGORITHM, "The key of the token is for another algorithm.");
        else if (key == NULL)
            refuse_jwt(it, PROBLEM_JWT_KEY_UNKNOWN,
                       id == NULL ? "The token names no key (kid), and not exactly one fits."
                                  : NULL);
    }
    json_free(object);
    return key;
}

static bool judge_signature(struct judgement *it, const struct key_set *keys, struct jwt *jwt)
{
    const struct key *key = find_key(it, keys);
    char *signature;
    size_t len;

    if (key == NULL)
        return false;
    signature = decode(it, &it->part[2], &len);
    if (signature == NULL)
        return false;
    jwt->key = key_print(key);
    return key_has_signed(key, it->part[0].text, it->signed_len, (const uint8_t *)signature, len) ||
           refuse_jwt(it, PROBLEM_JWT_SIGNATURE, NULL);
}

/* ---- the claims ---- */

/* Whether the audience is the one, or one of several. */
static bool is_meant(struct json_fields *claims, const char *audience)
{
    const struct json_value *list;
    const char *one = "";
    size_t count;

    if (!json_has_array(claims, "aud"))
        return json_take_string(claims, "aud", JWT_BYTES_MAX, &one) && strcmp(one, audience) == 0;
    if (!json_take_array(claims, "aud", JWT_BYTES_MAX, &list, &count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (json_element_string(claims, list, "aud", i, JWT_BYTES_MAX, &one) &&
            strcmp(one, audience) == 0)
            return true;
    return false;
}

/* Refuses a claim that has another value than it must have, and shows both. Whoever sees that has a
 * token that the provider has signed. */
static bool refuse_value(struct judgement *it, struct json_fields *claims, enum problem problem,
                         const char *name, const char *expected)
{
    const char *value = json_take_json(claims, name), *end = value;

    if (value == NULL)
        return refuse_jwt(
            it, problem,
            arena_format(it->arena, "The token has no %s; %s is expected.", name, expected));
    for (int i = 0; i < SHOWN_CHARS; i++)
        chars_next(&end);
    value = arena_format(it->arena, "%.*s%s", (int)(end - value), value, *end == '\0' ? "" : "...");
    return refuse_jwt(it, problem,
                      arena_format(it->arena, "The token has the %s %s; %s is expected.", name,
                                   name_tame(it->arena, value), expected));
}

/* A time of the token as whole seconds. False: it is no number of this age. */
static bool take_jwt_time(struct json_fields *claims, const char *name, int64_t *at_s)
{
    double seconds;

    if (!json_take_number(claims, name, &seconds) || !(seconds >= 0) ||
        !(seconds < 16.0 * TIME_MAX_S))
        return false;
    *at_s = (int64_t)seconds;
    return true;
}

/* The same for one that need not be there. */
static bool may_take_time(struct json_fields *claims, const char *name, int64_t *at_s)
{
    return (!json_has(claims, name) && !json_has_null(claims, name)) ||
           take_jwt_time(claims, name, at_s);
}

/* Whether it is no older than --jwt-age-s allows. Without an iat nobody knows how old a token is,
 * only how long it will still live. */
static bool judge_age(struct judgement *it, const struct json_fields *claims, int64_t issued,
                      const struct jwt_demand *demand, struct jwt *jwt)
{
    int64_t most = issued + demand->age_s + JWT_LEEWAY_S;

    if (demand->age_s == 0 || jwt->until_s <= most)
        return true;
    if (!json_has(claims, "iat"))
        return refuse_jwt(
            it, PROBLEM_JWT_MALFORMED,
            arena_format(it->arena, "A token without iat must expire within %lld seconds from now.",
                         (long long)demand->age_s));
    jwt->until_s = most;
    return demand->now_s < most ||
           refuse_jwt(
               it, PROBLEM_JWT_EXPIRED,
               arena_format(it->arena,
                            "The token is good for %lld seconds from its iat on, whatever its "
                            "exp says. Get a new one from the identity provider.",
                            (long long)demand->age_s));
}

static bool judge_times(struct judgement *it, struct json_fields *claims,
                        const struct jwt_demand *demand, struct jwt *jwt)
{
    int64_t now = demand->now_s, expires, from = 0, issued = now;

    if (!take_jwt_time(claims, "exp", &expires))
        return refuse_jwt(it, PROBLEM_JWT_MALFORMED, "The token has no exp, or it is no time.");
    if (!may_take_time(claims, "nbf", &from) || !may_take_time(claims, "iat", &issued))
        return refuse_jwt(it, PROBLEM_JWT_MALFORMED, "The token's nbf or iat is no time.");
    jwt->until_s = expires + JWT_LEEWAY_S;
    if (now >= jwt->until_s)
        return refuse_jwt(it, PROBLEM_JWT_EXPIRED, NULL);
    if (now < from - JWT_LEEWAY_S || now < issued - JWT_LEEWAY_S)
        return refuse_jwt(it, PROBLEM_JWT_NOT_YET, NULL);
    return judge_age(it, claims, issued, demand, jwt);
}

static bool judge_claims(struct judgement *it, struct json_fields *claims,
                         const struct jwt_demand *demand, struct jwt *jwt)
{
    const char *issuer = "", *subject = "";

    json_take_string(claims, "iss", JWT_BYTES_MAX, &issuer);
    if (strcmp(issuer, demand->issuer) != 0)
        return refuse_value(it, claims, PROBLEM_JWT_ISSUER, "iss", demand->issuer);
    if (!is_meant(claims, demand->audience))
        return refuse_value(it, claims, PROBLEM_JWT_AUDIENCE, "aud", demand->audience);
    if (!json_take_string(claims, "sub", JWT_SUBJECT_MAX, &subject) || *subject == '\0')
        return refuse_jwt(it, PROBLEM_JWT_MALFORMED, "The token has no sub of 1 to 255 bytes.");
    jwt->subject = copy(it, subject);
    return judge_times(it, claims, demand, jwt);
}

/* A text that may be there; what is no text is passed over. */
static const char *optional(struct judgement *it, const struct json_value *object, const char *name)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields claims;
    const char *text = "";

    json_fields(&claims, it->arena, object, &error);
    json_take_string(&claims, name, JWT_BYTES_MAX, &text);
    return text;
}

/* A name that a player may have, of the first claim of which something is left: nobody is refused
 * because of their name. */
static const char *choose_name(struct judgement *it, const struct json_value *object)
{
    static const char *const claims[] = {"name", "preferred_username", "nickname"};

    for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
        const char *name =
            name_cut(it->arena, name_trim(it->arena, optional(it, object, claims[i])));

        name = name_tame(it->arena, name);
        if (name[strspn(name, "?")] != '\0' && name_refusal(it->arena, name) == NULL)
            return name;
    }
    return "Player";
}

/* Only what was signed gets here, so an object may have as many members as a record. */
static bool read_claims(struct judgement *it, const struct jwt_demand *demand, struct jwt *jwt)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *object = read_object(it, &it->part[1], json_read_long);
    struct json_fields claims;
    bool good;

    if (object == NULL)
        return false;
    json_fields(&claims, it->arena, object, &error);
    good = judge_claims(it, &claims, demand, jwt);
    if (good) {
        jwt->name = choose_name(it, object);
        jwt->locale = copy(it, optional(it, object, "locale"));
    }
    json_free(object);
    return good;
}

enum problem jwt_judge(struct arena *arena, const struct key_set *keys,
                       const struct jwt_demand *demand, const char *token, struct jwt *jwt,
                       const char **detail)
{
    struct judgement it = {.arena = arena, .problem = PROBLEM_NONE};

    *jwt = (struct jwt){.locale = ""};
    if (split(&it, token) && judge_signature(&it, keys, jwt))
        read_claims(&it, demand, jwt);
    *detail = it.detail;
    return it.problem;
}
