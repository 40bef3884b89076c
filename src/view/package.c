/* package: dies at their places on the substrate, to one scale in both directions, and the links between them. The
 * medium of a link is in the glyph it is drawn with and in words; what it needs of the die edge is said where a
 * density is known.
 */
#include <stdlib.h>

#include "view/view_internal.h"

enum { DIES_MAX = 512, LINES_MAX = 12 };

/* A die on the substrate: micrometres from its lower-left corner, then cells. */
struct die {
	uint32_t device;
	uint64_t x, y, w, h;
	struct rect at;
};

/* Links of one kind between dies of two types, with what they need. */
struct join {
	uint32_t kind, type_a, type_b;
	struct bundle sum;
	uint64_t edge_um;   /* what one pair of dies needs of its edge, the most of all pairs; UNKNOWN without density */
	unsigned glyph;     /* of the medium: index in media_glyphs */
};

struct package_plan {
	uint32_t package;
	VEC(struct die) dies;
	VEC(struct join) joins;
	uint32_t *die_of;       /* device -> die or NONE */
	struct bundle out;      /* links that leave the package */
	uint32_t unplaced;      /* devices without place or size */
	struct rect substrate;  /* cells */
};

/* In order of first use in the package. */
static const uint16_t media_glyphs[] = {0x2261, 0x2550, 0x2500, 0x2592, 0x2022};

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

static unsigned medium_glyph(const struct package_plan *p, const struct fabric *f, uint32_t kind)
{
	unsigned used = 0;
	for (size_t i = 0; i < p->joins.n; i++) {
		if (f->kinds.at[p->joins.at[i].kind].medium == f->kinds.at[kind].medium)
			return p->joins.at[i].glyph;
		used = p->joins.at[i].glyph + 1 > used ? p->joins.at[i].glyph + 1 : used;
	}
	return used < ARRAY_LEN(media_glyphs) ? used : ARRAY_LEN(media_glyphs) - 1;
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
	struct join j = {.kind = kind, .type_a = a, .type_b = b, .edge_um = UNKNOWN, .glyph = medium_glyph(p, f, kind)};
	vec_push(&p->joins, j);
	return &p->joins.at[p->joins.n - 1];
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
		uint32_t owner = i; /* an inner trunk comes twice: it is counted at its first end */
		if (!(owner >= f->incident_at[f->trunks[t].a] && owner < f->incident_at[f->trunks[t].a + 1]))
			continue;
		struct join *j = find_join(p, f, t);
		uint64_t density = density_of(f, f->trunks[t].kind), rate = trunk_capacity(f, s->overlay, t);
		bundle_add(&j->sum, s, t);
		if (density != UNKNOWN && density && rate != UNKNOWN) {
			uint64_t edge = (uint64_t)((double)rate / (double)density * 1000 + 0.5);
			j->edge_um = j->edge_um == UNKNOWN || edge > j->edge_um ? edge : j->edge_um;
		}
	}
}

/* Cells of a length from the left end of the substrate. Both ends of a die are rounded alike, so dies that touch
 * share an edge and never overlap. */
static int cells(uint64_t um, uint64_t whole, int cols)
{
	return (int)((um * (uint64_t)cols + whole / 2) / whole);
}

static void place_dies(struct package_plan *p, const struct fabric *f, struct rect area)
{
	const struct module *m = &f->modules.at[p->package];
	int h = area.h - 2, w = area.w - 2;
	/* A cell is twice as high as wide. */
	if ((uint64_t)w * m->height_um > (uint64_t)(h * 2) * m->width_um)
		w = (int)((uint64_t)(h * 2) * m->width_um / m->height_um);
	else
		h = (int)((uint64_t)w * m->height_um / m->width_um / 2);
	w = w < 1 ? 1 : w;
	h = h < 1 ? 1 : h;
	p->substrate = RECT(area.x, area.y, w + 2, h + 2);
	for (size_t i = 0; i < p->dies.n; i++) {
		struct die *d = &p->dies.at[i];
		int x0 = cells(d->x, m->width_um, w), x1 = cells(d->x + d->w, m->width_um, w);
		int y0 = cells(d->y, m->height_um, h), y1 = cells(d->y + d->h, m->height_um, h);
		d->at = rect_intersect(RECT(area.x + 1 + x0, area.y + 1 + h - y1, x1 - x0, y1 - y0),
				       RECT(area.x + 1, area.y + 1, w, h));
	}
}

/* Where there is height, two lines for what is joined: words before rates. */
static int word_lines(const struct package_plan *p, struct rect area)
{
	int n = (int)p->joins.n * (area.h >= 20 ? 2 : 1) + 1 + (p->out.trunks > 0) + (p->unplaced > 0);
	return n > LINES_MAX ? LINES_MAX : n;
}

/* The picture above its words, or left of them where it is wide. */
static struct rect picture_area(const struct package_plan *p, struct rect area)
{
	int lines = word_lines(p, area);
	if (area.w >= 110 && area.h >= 12)
		return RECT(area.x, area.y, area.w - 46, area.h);
	return RECT(area.x, area.y, area.w, area.h - lines > 4 ? area.h - lines : area.h > 4 ? 4 : area.h);
}

static struct package_plan package_of(const struct scene *s, struct rect area)
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
	place_dies(&p, f, picture_area(&p, area));
	return p;
}

static void package_free(struct package_plan *p)
{
	vec_free(&p->dies);
	vec_free(&p->joins);
	free(p->die_of);
}

/* ---- drawing ---------------------------------------------------------------------------------------------------- */

static void draw_die(const struct scene *s, const struct die *d, struct canvas *c)
{
	struct rect r = d->at;
	struct style style = device_style(s, d->device);
	bool here = cursor_is(s, TARGET_DEVICE, d->device);
	struct strbuf b = STRBUF_INIT;
	if (r.w < 1 || r.h < 1)
		return;
	canvas_fill(c, r, style);
	if (r.w >= 3 && r.h >= 3)
		canvas_box(c, r, style, here ? LINE_HEAVY : LINE_LIGHT);
	int x = r.w >= 3 && r.h >= 3 ? r.x + 1 : r.x, w = r.w >= 3 && r.h >= 3 ? r.w - 2 : r.w, y = r.y + (r.h >= 3);
	utf8_put(&b, device_glyph(s, d->device));
	if (device_selected(s, d->device))
		strbuf_puts(&b, "●");
	strbuf_printf(&b, " %s", device_name(s->fabric, d->device));
	style.attr |= here ? ATTR_REVERSE : 0;
	canvas_text_in(c, x, y, w, style, strbuf_str(&b));
	strbuf_trim(&b, 0);
	strbuf_printf(&b, "%g × %g mm", (double)d->w / 1000, (double)d->h / 1000);
	if (r.h >= 5 && (int)text_width(strbuf_str(&b)) <= w)
		canvas_text(c, x, y + 1, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	canvas_hit(c, r, TARGET_DEVICE, d->device);
	strbuf_free(&b);
}

/* The cells between two dies that face each other: the gap and an edge of each; w is 0 when they do not. */
static struct rect facing(struct rect a, struct rect b, bool *across)
{
	int x0 = a.x > b.x ? a.x : b.x, x1 = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w;
	int y0 = a.y > b.y ? a.y : b.y, y1 = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
	*across = y1 > y0;
	if (y1 > y0 && x1 <= x0)
		return RECT(x1 - 1, y0, x0 - x1 + 2, y1 - y0);
	if (x1 > x0 && y1 <= y0)
		return RECT(x0, y1 - 1, x1 - x0, y0 - y1 + 2);
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

static void draw_link(const struct scene *s, const struct package_plan *p, uint32_t trunk, uint32_t a, uint32_t b,
		      struct canvas *c)
{
	const struct fabric *f = s->fabric;
	bool across;
	struct rect band = facing(p->dies.at[a].at, p->dies.at[b].at, &across);
	if (band.w < 1 || band.h < 1)
		return;
	/* The middle of the edge, not its corners. */
	if (across && band.h > 2)
		band = RECT(band.x, band.y + 1 + (band.h - 2) / 4, band.w, band.h - 2 - (band.h - 2) / 2 > 0 ? band.h - 2 - (band.h - 2) / 2 : 1);
	else if (!across && band.w > 2)
		band = RECT(band.x + band.w / 4 + 1, band.y, band.w / 2 > 0 ? band.w / 2 : 1, band.h);
	if (is_blocked(p, band, a, b))
		return;
	uint32_t links = trunk_links(f, s->overlay, trunk);
	struct style style = links == 0 ? STYLE(ROLE_FAILED, 0) : trunk_is_marked(s, trunk) ? mark_style(s) : STYLE(ROLE_LINK, 0);
	uint32_t glyph = links == 0 ? 0x2717 : media_glyphs[medium_glyph(p, f, f->trunks[trunk].kind)];
	for (int y = band.y; y < band.y + band.h; y++)
		for (int x = band.x; x < band.x + band.w; x++)
			canvas_put(c, x, y, style, glyph);
	canvas_hit(c, band, TARGET_TRUNK, trunk);
	char text[16];
	snprintf(text, sizeof text, "×%u", links);
	if (links > 1 && links != NONE && (across ? band.w > (int)text_width(text) : band.w >= (int)text_width(text)))
		canvas_text(c, band.x + (band.w - (int)text_width(text)) / 2, band.y + band.h / 2, style, text);
}

static void draw_links(const struct scene *s, const struct package_plan *p, struct canvas *c)
{
	const struct fabric *f = s->fabric;
	const struct module *m = &f->modules.at[p->package];
	for (uint32_t i = f->incident_at[m->first_device]; i < f->incident_at[m->end_device]; i++) {
		uint32_t t = f->incident[i], a = f->trunks[t].a, b = f->trunks[t].b;
		bool inside = module_contains(f, p->package, a) && module_contains(f, p->package, b);
		uint32_t da = inside ? p->die_of[a - m->first_device] : NONE, db = inside ? p->die_of[b - m->first_device] : NONE;
		if (da != NONE && db != NONE)
			draw_link(s, p, t, da, db, c);
	}
}

/* "≡ compute-die–compute-die 16 d2d · 16 TB/s, glass-interposer, 2.1 mm of edge a pair, 0.8 pJ/bit" */
static void put_join(const struct scene *s, const struct join *j, struct strbuf *b)
{
	const struct fabric *f = s->fabric;
	const struct link_kind *k = &f->kinds.at[j->kind];
	utf8_put(b, media_glyphs[j->glyph]);
	strbuf_printf(b, " %s", k->medium == NONE ? "medium not said" : fabric_str(f, f->media.at[k->medium].name));
	strbuf_printf(b, "  %s–%s ", fabric_str(f, f->types.at[j->type_a].name), fabric_str(f, f->types.at[j->type_b].name));
	if (j->sum.links == UNKNOWN)
		strbuf_puts(b, "–");
	else
		put_count(b, j->sum.links);
	strbuf_printf(b, " %s · ", fabric_str(f, k->name));
	put_rate(b, j->sum.rate);
	if (j->sum.marked_links && j->sum.marked_links != UNKNOWN) {
		strbuf_printf(b, " %s", mark_words(s));
		put_count(b, j->sum.marked_links);
	}
	if (j->edge_um != UNKNOWN)
		strbuf_printf(b, " · edge %.3g mm a pair", (double)j->edge_um / 1000);
	uint64_t energy = k->energy_fj != UNKNOWN ? k->energy_fj : k->medium == NONE ? UNKNOWN : f->media.at[k->medium].energy_fj;
	if (energy != UNKNOWN) {
		strbuf_puts(b, " · ");
		put_quantity(b, DIM_ENERGY, energy);
	}
	uint64_t reach = k->medium == NONE ? UNKNOWN : f->media.at[k->medium].reach_um;
	if (reach != UNKNOWN) {
		strbuf_puts(b, " · reach ");
		put_quantity(b, DIM_LENGTH, reach);
	}
}

static void put_substrate(const struct scene *s, const struct package_plan *p, struct strbuf *b)
{
	const struct module *m = &s->fabric->modules.at[p->package];
	module_path(s->fabric, p->package, b);
	strbuf_printf(b, "%ssubstrate %g × %g mm", b->n ? "  " : "", (double)m->width_um / 1000, (double)m->height_um / 1000);
	if (m->medium != NONE)
		strbuf_printf(b, ", %s", fabric_str(s->fabric, s->fabric->media.at[m->medium].name));
}

static int put_words(struct canvas *c, struct rect area, int y, bool wrap, struct style style, const char *text)
{
	if (!wrap) { /* a line each */
		canvas_text_in(c, area.x, y, area.w, style, text);
		return y + 1;
	}
	while (*text && y < area.y + area.h) {
		size_t fit = text_fit(text, area.w > 1 ? (unsigned)area.w : 1), cut = fit;
		while (text[fit] && cut > 8 && text[cut] != ' ')
			cut--;
		cut = text[fit] && cut > 8 ? cut : fit > 0 ? fit : 1;
		char *line = mem_strndup(text, cut);
		canvas_text_in(c, area.x, y++, area.w, style, line);
		free(line);
		text += cut + (text[cut] == ' ');
	}
	return y;
}

static void draw_words(const struct scene *s, const struct package_plan *p, struct canvas *c, struct rect area)
{
	struct rect picture = picture_area(p, area);
	struct rect words = picture.w < area.w ? RECT(picture.x + picture.w + 1, area.y + 1, area.w - picture.w - 1, area.h - 1)
					       : RECT(area.x, p->substrate.y + p->substrate.h, area.w,
						      area.y + area.h - p->substrate.y - p->substrate.h);
	struct strbuf b = STRBUF_INIT;
	int y = words.y;
	for (size_t i = 0; i < p->joins.n; i++) {
		strbuf_trim(&b, 0);
		put_join(s, &p->joins.at[i], &b);
		y = put_words(c, words, y, picture.w < area.w || area.h >= 20, STYLE(ROLE_TEXT, 0), strbuf_str(&b)) + (picture.w < area.w);
	}
	strbuf_trim(&b, 0);
	if (p->out.trunks) {
		put_links(p->out.links, &b);
		strbuf_puts(&b, " leave the package");
		y = put_words(c, words, y, picture.w < area.w || area.h >= 20, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	}
	if (p->unplaced) {
		strbuf_trim(&b, 0);
		strbuf_printf(&b, "%u devices not drawn: hidden, or without a place", p->unplaced);
		put_words(c, words, y, picture.w < area.w || area.h >= 20, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	}
	strbuf_free(&b);
}

void package_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	struct package_plan p = package_of(s, area);
	struct rect old = canvas_clip(c, area);
	struct strbuf b = STRBUF_INIT;
	put_substrate(s, &p, &b);
	frame_draw(c, p.substrate, strbuf_str(&b), false);
	for (size_t i = 0; i < p.dies.n; i++)
		draw_die(s, &p.dies.at[i], c);
	draw_links(s, &p, c);
	draw_words(s, &p, c, area);
	canvas_unclip(c, old);
	strbuf_free(&b);
	package_free(&p);
}

void package_measure(const struct scene *s, int *cols, int *rows)
{
	(void)s;
	*cols = 120;
	*rows = 38;
}

struct target package_move(const struct scene *s, struct rect area, enum move m)
{
	struct package_plan p = package_of(s, area);
	struct nodes nodes = {0};
	size_t here = SIZE_MAX;
	uint32_t d = cursor_device(s);
	for (size_t i = 0; i < p.dies.n; i++) {
		const struct die *x = &p.dies.at[i];
		here = x->device == d ? i : here;
		vec_push(&nodes, (struct node){x->device, x->at.x + x->at.w / 2, x->at.y + x->at.h / 2});
	}
	struct target to = nodes_move(&nodes, here, s->cursor, m);
	vec_free(&nodes);
	package_free(&p);
	return to;
}

void package_under(const struct scene *s, struct rect area, struct idset *out)
{
	(void)area;
	if (s->cursor.kind == TARGET_DEVICE)
		idset_add(out, s->cursor.id);
}
