/*
 * yaml_tree.h - a YAML document as a cJSON tree: what openapi.yaml needs, anchors included.
 */
#ifndef PLYD_TESTS_SUPPORT_YAML_TREE_H
#define PLYD_TESTS_SUPPORT_YAML_TREE_H

struct cJSON;

/* The whole file; plain scalars that look like numbers, true, false or null are those, quoted ones
 * are texts. Ends the process if it cannot be read. The caller frees it. */
struct cJSON *yaml_read(const char *path);

#endif
