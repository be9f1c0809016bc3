/* sound.c - whether a module is one (sound.h). */
#include "rules/sound.h"

#include <string.h>

#include "rules/draw/art.h"

/* Says what is wrong with `which` of the module's tables, or with all of it. */
static bool wrong(struct text *fault, const char *which, const char *what)
{
    if (which != NULL) {
        text_string(fault, "has a fault in ");
        text_string(fault, which);
        text_string(fault, ": ");
    }
    text_string(fault, what);
    return false;
}

/* Names a rule that one of the tables breaks. */
static bool breaks(struct text *fault, const char *which, const char *rule)
{
    text_string(fault, "breaks what must be so of ");
    text_string(fault, which);
    text_string(fault, ": ");
    text_string(fault, rule);
    return false;
}

/* ---- texts ---- */

static bool is_filled(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* Whether a text is a name for URLs and options: small letters, digits and single signs between
 * them. */
static bool is_name(const char *text)
{
    return is_filled(text) &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_") == strlen(text);
}

static bool is_sentence(const char *text)
{
    return is_filled(text) && strlen(text) > 3 && text[strlen(text) - 1] == '.';
}

static bool is_ascii(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

static bool are_names(const char *const *list)
{
    for (; list != NULL && *list != NULL; list++)
        if (!is_name(*list))
            return false;
    return list != NULL;
}

/* ---- the game's own ---- */

static bool has_names(const struct rules_game *game, struct text *fault)
{
    if (!is_name(game->name) || strlen(game->name) >= RULES_NAME)
        return breaks(fault, "its name",
                      "that is up to 31 small letters, digits and signs - or _ between them");
    if (!is_filled(game->title) || !is_sentence(game->doc))
        return breaks(fault, game->name,
                      "it has a title, and a sentence that ends with a full stop");
    if (game->version < 1)
        return breaks(fault, game->name, "its version is 1 or more");
    for (size_t i = 0; i < RULES_SEATS; i++)
        if (!is_name(game->seat[i].name) || !is_filled(game->seat[i].mark))
            return breaks(fault, "seat", "each seat has a name and a mark");
    if (strcmp(game->seat[0].name, game->seat[1].name) == 0 ||
        strcmp(game->seat[0].mark, game->seat[1].mark) == 0)
        return breaks(fault, "seat", "the seats have different names and marks");
    return true;
}

static bool has_functions(const struct rules_game *game, struct text *fault)
{
    const struct {
        const char *name;
        bool there;
    } functions[] = {
        {"start", game->start != NULL},
        {"position_text", game->position_text != NULL},
        {"to_move", game->to_move != NULL},
        {"legal", game->legal != NULL},
        {"count", game->count != NULL},
        {"play", game->play != NULL},
        {"outcome", game->outcome != NULL},
        {"key", game->key != NULL},
        {"span", game->span != NULL},
        {"move_text", game->move_text != NULL},
        {"read_move", game->read_move != NULL},
        {"path", game->path != NULL},
        {"effects", game->effects != NULL},
        {"board", game->board != NULL},
        {"at", game->at != NULL},
        {"turn", game->symmetries == NULL || game->turn != NULL},
    };

    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        if (!functions[i].there)
            return wrong(fault, functions[i].name, "the function is not there");
    return true;
}

/* ---- pieces, zones, pictures ---- */

static bool is_sound_piece(const struct rules_game *game, size_t i, struct text *fault)
{
    const struct rules_piece *piece = &game->pieces[i];

    if (!is_name(piece->name))
        return breaks(fault, "pieces", "each has a name");
    if (!is_sentence(piece->doc))
        return breaks(fault, piece->name,
                      "a sentence says how it moves, and ends with a full stop");
    for (size_t seat = 0; seat < RULES_SEATS; seat++) {
        if (!is_filled(piece->letter[seat]) || !is_filled(piece->symbol[seat]))
            return breaks(fault, piece->name, "it has a letter and a symbol for each seat");
        if (!is_filled(piece->ascii[seat]) || !is_ascii(piece->ascii[seat]) ||
            strlen(piece->ascii[seat]) > 2)
            return breaks(fault, piece->name, "it has one or two ASCII characters for each seat");
    }
    if (piece->promotes_to < -1 || piece->promotes_to >= (int)game->npieces ||
        piece->promotes_to == (int)i)
        return breaks(fault, piece->name,
                      "it promotes to another piece of the game, or not at all");
    if (piece->demotes_to < -1 || piece->demotes_to >= (int)game->npieces ||
        (game->hand == NULL && piece->demotes_to != -1))
        return breaks(fault, piece->name, "what it becomes in a hand is a piece of the game");
    return true;
}

/* No two men of a side look the same, and on an ASCII board no two men at all. */
static bool are_distinct(const struct rules_game *game, size_t a, size_t b)
{
    const struct rules_piece *one = &game->pieces[a / 2], *other = &game->pieces[b / 2];

    if (strcmp(one->ascii[a % 2], other->ascii[b % 2]) == 0)
        return false;
    if (a % 2 == b % 2)
        return strcmp(one->letter[a % 2], other->letter[b % 2]) != 0 &&
               strcmp(one->symbol[a % 2], other->symbol[b % 2]) != 0;
    return one != other || game->drawing.facing != NULL ||
           strcmp(one->symbol[a % 2], other->symbol[b % 2]) != 0;
}

static bool has_pieces(const struct rules_game *game, struct text *fault)
{
    if (game->pieces == NULL || game->npieces == 0 || game->npieces > RULES_PIECES_MAX)
        return breaks(fault, "pieces", "there are 1 to 16 kinds of men");
    for (size_t i = 0; i < game->npieces; i++)
        if (!is_sound_piece(game, i, fault))
            return false;
    for (size_t a = 0; a < game->npieces * RULES_SEATS; a++)
        for (size_t b = 0; b < a; b++)
            if (!are_distinct(game, a, b))
                return breaks(fault, game->pieces[a / 2].name,
                              "no other man has its letter, symbol or ASCII sign");
    return true;
}

static bool has_zones(const struct rules_game *game, struct text *fault)
{
    for (size_t i = 0; i < game->nzones; i++) {
        const struct rules_zone *zone = &game->zones[i];

        if (!is_name(zone->name) || zone->seat > RULES_SEATS || zone->has == NULL)
            return breaks(fault, "zones", "each has a name, a seat or none, and its function");
        if (zone->mark != NULL && (strlen(zone->mark) != 1 || !is_ascii(zone->mark)))
            return breaks(fault, zone->name, "its mark is one ASCII character");
    }
    return true;
}

static bool has_drawing(const struct rules_game *game, struct text *fault)
{
    const struct rules_drawing *drawing = &game->drawing;

    if ((unsigned)game->tiling > RULES_HEXAGONS)
        return wrong(fault, "tiling", "there is no such tiling");
    if ((unsigned)drawing->grid > RULES_GRID_FRAME)
        return wrong(fault, "drawing.grid", "there is no such grid");
    if (drawing->empty_ascii != NULL && !is_ascii(drawing->empty_ascii))
        return breaks(fault, "drawing.empty_ascii", "it is ASCII");
    for (size_t seat = 0; seat < RULES_SEATS; seat++)
        if (drawing->ink[seat] != 0 && (drawing->ink[seat] < 30 || drawing->ink[seat] > 37))
            return breaks(fault, "drawing.ink", "the colours are 30 to 37");
    for (const int8_t *kind = drawing->hand_order; kind != NULL && *kind >= 0; kind++)
        if ((size_t)*kind >= game->npieces)
            return breaks(fault, "drawing.hand_order", "each is a piece of the game");
    return true;
}

/* Whether a text may stand in an attribute of a picture as it is. */
static bool is_attribute(const char *text)
{
    return text == NULL || (is_ascii(text) && strcspn(text, "\"'<>&") == strlen(text));
}

/* Whether a paint is one when a seat draws with it: seat 2 takes the next one of a pair. */
static bool is_paint(unsigned paint, unsigned seat)
{
    return paint + (seat == 2 && paint >= RULES_PAINT_SHADE ? 1U : 0U) < RULES_PAINTS;
}

static bool are_shapes(const struct rules_shape *shape, unsigned seat)
{
    for (; shape != NULL && shape->path != NULL; shape++)
        if (!is_attribute(shape->path) || !is_paint(shape->fill, seat) ||
            !is_paint(shape->stroke, seat))
            return false;
    return true;
}

/* Whether each kind of man has a figure of its own, or a body at least. */
static bool has_figures(const struct rules_game *game, size_t seat,
                        const struct rules_shape *const *figure, struct text *fault)
{
    const struct rules_shape *body = game->art->body[seat];

    for (size_t kind = 0; kind < game->npieces; kind++) {
        if (figure[kind] == NULL && body == NULL)
            return breaks(fault, game->pieces[kind].name, "it has a figure");
        if (!are_shapes(figure[kind], (unsigned)seat + 1) || !are_shapes(body, (unsigned)seat + 1))
            return wrong(fault, game->pieces[kind].name, "its figure is no path of these colours");
    }
    return true;
}

static bool has_sets(const struct rules_game *game, struct text *fault)
{
    for (const struct rules_set *set = game->art->sets; set != NULL && set->name != NULL; set++) {
        if (!is_name(set->name))
            return breaks(fault, "art.sets", "each has a name");
        for (size_t seat = 0; seat < RULES_SEATS; seat++) {
            if (set->figure[seat] == NULL)
                return breaks(fault, set->name, "each seat has its figures");
            if (!has_figures(game, seat, set->figure[seat], fault))
                return false;
        }
    }
    return true;
}

static bool has_grounds(const struct rules_game *game, struct text *fault)
{
    const struct rules_art *art = game->art;

    for (size_t i = 0; art->ground != NULL && i < game->nzones; i++)
        if ((unsigned)art->ground[i].paint >= RULES_PAINTS ||
            !are_shapes(art->ground[i].shapes, game->zones[i].seat))
            return wrong(fault, game->zones[i].name, "its ground is no path of these colours");
    if (!are_shapes(art->upon, 0) || !are_shapes(art->layer, 1) || !are_shapes(art->layer, 2))
        return wrong(fault, "art", "what lies upon or below is no path of these colours");
    for (size_t theme = 0; theme < RULES_THEMES; theme++)
        for (size_t paint = 0; paint < RULES_PAINTS; paint++)
            if (!is_attribute(art->paint[theme][paint]))
                return breaks(fault, "art.paint", "each is a colour of a picture, or none");
    return true;
}

static bool has_art(const struct rules_game *game, struct text *fault)
{
    if (game->art == NULL)
        return breaks(fault, "art", "each seat has its figures");
    if (!is_attribute(game->art->frame))
        return breaks(fault, "art.frame", "it is a transform, or none");
    for (size_t seat = 0; seat < RULES_SEATS; seat++) {
        if (game->art->figure[seat] == NULL)
            return breaks(fault, "art", "each seat has its figures");
        if (!has_figures(game, seat, game->art->figure[seat], fault))
            return false;
    }
    return has_sets(game, fault) && has_grounds(game, fault);
}

/* ---- laws, ends, lists ---- */

static bool has_laws(const struct rules_game *game, struct text *fault)
{
    size_t len = strlen(game->name);

    if (game->laws == NULL || game->nlaws == 0)
        return breaks(fault, "laws", "there is one at least");
    for (size_t i = 0; i < game->nlaws; i++) {
        const struct rules_law *law = &game->laws[i];

        if (!is_filled(law->number) || !is_filled(law->id))
            return breaks(fault, "laws", "each has a number and an id");
        if (strncmp(law->id, game->name, len) != 0 || law->id[len] != '.' ||
            !is_name(law->id + len + 1))
            return breaks(fault, law->id, "the id of a law is the game's name, a dot, and a name");
        if (!is_sentence(law->text))
            return breaks(fault, law->id, "its text is a sentence that ends with a full stop");
        for (size_t other = 0; other < i; other++)
            if (strcmp(law->id, game->laws[other].id) == 0)
                return breaks(fault, law->id, "no two laws have the same id");
    }
    return true;
}

/* A list of what the game brings along. */
static bool are_own(const struct rules_own *list)
{
    for (; list != NULL && list->text != NULL; list++)
        if (list->number < RULES_OWN || !is_name(list->text))
            return false;
    return true;
}

static bool is_end(const struct rules_game *game, enum rules_reason reason)
{
    for (const struct rules_own *end = game->ends; end != NULL && end->text != NULL; end++)
        if (end->number == reason)
            return is_sentence(end->meaning);
    return reason > RULES_REASON_NONE && reason < RULES_REASONS;
}

static bool has_ends(const struct rules_game *game, struct text *fault)
{
    if (game->reasons == NULL || game->nreasons == 0 || game->nreasons > RULES_ENDS_MAX)
        return breaks(fault, "reasons", "a game ends in 1 to 16 ways");
    if (!are_own(game->ends) || !are_own(game->roles))
        return breaks(fault, "ends and roles",
                      "each of the game's own has a number from 256 on, and a name");
    for (size_t i = 0; i < game->nreasons; i++) {
        if (!is_end(game, game->reasons[i]))
            return wrong(fault, "reasons", "there is no such end");
        for (size_t other = 0; other < i; other++)
            if (game->reasons[i] == game->reasons[other])
                return breaks(fault, "reasons", "no end is listed twice");
    }
    return true;
}

static bool has_lists(const struct rules_game *game, struct text *fault)
{
    const struct rules_grammar *grammars[] = {&game->move, &game->position};

    if (!are_names(game->exports))
        return breaks(fault, "exports", "it is a list of names that ends with NULL");
    if (!are_names(game->features))
        return breaks(fault, "features", "it is a list of names that ends with NULL");
    for (size_t i = 0; i < 2; i++)
        if (!is_filled(grammars[i]->pattern) || !is_sentence(grammars[i]->doc) ||
            grammars[i]->examples == NULL || grammars[i]->examples[0] == NULL)
            return breaks(fault, i == 0 ? "move" : "position",
                          "a grammar has a pattern, a sentence and an example");
    return true;
}

/* ---- options ---- */

static bool is_sound_choice(const struct rules_option *option, struct text *fault)
{
    int32_t n = 0;

    if (!are_names(option->choices))
        return breaks(fault, option->name, "its choices are names, and end with NULL");
    while (option->choices[n] != NULL)
        n++;
    if (option->fallback < 0 || option->fallback >= n)
        return breaks(fault, option->name, "its default is one of the choices");
    return true;
}

static bool is_sound_option(const struct rules_option *option, struct text *fault)
{
    if (!is_name(option->name))
        return breaks(fault, "options", "each has a name");
    if (!is_sentence(option->doc))
        return breaks(fault, option->name, "a sentence says what it decides");
    switch (option->kind) {
    case RULES_OPTION_INT:
        if (option->min >= option->max ||
            ((option->fallback < option->min || option->fallback > option->max) &&
             !(option->zero_is_off && option->fallback == 0)))
            return breaks(fault, option->name, "its default is in its range");
        return true;
    case RULES_OPTION_BOOL:
        if (option->fallback != 0 && option->fallback != 1)
            return breaks(fault, option->name, "its default is 0 or 1");
        return true;
    case RULES_OPTION_CHOICE:
    case RULES_OPTION_START:
        return is_sound_choice(option, fault);
    }
    return wrong(fault, option->name, "there is no such kind of option");
}

static bool has_options(const struct rules_game *game, struct text *fault)
{
    if (game->noptions > RULES_OPTIONS_MAX)
        return breaks(fault, "options", "there are 8 at most");
    for (size_t i = 0; i < game->noptions; i++) {
        if (!is_sound_option(&game->options[i], fault))
            return false;
        for (size_t other = 0; other < i; other++)
            if (strcmp(game->options[i].name, game->options[other].name) == 0)
                return breaks(fault, game->options[i].name, "no two options have the same name");
    }
    return true;
}

/* ---- all ---- */

static bool has_own_interface(const struct rules_module *module, struct text *fault)
{
    if (module->interface == RULES_INTERFACE)
        return true;
    text_string(fault, "was built for interface ");
    text_number(fault, module->interface);
    text_string(fault, " of games, and this plyd has ");
    text_number(fault, RULES_INTERFACE);
    return false;
}

bool rules_is_sound(const struct rules_module *module, struct text *fault)
{
    const struct rules_game *game = module->game;

    if (!has_own_interface(module, fault))
        return false;
    if (game == NULL || module->rulebook == NULL)
        return wrong(fault, NULL, "has no game in it, or no rulebook");
    return has_names(game, fault) && has_functions(game, fault) && has_pieces(game, fault) &&
           has_zones(game, fault) && has_drawing(game, fault) && has_art(game, fault) &&
           has_laws(game, fault) && has_ends(game, fault) && has_lists(game, fault) &&
           has_options(game, fault) && rules_has_sound_words(module, fault);
}
