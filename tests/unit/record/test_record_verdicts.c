/*
 * test_record_verdicts.c - records as they come, each with what is read from it, what is wrong with
 * it, or how it is written again: the table records.txt. RECORDS=show prints the table as it really
 * is.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/text/json.h"
#include "tests/unit/records.h"

TestSuite(record_verdicts, .fini = records_free);

/* ---- the table ---- */

struct entry {
    char *what;
    const char *from, *to; /* formats; NULL: it is recognised, and what was read is told */
    struct out record, verdict;
};

static FILE *table;
static char line[4096];

static bool next_line(void)
{
    if (fgets(line, sizeof(line), table) == NULL)
        return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static const char *copy(const char *text)
{
    return arena_copy(&records_arena, text, strlen(text));
}

/* Takes lines up to one that begins with a mark, or to the end of the table. */
static void take_text(struct out *text, const char *mark)
{
    out_init(text, &records_arena);
    while (next_line() && strncmp(line, mark, strlen(mark)) != 0)
        out_format(text, "%s\n", line);
}

static const char *format_in_line(void)
{
    return line[2] == '\0' ? NULL : copy(line + 3);
}

/* `line` has the first line of an entry, and afterwards that of the next one. */
static void take_entry(struct entry *entry)
{
    char *bar = strstr(line, " | ");

    cr_assert_not_null(bar, "%s", line);
    *bar = '\0';
    entry->what = arena_copy(&records_arena, line + 3, strlen(line + 3));
    entry->from = strcmp(bar + 3, "any") == 0 ? NULL : copy(bar + 3);
    take_text(&entry->record, "--");
    entry->to = format_in_line();
    take_text(&entry->verdict, "== ");
}

/* ---- what was read ---- */

static void tell_text(struct out *out, const char *key, const char *text)
{
    if (text == NULL)
        return;
    out_format(out, "%s: ", key);
    for (; *text != '\0'; text++)
        out_format(out, *text == '\n' ? "\\n" : "%c", *text);
    out_add(out, "\n");
}

static void tell_time(struct out *out, const char *key, int64_t us)
{
    if (us != RECORD_NO_TIME)
        tell_text(out, key, json_time_text(&records_arena, us));
}

static void tell_number(struct out *out, const char *key, int64_t number, int64_t usual)
{
    if (number != usual)
        out_format(out, "%s: %lld\n", key, (long long)number);
}

static void tell_moves(struct out *out, const struct record *record)
{
    tell_text(out, "comment", record->comment);
    for (size_t i = 0; i < record->nmoves; i++) {
        const struct record_move *move = &record->moves[i];

        out_format(out, "%zu %s\n", i + 1, move->text);
        tell_number(out, "  spent", move->spent_us, -1);
        tell_text(out, "  comment", move->comment);
    }
}

static void tell_error(struct out *out, const struct record_error *error)
{
    out_format(out, "%zu:%zu %s: %s\n", error->line, error->column, problem_kind(error->code)->code,
               error->detail);
    tell_number(out, "ply", error->ply, 0);
    tell_text(out, "move", error->move);
}

static void tell(struct out *out, const struct record *record)
{
    const char *word = record_end_text(&record->ending.outcome);
    const char *options = record_options_text(&records_arena, record);

    out_format(out, "%s in %s, %s\n", record->game->name, record->format->name, record->charset);
    tell_text(out, "start", record->start);
    if (*options != '\0')
        tell_text(out, "options", options);
    for (unsigned seat = 0; seat < RULES_SEATS; seat++)
        tell_text(out, record->game->seat[seat].name, record->name[seat]);
    for (size_t i = 0; i < record->nheaders; i++)
        tell_text(out, record->headers[i].key, record->headers[i].value);
    tell_time(out, "started", record->started_at);
    tell_time(out, "ended", record->ended_at);
    tell_moves(out, record);
    tell_text(out, "end word", record->ending.word);
    if (record->ending.outcome.end != RECORD_OPEN)
        out_format(out, "end: %s %u%s\n", word, record->ending.outcome.winner,
                   record->ending.outcome.confirmed ? " by the rules" : "");
    tell_number(out, "  spent", record->ending.spent_us, -1);
    if (record->nlines > 0)
        out_format(out, "lines:%s\n", records_tree(record));
    tell_number(out, "cut", (int64_t)record->cut, 0);
    tell_number(out, "other games", (int64_t)record->other_games, 0);
    if (record->foul != NULL)
        tell_error(out, record->foul);
}

static struct out judged(const struct entry *entry)
{
    const struct record_format *from = entry->from == NULL ? NULL : record_find_format(entry->from);
    struct record record;
    struct record_error error;
    struct out out;

    cr_assert(entry->from == NULL || from != NULL, "%s", entry->from);
    out_init(&out, &records_arena);
    if (!record_read(&records_arena, entry->record.text, entry->record.len, from, NULL, &record,
                     &error))
        tell_error(&out, &error);
    else if (entry->to == NULL)
        tell(&out, &record);
    else
        out_add(&out, records_write(&record, entry->to));
    if (out.len > 0 && out.text[out.len - 1] != '\n')
        out_add(&out, "\n");
    return out;
}

Test(record_verdicts, what_stands_in_a_record_is_read_and_what_is_wrong_with_it_is_told)
{
    const char *show = getenv("RECORDS");
    bool shown = show != NULL && strcmp(show, "show") == 0;

    table = fopen("tests/unit/records.txt", "r");
    cr_assert_not_null(table);
    while (next_line() && strncmp(line, "== ", 3) != 0)
        if (shown)
            printf("%s\n", line);
    while (!feof(table)) {
        struct entry entry;
        struct out out;

        take_entry(&entry);
        out = judged(&entry);
        if (shown)
            printf("== %s | %s\n%s--%s%s\n%s", entry.what, entry.from == NULL ? "any" : entry.from,
                   entry.record.text, entry.to == NULL ? "" : " ", entry.to == NULL ? "" : entry.to,
                   out.text);
        else
            cr_assert_str_eq(out.text, entry.verdict.text, "%s:\n%s", entry.what, out.text);
    }
    fclose(table);
}
