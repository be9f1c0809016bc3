#include "api/terminal/sitting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/terminal/filing.h"
#include "api/terminal/texts.h"
#include "api/text/refusal.h"
#include "api/view/rulebooks.h"

/* ---- who plays ---- */

static const char *seat_name(const struct sitting *sitting, unsigned seat)
{
    return sitting->match.game->seat[seat - 1].name;
}

static unsigned level_to_move(const struct sitting *sitting)
{
    return sitting->level[match_to_move(&sitting->match) - 1];
}

/* Writes who plays into the match, as records have it: "plyd:3", and "plyd, level 3" for people. */
static void name_engines(struct sitting *sitting)
{
    struct match *match = &sitting->match;

    for (unsigned i = 0; i < RULES_SEATS; i++) {
        if (sitting->level[i] == SITTING_PERSON)
            continue;
        match->engine[i] = arena_format(&match->arena, "plyd:%u", sitting->level[i]);
        match->name[i] = arena_format(&match->arena, "plyd, level %u", sitting->level[i]);
    }
}

void sitting_levels(const struct match *match, unsigned level[RULES_SEATS])
{
    for (unsigned i = 0; i < RULES_SEATS; i++) {
        const char *engine = match->engine[i], *name = match->name[i];
        unsigned n = SITTING_PERSON;

        if ((engine != NULL && sscanf(engine, "plyd:%u", &n) == 1) ||
            (name != NULL && sscanf(name, "plyd, level %u", &n) == 1))
            n = n > ENGINE_LEVELS ? SITTING_PERSON : n;
        level[i] = n;
    }
}

/* The seat that sits below: the person's, if there is one alone. */
static unsigned usual_view(const unsigned level[RULES_SEATS])
{
    return level[0] != SITTING_PERSON && level[1] == SITTING_PERSON ? 2 : 1;
}

/* ---- keeping ---- */

static void keep(struct sitting *sitting)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    if (sitting->file == NULL || sitting->away != NULL)
        return;
    out_init(&said, &arena);
    if (!filing_write(&sitting->match, sitting->file, &said)) {
        snprintf(sitting->complaint, sizeof(sitting->complaint), "%s", said.text);
        sitting->file = NULL;
    }
    arena_free(&arena);
}

/* What the face shows is the present position again, and the game is kept as it is. */
static enum sitting_next changed(struct sitting *sitting)
{
    sitting->shown = sitting->match.len;
    sitting->offered = 0;
    keep(sitting);
    return SITTING_SHOWS;
}

void sitting_begin(struct sitting *sitting, const struct match *match,
                   const unsigned level[RULES_SEATS])
{
    if (sitting->match.game != NULL)
        match_close(&sitting->match);
    sitting->match = *match;
    sitting->away = NULL;
    memcpy(sitting->level, level, sizeof(sitting->level));
    sitting->style.view = usual_view(level);
    sitting->stopped = false;
    name_engines(sitting);
    changed(sitting);
}

void sitting_close(struct sitting *sitting)
{
    if (sitting->match.game != NULL)
        match_close(&sitting->match);
    adviser_close(&sitting->adviser);
}

/* ---- a game on a daemon ---- */

/* Takes over what the daemon says of the game, and tells what is new in it. */
static bool read_away(struct sitting *sitting, struct out *said)
{
    struct match *match = &sitting->match;
    size_t before = match->len;

    if (!away_read(sitting->away, match, said))
        return false;
    for (unsigned i = 0; i < RULES_SEATS; i++)
        sitting->level[i] = sitting->away->mine[i] ? SITTING_PERSON : SITTING_AWAY;
    if (match->len < before)
        out_format(said, SAY_WENT_BACK, match->len);
    for (size_t ply = before + 1; ply <= match->len; ply++) {
        unsigned seat = match->game->to_move(match->ply[ply - 1].state);

        if (sitting->level[seat - 1] == SITTING_AWAY)
            out_format(said, SAY_PLAYS, seat_name(sitting, seat),
                       show_played(said->arena, match, ply, &sitting->style));
    }
    if (sitting->away->offer.id != 0)
        out_format(said, SAY_OFFERS, seat_name(sitting, sitting->away->offer.seat),
                   sitting->away->offer.kind);
    sitting->shown = match->len;
    return true;
}

bool sitting_visit(struct sitting *sitting, struct away *away, struct out *said)
{
    struct match match = {.game = NULL};

    if (!away_read(away, &match, said))
        return false;
    if (sitting->match.game != NULL)
        match_close(&sitting->match);
    sitting->match = match;
    sitting->away = away;
    sitting->stopped = false;
    for (unsigned i = 0; i < RULES_SEATS; i++)
        sitting->level[i] = away->mine[i] ? SITTING_PERSON : SITTING_AWAY;
    sitting->style.view = usual_view(sitting->level);
    sitting->shown = match.len;
    return true;
}

/* Nobody is waited for until `go`. */
static void say_stopped(struct sitting *sitting, struct out *said)
{
    sitting->stopped = true;
    out_add(said, SAY_STOPPED);
    if (sitting->stop != NULL)
        atomic_store(sitting->stop, false);
}

static void await_away(struct sitting *sitting, struct out *said)
{
    switch (away_wait(sitting->away, said)) {
    case AWAY_NOTHING_NEW:
        break;
    case AWAY_NEWS:
        sitting->stopped = !read_away(sitting, said);
        break;
    case AWAY_UNREACHABLE:
        say_stopped(sitting, said);
        break;
    }
}

static enum sitting_next do_away(struct sitting *sitting, const struct order *order,
                                 struct out *said)
{
    if (!away_do(sitting->away, &sitting->match, order, said) || !read_away(sitting, said))
        return SITTING_SAID;
    sitting->stopped = false;
    return SITTING_SHOWS;
}

/* ---- the engine ---- */

bool sitting_waits(const struct sitting *sitting)
{
    return match_goes_on(&sitting->match) && !sitting->stopped &&
           sitting->shown == sitting->match.len && level_to_move(sitting) != SITTING_PERSON;
}

/* Plays a move of the engine's choice at a level for the side to move. */
static void let_engine_move(struct sitting *sitting, unsigned level, struct out *said)
{
    struct match *match = &sitting->match;
    const char *name = seat_name(sitting, match_to_move(match));
    struct engine_choice choice;
    struct rules_refusal why;

    switch (adviser_choose(&sitting->adviser, match, level, sitting->stop, &choice)) {
    case ENGINE_MOVES:
        out_format(said, SAY_PLAYS, name,
                   show_move(said->arena, match, choice.move, &sitting->style));
        match_add(match, choice.move);
        break;
    case ENGINE_DECLARES:
        match_declare(match, &why);
        out_format(said, SAY_DECLARES, name);
        break;
    case ENGINE_OVER:
        break;
    case ENGINE_CANCELLED:
        say_stopped(sitting, said);
        return;
    }
    sitting->stopped = false;
    changed(sitting);
}

void sitting_other_moves(struct sitting *sitting, struct out *said)
{
    if (sitting->away != NULL)
        await_away(sitting, said);
    else
        let_engine_move(sitting, level_to_move(sitting), said);
}

static enum sitting_next do_go(struct sitting *sitting, struct out *said)
{
    unsigned level = level_to_move(sitting);

    if (!match_goes_on(&sitting->match)) {
        out_add(said, SAY_OVER);
        return SITTING_SAID;
    }
    if (sitting->away != NULL) {
        sitting->stopped = false;
        return SITTING_SHOWS;
    }
    let_engine_move(sitting, level == SITTING_PERSON ? ADVISER_USUAL_LEVEL : level, said);
    return SITTING_SHOWS;
}

static enum sitting_next do_hint(struct sitting *sitting, struct out *said)
{
    const struct match *match = &sitting->match;
    struct engine_choice choice;
    const char *move;

    switch (adviser_choose(&sitting->adviser, match, ADVISER_HINT_LEVEL, sitting->stop, &choice)) {
    case ENGINE_MOVES:
        move = show_move(said->arena, match, choice.move, &sitting->style);
        if (choice.line.mate != 0)
            out_format(said, SAY_HINT_MATE, move, choice.line.mate > 0 ? "wins" : "loses",
                       abs(choice.line.mate));
        else
            out_format(said, SAY_HINT, move, choice.line.score / 100.0, choice.line.depth);
        break;
    case ENGINE_DECLARES:
        out_add(said, SAY_HINT_DECLARE);
        break;
    case ENGINE_OVER:
        out_add(said, SAY_OVER);
        break;
    case ENGINE_CANCELLED:
        break;
    }
    return SITTING_SAID;
}

static enum sitting_next do_level(struct sitting *sitting, struct out *said)
{
    unsigned level = (unsigned)atoi(sitting->rest);

    if (level < 1 || level > ENGINE_LEVELS) {
        out_format(said, SAY_BAD_LEVEL, ENGINE_LEVELS);
        return SITTING_SAID;
    }
    for (unsigned i = 0; i < RULES_SEATS; i++)
        if (sitting->level[i] != SITTING_PERSON)
            sitting->level[i] = level;
    name_engines(sitting);
    keep(sitting);
    out_format(said, SAY_NEW_LEVEL, level);
    return SITTING_SAID;
}

/* ---- moves ---- */

/* Whether a person may act for the side to move now; if not, says why. */
static bool may_act(const struct sitting *sitting, struct out *said)
{
    if (!match_goes_on(&sitting->match))
        out_add(said, SAY_OVER);
    else if (sitting->shown != sitting->match.len)
        out_format(said, SAY_NOT_HERE, sitting->shown, sitting->match.len);
    else if (level_to_move(sitting) != SITTING_PERSON)
        out_add(said, SAY_NOT_YOURS);
    else
        return true;
    return false;
}

static void say_refusal(struct sitting *sitting, const char *move, const struct rules_refusal *why,
                        struct out *said)
{
    out_format(
        said, "%s\n%s\n", rules_code_title(why->code),
        refusal_text(said->arena, sitting->match.game, match_state(&sitting->match), move, why));
}

static enum sitting_next do_move(struct sitting *sitting, struct out *said)
{
    struct rules_refusal why;

    if (!may_act(sitting, said))
        return SITTING_SAID;
    if (!match_play(&sitting->match, sitting->rest, &why)) {
        say_refusal(sitting, sitting->rest, &why, said);
        return SITTING_SAID;
    }
    return changed(sitting);
}

static enum sitting_next do_declare(struct sitting *sitting, struct out *said)
{
    struct rules_refusal why;

    if (!may_act(sitting, said))
        return SITTING_SAID;
    if (!match_declare(&sitting->match, &why)) {
        say_refusal(sitting, NULL, &why, said);
        return SITTING_SAID;
    }
    return changed(sitting);
}

static bool persons_turn(const struct sitting *sitting, size_t ply)
{
    const struct match *match = &sitting->match;

    return sitting->level[match->game->to_move(match->ply[ply].state) - 1] == SITTING_PERSON;
}

/* Whether one person plays the engine: then steps lead from one of the person's turns to another.
 */
static bool is_alone(const struct sitting *sitting)
{
    return (sitting->level[0] == SITTING_PERSON) != (sitting->level[1] == SITTING_PERSON);
}

/* Whether there is something to take back: not only the engine's first move. */
static bool can_undo(const struct sitting *sitting)
{
    size_t ply = 0;

    while (is_alone(sitting) && ply < sitting->match.len && !persons_turn(sitting, ply))
        ply++;
    return ply < sitting->match.len || sitting->match.outcome.end > RECORD_BY_RULES;
}

static enum sitting_next do_undo(struct sitting *sitting, struct out *said)
{
    if (!can_undo(sitting)) {
        out_add(said, SAY_NOTHING_TO_UNDO);
        return SITTING_SAID;
    }
    do
        match_undo(&sitting->match);
    while (is_alone(sitting) && !persons_turn(sitting, sitting->match.len));
    return changed(sitting);
}

static enum sitting_next do_redo(struct sitting *sitting, struct out *said)
{
    if (!match_redo(&sitting->match)) {
        out_add(said, SAY_NOTHING_TO_REDO);
        return SITTING_SAID;
    }
    while (is_alone(sitting) && !persons_turn(sitting, sitting->match.len) &&
           match_redo(&sitting->match))
        continue;
    return changed(sitting);
}

static enum sitting_next do_resign(struct sitting *sitting, struct out *said)
{
    if (!may_act(sitting, said))
        return SITTING_SAID;
    match_end(&sitting->match, RECORD_RESIGNED, rules_other(match_to_move(&sitting->match)));
    return changed(sitting);
}

static enum sitting_next do_draw(struct sitting *sitting, struct out *said)
{
    struct match *match = &sitting->match;
    unsigned seat = match_to_move(match), level = sitting->level[rules_other(seat) - 1];

    if (!may_act(sitting, said))
        return SITTING_SAID;
    if (level == SITTING_PERSON && sitting->offered == 0) {
        sitting->offered = seat;
        out_format(said, SAY_OFFERS_DRAW, seat_name(sitting, seat));
        return SITTING_SAID;
    }
    if (level != SITTING_PERSON &&
        !adviser_agrees(&sitting->adviser, match, level, sitting->stop)) {
        out_add(said, SAY_DECLINES);
        return SITTING_SAID;
    }
    match_end(match, RECORD_AGREED, 0);
    return changed(sitting);
}

static enum sitting_next do_accept(struct sitting *sitting, struct out *said)
{
    if (sitting->offered != 0)
        return do_draw(sitting, said);
    out_add(said, SAY_NO_OFFER);
    return SITTING_SAID;
}

static enum sitting_next do_decline(struct sitting *sitting, struct out *said)
{
    if (sitting->offered == 0)
        out_add(said, SAY_NO_OFFER);
    sitting->offered = 0;
    return SITTING_SAID;
}

/* ---- looking ---- */

static enum sitting_next go_to(struct sitting *sitting, size_t ply, struct out *said)
{
    const struct match *match = &sitting->match;

    sitting->shown = ply;
    if (ply == 0)
        out_format(said, SAY_START, match->len);
    else
        out_format(said, SAY_STEP, ply, match->len,
                   show_played(said->arena, match, ply, &sitting->style));
    return SITTING_SHOWS;
}

static enum sitting_next do_back(struct sitting *sitting, struct out *said)
{
    if (sitting->shown > 0)
        return go_to(sitting, sitting->shown - 1, said);
    out_add(said, SAY_FIRST_STEP);
    return SITTING_SAID;
}

static enum sitting_next do_forward(struct sitting *sitting, struct out *said)
{
    if (sitting->shown < sitting->match.len)
        return go_to(sitting, sitting->shown + 1, said);
    out_add(said, SAY_NO_MORE_STEPS);
    return SITTING_SAID;
}

static enum sitting_next do_first(struct sitting *sitting, struct out *said)
{
    return go_to(sitting, 0, said);
}

static enum sitting_next do_last(struct sitting *sitting, struct out *said)
{
    return go_to(sitting, sitting->match.len, said);
}

static enum sitting_next do_goto(struct sitting *sitting, struct out *said)
{
    char *end;
    unsigned long ply = strtoul(sitting->rest, &end, 10);

    if (end != sitting->rest && *end == '\0' && ply <= sitting->match.len)
        return go_to(sitting, ply, said);
    out_format(said, SAY_NO_SUCH_PLY, sitting->match.len);
    return SITTING_SAID;
}

void sitting_look(const struct sitting *sitting, struct rules_look *look)
{
    show_look(&sitting->match, sitting->shown, &sitting->style, look);
}

static enum sitting_next do_look(struct sitting *sitting, struct out *said)
{
    const struct match *match = &sitting->match;
    struct rules_look look;
    unsigned square;
    size_t len = rules_square_read(match->game->board(match_state(match)), sitting->rest, &square);

    if (len == 0 || sitting->rest[len] != '\0') {
        out_format(said, SAY_NO_SQUARE, sitting->rest);
        return SITTING_SAID;
    }
    sitting_look(sitting, &look);
    look.selected = square;
    out_add(said, show_board(said->arena, match, sitting->shown, &look));
    return SITTING_SAID;
}

static enum sitting_next do_style(struct sitting *sitting, struct out *said)
{
    static const char *const names[] = {[RULES_STYLE_UNICODE] = "unicode",
                                        [RULES_STYLE_ASCII] = "ascii",
                                        [RULES_STYLE_ANSI] = "color",
                                        [RULES_STYLE_FIGURES] = "figures"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(sitting->rest, names[i]) == 0) {
            sitting->style.style = (enum rules_style)i;
            return SITTING_SHOWS;
        }
    out_add(said, SAY_BAD_STYLE);
    return SITTING_SAID;
}

/* ---- files ---- */

static enum sitting_next do_save(struct sitting *sitting, struct out *said)
{
    if (*sitting->rest == '\0')
        filing_list(sitting->match.game, said);
    else if (filing_write(&sitting->match, sitting->rest, said))
        out_format(said, SAY_SAVED, sitting->rest);
    return SITTING_SAID;
}

bool sitting_load(struct sitting *sitting, const char *path, struct out *said)
{
    struct match match;
    unsigned level[RULES_SEATS];

    if (!filing_read(&match, path, said))
        return false;
    sitting_levels(&match, level);
    sitting_begin(sitting, &match, level);
    return true;
}

static enum sitting_next do_load(struct sitting *sitting, struct out *said)
{
    if (*sitting->rest == '\0')
        out_add(said, SAY_NO_FILE);
    else if (sitting_load(sitting, sitting->rest, said))
        return SITTING_SHOWS;
    return SITTING_SAID;
}

/* ---- what is said without doing anything ---- */

static enum sitting_next do_help(struct sitting *sitting, struct out *said)
{
    order_help(said);
    out_format(said, "Moves: %s\n", sitting->match.game->move.doc);
    return SITTING_SAID;
}

static enum sitting_next do_rules(struct sitting *sitting, struct out *said)
{
    out_add(said, view_rulebook(sitting->match.game));
    return SITTING_SAID;
}

static enum sitting_next do_moves(struct sitting *sitting, struct out *said)
{
    out_add(said, show_moves(said->arena, &sitting->match, &sitting->style));
    return SITTING_SAID;
}

static enum sitting_next do_legal(struct sitting *sitting, struct out *said)
{
    out_add(said, show_legal(said->arena, &sitting->match, sitting->rest));
    return SITTING_SAID;
}

static enum sitting_next do_flip(struct sitting *sitting, struct out *said)
{
    (void)said;
    sitting->style.view = rules_other(sitting->style.view);
    return SITTING_SHOWS;
}

/* A daemon is asked anew. */
static enum sitting_next do_board(struct sitting *sitting, struct out *said)
{
    return sitting->away == NULL || read_away(sitting, said) ? SITTING_SHOWS : SITTING_SAID;
}

static enum sitting_next do_none(struct sitting *sitting, struct out *said)
{
    (void)sitting;
    (void)said;
    return SITTING_SAID;
}

static enum sitting_next do_menu(struct sitting *sitting, struct out *said)
{
    (void)sitting;
    (void)said;
    return SITTING_MENU;
}

static enum sitting_next do_quit(struct sitting *sitting, struct out *said)
{
    if (sitting->file != NULL && sitting->away == NULL && match_goes_on(&sitting->match))
        out_format(said, SAY_KEPT_IN, sitting->again);
    return SITTING_QUIT;
}

const char *sitting_turn(const struct sitting *sitting)
{
    return match_goes_on(&sitting->match) ? seat_name(sitting, match_to_move(&sitting->match))
                                          : "over";
}

/* What nobody may have against another person, or what a daemon decides. */
static bool is_unfair(const struct sitting *sitting, enum order_kind kind)
{
    return (kind == ORDER_HINT && match_goes_on(&sitting->match)) || kind == ORDER_LEVEL ||
           kind == ORDER_LOAD;
}

enum sitting_next sitting_order(struct sitting *sitting, char *line, struct out *said)
{
    static enum sitting_next (*const does[ORDER_KINDS])(struct sitting *, struct out *) = {
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
    struct order order = order_read(line);
    enum sitting_next next;

    if (sitting->stop != NULL)
        atomic_store(sitting->stop, false);
    sitting->rest = order.rest;
    if (sitting->away != NULL && away_serves(order.kind))
        return do_away(sitting, &order, said);
    if (sitting->away != NULL && is_unfair(sitting, order.kind)) {
        out_add(said, SAY_NOT_AWAY);
        return SITTING_SAID;
    }
    next = does[order.kind](sitting, said);

    if (sitting->complaint[0] != '\0') {
        out_format(said, "%s" SAY_NOT_KEPT, sitting->complaint);
        sitting->complaint[0] = '\0';
    }
    return next;
}
