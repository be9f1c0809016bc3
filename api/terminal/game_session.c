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

const char *game_session_seat(const struct game_session *session, unsigned seat)
{
    return show_side(&session->match, seat, &session->style);
}

unsigned game_session_level(const struct game_session *session)
{
    return session->level[match_to_move(&session->match) - 1];
}

void game_session_levels(const struct match *match, unsigned level[RULES_SEATS])
{
    for (unsigned i = 0; i < RULES_SEATS; i++) {
        const char *engine = match->engine[i], *name = match->name[i];
        unsigned n = PLAYER_HERE;

        if ((engine != NULL && sscanf(engine, "plyd:%u", &n) == 1) ||
            (name != NULL && sscanf(name, "plyd, level %u", &n) == 1))
            n = n > ENGINE_LEVELS ? PLAYER_HERE : n;
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
        if (level[i] != PLAYER_HERE) {
            match->engine[i] = arena_format(&match->arena, "plyd:%u", level[i]);
            match->name[i] = arena_format(&match->arena, "plyd, level %u", level[i]);
        } else if (before[i] != PLAYER_HERE) {
            match->engine[i] = match->name[i] = NULL;
        }
    }
}

/* The seat that is shown at the bottom of the board: that of the person if only one person plays.
 */
static unsigned usual_view(const unsigned level[RULES_SEATS])
{
    return level[0] != PLAYER_HERE && level[1] == PLAYER_HERE ? 2 : 1;
}

/* ---- keeping ---- */

/* Adds a notice for game_session_tell(). */
static void note(struct game_session *session, const struct out *said)
{
    size_t len = strlen(session->notice);

    snprintf(session->notice + len, sizeof(session->notice) - len, "%s", said->text);
}

void game_session_tell(struct game_session *session, struct out *said)
{
    out_add(said, session->notice);
    session->notice[0] = '\0';
}

/* Saves the match. After a failure the session goes on without a file, so that the notice is not
 * repeated after each change. */
static void keep(struct game_session *session)
{
    struct arena arena = {NULL, NULL, NULL};
    struct out said;

    if (session->file == NULL || session->remote != NULL)
        return;
    out_init(&said, &arena);
    if (!game_files_write(&session->match, session->file, &session->style, &said)) {
        show_say(&said, &session->style, "play-not-kept", NULL);
        note(session, &said);
        session->file = NULL;
    }
    arena_free(&arena);
}

/* Renames the file to its backup name and adds a notice. An older backup that is worth more is
 * kept; the game in the file is lost then. */
static bool put_aside(struct game_session *session, struct out *said)
{
    const char *before = autosave_before(said->arena, session->file), *slash = strrchr(before, '/');
    enum game_files_worth worth = game_files_worth(session->file);
    struct out told;

    if (worth == WORTH_NOTHING || worth < game_files_worth(before))
        return true;
    if (!autosave_aside(session->file)) {
        show_say(said, &session->style, "play-cannot-write", "file", before, "reason",
                 strerror(errno), NULL);
        return false;
    }
    out_init(&told, said->arena);
    if (worth == WORTH_GOES_ON)
        show_say(&told, &session->style, "play-put-aside", "file",
                 slash == NULL ? before : slash + 1, NULL);
    note(session, &told);
    return true;
}

bool game_session_can_keep(const struct game_session *session, const struct match *match,
                           struct out *said)
{
    struct out why;

    out_init(&why, said->arena);
    if (game_files_fits(match, session->file, &session->style, &why))
        return true;
    show_say(said, &session->style, "play-cannot-keep", "file", session->file, NULL);
    out_add(said, why.text);
    return false;
}

/* Prepares the file for another match: checks that its format can hold the match, and makes a
 * backup of the game in it. */
static bool make_room(struct game_session *session, const struct match *match, struct out *said)
{
    return session->file == NULL ||
           (game_session_can_keep(session, match, said) && put_aside(session, said));
}

void game_session_changed(struct game_session *session)
{
    session->shown = session->match.len;
    session->offered = 0;
    keep(session);
}

void game_session_set_level(struct game_session *session, unsigned level)
{
    for (unsigned i = 0; i < RULES_SEATS; i++)
        if (session->level[i] != PLAYER_HERE)
            session->level[i] = level;
    name_engines(&session->match, session->level);
    keep(session);
}

void game_session_begin(struct game_session *session, struct match *match,
                        const unsigned level[RULES_SEATS])
{
    name_engines(match, level);
    if (session->match.game != NULL)
        match_close(&session->match);
    session->match = *match;
    session->remote = NULL;
    memcpy(session->level, level, sizeof(session->level));
    session->style.view = usual_view(level);
    session->stopped = false;
    game_session_changed(session);
}

bool game_session_replace(struct game_session *session, struct match *match,
                          const unsigned level[RULES_SEATS], struct out *said)
{
    name_engines(match, level);
    if (!make_room(session, match, said)) {
        match_close(match);
        return false;
    }
    game_session_begin(session, match, level);
    return true;
}

void game_session_close(struct game_session *session)
{
    if (session->match.game != NULL)
        match_close(&session->match);
    advisor_close(&session->advisor);
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
    session->remote = remote;
    session->stopped = false;
    for (unsigned i = 0; i < RULES_SEATS; i++)
        session->level[i] = remote->mine[i] ? PLAYER_HERE : PLAYER_REMOTE;
    session->style.view = usual_view(session->level);
    session->shown = match.len;
    return true;
}

void game_session_let_go(struct game_session *session)
{
    if (session->stop != NULL)
        atomic_store(session->stop, false);
}

/* Stops waiting for the other side until the command `go`. */
static void say_stopped(struct game_session *session, struct out *said)
{
    session->stopped = true;
    show_say(said, &session->style, "play-stopped", NULL);
    game_session_let_go(session);
}

static void await_remote(struct game_session *session, struct out *said)
{
    switch (remote_wait(session->remote, said)) {
    case REMOTE_NOTHING_NEW:
        break;
    case REMOTE_NEWS:
        session->stopped = !game_session_reread(session, said);
        break;
    case REMOTE_UNREACHABLE:
        say_stopped(session, said);
        break;
    }
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
        break;
    case ENGINE_CANCELLED:
        say_stopped(session, said);
        return;
    }
    session->stopped = false;
    game_session_changed(session);
}

void game_session_other_moves(struct game_session *session, struct out *said)
{
    if (session->remote != NULL)
        await_remote(session, said);
    else
        game_session_engine_plays(session, game_session_level(session), said);
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
    game_session_begin(session, &match, level);
    return true;
}
