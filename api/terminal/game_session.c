#include "api/terminal/game_session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/terminal/autosave.h"
#include "api/terminal/game_files.h"
#include "api/text/refusal.h"
#include "api/view/catalogue.h"

/* ---- who plays ---- */

const char *game_session_seat(const struct game_session *sitting, unsigned seat)
{
    return show_side(&sitting->match, seat, &sitting->style);
}

unsigned game_session_level(const struct game_session *sitting)
{
    return sitting->level[match_to_move(&sitting->match) - 1];
}

void game_session_levels(const struct match *match, unsigned level[RULES_SEATS])
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

/* Writes the players into a match as records have them: the engine as "plyd:3", with the name
 * "plyd, level 3". A person who takes over the engine's seat has no name. */
static void name_engines(struct match *match, const unsigned level[RULES_SEATS])
{
    unsigned before[RULES_SEATS];

    game_session_levels(match, before);
    for (unsigned i = 0; i < RULES_SEATS; i++) {
        if (level[i] != SITTING_PERSON) {
            match->engine[i] = arena_format(&match->arena, "plyd:%u", level[i]);
            match->name[i] = arena_format(&match->arena, "plyd, level %u", level[i]);
        } else if (before[i] != SITTING_PERSON) {
            match->engine[i] = match->name[i] = NULL;
        }
    }
}

/* The seat that is shown at the bottom of the board: that of the person if only one person plays.
 */
static unsigned usual_view(const unsigned level[RULES_SEATS])
{
    return level[0] != SITTING_PERSON && level[1] == SITTING_PERSON ? 2 : 1;
}

/* ---- keeping ---- */

/* Adds a notice for game_session_tell(). */
static void note(struct game_session *sitting, const struct out *said)
{
    size_t len = strlen(sitting->notice);

    snprintf(sitting->notice + len, sizeof(sitting->notice) - len, "%s", said->text);
}

void game_session_tell(struct game_session *sitting, struct out *said)
{
    out_add(said, sitting->notice);
    sitting->notice[0] = '\0';
}

/* Saves the match. After a failure the session goes on without a file, so that the notice is not
 * repeated after each change. */
static void keep(struct game_session *sitting)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    if (sitting->file == NULL || sitting->away != NULL)
        return;
    out_init(&said, &arena);
    if (!game_files_write(&sitting->match, sitting->file, &sitting->style, &said)) {
        show_say(&said, &sitting->style, "play-not-kept", NULL);
        note(sitting, &said);
        sitting->file = NULL;
    }
    arena_free(&arena);
}

/* Renames the file to its backup name and adds a notice. An older backup that is worth more is
 * kept; the game in the file is lost then. */
static bool put_aside(struct game_session *sitting, struct out *said)
{
    const char *before = autosave_before(said->arena, sitting->file), *slash = strrchr(before, '/');
    enum game_files_worth worth = game_files_worth(sitting->file);
    struct out told;

    if (worth == FILING_NOTHING || worth < game_files_worth(before))
        return true;
    if (!autosave_aside(sitting->file)) {
        show_say(said, &sitting->style, "play-cannot-write", "file", before, "reason",
                 strerror(errno), NULL);
        return false;
    }
    out_init(&told, said->arena);
    if (worth == FILING_GOES_ON)
        show_say(&told, &sitting->style, "play-put-aside", "file",
                 slash == NULL ? before : slash + 1, NULL);
    note(sitting, &told);
    return true;
}

bool game_session_can_keep(const struct game_session *sitting, const struct match *match,
                           struct out *said)
{
    struct out why;

    out_init(&why, said->arena);
    if (game_files_fits(match, sitting->file, &sitting->style, &why))
        return true;
    show_say(said, &sitting->style, "play-cannot-keep", "file", sitting->file, NULL);
    out_add(said, why.text);
    return false;
}

/* Prepares the file for another match: checks that its format can hold the match, and makes a
 * backup of the game in it. */
static bool make_room(struct game_session *sitting, const struct match *match, struct out *said)
{
    return sitting->file == NULL ||
           (game_session_can_keep(sitting, match, said) && put_aside(sitting, said));
}

void game_session_changed(struct game_session *sitting)
{
    sitting->shown = sitting->match.len;
    sitting->offered = 0;
    keep(sitting);
}

void game_session_set_level(struct game_session *sitting, unsigned level)
{
    for (unsigned i = 0; i < RULES_SEATS; i++)
        if (sitting->level[i] != SITTING_PERSON)
            sitting->level[i] = level;
    name_engines(&sitting->match, sitting->level);
    keep(sitting);
}

void game_session_begin(struct game_session *sitting, struct match *match,
                        const unsigned level[RULES_SEATS])
{
    name_engines(match, level);
    if (sitting->match.game != NULL)
        match_close(&sitting->match);
    sitting->match = *match;
    sitting->away = NULL;
    memcpy(sitting->level, level, sizeof(sitting->level));
    sitting->style.view = usual_view(level);
    sitting->stopped = false;
    game_session_changed(sitting);
}

bool game_session_replace(struct game_session *sitting, struct match *match,
                          const unsigned level[RULES_SEATS], struct out *said)
{
    name_engines(match, level);
    if (!make_room(sitting, match, said)) {
        match_close(match);
        return false;
    }
    game_session_begin(sitting, match, level);
    return true;
}

void game_session_close(struct game_session *sitting)
{
    if (sitting->match.game != NULL)
        match_close(&sitting->match);
    advisor_close(&sitting->adviser);
}

static void say_plays(const struct game_session *sitting, unsigned seat, const char *move,
                      struct out *said)
{
    show_say(said, &sitting->style, "play-plays", "side", game_session_seat(sitting, seat), "move",
             move, NULL);
}

/* ---- a game on a daemon ---- */

/* An offer of an unknown kind is shown under the daemon's name for it. */
static void say_offer(const struct game_session *sitting, const struct remote_offer *offer,
                      struct out *said)
{
    const char *key = arena_format(said->arena, "play-offer-%s", offer->kind);
    const char *what = lang_say(show_lang(&sitting->style), LANG_WORD, key, offer->kind);

    show_say(said, &sitting->style, "play-offers", "side", game_session_seat(sitting, offer->seat),
             "what", what, NULL);
}

bool game_session_reread(struct game_session *sitting, struct out *said)
{
    struct match *match = &sitting->match;
    size_t before = match->len;

    if (!remote_read(sitting->away, match, said))
        return false;
    for (unsigned i = 0; i < RULES_SEATS; i++)
        sitting->level[i] = sitting->away->mine[i] ? SITTING_PERSON : SITTING_AWAY;
    if (match->len < before)
        show_say(said, &sitting->style, "play-went-back", "ply",
                 show_number(said->arena, match->len), NULL);
    for (size_t ply = before + 1; ply <= match->len; ply++) {
        unsigned seat = match->game->to_move(match->ply[ply - 1].state);

        if (sitting->level[seat - 1] == SITTING_AWAY)
            say_plays(sitting, seat, show_played(said->arena, match, ply, &sitting->style), said);
    }
    if (sitting->away->offer.id != 0)
        say_offer(sitting, &sitting->away->offer, said);
    sitting->shown = match->len;
    return true;
}

bool game_session_visit(struct game_session *sitting, struct remote *away, struct out *said)
{
    struct match match = {.game = NULL};

    if (!remote_read(away, &match, said))
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

void game_session_let_go(struct game_session *sitting)
{
    if (sitting->stop != NULL)
        atomic_store(sitting->stop, false);
}

/* Stops waiting for the other side until the command `go`. */
static void say_stopped(struct game_session *sitting, struct out *said)
{
    sitting->stopped = true;
    show_say(said, &sitting->style, "play-stopped", NULL);
    game_session_let_go(sitting);
}

static void await_away(struct game_session *sitting, struct out *said)
{
    switch (remote_wait(sitting->away, said)) {
    case AWAY_NOTHING_NEW:
        break;
    case AWAY_NEWS:
        sitting->stopped = !game_session_reread(sitting, said);
        break;
    case AWAY_UNREACHABLE:
        say_stopped(sitting, said);
        break;
    }
}

/* ---- the engine ---- */

bool game_session_waits(const struct game_session *sitting)
{
    return match_goes_on(&sitting->match) && !sitting->stopped &&
           sitting->shown == sitting->match.len && game_session_level(sitting) != SITTING_PERSON;
}

void game_session_engine_plays(struct game_session *sitting, unsigned level, struct out *said)
{
    struct match *match = &sitting->match;
    unsigned seat = match_to_move(match);
    struct engine_choice choice;
    struct rules_refusal why;

    switch (advisor_choose(&sitting->adviser, match, level, sitting->stop, &choice)) {
    case ENGINE_MOVES:
        say_plays(sitting, seat, show_move(said->arena, match, choice.move, &sitting->style), said);
        match_add(match, choice.move);
        break;
    case ENGINE_DECLARES:
        match_declare(match, &why);
        show_say(said, &sitting->style, "play-declares", "side", game_session_seat(sitting, seat),
                 NULL);
        break;
    case ENGINE_OVER:
        break;
    case ENGINE_CANCELLED:
        say_stopped(sitting, said);
        return;
    }
    sitting->stopped = false;
    game_session_changed(sitting);
}

void game_session_other_moves(struct game_session *sitting, struct out *said)
{
    if (sitting->away != NULL)
        await_away(sitting, said);
    else
        game_session_engine_plays(sitting, game_session_level(sitting), said);
}

/* ---- what the faces ask ---- */

const char *game_session_turn(const struct game_session *sitting)
{
    return match_goes_on(&sitting->match)
               ? game_session_seat(sitting, match_to_move(&sitting->match))
               : lang_word(show_lang(&sitting->style), "play-turn-over");
}

void game_session_look(const struct game_session *sitting, struct rules_look *look)
{
    show_look(&sitting->match, sitting->shown, &sitting->style, look);
}

/* ---- files ---- */

bool game_session_load(struct game_session *sitting, const char *path, struct out *said)
{
    struct match match;
    unsigned level[RULES_SEATS];

    if (!game_files_read(&match, path, &sitting->style, said))
        return false;
    game_session_levels(&match, level);
    if (sitting->file == NULL || !autosave_is_same(path, sitting->file))
        return game_session_replace(sitting, &match, level, said);
    game_session_begin(sitting, &match, level);
    return true;
}
