/* test_record_parts.c - what the formats of records share, each part alone. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/record/csa_words.h"
#include "api/record/ends.h"
#include "api/record/facts.h"
#include "api/record/handicap.h"
#include "api/record/headers.h"
#include "api/record/kif_ki2.h"
#include "api/record/lines.h"
#include "api/record/reader.h"
#include "api/record/record.h"
#include "api/record/times.h"
#include "api/record/writer.h"
#include "tests/unit/records.h"

TestSuite(record_lines, .fini = records_free);
TestSuite(record_times, .fini = records_free);
TestSuite(record_charset, .fini = records_free);
TestSuite(record_ends, .fini = records_free);
TestSuite(record_check, .fini = records_free);
TestSuite(record_detect, .fini = records_free);
TestSuite(record_facts, .fini = records_free);
TestSuite(record_words, .fini = records_free);
TestSuite(record_reading, .fini = records_free);
TestSuite(record_writing, .fini = records_free);

static char *copy(const char *text)
{
    return arena_copy(&records_arena, text, strlen(text));
}

/* ---- characters, blanks and lines ---- */

Test(record_lines, characters_have_one_to_four_bytes)
{
    cr_assert_eq(record_char_length("a"), 1);
    cr_assert_eq(record_char_length("ñ"), 2);
    cr_assert_eq(record_char_length("歩"), 3);
    cr_assert_eq(record_char_length("\xf0\x9f\x90\x89"), 4);
}

Test(record_lines, a_word_is_taken_only_if_it_stands_there)
{
    const char *at = "成銀(77)";

    cr_assert_not(record_take(&at, "銀"));
    cr_assert(record_take(&at, "成"));
    cr_assert_str_eq(at, "銀(77)");
}

Test(record_lines, blanks_are_those_of_ascii_and_of_japanese)
{
    const char *at = " \t　x ";

    record_skip_blanks(&at);
    cr_assert_str_eq(at, "x ");
    cr_assert_str_eq(record_trim(&records_arena, "\xef\xbb\xbf　 a　b \t"), "a　b");
    cr_assert_str_eq(record_trim(&records_arena, " 　"), "");
}

Test(record_lines, one_line_has_no_control_characters)
{
    cr_assert_str_eq(record_one_line(&records_arena, "\na\r\nb\x7f\tc\n"), "a  b  c");
    cr_assert_null(record_one_line(&records_arena, "\n 　"));
    cr_assert_null(record_one_line(&records_arena, NULL));
}

Test(record_lines, a_text_falls_into_lines_however_they_end)
{
    const char *at = "a\r\nb\rc\n\nd";
    static const char *const lines[] = {"a", "b", "c", "", "d"};

    for (size_t i = 0; i < 5; i++)
        cr_assert_str_eq(record_text_line(&records_arena, &at), lines[i]);
    cr_assert_null(record_text_line(&records_arena, &at));
}

/* ---- times ---- */

static int64_t time_of(const char *text)
{
    int64_t us = RECORD_NO_TIME;

    cr_assert(record_read_time(text, &us), "%s", text);
    return us;
}

Test(record_times, are_written_with_the_date_alone_at_midnight)
{
    cr_assert_str_eq(record_time_text(&records_arena, INT64_C(1577934245000000), '/'),
                     "2020/01/02 03:04:05");
    cr_assert_str_eq(record_time_text(&records_arena, INT64_C(1577923200000000), '.'),
                     "2020.01.02");
}

Test(record_times, lose_nothing_where_they_are_exact)
{
    static const int64_t times[] = {0, 1, -1, INT64_C(1577934245678901),
                                    INT64_C(-62135596800000000)};

    for (size_t i = 0; i < 5; i++)
        cr_assert_eq(time_of(record_time_exact(&records_arena, times[i])), times[i]);
    cr_assert_str_eq(record_time_exact(&records_arena, -1), "1969-12-31T23:59:59.999999Z");
}

Test(record_times, are_read_as_other_programs_write_them)
{
    cr_assert_eq(time_of("2020/01/02(木) 03:04:05"), INT64_C(1577934245000000));
    cr_assert_eq(time_of("2020-1-2T3:04:05.5Z"), INT64_C(1577934245500000));
    cr_assert_eq(time_of("2020.01.02"), INT64_C(1577923200000000));
    cr_assert_eq(time_of("2020/01/02 03:04"), INT64_C(1577934240000000));
    cr_assert_eq(time_of("2024/02/29"), INT64_C(1709164800000000));
    cr_assert_eq(time_of("2000/02/29"), INT64_C(951782400000000));
    cr_assert_eq(time_of("2020/01/02\t \t03:04"), INT64_C(1577934240000000));
}

Test(record_times, that_do_not_exist_are_refused)
{
    static const char *const texts[] = {"2023/02/29",       "1900/02/29", "2020/13/01",
                                        "2020/00/01",       "2020/04/31", "0000/01/01",
                                        "2020/01/02 24:00", "2020",       "2020/01/02 03",
                                        "2020/01/02 x",     "",           "2020/01/02 03:60"};
    int64_t us;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        cr_assert_not(record_read_time(texts[i], &us), "%s", texts[i]);
}

Test(record_times, of_requests_have_an_offset_or_are_in_utc)
{
    static const struct {
        const char *text;
        int64_t us;
    } rows[] = {{"2020-01-02T03:04:05Z", INT64_C(1577934245000000)},
                {"2020-01-02t03:04:05.000006z", INT64_C(1577934245000006)},
                {"2020-01-02T12:34:05.5+09:30", INT64_C(1577934245500000)},
                {"2020-01-01T22:04:05-05:00", INT64_C(1577934245000000)},
                {"2020-01-02 03:04:05 00:00", INT64_C(1577934245000000)}, /* + in a query */
                {"2020-01-02T03:04", INT64_C(1577934240000000)},
                {"2020-01-02T03:04+01:00", INT64_C(1577930640000000)},
                {"2020-01-02", INT64_C(1577923200000000)},
                {"0001-01-01T00:00:00+23:59", INT64_C(-62135683140000000)}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int64_t us;

        cr_assert(record_read_date_time(rows[i].text, &us), "%s", rows[i].text);
        cr_assert_eq(us, rows[i].us, "%s", rows[i].text);
    }
}

Test(record_times, of_requests_are_those_of_the_standard_alone)
{
    static const char *const texts[] = {
        "",
        "now",
        "2020",
        "2020-01",
        "2020-1-2T03:04:05Z",
        "20200102",
        "2020/01/02",
        "2020-01-02(",
        "2020-01-02(Thu) 03:04",
        "2020-01-02Z",
        "2020-01-02T",
        "2020-01-02T03Z",
        "2020-01-02T3:04Z",
        "2020-01-02T03:04:",
        "2020-01-02T03:04:05.Z",
        "2020-01-02T03:04:05+0900",
        "2020-01-02T03:04:05+09",
        "2020-01-02T03:04:05+24:00",
        "2020-01-02T03:04:05+09:60",
        "2020-01-02T03:04:05ZZ",
        "2020-01-02T03:04:05Z ",
        "2020-01-02T24:00:00Z",
        "2020-01-02T03:04:60Z",
        "2023-02-29T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "-2020-01-02",
        "12020-01-02",
    };
    int64_t us;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        cr_assert_not(record_read_date_time(texts[i], &us), "%s", texts[i]);
}

Test(record_words, headers_have_a_name_in_each_format)
{
    cr_assert_str_eq(record_header_name(RECORD_COLUMN_KIF, "event"), "棋戦");
    cr_assert_str_eq(record_header_name(RECORD_COLUMN_CSA, "time_limit"), "TIME_LIMIT");
    cr_assert_str_eq(record_header_key(RECORD_COLUMN_PDN, "TimeControl"), "time_limit");
    cr_assert_str_eq(record_header_key(RECORD_COLUMN_PDN, "棋戦"), "棋戦");
    cr_assert_str_eq(record_header_name(RECORD_COLUMN_PDN, "備考"), "備考");
}

/* ---- encodings ---- */

static const char *decoded_as(bool western, const char *bytes, size_t len, const char **charset)
{
    struct record_error error = {.code = PROBLEM_NONE};
    size_t out_len = 0;
    const char *text =
        record_decode(&records_arena, bytes, len, western, &out_len, charset, &error);

    cr_assert_eq(text == NULL, error.code == PROBLEM_BAD_ENCODING);
    cr_assert(text == NULL || strlen(text) == out_len);
    return text;
}

static const char *decoded(const char *bytes, size_t len, const char **charset)
{
    return decoded_as(false, bytes, len, charset);
}

Test(record_charset, text_that_is_utf_8_is_taken_for_it)
{
    const char *charset = NULL;

    cr_assert_str_eq(decoded("\xef\xbb\xbf歩", 6, &charset), "歩");
    cr_assert_str_eq(charset, "UTF-8");
    cr_assert_str_eq(decoded("", 0, &charset), "");
    cr_assert_str_eq(charset, "UTF-8");
}

Test(record_charset, anything_else_is_shift_jis_if_it_can_be)
{
    const char *charset = NULL;

    cr_assert_str_eq(decoded("\x95\xe0 7", 4, &charset), "歩 7");
    cr_assert_str_eq(charset, "Shift_JIS");
    cr_assert_null(decoded("\x95", 1, &charset), "half a character");
    cr_assert_null(decoded("\xfd\xfe\xff", 3, &charset));
}

Test(record_charset, euc_jp_is_told_from_shift_jis)
{
    const char *charset = NULL;

    cr_assert_str_eq(decoded("\xbc\xea\xb9\xe7\xb3\xe4", 6, &charset), "手合割");
    cr_assert_str_eq(charset, "EUC-JP");
}

Test(record_charset, turkish_names_are_not_japanese)
{
    const char *charset = NULL;

    cr_assert_str_eq(decoded_as(true,
                                "\xde"
                                "im\xfe"
                                "ek G\xfcl\xf0\xfdn",
                                13, &charset),
                     "Şimşek Gülğın");
    cr_assert_str_eq(charset, "Windows-1254");
}

Test(record_charset, characters_for_private_use_are_refused)
{
    const char *charset = NULL;

    cr_assert_null(decoded("\xf0\x40", 2, &charset));
}

Test(record_charset, utf_16_and_nul_are_refused)
{
    const char *charset;

    cr_assert_null(decoded("\xff\xfe"
                           "a",
                           3, &charset));
    cr_assert_null(decoded("\xfe\xff"
                           "a",
                           3, &charset));
    cr_assert_null(decoded("a\0b", 3, &charset));
}

Test(record_charset, shift_jis_has_its_own_wave_and_geta_for_what_it_lacks)
{
    const char *charset;
    const char *bytes = record_to_shift_jis(&records_arena, "歩\u301c☗\u2616\xf0\x9f\x90\x89x");

    cr_assert_str_eq(bytes, "\x95\xe0\x81\x60\x81\xa3\x81\xa2\x81\xacx");
    cr_assert_str_eq(decoded(bytes, strlen(bytes), &charset), "歩～▲△〓x");
}

/* ---- ends ---- */

Test(record_ends, every_end_has_a_word_that_is_read_back)
{
    for (unsigned end = RECORD_RESIGNED; end < RECORD_ENDS; end++) {
        struct record_outcome outcome = {(enum record_end)end, RULES_REASON_NONE, 1, false}, read;

        cr_assert(record_set_end(&read, record_end_text(&outcome), 1));
        cr_assert(record_same_end(&read, &outcome));
    }
    for (unsigned reason = RULES_REASON_NONE + 1; reason < RULES_REASONS; reason++) {
        struct record_outcome outcome = {RECORD_BY_RULES, (enum rules_reason)reason, 2, false},
                              read;

        cr_assert(record_set_end(&read, record_end_text(&outcome), 2));
        cr_assert(record_same_end(&read, &outcome));
    }
}

Test(record_ends, an_open_game_has_no_word)
{
    struct record_outcome open = {RECORD_OPEN, RULES_REASON_NONE, 0, false};

    cr_assert_null(record_end_text(&open));
    cr_assert_not(record_set_end(&open, "open", 0));
    cr_assert_not(record_set_end(&open, "", 0));
    cr_assert_not(record_set_end(&open, "rain", 0));
}

Test(record_ends, ends_are_the_same_with_reason_and_winner)
{
    struct record_outcome mate = {RECORD_BY_RULES, RULES_REASON_CHECKMATE, 1, true}, other = mate;

    other.confirmed = false;
    cr_assert(record_same_end(&mate, &other));
    other.winner = 2;
    cr_assert_not(record_same_end(&mate, &other));
    other = mate;
    other.reason = RULES_REASON_STALEMATE;
    cr_assert_not(record_same_end(&mate, &other));
    other = mate;
    other.end = RECORD_RESIGNED;
    cr_assert_not(record_same_end(&mate, &other));
}

Test(record_ends, some_ends_need_a_winner)
{
    static const enum record_end won[] = {RECORD_RESIGNED, RECORD_TIMEOUT, RECORD_FOUL,
                                          RECORD_FORFEIT};
    static const enum record_end not_won[] = {RECORD_OPEN, RECORD_AGREED, RECORD_ABORTED};
    struct record_outcome outcome;

    for (size_t i = 0; i < 4; i++) {
        outcome = (struct record_outcome){.end = won[i]};
        cr_assert_not(record_has_winner(&outcome));
        outcome.winner = 1;
        cr_assert(record_has_winner(&outcome));
    }
    for (size_t i = 0; i < 3; i++) {
        outcome = (struct record_outcome){.end = not_won[i]};
        cr_assert(record_has_winner(&outcome));
    }
}

/* Of the ends by the rules, those after which one side has lost. The others may be draws. */
Test(record_ends, some_ends_by_the_rules_need_a_winner)
{
    static const bool won[RULES_REASONS] = {
        [RULES_REASON_CHECKMATE] = true,
        [RULES_REASON_KING_CAPTURED] = true,
        [RULES_REASON_PERPETUAL_CHECK] = true,
        [RULES_REASON_LINE] = true,
        [RULES_REASON_DEN] = true,
        [RULES_REASON_ALL_CAPTURED] = true,
        [RULES_REASON_NO_PIECES] = true,
    };

    for (unsigned reason = RULES_REASON_NONE + 1; reason < RULES_REASONS; reason++) {
        struct record_outcome outcome = {RECORD_BY_RULES, (enum rules_reason)reason, 0, false};

        cr_expect_eq(record_has_winner(&outcome), !won[reason], "%s",
                     rules_reason_text(outcome.reason));
        outcome.winner = 2;
        cr_expect(record_has_winner(&outcome), "%s", rules_reason_text(outcome.reason));
    }
}

static const struct record_word words[] = {
    {"gives up", RECORD_RESIGNED, RULES_REASON_NONE, MOVER_LOSES},
    {"is late", RECORD_TIMEOUT, RULES_REASON_NONE, MOVER_LOSES},
    {"first fouls", RECORD_FOUL, RULES_REASON_NONE, SECOND_WINS},
    {"mate", RECORD_BY_RULES, RULES_REASON_CHECKMATE, MOVER_LOSES},
    {"mate", RECORD_BY_RULES, RULES_REASON_STALEMATE, MOVER_LOSES},
    {"declares", RECORD_BY_RULES, RULES_REASON_IMPASSE, MOVER_WINS},
    {"stops", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
    {"", RECORD_OPEN, RULES_REASON_NONE, NOBODY_WINS},
};

Test(record_ends, a_word_is_found_as_a_whole)
{
    cr_assert_str_eq(record_find_word(words, "is later", 7)->word, "is late");
    cr_assert_null(record_find_word(words, "is late", 6));
    cr_assert_null(record_find_word(words, "", 0));
}

Test(record_ends, a_word_means_a_winner_by_whose_turn_it_is)
{
    cr_assert_eq(record_word_outcome(&words[0], 1).winner, 2);
    cr_assert_eq(record_word_outcome(&words[0], 2).winner, 1);
    cr_assert_eq(record_word_outcome(&words[5], 2).winner, 2);
    cr_assert_eq(record_word_outcome(&words[2], 2).winner, 2);
    cr_assert_eq(record_word_outcome(&words[6], 2).winner, 0);
}

static const char *chosen(enum record_end end, enum rules_reason reason, unsigned winner,
                          struct record_outcome *said)
{
    struct record record = records_game("shogi", "", "7g7f"); /* seat 2 is to move */

    record.ending.outcome = (struct record_outcome){end, reason, winner, false};
    return record_choose_word(&record.ending.outcome, words, record_last_mover(&record), said);
}

Test(record_ends, the_word_that_says_all_of_an_end_is_chosen)
{
    struct record_outcome said;

    cr_assert_str_eq(chosen(RECORD_RESIGNED, RULES_REASON_NONE, 1, &said), "gives up");
    cr_assert_eq(said.winner, 1);
    cr_assert_str_eq(chosen(RECORD_OPEN, RULES_REASON_NONE, 0, &said), "stops");
}

Test(record_ends, another_winner_and_another_reason_are_left_to_the_facts)
{
    struct record_outcome said;

    cr_assert_str_eq(chosen(RECORD_RESIGNED, RULES_REASON_NONE, 2, &said), "gives up");
    cr_assert_eq(said.winner, 1, "that is how it is read");
    cr_assert_str_eq(chosen(RECORD_BY_RULES, RULES_REASON_STALEMATE, 1, &said), "mate");
    cr_assert_eq(said.reason, RULES_REASON_CHECKMATE, "the first entry says how it is read");
    cr_assert_str_eq(chosen(RECORD_BY_RULES, RULES_REASON_IMPASSE, 1, &said), "declares");
    cr_assert_eq(said.winner, 2);
    cr_assert_str_eq(chosen(RECORD_FORFEIT, RULES_REASON_NONE, 1, &said), "stops");
    cr_assert_eq(said.end, RECORD_OPEN);
}

Test(record_ends, the_last_mover_follows_from_the_start)
{
    struct record even = records_game("shogi", "", "7g7f"), odds;

    odds = records_game("shogi", "start=bishop", "");
    cr_assert_eq(record_last_mover(&even), 2);
    cr_assert_eq(record_last_mover(&odds), 2);
    odds = records_game("shogi", "start=bishop", "3c3d");
    cr_assert_eq(record_last_mover(&odds), 1);
}

/* ---- what cannot be true ---- */

static const char *implausible(const struct record *record)
{
    struct record_error error = {.code = PROBLEM_NONE, .detail = NULL};

    cr_assert_neq(record_is_plausible(record, &error), error.code == PROBLEM_BAD_RECORD);
    return error.detail;
}

Test(record_check, times_must_exist_and_leave_room)
{
    struct record record = records_game("jungle", "", "");

    record.started_at = JSON_TIME_MIN;
    cr_assert_null(implausible(&record));
    record.started_at--;
    cr_assert_not_null(implausible(&record));
    record.started_at = JSON_TIME_MAX - RECORD_THOUGHT_MAX;
    cr_assert_null(implausible(&record));
    record.started_at++;
    cr_assert_not_null(implausible(&record));
}

Test(record_check, thirty_years_are_the_most_that_is_thought_in_a_game)
{
    struct record record = records_game("turkish-draughts", "", "a3-a4 h6-h5");

    record.moves[0].spent_us = RECORD_THOUGHT_MAX;
    cr_assert_null(implausible(&record));
    record.moves[1].spent_us = 1;
    cr_assert_not_null(implausible(&record), "all moves together");
    record.moves[1].spent_us = -1;
    record.ending.spent_us = 1;
    cr_assert_not_null(implausible(&record), "and the end");
    record.moves[0].spent_us = -1;
    record.ending.spent_us = RECORD_THOUGHT_MAX + 1;
    cr_assert_not_null(implausible(&record), "the end alone");
}

Test(record_check, events_have_times_and_their_data_is_an_object)
{
    struct record record = records_game("jungle", "", "");
    struct record_event event = {.kind = "created", .line = 1, .at = 0};

    record.events = &event;
    record.nevents = 1;
    cr_assert_null(implausible(&record));
    event.at = JSON_TIME_MAX;
    cr_assert_not_null(implausible(&record));
    event.at = 0;
    event.data = "{}";
    cr_assert_null(implausible(&record));
    event.data = "[]";
    cr_assert_not_null(implausible(&record));
}

Test(record_check, an_end_that_was_won_needs_its_winner)
{
    struct record record = records_game("jungle", "", "");

    record.ending.outcome.end = RECORD_TIMEOUT;
    cr_assert_not_null(implausible(&record));
    record.ending.outcome.winner = 2;
    cr_assert_null(implausible(&record));
}

/* ---- what a text looks like ---- */

Test(record_detect, each_format_has_its_sign)
{
    static const char *const cases[][2] = {
        {"{\"format\":\"plyd-record\"}", "json"},
        {"\n {\"moves\":[]}", "jkf"},
        {"step chess_num", "shougi"},
        {"position startpos", "usi"},
        {"startpos moves 7g7f", "usi"},
        {"sfen 9/9/9/9/9/9/9/9/9 b - 1", "usi"},
        {"Game: Jungle", "text"},
        {"9/9/9/9/9/9/9/9/9 b - 1", "sfen"},
        {"[Event \"x\"]", "pdn"},
        {"1. a3-a4", "pdn"},
        {"V2.2\nPI", "csa"},
        {"'CSA encoding=UTF-8\nV3.0", "csa3"},
        {"N+Ada", "csa"},
        {"+7776FU", "csa"},
        {"$EVENT:x", "csa"},
        {"-", "csa"},
        {"先手：Ada\n▲７六歩", "ki2"},
        {"まで3手で先手の勝ち", "ki2"},
        {"手数----指手---------消費時間--\n▲", "kif"},
        {"先手：Ada\n   1 ７六歩(77)", "kif"},
        {"1 ７六歩(77)\nまで1手で中断", "kif"},
        {"# made by a program", "kif"},
        {"先手：a\n*手数----\n▲７六歩", "ki2"}, /* comments tell nothing */
        {"V2.2\n'V3.0\nPI", "csa"},
        {"[Event \"x\"]\n1. a3-a4 { see [GameType \"30,W,8,8,N2,0\"] }", "pdn"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *name = record_detect(&records_arena, cases[i][0]);

        cr_assert(name != NULL && strcmp(name, cases[i][1]) == 0, "%s: %s", cases[i][0],
                  name == NULL ? "nothing" : name);
    }
}

Test(record_detect, other_texts_look_like_nothing)
{
    static const char *const texts[] = {
        "",    " \r\n",    "hello", "9/9/9/9/9/9/9/9 b - 1", "9/9/9/9/9/9/9/9/9 x - 1",
        "+77", "Games: 1", "NAME"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        cr_assert_null(record_detect(&records_arena, texts[i]), "%s", texts[i]);
}

Test(record_detect, it_names_formats_that_there_are)
{
    cr_assert_not_null(record_find_format(record_detect(&records_arena, "V3.0")));
    cr_assert_not_null(strstr(records_error("hello", NULL).detail, "csa3, jkf, sfen, shougi, pdn"));
}

/* ---- reading ---- */

/* A reader that is about to begin. */
static struct record_reading *reading_of(const char *text, const char *variant)
{
    static const struct record_hint nothing;
    struct record_reading *reading = arena_zero(&records_arena, sizeof(*reading));

    reading->arena = &records_arena;
    reading->hint = &nothing;
    reading->record = arena_alloc(&records_arena, sizeof(*reading->record));
    reading->error = arena_zero(&records_arena, sizeof(*reading->error));
    reading->text = reading->at = copy(text);
    reading->len = strlen(text);
    record_init(reading->record, NULL);
    rules_options_init(&reading->options);
    cr_assert(record_set_game(reading, variant));
    return reading;
}

static struct record_reading *started(const char *variant)
{
    struct record_reading *reading = reading_of("", variant);

    cr_assert(record_start(reading, NULL));
    return reading;
}

static bool play(struct record_reading *reading, const char *move)
{
    return record_play(reading, move, move, NULL);
}

Test(record_reading, lines_come_one_by_one_with_blanks_for_control_characters)
{
    struct record_reading *reading = reading_of("a\x01\tb\r\n\rc", "shogi");

    cr_assert_str_eq(record_next_line(reading), "a \tb");
    cr_assert_str_eq(record_next_line(reading), "");
    cr_assert_eq(reading->line, 2);
    cr_assert_str_eq(record_next_line(reading), "c");
    cr_assert_null(record_next_line(reading));
}

Test(record_reading, a_mistake_has_its_line_and_its_column_in_characters)
{
    struct record_reading *reading = reading_of("先手：Ada\n７六歩x\n", "shogi");
    char *line;

    record_next_line(reading);
    line = record_next_line(reading);
    cr_assert_not(record_bad(reading, strchr(line, 'x'), "why"));
    cr_assert_eq(reading->error->line, 2);
    cr_assert_eq(reading->error->column, 4);
    cr_assert_str_eq(reading->error->detail, "why");
    record_bad(reading, "elsewhere", "why");
    cr_assert_eq(reading->error->column, 1);
}

Test(record_reading, a_game_that_is_not_known_or_not_expected_is_refused)
{
    struct record_reading *reading = reading_of("", "shogi");
    struct record_hint hint = {.game = rules_find("jungle")};

    cr_assert_not(record_set_game(reading, "chess"));
    reading->hint = &hint;
    cr_assert_not(record_set_game(reading, "shogi"));
    cr_assert_str_eq(reading->error->detail, "This is a record of Shogi.");
    cr_assert(record_set_game(reading, "jungle"));
}

Test(record_reading, it_keeps_where_each_move_led)
{
    static const char *const moves[] = {"7g7f", "3c3d", "8h2b+", "3a2b"};
    struct record_reading *reading = started("shogi");
    const struct rules_game *game = reading->game;
    struct rules_state state;
    struct rules_options options;
    struct rules_refusal why;
    char text[RULES_POSITION_TEXT];

    rules_options_init(&options);
    cr_assert(rules_start(game, &options, NULL, &state, &why));
    for (size_t i = 0; i <= 4; i++) {
        const struct record_point *point = reading->record->points[i];
        rules_move move = {{0, 0}};

        game->position_text(&state, text);
        cr_assert_str_eq(point->position, text);
        cr_assert_eq(point->key, game->key(&state));
        cr_assert_eq(point->to_move, game->to_move(&state));
        cr_assert_eq(point->outcome.status, RULES_ONGOING);
        cr_assert_eq(reading->here, point);
        if (i == 4)
            break;
        cr_assert(play(reading, moves[i]));
        cr_assert(rules_play(game, &state, moves[i], &move, &why));
        cr_assert(rules_same_move(reading->here->move, move));
    }
    cr_assert_str_eq(records_moves(reading->record), "7g7f 3c3d 8h2b+ 3a2b");
}

/* More moves than the first capacity. */
Test(record_reading, it_keeps_every_point_of_a_long_game)
{
    static const char *const moves[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    struct record_reading *reading = reading_of("", "shogi");
    struct rules_refusal why;

    rules_option_set(reading->game, &reading->options, "repetition", "0", &why);
    cr_assert(record_start(reading, NULL));
    for (size_t i = 0; i < 300; i++)
        cr_assert(play(reading, moves[i % 4]));
    for (size_t i = 4; i <= 300; i++) {
        cr_assert_eq(reading->record->points[i]->key, reading->record->points[i - 4]->key);
        cr_assert_eq(reading->keys[i], reading->record->points[i]->key);
        cr_assert_str_eq(reading->record->moves[i - 1].text, moves[(i - 1) % 4]);
    }
}

Test(record_reading, the_rules_judge_with_the_whole_past)
{
    struct record_reading *reading = reading_of("", "shogi");
    struct rules_refusal why;

    rules_option_set(reading->game, &reading->options, "repetition", "2", &why);
    cr_assert(record_start(reading, NULL));
    cr_assert(play(reading, "2h3h") && play(reading, "8b7b") && play(reading, "3h2h"));
    cr_assert_eq(reading->here->outcome.status, RULES_ONGOING);
    cr_assert(play(reading, "7b8b"));
    cr_assert_eq(reading->here->outcome.reason, RULES_REASON_REPETITION);
    cr_assert_not(play(reading, "2h3h"));
    cr_assert_eq(reading->error->code, PROBLEM_RULE_GAME_OVER);
    cr_assert(record_finish(reading));
    cr_assert(reading->record->ending.outcome.confirmed);
}

Test(record_reading, it_goes_back_to_a_ply_and_on_from_there)
{
    struct record_reading *reading = started("tictactoe");
    const struct record_point *second;

    cr_assert(play(reading, "a1") && play(reading, "b2") && play(reading, "c3"));
    second = reading->record->points[2];
    cr_assert(record_return(reading, 2));
    cr_assert_eq(reading->here, second);
    cr_assert(record_return(reading, 3), "what was beyond is still there");
    cr_assert(record_return(reading, 1));
    cr_assert(play(reading, "c1"));
    cr_assert_str_eq(records_moves(reading->record), "a1 c1");
    cr_assert_not(play(reading, "a1"));
    cr_assert_eq(reading->error->ply, 3);
    cr_assert_eq(reading->error->code, PROBLEM_RULE_OCCUPIED);
}

Test(record_reading, a_refused_move_is_a_foul_only_if_the_record_says_so)
{
    struct record_reading *reading = started("shogi");

    cr_assert(record_play_or_foul(reading, "7g7e", "7g7e", NULL));
    cr_assert(reading->refused);
    cr_assert_not(record_play_or_foul(reading, "7g7f", "7g7f", NULL), "nothing follows a foul");
    cr_assert_eq(reading->record->nmoves, 0);
    cr_assert_not(record_finish(reading));
    cr_assert_eq(reading->error->ply, 1);
    reading->ending.outcome.end = RECORD_FOUL;
    cr_assert(record_finish(reading));
    cr_assert_eq(reading->error->code, PROBLEM_NONE);
    cr_assert_str_eq(reading->record->foul->move, "7g7e");
    cr_assert_eq(reading->record->ending.outcome.winner, 2);
}

Test(record_reading, options_of_the_caller_count_more)
{
    struct rules_options casual;
    struct rules_refusal why;
    struct record_hint hint = {.options = &casual};
    struct record_reading *reading = reading_of("", "shogi");

    rules_options_init(&casual);
    rules_option_set(reading->game, &casual, "rules", "casual", &why);
    rules_option_set(reading->game, &reading->options, "rules", "tournament", &why);
    rules_option_set(reading->game, &reading->options, "max_plies", "77", &why);
    reading->hint = &hint;
    cr_assert(record_start(reading, NULL));
    cr_assert_str_eq(record_options_text(&records_arena, reading->record),
                     "rules=casual max_plies=77");
}

Test(record_reading, a_start_that_is_refused_is_no_move)
{
    struct record_reading *reading = reading_of("", "shogi");

    cr_assert_not(record_start(reading, "9/9/9 b - 1"));
    cr_assert_not(record_started(reading));
    cr_assert_eq(reading->error->code, PROBLEM_RULE_BAD_POSITION);
    cr_assert_null(reading->error->move);
    cr_assert_eq(reading->error->ply, 0);
}

Test(record_reading, comments_and_times_belong_to_the_move_before_them)
{
    struct record_reading *reading = started("tictactoe");
    struct record *record = reading->record;

    record_add_comment(reading, "before");
    cr_assert(play(reading, "a1"));
    record_add_comment(reading, "one");
    record_add_comment(reading, "two");
    record_set_spent(reading, 5);
    cr_assert(record_set_word(reading, &words[0], "gives up"));
    record_set_spent(reading, 7);
    cr_assert_str_eq(record->comment, "before");
    cr_assert_str_eq(record->moves[0].comment, "one\ntwo");
    cr_assert_eq(record->moves[0].spent_us, 5);
    cr_assert(record_finish(reading));
    cr_assert_eq(record->ending.spent_us, 7);
    cr_assert_eq(record->ending.outcome.winner, 1);
    cr_assert_str_eq(record->ending.word, "gives up");
}

Test(record_reading, headers_and_names_are_trimmed_and_bounded)
{
    struct record_reading *reading = started("shogi");
    struct record *record = reading->record;
    char *big = arena_alloc(&records_arena, RECORD_NAME_MAX + 2);

    memset(big, 'x', RECORD_NAME_MAX + 1);
    big[RECORD_NAME_MAX + 1] = '\0';
    cr_assert(record_add_header(reading, " a\n", "\tb　"));
    cr_assert_str_eq(records_header(record, "a"), "b");
    cr_assert(record_add_header(reading, "empty", " "));
    cr_assert_eq(record->nheaders, 1);
    cr_assert_not(record_add_header(reading, "a", big));
    cr_assert_not(record_add_header(reading, big, "a"));
    cr_assert_not(record_set_name(reading, 1, big));
    cr_assert(record_set_name(reading, 2, big + 1));
    cr_assert(record_set_name(reading, 1, " Ada "));
    cr_assert_str_eq(record->name[0], "Ada");
    while (record->nheaders < RECORD_HEADERS_MAX)
        cr_assert(record_add_header(reading, "k", "v"));
    cr_assert_not(record_add_header(reading, "k", "v"));
}

Test(record_reading, a_declared_win_is_the_one_that_the_rules_grant)
{
    struct record_reading *reading = reading_of("", "shogi");
    static const struct record_word declares = {"", RECORD_BY_RULES, RULES_REASON_IMPASSE,
                                                MOVER_LOSES};

    cr_assert(record_start(reading, "4K4/+R+R+B+B5/GGGGSSSSP/9/9/9/9/9/4k4 b 4N4L17P 1"));
    cr_assert(record_set_word(reading, &declares, "x"));
    cr_assert(record_finish(reading));
    cr_assert(reading->record->ending.outcome.confirmed);
    cr_assert_eq(reading->record->ending.outcome.winner, 1);
}

/* ---- facts ---- */

Test(record_facts, tell_what_the_words_do_not)
{
    struct record record = records_game("shogi", "rules=casual max_plies=50", "7g7f");
    struct record_outcome said = {RECORD_RESIGNED, RULES_REASON_NONE, 1, false};

    record.ending.outcome = said;
    cr_assert_str_eq(record_facts(&records_arena, &record, &said), "rules=casual max_plies=50");
    record.ending.outcome.winner = 2;
    cr_assert_str_eq(record_facts(&records_arena, &record, &said),
                     "rules=casual max_plies=50 end=resign winner=2");
}

Test(record_facts, there_are_none_where_nothing_is_odd)
{
    struct record record = records_game("shogi", "", "7g7f");
    struct record_outcome said = {RECORD_OPEN, RULES_REASON_NONE, 0, false};

    cr_assert_null(record_facts(&records_arena, &record, &said));
    cr_assert_str_eq(record_options_text(&records_arena, &record), "");
    said.end = RECORD_RESIGNED;
    said.winner = 1;
    cr_assert_str_eq(record_facts(&records_arena, &record, &said), "end=open winner=0");
}

Test(record_facts, an_end_that_follows_from_the_moves_is_not_told)
{
    struct record record = records_game("shogi", "repetition=2", "2h3h 8b7b 3h2h 7b8b");
    struct record_outcome said = {RECORD_OPEN, RULES_REASON_NONE, 0, false};

    cr_assert(record.ending.outcome.confirmed);
    cr_assert_str_eq(record_facts(&records_arena, &record, &said), "repetition=2");
}

Test(record_facts, are_read_back)
{
    struct record_reading *reading = reading_of("", "shogi");

    cr_assert(record_take_facts(reading, "rules=casual number=5 end=timeout winner=2"));
    cr_assert_eq(reading->number, 5);
    cr_assert_eq(reading->ending.outcome.end, RECORD_TIMEOUT);
    cr_assert(record_set_word(reading, &words[0], "gives up"));
    cr_assert(record_finish(reading));
    cr_assert_eq(reading->record->ending.outcome.end, RECORD_TIMEOUT,
                 "a fact counts more than a word");
    cr_assert_eq(reading->record->ending.outcome.winner, 2);
}

Test(record_facts, that_make_no_sense_are_refused)
{
    static const char *const facts[] = {"rules", "wings=2", "rules=wild", "end=rain"};

    for (size_t i = 0; i < 4; i++) {
        struct record_reading *reading = reading_of("", "shogi");

        cr_assert_not(record_take_facts(reading, facts[i]), "%s", facts[i]);
        cr_assert_neq(reading->error->code, PROBLEM_NONE);
    }
}

Test(record_facts, a_start_is_named_only_where_its_option_was_given)
{
    struct record bishop = records_game("shogi", "start=bishop", "");
    struct record even = records_game("shogi", "rules=casual", "");

    cr_assert(record_names_start(bishop.game, &bishop.options));
    cr_assert_not(record_names_start(even.game, &even.options));
}

/* ---- starts and words of shogi ---- */

Test(record_words, a_position_that_is_a_handicap_goes_by_its_name)
{
    struct record_reading *reading = reading_of("", "shogi");

    cr_assert(record_start_sfen(reading,
                                "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"));
    cr_assert_str_eq(record_handicap(reading->record)->option, "bishop");
    cr_assert(record_is_handicap(reading->record));
    cr_assert(record_names_start(reading->game, &reading->record->options));
    cr_assert_str_eq(record_handicap_of_kif("五枚落ち")->jkf, "5");
    cr_assert_null(record_handicap_of_jkf("OTHER"));
}

Test(record_words, the_even_start_is_no_handicap)
{
    struct record even = records_game("shogi", "", ""), moved;

    moved = records_read("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL "
                         "w - 1",
                         NULL);
    cr_assert_str_eq(record_handicap(&even)->option, "hirate");
    cr_assert_not(record_is_handicap(&even));
    cr_assert_null(record_handicap(&moved), "Gote does not move first there");
}

Test(record_words, pieces_have_a_word_in_each_language)
{
    for (unsigned kind = PAWN; kind < SHOGI_KINDS; kind++) {
        const char *at = record_kif_ki2_piece(kind);
        unsigned read = SHOGI_KINDS;

        if (record_csa_code(kind) == NULL) /* no piece promotes to it */
            continue;
        cr_assert_eq(record_csa_kind(record_csa_code(kind)), kind);
        cr_assert(record_kif_ki2_take_piece(&at, &read));
        cr_assert_eq(read, kind);
        cr_assert_str_eq(at, "");
    }
    cr_assert_eq(record_csa_kind("XX"), SHOGI_KINDS);
}

Test(record_words, squares_are_read_in_any_digits)
{
    const char *at = "７六2x";

    cr_assert_eq(record_kif_ki2_take_digit(&at), 7);
    cr_assert_eq(record_kif_ki2_take_digit(&at), 6);
    cr_assert_eq(record_kif_ki2_take_digit(&at), 2);
    cr_assert_eq(record_kif_ki2_take_digit(&at), 0);
    cr_assert_str_eq(record_kif_ki2_target(&records_arena, (struct record_square){7, 6},
                                           (struct record_square){7, 5}),
                     "７六");
    cr_assert_str_eq(record_kif_ki2_target(&records_arena, (struct record_square){7, 6},
                                           (struct record_square){7, 6}),
                     "同　");
}

/* ---- writing ---- */

static struct record_writing *writing_of(const struct record *record)
{
    struct record_writing *writing = arena_zero(&records_arena, sizeof(*writing));

    writing->arena = &records_arena;
    writing->record = record;
    writing->error = arena_zero(&records_arena, sizeof(*writing->error));
    return writing;
}

Test(record_writing, a_walk_shows_each_move_in_its_position)
{
    struct record record = records_game("shogi", "", "7g7f 3c3d");
    struct record_writing *writing = writing_of(&record);
    const struct record_move *move;
    struct record_walk walk;
    char text[RULES_MOVE_TEXT];

    cr_assert(record_walk_begin(&walk, writing));
    for (size_t i = 0; i < 2; i++) {
        cr_assert(record_walk_next(&walk, &move));
        cr_assert_eq(move, &record.moves[i]);
        cr_assert_eq(record_walk_ply(&walk), i + 1);
        record.game->move_text(walk.state, walk.move, text);
        cr_assert_str_eq(text, move->text);
        cr_assert_eq(rules_same_move(walk.last, (rules_move){{0, 0}}), i == 0);
    }
    cr_assert_not(record_walk_next(&walk, &move));
    cr_assert_eq(record.game->to_move(walk.state), 1, "at the end the last position");
    cr_assert_eq(writing->error->code, PROBLEM_NONE);
}

Test(record_writing, a_move_that_is_not_legal_is_named)
{
    struct record record = records_game("shogi", "", "7g7f 3c3d");
    struct record_writing *writing = writing_of(&record);
    const struct record_move *move;
    struct record_walk walk;

    record.moves[1].text = "3c3e";
    cr_assert(record_walk_begin(&walk, writing));
    cr_assert(record_walk_next(&walk, &move));
    cr_assert_not(record_walk_next(&walk, &move));
    cr_assert_eq(writing->error->code, PROBLEM_CANNOT_EXPORT);
    cr_assert_str_eq(writing->error->detail, "Move 2 is not legal.");
    record.start = "9/9/9 b - 1";
    cr_assert_not(record_walk_begin(&walk, writing));
}

Test(record_writing, a_format_for_another_game_or_encoding_is_refused)
{
    struct record record = records_game("jungle", "", "");
    struct record_error error;
    struct out out;

    out_init(&out, &records_arena);
    cr_assert_not(record_write(record_find_format("kif"), &record, NULL, &out, &error));
    cr_assert_not(record_write(record_find_format("text"), &record, "Shift_JIS", &out, &error));
    cr_assert_eq(out.len, 0);
    cr_assert(record_write(record_find_format("text"), &record, "UTF-8", &out, &error));
}
