/* test_origins.c - pages of other sites: a browser adds the token of Basic to what they send by
 * itself, once it knows it, so a write with Basic counts only if it comes from the daemon's own
 * pages. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/http/house.h"

HOUSE_SUITE(origins, house_share, HOUSE_PATIENCE_S);

/* The token as the user name, as `curl -u TOKEN:` sends it. */
static void add_basic(char *headers, const char *token)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char user[100];
    size_t len = (size_t)snprintf(user, sizeof(user), "%s:", token);

    strcat(headers, "Authorization: Basic ");
    for (size_t i = 0; i < len; i += 3) {
        unsigned char a = (unsigned char)user[i],
                      b = (unsigned char)(i + 1 < len ? user[i + 1] : 0),
                      c = (unsigned char)(i + 2 < len ? user[i + 2] : 0);
        char four[] = {digits[a >> 2], digits[(a & 3) << 4 | b >> 4],
                       i + 1 < len ? digits[(b & 15) << 2 | c >> 6] : '=',
                       i + 2 < len ? digits[c & 63] : '=', '\0'};

        strcat(headers, four);
    }
    strcat(headers, "\r\n");
}

/* A move as a form of another site could send it, without asking before. */
static struct answer move(int port, const struct game *game, bool basic, const char *origin)
{
    char headers[600] = "", path[80];
    struct http_reply reply;

    snprintf(path, sizeof(path), "/v1/games/%s/moves", game->id);
    if (basic)
        add_basic(headers, game->token);
    else
        snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", game->token);
    strcat(headers, "Content-Type: text/plain\r\n");
    strcat(headers, origin);
    http_request(port, &reply, "POST", path, headers, "g3g4");
    return answer_of(&house, "POST", path, reply);
}

static struct game new_jungle(void)
{
    return new_game(&house, "{\"variant\":\"jungle\"}");
}

Test(origins, a_write_with_basic_from_another_site_is_refused)
{
    static const char *const foreign[] = {
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "Origin: http://127.0.0.1:1\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
        "Origin: http://evil.example\r\nSec-Fetch-Site: same-origin\r\n",
    };
    struct game game = new_jungle();

    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
        struct answer answer = move(house.plyd.port, &game, true, foreign[i]);

        assert_problem(&answer, 403, "cross-site");
    }
}

Test(origins, a_write_with_basic_from_a_page_of_the_daemon_or_from_no_page_is_done)
{
    /* http.h says Host: test. */
    static const char *const good[] = {"", "Origin: https://Test\r\n",
                                       "Sec-Fetch-Site: same-origin\r\n",
                                       "Sec-Fetch-Site: none\r\n"};

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        struct game game = new_jungle();
        struct answer answer = move(house.plyd.port, &game, true, good[i]);

        assert_status(&answer, 201);
    }
}

Test(origins, a_page_of_any_site_that_knows_the_token_writes_with_bearer)
{
    struct game game = new_jungle();
    struct answer answer = move(house.plyd.port, &game, false,
                                "Origin: http://evil.example\r\nSec-Fetch-Site: cross-site\r\n");

    assert_status(&answer, 201);
}

Test(origins, a_read_with_basic_is_answered_wherever_it_comes_from)
{
    char headers[600] = "Origin: http://evil.example\r\n", path[80];
    struct game game = new_jungle();
    struct answer answer;

    snprintf(path, sizeof(path), "/v1/games/%s", game.id);
    add_basic(headers, game.token);
    answer = ask(&house, "GET", path, headers, NULL);
    assert_status(&answer, 200);
}

Test(origins, a_setting_names_sites_whose_pages_may_write_with_basic)
{
    struct game game, other;
    struct answer answer;

    house_move_out(&house);
    cr_assert_eq(plyd_stop(&house.plyd), 0);
    plyd_start(&house.plyd, house.database, "--write-origins",
               "https://a.example, https://club.example:8443", NULL);
    game = new_jungle();
    answer = move(house.plyd.port, &game, true,
                  "Origin: https://club.example:8443\r\nSec-Fetch-Site: cross-site\r\n");
    assert_status(&answer, 201);
    other = new_jungle();
    answer = move(house.plyd.port, &other, true, "Origin: https://club.example\r\n");
    assert_problem(&answer, 403, "cross-site");
}

/* ---- what a page may see ---- */

/* Browsers show the first by themselves, and the others concern no script. What stands behind the
 * last chunk is shown to none. */
static bool is_for_no_script(const char *name)
{
    static const char *const names[] = {"Cache-Control", "Content-Security-Policy",
                                        "WWW-Authenticate", "Record-Games-Left-Out"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Whether a list has a name, between its commas. */
static bool lists(const char *list, const char *name)
{
    size_t len = strlen(name);

    for (; list != NULL; list = strstr(list, ", ") == NULL ? NULL : strstr(list, ", ") + 2)
        if (strncmp(list, name, len) == 0 && (list[len] == ',' || list[len] == '\0'))
            return true;
    return false;
}

/* The headers of every answer of the contract, each of which has a description. */
static size_t assert_exposed(const cJSON *node, const char *exposed)
{
    const cJSON *child, *headers = cJSON_GetObjectItemCaseSensitive(node, "headers");
    size_t count = 0;

    if (headers != NULL && cJSON_IsString(cJSON_GetObjectItemCaseSensitive(node, "description")))
        cJSON_ArrayForEach(child, headers)
        {
            count++;
            cr_expect(is_for_no_script(child->string) || lists(exposed, child->string), "%s",
                      child->string);
        }
    cJSON_ArrayForEach(child, node) count += assert_exposed(child, exposed);
    return count;
}

Test(origins, a_page_of_another_site_sees_every_header_that_the_contract_tells_of)
{
    struct answer answer =
        ask(&house, "GET", "/v1/variants", "Origin: http://other.example\r\n", NULL);
    char exposed[256];

    cr_assert_not_null(http_header(&answer.reply, "Access-Control-Expose-Headers", exposed));
    cr_assert_gt(assert_exposed(house.contract, exposed), 100);
}
