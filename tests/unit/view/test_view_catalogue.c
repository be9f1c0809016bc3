/* test_view_catalogue.c - what clients are told of a variant is what stands in its game's table. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "api/text/json.h"
#include "api/text/lang.h"
#include "api/view/catalogue.h"
#include "rules/draw/art.h"
#include "rules/draw/textboard.h"
#include "tests/unit/played.h"
#include "tests/unit/seen.h"

TestSuite(view_catalogue, .fini = played_free);

static struct seen *variant_in(const struct lang *lang, const struct rules_game *game)
{
    struct json json;

    json_init(&json, &played_arena);
    json_open(&json, '{');
    view_variant(&json, lang, game, true);
    json_close(&json, '}');
    return seen_read(json.out.text);
}

static struct seen *variant_of(const struct rules_game *game)
{
    return variant_in(NULL, game);
}

static const char *more(const char *list, const char *text)
{
    return arena_format(&played_arena, "%s%s%s", list, *list == '\0' ? "" : " ", text);
}

static const char *joined(const char *const *texts)
{
    const char *list = "";

    for (; *texts != NULL; texts++)
        list = more(list, *texts);
    return list;
}

/* Calls `look` with each game and with what clients are told of it. */
static void each_game(void (*look)(const struct seen *seen, const struct rules_game *game,
                                   const struct played *start))
{
    for (size_t i = 0; i < rules_games(); i++) {
        struct played *start = arena_alloc(&played_arena, sizeof(*start));
        struct seen *seen = variant_of(rules_game(i));

        played_start(start, rules_game(i)->name, "");
        look(seen, rules_game(i), start);
        seen_free(seen);
    }
}

/* ---- its parts ---- */

static void is_named(const struct seen *seen, const struct rules_game *game,
                     const struct played *start)
{
    static const char *const links[][2] = {{"self", ""},
                                           {"rules", "/rules"},
                                           {"check", "/check"},
                                           {"board", "/board.txt"},
                                           {"picture", "/board.svg"},
                                           {"men", "/men.svg"}};

    cr_assert_str_eq(seen_text(seen, "name"), game->name);
    cr_assert_str_eq(seen_text(seen, "title"), game->title);
    cr_assert_str_eq(seen_text(seen, "doc"), game->doc);
    cr_assert_eq(seen_number(seen, "rules_version"), game->version);
    cr_assert_eq(seen_count(seen, "seats"), RULES_SEATS);
    for (unsigned i = 0; i < RULES_SEATS; i++) {
        cr_assert_eq(seen_number(seen, "seats.%u.seat", i), i + 1);
        cr_assert_str_eq(seen_text(seen, "seats.%u.name", i), game->seat[i].name);
        cr_assert_str_eq(seen_text(seen, "seats.%u.mark", i), game->seat[i].mark);
        cr_assert_str_eq(seen_text(seen, "seats.%u.color", i), rules_seat_color(game, i + 1));
    }
    cr_assert_eq(seen_count(seen, "links"), sizeof(links) / sizeof(links[0]));
    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
        cr_assert_str_eq(seen_text(seen, "links.%s", links[i][0]),
                         arena_format(&played_arena, "/v1/variants/%s%s", game->name, links[i][1]));
    cr_assert_eq(seen_bool(seen, "facing"), game->art != NULL && game->art->turned);
    cr_assert_str_eq(seen_list(seen, "exports"), joined(game->exports));
    cr_assert_str_eq(seen_list(seen, "features"), joined(game->features));
    cr_assert(seen_is(seen, start->row.options, "defaults"));
    cr_assert_str_eq(seen_text(seen, "position.start"), start->row.start);
}

Test(view_catalogue, a_variant_has_its_names_seats_links_and_defaults)
{
    each_game(is_named);
}

static const char *squares_with(const struct played *start, const struct rules_zone *zone)
{
    struct rules_board board = start->game->board(&start->state);
    const char *list = "";

    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        char name[RULES_SQUARE_TEXT];

        rules_square_text(board, square, name);
        if (zone == NULL || zone->has(&start->state, square))
            list = more(list, name);
    }
    return list;
}

static void has_a_board(const struct seen *seen, const struct rules_game *game,
                        const struct played *start)
{
    struct rules_board board = game->board(&start->state);

    cr_assert_eq(seen_number(seen, "board.width"), board.width);
    cr_assert_eq(seen_number(seen, "board.height"), board.height);
    cr_assert_eq(seen_count(seen, "board.files"), board.width);
    cr_assert_eq(seen_count(seen, "board.ranks"), board.height);
    cr_assert_str_eq(seen_text(seen, "board.coordinates"),
                     game == rules_find("shogi") ? "digit-letter" : "letter-digit");
    cr_assert_str_eq(seen_list(seen, "board.squares"), squares_with(start, NULL));
    cr_assert_eq(seen_count(seen, "zones"), game->nzones);
    for (size_t i = 0; i < game->nzones; i++) {
        const struct rules_zone *zone = &game->zones[i];

        cr_assert_str_eq(seen_text(seen, "zones.%zu.name", i), zone->name);
        cr_assert_str_eq(seen_list(seen, "zones.%zu.squares", i), squares_with(start, zone));
        if (zone->seat == 0)
            cr_assert(seen_is_null(seen, "zones.%zu.seat", i));
        else
            cr_assert_eq(seen_number(seen, "zones.%zu.seat", i), zone->seat);
    }
}

Test(view_catalogue, a_variant_has_its_board_with_all_squares_and_zones)
{
    each_game(has_a_board);
}

static void assert_kind(const struct seen *seen, const struct rules_game *game, int kind,
                        const char *at)
{
    if (kind < 0)
        cr_assert(seen_is_null(seen, "%s", at), "%s", at);
    else
        cr_assert_str_eq(seen_text(seen, "%s", at), game->pieces[kind].name);
}

static void has_pieces(const struct seen *seen, const struct rules_game *game,
                       const struct played *start)
{
    const char *order = "";

    (void)start;
    cr_assert_eq(seen_count(seen, "pieces"), game->npieces);
    for (size_t i = 0; i < game->npieces; i++) {
        const struct rules_piece *piece = &game->pieces[i];
        const char *at = arena_format(&played_arena, "pieces.%zu", i);

        cr_assert_str_eq(seen_text(seen, "%s.name", at), piece->name);
        cr_assert_str_eq(seen_text(seen, "%s.doc", at), piece->doc);
        for (unsigned side = 0; side < RULES_SEATS; side++) {
            cr_assert_str_eq(seen_text(seen, "%s.letter.%u", at, side + 1), piece->letter[side]);
            cr_assert_str_eq(seen_text(seen, "%s.symbol.%u", at, side + 1), piece->symbol[side]);
            cr_assert_str_eq(seen_text(seen, "%s.ascii.%u", at, side + 1), piece->ascii[side]);
        }
        assert_kind(seen, game, piece->promotes_to,
                    arena_format(&played_arena, "%s.promotes_to", at));
        assert_kind(seen, game, piece->demotes_to,
                    arena_format(&played_arena, "%s.demotes_to", at));
    }
    for (const int8_t *kind = game->drawing.hand_order; kind != NULL && *kind >= 0; kind++)
        order = more(order, game->pieces[*kind].name);
    cr_assert_eq(seen_bool(seen, "hands"), game->hand != NULL);
    cr_assert_str_eq(seen_list(seen, "hand_order"), order);
}

Test(view_catalogue, a_variant_has_its_pieces_and_what_they_become)
{
    each_game(has_pieces);
}

static void assert_grammar(const struct seen *seen, const struct rules_grammar *grammar,
                           const char *at)
{
    cr_assert_str_eq(seen_text(seen, "%s.pattern", at), grammar->pattern);
    cr_assert_str_eq(seen_text(seen, "%s.doc", at), grammar->doc);
    cr_assert_str_eq(seen_list(seen, "%s.examples", at), joined(grammar->examples));
}

static void has_grammars(const struct seen *seen, const struct rules_game *game,
                         const struct played *start)
{
    const struct rules_choice *choice = game->choices;
    const char *choices = "";

    (void)start;
    assert_grammar(seen, &game->position, "position");
    assert_grammar(seen, &game->move, "move");
    for (; choice != NULL && choice->click != NULL; choice++)
        choices = arena_format(&played_arena, "%s%s\"%s\":\"%s\"", choices,
                               *choices == '\0' ? "" : ",", choice->click, choice->label);
    cr_assert(seen_is(seen, arena_format(&played_arena, "{%s}", choices), "move.choices"));
}

Test(view_catalogue, a_variant_says_how_positions_and_moves_are_written)
{
    each_game(has_grammars);
}

static void has_ends(const struct seen *seen, const struct rules_game *game,
                     const struct played *start)
{
    static const char *const by_players[] = {"resign", "timeout", "agreement"};

    (void)start;
    cr_assert_eq(seen_count(seen, "ends"), game->nreasons + 3);
    for (size_t i = 0; i < game->nreasons + 3; i++)
        cr_assert_str_eq(seen_text(seen, "ends.%zu.reason", i),
                         i < game->nreasons ? rules_reason_text(game->reasons[i])
                                            : by_players[i - game->nreasons]);
    for (size_t i = 0; i < game->nreasons; i++)
        cr_assert_str_eq(seen_text(seen, "ends.%zu.meaning", i),
                         rules_reason_meaning(game->reasons[i]));
    cr_assert_eq(seen_count(seen, "laws"), game->nlaws);
    for (size_t i = 0; i < game->nlaws; i++) {
        cr_assert_str_eq(seen_text(seen, "laws.%zu.id", i), game->laws[i].id);
        cr_assert_str_eq(seen_text(seen, "laws.%zu.number", i), game->laws[i].number);
        cr_assert_str_eq(seen_text(seen, "laws.%zu.text", i), game->laws[i].text);
    }
}

Test(view_catalogue, a_variant_has_its_ends_and_its_laws)
{
    each_game(has_ends);
}

Test(view_catalogue, all_variants_stand_in_a_table_with_who_moves_first)
{
    const char *text = view_variants_text(&played_arena);

    for (size_t i = 0; i < rules_games(); i++) {
        const struct rules_game *game = rules_game(i);
        const char *row = arena_format(&played_arena, "%-18s%s, %s first\n%18s%s\n", game->name,
                                       game->title, game->seat[0].name, "", game->doc);

        cr_assert_eq(strncmp(text, row, strlen(row)), 0, "%s", text);
        text += strlen(row);
    }
    cr_assert_eq(*text, '\0');
}

/* ---- the schema of the options ---- */

static const char *quoted(const char *text)
{
    struct json json;

    json_init(&json, &played_arena);
    json_string(&json, text);
    return json.out.text;
}

/* A name as people read it: "max_plies", "Max plies". */
static const char *title_of(const char *name)
{
    char *title = arena_copy(&played_arena, name, strlen(name));

    for (size_t i = 0; title[i] != '\0'; i++)
        title[i] = (char)(strchr("-_", title[i]) != NULL ? ' '
                          : i == 0                       ? toupper(title[i])
                                                         : title[i]);
    return title;
}

/* The type of an option's values, which of them it takes, and its default. */
static const char *values_of(const struct rules_game *game, const struct rules_option *option)
{
    const char *range =
        arena_format(&played_arena, "\"minimum\":%d,\"maximum\":%d", option->min, option->max);
    const char *names = "\"enum\":[";
    const char *usual = option->choices == NULL ? "" : option->choices[option->fallback];

    for (size_t i = 0; option->choices != NULL && option->choices[i] != NULL; i++)
        names =
            arena_format(&played_arena, "%s%s\"%s\"", names, i == 0 ? "" : ",", option->choices[i]);
    switch (option->kind) {
    case RULES_OPTION_INT:
        return arena_format(&played_arena,
                            option->zero_is_off
                                ? "\"integer\",\"anyOf\":[{\"const\":0},{%s}],\"default\":%d"
                                : "\"integer\",%s,\"default\":%d",
                            range, option->fallback);
    case RULES_OPTION_BOOL:
        return arena_format(&played_arena, "\"boolean\",\"default\":%s",
                            option->fallback == 1 ? "true" : "false");
    case RULES_OPTION_CHOICE:
        return arena_format(&played_arena, "\"string\",%s],\"default\":\"%s\"", names, usual);
    default:
        return arena_format(&played_arena,
                            "\"string\",\"anyOf\":[{%s]},{\"pattern\":%s}],\"default\":\"%s\"",
                            names, quoted(game->position.pattern), usual);
    }
}

static void has_options(const struct seen *seen, const struct rules_game *game,
                        const struct played *start)
{
    (void)start;
    cr_assert_str_eq(seen_text(seen, "options.$schema"),
                     "https://json-schema.org/draft/2020-12/schema");
    cr_assert_str_eq(seen_text(seen, "options.type"), "object");
    cr_assert_not(seen_bool(seen, "options.additionalProperties"));
    cr_assert_eq(seen_count(seen, "options.properties"), game->noptions);
    for (size_t i = 0; i < game->noptions; i++) {
        const struct rules_option *option = &game->options[i];
        const char *schema =
            arena_format(&played_arena, "{\"title\":%s,\"type\":%s,\"description\":%s}",
                         quoted(option->title != NULL ? option->title : title_of(option->name)),
                         values_of(game, option), quoted(option->doc));

        cr_assert(seen_is(seen, schema, "options.properties.%s", option->name), "%s: %s",
                  option->name, schema);
        for (size_t at = 0; option->choices != NULL && option->choices[at] != NULL; at++)
            cr_assert_str_eq(
                seen_text(seen, "option_values.%s.%s", option->name, option->choices[at]),
                title_of(option->choices[at]));
    }
}

Test(view_catalogue, every_option_says_what_it_is_called_what_it_takes_and_its_default)
{
    each_game(has_options);
}

/* ---- in other languages ---- */

Test(view_catalogue, what_people_read_of_a_variant_is_in_a_language_and_what_programs_read_in_none)
{
    struct seen *seen = variant_in(lang_find("tr"), rules_find("jungle"));

    cr_assert_str_eq(seen_text(seen, "name"), "jungle");
    cr_assert_str_eq(seen_text(seen, "title"), "Orman (Dou Shou Qi)");
    cr_assert_str_eq(seen_text(seen, "doc"),
                     "Fareden file sekiz hayvan, rakibin inine doğru yola çıkar.");
    cr_assert_str_eq(seen_text(seen, "seats.0.name"), "red");
    cr_assert_str_eq(seen_text(seen, "seats.0.title"), "kırmızı");
    cr_assert_str_eq(seen_text(seen, "zones.0.name"), "river");
    cr_assert_str_eq(seen_text(seen, "zones.0.title"), "nehir");
    cr_assert_str_eq(seen_text(seen, "pieces.0.name"), "rat");
    cr_assert_str_eq(seen_text(seen, "pieces.0.title"), "fare");
    cr_assert_str_eq(seen_text(seen, "move.doc"), "Başlanan ve varılan kare: a3a4.");
    cr_assert_str_eq(seen_text(seen, "options.properties.own_traps.title"), "kendi tuzakları");
    cr_assert_str_eq(seen_text(seen, "option_values.own_traps.capture_only"),
                     "yalnız taş almak için");
    cr_assert_str_eq(seen_text(seen, "options.properties.own_traps.description"),
                     "Taşın kendi tuzağına her zaman mı, yalnız taş almak için mi girebildiği.");
    cr_assert_str_eq(seen_text(seen, "ends.0.reason"), "den");
    cr_assert_str_eq(seen_text(seen, "ends.0.title"), "ine girildi");
    cr_assert_str_eq(seen_text(seen, "ends.0.meaning"), "Bir taş rakibin inine girdi.");
    cr_assert_str_eq(seen_text(seen, "laws.0.text"), "Kareler a1 ile g9 arasıdır.");
    seen_free(seen);
    seen = variant_in(lang_find("ja"), rules_find("shogi"));
    cr_assert_str_eq(seen_text(seen, "seats.0.title"), "先手");
    cr_assert_str_eq(seen_text(seen, "move.choices.+"), "成る");
    seen_free(seen);
    seen = variant_of(rules_find("shogi"));
    cr_assert_str_eq(seen_text(seen, "pieces.9.title"), "promoted lance");
    cr_assert_str_eq(seen_text(seen, "ends.2.title"), "king captured");
    seen_free(seen);
}

Test(view_catalogue, the_levels_of_the_computer_are_told_in_a_language)
{
    struct json json;
    struct seen *seen;

    json_init(&json, &played_arena);
    view_engines(&json, lang_find("ja"), true);
    seen = seen_read(arena_format(&played_arena, "{\"engines\":%s}", json.out.text));
    cr_assert_str_eq(seen_text(seen, "engines.0.name"), "plyd");
    cr_assert_str_eq(seen_text(seen, "engines.0.title"), "plyd のエンジン");
    cr_assert_str_eq(seen_text(seen, "engines.0.levels.2.doc"),
                     "短い取り合いを読みます。標準のレベルです。");
    cr_assert_str_eq(seen_text(seen, "engines.1.title"), "でたらめ");
    seen_free(seen);
}
