#include "api/terminal/game_files.h"
#include "api/record/holds.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* The first format of a game with an extension. NULL: it has none. */
static const struct record_format *find_format(const struct rules_game *game, const char *ending)
{
    const struct record_format *format;

    for (size_t i = 0; (format = record_format(i)) != NULL; i++)
        if (has_ending(format, ending) && record_serves(format, game))
            return format;
    return NULL;
}

/* The format for a file's name; JSON if the name has no extension. NULL: the game has no format
 * with that extension. */
static const struct record_format *game_files_format(const struct rules_game *game,
                                                     const char *path)
{
    const char *ending = ending_of(path);

    return *ending == '\0' ? record_find_format("json") : find_format(game, ending);
}

/* Each extension stands there once: for the format that it chooses. */
void game_files_list(const struct rules_game *game, const struct show_style *style,
                     struct out *said)
{
    const struct record_format *format;

    show_say(said, style, "play-formats", NULL);
    for (size_t i = 0; (format = record_format(i)) != NULL; i++)
        if (record_serves(format, game) && find_format(game, format->extension) == format)
            out_format(said, "  .%-6s %s\n", format->extension, format->title);
}

/* The format in which a match is written to a file. */
static const struct record_format *format_for(const struct match *match, struct game_file file)
{
    if (file.goes_on && match->format != NULL && match->format->whole)
        return match->format;
    return game_files_format(match->game, file.path);
}

/* A file in Shift_JIS has no characters that this lacks, and a match adds none. */
static const char *charset_for(const struct match *match, struct game_file file)
{
    bool stays = file.goes_on && match->format != NULL && match->format->shift_jis &&
                 match->charset != NULL && strcmp(match->charset, "Shift_JIS") == 0;

    return stays ? match->charset : NULL;
}

static void say_cannot_write(const char *path, const char *why, const struct show_style *style,
                             struct out *said)
{
    show_say(said, style, "play-cannot-write", "file", path, "reason", why, NULL);
}

/* Writes a match into `out`, in the format of a file. */
static bool compose_game_file(const struct match *match, struct game_file file,
                              const struct show_style *style, struct out *out, struct out *said)
{
    const struct record_format *format = format_for(match, file);
    struct record_error error;

    out_init(out, said->arena);
    if (format == NULL) {
        show_say(said, style, "play-no-format", NULL);
        game_files_list(match->game, style, said);
        return false;
    }
    if (!match_write(match, format, charset_for(match, file), out, &error)) {
        say_cannot_write(file.path, error.detail, style, said);
        return false;
    }
    if (out->len <= RECORD_BYTES_MAX)
        return true;
    say_cannot_write(file.path, strerror(EFBIG), style, said); /* and it could not be read again */
    return false;
}

bool game_files_branches(const struct match *match, struct game_file file)
{
    return (format_for(match, file)->holds & RECORD_HOLDS_VARIATIONS) != 0;
}

static bool loses_lines(const struct match *match, const struct record_format *format,
                        struct arena *arena)
{
    return (match_left_out(match, format, arena) & RECORD_HOLDS_VARIATIONS) != 0;
}

bool game_files_fits(const struct match *match, struct game_file file,
                     const struct show_style *style, struct out *said)
{
    const struct record_format *format;
    struct out out;

    if (file.goes_on && match->other_games > 0) {
        show_say(said, style, "play-other-games", "n", show_number(said->arena, match->other_games),
                 NULL);
        return false;
    }
    if (!compose_game_file(match, file, style, &out, said))
        return false;
    format = format_for(match, file);
    if (format->whole && !loses_lines(match, format, said->arena))
        return true;
    show_say(said, style, "play-not-whole", NULL);
    return false;
}

void game_files_say_left_out(const struct match *match, struct game_file file,
                             const struct show_style *style, struct out *said)
{
    unsigned things = match_left_out(match, format_for(match, file), said->arena);
    const char *list = NULL;

    for (size_t i = 0; i < RECORD_THINGS; i++) {
        const char *word;

        if ((things & 1U << i) == 0)
            continue;
        word = lang_word(show_lang(style),
                         arena_format(said->arena, "thing-%s", record_thing_text(i)));
        list = list == NULL ? word : arena_format(said->arena, "%s, %s", list, word);
    }
    if (list != NULL)
        show_say(said, style, "play-left-out", "things", list, NULL);
}

bool game_files_write(const struct match *match, struct game_file file, struct autosave *autosave,
                      const char **before, const struct show_style *style, struct out *said)
{
    const char *named;
    struct out out;

    *before = NULL;
    if (!compose_game_file(match, file, style, &out, said))
        return false;
    if (!autosave_replace(autosave, file.path, out.text, out.len, &named)) {
        say_cannot_write(named, strerror(errno), style, said);
        return false;
    }
    *before = named;
    return true;
}

bool game_files_usable(const char *path, const struct show_style *style, struct out *said)
{
    const char *real = autosave_real(said->arena, path);
    int fd = real == NULL ? -1 : open(real, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat file;

    if (real == NULL && errno == ENOENT) {
        show_say(said, style, "play-no-folder", "file", path, NULL);
        return false;
    }
    if (fd < 0) {
        if (real != NULL && errno == ENOENT)
            return true;
        show_say(said, style, "play-cannot-read", "file", path, "reason", strerror(errno), NULL);
        return false;
    }
    bool regular = fstat(fd, &file) == 0 && S_ISREG(file.st_mode);

    close(fd);
    if (!regular)
        show_say(said, style, "play-not-a-file", "file", path, NULL);
    return regular;
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
    if (match_read(match, bytes, len, &error))
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
