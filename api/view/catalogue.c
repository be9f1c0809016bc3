#include "api/view/catalogue.h"

#include <string.h>

#include "api/game/opponent.h"
#include "api/text/lang.h"
#include "api/text/move_text.h"
#include "api/text/options.h"
#include "api/text/refusal.h"
#include "api/view/board.h"
#include "engine/engine.h"
#include "rules/draw/art.h"
#include "rules/draw/textboard.h"

/* ---- computer opponents, for clients that let people choose one ---- */

static const char *const levels[ENGINE_LEVELS] = {
    "A first opponent: it plays many moves without a look, and often misses the answer.",
    "It takes what stands open and sees most answers, when it looks; it does not always.",
    "It follows short exchanges. This is the usual level.",
    "It looks further, and overlooks an answer now and then.",
    "It follows every exchange to its end.",
    "It looks further still, and errs less.",
    "It looks far, and errs only now and then.",
    "Its best: some seconds a move.",
};

const char *view_level_doc(const struct lang *lang, unsigned level)
{
    const char digit[] = {(char)('0' + level), '\0'};

    return lang_say(lang, LANG_LEVEL, digit, levels[level - 1]);
}

static void write_level(struct json *json, const struct lang *lang, unsigned level)
{
    json_open(json, '{');
    json_member_int(json, "level", level);
    json_member_int(json, "nodes", (int64_t)engine_nodes(level));
    json_member(json, "doc", view_level_doc(lang, level));
    json_close(json, '}');
}

/* An engine without levels answers in the same way for ever, and has no version. */
static void write_engine(struct json *json, const struct lang *lang, const char *name,
                         const char *title, const char *doc, unsigned nlevels)
{
    json_open(json, '{');
    json_member(json, "name", name);
    json_member(json, "title", lang_say(lang, LANG_NAME, name, title));
    json_member(json, "doc", lang_say(lang, LANG_LEVEL, name, doc));
    if (nlevels > 0) {
        json_member_int(json, "version", ENGINE_VERSION);
        json_member_int(json, "level", OPPONENT_LEVEL);
    }
    json_key(json, "levels");
    json_open(json, '[');
    for (unsigned level = 1; level <= nlevels; level++)
        write_level(json, lang, level);
    json_close(json, ']');
    json_close(json, '}');
}

void view_engines(struct json *json, const struct lang *lang, bool thinks)
{
    json_open(json, '[');
    if (thinks)
        write_engine(json, lang, "plyd", "plyd's engine",
                     "It thinks about its move, which follows on yours as an event of its own.",
                     ENGINE_LEVELS);
    write_engine(json, lang, "random", "chance",
                 "It plays any legal move, in the same moment as you do yours.", 0);
    json_close(json, ']');
}

/* Writes the names of those that play a game, as a list. */
static void view_engines_of(struct json *json, bool thinks)
{
    json_open(json, '[');
    if (thinks)
        json_string(json, "plyd");
    json_string(json, "random");
    json_close(json, ']');
}

const char *view_variant_title(const struct lang *lang, const struct rules_game *game)
{
    return lang_say(lang, LANG_GAME, game->name, game->title);
}

const char *view_variant_doc(const struct lang *lang, const struct rules_game *game)
{
    return lang_say(lang, LANG_DOC, game->name, game->doc);
}

/* The start position with every option at its default. */
static void start_of(const struct rules_game *game, struct rules_options *options,
                     struct rules_state *state)
{
    struct rules_refusal why;

    rules_options_init(options);
    rules_start(game, options, NULL, state, &why); /* a game's defaults go together */
}

static void write_texts(struct json *json, const char *key, const char *const *texts)
{
    json_key(json, key);
    json_open(json, '[');
    for (; *texts != NULL; texts++)
        json_string(json, *texts);
    json_close(json, ']');
}

/* ---- the parts ---- */

/* What people call something that has a name for programs: "promoted-pawn" is "promoted pawn" in
 * English. `key` is that of the other languages. */
static const char *called(struct arena *arena, const struct lang *lang, enum lang_kind kind,
                          const char *key, const char *name)
{
    char *english = arena_copy(arena, name, strlen(name));

    for (char *at = english; (at = strpbrk(at, "-_")) != NULL;)
        *at = ' ';
    return lang_say(lang, kind, key, english);
}

/* The key of what belongs to a game: "shogi.pawn". */
static const char *key_of(struct arena *arena, const struct rules_game *game, const char *name)
{
    return arena_format(arena, "%s.%s", game->name, name);
}

static void write_seats(struct json *json, const struct lang *lang, const struct rules_game *game)
{
    json_key(json, "seats");
    json_open(json, '[');
    for (int i = 0; i < RULES_SEATS; i++) {
        json_open(json, '{');
        json_member_int(json, "seat", i + 1);
        json_member(json, "name", game->seat[i].name);
        json_member(
            json, "title",
            called(json->out.arena, lang, LANG_SIDE, game->seat[i].name, game->seat[i].name));
        json_member(json, "mark", game->seat[i].mark);
        json_member(json, "color", rules_seat_color(game, (unsigned)i + 1));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_links(struct json *json, const struct rules_game *game)
{
    static const char *const links[][2] = {{"self", ""},
                                           {"rules", "/rules"},
                                           {"check", "/check"},
                                           {"board", "/board.txt"},
                                           {"picture", "/board.svg"},
                                           {"men", "/men.svg"}};

    json_key(json, "links");
    json_open(json, '{');
    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
        json_member(json, links[i][0],
                    arena_format(json->out.arena, "/v1/variants/%s%s", game->name, links[i][1]));
    json_close(json, '}');
}

void view_variant_members(struct json *json, const struct lang *lang, const struct rules_game *game,
                          bool thinks)
{
    json_member(json, "name", game->name);
    json_member(json, "title", view_variant_title(lang, game));
    json_member(json, "doc", view_variant_doc(lang, game));
    write_seats(json, lang, game);
    json_key(json, "engines");
    view_engines_of(json, thinks);
    json_member_bool(json, "engine_knows", engine_knows(game));
    write_links(json, game);
}

/* Writes the labels by which people write squares, if these are others. */
static void write_written(struct json *json, const struct rules_game *game,
                          struct rules_board board)
{
    if (!move_text_is_written(game))
        return;
    json_key(json, "written");
    json_open(json, '{');
    json_key(json, "files");
    json_open(json, '[');
    for (unsigned i = 0; i < board.width; i++)
        json_string(json, game->drawing.files[i]);
    json_close(json, ']');
    json_key(json, "ranks");
    json_open(json, '[');
    for (unsigned i = 0; i < board.height; i++)
        json_string(json, game->drawing.ranks[i]);
    json_close(json, ']');
    json_close(json, '}');
}

static void write_catalogue_board(struct json *json, const struct rules_game *game,
                                  const struct rules_state *state)
{
    struct rules_board board = game->board(state);
    char square[RULES_SQUARE_TEXT];

    json_key(json, "board");
    json_open(json, '{');
    json_member_int(json, "width", board.width);
    json_member_int(json, "height", board.height);
    json_member(json, "coordinates",
                board.coordinates == RULES_LETTER_DIGIT ? "letter-digit" : "digit-letter");
    json_member(json, "tiling", game->tiling == RULES_HEXAGONS ? "hexagons" : "squares");
    view_labels(json, board);
    json_key(json, "squares");
    json_open(json, '[');
    for (unsigned i = 0; i < (unsigned)board.width * board.height; i++) {
        if (rules_is_missing(game, state, i))
            continue;
        rules_square_text(board, i, square);
        json_string(json, square);
    }
    json_close(json, ']');
    write_written(json, game, board);
    json_close(json, '}');
}

static void write_zone(struct json *json, const struct lang *lang, const struct rules_game *game,
                       const struct rules_zone *zone, const struct rules_state *state)
{
    struct arena *arena = json->out.arena;
    struct rules_board board = game->board(state);

    json_open(json, '{');
    json_member(json, "name", zone->name);
    json_member(json, "title",
                called(arena, lang, LANG_ZONE, key_of(arena, game, zone->name), zone->name));
    json_key(json, "seat");
    if (zone->seat == 0)
        json_null(json);
    else
        json_int(json, zone->seat);
    json_key(json, "squares");
    json_open(json, '[');
    for (unsigned i = 0; i < (unsigned)board.width * board.height; i++) {
        char square[RULES_SQUARE_TEXT];

        if (!zone->has(state, i))
            continue;
        rules_square_text(board, i, square);
        json_string(json, square);
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void write_zones(struct json *json, const struct lang *lang, const struct rules_game *game,
                        const struct rules_state *state)
{
    json_key(json, "zones");
    json_open(json, '[');
    for (size_t i = 0; i < game->nzones; i++)
        write_zone(json, lang, game, &game->zones[i], state);
    json_close(json, ']');
}

static void write_by_seat(struct json *json, const char *key, const char *const text[RULES_SEATS])
{
    json_key(json, key);
    json_open(json, '{');
    json_member(json, "1", text[0]);
    json_member(json, "2", text[1]);
    json_close(json, '}');
}

static void write_kind(struct json *json, const char *key, const struct rules_game *game, int kind)
{
    json_key(json, key);
    if (kind < 0)
        json_null(json);
    else
        json_string(json, game->pieces[kind].name);
}

static void write_pieces(struct json *json, const struct lang *lang, const struct rules_game *game)
{
    struct arena *arena = json->out.arena;

    json_key(json, "pieces");
    json_open(json, '[');
    for (size_t i = 0; i < game->npieces; i++) {
        const struct rules_piece *piece = &game->pieces[i];

        json_open(json, '{');
        json_member(json, "name", piece->name);
        json_member(json, "title",
                    called(arena, lang, LANG_PIECE, key_of(arena, game, piece->name), piece->name));
        write_by_seat(json, "letter", piece->letter);
        write_by_seat(json, "symbol", piece->symbol);
        write_by_seat(json, "ascii", piece->ascii);
        json_member(json, "doc", piece->doc);
        write_kind(json, "promotes_to", game, piece->promotes_to);
        write_kind(json, "demotes_to", game, piece->demotes_to);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* Writes the sets of men that there are beside the usual one. */
static void write_sets(struct json *json, const struct lang *lang, const struct rules_game *game)
{
    struct arena *arena = json->out.arena;

    json_key(json, "sets");
    json_open(json, '[');
    for (const struct rules_set *set = game->art->sets; set != NULL && set->name != NULL; set++) {
        json_open(json, '{');
        json_member(json, "name", set->name);
        json_member(json, "title",
                    called(arena, lang, LANG_NAME,
                           arena_format(arena, "%s.men.%s", game->name, set->name), set->name));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_catalogue_hands(struct json *json, const struct rules_game *game)
{
    const int8_t *kind = game->drawing.hand_order;

    json_member_bool(json, "hands", game->hand != NULL);
    json_key(json, "hand_order");
    json_open(json, '[');
    for (; kind != NULL && *kind >= 0; kind++)
        json_string(json, game->pieces[*kind].name);
    json_close(json, ']');
}

/* Writes the members of a grammar and leaves its object open for more. */
static void open_grammar(struct json *json, const char *key, const struct rules_grammar *grammar,
                         const char *doc)
{
    json_key(json, key);
    json_open(json, '{');
    json_member(json, "pattern", grammar->pattern);
    json_member(json, "doc", doc);
    write_texts(json, "examples", grammar->examples);
}

/* Writes what a client may put on buttons for clicks that are no squares. */
static void write_choices(struct json *json, const struct lang *lang, const struct rules_game *game)
{
    json_key(json, "choices");
    json_open(json, '{');
    for (const struct rules_choice *choice = game->choices; choice != NULL && choice->click != NULL;
         choice++)
        json_member(json, choice->click,
                    lang_say(lang, LANG_CHOICE, key_of(json->out.arena, game, choice->click),
                             choice->label));
    json_close(json, '}');
}

const struct view_end view_players_ends[VIEW_PLAYERS_ENDS] = {
    {"resign", "A player gave up."},
    {"timeout", "A player's time ran out."},
    {"agreement", "The players agreed on a draw."},
};

static void write_catalogue_end(struct json *json, const struct lang *lang, const char *reason,
                                const char *meaning)
{
    json_open(json, '{');
    json_member(json, "reason", reason);
    json_member(json, "title", called(json->out.arena, lang, LANG_REASON, reason, reason));
    json_member(json, "meaning", lang_say(lang, LANG_MEANING, reason, meaning));
    json_close(json, '}');
}

/* Writes how the game can end: by its rules, and by its players in any game. */
static void write_catalogue_ends(struct json *json, const struct lang *lang,
                                 const struct rules_game *game)
{
    json_key(json, "ends");
    json_open(json, '[');
    for (size_t i = 0; i < game->nreasons; i++)
        write_catalogue_end(json, lang, rules_reason_text(game->reasons[i]),
                            rules_reason_meaning(game->reasons[i]));
    for (size_t i = 0; i < VIEW_PLAYERS_ENDS; i++)
        write_catalogue_end(json, lang, view_players_ends[i].reason, view_players_ends[i].meaning);
    json_close(json, ']');
}

static void write_laws(struct json *json, const struct lang *lang, const struct rules_game *game)
{
    json_key(json, "laws");
    json_open(json, '[');
    for (size_t i = 0; i < game->nlaws; i++) {
        json_open(json, '{');
        json_member(json, "id", game->laws[i].id);
        json_member(json, "number", game->laws[i].number);
        json_member(json, "text", refusal_law_text(&game->laws[i], lang));
        json_close(json, '}');
    }
    json_close(json, ']');
}

void view_variant(struct json *json, const struct lang *lang, const struct rules_game *game,
                  bool thinks)
{
    struct rules_options options;
    struct rules_state state;
    char start[RULES_POSITION_TEXT];

    start_of(game, &options, &state);
    game->position_text(&state, start);
    view_variant_members(json, lang, game, thinks);
    json_member_int(json, "rules_version", game->version);
    write_catalogue_board(json, game, &state);
    write_zones(json, lang, game, &state);
    write_pieces(json, lang, game);
    write_catalogue_hands(json, game);
    write_sets(json, lang, game);
    json_member_bool(json, "facing", game->art != NULL && game->art->turned);
    open_grammar(json, "position", &game->position, game->position.doc);
    json_member(json, "start", start);
    json_close(json, '}');
    open_grammar(json, "move", &game->move, lang_say(lang, LANG_MOVES, game->name, game->move.doc));
    write_choices(json, lang, game);
    json_close(json, '}');
    json_key(json, "options");
    view_options_schema(json, lang, game);
    json_key(json, "option_values");
    view_option_values(json, lang, game);
    json_key(json, "defaults");
    json_raw(json, options_to_json(game, json->out.arena, &options, NULL));
    write_catalogue_ends(json, lang, game);
    write_laws(json, lang, game);
    write_texts(json, "exports", game->exports);
    write_texts(json, "features", game->features);
}

/* ---- for people ---- */

const char *view_variants_text(struct arena *arena)
{
    struct out out;

    out_init(&out, arena);
    for (size_t i = 0; i < rules_games(); i++) {
        const struct rules_game *game = rules_game(i);

        out_format(&out, "%-18s%s, %s first\n%18s%s\n", game->name, game->title, game->seat[0].name,
                   "", game->doc);
    }
    return out.text;
}
