/* package_plan: what a package view shows: dies at their places to one scale in both directions, the links between them
 * summed by kind and types, what they need of the die edge, and what cannot be built. O(dies² + links × dies).
 */
#include <limits.h>
#include <stdlib.h>

#include "view/package_internal.h"

enum { DIES_MAX = 512 };

/* In order of first use in the package; each has a stand-in of its own in ASCII. */
static const uint16_t media_glyphs[] = {0x2261, 0x2500, 0x2592, 0x2550, 0x2022};

static uint64_t width_of(const struct fabric *f, uint32_t d, bool height)
{
	const struct device_type *t = &f->types.at[f->type[d]];
	bool turned = f->place[d].rotate == 90 || f->place[d].rotate == 270;
	return height != turned ? t->height_um : t->width_um;
}

static bool is_placed(const struct fabric *f, uint32_t d)
{
	return f->place[d].x_um != UNKNOWN && f->place[d].y_um != UNKNOWN && width_of(f, d, false) != UNKNOWN &&
	       width_of(f, d, true) != UNKNOWN;
}

static bool has_size(const struct module *m)
{
	return m->kind == MODULE_PACKAGE && m->width_um != UNKNOWN && m->height_um != UNKNOWN && m->width_um && m->height_um;
}

/* A package with a size and a device at a place in it. */
static bool is_drawable(const struct fabric *f, uint32_t module)
{
	const struct module *m = &f->modules.at[module];
	for (uint32_t d = m->first_device; has_size(m) && d < m->end_device; d++)
		if (f->module[d] == module && is_placed(f, d))
			return true;
	return false;
}

const char *package_refuses(const struct fabric *f)
{
	for (uint32_t m = 0; m < f->modules.n; m++)
		if (is_drawable(f, m))
			return NULL;
	return "no package here says its size and where its dies lie; 1 draws racks, 2 tiers, 4 the graph";
}

/* Nothing but packages carries traffic. */
bool package_suits(const struct fabric *f)
{
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint32_t a = f->module[f->trunks[t].a], b = f->module[f->trunks[t].b];
		if (trunk_counts(f, t) && (a != b || !is_drawable(f, a)))
			return false;
	}
	return package_refuses(f) == NULL;
}

/* The package around the cursor, else the first one. */
static uint32_t choose_package(const struct scene *s)
{
	const struct fabric *f = s->fabric;
	uint32_t d = cursor_device(s), first = 0;
	uint32_t m = s->cursor.kind == TARGET_MODULE ? s->cursor.id : d == NONE ? NONE : f->module[d];
	for (; m != NONE; m = f->modules.at[m].parent)
		if (is_drawable(f, m))
			return m;
	if (s->cursor.kind == TARGET_MODULE) /* or one inside of the module */
		for (m = s->cursor.id; m < f->modules.at[s->cursor.id].end; m++)
			if (is_drawable(f, m))
				return m;
	while (!is_drawable(f, first))
		first++;
	return first;
}

/* ---- links -------------------------------------------------------------------------------------------------- */

static unsigned medium_index(const struct package_plan *p, const struct fabric *f, uint32_t kind)
{
	unsigned used = 0;
	for (size_t i = 0; i < p->joins.n; i++) {
		if (f->kinds.at[p->joins.at[i].kind].medium == f->kinds.at[kind].medium)
			return p->joins.at[i].glyph;
		used = p->joins.at[i].glyph + 1 > used ? p->joins.at[i].glyph + 1 : used;
	}
	return used < ARRAY_LEN(media_glyphs) ? used : ARRAY_LEN(media_glyphs) - 1;
}

uint32_t package_glyph(const struct package_plan *p, const struct fabric *f, uint32_t kind)
{
	return media_glyphs[medium_index(p, f, kind)];
}

static uint64_t density_of(const struct fabric *f, uint32_t kind)
{
	const struct link_kind *k = &f->kinds.at[kind];
	if (k->density_bps_mm != UNKNOWN)
		return k->density_bps_mm;
	return k->medium == NONE ? UNKNOWN : f->media.at[k->medium].density_bps_mm;
}

static struct join *find_join(struct package_plan *p, const struct fabric *f, uint32_t trunk)
{
	uint32_t a = f->type[f->trunks[trunk].a], b = f->type[f->trunks[trunk].b], kind = f->trunks[trunk].kind;
	for (size_t i = 0; i < p->joins.n; i++) {
		struct join *j = &p->joins.at[i];
		if (j->kind == kind && ((j->type_a == a && j->type_b == b) || (j->type_a == b && j->type_b == a)))
			return j;
	}
	struct join j = {.kind = kind, .type_a = a, .type_b = b, .edge_um = UNKNOWN, .side_um = UNKNOWN, .there = UNKNOWN,
			 .glyph = medium_index(p, f, kind)};
	vec_push(&p->joins, j);
	return &p->joins.at[p->joins.n - 1];
}

/* The die a trunk ends at, or NULL. */
static const struct die *end_die(const struct package_plan *p, const struct fabric *f, uint32_t device)
{
	uint32_t i = p->die_of[device - f->modules.at[p->package].first_device];
	return i == NONE ? NULL : &p->dies.at[i];
}

/* The shorter of the edges with which two dies face each other across the wider gap; UNKNOWN when they overlap. */
static uint64_t facing_edge(const struct die *a, const struct die *b)
{
	int64_t right = (int64_t)b->x - (int64_t)(a->x + a->w), left = (int64_t)a->x - (int64_t)(b->x + b->w);
	int64_t up = (int64_t)b->y - (int64_t)(a->y + a->h), down = (int64_t)a->y - (int64_t)(b->y + b->h);
	int64_t beside = right > left ? right : left, above = up > down ? up : down;
	if (beside < 0 && above < 0)
		return UNKNOWN;
	if (beside >= above)
		return a->h < b->h ? a->h : b->h;
	return a->w < b->w ? a->w : b->w;
}

/* What the trunk needs of the edge between its dies; the join keeps the pair that is nearest to its limit. */
static void add_edge(struct package_plan *p, const struct scene *s, uint32_t trunk, struct join *j)
{
	const struct fabric *f = s->fabric;
	const struct trunk *t = &f->trunks[trunk];
	const struct die *a = end_die(p, f, t->a), *b = end_die(p, f, t->b);
	uint64_t density = density_of(f, t->kind), rate = trunk_capacity(f, s->overlay, trunk);
	uint64_t side = f->kinds.at[t->kind].shoreline_um;
	uint32_t links = trunk_links(f, s->overlay, trunk);
	if (density == UNKNOWN || !density || rate == UNKNOWN || links == NONE)
		return;
	uint64_t edge = (uint64_t)((double)rate / (double)density * 1000 + 0.5);
	if (side != UNKNOWN) /* the file says what each link has */
		side *= links;
	else if (a && b)
		side = facing_edge(a, b);
	if (side != UNKNOWN && (double)edge > (double)side * 1.000001 + 0.5)
		vec_push(&p->violations, (struct violation){trunk, edge, side, false, false});
	if (j->edge_um != UNKNOWN && edge <= j->edge_um)
		return;
	j->edge_um = edge;
	j->side_um = side;
	j->used = rate;
	j->there = side == UNKNOWN ? UNKNOWN : (uint64_t)((double)density * (double)side / 1000 + 0.5);
}

static void add_reach(struct package_plan *p, const struct fabric *f, uint32_t trunk)
{
	uint32_t medium = f->kinds.at[f->trunks[trunk].kind].medium;
	uint64_t reach = medium == NONE ? UNKNOWN : f->media.at[medium].reach_um;
	struct span span = trunk_span(f, trunk);
	if (reach != UNKNOWN && span.um != UNKNOWN && span.um > reach)
		vec_push(&p->violations, (struct violation){trunk, span.um, reach, true, span.estimated});
}

static void add_joins(struct package_plan *p, const struct scene *s)
{
	const struct fabric *f = s->fabric;
	const struct module *m = &f->modules.at[p->package];
	for (uint32_t i = f->incident_at[m->first_device]; i < f->incident_at[m->end_device]; i++) {
		uint32_t t = f->incident[i];
		bool inside = module_contains(f, p->package, f->trunks[t].a) && module_contains(f, p->package, f->trunks[t].b);
		if (!inside) {
			bundle_add(&p->out, s, t);
			continue;
		}
		uint32_t a = f->trunks[t].a; /* an inner trunk comes twice: it is counted at its first end */
		if (i < f->incident_at[a] || i >= f->incident_at[a + 1])
			continue;
		struct join *j = find_join(p, f, t);
		bundle_add(&j->sum, s, t);
		add_edge(p, s, t, j);
		add_reach(p, f, t);
	}
}

/* ---- places --------------------------------------------------------------------------------------------------- */

/* Cells of a length from the left end of the substrate. Both ends of a die are rounded alike, so dies that touch
 * share an edge and never overlap. */
static int cells(uint64_t um, uint64_t whole, int cols)
{
	return (int)((um * (uint64_t)cols + whole / 2) / whole);
}

/* The largest substrate of the package's proportions in an area, its border included. A cell is twice as high as wide. */
static struct rect substrate_in(const struct module *m, struct rect area)
{
	int h = area.h - 2, w = area.w - 2;
	h = h < 1 ? 1 : h;
	w = w < 1 ? 1 : w;
	if ((uint64_t)w * m->height_um > (uint64_t)(h * 2) * m->width_um)
		w = (int)((uint64_t)(h * 2) * m->width_um / m->height_um);
	else
		h = (int)(((uint64_t)w * m->height_um / m->width_um + 1) / 2);
	return RECT(area.x, area.y, (w < 1 ? 1 : w) + 2, (h < 1 ? 1 : h) + 2);
}

static void place_dies(struct package_plan *p, const struct fabric *f)
{
	const struct module *m = &f->modules.at[p->package];
	struct rect in = rect_inset(p->substrate, 1);
	for (size_t i = 0; i < p->dies.n; i++) {
		struct die *d = &p->dies.at[i];
		int x0 = cells(d->x, m->width_um, in.w), x1 = cells(d->x + d->w, m->width_um, in.w);
		int y0 = cells(d->y, m->height_um, in.h), y1 = cells(d->y + d->h, m->height_um, in.h);
		d->at = rect_intersect(RECT(in.x + x0, in.y + in.h - y1, x1 - x0, y1 - y0), in);
	}
}

/* Words beside the picture or below it, whichever leaves the larger picture with all words to be read. */
static void divide(struct package_plan *p, const struct fabric *f, struct rect area)
{
	static const int widths[] = {52, 46, 42, 38, 34, 30, 26, 22, 0};
	const struct module *m = &f->modules.at[p->package];
	int best = INT_MIN, below = package_line_rows(p, area.w);
	for (size_t i = 0; i <= ARRAY_LEN(widths); i++) {
		bool beside = i < ARRAY_LEN(widths);
		int words_w = beside ? widths[i] : area.w, rows = beside ? package_line_rows(p, words_w) : below;
		struct rect picture = beside ? RECT(area.x, area.y, area.w - (words_w ? words_w + 1 : 0), area.h)
					     : RECT(area.x, area.y, area.w, area.h - rows);
		if (picture.h < 4 && !beside)
			picture.h = area.h < 4 ? area.h : 4;
		if (words_w && beside && picture.w < 12)
			continue;
		struct rect substrate = substrate_in(m, picture);
		int narrow = 0;
		if (!words_w && beside) { /* what is left beside it */
			words_w = area.w - substrate.w - 1;
			rows = words_w > 12 ? package_line_rows(p, words_w) : area.h + 20;
			narrow = words_w < 26 ? 26 - words_w : 0;
		}
		int room = beside ? area.h : area.h - substrate.h, score = substrate.w * 2 - narrow * 3;
		score = rows <= room ? score + 1 : score - 12 - (rows - room);
		if (score <= best)
			continue;
		best = score;
		p->picture = picture;
		p->substrate = substrate;
		p->words = beside ? RECT(area.x + substrate.w + 1, area.y, area.w - substrate.w - 1, area.h)
				  : RECT(area.x, area.y + substrate.h, area.w, area.h - substrate.h);
	}
}

/* ---- bands: where links are drawn ------------------------------------------------------------------------------- */

/* The edges of two ranges of cells that touch at `at`; a range of one cell keeps it for its name. */
static void touching(int at, int before, int after, int *from, int *n)
{
	*from = before > 1 ? at - 1 : at;
	*n = (before > 1) + (after > 1 || before == 1);
}

/* The cells between two dies that face each other: the gap, or where there is none an edge of each. */
static struct rect between(struct rect a, struct rect b, bool *across)
{
	int x0 = a.x > b.x ? a.x : b.x, x1 = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
	int y0 = a.y > b.y ? a.y : b.y, y1 = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
	*across = y1 > y0;
	int at, n;
	if (y1 > y0 && x1 <= x0) {
		touching(x0, a.x < b.x ? a.w : b.w, a.x < b.x ? b.w : a.w, &at, &n);
		return x0 > x1 ? RECT(x1, y0, x0 - x1, y1 - y0) : RECT(at, y0, n, y1 - y0);
	}
	if (x1 > x0 && y1 <= y0) {
		touching(y0, a.y < b.y ? a.h : b.h, a.y < b.y ? b.h : a.h, &at, &n);
		return y0 > y1 ? RECT(x0, y1, x1 - x0, y0 - y1) : RECT(x0, at, x1 - x0, n);
	}
	return RECT(0, 0, 0, 0);
}

/* Whether the band meets a die that is not one of the two. */
static bool is_blocked(const struct package_plan *p, struct rect band, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < p->dies.n; i++) {
		struct rect r = rect_intersect(band, p->dies.at[i].at);
		if (i != a && i != b && r.w > 0 && r.h > 0)
			return true;
	}
	return false;
}

/* Which of the trunks between its two devices a trunk is, and of how many: each has a part of the edge. */
static int order_of(const struct fabric *f, uint32_t trunk, int *of)
{
	uint32_t a = f->trunks[trunk].a, b = f->trunks[trunk].b;
	int order = 0;
	*of = 0;
	for (uint32_t i = f->incident_at[a]; i < f->incident_at[a + 1]; i++)
		if (trunk_other(f, f->incident[i], a) == b) {
			order = f->incident[i] == trunk ? *of : order;
			++*of;
		}
	return order;
}

bool package_band(const struct package_plan *p, const struct fabric *f, uint32_t trunk, struct rect *band, bool *across)
{
	uint32_t first = f->modules.at[p->package].first_device;
	uint32_t a = p->die_of[f->trunks[trunk].a - first], b = p->die_of[f->trunks[trunk].b - first];
	int of, order = order_of(f, trunk, &of);
	struct rect r = between(p->dies.at[a].at, p->dies.at[b].at, across);
	if (r.w < 1 || r.h < 1)
		return false;
	/* The middle of the edge, not its corners. */
	int *at = *across ? &r.y : &r.x, *n = *across ? &r.h : &r.w, most = *n;
	if (most > 2) {
		int cut = most / 4 > 1 ? most / 4 : 1;
		*at += cut;
		*n = most - 2 * cut;
	}
	if (*n < of)
		return order == 0 && of == 1;
	*at += *n * order / of;
	*n = *n * (order + 1) / of - *n * order / of;
	*band = r;
	return !is_blocked(p, r, a, b);
}

static void count_not_drawn(struct package_plan *p, const struct fabric *f)
{
	const struct module *m = &f->modules.at[p->package];
	for (uint32_t i = f->incident_at[m->first_device]; i < f->incident_at[m->end_device]; i++) {
		uint32_t t = f->incident[i], a = f->trunks[t].a;
		struct rect band;
		bool across, inside = module_contains(f, p->package, a) && module_contains(f, p->package, f->trunks[t].b);
		if (inside && i >= f->incident_at[a] && i < f->incident_at[a + 1] && end_die(p, f, a) &&
		    end_die(p, f, f->trunks[t].b))
			p->not_drawn += !package_band(p, f, t, &band, &across);
	}
}

/* ---- plan --------------------------------------------------------------------------------------------------------- */

struct package_plan package_of(const struct scene *s, struct rect area)
{
	const struct fabric *f = s->fabric;
	struct package_plan p = {.package = choose_package(s)};
	const struct module *m = &f->modules.at[p.package];
	p.die_of = mem_array(m->end_device - m->first_device + 1, sizeof *p.die_of);
	for (uint32_t d = m->first_device; d < m->end_device; d++) {
		bool drawn = f->module[d] == p.package && is_placed(f, d) && !scene_hides(s, d) && p.dies.n < DIES_MAX;
		p.die_of[d - m->first_device] = drawn ? (uint32_t)p.dies.n : NONE;
		p.unplaced += !drawn;
		if (drawn)
			vec_push(&p.dies, (struct die){.device = d, .x = f->place[d].x_um, .y = f->place[d].y_um,
						       .w = width_of(f, d, false), .h = width_of(f, d, true)});
	}
	add_joins(&p, s);
	package_write(s, &p);
	divide(&p, f, area);
	place_dies(&p, f);
	count_not_drawn(&p, f);
	return p;
}

void package_free(struct package_plan *p)
{
	for (size_t i = 0; i < p->lines.n; i++)
		free(p->lines.at[i].text);
	vec_free(&p->lines);
	vec_free(&p->dies);
	vec_free(&p->joins);
	vec_free(&p->violations);
	free(p->die_of);
}
