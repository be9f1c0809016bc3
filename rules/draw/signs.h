/*
 * signs.h - digits, small letters and the numbers of a shogi board as strokes, so that a picture
 * needs no font.
 */
#ifndef PLYD_RULES_DRAW_SIGNS_H
#define PLYD_RULES_DRAW_SIGNS_H

#include <stdint.h>

enum { RULES_SIGN_HEIGHT = 100 };

/* One sign: an SVG path to be stroked, on a grid as high as RULES_SIGN_HEIGHT and `width` wide. */
struct rules_sign {
    uint32_t character;
    uint8_t width;
    const char *path;
};

/* The sign of a character, or NULL if there is none. Full-width digits have the signs of digits. */
const struct rules_sign *rules_sign(uint32_t character);

#endif
