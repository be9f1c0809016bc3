/* test_page.c - pages for browsers. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/http/files.h"
#include "api/http/page.h"
#include "tests/unit/requests.h"

TestSuite(page, .fini = requests_free);

static struct request *page_with(const char *text, const char *const *modules)
{
    struct request *request = requests_new(NULL);
    struct out out;

    page_open(&out, request, text, modules);
    page_text(&out, text);
    page_send(request, &out);
    cr_assert_eq(requests_answers(request), 1);
    cr_assert_eq(request->reply.status, 200);
    cr_assert_str_eq(request->reply.type, "text/html; charset=utf-8");
    return request;
}

Test(page, texts_are_texts_whatever_stands_in_them)
{
    struct request *request = page_with("<b>\"R&D's\"</b> \xe2\x98\x97", NULL);
    const char *body = request->reply.body;

    cr_assert_not_null(
        strstr(body, "<title>&lt;b&gt;&quot;R&amp;D&#39;s&quot;&lt;/b&gt; \xe2\x98\x97</title>"));
    cr_assert_not_null(
        strstr(body, "<body>\n&lt;b&gt;&quot;R&amp;D&#39;s&quot;&lt;/b&gt; \xe2\x98\x97</body>"));
    cr_assert_not_null(strstr(page_with("", NULL)->reply.body, "<title></title>"));
}

Test(page, the_policy_allows_files_of_this_daemon_and_nothing_else)
{
    static const char *const modules[] = {"docs.js", "plyd.js", NULL};
    struct request *request = page_with("title", modules);
    const char *policy = requests_answer_header(request, "Content-Security-Policy");

    cr_assert_eq(strncmp(policy, "default-src 'none';", 19), 0);
    cr_assert_not_null(strstr(policy, "script-src 'self';"));
    cr_assert_not_null(strstr(policy, "require-trusted-types-for 'script'; "));
    cr_assert_not_null(strstr(policy, "; trusted-types plyd-worker; "));
    cr_assert_not_null(strstr(policy, "; worker-src 'self'; "));
    cr_assert_not_null(strstr(policy, " manifest-src 'self'; "));
    cr_assert_not_null(strstr(policy, "frame-ancestors 'none'"));
    cr_assert_null(strstr(policy, "unsafe"));
    cr_assert_null(strstr(policy, "*"));
}

Test(page, a_script_and_what_it_imports_are_named_below_the_build)
{
    static const char *const modules[] = {"docs.js", "plyd.js", NULL};
    struct request *request = page_with("title", modules);
    const char *script =
        arena_format(&request->arena,
                     "<script type=\"module\" src=\"/assets/%s/docs.js\"></script>\n"
                     "<link rel=\"modulepreload\" href=\"/assets/%s/plyd.js\">",
                     files_build(), files_build());

    cr_assert_not_null(strstr(request->reply.body, script), "%s", request->reply.body);
    cr_assert_null(strstr(page_with("title", NULL)->reply.body, "<script"));
}

/* ---- Markdown ---- */

static const char *written(const char *text)
{
    struct request *request = requests_new(NULL);
    struct out out;

    out_init(&out, &request->arena);
    markdown_write(&out, text);
    return out.text;
}

Test(page, each_part_of_a_document_becomes_its_element)
{
    static const char *const rows[][2] = {
        {"# The board\n", "<h1 id=\"the-board\">The board</h1>\n"},
        {"One\ntwo.\n\nThree\n", "<p>One\ntwo.</p>\n<p>Three</p>\n"},
        {"**T1** Go.", "<p id=\"T1\"><strong>T1</strong> Go.</p>\n"},
        {"**No number** Go.", "<p><strong>No number</strong> Go.</p>\n"},
        {"a `b<c` *d* **e** [f](/g)",
         "<p>a <code>b&lt;c</code> <em>d</em> <strong>e</strong> <a href=\"/g\">f</a></p>\n"},
        {"[a](docs/module.md) [b](../FRONTENDS.md#b) [c](board.md) [d](people.md#d)",
         "<p><a href=\"/docs/module\">a</a> <a href=\"/docs/frontends#b\">b</a> "
         "<a href=\"/docs/board\">c</a> <a href=\"/docs/people#d\">d</a></p>\n"},
        {"[a](docs/push.md) [b](docs/push.md#c) [c](https://x.y/z.md)",
         "<p>a b <a href=\"https://x.y/z.md\">c</a></p>\n"},
        {"2 * 3 ` [x", "<p>2 * 3 ` [x</p>\n"},
        {"```js\n<a>\n```\nb", "<pre tabindex=\"0\"><code>&lt;a&gt;\n</code></pre>\n<p>b</p>\n"},
        {"```\nx", "<pre tabindex=\"0\"><code>x\n</code></pre>\n"},
        {"- a\n  b\n- c\n", "<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>\n"},
        {"- a\n  - b\n- c", "<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>\n"},
        {"| a | b |\n|---|---|\n| c | |\n",
         "<div class=\"wide\"><table><thead>\n<tr><th scope=\"col\">a</th><th "
         "scope=\"col\">b</th></tr>\n"
         "</thead><tbody>\n<tr><td>c</td><td></td></tr>\n</tbody></table></div>\n"},
        {"", ""},
        {"|",
         "<div "
         "class=\"wide\"><table><thead>\n<tr></tr>\n</thead><tbody>\n</tbody></table></div>\n"},
        {"****", "<p>****</p>\n"},
        {"[](", "<p>[](</p>\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_assert_str_eq(written(rows[i][0]), rows[i][1], "%s: %s", rows[i][0],
                         written(rows[i][0]));
}

/* ---- headers ---- */

Test(page, a_page_is_no_other_type_tells_nobody_where_one_was_and_differs_by_what_its_reader_wishes)
{
    struct request *request = page_with("title", NULL);

    cr_assert_str_eq(requests_answer_header(request, "Referrer-Policy"), "no-referrer");
    cr_assert_str_eq(requests_answer_header(request, "Vary"),
                     "Accept, Accept-Language, Cookie, Origin");
    cr_assert_str_eq(requests_answer_header(request, "Cache-Control"), "no-cache");
    cr_assert_not_null(requests_answer_header(request, "ETag"));
}

Test(page, a_client_is_shown_the_host_that_it_named_unless_that_could_do_harm)
{
    static const struct {
        const char *host, *proto, *shown, *url;
    } rows[] = {{"localhost:8080", NULL, "localhost:8080", "http://localhost:8080/docs"},
                {"[::1]:8080", NULL, "[::1]:8080", "http://[::1]:8080/docs"},
                {"Play-1.example", NULL, "Play-1.example", "http://Play-1.example/docs"},
                {"play.example", "https", "https://play.example", "https://play.example/docs"},
                {"play.example", "http", "play.example", "http://play.example/docs"},
                {"play.example", "HTTPS://x", "play.example", "http://play.example/docs"},
                {NULL, NULL, "HOST", "/docs"},
                {NULL, "https", "HOST", "/docs"},
                {"", NULL, "HOST", "/docs"},
                {"a b", NULL, "HOST", "/docs"},
                {"a\"><script>", "https", "HOST", "/docs"},
                {"a/b", NULL, "HOST", "/docs"},
                {"$(reboot)", NULL, "HOST", "/docs"},
                {"a;b", NULL, "HOST", "/docs"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = requests_new(NULL);

        request->behind_proxy = true;
        if (rows[i].host != NULL)
            requests_header(request, "Host", rows[i].host);
        if (rows[i].proto != NULL)
            requests_header(request, "X-Forwarded-Proto", rows[i].proto);
        cr_assert_str_eq(page_host(request), rows[i].shown, "%s", rows[i].host);
        cr_assert_str_eq(page_url(request, "/docs"), rows[i].url, "%s", rows[i].host);
    }
}

Test(page, what_a_client_says_of_tls_is_not_believed_where_no_proxy_is_trusted)
{
    struct request *request = requests_new(NULL);

    requests_header(request, "Host", "play.example");
    requests_header(request, "X-Forwarded-Proto", "https");
    cr_assert_str_eq(page_url(request, "/docs"), "http://play.example/docs");
}
