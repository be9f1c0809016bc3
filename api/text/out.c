#include "api/text/out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_SIZE = 1024, SHORT_SIZE = 64 };

static void begin_out(struct out *out, struct arena *arena, size_t size)
{
    *out = (struct out){.arena = arena, .text = arena_alloc(arena, size), .size = size};
    out->text[0] = '\0';
}

void out_init(struct out *out, struct arena *arena)
{
    begin_out(out, arena, FIRST_SIZE);
}

void out_init_short(struct out *out, struct arena *arena)
{
    begin_out(out, arena, SHORT_SIZE);
}

/* Makes room for more bytes and the NUL. A text that was outgrown stays in the arena, which frees
 * nothing by itself. Because the size doubles, all of those together are shorter than the text. */
static void make_out_room(struct out *out, size_t more)
{
    size_t size = out->size * 2;
    char *text;

    if (out->len + more + 1 <= out->size)
        return;
    while (out->len + more + 1 > size)
        size *= 2;
    text = arena_alloc(out->arena, size);
    memcpy(text, out->text, out->len);
    out->text = text;
    out->size = size;
}

void out_bytes(struct out *out, const char *bytes, size_t len)
{
    make_out_room(out, len);
    memcpy(out->text + out->len, bytes, len);
    out->len += len;
    out->text[out->len] = '\0';
}

void out_add(struct out *out, const char *text)
{
    out_bytes(out, text, strlen(text));
}

void out_format(struct out *out, const char *format, ...)
{
    va_list args, again;
    int len;

    va_start(args, format);
    va_copy(again, args);
    len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    make_out_room(out, (size_t)len);
    vsnprintf(out->text + out->len, (size_t)len + 1, format, again);
    va_end(again);
    out->len += (size_t)len;
}

void out_number(struct out *out, uint64_t number)
{
    char text[20];
    size_t at = sizeof(text);

    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    out_bytes(out, text + at, sizeof(text) - at);
}

void out_cut(struct out *out, size_t len)
{
    out->len = len;
    out->text[len] = '\0';
}
