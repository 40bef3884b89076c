/* cli: the sub-commands. Results go to standard output, messages to standard error.
 */
#ifndef TOPONAUT_CLI_H
#define TOPONAUT_CLI_H

#include "toponaut/app.h"

/* What main found around the program. */
struct cli_environment {
	const char *layouts;  /* $TOPONAUT_LAYOUTS, or NULL */
	const char *program;  /* path of the running program, or NULL: its layouts lie beside it */
	const char *config;   /* file of the person's own commands, or NULL */
	const char *memory;   /* file of what was typed before, or NULL */
	const char *pager;    /* $PAGER, or NULL: less */
	bool no_color;        /* NO_COLOR is set */
	bool dumb_terminal;   /* TERM is unset or dumb */
	bool utf8;            /* the locale's encoding is UTF-8 */
	/* Runs the explorer in the terminal; returns the exit status. */
	int (*explore)(struct app *a, bool mono, bool ascii);
};

/* Runs the command line; returns the exit status: 0 fine, 1 a check failed, 2 usage, 3 the input could not be
 * read, 4 an input limit was hit, 130 interrupted. */
int cli_run(int argc, char **argv, const struct cli_environment *e);

#endif
