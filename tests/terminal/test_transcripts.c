/*
 * test_transcripts.c - whole sessions of `plyd play`, one for each game, word for word.
 *
 * transcripts/NAME.txt begins with the command line behind "$ plyd ". The rest is what was shown;
 * what stands behind a prompt ("x> ", "選択> ") was typed. With TRANSCRIPTS=write in the
 * environment the files are written anew: read the difference then.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/files.h"
#include "tests/support/session.h"

static const char begin[] = "$ plyd ";

/* What stands behind the prompt of a line; NULL if there is none. */
static const char *typed_in(const char *line)
{
    const char *at = line;

    while (islower((unsigned char)*at) || (unsigned char)*at >= 0x80)
        at++;
    return at > line && at[0] == '>' && at[1] == ' ' ? at + 2 : NULL;
}

/* All that was typed in a transcript. */
static char *typed_by(const char *transcript)
{
    char *input = calloc(1, strlen(transcript) + 2), *at = input;

    for (const char *line = transcript; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const char *typed = typed_in(line);

        if (typed != NULL)
            at += sprintf(at, "%.*s\n", (int)strcspn(typed, "\n"), typed);
    }
    return input;
}

static bool is_to_be_written(void)
{
    return getenv("TRANSCRIPTS") != NULL;
}

/* Types what was typed in a transcript. Returns the transcript of that. */
static char *replay(const char *transcript)
{
    size_t first = strcspn(transcript, "\n");
    char command[512], *input, *text;
    struct session session;
    const char *shown;

    cr_assert_eq(strncmp(transcript, begin, strlen(begin)), 0);
    snprintf(command, sizeof(command), "%.*s", (int)(first - strlen(begin)),
             transcript + strlen(begin));
    input = typed_by(transcript + first + 1);
    session_init(&session, "transcript");
    shown = session_run(&session, command, input, 0);
    text = calloc(1, strlen(begin) + strlen(command) + strlen(shown) + 2);
    sprintf(text, "%s%s\n%s", begin, command, shown);
    session_close(&session);
    free(input);
    return text;
}

static void compare(const char *name)
{
    char path[128], *expected, *came;

    snprintf(path, sizeof(path), "tests/terminal/transcripts/%s.txt", name);
    expected = file_read("%s", path);
    came = replay(expected);
    if (is_to_be_written())
        file_write(path, came);
    else
        cr_assert_str_eq(came, expected, "%s differs; TRANSCRIPTS=write shows how", path);
    free(expected);
    free(came);
}

/* The same with each ```console block of a document. */
static void compare_document(const char *path)
{
    static const char fence[] = "```console\n", end_fence[] = "```\n";
    char *text = file_read("%s", path), *written = calloc(1, 1 << 20), *at = text, *block;

    while ((block = strstr(at, fence)) != NULL) {
        char *end, *came;

        block += strlen(fence);
        end = strstr(block, end_fence);
        cr_assert_not_null(end);
        strncat(written, at, (size_t)(block - at));
        *end = '\0';
        came = replay(block);
        if (!is_to_be_written())
            cr_assert_str_eq(came, block, "%s differs; TRANSCRIPTS=write shows how", path);
        strcat(written, came);
        *end = '`';
        at = end;
        free(came);
    }
    strcat(written, at);
    if (is_to_be_written())
        file_write(path, written);
    free(text);
    free(written);
}

Test(transcripts, tictactoe_is_lost_to_a_line_and_taken_back)
{
    compare("tictactoe");
}

Test(transcripts, jungle_is_played_against_the_engine)
{
    compare("jungle");
}

Test(transcripts, turkish_draughts_refuses_what_does_not_capture_most)
{
    compare("turkish-draughts");
}

Test(transcripts, stackchess_shows_what_stands_on_a_square)
{
    compare("stackchess");
}

Test(transcripts, shogi_is_saved_and_loaded_as_kif)
{
    compare("shogi");
}

Test(transcripts, the_menus_lead_to_a_game_and_back)
{
    compare("menus");
}

Test(transcripts, everything_is_said_in_japanese)
{
    compare("japanese");
}

Test(transcripts, everything_is_said_in_turkish)
{
    compare("turkish");
}

Test(transcripts, the_sessions_of_the_page_about_terminals_go_as_they_are_written)
{
    compare_document("docs/terminal.md");
}
