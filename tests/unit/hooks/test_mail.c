/* test_mail.c - mails as bytes, and addresses. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "api/hooks/mail.h"
#include "api/text/arena.h"

TestSuite(mail, .timeout = 1800);

static struct arena arena;

static struct mail mail_of(const char *subject, const char *text)
{
    return (struct mail){.from = "games@plyd.example",
                         .to = "ada@example.org",
                         .id = "1@plyd.example",
                         .subject = subject,
                         .text = text,
                         .end_url = "https://plyd.example/v1/mail/end?code=abc",
                         .at = INT64_C(1796083200) * 1000000};
}

static const char *bytes_of(const char *subject, const char *text)
{
    struct mail mail = mail_of(subject, text);

    return mail_bytes(&arena, &mail);
}

static const char *body_of(const char *text)
{
    return strstr(bytes_of("Your move", text), "\r\n\r\n") + 4;
}

Test(mail, has_the_headers_that_programs_want)
{
    cr_assert_str_eq(bytes_of("Your move", "Hello."),
                     "Date: Tue, 1 Dec 2026 00:00:00 +0000\r\n"
                     "From: plyd <games@plyd.example>\r\n"
                     "To: <ada@example.org>\r\n"
                     "Message-ID: <1@plyd.example>\r\n"
                     "Subject: =?UTF-8?B?WW91ciBtb3Zl?=\r\n"
                     "Auto-Submitted: auto-generated\r\n"
                     "List-Unsubscribe: <https://plyd.example/v1/mail/end?code=abc>\r\n"
                     "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
                     "MIME-Version: 1.0\r\n"
                     "Content-Type: text/plain; charset=utf-8\r\n"
                     "Content-Transfer-Encoding: quoted-printable\r\n"
                     "\r\n"
                     "Hello.");
}

Test(mail, a_long_subject_is_divided_between_characters)
{
    const char *bytes = bytes_of("xあなたの手番です。あなたの手番です。", "");

    cr_assert_not_null(
        strstr(bytes, "\r\nSubject: "
                      "=?UTF-8?B?eOOBguOBquOBn+OBruaJi+eVquOBp+OBmeOAguOBguOBquOBn+OBruaJiw==?=\r\n"
                      " =?UTF-8?B?55Wq44Gn44GZ44CC?=\r\n"),
        "%s", bytes);
}

Test(mail, a_subject_with_ends_of_lines_begins_no_header)
{
    cr_assert_null(strstr(bytes_of("Hello\r\nBcc: eve@example.org", ""), "Bcc"));
}

Test(mail, the_text_is_quoted_printable)
{
    cr_assert_str_eq(body_of("a = b\nş \n.x y\n"), "a =3D b\r\n=C5=9F=20\r\n=2Ex y\r\n");
    cr_assert_str_eq(body_of("end "), "end=20");
}

Test(mail, lines_of_the_text_are_short)
{
    char text[401];
    const char *body;

    memset(text, 'x', 400);
    text[400] = '\0';
    body = body_of(text);
    for (const char *end; (end = strstr(body, "\r\n")) != NULL; body = end + 2) {
        cr_assert_leq(end - body, 76);
        cr_assert_eq(end[-1], '=');
    }
    cr_assert_leq(strlen(body), 76);
}

Test(mail, addresses_are_taken_or_refused)
{
    static const char *const good[] = {"a@b.c", "ada.b+games@mail.example.org", "o'neil@x-y.io",
                                       "a@1.2.xn--p1ai"};
    static const char *const bad[] = {
        "",          "ada",          "@b.c",       "a@b",          "a@.c",         "a@b..c",
        "a@b.c.",    ".a@b.c",       "a..b@c.d",   "a b@c.d",      "a@b.c\r\nX:y", "a@b@c.d",
        "<a@b.c>",   "a@b.c,d@e.f",  "a@b_.c",     "\xc5\x9f@b.c", "a.@b.c",       "a(b)@c.d",
        "\"a\"@b.c", "a@[10.0.0.1]", "a@10.0.0.1", "a%b.c@d.e",    "b.c!a@d.e",    "a@b.c\n"};

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        cr_expect_null(mail_address_fault(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect_not_null(mail_address_fault(bad[i]), "%s", bad[i]);
}

Test(mail, an_address_has_254_bytes_at_most_and_64_before_the_at)
{
    char text[300];

    memset(text, 'a', sizeof(text));
    strcpy(text + 64, "@b.c");
    cr_assert_null(mail_address_fault(text));
    memset(text, 'a', sizeof(text));
    strcpy(text + 65, "@b.c");
    cr_assert_not_null(mail_address_fault(text));
    memset(text, 'a', sizeof(text));
    text[1] = '@';
    strcpy(text + 252, ".c");
    cr_assert_null(mail_address_fault(text));
    strcpy(text + 252, "a.c");
    cr_assert_not_null(mail_address_fault(text));
}
