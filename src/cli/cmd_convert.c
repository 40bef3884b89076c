/* toponaut convert: the fabric in another format. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli_internal.h"

/* By -f, a name or an ending, else by the ending of -o, else our own language. */
static const struct io_format *choose(struct cli *c)
{
	const char *name = cli_value(c, OPT_FORMAT), *path = cli_value(c, OPT_OUTPUT);
	const char *dot = path ? strrchr(path, '.') : NULL;
	VEC(const char *) known = {0};
	const struct io_format *found = NULL;
	for (size_t i = 0; i < io_format_count; i++) {
		if (!io_formats[i].write)
			continue;
		vec_push(&known, io_formats[i].name);
		bool by_ending = name ? !strcmp(name, io_formats[i].extension + 1) : dot && !strcmp(dot, io_formats[i].extension);
		if (!found && (by_ending || (name && !strcmp(name, io_formats[i].name))))
			found = &io_formats[i];
	}
	if (!found && !name && (!dot || !strcmp(dot, ".yml")))
		found = io_format_find("yaml");
	if (!found)
		cli_refuse(c, cli_hint(c, name ? name : "", known.at, known.n),
			   name ? "`%s` is no format that can be written" : "the ending of `%s` is no format that can be written",
			   name ? name : path);
	vec_free(&known);
	return found;
}

int cmd_convert(struct cli *c)
{
	struct fabric *f;
	struct question q;
	struct strbuf b = STRBUF_INIT;
	if (c->operands.n != 1)
		return cli_exit(cli_refuse(c, "for instance: toponaut convert fat-tree -D k=8 -o fat-tree.json",
					   "convert needs one file or layout"));
	const struct io_format *format = choose(c);
	if (!format)
		return EXIT_USAGE;
	enum status s = cli_open(c, c->operands.at[0], &f);
	if (s != OK)
		return cli_exit(s);
	s = question_new(c, f, &q);
	if (s == OK)
		s = format->write(f, q.request.overlay, &c->diag, &b);
	if (s == OK && cli_value(c, OPT_OUTPUT))
		s = cli_write_file(c, cli_value(c, OPT_OUTPUT), &b);
	else if (s == OK)
		strbuf_add(&c->out, strbuf_str(&b), b.n);
	strbuf_free(&b);
	question_free(&q);
	fabric_free(f);
	return cli_exit(s);
}
