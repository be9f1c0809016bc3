/*
 * fuzz_record.c - any bytes as a record.
 *
 * Input: a byte that chooses the format (the last choice: it is recognised), a byte for the options
 * of shogi, the record. What is read is written and read again, and must be the same text. What can
 * be stored is stored as `plyd verify` accepts it, and goes out again.
 */
#include "api/game/from_record.h"
#include "api/game/to_record.h"
#include "api/text/json_text.h"
#include "api/tool/commands.h"
#include "fuzz.h"

static size_t formats(void)
{
    size_t n = 0;

    while (record_format(n) != NULL)
        n++;
    return n;
}

static void check_error(const struct record_error *error)
{
    must(error->code != PROBLEM_NONE && error->detail != NULL);
    must(error->ply >= 0 && error->ply <= RECORD_MOVES_MAX);
    if (error->game != NULL)
        fuzz_check_refusal(error->game, &error->refusal);
}

static void check_texts(const struct record *record)
{
    for (size_t i = 0; i < record->nmoves; i++)
        must(strlen(record->moves[i].text) < RULES_MOVE_TEXT);
    for (unsigned seat = 0; seat < RULES_SEATS; seat++)
        must(record->name[seat] == NULL ||
             json_is_utf8(record->name[seat], strlen(record->name[seat])));
    must(record->nheaders <= RECORD_HEADERS_MAX && record->nmoves <= RECORD_MOVES_MAX);
}

/* Asserts that a record that is written, read and written again is the same text. */
static void check_round(struct arena *arena, const struct record *record,
                        const struct record_format *format, const struct record_hint *hint)
{
    struct record again;
    struct record_error error;
    struct out first, second;

    out_init(&first, arena);
    if (!record_write(format, record, NULL, &first, &error)) {
        must(error.code == PROBLEM_CANNOT_EXPORT);
        return;
    }
    must(json_is_utf8(first.text, first.len));
    if (first.len > RECORD_BYTES_MAX)
        return;
    must(record_read(arena, first.text, first.len, format, hint, &again, &error));
    out_init(&second, arena);
    must(record_write(format, &again, NULL, &second, &error));
    must(strcmp(first.text, second.text) == 0);
}

/* Asserts that formats that tell the options give back the moves of any record, however it was
 * read. */
static void check_moves(struct arena *arena, const struct record *record,
                        const struct record_format *format, const struct out *text)
{
    static const char *const silent[] = {"usi", "usen", "sfen", "shougi"};
    struct record again;
    struct record_error error;

    for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
        if (strcmp(silent[i], format->name) == 0)
            return;
    if (text->len > RECORD_BYTES_MAX)
        return;
    must(record_read(arena, text->text, text->len, format, NULL, &again, &error));
    must(again.nmoves == record->nmoves);
    for (size_t i = 0; i < record->nmoves; i++)
        must(strcmp(again.moves[i].text, record->moves[i].text) == 0);
}

static void check_all(struct arena *arena, const struct record *record,
                      const struct record_hint *hint)
{
    struct record_error error;
    struct out out;

    check_texts(record);
    check_round(arena, record, record->format, hint);
    for (size_t i = 0; record_format(i) != NULL; i++) {
        out_init(&out, arena);
        if (record_write(record_format(i), record, NULL, &out, &error))
            check_moves(arena, record, record_format(i), &out);
        else
            must(error.code == PROBLEM_CANNOT_EXPORT);
    }
}

static void check_stored(struct arena *arena, const struct record *record)
{
    static struct draft draft;
    struct record again;
    struct record_error error;
    struct db_scan_game stored;
    struct out out;
    char what[512];

    if (!from_record(arena, record, INT64_C(1700000000000000), &draft, &error)) {
        check_error(&error);
        return;
    }
    stored =
        (struct db_scan_game){.game = &draft.row, .events = draft.events, .count = draft.nevents};
    must(verify_game(&stored, what, sizeof(what)) == VERDICT_SAME);
    must(to_record(arena, &draft.row, draft.events, draft.nevents, draft.row.line, draft.row.ply,
                   &again, &error));
    for (size_t i = 0; record_format(i) != NULL; i++) {
        out_init(&out, arena);
        must(record_write(record_format(i), &again, NULL, &out, &error) ||
             error.code == PROBLEM_CANNOT_EXPORT);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct rules_game *shogi = rules_find("shogi");
    struct rules_options casual;
    struct rules_refusal why;
    struct record_hint hint = {.options = &casual};
    struct arena arena = {NULL, NULL, NULL};
    struct record record;
    struct record_error error;
    bool is_casual;

    if (size < 2)
        return 0;
    rules_options_init(&casual);
    rules_option_set(shogi, &casual, "rules", "casual", &why);
    is_casual = data[1] & 1;
    if (is_casual)
        hint.game = shogi;
    if (record_read(&arena, (const char *)data + 2, size - 2,
                    record_format(data[0] % (formats() + 1)), is_casual ? &hint : NULL, &record,
                    &error)) {
        check_all(&arena, &record, is_casual ? &hint : NULL);
        check_stored(&arena, &record);
    } else {
        check_error(&error);
    }
    arena_free(&arena);
    return 0;
}
