/* toponaut check: findings, and the claims that a design makes about itself. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli_internal.h"

struct check {
	struct cli *c;
	struct question q;
	VEC(struct expectation) claims;
	VEC(struct verdict) verdicts;
	struct findings found;
	unsigned errors, warnings, failed;
};

static const char *const op_words[] = {[EXPECT_IS] = "is", [EXPECT_ATLEAST] = "atleast", [EXPECT_ATMOST] = "atmost"};
static const char *const outcome_words[] = {
	[VERDICT_OK] = "ok", [VERDICT_FAILED] = "failed", [VERDICT_UNDECIDED] = "undecided", [VERDICT_ERROR] = "error"};

static void put_claim(struct strbuf *b, const struct expectation *e)
{
	strbuf_puts(b, e->analysis);
	if (e->field)
		strbuf_printf(b, ".%s", e->field);
	for (size_t i = 0; i < 2 && e->operands[i]; i++)
		strbuf_printf(b, " %s", e->operands[i]);
	strbuf_printf(b, " %s %s", op_words[e->op], e->value);
	if (e->within)
		strbuf_printf(b, " within %s", e->within);
}

/* ---- gathering ---------------------------------------------------------------------------------- */

static enum status gather_claims(struct check *x, const struct fabric *design)
{
	struct cli *c = x->c;
	for (size_t i = 0; i < design->expectations.n; i++)
		vec_push(&x->claims, design->expectations.at[i]);
	for (size_t i = 0; i < c->values[OPT_THAT].n; i++) {
		struct expectation e;
		enum status s = expectation_parse(&c->arena, c->values[OPT_THAT].at[i], &c->diag, &e);
		if (s != OK)
			return s;
		vec_push(&x->claims, e);
	}
	return OK;
}

static enum status judge(struct check *x)
{
	question_findings(&x->q, &x->found);
	for (size_t i = 0; i < x->found.list.n; i++) {
		x->errors += x->found.list.at[i].level == LEVEL_ERROR;
		x->warnings += x->found.list.at[i].level == LEVEL_WARNING;
	}
	for (size_t i = 0; i < x->claims.n && !cli_interrupted(); i++) {
		struct verdict v = check_one(&x->q.request, &x->claims.at[i], &x->c->diag);
		x->failed += v.outcome != VERDICT_OK;
		vec_push(&x->verdicts, v);
	}
	return cli_interrupted() ? E_CANCELLED : OK;
}

static bool is_ok(const struct check *x)
{
	return !x->failed && !x->errors && !(cli_has(x->c, OPT_STRICT) && x->warnings);
}

/* ---- saying ------------------------------------------------------------------------------------- */

static void put_text(struct check *x, const char *operand)
{
	struct strbuf *b = &x->c->out;
	strbuf_printf(b, "%s\n", operand);
	for (size_t i = 0; i < x->found.list.n; i++) {
		const struct finding *f = &x->found.list.at[i];
		if (f->level == LEVEL_NOTE && !cli_has(x->c, OPT_VERBOSE))
			continue;
		strbuf_puts(b, "  ");
		put_finding(b, f, false);
	}
	for (size_t i = 0; i < x->verdicts.n; i++) {
		const struct verdict *v = &x->verdicts.at[i];
		strbuf_printf(b, "  %-9s ", outcome_words[v->outcome]);
		put_claim(b, v->expect);
		if (v->outcome != VERDICT_OK && v->found)
			strbuf_printf(b, ": found %s", v->found);
		if (v->message)
			strbuf_printf(b, ": %s", v->message);
		if (v->outcome != VERDICT_OK && v->expect->mark.source)
			strbuf_printf(b, " (%s:%u)", v->expect->mark.source->name, v->expect->mark.line);
		strbuf_putc(b, '\n');
	}
	strbuf_printf(b, "  %zu of %zu claims hold, %u error%s, %u warning%s\n", x->claims.n - x->failed, x->claims.n,
		      x->errors, x->errors == 1 ? "" : "s", x->warnings, x->warnings == 1 ? "" : "s");
}

static void set_text(json_t *o, const char *key, const char *text)
{
	json_object_set_new(o, key, text ? json_string(text) : json_null());
}

static void set_place(json_t *o, const struct mark *m)
{
	if (!m->source)
		return;
	set_text(o, "file", m->source->name);
	if (m->line)
		json_object_set_new(o, "line", json_integer(m->line));
}

static json_t *verdict_object(const struct verdict *v)
{
	json_t *o = json_object(), *operands = json_array();
	for (size_t i = 0; i < 2 && v->expect->operands[i]; i++)
		json_array_append_new(operands, json_string(v->expect->operands[i]));
	json_object_set_new(o, "ok", json_boolean(v->outcome == VERDICT_OK));
	set_text(o, "outcome", outcome_words[v->outcome]);
	set_text(o, "analysis", v->expect->analysis);
	if (v->expect->field)
		set_text(o, "field", v->expect->field);
	json_object_set_new(o, "operands", operands);
	set_text(o, "op", op_words[v->expect->op]);
	set_text(o, "value", v->expect->value);
	if (v->expect->within)
		set_text(o, "within", v->expect->within);
	set_text(o, "found", v->found);
	if (v->message)
		set_text(o, "message", v->message);
	set_place(o, &v->expect->mark);
	return o;
}

/* The findings as every document has them. */
static json_t *findings_array(const struct check *x)
{
	json_t *document = results_document(&x->q.request, NULL, NULL, 0, &x->found);
	json_t *list = json_incref(json_object_get(document, "warnings"));
	json_decref(document);
	return list;
}

static json_t *file_object(const struct check *x, const char *operand)
{
	json_t *o = json_object(), *expect = json_array();
	for (size_t i = 0; i < x->verdicts.n; i++)
		json_array_append_new(expect, verdict_object(&x->verdicts.at[i]));
	set_text(o, "source", operand);
	json_object_set_new(o, "ok", json_boolean(is_ok(x)));
	json_object_set_new(o, "expect", expect);
	json_object_set_new(o, "findings", findings_array(x));
	return o;
}

/* ---- one file, all files ------------------------------------------------------------------------- */

static void check_free(struct check *x)
{
	for (size_t i = 0; i < x->verdicts.n; i++) {
		free(x->verdicts.at[i].found);
		free(x->verdicts.at[i].message);
	}
	vec_free(&x->verdicts);
	vec_free(&x->claims);
	findings_free(&x->found);
	question_free(&x->q);
}

/* *ok tells whether it passed. */
static enum status check_file(struct cli *c, const char *operand, const struct fabric *design, json_t *files, bool *ok)
{
	struct check x = {.c = c};
	struct fabric *f;
	enum status s = cli_open(c, operand, &f);
	*ok = false;
	if (s != OK)
		return s;
	s = question_new(c, f, &x.q);
	if (s == OK)
		s = gather_claims(&x, design ? design : f);
	if (s == OK)
		s = judge(&x);
	if (s == OK && files)
		json_array_append_new(files, file_object(&x, operand));
	else if (s == OK)
		put_text(&x, operand);
	*ok = s == OK && is_ok(&x);
	cli_flush_messages(c);
	check_free(&x);
	fabric_free(f);
	return s;
}

int cmd_check(struct cli *c)
{
	struct fabric *design = NULL;
	if (!c->operands.n)
		return cli_exit(cli_refuse(c, "for instance: toponaut check gb300-nvl72", "check needs a file or a layout"));
	enum status s = cli_check_format(c);
	if (s == OK && cli_value(c, OPT_EXPECT))
		s = cli_open(c, cli_value(c, OPT_EXPECT), &design);
	json_t *files = s == OK && cli_json(c) ? json_array() : NULL;
	bool all_ok = true;
	int worst = cli_exit(s);
	for (size_t i = 0; s == OK && i < c->operands.n && !cli_interrupted(); i++) {
		bool ok;
		enum status one = check_file(c, c->operands.at[i], design, files, &ok);
		all_ok &= ok;
		int code = one == OK && !ok ? EXIT_CHECK : cli_exit(one);
		worst = code > worst ? code : worst;
	}
	if (files && worst <= EXIT_CHECK)
		put_json(&c->out, json_pack("{s:i, s:b, s:O}", "toponaut", 1, "ok", (int)all_ok, "files", files));
	json_decref(files);
	fabric_free(design);
	return worst;
}
