#include "api/record/writing.h"

#include "rules/rules.h"

bool record_unwritable(struct record_writing *writing, const char *detail)
{
    *writing->error = (struct record_error){.code = PROBLEM_CANNOT_EXPORT, .detail = detail};
    return false;
}

const char *record_player(const struct record *record, unsigned seat)
{
    const char *name = record->name[seat - 1];

    return name != NULL ? name : record->title[seat - 1];
}

/* ---- the moves ---- */

bool record_walk_begin(struct record_walk *walk, struct record_writing *writing)
{
    struct rules_refusal why;

    *walk = (struct record_walk){.record = writing->record};
    walk->state = arena_alloc(writing->arena, sizeof(*walk->state));
    walk->next = arena_alloc(writing->arena, sizeof(*walk->next));
    return rules_load(writing->record->game, &writing->record->options, writing->record->start,
                      walk->state, &why) ||
           record_unwritable(writing, "The start position is not valid.");
}

bool record_walk_next(struct record_walk *walk, struct record_writing *writing,
                      const struct record_move **move)
{
    const struct rules_game *game = walk->record->game;
    struct rules_refusal why;

    if (walk->played > 0) {
        struct rules_state *state = walk->state;

        walk->state = walk->next;
        walk->next = state;
        walk->last = walk->move;
    }
    if (walk->played >= walk->record->nmoves)
        return false;
    *move = &walk->record->moves[walk->played];
    if (!game->read_move(walk->state, (*move)->text, &walk->move, &why))
        return record_unwritable(
            writing, arena_format(writing->arena, "Move %zu is not legal.", walk->played + 1));
    game->play(walk->state, walk->move, walk->next);
    walk->played++;
    return true;
}
