#include "api/terminal/game_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/terminal/game_files.h"

enum { NO_INPUT = -1 };

/* ---- who plays ---- */

const char *game_session_seat(const struct game_session *session, unsigned seat)
{
    return show_side(&session->match, seat, &session->style);
}

unsigned game_session_level(const struct game_session *session)
{
    return session->level[match_to_move(&session->match) - 1];
}

/* The level of our engine, by what a record says of a seat. Formats that have only names have it in
 * the name. */
static unsigned level_of(const char *engine, int32_t level, const char *name)
{
    unsigned n = PLAYER_HERE;

    if (engine != NULL ? strcmp(engine, "random") == 0
                       : name != NULL && strcmp(name, lang_word(NULL, "the-computer")) == 0)
        return PLAYER_RANDOM;
    if (engine != NULL)
        n = strcmp(engine, "plyd") != 0 ? PLAYER_HERE
            : level == 0                ? ADVISOR_USUAL_LEVEL
                                        : (unsigned)level;
    else if (name != NULL && sscanf(name, "plyd, level %u", &n) != 1)
        n = PLAYER_HERE;
    return n > ENGINE_LEVELS ? PLAYER_HERE : n;
}

void game_session_levels(const struct match *match, unsigned level[RULES_SEATS])
{
    for (unsigned i = 0; i < RULES_SEATS; i++)
        level[i] = level_of(match->engine[i], match->level[i], match->name[i]);
}

/* Writes the players into a match where they are others than those that it names. A person who
 * takes over the engine's seat has no name. */
static void name_engines(struct match *match, const unsigned level[RULES_SEATS])
{
    unsigned before[RULES_SEATS];

    game_session_levels(match, before);
    for (unsigned i = 0; i < RULES_SEATS; i++)
        if (level[i] != before[i]) {
            match->engine[i] = level[i] == PLAYER_HERE     ? NULL
                               : level[i] == PLAYER_RANDOM ? "random"
                                                           : "plyd";
            match->level[i] = level[i] <= ENGINE_LEVELS ? (int32_t)level[i] : 0;
            match->name[i] = NULL;
        }
}

/* The seat that is shown at the bottom of the board: that of the person if only one person plays.
 */
static unsigned usual_view(const unsigned level[RULES_SEATS])
{
    return level[0] != PLAYER_HERE && level[1] == PLAYER_HERE ? 2 : 1;
}

/* ---- keeping ---- */

void game_session_note(struct game_session *session, const struct out *said)
{
    size_t len = strlen(session->notice);

    snprintf(session->notice + len, sizeof(session->notice) - len, "%s", said->text);
}

void game_session_tell(struct game_session *session, struct out *said)
{
    out_add(said, session->notice);
    session->notice[0] = '\0';
}

/* Whether the game that was kept in the file may be lost: in the usual file a game without moves,
 * or one that is over, does not take the place of one that goes on. */
static bool is_worthless(const struct game_session *session, enum game_files_worth worth,
                         struct arena *arena)
{
    const char *before = autosave_before(arena, session->file);

    return session->usual && before != NULL && worth < game_files_worth(before);
}

/* Saves the match over another one, and adds a notice of where that is. */
static bool take_place(struct game_session *session, struct out *said)
{
    enum game_files_worth worth = game_files_worth(session->file);
    struct game_file file = {session->file, false};
    const char *before;

    if (is_worthless(session, worth, said->arena))
        autosave_own(&session->autosave, session->file);
    if (!game_files_write(&session->match, file, &session->autosave, &before, &session->style,
                          said))
        return false;
    session->replaces = false;
    if (before != NULL && worth == WORTH_GOES_ON)
        show_say(said, &session->style, "play-put-aside", "file", show_name(before), NULL);
    return true;
}

static bool save(struct game_session *session, struct out *said)
{
    const char *before;

    return session->replaces ? take_place(session, said)
                             : game_files_write(&session->match,
                                                (struct game_file){session->file, session->goes_on},
                                                &session->autosave, &before, &session->style, said);
}

/* Saves the match. After a failure the session goes on without a file, so that the notice is not
 * repeated after each change. */
static void keep_session(struct game_session *session)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    if (session->file == NULL || session->remote != NULL)
        return;
    out_init(&said, &arena);
    if (!save(session, &said)) {
        show_say(&said, &session->style, "play-not-kept", NULL);
        session->file = NULL;
    }
    game_session_note(session, &said);
    arena_free(&arena);
}

bool game_session_is_kept(const struct game_session *session)
{
    return session->file != NULL && session->remote == NULL && !session->replaces;
}

bool game_session_can_keep(const struct game_session *session, const struct match *match,
                           bool goes_on, struct out *said)
{
    struct out why;

    out_init(&why, said->arena);
    if (game_files_fits(match, (struct game_file){session->file, goes_on}, &session->style, &why))
        return true;
    show_say(said, &session->style, "play-cannot-keep", "file", session->file, NULL);
    out_add(said, why.text);
    return false;
}

bool game_session_can_undo(const struct game_session *session, struct out *said)
{
    if (session->file == NULL ||
        game_files_branches(&session->match, (struct game_file){session->file, session->goes_on}))
        return true;
    show_say(said, &session->style, "play-no-branches", "file", session->file, NULL);
    return false;
}

static void show_present(struct game_session *session)
{
    session->shown = session->match.len;
    session->offered = 0;
}

void game_session_changed(struct game_session *session)
{
    show_present(session);
    keep_session(session);
}

void game_session_set_level(struct game_session *session, unsigned level)
{
    for (unsigned i = 0; i < RULES_SEATS; i++)
        if (session->level[i] != PLAYER_HERE)
            session->level[i] = level;
    name_engines(&session->match, session->level);
    keep_session(session);
}

static void take_match(struct game_session *session, struct match *match,
                       const unsigned level[RULES_SEATS], bool goes_on)
{
    name_engines(match, level);
    if (session->match.game != NULL)
        match_close(&session->match);
    session->match = *match;
    autosave_disown(&session->autosave);
    session->remote = NULL;
    memcpy(session->level, level, sizeof(session->level));
    session->style.view = usual_view(level);
    session->stopped = false;
    session->goes_on = goes_on;
    session->replaces = !goes_on;
    show_present(session);
}

/* To go on with a game loses nothing of it, so the usual file needs no copy of what it was. */
void game_session_begin(struct game_session *session, struct match *match,
                        const unsigned level[RULES_SEATS])
{
    take_match(session, match, level, true);
    if (session->usual)
        autosave_own(&session->autosave, session->file);
}

bool game_session_replace(struct game_session *session, struct match *match,
                          const unsigned level[RULES_SEATS], struct out *said)
{
    if (session->file != NULL && !game_session_can_keep(session, match, false, said)) {
        match_close(match);
        return false;
    }
    take_match(session, match, level, false);
    return true;
}

void game_session_close(struct game_session *session)
{
    if (session->match.game != NULL)
        match_close(&session->match);
    advisor_close(&session->advisor);
    autosave_close(&session->autosave);
}

static void say_plays(const struct game_session *session, unsigned seat, const char *move,
                      struct out *said)
{
    show_say(said, &session->style, "play-plays", "side", game_session_seat(session, seat), "move",
             move, NULL);
}

/* ---- a game on a daemon ---- */

/* An offer of an unknown kind is shown under the daemon's name for it. */
static void say_offer(const struct game_session *session, const struct remote_offer *offer,
                      struct out *said)
{
    const char *key = arena_format(said->arena, "play-offer-%s", offer->kind);
    const char *what = lang_say(show_lang(&session->style), LANG_WORD, key, offer->kind);

    show_say(said, &session->style, "play-offers", "side", game_session_seat(session, offer->seat),
             "what", what, NULL);
}

bool game_session_reread(struct game_session *session, struct out *said)
{
    struct match *match = &session->match;
    size_t before = match->len;
    bool at_end = session->shown == before;

    if (!remote_read(session->remote, match, said))
        return false;
    for (unsigned i = 0; i < RULES_SEATS; i++)
        session->level[i] = session->remote->mine[i] ? PLAYER_HERE : PLAYER_REMOTE;
    if (match->len < before)
        show_say(said, &session->style, "play-went-back", "ply",
                 show_number(said->arena, match->len), NULL);
    for (size_t ply = before + 1; ply <= match->len; ply++) {
        unsigned seat = match->game->to_move(match->ply[ply - 1].state);

        if (session->level[seat - 1] == PLAYER_REMOTE)
            say_plays(session, seat, show_played(said->arena, match, ply, &session->style), said);
    }
    if (session->remote->offer.id != 0)
        say_offer(session, &session->remote->offer, said);
    if (at_end || session->shown > match->len)
        session->shown = match->len;
    return true;
}

bool game_session_visit(struct game_session *session, struct remote *remote, struct out *said)
{
    struct match match = {.game = NULL};

    if (!remote_read(remote, &match, said))
        return false;
    if (session->match.game != NULL)
        match_close(&session->match);
    session->match = match;
    autosave_disown(&session->autosave);
    session->remote = remote;
    session->stopped = false;
    for (unsigned i = 0; i < RULES_SEATS; i++)
        session->level[i] = remote->mine[i] ? PLAYER_HERE : PLAYER_REMOTE;
    session->style.view = usual_view(session->level);
    session->shown = match.len;
    return true;
}

void game_session_clear_stop(struct game_session *session)
{
    if (session->stop != NULL)
        atomic_store(session->stop, false);
}

/* Stops waiting for the other side until the command `go`. */
static void say_stopped(struct game_session *session, struct out *said)
{
    session->stopped = true;
    show_say(said, &session->style, "play-stopped", NULL);
    game_session_clear_stop(session);
}

bool game_session_listens(const struct game_session *session)
{
    return session->remote != NULL && match_goes_on(&session->match) && !session->stopped;
}

enum game_session_heard game_session_listen(struct game_session *session, int input,
                                            struct out *said)
{
    size_t len = said->len;

    switch (remote_wait(session->remote, input, said)) {
    case REMOTE_NOTHING_YET:
        return HEARD_NOTHING;
    case REMOTE_INPUT:
        return HEARD_INPUT;
    case REMOTE_NEWS:
        session->stopped = !game_session_reread(session, said);
        return HEARD_NEWS;
    case REMOTE_STOPPED:
        if (!game_session_waits(session))
            return HEARD_STOP;
        break;
    case REMOTE_UNREACHABLE:
        break;
    }
    if (game_session_waits(session)) {
        say_stopped(session, said);
        return HEARD_NEWS;
    }
    session->stopped = true; /* the person's own next request tells why */
    out_cut(said, len);
    return HEARD_NOTHING;
}

/* ---- the engine ---- */

bool game_session_waits(const struct game_session *session)
{
    return match_goes_on(&session->match) && !session->stopped &&
           session->shown == session->match.len && game_session_level(session) != PLAYER_HERE;
}

void game_session_engine_plays(struct game_session *session, unsigned level, struct out *said)
{
    struct match *match = &session->match;
    unsigned seat = match_to_move(match);
    struct engine_choice choice;
    struct rules_refusal why;

    switch (advisor_choose(&session->advisor, match, level, session->stop, &choice)) {
    case ENGINE_MOVES:
        say_plays(session, seat, show_move(said->arena, match, choice.move, &session->style), said);
        match_add(match, choice.move);
        break;
    case ENGINE_DECLARES:
        match_declare(match, &why);
        show_say(said, &session->style, "play-declares", "side", game_session_seat(session, seat),
                 NULL);
        break;
    case ENGINE_OVER:
        return;
    case ENGINE_CANCELLED:
        say_stopped(session, said);
        return;
    }
    session->stopped = false;
    game_session_changed(session);
}

void game_session_other_moves(struct game_session *session, struct out *said)
{
    if (session->remote == NULL)
        game_session_engine_plays(session, game_session_level(session), said);
    else if (game_session_listen(session, NO_INPUT, said) == HEARD_STOP)
        say_stopped(session, said);
    game_session_tell(session, said);
}

/* ---- what the faces ask ---- */

const char *game_session_turn(const struct game_session *session)
{
    return match_goes_on(&session->match)
               ? game_session_seat(session, match_to_move(&session->match))
               : lang_word(show_lang(&session->style), "play-turn-over");
}

void game_session_look(const struct game_session *session, struct rules_look *look)
{
    show_look(&session->match, session->shown, &session->style, look);
}

/* ---- files ---- */

bool game_session_load(struct game_session *session, const char *path, struct out *said)
{
    struct match match;
    unsigned level[RULES_SEATS];

    if (!game_files_read(&match, path, &session->style, said))
        return false;
    game_session_levels(&match, level);
    if (session->file == NULL || !autosave_is_same(path, session->file))
        return game_session_replace(session, &match, level, said);
    if (!game_session_can_keep(session, &match, true, said)) {
        match_close(&match);
        return false;
    }
    game_session_begin(session, &match, level);
    return true;
}
