/* tui: the loop. It sleeps until a key, a job or a changed file wakes it, and draws only when something changed.
 */
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/tui_internal.h"

struct loop {
	struct app *app;
	struct terminal terminal;
	struct canvas before; /* what stands on the screen */
	struct strbuf paste;
	bool pasting, mouse, ended;
	enum scheme scheme; /* of what stands on the screen */
	int64_t clicked_ms; /* of the last click, to know a double one */
	int click_x, click_y;
};

enum { DOUBLE_CLICK_MS = 400 };

static uint32_t key_of(wint_t key)
{
	static const struct {
		int curses;
		uint32_t key;
	} table[] = {
		{KEY_UP, KEY_UP_CODE}, {KEY_DOWN, KEY_DOWN_CODE}, {KEY_LEFT, KEY_LEFT_CODE},
		{KEY_RIGHT, KEY_RIGHT_CODE}, {KEY_HOME, KEY_HOME_CODE}, {KEY_END, KEY_END_CODE},
		{KEY_PPAGE, KEY_PAGE_UP_CODE}, {KEY_NPAGE, KEY_PAGE_DOWN_CODE}, {KEY_BACKSPACE, KEY_BACKSPACE_CODE},
		{KEY_DC, KEY_DELETE_CODE}, {KEY_BTAB, KEY_BACKTAB_CODE}, {KEY_ENTER, KEY_ENTER_CODE},
		{KEY_F(1), KEY_F1_CODE},
	};
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if ((wint_t)table[i].curses == key)
			return table[i].key;
	return 0;
}

static void on_event(struct loop *l, const MEVENT *event)
{
	enum pointer p = POINTER_CLICK;
	int64_t now = clock_ms();
	if (event->bstate & BUTTON4_PRESSED) {
		p = POINTER_WHEEL_UP;
	} else if (event->bstate & BUTTON5_PRESSED) {
		p = POINTER_WHEEL_DOWN;
	} else if (event->bstate & BUTTON1_RELEASED) {
		p = POINTER_RELEASE;
	} else if (event->bstate & REPORT_MOUSE_POSITION) {
		p = POINTER_DRAG;
	} else if (event->bstate & BUTTON1_PRESSED) {
		bool twice = now - l->clicked_ms < DOUBLE_CLICK_MS && event->x == l->click_x && event->y == l->click_y;
		p = twice ? POINTER_DOUBLE : POINTER_CLICK;
		l->clicked_ms = twice ? 0 : now;
		l->click_x = event->x;
		l->click_y = event->y;
	} else {
		return;
	}
	app_pointer(l->app, p, event->x, event->y);
}

/* Curses tells of several at once, the newest first. */
static void on_mouse(struct loop *l)
{
	MEVENT events[16];
	size_t n = 0;
	while (n < ARRAY_LEN(events) && getmouse(&events[n]) == OK)
		n++;
	while (n > 0)
		on_event(l, &events[--n]);
}

static void on_function_key(struct loop *l, wint_t key)
{
	switch (key) {
	case KEY_RESIZE:
		app_resize(l->app, COLS, LINES);
		break;
	case KEY_MOUSE:
		on_mouse(l);
		break;
	case KEY_PASTE_BEGIN:
		l->pasting = true;
		strbuf_trim(&l->paste, 0);
		break;
	case KEY_PASTE_END:
		l->pasting = false;
		app_paste(l->app, strbuf_str(&l->paste), l->paste.n);
		break;
	default:
		if (key_of(key))
			app_key(l->app, key_of(key));
	}
}

static void on_character(struct loop *l, wint_t c)
{
	enum { PASTE_MAX = 65536 };
	if (l->pasting) {
		if (l->paste.n < PASTE_MAX)
			utf8_put(&l->paste, (uint32_t)c);
		return;
	}
	if (c == 127 || c == 8)
		app_key(l->app, KEY_BACKSPACE_CODE);
	else
		app_key(l->app, c == '\n' ? KEY_ENTER_CODE : (uint32_t)c);
}

/* Several keys may stand in curses' own queue: reads until there is none. */
static bool read_keys(struct loop *l)
{
	bool any = false;
	wint_t c;
	for (int got; (got = get_wch(&c)) != ERR && !app_done(l->app);) {
		any = true;
		if (got == KEY_CODE_YES)
			on_function_key(l, c);
		else
			on_character(l, c);
	}
	return any;
}

static void draw(struct loop *l)
{
	int x, y;
	if (app_mouse(l->app) != l->mouse) {
		l->mouse = app_mouse(l->app);
		terminal_mouse(&l->terminal, l->mouse);
	}
	enum scheme scheme = terminal_scheme(&l->terminal, app_scheme(l->app));
	if (scheme != l->scheme)
		canvas_resize(&l->before, 0, 0); /* all cells look different */
	l->scheme = scheme;
	paint(app_compose(l->app), &l->before, scheme);
	if (app_cursor(l->app, &x, &y)) {
		curs_set(1);
		move(y, x);
	} else {
		curs_set(0);
	}
	refresh();
}

static void suspend(struct loop *l)
{
	terminal_suspend(&l->terminal);
	app_resize(l->app, COLS, LINES);
}

static void wait_for_something(struct loop *l)
{
	enum { OURS = 2 };
	struct pollfd fds[8] = {{.fd = fileno(l->terminal.in), .events = POLLIN}, {.fd = terminal_wake_fd(), .events = POLLIN}};
	size_t n = OURS + app_fds(l->app, fds + OURS, ARRAY_LEN(fds) - OURS);
	int ready = poll(fds, (nfds_t)n, app_timeout(l->app));
	if (ready < 0 && errno != EINTR)
		l->ended = true;
	bool keys = read_keys(l); /* also after a signal: a resize arrives as a key */
	if (ready > 0 && (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) && !keys)
		l->ended = true; /* the terminal is gone */
	for (int what; (what = terminal_woken()) != 0;)
		if (what == TERMINAL_STOP)
			suspend(l);
		else if (what == TERMINAL_GOES_ON)
			terminal_resume(&l->terminal);
	bool due = ready == 0;
	for (size_t i = OURS; ready > 0 && i < n; i++)
		due = due || fds[i].revents;
	if (due)
		app_poll(l->app);
}

int tui_run(struct app *a, const struct tui_options *o)
{
	struct loop l = {.app = a};
	setlocale(LC_CTYPE, "");
	if (!terminal_start(&l.terminal, o))
		return 2;
	app_set_ascii(a, o->ascii || !locale_is_utf8());
	app_resize(a, COLS, LINES);
	while (!app_done(a) && !l.ended) {
		if (app_changed(a))
			draw(&l);
		wait_for_something(&l);
		char *copied = app_copied(a);
		if (copied)
			terminal_copy(&l.terminal, copied);
		free(copied);
		if (app_suspends(a))
			suspend(&l);
	}
	terminal_stop(&l.terminal);
	canvas_free(&l.before);
	strbuf_free(&l.paste);
	return 0;
}
