/* toponaut: an explorer of accelerator fabrics.
 *
 * The map of the source. Each folder is a layer with one header in include/toponaut/; it may include what stands
 * above it here as src/LAYERS says (`make lint` enforces that).
 *
 *   base      status, messages, arenas, strings, sets of ids, the gate for foreign text, quantities, expressions,
 *             forked jobs
 *   draw      canvas of cells with a hit map; text, ANSI and SVG out
 *   fabric    the model: igraph graph and plain arrays, modules, what-if overlay, projection to capacities
 *   describe  the description language: YAML in and out, expansion, wiring joins
 *   select    the selection language: text to devices and back
 *   io        other formats, recognised by content; shipped layouts
 *   analyze   one file per question, a table of them, run as forked processes
 *   view      scenes: pure functions from fabric, selection, results and size to a canvas
 *   app       the session: table of actions, jobs, undo, scripts
 *   tui       the terminal, the only code with curses
 *   cli       sub-commands, table of options, help, completion
 *
 * What happens: main looks around and gives the command line to cli. A sub-command opens the file through io (which
 * asks describe or another reader), gets a frozen fabric, asks select and analyze, and prints. The explorer opens an
 * app and gives it to tui, which feeds it keys and shows the canvas it composes from views.
 */
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toponaut/cli.h"
#include "toponaut/tui.h"

/* Where this program lies, for the layouts beside it. */
static char *program_path(const char *name)
{
	char *path = realpath("/proc/self/exe", NULL);
	return path ? path : realpath(name, NULL);
}

/* Keys come from the terminal even when standard input is the file to explore. */
static int explore(struct app *a, bool mono, bool ascii)
{
	int keys = isatty(STDIN_FILENO) ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC);
	struct tui_options o = {.mono = mono, .ascii = ascii, .input = keys < 0 ? STDIN_FILENO : keys};
	int status = tui_run(a, &o);
	if (keys > STDIN_FILENO)
		close(keys);
	return status;
}

/* $XDG_CONFIG_HOME/toponaut/config, by default below ~/.config, and the like; owned. */
static char *own_path(const char *variable, const char *below_home, const char *name)
{
	const char *base = getenv(variable), *home = getenv("HOME");
	if (base && *base == '/')
		return mem_printf("%s/toponaut/%s", base, name);
	return home && *home == '/' ? mem_printf("%s/%s/toponaut/%s", home, below_home, name) : NULL;
}

int main(int argc, char **argv)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	setlocale(LC_CTYPE, "");
	char *program = program_path(argc ? argv[0] : ""), *config = own_path("XDG_CONFIG_HOME", ".config", "config");
	char *memory = own_path("XDG_STATE_HOME", ".local/state", "history");
	struct cli_environment e = {
		.layouts = getenv("TOPONAUT_LAYOUTS"),
		.program = program,
		.config = config,
		.memory = memory,
		.pager = getenv("PAGER"),
		.no_color = no_color && *no_color,
		.dumb_terminal = !term || !strcmp(term, "dumb"),
		.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
		.explore = explore,
	};
	int status = cli_run(argc, argv, &e);
	free(program);
	free(config);
	free(memory);
	return status;
}
