#include "api/live/token_use.h"

#include <stdlib.h>

#include "api/live/tokens.h"
#include "api/loop/loop.h"
#include "api/text/must.h"

/* A write that nobody waits for. */
struct note {
    struct arena arena;
    struct db_player player;
    struct db_player_change change;
};

static void on_noted(void *context, const struct db_reply *reply)
{
    struct note *note = context;

    (void)reply;
    arena_free(&note->arena);
    free(note);
}

static int64_t *day_of(struct tokens *tokens, int which)
{
    if (which == TOKENS_OWN)
        return &tokens->own_used_day;
    return which == TOKENS_ACCOUNT ? &tokens->account_used_day : &tokens->item[which].used_day;
}

void token_use_note(struct loop *loop, const struct db_player *player, int which)
{
    int64_t today = db_now(loop->db) / TOKEN_USE_DAY_US;
    struct tokens tokens;
    struct note *note;

    if (tokens_count(player) < 2)
        return;
    note = must_zero(sizeof(*note));
    tokens_read(&note->arena, player, &tokens);
    if (*day_of(&tokens, which) >= today) {
        arena_free(&note->arena);
        free(note);
        return;
    }
    *day_of(&tokens, which) = today;
    note->change.had = tokens_copy_player(&note->arena, player);
    note->player = *note->change.had;
    tokens_write(&note->arena, &tokens, &note->player);
    note->change.player = &note->player;
    db_set_player(loop->db, &note->change, on_noted, note);
}
