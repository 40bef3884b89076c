/* matrix: devices against devices. Where not all endpoints fit they are taken together by module. The numbers of the
 * cells above the diagonal, of the diagonal and of the line below add up to all counted links. matrix_plan.c finds what
 * there is to show.
 *
 *            0    1    2
 *   0 gpu0   ·    NV1  NV2     NVn n links of a kind called nvlink…, 2h two hops
 */
#include <stdlib.h>
#include <string.h>

#include "view/matrix_internal.h"

const char *const matrix_cell_names[CELL_KINDS] = {"links", "hops", "rate", "flow"};

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

/* "1.8T": three figures and a prefix, of bytes. */
static void put_brief_rate(struct strbuf *b, uint64_t bits)
{
	static const char prefixes[] = " KMGTPE";
	double x = (double)bits / 8;
	size_t p = 0;
	for (; x >= 999.5 && prefixes[p + 1]; p++)
		x /= 1000;
	strbuf_printf(b, x < 99.95 && x != (double)(int)x ? "%.1f" : "%.0f", x);
	if (p)
		strbuf_putc(b, prefixes[p]);
}

/* As short as it takes: letters before links between accelerators, PIX to SYS between devices of one machine. */
static void put_links_cell(const struct scene *s, const struct matrix *m, size_t i, size_t j, uint64_t links, bool direct,
			   struct strbuf *b)
{
	char letters[3];
	matrix_letters(s, m, i, j, letters);
	strbuf_printf(b, "%s%llu", *letters ? letters : direct ? "" : "v", (unsigned long long)links);
	if (b->n < CELL_W)
		return;
	strbuf_trim(b, 0);
	if (links < 100000)
		strbuf_printf(b, "%llu", (unsigned long long)links);
	else
		strbuf_printf(b, "%.0f%s", (double)links / (links < 10000000 ? 1e3 : 1e6), links < 10000000 ? "k" : "M");
}

static void put_relation(const struct scene *s, const struct matrix *m, size_t at, struct strbuf *b)
{
	static const char *const words[] = {"", "PIX", "PXB", "PHB", "NODE", "SYS"};
	if (m->relation[at] != RELATION_WORD) {
		strbuf_puts(b, words[m->relation[at]]);
		return;
	}
	const char *name = fabric_str(s->fabric, s->fabric->kinds.at[m->word[at]].name);
	for (; *name; name++)
		strbuf_putc(b, *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name);
}

/* What a cell of rates or flows says. */
static uint64_t put_rate_cell(uint64_t rate, bool in_links, struct strbuf *b)
{
	if (rate == UNKNOWN) {
		strbuf_puts(b, "–");
		return 0;
	}
	if (in_links)
		strbuf_printf(b, "%llu", (unsigned long long)rate);
	else
		put_brief_rate(b, rate);
	return rate;
}

/* The number behind the shade of a cell, and what it says. */
static uint64_t cell_value(const struct scene *s, const struct matrix *m, size_t i, size_t j, struct strbuf *b)
{
	size_t at = i * m->nodes.n + j;
	const struct bundle *sum = &m->sum[at];
	bool direct = sum->trunks && sum->links, linked = direct || (m->via[at] && s->cells == CELL_LINKS);
	uint32_t kind = m->kind[at]; /* how a NIC hangs at its accelerator is a relation */
	if (s->cells == CELL_LINKS && m->relation[at] && kind < s->fabric->kinds.n && s->fabric->kinds.at[kind].use == USE_ATTACH)
		linked = false;
	strbuf_trim(b, 0);
	if (s->cells == CELL_FLOW && i == j) {
		strbuf_puts(b, "·");
		return 0;
	}
	if (s->cells == CELL_FLOW)
		return put_rate_cell(m->flow ? m->flow[at] : UNKNOWN, m->flow_in_links, b);
	if (s->cells == CELL_HOPS) {
		if (m->hops[at] != NONE)
			strbuf_printf(b, "%u", m->hops[at]);
		else
			strbuf_puts(b, m->hops_known ? "∞" : "–");
		return m->hops[at] == NONE ? 0 : m->hops[at];
	}
	if (direct && s->cells == CELL_RATE)
		return put_rate_cell(sum->rate, false, b);
	uint64_t links = direct ? sum->links : m->via[at];
	if (linked && links == UNKNOWN)
		strbuf_puts(b, "–");
	else if (linked)
		put_links_cell(s, m, i, j, links, direct, b);
	else if (i != j && s->cells == CELL_LINKS && m->relation[at])
		put_relation(s, m, at, b);
	else if (i != j && m->hops[at] != NONE)
		strbuf_printf(b, "%uh", m->hops[at]);
	else
		strbuf_puts(b, i == j || !m->hops_known ? "·" : "");
	return linked && links != UNKNOWN ? links : 0;
}

/* What heat is measured by. Where all numbers are equal no cell is warmer than another. */
struct heat {
	uint64_t most;
	bool even;
};

static struct heat heat_of(const struct scene *s, const struct matrix *m)
{
	struct strbuf b = STRBUF_INIT;
	uint64_t most = 0, least = UNKNOWN;
	for (size_t i = 0; i < m->nodes.n; i++)
		for (size_t j = 0; j < m->nodes.n; j++) {
			uint64_t v = i == j ? 0 : cell_value(s, m, i, j, &b);
			most = v > most ? v : most;
			least = v && v < least ? v : least;
		}
	strbuf_free(&b);
	return (struct heat){most, least >= most};
}

static void draw_cell(const struct scene *s, const struct matrix *m, size_t i, size_t j, struct heat h, bool here,
		      struct canvas *c, int x, int y)
{
	static const struct {
		uint32_t shade;
		uint8_t role;
	} heat[] = {{' ', ROLE_DIM}, {0x2591, ROLE_OTHER}, {0x2592, ROLE_CPU}, {0x2593, ROLE_SIDE_A}, {0x2588, ROLE_STRONG}};
	struct strbuf b = STRBUF_INIT;
	uint64_t value = cell_value(s, m, i, j, &b);
	size_t warm = i == j || h.even || !value ? 0 : 1 + (size_t)((double)value / (double)h.most * 3.999);
	bool plain = i != j && h.even && value;
	struct style style = {i == j ? ROLE_DIM : plain ? ROLE_STRONG : heat[warm > 4 ? 4 : warm].role, here ? ATTR_REVERSE : 0};
	canvas_put(c, x, y, style, heat[warm > 4 ? 4 : warm].shade);
	canvas_text_in(c, x + 1, y, CELL_W - 1, style, strbuf_str(&b));
	strbuf_free(&b);
}

static size_t cursor_node(const struct scene *s, const struct matrix *m)
{
	uint32_t d = cursor_device(s);
	for (size_t i = 0; i < m->nodes.n; i++)
		if (m->nodes.at[i].what.kind == s->cursor.kind && m->nodes.at[i].what.id == s->cursor.id)
			return i;
	for (size_t i = 0; i < m->nodes.n && d != NONE; i++) {
		struct target t = m->nodes.at[i].what;
		if (t.kind == TARGET_MODULE ? module_contains(s->fabric, t.id, d) : t.id == d)
			return i;
	}
	return SIZE_MAX;
}

static void node_path(const struct fabric *f, const struct cell_node *x, struct strbuf *b)
{
	strbuf_trim(b, 0);
	if (x->what.kind == TARGET_DEVICE)
		device_path(f, x->what.id, b);
	else
		module_path(f, x->what.id, b);
	if (x->what.kind == TARGET_MODULE)
		strbuf_printf(b, " ×%u", x->n);
}

/* Number, glyph of a device, name. Names lose their beginning first: what tells them apart stands at the end. */
static void draw_head(const struct scene *s, const struct cell_node *x, size_t i, bool here, struct canvas *c, struct rect r)
{
	struct strbuf b = STRBUF_INIT;
	bool device = x->what.kind == TARGET_DEVICE;
	struct style style = device ? device_style(s, x->what.id) : STYLE(ROLE_TEXT, 0);
	style.attr |= here ? ATTR_REVERSE : 0;
	strbuf_printf(&b, "%zu ", i);
	if (device) {
		utf8_put(&b, device_glyph(s, x->what.id));
		strbuf_putc(&b, ' ');
	}
	int lead = canvas_text_in(c, r.x, r.y, r.w, style, strbuf_str(&b)), room = r.w - lead;
	node_path(s->fabric, x, &b);
	const char *name = strbuf_str(&b);
	int all = (int)text_width(name);
	if (all > room && room > 1) {
		name += text_fit(name, (unsigned)(all - room + 1));
		while (((unsigned char)*name & 0xc0) == 0x80)
			name++;
		canvas_put(c, r.x + lead, r.y, style, 0x2026);
		canvas_text_in(c, r.x + lead + 1, r.y, room - 1, style, name);
	} else {
		canvas_text_in(c, r.x + lead, r.y, room, style, name);
	}
	strbuf_free(&b);
}

static int head_width(const struct fabric *f, const struct matrix *m, int cols)
{
	struct strbuf b = STRBUF_INIT;
	int w = HEAD_MIN;
	for (size_t i = 0; i < m->nodes.n; i++) {
		node_path(f, &m->nodes.at[i], &b);
		strbuf_printf(&b, "%zu  %s", i, m->nodes.at[i].what.kind == TARGET_DEVICE ? "  " : "");
		w = (int)text_width(strbuf_str(&b)) > w ? (int)text_width(strbuf_str(&b)) : w;
	}
	strbuf_free(&b);
	int room = cols - (int)m->nodes.n * CELL_W; /* cells come first */
	w = w > HEAD_MAX ? HEAD_MAX : w;
	return w <= room || room < HEAD_MIN ? w < cols / 3 || w <= room ? w : HEAD_MIN : room;
}

/* The first of n things in sight when `shown` fit and `here` must be among them. */
static size_t first_shown(size_t here, size_t n, int shown)
{
	size_t most = shown > 0 ? (size_t)shown : 1;
	if (here == SIZE_MAX || n <= most || here < most / 2)
		return 0;
	return here - most / 2 > n - most ? n - most : here - most / 2;
}

/* What the cells do not say: "24 links between rows, 0 inside, 48 elsewhere". */
static void put_sums(const struct scene *s, const struct matrix *m, size_t rows, size_t cols, struct strbuf *b)
{
	uint64_t cells = 0, inside = 0;
	size_t n = m->nodes.n;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			uint64_t *to = i == j ? &inside : &cells, links = m->sum[i * n + j].links;
			*to = *to == UNKNOWN || links == UNKNOWN ? UNKNOWN : *to + links;
		}
	const struct {
		uint64_t links;
		const char *where;
		bool said;
	} rest[] = {{inside, " inside", inside != 0}, {m->elsewhere.links, " elsewhere", m->elsewhere.trunks != 0}};
	if (s->cells != CELL_LINKS)
		strbuf_printf(b, "%s · ", matrix_cell_names[s->cells]);
	put_links(cells, b);
	strbuf_puts(b, " between rows");
	for (size_t i = 0; i < ARRAY_LEN(rest); i++) {
		if (!rest[i].said)
			continue;
		strbuf_puts(b, ", ");
		if (rest[i].links == UNKNOWN)
			strbuf_puts(b, "–");
		else
			put_count(b, rest[i].links);
		strbuf_puts(b, rest[i].where);
	}
	if (rows < n)
		strbuf_printf(b, " · %zu %s", n - rows, plural(n - rows, "row", "rows"));
	if (cols < n)
		strbuf_printf(b, "%s%zu %s", rows < n ? ", " : " · ", n - cols, plural(n - cols, "column", "columns"));
	strbuf_puts(b, rows < n || cols < n ? " out of sight" : "");
	if (m->nics)
		strbuf_printf(b, " · %u nic without a row", m->nics);
}

/* Letters of kinds in sight: "NVn n nvlink5", each once; whether a "vn" is in sight. */
static void put_letters(const struct scene *s, const struct matrix *m, struct strbuf *b)
{
	const struct fabric *f = s->fabric;
	struct idset said = idset_new((uint32_t)f->kinds.n + 1);
	size_t n = m->nodes.n;
	bool through = false, hops = false;
	char letters[3];
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			size_t at = i * n + j;
			bool linked = m->via[at] || (m->sum[at].trunks && m->sum[at].links);
			hops = hops || (i != j && !linked && !m->relation[at] && m->hops[at] != NONE);
			if (i == j || !linked)
				continue;
			matrix_letters(s, m, i, j, letters);
			through = through || (!*letters && !m->sum[at].trunks);
			if (!*letters || idset_has(&said, m->kind[at]))
				continue;
			idset_add(&said, m->kind[at]);
			strbuf_printf(b, "%s%sn n links of %s", b->n ? " · " : "", letters, fabric_str(f, f->kinds.at[m->kind[at]].name));
		}
	const char *const words[] = {through ? "vn n through a switch" : NULL, m->related ? "PIX…SYS over PCIe" : NULL,
				     hops ? "2h two hops" : NULL};
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (words[i])
			strbuf_printf(b, "%s%s", b->n ? " · " : "", words[i]);
	idset_free(&said);
}

/* "░ ≤1 ▒ ≤2 ▓ ≤3 █ 4 links · NVn n links of nvlink2 · w next" */
static void put_scale(const struct scene *s, const struct matrix *m, struct heat h, struct strbuf *b)
{
	uint64_t most = h.most;
	static const char *const shades[] = {"░", "▒", "▓", "█"};
	bool rate = s->cells == CELL_RATE || (s->cells == CELL_FLOW && !m->flow_in_links);
	if (h.even && most)
		strbuf_puts(b, "all ");
	if (h.even && most && rate)
		put_brief_rate(b, most);
	else if (h.even && most)
		put_count(b, most);
	for (unsigned k = 1; k <= 4 && most && !h.even; k++) {
		uint64_t top = k == 4 ? most : (uint64_t)((double)most * k / 3.999);
		if (!rate && k < 4 && top == (uint64_t)((double)most * (k - 1) / 3.999))
			continue; /* no number has this shade */
		strbuf_printf(b, "%s%s%s", b->n ? " " : "", shades[k - 1], k < 4 ? "<" : "");
		if (!rate)
			strbuf_printf(b, "%llu", (unsigned long long)(k < 4 ? top + 1 : top));
		else
			put_brief_rate(b, top);
	}
	if (most)
		strbuf_puts(b, rate ? "B/s one direction" : s->cells == CELL_HOPS ? (h.even && most == 1 ? " hop" : " hops")
									  : (h.even && most == 1 ? " link" : " links"));
	if (s->cells == CELL_FLOW && !m->flow_known)
		strbuf_puts(b, m->flow ? "no rates to flow" : "too large for all pairs at once: a and m ask for one");
	if (s->cells == CELL_LINKS)
		put_letters(s, m, b);
	strbuf_printf(b, "%sw next", b->n ? " · " : "");
}

static void draw_foot(const struct scene *s, const struct matrix *m, struct heat heat, size_t top, size_t rows, size_t cols,
		      struct canvas *c, struct rect area)
{
	struct strbuf sums = STRBUF_INIT, scale = STRBUF_INIT;
	int lines = matrix_foot(area), y = area.y + area.h - lines;
	put_sums(s, m, rows, cols, &sums);
	put_scale(s, m, heat, &scale);
	if (lines == 1)
		strbuf_printf(&sums, " · %s", strbuf_str(&scale));
	int taken = lines > 0 ? canvas_text_in(c, area.x, y, area.w, STYLE(ROLE_DIM, 0), strbuf_str(&sums)) + 2 : 0;
	if (lines > 1 && rows < m->nodes.n)
		extent_draw(c, area.x + taken, y, area.w - taken, top, rows, m->nodes.n);
	if (lines > 1)
		canvas_text_in(c, area.x, y + 1, area.w, STYLE(ROLE_DIM, 0), strbuf_str(&scale));
	strbuf_free(&sums);
	strbuf_free(&scale);
}

void matrix_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	struct matrix *m = matrix_of(s, area);
	struct rect old = canvas_clip(c, area);
	int head = head_width(s->fabric, m, area.w), rows = area.h - 1 - matrix_foot(area), cols = (area.w - head) / CELL_W;
	size_t here = cursor_node(s, m), n = m->nodes.n, top = first_shown(here, n, rows), left = first_shown(here, n, cols);
	struct heat heat = heat_of(s, m);
	size_t shown = 0, across = 0;
	for (size_t j = left; j < n && (int)(j - left) < cols; j++, across++)
		canvas_printf(c, area.x + head + (int)(j - left) * CELL_W + 1, area.y, STYLE(j == here ? ROLE_STRONG : ROLE_DIM, 0),
			      "%zu", j);
	for (size_t i = top; i < n && (int)(i - top) < rows; i++, shown++) {
		int y = area.y + 1 + (int)(i - top);
		struct target t = m->nodes.at[i].what;
		draw_head(s, &m->nodes.at[i], i, i == here, c, RECT(area.x, y, head - 1, 1));
		for (size_t j = left; j < n && (int)(j - left) < cols; j++)
			draw_cell(s, m, i, j, heat, i == here && j == here, c, area.x + head + (int)(j - left) * CELL_W, y);
		canvas_hit(c, RECT(area.x, y, area.w, 1), (uint8_t)t.kind, t.id);
	}
	draw_foot(s, m, heat, top, shown, across, c, area);
	canvas_unclip(c, old);
	matrix_release(s, m);
}

void matrix_measure(const struct scene *s, int *cols, int *rows)
{
	struct matrix *m = matrix_of(s, RECT(0, 0, 160, 40));
	*cols = HEAD_MAX + (int)m->nodes.n * CELL_W;
	*cols = *cols < 60 ? 60 : *cols;
	*rows = (int)m->nodes.n + 3;
	matrix_release(s, m);
}

struct target matrix_move(const struct scene *s, struct rect area, enum move m)
{
	struct matrix *x = matrix_of(s, area);
	struct target to = s->cursor;
	if (x->nodes.n)
		to = x->nodes.at[row_after(cursor_node(s, x), x->nodes.n, area.h - 1 - matrix_foot(area), m)].what;
	matrix_release(s, x);
	return to;
}

void matrix_under(const struct scene *s, struct rect area, struct idset *out)
{
	struct matrix *m = matrix_of(s, area);
	size_t here = cursor_node(s, m);
	for (uint32_t d = 0; d < s->fabric->device_count && here != SIZE_MAX; d++)
		if (m->node_of[d] == here)
			idset_add(out, d);
	matrix_release(s, m);
}
