/* test_conventions.c - what surrounds the API: its contract, its pages, its problems, its manners.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "house.h"

static struct house house;

static void open_house(void)
{
    house_open(&house);
}

static void close_house(void)
{
    house_close(&house);
}

TestSuite(conventions, .init = open_house, .fini = close_house);

/* ---- the contract ---- */

static char *file_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);

    cr_assert_not_null(file);
    cr_assert_gt(fread(text, 1, (1 << 20) - 1, file), 0);
    fclose(file);
    return text;
}

Test(conventions, the_contract_is_served_as_it_stands_in_the_repository)
{
    struct answer answer = ask(&house, "GET", "/openapi.yaml", NULL, NULL);
    char *file = file_text("openapi.yaml");
    char type[256];

    assert_status(&answer, 200);
    cr_assert_str_eq(answer.reply.body, file);
    cr_assert_str_eq(http_header(&answer.reply, "Content-Type", type), "application/yaml");
    free(file);
    answer_free(&answer);
}

Test(conventions, the_contract_as_json_has_the_same_operations)
{
    struct answer answer = ask(&house, "GET", "/openapi.json", NULL, NULL);

    assert_status(&answer, 200);
    cr_assert(cJSON_Compare(answer.json, house.contract, true));
    cr_assert_str_eq(text_of(&answer, "openapi"), "3.1.0");
    answer_free(&answer);
}

static const char *const documents[] = {"/openapi.yaml", "/openapi.json"};

Test(conventions, a_document_that_the_client_has_is_304)
{
    for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
        struct answer first = ask(&house, "GET", documents[i], NULL, NULL), second;
        char etag[256], headers[300];

        snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n",
                 http_header(&first.reply, "ETag", etag));
        second = ask(&house, "GET", documents[i], headers, NULL);
        assert_status(&second, 304);
        cr_assert_eq(second.reply.len, 0);
        answer_free(&first);
        answer_free(&second);
    }
}
