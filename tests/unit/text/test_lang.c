/* test_lang.c - the languages have every word, and boards, games and refusals are told in them. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/words.h"
#include "api/terminal/read_command.h"
#include "api/text/lang.h"
#include "api/text/problem.h"
#include "api/text/refusal.h"
#include "api/view/board.h"
#include "api/view/catalogue.h"
#include "api/view/view.h"
#include "engine/engine.h"
#include "rules/draw/art.h"
#include "rules/draw/textboard.h"
#include "tests/unit/played.h"

TestSuite(lang, .fini = played_free);

static const char *const translations[] = {"ja", "tr"};
enum { TRANSLATIONS = sizeof(translations) / sizeof(translations[0]) };

/* How a game can end that no rule ends. */
static const char *const said[] = {"resign", "timeout", "no_start", "agreement",
                                   "foul",   "forfeit", "declined", "expired"};

/* A key that a translation must have. */
struct needed {
    enum lang_kind kind;
    const char *key;
};

enum { NEEDED_MAX = 2048 };

struct needs {
    struct needed key[NEEDED_MAX];
    size_t count;
};

static void need(struct needs *needs, enum lang_kind kind, const char *key)
{
    for (size_t i = 0; i < needs->count; i++)
        if (needs->key[i].kind == kind && strcmp(needs->key[i].key, key) == 0)
            return;
    cr_assert_lt(needs->count, NEEDED_MAX);
    needs->key[needs->count++] = (struct needed){kind, key};
}

static void need_option(struct needs *needs, const struct rules_game *game,
                        const struct rules_option *option)
{
    const char *key = arena_format(&played_arena, "%s.%s", game->name, option->name);

    need(needs, LANG_OPTION, key);
    need(needs, LANG_NAME, key);
    for (const char *const *value = option->choices; value != NULL && *value != NULL; value++)
        need(needs, LANG_VALUE, arena_format(&played_arena, "%s.%s", key, *value));
}

/* The engines, each with its levels. */
static void need_engines(struct needs *needs)
{
    static const char *const engines[] = {"plyd", "random"};

    for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
        need(needs, LANG_NAME, engines[i]);
        need(needs, LANG_LEVEL, engines[i]);
    }
    for (unsigned level = 1; level <= ENGINE_LEVELS; level++)
        need(needs, LANG_LEVEL, arena_format(&played_arena, "%u", level));
}

static void need_game(struct needs *needs, const struct rules_game *game)
{
    need(needs, LANG_GAME, game->name);
    for (int seat = 0; seat < RULES_SEATS; seat++) {
        need(needs, LANG_SIDE, game->seat[seat].name);
        if (game->at_odds != NULL)
            need(needs, LANG_SIDE, arena_format(&played_arena, "%s-odds", game->seat[seat].name));
    }
    for (size_t i = 0; i < game->npieces; i++)
        need(needs, LANG_PIECE,
             arena_format(&played_arena, "%s.%s", game->name, game->pieces[i].name));
    need(needs, LANG_MOVES, game->name);
    need(needs, LANG_DOC, game->name);
    for (size_t i = 0; i < game->noptions; i++)
        need_option(needs, game, &game->options[i]);
    for (const struct rules_choice *choice = game->choices; choice != NULL && choice->click != NULL;
         choice++)
        need(needs, LANG_CHOICE, arena_format(&played_arena, "%s.%s", game->name, choice->click));
    for (const struct rules_set *set = game->art->sets; set != NULL && set->name != NULL; set++)
        need(needs, LANG_NAME, arena_format(&played_arena, "%s.men.%s", game->name, set->name));
    for (size_t i = 0; i < game->nzones; i++)
        need(needs, LANG_ZONE,
             arena_format(&played_arena, "%s.%s", game->name, game->zones[i].name));
    for (size_t i = 0; i < game->nreasons; i++)
        need(needs, LANG_MEANING, rules_reason_text(game->reasons[i]));
    for (size_t i = 0; i < game->nlaws; i++)
        need(needs, LANG_LAW, game->laws[i].id);
}

/* All texts of a language, those of the program and of the games. */
static const struct lang_text *texts_of(const struct lang *lang, size_t *count)
{
    struct lang_text *all = arena_zero(&played_arena, NEEDED_MAX * sizeof(*all));

    *count = 0;
    for (size_t part = 0; part < lang_parts(); part++) {
        size_t n;
        const struct lang_text *texts = lang_texts(lang, part, &n);

        cr_assert_leq(*count + n, NEEDED_MAX);
        for (size_t i = 0; i < n; i++)
            all[(*count)++] = texts[i];
    }
    return all;
}

/* The English of <plyd-board> is in a script, with which tests/browser compares these. */
static void need_elements(struct needs *needs)
{
    size_t n;
    const struct lang_text *texts = texts_of(lang_find("ja"), &n);

    for (size_t i = 0; i < n; i++)
        if (texts[i].kind == LANG_ELEMENT)
            need(needs, LANG_ELEMENT, texts[i].key);
}

static struct needs *all_needs(void)
{
    struct needs *needs = arena_zero(&played_arena, sizeof(*needs));
    size_t words;
    const struct lang_text *english = texts_of(lang_find("en"), &words);

    for (size_t i = 0; i < words; i++)
        need(needs, english[i].kind, english[i].key);
    need_elements(needs);
    for (size_t i = 0; i < rules_games(); i++)
        need_game(needs, rules_game(i));
    need_engines(needs);
    for (size_t i = 0; i < VIEW_PLAYERS_ENDS; i++)
        need(needs, LANG_MEANING, view_players_ends[i].reason);
    for (int status = STATUS_OPEN; status <= STATUS_ABORTED; status++)
        need(needs, LANG_STATUS, words_status(status));
    for (int reason = RULES_REASON_NONE + 1; reason < RULES_REASONS; reason++)
        need(needs, LANG_REASON, rules_reason_text((enum rules_reason)reason));
    for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
        need(needs, LANG_REASON, said[i]);
    for (int problem = PROBLEM_NONE + 1; problem < PROBLEMS; problem++)
        need(needs, LANG_TITLE, problem_kind((enum problem)problem)->code);
    for (int code = RULES_OK + 1; code < RULES_CODES; code++)
        need(needs, LANG_DETAIL, rules_code_text((enum rules_code)code));
    for (int command = COMMAND_MOVE + 1; command < COMMAND_KINDS; command++)
        need(needs, LANG_ORDER, command_word((enum command_kind)command));
    return needs;
}

Test(lang, every_language_has_every_text_and_no_other)
{
    const struct needs *needs = all_needs();

    for (size_t l = 0; l < TRANSLATIONS; l++) {
        const struct lang *lang = lang_find(translations[l]);
        size_t n;
        const struct lang_text *texts = texts_of(lang, &n);

        for (size_t i = 0; i < needs->count; i++)
            cr_expect_not_null(lang_say(lang, needs->key[i].kind, needs->key[i].key, NULL),
                               "%s lacks %d \"%s\"", translations[l], needs->key[i].kind,
                               needs->key[i].key);
        for (size_t i = 0; i < n; i++) {
            size_t at = 0, times = 0;

            while (at < needs->count && (needs->key[at].kind != texts[i].kind ||
                                         strcmp(needs->key[at].key, texts[i].key) != 0))
                at++;
            for (size_t other = 0; other < n; other++)
                times += texts[other].kind == texts[i].kind &&
                         strcmp(texts[other].key, texts[i].key) == 0;
            cr_expect_lt(at, needs->count, "%s has \"%s\", which nothing asks for", translations[l],
                         texts[i].key);
            cr_expect_eq(times, 1, "%s has \"%s\" %zu times", translations[l], texts[i].key, times);
        }
    }
}

/* Whether each place of a template, such as "{side}", is in the other one. */
static bool has_places(const char *template, const char *other)
{
    for (const char *at = strchr(template, '{'); at != NULL; at = strchr(at + 1, '{')) {
        char place[32];
        size_t len = strcspn(at, "}") + 1;

        memcpy(place, at, len);
        place[len] = '\0';
        if (strstr(other, place) == NULL)
            return false;
    }
    return true;
}

Test(lang, a_template_has_the_places_of_the_english_one)
{
    for (size_t l = 0; l < TRANSLATIONS; l++) {
        const struct lang *lang = lang_find(translations[l]);
        size_t n;
        const struct lang_text *english = texts_of(lang_find("en"), &n);

        for (size_t i = 0; i < n; i++) {
            const char *text = lang_say(lang, english[i].kind, english[i].key, "");

            cr_expect(has_places(text, english[i].text), "%s: %s", translations[l], text);
            cr_expect(*text == '\0' || has_places(english[i].text, text), "%s: %s", translations[l],
                      text);
        }
        for (int code = RULES_OK + 1; code < RULES_CODES; code++) {
            const char *detail = rules_code_detail((enum rules_code)code);
            const char *text =
                lang_say(lang, LANG_DETAIL, rules_code_text((enum rules_code)code), detail);

            cr_expect(has_places(text, detail) && has_places(detail, text), "%s: %s",
                      translations[l], text);
        }
    }
}

Test(lang, an_unknown_language_or_text_is_told)
{
    cr_assert_null(lang_find("de"));
    cr_assert_null(lang_find("jav"));
    cr_assert_eq(lang_find("ja-JP"), lang_find("ja"));
    cr_assert_eq(lang_find("TR_tr"), lang_find("tr"));
    cr_assert_null(lang_find(""));
    cr_assert_str_eq(lang_say(lang_find("tr"), LANG_LAW, "chess.castling", "English"), "English");
    cr_assert_str_eq(lang_word(NULL, "empty"), "empty");
}

/* ---- what is told in them ---- */

static struct game_view view_of(struct played *game, const char *lang)
{
    return (struct game_view){.row = &game->row,
                              .game = game->game,
                              .state = &game->state,
                              .lang = lang == NULL ? NULL : lang_find(lang)};
}

/* A board of a game that has just begun. */
static const char *board_in(const char *lang, const char *variant, const char *options,
                            enum rules_style style)
{
    struct played *game = arena_alloc(&played_arena, sizeof(*game));
    struct game_view view;
    struct rules_look look;

    played_start(game, variant, options);
    view = view_of(game, lang);
    rules_look_init(&look);
    look.style = style;
    look.selected = game->game->board(&game->state).width * 4U;
    return view_board_text(&played_arena, &view, &look);
}

static void assert_has(const char *text, const char *part)
{
    cr_assert_not_null(strstr(text, part), "%s\nis not in\n%s", part, text);
}

Test(lang, a_board_has_the_words_of_its_language)
{
    static const struct {
        const char *lang, *variant, *options;
        enum rules_style style;
        const char *parts[3];
    } rows[] = {
        {NULL, "shogi", "", RULES_STYLE_UNICODE, {"後手の持駒：なし", "sente to move", "empty"}},
        {"en", "shogi", "", RULES_STYLE_UNICODE, {"gote in hand: -", "sente to move", "empty"}},
        {"ja", "shogi", "", RULES_STYLE_UNICODE, {"後手の持駒：なし", "手番：先手", "空"}},
        {"tr", "shogi", "", RULES_STYLE_UNICODE, {"gote, elde: -", "Sıra: sente", "boş"}},
        {NULL,
         "shogi",
         "start=bishop",
         RULES_STYLE_UNICODE,
         {"上手の持駒：なし", "下手の持駒：なし", "gote to move"}},
        {"ja",
         "shogi",
         "start=bishop",
         RULES_STYLE_UNICODE,
         {"上手の持駒：なし", "下手の持駒：なし", "手番：上手"}},
        {"tr",
         "shogi",
         "start=bishop",
         RULES_STYLE_UNICODE,
         {"uvate, elde: -", "şitate, elde: -", "Sıra: uvate"}},
        {"tr", "turkish-draughts", "", RULES_STYLE_UNICODE, {"Sıra: beyaz", "boş", ""}},
        {"ja", "jungle", "", RULES_STYLE_ANSI, {"手番：赤", "空", ""}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (int part = 0; part < 3; part++)
            assert_has(board_in(rows[i].lang, rows[i].variant, rows[i].options, rows[i].style),
                       rows[i].parts[part]);
}

Test(lang, an_end_that_the_position_shows_is_told_without_a_row)
{
    struct played game;
    struct game_view view;

    played_start(&game, "tictactoe", "");
    played_moves(&game, "a1 a2 b1 b2 c1");
    game.row.status = STATUS_ACTIVE; /* as at an earlier look at this ply */
    view = view_of(&game, "tr");
    assert_has(view_position_text(&played_arena, &view), "x kazandı (sıra tamamlandı)");
}

Test(lang, a_game_is_told_in_its_language)
{
    struct played game;
    struct game_view view;

    played_start(&game, "turkish-draughts", "");
    game.row.seat[0].name = "Ada";
    game.row.seat[1].name = NULL;
    game.row.status = STATUS_FINISHED;
    game.row.winner = 2;
    game.row.reason = "resign";
    view = view_of(&game, "tr");
    assert_has(view_game_text(&played_arena, &view), "Dama, oyun ");
    assert_has(view_game_text(&played_arena, &view), ", bitti, 0. yarım hamle\n");
    assert_has(view_game_text(&played_arena, &view), "beyaz: Ada, siyah: biri\n");
    assert_has(view_game_text(&played_arena, &view), "siyah kazandı (terk)\n");
    view = view_of(&game, "ja");
    assert_has(view_game_text(&played_arena, &view), "黒の勝ち（投了）\n");
}

/* Why a first move is refused. */
static const char *refusal_in(const char *lang, const char *variant, const char *move)
{
    struct played *game = arena_alloc(&played_arena, sizeof(*game));
    struct rules_refusal why;
    rules_move read;

    played_start(game, variant, "");
    cr_assert_not(game->game->read_move(&game->state, move, &read, &why));
    return refusal_text(&played_arena, game->game, &game->state, move, &why, lang_find(lang));
}

Test(lang, a_refusal_has_its_squares_and_its_law_in_any_language)
{
    cr_expect_str_eq(refusal_in("tr", "shogi", "8h2b"),
                     "8h2b için yol kapalı: 7g. Başka bir taşın üstünden yalnız at atlar.");
    cr_expect_str_eq(refusal_in("ja", "shogi", "8h2b"),
                     "8h2b は 7g の駒に妨げられています。 駒を跳び越せるのは桂馬だけです。");
    cr_expect_str_eq(
        refusal_in("tr", "tictactoe", ""),
        "Boş metin bir hamle olarak okunamıyor. Bir hamle bir karedir, b2, ya da yukarıdan "
        "satırı ile sütunudur, 2 3.");
}
