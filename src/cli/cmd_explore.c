/* toponaut FILE: the explorer, in a terminal or driven by a script; without either the same as info. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_internal.h"

static int usage(void)
{
	struct strbuf b = STRBUF_INIT;
	usage_short(&b);
	fwrite(b.text, 1, b.n, stderr);
	strbuf_free(&b);
	return EXIT_USAGE;
}

static const char *near_command(const char *word)
{
	const char *names[16];
	size_t n = 0;
	for (size_t i = 1; i < command_count && n < ARRAY_LEN(names); i++)
		names[n++] = commands[i].name;
	return nearest_word(word, names, n);
}

static int unknown_command(struct cli *c)
{
	const char *word = c->operands.at[0], *near = near_command(word);
	return cli_exit(cli_refuse(c, near ? arena_printf(&c->arena, "did you mean the command %s?", near)
					   : "`toponaut --help` lists the commands",
				   "`%s` is no command%s", word, c->operands.n > 1 ? ", and the explorer opens one file" : ""));
}

/* A lone word that is neither layout nor file, and nearly a command. */
static bool is_slip(struct cli *c, const char *word)
{
	struct io_options o;
	if (strpbrk(word, "/.") || !strcmp(word, "-") || access(word, F_OK) == 0 || cli_io_options(c, &o) != OK)
		return false;
	return !io_layout_path(&c->arena, &o, word) && near_command(word) != NULL;
}

static enum status app_options_of(struct cli *c, struct app_options *o)
{
	struct projection_options p;
	struct request r = {0};
	uint32_t color;
	*o = (struct app_options){.view = cli_value(c, OPT_VIEW), .ascii = cli_ascii(c), .over = cli_value(c, OPT_OVER),
				  .select = cli_value(c, OPT_SELECT), .watch = !cli_has(c, OPT_SCRIPT)};
	enum status s = cli_io_options(c, &o->io);
	if (s == OK)
		s = cli_word(c, OPT_COLOR_BY, color_mode_names, COLOR_MODE_COUNT, &color);
	if (s == OK)
		s = read_projection(c, &p);
	if (s == OK)
		s = read_search(c, &r);
	if (s == OK)
		s = read_diff_options(c, &o->diff);
	if (s != OK)
		return s;
	o->color = color == NONE ? COLOR_AUTO : (enum color_mode)color;
	o->fails = c->values[OPT_FAIL].at;
	o->fail_count = c->values[OPT_FAIL].n;
	o->derates = c->values[OPT_DERATE].at;
	o->derate_count = c->values[OPT_DERATE].n;
	o->endpoints = p.endpoints;
	o->unit = p.unit;
	o->transit_selected = p.transit_selected;
	o->relay = p.relay;
	o->seed = r.seed;
	o->time_limit_ms = r.time_limit_ms;
	return OK;
}

static int run_script(struct cli *c, struct app *a)
{
	struct source script;
	int cols = 120, rows = 40;
	enum status s = cli_size(c, &cols, &rows);
	if (s == OK)
		s = source_read(&c->arena, cli_value(c, OPT_SCRIPT), 1u << 24, &c->diag, &script);
	return s == OK ? app_script(a, script.text, (unsigned)cols, (unsigned)rows, stdout) : cli_exit(s);
}

/* The terminal layer sets its own. */
static void reset_signals(void)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
}

/* Commands of one's own before the first picture; scripts go without, so that they are the same everywhere. */
static void configure(struct cli *c, struct app *a)
{
	struct source s;
	struct diag none = {0};
	if (c->env->config && source_read(&c->arena, c->env->config, 1u << 20, &none, &s) == OK)
		app_configure(a, s.text);
	diag_free(&none);
	if (c->env->memory)
		app_remember_in(a, c->env->memory);
}

enum { QUICK_MS = 300 };

static int explore(struct cli *c)
{
	struct app_options o;
	enum status s = app_options_of(c, &o);
	if (s != OK)
		return cli_exit(s);
	/* What is read at once, or not at all, needs no screen that says so. */
	bool screen = !cli_has(c, OPT_SCRIPT) && !cli_has(c, OPT_LINEAR) && strcmp(c->operands.at[0], "-");
	struct app *a = app_new(&o);
	app_open_begin(a, c->operands.at[0]);
	app_wait(a, screen ? QUICK_MS : -1);
	s = app_status(a, &c->diag);
	int code = cli_exit(s);
	cli_flush_messages(c);
	if (s == OK && cli_has(c, OPT_SCRIPT)) {
		code = run_script(c, a);
	} else if (s == OK && cli_has(c, OPT_LINEAR)) {
		configure(c, a);
		code = app_linear(a, stdin, stdout);
	} else if (s == OK) {
		bool mono = c->env->no_color || (cli_value(c, OPT_COLOR) && !strcmp(cli_value(c, OPT_COLOR), "never"));
		configure(c, a);
		reset_signals();
		code = c->env->explore(a, mono, cli_ascii(c));
		s = app_status(a, &c->diag);
		code = s == OK ? code : cli_exit(s);
		cli_flush_messages(c);
	}
	app_free(a);
	return code;
}

int cmd_explore(struct cli *c)
{
	if (!c->operands.n)
		return usage();
	if (c->operands.n > 1 || is_slip(c, c->operands.at[0]))
		return unknown_command(c);
	bool keys = isatty(STDIN_FILENO) || !strcmp(c->operands.at[0], "-");
	if (cli_has(c, OPT_SCRIPT) || cli_has(c, OPT_LINEAR) || (keys && isatty(STDOUT_FILENO)))
		return explore(c);
	return info_of(c, c->operands.at[0]);
}
