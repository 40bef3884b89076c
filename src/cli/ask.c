/* What the options ask: selection, what-if, kinds, units; and running the analyses named. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_internal.h"

/* ---- the question ------------------------------------------------------------------------------ */

static enum status apply_faults(struct cli *c, struct question *q)
{
	enum status s = fault_apply_all(&q->context, &c->diag, &q->overlay);
	for (int derate = 0; derate <= 1; derate++) {
		enum option_id id = derate ? OPT_DERATE : OPT_FAIL;
		for (size_t i = 0; s == OK && i < c->values[id].n; i++) {
			struct fault fault;
			s = fault_parse(&c->arena, c->values[id].at[i], derate, &c->diag, &fault);
			if (s == OK)
				s = fault_apply(&q->context, &fault, &c->diag, &q->overlay);
		}
	}
	q->changed = !overlay_is_empty(q->fabric, &q->overlay);
	return s;
}

static enum status unknown_kind(struct cli *c, const struct fabric *f, const char *name)
{
	VEC(const char *) words = {0};
	for (size_t i = 0; i < f->kinds.n; i++)
		vec_push(&words, fabric_str(f, f->kinds.at[i].name));
	enum status s = cli_refuse(c, cli_hint(c, name, words.at, words.n), "--over: there is no kind of link `%s`", name);
	vec_free(&words);
	return s;
}

static enum status read_over(struct cli *c, struct question *q)
{
	const char *text = cli_value(c, OPT_OVER);
	if (!text)
		return OK;
	q->over = idset_new((uint32_t)q->fabric->kinds.n);
	for (const char *s = text;; s++) {
		size_t n = strcspn(s, ",");
		char *name = arena_strndup(&c->arena, s, n);
		uint32_t kind = fabric_kind(q->fabric, name);
		if (kind == NONE)
			return unknown_kind(c, q->fabric, name);
		idset_add(&q->over, kind);
		s += n;
		if (!*s)
			break;
	}
	q->request.project.over = &q->over;
	return OK;
}

enum status read_projection(struct cli *c, struct projection_options *p)
{
	static const char *const transits[] = {"all", "selected"};
	static const char *const exact[] = {"exact"};
	uint32_t class, unit, transit, require;
	enum status s = cli_word(c, OPT_ENDPOINTS, class_names, CLASS_COUNT, &class);
	if (s == OK)
		s = cli_word(c, OPT_UNIT, module_kind_names, MODULE_KIND_COUNT, &unit);
	if (s == OK)
		s = cli_word(c, OPT_TRANSIT, transits, ARRAY_LEN(transits), &transit);
	if (s == OK)
		s = cli_word(c, OPT_REQUIRE, exact, ARRAY_LEN(exact), &require);
	if (s != OK)
		return s;
	*p = (struct projection_options){0};
	p->endpoints = class == NONE ? CLASS_NONE : (enum device_class)class;
	p->unit = unit == NONE ? -1 : (int)unit;
	p->transit_selected = transit == 1;
	p->relay = cli_has(c, OPT_RELAY);
	return OK;
}

/* "10 s", "500 ms", or seconds; 0 is none. */
static enum status read_time_limit(struct cli *c, int64_t *ms)
{
	const char *text = cli_value(c, OPT_TIME_LIMIT), *why, *hint;
	struct quantity quantity;
	*ms = 10000;
	if (!text)
		return OK;
	char *end;
	double seconds = strtod(text, &end);
	if (!*end && seconds >= 0 && seconds < 1e9) {
		*ms = (int64_t)(seconds * 1000);
		return OK;
	}
	if (!quantity_parse(&c->arena, text, strlen(text), &quantity, &why, &hint) || quantity.dim != DIM_TIME)
		return cli_refuse(c, "like 30 s, 500 ms, or 0 for none", "--time-limit: a time was expected, not `%s`",
				  text);
	*ms = (int64_t)(quantity.value / 1000000000u);
	return OK;
}

enum status read_search(struct cli *c, struct request *r)
{
	uint64_t jobs;
	enum status s = cli_number(c, OPT_SEED, 1, &r->seed);
	if (s == OK)
		s = cli_number(c, OPT_JOBS, 1, &jobs);
	if (s == OK)
		s = read_time_limit(c, &r->time_limit_ms);
	if (s == OK)
		r->jobs = jobs < 1 ? 1 : jobs > 256 ? 256 : (unsigned)jobs;
	return s;
}

enum status read_diff_options(struct cli *c, struct diff_options *o)
{
	struct source names = {0};
	enum status s = OK;
	if (cli_value(c, OPT_NAMES))
		s = source_read(&c->arena, cli_value(c, OPT_NAMES), 64u << 20, &c->diag, &names);
	*o = (struct diff_options){c->values[OPT_IGNORE].at, c->values[OPT_IGNORE].n, names.text};
	return s;
}

enum status question_new(struct cli *c, const struct fabric *f, struct question *q)
{
	*q = (struct question){.fabric = f, .overlay = overlay_new(f), .context = {.fabric = f}};
	q->request = (struct request){.fabric = f};
	const char *selection = cli_value(c, OPT_SELECT);
	enum status s = read_search(c, &q->request);
	if (s == OK)
		s = read_projection(c, &q->request.project);
	if (s == OK)
		s = read_over(c, q);
	if (s == OK)
		s = apply_faults(c, q);
	if (s == OK && selection)
		s = select_eval(&q->context, selection, (struct mark){0}, &c->diag, &q->selection);
	if (s == OK && selection)
		q->request.project.selection = &q->selection;
	if (q->changed)
		q->request.overlay = &q->overlay;
	return s;
}

void question_free(struct question *q)
{
	overlay_free(&q->overlay);
	idset_free(&q->selection);
	idset_free(&q->over);
	for (size_t i = 0; i < q->designs.n; i++)
		fabric_free(q->designs.at[i]);
	vec_free(&q->designs);
}

/* ---- which analyses ---------------------------------------------------------------------------- */

static size_t operand_count(const struct analysis *a)
{
	size_t n = *a->operands ? 1 : 0;
	for (const char *s = a->operands; *s; s++)
		n += *s == ' ';
	return n;
}

static enum status unknown_analysis(struct cli *c, const char *word)
{
	VEC(const char *) names = {0};
	for (size_t i = 0; i < analysis_count; i++)
		vec_push(&names, analyses[i].name);
	enum status s = cli_refuse(c, cli_hint(c, word, names.at, names.n), "there is no analysis `%s`", word);
	vec_free(&names);
	return s;
}

enum status asked_parse(struct cli *c, size_t first, asked_list *out)
{
	for (size_t i = first; i < c->operands.n; i++) {
		const char *word = c->operands.at[i];
		struct asked x = {.analysis = analysis_find(word)};
		if (!x.analysis)
			return unknown_analysis(c, word);
		size_t n = operand_count(x.analysis);
		for (size_t k = 0; k < n; k++) {
			if (i + 1 >= c->operands.n)
				return cli_refuse(c, NULL, "%s needs %s", word, x.analysis->operands);
			x.operand[k] = c->operands.at[++i];
		}
		vec_push(out, x);
	}
	return OK;
}

void asked_default(asked_list *out)
{
	static const char *const names[] = {"summary", "bisection", "blocking"};
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (analysis_find(names[i]))
			vec_push(out, (struct asked){.analysis = analysis_find(names[i])});
}

/* ---- running ------------------------------------------------------------------------------------ */

/* What was planned, for diff. It lives as long as the question. */
static enum status open_design(struct cli *c, struct question *q, const char *operand, struct request *r)
{
	struct fabric *f;
	enum status s = cli_open(c, operand, &f);
	const struct fabric **list;
	if (s != OK)
		return s;
	vec_push(&q->designs, f);
	list = arena_alloc(&c->arena, sizeof *list);
	*list = f;
	r->designs = list;
	r->design_count = 1;
	r->diff = &q->diff;
	return read_diff_options(c, &q->diff);
}

static enum status read_operands(struct cli *c, struct question *q, const struct asked *x, struct request *r)
{
	bool is_size = !strcmp(x->analysis->operands, "SIZE");
	*r = q->request;
	if (!strcmp(x->analysis->operands, "DESIGN"))
		return open_design(c, q, x->operand[0], r);
	if (is_size)
		r->size_text = x->operand[0];
	for (size_t i = 0; i < 2 && x->operand[i] && !is_size; i++) {
		r->operand_text[i] = x->operand[i];
		enum status s = select_eval(&q->context, x->operand[i], (struct mark){0}, &c->diag, &r->operand[i]);
		if (s != OK)
			return s;
	}
	return OK;
}

static void wait_for(struct run *const *running, size_t n)
{
	struct pollfd *fds = mem_array(n, sizeof *fds);
	for (size_t i = 0; i < n; i++)
		fds[i] = (struct pollfd){.fd = running[i] ? run_fd(running[i]) : -1, .events = POLLIN};
	poll(fds, (nfds_t)n, 20);
	free(fds);
}

/* Runs list[0 … n-1], at most `jobs` at once. */
static enum status run_all(const asked_list *list, const struct request *requests, unsigned jobs,
			   struct result *results)
{
	struct run **running = mem_array(list->n, sizeof(struct run *));
	size_t started = 0, finished = 0, busy = 0;
	while (finished < list->n) {
		while (started < list->n && busy < jobs && !cli_interrupted()) {
			running[started] = run_start(list->at[started].analysis, &requests[started]);
			started++;
			busy++;
		}
		wait_for(running, started);
		for (size_t i = 0; i < started; i++) {
			if (!running[i])
				continue;
			if (cli_interrupted())
				run_cancel(running[i]);
			if (run_poll(running[i]))
				continue;
			results[i] = run_finish(running[i]);
			running[i] = NULL;
			finished++;
			busy--;
		}
		if (cli_interrupted() && !busy)
			break;
	}
	free(running);
	return cli_interrupted() ? E_CANCELLED : OK;
}

enum status asked_run(struct cli *c, struct question *q, const asked_list *list, struct result *results)
{
	struct request *requests = mem_array(list->n + 1, sizeof *requests);
	enum status s = OK;
	for (size_t i = 0; s == OK && i < list->n; i++)
		s = read_operands(c, q, &list->at[i], &requests[i]);
	if (s == OK)
		s = run_all(list, requests, q->request.jobs, results);
	for (size_t i = 0; i < list->n; i++) {
		idset_free(&requests[i].operand[0]);
		idset_free(&requests[i].operand[1]);
		if (s == OK && results[i].failed) {
			diag_error(&c->diag, (struct mark){0}, NULL, "%s: %s", list->at[i].analysis->name,
				   results[i].text ? results[i].text : "failed");
			s = E_BUG;
		}
		if (s == OK && cli_has(c, OPT_VERBOSE))
			diag_add(&c->diag, LEVEL_NOTE, (struct mark){0}, NULL, NULL, "%s took %lld ms",
				 list->at[i].analysis->name, (long long)results[i].elapsed_ms);
	}
	free(requests);
	return s;
}

/* ---- findings ----------------------------------------------------------------------------------- */

void question_findings(const struct question *q, struct findings *out)
{
	lint_run(q->fabric, q->changed ? &q->overlay : NULL, out);
}

void put_finding(struct strbuf *b, const struct finding *x, bool color)
{
	struct message m = {.level = x->level, .mark = x->mark, .text = x->text, .hint = x->hint};
	if (m.mark.source)
		m.mark.column = 0; /* one line each: the place is enough */
	struct source plain = {.name = m.mark.source ? m.mark.source->name : NULL};
	if (m.mark.source)
		m.mark.source = &plain;
	message_put(b, &m, color);
}

void put_json(struct strbuf *b, json_t *value)
{
	char *text = json_dumps(value, JSON_INDENT(1) | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY);
	strbuf_printf(b, "%s\n", text ? text : "null");
	free(text);
	json_decref(value);
}
