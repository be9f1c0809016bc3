/* board_text.c - boards as texts for a terminal. */
#include "api/view/board.h"

#include "api/game/words.h"
#include "api/text/lang.h"
#include "rules/draw/textboard.h"

enum { USUAL_BYTES = 16 << 10 }; /* the largest board without colours needs half of it */

const char *view_side(struct arena *arena, const struct game_view *view, unsigned seat)
{
    const char *name = view->game->seat[seat - 1].name, *key = name;

    if (view->lang == NULL)
        return name;
    if (view->game->at_odds != NULL && view->game->at_odds(view->state))
        key = arena_format(arena, "%s-odds", name);
    return lang_say(view->lang, LANG_SIDE, key, name);
}

static const char *reason_text(const struct game_view *view, const char *reason)
{
    return lang_say(view->lang, LANG_REASON, reason, reason);
}

static const char *title_of_board(const struct game_view *view)
{
    return lang_say(view->lang, LANG_GAME, view->game->name, view->game->title);
}

static const char *piece_name(struct arena *arena, const struct game_view *view, size_t kind)
{
    const char *name = view->game->pieces[kind].name;

    return lang_say(view->lang, LANG_PIECE, arena_format(arena, "%s.%s", view->game->name, name),
                    name);
}

/* The words of a board. A language that writes a hand as the game itself does has no "in-hand". */
static const struct rules_words *words_of(struct arena *arena, const struct game_view *view)
{
    struct rules_words *words = arena_alloc(arena, sizeof(*words));
    bool own = *lang_word(view->lang, "in-hand") == '\0';

    *words = (struct rules_words){.empty = lang_word(view->lang, "empty"),
                                  .to_move = lang_word(view->lang, "to-move"),
                                  .in_check = lang_word(view->lang, "to-move-in-check"),
                                  .won = lang_word(view->lang, "wins"),
                                  .drawn = lang_word(view->lang, "draw"),
                                  .title = title_of_board(view),
                                  .nothing = lang_word(view->lang, "nothing-on-board"),
                                  .in_hand = lang_word(view->lang, "held"),
                                  .stack = lang_word(view->lang, "stack"),
                                  .from_below = lang_word(view->lang, "from-below")};
    for (size_t i = 0; i < view->game->npieces; i++)
        words->piece[i] = piece_name(arena, view, i);
    for (unsigned seat = 1; seat <= RULES_SEATS; seat++) {
        const char *side = view_side(arena, view, seat);

        words->side[seat - 1] = side;
        words->hand[seat - 1] =
            own ? NULL : lang_fill(arena, view->lang, "in-hand", "side", side, NULL);
    }
    for (size_t i = 0; i < view->game->nreasons; i++)
        words->reason[i] = reason_text(view, rules_reason_text(view->game->reasons[i]));
    return words;
}

void view_say_words(struct arena *arena, const struct game_view *view, struct rules_look *look)
{
    if (view->lang != NULL)
        look->words = words_of(arena, view);
}

const char *view_board_text(struct arena *arena, const struct game_view *view,
                            struct rules_look *look)
{
    char usual[USUAL_BYTES], *text; /* drawing twice, to measure first, would take twice as long */
    size_t len;

    view_say_words(arena, view, look);
    len = rules_board_text(view->game, view->state, look, usual, sizeof(usual));
    if (len < sizeof(usual))
        return arena_copy(arena, usual, len);
    text = arena_alloc(arena, len + 1);
    rules_board_text(view->game, view->state, look, text, len + 1);
    return text;
}

const char *view_ending(struct arena *arena, const struct game_view *view)
{
    const struct db_game *row = view->row;
    const char *reason;

    if (view->unplayable != NULL)
        return lang_fill(arena, view->lang, "not-playable", "number", view->unplayable->law->number,
                         NULL);
    if (row->status == STATUS_ABORTED)
        return lang_word(view->lang, "aborted");
    if (row->status != STATUS_FINISHED)
        return NULL;
    reason = reason_text(view, row->reason);
    if (row->winner == 0)
        return lang_fill(arena, view->lang, "draw", "reason", reason, NULL);
    return lang_fill(arena, view->lang, "wins", "side",
                     view_side(arena, view, (unsigned)row->winner), "reason", reason, NULL);
}

const char *view_position_text(struct arena *arena, const struct game_view *view)
{
    struct rules_look *look = arena_alloc(arena, sizeof(*look));

    rules_look_init(look);
    view_mark_usual(look, view);
    look->ending = view_ending(arena, view);
    return view_board_text(arena, view, look);
}
