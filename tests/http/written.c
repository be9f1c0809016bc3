#include "written.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct out {
    FILE *file;
    const struct written_name *names;
};

/* Writes what stands for a text in braces, given as `len` bytes without them. 0: they are ordinary
 * braces. */
static int write_place(struct out *out, const char *place, size_t len)
{
    const char *star = memrchr(place, '*', len);
    char *end;

    if (len == 4 && strncmp(place, "0x", 2) == 0) {
        fputc((int)strtol(place, NULL, 16), out->file);
        return 1;
    }
    if (star != NULL && star > place) {
        long times = strtol(star + 1, &end, 10);

        if (end != place + len || end == star + 1)
            return 0;
        for (long i = 0; i < times; i++)
            fwrite(place, 1, (size_t)(star - place), out->file);
        return 1;
    }
    for (const struct written_name *name = out->names; name != NULL && name->name != NULL; name++)
        if (strlen(name->name) == len && strncmp(name->name, place, len) == 0) {
            fputs(name->value, out->file);
            return 1;
        }
    return 0;
}

char *written_text(const char *text, const struct written_name *names, size_t *len)
{
    char *written = NULL;
    size_t size = 0;
    struct out out = {open_memstream(&written, &size), names};

    if (out.file == NULL)
        abort();
    while (*text != '\0') {
        size_t place = *text == '{' ? strcspn(text + 1, "{}") : 0;

        if (place > 0 && text[1 + place] == '}' && write_place(&out, text + 1, place))
            text += place + 2;
        else
            fputc(*text++, out.file);
    }
    fclose(out.file);
    if (len != NULL)
        *len = size;
    return written;
}
