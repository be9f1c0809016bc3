/* pdn_other.c - records of other games that look like PDN of Turkish draughts. */
#include "api/record/pdn.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char looks_like_chess[] =
    "This looks like a game of chess (PGN), which is not played here. PDN of Turkish draughts has "
    "GameType 30, and moves such as a3-a4.";

static const char has_numbers[] =
    "Squares have numbers here that do not fit Turkish draughts, so this looks like a record of "
    "another game. Turkish draughts is GameType 30, and its squares are a1 to h8, or 1 (a8) to 64 "
    "(h1).";

/* Whether a text of `len` bytes ends with a square, and has before it what chess has there: of a
 * pawn that captures its file, of a piece its file or rank or both. */
static bool ends_as_chess(const char *text, size_t len, bool is_piece)
{
    size_t before = len - 2;

    if (len < 2 || strspn(text, "abcdefgh12345678x") < len || text[before] < 'a' ||
        text[len - 1] > '8')
        return false;
    if (is_piece)
        return before <= 3;
    return before == 0 || (before == 2 && text[0] >= 'a' && text[1] == 'x');
}

/* e4, exd5, Nf3, Qh4xe1+, e8=Q, O-O: PGN of chess looks like PDN otherwise. */
static bool is_chess(const char *word)
{
    bool is_piece = *word != '\0' && strchr("KQRBN", *word) != NULL;

    word += is_piece;
    return strncmp(word, "O-O", 3) == 0 || ends_as_chess(word, strcspn(word, "=+#"), is_piece);
}

const char *record_pdn_other_move(const char *word)
{
    return record_pdn_is_numbered(word) ? has_numbers : is_chess(word) ? looks_like_chess : NULL;
}

const char *record_pdn_other_start(const char *position)
{
    return strchr(position, '/') != NULL ? looks_like_chess : NULL;
}
