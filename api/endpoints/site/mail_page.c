/* mail_page.c - the page where the links of mails lead. */
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/http/page.h"

/* The code stands behind the #, where only the script sees it. */
void handle_mail_page(struct request *request)
{
    static const char *const files[] = {"mail.js", "page.js", "plyd.js", "seen.js", NULL};
    struct out out;

    if (!input_no_query(request))
        return;
    page_open(&out, request, "Mails from plyd", files);
    page_top(&out);
    out_add(&out, "<main class=\"page\"><h1>Mails from plyd</h1>\n"
                  "<p id=\"word\" role=\"status\"></p>\n"
                  "<p><button type=\"button\" id=\"do\" hidden></button></p>\n"
                  "<noscript><p>This page needs JavaScript.</p></noscript></main>\n");
    page_send(request, &out);
}
