/* test_page.c - pages for browsers. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <string.h>

#include "api/http/page.h"
#include "requests.h"

TestSuite(page, .fini = requests_free);

static struct request *page_with(const char *text, bool script)
{
    struct request *request = requests_new(NULL);
    struct out out;

    page_open(&out, request, text);
    page_text(&out, text);
    if (script)
        page_script(&out);
    page_send(request, &out);
    cr_assert_eq(requests_answers(request), 1);
    cr_assert_eq(request->reply.status, 200);
    cr_assert_str_eq(request->reply.type, "text/html; charset=utf-8");
    return request;
}

Test(page, texts_are_texts_whatever_stands_in_them)
{
    struct request *request = page_with("<b>\"R&D's\"</b> \xe2\x98\x97", false);
    const char *body = request->reply.body;

    cr_assert_not_null(
        strstr(body, "<title>&lt;b&gt;&quot;R&amp;D&#39;s&quot;&lt;/b&gt; \xe2\x98\x97</title>"));
    cr_assert_not_null(
        strstr(body, "<body>\n&lt;b&gt;&quot;R&amp;D&#39;s&quot;&lt;/b&gt; \xe2\x98\x97</body>"));
    cr_assert_not_null(strstr(page_with("", false)->reply.body, "<title></title>"));
}

/* What stands between two tags of a page, as the policy names it. */
static const char *hash_between(struct request *request, const char *open, const char *close)
{
    const char *from = strstr(request->reply.body, open), *to = strstr(request->reply.body, close);
    unsigned char hash[crypto_hash_sha256_BYTES];
    char base64[64];

    cr_assert(from != NULL && to != NULL);
    from += strlen(open);
    crypto_hash_sha256(hash, (const unsigned char *)from, (unsigned long long)(to - from));
    sodium_bin2base64(base64, sizeof(base64), hash, sizeof(hash), sodium_base64_VARIANT_ORIGINAL);
    return arena_format(&request->arena, "-src 'sha256-%s'", base64);
}

Test(page, the_policy_names_the_style_and_the_script_that_the_page_has_and_nothing_else)
{
    struct request *request = page_with("title", true);
    const char *policy = requests_answer_header(request, "Content-Security-Policy");

    cr_assert_eq(strncmp(policy, "default-src 'none';", 19), 0);
    cr_assert_not_null(strstr(policy, hash_between(request, "<style>", "</style>")), "%s", policy);
    cr_assert_not_null(strstr(policy, hash_between(request, "<script>", "</script>")), "%s",
                       policy);
    cr_assert_null(strstr(policy, "unsafe"));
    cr_assert_null(strstr(policy, "*"));
}

Test(page, a_page_is_no_other_type_tells_nobody_where_one_was_and_differs_by_accept)
{
    struct request *request = page_with("title", false);

    cr_assert_str_eq(requests_answer_header(request, "X-Content-Type-Options"), "nosniff");
    cr_assert_str_eq(requests_answer_header(request, "Referrer-Policy"), "no-referrer");
    cr_assert_str_eq(requests_answer_header(request, "Vary"), "Accept, Origin");
    cr_assert_str_eq(requests_answer_header(request, "Cache-Control"), "no-cache");
    cr_assert_not_null(requests_answer_header(request, "ETag"));
}

Test(page, a_client_is_shown_the_host_that_it_named_unless_that_could_do_harm)
{
    static const struct {
        const char *host, *proto, *shown;
    } rows[] = {{"localhost:8080", NULL, "localhost:8080"},
                {"[::1]:8080", NULL, "[::1]:8080"},
                {"Play-1.example", NULL, "Play-1.example"},
                {"play.example", "https", "https://play.example"},
                {"play.example", "http", "play.example"},
                {"play.example", "HTTPS://x", "play.example"},
                {NULL, NULL, "HOST"},
                {NULL, "https", "HOST"},
                {"", NULL, "HOST"},
                {"a b", NULL, "HOST"},
                {"a\"><script>", "https", "HOST"},
                {"a/b", NULL, "HOST"},
                {"$(reboot)", NULL, "HOST"},
                {"a;b", NULL, "HOST"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = requests_new(NULL);

        if (rows[i].host != NULL)
            requests_header(request, "Host", rows[i].host);
        if (rows[i].proto != NULL)
            requests_header(request, "X-Forwarded-Proto", rows[i].proto);
        cr_assert_str_eq(page_host(request), rows[i].shown, "%s", rows[i].host);
    }
}
