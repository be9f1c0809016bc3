/*
 * session.h - `plyd play` as people and scripts use it.
 *
 * Each session has a folder of its own for what is kept, build/terminal/NAME-XXXXXX. The program
 * runs there in UTF-8 and without colours.
 */
#ifndef PLYD_TESTS_SUPPORT_SESSION_H
#define PLYD_TESTS_SUPPORT_SESSION_H

#include <sys/types.h>

struct session {
    char folder[128];
    const char *locale; /* "C.UTF-8"; may be changed before a process begins */
    int patience_ms;    /* how long a wait takes at most: half a minute; may be changed */
    int in, out;        /* what is typed, and what is shown */
    pid_t pid;
    char command[128]; /* its command line, as far as it fits */
    char *shown;       /* everything that was shown since the last wait */
    char *before;      /* what was shown before that, back to the wait before */
    size_t len, size;
};

/* Makes the folder; session_close() removes it. session_open() begins a process there with a
 * command line such as "play jungle
 * --seat both". `terminal` gives it a terminal with so many columns and rows. */
void session_init(struct session *session, const char *name);
void session_close(struct session *session);
void session_open(struct session *session, const char *command);
void session_open_terminal(struct session *session, const char *command, const char *term,
                           unsigned short columns, unsigned short rows);

void session_type(struct session *session, const char *text);

/* Waits until something is shown that was not there when the last wait was over. Aborts when
 * patience is over, with what was shown. */
void session_await(struct session *session, const char *text);

/* Waits until the process is stopped, as Ctrl-Z does it. */
void session_await_stop(struct session *session);

/* Ends the input, waits for the process, and returns its exit code, or minus the signal that ended
 * it. What it showed stays until the next session_open(). Aborts with the command line and with
 * what was shown if the process does not leave. */
int session_end(struct session *session);

/* The same after a signal. */
int session_kill(struct session *session, int number);

/* Runs a command with an input to its end. Returns what was shown, which the next session_open()
 * frees; the exit code must be `code`. */
const char *session_run(struct session *session, const char *command, const char *input, int code);

/* Runs a command with an input and kills it before the n-th system call from its first unlink() on,
 * n from 0 on. False: it came to its end before that. */
int session_kill_at(struct session *session, const char *command, const char *input, int n);

/* Whether a file of the folder holds a text. */
int session_kept(const struct session *session, const char *file, const char *text);

#endif
