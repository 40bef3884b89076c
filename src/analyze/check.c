/* check: does what a design claims hold? An expectation names an analysis, a field of its JSON, a selection and a
 * value; the analysis runs, and the number found is compared to the digits that were written. Bounds that do not
 * decide are "undecided", which is a failure with its own name.
 */
#include "analyze/analyze_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct checker {
	const struct expectation *e;
	struct request request;
	struct diag *diag;
	struct arena arena;
	struct overlay overlay;
	struct idset selection, operands[2], over;
	const struct analysis *analysis;
	const char *field;
};

/* What was found: an interval in the unit of the claim, or a word. */
struct found {
	double low, high;
	const char *word;
	enum dimension dim;
	bool both;
};

static enum status PRINTF_LIKE(3, 4) complain(struct checker *c, const char *hint, const char *fmt, ...)
{
	struct strbuf b = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	diag_error(c->diag, c->e->mark, hint, "%s", strbuf_str(&b));
	strbuf_free(&b);
	return E_INPUT;
}

/* The same about a word that is not known: the nearest one, or all there are. */
static enum status PRINTF_LIKE(5, 6) complain_word(struct checker *c, const char *word, const char *const *known,
						   size_t n, const char *fmt, ...)
{
	const char *near = nearest_word(word, known, n);
	struct strbuf hint = STRBUF_INIT, b = STRBUF_INIT;
	va_list ap;

	if (near)
		strbuf_printf(&hint, "did you mean `%s`?", near);
	for (size_t i = 0; !near && i < n; i++)
		strbuf_printf(&hint, "%s%s", i ? ", " : "known are ", known[i]);
	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	complain(c, strbuf_str(&hint), "%s", strbuf_str(&b));
	strbuf_free(&hint);
	strbuf_free(&b);
	return E_INPUT;
}

/* ---- asking --------------------------------------------------------------------------------------------------------- */

/* count, aggregate and injection stand for fields of the summary. */
static enum status choose_analysis(struct checker *c)
{
	static const struct {
		const char *word, *field;
	} short_forms[] = {{"count", "count"}, {"aggregate", "aggregate_both_Bps"}, {"injection", "injection_Bps"}};
	const char *known[16];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(short_forms); i++) {
		known[n++] = short_forms[i].word;
		if (strcmp(c->e->analysis, short_forms[i].word) == 0) {
			c->analysis = analysis_find("summary");
			c->field = c->e->field ? c->e->field : short_forms[i].field;
			return OK;
		}
	}
	c->analysis = analysis_find(c->e->analysis);
	if (c->analysis && strcmp(c->analysis->operands, "DESIGN")) {
		c->field = c->e->field ? c->e->field : c->analysis->main_field;
		return OK;
	}
	for (size_t i = 0; i < analysis_count && n < ARRAY_LEN(known); i++)
		if (strcmp(analyses[i].operands, "DESIGN"))
			known[n++] = analyses[i].name;
	return complain_word(c, c->e->analysis, known, n, "`%s` is nothing that can be claimed", c->e->analysis);
}

static enum status choose_class(struct checker *c)
{
	const char *word = c->e->endpoints;

	if (!word)
		return OK;
	for (int i = 0; i < CLASS_COUNT; i++)
		if (strcmp(word, class_names[i]) == 0) {
			c->request.project.endpoints = (enum device_class)i;
			return OK;
		}
	return complain_word(c, word, class_names, CLASS_COUNT, "`%s` is no class of endpoints", word);
}

static enum status choose_unit(struct checker *c)
{
	const char *word = c->e->unit;

	if (!word)
		return OK;
	for (int i = 0; i < MODULE_KIND_COUNT; i++)
		if (strcmp(word, module_kind_names[i]) == 0) {
			c->request.project.unit = i;
			return OK;
		}
	return complain_word(c, word, module_kind_names, MODULE_KIND_COUNT, "`%s` is no kind of module", word);
}

/* KIND,KIND … as ids; names that do not exist are an error with the nearest one. */
static enum status choose_over(struct checker *c)
{
	const struct fabric *f = c->request.fabric;
	char *words, *rest, *word;
	enum status s = OK;

	if (!c->e->over)
		return OK;
	c->over = idset_new((uint32_t)f->kinds.n);
	rest = words = mem_strdup(c->e->over);
	while (s == OK && (word = strsep(&rest, ", ")) != NULL) {
		uint32_t kind = fabric_kind(f, word);

		if (kind != NONE)
			idset_add(&c->over, kind);
		else if (*word)
			s = complain(c, "see `toponaut info` for the kinds of link", "there is no link kind `%s`", word);
	}
	c->request.project.over = &c->over;
	free(words);
	return s;
}

static enum status apply_fault(struct checker *c, const char *text, bool derate)
{
	struct select_context ctx = {.fabric = c->request.fabric};
	struct fault x;
	enum status s;

	if (!text)
		return OK;
	s = fault_parse(&c->arena, text, derate, c->diag, &x);
	return s == OK ? fault_apply(&ctx, &x, c->diag, &c->overlay) : s;
}

static enum status select_operands(struct checker *c)
{
	struct select_context ctx = {.fabric = c->request.fabric};
	enum status s = OK;

	if (*c->analysis->operands && !c->e->operands[1])
		return complain(c, "write two selections in brackets: [A, B]", "%s is between two selections",
				c->analysis->name);
	if (!*c->analysis->operands && c->e->operands[1])
		return complain(c, "join them to one: \"A, B\"", "%s is about one selection, not two", c->e->analysis);
	if (c->e->operands[1]) {
		for (int i = 0; i < 2 && s == OK; i++) {
			s = select_eval(&ctx, c->e->operands[i], c->e->mark, c->diag, &c->operands[i]);
			c->request.operand[i] = c->operands[i];
			c->request.operand_text[i] = c->e->operands[i];
		}
		return s;
	}
	if (!c->e->operands[0])
		return OK;
	s = select_eval(&ctx, c->e->operands[0], c->e->mark, c->diag, &c->selection);
	c->request.project.selection = &c->selection;
	return s;
}

static enum status prepare(struct checker *c)
{
	enum status s = choose_analysis(c);

	if (s == OK)
		s = choose_class(c);
	if (s == OK)
		s = choose_unit(c);
	if (s == OK)
		s = choose_over(c);
	if (s == OK)
		s = select_operands(c);
	if (s == OK)
		s = apply_fault(c, c->e->fail, false);
	if (s == OK)
		s = apply_fault(c, c->e->derate, true);
	if (c->e->transit)
		c->request.project.transit_selected = strcmp(c->e->transit, "selected") == 0;
	if (c->e->relay)
		c->request.project.relay = strcmp(c->e->relay, "true") == 0;
	return s;
}

/* ---- finding the number ----------------------------------------------------------------------------------------------- */

static const json_t *walk(const json_t *value, const char *path)
{
	char *copy = mem_strdup(path), *rest = copy, *key;

	while (value && (key = strsep(&rest, ".")) != NULL)
		value = json_is_array(value) ? json_array_get(value, (size_t)strtoul(key, NULL, 10))
					     : json_object_get(value, key);
	free(copy);
	return value;
}

static bool is_rate_field(const char *field)
{
	size_t n = strlen(field);

	return n >= 3 && strcmp(field + n - 3, "Bps") == 0;
}

/* A value as JSON has it, into the interval; bytes per second become bits per second. */
static bool take_value(struct found *f, const json_t *value, double scale)
{
	if (json_is_string(value)) {
		f->word = json_string_value(value);
		return true;
	}
	if (!json_is_number(value))
		return false;
	f->low = f->high = json_number_value(value) * scale;
	return true;
}

static bool find_interval(struct found *f, const json_t *result, const char *low, const char *high, double scale)
{
	const json_t *a = json_object_get(result, low), *b = json_object_get(result, high);

	if (!json_is_number(a) || !json_is_number(b))
		return false;
	f->low = json_number_value(a) * scale;
	f->high = json_number_value(b) * scale;
	return true;
}

/* The main field "Bps" stands for the interval lower … upper, whichever unit it is in. */
static bool find_value(const struct checker *c, const json_t *result, struct found *f)
{
	const json_t *range;

	f->dim = DIM_COUNT;
	if (strcmp(c->field, "Bps") == 0) {
		f->dim = strcmp(result_text(result, "unit"), "links") == 0 ? DIM_LINKS : DIM_RATE;
		return f->dim == DIM_LINKS ? find_interval(f, result, "lower_links", "upper_links", 1)
					   : find_interval(f, result, "lower_Bps", "upper_Bps", 8);
	}
	f->dim = is_rate_field(c->field) ? DIM_RATE : DIM_COUNT;
	f->both = strstr(c->field, "both") != NULL;
	range = walk(result, c->field);
	if (json_is_object(range))
		return find_interval(f, range, "min", "max", f->dim == DIM_RATE ? 8 : 1);
	return take_value(f, range, f->dim == DIM_RATE ? 8 : 1);
}

static bool is_counted(const struct checker *c, uint32_t d)
{
	const struct idset *selection = c->request.project.selection;

	return (!selection || idset_has(selection, d)) && !idset_has(&c->overlay.failed, d);
}

/* "@host" stands for modules of this kind where the file has no devices of the class: they are what is counted. */
static bool counts_hosts(const struct checker *c)
{
	const struct fabric *f = c->request.fabric;

	for (uint32_t d = 0; d < f->device_count; d++)
		if (device_class(f, d) == CLASS_HOST)
			return false;
	return c->e->operands[0] && !strcmp(c->e->operands[0], "@host");
}

/* The end of the module of a class that begins with this device when all of it counts: it is one thing from above; or d. */
static uint32_t closed_end(const struct checker *c, uint32_t d, bool hosts)
{
	const struct fabric *f = c->request.fabric;
	uint32_t end = d;

	for (uint32_t m = f->module[d]; m != NONE && m && f->modules.at[m].first_device == d; m = f->modules.at[m].parent) {
		uint32_t last = d;

		if (f->modules.at[m].class == CLASS_NONE && !(hosts && f->modules.at[m].kind == MODULE_HOST))
			continue;
		while (last < f->modules.at[m].end_device && is_counted(c, last))
			last++;
		end = last == f->modules.at[m].end_device ? last : end;
	}
	return end;
}

/* Devices that have not failed. */
static void count_devices(const struct checker *c, struct found *f)
{
	uint32_t n = 0;
	bool hosts = counts_hosts(c);

	for (uint32_t d = 0; d < c->request.fabric->device_count; d++) {
		uint32_t end = closed_end(c, d, hosts);

		n += is_counted(c, d);
		d = end > d ? end - 1 : d;
	}
	f->dim = DIM_COUNT;
	f->low = f->high = n;
}

/* Fields are those of the result: what it does not have cannot be claimed. An unknown result lacks most of its own. */
static enum status check_field(struct checker *c, const json_t *result)
{
	const json_t *at = walk(result, c->field);
	const char *keys[64], *key;
	json_t *value, *parent = (json_t *)result;
	size_t n = 0;

	if (!c->e->field || strcmp(result_text(result, "status"), "unknown") == 0)
		return OK;
	if (at && !json_is_array(at) && !(json_is_object(at) && !json_object_get(at, "min")))
		return OK;
	if (at)
		return complain(c, NULL, "`%s` of %s is no single value", c->field, c->analysis->name);
	json_object_foreach(parent, key, value)
		if (n < ARRAY_LEN(keys))
			keys[n++] = key;
	return complain_word(c, c->field, keys, n, "%s has no field `%s`", c->analysis->name, c->field);
}

/* The rate of a link when all that count are of one rate: it turns links into a rate. */
static double link_rate(const struct checker *c)
{
	struct network n = network_build(c->request.fabric, c->request.overlay, &c->request.project);
	uint64_t rate = UNKNOWN;
	bool same = true;

	for (uint32_t t = 0; t < c->request.fabric->trunk_count; t++) {
		uint64_t r = n.edge_of[t] == NONE ? UNKNOWN : c->request.fabric->trunks[t].rate;

		if (n.edge_of[t] == NONE)
			continue;
		same = same && r != UNKNOWN && (rate == UNKNOWN || rate == r);
		rate = r;
	}
	network_free(&n);
	return same && rate != UNKNOWN ? (double)rate : NAN;
}

/* ---- comparing ------------------------------------------------------------------------------------------------------------ */

struct claim {
	double value, slack; /* what may differ: half of the last digit, or --within */
	const char *word;
};

/* Turns found and claimed into one unit. */
static enum status convert(struct checker *c, struct found *f, struct quantity *q, struct claim *claim)
{
	double scale = 1;

	if (q->dim == DIM_RATE && f->dim == DIM_RATE && q->both != f->both)
		scale = q->both ? 0.5 : 2;
	if (f->both && !q->both && q->dim == DIM_RATE)
		return complain(c, "write `both` behind it, as in 129.6 TB/s both",
				"`%s` is compared with a sum of both directions", c->e->value);
	if (q->dim == DIM_LINKS && f->dim == DIM_RATE) {
		scale = link_rate(c);
		if (isnan(scale))
			return complain(c, "write a rate instead", "`%s` counts links, which here have different rates",
					c->e->value);
	} else if (q->dim == DIM_RATIO && f->dim == DIM_COUNT) {
		scale = 1e-6;
	} else if (q->dim != f->dim && !(q->dim == DIM_COUNT && f->dim == DIM_LINKS)) {
		return complain(c, f->dim == DIM_RATE ? "a rate is expected, as in 32.4 TB/s" : "a number is expected",
				"`%s` does not have the unit of what it is compared with", c->e->value);
	}
	claim->value = (double)q->value * scale;
	claim->slack = (double)q->ulp * scale / 2;
	if (q->dim == DIM_COUNT || q->dim == DIM_LINKS)
		claim->slack = scale * 1e-9;
	return OK;
}

/* Plain decimals ("0.5", "1.33") are not quantities: ratios and the like. */
static bool parse_decimal(const char *text, struct claim *claim)
{
	const char *point = strchr(text, '.');
	char *end;

	if (!*text || strspn(text, "0123456789.") != strlen(text))
		return false;
	claim->value = strtod(text, &end);
	claim->slack = 0.5 * pow(10, point ? -(double)strlen(point + 1) : -9) * (1 + 1e-9);
	return *end == '\0';
}

static enum status parse_claim(struct checker *c, struct found *f, struct claim *claim)
{
	const char *why = NULL, *hint = NULL;
	struct quantity q;
	enum status s = OK;

	claim->word = c->e->value;
	if (f->word)
		return OK;
	if (f->dim == DIM_COUNT && parse_decimal(c->e->value, claim)) {
		claim->slack = strchr(c->e->value, '.') ? claim->slack : 1e-9;
	} else if (quantity_parse(&c->arena, c->e->value, strlen(c->e->value), &q, &why, &hint)) {
		s = convert(c, f, &q, claim);
	} else {
		diag_error(c->diag, c->e->mark, hint, "`%s`: %s", c->e->value, why);
		s = E_INPUT;
	}
	if (s == OK && c->e->within) {
		double part = strtod(c->e->within, NULL) / (strchr(c->e->within, '%') ? 100 : 1);

		claim->slack = fabs(claim->value) * part;
	}
	return s;
}

static enum verdict_outcome judge(const struct checker *c, const struct found *f, const struct claim *claim)
{
	double low = claim->value - claim->slack, high = claim->value + claim->slack;

	if (f->word) {
		bool same = strcmp(f->word, claim->word) == 0;

		if (strcmp(claim->word, "nonblocking") == 0)
			same = strcmp(f->word, "strict-sense") == 0 || strcmp(f->word, "rearrangeable") == 0;
		return same ? VERDICT_OK : strcmp(f->word, "unknown") == 0 ? VERDICT_UNDECIDED : VERDICT_FAILED;
	}
	if (c->e->op == EXPECT_ATLEAST)
		return f->low >= low ? VERDICT_OK : f->high < low ? VERDICT_FAILED : VERDICT_UNDECIDED;
	if (c->e->op == EXPECT_ATMOST)
		return f->high <= high ? VERDICT_OK : f->low > high ? VERDICT_FAILED : VERDICT_UNDECIDED;
	if (f->low >= low && f->high <= high)
		return VERDICT_OK;
	return f->high < low || f->low > high ? VERDICT_FAILED : VERDICT_UNDECIDED;
}

static void put_number(struct strbuf *b, const struct found *f, double value)
{
	if (f->dim == DIM_RATE)
		put_rate(b, (uint64_t)(value + 0.5));
	else
		strbuf_printf(b, "%.10g%s", value, f->dim == DIM_LINKS ? " links" : "");
}

static char *found_text(const struct found *f)
{
	struct strbuf b = STRBUF_INIT;

	if (f->word) {
		strbuf_puts(&b, f->word);
	} else if (f->low == f->high) {
		put_number(&b, f, f->low);
	} else {
		strbuf_putc(&b, '[');
		put_number(&b, f, f->low);
		strbuf_puts(&b, ", ");
		put_number(&b, f, f->high);
		strbuf_putc(&b, ']');
	}
	if (f->both)
		strbuf_puts(&b, " both directions");
	return b.text;
}

/* ---- one expectation ---------------------------------------------------------------------------------------------------- */

static void compare(struct checker *c, const json_t *result, struct verdict *v)
{
	struct found f = {0};
	struct claim claim = {0};

	if (strcmp(c->field, "count") == 0) {
		count_devices(c, &f);
	} else if (check_field(c, result) != OK) {
		v->outcome = VERDICT_ERROR;
		return;
	} else if (!find_value(c, result, &f)) {
		v->outcome = VERDICT_UNDECIDED;
		v->found = mem_strdup(*result_text(result, "reason") ? result_text(result, "reason") : "unknown");
		return;
	}
	if (parse_claim(c, &f, &claim) != OK) {
		v->outcome = VERDICT_ERROR;
		return;
	}
	v->outcome = judge(c, &f, &claim);
	v->found = found_text(&f);
}

static void ask(struct checker *c, struct verdict *v)
{
	struct result r;

	if (strcmp(c->field, "count") == 0) {
		compare(c, NULL, v);
		return;
	}
	r = run_now(c->analysis, &c->request);
	if (r.failed) {
		v->outcome = VERDICT_UNDECIDED;
		v->found = mem_strdup(r.text);
	} else {
		compare(c, r.json, v);
	}
	result_free(&r);
}

struct verdict check_one(const struct request *base, const struct expectation *e, struct diag *d)
{
	struct checker c = {.e = e, .request = *base, .diag = d};
	struct verdict v = {.expect = e, .outcome = VERDICT_ERROR};
	size_t before = d->messages.n;

	c.overlay = base->overlay ? overlay_copy(base->fabric, base->overlay) : overlay_new(base->fabric);
	c.request.overlay = &c.overlay;
	if (prepare(&c) == OK)
		ask(&c, &v);
	if (v.outcome == VERDICT_ERROR && d->messages.n > before)
		v.message = mem_strdup(d->messages.at[d->messages.n - 1].text);
	overlay_free(&c.overlay);
	idset_free(&c.selection);
	idset_free(&c.operands[0]);
	idset_free(&c.operands[1]);
	idset_free(&c.over);
	arena_free(&c.arena);
	return v;
}

/* ---- --that ---------------------------------------------------------------------------------------------------------------- */

static enum status bad_claim(const char *text, struct diag *d)
{
	struct source s = {.name = "--that", .text = text, .size = strlen(text)};

	diag_error(d, ((struct mark){.source = &s, .line = 1, .column = 1}), "as in: bisection @gpu atleast 30 TB/s",
		   "expected ANALYSIS[.FIELD] SELECTION is|atleast|atmost VALUE, or [A, B] for SELECTION");
	return E_USAGE;
}

/* The operator is the last of its words that stands free: selections may hold anything before it. */
static const char *find_operator(const char *text, enum expect_op *op, size_t *length)
{
	static const char *const words[] = {" is ", " atleast ", " atmost "};
	const char *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		for (const char *p = strstr(text, words[i]); p; p = strstr(p + 1, words[i])) {
			if (!found || p > found) {
				found = p;
				*op = (enum expect_op)i;
				*length = strlen(words[i]);
			}
		}
	}
	return found;
}

/* The comma between the two selections of "[A, B]": the only one outside of quotes and inner brackets; or NULL. */
static const char *find_comma(const char *text, size_t n)
{
	const char *found = NULL;
	bool quoted = false;
	int depth = 0;

	for (size_t i = 1; i + 1 < n; i++) {
		if (text[i] == '\\' && i + 2 < n) {
			i++;
			continue;
		}
		quoted ^= text[i] == '\'';
		if (quoted)
			continue;
		depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
		if (text[i] != ',' || depth)
			continue;
		if (found)
			return NULL;
		found = text + i;
	}
	return found;
}

/* "SELECTION" or "[A, B]". */
static bool parse_operands(struct arena *a, const char *text, size_t n, struct expectation *out)
{
	const char *comma;

	while (n && text[n - 1] == ' ')
		n--;
	if (n < 2 || text[0] != '[' || text[n - 1] != ']') {
		out->operands[0] = n ? arena_strndup(a, text, n) : NULL;
		return true;
	}
	comma = find_comma(text, n);
	if (!comma)
		return false;
	out->operands[0] = arena_strndup(a, text + 1, (size_t)(comma - text) - 1);
	comma++;
	comma += strspn(comma, " ");
	out->operands[1] = arena_strndup(a, comma, (size_t)(text + n - 1 - comma));
	return true;
}

enum status expectation_parse(struct arena *a, const char *text, struct diag *d, struct expectation *out)
{
	const char *operator, *first = text + strcspn(text, " "), *dot;
	size_t length = 0;

	*out = (struct expectation){0};
	operator = find_operator(text, &out->op, &length);
	if (!operator || first > operator || first == text || !operator[length])
		return bad_claim(text, d);
	dot = memchr(text, '.', (size_t)(first - text));
	out->analysis = arena_strndup(a, text, (size_t)((dot ? dot : first) - text));
	if (dot)
		out->field = arena_strndup(a, dot + 1, (size_t)(first - dot - 1));
	while (*first == ' ' && first < operator)
		first++;
	if (first < operator && !parse_operands(a, first, (size_t)(operator - first), out))
		return bad_claim(text, d);
	out->value = arena_strdup(a, operator + length);
	return OK;
}
