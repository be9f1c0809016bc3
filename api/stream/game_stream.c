#include "api/stream/game_stream.h"

#include <assert.h>
#include <stdlib.h>

#include "api/game/row.h"
#include "api/game/words.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/live/auth.h"
#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/loop/part.h"
#include "api/net/stream.h"
#include "api/stream/channels.h"
#include "api/stream/event_page.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/must.h"

enum {
    RETRY_US = 250 * 1000, /* after a page that could not be read */
    READS_MAX = 8,         /* pages that are read at one time */
    TELL_US = 1000,        /* for telling, in one pass */
    TELL_AT_ONCE = 16      /* streams, before others have their turn */
};

struct game_streams {
    struct loop *loop;
    size_t limit;
    struct arena arena; /* for what is written down at one time */
    struct channels *channels;
    size_t reading;
    int64_t retry; /* nothing is read before */
};

static void game_stream_open(struct loop *loop)
{
    struct game_streams *news = must_zero(sizeof(*news));

    news->loop = loop;
    news->limit = (size_t)loop->config->streams;
    news->channels = channels_of(loop);
    loop->own[PART_game_streams] = news;
}

static void game_stream_close(struct loop *loop)
{
    struct game_streams *news = game_streams_of(loop);
    arena_free(&news->arena);
    free(news);
}

/* ---- what is new ---- */

static struct game_streams *owner_of(const struct channel *channel)
{
    return game_streams_of(channel->channels->loop);
}

static struct event_page *write_down(const struct channel *channel, const struct db_event *events,
                                     size_t count)
{
    struct game_streams *news = owner_of(channel);

    return event_page_new(streams_of(news->loop), &news->arena, events, count, channel->public);
}

/* A follower that has played is ended here if it does not any more, because its token was replaced.
 * In a private game all must; in an unlisted one the others do not read what the players write, and
 * one that takes a seat does from now on. A public game tells anybody everything, and a challenge
 * becomes one when it is accepted. stream_finish() only marks a stream, and on_game_stream_over()
 * comes in a later streams_run(), so the list stays whole while it is walked. */
static void check_seats(struct channel *channel, const struct db_game *row)
{
    struct follower *f;

    channel->checked = row->version;
    channel->public = row_is_public(row);
    if (channel->public)
        return;
    LIST_FOREACH(f, &channel->followers, beside)
    {
        unsigned seats = auth_asker_seats(&f->asker, row);

        if (seats == 0 && (f->seats != 0 || !auth_asker_sees(&f->asker, row)))
            stream_finish(f->stream, STREAM_END_REFUSED);
        f->seats = seats;
    }
}

/* The events of this loop's own write are told without a question to the database, if they are just
 * what a cohort lacks. Otherwise channels_know() has the cohort read them from the log. It does so,
 * too, for the events of the write that did not fit into the page. */
static void take_write(struct channel *channel, const struct live_write *write)
{
    struct cohort *cohort = channels_cohort(channel, channel->version);

    if (cohort == NULL || cohort->state != RESTING || write->count > EVENT_PAGE_EVENTS ||
        write->events[0].version != channel->version + 1)
        return;
    cohort->page = write_down(channel, write->events, write->count);
    cohort->state = TELLING;
    STAILQ_INSERT_TAIL(&channel->channels->to_tell, cohort, behind);
}

/* The order matters. The seats of `live` are those after the write, so they are checked before
 * anybody is told of it. take_write() compares with the version before, which channels_know()
 * raises, and it makes its cohort TELLING, so that channels_know() does not have it read as well.
 * If somebody else wrote, the live game is still the old one and says nothing about seats:
 * `checked` stays behind, and read_cohort_page() looks at the row first. The channel may be gone
 * after channels_know(). */
void game_stream_heard(struct game_streams *news, const struct live_game *live, int32_t version,
                       const struct live_write *write)
{
    struct channel *channel = channels_find(news->channels, live->row.id);

    if (channel == NULL || version <= channel->version)
        return;
    if (write != NULL) {
        check_seats(channel, &live->row);
        take_write(channel, write);
    }
    channels_know(channel, version);
}

/* ---- what is read ---- */

/* The database failed. All reading rests for a while, not only this cohort's: other questions would
 * fail as well. */
static void read_later(struct cohort *cohort)
{
    struct game_streams *news = owner_of(cohort->channel);

    news->retry = news->loop->now + RETRY_US;
    cohort->state = TO_READ;
    STAILQ_INSERT_TAIL(&news->channels->to_read, cohort, behind);
}

/* A query of the cohort was answered. Returns false if it has no followers left. */
static bool came_back(struct cohort *cohort)
{
    assert(owner_of(cohort->channel)->reading > 0);
    owner_of(cohort->channel)->reading--;
    if (!TAILQ_EMPTY(&cohort->ready))
        return true;
    cohort->state = RESTING;
    channels_drop_if_empty(cohort);
    return false;
}

static void on_game_stream_events(void *context, const struct db_reply *reply,
                                  const struct db_events *events)
{
    struct cohort *cohort = context;
    struct game_streams *news = owner_of(cohort->channel);

    if (!came_back(cohort))
        return;
    /* No events, though the version says that there are some: that is a failure, too. Asking again
     * at once would go round without a pause. */
    if (reply->outcome != DB_OK || events->count == 0) {
        read_later(cohort);
        return;
    }
    cohort->page = write_down(cohort->channel, events->items, events->count);
    cohort->page->was_read = true;
    cohort->state = TELLING;
    STAILQ_INSERT_TAIL(&news->channels->to_tell, cohort, behind);
    /* The log may be ahead of what was known. The cohort is TELLING by now, so it is not put in
     * line again. */
    channels_know(cohort->channel, cohort->page->to);
}

static void on_row(void *context, const struct db_reply *reply, const struct db_game *game)
{
    struct cohort *cohort = context;
    struct channel *channel = cohort->channel;

    if (reply->outcome == DB_OK)
        check_seats(channel, game);
    if (!came_back(cohort))
        return;
    if (reply->outcome != DB_OK) {
        read_later(cohort);
        return;
    }
    /* It was at the head of the line when its turn began, and the look at the seats was no page. */
    cohort->state = TO_READ;
    STAILQ_INSERT_HEAD(&channel->channels->to_read, cohort, behind);
    channels_know(channel, game->version);
}

/* Unless the game is public its row is read first, so that it is known who plays before anything
 * behind the last checked version is told. */
static void read_cohort_page(struct cohort *cohort)
{
    struct channel *channel = cohort->channel;
    struct db *db = owner_of(channel)->loop->db;

    cohort->state = READING;
    owner_of(channel)->reading++;
    if (!channel->public && channel->checked < channel->version)
        db_get_game(db, channel->id, on_row, cohort);
    else
        db_get_events(db, channel->id, 0, cohort->told, EVENT_PAGE_EVENTS, on_game_stream_events,
                      cohort);
}

static void read_some_cohorts(struct game_streams *news)
{
    while (!STAILQ_EMPTY(&news->channels->to_read) && news->reading < READS_MAX &&
           news->retry <= news->loop->now) {
        struct cohort *cohort = channels_take_first(&news->channels->to_read);

        /* All of its followers may have gone while it was in line, since nobody takes a cohort out
         * of the middle of a line. */
        if (!TAILQ_EMPTY(&cohort->ready)) {
            read_cohort_page(cohort);
        } else {
            cohort->state = RESTING;
            channels_drop_if_empty(cohort);
        }
    }
}

/* ---- each pass of the loop ---- */

static void game_stream_run(struct loop *loop)
{
    struct game_streams *news = game_streams_of(loop);

    read_some_cohorts(news);
}

/* ---- telling ---- */

static void count_told(const struct follower *follower, const struct event_page *page)
{
    struct loop *loop = owner_of(follower->channel)->loop;
    int64_t lag = db_now(loop->db) - page->at;

    metrics_add(&loop->metrics.stream_events, page->events);
    if (follower->live)
        metrics_time(loop->metrics.stream_lag[page->was_read], lag < 0 ? 0 : (uint64_t)lag);
}

/* A follower that was up to date once pays nothing. One that reads the past pays as for pages of
 * the list. If nothing is left of its quota, the stream ends, and the client is told how long to
 * wait when it comes back. */
static bool can_pay(struct follower *follower, const struct stream_text *text)
{
    return follower->live ||
           admission_pay(owner_of(follower->channel)->loop, &follower->toll, stream_text_len(text));
}

static void tell_follower(struct cohort *cohort, struct follower *follower)
{
    const struct event_page *page = cohort->page;
    struct stream_text *text =
        event_page_text(page, follower->form, cohort->channel->public, follower->seats);

    /* It leaves first, whatever happens next. A stream that is not ready for more is in no cohort
     * until on_game_stream_ready(), and one that is ready joins the cohort at the page's end. A
     * stream that has ended is not ready either, so it cannot be told again. */
    channels_leave(cohort, follower);
    if (!can_pay(follower, text)) {
        stream_finish(follower->stream, STREAM_END_REFUSED);
        return;
    }
    count_told(follower, page);
    follower->told = page->to;
    if (stream_send(follower->stream, text))
        channels_join(follower);
}

/* Tells a few of a cohort. A stream that is ready afterwards stands with others at the page's last
 * event. Streams that join this cohort meanwhile stand before the page, and are told it, too. */
static void tell_some(struct cohort *cohort)
{
    struct game_streams *news = owner_of(cohort->channel);

    for (int i = 0; i < TELL_AT_ONCE && !TAILQ_EMPTY(&cohort->ready); i++)
        tell_follower(cohort, TAILQ_FIRST(&cohort->ready));
    if (!TAILQ_EMPTY(&cohort->ready)) {
        STAILQ_INSERT_TAIL(&news->channels->to_tell, cohort, behind);
        return;
    }
    event_page_free(cohort->page);
    cohort->page = NULL;
    cohort->state = RESTING;
    channels_drop_if_empty(cohort);
}

/* It is called at the end of a pass (`finish` in parts.c), so that thousands of spectators do not
 * delay the answer to the player who moved. */
static void game_stream_tell(struct loop *loop)
{
    struct game_streams *news = game_streams_of(loop);
    int64_t began;

    if (STAILQ_EMPTY(&news->channels->to_tell))
        return;
    began = loop_clock_us();
    do
        tell_some(channels_take_first(&news->channels->to_tell));
    while (!STAILQ_EMPTY(&news->channels->to_tell) && loop_clock_us() - began < TELL_US);
}

static int game_stream_timeout_ms(const struct loop *loop)
{
    const struct game_streams *news = game_streams_of(loop);

    if (!STAILQ_EMPTY(&news->channels->to_tell))
        return 0;
    if (STAILQ_EMPTY(&news->channels->to_read) || news->reading == READS_MAX)
        return -1;
    return loop_ms_until(loop, news->retry);
}

/* ---- following ---- */

static bool has_channel_room(struct game_streams *news, const struct channel *channel,
                             struct request *request)
{
    if (streams_refuse(request))
        return false;
    if (channel == NULL || channel->count == 0 || channel->count < news->limit / 2)
        return true;
    reply_header(request, "Retry-After", "10");
    reply_problem(request, PROBLEM_OVERLOADED, "Too many streams follow this game.");
    return false;
}

static void on_game_stream_ready(void *args)
{
    channels_join(args);
}

static void on_game_stream_over(void *args)
{
    struct follower *follower = args;

    token_holders_out(&follower->holder);
    channels_remove(follower);
    free(follower);
}

/* The token by which it was let in is the player's no more. */
static void on_game_stream_lost(void *args)
{
    const struct follower *follower = args;

    stream_finish(follower->stream, STREAM_END_REFUSED);
}

static struct follower *new_follower(struct channel *channel, struct op *op,
                                     enum game_stream_form form, int32_t told)
{
    struct request *request = op->request;
    struct follower *follower = must_zero(sizeof(*follower));

    follower->form = form;
    follower->told = told;
    auth_asker(request, &follower->asker);
    if (!channel->public)
        follower->seats = auth_asker_seats(&follower->asker, &op->live->row);
    admission_toll(request, &follower->toll);
    channels_add(channel, follower);
    follower->stream =
        stream_new(streams_of(owner_of(channel)->loop), request->client, event_page_form(form),
                   (struct stream_owner){on_game_stream_ready, on_game_stream_over, follower});
    if (!channel->public)
        token_holders_in(token_holders_of(owner_of(channel)->loop), &follower->holder,
                         &follower->asker, on_game_stream_lost, follower);
    return follower;
}

/* What a stream begins with, and then the game, if it was asked for. The game has its version as
 * its id, so a client that loses the connection right behind it resumes after that version. */
static const char *preface(struct op *op, enum game_stream_form form, const char *game)
{
    struct arena *arena = &op->request->arena;
    struct out out[STREAM_FORMS];
    struct json json;

    for (int i = 0; i < STREAM_FORMS; i++)
        out_init(&out[i], arena);
    event_page_begin(out);
    if (game != NULL) {
        json_init(&json, arena);
        json_raw(&json, game);
        event_page_message(out, arena_format(arena, "%d", op->live->row.version), "game", &json);
    }
    return out[form].text;
}

enum step game_stream_follow(struct op *op, enum game_stream_form form, int32_t after,
                             const char *game)
{
    struct request *request = op->request;
    const struct db_game *row = &op->live->row;
    struct game_streams *news = game_streams_of(request->loop);
    struct follower *follower;
    struct channel *channel;

    if (reply_stream_head(request, event_page_type(form)) ||
        !has_channel_room(news, channels_find(news->channels, row->id), request))
        return STEP_OVER;
    /* The follower comes first: it keeps the channel, of which channels_know() may wake the last
     * wait. The channel may be older than this row, which was confirmed a moment ago. The follower
     * is in no cohort before on_game_stream_ready(), which follows the answer's head. */
    channel = channels_need(news->channels, row);
    follower = new_follower(channel, op, form, after);
    channels_know(channel, row->version);
    reply_stream(request, event_page_type(form), follower->stream, preface(op, form, game));
    return STEP_OVER;
}

const struct part game_streams_part = {.open = game_stream_open,
                                       .run = game_stream_run,
                                       .timeout_ms = game_stream_timeout_ms,
                                       .finish = game_stream_tell,
                                       .close = game_stream_close};
