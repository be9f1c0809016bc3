/*
 * mutate.c - small mistakes, made on purpose: lists the places of a C file (or a list of SQL
 * statements) where one could be made, and writes the file with one of them.
 *
 *     mutate list FILE         a line each: number, line of the file, what would be changed
 *     mutate apply FILE N      the whole file with mistake N
 *
 * The file is read as tokens, not understood: what does not compile afterwards was no mistake that
 * anybody could make, and run.sh passes over it.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES_MAX = 20000, SHOWN_MAX = 40 };

/* A stretch of the text and what is to stand there instead. */
struct site {
    size_t at, len;
    char with[64];
    const char *kind;
};

static struct site sites[SITES_MAX];
static size_t nsites;
static char *text; /* NUL-terminated */
static char *code; /* the same with blanks for comments, strings, and lines of the preprocessor */

static void die(const char *what)
{
    fprintf(stderr, "mutate: %s\n", what);
    exit(2);
}

static void add(size_t at, size_t len, const char *with, const char *kind)
{
    if (nsites == SITES_MAX)
        die("too many places");
    sites[nsites] = (struct site){.at = at, .len = len, .kind = kind};
    snprintf(sites[nsites++].with, sizeof(sites[0].with), "%s", with);
}

/* ---- reading ---- */

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t len = 0, size = 0;

    if (file == NULL)
        die("cannot open the file");
    do {
        size += 1 << 16;
        bytes = realloc(bytes, size + 1);
        if (bytes == NULL)
            die("memory is out");
        len += fread(bytes + len, 1, size - len, file);
    } while (len == size);
    fclose(file);
    bytes[len] = '\0';
    return bytes;
}

static size_t blank(size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (code[i] != '\n')
            code[i] = ' ';
    return to;
}

static size_t end_of_literal(size_t at)
{
    char quote = text[at++];

    while (text[at] != quote && text[at] != '\0')
        at += text[at] == '\\' ? 2 : 1;
    return at + 1;
}

static size_t end_of_directive(size_t at)
{
    while (text[at] != '\0' && (text[at] != '\n' || text[at - 1] == '\\'))
        at++;
    return at;
}

static void blank_what_is_no_code(void)
{
    bool line_begins = true;

    for (size_t i = 0; text[i] != '\0';) {
        char c = text[i];

        if (strncmp(text + i, "/*", 2) == 0) {
            const char *end = strstr(text + i, "*/");

            i = blank(i, end == NULL ? strlen(text) : (size_t)(end - text) + 2);
        } else if (strncmp(text + i, "//", 2) == 0 || (c == '#' && line_begins)) {
            i = blank(i, end_of_directive(i));
        } else if (c == '"' || c == '\'') {
            i = blank(i, end_of_literal(i));
        } else {
            line_begins = c == '\n' || (line_begins && isspace((unsigned char)c));
            i++;
        }
    }
}

/* ---- places in C ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool stands_alone(size_t at, size_t len)
{
    return (at == 0 || !is_word(code[at - 1])) && !is_word(code[at + len]);
}

/* Where the bracket that opens at a place is closed; 0 if it is not. */
static size_t closing(size_t at)
{
    int depth = 0;

    for (; code[at] != '\0'; at++) {
        depth += code[at] == '(';
        depth -= code[at] == ')';
        if (depth == 0)
            return at;
    }
    return 0;
}

/* An operator and what it is mistaken for. Longer ones first. */
static const struct {
    const char *is, *with;
} operators[] = {{"<<=", NULL},   {">>=", NULL},   {"->", NULL},   {"<<", NULL},   {">>", NULL},
                 {"==", "!="},    {"!=", "=="},    {"<=", "<"},    {">=", ">"},    {"&&", "||"},
                 {"||", "&&"},    {"++", "--"},    {"--", "++"},   {"+=", "-="},   {"-=", "+="},
                 {" < ", " <= "}, {" > ", " >= "}, {" + ", " - "}, {" - ", " + "}, {" & ", " | "},
                 {"|=", "&="},    {"&=", "|="}};

static size_t see_operator(size_t at)
{
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        size_t len = strlen(operators[i].is);

        if (strncmp(code + at, operators[i].is, len) != 0)
            continue;
        if (operators[i].with != NULL)
            add(at, len, operators[i].with, "operator");
        return len;
    }
    return 0;
}

static size_t see_condition(size_t at)
{
    size_t end;

    if (strncmp(code + at, "if (", 4) != 0 || !stands_alone(at, 2))
        return 0;
    end = closing(at + 3);
    if (end > 0) {
        add(at + 4, 0, "!(", "condition turned");
        sites[nsites - 1].len = end - at - 4; /* apply() closes the bracket */
    }
    return 4;
}

static size_t see_number(size_t at)
{
    size_t len = strspn(code + at, "0123456789");
    char with[32];

    if (len == 0 || len > 9 || !stands_alone(at, len) || (at > 0 && code[at - 1] == '.'))
        return 0;
    snprintf(with, sizeof(with), "%ld", strtol(code + at, NULL, 10) + 1);
    add(at, len, with, "constant");
    return len;
}

static const struct {
    const char *is, *with;
} words[] = {{"true", "false"}, {"false", "true"}, {"break", ""}, {"continue", ""}};

static size_t see_word(size_t at)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t len = strlen(words[i].is);

        if (strncmp(code + at, words[i].is, len) == 0 && stands_alone(at, len)) {
            add(at, len, words[i].with, "word");
            return len;
        }
    }
    return 0;
}

/* A statement that begins its line and is a call or an assignment: it is left out. */
static void see_statement(size_t at)
{
    size_t first = at + strspn(code + at, " "), end = first, word;

    if (first == at || !isalpha((unsigned char)code[first]))
        return;
    word = first + strspn(code + first, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_->.[]");
    if (strncmp(code + first, "return", 6) == 0 ||
        (code[word] != '(' && strncmp(code + word, " = ", 3) != 0 && code[word] != '+'))
        return;
    while (code[end] != ';' && code[end] != '{' && code[end] != '}' && code[end] != '\0')
        end++;
    if (code[end] == ';')
        add(first, end - first, "", "statement left out");
}

/* Whether the call whose bracket opens at a place asks if two things are the same. */
static bool compares(size_t at)
{
    return (at >= 6 && strncmp(code + at - 6, "strcmp", 6) == 0) ||
           (at >= 6 && strncmp(code + at - 6, "memcmp", 6) == 0);
}

/* Two arguments that are both plain names are exchanged. */
static size_t see_arguments(size_t at)
{
    static const char names[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_->.";
    size_t a = at + 1, la, b, lb;
    char with[64];

    if (code[at] != '(' || at == 0 || !is_word(code[at - 1]) || compares(at))
        return 0;
    la = strspn(code + a, names);
    if (la == 0 || strncmp(code + a + la, ", ", 2) != 0)
        return 0;
    b = a + la + 2;
    lb = strspn(code + b, names);
    if (lb == 0 || (code[b + lb] != ',' && code[b + lb] != ')') || la + lb > 56 ||
        (la == lb && strncmp(code + a, code + b, la) == 0))
        return 0;
    snprintf(with, sizeof(with), "%.*s, %.*s", (int)lb, code + b, (int)la, code + a);
    add(a, la + 2 + lb, with, "arguments exchanged");
    return 0;
}

static void find_in_c(void)
{
    blank_what_is_no_code();
    for (size_t i = 0; code[i] != '\0';) {
        size_t step;

        if (i == 0 || code[i - 1] == '\n')
            see_statement(i);
        see_arguments(i);
        step = see_condition(i);
        if (step == 0)
            step = see_operator(i);
        if (step == 0)
            step = see_number(i);
        if (step == 0)
            step = see_word(i);
        i += step == 0 ? 1 : step;
    }
}

/* ---- places in SQL: a condition of a statement is left out ---- */

/* The conditions behind a `where` or an `and`, up to the end of the line. */
static void see_conditions(size_t from, size_t to)
{
    const char *at = strstr(text + from, "where "), *second;
    size_t condition;

    if (strncmp(text + from, "and ", 4) == 0)
        add(from, to - from, "", "guard dropped");
    if (at == NULL || at >= text + to)
        return;
    condition = (size_t)(at - text) + 6;
    second = strstr(text + condition, " and ");
    if (second == NULL || second >= text + to) {
        add(condition, to - condition, "true", "guard dropped");
    } else {
        add(condition, (size_t)(second - text) + 5 - condition, "", "guard dropped");
        add((size_t)(second - text), to - (size_t)(second - text), "", "guard dropped");
    }
}

static void find_in_sql(void)
{
    for (size_t line = 0; text[line] != '\0';) {
        size_t end = line + strcspn(text + line, "\n");

        line += strspn(text + line, " ");
        if (strncmp(text + line, "--", 2) != 0)
            see_conditions(line, line + strcspn(text + line, ";\n"));
        line = end + (text[end] == '\n');
    }
}

/* ---- the program ---- */

static void list(void)
{
    size_t line = 1, seen = 0;

    for (size_t i = 0; i < nsites; i++) {
        const struct site *site = &sites[i];
        size_t begin = site->at, len, shown;

        for (; seen < site->at; seen++)
            line += text[seen] == '\n';
        while (begin > 0 && text[begin - 1] != '\n')
            begin--;
        begin += strspn(text + begin, " ");
        len = strcspn(text + begin, "\n");
        shown = strcspn(text + site->at, "\n");
        shown = site->len < shown ? site->len : shown;
        printf("%zu\t%zu\t%s: %.*s -> %s\t%.*s\n", i, line, site->kind,
               (int)(shown > SHOWN_MAX ? SHOWN_MAX : shown), text + site->at, site->with, (int)len,
               text + begin);
    }
}

static void apply(size_t n)
{
    const struct site *site;

    if (n >= nsites)
        die("there is no such place");
    site = &sites[n];
    fwrite(text, 1, site->at, stdout);
    fputs(site->with, stdout);
    if (strcmp(site->kind, "condition turned") == 0) {
        fwrite(text + site->at, 1, site->len, stdout);
        putchar(')');
    }
    fputs(text + site->at + site->len, stdout);
}

int main(int argc, char **argv)
{
    size_t len;

    if (argc < 3 || (strcmp(argv[1], "list") != 0 && (strcmp(argv[1], "apply") != 0 || argc < 4)))
        die("usage: mutate list FILE, or mutate apply FILE N");
    text = read_file(argv[2]);
    code = read_file(argv[2]);
    len = strlen(argv[2]);
    if (len > 3 && strcmp(argv[2] + len - 3, "sql") == 0)
        find_in_sql();
    else
        find_in_c();
    if (strcmp(argv[1], "list") == 0)
        list();
    else
        apply(strtoul(argv[3], NULL, 10));
    free(text);
    free(code);
    return 0;
}
