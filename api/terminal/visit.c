#include "api/terminal/visit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "api/terminal/autosave.h"

static void open_away(struct visit *visit, const struct game_session *sitting)
{
    visit_close(visit);
    remote_open(&visit->away, visit->base, sitting->stop, &sitting->style);
}

void visit_close(struct visit *visit)
{
    if (visit->away.fetch != NULL)
        remote_close(&visit->away);
}

/* ---- tokens ---- */

static const char *token_path(const struct visit *visit, struct arena *arena)
{
    if (visit->token_file != NULL)
        return visit->token_file;
    return autosave_place(arena, arena_format(arena, "tokens/%s", visit->away.id));
}

/* Reads the token from its file, if there is one. */
static void read_token(struct visit *visit, struct arena *arena)
{
    const char *path = token_path(visit, arena);
    char *bytes;
    size_t len;

    if (path == NULL || !autosave_read(arena, path, &bytes, &len))
        return;
    snprintf(visit->away.token, sizeof(visit->away.token), "%.*s", (int)strcspn(bytes, " \t\r\n"),
             bytes);
}

/* Saves the token of the game. A token that was in the file before was sent to the daemon and plays
 * this game, too; it is written again. */
static void write_token(const struct visit *visit, struct out *said)
{
    const char *path = token_path(visit, said->arena);
    const char *line = arena_format(said->arena, "%s\n", visit->away.token);

    if (path == NULL || !autosave_write(path, line, strlen(line)))
        show_say(said, visit->away.style, "play-cannot-write", "file",
                 path == NULL ? visit->away.token : path, "reason", strerror(errno), NULL);
}

/* ---- games ---- */

static bool arrive(struct visit *visit, struct game_session *sitting, struct out *said)
{
    if (!game_session_visit(sitting, &visit->away, said))
        return false;
    show_say(said, &sitting->style, "play-away", "id", visit->away.id, "address", visit->away.base,
             NULL);
    if (!visit->away.mine[0] && !visit->away.mine[1])
        show_say(said, &sitting->style, "play-watches", NULL);
    return true;
}

bool visit_named(struct visit *visit, struct game_session *sitting, struct out *said)
{
    struct out aside;

    open_away(visit, sitting);
    snprintf(visit->away.id, sizeof(visit->away.id), "%s", visit->game);
    read_token(visit, said->arena);
    if (visit->away.token[0] != '\0')
        return arrive(visit, sitting, said);
    out_init(&aside, said->arena);
    if (remote_join(&visit->away, &aside))
        write_token(visit, said);
    return arrive(visit, sitting, said);
}

/* The player of a seat, as the body of a new game names them. */
static const char *seat_text(const struct visit *visit, struct arena *arena,
                             const struct menu_choice *choice, unsigned i)
{
    bool mine = choice->level[i] == SITTING_PERSON &&
                (i == 0 || choice->level[0] != SITTING_PERSON || !visit->open);

    if (visit->open && !mine)
        return "{\"open\":true}";
    if (choice->level[i] == SITTING_PERSON)
        return "{\"me\":true}";
    if (visit->seed < 0)
        return arena_format(arena, "{\"engine\":\"plyd\",\"level\":%u}", choice->level[i]);
    return arena_format(arena, "{\"engine\":\"plyd\",\"level\":%u,\"seed\":%lld}", choice->level[i],
                        (long long)visit->seed);
}

bool visit_new(struct visit *visit, struct game_session *sitting, const struct menu_choice *choice,
               struct out *said)
{
    const char *seats[RULES_SEATS] = {seat_text(visit, said->arena, choice, 0),
                                      seat_text(visit, said->arena, choice, 1)};

    if (choice->level[0] != SITTING_PERSON && choice->level[1] != SITTING_PERSON) {
        show_say(said, &sitting->style, "play-needs-you", NULL);
        return false;
    }
    open_away(visit, sitting);
    if (visit->token_file != NULL)
        read_token(visit, said->arena);
    if (!remote_create(&visit->away, choice->game, &choice->options, choice->position, seats, said))
        return false;
    write_token(visit, said);
    return arrive(visit, sitting, said);
}
