/*
 * png.h - pixels as a PNG file.
 */
#ifndef PLYD_API_VIEW_PNG_H
#define PLYD_API_VIEW_PNG_H

#include "api/view/canvas.h"

/* The file, in the arena, of *len bytes. What it takes meanwhile is memory of its own. */
const char *png_write(struct arena *arena, const struct canvas *canvas, size_t *len);

#endif
