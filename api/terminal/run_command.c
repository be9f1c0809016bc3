/* run_command.c - runs the commands of commands.def, and moves, in a session. */
#include "api/terminal/game_session.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/terminal/cells.h"
#include "api/terminal/game_files.h"
#include "api/terminal/read_command.h"
#include "api/terminal/tty.h"
#include "api/text/plain_text.h"
#include "api/text/refusal.h"
#include "api/view/catalogue.h"

/* Asks a question, which the next line answers. */
static enum run_command_next ask_first(struct game_session *session, enum command_kind kind,
                                       const char *question, struct out *said)
{
    session->question = (struct game_session_question){kind, session->match.len};
    show_say(said, &session->style, question, NULL);
    return NEXT_SAID;
}

/* ---- a game on a daemon ---- */

/* Whether the daemon's engine has not yet answered an offer. */
static bool asks_engine(const struct game_session *session)
{
    for (unsigned i = 0; i < RULES_SEATS; i++)
        if (session->level[i] == PLAYER_REMOTE && session->match.engine[i] != NULL)
            return session->remote->asks;
    return false;
}

/* Whether a person may act for the side to move now; if not, appends why. */
static bool may_act(const struct game_session *session, struct out *said)
{
    if (!match_goes_on(&session->match))
        show_say(said, &session->style, "play-over", NULL);
    else if (session->shown != session->match.len)
        show_say(said, &session->style, "play-not-here", "ply",
                 show_number(said->arena, session->shown), "last",
                 show_number(said->arena, session->match.len), NULL);
    else if (game_session_waits(session))
        show_say(said, &session->style, "play-not-your-turn", "side", game_session_turn(session),
                 NULL);
    else if (game_session_level(session) != PLAYER_HERE)
        show_say(said, &session->style, "play-not-yours", NULL);
    else
        return true;
    return false;
}

/* Whether the daemon is asked to do a command. A move of the other side's turn is refused here; not
 * after the person stopped waiting, when the copy of the game may be an old one. */
static bool may_ask(const struct game_session *session, const struct command *command,
                    struct out *said)
{
    bool watches = !session->remote->mine[0] && !session->remote->mine[1];

    return command->kind != COMMAND_MOVE || watches || session->stopped || may_act(session, said);
}

static enum run_command_next do_remote(struct game_session *session, const struct command *command,
                                       struct out *said)
{
    if (!may_ask(session, command, said) ||
        !remote_do(session->remote, &session->match, command, said) ||
        !game_session_reread(session, said))
        return NEXT_SAID;
    session->shown = session->match.len;
    session->stopped = false;
    while (asks_engine(session) && !session->stopped)
        game_session_other_moves(session, said); /* only for engines: people may take hours */
    if (session->remote->asks)
        show_say(said, &session->style, "play-asks", NULL);
    else if (command->kind == COMMAND_DRAW && match_goes_on(&session->match))
        show_say(said, &session->style, "play-plays-on", NULL);
    return NEXT_SHOWS;
}

/* ---- the engine ---- */

static enum run_command_next do_go(struct game_session *session, struct out *said)
{
    unsigned level = game_session_level(session);

    if (!match_goes_on(&session->match)) {
        show_say(said, &session->style, "play-over", NULL);
        return NEXT_SAID;
    }
    if (session->remote != NULL) {
        session->stopped = false;
        return NEXT_SHOWS;
    }
    game_session_engine_plays(session, level == PLAYER_HERE ? ADVISOR_USUAL_LEVEL : level, said);
    return NEXT_SHOWS;
}

static void say_forced(const struct game_session *session, const char *move, int mate,
                       struct out *said)
{
    const char *key = mate > 1     ? "play-hint-wins"
                      : mate == 1  ? "play-hint-wins-now"
                      : mate == -1 ? "play-hint-loses-now"
                                   : "play-hint-loses";

    show_say(said, &session->style, key, "move", move, "n",
             show_number(said->arena, (size_t)abs(mate)), NULL);
}

static enum run_command_next do_hint(struct game_session *session, struct out *said)
{
    const struct match *match = &session->match;
    struct engine_choice choice;
    const char *move;

    switch (advisor_hint(&session->advisor, match, session->stop, &choice)) {
    case ENGINE_MOVES:
        move = show_move(said->arena, match, choice.move, &session->style);
        if (choice.line.mate != 0)
            say_forced(session, move, choice.line.mate, said);
        else
            show_say(said, &session->style, "play-hint", "move", move, "score",
                     arena_format(said->arena, "%+.2f", choice.line.score / 100.0), "depth",
                     show_number(said->arena, choice.line.depth), NULL);
        break;
    case ENGINE_DECLARES:
        show_say(said, &session->style, "play-hint-declare", NULL);
        break;
    case ENGINE_OVER:
        show_say(said, &session->style, "play-over", NULL);
        break;
    case ENGINE_CANCELLED:
        show_say(said, &session->style, "play-no-hint", NULL);
        break;
    }
    return NEXT_SAID;
}

/* Reads a whole number up to `max`, and nothing else. */
static bool read_command_number(const char *text, size_t max, size_t *number)
{
    char *end;

    *number = strtoul(text, &end, 10);
    return end != text && *end == '\0' && *number <= max;
}

static bool has_engine(const struct game_session *session)
{
    return session->level[0] != PLAYER_HERE || session->level[1] != PLAYER_HERE;
}

static enum run_command_next do_level(struct game_session *session, struct out *said)
{
    size_t level;

    if (!has_engine(session)) {
        show_say(said, &session->style, "play-no-engine", NULL);
    } else if (strcasecmp(session->rest, "random") == 0) {
        game_session_set_level(session, PLAYER_RANDOM);
        show_say(said, &session->style, "play-new-random", NULL);
    } else if (!read_command_number(session->rest, ENGINE_LEVELS, &level) || level == 0) {
        show_say(said, &session->style, "play-bad-level", "max",
                 show_number(said->arena, ENGINE_LEVELS), NULL);
    } else {
        game_session_set_level(session, (unsigned)level);
        show_say(said, &session->style, "play-new-level", "level", show_number(said->arena, level),
                 NULL);
    }
    return NEXT_SAID;
}

/* ---- moves ---- */

static void say_refusal(struct game_session *session, const char *move,
                        const struct rules_refusal *why, struct out *said)
{
    const struct lang *lang = show_lang(&session->style);

    out_format(said, "%s\n%s\n",
               lang_say(lang, LANG_TITLE, rules_code_text(why->code), rules_code_title(why->code)),
               refusal_text(said->arena, session->match.game, match_state(&session->match), move,
                            why, lang));
}

static enum run_command_next do_move(struct game_session *session, struct out *said)
{
    struct rules_refusal why;

    if (!may_act(session, said))
        return NEXT_SAID;
    if (!match_play(&session->match, session->rest, &why)) {
        say_refusal(session, session->rest, &why, said);
        return NEXT_SAID;
    }
    game_session_changed(session);
    return NEXT_SHOWS;
}

static enum run_command_next do_declare(struct game_session *session, struct out *said)
{
    struct rules_refusal why;

    if (!may_act(session, said))
        return NEXT_SAID;
    if (!match_declare(&session->match, &why)) {
        say_refusal(session, NULL, &why, said);
        return NEXT_SAID;
    }
    game_session_changed(session);
    return NEXT_SHOWS;
}

static bool persons_turn(const struct game_session *session, size_t ply)
{
    const struct match *match = &session->match;

    return session->level[match->game->to_move(match->ply[ply].state) - 1] == PLAYER_HERE;
}

/* Whether one person plays against the engine. Undo and redo then go from one turn of the person to
 * another, so that it is the person's turn afterwards. */
static bool is_alone(const struct game_session *session)
{
    return (session->level[0] == PLAYER_HERE) != (session->level[1] == PLAYER_HERE);
}

/* Whether there is something to take back. The engine's first move alone is nothing to take back.
 */
static bool can_undo(const struct game_session *session)
{
    size_t ply = 0;

    while (is_alone(session) && ply < session->match.len && !persons_turn(session, ply))
        ply++;
    return match_can_undo(&session->match) &&
           (ply < session->match.len || !match_goes_on(&session->match));
}

static enum run_command_next do_undo(struct game_session *session, struct out *said)
{
    if (!can_undo(session)) {
        show_say(said, &session->style, "play-nothing-to-undo", NULL);
        return NEXT_SAID;
    }
    if (!game_session_can_undo(session, said))
        return NEXT_SAID;
    while (match_undo(&session->match) && is_alone(session) &&
           !persons_turn(session, session->match.len))
        continue;
    game_session_changed(session);
    return NEXT_SHOWS;
}

static enum run_command_next do_redo(struct game_session *session, struct out *said)
{
    if (!match_redo(&session->match)) {
        show_say(said, &session->style,
                 match_goes_on(&session->match) ? "play-nothing-to-redo" : "play-no-redo", NULL);
        return NEXT_SAID;
    }
    while (is_alone(session) && !persons_turn(session, session->match.len) &&
           match_redo(&session->match))
        continue;
    game_session_changed(session);
    return NEXT_SHOWS;
}

static enum run_command_next do_resign(struct game_session *session, struct out *said)
{
    if (!may_act(session, said))
        return NEXT_SAID;
    match_resign(&session->match);
    game_session_changed(session);
    return NEXT_SHOWS;
}

static enum run_command_next do_draw(struct game_session *session, struct out *said)
{
    struct match *match = &session->match;
    unsigned seat = match_to_move(match), level = session->level[rules_other(seat) - 1];

    if (!may_act(session, said))
        return NEXT_SAID;
    if (level == PLAYER_HERE && session->offered == 0) {
        session->offered = seat;
        show_say(said, &session->style, "play-offers-draw", "side",
                 game_session_seat(session, seat), NULL);
        return NEXT_SAID;
    }
    if (level != PLAYER_HERE && !advisor_agrees(&session->advisor, match, level, session->stop)) {
        show_say(said, &session->style, "play-plays-on", NULL);
        return NEXT_SAID;
    }
    match_agree(match);
    game_session_changed(session);
    return NEXT_SHOWS;
}

static enum run_command_next do_accept(struct game_session *session, struct out *said)
{
    if (session->offered != 0)
        return do_draw(session, said);
    show_say(said, &session->style, "play-no-offer", NULL);
    return NEXT_SAID;
}

static enum run_command_next do_decline(struct game_session *session, struct out *said)
{
    if (session->offered == 0)
        show_say(said, &session->style, "play-no-offer", NULL);
    session->offered = 0;
    return NEXT_SAID;
}

/* ---- looking ---- */

static enum run_command_next go_to_shown_ply(struct game_session *session, size_t ply,
                                             struct out *said)
{
    const struct match *match = &session->match;

    session->shown = ply;
    if (ply == 0)
        show_say(said, &session->style, "play-start", "last", show_number(said->arena, match->len),
                 NULL);
    else
        show_say(said, &session->style, "play-step", "ply", show_number(said->arena, ply), "last",
                 show_number(said->arena, match->len), "move",
                 show_played(said->arena, match, ply, &session->style), NULL);
    return NEXT_SHOWS;
}

static enum run_command_next do_back(struct game_session *session, struct out *said)
{
    if (session->shown > 0)
        return go_to_shown_ply(session, session->shown - 1, said);
    show_say(said, &session->style, "play-first-step", NULL);
    return NEXT_SAID;
}

static enum run_command_next do_forward(struct game_session *session, struct out *said)
{
    if (session->shown < session->match.len)
        return go_to_shown_ply(session, session->shown + 1, said);
    show_say(said, &session->style, "play-no-more-steps", NULL);
    return NEXT_SAID;
}

static enum run_command_next do_first(struct game_session *session, struct out *said)
{
    return go_to_shown_ply(session, 0, said);
}

static enum run_command_next do_last(struct game_session *session, struct out *said)
{
    return go_to_shown_ply(session, session->match.len, said);
}

static enum run_command_next do_goto(struct game_session *session, struct out *said)
{
    size_t ply;

    if (read_command_number(session->rest, session->match.len, &ply))
        return go_to_shown_ply(session, ply, said);
    show_say(said, &session->style, "play-no-such-ply", "max",
             show_number(said->arena, session->match.len), NULL);
    return NEXT_SAID;
}

/* Reads the name of a square and nothing else. */
static bool read_square(const struct game_session *session, const char *text, unsigned *square)
{
    const struct match *match = &session->match;
    size_t len = rules_square_read(match->game->board(match_state(match)), text, square);

    return len > 0 && text[len] == '\0';
}

static enum run_command_next do_look(struct game_session *session, struct out *said)
{
    const struct match *match = &session->match;
    struct rules_look look;
    unsigned square;

    if (*session->rest == '\0')
        return ask_first(session, COMMAND_LOOK, "play-which-square", said);
    if (!read_square(session, session->rest, &square)) {
        show_say(said, &session->style, "play-no-square", "square", session->rest, NULL);
        return NEXT_SAID;
    }
    game_session_look(session, &look);
    look.selected = square;
    out_add(said, show_board(said->arena, match, session->shown, &session->style, &look));
    out_add(said, show_men(said->arena, match, session->shown, square, &session->style));
    return NEXT_SAID;
}

static enum run_command_next do_style(struct game_session *session, struct out *said)
{
    static const char *const names[] = {[RULES_STYLE_UNICODE] = "unicode",
                                        [RULES_STYLE_ASCII] = "ascii",
                                        [RULES_STYLE_ANSI] = "color",
                                        [RULES_STYLE_FIGURES] = "figures"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(session->rest, names[i]) == 0) {
            session->style.style = (enum rules_style)i;
            return NEXT_SHOWS;
        }
    show_say(said, &session->style, "play-bad-style", NULL);
    return NEXT_SAID;
}

/* ---- files ---- */

/* Writes the match to a file for others. Whatever is in it is kept beside it. */
static void save_as(struct game_session *session, const char *path, struct out *said)
{
    bool own = session->file != NULL && autosave_is_same(path, session->file);
    struct game_file file = {path, own && session->goes_on};
    const char *before;

    if (autosave_is_claimed(&session->autosave, path)) {
        show_say(said, &session->style, "play-in-use", "file", path, NULL);
        return;
    }
    if (!game_files_write(&session->match, file, &session->autosave, &before, &session->style,
                          said))
        return;
    session->replaces = session->replaces && !own;
    show_say(said, &session->style, "play-saved", "file", path, NULL);
    game_files_say_left_out(&session->match, file, &session->style, said);
    if (before != NULL)
        show_say(said, &session->style, "play-saved-before", "file", show_name(before), NULL);
}

static enum run_command_next do_save(struct game_session *session, struct out *said)
{
    if (*session->rest == '\0')
        game_files_list(session->match.game, &session->style, said);
    else
        save_as(session, session->rest, said);
    return NEXT_SAID;
}

static enum run_command_next do_load(struct game_session *session, struct out *said)
{
    if (*session->rest == '\0')
        show_say(said, &session->style, "play-no-file", NULL);
    else if (game_session_load(session, session->rest, said))
        return NEXT_SHOWS;
    return NEXT_SAID;
}

/* ---- what is said without doing anything ---- */

static enum run_command_next do_help(struct game_session *session, struct out *said)
{
    const struct rules_game *game = session->match.game;
    const struct lang *lang = show_lang(&session->style);

    command_help(said, &session->style);
    show_say(said, &session->style, "play-moves", "doc",
             lang_say(lang, LANG_MOVES, game->name, game->move.doc), NULL);
    return NEXT_SAID;
}

static enum run_command_next do_rules(struct game_session *session, struct out *said)
{
    const char *book = view_rules(said->arena, show_lang(&session->style), session->match.game);
    unsigned columns = tty_size().columns;

    cells_fold(said, plain_text(said->arena, book, columns), columns, SIZE_MAX);
    return NEXT_SAID;
}

static enum run_command_next do_moves(struct game_session *session, struct out *said)
{
    out_add(said, show_moves(said->arena, &session->match, &session->style));
    return NEXT_SAID;
}

static enum run_command_next do_legal(struct game_session *session, struct out *said)
{
    out_add(said, show_legal(said->arena, &session->match, session->rest, &session->style));
    return NEXT_SAID;
}

static enum run_command_next do_flip(struct game_session *session, struct out *said)
{
    (void)said;
    session->style.view = rules_other(session->style.view);
    return NEXT_SHOWS;
}

/* If a daemon has the game, it is fetched again first. */
static enum run_command_next do_board(struct game_session *session, struct out *said)
{
    return session->remote == NULL || game_session_reread(session, said) ? NEXT_SHOWS : NEXT_SAID;
}

static enum run_command_next do_none(struct game_session *session, struct out *said)
{
    (void)session;
    (void)said;
    return NEXT_SAID;
}

static enum run_command_next do_menu(struct game_session *session, struct out *said)
{
    (void)session;
    (void)said;
    return NEXT_MENU;
}

static enum run_command_next do_quit(struct game_session *session, struct out *said)
{
    if (game_session_is_kept(session) && match_goes_on(&session->match))
        show_say(said, &session->style, "play-kept-in", "flags", session->again, NULL);
    return NEXT_QUIT;
}

/* Whether the opponent is a person at another place, and the game is not over. */
static bool is_contest(const struct game_session *session)
{
    const struct match *match = &session->match;

    for (unsigned i = 0; i < RULES_SEATS; i++)
        if (session->level[i] == PLAYER_REMOTE && match->engine[i] == NULL)
            return match_goes_on(match);
    return false;
}

/* Commands that are not allowed against another person, or that only a daemon decides. */
static bool is_unfair(const struct game_session *session, enum command_kind kind)
{
    return (kind == COMMAND_HINT && is_contest(session)) || kind == COMMAND_LEVEL ||
           kind == COMMAND_LOAD;
}

/* Whether a line is the name of a square in a game of stacks, where no move is only that: it asks
 * what stands there. */
static bool names_stack(const struct game_session *session, const struct command *command)
{
    unsigned square;

    return command->kind == COMMAND_MOVE && show_has_stacks(session->match.game) &&
           read_square(session, command->rest, &square);
}

static enum run_command_next run_command_order(struct game_session *session,
                                               const struct command *command, struct out *said)
{
    static enum run_command_next (*const does[COMMAND_KINDS])(struct game_session *,
                                                              struct out *) = {
        [COMMAND_NONE] = do_none,       [COMMAND_MOVE] = do_move,
        [COMMAND_HELP] = do_help,       [COMMAND_BOARD] = do_board,
        [COMMAND_LEGAL] = do_legal,     [COMMAND_LOOK] = do_look,
        [COMMAND_MOVES] = do_moves,     [COMMAND_BACK] = do_back,
        [COMMAND_FORWARD] = do_forward, [COMMAND_FIRST] = do_first,
        [COMMAND_LAST] = do_last,       [COMMAND_GOTO] = do_goto,
        [COMMAND_UNDO] = do_undo,       [COMMAND_REDO] = do_redo,
        [COMMAND_HINT] = do_hint,       [COMMAND_GO] = do_go,
        [COMMAND_LEVEL] = do_level,     [COMMAND_DRAW] = do_draw,
        [COMMAND_RESIGN] = do_resign,   [COMMAND_FLIP] = do_flip,
        [COMMAND_STYLE] = do_style,     [COMMAND_RULES] = do_rules,
        [COMMAND_SAVE] = do_save,       [COMMAND_LOAD] = do_load,
        [COMMAND_MENU] = do_menu,       [COMMAND_QUIT] = do_quit,
        [COMMAND_DECLARE] = do_declare, [COMMAND_ACCEPT] = do_accept,
        [COMMAND_DECLINE] = do_decline, [COMMAND_ASK_UNDO] = do_undo,
    };

    if (names_stack(session, command))
        return do_look(session, said);
    if (session->remote != NULL && remote_can_do(command->kind))
        return do_remote(session, command, said);
    if (session->remote == NULL || !is_unfair(session, command->kind))
        return does[command->kind](session, said);
    show_say(said, &session->style, "play-not-away", NULL);
    return NEXT_SAID;
}

/* ---- questions ---- */

/* The question before a command that ends the game; NULL: it does not, or cannot. */
static const char *question_before(const struct game_session *session, enum command_kind kind)
{
    const struct remote *remote = session->remote;
    bool is_offered = remote == NULL
                          ? session->offered != 0
                          : remote->offer.id != 0 &&
                                (kind == COMMAND_ACCEPT ? strcmp(remote->offer.kind, "undo") != 0
                                                        : strcmp(remote->offer.kind, "draw") == 0);

    if (!match_goes_on(&session->match))
        return NULL;
    if (kind == COMMAND_RESIGN)
        return "play-sure-resign";
    return (kind == COMMAND_ACCEPT || kind == COMMAND_DRAW) && is_offered ? "play-sure-accept"
                                                                          : NULL;
}

/* Whether a line is a legal move of the person whose turn it is, word for word. */
static bool is_move_here(const struct game_session *session, const char *line)
{
    const struct match *match = &session->match;
    char text[RULES_MOVE_TEXT];
    struct rules_refusal why;
    rules_move move;

    if (!match_goes_on(match) || session->shown != match->len ||
        !persons_turn(session, match->len) ||
        !match->game->read_move(match_state(match), line, &move, &why))
        return false;
    match->game->move_text(match_state(match), move, text);
    return strcmp(text, line) == 0;
}

/* Reads a line. What is a legal move is that, even if it is also one of the words: a game may have
 * moves of any text. */
static struct command read_line(const struct game_session *session, char *line)
{
    struct command command = command_read(line);
    const char *text = line + strspn(line, " \t");

    return command.kind > COMMAND_MOVE && is_move_here(session, text)
               ? (struct command){COMMAND_MOVE, text}
               : command;
}

/* Runs a command, or asks whether it is meant. */
static enum run_command_next run_or_ask(struct game_session *session, const struct command *command,
                                        struct out *said)
{
    const char *question = session->confirms ? question_before(session, command->kind) : NULL;

    if (question != NULL)
        return ask_first(session, command->kind, question, said);
    session->rest = command->rest;
    return run_command_order(session, command, said);
}

static bool is_one_of(const char *text, const char *word, const char *brief)
{
    return strcasecmp(text, word) == 0 || strcasecmp(text, brief) == 0;
}

/* Reads a line as the square that was asked for. Anything else is a command. */
static enum run_command_next answer_square(struct game_session *session, char *line,
                                           struct out *said)
{
    struct command command = command_read(line);
    unsigned square;

    session->question.kind = COMMAND_NONE;
    if (command.kind == COMMAND_NONE || !read_square(session, command.rest, &square))
        return run_or_ask(session, &command, said);
    session->rest = command.rest;
    return do_look(session, said);
}

/* Reads a line as the answer to a question. An answer that is neither yes nor no is a command. If
 * the game has gone on since the question was asked, it is asked again. */
static enum run_command_next answer_question(struct game_session *session, char *line,
                                             struct out *said)
{
    struct game_session_question question = session->question;
    struct command command = command_read(line);
    const char *again = question_before(session, question.kind);

    session->question.kind = COMMAND_NONE;
    if (command.kind == COMMAND_NONE || is_one_of(command.rest, "no", "n")) {
        show_say(said, &session->style, "play-not-done", NULL);
        return NEXT_SAID;
    }
    if (!is_one_of(command.rest, "yes", "y"))
        return run_or_ask(session, &command, said);
    if (question.ply != session->match.len && again != NULL) {
        show_say(said, &session->style, "play-gone-on-since", NULL);
        return ask_first(session, question.kind, again, said);
    }
    command = (struct command){question.kind, ""};
    session->rest = command.rest;
    return run_command_order(session, &command, said);
}

enum run_command_next run_command_line(struct game_session *session, char *line, struct out *said)
{
    struct command command;
    enum run_command_next next;

    game_session_clear_stop(session);
    if (session->question.kind == COMMAND_LOOK) {
        next = answer_square(session, line, said);
    } else if (session->question.kind != COMMAND_NONE) {
        next = answer_question(session, line, said);
    } else {
        command = read_line(session, line);
        next = run_or_ask(session, &command, said);
    }
    game_session_clear_stop(session); /* a Ctrl-C was meant for this command only */
    game_session_tell(session, said);
    return next;
}
