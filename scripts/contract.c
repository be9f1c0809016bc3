/*
 * contract.c - turns openapi.yaml into two other documents when plyd is built:
 *
 *   contract json openapi.yaml     the same document as JSON
 *   contract text openapi.yaml     its operations as a list for people at a terminal
 *
 * Anchors are followed. A key that appears twice in one mapping is an error, since YAML would
 * silently drop one of the two, and so is a key without a value, which is a comma too many. Plain
 * scalars that look like JSON's numbers, true, false and null become those. All other scalars are
 * texts.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

static const char *path;
static yaml_document_t document;

static _Noreturn void fail(size_t line, const char *what, const char *detail)
{
    fprintf(stderr, "%s:%zu: %s %s\n", path, line + 1, what, detail);
    exit(1);
}

static yaml_node_t *node_at(int index)
{
    return yaml_document_get_node(&document, index);
}

static const char *text_of(const yaml_node_t *node)
{
    return node != NULL && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value
                                                          : "";
}

/* The value of a key; NULL if the node is no mapping or has none. */
static yaml_node_t *get(const yaml_node_t *node, const char *key)
{
    if (node == NULL || node->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++)
        if (strcmp(text_of(node_at(pair->key)), key) == 0)
            return node_at(pair->value);
    return NULL;
}

/* ---- JSON ---- */

static void write_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if (*text == '\n')
            fputs("\\n", stdout);
        else if ((unsigned char)*text < ' ')
            printf("\\u%04x", (unsigned)*text);
        else
            putchar(*text);
    putchar('"');
}

/* -?digits[.digits][e[+-]digits], without needless zeros in front. */
static bool is_number(const char *text)
{
    static const char digits[] = "0123456789";
    size_t whole;

    text += *text == '-';
    whole = strspn(text, digits);
    if (whole == 0 || (text[0] == '0' && whole > 1))
        return false;
    text += whole;
    if (*text == '.') {
        if (strspn(text + 1, digits) == 0)
            return false;
        text += 1 + strspn(text + 1, digits);
    }
    if (*text == 'e' || *text == 'E') {
        text += 1 + (text[1] == '+' || text[1] == '-');
        if (strspn(text, digits) == 0)
            return false;
        text += strspn(text, digits);
    }
    return *text == '\0';
}

static void write_scalar(const yaml_node_t *node)
{
    const char *text = text_of(node);
    bool plain = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;

    if (plain && strcmp(text, "~") == 0)
        fputs("null", stdout);
    else if (plain && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0 ||
                       strcmp(text, "null") == 0 || is_number(text)))
        fputs(text, stdout);
    else
        write_text(text);
}

static void write_json(const yaml_node_t *node);

static void refuse_twice(const yaml_node_t *mapping, const yaml_node_pair_t *pair)
{
    const yaml_node_t *key = node_at(pair->key);

    for (yaml_node_pair_t *earlier = mapping->data.mapping.pairs.start; earlier < pair; earlier++)
        if (strcmp(text_of(node_at(earlier->key)), text_of(key)) == 0)
            fail(key->start_mark.line, "the key appears twice:", text_of(key));
}

/* A comma in a text without quotes ends that text inside of braces, and makes a key of the rest. */
static void refuse_empty(const yaml_node_pair_t *pair)
{
    const yaml_node_t *key = node_at(pair->key), *value = node_at(pair->value);

    if (value->type == YAML_SCALAR_NODE && value->data.scalar.length == 0 &&
        value->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        fail(key->start_mark.line, "the key has no value:", text_of(key));
}

static void write_mapping(const yaml_node_t *node)
{
    putchar('{');
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        refuse_twice(node, pair);
        refuse_empty(pair);
        if (pair > node->data.mapping.pairs.start)
            putchar(',');
        write_text(text_of(node_at(pair->key)));
        putchar(':');
        write_json(node_at(pair->value));
    }
    putchar('}');
}

static void write_json(const yaml_node_t *node)
{
    if (node->type == YAML_MAPPING_NODE) {
        write_mapping(node);
    } else if (node->type == YAML_SEQUENCE_NODE) {
        putchar('[');
        for (yaml_node_item_t *item = node->data.sequence.items.start;
             item < node->data.sequence.items.top; item++) {
            if (item > node->data.sequence.items.start)
                putchar(',');
            write_json(node_at(*item));
        }
        putchar(']');
    } else {
        write_scalar(node);
    }
}

/* ---- the list ---- */

static bool has_tag(const yaml_node_t *operation, const char *tag)
{
    const yaml_node_t *tags = get(operation, "tags");

    return tags != NULL && tags->type == YAML_SEQUENCE_NODE &&
           tags->data.sequence.items.start < tags->data.sequence.items.top &&
           strcmp(text_of(node_at(*tags->data.sequence.items.start)), tag) == 0;
}

static void list_operations(const yaml_node_t *root, const char *tag)
{
    static const char *const methods[] = {"get", "put", "post", "patch", "delete"};
    static const char *const names[] = {"GET", "PUT", "POST", "PATCH", "DELETE"};
    const yaml_node_t *paths = get(root, "paths");

    for (yaml_node_pair_t *pair = paths->data.mapping.pairs.start;
         pair < paths->data.mapping.pairs.top; pair++)
        for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
            const yaml_node_t *operation = get(node_at(pair->value), methods[i]);

            if (operation != NULL && has_tag(operation, tag))
                printf("  %-6s %-40s %s\n", names[i], text_of(node_at(pair->key)),
                       text_of(get(operation, "summary")));
        }
}

static void write_list(const yaml_node_t *root)
{
    const yaml_node_t *info = get(root, "info"), *tags = get(root, "tags");

    printf("%s %s\n%s\n", text_of(get(info, "title")), text_of(get(info, "version")),
           text_of(get(info, "summary")));
    for (yaml_node_item_t *item = tags->data.sequence.items.start;
         item < tags->data.sequence.items.top; item++) {
        const yaml_node_t *tag = node_at(*item);

        printf("\n%s\n", text_of(get(tag, "description")));
        list_operations(root, text_of(get(tag, "name")));
    }
    printf("\nGET /openapi.yaml and /openapi.json are the exact contract. GET /problems lists\n"
           "every problem code. GET /docs is a page for browsers.\n");
}

int main(int argc, char **argv)
{
    yaml_parser_t parser;
    FILE *file;

    if (argc != 3 || (strcmp(argv[1], "json") != 0 && strcmp(argv[1], "text") != 0)) {
        fprintf(stderr, "usage: contract json|text openapi.yaml\n");
        return 2;
    }
    path = argv[2];
    file = fopen(path, "rb");
    if (file == NULL || !yaml_parser_initialize(&parser)) {
        perror(path);
        return 1;
    }
    yaml_parser_set_input_file(&parser, file);
    if (!yaml_parser_load(&parser, &document))
        fail(parser.problem_mark.line, parser.problem, "");
    if (yaml_document_get_root_node(&document) == NULL)
        fail(0, "the file is empty", "");
    if (strcmp(argv[1], "json") == 0) {
        write_json(yaml_document_get_root_node(&document));
        putchar('\n');
    } else {
        write_list(yaml_document_get_root_node(&document));
    }
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    fclose(file);
    return fflush(stdout) == 0 ? 0 : 1;
}
