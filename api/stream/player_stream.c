#include "api/stream/player_stream.h"
#include "api/live/ask.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/live/auth.h"
#include "api/live/players.h"
#include "api/live/tokens.h"
#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metering.h"
#include "api/loop/metrics.h"
#include "api/loop/part.h"
#include "api/net/stream.h"
#include "api/stream/already_sent.h"
#include "api/stream/long_poll.h"
#include "api/stream/token_holders.h"
#include "api/stream/watch.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/map.h"
#include "api/text/must.h"
#include "api/view/view.h"

enum {
    LOOK_GAME_US = 25,     /* until the next look, for each game that the last one has read */
    RETRY_US = 250 * 1000, /* after the database has failed */
    PAGE_EVENTS = 64,
    PAGE_BYTES = 8 << 10, /* a page ends behind the event that reaches this */
    ASKING_MAX = 8        /* feeds that read at one time */
};

#define NOT_CHECKED (INT64_MIN / 2)

struct player_stream {
    struct player_streams *feeds;
    struct map_link link;
    struct watched watched;
    STAILQ_ENTRY(player_stream) behind; /* in the line */
    struct request *request;            /* that is not answered yet, or NULL */
    struct stream *stream;              /* NULL: it has not begun, or has ended */
    struct wait *wait;                  /* of a request that waits for news; NULL: of none */
    struct auth_asker asker;            /* a player, and the hash of the token */
    struct token_holder holder;
    struct admission_toll toll;
    enum game_stream_form form;
    struct feed_cursor cursor;
    struct sent_events told; /* that the next pass finds again */
    int64_t checked;         /* when the token was, on loop->now */
    uint64_t acting;         /* what acts as the player (tokens_print()), as it is known here */
    int64_t versions;        /* the sum of its games' versions when that was looked up; -1: never */
    bool silent;             /* it tells nothing: the first pass of a stream from now on */
    bool live;               /* it was up to date before */
    bool acting_changed;     /* it has, and that is not told yet */
    bool news;               /* there is something to read since the pass began */
    bool heard;              /* by a write of this loop */
    bool ready;              /* its stream takes a text */
    bool in_line, asking, looking;
    bool over; /* nobody listens any more: it ends with the answer that it waits for */
};

struct player_streams {
    struct loop *loop;
    struct arena arena; /* for what is written down at one time */
    struct map by_player;
    struct watch watch;                /* all of them */
    STAILQ_HEAD(, player_stream) line; /* of those that want to read */
    size_t asking;
    int64_t retry; /* nothing is read before */
};

/* ---- all feeds ---- */

/* The line and the database may still point to the feed. The last one that lets go of it calls
 * this. */
static void free_if_over(struct player_stream *feed)
{
    if (!feed->over || feed->in_line || feed->asking || feed->looking)
        return;
    map_take(&feed->feeds->by_player, &feed->link);
    watch_out(&feed->feeds->watch, &feed->watched);
    sent_free(&feed->told);
    free(feed);
}

static void end_player_stream(struct player_stream *feed)
{
    feed->over = true;
    token_holders_out(&feed->holder);
    free_if_over(feed);
}

/* It has something to read, and somebody to tell, or a request to answer. */
static void line_up(struct player_stream *feed)
{
    struct player_streams *feeds = feed->feeds;
    /* `upto`: the pass that is under way has more pages. */
    bool wants = feed->news || feed->cursor.upto != 0;

    if (feed->over || feed->in_line || feed->asking || !wants ||
        (!feed->ready && feed->request == NULL))
        return;
    feed->in_line = true;
    STAILQ_INSERT_TAIL(&feeds->line, feed, behind);
}

static struct player_stream *take_first(struct player_streams *feeds)
{
    struct player_stream *feed = STAILQ_FIRST(&feeds->line);

    STAILQ_REMOVE_HEAD(&feeds->line, behind);
    feed->in_line = false;
    return feed;
}

/* A feed of a request that waits has no stream and is over as soon as it is woken, so it may be
 * gone after this. A caller that walks a list takes the next feed before. */
static void has_news(struct player_stream *feed)
{
    feed->news = true;
    if (feed->wait != NULL)
        long_poll_wake_one(feed->wait);
    else
        line_up(feed);
}

static void tell_player(struct player_streams *feeds, const db_id *player)
{
    struct player_stream *feed = map_find(&feeds->by_player, player), *next;

    for (; feed != NULL; feed = next) {
        next = map_next(&feeds->by_player, &feed->link);
        feed->heard = true;
        has_news(feed);
    }
}

void player_stream_heard(struct player_streams *feeds, const struct db_game *row)
{
    for (int i = 0; feeds->by_player.count > 0 && i < DB_SEATS; i++)
        if (row->seat[i].has_player)
            tell_player(feeds, &row->seat[i].player);
}

/* The token is the player's no more. A pass begins with a look at the player (ask_player_stream()),
 * and news is what begins one. A waiting request is woken, and its handler then checks the token
 * anew. */
static void on_player_stream_lost(void *args)
{
    struct player_stream *feed = args;

    feed->checked = NOT_CHECKED;
    has_news(feed);
}

/* ---- what acts as the player ---- */

/* A player's stream tells that something has come or ended, or a thief's token could go unnoticed.
 * What there is, GET /v1/me/tokens tells. */
static void compare_acting(struct player_stream *feed, const struct db_player *player)
{
    uint64_t acting = tokens_print(player);

    feed->acting_changed |= feed->acting != acting;
    feed->acting = acting;
}

static void on_player_seen(void *args, const struct db_player *player)
{
    struct player_stream *feed = args;

    compare_acting(feed, player);
    if (feed->acting_changed)
        has_news(feed);
}

static void write_acting_changed(struct player_stream *feed, struct out out[STREAM_FORMS])
{
    char cursor[FEED_CURSOR_TEXT];
    struct json json;

    feed->acting_changed = false;
    feed_cursor_text(&feed->cursor, cursor);
    json_init(&json, &feed->feeds->arena);
    json_open(&json, '{');
    json_member(&json, "kind", "tokens");
    json_member_time(&json, "at", db_now(feed->feeds->loop->db));
    json_member(&json, "tokens", "/v1/me/tokens");
    json_member(&json, "cursor", cursor);
    json_close(&json, '}');
    event_page_message(out, cursor, "tokens", &json);
}

/* ---- telling ---- */

/* The pass is over: what is older than the beginning of the next one is not found again. */
static void end_pass(struct player_stream *feed)
{
    feed_cursor_end(&feed->cursor);
    sent_forget(&feed->told, feed->cursor.at.since);
    feed->live = true;
}

static void write_player_stream_event(struct out out[STREAM_FORMS], struct arena *arena,
                                      const struct feed_cursor *cursor, const struct db_feed *event,
                                      const db_id *player)
{
    char text[FEED_CURSOR_TEXT];
    struct json json;

    feed_cursor_text(cursor, text);
    json_init(&json, arena);
    view_feed_event(&json, event, player, text);
    event_page_message(out, text, words_event(event->event.kind), &json);
}

static void count_told(struct player_stream *feed, const struct db_feed *event)
{
    struct loop *loop = feed->feeds->loop;
    int64_t lag = db_now(loop->db) - event->event.at;

    metrics_add(&loop->metrics.stream_events, 1);
    if (feed->live)
        metrics_time(loop->metrics.stream_lag[!feed->heard], lag < 0 ? 0 : (uint64_t)lag);
}

/* The id of an event is where a client goes on behind it. Behind the last event of a pass that is
 * the beginning of the next one, so a client that resumes does not read the same pass again. */
static struct feed_cursor cursor_behind(const struct player_stream *feed, bool is_last)
{
    struct feed_cursor cursor = feed->cursor;

    if (is_last)
        feed_cursor_end(&cursor);
    return cursor;
}

/* Writes down what was not told before, until a page is full. Returns how many events are done. */
static size_t write_page(struct player_stream *feed, const struct db_feed_page *page,
                         struct out out[STREAM_FORMS])
{
    size_t n = 0;

    while (n < page->count && out[STREAM_LINES].len < PAGE_BYTES) {
        const struct db_feed *event = &page->items[n++];
        struct feed_cursor cursor;

        /* The cursor moves over an event that is left out, too, or the next page would begin with
         * it again. */
        feed_cursor_pass(&feed->cursor, event);
        if (sent_has(&feed->told, event))
            continue;
        if (event->written_at >= feed->cursor.upto) /* the next pass finds it again */
            sent_note(&feed->told, event);
        /* The silent pass notes what it passes over. These events were written before the stream
         * began, and the next pass, which finds them again, must not tell them. */
        if (feed->silent)
            continue;
        cursor = cursor_behind(feed, n == page->count && !page->more);
        write_player_stream_event(out, &feed->feeds->arena, &cursor, event, &feed->asker.player);
        count_told(feed, event);
    }
    return n;
}

static void send_text(struct player_stream *feed, const char *bytes, size_t len)
{
    if (len == 0)
        return;
    /* As with streams of a game, the past is charged and news is not. */
    if (!feed->live && !admission_pay(feed->feeds->loop, &feed->toll, len)) {
        stream_finish(feed->stream, STREAM_END_REFUSED);
        return;
    }
    feed->ready = stream_say(feed->stream, bytes, len);
}

/* ---- a stream ---- */

static void on_player_stream_ready(void *args)
{
    struct player_stream *feed = args;

    feed->ready = true;
    line_up(feed);
}

static void on_player_stream_over(void *args)
{
    struct player_stream *feed = args;

    metrics_sub(&feed->feeds->loop->metrics.feeds, 1);
    feed->stream = NULL;
    feed->ready = false;
    end_player_stream(feed);
}

/* The request is answered with the stream, which tells its first page when it has its connection.
 * There may have been room for it when it came, and none any more after the questions to the
 * database. Then the request was refused, and the feed is gone. */
static void begin_player_stream(struct player_stream *feed)
{
    struct request *request = feed->request;
    struct loop *loop = request->loop;
    struct out out[STREAM_FORMS];

    feed->request = NULL;
    metering_begin(loop);
    if (streams_refuse(request)) {
        metering_end(loop, request);
        end_player_stream(feed);
        return;
    }
    for (int i = 0; i < STREAM_FORMS; i++)
        out_init(&out[i], &request->arena);
    event_page_begin(out);
    metrics_add(&loop->metrics.feeds, 1);
    feed->stream =
        stream_new(streams_of(loop), request->client, event_page_form(feed->form),
                   (struct stream_owner){on_player_stream_ready, on_player_stream_over, feed});
    reply_stream(request, event_page_type(feed->form), feed->stream, out[feed->form].text);
    metering_end(loop, request);
}

/* The token has been replaced, or the player has left: they are told nothing more. */
static void refuse_player_stream(struct player_stream *feed)
{
    struct request *request = feed->request;

    if (request == NULL) {
        stream_finish(feed->stream, STREAM_END_REFUSED);
        return;
    }
    feed->request = NULL;
    metering_begin(request->loop);
    reply_problem(request, PROBLEM_TOKEN_UNKNOWN, NULL);
    metering_end(request->loop, request);
    end_player_stream(feed);
}

/* ---- reading ---- */

static void ask_player_stream(struct player_stream *feed);

static void fail_player_stream(struct player_stream *feed, const struct db_reply *reply)
{
    struct request *request = feed->request;

    /* A stream goes on, since its client can do nothing about the database. All feeds rest for a
     * while, as the questions of others would fail, too. `news` was cleared before the question,
     * and is set again. */
    if (request == NULL) {
        feed->feeds->retry = feed->feeds->loop->now + RETRY_US;
        feed->news = true;
        line_up(feed);
        return;
    }
    feed->request = NULL;
    metering_begin(request->loop);
    ask_failed(request, reply);
    metering_end(request->loop, request);
    end_player_stream(feed);
}

/* A question was answered. False: nothing follows from it. */
static bool came_back(struct player_stream *feed, const struct db_reply *reply)
{
    feed->asking = false;
    assert(feed->feeds->asking > 0);
    feed->feeds->asking--;
    if (feed->over) {
        free_if_over(feed);
        return false;
    }
    if (reply->outcome == DB_OK || reply->outcome == DB_NOT_FOUND)
        return true;
    fail_player_stream(feed, reply);
    return false;
}

static void on_page(void *context, const struct db_reply *reply, const struct db_feed_page *page)
{
    struct player_stream *feed = context;
    struct player_streams *feeds = feed->feeds;
    struct out out[STREAM_FORMS];
    size_t done;

    if (!came_back(feed, reply))
        return;
    for (int i = 0; i < STREAM_FORMS; i++)
        out_init(&out[i], &feeds->arena);
    if (page->partial)
        feed_cursor_hold(&feed->cursor);
    if (feed->acting_changed && !feed->silent)
        write_acting_changed(feed, out);
    done = write_page(feed, page, out);
    if (!feed->silent)
        send_text(feed, out[feed->form].text, out[feed->form].len);
    arena_reset(&feeds->arena);
    if (done == page->count && !page->more) {
        end_pass(feed);
        feed->silent = false;
        feed->news |= feed->acting_changed; /* which a silent pass has left out */
    }
    /* A stream from now on is answered only when its silent pass is over. So whatever a client does
     * after it has seen the head of the answer is told. */
    if (feed->request != NULL && !feed->silent)
        begin_player_stream(feed);
    else
        line_up(feed);
}

static void on_horizon(void *context, const struct db_reply *reply,
                       const struct db_horizon *horizon)
{
    struct player_stream *feed = context;

    if (!came_back(feed, reply))
        return;
    /* A stream from now on: its first pass begins where it would end, and has only the events
     * behind the horizon. */
    if (feed->silent)
        feed->cursor.at.since = horizon->at;
    feed_cursor_begin(&feed->cursor, horizon->at);
    ask_player_stream(feed);
}

static void on_streams_player(void *context, const struct db_reply *reply,
                              const struct db_player *player)
{
    struct player_stream *feed = context;

    if (!came_back(feed, reply))
        return;
    if (reply->outcome != DB_OK ||
        !auth_asker_is(&feed->asker, player, db_now(feed->feeds->loop->db))) {
        refuse_player_stream(feed);
        return;
    }
    feed->checked = feed->feeds->loop->now;
    compare_acting(feed, player);
    if (feed->request != NULL) /* of what was before a stream it does not tell */
        feed->acting_changed = false;
    if (feed->request != NULL && !feed->silent)
        begin_player_stream(feed);
    else
        ask_player_stream(feed);
}

/* The next question of a pass: whether the player is still who they were, where the pass ends, and
 * its next page. Each needs the answer to the one before, so a feed has one question under way.
 *
 * `news` is cleared before the horizon is asked for and not after it. What is written from here on
 * may be missed by this pass, and sets it again for another one. */
static void ask_player_stream(struct player_stream *feed)
{
    struct player_streams *feeds = feed->feeds;
    struct db *db = feeds->loop->db;

    feed->asking = true;
    feeds->asking++;
    if (feeds->loop->now - feed->checked > PLAYERS_FRESH_US) {
        db_get_player(db, feed->asker.player, on_streams_player, feed);
    } else if (feed->cursor.upto == 0) {
        feed->news = false;
        db_get_horizon(db, on_horizon, feed);
    } else {
        db_get_player_events(db, feed->asker.player, &feed->cursor.at, PAGE_EVENTS, on_page, feed);
    }
}

static void read_some_player_streams(struct player_streams *feeds)
{
    while (!STAILQ_EMPTY(&feeds->line) && feeds->asking < ASKING_MAX &&
           feeds->retry <= feeds->loop->now) {
        struct player_stream *feed = take_first(feeds);

        /* A feed that ends while it is in line stays there until its turn. */
        if (feed->over)
            free_if_over(feed);
        else
            ask_player_stream(feed);
    }
}

/* ---- looking ---- */

static void on_state(void *context, const struct db_reply *reply,
                     const struct db_player_state *state)
{
    struct player_stream *feed = context;
    int64_t before = feed->versions;

    if (reply->outcome == DB_OK) {
        /* The answers of all players of one look add up here: the next look waits for as long as
         * they have read. */
        feed->feeds->watch.rest_us += (int64_t)state->games * LOOK_GAME_US;
        feed->versions = state->versions;
        if (before != state->versions) {
            feed->heard = false;
            has_news(feed);
        }
    }
    /* Only now: `looking` has kept the feed, which has_news() may have ended. */
    feed->looking = false;
    free_if_over(feed);
}

static void look_at_player_streams(void *of)
{
    struct player_stream *feed = of;

    if (feed->looking || feed->over)
        return;
    feed->looking = true;
    db_get_player_state(feed->feeds->loop->db, feed->asker.player, on_state, feed);
}

static void player_stream_run(struct loop *loop)
{
    struct player_streams *feeds = player_streams_of(loop);

    watch_run(&feeds->watch);
    read_some_player_streams(feeds);
}

static int player_stream_timeout_ms(const struct loop *loop)
{
    const struct player_streams *feeds = player_streams_of(loop);
    int ms = loop_ms_until(loop, watch_next(&feeds->watch));

    if (STAILQ_EMPTY(&feeds->line) || feeds->asking == ASKING_MAX)
        return ms;
    return parts_sooner(ms, loop_ms_until(loop, feeds->retry));
}

/* ---- following ---- */

static struct player_stream *new_feed(struct request *request, int64_t versions, bool is_stream)
{
    struct player_stream *feed = must_zero(sizeof(*feed));

    feed->feeds = player_streams_of(request->loop);
    feed->versions = versions;
    auth_asker(request, &feed->asker);
    map_put(&feed->feeds->by_player, &feed->link, &feed->asker.player, feed);
    watch_in(&feed->feeds->watch, &feed->watched, feed);
    token_holders_watch(token_holders_of(request->loop), &feed->holder, &feed->asker,
                        on_player_stream_lost, is_stream ? on_player_seen : NULL, feed);
    return feed;
}

void player_stream_follow(struct request *request, enum game_stream_form form,
                          const struct feed_cursor *after)
{
    struct player_stream *feed;

    if (reply_stream_head(request, event_page_type(form)) || streams_refuse(request))
        return;
    feed = new_feed(request, -1, true);
    feed->request = request;
    feed->form = form;
    feed->news = true;
    feed->silent = after == NULL;
    if (after != NULL)
        feed->cursor = *after;
    /* The token of a player was checked when the request came. A ticket shows no token:
     * on_streams_player() compares the hash that it stands for, before anything is told. */
    feed->checked = request->player == NULL ? NOT_CHECKED : request->loop->now;
    feed->acting = request->player == NULL ? 0 : request->player->acting;
    admission_toll(request, &feed->toll);
    /* Only a known player with a cursor needs no answer of the database before the head. */
    if (request->player != NULL && after != NULL)
        begin_player_stream(feed);
    else
        line_up(feed);
}

/* ---- waiting ---- */

/* A request that waits, in its arena. */
struct waiter {
    struct player_stream *feed; /* until its wait has ended */
    void (*back)(struct request *request);
};

static void on_wait_ended(void *args)
{
    struct player_stream *feed = ((const struct waiter *)args)->feed;

    feed->wait = NULL;
    end_player_stream(feed);
}

static void on_wait_back(struct request *request, void *args)
{
    const struct waiter *waiter = args;

    waiter->back(request);
}

/* The caller has compared `versions` already. What was written since that was read, and before this
 * feed was there to hear of it, is found by a look at once. */
bool player_stream_wait(struct request *request, int wait_s, int64_t versions,
                        void (*back)(struct request *request))
{
    struct player_stream *feed = new_feed(request, versions, false);
    struct waiter *waiter = arena_alloc(&request->arena, sizeof(*waiter));

    *waiter = (struct waiter){feed, back};
    feed->wait = long_poll_begin(
        request, wait_s, (struct long_poll_owner){NULL, on_wait_ended, on_wait_back, waiter});
    if (feed->wait == NULL) {
        end_player_stream(feed);
        return false;
    }
    look_at_player_streams(feed);
    return true;
}

/* ---- opening and closing ---- */

static void player_stream_open(struct loop *loop)
{
    static const struct watch_pace pace = {.at_once = 32, /* players */
                                           .many_us = 100 * 1000,
                                           .least_us = 50 * 1000};
    struct player_streams *feeds = must_zero(sizeof(*feeds));

    feeds->loop = loop;
    watch_init(&feeds->watch, loop, &pace, look_at_player_streams);
    STAILQ_INIT(&feeds->line);
    map_open(&feeds->by_player, sizeof(db_id), (size_t)loop->config->streams);
    loop->own[PART_player_streams] = feeds;
}

static void player_stream_close(struct loop *loop)
{
    struct player_streams *feeds = player_streams_of(loop);
    /* Streams and questions have ended. Feeds that were in line stayed for this. */
    while (!STAILQ_EMPTY(&feeds->line))
        end_player_stream(take_first(feeds));
    arena_free(&feeds->arena);
    map_close(&feeds->by_player);
    free(feeds);
}

const struct part player_streams_part = {.open = player_stream_open,
                                         .run = player_stream_run,
                                         .timeout_ms = player_stream_timeout_ms,
                                         .close = player_stream_close};
