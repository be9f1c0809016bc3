/* screen.c - the full screen of `plyd play`. */
#include "api/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/terminal/cells.h"
#include "api/terminal/pick.h"
#include "api/terminal/tty.h"

enum {
    LINE_BYTES = 4096,
    TOLD_LEAST = 2 /* lines beside the board for what was said */
};

struct screen {
    struct game_session *session;
    struct pick pick;
    unsigned cursor; /* a square */
    size_t choice;   /* the choice that Enter takes, counted from 1; 0: the square */
    char line[LINE_BYTES];
    size_t len;
    struct arena arena; /* of `said` */
    struct out said;    /* the answers to the last commands */
};

/* ---- what is on the screen ---- */

static struct rules_board board_of(const struct screen *screen)
{
    const struct match *match = &screen->session->match;

    return match->game->board(match->ply[screen->session->shown].state);
}

static const char *player(struct arena *arena, const struct game_session *session, unsigned i)
{
    if (session->level[i] == PLAYER_HERE)
        return lang_word(show_lang(&session->style), "play-here");
    if (session->level[i] == PLAYER_REMOTE)
        return lang_word(show_lang(&session->style), "play-elsewhere");
    if (session->level[i] == PLAYER_RANDOM)
        return lang_word(show_lang(&session->style), "the-computer");
    return lang_fill(arena, show_lang(&session->style), "engine-level", "engine", "plyd", "level",
                     show_number(arena, session->level[i]), NULL);
}

/* Appends a text, folded to the width of the terminal. */
static void add_folded(struct out *page, const char *text)
{
    cells_fold(page, text, tty_size().columns, SIZE_MAX);
}

static void add_title(const struct screen *screen, struct out *page)
{
    const struct game_session *session = screen->session;
    struct out title;

    out_init(&title, page->arena);
    show_say(&title, &session->style, "play-title", "title",
             show_title(session->match.game, &session->style), "first",
             game_session_seat(session, 1), "one", player(page->arena, session, 0), "second",
             game_session_seat(session, 2), "other", player(page->arena, session, 1), "ply",
             show_number(page->arena, session->shown), "last",
             show_number(page->arena, session->match.len), NULL);
    add_folded(page, title.text);
}

/* Marks the clicks so far, and the squares that may be clicked next. */
static void mark_pick(const struct screen *screen, struct rules_look *look)
{
    struct rules_board board = board_of(screen);
    char name[RULES_SQUARE_TEXT];

    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        rules_square_text(board, square, name);
        if (screen->pick.clicks > 0 && pick_may(&screen->pick, name))
            look->mark[square] = RULES_MARK_LEGAL;
        for (size_t i = 0; i < screen->pick.clicks; i++)
            if (strcmp(screen->pick.click[i], name) == 0)
                look->mark[square] |= RULES_MARK_PICKED;
    }
}

static const char *board_with(const struct screen *screen, struct arena *arena,
                              const struct rules_look *usual, uint8_t mark)
{
    const struct game_session *session = screen->session;
    struct rules_look look = *usual;

    look.mark[screen->cursor] = mark;
    return show_board(arena, &session->match, session->shown, &session->style, &look);
}

/* Finds the cursor in the text of the board without knowing the layout of the game and style: draws
 * the board twice with different marks on the cursor's square, and takes the first difference. */
static struct cells_spot find_cursor(const struct screen *screen, struct arena *arena)
{
    struct rules_look look;

    game_session_look(screen->session, &look);
    return cells_difference(board_with(screen, arena, &look, RULES_MARK_CURSOR),
                            board_with(screen, arena, &look, RULES_MARK_PICKED));
}

/* Adds the board, or as much of it as fits into `rows` lines. */
static void add_board(const struct screen *screen, struct out *page, size_t rows)
{
    const struct game_session *session = screen->session;
    struct rules_look look;

    game_session_look(session, &look);
    if (session->shown == session->match.len)
        mark_pick(screen, &look);
    if (screen->choice == 0)
        look.mark[screen->cursor] |= RULES_MARK_CURSOR;
    if (show_has_stacks(session->match.game))
        look.selected = screen->cursor;
    cells_window(page,
                 show_board(page->arena, &session->match, session->shown, &session->style, &look),
                 tty_size().columns, rows, find_cursor(screen, page->arena));
}

/* What a choice is called: its label, or the sign of a piece in hand ("P*"), or the click itself.
 */
static const char *choice_label(const struct screen *screen, const char *click)
{
    const struct rules_game *game = screen->session->match.game;
    unsigned side = game->to_move(screen->pick.state) - 1;

    for (size_t i = 0; game->choices != NULL && game->choices[i].click != NULL; i++)
        if (strcmp(game->choices[i].click, click) == 0)
            return game->choices[i].label;
    for (size_t kind = 0; kind < game->npieces; kind++) {
        const struct rules_piece *piece = &game->pieces[kind];
        size_t len = strlen(piece->letter[0]);

        if (strncmp(piece->letter[0], click, len) == 0 && strcmp(click + len, "*") == 0)
            return show_plain(&screen->session->style) ? piece->ascii[side] : piece->symbol[side];
    }
    return click;
}

static void add_choices(const struct screen *screen, struct out *page)
{
    const char *choices[PICK_CHOICES_MAX];
    size_t n = pick_choices(&screen->pick, choices);
    struct out line;

    out_init(&line, page->arena);
    if (n > 0)
        out_add(&line, lang_word(show_lang(&screen->session->style), "play-choices"));
    for (size_t i = 0; i < n; i++)
        out_format(&line, i + 1 == screen->choice ? " [%s]" : "  %s ",
                   choice_label(screen, choices[i]));
    out_add(&line, "\n");
    add_folded(page, line.text);
}

/* Adds what stands at the bottom: the end of the line that is typed, and the keys. */
static void add_bottom(const struct screen *screen, struct out *page)
{
    struct out line, keys;

    out_init(&line, page->arena);
    out_init(&keys, page->arena);
    add_folded(&line, arena_format(page->arena, "%s> %s_", game_session_turn(screen->session),
                                   screen->line));
    out_add(page, cells_last(line.text, tty_size().rows / 3 + 1));
    show_say(&keys, &screen->session->style, "play-keys", NULL);
    add_folded(page, keys.text);
}

/* Draws the page. Answers get the lines that they need, up to a third of the screen; the board gets
 * the rest. */
static void draw(const struct screen *screen)
{
    struct arena arena = {NULL, NULL, NULL};
    size_t rows = tty_size().rows, told, used;
    struct out page, choices, said, bottom;

    out_init(&page, &arena);
    out_init(&choices, &arena);
    out_init(&said, &arena);
    out_init(&bottom, &arena);
    add_title(screen, &page);
    add_choices(screen, &choices);
    add_folded(&said, screen->said.text);
    add_bottom(screen, &bottom);
    told = cells_lines(said.text) < rows / 3 ? cells_lines(said.text) : rows / 3;
    told = told > TOLD_LEAST ? told : TOLD_LEAST;
    used = cells_lines(page.text) + cells_lines(choices.text) + cells_lines(bottom.text);
    add_board(screen, &page, rows > used + told ? rows - used - told : 1);
    out_add(&page, choices.text);
    used = cells_lines(page.text) + cells_lines(bottom.text);
    out_add(&page, cells_last(said.text, rows > used ? rows - used : 1));
    out_add(&page, bottom.text);
    tty_show(page.text);
    arena_free(&arena);
}

static bool was_interrupted(const struct game_session *session)
{
    return session->stop != NULL && atomic_load(session->stop);
}

/* Shows a text that is longer than the screen, screen by screen. */
static void page_through(const struct game_session *session, const char *text)
{
    struct tty_event event = {TTY_ENTER, ""};
    struct arena arena = {NULL, NULL, NULL};

    while (*text != '\0' && event.key != TTY_ESCAPE && event.key != TTY_ENDED &&
           !was_interrupted(session)) {
        struct tty_size size = tty_size();
        struct out page;
        const char *rest;

        out_init(&page, &arena);
        rest = cells_fold(&page, text, size.columns, size.rows > 1 ? size.rows - 1 : 1);
        add_folded(&page, lang_word(show_lang(&session->style), "play-more"));
        tty_show(page.text);
        event = tty_read(session->stop);
        text = event.key == TTY_SIGNAL ? text : rest;
        arena_reset(&arena);
    }
    arena_free(&arena);
}

/* ---- what is done ---- */

static void forget_said(struct screen *screen)
{
    arena_reset(&screen->arena);
    out_init(&screen->said, &screen->arena);
}

/* Discards the clicks, because the position may have changed. */
static void begin_pick(struct screen *screen)
{
    const struct game_session *session = screen->session;
    const struct match *match = &session->match;
    struct rules_board board = board_of(screen);
    bool mine = match_goes_on(match) && session->shown == match->len &&
                session->level[match_to_move(match) - 1] == PLAYER_HERE;

    pick_begin(&screen->pick, match->game, match_state(match), !mine);
    screen->choice = 0;
    if (screen->cursor >= (unsigned)board.width * board.height)
        screen->cursor = 0;
}

/* Whether a text is too long to stand beside the board. */
static bool is_long(const char *text)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out folded;
    bool is;

    out_init(&folded, &arena);
    add_folded(&folded, text);
    is = cells_lines(folded.text) > tty_size().rows / 3;
    arena_free(&arena);
    return is;
}

static enum run_command_next run_screen_line(struct screen *screen, const char *line)
{
    char text[LINE_BYTES];
    enum run_command_next next;

    snprintf(text, sizeof(text), "%s", line);
    forget_said(screen);
    next = run_command_line(screen->session, text, &screen->said);
    if (next == NEXT_SAID && is_long(screen->said.text)) {
        page_through(screen->session, screen->said.text);
        forget_said(screen);
    }
    if (next == NEXT_SAID || next == NEXT_SHOWS)
        begin_pick(screen);
    return next;
}

/* Called after a click: if no square can follow, selects the first choice. */
static void offer_choices(struct screen *screen)
{
    const char *choices[PICK_CHOICES_MAX];
    size_t n = pick_choices(&screen->pick, choices);
    struct rules_board board = board_of(screen);
    char name[RULES_SQUARE_TEXT];

    screen->choice = n > 0 ? 1 : 0;
    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        rules_square_text(board, square, name);
        if (pick_may(&screen->pick, name))
            screen->choice = 0;
    }
}

static enum run_command_next click(struct screen *screen)
{
    const char *choices[PICK_CHOICES_MAX];
    char name[RULES_SQUARE_TEXT], text[RULES_CLICKS_TEXT];

    rules_square_text(board_of(screen), screen->cursor, name);
    if (screen->choice > 0 && screen->choice <= pick_choices(&screen->pick, choices))
        memcpy(name, choices[screen->choice - 1], strlen(choices[screen->choice - 1]) + 1);
    forget_said(screen);
    switch (pick_click(&screen->pick, name, text)) {
    case PICK_GOES_ON:
        offer_choices(screen);
        return NEXT_SAID;
    case PICK_NOTHING:
        show_say(&screen->said, &screen->session->style, "play-nothing-moves", NULL);
        return NEXT_SAID;
    case PICK_MOVE:
    case PICK_WRONG:
        break;
    }
    return run_screen_line(screen, text);
}

static void next_choice(struct screen *screen)
{
    const char *choices[PICK_CHOICES_MAX];

    screen->choice = (screen->choice + 1) % (pick_choices(&screen->pick, choices) + 1);
}

/* Whether a square is on the board, and there. */
static bool is_square(const struct screen *screen, int row, int column)
{
    const struct match *match = &screen->session->match;
    struct rules_board board = board_of(screen);

    return column >= 0 && column < board.width && row >= 0 && row < board.height &&
           !rules_is_missing(match->game, match->ply[screen->session->shown].state,
                             (unsigned)(row * board.width + column));
}

/* Goes over squares that are missing, and not beyond the edge. On hexagons, two squares lie above
 * and below: by turns it goes to the one and the other, so that one goes straight. `other` begins
 * with the other one. Returns whether there is a square. */
static bool go(struct screen *screen, int right, int down, bool other)
{
    struct rules_board board = board_of(screen);
    bool hexagons = screen->session->match.game->tiling == RULES_HEXAGONS;
    int column = (int)(screen->cursor % board.width), row = (int)(screen->cursor / board.width);

    do {
        bool slants = hexagons && (row + (down > 0) + other) % 2 == 0;

        column += right - (slants ? down : 0);
        row += down;
    } while (column >= 0 && column < board.width && row >= 0 && row < board.height &&
             !is_square(screen, row, column));
    if (!is_square(screen, row, column))
        return false;
    screen->cursor = (unsigned)(row * board.width + column);
    return true;
}

/* Moves the cursor on the board as it is seen. */
static void move_cursor(struct screen *screen, int right, int down)
{
    int sign = screen->session->style.view == 2 ? -1 : 1;

    screen->choice = 0;
    if (!go(screen, sign * right, sign * down, false))
        go(screen, sign * right, sign * down, true);
}

/* ---- the line ---- */

static void add_text(struct screen *screen, const char *text)
{
    size_t len = strlen(text);

    if (screen->len + len >= sizeof(screen->line))
        return;
    memcpy(screen->line + screen->len, text, len + 1);
    screen->len += len;
}

/* Takes back a character of UTF-8. */
static void cut_text(struct screen *screen)
{
    while (screen->len > 0 && (screen->line[--screen->len] & 0xc0) == 0x80)
        continue;
    screen->line[screen->len] = '\0';
}

static void clear_line(struct screen *screen)
{
    screen->len = 0;
    screen->line[0] = '\0';
}

static enum run_command_next enter_screen(struct screen *screen)
{
    enum run_command_next next =
        screen->len > 0 ? run_screen_line(screen, screen->line) : click(screen);

    clear_line(screen);
    return next;
}

/* Handles a signal: Ctrl-C leaves, all others redraw the screen. */
static enum run_command_next on_signal(struct screen *screen)
{
    return was_interrupted(screen->session) ? run_screen_line(screen, "quit") : NEXT_SAID;
}

static enum run_command_next on_key(struct screen *screen, const struct tty_event *event)
{
    switch (event->key) {
    case TTY_UP:
        move_cursor(screen, 0, -1);
        break;
    case TTY_DOWN:
        move_cursor(screen, 0, 1);
        break;
    case TTY_RIGHT:
        move_cursor(screen, 1, 0);
        break;
    case TTY_LEFT:
        move_cursor(screen, -1, 0);
        break;
    case TTY_HOME:
        return run_screen_line(screen, "first");
    case TTY_END:
        return run_screen_line(screen, "last");
    case TTY_PAGE_UP:
        return run_screen_line(screen, "back");
    case TTY_PAGE_DOWN:
        return run_screen_line(screen, "forward");
    case TTY_ENTER:
        return enter_screen(screen);
    case TTY_TAB:
        next_choice(screen);
        break;
    case TTY_TEXT:
        add_text(screen, event->text);
        break;
    case TTY_BACKSPACE:
        cut_text(screen);
        break;
    case TTY_ESCAPE:
        clear_line(screen);
        begin_pick(screen);
        break;
    case TTY_OTHER:
        break;
    case TTY_SIGNAL:
        return on_signal(screen);
    case TTY_ENDED:
        return run_screen_line(screen, "quit");
    }
    return NEXT_SAID;
}

/* Draws the page, with who is waited for below the board. */
static void draw_now(struct screen *screen)
{
    const struct game_session *session = screen->session;
    size_t len = screen->said.len;

    if (game_session_waits(session))
        show_say(&screen->said, &session->style, "play-thinks", "side", game_session_turn(session),
                 NULL);
    draw(screen);
    out_cut(&screen->said, len);
}

/* Plays the engine's moves, and shows them below the board. What is typed meanwhile stays in the
 * terminal, and is read afterwards. */
static void let_engine_move(struct screen *screen)
{
    struct game_session *session = screen->session;

    while (session->remote == NULL && game_session_waits(session)) {
        draw_now(screen);
        game_session_other_moves(session, &screen->said);
        begin_pick(screen);
    }
}

/* Waits until a key is pressed or the daemon has news, which are shown below the board. */
static enum game_session_heard hear_screen(struct screen *screen)
{
    enum game_session_heard heard = HEARD_NOTHING;
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    while (heard == HEARD_NOTHING && game_session_listens(screen->session)) {
        arena_reset(&arena);
        out_init(&said, &arena);
        heard = tty_is_ready() ? HEARD_INPUT
                               : game_session_listen(screen->session, STDIN_FILENO, &said);
    }
    if (heard == HEARD_NEWS) {
        out_add(&screen->said, said.text);
        begin_pick(screen);
    }
    arena_free(&arena);
    return heard;
}

/* Shows what is there, and does what is typed. */
static enum run_command_next react(struct screen *screen)
{
    struct tty_event event;

    let_engine_move(screen);
    draw_now(screen);
    if (hear_screen(screen) == HEARD_NEWS)
        return NEXT_SAID;
    event = tty_read(screen->session->stop);
    return on_key(screen, &event);
}

/* The cursor begins in the middle of the row before the person, or at the nearest square to the
 * left that is there, or before it. */
static void place_cursor(struct screen *screen)
{
    struct rules_board board = board_of(screen);
    bool above = screen->session->style.view == 2;

    for (int row = 0; row < board.height; row++)
        for (int column = board.width / 2; column >= 0; column--) {
            int seen = above ? row : board.height - 1 - row;

            if (is_square(screen, seen, column)) {
                screen->cursor = (unsigned)(seen * board.width + column);
                return;
            }
        }
}

enum run_command_next screen_run(struct game_session *session)
{
    struct screen *screen = calloc(1, sizeof(*screen));
    enum run_command_next next = NEXT_SAID;

    if (screen == NULL)
        abort();
    screen->session = session;
    forget_said(screen);
    game_session_tell(session, &screen->said);
    place_cursor(screen);
    begin_pick(screen);
    tty_open();
    while (next == NEXT_SAID || next == NEXT_SHOWS)
        next = react(screen);
    tty_close();
    fputs(screen->said.text, stdout);
    pick_close(&screen->pick);
    arena_free(&screen->arena);
    free(screen);
    return next;
}
