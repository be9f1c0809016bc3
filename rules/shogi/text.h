/*
 * text.h - shogi in writing: positions in SFEN (2.2, sfen.c), moves in USI (2.3) and as people
 * write them (text.c), and the rules that a refusal may name.
 */
#ifndef PLYD_RULES_SHOGI_TEXT_H
#define PLYD_RULES_SHOGI_TEXT_H

#include "rules/shogi/board.h"

enum shogi_law {
#define SHOGI_LAW(name, number, id, text) LAW_##name,
#include "rules/shogi/laws.def"
#undef SHOGI_LAW
    SHOGI_LAWS
};

extern const struct rules_law shogi_laws[SHOGI_LAWS];

/* The capital letters of the kinds, by kind. */
extern const char shogi_letters[SHOGI_BASE_KINDS + 1];

/* The kind of a capital letter, or SHOGI_BASE_KINDS. */
unsigned shogi_kind_of_letter(char capital);

/* The board, for naming squares. */
extern const struct rules_board shogi_board;

/* As rules_game.position_text, .move_text and .pretty. */
void shogi_write_sfen(const struct shogi *s, char *text);
void shogi_write_usi(rules_move move, char *text);
void shogi_write_kanji(const struct shogi *s, rules_move last, rules_move move, char *text);

/* Reads and judges a position (2.5). *s must have its options, since casual games judge less; all
 * else of it is set. */
bool shogi_read_sfen(const char *text, struct shogi *s, struct rules_refusal *why);

/* Adds a witness on a square of the board, with the man that stands there. */
void shogi_add_witness(struct rules_refusal *why, enum rules_role role, const struct shogi *s,
                       unsigned square);

#endif
