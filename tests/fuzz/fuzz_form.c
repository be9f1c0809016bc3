/*
 * fuzz_form.c - any bytes as a form. What is read is UTF-8 without NUL; written as a form again, it
 * is read as the same.
 */
#include <cjson/cJSON.h>

#include "api/text/json_fields.h"
#include "api/text/json_text.h"
#include "fuzz.h"

struct form {
    FILE *file;
    const char *separator;
};

static void write_escaped(struct form *form, const char *text)
{
    must(json_is_utf8(text, strlen(text)));
    for (; *text != '\0'; text++)
        fprintf(form->file, "%%%02X", (unsigned char)*text);
}

/* Writes the members of an object; `name` is what leads to it ("options."). */
static void write_members(struct form *form, const cJSON *object, const char *name)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, object)
    {
        size_t size = strlen(name) + strlen(item->string) + 2;
        char *full = malloc(size);

        must(full != NULL);
        snprintf(full, size, "%s%s%s", name, item->string, cJSON_IsObject(item) ? "." : "");
        if (cJSON_IsObject(item)) {
            write_members(form, item, full);
        } else {
            must(cJSON_IsString(item));
            fputs(form->separator, form->file);
            form->separator = "&";
            write_escaped(form, full);
            fputc('=', form->file);
            write_escaped(form, item->valuestring);
        }
        free(full);
    }
}

/* Asserts that what was read is read the same again. Only json_read.c is to know that it is cJSON;
 * this test looks inside. */
static void check_again(struct arena *arena, const struct json_value *object)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    char *text = NULL;
    size_t len = 0;
    struct form form = {open_memstream(&text, &len), ""};
    struct json_value *again;

    must(form.file != NULL);
    write_members(&form, (const cJSON *)object, "");
    fclose(form.file);
    again = json_read_form(arena, text, len, &error);
    must(again != NULL && cJSON_Compare((const cJSON *)object, (const cJSON *)again, true));
    json_free(again);
    free(text);
}

/* Takes the members as handlers do. Texts of a form are taken as numbers and truth values where
 * those are asked for. */
static void take_apart(struct arena *arena, const struct json_value *object)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields, inner;
    const char *text, *key;
    int64_t number;
    bool truth;

    json_fields(&fields, arena, object, &error);
    json_take_string(&fields, "variant", 32, &text);
    json_take_bool(&fields, "me", &truth);
    if (json_take_int(&fields, "ply", 0, 1000, &number))
        must(number >= 0 && number <= 1000);
    if (json_take_object(&fields, "options", &inner))
        for (size_t i = 0; json_each_scalar(&inner, i, &key, &text); i++)
            must(key != NULL);
    must(json_ok(&fields) == (error.code == PROBLEM_NONE));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {NULL, NULL, NULL};
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    char *text = malloc(size); /* no more, so that a sanitizer sees reads behind its end */
    struct json_value *object;

    if (size > 0)
        memcpy(text, data, size);
    object = json_read_form(&arena, text, size, &error);
    if (object == NULL) {
        must(error.code == PROBLEM_MALFORMED_JSON && error.detail != NULL);
    } else {
        check_again(&arena, object);
        take_apart(&arena, object);
    }
    json_free(object);
    arena_free(&arena);
    free(text);
    return 0;
}
