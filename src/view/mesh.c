/* mesh: switches that are linked on their own tier (dragonflies, random graphs), below the tiers as a circle of the
 * modules that hold them, with the links between each two of them in one line.
 */
#include <math.h>
#include <stdlib.h>

#include "view/graph_internal.h"

/* Modules on one circle, and in all; what is more than that is for the matrix. */
enum { CIRCLE_MAX = 32, MESH_MAX = 256, MESH_ROWS = 9, MESH_COLS = 40 };

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
	m->too_many = m->modules.n > MESH_MAX ? m->modules.n : 0;
	return m->modules.n >= 3 && !m->too_many;
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

/* The modules on the circle: those that the cursor's is among. */
struct circle {
	size_t first, n;
};

static struct circle circle_of(const struct mesh *m, size_t own, struct rect area)
{
	size_t most = (size_t)(area.h > 5 ? area.h * 2 - 4 : 6); /* a line for each name on each side */
	most = most > CIRCLE_MAX ? CIRCLE_MAX : most;
	size_t first = own / most * most, left = m->modules.n - first;
	return (struct circle){first, left < most ? left : most};
}

int mesh_want(const struct mesh *m)
{
	return m->too_many ? 1 : (m->modules.n < CIRCLE_MAX ? (int)m->modules.n : CIRCLE_MAX) + 12;
}

int mesh_rows(const struct mesh *m, struct rect area)
{
	int rows = mesh_want(m) - 8;
	rows = rows < MESH_ROWS ? MESH_ROWS : rows;
	if (m->too_many)
		return area.h > MESH_ROWS;
	if (!m->modules.n || area.w < MESH_COLS || area.h < MESH_ROWS + 8)
		return 0;
	int most = area.h - 8 < area.h * 3 / 5 ? area.h - 8 : area.h * 3 / 5;
	return area.h / 2 > rows ? area.h / 2 : rows < most ? rows : most;
}

/* Where module i of n on the circle stands. */
static void place(size_t i, size_t n, struct rect area, int *x, int *y)
{
	int h = area.h - 1, w = area.w < h * 5 ? area.w : h * 5;
	double turn = 2 * acos(-1) * (double)i / (double)n - acos(0);
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
static bool is_dense(const struct mesh *m, struct circle k, struct rect area)
{
	size_t n = m->modules.n, lines = 0;
	for (size_t i = k.first; i < k.first + k.n; i++)
		for (size_t j = i + 1; j < k.first + k.n; j++)
			lines += m->sum[i * n + j].trunks > 0;
	return lines > (size_t)area.h * 2;
}

/* The line, or the number on it, which comes when names stand. */
static void draw_line(const struct scene *s, const struct mesh *m, struct circle k, struct rect area, size_t i, size_t j,
		      bool count, struct canvas *c)
{
	const struct bundle *b = &m->sum[i * m->modules.n + j];
	bool marked = b->marked_links && b->marked_links != UNKNOWN;
	int x0, y0, x1, y1;
	if (!b->trunks)
		return;
	place(i - k.first, k.n, area, &x0, &y0);
	place(j - k.first, k.n, area, &x1, &y1);
	struct style style = bundle_style(s, b);
	if (b->links != 0 && !count)
		canvas_dots(c, x0 * 2 + 1, y0 * 4 + 2, x1 * 2 + 1, y1 * 4 + 2, style);
	char text[24] = "";
	if (b->links != UNKNOWN && (b->links > 1 || marked))
		snprintf(text, sizeof text, "%s%llu", marked ? "╎" : "×", (unsigned long long)b->links);
	else if (bundle_label(s, b) != NONE)
		snprintf(text, sizeof text, "%c", (char)label_glyph(scene_mode(s), bundle_label(s, b)));
	if (*text && count && area.h >= 16)
		line_put_count(c, x0, y0, x1, y1, style, text);
}

static void draw_all_lines(const struct scene *s, const struct mesh *m, struct circle k, struct rect area, bool counts,
			   struct canvas *c)
{
	size_t own = own_module(s, m);
	bool dense = is_dense(m, k, area);
	for (int last = 0; last <= 1; last++) /* its own over all others */
		for (size_t i = k.first; i < k.first + k.n; i++)
			for (size_t j = i + 1; j < k.first + k.n; j++)
				if ((i == own || j == own) == (last == 1) && (last || !dense))
					draw_line(s, m, k, area, i, j, counts, c);
}

/* How links are spread: between modules on the circle, inside of them, and those that the circle does not show. */
struct spread {
	uint64_t between, inside, hidden;
	uint64_t least, most; /* between two */
};

static struct spread spread_of(const struct mesh *m, struct circle k)
{
	struct spread x = {.least = UNKNOWN};
	size_t n = m->modules.n;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			uint64_t links = m->sum[i * n + j].links;
			bool shown = i >= k.first && j < k.first + k.n;
			uint64_t *to = !shown ? &x.hidden : i == j ? &x.inside : &x.between;
			*to = *to == UNKNOWN || links == UNKNOWN ? UNKNOWN : *to + links;
			if (i == j || !shown)
				continue;
			x.least = links < x.least ? links : x.least;
			x.most = links > x.most ? links : x.most;
		}
	return x;
}

/* "9 modules, lines of group0 only: 36 links between, 126 inside · ×1 each two" */
static void draw_words(const struct scene *s, const struct mesh *m, struct circle k, struct canvas *c, struct rect area)
{
	struct spread x = spread_of(m, k);
	struct strbuf b = STRBUF_INIT;
	if (k.n < m->modules.n)
		strbuf_printf(&b, "modules %zu–%zu of %zu", k.first + 1, k.first + k.n, m->modules.n);
	else
		strbuf_printf(&b, "%zu modules", k.n);
	if (is_dense(m, k, area))
		strbuf_printf(&b, ", lines of %s only", fabric_str(s->fabric, s->fabric->modules.at[m->modules.at[own_module(s, m)]].name));
	strbuf_puts(&b, ": ");
	put_links(x.between, &b);
	strbuf_puts(&b, " between, ");
	put_amount(&b, x.inside);
	strbuf_puts(&b, " inside");
	if (k.n < m->modules.n) {
		strbuf_puts(&b, ", ");
		put_amount(&b, x.hidden);
		strbuf_printf(&b, " at %zu hidden", m->modules.n - k.n);
	}
	if (x.between != UNKNOWN && x.least == x.most)
		strbuf_printf(&b, " · ×%llu each two", (unsigned long long)x.most);
	canvas_text_in(c, area.x, area.y + area.h - 1, area.w, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	strbuf_free(&b);
}

static void draw_name(const struct scene *s, const struct mesh *m, struct circle k, size_t i, bool own, struct rect area,
		      struct canvas *c)
{
	enum { NAME_W = 12 };
	struct strbuf name = STRBUF_INIT;
	uint32_t module = m->modules.at[i];
	bool cursor = cursor_is(s, TARGET_MODULE, module);
	int x, y;
	int room = NAME_W;
	place(i - k.first, k.n, area, &x, &y);
	for (size_t j = 0; j < k.n; j++) { /* names in one line leave a blank between them */
		int other, line;
		place(j, k.n, area, &other, &line);
		if (j + k.first != i && line == y && abs(other - x) - 1 < room)
			room = abs(other - x) - 1;
	}
	shortened_put(fabric_str(s->fabric, s->fabric->modules.at[module].name), room < 1 ? 1 : room, &name);
	int w = (int)text_width(strbuf_str(&name));
	x = x - w / 2 < area.x + 1 ? area.x + 1 : x - w / 2 + w > area.x + area.w - 1 ? area.x + area.w - 1 - w : x - w / 2;
	struct style style = {own ? ROLE_STRONG : ROLE_TEXT, cursor ? ATTR_REVERSE : own ? ATTR_UNDERLINE : 0};
	canvas_text(c, x - 1, y, STYLE(ROLE_TEXT, 0), " "); /* lines end before the name */
	canvas_text(c, x, y, style, strbuf_str(&name));
	canvas_text(c, x + w, y, STYLE(ROLE_TEXT, 0), " ");
	canvas_hit(c, RECT(x, y, w, 1), TARGET_MODULE, module);
	strbuf_free(&name);
}

void mesh_draw(const struct scene *s, const struct mesh *m, struct canvas *c, struct rect area)
{
	if (m->too_many) {
		char *text = mem_printf("%zu modules whose switches are linked, too many for a circle; 5 draws the matrix", m->too_many);
		canvas_text_in(c, area.x, area.y + area.h - 1, area.w, STYLE(ROLE_DIM, 0), text);
		free(text);
		return;
	}
	struct rect old = canvas_clip(c, area);
	size_t own = own_module(s, m);
	struct circle k = circle_of(m, own, area);
	bool dense = is_dense(m, k, area);
	draw_all_lines(s, m, k, area, false, c);
	for (size_t i = k.first; i < k.first + k.n; i++) {
		bool known = s->cursor.kind == TARGET_DEVICE || cursor_is(s, TARGET_MODULE, m->modules.at[i]);
		draw_name(s, m, k, i, i == own && (dense || known), area, c);
	}
	draw_all_lines(s, m, k, area, true, c);
	draw_words(s, m, k, c, area);
	canvas_unclip(c, old);
}

void mesh_nodes(const struct scene *s, const struct mesh *m, struct rect area, struct nodes *out)
{
	if (!m->modules.n)
		return;
	struct circle k = circle_of(m, own_module(s, m), area);
	for (size_t i = k.first; i < k.first + k.n; i++) {
		struct node node = {.device = s->fabric->modules.at[m->modules.at[i]].first_device, .module = m->modules.at[i]};
		place(i - k.first, k.n, area, &node.x, &node.y);
		vec_push(out, node);
	}
}
