/* Help, made from the tables; and the tables themselves for scripts (--list). */
#include <string.h>

#include "cli/cli_internal.h"
#include "cli/limits.h"

enum { HELP_COLUMN = 28 };

static void put_row(struct strbuf *b, const char *left, const char *right)
{
	strbuf_printf(b, "  %s", left);
	unsigned width = text_width(left) + 2;
	if (width >= HELP_COLUMN) {
		strbuf_putc(b, '\n');
		width = 0;
	}
	for (; width < HELP_COLUMN; width++)
		strbuf_putc(b, ' ');
	strbuf_printf(b, "%s\n", right);
}

static void put_option(struct strbuf *b, const struct option *o)
{
	struct strbuf left = STRBUF_INIT;
	if (o->letter)
		strbuf_printf(&left, "-%c, ", o->letter);
	strbuf_printf(&left, "--%s%s%s", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
	put_row(b, left.text, o->help);
	strbuf_free(&left);
}

void usage_short(struct strbuf *b)
{
	strbuf_puts(b, "usage: toponaut FILE|LAYOUT            open the explorer, for instance: toponaut gb300-nvl72\n"
		       "       toponaut COMMAND FILE …         info show analyze check query layouts convert\n"
		       "       toponaut --help                 all commands and options\n");
}

void help_general(struct strbuf *b)
{
	strbuf_puts(b, "toponaut: explore accelerator fabrics in the terminal\n\n"
		       "usage: toponaut [OPTION]... [FILE|LAYOUT]\n"
		       "       toponaut COMMAND [OPTION]... FILE|LAYOUT ...\n\n"
		       "FILE is - (standard input), a path (it has a / or a .), else a shipped layout.\n\ncommands\n");
	for (size_t i = 0; i < command_count; i++)
		if (*commands[i].name && commands[i].bit != FOR_COMPLETE)
			put_row(b, commands[i].name, commands[i].help);
	strbuf_puts(b, "\noptions of the explorer (`toponaut COMMAND --help` lists those of a command)\n");
	for (size_t i = 0; i < OPT_COUNT; i++)
		if (options[i].commands & FOR_EXPLORE)
			put_option(b, &options[i]);
	strbuf_puts(b, "\nexit status: 0 fine, 1 a check failed, 2 usage, 3 the input could not be read,\n"
		       "4 an input limit was hit, 130 interrupted\n\ntry: toponaut gb300-nvl72\n");
}

void help_command(const struct command *cmd, struct strbuf *b)
{
	strbuf_printf(b, "toponaut %s: %s\n\nusage: toponaut %s [OPTION]... %s\n", cmd->name, cmd->help, cmd->name,
		      cmd->operands);
	if (cmd->details)
		strbuf_printf(b, "\n%s", cmd->details);
	if (cmd->bit & (FOR_ANALYZE | FOR_SHOW)) {
		strbuf_puts(b, "\nanalyses\n");
		for (size_t i = 0; i < analysis_count; i++) {
			struct strbuf left = STRBUF_INIT;
			strbuf_printf(&left, "%s%s%s", analyses[i].name, *analyses[i].operands ? " " : "",
				      analyses[i].operands);
			put_row(b, left.text, analyses[i].help);
			strbuf_free(&left);
		}
	}
	strbuf_puts(b, "\noptions\n");
	for (size_t i = 0; i < OPT_COUNT; i++)
		if (options[i].commands & cmd->bit)
			put_option(b, &options[i]);
}

/* ---- --list ------------------------------------------------------------------------------------- */

static void list_commands(struct strbuf *b)
{
	for (size_t i = 0; i < command_count; i++)
		if (*commands[i].name)
			strbuf_printf(b, "%s\t%s\n", commands[i].name, commands[i].help);
}

static void list_options(struct strbuf *b)
{
	for (size_t i = 0; i < OPT_COUNT; i++)
		strbuf_printf(b, "--%s\t%s\n", options[i].name, options[i].help);
}

static void list_analyses(struct strbuf *b)
{
	for (size_t i = 0; i < analysis_count; i++)
		strbuf_printf(b, "%s\t%s\t%s\n", analyses[i].name, analyses[i].operands, analyses[i].help);
}

static void list_views(struct strbuf *b)
{
	for (size_t i = 0; i < view_count; i++)
		strbuf_printf(b, "%s\t%s\n", views[i].name, views[i].title);
}

static void list_formats(struct strbuf *b)
{
	for (size_t i = 0; i < io_format_count; i++)
		strbuf_printf(b, "%s\t%s%s\t%s\n", io_formats[i].name, io_formats[i].read ? "r" : "",
			      io_formats[i].write ? "w" : "", io_formats[i].title);
}

static void list_actions(struct strbuf *b)
{
	for (size_t i = 0; i < action_count; i++)
		strbuf_printf(b, "%s\t%s\t%s\n", actions[i].name, actions[i].keys, actions[i].help);
}

static void list_keys(struct strbuf *b)
{
	for (size_t i = 0; i < describe_key_count; i++)
		strbuf_printf(b, "%s\t%s\t%s\t%s\n", describe_keys[i].key, describe_keys[i].where, describe_keys[i].type,
			      describe_keys[i].help);
}

/* Name, what it limits, and its default as the manuals write it. */
static void list_limits(struct strbuf *b)
{
	struct limits none = {0}, defaults = limits_filled(&none);
	for (size_t i = 0; i < LIMIT_ROWS; i++) {
		uint64_t n;
		memcpy(&n, (const char *)&defaults + limit_rows[i].offset, sizeof n);
		strbuf_printf(b, "%s\t%s\t", limit_rows[i].name, limit_rows[i].help);
		put_count(b, n % (1u << 20) ? n : n >> 20);
		strbuf_puts(b, n % (1u << 20) ? "\n" : " MiB\n");
	}
}

static const struct {
	const char *name;
	void (*list)(struct strbuf *b);
} tables[] = {
	{"commands", list_commands}, {"options", list_options}, {"analyses", list_analyses}, {"views", list_views},
	{"formats", list_formats},   {"actions", list_actions}, {"keys", list_keys},
	{"limits", list_limits},
};

enum status list_table(struct cli *c, const char *what)
{
	const char *names[ARRAY_LEN(tables)];
	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		names[i] = tables[i].name;
		if (!strcmp(tables[i].name, what)) {
			tables[i].list(&c->out);
			return OK;
		}
	}
	return cli_refuse(c, cli_hint(c, what, names, ARRAY_LEN(names)), "there is no table `%s`", what);
}
