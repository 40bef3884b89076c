/* Shared inside of tui: the only place that includes curses. */
#ifndef TUI_INTERNAL_H
#define TUI_INTERNAL_H

#include "toponaut/tui.h"

/* Behind ours: curses defines OK as a macro, with the value that our OK has. */
#define NCURSES_NOMACROS 1
#include <curses.h>

/* ---- terminal.c: taking the terminal and giving it back */
struct terminal {
	SCREEN *screen;
	FILE *in, *out;
	enum scheme scheme;
	bool paste; /* bracketed paste is switched on */
	bool mouse; /* what is dragged is reported */
	int saved_stderr;
	FILE *notes; /* what went to stderr meanwhile */
};
/* False when the terminal is of no known type; the reason went to stderr. */
bool terminal_start(struct terminal *t, const struct tui_options *o);
void terminal_stop(struct terminal *t);
void terminal_suspend(struct terminal *t);
void terminal_resume(struct terminal *t);
/* Readable when the program is told to stop, goes on after it was stopped without being asked, or has another size;
 * or -1. */
int terminal_wake_fd(void);
enum { TERMINAL_STOP = 1, TERMINAL_GOES_ON, TERMINAL_RESIZED };
int terminal_woken(void); /* which, or 0 */
void terminal_mouse(struct terminal *t, bool on);
void terminal_copy(const struct terminal *t, const char *text);
bool locale_is_utf8(void);
/* The scheme that is asked for (-1: none), or the nearest that the terminal can show. */
enum scheme terminal_scheme(const struct terminal *t, int asked);

enum { KEY_PASTE_BEGIN = KEY_MAX + 1, KEY_PASTE_END };

/* ---- paint.c: the canvas onto the screen */
/* Draws what differs from what was drawn before (the whole when before has another size). */
void paint(const struct canvas *c, struct canvas *before, enum scheme scheme);

#endif
