/* matrix: devices against devices. Where not all endpoints fit they are taken together by module. The numbers of the
 * cells above the diagonal, of the diagonal and of the line below add up to all counted links.
 *
 *            0    1    2
 *   0 gpu0   ·    NV1  NV2     NVn n NVLinks, 2h two hops
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "view/view_internal.h"

const char *const matrix_cell_names[CELL_KINDS] = {"links", "hops", "rate"};

enum { CELL_W = 6, HEAD_MIN = 9, HEAD_MAX = 26, NODES_MAX = 256 };

/* A row and column: a device, or all endpoints of a module. */
struct cell_node {
	struct target what;
	uint32_t n; /* endpoints in it */
};

struct matrix {
	VEC(struct cell_node) nodes;
	uint32_t *node_of;      /* device -> node or NONE */
	struct bundle *sum;     /* nodes × nodes, both triangles; the diagonal is inside of a node */
	uint32_t *via;          /* links through common switches, device nodes only */
	uint32_t *hops;         /* NONE: not reached or not known */
	struct bundle elsewhere; /* with an end that is in no node */
	bool letters;           /* all counted links of the nodes are of kinds that nvidia-smi names NVn */
	bool hops_known;
};

const char *matrix_refuses(const struct fabric *f)
{
	return f->device_count ? NULL : "there are no devices in this fabric";
}

bool matrix_suits(const struct fabric *f)
{
	(void)f;
	return false; /* a picture of everything comes first */
}

/* ---- what the rows are ---------------------------------------------------------------------------------------- */

/* The selection where there is one of at least two, else all endpoints. */
static struct idset subjects(const struct scene *s)
{
	const struct fabric *f = s->fabric;
	struct idset set = idset_new(f->device_count);
	bool selected = s->selected && idset_count(s->selected) >= 2;
	uint32_t *tier = device_tiers(s);
	for (uint32_t d = 0; d < f->device_count; d++)
		if (!scene_hides(s, d) && (selected ? idset_has(s->selected, d) : tier[d] == 0))
			idset_add(&set, d);
	device_tiers_release(s, tier);
	return set;
}

static uint32_t count_in(const struct idset *set, uint32_t first, uint32_t end)
{
	uint32_t n = 0;
	for (uint32_t d = idset_next(set, first); d < end; d = idset_next(set, d + 1))
		n++;
	return n;
}

static void push_node(struct matrix *m, const struct fabric *f, const struct idset *set, struct target t)
{
	bool device = t.kind == TARGET_DEVICE;
	const struct module *x = device ? NULL : &f->modules.at[t.id];
	uint32_t n = device ? idset_has(set, t.id) : count_in(set, x->first_device, x->end_device);
	if (n)
		vec_push(&m->nodes, (struct cell_node){t, n});
}

/* Opens all modules among the nodes once; false when nothing could be opened. */
static bool open_once(struct matrix *m, const struct fabric *f, const struct idset *set)
{
	struct matrix next = {0};
	bool opened = false;
	for (size_t i = 0; i < m->nodes.n; i++) {
		struct target t = m->nodes.at[i].what;
		struct member member = {0};
		if (t.kind == TARGET_DEVICE) {
			vec_push(&next.nodes, m->nodes.at[i]);
			continue;
		}
		opened = true;
		while (module_next(f, t.id, &member))
			push_node(&next, f, set, (struct target){member.is_device ? TARGET_DEVICE : TARGET_MODULE, member.id});
	}
	vec_free(&m->nodes);
	m->nodes.at = next.nodes.at;
	m->nodes.n = next.nodes.n;
	m->nodes.cap = next.nodes.cap;
	return opened;
}

static size_t opened_count(const struct matrix *m, const struct fabric *f, const struct idset *set)
{
	struct matrix probe = {0};
	for (size_t i = 0; i < m->nodes.n; i++)
		vec_push(&probe.nodes, m->nodes.at[i]);
	bool opened = open_once(&probe, f, set);
	size_t n = opened ? probe.nodes.n : SIZE_MAX;
	vec_free(&probe.nodes);
	return n;
}

static void choose_nodes(struct matrix *m, const struct scene *s, size_t limit)
{
	const struct fabric *f = s->fabric;
	struct idset set = subjects(s);
	push_node(m, f, &set, (struct target){TARGET_MODULE, 0});
	limit = limit < 2 ? 2 : limit;
	if (s->zoom > 0)
		limit = NODES_MAX;
	while (m->nodes.n && (opened_count(m, f, &set) <= limit || (m->nodes.n == 1 && opened_count(m, f, &set) <= NODES_MAX)))
		open_once(m, f, &set);
	m->node_of = mem_array(f->device_count + 1, sizeof *m->node_of);
	for (uint32_t d = 0; d < f->device_count; d++)
		m->node_of[d] = NONE;
	for (uint32_t i = 0; i < m->nodes.n; i++) {
		struct target t = m->nodes.at[i].what;
		const struct module *x = t.kind == TARGET_MODULE ? &f->modules.at[t.id] : NULL;
		for (uint32_t d = x ? x->first_device : t.id; d < (x ? x->end_device : t.id + 1); d++)
			if (x ? !scene_hides(s, d) : idset_has(&set, d)) /* of modules their switches too */
				m->node_of[d] = i;
	}
	idset_free(&set);
}

/* ---- what the cells say ------------------------------------------------------------------------------------------ */

static bool is_nvlink(const struct fabric *f, uint32_t kind)
{
	return strncasecmp(fabric_str(f, f->kinds.at[kind].name), "nvlink", 6) == 0; /* the word that nvidia-smi shortens */
}

static void add_links(struct matrix *m, const struct scene *s)
{
	const struct fabric *f = s->fabric;
	size_t n = m->nodes.n;
	bool any = false;
	m->letters = true;
	m->sum = mem_array(n * n + 1, sizeof *m->sum);
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint32_t a = m->node_of[f->trunks[t].a], b = m->node_of[f->trunks[t].b];
		if (!trunk_counts(f, t))
			continue;
		if (a == NONE && b == NONE) {
			bundle_add(&m->elsewhere, s, t);
			continue;
		}
		any = true;
		m->letters = m->letters && is_nvlink(f, f->trunks[t].kind);
		if (a == NONE || b == NONE) {
			bundle_add(&m->elsewhere, s, t);
			continue;
		}
		bundle_add(&m->sum[a * n + b], s, t);
		if (a != b)
			bundle_add(&m->sum[b * n + a], s, t);
	}
	m->letters = m->letters && any;
}

/* Links of a pair through a switch that both are joined to: as many as the narrower side has, over all of them. */
static void add_via(struct matrix *m, const struct scene *s)
{
	const struct fabric *f = s->fabric;
	size_t n = m->nodes.n;
	m->via = mem_array(n * n + 1, sizeof *m->via);
	for (size_t i = 0; i < n; i++) {
		uint32_t d = m->nodes.at[i].what.id;
		if (m->nodes.at[i].what.kind != TARGET_DEVICE)
			continue;
		for (uint32_t k = f->incident_at[d]; k < f->incident_at[d + 1]; k++) {
			uint32_t sw = trunk_other(f, f->incident[k], d), mine = trunk_links(f, s->overlay, f->incident[k]);
			if (device_class(f, sw) != CLASS_SWITCH || !trunk_counts(f, f->incident[k]) || mine == NONE)
				continue;
			for (uint32_t j = f->incident_at[sw]; j < f->incident_at[sw + 1]; j++) {
				uint32_t peer = m->node_of[trunk_other(f, f->incident[j], sw)];
				uint32_t theirs = trunk_links(f, s->overlay, f->incident[j]);
				if (peer != NONE && peer != i && trunk_counts(f, f->incident[j]) && theirs != NONE)
					m->via[i * n + peer] += mine < theirs ? mine : theirs;
			}
		}
	}
}

/* Breadth first from all devices of a node. */
static void add_hops_from(struct matrix *m, const struct scene *s, size_t node, uint32_t *far, uint32_t *queue)
{
	const struct fabric *f = s->fabric;
	size_t head = 0, tail = 0, n = m->nodes.n;
	for (uint32_t d = 0; d < f->device_count; d++) {
		far[d] = m->node_of[d] == node && !device_failed(s, d) ? 0 : NONE;
		if (far[d] == 0)
			queue[tail++] = d;
	}
	while (head < tail) {
		uint32_t d = queue[head++];
		if (m->node_of[d] != NONE && far[d] < m->hops[node * n + m->node_of[d]])
			m->hops[node * n + m->node_of[d]] = far[d];
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			uint32_t t = f->incident[i], other = trunk_other(f, t, d);
			if (far[other] != NONE || !trunk_counts(f, t) || trunk_links(f, s->overlay, t) == 0)
				continue;
			far[other] = far[d] + 1;
			queue[tail++] = other;
		}
	}
}

static void add_hops(struct matrix *m, const struct scene *s)
{
	enum { WORK_MAX = 20000000 };
	const struct fabric *f = s->fabric;
	size_t n = m->nodes.n;
	m->hops = mem_array(n * n + 1, sizeof *m->hops);
	for (size_t i = 0; i < n * n; i++)
		m->hops[i] = NONE;
	m->hops_known = (uint64_t)n * (f->trunk_count + f->device_count) <= WORK_MAX;
	if (!m->hops_known)
		return;
	uint32_t *far = mem_array(f->device_count + 1, sizeof *far), *queue = mem_array(f->device_count + 1, sizeof *queue);
	for (size_t i = 0; i < n; i++)
		add_hops_from(m, s, i, far, queue);
	free(far);
	free(queue);
}

/* ---- plan ------------------------------------------------------------------------------------------------------------ */

static void matrix_free(void *what)
{
	struct matrix *m = what;
	vec_free(&m->nodes);
	free(m->node_of);
	free(m->sum);
	free(m->via);
	free(m->hops);
	free(m);
}

static size_t limit_of(struct rect area)
{
	int rows = area.h - 2, cols = (area.w - HEAD_MIN) / CELL_W;
	int least = rows < cols ? rows : cols;
	return least < 2 ? 2 : (size_t)least;
}

static struct matrix *matrix_of(const struct scene *s, struct rect area)
{
	uint64_t key = s->memo ? scene_fingerprint(s) : 0;
	key = fingerprint_set(fingerprint_more(key, limit_of(area)), s->selected);
	struct matrix *m = memo_get(s, MEMO_MATRIX, key);
	if (m)
		return m;
	m = mem_alloc(sizeof *m);
	choose_nodes(m, s, limit_of(area));
	add_links(m, s);
	add_via(m, s);
	add_hops(m, s);
	memo_put(s, MEMO_MATRIX, key, m, matrix_free);
	return m;
}

static void matrix_release(const struct scene *s, struct matrix *m)
{
	if (!s->memo)
		matrix_free(m);
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

/* "1.8T": three figures and a prefix, of bytes. */
static void put_brief_rate(struct strbuf *b, uint64_t bits)
{
	static const char prefixes[] = " KMGTPE";
	double x = (double)bits / 8;
	size_t p = 0;
	for (; x >= 999.5 && prefixes[p + 1]; p++)
		x /= 1000;
	strbuf_printf(b, x < 9.995 && x != (double)(int)x ? "%.1f" : "%.0f", x);
	if (p)
		strbuf_putc(b, prefixes[p]);
}

/* The number behind the shade of a cell, and what it says. */
static uint64_t cell_value(const struct scene *s, const struct matrix *m, size_t i, size_t j, struct strbuf *b)
{
	size_t at = i * m->nodes.n + j;
	const struct bundle *sum = &m->sum[at];
	uint64_t links = sum->links;
	bool direct = sum->trunks && links;
	strbuf_trim(b, 0);
	if (s->cells == CELL_HOPS) {
		if (m->hops[at] != NONE)
			strbuf_printf(b, "%u", m->hops[at]);
		else
			strbuf_puts(b, m->hops_known ? "∞" : "–");
		return m->hops[at] == NONE ? 0 : m->hops[at];
	}
	if (direct && s->cells == CELL_RATE) {
		if (sum->rate == UNKNOWN)
			strbuf_puts(b, "–");
		else
			put_brief_rate(b, sum->rate);
		return sum->rate == UNKNOWN ? 0 : sum->rate;
	}
	if (direct || (m->via[at] && s->cells == CELL_LINKS)) {
		links = direct ? links : m->via[at];
		if (links == UNKNOWN)
			strbuf_puts(b, "–");
		else
			strbuf_printf(b, "%s%llu", m->letters ? "NV" : direct ? "" : "v", (unsigned long long)links);
		return links == UNKNOWN ? 0 : links;
	}
	if (i != j && m->hops[at] != NONE)
		strbuf_printf(b, "%uh", m->hops[at]);
	else
		strbuf_puts(b, i == j || !m->hops_known ? "·" : "");
	return 0;
}

static uint64_t most_of(const struct scene *s, const struct matrix *m)
{
	struct strbuf b = STRBUF_INIT;
	uint64_t most = 0;
	for (size_t i = 0; i < m->nodes.n; i++)
		for (size_t j = 0; j < m->nodes.n; j++) {
			uint64_t v = i == j ? 0 : cell_value(s, m, i, j, &b);
			most = v > most ? v : most;
		}
	strbuf_free(&b);
	return most;
}

static void draw_cell(const struct scene *s, const struct matrix *m, size_t i, size_t j, uint64_t most, bool here,
		      struct canvas *c, int x, int y)
{
	static const struct {
		uint32_t shade;
		uint8_t role;
	} heat[] = {{' ', ROLE_DIM}, {0x2591, ROLE_CPU}, {0x2592, ROLE_GPU}, {0x2593, ROLE_SWITCH}, {0x2588, ROLE_CUT}};
	struct strbuf b = STRBUF_INIT;
	uint64_t value = cell_value(s, m, i, j, &b);
	size_t warm = i == j || !most || !value ? 0 : 1 + (size_t)((double)value / (double)most * 3.999);
	struct style style = {i == j ? ROLE_DIM : heat[warm > 4 ? 4 : warm].role, here ? ATTR_REVERSE : 0};
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

static void node_path(const struct fabric *f, const struct cell_node *x, size_t i, struct strbuf *b)
{
	strbuf_trim(b, 0);
	strbuf_printf(b, "%zu ", i);
	if (x->what.kind == TARGET_DEVICE)
		device_path(f, x->what.id, b);
	else
		module_path(f, x->what.id, b);
	if (x->what.kind == TARGET_MODULE)
		strbuf_printf(b, " ×%u", x->n);
}

static int head_width(const struct fabric *f, const struct matrix *m, int cols)
{
	struct strbuf b = STRBUF_INIT;
	int w = HEAD_MIN;
	for (size_t i = 0; i < m->nodes.n; i++) {
		node_path(f, &m->nodes.at[i], i, &b);
		w = (int)text_width(strbuf_str(&b)) + 1 > w ? (int)text_width(strbuf_str(&b)) + 1 : w;
	}
	strbuf_free(&b);
	int room = cols - (int)m->nodes.n * CELL_W; /* cells come first */
	w = w > HEAD_MAX ? HEAD_MAX : w;
	return w <= room ? w : room > HEAD_MIN ? room : HEAD_MIN;
}

/* The first of n things in sight when `shown` fit and `here` must be among them. */
static size_t first_shown(size_t here, size_t n, int shown)
{
	size_t most = shown > 0 ? (size_t)shown : 1;
	if (here == SIZE_MAX || n <= most || here < most / 2)
		return 0;
	return here - most / 2 > n - most ? n - most : here - most / 2;
}

/* What the cells do not say: "links · 24 in cells, 0 inside of rows, 48 elsewhere". */
static void put_sums(const struct scene *s, const struct matrix *m, size_t unseen, struct strbuf *b)
{
	uint64_t cells = 0, inside = 0;
	size_t n = m->nodes.n;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			uint64_t *to = i == j ? &inside : &cells, links = m->sum[i * n + j].links;
			*to = *to == UNKNOWN || links == UNKNOWN ? UNKNOWN : *to + links;
		}
	strbuf_printf(b, "%s · ", matrix_cell_names[s->cells]);
	put_links(cells, b);
	strbuf_puts(b, " between rows");
	if (inside) {
		strbuf_puts(b, ", ");
		put_links(inside, b);
		strbuf_puts(b, " inside of rows");
	}
	if (m->elsewhere.trunks) {
		strbuf_puts(b, ", ");
		put_links(m->elsewhere.links, b);
		strbuf_puts(b, " at others");
	}
	if (s->cells == CELL_LINKS)
		strbuf_puts(b, m->letters ? " · NVn n links, 2h two hops" : " · vn n through a switch, 2h two hops");
	if (unseen)
		strbuf_printf(b, " · %zu rows out of sight", unseen);
	strbuf_puts(b, " · w next");
}

void matrix_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	struct matrix *m = matrix_of(s, area);
	struct strbuf b = STRBUF_INIT;
	struct rect old = canvas_clip(c, area);
	int head = head_width(s->fabric, m, area.w), rows = area.h - 2, cols = (area.w - head) / CELL_W;
	size_t here = cursor_node(s, m), n = m->nodes.n, top = first_shown(here, n, rows), left = first_shown(here, n, cols);
	uint64_t most = most_of(s, m);
	size_t shown = 0;
	for (size_t j = left; j < n && (int)(j - left) < cols; j++)
		canvas_printf(c, area.x + head + (int)(j - left) * CELL_W + 1, area.y, STYLE(j == here ? ROLE_STRONG : ROLE_DIM, 0),
			      "%zu", j);
	for (size_t i = top; i < n && (int)(i - top) < rows; i++, shown++) {
		int y = area.y + 1 + (int)(i - top);
		struct target t = m->nodes.at[i].what;
		node_path(s->fabric, &m->nodes.at[i], i, &b);
		struct style style = t.kind == TARGET_DEVICE ? device_style(s, t.id) : STYLE(ROLE_TEXT, 0);
		style.attr |= i == here ? ATTR_REVERSE : 0;
		canvas_text_in(c, area.x, y, head - 1, style, strbuf_str(&b));
		for (size_t j = left; j < n && (int)(j - left) < cols; j++)
			draw_cell(s, m, i, j, most, i == here && j == here, c, area.x + head + (int)(j - left) * CELL_W, y);
		canvas_hit(c, RECT(area.x, y, area.w, 1), (uint8_t)t.kind, t.id);
	}
	strbuf_trim(&b, 0);
	put_sums(s, m, n - shown, &b);
	if (area.h > 1)
		canvas_text_in(c, area.x, area.y + area.h - 1, area.w, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	canvas_unclip(c, old);
	strbuf_free(&b);
	matrix_release(s, m);
}

void matrix_measure(const struct scene *s, int *cols, int *rows)
{
	struct matrix *m = matrix_of(s, RECT(0, 0, 160, 40));
	*cols = HEAD_MAX + (int)m->nodes.n * CELL_W;
	*cols = *cols < 60 ? 60 : *cols;
	*rows = (int)m->nodes.n + 2;
	matrix_release(s, m);
}

struct target matrix_move(const struct scene *s, struct rect area, enum move m)
{
	struct matrix *x = matrix_of(s, area);
	struct target to = s->cursor;
	if (x->nodes.n)
		to = x->nodes.at[row_after(cursor_node(s, x), x->nodes.n, area.h - 2, m)].what;
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
