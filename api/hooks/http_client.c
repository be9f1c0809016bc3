#include "api/hooks/http_client.h"

#include <assert.h>
#include <ctype.h>
#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/game/words.h"
#include "api/hooks/address.h"
#include "api/loop/loop.h"
#include "api/text/must.h"
#include "embed/version.h"

enum {
    IDLE_CONNECTIONS = 32, /* that are kept for the next transfer to the same receiver */
    LOOK_MS = 200,         /* from one look at transfers to the next (http_client_hold()) */
    IDLE_MS = 60 * 1000
};

struct list {
    struct transfer *first, **end;
};

struct http_client {
    CURLM *multi; /* the thread's, but for curl_multi_wakeup() */
    bool any_address;
    pthread_t thread;
    bool started;
    struct transfer *running; /* the thread's */
    int fd;                   /* eventfd: readable while transfers are over */
    size_t under_way;         /* the loop's: those that have begun, and are not done() */

    pthread_mutex_t lock; /* of what follows */
    struct list fresh, over;
    bool closing;

    _Atomic int64_t until; /* transfers are given up then */
};

/* ---- lists ---- */

static void clear_transfers(struct list *list)
{
    list->first = NULL;
    list->end = &list->first;
}

static void append_transfer(struct list *list, struct transfer *transfer)
{
    transfer->next = NULL;
    *list->end = transfer;
    list->end = &transfer->next;
}

/* Takes all of a list that both threads use. */
static struct transfer *take_all(struct http_client *transfers, struct list *list)
{
    struct transfer *first;

    pthread_mutex_lock(&transfers->lock);
    first = list->first;
    clear_transfers(list);
    pthread_mutex_unlock(&transfers->lock);
    return first;
}

/* ---- what libcurl asks ---- */

/* Whatever the name was said to be a moment ago, this is the address that the bytes would go to. */
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct transfer *transfer = context;

    (void)purpose;
    if (!transfer->any_address && !address_is_public(&address->addr)) {
        transfer->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* A status line begins the headers anew: a 1xx comes before the answer. An empty line ends them. */
static size_t on_header(char *bytes, size_t size, size_t count, void *context)
{
    struct transfer *transfer = context;
    size_t len = size * count;
    long status = 0;

    transfer->head_bytes += len;
    if (transfer->head_bytes > HTTP_CLIENT_ANSWER_MAX)
        return 0;
    if (transfer->mail == NULL && len <= 2 && (bytes[0] == '\r' || bytes[0] == '\n')) {
        curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
        transfer->head_complete |= status >= 200;
    }
    return len;
}

static size_t on_transfer_body(char *bytes, size_t size, size_t count, void *context)
{
    struct transfer *transfer = context;

    (void)bytes;
    transfer->body_bytes += size * count;
    return transfer->body_bytes > HTTP_CLIENT_ANSWER_MAX ? 0 : size * count;
}

/* libcurl asks now and then, at least whenever the thread wakes (run_transfers()). */
static int on_progress(void *context, curl_off_t to_get, curl_off_t got, curl_off_t to_put,
                       curl_off_t put)
{
    struct transfer *transfer = context;

    (void)to_get, (void)got, (void)to_put, (void)put;
    return loop_clock_us() >= atomic_load(&transfer->client->until);
}

/* ---- what libcurl asks of a mail ---- */

static size_t put_mail(char *bytes, size_t size, size_t count, void *context)
{
    struct transfer *transfer = context;
    size_t len = transfer->body_len - transfer->put_bytes;

    if (len > size * count)
        len = size * count;
    memcpy(bytes, transfer->body + transfer->put_bytes, len);
    transfer->put_bytes += len;
    return len;
}

/* What a server says of the recipient alone (RFC 3463). A code without one of these, and all
 * others, may be what it thinks of whoever sends, or of itself. */
static bool is_of_recipient(const char *status, size_t len)
{
    static const char *const known[] = {"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (len == strlen(known[i]) && memcmp(status, known[i], len) == 0)
            return true;
    return false;
}

/* Of one line of a reply, which is no text that ends. */
static bool is_for_ever(const char *line, size_t len)
{
    size_t end = 4;

    if (len <= end || line[0] != '5')
        return false;
    while (end < len && strchr("0123456789.", line[end]) != NULL && line[end] != '\0')
        end++;
    return is_of_recipient(line + 4, end - 4);
}

static bool is_command(const char *bytes, size_t len, const char *command)
{
    return len > strlen(command) && strncasecmp(bytes, command, strlen(command)) == 0;
}

/* libcurl tells of all that is said. To which command a reply belongs it does not tell otherwise.
 * The first one that is about this mail answers its sender: where a connection is used again, there
 * is no other one before it. */
static int on_talk(CURL *easy, curl_infotype type, char *bytes, size_t len, void *context)
{
    struct transfer *transfer = context;

    (void)easy;
    if (type == CURLINFO_HEADER_OUT) {
        transfer->at_mail |= is_command(bytes, len, "MAIL FROM:");
        transfer->at_recipient = is_command(bytes, len, "RCPT TO:");
    } else if (type == CURLINFO_HEADER_IN) {
        transfer->heard |= transfer->at_mail;
        if (transfer->at_recipient)
            transfer->mail_refused |= is_for_ever(bytes, len);
    }
    return 0;
}

/* ---- one transfer ---- */

static struct curl_slist *header_list(const struct transfer *transfer)
{
    struct curl_slist *list = NULL, *longer;

    if (transfer->mail != NULL)
        return curl_slist_append(NULL, transfer->mail->to);
    for (int i = 0; i < HTTP_CLIENT_HEADERS && transfer->header[i] != NULL; i++) {
        longer = curl_slist_append(list, transfer->header[i]);
        if (longer == NULL) {
            curl_slist_free_all(list);
            return NULL;
        }
        list = longer;
    }
    return list;
}

static void set_post(const struct transfer *transfer)
{
    CURL *easy = transfer->easy;

    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)transfer->body_len);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, transfer->body);
}

static void set_mail(struct transfer *transfer)
{
    const struct transfer_mail *mail = transfer->mail;
    CURL *easy = transfer->easy;

    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(easy, CURLOPT_USE_SSL,
                     mail->needs_tls ? (long)CURLUSESSL_ALL : CURLUSESSL_TRY);
    curl_easy_setopt(easy, CURLOPT_MAIL_FROM, mail->from);
    curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, transfer->headers);
    curl_easy_setopt(easy, CURLOPT_USERNAME, mail->user);
    curl_easy_setopt(easy, CURLOPT_PASSWORD, mail->password);
    curl_easy_setopt(easy, CURLOPT_SASL_IR, 1L);
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, put_mail);
    curl_easy_setopt(easy, CURLOPT_READDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L); /* nothing is written: it goes to on_talk() */
    curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_talk);
    curl_easy_setopt(easy, CURLOPT_DEBUGDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->why);
}

/* CURLOPT_QUICK_EXIT: a transfer whose time is over does not wait for the thread that looks up its
 * name. The number of such threads is bounded by the patience of the resolver. */
static void set_transfer_options(struct transfer *transfer)
{
    CURL *easy = transfer->easy;

    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_URL, transfer->url);
    curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)HTTP_CLIENT_CONNECT_MS);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)HTTP_CLIENT_PATIENCE_MS);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_transfer_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, transfer);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "plyd/" PLYD_VERSION);
    if (transfer->mail != NULL)
        set_mail(transfer);
    else
        set_post(transfer);
}

static int failure_of(const struct transfer *transfer, CURLcode code)
{
    if (transfer->head_complete)
        return transfer->status / 100 == 2 ? HOOK_DELIVERED : HOOK_STATUS;
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return HOOK_NAME;
    case CURLE_COULDNT_CONNECT:
        return transfer->refused ? HOOK_ADDRESS : HOOK_CONNECTION;
    case CURLE_OPERATION_TIMEDOUT:
        return HOOK_TIMEOUT;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_USE_SSL_FAILED:
        return HOOK_TLS;
    default:
        return HOOK_ANSWER;
    }
}

static void drop_handle(struct http_client *transfers, struct transfer *transfer)
{
    curl_multi_remove_handle(transfers->multi, transfer->easy);
    curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->headers);
}

/* What a mail server says by its last reply. When it falls silent, that was about something else.
 */
static bool is_refusal(CURLcode code, long status)
{
    return status >= 400 &&
           (code == CURLE_SEND_ERROR || code == CURLE_LOGIN_DENIED ||
            code == CURLE_REMOTE_ACCESS_DENIED || code == CURLE_WEIRD_SERVER_REPLY);
}

/* Whether a mail server has all of a mail, and does not say in time what it makes of it. To send it
 * again and again would fill a mailbox, which may be a stranger's: so it counts as taken. */
static bool is_left_there(const struct transfer *transfer, CURLcode code)
{
    return transfer->mail != NULL && code == CURLE_OPERATION_TIMEDOUT &&
           transfer->put_bytes == transfer->body_len;
}

/* libcurl does not tell of every failure why it came. */
static void note_server_failure(struct transfer *transfer, CURLcode code)
{
    transfer->server_failed = transfer->mail != NULL && !transfer->heard &&
                              transfer->failure != HOOK_DELIVERED && !transfer->given_up &&
                              code != CURLE_OUT_OF_MEMORY;
    if (transfer->server_failed && *transfer->why == '\0')
        snprintf(transfer->why, sizeof(transfer->why), "%s", curl_easy_strerror(code));
}

/* Notes what became of a transfer, and frees what libcurl needed for it. */
static void end_transfer(struct http_client *transfers, struct transfer *transfer, CURLcode code)
{
    curl_off_t us = 0, wait = 0;
    long status = 0;

    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(transfer->easy, CURLINFO_RETRY_AFTER, &wait);
    curl_easy_getinfo(transfer->easy, CURLINFO_TOTAL_TIME_T, &us);
    drop_handle(transfers, transfer);
    if (transfer->mail != NULL)
        transfer->head_complete = code == CURLE_OK || is_refusal(code, status);
    transfer->status = transfer->head_complete ? (int)status : 0;
    transfer->took_ms = (int32_t)(us / 1000);
    transfer->retry_after_s = wait;
    transfer->failure = is_left_there(transfer, code) ? HOOK_DELIVERED : failure_of(transfer, code);
    transfer->given_up = code == CURLE_ABORTED_BY_CALLBACK && !transfer->head_complete;
    note_server_failure(transfer, code);
}

_Static_assert(HTTP_CLIENT_WHY_TEXT >= CURL_ERROR_SIZE, "libcurl writes as much there");

/* ---- the thread ---- */

static void tell_loop(struct http_client *transfers, struct transfer *transfer)
{
    uint64_t one = 1;

    pthread_mutex_lock(&transfers->lock);
    append_transfer(&transfers->over, transfer);
    pthread_mutex_unlock(&transfers->lock);
    if (write(transfers->fd, &one, sizeof(one)) < 0)
        abort(); /* a counter of 64 bits is not full */
}

static void begin_transfer(struct http_client *transfers, struct transfer *transfer)
{
    transfer->easy = curl_easy_init();
    transfer->headers = header_list(transfer);
    if (transfer->easy != NULL && transfer->headers != NULL) {
        set_transfer_options(transfer);
        if (curl_multi_add_handle(transfers->multi, transfer->easy) == CURLM_OK) {
            transfer->next = transfers->running;
            transfers->running = transfer;
            return;
        }
    }
    end_transfer(transfers, transfer, CURLE_OUT_OF_MEMORY);
    tell_loop(transfers, transfer);
}

static void forget_running(struct http_client *transfers, const struct transfer *transfer)
{
    struct transfer **at = &transfers->running;

    while (*at != transfer)
        at = &(*at)->next;
    *at = transfer->next;
}

static void finish_some(struct http_client *transfers)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(transfers->multi, &left)) != NULL) {
        CURLcode code = message->data.result; /* the message ends with the handle */
        struct transfer *transfer;

        if (message->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
        forget_running(transfers, transfer);
        end_transfer(transfers, transfer, code);
        tell_loop(transfers, transfer);
    }
}

static bool is_closing(struct http_client *transfers)
{
    bool closing;

    pthread_mutex_lock(&transfers->lock);
    closing = transfers->closing;
    pthread_mutex_unlock(&transfers->lock);
    return closing;
}

static void *run_transfers(void *cls)
{
    struct http_client *transfers = cls;
    int running;

    while (!is_closing(transfers)) {
        struct transfer *transfer = take_all(transfers, &transfers->fresh), *next;

        for (; transfer != NULL; transfer = next) {
            next = transfer->next;
            begin_transfer(transfers, transfer);
        }
        curl_multi_perform(transfers->multi, &running);
        finish_some(transfers);
        curl_multi_poll(transfers->multi, NULL, 0, running > 0 ? LOOK_MS : IDLE_MS, NULL);
    }
    for (struct transfer *at = transfers->running; at != NULL; at = at->next)
        drop_handle(transfers, at);
    return NULL;
}

/* ---- the loop's side ---- */

struct http_client *http_client_open(bool any_address)
{
    struct http_client *transfers = must_zero(sizeof(*transfers));

    pthread_mutex_init(&transfers->lock, NULL);
    clear_transfers(&transfers->fresh);
    clear_transfers(&transfers->over);
    transfers->any_address = any_address;
    atomic_init(&transfers->until, INT64_MAX);
    transfers->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
        transfers->multi = curl_multi_init();
    curl_multi_setopt(transfers->multi, CURLMOPT_MAXCONNECTS, (long)IDLE_CONNECTIONS);
    transfers->started = transfers->fd >= 0 && transfers->multi != NULL &&
                         pthread_create(&transfers->thread, NULL, run_transfers, transfers) == 0;
    if (transfers->started)
        return transfers;
    http_client_close(transfers);
    return NULL;
}

void http_client_close(struct http_client *transfers)
{
    if (transfers == NULL)
        return;
    if (transfers->started) {
        pthread_mutex_lock(&transfers->lock);
        transfers->closing = true;
        pthread_mutex_unlock(&transfers->lock);
        curl_multi_wakeup(transfers->multi);
        pthread_join(transfers->thread, NULL);
    }
    if (transfers->fd >= 0)
        close(transfers->fd);
    curl_multi_cleanup(transfers->multi);
    curl_global_cleanup();
    pthread_mutex_destroy(&transfers->lock);
    free(transfers);
}

void http_client_begin(struct http_client *transfers, struct transfer *transfer)
{
    transfer->any_address = transfers->any_address || transfer->mail != NULL;
    transfer->client = transfers;
    transfers->under_way++;
    pthread_mutex_lock(&transfers->lock);
    append_transfer(&transfers->fresh, transfer);
    pthread_mutex_unlock(&transfers->lock);
    curl_multi_wakeup(transfers->multi);
}

void http_client_hold(struct http_client *transfers, int64_t until)
{
    atomic_store(&transfers->until, until);
}

int http_client_fd(const struct http_client *transfers)
{
    return transfers->fd;
}

/* The list is taken first: done() may begin the next transfer. */
void http_client_run(struct http_client *transfers)
{
    struct transfer *transfer, *next;
    uint64_t count;

    if (transfers->under_way == 0 || read(transfers->fd, &count, sizeof(count)) < 0)
        return; /* nothing has ended since the last time */
    for (transfer = take_all(transfers, &transfers->over); transfer != NULL; transfer = next) {
        next = transfer->next;
        assert(transfers->under_way > 0);
        transfers->under_way--;
        transfer->done(transfer);
    }
}

/* ---- URLs ---- */

static bool has_transfer_part(CURLU *parts, CURLUPart part)
{
    char *text = NULL;
    bool found = curl_url_get(parts, part, &text, 0) == CURLUE_OK;

    curl_free(text);
    return found;
}

/* A name in other letters is turned into one of ASCII before it is looked up, and may be an address
 * then: full-width digits are digits. Whoever has such a name knows its form in ASCII. */
static bool is_ascii(const char *name)
{
    while (*name != '\0' && (unsigned char)*name < 0x80)
        name++;
    return *name == '\0';
}

static void write_host(char host[HTTP_CLIENT_HOST_TEXT], const char *name, const char *port)
{
    snprintf(host, HTTP_CLIENT_HOST_TEXT, "%s:%s", name, port);
    for (char *at = host; *at != '\0'; at++)
        *at = (char)tolower((unsigned char)*at);
}

static const char *parts_fault(CURLU *parts, const char *url, bool any_address,
                               char host[HTTP_CLIENT_HOST_TEXT])
{
    char *scheme = NULL, *name = NULL, *port = NULL;
    const char *fault = NULL;

    if (curl_url_set(parts, CURLUPART_URL, url, 0) != CURLUE_OK ||
        curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK ||
        curl_url_get(parts, CURLUPART_HOST, &name, 0) != CURLUE_OK ||
        curl_url_get(parts, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) != CURLUE_OK)
        fault = "An absolute URL is expected, such as https://example.com/hook.";
    else if (strcmp(scheme, "https") != 0 && strcmp(scheme, "http") != 0)
        fault = "A URL of https or http is expected.";
    else if (has_transfer_part(parts, CURLUPART_USER) ||
             has_transfer_part(parts, CURLUPART_PASSWORD))
        fault =
            "A URL must not hold a name or a password. Check the signature of requests instead.";
    else if (has_transfer_part(parts, CURLUPART_FRAGMENT))
        fault = "A URL for requests has no fragment (#).";
    else if (!is_ascii(name))
        fault = "The name of a host is written in ASCII, such as xn--bcher-kva.example.";
    else if (strlen(name) > 255)
        fault = "The name of the host is too long.";
    else if (!any_address && !address_text_is_public(name))
        fault = "The address is not one of the public internet. A daemon with --webhooks-private "
                "sends to any.";
    else
        write_host(host, name, port);
    curl_free(scheme);
    curl_free(name);
    curl_free(port);
    return fault;
}

const char *http_client_url_fault(const char *url, bool any_address,
                                  char host[HTTP_CLIENT_HOST_TEXT])
{
    CURLU *parts = curl_url(); /* NULL is no URL to any of these functions */
    const char *fault = "A URL holds no blanks or control characters.";

    *host = '\0';
    if (url[strcspn(url, " \t\r\n\v\f\x7f")] == '\0')
        fault = parts_fault(parts, url, any_address, host);
    curl_url_cleanup(parts);
    return fault;
}

static bool is_mail_url(CURLU *parts, const char *url, char host[HTTP_CLIENT_HOST_TEXT])
{
    static const CURLUPart others[] = {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY,
                                       CURLUPART_FRAGMENT};
    char *scheme = NULL, *name = NULL, *port = NULL, *path = NULL;
    bool is = curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
              curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
              curl_url_get(parts, CURLUPART_HOST, &name, 0) == CURLUE_OK &&
              curl_url_get(parts, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK &&
              curl_url_get(parts, CURLUPART_PATH, &path, 0) == CURLUE_OK &&
              (strcmp(scheme, "smtp") == 0 || strcmp(scheme, "smtps") == 0) &&
              strcmp(path, "/") == 0 && strlen(name) <= 255;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        is = is && !has_transfer_part(parts, others[i]);
    if (is)
        write_host(host, name, port);
    curl_free(scheme);
    curl_free(name);
    curl_free(port);
    curl_free(path);
    return is;
}

const char *http_client_mail_url_fault(const char *url, char host[HTTP_CLIENT_HOST_TEXT])
{
    CURLU *parts = curl_url();
    bool is = is_mail_url(parts, url, host);

    curl_url_cleanup(parts);
    return is ? NULL : "A URL such as smtp://mail.example.org:587 is expected.";
}
