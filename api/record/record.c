#include "api/record/record.h"

#include <string.h>

#include "api/record/csa_words.h"
#include "api/record/ends.h"
#include "api/record/formats.h"
#include "api/record/holds.h"
#include "api/record/kif_ki2.h"
#include "api/record/lines.h"
#include "api/record/reader.h"
#include "api/record/times.h"
#include "api/record/writer.h"
#include "api/text/chars.h"
#include "api/text/json.h"
#include "rules/rules.h"

/* What every format holds that tells a whole game. */
enum {
    WHOLE = RECORD_HOLDS_MOVES | RECORD_HOLDS_ENDS | RECORD_HOLDS_NAMES | RECORD_HOLDS_DATES |
            RECORD_HOLDS_HEADERS | RECORD_HOLDS_OPTIONS
};

static const struct record_format formats[] = {
    {.name = "json",
     .extension = "json",
     .whole = true,
     .media_type = "application/vnd.plyd.record+json",
     .title = "Everything, as another plyd reads it",
     .holds = RECORD_HOLDS_ALL,
     .write = record_write_json,
     .read = record_read_json},
    {.name = "text",
     .extension = "txt",
     .whole = true,
     .media_type = "text/plain",
     .title = "A text for people",
     .holds = WHOLE | RECORD_HOLDS_COMMENTS | RECORD_HOLDS_TIMES | RECORD_HOLDS_FRACTIONS,
     .holds_header = record_plain_holds_header,
     .write = record_write_plain,
     .read = record_read_plain},
    {.name = "usi",
     .extension = "usi",
     .media_type = "text/plain",
     .title = "USI, as shogi engines are told a game",
     .variant = "shogi",
     .holds = RECORD_HOLDS_MOVES,
     .ends = record_usi_words,
     .write = record_write_usi,
     .read = record_read_usi},
    {.name = "usen",
     .extension = "usen",
     .media_type = "text/plain",
     .title = "USEN, a game in an address",
     .variant = "shogi",
     .holds = RECORD_HOLDS_MOVES | RECORD_HOLDS_VARIATIONS,
     .ends = record_usen_words,
     .write = record_write_usen,
     .read = record_read_usen},
    {.name = "kif",
     .extension = "kif",
     .whole = true,
     .extension_utf8 = "kifu",
     .media_type = "application/x-kif",
     .title = "KIF, with times and comments",
     .variant = "shogi",
     .remark = "#",
     .shift_jis = true,
     .holds = WHOLE | RECORD_HOLDS_VARIATIONS | RECORD_HOLDS_COMMENTS | RECORD_HOLDS_TIMES,
     .holds_header = record_kif_ki2_holds_header,
     .ends = record_kif_words,
     .write = record_write_kif,
     .read = record_read_kif},
    {.name = "ki2",
     .extension = "ki2",
     .whole = true,
     .extension_utf8 = "ki2u",
     .media_type = "application/x-ki2",
     .title = "KI2, as books print a game",
     .variant = "shogi",
     .remark = "#",
     .shift_jis = true,
     .holds = WHOLE | RECORD_HOLDS_VARIATIONS | RECORD_HOLDS_COMMENTS,
     .holds_header = record_kif_ki2_holds_header,
     .holds_end = record_ki2_holds_end,
     .ends = record_kif_words,
     .write = record_write_ki2,
     .read = record_read_ki2},
    {.name = "csa",
     .extension = "csa",
     .whole = true,
     .media_type = "application/x-csa",
     .title = "CSA 2.2, of the Computer Shogi Association",
     .variant = "shogi",
     .remark = "'",
     .shift_jis = true,
     .holds = WHOLE | RECORD_HOLDS_COMMENTS | RECORD_HOLDS_TIMES,
     .holds_header = record_csa_holds_header,
     .ends = record_csa_words,
     .write = record_write_csa,
     .read = record_read_csa},
    {.name = "csa3",
     .extension = "csa",
     .whole = true,
     .media_type = "application/x-csa",
     .title = "CSA 3.0, with fractions of seconds",
     .variant = "shogi",
     .remark = "'",
     .holds = WHOLE | RECORD_HOLDS_COMMENTS | RECORD_HOLDS_TIMES | RECORD_HOLDS_FRACTIONS,
     .holds_header = record_csa_holds_header,
     .ends = record_csa_words,
     .write = record_write_csa,
     .read = record_read_csa},
    {.name = "jkf",
     .extension = "jkf",
     .whole = true,
     .media_type = "application/x-jkf+json",
     .title = "JKF, KIF as JSON",
     .variant = "shogi",
     .holds = WHOLE | RECORD_HOLDS_VARIATIONS | RECORD_HOLDS_COMMENTS | RECORD_HOLDS_TIMES,
     .holds_header = record_jkf_holds_header,
     .ends = record_csa_words,
     .write = record_write_jkf,
     .read = record_read_jkf},
    {.name = "sfen",
     .extension = "sfen",
     .media_type = "text/plain",
     .title = "SFEN, the last position alone",
     .variant = "shogi",
     .holds = 0,
     .write = record_write_sfen,
     .read = record_read_sfen},
    {.name = "shougi",
     .extension = "shougi",
     .media_type = "text/x-shougi",
     .title = "The record of the program SHOUGI",
     .variant = "shogi",
     .holds = RECORD_HOLDS_MOVES,
     .options = "rules=casual",
     .write = record_write_shougi,
     .read = record_read_shougi},
    {.name = "pdn",
     .extension = "pdn",
     .whole = true,
     .media_type = "application/x-pdn",
     .title = "PDN, portable draughts notation",
     .variant = "turkish-draughts",
     .remark = "%",
     .holds = WHOLE | RECORD_HOLDS_VARIATIONS | RECORD_HOLDS_COMMENTS | RECORD_HOLDS_TIMES |
              RECORD_HOLDS_FRACTIONS | RECORD_HOLDS_MARKS,
     .holds_header = record_pdn_holds_header,
     .write = record_write_pdn,
     .read = record_read_pdn},
    {.name = "pdn-numeric",
     .extension = "pdn",
     .whole = true,
     .media_type = "application/x-pdn",
     .title = "PDN with numbers for squares",
     .variant = "turkish-draughts",
     .remark = "%",
     .holds = WHOLE | RECORD_HOLDS_VARIATIONS | RECORD_HOLDS_COMMENTS | RECORD_HOLDS_TIMES |
              RECORD_HOLDS_FRACTIONS | RECORD_HOLDS_MARKS,
     .holds_header = record_pdn_holds_header,
     .write = record_write_pdn,
     .read = record_read_pdn},
};

const struct record_format *record_format(size_t i)
{
    return i < sizeof(formats) / sizeof(formats[0]) ? &formats[i] : NULL;
}

const struct record_format *record_find_format(const char *name)
{
    for (size_t i = 0; record_format(i) != NULL; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

bool record_serves(const struct record_format *format, const struct rules_game *game)
{
    return format->variant == NULL || strcmp(format->variant, game->name) == 0;
}

void record_init(struct record *record, const struct rules_game *game)
{
    *record =
        (struct record){.game = game, .started_at = RECORD_NO_TIME, .ended_at = RECORD_NO_TIME};
    record_ending_init(&record->ending);
    rules_options_init(&record->options);
}

/* ---- writing ---- */

static bool is_shift_jis(const char *charset)
{
    return charset != NULL && strcmp(charset, "Shift_JIS") == 0;
}

/* The record with the time that the game gives as a header. Our own JSON is for a copy, which has
 * no clock. */
static struct record with_time_limit(struct arena *arena, const struct record_format *format,
                                     const struct record *record)
{
    const char *text = record_time_limit(arena, format, record);
    struct record told = *record;

    if (text == NULL || format->write == record_write_json)
        return told;
    for (size_t i = 0; i < record->nheaders; i++)
        if (strcmp(record->headers[i].key, "time_limit") == 0)
            return told;
    told.headers = arena_alloc(arena, (record->nheaders + 1) * sizeof(*told.headers));
    if (record->nheaders > 0)
        memcpy(told.headers, record->headers, record->nheaders * sizeof(*told.headers));
    told.headers[told.nheaders++] = (struct record_header){"time_limit", text};
    return told;
}

/* The programs that want Shift_JIS are those of Windows. */
static const char *with_crlf(struct arena *arena, const char *text)
{
    struct out out;

    out_init(&out, arena);
    for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
        out_bytes(&out, text, strcspn(text, "\n"));
        out_add(&out, "\r\n");
    }
    return out.text;
}

bool record_write(const struct record_format *format, const struct record *record,
                  const char *charset, struct out *out, struct record_error *error)
{
    struct json text;
    struct record told = with_time_limit(out->arena, format, record);
    struct record_writing writing = {out->arena, format, &told, charset, &text.out, &text, error};
    const char *encoded;

    *error = (struct record_error){.code = PROBLEM_NONE};
    json_init(&text, out->arena);
    if (!record_serves(format, record->game))
        return record_unwritable(&writing, "This format is for another game.");
    if (charset != NULL && strcmp(charset, "UTF-8") != 0 &&
        !(is_shift_jis(charset) && format->shift_jis))
        return record_unwritable(&writing, "This format is not written in that encoding.");
    if (!format->write(&writing))
        return false;
    /* Comments and headers may have anything, and texts are shown in terminals. JSON has escapes.
     */
    if (strstr(format->media_type, "json") == NULL)
        chars_tame(text.out.text);
    encoded = is_shift_jis(charset)
                  ? record_to_shift_jis(out->arena, with_crlf(out->arena, text.out.text))
                  : text.out.text;
    if (encoded == NULL)
        return record_unwritable(&writing, "This system does not know Shift_JIS.");
    out_add(out, encoded);
    return error->code == PROBLEM_NONE;
}

const char *record_content_type(struct arena *arena, const struct record_format *format,
                                const char *charset)
{
    if (strstr(format->media_type, "json") != NULL)
        return format->media_type;
    return arena_format(arena, "%s; charset=%s", format->media_type,
                        charset == NULL ? "utf-8" : charset);
}

/* ---- reading ---- */

static bool refuse_any_record(struct record_error *error, enum problem code, const char *detail)
{
    *error = (struct record_error){.code = code, .detail = detail};
    return false;
}

/* The names of all formats: "json, text, usi ...". */
static const char *format_names(struct arena *arena)
{
    const char *names = formats[0].name;

    for (size_t i = 1; record_format(i) != NULL; i++)
        names = arena_format(arena, "%s, %s", names, formats[i].name);
    return names;
}

static bool recognise(struct record_reading *reading)
{
    const char *name = record_detect(reading->arena, reading->text);

    if (name == NULL)
        return refuse_any_record(
            reading->error, PROBLEM_UNKNOWN_FORMAT,
            arena_format(reading->arena,
                         "The record does not look like any of the formats: %s. Name its "
                         "format with ?format=.",
                         format_names(reading->arena)));
    reading->format = record_find_format(name);
    return true;
}

static bool choose_format(struct record_reading *reading)
{
    if (reading->format == NULL && !recognise(reading))
        return false;
    reading->record->format = reading->format;
    return reading->format->variant == NULL || record_set_game(reading, reading->format->variant);
}

/* Whether a text that is not UTF-8 is western rather than Japanese. Only records of shogi are
 * Japanese. If the game is not known yet, a text that begins like PDN is western. */
static bool is_western(const struct record_reading *reading, const char *bytes, size_t len)
{
    const char *variant = reading->format == NULL ? NULL : reading->format->variant;
    size_t at = 0;

    if (reading->hint->game != NULL)
        variant = reading->hint->game->name;
    if (variant != NULL)
        return strcmp(variant, "shogi") != 0;
    while (at < len && strchr(" \t\r\n", bytes[at]) != NULL)
        at++;
    return at < len && bytes[at] == '[';
}

bool record_read(struct arena *arena, const char *bytes, size_t len,
                 const struct record_format *format, const struct record_hint *hint,
                 struct record *record, struct record_error *error)
{
    static const struct record_hint nothing;
    struct record_reading reading = {.arena = arena,
                                     .hint = hint != NULL ? hint : &nothing,
                                     .format = format,
                                     .record = record,
                                     .error = error};

    *error = (struct record_error){.code = PROBLEM_NONE};
    record_init(record, NULL);
    record_ending_init(&reading.ending);
    rules_options_init(&reading.options);
    if (len > RECORD_BYTES_MAX)
        return refuse_any_record(error, PROBLEM_BAD_RECORD, "The record is longer than 1 MiB.");
    reading.text = record_decode(arena, bytes, len, is_western(&reading, bytes, len), &reading.len,
                                 &record->charset, error);
    if (reading.text == NULL)
        return false;
    reading.at = reading.text;
    return choose_format(&reading) && reading.format->read(&reading) && record_finish(&reading);
}
