/* mail_page.c - the page where the links of mails lead. */
#include "api/endpoints/handlers.h"
#include "api/endpoints/input.h"
#include "api/http/page.h"
#include "api/text/lang.h"

/* The code stands behind the #, where only the script sees it. */
void handle_mail_page(struct request *request)
{
    struct out out;

    if (!input_page(request))
        return;
    page_open(&out, request, lang_word(request->lang, "mails"),
              (const char *const[]){"mail.js", "page.js", page_texts(request), NULL});
    page_top_to_choose(&out, request);
    page_template(&out, request,
                  "<main class=\"page\"><h1>{{mails}}</h1>\n"
                  "<p id=\"word\" role=\"status\"></p>\n"
                  "<p><button type=\"button\" id=\"do\" hidden></button></p>\n"
                  "<noscript><p>{{needs-javascript}}</p></noscript></main>\n",
                  NULL);
    page_send(request, &out);
}
