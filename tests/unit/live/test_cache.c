/* test_cache.c - games in memory: which are kept, and what a live game knows of its game. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/game/words.h"
#include "api/live/cache.h"
#include "api/text/must.h"
#include "tests/unit/played.h"

TestSuite(cache, .fini = played_free);

/* ---- which are kept ---- */

enum { IDS = 12, LIMIT = 5 };

static db_id id_of(size_t i)
{
    db_id id = {{0}};

    id.byte[0] = (uint8_t)(i + 1); /* all of them share a bucket */
    return id;
}

/* The games in memory, the most recently used one last, and those that somebody is at. */
struct model {
    size_t order[IDS + 1];
    size_t count;
    bool held[IDS];
};

static bool model_has(const struct model *model, size_t id)
{
    for (size_t i = 0; i < model->count; i++)
        if (model->order[i] == id)
            return true;
    return false;
}

static void model_remove(struct model *model, size_t id)
{
    size_t at = 0;

    for (size_t i = 0; i < model->count; i++)
        if (model->order[i] != id)
            model->order[at++] = model->order[i];
    model->count = at;
}

/* The oldest games that nobody is at make room for another. */
static void model_use(struct model *model, size_t id)
{
    for (size_t i = 0; !model_has(model, id) && i < model->count && model->count >= LIMIT;)
        if (model->held[model->order[i]])
            i++;
        else
            model_remove(model, model->order[i]);
    model_remove(model, id);
    model->order[model->count++] = id;
}

static void assert_same(const struct cache *cache, const struct model *model)
{
    const struct live_game *live = TAILQ_FIRST(&cache->used);

    cr_assert_eq(cache_count(cache), model->count);
    for (size_t i = 0; i < model->count; i++, live = TAILQ_NEXT(live, use)) {
        cr_assert_not_null(live);
        cr_assert_eq(live->row.id.byte[0], model->order[i] + 1);
    }
    cr_assert_null(live);
}

/* Somebody is at a live game while it is busy or has jobs. */
static void hold(struct live_game *live, size_t how)
{
    live->busy = how == 1;
    live->head = how == 2 ? (struct op *)live : NULL;
}

Test(cache, the_most_recently_used_games_are_kept_and_all_that_somebody_is_at)
{
    struct cache *cache = cache_open(NULL, LIMIT, 0, NULL, NULL);
    struct model model = {.count = 0};
    uint64_t seed = 2;

    for (int i = 0; i < 20000; i++) {
        size_t id = rules_choose(&seed, IDS), how = rules_choose(&seed, 5);
        bool known = model_has(&model, id);
        struct live_game *live = cache_find(cache, id_of(id));

        model_use(&model, id);
        assert_same(cache, &model);
        cr_assert_eq(cache_find(cache, id_of(id)), live);
        cr_assert(known || (!live->loaded && live->row.variant == NULL));
        cr_assert(known || live->confirmed == INT64_MIN, "nothing is known of it");
        hold(live, how);
        model.held[id] = how == 1 || how == 2;
        if (!model.held[id] && rules_choose(&seed, 10) == 0) {
            cache_forget(live);
            model_remove(&model, id);
            assert_same(cache, &model);
        }
    }
    cache_close(cache);
}

Test(cache, games_are_found_among_many)
{
    struct cache *cache = cache_open(NULL, 3000, 0, NULL, NULL);
    struct live_game *live[2000];
    uint64_t seed = 3;

    for (size_t i = 0; i < 2000; i++) {
        db_id id;

        for (size_t j = 0; j < sizeof(id.byte); j++)
            id.byte[j] = (uint8_t)rules_choose(&seed, 256);
        live[i] = cache_find(cache, id);
        cr_assert_eq(cache_count(cache), i + 1);
    }
    for (size_t i = 0; i < 2000; i++)
        cr_assert_eq(cache_find(cache, live[i]->row.id), live[i]);
    cr_assert_eq(cache_count(cache), 2000);
    cache_close(cache);
}

/* ---- what a live game knows ---- */

static struct cache *cache;

static struct live_game *open_table(const struct db_game *row)
{
    struct live_game *live;

    cache = cache_open(NULL, LIMIT, 0, NULL, NULL);
    live = cache_find(cache, row->id);
    cr_assert(live_take(live, row));
    return live;
}

/* A copy of a text that is overwritten and freed. */
static const char *borrow(const char *text)
{
    return text == NULL ? NULL : must_copy(text);
}

static void give_back(const char *text)
{
    if (text != NULL) {
        memset((char *)(uintptr_t)text, 'x', strlen(text));
        free((char *)(uintptr_t)text);
    }
}

static void assert_text(const char *is, const char *ought)
{
    cr_assert_eq(is == NULL, ought == NULL);
    if (ought != NULL)
        cr_assert_str_eq(is, ought);
}

static void assert_row(const struct db_game *is, const struct db_game *ought)
{
    assert_text(is->variant, ought->variant);
    assert_text(is->options, ought->options);
    assert_text(is->start, ought->start);
    assert_text(is->position, ought->position);
    assert_text(is->last_move, ought->last_move);
    assert_text(is->reason, ought->reason);
    for (int i = 0; i < DB_SEATS; i++) {
        assert_text(is->seat[i].name, ought->seat[i].name);
        assert_text(is->seat[i].engine, ought->seat[i].engine);
    }
    cr_assert_eq(is->version, ought->version);
    cr_assert_eq(is->ply, ought->ply);
    cr_assert_eq(is->status, ought->status);
}

/* The row with all of its texts in memory that goes away. */
static struct db_game borrow_row(const struct db_game *row)
{
    struct db_game copy = *row;

    copy.variant = borrow(row->variant);
    copy.options = borrow(row->options);
    copy.start = borrow(row->start);
    copy.position = borrow(row->position);
    copy.last_move = borrow(row->last_move);
    copy.reason = borrow(row->reason);
    for (int i = 0; i < DB_SEATS; i++) {
        copy.seat[i].name = borrow(row->seat[i].name);
        copy.seat[i].engine = borrow(row->seat[i].engine);
    }
    return copy;
}

static void give_back_row(const struct db_game *row)
{
    give_back(row->variant);
    give_back(row->options);
    give_back(row->start);
    give_back(row->position);
    give_back(row->last_move);
    give_back(row->reason);
    for (int i = 0; i < DB_SEATS; i++) {
        give_back(row->seat[i].name);
        give_back(row->seat[i].engine);
    }
}

static void takes_over(const char *variant, const char *options)
{
    struct played *game = arena_alloc(&played_arena, sizeof(*game));
    struct db_game row;
    struct live_game *live;

    played_start(game, variant, options);
    played_random(game, 6, 30);
    game->row.seat[0].name = "Ada";
    game->row.seat[1].engine = "random";
    row = borrow_row(&game->row);
    live = open_table(&row);
    give_back_row(&row);
    assert_row(&live->row, &game->row);
    cr_assert_eq(live->game, game->game);
    cr_assert_eq(live->game->key(live->state), game->keys[game->row.ply]);
    cr_assert_eq(live->nkeys, 1);
    cr_assert_eq(live->keys[0], game->keys[game->row.ply]);
    cr_assert_eq(live->keys_from, game->row.ply);
    cr_assert(rules_same_move(live->last, (rules_move){{0, 0}}));
    cache_close(cache);
}

Test(cache, a_table_takes_over_a_row_of_any_game_with_its_texts)
{
    played_each(takes_over);
}

Test(cache, a_table_is_taken_over_again_by_the_row_of_a_later_version)
{
    struct played game;
    struct live_game *live;

    played_start(&game, "shogi", "");
    live = open_table(&game.row);
    played_moves(&game, "7g7f 3c3d");
    live->shown = must_copy("{}");
    live->last = (rules_move){{1, 2}};
    cr_assert(live_take(live, &game.row));
    cr_assert(rules_same_move(live->last, (rules_move){{0, 0}}), "the row does not tell it");
    assert_row(&live->row, &game.row);
    cr_assert_eq(live->nkeys, 1);
    cr_assert_eq(live->keys[0], game.keys[2]);
    cr_assert_eq(live->keys_from, 2);
    cr_assert_null(live->shown, "it showed the version before");
    cache_close(cache);
}

Test(cache, a_row_that_cannot_be_read_is_refused)
{
    struct played game;
    struct db_game bad;
    struct live_game *live;

    played_start(&game, "shogi", "");
    live = open_table(&game.row);
    bad = game.row;
    bad.position = "nonsense";
    cr_assert_not(live_take(live, &bad));
    cr_assert_str_eq(live->row.position, "nonsense", "for the log");
    cache_close(cache);
}

#define OFFER "{\"offers\":[{\"id\":7,\"kind\":\"draw\",\"seat\":2,\"at\":9}]}"

static void give_clock(struct db_game *row, const char *timing)
{
    row->clock = "{\"kind\":\"days\",\"initial\":86400000000,\"first_move\":259200000000}";
    row->timing = timing;
}

Test(cache, a_table_has_read_the_clock_and_the_offers_of_its_row)
{
    struct played game;
    struct live_game *live, *copy;

    played_start(&game, "shogi", "");
    live = open_table(&game.row);
    cr_assert_null(live->clock);
    cr_assert_eq(live_offers(live)->count, 0);
    give_clock(&game.row, "{\"since\":5}");
    game.row.offers = OFFER;
    cr_assert(live_take(live, &game.row));
    copy = live_snapshot(live, &played_arena);
    cr_assert(live_take(live, &(struct db_game){
                                  .id = game.row.id,
                                  .variant = "shogi",
                                  .options = game.row.options,
                                  .start = game.row.start,
                                  .position = game.row.position,
                              }));
    cr_assert_null(live->clock);
    cr_assert_eq(live_offers(live)->count, 0);
    cr_assert_eq(copy->clock->terms.initial_us, CLOCK_DAY);
    cr_assert_eq(copy->clock->state.since, 5);
    cr_assert_eq(live_offers(copy)->offer[0].id, 7);
    cache_close(cache);
}

Test(cache, a_row_whose_clock_or_offers_cannot_be_read_is_refused)
{
    struct played game;
    struct db_game bad;
    struct live_game *live;

    played_start(&game, "shogi", "");
    live = open_table(&game.row);
    bad = game.row;
    give_clock(&bad, "{");
    cr_assert_not(live_take(live, &bad));
    bad = game.row;
    bad.offers = "[]";
    cr_assert_not(live_take(live, &bad));
    cache_close(cache);
}

/* ---- what was written ---- */

static struct live_write write_of(const struct played *game, int32_t kept, size_t new_keys)
{
    return (struct live_write){.after = game->row,
                               .state = (struct rules_state *)(uintptr_t)&game->state,
                               .keys_kept_to_ply = kept,
                               .new_keys = game->keys + kept + 1,
                               .nnew_keys = new_keys};
}

Test(cache, the_clock_and_the_offers_are_taken_over_as_they_were_written)
{
    struct played game;
    struct live_write write;
    struct live_game *live;

    played_start(&game, "shogi", "");
    give_clock(&game.row, "{\"since\":5}");
    game.row.offers = OFFER;
    live = open_table(&game.row);
    played_moves(&game, "7g7f");
    game.row.timing = "{\"since\":6}";
    game.row.offers = NULL;
    write = write_of(&game, 0, 1);
    live_apply(live, &write);
    cr_assert_eq(live->clock->state.since, 6);
    cr_assert_eq(live_offers(live)->count, 0);
    cache_close(cache);
}

Test(cache, a_move_is_taken_over_with_its_position_and_its_key)
{
    struct played game;
    struct live_write write;
    struct rules_refusal why;
    struct live_game *live;

    played_start(&game, "shogi", "");
    live = open_table(&game.row);
    live->shown = must_copy("{}");
    cr_assert(game.game->read_move(&game.state, "7g7f", &write.last, &why));
    played_moves(&game, "7g7f");
    {
        rules_move last = write.last;

        write = write_of(&game, 0, 1);
        write.last = last;
    }
    live_apply(live, &write);
    assert_row(&live->row, &game.row);
    cr_assert_eq(live->game->key(live->state), game.keys[1]);
    cr_assert(rules_same_move(live->last, write.last));
    cr_assert_eq(live->nkeys, 2);
    cr_assert_arr_eq(live->keys, game.keys, 2 * sizeof(game.keys[0]));
    cr_assert_null(live->shown);
    cache_close(cache);
}

Test(cache, the_texts_of_what_was_written_are_copied)
{
    struct played game;
    struct live_write write;
    struct live_game *live;

    played_start(&game, "tictactoe", "");
    game.row.seat[0].state = SEAT_OPEN;
    live = open_table(&game.row);
    played_moves(&game, "a1 a2 b1 b2 c1");
    cr_assert_not_null(game.row.reason);
    for (int joins = 0; joins < 2; joins++) {
        game.row.seat[0].name = joins ? "Ada" : NULL;
        write = write_of(&game, 0, 5);
        write.joins = joins;
        write.after = borrow_row(&game.row);
        live_apply(live, &write);
        give_back_row(&write.after);
        assert_row(&live->row, &game.row);
    }
    cache_close(cache);
}

Test(cache, who_joins_is_known_from_then_on)
{
    struct played game;
    struct live_write write;
    struct live_game *live;

    played_start(&game, "tictactoe", "");
    game.row.seat[1].state = SEAT_OPEN;
    live = open_table(&game.row);
    write = (struct live_write){.after = live->row, .joins = true};
    write.after.seat[1].state = SEAT_TAKEN;
    write.after.seat[1].name = borrow("Bob");
    live_apply(live, &write);
    give_back(write.after.seat[1].name);
    cr_assert_str_eq(live->row.seat[1].name, "Bob");
    cr_assert_eq(live->row.seat[1].state, SEAT_TAKEN);
    cache_close(cache);
}

Test(cache, what_changes_no_position_leaves_it_as_it_is)
{
    struct played game;
    struct live_write write;
    struct live_game *live;

    played_start(&game, "shogi", "");
    played_moves(&game, "7g7f");
    live = open_table(&game.row);
    write = (struct live_write){.after = live->row, .keys_kept_to_ply = 1};
    write.after.version++;
    write.after.status = STATUS_FINISHED;
    write.after.reason = "resign";
    live_apply(live, &write);
    cr_assert_str_eq(live->row.reason, "resign");
    cr_assert_eq(live->row.version, game.row.version + 1);
    cr_assert_str_eq(live->row.position, game.row.position);
    cr_assert_eq(live->game->key(live->state), game.keys[1]);
    cr_assert_eq(live->nkeys, 1);
    cr_assert_eq(live->keys_from, 1);
    cache_close(cache);
}

/* An undo to the start: the position that the row names is the live game's own text of the start.
 */
Test(cache, what_is_written_may_lie_in_the_table_itself)
{
    struct played game, start;
    struct live_write write;
    struct live_game *live;

    played_start(&start, "tictactoe", "");
    played_start(&game, "tictactoe", "");
    played_moves(&game, "a1 a2 b1 b2 c1");
    live = open_table(&game.row);
    write = (struct live_write){.after = live->row, .state = &start.state};
    write.after.ply = 0;
    write.after.status = STATUS_ACTIVE;
    write.after.reason = NULL;
    write.after.position = live->row.start;
    write.after.last_move = NULL;
    live_apply(live, &write);
    cr_assert_str_eq(live->row.position, start.row.position);
    cr_assert_str_eq(live->row.start, start.row.start);
    cr_assert_str_eq(live->row.variant, "tictactoe");
    cr_assert_null(live->row.reason);
    cr_assert_null(live->row.last_move);
    cache_close(cache);
}

/* ---- keys ---- */

static uint64_t key_of(int32_t ply, int line)
{
    return (uint64_t)ply * 1000 + (uint64_t)line;
}

/* Goes to any ply that was played and on with new moves. The keys that are left are those of the
 * line, without a gap up to the present ply; those of what was taken back are gone. */
Test(cache, keys_are_kept_up_to_where_the_game_went_back_and_follow_it_from_there)
{
    enum { PLIES = 60, NEW = 8 };
    struct played game;
    struct live_game *live;
    uint64_t line[PLIES + NEW], seed = 4;
    int32_t ply = 0, from = 0;

    played_start(&game, "shogi", "");
    live = open_table(&game.row);
    live->keys[0] = line[0] = key_of(0, 0);
    for (int i = 1; i < 5000; i++) {
        int32_t kept =
            rules_choose(&seed, 3) > 0 ? ply : (int32_t)rules_choose(&seed, (size_t)ply + 1);
        size_t more = rules_choose(&seed, NEW);
        struct live_write write = {.after = live->row, .keys_kept_to_ply = kept};
        uint64_t new_keys[NEW];

        if (kept + (int32_t)more >= PLIES)
            more = 0;
        for (size_t j = 0; j < more; j++)
            new_keys[j] = line[kept + 1 + (int32_t)j] = key_of(kept + 1 + (int32_t)j, i);
        ply = kept + (int32_t)more;
        write.after.ply = ply;
        write.new_keys = new_keys;
        write.nnew_keys = more;
        live_apply(live, &write);
        if (kept < from && more == 0)
            line[ply] = live->game->key(live->state); /* it knows that of the position alone */
        if (kept < from)
            from = more == 0 ? ply : kept + 1;
        cr_assert_eq(live->keys_from, from, "%d: %d, not %d", i, live->keys_from, from);
        cr_assert_eq(live->nkeys, (size_t)(ply - from) + 1);
        cr_assert_arr_eq(live->keys, line + from, live->nkeys * sizeof(line[0]));
        if (rules_choose(&seed, 20) == 0) { /* another daemon wrote: the row is read anew */
            game.row.ply = ply;
            cr_assert(live_take(live, &game.row));
            from = ply;
            line[ply] = live->keys[0];
        }
    }
    cache_close(cache);
}
