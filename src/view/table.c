/* table: devices, trunks or ports in rows. Which rows there are, their order and their sums are kept by the memo, so
 * scrolling costs only what is in sight. Sorting is O(n log n) of the rows once, sums are mended by a what-if.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "view/table_internal.h"

enum { COLUMNS_MAX = 16, SAMPLE = 512, WANT_MAX = 46 };

/* What the rows add up to. */
struct sums {
	uint64_t links, rate; /* of trunks, or at devices; UNKNOWN is contagious */
	uint64_t used, ports; /* of ports */
};

struct rows_list {
	VEC(struct table_row) rows;
	size_t all;           /* before the filter */
	size_t last;          /* where the cursor was found last */
	uint32_t present;     /* columns with something to say */
	int want[COLUMNS_MAX]; /* columns that their texts take */
	struct sums healthy, sums;
	uint64_t sums_key;    /* fingerprint of the scene that sums are of; 0: none */
};

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
	for (unsigned c = 0; c < table_columns[s->table.rows].n; c++)
		if (!(table_columns[s->table.rows].at[c].flags & COLUMN_RIGHT)) {
			table_columns[s->table.rows].at[c].put(s, r, b);
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
	const struct column *column = &table_columns[s->table.rows].at[s->table.sort - 1];
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

static void add_sum(uint64_t *sum, uint64_t x)
{
	*sum = *sum == UNKNOWN || x == UNKNOWN ? UNKNOWN : *sum + x;
}

/* How often a trunk stands in rows that no filter thins out: once, or at each of its devices. */
static unsigned times_listed(const struct scene *s, uint32_t trunk)
{
	const struct trunk *t = &s->fabric->trunks[trunk];
	unsigned shown = !scene_hides(s, t->a) + !scene_hides(s, t->b);
	if (s->table.rows == ROWS_TRUNKS)
		return shown == 2;
	return trunk_counts(s->fabric, trunk) ? shown : 0;
}

static void add_trunk(struct sums *x, const struct scene *s, uint32_t trunk)
{
	uint32_t links = trunk_links(s->fabric, s->overlay, trunk);
	for (unsigned times = times_listed(s, trunk); times > 0; times--) {
		add_sum(&x->links, links == NONE ? UNKNOWN : links);
		add_sum(&x->rate, trunk_capacity(s->fabric, s->overlay, trunk));
	}
}

static void add_device(struct sums *x, const struct scene *s, uint32_t device)
{
	const struct fabric *f = s->fabric;
	for (uint32_t k = f->incident_at[device]; k < f->incident_at[device + 1]; k++)
		if (trunk_counts(f, f->incident[k])) {
			uint32_t links = trunk_links(f, s->overlay, f->incident[k]);
			add_sum(&x->links, links == NONE ? UNKNOWN : links);
			add_sum(&x->rate, trunk_capacity(f, s->overlay, f->incident[k]));
		}
}

/* Of every row, as a filter has left them. */
static struct sums sums_of_rows(const struct scene *s, const struct rows_list *l)
{
	const struct fabric *f = s->fabric;
	struct sums x = {0};
	for (size_t i = 0; i < l->rows.n; i++) {
		struct table_row r = l->rows.at[i];
		if (s->table.rows == ROWS_DEVICES) {
			add_device(&x, s, r.id);
		} else if (s->table.rows == ROWS_TRUNKS) {
			add_trunk(&x, s, r.id);
		} else {
			add_sum(&x.used, table_ports_used(f, r.id, f->budgets.at[r.port].port));
			add_sum(&x.ports, f->budgets.at[r.port].count);
		}
	}
	return x;
}

/* The same without a filter: those of the healthy fabric, with what the what-if changes; false when that cannot tell. */
static bool mend_sums(const struct scene *s, struct rows_list *l)
{
	struct scene plain = *s, healthy = scene_healthy(s);
	struct idset touched = idset_new(s->fabric->trunk_count);
	plain.marks = NULL;
	plain.full = NULL;
	bool fine = scene_touched(&plain, &touched);
	l->sums = l->healthy;
	for (uint32_t t = idset_next(&touched, 0); fine && t != NONE; t = idset_next(&touched, t + 1)) {
		struct sums before = {0}, now = {0};
		add_trunk(&before, &healthy, t);
		add_trunk(&now, s, t);
		fine = before.links != UNKNOWN && before.rate != UNKNOWN;
		if (l->sums.links != UNKNOWN)
			l->sums.links = now.links == UNKNOWN ? UNKNOWN : l->sums.links - before.links + now.links;
		if (l->sums.rate != UNKNOWN)
			l->sums.rate = now.rate == UNKNOWN ? UNKNOWN : l->sums.rate - before.rate + now.rate;
	}
	idset_free(&touched);
	return fine;
}

static void make_sums(const struct scene *s, struct rows_list *l)
{
	uint64_t key = s->memo ? scene_fingerprint(s) : 1;
	bool filtered = s->table.filter && *s->table.filter, ports = s->table.rows == ROWS_PORTS;
	if (l->sums_key == key)
		return;
	if (!filtered && !ports && l->sums_key == 0) {
		struct scene healthy = scene_healthy(s);
		for (uint32_t t = 0; t < s->fabric->trunk_count; t++)
			add_trunk(&l->healthy, &healthy, t);
	}
	if (filtered || (ports && l->sums_key == 0) || (!ports && !mend_sums(s, l)))
		l->sums = sums_of_rows(s, l);
	l->sums_key = key;
}

/* What the rows and their order depend on: of the what-if only what a filter reads, or the column that sorts. */
static uint64_t rows_key(const struct scene *s)
{
	unsigned sort = s->table.sort <= table_columns[s->table.rows].n ? s->table.sort : 0;
	bool filtered = s->table.filter && *s->table.filter;
	bool lasts = !filtered && (!sort || (table_columns[s->table.rows].at[sort - 1].flags & COLUMN_LASTS));
	uint64_t key = lasts ? fingerprint_set(fabric_fingerprint(s), s->hidden) : scene_fingerprint(s);
	key = fingerprint_more(key, ((uint64_t)s->table.rows * 64 + s->table.sort * 2 + s->table.reversed) * 2 + lasts);
	return fingerprint_text(key, s->table.filter);
}

/* How wide the texts of columns are, by some rows from all over the table: the widths stay while one scrolls, and are
 * those the column asks for where the what-if changes what it says. */
static void measure_columns(const struct scene *s, struct rows_list *l)
{
	const struct columns *columns = &table_columns[s->table.rows];
	struct strbuf b = STRBUF_INIT;
	size_t n = l->rows.n < SAMPLE ? l->rows.n : SAMPLE;
	for (unsigned c = 0; c < columns->n && c < COLUMNS_MAX; c++) {
		bool lasts = columns->at[c].flags & COLUMN_LASTS;
		l->want[c] = lasts ? (int)strlen(columns->at[c].name) + 1 : columns->at[c].width; /* with the mark of sorting */
		for (size_t i = 0; lasts && i < n; i++) {
			strbuf_trim(&b, 0);
			columns->at[c].put(s, l->rows.at[n < 2 ? i : i * (l->rows.n - 1) / (n - 1)], &b);
			int w = (int)text_width(strbuf_str(&b));
			w = w > WANT_MAX ? WANT_MAX : w;
			l->want[c] = w > l->want[c] ? w : l->want[c];
		}
	}
	strbuf_free(&b);
}

static struct rows_list *rows_of(const struct scene *s)
{
	uint64_t key = s->memo ? rows_key(s) : 0;
	struct rows_list *l = memo_get(s, MEMO_TABLE, key);
	const struct columns *columns = &table_columns[s->table.rows];
	if (l)
		return l;
	l = mem_alloc(sizeof *l);
	list_rows(l, s);
	if (s->table.sort && s->table.sort <= columns->n && l->rows.n)
		sort_rows(l, s);
	for (unsigned c = 0; c < columns->n; c++)
		l->present |= (uint32_t)(columns->at[c].flags & COLUMN_OF_RESULTS || !columns->at[c].has || columns->at[c].has(s)) << c;
	measure_columns(s, l);
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
	const char *at = s->table.columns, *name = table_columns[s->table.rows].at[column].name;
	while (at && *at) {
		size_t n = strcspn(at, ", ");
		if (n == strlen(name) && strncmp(at, name, n) == 0)
			return true;
		at += n + strspn(at + n, ", ");
	}
	return !s->table.columns || !*s->table.columns;
}

/* Blanks before a column: two where words stand flush with what is left of them, and would read as one with it. */
static int gap_before(const struct scene *s, unsigned column)
{
	return table_columns[s->table.rows].at[column].flags & COLUMN_RIGHT ? 1 : 2;
}

/* The least width of a column: numbers have theirs, words are cut where they are long. */
static int least_width(const struct scene *s, const struct rows_list *l, unsigned c)
{
	const struct column *x = &table_columns[s->table.rows].at[c];
	bool number = x->flags & COLUMN_RIGHT;
	return number == (l->want[c] > x->width) ? l->want[c] : x->width;
}

/* Columns in sight and their widths, in the order of importance; long words get what is left. Those that are empty
 * stand only where they were chosen. Returns how many. */
static unsigned choose_columns(const struct scene *s, const struct rows_list *l, int cols, unsigned *which, int *width)
{
	bool all = !s->table.columns || !*s->table.columns;
	unsigned n = 0;
	int used = 0;
	for (unsigned c = 0; c < table_columns[s->table.rows].n && n < COLUMNS_MAX; c++) {
		int own = least_width(s, l, c), w = own + (n ? gap_before(s, c) : 0);
		const struct column *x = &table_columns[s->table.rows].at[c];
		bool empty = !(l->present >> c & 1) || ((x->flags & COLUMN_OF_RESULTS) && !x->has(s));
		if (!is_chosen(s, c) || (all && empty))
			continue;
		if (n && used + w > cols)
			break;
		which[n] = c;
		width[n++] = own;
		used += w;
	}
	for (unsigned k = 0; k < n; k++) {
		int more = l->want[which[k]] - width[k], spare = cols - used;
		more = more > spare ? spare : more;
		width[k] += more > 0 ? more : 0;
		used += more > 0 ? more : 0;
	}
	return n;
}

static size_t cursor_row(const struct scene *s, struct rows_list *l)
{
	bool trunks = s->table.rows == ROWS_TRUNKS;
	uint32_t id = trunks && s->cursor.kind == TARGET_TRUNK ? s->cursor.id : cursor_device(s);
	bool ends = trunks && s->cursor.kind != TARGET_TRUNK;
	if (!ends && l->last < l->rows.n && l->rows.at[l->last].id == id && (l->last == 0 || l->rows.at[l->last - 1].id != id))
		return l->last;
	for (size_t i = 0; i < l->rows.n; i++) {
		uint32_t row = l->rows.at[i].id;
		if (ends ? s->fabric->trunks[row].a == id || s->fabric->trunks[row].b == id : row == id) {
			l->last = i;
			return i;
		}
	}
	return SIZE_MAX;
}

static void draw_shortened(struct canvas *c, int at, int y, int w, struct style style, const char *text)
{
	struct strbuf b = STRBUF_INIT;
	shortened_put(text, w, &b);
	canvas_text(c, at, y, style, strbuf_str(&b));
	strbuf_free(&b);
}

static void draw_cell(const struct scene *s, const struct column *x, struct table_row r, struct style style, struct canvas *c,
		      int at, int y, int w, struct strbuf *b)
{
	strbuf_trim(b, 0);
	x->put(s, r, b);
	if (x->flags & COLUMN_RIGHT)
		canvas_text_right(c, at, y, w, style, strbuf_str(b));
	else if ((int)text_width(strbuf_str(b)) <= w)
		canvas_text(c, at, y, style, strbuf_str(b));
	else
		draw_shortened(c, at, y, w, style, strbuf_str(b));
}

static void draw_head(const struct scene *s, const unsigned *which, const int *width, unsigned n, struct canvas *c,
		      struct rect area)
{
	int x = area.x + 2;
	for (unsigned k = 0; k < n; k++) {
		x += k ? gap_before(s, which[k]) : 0;
		const struct column *column = &table_columns[s->table.rows].at[which[k]];
		bool sorted = s->table.sort == which[k] + 1;
		char *text = mem_printf("%s%s", column->name, sorted ? s->table.reversed ? "▾" : "▴" : "");
		struct style style = {sorted ? ROLE_FOCUS : ROLE_STRONG, 0};
		if (column->flags & COLUMN_RIGHT)
			canvas_text_right(c, x, area.y, width[k], style, text);
		else
			canvas_text_in(c, x, area.y, width[k], style, text);
		free(text);
		x += width[k];
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
	for (unsigned k = 0; k < n; x += width[k++]) {
		x += k ? gap_before(s, which[k]) : 0;
		draw_cell(s, &table_columns[s->table.rows].at[which[k]], r, style, c, x, line.y, width[k], &b);
	}
	canvas_hit(c, line, trunk ? TARGET_TRUNK : TARGET_DEVICE, r.id);
	if (here)
		canvas_restyle(c, RECT(line.x + 1, line.y, line.w - 1, 1), STYLE(ROLE_COUNT, ATTR_REVERSE));
	strbuf_free(&b);
}

/* " · 1,296 links · 64.8 TB/s one direction"; at devices each link counts at both its ends. */
static void put_sums(const struct scene *s, const struct rows_list *l, struct strbuf *b)
{
	if (s->table.rows == ROWS_PORTS) {
		strbuf_puts(b, " · ");
		put_amount(b, l->sums.used);
		strbuf_puts(b, " of ");
		put_amount(b, l->sums.ports);
		strbuf_puts(b, " ports used");
		return;
	}
	strbuf_puts(b, " · ");
	put_amount(b, l->sums.links);
	strbuf_puts(b, s->table.rows == ROWS_DEVICES ? " ends of links · " : l->sums.links == 1 ? " link · " : " links · ");
	put_rate(b, l->sums.rate);
	strbuf_puts(b, s->table.rows == ROWS_DEVICES ? " out of them" : " one direction");
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
	put_sums(s, l, b);
	strbuf_puts(b, " · w next table · s sort · S reverse · F filter");
}

void table_draw(const struct scene *s, struct canvas *c, struct rect area)
{
	unsigned which[COLUMNS_MAX];
	int width[COLUMNS_MAX], lines = area.h - 2 > 0 ? area.h - 2 : 1;
	struct rows_list *l = rows_of(s);
	struct rect old = canvas_clip(c, area);
	make_sums(s, l);
	unsigned n = choose_columns(s, l, area.w - 2, which, width);
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
		size_t here = cursor_row(s, l), at = row_after(here, l->rows.n, area.h - 2, m);
		/* the ports of one device are one place for the cursor */
		while (here != SIZE_MAX && at > here && at + 1 < l->rows.n && l->rows.at[at].id == l->rows.at[here].id)
			at++;
		l->last = at;
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
