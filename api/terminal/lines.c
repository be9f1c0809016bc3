/* lines.c - the line mode of `plyd play`. */
#include "api/terminal/terminal.h"

#include <stdio.h>
#include <unistd.h>

#include "api/terminal/read_command.h"
#include "api/terminal/tty.h"

static void print_board(const struct game_session *session)
{
    struct arena arena = {NULL, NULL, NULL};
    struct rules_look look;

    game_session_look(session, &look);
    fputs(show_board(&arena, &session->match, session->shown, &session->style, &look), stdout);
    arena_free(&arena);
}

/* Plays the engine's moves, and prints the board after each. */
static void let_engine_move(struct game_session *session)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    while (session->remote == NULL && game_session_waits(session)) {
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

/* ---- a daemon ---- */

/* A person is told of news at any time, and a script where it waits for them. */
static bool listens(const struct game_session *session, const struct terminal_input *input)
{
    return game_session_listens(session) && (!input->echo || game_session_waits(session));
}

/* Whether nobody plays here: no turn ever comes. */
static bool only_watches(const struct game_session *session)
{
    return session->level[0] != PLAYER_HERE && session->level[1] != PLAYER_HERE;
}

/* Whether the next line is obeyed although the daemon may have news, or the end of all lines. A
 * person is obeyed at once, and so is a script that watches. One that plays goes on when it is its
 * turn, so that a list of moves plays a game. */
static bool is_obeyed(const struct game_session *session, const struct terminal_input *input)
{
    char line[64];

    if (!input->echo || only_watches(session))
        return terminal_input_is_ready(input);
    return terminal_input_ahead(input, line, sizeof(line)) != NULL && command_is_urgent(line);
}

/* Waits for news or for input, and prints the news. `prompted`: a prompt stands in the line. */
static enum game_session_heard hear_typed_line(struct game_session *session,
                                               struct terminal_input *input, bool prompted)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;
    enum game_session_heard heard;

    fflush(stdout);
    out_init(&said, &arena);
    heard = input->edits && tty_is_ready()
                ? HEARD_INPUT
                : game_session_listen(session, terminal_input_is_ready(input) ? -1 : STDIN_FILENO,
                                      &said);
    if (heard == HEARD_INPUT)
        terminal_input_fill(input);
    if (said.len > 0) {
        printf("%s%s", prompted ? "\n" : "", said.text);
        print_board(session);
    }
    arena_free(&arena);
    return heard;
}

/* ---- lines ---- */

/* Reads the next line that is to be obeyed, and meanwhile shows what the other side does. */
static char *hear_line(struct game_session *session, struct terminal_input *input)
{
    bool prompted = false;

    while (listens(session, input) && !is_obeyed(session, input)) {
        enum game_session_heard heard;

        if (!input->echo && !prompted)
            terminal_input_prompt(input, game_session_turn(session));
        prompted = !input->echo;
        heard = hear_typed_line(session, input, prompted);
        if (heard == HEARD_STOP)
            return NULL;
        prompted = prompted && heard != HEARD_NEWS;
    }
    return terminal_input_line(input, prompted ? NULL : game_session_turn(session));
}

/* A person who may be told of news edits the line here, so that it is not lost among them. */
static char *await_line(struct game_session *session, struct terminal_input *input)
{
    bool edits = !input->echo && listens(session, input);
    char *line;

    if (edits)
        terminal_input_edit(input);
    line = hear_line(session, input);
    if (edits)
        terminal_input_end_edit(input);
    return line;
}

/* Runs a line and prints the answer. */
static enum run_command_next run_typed_line(struct game_session *session, char *line)
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
static void tell_session(struct game_session *session)
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

    tell_session(session);
    while (next != NEXT_MENU && next != NEXT_QUIT) {
        char quit[] = "quit";
        char *line;

        if (next == NEXT_SHOWS)
            print_board(session);
        let_engine_move(session);
        line = await_line(session, input);
        next = run_typed_line(session, line == NULL ? quit : line);
    }
    return next;
}
