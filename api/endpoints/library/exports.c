/*
 * exports.c - all games of a player or of a collection as one file, sent game by game.
 *
 * The answer is a stream (stream.h) in chunks, so that a client knows whether it has all of it. One
 * game after the other is read, written down by a worker and sent, and the next one is read when
 * the client has taken it: so an export holds one game, whatever the client does.
 *
 * Games that the format cannot hold are left out, and those that only a newer program knows. How
 * many these are is known at the end, so a field behind the last chunk says it; but proxies drop
 * such fields, and people do not see them. So a line at the end says it too, and names some of
 * them, in formats in which a line may be none of a game.
 *
 * The export of an account has the games in which the player holds a seat, then those of one
 * collection after the other; a game that is in several places comes once.
 */
#include <stdlib.h>
#include <string.h>

#include "api/endpoints/handlers.h"
#include "api/endpoints/library/collections.h"
#include "api/game/ids.h"
#include "api/game/messages.h"
#include "api/game/row.h"
#include "api/game/to_record.h"
#include "api/http/query.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/ask.h"
#include "api/live/auth.h"
#include "api/live/game_log.h"
#include "api/live/live_game.h"
#include "api/live/players.h"
#include "api/loop/admission.h"
#include "api/loop/loop.h"
#include "api/loop/workers.h"
#include "api/net/stream.h"
#include "api/record/holds.h"
#include "api/record/record.h"
#include "api/text/must.h"
#include "api/text/out.h"
#include "db/db.h"
#include "db/library.h"

struct export_wish {
    bool of_collection; /* else of the account */
    db_id collection;
    const struct record_format *format;
    bool in_lines; /* each game is one line */
};

enum { PAGE = 16, EVENTS = 2048, NAMED = 16 };

/* It lives until its stream is over and nobody is at work for it. */
struct export
{
    struct work work;
    struct loop *loop;
    struct stream *stream; /* NULL once it is over */
    struct export_wish wish;
    struct admission_toll toll;
    db_id player;
    uint64_t client;
    bool ready;   /* the stream takes the next text */
    bool working; /* the database or a worker is asked */
    bool told;    /* what was left out */
    bool complete;
    bool failed;

    /* The page of games. */
    struct arena page;
    struct db_player_list list;
    struct db_search search;
    db_id collection[DB_COLLECTIONS_MAX]; /* that are still to be exported */
    size_t collections;
    bool collected; /* the page is one of a collection */
    struct db_cursor after;
    struct db_game game[PAGE];
    size_t count, next;
    bool more;

    /* The present game, and its text. */
    struct arena arena;
    struct db_event *events;
    size_t nevents;
    bool first; /* nothing was sent before it */
    const char *text;

    /* Those that were left out, of which the first are named. */
    size_t left_out;
    db_id left[NAMED];
};

static void go_on_with_export(struct export *export);

/* ---- the end ---- */

static void free_if_over(struct export *export)
{
    if (export->stream != NULL || export->working)
        return;
    arena_free(&export->page);
    arena_free(&export->arena);
    free(export);
}

static void on_export_over(void *args)
{
    struct export *export = args;

    export->stream = NULL;
    free_if_over(export);
}

static void on_export_ready(void *args)
{
    struct export *export = args;

    export->ready = true;
    go_on_with_export(export);
}

/* Somebody who was asked has answered. False: nobody waits for it any more. */
static bool is_back(struct export *export, bool well)
{
    export->working = false;
    export->failed |= !well;
    if (export->stream == NULL) {
        free_if_over(export);
        return false;
    }
    return true;
}

/* ---- sending ---- */

/* A piece of the answer. */
static void send_export_bytes(struct export *export, const char *bytes)
{
    size_t len = strlen(bytes);

    if (!admission_pay(export->loop, &export->toll, len)) {
        export->ready = false;
        stream_finish(export->stream, STREAM_END_REFUSED);
        return;
    }
    export->ready = stream_say(export->stream, bytes, len);
}

/* ---- what was left out ---- */

#define LEFT_OUT "Record-Games-Left-Out"

static void leave_out(struct export *export)
{
    if (export->left_out < NAMED)
        export->left[export->left_out] = export->game[export->next].id;
    export->left_out++;
}

/* The line that says so in the file. NULL: it needs none, or its format has no place for one. */
static const char *remark(struct export *export)
{
    size_t n = export->left_out;
    struct out out;

    if (n == 0 || export->wish.format->remark == NULL)
        return NULL;
    out_init(&out, &export->arena);
    out_format(&out, "%s %zu %s left out, since this format cannot hold %s",
               export->wish.format->remark, n, n == 1 ? "game is" : "games are",
               n == 1 ? "it" : "them");
    for (size_t i = 0; i < n && i < NAMED; i++) {
        char id[IDS_TEXT];

        ids_text(export->left[i], id);
        out_format(&out, "%s%s", i == 0 ? ": " : ", ", id);
    }
    out_add(&out, n > NAMED ? " and others\n" : "\n");
    return out.text;
}

static void send_last(struct export *export)
{
    export->ready = stream_say_last(
        export->stream, arena_format(&export->arena, LEFT_OUT ": %zu\r\n", export->left_out));
}

/* ---- one game ---- */

/* A collection may have games in which others play. */
static const struct db_event *shown_events(struct export *export, const struct db_game *row)
{
    return messages_shown(&export->arena, row_is_public(row), row_seats_of(row, export->player),
                          export->events, export->nevents);
}

/* On a worker's thread. */
static void write_export_game(void *context)
{
    struct export *export = context;
    const struct db_game *row = &export->game[export->next];
    const struct db_event *events = shown_events(export, row);
    struct record record;
    struct record_error error;
    struct out out;

    out_init(&out, &export->arena);
    if (!to_record(&export->arena, row, events, export->nevents, row->line, row->ply, &record,
                   &error) ||
        !record_serves(export->wish.format, record.game))
        return;
    if (!export->first && !export->wish.in_lines)
        out_add(&out, strncmp(export->wish.format->name, "csa", 3) == 0 ? "/\n" : "\n");
    if (!record_write(export->wish.format, &record, NULL, &out, &error))
        return;
    if (export->wish.in_lines) {
        for (char *at = out.text; *at != '\0'; at++)
            if (*at == '\n')
                *at = ' ';
        out_add(&out, "\n");
    }
    export->text = out.text;
}

static void on_export_written(void *context, bool ran, int64_t us)
{
    struct export *export = context;

    (void)us;
    if (!is_back(export, ran))
        return;
    if (export->text != NULL && !export->failed) {
        export->first = false;
        send_export_bytes(export, export->text);
    } else if (!export->failed) {
        leave_out(export);
    }
    export->next++;
    go_on_with_export(export);
}

static enum work_use use_of_export(const void *context)
{
    (void)context;
    return WORK_WANTED;
}

static void have_it_written(struct export *export)
{
    export->text = NULL;
    export->work = (struct work){.run = write_export_game,
                                 .done = on_export_written,
                                 .use = use_of_export,
                                 .context = export,
                                 .client = export->client};
    export->working = workers_submit(workers_of(export->loop), &export->work);
    export->failed |= !export->working;
    if (export->failed)
        go_on_with_export(export);
}

static const char *keep_export_text(struct export *export, const char *text)
{
    return text == NULL ? NULL : arena_copy(&export->arena, text, strlen(text));
}

static db_events_callback on_export_events;

static void read_events(struct export *export)
{
    const struct db_game *row = &export->game[export->next];

    if (row->version <= (int32_t) export->nevents) {
        have_it_written(export);
        return;
    }
    export->working = true;
    db_get_log(export->loop->db, row->id, (int32_t) export->nevents, EVENTS, on_export_events,
               export);
}

static void on_export_events(void *context, const struct db_reply *reply,
                             const struct db_events *events)
{
    struct export *export = context;
    const struct db_game *row = &export->game[export->next];

    if (!is_back(export, reply->outcome == DB_OK))
        return;
    if (export->failed) {
        go_on_with_export(export);
        return;
    }
    for (size_t i = 0; i < events->count && export->nevents < (size_t)row->version; i++) {
        struct db_event *event = &export->events[export->nevents++];

        *event = events->items[i];
        event->move = keep_export_text(export, event->move);
        event->data = keep_export_text(export, event->data);
    }
    read_events(export);
}

/* At most a page of games is left out in one go. */
static void begin_game(struct export *export)
{
    const struct db_game *row = &export->game[export->next];

    if (!row_is_known(row) || row->version > GAME_LOG_MAX) {
        leave_out(export);
        export->next++;
        go_on_with_export(export);
        return;
    }
    arena_free(&export->arena);
    export->nevents = 0;
    export->events = arena_alloc(&export->arena, (size_t)row->version * sizeof(*export->events));
    read_events(export);
}

/* ---- pages ---- */

static void on_page(void *context, const struct db_reply *reply, const struct db_games *page)
{
    struct export *export = context;

    /* A collection of the account may have been deleted since this began. */
    bool gone = reply->outcome == DB_NOT_FOUND && !export->wish.of_collection;

    if (!is_back(export, reply->outcome == DB_OK || gone))
        return;
    arena_free(&export->page);
    export->count = export->next = 0;
    for (size_t i = 0; !export->failed && i < page->count && i < PAGE; i++)
        live_copy_row(&export->page, &page->items[i], &export->game[export->count++]);
    export->more = page->next != NULL;
    if (export->more) {
        export->after = *page->next;
        export->list.list.after = export->search.after = &export->after;
    }
    go_on_with_export(export);
}

/* Goes to the next collection. False: there is none. */
static bool next_collection(struct export *export)
{
    if (export->collections == 0)
        return false;
    export->search.collection = export->collection[--export->collections];
    export->search.after = NULL;
    export->collected = export->more = true;
    return true;
}

/* What follows the last game. */
static void tell_rest(struct export *export)
{
    const char *line = export->told ? NULL : remark(export);

    export->told = true;
    if (line != NULL) {
        send_export_bytes(export, line);
    } else {
        export->complete = true;
        send_last(export);
    }
    go_on_with_export(export);
}

static void read_export_page(struct export *export)
{
    export->working = true;
    if (export->collected)
        db_search(export->loop->db, &export->search, on_page, export);
    else
        db_player_games(export->loop->db, &export->list, on_page, export);
}

/* The next step, once the client has taken what was sent. A failure ends the answer without its
 * last chunk. */
static void go_on_with_export(struct export *export)
{
    if (!export->ready || export->working || export->stream == NULL)
        return;
    if (export->failed) {
        export->ready = false;
        stream_finish(export->stream, STREAM_END_STOPPED);
    } else if (export->complete) {
        export->ready = false;
        stream_finish(export->stream, STREAM_END_TOLD);
    } else if (export->next < export->count) {
        begin_game(export);
    } else if (export->more || next_collection(export)) {
        read_export_page(export);
    } else {
        tell_rest(export);
    }
}

/* ---- the beginning ---- */

static void choose_games(struct export *export)
{
    export->list = (struct db_player_list){.list = {.limit = PAGE}, .player = export->player};
    export->search = (struct db_search){.player = export->player,
                                        .winner = -1,
                                        .from = DB_NEVER,
                                        .to = DB_NEVER,
                                        .apart = !export->wish.of_collection,
                                        .limit = PAGE};
    export->more = !export->wish.of_collection;
}

static void choose_collections(struct export *export, const struct db_collections *known)
{
    if (export->wish.of_collection) {
        export->collection[export->collections++] = export->wish.collection;
        return;
    }
    for (size_t i = 0; i < known->count; i++)
        export->collection[export->collections++] = known->items[i].id;
}

static const char *media_type(struct request *request, const struct export_wish *wish)
{
    return wish->in_lines ? "application/x-ndjson"
                          : record_content_type(&request->arena, wish->format, NULL);
}

/* The games are not read yet when the headers go out, so this is what any of them may lack. */
static void tell_limits(struct request *request, const struct record_format *format)
{
    const char *missing = record_things_text(&request->arena, RECORD_HOLDS_ALL & ~format->holds);

    if (missing != NULL)
        reply_header(request, "Record-Left-Out", missing);
}

static void begin_export(struct request *request, const struct export_wish *wish,
                         const struct db_collections *known)
{
    /* No format minds a blank line. */
    static const struct stream_form form = {.beat = "\n", .bye = "", .chunked = true};
    struct loop *loop = request->loop;
    struct export *export;

    reply_header(request, "Cache-Control", "no-cache");
    reply_header(request, "Vary", "Authorization, Origin");
    tell_limits(request, wish->format);
    if (reply_stream_head(request, media_type(request, wish)) || streams_refuse(request))
        return;
    export = must_zero(sizeof(*export));
    export->loop = loop;
    export->wish = *wish;
    export->player = request->player->id;
    export->client = request->client | 1;
    export->first = true;
    choose_games(export);
    choose_collections(export, known);
    admission_toll(request, &export->toll);
    reply_header(request, "Transfer-Encoding", "chunked");
    reply_header(request, "Trailer", LEFT_OUT);
    export->stream = stream_new(streams_of(loop), request->client, &form,
                                (struct stream_owner){on_export_ready, on_export_over, export});
    reply_stream(request, media_type(request, wish), export->stream, "");
}

struct asking {
    struct request *request;
    struct export_wish wish;
};

static void know_collections(void *context, const struct db_collections *collections)
{
    const struct asking *asking = context;

    if (asking->wish.of_collection &&
        collections_among(collections, asking->wish.collection) == NULL)
        reply_problem(asking->request, PROBLEM_NO_SUCH_COLLECTION, NULL);
    else
        begin_export(asking->request, &asking->wish, collections);
}

static void export_many(struct request *request, const struct export_wish *wish)
{
    struct asking *asking = arena_alloc(&request->arena, sizeof(*asking));

    *asking = (struct asking){request, *wish};
    db_get_collections(db_of(request), request->player->id,
                       ASK(collections, request, know_collections, asking));
}

/* ---- requests ---- */

/* NDJSON is our own JSON, a game a line. False: it was answered. */
static bool read_format(struct request *request, struct export_wish *wish)
{
    const char *name = query_text(request, "format");

    wish->in_lines = name == NULL || strcmp(name, "ndjson") == 0;
    wish->format = record_find_format(wish->in_lines ? "json" : name);
    if (wish->format != NULL && (wish->in_lines || strcmp(name, "json") != 0))
        return true;
    reply_problem_at(request, PROBLEM_NO_SUCH_FORMAT, "?format",
                     "ndjson, or a format of the games such as kif, csa or pdn, is expected.");
    return false;
}

void handle_export_collection(struct request *request)
{
    static const char *const known[] = {"format", NULL};
    struct export_wish wish = {.of_collection = true};

    if (!auth_require_player(request) || !query_ok(request, known) || !read_format(request, &wish))
        return;
    if (ids_read(request->param[0], &wish.collection))
        export_many(request, &wish);
    else
        reply_problem(request, PROBLEM_NO_SUCH_COLLECTION, NULL);
}

void handle_export_mine(struct request *request)
{
    static const char *const known[] = {"format", NULL};
    struct export_wish wish = {.of_collection = false};

    if (auth_require_player(request) && query_ok(request, known) && read_format(request, &wish))
        export_many(request, &wish);
}
