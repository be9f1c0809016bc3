/*
 * rules.h - what is legal in every game that plyd knows, and nothing else.
 *
 * States and moves are plain values: copy them with `=`. No function here allocates, frees, keeps
 * a pointer, reads a clock or touches a global; every function is safe from any thread.
 *
 * A game is one constant table of functions, `struct rules_game`; rules/games.def lists them. What
 * can be derived from that table (perft, replay, the move tree, text boards) is written once for
 * all games. The first part below is what a caller uses, the second what a game has to supply.
 *
 * Squares are numbered the same way in every game: row * width + column, from the top left as the
 * first seat sees the board. How a game keeps its board inside a state is its own affair.
 * Seats are 1 and 2 in the order of the first turn; 0 is nobody.
 */
#ifndef PLYD_RULES_RULES_H
#define PLYD_RULES_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RULES_SEATS = 2,
    RULES_STATE_WORDS = 640,     /* room for the largest state of any game */
    RULES_OPTIONS_MAX = 8,       /* options of one game */
    RULES_SQUARES_MAX = 26 * 26, /* squares of the largest board */
    RULES_STACK_MAX = 1024,      /* men on one square, and on one board */
    RULES_MOVE_TEXT = 64,        /* bytes of a move's text, with its NUL */
    RULES_PRETTY_TEXT = 96,      /* bytes of a move's text as people write it, with its NUL */
    RULES_POSITION_TEXT = 4096,  /* bytes of a position's text, with its NUL */
    RULES_SQUARE_TEXT = 4,       /* bytes of a square's name, with its NUL */
    RULES_EFFECTS_MAX = 40,      /* effects of one move */
    RULES_PATH_MAX = 20,         /* clicks that make one move */
    RULES_CLICKS_TEXT = 128,     /* bytes of the text that clicks make, with its NUL */
    RULES_WITNESSES_MAX = 8,     /* squares that prove a refusal */
    RULES_EXAMPLES_MAX = 8,      /* moves that prove a refusal */
    RULES_NOT_GIVEN = INT32_MIN  /* an option or a number of a refusal that is not there */
};

/* ---- values --------------------------------------------------------------------------------- */

/* A position with everything that decides what may be played next, options included. `bytes` says
 * how much of `w` is in use, so that a cache may keep only that much of it. */
struct rules_state {
    uint32_t bytes;
    uint64_t w[RULES_STATE_WORDS];
};

/* A move. The number is private to the process and to its game: what is stored and shown is the
 * move's text. All zero is "no move". Two moves of one position are the same move if and only if
 * they are equal here. */
typedef struct rules_move {
    uint64_t w[2];
} rules_move;

/* A man on a square or in a hand: whose, and which of the game's pieces (an index). */
struct rules_man {
    uint8_t seat;
    uint8_t kind;
};

/* The refusals, the ends of a game, and the parts a square plays in a refusal, each in one list. */
enum rules_code {
#define RULES_CODE(id, text, title, detail, meaning) RULES_##id,
#include "rules/codes.def"
#undef RULES_CODE
    RULES_CODES
};

enum rules_reason {
#define RULES_REASON(id, text, meaning) RULES_REASON_##id,
#include "rules/reasons.def"
#undef RULES_REASON
    RULES_REASONS
};

enum rules_role {
#define RULES_ROLE(id, text) RULES_ROLE_##id,
#include "rules/roles.def"
#undef RULES_ROLE
    RULES_ROLES
};

/* A numbered rule of a game, as rules refer to it: "T18", "turkish-draughts.max-capture", and the
 * rule in one sentence. */
struct rules_law {
    const char *number;
    const char *id;
    const char *text;
};

struct rules_witness {
    enum rules_role role;
    uint16_t square;
    struct rules_man man; /* seat 0: no man belongs to this witness */
};

/* Why something is refused, as data. Sentences are made of it elsewhere. Everything but `code` may
 * be absent: law NULL, numbers RULES_NOT_GIVEN, lists empty. */
struct rules_refusal {
    enum rules_code code;
    const struct rules_law *law;
    const char *option; /* the option that is wrong, by its name in the game's table */
    int32_t at;         /* byte of the text where reading failed */
    int32_t yours;      /* the number that the rule judges: pieces taken, moved, points ... */
    int32_t required;   /* the number that it asks for */
    uint32_t witnesses;
    struct rules_witness witness[RULES_WITNESSES_MAX];
    uint32_t examples; /* legal moves: the longer captures, or the candidates of an ambiguity */
    rules_move example[RULES_EXAMPLES_MAX];
};

enum rules_status { RULES_ONGOING, RULES_WON, RULES_DRAWN };

struct rules_outcome {
    enum rules_status status;
    uint8_t winner; /* the seat, if won */
    enum rules_reason reason;
};

/* The keys (rules_game.key) of the positions before the present one, oldest first, since the start
 * of the line or at least the last rules_game.span() of them. The caller owns them. */
struct rules_history {
    const uint64_t *keys;
    size_t len;
};

/* The options of a game by their index in its table. Begin with rules_options_init(). */
struct rules_options {
    int32_t value[RULES_OPTIONS_MAX]; /* RULES_NOT_GIVEN until given or resolved */
    uint32_t given;                   /* bit i: the caller gave option i himself */
    const char *position;             /* a start position, or NULL; must outlive the call */
};

enum rules_effect_type {
    RULES_EFFECT_MOVE,    /* from, to, man, count: men that moved together */
    RULES_EFFECT_CAPTURE, /* to: the square; man */
    RULES_EFFECT_DROP,    /* to; man, from its owner's hand */
    RULES_EFFECT_PROMOTE, /* to; man: what it became */
    RULES_EFFECT_PLACE,   /* to; man, a new one */
    RULES_EFFECT_STACK    /* to; count: the height there afterwards */
};

struct rules_effect {
    enum rules_effect_type type;
    uint16_t from, to;
    uint16_t count;
    struct rules_man man;
};

/* ---- the catalogue: everything a client without any game code needs ------------------------- */

enum rules_coordinates {
    RULES_LETTER_DIGIT, /* a1 at the bottom left: files are letters, ranks numbers from below */
    RULES_DIGIT_LETTER  /* 1a at the top right: files are numbers from the right, ranks letters */
};

struct rules_board {
    uint8_t width, height;
    enum rules_coordinates coordinates;
};

struct rules_seat {
    const char *name; /* "sente" */
    const char *mark; /* what stands for the seat in a position's side field: "b" */
};

struct rules_piece {
    const char *name;      /* "gold" */
    const char *letter[2]; /* in position texts, for seat 1 and seat 2 */
    const char *symbol[2]; /* on a Unicode board, at most two cells wide */
    const char *ascii[2];  /* on an ASCII board, at most two characters */
    const char *doc;       /* how it moves, in a sentence */
    int8_t promotes_to;    /* index, or -1 */
    int8_t demotes_to;     /* what it is in a hand when captured; -1: captured for good */
};

/* A named set of squares: promotion, river, trap, den. */
struct rules_zone {
    const char *name;
    uint8_t seat; /* whose it is, or 0 */
    bool (*has)(const struct rules_state *state, unsigned square);
    const char *mark; /* what an empty square of it shows on a text board, or NULL */
};

enum rules_option_kind {
    RULES_OPTION_INT,    /* min..max, and 0 if zero_is_off */
    RULES_OPTION_BOOL,   /* 0, 1 */
    RULES_OPTION_CHOICE, /* index into choices */
    RULES_OPTION_START   /* a choice, or (value: the number of choices) a position's text */
};

struct rules_option {
    const char *name;
    enum rules_option_kind kind;
    int32_t min, max;
    bool zero_is_off;
    int32_t fallback;           /* the default, if no other option is given */
    const char *const *choices; /* ends with NULL */
    const char *doc;
    const char *title; /* above a field of a form; NULL: the name will do */
};

/* What to call a click that is no square and nothing in a hand. */
struct rules_choice {
    const char *click; /* "": the move ends here, though it might go on */
    const char *label;
};

enum rules_grid {
    RULES_GRID_NONE,    /* the squares of a row parted by blanks */
    RULES_GRID_BETWEEN, /* lines between the squares, none around the board */
    RULES_GRID_BOXES,   /* a line around every square */
    RULES_GRID_FRAME    /* one line around the board, nothing between the squares */
};

/* How the text board of a game looks (textboard.h), beside its pieces' symbols and its zones'
 * marks. All zero is a plain board; what is NULL is left out or made of the other tables. */
struct rules_drawing {
    enum rules_grid grid;
    const char *empty, *empty_ascii; /* an empty square; NULL: a blank */
    const char *facing; /* one cell before the men of the side that sits opposite the viewer */
    const char *const *files; /* Unicode labels of the columns, from the left, and of the rows, */
    const char *const *ranks; /* from the top, as the first seat sees the board */
    const char *hand[RULES_SEATS];  /* what a seat's hand begins with on a Unicode board */
    const char *const *counts;      /* how many men, in a hand on a Unicode board; [0]: no men */
    const int8_t *hand_order;       /* the kinds in the order of a hand; ends with -1 */
    uint8_t ink[RULES_SEATS];       /* the men's ANSI colours, 30 to 37; 0: blue and red */
    const char *color[RULES_SEATS]; /* where there are colours enough; NULL: the name of the ink */
};

struct rules_grammar {
    const char *pattern;         /* of a canonical text, as an ECMA-262 regular expression */
    const char *doc;             /* how to read and write it, in a sentence or two */
    const char *const *examples; /* ends with NULL */
};

struct rules_art; /* how its pictures look: art.h */

/* ---- a game: what its file supplies --------------------------------------------------------- */

struct rules_game {
    const char *name;  /* "turkish-draughts": in URLs, options and documents */
    const char *title; /* "Turkish draughts" */
    const char *doc;   /* what the game is, in a sentence */
    int version;       /* of the rules: raised when stored games could replay differently */

    struct rules_seat seat[RULES_SEATS];
    const struct rules_piece *pieces;
    size_t npieces;
    const struct rules_zone *zones;
    size_t nzones;
    const struct rules_option *options;
    size_t noptions;
    const struct rules_law *laws; /* every rule that a refusal may name */
    size_t nlaws;
    const enum rules_reason *reasons; /* how a game can end by its rules */
    size_t nreasons;
    struct rules_grammar move;
    struct rules_grammar position;
    const struct rules_choice *choices; /* ends with a click NULL; NULL: there are none. A number
                                         * that is missing means what the others mean. */
    const char *const *exports;         /* record formats beside JSON and text; ends with NULL */
    const char *const *features;        /* "hands", "drops", "stacks", ...; ends with NULL */
    struct rules_drawing drawing;
    const struct rules_art *art;

    /* Fills every option that was not given with its default and checks that they go together.
     * NULL: the defaults of the table, independent of each other. */
    bool (*resolve)(struct rules_options *options, struct rules_refusal *why);

    /* Makes the start position, or reads options->position. Where the text decides an option (the
     * size of the board), a value that was given and differs is refused, and the others are set
     * from it. On refusal the state is good for nothing but board(), and for that only where the
     * refusal has witnesses, whose squares are named by it. */
    bool (*start)(struct rules_options *options, struct rules_state *state,
                  struct rules_refusal *why);

    /* Writes the canonical position text, at most RULES_POSITION_TEXT bytes. start() reads it back
     * to a state that is the same in everything but the past. */
    void (*position_text)(const struct rules_state *state, char *text);

    /* Who is to move. Also says who would be if the game were not over. */
    unsigned (*to_move)(const struct rules_state *state);

    /* Every legal move once, in any order. Returns how many there are and writes the first `cap`
     * of them. None where the position itself ends the game at once (a king taken, a full line, an
     * impasse that needs no declaration);
     * draws by counting (repetition, quiet moves, one man each) do not matter here: they are not
     * part of perft and are outcome()'s. */
    size_t (*legal)(const struct rules_state *state, rules_move *moves, size_t cap);

    /* How many legal() would find, as fast as the game can tell. */
    size_t (*count)(const struct rules_state *state);

    /* Plays a legal move: *next becomes the position after it. next must not be state. */
    void (*play)(const struct rules_state *state, rules_move move, struct rules_state *next);

    /* Whether and how the game is over, by every rule, in the order that the rules say. */
    struct rules_outcome (*outcome)(const struct rules_state *state,
                                    const struct rules_history *history);

    /* Equal for two positions if and only if they are the same for repetition (but for the odds of
     * 63 random bits). Bit 0: the side to move is in check. The same in every process. */
    uint64_t (*key)(const struct rules_state *state);

    /* How many earlier positions outcome() may have to ask about: those before it cannot recur. */
    size_t (*span)(const struct rules_state *state);

    /* Whether the side to move is in check. NULL: the game knows no check. */
    bool (*check)(const struct rules_state *state, struct rules_refusal *why);

    /* The side to move declares a win of its own (shogi: impasse). True if it has won; else the
     * facts that are missing. NULL: the game knows no declaration. */
    bool (*declare)(const struct rules_state *state, struct rules_outcome *outcome,
                    struct rules_refusal *why);

    /* The canonical text of a legal move, at most RULES_MOVE_TEXT bytes. */
    void (*move_text)(const struct rules_state *state, rules_move move, char *text);

    /* Reads a move, leniently where the rules say so, and judges it: true and the legal move, or
     * false and the reason. Never fails to name a code. */
    bool (*read_move)(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why);

    /* The move as people write it in this game; `last` is the move before it, or no move. At most
     * RULES_PRETTY_TEXT bytes. NULL: as move_text. */
    void (*pretty)(const struct rules_state *state, rules_move last, rules_move move, char *text);

    /* The clicks that make a legal move, in order: {"8h","2b","+"}. Returns how many. A path may
     * be the beginning of a longer one, never equal to another. */
    size_t (*path)(const struct rules_state *state, rules_move move,
                   char click[][RULES_SQUARE_TEXT]);

    /* The text that read_move() is to judge clicks by, at most RULES_CLICKS_TEXT bytes: the clicks
     * of a legal move make a text of that move, and others one whose refusal says what is wrong
     * with them. Clicks may be anything; each has less than RULES_SQUARE_TEXT bytes, and there are
     * RULES_PATH_MAX at most. NULL: the clicks one after the other. */
    void (*clicks_text)(const struct rules_state *state, const char *const *click, size_t n,
                        char *text);

    /* What a legal move does, in order. Returns how many, at most RULES_EFFECTS_MAX. */
    size_t (*effects)(const struct rules_state *state, rules_move move,
                      struct rules_effect *effects);

    /* The board, which may depend on the options. */
    struct rules_board (*board)(const struct rules_state *state);

    /* The men on a square from bottom to top; writes the first `cap`, returns how many. */
    size_t (*at)(const struct rules_state *state, unsigned square, struct rules_man *men,
                 size_t cap);

    /* How many men of a kind a seat holds in hand. NULL: the game has no hands. */
    unsigned (*hand)(const struct rules_state *state, unsigned seat, unsigned kind);
};

/* ---- what callers use: the registry and what is derived once for all games ------------------ */

/* The games, in the order of games.def. rules_find() answers NULL for a name that no game has. */
size_t rules_games(void);
const struct rules_game *rules_game(size_t i);
const struct rules_game *rules_find(const char *name);

/* The texts of a code ("must-capture-more", its title, its detail with {yours} {required} {move}
 * {rule} {squares} {examples}, and roles, as places to fill, and what it means to who meets it for
 * the first time), of a reason, of a role. Static. */
const char *rules_code_text(enum rules_code code);
const char *rules_code_title(enum rules_code code);
const char *rules_code_detail(enum rules_code code);
const char *rules_code_meaning(enum rules_code code);
const char *rules_reason_text(enum rules_reason reason);
const char *rules_reason_meaning(enum rules_reason reason);
const char *rules_role_text(enum rules_role role);

/* Options: none given yet; give one as text ("8", "true", "casual"); write one as text, at most
 * RULES_POSITION_TEXT bytes. A START option takes a position too: then options->position points
 * into `value`. */
void rules_options_init(struct rules_options *options);
bool rules_option_set(const struct rules_game *game, struct rules_options *options,
                      const char *name, const char *value, struct rules_refusal *why);
void rules_option_text(const struct rules_game *game, const struct rules_options *options, size_t i,
                       char *text);

/* The start of a game: resolves the options, and reads `position` if it is not NULL. A START
 * option that was given and means another position is refused. */
bool rules_start(const struct rules_game *game, struct rules_options *options, const char *position,
                 struct rules_state *state, struct rules_refusal *why);

/* A position that arose in a game with these resolved options. */
bool rules_load(const struct rules_game *game, const struct rules_options *options,
                const char *position, struct rules_state *state, struct rules_refusal *why);

/* Copies as much of a state as is in use. */
void rules_copy(const struct rules_state *from, struct rules_state *to);

/* Reads a move and plays it. On refusal *state is untouched. `played` may be NULL. */
bool rules_play(const struct rules_game *game, struct rules_state *state, const char *text,
                rules_move *played, struct rules_refusal *why);

/* The text that clicks make (rules_game.clicks_text). An empty click, which ends a move that might
 * go on, is none. */
void rules_clicks_text(const struct rules_game *game, const struct rules_state *state,
                       const char *const *click, size_t n, char *text);

/* Whether `move` is one of the legal moves. `scratch` holds `cap` moves: enough for count(). */
bool rules_is_legal(const struct rules_game *game, const struct rules_state *state, rules_move move,
                    rules_move *scratch, size_t cap);

/* Outcome by every rule that needs no past: what a position given from outside already is. */
struct rules_outcome rules_outcome_now(const struct rules_game *game,
                                       const struct rules_state *state);

/* How often `key` occurs in the history. */
size_t rules_occurrences(const struct rules_history *history, uint64_t key);

/* The number of sequences of `depth` legal moves. `scratch` holds `cap` moves for all depths
 * together; UINT64_MAX if that was not enough. */
uint64_t rules_perft(const struct rules_game *game, const struct rules_state *state, unsigned depth,
                     rules_move *scratch, size_t cap);

/* One of `n` > 0 things, uniformly; *seed is the generator's whole state (any value will do). */
size_t rules_choose(uint64_t *seed, size_t n);

bool rules_same_move(rules_move a, rules_move b);

/* Squares and their names. rules_square_read() takes exactly one name from the start of `text`
 * and returns its length, or 0 if there is none on this board. */
void rules_square_text(struct rules_board board, unsigned square, char text[RULES_SQUARE_TEXT]);
size_t rules_square_read(struct rules_board board, const char *text, unsigned *square);

/* Begins a refusal: code and law, everything else absent. Returns false, so that a game can
 * `return rules_refuse(...)`. rules_add_witness() and rules_add_example() drop what is too much. */
bool rules_refuse(struct rules_refusal *why, enum rules_code code, const struct rules_law *law);
void rules_add_witness(struct rules_refusal *why, enum rules_role role, unsigned square,
                       struct rules_man man);
void rules_add_example(struct rules_refusal *why, rules_move move);

/* The legal moves as a tree of clicks, visited in byte order: enter() a click that leads on,
 * leaf() a click that finishes a move (with its text; "" where a shorter move ends at a click
 * that also leads on), leave() it again. `scratch` as in rules_is_legal(); it is overwritten. */
struct rules_tree_visitor {
    void *context;
    void (*enter)(void *context, const char *click);
    void (*leaf)(void *context, const char *click, const char *move);
    void (*leave)(void *context);
};
bool rules_tree(const struct rules_game *game, const struct rules_state *state, rules_move *scratch,
                size_t cap, const struct rules_tree_visitor *visitor);

#endif
