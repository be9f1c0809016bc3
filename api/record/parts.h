/*
 * record_parts.h - what the readers and writers of the formats share (record.h): the text line by
 * line, the game being replayed under the rules, the words of its end, and the facts that a format
 * has no place for. For api/record_*.c alone.
 */
#ifndef PLYD_API_RECORD_PARTS_H
#define PLYD_API_RECORD_PARTS_H

#include "api/record/record.h"
#include "api/text/json_read.h"

/* ---- the end of a game, in the words of a format ---- */

enum record_who { NOBODY_WINS, MOVER_WINS, MOVER_LOSES, FIRST_WINS, SECOND_WINS };

/* A table of these ends with an empty word. Its first entry with a word says how the word is read,
 * its first entry that fits an outcome how that is written. One entry is RECORD_OPEN's. */
struct record_word {
    const char *word;
    enum record_end end;
    enum rules_reason reason;
    enum record_who who;
};

const struct record_word *record_find_word(const struct record_word *words, const char *word,
                                           size_t len);

/* What a word says when `to_move` is to move. */
struct record_outcome record_word_outcome(const struct record_word *word, unsigned to_move);

/* ---- writing ---- */

struct record_writing {
    struct arena *arena;
    const struct record_format *format;
    const struct record *record;
    struct out *out;   /* record_print() appends to it */
    struct json *json; /* the same text, for formats that are JSON */
    struct record_error *error;
};

/* The record's game, move by move. */
struct record_walk {
    const struct record *record;
    struct rules_state *state; /* before `move`; at the end the last position */
    struct rules_state *next;
    rules_move last, move;
    size_t played; /* moves[played] is the one that record_walk_next() gives */
};

/* False, with an error: the start or a move is not legal. next: false at the end or on an error. */
bool record_walk_begin(struct record_walk *walk, struct record_writing *writing);
bool record_walk_next(struct record_walk *walk, struct record_writing *writing,
                      const struct record_move **move);

/* Says why this record cannot be written. Returns false. */
bool record_unwritable(struct record_writing *writing, const char *detail);

/* The word for the record's outcome, and what it is read as. */
const char *record_choose_word(const struct record_writing *writing,
                               const struct record_word *words, struct record_outcome *said);

/* The seat to move at the end of the record. */
unsigned record_last_mover(const struct record *record);

/* What must be written beside the format's own words: "rules=casual number=5 winner=2", or NULL.
 * `said` is what those words say of the end. */
const char *record_facts(struct record_writing *writing, const struct record_outcome *said);

/* The options alone. "" if all are the defaults. */
const char *record_options_text(struct arena *arena, const struct record *record);

/* A text on one line: control characters become blanks, none at the ends. NULL and nothing but
 * blanks: NULL. */
const char *record_one_line(struct arena *arena, const char *text);

/* The next line of a text; *at (NULL: no text) goes behind it, and is NULL after the last one. */
const char *record_text_line(struct arena *arena, const char **at);

void record_print(struct record_writing *writing, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- reading ---- */

struct record_reading {
    struct arena *arena;
    const struct record_hint *hint;
    const struct record_format *format;
    char *text; /* UTF-8; record_next_line() ends its lines with NUL */
    size_t len;
    struct record *record;
    struct record_error *error;

    char *at; /* behind the present line */
    const char *line_text;
    size_t line; /* its number */

    const struct rules_game *game;
    struct rules_options options; /* given by the record */
    struct rules_state *state;    /* once started */
    struct rules_state *before;
    uint64_t *keys;               /* of all positions but the present one */
    struct rules_outcome outcome; /* of the present position */
    bool started, refused;        /* refused: *error says why; was it the foul that ended it? */
    bool says_foul;
    size_t moves_size;
    struct out comment; /* the one that is being gathered */

    bool has_end, has_winner;
    struct record_outcome end; /* as the record says */
    unsigned winner;
    uint32_t number; /* of the first move, from the facts; 0: not said */
};

/* The next line without its end and with blanks for control characters, or NULL. */
char *record_next_line(struct record_reading *reading);

/* "bad-record", at a place of the present line or of the line as a whole (NULL). Returns false. */
bool record_bad(struct record_reading *reading, const char *at, const char *detail);

/* "bad-record", of what is wrong in JSON. Returns false. */
bool record_bad_json(struct record_reading *reading, const struct json_error *error);

/* The game of the record, unless the hint says another: then false. */
bool record_set_game(struct record_reading *reading, const char *name);

/* Facts as record_facts() wrote them. */
bool record_take_facts(struct record_reading *reading, const char *facts);

/* Begins the game from a position (NULL: the options' own). */
bool record_start(struct record_reading *reading, const char *position);

/* Plays a move. `shown` is how it stands in the record, at `at`. If the rules refuse it, *error is
 * filled. */
bool record_play(struct record_reading *reading, const char *text, const char *shown,
                 const char *at);

/* As record_play(), but a refusal only sets reading->refused: record_finish() then asks whether it
 * was the foul that ended the game. */
bool record_play_or_foul(struct record_reading *reading, const char *text, const char *shown,
                         const char *at);

/* Whether the game has an option that says its start, and it was given. */
bool record_names_start(const struct rules_game *game, const struct rules_options *options);

/* Goes back (or forth again) to a ply that was reached before, whose position that is. */
bool record_return(struct record_reading *reading, size_t ply, const char *position);

/* A header; its key and value are trimmed. Empty values are dropped. */
bool record_add_header(struct record_reading *reading, const char *key, const char *value);
bool record_set_name(struct record_reading *reading, unsigned seat, const char *name);

/* A comment of the last move, or of the start. */
void record_add_comment(struct record_reading *reading, const char *comment);

/* The time that was thought for the last move, or before the end. */
void record_set_spent(struct record_reading *reading, int64_t us);

/* How the record says that the game ended. */
bool record_set_word(struct record_reading *reading, const struct record_word *word,
                     const char *shown);

/* After the last line: what became of the game. */
bool record_finish(struct record_reading *reading);

/* ---- times, and headers of several formats ---- */

/* In UTC: "2020/01/02 03:04:05", or without the time of day at midnight; `separator` between the
 * numbers of the date. Reading also takes - and . and T, and leaves what is no date alone: false.
 */
const char *record_time_text(struct arena *arena, int64_t us, char separator);
bool record_read_time(const char *text, int64_t *us);

/* A header's name in a column of formats, and back; the name itself if there is none. */
enum record_column { RECORD_COLUMN_KIF, RECORD_COLUMN_CSA, RECORD_COLUMN_PDN };
const char *record_header_name(enum record_column column, const char *key);
const char *record_header_key(enum record_column column, const char *name);

/* ---- encodings (record_charset.c) ---- */

/* UTF-8 in the arena, with *charset; NULL and *error. */
char *record_decode(struct arena *arena, const char *bytes, size_t len, size_t *out_len,
                    const char **charset, struct record_error *error);

/* Shift_JIS of UTF-8; NULL if this system does not know it. */
const char *record_to_shift_jis(struct arena *arena, const char *text);

/* The length in bytes of the UTF-8 character at `text`, and how many cells of a terminal a text of
 * Japanese takes: two for everything that is not ASCII. */
size_t record_char_length(const char *text);
size_t record_cells(const char *text);

/* Whether *at begins with a word; it is moved behind it. */
bool record_take(const char **at, const char *word);

/* Text without ASCII and full-width blanks at its ends. */
char *record_trim(struct arena *arena, const char *text);

/* ---- the formats ---- */

bool record_write_usi(struct record_writing *writing);
bool record_read_usi(struct record_reading *reading);
bool record_write_sfen(struct record_writing *writing);
bool record_read_sfen(struct record_reading *reading);
bool record_write_kif(struct record_writing *writing);
bool record_read_kif(struct record_reading *reading);
bool record_write_ki2(struct record_writing *writing);
bool record_read_ki2(struct record_reading *reading);
bool record_write_csa(struct record_writing *writing);
bool record_read_csa(struct record_reading *reading);
bool record_write_jkf(struct record_writing *writing);
bool record_read_jkf(struct record_reading *reading);
bool record_write_shougi(struct record_writing *writing);
bool record_read_shougi(struct record_reading *reading);
bool record_write_pdn(struct record_writing *writing);
bool record_read_pdn(struct record_reading *reading);
bool record_write_plain(struct record_writing *writing);
bool record_read_plain(struct record_reading *reading);
bool record_write_json(struct record_writing *writing);
bool record_read_json(struct record_reading *reading);

/* Whether a text looks like one of them: the first that does is taken. */
const struct record_format *record_recognise(struct arena *arena, const char *text);

#endif
