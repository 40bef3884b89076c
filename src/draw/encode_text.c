/* encode_text: a canvas as text, as text with colours for a terminal, and as a plane of style letters. */
#include "draw/draw_internal.h"

void cell_put(const struct cell *cell, struct strbuf *b)
{
	if (!cell->code)
		return;
	utf8_put(b, cell->code);
	for (size_t i = 0; i < ARRAY_LEN(cell->mark); i++)
		if (cell->mark[i])
			utf8_put(b, cell->mark[i]);
}

static const struct cell *row_of(const struct canvas *c, int y)
{
	return &c->cells[y * c->cols];
}

static bool is_blank(const struct cell *cell)
{
	return cell->code == ' ' && !cell->mark[0] && !(cell->style.attr & (ATTR_REVERSE | ATTR_UNDERLINE));
}

/* Columns up to the last one with something in it. */
static int row_length(const struct canvas *c, int y)
{
	int n = c->cols;
	while (n > 0 && is_blank(&row_of(c, y)[n - 1]))
		n--;
	return n;
}

static int rows_used(const struct canvas *c)
{
	int n = c->rows;
	while (n > 0 && row_length(c, n - 1) == 0)
		n--;
	return n;
}

void canvas_put_text(const struct canvas *c, struct strbuf *b)
{
	for (int y = 0, rows = rows_used(c); y < rows; y++) {
		int n = row_length(c, y);
		while (n > 0 && row_of(c, y)[n - 1].code == ' ')
			n--;
		for (int x = 0; x < n; x++)
			cell_put(&row_of(c, y)[x], b);
		strbuf_putc(b, '\n');
	}
}

void canvas_put_styles(const struct canvas *c, struct strbuf *b)
{
	for (int y = 0, rows = rows_used(c); y < rows; y++) {
		for (int x = 0, n = row_length(c, y); x < n; x++) {
			const struct cell *cell = &row_of(c, y)[x];
			char letter = is_blank(cell) ? '.' : role_letters[cell->style.role];
			if (cell->style.attr & ATTR_REVERSE)
				letter = '@';
			strbuf_putc(b, letter);
		}
		strbuf_putc(b, '\n');
	}
}

static void put_color(struct strbuf *b, int color, uint32_t rgb, int base, enum scheme scheme)
{
	if (rgb) {
		strbuf_printf(b, ";%d;2;%u;%u;%u", base + 8, rgb >> 16, rgb >> 8 & 255, rgb & 255);
		return;
	}
	if (color < 0)
		return;
	if (scheme >= SCHEME_256 && color >= 16)
		strbuf_printf(b, ";%d;5;%d", base + 8, color);
	else if (color < 8)
		strbuf_printf(b, ";%d", base + color);
	else
		strbuf_printf(b, ";%d", base + 60 + color - 8);
}

static void put_look(struct strbuf *b, struct look look, enum scheme scheme)
{
	strbuf_puts(b, "\033[0");
	if (look.attr & ATTR_BOLD)
		strbuf_puts(b, ";1");
	if (look.attr & ATTR_UNDERLINE)
		strbuf_puts(b, ";4");
	if (look.attr & ATTR_REVERSE)
		strbuf_puts(b, ";7");
	put_color(b, look.fg, look.fg_rgb, 30, scheme);
	put_color(b, look.bg, look.bg_rgb, 40, scheme);
	strbuf_putc(b, 'm');
}

static bool look_equal(struct look a, struct look b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr && a.fg_rgb == b.fg_rgb && a.bg_rgb == b.bg_rgb;
}

void canvas_put_ansi(const struct canvas *c, enum scheme scheme, struct strbuf *b)
{
	const struct look none = {.fg = -1, .bg = -1};
	for (int y = 0, rows = rows_used(c); y < rows; y++) {
		struct look now = none;
		for (int x = 0, n = row_length(c, y); x < n; x++) {
			const struct cell *cell = &row_of(c, y)[x];
			struct look want = is_blank(cell) ? none : scheme_look(scheme, cell->style);
			if (cell->code && !look_equal(now, want)) {
				put_look(b, want, scheme);
				now = want;
			}
			cell_put(cell, b);
		}
		if (!look_equal(now, none))
			strbuf_puts(b, "\033[0m");
		strbuf_putc(b, '\n');
	}
}
