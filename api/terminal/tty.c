#include "api/terminal/tty.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "api/text/out.h"

enum { ESCAPE_MS = 50, USUAL_COLUMNS = 80, USUAL_ROWS = 24 };

/* Escape sequences: to the alternate screen without wrapping and cursor, and back. */
static const char to_screen[] = "\033[?1049h\033[?7l\033[?25l",
                  from_screen[] = "\033[?7h\033[?25h\033[?1049l";

/* These are static because signal handlers use them. */
static const char *entering, *leaving;
static struct termios before;
static volatile sig_atomic_t is_open, is_stale;

bool tty_is_able(void)
{
    const char *term = getenv("TERM");

    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term != NULL &&
           strcmp(term, "dumb") != 0;
}

static void write_tty_all(const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(STDOUT_FILENO, text, len);

        if (n < 0 && errno != EINTR)
            return; /* the terminal is gone, which the next read reports */
        text += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
}

/* ---- entering and leaving; called by signal handlers, too ---- */

/* Keys come one by one and are not shown. Ctrl-C and Ctrl-Z stay signals. */
static void enter_tty(void)
{
    struct termios raw = before;

    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    write_tty_all(entering, strlen(entering));
    is_open = 1;
}

static void leave_tty(void)
{
    if (!is_open)
        return;
    is_open = 0;
    write_tty_all(leaving, strlen(leaving));
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
}

static void on_stop(int number)
{
    int error = errno;

    (void)number;
    leave_tty();
    raise(SIGSTOP);
    enter_tty();
    is_stale = 1;
    errno = error;
}

static void on_end(int number)
{
    leave_tty();
    signal(number, SIG_DFL);
    raise(number);
}

static void on_size(int number)
{
    (void)number;
    is_stale = 1;
}

static void handle_signal(int number, void (*handler)(int))
{
    sigaction(number, &(struct sigaction){.sa_handler = handler}, NULL);
}

static void open_with(const char *first, const char *last)
{
    entering = first;
    leaving = last;
    tcgetattr(STDIN_FILENO, &before);
    handle_signal(SIGTSTP, on_stop);
    handle_signal(SIGTERM, on_end);
    handle_signal(SIGHUP, on_end);
    handle_signal(SIGWINCH, on_size);
    enter_tty();
}

void tty_open(void)
{
    open_with(to_screen, from_screen);
}

void tty_open_line(void)
{
    open_with("", "");
}

void tty_close(void)
{
    leave_tty();
    handle_signal(SIGTSTP, SIG_DFL);
    handle_signal(SIGTERM, SIG_DFL);
    handle_signal(SIGHUP, SIG_DFL);
    handle_signal(SIGWINCH, SIG_DFL);
}

struct tty_size tty_size(void)
{
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return (struct tty_size){USUAL_COLUMNS, USUAL_ROWS};
    return (struct tty_size){size.ws_col, size.ws_row};
}

/* ---- showing ---- */

void tty_show(const char *text)
{
    struct arena arena = {NULL, NULL, NULL};
    unsigned rows = tty_size().rows;
    struct out out;

    out_init(&out, &arena);
    out_add(&out, "\033[H");
    for (unsigned row = 0; row < rows && *text != '\0'; row++) {
        size_t len = strcspn(text, "\n");

        out_add(&out, row > 0 ? "\n\033[K" : "\033[K"); /* first: later it would cut a full line */
        out_bytes(&out, text, len);
        text += text[len] == '\n' ? len + 1 : len;
    }
    out_add(&out, "\033[J");
    write_tty_all(out.text, out.len);
    arena_free(&arena);
}

/* ---- keys ---- */

/* A byte that was read too early: the start of the next key. It followed ESC, but is no part of an
 * escape sequence. */
static char early;

/* Reads a byte if it comes at once, as the rest of a key's escape sequence does. */
static bool next_byte(char *byte)
{
    struct pollfd ready = {STDIN_FILENO, POLLIN, 0};

    return poll(&ready, 1, ESCAPE_MS) > 0 && read(STDIN_FILENO, byte, 1) == 1;
}

/* ESC [ A and ESC O A are an arrow; ESC [ 5 ~ is a page; ESC alone is the key. */
static enum tty_key read_sequence(void)
{
    static const struct {
        char first, last;
        enum tty_key key;
    } keys[] = {
        {0, 'A', TTY_UP},        {0, 'B', TTY_DOWN},        {0, 'C', TTY_RIGHT},
        {0, 'D', TTY_LEFT},      {0, 'H', TTY_HOME},        {0, 'F', TTY_END},
        {'5', '~', TTY_PAGE_UP}, {'6', '~', TTY_PAGE_DOWN}, {'1', '~', TTY_HOME},
        {'4', '~', TTY_END},
    };
    char byte, first = 0;

    if (!next_byte(&byte))
        return TTY_ESCAPE;
    if (byte != '[' && byte != 'O') {
        early = byte;
        return TTY_ESCAPE;
    }
    if (!next_byte(&byte))
        return TTY_OTHER;
    while (byte < '@' || byte > '~') {
        first = first == 0 ? byte : first;
        if (!next_byte(&byte))
            return TTY_OTHER;
    }
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (keys[i].last == byte && (keys[i].first == 0 || keys[i].first == first))
            return keys[i].key;
    return TTY_OTHER;
}

/* Reads the rest of a character of UTF-8. */
static struct tty_event read_character(char first)
{
    struct tty_event event = {TTY_TEXT, {first}};
    unsigned char lead = (unsigned char)first;
    int more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;

    for (int i = 1; i <= more; i++)
        if (!next_byte(&event.text[i]))
            return (struct tty_event){TTY_OTHER, ""};
    return event;
}

/* Waits for input. False: a signal came. Signals are blocked except inside ppoll(), so that none is
 * lost between the check of the flags and the wait. */
static bool await_byte(const atomic_bool *stop)
{
    struct pollfd ready = {STDIN_FILENO, POLLIN, 0};
    sigset_t signals, before_it;
    bool came;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGWINCH);
    sigaddset(&signals, SIGTSTP);
    sigprocmask(SIG_BLOCK, &signals, &before_it);
    came = is_stale || (stop != NULL && atomic_load(stop)) ||
           (ppoll(&ready, 1, NULL, &before_it) < 0 && errno == EINTR);
    is_stale = 0;
    sigprocmask(SIG_SETMASK, &before_it, NULL);
    return !came;
}

bool tty_is_ready(void)
{
    struct pollfd ready = {STDIN_FILENO, POLLIN, 0};

    return early != 0 || is_stale || poll(&ready, 1, 0) > 0;
}

struct tty_event tty_read(const atomic_bool *stop)
{
    char byte = early;
    ssize_t n = 1;

    if (early == 0 && !await_byte(stop))
        return (struct tty_event){TTY_SIGNAL, ""};
    if (early == 0)
        n = read(STDIN_FILENO, &byte, 1);
    early = 0;
    if (n <= 0 || byte == 4)
        return (struct tty_event){TTY_ENDED, ""};
    if (byte == '\r' || byte == '\n')
        return (struct tty_event){TTY_ENTER, ""};
    if (byte == '\t')
        return (struct tty_event){TTY_TAB, ""};
    if (byte == 127 || byte == 8)
        return (struct tty_event){TTY_BACKSPACE, ""};
    if (byte == 27)
        return (struct tty_event){read_sequence(), ""};
    if ((unsigned char)byte < ' ')
        return (struct tty_event){TTY_OTHER, ""};
    return read_character(byte);
}
