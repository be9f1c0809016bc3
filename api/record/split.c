#include "api/record/split.h"

#include <string.h>

/* What a line says about where games begin. */
enum role {
    NEITHER, /* belongs to the part before it, and is no game by itself */
    OTHER,   /* it goes with what stands before it */
    NOTE,    /* a note of a program: like NEITHER, but it may stand above the headers of a game */
    MAYBE,   /* looks like a header, and may be a sentence: what follows decides */
    HEAD,    /* a header: after moves it begins the next game, with the lines of doubt above it */
    MOVES,
    START, /* begins a game, whatever stands before it */
    BETWEEN
};

struct line {
    const char *text;
    size_t len; /* without its end */
};

/* What is known of a part from the lines that were read of it. */
struct sight {
    bool moves; /* it has moves, or the heading above them */
    bool in_comment;
    /* KIF and KI2: */
    bool played;   /* it has moves or an end */
    bool numbered; /* its moves have numbers */
    bool varies;   /* the next move belongs to a variation */
    bool ended;    /* behind a sentence on the end */
    bool maybe;    /* behind a line that may be a header of the next game */
    unsigned keys; /* the headers that stood in it, of those that a game has once */
};

struct kind {
    enum role (*role)(struct line line, struct sight *sight);
};

static bool split_line_begins(struct line line, const char *with)
{
    size_t len = strlen(with);

    return line.len >= len && memcmp(line.text, with, len) == 0;
}

static bool begins_with_any(struct line line, const char *const *words)
{
    for (; *words != NULL; words++)
        if (split_line_begins(line, *words))
            return true;
    return false;
}

static bool is_blank_char(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct line without_blanks(struct line line)
{
    while (line.len > 0 && is_blank_char(*line.text)) {
        line.text++;
        line.len--;
    }
    return line;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- KIF and KI2 ---- */

/* Lines begin with these, in UTF-8, Shift_JIS and EUC-JP. */
struct word {
    const char *utf8, *shift_jis, *euc_jp;
};

static const struct word end_word = {"まで", "\x82\xdc\x82\xc5", "\xa4\xde\xa4\xc7"},
                         variation_word = {"変化", "\x95\xcf\x89\xbb", "\xca\xd1\xb2\xbd"},
                         heading_word = {"手数-", "\x8e\xe8\x90\x94-", "\xbc\xea\xbf\xf4-"},
                         handicap_word = {"手合割", "\x8e\xe8\x8d\x87\x8a\x84",
                                          "\xbc\xea\xb9\xe7\xb3\xe4"};

static const struct word side_marks[] = {
    {"▲", "\x81\xa3", "\xa2\xa5"},
    {"△", "\x81\xa2", "\xa2\xa4"},
    {"▼", "\x81\xa5", "\xa2\xa7"},
    {"▽", "\x81\xa4", "\xa2\xa6"},
    {"☗", NULL, NULL},
    {"☖", NULL, NULL},
};

/* Headers that a game has once, each with its bit of `sight.keys`. The weaker side of a handicap
 * is sente. */
static const struct {
    struct word word;
    unsigned bit;
} single_keys[] = {
    {{"先手", "\x90\xe6\x8e\xe8", "\xc0\xe8\xbc\xea"}, 1},
    {{"下手", "\x89\xba\x8e\xe8", "\xb2\xbc\xbc\xea"}, 1},
    {{"後手", "\x8c\xe3\x8e\xe8", "\xb8\xe5\xbc\xea"}, 2},
    {{"上手", "\x8f\xe3\x8e\xe8", "\xbe\xe5\xbc\xea"}, 2},
    {{"開始日時", "\x8aJ\x8en\x93\xfa\x8e\x9e", "\xb3\xab\xbb\xcf\xc6\xfc\xbb\xfe"}, 4},
};

/* Lines of a board begin with these: its files, its frame, the number of its last move, and whose
 * turn it is. */
static const struct word board_words[] = {
    {"９", "\x82X", "\xa3\xb9"},
    {"+", "+", "+"},
    {"|", "|", "|"},
    {"手数＝", "\x8e\xe8\x90\x94\x81\x81", "\xbc\xea\xbf\xf4\xa1\xe1"},
    {"先手番", "\x90\xe6\x8e\xe8\x94\xd4", "\xc0\xe8\xbc\xea\xc8\xd6"},
    {"下手番", "\x89\xba\x8e\xe8\x94\xd4", "\xb2\xbc\xbc\xea\xc8\xd6"},
    {"後手番", "\x8c\xe3\x8e\xe8\x94\xd4", "\xb8\xe5\xbc\xea\xc8\xd6"},
    {"上手番", "\x8f\xe3\x8e\xe8\x94\xd4", "\xbe\xe5\xbc\xea\xc8\xd6"},
};

static const struct word colons[] = {{":", ":", ":"}, {"：", "\x81\x46", "\xa1\xa7"}};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Whether a line begins with a word; *rest is what follows it. */
static bool line_begins_with(struct line line, struct word word, struct line *rest)
{
    const char *const forms[] = {word.utf8, word.shift_jis, word.euc_jp};

    for (size_t i = 0; i < COUNT(forms); i++)
        if (forms[i] != NULL && split_line_begins(line, forms[i])) {
            size_t len = strlen(forms[i]);

            *rest = (struct line){line.text + len, line.len - len};
            return true;
        }
    return false;
}

static bool begins_with_one(struct line line, const struct word *words, size_t count)
{
    struct line rest;

    for (size_t i = 0; i < count; i++)
        if (line_begins_with(line, words[i], &rest))
            return true;
    return false;
}

enum { COLON_BYTES_MAX = 256 };

/* The name of a header is short, and a line may be megabytes long. */
static bool has_colon(struct line line)
{
    if (line.len > COLON_BYTES_MAX)
        line.len = COLON_BYTES_MAX;
    for (; line.len > 0; line.text++, line.len--)
        if (begins_with_one(line, colons, COUNT(colons)))
            return true;
    return false;
}

/* The number of a move, before a blank; 0: there is none. */
static size_t number_of_split_line(struct line line)
{
    size_t number = 0, digits = 0;

    for (; digits < line.len && is_digit(line.text[digits]); digits++)
        number = number < 100000 ? number * 10 + (size_t)(line.text[digits] - '0') : number;
    return digits < line.len && is_blank_char(line.text[digits]) ? number : 0;
}

/* A line of moves that is not the first one of its part. A game is numbered from 1 on, and so are
 * the first moves of a variation, below its heading. Moves of KI2 have no numbers, so there the
 * next game needs a line that parts it from the one before. Behind the end of a KIF such a line is
 * a sentence on the game. */
static bool begins_anew(const struct sight *sight, size_t number)
{
    if (sight->varies || !sight->played)
        return false;
    return number == 1 || (number == 0 && !sight->numbered && (sight->ended || sight->maybe));
}

static enum role moves_role(struct sight *sight, size_t number)
{
    if (begins_anew(sight, number))
        return HEAD;
    sight->varies = false;
    sight->played = true;
    sight->numbered |= number > 0;
    return MOVES;
}

/* A player or a start time that the part has already is that of the next game. */
static enum role header_role(struct line line, struct sight *sight)
{
    struct line rest;

    for (size_t i = 0; i < COUNT(single_keys); i++) {
        unsigned bit = single_keys[i].bit;

        if (line_begins_with(line, single_keys[i].word, &rest) &&
            begins_with_one(without_blanks(rest), colons, COUNT(colons))) {
            if (sight->moves && (sight->keys & bit) != 0)
                return HEAD;
            sight->keys |= sight->moves ? 0 : bit;
            return MAYBE;
        }
    }
    return MAYBE;
}

/* A sentence on the end, or the heading of a variation. */
static enum role mark_role(struct sight *sight, bool varies)
{
    sight->played = true;
    sight->varies = varies;
    sight->ended = !varies;
    return MOVES;
}

static enum role japanese_role(struct line line, struct sight *sight)
{
    struct line rest;
    size_t number;

    line = without_blanks(line);
    if (line.len == 0 ||
        split_line_begins(line, "#--separator")) /* Gekisashi: before each variation */
        return NEITHER;
    if (*line.text == '*' || *line.text == '&')
        return sight->moves ? OTHER : NEITHER;
    if (*line.text == '#')
        return split_line_begins(line, "#KIF") ? HEAD : NOTE;
    number = number_of_split_line(line);
    if (number > 0 || begins_with_one(line, side_marks, COUNT(side_marks)))
        return moves_role(sight, number);
    if (line_begins_with(line, end_word, &rest) || line_begins_with(line, variation_word, &rest))
        return mark_role(sight, line_begins_with(line, variation_word, &rest));
    if (line_begins_with(line, heading_word, &rest))
        return sight->moves && !sight->varies ? HEAD : MOVES;
    if (line_begins_with(line, handicap_word, &rest))
        return HEAD;
    if (begins_with_one(line, board_words, COUNT(board_words)))
        return MAYBE;
    return has_colon(line) ? header_role(line, sight) : OTHER;
}

/* ---- the other kinds of files ---- */

static enum role csa_role(struct line line, struct sight *sight)
{
    (void)sight;
    while (line.len > 0 && is_blank_char(line.text[line.len - 1]))
        line.len--;
    if (line.len == 1 && *line.text == '/')
        return BETWEEN;
    return line.len == 0 || *line.text == '\'' ? NEITHER : MOVES;
}

/* Comments in braces may go over several lines. */
static enum role pdn_role(struct line line, struct sight *sight)
{
    bool was_in_comment = sight->in_comment;

    line = without_blanks(line);
    if (!was_in_comment && (line.len == 0 || *line.text == '%' || *line.text == ';'))
        return NEITHER;
    if (!was_in_comment && *line.text == '[')
        return HEAD;
    for (size_t i = 0; i < line.len; i++) {
        if (line.text[i] == '{' || line.text[i] == '}')
            sight->in_comment = line.text[i] == '{';
        else if (line.text[i] == ';' && !sight->in_comment)
            break;
    }
    return MOVES;
}

/* Eight slashes, between nine ranks, before the first blank. */
static bool is_sfen(struct line line)
{
    size_t slashes = 0, i = 0;

    for (; i < line.len && line.text[i] != ' '; i++)
        slashes += line.text[i] == '/';
    return slashes == 8 && i < line.len;
}

static enum role usi_role(struct line line, struct sight *sight)
{
    static const char *const words[] = {"position ", "startpos", "sfen ", NULL};

    (void)sight;
    line = without_blanks(line);
    return begins_with_any(line, words) || is_sfen(line) ? START : NEITHER;
}

static enum role shougi_role(struct line line, struct sight *sight)
{
    (void)sight;
    return split_line_begins(line, "step") ? START : NEITHER;
}

static enum role plain_role(struct line line, struct sight *sight)
{
    (void)sight;
    return split_line_begins(line, "Game: ") ? START : NEITHER;
}

/* Of a text that cannot be split. */
static enum role one_role(struct line line, struct sight *sight)
{
    (void)line;
    (void)sight;
    return MOVES;
}

static const struct kind japanese = {japanese_role}, csa = {csa_role}, pdn = {pdn_role},
                         usi = {usi_role}, shougi = {shougi_role}, plain = {plain_role},
                         one = {one_role}, objects = {NULL};

/* Statements of CSA begin with these. */
static bool is_csa(struct line line)
{
    static const char *const words[] = {"V1", "V2", "V3", "N+", "N-", "PI", "P1",
                                        "P+", "P-", "$",  "'",  "+",  "-",  NULL};

    return begins_with_any(line, words);
}

/* Decides by the first line that is not blank, as record_detect() does. */
static const struct kind *kind_of(const char *bytes, size_t len)
{
    struct line rest = without_blanks((struct line){bytes, len}), line = rest, inner;
    struct sight sight = {.moves = false};

    for (line.len = 0; line.len < rest.len && rest.text[line.len] != '\n';)
        line.len++;
    inner = without_blanks((struct line){rest.text + 1, rest.len == 0 ? 0 : rest.len - 1});
    if (split_line_begins(rest, "{") ||
        (split_line_begins(rest, "[") && split_line_begins(inner, "{")))
        return &objects;
    if (split_line_begins(line, "[") || split_line_begins(line, "1."))
        return &pdn;
    if (split_line_begins(line, "step"))
        return &shougi;
    if (split_line_begins(line, "Game: "))
        return &plain;
    if (usi_role(line, &sight) == START)
        return &usi;
    return is_csa(line) ? &csa : &japanese;
}

static bool is_utf16(const char *bytes, size_t len)
{
    return len >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0);
}

void record_split_init(struct record_split *split, const char *bytes, size_t len)
{
    size_t mark = len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    *split = (struct record_split){
        .bytes = bytes,
        .len = len,
        .at = mark,
        .kind = is_utf16(bytes, len) ? &one : kind_of(bytes + mark, len - mark)};
}

/* ---- parts that are lines ---- */

/* The line at `at`, and where the next one begins. */
static struct line line_at(const struct record_split *split, size_t at, size_t *next)
{
    struct line line = {split->bytes + at, 0};

    while (at + line.len < split->len && line.text[line.len] != '\n' && line.text[line.len] != '\r')
        line.len++;
    *next = at + line.len;
    if (*next < split->len && split->bytes[(*next)++] == '\r' && *next < split->len &&
        split->bytes[*next] == '\n')
        ++*next;
    return line;
}

/* Whether a part with this line is a game. Blank lines and notes of programs alone are none. */
static bool is_something(struct line line, enum role role)
{
    return role != NEITHER && role != NOTE && role != BETWEEN && *line.text != '#';
}

static bool begins_next(enum role role, bool some, bool moves)
{
    return role == BETWEEN || (role == START && some) || (role == HEAD && moves);
}

/* A place in a file, between two lines. */
struct place {
    size_t at, line;
};

/* The first of the lines behind moves that are headers of the next game if one follows, and
 * otherwise belong to the game before them. `known`: there are such lines. */
struct doubt {
    bool known;
    struct place from;
};

static void watch_for_doubt(struct doubt *doubt, struct sight *sight, enum role role,
                            struct place here)
{
    if (role == MAYBE || role == NOTE) {
        if (sight->moves && !doubt->known)
            *doubt = (struct doubt){true, here};
        sight->maybe |= role == MAYBE;
    } else if (role != NEITHER) {
        doubt->known = sight->maybe = false;
    }
    sight->moves |= role == MOVES;
}

static void go_to_place(struct record_split *split, struct place place)
{
    split->at = place.at;
    split->line = place.line;
}

/* Finds the next part, which may consist of notes only; *some says whether it is a game. False: the
 * file ends here. */
static bool next_lines(struct record_split *split, struct record_part *part, bool *some)
{
    const struct kind *kind = split->kind;
    size_t begin = split->at, next;
    struct sight sight = {.moves = false};
    struct doubt doubt = {.known = false};

    *some = false;
    *part = (struct record_part){split->bytes + begin, 0, split->line};
    while (split->at < split->len) {
        struct line line = line_at(split, split->at, &next);
        enum role role = kind->role(line, &sight);

        if (begins_next(role, *some, sight.moves)) {
            if (role == BETWEEN)
                go_to_place(split, (struct place){next, split->line + 1});
            else if (doubt.known)
                go_to_place(split, doubt.from);
            if (role != BETWEEN)
                part->len = split->at - begin;
            return true;
        }
        watch_for_doubt(&doubt, &sight, role, (struct place){split->at, split->line});
        *some |= is_something(line, role);
        go_to_place(split, (struct place){next, split->line + 1});
        part->len = next - begin;
    }
    return begin < split->len;
}

/* ---- parts that are objects of JSON ---- */

/* The offset behind a string of JSON. `at` is the offset of its opening quote. */
static size_t skip_text(const struct record_split *split, size_t at)
{
    for (at++; at < split->len && split->bytes[at] != '"'; at++)
        if (split->bytes[at] == '\\')
            at++;
    return at < split->len ? at + 1 : split->len;
}

static size_t skip_object(const struct record_split *split, size_t at)
{
    size_t depth = 0;

    while (at < split->len) {
        char c = split->bytes[at];

        if (c == '"') {
            at = skip_text(split, at);
            continue;
        }
        at++;
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && --depth == 0)
            return at;
    }
    return at;
}

static bool next_object(struct record_split *split, struct record_part *part)
{
    size_t begin = split->at;

    while (begin < split->len && split->bytes[begin] != '{')
        split->line += split->bytes[begin++] == '\n';
    split->at = skip_object(split, begin);
    *part = (struct record_part){split->bytes + begin, split->at - begin, split->line};
    for (size_t i = begin; i < split->at; i++)
        split->line += split->bytes[i] == '\n';
    return part->len > 0;
}

bool record_split_next(struct record_split *split, struct record_part *part)
{
    bool some;

    if (split->kind == &objects)
        return next_object(split, part);
    while (next_lines(split, part, &some))
        if (some)
            return true;
    return false;
}

size_t record_split_count(const char *bytes, size_t len)
{
    struct record_split split;
    struct record_part part;
    size_t count = 0;

    record_split_init(&split, bytes, len);
    while (record_split_next(&split, &part))
        count++;
    return count;
}
