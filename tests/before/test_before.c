/*
 * test_before.c - the promise of docs/stability.md: what the release before was asked is answered
 * by this one as its contract says, and nothing that it promised is gone. Its requests and its
 * contract come from git (tests/before/previous.sh).
 */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/trial.h"
#include "tests/support/files.h"
#include "tests/support/schema.h"

/* Its requests, which previous.sh writes. */
extern const struct step steps_before[];
extern const size_t steps_before_count;

static cJSON *before;

static void read_contract(void)
{
    char *text = file_read("build/previous/openapi.json");

    before = cJSON_Parse(text);
    free(text);
    cr_assert_not_null(before);
    schema_is_open = true;
}

static void forget_contract(void)
{
    cJSON_Delete(before);
}

TestSuite(before, .init = read_contract, .fini = forget_contract, .timeout = HOUSE_PATIENCE_S);

static const cJSON *get(const cJSON *node, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(node, name);
}

Test(before, every_request_of_the_release_before_is_answered_by_its_contract)
{
    struct house house;
    struct trial trial = {.house = &house, .caller = BY_TOKEN};

    house_set_mail();
    house_open(&house);
    house.contract = before;
    trial_run(&trial, steps_before, steps_before_count);
    house_close(&house);
}

/* ---- what is promised ---- */

/* The parameters of an operation, those of its address included, by name and place. */
static bool has_parameter(const cJSON *contract, const cJSON *list, const cJSON *wanted)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, list)
    {
        const cJSON *one = schema_follow(contract, item);

        if (cJSON_Compare(get(one, "name"), get(wanted, "name"), true) &&
            cJSON_Compare(get(one, "in"), get(wanted, "in"), true))
            return true;
    }
    return false;
}

/* Of both, `then` is a list of the release before, and `now` one of this. */
static void assert_parameters(const char *what, const cJSON *now, const cJSON *then,
                              const cJSON *contract)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, then)
    {
        const cJSON *parameter = schema_follow(before, item);

        cr_expect(has_parameter(contract, now, parameter), "%s: the parameter %s is gone", what,
                  get(parameter, "name")->valuestring);
    }
    cJSON_ArrayForEach(item, now)
    {
        const cJSON *parameter = schema_follow(contract, item);

        cr_expect(!cJSON_IsTrue(get(parameter, "required")) ||
                      has_parameter(before, then, parameter),
                  "%s: the parameter %s was not needed", what, get(parameter, "name")->valuestring);
    }
}

static void assert_answers(const char *what, const cJSON *now, const cJSON *then)
{
    const cJSON *response;

    cJSON_ArrayForEach(response, get(then, "responses"))
    {
        cr_expect_not_null(get(get(now, "responses"), response->string),
                           "%s: the answer %s is gone", what, response->string);
    }
}

/* What 0.1.0 had as an operation of its own is described with another one, and answers as it did:
 * the test above asks it. */
static const char short_export[] = "/v1/games/{id}.{extension}";

Test(before, every_operation_is_there_with_its_parameters_and_answers)
{
    const cJSON *path, *method;
    struct house house;

    house_open(&house);
    cJSON_ArrayForEach(path, get(before, "paths"))
    {
        const cJSON *there = get(get(house.contract, "paths"), path->string);

        if (strcmp(path->string, short_export) == 0)
            continue;
        cr_expect_not_null(there, "%s is gone", path->string);
        assert_parameters(path->string, get(there, "parameters"), get(path, "parameters"),
                          house.contract);
        cJSON_ArrayForEach(method, path)
        {
            const cJSON *now = get(there, method->string);

            if (get(method, "operationId") == NULL)
                continue;
            cr_expect_not_null(now, "%s %s is gone", method->string, path->string);
            cr_expect(cJSON_Compare(get(now, "operationId"), get(method, "operationId"), true),
                      "%s %s has another name", method->string, path->string);
            assert_parameters(path->string, get(now, "parameters"), get(method, "parameters"),
                              house.contract);
            assert_answers(path->string, now, method);
        }
    }
    house_close(&house);
}

static bool has_word(const cJSON *words, const cJSON *wanted)
{
    const cJSON *word;

    cJSON_ArrayForEach(word, words)
    {
        if (cJSON_Compare(word, wanted, true))
            return true;
    }
    return false;
}

/* The words of problems, events and the like, which are schemas of their own; what may be sent is
 * among them. */
Test(before, every_word_of_a_schema_is_there)
{
    const cJSON *schema, *word;
    struct house house;

    house_open(&house);
    cJSON_ArrayForEach(schema, get(get(before, "components"), "schemas"))
    {
        const cJSON *now = get(get(get(house.contract, "components"), "schemas"), schema->string);

        cJSON_ArrayForEach(word, get(schema, "enum"))
        {
            cr_expect(has_word(get(now, "enum"), word), "%s: the word %s is gone", schema->string,
                      word->valuestring);
        }
    }
    house_close(&house);
}
