/* test_idempotency.c - Idempotency-Key: which requests are the same, and how answers are sealed. */
#include <criterion/criterion.h>
#include <string.h>

#include "api/endpoints/library/jobs.h"
#include "api/game/ids.h"
#include "api/game/words.h"
#include "api/live/ask.h"
#include "api/live/idempotency.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "tests/unit/requests.h"

static struct loop loop;

static void open_loop(void)
{
    static const struct db_settings settings = {
        .url = "", .connections = 1, .queue_max = 8, .batch_max = 1, .deadline_ms = 1000};

    loop.db = db_open(&settings); /* is asked for the time and nothing else */
    cr_assert_not_null(loop.db);
}

static void close_loop(void)
{
    requests_free();
    db_close(loop.db);
}

TestSuite(idempotency, .init = open_loop, .fini = close_loop);

/* What decides whether a request is the same; NULL: the request has none. Who asks is a player of
 * that name, or a stranger. */
struct sent {
    const char *key, *url, *who, *body;
};

static struct request *request_of(const struct sent *sent)
{
    struct request *request = requests_new(&loop);

    requests_url(request, sent->url);
    if (sent->key != NULL)
        requests_header(request, "Idempotency-Key", sent->key);
    if (sent->who != NULL) {
        request->caller.kind = CALLER_PLAYER;
        memcpy(request->caller.id, sent->who, strlen(sent->who));
    }
    if (sent->body != NULL)
        requests_body(request, NULL, sent->body);
    return request;
}

static struct idempotency *read(struct request *request)
{
    struct idempotency *idempotency;

    cr_assert(idempotency_read(request, false, &idempotency));
    cr_assert_eq(requests_answers(request), 0);
    cr_assert_not_null(idempotency);
    return idempotency;
}

static struct idempotency *read_key(const char *key)
{
    return read(request_of(&(struct sent){key, "/", NULL, NULL}));
}

static bool same_bytes(const uint8_t a[DB_HASH_BYTES], const uint8_t b[DB_HASH_BYTES])
{
    return memcmp(a, b, DB_HASH_BYTES) == 0;
}

/* ---- keys ---- */

Test(idempotency, without_the_header_there_is_none)
{
    struct idempotency *idempotency = (struct idempotency *)&loop;

    cr_assert(idempotency_read(request_of(&(struct sent){.url = "/"}), false, &idempotency));
    cr_assert_null(idempotency);
    cr_assert_null(idempotency_seal(requests_new(&loop), NULL, 200, "", "", "{}"));
}

Test(idempotency, a_key_in_quotes_is_the_same_key)
{
    const struct idempotency *bare = read_key("abc"), *quoted = read_key("\"abc\"");
    static const char *const others[] = {"abd", "ABC", "abc ", "\"abc", "abc\"", "\"\"abc\"\""};

    cr_assert(same_bytes(bare->key, quoted->key));
    cr_assert_str_eq(quoted->text, "abc");
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        cr_assert_not(same_bytes(read_key(others[i])->key, bare->key), "%s", others[i]);
    cr_assert_str_eq(read_key("\"")->text, "\"");
    cr_assert_str_eq(read_key("\"abc")->text, "\"abc");
    cr_assert_str_eq(read_key("abc\"")->text, "abc\"");
}

Test(idempotency, a_key_has_1_to_255_bytes_of_utf8)
{
    char key[IDEMPOTENCY_KEY_MAX + 4];
    static const char *const bad[] = {"", "\"\"", "\xff", "a\xc0\x80", "\xe2\x98"};

    memset(key, 'k', sizeof(key));
    key[IDEMPOTENCY_KEY_MAX + 1] = '\0';
    key[0] = 'k';
    for (size_t i = 0; i <= sizeof(bad) / sizeof(bad[0]); i++) {
        bool longest = i == sizeof(bad) / sizeof(bad[0]);
        struct request *request =
            request_of(&(struct sent){.key = longest ? key : bad[i], .url = "/"});
        struct idempotency *idempotency;

        cr_assert_not(idempotency_read(request, false, &idempotency), "%zu", i);
        cr_assert_null(idempotency);
        requests_assert_problem(request, PROBLEM_BAD_PARAMETER, "Idempotency-Key");
    }
    key[IDEMPOTENCY_KEY_MAX] = '\0';
    read_key(key);
    memset(key, 'k', sizeof(key));
    key[0] = key[IDEMPOTENCY_KEY_MAX + 1] = '"'; /* the quotes do not count */
    key[IDEMPOTENCY_KEY_MAX + 2] = '\0';
    read_key(key);
    read_key("k");
    read_key("\xe2\x98\x97");
}

/* All strangers are the same caller, and whoever has the key gets the token. */
Test(idempotency, a_strangers_key_for_a_token_has_16_characters)
{
    static const struct {
        const char *key, *who, *header;
        bool shows_secret, good;
    } rows[] = {{"123456789012345", NULL, "Bearer x", true, false},
                {"1234567890123456", NULL, NULL, true, true},
                {"\"123456789012345\"", NULL, NULL, true, false},
                {"1", "ada", "Bearer x", true, true},
                {"1", NULL, "Bearer ", true, false},
                {"1", NULL, NULL, false, true},
                {"ééééééééééééééé", NULL, NULL, true, false},
                {"éééééééééééééééé", NULL, NULL, true, true}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct request *request = request_of(&(struct sent){rows[i].key, "/", rows[i].who, NULL});
        struct idempotency *idempotency;

        if (rows[i].header != NULL)
            requests_header(request, "Authorization", rows[i].header);
        cr_assert_eq(idempotency_read(request, rows[i].shows_secret, &idempotency), rows[i].good,
                     "%s", rows[i].key);
        if (!rows[i].good)
            requests_assert_problem(request, PROBLEM_IDEMPOTENCY_KEY_TOO_SHORT, "Idempotency-Key");
    }
}

/* Two callers of every two kinds, of which the second has the id of the first. */
static const struct caller callers[] = {
    {CALLER_STRANGER, {0}}, {CALLER_SEAT, {1}},    {CALLER_SEAT, {2}},    {CALLER_PLAYER, {1}},
    {CALLER_PLAYER, {2}},   {CALLER_ACCOUNT, {1}}, {CALLER_ACCOUNT, {2}}, {CALLER_ACCOUNT, {0}},
    {CALLER_PLAYER, {0}},   {CALLER_SEAT, {0}}};

enum { CALLERS = sizeof(callers) / sizeof(callers[0]) };

static struct idempotency *key_of(const struct caller *caller)
{
    struct request *request = request_of(&(struct sent){"game-7", "/", NULL, "{}"});

    request->caller = *caller;
    requests_header(request, "Authorization", "Bearer token");
    return read(request);
}

static bool same_id(db_id a, db_id b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/* Also what only a thief of the key could try: to open what was sealed for another caller. */
Test(idempotency, the_same_key_of_two_callers_has_nothing_in_common)
{
    for (size_t i = 0; i < CALLERS; i++)
        for (size_t j = 0; j < CALLERS; j++) {
            struct idempotency *one = key_of(&callers[i]), *two = key_of(&callers[j]);
            uint8_t bytes[2][20];

            idempotency_derive(one, bytes[0], 20);
            idempotency_derive(two, bytes[1], 20);
            cr_assert_eq(same_bytes(one->key, two->key), i == j, "%zu %zu", i, j);
            cr_assert_eq(
                same_id(idempotency_made_id(one, "game"), idempotency_made_id(two, "game")),
                i == j);
            cr_assert_eq(same_id(idempotency_own_id(one), idempotency_own_id(two)), i == j);
            cr_assert(callers[i].kind != CALLER_ACCOUNT ||
                      (memcmp(bytes[0], bytes[1], 20) == 0) == (i == j));
            idempotency_replay(two->request, two,
                               idempotency_seal(one->request, one, 201, "", "", "{}"));
            cr_assert_eq(two->request->reply.status == 201, i == j, "%zu %zu", i, j);
        }
}

/* ---- which requests are the same ---- */

static bool same_request(const struct sent *a, const struct sent *b)
{
    const struct idempotency *one = read(request_of(a)), *two = read(request_of(b));

    return same_bytes(one->fingerprint, two->fingerprint);
}

Test(idempotency, the_same_address_and_body_are_the_same_request)
{
    static const struct sent sent = {"k", "/v1/games?x=1", "ada", "{\"variant\":\"shogi\"}"};
    static const struct sent other_key = {"l", "/v1/games?x=1", "ada", "{\"variant\":\"shogi\"}"};

    cr_assert(same_request(&sent, &sent));
    cr_assert(same_request(&sent, &other_key), "the key is no part of it");
}

Test(idempotency, another_address_or_body_is_another_request)
{
    static const struct sent all[] = {
        {"k", "/v1/games", NULL, "body"},  {"k", "/v1/games?", NULL, "body"},
        {"k", "/v1/gamesx", NULL, "body"}, {"k", "/v1/games", NULL, "bodx"},
        {"k", "/v1/games", NULL, NULL},    {"k", "/v1/game", NULL, "sbody"},
        {"k", "/v1/gamesb", NULL, "ody"}};
    enum { ALL = sizeof(all) / sizeof(all[0]) };

    for (size_t i = 0; i < ALL; i++)
        for (size_t j = 0; j < i; j++)
            cr_assert_not(same_request(&all[i], &all[j]), "%zu and %zu", i, j);
}

Test(idempotency, a_body_counts_with_all_of_its_bytes)
{
    struct request *a = requests_new(&loop), *b = requests_new(&loop);

    requests_header(a, "Idempotency-Key", "k");
    requests_header(b, "Idempotency-Key", "k");
    requests_body(a, NULL, "12345");
    requests_body(b, NULL, "12345");
    a->body[2] = b->body[2] = '\0';
    cr_assert(same_bytes(read(a)->fingerprint, read(b)->fingerprint));
    b->body[4] = '6';
    cr_assert_not(same_bytes(read(a)->fingerprint, read(b)->fingerprint));
}

Test(idempotency, a_key_makes_one_game_and_one_player)
{
    const struct idempotency *a = read_key("a"), *again = read_key("\"a\""), *b = read_key("b");
    db_id game = idempotency_made_id(a, "game"), player = idempotency_made_id(a, "player");
    db_id game_again = idempotency_made_id(again, "game"), other = idempotency_made_id(b, "game");

    cr_assert_arr_eq(game.byte, game_again.byte, sizeof(game.byte));
    cr_assert_arr_neq(game.byte, player.byte, sizeof(game.byte));
    cr_assert_arr_neq(game.byte, other.byte, sizeof(game.byte));
}

static void assert_id(db_id id, const char *expected)
{
    char text[IDS_TEXT];

    ids_text(id, text);
    cr_assert_str_eq(text, expected);
}

/* A client repeats a request to a later version of plyd, and finds what an earlier one has made.
 * (Until 0013 a player's key made the id that a stranger's makes.) */
Test(idempotency, an_id_that_follows_from_a_key_stays_the_same_for_good)
{
    static const char key[] = "0190d5a2-0000-7000-8000-000000000000";
    const struct player ada = {.id = {{0xad, 0xa}}};
    struct request *request = requests_new(&loop);

    request->player = &ada;
    assert_id(idempotency_made_id(read_key("a"), "game"), "fvdtjg4g4qaa0n9fajgbxek418");
    assert_id(idempotency_made_id(read_key(key), "player"), "068db8g001nxjzqp51w6jr4jbm");
    assert_id(idempotency_made_id(read(request_of(&(struct sent){"a", "/", "ada", NULL})), "game"),
              "z84wq2nw3a2vmx313gevvrarg0");
    assert_id(my_tasks_id(request, TASK_IMPORT, "a", ""), "7k3pa21nva0gb8vewgv392ctzw");
    assert_id(my_tasks_id(request, TASK_ANALYSIS, key, "/v1/games/1/analyse {}"),
              "068db8g003n0pzftdxs5bqnmpc");
}

/* ---- sealing ---- */

static const struct sent first = {"key", "/v1/games", "ada", "{}"};

static const struct db_answer *seal(const struct sent *sent, const char *etag, const char *location,
                                    const char *body)
{
    struct request *request = request_of(sent);

    return idempotency_seal(request, read(request), 201, etag, location, body);
}

static struct request *replay(const struct sent *sent, const struct db_answer *answer)
{
    struct request *request = request_of(sent);

    request->kept = 100; /* of an answer of its own, for which another one was faster */
    idempotency_replay(request, read(request), answer);
    cr_assert_eq(requests_answers(request), 1);
    return request;
}

static void assert_header(const struct request *request, const char *name, const char *value)
{
    const char *found = requests_answer_header(request, name);

    cr_assert_eq(found == NULL, value == NULL, "%s", name);
    if (value != NULL)
        cr_assert_str_eq(found, value);
}

Test(idempotency, what_was_sealed_is_answered_again)
{
    static const struct {
        const char *etag, *location, *body, *type;
    } rows[] = {{"\"1\"", "/v1/games/x", "{\"id\":\"x\"}\n", "application/json"},
                {"\"17\"", "", "{}", "application/json"},
                {"", "", "two\nlines\n\n", "text/plain; charset=utf-8"},
                {"", "/v1/players/y", "", NULL}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct db_answer *answer = seal(&first, rows[i].etag, rows[i].location, rows[i].body);
        struct request *request = replay(&first, answer);

        cr_assert_eq(request->reply.status, 201);
        cr_assert_eq(request->kept, 0);
        cr_assert_eq(request->reply.len, strlen(rows[i].body));
        if (rows[i].type == NULL) {
            cr_assert_null(request->reply.type);
        } else {
            cr_assert_str_eq(request->reply.body, rows[i].body);
            cr_assert_str_eq(request->reply.type, rows[i].type);
        }
        assert_header(request, "Idempotent-Replayed", "true");
        assert_header(request, "ETag", *rows[i].etag == '\0' ? NULL : rows[i].etag);
        assert_header(request, "Location", *rows[i].location == '\0' ? NULL : rows[i].location);
    }
}

Test(idempotency, an_answer_is_stored_under_the_keys_hash_with_the_fingerprint_and_the_time)
{
    struct request *request = request_of(&first);
    struct idempotency *idempotency = read(request);
    int64_t before = db_now(loop.db);
    const struct db_answer *answer = idempotency_seal(request, idempotency, 201, "\"1\"", "", "{}");

    cr_assert(same_bytes(answer->key, idempotency->key));
    cr_assert(same_bytes(answer->fingerprint, idempotency->fingerprint));
    cr_assert_eq(answer->status, 201);
    cr_assert_geq(answer->at, before);
    cr_assert_leq(answer->at, db_now(loop.db));
}

Test(idempotency, a_key_of_another_request_is_not_the_same)
{
    const struct db_answer *answer = seal(&first, "\"1\"", "", "{\"token\":\"secret\"}");
    static const struct sent others[] = {{"key", "/v1/games", "ada", "{ }"},
                                         {"key", "/v1/games?", "ada", "{}"}};

    cr_assert(idempotency_is_same(read(request_of(&first)), answer));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        cr_assert_not(idempotency_is_same(read(request_of(&others[i])), answer), "%zu", i);
}

/* A mark keeps less of it, and that much one may find for another body by trying. */
Test(idempotency, the_whole_fingerprint_of_an_answer_is_compared)
{
    struct db_answer found = *seal(&first, "\"1\"", "", "{}");

    found.fingerprint[DB_HASH_BYTES - 1] ^= 1;
    cr_assert_not(idempotency_is_same(read(request_of(&first)), &found));
}

/* What a mark keeps of the fingerprint decides, and the rest of it is not known. */
Test(idempotency, a_mark_is_that_of_the_same_request)
{
    static const struct sent other = {"key", "/v1/games", "ada", "{ }"};
    struct db_answer found = *idempotency_mark(read(request_of(&first)));

    cr_assert_null(found.sealed);
    cr_assert(same_bytes(found.key, read(request_of(&first))->key));
    memset(found.fingerprint + DB_MARK_BYTES, 0, sizeof(found.fingerprint) - DB_MARK_BYTES);
    cr_assert(idempotency_is_same(read(request_of(&first)), &found));
    cr_assert_not(idempotency_is_same(read(request_of(&other)), &found));
    cr_assert_null(idempotency_mark(NULL));
}

Test(idempotency, an_answer_shows_nothing_and_no_two_look_alike)
{
    static const char body[] = "{\"token\":\"plyd_seat_secret\"}";
    const struct db_answer *a = seal(&first, "", "", body), *b = seal(&first, "", "", body);

    cr_assert_null(memmem(a->sealed, a->sealed_len, "secret", 6));
    cr_assert_eq(a->sealed_len, b->sealed_len);
    cr_assert_arr_neq((const char *)a->sealed, (const char *)b->sealed, a->sealed_len);
}

Test(idempotency, only_the_key_opens_an_answer)
{
    static const struct sent other_key = {"yek", "/v1/games", "ada", "{}"};

    requests_assert_problem(replay(&other_key, seal(&first, "", "", "{}")), PROBLEM_INTERNAL, NULL);
}

Test(idempotency, a_damaged_answer_is_not_told)
{
    const struct db_answer *answer = seal(&first, "\"1\"", "/x", "{}");
    size_t len = answer->sealed_len;

    for (size_t i = 0; i < len; i++) {
        struct request *request = request_of(&first);
        unsigned char *bytes = arena_alloc(&request->arena, len);
        struct db_answer damaged = *answer, shorter = *answer;

        memcpy(bytes, answer->sealed, len);
        bytes[i] ^= 1;
        damaged.sealed = bytes;
        requests_assert_problem(replay(&first, &damaged), PROBLEM_INTERNAL, NULL);
        shorter.sealed_len = i;
        requests_assert_problem(replay(&first, &shorter), PROBLEM_INTERNAL, NULL);
    }
}

/* ---- looking up ---- */

static void tell(const struct db_reply *reply, const struct db_answer *answer,
                 db_answer_callback *callback, void *context)
{
    callback(context, reply, answer);
}

static struct request *looked_up(enum db_outcome outcome, const struct db_answer *answer)
{
    struct request *request = request_of(&first);
    struct db_reply reply = {.outcome = outcome};

    tell(&reply, answer,
         ASK_ALSO(answer, request, ASK_MISSING, idempotency_on_first, read(request)));
    return request;
}

Test(idempotency, what_is_found_is_answered_and_what_is_not_found_was_another_request)
{
    struct request *found = looked_up(DB_OK, seal(&first, "\"1\"", "", "{}"));

    cr_assert_eq(requests_answers(found), 1);
    cr_assert_eq(found->reply.status, 201);
    requests_assert_problem(
        looked_up(DB_OK, seal(&(struct sent){"key", "/", NULL, NULL}, "", "", "")),
        PROBLEM_IDEMPOTENCY_KEY_REUSED, NULL);
    requests_assert_problem(looked_up(DB_NOT_FOUND, NULL), PROBLEM_IDEMPOTENCY_KEY_REUSED, NULL);
    requests_assert_problem(looked_up(DB_UNAVAILABLE, NULL), PROBLEM_DATABASE_DOWN, NULL);
}
