#include "api/identity/key_source.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/identity/key_set.h"
#include "api/text/must.h"
#include "embed/version.h"

/* The text as far as it has come, and one byte more than it may have. */
struct text {
    const atomic_bool *stop;
    size_t len;
    char bytes[KEY_SET_BYTES_MAX + 2];
};

bool key_source_is_url(const char *source)
{
    return strstr(source, "://") != NULL;
}

const char *key_source_fault(const char *source)
{
    CURLU *parts;
    char *scheme = NULL;
    bool fits;

    if (!key_source_is_url(source))
        return NULL;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return "libcurl cannot start";
    parts = curl_url(); /* NULL is no URL to any of these functions */
    fits = curl_url_set(parts, CURLUPART_URL, source, 0) == CURLUE_OK &&
           curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
           (strcmp(scheme, "https") == 0 || strcmp(scheme, "http") == 0);
    curl_free(scheme);
    curl_url_cleanup(parts);
    return fits ? NULL : "it is no URL of https or http";
}

/* ---- a URL ---- */

static size_t on_bytes(char *bytes, size_t size, size_t count, void *context)
{
    struct text *text = context;
    size_t len = size * count;

    if (len > KEY_SET_BYTES_MAX + 1 - text->len)
        return 0;
    memcpy(text->bytes + text->len, bytes, len);
    text->len += len;
    return len;
}

static int on_progress(void *context, curl_off_t to_get, curl_off_t got, curl_off_t to_put,
                       curl_off_t put)
{
    const struct text *text = context;

    (void)to_get, (void)got, (void)to_put, (void)put;
    return atomic_load(text->stop);
}

static void set_key_options(CURL *easy, const char *url, struct text *text)
{
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)SOURCE_CONNECT_MS);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)SOURCE_PATIENCE_MS);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, text);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, text);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "plyd/" PLYD_VERSION);
}

static bool read_url(const char *url, struct text *text, char why[SOURCE_WHY])
{
    CURL *easy = curl_easy_init();
    CURLcode code = CURLE_OUT_OF_MEMORY;
    long status = 0;

    if (easy != NULL) {
        set_key_options(easy, url, text);
        code = curl_easy_perform(easy);
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        curl_easy_cleanup(easy);
    }
    if (code == CURLE_OK && status == 200)
        return true;
    if (code == CURLE_OK)
        snprintf(why, SOURCE_WHY, "the answer has the status %ld", status);
    else if (code == CURLE_WRITE_ERROR)
        snprintf(why, SOURCE_WHY, "the answer is too large");
    else
        snprintf(why, SOURCE_WHY, "%s", curl_easy_strerror(code));
    return false;
}

/* ---- a file ---- */

static bool read_key_file(const char *path, struct text *text, char why[SOURCE_WHY])
{
    FILE *file = fopen(path, "rbe");
    bool good = false;

    if (file != NULL) {
        text->len = fread(text->bytes, 1, KEY_SET_BYTES_MAX + 1, file);
        good = !ferror(file);
    }
    if (!good)
        snprintf(why, SOURCE_WHY, "%s", strerror(errno));
    if (file != NULL)
        fclose(file);
    return good;
}

char *key_source_read(const char *source, const atomic_bool *stop, size_t *len,
                      char why[SOURCE_WHY])
{
    struct text *text = must_alloc(sizeof(*text));
    char *copy = NULL;

    text->stop = stop;
    text->len = 0;
    if (key_source_is_url(source) ? read_url(source, text, why)
                                  : read_key_file(source, text, why)) {
        *len = text->len;
        text->bytes[text->len] = '\0';
        copy = must_alloc(text->len + 1);
        memcpy(copy, text->bytes, text->len + 1);
    }
    free(text);
    return copy;
}
