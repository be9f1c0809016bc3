/* lines.c - the line mode of `plyd play`. */
#include "api/terminal/terminal.h"

#include <stdio.h>

static void print_board(const struct game_session *session)
{
    struct arena arena = {NULL, NULL, NULL};
    struct rules_look look;

    game_session_look(session, &look);
    fputs(show_board(&arena, &session->match, session->shown, &session->style, &look), stdout);
    arena_free(&arena);
}

/* Plays the moves of the other side, and prints the board after each. */
static void let_others_move(struct game_session *session)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    while (game_session_waits(session)) {
        fflush(stdout); /* waiting may take long, so show what is there */
        out_init(&said, &arena);
        game_session_other_moves(session, &said);
        fputs(said.text, stdout);
        if (said.len > 0)
            print_board(session);
        arena_reset(&arena);
    }
    arena_free(&arena);
}

/* Runs a line and prints the answer. */
static enum run_command_next run_line(struct game_session *session, char *line)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;
    enum run_command_next next;

    out_init(&said, &arena);
    next = run_command_line(session, line, &said);
    fputs(said.text, stdout);
    arena_free(&arena);
    return next;
}

/* Prints the notices before the first board. */
static void tell(struct game_session *session)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    out_init(&said, &arena);
    game_session_tell(session, &said);
    fputs(said.text, stdout);
    arena_free(&arena);
}

enum run_command_next lines_run(struct game_session *session, struct terminal_input *input)
{
    enum run_command_next next = NEXT_SHOWS;

    tell(session);
    while (next != NEXT_MENU && next != NEXT_QUIT) {
        char quit[] = "quit";
        char *line;

        if (next == NEXT_SHOWS)
            print_board(session);
        let_others_move(session);
        line = terminal_input_line(input, game_session_turn(session));
        next = run_line(session, line == NULL ? quit : line);
    }
    return next;
}
