/* lattice: direct networks that are products of rings and paths (tori, meshes, hypercubes) as planes of rows and columns,
 * so that each link can be followed. What the shape is follows from the links alone: devices in their order stand at
 * coordinates of a grid, and every counted link leads one step along one of its dimensions, perhaps around its end.
 *
 *     plane 0 ──16── plane 1
 *      ▴  ▴           Links around the end are arrows at both sides; those from plane to plane are counted between the
 *     ◂■──■▸          titles, and where planes have several dimensions in words.
 *      │  │
 */
#include <stdlib.h>

#include "view/graph_internal.h"

enum { LATTICE_MAX = 4096, TRIES_MAX = 20000 };

static uint32_t stride_of(const struct lattice *l, unsigned dim)
{
	uint32_t stride = 1;
	for (unsigned i = dim + 1; i < l->dims; i++)
		stride *= l->size[i];
	return stride;
}

/* The dimension along which two places are neighbours; l->dims when they are not. *around: past the end. */
static unsigned step_of(const struct lattice *l, uint32_t a, uint32_t b, bool *around)
{
	unsigned found = l->dims;
	for (unsigned i = 0; i < l->dims; i++) {
		uint32_t stride = stride_of(l, i), ca = a / stride % l->size[i], cb = b / stride % l->size[i];
		uint32_t far = ca > cb ? ca - cb : cb - ca;
		if (!far)
			continue;
		if (found != l->dims || (far != 1 && far != l->size[i] - 1))
			return l->dims;
		found = i;
		*around = far != 1;
	}
	return found;
}

static bool fits(const struct fabric *f, const struct lattice *l, const uint32_t *spot)
{
	bool used[LATTICE_DIMS] = {false}, around;
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		if (!trunk_counts(f, t))
			continue;
		unsigned dim = step_of(l, spot[f->trunks[t].a], spot[f->trunks[t].b], &around);
		if (dim == l->dims)
			return false;
		used[dim] = true;
	}
	for (unsigned i = 0; i < l->dims; i++)
		if (!used[i])
			return false;
	return true;
}

/* Sizes of so many dimensions whose product is n, in order; the first that fits. */
static bool search(const struct fabric *f, struct lattice *l, const uint32_t *spot, unsigned dim, uint32_t n, unsigned *tries)
{
	if (dim + 1 == l->dims) {
		l->size[dim] = n;
		return n >= 2 && ++*tries <= TRIES_MAX && fits(f, l, spot);
	}
	for (uint32_t size = 2; size * 2 <= n && *tries <= TRIES_MAX; size++) {
		l->size[dim] = size;
		if (n % size == 0 && search(f, l, spot, dim + 1, n / size, tries))
			return true;
	}
	return false;
}

void lattice_find(const struct scene *s, struct lattice *l)
{
	const struct fabric *f = s->fabric;
	uint32_t *spot = mem_array(f->device_count + 1, sizeof *spot), n = 0;
	unsigned tries = 0;
	for (uint32_t d = 0; d < f->device_count; d++) {
		bool linked = false;
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++)
			linked = linked || trunk_counts(f, f->incident[i]);
		spot[d] = linked ? n++ : NONE;
	}
	bool found = false;
	for (l->dims = 1; n >= 4 && n <= LATTICE_MAX && !found && l->dims <= LATTICE_DIMS; l->dims += !found)
		found = search(f, l, spot, 0, n, &tries);
	if (!found || l->dims < 2) { /* a ring is a circle */
		free(spot);
		*l = (struct lattice){0};
		return;
	}
	l->spot = spot;
	l->n = n;
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		bool around = false;
		if (!trunk_counts(f, t))
			continue;
		unsigned dim = step_of(l, spot[f->trunks[t].a], spot[f->trunks[t].b], &around);
		l->around[dim] = l->around[dim] || around;
	}
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* How planes stand in an area: steps between neighbours, size of a plane with its title, planes in a row. */
struct frame {
	int dx, dy, w, h, per_row, left, top;
};

static uint32_t rows_of(const struct lattice *l)
{
	return l->size[l->dims - 2];
}

static uint32_t cols_of(const struct lattice *l)
{
	return l->size[l->dims - 1];
}

static uint32_t planes_of(const struct lattice *l)
{
	return l->n / rows_of(l) / cols_of(l);
}

/* The widest steps with which all planes fit above two lines of words; false when none does. */
static bool frame_of(const struct lattice *l, struct rect area, struct frame *out)
{
	static const int steps[][2] = {{8, 3}, {6, 3}, {6, 2}, {4, 2}, {3, 2}};
	if (!l->n)
		return false;
	int planes = (int)planes_of(l), rows = (int)rows_of(l), cols = (int)cols_of(l), room = area.h - 2;
	for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
		struct frame x = {.dx = steps[i][0], .dy = steps[i][1], .left = 1 + l->around[l->dims - 1],
				  .top = (planes > 1) + l->around[l->dims - 2]};
		x.w = x.left * 2 + (cols - 1) * x.dx + 1;
		x.h = x.top + (rows - 1) * x.dy + 1 + l->around[l->dims - 2];
		x.per_row = (area.w + 2) / (x.w + 2);
		if (x.per_row < 1)
			continue;
		x.per_row = x.per_row > planes ? planes : x.per_row;
		int lines = (planes + x.per_row - 1) / x.per_row;
		x.per_row = (planes + lines - 1) / lines; /* rows alike */
		*out = x;
		if (lines * x.h + (lines - 1) <= room)
			return true;
	}
	return false;
}

bool lattice_fits(const struct lattice *l, struct rect area)
{
	struct frame x;
	return frame_of(l, area, &x);
}

static void plane_corner(const struct frame *x, struct rect area, uint32_t plane, int *left, int *top)
{
	*left = area.x + (int)plane % x->per_row * (x->w + 2);
	*top = area.y + (int)plane / x->per_row * (x->h + 1);
}

static void place(const struct lattice *l, const struct frame *x, struct rect area, uint32_t spot, int *px, int *py)
{
	uint32_t cols = cols_of(l), in_plane = rows_of(l) * cols;
	plane_corner(x, area, spot / in_plane, px, py);
	*px += x->left + (int)(spot % cols) * x->dx;
	*py += x->top + (int)(spot % in_plane / cols) * x->dy;
}

void lattice_place(const struct lattice *l, struct rect area, uint32_t spot, int *px, int *py)
{
	struct frame x;
	if (frame_of(l, area, &x))
		place(l, &x, area, spot, px, py);
}

/* ---- drawing ------------------------------------------------------------------------------------------------------ */

/* A link between neighbours of a plane, or its two ends where it leads around. */
static void draw_link(const struct scene *s, const struct lattice *l, const struct frame *x, struct rect area, uint32_t t,
		      struct canvas *c)
{
	const struct fabric *f = s->fabric;
	uint32_t a = l->spot[f->trunks[t].a], b = l->spot[f->trunks[t].b], links = trunk_links(f, s->overlay, t);
	bool around = false, marked = trunk_is_marked(s, t);
	unsigned dim = step_of(l, a, b, &around);
	int x0, y0, x1, y1;
	if (dim + 2 < l->dims)
		return;
	bool along = dim + 1 == l->dims;
	place(l, x, area, a < b ? a : b, &x0, &y0);
	place(l, x, area, a < b ? b : a, &x1, &y1);
	struct style style = trunk_style(s, t);
	if (around) {
		canvas_put(c, along ? x0 - 1 : x0, along ? y0 : y0 - 1, style, links == 0 ? 0x2717 : along ? 0x25c2 : 0x25b4);
		canvas_put(c, along ? x1 + 1 : x1, along ? y1 : y1 + 1, style, links == 0 ? 0x2717 : along ? 0x25b8 : 0x25be);
		return;
	}
	struct rect line = along ? RECT(x0 + 1, y0, x1 - x0 - 1, 1) : RECT(x0, y0 + 1, 1, y1 - y0 - 1);
	if (along)
		canvas_hline(c, x0, y0, x1 - x0 + 1, style, marked ? LINE_HEAVY : LINE_LIGHT);
	else
		canvas_vline(c, x0, y0, y1 - y0 + 1, style, marked ? LINE_HEAVY : LINE_LIGHT);
	canvas_hit(c, line, TARGET_TRUNK, t);
	char text[16] = "";
	if (links == 0)
		snprintf(text, sizeof text, "✗");
	else if (links > 1 && links != NONE)
		snprintf(text, sizeof text, "×%u", links);
	else if (trunk_label(s, t) != NONE)
		snprintf(text, sizeof text, "%c", (char)label_glyph(scene_mode(s), trunk_label(s, t)));
	int w = (int)text_width(text), room = along ? x1 - x0 - 1 : x->dx - 1;
	if (w && w <= room)
		canvas_text(c, along ? x0 + 1 + (room - w) / 2 : x0, (y0 + y1) / 2, style, text);
}

/* Links between a plane and the next one, of lattices of three dimensions. */
static struct bundle next_plane(const struct scene *s, const struct lattice *l, uint32_t plane)
{
	const struct fabric *f = s->fabric;
	uint32_t in_plane = rows_of(l) * cols_of(l), next = (plane + 1) % planes_of(l);
	struct bundle sum = {0};
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		if (!trunk_counts(f, t))
			continue;
		uint32_t a = l->spot[f->trunks[t].a] / in_plane, b = l->spot[f->trunks[t].b] / in_plane;
		if ((a == plane && b == next) || (a == next && b == plane))
			bundle_add(&sum, s, t);
	}
	return sum;
}

/* "plane 1.0", and behind it how many links lead to the next one. */
static void draw_title(const struct scene *s, const struct lattice *l, const struct frame *x, struct rect area, uint32_t plane,
		       struct canvas *c)
{
	uint32_t planes = planes_of(l), rest = plane;
	struct strbuf b = STRBUF_INIT;
	int left, top;
	strbuf_puts(&b, "plane");
	for (unsigned i = 0; i + 2 < l->dims; i++) {
		uint32_t below = 1;
		for (unsigned j = i + 1; j + 2 < l->dims; j++)
			below *= l->size[j];
		strbuf_printf(&b, "%c%u", i ? '.' : ' ', rest / below);
		rest %= below;
	}
	plane_corner(x, area, plane, &left, &top);
	int taken = canvas_text_in(c, left + 1, top, x->w - 1, STYLE(ROLE_TEXT, 0), strbuf_str(&b));
	bool last = plane + 1 == planes;
	if (l->dims == 3 && (!last || (l->around[0] && planes > 2))) {
		struct bundle sum = next_plane(s, l, plane);
		bool marked = sum.marked_links && sum.marked_links != UNKNOWN;
		strbuf_trim(&b, 0);
		strbuf_puts(&b, !marked ? "─" : s->color == COLOR_LOAD ? "─▲" : "─╎");
		if (sum.links == UNKNOWN)
			strbuf_puts(&b, "–");
		else
			put_count(&b, sum.links);
		strbuf_puts(&b, last ? "─▸ 0" : "─▸");
		int w = (int)text_width(strbuf_str(&b)), room = x->w - taken - 1;
		if (w <= room)
			canvas_text(c, left + 2 + taken, top, marked ? mark_style(s) : STYLE(ROLE_DIM, 0), strbuf_str(&b));
	}
	strbuf_free(&b);
}

void lattice_draw(const struct scene *s, const struct lattice *l, struct canvas *c, struct rect area)
{
	const struct fabric *f = s->fabric;
	struct frame x;
	if (!frame_of(l, area, &x))
		return;
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if (trunk_counts(f, t) && !scene_hides(s, f->trunks[t].a) && !scene_hides(s, f->trunks[t].b))
			draw_link(s, l, &x, area, t, c);
	for (uint32_t plane = 0; planes_of(l) > 1 && plane < planes_of(l); plane++)
		draw_title(s, l, &x, area, plane, c);
	for (uint32_t d = 0; d < f->device_count; d++) {
		int px, py;
		if (l->spot[d] == NONE || scene_hides(s, d))
			continue;
		place(l, &x, area, l->spot[d], &px, &py);
		struct style style = device_style(s, d);
		style.attr |= cursor_is(s, TARGET_DEVICE, d) ? ATTR_REVERSE : 0;
		canvas_put(c, px, py, style, device_glyph(s, d));
		canvas_hit(c, RECT(px, py, 1, 1), TARGET_DEVICE, d);
	}
}

static void put_part(struct bundle part, const char *words, struct strbuf *b)
{
	if (!part.trunks)
		return;
	if (part.links == UNKNOWN)
		strbuf_puts(b, "–");
	else
		put_count(b, part.links);
	strbuf_puts(b, words);
}

/* "4 × 4 × 4: 128 drawn, 64 from plane to plane" */
void lattice_words(const struct scene *s, const struct lattice *l, bool sizes, struct strbuf *b)
{
	const struct fabric *f = s->fabric;
	struct bundle drawn = {0}, across = {0}, hidden = {0};
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		bool around;
		if (!trunk_counts(f, t))
			continue;
		unsigned dim = step_of(l, l->spot[f->trunks[t].a], l->spot[f->trunks[t].b], &around);
		bool hides = scene_hides(s, f->trunks[t].a) || scene_hides(s, f->trunks[t].b);
		bundle_add(hides ? &hidden : dim + 2 < l->dims ? &across : &drawn, s, t);
	}
	for (unsigned i = 0; sizes && i < l->dims; i++)
		strbuf_printf(b, "%s%u", i ? " × " : " · ", l->size[i]);
	strbuf_puts(b, ": ");
	put_part(drawn, " drawn", b);
	strbuf_puts(b, across.trunks ? ", " : "");
	put_part(across, " from plane to plane", b);
	strbuf_puts(b, hidden.trunks ? ", " : "");
	put_part(hidden, " hidden", b);
}
