/*
 * records_tool.c - records for other programs to read, and theirs read by us (records.cjs).
 *
 *   records-tool write COUNT FOLDER
 *       writes games at random, each in every format of shogi: FOLDER/NUMBER.FORMAT
 *   records-tool export FOLDER FILE...
 *       reads each file, of any program, as the first game that it has, and writes that in the same
 * way: FOLDER/NUMBER.FORMAT, with numbers in the order of the files records-tool again FILE...
 *       reads each file and writes it in its own format and encoding. Prints "same", or the first
 * line in which the two differ. records-tool read FILE... prints a line for each file: its start
 * and moves and, behind a tab, all of its lines as USEN; or what is wrong with it records-tool
 * games FOLDER FILE reads all games of a file of any program. Each is a line of JSON: what was
 * read, or why it was not, and what becomes of it as a stored game, by export and import. Its bytes
 * are FOLDER/NUMBER.in, those of the export in the same format FOLDER/NUMBER.out
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/from_record.h"
#include "api/game/to_record.h"
#include "api/record/ends.h"
#include "api/record/split.h"
#include "api/text/json.h"
#include "tests/unit/records.h"

static int usage(void)
{
    fprintf(stderr, "usage: records-tool write COUNT FOLDER | export FOLDER FILE... | "
                    "again FILE... | read FILE... | games FOLDER FILE\n");
    return 2;
}

static bool keep_bytes(const char *folder, size_t number, const char *end, const char *bytes,
                       size_t len)
{
    char path[4096];
    FILE *file;
    bool ok;

    snprintf(path, sizeof(path), "%s/%zu.%s", folder, number, end);
    file = fopen(path, "wb");
    if (file == NULL)
        return false;
    ok = fwrite(bytes, 1, len, file) == len;
    return fclose(file) == 0 && ok;
}

/* ---- what a record says, as JSON for records.cjs ---- */

static void tell_text(struct json *json, const char *key, const char *text)
{
    if (text != NULL)
        json_member(json, key, text);
}

static void tell_ms(struct json *json, int64_t spent_us)
{
    json_key(json, "ms");
    json_int(json, spent_us < 0 ? 0 : spent_us / 1000);
}

static void tell_course(struct json *json, const struct record_move *moves, size_t n,
                        const struct record_ending *ending)
{
    json_key(json, "moves");
    json_open(json, '[');
    for (size_t i = 0; i < n; i++) {
        json_open(json, '{');
        json_member(json, "move", moves[i].text);
        tell_ms(json, moves[i].spent_us);
        tell_text(json, "comment", moves[i].comment);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_key(json, "end");
    json_open(json, '{');
    tell_text(json, "reason", record_is_said(ending) ? record_end_text(&ending->outcome) : NULL);
    tell_text(json, "word", ending->word);
    json_key(json, "winner");
    json_int(json, (int64_t)ending->outcome.winner);
    tell_ms(json, ending->spent_us);
    tell_text(json, "comment", ending->comment);
    json_close(json, '}');
}

/* A header and the formats that have no place for it. */
static void tell_header(struct json *json, const struct record *record, size_t i)
{
    const struct record_format *format;

    json_open(json, '[');
    json_string(json, record->headers[i].key);
    json_string(json, record->headers[i].value);
    for (size_t j = 0; (format = record_format(j)) != NULL; j++)
        if (format->holds_header != NULL && !format->holds_header(record, i))
            json_string(json, format->name);
    json_close(json, ']');
}

static void tell_name(struct json *json, const char *key, const char *name)
{
    if (name == NULL)
        return;
    json_open(json, '[');
    json_string(json, key);
    json_string(json, name);
    json_close(json, ']');
}

static void tell_headers(struct json *json, const struct record *record)
{
    json_key(json, "headers");
    json_open(json, '[');
    tell_name(json, "first", record->name[0]);
    tell_name(json, "second", record->name[1]);
    for (size_t i = 0; i < record->nheaders; i++)
        tell_header(json, record, i);
    json_close(json, ']');
}

static const char *model(const struct record *record)
{
    struct json json;

    json_init(&json, &records_arena);
    json_open(&json, '{');
    json_member(&json, "start", record->start);
    tell_text(&json, "comment", record->comment);
    tell_headers(&json, record);
    json_key(&json, "foul");
    json_bool(&json, record->ending.foul != NULL);
    tell_course(&json, record->moves, record->nmoves, &record->ending);
    json_key(&json, "lines");
    json_open(&json, '[');
    for (size_t i = 0; i < record->nlines; i++) {
        const struct record_line *line = &record->lines[i];

        json_open(&json, '{');
        json_key(&json, "parent");
        json_int(&json, (int64_t)line->parent);
        json_key(&json, "ply");
        json_int(&json, (int64_t)line->ply);
        tell_course(&json, line->moves, line->nmoves, &line->ending);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    return json.out.text;
}

/* ---- writing ---- */

static bool write_file(const struct record *record, const struct record_format *format,
                       const char *folder, unsigned long number)
{
    struct record_error error;
    struct out out;

    out_init(&out, &records_arena);
    if (!record_write(format, record, NULL, &out, &error))
        return error.code == PROBLEM_CANNOT_EXPORT;
    return keep_bytes(folder, number, format->name, out.text, out.len);
}

/* In every format that serves it, and what it says. */
static bool write_formats(const struct record *record, const char *folder, unsigned long number)
{
    const char *said = model(record);

    for (size_t i = 0; record_format(i) != NULL; i++)
        if (record_serves(record_format(i), record->game) &&
            !write_file(record, record_format(i), folder, number))
            return false;
    return keep_bytes(folder, number, "model", said, strlen(said));
}

/* Leaves out the variations that go on behind the end of the main line, which others do not write,
 * and those that leave them. */
static void keep_known_lines(struct record *record)
{
    size_t *number = arena_zero(&records_arena, (record->nlines + 1) * sizeof(*number)), n = 0;

    for (size_t i = 0; i < record->nlines; i++) {
        struct record_line line = record->lines[i];

        if (line.parent == 0 ? line.ply == record->nmoves : number[line.parent] == 0)
            continue;
        line.parent = number[line.parent];
        record->lines[n++] = line;
        number[i + 1] = n;
    }
    record->nlines = n;
}

/* Only standard rules: other programs know no others. */
static int write_all(unsigned long count, const char *folder)
{
    for (unsigned long number = 0, seed = 0; number < count; seed++) {
        struct record record = records_random(rules_find("shogi"), seed, seed % 200);

        if (record.options.value[0] != 0)
            continue;
        if (number % 2 == 1)
            records_vary(&record, seed, number % 24);
        keep_known_lines(&record);
        if (!write_formats(&record, folder, number)) {
            perror(folder);
            return 1;
        }
        number++;
        arena_reset(&records_arena);
    }
    return 0;
}

/* Reads a file, or says why not. The name of a file that we have written tells its format. */
static bool read_file(const char *path, struct out *bytes, struct record *record)
{
    static char file_bytes[RECORD_BYTES_MAX];
    FILE *file = fopen(path, "rb");
    size_t len = file == NULL ? 0 : fread(file_bytes, 1, sizeof(file_bytes), file);
    const char *end = strrchr(path, '.');
    const struct record_format *format = end == NULL ? NULL : record_find_format(end + 1);
    struct record_error error;

    if (file != NULL)
        fclose(file);
    out_init(bytes, &records_arena);
    out_bytes(bytes, file_bytes, len);
    if (record_read(&records_arena, bytes->text, bytes->len, format, NULL, record, &error))
        return true;
    printf("line %zu, column %zu: %s: %s\n", error.line, error.column,
           problem_kind(error.code)->code, error.detail);
    return false;
}

static void read_one(const char *path)
{
    struct record record;
    struct out bytes;

    if (read_file(path, &bytes, &record))
        printf("%s moves %s\t%s", record.start, records_moves(&record),
               records_write(&record, "usen"));
    arena_reset(&records_arena);
}

static void export_one(const char *path, const char *folder, unsigned long number)
{
    struct record record;
    struct out bytes;

    if (read_file(path, &bytes, &record))
        printf("%s %s\n", record.game->name,
               write_formats(&record, folder, number) ? record.format->name : "unwritten");
    arena_reset(&records_arena);
}

static void tell_error(struct json *json, const char *key, const struct record_error *error)
{
    json_key(json, key);
    json_open(json, '{');
    json_member(json, "code", problem_kind(error->code)->code);
    json_member(json, "detail", error->detail);
    json_key(json, "line");
    json_int(json, (int64_t)error->line);
    json_key(json, "move");
    if (error->move != NULL)
        json_string(json, error->move);
    else
        json_null(json);
    json_close(json, '}');
}

/* The encoding of an export: that of the record, if its format has it. */
static const char *charset_of(const struct record *record)
{
    bool in_shift_jis = record->format->shift_jis && strcmp(record->charset, "Shift_JIS") == 0;

    return in_shift_jis ? "Shift_JIS" : NULL;
}

/* Writes a record as a game that was imported from it is exported. */
static bool write_again(const struct record *record, const char *charset, struct out *out,
                        struct record_error *error)
{
    struct draft *draft = arena_alloc(&records_arena, sizeof(*draft));
    struct record game;

    out_init(out, &records_arena);
    return from_record(&records_arena, record, 0, draft, error) &&
           to_record(&records_arena, &draft->row, draft->events, draft->nevents, draft->row.line,
                     draft->row.ply, &game, error) &&
           record_write(record->format, &game, charset, out, error);
}

/* What an export and an import make of a record: "kept" if all lines have the same moves, times and
 * comments, "stable" if a second export is the first one byte for byte. */
static void tell_export(struct json *json, const struct record *record, const char *folder,
                        size_t number)
{
    struct record_error error;
    struct record again;
    struct out first, second;

    if (!write_again(record, charset_of(record), &first, &error)) {
        tell_error(json, "unwritten", &error);
        return;
    }
    keep_bytes(folder, number, "out", first.text, first.len);
    if (!record_read(&records_arena, first.text, first.len, record->format, NULL, &again, &error)) {
        tell_error(json, "unread", &error);
        return;
    }
    json_key(json, "kept");
    json_bool(json, strcmp(records_tree(record), records_tree(&again)) == 0);
    json_key(json, "headers_kept");
    json_bool(json, record->nheaders == again.nheaders);
    json_key(json, "lines_again");
    json_int(json, (int64_t)again.nlines);
    json_key(json, "stable");
    json_bool(json, write_again(&again, charset_of(record), &second, &error) &&
                        second.len == first.len && memcmp(second.text, first.text, first.len) == 0);
}

/* The line at a byte. */
static void tell_line(const char *what, const struct out *text, size_t at)
{
    size_t begin = at > text->len ? text->len : at, end = begin;

    while (begin > 0 && text->text[begin - 1] != '\n')
        begin--;
    while (end < text->len && text->text[end] != '\n')
        end++;
    printf(" %s [%.*s]", what, (int)(end - begin), text->text + begin);
}

static void write_one_again(const char *path)
{
    struct record record;
    struct record_error error;
    struct out before, after;
    size_t at = 0;

    if (read_file(path, &before, &record)) {
        if (!write_again(&record, charset_of(&record), &after, &error)) {
            printf("%s\n", error.detail);
        } else if (before.len == after.len && memcmp(before.text, after.text, before.len) == 0) {
            puts("same");
        } else {
            while (at < before.len && at < after.len && before.text[at] == after.text[at])
                at++;
            printf("as %s", record.format->name);
            tell_line("in", &before, at);
            tell_line("out", &after, at);
            puts("");
        }
    }
    arena_reset(&records_arena);
}

static void tell_record(struct json *json, const struct record *record)
{
    struct record_error error;
    struct out usen;

    json_member(json, "variant", record->game->name);
    json_member(json, "format", record->format->name);
    json_member(json, "charset", record->charset);
    json_member(json, "game",
                arena_format(&records_arena, "%s moves %s", record->start, records_moves(record)));
    out_init(&usen, &records_arena);
    if (record_write(record_find_format("usen"), record, NULL, &usen, &error))
        json_member(json, "usen", usen.text);
    json_key(json, "lines");
    json_int(json, (int64_t)record->nlines);
    json_key(json, "cut");
    json_int(json, (int64_t)record->cut);
    json_key(json, "foul");
    json_bool(json, record->foul != NULL);
}

static void tell_game(const struct record_part *part, const char *folder, size_t number)
{
    struct record record;
    struct record_error error;
    struct json json;

    keep_bytes(folder, number, "in", part->bytes, part->len);
    json_init(&json, &records_arena);
    json_open(&json, '{');
    if (record_read(&records_arena, part->bytes, part->len, NULL, NULL, &record, &error)) {
        tell_record(&json, &record);
        tell_export(&json, &record, folder, number);
    } else {
        tell_error(&json, "error", &error);
    }
    json_close(&json, '}');
    puts(json.out.text);
    arena_reset(&records_arena);
}

static int tell_games(const char *folder, const char *path)
{
    static char bytes[16 * RECORD_BYTES_MAX];
    FILE *file = fopen(path, "rb");
    struct record_split split;
    struct record_part part;

    if (file == NULL) {
        perror(path);
        return 1;
    }
    record_split_init(&split, bytes, fread(bytes, 1, sizeof(bytes), file));
    fclose(file);
    for (size_t number = 0; record_split_next(&split, &part); number++)
        tell_game(&part, folder, number);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "write") == 0)
        return write_all(strtoul(argv[2], NULL, 10), argv[3]);
    if (argc == 4 && strcmp(argv[1], "games") == 0)
        return tell_games(argv[2], argv[3]);
    if (argc < 3)
        return usage();
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[1], "read") == 0)
            read_one(argv[i]);
        else if (strcmp(argv[1], "again") == 0)
            write_one_again(argv[i]);
        else if (strcmp(argv[1], "export") == 0 && i > 2)
            export_one(argv[i], argv[2], (unsigned long)(i - 3));
        else if (strcmp(argv[1], "export") != 0)
            return usage();
    return 0;
}
