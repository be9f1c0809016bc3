/* test_record_split.c - files of many games are cut where the games begin. */
#include <criterion/criterion.h>
#include <iconv.h>
#include <string.h>

#include "api/record/split.h"
#include "api/text/arena.h"
#include "tests/unit/records.h"

static struct arena arena;

static void fini(void)
{
    arena_free(&arena);
    records_free();
}

TestSuite(record_split, .fini = fini);

/* The parts, each behind the number of lines before it. */
static const char *parts_of(const char *text)
{
    struct record_split split;
    struct record_part part;
    const char *parts = "";

    record_split_init(&split, text, strlen(text));
    while (record_split_next(&split, &part))
        parts = arena_format(&arena, "%s%zu<%.*s>", parts, part.line, (int)part.len, part.bytes);
    return parts;
}

static const struct {
    const char *name, *text, *parts;
} rows[] = {
    {"KIF begins anew with a header after moves",
     "# KIF\n先手：A\n手数----指手\n   1 ７六歩(77)\n*note: x\n\n先手：B\n   1 ２六歩(27)\n",
     "0<# KIF\n先手：A\n手数----指手\n   1 ７六歩(77)\n*note: x\n\n>6<先手：B\n   1 ２六歩(27)\n>"},
    {"variations, ends and notes belong to their game",
     "先手：A\n1 ７六歩(77)\nまで1手で先手の勝ち\n\n変化：1手\n1 ２六歩(27)\n# over\n",
     "0<先手：A\n1 ７六歩(77)\nまで1手で先手の勝ち\n\n変化：1手\n1 ２六歩(27)\n# over\n>"},
    {"a note between moves begins no game", "先手：A\n1 ７六歩(77)\n# note\n# b：c\n2 ３四歩(33)\n",
     "0<先手：A\n1 ７六歩(77)\n# note\n# b：c\n2 ３四歩(33)\n>"},
    {"a note below the heading begins no game", "手数----指手\n# note\n1 ７六歩(77)\n",
     "0<手数----指手\n# note\n1 ７六歩(77)\n>"},
    {"a word for the end and its time begin no game",
     "先手：A\n1 ７六歩(77)\n2  Time-up   ( 0:0/)\n",
     "0<先手：A\n1 ７六歩(77)\n2  Time-up   ( 0:0/)\n>"},
    {"a sentence with a colon behind the end begins no game",
     "先手：A\n1 ７六歩(77)\n2 投了\n備考：abc\nend: x\n",
     "0<先手：A\n1 ７六歩(77)\n2 投了\n備考：abc\nend: x\n>"},
    {"variations behind such a sentence belong to their game",
     "先手：A\n1 ７六歩(77)\n2 投了\n備考：abc\n変化：1手\n# x\n1 ２六歩(27)\n",
     "0<先手：A\n1 ７六歩(77)\n2 投了\n備考：abc\n変化：1手\n# x\n1 ２六歩(27)\n>"},
    {"KIF begins anew where its moves begin anew", "1 ７六歩(77)\n2 投了\n1 ２六歩(27)\n",
     "0<1 ７六歩(77)\n2 投了\n>2<1 ２六歩(27)\n>"},
    {"headers before the first move are those of the next game",
     "1 ７六歩(77)\n2 投了\n# note\n戦型：x\n\n備考：y\n1 ２六歩(27)\n",
     "0<1 ７六歩(77)\n2 投了\n>2<# note\n戦型：x\n\n備考：y\n1 ２六歩(27)\n>"},
    {"KIF begins anew with a player whom it has already, even without moves",
     "先手：A\n1 ７六歩(77)\n備考：y\n先手：B\n後手：C\n",
     "0<先手：A\n1 ７六歩(77)\n>2<備考：y\n先手：B\n後手：C\n>"},
    {"KIF begins anew with a board",
     "手合割：平手\n1 ７六歩(77)\n後手の持駒：なし\n  ９ ８ ７\n+---\n|v香v桂v銀\n先手の持駒："
     "なし\n後手番\n手数----指手\n",
     "0<手合割：平手\n1 ７六歩(77)\n>2<後手の持駒：なし\n  ９ ８ ７\n+---\n|v香v桂v銀\n"
     "先手の持駒：なし\n後手番\n手数----指手\n>"},
    {"KIF begins anew with its version", "1 ７六歩(77)\n#KIF version=2.0\n先手：B\n",
     "0<1 ７六歩(77)\n>1<#KIF version=2.0\n先手：B\n>"},
    {"KI2 begins anew with a move behind the end",
     "▲７六歩\nまで1手で先手の勝ち\n\n▲２六歩\n変化：1手\n▲５六歩\n",
     "0<▲７六歩\nまで1手で先手の勝ち\n\n>3<▲２六歩\n変化：1手\n▲５六歩\n>"},
    {"KI2 begins anew with any mark of a side",
     "▲７六歩\nまで1手で中断\n△２六歩\nまで1手で中断\n▼５六歩\nまで1手で中断\n▽１六歩\n",
     "0<▲７六歩\nまで1手で中断\n>2<△２六歩\nまで1手で中断\n>4<▼５六歩\nまで1手で中断\n>6<"
     "▽１六歩\n>"},
    {"KIF begins anew with the number of a board's last move",
     "1 ７六歩(77)\n手数＝6  ▲２六歩\n手数----指手\n",
     "0<1 ７六歩(77)\n>1<手数＝6  ▲２六歩\n手数----指手\n>"},
    {"KIF begins anew with whose turn it is on a board",
     "1 ７六歩(77)\n先手番\n手数----指手\n1 ７六歩(77)\n下手番\n手数----指手\n1 ７六歩(77)\n"
     "上手番\n手数----指手\n",
     "0<1 ７六歩(77)\n>1<先手番\n手数----指手\n1 ７六歩(77)\n>4<下手番\n手数----指手\n"
     "1 ７六歩(77)\n>7<上手番\n手数----指手\n>"},
    {"KI2 begins anew with any player that it has",
     "下手：A\n上手：B\n▲７六歩\n上手：C\n▲２六歩\n下手：D\n▲２六歩\n下手：E\n▲２六歩\n",
     "0<下手：A\n上手：B\n▲７六歩\n>3<上手：C\n▲２六歩\n>5<下手：D\n▲２六歩\n>7<"
     "下手：E\n▲２六歩\n>"},
    {"a sentence behind the end of KI2 begins no game", "▲７六歩\nまで1手で先手の勝ち\n備考：x\n",
     "0<▲７六歩\nまで1手で先手の勝ち\n備考：x\n>"},
    {"a sentence about a side behind the end of KIF begins no game",
     "1 ７六歩(77)\nまで1手で先手の勝ち\n▲: good\n",
     "0<1 ７六歩(77)\nまで1手で先手の勝ち\n▲: good\n>"},
    {"KI2 begins anew with a header after moves", "先手：A\n▲７六歩 △３四歩\n先手：B\n▲２六歩\n",
     "0<先手：A\n▲７六歩 △３四歩\n>2<先手：B\n▲２六歩\n>"},
    {"CSA has a slash between games", "V2.2\nPI\n+\n/\nV2.2\nPI\n+\n+7776FU\n/\n' over\n",
     "0<V2.2\nPI\n+\n>4<V2.2\nPI\n+\n+7776FU\n>"},
    {"PDN begins anew with a tag that is in no comment",
     "[White \"A\"]\n\n1. a3-a4 {x\n[y]} *\n\n[White \"B\"]\n1. b3-b4 *\n",
     "0<[White \"A\"]\n\n1. a3-a4 {x\n[y]} *\n\n>5<[White \"B\"]\n1. b3-b4 *\n>"},
    {"each line of a list of USI is a game", "startpos moves 7g7f\r\n\r\nposition startpos\r\n",
     "0<startpos moves 7g7f\r\n\r\n>2<position startpos\r\n>"},
    {"each line of a list of SFEN is a game",
     "4k4/9/9/9/9/9/9/9/4K4 b - 1\n4k4/9/9/9/9/9/9/9/4K4 w - 1\n",
     "0<4k4/9/9/9/9/9/9/9/4K4 b - 1\n>1<4k4/9/9/9/9/9/9/9/4K4 w - 1\n>"},
    {"objects of JSON are games in lines", "{\"a\": \"}\\\"{\"}\n{\"b\": [{}]}\n",
     "0<{\"a\": \"}\\\"{\"}>1<{\"b\": [{}]}>"},
    {"objects of JSON are games in a list", " [\n{\"a\": 1},\n {\"b\": 2}]\n",
     "1<{\"a\": 1}>2<{\"b\": 2}>"},
    {"texts begin with their first line", "Game: shogi\n1. 7g7f\nGame: jungle\n",
     "0<Game: shogi\n1. 7g7f\n>2<Game: jungle\n>"},
    {"SHOUGI begins with its first line", "step 1\nx\nstep 2\ny\n", "0<step 1\nx\n>2<step 2\ny\n>"},
    {"nothing is no game", "", ""},
    {"blanks and notes are no game", "\xef\xbb\xbf \n# only a note\n", ""},
    {"broken JSON is no further game", "{\"a\": {", "0<{\"a\": {>"},
};

Test(record_split, a_file_is_cut_where_its_games_begin)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_str_eq(parts_of(rows[i].text), rows[i].parts, "%s: %s", rows[i].name,
                         parts_of(rows[i].text));
}

/* The same text in another encoding; NULL: it has characters that this one has not. */
static const char *encoded(const char *charset, const char *text)
{
    iconv_t from = iconv_open(charset, "UTF-8");
    size_t len = strlen(text), room = 4 * len + 1;
    char *in = arena_copy(&arena, text, len), *start = arena_alloc(&arena, room), *out = start;
    bool whole;

    cr_assert_neq(from, (iconv_t)-1, "%s", charset);
    whole = iconv(from, &in, &len, &out, &room) == 0;
    *out = '\0';
    iconv_close(from);
    return whole ? start : NULL;
}

Test(record_split, a_file_in_another_encoding_is_cut_at_the_same_places)
{
    static const char *const charsets[] = {"SHIFT_JIS", "EUC-JP"};
    size_t compared = 0;

    for (size_t c = 0; c < 2; c++)
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            const char *text = encoded(charsets[c], rows[i].text);
            const char *parts = encoded(charsets[c], rows[i].parts);

            if (text == NULL || parts == NULL)
                continue;
            cr_expect_str_eq(parts_of(text), parts, "%s: %s", charsets[c], rows[i].name);
            compared++;
        }
    cr_assert_gt(compared, sizeof(rows) / sizeof(rows[0]));
}

Test(record_split, the_games_of_a_file_are_counted)
{
    cr_assert_eq(record_split_count("先手：A\n", strlen("先手：A\n")), 1);
}

Test(record_split, a_header_that_counts_the_moves_of_a_problem_is_no_move)
{
    static const char *const problems[] = {"作者：A\n手数：1\n手合割：平手\n1 ２六歩(27)\n",
                                           "\x8d\xec\x8e\xd2\x81\x46"
                                           "A\n\x8e\xe8\x90\x94\x81\x46"
                                           "1\n\x94\xf5\x8d\x6c\x81\x46"
                                           "B\n1 \x82\x51\x98\x5a\x95\xe0(27)\n"};

    for (size_t i = 0; i < 2; i++)
        cr_assert_str_eq(parts_of(problems[i]), arena_format(&arena, "0<%s>", problems[i]));
}

Test(record_split, a_mark_between_variations_begins_no_game)
{
    const char *game = "先手：A\n1 ７六歩(77)\n#--separator--\n変化：1手\n1 ２六歩(27)\n";

    cr_assert_str_eq(parts_of(game), arena_format(&arena, "0<%s>", game));
}

static void remark_is_no_part(const struct record_format *format)
{
    struct record record = records_random(rules_find(format->variant), 7, 12);
    const char *text = records_write(&record, format->name);
    const char *more =
        arena_format(&records_arena, "%s%s 1 game was left out: abc.\n", text, format->remark);
    struct record one = records_read(text, format->name), other = records_read(more, NULL);

    cr_expect_eq(record_split_count(more, strlen(more)), 1, "%s", more);
    cr_expect_str_eq(records_write(&one, "json"), records_write(&other, "json"));
}

Test(record_split, a_remark_at_the_end_of_a_file_is_no_part_of_a_game)
{
    const struct record_format *format;

    for (size_t i = 0; (format = record_format(i)) != NULL; i++)
        if (format->remark != NULL)
            remark_is_no_part(format);
}

Test(record_split, kif_in_shift_jis_is_cut_too)
{
    /* 先手：a, a move, 変化：1手, a move, 先手：b, a move */
    const char *first = "\x90\xe6\x8e\xe8\x81\x46"
                        "a\n1 \x82\x56\x98\x5a\x95\xe0(77)\n\x95\xcf\x89\xbb\x81\x46"
                        "1\n1 \x82\x51\x98\x5a\x95\xe0(27)\n";
    const char *second = "\x90\xe6\x8e\xe8\x81\x46"
                         "b\n1 \x82\x56\x98\x5a\x95\xe0(77)\n";

    cr_assert_str_eq(parts_of(arena_format(&arena, "%s%s", first, second)),
                     arena_format(&arena, "0<%s>4<%s>", first, second));
}
