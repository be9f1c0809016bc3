/* test_query.c - the parameters of a query, read one by one. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/http/query.h"
#include "tests/unit/requests.h"

TestSuite(query, .fini = requests_free);

static struct request *request_of(const char *query)
{
    struct request *request = requests_new(NULL);

    requests_url(request, arena_format(&request->arena, "/x?%s", query));
    return request;
}

/* Wherever nothing is refused, nothing is answered. */
static void assert_quiet(const struct request *request)
{
    cr_assert_eq(requests_answers(request), 0, "%s", request->url);
    cr_assert_eq(request->reply.status, 0);
}

/* ---- texts ---- */

static void assert_text(const char *query, const char *name, const char *text)
{
    const char *found = query_text(request_of(query), name);

    cr_assert_eq(found == NULL, text == NULL, "%s of %s", name, query);
    if (text != NULL)
        cr_assert_str_eq(found, text, "%s of %s", name, query);
}

Test(query, a_parameter_is_found_wherever_it_stands)
{
    assert_text("a=1", "a", "1");
    assert_text("b=2&a=1", "a", "1");
    assert_text("b=2&&a=1&", "a", "1");
    assert_text("a=1&a=2", "a", "1");
    assert_text("a=", "a", "");
    assert_text("a", "a", "");
    assert_text("a&b=2", "a", "");
    assert_text("a=b=c", "a", "b=c");
    assert_text("", "a", NULL);
    assert_text("aa=1", "a", NULL);
    assert_text("a=1", "aa", NULL);
    assert_text("b=a", "a", NULL);
    assert_text("A=1", "a", NULL);
}

Test(query, a_list_may_come_in_parts)
{
    assert_text("include=board&x=1&include=legal_moves,legal_tree", "include",
                "board,legal_moves,legal_tree");
    assert_text("fields=id&fields=ply", "fields", "id,ply");
    assert_text("limit=1&limit=2", "limit", "1");
}

Test(query, values_are_decoded)
{
    assert_text("a=%41+b%26%3d", "a", "A b&=");
    assert_text("a=8h2b%2B", "a", "8h2b+");
    assert_text("a=8h2b+", "a", "8h2b+");
    assert_text("a=%e2%98%97", "a", "\xe2\x98\x97");
    assert_text("a=%zz", "a", NULL);
    assert_text("a=%ff", "a", NULL);
}

Test(query, names_are_decoded_too)
{
    assert_text("%61=1", "a", "1");
    assert_text("%zz=1&a=2", "a", "2");
    assert_text("a%3db=1", "a", NULL);
}

Test(query, an_address_without_a_query_has_no_parameters)
{
    struct request *request = requests_new(NULL);

    requests_url(request, "/x");
    cr_assert_null(query_text(request, "x"));
    cr_assert(query_ok(request, (const char *const[]){NULL}));
    assert_quiet(request);
}

/* ---- what is well-formed ---- */

static const char *const known[] = {"a", "bb", "limit", NULL};

Test(query, known_parameters_are_fine_each_once)
{
    static const char *const fine[] = {"",      "a=1",    "bb=2&a=1", "a&bb", "a=&&",
                                       "%61=1", "a=%20+", "limit=x",  "&",    "a=b=b"};

    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++) {
        struct request *request = request_of(fine[i]);

        cr_assert(query_ok(request, known), "%s", fine[i]);
        assert_quiet(request);
    }
}

Test(query, what_is_wrong_with_a_query_is_told_with_its_place)
{
    static const struct {
        const char *query;
        enum problem problem;
        const char *pointer;
    } wrong[] = {
        {"c=1", PROBLEM_UNKNOWN_FIELD, "?c"},       {"a=1&c=1", PROBLEM_UNKNOWN_FIELD, "?c"},
        {"=1", PROBLEM_UNKNOWN_FIELD, "?"},         {"A=1", PROBLEM_UNKNOWN_FIELD, "?A"},
        {"a=1&a=1", PROBLEM_BAD_PARAMETER, "?a"},   {"a=1&bb=2&a=2", PROBLEM_BAD_PARAMETER, "?a"},
        {"a=1&%61=2", PROBLEM_BAD_PARAMETER, "?a"}, {"a=%", PROBLEM_BAD_PARAMETER, NULL},
        {"a=%4", PROBLEM_BAD_PARAMETER, NULL},      {"%zz=1", PROBLEM_BAD_PARAMETER, NULL},
        {"a=%00", PROBLEM_BAD_PARAMETER, NULL},     {"a=%c0%80", PROBLEM_BAD_PARAMETER, NULL}};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct request *request = request_of(wrong[i].query);

        cr_assert_not(query_ok(request, known), "%s", wrong[i].query);
        requests_assert_problem(request, wrong[i].problem, wrong[i].pointer);
    }
}

/* ---- values ---- */

Test(query, a_truth_value_is_true_or_false_and_false_where_it_is_absent)
{
    static const struct {
        const char *query;
        bool ok, value;
    } rows[] = {{"", true, false},        {"a=true", true, true},   {"a=false", true, false},
                {"a=", false, false},     {"a", false, false},      {"a=1", false, false},
                {"a=True", false, false}, {"a=true+", false, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = request_of(rows[i].query);
        bool value = !rows[i].value;

        cr_assert_eq(query_bool(request, "a", &value), rows[i].ok, "%s", rows[i].query);
        if (rows[i].ok) {
            cr_assert_eq(value, rows[i].value, "%s", rows[i].query);
            assert_quiet(request);
        } else {
            requests_assert_problem(request, PROBLEM_BAD_PARAMETER, "?a");
        }
    }
}

Test(query, a_whole_number_is_within_its_bounds)
{
    static const struct {
        const char *query;
        bool ok;
        int64_t value;
    } rows[] = {{"", true, 5},
                {"a=-3", true, -3},
                {"a=0", true, 0},
                {"a=200", true, 200},
                {"a=007", true, 7},
                {"a=201", false, 0},
                {"a=-4", false, 0},
                {"a=", false, 0},
                {"a=-", false, 0},
                {"a=+1", false, 0},
                {"a=%2B1", false, 0},
                {"a=+1+", false, 0},
                {"a=1x", false, 0},
                {"a=1.0", false, 0},
                {"a=0x1", false, 0},
                {"a=99999999999999999999999", false, 0},
                {"a=18446744073709551617", false, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = request_of(rows[i].query);
        int64_t value = 77;

        cr_assert_eq(query_int(request, "a", -3, 200, 5, &value), rows[i].ok, "%s", rows[i].query);
        if (rows[i].ok) {
            cr_assert_eq(value, rows[i].value, "%s", rows[i].query);
            assert_quiet(request);
        } else {
            requests_assert_problem(request, PROBLEM_BAD_PARAMETER, "?a");
        }
    }
}

Test(query, a_page_has_50_items_or_as_many_as_are_asked_for_up_to_200)
{
    static const struct {
        const char *query;
        bool ok;
        int64_t limit;
    } rows[] = {{"", true, 50},
                {"limit=1", true, 1},
                {"limit=200", true, 200},
                {"limit=201", true, 200},
                {"limit=2147483647", true, 200},
                {"limit=0", false, 0},
                {"limit=-1", false, 0},
                {"limit=2147483648", false, 0},
                {"limit=x", false, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = request_of(rows[i].query);
        int64_t limit = 0;

        cr_assert_eq(query_limit(request, &limit), rows[i].ok, "%s", rows[i].query);
        if (rows[i].ok)
            cr_assert_eq(limit, rows[i].limit, "%s", rows[i].query);
        else
            requests_assert_problem(request, PROBLEM_BAD_PARAMETER, "?limit");
    }
}

Test(query, a_list_of_words_is_a_bit_for_each)
{
    static const char *const words[] = {"open", "active", "finished", NULL};
    static const struct {
        const char *query;
        bool ok;
        uint32_t bits;
    } rows[] = {{"", true, 0},
                {"w=", true, 0},
                {"w=open", true, 1},
                {"w=finished", true, 4},
                {"w=active,open", true, 3},
                {"w=active,active", true, 2},
                {"w=,open,,active,", true, 3},
                {"w=open%2Cfinished", true, 5},
                {"w=opens", false, 0},
                {"w=open,nothing", false, 0},
                {"w=open,+active", false, 0},
                {"w=OPEN", false, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = request_of(rows[i].query);
        uint32_t bits = 99;

        cr_assert_eq(query_words(request, "w", words, &bits), rows[i].ok, "%s", rows[i].query);
        if (rows[i].ok) {
            cr_assert_eq(bits, rows[i].bits, "%s", rows[i].query);
            assert_quiet(request);
        } else {
            requests_assert_problem(request, PROBLEM_BAD_PARAMETER, "?w");
            cr_assert_not_null(
                strstr(request->reply.body, "is not one of: open, active, finished."));
        }
    }
}
