#include "api/game/metadata.h"

#include <string.h>

#include "api/game/name.h"
#include "api/text/json.h"

static bool is_name(const char *name, size_t len)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

    return len >= 1 && len <= METADATA_NAME_MAX && strspn(name, letters) >= len;
}

static const char *text_fault(const char *name, const char *text)
{
    if (!is_name(name, strlen(name)))
        return "A name is of 1 to 64 letters, digits and _.-";
    if (text == NULL)
        return "Metadata are texts: {\"tournament\":\"Spring\",\"table\":\"5\"}.";
    return name_unfit_text(text) == 0
               ? NULL
               : "A character of the text cannot be seen, or disturbs the text around it.";
}

static void write_all_metadata(struct json_fields *object, struct json *json)
{
    const char *name, *text;

    for (size_t i = 0; json_each_scalar(object, i, &name, &text); i++) {
        const char *fault = text_fault(name, text);

        if (fault != NULL) {
            json_refuse(object, PROBLEM_BAD_PARAMETER, name, fault);
            return;
        }
        json_member(json, name, text);
    }
}

const char *metadata_take(struct json_fields *fields)
{
    struct json_fields object;
    struct json json;

    if (!json_take_object(fields, "metadata", &object))
        return NULL;
    json_init(&json, fields->arena);
    json_open(&json, '{');
    write_all_metadata(&object, &json);
    json_close(&json, '}');
    if (json.out.len > METADATA_BYTES_MAX)
        json_refuse(fields, PROBLEM_BAD_PARAMETER, "metadata",
                    "Metadata have 1024 bytes at most, as JSON.");
    return fields->error->code != PROBLEM_NONE || json.out.len <= 2 ? NULL : json.out.text;
}

const char *metadata_member(struct arena *arena, const char *name, size_t len, const char *text)
{
    struct json json;

    if (!is_name(name, len))
        return NULL;
    json_init(&json, arena);
    json_open(&json, '{');
    json_member(&json, arena_copy(arena, name, len), text);
    json_close(&json, '}');
    return arena_copy(arena, json.out.text + 1, json.out.len - 2);
}
