#include "api/text/refusal.h"

#include <string.h>

#include "api/text/lang.h"
#include "api/text/move_text.h"
#include "api/text/out.h"
#include "api/text/url.h"

const char *refusal_law_text(const struct rules_law *law, const struct lang *lang)
{
    return lang_say(lang, LANG_LAW, law->id, law->text);
}

/* The first few examples, since a sentence with all of them would be hard to read. NULL: there are
 * none. */
static const char *examples_text(struct arena *arena, const struct rules_game *game,
                                 const struct rules_state *state, const struct rules_refusal *why,
                                 const struct lang *lang)
{
    enum { IN_A_SENTENCE = 3 };
    const char *text = NULL;

    for (uint32_t i = 0; i < why->examples && i < IN_A_SENTENCE; i++) {
        const char *move = move_text(arena, game, state, why->example[i]);

        text = text == NULL ? move : arena_format(arena, "%s, %s", text, move);
    }
    return why->examples > IN_A_SENTENCE
               ? lang_fill(arena, lang, "and-others", "examples", text, NULL)
               : text;
}

/* The squares of the witnesses that play a role, or of all witnesses if it is "squares". NULL:
 * there are none. */
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

/* The text for a place such as {yours}, given without its braces; NULL if there is none. */
static const char *delivery_text(struct arena *arena, const struct rules_game *game,
                                 const struct rules_state *state, const char *move,
                                 const struct rules_refusal *why, const char *place, size_t len,
                                 const struct lang *lang)
{
    if (strncmp(place, "move", len) == 0)
        return move != NULL && *move == '\0' ? lang_word(lang, "empty-text") : move;
    if (strncmp(place, "option", len) == 0)
        return why->option;
    if (strncmp(place, "rule", len) == 0)
        return why->law == NULL ? NULL : refusal_law_text(why->law, lang);
    if (strncmp(place, "yours", len) == 0)
        return why->yours == RULES_NOT_GIVEN ? NULL : arena_format(arena, "%d", why->yours);
    if (strncmp(place, "required", len) == 0)
        return why->required == RULES_NOT_GIVEN ? NULL : arena_format(arena, "%d", why->required);
    if (state == NULL)
        return NULL;
    if (strncmp(place, "examples", len) == 0)
        return examples_text(arena, game, state, why, lang);
    return squares_text(arena, game, state, why, place, len);
}

const char *refusal_look_at(struct arena *arena, const struct rules_game *game,
                            const struct rules_state *state, const struct rules_refusal *why)
{
    enum { ADDRESS_MAX = 8000 }; /* longer ones are refused */
    char position[RULES_POSITION_TEXT];
    const char *address;

    if (!why->visible || state == NULL)
        return NULL;
    game->position_text(state, position);
    address = arena_format(arena, "/v1/variants/%s/board.svg?position=%s", game->name,
                           url_encode(arena, position));
    return strlen(address) <= ADDRESS_MAX ? address : NULL;
}

/* Adds that the position may be looked at, and how. */
static void add_look(struct out *out, const char *address, const struct lang *lang)
{
    if (address == NULL)
        return;
    out_add(out, " ");
    out_add(out, lang_fill(out->arena, lang, "look-at", "address", address, NULL));
}

/* A detail is a sentence about the move and, behind it, the rule's own: "... . {rule}". Either is
 * cut away where one of its places stays empty, so that no half sentence goes out. */
const char *refusal_text(struct arena *arena, const struct rules_game *game,
                         const struct rules_state *state, const char *move,
                         const struct rules_refusal *why, const struct lang *lang)
{
    const char *code = rules_code_text(why->code);
    const char *at = lang_say(lang, LANG_DETAIL, code, rules_code_detail(why->code));
    struct out out;
    size_t sentence = 0; /* where the sentence being written began */
    bool complete = true;

    out_init(&out, arena);
    while (*at != '\0') {
        if (*at == '{') {
            size_t len = strcspn(at + 1, "}");
            const char *text = delivery_text(arena, game, state, move, why, at + 1, len, lang);

            complete &= text != NULL;
            out_add(&out, text == NULL ? "" : text);
            at += len + 2;
        } else {
            out_bytes(&out, at, out.len > 0 || *at != ' '); /* a detail begins with a word */
            at++;
        }
        if (*at == '\0' || strncmp(at, " {rule}", 7) == 0) {
            if (!complete)
                out_cut(&out, sentence);
            sentence = out.len;
            complete = true;
        }
    }
    add_look(&out, refusal_look_at(arena, game, state, why), lang);
    return out.len > 0 ? out.text : lang_say(lang, LANG_TITLE, code, rules_code_title(why->code));
}
