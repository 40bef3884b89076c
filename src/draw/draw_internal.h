/* Shared inside of draw. */
#ifndef DRAW_INTERNAL_H
#define DRAW_INTERNAL_H

#include "toponaut/draw.h"

/* The cell when the clip lets it be drawn on, else NULL. */
struct cell *canvas_cell(struct canvas *c, int x, int y);

/* The cell's character with its marks; a blank for the right half of a wide one is left out. */
void cell_put(const struct cell *cell, struct strbuf *b);

#endif
