#include "api/game/offers.h"

#include <string.h>

#include "api/game/words.h"
#include "api/text/json_fields.h"

static const char *const words[] = {[OFFER_DRAW] = "draw",
                                    [OFFER_UNDO] = "undo",
                                    [OFFER_ABORT] = "abort",
                                    [OFFER_TIME] = "time",
                                    [OFFER_PAUSE] = "pause"};

_Static_assert(sizeof(words) / sizeof(words[0]) == OFFER_KINDS + 1, "every kind has its word");

const struct offers offers_none = {.count = 0};

/* ---- as texts ---- */

const char *offers_word(enum offer_kind kind)
{
    return words[kind];
}

int offers_kind(const char *word)
{
    for (int kind = 1; kind <= OFFER_KINDS; kind++)
        if (strcmp(words[kind], word) == 0)
            return kind;
    return 0;
}

static bool takes_span(enum offer_kind kind)
{
    return kind == OFFER_TIME || kind == OFFER_PAUSE;
}

/* Reads what only some kinds have. */
static bool load_terms(struct json_fields *fields, struct offer *offer)
{
    int64_t number = 0;

    if (takes_span(offer->kind))
        return json_take_int(fields, "span_us", 1, JSON_TIME_MAX, &offer->span_us);
    if (offer->kind != OFFER_UNDO)
        return true;
    if (!json_take_int(fields, "to_ply", 0, INT32_MAX, &number))
        return false;
    offer->to_ply = (int32_t)number;
    return true;
}

static bool load_offer(struct json_fields *fields, struct offer *offer)
{
    int64_t id = 0, seat = 0;
    const char *word = "";

    *offer = (struct offer){.at = 0};
    if (!json_take_int(fields, "id", 1, INT32_MAX, &id) ||
        !json_take_string(fields, "kind", 16, &word) ||
        !json_take_int(fields, "seat", 1, DB_SEATS, &seat) ||
        !json_take_int(fields, "at", 0, JSON_TIME_MAX, &offer->at) || offers_kind(word) == 0)
        return false;
    offer->id = (int32_t)id;
    offer->seat = (int)seat;
    offer->kind = (enum offer_kind)offers_kind(word);
    return load_terms(fields, offer) && json_ok(fields);
}

/* Whether an offer fits behind those before it. */
static bool follows(const struct offers *offers, const struct offer *offer)
{
    return offers_of(offers, offer->kind, offer->seat) == NULL &&
           (offers->count == 0 || offers->offer[offers->count - 1].id < offer->id);
}

static bool load_list(struct json_fields *fields, struct offers *offers)
{
    const struct json_value *list;
    struct json_fields inner;
    struct offer offer;
    size_t count;

    if (!json_take_array(fields, "offers", OFFERS_MAX, &list, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!json_element_object(fields, list, "offers", i, &inner) ||
            !load_offer(&inner, &offer) || !follows(offers, &offer))
            return false;
        offers_add(offers, &offer);
    }
    return json_ok(fields);
}

bool offers_load(struct arena *arena, const struct db_game *row, struct offers *offers)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_fields fields;
    struct json_value *value;
    bool ok;

    offers->count = 0;
    if (row->offers == NULL)
        return true;
    value = json_read(arena, row->offers, strlen(row->offers), &error);
    if (value == NULL)
        return false;
    json_fields(&fields, arena, value, &error);
    ok = load_list(&fields, offers);
    json_free(value);
    return ok;
}

const char *offers_text(struct arena *arena, const struct offers *offers)
{
    struct json json;

    if (offers->count == 0)
        return NULL;
    json_init(&json, arena);
    json_open(&json, '{');
    json_key(&json, "offers");
    json_open(&json, '[');
    for (size_t i = 0; i < offers->count; i++) {
        const struct offer *offer = &offers->offer[i];

        json_open(&json, '{');
        json_member_int(&json, "id", offer->id);
        json_member(&json, "kind", offers_word(offer->kind));
        json_member_int(&json, "seat", offer->seat);
        json_member_int(&json, "at", offer->at);
        if (offer->kind == OFFER_UNDO)
            json_member_int(&json, "to_ply", offer->to_ply);
        if (takes_span(offer->kind))
            json_member_int(&json, "span_us", offer->span_us);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    return json.out.text;
}

const char *offers_data(struct arena *arena, const struct offer *offer)
{
    struct json json;

    json_init(&json, arena);
    json_member(&json, "kind", offers_word(offer->kind));
    if (offer->kind == OFFER_UNDO)
        json_member_int(&json, "to_ply", offer->to_ply);
    if (takes_span(offer->kind))
        json_member_int(&json, offer->kind == OFFER_TIME ? "add_us" : "for_us", offer->span_us);
    return json.out.text;
}

/* ---- their lives ---- */

const struct offer *offers_of(const struct offers *offers, enum offer_kind kind, int seat)
{
    for (size_t i = 0; i < offers->count; i++)
        if (offers->offer[i].kind == kind && offers->offer[i].seat == seat)
            return &offers->offer[i];
    return NULL;
}

const struct offer *offers_find(const struct offers *offers, int32_t id)
{
    for (size_t i = 0; i < offers->count; i++)
        if (offers->offer[i].id == id)
            return &offers->offer[i];
    return NULL;
}

void offers_add(struct offers *offers, const struct offer *offer)
{
    offers->offer[offers->count++] = *offer;
}

void offers_remove(struct offers *offers, int32_t id)
{
    size_t kept = 0;

    for (size_t i = 0; i < offers->count; i++)
        if (offers->offer[i].id != id)
            offers->offer[kept++] = offers->offer[i];
    offers->count = kept;
}

static void end_offers(struct offers *offers, struct json *json,
                       bool (*ends)(const struct offer *offer, int seat), int seat)
{
    size_t kept = 0;

    for (size_t i = 0; i < offers->count; i++) {
        if (!ends(&offers->offer[i], seat)) {
            offers->offer[kept++] = offers->offer[i];
            continue;
        }
        if (kept == i) { /* the first one that ends */
            json_key(json, "voids");
            json_open(json, '[');
        }
        json_int(json, offers->offer[i].id);
    }
    if (kept < offers->count)
        json_close(json, ']');
    offers->count = kept;
}

static bool by_jump(const struct offer *offer, int seat)
{
    (void)seat;
    return offer->kind == OFFER_UNDO;
}

static bool by_move(const struct offer *offer, int seat)
{
    return by_jump(offer, seat) ||
           ((offer->kind == OFFER_DRAW || offer->kind == OFFER_ABORT) && offer->seat != seat);
}

static bool by_anything(const struct offer *offer, int seat)
{
    (void)offer;
    (void)seat;
    return true;
}

void offers_end_by_move(struct offers *offers, int seat, struct json *json)
{
    end_offers(offers, json, by_move, seat);
}

void offers_end_by_jump(struct offers *offers, struct json *json)
{
    end_offers(offers, json, by_jump, 0);
}

void offers_end_all(struct offers *offers, struct json *json)
{
    end_offers(offers, json, by_anything, 0);
}

/* ---- what is shown ---- */

static void view_may(struct json *json, const struct offer *offer, unsigned seats)
{
    json_key(json, "may");
    json_open(json, '[');
    if ((seats & ~seat_bit(offer->seat)) != 0) {
        json_string(json, "accept");
        json_string(json, "decline");
    }
    if ((seats & seat_bit(offer->seat)) != 0)
        json_string(json, "withdraw");
    json_close(json, ']');
}

void offers_view_one(struct json *json, const struct offer *offer, unsigned seats)
{
    json_open(json, '{');
    json_member_int(json, "id", offer->id);
    json_member(json, "kind", offers_word(offer->kind));
    json_member_int(json, "seat", offer->seat);
    if (offer->kind == OFFER_UNDO)
        json_member_int(json, "to_ply", offer->to_ply);
    if (takes_span(offer->kind))
        json_member_seconds(json, offer->kind == OFFER_TIME ? "add_s" : "for_s", offer->span_us);
    json_member_time(json, "at", offer->at);
    if (seats != 0)
        view_may(json, offer, seats);
    json_close(json, '}');
}

void offers_view(struct json *json, const struct offers *offers, unsigned seats)
{
    json_open(json, '[');
    for (size_t i = 0; i < offers->count; i++)
        offers_view_one(json, &offers->offer[i], seats);
    json_close(json, ']');
}
