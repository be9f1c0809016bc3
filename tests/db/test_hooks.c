/* test_hooks.c - webhooks: which writes promise a look, what is to be sent, what was. */
#include <criterion/criterion.h>
#include <libpq-fe.h>
#include <string.h>

#include "bed.h"
#include "db/due.h"
#include "db/hooks.h"
#include "tests/support/pg.h"

static struct bed bed;
static struct db_player player;

static struct call done_call;

static void make_player(struct db_player *made)
{
    struct db_create_player request = {.player = made};

    *made = (struct db_player){.id = new_id(),
                               .name = "Ada",
                               .created_at = db_now(bed.db),
                               .left_at = DB_NEVER,
                               .joined = {.at = DB_NEVER}};
    memset(made->token, 7, sizeof(made->token));
    CALL(DB_OK, done, db_create_player, &request);
}

static void make(void)
{
    bed_make(&bed);
    make_player(&player);
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(hooks, .init = make, .fini = end);

static struct db_hook a_hook(void)
{
    struct db_hook hook = {.id = new_id(),
                           .created_at = db_now(bed.db),
                           .url = "https://example.com/hook",
                           .events = 2,
                           .old_until = DB_NEVER,
                           .test_at = DB_NEVER};

    memset(hook.secret, 3, sizeof(hook.secret));
    return hook;
}

static void create_hook(const struct db_hook *hook, enum db_outcome outcome)
{
    struct db_hook_write write = {.player = player.id, .hook = hook, .token = player.token};

    CALL(outcome, done, db_create_hook, &write);
}

static struct db_hook a_subscription(void)
{
    struct db_hook hook = a_hook();

    hook.kind = 1;
    memset(hook.secret, 0, sizeof(hook.secret));
    memset(hook.p256dh, 4, sizeof(hook.p256dh));
    memset(hook.auth, 5, sizeof(hook.auth));
    strcpy(hook.lang, "ja");
    hook.quiet_from = 22 * 60;
    hook.quiet_to = 7 * 60;
    hook.quiet_offset = -210;
    return hook;
}

static void subscribe(const struct db_hook *hook, enum db_outcome outcome)
{
    struct db_hook_write write = {.player = player.id, .hook = hook, .token = player.token};

    CALL(outcome, done, db_subscribe, &write);
}

static struct db_hook make_hook(void)
{
    struct db_hook hook = a_hook();

    create_hook(&hook, DB_OK);
    return hook;
}

static const struct call *hooks_of(db_id id)
{
    CALL(DB_OK, hooks, db_get_hooks, id);
    return &done_call;
}

static void end_hook(const struct db_hook *hook, int16_t kind, const char *url,
                     enum db_outcome outcome)
{
    struct db_hook_end end = {.player = player.id,
                              .hook = hook->id,
                              .kind = kind,
                              .url = url,
                              .due = {player.id, DB_DUE_HOOKS, db_now(bed.db)}};

    CALL(outcome, done, db_delete_hook, &end);
}

static const struct call *news(void)
{
    CALL(DB_OK, news, db_get_hook_news, player.id);
    return &done_call;
}

static void announce(db_id game, int32_t version, int64_t at, enum db_outcome outcome)
{
    struct db_announcement announcement = {player.id, game, version, at, at};

    CALL(outcome, done, db_announce, &announcement);
}

static const struct call *claim(void)
{
    struct db_claim wanted = {.daemon = {{1}},
                              .lease = db_now(bed.db) + 60000000,
                              .unheard = DB_NEVER,
                              .kinds = INT32_MAX};

    CALL(DB_OK, claimed, db_claim_due, &wanted);
    return &done_call;
}

static void settle(db_id id, int16_t kind, int64_t claimed_at, int64_t at)
{
    struct db_due due = {id, kind, at};

    CALL(DB_OK, done, db_settle_due, &due, claimed_at);
}

static struct db_game hooked_game(void)
{
    struct db_game game = new_game();

    game.hooks = 2;
    game.seat[0].has_player = true;
    game.seat[0].player = player.id;
    create(bed.db, &game);
    return game;
}

/* ---- promises ---- */

Test(hooks, a_game_with_hooks_promises_a_look_with_each_write)
{
    struct db_game game = hooked_game();
    const struct call *call = claim();

    cr_assert_eq(call->count, 1);
    cr_assert_eq(call->due[0].kind, DB_DUE_NEWS);
    cr_assert_arr_eq(&call->due[0].id, &game.id, sizeof(game.id));
    settle(game.id, DB_DUE_NEWS, call->due[0].at, DB_NEVER);
    cr_assert_eq(claim()->count, 0);
    play(bed.db, &game, "7g7f");
    cr_assert_eq(claim()->count, 1);
}

Test(hooks, a_game_without_hooks_promises_nothing)
{
    struct db_game game = new_game();

    create(bed.db, &game);
    play(bed.db, &game, "7g7f");
    assert_sql(bed.url, "select count(*) from due", "0");
}

Test(hooks, a_mark_counts_for_the_next_write_whatever_the_writer_knows)
{
    struct db_game game = new_game();
    struct db_due due = {.kind = DB_DUE_NEWS};

    create(bed.db, &game);
    due = (struct db_due){game.id, DB_DUE_NEWS, db_now(bed.db)};
    CALL(DB_OK, done, db_mark_game, game.id, 4, 0, &due);
    cr_assert_eq(claim()->count, 1);
    settle(game.id, DB_DUE_NEWS, due.at, DB_NEVER);
    play(bed.db, &game, "7g7f");
    cr_assert_eq(claim()->count, 1);
}

Test(hooks, marks_are_set_and_cleared_by_bits)
{
    struct db_game game = hooked_game();

    CALL(DB_OK, done, db_mark_game, game.id, 4, 0, NULL);
    CALL(DB_OK, game, db_get_game, game.id);
    cr_assert_eq(done_call.game.hooks, 6);
    CALL(DB_OK, done, db_mark_game, game.id, 0, 2, NULL);
    CALL(DB_OK, game, db_get_game, game.id);
    cr_assert_eq(done_call.game.hooks, 4);
    CALL(DB_NOT_FOUND, done, db_mark_game, new_id(), 2, 0, NULL);
}

Test(hooks, a_join_keeps_the_marks_that_it_does_not_know)
{
    struct db_game game = hooked_game();
    struct turn turn;

    CALL(DB_OK, done, db_mark_game, game.id, 4, 0, NULL);
    game.hooks = 0;
    turn_make(&turn, &game, "7g7f");
    CALL(DB_OK, done, db_join, &turn.append);
    CALL(DB_OK, game, db_get_game, game.id);
    cr_assert_eq(done_call.game.hooks, 6);
}

/* ---- whose turn it is ---- */

Test(hooks, a_game_keeps_its_turn_however_much_follows)
{
    struct db_game game = hooked_game();

    sql(bed.url, "update due set at = at - interval '1 minute',"
                 " leased_until = leased_until - interval '1 minute'");
    play(bed.db, &game, "7g7f");
    assert_sql(bed.url, "select leased_until < at from due", "t");
    settle(game.id, DB_DUE_NEWS, claim()->due[0].at, DB_NEVER);
    assert_sql(bed.url, "select count(*) from due", "0");
}

Test(hooks, a_player_has_the_turn_of_the_oldest_news_that_wait)
{
    int64_t now = db_now(bed.db);
    struct db_announcement news = {player.id, new_id(), 3, now, now - 60000000};

    make_hook();
    CALL(DB_OK, done, db_announce, &news);
    news = (struct db_announcement){player.id, new_id(), 4, now + 1, now};
    CALL(DB_OK, done, db_announce, &news);
    assert_sql(bed.url, "select at - leased_until = interval '60 seconds 1 microsecond' from due",
               "t");
    cr_assert_eq(claim()->count, 1);
    news = (struct db_announcement){player.id, new_id(), 5, now + 2, now};
    CALL(DB_OK, done, db_announce, &news);
    assert_sql(bed.url, "select leased_until > now() + interval '30 seconds' from due", "t");
}

/* ---- webhooks ---- */

Test(hooks, what_was_made_is_read_back)
{
    struct db_hook hook = make_hook();
    const struct call *call = hooks_of(player.id);
    const struct db_hook *read = &call->hooks[0];

    cr_assert_eq(call->count, 1);
    cr_assert_arr_eq(&read->id, &hook.id, sizeof(hook.id));
    cr_assert_str_eq(call->texts[0], hook.url);
    cr_assert_eq(read->created_at, hook.created_at);
    cr_assert_eq(read->events, 2);
    cr_assert_arr_eq(read->secret, hook.secret, sizeof(hook.secret));
    cr_assert_eq(read->old_until, DB_NEVER);
    cr_assert_eq(read->retry_at, DB_NEVER);
    cr_assert_eq(read->failing_since, DB_NEVER);
    cr_assert_eq(read->test_at, DB_NEVER);
    cr_assert_eq(read->took_ms, -1);
    CALL(DB_OK, player, db_get_player, player.id);
    cr_assert(done_call.player.hooks);
}

Test(hooks, an_id_is_taken_once)
{
    struct db_hook hook = make_hook();

    create_hook(&hook, DB_CONFLICT);
}

Test(hooks, a_player_has_no_more_than_the_bound)
{
    for (int i = 0; i < DB_HOOKS_MAX; i++)
        make_hook();
    struct db_hook hook = a_hook();

    create_hook(&hook, DB_CONFLICT);
    cr_assert_eq(hooks_of(player.id)->count, DB_HOOKS_MAX);
}

Test(hooks, a_change_needs_the_secret_that_was_expected)
{
    struct db_hook hook = make_hook();
    uint8_t expected[DB_SECRET_BYTES];
    struct db_hook_write write = {
        .player = player.id, .hook = &hook, .token = player.token, .expected = expected};

    memcpy(expected, hook.secret, sizeof(expected));
    memcpy(hook.old_secret, hook.secret, sizeof(hook.secret));
    memset(hook.secret, 4, sizeof(hook.secret));
    hook.old_until = 4711;
    hook.url = "http://example.com/";
    hook.events = 0;
    hook.disabled = 2;
    hook.test_at = 4712;
    CALL(DB_OK, done, db_set_hook, &write);
    CALL(DB_CONFLICT, done, db_set_hook, &write);
    const struct call *call = hooks_of(player.id);
    cr_assert_str_eq(call->texts[0], hook.url);
    cr_assert_eq(call->hooks[0].events, 0);
    cr_assert_arr_eq(call->hooks[0].secret, hook.secret, sizeof(hook.secret));
    cr_assert_arr_eq(call->hooks[0].old_secret, expected, sizeof(expected));
    cr_assert_eq(call->hooks[0].old_until, 4711);
    cr_assert_eq(call->hooks[0].disabled, 2);
    cr_assert_eq(call->hooks[0].test_at, 4712);
    hook.id = new_id();
    CALL(DB_NOT_FOUND, done, db_set_hook, &write);
}

Test(hooks, none_is_changed_by_a_token_that_the_player_has_no_more)
{
    struct db_hook hook = make_hook(), changed = hook;
    const uint8_t old[DB_HASH_BYTES] = {4, 7, 1, 1};
    struct db_hook_write write = {
        .player = player.id, .hook = &changed, .token = old, .expected = hook.secret};

    changed.url = "http://example.org/";
    CALL(DB_CONFLICT, done, db_set_hook, &write);
    cr_assert_str_eq(hooks_of(player.id)->texts[0], hook.url);
}

Test(hooks, deleting_one_takes_all_that_is_known_of_it)
{
    struct db_hook hook = make_hook(), other = make_hook();

    announce(new_id(), 3, db_now(bed.db), DB_OK);
    end_hook(&hook, 0, NULL, DB_OK);
    end_hook(&hook, 0, NULL, DB_NOT_FOUND);
    cr_assert_eq(hooks_of(player.id)->count, 1);
    cr_assert_arr_eq(&done_call.hooks[0].id, &other.id, sizeof(other.id));
    assert_sql(bed.url, "select count(*) from webhook_games", "1");
}

Test(hooks, a_player_who_leaves_loses_theirs)
{
    struct db_player left = player;

    make_hook();
    announce(new_id(), 3, db_now(bed.db), DB_OK);
    left.left_at = 4711;
    CALL(DB_OK, done, db_set_player, &(struct db_player_change){.had = &player, .player = &left});
    assert_sql(bed.url,
               "select (select count(*) from webhooks) + (select count(*) from webhook_games)",
               "0");
    create_hook(&(struct db_hook){.id = new_id(), .url = "https://example.com"}, DB_CONFLICT);
}

/* Of a promise, too: it is one to look at what is there no more. */
Test(hooks, a_player_who_leaves_leaves_no_trace_of_theirs)
{
    struct db_player left = player;
    struct db_hook hook = make_hook();
    struct db_delivery delivery = {.at = 1, .retry_at = DB_NEVER};
    struct db_delivered delivered = {.player = player.id,
                                     .hook = hook.id,
                                     .url = hook.url,
                                     .delivery = &delivery,
                                     .counts = true};

    CALL(DB_OK, done, db_note_delivered, &delivered);
    announce(new_id(), 3, db_now(bed.db), DB_OK);
    sql(bed.url,
        "insert into due (id, kind, at, leased_until) select id, 2, now(), now() from due");
    left.left_at = 4711;
    CALL(DB_OK, done, db_set_player, &(struct db_player_change){.had = &player, .player = &left});
    assert_sql(bed.url, "select count(*) from deliveries", "0");
    assert_sql(bed.url, "select string_agg(kind::text, ' ') from due", "2");
}

Test(hooks, a_player_who_stays_keeps_theirs)
{
    struct db_player renamed = player;

    make_hook();
    renamed.name = "Bo";
    CALL(DB_OK, done, db_set_player,
         &(struct db_player_change){.had = &player, .player = &renamed});
    cr_assert_eq(hooks_of(player.id)->count, 1);
}

static size_t hooks_after_change(bool ends_hooks)
{
    struct db_player player_now = player;
    struct db_player_change change = {
        .had = &player, .player = &player_now, .ends_hooks = ends_hooks};

    make_hook();
    memset(player_now.token, 9, sizeof(player_now.token));
    CALL(DB_OK, done, db_set_player, &change);
    return hooks_of(player.id)->count;
}

Test(hooks, with_a_change_that_says_so_theirs_are_gone)
{
    cr_assert_eq(hooks_after_change(true), 0);
}

Test(hooks, with_another_token_alone_theirs_stay)
{
    cr_assert_eq(hooks_after_change(false), 1);
}

/* Gives the player a token beside their own one: its hash is all ones. */
static const uint8_t *make_named(void)
{
    static struct db_player named;

    named = player;
    named.ntokens = 2;
    memset(named.tokens[1], 1, DB_HASH_BYTES);
    CALL(DB_OK, done, db_set_player, &(struct db_player_change){.had = &player, .player = &named});
    return named.tokens[1];
}

Test(hooks, one_is_made_and_set_by_any_token_of_the_player)
{
    struct db_hook hook = a_hook();
    struct db_hook_write write = {
        .player = player.id, .hook = &hook, .token = make_named(), .expected = hook.secret};

    CALL(DB_OK, done, db_create_hook, &write);
    CALL(DB_OK, done, db_set_hook, &write);
}

/* An old daemon has replaced the player's own token, and knows of no other ones. */
Test(hooks, none_is_made_by_a_token_that_has_ended_with_the_players_own)
{
    struct db_hook hook = a_hook();
    struct db_hook_write write = {.player = player.id, .hook = &hook, .token = make_named()};

    sql(bed.url, "update players set token = decode(repeat('09', 32), 'hex')");
    CALL(DB_CONFLICT, done, db_create_hook, &write);
}

Test(hooks, none_is_made_by_a_token_that_the_player_has_no_more)
{
    struct db_hook hook = a_hook();
    const uint8_t old[DB_HASH_BYTES] = {4, 7, 1, 1};
    struct db_hook_write write = {.player = player.id, .hook = &hook, .token = old};

    CALL(DB_CONFLICT, done, db_create_hook, &write);
    cr_assert_eq(hooks_of(player.id)->count, 0);
}

static void end_hook_by(const struct db_hook *hook, const uint8_t *token, enum db_outcome outcome)
{
    struct db_hook_end end = {.player = player.id,
                              .hook = hook->id,
                              .token = token,
                              .due = {player.id, DB_DUE_HOOKS, db_now(bed.db)}};

    CALL(outcome, done, db_delete_hook, &end);
}

Test(hooks, none_is_deleted_by_a_token_that_the_player_has_no_more)
{
    struct db_hook hook = make_hook(), other = make_hook();
    const uint8_t old[DB_HASH_BYTES] = {4, 7, 1, 1};

    end_hook_by(&hook, old, DB_CONFLICT);
    cr_assert_eq(hooks_of(player.id)->count, 2);
    end_hook_by(&hook, player.token, DB_OK);
    end_hook_by(&hook, player.token, DB_NOT_FOUND);
    end_hook_by(&other, make_named(), DB_OK);
}

/* ---- receivers that are confirmed ---- */

enum { OTHER_KIND = 2 };

static struct db_hook a_receiver(const char *url, uint8_t secret)
{
    struct db_hook hook = a_hook();

    hook.kind = OTHER_KIND;
    hook.url = url;
    hook.quiet_from = -1;
    hook.id = player.id;
    memset(hook.secret, secret, sizeof(hook.secret));
    return hook;
}

static void name_receiver(const struct db_hook *hook)
{
    struct db_due looks = {player.id, DB_DUE_HOOKS, db_now(bed.db)},
                  also = {player.id, DB_DUE_HOOKS + 1, db_now(bed.db)};
    struct db_hook_write write = {
        .player = player.id, .hook = hook, .token = player.token, .due = &looks, .also = &also};

    CALL(DB_OK, done, db_subscribe, &write);
}

static void confirm(const struct db_hook *hook, int64_t at, enum db_outcome outcome)
{
    struct db_due due = {player.id, DB_DUE_HOOKS, at};
    struct db_confirmation confirmation = {player.id, hook->id, hook->secret, at, &due};

    CALL(outcome, done, db_confirm_hook, &confirmation);
}

Test(hooks, one_is_confirmed_by_its_secret_and_once)
{
    struct db_hook hook = a_receiver("mailto:ada@example.org", 5), other = hook;

    hook.test_at = 4711;
    name_receiver(&hook);
    assert_sql(bed.url, "select count(*) from due", "2");
    cr_assert_eq(hooks_of(player.id)->hooks[0].confirmed_at, DB_NEVER);
    other.secret[0]++;
    confirm(&other, 1, DB_NOT_FOUND);
    confirm(&hook, 5, DB_OK);
    cr_assert_eq(hooks_of(player.id)->hooks[0].confirmed_at, 5);
    cr_assert_eq(done_call.hooks[0].test_at, DB_NEVER);
    confirm(&hook, 6, DB_OK);
    cr_assert_eq(hooks_of(player.id)->hooks[0].confirmed_at, 5);
}

Test(hooks, one_with_the_same_url_keeps_what_it_has_and_one_with_another_does_not)
{
    struct db_hook first = a_receiver("mailto:ada@example.org", 5),
                   same = a_receiver("mailto:ada@example.org", 6),
                   other = a_receiver("mailto:mia@example.org", 7);
    const struct db_hook *read = &done_call.hooks[0];

    first.test_at = 4711;
    name_receiver(&first);
    same.created_at++;
    name_receiver(&same);
    hooks_of(player.id);
    cr_assert_eq(read->test_at, 4711);
    cr_assert_eq(read->created_at, first.created_at);
    cr_assert_arr_eq(read->secret, first.secret, sizeof(first.secret));
    confirm(&first, 5, DB_OK);
    name_receiver(&same);
    cr_assert_eq(hooks_of(player.id)->hooks[0].confirmed_at, 5);
    other.test_at = 4712;
    other.created_at += 2;
    name_receiver(&other);
    hooks_of(player.id);
    cr_assert_eq(read->confirmed_at, DB_NEVER);
    cr_assert_eq(read->test_at, 4712);
    cr_assert_eq(read->created_at, other.created_at);
    cr_assert_arr_eq(read->secret, other.secret, sizeof(other.secret));
    cr_assert_eq(done_call.count, 1);
}

Test(hooks, a_test_that_failed_may_be_asked_for_again)
{
    struct db_hook hook = a_receiver("mailto:ada@example.org", 5);
    struct db_delivery delivery = {.at = 1, .retry_at = 4713};
    struct db_delivered delivered = {.player = player.id,
                                     .hook = hook.id,
                                     .url = hook.url,
                                     .sent = -1,
                                     .delivery = &delivery,
                                     .counts = true,
                                     .failures = 1,
                                     .tests_again = true};

    hook.test_at = 4711;
    name_receiver(&hook);
    CALL(DB_OK, done, db_note_delivered, &delivered);
    cr_assert_eq(hooks_of(player.id)->hooks[0].test_at, 4711);
    cr_assert_eq(done_call.hooks[0].retry_at, 4713);
    delivered.tests_again = false;
    CALL(DB_OK, done, db_note_delivered, &delivered);
    cr_assert_eq(hooks_of(player.id)->hooks[0].test_at, DB_NEVER);
}

/* ---- news ---- */

Test(hooks, without_webhooks_there_is_nothing_to_announce)
{
    announce(new_id(), 3, db_now(bed.db), DB_NOT_FOUND);
    assert_sql(bed.url, "select count(*) from due", "0");
}

Test(hooks, news_wait_until_they_were_sent)
{
    struct db_hook hook = make_hook();
    db_id game = new_id();
    int64_t at = db_now(bed.db);
    struct db_delivery delivery = {.has_game = true, .game = game, .retry_at = DB_NEVER};
    struct db_delivered delivered = {
        .player = player.id, .hook = hook.id, .url = hook.url, .delivery = &delivery};

    announce(game, 3, at, DB_OK);
    announce(game, 5, at + 1, DB_OK);
    announce(game, 4, at + 2, DB_OK);
    cr_assert_eq(news()->count, 1);
    cr_assert_eq(done_call.hook_news[0].sent, -1);
    cr_assert_eq(done_call.hook_news[0].known, 5);
    cr_assert_eq(done_call.hook_news[0].since, at);
    delivered.sent = 4;
    CALL(DB_OK, done, db_note_delivered, &delivered);
    cr_assert_eq(news()->hook_news[0].sent, 4);
    delivered.sent = 2; /* somebody is late */
    CALL(DB_OK, done, db_note_delivered, &delivered);
    cr_assert_eq(news()->hook_news[0].sent, 4);
    delivered.sent = 5;
    CALL(DB_OK, done, db_note_delivered, &delivered);
    cr_assert_eq(news()->count, 0);
    assert_sql(bed.url, "select count(*) from deliveries", "0");
}

Test(hooks, news_are_as_old_as_the_first_that_was_not_sent)
{
    struct db_hook hook = make_hook();
    db_id game = new_id();
    int64_t at = db_now(bed.db);
    struct db_delivery delivery = {.has_game = true, .game = game, .retry_at = DB_NEVER};
    struct db_delivered delivered = {
        .player = player.id, .hook = hook.id, .url = hook.url, .delivery = &delivery, .sent = 3};

    announce(game, 3, at, DB_OK);
    CALL(DB_OK, done, db_note_delivered, &delivered);
    announce(game, 4, at + 7, DB_OK);
    announce(game, 5, at + 9, DB_OK);
    cr_assert_eq(news()->hook_news[0].since, at + 7);
    cr_assert_eq(done_call.hook_news[0].sent, 3);
}

Test(hooks, no_webhook_crowds_out_another_one)
{
    struct db_hook hook = make_hook();
    int64_t at = db_now(bed.db);

    for (int i = 0; i < DB_HOOK_NEWS_MAX + 4; i++)
        announce(new_id(), 1, at + i, DB_OK);
    struct db_hook other = make_hook();
    announce(new_id(), 1, at + 100, DB_OK);
    cr_assert_eq(news()->count, DB_HOOK_NEWS_MAX + 1);
    cr_assert_arr_eq(&done_call.hook_news[0].hook, &hook.id, sizeof(hook.id));
    cr_assert_arr_eq(&done_call.hook_news[DB_HOOK_NEWS_MAX].hook, &other.id, sizeof(other.id));
}

Test(hooks, news_promise_a_look_at_the_player)
{
    int64_t at = db_now(bed.db);

    make_hook();
    announce(new_id(), 3, at, DB_OK);
    cr_assert_eq(claim()->count, 1);
    cr_assert_eq(done_call.due[0].kind, DB_DUE_HOOKS);
    cr_assert_eq(done_call.due[0].at, at);
    cr_assert_arr_eq(&done_call.due[0].id, &player.id, sizeof(player.id));
}

Test(hooks, whoever_is_at_work_stays_alone_and_then_another_look_is_due)
{
    int64_t at = db_now(bed.db);

    make_hook();
    announce(new_id(), 3, at - 2, DB_OK);
    cr_assert_eq(claim()->count, 1);
    announce(new_id(), 3, at - 1, DB_OK);
    cr_assert_eq(claim()->count, 0);
    settle(player.id, DB_DUE_HOOKS, at - 2, at + 3600000000);
    cr_assert_eq(claim()->count, 1);
    cr_assert_eq(done_call.due[0].at, at - 1);
    settle(player.id, DB_DUE_HOOKS, at - 1, DB_NEVER);
    assert_sql(bed.url, "select count(*) from due", "0");
}

/* The news are not committed yet when the settlement looks. */
Test(hooks, a_settlement_that_meets_news_ends_the_lease)
{
    int64_t at = db_now(bed.db);
    struct db_due due = {player.id, DB_DUE_HOOKS, at + 3600000000};
    struct call settled = {.calls = 0};
    PGconn *other = PQconnectdb(bed.url);

    PG_PLAIN_ONLY("it looks at the locks of one server");
    make_hook();
    announce(new_id(), 3, at - 2, DB_OK);
    cr_assert_eq(claim()->count, 1);
    PQclear(PQexec(other, "begin"));
    PQclear(PQexec(other, "update due set at = at + interval '1 second'"));
    db_settle_due(bed.db, &due, at - 2, on_done, &settled);
    run_until_sent(bed.db);
    wait_for_locks(bed.url, "1");
    PQclear(PQexec(other, "commit"));
    PQfinish(other);
    run_until_done(bed.db, &settled);
    assert_sql(bed.url, "select leased_until = at and at < now() + interval '1 minute' from due",
               "t");
}

Test(hooks, news_come_before_a_retry_that_is_far_away)
{
    int64_t at = db_now(bed.db);

    make_hook();
    announce(new_id(), 3, at - 2, DB_OK);
    cr_assert_eq(claim()->count, 1);
    settle(player.id, DB_DUE_HOOKS, at - 2, at + 3600000000);
    cr_assert_eq(claim()->count, 0);
    announce(new_id(), 3, at - 1, DB_OK);
    cr_assert_eq(claim()->count, 1);
}

/* ---- how many games wait ---- */

static void note_waits(const struct db_hook *hook, db_id game, int32_t sent, bool waits)
{
    struct db_delivery delivery = {.has_game = true, .game = game, .retry_at = DB_NEVER};
    struct db_delivered delivered = {.player = player.id,
                                     .hook = hook->id,
                                     .url = hook->url,
                                     .delivery = &delivery,
                                     .sent = sent,
                                     .waits = waits};

    CALL(DB_OK, done, db_note_delivered, &delivered);
}

static int waiting(void)
{
    return hooks_of(player.id)->hooks[0].waiting;
}

Test(hooks, games_wait_as_was_noted_last)
{
    struct db_hook hook = make_hook();
    db_id one = new_id(), other = new_id();

    announce(one, 3, db_now(bed.db), DB_OK);
    announce(other, 3, db_now(bed.db), DB_OK);
    cr_assert_eq(waiting(), 0);
    note_waits(&hook, one, 3, true);
    note_waits(&hook, other, 3, true);
    cr_assert_eq(waiting(), 2);
    note_waits(&hook, other, 2, false); /* somebody is late */
    cr_assert_eq(waiting(), 2);
    announce(one, 4, db_now(bed.db), DB_OK);
    cr_assert(news()->hook_news[0].waits);
    note_waits(&hook, one, 4, false);
    cr_assert_eq(waiting(), 1);
}

/* ---- deliveries ---- */

static void note(const struct db_hook *hook, struct db_delivery delivery, int32_t failures,
                 int16_t disabled)
{
    struct db_delivered delivered = {.player = player.id,
                                     .hook = hook->id,
                                     .url = hook->url,
                                     .sent = -1,
                                     .delivery = &delivery,
                                     .counts = true,
                                     .failures = failures,
                                     .disabled = disabled};

    CALL(DB_OK, done, db_note_delivered, &delivered);
}

Test(hooks, an_attempt_is_noted)
{
    struct db_hook hook = make_hook();
    struct db_delivery delivery = {.has_game = true,
                                   .game = new_id(),
                                   .version = 17,
                                   .kind = 1,
                                   .at = 4711,
                                   .took_ms = 12,
                                   .status = 500,
                                   .failure = 3,
                                   .retry_at = 4712};
    const struct db_delivery *read = done_call.deliveries;

    note(&hook, delivery, 1, 0);
    CALL(DB_OK, deliveries, db_get_deliveries, player.id, hook.id);
    cr_assert_eq(done_call.count, 1);
    cr_assert_eq(read->number, 1);
    cr_assert(read->has_game);
    cr_assert_arr_eq(&read->game, &delivery.game, sizeof(delivery.game));
    cr_assert_eq(read->version, 17);
    cr_assert_eq(read->kind, 1);
    cr_assert_eq(read->at, 4711);
    cr_assert_eq(read->took_ms, 12);
    cr_assert_eq(read->status, 500);
    cr_assert_eq(read->failure, 3);
    cr_assert_eq(read->retry_at, 4712);
}

Test(hooks, failures_are_counted_since_the_first_and_forgotten_with_a_success)
{
    struct db_hook hook = make_hook();
    struct db_delivery failed = {.has_game = true, .at = 10, .failure = 3, .retry_at = 4712};

    note(&hook, failed, 1, 0);
    failed.at = 20;
    failed.took_ms = 5;
    note(&hook, failed, 2, 9);
    const struct db_hook *read = hooks_of(player.id)->hooks;
    cr_assert_eq(read->failures, 2);
    cr_assert_eq(read->failing_since, 10);
    cr_assert_eq(read->retry_at, 4712);
    cr_assert_eq(read->disabled, 9);
    cr_assert_eq(read->attempts, 2);
    cr_assert_eq(read->took_ms, 5);
    note(&hook, (struct db_delivery){.has_game = true, .at = 30, .retry_at = DB_NEVER}, 0, 0);
    hooks_of(player.id);
    cr_assert_eq(read->failures, 0);
    cr_assert_eq(read->failing_since, DB_NEVER);
    cr_assert_eq(read->retry_at, DB_NEVER);
    cr_assert_eq(read->disabled, 9);
}

Test(hooks, that_it_has_come_to_a_version_without_an_attempt_says_nothing_of_its_failures)
{
    struct db_hook hook = make_hook();
    struct db_delivery failed = {
        .has_game = true, .at = 10, .took_ms = 5, .failure = 3, .retry_at = 4712};
    struct db_delivery none = {.has_game = true, .game = new_id(), .retry_at = DB_NEVER};
    struct db_delivered passed = {
        .player = player.id, .hook = hook.id, .url = hook.url, .delivery = &none, .sent = 3};

    note(&hook, failed, 1, 0);
    CALL(DB_OK, done, db_note_delivered, &passed);
    const struct db_hook *read = hooks_of(player.id)->hooks;
    cr_assert_eq(read->failures, 1);
    cr_assert_eq(read->failing_since, 10);
    cr_assert_eq(read->retry_at, 4712);
    cr_assert_eq(read->took_ms, 5);
    cr_assert_eq(read->attempts, 1);
}

Test(hooks, a_test_is_asked_for_until_it_was_tried)
{
    struct db_hook hook = make_hook();
    struct db_hook_write write = {
        .player = player.id, .hook = &hook, .token = player.token, .expected = hook.secret};

    hook.test_at = 4711;
    CALL(DB_OK, done, db_set_hook, &write);
    note(&hook, (struct db_delivery){.has_game = true, .retry_at = DB_NEVER}, 0, 0);
    cr_assert_eq(hooks_of(player.id)->hooks[0].test_at, 4711);
    note(&hook, (struct db_delivery){.has_game = false, .retry_at = DB_NEVER}, 0, 0);
    cr_assert_eq(hooks_of(player.id)->hooks[0].test_at, DB_NEVER);
}

Test(hooks, a_change_that_asks_for_no_test_leaves_the_one_that_was_asked_for)
{
    struct db_hook hook = make_hook();
    struct db_hook_write write = {
        .player = player.id, .hook = &hook, .token = player.token, .expected = hook.secret};

    hook.test_at = 4711;
    CALL(DB_OK, done, db_set_hook, &write);
    hook.test_at = DB_NEVER;
    CALL(DB_OK, done, db_set_hook, &write);
    cr_assert_eq(hooks_of(player.id)->hooks[0].test_at, 4711);
}

Test(hooks, the_log_keeps_the_last_ones)
{
    struct db_hook hook = make_hook();

    for (int i = 1; i <= DB_DELIVERIES_MAX + 3; i++)
        note(&hook, (struct db_delivery){.at = i, .retry_at = DB_NEVER}, 0, 0);
    CALL(DB_OK, deliveries, db_get_deliveries, player.id, hook.id);
    cr_assert_eq(done_call.count, DB_DELIVERIES_MAX);
    cr_assert_eq(done_call.deliveries[0].number, DB_DELIVERIES_MAX + 3);
    cr_assert_eq(done_call.deliveries[DB_DELIVERIES_MAX - 1].number, 4);
}

Test(hooks, deleting_one_leaves_the_log_of_the_others)
{
    struct db_hook hook = make_hook(), other = make_hook();

    note(&hook, (struct db_delivery){.at = 1, .retry_at = DB_NEVER}, 0, 0);
    note(&other, (struct db_delivery){.at = 2, .retry_at = DB_NEVER}, 0, 0);
    end_hook(&hook, 0, NULL, DB_OK);
    CALL(DB_OK, deliveries, db_get_deliveries, player.id, other.id);
    cr_assert_eq(done_call.count, 1);
    assert_sql(bed.url, "select count(*) from deliveries", "1");
}

Test(hooks, what_is_noted_of_a_deleted_one_is_dropped)
{
    struct db_hook hook = make_hook();
    struct db_delivery delivery = {.at = 1, .retry_at = DB_NEVER};
    struct db_delivered delivered = {.player = player.id,
                                     .hook = hook.id,
                                     .url = hook.url,
                                     .delivery = &delivery,
                                     .counts = true};

    end_hook(&hook, 0, NULL, DB_OK);
    CALL(DB_NOT_FOUND, done, db_note_delivered, &delivered);
    assert_sql(bed.url, "select count(*) from deliveries", "0");
}

/* The attempt was one at the old URL. */
Test(hooks, what_is_noted_of_one_that_has_another_url_by_now_is_dropped)
{
    struct db_hook old = a_receiver("mailto:ada@example.org", 5),
                   named = a_receiver("mailto:mia@example.org", 6);
    db_id game = new_id();
    struct db_delivery delivery = {.at = 1, .has_game = true, .game = game, .retry_at = 4713};
    struct db_delivered delivered = {.player = player.id,
                                     .hook = old.id,
                                     .url = old.url,
                                     .sent = 3,
                                     .delivery = &delivery,
                                     .counts = true,
                                     .failures = 1,
                                     .disabled = 2};

    old.test_at = named.test_at = 4711;
    name_receiver(&old);
    announce(game, 3, db_now(bed.db), DB_OK);
    name_receiver(&named);
    CALL(DB_NOT_FOUND, done, db_note_delivered, &delivered);
    hooks_of(player.id);
    cr_assert_eq(done_call.hooks[0].failures, 0);
    cr_assert_eq(done_call.hooks[0].retry_at, DB_NEVER);
    cr_assert_eq(done_call.hooks[0].test_at, 4711);
    cr_assert_eq(news()->count, 1);
    assert_sql(bed.url, "select count(*) from deliveries", "0");
}

Test(hooks, one_that_has_another_url_by_now_is_not_deleted)
{
    struct db_hook hook = a_receiver("mailto:ada@example.org", 5);

    name_receiver(&hook);
    end_hook(&hook, OTHER_KIND, "mailto:mia@example.org", DB_NOT_FOUND);
    end_hook(&hook, OTHER_KIND, hook.url, DB_OK);
}

/* ---- where a webhook begins ---- */

Test(hooks, the_last_version_from_before_a_time_is_found)
{
    static const int32_t versions[] = {0, 0, 1, 1, 2};
    struct db_game game = new_game();

    create(bed.db, &game);
    play(bed.db, &game, "7g7f");
    sql(bed.url, "update events set at = to_timestamp(version * 2)");
    for (int64_t s = 1; s <= 5; s++) {
        CALL(DB_OK, version, db_get_version_before, game.id, s * 1000000);
        cr_assert_eq(done_call.version, versions[s - 1]);
    }
}

/* ---- receivers that are no webhooks ---- */

Test(hooks, a_subscription_is_told_as_it_was_made_and_set)
{
    struct db_hook hook = a_subscription();
    const struct db_hook *told;

    subscribe(&hook, DB_OK);
    strcpy(hook.lang, "tr");
    hook.quiet_from = -1;
    hook.events = 8;
    subscribe(&hook, DB_OK);
    told = &hooks_of(player.id)->hooks[0];
    cr_assert_eq(done_call.count, 1);
    cr_assert_eq(told->kind, 1);
    cr_assert_eq(memcmp(told->p256dh, hook.p256dh, sizeof(hook.p256dh)), 0);
    cr_assert_eq(memcmp(told->auth, hook.auth, sizeof(hook.auth)), 0);
    cr_assert_str_eq(told->lang, "tr");
    cr_assert_eq(told->quiet_from, -1);
    cr_assert_eq(told->events, 8);
    cr_assert_eq(told->disabled, 0);
}

/* Programs from before subscriptions read them as webhooks. */
Test(hooks, to_an_older_program_a_subscription_is_at_rest)
{
    struct db_hook hook = a_subscription();

    subscribe(&hook, DB_OK);
    assert_sql(bed.url, "select disabled from webhooks", "4");
}

Test(hooks, subscriptions_and_webhooks_have_bounds_of_their_own)
{
    struct db_hook hook;

    for (int i = 0; i < DB_SUBSCRIPTIONS_MAX; i++) {
        hook = a_subscription();
        subscribe(&hook, DB_OK);
    }
    subscribe(&hook, DB_OK);
    hook = a_subscription();
    subscribe(&hook, DB_CONFLICT);
    for (int i = 0; i < DB_HOOKS_MAX; i++)
        make_hook();
    hook = a_hook();
    create_hook(&hook, DB_CONFLICT);
}

Test(hooks, with_another_token_nobody_subscribes)
{
    struct db_hook hook = a_subscription();

    player.token[0] ^= 1;
    subscribe(&hook, DB_CONFLICT);
}

Test(hooks, one_is_deleted_as_what_it_is)
{
    struct db_hook hook = a_subscription();

    subscribe(&hook, DB_OK);
    end_hook(&hook, 0, NULL, DB_NOT_FOUND);
    end_hook(&hook, 1, NULL, DB_OK);
}

static void assert_leaves_nothing(const struct db_hook *hook)
{
    announce(new_id(), 3, db_now(bed.db), DB_OK);
    note(hook, (struct db_delivery){.at = 1, .retry_at = DB_NEVER}, 0, 0);
    end_hook(hook, hook->kind, NULL, DB_OK);
    assert_sql(bed.url,
               "select (select count(*) from webhooks) + (select count(*) from webhook_games)"
               " + (select count(*) from deliveries)",
               "0");
}

Test(hooks, deleting_a_receiver_takes_all_that_is_known_of_it)
{
    struct db_hook subscription = a_subscription(), mail = a_receiver("mailto:ada@example.org", 5);

    subscribe(&subscription, DB_OK);
    assert_leaves_nothing(&subscription);
    name_receiver(&mail);
    assert_leaves_nothing(&mail);
}

Test(hooks, of_two_that_make_the_key_of_web_push_both_get_the_first)
{
    struct db_push_key one = {{1}}, other = {{2}};

    CALL(DB_OK, push_key, db_get_push_key, &one);
    cr_assert_eq(done_call.push_key.secret[0], 1);
    CALL(DB_OK, push_key, db_get_push_key, &other);
    cr_assert_eq(done_call.push_key.secret[0], 1);
}
