/* made.c - a suite whose tests have every fate, for the test of tests/run.sh. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

Test(made, passes)
{
}

Test(made, fails)
{
    cr_assert_fail("it is %d", 3);
}

Test(made, crashes)
{
    abort();
}

Test(made, exits)
{
    exit(3);
}

Test(made, hangs, .timeout = 1)
{
    for (;;)
        pause();
}

Test(made, is_left_out)
{
    cr_skip_test("no room");
}
