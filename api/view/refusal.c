/* view_refusal.c - what a refused request is told about the game and the rule (view.h). */
#include <string.h>

#include "api/http/reply.h"
#include "api/table/tables.h"
#include "api/view/view.h"

void problem_game_open(struct request *request, struct json *json, const struct game_view *view,
                       const char *code, const char *detail)
{
    const struct db_game *row = view->row;

    problem_open(request, json, code, detail);
    json_key(json, "game");
    json_open(json, '{');
    json_member_int(json, "version", row->version);
    json_member_int(json, "ply", row->ply);
    json_member_int(json, "line", row->line);
    json_key(json, "to_move");
    view_to_move(json, row);
    json_member(json, "status", status_name(row->status));
    json_member(json, "position", row->position);
    if (row->status == STATUS_FINISHED) {
        json_key(json, "outcome");
        view_outcome(json, row);
    }
    view_you(json, view);
    json_close(json, '}');
    reply_header(request, "ETag", etag_text(&request->arena, row->version));
}

void reply_game_problem(struct request *request, const struct game_view *view, const char *code,
                        const char *detail)
{
    struct json json;

    problem_game_open(request, &json, view, code, detail);
    problem_send(request, &json, code);
}

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
                  const struct rules_refusal *why)
{
    if (why->law == NULL && why->option == NULL)
        return; /* nothing is known but the code */
    json_key(json, "rule");
    json_open(json, '{');
    if (why->law != NULL) {
        json_member(json, "id", why->law->id);
        json_member(json, "number", why->law->number);
        json_member(json, "text", why->law->text);
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
}

/* The first of the examples: a sentence does not want more. NULL: there are none. */
static const char *examples_text(struct arena *arena, const struct rules_game *game,
                                 const struct rules_state *state, const struct rules_refusal *why)
{
    enum { IN_A_SENTENCE = 3 };
    const char *text = NULL;

    for (uint32_t i = 0; i < why->examples && i < IN_A_SENTENCE; i++) {
        const char *move = move_text(arena, game, state, why->example[i]);

        text = text == NULL ? move : arena_format(arena, "%s, %s", text, move);
    }
    return why->examples > IN_A_SENTENCE ? arena_format(arena, "%s and others", text) : text;
}

/* The squares of the witnesses that play a role; of all of them where it is "squares". */
static const char *squares_text(struct arena *arena, const struct rules_game *game,
                                const struct rules_state *state, const struct rules_refusal *why,
                                const char *role, size_t len)
{
    bool all = strncmp(role, "squares", len) == 0;
    const char *text = NULL;

    for (uint32_t i = 0; i < why->witnesses; i++) {
        char square[RULES_SQUARE_TEXT];

        if (!all && strncmp(role, rules_role_text(why->witness[i].role), len) != 0)
            continue;
        rules_square_text(game->board(state), why->witness[i].square, square);
        text = text == NULL ? arena_format(arena, "%s", square)
                            : arena_format(arena, "%s, %s", text, square);
    }
    return text;
}

/* What stands for a place such as "yours" in a detail; NULL if there is nothing. */
static const char *place_text(struct arena *arena, const struct rules_game *game,
                              const struct rules_state *state, const char *move,
                              const struct rules_refusal *why, const char *place, size_t len)
{
    if (strncmp(place, "move", len) == 0)
        return move != NULL && *move == '\0' ? "An empty text" : move;
    if (strncmp(place, "option", len) == 0)
        return why->option;
    if (strncmp(place, "rule", len) == 0)
        return why->law == NULL ? NULL : why->law->text;
    if (strncmp(place, "yours", len) == 0)
        return why->yours == RULES_NOT_GIVEN ? NULL : arena_format(arena, "%d", why->yours);
    if (strncmp(place, "required", len) == 0)
        return why->required == RULES_NOT_GIVEN ? NULL : arena_format(arena, "%d", why->required);
    if (state == NULL)
        return NULL;
    if (strncmp(place, "examples", len) == 0)
        return examples_text(arena, game, state, why);
    return squares_text(arena, game, state, why, place, len);
}

const char *refusal_text(struct arena *arena, const struct rules_game *game,
                         const struct rules_state *state, const char *move,
                         const struct rules_refusal *why)
{
    const char *at = rules_code_detail(why->code);
    struct out out;
    size_t sentence = 0; /* where the sentence being written began */
    bool complete = true;

    out_init(&out, arena);
    while (*at != '\0') {
        char c[2] = {*at, '\0'};

        if (*at == '{') {
            size_t len = strcspn(at + 1, "}");
            const char *text = place_text(arena, game, state, move, why, at + 1, len);

            complete &= text != NULL;
            out_add(&out, text == NULL ? "" : text);
            at += len + 2;
        } else {
            out_add(&out, c);
            at++;
        }
        if (*at == '\0' || strncmp(at, " {rule}", 7) == 0) {
            if (!complete)
                out_cut(&out, sentence);
            sentence = out.len;
            complete = true;
        }
    }
    return out.len > 0 ? out.text : rules_code_title(why->code);
}
