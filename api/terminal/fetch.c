#include "api/terminal/fetch.h"

#include <curl/curl.h>
#include <stdlib.h>

#include "api/loop/version.h"
#include "api/text/must.h"
#include "api/text/out.h"

enum { CONNECT_S = 10, PATIENCE_S = 30, ANSWER_BYTES_MAX = 4 << 20 };

struct fetch {
    CURL *easy;
    const atomic_bool *stop;
};

struct fetch *fetch_open(const atomic_bool *stop)
{
    struct fetch *fetch = must_zero(sizeof(*fetch));

    curl_global_init(CURL_GLOBAL_DEFAULT);
    fetch->easy = curl_easy_init();
    fetch->stop = stop;
    return fetch;
}

void fetch_close(struct fetch *fetch)
{
    if (fetch == NULL)
        return;
    curl_easy_cleanup(fetch->easy);
    curl_global_cleanup();
    free(fetch);
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context)
{
    struct out *out = context;

    if (out->len + size * count > ANSWER_BYTES_MAX)
        return 0;
    out_bytes(out, bytes, size * count);
    return size * count;
}

static int on_progress(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total,
                       curl_off_t up_now)
{
    const struct fetch *fetch = context;

    (void)total;
    (void)now;
    (void)up_total;
    (void)up_now;
    return fetch->stop != NULL && atomic_load(fetch->stop);
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
static void set_options(struct fetch *fetch, const struct fetch_request *request, struct out *out)
{
    CURL *easy = fetch->easy;

    curl_easy_reset(easy);
    curl_easy_setopt(easy, CURLOPT_URL, request->url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT, (long)(PATIENCE_S + request->wait_s));
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, out);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, fetch);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "plyd-play/" PLYD_VERSION);
    if (request->body != NULL)
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
}

void fetch_ask(struct fetch *fetch, struct arena *arena, const struct fetch_request *request,
               struct fetch_answer *answer)
{
    struct curl_slist *headers = header_list(arena, request);
    struct out out;
    CURLcode code;
    long status = 0;

    out_init(&out, arena);
    set_options(fetch, request, &out);
    curl_easy_setopt(fetch->easy, CURLOPT_HTTPHEADER, headers);
    code = curl_easy_perform(fetch->easy);
    curl_easy_getinfo(fetch->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(headers);
    if (code != CURLE_OK) {
        out_cut(&out, 0);
        out_add(&out, curl_easy_strerror(code));
        status = 0;
    }
    *answer = (struct fetch_answer){(int)status, out.text, out.len};
}
