/* xml.c - a small reader of XML (xml.h). */
#include "xml.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 16 };

struct reader {
    const char *text, *at;
    struct xml *xml;
    char open[DEPTH_MAX][XML_NAME_MAX];
    size_t depth;
    char reference[XML_IDS_MAX][XML_NAME_MAX];
    size_t references;
};

static bool fail(struct reader *r, const char *error)
{
    if (r->xml->error == NULL) {
        r->xml->error = error;
        r->xml->at = (size_t)(r->at - r->text);
    }
    return false;
}

static bool take(struct reader *r, const char *what)
{
    if (strncmp(r->at, what, strlen(what)) != 0)
        return false;
    r->at += strlen(what);
    return true;
}

static void skip_blanks(struct reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool read_name(struct reader *r, char name[XML_NAME_MAX])
{
    size_t n = 0;

    while (isalnum((unsigned char)r->at[n]) || r->at[n] == '-' || r->at[n] == ':')
        n++;
    if (n == 0 || n >= XML_NAME_MAX || !isalpha((unsigned char)*r->at))
        return fail(r, "a name is expected");
    memcpy(name, r->at, n);
    name[n] = '\0';
    r->at += n;
    return true;
}

/* Reads a text up to `stop`, in which nothing may look like an element or an entity. */
static bool read_text(struct reader *r, char stop, char *out, size_t size)
{
    size_t n = 0;

    for (; *r->at != stop; r->at++) {
        if (*r->at == '\0' || *r->at == '<' || *r->at == '&' ||
            ((unsigned char)*r->at < ' ' && *r->at != '\n'))
            return fail(r, "a character that must not be here");
        if (n + 1 < size)
            out[n++] = *r->at;
    }
    if (size > 0)
        out[n] = '\0';
    return true;
}

/* Where an id is in the table, or would be. */
static size_t slot_of(const struct xml *xml, const char *id)
{
    uint32_t hash = 5381;
    size_t slot;

    for (const char *at = id; *at != '\0'; at++)
        hash = hash * 33 + (unsigned char)*at;
    for (slot = hash % (2 * XML_IDS_MAX); xml->slot[slot] != 0;
         slot = (slot + 1) % (2 * XML_IDS_MAX))
        if (strcmp(xml->id[xml->slot[slot] - 1], id) == 0)
            break;
    return slot;
}

static bool note_id(struct reader *r, const char *id)
{
    struct xml *xml = r->xml;

    if (xml_has_id(xml, id))
        return fail(r, "an id that is there twice");
    if (xml->ids == XML_IDS_MAX)
        return fail(r, "too many ids");
    xml->slot[slot_of(xml, id)] = (uint16_t)(xml->ids + 1);
    snprintf(xml->id[xml->ids++], XML_NAME_MAX, "%s", id);
    return true;
}

static bool note_reference(struct reader *r, const char *to)
{
    if (to[0] != '#')
        return fail(r, "a reference to elsewhere");
    for (size_t i = 0; i < r->references; i++)
        if (strcmp(r->reference[i], to + 1) == 0)
            return true;
    if (r->references == XML_IDS_MAX)
        return fail(r, "too many references");
    snprintf(r->reference[r->references++], XML_NAME_MAX, "%s", to + 1);
    return true;
}

static bool read_attribute(struct reader *r, char seen[][XML_NAME_MAX], size_t n)
{
    char value[XML_NAME_MAX];

    if (!read_name(r, seen[n]))
        return false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(seen[i], seen[n]) == 0)
            return fail(r, "an attribute that is there twice");
    if (!take(r, "=\"") || !read_text(r, '"', value, sizeof(value)) || !take(r, "\""))
        return fail(r, "a value in quotation marks is expected");
    if (strncmp(seen[n], "on", 2) == 0)
        return fail(r, "a script");
    if (strcmp(seen[n], "id") == 0)
        return note_id(r, value);
    return strcmp(seen[n], "href") != 0 || note_reference(r, value);
}

/* Reads a tag from behind its '<'. */
static bool read_tag(struct reader *r)
{
    char name[XML_NAME_MAX], seen[16][XML_NAME_MAX];
    size_t n = 0;

    if (take(r, "/")) {
        if (!read_name(r, name) || r->depth == 0 || strcmp(r->open[r->depth - 1], name) != 0)
            return fail(r, "an end without its beginning");
        r->depth--;
        return take(r, ">") || fail(r, "'>' is expected");
    }
    if (!read_name(r, name))
        return false;
    if (strcmp(name, "script") == 0 || strcmp(name, "style") == 0 || strcmp(name, "image") == 0)
        return fail(r, "an element that a picture has no use for");
    r->xml->elements++;
    for (skip_blanks(r); *r->at != '>' && *r->at != '/'; skip_blanks(r))
        if (n == 16 || !read_attribute(r, seen, n++))
            return fail(r, "a bad attribute");
    if (take(r, "/>"))
        return true;
    if (r->depth == DEPTH_MAX)
        return fail(r, "too deep");
    memcpy(r->open[r->depth++], name, XML_NAME_MAX);
    return take(r, ">") || fail(r, "'>' is expected");
}

void xml_read(const char *text, struct xml *xml)
{
    static struct reader r;

    memset(&r, 0, sizeof(r));
    memset(xml, 0, sizeof(*xml));
    r.text = r.at = text;
    r.xml = xml;
    do {
        if (!take(&r, "<") && !fail(&r, "'<' is expected"))
            return;
        if (!read_tag(&r) || (r.depth > 0 && !read_text(&r, '<', NULL, 0)))
            return;
    } while (r.depth > 0);
    skip_blanks(&r);
    if (*r.at != '\0')
        fail(&r, "something behind the end");
    for (size_t i = 0; i < r.references; i++)
        if (!xml_has_id(xml, r.reference[i]))
            fail(&r, "a reference that leads nowhere");
}

bool xml_has_id(const struct xml *xml, const char *id)
{
    return xml->slot[slot_of(xml, id)] != 0;
}
