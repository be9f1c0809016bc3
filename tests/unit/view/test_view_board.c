/* test_view_board.c - boards as JSON and as texts say of every square what the rules say. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "api/game/words.h"
#include "api/text/json.h"
#include "api/view/board.h"
#include "rules/draw/textboard.h"
#include "tests/unit/played.h"
#include "tests/unit/seen.h"

TestSuite(view_board, .fini = played_free);

static struct game_view view_of(const struct played *played)
{
    return (struct game_view){.row = &played->row, .game = played->game, .state = &played->state};
}

static struct seen *board_seen(const struct game_view *view)
{
    struct json json;

    json_init(&json, &played_arena);
    view_board(&json, view);
    return seen_read(json.out.text);
}

static struct seen *board_of(const struct played *played)
{
    struct game_view view = view_of(played);

    return board_seen(&view);
}

static const char *square_name(const struct played *played, unsigned square)
{
    char name[RULES_SQUARE_TEXT];

    rules_square_text(played->game->board(&played->state), square, name);
    return arena_copy(&played_arena, name, strlen(name));
}

/* Texts parted by blanks, one after the other. */
static const char *more(const char *list, const char *text)
{
    return arena_format(&played_arena, "%s%s%s", list, *list == '\0' ? "" : " ", text);
}

/* ---- a board as JSON ---- */

static void assert_men(const struct seen *board, const struct played *played, unsigned square,
                       const char *at)
{
    struct rules_man men[RULES_STACK_MAX];
    size_t n = played->game->at(&played->state, square, men, RULES_STACK_MAX);

    cr_assert_eq(seen_has(board, "%s.men", at), n > 0, "%s", at);
    cr_assert(n == 0 || seen_count(board, "%s.men", at) == n, "%s", at);
    for (size_t i = 0; i < n; i++) {
        const struct rules_piece *piece = &played->game->pieces[men[i].kind];
        unsigned side = men[i].seat - 1U;

        cr_assert_eq(seen_number(board, "%s.men.%zu.seat", at, i), men[i].seat);
        cr_assert_str_eq(seen_text(board, "%s.men.%zu.piece", at, i), piece->letter[side]);
        cr_assert_str_eq(seen_text(board, "%s.men.%zu.name", at, i), piece->name);
        cr_assert_str_eq(seen_text(board, "%s.men.%zu.symbol", at, i), piece->symbol[side]);
    }
}

static void assert_zones(const struct seen *board, const struct played *played, unsigned square,
                         const char *at)
{
    const char *zones = "";

    for (size_t i = 0; i < played->game->nzones; i++)
        if (played->game->zones[i].has(&played->state, square))
            zones = more(zones, played->game->zones[i].name);
    cr_assert_eq(seen_has(board, "%s.zones", at), *zones != '\0', "%s", at);
    if (*zones != '\0')
        cr_assert_str_eq(seen_list(board, "%s.zones", at), zones);
}

static void assert_squares(const struct seen *board, const struct played *played)
{
    struct rules_board shape = played->game->board(&played->state);

    cr_assert_eq(seen_number(board, "width"), shape.width);
    cr_assert_eq(seen_number(board, "height"), shape.height);
    cr_assert_eq(seen_count(board, "rows"), shape.height);
    for (unsigned square = 0; square < (unsigned)shape.width * shape.height; square++) {
        unsigned row = square / shape.width, column = square % shape.width;
        const char *at = arena_format(&played_arena, "rows.%u.%u", row, column);

        cr_assert_eq(seen_count(board, "rows.%u", row), shape.width);
        cr_assert_str_eq(seen_text(board, "%s.square", at), square_name(played, square));
        assert_men(board, played, square, at);
        assert_zones(board, played, square, at);
    }
}

static void assert_hand(const struct seen *board, const struct played *played, unsigned seat)
{
    const struct rules_game *game = played->game;
    size_t n = 0;

    for (const int8_t *kind = game->drawing.hand_order; *kind >= 0; kind++) {
        const struct rules_piece *piece = &game->pieces[*kind];
        unsigned count = game->hand(&played->state, seat, (unsigned)*kind);
        const char *at = arena_format(&played_arena, "hands.%u.%zu", seat, n);

        if (count == 0)
            continue;
        n++;
        cr_assert_eq(seen_number(board, "%s.seat", at), seat);
        cr_assert_eq(seen_number(board, "%s.count", at), count);
        cr_assert_str_eq(seen_text(board, "%s.piece", at), piece->letter[seat - 1]);
        cr_assert_str_eq(seen_text(board, "%s.name", at), piece->name);
        cr_assert_str_eq(seen_text(board, "%s.symbol", at), piece->symbol[seat - 1]);
        cr_assert_eq(seen_has(board, "%s.click", at), (int16_t)seat == played->row.to_move);
        if ((int16_t)seat == played->row.to_move)
            cr_assert_str_eq(seen_text(board, "%s.click", at),
                             arena_format(&played_arena, "%s*", piece->letter[0]));
    }
    cr_assert_eq(seen_count(board, "hands.%u", seat), n);
}

static void shows_the_position(const char *variant, const char *options)
{
    for (uint64_t seed = 1; seed < 7; seed++) {
        struct played *game = arena_alloc(&played_arena, sizeof(*game));
        struct seen *board;

        played_start(game, variant, options);
        played_random(game, seed, (int)seed * 9);
        board = board_of(game);
        assert_squares(board, game);
        cr_assert_eq(seen_has(board, "hands"), game->game->hand != NULL);
        for (unsigned seat = 1; seat <= RULES_SEATS && game->game->hand != NULL; seat++)
            assert_hand(board, game, seat);
        seen_free(board);
        arena_reset(&played_arena);
    }
}

Test(view_board, every_square_has_its_men_and_zones_and_every_hand_its_pieces)
{
    played_each(shows_the_position);
}

Test(view_board, a_hand_shows_every_kind_in_its_order)
{
    struct played game;
    struct seen *board;

    for (int seat = 1; seat <= 2; seat++) {
        played_from(&game, "shogi", "",
                    arena_format(&played_arena, "4k4/9/9/9/9/9/9/9/4K4 %s RB2GSNL3Prbgsn2lp 1",
                                 seat == 1 ? "b" : "w"));
        board = board_of(&game);
        assert_hand(board, &game, 1);
        assert_hand(board, &game, 2);
        cr_assert_eq(seen_count(board, "hands.1"), 7);
        cr_assert_str_eq(seen_text(board, "hands.1.0.name"), "rook");
        cr_assert_str_eq(seen_text(board, "hands.2.6.name"), "pawn");
        seen_free(board);
    }
}

Test(view_board, files_and_ranks_are_labelled_from_the_left_and_from_the_top)
{
    static const struct {
        const char *variant, *options, *files, *ranks;
    } rows[] = {
        {"shogi", "", "9 8 7 6 5 4 3 2 1", "a b c d e f g h i"},
        {"jungle", "", "a b c d e f g", "9 8 7 6 5 4 3 2 1"},
        {"tictactoe", "rows=11 cols=2 k=2", "a b", "11 10 9 8 7 6 5 4 3 2 1"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct played *game = arena_alloc(&played_arena, sizeof(*game));
        struct seen *board;

        played_start(game, rows[i].variant, rows[i].options);
        board = board_of(game);
        cr_assert_str_eq(seen_list(board, "files"), rows[i].files);
        cr_assert_str_eq(seen_list(board, "ranks"), rows[i].ranks);
        seen_free(board);
    }
}

/* ---- marks ---- */

/* The marked squares, each with the signs of its marks: "2b. 7g*". */
static const char *marks_of(const struct played *played, const struct rules_look *look)
{
    struct rules_board board = played->game->board(&played->state);
    const char *list = "";

    for (unsigned square = 0; square < (unsigned)board.width * board.height; square++) {
        unsigned mark = look->mark[square];

        if (mark != 0)
            list =
                more(list, arena_format(&played_arena, "%s%s%s%s%s%s", square_name(played, square),
                                        (mark & RULES_MARK_CHECK) != 0 ? "!" : "",
                                        (mark & RULES_MARK_LAST) != 0 ? "*" : "",
                                        (mark & RULES_MARK_LEGAL) != 0 ? "." : "",
                                        (mark & RULES_MARK_WIN) != 0 ? "=" : "",
                                        (mark & RULES_MARK_TAKEN) != 0 ? "x" : ""));
    }
    return list;
}

/* A rook that goes to 9a gives check from there. */
static const char in_check[] = "4k4/9/9/9/9/9/9/4K4/R8 b - 1";

static const struct {
    const char *variant, *position, *moves, *asked, *marks;
} marked[] = {
    {"shogi", NULL, "", "last,check", ""},
    {"shogi", NULL, "", "legal:7g", "7f."},
    {"shogi", NULL, "7g7f 3c3d", "last", "3c* 3d*"},
    {"shogi", NULL, "7g7f 3c3d", "legal:8h", "2b. 3c. 4d. 5e. 6f. 7g."},
    {"shogi", NULL, "7g7f 3c3d 8h2b+ 3a2b", "legal:B*",
     "3a. 9b. 7b. 6b. 5b. 4b. 3b. 1b. 3c. 9d. 8d. 7d. 6d. 5d. 4d. 2d. 1d. 9e. 8e. 7e. 6e. 5e. 4e. "
     "3e. 2e. 1e. 9f. 8f. 6f. 5f. 4f. 3f. 2f. 1f. 7g. 9h. 8h. 7h. 6h. 5h. 4h. 3h. 1h."},
    {"shogi", NULL, "7g7f", "legal:8i", ""},
    {"shogi", NULL, "7g7f", "legal:", ""},
    {"shogi", in_check, "9i9a", "check", "5a!"},
    {"shogi", in_check, "9i9a", "last", "9a* 9i*"},
    {"shogi", in_check, "9i9a", "legal", "6b. 5b. 4b."},
    {"shogi", in_check, "9i9a", "check,last,legal:5a", "9a* 5a! 6b. 5b. 4b. 9i*"},
    {"jungle", NULL, "a3a4", "last,legal:g7", "g8. f7. g6. a4* a3*"},
    {"tictactoe", NULL, "b2 a3", "last,legal", "a3* b3. c3. a2. c2. a1. b1. c1."},
    {"turkish-draughts", "W:WKa1,h1:Ba3,b4,Kh8", "", "legal", "c4. d4. e4. f4. g4. h4."},
    {"turkish-draughts", "W:WKa1,h1:Ba3,b4,Kh8", "", "legal:a1", "c4. d4. e4. f4. g4. h4."},
    {"turkish-draughts", "W:WKa1,h1:Ba3,b4,Kh8", "a1xa4xd4", "last,taken", "a4* b4x d4* a3x a1*"},
    {"turkish-draughts", "W:WKa1,h1:Ba3,b4,Kh8", "a1xa4xd4", "win", ""},
    {"shogi", NULL, "7g7f 3c3d 8h2b+", "taken", ""},
    {"tictactoe", "xx1/oo1/3 x 3", "c3", "last,win", "a3= b3= c3*="},
    {"tictactoe", "2x/xx1/ooo x 3", "", "win", "a1= b1= c1="},
    {"tictactoe", NULL, "b2", "win", ""},
};

static void set_up(struct played *game, size_t row)
{
    played_from(game, marked[row].variant, "", marked[row].position);
    played_moves(game, marked[row].moves);
}

/* The game as somebody sees it who has looked its last move up. */
static struct game_view view_with_trail(const struct played *played)
{
    struct game_view view = view_of(played);
    int32_t ply = played->row.ply;
    struct rules_refusal why;

    if (ply == 0)
        return view;
    view.before = &played->recent[(ply - 1) % 4];
    cr_assert(played->game->read_move(view.before, played->row.last_move, &view.last, &why));
    return view;
}

Test(view_board, the_squares_are_marked_that_are_asked_for_and_no_others)
{
    for (size_t i = 0; i < sizeof(marked) / sizeof(marked[0]); i++) {
        struct played *game = arena_alloc(&played_arena, sizeof(*game));
        struct rules_look look;
        struct game_view view;

        set_up(game, i);
        view = view_with_trail(game);
        rules_look_init(&look);
        cr_assert(view_mark_squares(&played_arena, &look, &view, marked[i].asked));
        cr_assert_str_eq(marks_of(game, &look), marked[i].marks, "row %zu: %s", i,
                         marks_of(game, &look));
    }
}

Test(view_board, a_word_that_is_no_mark_is_refused_wherever_it_stands)
{
    static const struct {
        const char *asked;
        bool known;
    } rows[] = {{"last", true},     {"check,last", true},    {"", true},
                {"legal:zz", true}, {"lasts", false},        {"las", false},
                {"legal7g", false}, {"last,nothing", false}, {"x,last", false}};
    struct played game;
    struct rules_look look;
    struct game_view view;

    played_start(&game, "shogi", "");
    view = view_of(&game);
    rules_look_init(&look);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_assert_eq(view_mark_squares(&played_arena, &look, &view, rows[i].asked), rows[i].known,
                     "%s", rows[i].asked);
}

Test(view_board, squares_are_found_in_a_move_whatever_stands_between_them)
{
    static const struct {
        const char *variant, *move, *squares;
    } rows[] = {{"shogi", "7g7f", "7g 7f"}, {"shogi", "8h2b+", "8h 2b"},
                {"shogi", "P*5e", "5e"},    {"turkish-draughts", "a1xa4xd4", "a1 a4 d4"},
                {"jungle", "h9", ""},       {"jungle", "", ""}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *at = rows[i].move, *found = "";
        struct played *game = arena_alloc(&played_arena, sizeof(*game));
        unsigned square;

        played_start(game, rows[i].variant, "");
        while (view_next_square(game->game->board(&game->state), &at, &square))
            found = more(found, square_name(game, square));
        cr_assert_str_eq(found, rows[i].squares);
        cr_assert_eq(*at, '\0');
    }
}

Test(view_board, the_json_has_the_marks_of_the_last_move_and_of_check)
{
    static const struct {
        const char *position, *moves, *last, *check;
    } rows[] = {{NULL, "", "", ""}, {NULL, "7g7f", "7g 7f", ""}, {in_check, "9i9a", "9i 9a", "5a"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct played *game = arena_alloc(&played_arena, sizeof(*game));
        struct seen *board;

        played_from(game, "shogi", "", rows[i].position);
        played_moves(game, rows[i].moves);
        board = board_of(game);
        cr_assert_str_eq(seen_list(board, "marks.last"), rows[i].last);
        cr_assert_str_eq(seen_list(board, "marks.check"), rows[i].check);
        seen_free(board);
    }
}

Test(view_board, the_json_has_the_lines_that_won_and_what_a_move_took_if_that_was_looked_up)
{
    struct played *won = arena_alloc(&played_arena, sizeof(*won));
    struct played *taking = arena_alloc(&played_arena, sizeof(*taking));
    struct game_view view;
    struct seen *board;

    played_from(won, "tictactoe", "", "xx1/oo1/3 x 3");
    played_moves(won, "c3");
    board = board_of(won);
    cr_assert_str_eq(seen_list(board, "marks.win"), "a3 b3 c3");
    cr_assert_not(seen_has(board, "marks.taken"));
    seen_free(board);
    played_from(taking, "turkish-draughts", "", "W:WKa1,h1:Ba3,b4,Kh8");
    played_moves(taking, "a1xa4xd4");
    view = view_with_trail(taking);
    board = board_seen(&view);
    cr_assert_str_eq(seen_list(board, "marks.last"), "a1 a4 d4");
    cr_assert_str_eq(seen_list(board, "marks.taken"), "b4 a3");
    seen_free(board);
}

/* ---- a board as a text ---- */

/* The text board that the rules draw in this look. */
static const char *drawn(const struct played *played, const struct rules_look *look)
{
    char *text = arena_alloc(&played_arena, 1 << 16);

    cr_assert_lt(rules_board_text(played->game, &played->state, look, text, 1 << 16), 1 << 16);
    return text;
}

Test(view_board, the_usual_text_has_the_usual_marks)
{
    for (size_t i = 0; i < sizeof(marked) / sizeof(marked[0]); i++) {
        struct played *game = arena_alloc(&played_arena, sizeof(*game));
        struct rules_look look;
        struct game_view view;

        set_up(game, i);
        view = view_of(game);
        rules_look_init(&look);
        cr_assert(view_mark_squares(&played_arena, &look, &view, view_usual_marks));
        look.ending = view_ending(&played_arena, &view);
        cr_assert_str_eq(view_position_text(&played_arena, &view), drawn(game, &look));
        cr_assert(view_mark_squares(&played_arena, &look, &view, "legal"));
        look.style = RULES_STYLE_ASCII;
        cr_assert_str_eq(view_board_text(&played_arena, &view, &look), drawn(game, &look));
    }
}

Test(view_board, a_game_that_is_over_says_how)
{
    static const struct {
        int16_t status, winner;
        const char *ending;
    } rows[] = {{STATUS_OPEN, 0, NULL},
                {STATUS_ACTIVE, 0, NULL},
                {STATUS_ABORTED, 0, "aborted"},
                {STATUS_FINISHED, 0, "draw (impasse)"},
                {STATUS_FINISHED, 1, "sente wins (impasse)"},
                {STATUS_FINISHED, 2, "gote wins (impasse)"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct played *game = arena_alloc(&played_arena, sizeof(*game));
        struct game_view view;
        const char *ending, *text;

        played_start(game, "shogi", "");
        game->row.status = rows[i].status;
        game->row.winner = rows[i].winner;
        game->row.reason = "impasse";
        view = view_of(game);
        ending = view_ending(&played_arena, &view);
        text = view_position_text(&played_arena, &view);
        if (rows[i].ending == NULL) {
            cr_assert_null(ending);
            continue;
        }
        cr_assert_str_eq(ending, rows[i].ending);
        cr_assert_not_null(strstr(text, rows[i].ending), "%s", text);
    }
}
