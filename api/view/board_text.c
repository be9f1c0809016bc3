#include "api/view/board_text.h"

#include "api/game/words.h"
#include "api/view/marks.h"
#include "rules/draw/textboard.h"

enum { USUAL_BYTES = 16 << 10 }; /* the largest board without colours needs half of it */

const char *view_board_text(struct arena *arena, const struct game_view *view,
                            const struct rules_look *look)
{
    char usual[USUAL_BYTES], *text; /* drawing twice, to measure first, would take twice as long */
    size_t len = rules_board_text(view->game, view->state, look, usual, sizeof(usual));

    if (len < sizeof(usual))
        return arena_copy(arena, usual, len);
    text = arena_alloc(arena, len + 1);
    rules_board_text(view->game, view->state, look, text, len + 1);
    return text;
}

const char *view_ending(struct arena *arena, const struct game_view *view)
{
    const struct db_game *row = view->row;

    if (row->status == STATUS_ABORTED)
        return "aborted";
    if (row->status != STATUS_FINISHED)
        return NULL;
    if (row->winner == 0)
        return arena_format(arena, "draw (%s)", row->reason);
    return arena_format(arena, "%s wins (%s)", view->game->seat[row->winner - 1].name, row->reason);
}

const char *view_position_text(struct arena *arena, const struct game_view *view)
{
    struct rules_look *look = arena_alloc(arena, sizeof(*look));

    rules_look_init(look);
    view_mark_usual(look, view);
    look->ending = view_ending(arena, view);
    return view_board_text(arena, view, look);
}
