#include "api/terminal/pick.h"

#include <string.h>

#include "api/text/legal_moves.h"
#include "api/text/move_text.h"

void pick_begin(struct pick *pick, const struct rules_game *game, const struct rules_state *state,
                bool none)
{
    rules_move *moves = NULL;

    arena_reset(&pick->arena);
    pick->game = game;
    pick->state = state;
    pick->clicks = 0;
    pick->n = none ? 0 : legal_moves(&pick->arena, game, state, &moves);
    pick->path = arena_alloc(&pick->arena, (pick->n + 1) * sizeof(*pick->path));
    for (size_t i = 0; moves != NULL && i < pick->n; i++) {
        pick->path[i].move = moves[i];
        pick->path[i].len = game->path(state, moves[i], pick->path[i].click);
    }
}

void pick_close(struct pick *pick)
{
    arena_free(&pick->arena);
}

/* Whether a path begins with the clicks so far. */
static bool pick_fits(const struct pick *pick, const struct pick_path *path)
{
    if (path->len < pick->clicks)
        return false;
    for (size_t i = 0; i < pick->clicks; i++)
        if (strcmp(path->click[i], pick->click[i]) != 0)
            return false;
    return true;
}

/* The next click of a path that fits; "" where the path ends. */
static const char *next_click(const struct pick *pick, const struct pick_path *path)
{
    return path->len == pick->clicks ? "" : path->click[pick->clicks];
}

bool pick_may(const struct pick *pick, const char *click)
{
    for (size_t i = 0; i < pick->n; i++)
        if (pick_fits(pick, &pick->path[i]) && strcmp(next_click(pick, &pick->path[i]), click) == 0)
            return true;
    return false;
}

static bool is_pick_square(const struct pick *pick, const char *click)
{
    unsigned square;
    size_t len = rules_square_read(pick->game->board(pick->state), click, &square);

    return len > 0 && click[len] == '\0';
}

/* The index of a click in the game's list of choices. Clicks that are not in the list sort behind
 * it. */
static size_t rank_of(const struct rules_game *game, const char *click)
{
    size_t rank = 0;

    while (game->choices != NULL && game->choices[rank].click != NULL &&
           strcmp(game->choices[rank].click, click) != 0)
        rank++;
    return rank;
}

/* Inserts a choice in the order of the game's list, unless it is there already. */
static size_t add_choice(const struct pick *pick, const char *choices[PICK_CHOICES_MAX], size_t n,
                         const char *click)
{
    size_t at = n;

    for (size_t i = 0; i < n; i++)
        if (strcmp(choices[i], click) == 0)
            return n;
    if (n == PICK_CHOICES_MAX)
        return n;
    for (; at > 0 && rank_of(pick->game, choices[at - 1]) > rank_of(pick->game, click); at--)
        choices[at] = choices[at - 1];
    choices[at] = click;
    return n + 1;
}

size_t pick_choices(const struct pick *pick, const char *choices[PICK_CHOICES_MAX])
{
    size_t n = 0;

    for (size_t i = 0; i < pick->n; i++) {
        const char *click = next_click(pick, &pick->path[i]);

        if (pick_fits(pick, &pick->path[i]) && !is_pick_square(pick, click))
            n = add_choice(pick, choices, n, click);
    }
    return n;
}

/* The move that the clicks make, if no other move continues from them. */
static const struct pick_path *finished(const struct pick *pick)
{
    const struct pick_path *found = NULL;

    for (size_t i = 0; i < pick->n; i++) {
        if (!pick_fits(pick, &pick->path[i]))
            continue;
        if (pick->path[i].len > pick->clicks)
            return NULL;
        found = &pick->path[i];
    }
    return found;
}

static enum pick_result end_with(struct pick *pick, const struct pick_path *path, char *text)
{
    pick->game->move_text(pick->state, path->move, text);
    pick->clicks = 0;
    return PICK_MOVE;
}

/* The path that ends with the clicks so far, even if others continue. */
static const struct pick_path *ending_here(const struct pick *pick)
{
    size_t i = 0;

    while (!pick_fits(pick, &pick->path[i]) || pick->path[i].len != pick->clicks)
        i++;
    return &pick->path[i];
}

static enum pick_result wrong(struct pick *pick, const char *click, char *text)
{
    const char *clicks[RULES_PATH_MAX + 1];
    size_t n = pick->clicks;

    for (size_t i = 0; i < n; i++)
        clicks[i] = pick->click[i];
    clicks[n] = click;
    rules_clicks_text(pick->game, pick->state, clicks, n + 1, text);
    pick->clicks = 0;
    return PICK_WRONG;
}

static bool begins_move(const struct pick *pick, const char *click)
{
    for (size_t i = 0; i < pick->n; i++)
        if (strcmp(pick->path[i].click[0], click) == 0)
            return true;
    return false;
}

enum pick_result pick_click(struct pick *pick, const char *click, char text[RULES_CLICKS_TEXT])
{
    bool first = pick->clicks == 0, one_click = pick->n > 0 && pick->path[0].len == 1;
    const struct pick_path *path;

    if (!pick_may(pick, click) && begins_move(pick, click))
        pick->clicks = 0;
    if (!pick_may(pick, click))
        return first && !one_click ? PICK_NOTHING : wrong(pick, click, text);
    if (*click == '\0')
        return end_with(pick, ending_here(pick), text);
    memcpy(pick->click[pick->clicks++], click, strlen(click) + 1);
    path = finished(pick);
    return path != NULL ? end_with(pick, path, text) : PICK_GOES_ON;
}
