/*
 * rules.c - what is derived once for all games, from their tables alone. The registry, which knows
 * the games, is games.c.
 */
#include "rules/rules.h"

#include <string.h>

#include "rules/mix.h"
#include "rules/text.h"

static const struct {
    const char *text, *title, *detail;
} codes[] = {
#define RULES_CODE(id, text, title, detail, meaning) {text, title, detail},
#include "rules/codes.def"
#undef RULES_CODE
};

/* ---- codes as texts ---- */

const char *rules_code_text(enum rules_code code)
{
    return codes[code].text;
}

const char *rules_code_title(enum rules_code code)
{
    return codes[code].title;
}

const char *rules_code_detail(enum rules_code code)
{
    return codes[code].detail;
}

/* ---- refusals ---- */

bool rules_refuse(struct rules_refusal *why, enum rules_code code, const struct rules_law *law)
{
    why->code = code;
    why->law = law;
    why->option = NULL;
    why->visible = false;
    why->at = RULES_NOT_GIVEN;
    why->yours = RULES_NOT_GIVEN;
    why->required = RULES_NOT_GIVEN;
    why->witnesses = 0;
    why->examples = 0;
    return false;
}

bool rules_refuse_position(struct rules_refusal *why, const struct rules_law *law)
{
    rules_refuse(why, RULES_BAD_POSITION, law);
    why->visible = true;
    return false;
}

void rules_add_witness(struct rules_refusal *why, enum rules_role role, unsigned square,
                       struct rules_man man)
{
    if (why->witnesses < RULES_WITNESSES_MAX)
        why->witness[why->witnesses++] = (struct rules_witness){role, (uint16_t)square, man};
}

void rules_add_example(struct rules_refusal *why, rules_move move)
{
    if (why->examples < RULES_EXAMPLES_MAX)
        why->example[why->examples++] = move;
}

static bool refuse_option(struct rules_refusal *why, enum rules_code code, const char *option)
{
    rules_refuse(why, code, NULL);
    why->option = option;
    return false;
}

/* ---- options ---- */

void rules_options_init(struct rules_options *options)
{
    for (size_t i = 0; i < RULES_OPTIONS_MAX; i++)
        options->value[i] = RULES_NOT_GIVEN;
    options->given = 0;
    options->position = NULL;
}

static bool read_int(const struct rules_option *option, const char *text, int32_t *value)
{
    const char *at = text;
    uint32_t number;

    if (!text_read_number(&at, INT32_MAX, &number) || *at != '\0')
        return false;
    *value = (int32_t)number;
    return (option->zero_is_off && *value == 0) || (*value >= option->min && *value <= option->max);
}

static bool read_bool(const char *text, int32_t *value)
{
    *value = strcmp(text, "true") == 0;
    return *value == 1 || strcmp(text, "false") == 0;
}

static bool read_choice(const struct rules_option *option, const char *text, int32_t *value)
{
    for (*value = 0; option->choices[*value] != NULL; (*value)++)
        if (strcmp(option->choices[*value], text) == 0)
            return true;
    return false;
}

static bool read_option(const struct rules_option *option, const char *text,
                        struct rules_options *options, int32_t *value)
{
    switch (option->kind) {
    case RULES_OPTION_INT:
        return read_int(option, text, value);
    case RULES_OPTION_BOOL:
        return read_bool(text, value);
    case RULES_OPTION_CHOICE:
        return read_choice(option, text, value);
    case RULES_OPTION_START:
        /* A text that is no choice is a position; start() judges it. */
        if (!read_choice(option, text, value))
            options->position = text;
        return true;
    }
    return false;
}

bool rules_option_set(const struct rules_game *game, struct rules_options *options,
                      const char *name, const char *value, struct rules_refusal *why)
{
    for (size_t i = 0; i < game->noptions; i++) {
        if (strcmp(game->options[i].name, name) != 0)
            continue;
        if (!read_option(&game->options[i], value, options, &options->value[i]))
            return refuse_option(why, RULES_BAD_OPTION, game->options[i].name);
        options->given |= 1U << i;
        return true;
    }
    return refuse_option(why, RULES_UNKNOWN_OPTION, NULL);
}

void rules_option_text(const struct rules_game *game, const struct rules_options *options, size_t i,
                       char *text)
{
    const struct rules_option *option = &game->options[i];
    int32_t value = options->value[i];
    struct text out = text_open(text, RULES_POSITION_TEXT);

    if (option->kind == RULES_OPTION_INT)
        text_number(&out, (uint64_t)value);
    else if (option->kind == RULES_OPTION_BOOL)
        text_string(&out, value ? "true" : "false");
    else if (option->choices[value] != NULL)
        text_string(&out, option->choices[value]);
    else if (options->position != NULL)
        text_string(&out, options->position);
}

static bool resolve(const struct rules_game *game, struct rules_options *options,
                    struct rules_refusal *why)
{
    if (game->resolve != NULL)
        return game->resolve(options, why);
    for (size_t i = 0; i < game->noptions; i++)
        if (options->value[i] == RULES_NOT_GIVEN)
            options->value[i] = game->options[i].fallback;
    return true;
}

static uint64_t hash_bytes(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = mix(hash ^ (unsigned char)*text);
    return hash;
}

/* What counts of an option's value, as a text. */
static void bearing_text(const struct rules_game *game, const struct rules_options *options,
                         size_t i, char text[RULES_POSITION_TEXT])
{
    const int32_t *alike = game->options[i].alike;
    struct text out;

    if (alike == NULL) {
        rules_option_text(game, options, i, text);
        return;
    }
    out = text_open(text, RULES_POSITION_TEXT);
    text_number(&out, (uint64_t)alike[options->value[i]]);
}

uint64_t rules_options_key(const struct rules_game *game, const struct rules_options *options)
{
    struct rules_options resolved = *options;
    struct rules_refusal why;
    char text[RULES_POSITION_TEXT];
    uint64_t sum = 0;

    resolve(game, &resolved, &why); /* what is refused has no games */
    for (size_t i = 0; i < game->noptions; i++) {
        bearing_text(game, &resolved, i, text);
        sum += hash_bytes(hash_bytes(hash_bytes(0, game->options[i].name), "="), text);
    }
    return mix(sum);
}

/* ---- starting ---- */

static const struct rules_option *start_option(const struct rules_game *game, size_t *i)
{
    for (*i = 0; *i < game->noptions; (*i)++)
        if (game->options[*i].kind == RULES_OPTION_START)
            return &game->options[*i];
    return NULL;
}

/* Also the value of a START option that is a position. */
static int32_t choice_count(const struct rules_option *option)
{
    int32_t n = 0;

    while (option->choices[n] != NULL)
        n++;
    return n;
}

/* Begins in a position. What is larger than a state is none: copies would write beyond it. */
static bool begin(const struct rules_game *game, struct rules_options *options,
                  struct rules_state *state, struct rules_refusal *why)
{
    if (!resolve(game, options, why) || !game->start(options, state, why))
        return false;
    return state->bytes <= sizeof(state->w) || rules_refuse(why, RULES_BAD_POSITION, NULL);
}

/* Whether the START option, as it was given, means the position in `state`. Texts are compared:
 * two states of one position may differ in how they keep it. */
static bool start_agrees(const struct rules_game *game, struct rules_options options,
                         const struct rules_state *state, struct rules_refusal *why)
{
    struct rules_state other;
    char text[RULES_POSITION_TEXT], other_text[RULES_POSITION_TEXT];

    if (!begin(game, &options, &other, why))
        return false;
    game->position_text(state, text);
    game->position_text(&other, other_text);
    return strcmp(text, other_text) == 0;
}

bool rules_start(const struct rules_game *game, struct rules_options *options, const char *position,
                 struct rules_state *state, struct rules_refusal *why)
{
    struct rules_options given = *options;
    size_t i;
    const struct rules_option *start = start_option(game, &i);

    if (position != NULL) {
        options->position = position;
        if (start != NULL)
            options->value[i] = choice_count(start);
    }
    if (!begin(game, options, state, why))
        return false;
    if (position != NULL && start != NULL && (given.given & 1U << i) &&
        !start_agrees(game, given, state, why))
        return refuse_option(why, RULES_BAD_OPTION, start->name);
    return true;
}

bool rules_resume(const struct rules_game *game, struct rules_options *options,
                  const char *position, struct rules_state *state, struct rules_refusal *why)
{
    options->position = position;
    return begin(game, options, state, why);
}

bool rules_load(const struct rules_game *game, const struct rules_options *options,
                const char *position, struct rules_state *state, struct rules_refusal *why)
{
    struct rules_options loaded = *options;

    loaded.given = 0; /* nobody asked for these values: the position may say others */
    return rules_resume(game, &loaded, position, state, why);
}

/* ---- playing ---- */

void rules_copy(const struct rules_state *from, struct rules_state *to)
{
    to->bytes = from->bytes;
    memcpy(to->w, from->w, from->bytes);
}

bool rules_play(const struct rules_game *game, struct rules_state *state, const char *text,
                rules_move *played, struct rules_refusal *why)
{
    struct rules_state before;
    rules_move move;

    if (!game->read_move(state, text, &move, why))
        return false;
    rules_copy(state, &before); /* play() reads one state and writes another */
    game->play(&before, move, state);
    if (played != NULL)
        *played = move;
    return true;
}

void rules_clicks_text(const struct rules_game *game, const struct rules_state *state,
                       const char *const *click, size_t n, char *text)
{
    const char *made[RULES_PATH_MAX];
    struct text out = text_open(text, RULES_CLICKS_TEXT);
    size_t len = 0;

    for (size_t i = 0; i < n && i < RULES_PATH_MAX; i++)
        if (*click[i] != '\0')
            made[len++] = click[i];
    if (game->clicks_text != NULL) {
        game->clicks_text(state, made, len, text);
        return;
    }
    for (size_t i = 0; i < len; i++)
        text_string(&out, made[i]);
}

bool rules_same_move(rules_move a, rules_move b)
{
    return a.w[0] == b.w[0] && a.w[1] == b.w[1];
}

bool rules_is_heavy(const struct rules_game *game, const struct rules_state *state)
{
    return (game->is_heavy != NULL && game->is_heavy(state)) ||
           game->count(state) > RULES_MOVES_ORDINARY;
}

bool rules_is_legal(const struct rules_game *game, const struct rules_state *state, rules_move move,
                    rules_move *scratch, size_t cap)
{
    size_t n = game->legal(state, scratch, cap);

    for (size_t i = 0; i < n && i < cap; i++)
        if (rules_same_move(scratch[i], move))
            return true;
    return false;
}

struct rules_outcome rules_outcome_now(const struct rules_game *game,
                                       const struct rules_state *state)
{
    return game->outcome(state, &(struct rules_history){NULL, 0});
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

int rules_line_step(struct rules_board board, struct rules_line line)
{
    int width = board.width, squares = width * board.height;
    int rows = line.to / width - line.from / width, columns = line.to % width - line.from % width;
    bool straight = rows == 0 || columns == 0 || rows == columns || rows == -columns;

    if (line.from >= squares || line.to >= squares || !straight)
        return 0;
    return sign(rows) * width + sign(columns);
}

size_t rules_won_lines(const struct rules_game *game, const struct rules_state *state,
                       struct rules_line line[RULES_LINES_MAX])
{
    struct rules_board board = game->board(state);
    size_t n = game->lines == NULL ? 0 : game->lines(state, line, RULES_LINES_MAX), kept = 0;

    for (size_t i = 0; i < n && i < RULES_LINES_MAX; i++)
        if (rules_line_step(board, line[i]) != 0 ||
            (line[i].from == line[i].to && line[i].to < board.width * board.height))
            line[kept++] = line[i];
    return kept;
}

size_t rules_occurrences(const struct rules_history *history, uint64_t key)
{
    size_t n = 0;

    for (size_t i = 0; i < history->len; i++)
        n += history->keys[i] == key;
    return n;
}

uint64_t rules_perft(const struct rules_game *game, const struct rules_state *state, unsigned depth,
                     rules_move *scratch, size_t cap)
{
    struct rules_state next;
    uint64_t nodes = 0;
    size_t n;

    if (depth == 0)
        return 1;
    if (depth == 1) /* most of the tree: counted without a list of moves */
        return game->count(state);
    n = game->legal(state, scratch, cap);
    if (n > cap)
        return UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        uint64_t below;

        game->play(state, scratch[i], &next);
        below = rules_perft(game, &next, depth - 1, scratch + n, cap - n);
        if (below == UINT64_MAX)
            return UINT64_MAX;
        nodes += below;
    }
    return nodes;
}

/* splitmix64: good enough for opponents and tests, not for secrets. */
static uint64_t random_next(uint64_t *seed)
{
    uint64_t random = mix(*seed);

    *seed += MIX_STEP;
    return random;
}

size_t rules_choose(uint64_t *seed, size_t n)
{
    /* How many numbers at the end of the range are drawn anew. With them the range would not be a
     * multiple of n, and the remainders below would not be equally likely. */
    uint64_t unfair = (UINT64_MAX % n + 1) % n;
    uint64_t r = random_next(seed);

    while (r > UINT64_MAX - unfair)
        r = random_next(seed);
    return (size_t)(r % n);
}

/* ---- squares ---- */

void rules_square_text(struct rules_board board, unsigned square, char text[RULES_SQUARE_TEXT])
{
    unsigned row = square / board.width, column = square % board.width;
    struct text out = text_open(text, RULES_SQUARE_TEXT);

    if (board.coordinates == RULES_LETTER_DIGIT) {
        text_char(&out, (char)('a' + column));
        text_number(&out, board.height - row);
    } else {
        text_number(&out, board.width - column);
        text_char(&out, (char)('a' + row));
    }
}

/* A letter before 'a' wraps round to a great number, so one comparison finds all that are off the
 * board. */
size_t rules_square_read(struct rules_board board, const char *text, unsigned *square)
{
    const char *at = text;
    uint32_t number;
    unsigned letter, row, column;

    if (board.coordinates == RULES_LETTER_DIGIT) {
        letter = (unsigned)(unsigned char)*at++ - 'a';
        if (letter >= board.width || !text_read_number(&at, board.height, &number) || number == 0)
            return 0;
        column = letter;
        row = board.height - number;
    } else {
        if (!text_read_number(&at, board.width, &number) || number == 0)
            return 0;
        letter = (unsigned)(unsigned char)*at++ - 'a';
        if (letter >= board.height)
            return 0;
        column = board.width - number;
        row = letter;
    }
    *square = row * board.width + column;
    return (size_t)(at - text);
}
