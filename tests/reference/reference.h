/*
 * reference.h - every game a second time: slow, short, and plainly what the rules say.
 *
 * A reference is the judge of the game in rules/ that has its name. The two share no code, and a
 * reference knows nothing of how the other keeps boards and moves: it is asked in texts and answers
 * in texts. It keeps its board in an array, tries every conceivable move from every square, and
 * throws away what the rules forbid, with the number of the rule beside it.
 *
 * Texts are canonical ones: a reference judges moves, not spelling. A text that it cannot read ends
 * the program with a message, since the test that asked is wrong then.
 */
#ifndef PLYD_TESTS_REFERENCE_REFERENCE_H
#define PLYD_TESTS_REFERENCE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    REFERENCE_TEXT = 4096,   /* bytes of the longest position, with its NUL */
    REFERENCE_MOVE_TEXT = 64 /* bytes of the longest move, with its NUL */
};

/* All options of a game, as they are written: {"promotion", "end"}. */
struct reference_option {
    const char *name, *value;
};

struct reference_options {
    const struct reference_option *option;
    size_t len;
};

/* Legal moves with the positions they lead to, in the byte order of their texts. */
struct reference_move {
    char text[REFERENCE_MOVE_TEXT];
    char *after;
};

struct reference_moves {
    struct reference_move *move;
    size_t len, cap;
};

/* The positions of a game from its start; the last one is the present. */
struct reference_line {
    const char *const *position;
    size_t len;
};

/* How a game stands: it goes on if there is no reason, and is drawn if there is no winner. */
struct reference_outcome {
    const char *reason;
    int winner;
};

struct reference_game {
    const char *name;

    /* The usual start. */
    void (*start)(const struct reference_options *options, char *position);

    /* Every legal move. There is none where the position itself ends the game. Draws by counting
     * (repetition, quiet moves, one man each) do not matter here. The caller frees them. */
    struct reference_moves (*moves)(const struct reference_options *options, const char *position);

    /* Whether and how the game is over, by every rule. */
    struct reference_outcome (*outcome)(const struct reference_options *options,
                                        const struct reference_line *line);

    /* Writes what of a position counts for repetition: its text without the counters. */
    void (*identity)(const char *position, char *text);

    /* Whether the side to move is in check, and whether it may declare a win. NULL: the game
     * knows no such thing. */
    bool (*check)(const struct reference_options *options, const char *position);
    bool (*declare)(const struct reference_options *options, const char *position);
};

/* reference_tictactoe and so on: of each game that is part of plyd. */
#define RULES_GAME(name, folder) extern const struct reference_game reference_##name;
#include "rules/games.def"
#undef RULES_GAME

/* The number of sequences of `depth` legal moves. */
uint64_t reference_perft(const struct reference_game *game, const struct reference_options *options,
                         const char *position, unsigned depth);

void reference_free(struct reference_moves *moves);

/* ---- what the references have in common ----------------------------------------------------- */

_Noreturn void reference_die(const char *problem, const char *text);

const char *reference_option(const struct reference_options *options, const char *name);
bool reference_option_is(const struct reference_options *options, const char *name,
                         const char *value);
long reference_option_number(const struct reference_options *options, const char *name);

/* Adds a move to a list; sorting the list is the last step. */
void reference_add(struct reference_moves *moves, const char *text, const char *after);
void reference_sort(struct reference_moves *moves);

/* How often the present position stands on the line, itself included. */
size_t reference_occurrences(const struct reference_game *game, const struct reference_line *line);

const char *reference_present(const struct reference_line *line);

/* Copies a text without its last `fields` blank-separated fields. */
void reference_cut(const char *text, unsigned fields, char *cut);

/* Takes a decimal number, or one byte that must be there, from the start of *at. */
int reference_take_number(const char **at);
void reference_take(const char **at, char expected);

/* Appends to a text of at most REFERENCE_TEXT bytes. */
__attribute__((format(printf, 2, 3))) void reference_print(char *text, const char *format, ...);

#endif
