/* encode_svg: a canvas as a picture. One <text> per run of equal style, every cell at its own x, so no viewer's
 * font can pull columns apart. Lines and blocks stay text: they are what monospace fonts draw best.
 */
#include "draw/draw_internal.h"

enum { CELL_W = 9, CELL_H = 19, BASELINE = 14, MARGIN = 12 };

static const char *const palette[16] = {"#1c2128", "#d9534f", "#5fb96a", "#d6a243", "#5b8ff0", "#b98be8", "#4fc3c7",
					"#d0d4da", "#7a828c", "#ff7b72", "#8ddb94", "#f2c14e", "#8fb4ff", "#d8b4ff",
					"#56e0e8", "#ffffff"};
static const char ground[] = "#14181d", ink[] = "#d0d4da";

static void put_escaped(struct strbuf *b, const struct cell *cell)
{
	switch (cell->code) {
	case '<':
		strbuf_puts(b, "&lt;");
		break;
	case '>':
		strbuf_puts(b, "&gt;");
		break;
	case '&':
		strbuf_puts(b, "&amp;");
		break;
	case ' ':
		strbuf_puts(b, "\u00a0");
		break;
	default:
		cell_put(cell, b);
	}
}

static void put_escaped_text(struct strbuf *b, const char *text)
{
	for (; *text; text++)
		if (*text == '<' || *text == '>' || *text == '&')
			strbuf_printf(b, "&#%d;", *text);
		else
			strbuf_putc(b, *text);
}

static bool same_run(const struct cell *a, const struct cell *b)
{
	return b->style.role == a->style.role && b->style.attr == a->style.attr && (b->code == ' ') == (a->code == ' ');
}

/* SVG counts positions in UTF-16 units. */
static int utf16_units(const struct cell *cell)
{
	int units = cell->code ? 1 + (cell->code > 0xffff) : 0;
	for (size_t i = 0; i < ARRAY_LEN(cell->mark); i++)
		units += cell->mark[i] ? 1 + (cell->mark[i] > 0xffff) : 0;
	return units;
}

static void put_run(const struct canvas *c, int x, int y, int n, struct strbuf *b)
{
	const struct cell *run = canvas_at(c, x, y);
	struct look look = scheme_look(SCHEME_16, run->style);
	bool reverse = look.attr & ATTR_REVERSE;
	const char *fg = look.fg < 0 ? ink : palette[look.fg], *bg = look.bg < 0 ? NULL : palette[look.bg];
	if (reverse) {
		bg = fg;
		fg = ground;
	}
	int left = MARGIN + x * CELL_W, top = MARGIN + y * CELL_H;
	if (bg)
		strbuf_printf(b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", left, top,
			      n * CELL_W, CELL_H, bg);
	if (run->code == ' ')
		return;
	strbuf_printf(b, "<text y=\"%d\" fill=\"%s\"%s%s x=\"", top + BASELINE, fg,
		      look.attr & ATTR_BOLD ? " font-weight=\"bold\"" : "",
		      look.attr & ATTR_UNDERLINE ? " text-decoration=\"underline\"" : "");
	for (int i = 0; i < n; i++)
		for (int units = utf16_units(&run[i]); units > 0; units--)
			strbuf_printf(b, "%d ", left + i * CELL_W);
	strbuf_puts(b, "\">");
	for (int i = 0; i < n; i++)
		if (run[i].code)
			put_escaped(b, &run[i]);
	strbuf_puts(b, "</text>\n");
}

void canvas_put_svg(const struct canvas *c, const char *title, struct strbuf *b)
{
	int w = c->cols * CELL_W + 2 * MARGIN, h = c->rows * CELL_H + 2 * MARGIN;
	strbuf_printf(b,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
		      "font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" "
		      "font-size=\"15\">\n<title>",
		      w, h, w, h);
	put_escaped_text(b, title);
	strbuf_printf(b, "</title>\n<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"%s\"/>\n", w, h, ground);
	for (int y = 0; y < c->rows; y++)
		for (int x = 0, n; x < c->cols; x += n) {
			const struct cell *run = canvas_at(c, x, y);
			for (n = 1; x + n < c->cols && same_run(run, &run[n]); n++)
				;
			put_run(c, x, y, n, b);
		}
	strbuf_puts(b, "</svg>\n");
}
