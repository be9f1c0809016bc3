/* marks.c - the squares that are marked on a board. */
#include "api/view/board.h"

#include <string.h>

#include "api/text/legal_moves.h"
#include "rules/draw/textboard.h"

enum { MARKS_MAX = 64 }; /* each of them looks at all legal moves */

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

static void view_mark_last(struct rules_look *look, const struct game_view *view)
{
    struct rules_board board = view->game->board(view->state);
    const char *at = view->row->last_move;
    unsigned square;

    look->npath = 0;
    while (at != NULL && view_next_square(board, &at, &square)) {
        look->mark[square] |= RULES_MARK_LAST;
        if (look->npath < RULES_PATH_MAX)
            look->path[look->npath++] = (uint16_t)square;
    }
}

static void view_mark_check(struct rules_look *look, const struct game_view *view)
{
    struct rules_refusal why;

    if (view->game->check == NULL || view->unplayable != NULL)
        return;
    view->game->check(view->state, &why);
    for (uint32_t i = 0; i < why.witnesses; i++)
        if (why.witness[i].role == RULES_ROLE_KING)
            look->mark[why.witness[i].square] |= RULES_MARK_CHECK;
}

static void view_mark_win(struct rules_look *look, const struct game_view *view)
{
    struct rules_board board = view->game->board(view->state);
    struct rules_line line[RULES_LINES_MAX];
    size_t n = rules_won_lines(view->game, view->state, line);

    for (size_t i = 0; i < n; i++) {
        int step = rules_line_step(board, line[i]);

        look->mark[line[i].to] |= RULES_MARK_WIN;
        for (int square = line[i].from; square != line[i].to; square += step)
            look->mark[square] |= RULES_MARK_WIN;
    }
}

static void view_mark_taken(struct rules_look *look, const struct game_view *view)
{
    struct rules_effect effect[RULES_EFFECTS_MAX];
    size_t n = 0;

    if (view->before != NULL && view->game->drawing.trailed)
        n = view->game->effects(view->before, view->last, effect);
    for (size_t i = 0; i < n; i++)
        if (effect[i].type == RULES_EFFECT_CAPTURE)
            look->mark[effect[i].to] |= RULES_MARK_TAKEN;
}

const char view_usual_marks[] = "last,check,win,taken";

void view_mark_usual(struct rules_look *look, const struct game_view *view)
{
    view_mark_last(look, view);
    view_mark_check(look, view);
    view_mark_win(look, view);
    view_mark_taken(look, view);
}

/* A legal move's first click, and the square that it ends on: the last one among its clicks, for a
 * click may also be a promotion. */
struct end {
    char first[RULES_SQUARE_TEXT];
    unsigned square;
};

struct ends {
    struct end *end;
    size_t n;
};

static struct end end_of(const struct game_view *view, rules_move move)
{
    struct rules_board board = view->game->board(view->state);
    char click[RULES_PATH_MAX][RULES_SQUARE_TEXT];
    size_t clicks = view->game->path(view->state, move, click);
    struct end end = {.square = RULES_SQUARES_MAX};

    memcpy(end.first, click[0], sizeof(end.first));
    while (clicks-- > 0 &&
           rules_square_read(board, click[clicks], &end.square) != strlen(click[clicks]))
        end.square = RULES_SQUARES_MAX;
    return end;
}

static struct ends find_ends(struct arena *arena, const struct game_view *view)
{
    rules_move *moves;
    struct ends ends = {NULL, 0};

    if (view->unplayable == NULL)
        ends.n = legal_moves(arena, view->game, view->state, &moves);
    ends.end = arena_alloc(arena, ends.n * sizeof(*ends.end));
    for (size_t i = 0; i < ends.n; i++)
        ends.end[i] = end_of(view, moves[i]);
    return ends;
}

/* Marks where legal moves end. Only moves whose first click is `from` count (NULL: all). */
static void mark_ends(struct rules_look *look, const struct ends *ends, const char *from)
{
    for (size_t i = 0; i < ends->n; i++)
        if (ends->end[i].square < RULES_SQUARES_MAX &&
            (from == NULL || strcmp(ends->end[i].first, from) == 0))
            look->mark[ends->end[i].square] |= RULES_MARK_LEGAL;
}

bool view_mark_squares(struct arena *arena, struct rules_look *look, const struct game_view *view,
                       const char *marks)
{
    char *list = arena_copy(arena, marks, strlen(marks)), *save = NULL;
    struct ends ends = {NULL, 0};
    size_t n = 0;

    for (char *mark = strtok_r(list, ",", &save); mark != NULL; mark = strtok_r(NULL, ",", &save)) {
        bool legal = strncmp(mark, "legal", 5) == 0 && (mark[5] == ':' || mark[5] == '\0');

        if (++n > MARKS_MAX)
            return false;
        if (legal && ends.end == NULL)
            ends = find_ends(arena, view);
        if (legal)
            mark_ends(look, &ends, mark[5] == ':' ? mark + 6 : NULL);
        else if (strcmp(mark, "last") == 0)
            view_mark_last(look, view);
        else if (strcmp(mark, "check") == 0)
            view_mark_check(look, view);
        else if (strcmp(mark, "win") == 0)
            view_mark_win(look, view);
        else if (strcmp(mark, "taken") == 0)
            view_mark_taken(look, view);
        else
            return false;
    }
    return true;
}
