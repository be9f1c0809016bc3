/*
 * records_tool.c - records for other programs to read, and theirs read by us (records.cjs).
 *
 *   records-tool write COUNT FOLDER
 *       writes games at random, each in every format of shogi: FOLDER/NUMBER.FORMAT
 *   records-tool read FILE...
 *       prints a line for each file: its start and moves and, behind a tab, all of its lines as
 * USEN; or what is wrong with it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/records.h"

static int usage(void)
{
    fprintf(stderr, "usage: records-tool write COUNT FOLDER | read FILE...\n");
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

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "write") == 0)
        return write_all(strtoul(argv[2], NULL, 10), argv[3]);
    if (argc < 2 || strcmp(argv[1], "read") != 0)
        return usage();
    for (int i = 2; i < argc; i++)
        read_one(argv[i]);
    return 0;
}
