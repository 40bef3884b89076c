/* rack: elevations side by side. A line is a tray (or a run of like ones) with its devices as cells; a bundle
 * with its exact count runs from it to the spine, which sums up what is cabled between the trays. With a cut
 * drawn, glyphs show the sides and each line says how many of its links are cut.
 *
 *  U27 │compute17  ■ ■ ■ ■  ◇ ◇ ├──72──┐ ╎36
 */
#include <stdlib.h>
#include <string.h>

#include "view/rack_internal.h"

/* Where the columns of one rack stand, relative to its left edge; the same for all racks drawn. */
struct grid {
	int name_w, cells_w, bundle_w, cut_w, text_w;
	int rack_w;          /* all of it */
	bool framed;
	bool rates;          /* bundles say their rates */
	size_t beside, bands; /* racks in a row, rows of them */
	size_t first, shown; /* racks */
	int lines;           /* of trays that a rack has at most */
};
enum { UNIT_W = 4, NAME_MAX = 20, TEXT_W = 26, TEXT_MIN = 18, GUTTER = 2, RATE_W = 12, WORDS_H = 11, TYPES_MAX = 8 };
enum { BUNDLE_W = 8, BUNDLE_LEAST = 6, CUT_W = 7, CUT_LEAST = 6 };

const char *rack_refuses(const struct fabric *f)
{
	uint32_t *racks;
	size_t n = rack_list(f, &racks);
	free(racks);
	return n ? NULL : "there is no rack in this fabric; 2 draws its tiers, 4 the graph";
}

/* Links that end outside of all racks would have their other end off the picture. */
bool rack_suits(const struct fabric *f)
{
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if (trunk_counts(f, t) && (device_ancestor(f, f->trunks[t].a, MODULE_RACK) == NONE ||
					   device_ancestor(f, f->trunks[t].b, MODULE_RACK) == NONE))
			return false;
	return true;
}

/* The racks and the one with the cursor. */
struct racks {
	uint32_t *ids;
	size_t n, here;
};

static struct racks racks_of(const struct scene *s)
{
	struct racks r = {0};
	r.n = rack_list(s->fabric, &r.ids);
	uint32_t d = cursor_device(s);
	for (size_t i = 0; i < r.n && d != NONE; i++)
		if (module_contains(s->fabric, r.ids[i], d)) {
			r.here = i;
			break;
		}
	return r;
}

static void row_name(const struct scene *s, const struct rack_plan *p, size_t row, struct strbuf *b)
{
	const struct rack_row *r = &p->rows.at[row];
	const struct rack_item *top = &p->items.at[r->item], *low = top + r->count - 1;
	strbuf_trim(b, 0);
	if (top->is_device) {
		strbuf_puts(b, device_name(s->fabric, top->id));
		return;
	}
	/* Elevations count from above, names from below. */
	bool falls = low->order < top->order;
	names_put(s->fabric, falls ? low->id : top->id, falls ? top->id : low->id, b);
	if (r->count > 1) {
		strbuf_puts(b, " ×");
		put_count(b, r->count);
	}
}

static void rack_title(const struct scene *s, uint32_t rack, struct strbuf *b)
{
	const struct fabric *f = s->fabric;
	const struct module *m = &f->modules.at[rack];
	if (m->name != NONE)
		module_path(f, rack, b); /* racks of different rows may have the same name */
	else
		strbuf_puts(b, m->type != NONE ? fabric_str(f, m->type) : module_kind_names[m->kind]);
	if (m->height_units != UNKNOWN)
		strbuf_printf(b, " %lluU", (unsigned long long)m->height_units);
}

/* ---- geometry ------------------------------------------------------------------------------------------- */

static void measure_rows(const struct scene *s, uint32_t rack, const struct rack_plan *p, struct grid *g)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t r = 0; r < p->rows.n; r++) {
		if (!p->rows.at[r].count)
			continue;
		row_name(s, p, r, &b);
		int name_w = (int)text_width(strbuf_str(&b));
		uint32_t *devices;
		size_t n = rack_row_devices(s, p, r, &devices);
		int cells_w = p->rows.at[r].count > 1 ? 16 : strip_width(s, devices, n);
		free(devices);
		g->name_w = name_w > g->name_w ? name_w : g->name_w;
		g->cells_w = cells_w > g->cells_w ? cells_w : g->cells_w;
	}
	strbuf_trim(&b, 0);
	g->name_w = g->name_w > NAME_MAX ? NAME_MAX : g->name_w;
	rack_title(s, rack, &b);
	int title_w = (int)text_width(strbuf_str(&b)) + 2;
	title_w = title_w > NAME_MAX ? NAME_MAX : title_w;
	if (g->name_w + 1 + g->cells_w < title_w)
		g->cells_w = title_w - g->name_w - 1;
	strbuf_free(&b);
}

/* Columns and lines of racks: the widest and longest of their types, so that they stay as the cursor moves. */
static void measure_racks(const struct scene *s, const struct racks *all, int height, struct grid *g)
{
	uint32_t types[TYPES_MAX];
	size_t n = 0;
	for (size_t i = 0; i < all->n && n < TYPES_MAX; i++) {
		uint32_t type = s->fabric->modules.at[all->ids[i]].type;
		size_t k = 0;
		while (k < n && types[k] != type)
			k++;
		if (k < n)
			continue;
		types[n++] = type;
		struct rack_plan p = rack_plan(s, all->ids[i], height);
		measure_rows(s, all->ids[i], &p, g);
		g->lines = (int)p.rows.n > g->lines ? (int)p.rows.n : g->lines;
		rack_plan_free(&p);
	}
}

static int frame_width(const struct grid *g)
{
	return UNIT_W + 2 + g->name_w + g->cells_w;
}

static bool is_framed(struct rect area)
{
	return area.h >= 7;
}

/* Racks beside each other in w columns. */
static size_t beside_in(int w, int rack_w, size_t racks)
{
	size_t fit = (size_t)((w + GUTTER) / (rack_w + GUTTER));
	return fit < 1 ? 1 : fit > racks ? racks : fit;
}

/* How many racks stand beside and below each other; bundles get narrower where that makes room for one more. */
static void arrange(struct grid *g, const struct racks *all, struct rect area)
{
	int spare = (g->bundle_w ? g->bundle_w - BUNDLE_LEAST : 0) + (g->cut_w ? g->cut_w - CUT_LEAST : 0);
	g->rack_w = frame_width(g) + g->bundle_w + g->cut_w;
	g->beside = beside_in(area.w, g->rack_w, all->n);
	size_t narrow = beside_in(area.w, g->rack_w - spare, all->n);
	if (narrow > g->beside) {
		g->bundle_w = g->bundle_w ? BUNDLE_LEAST : 0;
		g->cut_w = g->cut_w ? CUT_LEAST : 0;
		g->rack_w -= spare;
		g->beside = narrow;
	}
	int band = g->lines + 4; /* frame, words and a blank line */
	g->bands = g->framed && g->beside < all->n && area.h > band ? (size_t)(area.h / band) : 1;
	size_t most = (all->n + g->beside - 1) / g->beside;
	g->bands = g->bands > most ? most : g->bands;
	g->shown = g->beside * g->bands;
	g->first = all->here / g->shown * g->shown;
}

/* Gives columns to what matters most: names and cells, bundles, cut, the spine's words, rates. */
static struct grid grid_of(const struct scene *s, const struct racks *all, struct rect area, int height)
{
	struct grid g = {.framed = is_framed(area)};
	measure_racks(s, all, height, &g);
	g.name_w++; /* a blank before the cells */
	int room = area.w - UNIT_W - 2 - g.name_w;
	if (g.cells_w > room - 8)
		g.cells_w = room < 8 ? (room > 0 ? room : 0) : room - 8 > 12 ? room - 8 : room;
	g.cells_w = g.cells_w < 0 ? 0 : g.cells_w;
	room = area.w - frame_width(&g);
	g.bundle_w = room >= BUNDLE_W ? BUNDLE_W : 0;
	room -= g.bundle_w;
	bool marked = trunk_mark(s) != NULL;
	if (marked && room >= CUT_W) {
		g.cut_w = CUT_W;
		room -= g.cut_w;
	}
	arrange(&g, all, area);
	room = area.w - (int)g.beside * (g.rack_w + GUTTER) + GUTTER;
	if (all->n == 1 && room >= TEXT_MIN) {
		g.text_w = room < TEXT_W ? room : TEXT_W;
		room -= g.text_w;
	}
	if (g.bundle_w && room / (int)g.beside >= RATE_W) {
		g.rates = true;
		g.bundle_w += RATE_W;
		g.rack_w += RATE_W;
	}
	return g;
}

/* Lines for rows; one is kept for words, one for what is hidden. */
static int body_height(struct rect area, size_t racks)
{
	int h = area.h - (is_framed(area) ? 2 : 0) - 1 - (racks > 1 ? 1 : 0);
	return h > 0 ? h : 1;
}

/* Everything a frame needs; made anew for each, from the scene alone. */
struct stage {
	struct racks racks;
	struct grid grid;
	int height; /* lines for rows */
};

static struct stage stage_of(const struct scene *s, struct rect area)
{
	struct stage st = {.racks = racks_of(s)};
	st.height = body_height(area, st.racks.n);
	st.grid = grid_of(s, &st.racks, area, st.height);
	if (st.grid.bands > 1)
		st.height = st.grid.lines;
	return st;
}

static size_t row_of_cursor(const struct scene *s, const struct rack_plan *p)
{
	uint32_t d = cursor_device(s);
	for (size_t r = 0; d != NONE && r < p->rows.n; r++)
		if (p->rows.at[r].count && rack_row_has(p, r, d))
			return r;
	return 0;
}

/* The first line drawn: the cursor stays in the middle where there are more lines than room. */
static size_t top_row(const struct scene *s, const struct rack_plan *p, int height)
{
	if (p->rows.n <= (size_t)height)
		return 0;
	size_t row = row_of_cursor(s, p), half = (size_t)height / 2, last = p->rows.n - (size_t)height;
	return row < half ? 0 : row - half > last ? last : row - half;
}

/* ---- drawing ---------------------------------------------------------------------------------------------- */

static void draw_unit(const struct rack_plan *p, const struct rack_row *r, struct canvas *c, int x, int y)
{
	const struct style dim = {ROLE_DIM, 0};
	if (r->count > 1)
		canvas_text(c, x, y, dim, " ⋮");
	else if (!r->count)
		canvas_printf(c, x, y, dim, "U%u", r->gap_high);
	else if (p->items.at[r->item].unit != NONE)
		canvas_printf(c, x, y, dim, "U%u", p->items.at[r->item].unit);
}

/* True when the cursor stands on the line as a whole (its module), not on one of its devices. */
static bool cursor_on_row(const struct scene *s, const struct rack_plan *p, const struct rack_row *r)
{
	for (size_t i = r->item; i < r->item + r->count; i++)
		if (!p->items.at[i].is_device && cursor_is(s, TARGET_MODULE, p->items.at[i].id))
			return true;
	return false;
}

static void draw_members(const struct scene *s, const struct rack_plan *p, size_t row, const struct grid *g,
			 struct canvas *c, int x, int y)
{
	const struct rack_row *r = &p->rows.at[row];
	const struct rack_item *item = &p->items.at[r->item];
	struct strbuf b = STRBUF_INIT;
	row_name(s, p, row, &b);
	struct style style = {cursor_on_row(s, p, r) ? ROLE_STRONG : ROLE_TEXT, 0};
	if (style.role == ROLE_STRONG)
		style.attr = ATTR_REVERSE;
	canvas_text_in(c, x, y, g->name_w - 1, style, strbuf_str(&b));
	strbuf_free(&b);
	canvas_hit(c, RECT(x, y, g->name_w + g->cells_w, 1), item->is_device ? TARGET_DEVICE : TARGET_MODULE, item->id);
	uint32_t *devices;
	size_t n = rack_row_devices(s, p, row, &devices);
	struct strip t = strip_of(s, devices, n, r->count > 1 ? 0 : g->cells_w, 1);
	t.width = g->cells_w;
	strip_draw(&t, s, c, x + g->name_w, y);
	free(devices);
}

static void draw_bundle(const struct scene *s, const struct bundle *b, const struct grid *g, struct canvas *c, int x, int y)
{
	struct bundle whole = *b;
	whole.marked_links = 0; /* that stands beside the line */
	const struct style line = bundle_style(s, &whole);
	struct strbuf text = STRBUF_INIT;
	canvas_hline(c, x - 1, y, g->bundle_w + 1, line, LINE_LIGHT);
	if (b->links == UNKNOWN)
		strbuf_puts(&text, "–");
	else
		put_count(&text, b->links);
	if (g->rates && b->rate != UNKNOWN) {
		strbuf_puts(&text, " · ");
		put_rate(&text, b->rate);
	}
	uint32_t label = bundle_label(s, b);
	if (label != NONE && (int)text_width(strbuf_str(&text)) + 3 <= g->bundle_w) {
		strbuf_putc(&text, ' ');
		utf8_put(&text, label_glyph(scene_mode(s), label));
	}
	int w = (int)text_width(strbuf_str(&text)), room = g->bundle_w - 1;
	if (w <= room)
		canvas_text(c, x + (room - w) / 2, y, STYLE(ROLE_TEXT, 0), strbuf_str(&text));
	strbuf_trim(&text, 0);
	if (b->marked_links && g->cut_w && b->marked_links != UNKNOWN) {
		strbuf_add(&text, mark_words(s), strlen("╎"));
		put_count(&text, b->marked_links);
		canvas_text_in(c, x + g->bundle_w + 1, y, g->cut_w - 1, mark_style(s), strbuf_str(&text));
	}
	strbuf_free(&text);
}

static void draw_frame(const struct scene *s, uint32_t rack, struct canvas *c, struct rect box, size_t above,
		       size_t below)
{
	canvas_box(c, box, STYLE(ROLE_BORDER, 0), LINE_LIGHT);
	struct strbuf b = STRBUF_INIT, title = STRBUF_INIT;
	rack_title(s, rack, &title);
	strbuf_putc(&b, ' ');
	shortened_put(strbuf_str(&title), box.w - 4, &b);
	strbuf_putc(&b, ' ');
	strbuf_free(&title);
	struct style style = {ROLE_TEXT, 0};
	if (cursor_is(s, TARGET_MODULE, rack))
		style = STYLE(ROLE_STRONG, ATTR_REVERSE);
	int w = canvas_text_in(c, box.x + 1, box.y, box.w - 2, style, strbuf_str(&b));
	canvas_hit(c, RECT(box.x + 1, box.y, w, 1), TARGET_MODULE, rack);
	strbuf_trim(&b, 0);
	bool beside = box.w > w + 12; /* the title leaves room for what is hidden above */
	if (above && beside)
		canvas_printf(c, box.x + box.w - 9, box.y, STYLE(ROLE_DIM, 0), " ↑%zu ", above);
	else if (above)
		strbuf_printf(&b, " ↑%zu", above);
	if (below)
		strbuf_printf(&b, " ↓%zu", below);
	strbuf_puts(&b, b.n ? " " : "");
	int x = box.w > 12 && (beside || !above) ? box.x + box.w - 9 : box.x + 1;
	canvas_text_in(c, x, box.y + box.h - 1, box.x + box.w - x, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	strbuf_free(&b);
}

/* What is cabled between the rack's trays and out of it. */
struct spine {
	struct bundle inner, outer;
	bool seen[64]; /* link kinds */
};

static struct spine spine_of(const struct scene *s, const struct rack_plan *p, uint32_t rack)
{
	const struct fabric *f = s->fabric;
	const struct module *m = &f->modules.at[rack];
	struct spine sp = {0};
	for (size_t i = 0; i < p->items.n; i++) {
		const struct rack_item *item = &p->items.at[i];
		for (uint32_t at = f->incident_at[item->first]; at < f->incident_at[item->end]; at++) {
			const struct trunk *t = &f->trunks[f->incident[at]];
			bool a_in = t->a >= m->first_device && t->a < m->end_device;
			bool b_in = t->b >= m->first_device && t->b < m->end_device;
			bool same = t->a >= item->first && t->a < item->end && t->b >= item->first && t->b < item->end;
			bool first = t->a >= item->first && t->a < item->end;
			if (same || !trunk_counts(f, f->incident[at]))
				continue;
			if (a_in && b_in && first) {
				bundle_add(&sp.inner, s, f->incident[at]);
				sp.seen[t->kind % ARRAY_LEN(sp.seen)] = true;
			} else if (!a_in || !b_in) {
				bundle_add(&sp.outer, s, f->incident[at]);
			}
		}
	}
	return sp;
}

/* A line of the spine's words: text and role. */
static int say(struct canvas *c, int x, int y, int w, struct style style, struct strbuf *b)
{
	canvas_text_in(c, x, y, w, style, strbuf_str(b));
	strbuf_trim(b, 0);
	return y + 1;
}

static int say_kinds(const struct scene *s, const struct spine *sp, struct canvas *c, int x, int y, int w)
{
	const struct fabric *f = s->fabric;
	struct strbuf b = STRBUF_INIT;
	for (uint32_t k = 0; k < f->kinds.n && k < ARRAY_LEN(sp->seen); k++) {
		const struct link_kind *kind = &f->kinds.at[k];
		if (!sp->seen[k])
			continue;
		strbuf_puts(&b, fabric_str(f, kind->name));
		if (kind->rate != UNKNOWN) {
			strbuf_puts(&b, " ");
			put_rate(&b, kind->rate);
			strbuf_puts(&b, kind->rate_assumed ? " (assumed)" : "");
		}
		y = say(c, x, y, w, STYLE(ROLE_DIM, 0), &b);
		if (kind->medium == NONE)
			continue;
		strbuf_puts(&b, fabric_str(f, f->media.at[kind->medium].name));
		if (kind->length_um != UNKNOWN) {
			strbuf_putc(&b, ' ');
			put_quantity(&b, DIM_LENGTH, kind->length_um);
		}
		y = say(c, x, y, w, STYLE(ROLE_DIM, 0), &b);
	}
	strbuf_free(&b);
	return y;
}

static void say_spine(const struct scene *s, const struct spine *sp, struct canvas *c, int x, int y, int w)
{
	struct strbuf b = STRBUF_INIT;
	const struct style dim = {ROLE_DIM, 0}, cut = mark_style(s);
	strbuf_puts(&b, "inside the rack");
	y = say(c, x, y, w, dim, &b);
	put_links(sp->inner.links, &b);
	y = say(c, x, y, w, STYLE(ROLE_STRONG, 0), &b);
	if (sp->inner.rate != UNKNOWN && sp->inner.rate) {
		put_rate(&b, sp->inner.rate);
		strbuf_puts(&b, " one direction");
		y = say(c, x, y, w, STYLE(ROLE_TEXT, 0), &b);
	}
	y = say_kinds(s, sp, c, x, y, w);
	if (sp->outer.links) {
		bundle_put(&sp->outer, true, &b);
		strbuf_puts(&b, " →");
		y = say(c, x, y, w, STYLE(ROLE_TEXT, 0), &b);
	}
	if (sp->inner.marked_links && sp->inner.marked_links != UNKNOWN) {
		y++;
		strbuf_puts(&b, mark_words(s));
		put_links(sp->inner.marked_links, &b);
		y = say(c, x, y, w, cut, &b);
		if (sp->inner.marked_rate != UNKNOWN) {
			strbuf_add(&b, mark_words(s), strlen("╎ "));
			put_rate(&b, sp->inner.marked_rate);
			strbuf_puts(&b, " one direction");
			say(c, x, y, w, cut, &b);
		}
	}
	strbuf_free(&b);
}

/* words 2: with the rate, where wanted; 1: links alone; 0: their number. */
static void put_spine_links(const struct bundle *x, int words, bool rates, struct strbuf *b)
{
	if (words == 0 && x->links != UNKNOWN)
		put_count(b, x->links);
	else
		bundle_put(x, rates && words > 1, b);
}

/* The spine in one line, where its words have no room. */
static void say_short(const struct scene *s, const struct spine *sp, struct canvas *c, int x, int y, int w)
{
	struct strbuf b = STRBUF_INIT;
	bool cut = sp->inner.marked_links && sp->inner.marked_links != UNKNOWN;
	for (int words = 2; words >= 0; words--) { /* rates give way, then the word for links */
		strbuf_trim(&b, 0);
		put_spine_links(&sp->inner, words, !cut, &b);
		strbuf_puts(&b, cut ? "" : " inside");
		if (sp->outer.links) {
			strbuf_puts(&b, ", ");
			put_spine_links(&sp->outer, words, false, &b);
			strbuf_puts(&b, " out");
		}
		if ((int)text_width(strbuf_str(&b)) <= w)
			break;
	}
	int at = canvas_text_in(c, x, y, w, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	strbuf_trim(&b, 0);
	if (cut) {
		strbuf_printf(&b, " %s", mark_words(s));
		put_links(sp->inner.marked_links, &b);
		if (sp->inner.marked_rate != UNKNOWN && sp->inner.marked_rate) {
			strbuf_puts(&b, " · ");
			put_rate(&b, sp->inner.marked_rate);
		}
		canvas_text_in(c, x + at, y, w - at, mark_style(s), strbuf_str(&b));
	}
	strbuf_free(&b);
}

static void draw_rows(const struct scene *s, const struct rack_plan *p, const struct grid *g, struct canvas *c,
		      struct rect area, size_t top, int height)
{
	int inner = area.x + UNIT_W + 1, spine_x = inner + g->name_w + g->cells_w + g->bundle_w;
	int first = -1, last = -1, y = area.y + (g->framed ? 1 : 0);
	for (size_t r = top; r < p->rows.n && r < top + (size_t)height; r++, y++) {
		const struct rack_row *row = &p->rows.at[r];
		draw_unit(p, row, c, area.x, y);
		if (!row->count) {
			canvas_printf(c, inner, y, STYLE(ROLE_DIM, 0), "· %uU empty", row->gap_high - row->gap_low + 1);
			continue;
		}
		draw_members(s, p, r, g, c, inner, y);
		struct bundle b = rack_row_bundle(s, p, r);
		if (!g->bundle_w || !b.trunks)
			continue;
		draw_bundle(s, &b, g, c, inner + g->name_w + g->cells_w + 1, y);
		first = first < 0 ? y : first;
		last = y;
	}
	if (first >= 0 && last > first)
		canvas_vline(c, spine_x, first, last - first + 1, STYLE(ROLE_LINK, 0), LINE_LIGHT);
}

static void draw_rack(const struct scene *s, uint32_t rack, const struct stage *st, struct canvas *c, struct rect area)
{
	const struct grid *g = &st->grid;
	struct rack_plan p = rack_plan(s, rack, st->height);
	size_t top = top_row(s, &p, st->height);
	int lines = p.rows.n - top < (size_t)st->height ? (int)(p.rows.n - top) : st->height;
	struct rect box = {area.x + UNIT_W, area.y, 2 + g->name_w + g->cells_w, lines + 2};
	if (g->framed)
		draw_frame(s, rack, c, box, top, p.rows.n - top - (size_t)lines);
	draw_rows(s, &p, g, c, area, top, lines);
	struct spine sp = spine_of(s, &p, rack);
	int below = area.y + lines + (g->framed ? 2 : 0);
	if (g->text_w)
		say_spine(s, &sp, c, area.x + g->rack_w + 1, area.y + (lines > 12 ? lines / 2 - 4 : 1), g->text_w - 1);
	else
		say_short(s, &sp, c, area.x + UNIT_W, below, area.w - UNIT_W);
	rack_plan_free(&p);
}

/* "racks 3–4 of 8, 6 hidden  [··■■····]" */
static void say_racks(const struct stage *st, struct canvas *c, int x, int y, int w)
{
	size_t all = st->racks.n, first = st->grid.first, end = first + st->grid.shown < all ? first + st->grid.shown : all;
	struct strbuf b = STRBUF_INIT;
	strbuf_printf(&b, "rack%s %zu", end - first == 1 ? "" : "s", first + 1);
	if (end - first > 1)
		strbuf_printf(&b, "–%zu", end);
	strbuf_printf(&b, " of %zu, %zu hidden", all, all - (end - first));
	int taken = canvas_text(c, x, y, STYLE(ROLE_DIM, 0), strbuf_str(&b)) + 2;
	extent_draw(c, x + taken, y, w - taken, first, end - first, all);
	strbuf_free(&b);
}

void rack_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	struct stage st = stage_of(s, area);
	const struct grid *g = &st.grid;
	int y = area.y;
	if (st.racks.n > g->shown)
		say_racks(&st, c, area.x, y++, area.w);
	for (size_t i = 0; i < g->shown && g->first + i < st.racks.n; i++) {
		int band = (int)(i / g->beside), at = y + band * (st.height + 4);
		struct rect part = {area.x + (int)(i % g->beside) * (g->rack_w + GUTTER), at, g->rack_w, area.h - (at - area.y)};
		if (g->shown == 1)
			part.w = area.w;
		struct rect old = canvas_clip(c, part);
		draw_rack(s, st.racks.ids[g->first + i], &st, c, part);
		canvas_unclip(c, old);
	}
	free(st.racks.ids);
}

void rack_measure(const struct scene *s, int *cols, int *rows)
{
	struct racks racks = racks_of(s);
	*cols = *rows = 1;
	if (racks.n) {
		struct rack_plan p = rack_plan(s, racks.ids[racks.here], 0);
		struct grid g = {0};
		measure_rows(s, racks.ids[racks.here], &p, &g);
		g.name_w++;
		*cols = frame_width(&g) + 20 + 7 + TEXT_W;
		*rows = (int)p.rows.n + 5 > WORDS_H ? (int)p.rows.n + 5 : WORDS_H;
		if (racks.n > 1)
			*cols = (frame_width(&g) + 17) * (int)(racks.n > 4 ? 4 : racks.n);
		rack_plan_free(&p);
	}
	free(racks.ids);
}

/* ---- moving ---------------------------------------------------------------------------------------------- */

/* Position: line and device in it; column -1 is the line as a whole, row -1 the rack itself. */
struct spot {
	int row, col;
};

static struct spot spot_of(const struct scene *s, const struct rack_plan *p, uint32_t rack)
{
	struct spot at = {-1, -1};
	if (cursor_is(s, TARGET_MODULE, rack) || cursor_device(s) == NONE || cursor_is(s, TARGET_MODULE, 0))
		return at;
	at.row = (int)row_of_cursor(s, p);
	if (s->cursor.kind != TARGET_DEVICE)
		return at;
	uint32_t *devices;
	size_t n = rack_row_devices(s, p, (size_t)at.row, &devices);
	for (size_t i = 0; i < n; i++)
		if (devices[i] == s->cursor.id)
			at.col = (int)i;
	free(devices);
	return at;
}

static struct target target_at(const struct scene *s, const struct rack_plan *p, uint32_t rack, struct spot at)
{
	if (at.row < 0 || !p->rows.n)
		return (struct target){TARGET_MODULE, rack};
	const struct rack_item *item = &p->items.at[p->rows.at[at.row].item];
	struct target t = {item->is_device ? TARGET_DEVICE : TARGET_MODULE, item->id};
	if (at.col < 0)
		return t;
	uint32_t *devices;
	size_t n = rack_row_devices(s, p, (size_t)at.row, &devices);
	if (n)
		t = (struct target){TARGET_DEVICE, devices[(size_t)at.col < n ? (size_t)at.col : n - 1]};
	free(devices);
	return t;
}

/* The next line in a direction that is no gap; -1 above the first. */
static int next_row(const struct rack_plan *p, int row, int step)
{
	int to = row;
	for (int left = abs(step); left > 0; left--) {
		int next = to + (step > 0 ? 1 : -1);
		while (next >= 0 && next < (int)p->rows.n && !p->rows.at[next].count)
			next += step > 0 ? 1 : -1;
		if (next < -1 || next >= (int)p->rows.n)
			break;
		to = next;
	}
	return to;
}

/* The next column to one side, which in a folded line is the next cell with a count; the same when there is none.
 * Column -1, the line as a whole, is left of the first. */
static int next_column(const struct scene *s, const struct rack_plan *p, struct spot at, int step)
{
	uint32_t *devices;
	int n = (int)rack_row_devices(s, p, (size_t)at.row, &devices), to = at.col + step;
	bool folded = p->rows.at[at.row].count > 1;
	while (folded && at.col >= 0 && to >= 0 && to < n && strip_alike(s, devices[to], devices[at.col]))
		to += step;
	for (int i = 0; folded && at.col >= 0 && to >= 0 && to < n && i < to; i++)
		if (strip_alike(s, devices[i], devices[to]))
			to = i; /* the first of those counted */
	free(devices);
	return to < n ? to : at.col;
}

static struct target move_in(const struct scene *s, const struct rack_plan *p, const struct stage *st, enum move m)
{
	const struct racks *racks = &st->racks;
	size_t here = racks->here, beside = st->grid.beside;
	int page = st->height;
	struct spot at = spot_of(s, p, racks->ids[here]);
	if (st->grid.bands > 1 && m == MOVE_UP && at.row < 0 && here >= beside)
		return (struct target){TARGET_MODULE, racks->ids[here - beside]};
	if (st->grid.bands > 1 && m == MOVE_DOWN && next_row(p, at.row, 1) == at.row && here + beside < racks->n)
		return (struct target){TARGET_MODULE, racks->ids[here + beside]};
	switch (m) {
	case MOVE_UP:
	case MOVE_DOWN:
		at.row = next_row(p, at.row, m == MOVE_UP ? -1 : 1);
		break;
	case MOVE_PAGE_UP:
	case MOVE_PAGE_DOWN:
		at.row = next_row(p, at.row, m == MOVE_PAGE_UP ? -page : page);
		break;
	case MOVE_FIRST:
		at.row = next_row(p, -1, 1);
		break;
	case MOVE_LAST:
		at.row = next_row(p, (int)p->rows.n, -1);
		break;
	case MOVE_LEFT:
		if (at.row >= 0 && at.col >= 0)
			at.col = next_column(s, p, at, -1);
		else if (here > 0)
			return (struct target){TARGET_MODULE, racks->ids[here - 1]};
		break;
	case MOVE_RIGHT:
		if (at.row >= 0 && next_column(s, p, at, 1) != at.col)
			at.col = next_column(s, p, at, 1);
		else if (here + 1 < racks->n)
			return (struct target){TARGET_MODULE, racks->ids[here + 1]};
		break;
	}
	return target_at(s, p, racks->ids[here], at);
}

struct target rack_move(const struct scene *s, struct rect area, enum move m)
{
	struct stage st = stage_of(s, area);
	struct rack_plan p = rack_plan(s, st.racks.ids[st.racks.here], st.height);
	struct target t = move_in(s, &p, &st, m);
	rack_plan_free(&p);
	free(st.racks.ids);
	return t;
}

void rack_under(const struct scene *s, struct rect area, struct idset *out)
{
	struct stage st = stage_of(s, area);
	struct rack_plan p = rack_plan(s, st.racks.ids[st.racks.here], st.height);
	size_t row = row_of_cursor(s, &p);
	uint32_t d = cursor_device(s);
	bool folded = p.rows.n && p.rows.at[row].count > 1 && d != NONE && rack_row_has(&p, row, d) &&
		      spot_of(s, &p, st.racks.ids[st.racks.here]).row >= 0;
	for (size_t i = 0; folded && i < p.rows.at[row].count; i++) {
		const struct rack_item *item = &p.items.at[p.rows.at[row].item + i];
		idset_add_range(out, item->first, item->end);
	}
	rack_plan_free(&p);
	free(st.racks.ids);
}
