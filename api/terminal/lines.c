#include "api/terminal/lines.h"

#include <stdio.h>

static void print_board(const struct sitting *sitting)
{
    struct arena arena = {NULL, NULL, NULL};
    struct rules_look look;

    sitting_look(sitting, &look);
    fputs(show_board(&arena, &sitting->match, sitting->shown, &look), stdout);
    arena_free(&arena);
}

/* The moves of others, each with the board after it. */
static void let_others_move(struct sitting *sitting)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    while (sitting_waits(sitting)) {
        out_init(&said, &arena);
        sitting_other_moves(sitting, &said);
        fputs(said.text, stdout);
        if (said.len > 0)
            print_board(sitting);
        fflush(stdout);
        arena_reset(&arena);
    }
    arena_free(&arena);
}

/* Does what a line says. */
static enum sitting_next obey(struct sitting *sitting, char *line)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;
    enum sitting_next next;

    out_init(&said, &arena);
    next = sitting_order(sitting, line, &said);
    fputs(said.text, stdout);
    arena_free(&arena);
    return next;
}

enum sitting_next lines_run(struct sitting *sitting, struct typing *typing)
{
    enum sitting_next next = SITTING_SHOWS;

    while (next != SITTING_MENU && next != SITTING_QUIT) {
        char quit[] = "quit";
        char *line;

        if (next == SITTING_SHOWS)
            print_board(sitting);
        let_others_move(sitting);
        line = typing_line(typing, sitting_turn(sitting));
        next = obey(sitting, line == NULL ? quit : line);
    }
    return next;
}
