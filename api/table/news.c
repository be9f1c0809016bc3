#include "api/table/news.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/game/words.h"
#include "api/http/account.h"
#include "api/http/admission.h"
#include "api/http/reply.h"
#include "api/http/reply_problem.h"
#include "api/http/request.h"
#include "api/http/stream.h"
#include "api/loop/loop.h"
#include "api/loop/metrics.h"
#include "api/loop/quota.h"
#include "api/table/auth.h"
#include "api/text/arena.h"
#include "api/text/json.h"
#include "api/text/must.h"
#include "api/view/event.h"

enum {
    LOOK_CHANNELS = 256, /* games that are looked up at one time */
    FEW_CHANNELS = 64,
    LOOK_FEW_US = 50 * 1000,   /* from look to look, at each of a few games; */
    LOOK_MANY_US = 250 * 1000, /* of more games; */
    LOOK_LEAST_US = 25 * 1000, /* and of any */
    RETRY_US = 250 * 1000,     /* after a page that could not be read */
    PAGE_EVENTS = 32,
    PAGE_BYTES = 8 << 10,  /* a page ends behind the event that reaches this */
    READS_MAX = 8,         /* pages that are read at one time */
    TELL_US = 1000,        /* for telling, in one turn */
    TELL_AT_ONCE = 16,     /* streams, before others have their turn */
    RETRY_MS = 1000,       /* until a client connects again: so long, */
    RETRY_SPREAD_MS = 2000 /* and up to this longer, so that a crowd does not come at once */
};

/* What comes next for the streams that stand at one event, written down. */
struct page {
    int32_t to; /* the last of its events */
    size_t events;
    int64_t at;    /* when that happened */
    bool was_read; /* from the database; else this loop wrote it */
    struct stream_text *text[NEWS_FORMS];
};

/* RESTING: there is nothing more to tell. TO_READ: its page is to be read. READING: the database
 * was asked. TELLING: it has a page. */
enum state { RESTING, TO_READ, READING, TELLING };

/* The followers of a game that were told up to the same event and are ready for more. */
struct cohort {
    struct channel *channel;
    struct cohort *next;   /* of the channel */
    struct cohort *behind; /* in the line of those that are to read, or to be told */
    int32_t told;
    enum state state;
    struct page *page;
    struct follower *oldest, *newest;
};

struct follower {
    struct stream *stream;
    struct channel *channel;
    struct cohort *cohort;           /* NULL: its stream is not ready */
    struct follower *older, *newer;  /* of the cohort */
    struct follower *before, *after; /* of the channel */
    int32_t told;
    bool live;       /* it was up to date before */
    bool is_counted; /* against quotas: */
    struct quota_account account;
    size_t unpaid; /* bytes from the log that were not charged yet */
    enum news_form form;
    struct auth_asker asker;
};

/* A game that somebody follows. */
struct channel {
    struct news *news;
    db_id id;
    int32_t version; /* the last that is known */
    int32_t checked; /* of a private game: at this version its followers held their seats */
    bool hidden;
    bool looking; /* the database was asked for its version */
    size_t count;
    struct follower *followers;
    struct cohort *cohorts;
    struct channel *chain;
    struct channel *next, *last; /* in the ring */
};

struct line {
    struct cohort *first, *last;
};

struct news {
    struct loop *loop;
    size_t limit;
    struct arena arena; /* for what is written down at one time */

    struct channel **bucket;
    size_t nbuckets;          /* a power of two */
    struct channel *channels; /* a ring; the next to be looked up */
    size_t nchannels;
    int64_t look; /* when */

    struct line to_read, to_tell;
    size_t reading;
    int64_t retry; /* nothing is read before */
};

struct news *news_open(struct loop *loop, size_t limit)
{
    struct news *news = calloc(1, sizeof(*news));

    if (news == NULL)
        return NULL;
    news->loop = loop;
    news->limit = limit;
    for (news->nbuckets = 1; news->nbuckets < limit; news->nbuckets *= 2)
        ;
    news->bucket = calloc(news->nbuckets, sizeof(struct channel *));
    if (news->bucket != NULL)
        return news;
    free(news);
    return NULL;
}

/* ---- channels ---- */

/* The place that points to the channel of a game, or would. Ids are random, or hashes. */
static struct channel **slot(const struct news *news, db_id id)
{
    struct channel **at;
    size_t hash;

    memcpy(&hash, id.byte + 8, sizeof(hash));
    at = &news->bucket[hash & (news->nbuckets - 1)];
    while (*at != NULL && memcmp((*at)->id.byte, id.byte, sizeof(id.byte)) != 0)
        at = &(*at)->chain;
    return at;
}

/* The last channel of the ring is the one that was looked up last. */
static void begin_to_look(struct news *news, struct channel *channel)
{
    struct channel *next = news->channels;

    if (next == NULL) {
        channel->next = channel->last = news->channels = channel;
        news->look = news->loop->now + LOOK_FEW_US;
    } else {
        channel->next = next;
        channel->last = next->last;
        next->last->next = channel;
        next->last = channel;
    }
    news->nchannels++;
}

static void stop_looking(struct news *news, struct channel *channel)
{
    channel->last->next = channel->next;
    channel->next->last = channel->last;
    if (news->channels == channel)
        news->channels = channel->next == channel ? NULL : channel->next;
    news->nchannels--;
}

static struct channel *channel_of(struct news *news, const struct db_game *row)
{
    struct channel **at = slot(news, row->id);

    if (*at == NULL) {
        *at = must_zero(sizeof(**at));
        **at = (struct channel){.news = news,
                                .id = row->id,
                                .version = row->version,
                                .checked = row->version,
                                .hidden = row->visibility == VISIBILITY_PRIVATE};
        begin_to_look(news, *at);
    }
    return *at;
}

static void forget_if_unused(struct channel *channel)
{
    if (channel->count > 0 || channel->cohorts != NULL || channel->looking)
        return;
    stop_looking(channel->news, channel);
    *slot(channel->news, channel->id) = channel->chain;
    free(channel);
}

/* ---- pages ---- */

static void free_page(struct page *page)
{
    if (page == NULL)
        return;
    for (int form = 0; form < NEWS_FORMS; form++)
        stream_text_release(page->text[form]);
    free(page);
}

/* Adds a message in both forms: of the first, the data lines are one, since JSON of ours has no
 * line ends. */
static void write_message(struct out out[NEWS_FORMS], int32_t id, const char *type,
                          const struct json *data)
{
    out_add(&out[NEWS_SSE], "id: ");
    out_number(&out[NEWS_SSE], (uint64_t)id);
    out_add(&out[NEWS_SSE], "\nevent: ");
    out_add(&out[NEWS_SSE], type);
    out_add(&out[NEWS_SSE], "\ndata: ");
    for (int form = 0; form < NEWS_FORMS; form++) {
        out_bytes(&out[form], data->out.text, data->out.len);
        out_add(&out[form], "\n");
    }
    out_add(&out[NEWS_SSE], "\n");
}

/* Writes events down, from the first on, until a page is full. */
static struct page *make_page(struct news *news, const struct db_event *events, size_t count)
{
    struct page *page = must_zero(sizeof(*page));
    struct out out[NEWS_FORMS];
    struct json json;

    for (int form = 0; form < NEWS_FORMS; form++)
        out_init(&out[form], &news->arena);
    while (page->events < count && out[NEWS_LINES].len < PAGE_BYTES) {
        const struct db_event *event = &events[page->events++];

        json_init(&json, &news->arena);
        view_event(&json, event);
        write_message(out, event->version, words_event(event->kind), &json);
        page->to = event->version;
        page->at = event->at;
    }
    for (int form = 0; form < NEWS_FORMS; form++)
        page->text[form] = stream_text(news->loop->streams, out[form].text, out[form].len);
    arena_reset(&news->arena);
    return page;
}

/* ---- cohorts ---- */

static void line_up(struct line *line, struct cohort *cohort)
{
    cohort->behind = NULL;
    *(line->first == NULL ? &line->first : &line->last->behind) = cohort;
    line->last = cohort;
}

static void line_up_first(struct line *line, struct cohort *cohort)
{
    cohort->behind = line->first;
    if (line->first == NULL)
        line->last = cohort;
    line->first = cohort;
}

static struct cohort *take_first(struct line *line)
{
    struct cohort *cohort = line->first;

    if (cohort != NULL)
        line->first = cohort->behind;
    return cohort;
}

static struct cohort *cohort_at(struct channel *channel, int32_t told)
{
    struct cohort *cohort = channel->cohorts;

    while (cohort != NULL && cohort->told != told)
        cohort = cohort->next;
    return cohort;
}

/* Only the cohort whose turn it is, or that is in no line, may be dropped. */
static void drop_if_empty(struct cohort *cohort)
{
    struct channel *channel = cohort->channel;
    struct cohort **at = &channel->cohorts;

    if (cohort->oldest != NULL || cohort->state != RESTING)
        return;
    while (*at != cohort)
        at = &(*at)->next;
    *at = cohort->next;
    free(cohort);
    forget_if_unused(channel);
}

/* Nobody is left who could be told. */
static void drop_all(struct line *line)
{
    while (line->first != NULL) {
        struct cohort *cohort = take_first(line);

        free_page(cohort->page);
        cohort->page = NULL;
        cohort->state = RESTING;
        drop_if_empty(cohort);
    }
}

void news_close(struct news *news)
{
    if (news == NULL)
        return;
    drop_all(&news->to_read);
    drop_all(&news->to_tell);
    arena_free(&news->arena);
    free(news->bucket);
    free(news);
}

/* Those who are up to date are told of news before those who read the past. */
static void wake(struct cohort *cohort, bool news)
{
    struct news *all = cohort->channel->news;

    if (cohort->state != RESTING || cohort->told >= cohort->channel->version)
        return;
    cohort->state = TO_READ;
    if (news)
        line_up_first(&all->to_read, cohort);
    else
        line_up(&all->to_read, cohort);
}

static void join(struct follower *follower)
{
    struct channel *channel = follower->channel;
    struct cohort *cohort = cohort_at(channel, follower->told);

    follower->live |= follower->told >= channel->version;
    if (cohort == NULL) {
        cohort = must_zero(sizeof(*cohort));
        cohort->channel = channel;
        cohort->told = follower->told;
        cohort->next = channel->cohorts;
        channel->cohorts = cohort;
    }
    follower->cohort = cohort;
    follower->newer = NULL;
    follower->older = cohort->newest;
    *(cohort->newest != NULL ? &cohort->newest->newer : &cohort->oldest) = follower;
    cohort->newest = follower;
    wake(cohort, false);
}

static void leave(struct cohort *cohort, struct follower *follower)
{
    *(follower->older != NULL ? &follower->older->newer : &cohort->oldest) = follower->newer;
    *(follower->newer != NULL ? &follower->newer->older : &cohort->newest) = follower->older;
    follower->cohort = NULL;
}

/* ---- followers ---- */

static void on_ready(void *args)
{
    join(args);
}

static void on_over(void *args)
{
    struct follower *follower = args;
    struct channel *channel = follower->channel;
    struct cohort *cohort = follower->cohort;

    if (cohort != NULL) {
        leave(cohort, follower);
        drop_if_empty(cohort);
    }
    *(follower->before != NULL ? &follower->before->after : &channel->followers) = follower->after;
    if (follower->after != NULL)
        follower->after->before = follower->before;
    channel->count--;
    forget_if_unused(channel);
    free(follower);
}

/* Only in a private game does it matter who they are. */
static void check_seats(struct channel *channel, const struct db_game *row)
{
    channel->checked = row->version;
    for (struct follower *f = channel->followers; channel->hidden && f != NULL; f = f->after)
        if (auth_asker_seats(&f->asker, row) == 0)
            stream_finish(f->stream, STREAM_END_REFUSED);
}

/* ---- what is new ---- */

static void know_version(struct channel *channel, int32_t version)
{
    if (version <= channel->version)
        return;
    channel->version = version;
    for (struct cohort *cohort = channel->cohorts; cohort != NULL; cohort = cohort->next)
        wake(cohort, true);
}

/* What is written here need not be read again, if those who are up to date lack just that. */
static void take_write(struct channel *channel, const struct table_write *write)
{
    struct cohort *cohort = cohort_at(channel, channel->version);

    if (cohort == NULL || cohort->state != RESTING || write->count > PAGE_EVENTS ||
        write->events[0].version != channel->version + 1)
        return;
    cohort->page = make_page(channel->news, write->events, write->count);
    cohort->state = TELLING;
    line_up(&channel->news->to_tell, cohort);
}

void news_heard(struct news *news, const struct table *table, int32_t version,
                const struct table_write *write)
{
    struct channel *channel = news->nchannels == 0 ? NULL : *slot(news, table->row.id);

    if (channel == NULL || version <= channel->version)
        return;
    if (write != NULL) {
        check_seats(channel, &table->row);
        take_write(channel, write);
    }
    know_version(channel, version);
}

/* ---- what is read ---- */

/* The database failed: the cohort has its turn again, after a while. */
static void read_later(struct cohort *cohort)
{
    struct news *news = cohort->channel->news;

    news->retry = news->loop->now + RETRY_US;
    cohort->state = TO_READ;
    line_up(&news->to_read, cohort);
}

/* A question of a cohort was answered. False: nobody waits for that any more. */
static bool came_back(struct cohort *cohort)
{
    cohort->channel->news->reading--;
    if (cohort->oldest != NULL)
        return true;
    cohort->state = RESTING;
    drop_if_empty(cohort);
    return false;
}

static void on_events(void *context, const struct db_reply *reply)
{
    struct cohort *cohort = context;
    struct news *news = cohort->channel->news;

    if (!came_back(cohort))
        return;
    if (reply->outcome != DB_OK || reply->count == 0) {
        read_later(cohort);
        return;
    }
    cohort->page = make_page(news, reply->events, reply->count);
    cohort->page->was_read = true;
    cohort->state = TELLING;
    line_up(&news->to_tell, cohort);
    know_version(cohort->channel, cohort->page->to);
}

static void on_row(void *context, const struct db_reply *reply)
{
    struct cohort *cohort = context;
    struct channel *channel = cohort->channel;

    if (reply->outcome == DB_OK)
        check_seats(channel, reply->game);
    if (!came_back(cohort))
        return;
    if (reply->outcome != DB_OK) {
        read_later(cohort);
        return;
    }
    cohort->state = TO_READ;
    line_up_first(&channel->news->to_read, cohort);
    know_version(channel, reply->version);
}

/* Of a private game it is looked up first who may still see it. */
static void read_page(struct cohort *cohort)
{
    struct channel *channel = cohort->channel;
    struct db *db = channel->news->loop->db;

    cohort->state = READING;
    channel->news->reading++;
    if (channel->hidden && channel->checked < channel->version)
        db_get_game(db, channel->id, on_row, cohort);
    else
        db_get_events(db, channel->id, 0, cohort->told, PAGE_EVENTS, on_events, cohort);
}

static void read_some(struct news *news)
{
    while (news->to_read.first != NULL && news->reading < READS_MAX &&
           news->retry <= news->loop->now) {
        struct cohort *cohort = take_first(&news->to_read);

        if (cohort->oldest != NULL) {
            read_page(cohort);
        } else {
            cohort->state = RESTING;
            drop_if_empty(cohort);
        }
    }
}

/* ---- looking ---- */

static void on_version(void *context, const struct db_reply *reply)
{
    struct channel *channel = context;

    channel->looking = false;
    if (reply->outcome == DB_OK)
        know_version(channel, reply->version);
    forget_if_unused(channel);
}

static int64_t look_interval(const struct news *news)
{
    int64_t us = LOOK_MANY_US;

    if (news->nchannels <= FEW_CHANNELS)
        return LOOK_FEW_US;
    if (news->nchannels > LOOK_CHANNELS)
        us = us * LOOK_CHANNELS / (int64_t)news->nchannels;
    return us < LOOK_LEAST_US ? LOOK_LEAST_US : us;
}

static void look(struct news *news)
{
    size_t n = news->nchannels < LOOK_CHANNELS ? news->nchannels : LOOK_CHANNELS;

    if (news->nchannels == 0 || news->look > news->loop->now)
        return;
    news->look = news->loop->now + look_interval(news);
    for (; n > 0; n--) {
        struct channel *channel = news->channels;

        news->channels = channel->next;
        if (channel->looking)
            continue;
        channel->looking = true;
        db_get_version(news->loop->db, channel->id, on_version, channel);
    }
}

void news_run(struct news *news)
{
    look(news);
    read_some(news);
}

/* ---- telling ---- */

static void count_told(const struct follower *follower, const struct page *page)
{
    struct loop *loop = follower->channel->news->loop;
    int64_t lag = db_now(loop->db) - page->at;

    metrics_add(&loop->metrics.stream_events, page->events);
    if (follower->live)
        metrics_stream_lag(&loop->metrics, page->was_read, lag < 0 ? 0 : (uint64_t)lag);
}

/* The log costs as much on a stream as in pages of the list. What is new costs nothing. False:
 * there is nothing left, so the stream ends, and its client is told to wait when it comes back. */
static bool can_pay(struct follower *follower, const struct page *page)
{
    struct quota_state states[QUOTA_OWNERS];
    struct loop *loop = follower->channel->news->loop;
    bool can = true;

    if (follower->live || !follower->is_counted)
        return true;
    follower->unpaid += stream_text_len(page->text[follower->form]);
    if (follower->unpaid < ACCOUNT_OUT_BYTES)
        return true;
    follower->unpaid -= ACCOUNT_OUT_BYTES;
    quota_charge(loop->quota, &follower->account, QUOTA_REQUESTS, 1, loop->now, states);
    for (int i = 0; i < QUOTA_OWNERS; i++)
        can &= !states[i].counted || states[i].left > 0;
    return can;
}

static void tell(struct cohort *cohort, struct follower *follower)
{
    const struct page *page = cohort->page;

    leave(cohort, follower);
    if (!can_pay(follower, page)) {
        stream_finish(follower->stream, STREAM_END_REFUSED);
        return;
    }
    count_told(follower, page);
    follower->told = page->to;
    if (stream_send(follower->stream, page->text[follower->form]))
        join(follower);
}

/* Tells a few of a cohort. Whoever is ready then stands with others, at the page's last event. */
static void tell_some(struct cohort *cohort)
{
    struct news *news = cohort->channel->news;

    for (int i = 0; i < TELL_AT_ONCE && cohort->oldest != NULL; i++)
        tell(cohort, cohort->oldest);
    if (cohort->oldest != NULL) {
        line_up(&news->to_tell, cohort);
        return;
    }
    free_page(cohort->page);
    cohort->page = NULL;
    cohort->state = RESTING;
    drop_if_empty(cohort);
}

void news_tell(struct news *news)
{
    int64_t began;

    if (news->to_tell.first == NULL)
        return;
    began = loop_clock_us();
    do
        tell_some(take_first(&news->to_tell));
    while (news->to_tell.first != NULL && loop_clock_us() - began < TELL_US);
}

static int ms_until(const struct news *news, int64_t when)
{
    int64_t us = when - news->loop->now;

    return us <= 0 ? 0 : (int)((us + 999) / 1000);
}

int news_timeout_ms(const struct news *news)
{
    int ms = news->nchannels == 0 ? -1 : ms_until(news, news->look), read;

    if (news->to_tell.first != NULL)
        return 0;
    if (news->to_read.first == NULL || news->reading == READS_MAX)
        return ms;
    read = ms_until(news, news->retry);
    return ms < 0 || read < ms ? read : ms;
}

/* ---- following ---- */

static bool refuse(struct request *request, enum problem problem, const char *why)
{
    reply_header(request, "Retry-After", "10");
    reply_problem(request, problem, why);
    return false;
}

static bool has_room(struct news *news, const struct channel *channel, struct request *request)
{
    switch (streams_room(news->loop->streams, request->client)) {
    case STREAMS_FULL:
        return refuse(request, PROBLEM_OVERLOADED, "Too many streams are open here.");
    case STREAMS_FULL_OF_CLIENT:
        return refuse(request, PROBLEM_TOO_MANY_STREAMS, NULL);
    default:
        break;
    }
    if (channel != NULL && channel->count > 0 && channel->count >= news->limit / 2)
        return refuse(request, PROBLEM_OVERLOADED, "Too many streams follow this game.");
    return true;
}

static struct follower *new_follower(struct channel *channel, struct request *request,
                                     enum news_form form, int32_t told)
{
    static const struct stream_form forms[NEWS_FORMS] = {
        {":\n\n", ": The daemon stops. Connect again.\n\n"}, {"\n", ""}};
    struct follower *follower = must_zero(sizeof(*follower));

    follower->channel = channel;
    follower->form = form;
    follower->told = told;
    auth_asker(request, &follower->asker);
    follower->is_counted = admission_account(request, &follower->account);
    follower->after = channel->followers;
    if (channel->followers != NULL)
        channel->followers->before = follower;
    channel->followers = follower;
    channel->count++;
    follower->stream = stream_new(channel->news->loop->streams, request->client, &forms[form],
                                  (struct stream_owner){on_ready, on_over, follower});
    return follower;
}

/* What a stream begins with: how soon to come back, and the game if it was asked for. */
static const char *preface(struct job *job, enum news_form form, const char *game)
{
    struct arena *arena = &job->request->arena;
    struct out out[NEWS_FORMS];
    struct json json;

    for (int i = 0; i < NEWS_FORMS; i++)
        out_init(&out[i], arena);
    out_format(&out[NEWS_SSE], "retry: %u\n\n", RETRY_MS + randombytes_uniform(RETRY_SPREAD_MS));
    if (game != NULL) {
        json_init(&json, arena);
        json_raw(&json, game);
        write_message(out, job->table->row.version, "game", &json);
    }
    return out[form].text;
}

enum step news_follow(struct job *job, enum news_form form, int32_t after, const char *game)
{
    static const char *const types[NEWS_FORMS] = {"text/event-stream; charset=utf-8",
                                                  "application/x-ndjson"};
    struct request *request = job->request;
    const struct db_game *row = &job->table->row;
    struct news *news = request->loop->news;
    struct follower *follower;
    struct channel *channel;

    if (request->method == METHOD_HEAD) {
        reply_body(request, 200, types[form], "", 0);
        return STEP_OVER;
    }
    if (!has_room(news, *slot(news, row->id), request))
        return STEP_OVER;
    channel = channel_of(news, row);
    know_version(channel, row->version);
    follower = new_follower(channel, request, form, after);
    reply_stream(request, types[form], follower->stream, preface(job, form, game));
    return STEP_OVER;
}
