/*
 * test_refusals.c - every refusal of every game through HTTP, as refusals.txt has it: its code, its
 * rule and its witnesses; and the game stays as it was.
 *
 * REFUSALS=show prints each row as it really is instead.
 */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "house.h"
#include "rules/rules.h"
#include "written.h"

enum { LINE_MAX_BYTES = 1024, ROW_MAX = 2048 };

HOUSE_SUITE(refusals, house_share, HOUSE_PATIENCE_S);

/* ---- the table ---- */

struct section {
    char line[LINE_MAX_BYTES];
    const char *kind, *variant, *options, *position;
    struct game game;
    unsigned rows;
};

/* Calls `on_row` for each row of refusals.txt, with the section that it stands in. */
static void each_row(void (*on_section)(struct section *),
                     void (*on_row)(const struct section *, const char *row))
{
    FILE *file = fopen("tests/http/refusals.txt", "r");
    struct section section = {.kind = NULL};
    char line[LINE_MAX_BYTES];

    cr_assert_not_null(file, "tests/http/refusals.txt cannot be read");
    while (fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0' || line[0] == '#')
            continue;
        if (line[0] == ' ') {
            section.rows++;
            on_row(&section, line + strspn(line, " "));
            continue;
        }
        strcpy(section.line, line);
        section.kind = strtok(section.line, " ");
        section.variant = strtok(NULL, " ");
        section.options = strtok(NULL, " ");
        section.position = strtok(NULL, "");
        if (on_section != NULL)
            on_section(&section);
    }
    fclose(file);
}

static int is(const char *a, const char *b)
{
    return a != NULL && strcmp(a, b) == 0;
}

/* ---- what an answer says, as a row ---- */

struct row {
    char text[ROW_MAX];
    size_t len;
};

__attribute__((format(printf, 2, 3))) static void add(struct row *row, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    row->len += (size_t)vsnprintf(row->text + row->len, sizeof(row->text) - row->len, format, args);
    va_end(args);
    cr_assert_lt(row->len, sizeof(row->text));
}

static const cJSON *in(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static void add_squares(struct row *row, const cJSON *squares)
{
    const cJSON *square;

    cJSON_ArrayForEach(square, squares)
    {
        add(row, "%s%s %s", square == squares->child ? "" : ", ", in(square, "role")->valuestring,
            in(square, "square")->valuestring);
        if (in(square, "piece") != NULL)
            add(row, " %s%d", in(square, "piece")->valuestring, in(square, "seat")->valueint);
    }
    if (squares == NULL)
        add(row, "-");
}

static void add_numbers(struct row *row, const cJSON *rule)
{
    const cJSON *yours = in(rule, "yours"), *required = in(rule, "required");
    const cJSON *at = in(rule, "at_byte");

    if (yours != NULL && required != NULL)
        add(row, "%.0f/%.0f", yours->valuedouble, required->valuedouble);
    if (at != NULL)
        add(row, "%sat %d", yours == NULL ? "" : " ", at->valueint);
    if (yours == NULL && at == NULL)
        add(row, "-");
}

static void add_examples(struct row *row, const cJSON *examples)
{
    const cJSON *example;

    cJSON_ArrayForEach(example, examples)
        add(row, "%s%s", example == examples->child ? "" : " ", example->valuestring);
    if (examples == NULL)
        add(row, "-");
}

/* The row of what was sent and answered. Empty parts at its end are not written. */
static struct row row_of(const char *sent, const struct answer *answer)
{
    const cJSON *rule = in(answer->json, "rule");
    struct row row = {.len = 0};

    cr_expect_neq(*text_of(answer, "detail"), ' ', "%s: a detail begins with a word", sent);
    add(&row, "%s | %s | ", sent, text_of(answer, "code"));
    if (in(rule, "id") != NULL)
        add(&row, "%s %s | ", in(rule, "number")->valuestring, in(rule, "id")->valuestring);
    else
        add(&row, "- | ");
    add_squares(&row, in(rule, "squares"));
    add(&row, " | ");
    add_numbers(&row, rule);
    add(&row, " | ");
    add_examples(&row, in(rule, "examples"));
    while (row.len > 4 && is(row.text + row.len - 4, " | -"))
        row.text[row.len -= 4] = '\0';
    return row;
}

static void expect_row(const struct section *section, const char *row, const struct row *real)
{
    if (getenv("REFUSALS") != NULL)
        printf("  %s\n", real->text);
    else
        cr_expect_str_eq(real->text, row, "%s %s %s %s:\n  %s\n  instead of\n  %s", section->kind,
                         section->variant, section->options,
                         section->position == NULL ? "" : section->position, real->text, row);
}

/* ---- starts ---- */

/* POSTs a game that is refused, and returns the answer. */
static struct answer refuse_start(const struct section *section, const char *options,
                                  const char *position)
{
    char *body = NULL;
    struct answer answer;

    if (position == NULL)
        body = written_text("{\"variant\":\"{variant}\",\"options\":{options}}",
                            (const struct written_name[]){
                                {"variant", section->variant}, {"options", options}, {NULL, NULL}},
                            NULL);
    else
        body = written_text(
            "{\"variant\":\"{variant}\",\"options\":{options},\"position\":\"{position}\"}",
            (const struct written_name[]){{"variant", section->variant},
                                          {"options", options},
                                          {"position", position},
                                          {NULL, NULL}},
            NULL);
    answer = ask_as(&house, NULL, "POST", "/v1/games", body);
    free(body);
    return answer;
}

/* What was sent, according to the row. The caller frees it. */
static char *sent_of(const char *row)
{
    const char *bar = strstr(row, " | ");

    return strndup(row, bar == NULL ? strlen(row) : (size_t)(bar - row));
}

static void expect_no_start(const struct section *section, const char *row)
{
    int options = is(section->kind, "options");
    char *sent = sent_of(row), *position = options ? NULL : written_text(sent, NULL, NULL);
    struct answer answer;
    struct row real;

    if (is(section->kind, "game")) {
        free(position);
        free(sent);
        return;
    }
    answer = refuse_start(section, options ? sent : section->options, position);
    real = row_of(sent, &answer);
    expect_row(section, row, &real);
    cr_expect_eq(answer.status, 422, "%s", row);
    cr_expect_eq(
        strncmp(text_of(&answer, "pointer"),
                options || is(text_of(&answer, "code"), "bad-option") ? "/options/" : "/position",
                9),
        0, "%s: %s", row, answer.reply.body);
    free(position);
    free(sent);
}

Test(refusals, every_start_that_is_refused_names_its_rule)
{
    each_row(NULL, expect_no_start);
}

/* ---- moves ---- */

static void begin_game(struct section *section)
{
    char body[LINE_MAX_BYTES + 128];

    if (getenv("REFUSALS") != NULL)
        printf("%s %s %s %s\n", section->kind, section->variant, section->options,
               section->position == NULL ? "" : section->position);
    if (!is(section->kind, "game"))
        return;
    snprintf(body, sizeof(body), "{\"variant\":\"%s\",\"options\":%s", section->variant,
             section->options);
    if (!is(section->position, "start"))
        snprintf(body + strlen(body), sizeof(body) - strlen(body), ",\"position\":\"%s\"",
                 section->position);
    section->game = new_game(&house, strcat(body, "}"));
}

/* The body that asks for a move, or for several. */
static char *moves_body(const char *sent)
{
    cJSON *body = cJSON_CreateObject(), *list;
    char *copy = strdup(sent), *rest = copy, *text;

    if (strchr(sent, ';') == NULL) {
        cJSON_AddStringToObject(body, "move", sent);
    } else {
        list = cJSON_AddArrayToObject(body, "moves");
        for (char *move = strtok_r(rest, ";", &rest); move != NULL;
             move = strtok_r(NULL, ";", &rest))
            cJSON_AddItemToArray(list, cJSON_CreateString(move));
    }
    text = cJSON_PrintUnformatted(body);
    cJSON_Delete(body);
    free(copy);
    return text;
}

static struct answer look(const struct section *section)
{
    return ask_at(&house, NULL, "GET", NULL, "/v1/games/%s", section->game.id);
}

static void expect_same_game(const struct answer *refusal, const struct answer *before,
                             const struct answer *after)
{
    static const char *const shown[] = {"version", "ply", "line", "to_move", "status", "position"};

    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        cr_expect(
            cJSON_Compare(in(member(refusal, "game"), shown[i]), member(before, shown[i]), true),
            "%s is not what it was: %s", shown[i], refusal->reply.body);
    cr_expect_str_eq(after->reply.body, before->reply.body);
}

/* Sends moves, as a dry run or in earnest, and expects this row and an unchanged game. */
static void refuse_moves(const struct section *section, const char *row, const char *sent,
                         int dry_run)
{
    char *body = moves_body(sent);
    struct answer before = look(section), after, refusal;
    struct row real;

    refusal = ask_at(&house, section->game.token, "POST", body, "/v1/games/%s/moves%s",
                     section->game.id, dry_run ? "?dry_run=true" : "");
    after = look(section);
    real = row_of(sent, &refusal);
    if (!dry_run || getenv("REFUSALS") == NULL)
        expect_row(section, row, &real);
    cr_expect_eq(refusal.status, is(text_of(&refusal, "code"), "game-over") ? 409 : 422, "%s", row);
    expect_same_game(&refusal, &before, &after);
    free(body);
}

static void play_row(const struct section *section, const char *row)
{
    char *sent = sent_of(row);

    if (is(section->kind, "game")) {
        refuse_moves(section, row, sent, 1);
        refuse_moves(section, row, sent, 0);
    }
    free(sent);
}

Test(refusals, every_refused_move_names_its_rule_and_changes_nothing)
{
    each_row(begin_game, play_row);
}

/* ---- whether it is all there ---- */

/* Laws and codes that no row can show, and why. */
static const char *const unreachable[][2] = {
    {"stackchess.dead", "men that captured together can move together: only a start can be dead"},
    {"ok", "is no refusal"},
    {"not-allowed", "is for games of one's own: tests/http/site/test_games.c"},
};

static char seen[1 << 16];

static void note_row(const struct section *section, const char *row)
{
    (void)section;
    cr_assert_lt(strlen(seen) + strlen(row) + 2, sizeof(seen));
    strcat(strcat(seen, row), "\n");
}

/* Whether any row names a law or a code, between blanks or at its end. */
static int is_seen(const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < sizeof(unreachable) / sizeof(unreachable[0]); i++)
        if (is(unreachable[i][0], name))
            return 1;
    for (const char *at = seen; (at = strstr(at, name)) != NULL; at += len)
        if (at[-1] == ' ' && (at[len] == ' ' || at[len] == '\n'))
            return 1;
    return 0;
}

Test(refusals, every_law_of_every_game_and_every_code_is_in_the_table)
{
    static const char *const codes[] = {
#define RULES_CODE(id, text, title, detail, meaning) text,
#include "rules/codes.def"
#undef RULES_CODE
    };

    each_row(NULL, note_row);
    for (size_t i = 0; i < rules_games(); i++)
        for (size_t j = 0; j < rules_game(i)->nlaws; j++)
            cr_expect(is_seen(rules_game(i)->laws[j].id), "no row breaks %s",
                      rules_game(i)->laws[j].id);
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
        cr_expect(is_seen(codes[i]), "no row is refused as %s", codes[i]);
}

/* ---- sentences ---- */

static void expect_detail(const char *body, const char *move, const char *detail)
{
    struct game game = new_game(&house, body);
    struct answer answer = ask_at(&house, game.token, "POST", move, "/v1/games/%s/moves", game.id);

    cr_assert_eq(strncmp(text_of(&answer, "detail"), detail, strlen(detail)), 0, "%s",
                 text_of(&answer, "detail"));
}

Test(refusals, a_sentence_names_the_attackers_of_the_king_alone)
{
    expect_detail("{\"variant\":\"shogi\",\"position\":\"4k4/9/4r4/9/9/9/9/9/4K3L b - 1\"}", "1i1h",
                  "1i1h leaves the king attacked by what stands on 5c. ");
}

Test(refusals, a_sentence_has_three_examples_at_most)
{
    expect_detail(
        "{\"variant\":\"turkish-draughts\",\"position\":\"W:WKa4,h2:Bb4,h7,Kh8\"}", "h2-h3",
        "h2-h3 takes nothing, but a capture is possible: a4xc4, a4xd4, a4xe4 and others. ");
}
