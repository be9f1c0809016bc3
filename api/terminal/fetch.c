#include "api/terminal/fetch.h"

#include <curl/curl.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>

#include "api/text/must.h"
#include "api/text/out.h"
#include "embed/version.h"

enum {
    CONNECT_S = 10,
    PATIENCE_S = 30,
    ANSWER_BYTES_MAX = 4 << 20,
    ROUND_MS = 1000, /* the longest wait; a signal that comes just before it is seen so late */
    NEGLECTED_S = 20 /* after so long without a look, a long poll is begun anew */
};

/* A request that is under way, and what came of it so far. */
struct transfer {
    CURL *easy;
    struct curl_slist *headers;
    struct out out;
    bool is_under_way;
    CURLcode code;
};

struct fetch {
    CURLM *multi;
    struct transfer asked, poll;
    struct arena arena; /* of the long poll */
    time_t looked_at;   /* when the long poll was looked at last */
    const atomic_bool *stop;
};

struct fetch *fetch_open(const atomic_bool *stop)
{
    struct fetch *fetch = must_zero(sizeof(*fetch));

    curl_global_init(CURL_GLOBAL_DEFAULT);
    fetch->multi = curl_multi_init();
    fetch->asked.easy = curl_easy_init();
    fetch->poll.easy = curl_easy_init();
    fetch->stop = stop;
    return fetch;
}

void fetch_close(struct fetch *fetch)
{
    if (fetch == NULL)
        return;
    fetch_forget(fetch);
    arena_free(&fetch->arena);
    curl_easy_cleanup(fetch->asked.easy);
    curl_easy_cleanup(fetch->poll.easy);
    curl_multi_cleanup(fetch->multi);
    curl_global_cleanup();
    free(fetch);
}

static size_t on_fetch_body(char *bytes, size_t size, size_t count, void *context)
{
    struct out *out = context;

    if (out->len + size * count > ANSWER_BYTES_MAX)
        return 0;
    out_bytes(out, bytes, size * count);
    return size * count;
}

static struct curl_slist *header_list(struct arena *arena, const struct fetch_request *request)
{
    struct curl_slist *list =
        curl_slist_append(NULL, arena_format(arena, "Accept: %s", request->accept));

    if (request->token != NULL)
        list = curl_slist_append(list,
                                 arena_format(arena, "Authorization: Bearer %s", request->token));
    if (request->body != NULL)
        list = curl_slist_append(list, request->body[0] == '{' ? "Content-Type: application/json"
                                                               : "Content-Type: text/plain");
    if (request->known != NULL)
        list =
            curl_slist_append(list, arena_format(arena, "If-None-Match: \"%s\"", request->known));
    if (request->wait_s > 0)
        list = curl_slist_append(list, arena_format(arena, "Prefer: wait=%d", request->wait_s));
    return list;
}

/* Redirections are not followed, so that a token goes only to the address that the user named. */
static void set_fetch_options(const struct transfer *transfer, const struct fetch_request *request)
{
    CURL *easy = transfer->easy;

    curl_easy_reset(easy);
    curl_easy_setopt(easy, CURLOPT_URL, request->url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT, (long)(PATIENCE_S + request->wait_s));
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_fetch_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer->out);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "plyd-play/" PLYD_VERSION);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
    if (request->body != NULL)
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
}

/* ---- transfers ---- */

static void begin_fetch(struct fetch *fetch, struct transfer *transfer, struct arena *arena,
                        const struct fetch_request *request)
{
    out_init(&transfer->out, arena);
    transfer->headers = header_list(arena, request);
    transfer->code = CURLE_OK;
    transfer->is_under_way = true;
    set_fetch_options(transfer, request);
    curl_multi_add_handle(fetch->multi, transfer->easy);
}

static void end_fetch(struct fetch *fetch, struct transfer *transfer)
{
    curl_multi_remove_handle(fetch->multi, transfer->easy);
    curl_slist_free_all(transfer->headers);
    transfer->headers = NULL;
    transfer->is_under_way = false;
}

/* Sends and receives what can be, and marks the transfers that are over. */
static void perform(struct fetch *fetch)
{
    struct CURLMsg *message;
    int running, more;

    curl_multi_perform(fetch->multi, &running);
    while ((message = curl_multi_info_read(fetch->multi, &more)) != NULL) {
        struct transfer *transfer = NULL;

        if (message->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        transfer->code = message->data.result;
        transfer->is_under_way = false;
    }
}

static bool is_stopped(const struct fetch *fetch)
{
    return fetch->stop != NULL && atomic_load(fetch->stop);
}

/* Ends a transfer, and takes what came of it. */
static void take_fetch(struct fetch *fetch, struct transfer *transfer, struct fetch_answer *answer)
{
    bool is_whole = !transfer->is_under_way && transfer->code == CURLE_OK;
    long status = 0;

    if (is_whole) {
        curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    } else {
        out_cut(&transfer->out, 0);
        if (!transfer->is_under_way)
            out_add(&transfer->out, curl_easy_strerror(transfer->code));
    }
    end_fetch(fetch, transfer);
    *answer = (struct fetch_answer){(int)status, transfer->out.text, transfer->out.len};
}

void fetch_ask(struct fetch *fetch, struct arena *arena, const struct fetch_request *request,
               struct fetch_answer *answer)
{
    begin_fetch(fetch, &fetch->asked, arena, request);
    perform(fetch);
    while (fetch->asked.is_under_way && !is_stopped(fetch)) {
        curl_multi_poll(fetch->multi, NULL, 0, ROUND_MS, NULL);
        perform(fetch);
    }
    take_fetch(fetch, &fetch->asked, answer);
}

/* ---- the long poll ---- */

static bool has_begun(const struct transfer *transfer)
{
    return transfer->headers != NULL;
}

void fetch_forget(struct fetch *fetch)
{
    if (has_begun(&fetch->poll))
        end_fetch(fetch, &fetch->poll);
    arena_reset(&fetch->arena);
}

/* Begins a long poll if none is under way. One that nobody has looked at for long may have come to
 * the end of its time although it was answered, so that is begun anew. */
static void go_on_with_fetch(struct fetch *fetch, const struct fetch_request *request)
{
    time_t now = time(NULL);

    if (now - fetch->looked_at > NEGLECTED_S)
        fetch_forget(fetch);
    fetch->looked_at = now;
    if (has_begun(&fetch->poll))
        return;
    arena_reset(&fetch->arena);
    begin_fetch(fetch, &fetch->poll, &fetch->arena, request);
}

/* Whether something can be read, or the end was reached, of which libcurl does not tell. */
static bool is_fetch_readable(int input)
{
    struct pollfd ready = {input, POLLIN, 0};

    return input != FETCH_NO_INPUT && poll(&ready, 1, 0) > 0;
}

enum fetch_heard fetch_listen(struct fetch *fetch, struct arena *arena,
                              const struct fetch_request *request, int input,
                              struct fetch_answer *answer)
{
    struct curl_waitfd typed = {.fd = input, .events = CURL_WAIT_POLLIN};

    go_on_with_fetch(fetch, request);
    perform(fetch);
    if (fetch->poll.is_under_way && !is_stopped(fetch)) {
        curl_multi_poll(fetch->multi, &typed, input == FETCH_NO_INPUT ? 0 : 1, ROUND_MS, NULL);
        perform(fetch);
    }
    if (is_stopped(fetch)) {
        fetch_forget(fetch);
        return FETCH_STOPPED;
    }
    if (fetch->poll.is_under_way)
        return is_fetch_readable(input) ? FETCH_INPUT : FETCH_NOTHING;
    take_fetch(fetch, &fetch->poll, answer);
    answer->body = arena_copy(arena, answer->body, answer->len);
    return FETCH_ANSWERED;
}
