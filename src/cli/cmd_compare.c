/* toponaut compare: several designs, or one over values of its parameters, side by side: a table, and a plot of each
 * number in block characters.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_internal.h"

enum { CASES_MAX = 256, PLOT_W = 40 };

/* One column of answers: a number with its unit, or a word. */
struct value {
	double lower, upper; /* NAN: no number */
	enum { UNIT_PLAIN, UNIT_RATE, UNIT_LINKS, UNIT_SHARE } unit;
	char *word; /* owned, or NULL */
	json_t *json;
};

/* One design with one choice of values. */
struct compared {
	const char *file;
	char *label;          /* owned */
	VEC(char *) defines;  /* owned */
	size_t from, end;     /* its own options: those behind so many operands */
	bool refused;         /* it could not be read, which was said */
	uint64_t endpoints;
	struct value *values; /* one for each analysis */
};

struct comparison {
	struct cli *c;
	size_t files; /* operands before the analyses */
	asked_list list;
	VEC(struct compared) cases;
};

/* ---- cases ------------------------------------------------------------------------------------------------ */

/* "4..16..4": from, to and step; false for anything else. */
static bool range_of(const char *text, long long x[3])
{
	int n = 0;
	x[2] = 1;
	for (; n < 3; n++) {
		char *end;
		x[n] = strtoll(text, &end, 10);
		if (end == text)
			return false;
		if (!*end)
			return n > 0;
		if (strncmp(end, "..", 2) != 0)
			return false;
		text = end + 2;
	}
	return false;
}

/* "4..16..4" or "4,8,16" as single values; n is 1 for anything else. */
static enum status spread(struct cli *c, const char *define, const char *text, const char **out, size_t max, size_t *n)
{
	long long x[3];
	*n = 0;
	if (range_of(text, x)) {
		if (x[2] <= 0 || x[1] < x[0])
			return cli_refuse(c, "ranges count up: k=4..16, or k=4..16..4 in steps of 4", "-D %s: this range is empty", define);
		for (long long value = x[0]; value <= x[1] && *n < max; value += x[2])
			out[(*n)++] = arena_printf(&c->arena, "%lld", value);
		return OK;
	}
	if (strstr(text, ".."))
		return cli_refuse(c, "ranges are whole numbers: k=4..16, or k=4..16..4 in steps of 4", "-D %s: this is no range", define);
	while (*text && *n < max) {
		size_t k = strcspn(text, ",");
		out[(*n)++] = arena_strndup(&c->arena, text, k);
		text += k + (text[k] == ',');
	}
	return OK;
}

/* An option belongs to the file before it; before the first file, and behind the analyses, to all. */
static bool belongs(const struct comparison *x, enum option_id id, size_t i, size_t file)
{
	size_t place = x->c->places[id].at[i];
	return place == 0 || place > x->files || place == file + 1;
}

/* What makes this file another one than the same without: its own options as they were written. */
static void put_own_options(const struct comparison *x, size_t file, struct strbuf *b)
{
	const struct cli *c = x->c;
	for (int id = 0; id < OPT_COUNT; id++)
		for (size_t i = 0; id != OPT_DEFINE && i < c->values[id].n; i++)
			if (c->places[id].at[i] == file + 1 && (x->files > 1 || id == OPT_FAIL || id == OPT_DERATE) && id != OPT_FORMAT) {
				strbuf_printf(b, " --%s", options[id].name);
				if (options[id].arg) {
					strbuf_putc(b, ' ');
					put_shell_word(b, c->values[id].at[i]);
				}
			}
}

static void add_case(struct comparison *x, size_t file, char **defines, size_t n)
{
	struct compared p = {.file = x->c->operands.at[file], .from = file + 1, .end = file + 1};
	struct strbuf b = STRBUF_INIT;
	strbuf_puts(&b, p.file);
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(&b, " %s", defines[i]);
		vec_push(&p.defines, mem_strdup(defines[i]));
	}
	put_own_options(x, file, &b);
	p.label = mem_strdup(strbuf_str(&b));
	strbuf_free(&b);
	vec_push(&x->cases, p);
}

/* Every combination of the values of -D, the first one slowest. */
static enum status add_cases(struct comparison *x, size_t file, size_t define, char **chosen, size_t n)
{
	struct cli *c = x->c;
	while (define < c->values[OPT_DEFINE].n && !belongs(x, OPT_DEFINE, define, file))
		define++;
	if (define == c->values[OPT_DEFINE].n) {
		if (x->cases.n == CASES_MAX)
			return cli_refuse(c, NULL, "more than %d cases to compare", CASES_MAX);
		add_case(x, file, chosen, n);
		return OK;
	}
	const char *text = c->values[OPT_DEFINE].at[define], *values[CASES_MAX + 1];
	size_t name = strcspn(text, "=") + (strchr(text, '=') != NULL);
	size_t count;
	enum status s = spread(c, text, text + name, values, CASES_MAX + 1, &count);
	for (size_t i = 0; s == OK && i < count; i++) {
		chosen[n] = arena_printf(&c->arena, "%.*s%s", (int)name, text, values[i]);
		s = add_cases(x, file, define + 1, chosen, n + 1);
	}
	return s;
}

static enum status make_cases(struct comparison *x)
{
	struct cli *c = x->c;
	while (x->files < c->operands.n && !analysis_find(c->operands.at[x->files]))
		x->files++;
	if (!x->files)
		return cli_refuse(c, "for instance: toponaut compare fat-tree -D k=4..16..4 bisection",
				  "compare needs a file or a layout");
	enum status s = asked_parse(c, x->files, &x->list);
	if (s == OK && !x->list.n)
		vec_push(&x->list, (struct asked){.analysis = analysis_find("bisection")});
	char **chosen = mem_array(c->values[OPT_DEFINE].n + 1, sizeof *chosen);
	for (size_t f = 0; s == OK && f < x->files; f++)
		s = add_cases(x, f, 0, chosen, 0);
	free(chosen);
	return s;
}

/* ---- asking --------------------------------------------------------------------------------------------------- */

static double number_at(const json_t *json, const char *prefix, const char *field)
{
	char *path = mem_printf("%s%s", prefix, field);
	char *at = path;
	while (json && at) {
		char *dot = strchr(at, '.');
		if (dot)
			*dot = 0;
		json = json_object_get(json, at);
		at = dot ? dot + 1 : NULL;
	}
	free(path);
	return json_is_number(json) ? json_number_value(json) : NAN;
}

static struct value value_of(const struct analysis *a, json_t *json)
{
	static const struct {
		const char *prefix[2], *field;
	} forms[] = {{{"lower_", "upper_"}, "Bps"}, {{"lower_", "upper_"}, "links"}};
	struct value v = {.lower = NAN, .upper = NAN, .json = json_incref(json)};
	for (size_t i = 0; i < ARRAY_LEN(forms) && strcmp(a->main_field, "Bps") == 0 && isnan(v.upper); i++) {
		v.lower = number_at(json, forms[i].prefix[0], forms[i].field);
		v.upper = number_at(json, forms[i].prefix[1], forms[i].field);
		v.unit = i == 0 ? UNIT_RATE : UNIT_LINKS;
	}
	if (!isnan(v.upper))
		return v;
	v.lower = v.upper = number_at(json, "", a->main_field);
	size_t n = strlen(a->main_field);
	v.unit = n > 4 && !strcmp(a->main_field + n - 4, "_Bps") ? UNIT_RATE
		 : strchr(a->main_field, '.')			 ? UNIT_SHARE
								 : UNIT_PLAIN;
	const char *word = json_string_value(json_object_get(json, a->main_field));
	if (isnan(v.upper) && word)
		v.word = mem_strdup(word);
	return v;
}

/* A command line of its own: the options of all, and those of its file. */
static void options_of(const struct comparison *x, size_t at, struct cli *out)
{
	const struct cli *c = x->c;
	const struct compared *p = &x->cases.at[at];
	*out = (struct cli){.env = c->env, .command = c->command, .layout_dir_count = c->layout_dir_count};
	memcpy(out->layout_dirs, c->layout_dirs, sizeof c->layout_dirs);
	for (int id = 0; id < OPT_COUNT; id++)
		for (size_t i = 0; id != OPT_DEFINE && i < c->values[id].n; i++)
			if (belongs(x, (enum option_id)id, i, p->from - 1))
				vec_push(&out->values[id], c->values[id].at[i]);
	for (size_t i = 0; i < p->defines.n; i++)
		vec_push(&out->values[OPT_DEFINE], p->defines.at[i]);
}

static uint64_t endpoints_of(const struct question *q)
{
	struct network n = network_build(q->fabric, q->request.overlay, &q->request.project);
	uint64_t count = n.endpoint_count;
	network_free(&n);
	return count;
}

static enum status ask_case(struct comparison *x, size_t at)
{
	struct compared *p = &x->cases.at[at];
	struct cli c;
	struct fabric *f = NULL;
	struct question q;
	struct result *results = mem_array(x->list.n + 1, sizeof *results);
	options_of(x, at, &c);
	enum status s = cli_open(&c, p->file, &f);
	bool opened = s == OK;
	if (opened)
		s = question_new(&c, f, &q);
	if (s == OK)
		s = asked_run(&c, &q, &x->list, results);
	p->values = mem_array(x->list.n + 1, sizeof *p->values);
	for (size_t i = 0; i < x->list.n; i++)
		p->values[i] = s == OK ? value_of(x->list.at[i].analysis, results[i].json) : (struct value){.lower = NAN, .upper = NAN};
	p->refused = s != OK;
	if (s == OK)
		p->endpoints = endpoints_of(&q);
	cli_flush_messages(&c);
	for (size_t i = 0; i < x->list.n; i++)
		result_free(&results[i]);
	if (opened) {
		question_free(&q);
		fabric_free(f);
	}
	for (int id = 0; id < OPT_COUNT; id++)
		vec_free(&c.values[id]);
	arena_free(&c.arena);
	strbuf_free(&c.out);
	free(results);
	return s;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

static void put_one(struct strbuf *b, const struct value *v, double number)
{
	if (v->unit == UNIT_RATE)
		put_rate(b, (uint64_t)(number * 8 + 0.5));
	else if (v->unit == UNIT_SHARE)
		strbuf_printf(b, "%.4g", number);
	else
		put_count(b, (uint64_t)number);
	strbuf_puts(b, v->unit == UNIT_LINKS ? " links" : "");
}

static void put_value(struct strbuf *b, const struct value *v)
{
	if (isnan(v->upper)) {
		strbuf_puts(b, v->word ? v->word : "–");
		return;
	}
	if (v->lower == v->upper) {
		put_one(b, v, v->upper);
		return;
	}
	strbuf_putc(b, '[');
	put_one(b, v, v->lower);
	strbuf_puts(b, ", ");
	put_one(b, v, v->upper);
	strbuf_putc(b, ']');
}

static void pad(struct strbuf *b, const char *text, size_t width, bool right)
{
	size_t have = text_width(text);
	for (; right && have < width; have++)
		strbuf_putc(b, ' ');
	strbuf_puts(b, text);
	for (; !right && have < width; have++)
		strbuf_putc(b, ' ');
}

/* "summary both": sums of both directions say so. */
static const char *column_name(const struct comparison *x, size_t k)
{
	const struct analysis *a = x->list.at[k].analysis;
	return strstr(a->main_field, "both") ? arena_printf(&x->c->arena, "%s both", a->name) : a->name;
}

/* What the others are held against: the first one that could be read. */
static const struct value *first_of(const struct comparison *x, size_t k)
{
	size_t i = 0;
	while (i + 1 < x->cases.n && x->cases.at[i].refused)
		i++;
	return &x->cases.at[i].values[k];
}

static size_t label_width(const struct comparison *x)
{
	size_t w = 4;
	for (size_t i = 0; i < x->cases.n; i++)
		w = text_width(x->cases.at[i].label) > w ? text_width(x->cases.at[i].label) : w;
	return w;
}

/* "×2.25" of the first case; nothing where one of them is no exact number. */
static void put_ratio(struct strbuf *b, const struct value *v, const struct value *first)
{
	if (v != first && v->lower == v->upper && first->lower == first->upper && first->upper > 0)
		strbuf_printf(b, "×%.3g", v->upper / first->upper);
}

static bool has_ratio(const struct comparison *x, size_t k)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < x->cases.n; i++)
		put_ratio(&b, &x->cases.at[i].values[k], first_of(x, k));
	bool any = b.n > 0;
	strbuf_free(&b);
	return any;
}

static size_t value_width(const struct comparison *x, size_t k)
{
	struct strbuf b = STRBUF_INIT;
	size_t w = strlen(column_name(x, k));
	for (size_t i = 0; i < x->cases.n; i++) {
		strbuf_trim(&b, 0);
		put_value(&b, &x->cases.at[i].values[k]);
		w = text_width(strbuf_str(&b)) > w ? text_width(strbuf_str(&b)) : w;
	}
	strbuf_free(&b);
	return w + 3;
}

static void put_case(struct comparison *x, size_t i, struct strbuf *cell)
{
	enum { RATIO_W = 10 };
	struct strbuf *b = &x->c->out;
	const struct compared *p = &x->cases.at[i];
	pad(b, p->label, label_width(x), false);
	strbuf_trim(cell, 0);
	if (p->refused)
		strbuf_puts(cell, "–");
	else
		put_count(cell, p->endpoints);
	pad(b, strbuf_str(cell), 12, true);
	for (size_t k = 0; k < x->list.n; k++) {
		strbuf_trim(cell, 0);
		put_value(cell, &p->values[k]);
		pad(b, strbuf_str(cell), value_width(x, k), true);
		strbuf_trim(cell, 0);
		put_ratio(cell, &p->values[k], first_of(x, k));
		pad(b, strbuf_str(cell), has_ratio(x, k) ? RATIO_W : 0, true);
	}
	while (b->n && b->text[b->n - 1] == ' ')
		strbuf_trim(b, b->n - 1);
	strbuf_putc(b, '\n');
}

/* Columns are as wide as what stands in them; behind numbers, how many times those of the first row they are. */
static void put_table(struct comparison *x)
{
	struct strbuf *b = &x->c->out, cell = STRBUF_INIT;
	pad(b, "", label_width(x), false);
	pad(b, "endpoints", 12, true);
	for (size_t k = 0; k < x->list.n; k++) {
		pad(b, column_name(x, k), value_width(x, k), true);
		pad(b, has_ratio(x, k) ? "of first" : "", has_ratio(x, k) ? 10 : 0, true);
	}
	strbuf_putc(b, '\n');
	for (size_t i = 0; i < x->cases.n; i++)
		put_case(x, i, &cell);
	strbuf_free(&cell);
}

/* A bar in eighths of a cell; what is only an upper bound goes on as dots. */
static void put_bar(struct strbuf *b, double lower, double upper, double most, bool ascii)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	unsigned sure = (unsigned)(lower / most * PLOT_W * 8 + 0.5), all = (unsigned)(upper / most * PLOT_W * 8 + 0.5);
	for (unsigned i = 0; i < sure / 8; i++)
		strbuf_puts(b, ascii ? "#" : "█");
	if (!ascii)
		strbuf_puts(b, eighths[sure % 8]);
	for (unsigned i = (sure + 7) / 8; i < (all + 7) / 8; i++)
		strbuf_puts(b, ascii ? "." : "░");
}

static void put_plot(struct comparison *x, size_t k)
{
	struct strbuf *b = &x->c->out;
	double most = 0;
	for (size_t i = 0; i < x->cases.n; i++)
		most = x->cases.at[i].values[k].upper > most ? x->cases.at[i].values[k].upper : most;
	if (!(most > 0) || x->cases.n < 2)
		return;
	const struct value *first = first_of(x, k);
	bool both = strstr(x->list.at[k].analysis->main_field, "both") != NULL;
	strbuf_printf(b, "\n%s%s\n", x->list.at[k].analysis->title,
		      first->unit != UNIT_RATE ? "" : both ? ", sum of both directions" : ", one direction");
	for (size_t i = 0; i < x->cases.n; i++) {
		const struct value *v = &x->cases.at[i].values[k];
		pad(b, x->cases.at[i].label, label_width(x), false);
		strbuf_puts(b, "  ");
		if (x->cases.at[i].refused) {
			strbuf_puts(b, "not possible\n");
			continue;
		}
		if (!isnan(v->upper))
			put_bar(b, v->lower, v->upper, most, cli_ascii(x->c));
		strbuf_putc(b, ' ');
		put_value(b, v);
		strbuf_putc(b, '\n');
	}
}

static void put_document(struct comparison *x)
{
	json_t *cases = json_array();
	for (size_t i = 0; i < x->cases.n; i++) {
		const struct compared *p = &x->cases.at[i];
		json_t *one = json_object(), *defines = json_array();
		for (size_t k = 0; k < p->defines.n; k++)
			json_array_append_new(defines, json_string(p->defines.at[k]));
		json_object_set_new(one, "source", json_string(p->file));
		json_object_set_new(one, "define", defines);
		json_object_set_new(one, "label", json_string(p->label));
		json_object_set_new(one, "endpoints", p->refused ? json_null() : json_integer((json_int_t)p->endpoints));
		for (size_t k = 0; k < x->list.n; k++)
			json_object_set_new(one, x->list.at[k].analysis->name,
					    p->values[k].json ? json_incref(p->values[k].json) : json_null());
		json_array_append_new(cases, one);
	}
	json_t *document = json_object();
	json_object_set_new(document, "toponaut", json_integer(1));
	json_object_set_new(document, "compare", cases);
	put_json(&x->c->out, document);
}

static void comparison_free(struct comparison *x)
{
	for (size_t i = 0; i < x->cases.n; i++) {
		struct compared *p = &x->cases.at[i];
		for (size_t k = 0; p->values && k < x->list.n; k++) {
			free(p->values[k].word);
			json_decref(p->values[k].json);
		}
		for (size_t k = 0; k < p->defines.n; k++)
			free(p->defines.at[k]);
		vec_free(&p->defines);
		free(p->values);
		free(p->label);
	}
	vec_free(&x->cases);
	vec_free(&x->list);
}

/* Values that a design refuses leave a gap in the table; when all are refused there is none. */
static enum status ask_all(struct comparison *x, enum status *refused)
{
	enum status s = OK;
	size_t good = 0;
	for (size_t i = 0; s == OK && i < x->cases.n; i++) {
		s = ask_case(x, i);
		good += s == OK;
		if (s != E_INPUT && s != E_IO && s != E_LIMIT)
			continue;
		*refused = s;
		s = OK;
	}
	return s == OK && !good ? *refused : s;
}

int cmd_compare(struct cli *c)
{
	struct comparison x = {.c = c};
	enum status s = cli_check_format(c);
	if (s == OK)
		s = make_cases(&x);
	enum status refused = OK;
	if (s == OK)
		s = ask_all(&x, &refused);
	if (s == OK && cli_json(c)) {
		put_document(&x);
	} else if (s == OK) {
		put_table(&x);
		for (size_t k = 0; k < x.list.n; k++)
			put_plot(&x, k);
	}
	comparison_free(&x);
	return cli_exit(s == OK ? refused : s);
}
