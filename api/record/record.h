/*
 * record.h - records of games: a whole game as one text, in the formats that people and programs
 * exchange. Other folders use this header first; some also use ends.h, move_notation.h, split.h or
 * archive.h.
 *
 * Everything here is pure: a text comes in, a struct goes out, and back. Nothing is stored or
 * looked up, and what comes out lives in the arena that was given, or is static.
 *
 * A reader judges everything by the rules. A record that was read has a legal start and legal moves
 * in canonical text; where the rules end the game, its outcome is theirs. Some formats cannot
 * express everything, for example options that are not the defaults, or a resignation out of turn.
 * Writers put such facts into a comment or header named "plyd", which other programs ignore and our
 * readers understand (facts.h).
 *
 * The files of this folder, from the ground up. Each has a header of the same name, which is its
 * manual.
 * - lines, times, headers, charset: characters and blanks, times, names of headers, encodings
 * - ends, check, detect, split: words for ends, plausibility, the format of a text, files of many
 * games
 * - tree, writer, write_end, reader, rule_hints, annotations, facts: what all writers and all
 * readers share
 * - shogi, handicap, csa_words, kanji_words, kanji, kanji_board, kanji_moves: what the formats of
 * shogi share
 * - time_limit: the header "time_limit" in the words of each format
 * - pdn_tags, pdn_numbers, pdn_other: the tags of PDN, its squares as numbers, and what looks like
 * it but is of another game
 * - json, plain, usi, usen, kif, ki2, csa, jkf, shougi, pdn: the formats. formats.h has their
 * functions. A long reader has a file of its own (csa_read.c).
 * - holds: what the formats have places for, and what of a record one must leave out
 * - record: the list of formats, and the way from bytes to a record
 */
#ifndef PLYD_API_RECORD_RECORD_H
#define PLYD_API_RECORD_RECORD_H

#include "api/text/arena.h"
#include "api/text/out.h"
#include "api/text/problem.h"
#include "rules/rules.h"

enum {
    RECORD_MOVES_MAX = 4094,
    RECORD_EVENTS_MAX = 65536,
    RECORD_HEADERS_MAX = 1000,
    RECORD_NAME_MAX = 256,     /* bytes of a name or header without NUL */
    RECORD_SPOT_MAX = 2048,    /* bytes of the text of a spot: a board has several lines */
    RECORD_BYTES_MAX = 1 << 20 /* of any input, whatever the caller allows */
};

#define RECORD_NO_TIME INT64_MIN

/* ---- what a record holds ---- */

/* How a game ended. Each end has a word (record_end_text) that is the reason of a stored game. */
enum record_end {
    RECORD_OPEN,     /* it goes on, or its record stops without an end */
    RECORD_BY_RULES, /* `reason` says why; a declared win is RULES_REASON_IMPASSE */
    RECORD_RESIGNED,
    RECORD_TIMEOUT,
    RECORD_AGREED,  /* a draw by agreement */
    RECORD_FOUL,    /* a player broke the rules */
    RECORD_FORFEIT, /* a player did not appear */
    RECORD_ABORTED,
    RECORD_ENDS
};

struct record_outcome {
    enum record_end end;
    enum rules_reason reason; /* of RECORD_BY_RULES */
    unsigned winner;          /* seat, or 0 */
    bool confirmed;           /* RECORD_BY_RULES: the rules say so of the last position, or grant
                               * the declaration; else only the record says it */
};

/* What is told of the end of a line, and in which words, so that it is exported in the same ones.
 * record_ending_init() of ends.h makes one of which nothing is told. */
struct record_ending {
    struct record_outcome outcome;
    const char *word;    /* as it stands in the record, or NULL */
    int64_t spent_us;    /* thought before the end, by the side to move; -1: not known */
    const char *comment; /* behind the end, or NULL */
    const char *sentence; /* of KIF and KI2, まで3手で先手の勝ち, if it says no more than the end
                           * does; or NULL */

    /* Only of the main line: */
    const char *foul;      /* the last move as it stands in the record, if it broke the rules and so
                            * ended the game, or NULL */
    const char *foul_move; /* that move as the rules would write it, or NULL: not known */
    bool result_only;      /* the record says who won, but not how */
    bool silent;           /* the record stops where the rules end the game, and says nothing */
};

/* A position of the game, judged by the rules together with all positions before it (repetitions).
 */
struct record_point {
    const char *position;
    uint64_t key;                 /* rules_game.key */
    struct rules_outcome outcome; /* by every rule */
    unsigned to_move;             /* whose turn it is, or would be */
    rules_move move;              /* the move that led here; none at the start */
};

struct record_move {
    const char *text;    /* canonical */
    const char *comment; /* lines joined by newlines, or NULL */
    int64_t spent_us;    /* -1: not known */
    const char *marks;   /* of PDN, "$1 $14", or NULL: what somebody thinks of the move */
    bool has_value; /* a program has judged the position behind it (it stands in the comment) */
    int32_t value;  /* in centipawns, for the first player */
};

/* A variation: moves that were or could have been played instead of others, or behind the end of
 * the line that it leaves. It has no moves if the game could have ended at that place, although the
 * line goes on or ends otherwise. The lines of a record are numbered: the main line is 0, lines[i]
 * is i + 1. */
struct record_line {
    size_t parent; /* the line that it leaves; a smaller number than its own */
    size_t ply;    /* the last ply that it shares with that line */
    struct record_move *moves;
    size_t nmoves;
    size_t after; /* of a line without moves: how many with moves come before it at its place */
    struct record_ending ending;
    const struct record_point **points; /* set by reading: where each move led */
};

/* A header. Keys that several formats know have one name here: "event", "site", "round",
 * "time_limit", "opening". All others are kept as they stand in the file. */
struct record_header {
    const char *key, *value;
};

/* The items that a file has among its headers and a record in members of their own. A spot says
 * that an item stood before the header of number `before`, so that a file is exported in the order
 * in which it was imported. An item without a spot is written where the format usually has it. The
 * format that the record was read from writes the item as it stood there, for as long as that still
 * means what the record says. */
enum record_slot {
    RECORD_SLOT_FIRST, /* the name of seat 1 */
    RECORD_SLOT_SECOND,
    RECORD_SLOT_STARTED,
    RECORD_SLOT_ENDED,
    RECORD_SLOT_START, /* the handicap, or the position */
    RECORD_SLOT_BOARD, /* the position as a board */
    RECORD_SLOT_RESULT,
    RECORD_SLOT_TERMINATION,
    RECORD_SLOT_GAME,
    RECORD_SLOTS
};
struct record_spot {
    enum record_slot slot;
    size_t before;
    const char *text; /* as it stood there, or NULL: in the format's usual form */
};

/* The time limit of the game: a bank, the increment of each move, and the periods after the bank;
 * or `move_us`, a time for each single move. All zero: there is no limit, or it is not known. */
struct record_time {
    int64_t initial_us, increment_us, period_us;
    int32_t periods;
    int64_t move_us;
};

/* One entry of a game's log, in the words of the API. Its version is its index plus 1. The reader
 * keeps events of unknown kinds without judging them; from_record() refuses them. */
struct record_event {
    const char *kind; /* "created", "move", "undo" ...; "unknown": of a newer program */
    const char *move; /* of a move, else NULL */
    const char *data; /* JSON, or NULL */
    unsigned seat;
    int32_t line, ply;
    int64_t at;                       /* microseconds since 1970 */
    const struct record_point *point; /* where the game is after it; set by reading */
};

/* Where and why reading stopped. */
struct record_error {
    enum problem code;
    const char *detail;  /* a sentence */
    size_t line, column; /* from 1 on, in characters; 0: nowhere in particular */
    int32_t ply;         /* of the move that was refused, else 0 */
    const char *move;    /* as it stands in the record, or NULL */
    /* Of a refusal by the rules; else game is NULL. `state` is the position that was judged. It is
     * NULL for options, and for a start position that may not even be looked at. */
    const struct rules_game *game;
    const struct rules_state *state;
    struct rules_refusal refusal;
};

struct record {
    const struct rules_game *game;
    struct rules_options options; /* resolved */
    const char *start;            /* position text */
    const char *comment;          /* before the first move */
    struct record_move *moves;    /* the main line, or the present one */
    size_t nmoves;
    struct record_line *lines;     /* variations; record_tree() has their order */
    size_t nlines;                 /* with the main line they have RECORD_MOVES_MAX moves at most */
    const char *name[RULES_SEATS]; /* or NULL */
    const char *title[RULES_SEATS]; /* of an engine, for formats that have only names; or NULL */
    struct record_header *headers;
    size_t nheaders;
    struct record_spot spots[RECORD_SLOTS]; /* each slot once, in the order of the file */
    size_t nspots;
    struct record_time time; /* of a game here. Written as the header "time_limit", if there is no
                              * such header, and read as one */
    int64_t started_at, ended_at;       /* microseconds since 1970, or RECORD_NO_TIME */
    struct record_ending ending;        /* of the main line */
    const struct record_format *format; /* in which it was read; NULL: it was not */

    /* Only from and to our own JSON: the whole log, if `nevents` > 0, and what goes with it. */
    struct record_event *events;
    size_t nevents;
    const char *engine[RULES_SEATS]; /* or NULL */
    int32_t level[RULES_SEATS];      /* of that engine; 0: not known */
    const char *undo, *visibility;   /* the words of the API, or NULL */
    int64_t seed;                    /* of an engine */

    /* Set by reading. */
    const char *charset;                /* "UTF-8", "UTF-16LE", "UTF-16BE", "Shift_JIS", "EUC-JP" or
                                         * "Windows-1254" */
    const struct record_point **points; /* the positions of ply 0 to nmoves; other code uses these
                                         * and need not play the moves again */
    const struct rules_state *state;    /* after the last move */
    size_t cut; /* how many variations have an illegal move: each ends before it, and its rest is
                 * kept as a comment there */
    size_t other_games;        /* in the same file, skipped */
    struct record_error *foul; /* the last move, if it broke the rules and the record says so: the
                                * game was read up to it; else NULL */
};

/* An empty record: no moves, no names, no times. */
void record_init(struct record *record, const struct rules_game *game);

/* ---- formats ---- */

struct record_writing;
struct record_reading;
struct record_word;

struct record_format {
    const char *name;      /* "kif": in URLs and in the lists `exports` of the games */
    const char *extension; /* of files */
    const char
        *extension_utf8;    /* of files that are not in Shift_JIS, if they have one of their own */
    const char *media_type; /* without charset */
    const char *title;
    const char *variant; /* the one game that it serves; NULL: all */
    bool shift_jis;      /* may be written in it too */
    bool whole;          /* a record can be read back with its players, options and end */
    const char
        *remark;    /* what begins a line behind a game that is none of it; NULL: nothing does */
    unsigned holds; /* what it has places for: the bits of holds.h */
    const struct record_word *ends; /* its words for ends; NULL: it has none, or keeps any word */
    const char *options; /* by which its records are read if nothing is said, as facts have them;
                          * NULL: by the usual ones */
    /* Whether it has a place for this header of a record; NULL: for each, if it has one for any. */
    bool (*holds_header)(const struct record *record, size_t i);
    /* Whether it tells this outcome of a record to other programs, too; NULL: if a word of `ends`
     * means it. */
    bool (*holds_end)(const struct record *record, const struct record_ending *ending);
    bool (*write)(struct record_writing *writing);
    bool (*read)(struct record_reading *reading);
};

/* All formats; NULL past the last. CSA has two: "csa" is CSA 2.2, "csa3" is 3.0. So
 * has PDN: "pdn" has squares as a3, "pdn-numeric" has their numbers. */
const struct record_format *record_format(size_t i);
const struct record_format *record_find_format(const char *name);

/* Whether a game can be written in a format. */
bool record_serves(const struct record_format *format, const struct rules_game *game);

/* ---- writing and reading ---- */

/* The Content-Type of a record in a format and a charset (NULL: UTF-8). JSON has no charset. */
const char *record_content_type(struct arena *arena, const struct record_format *format,
                                const char *charset);

/* Appends the text of the record to `out`; its media type is format->media_type. `charset` is NULL,
 * "UTF-8" or, where the format allows it, "Shift_JIS"; characters that Shift_JIS lacks become the
 * geta mark. Except in JSON, control characters of comments and headers that a terminal would obey
 * become '?' (chars_tame). False and *error: the format cannot express this record (another
 * variant, a start position that the format has no place for), or the moves are not legal. */
bool record_write(const struct record_format *format, const struct record *record,
                  const char *charset, struct out *out, struct record_error *error);

struct lang;

/* What the caller knows of a record before it is read. All zero: nothing. */
enum record_drops { RECORD_DROPS_AUTO, RECORD_DROPS_ABSOLUTE, RECORD_DROPS_VIEW };
struct record_hint {
    const struct rules_game *game;       /* which game it is */
    const struct rules_options *options; /* options that are set here override the record's */
    enum record_drops drops;             /* SHOUGI: how the second player's drops are written */
    const struct lang *lang;             /* of refusals by the rules; NULL: English */
};

/* Reads the first game of a text in a format, or in the one that it looks like (NULL). The encoding
 * is detected (charset.c); lines may end in LF, CR LF or CR. `hint` may be NULL. False and *error:
 * the text cannot be read as a record. */
bool record_read(struct arena *arena, const char *bytes, size_t len,
                 const struct record_format *format, const struct record_hint *hint,
                 struct record *record, struct record_error *error);

/* ---- check.c --------------------------------------------------------------------------------- */

/* Whether what a record tells can be true. The rules have judged its moves already. */

/* The longest thinking time of a game: thirty years, which every format can express. */
#define RECORD_THOUGHT_MAX (INT64_C(30) * 366 * 86400 * 1000000)

/* Whether all times of a record are possible, and its end names a winner if it needs one. False and
 * *error otherwise. */
bool record_is_plausible(const struct record *record, struct record_error *error);

/* ---- tree.c ---------------------------------------------------------------------------------- */

/* The variations of a record, by the line and ply that they leave. */

/* The numbers of all variations, sorted by the line that they leave. The variations that leave line
 * i are line[first[i]] to line[first[i + 1] - 1], in the order of the plies at which they leave it.
 * Of those that leave it at one ply the first in the record comes first, and one without moves
 * where its member `after` says. */
struct record_tree {
    size_t *line, *first;
};

struct record_tree record_tree(struct arena *arena, const struct record *record);

/* Joins variations that begin with the same moves: the first variation keeps these moves, and the
 * second becomes a variation of the first where they differ. When two moves become one, both
 * comments are kept. A variation that goes on where another one ends, of which nothing is said,
 * becomes a part of it.
 *
 * The ends of variations that are joined are kept as variations without moves, unless the line that
 * has their moves ends there in the same way, or says nothing of its end. */
void record_tree_join(struct arena *arena, struct record *record);

#endif
