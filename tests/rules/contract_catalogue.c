/* contract_catalogue.c - what every game promises of its tables, by which clients are made. */
#include "contract.h"

#include <regex.h>
#include <string.h>

#include "rules/draw/page.h"

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

CONTRACT(a_game_has_a_name_a_title_and_a_sentence)
{
    const struct rules_game *this = rules_game(*game);

    cr_assert(is_name(this->name));
    cr_assert(is_filled(this->title));
    cr_assert(is_sentence(this->doc), "%s", this->doc);
    cr_assert_geq(this->version, 1);
}

CONTRACT(the_table_of_functions_is_complete)
{
    const struct rules_game *this = rules_game(*game);

    cr_assert(this->start && this->position_text && this->to_move && this->legal && this->count &&
              this->play && this->outcome && this->key && this->span && this->move_text &&
              this->read_move && this->path && this->effects && this->board && this->at);
}

CONTRACT(each_seat_has_a_name_and_a_mark_of_its_own)
{
    const struct rules_seat *seat = rules_game(*game)->seat;

    cr_assert(is_name(seat[0].name) && is_name(seat[1].name));
    cr_assert_str_neq(seat[0].name, seat[1].name);
    cr_assert(is_filled(seat[0].mark) && is_filled(seat[1].mark));
    cr_assert_str_neq(seat[0].mark, seat[1].mark);
}

/* ---- pieces and zones ---- */

CONTRACT(every_piece_is_described_and_drawn)
{
    const struct rules_game *this = rules_game(*game);

    cr_assert_gt(this->npieces, 0);
    for (size_t i = 0; i < this->npieces; i++) {
        const struct rules_piece *piece = &this->pieces[i];

        cr_assert(is_name(piece->name), "%s", piece->name);
        cr_assert(is_sentence(piece->doc), "%s", piece->name);
        for (size_t seat = 0; seat < RULES_SEATS; seat++) {
            cr_assert(is_filled(piece->letter[seat]), "%s", piece->name);
            cr_assert(is_filled(piece->symbol[seat]), "%s", piece->name);
            cr_assert(page_width(piece->symbol[seat]) <= 2, "%s", piece->name);
            cr_assert(is_filled(piece->ascii[seat]) && is_ascii(piece->ascii[seat]), "%s",
                      piece->name);
            cr_assert_leq(strlen(piece->ascii[seat]), 2, "%s", piece->name);
        }
    }
}

CONTRACT(no_two_men_have_the_same_letter_or_the_same_ascii_sign)
{
    const struct rules_game *this = rules_game(*game);

    for (size_t a = 0; a < this->npieces * RULES_SEATS; a++)
        for (size_t b = 0; b < a; b++) {
            const struct rules_piece *one = &this->pieces[a / 2], *other = &this->pieces[b / 2];

            cr_assert_str_neq(one->ascii[a % 2], other->ascii[b % 2]);
            if (a % 2 == b % 2) {
                cr_assert_str_neq(one->letter[a % 2], other->letter[b % 2]);
                cr_assert_str_neq(one->symbol[a % 2], other->symbol[b % 2]);
            }
        }
}

CONTRACT(the_seats_symbols_differ_unless_the_board_marks_who_faces_whom)
{
    const struct rules_game *this = rules_game(*game);

    for (size_t i = 0; i < this->npieces && this->drawing.facing == NULL; i++)
        cr_assert_str_neq(this->pieces[i].symbol[0], this->pieces[i].symbol[1]);
}

CONTRACT(promotions_lead_to_pieces_of_the_game)
{
    const struct rules_game *this = rules_game(*game);

    for (size_t i = 0; i < this->npieces; i++) {
        const struct rules_piece *piece = &this->pieces[i];

        cr_assert(piece->promotes_to >= -1 && piece->promotes_to < (int)this->npieces);
        cr_assert(piece->demotes_to >= -1 && piece->demotes_to < (int)this->npieces);
        cr_assert_neq(piece->promotes_to, (int)i);
        if (this->hand == NULL)
            cr_assert_eq(piece->demotes_to, -1, "%s: no game without hands has any", piece->name);
    }
}

CONTRACT(every_zone_has_a_name_and_a_plain_mark)
{
    const struct rules_game *this = rules_game(*game);

    for (size_t i = 0; i < this->nzones; i++) {
        cr_assert(is_name(this->zones[i].name));
        cr_assert_leq(this->zones[i].seat, RULES_SEATS);
        cr_assert_not_null(this->zones[i].has);
        if (this->zones[i].mark != NULL)
            cr_assert(is_ascii(this->zones[i].mark) && strlen(this->zones[i].mark) == 1);
    }
}

CONTRACT(every_zone_has_squares)
{
    const struct rules_game *this = rules_game(*game);
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    struct rules_board board;

    rules_options_init(&options);
    cr_assert(rules_start(this, &options, NULL, &state, &why));
    board = this->board(&state);
    for (size_t i = 0; i < this->nzones; i++) {
        unsigned squares = 0;

        for (unsigned square = 0; square < board.width * board.height; square++)
            squares += this->zones[i].has(&state, square);
        cr_assert(squares > 0 && squares < board.width * board.height, "%s", this->zones[i].name);
    }
}

CONTRACT(the_drawing_has_what_its_grid_needs)
{
    const struct rules_drawing *drawing = &rules_game(*game)->drawing;

    cr_assert_leq((unsigned)drawing->grid, RULES_GRID_FRAME);
    if (drawing->facing != NULL)
        cr_assert_eq(page_width(drawing->facing), 1);
    if (drawing->empty_ascii != NULL)
        cr_assert(is_ascii(drawing->empty_ascii));
    for (size_t seat = 0; seat < RULES_SEATS; seat++)
        cr_assert(drawing->ink[seat] == 0 || (drawing->ink[seat] >= 30 && drawing->ink[seat] < 38));
}

/* ---- laws, reasons and lists ---- */

CONTRACT(every_law_has_a_number_an_id_and_a_sentence)
{
    const struct rules_game *this = rules_game(*game);
    size_t len = strlen(this->name);

    cr_assert_gt(this->nlaws, 0);
    for (size_t i = 0; i < this->nlaws; i++) {
        const struct rules_law *law = &this->laws[i];

        cr_assert(is_filled(law->number), "law %zu", i);
        cr_assert(is_sentence(law->text), "%s: %s", law->number, law->text);
        cr_assert(is_filled(law->id), "%s", law->number);
        cr_assert(strncmp(law->id, this->name, len) == 0 && law->id[len] == '.' &&
                      is_name(law->id + len + 1),
                  "%s", law->id);
        for (size_t other = 0; other < i; other++)
            cr_assert_str_neq(law->id, this->laws[other].id);
    }
}

CONTRACT(every_reason_is_listed_once)
{
    const struct rules_game *this = rules_game(*game);

    cr_assert_gt(this->nreasons, 0);
    for (size_t i = 0; i < this->nreasons; i++) {
        cr_assert(this->reasons[i] > RULES_REASON_NONE && this->reasons[i] < RULES_REASONS);
        for (size_t other = 0; other < i; other++)
            cr_assert_neq(this->reasons[i], this->reasons[other]);
    }
}

CONTRACT(exports_and_features_are_lists_of_names)
{
    const struct rules_game *this = rules_game(*game);

    cr_assert_not_null(this->exports);
    cr_assert_not_null(this->features);
    for (size_t i = 0; this->exports[i] != NULL; i++)
        cr_assert(is_name(this->exports[i]));
    for (size_t i = 0; this->features[i] != NULL; i++)
        cr_assert(is_name(this->features[i]));
}

/* ---- options ---- */

static void check_option(const struct rules_option *option)
{
    cr_assert(is_name(option->name), "%s", option->name);
    cr_assert(is_sentence(option->doc), "%s: %s", option->name, option->doc);
    if (option->kind == RULES_OPTION_CHOICE || option->kind == RULES_OPTION_START) {
        size_t n = 0;

        for (; option->choices[n] != NULL; n++)
            cr_assert(is_name(option->choices[n]), "%s: %s", option->name, option->choices[n]);
        cr_assert(option->fallback >= 0 && option->fallback < (int)n, "%s", option->name);
    } else if (option->kind == RULES_OPTION_BOOL) {
        cr_assert(option->fallback == 0 || option->fallback == 1, "%s", option->name);
    } else {
        cr_assert_lt(option->min, option->max, "%s", option->name);
        cr_assert((option->fallback >= option->min && option->fallback <= option->max) ||
                      (option->zero_is_off && option->fallback == 0),
                  "%s", option->name);
    }
}

CONTRACT(every_option_has_a_name_a_range_with_its_default_and_a_sentence)
{
    const struct rules_game *this = rules_game(*game);

    cr_assert_leq(this->noptions, RULES_OPTIONS_MAX);
    for (size_t i = 0; i < this->noptions; i++) {
        check_option(&this->options[i]);
        for (size_t other = 0; other < i; other++)
            cr_assert_str_neq(this->options[i].name, this->options[other].name);
    }
}

CONTRACT(options_that_are_not_given_become_the_defaults)
{
    const struct rules_game *this = rules_game(*game);
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;

    rules_options_init(&options);
    cr_assert(rules_start(this, &options, NULL, &state, &why));
    for (size_t i = 0; i < this->noptions; i++)
        cr_assert_eq(options.value[i], this->options[i].fallback, "%s", this->options[i].name);
}

CONTRACT(settings_start_or_are_refused_by_the_name_of_an_option)
{
    const struct rules_game *this = rules_game(*game);

    for (size_t i = 0; i < walk_settings(this); i++) {
        struct rules_options options, given;
        struct rules_state state;
        struct rules_refusal why;
        char setting[WALK_SETTING_TEXT];

        walk_options(this, i, &options, setting);
        given = options;
        if (!rules_start(this, &options, NULL, &state, &why)) {
            cr_assert_eq(why.code, RULES_BAD_OPTION, "%s", setting);
            cr_assert_not_null(why.option, "%s", setting);
            continue;
        }
        for (size_t k = 0; k < this->noptions; k++)
            if (given.given & 1U << k)
                cr_assert_eq(options.value[k], given.value[k], "%s is changed", setting);
            else
                cr_assert_neq(options.value[k], RULES_NOT_GIVEN, "%s leaves one open", setting);
    }
}

/* ---- grammars ---- */

/* Compiles a pattern with POSIX. All that our patterns use beyond that is "(?:". */
static regex_t compile(const char *pattern)
{
    char posix[1024];
    size_t len = 0;
    regex_t compiled;

    cr_assert(is_filled(pattern));
    for (; *pattern != '\0'; pattern++) {
        cr_assert_lt(len + 1, sizeof(posix));
        posix[len++] = *pattern;
        if (strncmp(pattern, "(?:", 3) == 0)
            pattern += 2;
    }
    posix[len] = '\0';
    cr_assert(posix[0] == '^' && posix[len - 1] == '$', "%s is not anchored", posix);
    cr_assert_eq(regcomp(&compiled, posix, REG_EXTENDED | REG_NOSUB), 0, "%s", posix);
    return compiled;
}

static regex_t move_pattern, position_pattern;

static void look_at_patterns(struct walk *walk)
{
    char text[RULES_POSITION_TEXT];
    rules_move move;

    contract_position_text(walk, &walk->state, text);
    cr_assert_eq(regexec(&position_pattern, text, 0, NULL, 0), 0, "%s", walk_where(walk));
    for (size_t i = 0; walk_pick(walk, 16, i, &move); i++) {
        contract_move_text(walk, &walk->state, move, text);
        cr_assert_eq(regexec(&move_pattern, text, 0, NULL, 0), 0, "%s: %s", walk_where(walk), text);
    }
}

CONTRACT(every_canonical_text_matches_its_pattern)
{
    move_pattern = compile(rules_game(*game)->move.pattern);
    position_pattern = compile(rules_game(*game)->position.pattern);
    walk_all(*game, CONTRACT_PLIES, false, look_at_patterns);
    regfree(&move_pattern);
    regfree(&position_pattern);
}

CONTRACT(grammars_are_explained_with_examples_that_match)
{
    const struct rules_game *this = rules_game(*game);
    const struct rules_grammar *grammars[] = {&this->move, &this->position};

    for (size_t i = 0; i < 2; i++) {
        regex_t pattern = compile(grammars[i]->pattern);

        cr_assert(is_sentence(grammars[i]->doc));
        cr_assert_not_null(grammars[i]->examples[0]);
        for (size_t k = 0; grammars[i]->examples[k] != NULL; k++)
            cr_assert_eq(regexec(&pattern, grammars[i]->examples[k], 0, NULL, 0), 0, "%s",
                         grammars[i]->examples[k]);
        regfree(&pattern);
    }
}

CONTRACT(example_positions_are_canonical)
{
    const struct rules_game *this = rules_game(*game);

    for (size_t i = 0; this->position.examples[i] != NULL; i++) {
        const char *example = this->position.examples[i];
        char text[RULES_POSITION_TEXT];
        struct rules_options options;
        struct rules_state state;
        struct rules_refusal why;

        rules_options_init(&options);
        cr_assert(rules_start(this, &options, example, &state, &why), "%s", example);
        this->position_text(&state, text);
        cr_assert_str_eq(text, example);
    }
}
