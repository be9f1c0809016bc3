/*
 * tty.h - the raw terminal.
 *
 * It reads single keys, tells the size of the terminal, and restores the terminal at the end.
 *
 * While it is open, the terminal shows a screen of its own and gives keys one by one. Before the
 * process ends or stops (Ctrl-Z, SIGTERM, a closed window), the terminal is restored. Only one can
 * be open at a time.
 */
#ifndef PLYD_API_TERMINAL_TTY_H
#define PLYD_API_TERMINAL_TTY_H

#include <stdatomic.h>
#include <stdbool.h>

/* Whether standard input and output are a terminal that can do this. */
bool tty_is_able(void);

void tty_open(void);
void tty_close(void);

/* The same without a screen of its own: what is typed is not shown, and what is printed goes on
 * below what there is. */
void tty_open_line(void);

struct tty_size {
    unsigned columns, rows;
};
struct tty_size tty_size(void);

/* Fills the screen with a text, from the top left. Lines that do not fit are cut. */
void tty_show(const char *text);

enum tty_key {
    TTY_TEXT, /* `text` is a character */
    TTY_UP,
    TTY_DOWN,
    TTY_RIGHT,
    TTY_LEFT,
    TTY_HOME,
    TTY_END,
    TTY_PAGE_UP,
    TTY_PAGE_DOWN,
    TTY_ENTER,
    TTY_TAB,
    TTY_BACKSPACE,
    TTY_ESCAPE,
    TTY_OTHER,  /* a key that means nothing here */
    TTY_SIGNAL, /* the size has changed, the process was stopped, or Ctrl-C was pressed */
    TTY_ENDED   /* Ctrl-D, or there is no terminal any more */
};

struct tty_event {
    enum tty_key key;
    char text[8];
};

/* Whether tty_read() would return at once: a key was pressed, or the screen has to be drawn anew.
 */
bool tty_is_ready(void);

/* Waits for a key or a signal. *stop is true if Ctrl-C was pressed, during the call or before it.
 */
struct tty_event tty_read(const atomic_bool *stop);

#endif
