#include "api/terminal/filing.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "api/terminal/keep.h"
#include "api/terminal/texts.h"

static const char *ending_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot == NULL || strchr(dot, '/') != NULL ? "" : dot + 1;
}

const struct record_format *filing_format(const struct rules_game *game, const char *path)
{
    const char *ending = ending_of(path);
    const struct record_format *format;

    for (size_t i = 0; *ending != '\0' && (format = record_format(i)) != NULL; i++)
        if (strcmp(format->extension, ending) == 0 && record_serves(format, game))
            return format;
    return *ending == '\0' ? record_find_format("json") : NULL;
}

void filing_list(const struct rules_game *game, struct out *said)
{
    const struct record_format *format;

    out_add(said, SAY_FORMATS);
    for (size_t i = 0; (format = record_format(i)) != NULL; i++)
        if (record_serves(format, game))
            out_format(said, "  .%-6s %s\n", format->extension, format->title);
}

bool filing_write(const struct match *match, const char *path, struct out *said)
{
    const struct record_format *format = filing_format(match->game, path);
    struct record_error error;
    struct out out;

    out_init(&out, said->arena);
    if (format == NULL) {
        out_add(said, SAY_NO_FORMAT);
        filing_list(match->game, said);
        return false;
    }
    if (!match_write(match, format, &out, &error)) {
        out_format(said, SAY_CANNOT_WRITE, path, error.detail);
        return false;
    }
    if (keep_write(path, out.text, out.len))
        return true;
    out_format(said, SAY_CANNOT_WRITE, path, strerror(errno));
    return false;
}

bool filing_read(struct match *match, const char *path, struct out *said)
{
    struct record_error error;
    char *bytes;
    size_t len;

    if (!keep_read(said->arena, path, &bytes, &len)) {
        out_format(said, SAY_CANNOT_READ, path, strerror(errno));
        return false;
    }
    if (match_read(match, bytes, len, (int64_t)time(NULL) * 1000000, &error))
        return true;
    out_format(said, SAY_BAD_FILE, path, error.detail);
    if (error.line > 0)
        out_format(said, SAY_BAD_LINE, error.line, error.column);
    match_close(match);
    return false;
}
