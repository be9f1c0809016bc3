#include "same.h"

#include <stdio.h>
#include <string.h>

static void add_where(char *where, const char *name)
{
    size_t len = strlen(where);

    snprintf(where + len, SAME_WHERE - len, "/%s", name);
}

/* The texts of the moves of a tree of clicks. */
static void add_leaves(cJSON *list, const cJSON *tree)
{
    const cJSON *branch;

    cJSON_ArrayForEach(branch, tree)
    {
        if (cJSON_IsString(branch))
            cJSON_AddItemToArray(list, cJSON_CreateString(branch->valuestring));
        else
            add_leaves(list, branch);
    }
}

/* A tree has all the moves that are expected, in whatever order. */
static bool same_leaves(const cJSON *expected, const cJSON *tree)
{
    cJSON *leaves = cJSON_CreateArray();
    int found = 0;
    const cJSON *leaf, *move;

    add_leaves(leaves, tree);
    cJSON_ArrayForEach(move, expected)
    {
        cJSON_ArrayForEach(leaf, leaves)
        {
            if (strcmp(leaf->valuestring, move->valuestring) == 0) {
                found++;
                break;
            }
        }
    }
    found = found == cJSON_GetArraySize(expected) && found == cJSON_GetArraySize(leaves);
    cJSON_Delete(leaves);
    return found;
}

static bool same_members(const cJSON *expected, const cJSON *got, char *where)
{
    size_t len = strlen(where);
    const cJSON *member;

    cJSON_ArrayForEach(member, expected)
    {
        add_where(where, member->string);
        if (!same_json(member, cJSON_GetObjectItemCaseSensitive(got, member->string), where))
            return false;
        where[len] = '\0';
    }
    cJSON_ArrayForEach(member, got)
    {
        add_where(where, member->string);
        if (cJSON_GetObjectItemCaseSensitive(expected, member->string) == NULL)
            return false;
        where[len] = '\0';
    }
    return true;
}

static bool same_items(const cJSON *expected, const cJSON *got, char *where)
{
    const cJSON *item = got->child;
    size_t len = strlen(where);
    const cJSON *wanted;
    int i = 0;

    cJSON_ArrayForEach(wanted, expected)
    {
        char number[16];

        snprintf(number, sizeof(number), "%d", i++);
        add_where(where, number);
        if (!same_json(wanted, item, where))
            return false;
        item = item->next;
        where[len] = '\0';
    }
    add_where(where, "length");
    return item == NULL;
}

bool same_json(const cJSON *expected, const cJSON *got, char where[SAME_WHERE])
{
    if (got == NULL)
        return false;
    if (cJSON_IsRaw(expected))
        return !cJSON_IsNull(got);
    if (cJSON_IsArray(expected) && cJSON_IsObject(got))
        return same_leaves(expected, got);
    if (cJSON_IsObject(expected) && cJSON_IsObject(got))
        return same_members(expected, got, where);
    if (cJSON_IsArray(expected) && cJSON_IsArray(got))
        return same_items(expected, got, where);
    return cJSON_Compare(expected, got, true);
}
