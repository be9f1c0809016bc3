/*
 * fuzz_pairs.c - any record through every pair of formats, by way of a stored game.
 *
 * Input: a byte that chooses the format, the record. What is read becomes a game, and the game a
 * record, which is written in every format; what each of them gives back becomes a game again, and
 * is written in every format that serves it, and read again. What was not said to be left out is
 * there, the moves are the same, and a format writes what it gave as it was.
 */
#include "api/game/from_record.h"
#include "api/game/to_record.h"
#include "api/record/facts.h"
#include "api/record/holds.h"
#include "fuzz.h"

static const int64_t now = INT64_C(1700000000000000);

static size_t formats(void)
{
    size_t n = 0;

    while (record_format(n) != NULL)
        n++;
    return n;
}

/* The record as a game, and the game as a record. False: it cannot be a game. */
static bool stored(struct arena *arena, const struct record *record, struct record *again)
{
    static struct draft draft;
    struct record_error error;

    if (!from_record(arena, record, now, &draft, &error))
        return false;
    must(to_record(arena, &draft.row, draft.events, draft.nevents, draft.row.line, draft.row.ply,
                   again, &error));
    return true;
}

/* Formats without options are told those of the game. Those that name the start say it themselves.
 */
static struct rules_options options_of(const struct record *record)
{
    struct rules_options options = record->options;

    options.given = 0;
    options.position = NULL;
    for (size_t i = 0; i < record->game->noptions; i++)
        if (record->game->options[i].kind != RULES_OPTION_START)
            options.given |= 1U << i;
    return options;
}

static bool written(struct arena *arena, const struct record_format *format,
                    const struct record *record, struct out *out)
{
    struct record_error error;

    out_init(out, arena);
    if (!record_serves(format, record->game))
        return false;
    if (record_write(format, record, NULL, out, &error))
        return out->len <= RECORD_BYTES_MAX;
    must(error.code == PROBLEM_CANNOT_EXPORT);
    return false;
}

static void same_moves(const struct record *a, const struct record *b)
{
    must(a->nmoves == b->nmoves);
    for (size_t i = 0; i < a->nmoves; i++)
        must(strcmp(a->moves[i].text, b->moves[i].text) == 0);
}

/* The game is written in the format that it came from as it was. */
static void same_text(struct arena *arena, const struct record_format *format,
                      const struct record *record, const char *text)
{
    struct out out;

    must(written(arena, format, record, &out));
    if (strcmp(out.text, text) != 0)
        fprintf(stderr, "%s first:\n%s\nthen:\n%s\n", format->name, text, out.text);
    must(strcmp(out.text, text) == 0);
}

/* What a record has, but for variations that are left out with all that stands in them. */
static unsigned things_for(struct arena *arena, const struct record_format *format,
                           const struct record *record)
{
    struct record held = *record;

    if ((format->holds & RECORD_HOLDS_VARIATIONS) == 0)
        held.nlines = 0;
    return record_things(arena, &held);
}

/* What was written is read, and has all that was not said to be left out. False: it has no moves,
 * or too many bytes. */
static bool comes_back(struct arena *arena, const struct record_format *format,
                       const struct record *record, struct record *again)
{
    struct rules_options options = options_of(record);
    struct record_hint hint = {.game = record->game, .options = &options};
    unsigned kept = things_for(arena, format, record) & ~record_left_out(arena, format, record);
    struct record read;
    struct record_error error;
    struct out out;

    if ((format->holds & RECORD_HOLDS_MOVES) == 0 || !written(arena, format, record, &out))
        return false;
    if (!record_read(arena, out.text, out.len, format, &hint, &read, &error)) {
        fprintf(stderr, "%s: %s\n%s\n", format->name, error.detail, out.text);
        must(false);
    }
    same_moves(record, &read);
    must(stored(arena, &read, again));
    same_moves(record, again);
    kept &= ~record_things(arena, again);
    if (kept != 0)
        fprintf(stderr, "%s lost %s:\n%s\n", format->name, record_things_text(arena, kept),
                out.text);
    must(kept == 0);
    same_text(arena, format, again, out.text);
    return true;
}

static void check_pairs(struct arena *arena, const struct record *record)
{
    const struct record_format *first, *second;

    for (size_t i = 0; (first = record_format(i)) != NULL; i++) {
        struct record between, last;

        if (!comes_back(arena, first, record, &between))
            continue;
        for (size_t j = 0; (second = record_format(j)) != NULL; j++)
            comes_back(arena, second, &between, &last);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {NULL, NULL, NULL};
    struct record record, game;
    struct record_error error;

    if (size < 1)
        return 0;
    if (record_read(&arena, (const char *)data + 1, size - 1,
                    record_format(data[0] % (formats() + 1)), NULL, &record, &error) &&
        stored(&arena, &record, &game))
        check_pairs(&arena, &game);
    arena_free(&arena);
    return 0;
}
