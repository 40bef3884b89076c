/* paint: the canvas onto the screen, only the cells that changed. */
#include <wchar.h>

#include "tui/tui_internal.h"

/* Terminals of 8 colours show the bright ones bold; grey becomes plain white there. */
static int fit_color(int color, uint32_t rgb, attr_t *attrs)
{
	if (COLORS > 0xffff && color >= 0) /* terminals of direct colour take the components as the number */
		return rgb ? (int)rgb : (int)palette_rgb(color);
	if (color < 8 || COLORS >= 16)
		return color;
	if (color == 8)
		return 7;
	*attrs |= A_BOLD;
	return color - 8;
}

static void set_look(cchar_t *out, const struct cell *cell, enum scheme scheme)
{
	struct look look = scheme_look(scheme, cell->style);
	wchar_t text[4] = {(wchar_t)cell->code, (wchar_t)cell->mark[0], (wchar_t)cell->mark[1], 0};
	attr_t attrs = 0;
	int pair = 0;
	attrs |= look.attr & ATTR_BOLD ? A_BOLD : 0;
	attrs |= look.attr & ATTR_REVERSE ? A_REVERSE : 0;
	attrs |= look.attr & ATTR_UNDERLINE ? A_UNDERLINE : 0;
	if (scheme != SCHEME_MONO && (look.fg >= 0 || look.bg >= 0))
		pair = alloc_pair(fit_color(look.fg, look.fg_rgb, &attrs), fit_color(look.bg, look.bg_rgb, &attrs));
	if (pair < 0)
		pair = 0;
	setcchar(out, text, attrs, 0, &pair);
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->code == b->code && a->mark[0] == b->mark[0] && a->mark[1] == b->mark[1] &&
	       a->style.role == b->style.role && a->style.attr == b->style.attr;
}

void paint(const struct canvas *c, struct canvas *before, enum scheme scheme)
{
	bool whole = before->cols != c->cols || before->rows != c->rows;
	if (whole) {
		canvas_resize(before, c->cols, c->rows);
		erase();
	}
	for (int y = 0; y < c->rows; y++)
		for (int x = 0; x < c->cols; x++) {
			const struct cell *cell = &c->cells[y * c->cols + x];
			cchar_t text;
			if (!cell->code || (!whole && same_cell(cell, &before->cells[y * c->cols + x])))
				continue;
			set_look(&text, cell, scheme);
			mvadd_wch(y, x, &text); /* fails at the last cell of the screen although it draws */
		}
	for (int i = 0; i < c->rows * c->cols; i++)
		before->cells[i] = c->cells[i];
}
