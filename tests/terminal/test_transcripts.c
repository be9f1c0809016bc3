/*
 * test_transcripts.c - whole sessions of `plyd play`, one for each game, word for word.
 *
 * transcripts/NAME.txt begins with the command line behind "$ plyd ". The rest is what was shown;
 * what stands behind a prompt ("x> ") was typed. With TRANSCRIPTS=write in the environment the
 * files are written anew: read the difference then.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/session.h"

static const char begin[] = "$ plyd ";

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);

    cr_assert_not_null(file, "%s", path);
    cr_assert_gt(fread(text, 1, (1 << 20) - 1, file), 0);
    fclose(file);
    return text;
}

/* What stands behind the prompt of a line; NULL if there is none. */
static const char *typed_in(const char *line)
{
    const char *at = line;

    while (islower((unsigned char)*at))
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

static void compare(const char *name)
{
    struct session session;
    char path[128], command[512];
    char *expected, *input;
    const char *shown;
    size_t first;
    FILE *file;

    snprintf(path, sizeof(path), "tests/terminal/transcripts/%s.txt", name);
    expected = read_file(path);
    first = strcspn(expected, "\n");
    cr_assert_eq(strncmp(expected, begin, strlen(begin)), 0);
    snprintf(command, sizeof(command), "%.*s", (int)(first - strlen(begin)),
             expected + strlen(begin));
    input = typed_by(expected + first + 1);
    session_init(&session, name);
    shown = session_run(&session, command, input, 0);
    if (getenv("TRANSCRIPTS") != NULL) {
        file = fopen(path, "w");
        fprintf(file, "%s%s\n%s", begin, command, shown);
        fclose(file);
    } else {
        cr_assert_str_eq(shown, expected + first + 1, "%s differs; TRANSCRIPTS=write shows how",
                         path);
    }
    session_close(&session);
    free(expected);
    free(input);
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
