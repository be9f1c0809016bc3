/* board_data.c - boards as JSON. */
#include "api/view/board.h"

#include <string.h>

#include "rules/draw/textboard.h"

static void view_men(struct json *json, const struct rules_game *game, const struct rules_man *men,
                     size_t n)
{
    json_key(json, "men");
    json_open(json, '[');
    for (size_t i = 0; i < n; i++) {
        const struct rules_piece *piece = &game->pieces[men[i].kind];
        size_t side = men[i].seat - 1U;

        json_open(json, '{');
        json_member_int(json, "seat", men[i].seat);
        json_member(json, "piece", piece->letter[side]);
        json_member(json, "name", piece->name);
        json_member(json, "symbol", piece->symbol[side]);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void view_zones(struct json *json, const struct rules_game *game,
                       const struct rules_state *state, unsigned square)
{
    bool any = false;

    for (size_t i = 0; i < game->nzones; i++) {
        if (!game->zones[i].has(state, square))
            continue;
        if (!any) {
            json_key(json, "zones");
            json_open(json, '[');
            any = true;
        }
        json_string(json, game->zones[i].name);
    }
    if (any)
        json_close(json, ']');
}

static void view_square(struct json *json, const struct rules_game *game,
                        const struct rules_state *state, unsigned square)
{
    char name[RULES_SQUARE_TEXT];
    size_t n = game->at(state, square, NULL, 0);
    struct rules_man *men = arena_alloc(json->out.arena, (n + 1) * sizeof(*men));

    game->at(state, square, men, n);
    rules_square_text(game->board(state), square, name);
    json_open(json, '{');
    json_member(json, "square", name);
    if (rules_is_missing(game, state, square)) {
        json_key(json, "missing");
        json_bool(json, true);
    }
    if (n > 0)
        view_men(json, game, men, n);
    view_zones(json, game, state, square);
    json_close(json, '}');
}

/* What a seat has in hand, in the order in which the game's boards show it. The side to move may
 * drop it: that move begins with the piece's letter and a star. */
static void view_hand(struct json *json, const struct rules_game *game,
                      const struct rules_state *state, unsigned seat)
{
    const int8_t *order = game->drawing.hand_order;

    json_open(json, '[');
    for (size_t i = 0; order != NULL ? order[i] >= 0 : i < game->npieces; i++) {
        unsigned kind = order != NULL ? (unsigned)order[i] : (unsigned)i;
        unsigned count = game->hand(state, seat, kind);

        if (count == 0)
            continue;
        json_open(json, '{');
        json_member_int(json, "seat", seat);
        json_member(json, "piece", game->pieces[kind].letter[seat - 1]);
        json_member(json, "name", game->pieces[kind].name);
        json_member(json, "symbol", game->pieces[kind].symbol[seat - 1]);
        json_member_int(json, "count", count);
        if (seat == game->to_move(state))
            json_member(json, "click",
                        arena_format(json->out.arena, "%s*", game->pieces[kind].letter[0]));
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* A square's name is the label of its file, one character, and that of its rank, whichever of them
 * is the number. */
void view_labels(struct json *json, struct rules_board board)
{
    char square[RULES_SQUARE_TEXT];

    json_key(json, "files");
    json_open(json, '[');
    for (unsigned column = 0; column < board.width; column++) {
        rules_square_text(board, column, square);
        square[1] = '\0';
        json_string(json, square);
    }
    json_close(json, ']');
    json_key(json, "ranks");
    json_open(json, '[');
    for (unsigned row = 0; row < board.height; row++) {
        rules_square_text(board, row * board.width, square);
        json_string(json, square + 1);
    }
    json_close(json, ']');
}

void view_last_squares(struct json *json, const struct game_view *view)
{
    struct rules_board board = view->game->board(view->state);
    const char *at = view->row->last_move;
    char name[RULES_SQUARE_TEXT];
    unsigned square;

    while (at != NULL && view_next_square(board, &at, &square)) {
        rules_square_text(board, square, name);
        json_string(json, name);
    }
}

static void view_marked(struct json *json, const char *key, const struct game_view *view,
                        const struct rules_look *look, enum rules_mark mark)
{
    struct rules_board board = view->game->board(view->state);
    char name[RULES_SQUARE_TEXT];

    json_key(json, key);
    json_open(json, '[');
    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        if ((look->mark[square] & mark) == 0)
            continue;
        rules_square_text(board, square, name);
        json_string(json, name);
    }
    json_close(json, ']');
}

/* The marks that texts and pictures of the board have too, where the client asks for no others. */
static void view_marks(struct json *json, const struct game_view *view)
{
    struct rules_look *look = arena_alloc(json->out.arena, sizeof(*look));

    rules_look_init(look);
    view_mark_usual(look, view);
    json_key(json, "marks");
    json_open(json, '{');
    json_key(json, "last");
    json_open(json, '[');
    view_last_squares(json, view);
    json_close(json, ']');
    view_marked(json, "check", view, look, RULES_MARK_CHECK);
    view_marked(json, "win", view, look, RULES_MARK_WIN);
    if (view->before != NULL)
        view_marked(json, "taken", view, look, RULES_MARK_TAKEN);
    json_close(json, '}');
}

static void view_rows(struct json *json, const struct rules_game *game,
                      const struct rules_state *state)
{
    struct rules_board board = game->board(state);

    json_key(json, "rows");
    json_open(json, '[');
    for (unsigned row = 0; row < board.height; row++) {
        json_open(json, '[');
        for (unsigned column = 0; column < board.width; column++)
            view_square(json, game, state, row * board.width + column);
        json_close(json, ']');
    }
    json_close(json, ']');
}

void view_board(struct json *json, const struct game_view *view)
{
    const struct rules_game *game = view->game;
    struct rules_board board = game->board(view->state);

    json_open(json, '{');
    json_member_int(json, "width", board.width);
    json_member_int(json, "height", board.height);
    view_labels(json, board);
    view_rows(json, game, view->state);
    if (game->hand != NULL) {
        json_key(json, "hands");
        json_open(json, '{');
        for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
            json_key(json, seat == 1 ? "1" : "2");
            view_hand(json, game, view->state, seat);
        }
        json_close(json, '}');
    }
    view_marks(json, view);
    json_close(json, '}');
}
