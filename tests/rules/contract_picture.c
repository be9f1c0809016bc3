/* contract_picture.c - what every game's pictures promise, whatever the position. */
#include "contract.h"

#include <stdio.h>
#include <string.h>

#include "rules/draw/picture.h"
#include "xml.h"

enum {
    PICTURE = 1 << 19,    /* no picture of a walk is larger */
    START_MAX = 27 << 10, /* nor one of a usual start than this, */
    MEN_MAX = 33 << 10    /* nor all men of a game */
};

static const char *draw(const struct walk *walk, const struct rules_look *look,
                        const struct rules_picture_options *frame)
{
    static char text[PICTURE];
    size_t len = rules_board_picture(walk->game, &walk->state, look, frame, text, sizeof(text));

    cr_assert_lt(len, sizeof(text), "%s: %zu bytes", walk_where(walk), len);
    cr_assert_eq(strlen(text), len);
    return text;
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    for (; (text = strstr(text, what)) != NULL; text++)
        n++;
    return n;
}

/* Counts what uses a man. An id of the picture's own begins with three letters. */
static size_t count_men(const char *text)
{
    static const char use[] = "<use href=\"#";
    size_t n = 0;

    while ((text = strstr(text, use)) != NULL) {
        text += sizeof(use) - 1;
        n += text[3] == 'm';
    }
    return n;
}

/* Chooses a look and a frame that differ from ply to ply, so that a walk sees many of them. */
static void choose(const struct walk *walk, struct rules_look *look,
                   struct rules_picture_options *frame)
{
    struct rules_board board = walk->game->board(&walk->state);

    rules_look_init(look);
    look->view = 1 + (walk->ply & 1);
    look->stacks = walk->ply % 7 < 3;
    for (unsigned square = 0; square < board.width * board.height; square++)
        look->mark[square] = (uint8_t)((square + walk->ply) % 32);
    *frame = (struct rules_picture_options){.width = (unsigned)(walk->ply % 3 * 300),
                                            .theme = (enum rules_theme)(walk->ply % RULES_THEMES),
                                            .coords = walk->ply % 5 < 3};
}

/* Asserts that a picture names every square once. */
static void expect_each_square(const struct walk *walk, const char *text)
{
    static const char named[] = "data-square=\"";
    struct rules_board board = walk->game->board(&walk->state);
    unsigned times[RULES_SQUARES_MAX] = {0}, square;

    while ((text = strstr(text, named)) != NULL) {
        size_t len;

        text += strlen(named);
        len = rules_square_read(board, text, &square);
        cr_assert(len > 0 && text[len] == '"', "%s: %.20s", walk_where(walk), text);
        times[square]++;
    }
    for (square = 0; square < board.width * board.height; square++)
        cr_assert_eq(times[square], 1, "%s: %u", walk_where(walk), square);
}

static void look_at_xml(struct walk *walk)
{
    static struct xml xml;
    struct rules_look look;
    struct rules_picture_options frame;
    struct rules_board board = walk->game->board(&walk->state);
    char name[RULES_SQUARE_TEXT], id[XML_NAME_MAX];
    const char *text;

    choose(walk, &look, &frame);
    text = draw(walk, &look, &frame);
    xml_read(text, &xml);
    cr_assert_null(xml.error, "%s: %s: %.80s", walk_where(walk), xml.error, text + xml.at);
    cr_assert_not_null(strstr(text, "role=\"img\""));
    cr_assert_not_null(strstr(text, "<title>"));
    cr_assert_not_null(strstr(text, "<desc>"));
    cr_assert_null(strstr(text, "\"\""), "%s: an empty attribute", walk_where(walk));
    for (unsigned square = 0; square < board.width * board.height; square++) {
        rules_square_text(board, square, name);
        snprintf(id, sizeof(id), "sq-%s", name);
        cr_assert(xml_has_id(&xml, id), "%s: no %s", walk_where(walk), id);
    }
    expect_each_square(walk, text);
}

CONTRACT(a_picture_is_well_formed_and_names_every_square_once)
{
    walk_all(rules_game(*game), CONTRACT_PLIES, false, look_at_xml);
}

static size_t shown_men(const struct walk *walk)
{
    struct rules_board board = walk->game->board(&walk->state);
    size_t n = 0;

    for (unsigned square = 0; square < board.width * board.height; square++)
        n += walk->game->at(&walk->state, square, NULL, 0) > 0;
    for (unsigned seat = 1; seat <= RULES_SEATS && walk->game->hand != NULL; seat++)
        for (unsigned kind = 0; kind < walk->game->npieces; kind++)
            n += walk->game->hand(&walk->state, seat, kind) > 0;
    return n;
}

static void look_at_men(struct walk *walk)
{
    static const struct rules_picture_options plain;
    struct rules_look look;
    const char *text;

    rules_look_init(&look);
    text = draw(walk, &look, &plain);
    cr_assert_eq(count_men(text), shown_men(walk), "%s", walk_where(walk));
    cr_assert_eq(count(text, "id=\"turn\""),
                 rules_outcome_now(walk->game, &walk->state).status == RULES_ONGOING);
}

CONTRACT(a_picture_shows_every_square_with_men_and_whose_turn_it_is)
{
    walk_all(rules_game(*game), CONTRACT_PLIES, false, look_at_men);
}

static void start_walk(size_t game, struct walk *walk)
{
    struct rules_refusal why;

    walk->game = rules_game(game);
    rules_options_init(&walk->options);
    cr_assert(rules_start(walk->game, &walk->options, NULL, &walk->state, &why));
}

CONTRACT(a_start_is_small_in_every_theme_and_from_both_sides)
{
    static struct walk walk;
    struct rules_look look;

    start_walk(*game, &walk);
    rules_look_init(&look);
    for (unsigned i = 0; i < RULES_THEMES * 2; i++) {
        struct rules_picture_options frame = {.theme = (enum rules_theme)(i / 2), .coords = true};

        look.view = 1 + i % 2;
        cr_assert_lt(strlen(draw(&walk, &look, &frame)), START_MAX);
    }
}

CONTRACT(a_picture_ends_where_its_buffer_does_and_tells_its_whole_length)
{
    static struct walk walk;
    static char whole[PICTURE], part[PICTURE];
    static const struct rules_picture_options plain;
    struct rules_look look;
    size_t len;

    start_walk(*game, &walk);
    rules_look_init(&look);
    len = rules_board_picture(walk.game, &walk.state, &look, &plain, NULL, 0);
    cr_assert_eq(rules_board_picture(walk.game, &walk.state, &look, &plain, whole, PICTURE), len);
    for (size_t cap = 1; cap <= len + 1; cap += len / 7) {
        memset(part, '#', cap + 1);
        cr_assert_eq(rules_board_picture(walk.game, &walk.state, &look, &plain, part, cap), len);
        cr_assert_eq(strlen(part), cap - 1);
        cr_assert_eq(memcmp(part, whole, cap - 1), 0);
        cr_assert_eq(part[cap], '#');
    }
}

CONTRACT(the_symbols_have_every_man_and_every_square_under_the_names_of_the_catalogue)
{
    const struct rules_game *the = rules_game(*game);
    static char text[PICTURE];
    static struct xml xml;
    char id[XML_NAME_MAX];

    for (unsigned theme = 0; theme < RULES_THEMES; theme++) {
        const struct rules_picture_options frame = {.theme = (enum rules_theme)theme, .ids = "x-"};
        size_t len = rules_men_picture(the, &frame, text, sizeof(text));

        cr_assert_eq(strlen(text), len);
        cr_assert_lt(len, MEN_MAX);
        xml_read(text, &xml);
        cr_assert_null(xml.error, "%s: %s: %.80s", the->name, xml.error, text + xml.at);
        for (unsigned seat = 1; seat <= RULES_SEATS; seat++)
            for (size_t kind = 0; kind < the->npieces; kind++) {
                snprintf(id, sizeof(id), "x-man-%u-%s", seat, the->pieces[kind].name);
                cr_assert(xml_has_id(&xml, id), "%s: no %s", the->name, id);
            }
        cr_assert(xml_has_id(&xml, "x-square"));
        cr_assert_eq(xml_has_id(&xml, "x-square-other"), the->art->chequered);
        cr_assert_eq(count(text, "<symbol id=\"x-"), count(text, "<symbol "));
        cr_assert_eq(count(text, "<symbol "), count(text, "<view "));
        cr_assert_null(strstr(text, "\"none\" stroke=\"none\""));
    }
}

/* ---- whole games ---- */

enum { FILM_PLIES = 60 };

struct game_of_chance {
    const struct rules_game *game;
    struct rules_state state[FILM_PLIES + 1];
    unsigned count;
};

static void play_by_chance(struct game_of_chance *played, uint64_t seed)
{
    static const struct rules_history none;
    static rules_move moves[WALK_MOVES_MAX];

    for (played->count = 1; played->count <= FILM_PLIES; played->count++) {
        const struct rules_state *here = &played->state[played->count - 1];

        if (played->game->outcome(here, &none).status != RULES_ONGOING)
            return;
        played->game->play(
            here, moves[rules_choose(&seed, played->game->legal(here, moves, WALK_MOVES_MAX))],
            &played->state[played->count]);
    }
}

static bool load_played(void *context, unsigned i, struct rules_state *state)
{
    const struct game_of_chance *played = context;

    rules_copy(&played->state[i], state);
    return true;
}

CONTRACT(an_animated_game_is_well_formed_and_as_large_as_its_moves)
{
    static struct game_of_chance played;
    static struct walk walk;
    static char text[PICTURE];
    static struct xml xml;

    start_walk(*game, &walk);
    played.game = walk.game;
    played.state[0] = walk.state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct rules_film film = {&played, 0, load_played, 0, 1};
        struct rules_picture_options frame = {.coords = true};
        struct rules_look look;
        size_t len;

        rules_look_init(&look);
        look.view = 1 + seed % 2;
        play_by_chance(&played, seed);
        film.count = played.count;
        len = rules_replay_picture(walk.game, &film, &look, &frame, text, sizeof(text));
        cr_assert(len > 0 && len < START_MAX + film.count * 2500, "%s: %zu bytes for %u positions",
                  walk.game->name, len, film.count);
        xml_read(text, &xml);
        cr_assert_null(xml.error, "%s: %s: %.80s", walk.game->name, xml.error, text + xml.at);
    }
}

/* ---- the men, apart from any position ---- */

static void add(char *text, size_t size, const struct rules_art *art,
                const struct rules_shape *shapes, unsigned seat)
{
    for (const struct rules_shape *shape = shapes; shape != NULL && shape->path != NULL; shape++) {
        int fill = shape->fill + (shape->fill >= RULES_PAINT_SHADE && seat == 2);
        const char *paint = art->paint[RULES_THEME_PRINT][fill];
        size_t n = strlen(text);

        snprintf(text + n, size - n, "%s %s;", shape->path, paint == NULL ? "none" : paint);
    }
}

/* Whether every man differs from every other, without colours. Where the sides differ by how their
 * men stand, that tells them apart. `set`: other figures than the usual ones; or NULL. */
static void assert_told_apart(const struct rules_game *the, const struct rules_set *set)
{
    static char text[2 * 32][8192];
    const struct rules_shape *const *const *figure = set == NULL ? the->art->figure : set->figure;
    size_t n = 0;

    for (unsigned seat = 1; seat <= (the->art->turned ? 1 : RULES_SEATS); seat++)
        for (size_t kind = 0; kind < the->npieces; kind++, n++) {
            text[n][0] = '\0';
            add(text[n], sizeof(text[n]), the->art, the->art->body[seat - 1], seat);
            add(text[n], sizeof(text[n]), the->art, figure[seat - 1][kind], seat);
            cr_assert_gt(strlen(text[n]), 0, "%s: nothing for %s", the->name,
                         the->pieces[kind].name);
            for (size_t i = 0; i < n; i++)
                cr_assert_str_neq(text[i], text[n], "%s: %s", the->name, the->pieces[kind].name);
        }
}

CONTRACT(every_man_can_be_told_from_every_other_without_colours_in_each_set)
{
    const struct rules_game *the = rules_game(*game);

    assert_told_apart(the, NULL);
    for (const struct rules_set *set = the->art->sets; set != NULL && set->name != NULL; set++)
        assert_told_apart(the, set);
}

/* A set says nothing of the ground, and nobody takes its men for the usual ones. */
CONTRACT(the_men_of_a_set_are_drawn_and_have_ids_of_their_own)
{
    static char usual[PICTURE], other[PICTURE];
    const struct rules_game *the = rules_game(*game);
    struct rules_picture_options frame = {0};

    rules_men_picture(the, &frame, usual, sizeof(usual));
    for (const struct rules_set *set = the->art->sets; set != NULL && set->name != NULL; set++) {
        frame.set = set;
        cr_assert_lt(rules_men_picture(the, &frame, other, sizeof(other)), sizeof(other));
        cr_assert_str_neq(usual, other, "%s: %s", the->name, set->name);
        for (size_t kind = 0; kind < the->npieces; kind++) {
            char id[64];

            snprintf(id, sizeof(id), "<symbol id=\"man-2-%s\"", the->pieces[kind].name);
            cr_assert_not_null(strstr(other, id), "%s has no %s", set->name, id);
        }
    }
}

CONTRACT(every_colour_that_a_shape_asks_for_is_there_in_every_theme)
{
    static struct walk walk;
    struct rules_look look;

    start_walk(*game, &walk);
    rules_look_init(&look);
    for (unsigned theme = 0; theme < RULES_THEMES; theme++) {
        struct rules_picture_options frame = {.theme = (enum rules_theme)theme, .coords = true};
        const char *text = draw(&walk, &look, &frame);

        cr_assert_null(strstr(strchr(text, '\n'), "\"none\" stroke=\"none\""));
        cr_assert_eq(count(strchr(text, '\n'), "fill=\"none\""), 0);
    }
}
