#include "api/terminal/show.h"

#include <stdio.h>
#include <string.h>

#include "api/game/words.h"
#include "api/record/ends.h"
#include "api/text/legal_moves.h"
#include "api/text/move_text.h"
#include "api/text/options.h"
#include "api/text/refusal.h"
#include "api/view/board.h"

enum { LINE_CELLS = 76 };

bool show_plain(const struct show_style *style)
{
    return style->style == RULES_STYLE_ASCII;
}

bool show_has_stacks(const struct rules_game *game)
{
    for (size_t i = 0; game->features[i] != NULL; i++)
        if (strcmp(game->features[i], "stacks") == 0)
            return true;
    return false;
}

const struct lang *show_lang(const struct show_style *style)
{
    return show_plain(style) ? NULL : style->lang;
}

void show_say(struct out *out, const struct show_style *style, const char *key, ...)
{
    va_list pairs;

    va_start(pairs, key);
    out_format(out, "%s\n", lang_fill_list(out->arena, show_lang(style), key, pairs));
    va_end(pairs);
}

const char *show_number(struct arena *arena, size_t n)
{
    return arena_format(arena, "%zu", n);
}

const char *show_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

const char *show_quoted(struct arena *arena, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=.,:/@%";
    struct out out;

    if (*text != '\0' && text[strspn(text, plain)] == '\0')
        return text;
    out_init_short(&out, arena);
    out_add(&out, "'");
    for (; *text != '\0'; text++)
        if (*text == '\'')
            out_add(&out, "'\\''");
        else
            out_bytes(&out, text, 1);
    out_add(&out, "'");
    return out.text;
}

const char *show_title(const struct rules_game *game, const struct show_style *style)
{
    return lang_say(show_lang(style), LANG_GAME, game->name, game->title);
}

const char *show_side(const struct match *match, unsigned seat, const struct show_style *style)
{
    const struct rules_game *game = match->game;
    bool odds = game->at_odds != NULL && game->at_odds(match_state(match));
    const char *name = game->seat[seat - 1].name;
    char key[32];

    snprintf(key, sizeof(key), "%s%s", name, odds ? "-odds" : "");
    return lang_say(show_lang(style), LANG_SIDE, key, name);
}

void show_bad_start(struct out *out, const struct rules_game *game,
                    const struct rules_options *options, const char *position,
                    const struct rules_refusal *why, const struct show_style *style)
{
    const struct lang *lang = show_lang(style);
    const char *starts = options_no_such_start(out->arena, game, options, position);

    if (starts != NULL) {
        out_format(out, "%s\n", starts);
        return;
    }
    out_format(out, "%s%s%s\n",
               lang_say(lang, LANG_TITLE, rules_code_text(why->code), rules_code_title(why->code)),
               why->law == NULL ? "" : ": ",
               why->law == NULL ? "" : refusal_law_text(why->law, lang));
}

/* A stored game for the views, with only the members that they read for boards. */
static struct db_game row_at(const struct match *match, size_t ply)
{
    bool over = !match_goes_on(match);

    return (struct db_game){
        .status = over ? STATUS_FINISHED : STATUS_ACTIVE,
        .winner = (int16_t)match->outcome.winner,
        .reason = over ? record_end_text(&match->outcome) : NULL,
        .last_move = match->ply[ply].text,
    };
}

static struct game_view view_at(const struct match *match, size_t ply, const struct db_game *row,
                                const struct show_style *style)
{
    return (struct game_view){
        .row = row,
        .game = match->game,
        .state = match->ply[ply].state,
        .before = ply > 0 ? match->ply[ply - 1].state : NULL,
        .last = match->ply[ply].move,
        .lang = show_lang(style),
    };
}

void show_look(const struct match *match, size_t ply, const struct show_style *style,
               struct rules_look *look)
{
    struct db_game row = row_at(match, ply);
    struct game_view view = view_at(match, ply, &row, style);

    rules_look_init(look);
    look->style = style->style;
    look->view = style->view;
    view_mark_usual(look, &view);
}

const char *show_board(struct arena *arena, const struct match *match, size_t ply,
                       const struct show_style *style, struct rules_look *look)
{
    struct db_game row = row_at(match, ply);
    struct game_view view = view_at(match, ply, &row, style);

    if (ply == match->len)
        look->ending = view_ending(arena, &view);
    return view_board_text(arena, &view, look);
}

static const char *man_text(struct arena *arena, const struct match *match, struct rules_man man,
                            const struct show_style *style)
{
    const struct rules_game *game = match->game;
    const char *name = game->pieces[man.kind].name;
    const char *key = arena_format(arena, "%s.%s", game->name, name);

    return arena_format(arena, "%s (%s)", lang_say(show_lang(style), LANG_PIECE, key, name),
                        show_side(match, man.seat, style));
}

const char *show_men(struct arena *arena, const struct match *match, size_t ply, unsigned square,
                     const struct show_style *style)
{
    const struct rules_state *state = match->ply[ply].state;
    struct rules_man men[RULES_STACK_MAX];
    char name[RULES_SQUARE_TEXT];
    size_t n = match->game->at(state, square, men, RULES_STACK_MAX);
    struct out list, said;

    out_init(&list, arena);
    out_init(&said, arena);
    rules_square_text(match->game->board(state), square, name);
    for (size_t i = n; i > 0; i--)
        out_format(&list, "%s%s", i < n ? ", " : "", man_text(arena, match, men[i - 1], style));
    if (n == 0)
        show_say(&said, style, "play-empty-square", "square", name, NULL);
    else
        show_say(&said, style, "play-men", "square", name, "men", list.text, NULL);
    return said.text;
}

/* ---- moves ---- */

static const char *move_at(struct arena *arena, const struct match *match, size_t ply,
                           rules_move move, const struct show_style *style)
{
    const struct match_ply *before = &match->ply[ply];

    if (show_plain(style))
        return move_text(arena, match->game, before->state, move);
    return move_text_pretty(arena, match->game, before->state, before->move, move);
}

const char *show_played(struct arena *arena, const struct match *match, size_t ply,
                        const struct show_style *style)
{
    return move_at(arena, match, ply - 1, match->ply[ply].move, style);
}

const char *show_move(struct arena *arena, const struct match *match, rules_move move,
                      const struct show_style *style)
{
    return move_at(arena, match, match->len, move, style);
}

const char *show_moves(struct arena *arena, const struct match *match,
                       const struct show_style *style)
{
    struct out out;

    out_init(&out, arena);
    if (match->len == 0)
        show_say(&out, style, "play-no-moves-yet", NULL);
    for (size_t ply = 1; ply <= match->len; ply++) {
        if (ply % 2 == 1)
            out_format(&out, "%4zu", ply);
        out_format(&out, "  %s%s", show_played(arena, match, ply, style),
                   ply % 2 == 0 || ply == match->len ? "\n" : "");
    }
    return out.text;
}

/* Whether a move begins with this click. True for every move if `click` is "". */
static bool shown_begins_with(const struct match *match, rules_move move, const char *click)
{
    char path[RULES_PATH_MAX][RULES_SQUARE_TEXT];

    if (*click == '\0')
        return true;
    match->game->path(match_state(match), move, path);
    return strcmp(path[0], click) == 0;
}

const char *show_legal(struct arena *arena, const struct match *match, const char *from,
                       const struct show_style *style)
{
    rules_move *moves;
    size_t n = legal_moves(arena, match->game, match_state(match), &moves), column = 0;
    struct out out;

    out_init(&out, arena);
    for (size_t i = 0; i < n; i++) {
        const char *text = move_text(arena, match->game, match_state(match), moves[i]);

        if (!shown_begins_with(match, moves[i], from))
            continue;
        if (column + 1 + strlen(text) > LINE_CELLS) {
            out_add(&out, "\n");
            column = 0;
        }
        out_format(&out, "%s%s", column > 0 ? " " : "", text);
        column += strlen(text) + 1;
    }
    if (column > 0)
        out_add(&out, "\n");
    else
        show_say(&out, style, "play-no-legal-move", NULL);
    return out.text;
}
