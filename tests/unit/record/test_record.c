/* test_record.c - records of games: one game in every format, and what real files do. */
#include <criterion/criterion.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

#include "api/text/chars.h"
#include "api/text/json_text.h"
#include "tests/unit/records.h"

TestSuite(record, .fini = records_free);

static const char example_moves[] =
    "7g7f 3c3d 8h2b+ 3a2b B*4e B*6d 4e3d 6d9g+ 8i9g P*3c 3d2c+ 2b2c";
static const char example_end[] =
    "lnsgkg1nl/1r7/pppppppsp/9/9/2P6/NP1PPPPPP/7R1/L1SGKGSNL b B2Pb 13";

static void is_example(const struct record *record)
{
    cr_assert_str_eq(records_moves(record), example_moves);
    cr_assert_str_eq(record->points[record->nmoves]->position, example_end);
}

/* ---- one game in every format: it is read, recognised, and written the same ---- */

static const char *file_text(const char *name)
{
    size_t len;
    const char *bytes = records_file(name, &len);

    return arena_copy(&records_arena, bytes, len);
}

static void is_the_game_in(const char *name, const char *format)
{
    const char *text = file_text(name);
    struct record record = records_read(text, NULL);

    cr_assert_str_eq(record.format->name, format);
    is_example(&record);
    cr_assert_str_eq(records_write(&record, format), text);
}

Test(record, the_example_in_usi)
{
    is_the_game_in("game.usi", "usi");
}

/* Ours says its encoding first. */
Test(record, the_example_in_kif)
{
    const char *text = file_text("game.kif");
    struct record record = records_read(text, NULL);

    is_example(&record);
    cr_assert_str_eq(records_write(&record, "kif"),
                     arena_format(&records_arena, "#KIF version=2.0 encoding=UTF-8\n%s", text));
}

Test(record, the_example_in_ki2)
{
    is_the_game_in("game.ki2", "ki2");
}

Test(record, the_example_in_csa)
{
    is_the_game_in("game.v22.csa", "csa");
    is_the_game_in("game.v3.csa", "csa3");
}

Test(record, the_example_in_shougi)
{
    is_the_game_in("game.shougi.txt", "shougi");
}

/* The file is laid out in lines for people. Ours is the same without the blanks. */
Test(record, the_example_in_jkf)
{
    const char *text = file_text("game.jkf");
    char *packed = arena_copy(&records_arena, text, strlen(text)), *to = packed;
    struct record record = records_read(text, NULL);

    is_example(&record);
    for (const char *at = text; *at != '\0'; at++)
        if (strchr(" \n", *at) == NULL)
            *to++ = *at;
    strcpy(to, "\n");
    cr_assert_str_eq(records_write(&record, "jkf"), packed);
}

/* The board of a position as KIF draws it goes out as it was drawn. Ours differs in three ways.
 * Hands begin with the strongest men. Gote's king is 王. And since a record follows, for which
 * other programs know no line of the move before it, the number of its first move is a fact. */
Test(record, the_board_of_the_example)
{
    struct record record = records_read(file_text("final.bod"), NULL);
    const char *text;

    cr_assert_str_eq(record.start, example_end);
    cr_assert_eq(record.nmoves, 0);
    text = records_write(&record, "kif");
    cr_assert_not_null(strstr(text, file_text("final.bod")), "%s", text);
    cr_assert_null(strstr(text, "#plyd"));
    record.format = NULL;
    text = records_write(&record, "kif");
    cr_assert_not_null(strstr(text, "先手の持駒：角　歩二　\n#plyd number=13\n"));
    cr_assert_not_null(strstr(text, "|v歩v歩v歩v歩v歩v歩v歩v銀v歩|三\n"));
    cr_assert_str_eq(records_read(text, NULL).start, example_end);
}

Test(record, all_files_have_the_same_names_and_end)
{
    static const char *const names[] = {"game.kif", "game.ki2", "game.v22.csa", "game.v3.csa",
                                        "game.jkf"};

    for (size_t i = 0; i < 5; i++) {
        struct record record = records_read(file_text(names[i]), NULL);

        cr_assert_str_eq(record.name[0], "Sente");
        cr_assert_str_eq(record.name[1], "Gote");
        cr_assert_eq(record.ending.outcome.end, RECORD_RESIGNED);
        cr_assert_eq(record.ending.outcome.winner, 2);
    }
}

/* ---- bytes ---- */

static const char *in_encoding(const char *text, const char *encoding, size_t *len)
{
    char *in = arena_copy(&records_arena, text, strlen(text));
    size_t in_left = strlen(text), out_left = 4 * in_left;
    char *out = arena_alloc(&records_arena, out_left), *at = out;
    iconv_t converter = iconv_open(encoding, "UTF-8");

    cr_assert_neq(converter, (iconv_t)-1);
    cr_assert_neq(iconv(converter, &in, &in_left, &at, &out_left), (size_t)-1);
    iconv_close(converter);
    *len = (size_t)(at - out);
    return out;
}

Test(record, shift_jis_is_told_from_utf_8)
{
    size_t len;
    const char *bytes = in_encoding(file_text("game.kif"), "CP932", &len);
    struct record record;
    struct record_error error;

    cr_assert(record_read(&records_arena, bytes, len, NULL, NULL, &record, &error));
    cr_assert_str_eq(record.charset, "Shift_JIS");
    is_example(&record);
}

Test(record, shift_jis_is_written_and_read_back)
{
    struct record record = records_read(file_text("game.ki2"), NULL), again;
    struct record_error error;
    struct out out;

    record.name[0] = "\xf0\x9f\x90\x89 龍";
    out_init(&out, &records_arena);
    cr_assert(record_write(record_find_format("ki2"), &record, "Shift_JIS", &out, &error));
    cr_assert_not(json_is_utf8(out.text, out.len));
    cr_assert(record_read(&records_arena, out.text, out.len, NULL, NULL, &again, &error));
    is_example(&again);
    cr_assert_str_eq(again.name[0], "〓 龍");
}

Test(record, shift_jis_is_refused_where_a_format_has_none)
{
    struct record record = records_read(file_text("game.usi"), NULL);
    struct record_error error;
    struct out out;

    out_init(&out, &records_arena);
    cr_assert_not(record_write(record_find_format("jkf"), &record, "Shift_JIS", &out, &error));
    cr_assert_eq(error.code, PROBLEM_CANNOT_EXPORT);
}

Test(record, a_byte_order_mark_is_passed_over)
{
    struct record record =
        records_read(arena_format(&records_arena, "\xef\xbb\xbf%s", file_text("game.kif")), NULL);

    is_example(&record);
}

/* A text in UTF-16, behind a mark of its order. */
static size_t in_utf16(const char *text, bool big, char *out)
{
    size_t len = 0;

    for (uint32_t c = 0xfeff; c != 0; c = chars_next(&text)) {
        uint32_t unit[2] = {c, 0};

        if (c > 0xffff) {
            unit[0] = 0xd800 + ((c - 0x10000) >> 10);
            unit[1] = 0xdc00 + (c & 0x3ff);
        }
        for (size_t i = 0; i < 2 && (i == 0 || unit[1] != 0); i++) {
            out[len++] = (char)(big ? unit[i] >> 8 : unit[i] & 0xff);
            out[len++] = (char)(big ? unit[i] & 0xff : unit[i] >> 8);
        }
    }
    return len;
}

Test(record, utf_16_with_a_mark_is_read_in_both_orders)
{
    const char *text =
        arena_format(&records_arena, "*\U00020b9f\u91ce\u5bb6\n%s", file_text("game.kif"));

    for (int big = 0; big < 2; big++) {
        char bytes[1 << 15];
        size_t len = in_utf16(text, big == 1, bytes);
        struct record record;
        struct record_error error;

        cr_assert(record_read(&records_arena, bytes, len, NULL, NULL, &record, &error));
        cr_assert_str_eq(record.charset, big == 1 ? "UTF-16BE" : "UTF-16LE");
        cr_assert_str_eq(record.comment, "\U00020b9f\u91ce\u5bb6");
        is_example(&record);
    }
}

Test(record, broken_utf_16_is_refused)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *why;
    } rows[] = {
        {"\xff\xfeK", 3, "odd number"},
        {"\xfe\xff\xd8\x42", 4, "half of a pair"},
        {"\xfe\xff\xd8\x42\0V", 6, "half of a pair"},
        {"\xff\xfe\x9f\xdfV\0", 6, "half of a pair"},
        {"\xff\xfeV\0\0\0", 6, "NUL"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct record record;
        struct record_error error;

        cr_expect_not(
            record_read(&records_arena, rows[i].bytes, rows[i].len, NULL, NULL, &record, &error));
        cr_expect_eq(error.code, PROBLEM_BAD_ENCODING);
        cr_expect_not_null(strstr(error.detail, rows[i].why), "%zu: %s", i, error.detail);
    }
}

Test(record, bytes_that_are_no_text_are_refused)
{
    struct record record;
    struct record_error error;

    cr_assert_not(record_read(&records_arena, "V2.2\0+", 6, NULL, NULL, &record, &error));
    cr_assert_eq(error.code, PROBLEM_BAD_ENCODING);
    cr_assert_eq(records_error("\x80\xff\xff\x81", NULL).code, PROBLEM_BAD_ENCODING);
}

static const char *with_line_ends(const char *text, const char *end)
{
    struct out out;

    out_init(&out, &records_arena);
    for (; *text != '\0'; text++)
        out_add(&out, *text == '\n' ? end : (const char[]){*text, '\0'});
    return out.text;
}

Test(record, lines_end_in_any_way)
{
    static const char *const names[] = {"game.kif", "game.ki2", "game.v22.csa",   "game.v3.csa",
                                        "game.usi", "game.jkf", "game.shougi.txt"};

    for (size_t i = 0; i < 7; i++) {
        const char *text = file_text(names[i]);
        struct record crlf = records_read(with_line_ends(text, "\r\n"), NULL);
        struct record cr = records_read(with_line_ends(text, "\r"), NULL);
        struct record none = records_read(arena_copy(&records_arena, text, strlen(text) - 1), NULL);

        is_example(&crlf);
        is_example(&cr);
        is_example(&none);
    }
}

Test(record, a_text_that_looks_like_no_format_is_refused)
{
    cr_assert_eq(records_error("hello", NULL).code, PROBLEM_UNKNOWN_FORMAT);
    cr_assert_eq(records_error("", NULL).code, PROBLEM_UNKNOWN_FORMAT);
    cr_assert_eq(records_error(" \r\n", NULL).code, PROBLEM_UNKNOWN_FORMAT);
}

Test(record, more_than_a_mebibyte_is_refused)
{
    char *big = arena_alloc(&records_arena, RECORD_BYTES_MAX + 2);
    struct record record;
    struct record_error error;

    memset(big, ' ', RECORD_BYTES_MAX + 1);
    cr_assert_not(
        record_read(&records_arena, big, RECORD_BYTES_MAX + 1, NULL, NULL, &record, &error));
}

Test(record, the_game_must_be_the_one_that_is_expected)
{
    struct record_hint hint = {.game = rules_find("turkish-draughts")};
    const char *text = file_text("game.kif");
    struct record record;
    struct record_error error;

    cr_assert_not(record_read(&records_arena, text, strlen(text), NULL, &hint, &record, &error));
}

/* ---- ends ---- */

static struct record ended(enum record_end end, unsigned winner)
{
    struct record record = records_game("shogi", "", "7g7f 3c3d");

    record.ending.outcome = (struct record_outcome){end, RULES_REASON_NONE, winner, false};
    return record;
}

/* The last line of a text. */
static const char *last_line(const char *text)
{
    char *copy = arena_copy(&records_arena, text, strlen(text) - 1), *line = strrchr(copy, '\n');

    return line == NULL ? copy : line + 1;
}

static void ends_as(const struct record *record, const char *kif, const char *ki2, const char *csa)
{
    cr_assert_str_eq(last_line(records_write(record, "kif")),
                     arena_format(&records_arena, "%4zu %s", record->nmoves + 1, kif));
    cr_assert_str_eq(last_line(records_write(record, "ki2")),
                     arena_format(&records_arena, "まで%zu手で%s", record->nmoves, ki2));
    cr_assert_str_eq(last_line(records_write(record, "csa")), csa);
}

Test(record, each_end_has_its_word)
{
    struct record record = ended(RECORD_RESIGNED, 2);

    ends_as(&record, "投了", "後手の勝ち", "%TORYO");
    record = ended(RECORD_TIMEOUT, 2);
    ends_as(&record, "切れ負け", "時間切れにより後手の勝ち", "%TIME_UP");
    record = ended(RECORD_AGREED, 0);
    ends_as(&record, "持将棋", "持将棋", "%JISHOGI");
    record = ended(RECORD_ABORTED, 0);
    ends_as(&record, "中断", "中断", "%CHUDAN");
    record = ended(RECORD_FOUL, 2);
    ends_as(&record, "反則負け", "先手の反則負け", "%ILLEGAL_MOVE");
    record = ended(RECORD_FOUL, 1);
    ends_as(&record, "反則勝ち", "先手の反則勝ち", "%-ILLEGAL_ACTION");
}

Test(record, a_game_that_goes_on_has_no_end_in_any_format)
{
    struct record record = ended(RECORD_OPEN, 0);

    cr_assert_str_eq(last_line(records_write(&record, "kif")), "   2 ３四歩(33)");
    cr_assert_str_eq(last_line(records_write(&record, "ki2")), "▲７六歩    △３四歩");
    cr_assert_str_eq(last_line(records_write(&record, "csa")), "-3334FU");
    cr_assert_null(strstr(records_write(&record, "jkf"), "special"));
    cr_assert_str_eq(records_write(&record, "usen"), "~0.7ku2jm.\n");
}

Test(record, mate_and_repetition_are_named)
{
    struct record mate = records_game("shogi", "start=ten-piece", "5a4b"), repeated;

    repeated = records_game("shogi", "repetition=2", "2h3h 8b7b 3h2h 7b8b");
    cr_assert_eq(repeated.ending.outcome.reason, RULES_REASON_REPETITION);
    ends_as(&repeated, "千日手", "千日手", "%SENNICHITE");
    mate.ending.outcome =
        (struct record_outcome){RECORD_BY_RULES, RULES_REASON_CHECKMATE, 2, false};
    ends_as(&mate, "詰み", "詰み", "%TSUMI");
}

Test(record, a_resignation_out_of_turn_is_kept)
{
    static const char *const formats[] = {"kif", "ki2", "csa", "csa3", "jkf", "text", "json"};
    struct record record = ended(RECORD_RESIGNED, 1);

    for (size_t i = 0; i < 7; i++) {
        struct record read = records_read(records_write(&record, formats[i]), NULL);

        cr_assert_eq(read.ending.outcome.end, RECORD_RESIGNED, "%s", formats[i]);
        cr_assert_eq(read.ending.outcome.winner, 1, "%s", formats[i]);
    }
}

Test(record, resigning_after_mate_is_mate)
{
    struct record record = records_read("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b "
                                        "resign",
                                        NULL);

    cr_assert_eq(record.ending.outcome.end, RECORD_BY_RULES);
    cr_assert_eq(record.ending.outcome.reason, RULES_REASON_CHECKMATE);
    cr_assert(record.ending.outcome.confirmed);
    cr_assert_str_eq(record.ending.word, "resign");
}

Test(record, a_win_that_the_rules_do_not_grant_is_only_told)
{
    struct record record = records_read("V2.2\nPI\n+\n+7776FU\n%KACHI\n", NULL);

    cr_assert_eq(record.ending.outcome.reason, RULES_REASON_IMPASSE);
    cr_assert_eq(record.ending.outcome.winner, 2);
    cr_assert_not(record.ending.outcome.confirmed);
}

/* ---- starts ---- */

Test(record, every_handicap_goes_by_its_name_in_every_format)
{
    static const char *const formats[] = {"kif", "ki2", "csa", "csa3", "jkf", "usi", "text"};
    const struct rules_option *start = &rules_find("shogi")->options[4];

    for (size_t i = 0; start->choices[i] != NULL; i++) {
        const char *option = arena_format(&records_arena, "start=%s", start->choices[i]);
        struct record record = records_game("shogi", option, "");

        for (size_t j = 0; j < 7; j++) {
            struct record read = records_read(records_write(&record, formats[j]), formats[j]);

            cr_assert_str_eq(read.start, record.start, "%s %s", option, formats[j]);
            cr_assert_eq(read.options.value[4], (int32_t)i, "%s %s", option, formats[j]);
        }
    }
}

Test(record, a_handicap_has_lower_and_upper_hand)
{
    struct record record = records_game("shogi", "start=two-piece", "5a4b");

    record.name[0] = "Ada";
    record.ending.outcome = (struct record_outcome){RECORD_RESIGNED, RULES_REASON_NONE, 2, false};
    cr_assert_str_eq(records_write(&record, "ki2"),
                     "下手：Ada\n手合割：二枚落ち\n△４二玉\nまで1手で上手の勝ち\n");
}

Test(record, the_rarer_handicaps_are_read)
{
    cr_assert_str_eq(records_read("手合割：五枚落ち\nまで0手で中断\n", NULL).start,
                     "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
}

static const char custom[] =
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 7";

Test(record, any_position_is_a_start_in_every_format)
{
    static const char *const formats[] = {"kif", "ki2",  "csa",  "csa3", "jkf",
                                          "usi", "sfen", "text", "json"};
    struct record record =
        records_read(arena_format(&records_arena, "position sfen %s", custom), NULL);

    for (size_t i = 0; i < 9; i++)
        cr_assert_str_eq(records_read(records_write(&record, formats[i]), formats[i]).start, custom,
                         "%s", formats[i]);
}

Test(record, shougi_knows_only_the_even_start)
{
    struct record record = records_game("shogi", "start=bishop", "");
    struct record_error error;
    struct out out;

    out_init(&out, &records_arena);
    cr_assert_not(record_write(record_find_format("shougi"), &record, NULL, &out, &error));
    cr_assert_eq(error.code, PROBLEM_CANNOT_EXPORT);
}

Test(record, options_go_with_the_record)
{
    struct record record = records_game("shogi", "rules=casual", "7g7f 3c3d 8h3c+");
    struct record read = records_read(records_write(&record, "kif"), NULL);

    cr_assert_eq(read.options.value[0], 1);
    cr_assert_str_eq(records_write(&read, "kif"), records_write(&record, "kif"));
}

/* ---- what no record has ---- */

Test(record, a_name_stays_on_its_line)
{
    struct record record = records_game("shogi", "", "");

    record.name[0] = " Ada\nV2.2\r\n ";
    cr_assert_str_eq(records_read(records_write(&record, "csa"), NULL).name[0], "Ada V2.2");
    cr_assert_str_eq(records_read(records_write(&record, "kif"), NULL).name[0], "Ada V2.2");
}

Test(record, more_moves_than_any_game_has_are_refused)
{
    struct out out;

    out_init(&out, &records_arena);
    out_add(&out, "position startpos moves");
    for (int i = 0; i < 1100; i++)
        out_add(&out, " 2h3h 8b7b 3h2h 7b8b");
    {
        struct rules_options options;
        struct rules_refusal why;
        struct record_hint hint = {.options = &options};
        struct record record;
        struct record_error error;

        rules_options_init(&options);
        rules_option_set(rules_find("shogi"), &options, "repetition", "0", &why);
        cr_assert_not(record_read(&records_arena, out.text, out.len, NULL, &hint, &record, &error));
        cr_assert_not_null(strstr(error.detail, "4094"));
        cr_assert_eq(record.nmoves, RECORD_MOVES_MAX);
    }
}
