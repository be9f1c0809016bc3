/* reference.c - what the references share: options, lists of moves, texts. */
#include "reference.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void reference_die(const char *problem, const char *text)
{
    fprintf(stderr, "reference: %s: \"%s\"\n", problem, text);
    abort();
}

/* ---- options ---- */

const char *reference_option(const struct reference_options *options, const char *name)
{
    for (size_t i = 0; i < options->len; i++)
        if (strcmp(options->option[i].name, name) == 0)
            return options->option[i].value;
    reference_die("no such option was given", name);
}

bool reference_option_is(const struct reference_options *options, const char *name,
                         const char *value)
{
    return strcmp(reference_option(options, name), value) == 0;
}

long reference_option_number(const struct reference_options *options, const char *name)
{
    const char *value = reference_option(options, name);
    char *end;
    long number = strtol(value, &end, 10);

    if (end == value || *end != '\0')
        reference_die("not a number", value);
    return number;
}

/* ---- lists of moves ---- */

void reference_add(struct reference_moves *moves, const char *text, const char *after)
{
    struct reference_move *move;

    if (moves->len == moves->cap) {
        moves->cap = moves->cap == 0 ? 64 : 2 * moves->cap;
        moves->move = realloc(moves->move, moves->cap * sizeof(*moves->move));
        if (moves->move == NULL)
            reference_die("no memory left for the moves", text);
    }
    move = &moves->move[moves->len++];
    if (strlen(text) >= sizeof(move->text))
        reference_die("a move's text is too long", text);
    strcpy(move->text, text);
    move->after = strdup(after);
    if (move->after == NULL)
        reference_die("no memory left for a position", after);
}

static int by_text(const void *a, const void *b)
{
    const struct reference_move *one = a, *other = b;

    return strcmp(one->text, other->text);
}

void reference_sort(struct reference_moves *moves)
{
    if (moves->len > 0)
        qsort(moves->move, moves->len, sizeof(*moves->move), by_text);
}

void reference_free(struct reference_moves *moves)
{
    for (size_t i = 0; i < moves->len; i++)
        free(moves->move[i].after);
    free(moves->move);
    *moves = (struct reference_moves){NULL, 0, 0};
}

uint64_t reference_perft(const struct reference_game *game, const struct reference_options *options,
                         const char *position, unsigned depth)
{
    struct reference_moves moves;
    uint64_t nodes = 0;

    if (depth == 0)
        return 1;
    moves = game->moves(options, position);
    if (depth == 1)
        nodes = moves.len;
    else
        for (size_t i = 0; i < moves.len; i++)
            nodes += reference_perft(game, options, moves.move[i].after, depth - 1);
    reference_free(&moves);
    return nodes;
}

/* ---- lines ---- */

const char *reference_present(const struct reference_line *line)
{
    return line->position[line->len - 1];
}

size_t reference_occurrences(const struct reference_game *game, const struct reference_line *line)
{
    char present[REFERENCE_TEXT], earlier[REFERENCE_TEXT];
    size_t n = 0;

    game->identity(reference_present(line), present);
    for (size_t i = 0; i < line->len; i++) {
        game->identity(line->position[i], earlier);
        n += strcmp(earlier, present) == 0;
    }
    return n;
}

/* ---- texts ---- */

void reference_cut(const char *text, unsigned fields, char *cut)
{
    strcpy(cut, text);
    for (unsigned i = 0; i < fields; i++) {
        char *blank = strrchr(cut, ' ');

        if (blank == NULL)
            reference_die("too few fields", text);
        *blank = '\0';
    }
}

int reference_take_number(const char **at)
{
    char *end;
    long number = strtol(*at, &end, 10);

    if (!isdigit((unsigned char)**at) || number > 1000000)
        reference_die("a number is missing before", *at);
    *at = end;
    return (int)number;
}

void reference_take(const char **at, char expected)
{
    const char wanted[] = {expected, '\0'};

    if (**at != expected) {
        fprintf(stderr, "reference: \"%s\" should begin with\n", *at);
        reference_die("this byte", wanted);
    }
    ++*at;
}

void reference_print(char *text, const char *format, ...)
{
    size_t len = strlen(text);
    va_list arguments;
    int printed;

    va_start(arguments, format);
    printed = vsnprintf(text + len, REFERENCE_TEXT - len, format, arguments);
    va_end(arguments);
    if (printed < 0 || (size_t)printed >= REFERENCE_TEXT - len)
        reference_die("a text is too long", text);
}
