/*
 * xml.h - a small reader of XML, as strict as pictures need it: elements, attributes, texts.
 */
#ifndef PLYD_TESTS_RULES_XML_H
#define PLYD_TESTS_RULES_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XML_IDS_MAX = 1024, XML_NAME_MAX = 64 };

/* What was found. `error` is NULL if the text is one well-formed element with unique ids whose
 * references to ids all lead somewhere. Otherwise it says what is wrong, at byte `at`. */
struct xml {
    const char *error;
    size_t at;
    size_t elements;
    size_t ids;
    char id[XML_IDS_MAX][XML_NAME_MAX];
    uint16_t slot[2 * XML_IDS_MAX]; /* of a table of the ids: the number of one, from 1, or 0 */
};

void xml_read(const char *text, struct xml *xml);

bool xml_has_id(const struct xml *xml, const char *id);

#endif
