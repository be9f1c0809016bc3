#include "api/stream/already_sent.h"

#include <stdlib.h>
#include <string.h>

#include "api/text/must.h"

struct sent_game {
    db_id id;
    int32_t version;
    int64_t written_at; /* of the event of that version */
};

void sent_free(struct sent_events *told)
{
    free(told->games);
    *told = (struct sent_events){NULL, 0, 0};
}

/* A search through all of them is enough: mostly there are only the games in which something was
 * written within the last second or so. A transaction that hangs makes more of them, up to
 * SENT_MAX. */
static struct sent_game *find_sent(const struct sent_events *told, const db_id *id)
{
    for (size_t i = 0; i < told->count; i++)
        if (memcmp(&told->games[i].id, id, sizeof(*id)) == 0)
            return &told->games[i];
    return NULL;
}

bool sent_has(const struct sent_events *told, const struct db_feed *event)
{
    const struct sent_game *game = find_sent(told, &event->game);

    return game != NULL && event->event.version <= game->version;
}

static struct sent_game *add_sent(struct sent_events *told, const db_id *id)
{
    if (told->count == told->capacity) {
        told->capacity = told->capacity == 0 ? 2 : 2 * told->capacity;
        told->games = must_realloc(told->games, told->capacity * sizeof(*told->games));
    }
    told->games[told->count].id = *id;
    return &told->games[told->count++];
}

/* If there is no room, the event is told again by the next pass. A client can live with that, and
 * not with one that is missing. */
void sent_note(struct sent_events *told, const struct db_feed *event)
{
    struct sent_game *game = find_sent(told, &event->game);

    if (game == NULL && told->count == SENT_MAX)
        return;
    if (game == NULL)
        game = add_sent(told, &event->game);
    game->version = event->event.version;
    game->written_at = event->written_at;
}

/* What was written before the beginning of the next pass is not found by it. */
void sent_forget(struct sent_events *told, int64_t before)
{
    size_t kept = 0;

    for (size_t i = 0; i < told->count; i++)
        if (told->games[i].written_at >= before)
            told->games[kept++] = told->games[i];
    told->count = kept;
}
