#include "api/text/suggest.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "api/text/out.h"

enum { LETTERS_MAX = 32, SLIPS_MAX = 2 };

/* What other services call these things. */
static const char *const others[][2] = {
    {"draughts", "turkish-draughts"},
    {"dama", "turkish-draughts"},
    {"checkers", "turkish-draughts"},
    {"ttt", "tictactoe"},
    {"dou-shou-qi", "jungle"},
    {"type", "kind"},
    {"square", "from"},
    {"note", "text"},
    {"days", "for"},
    {"from", "after"},
    {"active", "status"},
    {"my_turn", "turn"},
    {"type", "format"},
    {"unicode", "style"},
    {"speed", "pace"},
    {"opponent", "seats"},
    {"engine", "seats"},
    {"computer", "engine"},
    {"last", "after"},
    {"game", "variant"},
    {"type", "variant"},
    {"username", "name"},
    {"nick", "name"},
    {"nickname", "name"},
    {"player", "name"},
    {"fen", "position"},
    {"sfen", "position"},
    {"start", "position"},
    {"uci", "move"},
    {"usi", "move"},
    {"action", "move"},
    {"per_page", "limit"},
    {"page_size", "limit"},
    {"count", "limit"},
    {"page", "cursor"},
    {"offset", "cursor"},
    {"offset", "after"},
    {"since", "after"},
    {"page", "after"},
    {"count", "to_ply"},
    {"moves", "to_ply"},
    {"plies", "to_ply"},
    {"message", "text"},
    {"body", "text"},
    {"content", "text"},
    {"color", "seat"},
    {"colour", "seat"},
    {"side", "seat"},
    {"state", "status"},
    {"private", "visibility"},
    {"public", "visibility"},
    {"players", "seats"},
    {"expand", "include"},
    {"perspective", "view"},
    {"flip", "view"},
    {"orientation", "view"},
    {"number", "ply"},
    {"width", "size"},
    {"code", "invitation"},
    {"invite", "invitation"},
    {"offer", "type"},
    {"kind", "type"},
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters must be put in, taken out, exchanged, or swapped with their neighbour to make
 * one word of the other. */
static size_t slips(const char *a, const char *b)
{
    size_t rows[3][LETTERS_MAX + 1], *before = rows[0], *above = rows[1], *row = rows[2];
    size_t len = strlen(b);

    if (strlen(a) > LETTERS_MAX || len > LETTERS_MAX)
        return LETTERS_MAX;
    for (size_t j = 0; j <= len; j++)
        above[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t *free = before;

        row[0] = i;
        for (size_t j = 1; j <= len; j++) {
            row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        before = above;
        above = row;
        row = free;
    }
    return above[len];
}

static bool is_called(const char *name, const char *word)
{
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strcasecmp(others[i][0], word) == 0 && strcmp(others[i][1], name) == 0)
            return true;
    return false;
}

/* How far a name is from a word. Of a short word most letters must be right. */
static size_t distance(const char *name, const char *word)
{
    const char *dot = strrchr(name, '.');
    size_t far;

    if (strcasecmp(name, word) == 0 || (dot != NULL && strcasecmp(dot + 1, word) == 0))
        return 0;
    far = slips(name, word);
    if (far * 3 <= strlen(word) && far <= SLIPS_MAX)
        return far;
    return is_called(name, word) ? SLIPS_MAX : SLIPS_MAX + 1;
}

const char *suggest_name(const char *word, const char *const *known, size_t n)
{
    const char *found = NULL;
    size_t shortest = SLIPS_MAX + 1;

    for (size_t i = 0; i < n; i++) {
        size_t far = distance(known[i], word);

        if (far < shortest) {
            shortest = far;
            found = known[i];
        }
    }
    return found;
}

static bool is_token(const char *name)
{
    static const char *const names[] = {"token", "access_token", "auth", "key", "api_key"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcasecmp(names[i], name) == 0)
            return true;
    return false;
}

const char *suggest_text(struct arena *arena, const char *word, const char *const *known, size_t n)
{
    const char *near = suggest_name(word, known, n);
    struct out out;

    if (is_token(word))
        return " A token stands in a header: Authorization: Bearer TOKEN, or curl -u TOKEN: .";
    out_init(&out, arena);
    if (near != NULL)
        out_format(&out, " Did you mean \"%s\"?", near);
    for (size_t i = 0; i < n; i++) {
        out_add(&out, i == 0 ? " Known here: " : ", ");
        out_add(&out, known[i]);
    }
    out_add(&out, n == 0 ? "" : ".");
    return out.text;
}
