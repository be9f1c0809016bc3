/* support.c - what the properties share. */
#include "contract/promise.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 0x7e, GUARDS = 16, SLIPS_MAX = 3 };

static void check_guarded(const struct walk *walk, const char *text, size_t size)
{
    PROMISE(memchr(text, '\0', size) != NULL, "%s: a text without an end", walk_where(walk));
    PROMISE(strlen(text) > 0, "%s: an empty text", walk_where(walk));
    for (size_t i = 0; i < GUARDS; i++)
        PROMISE(text[size + i] == GUARD, "%s: written past the end: %s", walk_where(walk), text);
}

void contract_move_text(const struct walk *walk, const struct rules_state *state, rules_move move,
                        char text[RULES_MOVE_TEXT])
{
    char guarded[RULES_MOVE_TEXT + GUARDS];

    memset(guarded, GUARD, sizeof(guarded));
    walk->game->move_text(state, move, guarded);
    check_guarded(walk, guarded, RULES_MOVE_TEXT);
    memcpy(text, guarded, RULES_MOVE_TEXT);
}

void contract_position_text(const struct walk *walk, const struct rules_state *state,
                            char text[RULES_POSITION_TEXT])
{
    char guarded[RULES_POSITION_TEXT + GUARDS];

    memset(guarded, GUARD, sizeof(guarded));
    walk->game->position_text(state, guarded);
    check_guarded(walk, guarded, RULES_POSITION_TEXT);
    memcpy(text, guarded, RULES_POSITION_TEXT);
}

/* ---- slips of the pen ---- */

static char random_character(uint64_t *seed, const char *text, size_t len)
{
    static const char likely[] = "abcdefghi123456789xo-+*/:. PLNSGBRKWFDTCrw0\xe6";

    if (len > 0 && rules_choose(seed, 2) == 0)
        return text[rules_choose(seed, len)];
    return likely[rules_choose(seed, sizeof(likely) - 1)];
}

/* Makes a slip: one character is changed, left out or put in, or the rest of the text is left out.
 */
static void slip(uint64_t *seed, char *text, size_t cap)
{
    size_t len = strlen(text), at = rules_choose(seed, len + 1);
    char c = random_character(seed, text, len);

    switch (rules_choose(seed, 8)) {
    case 0:
        text[at] = '\0';
        break;
    case 1:
    case 2:
        if (at < len)
            memmove(text + at, text + at + 1, len - at);
        break;
    case 3:
    case 4:
        if (len + 1 < cap) {
            memmove(text + at + 1, text + at, len - at + 1);
            text[at] = c;
        }
        break;
    default:
        if (at < len)
            text[at] = c;
    }
}

void contract_misspell(uint64_t *seed, const char *text, char *out, size_t cap)
{
    size_t slips = 1 + rules_choose(seed, SLIPS_MAX), len = strlen(text);

    PROMISE(len < cap, "no more room");
    memcpy(out, text, len + 1);
    while (slips-- > 0)
        slip(seed, out, cap);
}

/* ---- refusals ---- */

static bool is_of_the_game(const struct rules_game *game, const struct rules_law *law)
{
    for (size_t i = 0; i < game->nlaws; i++)
        if (&game->laws[i] == law)
            return true;
    return false;
}

static bool is_option_of(const struct rules_game *game, const char *name)
{
    for (size_t i = 0; i < game->noptions; i++)
        if (strcmp(game->options[i].name, name) == 0)
            return true;
    return false;
}

static void check_witnesses(const struct walk *walk, const struct rules_state *state,
                            const struct rules_refusal *why, const char *text)
{
    struct rules_board board = walk->game->board(state);

    for (size_t i = 0; i < why->witnesses; i++) {
        const struct rules_witness *witness = &why->witness[i];

        PROMISE(rules_role_text(witness->role) != NULL, "%s", walk_where(walk));
        PROMISE(witness->square < board.width * board.height, "%s: %s", walk_where(walk), text);
        PROMISE(witness->man.seat <= RULES_SEATS, "%s: %s", walk_where(walk), text);
        if (witness->man.seat != 0)
            PROMISE(witness->man.kind < walk->game->npieces, "%s: %s", walk_where(walk), text);
    }
}

static void check_examples(const struct walk *walk, const struct rules_state *state,
                           const struct rules_refusal *why, const char *text)
{
    static rules_move scratch[WALK_MOVES_MAX];

    for (size_t i = 0; i < why->examples; i++)
        PROMISE(rules_is_legal(walk->game, state, why->example[i], scratch, WALK_MOVES_MAX),
                "%s: an example of the refusal of %s is illegal itself", walk_where(walk), text);
}

void contract_check_refusal(const struct walk *walk, const struct rules_state *state,
                            const struct rules_refusal *why, const char *text)
{
    PROMISE((unsigned)why->code < RULES_CODES, "%s: %s", walk_where(walk), text);
    PROMISE(why->code != RULES_OK, "%s: %s is refused as ok", walk_where(walk), text);
    if (why->law != NULL)
        PROMISE(is_of_the_game(walk->game, why->law), "%s: %s: %s is no law of the game",
                walk_where(walk), text, why->law->id);
    if (why->option != NULL)
        PROMISE(is_option_of(walk->game, why->option), "%s: %s", walk_where(walk), text);
    if (why->at != RULES_NOT_GIVEN)
        PROMISE(why->at >= 0 && (size_t)why->at <= strlen(text), "%s: %s: byte %d",
                walk_where(walk), text, (int)why->at);
    PROMISE(why->witnesses <= RULES_WITNESSES_MAX, "%s", walk_where(walk));
    PROMISE(why->examples <= RULES_EXAMPLES_MAX, "%s", walk_where(walk));
    if (state == NULL)
        return;
    check_witnesses(walk, state, why, text);
    check_examples(walk, state, why, text);
}

bool contract_same_state(const struct rules_state *a, const struct rules_state *b)
{
    return a->bytes == b->bytes && memcmp(a->w, b->w, a->bytes) == 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The texts of all legal moves, sorted; static, overwritten. */
void contract_sorted_texts(const struct walk *walk, const struct rules_state *state,
                           char texts[WALK_MOVES_MAX][RULES_MOVE_TEXT])
{
    static rules_move moves[WALK_MOVES_MAX];
    size_t n = walk->game->legal(state, moves, WALK_MOVES_MAX);

    for (size_t i = 0; i < n; i++)
        contract_move_text(walk, state, moves[i], texts[i]);
    qsort(texts, n, RULES_MOVE_TEXT, by_text);
}
