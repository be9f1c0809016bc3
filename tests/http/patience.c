/* patience.c - when a test is taken for hung. On Citus a request takes several times as long, so
 * that the tests of many requests would be taken for hung there. */
#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <criterion/internal/ordered-set.h>

#include "tests/support/pg.h"

enum { PATIENCE = 5 };

static void be_patient(struct criterion_test_extra_data *data)
{
    if (data != NULL)
        data->timeout *= PATIENCE;
}

/* The elements of Criterion's sets stand behind their nodes. */
#define EACH(node, set)                                     \
    struct criterion_ordered_set_node *node = (set)->first; \
    node != NULL;                                           \
    node = node->next

static void be_patient_with(struct criterion_suite_set *suite)
{
    be_patient(suite->suite.data);
    for (EACH(node, suite->tests))
        be_patient(((struct criterion_test *)(node + 1))->data);
}

ReportHook(PRE_ALL)(struct criterion_test_set *all)
{
    if (!pg_on_citus())
        return;
    for (EACH(node, all->suites))
        be_patient_with((struct criterion_suite_set *)(node + 1));
}
