/*
 * words.h - the words of a game, and of the program around it, in another language: data alone.
 *
 * They stand in lang_XX.def, one word a line: SIDE("red", "kırmızı"). Whoever includes such a file
 * in a table of struct lang_text gets one with this header.
 */
#ifndef PLYD_RULES_WORDS_H
#define PLYD_RULES_WORDS_H

#include <stddef.h>

enum lang_kind {
    LANG_WORD,    /* by its key in lang_en.def or pages_en.def; games have none of these */
    LANG_GAME,    /* the title of a game, by its name */
    LANG_PIECE,   /* of a game, by both names: "shogi.pawn" */
    LANG_SIDE,    /* by its name; "-odds" is added in a game at odds: "gote-odds" */
    LANG_STATUS,  /* of a game: "active" */
    LANG_REASON,  /* how a game ended: "checkmate" */
    LANG_TITLE,   /* of a problem, by its code */
    LANG_DETAIL,  /* of a refusal of the rules, by its code: a template as in rules/codes.def */
    LANG_LAW,     /* a numbered rule, by its id */
    LANG_OPTION,  /* what an option decides, by game and option: "shogi.rules" */
    LANG_MOVES,   /* how moves are written, by the game */
    LANG_ORDER,   /* what a word does that is typed in a terminal, by that word */
    LANG_NAME,    /* how an option is called, by game and option: "shogi.rules" */
    LANG_VALUE,   /* how a value of one is called: "shogi.rules.casual" */
    LANG_DOC,     /* a game in a sentence, by its name */
    LANG_CHOICE,  /* a click that is no square, by game and click: "shogi.+" */
    LANG_ZONE,    /* of a board, by game and zone: "jungle.river" */
    LANG_MEANING, /* what an end of a game means, in a sentence: "checkmate" */
    LANG_LEVEL,   /* how a computer opponent plays, by its level or its name: "3", "random" */
    LANG_SCRIPT,  /* what a script of a page says, by its key in pages_en.def */
    LANG_ELEMENT  /* what <plyd-board> says, by its key in board.js */
};

struct lang_text {
    enum lang_kind kind;
    const char *key, *text;
};

#define WORD(key, text)    {LANG_WORD, key, text},
#define GAME(key, text)    {LANG_GAME, key, text},
#define PIECE(key, text)   {LANG_PIECE, key, text},
#define SIDE(key, text)    {LANG_SIDE, key, text},
#define STATUS(key, text)  {LANG_STATUS, key, text},
#define REASON(key, text)  {LANG_REASON, key, text},
#define TITLE(key, text)   {LANG_TITLE, key, text},
#define DETAIL(key, text)  {LANG_DETAIL, key, text},
#define LAW(key, text)     {LANG_LAW, key, text},
#define OPTION(key, text)  {LANG_OPTION, key, text},
#define MOVES(key, text)   {LANG_MOVES, key, text},
#define ORDER(key, text)   {LANG_ORDER, key, text},
#define NAME(key, text)    {LANG_NAME, key, text},
#define VALUE(key, text)   {LANG_VALUE, key, text},
#define DOC(key, text)     {LANG_DOC, key, text},
#define CHOICE(key, text)  {LANG_CHOICE, key, text},
#define ZONE(key, text)    {LANG_ZONE, key, text},
#define MEANING(key, text) {LANG_MEANING, key, text},
#define LEVEL(key, text)   {LANG_LEVEL, key, text},
#define SCRIPT(key, text)  {LANG_SCRIPT, key, text},
#define ELEMENT(key, text) {LANG_ELEMENT, key, text},

#endif
