/* mesh: switches that are linked on their own tier (dragonflies, random graphs), below the tiers as a circle of the
 * modules that hold them, with the links between each two of them in one line.
 */
#include <math.h>
#include <stdlib.h>

#include "view/graph_internal.h"

enum { MESH_MAX = 32, MESH_ROWS = 9, MESH_COLS = 40 };

/* Some switches of one tier are linked to each other. */
static bool is_meshed(const struct scene *s, const uint32_t *tier)
{
	const struct fabric *f = s->fabric;
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if (trunk_counts(f, t) && tier[f->trunks[t].a] == tier[f->trunks[t].b] &&
		    device_class(f, f->trunks[t].a) == CLASS_SWITCH)
			return true;
	return false;
}

/* The modules side by side in the innermost one that holds all else; false when some device stands beside them. */
static bool find_modules(const struct fabric *f, struct mesh *m)
{
	uint32_t root = 0;
	for (;;) {
		struct member x = {0};
		m->modules.n = 0;
		while (module_next(f, root, &x)) {
			if (x.is_device)
				return false;
			if (f->modules.at[x.id].first_device < f->modules.at[x.id].end_device)
				vec_push(&m->modules, x.id);
		}
		if (m->modules.n != 1)
			break;
		root = m->modules.at[0];
	}
	return m->modules.n >= 3 && m->modules.n <= MESH_MAX;
}

void mesh_find(const struct scene *s, const uint32_t *tier, struct mesh *m)
{
	const struct fabric *f = s->fabric;
	if (!is_meshed(s, tier) || !find_modules(f, m)) {
		m->modules.n = 0;
		return;
	}
	size_t n = m->modules.n;
	uint32_t *node = mem_array(f->device_count + 1, sizeof *node);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t d = f->modules.at[m->modules.at[i]].first_device; d < f->modules.at[m->modules.at[i]].end_device; d++)
			node[d] = i;
	m->sum = mem_array(n * n, sizeof *m->sum);
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint32_t a = node[f->trunks[t].a], b = node[f->trunks[t].b];
		if (trunk_counts(f, t))
			bundle_add(&m->sum[a < b ? a * n + b : b * n + a], s, t);
	}
	free(node);
}

void mesh_free(struct mesh *m)
{
	vec_free(&m->modules);
	free(m->sum);
}

int mesh_rows(const struct mesh *m, struct rect area)
{
	int rows = (int)m->modules.n + 4;
	rows = rows < MESH_ROWS ? MESH_ROWS : rows;
	if (!m->modules.n || area.w < MESH_COLS || area.h < MESH_ROWS + 8)
		return 0;
	int most = area.h - 8;
	return area.h / 2 > rows ? area.h / 2 : rows < most ? rows : most;
}

static void place(const struct mesh *m, struct rect area, size_t i, int *x, int *y)
{
	int h = area.h - 1, w = area.w < h * 5 ? area.w : h * 5;
	double turn = 2 * acos(-1) * (double)i / (double)m->modules.n - acos(0);
	double rx = (w - 12) / 2.0, ry = (h - 1) / 2.0;
	*x = area.x + area.w / 2 + (int)lround(rx * cos(turn));
	*y = area.y + (int)lround(ry + ry * sin(turn));
}

/* The module of the cursor, else the first. */
static size_t own_module(const struct scene *s, const struct mesh *m)
{
	const struct fabric *f = s->fabric;
	uint32_t d = cursor_device(s);
	for (size_t i = 0; i < m->modules.n && d != NONE; i++)
		if (module_contains(f, m->modules.at[i], d))
			return i;
	return 0;
}

/* Where all lines together could not be told apart, only those of one module are drawn. */
static bool is_dense(const struct mesh *m, struct rect area)
{
	size_t n = m->modules.n, lines = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			lines += m->sum[i * n + j].trunks > 0;
	return lines > (size_t)area.h * 2;
}

static void draw_line(const struct scene *s, const struct mesh *m, struct rect area, size_t i, size_t j, struct canvas *c)
{
	const struct bundle *b = &m->sum[i * m->modules.n + j];
	bool marked = b->marked_links && b->marked_links != UNKNOWN;
	int x0, y0, x1, y1;
	if (!b->trunks)
		return;
	place(m, area, i, &x0, &y0);
	place(m, area, j, &x1, &y1);
	struct style style = b->links == 0 ? STYLE(ROLE_FAILED, 0) : marked ? mark_style(s) : STYLE(ROLE_LINK, 0);
	if (b->links != 0)
		canvas_dots(c, x0 * 2 + 1, y0 * 4 + 2, x1 * 2 + 1, y1 * 4 + 2, style);
	char text[24] = "";
	if (b->links != UNKNOWN && (b->links > 1 || marked))
		snprintf(text, sizeof text, "%s%llu", marked ? "╎" : "×", (unsigned long long)b->links);
	if (*text && area.h >= 16)
		line_put_count(c, x0, y0, x1, y1, style, text);
}

/* "9 modules: 36 links between, 126 inside · ×1 each two · lines of group0 only" */
static void draw_words(const struct scene *s, const struct mesh *m, struct canvas *c, struct rect area)
{
	uint64_t between = 0, inside = 0, least = UNKNOWN, most = 0;
	size_t n = m->modules.n;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			uint64_t *to = i == j ? &inside : &between, links = m->sum[i * n + j].links;
			*to = *to == UNKNOWN || links == UNKNOWN ? UNKNOWN : *to + links;
			if (i == j)
				continue;
			least = links < least ? links : least;
			most = links > most ? links : most;
		}
	struct strbuf b = STRBUF_INIT;
	strbuf_printf(&b, "%zu modules: ", n);
	put_links(between, &b);
	strbuf_puts(&b, " between, ");
	if (inside == UNKNOWN)
		strbuf_puts(&b, "–");
	else
		put_count(&b, inside);
	strbuf_puts(&b, " inside");
	if (between != UNKNOWN && least == most)
		strbuf_printf(&b, " · ×%llu each two", (unsigned long long)most);
	if (is_dense(m, area))
		strbuf_printf(&b, " · lines of %s only", fabric_str(s->fabric, s->fabric->modules.at[m->modules.at[own_module(s, m)]].name));
	canvas_text_in(c, area.x, area.y + area.h - 1, area.w, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	strbuf_free(&b);
}

void mesh_draw(const struct scene *s, const struct mesh *m, struct canvas *c, struct rect area)
{
	const struct fabric *f = s->fabric;
	struct rect old = canvas_clip(c, area);
	size_t own = own_module(s, m);
	bool dense = is_dense(m, area);
	for (int last = 0; last <= 1; last++) /* its own over all others */
		for (size_t i = 0; i < m->modules.n; i++)
			for (size_t j = i + 1; j < m->modules.n; j++)
				if ((i == own || j == own) == (last == 1) && (last || !dense))
					draw_line(s, m, area, i, j, c);
	for (size_t i = 0; i < m->modules.n; i++) {
		const char *name = fabric_str(f, f->modules.at[m->modules.at[i]].name);
		int x, y, w = (int)text_width(name);
		place(m, area, i, &x, &y);
		w = w > 12 ? 12 : w;
		x = x - w / 2 < area.x + 1 ? area.x + 1 : x - w / 2 + w > area.x + area.w - 1 ? area.x + area.w - 1 - w : x - w / 2;
		bool here = i == own && (dense || s->cursor.kind == TARGET_DEVICE || cursor_is(s, TARGET_MODULE, m->modules.at[i]));
		canvas_put(c, x - 1, y, STYLE(ROLE_TEXT, 0), ' ');
		canvas_text_in(c, x, y, w, STYLE(here ? ROLE_STRONG : ROLE_TEXT, here ? ATTR_UNDERLINE : 0), name);
		canvas_put(c, x + w, y, STYLE(ROLE_TEXT, 0), ' ');
		canvas_hit(c, RECT(x, y, w, 1), TARGET_MODULE, m->modules.at[i]);
	}
	draw_words(s, m, c, area);
	canvas_unclip(c, old);
}
