/* toponaut diff: designs against what was built. */
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli_internal.h"

struct diff_inputs {
	struct cli *c;
	VEC(struct fabric *) fabrics; /* the last one was built */
	struct diff_options options;
};

/* What a reader left out or could not make sense of may be what differs. */
static void put_read(struct cli *c, const struct fabric *f)
{
	struct strbuf b = STRBUF_INIT;

	for (size_t i = 0; i < f->findings.n; i++) {
		const struct finding *x = &f->findings.at[i];

		if (x->level == LEVEL_ERROR || (x->level == LEVEL_WARNING && !cli_has(c, OPT_QUIET)) || cli_has(c, OPT_VERBOSE))
			put_finding(&b, x, cli_color(c, STDERR_FILENO));
	}
	fwrite(strbuf_str(&b), 1, b.n, stderr);
	strbuf_free(&b);
}

static enum status open_all(struct diff_inputs *x)
{
	enum status s = OK;
	for (size_t i = 0; s == OK && i < x->c->operands.n; i++) {
		struct fabric *f;
		s = cli_open(x->c, x->c->operands.at[i], &f);
		if (s != OK)
			break;
		put_read(x->c, f);
		vec_push(&x->fabrics, f);
	}
	return s == OK ? read_diff_options(x->c, &x->options) : s;
}

static json_t *compare(const struct diff_inputs *x)
{
	size_t last = x->fabrics.n - 1;
	const struct fabric **designs = mem_array(last, sizeof *designs);
	for (size_t i = 0; i < last; i++)
		designs[i] = x->fabrics.at[i];
	json_t *diff = diff_fabrics(x->fabrics.at[last], designs, last, &x->options);
	free(designs);
	return diff;
}

static json_t *document(const struct cli *c, json_t *diff)
{
	json_t *designs = json_array();
	for (size_t i = 0; i + 1 < c->operands.n; i++)
		json_array_append_new(designs, json_string(c->operands.at[i]));
	return json_pack("{s:i, s:o, s:s, s:O}", "toponaut", 1, "designs", designs, "built",
			 c->operands.at[c->operands.n - 1], "diff", diff);
}

int cmd_diff(struct cli *c)
{
	static const char *const formats[] = {"text", "json", "csv"};
	struct diff_inputs x = {.c = c};
	uint32_t format;
	if (c->operands.n < 2)
		return cli_exit(cli_refuse(c, "for instance: toponaut diff plan.csv ibnetdiscover.txt",
					   "diff needs a design and what was built"));
	enum status s = cli_word(c, OPT_FORMAT, formats, ARRAY_LEN(formats), &format);
	if (s == OK)
		s = open_all(&x);
	int code = cli_exit(s);
	if (s == OK) {
		json_t *diff = compare(&x);
		code = diff_is_empty(diff) ? EXIT_FINE : EXIT_CHECK;
		if (format == 1)
			put_json(&c->out, document(c, diff));
		else if (format == 2)
			diff_csv(diff, &c->out);
		else
			diff_put(diff, &c->out);
		json_decref(diff);
	}
	for (size_t i = 0; i < x.fabrics.n; i++)
		fabric_free(x.fabrics.at[i]);
	vec_free(&x.fabrics);
	return code;
}
