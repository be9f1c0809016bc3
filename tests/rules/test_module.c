/* test_module.c - what can be no module, or is one too many, is said in a sentence. */
#include <criterion/criterion.h>
#include <string.h>

#include "rules/draw/art.h"
#include "rules/module.h"

/* A module like that of a game that is there, to be broken. Each test is a process of its own. */
static struct rules_game game;
static struct rules_piece pieces[RULES_PIECES_MAX];
static struct rules_option options[RULES_OPTIONS_MAX];
static struct rules_law laws[64];
static struct rules_art art;
static struct rules_module module;

static void take(const char *name)
{
    module = *rules_module_of(rules_find(name));
    game = *module.game;
    memcpy(pieces, game.pieces, game.npieces * sizeof(pieces[0]));
    memcpy(options, game.options, game.noptions * sizeof(options[0]));
    memcpy(laws, game.laws, game.nlaws * sizeof(laws[0]));
    art = *game.art;
    game.pieces = pieces;
    game.options = options;
    game.laws = laws;
    game.art = &art;
    module.game = &game;
}

/* Tic-tac-toe by another name. */
static void take_tictactoe(const char *name)
{
    static char law[RULES_NAME + 8];

    take("tictactoe");
    game.name = name;
    game.nlaws = 1;
    strcat(strcpy(law, name), ".all");
    laws[0] = (struct rules_law){"1", law, "All is as it is."};
    module.translations = NULL;
}

/* Has the module one word in another language. */
static void translate(enum lang_kind kind, const char *key)
{
    static struct lang_text word;
    static const struct rules_translation one[] = {{"tr", &word, 1}, {NULL, NULL, 0}};

    word = (struct lang_text){kind, key, "kelime"};
    module.translations = one;
}

/* ---- what breaks it ---- */

static const enum rules_reason twice[] = {RULES_REASON_DEN, RULES_REASON_DEN};
static const enum rules_reason none[] = {RULES_REASON_NONE};
static const enum rules_reason unknown[] = {RULES_REASONS};
static const enum rules_reason of_silent[] = {(enum rules_reason)300};
static const struct rules_own small[] = {{255, "eaten", "All is eaten.", false}, {0}};
static const struct rules_own nameless[] = {{256, "The Eater", NULL, false}, {0}};
static const struct rules_own silent[] = {{300, "eaten", "Eaten", false}, {0}};
static const char *const no_names[] = {"No Name", NULL};
static const char *const no_examples[] = {NULL};
static struct rules_zone zone = {"wood", 3, NULL, NULL};
static const int8_t ninth[] = {8, -1};

/* ---- what breaks its pictures ---- */

/* Of no colour, and of one that the second seat has no next one of. */
static const struct rules_shape no_colour[] = {{"M0 0", RULES_PAINTS, 0, 0}, {0}};
static const struct rules_shape no_ink[] = {{"M0 0", RULES_PAINT_INK_2, 0, 0}, {0}};
static const struct rules_shape markup[] = {{"M0 0'/><script>", RULES_PAINT_INK, 0, 0}, {0}};
static const struct rules_shape *const no_figures[RULES_PIECES_MAX];
static const struct rules_shape *const black[RULES_PIECES_MAX] = {no_colour};
static const struct rules_set bare[] = {{"bare", {NULL, NULL}}, {0}};
static const struct rules_set bald[] = {{"bald", {no_figures, no_figures}}, {0}};
static const struct rules_set loud[] = {{"LOUD", {no_figures, no_figures}}, {0}};
static const struct rules_ground nowhere[] = {{(enum rules_paint)RULES_PAINTS, NULL}};

#define BREAKS(BREAK)                                                                          \
    BREAK(module.interface = 99, "interface 99 of games, and this plyd has ")                  \
    BREAK(module.game = NULL, "has no game in it")                                             \
    BREAK(module.rulebook = NULL, "no rulebook")                                               \
    BREAK(game.name = "Jungle!", "its name")                                                   \
    BREAK(game.name = "abcdefghijabcdefghijabcdefghijab", "its name")                          \
    BREAK(game.title = "", "a title, and a sentence")                                          \
    BREAK(game.doc = "Nothing", "a title, and a sentence")                                     \
    BREAK(game.version = 0, "its version")                                                     \
    BREAK(game.seat[1].name = NULL, "each seat has a name and a mark")                         \
    BREAK(game.seat[0].mark = "", "each seat has a name and a mark")                           \
    BREAK(game.seat[0].mark = game.seat[1].mark, "different names and marks")                  \
    BREAK(game.seat[0].name = game.seat[1].name, "different names and marks")                  \
    BREAK(game.outcome = NULL, "outcome: the function is not there")                           \
    BREAK(game.turn = NULL, "turn: the function is not there")                                 \
    BREAK(game.npieces = 0, "1 to 16 kinds of men")                                            \
    BREAK(game.npieces = RULES_PIECES_MAX + 1, "1 to 16 kinds of men")                         \
    BREAK(pieces[1].name = "a cat", "each has a name")                                         \
    BREAK(pieces[1].doc = NULL, "cat: a sentence says how it moves")                           \
    BREAK(pieces[1].letter[0] = "", "cat: it has a letter and a symbol")                       \
    BREAK(pieces[1].symbol[1] = NULL, "cat: it has a letter and a symbol")                     \
    BREAK(pieces[1].ascii[1] = "cat", "cat: it has one or two ASCII")                          \
    BREAK(pieces[1].ascii[1] = "\xc3\xa7", "cat: it has one or two ASCII")                     \
    BREAK(pieces[1].promotes_to = 1, "cat: it promotes to another piece")                      \
    BREAK(pieces[1].promotes_to = 8, "cat: it promotes to another piece")                      \
    BREAK(pieces[1].demotes_to = 2, "cat: what it becomes in a hand")                          \
    BREAK(pieces[1].ascii[0] = pieces[2].ascii[1], "dog: no other man has its letter")         \
    BREAK(pieces[1].letter[0] = pieces[2].letter[0], "dog: no other man has its letter")       \
    BREAK(pieces[1].symbol[1] = pieces[2].symbol[1], "dog: no other man has its letter")       \
    BREAK(game.drawing.facing = NULL, "rat: no other man has its letter")                      \
    BREAK((game.zones = &zone, game.nzones = 1), "zones: each has a name, a seat")             \
    BREAK(game.drawing.grid = RULES_GRID_FRAME + 1, "drawing.grid")                            \
    BREAK(game.drawing.ink[1] = 38, "drawing.ink")                                             \
    BREAK(game.drawing.ink[1] = 29, "drawing.ink")                                             \
    BREAK(game.drawing.empty_ascii = "\xc2\xb7", "drawing.empty_ascii")                        \
    BREAK(game.art = NULL, "art: each seat has its figures")                                   \
    BREAK(art.figure[1] = NULL, "art: each seat has its figures")                              \
    BREAK((art.body[1] = NULL, art.figure[1] = no_figures), "rat: it has a figure")            \
    BREAK(art.figure[1] = black, "rat: its figure is no path of these")                        \
    BREAK(art.body[1] = no_ink, "rat: its figure is no path of these")                         \
    BREAK(art.frame = "scale(1)' onload='x", "art.frame: it is a transform, or none")          \
    BREAK(art.sets = bare, "bare: each seat has its figures")                                  \
    BREAK((art.body[0] = NULL, art.sets = bald), "rat: it has a figure")                       \
    BREAK(art.sets = loud, "art.sets: each has a name")                                        \
    BREAK(art.ground = nowhere, "its ground is no path of these")                              \
    BREAK(art.upon = markup, "what lies upon or below is no path")                             \
    BREAK(art.layer = no_ink, "what lies upon or below is no path")                            \
    BREAK(art.paint[1][RULES_PAINT_BODY] = "\"/>", "art.paint: each is a colour")              \
    BREAK(game.tiling = RULES_HEXAGONS + 1, "tiling: there is no such tiling")                 \
    BREAK(game.drawing.hand_order = ninth, "drawing.hand_order: each is a piece")              \
    BREAK(game.nlaws = 0, "laws: there is one at least")                                       \
    BREAK(laws[3].number = NULL, "laws: each has a number and an id")                          \
    BREAK(laws[3].id = "chess.castling", "chess.castling: the id of a law is")                 \
    BREAK(laws[3].id = "jungle.", "jungle.: the id of a law is")                               \
    BREAK(laws[3].text = "No", "its text is a sentence")                                       \
    BREAK(laws[3].id = laws[4].id, "no two laws have the same id")                             \
    BREAK(game.nreasons = 0, "a game ends in 1 to 16 ways")                                    \
    BREAK((game.reasons = none, game.nreasons = 1), "there is no such end")                    \
    BREAK((game.reasons = unknown, game.nreasons = 1), "there is no such end")                 \
    BREAK((game.reasons = twice, game.nreasons = 2), "no end is listed twice")                 \
    BREAK(game.nreasons = RULES_ENDS_MAX + 1, "a game ends in 1 to 16 ways")                   \
    BREAK(game.ends = small, "each of the game's own has a number from 256 on")                \
    BREAK(game.roles = nameless, "each of the game's own has a number from 256 on")            \
    BREAK((game.ends = silent, game.reasons = of_silent, game.nreasons = 1), "no such end")    \
    BREAK(game.exports = NULL, "exports: it is a list of names")                               \
    BREAK(game.features = no_names, "features: it is a list of names")                         \
    BREAK(game.move.pattern = NULL, "move: a grammar has")                                     \
    BREAK(game.position.examples = no_examples, "position: a grammar has")                     \
    BREAK(game.noptions = RULES_OPTIONS_MAX + 1, "8 at most")                                  \
    BREAK(options[1].name = "", "options: each has a name")                                    \
    BREAK(options[1].doc = "?", "jump_block: a sentence says what it decides")                 \
    BREAK(options[1].kind = RULES_OPTION_START + 1, "jump_block: there is no such kind")       \
    BREAK(options[1].choices = no_names, "jump_block: its choices are names")                  \
    BREAK(options[1].fallback = 2, "jump_block: its default is one of the choices")            \
    BREAK(options[4].fallback = 1001, "draw_rounds: its default is in its range")              \
    BREAK(options[4].min = 1000, "draw_rounds: its default is in its range")                   \
    BREAK((options[4].zero_is_off = false, options[4].fallback = 0), "its default is in its")  \
    BREAK((options[4].kind = RULES_OPTION_BOOL, options[4].fallback = 2), "default is 0 or 1") \
    BREAK(options[1].name = options[2].name, "no two options have the same name")              \
    BREAK(translate(LANG_PIECE, "jungle.rook"), "in tr for what is not there: jungle.rook")    \
    BREAK(translate(LANG_PIECE, "shogi.rat"), "what is not there: shogi.rat")                  \
    BREAK(translate(LANG_PIECE, NULL), "a key that is NULL")                                   \
    BREAK(translate(LANG_GAME, "shogi"), "what is not there: shogi")                           \
    BREAK(translate(LANG_SIDE, "red-odds"), "what is not there: red-odds")                     \
    BREAK(translate(LANG_REASON, "eaten"), "what is not there: eaten")                         \
    BREAK(translate(LANG_LAW, "jungle.castling"), "what is not there: jungle.castling")        \
    BREAK(translate(LANG_OPTION, "jungle.size"), "what is not there: jungle.size")             \
    BREAK(translate(LANG_NAME, "jungle.men.small"), "what is not there: jungle.men.small")     \
    BREAK(translate(LANG_VALUE, "jungle.rat_shore.no"), "not there: jungle.rat_shore.no")      \
    BREAK(translate(LANG_CHOICE, "jungle.+"), "what is not there: jungle.+")                   \
    BREAK(translate(LANG_ZONE, "jungle.wood"), "what is not there: jungle.wood")               \
    BREAK(translate(LANG_STATUS, "active"), "what is not there: active")                       \
    BREAK(module.interface = RULES_INTERFACE, "a game by the name jungle, and there is one")

Test(module, what_breaks_a_table_is_said_and_the_game_is_not_added)
{
    size_t games = rules_games();
    char fault[RULES_FAULT_TEXT];

#define TRY(change, expected)                                \
    take("jungle");                                          \
    change;                                                  \
    cr_expect_not(rules_add(&module, fault), "%s", #change); \
    cr_expect_not_null(strstr(fault, expected), "%s: %s %s", #change, game.name, fault);
    BREAKS(TRY)
#undef TRY
    cr_assert_eq(rules_games(), games);
}

static bool start_too_large(struct rules_options *given, struct rules_state *state,
                            struct rules_refusal *why)
{
    bool started = rules_find("tictactoe")->start(given, state, why);

    state->bytes = sizeof(state->w) + 1;
    return started;
}

Test(module, a_state_that_is_larger_than_there_is_room_for_begins_no_game)
{
    struct rules_options given;
    struct rules_state state;
    struct rules_refusal why;

    take_tictactoe("noughts");
    game.start = start_too_large;
    rules_options_init(&given);
    cr_assert_not(rules_start(&game, &given, NULL, &state, &why));
    cr_assert_eq(why.code, RULES_BAD_POSITION);
    cr_assert_not(rules_resume(&game, &given, "3/3/3 x 3", &state, &why));
}

Test(module, a_game_that_is_added_is_in_the_list_after_those_that_are_part_of_plyd)
{
    size_t games = rules_games();
    char fault[RULES_FAULT_TEXT];

    take_tictactoe("noughts");
    cr_assert(rules_add(&module, fault), "%s", fault);
    cr_assert_eq(rules_games(), games + 1);
    cr_assert_eq(rules_game(games), &game);
    cr_assert_eq(rules_find("noughts"), &game);
    cr_assert_eq(rules_module_of(&game), &module);
    cr_assert_null(rules_module(games + 1));
    cr_assert_null(rules_game(games + 1));
}

Test(module, an_end_and_a_role_of_a_games_own_have_their_texts_while_it_is_there)
{
    static const struct rules_own ends[] = {{300, "eaten", "All is eaten.", false}, {0}};
    static const struct rules_own roles[] = {{300, "eater", NULL, false}, {0}};
    static const enum rules_reason reasons[] = {RULES_REASON_FULL, (enum rules_reason)300};
    char fault[RULES_FAULT_TEXT];

    take_tictactoe("noughts");
    game.ends = ends;
    game.roles = roles;
    game.reasons = reasons;
    game.nreasons = 2;
    cr_assert_null(rules_reason_text((enum rules_reason)300));
    cr_assert_null(rules_role_text((enum rules_role)300));
    cr_assert_eq(rules_reason_find("eaten"), RULES_REASON_NONE);
    cr_assert(rules_add(&module, fault), "%s", fault);
    cr_assert_str_eq(rules_reason_text((enum rules_reason)300), "eaten");
    cr_assert_str_eq(rules_reason_meaning((enum rules_reason)300), "All is eaten.");
    cr_assert_str_eq(rules_role_text((enum rules_role)300), "eater");
    cr_assert_eq(rules_reason_find("eaten"), (enum rules_reason)300);
    cr_assert_eq(rules_reason_find("full"), RULES_REASON_FULL);
    cr_assert_null(rules_reason_text((enum rules_reason)301));
    cr_assert_null(rules_reason_meaning((enum rules_reason)301));
}

/* A game that differs from one that is there in nothing but its name and an end, or a role. */
static bool add_another(uint16_t number, const char *end, const char *role,
                        char fault[RULES_FAULT_TEXT])
{
    static struct rules_own ends[2], roles[2];
    static struct rules_game other_game;
    static struct rules_module other;
    static const struct rules_law law = {"1", "crosses.all", "All is as it is."};

    ends[0] = (struct rules_own){number, end, "All is so.", false};
    roles[0] = (struct rules_own){300, role, NULL, false};
    other_game = game;
    other_game.name = "crosses";
    other_game.laws = &law;
    other_game.ends = ends;
    other_game.roles = roles;
    other = module;
    other.game = &other_game;
    return rules_add(&other, fault);
}

Test(module, two_games_have_one_number_only_for_the_same)
{
    static const struct rules_own ends[] = {{300, "eaten", "All is eaten.", false}, {0}};
    static const struct rules_own roles[] = {{300, "eater", NULL, false}, {0}};
    char fault[RULES_FAULT_TEXT];

    take_tictactoe("noughts");
    game.ends = ends;
    game.roles = roles;
    cr_assert(rules_add(&module, fault), "%s", fault);
    cr_assert_not(add_another(300, "drunk", "eater", fault));
    cr_assert_str_eq(fault, "gives the number 300 to drunk, and another game has it for eaten");
    cr_assert_not(add_another(300, "eaten", "drinker", fault));
    cr_assert_str_eq(fault, "gives the number 300 to drinker, and another game has it for eater");
    cr_assert_not(add_another(301, "eaten", "eater", fault));
    cr_assert_str_eq(fault, "has an end of its own by the name eaten, which is number 300");
    cr_assert_not(add_another(300, "full", "eater", fault));
    cr_assert_not(add_another(301, "full", "eater", fault));
    cr_assert(add_another(300, "eaten", "eater", fault), "%s", fault);
}

Test(module, there_is_an_end_of_games_that_can_be_added)
{
    static struct rules_module more[RULES_GAMES_MAX];
    static struct rules_game games[RULES_GAMES_MAX];
    static char name[RULES_GAMES_MAX][RULES_NAME], law[RULES_GAMES_MAX][RULES_NAME];
    static struct rules_law only[RULES_GAMES_MAX];
    char fault[RULES_FAULT_TEXT];
    size_t i = 0;

    take("tictactoe");
    module.translations = NULL;
    for (; rules_games() < RULES_GAMES_MAX; i++) {
        name[i][0] = (char)('a' + i / 26);
        name[i][1] = (char)('a' + i % 26);
        strcat(strcpy(law[i], name[i]), ".law");
        only[i] = (struct rules_law){"1", law[i], "All is as it is."};
        games[i] = game;
        games[i].name = name[i];
        games[i].laws = &only[i];
        games[i].nlaws = 1;
        more[i] = module;
        more[i].game = &games[i];
        cr_assert(rules_add(&more[i], fault), "%s", fault);
    }
    take_tictactoe("noughts");
    cr_assert_not(rules_add(&module, fault));
    cr_assert_not_null(strstr(fault, "one game more than plyd can have"), "%s", fault);
}

/* ---- the numbers that modules were compiled with ---- */

/* Each text has the number of its place, for good: to these lists is only appended. */
static const char *const kept_codes[] = {"ok",
                                         "bad-move-text",
                                         "out-of-board",
                                         "empty-square",
                                         "not-your-piece",
                                         "occupied",
                                         "wrong-shape",
                                         "blocked",
                                         "leaves-king-in-check",
                                         "nifu",
                                         "drop-pawn-mate",
                                         "dead-end-drop",
                                         "must-promote",
                                         "cannot-promote",
                                         "not-in-hand",
                                         "must-capture",
                                         "must-capture-more",
                                         "ambiguous",
                                         "river",
                                         "own-den",
                                         "own-trap",
                                         "rank-too-high",
                                         "jump-blocked",
                                         "too-few-to-capture",
                                         "stack-too-small",
                                         "no-common-move",
                                         "game-over",
                                         "cannot-declare",
                                         "bad-position",
                                         "bad-option",
                                         "unknown-field",
                                         "not-allowed"};
static const char *const kept_reasons[] = {
    "none",        "checkmate", "stalemate", "king_captured", "repetition",   "perpetual_check",
    "impasse",     "max_plies", "line",      "full",          "all_captured", "dead",
    "no_progress", "den",       "no_pieces", "blocked",       "no_capture",   "one_v_one"};
static const char *const kept_roles[] = {"from",   "to",       "blocker",  "checker",
                                         "king",   "pawn",     "rat",      "defender",
                                         "unable", "offender", "capturer", "captured"};

Test(module, a_code_an_end_or_a_role_keeps_its_number)
{
    for (size_t i = 0; i < sizeof(kept_codes) / sizeof(kept_codes[0]); i++)
        cr_expect_str_eq(rules_code_text((enum rules_code)i), kept_codes[i]);
    for (size_t i = 0; i < sizeof(kept_reasons) / sizeof(kept_reasons[0]); i++)
        cr_expect_str_eq(rules_reason_text((enum rules_reason)i), kept_reasons[i]);
    for (size_t i = 0; i < sizeof(kept_roles) / sizeof(kept_roles[0]); i++)
        cr_expect_str_eq(rules_role_text((enum rules_role)i), kept_roles[i]);
}
