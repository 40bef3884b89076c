/* table: devices, trunks or ports in rows. The columns are three tables below; which rows there are and their order
 * is kept by the memo, so scrolling costs only what is in sight. Sorting is O(n log n) of the rows once.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "view/view_internal.h"

const char *const table_row_names[ROWS_KINDS] = {"devices", "trunks", "ports"};

/* A device or a trunk; of ports, a device and one of its port kinds. */
struct table_row {
	uint32_t id, port;
};

struct rows_list {
	VEC(struct table_row) rows;
	size_t all; /* before the filter */
};

struct column {
	const char *name;
	int width;  /* at least; the first one takes what is left */
	bool right;
	void (*put)(const struct scene *s, struct table_row r, struct strbuf *b);
	/* What is sorted by; NULL: the text. */
	uint64_t (*key)(const struct scene *s, struct table_row r);
};

/* ---- devices -------------------------------------------------------------------------------------------------- */

static struct bundle counted(const struct scene *s, uint32_t d)
{
	const struct fabric *f = s->fabric;
	struct bundle b = {0};
	for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++)
		if (trunk_counts(f, f->incident[i]))
			bundle_add(&b, s, f->incident[i]);
	return b;
}

static void put_number(struct strbuf *b, uint64_t n)
{
	if (n == UNKNOWN)
		strbuf_puts(b, "–");
	else
		put_count(b, n);
}

static void put_label(struct strbuf *b, int32_t label)
{
	if (label != NO_LABEL)
		strbuf_printf(b, "%d", label);
}

static uint64_t label_key(int32_t label)
{
	return label == NO_LABEL ? UINT64_MAX : (uint64_t)((int64_t)label - INT32_MIN);
}

static void device_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	device_path(s->fabric, r.id, b);
}

static uint64_t id_key(const struct scene *s, struct table_row r)
{
	(void)s;
	return r.id;
}

static void type_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	strbuf_puts(b, fabric_str(s->fabric, s->fabric->types.at[s->fabric->type[r.id]].name));
}

static void class_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	strbuf_puts(b, class_names[device_class(s->fabric, r.id)]);
}

static void rail_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_label(b, s->fabric->rail[r.id]);
}

static uint64_t rail_key(const struct scene *s, struct table_row r)
{
	return label_key(s->fabric->rail[r.id]);
}

static void plane_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_label(b, s->fabric->plane[r.id]);
}

static uint64_t plane_key(const struct scene *s, struct table_row r)
{
	return label_key(s->fabric->plane[r.id]);
}

static uint64_t links_key(const struct scene *s, struct table_row r)
{
	return counted(s, r.id).links;
}

static void links_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_number(b, links_key(s, r));
}

static uint64_t rate_key(const struct scene *s, struct table_row r)
{
	return counted(s, r.id).rate;
}

static void rate_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_rate(b, rate_key(s, r));
}

/* Units of one port kind in use; UNKNOWN when some link count is. */
static uint64_t ports_used(const struct fabric *f, uint32_t d, name_id port)
{
	uint64_t used = 0;
	for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
		const struct trunk *t = &f->trunks[f->incident[i]];
		if (f->kinds.at[t->kind].port != port)
			continue;
		used = t->count == NONE || used == UNKNOWN ? UNKNOWN : used + (uint64_t)t->count * f->kinds.at[t->kind].takes;
	}
	return used;
}

static uint64_t free_key(const struct scene *s, struct table_row r)
{
	const struct device_type *type = &s->fabric->types.at[s->fabric->type[r.id]];
	uint64_t sum = 0;
	for (uint32_t i = type->first_port; i < type->first_port + type->port_count; i++) {
		uint64_t used = ports_used(s->fabric, r.id, s->fabric->budgets.at[i].port), all = s->fabric->budgets.at[i].count;
		sum = used == UNKNOWN || sum == UNKNOWN ? UNKNOWN : sum + (all > used ? all - used : 0);
	}
	return type->port_count ? sum : UNKNOWN;
}

static void free_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_number(b, free_key(s, r));
}

/* Links of the planes with fewest and most: "4–4". */
static void balance_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	enum { PLANES_MAX = 64 };
	const struct fabric *f = s->fabric;
	uint64_t links[PLANES_MAX] = {0}, least = UNKNOWN, most = 0;
	int32_t planes[PLANES_MAX];
	size_t n = 0;
	for (uint32_t i = f->incident_at[r.id]; i < f->incident_at[r.id + 1]; i++) {
		const struct trunk *t = &f->trunks[f->incident[i]];
		uint32_t count = trunk_links(f, s->overlay, f->incident[i]);
		size_t k = 0;
		while (k < n && planes[k] != t->plane)
			k++;
		if (t->plane == NO_LABEL || count == NONE || k == PLANES_MAX)
			continue;
		if (k == n)
			planes[n++] = t->plane;
		links[k] += count;
	}
	for (size_t k = 0; k < n; k++) {
		least = links[k] < least ? links[k] : least;
		most = links[k] > most ? links[k] : most;
	}
	if (n > 1)
		strbuf_printf(b, "%llu–%llu", (unsigned long long)least, (unsigned long long)most);
}

static uint64_t state_key(const struct scene *s, struct table_row r)
{
	return device_failed(s, r.id) ? 0 : device_derated(s, r.id) ? 1 : 2;
}

static void state_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	static const char *const words[] = {"failed", "derated", ""};
	strbuf_puts(b, words[state_key(s, r)]);
}

static void side_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	char side = device_side(s, r.id);
	if (side)
		strbuf_putc(b, side);
}

static const struct column device_columns[] = {
	{"device", 16, false, device_put, id_key}, {"type", 12, false, type_put, NULL},
	{"class", 7, false, class_put, NULL},      {"links", 6, true, links_put, links_key},
	{"rate", 10, true, rate_put, rate_key},    {"free", 5, true, free_put, free_key},
	{"state", 7, false, state_put, state_key}, {"side", 4, false, side_put, NULL},
	{"rail", 5, true, rail_put, rail_key},     {"plane", 5, true, plane_put, plane_key},
	{"balance", 8, true, balance_put, NULL},
};

/* ---- trunks ------------------------------------------------------------------------------------------------------- */

static void end_a_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	device_path(s->fabric, s->fabric->trunks[r.id].a, b);
}

static void end_b_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	device_path(s->fabric, s->fabric->trunks[r.id].b, b);
}

static uint64_t end_b_key(const struct scene *s, struct table_row r)
{
	return s->fabric->trunks[r.id].b;
}

static void kind_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	strbuf_puts(b, fabric_str(s->fabric, s->fabric->kinds.at[s->fabric->trunks[r.id].kind].name));
}

static uint64_t count_key(const struct scene *s, struct table_row r)
{
	uint32_t n = trunk_links(s->fabric, s->overlay, r.id);
	return n == NONE ? UNKNOWN : n;
}

static void count_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_number(b, count_key(s, r));
}

static uint64_t capacity_key(const struct scene *s, struct table_row r)
{
	return trunk_capacity(s->fabric, s->overlay, r.id);
}

static void capacity_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_rate(b, capacity_key(s, r));
}

static uint64_t length_key(const struct scene *s, struct table_row r)
{
	return s->fabric->trunks[r.id].length_um;
}

static void length_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_quantity(b, DIM_LENGTH, length_key(s, r));
}

static void medium_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	uint32_t medium = s->fabric->kinds.at[s->fabric->trunks[r.id].kind].medium;
	if (medium != NONE)
		strbuf_puts(b, fabric_str(s->fabric, s->fabric->media.at[medium].name));
}

static void trunk_rail_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_label(b, s->fabric->trunks[r.id].rail);
}

static void trunk_plane_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_label(b, s->fabric->trunks[r.id].plane);
}

static uint64_t trunk_plane_key(const struct scene *s, struct table_row r)
{
	return label_key(s->fabric->trunks[r.id].plane);
}

static uint64_t trunk_rail_key(const struct scene *s, struct table_row r)
{
	return label_key(s->fabric->trunks[r.id].rail);
}

static void note_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	const struct trunk *t = &s->fabric->trunks[r.id];
	if (trunk_is_marked(s, r.id))
		strbuf_puts(b, mark_word(s));
	else if (t->flags & FLAG_INFERRED)
		strbuf_puts(b, "inferred");
	else if (t->flags & FLAG_DISAGREE)
		strbuf_puts(b, "disagree");
	else if (!trunk_counts(s->fabric, r.id))
		strbuf_puts(b, "local");
}

static const struct column trunk_columns[] = {
	{"from", 16, false, end_a_put, id_key},         {"to", 20, false, end_b_put, end_b_key},
	{"kind", 9, false, kind_put, NULL},             {"links", 6, true, count_put, count_key},
	{"rate", 10, true, capacity_put, capacity_key}, {"note", 8, false, note_put, NULL},
	{"length", 8, true, length_put, length_key},    {"medium", 16, false, medium_put, NULL},
	{"rail", 5, true, trunk_rail_put, trunk_rail_key}, {"plane", 5, true, trunk_plane_put, trunk_plane_key},
};

/* ---- ports -------------------------------------------------------------------------------------------------------- */

static void port_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	strbuf_puts(b, fabric_str(s->fabric, s->fabric->budgets.at[r.port].port));
}

static uint64_t port_all_key(const struct scene *s, struct table_row r)
{
	return s->fabric->budgets.at[r.port].count;
}

static uint64_t port_used_key(const struct scene *s, struct table_row r)
{
	return ports_used(s->fabric, r.id, s->fabric->budgets.at[r.port].port);
}

static uint64_t port_free_key(const struct scene *s, struct table_row r)
{
	uint64_t all = port_all_key(s, r), used = port_used_key(s, r);
	return used == UNKNOWN ? UNKNOWN : all > used ? all - used : 0;
}

static void port_all_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_number(b, port_all_key(s, r));
}

static void port_used_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_number(b, port_used_key(s, r));
}

static void port_free_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_number(b, port_free_key(s, r));
}

static const struct column port_columns[] = {
	{"device", 16, false, device_put, id_key},       {"type", 12, false, type_put, NULL},
	{"port", 10, false, port_put, NULL},             {"used", 6, true, port_used_put, port_used_key},
	{"ports", 6, true, port_all_put, port_all_key},  {"free", 6, true, port_free_put, port_free_key},
	{"state", 7, false, state_put, state_key},
};

static const struct {
	const struct column *at;
	unsigned n;
} kinds[ROWS_KINDS] = {{device_columns, ARRAY_LEN(device_columns)},
		       {trunk_columns, ARRAY_LEN(trunk_columns)},
		       {port_columns, ARRAY_LEN(port_columns)}};

const char *table_column(enum table_rows rows, unsigned column)
{
	return column < kinds[rows].n ? kinds[rows].at[column].name : NULL;
}

/* ---- rows --------------------------------------------------------------------------------------------------------- */

const char *table_refuses(const struct fabric *f)
{
	return f->device_count ? NULL : "there are no devices in this fabric";
}

bool table_suits(const struct fabric *f)
{
	(void)f;
	return false; /* a picture of everything comes first */
}

/* Case matters only when the filter has capitals. */
static bool has_text(const char *where, const char *what)
{
	bool exact = false;
	size_t n = strlen(what);
	for (size_t i = 0; i < n; i++)
		exact = exact || isupper((unsigned char)what[i]);
	for (; *where; where++) {
		size_t i = 0;
		while (i < n && where[i] && (exact ? where[i] : tolower((unsigned char)where[i])) == what[i])
			i++;
		if (i == n)
			return true;
	}
	return n == 0;
}

/* A row passes when the texts of its columns, one behind the other, have every word of the filter. */
static bool passes(const struct scene *s, struct table_row r, struct strbuf *b)
{
	const char *filter = s->table.filter;
	if (!filter || !*filter)
		return true;
	strbuf_trim(b, 0);
	for (unsigned c = 0; c < kinds[s->table.rows].n; c++)
		if (!kinds[s->table.rows].at[c].right) {
			kinds[s->table.rows].at[c].put(s, r, b);
			strbuf_putc(b, ' ');
		}
	bool all = true;
	while (*filter && all) {
		size_t n = strcspn(filter, " ");
		char *word = mem_strndup(filter, n);
		all = has_text(strbuf_str(b), word);
		free(word);
		filter += n + (filter[n] == ' ');
	}
	return all;
}

static void add_row(struct rows_list *l, const struct scene *s, struct table_row r, struct strbuf *b)
{
	l->all++;
	if (passes(s, r, b))
		vec_push(&l->rows, r);
}

static void list_rows(struct rows_list *l, const struct scene *s)
{
	const struct fabric *f = s->fabric;
	struct strbuf b = STRBUF_INIT;
	for (uint32_t t = 0; s->table.rows == ROWS_TRUNKS && t < f->trunk_count; t++)
		if (!scene_hides(s, f->trunks[t].a) && !scene_hides(s, f->trunks[t].b))
			add_row(l, s, (struct table_row){t, 0}, &b);
	for (uint32_t d = 0; s->table.rows != ROWS_TRUNKS && d < f->device_count; d++) {
		const struct device_type *type = &f->types.at[f->type[d]];
		if (scene_hides(s, d))
			continue;
		if (s->table.rows == ROWS_DEVICES)
			add_row(l, s, (struct table_row){d, 0}, &b);
		for (uint32_t p = 0; s->table.rows == ROWS_PORTS && p < type->port_count; p++)
			add_row(l, s, (struct table_row){d, type->first_port + p}, &b);
	}
	strbuf_free(&b);
}

/* A row with what it is sorted by. */
struct sorted {
	struct table_row row;
	uint64_t key;
	char *text;
	size_t at; /* keeps equal ones in order */
};

static int by_key(const void *pa, const void *pb)
{
	const struct sorted *a = pa, *b = pb;
	if (a->text) {
		int c = natural_compare(a->text, b->text);
		if (c)
			return c;
	}
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static void sort_rows(struct rows_list *l, const struct scene *s)
{
	const struct column *column = &kinds[s->table.rows].at[s->table.sort - 1];
	struct sorted *list = mem_array(l->rows.n + 1, sizeof *list);
	struct strbuf b = STRBUF_INIT;
	size_t n = l->rows.n;
	for (size_t i = 0; i < n; i++) {
		list[i] = (struct sorted){.row = l->rows.at[i], .at = i};
		if (column->key) {
			list[i].key = column->key(s, l->rows.at[i]);
			continue;
		}
		strbuf_trim(&b, 0);
		column->put(s, l->rows.at[i], &b);
		list[i].text = mem_strdup(strbuf_str(&b));
	}
	qsort(list, n, sizeof *list, by_key);
	for (size_t i = 0; i < n; i++) {
		l->rows.at[i] = list[s->table.reversed ? n - 1 - i : i].row;
		free(list[s->table.reversed ? n - 1 - i : i].text);
	}
	free(list);
	strbuf_free(&b);
}

static void rows_free(void *what)
{
	struct rows_list *l = what;
	vec_free(&l->rows);
	free(l);
}

static struct rows_list *rows_of(const struct scene *s)
{
	uint64_t key = s->memo ? scene_fingerprint(s) : 0;
	key = fingerprint_more(key, (uint64_t)s->table.rows * 64 + s->table.sort * 2 + s->table.reversed);
	key = fingerprint_text(key, s->table.filter);
	struct rows_list *l = memo_get(s, MEMO_TABLE, key);
	if (l)
		return l;
	l = mem_alloc(sizeof *l);
	list_rows(l, s);
	if (s->table.sort && s->table.sort <= kinds[s->table.rows].n && l->rows.n)
		sort_rows(l, s);
	memo_put(s, MEMO_TABLE, key, l, rows_free);
	return l;
}

static void rows_release(const struct scene *s, struct rows_list *l)
{
	if (!s->memo)
		rows_free(l);
}

/* ---- drawing ---------------------------------------------------------------------------------------------------------- */

static bool is_chosen(const struct scene *s, unsigned column)
{
	const char *at = s->table.columns, *name = kinds[s->table.rows].at[column].name;
	while (at && *at) {
		size_t n = strcspn(at, ", ");
		if (n == strlen(name) && strncmp(at, name, n) == 0)
			return true;
		at += n + strspn(at + n, ", ");
	}
	return !s->table.columns || !*s->table.columns;
}

/* Columns in sight and their widths; the first gets the rest. Returns how many. */
static unsigned choose_columns(const struct scene *s, int cols, unsigned *which, int *width, unsigned max)
{
	unsigned n = 0;
	int used = 0;
	for (unsigned c = 0; c < kinds[s->table.rows].n && n < max; c++) {
		int w = kinds[s->table.rows].at[c].width;
		if (!is_chosen(s, c))
			continue;
		if (n && used + 1 + w > cols)
			break; /* the order is that of importance */
		which[n] = c;
		width[n++] = w;
		used += w + (n > 1);
	}
	int spare = cols - used;
	if (n && spare > 0)
		width[0] += spare > 30 ? 30 : spare;
	if (n > 1 && spare > 30 && s->table.rows == ROWS_TRUNKS)
		width[1] += spare - 30 > 20 ? 20 : spare - 30;
	return n;
}

static size_t cursor_row(const struct scene *s, const struct rows_list *l)
{
	bool trunks = s->table.rows == ROWS_TRUNKS;
	uint32_t id = trunks && s->cursor.kind == TARGET_TRUNK ? s->cursor.id : cursor_device(s);
	for (size_t i = 0; i < l->rows.n; i++) {
		uint32_t row = l->rows.at[i].id;
		if (trunks && s->cursor.kind != TARGET_TRUNK
			    ? s->fabric->trunks[row].a == id || s->fabric->trunks[row].b == id
			    : row == id)
			return i;
	}
	return SIZE_MAX;
}

static void draw_cell(const struct scene *s, const struct column *x, struct table_row r, struct style style, struct canvas *c,
		      int at, int y, int w, struct strbuf *b)
{
	strbuf_trim(b, 0);
	x->put(s, r, b);
	if (x->right)
		canvas_text_right(c, at, y, w, style, strbuf_str(b));
	else
		canvas_text_in(c, at, y, w, style, strbuf_str(b));
}

static void draw_head(const struct scene *s, const unsigned *which, const int *width, unsigned n, struct canvas *c,
		      struct rect area)
{
	for (unsigned k = 0, x = (unsigned)area.x + 2; k < n; k++) {
		const struct column *column = &kinds[s->table.rows].at[which[k]];
		bool sorted = s->table.sort == which[k] + 1;
		char *text = mem_printf("%s%s", column->name, sorted ? s->table.reversed ? "▾" : "▴" : "");
		struct style style = {sorted ? ROLE_FOCUS : ROLE_STRONG, 0};
		if (column->right)
			canvas_text_right(c, (int)x, area.y, width[k], style, text);
		else
			canvas_text_in(c, (int)x, area.y, width[k], style, text);
		free(text);
		x += (unsigned)width[k] + 1;
	}
}

static void draw_row(const struct scene *s, struct table_row r, bool here, const unsigned *which, const int *width, unsigned n,
		     struct canvas *c, struct rect line)
{
	struct strbuf b = STRBUF_INIT;
	bool trunk = s->table.rows == ROWS_TRUNKS;
	struct style style = trunk ? STYLE(trunk_is_marked(s, r.id) ? mark_style(s).role : ROLE_TEXT, 0) : device_style(s, r.id);
	int x = line.x + 2;
	if (!trunk) {
		canvas_put(c, line.x, line.y, style, device_glyph(s, r.id));
		if (device_selected(s, r.id))
			canvas_put(c, line.x + 1, line.y, STYLE(ROLE_SELECTED, 0), 0x25cf);
		style.role = device_selected(s, r.id) ? ROLE_SELECTED : device_failed(s, r.id) ? ROLE_FAILED : ROLE_TEXT;
	}
	for (unsigned k = 0; k < n; x += width[k++] + 1)
		draw_cell(s, &kinds[s->table.rows].at[which[k]], r, style, c, x, line.y, width[k], &b);
	canvas_hit(c, line, trunk ? TARGET_TRUNK : TARGET_DEVICE, r.id);
	if (here)
		canvas_restyle(c, line, STYLE(ROLE_COUNT, ATTR_REVERSE));
	strbuf_free(&b);
}

static void put_foot(const struct scene *s, const struct rows_list *l, size_t here, struct strbuf *b)
{
	if (here != SIZE_MAX) {
		put_count(b, here + 1);
		strbuf_puts(b, " of ");
	}
	put_count(b, l->rows.n);
	strbuf_printf(b, " %s", table_row_names[s->table.rows]);
	if (l->rows.n != l->all) {
		strbuf_puts(b, ", ");
		put_count(b, l->all - l->rows.n);
		strbuf_printf(b, " filtered out by %s", s->table.filter);
	}
	strbuf_puts(b, " · w next table · s sort · S reverse · F filter");
}

void table_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	enum { COLUMNS_MAX = 16 };
	unsigned which[COLUMNS_MAX];
	int width[COLUMNS_MAX], lines = area.h - 2 > 0 ? area.h - 2 : 1;
	struct rows_list *l = rows_of(s);
	struct rect old = canvas_clip(c, area);
	unsigned n = choose_columns(s, area.w - 2, which, width, COLUMNS_MAX);
	size_t here = cursor_row(s, l), top = 0, most = (size_t)lines;
	if (here != SIZE_MAX && l->rows.n > most && here > most / 2)
		top = here - most / 2 > l->rows.n - most ? l->rows.n - most : here - most / 2;
	draw_head(s, which, width, n, c, area);
	for (size_t i = top; i < l->rows.n && i < top + most; i++)
		draw_row(s, l->rows.at[i], i == here, which, width, n, c, RECT(area.x, area.y + 1 + (int)(i - top), area.w, 1));
	struct strbuf b = STRBUF_INIT;
	put_foot(s, l, here, &b);
	if (area.h > 1)
		canvas_text_in(c, area.x, area.y + area.h - 1, area.w, STYLE(ROLE_DIM, 0), strbuf_str(&b));
	strbuf_free(&b);
	canvas_unclip(c, old);
	rows_release(s, l);
}

void table_measure(const struct scene *s, int *cols, int *rows)
{
	enum { ROWS_MAX = 1000 };
	struct rows_list *l = rows_of(s);
	*cols = 120;
	*rows = l->rows.n > ROWS_MAX ? ROWS_MAX : (int)l->rows.n + 2;
	rows_release(s, l);
}

struct target table_move(const struct scene *s, struct rect area, enum move m)
{
	struct rows_list *l = rows_of(s);
	struct target to = s->cursor;
	if (l->rows.n) {
		size_t at = row_after(cursor_row(s, l), l->rows.n, area.h - 2, m);
		to = (struct target){s->table.rows == ROWS_TRUNKS ? TARGET_TRUNK : TARGET_DEVICE, l->rows.at[at].id};
	}
	rows_release(s, l);
	return to;
}

void table_under(const struct scene *s, struct rect area, struct idset *out)
{
	(void)area;
	if (s->cursor.kind == TARGET_TRUNK) {
		idset_add(out, s->fabric->trunks[s->cursor.id].a);
		idset_add(out, s->fabric->trunks[s->cursor.id].b);
	} else if (s->cursor.kind == TARGET_DEVICE) {
		idset_add(out, s->cursor.id);
	}
}
