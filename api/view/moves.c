/* moves.c - moves as JSON. */
#include "api/view/view.h"

#include <string.h>

#include "api/game/plans.h"
#include "api/game/words.h"
#include "api/text/move_text.h"

/* ---- moves ---- */

static const char *effect_name(enum rules_effect_type type)
{
    static const char *const names[] = {"move", "capture", "drop", "promote", "place", "stack"};

    return names[type];
}

void view_man(struct json *json, const struct rules_game *game, struct rules_man man)
{
    json_member(json, "piece", game->pieces[man.kind].letter[man.seat - 1]);
    json_member_int(json, "seat", man.seat);
}

static void view_effect(struct json *json, const struct rules_game *game,
                        const struct rules_state *state, const struct rules_effect *effect)
{
    char square[RULES_SQUARE_TEXT];

    json_open(json, '{');
    json_member(json, "type", effect_name(effect->type));
    rules_square_text(game->board(state), effect->to, square);
    if (effect->type == RULES_EFFECT_MOVE) {
        char from[RULES_SQUARE_TEXT];

        rules_square_text(game->board(state), effect->from, from);
        json_member(json, "from", from);
        json_member(json, "to", square);
    } else {
        json_member(json, "square", square);
    }
    if (effect->man.seat != 0)
        view_man(json, game, effect->man);
    if (effect->count > 1 || effect->type == RULES_EFFECT_STACK)
        json_member_int(json, "count", effect->count);
    json_close(json, '}');
}

void view_effects(struct json *json, const struct draft_move *move)
{
    struct rules_effect *effects =
        arena_alloc(json->out.arena, RULES_EFFECTS_MAX * sizeof(*effects));
    size_t n = move->game->effects(move->before, move->move, effects);

    for (size_t i = 0; i < n; i++)
        view_effect(json, move->game, move->before, &effects[i]);
}

void view_move(struct json *json, const struct draft_move *move)
{
    json_member_int(json, "ply", move->ply);
    json_member_int(json, "line", move->line);
    json_member_int(json, "seat", move->seat);
    json_member(json, "move", move_text(json->out.arena, move->game, move->before, move->move));
    json_member(
        json, "text",
        move_text_pretty(json->out.arena, move->game, move->before, move->last, move->move));
    json_key(json, "effects");
    json_open(json, '[');
    view_effects(json, move);
    json_close(json, ']');
    json_member_time(json, "at", move->at);
    if (plans_played(move->data))
        json_member(json, "source", "plan");
    if (move->data != NULL)
        clock_view_move(json, move->data, move->seat);
}

/* ---- legal moves ---- */

bool view_can_list(struct arena *arena, const struct game_view *view)
{
    return view->unplayable != NULL || !status_goes_on(view->row->status) ||
           move_text_can_list(arena, view->game, view->state);
}

static bool move_begins_with(const char *text, const char *from)
{
    return from == NULL || strncmp(text, from, strlen(from)) == 0;
}

void view_legal_moves(struct json *json, const struct game_view *view, const char *from)
{
    const char **texts;
    size_t n = 0, kept = 0;

    if (status_goes_on(view->row->status))
        n = move_text_legal(json->out.arena, view->game, view->state, &texts);
    for (size_t i = 0; i < n; i++)
        if (move_begins_with(texts[i], from))
            texts[kept++] = texts[i];
    json_member_int(json, "count", (int64_t)kept);
    json_key(json, "moves");
    json_open(json, '[');
    for (size_t i = 0; i < kept; i++)
        json_string(json, texts[i]);
    json_close(json, ']');
}

/* ---- the tree of clicks ---- */

/* A click that leads on is an object; one that completes a move is that move's text. */
static void tree_enter(void *context, const char *click)
{
    json_key(context, click);
    json_open(context, '{');
}

static void tree_leaf(void *context, const char *click, const char *move)
{
    json_member(context, click, move);
}

static void tree_leave(void *context)
{
    json_close(context, '}');
}

void view_legal_tree(struct json *json, const struct game_view *view)
{
    struct rules_tree_visitor visitor = {json, tree_enter, tree_leaf, tree_leave};
    struct arena *arena = json->out.arena;
    rules_move *moves = NULL;
    size_t n = 0;

    if (status_goes_on(view->row->status))
        n = move_text_moves(arena, view->game, view->state, &moves);
    json_member_int(json, "count", (int64_t)n);
    json_key(json, "tree");
    json_open(json, '{');
    rules_tree(view->game, view->state, moves, n, arena_alloc(arena, n * sizeof(struct rules_path)),
               &visitor);
    json_close(json, '}');
}
