/*
 * read_marks.c - how far a player has read their games, on whichever device, and what is new to
 * them.
 *
 * A mark is the version of a game: so all that happens there counts, messages as well as moves. It
 * stands with the player's seat in the game's row and only grows, so devices need not know of each
 * other, and the same request may come twice.
 */
#include <string.h>

#include "api/endpoints/people/read_marks.h"

#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/game/ids.h"
#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/body.h"
#include "api/http/reply.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/text/arena.h"
#include "api/text/json_fields.h"

/* ---- marking ---- */

enum { MARKS_MAX = 50, DIGITS_MAX = 9 };

struct mark {
    db_id game;
    int32_t version;
};

struct marking {
    struct request *request;
    struct mark marks[MARKS_MAX];
    size_t count, done;
};

/* A number from 0 on. False: it is none. */
static bool read_version(const char *text, int32_t *version)
{
    size_t digits = text == NULL ? 0 : strspn(text, "0123456789");

    if (digits == 0 || digits > DIGITS_MAX || text[digits] != '\0')
        return false;
    *version = 0;
    for (size_t i = 0; i < digits; i++)
        *version = *version * 10 + (text[i] - '0');
    return true;
}

static void take_marks(struct json_fields *fields, struct marking *marking)
{
    struct json_fields games;
    const char *id, *version;

    if (!json_take_object(fields, "games", &games)) {
        json_missing(fields, "games", "Games are expected, each with a version.");
        return;
    }
    for (size_t i = 0; json_each_scalar(&games, i, &id, &version); i++) {
        struct mark *mark = &marking->marks[marking->count];

        if (marking->count == MARKS_MAX)
            json_refuse(fields, PROBLEM_BAD_PARAMETER, "games", "50 games are marked at once.");
        else if (!ids_read(id, &mark->game) || !read_version(version, &mark->version))
            json_refuse(&games, PROBLEM_BAD_PARAMETER, id,
                        "The id of a game is expected, with the version up to which it was read.");
        else
            marking->count++;
    }
}

/* One after the other: a request takes up no more of the database than any other one. Games in
 * which the player holds no seat, and those that do not exist, are passed over alike. */
static void mark_next(void *context)
{
    struct marking *marking = context;
    struct request *request = marking->request;
    const struct mark *mark = &marking->marks[marking->done];

    if (marking->done++ == marking->count)
        reply_empty(request, 204);
    else
        db_set_read(db_of(request), mark->game, request->player->id, mark->version,
                    ASK(done, request, mark_next, marking));
}

void handle_put_read(struct request *request)
{
    struct marking *marking = arena_zero(&request->arena, sizeof(*marking));
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *body;

    marking->request = request;
    if (!input_no_query(request) || !auth_require_player(request))
        return;
    body = body_read(request, NULL);
    if (body == NULL)
        return;
    json_fields(&fields, &request->arena, body, &error);
    take_marks(&fields, marking);
    if (body_done(request, body, &fields))
        mark_next(marking);
}

/* ---- what is new ---- */

struct counting {
    const struct db_games *page;
    struct game_news *news;
    void (*then)(void *context, const struct game_news *news);
    void *context;
};

/* The seat of whoever is challenged counts too, though they do not play it yet. */
static int32_t read_by(struct request *request, const struct db_game *row)
{
    unsigned seats = row_seats_of(row, request->player->id);
    int32_t read = 0;

    for (int i = 0; i < DB_SEATS; i++)
        if ((seats & 2U << i) != 0 && row->read[i] > read)
            read = row->read[i];
    return read;
}

static struct game_news *news_of(struct request *request, const struct db_games *page)
{
    struct game_news *news = arena_alloc(&request->arena, (page->count + 1) * sizeof(*news));

    for (size_t i = 0; i < page->count; i++)
        news[i] = (struct game_news){read_by(request, &page->items[i]), -1};
    return news;
}

const struct game_news *read_marks_of(struct request *request, const struct db_games *page)
{
    return news_of(request, page);
}

static void know_unread(void *context, const struct db_reply *reply, const struct db_unread *unread)
{
    const struct counting *counting = context;

    for (size_t i = 0; i < counting->page->count && reply->outcome == DB_OK; i++) {
        counting->news[i].unread = 0;
        for (size_t j = 0; j < unread->count; j++)
            if (memcmp(&unread->items[j].game, &counting->page->items[i].id, sizeof(db_id)) == 0)
                counting->news[i].unread = unread->items[j].events;
    }
    counting->then(counting->context, counting->news);
}

/* From where on events of a game are counted. That it was made is nobody's news: a challenge is an
 * event of its own. */
static int32_t counted_from(const struct db_game *row, int32_t read)
{
    int32_t from = read > 1 ? read : 1;

    return from > row->version - READ_MARKS_LOOKS ? from : row->version - READ_MARKS_LOOKS;
}

void read_marks_count(struct request *request, const struct db_games *page,
                      void (*then)(void *context, const struct game_news *news), void *context)
{
    struct counting *counting = arena_alloc(&request->arena, sizeof(*counting));
    struct db_unread_from *from = arena_alloc(&request->arena, (page->count + 1) * sizeof(*from));
    size_t count = 0;

    *counting = (struct counting){page, news_of(request, page), then, context};
    for (size_t i = 0; i < page->count; i++) {
        const struct db_game *row = &page->items[i];
        int32_t version = counted_from(row, counting->news[i].read);

        if (version < row->version)
            from[count++] = (struct db_unread_from){
                row->id, version, (int16_t)row_seats_of(row, request->player->id)};
    }
    if (count == 0)
        know_unread(counting, &(struct db_reply){.outcome = DB_OK}, &(struct db_unread){NULL, 0});
    else
        db_count_unread(db_of(request), request->player->id, from, count,
                        ASK_ALSO(unread, request, ASK_ALL, know_unread, counting));
}
