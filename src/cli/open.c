/* Opening files as the options say. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_internal.h"
#include "cli/limits.h"

const struct limit_row limit_rows[LIMIT_ROWS] = {
	{"bytes", "bytes of one file", offsetof(struct limits, bytes)},
	{"nodes", "YAML nodes with aliases", offsetof(struct limits, nodes)},
	{"devices", "devices", offsetof(struct limits, devices)},
	{"trunks", "trunks", offsetof(struct limits, trunks)},
	{"steps", "steps of expanding", offsetof(struct limits, steps)},
};

static enum status set_limit(struct cli *c, const char *text, struct limits *out)
{
	const char *names[LIMIT_ROWS], *equals = strchr(text, '=');
	char *end;
	if (!equals)
		return cli_refuse(c, NULL, "--limit: NAME=N was expected, not `%s`", text);
	char *name = arena_strndup(&c->arena, text, (size_t)(equals - text));
	uint64_t value = strtoull(equals + 1, &end, 10);
	if (*end || equals[1] < '0' || equals[1] > '9' || !value)
		return cli_refuse(c, NULL, "--limit %s: a number was expected, not `%s`", name, equals + 1);
	for (size_t i = 0; i < LIMIT_ROWS; i++) {
		names[i] = limit_rows[i].name;
		if (!strcmp(names[i], name)) {
			memcpy((char *)out + limit_rows[i].offset, &value, sizeof value);
			return OK;
		}
	}
	return cli_refuse(c, cli_hint(c, name, names, LIMIT_ROWS), "--limit: `%s` is not known", name);
}

static bool interrupted(void *context, uint64_t steps)
{
	(void)context;
	(void)steps;
	return cli_interrupted();
}

enum status cli_io_options(struct cli *c, struct io_options *out)
{
	*out = (struct io_options){.from = cli_value(c, OPT_FROM), .gpu = cli_value(c, OPT_GPU)};
	out->rates = c->values[OPT_RATE].at;
	out->rate_count = c->values[OPT_RATE].n;
	out->joined = c->values[OPT_JOIN].at;
	out->joined_count = c->values[OPT_JOIN].n;
	out->describe.defines = c->values[OPT_DEFINE].at;
	out->describe.define_count = c->values[OPT_DEFINE].n;
	out->describe.layout_dirs = c->layout_dirs;
	out->describe.layout_dir_count = c->layout_dir_count;
	out->describe.tick = interrupted;
	for (size_t i = 0; i < c->values[OPT_LIMIT].n; i++)
		if (set_limit(c, c->values[OPT_LIMIT].at[i], &out->describe.limits) != OK)
			return E_USAGE;
	return OK;
}

enum status cli_open(struct cli *c, const char *operand, struct fabric **out)
{
	struct io_options o;
	int64_t started = clock_ms();
	*out = NULL;
	enum status s = cli_io_options(c, &o);
	if (s == OK)
		s = io_open(operand, &o, &c->diag, out);
	if (s == OK && cli_has(c, OPT_VERBOSE))
		diag_add(&c->diag, LEVEL_NOTE, (struct mark){0}, NULL, NULL,
			 "%s: %u devices, %u trunks, read in %lld ms", operand, (*out)->device_count,
			 (*out)->trunk_count, (long long)(clock_ms() - started));
	cli_flush_messages(c);
	return s;
}

enum status cli_write_file(struct cli *c, const char *path, const struct strbuf *b)
{
	FILE *file = fopen(path, "w");
	bool ok = file && fwrite(strbuf_str(b), 1, b->n, file) == b->n;
	if (file)
		ok = fclose(file) == 0 && ok;
	if (!ok)
		diag_error(&c->diag, (struct mark){0}, NULL, "writing %s: %s", path, strerror(errno));
	return ok ? OK : E_IO;
}
