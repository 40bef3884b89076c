/* canvas: cells, clip, text, fills and the hit map. Lines are in lines.c, schemes in scheme.c, outputs in
 * encode_*.c.
 *
 * A wide character owns two cells; whoever overwrites one half blanks the other, so a row is always whole.
 */
#include <stdlib.h>
#include <string.h>

#include "draw/draw_internal.h"

struct rect rect_intersect(struct rect a, struct rect b)
{
	int x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
	int x1 = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
	int y1 = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
	if (x1 <= x0 || y1 <= y0)
		return RECT(x0, y0, 0, 0);
	return RECT(x0, y0, x1 - x0, y1 - y0);
}

bool rect_has(struct rect r, int x, int y)
{
	return x >= r.x && y >= r.y && x < r.x + r.w && y < r.y + r.h;
}

struct rect rect_inset(struct rect r, int by)
{
	struct rect in = {r.x + by, r.y + by, r.w - 2 * by, r.h - 2 * by};
	if (in.w <= 0 || in.h <= 0)
		in.w = in.h = 0;
	return in;
}

struct canvas canvas_new(int cols, int rows, bool ascii)
{
	struct canvas c = {.ascii = ascii};
	canvas_resize(&c, cols, rows);
	return c;
}

void canvas_resize(struct canvas *c, int cols, int rows)
{
	c->cols = cols > 0 ? cols : 0;
	c->rows = rows > 0 ? rows : 0;
	c->cells = mem_resize(c->cells, (size_t)c->cols * (size_t)c->rows + 1, sizeof *c->cells);
	canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
	c->clip = RECT(0, 0, c->cols, c->rows);
	c->overdrawn = 0;
	for (size_t i = 0, n = (size_t)c->cols * (size_t)c->rows; i < n; i++)
		c->cells[i] = (struct cell){.code = ' '};
}

void canvas_free(struct canvas *c)
{
	free(c->cells);
	*c = (struct canvas){0};
}

const struct cell *canvas_at(const struct canvas *c, int x, int y)
{
	return rect_has(RECT(0, 0, c->cols, c->rows), x, y) ? &c->cells[y * c->cols + x] : NULL;
}

struct cell *canvas_cell(struct canvas *c, int x, int y)
{
	return rect_has(c->clip, x, y) ? &c->cells[y * c->cols + x] : NULL;
}

static bool cell_equal(const struct cell *a, const struct cell *b)
{
	return a->code == b->code && a->mark[0] == b->mark[0] && a->mark[1] == b->mark[1] &&
	       a->style.role == b->style.role && a->style.attr == b->style.attr;
}

bool canvas_equal(const struct canvas *a, const struct canvas *b)
{
	if (a->cols != b->cols || a->rows != b->rows)
		return false;
	for (size_t i = 0, n = (size_t)a->cols * (size_t)a->rows; i < n; i++)
		if (!cell_equal(&a->cells[i], &b->cells[i]))
			return false;
	return true;
}

struct rect canvas_clip(struct canvas *c, struct rect r)
{
	struct rect old = c->clip;
	c->clip = rect_intersect(old, r);
	return old;
}

void canvas_unclip(struct canvas *c, struct rect old)
{
	c->clip = old;
}

/* ---- text ------------------------------------------------------------------------------------------ */

/* Blanks the other half of a wide character of which (x, y) is to be overwritten. */
static void split_wide(struct canvas *c, int x, int y)
{
	struct cell *row = &c->cells[y * c->cols];
	if (row[x].code == 0 && x > 0)
		row[x - 1].code = ' ';
	if (x + 1 < c->cols && row[x + 1].code == 0)
		row[x + 1].code = ' ';
}

static void set_cell(struct canvas *c, int x, int y, struct style s, uint32_t code)
{
	split_wide(c, x, y);
	struct cell *cell = &c->cells[y * c->cols + x];
	c->overdrawn += cell->text && cell->code != code && cell->code != ' ';
	*cell = (struct cell){.code = code, .style = s, .hit = cell->hit};
}

/* Draws one base character of known width; a wide one that the clip cuts becomes a blank. */
static void put_base(struct canvas *c, int x, int y, struct style s, uint32_t code, unsigned width)
{
	bool left = rect_has(c->clip, x, y);
	bool right = width == 2 && rect_has(c->clip, x + 1, y);
	if (width == 2 && left != right)
		code = ' ';
	if (left)
		set_cell(c, x, y, s, code);
	if (right)
		set_cell(c, x + 1, y, s, left ? 0 : ' ');
}

static void put_mark(struct canvas *c, int x, int y, uint32_t code)
{
	struct cell *cell = canvas_cell(c, x, y);
	if (cell && cell->code == 0 && x > 0)
		cell = canvas_cell(c, x - 1, y);
	if (!cell || c->ascii)
		return;
	if (!cell->mark[0])
		cell->mark[0] = code;
	else if (!cell->mark[1])
		cell->mark[1] = code;
}

/* Draws the code point behind whatever was drawn up to x; returns its columns. */
static int put_code(struct canvas *c, int x, int y, struct style s, uint32_t code)
{
	if (!utf8_is_printable(code))
		code = 0xfffd;
	unsigned width = utf8_width(code);
	if (width == 0) {
		put_mark(c, x - 1, y, code);
		return 0;
	}
	if (c->ascii && code > 0x7e) {
		put_base(c, x, y, s, glyph_ascii(code), 1);
		if (width == 2)
			put_base(c, x + 1, y, s, ' ', 1);
	} else {
		put_base(c, x, y, s, code, width);
	}
	return (int)width;
}

void canvas_put(struct canvas *c, int x, int y, struct style s, uint32_t code)
{
	put_code(c, x, y, s, code);
}

static int put_bytes(struct canvas *c, int x, int y, struct style s, const char *text, size_t n)
{
	int start = x;
	for (size_t used; n > 0; text += used, n -= used) {
		int w = put_code(c, x, y, s, utf8_decode(text, n, &used));
		for (int i = 0; i < w; i++)
			if (rect_has(c->clip, x + i, y))
				c->cells[y * c->cols + x + i].text = true;
		x += w;
	}
	return x - start;
}

int canvas_text(struct canvas *c, int x, int y, struct style s, const char *text)
{
	return put_bytes(c, x, y, s, text, strlen(text));
}

int canvas_printf(struct canvas *c, int x, int y, struct style s, const char *fmt, ...)
{
	struct strbuf b = STRBUF_INIT;
	va_list ap;
	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	int cols = canvas_text(c, x, y, s, strbuf_str(&b));
	strbuf_free(&b);
	return cols;
}

int canvas_text_in(struct canvas *c, int x, int y, int w, struct style s, const char *text)
{
	if (w <= 0)
		return 0;
	size_t n = strlen(text);
	if (text_fit(text, (unsigned)w) == n)
		return put_bytes(c, x, y, s, text, n);
	int cols = put_bytes(c, x, y, s, text, text_fit(text, (unsigned)w - 1));
	return cols + put_code(c, x + cols, y, s, 0x2026);
}

void canvas_text_right(struct canvas *c, int x, int y, int w, struct style s, const char *text)
{
	int width = (int)text_width(text);
	canvas_text_in(c, width < w ? x + w - width : x, y, w, s, text);
}

/* ---- areas ------------------------------------------------------------------------------------------ */

#define each_cell(x_, y_, c, r)                                                                        \
	for (struct rect in_ = rect_intersect((c)->clip, (r)), *once_ = &in_; once_; once_ = NULL)     \
		for (int y_ = in_.y; y_ < in_.y + in_.h; y_++)                                         \
			for (int x_ = in_.x; x_ < in_.x + in_.w; x_++)

void canvas_fill(struct canvas *c, struct rect r, struct style s)
{
	each_cell(x, y, c, r) {
		c->cells[y * c->cols + x].text = false; /* what is cleared on purpose */
		set_cell(c, x, y, s, ' ');
		c->cells[y * c->cols + x].hit = (struct hit){0};
	}
}

void canvas_restyle(struct canvas *c, struct rect r, struct style s)
{
	each_cell(x, y, c, r) {
		struct cell *cell = &c->cells[y * c->cols + x];
		if (s.role != ROLE_COUNT)
			cell->style.role = s.role;
		cell->style.attr |= s.attr;
	}
}

void canvas_hit(struct canvas *c, struct rect r, uint8_t kind, uint32_t id)
{
	each_cell(x, y, c, r)
		c->cells[y * c->cols + x].hit = (struct hit){kind, id};
}

struct hit canvas_hit_at(const struct canvas *c, int x, int y)
{
	const struct cell *cell = canvas_at(c, x, y);
	return cell ? cell->hit : (struct hit){0};
}
