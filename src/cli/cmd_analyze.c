/* toponaut analyze, and toponaut info, which is the summary with what the file says about itself. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_internal.h"

static void put_warnings(struct cli *c, const struct findings *found)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < found->list.n; i++) {
		const struct finding *x = &found->list.at[i];
		if (x->level == LEVEL_ERROR || (x->level == LEVEL_WARNING && !cli_has(c, OPT_QUIET)) ||
		    cli_has(c, OPT_VERBOSE))
			put_finding(&b, x, cli_color(c, STDERR_FILENO));
	}
	fwrite(strbuf_str(&b), 1, b.n, stderr);
	strbuf_free(&b);
}

static void put_results(struct cli *c, const asked_list *list, const struct result *results)
{
	for (size_t i = 0; i < list->n; i++) {
		if (c->out.n)
			strbuf_putc(&c->out, '\n');
		list->at[i].analysis->put(results[i].json, &c->out);
		if (cli_has(c, OPT_EXPLAIN) && list->at[i].analysis->explain) {
			strbuf_putc(&c->out, '\n');
			list->at[i].analysis->explain(results[i].json, &c->out);
		}
	}
}

/* A result, or any part of it, that is bounds, unknown, or was stopped. (A summary's status is that of the sources.) */
static bool is_exact(const json_t *value)
{
	const char *status = json_string_value(json_object_get(value, "status"));
	const char *key;
	json_t *part;
	size_t i;
	if (status && (!strcmp(status, "bounds") || !strcmp(status, "unknown")))
		return false;
	if (json_is_string(json_object_get(value, "stopped")))
		return false;
	json_object_foreach((json_t *)value, key, part)
		if (!is_exact(part))
			return false;
	json_array_foreach(value, i, part)
		if (!is_exact(part))
			return false;
	return true;
}

static bool all_exact(const asked_list *list, const struct result *results)
{
	for (size_t i = 0; i < list->n; i++)
		if (!is_exact(results[i].json))
			return false;
	return true;
}

static void put_fault(struct strbuf *b, const struct fault *x)
{
	strbuf_puts(b, "the file says that ");
	strbuf_printf(b, "%s%s%s ", x->selection ? x->selection : x->end_a, x->selection ? "" : "--",
		      x->selection ? "" : x->end_b);
	if (x->action == FAULT_DERATE)
		strbuf_printf(b, "has %.10g%% left\n", x->keep_ppm / 1e4);
	else if (x->links != NONE)
		strbuf_printf(b, "lacks %u link%s of each trunk\n", x->links, x->links == 1 ? "" : "s");
	else
		strbuf_puts(b, "has failed\n");
}

/* Numbers of a damaged fabric say so, wherever the damage comes from. */
static void put_what_if(struct cli *c, const struct fabric *f)
{
	enum { SHOWN = 8 };
	for (size_t i = 0; i < f->faults.n && i < SHOWN; i++)
		put_fault(&c->out, &f->faults.at[i]);
	if (f->faults.n > SHOWN)
		strbuf_printf(&c->out, "and %zu faults more\n", f->faults.n - SHOWN);
	for (size_t i = 0; i < c->values[OPT_FAIL].n; i++)
		strbuf_printf(&c->out, "what if %s fails\n", c->values[OPT_FAIL].at[i]);
	for (size_t i = 0; i < c->values[OPT_DERATE].n; i++)
		strbuf_printf(&c->out, "what if %s\n", c->values[OPT_DERATE].at[i]);
}

/* What the file says about itself. */
static void put_about(struct cli *c, const struct fabric *f)
{
	struct strbuf *b = &c->out;
	if (f->description)
		strbuf_printf(b, "  about      %s\n", f->description);
	for (size_t i = 0; i < f->parameters.n; i++)
		strbuf_printf(b, "%s%s=%s%s", i ? ", " : "  params     ", f->parameters.at[i].name,
			      f->parameters.at[i].value, i + 1 == f->parameters.n ? "\n" : "");
	for (size_t i = 0; i < f->groups.n; i++)
		strbuf_printf(b, "%s@%s%s", i ? " " : "  groups     ", f->groups.at[i].name,
			      i + 1 == f->groups.n ? "\n" : "");
	for (size_t i = 0; i < f->provenance.n; i++)
		strbuf_printf(b, "  %s    %s\n", i ? "       " : "sources", f->provenance.at[i]);
}

/* What was concluded or supplied, so that nobody takes it for a fact of the file. */
static void put_marked(struct cli *c, const struct fabric *f)
{
	struct idset inferred = idset_new(f->device_count);
	uint32_t trunks = 0, kinds = 0;
	for (uint32_t d = 0; d < f->device_count; d++)
		if (f->flags[d] & FLAG_INFERRED)
			idset_add(&inferred, d);
	for (uint32_t t = 0; t < f->trunk_count; t++)
		trunks += (f->trunks[t].flags & FLAG_INFERRED) != 0;
	if (!idset_is_empty(&inferred) || trunks) {
		strbuf_puts(&c->out, "inferred   ");
		select_put(f, &inferred, &c->out);
		if (trunks)
			strbuf_printf(&c->out, "%s%u trunk%s", idset_is_empty(&inferred) ? "" : " and ", trunks,
				      trunks == 1 ? "" : "s");
		strbuf_puts(&c->out, ", not in the file\n");
	}
	for (size_t k = 0; k < f->kinds.n; k++)
		if (f->kinds.at[k].rate_assumed)
			strbuf_printf(&c->out, "%s%s", kinds++ ? ", " : "assumed    the rate of ",
				      fabric_str(f, f->kinds.at[k].name));
	if (kinds)
		strbuf_puts(&c->out, ", from outside of the file\n");
	idset_free(&inferred);
}

static bool is_csv(const struct cli *c)
{
	const char *format = cli_value(c, OPT_FORMAT);
	return format && !strcmp(format, "csv");
}

static enum status put_table(struct cli *c, const asked_list *list, const struct result *results)
{
	if (list->n == 1 && result_csv(results[0].json, &c->out))
		return OK;
	return cli_refuse(c, "for instance: toponaut analyze gb300-nvl72 bom -f csv",
			  list->n == 1 ? "%s is no table, which csv needs" : "csv is for one analysis", list->at[0].analysis->name);
}

static int answer(struct cli *c, struct question *q, const asked_list *list, bool about)
{
	struct findings found = {0};
	struct result *results = mem_array(list->n + 1, sizeof *results);
	enum status s = asked_run(c, q, list, results);
	int code = cli_exit(s);
	if (s == OK) {
		question_findings(q, &found);
		if (cli_json(c)) {
			put_json(&c->out, results_document(&q->request, cli_value(c, OPT_SELECT), results, list->n, &found));
		} else if (is_csv(c)) {
			s = put_table(c, list, results);
			code = cli_exit(s);
		} else {
			put_what_if(c, q->fabric);
			put_results(c, list, results);
			if (about)
				put_about(c, q->fabric);
			put_marked(c, q->fabric);
		}
		cli_flush_messages(c);
		put_warnings(c, &found);
		if (cli_has(c, OPT_REQUIRE) && !all_exact(list, results))
			code = EXIT_CHECK;
	}
	for (size_t i = 0; i < list->n; i++)
		result_free(&results[i]);
	findings_free(&found);
	free(results);
	return code;
}

static int open_and_answer(struct cli *c, const char *operand, const asked_list *list, bool about)
{
	struct fabric *f;
	struct question q;
	enum status s = cli_open(c, operand, &f);
	if (s != OK)
		return cli_exit(s);
	s = question_new(c, f, &q);
	int code = s == OK ? answer(c, &q, list, about) : cli_exit(s);
	question_free(&q);
	fabric_free(f);
	return code;
}

int info_of(struct cli *c, const char *operand)
{
	asked_list list = {0};
	vec_push(&list, (struct asked){.analysis = analysis_find("summary")});
	int code = open_and_answer(c, operand, &list, true);
	vec_free(&list);
	return code;
}

/* Several operands are outputs of one machine: the first is opened, and the others joined with it. */
int cmd_info(struct cli *c)
{
	if (!c->operands.n)
		return cli_exit(cli_refuse(c, "for instance: toponaut info gb300-nvl72", "info needs a file or a layout"));
	if (cli_check_format(c) != OK)
		return EXIT_USAGE;
	for (size_t i = 1; i < c->operands.n; i++)
		vec_push(&c->values[OPT_JOIN], c->operands.at[i]);
	return info_of(c, c->operands.at[0]);
}

int cmd_analyze(struct cli *c)
{
	asked_list list = {0};
	if (!c->operands.n)
		return cli_exit(cli_refuse(c, "for instance: toponaut analyze gb300-nvl72 bisection",
					   "analyze needs a file or a layout"));
	enum status s = is_csv(c) ? OK : cli_check_format(c);
	if (s == OK)
		s = asked_parse(c, 1, &list);
	if (s == OK && !list.n)
		asked_default(&list);
	int code = s == OK ? open_and_answer(c, c->operands.at[0], &list, false) : cli_exit(s);
	vec_free(&list);
	return code;
}
