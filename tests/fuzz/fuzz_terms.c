/*
 * fuzz_terms.c - any bytes as what a game's clock, plans and offers are made of.
 *
 * Input: a byte that chooses the game, and a text. The text is the body of a request with the
 * member "clock" or "tree", the offers of a row, and the data of an event of every kind. What is
 * taken is written and read again as the same.
 */
#include "api/game/clock.h"
#include "api/game/event_data.h"
#include "api/game/offers.h"
#include "api/game/plans.h"
#include "fuzz.h"

static void check_clock(struct arena *arena, const struct json_value *body)
{
    struct db_game row = {.status = STATUS_ACTIVE, .to_move = 1, .deadline_at = 0};
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct clock clock, again;
    struct json_fields fields;
    struct clock_terms terms;

    json_fields(&fields, arena, body, &error);
    if (!clock_take(&fields, &terms))
        return;
    row.clock = clock_terms_text(arena, &terms);
    clock_init(&clock, &terms);
    clock_start(&clock, 1);
    clock_move(&clock, 1, 2);
    clock_store(arena, &clock, &row);
    must(clock_load(arena, &row, &again));
    must(strcmp(clock_terms_text(arena, &again.terms), row.clock) == 0);
    must(strcmp(clock_state_text(arena, &again.state), row.timing) == 0);
    must(row.deadline_at > 2 && row.deadline_at < DB_NEVER);
}

static void check_plan(struct arena *arena, const struct rules_game *game,
                       const struct json_value *body)
{
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct plan plan, again;
    struct json_fields fields;
    struct rules_options options;
    struct rules_state state;
    struct rules_refusal why;
    struct plan_fault fault;
    const char *text;

    json_fields(&fields, arena, body, &error);
    plans_take(&fields, &plan);
    if (!json_ok(&fields))
        return;
    must(plan.count > 0 && plan.count <= PLAN_BRANCHES_MAX);
    text = plans_text(arena, &plan);
    must(plans_load(arena, text, &again));
    must(strcmp(plans_text(arena, &again), text) == 0);

    rules_options_init(&options);
    must(rules_start(game, &options, NULL, &state, &why));
    if (!plans_judge(arena, game, &state, &plan, &again, &fault)) {
        must(fault.problem != PROBLEM_NONE && fault.pointer != NULL);
        return;
    }
    must(again.count == plan.count);
    must(plans_judge(arena, game, &state, &again, &plan, &fault));
    must(strcmp(plans_text(arena, &again), plans_text(arena, &plan)) == 0);
}

static void check_offers(struct arena *arena, const char *text)
{
    struct db_game row = {.offers = text};
    struct offers offers, again;

    if (!offers_load(arena, &row, &offers))
        return;
    must(offers.count <= OFFERS_MAX);
    row.offers = offers_text(arena, &offers);
    must(offers_load(arena, &row, &again) && again.count == offers.count);
    must(offers.count == 0 || strcmp(offers_text(arena, &again), row.offers) == 0);
}

static void check_forms(struct arena *arena, const char *text)
{
    for (int16_t kind = EVENT_MOVE; kind < EVENT_KINDS; kind++) {
        struct db_event event = {.kind = kind, .seat = 1, .data = text};
        struct event_data_write data;

        if (event_data_read(arena, &event, &data) && kind == EVENT_OFFERED)
            must(data.offer_kind >= OFFER_DRAW && data.offer_kind <= OFFER_KINDS);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct rules_game *game = fuzz_game(data, size);
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct arena arena = {NULL, NULL, NULL};
    struct json_value *body;
    char *text;

    if (game == NULL)
        return 0;
    text = fuzz_text(data, size);
    body = json_read_deep(&arena, text, strlen(text), PLAN_LEVELS, &error);
    if (body != NULL) {
        check_clock(&arena, body);
        check_plan(&arena, game, body);
    }
    check_offers(&arena, text);
    check_forms(&arena, text);
    json_free(body);
    arena_free(&arena);
    free(text);
    return 0;
}
