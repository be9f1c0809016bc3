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
static bool asks_engine(const struct game_session *sitting)
{
    for (unsigned i = 0; i < RULES_SEATS; i++)
        if (sitting->level[i] == SITTING_AWAY && sitting->match.engine[i] != NULL)
            return sitting->away->asks;
    return false;
}

static enum run_command_next do_away(struct game_session *sitting, const struct order *order,
                                     struct out *said)
{
    if (!remote_do(sitting->away, &sitting->match, order, said) ||
        !game_session_reread(sitting, said))
        return OBEY_SAID;
    sitting->stopped = false;
    while (asks_engine(sitting) && !sitting->stopped)
        game_session_other_moves(sitting, said); /* only for engines: people may take hours */
    if (sitting->away->asks)
        show_say(said, &sitting->style, "play-asks", NULL);
    else if (order->kind == ORDER_DRAW && match_goes_on(&sitting->match))
        show_say(said, &sitting->style, "play-plays-on", NULL);
    return OBEY_SHOWS;
}

/* ---- the engine ---- */

static enum run_command_next do_go(struct game_session *sitting, struct out *said)
{
    unsigned level = game_session_level(sitting);

    if (!match_goes_on(&sitting->match)) {
        show_say(said, &sitting->style, "play-over", NULL);
        return OBEY_SAID;
    }
    if (sitting->away != NULL) {
        sitting->stopped = false;
        return OBEY_SHOWS;
    }
    game_session_engine_plays(sitting, level == SITTING_PERSON ? ADVISER_USUAL_LEVEL : level, said);
    return OBEY_SHOWS;
}

static void say_forced(const struct game_session *sitting, const char *move, int mate,
                       struct out *said)
{
    const char *key = mate > 1     ? "play-hint-wins"
                      : mate == 1  ? "play-hint-wins-now"
                      : mate == -1 ? "play-hint-loses-now"
                                   : "play-hint-loses";

    show_say(said, &sitting->style, key, "move", move, "n",
             show_number(said->arena, (size_t)abs(mate)), NULL);
}

static enum run_command_next do_hint(struct game_session *sitting, struct out *said)
{
    const struct match *match = &sitting->match;
    struct engine_choice choice;
    const char *move;

    switch (advisor_choose(&sitting->adviser, match, ADVISER_HINT_LEVEL, sitting->stop, &choice)) {
    case ENGINE_MOVES:
        move = show_move(said->arena, match, choice.move, &sitting->style);
        if (choice.line.mate != 0)
            say_forced(sitting, move, choice.line.mate, said);
        else
            show_say(said, &sitting->style, "play-hint", "move", move, "score",
                     arena_format(said->arena, "%+.2f", choice.line.score / 100.0), "depth",
                     show_number(said->arena, choice.line.depth), NULL);
        break;
    case ENGINE_DECLARES:
        show_say(said, &sitting->style, "play-hint-declare", NULL);
        break;
    case ENGINE_OVER:
        show_say(said, &sitting->style, "play-over", NULL);
        break;
    case ENGINE_CANCELLED:
        show_say(said, &sitting->style, "play-no-hint", NULL);
        break;
    }
    return OBEY_SAID;
}

/* Reads a whole number up to `max`, and nothing else. */
static bool read_number(const char *text, size_t max, size_t *number)
{
    char *end;

    *number = strtoul(text, &end, 10);
    return end != text && *end == '\0' && *number <= max;
}

static bool has_engine(const struct game_session *sitting)
{
    return sitting->level[0] != SITTING_PERSON || sitting->level[1] != SITTING_PERSON;
}

static enum run_command_next do_level(struct game_session *sitting, struct out *said)
{
    size_t level;

    if (!has_engine(sitting)) {
        show_say(said, &sitting->style, "play-no-engine", NULL);
    } else if (!read_number(sitting->rest, ENGINE_LEVELS, &level) || level == 0) {
        show_say(said, &sitting->style, "play-bad-level", "max",
                 show_number(said->arena, ENGINE_LEVELS), NULL);
    } else {
        game_session_set_level(sitting, (unsigned)level);
        show_say(said, &sitting->style, "play-new-level", "level", show_number(said->arena, level),
                 NULL);
    }
    return OBEY_SAID;
}

/* ---- moves ---- */

/* Whether a person may act for the side to move now; if not, appends why. */
static bool may_act(const struct game_session *sitting, struct out *said)
{
    if (!match_goes_on(&sitting->match))
        show_say(said, &sitting->style, "play-over", NULL);
    else if (sitting->shown != sitting->match.len)
        show_say(said, &sitting->style, "play-not-here", "ply",
                 show_number(said->arena, sitting->shown), "last",
                 show_number(said->arena, sitting->match.len), NULL);
    else if (game_session_level(sitting) != SITTING_PERSON)
        show_say(said, &sitting->style, "play-not-yours", NULL);
    else
        return true;
    return false;
}

static void say_refusal(struct game_session *sitting, const char *move,
                        const struct rules_refusal *why, struct out *said)
{
    const struct lang *lang = show_lang(&sitting->style);

    out_format(said, "%s\n%s\n",
               lang_say(lang, LANG_TITLE, rules_code_text(why->code), rules_code_title(why->code)),
               refusal_text(said->arena, sitting->match.game, match_state(&sitting->match), move,
                            why, lang));
}

static enum run_command_next do_move(struct game_session *sitting, struct out *said)
{
    struct rules_refusal why;

    if (!may_act(sitting, said))
        return OBEY_SAID;
    if (!match_play(&sitting->match, sitting->rest, &why)) {
        say_refusal(sitting, sitting->rest, &why, said);
        return OBEY_SAID;
    }
    game_session_changed(sitting);
    return OBEY_SHOWS;
}

static enum run_command_next do_declare(struct game_session *sitting, struct out *said)
{
    struct rules_refusal why;

    if (!may_act(sitting, said))
        return OBEY_SAID;
    if (!match_declare(&sitting->match, &why)) {
        say_refusal(sitting, NULL, &why, said);
        return OBEY_SAID;
    }
    game_session_changed(sitting);
    return OBEY_SHOWS;
}

static bool persons_turn(const struct game_session *sitting, size_t ply)
{
    const struct match *match = &sitting->match;

    return sitting->level[match->game->to_move(match->ply[ply].state) - 1] == SITTING_PERSON;
}

/* Whether one person plays against the engine. Undo and redo then go from one turn of the person to
 * another, so that it is the person's turn afterwards. */
static bool is_alone(const struct game_session *sitting)
{
    return (sitting->level[0] == SITTING_PERSON) != (sitting->level[1] == SITTING_PERSON);
}

/* Whether there is something to take back. The engine's first move alone is nothing to take back.
 */
static bool can_undo(const struct game_session *sitting)
{
    size_t ply = 0;

    while (is_alone(sitting) && ply < sitting->match.len && !persons_turn(sitting, ply))
        ply++;
    return ply < sitting->match.len || sitting->match.outcome.end > RECORD_BY_RULES;
}

static enum run_command_next do_undo(struct game_session *sitting, struct out *said)
{
    if (!can_undo(sitting)) {
        show_say(said, &sitting->style, "play-nothing-to-undo", NULL);
        return OBEY_SAID;
    }
    while (match_undo(&sitting->match) && is_alone(sitting) &&
           !persons_turn(sitting, sitting->match.len))
        continue;
    game_session_changed(sitting);
    return OBEY_SHOWS;
}

static enum run_command_next do_redo(struct game_session *sitting, struct out *said)
{
    if (!match_redo(&sitting->match)) {
        show_say(said, &sitting->style,
                 match_goes_on(&sitting->match) ? "play-nothing-to-redo" : "play-no-redo", NULL);
        return OBEY_SAID;
    }
    while (is_alone(sitting) && !persons_turn(sitting, sitting->match.len) &&
           match_redo(&sitting->match))
        continue;
    game_session_changed(sitting);
    return OBEY_SHOWS;
}

static enum run_command_next do_resign(struct game_session *sitting, struct out *said)
{
    if (!may_act(sitting, said))
        return OBEY_SAID;
    match_end(&sitting->match, RECORD_RESIGNED, rules_other(match_to_move(&sitting->match)));
    game_session_changed(sitting);
    return OBEY_SHOWS;
}

static enum run_command_next do_draw(struct game_session *sitting, struct out *said)
{
    struct match *match = &sitting->match;
    unsigned seat = match_to_move(match), level = sitting->level[rules_other(seat) - 1];

    if (!may_act(sitting, said))
        return OBEY_SAID;
    if (level == SITTING_PERSON && sitting->offered == 0) {
        sitting->offered = seat;
        show_say(said, &sitting->style, "play-offers-draw", "side",
                 game_session_seat(sitting, seat), NULL);
        return OBEY_SAID;
    }
    if (level != SITTING_PERSON &&
        !advisor_agrees(&sitting->adviser, match, level, sitting->stop)) {
        show_say(said, &sitting->style, "play-plays-on", NULL);
        return OBEY_SAID;
    }
    match_end(match, RECORD_AGREED, 0);
    game_session_changed(sitting);
    return OBEY_SHOWS;
}

static enum run_command_next do_accept(struct game_session *sitting, struct out *said)
{
    if (sitting->offered != 0)
        return do_draw(sitting, said);
    show_say(said, &sitting->style, "play-no-offer", NULL);
    return OBEY_SAID;
}

static enum run_command_next do_decline(struct game_session *sitting, struct out *said)
{
    if (sitting->offered == 0)
        show_say(said, &sitting->style, "play-no-offer", NULL);
    sitting->offered = 0;
    return OBEY_SAID;
}

/* ---- looking ---- */

static enum run_command_next go_to(struct game_session *sitting, size_t ply, struct out *said)
{
    const struct match *match = &sitting->match;

    sitting->shown = ply;
    if (ply == 0)
        show_say(said, &sitting->style, "play-start", "last", show_number(said->arena, match->len),
                 NULL);
    else
        show_say(said, &sitting->style, "play-step", "ply", show_number(said->arena, ply), "last",
                 show_number(said->arena, match->len), "move",
                 show_played(said->arena, match, ply, &sitting->style), NULL);
    return OBEY_SHOWS;
}

static enum run_command_next do_back(struct game_session *sitting, struct out *said)
{
    if (sitting->shown > 0)
        return go_to(sitting, sitting->shown - 1, said);
    show_say(said, &sitting->style, "play-first-step", NULL);
    return OBEY_SAID;
}

static enum run_command_next do_forward(struct game_session *sitting, struct out *said)
{
    if (sitting->shown < sitting->match.len)
        return go_to(sitting, sitting->shown + 1, said);
    show_say(said, &sitting->style, "play-no-more-steps", NULL);
    return OBEY_SAID;
}

static enum run_command_next do_first(struct game_session *sitting, struct out *said)
{
    return go_to(sitting, 0, said);
}

static enum run_command_next do_last(struct game_session *sitting, struct out *said)
{
    return go_to(sitting, sitting->match.len, said);
}

static enum run_command_next do_goto(struct game_session *sitting, struct out *said)
{
    size_t ply;

    if (read_number(sitting->rest, sitting->match.len, &ply))
        return go_to(sitting, ply, said);
    show_say(said, &sitting->style, "play-no-such-ply", "max",
             show_number(said->arena, sitting->match.len), NULL);
    return OBEY_SAID;
}

static enum run_command_next do_look(struct game_session *sitting, struct out *said)
{
    const struct match *match = &sitting->match;
    struct rules_look look;
    unsigned square;
    size_t len = rules_square_read(match->game->board(match_state(match)), sitting->rest, &square);

    if (len == 0 || sitting->rest[len] != '\0') {
        show_say(said, &sitting->style, "play-no-square", "square", sitting->rest, NULL);
        return OBEY_SAID;
    }
    game_session_look(sitting, &look);
    look.selected = square;
    out_add(said, show_board(said->arena, match, sitting->shown, &sitting->style, &look));
    return OBEY_SAID;
}

static enum run_command_next do_style(struct game_session *sitting, struct out *said)
{
    static const char *const names[] = {[RULES_STYLE_UNICODE] = "unicode",
                                        [RULES_STYLE_ASCII] = "ascii",
                                        [RULES_STYLE_ANSI] = "color",
                                        [RULES_STYLE_FIGURES] = "figures"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(sitting->rest, names[i]) == 0) {
            sitting->style.style = (enum rules_style)i;
            return OBEY_SHOWS;
        }
    show_say(said, &sitting->style, "play-bad-style", NULL);
    return OBEY_SAID;
}

/* ---- files ---- */

/* Writes the match to a file for others, so the moves that were taken back are left out. */
static enum run_command_next do_save(struct game_session *sitting, struct out *said)
{
    struct match shown = sitting->match;

    shown.known = shown.len;
    if (*sitting->rest == '\0')
        game_files_list(shown.game, &sitting->style, said);
    else if (game_files_write(&shown, sitting->rest, &sitting->style, said))
        show_say(said, &sitting->style, "play-saved", "file", sitting->rest, NULL);
    return OBEY_SAID;
}

static enum run_command_next do_load(struct game_session *sitting, struct out *said)
{
    if (*sitting->rest == '\0')
        show_say(said, &sitting->style, "play-no-file", NULL);
    else if (game_session_load(sitting, sitting->rest, said))
        return OBEY_SHOWS;
    return OBEY_SAID;
}

/* ---- what is said without doing anything ---- */

static enum run_command_next do_help(struct game_session *sitting, struct out *said)
{
    const struct rules_game *game = sitting->match.game;
    const struct lang *lang = show_lang(&sitting->style);

    order_help(said, &sitting->style);
    show_say(said, &sitting->style, "play-moves", "doc",
             lang_say(lang, LANG_MOVES, game->name, game->move.doc), NULL);
    return OBEY_SAID;
}

static enum run_command_next do_rules(struct game_session *sitting, struct out *said)
{
    out_add(said, view_rules(said->arena, show_lang(&sitting->style), sitting->match.game));
    return OBEY_TELLS;
}

static enum run_command_next do_moves(struct game_session *sitting, struct out *said)
{
    out_add(said, show_moves(said->arena, &sitting->match, &sitting->style));
    return OBEY_SAID;
}

static enum run_command_next do_legal(struct game_session *sitting, struct out *said)
{
    out_add(said, show_legal(said->arena, &sitting->match, sitting->rest, &sitting->style));
    return OBEY_SAID;
}

static enum run_command_next do_flip(struct game_session *sitting, struct out *said)
{
    (void)said;
    sitting->style.view = rules_other(sitting->style.view);
    return OBEY_SHOWS;
}

/* If a daemon has the game, it is fetched again first. */
static enum run_command_next do_board(struct game_session *sitting, struct out *said)
{
    return sitting->away == NULL || game_session_reread(sitting, said) ? OBEY_SHOWS : OBEY_SAID;
}

static enum run_command_next do_none(struct game_session *sitting, struct out *said)
{
    (void)sitting;
    (void)said;
    return OBEY_SAID;
}

static enum run_command_next do_menu(struct game_session *sitting, struct out *said)
{
    (void)sitting;
    (void)said;
    return OBEY_MENU;
}

static enum run_command_next do_quit(struct game_session *sitting, struct out *said)
{
    if (sitting->file != NULL && sitting->away == NULL && match_goes_on(&sitting->match))
        show_say(said, &sitting->style, "play-kept-in", "flags", sitting->again, NULL);
    return OBEY_QUIT;
}

/* Whether the opponent is a person at another place, and the game is not over. */
static bool is_contest(const struct game_session *sitting)
{
    const struct match *match = &sitting->match;

    for (unsigned i = 0; i < RULES_SEATS; i++)
        if (sitting->level[i] == SITTING_AWAY && match->engine[i] == NULL)
            return match_goes_on(match);
    return false;
}

/* Commands that are not allowed against another person, or that only a daemon decides. */
static bool is_unfair(const struct game_session *sitting, enum order_kind kind)
{
    return (kind == ORDER_HINT && is_contest(sitting)) || kind == ORDER_LEVEL || kind == ORDER_LOAD;
}

static enum run_command_next run_command_order(struct game_session *sitting,
                                               const struct order *order, struct out *said)
{
    static enum run_command_next (*const does[ORDER_KINDS])(struct game_session *, struct out *) = {
        [ORDER_NONE] = do_none,     [ORDER_MOVE] = do_move,       [ORDER_HELP] = do_help,
        [ORDER_BOARD] = do_board,   [ORDER_LEGAL] = do_legal,     [ORDER_LOOK] = do_look,
        [ORDER_MOVES] = do_moves,   [ORDER_BACK] = do_back,       [ORDER_FORWARD] = do_forward,
        [ORDER_FIRST] = do_first,   [ORDER_LAST] = do_last,       [ORDER_GOTO] = do_goto,
        [ORDER_UNDO] = do_undo,     [ORDER_REDO] = do_redo,       [ORDER_HINT] = do_hint,
        [ORDER_GO] = do_go,         [ORDER_LEVEL] = do_level,     [ORDER_DRAW] = do_draw,
        [ORDER_RESIGN] = do_resign, [ORDER_FLIP] = do_flip,       [ORDER_STYLE] = do_style,
        [ORDER_RULES] = do_rules,   [ORDER_SAVE] = do_save,       [ORDER_LOAD] = do_load,
        [ORDER_MENU] = do_menu,     [ORDER_QUIT] = do_quit,       [ORDER_DECLARE] = do_declare,
        [ORDER_ACCEPT] = do_accept, [ORDER_DECLINE] = do_decline, [ORDER_ASK_UNDO] = do_undo,
    };

    if (sitting->away != NULL && remote_serves(order->kind))
        return do_away(sitting, order, said);
    if (sitting->away == NULL || !is_unfair(sitting, order->kind))
        return does[order->kind](sitting, said);
    show_say(said, &sitting->style, "play-not-away", NULL);
    return OBEY_SAID;
}

enum run_command_next run_command_line(struct game_session *sitting, char *line, struct out *said)
{
    struct order order = order_read(line);
    enum run_command_next next;

    game_session_let_go(sitting);
    sitting->rest = order.rest;
    next = run_command_order(sitting, &order, said);
    game_session_let_go(sitting); /* a Ctrl-C was meant for this command only */
    game_session_tell(sitting, said);
    return next;
}
