#include "api/terminal/game_files.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/terminal/autosave.h"

static const char *ending_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot == NULL || strchr(dot, '/') != NULL ? "" : dot + 1;
}

/* Whether a format has this extension. Files are written as UTF-8 here, so the extension for UTF-8
 * is as good as the usual one: "kifu" and "kif". */
static bool has_ending(const struct record_format *format, const char *ending)
{
    return strcmp(format->extension, ending) == 0 ||
           (format->extension_utf8 != NULL && strcmp(format->extension_utf8, ending) == 0);
}

/* The format for a file's name; JSON if the name has no extension. NULL: the game has no format
 * with that extension. */
static const struct record_format *game_files_format(const struct rules_game *game,
                                                     const char *path)
{
    const char *ending = ending_of(path);
    const struct record_format *format;

    for (size_t i = 0; *ending != '\0' && (format = record_format(i)) != NULL; i++)
        if (has_ending(format, ending) && record_serves(format, game))
            return format;
    return *ending == '\0' ? record_find_format("json") : NULL;
}

void game_files_list(const struct rules_game *game, const struct show_style *style,
                     struct out *said)
{
    const struct record_format *format;

    show_say(said, style, "play-formats", NULL);
    for (size_t i = 0; (format = record_format(i)) != NULL; i++)
        if (record_serves(format, game))
            out_format(said, "  .%-6s %s\n", format->extension, format->title);
}

/* Writes a match into `out`, in the format of a file. */
static bool compose(const struct match *match, const char *path, const struct show_style *style,
                    struct out *out, struct out *said)
{
    const struct record_format *format = game_files_format(match->game, path);
    struct record_error error;

    out_init(out, said->arena);
    if (format == NULL) {
        show_say(said, style, "play-no-format", NULL);
        game_files_list(match->game, style, said);
        return false;
    }
    if (match_write(match, format, out, &error))
        return true;
    show_say(said, style, "play-cannot-write", "file", path, "reason", error.detail, NULL);
    return false;
}

bool game_files_fits(const struct match *match, const char *path, const struct show_style *style,
                     struct out *said)
{
    struct out out;

    if (!compose(match, path, style, &out, said))
        return false;
    if (game_files_format(match->game, path)->whole)
        return true;
    show_say(said, style, "play-not-whole", NULL);
    return false;
}

bool game_files_write(const struct match *match, const char *path, const struct show_style *style,
                      struct out *said)
{
    struct out out;

    if (!compose(match, path, style, &out, said))
        return false;
    if (autosave_write(path, out.text, out.len))
        return true;
    show_say(said, style, "play-cannot-write", "file", path, "reason", strerror(errno), NULL);
    return false;
}

bool game_files_read(struct match *match, const char *path, const struct show_style *style,
                     struct out *said)
{
    struct record_error error;
    char *bytes;
    size_t len;

    if (!autosave_read(said->arena, path, &bytes, &len)) {
        show_say(said, style, "play-cannot-read", "file", path, "reason", strerror(errno), NULL);
        return false;
    }
    if (match_read(match, bytes, len, (int64_t)time(NULL) * 1000000, &error))
        return true;
    show_say(said, style, "play-bad-file", "file", path, "reason",
             error.code == PROBLEM_UNKNOWN_FORMAT
                 ? lang_word(show_lang(style), "play-unknown-format")
                 : error.detail,
             NULL);
    if (error.line > 0)
        show_say(said, style, "play-bad-line", "line", show_number(said->arena, error.line),
                 "column", show_number(said->arena, error.column), NULL);
    match_close(match);
    return false;
}

enum game_files_worth game_files_worth(const char *path)
{
    static const struct show_style plain = {.view = 1};
    enum game_files_worth worth = WORTH_GOES_ON;
    struct arena arena = {NULL, NULL, NULL};
    struct match match;
    struct out said;

    if (access(path, F_OK) != 0)
        return WORTH_NOTHING;
    out_init(&said, &arena);
    if (game_files_read(&match, path, &plain, &said)) {
        if (!match_goes_on(&match))
            worth = WORTH_OVER;
        else if (match.known == 0)
            worth = WORTH_UNPLAYED;
        match_close(&match);
    }
    arena_free(&arena);
    return worth;
}
