/*
 * commands.h - the words that people type at a board. commands.def lists them.
 */
#ifndef PLYD_API_TERMINAL_COMMANDS_H
#define PLYD_API_TERMINAL_COMMANDS_H

#include "api/terminal/show.h"

enum order_kind {
    ORDER_NONE, /* an empty line */
    ORDER_MOVE, /* not a word of the list: `rest` is the whole line */
#define ORDER(id, word, brief, argument, doc) ORDER_##id,
#include "api/terminal/commands.def"
#undef ORDER
    ORDER_KINDS
};

struct order {
    enum order_kind kind;
    const char *rest; /* what stands behind the word, without blanks around it; "" if nothing */
};

/* Reads a line, and cuts blanks off its end. Words are read in any case. A text behind a word that
 * takes none makes it a move. */
struct order order_read(char *line);

/* What is typed for it: "help". */
const char *order_word(enum order_kind kind);

/* Appends the list of the words. */
void order_help(struct out *out, const struct show_style *style);

#endif
