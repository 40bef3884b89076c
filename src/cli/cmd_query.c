/* toponaut query: paths of a selection. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli_internal.h"

static void put_paths(struct cli *c, const struct fabric *f, const struct idset *s)
{
	idset_each(d, s) {
		device_path(f, d, &c->out);
		strbuf_putc(&c->out, '\n');
	}
}

static void put_document(struct cli *c, const struct fabric *f, const struct idset *s)
{
	json_t *paths = json_array(), *o = json_object();
	struct strbuf b = STRBUF_INIT;
	idset_each(d, s) {
		strbuf_trim(&b, 0);
		device_path(f, d, &b);
		json_array_append_new(paths, json_string(b.text));
	}
	strbuf_trim(&b, 0);
	select_put(f, s, &b);
	json_object_set_new(o, "toponaut", json_integer(1));
	json_object_set_new(o, "source", json_string(f->source_name));
	json_object_set_new(o, "selection", json_string(strbuf_str(&b)));
	json_object_set_new(o, "count", json_integer(idset_count(s)));
	json_object_set_new(o, "paths", paths);
	put_json(&c->out, o);
	strbuf_free(&b);
}

int cmd_query(struct cli *c)
{
	struct fabric *f;
	struct idset s = {0};
	if (c->operands.n != 2)
		return cli_exit(cli_refuse(c, "for instance: toponaut query gb300-nvl72 'compute[0-3]/gpu*'",
					   "query needs a file and one selection"));
	enum status status = cli_check_format(c);
	if (status == OK)
		status = cli_open(c, c->operands.at[0], &f);
	if (status != OK)
		return cli_exit(status);
	struct select_context context = {.fabric = f};
	status = select_eval(&context, c->operands.at[1], (struct mark){0}, &c->diag, &s);
	if (status == OK && cli_json(c))
		put_document(c, f, &s);
	else if (status == OK)
		put_paths(c, f, &s);
	idset_free(&s);
	fabric_free(f);
	return cli_exit(status);
}
