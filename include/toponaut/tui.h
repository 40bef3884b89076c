/* tui: the only code that knows curses. It owns the terminal from tui_run to its return.
 */
#ifndef TOPONAUT_TUI_H
#define TOPONAUT_TUI_H

#include "toponaut/app.h"

struct tui_options {
	bool mono;           /* --color=never or NO_COLOR */
	bool ascii;          /* --ascii; also when the locale is not UTF-8 */
	int input;           /* descriptor of the keys: 0, or /dev/tty when standard input is data */
};

/* Runs the session until Q; the terminal is given back on every way out. Returns the exit status. */
int tui_run(struct app *a, const struct tui_options *o);

#endif
