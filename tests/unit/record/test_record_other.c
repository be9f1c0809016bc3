/* test_record_other.c - PDN, the text for people, and the JSON of plyd itself. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/records.h"

TestSuite(record_pdn, .fini = records_free);
TestSuite(record_text, .fini = records_free);
TestSuite(record_json, .fini = records_free);

/* ---- PDN ---- */

Test(record_pdn, has_tags_numbers_and_a_result)
{
    struct record record = records_game("turkish-draughts", "", "a3-a4 h6-h5 b3-b4");

    record.name[0] = "A \"B\" \\";
    record.ending.outcome = (struct record_outcome){RECORD_RESIGNED, RULES_REASON_NONE, 2, false};
    cr_assert_str_eq(records_write(&record, "pdn"),
                     "[White \"A \\\"B\\\" \\\\\"]\n[Result \"0-1\"]\n[Termination \"resign\"]\n"
                     "[GameType \"30,W,8,8,A0,0\"]\n\n1. a3-a4 h6-h5 2. b3-b4 0-1\n");
}

Test(record_pdn, comments_marks_and_variations_are_read)
{
    struct record record = records_read(
        "[Event \"Cup\"]\n[Annotator \"X\"]\n[GameType \"30,W,8,8,A0,0\"]\n[Result \"1-0\"]\n"
        "[Date \"2020.01.02\"]\n\n% an escape\n1.a3-a4! {good\nmove} $3 h6-h5? ; to the end\n"
        "(1... g6-g5 (1... f6-f5 {x)}) 2. b3-b4) 2. b3-b4 {[%emt 0:01:02.5]} 1-0\n",
        NULL);

    cr_assert_str_eq(record.format->name, "pdn");
    cr_assert_str_eq(records_moves(&record), "a3-a4 h6-h5 b3-b4");
    cr_assert_str_eq(records_tree(&record),
                     " a3-a4 {good move} h6-h5 ( g6-g5 b3-b4 ) ( f6-f5 {x)} ) b3-b4 62s");
    cr_assert_str_eq(record.moves[0].comment, "good move");
    cr_assert_eq(record.moves[2].spent_us, 62500000);
    cr_assert_str_eq(records_header(&record, "event"), "Cup");
    cr_assert_str_eq(records_header(&record, "Annotator"), "X");
    cr_assert_eq(record.ending.outcome.winner, 1);
}

Test(record_pdn, variations_that_begin_alike_keep_the_marks_of_the_first)
{
    struct record record = records_read("[GameType \"30,W,8,8,A0,0\"]\n[Result \"*\"]\n\n"
                                        "1. a3-a4 (1. b3-b4! h6-h5)\n"
                                        "(1. b3-b4? h6-h5?? 2. a3-a4) *\n",
                                        "pdn");

    cr_assert_eq(record.nlines, 1);
    cr_assert_str_eq(record.lines[0].moves[0].marks, "$1");
    cr_assert_str_eq(record.lines[0].moves[1].marks, "$4");
}

Test(record_pdn, captures_are_written_with_every_square_and_read_short_too)
{
    struct record record = records_read("[FEN \"W:Wa3,h3:Ba4,a6,h6\"]\n1. a3:a7 *\n", "pdn");

    cr_assert_str_eq(records_moves(&record), "a3xa5xa7");
    cr_assert_not_null(
        strstr(records_write(&record, "pdn"), "[SetUp \"1\"]\n[FEN \"W:Wa3,h3:Ba4,a6,h6\"]\n"));
    cr_assert_not_null(strstr(records_write(&record, "pdn"), "\n\n1. a3xa5xa7 *\n"));
}

Test(record_pdn, squares_may_be_numbers_from_1_to_64)
{
    static const char *const texts[] = {
        "[GameType \"30,W,8,8,N2,0\"]\n1. 41-33 24-32 2. 42-34 *\n",
        "[GameType \"30\"]\n1. 41-33 24-32 2. 42-34 *\n",
        "1. 41-33 24-32 2. 42-34 *\n",
        "[GameType \"30,W,8,8,N0,0\"]\n1. 17-25 48-40 2. 18-26 *\n",
        "[GameType \"30,W,8,8,N1,0\"]\n1. 24-32 41-33 2. 23-31 *\n",
        "[GameType \"30,W,8,8,N3,0\"]\n1. 48-40 17-25 2. 47-39 *\n",
        "[GameType \"30\"]\n[FEN \"W:W41-56:B9-24\"]\n1. 41-33 24-32 2. 42-34 *\n",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct record record = records_read(texts[i], NULL);

        cr_expect_str_eq(records_moves(&record), "a3-a4 h6-h5 b3-b4", "%s", texts[i]);
        cr_expect_not_null(
            strstr(records_write(&record, "pdn-numeric"), "\n\n1. 41-33 24-32 2. 42-34 *\n"), "%s",
            texts[i]);
        cr_expect_not_null(strstr(records_write(&record, "pdn-numeric"), "30,W,8,8,N2,0"));
    }
}

Test(record_pdn, captures_with_numbers_are_written_with_every_square_and_read_short_too)
{
    static const char *const moves[] = {"41x25x9", "41:9", "41x9", "41x33x17"};

    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
        struct record record = records_read(
            arena_format(&records_arena,
                         "[GameType \"30\"]\n[FEN \"W:W41,K48:B33,17,24:H0:F12\"]\n1. %s *\n",
                         moves[i]),
            NULL);
        const char *text = records_write(&record, "pdn-numeric");

        cr_expect_str_eq(records_moves(&record), "a3xa5xa7", "%s", moves[i]);
        cr_expect_not_null(strstr(text, "[FEN \"W:W41,K48:B33,17,24"), "%s", text);
        cr_expect_not_null(strstr(text, "\n\n1. 41x25x9 *\n"), "%s", text);
    }
}

Test(record_pdn, numbers_that_no_square_has_are_named)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"[GameType \"30\"]\n1. 65-57 *\n", "1 (a8) to 64 (h1)"},
        {"[GameType \"30\"]\n1. 0-41 *\n", "1 (a8) to 64 (h1)"},
        {"[GameType \"30\"]\n1. 99999999999999999999999-41 *\n", "1 (a8) to 64 (h1)"},
        {"[GameType \"30\"]\n[FEN \"W:W65:B1\"]\n*\n", "1 (a8) to 64 (h1)"},
        {"[GameType \"30\"]\n[FEN \"W:W9-4:B1\"]\n*\n", "1 (a8) to 64 (h1)"},
        {"[GameType \"31,W,8,8,N1,0\"]\n1. 21-17 *\n", "Thai"},
        {"1. 31-27 *\n", "another game"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct record_error error = records_error(rows[i].text, NULL);

        cr_expect_eq(error.code, PROBLEM_BAD_RECORD, "%s", rows[i].text);
        cr_expect_not_null(strstr(error.detail, rows[i].why), "%s: %s", rows[i].text, error.detail);
    }
}

Test(record_pdn, a_move_with_numbers_that_the_rules_refuse_is_refused_by_them)
{
    struct record_error error = records_error("[GameType \"30\"]\n1. 41-25 *\n", NULL);

    cr_assert_str_eq(error.move, "41-25");
    cr_assert_eq(error.ply, 1);
    cr_assert_not_null(error.game);
}

Test(record_pdn, variations_with_numbers_come_back)
{
    const char *text = "[Result \"*\"]\n[GameType \"30,W,8,8,N2,0\"]\n\n"
                       "1. 41-33 ( 1. 42-34 24-32 ) 1... 24-32 *\n";
    struct record record = records_read(text, NULL);

    cr_assert_str_eq(records_write(&record, "pdn-numeric"), text);
}

Test(record_pdn, tags_go_out_in_the_order_in_which_they_came)
{
    static const char text[] =
        "[Black \"Bo\"]\n[Event \"Cup\"]\n[FEN \"W:Wa3,h3:Ba4,a6,h6\"]\n[White \"Ada\"]\n"
        "[Date \"2020.01.02\"]\n[Annotator \"X\"]\n[GameType \"30,W,8,8,A0,0\"]\n"
        "[Result \"*\"]\n\n1. a3xa5xa7 *\n";
    struct record record = records_read(text, "pdn");

    cr_assert_str_eq(records_write(&record, "pdn"),
                     "[Black \"Bo\"]\n[Event \"Cup\"]\n[SetUp \"1\"]\n"
                     "[FEN \"W:Wa3,h3:Ba4,a6,h6\"]\n[White \"Ada\"]\n[Date \"2020.01.02\"]\n"
                     "[Annotator \"X\"]\n[GameType \"30,W,8,8,A0,0\"]\n[Result \"*\"]\n\n"
                     "1. a3xa5xa7 *\n");
}

Test(record_pdn, black_may_begin)
{
    struct record record =
        records_read("[FEN \"B:Wa3,h3:Ba7,h6:H0:F12\"]\n1... h6-h5 2. h3-h4 *\n", "pdn");

    cr_assert_str_eq(record.start, "B:Wa3,h3:Bh6,a7:H0:F12");
    cr_assert_not_null(strstr(records_write(&record, "pdn"), "\n1... h6-h5 2. h3-h4 *\n"));
}

Test(record_pdn, only_the_first_game_is_read)
{
    struct record record = records_read("[White \"A\"]\n1. a3-a4 *\n\n[White \"B\"]\n1. b3-b4 *\n\n"
                                        "[White \"C\"]\n*\n",
                                        NULL);

    cr_assert_str_eq(record.name[0], "A");
    cr_assert_eq(record.other_games, 2);
}

Test(record_other, a_variation_of_a_variation_without_moves_leaves_the_main_line_as_it_was)
{
    struct record record = records_read(
        "1. a3-a4 h6-h5 2. b3-b4 ( ( 1... g6-g5 2. c3-c4 f6-f5 ) 2. d3-d4 ) g6-g5 *\n", "pdn");

    cr_assert_str_eq(records_moves(&record), "a3-a4 h6-h5 b3-b4 g6-g5");
    cr_assert_str_eq(record.lines[0].moves[0].text, "g6-g5");
    cr_assert_str_eq(record.lines[1].moves[0].text, "d3-d4");
}

Test(record_other, pdn_that_says_nothing_of_its_game_is_an_error)
{
    struct record_hint hint = {.game = rules_find("turkish-draughts")};
    const char *text = "[White \"A\"]\n[Result \"1-0\"]\n\n1-0\n";
    struct record_error error = records_error(text, NULL);
    struct record record;

    cr_assert_eq(error.code, PROBLEM_BAD_RECORD);
    cr_assert(record_read(&records_arena, text, strlen(text), NULL, &hint, &record, &error));
}

Test(record_other, pdn_with_numbers_for_squares_is_told_from_mistakes)
{
    struct record_error error = records_error("1. 32-28 18-23 *\n", NULL);

    cr_assert_eq(error.code, PROBLEM_BAD_RECORD);
    cr_assert_not_null(strstr(error.detail, "another game"));
}

Test(record_pdn, mistakes_are_named)
{
    struct record_error error =
        records_error("[White \"A\"]\n\n1. a3-a4 a6-a5\n2. a4-a6 *\n", NULL);

    cr_assert_eq(error.line, 4);
    cr_assert_eq(error.column, 4);
    cr_assert_eq(error.ply, 3);
    cr_assert_str_eq(error.move, "a4-a6");
    cr_assert_not_null(error.refusal.law);
    cr_assert_eq(records_error("[GameType \"20,W,10,10,N2,0\"]\n1. 32-28 *\n", NULL).code,
                 PROBLEM_BAD_RECORD);
    cr_assert_eq(records_error("[White \"A\n1. a3-a4 *\n", NULL).code, PROBLEM_BAD_RECORD);
    cr_assert_eq(records_error("[White \"A\"]\n1. a3-a4 {\n", NULL).code, PROBLEM_BAD_RECORD);
    cr_assert_eq(records_error("[White \"A\"]\n1. a3-a4 )\n", NULL).code, PROBLEM_BAD_RECORD);
}

/* ---- text ---- */

Test(record_text, is_for_people)
{
    struct record record = records_game("tictactoe", "", "b2 a1");

    record.name[0] = "Ada";
    record.moves[0].comment = "the middle";
    cr_assert_str_eq(records_write(&record, "text"),
                     "Game: Tic-tac-toe\nX: Ada\n\n   1. b2\n      # the middle\n   2. a1\n\n"
                     "Result: open\n\n"
                     "   a   b   c\n3    |   |\n  ---|---|---\n2    | × |\n  ---|---|---\n"
                     "1  ○ |   |\nx to move\n");
}

Test(record_text, a_header_that_would_be_read_as_something_else_is_left_out)
{
    struct record record = records_game("tictactoe", "", "b2 a1");
    struct record_header headers[] = {{"#note", "1"}, {"a:b", "2"}, {"Result", "3"}, {"a#", "4"}};
    const char *text;

    record.headers = headers;
    record.nheaders = sizeof(headers) / sizeof(headers[0]);
    text = records_write(&record, "text");
    cr_assert_not_null(strstr(text, "Game: Tic-tac-toe\na#: 4\n\n"), "%s", text);
    record = records_read(text, "text");
    cr_assert_eq(record.nheaders, 1);
    cr_assert_str_eq(records_header(&record, "a#"), "4");
}

Test(record_text, an_illegal_move_is_named)
{
    struct record_error error = records_error("Game: Tic-tac-toe\n\n1. a1\n2. a1\n", NULL);

    cr_assert_eq(error.line, 4);
    cr_assert_eq(error.column, 4);
    cr_assert_eq(error.code, PROBLEM_RULE_OCCUPIED);
}

/* ---- JSON ---- */

static struct record_event event(const char *kind, unsigned seat, int32_t line, int32_t ply,
                                 const char *move)
{
    return (struct record_event){.kind = kind,
                                 .seat = seat,
                                 .line = line,
                                 .ply = ply,
                                 .move = move,
                                 .at = INT64_C(1700000000123456)};
}

/* A game with an undo, another line, and a resignation. */
static struct record logged(void)
{
    static struct record_event events[8];
    struct record record = records_game("tictactoe", "", "a1 c3");

    events[0] = event("created", 0, 1, 0, NULL);
    events[1] = event("move", 1, 1, 1, "a1");
    events[2] = event("move", 2, 1, 2, "b2");
    events[3] = event("undo", 0, 1, 1, NULL);
    events[3].data = "{\"from_ply\":2,\"to_ply\":1}";
    events[4] = event("redo", 0, 1, 2, NULL);
    events[5] = event("undo", 0, 1, 1, NULL);
    events[6] = event("move", 2, 2, 2, "c3");
    events[7] = event("resigned", 1, 2, 2, NULL);
    record.events = events;
    record.nevents = 8;
    record.engine[1] = "random";
    record.seed = INT64_C(-1234567890123456789);
    record.undo = "free";
    record.visibility = "unlisted";
    record.ending.outcome = (struct record_outcome){RECORD_RESIGNED, RULES_REASON_NONE, 2, false};
    return record;
}

Test(record_json, keeps_the_whole_log)
{
    struct record record = logged(), read;
    const char *text = records_write(&record, "json");

    read = records_read(text, NULL);
    cr_assert_str_eq(records_write(&read, "json"), text);
    cr_assert_eq(read.nevents, 8);
    cr_assert_eq(read.events[2].at, INT64_C(1700000000123456));
    cr_assert_str_eq(read.events[3].data, "{\"from_ply\":2,\"to_ply\":1}");
    cr_assert_str_eq(read.engine[1], "random");
    cr_assert_eq(read.seed, INT64_C(-1234567890123456789));
    cr_assert_str_eq(records_moves(&read), "a1 c3");
}

static void is_refused(struct record *record, const char *detail)
{
    struct record_error error = records_error(records_write(record, "json"), NULL);

    cr_assert_not_null(strstr(error.detail, detail), "%s", error.detail);
}

Test(record_json, a_log_that_does_not_lead_to_the_game_is_refused)
{
    struct record record = logged();

    record.nevents = 6;
    is_refused(&record, "other moves");
    record = logged();
    record.nevents = 7;
    is_refused(&record, "another end");
}

Test(record_json, a_log_that_breaks_its_own_rules_is_refused)
{
    struct record record = logged();

    record.events[6].line = 1;
    is_refused(&record, "another line or ply");
    record = logged();
    record.events[1].seat = 2;
    is_refused(&record, "/events/1");
    record = logged();
    record.events[6].move = "a1";
    is_refused(&record, "taken");
    record = logged();
    record.events[4].ply = 3;
    is_refused(&record, "does not go that far");
    record = logged();
    record.events[3].kind = "created";
    is_refused(&record, "first event");
}

Test(record_json, members_and_words_that_are_not_known_are_refused)
{
    static const char *const texts[] = {
        "{\"format\":\"plyd-record\",\"variant\":\"chess\"}",
        "{\"format\":\"plyd-record\",\"variant\":\"jungle\",\"format_version\":2}",
        "{\"format\":\"plyd-record\",\"variant\":\"jungle\",\"wings\":2}",
        "{\"format\":\"plyd-record\",\"variant\":\"jungle\",\"options\":{\"wings\":2}}",
        "{\"format\":\"plyd-record\",\"variant\":\"jungle\",\"moves\":[{\"move\":\"x\"}]}",
        "{\"format\":\"plyd-record\",\"variant\":\"jungle\",\"moves\":[{\"mov\":\"x\"}]}",
        "{\"format\":\"plyd-record\",\"variant\":\"jungle\",\"outcome\":{\"reason\":\"rain\"}}",
        "{\"format\":\"plyd-record\",\"variant\":\"jungle\",\"started_at\":\"2020-13-01\"}",
        "{\"format\":\"plyd-record\",\"variant\":\"jungle\",\"seats\":[{\"name\":\"A\"}]}",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        records_error(texts[i], NULL);
}

Test(record_json, a_name_is_on_one_line)
{
    static const char text[] = "{\"format\":\"plyd-record\",\"variant\":\"jungle\","
                               "\"seats\":[{\"seat\":1,\"name\":\"%s\"}]}";
    struct record record = records_game("jungle", "", "");

    records_error(arena_format(&records_arena, text, "\\n"), NULL);
    records_error(arena_format(&records_arena, text, "A\\nB"), NULL);
    records_error(arena_format(&records_arena, text, " A"), NULL);
    record.name[0] = " A\nB ";
    record.name[1] = "\n";
    record = records_read(records_write(&record, "json"), NULL);
    cr_assert_str_eq(record.name[0], "A B");
    cr_assert_null(record.name[1]);
}

Test(record_json, the_least_record_is_a_game_that_has_not_begun)
{
    struct record record =
        records_read("{\"format\":\"plyd-record\",\"variant\":\"jungle\"}", NULL);

    cr_assert_eq(record.nmoves, 0);
    cr_assert_eq(record.ending.outcome.end, RECORD_OPEN);
}

Test(record_json, options_and_start_must_agree)
{
    records_error("{\"format\":\"plyd-record\",\"variant\":\"shogi\",\"options\":{\"start\":"
                  "\"bishop\"},\"start\":\"4k4/9/9/9/9/9/9/9/4K4 b G 1\"}",
                  NULL);
}

Test(record_pdn, turkish_names_come_in_windows_1254)
{
    struct record record = records_read("[White \"\xde"
                                        "im\xfe"
                                        "ek\"]\n[Black \"\xdd\xf0\xfd"
                                        "\"]\n1. a3-a4 *\n",
                                        NULL);

    cr_assert_str_eq(record.charset, "Windows-1254");
    cr_assert_str_eq(record.name[0], "Şimşek");
    cr_assert_str_eq(record.name[1], "İğı");
}

Test(record_pdn, a_position_may_end_with_a_full_stop)
{
    cr_assert_str_eq(records_read("[FEN \"W:Wa3,h3:Ba6.\"]\n*\n", "pdn").start, "W:Wa3,h3:Ba6");
    cr_assert_str_eq(records_read("[FEN \"W:Wa3:Ba6:H3:F2\"]\n*\n", "pdn").start,
                     "W:Wa3:Ba6:H3:F2");
}

Test(record_pdn, a_capture_may_name_the_men_that_it_takes)
{
    struct record record = records_read("[FEN \"W:Wa3,h3:Ba4,a6,h6\"]\n1. a3xa4xa6 *\n", "pdn");

    cr_assert_str_eq(records_moves(&record), "a3xa5xa7");
}
