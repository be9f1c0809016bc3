/*
 * rules.h - what is legal in every game that plyd knows, and nothing else.
 *
 * A game is one constant table of data and functions, `struct rules_game`. games.def lists those
 * that are part of plyd, and others may be added (module.h). Whatever follows from such a table is
 * written once for all of them: perft, legality, the tree of clicks, text boards (draw/textboard.h)
 * and pictures (draw/picture.h).
 *
 * This header has four parts: the values, the catalogue that describes a game to clients, the
 * table that a game supplies, and the functions that a caller uses. A caller plays a game so:
 *
 *     const struct rules_game *game = rules_find("jungle");
 *     struct rules_options options;
 *     struct rules_state state;
 *     struct rules_refusal why;
 *
 *     rules_options_init(&options);
 *     if (!rules_start(game, &options, NULL, &state, &why))
 *         return refused(&why);                        // an option is wrong
 *     keys[n++] = game->key(&state);                   // before each move: the caller's history
 *     if (!rules_play(game, &state, "a3a4", NULL, &why))
 *         return refused(&why);                        // the move breaks why.law
 *     outcome = game->outcome(&state, &(struct rules_history){keys, n});
 *
 * Moves are plain values. A state is one, too, but only its first `bytes` need exist: copy it with
 * rules_copy(). No function here allocates, frees, keeps a pointer, reads a clock or touches a
 * global, so every function may be called from any thread that has a megabyte of stack left.
 *
 * Texts are what is stored and shown. How a game packs its board into a state, and a move into two
 * words, is known to its folder alone and may change.
 *
 * A refusal is data and never a sentence: a code, the law that is broken, squares with the parts
 * they play, numbers, examples. The caller makes sentences of it.
 *
 * Squares are numbered the same way in every game: row * width + column, from the top left as seat
 * 1 sees the board. Seats are 1 and 2, and seat 1 moves first in an even game; 0 is nobody. Inside
 * the games a side is a seat less one, so that it can be an index.
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
    RULES_PIECES_MAX = 16,       /* kinds of men of one game */
    RULES_SQUARES_MAX = 26 * 26, /* squares of the largest board */
    RULES_STACK_MAX = 1024,      /* men on one square, and on one board */
    RULES_MOVE_TEXT = 64,        /* bytes of a move's text, with its NUL */
    RULES_PRETTY_TEXT = 96,      /* bytes of a move's text as people write it, with its NUL */
    RULES_POSITION_TEXT = 4096,  /* bytes of a position's text, with its NUL */
    RULES_NAME = 32,             /* bytes of a game's name, with its NUL */
    RULES_SQUARE_TEXT = 4,       /* bytes of a square's name, with its NUL */
    RULES_EFFECTS_MAX = 40,      /* effects of one move */
    RULES_LINES_MAX = 8,         /* lines that win at once: four through one square */
    RULES_PATH_MAX = 20,         /* clicks that make one move */
    RULES_CLICKS_TEXT = 128,     /* bytes of the text that clicks make, with its NUL */
    RULES_MOVES_ORDINARY = 1024, /* legal moves of a position that arises in play, at most */
    RULES_WITNESSES_MAX = 8,     /* squares that prove a refusal */
    RULES_ENDS_MAX = 16,         /* ways in which one game ends */
    RULES_OWN = 256,             /* the first number of what games bring along */
    RULES_EXAMPLES_MAX = 8,      /* moves that prove a refusal */
    RULES_NOT_GIVEN = INT32_MIN  /* an option or a number of a refusal that is not there */
};

/* ---- values --------------------------------------------------------------------------------- */

/* A position with everything that decides what may be played next, options included. `bytes` says
 * how much of `w` is in use: copies and caches need no more (rules_copy()). */
struct rules_state {
    uint32_t bytes;
    uint64_t w[RULES_STATE_WORDS];
};

/* A move. Its words mean something to its game alone, within this process: the move's text is what
 * is stored and shown. All zero is "no move". Two moves of one position are the same move exactly
 * if they are equal here (rules_same_move()). */
typedef struct rules_move {
    uint64_t w[2];
} rules_move;

/* A man on a square or in a hand: whose, and which of the game's pieces (an index). */
struct rules_man {
    uint8_t seat;
    uint8_t kind;
};

/* The refusals, the ends of a game, and the parts that a square plays in a refusal. Each of these
 * lists is kept in one place, a .def file, to which is only ever appended: modules were compiled
 * with its numbers. What a game needs and no list has, it brings along (struct rules_own). */
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

/* An end or a role of a game's own. Its number is a constant that the game chooses, from RULES_OWN
 * to UINT16_MAX: no two games that are there at once have the same one for different texts. */
struct rules_own {
    uint16_t number;
    const char *text;    /* "connected": as those of reasons.def and roles.def */
    const char *meaning; /* of an end, in a sentence */
    bool counted;        /* of an end: there may be legal moves, as after a repetition */
};

/* A numbered rule of a game: "T18", "turkish-draughts.max-capture", and the rule in one sentence.
 * The game's rulebook (rules/GAME/NAME.md) explains it under that number. */
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

/* Why something is refused. Everything but `code` may be absent: then law and option are NULL,
 * numbers are RULES_NOT_GIVEN, and lists are empty. */
struct rules_refusal {
    enum rules_code code;
    const struct rules_law *law;
    const char *option; /* the option that is wrong, by its name in the game's table */
    bool visible;       /* of a start: it may be looked at, though not played */
    int32_t at;         /* byte of the text where reading failed */
    int32_t yours;      /* the number that the law judges: pieces taken, pieces moved, points */
    int32_t required;   /* the number that the law asks for */
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

/* The keys (rules_game.key) of the positions before the present one, oldest first. They reach back
 * to the start of the game, or at least over the last rules_game.span() positions. The caller owns
 * them. */
struct rules_history {
    const uint64_t *keys;
    size_t len;
};

/* The options of a game by their index in its table. Begin with rules_options_init(). */
struct rules_options {
    int32_t value[RULES_OPTIONS_MAX]; /* RULES_NOT_GIVEN until given or resolved */
    uint32_t given;                   /* bit i: the caller gave option i */
    const char *position;             /* a start position, or NULL; must outlive the call */
};

/* A straight line of squares, from its first to its last. */
struct rules_line {
    uint16_t from, to;
};

enum rules_effect_type {
    RULES_EFFECT_MOVE,    /* `count` men with `man` on top went from `from` to `to` */
    RULES_EFFECT_CAPTURE, /* `man` was taken on `to` */
    RULES_EFFECT_DROP,    /* `man` came from its owner's hand to `to` */
    RULES_EFFECT_PROMOTE, /* the man on `to` became `man` */
    RULES_EFFECT_PLACE,   /* `man`, a new one, was put on `to` */
    RULES_EFFECT_STACK    /* the stack on `to` is now `count` men high */
};

struct rules_effect {
    enum rules_effect_type type;
    uint16_t from, to;
    uint16_t count;
    struct rules_man man;
};

/* ---- the catalogue: what a client needs that knows no game ---------------------------------- */

enum rules_coordinates {
    RULES_LETTER_DIGIT, /* a1 at the bottom left: files are letters, ranks numbers from below */
    RULES_DIGIT_LETTER  /* 1a at the top right: files are numbers from the right, ranks letters */
};

struct rules_board {
    uint8_t width, height;
    enum rules_coordinates coordinates;
};

/* How the squares of a board lie. Where they are hexagons, each row is set off by half a square to
 * the right of the row above it, as seat 1 sees them. So a square touches those to its left and
 * right, above and below it, at its upper right and at its lower left. */
enum rules_tiling { RULES_SQUARES, RULES_HEXAGONS };

struct rules_seat {
    const char *name; /* "sente" */
    const char *mark; /* what a position's text writes when the seat is to move: "b" */
};

struct rules_piece {
    const char *name;      /* "gold" */
    const char *letter[2]; /* in position texts, for seat 1 and seat 2 */
    const char *symbol[2]; /* a figure in Unicode, at most two cells wide */
    const char *ascii[2];  /* on an ASCII board, at most two characters */
    const char *doc;       /* how it moves, in a sentence */
    int8_t promotes_to;    /* an index, or -1 */
    int8_t demotes_to;     /* what it becomes in the captor's hand; -1: it is out of the game */
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
    RULES_OPTION_START   /* a choice, or a position's text (value: the number of choices) */
};

struct rules_option {
    const char *name;
    enum rules_option_kind kind;
    int32_t min, max;
    bool zero_is_off;
    int32_t fallback;           /* the default; resolve() may take another one */
    const char *const *choices; /* ends with NULL */
    const char *doc;
    const char *title; /* what a form writes above the field; NULL: the name */
    /* By value: values with the same number differ in where a game starts, and in nothing that is
     * legal or that wins later. NULL: no two are like that. */
    const int32_t *alike;
};

/* What a client may call a click that is neither a square nor a piece in a hand. */
struct rules_choice {
    const char *click; /* "": the move ends here, although it could go on */
    const char *label;
};

/* Ways to turn a board, as bits that go together, in this order. */
enum {
    RULES_MIRRORED = 1,  /* files from the other side */
    RULES_FLIPPED = 2,   /* ranks from the other side */
    RULES_TRANSPOSED = 4 /* rows become columns */
};

enum rules_grid {
    RULES_GRID_NONE,    /* blanks between the squares of a row */
    RULES_GRID_BETWEEN, /* lines between the squares, none around the board */
    RULES_GRID_BOXES,   /* a line around every square */
    RULES_GRID_FRAME    /* one line around the board, nothing between the squares */
};

/* How the text board of a game looks (draw/textboard.h), apart from its pieces' symbols and its
 * zones' marks. All zero is a plain board. Members that are NULL are left out, or taken from the
 * other tables. */
struct rules_drawing {
    enum rules_grid grid;            /* hexagons have none */
    bool lettered;                   /* shows the ASCII signs of men unless figures are wanted */
    bool trailed;                    /* a move is shown with its path and the men it took */
    const char *empty, *empty_ascii; /* an empty square; NULL: a blank */
    const char *facing;              /* one cell before each man of the side opposite the viewer */
    const char *const *files;        /* Unicode labels of the columns, from the left */
    const char *const *ranks;        /* and of the rows, from the top, as seat 1 sees them */
    const char *hand[RULES_SEATS];   /* the words before a seat's hand on a Unicode board */
    const char *odds[RULES_SEATS];   /* the same in a game at odds */
    const char *const *counts;       /* [i]: how a hand writes i men of a kind; [0]: no men */
    const int8_t *hand_order;        /* the kinds in the order of a hand; ends with -1 */
    uint8_t ink[RULES_SEATS];        /* the men's ANSI colours, 30 to 37; 0: blue and red */
    const char *color[RULES_SEATS];  /* the men's colours in CSS; NULL: the name of the ink */
};

struct rules_grammar {
    const char *pattern;         /* an ECMA-262 regular expression that canonical texts match */
    const char *doc;             /* how to read and write such a text, in a sentence or two */
    const char *const *examples; /* ends with NULL */
};

struct rules_art; /* how a game's pictures look: draw/art.h */

/* ---- a game: what its folder supplies ------------------------------------------------------- */

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
    const struct rules_own
        *ends; /* those of them that are in no list but this; end with text NULL */
    const struct rules_own *roles; /* of its refusals, the same; NULL: there are none */
    struct rules_grammar move;
    struct rules_grammar position;
    const struct rules_choice *choices; /* ends with a click NULL; NULL: there are none. Numbers
                                         * that are not listed mean what listed numbers mean. */
    const char *const *exports;         /* record formats besides JSON and text; ends with NULL */
    const char *const *features;        /* "hands", "drops", "stacks", ...; ends with NULL */
    enum rules_tiling tiling;
    struct rules_drawing drawing;
    const struct rules_art *art;

    /* Fills every option that was not given with its default, and checks that the options go
     * together. NULL: every option takes the default of the table. */
    bool (*resolve)(struct rules_options *options, struct rules_refusal *why);

    /* Makes the start position, or reads options->position. A text may decide an option (the size
     * of the board): start() then sets the option, or refuses a value that was given and differs.
     * A text that is read, but shows what the rules call impossible, is refused as `visible`: the
     * state is then good for what shows it, and for nothing else: board(), missing(), at(), hand(),
     * to_move(), position_text() and the zones. After another refusal that has witnesses it is good
     * for board() alone, which names their squares; after any other one for nothing. */
    bool (*start)(struct rules_options *options, struct rules_state *state,
                  struct rules_refusal *why);

    /* Writes the canonical text of a position, at most RULES_POSITION_TEXT bytes. start() makes the
     * same position of it: a game is taken up again from this text alone. */
    void (*position_text)(const struct rules_state *state, char *text);

    /* The seat that is to move; in a game that is over, the seat that would be. */
    unsigned (*to_move)(const struct rules_state *state);

    /* Lists every legal move once, in an order of the game's own: writes the first `cap` of them
     * and returns how many there are. If there are more than `cap`, any number above `cap` may be
     * returned, so that a game can stop there. A position that has ended the game by itself has
     * none (a king was taken, a line is full, an impasse needs no declaration). Draws by counting
     * (repetition, quiet moves, one man each) do not matter here: outcome() judges those, and perft
     * goes on past them. */
    size_t (*legal)(const struct rules_state *state, rules_move *moves, size_t cap);

    /* How many legal moves there are, as fast as the game can tell. Takes long if is_heavy(). */
    size_t (*count)(const struct rules_state *state);

    /* Whether so much can be played here that looking at each move takes long. That is said at
     * once, and no position that arises in play is like that. NULL: no position is. */
    bool (*is_heavy)(const struct rules_state *state);

    /* Plays a legal move: *next becomes the position after it. `next` must not be `state`. */
    void (*play)(const struct rules_state *state, rules_move move, struct rules_state *next);

    /* Whether and how the game is over. Where several rules end it at once, the rulebook says which
     * of them comes first. */
    struct rules_outcome (*outcome)(const struct rules_state *state,
                                    const struct rules_history *history);

    /* A number that is equal for two positions exactly if they count as the same for repetition
     * (up to the odds of 63 random bits). Bit 0 says that the side to move is in check, which
     * perpetual check asks of past positions. Keys are stored, so they are the same in every
     * process and in every version. */
    uint64_t (*key)(const struct rules_state *state);

    /* Which turns of the board change nothing in the game, as bits: what was legal before is legal
     * behind them, with the same end. NULL: none. */
    unsigned (*symmetries)(const struct rules_state *state);

    /* Makes the position after such a turn. *image must not be `state`. NULL: as symmetries(). */
    void (*turn)(const struct rules_state *state, unsigned symmetry, struct rules_state *image);

    /* How many of the last positions outcome() may ask about: older ones cannot recur. */
    size_t (*span)(const struct rules_state *state);

    /* Whether the side to move is in check. The witnesses of *why are each king that is attacked,
     * and its attackers: that of the other side too, where kings may be left to be taken. There are
     * none if no king is attacked. NULL: the game knows no check. */
    bool (*check)(const struct rules_state *state, struct rules_refusal *why);

    /* Judges the declaration of the side to move that it has won (shogi: impasse). If it has not,
     * *why says what is missing. NULL: the game knows no declarations. */
    bool (*declare)(const struct rules_state *state, struct rules_outcome *outcome,
                    struct rules_refusal *why);

    /* The canonical text of a legal move, at most RULES_MOVE_TEXT bytes. It names the move's
     * squares as rules_square_text() does, with any signs between them: by these names the last
     * move is shown, and a text is turned with the board. A move that changes no square may have
     * any word. */
    void (*move_text)(const struct rules_state *state, rules_move move, char *text);

    /* Reads a move, leniently where the rulebook says so, and judges it. True: *move is the legal
     * move. False: *why says why not, with a code at least. */
    bool (*read_move)(const struct rules_state *state, const char *text, rules_move *move,
                      struct rules_refusal *why);

    /* Writes a legal move as people write it in this game, at most RULES_PRETTY_TEXT bytes. `last`
     * is the move before it, or no move. NULL: as move_text(). */
    void (*pretty)(const struct rules_state *state, rules_move last, rules_move move, char *text);

    /* Writes the clicks that make a legal move, in order: {"8h", "2b", "+"}. Returns how many. The
     * path of one move may begin that of another, but no two are equal. */
    size_t (*path)(const struct rules_state *state, rules_move move,
                   char click[][RULES_SQUARE_TEXT]);

    /* Writes the text by which read_move() judges clicks, at most RULES_CLICKS_TEXT bytes. Clicks
     * of a legal move give a text of that move; other clicks give a text whose refusal says what is
     * wrong with them. Clicks may be any texts shorter than RULES_SQUARE_TEXT, at most
     * RULES_PATH_MAX of them. NULL: the clicks one after the other. */
    void (*clicks_text)(const struct rules_state *state, const char *const *click, size_t n,
                        char *text);

    /* Writes what a legal move does, in order. Returns how many effects, at most
     * RULES_EFFECTS_MAX; 0 for a move that passes. */
    size_t (*effects)(const struct rules_state *state, rules_move move,
                      struct rules_effect *effects);

    /* Whether the game began with a handicap, which gives the sides other names (drawing.odds).
     * NULL: the game knows no handicaps. */
    bool (*at_odds)(const struct rules_state *state);

    /* The board, which may depend on the options. */
    struct rules_board (*board)(const struct rules_state *state);

    /* Whether a square of the board is not there, which is so in every position of a game: it is
     * not drawn, and nothing lies on it. Its name can be read and written all the same: read_move()
     * refuses it. NULL: all squares are there. */
    bool (*missing)(const struct rules_state *state, unsigned square);

    /* Lists the men on a square from bottom to top: writes the first `cap` of them and returns how
     * many there are. */
    size_t (*at)(const struct rules_state *state, unsigned square, struct rules_man *men,
                 size_t cap);

    /* Lists the lines that have won the game, each from its first to its last man, as long as it
     * is: writes the first `cap` of them and returns how many there are. There is one at least
     * where the game ends for RULES_REASON_LINE. NULL: no lines win. */
    size_t (*lines)(const struct rules_state *state, struct rules_line *lines, size_t cap);

    /* How many men of a kind a seat holds in hand. NULL: the game has no hands. */
    unsigned (*hand)(const struct rules_state *state, unsigned seat, unsigned kind);
};

/* ---- what callers use: the registry, and what is derived once for all games ----------------- */

/* The other of the two seats. */
static inline unsigned rules_other(unsigned seat)
{
    return RULES_SEATS + 1 - seat;
}

/* The games: those of games.def in its order, and then those that were added (module.h).
 * rules_find() returns NULL for a name that no game has. */
size_t rules_games(void);
const struct rules_game *rules_game(size_t i);
const struct rules_game *rules_find(const char *name);

/* The texts of codes.def, and of reasons.def and roles.def and what games bring along; codes.def
 * says what is to be filled into a detail. Static. NULL for a number that means nothing. */
const char *rules_code_text(enum rules_code code);
const char *rules_code_title(enum rules_code code);
const char *rules_code_detail(enum rules_code code);
const char *rules_reason_text(enum rules_reason reason);
const char *rules_reason_meaning(enum rules_reason reason);
const char *rules_role_text(enum rules_role role);

/* The end of a text; RULES_REASON_NONE if there is none. */
enum rules_reason rules_reason_find(const char *text);

/* Options that nobody has given yet. */
void rules_options_init(struct rules_options *options);

/* Gives an option by its text ("8", "true", "casual"). A START option takes a position too: then
 * options->position points into `value`. */
bool rules_option_set(const struct rules_game *game, struct rules_options *options,
                      const char *name, const char *value, struct rules_refusal *why);

/* Writes an option as such a text, at most RULES_POSITION_TEXT bytes. */
void rules_option_text(const struct rules_game *game, const struct rules_options *options, size_t i,
                       char *text);

/* A number that is equal for two choices of options exactly if the same is legal and wins under
 * both (up to the odds of 64 random bits), wherever their games start (rules_option.alike). Options
 * that nobody gave count as their defaults. It is made of the bytes "NAME=VALUE" of each option,
 * with the number of `alike` in the place of a value that has one, in any order. It is stored in
 * keys of positions, so it is the same in every process and in every version; a new option of a
 * game changes it for all games of that kind. */
uint64_t rules_options_key(const struct rules_game *game, const struct rules_options *options);

/* Starts a game: resolves the options, and reads `position` if it is not NULL. A START option that
 * was given and means another position is refused. After a refusal that is `visible`, the state may
 * be looked at (rules_game.start). */
bool rules_start(const struct rules_game *game, struct rules_options *options, const char *position,
                 struct rules_state *state, struct rules_refusal *why);

/* Reads a position that arose in a game with these options, wherever that one started: resolves
 * them as rules_start() does, except that a START option which was given stays what it is. */
bool rules_resume(const struct rules_game *game, struct rules_options *options,
                  const char *position, struct rules_state *state, struct rules_refusal *why);

/* The same with options that are resolved. */
bool rules_load(const struct rules_game *game, const struct rules_options *options,
                const char *position, struct rules_state *state, struct rules_refusal *why);

/* Copies what is in use of a state. */
void rules_copy(const struct rules_state *from, struct rules_state *to);

/* Reads a move and plays it. *state stays as it is if the move is refused. `played` may be NULL. */
bool rules_play(const struct rules_game *game, struct rules_state *state, const char *text,
                rules_move *played, struct rules_refusal *why);

/* Writes the text that clicks make (rules_game.clicks_text). Empty clicks, which end a move that
 * could go on, leave nothing in it. */
void rules_clicks_text(const struct rules_game *game, const struct rules_state *state,
                       const char *const *click, size_t n, char *text);

/* Whether the position has more legal moves than any that arises in play, so that listing them
 * takes milliseconds: is_heavy(), or more than RULES_MOVES_ORDINARY. That is said in microseconds.
 * Reading, playing and judging one move stays possible. */
bool rules_is_heavy(const struct rules_game *game, const struct rules_state *state);

/* Whether `move` is one of the legal moves. `scratch` has room for `cap` moves, at least count() of
 * them. */
bool rules_is_legal(const struct rules_game *game, const struct rules_state *state, rules_move move,
                    rules_move *scratch, size_t cap);

/* The outcome by the rules that need no past: how things stand in a position from outside. */
struct rules_outcome rules_outcome_now(const struct rules_game *game,
                                       const struct rules_state *state);

/* Lists the first lines that have won the game (rules_game.lines), and returns how many it wrote. A
 * line that leaves the board or is not straight is left out: callers step along it. */
size_t rules_won_lines(const struct rules_game *game, const struct rules_state *state,
                       struct rules_line line[RULES_LINES_MAX]);

/* The step from square to square of a straight line; 0 if it is none on this board, or one square
 * alone. */
int rules_line_step(struct rules_board board, struct rules_line line);

/* How often `key` occurs in the history. */
size_t rules_occurrences(const struct rules_history *history, uint64_t key);

/* Whether a square of the board is not there (rules_game.missing). */
static inline bool rules_is_missing(const struct rules_game *game, const struct rules_state *state,
                                    unsigned square)
{
    return game->missing != NULL && game->missing(state, square);
}

/* The square that a square becomes when the board is turned, and those that a set of squares
 * becomes, each of which is a bit. */
unsigned rules_turned(struct rules_board board, unsigned symmetry, unsigned square);
uint64_t rules_turned_set(struct rules_board board, unsigned symmetry, uint64_t squares);

/* A position up to the symmetries of its game, under its options. All positions that are turns of
 * each other have the same key if their options have (rules_options_key()), and no others. One of
 * them stands for all: `turns` has bit s if turn s leads to it. A position that is symmetric has
 * several. */
struct rules_orbit {
    uint64_t key;
    unsigned turns;
};
void rules_orbit(const struct rules_game *game, const struct rules_options *options,
                 const struct rules_state *state, struct rules_orbit *orbit);

/* Writes the canonical text of a legal move as it is played in the position that stands for the
 * orbit, or one of those as it is played in `state`. Of moves that are equivalent there, all give
 * the same text. At most RULES_MOVE_TEXT bytes. */
void rules_orbit_move(const struct rules_game *game, const struct rules_state *state,
                      const struct rules_orbit *orbit, const char *move, char *text);
void rules_orbit_back(const struct rules_game *game, const struct rules_state *state,
                      const struct rules_orbit *orbit, const char *move, char *text);

/* The number of sequences of `depth` legal moves. `scratch` has room for `cap` moves, for all
 * depths together. UINT64_MAX if that was not enough. */
uint64_t rules_perft(const struct rules_game *game, const struct rules_state *state, unsigned depth,
                     rules_move *scratch, size_t cap);

/* Draws a number below `n`, each with the same odds; `n` is at least 1. *seed is the generator's
 * whole state, and any value will do. */
size_t rules_choose(uint64_t *seed, size_t n);

bool rules_same_move(rules_move a, rules_move b);

/* Squares and their names. rules_square_read() reads one name at the start of `text` and returns
 * its length, or 0 if no square of this board is named there. */
void rules_square_text(struct rules_board board, unsigned square, char text[RULES_SQUARE_TEXT]);
size_t rules_square_read(struct rules_board board, const char *text, unsigned *square);

/* Begins a refusal: sets code and law and leaves everything else absent. Returns false, so that a
 * game can `return rules_refuse(...)`. rules_add_witness() and rules_add_example() drop what no
 * longer fits. */
bool rules_refuse(struct rules_refusal *why, enum rules_code code, const struct rules_law *law);

/* The same for a position that may be looked at: the whole of it has been read into the state. */
bool rules_refuse_position(struct rules_refusal *why, const struct rules_law *law);
void rules_add_witness(struct rules_refusal *why, enum rules_role role, unsigned square,
                       struct rules_man man);
void rules_add_example(struct rules_refusal *why, rules_move move);

/* Visits legal moves as a tree of clicks, in byte order: enter() for a click that leads on, leave()
 * after what follows it, and leaf() for a click that finishes a move, with the move's text. Where a
 * move ends at a click that also leads on, its leaf is the click "". `scratch` has room for `n`
 * paths, which mean nothing to the caller. */
struct rules_path {
    uint32_t order, len;
    uint32_t click[RULES_PATH_MAX + 1];
};
struct rules_tree_visitor {
    void *context;
    void (*enter)(void *context, const char *click);
    void (*leaf)(void *context, const char *click, const char *move);
    void (*leave)(void *context);
};
void rules_tree(const struct rules_game *game, const struct rules_state *state,
                const rules_move *moves, size_t n, struct rules_path *scratch,
                const struct rules_tree_visitor *visitor);

#endif
