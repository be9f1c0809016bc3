/* test_mail_pause.c - when no mail is sent, since the operator's server does not work. */
#include <criterion/criterion.h>

#include "api/hooks/mail_pause.h"

#define SECOND INT64_C(1000000)

Test(mail_pause, there_is_none_before_the_server_fails)
{
    struct mail_pause pause = {0};

    mail_pause_try(&pause, SECOND);
    cr_assert_eq(mail_pause_left(&pause, SECOND), 0);
    cr_assert_not(mail_pause_end(&pause));
}

Test(mail_pause, each_is_twice_as_long_as_the_one_before_up_to_five_minutes)
{
    static const int64_t seconds[] = {5, 10, 20, 40, 80, 160, 300, 300};
    struct mail_pause pause = {0};
    int64_t now = SECOND;

    for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
        cr_assert(mail_pause_failed(&pause, mail_pause_try(&pause, now), now));
        cr_assert_eq(mail_pause_left(&pause, now), seconds[i] * SECOND);
        cr_assert_gt(mail_pause_left(&pause, now + seconds[i] * SECOND - 1), 0);
        now += seconds[i] * SECOND;
        cr_assert_eq(mail_pause_left(&pause, now), 0);
    }
}

Test(mail_pause, two_that_fail_side_by_side_make_one)
{
    struct mail_pause pause = {0};
    unsigned first = mail_pause_try(&pause, SECOND), second = mail_pause_try(&pause, SECOND);

    cr_assert(mail_pause_failed(&pause, first, 2 * SECOND));
    cr_assert_not(mail_pause_failed(&pause, second, 3 * SECOND));
    cr_assert_eq(mail_pause_left(&pause, 3 * SECOND), 4 * SECOND);
}

Test(mail_pause, after_it_the_others_wait_for_the_one_that_is_tried)
{
    struct mail_pause pause = {0};

    mail_pause_failed(&pause, mail_pause_try(&pause, 0), 0);
    mail_pause_try(&pause, 5 * SECOND);
    cr_assert_gt(mail_pause_left(&pause, 15 * SECOND), 0);
    cr_assert_eq(mail_pause_left(&pause, 16 * SECOND), 0, "one that never ends");
    cr_assert(mail_pause_end(&pause));
    cr_assert_eq(mail_pause_left(&pause, 6 * SECOND), 0);
}

Test(mail_pause, what_was_sent_before_the_server_worked_again_begins_none)
{
    struct mail_pause pause = {0};
    unsigned old = mail_pause_try(&pause, 0);

    mail_pause_failed(&pause, mail_pause_try(&pause, 0), SECOND);
    mail_pause_end(&pause);
    cr_assert_not(mail_pause_failed(&pause, old, 2 * SECOND));
    cr_assert_eq(mail_pause_left(&pause, 2 * SECOND), 0);
    cr_assert(mail_pause_failed(&pause, mail_pause_try(&pause, 0), 3 * SECOND));
    cr_assert_eq(mail_pause_left(&pause, 3 * SECOND), 5 * SECOND, "it is the first one again");
}
