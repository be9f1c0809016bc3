#include "yaml_tree.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

static cJSON *convert(yaml_document_t *document, int index);

static cJSON *convert_scalar(const yaml_node_t *node)
{
    const char *text = (const char *)node->data.scalar.value;
    char *end;
    double number;

    if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return cJSON_CreateString(text);
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return cJSON_CreateBool(text[0] == 't');
    if (strcmp(text, "null") == 0 || strcmp(text, "~") == 0 || *text == '\0')
        return cJSON_CreateNull();
    number = strtod(text, &end);
    return *end == '\0' ? cJSON_CreateNumber(number) : cJSON_CreateString(text);
}

static cJSON *convert_mapping(yaml_document_t *document, const yaml_node_t *node)
{
    cJSON *object = cJSON_CreateObject();

    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(document, pair->key);

        cJSON_AddItemToObject(object, (const char *)key->data.scalar.value,
                              convert(document, pair->value));
    }
    return object;
}

static cJSON *convert_sequence(yaml_document_t *document, const yaml_node_t *node)
{
    cJSON *array = cJSON_CreateArray();

    for (yaml_node_item_t *item = node->data.sequence.items.start;
         item < node->data.sequence.items.top; item++)
        cJSON_AddItemToArray(array, convert(document, *item));
    return array;
}

static cJSON *convert(yaml_document_t *document, int index)
{
    const yaml_node_t *node = yaml_document_get_node(document, index);

    switch (node->type) {
    case YAML_MAPPING_NODE:
        return convert_mapping(document, node);
    case YAML_SEQUENCE_NODE:
        return convert_sequence(document, node);
    case YAML_SCALAR_NODE:
    case YAML_NO_NODE:
        break;
    }
    return convert_scalar(node);
}

cJSON *yaml_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    yaml_parser_t parser;
    yaml_document_t document;
    cJSON *tree;

    if (file == NULL || !yaml_parser_initialize(&parser)) {
        perror(path);
        exit(1);
    }
    yaml_parser_set_input_file(&parser, file);
    if (!yaml_parser_load(&parser, &document) || yaml_document_get_root_node(&document) == NULL) {
        fprintf(stderr, "%s:%zu: %s\n", path, parser.problem_mark.line + 1, parser.problem);
        exit(1);
    }
    tree = convert(&document, 1);
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    fclose(file);
    return tree;
}
