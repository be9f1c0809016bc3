/* view.c - moves: those that were played, and those that may be. */
#include "api/view/view.h"

#include <stdlib.h>
#include <string.h>

#include "api/table/tables.h"

const char *etag_text(struct arena *arena, int32_t version)
{
    return arena_format(arena, "\"%d\"", version);
}

/* ---- moves ---- */

const char *move_text(struct arena *arena, const struct rules_game *game,
                      const struct rules_state *state, rules_move move)
{
    char *text = arena_alloc(arena, RULES_MOVE_TEXT);

    game->move_text(state, move, text);
    return text;
}

const char *pretty_text(struct arena *arena, const struct rules_game *game,
                        const struct rules_state *state, rules_move last, rules_move move)
{
    char *text;

    if (game->pretty == NULL)
        return move_text(arena, game, state, move);
    text = arena_alloc(arena, RULES_PRETTY_TEXT);
    game->pretty(state, last, move, text);
    return text;
}

static int compare_texts(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;

    return strcmp(*left, *right);
}

/* All legal moves; a game that is over has none, though pieces might still move. */
static size_t legal_moves(struct arena *arena, const struct rules_game *game,
                          const struct rules_state *state, rules_move **moves)
{
    size_t n = game->count(state);

    *moves = arena_alloc(arena, (n + 1) * sizeof(**moves));
    return game->legal(state, *moves, n);
}

size_t legal_texts(struct arena *arena, const struct rules_game *game,
                   const struct rules_state *state, const char ***texts)
{
    rules_move *moves;
    size_t n = legal_moves(arena, game, state, &moves);

    *texts = arena_alloc(arena, (n + 1) * sizeof(**texts));
    for (size_t i = 0; i < n; i++)
        (*texts)[i] = move_text(arena, game, state, moves[i]);
    qsort(*texts, n, sizeof(**texts), compare_texts);
    return n;
}

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

void view_effects(struct json *json, const struct move_view *view)
{
    struct rules_effect *effects =
        arena_alloc(json->out.arena, RULES_EFFECTS_MAX * sizeof(*effects));
    size_t n = view->game->effects(view->before, view->move, effects);

    for (size_t i = 0; i < n; i++)
        view_effect(json, view->game, view->before, &effects[i]);
}

void view_move(struct json *json, const struct move_view *view)
{
    json_member_int(json, "ply", view->ply);
    json_member_int(json, "line", view->line);
    json_member_int(json, "seat", view->seat);
    json_member(json, "move", move_text(json->out.arena, view->game, view->before, view->move));
    json_member(json, "text",
                pretty_text(json->out.arena, view->game, view->before, view->last, view->move));
    json_key(json, "effects");
    json_open(json, '[');
    view_effects(json, view);
    json_close(json, ']');
    json_member_time(json, "at", view->at);
}

/* ---- legal moves ---- */

static bool begins_with(const char *text, const char *from)
{
    return from == NULL || strncmp(text, from, strlen(from)) == 0;
}

void view_legal_moves(struct json *json, const struct game_view *view, const char *from)
{
    const char **texts;
    size_t n = 0, kept = 0;

    if (view->row->status == STATUS_OPEN || view->row->status == STATUS_ACTIVE)
        n = legal_texts(json->out.arena, view->game, view->state, &texts);
    for (size_t i = 0; i < n; i++)
        if (begins_with(texts[i], from))
            texts[kept++] = texts[i];
    json_member_int(json, "count", (int64_t)kept);
    json_key(json, "moves");
    json_open(json, '[');
    for (size_t i = 0; i < kept; i++)
        json_string(json, texts[i]);
    json_close(json, ']');
}

/* ---- the tree of clicks ---- */

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
    size_t n = 0;
    rules_move *scratch;

    if (view->row->status == STATUS_OPEN || view->row->status == STATUS_ACTIVE)
        n = view->game->count(view->state);
    json_member_int(json, "count", (int64_t)n);
    json_key(json, "tree");
    json_open(json, '{');
    scratch = arena_alloc(json->out.arena, (n + 1) * sizeof(*scratch));
    if (n > 0)
        rules_tree(view->game, view->state, scratch, n, &visitor);
    json_close(json, '}');
}
