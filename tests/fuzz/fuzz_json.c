/*
 * fuzz_json.c - any bytes as the JSON body of a request: plyd takes what a second reader, written
 * here, takes; and what is read is taken apart as handlers do it.
 */
#include "api/text/json_fields.h"
#include "api/text/json_text.h"
#include "fuzz.h"

enum { DEPTH_MAX = 16, MEMBERS_MAX = 64, NUMBER_MAX = 63 };

/* ---- another judge: RFC 8259's grammar by descent, which makes nothing of what it reads ---- */

struct judge {
    const unsigned char *at, *end;
    char *names; /* room for the decoded names of the objects that are open */
    size_t used;
};

static bool take(struct judge *judge, const char *text)
{
    size_t len = strlen(text);

    if ((size_t)(judge->end - judge->at) < len || memcmp(judge->at, text, len) != 0)
        return false;
    judge->at += len;
    return true;
}

static void blanks(struct judge *judge)
{
    while (take(judge, " ") || take(judge, "\t") || take(judge, "\r") || take(judge, "\n")) {
    }
}

static bool digits(struct judge *judge)
{
    const unsigned char *from = judge->at;

    while (judge->at < judge->end && *judge->at >= '0' && *judge->at <= '9')
        judge->at++;
    return judge->at > from;
}

static bool number_text(struct judge *judge)
{
    take(judge, "-");
    if (!take(judge, "0") && !digits(judge))
        return false;
    if (take(judge, ".") && !digits(judge))
        return false;
    if (!take(judge, "e") && !take(judge, "E"))
        return true;
    if (!take(judge, "+"))
        take(judge, "-");
    return digits(judge);
}

/* No longer number is taken. */
static bool number(struct judge *judge)
{
    const unsigned char *from = judge->at;

    return number_text(judge) && judge->at - from <= NUMBER_MAX;
}

static bool unit(struct judge *judge, unsigned *value)
{
    char hex[5] = "";

    if (judge->end - judge->at < 4)
        return false;
    memcpy(hex, judge->at, 4);
    judge->at += 4;
    if (strspn(hex, "0123456789abcdefABCDEF") != 4)
        return false;
    *value = (unsigned)strtoul(hex, NULL, 16);
    return true;
}

static void write_utf8(char **out, unsigned c)
{
    if (c < 0x80) {
        *(*out)++ = (char)c;
    } else if (c < 0x800) {
        *(*out)++ = (char)(0xc0 | c >> 6);
        *(*out)++ = (char)(0x80 | (c & 63));
    } else {
        if (c < 0x10000) {
            *(*out)++ = (char)(0xe0 | c >> 12);
        } else {
            *(*out)++ = (char)(0xf0 | c >> 18);
            *(*out)++ = (char)(0x80 | (c >> 12 & 63));
        }
        *(*out)++ = (char)(0x80 | (c >> 6 & 63));
        *(*out)++ = (char)(0x80 | (c & 63));
    }
}

static bool escape(struct judge *judge, char **out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    unsigned c, low;

    if (judge->at == judge->end)
        return false;
    c = *judge->at++;
    if (c != 'u') {
        const char *found = c == 0 ? NULL : strchr(from, (int)c);

        if (found != NULL)
            *(*out)++ = to[found - from];
        return found != NULL;
    }
    if (!unit(judge, &c) || c == 0 || (c >= 0xdc00 && c < 0xe000))
        return false;
    if (c >= 0xd800 && c < 0xdc00) {
        if (!take(judge, "\\u") || !unit(judge, &low) || low < 0xdc00 || low >= 0xe000)
            return false;
        c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
    }
    write_utf8(out, c);
    return true;
}

/* Reads a string and writes what it stands for, which is never longer, with a NUL. */
static bool string(struct judge *judge, char *out)
{
    if (!take(judge, "\""))
        return false;
    while (judge->at < judge->end && *judge->at != '"') {
        unsigned char c = *judge->at++;

        if (c < 0x20 || (c == '\\' && !escape(judge, &out)))
            return false;
        if (c != '\\')
            *out++ = (char)c;
    }
    *out = '\0';
    return take(judge, "\"");
}

static bool value(struct judge *judge, int depth);

static bool array(struct judge *judge, int depth)
{
    blanks(judge);
    if (take(judge, "]"))
        return true;
    do {
        if (!value(judge, depth))
            return false;
    } while (take(judge, ","));
    return take(judge, "]");
}

/* Whether a name, which stands behind those of its object from `first` on, is new among them. */
static bool is_new(const struct judge *judge, size_t first)
{
    for (size_t at = first; at < judge->used; at += strlen(judge->names + at) + 1)
        if (strcmp(judge->names + at, judge->names + judge->used) == 0)
            return false;
    return true;
}

static bool object(struct judge *judge, int depth)
{
    size_t first = judge->used, members = 0;

    blanks(judge);
    if (take(judge, "}"))
        return true;
    do {
        blanks(judge);
        if (++members > MEMBERS_MAX || !string(judge, judge->names + judge->used) ||
            !is_new(judge, first))
            return false;
        judge->used += strlen(judge->names + judge->used) + 1;
        blanks(judge);
        if (!take(judge, ":") || !value(judge, depth))
            return false;
    } while (take(judge, ","));
    judge->used = first;
    return take(judge, "}");
}

static bool value(struct judge *judge, int depth)
{
    bool ok;

    blanks(judge);
    if (depth > DEPTH_MAX || judge->at == judge->end)
        return false;
    if (take(judge, "{"))
        ok = object(judge, depth + 1);
    else if (take(judge, "["))
        ok = array(judge, depth + 1);
    else if (*judge->at == '"')
        ok = string(judge, judge->names + judge->used);
    else
        ok = take(judge, "true") || take(judge, "false") || take(judge, "null") || number(judge);
    blanks(judge);
    return ok;
}

static bool is_object(const char *text, size_t len)
{
    struct judge judge = {.at = (const unsigned char *)text,
                          .end = (const unsigned char *)text + len,
                          .names = malloc(len + 1)};
    bool ok;

    must(judge.names != NULL);
    take(&judge, "\xef\xbb\xbf"); /* a byte order mark, as Windows puts it before texts */
    blanks(&judge);
    ok = judge.at < judge.end && *judge.at == '{' && value(&judge, 0) && judge.at == judge.end;
    free(judge.names);
    return ok && json_is_utf8(text, len);
}

/* ---- taking it apart ---- */

static void check_error(const struct json_error *error)
{
    must(error->code == PROBLEM_MALFORMED_JSON || error->code == PROBLEM_BAD_PARAMETER ||
         error->code == PROBLEM_UNKNOWN_FIELD || error->code == PROBLEM_RULE_BAD_OPTION);
    must(error->pointer != NULL && (*error->pointer == '\0' || *error->pointer == '/'));
    must(error->detail != NULL && *error->detail != '\0');
    must(json_is_utf8(error->detail, strlen(error->detail)));
    must(json_is_utf8(error->pointer, strlen(error->pointer)));
}

static void take_options(struct json_fields *fields)
{
    struct json_fields inner;
    const char *key, *text;

    if (!json_take_object(fields, "options", &inner))
        return;
    for (size_t i = 0; json_each_scalar(&inner, i, &key, &text); i++)
        must(json_is_utf8(key, strlen(key)) && (text == NULL || json_is_utf8(text, strlen(text))));
}

static void take_lists(struct json_fields *fields)
{
    const struct json_value *array_of;
    size_t count;
    const char *text;

    if (json_take_array(fields, "moves", 200, &array_of, &count)) {
        must(count <= 200);
        for (size_t i = 0; i < count; i++)
            if (json_element_string(fields, array_of, "moves", i, 128, &text))
                must(strlen(text) <= 128);
    }
    if (json_take_array(fields, "seats", 2, &array_of, &count))
        for (size_t i = 0; i < count; i++) {
            struct json_fields seat;
            bool me;
            int64_t seed;

            if (!json_element_object(fields, array_of, "seats", i, &seat))
                continue;
            json_take_bool(&seat, "me", &me);
            json_take_string(&seat, "name", 64, &text);
            if (json_take_int(&seat, "seed", 0, INT64_C(9007199254740991), &seed))
                must(seed >= 0 && seed <= INT64_C(9007199254740991));
            json_ok(&seat);
        }
}

/* Takes members as the handlers of POST /v1/games and of moves do. */
static void take_apart(struct arena *arena, const struct json_value *body)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    const char *text;
    int64_t number_of;

    json_fields(&fields, arena, body, &error);
    json_take_string(&fields, "variant", 32, &text);
    take_options(&fields);
    take_lists(&fields);
    if (json_take_scalar(&fields, "seat", &text))
        must(json_is_utf8(text, strlen(text)));
    if (json_take_int(&fields, "ply", 1, INT32_MAX, &number_of))
        must(number_of >= 1 && number_of <= INT32_MAX);
    if (!json_ok(&fields))
        check_error(&error);
    else
        must(error.code == PROBLEM_NONE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {NULL, NULL, NULL};
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    char *text = calloc(1, size); /* no more, so that a sanitizer sees reads behind its end */
    struct json_value *body;

    if (size > 0)
        memcpy(text, data, size);
    body = json_read(&arena, text, size, &error);
    must((body != NULL) == is_object(text, size));
    if (body == NULL)
        check_error(&error);
    else
        take_apart(&arena, body);
    json_free(body);
    arena_free(&arena);
    free(text);
    return 0;
}
