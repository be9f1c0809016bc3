#include "api/record/split.h"

#include <string.h>

/* What a line says about where games begin. */
enum role {
    NEITHER, /* belongs to the part before it, and is no game by itself */
    OTHER,   /* it goes with what stands before it */
    HEAD,    /* a header: after moves it begins the next game */
    MOVES,
    START, /* begins a game, whatever stands before it */
    BETWEEN
};

struct line {
    const char *text;
    size_t len; /* without its end */
};

struct kind {
    enum role (*role)(struct line line, bool *in_comment);
};

static bool begins(struct line line, const char *with)
{
    size_t len = strlen(with);

    return line.len >= len && memcmp(line.text, with, len) == 0;
}

static bool begins_with_any(struct line line, const char *const *words)
{
    for (; *words != NULL; words++)
        if (begins(line, *words))
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

/* ---- the kinds of files ---- */

/* A number and a move in Japanese. */
static bool is_numbered(struct line line)
{
    size_t digits = 0, blanks;

    while (digits < line.len && is_digit(line.text[digits]))
        digits++;
    for (blanks = 0; digits + blanks < line.len && line.text[digits + blanks] == ' ';)
        blanks++;
    return digits > 0 && blanks > 0 && digits + blanks < line.len &&
           (unsigned char)line.text[digits + blanks] >= 0x80;
}

/* Words that begin lines among the moves of KIF and KI2, in UTF-8, Shift_JIS and EUC-JP: made,
 * henka, tesuu of the heading (a header is called so, too), and the marks of the two sides. */
static const char *const japanese_words[] = {"まで",
                                             "変化",
                                             "手数-",
                                             "▲",
                                             "△",
                                             "▼",
                                             "▽",
                                             "☗",
                                             "☖",
                                             "\x82\xdc\x82\xc5",
                                             "\x95\xcf\x89\xbb",
                                             "\x8e\xe8\x90\x94-",
                                             "\x81\xa3",
                                             "\x81\xa2",
                                             "\x81\xa5",
                                             "\x81\xa4",
                                             "\xa4\xde\xa4\xc7",
                                             "\xca\xd1\xb2\xbd",
                                             "\xbc\xea\xbf\xf4-",
                                             "\xa2\xa5",
                                             "\xa2\xa4",
                                             "\xa2\xa7",
                                             "\xa2\xa6",
                                             NULL};

/* Colons of headers, in the same encodings. */
static const char *const colons[] = {":", "：", "\x81\x46", "\xa1\xa7"};

/* Gekisashi writes it before each variation. */
static const char *const separators[] = {"#--separator", NULL};

static bool has_colon(struct line line)
{
    for (size_t i = 0; i < sizeof(colons) / sizeof(colons[0]); i++)
        if (memmem(line.text, line.len, colons[i], strlen(colons[i])) != NULL)
            return true;
    return false;
}

static enum role japanese_role(struct line line, bool *in_comment)
{
    (void)in_comment;
    line = without_blanks(line);
    if (line.len == 0 || *line.text == '*' || *line.text == '&' ||
        begins_with_any(line, separators))
        return NEITHER;
    if (is_numbered(line) || begins_with_any(line, japanese_words))
        return MOVES;
    return *line.text == '#' || has_colon(line) ? HEAD : OTHER;
}

static enum role csa_role(struct line line, bool *in_comment)
{
    (void)in_comment;
    while (line.len > 0 && is_blank_char(line.text[line.len - 1]))
        line.len--;
    if (line.len == 1 && *line.text == '/')
        return BETWEEN;
    return line.len == 0 || *line.text == '\'' ? NEITHER : MOVES;
}

/* Comments in braces may go over several lines. */
static enum role pdn_role(struct line line, bool *in_comment)
{
    bool was_in_comment = *in_comment;

    line = without_blanks(line);
    if (!was_in_comment && (line.len == 0 || *line.text == '%' || *line.text == ';'))
        return NEITHER;
    if (!was_in_comment && *line.text == '[')
        return HEAD;
    for (size_t i = 0; i < line.len; i++) {
        if (line.text[i] == '{' || line.text[i] == '}')
            *in_comment = line.text[i] == '{';
        else if (line.text[i] == ';' && !*in_comment)
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

static enum role usi_role(struct line line, bool *in_comment)
{
    static const char *const words[] = {"position ", "startpos", "sfen ", NULL};

    (void)in_comment;
    line = without_blanks(line);
    return begins_with_any(line, words) || is_sfen(line) ? START : NEITHER;
}

static enum role shougi_role(struct line line, bool *in_comment)
{
    (void)in_comment;
    return begins(line, "step") ? START : NEITHER;
}

static enum role plain_role(struct line line, bool *in_comment)
{
    (void)in_comment;
    return begins(line, "Game: ") ? START : NEITHER;
}

static const struct kind japanese = {japanese_role}, csa = {csa_role}, pdn = {pdn_role},
                         usi = {usi_role}, shougi = {shougi_role}, plain = {plain_role},
                         objects = {NULL};

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
    bool in_comment = false;

    for (line.len = 0; line.len < rest.len && rest.text[line.len] != '\n';)
        line.len++;
    inner = without_blanks((struct line){rest.text + 1, rest.len == 0 ? 0 : rest.len - 1});
    if (begins(rest, "{") || (begins(rest, "[") && begins(inner, "{")))
        return &objects;
    if (begins(line, "[") || begins(line, "1."))
        return &pdn;
    if (begins(line, "step"))
        return &shougi;
    if (begins(line, "Game: "))
        return &plain;
    if (usi_role(line, &in_comment) == START)
        return &usi;
    return is_csa(line) ? &csa : &japanese;
}

void record_split_init(struct record_split *split, const char *bytes, size_t len)
{
    size_t mark = len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    *split = (struct record_split){
        .bytes = bytes, .len = len, .at = mark, .kind = kind_of(bytes + mark, len - mark)};
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
    return role != NEITHER && role != BETWEEN && *line.text != '#';
}

static bool begins_next(enum role role, bool some, bool moves)
{
    return role == BETWEEN || (role == START && some) || (role == HEAD && moves);
}

/* Finds the next part, which may consist of notes only; *some says whether it is a game. False: the
 * file ends here. */
static bool next_lines(struct record_split *split, struct record_part *part, bool *some)
{
    const struct kind *kind = split->kind;
    size_t begin = split->at, next;
    bool moves = false, in_comment = false;

    *some = false;
    *part = (struct record_part){split->bytes + begin, 0, split->line};
    while (split->at < split->len) {
        struct line line = line_at(split, split->at, &next);
        enum role role = kind->role(line, &in_comment);

        if (begins_next(role, *some, moves)) {
            if (role != BETWEEN)
                return true;
            split->at = next;
            split->line++;
            return true;
        }
        moves |= role == MOVES;
        *some |= is_something(line, role);
        split->at = next;
        split->line++;
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
