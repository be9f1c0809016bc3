/* picture.c - boards as pictures. */
#include "api/view/board.h"

#include "api/game/opponent.h"
#include "api/game/words.h"
#include "api/text/move_text.h"
#include "api/view/drawing.h"
#include "api/view/png.h"
#include "rules/draw/picture.h"
#include "rules/draw/textboard.h"

enum { PICTURE_USUAL = 32 << 10 }; /* bytes that most fit into; a larger one is drawn twice */

const char *view_board_picture(struct arena *arena, const struct game_view *view,
                               struct rules_look *look, const struct rules_picture_options *frame)
{
    size_t cap = PICTURE_USUAL, len;
    char *text = arena_alloc(arena, cap);

    view_say_words(arena, view, look);
    len = rules_board_picture(view->game, view->state, look, frame, text, cap);
    if (len < cap)
        return text;
    text = arena_alloc(arena, len + 1);
    rules_board_picture(view->game, view->state, look, frame, text, len + 1);
    return text;
}

const char *view_picture_pixels(struct arena *arena, const char *svg, size_t *len)
{
    struct arena scratch = {0};
    struct canvas canvas;
    const char *png;

    drawing_open(&canvas, &scratch, svg);
    png = png_write(arena, &canvas, len);
    arena_free(&scratch);
    return png;
}

static const char *player_name(struct arena *arena, const struct game_view *view, int i)
{
    const struct db_seat *seat = &view->row->seat[i];
    const char *name = seat->name, *side = view_side(arena, view, (unsigned)i + 1);

    if (name == NULL && seat->state == SEAT_ENGINE)
        name = opponent_title(arena, view->lang, seat->engine);
    return name == NULL ? side : arena_format(arena, "%s (%s)", name, side);
}

void view_name_players(struct arena *arena, const struct game_view *view,
                       struct rules_picture_options *frame)
{
    for (int i = 0; i < RULES_SEATS; i++)
        frame->name[i] = player_name(arena, view, i);
    if (view->before != NULL)
        frame->move = arena_format(
            arena, "%d. %s", view->row->ply,
            move_text_pretty(arena, view->game, view->before, view->earlier, view->last));
}

const char *view_men_picture(struct arena *arena, const struct rules_game *game,
                             const struct rules_picture_options *frame)
{
    size_t len = rules_men_picture(game, frame, NULL, 0);
    char *text = arena_alloc(arena, len + 1);

    rules_men_picture(game, frame, text, len + 1);
    return text;
}
