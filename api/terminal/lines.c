/* lines.c - the line mode of `plyd play`. */
#include "api/terminal/terminal.h"

#include <stdio.h>

static void print_board(const struct game_session *sitting)
{
    struct arena arena = {NULL, NULL, NULL};
    struct rules_look look;

    game_session_look(sitting, &look);
    fputs(show_board(&arena, &sitting->match, sitting->shown, &sitting->style, &look), stdout);
    arena_free(&arena);
}

/* Plays the moves of the other side, and prints the board after each. */
static void let_others_move(struct game_session *sitting)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    while (game_session_waits(sitting)) {
        fflush(stdout); /* waiting may take long, so show what is there */
        out_init(&said, &arena);
        game_session_other_moves(sitting, &said);
        fputs(said.text, stdout);
        if (said.len > 0)
            print_board(sitting);
        arena_reset(&arena);
    }
    arena_free(&arena);
}

/* Runs a line and prints the answer. */
static enum run_command_next obey(struct game_session *sitting, char *line)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;
    enum run_command_next next;

    out_init(&said, &arena);
    next = run_command_line(sitting, line, &said);
    fputs(said.text, stdout);
    arena_free(&arena);
    return next;
}

/* Prints the notices before the first board. */
static void tell(struct game_session *sitting)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    out_init(&said, &arena);
    game_session_tell(sitting, &said);
    fputs(said.text, stdout);
    arena_free(&arena);
}

enum run_command_next lines_run(struct game_session *sitting, struct typing *typing)
{
    enum run_command_next next = OBEY_SHOWS;

    tell(sitting);
    while (next != OBEY_MENU && next != OBEY_QUIT) {
        char quit[] = "quit";
        char *line;

        if (next == OBEY_SHOWS)
            print_board(sitting);
        let_others_move(sitting);
        line = terminal_input_line(typing, game_session_turn(sitting));
        next = obey(sitting, line == NULL ? quit : line);
    }
    return next;
}
