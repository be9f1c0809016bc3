/* test_files.c - `plyd play` keeps everything that a file had, and loses no file. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/session.h"

static struct session session;

static void open_session(void)
{
    session_init(&session, "files");
}

static void close_session(void)
{
    session_close(&session);
}

TestSuite(files, .init = open_session, .fini = close_session);

/* ---- files ---- */

static const char *in_folder(const char *name)
{
    static char path[512];

    snprintf(path, sizeof(path), "%s/%s", session.folder, name);
    return path;
}

static void write_bytes(const char *name, const char *bytes, size_t len)
{
    FILE *file = fopen(in_folder(name), "w");

    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, len, file), len);
    cr_assert_eq(fclose(file), 0);
}

static void write_text(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

/* The bytes of a file, with a NUL behind them; the caller frees them. NULL: it is not there. */
static char *read_path(const char *path, size_t *len)
{
    FILE *file = fopen(path, "r");
    size_t most = 2 << 20;
    char *bytes;

    if (file == NULL)
        return NULL;
    bytes = malloc(most);
    *len = fread(bytes, 1, most - 1, file);
    bytes[*len] = '\0';
    fclose(file);
    return bytes;
}

static void expect_bytes(const char *name, const char *bytes, size_t len)
{
    size_t now;
    char *found = read_path(in_folder(name), &now);

    cr_assert_not_null(found, "%s is gone", name);
    cr_assert(now == len && memcmp(found, bytes, len) == 0, "%s is now:\n%s", name, found);
    free(found);
}

static void expect_text(const char *name, const char *text)
{
    size_t len;
    char *found = read_path(in_folder(name), &len);

    cr_assert_not_null(found, "%s is gone", name);
    cr_assert_not_null(strstr(found, text), "'%s' is not in %s:\n%s", text, name, found);
    free(found);
}

static void expect(const char *command, const char *input, int code, const char *shown)
{
    const char *text = session_run(&session, command, input, code);

    cr_assert_not_null(strstr(text, shown), "'%s' is not in:\n%s", shown, text);
}

/* ---- records with everything ---- */

static const char kif[] = "# a collection\n"
                          "開始日時：2024/01/02 10:00:00\n"
                          "棋戦：町の大会\n"
                          "手合割：平手\n"
                          "先手：甲\n"
                          "後手：乙\n"
                          "備考：読みにくい\n"
                          "手数----指手---------消費時間--\n"
                          "*はじめに\n"
                          "   1 ７六歩(77)   ( 0:16/00:00:16)\n"
                          "*角道\n"
                          "   2 ３四歩(33)   ( 0:05/00:00:05)\n"
                          "   3 ２六歩(27)   ( 0:07/00:00:23)\n"
                          "   4 投了         ( 0:09/00:00:14)\n"
                          "\n"
                          "変化：3手\n"
                          "   3 ６六歩(67)   ( 0:00/00:00:16)\n"
                          "*堅い\n"
                          "   4 ８四歩(83)   ( 0:00/00:00:05)\n"
                          "\n"
                          "変化：2手\n"
                          "   2 ８四歩(83)   ( 0:00/00:00:00)\n";

/* What the record has, in this format. */
static void expect_all_of_the_record(const char *name)
{
    static const char *const texts[] = {"開始日時：2024/01/02",
                                        "町の大会",
                                        "先手：甲",
                                        "後手：乙",
                                        "読みにくい",
                                        "*はじめに",
                                        "*角道",
                                        "*堅い",
                                        "( 0:16/",
                                        "( 0:05/",
                                        "( 0:07/",
                                        "６六歩(67)",
                                        "投了         ( 0:09/",
                                        "変化：2手\n   2 ８四歩"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        expect_text(name, texts[i]);
}

Test(files, a_game_that_is_only_opened_leaves_every_byte)
{
    write_text("real.kif", kif);
    session_run(&session, "play --file real.kif", "moves\nback\nsave\nquit\n", 0);
    expect_bytes("real.kif", kif, strlen(kif));
    cr_assert_neq(access(in_folder("real.kif~"), F_OK), 0);
}

Test(files, the_end_of_a_record_is_taken_back_and_the_game_goes_on_with_all_that_it_had)
{
    write_text("real.kif", kif);
    session_run(&session, "play --file real.kif", "undo\n8c8d\nquit\n", 0);
    expect_all_of_the_record("real.kif");
    expect_text("real.kif", "   4 ８四歩(83)");
    expect_bytes("real.kif~", kif, strlen(kif));
}

Test(files, what_was_the_main_line_becomes_a_variation)
{
    write_text("real.kif", kif);
    session_run(&session, "play --file real.kif", "undo\nundo\n1g1f\nquit\n", 0);
    expect_all_of_the_record("real.kif");
    expect_text("real.kif", "   3 １六歩(17)");
    expect_text("real.kif",
                "変化：3手\n   3 ２六歩(27)   ( 0:07/00:00:23)\n   4 投了         ( 0:09/");
}

Test(files, an_end_that_was_taken_back_is_that_of_a_variation)
{
    write_text("real.kif", kif);
    session_run(&session, "play --file real.kif", "undo\nquit\n", 0);
    expect_text("real.kif", "変化：4手\n   4 投了         ( 0:09/00:00:14)");
    expect("play --file real.kif", "1c1d\nmoves\n", 0, "   3  ☗２六歩  ☖１四歩");
    expect_text("real.kif", "変化：4手\n   4 投了         ( 0:09/00:00:14)");
}

Test(files, the_copy_is_what_the_file_was_before_the_first_change_of_a_session)
{
    write_text("real.kif", kif);
    session_run(&session, "play --file real.kif", "undo\n8c8d\n1g1f\nundo\n9g9f\nquit\n", 0);
    expect_bytes("real.kif~", kif, strlen(kif));
}

Test(files, a_file_that_was_changed_by_another_program_is_kept_again)
{
    write_text("real.kif", kif);
    session_open(&session, "play --file real.kif");
    session_type(&session, "undo\n8c8d\nmoves\n");
    session_await(&session, "   3  ");
    write_text("real.kif", "# edited\n");
    session_type(&session, "1g1f\n");
    cr_assert_eq(session_end(&session), 0);
    expect_text("real.kif~", "# edited");
    expect_text("real.kif", "   5 １六歩(17)");
}

Test(files, a_file_of_another_charset_stays_in_it)
{
    static const char sjis[] = "\x8e\xe8\x8d\x87\x8a\x84\x81\x46\x95\xbd\x8e\xe8\n"
                               "\x90\xe6\x8e\xe8\x81\x46\x8d\x62\n"
                               "   1 \x82\x56\x98\x5a\x95\xe0(77)\n";

    write_text("old.kif", sjis);
    session_run(&session, "play --file old.kif", "3c3d\nquit\n", 0);
    expect_text("old.kif", "\x90\xe6\x8e\xe8\x81\x46\x8d\x62");
    expect_text("old.kif", "\x82\x52\x8e\x6c\x95\xe0(33)");
}

Test(files, a_file_goes_on_in_its_format_whatever_its_name)
{
    write_text("real.txt", kif);
    session_run(&session, "play --file real.txt", "undo\n8c8d\nquit\n", 0);
    expect_all_of_the_record("real.txt");
}

/* A daemon's record: it has a line that was undone, an offer and its answer, and times. */
static const char json[] =
    "{\"format\":\"plyd-record\",\"format_version\":1,\"variant\":\"tictactoe\",\"rules_version\":"
    "1,"
    "\"options\":{\"rows\":3,\"cols\":3,\"k\":3},"
    "\"seats\":[{\"seat\":1,\"name\":\"Ada\"},{\"seat\":2,\"engine\":\"plyd\",\"level\":3}],"
    "\"seed\":\"77\",\"undo\":\"consent\",\"visibility\":\"private\","
    "\"moves\":[{\"move\":\"b2\",\"spent_us\":1500000},{\"move\":\"a1\"}],"
    "\"events\":["
    "{\"version\":1,\"kind\":\"created\",\"line\":1,\"ply\":0,\"at\":\"2025-01-02T03:04:05Z\"},"
    "{\"version\":2,\"kind\":\"move\",\"seat\":1,\"line\":1,\"ply\":1,\"move\":\"b2\","
    "\"at\":\"2025-01-02T03:04:06Z\",\"data\":{\"spent_us\":1500000}},"
    "{\"version\":3,\"kind\":\"offered\",\"seat\":1,\"line\":1,\"ply\":1,"
    "\"at\":\"2025-01-02T03:04:07Z\",\"data\":{\"kind\":\"draw\"}},"
    "{\"version\":4,\"kind\":\"declined\",\"seat\":2,\"line\":1,\"ply\":1,"
    "\"at\":\"2025-01-02T03:04:08Z\",\"data\":{\"offer\":3,\"kind\":\"draw\"}},"
    "{\"version\":5,\"kind\":\"move\",\"seat\":2,\"line\":1,\"ply\":2,\"move\":\"c3\","
    "\"at\":\"2025-01-02T03:04:09Z\",\"data\":{\"spent_us\":2500000}},"
    "{\"version\":6,\"kind\":\"undo\",\"line\":1,\"ply\":1,\"at\":\"2025-01-02T03:04:10Z\"},"
    "{\"version\":7,\"kind\":\"move\",\"seat\":2,\"line\":2,\"ply\":2,\"move\":\"a1\","
    "\"at\":\"2025-01-02T03:04:11Z\",\"data\":{}}]}";

Test(files, the_log_of_a_daemon_s_record_goes_on)
{
    static const char *const texts[] = {
        "\"c3\"",
        "\"spent_us\":2500000",
        "\"kind\":\"declined\"",
        "\"name\":\"Ada\"",
        "\"undo\":\"consent\"",
        "\"visibility\":\"private\"",
        "\"kind\":\"move\",\"seat\":1,\"line\":2,\"ply\":3,\"move\":\"c1\""};

    write_text("game.json", json);
    session_run(&session, "play --file game.json --seat both", "c1\nquit\n", 0);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        expect_text("game.json", texts[i]);
    expect_bytes("game.json~", json, strlen(json));
}

Test(files, a_daemon_s_engine_plays_on_in_the_terminal)
{
    write_text("game.json", json);
    expect("play --file game.json", "c1\nquit\n", 0, "o plays");
    expect_text("game.json", "{\"seat\":2,\"engine\":\"plyd\",\"level\":3}");
    expect_text("game.json", "\"seed\":\"77\"");
}

Test(files, what_happens_in_the_terminal_is_read_again)
{
    session_run(&session, "play tictactoe --seat both --file a.json",
                "a1\nb2\nundo\nredo\nundo\nc3\ndraw\ndraw\nundo\nresign\nundo\na2\n", 0);
    expect("play --file a.json", "moves\nundo\nundo\nredo\nredo\nmoves\nresign\n", 0,
           "   1  a1  c3\n   3  a2");
    expect("play --file a.json", "", 0, "wins (resign)");
}

Test(files, a_game_of_an_earlier_version_goes_on)
{
    write_text(
        "old.json",
        "{\"format\":\"plyd-record\",\"format_version\":1,\"variant\":\"tictactoe\","
        "\"rules_version\":1,\"options\":{\"rows\":3,\"cols\":3,\"k\":3},"
        "\"seats\":[{\"seat\":1},{\"seat\":2,\"name\":\"plyd, level 2\",\"engine\":\"plyd:2\""
        "}],\"seed\":\"5\",\"started_at\":\"2025-01-02T03:04:05Z\","
        "\"moves\":[{\"move\":\"b2\"},{\"move\":\"a1\"}]}");
    expect("play --file old.json", "c1\nquit\n", 0, "o plays");
    expect_text("old.json", "{\"seat\":2,\"engine\":\"plyd\",\"level\":2}");
}

Test(files, the_level_of_the_command_line_alone_changes_nothing)
{
    write_text("game.json", json);
    session_run(&session, "play --file game.json --level 7 --seed 4", "quit\n", 0);
    expect_bytes("game.json", json, strlen(json));
}

Test(files, a_new_game_is_in_its_file_when_something_was_played)
{
    session_run(&session, "play tictactoe --seat both --file new.json", "moves\nquit\n", 0);
    cr_assert_neq(access(in_folder("new.json"), F_OK), 0);
    session_run(&session, "play tictactoe --seat both --file new.json", "a1\nquit\n", 0);
    expect_text("new.json", "\"a1\"");
}

Test(files, what_was_loaded_is_saved_with_all_that_it_had)
{
    write_text("real.kif", kif);
    session_run(&session, "play", "l\nreal.kif\nsave copy.kif\nquit\n", 0);
    expect_all_of_the_record("copy.kif");
    expect_text("copy.kif", "投了");
    expect_bytes("real.kif", kif, strlen(kif));
}

Test(files, a_file_with_several_games_is_not_played_in)
{
    char two[2 * sizeof(kif)];

    snprintf(two, sizeof(two), "%s\n%s", kif, kif);
    write_text("two.kif", two);
    expect("play --file two.kif", "undo\n", 1, "It has other games as well (1)");
    expect_bytes("two.kif", two, strlen(two));
    expect("play shogi --seat both", "load two.kif\nmoves\n", 0, "   1  ☗７六歩");
}

/* ---- every record of the tests ---- */

static void open_and_quit(const char *name)
{
    char from[300], command[300], before[300];
    size_t len;
    char *bytes;

    snprintf(from, sizeof(from), "tests/records/%s", name);
    bytes = read_path(from, &len);
    write_bytes(name, bytes, len);
    snprintf(command, sizeof(command), "play --file %s", name);
    session_open(&session, command);
    session_type(&session, "quit\n");
    session_end(&session);
    expect_bytes(name, bytes, len);
    snprintf(before, sizeof(before), "%s~", name);
    cr_assert_neq(access(in_folder(before), F_OK), 0, "%s is there", before);
    free(bytes);
}

Test(files, every_record_of_the_tests_stays_as_it_is_when_it_is_opened)
{
    DIR *folder = opendir("tests/records");
    const struct dirent *entry;
    int n = 0;

    while ((entry = readdir(folder)) != NULL)
        if (entry->d_name[0] != '.') {
            open_and_quit(entry->d_name);
            n++;
        }
    closedir(folder);
    cr_assert_geq(n, 8);
}

/* ---- what may not be played in ---- */

Test(files, two_at_once_do_not_play_in_one_file)
{
    struct session other = session;

    write_text("real.kif", kif);
    session_open(&session, "play --file real.kif");
    session_await(&session, "over> ");
    cr_assert_eq(symlink("real.kif", in_folder("link.kif")), 0);
    other.shown = other.before = NULL;
    session_run(&other, "play --file link.kif", "undo\n8c8d\n", 1);
    cr_assert_not_null(strstr(other.shown, "Another `plyd play` has link.kif now."));
    session_run(&other, "play shogi --seat both", "7g7f\nsave real.kif\n", 0);
    cr_assert_not_null(strstr(other.shown, "Another `plyd play` has real.kif now."));
    cr_assert_eq(session_end(&session), 0);
    expect_bytes("real.kif", kif, strlen(kif));
    free(other.shown);
}

Test(files, two_at_once_do_not_begin_a_game_in_one_file)
{
    struct session other = session;

    session_open(&session, "play tictactoe --seat both --file new.json");
    session_await(&session, "x> ");
    other.shown = other.before = NULL;
    session_run(&other, "play tictactoe --seat both --file ./new.json", "a1\n", 1);
    cr_assert_not_null(strstr(other.shown, "Another `plyd play` has ./new.json now."));
    cr_assert_eq(session_end(&session), 0);
    free(other.shown);
}

Test(files, a_file_is_free_again_after_a_kill)
{
    session_open(&session, "play tictactoe --seat both --file new.json");
    session_await(&session, "x> ");
    cr_assert_eq(session_kill(&session, SIGKILL), -SIGKILL);
    session_run(&session, "play tictactoe --seat both --file new.json", "a1\n", 0);
}

Test(files, what_cannot_be_read_is_refused_before_any_question)
{
    cr_assert_eq(mkdir(in_folder("folder"), 0755), 0);
    cr_assert_eq(mkfifo(in_folder("pipe"), 0644), 0);
    write_text("file", "x");
    expect("play --file nowhere/a.kif", "", 1, "There is no folder for nowhere/a.kif.");
    expect("play --file folder", "", 1, "folder is not a file");
    expect("play --file pipe", "", 1, "pipe is not a file");
    expect("play --file file/a.kif", "", 1, "file/a.kif cannot be read: Not a directory");
    expect("play tictactoe --file nowhere/a.json", "", 1, "There is no folder");
}

Test(files, a_file_without_permission_or_too_large_is_refused_before_any_question)
{
    char *large = calloc(1, (1 << 20) + 2);

    memset(large, '\n', (1 << 20) + 1);
    write_bytes("large.kif", large, (1 << 20) + 1);
    expect("play --file large.kif", "", 1, "large.kif cannot be read: File too large");
    free(large);
    if (geteuid() == 0)
        return; /* who may read everything */
    write_text("secret.kif", kif);
    chmod(in_folder("secret.kif"), 0);
    expect("play --file secret.kif", "", 1, "secret.kif cannot be read: Permission denied");
}

/* ---- how a file is replaced ---- */

Test(files, a_link_stays_a_link_and_permissions_stay)
{
    struct stat now;

    write_text("real.kif", kif);
    chmod(in_folder("real.kif"), 0640);
    cr_assert_eq(symlink("real.kif", in_folder("link.kif")), 0);
    session_run(&session, "play --file link.kif", "undo\n8c8d\n", 0);
    cr_assert_eq(lstat(in_folder("link.kif"), &now), 0);
    cr_assert(S_ISLNK(now.st_mode));
    expect_text("real.kif", "   4 ８四歩(83)");
    cr_assert_eq(stat(in_folder("real.kif"), &now), 0);
    cr_assert_eq(now.st_mode & 07777, 0640);
    cr_assert_eq(stat(in_folder("real.kif~"), &now), 0);
    cr_assert_eq(now.st_mode & 07777, 0640);
}

Test(files, a_link_to_a_file_that_is_not_there_yet_stays_a_link)
{
    struct stat now;

    cr_assert_eq(symlink("real.json", in_folder("link.json")), 0);
    session_run(&session, "play tictactoe --seat both --file link.json", "a1\n", 0);
    cr_assert_eq(lstat(in_folder("link.json"), &now), 0);
    cr_assert(S_ISLNK(now.st_mode));
    expect_text("real.json", "\"a1\"");
}

Test(files, a_folder_that_cannot_be_written_can_be_read)
{
    write_text("real.kif", kif);
    cr_assert_eq(mkdir(in_folder("real.kif~"), 0755), 0);
    expect("play --file real.kif", "moves\n", 0, "   1  ☗７六歩");
    expect("play --file real.kif", "undo\n", 0, "real.kif~ cannot be written: Is a directory");
    expect_bytes("real.kif", kif, strlen(kif));
}

Test(files, a_file_that_save_replaces_is_kept)
{
    write_text("notes.kif", "milk and bread\n");
    expect("play shogi --seat both", "7g7f\nsave notes.kif\n3c3d\nsave notes.kif\n", 0,
           "What was there before is in notes.kif~ now.");
    expect_bytes("notes.kif~", "milk and bread\n", 15);
    expect_text("notes.kif", "３四歩");
}

Test(files, save_says_what_a_format_has_no_place_for)
{
    expect("play shogi --seat both", "7g7f\nundo\n2g2f\nsave notes.csa\n", 0,
           "they are not in it: variations.");
    expect("play shogi --seat both --lang tr", "7g7f\nsave notes.sfen\n", 0, "hamleler");
}

/* ---- formats without variations ---- */

static const char csa[] = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n%TORYO\n";

Test(files, a_file_without_variations_keeps_all_that_was_played_as_nothing_is_taken_back_in_it)
{
    write_text("game.csa", csa);
    for (int i = 0; i < 2; i++)
        expect("play --file game.csa", "undo\nquit\n", 0,
               "game.csa has no place for what is taken back, so nothing was.");
    expect_bytes("game.csa", csa, strlen(csa));
    cr_assert_neq(access(in_folder("game.csa~"), F_OK), 0);
    session_run(&session, "play tictactoe --seat both --file game.txt", "a1\nb2\nundo\nc3\n", 0);
    expect("play --file game.txt", "moves\n", 0, "   1  a1  b2\n   3  c3");
}

Test(files, what_is_saved_from_a_file_without_variations_goes_on_in_one_that_has_them)
{
    write_text("game.csa", csa);
    session_run(&session, "play --file game.csa", "save game.json\nquit\n", 0);
    session_run(&session, "play --file game.json", "undo\n8c8d\nundo\nundo\n1g1f\n", 0);
    session_run(&session, "play", "l\ngame.json\nsave all.kif\nquit\n", 0);
    expect_text("all.kif", "投了");
    expect_text("all.kif", "８四歩(83)");
    expect_text("all.kif", "２六歩(27)");
}

Test(files, a_game_with_variations_is_not_loaded_over_a_file_without)
{
    write_text("game.csa", csa);
    write_text("real.kif", kif);
    expect("play --file game.csa", "load real.kif\nundo\n", 0, "game.csa cannot keep this game.");
    expect_bytes("game.csa", csa, strlen(csa));
}

Test(files, save_replaces_nothing_that_is_no_file)
{
    cr_assert_eq(mkfifo(in_folder("pipe.kif"), 0644), 0);
    expect("play shogi --seat both", "save pipe.kif\n", 0, "pipe.kif cannot be written");
}

Test(files, every_ending_of_shogi_is_written_and_read)
{
    static const char *const endings[] = {"sfen", "usi", "usen", "shougi"};
    char input[256];

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        snprintf(input, sizeof(input), "7g7f\nsave a.%s\nmenu\n0\n", endings[i]);
        session_run(&session, "play shogi --seat both", input, 0);
        snprintf(input, sizeof(input), "load a.%s\nlegal 3c\nquit\n", endings[i]);
        expect("play shogi --seat both", input, 0, "3c3d");
    }
}

/* ---- kills ---- */

/* What a file is when a session has ended. */
static char *bytes_after(const char *input)
{
    size_t len;

    unlink(in_folder("real.kif~"));
    write_text("real.kif", kif);
    session_run(&session, "play --file real.kif", input, 0);
    return read_path(in_folder("real.kif"), &len);
}

/* The file is one of the three, and its copy is the first one or not there. */
static void expect_whole(const char *undone, const char *played, int n)
{
    size_t len;
    char *now = read_path(in_folder("real.kif"), &len);
    char *before = read_path(in_folder("real.kif~"), &len);

    cr_assert_not_null(now, "there is no file after a kill before call %d", n);
    cr_assert(strcmp(now, kif) == 0 || strcmp(now, undone) == 0 || strcmp(now, played) == 0,
              "after a kill before call %d the file is\n%s", n, now);
    cr_assert(before == NULL || strcmp(before, kif) == 0,
              "after a kill before call %d the copy is\n%s", n, before);
    cr_assert(before != NULL || strcmp(now, kif) == 0,
              "after a kill before call %d there is no copy", n);
    free(now);
    free(before);
}

/* Two saves: one that keeps what was there, and one that need not. */
Test(files, a_kill_at_any_step_of_a_save_leaves_the_old_file_or_the_new_one)
{
    static const char command[] = "play --file real.kif";
    char *undone = bytes_after("undo\n"), *played = bytes_after("undo\n8c8d\n");
    int n = 0;

    for (;; n++) {
        unlink(in_folder("real.kif~"));
        write_text("real.kif", kif);
        if (!session_kill_at(&session, command, "undo\n8c8d\n", n))
            break;
        expect_whole(undone, played, n);
    }
    cr_assert_geq(n, 25, "a save has no more than %d steps?", n);
    expect_whole(played, played, n);
    free(undone);
    free(played);
}

Test(files, what_a_kill_has_left_is_in_nobody_s_way)
{
    write_text("real.kif", kif);
    for (int n = 0; n < 12; n++)
        cr_assert(session_kill_at(&session, "play --file real.kif", "undo\n", n));
    session_run(&session, "play --file real.kif", "undo\n8c8d\n", 0);
    expect_text("real.kif", "   4 ８四歩(83)");
    expect_bytes("real.kif~", kif, strlen(kif));
    cr_assert_neq(access(in_folder(".real.kif.plyd"), F_OK), 0);
    cr_assert_neq(access(in_folder(".real.kif~.plyd"), F_OK), 0);
}
