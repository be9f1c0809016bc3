/* rulebooks.c - the rules of the games as documents, which come with each game. */
#include "api/view/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "api/text/lang.h"
#include "api/text/out.h"
#include "api/text/refusal.h"
#include "api/view/board.h"
#include "rules/draw/textboard.h"
#include "rules/module.h"

/* ---- in other languages ---- */

static void write_rulebook_start(struct out *out, const struct lang *lang,
                                 const struct rules_game *game)
{
    struct arena *arena = out->arena;
    struct rules_state *state = arena_alloc(arena, sizeof(*state));
    struct rules_look *look = arena_alloc(arena, sizeof(*look));
    struct game_view view = {.game = game, .state = state, .lang = lang};
    struct rules_options options;
    struct rules_refusal why;

    rules_options_init(&options);
    if (!rules_start(game, &options, NULL, state, &why))
        return;
    rules_look_init(look);
    out_format(out, "```\n%s```\n\n", view_board_text(arena, &view, look));
}

/* "T9" is before "T10". Rules of one number keep their order. */
static int by_number(const void *a, const void *b)
{
    const struct rules_law *const *x = a, *const *y = b;
    int order = strverscmp((*x)->number, (*y)->number);

    return order != 0 ? order : (*x > *y) - (*x < *y);
}

static void write_laws(struct out *out, const struct lang *lang, const struct rules_game *game)
{
    const struct rules_law **laws = arena_alloc(out->arena, game->nlaws * sizeof(const void *));

    for (size_t i = 0; i < game->nlaws; i++)
        laws[i] = &game->laws[i];
    qsort(laws, game->nlaws, sizeof(const void *), by_number);
    for (size_t i = 0; i < game->nlaws; i++)
        out_format(out, "**%s** %s\n\n", laws[i]->number, refusal_law_text(laws[i], lang));
}

static void write_rulebook_end(struct out *out, const struct lang *lang, const char *reason)
{
    out_format(out, "| `%s` | %s |\n", reason, lang_say(lang, LANG_REASON, reason, reason));
}

static void write_rulebook_ends(struct out *out, const struct lang *lang,
                                const struct rules_game *game)
{
    out_format(out, "| | %s |\n|---|---|\n", lang_word(lang, "rules-ends"));
    for (size_t i = 0; i < game->nreasons; i++)
        write_rulebook_end(out, lang, rules_reason_text(game->reasons[i]));
    for (size_t i = 0; i < VIEW_PLAYERS_ENDS; i++)
        write_rulebook_end(out, lang, view_players_ends[i].reason);
}

const char *view_rules(struct arena *arena, const struct lang *lang, const struct rules_game *game)
{
    struct out out;

    if (lang == NULL || lang == lang_find("en"))
        return rules_module_of(game)->rulebook;
    out_init(&out, arena);
    out_format(&out, "# %s\n\n", lang_say(lang, LANG_GAME, game->name, game->title));
    out_format(&out, "%s\n\n",
               lang_fill(arena, lang, "rules-short", "address",
                         arena_format(arena, "/v1/variants/%s/rules", game->name), NULL));
    write_rulebook_start(&out, lang, game);
    write_laws(&out, lang, game);
    write_rulebook_ends(&out, lang, game);
    return out.text;
}
