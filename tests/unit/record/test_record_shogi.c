/* test_record_shogi.c - what real files of KIF, KI2, CSA, JKF, USI and SHOUGI do. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/record/holds.h"
#include "tests/unit/records.h"

TestSuite(record_shogi, .fini = records_free);

static void has_moves(const char *text, const char *moves)
{
    struct record record = records_read(text, NULL);

    cr_assert_str_eq(records_moves(&record), moves, "%s", text);
}

/* ---- KIF ---- */

#define COLUMNS "手数----指手---------消費時間--\n"

Test(record_shogi, kif_needs_no_times_no_headers_and_takes_half_width_digits)
{
    has_moves("1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n", "7g7f 3c3d");
    has_moves(COLUMNS "   1 76歩(77)\n   2 3四歩(33)  ( 0:01/)\n", "7g7f 3c3d");
}

Test(record_shogi, kif_has_several_names_for_a_piece)
{
    has_moves(COLUMNS "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同銀(31)\n5 ５八王(59)\n"
                      "6 ６二玉(51)\n",
              "7g7f 3c3d 8h2b+ 3a2b 5i5h 5a6b");
}

Test(record_shogi, kif_times_comments_and_headers_are_kept)
{
    struct record record =
        records_read("# ---- made by a program ----\n"
                     "開始日時：2020/01/02(木) 03:04:05\n"
                     "棋戦：Open　　\n"
                     "表題：何か\n"
                     "先手：Ada\n*before\n" COLUMNS "   1 ７六歩(77)   ( 1:05/00:01:05)\n"
                     "*one\n*two\n&bookmark\n"
                     "   2 中断         ( 0:07/00:00:07)\n",
                     NULL);

    cr_assert_str_eq(records_header(&record, "event"), "Open");
    cr_assert_str_eq(records_header(&record, "表題"), "何か");
    cr_assert_eq(record.started_at, INT64_C(1577934245000000));
    cr_assert_str_eq(record.comment, "before");
    cr_assert_str_eq(record.moves[0].comment, "one\ntwo\n&bookmark");
    cr_assert_eq(record.moves[0].spent_us, 65000000);
    cr_assert_eq(record.ending.spent_us, 7000000);
}

Test(record_shogi, a_comment_that_looks_like_a_bookmark_does_not_become_one)
{
    static const char *const comments[] = {"*&しおり\n", "&しおり\n", "**&しおり\n", "**しおり\n"};

    for (size_t i = 0; i < sizeof(comments) / sizeof(comments[0]); i++) {
        const char *line = arena_format(&records_arena, "1 ７六歩(77)\n%s", comments[i]);
        struct record record = records_read(line, "kif");

        cr_expect_not_null(strstr(records_write(&record, "kif"),
                                  arena_format(&records_arena, "\n%s", comments[i])));
    }
}

Test(record_shogi, a_variation_of_kif_belongs_to_the_last_line_that_goes_so_far)
{
    struct record record =
        records_read(COLUMNS "   1 ７六歩(77)   ( 0:00/00:00:00)+\n   2 ３四歩(33)\n   3 投了\n\n"
                             "変化：2手\n   2 ８四歩(83)\n*not ours\n   3 ２六歩(27)\n\n"
                             "変化：1手\n   1 ２六歩(27)\n",
                     NULL);

    cr_assert_str_eq(records_moves(&record), "7g7f 3c3d");
    cr_assert_str_eq(records_tree(&record), " 7g7f 0s ( 2g2f ) 3c3d ( 8c8d {not ours} 2g2f )");
    cr_assert_null(record.moves[1].comment);
}

Test(record_shogi, an_illegal_move_is_named_with_its_place_and_reason)
{
    struct record_error error =
        records_error(COLUMNS "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ３三歩成(76)\n", NULL);

    cr_assert_eq(error.line, 4);
    cr_assert_eq(error.column, 6);
    cr_assert_eq(error.ply, 3);
    cr_assert_str_eq(error.move, "３三歩成(76)");
    cr_assert_eq(error.code, PROBLEM_RULE_WRONG_SHAPE);
    cr_assert_not_null(error.refusal.law);
    cr_assert_not_null(error.state);
}

Test(record_shogi, another_piece_on_the_square_is_an_error)
{
    cr_assert_eq(records_error(COLUMNS "   1 ７六銀(77)\n", NULL).code, PROBLEM_BAD_RECORD);
}

static const char foul[] = COLUMNS "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n"
                                   "   4 同　銀(31)\n   5 ７五歩打\n";

Test(record_shogi, a_last_move_that_was_a_foul_is_left_out_and_told)
{
    static const char *const ends[] = {"   6 反則勝ち\n", "   6 反則負け\n", "*反則手にて終局\n",
                                       "まで5手で先手の反則負け\n"};

    for (size_t i = 0; i < 4; i++) {
        struct record record =
            records_read(arena_format(&records_arena, "%s%s", foul, ends[i]), NULL);

        cr_assert_eq(record.nmoves, 4, "%s", ends[i]);
        cr_assert_not_null(record.foul, "%s", ends[i]);
        cr_assert_eq(record.foul->code, PROBLEM_RULE_NOT_IN_HAND);
        cr_assert_eq(record.ending.outcome.end, RECORD_FOUL);
        cr_assert_eq(record.ending.outcome.winner, 2);
    }
}

Test(record_shogi, a_last_move_that_is_only_wrong_is_an_error)
{
    cr_assert_eq(records_error(foul, NULL).code, PROBLEM_RULE_NOT_IN_HAND);
    cr_assert_eq(records_error(
                     arena_format(&records_arena, "%s   6 ８四歩(83)\n   7 反則負け\n", foul), NULL)
                     .code,
                 PROBLEM_RULE_NOT_IN_HAND);
}

Test(record_shogi, a_line_behind_the_end_that_is_no_move_is_a_comment)
{
    struct record kif = records_read(COLUMNS "   1 ７六歩(77)\n   2 投了\n時間切れです\n", NULL);
    struct record ki2 = records_read("▲７六歩 △３四歩\n-----\n  program 4\n", NULL);

    cr_assert_str_eq(kif.ending.comment, "時間切れです");
    cr_assert_eq(ki2.nmoves, 2);
    cr_assert_str_eq(ki2.moves[1].comment, "-----\nprogram 4");
}

Test(record_shogi, a_header_that_counts_moves_is_written_again)
{
    struct record record = records_read("作者：A\n手数：1\n" COLUMNS "   1 ７六歩(77)\n", NULL);

    cr_assert_not_null(strstr(records_write(&record, "kif"), "\n手数：1\n"));
    cr_assert_not_null(strstr(records_write(&record, "ki2"), "\n手数：1\n"));
}

Test(record_shogi, a_board_without_hands_is_recognised)
{
    struct record record = records_read("+---------------------------+\n"
                                        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
                                        "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n"
                                        "+---------------------------+\n",
                                        NULL);

    cr_assert_str_eq(record.start, "4k4/9/9/9/9/9/9/9/4K4 b - 1");
}

Test(record_shogi, a_sentence_about_a_resignation_says_who_lost)
{
    cr_assert_eq(records_read("▲７六歩\nまで1手で投了\n", NULL).ending.outcome.winner, 1);
    cr_assert_eq(records_read("▲７六歩\nまで1手で勝ち\n", NULL).ending.outcome.end, RECORD_OPEN);
}

Test(record_shogi, a_word_for_a_foul_means_the_move_that_was_refused_or_else_the_side_to_move)
{
    struct record refused =
        records_read(arena_format(&records_arena, "%s   6 反則手\n", foul), NULL);
    struct record unplayed = records_read(COLUMNS "   1 ７六歩(77)\n   2 反則手\n", NULL);

    cr_assert_eq(refused.ending.outcome.end, RECORD_FOUL);
    cr_assert_eq(refused.ending.outcome.winner, 2);
    cr_assert_eq(unplayed.ending.outcome.end, RECORD_FOUL);
    cr_assert_eq(unplayed.ending.outcome.winner, 1);
    cr_assert_not_null(strstr(records_write(&unplayed, "kif"), "2 反則手\n"));
}

Test(record_shogi, a_sentence_behind_the_end_is_kept_if_it_says_more)
{
    static const struct {
        const char *lines, *comment;
    } ends[] = {
        {"2 投了\nまで1手で先手の勝ち\n", NULL},
        {"2 切れ負け\nまで1手で時間切れにより先手の勝ち\n", NULL},
        {"2 切れ負け\nまで1手で先手の勝ち\n", NULL},
        {"2 反則負け\nまで1手で後手の反則負け\n", NULL},
        {"2 中断\nまで1手で中断\n", NULL},
        {"2 中断\nまで1手で後手の勝ち\n", "まで1手で後手の勝ち"},
        {"2 投了\nまで1手で時間切れにより先手の勝ち\n", "まで1手で時間切れにより先手の勝ち"},
        {"2 投了\nまで1手で打ち掛け\n", "まで1手で打ち掛け"},
    };

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        struct record record = records_read(
            arena_format(&records_arena, COLUMNS "1 ７六歩(77)\n%s", ends[i].lines), NULL);

        if (ends[i].comment == NULL)
            cr_assert_null(record.ending.comment, "%s", ends[i].lines);
        else
            cr_assert_str_eq(record.ending.comment, ends[i].comment);
    }
}

Test(record_shogi, a_sentence_that_looks_like_a_header_does_not_become_one)
{
    struct record record = records_read("先手：A\nまで棋戦：B\n", "kif");
    const char *written = records_write(&record, "kif");
    struct record again = records_read(written, "kif");

    cr_assert_eq(again.nheaders, 0);
    cr_assert_str_eq(records_write(&again, "kif"), written);
}

/* The end as the best readers know it, or what is told to be missing. */
Test(record_shogi, an_end_reaches_other_formats_or_is_left_out)
{
    static const struct {
        const char *from, *record, *to, *written;
        bool left_out;
    } cases[] = {
        {"kif", "1 ７六歩(77)\n2 不戦勝\n", "csa", "\n%+ILLEGAL_ACTION\n", true},
        {"kif", "1 ７六歩(77)\n2 不戦敗\n", "csa", "\n%TORYO\n", true},
        {"kif", "1 ７六歩(77)\n2 不戦敗\n", "jkf", "{\"special\":\"TORYO\"}", true},
        {"kif", "1 ７六歩(77)\n2 不戦勝\n", "kif", "   2 不戦勝\n", false},
        {"kif", "1 ７六歩(77)\n2 不戦勝\n", "ki2", "\nまで1手で後手の勝ち\n", true},
        {"csa", "PI\n+\n+7776FU\n%KACHI\n", "ki2", "\nまで1手で後手の勝ち\n", true},
        {"csa", "PI\n+\n+7776FU\n%KACHI\n", "kif", "   2 入玉勝ち\n", false},
        {"csa", "PI\n+\n+7776FU\n%TORYO\n", "ki2", "\nまで1手で先手の勝ち\n", false},
        {"kif", "#plyd end=resign winner=2\n1 ７六歩(77)\n2 投了\n", "csa", "\n%TORYO\n", true},
        {"ki2", "▲７六歩\nまで1手で先手の入玉勝ち\n", "ki2", "\nまで1手で先手の入玉勝ち\n", false},
        {"kif", "1 ７六歩(77)\n2 封じ手\n", "ki2", "\nまで1手で封じ手\n", false},
        {"kif", "1 ７六歩(77)\n2 合意\n", "ki2", "\nまで1手で中断\n", true},
        {"kif", "1 ７六歩(77)\n2 合意\n", "csa", "\n%CHUDAN\n", true},
        {"kif", "1 ７六歩(77)\n2 封じ手\n", "csa", "\n%CHUDAN\n", true},
        {"kif", "1 ７六歩(77)\n2 中断\n", "csa", "\n%CHUDAN\n", false},
        {"kif", "1 ７六歩(77)\n2 不詰\n", "csa", "\n%FUZUMI\n", false},
        {"kif", "1 ７六歩(77)\n2 中断\n", "usen", ".p\n", false},
        {"kif", "1 ７六歩(77)\n2 封じ手\n", "usen", ".p\n", true},
        {"kif", "1 ７六歩(77)\n2 中断\n", "usi", "moves 7g7f\n", true},
        {"kif", "1 ７六歩(77)\n2 投了\n", "usi", "moves 7g7f resign\n", false},
        {"kif", "1 ７六歩(77)\n2 合意\n", "kif", "合意", false},
        {"kif", "1 ７六歩(77)\n2 合意\n", "json", "合意", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct record record = records_read(cases[i].record, cases[i].from);
        const char *written = records_write(&record, cases[i].to);
        unsigned out = record_left_out(&records_arena, record_find_format(cases[i].to), &record);

        cr_expect_not_null(strstr(written, cases[i].written), "%s as %s: %s", cases[i].record,
                           cases[i].to, written);
        cr_expect_eq((out & RECORD_HOLDS_ENDS) != 0, cases[i].left_out, "%s as %s", cases[i].record,
                     cases[i].to);
    }
}

/* The program SHOUGI plays by the casual rules, and its file cannot say anything else. */
Test(record_shogi, a_standard_game_loses_its_options_as_shougi_and_a_casual_one_does_not)
{
    const struct record_format *shougi = record_find_format("shougi");
    struct record standard = records_game("shogi", "", "7g7f");
    struct record casual = records_game("shogi", "rules=casual", "7g7f");

    cr_assert(record_left_out(&records_arena, shougi, &standard) & RECORD_HOLDS_OPTIONS);
    cr_assert_not(record_left_out(&records_arena, shougi, &casual) & RECORD_HOLDS_OPTIONS);
}

Test(record_shogi, a_resignation_behind_a_mate_stays_one)
{
    struct record record = records_read("後手の持駒：なし\n"
                                        "|v玉 ・ ・ ・ ・ ・ ・ ・ ・|一\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
                                        "| 歩 ・ ・ ・ ・ ・ ・ ・ ・|三\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ 玉|九\n"
                                        "先手の持駒：金\n1 ９二金打\n2 投了\n",
                                        "kif");

    cr_assert_eq(record.ending.outcome.reason, RULES_REASON_CHECKMATE);
    cr_assert_not_null(strstr(records_write(&record, "ki2"), "\nまで1手で先手の勝ち\n"));
    cr_assert_not_null(strstr(records_write(&record, "csa"), "\n%TORYO\n"));
}

/* A sentence of KI2 says nobody's declared win, and no fact must say it once more. */
Test(record_shogi, ki2_is_written_the_same_however_its_end_was_told)
{
    struct record record = records_read("#plyd end=impasse winner=0\n▲７六歩\n", "ki2");
    const char *written = records_write(&record, "ki2");
    struct record again = records_read(written, "ki2");

    cr_assert_eq(again.ending.outcome.reason, RULES_REASON_IMPASSE);
    cr_assert_str_eq(records_write(&again, "ki2"), written);
}

Test(record_shogi, variations_that_begin_alike_are_one_until_they_differ)
{
    struct record record = records_read("▲７六歩 △３四歩 ▲２六歩\n"
                                        "変化：1手\n▲２六歩\n*A\n△３四歩\n"
                                        "変化：1手\n▲５六歩\n"
                                        "変化：1手\n▲２六歩\n*B\n△８四歩\n▲２五歩\n"
                                        "変化：3手\n▲７六歩\n"
                                        "変化：1手\n▲５六歩\n",
                                        NULL);

    cr_assert_eq(record.nlines, 4);
    cr_assert_str_eq(record.lines[0].moves[0].comment, "A\nB");
    cr_assert_eq(record.lines[1].nmoves, 1);
    cr_assert_eq(record.lines[2].parent, 1);
    cr_assert_eq(record.lines[2].ply, 1);
    cr_assert_str_eq(record.lines[2].moves[1].text, "2f2e");
    cr_assert_eq(record.lines[3].parent, 3);
    cr_assert_eq(record.lines[3].ply, 2);
}

/* Each of their moves takes the time that is told first. */
Test(record_shogi, variations_that_begin_alike_keep_the_times_of_the_first)
{
    struct record record = records_read("   1 ７六歩(77) ( 0:01/00:00:01)\n"
                                        "変化：1手\n   1 ２六歩(27) ( 0:05/00:00:05)\n"
                                        "   2 ３四歩(33)\n   3 ２五歩(26) ( 0:07/00:00:12)\n"
                                        "変化：1手\n   1 ５六歩(57)\n"
                                        "変化：1手\n   1 ２六歩(27) ( 0:20/00:00:20)\n"
                                        "   2 ３四歩(33) ( 0:30/00:00:30)\n   3 ２五歩(26)\n"
                                        "   4 ８四歩(83) ( 0:40/00:01:10)\n",
                                        "kif");

    cr_assert_str_eq(records_tree(&record),
                     " 7g7f 1s ( 2g2f 5s 3c3d 30s 2f2e 7s 8c8d 40s ) ( 5g5f )");
}

/* What is written of a variation is what is read. */
Test(record_shogi, an_end_of_a_variation_that_names_nobody_is_written_once)
{
    struct record record =
        records_read("▲７六歩 △３四歩\n変化：1手\n▲２六歩\nまで1手で投了\n", NULL);
    const char *written = records_write(&record, "ki2");
    struct record again = records_read(written, NULL);

    cr_assert_eq(again.lines[0].ending.outcome.winner, 1);
    cr_assert_str_eq(records_write(&again, "ki2"), written);
}

Test(record_shogi, a_move_after_the_end_is_said_to_be_legal_by_rules_that_do_not_end_there)
{
    struct record_error mate =
        records_error("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b 5a4b\n", NULL);
    struct record_error again = records_error(
        "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 7g7f\n", NULL);

    cr_assert_not_null(strstr(mate.detail, "legal with ?options.rules=casual"), "%s", mate.detail);
    cr_assert_not_null(strstr(again.detail, "legal with ?variant=shogi&options.repetition=0"), "%s",
                       again.detail);
}

/* 5 ７五歩打 is refused first, 1 ５五歩(27) cuts the variation. */
#define CUT_VARIATION "変化：1手\n   1 ５五歩(27)\n"

Test(record_shogi, a_cut_variation_leaves_the_mistake_of_the_main_line_as_it_was)
{
    const char *text = arena_format(&records_arena, "%s" CUT_VARIATION, foul);
    struct record_error error = records_error(text, NULL);

    cr_assert_eq(error.code, PROBLEM_RULE_NOT_IN_HAND);
    cr_assert_eq(error.ply, 5);
}

Test(record_shogi, a_cut_variation_leaves_the_foul_of_the_main_line_as_it_was)
{
    const char *text = arena_format(&records_arena, "%s   6 反則勝ち\n" CUT_VARIATION, foul);
    struct record record = records_read(text, NULL);

    cr_assert_eq(record.foul->code, PROBLEM_RULE_NOT_IN_HAND);
    cr_assert_str_eq(record.ending.foul, "７五歩打");
}

Test(record_shogi, a_variation_behind_a_foul_keeps_its_end)
{
    const char *text = arena_format(
        &records_arena, "%s   6 反則勝ち\n変化：2手\n   2 ８四歩(83)\n   3 投了\n", foul);
    struct record record = records_read(text, NULL);

    cr_assert_eq(record.cut, 0);
    cr_assert_eq(record.lines[0].ending.outcome.end, RECORD_RESIGNED);
    cr_assert_null(record.lines[0].moves[0].comment);
}

Test(record_shogi, jkf_may_name_what_a_piece_promotes_to)
{
    struct record record = records_read(
        "{\"header\":{},\"moves\":[{},{\"move\":{\"piece\":\"FU\",\"from\":{\"x\":7,\"y\":7},"
        "\"to\":{\"x\":7,\"y\":6}}},{\"move\":{\"piece\":\"FU\",\"from\":{\"x\":3,\"y\":3},"
        "\"to\":{\"x\":3,\"y\":4}}},{\"move\":{\"piece\":\"UM\",\"from\":{\"x\":8,\"y\":8},"
        "\"to\":{\"x\":2,\"y\":2},\"promote\":true}}]}",
        "jkf");

    cr_assert_str_eq(records_moves(&record), "7g7f 3c3d 8h2b+");
}

Test(record_shogi, a_line_that_is_not_kif_is_an_error)
{
    cr_assert_eq(records_error(COLUMNS "   1 ７六歩(77)\nhello\n", NULL).line, 3);
    cr_assert_eq(records_error("手合割：謎\n" COLUMNS "   1 ７六歩(77)\n", NULL).code,
                 PROBLEM_BAD_RECORD);
    cr_assert_eq(records_error(COLUMNS "   1 同　歩(77)\n", NULL).code, PROBLEM_BAD_RECORD);
    cr_assert_eq(records_error(COLUMNS "   1 投了\n   2 ７六歩(77)\n", NULL).code,
                 PROBLEM_BAD_RECORD);
}

Test(record_shogi, a_board_needs_nine_ranks_of_nine)
{
    cr_assert_eq(records_error("後手の持駒：なし\n|v香|一\n" COLUMNS, "kif").line, 2);
    cr_assert_eq(records_error("後手の持駒：鬼\n" COLUMNS "   1 ７六歩(77)\n", "kif").code,
                 PROBLEM_BAD_RECORD);
}

/* ---- KI2 ---- */

Test(record_shogi, ki2_takes_all_marks_with_or_without_blanks)
{
    has_moves("▲７六歩△３四歩☗２二角成 ☖同　銀\n▲４五角打\n", "7g7f 3c3d 8h2b+ 3a2b B*4e");
}

Test(record_shogi, ki2_tells_the_golds_apart)
{
    has_moves("▲５八金右 △５二金左\n", "4i5h 4a5b");
    has_moves("▲６八金上 △４二金直\n", "6i6h 4a4b");
}

Test(record_shogi, ki2_tells_two_dragons_and_drops_apart)
{
    static const char position[] = "position sfen 4k4/9/9/9/1+R5+R1/9/9/9/4K4 b S 1 moves %s";
    struct record right = records_read(arena_format(&records_arena, position, "2e5e"), NULL);
    struct record left = records_read(arena_format(&records_arena, position, "8e5e"), NULL);

    cr_assert_not_null(strstr(records_write(&right, "ki2"), "▲５五龍右"));
    cr_assert_not_null(strstr(records_write(&left, "ki2"), "▲５五龍左"));
    cr_assert_str_eq(records_moves(&right), "2e5e");
    right = records_read(records_write(&right, "ki2"), NULL);
    cr_assert_str_eq(records_moves(&right), "2e5e");
    left = records_read(records_write(&left, "ki2"), NULL);
    cr_assert_str_eq(records_moves(&left), "8e5e");
}

Test(record_shogi, ki2_that_leaves_a_doubt_is_an_error)
{
    cr_assert_str_eq(records_error("▲５八金\n", NULL).detail,
                     "More than one piece fits this move.");
    cr_assert_eq(records_error("△３四歩\n", NULL).code, PROBLEM_BAD_RECORD);
    cr_assert_eq(records_error("▲７六歩 △９九角\n", NULL).column, 7);
}

/* A pinned gold cannot be the one that moves. */
Test(record_shogi, ki2_counts_only_pieces_that_may_move)
{
    has_moves("後手の持駒：なし\n"
              "|v玉 ・ ・ ・v飛 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
              "| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
              "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
              "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ 金 ・ 金 ・ ・|八\n"
              "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n先手の持駒：なし\n▲４八金\n",
              "3h4h");
}

/* ---- CSA ---- */

Test(record_shogi, csa_takes_commas_and_squeezed_boards)
{
    has_moves("V2.2\nPI,+,+7776FU,T12,-3334FU,%CHUDAN\n", "7g7f 3c3d");
    has_moves(
        "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI * * * * *-KA\nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n"
        "P4\nP5 *\nP6\nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA * * * * * +HI *\n"
        "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n+7776FU\n",
        "7g7f");
}

Test(record_shogi, csa_takes_removals_and_all_the_rest)
{
    cr_assert_str_eq(records_read("PI82HI22KA\n-\n", NULL).start,
                     "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    cr_assert_str_eq(records_read("P-11OU21FU32FU43FU\nP+00HI00KI00KI\nP-00AL\n+\n", NULL).start,
                     "7pk/6p2/5p3/9/9/9/9/9/9 b R2Gr2b2g4s4n4l15p 1");
}

Test(record_shogi, csa_has_fractions_comments_and_several_games)
{
    struct record record = records_read("'CSA encoding=UTF-8\nV3.0\n$EVENT:Open\nPI\n+\n'*start\n"
                                        "+7776FU\nT1.250\n'*book\n' not kept\n%TORYO\n/\nPI\n+\n",
                                        NULL);

    cr_assert_eq(record.moves[0].spent_us, 1250000);
    cr_assert_str_eq(record.moves[0].comment, "book");
    cr_assert_str_eq(record.comment, "start");
    cr_assert_str_eq(records_header(&record, "event"), "Open");
    cr_assert_eq(record.other_games, 1);
    cr_assert_not_null(strstr(records_write(&record, "csa3"), "T1.250\n"));
    cr_assert_not_null(strstr(records_write(&record, "csa"), "T1\n"));
}

Test(record_shogi, notes_of_floodgate_are_headers)
{
    struct record record =
        records_read("V2\n'rating:A+1:2500.0:B+2:2400.0\n'other:x\nPI\n+\n+7776FU\n%TORYO\n"
                     "'$END_TIME:2025/01/01 00:10:00\n'summary:toryo:A win:B lose\n",
                     NULL);
    const char *csa = records_write(&record, "csa");

    cr_assert_str_eq(records_header(&record, "rating"), "A+1:2500.0:B+2:2400.0");
    cr_assert_null(records_header(&record, "other"));
    cr_assert_neq(record.ended_at, RECORD_NO_TIME);
    cr_assert_not_null(strstr(csa, "\n'rating:A+1:2500.0:B+2:2400.0\n"), "%s", csa);
    cr_assert_not_null(strstr(csa, "\n'summary:toryo:A win:B lose\n"), "%s", csa);
}

Test(record_shogi, csa_of_shogi_quest_has_no_board_and_times_on_the_line_of_the_move)
{
    struct record record = records_read(
        "V2.2\nN+a\nN-b\n$EVENT:将棋クエスト\n+\n+7776FU,T0\n-3334FU,T4\n%TORYO\n", NULL);

    cr_assert_str_eq(records_moves(&record), "7g7f 3c3d");
    cr_assert_eq(record.moves[1].spent_us, 4000000);
}

Test(record_shogi, kif_of_81dojo_has_short_times_and_sites_of_its_own)
{
    struct record record = records_read(
        "場所：81Dojo (ver.2016/03/20)\r\n終了日時：2017/03/13 ??:??\r\n持ち時間：15分+60秒\r\n"
        "先手：A\r\n" COLUMNS "1   ７六歩(77)   (0:2/0:0:2)\r\n2   ３四歩(33)   (1:5/)\r\n"
        "3   投了   (0:5/0:0:22)\r\n",
        NULL);

    cr_assert_eq(record.moves[0].spent_us, 2000000);
    cr_assert_eq(record.moves[1].spent_us, 65000000);
    cr_assert_str_eq(records_header(&record, "time_limit"), "15分+60秒");
    cr_assert_eq(record.ending.outcome.end, RECORD_RESIGNED);
}

Test(record_shogi, csa_says_whose_foul_it_was)
{
    cr_assert_eq(records_read("PI\n+\n+7776FU\n%+ILLEGAL_ACTION\n", NULL).ending.outcome.winner, 2);
    cr_assert_eq(records_read("PI\n+\n+7776FU\n%-ILLEGAL_ACTION\n", NULL).ending.outcome.winner, 1);
    cr_assert_eq(records_read("PI\n+\n+7776FU\n%ILLEGAL_MOVE\n", NULL).ending.outcome.winner, 1);
}

Test(record_shogi, csa_mistakes_are_named)
{
    cr_assert_eq(records_error("V2.2\nPI\n+\n+7776KI\n", NULL).line, 4);
    cr_assert_str_eq(records_error("V2.2\nPI\n+\n-3334FU\n", NULL).detail,
                     "It is the other side's turn.");
    cr_assert_eq(records_error("V2.2\nPI\n+\n%sleep\n", NULL).code, PROBLEM_BAD_RECORD);
    cr_assert_eq(records_error("V2.2\nPI\n+\n+8822UM\n", NULL).code, PROBLEM_RULE_BLOCKED);
}

/* ---- JKF ---- */

Test(record_shogi, jkf_takes_same_and_passes_over_empty_forks_and_unknown_members)
{
    struct record record = records_read(
        "{\"header\":{\"先手\":\"Ada\",\"x\":1},\"moves\":[{\"comments\":[\"a\",\"b\"]},"
        "{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"},"
        "\"time\":{\"now\":{\"m\":1,\"s\":2}},\"forks\":[[],[]]},"
        "{\"move\":{\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4},\"piece\":\"FU\"}},"
        "{\"move\":{\"from\":{\"x\":8,\"y\":8},\"to\":{\"x\":2,\"y\":2},\"piece\":\"KA\","
        "\"promote\":true,\"relative\":\"C\"}},"
        "{\"move\":{\"from\":{\"x\":3,\"y\":1},\"same\":true,\"piece\":\"GI\"}},"
        "{\"special\":\"CHUDAN\"}]}",
        NULL);

    cr_assert_str_eq(records_moves(&record), "7g7f 3c3d 8h2b+ 3a2b");
    cr_assert_str_eq(record.comment, "a\nb");
    cr_assert_eq(record.moves[0].spent_us, 62000000);
    cr_assert_eq(record.nlines, 0);
}

Test(record_shogi, jkf_mistakes_are_named)
{
    cr_assert_not_null(strstr(
        records_error("{\"moves\":[{},{\"move\":{\"piece\":\"FU\"}}]}", NULL).detail, "/moves/1"));
    cr_assert_eq(records_error("{\"header\":{}}", NULL).code, PROBLEM_BAD_RECORD);
    cr_assert_eq(records_error("{\"moves\":[}", NULL).code, PROBLEM_BAD_RECORD);
    cr_assert_eq(records_error("{\"initial\":{\"preset\":\"OTHER\"},\"moves\":[]}", NULL).code,
                 PROBLEM_BAD_RECORD);
}

/* ---- USI and SFEN ---- */

Test(record_shogi, usi_takes_what_engines_are_told)
{
    has_moves("startpos moves 7g7f\n", "7g7f");
    has_moves("position startpos", "");
    has_moves("position startpos moves 7g7f\n3c3d", "7g7f 3c3d");
    cr_assert_eq(records_read("position startpos resign", NULL).ending.outcome.winner, 2);
}

Test(record_shogi, usi_mistakes_are_named)
{
    struct record_error error = records_error("position startpos moves 7g7f 7f7e", NULL);

    cr_assert_eq(error.column, 30);
    cr_assert_eq(error.ply, 2);
    cr_assert_eq(error.code, PROBLEM_RULE_NOT_YOUR_PIECE);
    cr_assert_eq(records_error("position sfen 9/9/9 b - 1", NULL).code, PROBLEM_RULE_BAD_POSITION);
    cr_assert_eq(records_error("position here", NULL).code, PROBLEM_BAD_RECORD);
}

/* ---- SHOUGI ---- */

#define STEP \
    "step chess_num chess_type src_row src_col next_row next_col eat_num eat_type enhanced? act\n"
#define FOUR                                                                              \
    STEP "1 2 0 7 7 6 7 40 40 n a\n2 15 10 3 3 4 3 40 40 n a\n3 36 8 8 8 2 2 37 16 y e\n" \
         "4 29 13 1 3 2 2 36 8 n e\n"

Test(record_shogi, shougi_takes_any_blanks)
{
    has_moves(FOUR "5 37 6 0 0 5 4 40 40 n\nd", "7g7f 3c3d 8h2b+ 3a2b B*4e");
}

/* The second player's drop on 6d: by the board, and as that player sees it. */
Test(record_shogi, shougi_drops_are_read_as_the_record_needs_it)
{
    static const char absolute[] = FOUR "5 37 6 0 0 5 4 40 40 n d\n6 36 16 0 0 4 6 40 40 n d\n"
                                        "7 37 6 5 4 4 3 15 10 n e\n8 36 18 4 6 7 9 0 0 y e\n";
    static const char viewed[] = FOUR "5 37 6 0 0 5 4 40 40 n d\n6 36 16 0 0 6 4 40 40 n d\n"
                                      "7 37 6 5 4 4 3 15 10 n e\n8 36 18 4 6 7 9 0 0 y e\n";
    static const char moves[] = "7g7f 3c3d 8h2b+ 3a2b B*4e B*6d 4e3d 6d9g+";

    has_moves(absolute, moves);
    has_moves(viewed, moves);
}

Test(record_shogi, shougi_can_be_told_whose_drops_are_turned)
{
    static const char text[] = FOUR "5 37 6 0 0 5 4 40 40 n d\n6 36 16 0 0 6 4 40 40 n d\n";
    struct record_hint hint = {.drops = RECORD_DROPS_VIEW};
    struct record record;
    struct record_error error;

    cr_assert(record_read(&records_arena, text, strlen(text), NULL, &hint, &record, &error));
    cr_assert_str_eq(record.moves[5].text, "B*6d");
    hint.drops = RECORD_DROPS_ABSOLUTE;
    cr_assert(record_read(&records_arena, text, strlen(text), NULL, &hint, &record, &error));
    cr_assert_str_eq(record.moves[5].text, "B*4f");
}

Test(record_shogi, shougi_that_contradicts_itself_is_an_error)
{
    cr_assert_eq(
        records_error(STEP "1 2 0 7 7 6 7 40 40 n a\n2 15 10 3 4 4 3 40 40 n a\n", NULL).line, 3);
    cr_assert_eq(records_error(STEP "1 2 0 7 7 6 7\n", NULL).code, PROBLEM_BAD_RECORD);
    cr_assert_eq(records_error(STEP "2 2 0 7 7 6 7 40 40 n a\n", NULL).code, PROBLEM_BAD_RECORD);
}

/* Two steps on a line, the second of which has a row that no board has. */
Test(record_shogi, shougi_tells_in_which_column_a_bad_step_begins)
{
    struct record_error error =
        records_error(STEP "1 2 0 7 7 6 7 40 40 n a  2 15 10 3 3 0 3 40 40 n a\n", NULL);

    cr_assert_eq(error.line, 2);
    cr_assert_eq(error.column, 26);
}

/* ---- what programs write that is not quite the format ---- */

Test(record_shogi, headers_of_kif_may_have_half_width_colons)
{
    struct record record =
        records_read("先手:Ada\n棋戦: Cup 1:2\n   1 ７六歩(77)   ( 0:01/00:00:01)\n", "kif");

    cr_assert_str_eq(record.name[0], "Ada");
    cr_assert_str_eq(records_header(&record, "event"), "Cup 1:2");
    cr_assert_eq(record.moves[0].spent_us, 1000000);
}

Test(record_shogi, a_word_for_the_end_that_nobody_knows_is_kept)
{
    struct record record = records_read("   1 ７六歩(77)\n   2 停電\n", "kif");

    cr_assert_str_eq(record.ending.word, "停電");
    cr_assert_eq(record.ending.outcome.end, RECORD_OPEN);
    cr_assert_not_null(strstr(records_write(&record, "kif"), "   2 停電\n"));
    record = records_read("V2.2\nPI\n+\n+7776FU\n%BLACKOUT\n", NULL);
    cr_assert_not_null(strstr(records_write(&record, "csa"), "\n%BLACKOUT\n"));
}

Test(record_shogi, a_record_may_have_hundreds_of_headers)
{
    struct record record;
    struct out out;

    out_init(&out, &records_arena);
    for (int i = 0; i < 900; i++)
        out_format(&out, "備考%d：%d\n", i, i);
    out_add(&out, "   1 ７六歩(77)\n");
    record = records_read(out.text, NULL);
    cr_assert_eq(record.nheaders, 900);
    record = records_read(records_write(&record, "jkf"), NULL);
    cr_assert_eq(record.nheaders, 900);
}

/* ---- variations ---- */

/* The rooks go to and fro; each line leaves the one before it where that moves a gold. */
Test(record_shogi, forks_of_jkf_may_lie_in_each_other)
{
    static const char *const rooks[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    static const char *const golds[] = {"6i7h", "4a3b"};
    struct record record = records_game("shogi", "repetition=0", "2h3h 4a3b"), read;
    struct record_move moves[100][2];
    struct record_line lines[100];

    for (size_t i = 0; i < 100; i++) {
        moves[i][0] = (struct record_move){.text = rooks[(i + 1) % 4], .spent_us = -1};
        moves[i][1] = (struct record_move){.text = golds[i % 2], .spent_us = -1};
        lines[i] = (struct record_line){.parent = i, .ply = i + 1, .moves = moves[i], .nmoves = 2};
    }
    record.lines = lines;
    record.nlines = 100;
    read = records_read(records_write(&record, "jkf"), NULL);
    cr_assert_eq(read.nlines, 100);
    cr_assert_str_eq(records_tree(&read), records_tree(&record));
}

Test(record_shogi, a_variation_with_an_illegal_move_ends_before_it_and_keeps_the_rest)
{
    struct record record = records_read("   1 ７六歩(77)\n   2 ３四歩(33)\n\n変化：2手\n"
                                        "   2 ８四歩(83)\n   3 ５五歩(77)\n*why not\n"
                                        "   4 ３四歩(33)\n\n変化：4手\n   4 ３四歩(33)\n"
                                        "\n変化：1手\n   1 ２六歩(27)\n",
                                        "kif");

    cr_assert_eq(record.cut, 1);
    cr_assert_eq(record.nlines, 2);
    cr_assert_eq(record.lines[0].nmoves, 1);
    cr_assert_str_eq(record.lines[0].moves[0].comment,
                     "５五歩(77)\nwhy not\n３四歩(33)\n変化：4手\n３四歩(33)");
    cr_assert_str_eq(record.lines[1].moves[0].text, "2g2f");
}

Test(record_shogi, a_variation_may_go_on_behind_the_end)
{
    struct record record = records_read(
        "   1 ７六歩(77)\n   2 投了\n\n変化：2手\n   2 ３四歩(33)\n   3 ２六歩(27)\n", "kif");

    cr_assert_str_eq(records_tree(&record), " 7g7f ( 3c3d 2g2f )");
    cr_assert_eq(record.ending.outcome.end, RECORD_RESIGNED);
}

Test(record_shogi, a_variation_that_repeats_the_main_line_begins_where_it_leaves_it)
{
    struct record record =
        records_read("▲７六歩 △３四歩 ▲２六歩\n\n変化：1手\n▲７六歩 △３四歩 ▲６六歩\n", "ki2");

    cr_assert_str_eq(records_tree(&record), " 7g7f 3c3d 2g2f ( 6g6f )");
}

Test(record_shogi, usen_is_what_tsshogi_reads_and_writes)
{
    static const char usen[] = "~0.6y236e7ku.r~1.2sq7bq.\n";
    struct record record = records_read(usen, NULL);

    cr_assert_str_eq(record.format->name, "usen");
    cr_assert_str_eq(records_write(&record, "usen"), usen);
}

Test(record_shogi, usen_is_read_out_of_an_address)
{
    static const char *const addresses[] = {
        "https://example.org/kifu?usen=~0.6y236e7ku.r~1.2sq7bq.",
        "  https://example.org/?lang=ja&usen=%7E0.6y236e7ku.r%7e1.2sq7bq.&ply=2#board\r\n",
        "https://example.org/#usen=~0%2E6y236e7ku.r~1.2sq7bq. \n",
    };

    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
        struct record record = records_read(addresses[i], NULL);

        cr_expect_str_eq(records_write(&record, "usen"), "~0.6y236e7ku.r~1.2sq7bq.\n");
    }
}

Test(record_shogi, an_address_without_usen_or_with_a_broken_escape_is_no_record)
{
    static const char *const addresses[] = {
        "https://example.org/?usen=%7",
        "https://example.org/?usen=%00~0.6y2",
        "https://example.org/?u=~0.6y2",
    };

    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
        cr_expect_neq(records_error(addresses[i], "usen").code, PROBLEM_NONE);
        cr_expect_eq(records_error(addresses[i], NULL).code, PROBLEM_UNKNOWN_FORMAT);
    }
}

Test(record_kif, headers_and_names_go_out_in_the_order_in_which_they_came)
{
    static const char text[] = "#KIF version=2.0 encoding=UTF-8\n"
                               "後手：乙\n場所：東京\n手合割：平手\n棋戦：名人戦\n先手：甲\n"
                               "終了日時：2001/02/03 18:00:00\n戦型：矢倉\n"
                               "開始日時：2001/02/03 10:00:00\n消費時間：100▲50△50\n"
                               "手数----指手---------消費時間--\n   1 ７六歩(77)\n";
    struct record record = records_read(text, "kif"), again;

    cr_assert_str_eq(records_write(&record, "kif"), text);
    again = records_read(records_write(&record, "json"), "json");
    cr_assert_str_eq(records_write(&again, "kif"), text);
    again = records_read(records_write(&record, "jkf"), "jkf");
    cr_assert_str_eq(records_write(&again, "kif"), text);
}

Test(record_csa, headers_and_names_go_out_in_the_order_in_which_they_came)
{
    static const char text[] = "V2.2\nN-B\n$SITE:Tokyo\nN+A\n$END_TIME:2001/02/03 18:00:00\n"
                               "$EVENT:Cup\n$START_TIME:2001/02/03 10:00:00\n$OPENING:YAGURA\n"
                               "PI\n+\n+7776FU\n%CHUDAN\n";
    struct record record = records_read(text, "csa");

    cr_assert_str_eq(records_write(&record, "csa"), text);
}

Test(record_kif, a_board_goes_out_where_it_stood)
{
    struct record record = records_read("後手の持駒：なし\n"
                                        "  ９ ８ ７ ６ ５ ４ ３ ２ １\n"
                                        "+---------------------------+\n"
                                        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
                                        "| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n"
                                        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
                                        "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n"
                                        "+---------------------------+\n"
                                        "先手の持駒：金\n先手：甲\n後手：乙\n"
                                        "手数----指手---------消費時間--\n   1 ５二金打\n",
                                        "kif");
    const char *text = records_write(&record, "kif");

    cr_assert_lt(strstr(text, "+---"), strstr(text, "先手：甲"));
}
