/* test_records.c - games that leave the daemon as records, and that come back. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/http/house.h"
#include "tests/support/files.h"

HOUSE_SUITE(records, house_share, HOUSE_PATIENCE_S);

static struct answer get(const char *path)
{
    return ask(&house, "GET", path, NULL, NULL);
}

static struct answer export(const struct game *game, const char *format)
{
    char path[128];

    snprintf(path, sizeof(path), "/v1/games/%s/export?format=%s", game->id, format);
    return get(path);
}

static struct answer import(const char *query, const char *record)
{
    char path[128];

    snprintf(path, sizeof(path), "/v1/games/import%s", query);
    return ask(&house, "POST", path, "Content-Type: application/octet-stream\r\n", record);
}

static struct game imported(const char *query, const char *record)
{
    struct answer answer = import(query, record);
    struct game game;

    assert_status(&answer, 201);
    snprintf(game.id, sizeof(game.id), "%s", text_of(&answer, "id"));
    snprintf(game.token, sizeof(game.token), "%s", text_of(&answer, "token"));
    return game;
}

/* A game whose past has branches. */
static struct game branched(const char *body, const char *first, const char *second)
{
    struct game game = new_game(&house, body);
    struct answer answer;

    play(&house, &game, first);
    answer = ask_at(&house, game.token, "POST", "1", "/v1/games/%s/undo", game.id);
    assert_status(&answer, 200);
    play(&house, &game, second);
    return game;
}

static struct game branched_jungle(void)
{
    return branched("{\"variant\":\"jungle\",\"seats\":[{\"me\":true,\"name\":\"Ada\"},"
                    "{\"me\":true,\"name\":\"Mia \\\"M\\\" 鈴木\"}]}",
                    "g3g4 a7a6 g4g5", "g7g6 g4g5");
}

/* ---- in ---- */

Test(records, the_same_game_comes_in_from_every_format)
{
    static const char *const names[] = {"game.usi",    "game.kif", "game.ki2",       "game.v22.csa",
                                        "game.v3.csa", "game.jkf", "game.shougi.txt"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *record = file_read("tests/records/%s", names[i]);
        struct game game = imported("", record);
        struct answer usi = export(&game, "usi");

        cr_assert_not_null(strstr(usi.reply.body,
                                  "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e B*6d 4e3d "
                                  "6d9g+ 8i9g P*3c 3d2c+ 2b2c"),
                           "%s: %s", names[i], usi.reply.body);
        free(record);
    }
}

Test(records, an_imported_game_is_exported_as_it_was)
{
    static const char *const formats[][2] = {
        {"game.kif", "kif"}, {"game.ki2", "ki2"}, {"game.v22.csa", "csa"}, {"game.v3.csa", "csa3"}};

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        char *record = file_read("tests/records/%s", formats[i][0]);
        struct game first = imported("", record), second;
        struct answer once = export(&first, formats[i][1]), twice;

        second = imported("", once.reply.body);
        twice = export(&second, formats[i][1]);
        cr_assert_str_eq(twice.reply.body, once.reply.body);
        free(record);
    }
}

Test(records, one_game_of_a_file_of_many_is_chosen)
{
    const char *file = "[White \"A\"]\n1. a3-a4 *\n\n[White \"B\"]\n1. b3-b4 a6-a5 *\n\n"
                       "[White \"C\"]\n1. b3-b5 *\n";
    struct answer refused = import("", file);
    struct answer second = import("?game=2&dry_run=true", file);
    struct answer third = import("?game=3", file);
    struct answer beyond = import("?game=4", file);

    cr_assert_str_eq(text_of(&refused, "code"), "many-games");
    cr_assert_not_null(strstr(text_of(&refused, "detail"), "has 3 games"));
    cr_assert_eq(number_of(&second, "ply"), 2);
    cr_assert_eq(number_of(&second, "imported.games_skipped"), 2);
    cr_assert_eq(number_of(&third, "record_line"), 8);
    cr_assert_str_eq(text_of(&beyond, "pointer"), "?game");
}

Test(records, an_export_says_what_it_leaves_out)
{
    struct game game = imported("", "先手：A\n1 ７六歩(77)\n*x\n2 投了\n変化：1手\n1 ２六歩(27)\n");
    static const char *const formats[][2] = {
        {"json", NULL},
        {"kif", NULL},
        {"csa", "variations"},
        {"usi", "variations, comments, names"},
        {"sfen", "moves, variations, comments, ends, names"},
    };

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        struct answer answer = export(&game, formats[i][0]);
        char value[256];
        const char *told = http_header(&answer.reply, "Record-Left-Out", value);

        cr_expect_str_eq(told == NULL ? "nothing" : told,
                         formats[i][1] == NULL ? "nothing" : formats[i][1], "%s: %s", formats[i][0],
                         told);
    }
}

Test(records, pdn_is_exported_with_numbers_on_request)
{
    struct game game = imported("", "[GameType \"30\"]\n1. 41-33 24-32 *\n");
    struct answer plain = export(&game, "pdn"), numeric = export(&game, "pdn-numeric");
    struct answer thai = import("", "[GameType \"31\"]\n1. 21-17 *\n");

    cr_assert_not_null(strstr(plain.reply.body, "1. a3-a4 h6-h5 *"), "%s", plain.reply.body);
    cr_assert_not_null(strstr(numeric.reply.body, "1. 41-33 24-32 *"), "%s", numeric.reply.body);
    cr_assert_not_null(strstr(text_of(&thai, "detail"), "Thai"), "%s", thai.reply.body);
}

/* Sends a text of ASCII in UTF-16, in the order of its mark. */
static struct answer import_utf16(const char *query, const char *text, bool big)
{
    char *bytes = calloc(strlen(text) + 1, 2), path[128];
    struct http_reply reply;
    int fd = http_connect(house.plyd.port);

    memcpy(bytes, big ? "\xfe\xff" : "\xff\xfe", 2);
    for (size_t i = 0; text[i] != '\0'; i++)
        bytes[2 + 2 * i + big] = text[i];
    snprintf(path, sizeof(path), "/v1/games/import%s", query);
    http_send(fd, "POST", path, "Content-Type: application/octet-stream\r\n", bytes,
              2 * strlen(text) + 2);
    http_receive(fd, "POST", &reply);
    close(fd);
    free(bytes);
    return answer_of(&house, "POST", path, reply);
}

Test(records, utf_16_with_a_mark_is_read_and_told)
{
    for (int big = 0; big < 2; big++) {
        struct answer one = import_utf16("", "1. a3-a4 a6-a5 *\n", big == 1);
        struct answer second =
            import_utf16("?game=2", "1. a3-a4 *\n[White \"B\"]\n1. b3-b4 a6-a5 *\n", big == 1);
        const char *charset = big == 1 ? "UTF-16BE" : "UTF-16LE";

        cr_assert_str_eq(text_of(&one, "imported.charset"), charset, "%s", one.reply.body);
        cr_assert_str_eq(text_of(&second, "imported.charset"), charset, "%s", second.reply.body);
        cr_assert_eq(number_of(&second, "imported.plies"), 2);
    }
}

Test(records, a_note_or_a_sentence_among_the_moves_is_no_further_game)
{
    static const struct {
        const char *record, *reason, *back;
    } files[] = {
        {"先手：A\n1 ７六歩(77)\n# note\n2 投了\n", "resign", "   2 投了\n"},
        {"先手：A\n1 ７六歩(77)\n2  Time-up   ( 0:0/)\n", "timeout", "   2 Time-up      ( 0:00"},
        {"先手：A\n1 ７六歩(77)\n2 投了\n備考：abc\n", "resign", "   2 投了\n*備考：abc\n"},
    };

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        for (int j = 0; j < 2; j++) {
            struct answer answer = import(j == 0 ? "?dry_run=true" : "?game=1", files[i].record);

            cr_expect_eq(answer.reply.status, j == 0 ? 200 : 201, "%s", answer.reply.body);
            cr_expect_str_eq(text_of(&answer, "outcome.reason"), files[i].reason);
        }
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct game game = imported("", files[i].record);
        struct answer kif = export(&game, "kif");

        cr_expect_not_null(strstr(kif.reply.body, files[i].back), "%s", kif.reply.body);
    }
}

Test(records, an_imported_game_is_played_on_undone_and_forked)
{
    struct game game = imported("", "position startpos moves 7g7f 3c3d");
    struct answer answer;

    play(&house, &game, "8h2b+ 3a2b");
    answer = ask_at(&house, game.token, "POST", "1", "/v1/games/%s/undo", game.id);
    assert_status(&answer, 200);
    answer = ask_at(&house, NULL, "POST", "{\"line\":1}", "/v1/games/%s/fork", game.id);
    assert_status(&answer, 201);
    cr_assert_eq(number_of(&answer, "ply"), 4);
}

Test(records, a_dry_run_tells_what_is_in_the_record_and_stores_nothing)
{
    char *record = file_read("tests/records/%s", "game.kif");
    struct answer answer = import("?dry_run=true", record);

    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "imported.format"), "kif");
    cr_assert_eq(number_of(&answer, "ply"), 12);
    cr_assert_str_eq(text_of(&answer, "moves.11"), "2b2c");
    cr_assert_str_eq(text_of(&answer, "outcome.reason"), "resign");
    cr_assert_not(has(&answer, "id"));
    free(record);
}

Test(records, a_move_against_the_rules_is_named_with_its_line_and_column)
{
    struct answer answer = import("", "手合割：平手\n手数----指手---------消費時間--\n"
                                      "   1 ７六歩(77)\n   2 ５五歩(33)\n");

    assert_problem(&answer, 422, "wrong-shape");
    cr_assert_eq(number_of(&answer, "record_line"), 4);
    cr_assert_eq(number_of(&answer, "record_column"), 6);
    cr_assert_eq(number_of(&answer, "at"), 1);
    cr_assert_str_eq(text_of(&answer, "rule.id"), "shogi.pawn");
}

Test(records, a_player_whose_name_nobody_could_read_is_refused)
{
    struct answer answer = import("", "Game: Tic-tac-toe\nX: Ada\u202eadA\n\n");

    assert_problem(&answer, 422, "bad-record");
    cr_assert_not_null(strstr(text_of(&answer, "detail"), "U+202E"));
}

Test(records, a_text_that_is_not_a_record_is_refused)
{
    static const struct {
        const char *query, *body;
        int status;
        const char *code;
    } cases[] = {{"", "hello", 422, "unknown-format"},
                 {"", "", 422, "bad-record"},
                 {"?format=kif", "V2.2\n+7776FU\n", 422, NULL},
                 {"?format=pgn", "1. e4", 404, "no-such-format"},
                 {"?variant=chess", "1. e4", 404, "no-such-variant"},
                 {"?formt=kif", "x", 422, "unknown-field"},
                 {"", "{\"record\":\"position startpos\",\"seat\":1}", 422, "unknown-field"}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct answer answer = import(cases[i].query, cases[i].body);

        assert_status(&answer, cases[i].status);
        if (cases[i].code != NULL)
            cr_assert_str_eq(text_of(&answer, "code"), cases[i].code);
    }
}

Test(records, a_record_comes_with_terms_where_it_is_a_member_of_json)
{
    struct answer answer =
        ask_as(&house, NULL, "POST", "/v1/games/import",
               "{\"record\":\"position startpos moves 7g7f\",\"visibility\":\"private\","
               "\"seats\":[{\"me\":true,\"name\":\"Ada\"},{\"engine\":\"random\",\"seed\":3}]}");

    assert_status(&answer, 201);
    cr_assert_str_eq(text_of(&answer, "visibility"), "private");
    cr_assert_str_eq(text_of(&answer, "seats.0.name"), "Ada");
    cr_assert_eq(number_of(&answer, "ply"), 2, "the computer has answered");
}

Test(records, shift_jis_goes_out_and_comes_in)
{
    char *record = file_read("tests/records/%s", "game.kif"), path[128];
    struct game game = imported("", record);
    struct answer answer, again;
    char type[256];

    snprintf(path, sizeof(path), "/v1/games/%s.kif?charset=Shift_JIS", game.id);
    answer = get(path);
    assert_status(&answer, 200);
    cr_assert_not_null(strstr(http_header(&answer.reply, "Content-Type", type), "Shift_JIS"));
    again = import("", answer.reply.body);
    assert_status(&again, 201);
    cr_assert_str_eq(text_of(&again, "imported.charset"), "Shift_JIS");
    free(record);
}

Test(records, every_format_can_be_asked_for_in_utf_8_and_not_every_one_in_shift_jis)
{
    char *record = file_read("tests/records/%s", "game.kif"), path[128];
    struct game game = imported("", record);
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s.json?charset=UTF-8", game.id);
    answer = get(path);
    assert_status(&answer, 200);
    snprintf(path, sizeof(path), "/v1/games/%s.json?charset=Shift_JIS", game.id);
    answer = get(path);
    assert_problem(&answer, 400, "bad-parameter");
    cr_assert_str_eq(text_of(&answer, "pointer"), "?charset");
    free(record);
}

Test(records, with_a_key_a_record_comes_in_once)
{
    static const char headers[] =
        "Idempotency-Key: that-of-a-record\r\nContent-Type: text/plain\r\n";
    struct answer first = ask(&house, "POST", "/v1/games/import", headers, "position startpos");
    struct answer again = ask(&house, "POST", "/v1/games/import", headers, "position startpos");

    assert_status(&first, 201);
    cr_assert_str_eq(again.reply.body, first.reply.body);
}

Test(records, every_end_that_a_record_can_tell_is_kept)
{
    static const struct {
        const char *record, *reason;
        int winner;
    } cases[] = {{"V2.2\nPI\n+\n+7776FU\n%TORYO\n", "resign", 1},
                 {"V2.2\nPI\n+\n+7776FU\n%TIME_UP\n", "timeout", 1},
                 {"V2.2\nPI\n+\n+7776FU\n%JISHOGI\n", "agreement", 0},
                 {"V2.2\nPI\n+\n+7776FU\n%SENNICHITE\n", "repetition", 0}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct game game = imported("", cases[i].record);
        struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id), csa;

        cr_assert_str_eq(text_of(&answer, "status"), "finished");
        cr_assert_str_eq(text_of(&answer, "outcome.reason"), cases[i].reason);
        if (cases[i].winner == 0)
            cr_assert_not(has(&answer, "outcome.winner"));
        else
            cr_assert_eq(number_of(&answer, "outcome.winner"), cases[i].winner);
        csa = export(&game, "csa");
        cr_assert_not_null(strstr(csa.reply.body, strchr(cases[i].record, '%')), "%s",
                           csa.reply.body);
    }
}

Test(records, comments_headers_and_times_go_through_the_database)
{
    static const char record[] = "開始日時：2024/05/06 10:00:00\n棋戦：A tournament\n先手：Ada\n"
                                 "後手：Mia\n手合割：平手\n手数----指手---------消費時間--\n"
                                 "*before the first move\n"
                                 "   1 ７六歩(77)   ( 0:16/00:00:16)\n*a comment\n"
                                 "   2 ３四歩(33)   ( 1:05/00:01:05)\n";
    struct game game = imported("", record);
    struct answer kif = export(&game, "kif");
    static const char *const parts[] = {"2024/05/06 10:00:00",    "A tournament",     "Ada",
                                        "*before the first move", "( 0:16/00:00:16)", "*a comment",
                                        "( 1:05/00:01:05)"};

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        cr_assert_not_null(strstr(kif.reply.body, parts[i]), "no %s in\n%s", parts[i],
                           kif.reply.body);
}

Test(records, a_record_may_be_longer_than_other_bodies_but_not_endless)
{
    char *record = malloc((2 << 20) + 1);
    struct answer answer;

    strcpy(record, "position startpos moves 7g7f\n");
    memset(record + strlen(record), '\n', 200000);
    record[200000] = '\0';
    answer = import("", record);
    assert_status(&answer, 201);
    memset(record, '\n', 2 << 20);
    record[(1 << 20) + 1] = '\0';
    answer = import("", record);
    assert_problem(&answer, 413, "body-too-large");
    free(record);
}

/* ---- our own, complete ---- */

Test(records, the_whole_game_with_all_its_lines_moves_to_another_plyd)
{
    static const char *const paths[] = {"/moves", "/moves?line=1", "/moves?line=2", "/positions/2"};
    struct game old = branched_jungle(), new;
    struct answer record = export(&old, "json"), again;

    new = imported("", record.reply.body);
    again = export(&new, "json");
    cr_assert_str_eq(again.reply.body, record.reply.body);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer left = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s%s", old.id, paths[i]);
        struct answer right = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s%s", new.id, paths[i]);

        cr_assert_eq(left.status, 200);
        if (strncmp(paths[i], "/moves", 6) == 0)
            cr_assert_str_eq(right.reply.body, left.reply.body);
        else
            cr_assert_str_eq(text_of(&right, "position"), text_of(&left, "position"));
    }
    play(&house, &new, "a7a6");
}

Test(records, an_undone_end_and_a_redo_are_part_of_the_whole)
{
    struct game old = new_game(&house, "{\"variant\":\"tictactoe\"}"), new;
    struct answer answer, record, again;

    play(&house, &old, "a1 a2 b1 b2 c1");
    answer = ask_at(&house, old.token, "POST", "", "/v1/games/%s/undo", old.id);
    assert_status(&answer, 200);
    answer = ask_at(&house, old.token, "POST", "", "/v1/games/%s/redo", old.id);
    cr_assert_str_eq(text_of(&answer, "status"), "finished");
    record = export(&old, "json");
    new = imported("", record.reply.body);
    again = export(&new, "json");
    cr_assert_str_eq(again.reply.body, record.reply.body);
}

Test(records, a_log_that_contradicts_itself_is_refused)
{
    struct game old = branched_jungle();
    struct answer record = export(&old, "json"), answer;
    char *line = strstr(record.reply.body, "\"kind\":\"undo\",\"line\":1");

    cr_assert_not_null(line, "%s", record.reply.body);
    line[strlen("\"kind\":\"undo\",\"line\":")] = '3';
    answer = import("", record.reply.body);
    assert_problem(&answer, 422, "bad-record");
}

/* ---- what cannot be ---- */

#define RECORD "{\"format\":\"plyd-record\",\"format_version\":1,\"variant\":\"shogi\","
#define CREATED                                                 \
    "{\"version\":1,\"kind\":\"created\",\"line\":1,\"ply\":0," \
    "\"at\":\"2026-01-01T00:00:00Z\"}"
#define EVENT(n, kind, more)                                               \
    ",{\"version\":" n ",\"kind\":\"" kind "\",\"line\":1,\"ply\":0," more \
    "\"at\":\"2026-01-01T00:00:00Z\"}"

Test(records, a_record_of_an_impossible_game_is_refused)
{
    static const char *const bodies[] = {
        RECORD "\"moves\":[{\"move\":\"7g7f\",\"spent_us\":9007199254740991}]}",
        RECORD "\"moves\":[],\"outcome\":{\"reason\":\"checkmate\"}}",
        RECORD "\"moves\":[],\"outcome\":{\"reason\":\"resign\"}}",
        RECORD "\"moves\":[],\"seats\":[{\"seat\":2,\"engine\":\"stockfish\"}]}",
        RECORD "\"moves\":[],\"seats\":[{\"seat\":2,\"name\":\"a\\u202eb\"}]}",
        RECORD "\"moves\":[],\"events\":[" CREATED EVENT("2", "resigned", "\"seat\":1,")
            EVENT("3", "aborted", "") "],\"outcome\":{\"reason\":\"aborted\"}}",
        RECORD "\"moves\":[],\"events\":[" CREATED EVENT("2", "undo", "") "]}",
        RECORD "\"moves\":[],\"events\":[" CREATED EVENT("2", "recorded",
                                                         "\"data\":{\"reason\":\"foo\"},") "]}",
        RECORD "\"moves\":[],\"events\":[" CREATED EVENT("2", "recorded",
                                                         "\"data\":{\"reason\":\"timeout\"},") "]}",
        RECORD "\"moves\":[],\"events\":[" CREATED EVENT("2", "joined", "\"data\":5,") "]}",
        "position startpos moves 4i4h 6a6b 4h4i 6b6a 4i4h 6a6b 4h4i 6b6a 4i4h 6a6b 4h4i 6b6a 4i4h"};

    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        struct answer answer = import("", bodies[i]);

        cr_assert_eq(answer.status, 422, "%s: %.300s", bodies[i], answer.reply.body);
        cr_assert_str_eq(text_of(&answer, "code"), "bad-record");
    }
}

Test(records, data_that_makes_no_sense_is_passed_over_when_the_game_goes_out)
{
    struct game game = imported(
        "",
        RECORD "\"moves\":[],\"events\":[{\"version\":1,\"kind\":\"created\",\"line\":1,\"ply\":0,"
               "\"at\":\"2026-01-01T00:00:00Z\",\"data\":{\"record\":{\"headers\":[{},{\"key\":5},"
               "{\"key\":\"event\",\"value\":\"A\"}]}}}]}");
    static const char *const formats[] = {"json", "kif", "csa", "jkf", "text"};

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        struct answer answer = export(&game, formats[i]);

        assert_status(&answer, 200);
    }
}

Test(records, games_of_long_ago_have_their_times)
{
    struct game game = imported(
        "", RECORD "\"started_at\":\"1969-12-31T23:59:59.5Z\",\"moves\":[{\"move\":\"7g7f\"}]}");
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", game.id);

    cr_assert_str_eq(text_of(&answer, "created_at"), "1969-12-31T23:59:59.500Z");
}

Test(records, a_line_that_was_left_goes_out_alone_and_comes_in)
{
    struct game old = branched_jungle(), new;
    struct answer record = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/export?line=1", old.id);
    struct answer answer;

    assert_status(&record, 200);
    new = imported("", record.reply.body);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", new.id);
    cr_assert_eq(number_of(&answer, "ply"), 3);
}

Test(records, the_present_line_goes_out_up_to_the_present_ply_or_by_its_number_as_a_whole)
{
    struct game game = new_game(&house, "{\"variant\":\"shogi\"}");
    struct answer answer;

    play(&house, &game, "7g7f 3c3d 2g2f");
    answer = ask_at(&house, game.token, "POST", "{\"to_ply\":1}", "/v1/games/%s/undo", game.id);
    assert_status(&answer, 200);
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/export?format=usi", game.id);
    cr_assert_str_eq(answer.reply.body, "position startpos moves 7g7f\n");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/export?format=usi&line=1", game.id);
    cr_assert_str_eq(answer.reply.body, "position startpos moves 7g7f 3c3d 2g2f\n");
}

Test(records, a_private_game_stays_private_when_it_moves_or_branches)
{
    struct game old = new_game(&house, "{\"variant\":\"jungle\",\"visibility\":\"private\"}");
    struct answer record = ask_at(&house, old.token, "GET", NULL, "/v1/games/%s/export", old.id);
    struct answer copy = import("", record.reply.body);
    struct answer fork = ask_at(&house, old.token, "POST", "{}", "/v1/games/%s/fork", old.id);

    cr_assert_str_eq(text_of(&copy, "visibility"), "private");
    cr_assert_str_eq(text_of(&fork, "visibility"), "private");
}

/* ---- out ---- */

Test(records, every_game_goes_out_as_json_and_as_text)
{
    static const char *const variants[] = {"shogi", "tictactoe", "stackchess", "jungle",
                                           "turkish-draughts"};

    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        char body[64];
        struct game game;
        struct answer json, text;

        snprintf(body, sizeof(body), "{\"variant\":\"%s\"}", variants[i]);
        game = new_game(&house, body);
        json = export(&game, "json");
        text = export(&game, "text");
        assert_status(&json, 200);
        assert_status(&text, 200);
        imported("", json.reply.body);
        imported("", text.reply.body);
    }
}

Test(records, the_form_of_a_record_follows_extension_and_accept)
{
    struct game game = imported("", "position startpos moves 7g7f");
    char path[128], type[256];
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s.csa", game.id);
    answer = get(path);
    cr_assert_not_null(strstr(answer.reply.body, "+7776FU"));
    cr_assert_not_null(http_header(&answer.reply, "Content-Disposition", type));
    cr_assert_not_null(strstr(type, ".csa\""));
    snprintf(path, sizeof(path), "/v1/games/%s/export", game.id);
    answer = ask(&house, "GET", path, "Accept: text/plain\r\n", NULL);
    cr_assert_not_null(strstr(answer.reply.body, "7g7f"));
    cr_assert_null(answer.json);
    answer = get(path);
    cr_assert_str_eq(text_of(&answer, "format"), "plyd-record");
}

Test(records, options_of_a_query_count_more_than_the_record)
{
    static const char two_pawns[] = "position startpos moves 7g7f 7c7d 7f7e 7d7e 9g9f P*7f";
    struct answer refused = import("?dry_run=true", two_pawns);
    struct answer taken = import("?dry_run=true&options.rules=casual", two_pawns);

    assert_problem(&refused, 422, "nifu");
    cr_assert_not_null(strstr(text_of(&refused, "detail"), "?options.rules=casual"));
    assert_status(&taken, 200);
    cr_assert_str_eq(text_of(&taken, "options.rules"), "casual");
}

/* Four-fold repetition ends the game, and the rest of the record would come after the end. */
Test(records, an_option_that_several_games_have_is_told_with_the_game)
{
    static const char on_and_on[] = "position startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h "
                                    "7b8b 2h3h 8b7b 3h2h 7b8b 2h3h";
    struct answer refused = import("?dry_run=true", on_and_on);
    struct answer taken = import("?dry_run=true&variant=shogi&options.repetition=0", on_and_on);

    assert_status(&refused, 422);
    cr_assert_not_null(strstr(text_of(&refused, "detail"), "?variant=shogi&options.repetition=0."));
    assert_status(&taken, 200);
}

Test(records, a_start_may_be_an_option_beside_the_record)
{
    static const char body[] = "{\"record\":\"position startpos\",\"options\":{\"start\":\"%s\"}}";
    static const char lone[] = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    char text[200];
    struct answer answer;

    snprintf(text, sizeof(text), body, lone);
    answer = import("?variant=shogi&dry_run=true", text);
    assert_status(&answer, 200);
    cr_assert_str_eq(text_of(&answer, "start"), lone);
    snprintf(text, sizeof(text), body, "9/9 b");
    answer = import("?variant=shogi&dry_run=true", text);
    cr_assert_eq(answer.status, 422);
    answer = import("?options.start=9/9_b&dry_run=true", "position startpos");
    cr_assert_eq(answer.status, 422);
}

Test(records, a_format_of_one_game_tells_whose_options_are_meant)
{
    struct answer taken =
        import("?dry_run=true&format=usi&options.repetition=9", "position startpos moves 7g7f");
    struct answer unclear =
        import("?dry_run=true&options.repetition=9", "position startpos moves 7g7f");

    assert_status(&taken, 200);
    assert_problem(&unclear, 422, "bad-option");
    cr_assert_not_null(strstr(text_of(&unclear, "detail"), "?variant=shogi"));
}

Test(records, options_of_a_body_count_more_than_the_record)
{
    static const char body[] =
        "{\"record\":\"position startpos moves 7g7f 7c7d 7f7e 7d7e 9g9f P*7f\","
        "\"options\":{\"rules\":\"casual\"}}";
    struct answer taken = import("?variant=shogi&dry_run=true", body);
    struct answer refused = import("?dry_run=true", body);
    struct answer both = import("?dry_run=true&options.rules=standard", body);

    assert_status(&taken, 200);
    cr_assert_str_eq(text_of(&taken, "options.rules"), "casual");
    assert_problem(&refused, 422, "bad-option");
    assert_problem(&both, 422, "nifu");
}

Test(records, an_option_that_the_game_does_not_have_is_refused)
{
    struct answer answer = import("?variant=shogi&options.rows=4", "position startpos");

    assert_problem(&answer, 422, "unknown-field");
    answer = import("?options.rules=fast", "position startpos");
    assert_problem(&answer, 422, "bad-option");
}

Test(records, a_format_of_another_game_is_refused_with_those_that_there_are)
{
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    struct answer answer = export(&game, "kif");

    assert_problem(&answer, 404, "no-such-format");
    cr_assert_str_eq(text_of(&answer, "detail"),
                     "A game of Jungle (Dou Shou Qi) can be exported as json, text.");
}

Test(records, a_client_that_has_the_answer_is_304)
{
    static const char *const paths[] = {"export?format=text", "replay", "moves", "legal-moves"};
    struct game game = new_game(&house, "{\"variant\":\"jungle\"}");
    char path[128];

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer answer;

        snprintf(path, sizeof(path), "/v1/games/%s/%s", game.id, paths[i]);
        answer = ask(&house, "GET", path, "If-None-Match: \"1\"\r\n", NULL);
        assert_status(&answer, 304);
    }
}

/* ---- replay ---- */

Test(records, a_replay_shows_each_step_from_the_start)
{
    struct game game = branched_jungle();
    struct answer answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/replay", game.id);

    cr_assert_eq(cJSON_GetArraySize(member(&answer, "items")), 4);
    cr_assert_eq(number_of(&answer, "items.0.ply"), 0);
    cr_assert_not(has(&answer, "items.0.move"));
    cr_assert_str_eq(text_of(&answer, "items.2.move"), "g7g6");
    cr_assert_str_eq(text_of(&answer, "items.3.effects.0.type"), "move");
    answer = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/replay?line=1", game.id);
    cr_assert_str_eq(text_of(&answer, "items.2.move"), "a7a6");
}

Test(records, a_replay_comes_page_by_page_and_the_pages_fit)
{
    struct game game = imported("", "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e");
    struct answer whole = ask_at(&house, NULL, "GET", NULL, "/v1/games/%s/replay", game.id);
    char path[256];
    int seen = 0;

    snprintf(path, sizeof(path), "/v1/games/%s/replay?limit=2", game.id);
    while (*path != '\0') {
        struct answer page = get(path);
        const cJSON *items = member(&page, "items"), *next = member(&page, "next"), *item;

        cJSON_ArrayForEach(item, items)
        {
            const cJSON *same = cJSON_GetArrayItem(member(&whole, "items"), seen++);

            cr_assert(cJSON_Compare(item, same, true));
        }
        snprintf(path, sizeof(path), "%s", cJSON_IsString(next) ? next->valuestring : "");
    }
    cr_assert_eq(seen, 6);
}

Test(records, a_replay_is_a_stream_of_lines_or_a_text_for_less)
{
    struct game game = imported("", "position startpos moves 7g7f 3c3d");
    char path[128];
    struct answer answer;
    int lines = 0;

    snprintf(path, sizeof(path), "/v1/games/%s/replay", game.id);
    answer = ask(&house, "GET", path, "Accept: application/x-ndjson\r\n", NULL);
    for (const char *at = answer.reply.body; *at != '\0'; at++)
        lines += *at == '\n';
    cr_assert_eq(lines, 3);
    cr_assert_eq(strncmp(answer.reply.body, "{\"ply\":0,", 9), 0);
    answer = ask(&house, "GET", path, "Accept: text/plain\r\n", NULL);
    cr_assert_not_null(strstr(answer.reply.body, "1  ☗７六歩  (7g7f, "));
}

/* ---- chess ---- */

Test(records, a_game_of_chess_is_refused_as_such)
{
    static const char *const games[] = {
        "[Event \"Casual\"]\n[White \"Ada\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n",
        "1. d4 d5 2. c4 1-0\n",
        "1.Nf3 d5 1/2-1/2\n",
        "[Event \"x\"]\n\n1. O-O *\n",
        "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 *\n",
    };

    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
        struct answer answer = import("?dry_run=true", games[i]);

        assert_problem(&answer, 422, "bad-record");
        cr_assert_not_null(strstr(text_of(&answer, "detail"), "looks like a game of chess"),
                           "%s: %s", games[i], text_of(&answer, "detail"));
    }
}

Test(records, a_wrong_move_of_draughts_is_not_taken_for_chess)
{
    static const char *const games[] = {
        "[GameType \"30\"]\n\n1. a3-a5 *\n", "[GameType \"30\"]\n\n1. a3a5 *\n",
        "[GameType \"30\"]\n\n1. a3xa5 *\n", "[GameType \"30\"]\n\n1. nothing *\n"};

    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++) {
        struct answer answer = import("?dry_run=true", games[i]);

        assert_status(&answer, 422);
        cr_assert_null(strstr(answer.reply.body, "chess"), "%s", answer.reply.body);
    }
}

Test(records, a_variation_that_looks_like_chess_is_cut_as_others_are)
{
    struct answer answer =
        import("?dry_run=true", "[GameType \"30\"]\n\n1. a3-a4 (1. e4) a6-a5 *\n");

    assert_status(&answer, 200);
    cr_assert_eq(number_of(&answer, "imported.variations_cut"), 1);
}
