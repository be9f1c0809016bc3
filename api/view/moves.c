/* moves.c - moves and refusals as JSON; plans, as JSON and as a text. */
#include "api/view/view.h"

#include <string.h>

#include "api/game/plans.h"
#include "api/game/words.h"
#include "api/text/legal_moves.h"
#include "api/text/move_text.h"
#include "api/text/out.h"
#include "api/text/refusal.h"

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

void view_played_move(struct json *json, const struct draft_move *move)
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
           legal_moves_can_list(arena, view->game, view->state);
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
        n = legal_moves_texts(json->out.arena, view->game, view->state, &texts);
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
        n = legal_moves(arena, view->game, view->state, &moves);
    json_member_int(json, "count", (int64_t)n);
    json_key(json, "tree");
    json_open(json, '{');
    rules_tree(view->game, view->state, moves, n, arena_alloc(arena, n * sizeof(struct rules_path)),
               &visitor);
    json_close(json, '}');
}

/* ---- plans (game/plans.h), as their owner sees them ---- */

void view_plan(struct json *json, const struct db_plan *stored, const struct plan *plan, size_t at)
{
    struct arena *arena = json->out.arena;

    json_member_int(json, "seat", stored->seat);
    json_member_int(json, "after_ply", stored->ply);
    json_member_int(json, "line", stored->line);
    json_key(json, "tree");
    json_raw(json, stored->tree);
    json_member(json, "ahead",
                at == 0 ? "/tree" : arena_format(arena, "%s/next", plans_pointer(arena, plan, at)));
}

/* Writes the branches of a list and those behind them. `ahead` is the first of those that are. */
static void write_list(struct out *out, const struct plan *plan, size_t first, int depth,
                       size_t ahead)
{
    for (size_t i = first; i != 0; i = plan->branch[i].sibling) {
        const struct plan_branch *branch = &plan->branch[i];

        out_format(out, "%s %*s%s: %s%s\n", first == ahead ? ">" : " ", 2 * depth, "", branch->when,
                   branch->then, branch->offers_draw ? " and offer a draw" : "");
        write_list(out, plan, branch->next, depth + 1, ahead);
    }
}

const char *view_plan_text(struct arena *arena, const struct db_plan *stored,
                           const struct plan *plan, size_t at)
{
    struct out out;

    out_init(&out, arena);
    out_format(&out, "seat %d, after ply %d of line %d\n", stored->seat, stored->ply, stored->line);
    write_list(&out, plan, 1, 0, at == 0 ? 1 : plan->branch[at].next);
    return out.text;
}

/* ---- what the rules refuse ---- */

/* The squares that prove the refusal, each with the part that it plays ("king", "checker"). */
static void view_witnesses(struct json *json, const struct rules_game *game,
                           const struct rules_state *state, const struct rules_refusal *why)
{
    json_key(json, "squares");
    json_open(json, '[');
    for (uint32_t i = 0; i < why->witnesses; i++) {
        char square[RULES_SQUARE_TEXT];

        rules_square_text(game->board(state), why->witness[i].square, square);
        json_open(json, '{');
        json_member(json, "role", rules_role_text(why->witness[i].role));
        json_member(json, "square", square);
        if (why->witness[i].man.seat != 0)
            view_man(json, game, why->witness[i].man);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void view_refusal(struct json *json, const struct rules_game *game, const struct rules_state *state,
                  const struct rules_refusal *why, const struct lang *lang)
{
    const char *look_at = refusal_look_at(json->out.arena, game, state, why);

    if (why->law == NULL && why->option == NULL)
        return; /* nothing is known but the code */
    json_key(json, "rule");
    json_open(json, '{');
    if (why->law != NULL) {
        json_member(json, "id", why->law->id);
        json_member(json, "number", why->law->number);
        json_member(json, "text", refusal_law_text(why->law, lang));
    }
    if (why->yours != RULES_NOT_GIVEN)
        json_member_int(json, "yours", why->yours);
    if (why->required != RULES_NOT_GIVEN)
        json_member_int(json, "required", why->required);
    if (why->at != RULES_NOT_GIVEN)
        json_member_int(json, "at_byte", why->at);
    if (why->option != NULL)
        json_member(json, "option", why->option);
    if (why->witnesses > 0 && state != NULL)
        view_witnesses(json, game, state, why);
    if (why->examples > 0 && state != NULL) {
        json_key(json, "examples");
        json_open(json, '[');
        for (uint32_t i = 0; i < why->examples; i++)
            json_string(json, move_text(json->out.arena, game, state, why->example[i]));
        json_close(json, ']');
    }
    json_close(json, '}');
    if (look_at != NULL)
        json_member(json, "look_at", look_at);
}
