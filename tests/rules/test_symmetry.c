/*
 * test_symmetry.c - positions up to the symmetries of their game, against texts that are turned
 * here once more, square by square and without any of the code that is tested.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/walk.h"
#include "tests/reference/reference.h"
#include "tests/support/long.h"

enum { PLIES = 24, SIDE = 26, TOKEN = 1100 };

static const struct reference_game *const references[] = {
#define RULES_GAME(name, folder) &reference_##name,
#include "rules/games.def"
#undef RULES_GAME
};

static const struct reference_game *reference_of(const char *name)
{
    size_t i = 0;

    while (strcmp(references[i]->name, name) != 0)
        i++;
    return references[i];
}

/* ---- squares ---- */

struct place {
    int file, rank; /* from 0, from the left and from the top */
};

static struct place turn_place(struct place place, int turn, int files, int ranks)
{
    if (turn % 2 == 1)
        place.file = files - 1 - place.file;
    if (turn / 2 % 2 == 1)
        place.rank = ranks - 1 - place.rank;
    return turn < 4 ? place : (struct place){place.rank, place.file};
}

/* ---- texts ---- */

static char cell[SIDE][SIDE][TOKEN], turned_cell[SIDE][SIDE][TOKEN];

/* Takes ranks apart. Returns what follows them. */
static const char *read_ranks(const char *at, int *files, int *ranks)
{
    int file = 0;

    memset(cell, 0, sizeof(cell));
    *files = 0;
    for (*ranks = 0; *at != ' ';) {
        size_t len = *at == '(' ? strcspn(at, ")") + 1 : *at == '+' ? 2 : 1;

        if (*at == '/') {
            ++*ranks;
            file = 0;
            at++;
        } else if (isdigit((unsigned char)*at)) {
            file += (int)strtol(at, (char **)&at, 10);
        } else {
            memcpy(cell[*ranks][file++], at, len);
            at += len;
        }
        *files = file;
    }
    ++*ranks;
    return at;
}

static void write_ranks(int files, int ranks, char *text)
{
    for (int rank = 0; rank < ranks; rank++) {
        int empty = 0;

        text += sprintf(text, "%s", rank > 0 ? "/" : "");
        for (int file = 0; file <= files; file++) {
            const char *token = file < files ? turned_cell[rank][file] : "end";

            if (*token == '\0') {
                empty++;
                continue;
            }
            if (empty > 0)
                text += sprintf(text, "%d", empty);
            empty = 0;
            if (file < files)
                text += sprintf(text, "%s", token);
        }
    }
}

static int compare_letters(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

/* The files of pawns that never moved: capitals, then small letters, in order. */
static void turn_flags(char *flags, int files)
{
    size_t len = strlen(flags);

    for (char *at = flags; *at != '\0'; at++)
        if (isupper((unsigned char)*at))
            *at = (char)('A' + files - 1 - (*at - 'A'));
        else if (islower((unsigned char)*at))
            *at = (char)('a' + files - 1 - (*at - 'a'));
    qsort(flags, len, 1, compare_letters);
}

static void turn_ranks(const char *position, int turn, bool flags, char *text)
{
    int files, ranks;
    const char *rest = read_ranks(position, &files, &ranks);
    char side[8], field[128], more[128];

    memset(turned_cell, 0, sizeof(turned_cell));
    for (int rank = 0; rank < ranks; rank++)
        for (int file = 0; file < files; file++) {
            struct place to = turn_place((struct place){file, rank}, turn, files, ranks);

            memcpy(turned_cell[to.rank][to.file], cell[rank][file], TOKEN);
        }
    write_ranks(turn < 4 ? files : ranks, turn < 4 ? ranks : files, text);
    text += strlen(text);
    if (!flags) {
        strcpy(text, rest);
        return;
    }
    sscanf(rest, " %7s %127s %127[^\n]", side, field, more);
    if (turn == 1 && strcmp(field, "-") != 0)
        turn_flags(field, files);
    sprintf(text, " %s %s %s", side, field, more);
}

/* "W:Wa3,Kb4:Bc5:H0:F3": the pieces of each side in order from a1 to h8. */
static void turn_draughts(const char *position, int turn, char *text)
{
    const char *at = position + 1;

    text += sprintf(text, "%c", *position);
    for (int side = 0; side < 2; side++) {
        char board[8][8] = {{0}};
        const char *comma = "";

        text += sprintf(text, ":%c", at[1]);
        for (at += 2; *at != ':' && *at != '\0'; at += *at == ',') {
            char sign = *at == 'K' ? *at++ : 'm';
            struct place to = {at[0] - 'a', '8' - at[1]};

            to = turn_place(to, turn, 8, 8);
            board[to.rank][to.file] = sign;
            at += 2;
        }
        for (int i = 0; i < 64; i++)
            if (board[7 - i / 8][i % 8] != 0) {
                text += sprintf(text, "%s%s%c%c", comma, board[7 - i / 8][i % 8] == 'K' ? "K" : "",
                                'a' + i % 8, '1' + i / 8);
                comma = ",";
            }
    }
    strcpy(text, at);
}

static void turn_text(const char *game, const char *position, int turn, char *text)
{
    if (strcmp(game, "turkish-draughts") == 0)
        turn_draughts(position, turn, text);
    else
        turn_ranks(position, turn, strcmp(game, "stackchess") == 0, text);
}

/* The square that begins at `at`, or false. Shogi counts files from the right and ranks in letters.
 */
static bool read_square(const char *game, const char **at, struct place *place, int files,
                        int ranks)
{
    bool shogi = strcmp(game, "shogi") == 0;
    char *end;

    if (shogi && isdigit((unsigned char)**at) && islower((unsigned char)(*at)[1])) {
        *place = (struct place){files - (**at - '0'), (*at)[1] - 'a'};
        *at += 2;
        return true;
    }
    if (shogi || (files == 8 && **at == 'x') || !islower((unsigned char)**at) ||
        !isdigit((unsigned char)(*at)[1]))
        return false;
    *place = (struct place){**at - 'a', ranks - (int)strtol(*at + 1, &end, 10)};
    *at = end;
    return true;
}

static void turn_slowly(const char *game, const char *move, int turn, int files, int ranks,
                        char *text)
{
    struct place place;

    while (*move != '\0') {
        if (!read_square(game, &move, &place, files, ranks)) {
            *text++ = *move++;
            continue;
        }
        place = turn_place(place, turn, files, ranks);
        if (strcmp(game, "shogi") == 0)
            text += sprintf(text, "%d%c", files - place.file, 'a' + place.rank);
        else
            text +=
                sprintf(text, "%c%d", 'a' + place.file, (turn < 4 ? ranks : files) - place.rank);
    }
    *text = '\0';
}

static bool is_symmetry(const char *game, int turn, struct rules_board board)
{
    if (strcmp(game, "tictactoe") == 0)
        return turn < 4 || board.width == board.height;
    return turn < 2;
}

/* The least of the texts of all turns, without what does not count. */
static void slow_orbit(const struct rules_game *game, const struct rules_state *state, char *least)
{
    static char text[RULES_POSITION_TEXT], turned[RULES_POSITION_TEXT], same[RULES_POSITION_TEXT];

    *least = '\0';
    game->position_text(state, text);
    for (int turn = 0; turn < 8; turn++) {
        if (!is_symmetry(game->name, turn, game->board(state)))
            continue;
        turn_text(game->name, text, turn, turned);
        reference_of(game->name)->identity(turned, same);
        if (*least == '\0' || strcmp(same, least) < 0)
            strcpy(least, same);
    }
}

/* ---- what is compared ---- */

/* The points of the men that each start of shogi gives away: none, 1 for a lance, 5 for a bishop or
 * a rook, and so on; a position gives none away. */
static const int points_given[] = {0, 1, 1, 5, 5, 6, 10, 11, 12, 13, 13, 14, 15, 15, 16, 18, 0};

struct met {
    uint64_t key;
    char *text;
};

static struct met *met;
static size_t nmet;

static int by_key(const void *a, const void *b)
{
    uint64_t left = ((const struct met *)a)->key, right = ((const struct met *)b)->key;

    return (left > right) - (left < right);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct met *)a)->text, ((const struct met *)b)->text);
}

/* The options that matter behind the start, one after the other. */
static void bearing_options(const struct walk *walk, char *text)
{
    bool is_shogi = strcmp(walk->game->name, "shogi") == 0;

    for (size_t i = 0; i < walk->game->noptions; i++) {
        const struct rules_option *option = &walk->game->options[i];
        int value = (int)walk->options.value[i];

        if (strcmp(option->name, "knights") == 0)
            continue;
        if (is_shogi && strcmp(option->name, "start") == 0)
            value = points_given[value];
        text += sprintf(text, " %d", value);
    }
}

static void remember(struct walk *walk)
{
    static char text[RULES_POSITION_TEXT + 256];
    struct rules_orbit orbit;

    if (nmet % 4096 == 0)
        met = realloc(met, (nmet + 4096) * sizeof(*met));
    slow_orbit(walk->game, &walk->state, text);
    bearing_options(walk, text + strlen(text));
    rules_orbit(walk->game, &walk->options, &walk->state, &orbit);
    met[nmet++] = (struct met){orbit.key, strdup(text)};
}

Test(symmetry, positions_have_the_same_key_exactly_if_one_is_a_turn_of_the_other)
{
    for (size_t game = 0; game < rules_games(); game++) {
        nmet = 0;
        walk_all(rules_game(game), PLIES, false, remember);
        qsort(met, nmet, sizeof(*met), by_key);
        for (size_t i = 1; i < nmet; i++)
            cr_assert(met[i].key != met[i - 1].key || strcmp(met[i].text, met[i - 1].text) == 0,
                      "%s: %s and %s", rules_game(game)->name, met[i].text, met[i - 1].text);
        qsort(met, nmet, sizeof(*met), by_text);
        for (size_t i = 1; i < nmet; i++)
            cr_assert(strcmp(met[i].text, met[i - 1].text) != 0 || met[i].key == met[i - 1].key,
                      "%s: %s", rules_game(game)->name, met[i].text);
        cr_assert_gt(nmet, 100);
    }
}

static struct rules_state turned_state(const struct walk *walk, int turn)
{
    static char text[RULES_POSITION_TEXT], turned[RULES_POSITION_TEXT];
    struct rules_state state;
    struct rules_refusal why;

    walk->game->position_text(&walk->state, text);
    turn_text(walk->game->name, text, turn, turned);
    cr_assert(rules_load(walk->game, &walk->options, turned, &state, &why), "%s: %s",
              walk_where(walk), turned);
    return state;
}

static void after(const struct walk *walk, const struct rules_state *state, const char *move,
                  char *text)
{
    struct rules_state next;
    struct rules_refusal why;

    rules_copy(state, &next);
    cr_assert(rules_play(walk->game, &next, move, NULL, &why), "%s: %s", walk_where(walk), move);
    slow_orbit(walk->game, &next, text);
}

/* A move is turned, brought to the position that stands for the orbit, and back. */
static void compare_move(const struct walk *walk, const struct rules_state *turned, int turn,
                         const char *move)
{
    static char to[RULES_POSITION_TEXT], also[RULES_POSITION_TEXT];
    struct rules_board board = walk->game->board(&walk->state);
    struct rules_orbit here, there;
    char image[RULES_MOVE_TEXT], first[RULES_MOVE_TEXT], second[RULES_MOVE_TEXT];

    rules_orbit(walk->game, &walk->options, &walk->state, &here);
    rules_orbit(walk->game, &walk->options, turned, &there);
    turn_slowly(walk->game->name, move, turn, board.width, board.height, image);
    after(walk, &walk->state, move, to);
    after(walk, turned, image, also);
    cr_assert_str_eq(to, also);
    rules_orbit_move(walk->game, &walk->state, &here, move, first);
    rules_orbit_move(walk->game, turned, &there, image, second);
    cr_assert_str_eq(first, second, "%s: %s", walk_where(walk), move);
    rules_orbit_back(walk->game, &walk->state, &here, first, second);
    after(walk, &walk->state, second, also);
    cr_assert_str_eq(to, also, "%s: %s comes back as %s", walk_where(walk), move, second);
}

static void compare_turns(struct walk *walk)
{
    for (int turn = 0; turn < 8; turn++) {
        struct rules_outcome here = rules_outcome_now(walk->game, &walk->state), there;
        struct rules_state turned;
        char text[RULES_MOVE_TEXT];
        rules_move move;

        if (!is_symmetry(walk->game->name, turn, walk->game->board(&walk->state)))
            continue;
        turned = turned_state(walk, turn);
        there = rules_outcome_now(walk->game, &turned);
        cr_assert_eq(here.reason, there.reason, "%s", walk_where(walk));
        cr_assert_eq(here.winner, there.winner);
        cr_assert_eq(walk->game->count(&turned), walk->nmoves, "%s", walk_where(walk));
        for (size_t i = 0; walk_pick(walk, long_or_short(6, 2), i, &move); i++) {
            walk->game->move_text(&walk->state, move, text);
            compare_move(walk, &turned, turn, text);
        }
    }
}

Test(symmetry, what_is_legal_is_legal_in_every_turn_and_leads_to_the_same)
{
    for (size_t game = 0; game < rules_games(); game++)
        walk_all(rules_game(game), PLIES / 2, false, compare_turns);
}

/* How many different moves the legal ones are, up to symmetry. */
static size_t different_moves(const char *name, const char *position)
{
    const struct rules_game *game = rules_find(name);
    struct rules_options options;
    struct rules_state state;
    struct rules_orbit orbit;
    struct rules_refusal why;
    rules_move move[512];
    char text[512][RULES_MOVE_TEXT], own[RULES_MOVE_TEXT];
    size_t n, different = 0;

    rules_options_init(&options);
    cr_assert(rules_start(game, &options, position, &state, &why));
    rules_orbit(game, &options, &state, &orbit);
    n = game->legal(&state, move, 512);
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;

        game->move_text(&state, move[i], own);
        rules_orbit_move(game, &state, &orbit, own, text[different]);
        while (strcmp(text[k], text[different]) != 0)
            k++;
        different += k == different;
    }
    return different;
}

Test(symmetry, equivalent_moves_of_a_symmetric_position_are_one)
{
    cr_assert_eq(different_moves("tictactoe", "3/3/3 x 3"), 3);
    cr_assert_eq(different_moves("tictactoe", "5/5/5 x 3"), 6);
    cr_assert_eq(different_moves("tictactoe", "3/1x1/3 o 3"), 2);
    cr_assert_eq(different_moves("turkish-draughts", NULL), 4);
    cr_assert_eq(different_moves("shogi", NULL), 30);
    cr_assert_eq(different_moves("shogi", "4k4/9/9/9/9/9/9/9/4K4 b G 1"), 46);
}

Test(symmetry, boards_of_other_sizes_and_lines_of_other_lengths_are_other_positions)
{
    static const char *const positions[] = {"3/3/3 x 3", "4/4/4/4 x 3", "4/4/4/4 x 4", "2/2 x 2",
                                            "3/3 x 3"};
    struct rules_orbit orbit[5];

    for (size_t i = 0; i < 5; i++) {
        struct rules_options options;
        struct rules_state state;
        struct rules_refusal why;

        rules_options_init(&options);
        cr_assert(rules_start(rules_find("tictactoe"), &options, positions[i], &state, &why));
        rules_orbit(rules_find("tictactoe"), &options, &state, &orbit[i]);
        for (size_t k = 0; k < i; k++)
            cr_assert_neq(orbit[i].key, orbit[k].key, "%s, %s", positions[i], positions[k]);
    }
}
