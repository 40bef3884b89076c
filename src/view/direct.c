/* direct: networks without a switch tier. Lattices stand as planes (lattice.c). Few devices stand on a circle with their links
 * drawn between them; many stand as cells in rows, and the links that are then not drawn are counted.
 */
#include <math.h>
#include <stdlib.h>

#include "view/graph_internal.h"

enum { CIRCLE_MAX = 32, CIRCLE_MIN_W = 26, CIRCLE_MIN_H = 9 };

static size_t linked_count(const struct graph_plan *p)
{
	size_t n = 0;
	for (size_t g = 0; g < p->groups.n; g++)
		n += p->groups.at[g].tier != LOCAL_TIER ? p->groups.at[g].n : 0;
	return n;
}

static uint32_t drawn_trunks(const struct graph_plan *p)
{
	uint32_t n = 0;
	for (size_t i = 0; i < p->bundles.n; i++)
		n += p->bundles.at[i].local ? 0 : p->bundles.at[i].sum.trunks;
	return n;
}

bool direct_is_lattice(const struct graph_plan *p, struct rect area)
{
	for (size_t g = 0; g < p->groups.n; g++) /* others would have no place */
		if (p->groups.at[g].tier == LOCAL_TIER)
			return false;
	return lattice_fits(&p->lattice, area);
}

bool direct_is_circle(const struct graph_plan *p, struct rect area)
{
	size_t n = linked_count(p);
	return !direct_is_lattice(p, area) && n >= 2 && n <= CIRCLE_MAX && area.w >= CIRCLE_MIN_W && area.h >= CIRCLE_MIN_H &&
	       (size_t)area.h * 2 >= n && drawn_trunks(p) <= 160;
}

/* Lines kept for words below the picture. */
static int words(const struct graph_plan *p)
{
	return p->band_count > 1 ? 2 : 1;
}

void direct_place(const struct graph_plan *p, struct rect area, size_t i, int *x, int *y)
{
	if (direct_is_lattice(p, area)) {
		lattice_place(&p->lattice, area, p->lattice.spot[p->members[i]], x, y);
		return;
	}
	size_t n = linked_count(p);
	int h = area.h - words(p), w = area.w < h * 4 ? area.w : h * 4;
	double turn = i < n ? 2 * acos(-1) * (double)i / (double)n - acos(0) : 0;
	double rx = (w - 10) / 2.0, ry = (h - 1) / 2.0;
	*x = area.x + area.w / 2 + (int)lround(rx * cos(turn)) - 1;
	*y = area.y + (int)lround(ry + ry * sin(turn));
}

/* Columns of a grid: the largest divisor that fits and is not too flat, else all there are. */
static int grid_columns(size_t n, int most)
{
	for (int cols = most; cols >= 2; cols--)
		if (n % (size_t)cols == 0 && (size_t)cols * (size_t)cols <= 4 * n)
			return cols;
	return most;
}

void direct_layout(const struct scene *s, struct graph_plan *p, struct rect area)
{
	bool circle = direct_is_circle(p, area);
	int y = area.y, end = area.y + area.h - words(p);
	for (size_t g = 0; g < p->groups.n; g++) {
		struct group *x = &p->groups.at[g];
		x->box = RECT(area.x, y, area.w, 0);
		if (circle && x->tier != LOCAL_TIER)
			continue;
		if (circle)
			y = area.y + area.h - 1;
		int title = x->tier == LOCAL_TIER ? 0 : 1;
		int lines = circle ? 1 : end - y - title - (int)(p->groups.n - g - 1);
		int cols = area.w - 2;
		if (!title && cols > 24)
			cols -= 24; /* its name stands before it */
		if (title && strip_width(s, &p->members[x->first], x->n) > cols)
			cols = grid_columns(x->n, (cols - 1) / 2) * 2 + 1;
		x->strip = strip_of(s, &p->members[x->first], x->n, cols > 0 ? cols : 0, lines > 0 ? lines : 1);
		x->cells = RECT(area.x + (title ? 1 : area.w - 2 > 24 ? 25 : 1), y + title, x->strip.width, x->strip.lines);
		x->box.h = x->cells.h + title;
		y += x->box.h;
	}
}

/* ---- drawing ----------------------------------------------------------------------------------------------- */

/* How many links a line stands for, at the first place on it that no other number has: not in the middle, where
 * lines across a circle all meet. */
void line_put_count(struct canvas *c, int x0, int y0, int x1, int y1, struct style s, const char *text)
{
	static const int eighths[] = {3, 5, 2, 6};
	for (size_t i = 0; i < ARRAY_LEN(eighths); i++) {
		int x = x0 + (x1 - x0) * eighths[i] / 8, y = y0 + (y1 - y0) * eighths[i] / 8;
		bool taken = false;
		for (int dx = -1; dx <= (int)text_width(text); dx++) {
			const struct cell *cell = canvas_at(c, x + dx, y);
			taken = taken || (cell && (cell->text || (!cell->dots && cell->code != ' ')));
		}
		if (taken)
			continue;
		canvas_text(c, x, y, s, text);
		return;
	}
}

static void draw_links(const struct scene *s, const struct graph_plan *p, const size_t *spot, bool counts, struct canvas *c,
		       struct rect area)
{
	const struct fabric *f = s->fabric;
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		int x0, y0, x1, y1;
		if (!trunk_counts(f, t) || spot[f->trunks[t].a] == SIZE_MAX || spot[f->trunks[t].b] == SIZE_MAX)
			continue;
		direct_place(p, area, spot[f->trunks[t].a], &x0, &y0);
		direct_place(p, area, spot[f->trunks[t].b], &x1, &y1);
		uint32_t links = trunk_links(f, s->overlay, t);
		enum role role = trunk_style(s, t).role;
		if (links != 0 && !counts)
			canvas_dots(c, x0 * 2 + 1, y0 * 4 + 2, x1 * 2 + 1, y1 * 4 + 2, STYLE((uint8_t)role, 0));
		char text[16] = "";
		if (links > 1 && links != NONE)
			snprintf(text, sizeof text, "×%u", links);
		else if (s->color == COLOR_LOAD && role == mark_style(s).role)
			snprintf(text, sizeof text, "▲");
		else if (trunk_label(s, t) != NONE)
			snprintf(text, sizeof text, "%c", (char)label_glyph(scene_mode(s), trunk_label(s, t)));
		if (*text && counts)
			line_put_count(c, x0, y0, x1, y1, STYLE((uint8_t)role, 0), text);
	}
}

/* Columns for the name of member i: names in one line leave room for each other. */
static int name_room(const struct graph_plan *p, struct rect area, size_t i)
{
	enum { NODE_W = 12, NODE_LEAST = 3 };
	size_t n = linked_count(p);
	int x, y, room = NODE_W;
	direct_place(p, area, i, &x, &y);
	for (size_t j = 0; j < n; j++) {
		int other, line;
		direct_place(p, area, j, &other, &line);
		if (j != i && line == y && abs(other - x) - 1 < room)
			room = abs(other - x) - 1;
	}
	return room < NODE_LEAST ? NODE_LEAST : room;
}

static void draw_node(const struct scene *s, uint32_t d, int x, int y, int room, struct canvas *c, struct rect area)
{
	struct style style = device_style(s, d);
	bool selected = device_selected(s, d);
	struct strbuf b = STRBUF_INIT;
	strbuf_putc(&b, selected ? '[' : ' ');
	utf8_put(&b, device_glyph(s, d));
	strbuf_puts(&b, room > 4 ? " " : "");
	shortened_put(device_name(s->fabric, d), room - 4, &b);
	strbuf_putc(&b, selected ? ']' : ' ');
	int w = (int)text_width(strbuf_str(&b));
	x = x - w / 2 < area.x ? area.x : x - w / 2 + w > area.x + area.w ? area.x + area.w - w : x - w / 2;
	canvas_text_in(c, x, y, w, style, strbuf_str(&b));
	canvas_hit(c, RECT(x, y, w, 1), TARGET_DEVICE, d);
	if (cursor_is(s, TARGET_DEVICE, d))
		canvas_restyle(c, RECT(x, y, w, 1), STYLE(ROLE_COUNT, ATTR_REVERSE));
	strbuf_free(&b);
}

static void draw_circle(const struct scene *s, const struct graph_plan *p, struct canvas *c, struct rect area)
{
	size_t *spot = mem_array(s->fabric->device_count + 1, sizeof *spot), n = linked_count(p);
	for (uint32_t d = 0; d < s->fabric->device_count; d++)
		spot[d] = SIZE_MAX;
	for (size_t i = 0; i < n; i++)
		spot[p->members[i]] = i;
	draw_links(s, p, spot, false, c, area);
	for (size_t i = 0; i < n; i++) {
		int x, y;
		direct_place(p, area, i, &x, &y);
		draw_node(s, p->members[i], x, y, name_room(p, area, i), c, area);
	}
	draw_links(s, p, spot, true, c, area);
	free(spot);
}

/* "32 links · 1.6 TB/s between 8 dgx ╎ cut 6 links", and what of it is not drawn. */
static void draw_words(const struct scene *s, const struct lattice *l, bool circle, struct canvas *c, struct rect area, int y)
{
	struct bundle sum = {0}, local = {0};
	struct strbuf b = STRBUF_INIT;
	for (uint32_t t = 0; t < s->fabric->trunk_count; t++)
		bundle_add(trunk_counts(s->fabric, t) ? &sum : &local, s, t);
	bundle_put(&sum, true, &b);
	strbuf_puts(&b, circle || l ? "" : ", not drawn");
	if (l)
		lattice_words(s, l, area.w >= 100, &b);
	if (local.trunks) {
		strbuf_puts(&b, " · ");
		put_links(local.links, &b);
		strbuf_puts(&b, " local, not drawn");
	}
	int x = area.x + 1;
	x += canvas_text_in(c, x, y, area.w - 2, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	strbuf_trim(&b, 0);
	if (sum.marked_links && sum.marked_links != UNKNOWN) {
		strbuf_printf(&b, " %s", mark_words(s));
		put_links(sum.marked_links, &b);
		canvas_text_in(c, x, y, area.x + area.w - x, mark_style(s), strbuf_str(&b));
	}
	strbuf_free(&b);
}

void direct_draw(const struct scene *s, const struct graph_plan *p, struct canvas *c, struct rect area)
{
	bool circle = direct_is_circle(p, area), lattice = direct_is_lattice(p, area);
	if (lattice) {
		lattice_draw(s, &p->lattice, c, area);
		draw_words(s, &p->lattice, false, c, area, area.y + area.h - 1);
		return;
	}
	if (circle)
		draw_circle(s, p, c, area);
	for (size_t g = 0; g < p->groups.n; g++) {
		const struct group *x = &p->groups.at[g];
		if ((circle && x->tier != LOCAL_TIER) || (!circle && x->box.y >= area.y + area.h - words(p)))
			continue;
		canvas_text_in(c, area.x + 1, x->box.y, x->tier == LOCAL_TIER ? x->cells.x - area.x - 1 : area.w - 1,
			       STYLE(ROLE_TEXT, 0), x->title);
		if (circle || x->cells.y < area.y + area.h - words(p))
			strip_draw(&x->strip, s, c, x->cells.x, x->cells.y);
	}
	draw_words(s, NULL, circle, c, area, area.y + area.h - words(p));
}
