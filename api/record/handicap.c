#include "api/record/handicap.h"

#include <string.h>

#include "api/record/writer.h"

#define PAWNS "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL "

static const struct record_handicap handicaps[] = {
    {"hirate", "平手", "HIRATE", "lnsgkgsnl/1r5b1", false},
    {"lance", "香落ち", "KY", "lnsgkgsn1/1r5b1", false},
    {"right-lance", "右香落ち", "KY_R", "1nsgkgsnl/1r5b1", false},
    {"bishop", "角落ち", "KA", "lnsgkgsnl/1r7", false},
    {"rook", "飛車落ち", "HI", "lnsgkgsnl/7b1", false},
    {"rook-lance", "飛香落ち", "HIKY", "lnsgkgsn1/7b1", false},
    {"two-piece", "二枚落ち", "2", "lnsgkgsnl/9", false},
    {"three-piece", "三枚落ち", "3", "lnsgkgsn1/9", true},
    {"four-piece", "四枚落ち", "4", "1nsgkgsn1/9", false},
    {"five-piece", "五枚落ち", "5", "2sgkgsn1/9", true},
    {"left-five-piece", "左五枚落ち", "5_L", "1nsgkgs2/9", true},
    {"six-piece", "六枚落ち", "6", "2sgkgs2/9", false},
    {"right-seven-piece", "右七枚落ち", "7_R", "3gkgs2/9", true},
    {"left-seven-piece", "左七枚落ち", "7_L", "2sgkg3/9", true},
    {"eight-piece", "八枚落ち", "8", "3gkg3/9", false},
    {"ten-piece", "十枚落ち", "10", "4k4/9", false},
};
enum { HANDICAPS = sizeof(handicaps) / sizeof(handicaps[0]) };

/* Gote, who gives the handicap, moves first. Only in the even game, the first entry, Sente does. */
static const char *handicap_sfen(struct arena *arena, const struct record_handicap *handicap)
{
    return arena_format(arena, "%s%s%s - 1", handicap->camp, PAWNS,
                        handicap == handicaps ? "b" : "w");
}

static bool is_start(const char *position, const struct record_handicap *handicap)
{
    size_t camp = strlen(handicap->camp);

    return strncmp(position, handicap->camp, camp) == 0 &&
           strncmp(position + camp, PAWNS, strlen(PAWNS)) == 0 &&
           strcmp(position + camp + strlen(PAWNS), handicap == handicaps ? "b - 1" : "w - 1") == 0;
}

static const struct record_handicap *handicap_of(const char *position)
{
    for (size_t i = 0; i < HANDICAPS; i++)
        if (is_start(position, &handicaps[i]))
            return &handicaps[i];
    return NULL;
}

const struct record_handicap *record_handicap(const struct record *record)
{
    return handicap_of(record->start);
}

const struct record_handicap *record_common_handicap(const struct record *record)
{
    const struct record_handicap *handicap = record_handicap(record);

    return handicap == NULL || handicap->rare ? NULL : handicap;
}

bool record_is_handicap(const struct record *record)
{
    return handicap_of(record->start) > handicaps;
}

const struct record_handicap *record_handicap_of_kif(const char *name)
{
    for (size_t i = 0; i < HANDICAPS; i++)
        if (strcmp(handicaps[i].kif, name) == 0)
            return &handicaps[i];
    return NULL;
}

const struct record_handicap *record_handicap_of_jkf(const char *name)
{
    for (size_t i = 0; i < HANDICAPS; i++)
        if (strcmp(handicaps[i].jkf, name) == 0)
            return &handicaps[i];
    return NULL;
}

const char *record_handicap_name(const struct record_writing *writing)
{
    const struct record_handicap *handicap = record_common_handicap(writing->record);
    const char *text = record_as_read(writing, RECORD_SLOT_START);

    if (text != NULL && record_handicap_of_kif(text) == handicap)
        return text;
    return handicap == NULL ? NULL : handicap->kif;
}

bool record_start_handicap(struct record_reading *reading, const struct record_handicap *handicap)
{
    struct rules_refusal why;

    if (handicap->option == NULL)
        return record_start(reading, handicap_sfen(reading->arena, handicap));
    rules_option_set(reading->game, &reading->options, "start", handicap->option, &why);
    return record_start(reading, NULL);
}

/* A position that is a named start is replaced by the name, so that the game gets the option
 * "start" whether its record names the handicap or draws the board. The position is loaded under
 * the most permissive rules, because it is only compared here and judged later. */
bool record_start_sfen(struct record_reading *reading, const char *sfen)
{
    const struct record_handicap *handicap;
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    char text[RULES_POSITION_TEXT];

    rules_options_init(&options);
    rules_option_set(reading->game, &options, "rules", "casual", &why);
    if (!rules_start(reading->game, &options, sfen, &state, &why))
        return record_start(reading, sfen);
    reading->game->position_text(&state, text);
    handicap = handicap_of(text);
    return handicap != NULL ? record_start_handicap(reading, handicap)
                            : record_start(reading, sfen);
}
