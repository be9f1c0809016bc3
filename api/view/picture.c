#include "api/view/picture.h"

#include "rules/draw/picture.h"
#include "rules/draw/textboard.h"

enum { PICTURE_USUAL = 32 << 10 }; /* bytes that most fit into; a larger one is drawn twice */

const char *view_board_picture(struct arena *arena, const struct game_view *view,
                               const struct rules_look *look, const struct rules_frame *frame)
{
    size_t cap = PICTURE_USUAL, len;
    char *text = arena_alloc(arena, cap);

    len = rules_board_picture(view->game, view->state, look, frame, text, cap);
    if (len < cap)
        return text;
    text = arena_alloc(arena, len + 1);
    rules_board_picture(view->game, view->state, look, frame, text, len + 1);
    return text;
}

const char *view_men_picture(struct arena *arena, const struct rules_game *game,
                             const struct rules_frame *frame)
{
    size_t len = rules_men_picture(game, frame, NULL, 0);
    char *text = arena_alloc(arena, len + 1);

    rules_men_picture(game, frame, text, len + 1);
    return text;
}
