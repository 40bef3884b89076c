/* fabric: tiers from top to bottom, alike modules folded ×N, opened in place, bundles with their exact counts. What
 * fabric_plan.c decided is placed here (columns belong to modules, rows to tiers) and drawn.
 *
 *   tier 2 ┌ spine ×16 ──────────────────────────┐
 *          └──┬──────────────────┬───────────────┘
 *             │ 256 ndr          │ 768 ndr
 *   tier 1 ┌ su0/leaf ×8 ────┐ ┌ su1–su3 ×3: leaf ×24 ┐
 */
#include <stdlib.h>

#include "view/fabric_internal.h"

enum { LABEL_W = 8, LISTED_MAX = 3, LINE_UP_DOWN = 3 | 3 << 4 };

/* How much is spent on a tier. */
struct density {
	bool framed;
	int cells; /* lines of cells */
	int facts; /* lines of ratios */
	int gap;   /* lines between tiers, at most */
};
static const struct density densities[] = {{true, 4, 1, 4}, {true, 2, 1, 4}, {true, 2, 1, 2}, {true, 1, 1, 2}, {true, 1, 1, 1},
					   {true, 1, 0, 1}, {false, 1, 0, 1}, {false, 1, 0, 0}};
enum { DENSITY_OF_PICTURES = 1 };

struct placed {
	struct density d;
	int listed;            /* lines of bundles that no gap shows */
	int above, below;      /* tiers out of sight */
	int label;             /* columns before the tiers */
	int scroll, w;         /* columns left of what is in sight, and all there are */
	struct rect in;        /* where boxes stand; its h ends before the words below */
};

bool fabric_suits(const struct fabric *f)
{
	return fabric_refuses(f) == NULL;
}

/* A switch with counted links makes tiers. */
const char *fabric_refuses(const struct fabric *f)
{
	for (uint32_t d = 0; d < f->device_count; d++)
		for (uint32_t i = f->incident_at[d]; device_class(f, d) == CLASS_SWITCH && i < f->incident_at[d + 1]; i++)
			if (trunk_counts(f, f->incident[i]))
				return NULL;
	return "there are no switches, so there are no tiers; 4 draws the graph, 5 the matrix";
}

/* ---- placing --------------------------------------------------------------------------------------------- */

static void place_columns(struct fab_plan *p, size_t item, int x, int w)
{
	struct fab_item *it = &p->items.at[item];
	it->x = x;
	it->w = w;
	for (size_t k = 0, end; it->open && k < it->parts; k = end) {
		struct fab_item *part = &p->items.at[it->part];
		int least = 0, want = 0, n;
		for (end = k; end < it->parts && part[end].row == part[k].row; end++) {
			least += part[end].least;
			want += part[end].want;
		}
		n = (int)(end - k);
		bool roomy = want + n - 1 <= w;
		int base = roomy ? want : least, spare = w - base - (n - 1), weights = roomy ? want : want - least;
		int at = x, given = 0, passed = 0;
		for (size_t i = k; i < end; i++) {
			passed += roomy ? part[i].want : part[i].want - part[i].least;
			int upto = weights > 0 ? (int)((int64_t)spare * passed / weights) : spare * (int)(i - k + 1) / n;
			int mine = (roomy ? part[i].want : part[i].least) + upto - given;
			given = upto;
			place_columns(p, it->part + i, at, mine);
			at += mine + 1;
		}
	}
}

/* The box that has to be in sight: that of the device under the cursor, the topmost of a module there; SIZE_MAX for
 * the whole fabric, which begins at its top. */
static size_t cursor_box(const struct scene *s, const struct fab_plan *p)
{
	if (!p->boxes.n)
		return SIZE_MAX;
	if (s->cursor.kind != TARGET_MODULE) {
		uint32_t d = cursor_device(s);
		return d == NONE ? SIZE_MAX : p->box_of[d];
	}
	const struct module *m = &s->fabric->modules.at[s->cursor.id];
	size_t top = SIZE_MAX;
	for (uint32_t d = m->first_device; d < m->end_device && m->end_device - m->first_device < s->fabric->device_count; d++)
		top = p->box_of[d] < top ? p->box_of[d] : top;
	return top;
}

static int listed_lines(const struct fab_plan *p)
{
	int n = 0;
	for (size_t i = 0; i < p->bundles.n && n < LISTED_MAX; i++)
		n += !p->bundles.at[i].drawn;
	return n;
}

static bool has_facts(const struct fab_box *b)
{
	return b->up.trunks || b->within.trunks || b->among.trunks || b->local.trunks || b->hidden;
}

/* Cells of a box that is w columns wide. */
static void fit_box(const struct scene *s, struct fab_plan *p, const struct density *d, struct fab_box *b, int w, int lines)
{
	int head = d->framed ? 2 : (int)text_width(b->title) + 1;
	head = d->framed || head < w / 2 ? head : w / 2;
	b->cells = RECT(d->framed ? 1 : head, d->framed ? 1 : 0, w > head ? w - head : 0, 1);
	b->strip = strip_of(s, &p->members[b->first], b->n, b->cells.w, lines);
	b->strip.width = b->strip.width > b->cells.w ? b->cells.w : b->strip.width;
}

/* Heights of all rows with this density, where boxes are seen in room columns; returns their sum. */
static int fit_rows(const struct scene *s, struct fab_plan *p, const struct density *d, int room)
{
	int sum = 0;
	for (uint32_t r = 0; r < p->rows; r++)
		p->row[r] = (struct fab_row){.gap = p->gaps[r] > 0 ? p->gaps[r] : r > 0, .lines = 1};
	for (size_t i = 0; i < p->boxes.n; i++) {
		struct fab_box *b = &p->boxes.at[i];
		struct fab_row *row = &p->row[p->row_of[b->tier]];
		int w = p->items.at[b->item].w;
		fit_box(s, p, d, b, w < room ? w : room, d->cells);
		row->lines = b->strip.lines > row->lines ? b->strip.lines : row->lines;
		row->facts = row->facts || (d->facts && has_facts(b));
	}
	for (uint32_t r = 0; r < p->rows; r++) {
		struct fab_row *row = &p->row[r];
		row->gap = row->gap > d->gap ? d->gap : row->gap;
		row->h = row->lines + row->facts + (d->framed ? 2 : 0);
		sum += row->h + row->gap;
	}
	return sum;
}

/* Rows from the top, or those around the one of the cursor where not all fit. */
static void place_rows(const struct scene *s, struct fab_plan *p, struct placed *g)
{
	size_t here = cursor_box(s, p);
	uint32_t keep = here == SIZE_MAX ? 0 : p->row_of[p->boxes.at[here].tier], first = 0, end;
	int y = 0;
	for (uint32_t r = 0; r <= keep && r < p->rows; r++) {
		y += p->row[r].h + p->row[r].gap;
		while (y > g->in.h && first < r) {
			y -= p->row[first].h + p->row[first].gap;
			first++;
		}
	}
	y = g->in.y - (first < p->rows ? p->row[first].gap : 0);
	for (end = 0; end < p->rows; end++) {
		struct fab_row *row = &p->row[end];
		bool out = end < first || (y + row->gap + row->h > g->in.y + g->in.h && end > first);
		if (out && end >= first)
			y = 10000000; /* and all below it */
		row->y = out ? -10000 : y + row->gap;
		y += out ? 0 : row->gap + row->h;
		g->above += end < first;
		g->below += out && end >= first;
	}
}

/* The tier with most boxes: its boxes are where the picture is turned over. */
static void widest_tier(const struct fab_plan *p, size_t *first, size_t *end)
{
	*first = *end = 0;
	for (size_t i = 0, k; i < p->boxes.n; i = k) {
		for (k = i; k < p->boxes.n && p->boxes.at[k].tier == p->boxes.at[i].tier;)
			k++;
		if (k - i > *end - *first) {
			*first = i;
			*end = k;
		}
	}
}

/* How far the picture is scrolled: by pages that begin with a box, so that nothing moves while the cursor goes to
 * and fro on one, and never further than for the box under the cursor to be seen. */
static int scroll_of(const struct scene *s, const struct fab_plan *p, struct rect in, int w)
{
	size_t here = cursor_box(s, p), first, end;
	if (here == SIZE_MAX || w <= in.w)
		return 0;
	const struct fab_item *it = &p->items.at[p->boxes.at[here].item];
	int from = it->x - in.x, to = from + (it->w < in.w ? it->w : in.w), scroll = 0;
	widest_tier(p, &first, &end);
	for (size_t i = first; i < end && to > scroll + in.w; i++) {
		const struct fab_item *x = &p->items.at[p->boxes.at[i].item];
		if (x->x - in.x + x->w > scroll + in.w && x->x - in.x > scroll)
			scroll = x->x - in.x;
	}
	scroll = to > scroll + in.w ? to - in.w : scroll > from ? from : scroll;
	return scroll > w - in.w ? w - in.w : scroll;
}

/* Puts what a box shows where the box is in sight. */
static void place_box(const struct scene *s, struct fab_plan *p, const struct placed *g, struct fab_box *b, int scroll)
{
	const struct fab_row *row = &p->row[p->row_of[b->tier]];
	b->at = RECT(p->items.at[b->item].x - scroll, row->y, p->items.at[b->item].w, row->h);
	int from = b->at.x > g->in.x ? b->at.x : g->in.x, end = b->at.x + b->at.w;
	end = end < g->in.x + g->in.w ? end : g->in.x + g->in.w;
	b->seen = RECT(from, b->at.y, end > from ? end - from : 0, b->at.h);
	if (b->seen.w > 0 && b->seen.w < b->at.w)
		fit_box(s, p, &g->d, b, b->seen.w, row->lines);
	b->cells.x += b->seen.w ? from : b->at.x;
	b->cells.y += b->at.y;
}

static struct placed place(const struct scene *s, struct fab_plan *p, struct rect area)
{
	struct placed g = {.label = area.w >= 60 ? LABEL_W : 0};
	int least = p->items.n ? p->items.at[0].least : 0;
	g.in = RECT(area.x + g.label, area.y, area.w - g.label, area.h - 1);
	int w = g.in.w > least ? g.in.w : least;
	if (p->items.n)
		place_columns(p, 0, g.in.x, w);
	for (size_t i = 0; i < ARRAY_LEN(densities); i++) {
		g.d = densities[i];
		g.listed = g.d.framed ? listed_lines(p) : 0;
		if (fit_rows(s, p, &g.d, g.in.w) + g.listed < area.h)
			break;
	}
	g.in.h = area.h > 1 ? area.h - 1 - g.listed : 1;
	place_rows(s, p, &g);
	g.w = w;
	g.scroll = scroll_of(s, p, g.in, w);
	for (size_t i = 0; i < p->boxes.n; i++)
		place_box(s, p, &g, &p->boxes.at[i], g.scroll);
	return g;
}

void fabric_measure(const struct scene *s, int *cols, int *rows)
{
	struct fab_plan *p = fab_plan(s);
	int want = (p->items.n ? p->items.at[0].want : 0) + LABEL_W;
	*cols = want < 80 ? 80 : want > 200 ? 200 : want;
	if (p->items.n)
		place_columns(p, 0, 0, *cols - LABEL_W);
	*rows = fit_rows(s, p, &densities[DENSITY_OF_PICTURES], *cols) + listed_lines(p) + 1;
	fab_plan_release(s, p);
}

/* ---- boxes -------------------------------------------------------------------------------------------------- */

static void put_piece(struct strbuf *b, uint64_t links, const char *word)
{
	strbuf_puts(b, b->n ? " · " : "");
	if (links == UNKNOWN)
		strbuf_puts(b, "–");
	else
		put_count(b, links);
	strbuf_printf(b, " %s", word);
}

/* "25.6 TB/s ↓ 12.8 TB/s ↑ 2:1": what a tier can take from below against what it can pass on. */
static void put_ratio(const struct fab_box *x, bool brief, struct strbuf *b)
{
	bool rates = x->down.rate != UNKNOWN && x->up.rate != UNKNOWN && x->up.rate;
	uint64_t down = rates ? x->down.rate : x->down.links, up = rates ? x->up.rate : x->up.links;
	if (!x->down.trunks || !x->up.trunks || down == UNKNOWN || up == UNKNOWN || !up)
		return;
	if (!brief && rates) {
		put_rate(b, down);
		strbuf_puts(b, " ↓ ");
		put_rate(b, up);
		strbuf_puts(b, " ↑  ");
	}
	if (down % up == 0)
		strbuf_printf(b, "%llu:1", (unsigned long long)(down / up));
	else
		strbuf_printf(b, "%.2f:1", (double)down / (double)up);
}

static void put_facts(const struct fab_box *x, int w, struct strbuf *b)
{
	for (int brief = 0; brief <= 1; brief++) {
		strbuf_trim(b, 0);
		put_ratio(x, brief, b);
		if (x->within.trunks)
			put_piece(b, x->within.links, "within");
		if (x->among.trunks)
			put_piece(b, x->among.links, "among them");
		if (x->local.trunks)
			put_piece(b, x->local.links, "local");
		if (x->hidden)
			put_piece(b, x->hidden, "hidden");
		if ((int)text_width(strbuf_str(b)) <= w)
			return;
	}
}

/* The title in w columns: without types of devices, then without the devices, shortened at last. */
static void put_title(const struct fab_box *x, int w, struct strbuf *b)
{
	const char *best = (int)text_width(x->title) <= w ? x->title : (int)text_width(x->brief) <= w ? x->brief : x->briefest;
	shortened_put(best, w, b);
}

/* The frame, cut where the box is; its title stands where it can be read. */
static void draw_frame(const struct fab_box *x, struct canvas *c)
{
	struct strbuf b = STRBUF_INIT;
	struct rect seen = x->seen;
	canvas_box(c, x->at, STYLE(ROLE_BORDER, 0), LINE_LIGHT);
	put_title(x, seen.w - 4, &b);
	if (b.n) {
		int w = canvas_text(c, seen.x + 2, seen.y, STYLE(ROLE_TEXT, 0), strbuf_str(&b));
		canvas_put(c, seen.x + 1, seen.y, STYLE(ROLE_BORDER, 0), ' ');
		canvas_put(c, seen.x + 2 + w, seen.y, STYLE(ROLE_BORDER, 0), ' ');
	}
	strbuf_free(&b);
}

static void draw_box(const struct scene *s, const struct placed *g, const struct fab_box *x, bool facts, struct canvas *c)
{
	struct strbuf b = STRBUF_INIT;
	if (g->d.framed) {
		draw_frame(x, c);
	} else {
		put_title(x, x->cells.x - x->seen.x - 1, &b);
		canvas_text(c, x->seen.x, x->seen.y, STYLE(ROLE_TEXT, 0), strbuf_str(&b));
		strbuf_trim(&b, 0);
	}
	if (x->n)
		canvas_hit(c, x->at, TARGET_DEVICE, x->strip.devices[0]);
	strip_draw(&x->strip, s, c, x->cells.x, x->cells.y);
	if (facts) {
		put_facts(x, x->seen.w - 4, &b);
		canvas_text_in(c, x->seen.x + 2, x->seen.y + x->seen.h - 2, x->seen.w - 4, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	}
	strbuf_free(&b);
}

/* ---- bundles -------------------------------------------------------------------------------------------------- */

static bool in_sight(const struct fab_box *b)
{
	return b->at.y > -10000;
}

static int drop_column(const struct fab_box *lower)
{
	const struct rect *at = lower->seen.w > 2 ? &lower->seen : &lower->at;
	return at->x + (at->w > 8 ? 3 : at->w / 2);
}

/* From the upper box down to the gap, along it when it stands elsewhere, down to the lower one. */
static void draw_lines(const struct fab_box *upper, const struct fab_box *lower, struct style style, struct canvas *c)
{
	const struct rect *at = upper->seen.w > 2 ? &upper->seen : &upper->at;
	int x = drop_column(lower), top = at->y + at->h - 1, end = at->x + at->w;
	int ux = x > at->x && x < end - 1 ? x : x <= at->x ? at->x + 1 : end - 2;
	canvas_vline(c, ux, top, 2, style, LINE_LIGHT);
	if (ux != x)
		canvas_hline(c, ux < x ? ux : x, top + 1, abs(ux - x) + 1, style, LINE_LIGHT);
	canvas_vline(c, x, top + 1, lower->at.y - top, style, LINE_LIGHT);
}

/* "256 ndr · 12.8 TB/s": the count stays whatever the room. */
static void bundle_words(const struct scene *s, const struct fab_bundle *b, const char *before, int room, struct strbuf *out)
{
	const struct link_kind *kind = &s->fabric->kinds.at[b->kind];
	for (int detail = 3; detail >= 0; detail--) {
		strbuf_trim(out, 0);
		strbuf_puts(out, detail >= 2 ? before : "");
		if (b->sum.links == UNKNOWN)
			strbuf_puts(out, "–");
		else
			put_count(out, b->sum.links);
		if (detail >= 1)
			strbuf_printf(out, " %s", fabric_str(s->fabric, kind->name));
		if (detail >= 3 && b->sum.rate != UNKNOWN) {
			strbuf_puts(out, " · ");
			put_rate(out, b->sum.rate);
			strbuf_puts(out, b->sum.assumed ? " assumed" : "");
		}
		strbuf_puts(out, b->sum.inferred ? detail >= 1 ? " (inferred)" : "?" : "");
		if ((int)text_width(strbuf_str(out)) <= room)
			return;
	}
}

/* Words on a line stand free of it. */
static void clear_ends(struct canvas *c, int from, int end, int y)
{
	const struct cell *before = canvas_at(c, from - 1, y), *behind = canvas_at(c, end, y);
	if (end > from && before && before->lines && !(before->lines & LINE_UP_DOWN))
		canvas_put(c, from - 1, y, STYLE(ROLE_TEXT, 0), ' ');
	if (end > from && behind && behind->lines && !(behind->lines & LINE_UP_DOWN))
		canvas_put(c, end, y, STYLE(ROLE_TEXT, 0), ' ');
}

static void draw_words(const struct scene *s, const struct fab_bundle *b, const char *before, struct canvas *c, int x, int y,
		       int room)
{
	struct strbuf text = STRBUF_INIT, marked = STRBUF_INIT;
	struct style tail_style = bundle_style(s, &b->sum);
	uint32_t label = bundle_label(s, &b->sum);
	if (label != NONE) {
		strbuf_puts(&marked, " · ");
		label_words(s, label, &marked);
	}
	if (b->sum.marked_links && b->sum.marked_links != UNKNOWN) {
		strbuf_printf(&marked, " %s", mark_words(s));
		put_count(&marked, b->sum.marked_links);
	}
	int tail = (int)text_width(strbuf_str(&marked)), from = x;
	if (label != NONE && tail > room - 3) { /* its digit or letter, as the legend has it */
		strbuf_trim(&marked, 0);
		strbuf_putc(&marked, ' ');
		utf8_put(&marked, label_glyph(scene_mode(s), label));
		tail = 2;
	}
	bundle_words(s, b, before, room - tail, &text);
	x += canvas_text_in(c, x, y, room, STYLE(b->sum.links ? ROLE_TEXT : ROLE_FAILED, 0), strbuf_str(&text));
	int left = room - (int)text_width(strbuf_str(&text));
	if (tail)
		x += canvas_text_in(c, x, y, left, tail_style, strbuf_str(&marked));
	clear_ends(c, from, x, y);
	strbuf_free(&text);
	strbuf_free(&marked);
}

/* Bundles [i, end) into one box from above: as many lines of words as the gap has, the last for all the rest. */
static void draw_labels(const struct scene *s, const struct fab_plan *p, size_t i, size_t end, struct canvas *c)
{
	const struct fab_box *lower = &p->boxes.at[p->bundles.at[i].lower];
	int x = drop_column(lower) + 2, room = lower->seen.x + lower->seen.w - x + 1, n = 0;
	int gap = p->row[p->row_of[lower->tier]].gap, y = lower->at.y - gap;
	int end_x = c->clip.x + c->clip.w;
	room = lower->seen.w <= 2 ? 0 : x + room > end_x ? end_x - x : room; /* what is cut must say so */
	bool several = false;
	struct fab_bundle rest = {0};
	size_t more = 0, drawn = 0;
	for (size_t k = i; k < end; k++) {
		several = several || p->bundles.at[k].upper != p->bundles.at[i].upper;
		drawn += p->bundles.at[k].drawn;
	}
	struct strbuf text = STRBUF_INIT;
	for (size_t k = i; k < end; k++) {
		const struct fab_bundle *b = &p->bundles.at[k];
		if (!b->drawn)
			continue;
		if (n + 1 < gap || drawn == (size_t)n + 1) {
			char *before = several ? mem_printf("%s: ", p->boxes.at[b->upper].title) : mem_strdup("");
			draw_words(s, b, before, c, x, y + n++, room);
			free(before);
			continue;
		}
		more++;
		rest.sum.links = rest.sum.links == UNKNOWN || b->sum.links == UNKNOWN ? UNKNOWN : rest.sum.links + b->sum.links;
	}
	if (more) {
		put_links(rest.sum.links, &text);
		if ((int)text_width(strbuf_str(&text)) + 20 <= room)
			strbuf_printf(&text, " in %zu %sbundles", more, n ? "more " : "");
		clear_ends(c, x, x + canvas_text_in(c, x, y + n, room, STYLE(ROLE_TEXT, 0), strbuf_str(&text)), y + n);
	}
	strbuf_free(&text);
}

static void draw_bundles(const struct scene *s, const struct fab_plan *p, const struct placed *g, bool words, struct canvas *c)
{
	for (size_t i = 0, end; i < p->bundles.n; i = end) {
		const struct fab_box *lower = &p->boxes.at[p->bundles.at[i].lower];
		bool any = false;
		for (end = i; end < p->bundles.n && p->bundles.at[end].lower == p->bundles.at[i].lower; end++) {
			const struct fab_bundle *b = &p->bundles.at[end];
			if (!b->drawn || !in_sight(lower) || lower->seen.w <= 2 || !in_sight(&p->boxes.at[b->upper]) ||
			    p->row[p->row_of[lower->tier]].gap < 1)
				continue;
			any = true;
			if (!words && g->d.framed)
				draw_lines(&p->boxes.at[b->upper], lower, bundle_style(s, &b->sum), c);
		}
		if (any && words)
			draw_labels(s, p, i, end, c);
	}
}

/* ---- what is not drawn ------------------------------------------------------------------------------------------ */

static void add_links(uint64_t *sum, const struct bundle *b)
{
	*sum = *sum == UNKNOWN || b->links == UNKNOWN ? UNKNOWN : *sum + b->links;
}

/* "not drawn: 72 inside of boxes, 4 past a tier or within one, 12 hidden with 3 devices" */
static void put_rest(const struct fab_plan *p, const struct placed *g, struct strbuf *b)
{
	uint64_t inside = 0, local = 0, elsewhere = 0, between = 0;
	uint64_t left = 0, right = 0;
	for (size_t i = 0; i < p->boxes.n; i++) {
		add_links(&inside, &p->boxes.at[i].within);
		add_links(&inside, &p->boxes.at[i].among);
		add_links(&local, &p->boxes.at[i].local);
		bool out = p->boxes.at[i].seen.w == 0;
		left += out && p->boxes.at[i].at.x < g->in.x;
		right += out && p->boxes.at[i].at.x >= g->in.x;
	}
	for (size_t i = 0; i < p->bundles.n; i++)
		add_links(p->bundles.at[i].drawn ? &between : &elsewhere, &p->bundles.at[i].sum);
	put_piece(b, between, between == 1 ? "link between tiers" : "links between tiers");
	if (inside)
		put_piece(b, inside, "inside of boxes");
	if (elsewhere)
		put_piece(b, elsewhere, "within a tier or past one");
	if (local)
		put_piece(b, local, "local");
	if (p->hidden) {
		put_piece(b, p->hidden_links.links, "hidden with ");
		put_count(b, p->hidden);
		strbuf_puts(b, p->hidden == 1 ? " device" : " devices");
	}
	if (left)
		put_piece(b, left, left == 1 ? "box ◂" : "boxes ◂");
	if (right)
		put_piece(b, right, right == 1 ? "box ▸" : "boxes ▸");
	if (g->above)
		put_piece(b, (uint64_t)g->above, g->above == 1 ? "tier above" : "tiers above");
	if (g->below)
		put_piece(b, (uint64_t)g->below, g->below == 1 ? "tier below" : "tiers below");
}

/* The lines below the last tier in sight; 0 where there are none to spare. */
static int free_lines(const struct fab_plan *p, const struct placed *g)
{
	int end = g->in.y;
	for (uint32_t r = 0; r < p->rows; r++)
		end = p->row[r].y + p->row[r].h > end ? p->row[r].y + p->row[r].h : end;
	return g->in.y + g->in.h - end;
}

/* The whole picture in small, a line for each tier, with what of it is in sight. */
static void draw_map(const struct fab_plan *p, const struct placed *g, struct canvas *c)
{
	enum { MAP_W = 40 };
	int map_w = g->in.w - 2 < MAP_W ? g->in.w - 2 : MAP_W;
	int left = g->in.x + g->in.w - map_w, top = g->in.y + g->in.h - (int)p->rows - 1;
	canvas_text(c, left, top, STYLE(ROLE_DIM, 0), "you are here");
	for (size_t i = 0; i < p->boxes.n; i++) {
		const struct fab_box *b = &p->boxes.at[i];
		int64_t from = b->at.x + g->scroll - g->in.x, end = from + b->at.w;
		int y = top + 1 + (int)p->row_of[b->tier];
		for (int x = (int)(from * map_w / g->w); x < map_w && (int64_t)x * g->w < end * map_w; x++) {
			int at = (int)((int64_t)x * g->w / map_w); /* the column that a cell stands for */
			bool here = in_sight(b) && at + g->w / map_w >= g->scroll && at < g->scroll + g->in.w;
			canvas_put(c, left + x, y, STYLE(here ? ROLE_FOCUS : ROLE_DIM, 0), here ? 0x25a0 : 0x00b7);
		}
	}
}

static void draw_listed(const struct scene *s, const struct fab_plan *p, const struct placed *g, struct canvas *c,
			struct rect area)
{
	int line = 0, y = area.y + area.h - 1 - g->listed;
	size_t more = 0;
	uint64_t links = 0;
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < p->bundles.n; i++) {
		const struct fab_bundle *x = &p->bundles.at[i];
		if (x->drawn)
			continue;
		if (line < g->listed - 1 || (line < g->listed && listed_lines(p) < LISTED_MAX)) {
			char *before = mem_printf("also %s – %s: ", p->boxes.at[x->upper].title, p->boxes.at[x->lower].title);
			draw_words(s, x, before, c, area.x, y + line++, area.w);
			free(before);
			continue;
		}
		more++;
		add_links(&links, &x->sum);
	}
	if (more && g->listed) {
		strbuf_printf(&b, "also %zu more bundles: ", more);
		put_links(links, &b);
		canvas_text_in(c, area.x, y + line, area.w, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	}
	strbuf_trim(&b, 0);
	put_rest(p, g, &b);
	int taken = canvas_text_in(c, area.x, area.y + area.h - 1, area.w, STYLE(ROLE_DIM, 0), strbuf_str(&b)) + 2;
	if (g->w > g->in.w && g->in.w >= 24 && free_lines(p, g) > (int)p->rows + 1)
		draw_map(p, g, c);
	else
		extent_draw(c, area.x + taken, area.y + area.h - 1, area.w - taken, (size_t)g->scroll,
			    (size_t)(g->in.w > 0 ? g->in.w : 0), (size_t)g->w);
	strbuf_free(&b);
}

static void draw_tier_names(const struct fab_plan *p, const struct placed *g, struct canvas *c, struct rect area)
{
	for (uint32_t t = 0; t < p->tiers && g->label; t++)
		if (p->row_of[t] != NONE && p->row[p->row_of[t]].y > -10000)
			canvas_printf(c, area.x, p->row[p->row_of[t]].y + (g->d.framed ? 1 : 0), STYLE(ROLE_DIM, 0), "tier %u", t);
}

void fabric_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	struct fab_plan *p = fab_plan(s);
	struct placed g = place(s, p, area);
	struct rect old = canvas_clip(c, area);
	draw_tier_names(p, &g, c, area);
	struct rect all = canvas_clip(c, area.h > 1 ? g.in : RECT(g.in.x, g.in.y, g.in.w, 1));
	for (size_t i = 0; i < p->boxes.n; i++)
		if (in_sight(&p->boxes.at[i]))
			draw_box(s, &g, &p->boxes.at[i], p->row[p->row_of[p->boxes.at[i].tier]].facts, c);
	draw_bundles(s, p, &g, false, c);
	draw_bundles(s, p, &g, true, c);
	canvas_unclip(c, all);
	if (area.h > 1)
		draw_listed(s, p, &g, c, area);
	canvas_unclip(c, old);
	fab_plan_release(s, p);
}

/* ---- moving, folding ------------------------------------------------------------------------------------------ */

/* Rows out of sight have a place too: their number counts, not their line. */
static void add_nodes(const struct scene *s, const struct fab_plan *p, struct nodes *nodes)
{
	for (size_t i = 0; i < p->boxes.n; i++) {
		const struct fab_box *b = &p->boxes.at[i];
		strip_nodes(&b->strip, s, b->cells.x, (int)p->row_of[b->tier] * 100, nodes);
	}
}

struct target fabric_move(const struct scene *s, struct rect area, enum move m)
{
	struct fab_plan *p = fab_plan(s);
	struct nodes nodes = {0};
	place(s, p, area);
	add_nodes(s, p, &nodes);
	size_t here = SIZE_MAX, box = cursor_box(s, p);
	uint32_t d = cursor_device(s);
	for (size_t i = 0; i < nodes.n; i++) {
		bool same_box = box != SIZE_MAX && p->box_of[nodes.at[i].device] == box;
		if (nodes.at[i].device == d || (same_box && (here == SIZE_MAX || strip_alike(s, nodes.at[i].device, d))))
			here = i;
		if (nodes.at[i].device == d)
			break;
	}
	struct target to = nodes_move(&nodes, here, s->cursor, m);
	vec_free(&nodes);
	fab_plan_release(s, p);
	return to;
}

void fabric_under(const struct scene *s, struct rect area, struct idset *out)
{
	uint32_t d = cursor_device(s);
	if (s->cursor.kind != TARGET_DEVICE)
		return;
	struct fab_plan *p = fab_plan(s);
	place(s, p, area);
	const struct fab_box *b = &p->boxes.at[p->box_of[d]];
	for (size_t i = 0; i < b->n; i++)
		if (p->members[b->first + i] == d) {
			strip_under(&b->strip, s, i, out);
			break;
		}
	fab_plan_release(s, p);
}

uint32_t fabric_opens(const struct scene *s)
{
	uint32_t d = cursor_device(s), module = NONE;
	if (d == NONE || s->cursor.kind != TARGET_DEVICE)
		return NONE;
	struct fab_plan *p = fab_plan(s);
	const struct fab_item *x = &p->items.at[p->boxes.at[p->box_of[d]].item];
	if (x->count)
		for (module = x->first; !module_contains(s->fabric, module, d);)
			module = s->fabric->modules.at[module].end;
	fab_plan_release(s, p);
	return module;
}
