/* graph: what is not a rack. Tiers from top to bottom, on each the groups side by side, bundles with their exact
 * counts between neighbouring tiers. Links that run elsewhere (within a tier, past one) are listed below, so that
 * every link is in exactly one number on the screen.
 *
 *   ┌ spine ×4 ────────┐
 *   │ ◈ ◈ ◈ ◈          │
 *   └────────┬─────────┘
 *            │ 36 links · 1.8 TB/s
 *   ┌ leaf ×9┴─────────┐
 */
#include <stdlib.h>

#include "view/graph_internal.h"

const char *graph_refuses(const struct fabric *f)
{
	return f->device_count ? NULL : "there are no devices in this fabric";
}

bool graph_suits(const struct fabric *f)
{
	return f->device_count > 0;
}

/* How much is spent on a tier. */
struct density {
	bool framed;
	int lines; /* of cells */
	int gap;   /* lines between tiers; -1: one for each bundle */
};
static const struct density densities[] = {{true, 12, -1}, {true, 7, -1}, {true, 4, -1},  {true, 2, -1},
					   {true, 1, 1},   {false, 2, 1}, {false, 1, 1}, {false, 1, 0}};
enum { DENSITY_OF_PICTURES = 2 }; /* what show makes room for when no size is asked for */

enum { LABEL_W = 8, GROUP_MIN = 10 };

static size_t band_end(const struct graph_plan *p, size_t first)
{
	size_t end = first + 1;
	while (end < p->groups.n && p->groups.at[end].tier == p->groups.at[first].tier)
		end++;
	return end;
}

static bool in_band(size_t g, size_t first, size_t end)
{
	return g >= first && g < end;
}

/* Bundles between a band and the one below it (whose groups start at end). */
static size_t bundles_below(const struct graph_plan *p, size_t first, size_t end)
{
	size_t n = 0, below = end < p->groups.n ? band_end(p, end) : end;
	for (size_t i = 0; i < p->bundles.n; i++)
		n += in_band(p->bundles.at[i].a, first, end) && in_band(p->bundles.at[i].b, end, below);
	return n;
}

static int title_width(const struct graph_plan *p, size_t g)
{
	return (int)text_width(p->groups.at[g].title);
}

/* Places the groups of one band side by side; returns the lines the band takes. */
static int place_band(const struct scene *s, struct graph_plan *p, size_t first, size_t end, struct rect area,
		      struct density d)
{
	int n = (int)(end - first), x = area.x, tallest = 1;
	for (size_t g = first; g < end; g++) {
		struct group *x_ = &p->groups.at[g];
		int left = n - (int)(g - first), room = (area.x + area.w - x - (left - 1)) / left;
		int title = title_width(p, g) + 1, frame = d.framed ? 2 : 0;
		int head = d.framed ? 0 : title;
		int want = strip_width(s, &p->members[x_->first], x_->n) + frame + head;
		want = want < title + 4 ? title + 4 : want < GROUP_MIN ? GROUP_MIN : want;
		int w = want < room ? want : room > 1 ? room : 1;
		x_->box = RECT(x, area.y, w, 1);
		int cols = w - frame - head;
		x_->strip = strip_of(s, &p->members[x_->first], x_->n, cols > 0 ? cols : 0, d.lines);
		x_->strip.width = cols > 0 ? cols : 0;
		x_->cells = RECT(x + frame / 2 + head, area.y + frame / 2, x_->strip.width, x_->strip.lines);
		x_->box.h = x_->strip.lines + frame;
		tallest = x_->box.h > tallest ? x_->box.h : tallest;
		x += w + 1;
	}
	return tallest;
}

static int gap_below(const struct graph_plan *p, size_t first, size_t end, struct density d)
{
	size_t n = bundles_below(p, first, end);
	if (end >= p->groups.n)
		return 0;
	return d.gap >= 0 ? d.gap : n < 1 ? 1 : n > 4 ? 1 : (int)n;
}

/* Bundles that no gap shows. */
static bool is_elsewhere(const struct graph_plan *p, const struct group_bundle *b)
{
	size_t first = 0;
	while (first < p->groups.n) {
		size_t end = band_end(p, first), below = end < p->groups.n ? band_end(p, end) : end;
		if (in_band(b->a, first, end))
			return !in_band(b->b, end, below);
		first = end;
	}
	return true;
}

static int elsewhere_count(const struct graph_plan *p)
{
	int n = 0;
	for (size_t i = 0; i < p->bundles.n; i++)
		n += is_elsewhere(p, &p->bundles.at[i]);
	return n;
}

/* Lays out with one density; returns the lines it takes. */
static int place_all(const struct scene *s, struct graph_plan *p, struct rect area, struct density d)
{
	int label = area.w >= 60 ? LABEL_W : 0;
	struct rect row = {area.x + label, area.y, area.w - label, 0};
	for (size_t first = 0, end; first < p->groups.n; first = end) {
		end = band_end(p, first);
		row.y += place_band(s, p, first, end, row, d) + gap_below(p, first, end, d);
	}
	return row.y - area.y + (elsewhere_count(p) ? 1 : 0);
}

static struct density layout(const struct scene *s, struct graph_plan *p, struct rect area)
{
	size_t i = 0;
	while (place_all(s, p, area, densities[i]) > area.h && i + 1 < ARRAY_LEN(densities))
		i++;
	return densities[i];
}

/* Tiers above, and below them the circle of modules, which takes what they leave; h 0 without one. */
static struct density layout_both(const struct scene *s, struct graph_plan *p, struct rect area, struct rect *below)
{
	int meshed = mesh_rows(&p->mesh, area);
	struct density d = layout(s, p, RECT(area.x, area.y, area.w, area.h - meshed));
	int used = meshed ? place_all(s, p, RECT(area.x, area.y, area.w, area.h - meshed), d) + 1 : 0;
	if (!p->mesh.too_many && meshed && area.h - used > meshed)
		meshed = area.h - used;
	*below = RECT(area.x, area.y + area.h - meshed, area.w, meshed);
	return d;
}

/* ---- drawing ---------------------------------------------------------------------------------------------- */

/* "╎ cut 2 links · 100 GB/s", or what is marked instead; empty when nothing is. */
static void mark_text(const struct scene *s, const struct group_bundle *b, bool rates, struct strbuf *out)
{
	if (!b->sum.marked_links || b->sum.marked_links == UNKNOWN)
		return;
	strbuf_printf(out, " %s", mark_words(s));
	put_links(b->sum.marked_links, out);
	if (rates && b->sum.marked_rate != UNKNOWN && b->sum.marked_rate) {
		strbuf_puts(out, " · ");
		put_rate(out, b->sum.marked_rate);
	}
}

static int width_of(const struct strbuf *b)
{
	return (int)text_width(strbuf_str(b));
}

/* What a bundle says: what it is called, its links, and what of it is marked. Counts stay whatever the room; rates
 * give way, those of what is marked first.
 */
struct bundle_words {
	struct strbuf plain, marked;
};

static struct bundle_words words_of(const struct scene *s, const struct group_bundle *b, const char *before, int room)
{
	struct bundle_words w = {STRBUF_INIT, STRBUF_INIT};
	for (int rates = 2; rates >= 0; rates--) {
		strbuf_trim(&w.plain, 0);
		strbuf_trim(&w.marked, 0);
		strbuf_puts(&w.plain, before);
		bundle_put(&b->sum, rates > 0, &w.plain);
		strbuf_puts(&w.plain, b->local ? " local" : "");
		if (bundle_label(s, &b->sum) != NONE) {
			strbuf_puts(&w.plain, " · ");
			label_words(s, bundle_label(s, &b->sum), &w.plain);
		}
		mark_text(s, b, rates > 1, &w.marked);
		if (width_of(&w.plain) + width_of(&w.marked) <= room)
			break;
	}
	return w;
}

/* Draws and frees them; returns the column behind. */
static int draw_words(const struct scene *s, struct bundle_words *w, struct canvas *c, int x, int y, int end,
		      struct style style)
{
	x += canvas_text_in(c, x, y, end - x, style, strbuf_str(&w->plain));
	if (x < end)
		x += canvas_text_in(c, x, y, end - x, mark_style(s), strbuf_str(&w->marked));
	strbuf_free(&w->plain);
	strbuf_free(&w->marked);
	return x;
}

static void draw_group(const struct scene *s, const struct graph_plan *p, size_t g, struct density d, struct canvas *c)
{
	const struct group *x = &p->groups.at[g];
	if (d.framed)
		frame_draw(c, x->box, x->title, false);
	else
		canvas_text_in(c, x->box.x, x->box.y, x->cells.x - x->box.x < x->box.w ? x->cells.x - x->box.x : x->box.w,
			       STYLE(ROLE_TEXT, 0), x->title);
	strip_draw(&x->strip, s, c, x->cells.x, x->cells.y);
}

/* One bundle: down from a at ux, along its own line, down to b at lx. */
struct path {
	int ux, lx, line;
};

static struct path path_of(const struct graph_plan *p, const struct group_bundle *b, int slot,
			   int line)
{
	const struct group *up = &p->groups.at[b->a], *low = &p->groups.at[b->b];
	int lx = low->box.x + title_width(p, b->b) + 5 + slot * 2;
	lx = lx > low->box.x + low->box.w - 2 ? low->box.x + low->box.w - 2 : lx;
	int ux = lx > up->box.x && lx < up->box.x + up->box.w - 1 ? lx : up->box.x + up->box.w / 2;
	return (struct path){ux, lx, line};
}

static void draw_path(const struct scene *s, const struct graph_plan *p, const struct group_bundle *b, struct path at, struct canvas *c)
{
	const struct group *up = &p->groups.at[b->a], *low = &p->groups.at[b->b];
	struct style style = b->local ? STYLE(ROLE_DIM, 0) : bundle_style(s, &b->sum);
	int ux = at.ux, lx = at.lx, line = at.line;
	canvas_vline(c, ux, up->box.y + up->box.h - 1, line - (up->box.y + up->box.h - 1) + 1, style, LINE_LIGHT);
	canvas_vline(c, lx, line, low->box.y - line + 1, style, LINE_LIGHT);
	if (ux != lx)
		canvas_hline(c, ux < lx ? ux : lx, line, abs(ux - lx) + 1, style, LINE_LIGHT);
}

/* Its numbers, beside the line. */
static void draw_numbers(const struct scene *s, const struct group_bundle *b, struct path at, struct canvas *c,
			 struct rect area)
{
	int ux = at.ux, lx = at.lx, x = (ux > lx ? ux : lx) + 2, end = area.x + area.w;
	struct bundle_words w = words_of(s, b, "", end - x);
	int width = width_of(&w.plain) + width_of(&w.marked);
	int before = (ux < lx ? ux : lx) - 1 - width;
	if (width > end - x) /* left of its line, or over it: numbers matter more than the line */
		x = before >= area.x ? before : end - width > area.x ? end - width : area.x;
	draw_words(s, &w, c, x, at.line, end, STYLE(b->local ? ROLE_DIM : ROLE_TEXT, 0));
}

/* All bundles of a gap in one line of text, where there are too many for lines of their own. */
static void draw_gap_sum(const struct scene *s, const struct graph_plan *p, size_t first, size_t end, int y,
			 struct canvas *c, struct rect area)
{
	struct group_bundle sum = {.local = true};
	size_t below = band_end(p, end), n = 0;
	for (size_t i = 0; i < p->bundles.n; i++) {
		const struct group_bundle *b = &p->bundles.at[i];
		if (!in_band(b->a, first, end) || !in_band(b->b, end, below))
			continue;
		n++;
		sum.local = sum.local && b->local;
		sum.sum.links = b->sum.links == UNKNOWN || sum.sum.links == UNKNOWN ? UNKNOWN : sum.sum.links + b->sum.links;
		sum.sum.rate = b->sum.rate == UNKNOWN || sum.sum.rate == UNKNOWN ? UNKNOWN : sum.sum.rate + b->sum.rate;
		sum.sum.marked_links += b->sum.marked_links == UNKNOWN ? 0 : b->sum.marked_links;
		sum.sum.marked_rate += b->sum.marked_rate == UNKNOWN ? 0 : b->sum.marked_rate;
	}
	if (!n)
		return;
	char before[48] = "│ ";
	if (n > 1)
		snprintf(before, sizeof before, "│ %zu bundles, ", n);
	int x = area.x + (area.w > 24 ? 3 : 0), right = area.x + area.w;
	struct bundle_words w = words_of(s, &sum, before, right - x);
	draw_words(s, &w, c, x, y, right, STYLE(ROLE_TEXT, 0));
}

static void draw_gap(const struct scene *s, const struct graph_plan *p, size_t first, size_t end, int y, int gap,
		     struct canvas *c, struct rect area)
{
	size_t below = band_end(p, end), n = bundles_below(p, first, end);
	bool framed = p->groups.at[first].cells.y > p->groups.at[first].box.y;
	if (gap < (int)n || !framed) {
		if (gap > 0)
			draw_gap_sum(s, p, first, end, y, c, area);
		return;
	}
	for (int words = 0; words <= 1; words++) { /* over all lines */
		int slot = 0;
		for (size_t i = 0; i < p->bundles.n; i++) {
			const struct group_bundle *b = &p->bundles.at[i];
			if (!in_band(b->a, first, end) || !in_band(b->b, end, below))
				continue;
			struct path at = path_of(p, b, slot, y + slot);
			if (words)
				draw_numbers(s, b, at, c, area);
			else
				draw_path(s, p, b, at, c);
			slot++;
		}
	}
}

static void draw_elsewhere(const struct scene *s, const struct graph_plan *p, struct canvas *c, struct rect area, int y)
{
	struct strbuf before = STRBUF_INIT;
	strbuf_puts(&before, "also ");
	int x = area.x, end = area.x + area.w;
	for (size_t i = 0; i < p->bundles.n; i++) {
		const struct group_bundle *b = &p->bundles.at[i];
		if (!is_elsewhere(p, b))
			continue;
		strbuf_puts(&before, fabric_str(s->fabric, s->fabric->types.at[p->groups.at[b->a].type].name));
		strbuf_puts(&before, "–");
		strbuf_puts(&before, fabric_str(s->fabric, s->fabric->types.at[p->groups.at[b->b].type].name));
		strbuf_putc(&before, ' ');
		struct bundle_words w = words_of(s, b, strbuf_str(&before), end - x);
		x = draw_words(s, &w, c, x, y, end, STYLE(ROLE_DIM, 0));
		strbuf_trim(&before, 0);
		strbuf_puts(&before, ", ");
	}
	strbuf_free(&before);
}

static void draw_tiers(const struct scene *s, struct graph_plan *p, struct canvas *c, struct rect area)
{
	struct rect below;
	struct density d = layout_both(s, p, area, &below);
	int y = area.y;
	area.h -= below.h;
	for (size_t first = 0, end; first < p->groups.n; first = end) {
		end = band_end(p, first);
		const struct group *g = &p->groups.at[first];
		int height = 0, gap = gap_below(p, first, end, d);
		for (size_t i = first; i < end; i++) {
			draw_group(s, p, i, d, c);
			height = p->groups.at[i].box.h > height ? p->groups.at[i].box.h : height;
		}
		if (area.w >= 60 && g->tier != LOCAL_TIER)
			canvas_printf(c, area.x, g->cells.y, STYLE(ROLE_DIM, 0), "tier %u", g->tier);
		else if (area.w >= 60)
			canvas_text(c, area.x, g->cells.y, STYLE(ROLE_DIM, 0), "local");
		y += height + gap;
	}
	for (size_t first = 0, end; first < p->groups.n; first = end) {
		end = band_end(p, first);
		if (end >= p->groups.n)
			break;
		int bottom = p->groups.at[first].box.y;
		for (size_t i = first; i < end; i++)
			if (p->groups.at[i].box.y + p->groups.at[i].box.h > bottom)
				bottom = p->groups.at[i].box.y + p->groups.at[i].box.h;
		draw_gap(s, p, first, end, bottom, gap_below(p, first, end, d), c, area);
	}
	draw_elsewhere(s, p, c, area, y);
	if (below.h)
		mesh_draw(s, &p->mesh, c, below);
}

void graph_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	struct graph_plan *p = graph_plan(s);
	struct rect old = canvas_clip(c, area);
	if (p->has_switches) {
		draw_tiers(s, p, c, area);
	} else {
		direct_layout(s, p, area);
		direct_draw(s, p, c, area);
	}
	canvas_unclip(c, old);
	graph_plan_release(s, p);
}

void graph_measure(const struct scene *s, int *cols, int *rows)
{
	struct graph_plan *p = graph_plan(s);
	*cols = p->has_switches ? 90 : 64;
	*rows = 26;
	if (p->has_switches)
		*rows = place_all(s, p, RECT(0, 0, *cols, 1000), densities[DENSITY_OF_PICTURES]);
	if (p->mesh.modules.n || p->mesh.too_many)
		*rows += mesh_want(&p->mesh);
	graph_plan_release(s, p);
}

/* ---- moving ---------------------------------------------------------------------------------------------- */

static struct nodes nodes_of(const struct scene *s, struct graph_plan *p, struct rect area)
{
	struct nodes nodes = {0};
	struct rect below = {0};
	if (p->has_switches)
		layout_both(s, p, area, &below);
	else
		direct_layout(s, p, area);
	bool circle = !p->has_switches && (direct_is_circle(p, area) || direct_is_lattice(p, area));
	for (size_t g = 0; g < p->groups.n; g++) {
		const struct group *x = &p->groups.at[g];
		if (!circle || x->tier == LOCAL_TIER) {
			strip_nodes(&x->strip, s, x->cells.x, x->cells.y, &nodes);
			continue;
		}
		for (size_t i = 0; i < x->n; i++) {
			struct node node = {.device = p->members[x->first + i]};
			direct_place(p, area, x->first + i, &node.x, &node.y);
			vec_push(&nodes, node);
		}
	}
	if (below.h)
		mesh_nodes(s, &p->mesh, below, &nodes);
	return nodes;
}

struct target graph_move(const struct scene *s, struct rect area, enum move m)
{
	struct graph_plan *p = graph_plan(s);
	struct nodes nodes = nodes_of(s, p, area);
	size_t here = SIZE_MAX;
	uint32_t d = cursor_device(s);
	for (size_t i = 0; i < nodes.n; i++)
		if (nodes.at[i].module) {
			if (cursor_is(s, TARGET_MODULE, nodes.at[i].module))
				here = i;
		} else if (nodes.at[i].device == d || (here == SIZE_MAX && d != NONE && p->group_of[nodes.at[i].device] == p->group_of[d] &&
						p->groups.at[p->group_of[d]].strip.counted))
			here = i;
	struct target to = nodes_move(&nodes, here, s->cursor, m);
	vec_free(&nodes);
	graph_plan_release(s, p);
	return to;
}

void graph_under(const struct scene *s, struct rect area, struct idset *out)
{
	uint32_t d = cursor_device(s);
	if (s->cursor.kind != TARGET_DEVICE)
		return;
	struct graph_plan *p = graph_plan(s);
	struct rect below;
	if (p->has_switches)
		layout_both(s, p, area, &below);
	else
		direct_layout(s, p, area);
	const struct group *g = &p->groups.at[p->group_of[d]];
	if (!p->has_switches && direct_is_lattice(p, area))
		idset_add(out, d);
	for (size_t i = 0; i < g->n; i++)
		if (p->members[g->first + i] == d && g->strip.devices)
			strip_under(&g->strip, s, i, out);
	graph_plan_release(s, p);
}
