/* test_names.c - which characters a name may have, and texts that are made fit for a terminal. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/name.h"
#include "api/text/chars.h"
#include "tests/unit/records.h"

/* The linter finds overrides that are not closed in this file. They are what it is about. */
/* NOLINTBEGIN(misc-misleading-bidirectional) */

/* ---- characters ---- */

static size_t put_utf8(char *at, unsigned c)
{
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

    at[0] = (char)(first[more] | c >> (6 * more));
    for (int i = 1; i <= more; i++)
        at[i] = (char)(0x80 | (c >> (6 * (more - i)) & 0x3f));
    return (size_t)more + 1;
}

Test(chars, every_character_is_read_as_it_was_written)
{
    for (unsigned c = 1; c <= 0x10ffff; c++) {
        char text[8] = "";
        const char *at = text;
        size_t len = put_utf8(text, c);

        cr_assert_eq(chars_next(&at), c, "U+%04X", c);
        cr_assert_eq(at, text + len, "U+%04X", c);
        cr_assert_eq(chars_next(&at), 0);
        cr_assert_eq(at, text + len, "the end is not passed");
    }
}

/* ---- names ---- */

/* Controls, format characters that nobody sees, ends of lines and noncharacters. */
static const unsigned refused[][2] = {
    {0x0001, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},   {0x034f, 0x034f},
    {0x061c, 0x061c},   {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180e, 0x180e},
    {0x200b, 0x200b},   {0x200e, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},
    {0x3164, 0x3164},   {0xfdd0, 0xfdef},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
    {0xfff0, 0xfffb},   {0xfffe, 0xffff},   {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
    {0x1d159, 0x1d159}, {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff}, {0xe01f0, 0xe0fff},
};

static bool is_refused(unsigned c)
{
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        if (c >= refused[i][0] && c <= refused[i][1])
            return true;
    return (c & 0xffff) == 0xfffe || (c & 0xffff) == 0xffff;
}

Test(name, a_character_that_nobody_sees_or_that_disturbs_is_refused_between_others)
{
    for (unsigned c = 1; c <= 0x10ffff; c++) {
        char name[8] = "a";
        size_t len;

        if (c >= 0xd800 && c <= 0xdfff)
            continue;
        len = 1 + put_utf8(name + 1, c);
        name[len] = 'b';
        cr_assert_eq(name_unfit(name), is_refused(c) ? c : 0, "U+%04X", c);
    }
}

Test(name, joiners_and_selectors_stand_only_where_they_have_something_to_do)
{
    static const struct {
        const char *name;
        unsigned unfit;
    } table[] = {
        {"", 0},
        {"Ada Lovelace", 0},
        {"\u7fbd\u751f \u5584\u6cbb", 0},
        {"\u0646\u0627\u0645\u0647\u200c\u0627\u06cc", 0}, /* Persian */
        {"\u0915\u094d\u200d\u0937", 0},                   /* Devanagari */
        {"\U0001f468\u200d\U0001f469\u200d\U0001f467", 0}, /* a family */
        {"\u2764\ufe0f\u200d\U0001f525", 0},               /* a heart on fire */
        {"\u845b\U000e0100\u57ce", 0},                     /* a form of a kanji */
        {"1\ufe0f\u20e3", 0},                              /* a key */
        {"\ue000", 0},                                     /* private */
        {"e\u0301", 0},                                    /* a combining accent */
        {"\u200d", 0x200d},
        {"a\u200d", 0x200d},
        {"\u200ca", 0x200c},
        {"a\u200d b", 0x200d},
        {"a \u200db", 0x200d},
        {"a\u200d\u200cb", 0x200d},
        {"a\u200d\ufe0fb", 0x200d},
        {"\ufe0f", 0xfe0f},
        {"a \ufe0f", 0xfe0f},
        {"a\ufe0f\ufe0f", 0xfe0f},
        {"Ada\u202eadA", 0x202e},
        {"A\xc2\x85", 0x85},
        {"a\u2067b", 0x2067},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        cr_assert_eq(name_unfit(table[i].name), table[i].unfit, "row %zu: U+%04X", i,
                     name_unfit(table[i].name));
}

Test(name, blanks_around_a_name_are_left_out_whatever_their_width)
{
    static const char *const table[][2] = {
        {"", ""},
        {" \t\r\n", ""},
        {"\u3000\u00a0\u2003", ""},
        {"\u2800", ""},
        {" Ada  L. ", "Ada  L."},
        {"\u3000\u7fbd\u751f\u3000\u5584\u6cbb\u3000", "\u7fbd\u751f\u3000\u5584\u6cbb"},
        {"a\u200b", "a\u200b"},
    };
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        cr_assert_str_eq(name_trim(&arena, table[i][0]), table[i][1], "row %zu", i);
    arena_free(&arena);
}

/* ---- texts for a terminal ---- */

Test(chars, a_text_is_made_fit_for_a_terminal)
{
    static const char *const table[][2] = {
        {"", ""},
        {"plain\ttext\n\u5b57\n", "plain\ttext\n\u5b57\n"},
        {"\033[2Jgone\a\r\x7f", "?[2Jgone???"},
        {"\xc2\x9b"
         "2J\xc2\x85",
         "?2J?"},
        {"one\u2028two\u2029three", "one?two?three"},
        {"\u202eback\u202c forth", "\u202eback\u202c forth"},
        {"\u2067a\u202bb\u202cc\u2069", "\u2067a\u202bb\u202cc\u2069"},
        {"\u202eback", "?back"},
        {"\u202eback\n\u202c", "?back\n?"},
        {"a\n\u2066b\nc\u2069\n\u2066d\u2069", "a\n?b\nc?\n\u2066d\u2069"},
        {"\u2067a\u202bb\u2069c\u202c", "?a?b?c?"},
        {"zero\u200bwidth \u200emarks\ufeff", "zero\u200bwidth \u200emarks\ufeff"},
    };
    char text[64];

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        strcpy(text, table[i][0]);
        chars_tame(text);
        cr_assert_str_eq(text, table[i][1], "row %zu: %s", i, text);
    }
}

Test(chars, changes_of_direction_nested_too_deep_are_left_out)
{
    char text[3 * 34 + 1] = "";

    for (int i = 0; i < 34; i++)
        strcat(text, i < 17 ? "\u2067" : "\u2069");
    chars_tame(text);
    cr_assert_str_eq(text, "??????????????????????????????????");
}

Test(chars, what_a_comment_or_header_says_cannot_drive_a_terminal, .fini = records_free)
{
    static struct record_header header = {"event", "\033]0;title\a\u202e"};

    for (size_t i = 0; record_format(i) != NULL; i++) {
        const struct record_format *format = record_format(i);
        struct record record =
            records_game(format->variant == NULL ? "tictactoe" : format->variant, "", "");
        const char *text;

        record.comment = "\033[2J\xc2\x9b"
                         "2J\u202e\u2028 line";
        record.headers = &header;
        record.nheaders = 1;
        text = records_write(&record, format->name);
        cr_assert_null(strchr(text, '\033'), "%s: %s", format->name, text);
        if (strstr(format->media_type, "json") == NULL)
            cr_assert(strstr(text, "\xc2\x9b") == NULL && strstr(text, "\u202e") == NULL &&
                          strstr(text, "\u2028") == NULL,
                      "%s: %s", format->name, text);
    }
}

/* NOLINTEND(misc-misleading-bidirectional) */
