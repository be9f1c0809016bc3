/* test_record_words.c - what each word of the formats means, and which word is written for an end.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "api/record/csa_words.h"
#include "api/record/ends.h"
#include "api/record/formats.h"
#include "api/record/handicap.h"
#include "api/record/headers.h"
#include "api/record/kif_ki2.h"
#include "api/record/pdn.h"
#include "api/record/times.h"
#include "tests/unit/records.h"

TestSuite(record_meanings, .fini = records_free);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* An end in the words of the API, and who won; seat 1 is to move. */
static void assert_means(const struct record_outcome *outcome, const char *end, unsigned winner,
                         const char *text)
{
    const char *told = record_end_text(outcome);

    cr_expect_str_eq(told == NULL ? "open" : told, end, "%s: %s", text, told);
    cr_expect_eq(outcome->winner, winner, "%s: %u", text, outcome->winner);
}

Test(record_meanings, each_word_for_an_end_is_read)
{
    static const struct {
        const struct record_word *words;
        const char *word, *end;
        unsigned winner;
    } rows[] = {
        {record_kif_words, "投了", "resign", 2},
        {record_kif_words, "中断", "open", 0},
        {record_kif_words, "千日手", "repetition", 0},
        {record_kif_words, "持将棋", "agreement", 0},
        {record_kif_words, "詰み", "checkmate", 2},
        {record_kif_words, "詰", "checkmate", 2},
        {record_kif_words, "切れ負け", "timeout", 2},
        {record_kif_words, "時間切れ", "timeout", 2},
        {record_kif_words, "Time-up", "timeout", 2},
        {record_kif_words, "反則負け", "foul", 2},
        {record_kif_words, "反則勝ち", "foul", 1},
        {record_kif_words, "反則手", "foul", 2},
        {record_kif_words, "入玉勝ち", "impasse", 1},
        {record_kif_words, "不戦勝", "forfeit", 1},
        {record_kif_words, "不戦敗", "forfeit", 2},
        {record_kif_words, "封じ手", "open", 0},
        {record_kif_words, "不詰", "open", 0},
        {record_csa_words, "TORYO", "resign", 2},
        {record_csa_words, "CHUDAN", "open", 0},
        {record_csa_words, "SENNICHITE", "repetition", 0},
        {record_csa_words, "TIME_UP", "timeout", 2},
        {record_csa_words, "ILLEGAL_MOVE", "foul", 2},
        {record_csa_words, "+ILLEGAL_ACTION", "foul", 2},
        {record_csa_words, "-ILLEGAL_ACTION", "foul", 1},
        {record_csa_words, "JISHOGI", "agreement", 0},
        {record_csa_words, "HIKIWAKE", "agreement", 0},
        {record_csa_words, "KACHI", "impasse", 1},
        {record_csa_words, "TSUMI", "checkmate", 2},
        {record_csa_words, "MAX_MOVES", "max_plies", 0},
        {record_csa_words, "MATTA", "open", 0},
        {record_csa_words, "FUZUMI", "open", 0},
        {record_csa_words, "ERROR", "open", 0},
        {record_pdn_results, "1-0", "resign", 1},
        {record_pdn_results, "0-1", "resign", 2},
        {record_pdn_results, "1/2-1/2", "agreement", 0},
        {record_pdn_results, "*", "open", 0},
        {record_pdn_results, "2-0", "resign", 1},
        {record_pdn_results, "0-2", "resign", 2},
        {record_pdn_results, "1-1", "agreement", 0},
        {record_usi_words, "resign", "resign", 2},
        {record_usi_words, "win", "impasse", 1},
        {record_usen_words, "r", "resign", 2},
        {record_usen_words, "t", "timeout", 2},
        {record_usen_words, "j", "agreement", 0},
        {record_usen_words, "p", "open", 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct record_word *word =
            record_find_word(rows[i].words, rows[i].word, strlen(rows[i].word));
        struct record_outcome outcome;

        cr_expect_not_null(word, "%s", rows[i].word);
        if (word == NULL)
            continue;
        outcome = record_word_outcome(word, 1);
        assert_means(&outcome, rows[i].end, rows[i].winner, rows[i].word);
    }
}

Test(record_meanings, each_end_has_the_word_that_tells_most_of_it)
{
    static const struct {
        const struct record_word *words;
        const char *end;
        unsigned winner;
        const char *word;
    } rows[] = {
        {record_kif_words, "resign", 2, "投了"},
        {record_kif_words, "agreement", 0, "持将棋"},
        {record_kif_words, "max_plies", 0, "持将棋"},
        {record_kif_words, "repetition", 0, "千日手"},
        {record_kif_words, "checkmate", 2, "詰み"},
        {record_kif_words, "stalemate", 2, "詰み"},
        {record_kif_words, "king_captured", 2, "詰み"},
        {record_kif_words, "timeout", 2, "切れ負け"},
        {record_kif_words, "foul", 2, "反則負け"},
        {record_kif_words, "foul", 1, "反則勝ち"},
        {record_kif_words, "perpetual_check", 2, "反則負け"},
        {record_kif_words, "perpetual_check", 1, "反則勝ち"},
        {record_kif_words, "impasse", 1, "入玉勝ち"},
        {record_kif_words, "forfeit", 1, "不戦勝"},
        {record_kif_words, "forfeit", 2, "不戦敗"},
        {record_kif_words, "aborted", 0, "中断"},
        {record_csa_words, "resign", 2, "TORYO"},
        {record_csa_words, "agreement", 0, "JISHOGI"},
        {record_csa_words, "max_plies", 0, "MAX_MOVES"},
        {record_csa_words, "repetition", 0, "SENNICHITE"},
        {record_csa_words, "checkmate", 2, "TSUMI"},
        {record_csa_words, "stalemate", 2, "TSUMI"},
        {record_csa_words, "king_captured", 2, "TSUMI"},
        {record_csa_words, "timeout", 2, "TIME_UP"},
        {record_csa_words, "foul", 2, "ILLEGAL_MOVE"},
        {record_csa_words, "foul", 1, "-ILLEGAL_ACTION"},
        {record_csa_words, "perpetual_check", 2, "+ILLEGAL_ACTION"},
        {record_csa_words, "perpetual_check", 1, "-ILLEGAL_ACTION"},
        {record_csa_words, "impasse", 1, "KACHI"},
        {record_csa_words, "forfeit", 2, "TORYO"},
        {record_csa_words, "forfeit", 1, "-ILLEGAL_ACTION"},
        {record_csa_words, "aborted", 0, "CHUDAN"},
        {record_usen_words, "agreement", 0, "j"},
        {record_usen_words, "max_plies", 0, "j"},
        {record_usen_words, "timeout", 2, "t"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct record_outcome outcome, said;

        cr_assert(record_set_end(&outcome, rows[i].end, rows[i].winner), "%s", rows[i].end);
        cr_expect_str_eq(record_choose_word(&outcome, rows[i].words, 1, &said), rows[i].word,
                         "%s by %u", rows[i].end, rows[i].winner);
    }
}

Test(record_meanings, a_sentence_tells_how_it_ended_and_who_won)
{
    static const struct {
        const char *text, *end;
        unsigned winner;
    } rows[] = {
        {"中断", "open", 0},
        {"封じ手", "open", 0},
        {"不詰", "open", 0},
        {"千日手", "repetition", 0},
        {"持将棋", "agreement", 0},
        {"入玉により後手の勝ち", "impasse", 2},
        {"後手の反則負け", "foul", 1},
        {"先手の反則により後手の勝ち", "foul", 2},
        {"後手の不戦勝", "forfeit", 2},
        {"不戦により先手の勝ち", "forfeit", 1},
        {"詰", "checkmate", 2},
        {"詰みにより先手の勝ち", "checkmate", 1},
        {"後手の切れ負け", "timeout", 1},
        {"時間切れにより後手の勝ち", "timeout", 2},
        {"投了", "resign", 2},
        {"先手の勝ち", "resign", 1},
        {"後手の勝ち", "resign", 2},
        {"下手の勝ち", "resign", 1},
        {"上手の勝ち", "resign", 2},
        {"勝ち", "open", 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct record_outcome outcome = record_kif_ki2_sentence(rows[i].text, 1);

        assert_means(&outcome, rows[i].end, rows[i].winner, rows[i].text);
    }
}

Test(record_meanings, each_header_has_its_name_in_each_format)
{
    static const char *const rows[][4] = {{"event", "棋戦", "EVENT", "Event"},
                                          {"site", "場所", "SITE", "Site"},
                                          {"round", "回戦", "ROUND", "Round"},
                                          {"time_limit", "持ち時間", "TIME_LIMIT", "TimeControl"},
                                          {"opening", "戦型", "OPENING", "Opening"}};
    static const enum record_column columns[] = {RECORD_COLUMN_KIF, RECORD_COLUMN_CSA,
                                                 RECORD_COLUMN_PDN};

    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t c = 0; c < 3; c++) {
            cr_expect_str_eq(record_header_name(columns[c], rows[i][0]), rows[i][c + 1]);
            cr_expect_str_eq(record_header_key(columns[c], rows[i][c + 1]), rows[i][0]);
        }
}

/* As the formats name them, and what Gote lacks. */
Test(record_meanings, each_handicap_has_its_names)
{
    static const struct {
        const char *kif, *jkf, *camp;
        bool rare;
    } rows[] = {
        {"平手", "HIRATE", "lnsgkgsnl/1r5b1", false},
        {"香落ち", "KY", "lnsgkgsn1/1r5b1", false},
        {"右香落ち", "KY_R", "1nsgkgsnl/1r5b1", false},
        {"角落ち", "KA", "lnsgkgsnl/1r7", false},
        {"飛車落ち", "HI", "lnsgkgsnl/7b1", false},
        {"飛香落ち", "HIKY", "lnsgkgsn1/7b1", false},
        {"二枚落ち", "2", "lnsgkgsnl/9", false},
        {"三枚落ち", "3", "lnsgkgsn1/9", true},
        {"四枚落ち", "4", "1nsgkgsn1/9", false},
        {"五枚落ち", "5", "2sgkgsn1/9", true},
        {"左五枚落ち", "5_L", "1nsgkgs2/9", true},
        {"六枚落ち", "6", "2sgkgs2/9", false},
        {"右七枚落ち", "7_R", "3gkgs2/9", true},
        {"左七枚落ち", "7_L", "2sgkg3/9", true},
        {"八枚落ち", "8", "3gkg3/9", false},
        {"十枚落ち", "10", "4k4/9", false},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct record_handicap *handicap = record_handicap_of_kif(rows[i].kif);

        cr_assert_not_null(handicap, "%s", rows[i].kif);
        cr_expect_eq(record_handicap_of_jkf(rows[i].jkf), handicap, "%s", rows[i].jkf);
        cr_expect_str_eq(handicap->camp, rows[i].camp, "%s", rows[i].kif);
        cr_expect_eq(handicap->rare, rows[i].rare, "%s", rows[i].kif);
    }
}

/* ---- the time that a game gives ---- */

enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

Test(record_meanings, the_time_of_a_game_is_told_in_the_words_of_each_format)
{
    static const struct {
        const char *format, *text; /* NULL: it has no words for that */
        int initial_s, period_s, periods, increment_s, move_s;
    } rows[] = {
        {"kif", "10分+30秒×3", 10 * MINUTE, 30, 3, 0, 0},
        {"ki2", "10分+30秒", 10 * MINUTE, 30, 1, 0, 0},
        {"jkf", "1時間+10秒加算", HOUR, 0, 0, 10, 0},
        {"kif", "1手3日", 0, 0, 0, 0, 3 * DAY},
        {"kif", "1日2時間3分4秒", DAY + 2 * HOUR + 3 * MINUTE + 4, 0, 0, 0, 0},
        {"kif", "0分+30秒", 0, 30, 1, 0, 0},
        {"csa", "00:10+30", 10 * MINUTE, 30, 1, 0, 0},
        {"csa", "36:05+00", 36 * HOUR + 5 * MINUTE, 0, 0, 0, 0},
        {"csa", "00:00+259200", 0, 0, 0, 0, 3 * DAY},
        {"csa", NULL, 10 * MINUTE, 30, 3, 0, 0},
        {"csa", NULL, HOUR, 0, 0, 10, 0},
        {"csa", NULL, 10 * MINUTE + 30, 0, 0, 0, 0},
        {"csa3", "600+30+0", 10 * MINUTE, 30, 1, 0, 0},
        {"csa3", "3600+0+10", HOUR, 0, 0, 10, 0},
        {"csa3", "0+259200+0", 0, 0, 0, 0, 3 * DAY},
        {"csa3", NULL, 10 * MINUTE, 30, 3, 0, 0},
        {"pdn", "3600+10", HOUR, 0, 0, 10, 0},
        {"pdn", "600", 10 * MINUTE, 0, 0, 0, 0},
        {"pdn-numeric", "1/259200", 0, 0, 0, 0, 3 * DAY},
        {"pdn", NULL, 10 * MINUTE, 30, 1, 0, 0},
        {"text", "10m + 3 x 30s", 10 * MINUTE, 30, 3, 0, 0},
        {"text", "1h + 10s a move", HOUR, 0, 0, 10, 0},
        {"text", "3d a move", 0, 0, 0, 0, 3 * DAY},
        {"text", "36h", 36 * HOUR, 0, 0, 0, 0},
        {"text", "90s", 90, 0, 0, 0, 0},
        {"text", "0s + 1 x 30s", 0, 30, 1, 0, 0},
        {"text", NULL, 0, 0, 0, 0, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct record record = {.time = {.initial_us = rows[i].initial_s * INT64_C(1000000),
                                         .period_us = rows[i].period_s * INT64_C(1000000),
                                         .periods = rows[i].periods,
                                         .increment_us = rows[i].increment_s * INT64_C(1000000),
                                         .move_us = rows[i].move_s * INT64_C(1000000)}};
        const char *text =
            record_time_limit(&records_arena, record_find_format(rows[i].format), &record);

        cr_expect(text == NULL ? rows[i].text == NULL
                               : rows[i].text != NULL && strcmp(text, rows[i].text) == 0,
                  "%s: %s, not %s", rows[i].format, text, rows[i].text);
    }
}

/* It stopped at a mate without a word for it. */
Test(record_meanings, an_end_of_which_a_record_was_silent_is_told_in_other_formats_alone)
{
    struct record record = records_game("shogi", "", "7g7f 3c3d 2g2f");

    record.ending.outcome =
        (struct record_outcome){RECORD_BY_RULES, RULES_REASON_CHECKMATE, 1, true};
    record.ending.silent = true;
    record.format = record_find_format("kif");
    cr_expect_null(strstr(records_write(&record, "kif"), "詰み"));
    cr_expect_not_null(strstr(records_write(&record, "csa"), "%TSUMI"));
}
