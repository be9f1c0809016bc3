/* test_intake.c - bodies as they come in: kept, dropped or refused, in no more memory than needed.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "api/http/intake.h"
#include "tests/unit/requests.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

TestSuite(intake, .fini = requests_free);

static struct request *with_length(const char *length)
{
    struct request *request = requests_new(NULL);

    requests_header(request, "Content-Length", length);
    return request;
}

/* Gives it so many bytes in pieces of a KiB. False if one of them was one too many. */
static bool give(struct request *request, size_t bytes)
{
    static const char piece[KIB];

    for (; bytes > 0; bytes -= KIB)
        if (!intake_take(request, piece, KIB))
            return false;
    return true;
}

Test(intake, a_body_takes_no_more_memory_than_its_length)
{
    struct request *request = with_length("40960");

    cr_assert(intake_begin(request, 64 * KIB));
    cr_assert(give(request, 40 * KIB));
    cr_assert_eq(request->body_len, 40 * KIB);
    cr_assert_eq(request->body_size, 40 * KIB + 1);
    cr_assert_eq(request->body[40 * KIB], '\0');
}

Test(intake, a_body_of_chunks_takes_no_more_memory_than_it_may_have)
{
    struct request *request = requests_new(NULL);

    requests_header(request, "Transfer-Encoding", "chunked");
    cr_assert(intake_begin(request, 64 * KIB));
    cr_assert(give(request, 64 * KIB));
    cr_assert_leq(request->body_size, 64 * KIB + 1);
    cr_assert_not(request->body_too_large);
    cr_assert(give(request, 8 * KIB), "it is read on to its end");
    cr_assert(request->body_too_large);
}

Test(intake, a_body_that_is_said_to_be_too_large_is_read_and_dropped)
{
    struct request *request = with_length("100000");

    cr_assert(intake_begin(request, 64 * KIB));
    cr_assert(give(request, 90 * KIB));
    cr_assert(request->body_too_large);
    cr_assert_null(request->body);
}

Test(intake, a_body_that_is_far_too_large_is_not_read)
{
    cr_assert_not(intake_begin(with_length("3000000"), 64 * KIB));
}

Test(intake, a_client_that_asks_first_is_told_that_its_body_is_too_large)
{
    struct request *request = with_length("100000");

    requests_header(request, "Expect", "100-continue");
    cr_assert_not(intake_begin(request, 64 * KIB));
}

Test(intake, a_body_that_is_too_large_takes_no_memory_and_has_an_end)
{
    struct request *request = with_length("1000000");

    cr_assert(intake_begin(request, 64 * KIB));
    cr_assert(give(request, 2 * MIB));
    cr_assert_null(request->body);
    cr_assert_not(intake_take(request, "x", 1), "two MiB are read, and no more");
}

Test(intake, a_large_body_grows_by_no_more_than_a_quarter)
{
    struct request *request = with_length("16777216");

    cr_assert(intake_begin(request, 16 * MIB));
    cr_assert(give(request, 100 * KIB));
    cr_assert_leq(request->body_size, 164 * KIB);
    cr_assert(give(request, 4 * MIB));
    cr_assert_leq(request->body_size, 5376 * KIB);
    cr_assert_eq(intake_size(request, 1), request->body_size, "there is room");
}

Test(intake, a_body_that_is_dropped_is_known_by_its_length)
{
    struct request *request = with_length("100000");

    cr_assert(intake_begin(request, MIB));
    cr_assert(give(request, 90 * KIB));
    intake_drop(request);
    cr_assert_null(request->body);
    cr_assert_eq(request->body_len, 90 * KIB);
}

Test(intake, a_request_without_a_length_or_chunks_has_no_body)
{
    struct request *request = requests_new(NULL);

    cr_assert(intake_begin(request, MIB));
    cr_assert_eq(request->body_most, 0);
}

Test(intake, a_body_is_taken_that_is_as_long_as_its_address_allows)
{
    struct request *request = with_length("16777216");

    cr_assert(intake_begin(request, 16 * MIB));
    cr_assert_not(request->body_too_large);
    request = with_length("16777217");
    cr_assert_not(intake_begin(request, 16 * MIB));
}
