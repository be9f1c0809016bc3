/*
 * records_tool.c - records for other programs to read, and theirs read by us (records.cjs).
 *
 *   records-tool write COUNT FOLDER
 *       writes games at random, each in every format of shogi: FOLDER/NUMBER.FORMAT
 *   records-tool read FILE...
 *       prints a line for each file: its start and moves and, behind a tab, all of its lines as
 * USEN; or what is wrong with it
 *   records-tool games FOLDER FILE
 *       reads all games of a file of any program. Each is a line of JSON: what was read, or why it
 * was not, and what becomes of it as a stored game, by export and import. Its bytes are
 * FOLDER/NUMBER.in, those of the export in the same format FOLDER/NUMBER.out
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/from_record.h"
#include "api/game/to_record.h"
#include "api/record/split.h"
#include "api/text/json.h"
#include "tests/unit/records.h"

static int usage(void)
{
    fprintf(stderr, "usage: records-tool write COUNT FOLDER | read FILE... | games FOLDER FILE\n");
    return 2;
}

static bool write_file(const struct record *record, const struct record_format *format,
                       const char *folder, unsigned long number)
{
    char path[4096];
    struct record_error error;
    struct out out;
    FILE *file;
    bool ok;

    out_init(&out, &records_arena);
    if (!record_write(format, record, NULL, &out, &error))
        return error.code == PROBLEM_CANNOT_EXPORT;
    snprintf(path, sizeof(path), "%s/%lu.%s", folder, number, format->name);
    file = fopen(path, "wb");
    if (file == NULL)
        return false;
    ok = fwrite(out.text, 1, out.len, file) == out.len;
    return fclose(file) == 0 && ok;
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
        for (size_t i = 0; record_format(i) != NULL; i++)
            if (record_serves(record_format(i), record.game) &&
                !write_file(&record, record_format(i), folder, number)) {
                perror(folder);
                return 1;
            }
        number++;
        arena_reset(&records_arena);
    }
    return 0;
}

static void read_one(const char *path)
{
    static char bytes[RECORD_BYTES_MAX];
    FILE *file = fopen(path, "rb");
    size_t len = file == NULL ? 0 : fread(bytes, 1, sizeof(bytes), file);
    struct record record;
    struct record_error error;

    if (file != NULL)
        fclose(file);
    if (record_read(&records_arena, bytes, len, NULL, NULL, &record, &error))
        printf("%s moves %s\t%s", record.start, records_moves(&record),
               records_write(&record, "usen"));
    else
        printf("line %zu, column %zu: %s: %s\n", error.line, error.column,
               problem_kind(error.code)->code, error.detail);
    arena_reset(&records_arena);
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
    if (argc < 2 || strcmp(argv[1], "read") != 0)
        return usage();
    for (int i = 2; i < argc; i++)
        read_one(argv[i]);
    return 0;
}
