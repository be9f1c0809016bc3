/* test_variants.c - what clients learn of the games: catalogue, options, rules. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"
#include "rules/rules.h"
#include "tests/http/house.h"
#include "tests/support/schema.h"

HOUSE_SUITE(variants, house_share, HOUSE_PATIENCE_S);

static struct answer get(const char *path, const char *headers)
{
    return ask(&house, "GET", path, headers, NULL);
}

static struct answer get_variant(const struct rules_game *game)
{
    char path[64];

    snprintf(path, sizeof(path), "/v1/variants/%s", game->name);
    return get(path, NULL);
}

/* ---- the list ---- */

Test(variants, the_list_has_every_game_with_links_that_lead_somewhere)
{
    struct answer answer = get("/v1/variants", NULL), linked;
    const cJSON *item;
    size_t n = 0;

    assert_status(&answer, 200);
    cJSON_ArrayForEach(item, member(&answer, "items"))
    {
        const cJSON *links = cJSON_GetObjectItem(item, "links");

        cr_assert_not_null(rules_find(cJSON_GetObjectItem(item, "name")->valuestring));
        linked = get(cJSON_GetObjectItem(links, "self")->valuestring, NULL);
        assert_status(&linked, 200);
        linked = get(cJSON_GetObjectItem(links, "rules")->valuestring, NULL);
        assert_status(&linked, 200);
        n++;
    }
    cr_assert_eq(n, rules_games());
}

Test(variants, the_contract_names_every_game)
{
    const cJSON *schemas =
        cJSON_GetObjectItem(cJSON_GetObjectItem(house.contract, "components"), "schemas");
    const cJSON *names = cJSON_GetObjectItem(cJSON_GetObjectItem(schemas, "VariantName"), "enum");

    cr_assert_eq((size_t)cJSON_GetArraySize(names), rules_games());
    for (size_t i = 0; i < rules_games(); i++)
        cr_assert_str_eq(cJSON_GetArrayItem(names, (int)i)->valuestring, rules_game(i)->name);
}

Test(variants, the_list_tells_which_version_of_the_engine_answers)
{
    struct answer answer = get("/v1/variants", NULL);

    cr_assert_str_eq(text_of(&answer, "engines.0.name"), "plyd");
    cr_assert_eq(number_of(&answer, "engines.0.version"), ENGINE_VERSION);
}

Test(variants, the_list_as_a_text_names_every_game)
{
    struct answer answer = get("/v1/variants", "Accept: text/plain\r\n");

    assert_status(&answer, 200);
    for (size_t i = 0; i < rules_games(); i++)
        cr_assert_not_null(strstr(answer.reply.body, rules_game(i)->name));
}

Test(variants, an_unknown_variant_is_404)
{
    static const char *const paths[] = {"/v1/variants/chess", "/v1/variants/chess/rules"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer answer = get(paths[i], NULL);

        assert_problem(&answer, 404, "no-such-variant");
    }
}

Test(variants, an_unknown_parameter_is_refused)
{
    static const char *const paths[] = {"/v1/variants?page=2", "/v1/variants/shogi?page=2",
                                        "/v1/variants/shogi/rules?page=2"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer answer = get(paths[i], NULL);

        assert_problem(&answer, 422, "unknown-field");
    }
}

/* ---- caching ---- */

Test(variants, a_client_that_has_the_answer_is_304)
{
    static const char *const paths[] = {"/v1/variants", "/v1/variants/jungle",
                                        "/v1/variants/jungle/rules"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        struct answer first = get(paths[i], NULL), again;
        char etag[256], headers[300], value[256];

        cr_assert_not_null(http_header(&first.reply, "ETag", etag));
        cr_assert_str_eq(http_header(&first.reply, "Cache-Control", value), "public, max-age=3600");
        snprintf(headers, sizeof(headers), "If-None-Match: %s\r\n", etag);
        again = get(paths[i], headers);
        assert_status(&again, 304);
    }
}

Test(variants, two_games_and_two_forms_have_tags_of_their_own)
{
    struct answer one = get("/v1/variants", NULL);
    struct answer other = get("/v1/variants", "Accept: text/plain\r\n");
    char tag[256], other_tag[256];

    cr_assert_str_neq(http_header(&one.reply, "ETag", tag),
                      http_header(&other.reply, "ETag", other_tag));
}

Test(variants, head_tells_the_length_and_sends_nothing)
{
    struct answer whole = get("/v1/variants/shogi", NULL);
    struct answer head = ask(&house, "HEAD", "/v1/variants/shogi", NULL, NULL);
    char value[256];

    assert_status(&head, 200);
    cr_assert_eq((size_t)atol(http_header(&head.reply, "Content-Length", value)), whole.reply.len);
}

/* ---- one game ---- */

Test(variants, the_squares_of_shogi_are_named_as_sente_sees_them)
{
    struct answer answer = get("/v1/variants/shogi", NULL);

    cr_assert_str_eq(text_of(&answer, "board.squares.0"), "9a");
    cr_assert_str_eq(text_of(&answer, "board.squares.80"), "1i");
    cr_assert_str_eq(text_of(&answer, "board.files.0"), "9");
    cr_assert_str_eq(text_of(&answer, "board.ranks.8"), "i");
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "board.squares")), 81);
    cr_assert(cJSON_IsTrue(member(&answer, "hands")));
    cr_assert_str_eq(text_of(&answer, "hand_order.0"), "rook");
    cr_assert_str_eq(text_of(&answer, "defaults.start"), "hirate");
}

Test(variants, the_zones_of_jungle_have_owners_and_squares)
{
    struct answer answer = get("/v1/variants/jungle", NULL);

    cr_assert_str_eq(text_of(&answer, "zones.0.name"), "river");
    cr_assert(cJSON_IsNull(member(&answer, "zones.0.seat")));
    cr_assert_eq(cJSON_GetArraySize(member(&answer, "zones.0.squares")), 12);
    cr_assert_str_eq(text_of(&answer, "zones.1.name"), "den");
    cr_assert_eq(number_of(&answer, "zones.1.seat"), 1);
    cr_assert_str_eq(text_of(&answer, "zones.1.squares.0"), "d1");
}

Test(variants, promotions_name_the_other_piece)
{
    struct answer answer = get("/v1/variants/turkish-draughts", NULL);

    cr_assert_str_eq(text_of(&answer, "pieces.0.promotes_to"), "king");
    cr_assert(cJSON_IsNull(member(&answer, "pieces.1.promotes_to")));
}

/* ---- every game ---- */

#define EACH_GAME(what)                                             \
    ParameterizedTestParameters(variants, what)                     \
    {                                                               \
        static size_t numbers[16];                                  \
                                                                    \
        for (size_t i = 0; i < rules_games(); i++)                  \
            numbers[i] = i;                                         \
        return cr_make_param_array(size_t, numbers, rules_games()); \
    }                                                               \
    ParameterizedTest(size_t *number, variants, what)

/* Whether a game can be created with these options. -1: that is neither accepted nor refused as an
 * option. */
static int create(const struct rules_game *game, const cJSON *options)
{
    char *text = cJSON_PrintUnformatted(options), body[1024];
    struct answer answer;
    int status;

    snprintf(body, sizeof(body), "{\"variant\":\"%s\",\"options\":%s}", game->name, text);
    answer = ask_as(&house, NULL, "POST", "/v1/games", body);
    status = answer.status;
    cr_assert(status == 201 || status == 422, "%s: %d", body, status);
    if (status == 422)
        cr_assert(strcmp(text_of(&answer, "code"), "bad-option") == 0 ||
                      strcmp(text_of(&answer, "code"), "unknown-field") == 0 ||
                      strcmp(text_of(&answer, "code"), "bad-position") == 0,
                  "%s: %s", body, text_of(&answer, "code"));
    free(text);
    return status == 201;
}

/* Asserts that the schema and the daemon agree about a value of one option: both take it or both do
 * not. */
static void assert_taken(const struct rules_game *game, const cJSON *schema, const char *name,
                         cJSON *value, bool taken)
{
    cJSON *options = cJSON_CreateObject();
    char why[512], *shown;

    cJSON_AddItemToObject(options, name, value);
    if (strcmp(name, "k") == 0) /* k is also bound by the size of the board */
        cJSON_AddNumberToObject(options, "rows", 26);
    shown = cJSON_PrintUnformatted(options);
    cr_assert_eq(schema_fits(schema, schema, options, why, sizeof(why)), taken,
                 "the schema of %s, given %s: %s", game->name, shown, why);
    cr_assert_eq(create(game, options), taken, "%s with %s", game->name, shown);
    free(shown);
    cJSON_Delete(options);
}

static void try_number(const struct rules_game *game, const cJSON *schema,
                       const struct rules_option *option)
{
    const char *name = option->name;

    assert_taken(game, schema, name, cJSON_CreateNumber(option->min), true);
    assert_taken(game, schema, name, cJSON_CreateNumber(option->max), true);
    assert_taken(game, schema, name, cJSON_CreateNumber((double)option->max + 1), false);
    assert_taken(game, schema, name, cJSON_CreateNumber(0), option->zero_is_off);
    if (option->min > 1)
        assert_taken(game, schema, name, cJSON_CreateNumber(option->min - 1), false);
    assert_taken(game, schema, name, cJSON_CreateNumber(-1), false);
    assert_taken(game, schema, name, cJSON_CreateNumber(option->min + 0.5), false);
    assert_taken(game, schema, name, cJSON_CreateBool(true), false);
    assert_taken(game, schema, name, cJSON_CreateString("many"), false);
}

static void try_choice(const struct rules_game *game, const cJSON *schema,
                       const struct rules_option *option)
{
    for (size_t i = 0; option->choices[i] != NULL; i++)
        assert_taken(game, schema, option->name, cJSON_CreateString(option->choices[i]), true);
    assert_taken(game, schema, option->name, cJSON_CreateString("nonesuch"), false);
    assert_taken(game, schema, option->name, cJSON_CreateString(""), false);
    assert_taken(game, schema, option->name, cJSON_CreateBool(true), false);
    if (option->kind == RULES_OPTION_START)
        assert_taken(game, schema, option->name, cJSON_CreateString(game->position.examples[1]),
                     true);
}

EACH_GAME(the_schema_of_the_options_takes_and_refuses_what_the_daemon_does)
{
    const struct rules_game *game = rules_game(*number);
    struct answer answer = get_variant(game);
    const cJSON *schema = member(&answer, "options");

    for (size_t i = 0; i < game->noptions; i++) {
        const struct rules_option *option = &game->options[i];

        if (option->kind == RULES_OPTION_INT) {
            try_number(game, schema, option);
        } else if (option->kind == RULES_OPTION_BOOL) {
            assert_taken(game, schema, option->name, cJSON_CreateBool(true), true);
            assert_taken(game, schema, option->name, cJSON_CreateBool(false), true);
            assert_taken(game, schema, option->name, cJSON_CreateString("maybe"), false);
        } else {
            try_choice(game, schema, option);
        }
    }
    assert_taken(game, schema, "nonesuch", cJSON_CreateNumber(1), false);
}

EACH_GAME(the_defaults_are_those_of_a_game_that_is_given_none)
{
    const struct rules_game *game = rules_game(*number);
    struct answer answer = get_variant(game), created;
    const cJSON *shown, *made, *option;
    char body[64], why[512];

    snprintf(body, sizeof(body), "{\"variant\":\"%s\"}", game->name);
    created = ask_as(&house, NULL, "POST", "/v1/games", body);
    shown = member(&answer, "defaults");
    made = member(&created, "options");
    cr_assert(cJSON_Compare(shown, made, true));
    cr_assert(schema_fits(shown, member(&answer, "options"), shown, why, sizeof(why)), "%s", why);
    cJSON_ArrayForEach(option, member(&answer, "options.properties"))
    {
        cr_assert(cJSON_Compare(cJSON_GetObjectItem(option, "default"),
                                cJSON_GetObjectItem(shown, option->string), true),
                  "%s", option->string);
    }
    cr_assert_str_eq(text_of(&answer, "position.start"), text_of(&created, "position"));
}

EACH_GAME(the_board_names_each_square_once_and_labels_it)
{
    struct answer answer = get_variant(rules_game(*number));
    const cJSON *board = member(&answer, "board"), *file, *rank;
    const cJSON *squares = cJSON_GetObjectItem(board, "squares");
    bool letters_first = strcmp(text_of(&answer, "board.coordinates"), "letter-digit") == 0;
    int i = 0;

    cJSON_ArrayForEach(rank, cJSON_GetObjectItem(board, "ranks"))
    {
        cJSON_ArrayForEach(file, cJSON_GetObjectItem(board, "files"))
        {
            char name[16];

            snprintf(name, sizeof(name), "%s%s", file->valuestring, rank->valuestring);
            cr_assert_str_eq(cJSON_GetArrayItem(squares, i++)->valuestring, name);
            cr_assert_eq(name[0] >= 'a', letters_first);
        }
    }
    cr_assert_eq(i, cJSON_GetArraySize(squares));
}

EACH_GAME(the_rules_are_markdown_and_a_plain_text_for_who_asks)
{
    const struct rules_game *game = rules_game(*number);
    struct answer answer, plain;
    char path[64], type[256];

    snprintf(path, sizeof(path), "/v1/variants/%s/rules", game->name);
    answer = get(path, NULL);
    plain = get(path, "Accept: text/plain\r\n");
    assert_status(&answer, 200);
    cr_assert_str_eq(http_header(&answer.reply, "Content-Type", type),
                     "text/markdown; charset=utf-8");
    cr_assert_str_eq(http_header(&plain.reply, "Content-Type", type), "text/plain; charset=utf-8");
    cr_assert_str_eq(answer.reply.body, plain.reply.body);
    cr_assert_eq(strncmp(answer.reply.body, "# ", 2), 0);
    for (size_t i = 0; i < game->nlaws; i++)
        cr_assert_not_null(strstr(answer.reply.body, game->laws[i].number));
}

Test(variants, the_men_of_a_set_are_another_picture_and_other_sets_are_refused)
{
    struct answer letters = get("/v1/variants/shogi/men.svg?men=letters", NULL);
    struct answer usual = get("/v1/variants/shogi/men.svg", NULL), refused;

    cr_assert_eq(letters.reply.status, 200);
    cr_assert_neq(strcmp(letters.reply.body, usual.reply.body), 0);
    refused = get("/v1/variants/shogi/men.svg?men=chess", NULL);
    assert_problem(&refused, 400, "bad-parameter");
    cr_assert_str_eq(text_of(&refused, "detail"), "There are: \"letters\" \"moves\".");
    refused = get("/v1/variants/jungle/men.svg?men=letters", NULL);
    assert_problem(&refused, 400, "bad-parameter");
    cr_assert_str_eq(text_of(&refused, "detail"), "This game has the usual men alone.");
}
