#include "examples.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mask.h"

enum { LONGEST = 8 << 10 }; /* a longer answer makes a bad example */

static const char mark[] = "  # Real answers, written by the tests: EXAMPLES=write make check-http "
                           "FILTER='contract/*'\n  examples:\n";
static char *written; /* the examples so far, if they are written anew */

static bool is_writing(void)
{
    const char *wish = getenv("EXAMPLES");

    return wish != NULL && strcmp(wish, "write") == 0;
}

static char *contract_text(void)
{
    static char text[1 << 20];
    FILE *file = fopen("openapi.yaml", "r");

    cr_assert_not_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Whether the contract shows the example anywhere. */
static bool is_shown(const char *operation)
{
    char reference[96];

    snprintf(reference, sizeof(reference), "'#/components/examples/%s'", operation);
    return strstr(contract_text(), reference) != NULL;
}

static void keep(const char *operation, const char *answer)
{
    size_t len = written == NULL ? 0 : strlen(written);
    size_t more = strlen(operation) + strlen(answer) + 32;

    written = realloc(written, len + more);
    cr_assert_not_null(written);
    snprintf(written + len, more, "    %s: {value: %s}\n", operation, answer);
}

static void compare(const struct house *house, const char *operation, char *came)
{
    const cJSON *components = cJSON_GetObjectItem(house->contract, "components");
    const cJSON *example =
        cJSON_GetObjectItem(cJSON_GetObjectItem(components, "examples"), operation);
    char *told;

    cr_assert_not_null(example, "openapi.yaml has no example of %s", operation);
    told = cJSON_PrintUnformatted(cJSON_GetObjectItem(example, "value"));
    mask_text(told);
    mask_text(came);
    cr_assert_str_eq(came, told, "%s answers\n%s\nand not, as openapi.yaml tells,\n%s", operation,
                     came, told);
    free(told);
}

void example_check(const struct house *house, const char *operation, const struct answer *answer)
{
    char *came = answer->json == NULL ? NULL : cJSON_PrintUnformatted(answer->json);

    if (came != NULL && strlen(came) < LONGEST && is_shown(operation)) {
        if (is_writing())
            keep(operation, came);
        else
            compare(house, operation, came);
    }
    free(came);
}

void examples_end(void)
{
    char *contract = contract_text(), *end = strstr(contract, mark);
    FILE *file;

    if (!is_writing())
        return;
    file = fopen("openapi.yaml", "w");
    cr_assert_not_null(file);
    fprintf(file, "%.*s%s%s", end == NULL ? (int)strlen(contract) : (int)(end - contract), contract,
            mark, written);
    cr_assert_eq(fclose(file), 0);
}
