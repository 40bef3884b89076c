/* app: a session of the explorer without its terminal: what is loaded, selected, asked and answered; the one
 * table of actions; jobs; undo; scripts. The terminal layer feeds keys in and shows the composed canvas.
 */
#ifndef TOPONAUT_APP_H
#define TOPONAUT_APP_H

#include <poll.h>

#include "toponaut/io.h"
#include "toponaut/view.h"

/* Keys are code points; those without one are numbered above Unicode. Control characters are themselves. */
enum {
	KEY_ENTER_CODE = 13,
	KEY_TAB_CODE = 9,
	KEY_ESC_CODE = 27,
	KEY_SPECIAL = 0x110000,
	KEY_UP_CODE = KEY_SPECIAL,
	KEY_DOWN_CODE,
	KEY_LEFT_CODE,
	KEY_RIGHT_CODE,
	KEY_HOME_CODE,
	KEY_END_CODE,
	KEY_PAGE_UP_CODE,
	KEY_PAGE_DOWN_CODE,
	KEY_BACKSPACE_CODE,
	KEY_DELETE_CODE,
	KEY_BACKTAB_CODE,
	KEY_F1_CODE,
	KEY_SPECIAL_END
};
/* "Enter", "C-r", "Space", "j" … to a key and back; 0 when it is no key. */
uint32_t key_parse(const char *name);
void key_put(uint32_t key, struct strbuf *b);

/* What a row of the action table is. The same table makes bindings, help, `:` commands, completion and the
 * list of keys in toponaut(1). Analyses and views add their own rows from their own tables. */
struct app;
struct action {
	const char *name;  /* as a `:` command */
	const char *keys;  /* "j Down", or "" */
	const char *args;  /* "EXPR", "[FILE]", or "" */
	const char *group; /* heading in help */
	const char *word;  /* in the footer, or NULL */
	const char *help;  /* one line */
	/* One of these: with words ("" without), without, or one function for several actions that differ by n. */
	void (*run)(struct app *a, const char *args);
	void (*plain)(struct app *a);
	void (*by)(struct app *a, int n);
	int n;
};
extern const struct action actions[];
extern const size_t action_count;

struct app_options {
	struct io_options io;        /* borrowed, with all it points to */
	const char *view;            /* -w, or NULL */
	enum color_mode color;
	bool ascii;
	struct diff_options diff;    /* --ignore, --names */
	const char *const *fails;    /* --fail as written */
	size_t fail_count;
	const char *const *derates;  /* --derate */
	size_t derate_count;
	const char *over;            /* "nvlink5,c2c", or NULL */
	const char *select;          /* -s, or NULL */
	enum device_class endpoints; /* CLASS_NONE: by rule */
	int unit;                    /* module kind, or -1 */
	bool transit_selected, relay;
	uint64_t seed;               /* 0: 1 */
	int64_t time_limit_ms;       /* negative: the default of 10 s */
	bool watch;                  /* reload when a file changes */
};

struct app *app_new(const struct app_options *o); /* returns owned; o is copied, its texts are borrowed */
void app_free(struct app *a);
/* Begins to read a file or layout, on a thread; app_poll takes it in. On failure what is loaded stays as it is. When it is
 * the first file and fails, the session is done and app_status says why. */
void app_open_begin(struct app *a, const char *operand);
/* How the first file fared so far; messages are moved to d. */
enum status app_status(struct app *a, struct diag *d);
/* All of that at once. */
MUST_CHECK enum status app_open(struct app *a, const char *operand, struct diag *d);
/* Until nothing is read and nothing runs, or for so many milliseconds; negative: for as long as it takes. */
void app_wait(struct app *a, int ms);

/* ---- driven by the terminal ----------------------------------------------------------------------- */

void app_resize(struct app *a, int cols, int rows);
void app_key(struct app *a, uint32_t key);
void app_paste(struct app *a, const char *text, size_t n); /* goes into a prompt, or nowhere */
/* A drag goes on from a click, until the release. */
enum pointer { POINTER_CLICK, POINTER_DOUBLE, POINTER_WHEEL_UP, POINTER_WHEEL_DOWN, POINTER_DRAG, POINTER_RELEASE };
void app_pointer(struct app *a, enum pointer p, int x, int y);
/* Descriptors to poll for; returns how many of max were filled in. */
size_t app_fds(const struct app *a, struct pollfd *out, size_t max);
/* Handles what the descriptors brought. */
void app_poll(struct app *a);
/* Milliseconds until app_poll is due without a descriptor, or -1. */
int app_timeout(const struct app *a);
bool app_changed(struct app *a);  /* true when the screen must be composed again; clears the flag */
const struct canvas *app_compose(struct app *a); /* borrowed until the next call */
bool app_cursor(const struct app *a, int *x, int *y); /* where a prompt wants the terminal's cursor */
bool app_done(const struct app *a);
bool app_mouse(const struct app *a);
/* The scheme that was asked for, or -1. */
int app_scheme(const struct app *a);
/* The lines of a configuration file, `:` commands; blank ones and those behind # are left out. */
void app_configure(struct app *a, const char *text);
/* The file that keeps what was typed from one session to the next; it need not be there. */
void app_remember_in(struct app *a, const char *path);
/* What a person wants copied, or NULL; owned by the caller. */
char *app_copied(struct app *a);
/* Ctrl-Z was pressed: the terminal layer suspends; cleared by the call. */
bool app_suspends(struct app *a);
void app_set_ascii(struct app *a, bool ascii);

/* ---- driven by a script ----------------------------------------------------------------------------- */

/* One step a line: a key ("j", "Enter", "C-r"), "type TEXT", ":COMMAND", "wait",
 * "size WxH", "click X Y", "drag X Y", "dump", "dump styles", "state", "# comment". Before each step the session waits until
 * jobs are idle. Returns 0, or 2 when a step is not understood (said on out). */
int app_script(struct app *a, const char *script, unsigned cols, unsigned rows, FILE *out);

/* Without a screen: a command or key a line from `in`, facts a line each to `out`. Returns the exit status. */
int app_linear(struct app *a, FILE *in, FILE *out);

#endif
