/* Cable plans as tables: UFM's NDT, SONiC's links, NetBox's cables, Omni-Path's topology and our own list with a header;
 * and lines "a:port b:port rate" that people write by hand. Columns are found by their names.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/plan_internal.h"

typedef VEC(struct text) cell_list;

enum column { A_DEVICE, A_PORT, B_DEVICE, B_PORT, RATE, LENGTH, LENGTH_UNIT, A_CLASS, B_CLASS, A_RACK, B_RACK, A_ROW, B_ROW, A_UNIT, B_UNIT,
	      A_MODULE, B_MODULE, A_KINDS, B_KINDS, KIND, RACK, UNIT, COLUMNS };

static const struct {
	const char *name;
	enum column column;
} column_names[] = {
	{"StartDevice", A_DEVICE},   {"StartPort", A_PORT},   {"EndDevice", B_DEVICE},     {"EndPort", B_PORT},
	{"side_a_device", A_DEVICE}, {"side_a_name", A_PORT}, {"side_b_device", B_DEVICE}, {"side_b_name", B_PORT},
	{"a_device", A_DEVICE},      {"a_port", A_PORT},      {"b_device", B_DEVICE},      {"b_port", B_PORT},
	{"BandWidth", RATE},         {"Speed", RATE},         {"rate", RATE},              {"Cable Length", LENGTH},
	{"length", LENGTH},          {"length_unit", LENGTH_UNIT},
	{"a_class", A_CLASS},        {"b_class", B_CLASS},
	{"Device A", A_DEVICE},      {"Termination A", A_PORT}, {"Device B", B_DEVICE},   {"Termination B", B_PORT},
	{"StartDeviceLocation", A_RACK}, {"EndDeviceLocation", B_RACK}, {"side_a_rack", A_RACK}, {"side_b_rack", B_RACK},
	{"Rack A", A_RACK},          {"Rack B", B_RACK},      {"a_rack", A_RACK},          {"b_rack", B_RACK},
	{"side_a_location", A_ROW},  {"side_b_location", B_ROW}, {"Location A", A_ROW},    {"Location B", B_ROW},
	{"a_module", A_MODULE},      {"b_module", B_MODULE},  {"rack #", RACK},
	{"a_kinds", A_KINDS},        {"b_kinds", B_KINDS},    {"kind", KIND},                      {"U height", UNIT},
};

struct table {
	char separator;
	int at[COLUMNS]; /* -1: absent */
};

/* ---- lines and cells ---------------------------------------------------------------------------- */

static struct text next_line(const char **at, const char *end)
{
	const char *stop = memchr(*at, '\n', (size_t)(end - *at));
	struct text line = {*at, (size_t)((stop ? stop : end) - *at)};

	*at = stop ? stop + 1 : end;
	return text_trim(line);
}

/* Trimmed; quotes around a cell are taken away, a doubled quote inside stays as it is. */
static void split(struct text line, char separator, cell_list *out)
{
	const char *at = line.at, *end = line.at + line.n;

	out->n = 0;
	while (at <= end) {
		const char *start = at;
		struct text cell;
		bool quoted = at < end && *at == '"';

		for (bool inside = false; at < end && (inside || *at != separator); at++)
			inside ^= quoted && *at == '"';
		cell = text_trim((struct text){start, (size_t)(at - start)});
		if (quoted && cell.n >= 2 && cell.at[cell.n - 1] == '"')
			cell = (struct text){cell.at + 1, cell.n - 2};
		vec_push(out, cell);
		at++;
	}
}

static struct text cell_at(const cell_list *cells, int i)
{
	return i >= 0 && (size_t)i < cells->n ? cells->at[i] : (struct text){"", 0};
}

/* ---- the header ----------------------------------------------------------------------------------- */

/* Units have the same heading twice: that of the far end stands behind its device. */
static void set_column(struct table *t, enum column column, int i)
{
	if (column == UNIT)
		column = t->at[B_DEVICE] >= 0 ? B_UNIT : A_UNIT;
	if (t->at[column] < 0)
		t->at[column] = i;
}

static bool parse_header(struct text line, struct table *t)
{
	cell_list cells = {0};

	if (line.n >= 3 && !memcmp(line.at, "\xef\xbb\xbf", 3))
		line = (struct text){line.at + 3, line.n - 3};
	t->separator = memchr(line.at, ',', line.n) ? ',' : memchr(line.at, ';', line.n) ? ';' : '\t';
	for (int i = 0; i < COLUMNS; i++)
		t->at[i] = -1;
	split(line, t->separator, &cells);
	for (size_t i = 0; i < cells.n; i++) {
		struct text c = cells.at[i];
		size_t unit = c.n;

		if (c.n && *c.at == '#')
			c = text_trim((struct text){c.at + 1, c.n - 1});
		if (c.n > 7 && !strncasecmp(c.at, "Fields:", 7))
			c = text_trim((struct text){c.at + 7, c.n - 7});
		unit = c.n;
		for (size_t k = 0; k < c.n; k++)
			if (c.at[k] == '(') { /* "BandWidth(Mb/s)" */
				unit = k;
				break;
			}
		c = text_trim((struct text){c.at, unit});
		for (size_t k = 0; k < ARRAY_LEN(column_names); k++)
			if (text_is(c, column_names[k].name))
				set_column(t, column_names[k].column, (int)i);
	}
	vec_free(&cells);
	return t->at[A_DEVICE] >= 0 && t->at[B_DEVICE] >= 0;
}

/* ---- cells ------------------------------------------------------------------------------------------ */

/* "200000" is Mb/s, "100g" Gb/s; else a quantity. */
static uint64_t parse_rate(struct plan *p, struct text t)
{
	struct quantity q;
	const char *why, *hint;
	uint64_t n = 0;
	size_t i = 0;

	for (; i < t.n && t.at[i] >= '0' && t.at[i] <= '9' && n < 1000000000; i++)
		n = n * 10 + (uint64_t)(t.at[i] - '0');
	if (i && n && i == t.n)
		return n * 1000000;
	if (i && n && i + 1 == t.n && (t.at[i] == 'g' || t.at[i] == 'G'))
		return n * 1000000000;
	return t.n && quantity_parse(&p->arena, t.at, t.n, &q, &why, &hint) && q.dim == DIM_RATE && !q.both && q.value ? q.value : UNKNOWN;
}

static uint64_t parse_length(struct plan *p, struct text t, struct text unit)
{
	struct quantity q;
	const char *why, *hint;
	char *text = mem_printf("%.*s%s%.*s", (int)t.n, t.at, unit.n ? " " : "", (int)unit.n, unit.at);
	bool bare = t.n && strspn(text, "0123456789.") == strlen(text);
	uint64_t length = UNKNOWN;

	if (bare) {
		free(text);
		text = mem_printf("%.*s m", (int)t.n, t.at);
	}
	if (t.n && t.n < 32 && quantity_parse(&p->arena, text, strlen(text), &q, &why, &hint) && q.dim == DIM_LENGTH)
		length = q.value;
	free(text);
	return length;
}

static enum device_class parse_class(struct text t)
{
	for (int i = 0; i < CLASS_COUNT; i++)
		if (text_is(t, class_names[i]))
			return (enum device_class)i;
	return CLASS_NONE;
}

static bool has_digit(struct text t)
{
	for (size_t i = 0; i < t.n; i++)
		if (t.at[i] >= '0' && t.at[i] <= '9')
			return true;
	return false;
}

static void skip_row(struct plan *p, uint32_t line)
{
	if (!p->skipped++)
		p->skipped_line = line;
}

static bool is_unit(struct text t)
{
	return t.n >= 2 && t.n <= 3 && *t.at == 'U' && strspn(t.at + 1, "0123456789") >= t.n - 1;
}

/* In a plan of one rack a "location" is the unit, and the rack stands in a column of its own, for the near end. */
static struct plan_end read_end(const struct table *t, const cell_list *cells, enum column device, enum column port, enum column rack,
				enum column row, enum column unit)
{
	struct plan_end e = {.device = cell_at(cells, t->at[device]), .port = cell_at(cells, t->at[port]), .class = CLASS_NONE, .guid = UNKNOWN,
			     .rack = cell_at(cells, t->at[rack]), .row = cell_at(cells, t->at[row]), .unit = cell_at(cells, t->at[unit])};

	if (is_unit(e.rack)) {
		e.unit = e.rack;
		e.rack = device == A_DEVICE ? cell_at(cells, t->at[RACK]) : (struct text){"", 0};
	}
	return e;
}

static void read_row(struct plan *p, const struct table *t, const cell_list *cells, uint32_t line)
{
	struct plan_end a = read_end(t, cells, A_DEVICE, A_PORT, A_RACK, A_ROW, A_UNIT);
	struct plan_end b = read_end(t, cells, B_DEVICE, B_PORT, B_RACK, B_ROW, B_UNIT);
	struct plan_link link = {.kind = cell_at(cells, t->at[KIND]), .rate = parse_rate(p, cell_at(cells, t->at[RATE])), .line = line};

	link.length_um = parse_length(p, cell_at(cells, t->at[LENGTH]), cell_at(cells, t->at[LENGTH_UNIT]));
	a.module = cell_at(cells, t->at[A_MODULE]);
	b.module = cell_at(cells, t->at[B_MODULE]);
	a.kinds = cell_at(cells, t->at[A_KINDS]);
	b.kinds = cell_at(cells, t->at[B_KINDS]);
	a.has_module = b.has_module = t->at[A_MODULE] >= 0 && t->at[B_MODULE] >= 0;
	a.class = parse_class(cell_at(cells, t->at[A_CLASS]));
	b.class = parse_class(cell_at(cells, t->at[B_CLASS]));
	if (a.device.n && b.device.n && (!a.port.n || has_digit(a.port)) && (!b.port.n || has_digit(b.port)))
		plan_add(p, &a, &b, &link);
	else if (a.device.n || b.device.n)
		skip_row(p, line);
}

/* ---- tables with a header --------------------------------------------------------------------------- */

static bool find_header(const struct source *s, struct table *t, const char **rest, uint32_t *line)
{
	const char *at = s->text, *end = s->text + (s->size < RECOGNISE_BYTES ? s->size : RECOGNISE_BYTES);

	for (*line = 1; at < end && *line <= 32; ++*line)
		if (parse_header(next_line(&at, end), t)) {
			*rest = at;
			return true;
		}
	return false;
}

int plan_table_recognise(const struct source *s)
{
	struct table t;
	const char *rest;
	uint32_t line;

	return find_header(s, &t, &rest, &line) ? 90 : 0;
}

enum status plan_table_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	static const char *const needed[] = {"StartDevice", "StartPort", "EndDevice", "EndPort"};
	struct plan p = {.source = s};
	struct table t;
	cell_list cells = {0};
	const char *at = s->text, *end = s->text + s->size;
	uint32_t line;
	enum status status = OK;

	*out = NULL;
	if (!find_header(s, &t, &at, &line)) {
		struct mark first = {.source = s, .line = 1};

		diag_error(d, first, "like StartDevice,StartPort,EndDevice,EndPort",
			   "no line names the columns of a cable plan");
		return E_INPUT;
	}
	for (int i = A_DEVICE; i <= B_PORT; i++)
		if (t.at[i] < 0 && status == OK) {
			struct mark header = {.source = s, .line = line};

			diag_error(d, header, NULL, "the column %s is missing", needed[i]);
			status = E_INPUT;
		}
	while (status == OK && at < end) {
		struct text row = next_line(&at, end);

		line++;
		if (!row.n || *row.at == '#')
			continue;
		split(row, t.separator, &cells);
		read_row(&p, &t, &cells, line);
	}
	if (status == OK)
		status = plan_fabric(&p, "cable plan", o, d, out);
	vec_free(&cells);
	plan_free(&p);
	return status;
}

/* ---- Omni-Path ---------------------------------------------------------------------------------------- */

enum { OPA_LONG = 19, OPA_SHORT = 12, OPA_ENDS = 7 };

static bool opa_rate(struct text t)
{
	return t.n >= 2 && t.n < 6 && (t.at[t.n - 1] == 'g' || t.at[t.n - 1] == 'G') && strspn(t.at, "0123456789.") == t.n - 1;
}

static uint64_t parse_guid(struct text t)
{
	uint64_t guid = 0;

	if (t.n < 3 || t.n > 18 || t.at[0] != '0' || t.at[1] != 'x')
		return UNKNOWN;
	for (size_t i = 2; i < t.n; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = t.at[i] ? strchr(digits, t.at[i]) : NULL;

		if (!digit)
			return UNKNOWN;
		guid = guid << 4 | (uint64_t)(digit - digits);
	}
	return guid;
}

static struct plan_end opa_end(const cell_list *c, bool is_long, int side)
{
	int first = is_long ? OPA_ENDS + 6 * side : 6 + 3 * side;
	struct text type = cell_at(c, first + (is_long ? 4 : 1));
	struct plan_end e = {.device = cell_at(c, first + 2), .port = cell_at(c, first + (is_long ? 1 : 0)), .class = CLASS_NONE, .guid = UNKNOWN};

	if (is_long)
		e.guid = parse_guid(cell_at(c, first));
	if (!e.device.n)
		e.device = cell_at(c, first);
	e.class = text_is(type, "SW") ? CLASS_SWITCH : text_is(type, "FI") ? CLASS_NIC : CLASS_NONE;
	return e;
}

static bool read_opa(struct plan *p, struct text row, cell_list *cells, uint32_t line)
{
	struct plan_end a, b;
	bool is_long;

	split(row, ';', cells);
	is_long = cells->n >= OPA_LONG;
	if (cells->n < OPA_SHORT || !opa_rate(cells->at[0]))
		return false;
	a = opa_end(cells, is_long, 0);
	b = opa_end(cells, is_long, 1);
	if (!a.device.n || !b.device.n)
		return false;
	if (p) {
		struct plan_link link = {.rate = parse_rate(p, cells->at[0]), .length_um = UNKNOWN, .line = line};

		if (is_long)
			link.length_um = parse_length(p, cells->at[4], (struct text){"", 0});
		plan_add(p, &a, &b, &link);
	}
	return true;
}

/* ---- lines by hand -------------------------------------------------------------------------------------- */

static bool take_end(struct text *line, struct plan_end *e)
{
	size_t n = 0, colon = 0;

	*line = text_trim(*line);
	while (n < line->n && !strchr(" \t,", line->at[n])) {
		if (line->at[n] == ':')
			colon = n;
		n++;
	}
	if (!colon || colon + 1 >= n)
		return false;
	*e = (struct plan_end){.device = {line->at, colon}, .port = {line->at + colon + 1, n - colon - 1}, .class = CLASS_NONE, .guid = UNKNOWN};
	while (n < line->n && strchr(" \t,", line->at[n]))
		n++;
	*line = (struct text){line->at + n, line->n - n};
	return true;
}

/* "leaf1:49 spine1:1 400 Gb/s" */
static bool read_hand(struct plan *p, struct text row, cell_list *cells, uint32_t line)
{
	struct plan_end a, b;
	uint64_t rate = UNKNOWN;
	const char *comment = memmem(row.at, row.n, " #", 2);

	(void)cells;
	if (comment)
		row.n = (size_t)(comment - row.at);
	if (!take_end(&row, &a))
		return false;
	if (row.n > 3 && (!memcmp(row.at, "-- ", 3) || !memcmp(row.at, "<->", 3)))
		row = (struct text){row.at + 3, row.n - 3};
	if (!take_end(&row, &b))
		return false;
	row = text_trim(row);
	if (row.n) {
		struct plan scratch = {0};

		rate = parse_rate(p ? p : &scratch, row);
		arena_free(&scratch.arena);
		if (rate == UNKNOWN)
			return false;
	}
	if (p)
		plan_add(p, &a, &b, &(struct plan_link){.rate = rate, .length_um = UNKNOWN, .line = line});
	return true;
}

/* ---- tables without a header ------------------------------------------------------------------------------ */

typedef bool read_function(struct plan *p, struct text row, cell_list *cells, uint32_t line);

/* The first lines that say something are all rows. */
static int recognise_rows(const struct source *s, read_function *read, int score)
{
	const char *at = s->text, *end = s->text + (s->size < RECOGNISE_BYTES ? s->size : RECOGNISE_BYTES);
	cell_list cells = {0};
	int good = 0, bad = 0;

	while (at < end && good + bad < 8) {
		struct text row = next_line(&at, end);

		if (!row.n || *row.at == '#')
			continue;
		if (read(NULL, row, &cells, 0))
			good++;
		else
			bad++;
	}
	vec_free(&cells);
	return good && good > 3 * bad ? score : 0;
}

static enum status read_rows(const struct source *s, read_function *read, const char *title, const struct io_options *o,
			     struct diag *d, struct fabric **out)
{
	struct plan p = {.source = s};
	const char *at = s->text, *end = s->text + s->size;
	cell_list cells = {0};
	uint32_t line = 0;
	enum status status;

	while (at < end) {
		struct text row = next_line(&at, end);

		line++;
		if (row.n && *row.at != '#' && !read(&p, row, &cells, line))
			skip_row(&p, line);
	}
	status = plan_fabric(&p, title, o, d, out);
	vec_free(&cells);
	plan_free(&p);
	return status;
}

int plan_opa_recognise(const struct source *s)
{
	return recognise_rows(s, read_opa, 80);
}

enum status plan_opa_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	return read_rows(s, read_opa, "Omni-Path links", o, d, out);
}

int plan_hand_recognise(const struct source *s)
{
	return recognise_rows(s, read_hand, 50);
}

enum status plan_hand_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	return read_rows(s, read_hand, "list of cables", o, d, out);
}
