#include "api/terminal/visit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "api/terminal/autosave.h"

static void open_remote(struct visit *visit, const struct game_session *session)
{
    visit_close(visit);
    remote_open(&visit->remote, visit->base, session->stop, &session->style);
}

void visit_close(struct visit *visit)
{
    if (visit->remote.fetch != NULL)
        remote_close(&visit->remote);
}

/* ---- tokens ---- */

static const char *token_path(const struct visit *visit, struct arena *arena)
{
    if (visit->token_file != NULL)
        return visit->token_file;
    return autosave_place(arena, arena_format(arena, "tokens/%s", visit->remote.id));
}

/* Reads the token from its file, if there is one. */
static void read_token(struct visit *visit, struct arena *arena)
{
    const char *path = token_path(visit, arena);
    char *bytes;
    size_t len;

    if (path == NULL || !autosave_read(arena, path, &bytes, &len))
        return;
    snprintf(visit->remote.token, sizeof(visit->remote.token), "%.*s",
             (int)strcspn(bytes, " \t\r\n"), bytes);
}

/* Saves the token of the game. A token that was in the file before was sent to the daemon and plays
 * this game, too; it is written again. */
static void write_token(const struct visit *visit, struct out *said)
{
    const char *path = token_path(visit, said->arena);
    const char *line = arena_format(said->arena, "%s\n", visit->remote.token);

    if (path == NULL || !autosave_write(path, line, strlen(line)))
        show_say(said, visit->remote.style, "play-cannot-write", "file",
                 path == NULL ? visit->remote.token : path, "reason", strerror(errno), NULL);
}

/* ---- games ---- */

static bool arrive_at_visit(struct visit *visit, struct game_session *session, struct out *said)
{
    if (!game_session_visit(session, &visit->remote, said))
        return false;
    show_say(said, &session->style, "play-away", "id", visit->remote.id, "address",
             visit->remote.base, NULL);
    if (!visit->remote.mine[0] && !visit->remote.mine[1])
        show_say(said, &session->style, "play-watches", NULL);
    return true;
}

bool visit_named(struct visit *visit, struct game_session *session, struct out *said)
{
    struct out aside;

    open_remote(visit, session);
    snprintf(visit->remote.id, sizeof(visit->remote.id), "%s", visit->game);
    read_token(visit, said->arena);
    if (visit->remote.token[0] != '\0')
        return arrive_at_visit(visit, session, said);
    out_init(&aside, said->arena);
    if (remote_join(&visit->remote, &aside))
        write_token(visit, said);
    return arrive_at_visit(visit, session, said);
}

/* The player of a seat, as the body of a new game names them. */
static const char *seat_text(const struct visit *visit, struct arena *arena,
                             const struct menu_choice *choice, unsigned i)
{
    bool mine = choice->level[i] == PLAYER_HERE &&
                (i == 0 || choice->level[0] != PLAYER_HERE || !visit->open);

    if (visit->open && !mine)
        return "{\"open\":true}";
    if (choice->level[i] == PLAYER_HERE)
        return "{\"me\":true}";
    if (choice->level[i] == PLAYER_RANDOM)
        return visit->seed < 0 ? "{\"engine\":\"random\"}"
                               : arena_format(arena, "{\"engine\":\"random\",\"seed\":%lld}",
                                              (long long)visit->seed);
    if (visit->seed < 0)
        return arena_format(arena, "{\"engine\":\"plyd\",\"level\":%u}", choice->level[i]);
    return arena_format(arena, "{\"engine\":\"plyd\",\"level\":%u,\"seed\":%lld}", choice->level[i],
                        (long long)visit->seed);
}

bool visit_new(struct visit *visit, struct game_session *session, const struct menu_choice *choice,
               struct out *said)
{
    const char *seats[RULES_SEATS] = {seat_text(visit, said->arena, choice, 0),
                                      seat_text(visit, said->arena, choice, 1)};

    if (choice->level[0] != PLAYER_HERE && choice->level[1] != PLAYER_HERE) {
        show_say(said, &session->style, "play-needs-you", NULL);
        return false;
    }
    open_remote(visit, session);
    if (visit->token_file != NULL)
        read_token(visit, said->arena);
    if (!remote_create(&visit->remote, choice->game, &choice->options, choice->position, seats,
                       said))
        return false;
    write_token(visit, said);
    return arrive_at_visit(visit, session, said);
}
