#include "api/view/marks.h"

#include <string.h>

#include "rules/draw/textboard.h"

/* Whatever stands between the squares of a move's text, a piece's letter or a sign, begins no name
 * of a square, so it is skipped letter by letter. */
bool view_next_square(struct rules_board board, const char **at, unsigned *square)
{
    for (; **at != '\0'; ++*at) {
        size_t len = rules_square_read(board, *at, square);

        if (len > 0) {
            *at += len;
            return true;
        }
    }
    return false;
}

void view_mark_last(struct rules_look *look, const struct game_view *view)
{
    struct rules_board board = view->game->board(view->state);
    const char *at = view->row->last_move;
    unsigned square;

    while (at != NULL && view_next_square(board, &at, &square))
        look->mark[square] |= RULES_MARK_LAST;
}

void view_mark_check(struct rules_look *look, const struct game_view *view)
{
    struct rules_refusal why;

    if (view->game->check == NULL || !view->game->check(view->state, &why))
        return;
    for (uint32_t i = 0; i < why.witnesses; i++)
        if (why.witness[i].role == RULES_ROLE_KING)
            look->mark[why.witness[i].square] |= RULES_MARK_CHECK;
}

/* Marks where legal moves end: the last square among the clicks of each, for a click may also be a
 * promotion. Only moves whose first click is `from` count (NULL: all). */
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

bool view_mark_squares(struct arena *arena, struct rules_look *look, const struct game_view *view,
                       const char *marks)
{
    char *list = arena_copy(arena, marks, strlen(marks)), *save = NULL;

    for (char *mark = strtok_r(list, ",", &save); mark != NULL; mark = strtok_r(NULL, ",", &save))
        if (strcmp(mark, "last") == 0)
            view_mark_last(look, view);
        else if (strcmp(mark, "check") == 0)
            view_mark_check(look, view);
        else if (strcmp(mark, "legal") == 0)
            mark_legal(arena, look, view, NULL);
        else if (strncmp(mark, "legal:", 6) == 0)
            mark_legal(arena, look, view, mark + 6);
        else
            return false;
    return true;
}
