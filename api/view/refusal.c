/* refusal.c - what the rules refuse, as JSON. */
#include "api/view/view.h"

#include "api/text/move_text.h"
#include "api/text/refusal.h"

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
