/* test_documents.c - every address that the documents for people name is in the contract. */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "api/game/words.h"
#include "house.h"

static const char *const roots[] = {"/v1/",     "/docs",   "/openapi.", "/problems",
                                    "/healthz", "/readyz", "/metrics"};

/* Copies the address that begins at the text, with `${...}` as one letter and without the
 * punctuation behind it. */
static void copy_path(const char *text, char *path, size_t size)
{
    size_t len = 0;

    while (*text != '\0' && strchr(" \n`'\"?#|,;)*<>[]&", *text) == NULL && len + 1 < size) {
        if (strncmp(text, "${", 2) == 0) {
            text += strcspn(text, "}");
            path[len++] = 'x';
        } else {
            path[len++] = *text;
        }
        text += *text != '\0';
    }
    while (len > 1 && strchr(".:", path[len - 1]) != NULL)
        len--;
    path[len] = '\0';
}

static int is_in_contract(const struct house *house, const char *path)
{
    static const char *const methods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};

    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        if (operation_of(house, methods[i], path) != NULL)
            return 1;
    return 0;
}

/* The text of a document, until the next one is read. */
static char *read_document(const char *name)
{
    static char text[1 << 18];
    FILE *file = fopen(name, "r");

    cr_assert_not_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

static int look_for_paths(const struct house *house, const char *name)
{
    const char *text = read_document(name);
    int found = 0;

    for (const char *at = strchr(text, '/'); at != NULL; at = strchr(at + 1, '/'))
        for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
            char path[256];

            if (strncmp(at, roots[i], strlen(roots[i])) != 0)
                continue;
            copy_path(at, path, sizeof(path));
            cr_assert(is_in_contract(house, path), "%s names %s", name, path);
            found++;
        }
    return found;
}

/* Clients that are generated from the contract know these codes and no others. */
Test(documents, every_problem_is_in_the_contract)
{
    struct house house;
    struct answer problems;
    const cJSON *listed, *kind;

    house_open(&house);
    problems = ask(&house, "GET", "/problems", NULL, NULL);
    listed = cJSON_GetObjectItem(
        cJSON_GetObjectItem(
            cJSON_GetObjectItem(cJSON_GetObjectItem(house.contract, "components"), "schemas"),
            "ProblemCode"),
        "enum");
    cr_assert_eq(cJSON_GetArraySize(listed), cJSON_GetArraySize(member(&problems, "items")));
    cJSON_ArrayForEach(kind, member(&problems, "items"))
    {
        const char *code = cJSON_GetObjectItem(kind, "code")->valuestring;
        const cJSON *there;
        int found = 0;

        cJSON_ArrayForEach(there, listed) found += strcmp(there->valuestring, code) == 0;
        cr_assert_eq(found, 1, "%s", code);
    }
    house_close(&house);
}

/* A browser tells a page of no event whose type it does not listen for. That the game was created
 * is no news to it. */
Test(documents, the_sample_of_a_stream_listens_for_every_event)
{
    char *sample = strstr(read_document("FRONTENDS.md"), "function listen(");

    cr_assert_not_null(sample);
    *strstr(sample, "```") = '\0';
    for (int kind = 1; kind < EVENT_KINDS; kind++) {
        char quoted[64];

        if (kind == EVENT_CREATED)
            continue;

        snprintf(quoted, sizeof(quoted), "\"%s\"", words_event(kind));
        cr_expect_not_null(strstr(sample, quoted), "%s", quoted);
    }
}

Test(documents, every_address_that_they_name_is_in_the_contract)
{
    struct house house;
    glob_t pages;

    house_open(&house);
    cr_assert_gt(look_for_paths(&house, "README.md"), 5);
    cr_assert_gt(look_for_paths(&house, "FRONTENDS.md"), 10);
    cr_assert_eq(glob("docs/*.md", 0, NULL, &pages), 0);
    for (size_t i = 0; i < pages.gl_pathc; i++)
        look_for_paths(&house, pages.gl_pathv[i]);
    globfree(&pages);
    house_close(&house);
}
