/* The table of commands, their dispatch, messages and exit statuses. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli_internal.h"

const struct command commands[] = {
	{"", "[FILE|LAYOUT]", "open the explorer; without a terminal the same as info", NULL, FOR_EXPLORE, cmd_explore},
	{"info", "FILE...", "what is in it: counts, rates, aggregate", NULL, FOR_INFO, cmd_info},
	{"show", "FILE [ANALYSIS [OPERAND]...]...", "a picture, with the results of the analyses on it", NULL, FOR_SHOW,
	 cmd_show},
	{"analyze", "FILE [ANALYSIS [OPERAND]...]...", "ask the analyses; without one: summary, bisection, blocking",
	 "An analysis takes as many operands as --list analyses says.\n", FOR_ANALYZE, cmd_analyze},
	{"check", "FILE...", "findings and the design's own claims; exit 1 when one fails", NULL, FOR_CHECK, cmd_check},
	{"diff", "DESIGN... BUILT", "cables miswired, swapped, missing, extra, slower; exit 1 when there are any",
	 "Any formats. Devices are matched by GUID, by name without case, else by structure.\n", FOR_DIFF, cmd_diff},
	{"compare", "FILE [OPTION]... FILE [OPTION]... [ANALYSIS]...", "designs side by side, or one over values of a parameter",
	 "-D k=4..16..4 and -D k=4,8,16 are a case for each value. Options belong to the file before them; before the first\n"
	 "file, or behind the analyses, to all. Without an analysis: bisection.\n",
	 FOR_COMPARE, cmd_compare},
	{"query", "FILE SELECTION", "paths of the selected devices, one a line",
	 "Selections: A,B union; A!B difference; A&B intersection; A^B either; ~A neighbours;\n"
	 "compute[0-3]/gpu*, **/gpu0, @gpu, @type:b300, @kind:tray, @rail:2 (see toponaut(1)).\n",
	 FOR_QUERY, cmd_query},
	{"layouts", "[NAME]", "what is shipped; with a name, its file", NULL, FOR_LAYOUTS, cmd_layouts},
	{"convert", "FILE", "write it in another format, parameters resolved, what-if kept", NULL, FOR_CONVERT,
	 cmd_convert},
	{"complete", "WORD...", "candidates for the last word of a command line, one a line; for shells", NULL,
	 FOR_COMPLETE, cmd_complete},
};
const size_t command_count = ARRAY_LEN(commands);

int cli_exit(enum status s)
{
	switch (s) {
	case OK: return EXIT_FINE;
	case E_INPUT:
	case E_IO: return EXIT_INPUT;
	case E_LIMIT: return EXIT_LIMIT;
	case E_USAGE: return EXIT_USAGE;
	case E_CANCELLED: return EXIT_INTERRUPTED;
	case E_BUG: break;
	}
	return EXIT_BUG;
}

/* ---- interrupts -------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
	(void)signal_number;
	interrupted = 1;
}

bool cli_interrupted(void)
{
	return interrupted;
}

/* Ctrl-C ends what runs in order, children first. A reader that went away is no error: writing says so. */
static void set_signals(void)
{
	struct sigaction stop = {.sa_handler = on_interrupt}, ignore = {.sa_handler = SIG_IGN};
	sigemptyset(&stop.sa_mask);
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

/* ---- output ------------------------------------------------------------------------------------ */

bool cli_json(const struct cli *c)
{
	const char *format = cli_value(c, OPT_FORMAT);
	return format && !strcmp(format, "json");
}

enum status cli_check_format(struct cli *c)
{
	static const char *const words[] = {"text", "json"};
	uint32_t which;
	return cli_word(c, OPT_FORMAT, words, ARRAY_LEN(words), &which);
}

bool cli_color(const struct cli *c, int descriptor)
{
	const char *mode = cli_value(c, OPT_COLOR);
	if (mode && strcmp(mode, "auto") != 0)
		return !strcmp(mode, "always");
	return !c->env->no_color && !c->env->dumb_terminal && isatty(descriptor);
}

bool cli_ascii(const struct cli *c)
{
	return cli_has(c, OPT_ASCII) || !c->env->utf8;
}

void cli_flush_messages(struct cli *c)
{
	struct strbuf b = STRBUF_INIT;
	bool quiet = cli_has(c, OPT_QUIET), verbose = cli_has(c, OPT_VERBOSE), color = cli_color(c, STDERR_FILENO);
	for (size_t i = 0; i < c->diag.messages.n; i++) {
		const struct message *m = &c->diag.messages.at[i];
		if (m->level == LEVEL_ERROR || (!quiet && (m->level == LEVEL_WARNING || verbose)))
			message_put(&b, m, color);
	}
	if (c->diag.dropped)
		strbuf_printf(&b, "toponaut: %u more errors not shown\n", c->diag.dropped);
	fwrite(strbuf_str(&b), 1, b.n, stderr);
	strbuf_free(&b);
	diag_free(&c->diag);
}

static bool is_too_wide(const struct cli *c)
{
	struct winsize size;
	return c->out_cols && !c->env->dumb_terminal && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO) &&
	       ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && c->out_cols > size.ws_col;
}

/* Through $PAGER, by default less, which scrolls sideways; false when it could not be started. */
static bool page_out(const struct cli *c)
{
	int ends[2];
	pid_t child;
	int status = 0;
	if (pipe(ends) != 0)
		return false;
	child = fork();
	if (child == 0) {
		dup2(ends[0], STDIN_FILENO);
		close(ends[0]);
		close(ends[1]);
		signal(SIGPIPE, SIG_DFL);
		if (c->env->pager && *c->env->pager)
			execl("/bin/sh", "sh", "-c", c->env->pager, (char *)NULL);
		else
			execlp("less", "less", "-RS", (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	FILE *to = child > 0 ? fdopen(ends[1], "w") : NULL;
	if (!to) {
		close(ends[1]);
		return false;
	}
	fwrite(strbuf_str(&c->out), 1, c->out.n, to);
	fclose(to);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
}

/* All of standard output at once. A closed pipe is silent. */
static int write_out(struct cli *c, int code)
{
	if (is_too_wide(c) && page_out(c))
		return code;
	bool ok = fwrite(strbuf_str(&c->out), 1, c->out.n, stdout) == c->out.n;
	ok = fflush(stdout) == 0 && ok;
	if (ok || errno == EPIPE)
		return code;
	fprintf(stderr, "toponaut: error: writing to standard output: %s\n", strerror(errno));
	return code == EXIT_FINE ? EXIT_INPUT : code;
}

/* ---- running ----------------------------------------------------------------------------------- */

static enum status check_common(struct cli *c)
{
	static const char *const colors[] = {"auto", "always", "never"};
	uint32_t which;
	return cli_word(c, OPT_COLOR, colors, ARRAY_LEN(colors), &which);
}

static int run_command(struct cli *c)
{
	if (cli_has(c, OPT_HELP)) {
		if (*c->command->name)
			help_command(c->command, &c->out);
		else
			help_general(&c->out);
		return EXIT_FINE;
	}
	if (cli_has(c, OPT_VERSION)) {
		strbuf_printf(&c->out, "toponaut %s\n", toponaut_version);
		return EXIT_FINE;
	}
	if (cli_has(c, OPT_LIST))
		return cli_exit(list_table(c, cli_value(c, OPT_LIST)));
	return c->command->run(c);
}

int cli_run(int argc, char **argv, const struct cli_environment *e)
{
	struct cli c = {.env = e};
	set_signals();
	c.layout_dir_count = io_layout_dirs(&c.arena, e->layouts, e->program, c.layout_dirs, ARRAY_LEN(c.layout_dirs));
	enum status s = cli_parse(&c, argc, argv);
	if (s == OK)
		s = check_common(&c);
	int code = s == OK ? run_command(&c) : cli_exit(s);
	cli_flush_messages(&c);
	if (interrupted)
		code = EXIT_INTERRUPTED;
	else
		code = write_out(&c, code);
	for (size_t i = 0; i < OPT_COUNT; i++) {
		vec_free(&c.values[i]);
		vec_free(&c.places[i]);
	}
	vec_free(&c.operands);
	strbuf_free(&c.out);
	arena_free(&c.arena);
	return code;
}
