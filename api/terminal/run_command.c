/* run_command.c - runs the commands of commands.def, and moves, in a session. */
#include "api/terminal/game_session.h"

#include <stdlib.h>
#include <string.h>

#include "api/terminal/commands.h"
#include "api/terminal/game_files.h"
#include "api/text/refusal.h"
#include "api/view/catalogue.h"

/* ---- a game on a daemon ---- */

/* Whether the daemon's engine has not yet answered an offer. */
static bool asks_engine(const struct game_session *session)
{
    for (unsigned i = 0; i < RULES_SEATS; i++)
        if (session->level[i] == PLAYER_REMOTE && session->match.engine[i] != NULL)
            return session->remote->asks;
    return false;
}

static enum run_command_next do_remote(struct game_session *session, const struct command *command,
                                       struct out *said)
{
    if (!remote_do(session->remote, &session->match, command, said) ||
        !game_session_reread(session, said))
        return NEXT_SAID;
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

    switch (advisor_choose(&session->advisor, match, ADVISOR_HINT_LEVEL, session->stop, &choice)) {
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
static bool read_number(const char *text, size_t max, size_t *number)
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
    } else if (!read_number(session->rest, ENGINE_LEVELS, &level) || level == 0) {
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

/* Whether a person may act for the side to move now; if not, appends why. */
static bool may_act(const struct game_session *session, struct out *said)
{
    if (!match_goes_on(&session->match))
        show_say(said, &session->style, "play-over", NULL);
    else if (session->shown != session->match.len)
        show_say(said, &session->style, "play-not-here", "ply",
                 show_number(said->arena, session->shown), "last",
                 show_number(said->arena, session->match.len), NULL);
    else if (game_session_level(session) != PLAYER_HERE)
        show_say(said, &session->style, "play-not-yours", NULL);
    else
        return true;
    return false;
}

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

static enum run_command_next go_to(struct game_session *session, size_t ply, struct out *said)
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
        return go_to(session, session->shown - 1, said);
    show_say(said, &session->style, "play-first-step", NULL);
    return NEXT_SAID;
}

static enum run_command_next do_forward(struct game_session *session, struct out *said)
{
    if (session->shown < session->match.len)
        return go_to(session, session->shown + 1, said);
    show_say(said, &session->style, "play-no-more-steps", NULL);
    return NEXT_SAID;
}

static enum run_command_next do_first(struct game_session *session, struct out *said)
{
    return go_to(session, 0, said);
}

static enum run_command_next do_last(struct game_session *session, struct out *said)
{
    return go_to(session, session->match.len, said);
}

static enum run_command_next do_goto(struct game_session *session, struct out *said)
{
    size_t ply;

    if (read_number(session->rest, session->match.len, &ply))
        return go_to(session, ply, said);
    show_say(said, &session->style, "play-no-such-ply", "max",
             show_number(said->arena, session->match.len), NULL);
    return NEXT_SAID;
}

static enum run_command_next do_look(struct game_session *session, struct out *said)
{
    const struct match *match = &session->match;
    struct rules_look look;
    unsigned square;
    size_t len = rules_square_read(match->game->board(match_state(match)), session->rest, &square);

    if (len == 0 || session->rest[len] != '\0') {
        show_say(said, &session->style, "play-no-square", "square", session->rest, NULL);
        return NEXT_SAID;
    }
    game_session_look(session, &look);
    look.selected = square;
    out_add(said, show_board(said->arena, match, session->shown, &session->style, &look));
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
    out_add(said, view_rules(said->arena, show_lang(&session->style), session->match.game));
    return NEXT_TELLS;
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

    if (session->remote != NULL && remote_serves(command->kind))
        return do_remote(session, command, said);
    if (session->remote == NULL || !is_unfair(session, command->kind))
        return does[command->kind](session, said);
    show_say(said, &session->style, "play-not-away", NULL);
    return NEXT_SAID;
}

enum run_command_next run_command_line(struct game_session *session, char *line, struct out *said)
{
    struct command command = command_read(line);
    enum run_command_next next;

    game_session_let_go(session);
    session->rest = command.rest;
    next = run_command_order(session, &command, said);
    game_session_let_go(session); /* a Ctrl-C was meant for this command only */
    game_session_tell(session, said);
    return next;
}
