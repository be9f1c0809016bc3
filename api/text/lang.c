#include "api/text/lang.h"

#include <string.h>
#include <strings.h>

#include "api/text/out.h"
#include "rules/module.h"

struct lang {
    const char *name;
    const struct lang_text *texts;
    size_t count;
};

static const struct lang_text en[] = {
#include "api/text/lang_en.def"
#include "api/text/pages_en.def"
};
static const struct lang_text ja[] = {
#include "api/text/lang_ja.def"
#include "api/text/pages_ja.def"
};
static const struct lang_text tr[] = {
#include "api/text/lang_tr.def"
#include "api/text/pages_tr.def"
};

static const struct lang languages[] = {
    {"en", en, sizeof(en) / sizeof(en[0])}, /* the first one: what others fall back to */
    {"ja", ja, sizeof(ja) / sizeof(ja[0])},
    {"tr", tr, sizeof(tr) / sizeof(tr[0])},
};

const char lang_expected[] = "en, ja or tr is expected.";

const struct lang *lang_find(const char *tag)
{
    size_t len = strcspn(tag, "-_");

    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
        if (strlen(languages[i].name) == len && strncasecmp(languages[i].name, tag, len) == 0)
            return &languages[i];
    return NULL;
}

const char *lang_tag(const struct lang *lang)
{
    return lang == NULL ? "en" : lang->name;
}

size_t lang_parts(void)
{
    return 1 + rules_games();
}

const struct lang_text *lang_texts(const struct lang *lang, size_t part, size_t *n)
{
    const struct rules_translation *translation;

    *n = lang->count;
    if (part == 0)
        return lang->texts;
    *n = 0;
    translation = rules_module(part - 1)->translations;
    for (; translation != NULL && translation->language != NULL; translation++)
        if (strcmp(translation->language, lang->name) == 0) {
            *n = translation->n;
            return translation->texts;
        }
    return NULL;
}

const char *lang_say(const struct lang *lang, enum lang_kind kind, const char *key,
                     const char *english)
{
    for (size_t part = 0; lang != NULL && part < lang_parts(); part++) {
        size_t n;
        const struct lang_text *texts = lang_texts(lang, part, &n);

        for (size_t i = 0; i < n; i++)
            if (texts[i].kind == kind && strcmp(texts[i].key, key) == 0)
                return texts[i].text;
    }
    return english;
}

const char *lang_word(const struct lang *lang, const char *key)
{
    return lang_say(lang, LANG_WORD, key, lang_say(&languages[0], LANG_WORD, key, key));
}

/* The text of the pairs for a place that is given without its braces; "" if there is none. */
static const char *filling(va_list pairs, const char *place, size_t len)
{
    const char *name, *text;

    while ((name = va_arg(pairs, const char *)) != NULL) {
        text = va_arg(pairs, const char *);
        if (strlen(name) == len && memcmp(name, place, len) == 0)
            return text;
    }
    return "";
}

const char *lang_fill_list(struct arena *arena, const struct lang *lang, const char *key,
                           va_list pairs)
{
    const char *at = lang_word(lang, key);
    struct out out;

    out_init_short(&out, arena);
    while (*at != '\0') {
        size_t plain = strcspn(at, "{"), len;
        va_list again;

        out_bytes(&out, at, plain);
        at += plain;
        if (*at == '\0')
            break;
        len = strcspn(at, "}") - 1;
        va_copy(again, pairs);
        out_add(&out, filling(again, at + 1, len));
        va_end(again);
        at += len + 2;
    }
    return out.text;
}

const char *lang_fill(struct arena *arena, const struct lang *lang, const char *key, ...)
{
    const char *text;
    va_list pairs;

    va_start(pairs, key);
    text = lang_fill_list(arena, lang, key, pairs);
    va_end(pairs);
    return text;
}
