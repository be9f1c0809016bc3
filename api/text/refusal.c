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

/* What is told, and how. */
struct telling {
    struct arena *arena;
    const struct rules_game *game;
    const struct rules_state *state; /* NULL: there was none */
    const char *move;                /* what was sent, or NULL */
    const struct rules_refusal *why;
    const struct lang *lang;
    bool written; /* squares and moves as people write them */
};

static const char *example_text(const struct telling *telling, rules_move move)
{
    static const rules_move none;

    return telling->written
               ? move_text_pretty(telling->arena, telling->game, telling->state, none, move)
               : move_text(telling->arena, telling->game, telling->state, move);
}

/* The first few examples, since a sentence with all of them would be hard to read. NULL: there are
 * none. */
static const char *examples_text(const struct telling *telling)
{
    enum { IN_A_SENTENCE = 3 };
    const struct rules_refusal *why = telling->why;
    const char *text = NULL;

    for (uint32_t i = 0; i < why->examples && i < IN_A_SENTENCE; i++) {
        const char *move = example_text(telling, why->example[i]);

        text = text == NULL ? move : arena_format(telling->arena, "%s, %s", text, move);
    }
    return why->examples > IN_A_SENTENCE
               ? lang_fill(telling->arena, telling->lang, "and-others", "examples", text, NULL)
               : text;
}

static const char *square_text(const struct telling *telling, unsigned square)
{
    struct rules_board board = telling->game->board(telling->state);
    char name[RULES_SQUARE_TEXT];

    rules_square_text(board, square, name);
    return telling->written ? move_text_squares(telling->arena, telling->game, board, name)
                            : arena_format(telling->arena, "%s", name);
}

/* The squares of the witnesses that play a role, or of all witnesses if it is "squares". NULL:
 * there are none. */
static const char *squares_text(const struct telling *telling, const char *role, size_t len)
{
    const struct rules_refusal *why = telling->why;
    bool all = strncmp(role, "squares", len) == 0;
    const char *text = NULL;

    for (uint32_t i = 0; i < why->witnesses; i++) {
        const char *square;

        if (!all && strncmp(role, rules_role_text(why->witness[i].role), len) != 0)
            continue;
        square = square_text(telling, why->witness[i].square);
        text = text == NULL ? square : arena_format(telling->arena, "%s, %s", text, square);
    }
    return text;
}

static const char *sent_text(const struct telling *telling)
{
    if (telling->move != NULL && *telling->move == '\0')
        return lang_word(telling->lang, "empty-text");
    if (telling->move == NULL || !telling->written)
        return telling->move;
    return move_text_squares(telling->arena, telling->game, telling->game->board(telling->state),
                             telling->move);
}

/* The text for a place such as {yours}, given without its braces; NULL if there is none. */
static const char *delivery_text(const struct telling *telling, const char *place, size_t len)
{
    const struct rules_refusal *why = telling->why;

    if (strncmp(place, "move", len) == 0)
        return sent_text(telling);
    if (strncmp(place, "option", len) == 0)
        return why->option;
    if (strncmp(place, "rule", len) == 0)
        return why->law == NULL ? NULL : refusal_law_text(why->law, telling->lang);
    if (strncmp(place, "yours", len) == 0)
        return why->yours == RULES_NOT_GIVEN ? NULL
                                             : arena_format(telling->arena, "%d", why->yours);
    if (strncmp(place, "required", len) == 0)
        return why->required == RULES_NOT_GIVEN ? NULL
                                                : arena_format(telling->arena, "%d", why->required);
    if (telling->state == NULL)
        return NULL;
    if (strncmp(place, "examples", len) == 0)
        return examples_text(telling);
    return squares_text(telling, place, len);
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
static const char *tell_in_words(const struct telling *telling)
{
    const char *code = rules_code_text(telling->why->code);
    const char *at =
        lang_say(telling->lang, LANG_DETAIL, code, rules_code_detail(telling->why->code));
    struct out out;
    size_t sentence = 0; /* where the sentence being written began */
    bool complete = true;

    out_init(&out, telling->arena);
    while (*at != '\0') {
        if (*at == '{') {
            size_t len = strcspn(at + 1, "}");
            const char *text = delivery_text(telling, at + 1, len);

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
    add_look(&out, refusal_look_at(telling->arena, telling->game, telling->state, telling->why),
             telling->lang);
    return out.len > 0
               ? out.text
               : lang_say(telling->lang, LANG_TITLE, code, rules_code_title(telling->why->code));
}

const char *refusal_text(struct arena *arena, const struct rules_game *game,
                         const struct rules_state *state, const char *move,
                         const struct rules_refusal *why, const struct lang *lang)
{
    const struct telling telling = {arena, game, state, move, why, lang, false};

    return tell_in_words(&telling);
}

const char *refusal_written(struct arena *arena, const struct rules_game *game,
                            const struct rules_state *state, const char *move,
                            const struct rules_refusal *why, const struct lang *lang)
{
    const struct telling telling = {arena, game, state, move, why, lang, true};

    return state == NULL || !move_text_is_written(game) ? NULL : tell_in_words(&telling);
}
