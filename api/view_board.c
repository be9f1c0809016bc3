/* view_board.c - games and boards as texts for people (view.h). */
#include <string.h>

#include "auth.h"
#include "rules/textboard.h"
#include "tables.h"
#include "view.h"

const char *view_board_text(struct arena *arena, const struct game_view *view,
                            const struct rules_look *look)
{
    size_t len = rules_board_text(view->game, view->state, look, NULL, 0);
    char *text = arena_alloc(arena, len + 1);

    rules_board_text(view->game, view->state, look, text, len + 1);
    return text;
}

static void mark_last(struct rules_look *look, const struct game_view *view)
{
    struct rules_board board = view->game->board(view->state);
    const char *at = view->row->last_move;

    if (at == NULL)
        return;
    while (*at != '\0') {
        unsigned square;
        size_t len = rules_square_read(board, at, &square);

        if (len > 0)
            look->mark[square] |= RULES_MARK_LAST;
        at += len > 0 ? len : 1;
    }
}

static void mark_check(struct rules_look *look, const struct game_view *view)
{
    struct rules_refusal why;

    if (view->game->check == NULL || !view->game->check(view->state, &why))
        return;
    for (uint32_t i = 0; i < why.witnesses; i++)
        if (why.witness[i].role == RULES_ROLE_KING)
            look->mark[why.witness[i].square] |= RULES_MARK_CHECK;
}

/* The last square of each legal move that begins on square `from` (NULL: on any). */
static void mark_legal(struct arena *arena, struct rules_look *look, const struct game_view *view,
                       const char *from)
{
    struct rules_board board = view->game->board(view->state);
    size_t n = view->game->count(view->state);
    rules_move *moves = arena_alloc(arena, (n + 1) * sizeof(*moves));
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];

    n = view->game->legal(view->state, moves, n);
    for (size_t i = 0; i < n; i++) {
        size_t clicks = view->game->path(view->state, moves[i], click);
        unsigned square;

        if (from != NULL && strcmp(click[0], from) != 0)
            continue;
        while (clicks-- > 0)
            if (rules_square_read(board, click[clicks], &square) == strlen(click[clicks])) {
                look->mark[square] |= RULES_MARK_LEGAL;
                break;
            }
    }
}

bool mark_squares(struct arena *arena, struct rules_look *look, const struct game_view *view,
                  const char *marks)
{
    char *list = arena_copy(arena, marks, strlen(marks)), *save = NULL;

    for (char *mark = strtok_r(list, ",", &save); mark != NULL; mark = strtok_r(NULL, ",", &save))
        if (strcmp(mark, "last") == 0)
            mark_last(look, view);
        else if (strcmp(mark, "check") == 0)
            mark_check(look, view);
        else if (strcmp(mark, "legal") == 0)
            mark_legal(arena, look, view, NULL);
        else if (strncmp(mark, "legal:", 6) == 0)
            mark_legal(arena, look, view, mark + 6);
        else
            return false;
    return true;
}

const char *view_game_text(struct arena *arena, const struct game_view *view)
{
    const struct db_game *row = view->row;
    struct rules_look *look = arena_alloc(arena, sizeof(*look));
    char id[AUTH_ID_TEXT];
    const char *ending = NULL;

    auth_id_text(row->id, id);
    rules_look_init(look);
    mark_last(look, view);
    mark_check(look, view);
    if (row->status == STATUS_FINISHED && row->winner != 0)
        ending = arena_format(arena, "%s wins (%s)", view->game->seat[row->winner - 1].name,
                              row->reason);
    else if (row->status == STATUS_FINISHED)
        ending = arena_format(arena, "draw (%s)", row->reason);
    else if (row->status == STATUS_ABORTED)
        ending = "aborted";
    look->ending = ending;
    return arena_format(arena, "%s, game %s, %s, ply %d\n\n%s", view->game->title, id,
                        status_name(row->status), row->ply, view_board_text(arena, view, look));
}

const char *view_token_text(struct arena *arena, const struct game_view *view, const char *token)
{
    char id[AUTH_ID_TEXT];

    auth_id_text(view->row->id, id);
    return arena_format(arena, "id     %s\ntoken  %s\n\n%s", id, token,
                        view_game_text(arena, view));
}
